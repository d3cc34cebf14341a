"""Call every compiled entry, on every ruleset, and print a digest of what they do: for runs with bounds checks, or without.

    NUMBA_BOUNDSCHECK=1 python -m tests.every_entry 60

An entry is a kernel that takes arrays, so that Python calls it. One that no call below reaches is an error.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tarock_env
from agents import base
from agents.match import play_hands
from agents.ppo.config import TrainConfig
from agents.ppo.trainer import Trainer
from experiments.duplicate import play
from tarock_env import record as records
from tarock_env import tarock_v0
from tarock_env.encoding import encode, encode_full, encode_packed
from tarock_env.engine.batch import NO_LOG
from tarock_env.engine.state import as_bytes
from tarock_env.envs.single_seat import SingleSeatEnv
from tarock_env.envs.vector import TarockVectorEnv
from tarock_env.jit import PACKAGE, kernel_sources
from tarock_env.view import observe

#: kernels that take arrays, but are called by other kernels only, which are checked with them
INNER = {"tarock_env.engine.masks.draw_from_mask", "tarock_env.engine.masks.write_mask"}


def entries() -> Iterator[tuple[str, Any]]:
    """All entries by their full names."""
    for path in kernel_sources():
        module = importlib.import_module(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
        for name, member in vars(module).items():
            plain = getattr(member, "py_func", None)
            if plain is not None and plain.__module__ == module.__name__ and takes_arrays(plain):
                yield f"{module.__name__}.{name}", member


def takes_arrays(function: Callable[..., Any]) -> bool:
    """Whether some parameter is an array."""
    return any("ndarray" in str(p.annotation) for p in inspect.signature(function).parameters.values())


def engine_calls(name: str, n: int, digest: Any) -> None:
    """Sessions with all policies, step by step and in slices, and everything that is read off states."""
    for engine in (tarock_env.make(name), tarock_env.make(name, threads=2)):
        for policy in ("balanced", "random", "uniform"):
            state = engine.reset(n, seed=2026, hands=2)
            for _ in range(2):
                start, log = engine.copy(state), engine.new_log(n)
                while not state["done"].all():
                    mask = engine.legal(state)
                    digest.update(encode(engine, observe(engine, state)).tobytes() + encode_full(engine, state).tobytes())
                    digest.update(encode_packed(engine, state)[0].tobytes() + mask.tobytes())
                    engine.step(state, engine.sample(mask, engine.keys(state)), log)
                    engine.playout(state, policy, log=log, limit=3)
                for row in np.flatnonzero(~start["done"])[:1]:
                    assert records.verify(records.write(engine, start, log, int(row), legal=True)) == []
                digest.update(as_bytes(state).tobytes())
                engine.next_hand(state)
        engine.fine(state, 0, 0, 2)


def agent_calls(name: str, n: int, digest: Any) -> None:
    """All agents, by their views and compiled, alone and against one another; a duplicate match."""
    engine = tarock_env.make(name)
    agents = [base.make(spec, engine) for spec in ("heuristic", "random", "uniform")]
    for agent in agents:
        state = engine.reset(n, seed=3)
        keys = engine.hand_keys(state)
        for _ in range(12):
            actions = agent.act(observe(engine, state), engine.legal(state), engine.keys(state))
            engine.step(state, np.where(state["done"], 0, actions))
        play_hands(engine, state, [agent])
        digest.update(as_bytes(state).tobytes() + keys.tobytes())
    agents[0].playout(engine.reset(n, seed=4), NO_LOG)  # type: ignore[attr-defined]
    digest.update(play(engine, agents[0], agents[1], max(n // 4, 2), 1).differences.tobytes())


def learner_calls(name: str, n: int, digest: Any) -> None:
    """A little training from a clone, with a pool, and the policy that it leaves."""
    engine = tarock_env.make(name)
    config = TrainConfig(
        ruleset=name, decisions=10**6, hands=n, width=8, minibatch=128, evaluations=0, pool_share=0.5, pool_every=1,
        warm_start="heuristic", clone_hands=n, precision="fp32", pool_heuristic=True,
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        Trainer(config, Path(folder), engine, threads=1).run(3)
        for spec in (f"ppo:{folder}", f"ppo:{folder}?sample"):
            state = engine.reset(n, seed=5)
            play_hands(engine, state, [base.make(spec, engine)])
            assert state["done"].all()


def env_calls(name: str, n: int, digest: Any) -> None:
    """Games in all environments."""
    aec, single, vector = tarock_v0.env(name), SingleSeatEnv(name), TarockVectorEnv(n, name)
    aec.reset(seed=1)
    for agent in aec.agent_iter():
        observation, _, termination, _, _ = aec.last()
        aec.step(None if termination else int(observation["action_mask"].argmax()))  # type: ignore[index]
        digest.update(agent.encode())
    told, _ = single.reset(seed=1)
    over = False
    while not over:
        told, _, over, _, _ = single.step(int(told["action_mask"].argmax()))
    seen, _ = vector.reset(seed=1)
    for _ in range(60):
        seen, rewards, _, _, _ = vector.step(seen["action_mask"].argmax(axis=1))
        digest.update(rewards.tobytes() + seen["observation"].tobytes())


def main(n: int) -> None:
    """A line for each ruleset; an error if an entry was not called."""
    for name in tarock_env.available():
        digest = hashlib.sha256()
        for calls in (engine_calls, agent_calls, learner_calls, env_calls):
            calls(name, n, digest)
        print(name, digest.hexdigest(), flush=True)
    reached = {name: bool(entry.signatures) for name, entry in entries() if name not in INNER}
    left = sorted(name for name, called in reached.items() if not called)
    print(f"{sum(reached.values())} of {len(reached)} entries called; not called: {', '.join(left) or 'none'}")
    sys.exit(1 if left else 0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
