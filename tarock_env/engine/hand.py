"""The course of a hand: which phase follows which, whose turn it is, and what he may do. No rule stands here."""

from __future__ import annotations

from typing import Any

from tarock_env.cards import ZERO, C, has, popcount
from tarock_env.codes import NONE, Knock, Phase
from tarock_env.engine import announce, auction, deal, king_call, open_auction, payment, play, session, talon
from tarock_env.engine.seats import seat_at
from tarock_env.engine.tables import ANNOUNCE, BID, CONTRA, END, KNOCK, PASS, WAIT
from tarock_env.jit import kernel

WHOLE_TALON = 6


@kernel
def begin(g: Any, r: Any) -> None:
    """The first decision of a hand whose cards are dealt."""
    session.set_mode(g, r)
    auction.begin(g, r)
    if r.knock != Knock.NEVER:
        g.actor = seat_at(g, r, r.n - 2)  # the dealer's left neighbour
        enter(g, r, Phase.CUT.value)
    else:
        start_bidding(g, r)


@kernel
def start_bidding(g: Any, r: Any) -> None:
    """The auction, or the contract that the session prescribes."""
    if r.door_calls[auction.AT_AUCTION, g.mode] == ZERO and r.all_passed != NONE:
        enter(g, r, auction.settle(g, r, r.all_passed, NONE))
        return
    auction.begin(g, r)
    enter(g, r, Phase.AUCTION.value)


@kernel
def enter(g: Any, r: Any, phase: int) -> None:
    """Go to a phase, through those that hold no decision, and find the legal actions there."""
    g.phase = phase
    if phase == Phase.RAISE and not talon.may_raise(g, r):
        phase = r.next_phase[g.contract, Phase.RAISE]
        g.phase = phase
    if phase == Phase.CALL_KING or phase == Phase.RAISE:
        g.actor = g.declarer
    elif phase == Phase.TALON:
        g.actor = g.declarer
        talon.turn_up(g, r)
        if r.takes[g.contract] == WHOLE_TALON:
            talon.take(g, r, 0)
            g.phase = Phase.DISCARD
    elif phase == Phase.ANNOUNCE:
        announce.begin(g, r)
    elif phase == Phase.PLAY:
        play.begin(g, r)
    elif phase == Phase.DONE:
        finish(g, r)
    find_legal(g, r)


@kernel
def finish(g: Any, r: Any) -> None:
    """Settle the hand."""
    g.phase = Phase.DONE
    g.actor = NONE
    g.done = True
    payment.settle(g, r)
    session.close_hand(g, r)


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


@kernel
def apply(g: Any, r: Any, action: Any) -> None:
    """Carry out a legal action, up to the next decision or the end of the hand."""
    g.n_actions += 1
    phase = g.phase
    if phase == Phase.PLAY:
        if play.apply(g, r, action):
            finish(g, r)
        find_legal(g, r)
    elif phase == Phase.DISCARD:
        if talon.discard(g, r, action):
            enter(g, r, r.next_phase[g.contract, Phase.DISCARD])
        else:
            find_legal(g, r)
    else:
        _apply_call(g, r, r.action_kind[action - C], r.action_arg[action - C], r.action_side[action - C])


@kernel
def _apply_call(g: Any, r: Any, kind: int, argument: int, side: int) -> None:
    phase = g.phase
    if phase == Phase.ANNOUNCE:
        if kind == END and announce.end_turn(g, r):
            enter(g, r, r.next_phase[g.contract, Phase.ANNOUNCE])
            return
        if kind == ANNOUNCE:
            announce.announce(g, r, argument)
        elif kind == CONTRA:
            announce.double(g, r, side, argument)
        find_legal(g, r)
    elif phase == Phase.AUCTION:
        following_phase = _bidding_call(g, r, kind, argument)
        if following_phase == Phase.AUCTION:
            find_legal(g, r)
        else:
            enter(g, r, following_phase)
    elif phase == Phase.CHOICE:
        g.last_call[g.actor] = argument
        enter(g, r, auction.settle(g, r, argument, g.actor))
    elif phase == Phase.CALL_KING:
        king_call.apply(g, r, argument)
        enter(g, r, r.next_phase[g.contract, Phase.CALL_KING])
    elif phase == Phase.TALON:
        talon.take(g, r, argument)
        enter(g, r, Phase.DISCARD.value)
    elif phase == Phase.RAISE:
        if kind != PASS:
            g.contract = argument
            g.called = NONE
        enter(g, r, r.next_phase[g.contract, Phase.RAISE])
    elif phase == Phase.CUT:
        following_phase = deal.apply_cut(g, r, kind == KNOCK)
        _after_deal(g, r, following_phase)
    else:
        _after_deal(g, r, deal.apply_packet(g, r, argument))


@kernel
def _bidding_call(g: Any, r: Any, kind: int, argument: int) -> int:
    """One call of either form of auction. The next phase."""
    if r.talks == 0:
        return auction.apply(g, r, kind == PASS, kind == WAIT, argument)
    if kind == PASS:
        return open_auction.pass_turn(g, r)
    if kind == END:
        return open_auction.end_turn(g, r)
    if kind == BID:
        open_auction.bid(g, r, argument)
    elif kind == ANNOUNCE:
        open_auction.announce(g, r, argument)
    else:
        open_auction.double(g, r, argument)
    return Phase.AUCTION.value


@kernel
def _after_deal(g: Any, r: Any, following_phase: int) -> None:
    if following_phase == Phase.AUCTION:
        start_bidding(g, r)
    else:
        enter(g, r, following_phase)


@kernel
def is_forced(g: Any) -> bool:
    """Whether exactly one action is legal, so that there is nothing to decide."""
    return popcount(g.legal_cards) + popcount(g.legal_calls) == 1
