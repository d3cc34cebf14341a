"""Every bit of an observation: positions worked out by hand, and the second writing at every decision of many hands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tarock_env
from tarock_env.encoding import encode, layout
from tarock_env.view import observe
from tests import observer
from tests.envs.playing import RULESETS
from tests.observer import Counts, compare, compare_hands, compare_mixtures, compare_sessions, follow, names_of, traces
from tests.reference.observing import Followed
from tests.reference.observing_bits import Bits, Names, observation

ALL = set(range(54))
S, C, H, D, T = ({*range(8)}, {*range(8, 16)}, {*range(16, 24)}, {*range(24, 32)}, {*range(32, 54)})


def trumps(first: int, last: int) -> set[int]:
    """Their card numbers."""
    return {31 + number for number in range(first, last + 1)}


#: each a suit and four trumps; T17 to T22 lie in the talon
FOUR_HANDS = [S | trumps(1, 4), C | trumps(5, 8), H | trumps(9, 12), D | trumps(13, 16)]
#: black suits with the high cards of a red one and four trumps each; both red pips with eight trumps
THREE_HANDS = [S | {20, 21, 22, 23} | trumps(1, 4), C | {28, 29, 30, 31} | trumps(5, 8)]
THREE_HANDS.append(ALL - THREE_HANDS[0] - THREE_HANDS[1] - trumps(17, 22))
TALON = sorted(trumps(17, 22))

AUCTION = {
    "ruleset": "koenigrufen_pagat",
    "before": {"scores": [0, 6, -6, 13]},
    "actions": "wait bid:solo pass",
    "viewer": 1,  # places: seats 1, 2, 3, 0
    "bits": {
        "phase": {2},
        "hand": FOUR_HANDS[1],
        "unseen": ALL - FOUR_HANDS[1],
        "standing_bid": {5},
        "holder": {0},
        "last_call": {5, 16 + 14, 3 * 16 + 15},  # solo, pass, nothing, wait
        "active": {0, 2, 3},
        "forehand": {3},
        "mode": {0},
        "total_ahead": {0, 12, 13},  # own 6; 7 more: a step, and one for the 1 that is left
        "total_behind": {6, 7, 18},  # 12 less: a step, and one for 6; 6 less
    },
}
TALON_CHOICE = {
    "ruleset": "slovenian_4p",
    "before": {"rings": [0, 2, 0, 5]},
    "actions": "bid:two pass pass pass bid:two call:HK",
    "viewer": 2,  # the partner; places: seats 2, 3, 0, 1
    "bits": {
        "phase": {5},
        "hand": FOUR_HANDS[2],
        "unseen": ALL - FOUR_HANDS[2] - set(TALON),
        "talon_groups": {48, 49, 54 + 50, 54 + 51, 108 + 52, 108 + 53},
        "standing_bid": {2},
        "holder": {3},
        "last_call": {13, 15 + 13, 30 + 13, 45 + 2},  # pass three times, two
        "active": {3},
        "contract": {2},
        "declarer": {3},
        "called": {2},
        "with_declarer": {0, 3},
        "against_declarer": {1, 2},
        "forehand": {2},
        "mode": {0},
        "rings": {4, 5, 6, 7, 12, 13},  # five are shown as four
    },
}
TRICK = {
    "ruleset": "tarok_furr_3p",
    "before": {},
    # seat 1 takes T17 and lays C7 away; T9 takes SK and T5; to H1 falls HJ
    "actions": "bid:solo_with_one pass pass talon:0 C7 pass announce:trull end end end SK T5 T9 H1 HJ",
    "viewer": 0,  # places: seats 0, 1, 2
    "bits": {
        "phase": {9},
        "hand": THREE_HANDS[0] - {7, 20},
        "unseen": (THREE_HANDS[1] | THREE_HANDS[2]) - {36, 40, 19},  # C7 among them
        "played": {7, 20, 54 + 36, 108 + 40, 108 + 19},
        "trick": {54 + 19},
        "best_card": {20},
        "taken": {48},
        "trick_number": {1},
        "place": {2},
        "trick_leader": {2},
        "standing_bid": {3},
        "holder": {1},
        "last_call": {9, 11 + 3, 22 + 9},
        "active": {1},
        "contract": {3},
        "declarer": {1},
        "with_declarer": {1},
        "against_declarer": {0, 2},
        "announced": {0},
        "tricks_won": {32},
        "points_won": {28},  # 15 thirds, 5 points, one five
        "voids": {5, 10},
        "forehand": {0},
        "mode": {0},
    },
}
ANNOUNCEMENTS = {
    "ruleset": "illustrated_tarock",
    "before": {},
    # the game is doubled twice before the draw; T17, T18, T19 are taken, S7, S8, S9 laid away
    "actions": (
        "bid:three_cards announce:pagat_ultimo end contra:game end pass contra:game end pass pass "
        "talon:0 S7 S8 S9 announce:with_40"
    ),
    "viewer": 1,  # places: seats 1, 2, 0
    "bits": {
        "phase": {8},
        "hand": THREE_HANDS[1],
        "unseen": ALL - THREE_HANDS[1] - set(TALON) - {32},
        "taken": {48, 49, 50},
        "exposed": {54 + 32},
        "standing_bid": {0},
        "holder": {2},
        "number_of_bids": {0},
        "last_call": {6, 8 + 6, 16},
        "active": {2},
        "contract": {0},
        "declarer": {2},
        "with_declarer": {2},
        "against_declarer": {0, 1},
        "announced": {3 * 2 + 1, 6 * 2},
        "contra": {0, 1},
        "opening_turn": {0},
        "forehand": {2},
        "mode": {0},
    },
}


@pytest.mark.parametrize("position", [AUCTION, TALON_CHOICE, TRICK, ANNOUNCEMENTS], ids=lambda one: one["ruleset"])
def test_positions_worked_out_by_hand(position: dict[str, Any]) -> None:
    engine = tarock_env.make(position["ruleset"])
    hands = FOUR_HANDS if engine.P == 4 else THREE_HANDS
    state = engine.from_deal([sorted(hand) for hand in hands], TALON, engine.P - 1, position["before"])
    hand = follow(engine, state[0])
    for action in position["actions"].split():
        engine.step(state, engine.actions.index(action))
        hand.apply(action)
    viewer = position["viewer"]
    bits = encode(engine, observe(engine, state, viewer))[0]
    second = observation(hand, viewer, names_of(engine))
    for name, part in layout(engine.ruleset).slices.items():
        expected = position["bits"].get(name, set())
        assert set(np.flatnonzero(bits[part]).tolist()) == expected, name
        assert {place for place, bit in enumerate(second[name]) if bit} == expected, name


def agree(counts: Counts, hands: int) -> None:
    assert counts.lines == []
    assert counts.hands >= hands
    assert counts.bits > 100_000 * hands


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_second_writing_agrees(ruleset: str) -> None:
    agree(compare_hands(ruleset, 12, seed=1), 12)
    agree(compare_hands(ruleset, 10, seed=2), 10)  # skewed cards, and a session behind them
    agree(compare_mixtures(ruleset, 5, 2, seed=11), 10)
    agree(compare_sessions(ruleset, 2, seed=3), 2)


@pytest.mark.parametrize(
    "options", [{"knock": "agent"}, {"knock": "random", "table_size": 5}, {"table_size": 5}], ids=["knock", "random", "five"]
)
def test_the_second_writing_agrees_on_other_deals(options: dict[str, Any]) -> None:
    agree(compare_hands("koenigrufen_pagat", 6, seed=5, options=options), 6)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_second_writing_agrees_at_length(ruleset: str) -> None:
    agree(compare_hands(ruleset, 200, seed=21), 200)
    agree(compare_mixtures(ruleset, 30, 5, seed=31), 150)
    agree(compare_sessions(ruleset, 10, seed=41), 10)


@pytest.mark.parametrize("name", layout(tarock_env.load("illustrated_tarock")).full_slices)
def test_a_bit_that_differs_is_reported(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def flipped(hand: Followed, viewer: int, names: Names, full: bool = False) -> dict[str, Bits]:
        parts = observation(hand, viewer, names, full)
        if name in parts and viewer == hand.referee.actor and len(hand.said) == 20:
            parts[name][-1] ^= 1
        return parts

    monkeypatch.setattr(observer, "observation", flipped)
    trace = next(traces("illustrated_tarock", 1, 1, {}))
    counts = compare(trace)
    assert {line.split(": ")[1] for line in counts.lines} == {name}
    full = layout(trace.engine.ruleset).full_slices
    assert counts.different == (1 if name in list(full)[-3:] else 3)  # float, packed, critic
