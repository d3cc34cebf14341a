"""The worked examples of the Slovenian rulebook (part H) and its clarifications (part K), played through the engine.

Every scoring row is a whole hand in tests/cases/slovenian-hands.json: deal, auction, exchange, statements, cards. `Facts`
shows that it is the row's situation; scores, items, rings and totals are the engine's. Ids with K are hands for part K.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tarock_env
from tarock_env import Engine, RulesetError
from tarock_env.cards import ALL, CODES, TRUMPS, codes_in, set_of, table_points, thirds_in
from tarock_env.codes import NONE, Compulsory, Mode, Phase
from tarock_env.engine import deal as dealing
from tarock_env.engine.chance import mixed
from tests.engine.facts import ROWS, RULESETS, Facts, as_row, begin, discarding, engine_of, expected, hands_in, items, play
from tests.engine.positions import act, deal, on_to, refresh, trick

HANDS = hands_in("slovenian-hands")
GROUPS = ("S0-4P", "S0-3P", "S4-4P", "S4-3P")
SCORED = [(RULESETS[group], case) for group in GROUPS for case in ROWS[group]]
TAROK = "tarok_furr_4p", "tarok_furr_3p"
FOUR, THREE = ("tarok_furr_4p", "slovenian_4p"), ("tarok_furr_3p", "slovenian_3p")
TOTALS = [1234, -777, 89, 321]


def bids(names: str) -> list[str]:
    """Short calls as action names, sorted: everything but ``pass`` is a bid."""
    return sorted(name if name == "pass" else f"bid:{name}" for name in names.split())


# ------------------------------------------------------------------ H0


@pytest.mark.parametrize("row", ROWS["CARD_POINTS"], ids=lambda row: row["cards"] or "none")
def test_counting(row: dict[str, Any]) -> None:
    pile = np.uint64(set_of(row["cards"].split()))
    assert len(row["cards"].split()) == row["n"]
    assert (thirds_in(pile), table_points(thirds_in(pile))) == (row["thirds"], row["points"])


def test_the_whole_pack_counts_70() -> None:
    assert (thirds_in(ALL), table_points(thirds_in(ALL))) == (210, 70)


# ------------------------------------------------------------------ H1 to H4, scoring


@pytest.mark.parametrize("ruleset, case", SCORED, ids=[case["id"] for _, case in SCORED])
def test_scoring(ruleset: str, case: dict[str, Any]) -> None:
    given, engine = case["input"], engine_of(ruleset)
    rings = given.get("rings", given.get("wheels", [0] * engine.P))
    state = play(engine, HANDS[case["id"]], scores=TOTALS[: engine.P], rings=rings)
    facts = Facts(engine, state[0])
    assert as_row(given, facts) == expected(given, facts)
    assert state["scores"][0, : engine.P].tolist() == case["expected"]["scores"]
    assert items(engine, state) == sorted(HANDS[case["id"]]["items"])
    assert state["rings"][0, : engine.P].tolist() == case["expected"].get(
        "rings_after", case["expected"].get("wheels_after")
    )
    totals = [before + score for before, score in zip(TOTALS, case["expected"]["scores"], strict=False)]
    assert state["totals"][0, : engine.P].tolist() == totals
    assert state["compulsory"][0] == Compulsory.NO
    assert state["session_over"][0]
    assert state["settlement"][0].tolist() == [0] * 5


def test_what_the_rows_say_beside_their_numbers() -> None:
    """Tricks and stock of All Beggars, who took the Mond, and the called king of S0-4-13 that wins the rest of the stock."""
    found = {name: Facts(engine, play(engine, HANDS[name])[0]) for name, engine in _named_engines()}
    assert found["S0-4-8"].tricks_by_seat == [0, 3, 4, 5]
    assert {name: set_points(found[name].talon) for name in ("S0-4-8", "S0-3-8")} == {"S0-4-8": 2, "S0-3-8": 4}
    assert found["S4-4-9"].mond() == (3, 2)
    assert found["S4-4-10"].mond() == (1, -1)
    thirteen = found["S0-4-13"]
    assert (thirteen.taken, thirteen.discards, thirteen.called) == ({"SK", "T5"}, {"S9", "H4"}, "SK")
    assert thirteen.rest_won
    assert (len(thirteen.pile), thirteen.pile_thirds) == (30, 3 * 71 - 2 * 30)


def _named_engines() -> list[tuple[str, Engine]]:
    names = {"S0-4-8": "tarok_furr_4p", "S0-3-8": "tarok_furr_3p", "S4-4-9": "slovenian_4p", "S4-4-10": "slovenian_4p"}
    return [(name, engine_of(ruleset)) for name, ruleset in {**names, "S0-4-13": "tarok_furr_4p"}.items()]


def set_points(cards: Sequence[str]) -> int:
    """Card points of cards given by code."""
    return int(table_points(thirds_in(np.uint64(set_of(cards)))))


@pytest.mark.parametrize(
    "ruleset, hand, bonus, found, scores",
    [
        (
            "tarok_furr_4p",
            "S0-4-4",
            "kings",
            ["game@declarer -52", "kings@declarer! -20", "pagat_ultimo@declarer! -50"],
            [122, 122, -366, 122],
        ),
        ("slovenian_4p", "S4-4-3", "trull", ["game@declarer -45", "trull@declarer! -20"], [0, 0, -65, 0]),
    ],
)
def test_only_the_announcement_counts(ruleset: str, hand: str, bonus: str, found: list[str], scores: list[int]) -> None:
    """B7, D7: what the declarer announces and the opponents make silently costs him the double, nothing on top."""
    engine, row = engine_of(ruleset), HANDS[hand]
    actions = row["actions"].replace("end", f"announce:{bonus} end", 1)
    state = play(engine, row | {"actions": actions})
    assert Facts(engine, state[0]).made()[{"trull": "honours"}.get(bonus, bonus)] == "O"
    assert (items(engine, state), state["scores"][0, :4].tolist()) == (found, scores)


# ------------------------------------------------------------------ H1 to H4, the lines called "Session"


@pytest.mark.parametrize(
    "scores, after, compulsory",
    [
        ([28, 12, -12, -28], [0, 40, -40, 0], True),
        ([7, 472, -1, 3], [-21, 500, -29, 31], True),
        ([-972, 1, 2, 3], [-1000, 29, -26, 31], True),
        ([1, 2, 3, 4], [-27, 30, -25, 32], False),
        ([528, 2, 3, 4], [500, 30, -25, 32], True),
        ([278, 2, 3, 4], [250, 30, -25, 32], False),
    ],
)
def test_tarok_totals_that_make_the_next_hand_compulsory(scores: list[int], after: list[int], compulsory: bool) -> None:
    engine = engine_of("tarok_furr_4p")
    state = play(engine, HANDS["S0-4-1"], scores=scores, hands_left=9)
    assert state["totals"][0, :4].tolist() == after
    assert engine.next_hand(state) == 1
    assert int(state["dealer"][0]) == 0
    if compulsory:
        assert state["compulsory"][0] == Compulsory.SCORE
        assert engine.ruleset.contracts[int(state["contract"][0])].id == "all_beggars"
        assert (int(state["phase"][0]), int(state["actor"][0]), int(state["declarer"][0])) == (Phase.PLAY, 1, NONE)
    else:
        assert state["compulsory"][0] == Compulsory.NO
        assert state["phase"][0] == Phase.AUCTION


def test_tarok_looks_at_totals_not_at_changes() -> None:
    """B1: the total need not have changed; in S0-4-8 seat 0 scores nothing."""
    engine = engine_of("tarok_furr_4p")
    state = play(engine, HANDS["S0-4-8"], scores=[500, 1, 1, 1], hands_left=9)
    assert state["totals"][0, :4].tolist() == [500, -11, -25, -29]
    assert state["compulsory"][0] == Compulsory.SCORE


@pytest.mark.parametrize(
    "scores, after, restricted",
    [
        ([9, 28, 9, 9], [9, 0, 9, -19], True),
        ([0, 9, 0, 9], [0, -19, 0, -19], False),
        ([9, 528, 9, 9], [9, 500, 9, -19], False),
    ],
)
def test_slovenian_totals_that_restrict_the_next_round(scores: list[int], after: list[int], restricted: bool) -> None:
    """H3: a seat at +28 scores -28; a seat that stays at 0 does not count, nor do multiples of 500."""
    engine = engine_of("slovenian_4p")
    state = play(engine, HANDS["S4-4-zero"], scores=scores, hands_left=9)
    assert state["scores"][0, :4].tolist() == [0, -28, 0, -28]
    assert state["totals"][0, :4].tolist() == after
    assert engine.next_hand(state) == 1
    assert state["mode"][0] == (Mode.RESTRICTED if restricted else Mode.NORMAL)
    if restricted:
        allowed = bids("pass solo_without open_nill suit_slam_without slam_without")
        assert sorted(engine.legal_names(state)) == allowed


@pytest.mark.parametrize(
    "ruleset, hand, rings, settlement",
    [
        ("tarok_furr_4p", "S0-4-1", [1, 0, 2, 0], [-100, 300, -500, 300]),
        ("tarok_furr_3p", "S0-3-1", [2, 0, 1], [-300, 300, 0]),
        ("slovenian_4p", "S4-4-1", [1, 0, 2, 0], [-100, 0, -200, 0]),
    ],
)
def test_rings_at_the_end_of_a_session(ruleset: str, hand: str, rings: list[int], settlement: list[int]) -> None:
    engine = engine_of(ruleset)
    state = begin(engine, HANDS[hand], rings=rings, hands_left=1 if ruleset.startswith("tarok") else 0)
    state["scuse_holder"] = engine.P - 1  # in the Slovenian game the dealer's hand is then the last one
    act(engine, state, *HANDS[hand]["actions"].split())
    assert state["session_over"][0]
    assert state["rings"][0, : engine.P].tolist() == rings
    assert state["settlement"][0, : engine.P].tolist() == settlement
    assert engine.next_hand(state) == 0


@pytest.mark.parametrize("holder, dealers", [(1, [3, 0, 1]), (2, [3, 0, 1, 2]), (0, [3, 0])])
def test_scuse_round(holder: int, dealers: list[int]) -> None:
    """H3: dealt by seat 2; the session ends after the next hand that is dealt by the seat that was dealt T22."""
    engine = engine_of("slovenian_4p")
    state = deal(engine, {holder: "T22"}, dealer=2)
    state["hands_left"] = 0
    engine.playout(state, "random")
    assert state["scuse_holder"][0] == holder
    assert _dealers_until_over(engine, state) == dealers


def _dealers_until_over(engine: Engine, state: np.ndarray) -> list[int]:
    dealers = []
    while engine.next_hand(state):
        dealers.append(int(state["dealer"][0]))
        engine.playout(state, "random")
    return dealers


def test_scuse_round_with_t22_in_the_talon() -> None:
    """H3: the next hand is then a new 'Scuse round."""
    engine = engine_of("slovenian_4p")
    state = deal(engine, {}, "T22", dealer=2)
    state["hands_left"], state["key"] = 0, 1
    engine.playout(state, "random")
    assert (state["scuse_holder"][0], state["session_over"][0]) == (NONE, False)
    assert engine.next_hand(state) == 1
    holder = next(seat for seat in range(4) if "T22" in codes_in(int(state["hands"][0, seat])))
    engine.playout(state, "random")
    assert state["scuse_holder"][0] == holder
    rest = _dealers_until_over(engine, state)
    assert (rest[0], rest[-1], len(rest)) == (0, holder, holder + 1)


