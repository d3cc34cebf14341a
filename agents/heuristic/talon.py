"""Taking talon cards and laying cards away. Source: public advice, see docs/heuristics.md."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import (
    HONOURS,
    KINGS,
    ONE,
    SUITS,
    T1,
    T4,
    THIRDS,
    ZERO,
    C,
    has,
    lowest,
    popcount,
    suit_of,
)
from tarock_env.codes import NONE
from tarock_env.jit import kernel

STECHER = T1 + 15  #: T16, the lowest trump that is called high


@kernel
def take_group(v: Any, r: Any) -> int:
    """The group with the best cards."""
    best, best_score = lowest(v.legal_calls), -1.0
    rest = v.legal_calls
    takes = r.takes[v.contract]
    while rest != ZERO:
        call = lowest(rest)
        rest &= rest - ONE
        score = 0.0
        first = takes * np.int64(r.action_arg[call])
        for i in range(first, first + takes):
            if v.talon[i] != NONE:
                score += take_value(v, r, np.int64(v.talon[i]))
        if score > best_score:
            best, best_score = call, score
    return C + best


@kernel
def take_value(v: Any, r: Any, card: Any) -> float:
    """Honours before high trumps before kings before trumps before points; the called king, and cards of its suit."""
    value = 3.0 * THIRDS[card] / 3.0
    if has(HONOURS, card):
        value = 40.0
    elif card >= STECHER:
        value = 26.0
    elif card >= T1:
        value = 13.0 + (3.0 if card <= T4 else 0.0)
    elif has(KINGS, card):
        value = 24.0
    if v.called >= 0 and suit_of(card) == v.called:
        value += 30.0 if card & 7 == 7 else 4.0
    if r.colour[v.contract] != 0 and card >= T1:
        value = 1.0
    return value


@kernel
def discard(v: Any, r: Any) -> int:
    """The card that is best laid away."""
    best, best_score = lowest(v.legal_cards), -1e9
    rest = v.legal_cards
    while rest != ZERO:
        card = lowest(rest)
        rest &= rest - ONE
        score = bank_points(v, card) + make_void(v, card) - keep_guards(v, card) - keep_trumps(v, card)
        if score > best_score:
            best, best_score = card, score
    return best


@kernel
def bank_points(v: Any, card: int) -> float:
    """Queens and knights are safe once they are laid away."""
    return 1.0 * THIRDS[card]


@kernel
def make_void(v: Any, card: int) -> float:
    """Short suits go entirely, to ruff them later."""
    if card >= T1:
        return 0.0
    mine = v.hand & SUITS[suit_of(card)]
    left = np.int64(v.to_discard)
    length = popcount(mine)
    return 4.0 * (4 - length) if length <= left and mine & KINGS == ZERO else 0.0


@kernel
def keep_guards(v: Any, card: int) -> float:
    """A king keeps its guard; the called suit keeps a card that leads to the partner."""
    if card >= T1:
        return 0.0
    suit = suit_of(card)
    mine = v.hand & SUITS[suit]
    cost = 0.0
    if mine & KINGS != ZERO:
        cost += 6.0
    if v.called == suit and popcount(mine) == 1:
        cost += 8.0
    return cost


@kernel
def keep_trumps(v: Any, card: int) -> float:
    """Trumps are laid away only if need be, the small ones above the birds first."""
    if card < T1:
        return 0.0
    return 20.0 + 0.2 * (card - T1) + (6.0 if card <= T4 else 0.0)
