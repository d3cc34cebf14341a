"""The play of the cards. Source: C4, C5, K3.6, K2.6; A4, B6, D6, F6."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import (
    HONOURS,
    SUITS,
    T1,
    T21,
    T22,
    TRUMP,
    TRUMPS,
    ZERO,
    above,
    bit,
    has,
    highest,
    popcount,
    suit_of,
)
from tarock_env.codes import DECLARERS, NONE, Binding, Leader, Objective, PagatLock, Predicate, Talon
from tarock_env.engine.seats import following, forehand, side_of
from tarock_env.engine.state import SEATS
from tarock_env.jit import kernel

GIFTS = 6  #: tricks that bring a talon card where the talon is given to tricks


@kernel
def begin(g: Any, r: Any) -> None:
    """Forehand or the declarer leads."""
    to_declarer = r.leader[g.contract] == Leader.DECLARER and g.declarer != NONE
    g.actor = g.declarer if to_declarer else forehand(g, r)
    g.leaders[0] = g.actor


@kernel
def trumps_win(g: Any, r: Any) -> bool:
    """Whether trumps beat the suit cards of the current trick."""
    return (r.colour[g.contract] == 0) | (led_suit(g) == TRUMP)


@kernel
def led_suit(g: Any) -> Any:
    """Suit of the card that was led to the current trick."""
    return suit_of(g.plays[g.n_plays - g.trick_n])


@kernel
def winning_by_rank(g: Any, r: Any) -> Any:
    """All cards that outrank the best card of the trick, the Emperor rule aside."""
    best: Any = np.int64(g.best)
    over_suits = TRUMPS if (best < T1) & trumps_win(g, r) else ZERO
    return (SUITS[suit_of(best)] & above(best)) | over_suits


@kernel
def winning_cards(g: Any, r: Any) -> Any:
    """All cards that would take the lead in the current trick, the Emperor rule included. Source: C5 (FORCED)."""
    cards = winning_by_rank(g, r)
    if r.emperor[g.contract] != 0 and trumps_win(g, r):
        if has(g.trick, T21) and has(g.trick, T22):
            cards |= bit(T1)
        if has(g.trick, T21) and has(g.trick, T1):
            cards &= ~bit(T22)
    return cards


@kernel
def legal(g: Any, r: Any) -> None:
    """The cards the seat to act may play."""
    hand = g.hands[g.actor]
    cards = _leads(g, r, hand) if g.trick_n == 0 else _follows(g, r, hand)
    if r.binding != Binding.FREE:
        cards = _kept(g, r, cards)
    g.legal_cards = cards


@kernel
def _leads(g: Any, r: Any, hand: Any) -> Any:
    k = g.contract
    cards = hand
    if r.lead_ban[k] != 0 and hand & ~TRUMPS != ZERO:
        cards = hand & ~TRUMPS
    if has(cards, T1):
        lock = r.pagat_lock[k]
        trumps = popcount(hand & TRUMPS)
        if (lock == PagatLock.LAST_TRUMP and trumps > 1) or (lock == PagatLock.LAST_CARD and popcount(cards) > 1):
            cards &= ~bit(T1)
    return cards


@kernel
def _follows(g: Any, r: Any, hand: Any) -> Any:
    k = g.contract
    trumps = hand & TRUMPS
    same, duty = hand & SUITS[led_suit(g)], trumps if r.trump_duty[k] != 0 else ZERO
    without = duty if duty != ZERO else hand
    cards = same if same != ZERO else without
    if r.pagat_lock[k] == PagatLock.LAST_TRUMP and has(cards, T1) and popcount(trumps) > 1:
        emperor = r.pagat_exception[k] != 0 and r.emperor[k] != 0 and trumps_win(g, r)
        if not (emperor and has(g.trick, T21) and has(g.trick, T22)):
            cards &= ~bit(T1)
    if r.forced[k] != 0:
        winners = cards & winning_cards(g, r)
        if winners != ZERO:
            cards = winners
    if r.pagat_lock[k] == PagatLock.LAST_CARD and has(cards, T1) and popcount(cards) > 1:
        cards &= ~bit(T1)
    return cards


@kernel
def _kept(g: Any, r: Any, cards: Any) -> Any:
    """What is left of the legal cards when announced cards must wait for their trick. Source: Appendix 1, F6."""
    held, due = ZERO, ZERO
    side = side_of(g, np.int64(g.actor))
    for b in range(1, r.n_bonuses + 1):
        if g.announced[side, b] == 0 or g.announcer[side, b] != g.actor:
            continue
        card = announced_card(g, r, b)
        if card == NONE:
            continue
        if g.trick_no == r.n_tricks - 1 - r.trick_from_end[b]:
            due |= bit(card)
        elif g.trick_no < r.n_tricks - 1 - r.trick_from_end[b]:
            held |= bit(card)
    if cards & due != ZERO:
        return cards & due
    if cards & ~held != ZERO:
        return cards & ~held
    if r.binding == Binding.HIGHEST_FIRST and cards & TRUMPS != ZERO:
        return bit(highest(cards & TRUMPS))
    return cards


@kernel
def announced_card(g: Any, r: Any, b: Any) -> Any:
    """The card that must win or lie in its trick for this bonus; -1 if the bonus is not about one card's trick."""
    if r.predicate[b] == Predicate.CARD_WINS:
        return r.bonus_card[b]
    if (r.predicate[b] == Predicate.KING_IN_LAST or r.predicate[b] == Predicate.KING_WINS) and g.called >= 0:
        return 8 * g.called + 7
    return NONE


