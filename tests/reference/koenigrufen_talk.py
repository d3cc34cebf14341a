"""Königrufen: announcements and kontra (K2.5, K3.5, appendix 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.reference.cards import is_king, strength
from tests.reference.koenigrufen_rules import (
    BIRD_CARD,
    BIRD_TRICK,
    DECLARER,
    DEFENCE,
    SIDES,
    Contract,
    Rules,
    bonus_sides,
)

Item = tuple[str, str]
GAME: Item = ("game", DECLARER)


def item_name(item: Item) -> str:
    """``game`` or ``trull@declarer``, as in ``contra:<item>``."""
    return "game" if item == GAME else f"{item[0]}@{item[1]}"


class Talk:
    """The announcement phase. ``levels`` holds the kontra level of the game and of every announced bonus."""

    def __init__(
        self,
        rules: Rules,
        contract: Contract,
        order: Sequence[int],
        declarer: int,
        partner: int | None,
        called: str | None,
        hands: Mapping[int, Sequence[str]],
        all_known: bool,
    ) -> None:
        self.rules, self.contract = rules, contract
        start = list(order).index(declarer)
        self.order = [*order[start:], *order[:start]]
        self.declarer, self.partner, self.called = declarer, partner, called
        self.hands = hands
        self.levels: dict[Item, int] = {GAME: 0}
        self.announced_by: dict[Item, int] = {}
        self.contracted_bird: str | None = None
        self.side_known = {seat: all_known or seat == declarer for seat in order}
        self.turn: int | None = declarer
        self.opening = True
        self.spoken = False
        self.passes = 0

    def side(self, seat: int) -> str:
        """C7: declarer's side is the declarer and the true partner."""
        return DECLARER if seat in (self.declarer, self.partner) else DEFENCE

    def legal(self) -> list[str]:
        """Statements of the seat in turn, and ``end`` unless a bird is still owed."""
        assert self.turn is not None
        statements = [f"announce:{kind}" for kind in self.rules.announceable(self.contract) if self._may_announce(kind)]
        statements += [f"contra:{item_name(item)}" for item in self.levels if self._may_raise(item)]
        return statements if self._owes_bird() else [*statements, "end"]

    def _owes_bird(self) -> bool:
        """Bird contract: in the opening turn the declarer must announce at least one bird."""
        return self.contract.bird and self.opening and self.contracted_bird is None

    def _may_announce(self, kind: str) -> bool:
        """Declarer, true partner, known opponents; each (kind, side) once; his side can own it."""
        seat = self.turn
        assert seat is not None
        side = self.side(seat)
        if side not in bonus_sides(kind) or (kind, side) in self.levels:
            return False
        if side == DEFENCE and not self.side_known[seat]:
            return False
        return self.rules["card_announcements"] == "free" or self._holds_card_of(seat, kind)

    def _holds_card_of(self, seat: int, kind: str) -> bool:
        """``holder``: birds and King ultimo only by the player holding that card, A5.2 for the bird duty."""
        if kind == "king_ultimo":
            return self.called in self.hands[seat]
        if kind not in BIRD_CARD:
            return True
        birds = [k for k in self.rules.bonuses(self.contract) if k in BIRD_CARD and BIRD_CARD[k] in self.hands[seat]]
        return kind in birds or (seat == self.declarer and not birds and self._owes_bird())

    def _may_raise(self, item: Item) -> bool:
        """Even levels are raised by the owner's opponents, odd ones by his side, up to ``kontra_max``."""
        seat = self.turn
        assert seat is not None
        level = self.levels[item]
        owner_speaks = self.side(seat) == item[1]
        return level < self.rules.kontra_max and owner_speaks == (level % 2 == 1)

    def apply(self, action: str) -> None:
        """Take one legal action of the seat in turn."""
        assert self.turn is not None
        if action == "end":
            self._end_turn()
            return
        verb, _, name = action.partition(":")
        if verb == "announce":
            self._announce(name)
        else:
            self.levels[next(item for item in self.levels if item_name(item) == name)] += 1
        self.spoken = True
        self._identify(self.turn)

    def _announce(self, kind: str) -> None:
        """A new item at level 0; the first bird of a bird contract is the contracted one (A5.11)."""
        assert self.turn is not None
        item = (kind, self.side(self.turn))
        if kind in BIRD_CARD and self._owes_bird():
            self.contracted_bird = kind
        self.levels[item] = 0
        self.announced_by[item] = self.turn

    def _identify(self, speaker: int) -> None:
        """A5.4: every statement shows the speaker's side; if he is the partner, everybody's."""
        self.side_known[speaker] = True
        if speaker == self.partner:
            self.side_known = dict.fromkeys(self.side_known, True)

    def targets_of(self, seat: int) -> dict[str, int]:
        """Cards of the birds and the King ultimo this seat announced, with the trick each is meant for."""
        kinds = [kind for (kind, _), speaker in self.announced_by.items() if speaker == seat]
        targets = {BIRD_CARD[kind]: BIRD_TRICK[kind] for kind in kinds if kind in BIRD_CARD}
        if "king_ultimo" in kinds and self.called is not None:
            targets[self.called] = 12
        return targets

    def _end_turn(self) -> None:
        """Three consecutive passes end the phase; declarer's opening turn is never one of them."""
        assert self.turn is not None
        if not self.opening:
            self.passes = 0 if self.spoken else self.passes + 1
        self.opening = self.spoken = False
        next_seat = self.order[(self.order.index(self.turn) + 1) % len(self.order)]
        self.turn = None if self.passes == 3 else next_seat


def known_items(levels: Mapping[Item, int], kind: str) -> list[str]:
    """The sides that announced a kind."""
    return [side for side in SIDES if (kind, side) in levels]


def bound_choice(cards: list[str], targets: Mapping[str, int], number: int) -> list[str]:
    """``announced_binding``: what is left of the legal cards in trick ``number`` for their announcer.

    The card must be played in its trick if legal and kept until then while another card is legal; if only
    bound cards are legal the highest bird goes first, the king only if nothing else is legal.
    """
    due = [card for card in cards if targets.get(card) == number]
    if due:
        return due
    free = [card for card in cards if targets.get(card, 0) <= number]
    if free:
        return free
    birds = [card for card in cards if not is_king(card)]
    return [max(birds, key=strength)] if birds else cards
