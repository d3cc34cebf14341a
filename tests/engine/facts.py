"""Whole hands of the Slovenian and Illustrated games from tests/cases, and what happened in them.

`Facts` reads a finished hand off its cards, by none of the engine's rules: who wins a trick and what a pile counts are the
referee's; bonuses are found anew.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import tarock_env
from tarock_env import STATE, Engine
from tarock_env.cards import CODES, codes_in, set_of
from tarock_env.codes import Phase
from tarock_env.engine import loops
from tests.engine.positions import act, refresh
from tests.lockstep import engine_result
from tests.reference.cards import winner
from tests.reference.slovenian_play import points, thirds

CASES = Path(__file__).parents[1] / "cases"
ROWS: dict[str, list[dict[str, Any]]] = json.loads((CASES / "slovenian-illustrated.json").read_text(encoding="utf-8"))
RULESETS = {
    "S0-4P": "tarok_furr_4p",
    "S0-3P": "tarok_furr_3p",
    "S4-4P": "slovenian_4p",
    "S4-3P": "slovenian_3p",
    "P1": "illustrated_tarock",
}
HONOURS, KINGS = {"T1", "T21", "T22"}, {"SK", "CK", "HK", "DK"}
ULTIMOS = {"T1": "pagat", "T2": "owl", "T3": "cockatoo"}
COLOUR_CONTRACTS = ("colour_slam", "colour_slam_without", "suit_slam", "suit_slam_without")


# ------------------------------------------------------------------ whole hands


@functools.cache
def _make(ruleset: str, options: str) -> Engine:
    return tarock_env.make(ruleset, **json.loads(options))


def engine_of(ruleset: str, **options: Any) -> Engine:
    """An engine, made once."""
    return _make(ruleset, json.dumps(options))


def hands_in(name: str) -> dict[str, dict[str, Any]]:
    """The whole hands of a data file, by the id of the row they show."""
    return {hand["id"]: hand for hand in json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))}


def begin(
    engine: Engine, hand: Mapping[str, Any], scores: Sequence[int] = (), rings: Sequence[int] = (), hands_left: int = -1
) -> np.ndarray:
    """The hand at its first decision; in a session if `hands_left` (this hand included) is not -1."""
    before = {"scores": list(scores) or [0] * engine.P, "rings": list(rings) or [0] * engine.P}
    deal = [cards.split() for cards in hand["hands"]]
    state = engine.from_deal(deal, hand["talon"].split(), hand["dealer"], before)
    state["hands_left"] = hands_left
    return state


def play(engine: Engine, hand: Mapping[str, Any], **session: Any) -> np.ndarray:
    """The hand as it was played, action by action, to its end; the session state it starts from as in `begin`."""
    state = act(engine, begin(engine, hand, **session), *hand["actions"].split())
    assert state["done"][0]
    return state


def discarding(engine: Engine, contract: str, hand: str, count: int) -> np.ndarray:
    """The declarer, seat 0, about to discard from exactly this hand."""
    state = np.zeros(1, STATE)
    loops.clear_all(state, engine.rules)
    g: Any = state[0]
    g.dealer, g.declarer, g.actor = engine.P - 1, 0, 0
    g.contract = next(k for k, c in enumerate(engine.ruleset.contracts) if c.id == contract)
    g.phase, g.to_discard, g.hands[0] = Phase.DISCARD, count, set_of(hand.split())
    refresh(engine, state)
    return state


def items(engine: Engine, state: np.ndarray) -> list[str]:
    """Scored items as ``item@side value``, with ``!`` where announced and ``xN`` for N steps of kontra; sorted."""
    return sorted(
        f"{item['item']}@{item['side']}{'!' * item['announced']}{'x' + str(item['contra']) if item['contra'] else ''} "
        f"{item['value']}"
        for item in engine_result(engine, state[0])["items"]
    )


# ------------------------------------------------------------------ facts


@dataclass(frozen=True)
class Trick:
    """One trick: who led, the cards in order, and the place of the winner among them."""

    leader: int
    cards: tuple[str, ...]
    place: int
    players: int

    @property
    def winner(self) -> int:
        """The seat that took it."""
        return (self.leader + self.place) % self.players

    def player(self, card: str) -> int:
        """The seat that played a card of it."""
        return (self.leader + self.cards.index(card)) % self.players


class Facts:
    """The facts of one finished hand of three or four players.

    Attributes:
        tricks: all of them, won as the rules say. D, partner: seats or None. called: the called king or None.
        discards, taken, stock: cards; stock is what nobody took.
    """

    def __init__(self, engine: Engine, g: Any) -> None:
        self.ruleset, self.n = engine.ruleset.id, engine.ruleset.players
        self.contract = engine.ruleset.contracts[int(g["contract"])].id
        self.D = None if int(g["declarer"]) < 0 else int(g["declarer"])
        self.partner = None if int(g["partner"]) < 0 else int(g["partner"])
        self.called = None if int(g["called"]) < 0 else "SCHD"[int(g["called"])] + "K"
        self.discards, self.taken = set(codes_in(int(g["discards"]))), set(codes_in(int(g["taken"])))
        self.talon = [CODES[int(card)] for card in g["talon"]]
        self.stock = set(self.talon) - self.taken
        self.talon_seen = bool(g["talon_open"])
        played = [CODES[int(card)] for card in g["plays"][: int(g["n_plays"])]]
        emperor = self.ruleset != "illustrated_tarock"
        self.tricks: list[Trick] = []
        for t in range(len(played) // self.n):
            cards = tuple(played[self.n * t : self.n * (t + 1)])
            place = int(winner(list(cards), self.contract in COLOUR_CONTRACTS, emperor))
            self.tricks.append(Trick(int(g["leaders"][t]), cards, place, self.n))
        assert [trick.winner for trick in self.tricks] == g["leaders"][1 : len(self.tricks) + 1].tolist()

    def side(self, seat: int) -> str:
        """D or O."""
        return "D" if seat in (self.D, self.partner) else "O"

    @property
    def T(self) -> int:
        """Tricks of the declarer's side."""
        return sum(self.side(trick.winner) == "D" for trick in self.tricks)

    @property
    def tricks_by_seat(self) -> list[int]:
        """Tricks of each seat."""
        return [sum(trick.winner == seat for trick in self.tricks) for seat in range(self.n)]

    @property
    def rest_won(self) -> bool:
        """Whether a called king that was taken from the stock won a trick (Tarok only)."""
        king = self.called
        by_king = king in self.taken and any(trick.cards[trick.place] == king for trick in self.tricks)
        return by_king and self.ruleset == "tarok_furr_4p"

    @property
    def pile(self) -> set[str]:
        """The cards that count for the declarer's side."""
        cards = {card for trick in self.tricks if self.side(trick.winner) == "D" for card in trick.cards}
        return cards | self.discards | (self.stock if self.rest_won else set())

    @property
    def P(self) -> int:
        """Card points of the declarer's side."""
        return int(points(sorted(self.pile)))

    @property
    def pile_thirds(self) -> int:
        """… in thirds."""
        return int(thirds(sorted(self.pile)))

    @property
    def points_by_seat(self) -> list[int]:
        """Card points of each seat where everybody plays for himself; in Leasters the gifts are among them."""
        piles: list[list[str]] = [[] for _ in range(self.n)]
        for t, trick in enumerate(self.tricks):
            gift = [self.talon[t]] if self.contract == "leasters" and t < 6 else []
            piles[trick.winner] += [*trick.cards, *gift]
        return [int(points(pile)) for pile in piles]

    def _holder(self, cards: set[str]) -> str | None:
        """The side that has all of these cards; in Tarok the stock that nobody took is the opponents'."""
        piles: dict[str, set[str]] = {"D": set(), "O": set()}
        for trick in self.tricks:
            piles[self.side(trick.winner)] |= set(trick.cards)
        if self.ruleset.startswith("tarok"):
            piles["D" if self.rest_won else "O"] |= self.stock
        return next((side for side, pile in piles.items() if cards <= pile), None)

    def made(self) -> dict[str, str]:
        """Which side made honours, kings and the ultimos."""
        sides = {"honours": self._holder(HONOURS), "kings": self._holder(KINGS)}
        found = {name: side for name, side in sides.items() if side}
        last, king = self.tricks[-1], self.called
        best = last.cards[last.place]
        if best == "T1":
            found["pagat_ultimo"] = self.side(last.winner)
        king_made = best == king if self.ruleset.startswith("tarok") else king in last.cards
        if king_made and self.side(last.winner) == "D":
            found["king_ultimo"] = "D"
        return found

    def failed(self) -> dict[str, str]:
        """Which side lost an ultimo by playing its card to the last trick (Slovenian)."""
        if not self.ruleset.startswith("slovenian"):
            return {}
        last = self.tricks[-1]
        found = {}
        if "T1" in last.cards and last.cards[last.place] != "T1":
            found["pagat_ultimo"] = self.side(last.player("T1"))
        if self.called in last.cards and self.side(last.winner) == "O":
            found["king_ultimo"] = "D"
        return found

    def silent(self) -> dict[str, int]:
        """Bonuses from the declarer's side, +1 or -1, as if nothing had been announced."""
        gains = {name: 1 if side == "D" else -1 for name, side in self.made().items()}
        return gains | {name: -1 if side == "D" else 1 for name, side in self.failed().items()}

    def mond(self) -> tuple[int, int] | None:
        """Who lost T21, and to whom; Tarok: to the other side; Slovenian: to T22 or the Emperor's T1, or in the talon."""
        for trick in self.tricks:
            if "T21" in trick.cards and trick.winner != trick.player("T21"):
                loser, taker = trick.player("T21"), trick.winner
                if self.ruleset.startswith("tarok"):
                    return (loser, taker) if self.side(loser) != self.side(taker) else None
                return (loser, taker) if trick.cards[trick.place] in ("T1", "T22") else None
        left = self.ruleset.startswith("slovenian") and self.D is not None and "T21" in self.stock
        return (self.D, -1) if left and self.D is not None else None

    def last_trick_birds(self) -> list[list[Any]]:
        """T1, T2, T3 in the last trick: seat, short name, whether it won."""
        last = self.tricks[-1]
        return sorted(
            [last.player(card), name, last.cards[last.place] == card] for card, name in ULTIMOS.items() if card in last.cards
        )

    def hand_after_discard(self, seat: int) -> set[str]:
        """All cards the seat played."""
        return {trick.cards[(seat - trick.leader) % self.n] for trick in self.tricks}


