"""Compiled policies that need no view: `uniform`, the stated `random` policy, and `balanced` auctions.

`uniform` takes any legal action. It always bids its way to the highest contract, so it tests little.
`random` bids by the weights of the contract table (a pass weighs 100), announces with probability 0.05, doubles each item
with probability 0.02, and is uniform in everything else.
`balanced` draws a target contract evenly from those that this hand's mode allows and bids a random legal auction that ends
in it; it is `random` in everything else, but announces and doubles more often (0.2 and 0.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tarock_env.cards import ONE, ZERO, C, bit, lowest, nth, popcount
from tarock_env.codes import NONE, Phase
from tarock_env.engine import auction
from tarock_env.engine.chance import below, decision_key, fraction, mixed
from tarock_env.engine.seats import seat_at
from tarock_env.engine.tables import ANNOUNCE, BID, CONTRA, END
from tarock_env.jit import kernel

UNIFORM, RANDOM, BALANCED = 0, 1, 2
NAMES = {"uniform": UNIFORM, "random": RANDOM, "balanced": BALANCED}


@dataclass(frozen=True)
class Compiled:
    """Marks an agent that kernels can play for: it is the agent's attribute `compiled`, and its moves are those of `act`."""

    policy: int  #: the number by which kernels know it


def compiled_policy(agent: object) -> int:
    """The number of an agent's compiled policy; -1 if it has none and is to be asked."""
    mark = getattr(agent, "compiled", None)
    return mark.policy if isinstance(mark, Compiled) else NONE


PASS_WEIGHT = 100.0
ANNOUNCE_CHANCE, CONTRA_CHANCE = 0.05, 0.02
EAGER_ANNOUNCE, EAGER_CONTRA = 0.2, 0.1
SIDE_BID_CHANCE = 0.15  #: how often a player bids something below the target of a balanced auction
_TARGET, _SEAT, _BASE = 101, 102, 103  # salts of the draws that stay the same all through a hand


@kernel
def any_legal(g: Any, key: Any) -> Any:
    """A uniformly drawn legal action."""
    n_cards, n_calls = popcount(g.legal_cards), popcount(g.legal_calls)
    i = below(key, n_cards + n_calls)
    return nth(g.legal_cards, i) if i < n_cards else C + nth(g.legal_calls, i - n_cards)


@kernel
def any_of(calls: Any, key: Any) -> Any:
    """A uniformly drawn action out of a set of calls that is not empty."""
    return C + nth(calls, below(key, popcount(calls)))


@kernel
def weighted_bid(g: Any, r: Any, key: Any) -> Any:
    """A legal call of the auction, bids weighted by the contract table, everything else by the weight of a pass."""
    total = 0.0
    rest = g.legal_calls
    while rest != ZERO:
        total += _weight(r, lowest(rest))
        rest &= rest - ONE
    left = fraction(key) * total
    rest = g.legal_calls
    call = lowest(rest)
    while rest != ZERO:
        call = lowest(rest)
        left -= _weight(r, call)
        if left < 0.0:
            break
        rest &= rest - ONE
    return C + call


@kernel
def _weight(r: Any, call: Any) -> float:
    kind = r.action_kind[call]
    if kind == BID:
        return r.bid_weight[r.action_arg[call]]
    if kind == ANNOUNCE:
        return PASS_WEIGHT * ANNOUNCE_CHANCE
    return PASS_WEIGHT * CONTRA_CHANCE if kind == CONTRA else PASS_WEIGHT


@kernel
def talk(g: Any, r: Any, key: Any, announce_chance: float, contra_chance: float) -> Any:
    """A legal statement, each with its own small probability, else the end of the turn (or any statement if one is owed)."""
    rest = g.legal_calls
    end_call = NONE
    while rest != ZERO:
        call = lowest(rest)
        rest &= rest - ONE
        kind = r.action_kind[call]
        if kind == END:
            end_call = call
        chance = announce_chance if kind == ANNOUNCE else contra_chance if kind == CONTRA else 0.0
        if fraction(mixed(key, call)) < chance:
            return C + call
    return C + end_call if end_call != NONE else any_of(g.legal_calls, key)


@kernel
def target_contract(g: Any, r: Any, key: Any) -> Any:
    """The contract that a balanced auction of this hand is to reach."""
    reachable = ZERO
    for k in range(r.n_contracts):
        if is_reachable(g, r, k):
            reachable |= bit(k)
    return nth(reachable, below(mixed(key, _TARGET), popcount(reachable)))


@kernel
def is_reachable(g: Any, r: Any, k: Any) -> bool:
    """Whether this hand's mode and the doors of the auction let the contract be played."""
    if r.modes[k] & g.mode == 0:
        return False
    for door in range(4):
        if r.door_calls[door, g.mode] & r.bid_calls[k] != ZERO and _door_is_used(r, door):
            return True
    if r.all_passed == k:
        return r.eldest_chooses == 0
    for j in range(r.n_contracts):
        if r.raise_calls[j] & r.bid_calls[k] != ZERO and r.modes[j] & g.mode != 0:
            return True
    return False


@kernel
def _door_is_used(r: Any, door: Any) -> bool:
    if door == auction.AFTER_WAIT:
        return r.wait != 0
    if door == auction.PASSED_OUT:
        return r.eldest_chooses != 0
    return door == auction.AT_AUCTION


