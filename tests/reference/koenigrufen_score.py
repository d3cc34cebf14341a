"""Königrufen: what was made, what it is worth and who pays (C3, C7, C8, K2.7, K2.8, K3.7, K3.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.reference.cards import KINGS, TRULL, thirds
from tests.reference.koenigrufen_rules import (
    BIRD_CARD,
    BIRD_TRICK,
    CAPTURED_CARD,
    DECLARER,
    DEFENCE,
    SILENT_VALUE,
    Contract,
    Rules,
    bonus_sides,
)
from tests.reference.koenigrufen_talk import GAME, Item, known_items


@dataclass
class Trick:
    """A trick: seats and cards in playing order, then who won it with which card."""

    seats: list[int] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    winner: int | None = None
    winning_card: str | None = None

    def player_of(self, card: str) -> int:
        """Who played the card."""
        return self.seats[self.cards.index(card)]


@dataclass
class Played:
    """A hand played to its end, as far as scoring looks at it."""

    rules: Rules
    contract: Contract
    declarer: int
    partner: int | None
    called: str | None
    tricks: list[Trick]
    discards: list[str]
    talon_declarer: list[str]  # the declarer's side's share of the talon that never was in a hand
    talon_defence: list[str]
    whole_talon_taken: bool = False  # solo_talon = all_to_declarer took effect

    def side(self, seat: int | None) -> str:
        """C7: side of a seat."""
        return DECLARER if seat in (self.declarer, self.partner) else DEFENCE

    def trick_cards(self, side: str) -> list[str]:
        """Cards in the tricks a side won."""
        return [card for trick in self.tricks if self.side(trick.winner) == side for card in trick.cards]

    def declarer_tricks(self) -> int:
        """Tricks the declarer himself won."""
        return sum(trick.winner == self.declarer for trick in self.tricks)


@dataclass(frozen=True)
class Facts:
    """What the play brought about, before announcements, values and options on combining them."""

    game_won: bool
    made: frozenset[Item]
    charged: frozenset[Item]


@dataclass
class Scored:
    """One scored item; ``value`` is what one opponent pays, positive to the declarer's side."""

    item: Item
    announced: bool
    level: int
    value: int

    def as_record(self) -> dict[str, object]:
        """The item as a game record has it."""
        return {
            "item": self.item[0],
            "side": self.item[1],
            "announced": self.announced,
            "contra": self.level,
            "value": self.value,
        }


def game_won(hand: Played) -> bool:
    """C3: at least 107 thirds for declarer's side; negative contracts: the exact number of tricks."""
    if hand.contract.negative:
        return hand.declarer_tricks() == hand.contract.target
    cards = hand.trick_cards(DECLARER) + hand.discards + hand.talon_declarer
    return thirds(cards) >= 107


def set_cards(hand: Played, side: str) -> set[str]:
    """C8 held: the side's tricks, with its share of the talon if ``sets_include_talon`` or by A5.12."""
    cards = set(hand.trick_cards(side))
    share = hand.talon_declarer if side == DECLARER else hand.talon_defence
    if hand.rules["sets_include_talon"] or hand.whole_talon_taken:
        cards |= set(share)
    return cards


def captured(hand: Played, card: str | None, by: str) -> bool:
    """C8: the card was played by a member of the other side to a trick won by this one."""
    for trick in hand.tricks:
        if card is not None and card in trick.cards:
            return hand.side(trick.winner) == by and hand.side(trick.player_of(card)) != by
    return False


def bird_in_its_trick(hand: Played, kind: str, side: str) -> bool:
    """The bird was played by the side in the trick it has to win."""
    trick, card = hand.tricks[BIRD_TRICK[kind] - 1], BIRD_CARD[kind]
    return card in trick.cards and hand.side(trick.player_of(card)) == side


def bird_made(hand: Played, kind: str, side: str) -> bool:
    """The bird itself wins its trick, played by a member of the side."""
    won_by = hand.tricks[BIRD_TRICK[kind] - 1].winning_card
    return bird_in_its_trick(hand, kind, side) and won_by == BIRD_CARD[kind]


def king_ultimo_made(hand: Played) -> bool:
    """The called king is in trick 12 and wins it (``king_wins``) or its side does (``side_wins``)."""
    last = hand.tricks[11]
    if hand.called not in last.cards or hand.side(last.winner) != DECLARER:
        return False
    return hand.rules["ku_win"] == "side_wins" or last.winning_card == hand.called


def bonus_made(hand: Played, kind: str, side: str) -> bool:
    """The condition column of the bonus tables."""
    if kind in BIRD_CARD:
        return bird_made(hand, kind, side)
    if kind in CAPTURED_CARD:
        return captured(hand, CAPTURED_CARD[kind], side)
    if kind == "king_captured":
        return captured(hand, hand.called, side)
    if kind == "king_ultimo":
        return king_ultimo_made(hand)
    if kind == "valat":
        return all(hand.side(trick.winner) == side for trick in hand.tricks)
    return set_cards(hand, side) >= (TRULL if kind == "trull" else KINGS)


def silent_failure(hand: Played, kind: str, side: str) -> bool:
    """``charge``: a bird in its trick not winning it; the called king in trick 12 won by the defence."""
    if kind in BIRD_CARD:
        return bird_in_its_trick(hand, kind, side) and not bird_made(hand, kind, side)
    if kind == "king_ultimo":
        return hand.called in hand.tricks[11].cards and hand.side(hand.tricks[11].winner) == DEFENCE
    return False


