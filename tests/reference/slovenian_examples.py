"""The worked examples of part H against the referees.

``python -m tests.reference.slovenian_examples CASES.json`` checks the scoring situations of H0 to H5, which
are data, and the legality, auction and session examples of H1 to H6, which stand here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

from tests.reference import illustrated_scoring as illustrated
from tests.reference import session
from tests.reference.cards import thirds, winner
from tests.reference.illustrated_auction import Auction as IllustratedAuction
from tests.reference.illustrated_contracts import BEGGARS_GAME, ULTIMO_CARDS
from tests.reference.illustrated_contracts import CONTRACTS as ILLUSTRATED_CONTRACTS
from tests.reference.illustrated_contracts import options_of as illustrated_options_of
from tests.reference.slovenian_announce import DECLARER, DEFENCE
from tests.reference.slovenian_auction import Auction
from tests.reference.slovenian_contracts import contract_of, has_bonuses, options_of, seats_of
from tests.reference.slovenian_play import PlayRules, discardable, legal_cards, points
from tests.reference.slovenian_scoring import Summary, settle

RULESETS = {
    "S0-4P": "tarok_furr_4p",
    "S0-3P": "tarok_furr_3p",
    "S4-4P": "slovenian_4p",
    "S4-3P": "slovenian_3p",
    "P1": session.ILLUSTRATED,
}
NUMBERS = {"1": "one", "2": "two", "3": "three", "0": "without"}
BONUS_NAMES = {"honours": "trull", "slam": "valat"}
P1_NAMES = {
    "with40": "with_40",
    "with50": "with_50",
    "wo_kings": "without_kings",
    "wo_honours": "without_trull",
    "pagat": "pagat_ultimo",
    "owl": "uhu",
    "cockatoo": "kakadu",
    "honours": "trull",
    "half": "half_trull",
}
SIDE_NAMES = {"D": DECLARER, "O": DEFENCE}


# ---------------------------------------------------------------- H0 to H5, from the data file


def contract_name(ruleset: str, short: str) -> str:
    """``call2`` is call_with_two; ``solo3`` is solo_with_three in Tarok, solo_three in Slovenian."""
    fixed = {"colour": "colour_slam", "beggar_open": "beggar_exposed", "slam0": "slam_without"}
    if not short[-1].isdigit() or short in fixed:
        return fixed.get(short, short)
    word = "_with_" if ruleset.startswith("tarok") and short[-1] != "0" else "_"
    return short[:-1] + word + NUMBERS[short[-1]]


def bonus(short: str) -> str:
    """Bonus id of the case file's short name."""
    return BONUS_NAMES.get(short, short)


def summary_of(ruleset: str, given: dict[str, Any]) -> Summary:
    """The case's input as the summary that scoring works on."""
    contract = contract_of(ruleset, contract_name(ruleset, given["contract"]))
    levels = {key: factor.bit_length() - 1 for key, factor in given.get("k_bonus", {}).items()}
    announced = {
        (bonus(name), SIDE_NAMES[side]): levels.get(f"{name}/{side}", 0)
        for name, sides in given.get("ann", {}).items()
        for side in sides
    }
    loser, taker = given.get("mond", (given.get("lost"), None))
    return Summary(
        ruleset=ruleset,
        contract=contract,
        declarer=given.get("D"),
        partner=given.get("partner"),
        points=given.get("P", 0),
        target_met=given.get("won", False),
        bonuses="D" in given and has_bonuses(ruleset, contract, options_of(ruleset, None)),
        announced=announced,
        made=made_of(ruleset, given),
        game_level=given.get("k_game", 1).bit_length() - 1,
        seat_points=tuple(given.get("points", ())),
        seat_tricks=tuple(given.get("tricks", [1] * seats_of(ruleset))),
        mond_loser=loser,
        mond_taker=taker,
    )


def made_of(ruleset: str, given: dict[str, Any]) -> frozenset[tuple[str, str]]:
    """Bonuses that a side has: made ones, silent ones by their sign, a slam by the number of tricks."""
    made = {(bonus(name), SIDE_NAMES[side]) for name, sides in given.get("made", {}).items() for side in sides}
    made |= {(bonus(name), DECLARER if sign > 0 else DEFENCE) for name, sign in given.get("silent", {}).items()}
    all_tricks = 48 // seats_of(ruleset)
    made |= {("valat", side) for side, tricks in ((DECLARER, all_tricks), (DEFENCE, 0)) if given.get("T") == tricks}
    return frozenset(made)