# ------------------------------------------------------------------ rows of the rulebook

TRICK_CONTRACTS = ("beggar", "beggar_open", "nill", "slam0", "colour", "suit_slam")


def as_row(given: dict[str, Any], facts: Facts) -> dict[str, Any]:
    """The facts of a hand, named as in the input of a row of tests/cases/slovenian-illustrated.json."""
    if "points" in given:
        lost = {"mond": facts.mond()} if given["contract"] == "leasters" else {}
        return {"points": facts.points_by_seat} | ({"tricks": facts.tricks_by_seat} if "tricks" in given else {}) | lost
    found: dict[str, Any] = {"D": facts.D}
    if given["contract"] in TRICK_CONTRACTS:
        wanted = 0 if "beggar" in given["contract"] or given["contract"] == "nill" else 48 // facts.n
        return found | {"won": wanted == facts.T, "mond": facts.mond()}
    found |= {"partner": facts.partner, "P": facts.P, "mond": facts.mond()}
    if "T" in given:
        found["T"] = facts.T
    slam = given.get("T") in (0, 48 // facts.n) or "slam" in given.get("ann", {})
    if not slam or "silent" in given:
        found["silent"] = {name: sign for name, sign in facts.silent().items() if name not in given.get("ann", {})}
    if not slam and given.get("ann"):
        made = facts.made()
        found["made"] = {name: [made[name]] for name in given["ann"] if name in made}
    return found


def expected(given: dict[str, Any], facts: Facts) -> dict[str, Any]:
    """The same keys as the row states them; what it does not mention did not happen."""
    mond: Any = tuple(given["mond"]) if "mond" in given else None
    if "lost" in given:
        mond = (given["lost"], facts.mond()[1] if facts.mond() else None)
    defaults = {"partner": None, "silent": {}, "made": {}, "mond": mond}
    return {name: given.get(name, defaults.get(name)) if name != "mond" else mond for name in as_row(given, facts)}
