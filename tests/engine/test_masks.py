"""Rows of masks written and read eight columns at a time, against the plain way."""

from __future__ import annotations

import numpy as np
import pytest

import tarock_env
from tarock_env.cards import ALL
from tarock_env.engine.batch import Engine
from tarock_env.engine.chance import below
from tarock_env.engine.loops import sample_mask
from tarock_env.engine.masks import among, gathered, spread, write_mask

RULESETS = tarock_env.available()


def drawn_sets(columns: int, n: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Sets of card and of other actions, uint64 (n,) each: random ones, empty ones, full ones, the outermost bits."""
    rng = np.random.default_rng(columns)
    calls = np.uint64((1 << (columns - 54)) - 1)
    some = rng.integers(0, 1 << 64, (2, n), np.uint64) & rng.integers(0, 1 << 64, (2, n), np.uint64)
    cards, others = some[0] & ALL, some[1] & calls
    cards[:4], others[:4] = [0, ALL, 1, 1 << 53], [0, calls, 1, 1 << (columns - 55)]
    return cards, others


def plain_mask(cards: np.ndarray, calls: np.ndarray, columns: int) -> np.ndarray:
    bits = [(int(a) | int(b) << 54) for a, b in zip(cards, calls, strict=True)]
    return np.array([[row >> a & 1 for a in range(columns)] for row in bits], bool)


def test_spread_and_gathered_undo_each_other() -> None:
    for bits in range(256):
        word = int(spread(np.uint64(bits)))
        assert word == sum((bits >> i & 1) << 8 * i for i in range(8))
        assert int(gathered(np.uint64(word))) == bits
        assert int(spread(np.uint64(bits | 0xABCD00))) == word, "only the lowest eight bits count"
        assert int(gathered(np.uint64(word | 0xFEFEFEFEFEFEFEFE))) == bits, "only the lowest bit of a byte counts"


@pytest.mark.parametrize("columns", [72, 73, 74, 79, 80, 85, 94, 110, 116, 118])
def test_rows_hold_their_sets_and_nothing_is_written_beside_them(columns: int) -> None:
    cards, calls = drawn_sets(columns)
    n = len(cards)
    flat = np.full((n + 2) * columns, 7, np.uint8)
    for row in range(n):
        write_mask(flat.view(bool), row + 1, columns, cards[row], calls[row])
    mask = flat.reshape(n + 2, columns)
    assert np.array_equal(mask[1:-1], plain_mask(cards, calls, columns).astype(np.uint8))
    assert (mask[0] == 7).all()
    assert (mask[-1] == 7).all()


def test_an_action_is_among_the_legal_ones_where_its_bit_is_set_and_numbers_that_are_none_never() -> None:
    cards, calls = drawn_sets(118)
    mask = plain_mask(cards, calls, 118)
    least, most = -(1 << 63), (1 << 63) - 1
    for action in (*range(118), -1, -54, -64, least, 118, 119, 182, most):
        wanted = mask[:, action] if 0 <= action < 118 else np.zeros(len(mask), bool)
        found = among(np.full(len(mask), action, np.int64), cards, calls)
        assert found.dtype == bool
        assert np.array_equal(found, wanted), action


@pytest.mark.parametrize("columns", [72, 74, 80, 85, 94, 116])
def test_a_draw_takes_the_set_column_that_its_key_counts_to(columns: int) -> None:
    mask = plain_mask(*drawn_sets(columns), columns)
    keys = np.random.default_rng(1).integers(0, 1 << 64, len(mask), np.uint64)
    actions = np.empty(len(mask), np.int64)
    sample_mask(mask, keys, actions)
    for row, key, action in zip(mask, keys, actions, strict=True):
        choice = np.flatnonzero(row)
        assert action == (choice[below(key, len(choice))] if len(choice) else 0)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_step_fills_the_mask_of_the_next_decisions(ruleset: str) -> None:
    engine = tarock_env.make(ruleset)
    state = engine.reset(64, seed=3)
    mask = engine.legal(state)
    while not state["done"].all():
        engine.step(state, engine.sample(mask, engine.keys(state)), mask=mask)
        assert np.array_equal(mask, engine.legal(state))
        assert not mask[state["done"]].any()


def _read_only(mask: np.ndarray) -> np.ndarray:
    mask.setflags(write=False)
    return mask


def test_a_mask_that_does_not_fit_is_refused_and_nothing_changes() -> None:
    engine = Engine(tarock_env.load("koenigrufen_pagat"))
    state = engine.reset(2, seed=1)
    before, actions = state.tobytes(), engine.sample(engine.legal(state), engine.keys(state))
    wide = np.zeros((2, 2 * engine.A), bool)[:, ::2]
    for bad in (
        np.zeros((2, engine.A), np.int8), np.zeros((1, engine.A), bool), np.zeros((2, engine.A - 1), bool), wide,
        np.zeros(2 * engine.A, bool), _read_only(np.zeros((2, engine.A), bool)), [[True]],
    ):  # fmt: skip
        with pytest.raises(ValueError, match=rf"mask is .*; allowed: writable, contiguous bool \(2, {engine.A}\)"):
            engine.step(state, actions, mask=bad)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="out is"):
            engine.legal(state, out=bad)  # type: ignore[arg-type]
    assert state.tobytes() == before
