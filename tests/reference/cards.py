"""Cards, counting, trick winner, legal cards and discards as part C of koenigrufen.md words them.

A card is its code in a game record: ``SK``, ``C10``, ``H1``, ``T22`` …  Everything is a plain list or set of
such strings; nothing is cached and nothing is fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SUITS = ("S", "C", "H", "D")
BLACK = ("S", "C")
TRUMP = "T"

#: Low to high, C2: strength 0 … 7 within a suit.
BLACK_RANKS = ("7", "8", "9", "10", "J", "N", "Q", "K")
RED_RANKS = ("4", "3", "2", "1", "J", "N", "Q", "K")

PAGAT, OWL, COCKATOO, MARABOU, MOND, FOOL = "T1", "T2", "T3", "T4", "T21", "T22"
TRULL = frozenset({PAGAT, MOND, FOOL})
KINGS = frozenset(suit + "K" for suit in SUITS)
BIRDS = (PAGAT, OWL, COCKATOO, MARABOU)
TRUMPS = tuple(f"T{number}" for number in range(1, 23))
SUIT_CARDS = tuple(s + rank for s in SUITS for rank in (BLACK_RANKS if s in BLACK else RED_RANKS))
DECK = SUIT_CARDS + TRUMPS


def suit(card: str) -> str:
    """Suit of a card; trumps count as suit ``T`` (C4)."""
    return card[0]


def rank(card: str) -> str:
    """The code without its suit: ``K``, ``10``, ``22`` …"""
    return card[1:]


def is_trump(card: str) -> bool:
    """True for T1 … T22."""
    return suit(card) == TRUMP


def is_king(card: str) -> bool:
    """True for the four kings."""
    return card in KINGS


def strength(card: str) -> int:
    """Height within its own suit, higher wins (C2): 0 … 7 in a side suit, 1 … 22 among the trumps."""
    if is_trump(card):
        return int(rank(card))
    return (BLACK_RANKS if suit(card) in BLACK else RED_RANKS).index(rank(card))


def trumps_in(cards: Iterable[str]) -> list[str]:
    """The trumps among the cards, in the given order."""
    return [card for card in cards if is_trump(card)]


def of_suit(cards: Iterable[str], wanted: str) -> list[str]:
    """The cards of one suit (``T`` for trumps), in the given order."""
    return [card for card in cards if suit(card) == wanted]


def face_value(card: str) -> int:
    """C3: K, T1, T21, T22 = 5; Q = 4; N = 3; J = 2; the other 35 cards = 1."""
    if card in KINGS or card in TRULL:
        return 5
    if is_trump(card):
        return 1
    return {"Q": 4, "N": 3, "J": 2}.get(rank(card), 1)


def thirds(cards: Iterable[str]) -> int:
    """C3, exact thirds of a pile: the sum of 3v − 2; the pack makes 210."""
    return sum(3 * face_value(card) - 2 for card in cards)


def table_points(cards: Sequence[str]) -> int:
    """C3, table count of a pile: face values, −2 for every full three, −1 for one or two left over."""
    count = len(cards)
    return sum(face_value(card) for card in cards) - 2 * (count // 3) - (1 if count % 3 else 0)


def winner(trick: Sequence[str], colour: bool = False, emperor: bool = True) -> int:
    """C4: index within the trick of the card that wins it."""
    led = suit(trick[0])
    if emperor and set(trick) >= TRULL and (not colour or led == TRUMP):
        return list(trick).index(PAGAT)
    candidates = of_suit(trick, led) if colour else trumps_in(trick) or of_suit(trick, led)
    return list(trick).index(max(candidates, key=strength))


@dataclass(frozen=True)
class PlayFlags:
    """The seven flags of C5."""

    trump_duty: bool = True
    emperor: bool = True
    forced: bool = False
    pagat_last: bool = False
    colour: bool = False
    lead_ban: bool = False
    pagat_emperor_exception: bool = False


def legal_lead(hand: Sequence[str], flags: PlayFlags) -> list[str]:
    """C5, first card of a trick: the trump lead ban, then the Pagat restriction."""
    cards = list(hand)
    side_cards = [card for card in hand if not is_trump(card)]
    if flags.lead_ban and side_cards:
        cards = side_cards
    if flags.pagat_last and len(trumps_in(hand)) > 1:
        cards = [card for card in cards if card != PAGAT]
    return cards


def legal_cards(hand: Sequence[str], trick: Sequence[str], flags: PlayFlags) -> list[str]:
    """C5: every card of the hand that may be played to the trick so far."""
    if not trick:
        return legal_lead(hand, flags)
    trumps = trumps_in(hand)
    cards = of_suit(hand, suit(trick[0]))
    if not cards:
        cards = trumps if trumps and flags.trump_duty else list(hand)
    completes_emperor = flags.pagat_emperor_exception and flags.emperor and {MOND, FOOL} <= set(trick)
    if flags.pagat_last and len(trumps) > 1 and not completes_emperor:
        cards = [card for card in cards if card != PAGAT]
    if flags.forced:
        cards = [card for card in cards if beats(card, trick, flags)] or cards
    return cards


def beats(card: str, trick: Sequence[str], flags: PlayFlags) -> bool:
    """C5: the card would be the winning card of the partial trick, Emperor rule included."""
    return winner([*trick, card], flags.colour, flags.emperor) == len(trick)


def legal_discards(hand: Sequence[str]) -> list[str]:
    """C6, one card at a time: non-king suit cards while there are any, then T2 … T20."""
    suit_cards = [card for card in hand if not is_trump(card) and not is_king(card)]
    return suit_cards or [card for card in hand if is_trump(card) and card not in TRULL]
