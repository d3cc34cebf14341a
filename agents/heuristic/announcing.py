"""Announcements and kontra: said where the chance is better than the price.

Source: public advice, see docs/heuristics.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.heuristic import fitted
from agents.heuristic.strength import bird_chance, high_trumps, sigmoid, trump_logit
from tarock_env.cards import KINGS, ONE, SUITS, T1, TRUMPS, ZERO, C, has, lowest, popcount
from tarock_env.codes import GAME, NONE, Objective, Predicate
from tarock_env.engine.tables import ANNOUNCE, CONTRA
from tarock_env.jit import kernel


@kernel
def speak(v: Any, r: Any, m: Any) -> int:
    """The best statement that pays, else the end of the turn; where one is owed, the likeliest."""
    may_end = v.legal_calls & r.end_calls
    best, most = NONE, 0.0 if may_end != ZERO else -1e9
    rest = v.legal_calls & ~r.end_calls
    if may_end == ZERO and v.contract != NONE and rest & r.demand_calls[v.contract] != ZERO:
        rest &= r.demand_calls[v.contract]
    while rest != ZERO:
        call = lowest(rest)
        rest &= rest - ONE
        gain = gain_of(v, r, m, call)
        if gain > most:
            best, most = call, gain
    return C + best if best != NONE else C + lowest(may_end)


@kernel
def gain_of(v: Any, r: Any, m: Any, call: int) -> float:
    """By how much a statement's chance exceeds what it needs, weighed by what is at stake."""
    item = np.int64(r.action_arg[call])
    if r.action_kind[call] == ANNOUNCE:
        factor = max(2.0, float(r.announced_factor[item]))
        return (success(v, r, item) - factor / (2.0 * factor - 1.0) - m.announce_margin) * r.bonus_value[item]
    if r.action_kind[call] == CONTRA:
        return failure(v, r, np.int64(r.action_side[call]), item) - 0.5 - m.contra_margin
    return -1.0


@kernel
def success(v: Any, r: Any, b: Any) -> float:
    """The chance that the player's side makes a bonus."""
    predicate = r.predicate[b]
    if predicate == Predicate.DECLARES_ALL or predicate == Predicate.DECLARES_TWO:
        wanted = popcount(r.bonus_cards[b]) if predicate == Predicate.DECLARES_ALL else 2
        return 1.0 if popcount(v.hand & r.bonus_cards[b]) == wanted else 0.0
    if v.sides[v.seat] != 1:
        return 0.1
    if predicate == Predicate.CARD_WINS:
        if is_trick_promised(v, r, b):
            return 0.0
        return bird_chance(r, v.hand, np.int64(r.bonus_card[b]), np.int64(r.trick_from_end[b]))
    if predicate == Predicate.HOLDS:
        return set_chance(v, r, r.bonus_cards[b])
    if predicate == Predicate.KING_IN_LAST:
        return king_chance(v)
    if predicate == Predicate.ALL_TRICKS:
        return slam_chance(v, r)
    return 0.0


@kernel
def is_trick_promised(v: Any, r: Any, b: Any) -> bool:
    """Whether the declarer's side has announced another card for the same trick: only one of them can win it."""
    for other in range(1, r.n_bonuses + 1):
        if other != b and v.announced[0, other] != 0 and r.predicate[other] == Predicate.CARD_WINS:
            if r.trick_from_end[other] == r.trick_from_end[b]:
                return True
    return False


@kernel
def set_chance(v: Any, r: Any, cards: Any) -> float:
    """The trull needs all three, or two with the Sküs and a partner; four kings need many trumps."""
    held = popcount(cards & v.hand)
    alone = r.calls_king[v.contract] == 0
    declares = v.seat == v.declarer
    if cards & KINGS == ZERO:
        x = trump_logit(v.hand, fitted.HONOUR_SET) + 1.87 * held - (0.89 if has(v.hand, T1) else 0.0)
        return sigmoid(x - (1.73 if alone else 0.0) - (2.55 if declares else 0.0))
    if held < 3:
        return 0.1
    return sigmoid(trump_logit(v.hand, fitted.KING_SET) + 0.7 * held - 1.1 - (1.3 if alone else 0.0))


@kernel
def king_chance(v: Any) -> float:
    """The called king in the last trick: its holder needs it guarded, and a few trumps with a high one."""
    if v.called < 0:
        return 0.05
    suit: Any = np.int64(v.called)
    length = popcount(v.hand & SUITS[suit])
    declares = v.seat == v.declarer
    if has(v.hand, 8 * suit + 7):
        x = trump_logit(v.hand, fitted.KING_HOLDER) + 0.75 * (length - 1)
        return sigmoid(x - (2.29 if declares else 0.0))
    return sigmoid(trump_logit(v.hand, fitted.KING_CALLER) - 0.89 * length) if declares else 0.02


@kernel
def slam_chance(v: Any, r: Any) -> float:
    """Every trick: four fifths of the hand trumps, six of them high, and kings."""
    trumps, high = popcount(v.hand & TRUMPS), high_trumps(v.hand)
    return sigmoid(-4.0 + 1.2 * (trumps - 0.8 * r.n_tricks) + 1.0 * (high - 5) + 0.8 * popcount(v.hand & KINGS))


@kernel
def failure(v: Any, r: Any, owner: Any, item: Any) -> float:
    """The chance that an item goes against its owner's side, as seen by the player who may double it."""
    mine = (v.sides[v.seat] == 1) == (owner == 0)
    if item == GAME:
        lost = game_failure(v, r)
    else:
        lost = bonus_failure(v, r, owner, item)
    return 1.0 - lost if mine else lost


@kernel
def game_failure(v: Any, r: Any) -> float:
    """The chance that the declarer loses his game: he fears a defender's voids, high trumps and kings."""
    k = v.contract
    voids = 0
    for suit in range(4):
        voids += 1 if v.hand & SUITS[suit] == ZERO else 0
    kings = popcount(v.hand & KINGS)
    if r.objective[k] != Objective.POINTS:
        return sigmoid(0.1 - 0.25 * kings - 0.55 * voids)
    alone = r.calls_king[k] == 0
    x = trump_logit(v.hand, fitted.AGAINST_ONE if alone else fitted.AGAINST_TWO) + 0.1 * kings + 0.7 * voids
    return sigmoid(x + (0.8 if r.takes[k] == 0 else 0.0))


@kernel
def bonus_failure(v: Any, r: Any, owner: Any, b: Any) -> float:
    """An announced small trump fails if it is in one's own hand, or against six trumps with two high ones."""
    predicate = r.predicate[b]
    trumps, high = popcount(v.hand & TRUMPS), high_trumps(v.hand)
    if predicate == Predicate.CARD_WINS:
        card: Any = np.int64(r.bonus_card[b])
        if has(v.hand, card):
            return 0.97
        return sigmoid(-0.8 + 0.5 * (trumps - 4) + 0.3 * (high - 1))
    if predicate == Predicate.HOLDS:
        return sigmoid(-0.6 + 1.6 * popcount(v.hand & r.bonus_cards[b]))
    if predicate == Predicate.KING_IN_LAST or predicate == Predicate.KING_WINS:
        suit = np.int64(v.called)
        return sigmoid(-1.0 + 0.5 * (popcount(v.hand & SUITS[suit]) - 2) + 0.4 * (trumps - 4)) if suit >= 0 else 0.4
    if predicate == Predicate.ALL_TRICKS:
        return sigmoid(-1.0 + 1.0 * high)
    return 0.4
