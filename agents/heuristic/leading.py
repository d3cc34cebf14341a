"""Leading to a trick in contracts won by points. Source: public advice, see docs/heuristics.md."""

from __future__ import annotations

from typing import Any

from agents.heuristic.counting import equal_below, side_wins
from agents.heuristic.worth import keep, worth
from tarock_env.cards import KINGS, ONE, SUITS, T1, T21, T22, TRUMPS, ZERO, has, lowest, popcount, suit_of
from tarock_env.jit import kernel

STRONG_TRUMPS = 5


@kernel
def lead(v: Any, r: Any, m: Any) -> int:
    """The card with the best balance of the trick, what is kept, and the plan of the player's role."""
    best, best_score = lowest(v.legal_cards), -1e9
    rest = v.legal_cards
    while rest != ZERO:
        card = lowest(rest)
        rest &= rest - ONE
        if equal_below(v, card):
            continue
        score = (2.0 * side_wins(v, r, m, card) - 1.0) * (worth(v, r, m, card) + m.lead_trick) - keep(v, r, m, card)
        score += plan(v, r, m, card)
        if score > best_score:
            best, best_score = card, score
    return best


@kernel
def plan(v: Any, r: Any, m: Any, card: int) -> float:
    """What the role of the player says about a lead, in thirds."""
    if card >= T1:
        score = pagat_stays(v, m, card) + mond_waits(m, card)
        if r.colour[v.contract] != 0:
            return score
        if v.seat == v.declarer:
            return score + draw_trumps(v, m)
        return score + (trump_back(v, m, card) if m.my_side == 1 else spare_trumps(v, m))
    if m.my_side == 1:
        return suit_of_declarers(v, m, card)
    return avoid_called_suit(v, r, m, card) + force_declarer(v, m, card) + short_lead(v, m, card)


@kernel
def pagat_stays(v: Any, m: Any, card: int) -> float:
    """The Pagat is never led while trumps are out."""
    return -40.0 if card == T1 and m.trumps_out > 0 else 0.0


@kernel
def mond_waits(m: Any, card: int) -> float:
    """The Mond is not led while the Sküs may be against it."""
    return -20.0 if card == T21 and has(m.hidden, T22) else 0.0


@kernel
def draw_trumps(v: Any, m: Any) -> float:
    """A declarer with more trumps than any opponent is likely to hold leads them, to draw the others'."""
    mine = popcount(v.hand & TRUMPS)
    if m.trumps_out == 0:
        return -m.draw_trumps
    return m.draw_trumps if mine >= STRONG_TRUMPS and 2 * mine >= m.trumps_out else 0.0


@kernel
def trump_back(v: Any, m: Any, card: int) -> float:
    """The declarer's partner leads trumps back while the opponents have some."""
    return m.lead_back if m.trumps_out > 0 and popcount(v.hand & TRUMPS) >= 3 else 0.0


@kernel
def spare_trumps(v: Any, m: Any) -> float:
    """A defender does not lead trumps: that does the declarer's work."""
    return -m.spare_trumps


@kernel
def suit_of_declarers(v: Any, m: Any, card: int) -> float:
    """The declarer's side leads a king from a long suit, not from a short one."""
    length = popcount(v.hand & SUITS[suit_of(card)])
    return -2.0 if has(KINGS, card) and length <= 2 else 0.0


@kernel
def avoid_called_suit(v: Any, r: Any, m: Any, card: int) -> float:
    """Defenders do not lead the called suit: its king waits for it."""
    if v.called < 0 or suit_of(card) != v.called or not has(m.hidden, card | 7):
        return 0.0
    return -m.called_suit


@kernel
def force_declarer(v: Any, m: Any, card: int) -> float:
    """A defender with a long suit plays it, so that the declarer has to spend trumps on it."""
    return m.force if popcount(v.hand & SUITS[suit_of(card)]) >= 4 else 0.0


@kernel
def short_lead(v: Any, m: Any, card: int) -> float:
    """A defender leads his shortest suit, to ruff it later, if the card gives little away."""
    length = popcount(v.hand & SUITS[suit_of(card)])
    return m.short_lead if length == 1 and v.hand & TRUMPS != ZERO and card & 7 < 6 else 0.0
