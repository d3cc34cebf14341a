"""Calling a king. Source: public advice, see docs/heuristics.md."""

from __future__ import annotations

from typing import Any

from tarock_env.cards import KINGS, ONE, SUITS, ZERO, C, has, lowest, popcount
from tarock_env.jit import kernel


@kernel
def call_king(v: Any, r: Any) -> int:
    """ "The fourth" with three kings; else the king of the suit in which a partner's king helps most."""
    if v.legal_calls & r.fourth_calls != ZERO:
        return C + lowest(r.fourth_calls)
    best, best_score = lowest(v.legal_calls), -1000
    rest = v.legal_calls
    while rest != ZERO:
        call = lowest(rest)
        rest &= rest - ONE
        score = call_score(v, r.action_arg[call])
        if score > best_score:
            best, best_score = call, score
    return C + best


@kernel
def call_score(v: Any, suit: int) -> int:
    """A suit with a guarded queen or knight and two cards is best, a void worst; an own king only if all four are."""
    mine = v.hand & SUITS[suit]
    count = popcount(mine)
    if mine & KINGS != ZERO:
        return -500
    score = 14 if count == 2 else 9 if count == 3 else 0 if count > 3 else -10 if count == 1 else -60
    if has(mine, 8 * suit + 6):
        score += 45 if count >= 2 else 20
    elif has(mine, 8 * suit + 5):
        score += 22
    return score
