"""One decision of the heuristic player, whatever its phase; always a legal action."""

from __future__ import annotations

from typing import Any

from agents.heuristic.announcing import speak
from agents.heuristic.bidding import bid, raise_contract
from agents.heuristic.calling import call_king
from agents.heuristic.counting import is_slam, note_allies, note_hands
from agents.heuristic.following import follow
from agents.heuristic.leading import lead
from agents.heuristic.negative import avoid_points, count_tricks
from agents.heuristic.talon import discard, take_group
from agents.heuristic.worth import note_points
from tarock_env.cards import ONE, ZERO, C, has, lowest
from tarock_env.codes import Objective, Phase
from tarock_env.jit import kernel


@kernel
def decide(v: Any, r: Any, m: Any) -> int:
    """The action of the seat to act; 0 where nothing is legal (finished hands)."""
    if v.legal_calls == ZERO:
        if v.legal_cards & (v.legal_cards - ONE) == ZERO:
            return lowest(v.legal_cards) if v.legal_cards != ZERO else 0
    elif v.legal_cards == ZERO and v.legal_calls & (v.legal_calls - ONE) == ZERO:
        return C + lowest(v.legal_calls)
    action = choose(v, r, m)
    if action < C:
        return action if has(v.legal_cards, action) else fallback(v)
    return action if has(v.legal_calls, action - C) else fallback(v)


@kernel
def fallback(v: Any) -> int:
    """Some legal action."""
    return lowest(v.legal_cards) if v.legal_cards != ZERO else C + lowest(v.legal_calls)


@kernel
def choose(v: Any, r: Any, m: Any) -> int:
    """The action by phase; what carries no information (cutting, packets) is the first legal one."""
    phase = v.phase
    if phase == Phase.PLAY:
        return play_card(v, r, m)
    if phase == Phase.DISCARD:
        return discard(v, r)
    if phase == Phase.ANNOUNCE:
        return speak(v, r, m)
    if phase == Phase.AUCTION or phase == Phase.CHOICE:
        return bid(v, r, m)
    if phase == Phase.CALL_KING:
        return call_king(v, r)
    if phase == Phase.TALON:
        return take_group(v, r)
    if phase == Phase.RAISE:
        return raise_contract(v, r, m)
    return fallback(v)


@kernel
def play_card(v: Any, r: Any, m: Any) -> int:
    """A card, by what the contract asks for."""
    note_hands(v, r, m)
    note_allies(v, r, m)
    objective = r.objective[v.contract]
    if objective == Objective.FEWEST:
        return avoid_points(v, r, m)
    if objective == Objective.TRICKS and not is_slam(v, r):
        return count_tricks(v, r, m)
    note_points(v, r, m)
    return lead(v, r, m) if v.trick_n == 0 else follow(v, r, m)
