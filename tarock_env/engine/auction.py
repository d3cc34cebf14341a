"""The auction in which a turn is one call. Source: K3.2, K2.2, B2, C2, D2, E2; part K 7 and 8."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import ZERO
from tarock_env.codes import NONE, Objective, Phase, Priority, Rounds
from tarock_env.engine.seats import following, forehand, place_of, seat_at
from tarock_env.jit import kernel

AT_AUCTION, AFTER_WAIT, PASSED_OUT, ALL_PASSED = range(4)  # rows of `door_calls`
PASSED, WAITED = -2, -3  # entries of `last_call` beside contracts


@kernel
def begin(g: Any, r: Any) -> None:
    """Everybody may bid; the opener speaks."""
    for place in range(r.n):
        g.active[seat_at(g, r, place)] = 1
    g.actor = seat_at(g, r, np.int64(1 if r.rounds == Rounds.CLAIM_FINAL else r.opener))


@kernel
def n_active(g: Any) -> Any:
    """How many seats have not passed."""
    count = 0
    for seat in range(5):
        count += g.active[seat]
    return count


@kernel
def may_equal(g: Any, r: Any, seat: Any) -> bool:
    """Whether the seat may take over the standing bid: by priority of seat, where the rules give it."""
    if r.priority == Priority.NOBODY:
        return False
    if r.priority == Priority.ELDEST:
        return seat == forehand(g, r)
    return place_of(g, r, seat) < place_of(g, r, np.int64(g.holder))


@kernel
def eldest_must_choose(g: Any, r: Any) -> bool:
    """Whether all others have passed without a bid and eldest is to name the contract."""
    if r.eldest_chooses == 0 or g.high != NONE or g.actor != forehand(g, r):
        return False
    return n_active(g) == 1 or (r.rounds != Rounds.OPEN and g.n_calls == r.n - 1)


@kernel
def legal(g: Any, r: Any) -> None:
    """The calls of the seat to speak."""
    if eldest_must_choose(g, r):
        g.legal_calls = r.door_calls[PASSED_OUT, g.mode]
        return
    bids = r.door_calls[AT_AUCTION, g.mode]
    if g.high != NONE:
        standing = r.bid_calls[g.high]
        bids &= r.over_calls[g.high]
        if g.holder == g.actor:  # the last turn of the highest bidder: keep it or raise it
            g.legal_calls = bids | standing
            return
        if may_equal(g, r, np.int64(g.actor)):
            bids |= standing
        if r.rounds == Rounds.CLAIM_FINAL and g.actor == forehand(g, r):
            bids = standing
    calls = bids
    if g.n_calls > 0 or r.first_may_pass != 0:
        calls |= r.pass_calls
    if g.n_calls == 0:
        calls |= r.wait_calls if r.wait != 0 else ZERO
    g.legal_calls = calls


@kernel
def apply(g: Any, r: Any, kind_pass: bool, kind_wait: bool, contract: Any) -> Any:
    """One call. The next phase: AUCTION while it goes on, CHOICE after a passed-out wait, else what the contract brings."""
    seat = np.int64(g.actor)
    g.n_calls += 1
    if kind_pass:
        g.active[seat] = 0
        g.last_call[seat] = PASSED
    elif kind_wait:
        g.waited = 1
        g.holder = seat
        g.last_call[seat] = WAITED
    else:
        chosen = eldest_must_choose(g, r)
        g.high = contract
        g.holder = seat
        g.last_call[seat] = contract
        if chosen or (n_active(g) == 1 and r.rounds == Rounds.OPEN):
            return _close(g, r)
    return _proceed(g, r)


@kernel
def _proceed(g: Any, r: Any) -> Any:
    """Pass the turn on, or close the auction."""
    if _is_over(g, r):
        return _close(g, r)
    seat = following(g, r, np.int64(g.actor))
    if r.rounds == Rounds.CLAIM_FINAL:
        g.actor = _next_of_claim(g, r, seat)
    else:
        while g.active[seat] == 0:
            seat = following(g, r, seat)
        g.actor = seat
    return Phase.AUCTION.value


@kernel
def _is_over(g: Any, r: Any) -> bool:
    left = n_active(g)
    if r.rounds == Rounds.SINGLE:
        return g.n_calls == r.n
    if r.rounds == Rounds.CLAIM_FINAL:
        return g.actor == forehand(g, r)
    if left == 0:
        return True
    if left == 1 and g.holder != NONE and g.active[g.holder] == 1:
        return r.final_raise == 0 or g.high == NONE
    return False


@kernel
def _next_of_claim(g: Any, r: Any, seat: Any) -> Any:
    """The others bid among themselves until one of them is left, then eldest speaks once."""
    eldest = forehand(g, r)
    others = n_active(g) - g.active[eldest]
    if others == 0 or (others == 1 and g.holder != NONE and g.active[g.holder] == 1):
        return eldest
    while g.active[seat] == 0 or seat == eldest:
        seat = following(g, r, seat)
    return seat


@kernel
def _close(g: Any, r: Any) -> Any:
    """The contract stands, forehand chooses after a wait, or all have passed."""
    if g.high == NONE and g.holder != NONE:
        g.actor = g.holder
        return Phase.CHOICE.value
    if g.high != NONE:
        return settle(g, r, np.int64(g.high), np.int64(g.holder))
    if r.all_passed != NONE:
        return settle(g, r, np.int64(r.all_passed), np.int64(NONE))
    g.contract = NONE
    return Phase.DONE.value


@kernel
def settle(g: Any, r: Any, contract: Any, seat: Any) -> Any:
    """The contract is fixed; a contract in which everybody plays for himself has no declarer."""
    g.contract = contract
    g.declarer = seat if r.objective[contract] != Objective.FEWEST else NONE
    return r.next_phase[contract, Phase.AUCTION]


@kernel
def legal_choice(g: Any, r: Any) -> None:
    """What forehand may name after a passed-out wait."""
    g.legal_calls = r.door_calls[AFTER_WAIT, g.mode]
