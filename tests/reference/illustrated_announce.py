"""Announcements, declarations and contras after the draw (F5, K3, K12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.reference.cards import KINGS, TRULL
from tests.reference.illustrated_auction import card_at_hand, without_is_true
from tests.reference.illustrated_contracts import ANNOUNCEMENTS, DECLARATIONS, SEATS


def declaration_holds(name: str, hand: Sequence[str]) -> bool:
    """F7, P1-19: all three Honours, exactly two of them, all four Kings."""
    honours = len(TRULL & set(hand))
    facts = {"trull": honours == 3, "half_trull": honours == 2, "kings": set(hand) >= KINGS}
    return facts[name]


class Announcements:
    """Declarer first, to the right, until it is quiet. ``levels``: contras after the draw on each item."""

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        declarer: int,
        discards: Sequence[str],
        before_draw: dict[str, int],
        options: dict[str, Any],
    ) -> None:
        self.hands = hands
        self.declarer = declarer
        self.discards = list(discards)
        self.before_draw = dict(before_draw)
        self.options = options
        self.levels = dict.fromkeys(before_draw, 0)
        self.declared: list[tuple[int, str]] = []
        self.first_turn = True
        self.quiet = 0
        self.anything_said = False
        self.said_this_turn = False
        self.actor: int | None = declarer

    def legal(self) -> list[str]:
        """Everything the seat on turn may say."""
        if self.actor is None:
            return []
        own = self.declarer_announcements() if self.actor == self.declarer and self.first_turn else []
        return own + self.declarations() + self.contras() + ["end"]

    def declarer_announcements(self) -> list[str]:
        """F5: those not yet announced, true of hand and discards, ultimos with their card."""
        hand = self.hands[self.declarer]
        return [
            f"announce:{name}"
            for name in ANNOUNCEMENTS
            if name not in self.levels
            and not self.excluded_by_the_other(name)
            and card_at_hand(name, hand)
            and without_is_true(name, [*hand, *self.discards])
        ]

    def excluded_by_the_other(self, name: str) -> bool:
        """K3: With 40 and With 50 stand together only as With 40 in the bid and With 50 after the draw."""
        if name == "with_40":
            return "with_50" in self.levels
        return name == "with_50" and "with_40" in self.levels and "with_40" not in self.before_draw

    def declarations(self) -> list[str]:
        """F5, K12: each once; ``penalised``: also false ones, save Half Honours by a holder of all three."""
        assert self.actor is not None
        hand = self.hands[self.actor]
        return [
            f"announce:{name}"
            for name in DECLARATIONS
            if (self.actor, name) not in self.declared and (declaration_holds(name, hand) or self.may_be_false(name, hand))
        ]

    def may_be_false(self, name: str, hand: Sequence[str]) -> bool:
        """P1-20, K12."""
        if self.options["false_declarations"] != "penalised":
            return False
        return not (name == "half_trull" and declaration_holds("trull", hand))

    def contras(self) -> list[str]:
        """F5: defenders contra level 0 and sub-contra level 2, the declarer re-contras level 1."""
        if self.options["contras"] == "off":
            return []
        levels = (1,) if self.actor == self.declarer else (0, 2)
        return [f"contra:{name}" for name, level in self.levels.items() if level in levels and not self.closed(name)]

    def closed(self, name: str) -> bool:
        """K12 ``post_on_contraed = false``: an item with a contra from before the draw takes no other."""
        return not self.options["post_on_contraed"] and self.before_draw.get(name, 0) > 0

    def apply(self, action: str) -> None:
        """One call."""
        if action not in self.legal():
            raise ValueError(f"{action!r} is not legal in the announcements; legal: {self.legal()}")
        assert self.actor is not None
        verb, _, name = action.partition(":")
        if verb == "end":
            self.end_turn()
            return
        if verb == "contra":
            self.levels[name] += 1
        elif name in DECLARATIONS:
            self.declared.append((self.actor, name))
        else:
            self.levels[name] = 0
        self.anything_said = self.said_this_turn = True

    def end_turn(self) -> None:
        """F5, D5: over after three quiet turns if nobody ever called, after two once somebody did."""
        assert self.actor is not None
        self.quiet = 0 if self.said_this_turn else self.quiet + 1
        self.said_this_turn = False
        self.first_turn = False
        over = self.quiet == (SEATS - 1 if self.anything_said else SEATS)
        self.actor = None if over else (self.actor + 1) % SEATS
