"""The 54 cards: ids, codes, suits, points in thirds, and the card-set operations that kernels share.

A card is an id: ``8 * suit + strength`` for the suits S C H D (0-31), ``31 + n`` for trump ``Tn`` (32-53). Within a suit
a higher id is a stronger card. A set of cards is a ``uint64`` with bit ``id`` set.

Source: rulebook of Königrufen, C2 and C3 (the same pack and the same count in all five documents).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tarock_env.jit import highest, leaf, lowest, popcount

__all__ = [
    "ALL", "C", "CODES", "HONOURS", "IDS", "KINGS", "SUIT", "SUITS", "T1", "T21", "T22", "THIRDS", "TRUMP", "TRUMPS",
    "above", "bit", "cards_in", "codes_in", "has", "highest", "ids_in", "lowest", "nth", "parse_card", "popcount",
    "set_of", "suit_of", "thirds_in",
]  # fmt: skip

C = 54
SUIT_NAMES = "SCHD"
BLACK, RED = ("7", "8", "9", "10", "J", "N", "Q", "K"), ("4", "3", "2", "1", "J", "N", "Q", "K")
CODES: tuple[str, ...] = tuple(
    [suit + rank for suit in SUIT_NAMES for rank in (BLACK if suit in "SC" else RED)] + [f"T{n}" for n in range(1, 23)]
)
IDS: dict[str, int] = {code: card for card, code in enumerate(CODES)}

TRUMP = 4  #: suit number of the trumps
T1, T2, T4, T20, T21, T22 = 32, 33, 35, 51, 52, 53

ZERO, ONE = np.uint64(0), np.uint64(1)
ALL = np.uint64((1 << C) - 1)
#: card set of each suit S C H D and of the trumps, uint64 (5,)
SUITS = np.array([0xFF << (8 * suit) for suit in range(4)] + [((1 << 22) - 1) << 32], dtype=np.uint64)
TRUMPS = np.uint64(((1 << 22) - 1) << 32)
KINGS = np.uint64(sum(1 << (8 * suit + 7) for suit in range(4)))
HONOURS = np.uint64((1 << T1) | (1 << T21) | (1 << T22))
#: card points in thirds of a game point, int64 (54,); they sum to 210
THIRDS = np.array(
    [
        13 if code[1:] == "K" or code in ("T1", "T21", "T22") else {"Q": 10, "N": 7, "J": 4}.get(code[1:], 1)
        for code in CODES
    ],
    dtype=np.int64,
)
SUIT = np.array([min(card // 8, TRUMP) for card in range(C)], dtype=np.int64)
QUEENS, KNIGHTS, JACKS = (np.uint64(sum(1 << (8 * suit + rank) for suit in range(4))) for rank in (6, 5, 4))


@leaf("uint64(int64)")
def bit(card: int) -> Any:
    """The set that holds one card."""
    return ONE << np.uint64(card)


@leaf("boolean(uint64, int64)")
def has(cards: Any, card: int) -> bool:
    """Whether the set holds the card."""
    return (np.uint64(cards) >> np.uint64(card)) & ONE != ZERO


@leaf("int64(int64)")
def suit_of(card: int) -> int:
    """0-3 for S C H D, 4 for trumps."""
    return TRUMP if card >= T1 else card >> 3


@leaf("uint64(int64)")
def above(card: int) -> Any:
    """All ids higher than the card's, whatever their suit."""
    return ~((ONE << np.uint64(card + 1)) - ONE) & ALL


@leaf("uint64(uint64)")
def _without_two(cards: Any) -> Any:
    """The set without its two lowest cards."""
    rest = np.uint64(cards) & (np.uint64(cards) - ONE)
    return rest & (rest - ONE)


@leaf("int64(uint64, int64)")
def nth(cards: Any, index: int) -> int:
    """The card with `index` smaller ones in the set (0 = lowest); the set must have more than `index` cards."""
    rest, left = np.uint64(cards), index
    while left >= 4:
        rest = _without_two(_without_two(rest))
        left -= 4
    rest = _without_two(rest) if left & 2 else rest  # selections, no branches: how many cards go is not predictable
    return lowest(rest & (rest - ONE) if left & 1 else rest)


@leaf("int64(uint64)")
def thirds_in(cards: Any) -> int:
    """Card points of a set in thirds.

    Each card counts 1; jacks 3 more, knights 6, queens 9, kings and honours 12 more.
    """
    s = np.uint64(cards)
    return (
        popcount(s)
        + 3 * popcount(s & JACKS)
        + 6 * popcount(s & KNIGHTS)
        + 9 * popcount(s & QUEENS)
        + 12 * popcount(s & (KINGS | HONOURS))
    )


@leaf("int64(int64)")
def table_points(thirds: int) -> int:
    """Card points as counted at the table, cards in threes: ``(thirds + 1) // 3``. 107 thirds are 36 points."""
    return (thirds + 1) // 3


def parse_card(code: str) -> int:
    """The id of a card code such as ``"SK"``, ``"H1"`` or ``"T22"``.

    Raises:
        ValueError: if it is no card code; the message lists the form.
    """
    if not isinstance(code, str) or code not in IDS:
        raise ValueError(f"no card {code!r}: suits S C H D with K Q N J and 10 9 8 7 (S C) or 1 2 3 4 (H D); T1 … T22")
    return IDS[code]


def set_of(codes: Iterable[str | int]) -> int:
    """The card set (a Python int) of codes or ids."""
    return sum({1 << (parse_card(code) if isinstance(code, str) else int(code)) for code in codes})


def ids_in(cards: int) -> list[int]:
    """The ids in a card set, rising."""
    value = int(cards)
    return [card for card in range(C) if value >> card & 1]


def codes_in(cards: int) -> list[str]:
    """The codes in a card set: trumps and each suit from high to low."""
    return [
        CODES[card] for card in sorted(ids_in(cards), key=lambda card: (-(card >= T1), card // 8 if card < T1 else 0, -card))
    ]


def cards_in(sets: np.ndarray) -> np.ndarray:
    """Card sets as flags: any shape ``S`` uint64 -> ``S + (54,)`` bool."""
    return ((np.asarray(sets, dtype=np.uint64)[..., None] >> np.arange(C, dtype=np.uint64)) & ONE).astype(bool)