def test_third_misdeal_of_a_dealer() -> None:
    engine = engine_of("slovenian_4p")
    state = begin(engine, HANDS["S4-4-1"], scores=[0, 0, 7, 0])
    assert [engine.fine(state, 0, 2, misdeal=nth) for nth in (1, 2, 3)] == [20, 40, 80]
    assert state["totals"][0, :4].tolist() == [0, 0, 7 - 140, 0]


@pytest.mark.parametrize("contra, fine", [(0, 10), (1, 20), (2, 40), (4, 160)])
def test_a_revoke_costs_the_value_of_the_game(contra: int, fine: int) -> None:
    """Part D8: the base value, doubled for each step of kontra on the game."""
    engine = engine_of("slovenian_4p")
    state = begin(engine, HANDS["S4-4-1"], scores=[0, 0, 7, 0])
    state["contract"] = [row.id for row in engine.ruleset.contracts].index("three")
    state["contra"][0, 0, 0] = contra
    assert engine.fine(state, 0, 2) == fine
    assert state["totals"][0, :4].tolist() == [0, 0, 7 - fine, 0]


# ------------------------------------------------------------------ H6, cards

POSITIVE = [
    ("tarok_furr_4p", "call_with_two"),
    ("tarok_furr_4p", "solo_without"),
    ("tarok_furr_3p", "solo_with_three"),
    ("slovenian_4p", "two"),
    ("slovenian_4p", "solo_without"),
    ("slovenian_3p", "solo"),
]
NEGATIVE = [(name, contract) for name in TAROK for contract in ("all_beggars", "beggar", "beggar_exposed")] + [
    ("slovenian_4p", "leasters"),
    ("slovenian_4p", "nill"),
    ("slovenian_4p", "open_nill"),
    ("slovenian_3p", "leasters"),
    ("slovenian_3p", "nill"),
]
NEGATIVE_4P = [pair for pair in NEGATIVE if pair[0] in FOUR]
COLOUR_S0 = [(name, contract) for name in TAROK for contract in ("colour_slam_without", "colour_slam")]
COLOUR_S4 = [("slovenian_4p", "suit_slam_without"), ("slovenian_4p", "suit_slam")]