def check_hand(ruleset: str, case: dict[str, Any]) -> list[str]:
    """H1 to H4: scores and rings."""
    given, expected = case["input"], case["expected"]
    rings = given.get("rings", given.get("wheels", [0] * seats_of(ruleset)))
    settlement = settle(summary_of(ruleset, given), options_of(ruleset, None), rings)
    wanted = expected.get("rings_after", expected.get("wheels_after"))
    return differ(case["id"], [settlement.scores, settlement.rings], [expected["scores"], wanted])


def check_illustrated(case: dict[str, Any]) -> list[str]:
    """H5: scores of a hand, or the end of a match."""
    given, expected = case["input"], case["expected"]
    if "totals" in given:
        final = session.with_match_bonus(given["totals"])
        settled = session.pairwise_differences(final)
        return differ(case["id"], [final, settled], [expected["final"], expected["settlement"]])
    if given["contract"] == BEGGARS_GAME.id:
        return differ(case["id"], illustrated.beggars_scores(given["points"]), expected["scores"])
    summary = illustrated_summary(given)
    items = illustrated.items_of(summary, illustrated_options_of(None))
    return differ(case["id"], illustrated.scores_of(items, summary.declarer), expected["scores"])


def illustrated_summary(given: dict[str, Any]) -> illustrated.Summary:
    """The case's input; its factors 2, 4, 8, 16 are contras of 4 before and 2 after the draw."""
    names = {
        "three": "three_cards",
        "also": "also_three",
        "two": "two_cards",
        "one": "one_card",
        "solo": "solo",
    }
    exponent = given.get("k_game", 1).bit_length() - 1
    announced = tuple(
        illustrated.Announced(P1_NAMES[name], when == "pre", made, 0, factor.bit_length() - 1)
        for name, when, factor, made in given.get("ann", ())
    )
    true = [(seat, name, True) for seat, name in given.get("hand", ())]
    false = [(seat, name, False) for seat, name in given.get("false_decl", ())]
    return illustrated.Summary(
        contract=ILLUSTRATED_CONTRACTS[names[given["contract"]]],
        declarer=given["D"],
        points=given["P"],
        bid_count=given["nbids"],
        level_before=exponent // 2,
        level_after=exponent % 2,
        forced_loss=given.get("forced_loss", False),
        announced=announced,
        declarations=claims(true + false),
        ultimos=claims(given.get("ult", ())),
    )


def claims(rows: Sequence[tuple[int, str, bool]]) -> tuple[illustrated.Claimed, ...]:
    """Rows of seat, short name and truth."""
    return tuple(illustrated.Claimed(P1_NAMES.get(name, name), seat, good) for seat, name, good in rows)


def check_card_points(case: dict[str, Any]) -> list[str]:
    """H0."""
    cards = case["cards"].split()
    return differ(case["cards"], [thirds(cards), points(cards)], [case["thirds"], case["points"]])


def check_case(group: str, case: dict[str, Any]) -> list[str]:
    """One case of the data file; an empty list means that it agrees."""
    if group == "CARD_POINTS":
        return check_card_points(case)
    if group == "P1":
        return check_illustrated(case)
    return check_hand(RULESETS[group], case)


def differ(name: str, found: Any, wanted: Any) -> list[str]:
    """A message unless both are equal."""
    return [] if found == wanted else [f"{name}: referee {found}, rulebook {wanted}"]


# ---------------------------------------------------------------- H6 legality

POSITIVE = PlayRules()
NEGATIVE = PlayRules(forced_beat=True, pagat_lock=True)
COLOUR_S4 = PlayRules(colour=True)
COLOUR_S0 = PlayRules(colour=True, must_trump=False)
ILLUSTRATED = PlayRules(emperor=False)

#: id, rules, trick, hand, legal set
LEGALITY = [
    ("L1", POSITIVE, "H2 T9", "HK H3 T4 SQ", "HK H3"),
    ("L2", POSITIVE, "H2 T9", "T4 T19 SQ C7", "T4 T19"),
    ("L3", NEGATIVE, "SJ S10", "SK SN S8 T5", "SK SN"),
    ("L3", NEGATIVE, "SQ", "SK SN S8 T5", "SK"),
    ("L4", NEGATIVE, "SJ T2", "SK S8 T5", "SK S8"),
    ("L5", NEGATIVE, "D2 T7", "T1 T3 T12 H4", "T12"),
    ("L5", NEGATIVE, "D2 T7", "T1 T3 H4", "T3"),
    ("L5", NEGATIVE, "D2 T7", "T1 H4", "T1"),
    ("L6", NEGATIVE, "", "T1 H4", "H4"),
    ("L6", NEGATIVE, "", "T1", "T1"),
    ("L7", NEGATIVE, "T21 T22", "T1 T15 H4", "T1"),
    ("L8", NEGATIVE, "S8 T21 T22", "T1 SK S7", "SK S7"),
    ("L9", NEGATIVE, "T20 T1 T21", "T22 T9 T3", "T22 T9 T3"),
    ("L10", COLOUR_S4, "H2 H3", "T4 T19 SQ C7", "T4 T19"),
    ("L10", COLOUR_S0, "H2 H3", "T4 T19 SQ C7", "T4 T19 SQ C7"),
    ("L12", ILLUSTRATED, "T4", "T1 T9 CK", "T9"),
    ("L12", ILLUSTRATED, "T4", "T1 CK", "T1"),
]

