"""What Illustrated Tarock answers about a hand that is followed."""

from __future__ import annotations

from collections.abc import Mapping

from tests.reference.illustrated_contracts import DECLARATIONS, ULTIMO_CARDS
from tests.reference.observing import Item, PlayedApart


class IllustratedHand(PlayedApart):
    """`illustrated_tarock`."""

    @property
    def order(self) -> list[int]:
        """Eldest first."""
        return [(self.referee.dealer + 1 + place) % 3 for place in range(3)]

    @property
    def talon(self) -> list[str]:
        """As dealt."""
        return list(self.referee.talon)

    @property
    def contract(self) -> str | None:
        """None while the auction lasts."""
        return None if self.phase == "auction" else self.referee.contract.id

    @property
    def takes(self) -> int:
        """Three, two, one or none."""
        return self.referee.contract.takes

    @property
    def declarer(self) -> int | None:
        """None in the Beggar's game."""
        return self.referee.declarer

    partner = None
    called = None

    @property
    def talon_open(self) -> bool:
        """F4: turned up in all but a solo."""
        return self.phase == "talon" or bool(self.taken)

    @property
    def taken(self) -> list[str]:
        """The group that was chosen."""
        return list(self.referee.picked)

    @property
    def discards(self) -> list[str]:
        """As they were laid away."""
        return list(self.referee.discards)

    @property
    def to_discard(self) -> int:
        """As many as were taken."""
        return len(self.taken) - len(self.discards)

    @property
    def trumps_shown(self) -> bool:
        """P1-22."""
        return self.options["discard_trumps"] != "free_hidden"

    colour = False
    trump_duty = True
    gifts: list[list[str]] = []

    @property
    def trick_winners(self) -> list[int]:
        """Seats."""
        return list(self.referee.play.winners) if self.referee.play else []

    def others_calls(self) -> list[tuple[int, str]]:
        """F2: the auction without what its bidder says to his own bid: his `pass` is no pass, and no contra puts him out."""
        calls, bidder = [], None
        for seat, action in self.calls():
            if action.startswith("bid:"):
                bidder = seat
            if seat != bidder or action.startswith("bid:"):
                calls.append((seat, action))
        return calls

    def last_calls(self) -> dict[int, str]:
        """Each seat's last bid or `pass`."""
        calls = [(seat, action) for seat, action in self.others_calls() if action == "pass" or action.startswith("bid:")]
        return {seat: action.removeprefix("bid:") for seat, action in calls}

    def active(self) -> set[int]:
        """F2: who passes, or doubles another's bid, is out."""
        return set(self.order) - {seat for seat, action in self.others_calls() if action.startswith(("pass", "contra:"))}

    def bids(self) -> int:
        """F2: holds are not counted."""
        return self.referee.auction.bid_count

    @property
    def turn(self) -> str | None:
        """bid or contra, within a turn of several calls."""
        return self.referee.auction.turn_kind if self.phase == "auction" else None

    @property
    def levels(self) -> dict[Item, int]:
        """F2, F5: levels before and after the draw together; those of a bid that was topped are void."""
        before: Mapping[str, int] = self.referee.auction.levels
        after: Mapping[str, int] = self.referee.said.levels if self.referee.said else {}
        return {(name, 0): before.get(name, 0) + after.get(name, 0) for name in {**before, **after}}

    def early(self) -> set[str]:
        """F2: announced with the bid that stands."""
        return set(self.referee.auction.levels) - {"game"}

    def declared(self) -> list[tuple[int, str]]:
        """F5."""
        return [
            (seat, name)
            for seat, action in self.statements()
            if (name := action.removeprefix("announce:")) in DECLARATIONS and name != action
        ]

    @property
    def forced_loss(self) -> bool:
        """F4."""
        return self.referee.tainted(self.referee.picked)

    def face_up(self) -> set[str]:
        """F6, P1-34: cards of announced ultimos, once their owner has become declarer."""
        if self.declarer is None:
            return set()
        return {card for name, card in ULTIMO_CARDS.items() if (name, 0) in self.levels}
