"""Trick play of parts A4, B6, D6 and F6: legal cards, trick winners, where the tricks go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.reference.cards import (
    MOND,
    PAGAT,
    TRULL,
    is_king,
    is_trump,
    of_suit,
    suit,
    thirds,
    trumps_in,
    winner,
)


@dataclass(frozen=True)
class PlayRules:
    """The flags of the trick kernel A4."""

    emperor: bool = True
    colour: bool = False
    must_trump: bool = True
    forced_beat: bool = False
    pagat_lock: bool = False
    trumps_last: bool = False


@dataclass
class Trick:
    """The cards of one trick in the order they were played."""

    leader: int
    seats: int
    cards: list[str] = field(default_factory=list)

    def seat_of(self, index: int) -> int:
        """Who played the card at that place."""
        return (self.leader + index) % self.seats

    def player_of(self, card: str) -> int:
        """Who played that card."""
        return self.seat_of(self.cards.index(card))


def points(pile: Sequence[str]) -> int:
    """A2: card points of a pile, ``(sum of thirds + 1) // 3``."""
    return (thirds(pile) + 1) // 3


def talon_groups(talon: Sequence[str], size: int) -> list[list[str]]:
    """A3: two halves, three pairs or six single cards, in table order."""
    return [list(talon[start : start + size]) for start in range(0, len(talon), size)]


def discardable(hand: Sequence[str], trumps_freely: bool) -> list[str]:
    """B4, K9: no Kings, no Honours, trumps only after the plain cards; P1-22, S4-8: or freely."""
    plain = [card for card in hand if not is_trump(card) and not is_king(card)]
    trumps = [card for card in hand if is_trump(card) and card not in TRULL]
    return plain + trumps if trumps_freely else plain or trumps


def followers(hand: Sequence[str], trick: Sequence[str], rules: PlayRules) -> list[str]:
    """A4: follow suit, else trump, else anything."""
    if not trick:
        return list(hand)
    led = of_suit(hand, suit(trick[0]))
    if led:
        return led
    must_trump = rules.must_trump or not rules.colour
    return (trumps_in(hand) if must_trump else []) or list(hand)


def wins(card: str, trick: Sequence[str], rules: PlayRules) -> bool:
    """A4: the card would be the winning card of the trick so far with it added."""
    return winner([*trick, card], rules.colour, rules.emperor) == len(trick)


def legal_cards(hand: Sequence[str], trick: Sequence[str], rules: PlayRules, held: set[str], last_trick: bool) -> list[str]:
    """A4, line by line; ``held``: announced ultimo cards that wait for the last trick if they can."""
    cards = followers(hand, trick, rules)
    if rules.trumps_last and not trick:
        cards = [card for card in cards if not is_trump(card)] or cards
    if rules.forced_beat and trick:
        cards = [card for card in cards if wins(card, trick, rules)] or cards
    if rules.pagat_lock and len(cards) > 1:
        cards = [card for card in cards if card != PAGAT]
    if held and not last_trick:
        cards = [card for card in cards if card not in held] or cards
    return cards


class Play:
    """All tricks of a hand. ``hands`` are used up; ``piles`` holds what each seat has won, gifts included."""

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        leader: int,
        rules: PlayRules,
        gifts: Sequence[str] = (),
        held: dict[int, set[str]] | None = None,
    ) -> None:
        self.hands = [list(hand) for hand in hands]
        self.seats = len(hands)
        self.rules = rules
        self.gifts = list(gifts)
        self.held = held or {}
        self.trick_count = len(hands[leader])
        self.current = Trick(leader, self.seats)
        self.tricks: list[Trick] = []
        self.winners: list[int] = []
        self.winning_cards: list[str] = []
        self.piles: list[list[str]] = [[] for _ in range(self.seats)]
        self.actor: int | None = leader

    def legal(self) -> list[str]:
        """The cards that the seat on turn may play."""
        if self.actor is None:
            return []
        last = len(self.tricks) == self.trick_count - 1
        held = self.held.get(self.actor, set())
        return legal_cards(self.hands[self.actor], self.current.cards, self.rules, held, last)

    def apply(self, card: str) -> None:
        """One card."""
        if card not in self.legal():
            raise ValueError(f"{card!r} is not a legal card; legal: {self.legal()}")
        assert self.actor is not None
        self.hands[self.actor].remove(card)
        self.current.cards.append(card)
        if len(self.current.cards) == self.seats:
            self.finish_trick()
        else:
            self.actor = (self.actor + 1) % self.seats

    def finish_trick(self) -> None:
        """The winner takes the trick – in leasters with the next talon card (D6) – and leads."""
        trick = self.current
        index = winner(trick.cards, self.rules.colour, self.rules.emperor)
        taker = trick.seat_of(index)
        self.tricks.append(trick)
        self.winners.append(taker)
        self.winning_cards.append(trick.cards[index])
        self.piles[taker] += trick.cards
        if self.gifts:
            self.piles[taker].append(self.gifts.pop(0))
        self.current = Trick(taker, self.seats)
        self.actor = taker if len(self.tricks) < self.trick_count else None

    def stop(self) -> None:
        """The hand is decided: no further card."""
        self.actor = None

    def at_trick_end(self) -> bool:
        """Just after a completed trick."""
        return bool(self.tricks) and not self.current.cards

    def mond_trick(self) -> int | None:
        """Index of the trick that T21 was played to."""
        return next((i for i, trick in enumerate(self.tricks) if MOND in trick.cards), None)