#: id, rulesets and contracts, trick, hand, legal cards
LEGAL = [
    ("L1", POSITIVE, "H2 T9", "HK H3 T4 SQ", "HK H3"),
    ("L2", POSITIVE, "H2 T9", "T4 T19 SQ C7", "T4 T19"),
    ("L3", NEGATIVE, "SJ S10", "SK SN S8 T5", "SK SN"),
    ("L3 over a queen", NEGATIVE, "SQ", "SK SN S8 T5", "SK"),
    ("L4", NEGATIVE, "SJ T2", "SK S8 T5", "SK S8"),
    ("L5", NEGATIVE, "D2 T7", "T1 T3 T12 H4", "T12"),
    ("L5 no higher trump", NEGATIVE, "D2 T7", "T1 T3 H4", "T3"),
    ("L5 last trump", NEGATIVE, "D2 T7", "T1 H4", "T1"),
    ("L6", NEGATIVE, "", "T1 H4", "H4"),
    ("L6 last card", NEGATIVE, "", "T1", "T1"),
    ("L7", NEGATIVE, "T21 T22", "T1 T15 H4", "T1"),
    ("L8", NEGATIVE_4P, "S8 T21 T22", "T1 SK S7", "SK S7"),
    ("L9", NEGATIVE_4P, "T20 T1 T21", "T22 T9 T3", "T22 T9 T3"),
    ("L10", COLOUR_S4, "H2 H3", "T4 T19 SQ C7", "T4 T19"),
    ("L10", COLOUR_S0, "H2 H3", "T4 T19 SQ C7", "T4 T19 SQ C7"),
]
LEGAL_ROWS = [(name, *pair, *rest) for name, pairs, *rest in LEGAL for pair in pairs]


