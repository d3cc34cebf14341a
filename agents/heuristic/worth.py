"""What cards are worth: to the side that takes them, and to the player who keeps them.

Source: public advice, see docs/heuristics.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import (
    HONOURS,
    KINGS,
    ONE,
    SUITS,
    T1,
    T21,
    THIRDS,
    TRUMPS,
    ZERO,
    above,
    bit,
    has,
    lowest,
    popcount,
    suit_of,
    thirds_in,
)
from tarock_env.codes import Payment, Predicate
from tarock_env.engine.play import announced_card
from tarock_env.engine.seats import place_of
from tarock_env.engine.state import SEATS
from tarock_env.jit import kernel

#: how much the chance to win the game rises with a third, times two for winning instead of losing
GAME_SLOPE = 0.027
WINNING_THIRDS = 107


@kernel
def score_per_third(v: Any, r: Any) -> float:
    """What a third is worth in score: the game hangs on it, and in some games every point counts by itself."""
    k = v.contract
    direct = r.difference[k] != 0 or r.payment == Payment.POSITIVE
    return GAME_SLOPE * max(1.0, float(r.value[k] + r.basic)) + (1.0 / 3.0 if direct else 0.0)


@kernel
def note_points(v: Any, r: Any, m: Any) -> None:
    """Once the game is decided, card points hardly matter any more: stop paying for tricks."""
    m.per_third = score_per_third(v, r)
    m.points_matter = 1.0
    direct = r.difference[v.contract] != 0 or r.payment == Payment.POSITIVE
    if not direct and (side_has_won(v, r, 1) or side_has_won(v, r, -1)):
        m.points_matter = 0.2
    m.table = worth_of(v, r, m, v.trick)


@kernel
def side_has_won(v: Any, r: Any, side: int) -> bool:
    """Whether the cards known to lie with a side decide the game."""
    cards = v.discards if side == 1 else ZERO
    for s in range(SEATS):
        if v.sides[s] == side and place_of(v, r, s) < r.n:
            cards |= v.won[s]
    return thirds_in(cards) >= (WINNING_THIRDS if side == 1 else 210 - WINNING_THIRDS + 1)


@kernel
def bonus_points(v: Any, r: Any, predicate: int, card: int) -> float:
    """What the bonuses of a kind that hang on one card are worth in score."""
    total = 0.0
    for b in range(1, r.n_bonuses + 1):
        if (r.scores_bonus[v.contract] >> np.uint64(b)) & ONE == ZERO or r.predicate[b] != predicate:
            continue
        if predicate == Predicate.CAPTURES_KING or has(r.bonus_cards[b], card):
            total += r.bonus_value[b] * r.bonus_factor[v.contract]
    return total


@kernel
def extra_worth(v: Any, r: Any, m: Any, card: int) -> float:
    """What capturing a card brings beside its points, in thirds: the Mond, the trull, the kings, the called king."""
    score = 0.0
    if card == T21:
        score += 0.5 * (bonus_points(v, r, Predicate.CAPTURES.value, card) + r.mond_fine * r.mond_live[v.contract])
    if has(HONOURS | KINGS, card):
        score += 0.4 * bonus_points(v, r, Predicate.HOLDS.value, card)
    if v.called >= 0 and card == 8 * v.called + 7:
        score += 0.5 * bonus_points(v, r, Predicate.CAPTURES_KING.value, card)
    return min(score / m.per_third, 40.0)


@kernel
def worth(v: Any, r: Any, m: Any, card: int) -> float:
    """What a card in a trick is worth to the side that takes it, in thirds."""
    points = float(THIRDS[card]) * m.points_matter
    if card >= T21 or card == T1 or has(KINGS, card):
        points += extra_worth(v, r, m, card)
    return points


@kernel
def worth_of(v: Any, r: Any, m: Any, cards: Any) -> float:
    """What some cards are worth together."""
    total = 0.0
    rest = cards
    while rest != ZERO:
        total += worth(v, r, m, lowest(rest))
        rest &= rest - ONE
    return total


@kernel
def keep(v: Any, r: Any, m: Any, card: int) -> float:
    """What a card is worth if it is kept for later, in thirds."""
    value = kept_for_ultimo(v, r, card)
    if card >= T1:
        return value + (keep_trump(v, m, card) + companions(v, r, m) if r.colour[v.contract] == 0 else 0.0)
    return value + keep_suit(v, m, card)


@kernel
def keep_trump(v: Any, m: Any, card: int) -> float:
    """Trumps are kept by how many hidden trumps they beat; the Pagat is better brought home while that is cheap."""
    if card == T1:
        return m.keep_pagat
    if m.trumps_out == 0:
        return m.keep_trump
    higher = popcount(m.hidden & TRUMPS & above(card))
    power = (m.trumps_out - higher) / m.trumps_out
    return m.keep_trump + m.keep_power * power * power + (m.keep_top if higher == 0 else 0.0)


@kernel
def keep_suit(v: Any, m: Any, card: int) -> float:
    """Kings and queens wait for a safe trick with a guard beside them; a lone small card goes, to make a void."""
    mine = v.hand & SUITS[suit_of(card)]
    count = popcount(mine)
    rank = card & 7
    if rank == 7:
        return m.keep_king
    if rank == 6:
        return m.keep_queen if not has(m.hidden, card + 1) else 0.0
    if count == 1:
        return -m.clear_suit if v.hand & TRUMPS != ZERO else 0.0
    if count == 2 and popcount(mine & ~bit(card)) == 1 and lowest(mine & ~bit(card)) & 7 >= 6:
        return m.keep_guard
    return 0.0


@kernel
def kept_for_ultimo(v: Any, r: Any, card: int) -> float:
    """An announced card waits for its trick, and is played to it."""
    for side in range(2):
        for b in range(1, r.n_bonuses + 1):
            if v.announced[side, b] == 0 or announced_card(v, r, b) != card:
                continue
            if (side == 0) != (v.sides[v.seat] == 1):
                continue
            due = r.n_tricks - 1 - r.trick_from_end[b]
            if v.trick_no < due:
                return 60.0
            if v.trick_no == due:
                return -60.0
    return 0.0


@kernel
def companions(v: Any, r: Any, m: Any) -> float:
    """Beside an announced small trump every other trump is worth more: the last trumps decide the last tricks."""
    side = 0 if v.sides[v.seat] == 1 else 1
    for b in range(1, r.n_bonuses + 1):
        card = announced_card(v, r, b)
        if v.announced[side, b] != 0 and card >= T1 and has(v.hand, card):
            return m.ultimo_trumps
    return 0.0
