"""From a played hand to its ``Summary``: piles, bonuses made, the T21 (A5, B4, B7, D6, D7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.reference.cards import FOOL, KINGS, MOND, PAGAT, TRULL
from tests.reference.slovenian_announce import DECLARER, DEFENCE, Announcements
from tests.reference.slovenian_contracts import SLOVENIAN, TAROK, Contract, has_bonuses
from tests.reference.slovenian_play import Play, points
from tests.reference.slovenian_scoring import Summary


@dataclass
class Hand:
    """The facts of a hand, filled in phase by phase by the referee."""

    ruleset: str
    options: dict[str, Any]
    dealer: int
    talon: list[str]
    contract: Contract | None = None
    declarer: int | None = None
    partner: int | None = None
    called_king: str | None = None
    picked: list[str] = field(default_factory=list)
    discards: list[str] = field(default_factory=list)

    @property
    def untaken(self) -> list[str]:
        """The part of the talon that nobody took up."""
        return [card for card in self.talon if card not in self.picked]

    @property
    def exposed(self) -> bool:
        """The talon was turned up for an exchange."""
        return bool(self.picked)

    def side(self, seat: int) -> str:
        """B3."""
        return DECLARER if seat in (self.declarer, self.partner) else DEFENCE


def rest_won(hand: Hand, play: Play) -> bool:
    """B4: the called King was taken from the stock and itself wins a trick (S4-9: an option there)."""
    if hand.ruleset in SLOVENIAN and not hand.options["king_in_talon_wins_rest"]:
        return False
    return hand.called_king in hand.picked and hand.called_king in play.winning_cards


def declarer_extra(hand: Hand, play: Play) -> list[str]:
    """A5: what lies with the declarer's tricks: his discards and the rest of the stock if he won it."""
    return hand.discards + (hand.untaken if rest_won(hand, play) else [])


def side_tricks(hand: Hand, play: Play, side: str) -> list[str]:
    """All cards in the side's tricks."""
    return [card for seat, pile in enumerate(play.piles) if hand.side(seat) == side for card in pile]


def card_points(hand: Hand, play: Play) -> list[int] | None:
    """Record format: points of each seat's own pile, None where tricks decide."""
    assert hand.contract is not None
    if not hand.contract.card_points_count:
        return None
    piles = [list(pile) for pile in play.piles]
    if hand.declarer is not None:
        piles[hand.declarer] += declarer_extra(hand, play)
    return [points(pile) for pile in piles]


# ---------------------------------------------------------------- bonuses


def bonus_cards(hand: Hand, play: Play, side: str) -> set[str]:
    """B7: the cards for Honours and Full Kings; K6: the untouched stock is with the opponents' tricks."""
    cards = set(side_tricks(hand, play, side))
    if rest_won(hand, play):
        return cards | set(hand.untaken) if side == DECLARER else cards
    if side == DEFENCE and hand.options.get("talon_counts_for_bonus"):
        cards |= set(hand.untaken)
    return cards


def bonuses_made(hand: Hand, play: Play) -> frozenset[tuple[str, str]]:
    """B7, D7: every bonus that a side has achieved."""
    made = set()
    for side in (DECLARER, DEFENCE):
        cards = bonus_cards(hand, play, side)
        facts = {
            "trull": cards >= TRULL,
            "kings": cards >= KINGS,
            "king_ultimo": side == DECLARER and king_ultimo(hand, play),
            "pagat_ultimo": play.winning_cards[-1] == PAGAT and hand.side(play.winners[-1]) == side,
            "valat": all(hand.side(seat) == side for seat in play.winners),
        }
        made |= {(bonus, side) for bonus, true in facts.items() if true}
    return frozenset(made)


def king_ultimo(hand: Hand, play: Play) -> bool:
    """B7: the called King wins the last trick. D7: it lies in a last trick that its side wins."""
    if hand.options["king_ultimo"] == "king_wins":
        return hand.called_king == play.winning_cards[-1]
    return hand.called_king in play.tricks[-1].cards and hand.side(play.winners[-1]) == DECLARER


