"""Bidding: each contract's expected score with this hand, against what a pass is worth.

Source: public advice, see docs/heuristics.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.heuristic import fitted
from agents.heuristic.strength import (
    avoidance,
    bird_chance,
    chance,
    game_logit,
    sigmoid,
)
from tarock_env.cards import ONE, ZERO, C, lowest
from tarock_env.codes import NONE, FreeForAll, Objective, Payment
from tarock_env.engine import auction
from tarock_env.engine.seats import place_of
from tarock_env.engine.tables import BID
from tarock_env.jit import kernel

WHOLE_TALON = 6


@kernel
def bid(v: Any, r: Any, m: Any) -> int:
    """The contract with the best expectation if it beats a pass; forehand waits while that loses nothing."""
    best, expected = best_call(v, r, m, v.legal_calls)
    may_wait = v.legal_calls & r.wait_calls
    if may_wait != ZERO:
        later = r.door_calls[auction.AFTER_WAIT, v.mode]
        _, expected_after = best_call(v, r, m, later)
        return C + lowest(may_wait) if best == NONE or expected_after >= expected - m.margin * scale(r) else C + best
    may_pass = v.legal_calls & r.pass_calls
    if may_pass != ZERO and (best == NONE or expected < pass_value(v, r, m)):
        return C + lowest(may_pass)
    if best != NONE:
        return C + best
    done = v.legal_calls & r.end_calls
    return C + lowest(done if done != ZERO else v.legal_calls)


@kernel
def scale(r: Any) -> float:
    """The unit of the margins: the size of scores relative to the game in which they were measured."""
    return 1.0 if r.payment == Payment.POSITIVE else r.reward_scale / 20.0


@kernel
def best_call(v: Any, r: Any, m: Any, calls: Any) -> Any:
    """(bid call with the highest expectation or -1, that expectation)."""
    best, most = NONE, -1e9
    rest = calls
    while rest != ZERO:
        call = lowest(rest)
        rest &= rest - ONE
        if r.action_kind[call] == BID:
            expected = expectation(r, m, v.hand, np.int64(r.action_arg[call]))
            if expected > most:
                best, most = call, expected
    return best, most


@kernel
def expectation(r: Any, m: Any, hand: Any, k: Any) -> float:
    """The score above the table's mean that a contract promises its declarer."""
    if r.objective[k] == Objective.FEWEST:
        return free_for_all(r, hand, k) - m.shy_free * scale(r)
    p = chance(r, hand, k) - (m.caution if r.objective[k] == Objective.TRICKS else 0.0)
    value, lost = float(r.value[k]) + r.basic, float(r.value_lost[k]) + r.basic
    expected = p * value - (1.0 - p) * lost
    if counts_difference(r, k):
        expected += fitted.POINTS_PER_LOGIT[1 if r.calls_king[k] == 0 else 0] * max(-4.0, min(4.0, game_logit(r, hand, k)))
    if r.demand_calls[k] != ZERO:
        expected += demanded_bonus(r, m, hand, k)
    return expected * share(r, k) * r.multiplier[k] - shyness(r, m, k)


@kernel
def shyness(r: Any, m: Any, k: Any) -> float:
    """What people hold back for: the whole talon at double the loss, and a partner without an exchange."""
    if r.takes[k] == WHOLE_TALON:
        return m.shy_whole * scale(r)
    return m.shy_partner * scale(r) if r.takes[k] == 0 and r.calls_king[k] != 0 else 0.0


@kernel
def counts_difference(r: Any, k: Any) -> bool:
    """Whether card points above or below 35 add to the value of the game."""
    return r.difference[k] != 0 or (r.payment == Payment.POSITIVE and r.objective[k] == Objective.POINTS)


@kernel
def share(r: Any, k: int) -> float:
    """How much of an item's value the declarer gains on the table's mean."""
    alone = r.calls_king[k] == 0
    if r.payment == Payment.SIDES:
        return r.n - 1.0 if alone else 1.2
    return (r.n - 1.0) / r.n if alone else 0.55


@kernel
def demanded_bonus(r: Any, m: Any, hand: Any, k: int) -> float:
    """The expectation of the best of the announcements that the contract demands."""
    most = -1e9
    for b in range(1, r.n_bonuses + 1):
        if r.demand_calls[k] & r.announce_calls[b] != ZERO and r.bonus_card[b] != NONE:
            p = bird_chance(r, hand, np.int64(r.bonus_card[b]), np.int64(r.trick_from_end[b])) - m.bird_caution
            most = max(most, (2.0 * p - 1.0) * r.bonus_value[b] * r.announced_factor[b] * r.bonus_factor[k])
    return most


@kernel
def free_for_all(r: Any, hand: Any, k: int) -> float:
    """Without sides only few low trumps and no king are good: what the hand is likely to collect against the others."""
    points = avoidance(hand, fitted.FEW_POINTS[1 if r.n == 3 else 0])
    if r.settled[k] == FreeForAll.TOP_PAYS or r.settled[k] == FreeForAll.TWO_PAIRS:
        return r.value[k] * (1.0 - 4.0 * sigmoid((points - 25.0) / 4.6))
    return 70.0 / r.n - points


@kernel
def pass_value(v: Any, r: Any, m: Any) -> float:
    """What a pass is worth: the standing bid is likely to win, and later speakers may still bid; a margin for both."""
    value = (m.pass_value + m.margin * later_speakers(v, r)) * scale(r)
    if v.high == NONE:
        return value
    k = np.int64(v.high)
    typical = (0.4 * (r.value[k] + r.basic) + (5.0 if counts_difference(r, k) else 0.0)) * r.multiplier[k]
    loss = typical if r.payment == Payment.SIDES else typical / r.n
    return value - (loss if r.calls_king[k] == 0 else 0.3 * loss)


@kernel
def later_speakers(v: Any, r: Any) -> float:
    """One point more careful with players still to speak: the share of the others who may still bid."""
    active = 0
    for seat in range(5):
        if seat != v.seat and place_of(v, r, seat) < r.n and v.active[seat] == 1 and v.last_call[seat] == NONE:
            active += 1
    return 0.5 + 0.5 * active / (r.n - 1.0)


@kernel
def raise_contract(v: Any, r: Any, m: Any) -> int:
    """A raise to a slam is left alone."""
    kept = v.legal_calls & r.pass_calls
    return C + lowest(kept if kept != ZERO else v.legal_calls)