@pytest.mark.parametrize(
    "name, ruleset, contract, cards, hand, legal", LEGAL_ROWS, ids=[" ".join(row[:3]) for row in LEGAL_ROWS]
)
def test_legal_cards(name: str, ruleset: str, contract: str, cards: str, hand: str, legal: str) -> None:
    engine = engine_of(ruleset)
    state = trick(engine, contract, cards.split(), hand.split())
    assert sorted(engine.legal_names(state)) == sorted(legal.split())


#: id, rulesets and contracts, trick, winner
WINNERS = [
    ("L11", [*COLOUR_S4, *(pair for pair in COLOUR_S0 if pair[0] in FOUR)], "H2 T1 T21 T22", "H2"),
    ("L11 trump led", [*COLOUR_S4, *(pair for pair in COLOUR_S0 if pair[0] in FOUR)], "T5 T21 T22 T1", "T1"),
    ("L13", [pair for pair in POSITIVE if pair[0] in FOUR], "T21 T22 T1 T5", "T1"),
    ("L13", [pair for pair in POSITIVE if pair[0] in THREE], "T21 T22 T1", "T1"),
]
WINNER_ROWS = [(name, *pair, *rest) for name, pairs, *rest in WINNERS for pair in pairs]


@pytest.mark.parametrize(
    "name, ruleset, contract, cards, winner", WINNER_ROWS, ids=[" ".join(row[:3]) for row in WINNER_ROWS]
)
def test_trick_winner(name: str, ruleset: str, contract: str, cards: str, winner: str) -> None:
    state = trick(engine_of(ruleset), contract, cards.split())
    assert int(state["leaders"][0, 1]) == cards.split().index(winner)


@pytest.mark.parametrize(
    "ruleset, contract",
    [
        ("tarok_furr_4p", "call_with_three"),
        ("tarok_furr_3p", "solo_with_three"),
        ("slovenian_4p", "three"),
        ("slovenian_3p", "three"),
    ],
)
def test_discards(ruleset: str, contract: str) -> None:
    """L14: both plain cards, in any order (K 9), and exactly one trump, which is shown."""
    engine = engine_of(ruleset)
    state = discarding(engine, contract, "C9 H4 T5 T9 T14 SK CK HK DK T1 T21 T22", 3)
    assert sorted(engine.legal_names(state)) == ["C9", "H4"]
    act(engine, state, "H4")
    assert engine.legal_names(state) == ["C9"]
    act(engine, state, "C9")
    assert sorted(engine.legal_names(state)) == sorted(["T5", "T9", "T14"])
    act(engine, state, "T9")
    assert (codes_in(state["discards"][0]), codes_in(state["shown"][0])) == (["T9", "C9", "H4"], ["T9"])
    assert state["phase"][0] > Phase.DISCARD


# ------------------------------------------------------------------ H6, auctions

SOLOS_S0 = "solo_with_three solo_with_two solo_with_one"
TOP_S0 = "beggar solo_without beggar_exposed colour_slam_without slam_without"
TOP_S0_3P = "beggar beggar_exposed colour_slam_without slam_without"
FROM_SO3 = "solo_three solo_two solo_one nill solo_without open_nill suit_slam_without slam_without"
RESTRICTED = "solo_without open_nill suit_slam_without slam_without"

