"""Announcements and kontra: B5 (one sweep, no kontra) and D5 (until quiet, with kontra)."""

from __future__ import annotations

from collections.abc import Sequence

from tests.reference.cards import PAGAT
from tests.reference.slovenian_contracts import BONUSES

DECLARER, DEFENCE = "declarer", "defence"
SIDES = (DECLARER, DEFENCE)
HIGHEST_LEVEL = 4


class Announcements:
    """B5: Declarer first, then to the right, each seat once; any bonuses for the own side, then ``end``."""

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        declarer: int,
        partner: int | None,
        called_king: str | None,
        bonuses: bool,
    ) -> None:
        self.hands = hands
        self.seats = len(hands)
        self.declarer = declarer
        self.friends = {declarer, partner}
        self.called_king = called_king
        self.bonuses = bonuses
        self.levels: dict[tuple[str, str], int] = {}
        self.announcer: dict[str, int] = {}
        self.game_level = 0
        self.turns_taken = 0
        self.actor: int | None = declarer

    def side(self, seat: int | None) -> str:
        """B3: every seat knows its own side."""
        return DECLARER if seat in self.friends else DEFENCE

    def legal(self) -> list[str]:
        """Everything the seat on turn may say."""
        if self.actor is None:
            return []
        return self.announceable() + self.raisable() + ["end"]

    def announceable(self) -> list[str]:
        """Bonuses that the own side has not announced; an ultimo only with its card in hand (B5, D5)."""
        assert self.actor is not None
        if not self.bonuses:
            return []
        side, hand = self.side(self.actor), self.hands[self.actor]
        card_needed = {"pagat_ultimo": PAGAT, "king_ultimo": self.called_king}
        return [
            f"announce:{bonus}"
            for bonus in BONUSES
            if (bonus, side) not in self.levels and (bonus not in card_needed or card_needed[bonus] in hand)
        ]

    def raisable(self) -> list[str]:
        """S0-48: there is no kontra."""
        return []

    def apply(self, action: str) -> None:
        """One announcement, kontra step or end of turn."""
        if action not in self.legal():
            raise ValueError(f"{action!r} is not legal in the announcements; legal: {self.legal()}")
        assert self.actor is not None
        verb, _, what = action.partition(":")
        if verb == "announce":
            self.levels[what, self.side(self.actor)] = 0
            self.announcer[what] = self.actor
        elif what == "game":
            self.game_level += 1
        elif verb == "contra":
            bonus, _, side = what.partition("@")
            self.levels[bonus, side] += 1
        self.after_call(ended=verb == "end")

    def after_call(self, ended: bool) -> None:
        """B5: one sweep."""
        if ended:
            self.turns_taken += 1
            self.pass_on(over=self.turns_taken == self.seats)

    def pass_on(self, over: bool) -> None:
        """The turn goes to the right, or the phase is over."""
        assert self.actor is not None
        self.actor = None if over else (self.actor + 1) % self.seats

    def held_cards(self) -> dict[int, set[str]]:
        """S0-29, S4-23 ``announced_ultimo_hold``: seat -> cards it announced an ultimo for."""
        held: dict[int, set[str]] = {}
        if "pagat_ultimo" in self.announcer:
            held.setdefault(self.announcer["pagat_ultimo"], set()).add(PAGAT)
        if "king_ultimo" in self.announcer and self.called_king is not None:
            held.setdefault(self.announcer["king_ultimo"], set()).add(self.called_king)
        return held


class KontraAnnouncements(Announcements):
    """D5: round until it is quiet; the game and each announced bonus can be raised four times."""

    quiet = 0
    anything_said = False
    said_this_turn = False

    def raisable(self) -> list[str]:
        """D5: even levels are raised by the side that does not own the item, odd levels by the owner."""
        side = self.side(self.actor)
        items = [("game", DECLARER, self.game_level)]
        items += [(f"{bonus}@{owner}", owner, level) for (bonus, owner), level in self.levels.items()]
        return [
            f"contra:{name}" for name, owner, level in items if level < HIGHEST_LEVEL and (side == owner) == (level % 2 == 1)
        ]

    def after_call(self, ended: bool) -> None:
        """D5: over after N quiet turns if nobody ever called, after N − 1 quiet turns after a call."""
        if not ended:
            self.anything_said = self.said_this_turn = True
            return
        self.quiet = 0 if self.said_this_turn else self.quiet + 1
        self.said_this_turn = False
        self.pass_on(over=self.quiet == (self.seats - 1 if self.anything_said else self.seats))
