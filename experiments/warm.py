"""`tarock warm`: compile every kernel once, in one process, before tests or workers start side by side."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import time
from pathlib import Path

import numpy as np

import tarock_env
from agents import base
from agents.match import Match
from experiments import locks
from tarock_env import record as records
from tarock_env.encoding import encode, encode_full
from tarock_env.engine.batch import Engine
from tarock_env.jit import CACHE_FOLDER
from tarock_env.view import observe

NAME = "warm"
HELP = "compile all kernels now, so that later calls start at once"

#: modules with kernels of their own: each has ``warm(engine)``, which calls every entry once
MODULES = ("tarock_env.belief", "agents.heuristic", "agents.search")
STAMP = "warm"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--force", action="store_true", help="call all entries even if they are known to be compiled")


def run(args: argparse.Namespace) -> int:
    """Compile what is not in the cache yet."""
    if CACHE_FOLDER is None:
        print("kernels: no folder for compiled code can be written (or compilation is off); nothing is kept")
        return 0
    with locks.holding(CACHE_FOLDER / f"{STAMP}.lock", lambda: print("kernels: another process is compiling", flush=True)):
        compile_all(CACHE_FOLDER, force=args.force)
    return 0


def compile_all(folder: Path, *, force: bool = False) -> None:
    """Call every entry once, unless a stamp in the cache folder says that this was done."""
    stamp = folder / STAMP
    if stamp.exists() and not force:
        print("kernels: compiled")
        return
    started = time.perf_counter()
    print("kernels: compiling, about a minute the first time after a change …", flush=True)
    engine = tarock_env.make(tarock_env.available()[0])
    warm_engine(engine)
    warm_records(engine)
    warm_views(engine)
    for name in MODULES:
        if importlib.util.find_spec(name) is not None:
            module = importlib.import_module(name)
            if hasattr(module, "warm"):
                module.warm(engine)
    stamp.touch()
    print(f"kernels: compiled in {time.perf_counter() - started:.0f} s")


def warm_engine(engine: Engine) -> None:
    """Every entry of the engine."""
    state, log = engine.reset(2, 0), engine.new_log(2)
    mask = engine.legal(state)
    engine.step(state, engine.sample(mask, engine.keys(state)), log)
    engine.playout(state, "random", log=log)
    threaded = Engine(engine.ruleset, threads=2)
    four = threaded.reset(4, 0)
    threaded.step(four, engine.sample(threaded.legal(four), engine.keys(four)))


def warm_records(engine: Engine) -> None:
    """What writing and verifying calls."""
    start = engine.reset(2, 0)
    log = engine.new_log(2)
    engine.playout(engine.copy(start), "random", log=log)
    records.verify_all([records.open_record(record) for record in records.write_all(engine, start, log)])


def warm_views(engine: Engine) -> None:
    """Views, encodings, and the agents without knowledge."""
    state = engine.reset(2, 0)
    mask = engine.legal(state)
    encode_full(engine, state)
    encode(engine, observe(engine, state))
    agent = base.make("random", engine)
    agent.act(observe(engine, state), mask, engine.keys(state))
    match = Match(engine, [agent])
    match.choose(state, np.zeros(2, np.int64), engine.hand_keys(state))
    match.play(state, log=engine.new_log(2))
