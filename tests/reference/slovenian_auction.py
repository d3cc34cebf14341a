"""Auctions of Tarok and Slovenian Tarock: B2, C2, D2, E2 with K7 and K8."""

from __future__ import annotations

from typing import Any

from tests.reference.slovenian_contracts import CONTRACTS, TAROK, Contract, seats_of


class Auction:
    """The open auction: round after round until one player is left.

    ``contract`` and ``declarer`` are set when ``actor`` has become None; all_beggars and leasters have no
    declarer.
    """

    def __init__(self, ruleset: str, options: dict[str, Any], dealer: int, restricted: bool) -> None:
        self.ruleset = ruleset
        self.options = options
        self.seats = seats_of(ruleset)
        self.eldest = (dealer + 1) % self.seats
        self.contracts = CONTRACTS[ruleset]
        self.restricted = restricted
        self.active = set(range(self.seats))
        self.high: int | None = None
        self.bid: Contract | None = None
        self.last_turn = False
        self.contract: Contract | None = None
        self.declarer: int | None = None
        self.actor: int | None = self.opener()

    def opener(self) -> int:
        """Four players: Eldest's right (B2, D2). Three: ``auction_opener`` (C2, E2)."""
        if self.options.get("auction_opener", "eldest_right") == "eldest":
            return self.eldest
        return (self.eldest + 1) % self.seats

    # ------------------------------------------------------------ what may be said

    def legal(self) -> list[str]:
        """Every call open to the seat on turn."""
        if self.actor is None:
            return []
        if self.last_turn:
            return [f"bid:{c.id}" for c in self.biddable() if c.rank >= self.standing_rank()]
        if self.eldest_must_choose():
            return [f"bid:{c.id}" for c in self.eldest_choices()]
        floor = self.standing_rank() + (0 if self.may_equal() else 1)
        return ["pass"] + [f"bid:{c.id}" for c in self.biddable() if c.rank >= floor]

    def biddable(self) -> list[Contract]:
        """Contracts of the auction proper; D1: in a restricted round only some."""
        rows = [c for c in self.contracts.values() if c.objective != "fewest" and not c.eldest_only]
        return [c for c in rows if c.restricted or not self.restricted]

    def standing_rank(self) -> int:
        """Rank of the bid that stands, 0 before the first."""
        return self.bid.rank if self.bid else 0

    def may_equal(self) -> bool:
        """Eldest's claim (B2), or a better place at the table (D2): the standing bid may be taken over."""
        if self.high is None or self.high == self.actor:
            return False
        if self.options["priority"] == "eldest_only":
            return self.actor == self.eldest
        return self.seniority(self.actor) < self.seniority(self.high)

    def seniority(self, seat: int | None) -> int:
        """0 for Eldest, then in playing order; the dealer comes last."""
        assert seat is not None
        return (seat - self.eldest) % self.seats

    def eldest_must_choose(self) -> bool:
        """B2, D2, four players: all others passed, nobody bid."""
        return self.seats == 4 and self.bid is None and self.others_passed()

    def others_passed(self) -> bool:
        """Nobody but the seat on turn is still in."""
        return not self.active - {self.actor}

    def eldest_choices(self) -> list[Contract]:
        """B2, D2: all_beggars or call_with_three (leasters or three), or any bid; S0-4."""
        reserved = [c for c in self.contracts.values() if c.eldest_only]
        reserved = [c for c in reserved if c.restricted or not self.restricted]
        if self.options.get("eldest_passout") == "two_only":
            return reserved
        return reserved + self.biddable()

    # ------------------------------------------------------------ what a call does

    def apply(self, action: str) -> None:
        """One call of the seat on turn."""
        if action not in self.legal():
            raise ValueError(f"{action!r} is not legal in the auction; legal: {self.legal()}")
        assert self.actor is not None
        if action == "pass":
            self.active.discard(self.actor)
        else:
            self.bid, self.high = self.contracts[action.removeprefix("bid:")], self.actor
        self.proceed(passed=action == "pass")

    def proceed(self, passed: bool) -> None:
        """B2: over when one player is left and a bid exists; D2, K7: the last turn comes after a pass."""
        assert self.actor is not None
        if self.bid is None and not self.active:
            self.close()
        elif self.bid is not None and self.active <= {self.high}:
            if passed and self.options["final_raise"]:
                self.last_turn, self.actor = True, self.high
            else:
                self.close()
        else:
            self.actor = self.next_active(self.actor)

    def next_active(self, seat: int) -> int:
        """The next seat in playing order that has not passed."""
        following = [(seat + step) % self.seats for step in range(1, self.seats + 1)]
        return next(one for one in following if one in self.active)

    def close(self) -> None:
        """The high bidder plays; without a bid all_beggars or leasters, which have no declarer (K18)."""
        self.actor = None
        self.contract = self.bid or next(c for c in self.contracts.values() if c.objective == "fewest")
        self.declarer = None if self.contract.objective == "fewest" else self.high


class SingleRoundAuction(Auction):
    """B2 ``single_round``: everybody speaks exactly once, the highest bid wins."""

    def __init__(self, ruleset: str, options: dict[str, Any], dealer: int, restricted: bool) -> None:
        super().__init__(ruleset, options, dealer, restricted)
        self.spoken = 0

    def proceed(self, passed: bool) -> None:
        """On to the next seat that has not spoken."""
        assert self.actor is not None
        self.spoken += 1
        self.actor = (self.actor + 1) % self.seats
        if self.spoken == self.seats:
            self.close()


class ClaimFinalAuction(Auction):
    """B2, K8 ``claim_final``: the others hold an ascending auction, then Eldest speaks once and ends it."""

    def __init__(self, ruleset: str, options: dict[str, Any], dealer: int, restricted: bool) -> None:
        super().__init__(ruleset, options, dealer, restricted)
        self.actor = (self.eldest + 1) % self.seats
        self.active.discard(self.eldest)

    def legal(self) -> list[str]:
        """K8: Eldest may claim or pass; if nobody bid: two contracts (four players), all bids (three)."""
        if self.actor != self.eldest:
            return super().legal()
        if self.bid is not None:
            return ["pass", f"bid:{self.bid.id}"]
        if self.seats == 4:
            return [f"bid:{c.id}" for c in self.contracts.values() if c.eldest_only]
        return ["pass"] + [f"bid:{c.id}" for c in self.biddable()]

    def eldest_must_choose(self) -> bool:
        """Never among the others."""
        return False

    def proceed(self, passed: bool) -> None:
        """Among the others until at most one is left, then Eldest, then the end."""
        assert self.actor is not None
        if self.actor == self.eldest:
            self.close()
        elif not self.active or (self.bid is not None and self.active <= {self.high}):
            self.actor = self.eldest
        else:
            self.actor = self.next_active(self.actor)


def auction_of(ruleset: str, options: dict[str, Any], dealer: int, restricted: bool) -> Auction:
    """The auction that the ruleset and its options ask for."""
    kinds = {"claim_final": ClaimFinalAuction, "single_round": SingleRoundAuction}
    kind = kinds.get(options["s0_auction"], Auction) if ruleset in TAROK else Auction
    return kind(ruleset, options, dealer, restricted)
