"""The worked examples of koenigrufen.md against the referee.

Run it: ``python -m tests.reference.koenigrufen_selfcheck``.

Scoring rows enter as facts (what was won and made), legality rows as hand and trick, auctions as calls.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Mapping

from tests.reference.cards import DECK, legal_cards, table_points, thirds, winner
from tests.reference.koenigrufen import Referee
from tests.reference.koenigrufen_auction import Auction
from tests.reference.koenigrufen_rules import (
    DECLARER,
    DEFENCE,
    FURR_RULES,
    OPTIONS,
    PAGAT_RULES,
    Rules,
    allowed_values,
    make_rules,
)
from tests.reference.koenigrufen_score import Facts, payoffs, score_items, trischaken_payoffs
from tests.reference.koenigrufen_talk import Item, Talk, bound_choice

RULESETS = {"K2": FURR_RULES, "K3": PAGAT_RULES}
CHARGE: dict[str, object] = {"silent_failure": "charge"}
ANNOUNCED: dict[str, object] = {"contracted_bird_value": "announced"}


def items_of(text: str) -> dict[Item, int]:
    """``"trull@D:2 kings@O"`` → items with a kontra level (0 if not given)."""
    found: dict[Item, int] = {}
    for word in text.split():
        name, _, level = word.partition(":")
        kind, _, side = name.partition("@")
        found[kind, {"D": DECLARER, "O": DEFENCE}[side]] = int(level or 0)
    return found


# fmt: off
# id, options, contract, declarer, partner, won, game kontra, made, announced, contracted bird, charged,
# payoffs
Row = tuple[str, dict[str, object], str, int, int | None, bool, int, str, str, str | None, str, list[int]]
SCORES: list[Row] = [
    ("K2 G1", {}, "call", 0, 2, True, 0, "uhu@D", "", None, "", [3, -3, 3, -3]),
    ("K2 G2", {}, "call_without", 3, 1, False, 0, "king_ultimo@D", "", None, "", [1, -1, 1, -1]),
    ("K2 G3", {}, "call_and_bird", 2, 3, True, 0, "pagat_ultimo@D", "pagat_ultimo@D", "pagat_ultimo", "",
     [-3, -3, 3, 3]),
    ("K2 G3", ANNOUNCED, "call_and_bird", 2, 3, True, 0, "pagat_ultimo@D", "pagat_ultimo@D", "pagat_ultimo",
     "", [-4, -4, 4, 4]),
    ("K2 G4", {}, "call_and_bird", 1, 0, True, 0, "", "uhu@D", "uhu", "", [0, 0, 0, 0]),
    ("K2 G4", ANNOUNCED, "call_and_bird", 1, 0, True, 0, "", "uhu@D", "uhu", "", [-2, -2, 2, 2]),
    ("K2 G4", {**ANNOUNCED, "bird_contract": "coupled"}, "call_and_bird", 1, 0, True, 0, "", "uhu@D", "uhu",
     "", [-6, -6, 6, 6]),
    ("K2 G5", {}, "solo", 1, None, True, 0, "mond_captured@O", "trull@D", None, "", [-1, 3, -1, -1]),
    ("K2 G6", {}, "just_one_exposed", 0, None, False, 0, "", "", None, "", [-15, 5, 5, 5]),
    ("K2 G7", {}, "solo_with", 0, None, False, 0, "kings@O", "", None, "", [-15, 5, 5, 5]),
    ("K2 G8", {}, "solo_without", 2, None, True, 0, "valat@D trull@D kings@D", "valat@D", None, "",
     [-74, -74, 222, -74]),
    ("K2 G12", {}, "call", 0, 1, True, 0, "", "king_ultimo@D", None, "", [-1, -1, 1, 1]),
    ("K2 G12", {"ku_win": "side_wins"}, "call", 0, 1, True, 0, "king_ultimo@D", "king_ultimo@D", None, "",
     [3, 3, -3, -3]),
    ("K2 G13", {}, "call", 0, 1, True, 0, "skues_captured@O mond_captured@O trull@O", "", None, "", [-3, -3,
     3, 3]),
    ("K2 G15", {}, "call", 0, None, False, 0, "", "", None, "", [-3, 1, 1, 1]),
    ("K2 G16", {}, "solo_and_bird", 3, None, False, 0, "kakadu@D mond_captured@D", "kakadu@D", "kakadu", "",
     [0, 0, 0, 0]),
    ("K2 G16", ANNOUNCED, "solo_and_bird", 3, None, False, 0, "kakadu@D mond_captured@D", "kakadu@D",
     "kakadu", "", [-3, -3, -3, 9]),
    ("K2 G17", {}, "solo", 2, None, True, 0, "", "mond_captured@O", None, "", [-6, -6, 18, -6]),
    ("K2 G18", {}, "beggar", 3, None, True, 0, "", "", None, "", [-3, -3, -3, 9]),
    ("K3 G1", {}, "solo", 0, 2, True, 1, "trull@D", "trull@D", None, "", [8, -8, 8, -8]),
    ("K3 G1", CHARGE, "solo", 0, 2, True, 1, "trull@D", "trull@D", None, "pagat_ultimo@D", [6, -6, 6, -6]),
    ("K3 G2", CHARGE, "solo", 0, 2, True, 1, "trull@D", "trull@D", None, "pagat_ultimo@O", [10, -10, 10,
     -10]),
    ("K3 G3", {}, "rufer", 0, 3, False, 0, "mond_captured@D king_captured@O", "", None, "", [-1, 1, 1, -1]),
    ("K3 G4", {}, "sechserdreier", 0, None, False, 0, "uhu@D", "", None, "", [-6, 2, 2, 2]),
    ("K3 G5", {}, "sechserdreier", 0, None, True, 2, "", "", None, "", [24, -8, -8, -8]),
    ("K3 G5", {}, "sechserdreier", 0, None, False, 1, "", "", None, "", [-24, 8, 8, 8]),
    ("K3 G6", {}, "besserrufer", 1, 3, True, 0, "pagat_ultimo@D kings@D", "pagat_ultimo@D uhu@D:1",
     "pagat_ultimo", "", [3, -3, 3, -3]),
    ("K3 G7", {}, "dreier", 2, None, True, 2, "trull@O", "", None, "", [-15, -15, 45, -15]),
    ("K3 G8", {}, "solo", 3, None, False, 0, "", "", None, "", [2, 2, 2, -6]),
    ("K3 G9", {}, "solo", 1, None, False, 0, "king_captured@O", "king_ultimo@D", None, "", [8, -24, 8, 8]),
    ("K3 G10", {}, "solodreier", 0, None, True, 0, "valat@D trull@D kings@D pagat_ultimo@D", "", None, "",
     [234, -78, -78, -78]),
    ("K3 G10", {"valat_solo_double": False}, "solodreier", 0, None, True, 0,
     "valat@D trull@D kings@D pagat_ultimo@D", "", None, "", [138, -46, -46, -46]),
    ("K3 G11", {}, "farbensolo", 1, None, True, 0, "", "valat@D:1", None, "", [75, -225, 75, 75]),
    ("K3 G12", {}, "bettel_ouvert", 3, None, False, 3, "", "", None, "", [48, 48, 48, -144]),
    ("K3 G13", {}, "zwiccolo", 2, None, True, 0, "", "", None, "", [-2, -2, 6, -2]),
    ("K3 G13", {}, "zwiccolo", 2, None, False, 0, "", "", None, "", [2, 2, -6, 2]),
    ("K3 G14", {}, "rufer", 0, 1, True, 0, "skues_captured@O trull@O", "", None, "", [-2, -2, 2, 2]),
    ("K3 G18", {}, "rufer", 0, None, True, 0, "", "", None, "", [3, -1, -1, -1]),
    ("K3 G19", {}, "besserdreier", 1, None, True, 0, "marabu@D", "marabu@D", "marabu", "", [-12, 36, -12,
     -12]),
    ("K3 G20", {}, "rufer", 0, 1, False, 1, "trull@O", "trull@O", None, "", [-4, -4, 4, 4]),
    ("K3 G21", {"kontra_max": 5}, "rufer", 0, 2, True, 0, "pagat_ultimo@D", "pagat_ultimo@D:5", None, "",
     [65, -65, 65, -65]),
    ("K3 G22", {}, "sechserdreier", 0, None, False, 0, "valat@O trull@O kings@O", "", None, "", [-66, 22, 22,
     22]),
    ("K3 G23", {}, "solo", 2, 1, True, 0, "king_ultimo@D", "king_ultimo@D:1 marabu@O", None, "", [-26, 26,
     26, -26]),
    ("K3 A5.1", {}, "sechserdreier", 0, None, True, 0, "", "valat@D", None, "", [-90, 30, 30, 30]),
    ("K3 A5.1", {}, "sechserdreier", 0, None, True, 0, "", "valat@O", None, "", [54, -18, -18, -18]),
    ("K3 A5.19", {"valat_mode": "replace"}, "rufer", 0, 1, True, 0, "valat@D trull@D kings@D", "kings@D",
     None, "", [6, 6, -6, -6]),
    ("K3 single", {"same_bonus": "single"}, "rufer", 0, 1, True, 0, "trull@O", "trull@D", None, "", [-1, -1,
     1, 1]),
]

# id, options, thirds, tricks won, payoffs
TRISCHAKEN: list[tuple[str, dict[str, object], list[int], list[int], list[int]]] = [
    ("K2 G9", {}, [110, 40, 30, 18], [3] * 4, [-6, 2, 2, 2]),
    ("K2 G10", {}, [109, 41, 30, 18], [3] * 4, [-3, 1, 1, 1]),
    ("K2 G11", {}, [69, 69, 30, 30], [3] * 4, [-2, -2, 2, 2]),
    ("K3 G15", {}, [30, 84, 48, 48], [3] * 4, [1, -3, 1, 1]),
    ("K3 G16", {}, [75, 75, 36, 24], [3] * 4, [-2, -2, 2, 2]),
    ("K3 G17", {}, [61, 60, 59, 30], [3] * 4, [-1, -1, -1, 3]),
    ("K3 G17", {"trischaken_compare": "thirds"}, [61, 60, 59, 30], [3] * 4, [-3, 1, 1, 1]),
    ("K3 pairs", {"trischaken_scoring": "two_pairs"}, [110, 100, 0, 0], [6, 6, 0, 0], [-3, 1, 1, 1]),
    ("K3 pairs", {"trischaken_scoring": "two_pairs"}, [110, 60, 40, 0], [6, 4, 2, 0], [-3, 0, 0, 3]),
    ("K3 pairs", {"trischaken_scoring": "two_pairs"}, [75, 75, 60, 0], [4, 4, 4, 0], [-1, -1, -1, 3]),
    ("K3 pairs", {"trischaken_scoring": "two_pairs"}, [30, 84, 48, 48], [3] * 4, [1, -1, 0, 0]),
    ("K3 pairs", {"trischaken_scoring": "two_pairs"}, [84, 42, 42, 42], [3] * 4, [0, 0, 0, 0]),
    ("K3 pairs", {"trischaken_scoring": "two_pairs"}, [75, 75, 36, 24], [3] * 4, [-1, -1, 1, 1]),
]

# id, options, contract, hand, trick so far, legal cards
LEGAL: list[tuple[str, dict[str, object], str, str, str, str]] = [
    ("K2 M1", {}, "call", "H4 HK T7", "H1", "HK H4"),
    ("K2 M2", {}, "just_one", "CJ CN C8", "C7 C10", "CN CJ"),
    ("K2 M3", {}, "beggar", "T2 T12 T22 SK", "T4 T11", "T22 T12"),
    ("K2 M4", {}, "beggar", "T2 T3 SK", "T4 T11", "T2 T3"),
    ("K2 M5", {}, "all_beggars", "T1 T2 SK", "D3", "T2"),
    ("K2 M6", {}, "all_beggars", "T1 SK", "D3", "T1"),
    ("K2 M7", {}, "all_beggars", "CK C8", "CJ", "CK"),
    ("K2 M7", {"all_beggars_forced": False}, "all_beggars", "CK C8", "CJ", "CK C8"),
    ("K2 M8", {}, "no_trumps", "T22 S7", "", "T22 S7"),
    ("K2 M8", {"nt_lead_ban": True}, "no_trumps", "T22 S7", "", "S7"),
    ("K2 M9", {}, "no_trumps", "T5 SK", "HQ", "T5 SK"),
    ("K2 M9", {"nt_trump_duty": True}, "no_trumps", "T5 SK", "HQ", "T5"),
    ("K2 M10", {}, "just_two", "T1 T9", "T22 T21 T2", "T1"),
    ("K2 M11", {}, "all_beggars", "T1 T9", "T22 T21 T2", "T9"),
    ("K2 M12", {}, "solo", "T1 T22 HK", "", "T1 T22 HK"),
    ("K3 L1", {}, "rufer", "SQ S7 T3 T20 HK", "S10 SK", "SQ S7"),
    ("K3 L2", {}, "solo", "T1 T4 H2 DK", "C8 CQ", "T4 T1"),
    ("K3 L3", {}, "dreier", "HQ H3 S7", "T9", "HQ H3 S7"),
    ("K3 L4", {}, "piccolo", "HJ H3 H4 T5", "H2 H1", "HJ"),
    ("K3 L5", {}, "piccolo", "H3 H4 T5", "H2 H1", "H3 H4"),
    ("K3 L6", {}, "bettel", "HJ H4 T20", "H2 T3", "HJ H4"),
    ("K3 L7", {}, "bettel", "T3 T7 T9 T15 S7", "D1 T8", "T15 T9"),
    ("K3 L8", {}, "bettel", "T3 T7 SK", "D1 T18", "T7 T3"),
    ("K3 L9", {}, "bettel", "T1 T6 CQ", "S9", "T6 T1"),
    ("K3 L10", {}, "trischaken", "T1 T6 CQ", "S9", "T6"),
    ("K3 L11", {}, "trischaken", "T1 T2 CK", "", "T2 CK"),
    ("K3 L11", {}, "trischaken", "T1 CK", "", "T1 CK"),
    ("K3 L12", {}, "farbensolo", "T22 T21 S7 HK", "", "S7 HK"),
    ("K3 L12", {}, "farbensolo", "T22 T21", "", "T22 T21"),
    ("K3 L13", {}, "farbensolo", "T5 T9 SK", "HQ H3", "T9 T5"),
    ("K3 L14", {}, "zwiccolo", "T1 T20 D4", "T21 T22", "T1"),
    ("K3 L14", {"emperor": "off"}, "zwiccolo", "T1 T20 D4", "T21 T22", "T20 T1"),
    ("K3 L15", {}, "zwiccolo", "T22 T5", "T1 T21", "T22 T5"),
    ("K3 L15", {"emperor": "off"}, "zwiccolo", "T22 T5", "T1 T21", "T22"),
    ("K3 L16", {}, "trischaken", "T1 T20", "T21 T22", "T20"),
    ("K3 L16", {"pagat_emperor_exception": True}, "trischaken", "T1 T20", "T21 T22", "T1"),
    ("K3 L17", {}, "trischaken", "T1 T2", "T9 T10", "T2"),
    ("K3 L18", {}, "piccolo", "S7 D4 H2", "CQ T4", "S7 D4 H2"),
    ("K3 L19", {}, "piccolo", "SK S8", "S10 SJ S9", "SK"),
]

#: Trick, colour, winning card (K2.10).
WINNERS = [
    ("HQ T22 H4 HJ", True, "HQ"),
    ("HQ T22 T21 T1", True, "HQ"),
    ("T5 T22 T21 T1", True, "T1"),
    ("HQ T22 T21 T1", False, "T1"),
    ("D4 D1 D2 DJ", False, "DJ"),
    ("S7 D4 HQ CK", False, "S7"),
]

#: C3: pile, thirds, table points.
PILES = [
    ("SK SQ SJ T5", 28, 9),
    ("HK D4 T7 T9", 16, 5),
    ("T1 T21 T22 SK CK HK DK", 91, 30),
    ("S7", 1, 0),
    ("S7 S8", 2, 1),
    ("SK", 13, 4),
    ("SK SQ", 23, 8),
]

#: Ruleset, calls ("p", "w" or a rank), ranks then open (0 = a reserved one), may pass, seat in turn.
AUCTIONS: list[tuple[str, str, list[int], bool, int | None]] = [
    ("K2", "w p p p", [0, 0, 0], False, 0),
    ("K2", "w 6 p p", [6, 7, 8, 9, 10, 11], True, 0),
    ("K2", "w 6 p p 6", [7, 8, 9, 10, 11], True, 1),
    ("K2", "p p p", list(range(1, 12)), True, 3),
    ("K2", "p p p 4", [], False, None),
    ("K2", "p p p p", [], False, None),
    ("K2", "4 p", [5, 6, 7, 8, 9, 10, 11], True, 2),
    ("K3", "w p p p", [0, 0, 0, *range(1, 12)], False, 0),
    ("K3", "w 1 2 p 2", list(range(3, 12)), True, 1),
    ("K3", "w p 4 6 p", [6, 7, 8, 9, 10, 11], True, 2),
    ("K3", "w p 4 6 p 6", [7, 8, 9, 10, 11], True, 3),
    ("K3", "6 p p p", [], False, None),
    ("K3", "w 11", [], True, 2),
    ("K3", "w 11 p p", [11], True, 0),
    ("K3", "w 3 p", [4, 5, 6, 7, 8, 9, 10, 11], True, 3),
    ("K3", "w 3 p p 3", [4, 5, 6, 7, 8, 9, 10, 11], True, 1),
]
# fmt: on


def rules_of(name: str, options: Mapping[str, object]) -> Rules:
    """The rules of an example called ``K2 …`` or ``K3 …``."""
    return make_rules(RULESETS[name[:2]], options)


def check_scores() -> Iterable[str]:
    """Scoring rows of K2.10, K3.10 and appendix 5."""
    for (
        name,
        options,
        contract,
        declarer,
        partner,
        won,
        kontra,
        made,
        announced,
        bird,
        charged,
        expected,
    ) in SCORES:
        rules = rules_of(name, options)
        levels = {("game", DECLARER): kontra, **items_of(announced)}
        facts = Facts(won, frozenset(items_of(made)), frozenset(items_of(charged)))
        items = score_items(rules, rules.contracts[contract], facts, levels, bird)
        found = payoffs(sum(item.value for item in items), range(4), 4, declarer, partner)
        if found != expected:
            yield f"{name} {options}: {found}, expected {expected}; {items}"


def check_trischaken() -> Iterable[str]:
    """Trischaken and All Beggars rows."""
    for name, options, pile_thirds, tricks, expected in TRISCHAKEN:
        found = trischaken_payoffs(rules_of(name, options), pile_thirds, tricks)
        if found != expected:
            yield f"{name} {options}: {found}, expected {expected}"


def check_legality() -> Iterable[str]:
    """Legality rows M and L, trick winners, counting, binding announcements."""
    for name, options, contract, hand, trick, expected in LEGAL:
        rules = rules_of(name, options)
        found = legal_cards(hand.split(), trick.split(), rules.play_flags(rules.contracts[contract]))
        if set(found) != set(expected.split()):
            yield f"{name} {options}: {found}, expected {expected}"
    for trick, colour, card in WINNERS:
        if trick.split()[winner(trick.split(), colour)] != card:
            yield f"winner of {trick}, colour {colour}: expected {card}"
    for pile, exact, points in PILES:
        if (thirds(pile.split()), table_points(pile.split())) != (exact, points):
            yield f"count of {pile}"
    targets = {"T1": 12, "T4": 9, "HK": 12}
    for cards, number, expected in (
        ("T1 T4 T9", 3, "T9"),
        ("T1 T4", 3, "T4"),
        ("T1 T4 T9", 9, "T4"),
        ("HK T1", 11, "T1"),
        ("HK", 3, "HK"),
        ("T4 T1", 10, "T4"),
    ):
        if bound_choice(cards.split(), targets, number) != expected.split():
            yield f"binding: {cards} in trick {number}"


def check_auctions() -> Iterable[str]:
    """The auction examples of both rulesets and K3.2's example."""
    for name, calls, ranks, may_pass, turn in AUCTIONS:
        rules = rules_of(name, {})
        auction = Auction(rules)
        by_rank = {contract.rank: contract for contract in rules.contracts.values()}
        for call in calls.split():
            action = {"p": "pass", "w": "wait"}.get(call) or f"bid:{by_rank[int(call)].name}"
            if action not in auction.legal():
                yield f"{name} auction {calls}: {action} is not legal"
                return
            auction.apply(action)
        menu = [] if auction.done else auction.legal()
        found = [rules.contracts[call[4:]].rank for call in menu if call.startswith("bid:")]
        if (found, "pass" in menu, auction.turn) != (ranks, may_pass, turn):
            yield f"{name} auction {calls}: turn {auction.turn}, {menu}"


