"""Referee for Illustrated Tarock (``illustrated_tarock``): parts F and K of slovenian-illustrated.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.reference import session
from tests.reference.cards import KINGS, TRULL
from tests.reference.illustrated_announce import Announcements, declaration_holds
from tests.reference.illustrated_auction import GAME, Auction
from tests.reference.illustrated_contracts import BEGGARS_GAME, SEATS, ULTIMO_CARDS, Contract, options_of
from tests.reference.illustrated_scoring import (
    Announced,
    Claimed,
    Item,
    Summary,
    beggars_items,
    items_of,
    scores_of,
)
from tests.reference.slovenian_play import Play, PlayRules, discardable, points, talon_groups


class Referee:
    """One hand, decision by decision."""

    def __init__(
        self,
        ruleset: str,
        options: dict[str, Any] | None,
        dealer: int,
        hands: Sequence[Sequence[str]],
        talon: Sequence[str],
        before: dict[str, Any] | None = None,
        packets: Sequence[Sequence[str]] | None = None,
    ) -> None:
        if ruleset != session.ILLUSTRATED or packets:
            raise ValueError("this is the referee of illustrated_tarock, which has no knock deal")
        self.options = options_of(options)
        session.check_deal(SEATS, hands, talon)
        self.before = session.complete_before(before, SEATS)
        session.refuse_trumpless(ruleset, self.options, hands, None)
        self.dealer = dealer
        self.hands = [list(hand) for hand in hands]
        self.talon = list(talon)
        self.picked: list[str] = []
        self.discards: list[str] = []
        self.contract: Contract = BEGGARS_GAME
        self.declarer: int | None = None
        self.auction = Auction(self.hands, self.options, dealer)
        self.said: Announcements | None = None
        self.play: Play | None = None
        self.phase = "auction"

    # ------------------------------------------------------------ the interface

    @property
    def actor(self) -> int | None:
        """Seat to move, None when the hand is over."""
        if self.phase == "auction":
            return self.auction.actor
        if self.phase == "announce" and self.said is not None:
            return self.said.actor
        if self.phase in ("play", "done"):
            return self.play.actor if self.play else None
        return self.declarer

    @property
    def done(self) -> bool:
        """The hand is over."""
        return self.phase == "done"

    def legal(self) -> list[str]:
        """All legal actions of the seat to move."""
        options = {
            "auction": self.auction.legal,
            "talon": self.legal_groups,
            "discard": self.legal_discards,
            "announce": self.said.legal if self.said else list,
            "play": self.play.legal if self.play else list,
            "done": list,
        }
        return options[self.phase]()

    def apply(self, action: str) -> None:
        """One action; ValueError if it is not legal."""
        legal = self.legal()
        if action not in legal:
            raise ValueError(f"{self.phase}: {action!r} is not legal; legal: {sorted(legal)}")
        steps = {
            "auction": self.bid,
            "talon": self.take_group,
            "discard": self.discard,
            "announce": self.announce,
            "play": self.play_card,
        }
        steps[self.phase](action)

    def result(self) -> dict[str, Any]:
        """Contract, card points, items, scores and the state after the hand, as record-format.md has them."""
        if not self.done:
            raise ValueError("the hand is not over")
        card_points = self.card_points()
        if self.declarer is None:
            items = beggars_items(card_points)
            scores = [one["value"] for one in items]
        else:
            items = self.items()
            scores = scores_of(items, self.declarer)
        return {
            "contract": self.contract.id,
            "declarer": self.declarer,
            "partner": None,
            "card_points": card_points,
            "items": items,
            "scores": scores,
            "after": session.after_hand(
                session.ILLUSTRATED, self.options, self.before["scores"], scores, self.before["rings"]
            ),
        }

    # ------------------------------------------------------------ auction, draw, discard

    def bid(self, action: str) -> None:
        """F2; all passed: a Beggar's game, which Eldest leads (P1-29)."""
        self.auction.apply(action)
        if not self.auction.over:
            return
        if self.auction.contract is None:
            self.start_play((self.dealer + 1) % SEATS)
            return
        self.contract, self.declarer = self.auction.contract, self.auction.high
        if self.contract.takes:
            self.phase = "talon"
        else:
            self.start_announcements()

    def groups(self) -> list[list[str]]:
        """The groups of the stock, taken or not."""
        return talon_groups(self.talon, self.contract.takes)

    def tainted(self, group: Sequence[str]) -> bool:
        """F4: the group holds an Honour or a King although the bid was Without Honours or Without Kings."""
        forbidden = {"without_trull": TRULL, "without_kings": KINGS}
        return any(name in self.auction.levels and cards & set(group) for name, cards in forbidden.items())

    def legal_groups(self) -> list[str]:
        """F4: a tainted group may not be taken; if all are, any may."""
        groups = self.groups()
        clean = [index for index, group in enumerate(groups) if not self.tainted(group)]
        return [f"talon:{index}" for index in clean or range(len(groups))]

    def take_group(self, action: str) -> None:
        """F4: the group goes into the declarer's hand."""
        self.picked = self.groups()[int(action.removeprefix("talon:"))]
        self.declarer_hand().extend(self.picked)
        self.phase = "discard"

    def declarer_hand(self) -> list[str]:
        """The declarer's cards."""
        assert self.declarer is not None
        return self.hands[self.declarer]

    def legal_discards(self) -> list[str]:
        """F4; P1-22 ``discard_trumps``."""
        return discardable(self.declarer_hand(), self.options["discard_trumps"] != "only_if_forced_shown")

    def discard(self, card: str) -> None:
        """F4: as many as were taken."""
        self.declarer_hand().remove(card)
        self.discards.append(card)
        if len(self.discards) == len(self.picked):
            self.start_announcements()

    # ------------------------------------------------------------ announcements and play

    def start_announcements(self) -> None:
        """F5: also in a solo, which has no draw."""
        assert self.declarer is not None
        self.said = Announcements(self.hands, self.declarer, self.discards, self.auction.levels, self.options)
        self.phase = "announce"

    def announce(self, action: str) -> None:
        """Until it is quiet, then the play; F6: the declarer leads."""
        assert self.said is not None
        assert self.declarer is not None
        self.said.apply(action)
        if self.said.actor is None:
            self.start_play(self.declarer)

    def start_play(self, leader: int) -> None:
        """F6: no Emperor (option), forced beating in the Beggar's game only, the lock there as an option."""
        beggars = self.declarer is None
        rules = PlayRules(
            emperor=self.options["emperor"],
            forced_beat=beggars,
            pagat_lock=beggars and self.options["beggar_lock"],
        )
        held = {}
        if self.said is not None and self.declarer is not None:
            held = {self.declarer: {card for name, card in ULTIMO_CARDS.items() if name in self.said.levels}}
        self.play = Play(self.hands, leader, rules, held=held)
        self.phase = "play"

    def play_card(self, card: str) -> None:
        """One card; K10: no hand stops early."""
        assert self.play is not None
        self.play.apply(card)
        if self.play.actor is None:
            self.phase = "done"

    # ------------------------------------------------------------ the outcome

    def card_points(self) -> list[int]:
        """Record format: tricks, the declarer's with his discards; the rest of the stock in nobody's."""
        assert self.play is not None
        piles = [list(pile) for pile in self.play.piles]
        if self.declarer is not None:
            piles[self.declarer] += self.discards
        return [points(pile) for pile in piles]

    def items(self) -> list[Item]:
        """F8: everything that is scored in a game with a declarer."""
        assert self.said is not None
        assert self.declarer is not None
        summary = Summary(
            contract=self.contract,
            declarer=self.declarer,
            points=self.card_points()[self.declarer],
            bid_count=self.auction.bid_count,
            level_before=self.auction.levels[GAME],
            level_after=self.said.levels[GAME],
            forced_loss=self.tainted(self.picked),
            announced=tuple(self.announced(name) for name in self.said.levels if name != GAME),
            declarations=tuple(
                Claimed(name, seat, declaration_holds(name, self.hands[seat])) for seat, name in self.said.declared
            ),
            ultimos=self.silent_ultimos(),
        )
        return items_of(summary, self.options)

    def announced(self, name: str) -> Announced:
        """F7: an announcement with its two contra levels and its fate."""
        assert self.said is not None
        return Announced(
            name=name,
            in_bid=name in self.auction.levels,
            made=self.kept(name),
            level_before=self.auction.levels.get(name, 0),
            level_after=self.said.levels[name],
        )

    def kept(self, name: str) -> bool:
        """F7: the card wins the last trick, the points are there, or the game is won without those cards."""
        assert self.play is not None
        assert self.declarer is not None
        own_points, forced_loss = self.card_points()[self.declarer], self.tainted(self.picked)
        if name in ULTIMO_CARDS:
            return self.play.winning_cards[-1] == ULTIMO_CARDS[name]
        if name in ("with_40", "with_50"):
            return own_points >= int(name.removeprefix("with_"))
        return own_points >= 36 and not forced_loss

    def silent_ultimos(self) -> tuple[Claimed, ...]:
        """F7: T1, T2, T3 played to the last trick: won, or beaten."""
        assert self.play is not None
        trick, best = self.play.tricks[-1], self.play.winning_cards[-1]
        return tuple(
            Claimed(name, trick.player_of(card), card == best) for name, card in ULTIMO_CARDS.items() if card in trick.cards
        )
