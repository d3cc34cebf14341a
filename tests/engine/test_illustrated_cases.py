"""The worked examples of Illustrated Tarock (parts H5 and H6) and its clarifications (part K), played through the engine.

Every scoring row is a whole hand in tests/cases/illustrated-hands.json; see test_slovenian_cases.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tarock_env import Engine
from tarock_env.cards import codes_in, set_of
from tarock_env.codes import NONE, Phase
from tarock_env.view import observe
from tests.engine.facts import HONOURS, KINGS, ROWS, Facts, begin, discarding, engine_of, hands_in, items, play
from tests.engine.positions import act, deal, refresh, trick
from tests.lockstep import engine_result

ILLUSTRATED = "illustrated_tarock"
HANDS = hands_in("illustrated-hands")
SCORED = [case for case in ROWS["P1"] if "totals" not in case["input"]]
MATCHES = [case for case in ROWS["P1"] if "totals" in case["input"]]
BONUSES = {
    "with40": "with_40",
    "with50": "with_50",
    "wo_kings": "without_kings",
    "pagat": "pagat_ultimo",
    "cockatoo": "kakadu",
    "half": "half_trull",
    "honours": "trull",
    "kings": "kings",
}
IN_A_MATCH = (1 << 30) - 1


# ------------------------------------------------------------------ H5


@pytest.mark.parametrize("case", SCORED, ids=lambda case: case["id"])
def test_scoring(case: dict[str, Any]) -> None:
    hand, totals = HANDS[case["id"]], [4, 0, 9]
    engine = engine_of(ILLUSTRATED, **hand["options"])
    state = play(engine, hand, scores=totals)
    assert_facts(engine, state, case["input"])
    scores = case["expected"]["scores"]
    assert state["scores"][0, :3].tolist() == scores
    assert items(engine, state) == sorted(hand["items"])
    goal = [
        10 * (before + score >= 100 and max(map(sum, zip(totals, scores))) > 100) for before, score in zip(totals, scores)
    ]
    assert state["totals"][0, :3].tolist() == [sum(parts) for parts in zip(totals, scores, goal)]
    if "raw" in case["expected"]:
        multiplier = engine.ruleset.contracts[int(state["contract"][0])].multiplier
        assert scores == [multiplier * raw for raw in case["expected"]["raw"]]


def assert_facts(engine: Engine, state: np.ndarray, given: dict[str, Any]) -> None:
    """The hand is what the row describes."""
    facts, g = Facts(engine, state[0]), state[0]
    if "points" in given:
        assert facts.points_by_seat == given["points"]
        assert engine_result(engine, g)["declarer"] is None  # K 18
        return
    assert (facts.D, facts.P, int(g["n_bids"])) == (given["D"], given["P"], given["nbids"])
    assert bool(g["forced_loss"]) == given.get("forced_loss", False)
    announced = {BONUSES[name]: (when == "pre", good) for name, when, _, good in given.get("ann", ())}
    names = [bonus.id for bonus in engine.ruleset.bonuses]
    said = {name: int(g["announced"][0, b]) == 2 for b, name in enumerate(names, start=1) if g["announced"][0, b]}
    assert said == {name: early for name, (early, _) in announced.items()}
    values = {item["item"]: item["value"] for item in engine_result(engine, g)["items"] if item["item"] in announced}
    assert {name: value > 0 for name, value in values.items()} == {name: good for name, (_, good) in announced.items()}
    short = {"pagat", "owl", "cockatoo"} - {name for name, *_ in given.get("ann", ())}
    assert [bird for bird in facts.last_trick_birds() if bird[1] in short] == sorted(given.get("ult", []))
    declared = {(seat, b) for seat in range(3) for b in range(11) if int(g["declared"][seat]) >> b & 1}
    wanted = [*given.get("hand", []), *given.get("false_decl", [])]
    assert declared == {(seat, names.index(BONUSES[name]) + 1) for seat, name in wanted}
    assert all(bears_out(facts, seat, name) for seat, name in given.get("hand", []))
    assert not any(bears_out(facts, seat, name) for seat, name in given.get("false_decl", []))


def bears_out(facts: Facts, seat: int, name: str) -> bool:
    """Whether the hand after the discard is what was declared."""
    hand = facts.hand_after_discard(seat)
    return hand >= KINGS if name == "kings" else len(HONOURS & hand) == {"half": 2, "honours": 3}[name]


#: the hands that bring the totals of P1-14 and P1-15, and the totals before them
LAST_HANDS = {"P1-14": ("P1-1", [93, 61, 37]), "P1-15": ("P1-7", [100, 7, 20])}


@pytest.mark.parametrize("case", MATCHES, ids=lambda case: case["id"])
def test_match_end(case: dict[str, Any]) -> None:
    engine = engine_of(ILLUSTRATED)
    name, before = LAST_HANDS[case["id"]]
    state = play(engine, HANDS[name], scores=before, hands_left=IN_A_MATCH)
    reached = [total + score for total, score in zip(before, state["scores"][0, :3].tolist())]
    assert reached == case["input"]["totals"]
    assert state["session_over"][0]
    assert state["totals"][0, :3].tolist() == case["expected"]["final"]
    assert state["settlement"][0, :3].tolist() == case["expected"]["settlement"]
    assert engine.next_hand(state) == 0


@pytest.mark.parametrize(
    "options, over, totals", [({}, False, [100, 61, 37]), ({"end_threshold": "ge_100"}, True, [110, 61, 37])]
)
def test_k2_exactly_100_does_not_end_the_match(options: dict[str, Any], over: bool, totals: list[int]) -> None:
    state = play(engine_of(ILLUSTRATED, **options), HANDS["P1-1"], scores=[89, 61, 37], hands_left=IN_A_MATCH)
    assert (bool(state["session_over"][0]), state["totals"][0, :3].tolist()) == (over, totals)


# ------------------------------------------------------------------ H6


@pytest.mark.parametrize("hand, legal", [("T1 T9 CK", "T9"), ("T1 CK", "T1")])
def test_l12_an_announced_pagat_waits_for_the_last_trick(hand: str, legal: str) -> None:
    engine = engine_of(ILLUSTRATED)
    state = trick(engine, "three_cards", ["T4"], hand.split())
    pagat = [bonus.id for bonus in engine.ruleset.bonuses].index("pagat_ultimo") + 1
    g: Any = state[0]
    g.declarer, g.trick_no = 1, 4
    g.announced[0, pagat], g.announcer[0, pagat] = 1, 1
    refresh(engine, state)
    assert engine.legal_names(state) == [legal]


def test_l13_there_is_no_emperor_trick() -> None:
    state = trick(engine_of(ILLUSTRATED), "three_cards", ["T21", "T22", "T1"])
    assert int(state["leaders"][0, 1]) == 1


def test_l14_trumps_are_discarded_freely_and_hidden() -> None:
    engine = engine_of(ILLUSTRATED)
    state = discarding(engine, "three_cards", "C9 H4 T5 T9 T14 SK CK HK DK T1 T21 T22", 3)
    assert sorted(engine.legal_names(state)) == sorted(["C9", "H4", "T5", "T9", "T14"])
    act(engine, state, "T5", "C9", "T14")
    assert (codes_in(state["discards"][0]), codes_in(state["shown"][0])) == (["T14", "T5", "C9"], [])
    assert state["phase"][0] == Phase.ANNOUNCE


def bid(contract: str, *announced: str) -> list[str]:
    """A turn with a bid, or a hold."""
    return [f"bid:{contract}", *(f"announce:{name}" for name in announced), "end"]


def plain_deal(engine: Engine, hands: dict[int, str] | None = None, talon: str = "") -> np.ndarray:
    """A deal by the last seat; seat 0 is Eldest."""
    return deal(engine, hands, talon, dealer=2)


A7 = [*bid("three_cards"), *bid("also_three"), "pass"]
AUCTIONS = [
    ("F2 first turn", [], 0, "pass bid:three_cards bid:two_cards bid:one_card bid:solo"),
    ("F2 over Three", bid("three_cards"), 1, "pass bid:also_three bid:two_cards bid:one_card bid:solo contra:game"),
    ("A7", A7, 0, "pass bid:also_three bid:two_cards bid:one_card bid:solo contra:game"),
    ("A8", ["pass", *bid("two_cards")], 2, "pass bid:one_card bid:solo contra:game"),
]


@pytest.mark.parametrize("name, calls, seat, legal", AUCTIONS, ids=[row[0] for row in AUCTIONS])
def test_auction(name: str, calls: list[str], seat: int, legal: str) -> None:
    engine = engine_of(ILLUSTRATED)
    state = act(engine, plain_deal(engine), *calls)
    assert (int(state["actor"][0]), sorted(engine.legal_names(state))) == (seat, sorted(legal.split()))


def test_a7_a_hold_is_not_a_bid() -> None:
    """After the hold there are two bids, so basic score 4; the multiplier is 2."""
    engine = engine_of(ILLUSTRATED)
    state = act(engine, plain_deal(engine), *A7, *bid("also_three"), "pass", "pass")
    contract = engine.ruleset.contracts[int(state["contract"][0])]
    assert (contract.id, contract.multiplier, int(state["declarer"][0]), int(state["n_bids"][0])) == ("also_three", 2, 0, 2)
    while not state["done"][0]:
        act(engine, state, "end" if "end" in engine.legal_names(state) else engine.legal_names(state)[0])
    facts = Facts(engine, state[0])
    game = 2 * (4 + abs(facts.P - 35)) * (1 if facts.P >= 36 else -1)
    assert f"game@declarer {game}" in items(engine, state)


# ------------------------------------------------------------------ K 3


@pytest.mark.parametrize(
    "hand, options, scores",
    [
        ("P1-7", {"p1_ultimo_scale": "beck"}, [0, 135, 0]),
        ("P1-11", {"p1_ultimo_scale": "beck"}, [480, 240, 240]),
        ("P1-6", {"p1_values": {"with_40": 7}}, [200, 200, 0]),
        ("P1-4", {"p1_values": {"with_40": 0, "with_50": 1}}, [0, 0, 152]),
    ],
)
def test_k3_values_of_announcements(hand: str, options: dict[str, Any], scores: list[int]) -> None:
    """`beck` doubles announced ultimos; the keys of `p1_values` are bonus ids, and the bid doubles the value."""
    state = play(engine_of(ILLUSTRATED, **options), HANDS[hand])
    assert state["scores"][0, :3].tolist() == scores


def says(engine: Engine, state: np.ndarray) -> set[str]:
    """The announcements with 40 and with 50 that are legal now."""
    return {name for name in engine.legal_names(state) if name.startswith("announce:with_")}


@pytest.mark.parametrize(
    "in_bid, after",
    [([], {"with_40", "with_50"}), (["with_40"], {"with_50"}), (["with_50"], set())],
)
def test_k3_with_40_and_with_50(in_bid: list[str], after: set[str]) -> None:
    """Both stand only as With 40 in the bid and With 50 after the draw."""
    engine = engine_of(ILLUSTRATED)
    state = act(engine, plain_deal(engine), "bid:solo")
    assert says(engine, state) == {"announce:with_40", "announce:with_50"}
    act(engine, state, *(f"announce:{name}" for name in in_bid))
    assert says(engine, state) == (set() if in_bid else {"announce:with_40", "announce:with_50"})
    act(engine, state, "end", "pass", "pass")
    assert (state["phase"][0], says(engine, state)) == (Phase.ANNOUNCE, {f"announce:{name}" for name in after})
    for name in sorted(after)[:1]:
        act(engine, state, f"announce:{name}")
        assert says(engine, state) == set()


# ------------------------------------------------------------------ K 10, K 12, K 16


def test_k10_no_early_stop() -> None:
    """P1-8 is lost long before its last trick; all sixteen are played."""
    state = play(engine_of(ILLUSTRATED), HANDS["P1-8"])
    assert int(state["trick_no"][0]) == 16


def test_k12_without_contras_players_who_are_out_have_no_turns() -> None:
    engine = engine_of(ILLUSTRATED, contras="off")
    state = act(engine, plain_deal(engine), *bid("three_cards"), "pass")
    assert (int(state["actor"][0]), engine.legal_names(state)[0]) == (2, "pass")
    assert not [name for name in engine.legal_names(state) if name.startswith("contra")]
    act(engine, state, *bid("two_cards"))
    assert int(state["actor"][0]) == 0
    act(engine, state, "pass")
    assert (state["phase"][0], int(state["declarer"][0])) == (Phase.TALON, 2)


def test_k12_a_turn_may_mix_contras_and_sub_contras() -> None:
    engine = engine_of(ILLUSTRATED)
    state = act(
        engine, plain_deal(engine), *bid("three_cards", "with_40"), "contra:game", "end", "pass", "contra:game", "end"
    )
    assert (int(state["actor"][0]), engine.legal_names(state)) == (1, ["pass", "contra:game", "contra:with_40"])
    act(engine, state, "contra:game")
    assert engine.legal_names(state) == ["end", "contra:with_40"]
    act(engine, state, "contra:with_40", "end")
    assert (int(state["contra"][0, 0, 0]), int(state["contra"][0, 0].sum())) == (3, 4)


@pytest.mark.parametrize("holds", [True, False])
def test_k12_an_ultimo_announced_after_the_draw_needs_its_card(holds: bool) -> None:
    engine = engine_of(ILLUSTRATED)
    state = act(engine, plain_deal(engine, {0 if holds else 1: "T1"}), *bid("solo"), "pass", "pass")
    assert ("announce:pagat_ultimo" in engine.legal_names(state)) == holds


def test_k12_a_trump_announced_in_the_bid_may_be_discarded() -> None:
    """… after which the announcement fails: 10, doubled by the bid."""
    engine = engine_of(ILLUSTRATED)
    state = act(engine, plain_deal(engine, {0: "T2 C7 C8"}), *bid("three_cards", "uhu"), "pass", "pass", "talon:0")
    assert "T2" in engine.legal_names(state)
    act(engine, state, "T2", "C7", "C8")
    while not state["done"][0]:
        act(engine, state, "end" if "end" in engine.legal_names(state) else engine.legal_names(state)[0])
    assert "uhu@declarer! -20" in items(engine, state)


@pytest.mark.parametrize("card, name", [("T1", "pagat_ultimo"), ("T2", "uhu"), ("T3", "kakadu")])
def test_an_announced_trump_lies_face_up(card: str, name: str) -> None:
    """F6: the card of an announced ultimo lies open before the bidder, and no other card does."""
    engine = engine_of(ILLUSTRATED)
    state = act(engine, plain_deal(engine, {0: f"{card} T9"}), *bid("solo", name), "pass", "pass")
    for seat in (1, 2):
        assert [codes_in(int(cards)) for cards in observe(engine, state, seat)["exposed"][0]] == [[card], [], [], [], []]


def test_k12_declarations_in_one_turn_or_in_several() -> None:
    engine = engine_of(ILLUSTRATED)
    hands = {0: "T1 T21 T22 SK CK HK DK", 1: "S7"}
    state = act(engine, plain_deal(engine, hands), *bid("solo"), "pass", "pass")
    both = {"announce:trull", "announce:kings"}
    assert both <= set(engine.legal_names(state))
    assert "announce:half_trull" not in engine.legal_names(state)
    act(engine, state, "announce:trull")
    assert "announce:trull" not in engine.legal_names(state)
    act(engine, state, "end", "contra:game", "end", "end")
    assert int(state["actor"][0]) == 0
    assert "announce:kings" in engine.legal_names(state)
    act(engine, state, "announce:kings")
    assert not both & set(engine.legal_names(state))


@pytest.mark.parametrize("allowed", [True, False])
def test_k12_post_on_contraed(allowed: bool) -> None:
    """Without it an item that has a contra from before the draw gets none after it; other items still do."""
    engine = engine_of(ILLUSTRATED, post_on_contraed=allowed)
    state = act(engine, plain_deal(engine), *bid("solo", "with_40"), "contra:game", "end", "pass", "pass", "end")
    assert (state["phase"][0], int(state["actor"][0])) == (Phase.ANNOUNCE, 1)
    assert ("contra:game" in engine.legal_names(state)) == allowed
    assert "contra:with_40" in engine.legal_names(state)


def test_k12_penalised_declarations() -> None:
    """Any may be made, except Half Honours by a holder of all three."""
    engine = engine_of(ILLUSTRATED, false_declarations="penalised")
    state = act(engine, plain_deal(engine, {0: "T1 T21 T22 S7"}), *bid("solo"), "pass", "pass")
    kinds = ("announce:trull", "announce:half_trull", "announce:kings")
    assert [name in engine.legal_names(state) for name in kinds] == [True, False, True]
    act(engine, state, "end")
    assert [name in engine.legal_names(state) for name in kinds] == [True, True, True]


def test_k16_no_call_is_a_pass() -> None:
    """A player who is out, and the high bidder, answer with `pass` in their turns."""
    engine = engine_of(ILLUSTRATED)
    state = act(engine, plain_deal(engine), "pass", *bid("three_cards"), *bid("two_cards"))
    assert (int(state["actor"][0]), engine.legal_names(state)) == (0, ["pass", "contra:game"])
    act(engine, state, "pass", "contra:game", "end")
    assert (int(state["actor"][0]), engine.legal_names(state)) == (2, ["pass", "contra:game"])


def test_k16_contra_of_an_item_adds_both_levels() -> None:
    """P1-11: once before the draw (4) and once after it (2)."""
    engine = engine_of(ILLUSTRATED)
    state = play(engine, HANDS["P1-11"])
    assert (int(state["contra"][0, 0, 0]), int(state["late_contra"][0, 0, 0])) == (1, 1)
    game = next(item for item in engine_result(engine, state[0])["items"] if item["item"] == "game")
    assert (game["contra"], game["value"]) == (2, 4 * 8 * (6 + 9))


def test_k18_the_beggars_game_has_no_declarer() -> None:
    engine = engine_of(ILLUSTRATED)
    state = act(engine, plain_deal(engine), "pass", "pass", "pass")
    assert (int(state["declarer"][0]), int(state["actor"][0]), int(state["n_bids"][0])) == (NONE, 0, 0)


def test_the_hands_are_whole() -> None:
    """Each hand begins with all 54 cards, and nobody has more than sixteen."""
    engine = engine_of(ILLUSTRATED)
    for hand in HANDS.values():
        state = begin(engine, hand)
        cards = [int(held) for held in state["hands"][0]] + [set_of(hand["talon"].split())]
        assert (sum(cards), max(held.bit_count() for held in cards)) == ((1 << 54) - 1, 16)
