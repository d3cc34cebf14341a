"""What `tarock benchmark` measures: each function makes one measurement with an engine and returns one figure."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tarock_env import STATE
from tarock_env import record as records
from tarock_env.codes import NONE
from tarock_env.engine.batch import LOG_LENGTH, Engine

B = 4096
HANDS = 1024  #: where a hand is worked on one by one, or by heavier agents
ROOT = Path(__file__).resolve().parent.parent


def has(modules: Sequence[str]) -> bool:
    """Whether all these modules can be imported."""
    return all(importlib.util.find_spec(module) is not None for module in modules)


def rate(count: float, work: Callable[[], Any]) -> float:
    """How many of `count` things a second `work` does."""
    started = time.perf_counter()
    work()
    return count / (time.perf_counter() - started)


def decisions(state: np.ndarray) -> int:
    """All decisions made in these hands."""
    return int(state["n_actions"].sum(dtype=np.int64))


def midway(engine: Engine, n: int, seed: int = 0, decision: int = 30) -> np.ndarray:
    """Hands some way into the game, for what is measured on one decision."""
    state = engine.reset(n, seed)
    engine.playout(state, "random", limit=decision)
    return state


# ------------------------------------------------------------------ the engine


def playout(engine: Engine) -> float:
    """Decisions a second inside the kernel."""
    state = engine.reset(B, 1)
    seconds = 1 / rate(1, lambda: engine.playout(state, "random"))
    return decisions(state) / seconds


def playout_hands(engine: Engine) -> float:
    """Hands a second inside the kernel, deal included."""
    return rate(B, lambda: engine.playout(engine.reset(B, 1), "random"))


def stepping(engine: Engine) -> float:
    """Decisions a second from Python with mask, choice and step; a row that is over waits until all are."""
    state = engine.reset(B, 1)
    mask = engine.legal(state)

    def play() -> None:
        while not state["done"].all():
            engine.legal(state, mask)
            engine.step(state, engine.sample(mask, engine.keys(state)))

    seconds = 1 / rate(1, play)
    return decisions(state) / seconds


def single(engine: Engine) -> float:
    """Decisions a second of single games, the choice given."""
    n = 100
    start, log = engine.reset(n, 1), engine.new_log(n)
    final = engine.copy(start)
    engine.playout(final, "random", log=log)
    games = [(engine.take(start, [i]), log[i, : final["n_actions"][i], None].astype(np.int64)) for i in range(n)]
    mask = np.empty((1, engine.A), bool)

    def play() -> None:
        for state, actions in games:
            for action in actions:
                engine.legal(state, mask)
                engine.step(state, action)

    return rate(decisions(final), play)


def mix(engine: Engine) -> dict[str, Any]:
    """What kind of hands the figures speak of."""
    state, uniform = engine.reset(B, 1), engine.reset(B, 1)
    engine.playout(state, "random")
    engine.playout(uniform, "uniform")
    names = {NONE: "none", **{k: row.id for k, row in enumerate(engine.ruleset.contracts)}}
    counts = {names[k]: float((state["contract"] == k).mean()) for k in names}
    return {
        "decisions_per_hand": decisions(state) / B,
        "uniform_decisions_per_hand": decisions(uniform) / B,
        "contracts": {name: share for name, share in counts.items() if share},
    }


# ------------------------------------------------------------------ views, agents, records


def views(engine: Engine) -> float:
    """Views a second."""
    from tarock_env.view import observe

    state = midway(engine, B)
    return rate(B, lambda: observe(engine, state))


def encoding(engine: Engine) -> float:
    """Observations a second out of views."""
    from tarock_env.encoding import encode
    from tarock_env.view import observe

    seen = observe(engine, midway(engine, B))
    out = encode(engine, seen)
    return rate(B, lambda: encode(engine, seen, out))


def packing(engine: Engine) -> float:
    """Packed observations a second straight from states."""
    from tarock_env.encoding import encode_packed

    state = midway(engine, B)
    return rate(B, lambda: encode_packed(engine, state))


def random_match(engine: Engine) -> float:
    """Decisions a second of random agents."""
    return _match(engine, "random", B)


def heuristic_match(engine: Engine) -> float:
    """Decisions a second of heuristic agents."""
    return _match(engine, "heuristic", HANDS)


def _match(engine: Engine, spec: str, n: int) -> float:
    from agents import base
    from agents.match import Match

    state, match = engine.reset(n, 1), Match(engine, [base.make(spec, engine)])
    seconds = 1 / rate(1, lambda: match.play(state))
    return decisions(state) / seconds


def raw_env(engine: Engine) -> float:
    """Steps a second of the PettingZoo environment without its checks, `last()` and a given choice included."""
    from tarock_env import tarock_v0

    return _pettingzoo(tarock_v0.raw_env(engine.ruleset.id, **engine.options))


def env(engine: Engine) -> float:
    """The same with its checks."""
    from tarock_env import tarock_v0

    return _pettingzoo(tarock_v0.env(engine.ruleset.id, **engine.options))


def _pettingzoo(env: Any) -> float:
    games = max(1, HANDS // 50)
    steps = 0

    def play() -> None:
        nonlocal steps
        for seed in range(games):
            env.reset(seed=seed)
            for _ in env.agent_iter():
                observation, _, over, _, _ = env.last()
                env.step(None if over else int(observation["action_mask"].argmax()))
                steps += 1

    seconds = 1 / rate(1, play)
    return steps / seconds


def single_seat(engine: Engine) -> float:
    """Steps a second of the Gymnasium environment, the opponents' moves included."""
    from tarock_env.envs.single_seat import SingleSeatEnv

    env = SingleSeatEnv(engine.ruleset.id, **engine.options)
    steps = 2 * HANDS

    def play() -> None:
        over = True
        for i in range(steps):
            if over:
                observation, _ = env.reset(seed=i)
            observation, _, over, _, _ = env.step(int(observation["action_mask"].argmax()))

    return rate(steps, play)


