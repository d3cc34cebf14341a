"""Calling a king. Source: K3.3, K2.3, B3, D3."""

from __future__ import annotations

from typing import Any

from tarock_env.cards import KINGS, has, lowest, popcount
from tarock_env.codes import NONE
from tarock_env.engine.seats import seat_at
from tarock_env.jit import kernel

FOURTH = 4


@kernel
def king_of(suit: Any) -> Any:
    """The id of a suit's king."""
    return 8 * suit + 7


@kernel
def legal(g: Any, r: Any) -> None:
    """Any suit, the caller's own king included; "the fourth" with exactly three kings in hand."""
    g.legal_calls = r.suits_calls
    if r.fourth != 0 and popcount(g.hands[g.declarer] & KINGS) == 3:
        g.legal_calls |= r.fourth_calls


@kernel
def apply(g: Any, r: Any, suit: Any) -> None:
    """Fix the called king and, silently, its holder as the partner."""
    g.called = suit
    if suit == FOURTH:
        g.by_fourth = 1
        g.called = lowest(KINGS & ~g.hands[g.declarer]) >> 3
    g.partner = NONE
    for place in range(r.n):
        seat = seat_at(g, r, place)
        if seat != g.declarer and has(g.hands[seat], king_of(g.called)):
            g.partner = seat
