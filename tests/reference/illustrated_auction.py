"""The auction of Illustrated Tarock with its announcements and contras (F2, K12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.reference.cards import KINGS, TRULL
from tests.reference.illustrated_contracts import ANNOUNCEMENTS, CONTRACTS, SEATS, ULTIMO_CARDS, Contract

GAME = "game"


def without_is_true(name: str, cards: Sequence[str]) -> bool:
    """F2, F5: the cards hold no Honour, or no King; True for every other announcement."""
    forbidden = {"without_trull": TRULL, "without_kings": KINGS}.get(name, frozenset())
    return not forbidden & set(cards)


def card_at_hand(name: str, cards: Sequence[str]) -> bool:
    """F2, K12: an ultimo needs its card; True for every other announcement."""
    return name not in ULTIMO_CARDS or ULTIMO_CARDS[name] in cards


class Auction:
    """Round until nobody else is in and it has been quiet; ``contract`` is None if all three passed."""

    def __init__(self, hands: Sequence[Sequence[str]], options: dict[str, Any], dealer: int) -> None:
        self.hands = hands
        self.contras_on = options["contras"] == "on"
        self.hold_rule = options["hold"]
        self.eldest = (dealer + 1) % SEATS
        self.active = set(range(SEATS))
        self.high: int | None = None
        self.contract: Contract | None = None
        self.bid_count = 0
        self.levels: dict[str, int] = {}
        self.quiet = 0
        self.over = False
        self.turn_kind: str | None = None
        self.actor: int | None = self.eldest if options["auction_opener"] == "eldest" else (dealer + 2) % SEATS

    # ------------------------------------------------------------ what may be said

    def legal(self) -> list[str]:
        """Every call open to the seat on turn, within a turn of several calls too."""
        if self.actor is None:
            return []
        if self.turn_kind == "bid":
            return self.pre_draw_announcements() + ["end"]
        if self.turn_kind == "contra":
            return self.contras() + ["end"]
        return ["pass", *self.bids(), *self.contras()]

    def bids(self) -> list[str]:
        """F2: any higher level, Also Three only over Three Cards; hold the level of a junior high bidder."""
        if self.actor not in self.active or self.actor == self.high:
            return []
        standing = self.contract.rank if self.contract else 0
        higher = [c for c in CONTRACTS.values() if c.rank > standing and (c.id != "also_three" or standing == 1)]
        held = [self.contract] if self.contract and self.may_hold() else []
        return [f"bid:{contract.id}" for contract in held + higher]

    def may_hold(self) -> bool:
        """F2, P1-4: an elder player may take over the bid of a younger one."""
        assert self.actor is not None
        assert self.high is not None
        if self.hold_rule == "eldest_only" and self.actor != self.eldest:
            return False
        return self.seniority(self.actor) < self.seniority(self.high)

    def seniority(self, seat: int) -> int:
        """0 for Eldest, 2 for the dealer."""
        return (seat - self.eldest) % SEATS

    def contras(self) -> list[str]:
        """F2: the bidder re-contras level 1; the others contra level 0 and sub-contra level 2."""
        if not self.contras_on or self.high is None:
            return []
        levels = (1,) if self.actor == self.high else (0, 2)
        return [f"contra:{name}" for name, level in self.levels.items() if level in levels]

    def pre_draw_announcements(self) -> list[str]:
        """F2, K3: ultimos with their card, true Without announcements, one of With 40 and With 50."""
        assert self.actor is not None
        hand = self.hands[self.actor]
        blocked = {"with_40", "with_50"} if {"with_40", "with_50"} & set(self.levels) else set()
        return [
            f"announce:{name}"
            for name in ANNOUNCEMENTS
            if name not in self.levels and name not in blocked and card_at_hand(name, hand) and without_is_true(name, hand)
        ]

    # ------------------------------------------------------------ what a call does

    def apply(self, action: str) -> None:
        """One call."""
        if action not in self.legal():
            raise ValueError(f"{action!r} is not legal in the auction; legal: {self.legal()}")
        verb, _, what = action.partition(":")
        if verb == "bid":
            self.take_bid(CONTRACTS[what])
        elif verb == "announce":
            self.levels[what] = 0
        elif verb == "contra":
            self.contra(what)
        else:
            self.end_turn(passed=verb == "pass")

    def take_bid(self, contract: Contract) -> None:
        """F2: all items of the superseded bid are void; a hold is not counted as a bid."""
        held = self.contract is not None and contract.rank == self.contract.rank
        self.bid_count += 0 if held else 1
        self.contract, self.high = contract, self.actor
        self.levels = {GAME: 0}
        self.turn_kind, self.quiet = "bid", 0

    def contra(self, what: str) -> None:
        """F2: any contra but the bidder's re-contra is a pass."""
        assert self.actor is not None
        self.levels[what] += 1
        if self.actor != self.high:
            self.active.discard(self.actor)
        self.turn_kind, self.quiet = "contra", 0

    def end_turn(self, passed: bool) -> None:
        """F2: a pass puts an active seat out (for the others it is "no call") and makes a quiet turn."""
        if passed:
            self.quiet += 1
            if self.actor != self.high:
                self.active.discard(self.actor if self.actor is not None else -1)
        self.turn_kind = None
        self.over = self.is_over()
        self.actor = None if self.over else self.next_seat()

    def is_over(self) -> bool:
        """F2: nobody else is in and two quiet turns have passed; K12: without contras at once."""
        if self.contract is None:
            return not self.active
        return self.active == {self.high} and (self.quiet >= 2 or not self.contras_on)

    def next_seat(self) -> int:
        """F2: cyclic, players who are out included; K12: without contras only who can still bid."""
        assert self.actor is not None
        following = [(self.actor + step) % SEATS for step in range(1, SEATS + 1)]
        if self.contras_on and self.contract is not None:
            return following[0]
        return next(seat for seat in following if seat in self.active and seat != self.high)
