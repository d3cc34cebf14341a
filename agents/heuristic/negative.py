"""Contracts about a number of tricks, and those in which everybody avoids card points.

Source: public advice, see docs/heuristics.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.heuristic.counting import equal_below, i_win, is_top
from tarock_env.cards import ONE, SUITS, T1, THIRDS, TRUMPS, ZERO, above, bit, has, lowest, popcount, suit_of, thirds_in
from tarock_env.engine.seats import following
from tarock_env.jit import kernel


@kernel
def danger(v: Any, m: Any, card: int) -> float:
    """How likely a card takes a trick later, 0 to 1: the share of hidden cards of its suit that it beats."""
    suit = SUITS[suit_of(card)]
    out = popcount(m.hidden & suit)
    lower = out - popcount(m.hidden & suit & above(card))
    share = (lower + 0.5) / (out + 1.0)
    return share if card >= T1 else 0.8 * share


@kernel
def count_tricks(v: Any, r: Any, m: Any) -> int:
    """A card in a contract about an exact number of tricks."""
    wanted = r.target[v.contract] - v.tricks[v.declarer]
    if v.seat == v.declarer:
        return take_planned(v, r, m) if wanted > 0 else lose_trick(v, r, m)
    return make_him_win(v, r, m)


@kernel
def take_planned(v: Any, r: Any, m: Any) -> int:
    """The declarer still needs a trick: he takes it with a card that nobody can beat, else plays on losing the rest."""
    best, best_score = lowest(v.legal_cards), -1e9
    wanted = np.int64(r.target[v.contract]) - np.int64(v.tricks[v.declarer])
    rest = v.legal_cards
    while rest != ZERO:
        card = lowest(rest)
        rest &= rest - ONE
        chance = i_win(v, r, m, card)
        score = chance + 0.3 * danger(v, m, card) if chance > 0.85 else 0.5 - chance + 0.4 * danger(v, m, card)
        score -= 0.6 if is_last_winner(v, m, card, wanted) and chance < 0.5 else 0.0
        if score > best_score:
            best, best_score = card, score
    return best


@kernel
def is_last_winner(v: Any, m: Any, card: int, wanted: Any) -> bool:
    """Whether the card is one of the few with which a needed trick can be made."""
    tops = 0
    rest = v.hand
    while rest != ZERO:
        tops += 1 if is_top(m, lowest(rest)) else 0
        rest &= rest - ONE
    return is_top(m, card) and tops <= wanted


@kernel
def lose_trick(v: Any, r: Any, m: Any) -> int:
    """The declarer must not win: the most dangerous card that loses the trick, else the one most easily beaten."""
    best, best_score = lowest(v.legal_cards), -1e9
    rest = v.legal_cards
    while rest != ZERO:
        card = lowest(rest)
        rest &= rest - ONE
        score = danger(v, m, card) - 6.0 * i_win(v, r, m, card)
        if score > best_score:
            best, best_score = card, score
    return best


@kernel
def declarer_follows(v: Any, r: Any) -> bool:
    """Whether the declarer has still to play to this trick."""
    seat = following(v, r, np.int64(v.seat))
    for _ in range(r.n - v.trick_n - 1):
        if seat == v.declarer:
            return True
        seat = following(v, r, seat)
    return False


@kernel
def make_him_win(v: Any, r: Any, m: Any) -> int:
    """An opponent plays low before the declarer and out of short suits; after him he gets rid of high cards."""
    before = declarer_follows(v, r)
    best, best_score = lowest(v.legal_cards), -1e9
    rest = v.legal_cards
    while rest != ZERO:
        card = lowest(rest)
        rest &= rest - ONE
        if v.trick_n == 0:
            score = attack(v, m, card)
        else:
            score = -danger(v, m, card) if before else danger(v, m, card)
        if score > best_score:
            best, best_score = card, score
    return best


@kernel
def attack(v: Any, m: Any, card: int) -> float:
    """A lead against a declarer who avoids tricks: a low card of a suit that he still has and others hold higher."""
    suit = suit_of(card)
    void = (np.int64(v.voids[v.declarer]) >> suit) & 1 == 1
    if m.open[v.declarer] != ZERO:
        theirs = m.open[v.declarer] & SUITS[suit]
        if theirs == ZERO:
            return -1.0 - danger(v, m, card)
        return 1.0 - danger(v, m, card) if card < lowest(theirs) else -danger(v, m, card)
    return -danger(v, m, card) - (1.0 if void else 0.0)


@kernel
def avoid_points(v: Any, r: Any, m: Any) -> int:
    """Everybody for himself: no tricks with points; under another's trick the costly and the dangerous cards go."""
    table = thirds_in(v.trick)
    to_come = (r.n - v.trick_n - 1) * 4.0
    best, best_score = lowest(v.legal_cards), -1e9
    rest = v.legal_cards
    while rest != ZERO:
        card = lowest(rest)
        rest &= rest - ONE
        if equal_below(v, card) and v.trick_n == 0:
            continue
        win = i_win(v, r, m, card)
        score = -win * (table + THIRDS[card] + to_come) + (1.0 - win) * 0.5 * THIRDS[card]
        score += (m.unload_lead if v.trick_n == 0 else m.unload) * danger(v, m, card)
        score += pagat_risk(v, m, card) + guard_king(v, m, card)
        if score > best_score:
            best, best_score = card, score
    return best


@kernel
def pagat_risk(v: Any, m: Any, card: int) -> float:
    """The Pagat counts high but takes few tricks: it goes as soon as it may under a higher trump."""
    return 4.0 if card == T1 and v.trick & TRUMPS != ZERO else 0.0


@kernel
def guard_king(v: Any, m: Any, card: int) -> float:
    """A low card beside a king is kept, unless it is led so that the king can be ruffed in the second round."""
    king = bit(card | 7) if card < T1 else ZERO
    mine = v.hand & SUITS[suit_of(card)]
    return (
        -2.0
        if card < T1 and v.hand & king != ZERO and popcount(mine) == 2 and v.trick_n > 0 and not has(king, card)
        else 0.0
    )