def vector(engine: Engine) -> float:
    """Steps a second of the Gymnasium vector environment, all its games together."""
    from tarock_env.envs.vector import TarockVectorEnv

    env = TarockVectorEnv(HANDS, engine.ruleset.id, **engine.options)
    observation, _ = env.reset(seed=0)
    steps = 50

    def play() -> None:
        nonlocal observation
        for _ in range(steps):
            observation, *_ = env.step(observation["action_mask"].argmax(axis=1))

    return rate(steps * HANDS, play)


def ppo_training(engine: Engine) -> float:
    """Decisions learned from a second, from self-play to update, with the default networks."""
    from agents.ppo.config import TrainConfig
    from agents.ppo.trainer import Trainer

    ruleset = engine.ruleset
    config = TrainConfig(ruleset=ruleset.id, options=engine.options, decisions=1 << 40, hands=HANDS)
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(config, Path(folder), engine, threads=1)
        seconds = 1 / rate(1, lambda: trainer.run(iterations=2))
    return trainer.counters.decisions / seconds


def _played(engine: Engine, n: int) -> tuple[np.ndarray, np.ndarray]:
    state = engine.reset(n, 1)
    start, log = engine.copy(state), engine.new_log(n)
    engine.playout(state, "random", log=log)
    return start, log


def writing(engine: Engine) -> float:
    """Records a second, written to a file."""
    start, log = _played(engine, HANDS)
    with tempfile.TemporaryDirectory() as folder:
        return rate(HANDS, lambda: records.write_lines(Path(folder) / "hands.jsonl", records.write_all(engine, start, log)))


def verifying(engine: Engine) -> float:
    """Records a second, set up and compared."""
    start, log = _played(engine, HANDS)
    written = list(records.write_all(engine, start, log))
    return rate(HANDS, lambda: records.verify_all([records.open_record(record) for record in written]))


# ------------------------------------------------------------------ memory, start-up


def memory(engine: Engine) -> float:
    """Bytes of a game's state."""
    return STATE.itemsize


def log_memory(engine: Engine) -> float:
    """Bytes of a game's action log, where one is kept."""
    return LOG_LENGTH


def import_time(engine: Engine) -> float:
    """Seconds for `import tarock_env` in a new process, the start of Python left out."""
    return _seconds("import tarock_env") - _seconds("pass")


def first_playout(engine: Engine) -> float:
    """Seconds until the first batch is played out where nothing is compiled yet."""
    with tempfile.TemporaryDirectory() as folder:
        return _seconds(
            f"import tarock_env; e = tarock_env.make({engine.ruleset.id!r}); e.playout(e.reset(64, 0), 'random')", folder
        )


def everything(engine: Engine) -> float:
    """Seconds until every kernel is compiled."""
    with tempfile.TemporaryDirectory() as folder:
        return _seconds("from experiments.cli import main; main(['warm'])", folder)


def _seconds(code: str, cache: str | None = None) -> float:
    """How long a new Python process takes for some code."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = cache
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started