def silent_failures(hand: Hand, play: Play) -> frozenset[tuple[str, str]]:
    """D7, K13: T1 beaten in the last trick, the called King captured there by the opponents."""
    rule, trick, taker = hand.options["silent_ultimo_loss"], play.tricks[-1], hand.side(play.winners[-1])
    failed = set()
    if rule == "none":
        return frozenset()
    if hand.called_king in trick.cards and taker == DEFENCE:
        failed.add(("king_ultimo", DECLARER))
    if PAGAT in trick.cards and play.winning_cards[-1] != PAGAT:
        side = hand.side(trick.player_of(PAGAT))
        if rule == "if_beaten" or side != taker:
            failed.add(("pagat_ultimo", side))
    return frozenset(failed)


# ---------------------------------------------------------------- the Mond


def mond_covered(hand: Hand) -> bool:
    """S0-41 ``mond_scope``, S4-12 and K5 ``lost_xxi_scope``: does losing T21 cost something here?"""
    assert hand.contract is not None
    contract = hand.contract
    with_bonuses = has_bonuses(hand.ruleset, contract, hand.options)
    if hand.ruleset in TAROK:
        scope = hand.options["mond_scope"]
        scopes = {"any_declarer": hand.declarer is not None, "positive_only": contract.by_points, "all": True}
    else:
        scope = hand.options["lost_xxi_scope"]
        scopes = {
            "with_leasters": with_bonuses or hand.declarer is None,
            "bonus_contracts": with_bonuses,
            "positive": contract.by_points,
            "all": True,
        }
    return scopes[scope]


def mond_lost(hand: Hand, play: Play) -> tuple[int | None, int | None]:
    """Who lost T21, and who won the trick that it fell in."""
    if not mond_covered(hand):
        return None, None
    index = play.mond_trick()
    if index is None:
        return mond_in_talon(hand, play), None
    loser, taker = play.tricks[index].player_of(MOND), play.winners[index]
    if hand.ruleset in TAROK:
        lost = hand.declarer is None or hand.side(loser) != hand.side(taker)
        return (loser, taker) if lost and loser != taker else (None, None)
    return (loser, taker) if play.winning_cards[index] in (FOOL, PAGAT) else (None, None)


def mond_in_talon(hand: Hand, play: Play) -> int | None:
    """D7, K5: T21 left in the talon costs the declarer, unless he won the rest (S4-15). Not in Tarok (B7)."""
    if hand.ruleset in TAROK or hand.declarer is None or MOND not in hand.untaken or rest_won(hand, play):
        return None
    return hand.declarer if hand.exposed or hand.options["lost_xxi_unseen_talon"] else None


# ---------------------------------------------------------------- the end of the hand


def decided(hand: Hand, play: Play) -> bool:
    """D6, K10: nill is lost with the declarer's first trick, a slam with the first one he misses."""
    assert hand.contract is not None
    taken = play.winners[-1] == hand.declarer
    return {"no_tricks": taken, "all_tricks": not taken}.get(hand.contract.objective, False)


def target_met(hand: Hand, winners: Sequence[int]) -> bool:
    """No trick, or every trick."""
    assert hand.contract is not None
    if hand.contract.objective == "no_tricks":
        return hand.declarer not in winners
    return all(seat == hand.declarer for seat in winners)


def summarise(hand: Hand, play: Play, said: Announcements | None) -> Summary:
    """Everything that scoring needs."""
    assert hand.contract is not None
    bonuses = hand.declarer is not None and has_bonuses(hand.ruleset, hand.contract, hand.options)
    loser, taker = mond_lost(hand, play)
    own = side_tricks(hand, play, DECLARER) + declarer_extra(hand, play)
    return Summary(
        ruleset=hand.ruleset,
        contract=hand.contract,
        declarer=hand.declarer,
        partner=hand.partner,
        points=points(own),
        target_met=target_met(hand, play.winners),
        bonuses=bonuses,
        announced=dict(said.levels) if said else {},
        made=bonuses_made(hand, play) if bonuses else frozenset(),
        failed_silently=silent_failures(hand, play) if bonuses else frozenset(),
        game_level=said.game_level if said else 0,
        seat_points=tuple(card_points(hand, play) or ()),
        seat_tricks=tuple(play.winners.count(seat) for seat in range(play.seats)),
        mond_loser=loser,
        mond_taker=taker,
    )
