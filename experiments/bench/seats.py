"""Views, observations, agents, training and records: what works on the engine's states."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

import numpy as np

from experiments.bench.clock import Size, Stopwatch, Timed, timed
from experiments.bench.games import decisions, midway
from tarock_env import record as records
from tarock_env.engine.batch import Engine

ITERATIONS = 2  #: of training


def views(engine: Engine, size: Size) -> Timed:
    """Views."""
    from tarock_env.view import observe

    state = midway(engine, size.batch)
    return timed(size.batch, lambda: observe(engine, state))


def encoding(engine: Engine, size: Size) -> Timed:
    """Observations out of views."""
    from tarock_env.encoding import encode
    from tarock_env.view import observe

    seen = observe(engine, midway(engine, size.batch))
    out = encode(engine, seen)
    return timed(size.batch, lambda: encode(engine, seen, out))


def packing(engine: Engine, size: Size) -> Timed:
    """Packed observations straight from states."""
    from tarock_env.encoding import encode_packed

    state = midway(engine, size.batch)
    return timed(size.batch, lambda: encode_packed(engine, state))


def random_match(engine: Engine, size: Size) -> Timed:
    """Decisions of random agents."""
    return _match(engine, "random", size.batch)


def heuristic_match(engine: Engine, size: Size) -> Timed:
    """Decisions of heuristic agents."""
    return _match(engine, "heuristic", size.batch)


def _match(engine: Engine, spec: str, n: int) -> Timed:
    from agents import base
    from agents.match import Match

    state, match = engine.reset(n, 1), Match(engine, [base.make(spec, engine)])
    with Stopwatch() as watch:
        match.play(state)
    return watch.timed(decisions(state), n)


def ppo_training(engine: Engine, size: Size, threads: int = 1) -> Timed:
    """Decisions with a choice learned from, from self-play to update, with the default networks; forced ones not counted."""
    from agents.ppo.config import TrainConfig
    from agents.ppo.trainer import Trainer

    config = TrainConfig(ruleset=engine.ruleset.id, options=engine.options, decisions=1 << 40, hands=size.hands)
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(config, Path(folder), engine, threads=threads)
        with Stopwatch(threads) as watch:
            trainer.run(iterations=ITERATIONS)
    return watch.timed(trainer.counters.decisions, trainer.counters.hands)


ppo_training_two = functools.partial(ppo_training, threads=2)


def _played(engine: Engine, n: int) -> tuple[np.ndarray, np.ndarray]:
    state = engine.reset(n, 1)
    start, log = engine.copy(state), engine.new_log(n)
    engine.playout(state, "random", log=log)
    return start, log


def writing(engine: Engine, size: Size) -> Timed:
    """Records written to a file."""
    start, log = _played(engine, size.hands)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hands.jsonl"
        return timed(size.hands, lambda: records.write_lines(path, records.write_all(engine, start, log)))


def verifying(engine: Engine, size: Size) -> Timed:
    """Records set up and compared."""
    start, log = _played(engine, size.hands)
    written = list(records.write_all(engine, start, log))
    return timed(size.hands, lambda: records.verify_all([records.open_record(record) for record in written]))
