"""What outlives a hand: totals, rings, compulsory hands, the dealer, the end of a session and its settlement.

B1, B8, C8 (Tarok), D1, D8, E1 (Slovenian Tarock), F8 (Illustrated Tarock); Königrufen is simply N hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.reference.cards import DECK, FOOL, is_trump
from tests.reference.illustrated_contracts import options_of as illustrated_options_of
from tests.reference.slovenian_contracts import SLOVENIAN, TAROK, contract_of, seats_of
from tests.reference.slovenian_contracts import options_of as slovenian_options_of

ILLUSTRATED = "illustrated_tarock"
NO_TRUMPS, SCORE = "no_trumps", "score"
RING_PRICE = 100
MATCH_BONUS = 10
FIRST_MISDEAL = 20

Before = dict[str, Any]


# ---------------------------------------------------------------- the deal


#: B1, C1, D1, E1, F1: cards a packet; the packets go round until every hand is full.
PACKET = {"tarok_furr_4p": 6, "tarok_furr_3p": 8, "slovenian_4p": 6, "slovenian_3p": 8, ILLUSTRATED: 4}


def deal(ruleset: str, dealer: int, deck: Sequence[str]) -> tuple[list[list[str]], list[str]]:
    """A3: six cards to the talon, then packets round the table, Eldest first."""
    seats, size = players(ruleset), PACKET[ruleset]
    hands: list[list[str]] = [[] for _ in range(seats)]
    for turn, start in enumerate(range(6, len(deck), size)):
        hands[(dealer + 1 + turn) % seats] += deck[start : start + size]
    return hands, list(deck[:6])


def check_deal(seats: int, hands: Sequence[Sequence[str]], talon: Sequence[str]) -> None:
    """A3: equal hands and six talon cards, the whole pack once."""
    size = 48 // seats
    if len(talon) != 6 or [len(hand) for hand in hands] != [size] * seats:
        raise ValueError(f"a deal is {seats} hands of {size} and a talon of six")
    if sorted([card for hand in hands for card in hand] + list(talon)) != sorted(DECK):
        raise ValueError("a deal is the whole pack, every card once")


def players(ruleset: str, options: dict[str, Any] | None = None) -> int:
    """Seats at the table."""
    if ruleset.startswith("koenigrufen"):
        return int((options or {}).get("table_size", 4))
    return 3 if ruleset == ILLUSTRATED else seats_of(ruleset)


def has_trumpless_hand(hands: Sequence[Sequence[str]]) -> bool:
    """B1, D1: some player was dealt no trumps."""
    return any(hand and not any(is_trump(card) for card in hand) for hand in hands)


def redeals(ruleset: str, options: dict[str, Any], compulsory: str | None) -> bool:
    """Is a trumpless hand thrown in? B1 with S0-8 and K11; D1, S4-3; P1-32."""
    if ruleset in TAROK:
        return bool(options["redeal_in_forced"]) or compulsory is None
    if ruleset in SLOVENIAN:
        return bool(options["restricted_rounds"])
    return ruleset == ILLUSTRATED and bool(options["redeal_no_trumps"])


def must_throw_in(ruleset: str, options: dict[str, Any], hands: Sequence[Sequence[str]], compulsory: str | None) -> bool:
    """B1, D1: this deal is not played; the same dealer deals again."""
    return redeals(ruleset, options, compulsory) and has_trumpless_hand(hands)


def refuse_trumpless(ruleset: str, options: dict[str, Any], hands: Sequence[Sequence[str]], compulsory: str | None) -> None:
    """ValueError for a deal that must be thrown in: the record holds the deal that was played."""
    if must_throw_in(ruleset, options, hands, compulsory):
        raise ValueError("a hand without trumps: this deal is thrown in and dealt again")


# ---------------------------------------------------------------- before and after a hand


def fresh(seats: int) -> Before:
    """The state before the first hand."""
    return {"scores": [0] * seats, "rings": [0] * seats, "compulsory": None}


def complete_before(before: Before | None, seats: int) -> Before:
    """Record format: what is absent is zero or null."""
    complete = fresh(seats) | (before or {})
    if len(complete["scores"]) != seats or len(complete["rings"]) != seats:
        raise ValueError(f"scores and rings have {seats} entries")
    if complete["compulsory"] not in (None, NO_TRUMPS, SCORE):
        raise ValueError(f"no such reason for a compulsory hand: {complete['compulsory']!r}")
    return complete


def compulsory_in_force(ruleset: str, options: dict[str, Any], before: Before) -> str | None:
    """B1, D1: the reason, where there are compulsory hands; K18: "score" needs a total to explain it."""
    reason: str | None = before["compulsory"]
    if ruleset not in TAROK and not (ruleset in SLOVENIAN and options["restricted_rounds"]):
        return None
    if reason == SCORE and not any(total_triggers(ruleset, total) for total in before["scores"]):
        raise ValueError(f"no total in {before['scores']} makes the hand compulsory")
    return reason


def total_triggers(ruleset: str, total: int) -> bool:
    """B1: zero or any multiple of 500. D1: zero only."""
    return total % 500 == 0 if ruleset in TAROK else total == 0


def compulsory_after(ruleset: str, options: dict[str, Any], totals: Sequence[int], changes: Sequence[int]) -> str | None:
    """B1, D1, ``zero_trigger``: "state" is about the totals alone, "reached" wants a change to it."""
    if ruleset not in TAROK and not (ruleset in SLOVENIAN and options["restricted_rounds"]):
        return None
    reached = options["zero_trigger"] == "reached"
    hits = [
        total_triggers(ruleset, total) and (change != 0 or not reached)
        for total, change in zip(totals, changes, strict=True)
    ]
    return SCORE if any(hits) else None


def after_hand(
    ruleset: str,
    options: dict[str, Any],
    totals_before: Sequence[int],
    scores: Sequence[int],
    rings: Sequence[int],
) -> Before:
    """Record format ``after``: all bookkeeping done."""
    totals = [old + new for old, new in zip(totals_before, scores, strict=True)]
    compulsory = compulsory_after(ruleset, options, totals, scores)
    if ruleset == ILLUSTRATED and match_over(options, totals):
        totals = with_match_bonus(totals)
    return {"scores": totals, "rings": list(rings), "compulsory": compulsory}


# ---------------------------------------------------------------- Illustrated Tarock: the match


def match_over(options: dict[str, Any], totals: Sequence[int]) -> bool:
    """F8, K2: the match ends when some total is over 100 (``ge_100``: has reached 100)."""
    return max(totals) > 100 or (options["end_threshold"] == "ge_100" and max(totals) == 100)


def with_match_bonus(totals: Sequence[int]) -> list[int]:
    """F8, K2: everybody who has made 100 gets ten."""
    return [total + MATCH_BONUS if total >= 100 else total for total in totals]


# ---------------------------------------------------------------- settlements and penalties


def settlement(ruleset: str, options: dict[str, Any], final: Before) -> list[int]:
    """The settlement at the end of a session; ``final`` is the last hand's ``after``."""
    if ruleset in TAROK:
        return ring_settlement(final["rings"])
    if ruleset in SLOVENIAN:
        return [-options["wheel_value"] * wheels for wheels in final["rings"]]
    if ruleset == ILLUSTRATED:
        return pairwise_differences(final["scores"])
    return [0] * len(final["scores"])