#: id, rules, trick, card that wins
WINNERS = [
    ("L11", COLOUR_S4, "H2 T1 T21 T22", "H2"),
    ("L11", COLOUR_S4, "T5 T21 T22 T1", "T1"),
    ("L13", POSITIVE, "T21 T22 T1", "T1"),
    ("L13", ILLUSTRATED, "T21 T22 T1", "T22"),
]

#: id, trumps freely, hand, what may be discarded
DISCARDS = [
    ("L14", False, "C9 H4 T5 T9 T14 SK T22", "C9 H4"),
    ("L14", False, "T5 T9 T14 SK T22", "T5 T9 T14"),
    ("L14", True, "C9 H4 T5 T9 T14 SK T22", "C9 H4 T5 T9 T14"),
]


def check_legality() -> list[str]:
    """H6, L1 to L14; in L12 the Pagat was announced."""
    problems = []
    for name, rules, trick, hand, legal in LEGALITY:
        held = {ULTIMO_CARDS["pagat_ultimo"]} if name == "L12" else set()
        found = legal_cards(hand.split(), trick.split(), rules, held, last_trick=False)
        problems += differ(name, sorted(found), sorted(legal.split()))
    for name, rules, trick, card in WINNERS:
        cards = trick.split()
        problems += differ(name, cards[winner(cards, rules.colour, rules.emperor)], card)
    for name, freely, hand, legal in DISCARDS:
        problems += differ(name, sorted(discardable(hand.split(), freely)), sorted(legal.split()))
    return problems


# ---------------------------------------------------------------- H6 auctions

SOLOS_S0 = "solo_with_three solo_with_two solo_with_one"
TOP_S0 = "beggar solo_without beggar_exposed colour_slam_without slam_without"
TOP_S0_3P = "beggar beggar_exposed colour_slam_without slam_without"
FROM_SO3 = "solo_three solo_two solo_one nill solo_without open_nill suit_slam_without slam_without"

#: id, ruleset, restricted, calls so far (Eldest is seat 0), seat on turn, its legal calls
AUCTIONS = [
    ("A1", "S0-4P", False, "call_with_two call_with_one pass", 0, f"pass call_with_one {SOLOS_S0} {TOP_S0}"),
    ("A1", "S0-4P", False, "call_with_two call_with_one pass call_with_one", 1, f"pass {SOLOS_S0} {TOP_S0}"),
    (
        "A2",
        "S0-4P",
        False,
        "pass pass pass",
        0,
        f"all_beggars call_with_three call_with_two call_with_one {SOLOS_S0} {TOP_S0}",
    ),
    ("A3", "S0-3P", False, "pass pass", 0, f"pass {SOLOS_S0} {TOP_S0_3P}"),
    ("A4", "S4-4P", False, "pass one", 3, f"pass {FROM_SO3}"),
    ("A4", "S4-4P", False, "pass one pass", 0, f"pass one {FROM_SO3}"),
    ("A4", "S4-4P", False, "pass one pass one", 2, f"pass {FROM_SO3}"),
    ("A4", "S4-4P", False, "pass one pass one pass", 0, f"one {FROM_SO3}"),
    ("A5", "S4-3P", False, "", 0, "pass three two one nill solo"),
    (
        "A6",
        "S4-4P",
        True,
        "pass pass pass",
        0,
        "leasters solo_without open_nill suit_slam_without slam_without",
    ),
]

#: id, calls so far, seat on turn, its legal calls
ILLUSTRATED_AUCTIONS = [
    (
        "A7",
        "bid:three_cards end bid:also_three end pass",
        0,
        "pass bid:also_three bid:two_cards bid:one_card bid:solo contra:game",
    ),
    ("A8", "pass bid:two_cards end", 2, "pass bid:one_card bid:solo contra:game"),
]


