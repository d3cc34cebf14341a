"""The worked examples of the Königrufen rulebook, parts C, K2, K3 and appendix 5; the data are in tests/cases."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tarock_env
from tarock_env import Engine, IllegalAction
from tarock_env.cards import CODES, codes_in, set_of, table_points, thirds_in
from tarock_env.codes import NONE, Phase
from tarock_env.engine import counting, payment
from tarock_env.engine import deal as dealing
from tarock_env.view import observe
from tests.engine.positions import act, bid_to, deal, finished, on_to, trick
from tests.lockstep import engine_result

CASES = json.loads((Path(__file__).parents[1] / "cases" / "koenigrufen.json").read_text(encoding="utf-8"))
PAGAT, FURR = "koenigrufen_pagat", "koenigrufen_furr"


@functools.cache
def _make(ruleset: str, options: str) -> Engine:
    return tarock_env.make(ruleset, **json.loads(options))


def engine_of(row: dict[str, Any], options: dict[str, Any] | None = None) -> Engine:
    """The row's engine; skips the test while its ruleset does not exist."""
    if row["ruleset"] not in tarock_env.available():
        pytest.skip(f"no ruleset {row['ruleset']} yet")
    return _make(row["ruleset"], json.dumps(row.get("options", {}) if options is None else options))


def rows(kind: str) -> Any:
    """Parametrise a test with the rows of one kind."""
    return pytest.mark.parametrize("row", CASES[kind], ids=lambda row: f"{row['id']} {row.get('options') or ''}".strip())


# ------------------------------------------------------------------ part C


@pytest.mark.parametrize("row", CASES["piles"], ids=lambda row: row["pile"])
def test_counting(row: dict[str, Any]) -> None:
    pile = np.uint64(set_of(row["pile"].split()))
    assert (thirds_in(pile), table_points(thirds_in(pile))) == (row["thirds"], row["points"])


def test_table_points_of_complementary_piles_are_70_and_36_is_107_thirds() -> None:
    points = [table_points(thirds) for thirds in range(211)]
    assert all(points[thirds] + points[210 - thirds] == 70 for thirds in range(211))
    assert next(thirds for thirds in range(211) if points[thirds] >= counting.WINNING) == 107


@rows("winners")
def test_trick_winner(row: dict[str, Any]) -> None:
    engine = engine_of(row)
    cards = row["trick"].split()
    state = trick(engine, row["contract"], cards)
    expected = cards.index(row["winner"])
    assert int(state["leaders"][0, 1]) == expected
    assert state["tricks"][0].tolist() == [int(seat == expected) for seat in range(5)]
    assert codes_in(state["won"][0, expected]) == codes_in(set_of(cards))


@rows("legal")
def test_legal_cards(row: dict[str, Any]) -> None:
    engine = engine_of(row)
    state = trick(engine, row["contract"], row["trick"].split(), row["hand"].split())
    assert sorted(engine.legal_names(state)) == sorted(row["legal"].split())


def test_discards_of_three() -> None:
    """C6: suit cards first, then a free choice of trumps, which are shown."""
    engine = engine_of({"ruleset": PAGAT})
    state = deal(engine, {0: "SK CK HK DK T1 T21 T22 H4 D4 T5 T6 T9"}, "T10 T11 T12")
    bid_to(engine, state, "dreier")
    act(engine, state, "talon:0")
    assert sorted(engine.legal_names(state)) == ["D4", "H4"]
    act(engine, state, "H4")
    assert engine.legal_names(state) == ["D4"]
    act(engine, state, "D4")
    assert sorted(engine.legal_names(state)) == sorted(["T5", "T6", "T9", "T10", "T11", "T12"])
    act(engine, state, "T9")
    assert (codes_in(state["discards"][0]), codes_in(state["shown"][0])) == (["T9", "H4", "D4"], ["T9"])
    assert state["phase"][0] == Phase.ANNOUNCE


def test_discards_of_six_may_be_cards_just_taken() -> None:
    engine = engine_of({"ruleset": PAGAT})
    hand = "SK CK HK DK T1 T21 T22 T5 T6 T9 T10 T11"
    state = deal(engine, {0: hand}, "H4 H3 H2 D4 D3 D2")
    bid_to(engine, state, "sechserdreier")
    act(engine, state, "H4", "H3", "H2", "D4", "D3", "D2")
    assert codes_in(state["hands"][0, 0]) == codes_in(set_of(hand.split()))
    assert codes_in(state["shown"][0]) == []


