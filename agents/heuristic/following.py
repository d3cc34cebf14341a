"""Following to a trick in contracts won by points. Source: public advice, see docs/heuristics.md."""

from __future__ import annotations

from typing import Any

from agents.heuristic.counting import equal_below, side_wins
from agents.heuristic.worth import keep, worth
from tarock_env.cards import ONE, ZERO, lowest
from tarock_env.jit import kernel


@kernel
def follow(v: Any, r: Any, m: Any) -> int:
    """The card that gains most: points under an ally's trick, the cheapest card that wins if the trick is worth it.

    With p the chance that one's side takes the trick, a card brings (2p - 1) times all that lies in it, less what it is
    worth if kept. Smearing, taking cheaply, ducking as second hand and playing high as third hand all follow from it.
    """
    to_come = (r.n - v.trick_n - 1) * m.smear
    best, best_score = lowest(v.legal_cards), -1e9
    rest = v.legal_cards
    while rest != ZERO:
        card = lowest(rest)
        rest &= rest - ONE
        if equal_below(v, card):
            continue
        balance = 2.0 * side_wins(v, r, m, card) - 1.0
        score = balance * (m.table + worth(v, r, m, card) + to_come) - keep(v, r, m, card)
        if score > best_score:
            best, best_score = card, score
    return best
