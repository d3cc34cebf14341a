"""A hand followed action by action beside its slow referee: what has happened, in the words of docs/observations.md.

`Followed` keeps what everybody heard and reads the rest from the referee; what differs between the games stands in
`observing_koenigrufen`, `observing_slovenian` and `observing_illustrated`, and what a seat may know of it all is decided in
`observing_bits`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.reference.cards import is_king, is_trump, suit, thirds, winner

Item = tuple[str, int]  #: bonus, or "game", and side: 0 declarer's, 1 defence
GAME: Item = ("game", 0)
SIDES = {"declarer": 0, "defence": 1}
PACK = 54


def join(parts: Iterable[list[Any]]) -> list[Any]:
    """One list after the other."""
    return [one for part in parts for one in part]


class Followed:
    """One hand. `said` holds seat, phase and action of every decision so far."""

    #: contracts in which hands lie open
    open_contracts: tuple[str, ...] = ()

    def __init__(self, referee: Any, ruleset: str, deal: Mapping[str, Any]) -> None:
        self.referee, self.ruleset, self.deal = referee, ruleset, deal
        self.said: list[tuple[int, str, str]] = []

    def apply(self, action: str) -> None:
        """Note the action and hand it to the referee."""
        self.said.append((self.referee.actor, self.phase, action))
        self.referee.apply(action)

    # ------------------------------------------------------------ what the games answer each in its way

    phase: str
    order: list[int]  #: seats of those who play, forehand first
    talon: list[str]  #: in table order; empty while cut or knock is open
    taken: list[str]
    discards: list[str]
    to_discard: int
    contract: str | None
    takes: int  #: talon cards that the contract takes
    declarer: int | None
    partner: int | None
    called: str | None
    trick_winners: list[int]
    levels: dict[Item, int]  #: kontra levels of the game and of each announced bonus
    talon_open: bool
    trumps_shown: bool
    gifts: list[list[str]]  #: talon cards that lie face up in each trick, as far as they are given to tricks

    @property
    def colour(self) -> bool:
        """Trumps do not beat other suits."""
        raise NotImplementedError

    @property
    def trump_duty(self) -> bool:
        """Who cannot follow must play a trump."""
        raise NotImplementedError

    def hand(self, seat: int) -> list[str]:
        """The cards of a seat, none before they are his."""
        raise NotImplementedError

    def true_hand(self, seat: int) -> list[str]:
        """The cards that a critic sees there."""
        return self.hand(seat)

    def true_talon(self) -> list[str]:
        """The talon that a critic sees."""
        return self.talon

    def open_hands(self) -> Sequence[int]:
        """Seats whose hands lie open now."""
        return ()

    def face_up(self) -> set[str]:
        """Cards that lie face up because they were announced."""
        return set()

    # ------------------------------------------------------------ the table

    @property
    def options(self) -> Any:
        """Every option with its value."""
        return self.referee.options

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.order)

    @property
    def playing(self) -> bool:
        """Tricks are being played."""
        return self.phase == "play"

    @property
    def mode(self) -> str:
        """normal, restricted or forced."""
        return "normal"

    @property
    def session(self) -> Mapping[str, Any]:
        """Totals, rings and the reason of a compulsory hand: before the hand, at its end those after it."""
        after: Mapping[str, Any] = self.referee.result()["after"] if self.referee.done else self.deal["before"]
        return after

    # ------------------------------------------------------------ auction

    def calls(self) -> list[tuple[int, str]]:
        """What was said in the auction and in the choice after it."""
        return [(seat, action) for seat, phase, action in self.said if phase in ("auction", "choice")]

    def standing(self) -> tuple[int | None, str | None]:
        """Who made the highest bid of the auction, or waits, and the contract that he bid."""
        holder, bid = None, None
        for seat, action in ((seat, action) for seat, phase, action in self.said if phase == "auction"):
            if action == "wait":
                holder, bid = seat, None
            elif action.startswith("bid:"):
                holder, bid = seat, action.removeprefix("bid:")
        return holder, bid

    def last_calls(self) -> dict[int, str]:
        """Each seat's last bid, `pass` or `wait`."""
        return {
            seat: action.removeprefix("bid:")
            for seat, action in self.calls()
            if action in ("pass", "wait") or action.startswith("bid:")
        }

    def active(self) -> set[int]:
        """Who has not passed in the auction."""
        return set(self.order) - {seat for seat, action in self.calls() if action == "pass"}

    def bids(self) -> int:
        """Bids that count for the basic score."""
        return 0

    @property
    def turn(self) -> str | None:
        """What the seat to act has done in a turn of several calls of the auction: `bid` or `contra`."""
        return None

    # ------------------------------------------------------------ announcements

    def statements(self) -> list[tuple[int, str]]:
        """What was said in the announcements."""
        return [(seat, action) for seat, phase, action in self.said if phase == "announcements"]

    @property
    def opening_turn(self) -> bool:
        """The declarer's first turn of the announcements."""
        return self.phase == "announcements" and all(action != "end" for _, action in self.statements())

    @property
    def contracted(self) -> str | None:
        """The bonus with which a contract that demands one was named."""
        return None

    def early(self) -> set[str]:
        """Bonuses that were announced with the bid."""
        return set()

    def declared(self) -> list[tuple[int, str]]:
        """Declarations of what a hand holds."""
        return []

    @property
    def forced_loss(self) -> bool:
        """The talon broke what was announced with the bid."""
        return False

    # ------------------------------------------------------------ tricks

    def tricks(self) -> list[list[tuple[int, str]]]:
        """Seat and card of each trick in playing order, the current one last (perhaps empty)."""
        played = [(seat, action) for seat, phase, action in self.said if phase == "play"]
        complete = len(self.trick_winners) * self.players
        return [played[i : i + self.players] for i in range(0, complete, self.players)] + [played[complete:]]

    def current(self) -> list[tuple[int, str]]:
        """The trick on the table."""
        return self.tricks()[-1]

    def best_card(self) -> str | None:
        """The highest card of the current trick."""
        cards = [card for _, card in self.current()]
        return cards[winner(cards, self.colour, emperor=False)] if cards else None

    def played_by(self, seat: int) -> list[str]:
        """Cards that a seat has played."""
        return [card for who, phase, card in self.said if who == seat and phase == "play"]

    def won_by(self, seat: int) -> int:
        """Tricks that a seat has won."""
        return self.trick_winners.count(seat)

    def points_of(self, seat: int) -> int:
        """Card points of the cards in a seat's tricks, talon cards that lie there face up included."""
        pile: list[str] = []
        for number, (who, trick) in enumerate(zip(self.trick_winners, self.tricks(), strict=False)):
            if who == seat:
                pile += [card for _, card in trick] + join(self.gifts[number : number + 1])
        return (thirds(pile) + 1) // 3

    def voids(self) -> dict[int, set[str]]:
        """Suits, `T` among them, that each seat has shown not to hold."""
        shown: dict[int, set[str]] = {seat: set() for seat in self.order}
        for trick in self.tricks():
            for seat, card in trick[1:]:
                led = suit(trick[0][1])
                if suit(card) != led:
                    shown[seat].add(led)
                    if self.trump_duty and not is_trump(card):
                        shown[seat].add("T")
        return shown

    # ------------------------------------------------------------ sides

    def side(self, seat: int) -> int:
        """0 the declarer's, 1 the defence."""
        return 0 if seat in (self.declarer, self.partner) else 1

    def revealed(self) -> set[int]:
        """Who has said something that belongs to one side; once the partner has, everybody."""
        speakers = {seat for seat, action in self.statements() if action != "end"}
        return set(self.order) if self.partner in speakers else speakers

    def king_seen(self) -> bool:
        """Everybody has seen the called king: it was played or lies in an open talon."""
        played = any(card == self.called for _, phase, card in self.said if phase == "play")
        return played or (self.talon_open and self.called in self.talon)

    def calls_king(self) -> bool:
        """A king is called in this contract."""
        return self.phase == "call" or self.called is not None

    def known_sides(self, viewer: int) -> dict[int, int]:
        """The side of every seat of which the viewer knows it."""
        if self.contract is None or self.declarer is None:
            return {}
        everybody = {seat: self.side(seat) for seat in self.order}
        if not self.calls_king():
            return everybody
        if self.called is None:
            return {self.declarer: 0}
        own = viewer == self.declarer and self.called in self.hand(viewer)
        if self.king_seen() or viewer == self.partner or own:
            return everybody
        return {seat: everybody[seat] for seat in {self.declarer, viewer} | self.revealed()}

    @property
    def fourth(self) -> bool:
        """A king was called without its suit."""
        return self.called is not None and any(action == "call:fourth" for _, _, action in self.said)

    def knows_called(self, viewer: int) -> bool:
        """Does the viewer know which king was called?"""
        if not self.fourth or viewer in (self.declarer, self.partner):
            return True
        return any(is_king(card) for card in self.hand(viewer)) or self.king_seen()

    # ------------------------------------------------------------ cards that somebody has seen

    def shown(self) -> set[str]:
        """Discards that everybody saw."""
        return {card for card in self.discards if (self.trumps_shown and is_trump(card)) or card in self.face_up()}

    def seen_talon(self, viewer: int) -> set[str]:
        """Talon cards that the viewer has seen."""
        if self.talon_open:
            return set(self.talon)
        return set(join(self.gifts)) | (set(self.taken) if viewer == self.declarer else set())

    def exposed(self, seat: int) -> set[str]:
        """Cards in a seat's hand that lie face up."""
        hand = set(self.hand(seat))
        return hand if seat in self.open_hands() else hand & self.face_up()


class PlayedApart(Followed):
    """Where the referee keeps the play of the cards in an object of its own."""

    @property
    def phase(self) -> str:
        """The phase in the words of the page."""
        return {"announce": "announcements"}.get(self.referee.phase, self.referee.phase)

    def hand(self, seat: int) -> list[str]:
        """In the play its own."""
        hands = self.referee.play.hands if self.referee.play else self.referee.hands
        cards: list[str] = hands[seat]
        return cards
