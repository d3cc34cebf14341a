"""One position for each rule of thumb: the cards, what was said and played, and what the heuristic player does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import tarock_env
from agents.heuristic.agent import HeuristicAgent
from tarock_env.codes import Phase
from tarock_env.view import observe
from tests.engine.positions import act, bid_to, deal, on_to

STRONG = "T22 T21 T20 T18 T17 T15 T13 T1 SK SQ HK D4"
WEAK = "T5 T9 T12 T14 SQ SJ CN CJ HQ HJ DN DJ"


@pytest.fixture(scope="module")
def engine() -> tarock_env.Engine:
    return tarock_env.make("koenigrufen_pagat")


def chosen(engine: tarock_env.Engine, state: np.ndarray) -> str:
    """The name of the heuristic's action in a single hand."""
    views, mask = observe(engine, state), engine.legal(state)
    action = int(HeuristicAgent(engine).act(views, mask, np.zeros(1, np.uint64))[0])
    assert mask[0, action]
    return engine.actions.name(action)


def at_play(engine: tarock_env.Engine, contract: str, hands: Mapping[Any, str], talon: str = "", **kw: Any) -> np.ndarray:
    """A hand at its first lead."""
    return on_to(engine, bid_to(engine, deal(engine, hands, talon), contract, **kw), Phase.PLAY)


# ------------------------------------------------------------------ auction


def test_forehand_waits(engine: tarock_env.Engine) -> None:
    assert chosen(engine, deal(engine, {0: WEAK})) == "wait"


def test_a_weak_hand_passes(engine: tarock_env.Engine) -> None:
    state = act(engine, deal(engine, {1: WEAK}), "wait")
    assert chosen(engine, state) == "pass"


def test_seven_trumps_with_honours_are_a_game_alone(engine: tarock_env.Engine) -> None:
    state = act(engine, deal(engine, {1: "T22 T21 T18 T16 T13 T9 T8 SK SQ HK D4 D3"}), "wait")
    assert chosen(engine, state) == "bid:dreier"


def test_ten_trumps_need_no_talon(engine: tarock_env.Engine) -> None:
    state = act(engine, deal(engine, {1: "T22 T21 T20 T19 T18 T17 T16 T14 T12 T1 SK HK"}), "wait")
    assert chosen(engine, state) == "bid:solodreier"


def test_only_low_cards_take_no_trick(engine: tarock_env.Engine) -> None:
    state = act(engine, deal(engine, {1: "S7 S8 S9 C7 C8 C9 H4 H3 H2 D4 D3 D2"}), "wait")
    assert chosen(engine, state).startswith("bid:bettel")


def test_forehand_avoids_points_with_few_low_trumps(engine: tarock_env.Engine) -> None:
    hand = "T2 T4 T6 S7 S8 SQ C8 CN H4 HJ D4 DN"
    state = act(engine, deal(engine, {0: hand}), "wait", "pass", "pass", "pass")
    assert chosen(engine, state) == "bid:trischaken"


def test_forehand_calls_a_king_with_a_middling_hand(engine: tarock_env.Engine) -> None:
    hand = "T19 T17 T14 T9 T6 SK SQ CQ C8 H4 DQ D3"
    state = act(engine, deal(engine, {0: hand}), "wait", "pass", "pass", "pass")
    assert chosen(engine, state) == "bid:rufer"


def test_nobody_bids_against_a_standing_game_with_nothing(engine: tarock_env.Engine) -> None:
    state = act(engine, deal(engine, {2: WEAK}), "wait", "bid:dreier")
    assert chosen(engine, state) == "pass"


# ------------------------------------------------------------------ king, talon, discards


@pytest.mark.parametrize(
    ("hand", "call"),
    [
        ("T20 T14 T9 T6 T3 SK SQ CQ C8 H4 H3 D3", "call:CK"),  # a guarded queen
        ("T20 T14 T9 T6 T3 SK SQ S8 CN C8 D3 D1", "call:CK"),  # a guarded knight, not the void
        ("T20 T14 T9 T6 T3 SK CK HK SQ DQ D3 D1", "call:fourth"),
    ],
)
def test_king_is_called_where_it_helps(engine: tarock_env.Engine, hand: str, call: str) -> None:
    state = bid_to(engine, deal(engine, {0: hand}), "rufer")
    assert state["phase"][0] == Phase.CALL_KING
    assert chosen(engine, state) == call


@pytest.mark.parametrize(
    ("talon", "group"),
    [
        ("T22 S7 C7 T8 T9 T10", "talon:0"),  # an honour
        ("SQ CQ HQ T17 T9 H4", "talon:1"),  # trumps before points
        ("CK S7 S8 T7 H4 HJ", "talon:0"),  # the called king
    ],
)
def test_better_half_of_the_talon(engine: tarock_env.Engine, talon: str, group: str) -> None:
    hand = "T20 T14 T6 T3 T2 SK SJ CJ C8 H3 H1 D3"
    state = act(engine, bid_to(engine, deal(engine, {0: hand}, talon), "rufer"), "call:CK")
    assert chosen(engine, state) == group


def test_discards_make_a_void_and_bank_a_queen(engine: tarock_env.Engine) -> None:
    hand = "T22 T20 T18 T16 T12 T9 T6 SK S8 S7 HQ D4"
    state = bid_to(engine, deal(engine, {0: hand}, "T11 T10 H1 CJ C8 C7"), "dreier")
    act(engine, state, "talon:0")
    laid = []
    while state["phase"][0] == Phase.DISCARD:
        laid.append(chosen(engine, state))
        act(engine, state, laid[-1])
    assert set(laid) == {"HQ", "H1", "D4"}


