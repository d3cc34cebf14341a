"""Observations of rare things from set-up deals: both writings agree at every decision, and the bits in question stand.

A case deals some cards and lets a seat look at the end of a few actions; what nobody was given is dealt out in order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import tarock_env
from tarock_env import Engine
from tarock_env.encoding import encode, layout
from tarock_env.view import observe
from tests.lockstep import Trace
from tests.observer import compare
from tests.reference.cards import DECK


@dataclass(frozen=True)
class Case:
    """Dealer is the last seat; `cards` by seat, `talon` its first cards; `bits` of each looking seat."""

    ruleset: str
    cards: dict[int, str]
    actions: str
    bits: dict[int, dict[str, set[int]]]
    talon: str = ""
    options: dict[str, Any] = field(default_factory=dict)


def at(place: int, *cards: str) -> set[int]:
    """Bits of cards in the block of a place, counted from 0."""
    return {54 * place + DECK.index(card) for card in cards}


CASES = {
    "a partner who speaks does not tell the suit of the fourth": Case(
        "koenigrufen_pagat",
        {0: "SK CK HK", 1: "DK"},
        "wait pass pass pass bid:solo call:fourth end announce:trull",
        {
            0: {"called": {3}, "with_declarer": {0, 1}, "against_declarer": {2, 3}, "fourth": {0}},
            1: {"called": {3}, "with_declarer": {0, 3}, "against_declarer": {1, 2}},
            2: {"called": {4}, "with_declarer": {2, 3}, "against_declarer": {0, 1}},
            3: {"called": {4}, "with_declarer": {1, 2}, "against_declarer": {0, 3}},
        },
    ),
    "the open talon tells it": Case(
        "koenigrufen_furr",
        {0: "SK CK HK"},
        "wait pass pass pass bid:call call:fourth",
        {
            0: {"called": {3}, "with_declarer": {0}, "against_declarer": {1, 2, 3}},
            2: {"called": {3}, "with_declarer": {2}, "against_declarer": {0, 1, 3}, "fourth": {0}},
        },
        talon="S7 DK",
    ),
    "a declarer who has called himself looks like any other": Case(
        "slovenian_4p",
        {1: "HK"},
        "bid:two pass pass pass bid:two call:HK",
        {
            1: {"called": {2}, "with_declarer": {0}, "against_declarer": {1, 2, 3}},
            2: {"called": {2}, "with_declarer": {3}, "against_declarer": {0}},
        },
        talon="S7 S8 S9 S10 SJ SN",
    ),
    "one opponent's kontra does not make the others known": Case(
        "koenigrufen_pagat",
        {0: "HK"},
        "wait pass pass pass bid:solo call:HK end contra:game announce:trull end",
        {
            0: {"with_declarer": {0}, "against_declarer": {1, 2, 3}, "contra": {0}, "announced": {22}},
            2: {"with_declarer": {2}, "against_declarer": {0, 3}, "contra": {0}},
        },
    ),
    "the highest card is shown, not the one that an Emperor trick lets win": Case(
        "koenigrufen_pagat",
        {0: "T21 S7", 1: "T22", 2: "T1", 3: "S8"},
        "wait pass pass pass bid:piccolo end end end end T21 T22 T1",
        {3: {"best_card": at(0, "T22"), "place": {3}, "trick": at(0, "T21") | at(1, "T22") | at(2, "T1")}},
    ),
    "a void player of No Trumps need not show his trumps": Case(
        "koenigrufen_furr",
        {0: "SK SQ SN SJ", 1: "HK T5", 2: "T6 D4", 3: "S7 S8 S9 S10"},
        "bid:no_trumps pass pass pass end end end end SK HK T6 S7",
        {0: {"voids": {5, 10}, "tricks_won": {0}, "points_won": {0, 1}}},  # 28 thirds, 9 points
    ),
    "a talon that breaks what was announced": Case(
        "illustrated_tarock",
        {0: "S7 S8 S9 S10", 1: "HK", 2: "DK"},
        "bid:three_cards announce:without_kings end pass pass talon:1",
        {0: {"forced_loss": {0}, "to_discard": {0, 1, 2}}, 1: {"forced_loss": {0}, "taken": at(0, "CK", "CQ", "CN")}},
        talon="SK SQ SN CK CQ CN",
    ),
    "an announced card that is laid away": Case(
        "illustrated_tarock",
        {0: "T2 T5 S7", 1: "T22"},
        "bid:three_cards announce:uhu end pass pass talon:0 T2 T5",
        {
            0: {"discards": at(0, "T2", "T5"), "shown": at(0, "T2"), "exposed": set(), "to_discard": {0}},
            1: {"discards": at(0, "T2"), "shown": at(0, "T2"), "exposed": set(), "announced": {9}},
        },
        talon="C7 C8 C9",
    ),
    "an announced card that is still in the hand": Case(
        "illustrated_tarock",
        {0: "T2 T5 S7", 1: "T22"},
        "bid:three_cards announce:uhu end pass pass",
        {1: {"exposed": at(1, "T2"), "shown": set()}, 2: {"exposed": at(0, "T2")}},
        talon="C7 C8 C9",
    ),
    "the same before its holder is declarer": Case(
        "illustrated_tarock",
        {0: "T2 T5 S7", 1: "T22"},
        "bid:three_cards announce:uhu end pass",
        {1: {"exposed": set(), "announced": {9}}},
        talon="C7 C8 C9",
    ),
    "a false declaration": Case(
        "illustrated_tarock",
        {0: "S7", 1: "T22", 2: "T21"},
        "bid:solo end pass pass end announce:trull announce:kings",
        {0: {"declared": {10, 12}, "opening_turn": set()}, 1: {"declared": {0, 2}}},
        options={"false_declarations": "penalised"},
    ),
    "a talon of six that is turned up": Case(
        "koenigrufen_pagat",
        {0: "S7 S8"},
        "wait pass pass pass bid:sechserdreier S7",
        {
            0: {
                "taken": at(0, "T17", "T18", "T19", "T20", "T21", "T22"),
                "to_discard": {0, 1, 2, 3, 4},
                "discards": at(0, "S7"),
            },
            1: {"taken": at(0, "T17", "T18", "T19", "T20", "T21", "T22"), "discards": set()},
        },
        talon="T17 T18 T19 T20 T21 T22",
        options={"six_talon_exposed": True},
    ),
    "the same face down": Case(
        "koenigrufen_pagat",
        {0: "S7 S8"},
        "wait pass pass pass bid:sechserdreier S7",
        {0: {"taken": at(0, "T17", "T18", "T19", "T20", "T21", "T22")}, 1: {"taken": set(), "called": set()}},
        talon="T17 T18 T19 T20 T21 T22",
    ),
    "the rest of a talon that a called king wins is no card of his trick": Case(
        "tarok_furr_4p",
        {0: "SQ", 1: "S7 C7", 2: "S8", 3: "S9"},
        "bid:call_with_two pass pass pass call:SK talon:0 C7 C8 end end end end SQ SK S8 S9",
        {1: {"tricks_won": {0}, "points_won": {0, 1}, "taken": at(0, "SK", "C8")}},  # 25 thirds, 8 points
        talon="SK C8 HK DK CK T22",
    ),
    "a raise makes the called king forgotten": Case(
        "tarok_furr_4p",
        {1: "SK CK HK C7 C8"},
        "bid:call_with_two pass pass pass call:fourth talon:1 C7 C8 bid:colour_slam",
        {0: {"called": set(), "fourth": set(), "contract": {12}, "with_declarer": {1}, "against_declarer": {0, 2, 3}}},
        talon="DK S7",
        options={"raise_when_alone_by_talon": True},
    ),
    "T1 of an announced ultimo that must be kept": Case(
        "slovenian_4p",
        {0: "T22", 1: "T20 S7", 2: "T1 DK", 3: "T21"},
        "bid:two pass pass pass bid:two call:DK talon:0 C7 C8 end announce:pagat_ultimo announce:king_ultimo",
        {3: {"exposed": at(2, "T1"), "announced": {4, 6}}, 2: {"exposed": set()}, 1: {"exposed": at(0, "T1")}},
        talon="C7 C8",
        options={"announced_ultimo_hold": True},
    ),
}


def deal(engine: Engine, case: Case) -> np.ndarray:
    """The case's hand before its first decision."""
    given = {card for cards in (*case.cards.values(), case.talon) for card in cards.split()}
    rest = [card for card in DECK if card not in given]
    rest = [card for first in range(7) for card in rest[first::7]]  # trumps and suits for everybody
    hands = [case.cards.get(seat, "").split() for seat in range(engine.P)]
    for hand in hands:
        while len(hand) < 48 // engine.P:
            hand.append(rest.pop())
    return engine.from_deal(hands, case.talon.split() + rest, engine.P - 1)


def scripted(engine: Engine, state: np.ndarray, actions: list[str]) -> Trace:
    """The actions as a trace of one hand."""
    start, numbers = engine.copy(state), np.array([[engine.actions.index(action)] for action in actions])
    for number in numbers:
        engine.step(state, number)
    none = np.zeros(numbers.shape, np.uint64)
    return Trace(engine, start, state, numbers, none, none, none)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_rare_things(case: Case) -> None:
    engine = tarock_env.make(case.ruleset, **case.options)
    trace = scripted(engine, deal(engine, case), case.actions.split())
    assert compare(trace).lines == []
    for seat, expected in case.bits.items():
        bits = encode(engine, observe(engine, trace.end, seat))[0]
        told = {name: set(np.flatnonzero(bits[layout(engine.ruleset).slices[name]]).tolist()) for name in expected}
        assert told == expected, seat
