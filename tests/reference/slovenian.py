"""Referee for Tarok (``tarok_furr_*``, parts B and C) and Slovenian Tarock (``slovenian_*``, parts D and E).

Written from rules/slovenian-illustrated.md; part K outranks the rest of that page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.reference import session
from tests.reference.cards import KINGS
from tests.reference.slovenian_announce import Announcements, KontraAnnouncements
from tests.reference.slovenian_auction import auction_of
from tests.reference.slovenian_contracts import (
    CONTRACTS,
    RAISES,
    TAROK,
    contract_of,
    has_bonuses,
    options_of,
    seats_of,
)
from tests.reference.slovenian_outcome import Hand, card_points, decided, mond_covered, summarise
from tests.reference.slovenian_play import Play, PlayRules, discardable, talon_groups
from tests.reference.slovenian_scoring import settle


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
        if packets:
            raise ValueError("there is no knock deal in this ruleset")
        self.ruleset = ruleset
        self.options = options_of(ruleset, options)
        self.seats = seats_of(ruleset)
        session.check_deal(self.seats, hands, talon)
        self.before = session.complete_before(before, self.seats)
        self.compulsory = session.compulsory_in_force(ruleset, self.options, self.before)
        session.refuse_trumpless(ruleset, self.options, hands, self.compulsory)
        self.dealer = dealer
        self.hands = [list(hand) for hand in hands]
        self.hand = Hand(ruleset, self.options, dealer, list(talon))
        self.auction = auction_of(ruleset, self.options, dealer, restricted=self.compulsory is not None)
        self.said: Announcements | None = None
        self.play: Play | None = None
        self.phase = "auction"
        if self.compulsory and ruleset in TAROK:
            self.start_play(CONTRACTS[ruleset]["all_beggars"], None)

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
        return self.hand.declarer

    @property
    def done(self) -> bool:
        """The hand is over."""
        return self.phase == "done"

    def legal(self) -> list[str]:
        """All legal actions of the seat to move."""
        options = {
            "auction": self.auction.legal,
            "call": self.legal_calls,
            "talon": self.legal_groups,
            "discard": self.legal_discards,
            "raise": self.legal_raises,
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
            "auction": self.after_auction,
            "call": self.call_king,
            "talon": self.take_group,
            "discard": self.discard,
            "raise": self.raise_contract,
            "announce": self.announce,
            "play": self.play_card,
        }
        steps[self.phase](action)

    def result(self) -> dict[str, Any]:
        """Contract, card points, items, scores and the state after the hand, as record-format.md has them."""
        if not self.done or self.play is None or self.hand.contract is None:
            raise ValueError("the hand is not over")
        settlement = settle(summarise(self.hand, self.play, self.said), self.options, self.before["rings"])
        return {
            "contract": self.hand.contract.id,
            "declarer": self.hand.declarer,
            "partner": self.hand.partner,
            "card_points": card_points(self.hand, self.play),
            "items": settlement.items,
            "scores": settlement.scores,
            "after": session.after_hand(
                self.ruleset, self.options, self.before["scores"], settlement.scores, settlement.rings
            ),
        }

    # ------------------------------------------------------------ auction and king call

    def after_auction(self, action: str) -> None:
        """A6: what follows the auction depends on the contract alone."""
        self.auction.apply(action)
        contract, declarer = self.auction.contract, self.auction.declarer
        if contract is None:
            return
        self.hand.contract, self.hand.declarer = contract, declarer
        if declarer is None:
            self.start_play(contract, None)
        elif contract.calls_king:
            self.phase = "call"
        elif contract.takes:
            self.phase = "talon"
        else:
            self.start_announcements()

    def legal_calls(self) -> list[str]:
        """B3, D3: any of the four kings; in Tarok the fourth King for a declarer with exactly three."""
        calls = [f"call:{king}" for king in sorted(KINGS)]
        if self.ruleset in TAROK and len(self.missing_kings()) == 1:
            calls.append("call:fourth")
        return calls

    def missing_kings(self) -> list[str]:
        """Kings that the declarer does not hold."""
        assert self.hand.declarer is not None
        return sorted(KINGS - set(self.hands[self.hand.declarer]))

    def call_king(self, action: str) -> None:
        """B3: its holder is the partner; the declarer is alone if it is his own or in the stock."""
        name = action.removeprefix("call:")
        king = self.missing_kings()[0] if name == "fourth" else name
        self.hand.called_king = king
        holders = [seat for seat, cards in enumerate(self.hands) if king in cards and seat != self.hand.declarer]
        self.hand.partner = holders[0] if holders else None
        self.phase = "talon"

    # ------------------------------------------------------------ talon, discard, raise

    def groups(self) -> list[list[str]]:
        """The groups that the declarer may choose from."""
        assert self.hand.contract is not None
        return talon_groups(self.hand.talon, self.hand.contract.takes)

    def legal_groups(self) -> list[str]:
        """Any group."""
        return [f"talon:{index}" for index in range(len(self.groups()))]

    def take_group(self, action: str) -> None:
        """B4: the group goes into the declarer's hand."""
        self.hand.picked = self.groups()[int(action.removeprefix("talon:"))]
        self.declarer_hand().extend(self.hand.picked)
        self.phase = "discard"

    def declarer_hand(self) -> list[str]:
        """The declarer's cards."""
        assert self.hand.declarer is not None
        return self.hands[self.hand.declarer]

    def legal_discards(self) -> list[str]:
        """B4; S4-8 ``discard_trumps``."""
        freely = self.options.get("discard_trumps", "only_if_forced_shown") != "only_if_forced_shown"
        return discardable(self.declarer_hand(), freely)

    def discard(self, card: str) -> None:
        """B4: as many as were taken; then the raise, where there is one."""
        self.declarer_hand().remove(card)
        self.hand.discards.append(card)
        if len(self.hand.discards) < len(self.hand.picked):
            return
        if self.may_raise():
            self.phase = "raise"
        else:
            self.start_announcements()

    def may_raise(self) -> bool:
        """B4, D4: after a solo with exchange; S0-20, K13: option for a called King that lay in the stock."""
        assert self.hand.contract is not None
        alone_by_talon = self.hand.called_king in self.hand.talon
        return self.hand.contract.raisable or bool(self.options.get("raise_when_alone_by_talon") and alone_by_talon)

    def legal_raises(self) -> list[str]:
        """Colour slam (suit slam), or leave it."""
        return [f"bid:{RAISES[self.ruleset].id}", "pass"]

    def raise_contract(self, action: str) -> None:
        """B2, D2: the raise replaces the bid."""
        if action != "pass":
            self.hand.contract = contract_of(self.ruleset, action.removeprefix("bid:"))
        self.start_announcements()

    # ------------------------------------------------------------ announcements

    def start_announcements(self) -> None:
        """B5: contracts with bonuses. D5: every contract with a declarer, for the kontra on the game."""
        contract, declarer = self.hand.contract, self.hand.declarer
        assert contract is not None
        assert declarer is not None
        bonuses = has_bonuses(self.ruleset, contract, self.options)
        if self.ruleset in TAROK and not bonuses:
            self.start_play(contract, declarer)
            return
        kind = Announcements if self.ruleset in TAROK else KontraAnnouncements
        self.said = kind(self.hands, declarer, self.hand.partner, self.hand.called_king, bonuses)
        self.phase = "announce"

    def announce(self, action: str) -> None:
        """Until the phase is over, then the play."""
        assert self.said is not None
        assert self.hand.contract is not None
        self.said.apply(action)
        if self.said.actor is None:
            self.start_play(self.hand.contract, self.hand.declarer)

    # ------------------------------------------------------------ play

    def start_play(self, contract: Any, declarer: int | None) -> None:
        """B6, D6: who leads, and under which rules."""
        self.hand.contract, self.hand.declarer = contract, declarer
        eldest = (self.dealer + 1) % self.seats
        leader = declarer if contract.declarer_leads and declarer is not None else eldest
        rules = PlayRules(
            colour=contract.colour,
            must_trump=self.options.get("colour_slam_must_trump", True),
            forced_beat=contract.negative,
            pagat_lock=contract.negative,
            trumps_last=contract.colour and self.options.get("colour_slam_trumps_last", False),
        )
        held = self.said.held_cards() if self.said and self.options["announced_ultimo_hold"] else {}
        self.play = Play(self.hands, leader, rules, self.gifts(declarer), held)
        self.phase = "play"

    def gifts(self, declarer: int | None) -> list[str]:
        """D6: leasters hands the talon out with the first six tricks; S0-12: all_beggars as an option."""
        if declarer is not None or (self.ruleset in TAROK and not self.options["ab_talon_gifts"]):
            return []
        return self.hand.talon

    def play_card(self, card: str) -> None:
        """One card; the hand is over after the last trick or when it is decided (K10)."""
        assert self.play is not None
        self.play.apply(card)
        if self.play.at_trick_end() and self.stops_early():
            self.play.stop()
        if self.play.actor is None:
            self.phase = "done"

    def stops_early(self) -> bool:
        """K10 ``early_stop``: the trick has decided the hand and no T21 can be lost any more."""
        assert self.play is not None
        return self.options["early_stop"] and decided(self.hand, self.play) and not mond_covered(self.hand)