# ------------------------------------------------------------------ announcements


def test_trull_in_hand_is_announced(engine: tarock_env.Engine) -> None:
    hand = "T22 T21 T20 T18 T17 T15 T13 T1 SK SQ CQ C8"
    state = on_to(engine, bid_to(engine, deal(engine, {0: hand}), "rufer"), Phase.ANNOUNCE, "CK")
    assert chosen(engine, state) == "announce:trull"


def test_nothing_is_announced_without_a_reason(engine: tarock_env.Engine) -> None:
    state = on_to(engine, bid_to(engine, deal(engine, {0: WEAK}), "rufer"), Phase.ANNOUNCE, "CK")
    assert chosen(engine, state) == "end"


def test_an_announced_card_in_the_own_hand_is_doubled(engine: tarock_env.Engine) -> None:
    state = bid_to(engine, deal(engine, {0: WEAK, 1: "T1 T22 T19 T17 T13 T11 T10"}), "dreier")
    act(engine, on_to(engine, state, Phase.ANNOUNCE), "announce:pagat_ultimo", "end")
    assert chosen(engine, state) == "contra:pagat_ultimo@declarer"


# ------------------------------------------------------------------ play


def test_strong_declarer_draws_trumps(engine: tarock_env.Engine) -> None:
    state = at_play(engine, "dreier", {0: STRONG})
    assert chosen(engine, state).startswith("T")
    assert chosen(engine, state) != "T1"


def test_defender_does_not_lead_trumps(engine: tarock_env.Engine) -> None:
    state = at_play(
        engine, "dreier", {0: "T20 T12 T9 T7 C8 C9 H4 H3 S7 S8 S9 DJ", 1: STRONG.replace("T20", "T19")}, declarer=1
    )
    assert not chosen(engine, state).startswith("T")


def test_mond_is_not_led_while_the_skues_is_out(engine: tarock_env.Engine) -> None:
    state = at_play(engine, "solodreier", {0: "T21 T20 T19 T18 T17 T16 T15 T14 SK HK DK CK"})
    assert chosen(engine, state) != "T21"


def test_points_under_an_allys_trick(engine: tarock_env.Engine) -> None:
    hands = {0: "C8 T5 T6", 1: STRONG, 2: "CK C9 T7", 3: "CQ CJ C7 T9"}
    state = act(engine, at_play(engine, "dreier", hands, declarer=1), "C8")
    state_after = act(engine, state, chosen(engine, state), "CK")
    if int(state_after["best"][0]) < 32:  # the king stands
        assert chosen(engine, state_after) == "CQ"


def test_last_player_takes_with_the_cheapest_card(engine: tarock_env.Engine) -> None:
    hands = {0: "HQ", 1: "HN T2", 2: "HJ", 3: "T19 T12 T6 SK SQ S9 S8 CK CQ C7 D4 D3"}
    state = act(engine, at_play(engine, "solodreier", hands, declarer=3), "HQ", "HN", "HJ")
    assert chosen(engine, state) == "T6"


def test_small_card_under_an_enemys_trick(engine: tarock_env.Engine) -> None:
    hands = {0: "C9", 1: "CK T22", 2: "CQ CJ C8 T2", 3: "C10"}
    state = act(engine, at_play(engine, "solodreier", hands, declarer=1), "C9", "CK")
    assert chosen(engine, state) == "C8"


# ------------------------------------------------------------------ contracts about tricks or points to avoid


def test_bettel_declarer_dumps_the_most_dangerous_loser(engine: tarock_env.Engine) -> None:
    hands = {0: "S9 S8 S7 C7 C8 C9 H4 H3 H2 D4 D3 D2", 1: "SK", 2: "S10", 3: "SJ"}
    state = act(
        engine, at_play(engine, "bettel", {**hands, 1: "SK", 0: "S10 S8 S7 C7 C8 C9 H4 H3 H2 D4 D3 D2", 2: "SN"}), "S7"
    )
    assert state["actor"][0] == 1
    low = at_play(engine, "bettel", hands)
    assert chosen(engine, low)[1:] in ("7", "4")


def test_opponent_stays_below_a_declarer_who_avoids_tricks(engine: tarock_env.Engine) -> None:
    hands = {0: "S7 S8 C7 C8 C9 H4 H3 H2 D4 D3 D2 S9", 1: "T5 T9 T20 T22"}
    state = at_play(engine, "bettel", hands)
    act(engine, state, "D2")
    after = chosen(engine, state)
    assert after[0] in "DT"


def test_nobody_leads_high_where_points_are_avoided(engine: tarock_env.Engine) -> None:
    state = act(engine, deal(engine, {0: "SK SQ S7 T22 T20 T3 CK C7 H4 H3 D4 D3"}), "wait", "pass", "pass", "pass")
    act(engine, state, "bid:trischaken")
    assert chosen(engine, state) in ("S7", "C7", "H4", "H3", "D4", "D3", "T3")


def test_points_go_under_a_lost_trick(engine: tarock_env.Engine) -> None:
    hands = {0: "SK S8", 1: "SQ S7 T2"}
    state = act(engine, deal(engine, hands), "wait", "pass", "pass", "pass", "bid:trischaken", "SK")
    assert chosen(engine, state) == "SQ"


def test_planned_trick_is_cashed(engine: tarock_env.Engine) -> None:
    hand = "T22 S7 S8 C7 C8 C9 H4 H3 H2 D4 D3 S9"
    state = at_play(engine, "piccolo", {0: hand})
    first = chosen(engine, state)
    assert first == "T22" or first[1:] in ("7", "4")