#: id, ruleset, reason for a compulsory hand, calls so far (Eldest is seat 0), seat on turn, its legal calls
AUCTIONS = [
    ("A1", FOUR[0], None, "call_with_two call_with_one pass", 0, f"pass call_with_one {SOLOS_S0} {TOP_S0}"),
    ("A1 claimed", FOUR[0], None, "call_with_two call_with_one pass call_with_one", 1, f"pass {SOLOS_S0} {TOP_S0}"),
    (
        "A2",
        FOUR[0],
        None,
        "pass pass pass",
        0,
        f"all_beggars call_with_three call_with_two call_with_one {SOLOS_S0} {TOP_S0}",
    ),
    ("A3", THREE[0], None, "pass pass", 0, f"pass {SOLOS_S0} {TOP_S0_3P}"),
    ("A4 dealer", FOUR[1], None, "pass one", 3, f"pass {FROM_SO3}"),
    ("A4 Eldest", FOUR[1], None, "pass one pass", 0, f"pass one {FROM_SO3}"),
    ("A4 outbid", FOUR[1], None, "pass one pass one", 2, f"pass {FROM_SO3}"),
    ("A4 last turn", FOUR[1], None, "pass one pass one pass", 0, f"one {FROM_SO3}"),
    ("A5", THREE[1], None, "", 0, "pass three two one nill solo"),
    ("A6", FOUR[1], "score", "pass pass pass", 0, f"leasters {RESTRICTED}"),
    ("A6 trumpless", FOUR[1], "no_trumps", "pass pass pass", 0, f"leasters {RESTRICTED}"),
]


def opened(engine: Engine, compulsory: str | None = None) -> np.ndarray:
    """Any deal, the last seat dealing, in a hand of the given kind."""
    plain = deal(engine, dealer=engine.P - 1)
    hands = [codes_in(int(plain["hands"][0, seat])) for seat in range(engine.P)]
    talon = [int(card) for card in plain["talon"][0]]
    zeros = [0] * engine.P
    return engine.from_deal(hands, talon, engine.P - 1, {"scores": zeros, "rings": zeros, "compulsory": compulsory})


def called(engine: Engine, calls: str, compulsory: str | None = None) -> np.ndarray:
    """The auction after some calls."""
    return act(engine, opened(engine, compulsory), *(c if c == "pass" else f"bid:{c}" for c in calls.split()))


@pytest.mark.parametrize("name, ruleset, compulsory, calls, seat, legal", AUCTIONS, ids=[row[0] for row in AUCTIONS])
def test_auction(name: str, ruleset: str, compulsory: str | None, calls: str, seat: int, legal: str) -> None:
    engine = engine_of(ruleset)
    state = called(engine, calls, compulsory)
    assert (int(state["phase"][0]), int(state["actor"][0])) == (Phase.AUCTION, seat)
    assert sorted(engine.legal_names(state)) == bids(legal)


@pytest.mark.parametrize(
    "ruleset, compulsory, calls, contract, declarer",
    [
        (FOUR[0], None, "call_with_two call_with_one pass call_with_one pass pass", "call_with_one", 0),
        (FOUR[0], None, "pass pass pass all_beggars", "all_beggars", NONE),
        (THREE[0], None, "pass pass pass", "all_beggars", NONE),
        (FOUR[1], None, "pass one pass one pass solo_two", "solo_two", 0),
        (FOUR[1], "score", "pass pass pass leasters", "leasters", NONE),
        (THREE[1], None, "pass pass pass", "leasters", NONE),
    ],
)
def test_contract(ruleset: str, compulsory: str | None, calls: str, contract: str, declarer: int) -> None:
    """Where A1 to A6 lead to; K 18: contracts without sides have no declarer, also where Eldest chose them."""
    engine = engine_of(ruleset)
    state = called(engine, calls, compulsory)
    assert engine.ruleset.contracts[int(state["contract"][0])].id == contract
    assert int(state["declarer"][0]) == declarer


@pytest.mark.parametrize(
    "ruleset, hand, more",
    [
        (FOUR[0], "SK CK DK", "call:fourth"),
        (FOUR[0], "SK CK DK HK", ""),
        (FOUR[0], "SK CK", ""),
        (FOUR[1], "SK CK DK", ""),
    ],
)
def test_callable_kings(ruleset: str, hand: str, more: str) -> None:
    """B3: "the fourth" with exactly three kings; D3: never."""
    engine = engine_of(ruleset)
    kings = [king for king in ("SK", "CK", "HK", "DK") if king not in hand.split()]
    state = act(engine, deal(engine, {0: hand, 1: " ".join(kings)}), "pass", "pass", "pass")
    act(engine, state, "bid:call_with_two" if ruleset == FOUR[0] else "bid:two")
    assert sorted(engine.legal_names(state)) == sorted(["call:SK", "call:CK", "call:HK", "call:DK", *more.split()])


# ------------------------------------------------------------------ K 5 to K 8


def test_k5_lost_xxi_counts_in_leasters() -> None:
    engine = engine_of("slovenian_4p")
    state = play(engine, HANDS["K5-leasters"])
    facts = Facts(engine, state[0])
    assert facts.mond() == (3, 1)
    own = [-points for points in facts.points_by_seat]
    assert state["scores"][0, :4].tolist() == [*own[:3], own[3] - 21]
    games = [f"game@{seat} {score}" for seat, score in enumerate(own)]
    assert items(engine, state) == [*games, "mond_lost@3 -21"]
    without = play(engine_of("slovenian_4p", lost_xxi_scope="bonus_contracts"), HANDS["K5-leasters"])
    assert without["scores"][0, :4].tolist() == own


