"""The course of logged hands: who acted at each decision, and what else was legal there."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tarock_env.cards import C, ids_in
from tarock_env.engine.batch import Engine
from tarock_env.engine.masks import among
from tarock_env.engine.state import assign


class Course(NamedTuple):
    """Logged hands, carried out. T is the longest of them."""

    final: np.ndarray  #: (B,) STATE after the last action that could be carried out
    reached: np.ndarray  #: int64 (B,), how many actions that were
    seats: np.ndarray  #: int8 (B, T), the seat at each decision
    cards: np.ndarray  #: uint64 (B, T), its legal cards
    calls: np.ndarray  #: uint64 (B, T), its other legal actions, bit = index - 54


def follow(engine: Engine, start: np.ndarray, log: np.ndarray, counts: np.ndarray | None = None) -> Course:
    """Carry out logged actions, each hand as far as it goes.

    Args:
        start: (B,) STATE, left as it is. log: uint8 (B, T) of action indices.
        counts: int (B,), how many entries of each row are filled; default: until the hand is over.

    Returns:
        The course. ``reached[i] < counts[i]`` where an action was illegal or came after the end.
    """
    state = engine.copy(start)
    limits = np.full(len(state), log.shape[1], np.int64) if counts is None else np.asarray(counts, np.int64)
    reached = np.zeros(len(state), np.int64)
    columns: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    rows = np.flatnonzero((limits > 0) & ~state["done"])
    while len(rows):
        actions = log[rows, len(columns)].astype(np.int64)
        columns.append((state["actor"].copy(), state["legal_cards"].copy(), state["legal_calls"].copy()))
        legal = among(actions, state["legal_cards"][rows], state["legal_calls"][rows])
        rows, actions = rows[legal], actions[legal]
        _step(engine, state, rows, actions)
        reached[rows] += 1
        rows = rows[(reached[rows] < limits[rows]) & ~state["done"][rows]]
    shape = (len(state), 0)
    empty = (np.zeros(shape, np.int8), np.zeros(shape, np.uint64), np.zeros(shape, np.uint64))
    seats, cards, calls = [np.stack(part, axis=1) for part in zip(*columns, strict=True)] if columns else empty
    return Course(state, reached, seats, cards, calls)


def _step(engine: Engine, state: np.ndarray, rows: np.ndarray, actions: np.ndarray) -> None:
    if len(rows) == len(state):
        engine.step(state, actions)
    elif len(rows):
        moving = engine.take(state, rows)
        engine.step(moving, actions)
        assign(state, rows, moving)


def names_of(engine: Engine, cards: Any, calls: Any) -> list[str]:
    """The names of a decision's legal actions, in the order of their indices."""
    value, rest = int(cards), int(calls)
    names = engine.actions.names
    return [names[card] for card in ids_in(value)] + [names[C + i] for i in range(rest.bit_length()) if rest >> i & 1]