# ------------------------------------------------------------------ deal, auction, king


@pytest.mark.parametrize(
    "ruleset, places",
    [(PAGAT, "0 1 2 3 talon 0 1 2 3"), (FURR, "0 1 2 3 0 1 2 3 talon")],
)
def test_the_pack_is_dealt_in_sixes(ruleset: str, places: str) -> None:
    engine = engine_of({"ruleset": ruleset})
    state = engine.reset(1, dealer=3)
    dealing._hand_out(state[0], engine.rules[0], np.arange(54))
    packets = places.split()
    expected = {
        place: [card for i, p in enumerate(packets) if p == place for card in range(6 * i, 6 * i + 6)] for place in packets
    }
    assert state["talon"][0].tolist() == expected.pop("talon")
    assert {place: int(state["hands"][0, int(place)]) for place in expected} == {
        place: sum(1 << card for card in cards) for place, cards in expected.items()
    }


@rows("auctions")
def test_auction(row: dict[str, Any]) -> None:
    engine = engine_of(row)
    state = act(engine, deal(engine), *row["calls"].split())
    if row["legal"] is not None:
        assert int(state["actor"][0]) == row["turn"]
        assert sorted(engine.legal_names(state)) == sorted(row["legal"].split())
    elif row["contract"] is None:
        assert state["done"][0]
        assert state["contract"][0] == NONE
        assert state["scores"][0].tolist() == [0] * 5
        assert state["n_items"][0] == 0
    else:
        assert engine.ruleset.contracts[int(state["contract"][0])].id == row["contract"]
        assert int(state["declarer"][0]) == row["declarer"]
        assert state["phase"][0] not in (Phase.AUCTION, Phase.CHOICE)


def test_an_equal_bid_by_a_lower_seat_is_illegal() -> None:
    engine = engine_of({"ruleset": PAGAT})
    state = act(engine, deal(engine), "bid:bettel", "pass")
    with pytest.raises(IllegalAction, match="illegal action bid:bettel"):
        act(engine, state, "bid:bettel")


def test_last_calls_are_told_apart() -> None:
    """What everybody said last: "wait", a pass, a contract, nothing yet; views show the same."""
    engine = engine_of({"ruleset": PAGAT})
    state = act(engine, deal(engine), "wait", "pass", "bid:piccolo")
    contract = [row.id for row in engine.ruleset.contracts].index("piccolo")
    assert state["last_call"][0].tolist() == [-3, -2, contract, NONE, NONE]
    assert observe(engine, state, 3)["last_call"][0].tolist() == [-3, -2, contract, NONE, NONE]


def test_trischaken_has_no_declarer() -> None:
    engine = engine_of({"ruleset": PAGAT})
    state = bid_to(engine, deal(engine), "trischaken")
    assert (int(state["declarer"][0]), int(state["partner"][0]), int(state["actor"][0])) == (NONE, NONE, 0)


@rows("calls")
def test_callable_kings(row: dict[str, Any]) -> None:
    engine = engine_of(row)
    kings = {"SK", "CK", "HK", "DK"}
    others = " ".join(sorted(kings - set(row["hand"].split())))
    state = bid_to(engine, deal(engine, {0: row["hand"], 1: others}), row["contract"])
    assert sorted(engine.legal_names(state)) == sorted(row["legal"].split())


@pytest.mark.parametrize(
    "hands, talon, call, partner",
    [
        ({0: "SK CK HK", 2: "DK"}, "", "call:fourth", 2),
        ({0: "SK CK HK"}, "DK", "call:fourth", NONE),
        ({0: "SK", 3: "HK"}, "", "call:HK", 3),
        ({0: "SK"}, "", "call:SK", NONE),
        ({}, "HK", "call:HK", NONE),
    ],
)
def test_partner(hands: dict[int, str], talon: str, call: str, partner: int) -> None:
    engine = engine_of({"ruleset": PAGAT})
    state = act(engine, bid_to(engine, deal(engine, hands, talon), "solo"), call)
    assert int(state["partner"][0]) == partner