@pytest.mark.parametrize("options, fine", [({}, 21), ({"lost_xxi_unseen_talon": False}, 0)])
def test_k5_t21_in_the_unseen_talon_of_a_solo(options: dict[str, Any], fine: int) -> None:
    engine = engine_of("slovenian_3p", **options)
    state = act(engine, deal(engine, {}, "C7 C8 T21", dealer=2), "bid:solo", "pass", "pass", "bid:solo")
    engine.playout(on_to(engine, state, Phase.PLAY), "uniform")
    total = sum(int(value.split()[1]) for value in items(engine, state) if "mond" not in value)
    assert [value for value in items(engine, state) if "mond" in value] == (["mond_lost@0 -21"] if fine else [])
    assert state["scores"][0, :3].tolist() == [total - fine, 0, 0]


def test_k6_a_slovenian_slam_leaves_nothing_else() -> None:
    """T21 was lost to the declarer's own T22 and the Trull announced: listed at 0, or not at all."""
    engine = engine_of("slovenian_4p")
    state = play(engine, HANDS["K6-slovenian"])
    facts = Facts(engine, state[0])
    assert (facts.T, facts.mond(), facts.made()["honours"]) == (12, (1, 3), "D")
    assert items(engine, state) == ["game@declarer 0", "trull@declarer! 0", "valat@declarer! 500"]
    assert state["scores"][0, :4].tolist() == [0, 500, 0, 500]


def test_k6_in_tarok_the_lost_mond_stays_beside_a_slam() -> None:
    engine = engine_of("tarok_furr_4p")
    state = play(engine, HANDS["K6-tarok"])
    facts = Facts(engine, state[0])
    assert (facts.T, facts.mond()) == (12, (2, 0))
    assert items(engine, state) == ["game@declarer 0", "mond_lost@2 -20", "trull@declarer! 0", "valat@declarer! 500"]
    assert state["scores"][0, :4].tolist() == [1520, -500, -520, -500]


def test_k6_the_untouched_stock_counts_for_the_opponents_kings() -> None:
    """In S0-4-4 three kings lie in the stock."""
    engine = engine_of("tarok_furr_4p", talon_counts_for_bonus=False)
    state = play(engine, HANDS["S0-4-4"])
    assert {"SK", "CK", "HK"} <= Facts(engine, state[0]).stock
    assert items(engine, state) == ["game@declarer -52", "pagat_ultimo@declarer! -50"]
    assert state["scores"][0, :4].tolist() == [102, 102, -306, 102]


def test_k7_the_last_turn_keeps_or_raises() -> None:
    engine = engine_of("slovenian_4p")
    state = called(engine, "pass suit_slam_without pass pass")
    assert (int(state["actor"][0]), engine.legal_names(state)) == (2, ["bid:suit_slam_without", "bid:slam_without"])
    act(engine, state, "bid:suit_slam_without")
    assert (state["phase"][0], state["n_actions"][0]) == (Phase.ANNOUNCE, 5)


def test_k7_at_the_highest_contract_the_last_turn_is_forced() -> None:
    engine = engine_of("slovenian_4p")
    state = called(engine, "pass slam_without pass pass")
    assert (int(state["actor"][0]), engine.legal_names(state)) == (2, ["bid:slam_without"])
    assert (state["phase"][0], state["n_actions"][0]) == (Phase.AUCTION, 4)


def test_k7_a_bid_after_all_others_passed_ends_the_auction() -> None:
    engine = engine_of("slovenian_3p")
    state = called(engine, "pass pass two")
    assert (state["phase"][0], state["declarer"][0], state["n_actions"][0]) == (Phase.TALON, 2, 3)


CLAIMS = [
    ("tarok_furr_4p", "call_with_two pass pass", "pass call_with_two"),
    ("tarok_furr_4p", "call_with_two call_with_one pass pass", "pass call_with_one"),
    ("tarok_furr_4p", "pass pass pass", "all_beggars call_with_three"),
    ("tarok_furr_3p", "solo_with_two pass", "pass solo_with_two"),
    ("tarok_furr_3p", "pass pass", f"pass {SOLOS_S0} {TOP_S0_3P}"),
]


@pytest.mark.parametrize("ruleset, calls, legal", CLAIMS)
def test_k8_claim_final(ruleset: str, calls: str, legal: str) -> None:
    """Eldest speaks once, last: claim or pass; what he may name where nobody bid."""
    engine = engine_of(ruleset, s0_auction="claim_final")
    state = called(engine, calls)
    assert (int(state["phase"][0]), int(state["actor"][0])) == (Phase.AUCTION, 0)
    assert sorted(engine.legal_names(state)) == bids(legal)
    act(engine, state, bids(legal.replace("pass", ""))[0])
    assert state["phase"][0] != Phase.AUCTION