def read_facts(hand: Played) -> Facts:
    """Everything the tricks say about the items of the contract."""
    items = [(kind, side) for kind in hand.rules.bonuses(hand.contract) for side in bonus_sides(kind)]
    charge = hand.rules["silent_failure"] == "charge"
    return Facts(
        game_won(hand),
        frozenset(item for item in items if bonus_made(hand, *item)),
        frozenset(item for item in items if charge and silent_failure(hand, *item)),
    )


def item_value(rules: Rules, contract: Contract, scored: Scored, success: bool, plain: bool) -> int:
    """± base · 2 if announced · 2 in Solo and Solodreier · 2^kontra (K2.7, K3.8, A5.1, A5.18)."""
    kind, owner = scored.item
    pays_declarer = (owner == DECLARER) == success
    value = contract.game_value(pays_declarer)
    if kind != "game":
        value = 4 * value if kind == "valat" else SILENT_VALUE[kind]
        value *= 2 if scored.announced and not plain else 1
        value *= 2 if solo_doubles(rules, contract, kind) else 1
    return (value if pays_declarer else -value) * (1 << scored.level)


def solo_doubles(rules: Rules, contract: Contract, kind: str) -> bool:
    """Bonuses double in Solo and Solodreier with ``solo_double``; Valat only with its own option too."""
    return contract.solo and bool(rules["solo_double"] and (kind != "valat" or rules["valat_solo_double"]))


def bonus_items(
    rules: Rules, contract: Contract, facts: Facts, levels: Mapping[Item, int], contracted: str | None
) -> list[Scored]:
    """Every announced bonus, and the silent ones that were made or are charged."""
    found: list[Scored] = []
    for kind in rules.bonuses(contract):
        for side in bonus_sides(kind):
            item = (kind, side)
            announced = item in levels
            if not (announced or item in facts.made or item in facts.charged):
                continue
            if rules["same_bonus"] == "single" and not announced and known_items(levels, kind):
                continue
            scored = Scored(item, announced, levels.get(item, 0), 0)
            plain = rules["contracted_bird_value"] == "plain" and item == (contracted, DECLARER)
            scored.value = item_value(rules, contract, scored, item in facts.made, plain)
            found.append(scored)
    return found


def score_items(
    rules: Rules, contract: Contract, facts: Facts, levels: Mapping[Item, int], contracted: str | None
) -> list[Scored]:
    """The game and the bonuses, then ``bird_contract``, then ``valat_mode`` (A5.19)."""
    game = Scored(GAME, False, levels.get(GAME, 0), 0)
    game.value = item_value(rules, contract, game, facts.game_won, plain=False)
    items = [game, *bonus_items(rules, contract, facts, levels, contracted)]
    if contract.bird and rules["bird_contract"] == "coupled":
        couple(items, contracted)
    if rules["valat_mode"] == "replace" and any(scored.item[0] == "valat" for scored in items):
        items = [scored for scored in items if scored.announced or scored.item[0] == "valat"]
    return items


def couple(items: list[Scored], contracted: str | None) -> None:
    """``coupled``: the game or the contracted bird failing makes both items negative."""
    pair = [scored for scored in items if scored.item in (GAME, (contracted, DECLARER))]
    if any(scored.value < 0 for scored in pair):
        for scored in pair:
            scored.value = -abs(scored.value)


def payoffs(total: int, order: Sequence[int], seats: int, declarer: int, partner: int | None) -> list[int]:
    """C7: two against two ±s each; alone 3s against −s each; a dealer who sits out gets 0."""
    scores = [0] * seats
    for seat in order:
        scores[seat] = total if seat in (declarer, partner) else -total
    if partner is None:
        scores[declarer] = 3 * total
    return scores


def trischaken_payoffs(rules: Rules, pile_thirds: Sequence[int], tricks_won: Sequence[int]) -> list[int]:
    """Trischaken / All Beggars for the four active players: thirds of the piles, numbers of tricks won."""
    points = [(third + 1) // 3 for third in pile_thirds]  # C3: table points of a pile from its thirds
    if rules["trischaken_scoring"] == "two_pairs":
        return two_pairs(points, tricks_won)
    measure = pile_thirds if rules["trischaken_compare"] == "thirds" else points
    value = 2 if doubled(rules, max(points)) else 1
    losers = [p for p in range(4) if measure[p] == max(measure)]
    winners = [p for p in range(4) if p not in losers]
    return [-value * len(winners) if p in losers else value * len(losers) for p in range(4)]


def doubled(rules: Rules, most: int) -> bool:
    """``trischaken_double``, always by table points (A5.16)."""
    return {"off": False, "gt36": most > 36, "ge36": most >= 36}[str(rules["trischaken_double"])]


def two_pairs(points: Sequence[int], tricks_won: Sequence[int]) -> list[int]:
    """Appendix 1, ``two_pairs``: majority and trickless players settle first, else two pay two."""
    majority = [p for p in range(4) if points[p] >= 36]
    trickless = [p for p in range(4) if tricks_won[p] == 0]
    if len(trickless) == 1:
        joker = trickless[0]
        if majority:
            return [3 if p == joker else -3 if p == majority[0] else 0 for p in range(4)]
        return [3 if p == joker else -1 for p in range(4)]
    if majority:
        return [-3 if p == majority[0] else 1 for p in range(4)]
    return pairs_by_points(points)


def pairs_by_points(points: Sequence[int]) -> list[int]:
    """Case (4): the two highest pay the two lowest; with the middle two equal only first and last settle."""
    first, second, third, last = sorted(range(4), key=lambda p: -points[p])
    scores = [0] * 4
    if points[second] > points[third]:
        scores[first] = scores[second] = -1
        scores[third] = scores[last] = 1
    elif points[first] > points[second] and points[third] > points[last]:
        scores[first], scores[last] = -1, 1
    return scores