@kernel
def bid_target(g: Any, r: Any, key: Any) -> Any:
    """The contract to be bid for the target: itself, or one that it is a raise of."""
    target = target_contract(g, r, key)
    sources = ZERO
    for k in range(r.n_contracts):
        if r.raise_calls[k] & r.bid_calls[target] != ZERO:
            sources |= bit(k)
    if sources == ZERO:
        return target
    return nth(sources, below(mixed(key, _BASE), popcount(sources)))


@kernel
def balanced_call(g: Any, r: Any, key: Any, draw: Any) -> Any:
    """A call of an auction that ends in the target; `key` is the hand's, `draw` this decision's."""
    target = bid_target(g, r, key)
    at_auction = r.door_calls[auction.AT_AUCTION, g.mode] & r.bid_calls[target] != ZERO
    bidder = _chosen_bidder(g, r, target, mixed(key, _SEAT))
    wanted = r.bid_calls[target] & g.legal_calls
    if g.turn_kind != 0:
        return talk(g, r, draw, EAGER_ANNOUNCE, EAGER_CONTRA)
    doubles = g.legal_calls & ~(_all_bids(r) | r.pass_calls | r.wait_calls)
    if doubles != ZERO and fraction(mixed(draw, 4)) < EAGER_CONTRA:
        return any_of(doubles, draw)
    others = g.legal_calls & _all_bids(r)
    if g.legal_calls & (r.pass_calls | r.wait_calls) == ZERO:  # eldest or the last bidder has to name something
        return any_of(wanted if wanted != ZERO else g.legal_calls, draw)
    may_wait = g.legal_calls & r.wait_calls
    if g.actor == bidder and at_auction and wanted != ZERO:
        by_waiting = may_wait != ZERO and r.door_calls[auction.AFTER_WAIT, g.mode] & r.bid_calls[target] != ZERO
        return any_of(may_wait if by_waiting and fraction(mixed(draw, 1)) < 0.3 else wanted, draw)
    stepping_stone = r.below_only[target]
    if stepping_stone != NONE and g.high == NONE and g.actor != bidder:
        return any_of(r.bid_calls[stepping_stone] & g.legal_calls, draw)
    lower = others & ~(r.over_calls[target] | r.bid_calls[target])
    if at_auction and lower != ZERO and _still_to_bid(g, r, bidder) and fraction(mixed(draw, 2)) < SIDE_BID_CHANCE:
        return any_of(lower, draw)
    if wanted != ZERO and g.high == target and fraction(mixed(draw, 3)) < SIDE_BID_CHANCE:
        return any_of(wanted, draw)
    if may_wait != ZERO:
        return any_of(may_wait, draw)
    return any_of(r.pass_calls & g.legal_calls if g.legal_calls & r.pass_calls != ZERO else g.legal_calls, draw)


@kernel
def _chosen_bidder(g: Any, r: Any, target: Any, key: Any) -> Any:
    """Who is to bid the target: anybody, but not the opener where it can only be bid over something."""
    if r.below_only[target] == NONE:
        return seat_at(g, r, below(key, r.n))
    return seat_at(g, r, (r.opener + 1 + below(key, r.n - 1)) % r.n)


@kernel
def _all_bids(r: Any) -> Any:
    calls = ZERO
    for k in range(r.n_contracts):
        calls |= r.bid_calls[k]
    return calls


@kernel
def _still_to_bid(g: Any, r: Any, bidder: Any) -> bool:
    """Whether the chosen bidder has not spoken yet, so that a lower bid before him cannot end the auction."""
    return bidder != g.actor and g.last_call[bidder] == NONE and g.active[bidder] == 1


@kernel
def balanced_action(g: Any, r: Any, key: Any, draw: Any) -> Any:
    """The balanced policy: the auction, choice and raise of a target contract, the rest at random."""
    if g.phase == Phase.AUCTION or g.phase == Phase.CHOICE:
        return balanced_call(g, r, key, draw)
    if g.phase == Phase.RAISE:
        raised = r.bid_calls[target_contract(g, r, key)] & g.legal_calls
        return any_of(raised if raised != ZERO else r.pass_calls, draw)
    if g.phase == Phase.ANNOUNCE:
        return talk(g, r, draw, EAGER_ANNOUNCE, EAGER_CONTRA)
    return any_legal(g, draw)


@kernel
def random_action(g: Any, r: Any, draw: Any) -> Any:
    """The stated random policy."""
    if g.phase == Phase.AUCTION or g.phase == Phase.CHOICE or g.phase == Phase.RAISE:
        return weighted_bid(g, r, draw)
    if g.phase == Phase.ANNOUNCE:
        return talk(g, r, draw, ANNOUNCE_CHANCE, CONTRA_CHANCE)
    return any_legal(g, draw)


@kernel
def choose(g: Any, r: Any, policy: Any, key: Any) -> Any:
    """The action of a compiled policy at this decision; `key` is the policy's key for the hand."""
    draw = decision_key(key, g.n_actions, g.actor)
    if policy == RANDOM:
        return random_action(g, r, draw)
    if policy == BALANCED:
        return balanced_action(g, r, key, draw)
    return any_legal(g, draw)