# ------------------------------------------------------------------ K 10 and K 11


@pytest.mark.parametrize(
    "ruleset, hand, options, stops",
    [
        ("slovenian_4p", "S4-4-6", {}, True),
        ("slovenian_4p", "S4-4-6", {"lost_xxi_scope": "all"}, False),
        ("slovenian_4p", "S4-4-6", {"early_stop": False}, False),
        ("tarok_furr_4p", "S0-4-6", {"mond_scope": "positive_only", "early_stop": True}, True),
        ("tarok_furr_4p", "S0-4-6", {"mond_scope": "positive_only"}, False),
        ("tarok_furr_4p", "S0-4-6", {}, False),
    ],
)
def test_k10_early_stop(ruleset: str, hand: str, options: dict[str, Any], stops: bool) -> None:
    """A beggar is decided by the declarer's first trick: the hand ends with that trick, or is played on."""
    engine, row = engine_of(ruleset, **options), HANDS[hand]
    state = begin(engine, row)
    for name in row["actions"].split():
        act(engine, state, name)
        if state["tricks"][0, 1] == 1:
            break
    assert state["trick_n"][0] == 0
    assert (bool(state["done"][0]), bool(state["trick_no"][0] == 12)) == (stops, False)


def test_k10_early_stop_in_tarok_needs_mond_scope_positive_only() -> None:
    with pytest.raises(RulesetError, match="early_stop"):
        tarock_env.make("tarok_furr_4p", early_stop=True)


#: a key whose first and second deal with dealer 2 both have a trumpless hand
TWICE_TRUMPLESS = np.array([11859461232999188247], np.uint64)


def trumpless(state: np.ndarray) -> list[int]:
    """Seats without trumps."""
    return [seat for seat in range(4) if not int(state["hands"][0, seat]) & int(TRUMPS)]


@pytest.mark.parametrize("ruleset, mode", [("slovenian_4p", Mode.RESTRICTED), ("tarok_furr_4p", Mode.FORCED)])
def test_k11_a_trumpless_hand_is_dealt_again_as_often_as_needed(ruleset: str, mode: Mode) -> None:
    """The first and the second deal have a trumpless hand, the third, by the same dealer, is played."""
    engine = engine_of(ruleset)
    state = engine.reset(keys=TWICE_TRUMPLESS, dealer=2)
    assert (trumpless(state), int(state["dealer"][0])) == ([], 2)
    assert (state["compulsory"][0], state["mode"][0]) == (Compulsory.NO_TRUMPS, mode)
    thrown_in = engine_of("slovenian_4p", restricted_rounds=False).reset(keys=TWICE_TRUMPLESS, dealer=2)
    assert len(trumpless(thrown_in)) > 0
    pack, key = np.empty(54, np.int64), np.uint64(mixed(np.uint64(mixed(TWICE_TRUMPLESS[0], 0)), 1))
    dealing.shuffle(pack, key)
    second = engine.copy(state)
    for seat in range(4):
        place = (seat - 3) % 4
        second["hands"][0, seat] = set_of(pack[np.asarray(engine.rules["deal_seat"][0]) == place].tolist())
    assert len(trumpless(second)) > 0


@pytest.mark.parametrize("reason", [Compulsory.SCORE, Compulsory.NO_TRUMPS])
@pytest.mark.parametrize("again", [True, False])
def test_k11_redeal_in_forced(reason: Compulsory, again: bool) -> None:
    """`redeal_in_forced = false` plays a trumpless hand where the hand is already compulsory, for either reason."""
    engine = engine_of("tarok_furr_4p", redeal_in_forced=again)
    state = engine.reset(3000, seed=4, hands=3)
    engine.playout(state, "random")
    state["compulsory"] = reason
    assert engine.next_hand(state) == 3000
    found = int(((state["hands"][:, :4] & TRUMPS) == 0).any(axis=1).sum())
    assert (found == 0) == again


# ------------------------------------------------------------------ K 13, K 15, K 17


@pytest.mark.parametrize(
    "scope, found", [("with_leasters", []), ("positive", ["mond_lost@2 -21"]), ("all", ["mond_lost@2 -21"])]
)
def test_k13_positive_is_what_card_points_win(scope: str, found: list[str]) -> None:
    """Solo Without is positive: with that scope T21 in its unseen talon costs the declarer 21."""
    engine = engine_of("slovenian_4p", lost_xxi_scope=scope)
    state = deal(engine, {}, "C7 C8 T21", dealer=3)
    act(engine, state, "pass", "bid:solo_without", "pass", "pass", "bid:solo_without")
    engine.playout(on_to(engine, state, Phase.PLAY), "uniform")
    won = 80 if "game@declarer 80" in items(engine, state) else -80
    assert [item for item in items(engine, state) if "mond" in item] == found
    assert state["scores"][0, :4].tolist() == [0, 0, won - 21 * len(found), 0]


