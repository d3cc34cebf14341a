"""The course of a hand: which phase follows which, whose turn it is, and what he may do. No rule stands here."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import ZERO, C, has
from tarock_env.codes import NONE, Knock, Phase
from tarock_env.engine import announce, auction, deal, king_call, open_auction, payment, play, session, talon
from tarock_env.engine.seats import seat_at
from tarock_env.engine.tables import ANNOUNCE, BID, END, KNOCK, PASS, WAIT
from tarock_env.jit import inlined, kernel

WHOLE_TALON = 6


@inlined
def begin(g: Any, r: Any) -> None:
    """The first decision of a hand whose cards are dealt."""
    session.set_mode(g, r)
    auction.begin(g, r)
    if r.knock != Knock.NEVER:
        g.actor = seat_at(g, r, np.int64(r.P - 2))  # the dealer's left neighbour
        enter(g, r, np.int64(Phase.CUT))
    else:
        enter(g, r, opening_phase(g, r))


@kernel
def opening_phase(g: Any, r: Any) -> Any:
    """The auction, or what follows it where the session prescribes the contract."""
    if r.door_calls[auction.AT_AUCTION, g.mode] == ZERO and r.all_passed != NONE:
        return np.int64(auction.settle(g, r, np.int64(r.all_passed), np.int64(NONE)))
    auction.begin(g, r)
    return np.int64(Phase.AUCTION)


@inlined
def enter(g: Any, r: Any, phase: Any) -> None:
    """Go to a phase, through those that hold no decision, and find the legal actions there."""
    if phase == Phase.RAISE and not talon.may_raise(g, r):
        phase = np.int64(r.next_phase[g.contract, Phase.RAISE])
    g.phase = phase
    if phase == Phase.CALL_KING or phase == Phase.RAISE:
        g.actor = g.declarer
    elif phase == Phase.TALON:
        g.actor = g.declarer
        talon.turn_up(g, r)
        if r.takes[g.contract] == WHOLE_TALON:
            talon.take(g, r, np.int64(0))
            g.phase = Phase.DISCARD
    elif phase == Phase.ANNOUNCE:
        announce.begin(g, r)
    elif phase == Phase.PLAY:
        play.begin(g, r)
    elif phase == Phase.DONE:
        g.actor = NONE
        g.done = True
        payment.settle(g, r)
        session.close_hand(g, r)
    find_legal(g, r)


@kernel
def find_legal(g: Any, r: Any) -> None:
    """Fill `legal_cards` and `legal_calls` for the seat to act."""
    g.legal_cards = ZERO
    g.legal_calls = ZERO
    phase = g.phase
    if phase == Phase.PLAY:
        play.legal(g, r)
    elif phase == Phase.ANNOUNCE:
        announce.legal(g, r)
    elif phase == Phase.AUCTION:
        if r.talks != 0:
            open_auction.legal(g, r)
        else:
            auction.legal(g, r)
    elif phase == Phase.DISCARD:
        talon.legal_discard(g, r)
    elif phase == Phase.TALON:
        talon.legal_talon(g, r)
    elif phase == Phase.CALL_KING:
        king_call.legal(g, r)
    elif phase == Phase.CHOICE:
        auction.legal_choice(g, r)
    elif phase == Phase.RAISE:
        talon.legal_raise(g, r)
    elif phase == Phase.CUT:
        deal.legal_cut(g, r)
    elif phase == Phase.PACKET:
        deal.legal_packet(g, r)


@kernel
def is_legal(g: Any, r: Any, action: Any) -> bool:
    """Whether the action index is legal now."""
    if action < 0 or action >= r.A:
        return False
    if action < C:
        return has(g.legal_cards, action)
    return has(g.legal_calls, action - C)


@inlined
def apply(g: Any, r: Any, action: Any) -> None:
    """Carry out a legal action, up to the next decision or the end of the hand."""
    g.n_actions += 1
    phase = np.int64(g.phase)
    following = phase
    if phase == Phase.PLAY:
        if play.apply(g, r, action):
            following = np.int64(Phase.DONE)
    elif phase == Phase.DISCARD:
        if talon.discard(g, r, action):
            following = np.int64(r.next_phase[g.contract, Phase.DISCARD])
    else:
        call = action - C
        kind, argument = np.int64(r.action_kind[call]), np.int64(r.action_arg[call])
        if phase == Phase.ANNOUNCE:
            following = _statement(g, r, kind, argument, np.int64(r.action_side[call]))
        elif phase == Phase.AUCTION:
            following = _bidding_call(g, r, kind, argument)
        else:
            following = _single_call(g, r, kind, argument)
    if following == phase:
        find_legal(g, r)
    else:
        enter(g, r, following)


@kernel
def _statement(g: Any, r: Any, kind: Any, argument: Any, side: Any) -> Any:
    """One call of the announcement phase. The next phase."""
    if kind == END:
        if announce.end_turn(g, r):
            return np.int64(r.next_phase[g.contract, Phase.ANNOUNCE])
    elif kind == ANNOUNCE:
        announce.announce(g, r, argument)
    else:
        announce.double(g, r, side, argument)
    return np.int64(Phase.ANNOUNCE)


@kernel
def _bidding_call(g: Any, r: Any, kind: Any, argument: Any) -> Any:
    """One call of either form of auction. The next phase."""
    if r.talks == 0:
        return np.int64(auction.apply(g, r, kind == PASS, kind == WAIT, argument))
    if kind == PASS:
        return np.int64(open_auction.pass_turn(g, r))
    if kind == END:
        return np.int64(open_auction.end_turn(g, r))
    if kind == BID:
        open_auction.bid(g, r, argument)
    elif kind == ANNOUNCE:
        open_auction.announce(g, r, argument)
    else:
        open_auction.double(g, r, argument)
    return np.int64(Phase.AUCTION)


@kernel
def _single_call(g: Any, r: Any, kind: Any, argument: Any) -> Any:
    """The phases in which one call decides. The next phase; from the deal on to the auction or what replaces it."""
    phase = np.int64(g.phase)
    if phase == Phase.CHOICE:
        g.last_call[g.actor] = argument
        return np.int64(auction.settle(g, r, argument, np.int64(g.actor)))
    if phase == Phase.CALL_KING:
        king_call.apply(g, r, argument)
        return np.int64(r.next_phase[g.contract, phase])
    if phase == Phase.TALON:
        talon.take(g, r, argument)
        return np.int64(Phase.DISCARD)
    if phase == Phase.RAISE:
        if kind != PASS:
            g.contract = argument
            g.called = NONE
            g.by_fourth = 0
        return np.int64(r.next_phase[g.contract, phase])
    following = np.int64(deal.apply_cut(g, r, kind == KNOCK) if phase == Phase.CUT else deal.apply_packet(g, r, argument))
    return opening_phase(g, r) if following == Phase.AUCTION else following
