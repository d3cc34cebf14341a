"""Counting: what is out, who may hold it, who is with whom, and how likely a card holds the trick.

Source: public advice, see docs/heuristics.md (count the trumps, the honours, the court cards and the voids).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import ALL, SUITS, T1, T21, TRUMP, TRUMPS, ZERO, above, bit, has, popcount, suit_of
from tarock_env.codes import NONE, Objective
from tarock_env.engine import play
from tarock_env.engine.seats import following, place_of
from tarock_env.engine.state import SEATS
from tarock_env.jit import kernel


@kernel
def hidden_cards(v: Any) -> Any:
    """All cards that may be in another hand: not own, not played, not known to lie in the talon or the discards."""
    seen = v.hand | v.discards | v.shown
    for s in range(SEATS):
        seen |= v.played[s]
    for i in range(6):
        if v.talon[i] != NONE:
            seen |= bit(v.talon[i]) & ~v.taken
    return ALL & ~seen


@kernel
def cards_left(v: Any, r: Any, seat: int) -> int:
    """How many cards a seat still holds during the play."""
    return r.n_tricks - popcount(v.played[seat])


@kernel
def note_hands(v: Any, r: Any, m: Any) -> None:
    """For each other seat: its open hand, or the chance that it does not hold a given hidden card."""
    hidden = hidden_cards(v)
    for s in range(SEATS):
        m.open[s] = ZERO
        if s != v.seat and v.exposed[s] != ZERO and popcount(v.exposed[s]) == cards_left(v, r, s):
            m.open[s] = v.exposed[s]
            hidden &= ~v.exposed[s]
    m.hidden = hidden
    m.n_hidden = popcount(hidden)
    m.trumps_out = popcount(hidden & TRUMPS)
    for s in range(SEATS):
        sits = s != v.seat and place_of(v, r, s) < r.n and m.open[s] == ZERO
        m.miss[s] = max(0.0, 1.0 - cards_left(v, r, s) / m.n_hidden) if sits and m.n_hidden > 0 else 1.0


@kernel
def note_allies(v: Any, r: Any, m: Any) -> None:
    """For each seat the chance that it plays on the viewer's side."""
    mine = np.int64(v.sides[v.seat])
    m.my_side = mine
    share = partner_chance(v, r)
    for s in range(SEATS):
        side = np.int64(v.sides[s])
        if s == v.seat:
            m.ally[s] = 1.0
        elif mine == 0:
            m.ally[s] = 0.0
        elif side != 0:
            m.ally[s] = 1.0 if side == mine else 0.0
        else:
            partner = share if may_be_partner(v, s) else 0.0
            m.ally[s] = partner if mine == 1 else 1.0 - partner


@kernel
def may_be_partner(v: Any, seat: int) -> bool:
    """Whether a seat of unknown side can hold the called king: it has not shown to be out of that suit."""
    return v.called == NONE or (np.int64(v.voids[seat]) >> np.int64(v.called)) & 1 == 0


@kernel
def partner_chance(v: Any, r: Any) -> float:
    """The chance of each possible holder of the called king: 1/2 or 1/3 once the talon was shown without it, less before.

    Source: public advice, see docs/heuristics.md (priors by card counting).
    """
    candidates = 0
    for s in range(SEATS):
        if s != v.seat and place_of(v, r, s) < r.n and v.sides[s] == 0 and may_be_partner(v, s):
            candidates += 1
    if candidates == 0:
        return 0.0
    somewhere = 1.0 if v.talon_open == 1 else 0.86
    return somewhere / candidates


@kernel
def void_chance(v: Any, m: Any, seat: int, suit: int) -> float:
    """The chance that a seat has no card of a suit (4 = trumps)."""
    if m.open[seat] != ZERO:
        return 0.0 if m.open[seat] & SUITS[suit] != ZERO else 1.0
    if (np.int64(v.voids[seat]) >> suit) & 1 == 1:
        return 1.0
    return m.miss[seat] ** popcount(m.hidden & SUITS[suit])


@kernel
def holds_chance(v: Any, m: Any, seat: int, cards: Any, suit: int) -> float:
    """The chance that a seat holds one of some hidden cards of a suit."""
    if m.open[seat] != ZERO:
        return 1.0 if m.open[seat] & cards != ZERO else 0.0
    if (np.int64(v.voids[seat]) >> suit) & 1 == 1:
        return 0.0
    return 1.0 - m.miss[seat] ** popcount(m.hidden & cards)


@kernel
def beat_chance(v: Any, r: Any, m: Any, seat: int, best: Any, led: int) -> float:
    """The chance that a seat still to play can beat the best card of a trick of the led suit."""
    suit = suit_of(best)
    higher = holds_chance(v, m, seat, SUITS[suit] & above(best), suit)
    if led == TRUMP:
        return higher
    void = void_chance(v, m, seat, led)
    if suit == TRUMP:
        return void * higher
    if r.colour[v.contract] != 0:
        return higher
    return min(1.0, void * (1.0 - void_chance(v, m, seat, TRUMP)) + higher)


@kernel
def takes_lead(v: Any, r: Any, card: int) -> bool:
    """Whether the card would be the best of the trick so far."""
    return v.trick_n == 0 or play.winning_cards(v, r) & bit(card) != ZERO


@kernel
def leader_of_trick(v: Any, r: Any) -> int:
    """The seat whose card is the best of the trick so far."""
    return play.player_of(v, play.taker(v, r))


@kernel
def side_wins(v: Any, r: Any, m: Any, card: int) -> float:
    """The chance that the viewer's side takes the trick if he plays the card: later enemies beat it if they can."""
    led = suit_of(card) if v.trick_n == 0 else play.led_suit(v)
    takes = takes_lead(v, r, card)
    best = card if takes else np.int64(v.best)
    chance = 1.0 if takes else m.ally[leader_of_trick(v, r)]
    seat = following(v, r, np.int64(v.seat))
    for _ in range(r.n - v.trick_n - 1):
        beats = beat_chance(v, r, m, seat, best, led)
        ally = m.ally[seat]
        chance = chance * (1.0 - beats * (1.0 - ally)) + (1.0 - chance) * beats * ally * m.ally_takes
        seat = following(v, r, seat)
    return chance


@kernel
def i_win(v: Any, r: Any, m: Any, card: int) -> float:
    """The chance that the viewer himself takes the trick with the card."""
    if not takes_lead(v, r, card):
        return 0.0
    led = suit_of(card) if v.trick_n == 0 else play.led_suit(v)
    chance = 1.0
    seat = following(v, r, np.int64(v.seat))
    for _ in range(r.n - v.trick_n - 1):
        chance *= 1.0 - beat_chance(v, r, m, seat, card, led)
        seat = following(v, r, seat)
    return chance


@kernel
def is_top(m: Any, card: int) -> bool:
    """Whether no hidden card of its suit is higher."""
    return m.hidden & SUITS[suit_of(card)] & above(card) == ZERO


@kernel
def is_slam(v: Any, r: Any) -> bool:
    """Whether the contract asks for every trick."""
    return r.objective[v.contract] == Objective.TRICKS and r.target[v.contract] == r.n_tricks


@kernel
def equal_below(v: Any, card: int) -> bool:
    """Whether the next lower card is in the same hand or gone and as good, so that this one need not be looked at."""
    small_trump = card > T1 + 1 and card < T21
    small_pip = card < T1 and card & 7 >= 1 and card & 7 <= 3
    return (small_trump or small_pip) and has(v.legal_cards, card - 1)
