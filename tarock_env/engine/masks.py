"""Rows of a mask, one byte an action, and the sets of bits that they stand for: eight actions at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import ZERO, C, nth, popcount
from tarock_env.codes import NONE
from tarock_env.engine.chance import below
from tarock_env.jit import kernel, leaf, load_word, store_word, wrapping_multiply

_SEVEN_COPIES = np.uint64(0x0002040810204081)
_LOWEST_BITS = np.uint64(0x0101010101010101)
_GATHER = np.uint64(0x0102040810204080)
_BYTE, _S7, _S56 = np.uint64(0xFF), np.uint64(7), np.uint64(56)


def among(actions: np.ndarray, cards: np.ndarray, calls: np.ndarray) -> np.ndarray:
    """Which actions are legal where those are the legal ones, bool (B,); numbers that are no action are not.

    Args:
        actions: int64 (B,). cards, calls: uint64 (B,), as in a state.
    """
    is_card = actions < C
    shift = np.where(is_card, actions, actions - C)
    inside = (shift >= 0) & (shift < 64)
    bits = np.where(is_card, cards, calls) >> np.where(inside, shift, 0).astype(np.uint64)
    return np.asarray(inside & (bits & np.uint64(1) == 1))


@leaf("uint64(uint64)")
def spread(bits: Any) -> Any:
    """Bit i of the lowest eight as byte i, 0 or 1: seven copies of the bits, 7 places apart, put bit i at place 8 i."""
    low = np.uint64(bits) & _BYTE
    return ((low & np.uint64(0x7F)) * _SEVEN_COPIES & _LOWEST_BITS) | (low >> _S7) << _S56


@leaf("uint64(uint64)")
def gathered(word: Any) -> Any:
    """The lowest bit of byte i as bit i: the inverse of `spread`, through the top byte of a product."""
    return wrapping_multiply(np.uint64(word) & _LOWEST_BITS, _GATHER) >> _S56


@kernel
def write_mask(flat: np.ndarray, row: Any, n: Any, cards: Any, calls: Any) -> None:
    """Row `row` of a mask with n >= 72 columns: the card actions, then the others. flat: bool (B * n,)."""
    start = row * n
    first = cards | calls << np.uint64(C)  # actions 0 … 63
    rest = calls >> np.uint64(64 - C)
    for at in range(0, 64, 8):
        store_word(flat, start + at, spread(first >> np.uint64(at)))
    for at in range(64, n - 8, 8):
        store_word(flat, start + at, spread(rest >> np.uint64(at - 64)))
    store_word(flat, start + n - 8, spread(rest >> np.uint64(n - 8 - 64)))  # may write some columns twice


@kernel
def draw_from_mask(flat: np.ndarray, row: Any, n: Any, key: Any) -> Any:
    """A uniformly drawn set column of row `row` of a mask with n >= 72 columns, flat: bool (B * n,); -1 in an empty row."""
    start = row * n
    first, rest = ZERO, ZERO
    for at in range(0, 64, 8):
        first |= gathered(load_word(flat, start + at)) << np.uint64(at)
    for at in range(64, n - 8, 8):
        rest |= gathered(load_word(flat, start + at)) << np.uint64(at - 64)
    rest |= gathered(load_word(flat, start + n - 8)) << np.uint64(n - 8 - 64)
    here, there = popcount(first), popcount(rest)
    if here + there == 0:
        return NONE
    i = below(key, here + there)
    return nth(first, i) if i < here else 64 + nth(rest, i - here)
