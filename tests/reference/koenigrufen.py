"""Slow referee of both Königrufen rulesets, written from rules/koenigrufen.md (appendix 5 included) alone.

``Referee(ruleset, options, dealer, hands, talon, before=None, packets=None, knock_deal=None)`` is one hand;
it speaks the action names of the game record. Where the left neighbour may knock (``knock`` not ``never``):

* a hand that was cut: ``hands`` and ``talon`` as dealt, neither ``packets`` nor ``knock_deal``;
* a hand that was knocked: ``packets`` holds the four packets in table order, ``talon`` the knock deal's
  talon. The packets chosen become the hands; what was passed as ``hands`` is not looked at and may be ``[]``;
* a driver of ``knock = agent`` that leaves the choice open gives the cut deal as ``hands`` and ``talon`` and
  the knock deal as ``knock_deal={"talon": [...], "packets": [...]}``.

``legal()`` names both ``cut`` and ``knock`` under ``agent`` in every case; taking the one whose deal was not
supplied raises ``ValueError``. ``dealt_hands`` holds the hands as dealt (or as chosen) for all seats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.reference.cards import (
    KINGS,
    SUITS,
    is_king,
    legal_cards,
    legal_discards,
    table_points,
    thirds,
    winner,
)
from tests.reference.koenigrufen_auction import Auction
from tests.reference.koenigrufen_deal import Deal
from tests.reference.koenigrufen_rules import DECLARER, Contract, Rules, make_rules
from tests.reference.koenigrufen_score import (
    Played,
    Trick,
    payoffs,
    read_facts,
    score_items,
    trischaken_payoffs,
)
from tests.reference.koenigrufen_talk import Talk, bound_choice


class Referee:
    """One hand of Königrufen; see the module for the arguments."""

    def __init__(
        self,
        ruleset: str,
        options: Mapping[str, object] | None,
        dealer: int,
        hands: Sequence[Sequence[str]],
        talon: Sequence[str],
        before: Mapping[str, Any] | None = None,
        packets: Sequence[Sequence[str]] | None = None,
        knock_deal: Mapping[str, Any] | None = None,
    ) -> None:
        self.rules: Rules = make_rules(ruleset, options)
        self.seats: int = self.rules["table_size"]
        if dealer not in range(self.seats):
            raise ValueError(f"no seat {dealer} at a table of {self.seats}")
        self.order = [(dealer + 1 + r) % self.seats for r in range(4)]
        self.before = before
        self.deal = Deal(self.rules, self.order, hands, talon, packets, knock_deal)
        self.talon: list[str] = []
        self.hands: list[list[str]] = []
        self.auction = Auction(self.rules)
        self.contract: Contract | None = None
        self.declarer: int | None = None
        self.called: str | None = None
        self.partner: int | None = None
        self.talk: Talk | None = None
        self.discards: list[str] = []
        self.discards_due = 0
        self.talon_declarer: list[str] = []
        self.talon_defence: list[str] = []
        self.whole_talon_taken = False
        self.tricks: list[Trick] = []
        self.actor: int | None = None
        self.phase = "deal"
        self._go_on_dealing()

    # -- interface -------------------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """True when the hand is over."""
        return self.phase == "done"

    @property
    def dealt_hands(self) -> list[list[str]]:
        """The hands as dealt, after a knock as chosen."""
        return self.deal.hands

    def legal(self) -> list[str]:
        """All legal action names of the seat to move; empty when the hand is over."""
        menus: dict[str, Callable[[], list[str]]] = {
            "deal": self.deal.legal,
            "auction": self.auction.legal,
            "call": self._legal_calls,
            "talon": lambda: ["talon:0", "talon:1"],
            "discard": lambda: legal_discards(self.hands[self._seat()]),
            "talk": lambda: self.talk.legal() if self.talk else [],
            "play": self._legal_play,
            "done": list,
        }
        return menus[self.phase]()

    def apply(self, action: str) -> None:
        """Take one action of the seat to move; ValueError if it is not legal."""
        if action not in self.legal():
            raise ValueError(f"{action!r} is not legal for seat {self.actor}; legal: {sorted(self.legal())}")
        steps: dict[str, Callable[[str], None]] = {
            "deal": self._apply_deal,
            "auction": self._apply_auction,
            "call": self._apply_call,
            "talon": self._apply_talon,
            "discard": self._apply_discard,
            "talk": self._apply_talk,
            "play": self._apply_play,
        }
        steps[self.phase](action)

    def result(self) -> dict[str, Any]:
        """What a game record says about the finished hand."""
        if not self.done:
            raise ValueError("the hand is not over")
        items, scores = self._items_and_scores()
        return {
            "contract": self.contract.name if self.contract else None,
            "declarer": self.declarer,
            "partner": self.partner,
            "card_points": self._card_points(),
            "items": items,
            "scores": scores,
            "after": self._after(scores),
        }

    # -- deal ------------------------------------------------------------------------------------------

    def _apply_deal(self, action: str) -> None:
        """``cut``, ``knock`` or a packet; then the auction."""
        self.deal.apply(action)
        self._go_on_dealing()

    def _go_on_dealing(self) -> None:
        """While cut, knock and packets are open somebody decides; then the hands are known."""
        self.actor = self.deal.actor
        if self.deal.actor is None:
            self.talon = list(self.deal.talon)
            self.hands = [list(hand) for hand in self.deal.hands]
            self.phase, self.actor = "auction", self.order[0]

    # -- auction and king ------------------------------------------------------------------------------

    def _apply_auction(self, action: str) -> None:
        """K2.2, K3.2; a hand thrown in is over at once, Trischaken has no declarer (A5.5)."""
        self.auction.apply(action)
        if self.auction.turn is not None:
            self.actor = self.order[self.auction.turn]
            return
        self.contract = self.auction.contract
        if self.contract is None:
            self._finish()
            return
        if not self.contract.everybody_alone:
            assert self.auction.holder is not None
            self.declarer = self.actor = self.order[self.auction.holder]
        if self.contract.call:
            self.phase = "call"
        else:
            self._open_talon()

    def _legal_calls(self) -> list[str]:
        """K2.3, K3.3: any king, one's own included; the fourth king with exactly three."""
        kings = [card for card in self.hands[self._seat()] if is_king(card)]
        return [f"call:{suit}K" for suit in SUITS] + (["call:fourth"] if len(kings) == 3 else [])

    def _apply_call(self, action: str) -> None:
        """The holder of the called king is the partner; nobody if it is the talon or declarer himself."""
        hand = self.hands[self._seat()]
        name = action.removeprefix("call:")
        self.called = next(king for king in KINGS if king not in hand) if name == "fourth" else name
        holders = [seat for seat in self.order if self.called in self.hands[seat] and seat != self.declarer]
        self.partner = holders[0] if holders else None
        self._open_talon()

    # -- talon and discards (C6, K2.4, K3.4) -----------------------------------------------------------

    def _open_talon(self) -> None:
        """Three of six: a half is chosen; six: all are taken; none: the cards stay away."""
        assert self.contract is not None
        if self.contract.exchange == 3:
            self.phase = "talon"
        elif self.contract.exchange == 6:
            self._take(self.talon)
        else:
            self._assign_unseen_talon()
            self._open_talk()

    def _apply_talon(self, action: str) -> None:
        """One half to the declarer's hand, the other to the defence."""
        halves = [self.talon[:3], self.talon[3:]]
        taken = int(action.removeprefix("talon:"))
        self.talon_defence = halves[1 - taken]
        self._take(halves[taken])

    def _take(self, cards: Sequence[str]) -> None:
        self.hands[self._seat()] += cards
        self.discards_due = len(cards)
        self.phase = "discard"

    def _apply_discard(self, action: str) -> None:
        self.hands[self._seat()].remove(action)
        self.discards.append(action)
        if len(self.discards) == self.discards_due:
            self._open_talk()

    def _assign_unseen_talon(self) -> None:
        """All six to the defence; ``solo_talon`` may give the declarer's side a share with the called king.

        Only contracts won by points have a talon share at all.
        """
        assert self.contract is not None
        if self.contract.goal != "points":
            return
        halves = [self.talon[:3], self.talon[3:]]
        self.talon_defence = list(self.talon)
        if self.called not in self.talon:
            return
        if self.rules["solo_talon"] == "half_with_king":
            self.talon_declarer, self.talon_defence = sorted(halves, key=lambda half: self.called not in half)
        elif self.rules["solo_talon"] == "all_to_declarer":
            self.talon_declarer, self.talon_defence = list(self.talon), []
            self.whole_talon_taken = True

    # -- announcements ---------------------------------------------------------------------------------

    def _open_talk(self) -> None:
        """K2.5, K3.5: sides are public in alone contracts and if the open talon shows the king."""
        contract = self.contract
        assert contract is not None
        if not self.rules.has_announcements(contract):
            self._open_play()
            return
        assert self.declarer is not None
        all_known = not contract.call or (contract.exchange == 3 and self.called in self.talon)
        self.talk = Talk(
            self.rules,
            contract,
            self.order,
            self.declarer,
            self.partner,
            self.called,
            {seat: self.hands[seat] for seat in self.order},
            all_known,
        )
        self.phase, self.actor = "talk", self.declarer

    def _apply_talk(self, action: str) -> None:
        assert self.talk is not None
        self.talk.apply(action)
        if self.talk.turn is None:
            self._open_play()
        else:
            self.actor = self.talk.turn

    # -- play (C4, C5, K2.6, K3.6) ---------------------------------------------------------------------

    def _open_play(self) -> None:
        """Forehand leads; the declarer does in negative contracts and, with ``nt_leader``, in No Trumps."""
        contract = self.contract
        assert contract is not None
        declarer_leads = contract.negative or (contract.colour and self.rules["nt_leader"] == "declarer")
        self.phase, self.actor = "play", self.declarer if declarer_leads else self.order[0]
        self.tricks.append(Trick())

    def _legal_play(self) -> list[str]:
        assert self.contract is not None
        seat = self._seat()
        cards = legal_cards(self.hands[seat], self.tricks[-1].cards, self.rules.play_flags(self.contract))
        if self.talk and self.rules["announced_binding"] == "binding":
            cards = bound_choice(cards, self.talk.targets_of(seat), len(self.tricks))
        return cards

    def _apply_play(self, card: str) -> None:
        seat, trick = self._seat(), self.tricks[-1]
        self.hands[seat].remove(card)
        trick.seats.append(seat)
        trick.cards.append(card)
        if len(trick.cards) < 4:
            self.actor = self.order[(self.order.index(seat) + 1) % 4]
        else:
            self._close_trick(trick)

    def _close_trick(self, trick: Trick) -> None:
        """The winner leads to the next trick, of twelve."""
        assert self.contract is not None
        flags = self.rules.play_flags(self.contract)
        won = winner(trick.cards, flags.colour, flags.emperor)
        trick.winner, trick.winning_card = trick.seats[won], trick.cards[won]
        if len(self.tricks) == 12 or self._decided_early():
            self._finish()
        else:
            self.actor = trick.winner
            self.tricks.append(Trick())

    def _decided_early(self) -> bool:
        """A5.3: a negative contract stops with the trick that loses it."""
        assert self.contract is not None
        if not self.contract.negative or not self.rules["early_stop"]:
            return False
        won = sum(trick.winner == self.declarer for trick in self.tricks)
        return won > self.contract.target or won + 12 - len(self.tricks) < self.contract.target

    def _finish(self) -> None:
        self.phase, self.actor = "done", None

    # -- result ----------------------------------------------------------------------------------------

    def _piles(self) -> list[list[str]]:
        """Per seat: his tricks, talon cards that came to them, declarer's discards and talon share."""
        piles: list[list[str]] = [[] for _ in range(self.seats)]
        for number, trick in enumerate(self.tricks, start=1):
            assert trick.winner is not None
            piles[trick.winner] += trick.cards + self._trischaken_talon(number)
        if self.declarer is not None:
            piles[self.declarer] += self.discards + self.talon_declarer
        return piles

    def _trischaken_talon(self, number: int) -> list[str]:
        """K3-34: talon card i goes to trick i, or all six to trick 12, or nowhere."""
        if self.contract is None or not self.contract.everybody_alone:
            return []
        if self.rules["trischaken_talon"] == "first_six":
            return self.talon[number - 1 : number]
        return self.talon if self.rules["trischaken_talon"] == "last_trick" and number == 12 else []

    def _card_points(self) -> list[int] | None:
        """Table points of every seat's own pile; None where tricks decide or nothing was played."""
        if self.contract is None or self.contract.negative:
            return None
        return [table_points(pile) for pile in self._piles()]

    def _items_and_scores(self) -> tuple[list[dict[str, object]], list[int]]:
        if self.contract is None:
            return [], [0] * self.seats
        if self.contract.everybody_alone:
            return self._trischaken_result()
        assert self.declarer is not None
        hand = Played(
            self.rules,
            self.contract,
            self.declarer,
            self.partner,
            self.called,
            self.tricks,
            self.discards,
            self.talon_declarer,
            self.talon_defence,
            self.whole_talon_taken,
        )
        levels = self.talk.levels if self.talk else {("game", DECLARER): 0}
        contracted = self.talk.contracted_bird if self.talk else None
        items = score_items(self.rules, self.contract, read_facts(hand), levels, contracted)
        total = sum(scored.value for scored in items)
        scores = payoffs(total, self.order, self.seats, self.declarer, self.partner)
        return [scored.as_record() for scored in items], scores

    def _trischaken_result(self) -> tuple[list[dict[str, object]], list[int]]:
        """One game item per player; with five at the table the dealer stays out of it (K3.8)."""
        piles = self._piles()
        won = [sum(trick.winner == seat for trick in self.tricks) for seat in self.order]
        shares = trischaken_payoffs(self.rules, [thirds(piles[seat]) for seat in self.order], won)
        scores = [0] * self.seats
        for seat, share in zip(self.order, shares, strict=True):
            scores[seat] = share
        items: list[dict[str, object]] = [
            {"item": "game", "side": seat, "announced": False, "contra": 0, "value": scores[seat]}
            for seat in sorted(self.order)
        ]
        return items, scores

    def _after(self, scores: Sequence[int]) -> dict[str, Any]:
        """Running totals are sums of hands (K2.8); Königrufen has neither rings nor compulsory hands."""
        before = self.before or {}
        old = before.get("scores", [0] * self.seats)
        return {
            "scores": [old[seat] + scores[seat] for seat in range(self.seats)],
            "rings": list(before.get("rings", [0] * self.seats)),
            "compulsory": None,
        }

    def _seat(self) -> int:
        """The seat to move."""
        assert self.actor is not None
        return self.actor
