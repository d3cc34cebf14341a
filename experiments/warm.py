"""`tarock warm`: compile every kernel once, in one process, before tests or workers start side by side.

What is compiled is stamped in the cache folder, whose name changes with every kernel source: a second call is quick.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from agents import ppo
from experiments import locks
from tarock_env.engine.batch import Engine
from tarock_env.jit import CACHE_FOLDER
from tarock_env.rulesets import available, load

NAME = "warm"
HELP = "compile all kernels now, so that later calls start at once"

STAMP = "warm"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--force", action="store_true", help="call all entries even if they are known to be compiled")


def run(args: argparse.Namespace) -> int:
    """Compile what is not in the cache yet, and say so."""
    if CACHE_FOLDER is None:
        print("kernels: no folder for compiled code can be written (or compilation is off); nothing is kept")
    elif not ensure(lambda text: print(text, flush=True), force=args.force):
        print("kernels: compiled")
    return 0


def _complain(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def ensure(say: Callable[[str], None] = _complain, *, force: bool = False) -> bool:
    """Compile all kernels unless that was done; one process does it, others wait. Silent when there is nothing to do.

    Returns:
        Whether there was something to do.
    """
    if CACHE_FOLDER is None or ((CACHE_FOLDER / STAMP).exists() and not force):
        return False
    with locks.holding(CACHE_FOLDER / f"{STAMP}.lock", lambda: say("kernels: another process is compiling")):
        _compile(CACHE_FOLDER / STAMP, say, force=force)
    return True


def _compile(stamp: Path, say: Callable[[str], None], *, force: bool) -> None:
    if stamp.exists() and not force:  # the other process did it
        return
    started = time.perf_counter()
    say("kernels: compiling, about a minute the first time after a change …")
    engine = Engine(load(available()[0]))
    for step in (warm_engine, warm_records, warm_agents, warm_environments, ppo.warm):
        step(engine)
    stamp.touch()
    say(f"kernels: compiled in {time.perf_counter() - started:.0f} s")


def warm_engine(engine: Engine) -> None:
    """Every entry of the engine."""
    state, log = engine.reset(2, 0, hands=2), engine.new_log(2)
    mask = engine.legal(state)
    engine.step(state, engine.sample(mask, engine.keys(state)), log)
    engine.playout(state, "random", log=log)
    engine.next_hand(state)
    threaded = Engine(engine.ruleset, threads=2)
    four = threaded.reset(4, 0)
    threaded.step(four, engine.sample(threaded.legal(four), engine.keys(four)))


def warm_records(engine: Engine) -> None:
    """What writing and verifying calls."""
    from tarock_env import record as records

    start = engine.reset(2, 0)
    log = engine.new_log(2)
    engine.playout(engine.copy(start), "random", log=log)
    records.verify_all([records.open_record(record) for record in records.write_all(engine, start, log)])


def warm_agents(engine: Engine) -> None:
    """Views, encodings, and the agents without learning."""
    from agents import base
    from agents.match import Match
    from tarock_env.encoding import encode, encode_full
    from tarock_env.view import observe

    state = engine.reset(2, 0)
    encode_full(engine, state)
    encode(engine, observe(engine, state))
    for spec in ("random", "heuristic"):
        match = Match(engine, [base.make(spec, engine)])
        match.choose(state, np.zeros(2, np.int64), engine.hand_keys(state))
        match.play(engine.copy(state), log=engine.new_log(2))


def warm_environments(engine: Engine) -> None:
    """One game of each kind."""
    from tarock_env import tarock_v0
    from tarock_env.envs.single_seat import SingleSeatEnv
    from tarock_env.envs.vector import TarockVectorEnv

    env: Any = tarock_v0.env(engine.ruleset.id)
    env.reset(seed=0)
    for agent in env.agent_iter():
        observation, _, over, _, _ = env.last()
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    for gym in (SingleSeatEnv(engine.ruleset.id), TarockVectorEnv(2, engine.ruleset.id)):
        _one_action(gym)


def _one_action(env: Any) -> None:
    observation, _ = env.reset(seed=0)
    env.step(observation["action_mask"].argmax(axis=-1))
