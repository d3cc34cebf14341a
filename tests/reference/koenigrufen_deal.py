"""Königrufen: the deal – cut, knock and packets (C1, K2.1, K3.1, A5.13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.reference.cards import DECK
from tests.reference.koenigrufen_rules import Rules


class Deal:
    """The decisions before the auction, if ``knock`` allows any; ``actor`` is None once hands are final."""

    def __init__(
        self,
        rules: Rules,
        order: Sequence[int],
        hands: Sequence[Sequence[str]],
        talon: Sequence[str],
        packets: Sequence[Sequence[str]] | None,
        knock_deal: Mapping[str, Any] | None,
    ) -> None:
        self.rules, self.order = rules, list(order)
        self.seats: int = rules["table_size"]
        if packets is not None and knock_deal is not None:
            raise ValueError("give packets or knock_deal, not both")
        if knock_deal is not None and rules["knock"] != "agent":
            raise ValueError("an open choice between cut and knock exists with knock = agent only")
        self.cut: Sequence[Sequence[str]] | None = None if packets is not None else hands
        self.knock = knock_deal
        if packets is not None:
            self.knock = {"talon": talon, "packets": packets}
        self.talon: list[str] = list(talon)
        self.hands: list[list[str]] = [[] for _ in range(self.seats)]
        self.packets_left: list[int] = []
        self.actor: int | None = None
        self._check()
        self._start()

    def _check(self) -> None:
        """Every supplied deal is the whole pack; with five at the table the dealer takes no cards."""
        if self.knock is not None:
            if self.rules["knock"] == "never":
                raise ValueError("nobody knocks with knock = never")
            check_pack(self.knock["packets"], self.knock["talon"])
        if self.cut is not None:
            if len(self.cut) != self.seats:
                raise ValueError(f"{self.seats} hands expected")
            if any(self.cut[seat] for seat in range(self.seats) if seat not in self.order):
                raise ValueError("the dealer of five takes no cards")
            check_pack([self.cut[seat] for seat in self.order], self.talon)

    def _start(self) -> None:
        """``never``: the deal is no decision; else the dealer's left neighbour speaks (r2, with five r3)."""
        if self.rules["knock"] == "never":
            assert self.cut is not None
            self.hands = [list(hand) for hand in self.cut]
        else:
            self.actor = self.order[2 if self.seats == 4 else 3]

    def legal(self) -> list[str]:
        """``agent`` chooses; with ``always`` and ``random`` what happened is a forced move (A5.13)."""
        if self.packets_left:
            return [f"packet:{index}" for index in self.packets_left]
        if self.rules["knock"] == "agent":
            return ["cut", "knock"]
        return ["cut"] if self.knock is None else ["knock"]

    def apply(self, action: str) -> None:
        """Take one legal action; ValueError if its deal was not supplied."""
        if action == "cut":
            if self.cut is None:
                raise ValueError("no cut deal was supplied")
            self.hands = [list(hand) for hand in self.cut]
            self.actor = None
        elif action == "knock":
            if self.knock is None:
                raise ValueError("no knock deal was supplied")
            self.talon = list(self.knock["talon"])
            self.packets_left = [0, 1, 2, 3]
            self.actor = self.order[0]
        else:
            self._take_packet(int(action.removeprefix("packet:")))

    def _take_packet(self, index: int) -> None:
        """K3.1: r0 chooses any packet, then r1 and r2 among the rest, r3 gets the last."""
        assert self.knock is not None
        assert self.actor is not None
        self.packets_left.remove(index)
        self.hands[self.actor] = list(self.knock["packets"][index])
        self.actor = self.order[4 - len(self.packets_left)] if self.packets_left else None


def check_pack(groups: Sequence[Sequence[str]], talon: Sequence[str]) -> None:
    """Four groups of twelve and a talon of six make the pack of 54."""
    cards = [card for group in groups for card in group] + list(talon)
    if [len(group) for group in groups] != [12] * 4 or len(talon) != 6 or sorted(cards) != sorted(DECK):
        raise ValueError("not a full deal of the 54 cards")
