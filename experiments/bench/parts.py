"""What the time of larger rows goes into, measured alone: docs/speed.md adds these up to say what bounds a row."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.bench.clock import Size, Stopwatch, Timed, timed
from experiments.bench.games import midway
from experiments.bench.play_alone import at_first_card
from tarock_env.engine import loops
from tarock_env.engine.batch import Engine

REPEATS = 20
PLAYS_BUT_ONE = 47  #: cards of a hand for four, before the one that ends and settles it


def dealing(engine: Engine, size: Size) -> Timed:
    """Hands dealt."""
    return timed(size.batch, lambda: engine.reset(size.batch, 1))


def first_card(engine: Engine, size: Size, limit: int) -> Timed:
    """Decisions from the first card on in random hands, by the policy `uniform`, at most `limit` a hand."""
    state = at_first_card(engine, engine.reset(size.batch, 1))
    state = engine.take(state, np.flatnonzero(~state["done"]))
    with Stopwatch() as watch:
        made = engine.playout(state, "uniform", limit=limit)
    return watch.timed(made, len(state))


def cards(engine: Engine, size: Size) -> Timed:
    """Cards played, all but the last of a hand, so that no hand but those that end early is settled."""
    return first_card(engine, size, PLAYS_BUT_ONE)


def legal(engine: Engine, size: Size) -> Timed:
    """Masks of rows in the middle of their hands."""
    state = midway(engine, size.batch)
    mask = engine.legal(state)
    return _often(size, lambda: engine.legal(state, mask))


def keys(engine: Engine, size: Size) -> Timed:
    """Keys of decisions."""
    state = midway(engine, size.batch)
    return _often(size, lambda: engine.keys(state))


def sample(engine: Engine, size: Size) -> Timed:
    """Actions drawn from masks."""
    state = midway(engine, size.batch)
    mask, drawn = engine.legal(state), engine.keys(state)
    return _often(size, lambda: engine.sample(mask, drawn))


def step(engine: Engine, size: Size) -> Timed:
    """Steps of rows in the middle of their hands."""
    state, watch = midway(engine, size.batch), Stopwatch()
    actions = engine.sample(engine.legal(state), engine.keys(state))
    for _ in range(REPEATS):
        again = engine.copy(state)
        with watch:
            engine.step(again, actions)
    return watch.timed(REPEATS * size.batch)


def unpacking(engine: Engine, size: Size) -> Timed:
    """Packed observations spread into float32."""
    from tarock_env.encoding import encode_packed, layout, unpacked

    features = layout(engine.ruleset).F
    words, out = encode_packed(engine, midway(engine, size.batch))[0], np.empty((size.batch, features), np.float32)
    return _often(size, lambda: unpacked(words, features, out))


def empty_call(engine: Engine, size: Size) -> Timed:
    """Calls from Python of a kernel that has next to nothing to do: the keys of one row."""
    state, out = engine.reset(1, 0), np.empty(1, np.uint64)

    def play() -> None:
        for _ in range(size.steps):
            loops.fill_decision_keys(state, 1, out)

    return timed(size.steps, play)


def _often(size: Size, work: Any) -> Timed:
    def play() -> None:
        for _ in range(REPEATS):
            work()

    return timed(REPEATS * size.batch, play)