def check_auctions() -> list[str]:
    """H6, A1 to A8."""
    problems = []
    for name, group, restricted, calls, seat, legal in AUCTIONS:
        ruleset = RULESETS[group]
        auction = Auction(ruleset, options_of(ruleset, None), seats_of(ruleset) - 1, restricted)
        for call in calls.split():
            auction.apply(call if call == "pass" else f"bid:{call}")
        wanted = sorted(call if call == "pass" else f"bid:{call}" for call in legal.split())
        problems += differ(name, [auction.actor, sorted(auction.legal())], [seat, wanted])
    for name, said, seat, legal in ILLUSTRATED_AUCTIONS:
        play = IllustratedAuction([["SK"]] * 3, illustrated_options_of(None), 2)
        for call in said.split():
            play.apply(call)
        problems += differ(name, [play.actor, sorted(play.legal())], [seat, sorted(legal.split())])
    return problems


# ---------------------------------------------------------------- sessions


def hands_until_over(dealer: int, holder: int | None) -> list[int]:
    """H3: dealers of the hands that follow a 'Scuse round in which T22 was dealt to that seat."""
    play = session.SessionReferee("slovenian_4p", None, dealer)
    play.request_end()
    result = {"scores": [0] * 4, "after": session.fresh(4)}
    play.finish([["T22"] if seat == holder else ["T2"] for seat in range(4)], result)
    dealers = []
    while not play.over and not play.scuse_round:
        dealers.append(play.dealer)
        play.finish([["T2"]] * 4, result)
    return dealers


def next_is_compulsory(group: str, before: Sequence[int], scores: Sequence[int]) -> bool:
    """B1, D1."""
    ruleset = RULESETS[group]
    after = session.after_hand(ruleset, options_of(ruleset, None), before, scores, [0] * len(before))
    return after["compulsory"] is not None


#: H1 to H3, the lines called "Session": what is computed, what it must be
SESSIONS: list[tuple[str, Callable[[], Any], Any]] = [
    ("S0 totals 0/40/-40/0", lambda: next_is_compulsory("S0-4P", [0, 0, 0, 0], [0, 40, -40, 0]), True),
    ("S0 a seat at -1000", lambda: next_is_compulsory("S0-4P", [-990, 7, 8, 9], [-10, 1, 1, 1]), True),
    ("S0 no seat", lambda: next_is_compulsory("S0-4P", [1, 7, 8, 9], [1, 1, 1, 1]), False),
    ("S0 rings 1,0,2,0", lambda: session.ring_settlement([1, 0, 2, 0]), [-100, 300, -500, 300]),
    ("S0 rings 2,0,1", lambda: session.ring_settlement([2, 0, 1]), [-300, 300, 0]),
    ("S4 +28 to zero", lambda: next_is_compulsory("S4-4P", [28, 9, 9, 9], [-28, 0, 0, 0]), True),
    ("S4 zero unchanged", lambda: next_is_compulsory("S4-4P", [0, 9, 9, 9], [0, 5, 0, 0]), False),
    (
        "S4 wheels 1,0,2,0",
        lambda: session.settlement(
            "slovenian_4p", options_of("slovenian_4p", None), {"scores": [0] * 4, "rings": [1, 0, 2, 0]}
        ),
        [-100, 0, -200, 0],
    ),
    ("'Scuse dealt by 2, T22 to 1", lambda: hands_until_over(2, 1), [3, 0, 1]),
    ("'Scuse dealt by 2, T22 to 2", lambda: hands_until_over(2, 2), [3, 0, 1, 2]),
    ("'Scuse dealt by 2, T22 in the talon", lambda: hands_until_over(2, None), []),
    ("third misdeal", lambda: session.misdeal_penalty(3), -80),
]


def check_sessions() -> list[str]:
    """H1 to H3."""
    return [problem for name, compute, wanted in SESSIONS for problem in differ(name, compute(), wanted)]


def main(paths: Sequence[str]) -> int:
    """Everything; prints what differs, returns 1 if anything does."""
    problems = check_legality() + check_auctions() + check_sessions()
    count = len(LEGALITY) + len(WINNERS) + len(DISCARDS) + len(AUCTIONS) + len(ILLUSTRATED_AUCTIONS) + len(SESSIONS)
    for path in paths:
        with open(path, encoding="utf-8") as file:
            groups: dict[str, list[dict[str, Any]]] = json.load(file)
        for group, cases in groups.items():
            count += len(cases)
            problems += [problem for case in cases for problem in check_case(group, case)]
    print("\n".join([*problems, f"{count} examples, {len(problems)} differ"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
