"""The bits of an observation as docs/observations.md words them, slice by slice, of a hand that is followed.

Slow, and written from that page and the rulebooks alone. A slice is a list of 0 and 1.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from tests.reference.cards import DECK, SUITS
from tests.reference.observing import GAME, PACK, Followed, join
from tests.reference.slovenian_play import talon_groups

Bits = list[int]

PHASES = ("cut", "packet", "auction", "choice", "call", "talon", "discard", "raise", "announcements", "play", "done")
MODES = ("normal", "restricted", "forced")
REASONS = ("no_trumps", "score")
TURNS = ("bid", "contra")
KONTRA_STEPS, MOST_RINGS, MOST_STEPS, MOST_DISCARDS, MOST_BIDS = 5, 4, 6, 6, 8
MOST_FIVES = 14  #: card points in steps of five
INDEX = {card: index for index, card in enumerate(DECK)}


@dataclass(frozen=True)
class Names:
    """The tables of a ruleset that its observations are laid out by."""

    contracts: Sequence[str]
    bonuses: Sequence[str]
    slots: int  #: groups of the talon, at most
    scale: int  #: `reward_scale`
    illustrated: bool


def one_of(size: int, index: int | None) -> Bits:
    """At most one bit."""
    return [int(place == index) for place in range(size)]


def count(size: int, number: int) -> Bits:
    """The lowest bits."""
    return [int(place < number) for place in range(size)]


def block(cards: Iterable[str]) -> Bits:
    """54 bits."""
    bits = [0] * PACK
    for card in cards:
        bits[INDEX[card]] = 1
    return bits


def steps(amount: int, unit: int) -> int:
    """How many steps an amount above zero makes."""
    if amount <= 0:
        return 0
    number, left = 1, amount - unit
    while left > 0:
        number += 1
        left = left // 2 if left > unit else 0
    return number


class Seat:
    """One seat's look at a hand."""

    def __init__(self, hand: Followed, viewer: int, names: Names) -> None:
        self.hand, self.viewer, self.names = hand, viewer, names
        self.n = hand.players
        start = hand.order.index(viewer)
        #: seats by place, the viewer first
        self.seats = [*hand.order[start:], *hand.order[:start]]

    def place(self, seat: int | None) -> int | None:
        """Place of a seat."""
        return None if seat is None else self.seats.index(seat)

    def one_place(self, seat: int | None) -> Bits:
        """n bits, that seat's set."""
        return one_of(self.n, self.place(seat))

    def places(self, seats: Collection[int]) -> Bits:
        """n bits, those of the seats set."""
        return [int(seat in seats) for seat in self.seats]

    def contract_bits(self, contract: str | None) -> Bits:
        """k bits."""
        return [int(name == contract) for name in self.names.contracts]

    # ------------------------------------------------------------ cards

    def cards(self) -> dict[str, Bits]:
        """The slices of cards."""
        hand, others = self.hand, self.seats[1:]
        trick = dict(hand.current())
        discards = set(hand.discards) if self.viewer == hand.declarer else hand.shown()
        best = hand.best_card() if hand.playing else None
        return {
            "hand": block(hand.hand(self.viewer)),
            "unseen": block(self.unseen()),
            "played": join(block(hand.played_by(seat)) for seat in self.seats),
            "trick": join(block([trick[seat]] if seat in trick else []) for seat in others),
            "best_card": block([best] if best else []),
            "talon_groups": self.talon_groups(),
            "taken": block(self.taken()),
            "discards": block(discards),
            "shown": block(hand.shown()),
            "exposed": join(block(hand.exposed(seat)) for seat in others),
        }

    def taken(self) -> list[str]:
        """Talon cards that the declarer took, as far as the viewer has seen them."""
        return self.hand.taken if self.hand.talon_open or self.viewer == self.hand.declarer else []

    def unseen(self) -> set[str]:
        """Cards whose place the viewer does not know."""
        hand = self.hand
        known = set(hand.hand(self.viewer)) | set(self.taken()) | hand.shown() | hand.seen_talon(self.viewer)
        if self.viewer == hand.declarer:
            known |= set(hand.discards)
        for seat in hand.order:
            known |= set(hand.played_by(seat)) | hand.exposed(seat)
        return set(DECK) - known

    def talon_groups(self) -> Bits:
        """The open talon while the declarer chooses."""
        groups = talon_groups(self.hand.talon, self.hand.takes) if self.hand.phase == "talon" else []
        return join(block(groups[slot] if slot < len(groups) else []) for slot in range(self.names.slots))

    # ------------------------------------------------------------ phase, auction, contract

    def course(self) -> dict[str, Bits]:
        """Phase and place in the hand."""
        hand, compulsory = self.hand, self.hand.session["compulsory"]
        done, current = len(hand.trick_winners), hand.current()
        leader = current[0][0] if current else hand.referee.actor
        return {
            "phase": one_of(len(PHASES), PHASES.index(hand.phase)),
            "trick_number": one_of(16, done if hand.playing else None),
            "place": one_of(self.n, len(current) if hand.playing else None),
            "trick_leader": self.one_place(leader if hand.playing else None),
            "to_discard": count(MOST_DISCARDS, hand.to_discard),
            "forehand": self.one_place(hand.order[0]),
            "mode": one_of(3, MODES.index(hand.mode)),
            "compulsory": one_of(2, REASONS.index(compulsory) if compulsory else None),
        }

    def auction(self) -> dict[str, Bits]:
        """Bids, contract and sides."""
        hand = self.hand
        holder, bid = hand.standing()
        sides = hand.known_sides(self.viewer)
        return {
            "standing_bid": self.contract_bits(bid),
            "holder": self.one_place(holder),
            "number_of_bids": count(MOST_BIDS, hand.bids()),
            "last_call": self.last_call(),
            "active": self.places(hand.active()),
            "turn": one_of(2, TURNS.index(hand.turn) if hand.turn else None),
            "contract": self.contract_bits(hand.contract),
            "declarer": self.one_place(hand.declarer),
            "called": self.called(),
            "fourth": [int(hand.fourth)],
            "with_declarer": [int(sides.get(seat) == 0) for seat in self.seats],
            "against_declarer": [int(sides.get(seat) == 1) for seat in self.seats],
            "contracted": [int(name == hand.contracted) for name in self.names.bonuses],
            "forced_loss": [int(hand.forced_loss)],
        }

    def last_call(self) -> Bits:
        """Contract, pass or wait of each place."""
        calls, last = [*self.names.contracts, "pass", "wait"], self.hand.last_calls()
        return join([int(call == last.get(seat)) for call in calls] for seat in self.seats)

    def called(self) -> Bits:
        """Suit of the called king, or that it is not known."""
        king = self.hand.called
        if king is None:
            return [0] * 5
        return one_of(5, SUITS.index(king[0]) if self.hand.knows_called(self.viewer) else 4)

    # ------------------------------------------------------------ announcements, tricks, session

    def announcements(self) -> dict[str, Bits]:
        """Announced items and their kontra."""
        hand, bonuses = self.hand, self.names.bonuses
        levels, early, declared = hand.levels, hand.early(), hand.declared()
        announced = [
            [int((name, side) in levels and (name in early) == first) for first in (False, True)]
            for side in (0, 1)
            for name in bonuses
        ]
        items = [(name, side) for side in (0, 1) for name in (GAME[0], *bonuses)]
        with_declarations = [(seat, name) for seat in self.seats for name in bonuses] if self.names.illustrated else []
        return {
            "announced": join(announced),
            "contra": join(count(KONTRA_STEPS, levels.get(item, 0)) for item in items),
            "declared": [int(one in declared) for one in with_declarations],
            "opening_turn": [int(hand.opening_turn)],
        }

    def tricks(self) -> dict[str, Bits]:
        """What became of the tricks."""
        hand = self.hand
        voids = hand.voids()
        return {
            "tricks_won": join(count(48 // self.n, hand.won_by(seat)) for seat in self.seats),
            "points_won": join(count(MOST_FIVES, -(-hand.points_of(seat) // 5)) for seat in self.seats),
            "voids": join([int(suit in voids[seat]) for suit in (*SUITS, "T")] for seat in self.seats),
        }

    def table(self) -> dict[str, Bits]:
        """Rings and totals."""
        rings, totals = self.hand.session["rings"], self.hand.session["scores"]
        own = totals[self.viewer]
        amounts = [own] + [totals[seat] - own for seat in self.seats[1:]]
        ahead = [count(MOST_STEPS, steps(amount, self.names.scale)) for amount in amounts]
        behind = [count(MOST_STEPS, steps(-amount, self.names.scale)) for amount in amounts]
        return {
            "rings": join(count(MOST_RINGS, rings[seat]) for seat in self.seats),
            "total_ahead": join(ahead),
            "total_behind": join(behind),
        }

    def critic(self) -> dict[str, Bits]:
        """What only critics see."""
        hand = self.hand
        alone = hand.declarer is None
        return {
            "all_hands": join(block(hand.true_hand(seat)) for seat in self.seats[1:]),
            "hidden_talon_and_discards": block(hand.true_talon()) + block(hand.discards),
            "true_sides": [int(not alone and hand.side(seat) == 0) for seat in self.seats],
        }


PARTS: tuple[Callable[[Seat], dict[str, Bits]], ...] = (
    Seat.cards,
    Seat.course,
    Seat.auction,
    Seat.announcements,
    Seat.tricks,
    Seat.table,
)


def observation(hand: Followed, viewer: int, names: Names, full: bool = False) -> dict[str, Bits]:
    """All slices that a seat sees, by name; with `full` also those of critics."""
    seat = Seat(hand, viewer, names)
    parts = (*PARTS, Seat.critic) if full else PARTS
    return {name: bits for part in parts for name, bits in part(seat).items()}
