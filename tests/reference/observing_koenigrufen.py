"""What Königrufen answers about a hand that is followed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.reference.observing import SIDES, Followed, Item


class KoenigrufenHand(Followed):
    """`koenigrufen_pagat` and `koenigrufen_furr`."""

    open_contracts = ("piccolo_ouvert", "bettel_ouvert", "just_one_exposed", "beggar_exposed")
    trumps_shown = True

    @property
    def options(self) -> Any:
        """Every option with its value."""
        return self.referee.rules

    @property
    def phase(self) -> str:
        """The phase in the words of the page."""
        phase: str = self.referee.phase
        if phase == "deal":
            return "packet" if self.referee.deal.packets_left else "cut"
        if phase == "auction" and self.referee.auction.choosing:
            return "choice"
        return {"talk": "announcements"}.get(phase, phase)

    @property
    def order(self) -> list[int]:
        """Forehand first; with five the dealer is left out."""
        return list(self.referee.order)

    def hand(self, seat: int) -> list[str]:
        """None until cut and packets are done."""
        return self.referee.hands[seat] if self.referee.hands else []

    def true_hand(self, seat: int) -> list[str]:
        """Until somebody cuts or knocks the hands of the cut; then packets as they are chosen."""
        before_the_auction = {"cut": self.deal["cut_hands"], "packet": self.referee.deal.hands}
        cards: list[str] = before_the_auction.get(self.phase, self.referee.hands)[seat]
        return cards

    def true_talon(self) -> list[str]:
        """Likewise."""
        before_the_auction = {"cut": self.deal["cut_talon"], "packet": self.referee.deal.talon}
        return before_the_auction.get(self.phase, self.talon)

    @property
    def talon(self) -> list[str]:
        """Known to nobody before the auction."""
        return list(self.referee.talon)

    @property
    def contract(self) -> str | None:
        """Its name."""
        return self.referee.contract.name if self.referee.contract else None

    @property
    def takes(self) -> int:
        """Three, six or none."""
        return self.referee.contract.exchange if self.referee.contract else 0

    @property
    def declarer(self) -> int | None:
        """None in Trischaken."""
        return self.referee.declarer

    @property
    def partner(self) -> int | None:
        """The holder of the called king."""
        return self.referee.partner

    @property
    def called(self) -> str | None:
        """The called king."""
        return self.referee.called

    @property
    def talon_open(self) -> bool:
        """K3.4: turned up for an exchange of three; after the king is called. Six only with the option."""
        if self.phase == "call" or not self.takes:
            return False
        return self.takes == 3 or bool(self.options["six_talon_exposed"])

    @property
    def taken(self) -> list[str]:
        """The half that was chosen, or all six."""
        if self.takes == 6:
            return self.talon
        half = [int(action[-1]) for _, phase, action in self.said if phase == "talon"]
        return self.talon[3 * half[0] : 3 * half[0] + 3] if half else []

    @property
    def discards(self) -> list[str]:
        """As they were laid away."""
        return list(self.referee.discards)

    @property
    def to_discard(self) -> int:
        """Cards still to be laid away."""
        return self.referee.discards_due - len(self.discards)

    @property
    def colour(self) -> bool:
        """Farbensolo, No Trumps."""
        return self.referee.rules.play_flags(self.referee.contract).colour

    @property
    def trump_duty(self) -> bool:
        """Off in No Trumps as an option."""
        return self.referee.rules.play_flags(self.referee.contract).trump_duty

    @property
    def trick_winners(self) -> list[int]:
        """Seats."""
        return [trick.winner for trick in self.referee.tricks if trick.winner is not None]

    @property
    def gifts(self) -> list[list[str]]:
        """Trischaken: talon card i is turned up with trick i, or all six with the last one (K3-34)."""
        done = len(self.trick_winners)
        if self.referee.contract is None or not self.referee.contract.everybody_alone:
            return []
        if self.options["trischaken_talon"] == "last_trick":
            return [[]] * 11 + [self.talon] if done == 12 else []
        return [[card] for card in self.talon[:done]] if self.options["trischaken_talon"] == "first_six" else []

    @property
    def levels(self) -> dict[Item, int]:
        """Of the referee of announcements."""
        talk = self.referee.talk
        return {(kind, SIDES[side]): level for (kind, side), level in talk.levels.items()} if talk else {}

    @property
    def contracted(self) -> str | None:
        """The first bird of a bird contract."""
        return self.referee.talk.contracted_bird if self.referee.talk else None

    def open_hands(self) -> Sequence[int]:
        """`ouvert_who`, `ouvert_when`."""
        late = self.options["ouvert_when"] == "after_first_trick" and not self.trick_winners
        if not self.playing or self.contract not in self.open_contracts or late:
            return ()
        return self.order if self.options["ouvert_who"] == "all" else [self.referee.declarer]