@kernel
def apply(g: Any, r: Any, card: Any) -> bool:
    """Play a card. Whether the hand is over."""
    seat = np.int64(g.actor)
    one = bit(card)
    g.hands[seat] &= ~one
    g.played[seat] |= one
    g.plays[g.n_plays] = card
    g.n_plays += 1
    g.trick_n += 1
    if g.trick_n == 1:
        g.best = card
    else:
        _note_void(g, r, seat, card)
        g.best = card if one & winning_by_rank(g, r) != ZERO else g.best
    g.trick |= one
    if g.trick_n < r.n:
        g.actor = following(g, r, seat)
        return False
    return _finish_trick(g, r)


@kernel
def _note_void(g: Any, r: Any, seat: Any, card: Any) -> None:
    """Whoever does not follow has shown that he cannot."""
    led, suit = led_suit(g), suit_of(card)
    no_trump = (suit != TRUMP) & (r.trump_duty[g.contract] != 0)
    shown = (1 << led) | (no_trump << TRUMP)
    g.voids[seat] |= shown if suit != led else 0


@kernel
def taker(g: Any, r: Any) -> Any:
    """The card that wins the complete current trick."""
    if r.emperor[g.contract] != 0 and g.trick & HONOURS == HONOURS and trumps_win(g, r):
        return T1
    return g.best


@kernel
def player_of(g: Any, card: Any) -> Any:
    """The seat that has played the card; -1 if nobody yet."""
    player = NONE
    for seat in range(SEATS):
        player = seat if has(g.played[seat], card) else player
    return player


@kernel
def winning_card(g: Any, r: Any, trick: Any) -> Any:
    """The card that won a completed trick."""
    seat = np.int64(g.leaders[trick])
    for i in range(trick * r.n, trick * r.n + r.n):
        if seat == g.leaders[trick + 1]:
            return g.plays[i]
        seat = following(g, r, seat)
    return NONE


@kernel
def _finish_trick(g: Any, r: Any) -> bool:
    best = taker(g, r)
    winner = player_of(g, np.int64(best))
    cards = g.trick
    rest = r.rest[g.contract]
    if rest == Talon.FIRST_TRICKS and g.trick_no < GIFTS:
        cards |= bit(g.talon[g.trick_no])
    if rest == Talon.LAST_TRICK and g.trick_no == r.n_tricks - 1:
        for i in range(6):
            cards |= bit(g.talon[i])
    if rest == Talon.WON_BY_KING and g.called >= 0 and best == 8 * g.called + 7 and has(g.taken, best):
        g.rest_won = 1
    g.won[winner] |= cards
    g.tricks[winner] += 1
    g.trick = 0
    g.trick_n = 0
    g.best = NONE
    g.trick_no += 1
    g.leaders[g.trick_no] = winner
    g.actor = winner
    return g.trick_no == r.n_tricks or (r.early_stop[g.contract] != 0 and is_decided(g, r))


@kernel
def is_decided(g: Any, r: Any) -> bool:
    """Whether a contract about a number of tricks can no longer be made. Source: Appendix 5.3, K 10."""
    if r.objective[g.contract] != Objective.TRICKS:
        return False
    made = g.tricks[g.declarer]
    left = r.n_tricks - g.trick_no
    return made > r.target[g.contract] or made + left < r.target[g.contract]


@kernel
def tricks_of_side(g: Any, r: Any, side: Any) -> Any:
    """Tricks won by the declarer's side (0) or the defence (1)."""
    declarers = 0
    for seat in range(5):
        if side_of(g, seat) == DECLARERS:
            declarers += g.tricks[seat]
    return declarers if side == DECLARERS else g.trick_no - declarers