def run_talk(talk: Talk, script: str) -> Iterable[str]:
    """Drive a talk: ``3:a`` seat 3 says a, ``1!a`` seat 1 must not say a, ``x`` the phase is over."""
    for step in script.split():
        if step == "x":
            if talk.turn is not None:
                yield f"talk not over: seat {talk.turn}"
            continue
        seat, action = int(step[0]), step[2:]
        legal = talk.turn == seat and action in talk.legal()
        if legal == (step[1] == "!"):
            yield f"talk step {step}: turn {talk.turn}, {talk.legal() if talk.turn is not None else []}"
            return
        if step[1] == ":":
            talk.apply(action)


def make_talk(
    ruleset: str,
    options: Mapping[str, object],
    contract: str,
    declarer: int,
    partner: int | None,
    known: bool,
    hand: str = "",
) -> Talk:
    """A talk in which only the declarer holds cards."""
    rules = rules_of(ruleset, options)
    hands: dict[int, list[str]] = {seat: [] for seat in range(4)}
    hands[declarer] = hand.split()
    return Talk(rules, rules.contracts[contract], range(4), declarer, partner, "SK", hands, known)


def check_talks() -> Iterable[str]:
    """The trace of K3.5, the announcement masks of K3.10 and the bird duty of appendix 5."""
    yield from run_talk(
        make_talk("K3", {}, "rufer", 0, 2, False),
        "0:end 1!announce:trull 1:contra:game 1:announce:trull 1:end 2:contra:game 2:end "
        "3:announce:pagat_ultimo 3:contra:game 3:end 0:end 1:end 2:end x",
    )
    yield from run_talk(make_talk("K3", {}, "rufer", 0, None, True), "0:end 1:announce:trull 1:end 2:announce:kings")
    yield from run_talk(
        make_talk("K3", {}, "solo", 0, None, False),
        "0:end 1:contra:game 1:end 2!announce:kings 2:end 3!announce:kings 3:end 0:end x",
    )
    yield from run_talk(make_talk("K3", {}, "piccolo", 1, None, True), "1!contra:game 1:end 2:contra:game 2:end 3:end")
    yield from run_talk(
        make_talk("K3", {}, "farbensolo", 0, None, True),
        "0!announce:trull 0:announce:valat 0:end 1:contra:valat@declarer 1:end 2:end 3:end 0:end x",
    )
    yield from run_talk(
        make_talk("K2", {}, "call", 0, 2, False),
        "0:end 1!announce:trull 1:end 2:announce:trull 2:end 3:announce:kings",
    )
    holder = {"card_announcements": "holder"}
    yield from run_talk(
        make_talk("K3", holder, "besserdreier", 0, None, True, "SK"),
        "0!end 0:announce:uhu 0!announce:kakadu 0:end",
    )
    yield from run_talk(
        make_talk("K3", holder, "besserdreier", 0, None, True, "T2 T3"),
        "0!announce:pagat_ultimo 0:announce:uhu 0:announce:kakadu 0:end 1!announce:pagat_ultimo",
    )


