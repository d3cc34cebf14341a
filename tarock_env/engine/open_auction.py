"""The auction in which a turn holds several calls: a bid and announcements, contras, or a pass. Source: F2; K 12, K 16."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import ZERO
from tarock_env.codes import NONE, Phase, Priority
from tarock_env.engine import one_sided
from tarock_env.engine.auction import AT_AUCTION, PASSED, n_active, settle
from tarock_env.engine.one_sided import EARLY
from tarock_env.engine.seats import following, forehand, place_of
from tarock_env.jit import kernel

NOTHING_SAID, HAS_BID, HAS_DOUBLED = 0, 1, 2  #: values of `turn_kind`


@kernel
def legal(g: Any, r: Any) -> None:
    """The calls of the seat on turn, depending on what it has said in this turn."""
    seat = np.int64(g.actor)
    if g.turn_kind == HAS_BID:
        g.legal_calls = one_sided.announcements(g, r, seat, np.int64(EARLY)) | r.end_calls
        return
    calls = one_sided.contras(g, r, seat, np.int64(g.holder), np.int64(EARLY)) if g.high != NONE else ZERO
    if g.turn_kind == HAS_DOUBLED:
        g.legal_calls = calls | r.end_calls
        return
    if g.active[seat] == 1 and seat != g.holder:
        calls |= _bids(g, r, seat)
    g.legal_calls = calls | r.pass_calls


@kernel
def _bids(g: Any, r: Any, seat: Any) -> Any:
    bids = r.door_calls[AT_AUCTION, g.mode]
    if g.high != NONE:
        bids &= r.over_calls[g.high]
    for k in range(r.n_contracts):
        if r.below_only[k] != NONE and r.below_only[k] != g.high:
            bids &= ~r.bid_calls[k]
    if g.high != NONE and _may_hold(g, r, seat):
        bids |= r.bid_calls[g.high]
    return bids


@kernel
def _may_hold(g: Any, r: Any, seat: Any) -> bool:
    """Whether the seat may take the bid over from a junior."""
    if r.priority == Priority.ELDEST and seat != forehand(g, r):
        return False
    return r.priority != Priority.NOBODY and place_of(g, r, seat) < place_of(g, r, np.int64(g.holder))


@kernel
def bid(g: Any, r: Any, contract: Any) -> None:
    """Bid higher, or hold; only a new bid counts, and it voids what belonged to the old one."""
    if contract != g.high:
        g.n_bids += 1
    one_sided.void_items(g)
    g.high = contract
    g.holder = g.actor
    g.last_call[g.actor] = contract
    g.turn_kind = HAS_BID
    g.quiet = 0


@kernel
def announce(g: Any, r: Any, b: Any) -> None:
    """An announcement that goes with the bid."""
    one_sided.announce(g, b, np.int64(g.actor), EARLY)


@kernel
def double(g: Any, r: Any, item: Any) -> None:
    """Contra, re or sub on an item; an opponent who doubles bids no more."""
    one_sided.double(g, item, np.int64(EARLY))
    g.turn_kind = HAS_DOUBLED
    g.quiet = 0
    if g.actor != g.holder:
        g.active[g.actor] = 0


@kernel
def pass_turn(g: Any, r: Any) -> Any:
    """Pass, or no call for those who have nothing to bid. The next phase."""
    if g.actor != g.holder:
        g.active[g.actor] = 0
        g.last_call[g.actor] = PASSED
    g.quiet += 1
    return _proceed(g, r)


@kernel
def end_turn(g: Any, r: Any) -> Any:
    """Close a turn of several calls. The next phase."""
    g.turn_kind = NOTHING_SAID
    return _proceed(g, r)


@kernel
def _proceed(g: Any, r: Any) -> Any:
    g.n_calls += 1
    left = n_active(g)
    if g.high == NONE and left == 0:
        return settle(g, r, np.int64(r.all_passed), np.int64(NONE))
    if g.high != NONE and left == 1 and (g.quiet >= r.n - 1 or r.passed_contra == 0):
        g.quiet = 0
        return settle(g, r, np.int64(g.high), np.int64(g.holder))
    seat = following(g, r, np.int64(g.actor))
    while r.passed_contra == 0 and (g.active[seat] == 0 or seat == g.holder):
        seat = following(g, r, seat)
    g.actor = seat
    return Phase.AUCTION.value