@pytest.mark.parametrize(
    "contract, leader",
    [("rufer", 0), ("trischaken", 0), ("sechserdreier", 0)]
    + [(name, 2) for name in ("piccolo", "zwiccolo", "bettel", "piccolo_ouvert", "bettel_ouvert", "farbensolo")]
    + [(name, 0) for name in ("solo", "besserrufer", "dreier", "besserdreier", "solodreier")],
)
def test_first_lead(contract: str, leader: int) -> None:
    """K3.6: forehand in positive contracts whoever is declarer; declarer in negative ones and in Farbensolo."""
    engine = engine_of({"ruleset": PAGAT})
    reserved = contract in ("rufer", "trischaken", "sechserdreier")
    state = on_to(engine, bid_to(engine, deal(engine), contract, 0 if reserved else 2), Phase.PLAY)
    assert int(state["actor"][0]) == leader


# ------------------------------------------------------------------ announcements


@rows("talks")
def test_announcements(row: dict[str, Any]) -> None:
    """Script: ``1:a`` seat 1 says a · ``1!a`` it may not · ``1=a,b`` its whole legal set · ``x`` the phase is over."""
    engine = engine_of(row)
    state = bid_to(engine, deal(engine, row["hands"], row["talon"]), row["contract"], row["declarer"])
    while state["phase"][0] < Phase.ANNOUNCE:
        legal = engine.legal_names(state)
        act(engine, state, f"call:{row['called']}" if f"call:{row['called']}" in legal else legal[-1])
    for step in row["script"].split():
        if step == "x":
            assert state["phase"][0] == Phase.PLAY
            continue
        seat, kind, action = int(step[0]), step[1], step[2:]
        legal = engine.legal_names(state)
        assert (state["phase"][0], int(state["actor"][0])) == (Phase.ANNOUNCE, seat), step
        if kind == "=":
            assert sorted(legal) == sorted(action.split(",")), step
        elif kind == "!":
            assert action not in legal, step
        else:
            act(engine, state, action)


# ------------------------------------------------------------------ scoring

SCORED = [(row, case) for row in CASES["scores"] for case in row["cases"]]


@pytest.mark.parametrize("row, case", SCORED, ids=[f"{row['id']} {case['options'] or ''}".strip() for row, case in SCORED])
def test_scoring(row: dict[str, Any], case: dict[str, Any]) -> None:
    """Scores and items of the golden examples, from the tricks as they were played."""
    engine = engine_of(row, case["options"])
    state = finished(engine, row)
    payment.settle(state[0], engine.rules[0])
    result = engine_result(engine, state[0])
    assert result["scores"] == case["scores"]
    if case["items"] is None:  # no sides: one game item for each seat
        assert [(item["item"], item["side"], item["value"]) for item in result["items"]] == [
            ("game", seat, score) for seat, score in enumerate(case["scores"])
        ]
        return
    found = {}
    for item in result["items"]:
        name = "game" if item["item"] == "game" else f"{item['item']}@{item['side']}{'!' if item['announced'] else ''}"
        found[name] = item["value"]
        level = row["game_contra"] if name == "game" else row["announced"].get(name.removesuffix("!"), 0)
        assert item["contra"] == level, name
    assert found == case["items"]


def test_the_golden_positions_hold_what_they_claim() -> None:
    """Thirds of each pile, and that no card lies in two places."""
    for row in CASES["scores"]:
        played = [card for line in row["tricks"] for card in line.split(":")[1].split(">")[0].split()]
        assert len(set(played)) == len(played) == 4 * len(row["tricks"])
        assert set(row["discards"].split()) & set(played) == set()
        assert set(row["taken"].split()) <= set(row["talon"].split())
        assert set(row["taken"].split()) <= set(played) | set(row["discards"].split())
        if len(row["tricks"]) == 12:
            rest = set(row["talon"].split()) - set(row["taken"].split())
            assert set(played) | set(row["discards"].split()) | rest == set(CODES)


@pytest.mark.parametrize("row", [row for row in CASES["scores"] if "thirds" in row], ids=lambda row: row["id"])
def test_thirds_of_piles_without_sides(row: dict[str, Any]) -> None:
    engine = engine_of(row)
    g = finished(engine, row)[0]
    assert [counting.pile_thirds(g, engine.rules[0], seat) for seat in range(4)] == row["thirds"]