@pytest.mark.parametrize(
    "hand, rings, scores, after",
    [
        ("S0-3-6", [0, 0, 0], [180, -360, 180], [1, 1, 1]),
        ("S0-3-5", [0, 0, 0], [280, -140, -140], [0, 1, 1]),
        ("S0-3-1", [0, 0, 0], [-15, 30, -15], [0, 0, 0]),
    ],
)
def test_k13_ring_timing_before(hand: str, rings: list[int], scores: list[int], after: list[int]) -> None:
    """Award, then double, then cancel: a starred hand doubles itself, and a win costs the declarer that ring."""
    state = play(engine_of("tarok_furr_3p", ring_timing="before"), HANDS[hand], rings=rings)
    assert state["scores"][0, :3].tolist() == scores
    assert state["rings"][0, :3].tolist() == after


@pytest.mark.parametrize(
    "option, found, scores",
    [
        ("none", ["game@declarer 55"], [-55, -55, 165, -55]),
        ("if_beaten", ["game@declarer 55", "pagat_ultimo@declarer -25"], [-30, -30, 90, -30]),
    ],
)
def test_k13_silent_ultimo_loss_in_tarok(option: str, found: list[str], scores: list[int]) -> None:
    """As D7 says for the Slovenian game; K 17: listed under the side that failed."""
    engine = engine_of("tarok_furr_4p", silent_ultimo_loss=option)
    state = play(engine, HANDS["K13-ultimo"])
    last = Facts(engine, state[0]).tricks[-1]
    assert (last.player("T1"), last.cards[last.place] != "T1") == (2, True)
    assert (items(engine, state), state["scores"][0, :4].tolist()) == (found, scores)


@pytest.mark.parametrize("leader", [0, 1, 2, 3])
@pytest.mark.parametrize("option, legal", [(True, ["S7"]), (False, ["S7", "T5"])])
def test_k13_colour_slam_trumps_last_binds_every_leader(leader: int, option: bool, legal: list[str]) -> None:
    engine = engine_of("tarok_furr_4p", colour_slam_trumps_last=option)
    state = trick(engine, "colour_slam", [], ["T5", "S7"])
    g: Any = state[0]
    g.hands[0], g.hands[leader] = 0, set_of(["T5", "S7"])
    g.actor = g.leaders[0] = leader
    refresh(engine, state)
    assert sorted(engine.legal_names(state)) == legal


@pytest.mark.parametrize(
    "hands, talon, raises",
    [({}, "C7 C8 SK", True), ({1: "SK"}, "C7 C8", False), ({0: "SK"}, "C7 C8", False)],
)
def test_k13_raise_when_alone_by_talon(hands: dict[int, str], talon: str, raises: bool) -> None:
    """Only where the called king lay in the stock, not where the declarer holds it himself."""
    engine = engine_of("tarok_furr_4p", raise_when_alone_by_talon=True)
    state = act(engine, deal(engine, hands, talon), "pass", "pass", "pass", "bid:call_with_two", "call:SK", "talon:0")
    act(engine, state, engine.legal_names(state)[0])
    act(engine, state, engine.legal_names(state)[0])
    assert (state["phase"][0] == Phase.RAISE) == raises
    if raises:
        assert engine.legal_names(state) == ["pass", "bid:colour_slam"]


def test_k13_restricted_rounds_with_three_players() -> None:
    """Leasters (all pass) and Solo only."""
    engine = engine_of("slovenian_3p", restricted_rounds=True)
    for calls in ("", "pass", "pass pass"):
        assert sorted(engine.legal_names(called(engine, calls, "score"))) == bids("pass solo")
    state = called(engine, "pass pass pass", "score")
    assert engine.ruleset.contracts[int(state["contract"][0])].id == "leasters"


def test_k15_a_scuse_round_dealt_again_counts_as_it_was_played() -> None:
    engine, plain = engine_of("slovenian_4p"), engine_of("slovenian_4p", restricted_rounds=False)
    keys = engine.reset(4000, seed=8, dealer=0)["key"]
    state, thrown_in = (e.reset(keys=keys, dealer=0) for e in (engine, plain))
    again = np.flatnonzero(state["compulsory"] == Compulsory.NO_TRUMPS)
    holders = {name: _holders_of_t22(s) for name, s in (("played", state), ("thrown in", thrown_in))}
    rows = [row for row in again if len({holders["played"][row], holders["thrown in"][row], NONE}) == 3]
    assert len(rows) > 0
    state = engine.take(state, rows)
    state["hands_left"] = 0
    engine.playout(state, "random")
    assert state["scuse_holder"].tolist() == [holders["played"][row] for row in rows]


def _holders_of_t22(state: np.ndarray) -> list[int]:
    held = (state["hands"] >> np.uint64(CODES.index("T22"))) & np.uint64(1)
    return [int(row.argmax()) if row.any() else NONE for row in held]
