"""What Tarok and Slovenian Tarock answer about a hand that is followed."""

from __future__ import annotations

from collections.abc import Sequence

from tests.reference.cards import PAGAT
from tests.reference.observing import GAME, SIDES, Item, PlayedApart
from tests.reference.slovenian_contracts import TAROK


class SlovenianHand(PlayedApart):
    """`tarok_furr_*` and `slovenian_*`."""

    open_contracts = ("beggar_exposed", "open_nill")

    @property
    def order(self) -> list[int]:
        """Eldest first."""
        seats = self.referee.seats
        return [(self.referee.dealer + 1 + place) % seats for place in range(seats)]

    @property
    def mode(self) -> str:
        """B1: forced All Beggars; D1: a restricted round."""
        if self.referee.compulsory is None:
            return "normal"
        return "forced" if self.ruleset in TAROK else "restricted"

    @property
    def talon(self) -> list[str]:
        """As dealt."""
        return list(self.referee.hand.talon)

    @property
    def contract(self) -> str | None:
        """Its name, after a raise the new one."""
        return self.referee.hand.contract.id if self.referee.hand.contract else None

    @property
    def takes(self) -> int:
        """Three, two, one or none."""
        return self.referee.hand.contract.takes if self.referee.hand.contract else 0

    @property
    def declarer(self) -> int | None:
        """None in All Beggars and Leasters."""
        return self.referee.hand.declarer

    @property
    def partner(self) -> int | None:
        """The holder of the called king."""
        return self.referee.hand.partner

    @property
    def called(self) -> str | None:
        """The called king; none once a raise has replaced the contract that called it."""
        contract = self.referee.hand.contract
        return self.referee.hand.called_king if contract and contract.calls_king else None

    @property
    def talon_open(self) -> bool:
        """A3: turned up whenever any card is taken, after the king is called."""
        return self.phase == "talon" or bool(self.taken)

    @property
    def taken(self) -> list[str]:
        """The group that was chosen."""
        return list(self.referee.hand.picked)

    @property
    def discards(self) -> list[str]:
        """As they were laid away."""
        return list(self.referee.hand.discards)

    @property
    def to_discard(self) -> int:
        """As many as were taken."""
        return len(self.taken) - len(self.discards)

    @property
    def trumps_shown(self) -> bool:
        """B4; S4-8 `discard_trumps`."""
        return self.options.get("discard_trumps") != "free_hidden"

    @property
    def colour(self) -> bool:
        """Colour slam, suit slam."""
        return self.referee.play.rules.colour

    @property
    def trump_duty(self) -> bool:
        """A4."""
        return self.referee.play.rules.must_trump or not self.colour

    @property
    def trick_winners(self) -> list[int]:
        """Seats."""
        return list(self.referee.play.winners) if self.referee.play else []

    @property
    def gifts(self) -> list[list[str]]:
        """D6, S4-10; S0-12: a talon card to each of the first six tricks, turned up."""
        dealt_out = self.contract == "leasters" or (self.contract == "all_beggars" and self.options["ab_talon_gifts"])
        shown = dealt_out and self.options.get("gift_visible", True)
        return [[card] for card in self.talon[: len(self.trick_winners)]] if shown else []

    @property
    def levels(self) -> dict[Item, int]:
        """Of the referee of announcements."""
        said = self.referee.said
        if said is None:
            return {}
        return {GAME: said.game_level} | {(kind, SIDES[side]): level for (kind, side), level in said.levels.items()}

    def face_up(self) -> set[str]:
        """S0-29, S4-23 `announced_ultimo_hold`: T1 of an announced ultimo; a king is not laid open."""
        said = any(action == "announce:pagat_ultimo" for _, action in self.statements())
        return {PAGAT} if said and self.options["announced_ultimo_hold"] else set()

    def open_hands(self) -> Sequence[int]:
        """S0-16, S4-33 `open_exposure`."""
        late = self.options["open_exposure"] == "after_first_trick" and not self.trick_winners
        open_now = self.playing and self.contract in self.open_contracts and not late
        return [self.referee.hand.declarer] if open_now else ()