def random_options(rng: random.Random, ruleset: str) -> dict[str, object]:
    """Any value of any option."""
    return {name: rng.choice(allowed_values(ruleset, name)) for name in OPTIONS}


def random_hand(rng: random.Random) -> Referee:
    """One hand played at random under random options; bids spread over all contracts."""
    ruleset = rng.choice([PAGAT_RULES, FURR_RULES])
    options = random_options(rng, ruleset)
    cards = rng.sample(DECK, 54)
    groups, talon = [cards[i : i + 12] for i in range(0, 48, 12)], cards[48:]
    seats = int(str(options["table_size"]))
    dealer = rng.randrange(seats)
    hands: list[list[str]] = [[] for _ in range(seats)]
    for r in range(4):
        hands[(dealer + 1 + r) % seats] = groups[r]
    other = rng.sample(DECK, 54)
    packets = [other[i : i + 12] for i in range(0, 48, 12)]
    if options["knock"] == "agent":
        knock = {"talon": other[48:], "packets": packets}
        referee = Referee(ruleset, options, dealer, hands, talon, knock_deal=knock)
    elif options["knock"] != "never" and rng.random() < 0.5:
        referee = Referee(ruleset, options, dealer, [], other[48:], packets=packets)
    else:
        referee = Referee(ruleset, options, dealer, hands, talon)
    while not referee.done:
        legal = referee.legal()
        quiet = "pass" if "pass" in legal else "end"
        referee.apply(quiet if quiet in legal and rng.random() < 0.7 else rng.choice(legal))
    return referee


def check_random_play(hands: int = 300, seed: int = 1) -> Iterable[str]:
    """Random hands end, are zero-sum, and count all 54 cards exactly once."""
    rng = random.Random(seed)
    for number in range(hands):
        referee = random_hand(rng)
        result = referee.result()
        if sum(result["scores"]) or result["after"]["scores"] != result["scores"]:
            yield f"random hand {number}: {result}"
        if result["card_points"] is not None and referee.declarer is not None:
            cards = [card for trick in referee.tricks for card in trick.cards]
            cards += referee.discards + referee.talon_declarer + referee.talon_defence
            if sorted(cards) != sorted(DECK):
                yield f"random hand {number}: cards got lost"


def check_all() -> list[str]:
    """Everything that does not hold; empty when all is well."""
    checks = (check_scores, check_trischaken, check_legality, check_auctions, check_talks, check_random_play)
    return [problem for check in checks for problem in check()]


if __name__ == "__main__":
    problems = check_all()
    print("\n".join(problems) or "all examples hold")
    sys.exit(bool(problems))