def ring_settlement(rings: Sequence[int]) -> list[int]:
    """B8: each seat pays every other seat 100 for each of its own rings."""
    others = len(rings) - 1
    return [RING_PRICE * (sum(rings) - own) - RING_PRICE * others * own for own in rings]


def pairwise_differences(totals: Sequence[int]) -> list[int]:
    """F8: everybody settles with everybody the difference of their totals."""
    return [len(totals) * own - sum(totals) for own in totals]


def misdeal_penalty(offence: int) -> int:
    """D8: 20 for a dealer's first misdeal, doubled for each further one."""
    return -(FIRST_MISDEAL << (offence - 1))


def revoke_fine(ruleset: str, contract: str, game_level: int = 0) -> int:
    """D8, S4-36: the full value of the game, base times the kontra on it."""
    return -(contract_of(ruleset, contract).base << game_level)


# ---------------------------------------------------------------- the session


class SessionReferee:
    """Hand after hand: who deals, from which state, and whether it is over.

    A driver deals, asks ``must_throw_in``, calls ``throw_in`` if so and deals again, else plays the hand from
    ``before`` and hands its deal and result to ``finish``.
    """

    def __init__(
        self, ruleset: str, options: dict[str, Any] | None = None, dealer: int = 0, hands: int | None = None
    ) -> None:
        self.ruleset = ruleset
        self.options = session_options(ruleset, options)
        self.seats = players(ruleset, self.options)
        self.dealer = dealer
        self.before = fresh(self.seats)
        self.hands = self.options.get("session_hands") or hands
        self.hands_played = 0
        self.over = False
        self.scuse_round = False
        self.last_dealer: int | None = None
        self.misdeals = [0] * self.seats
        self.penalties = [0] * self.seats

    def must_throw_in(self, hands: Sequence[Sequence[str]]) -> bool:
        """B1, D1: has somebody been dealt no trumps where that counts?"""
        return must_throw_in(self.ruleset, self.options, hands, self.before["compulsory"])

    def throw_in(self) -> None:
        """B1, D1: the same dealer deals again, a compulsory hand; in Illustrated Tarock it is not."""
        if self.ruleset != ILLUSTRATED:
            self.before = self.before | {"compulsory": NO_TRUMPS}

    def misdeal(self) -> int:
        """D8, arbiter only: what the dealer pays; kept in ``penalties``, outside the records' totals."""
        self.misdeals[self.dealer] += 1
        penalty = misdeal_penalty(self.misdeals[self.dealer])
        self.penalties[self.dealer] += penalty
        return penalty

    def request_end(self) -> None:
        """D8: the players wish to end; the next hand is the 'Scuse round."""
        if self.ruleset in SLOVENIAN and self.last_dealer is None:
            self.scuse_round = True

    def finish(self, hands: Sequence[Sequence[str]], result: dict[str, Any]) -> None:
        """Book a finished hand: the deal as it was played and the referee's (or an engine's) result."""
        if self.over:
            raise ValueError("the session is over")
        self.hands_played += 1
        totals = [old + new for old, new in zip(self.before["scores"], result["scores"], strict=True)]
        self.before = result["after"]
        self.close_if_due(hands, totals)
        self.dealer = (self.dealer + 1) % self.seats

    def close_if_due(self, hands: Sequence[Sequence[str]], totals: Sequence[int]) -> None:
        """N hands; Slovenian Tarock goes on to its 'Scuse round; Illustrated Tarock is one match."""
        due = self.hands is not None and self.hands_played >= self.hands
        if self.ruleset in SLOVENIAN:
            self.scuse_ending(hands, due)
        elif self.ruleset == ILLUSTRATED:
            self.over = match_over(self.options, totals)
        else:
            self.over = due

    def scuse_ending(self, hands: Sequence[Sequence[str]], due: bool) -> None:
        """D8: who was dealt T22 in the 'Scuse round deals the last hand; T22 in the talon: once more."""
        if self.last_dealer is not None:
            self.over = self.dealer == self.last_dealer
        elif self.scuse_round:
            holder = next((seat for seat, hand in enumerate(hands) if FOOL in hand), None)
            at_once = holder == self.dealer and self.options["scuse_same_dealer"] == "end_now"
            self.over, self.last_dealer, self.scuse_round = at_once, holder, holder is None
        elif due:
            self.scuse_round = True

    def settlement(self) -> list[int]:
        """The settlement, once the session is over."""
        if not self.over:
            raise ValueError("the session is not over")
        return settlement(self.ruleset, self.options, self.before)


def session_options(ruleset: str, options: dict[str, Any] | None) -> dict[str, Any]:
    """All options with their values; those of Königrufen are left to its own referee."""
    if ruleset == ILLUSTRATED:
        return illustrated_options_of(options)
    if ruleset in TAROK or ruleset in SLOVENIAN:
        return slovenian_options_of(ruleset, options)
    return dict(options or {})
