"""Königrufen: the auction of K2.2 and K3.2, written for the relative positions r = 0 (forehand) … 3."""

from __future__ import annotations

from tests.reference.koenigrufen_rules import Contract, Rules


class Auction:
    """State machine of the bidding; ``contract`` and ``holder`` (r) say how it ended (None: thrown in)."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.active = [True] * 4
        self.rank = 0
        self.holder: int | None = None
        self.turn: int | None = 0
        self.opening = True
        self.choosing = False
        self.contract: Contract | None = None

    @property
    def done(self) -> bool:
        """True when nobody is to speak any more."""
        return self.turn is None

    def legal(self) -> list[str]:
        """Every call the seat in turn may make; the hand never restricts a bid."""
        if self.choosing:
            return [f"bid:{c.name}" for c in self.rules.contracts.values() if self._may_choose(c)]
        bids = [f"bid:{c.name}" for c in self.rules.contracts.values() if self._may_bid(c)]
        if not self.opening:
            return ["pass", *bids]
        return ["wait", *bids, *(["pass"] if self.rules["forehand_may_pass"] else [])]

    def _may_choose(self, contract: Contract) -> bool:
        """Passed-out wait: one of the three reserved contracts, or any of all 14 (``wait_choices``)."""
        return contract.rank == 0 or self.rules["wait_choices"] == "any"

    def _may_bid(self, contract: Contract) -> bool:
        """Higher than the standing bid, or the same contract by right of priority; reserved ones never."""
        if contract.rank == 0:
            return False
        return contract.rank > self.rank or (contract.rank == self.rank and self._has_priority())

    def _has_priority(self) -> bool:
        """Seats nearer to forehand than the holder; ``strict``: nobody, ``forehand_hold``: r0 only."""
        if self.rules["auction_priority"] == "strict" or self.turn is None or self.holder is None:
            return False
        if self.rules["auction_priority"] == "forehand_hold" and self.turn != 0:
            return False
        return self.turn < self.holder

    def apply(self, call: str) -> None:
        """Take one legal call of the seat in turn."""
        assert self.turn is not None
        if self.choosing:
            self._finish(self.rules.contracts[call.removeprefix("bid:")])
            return
        self.opening = False
        if call == "pass":
            self.active[self.turn] = False
        else:
            self.rank = 0 if call == "wait" else self.rules.contracts[call.removeprefix("bid:")].rank
            self.holder = self.turn
        self._move_on()

    def _move_on(self) -> None:
        """The next active seat speaks; the end is when only the holder is left, or nobody."""
        remaining = [r for r in range(4) if self.active[r]]
        if not remaining:
            self._finish(None)
        elif remaining == [self.holder]:
            self._end_with_holder()
        else:
            assert self.turn is not None
            after = [(self.turn + step) % 4 for step in (1, 2, 3, 4)]
            self.turn = next(r for r in after if self.active[r])

    def _end_with_holder(self) -> None:
        """A bid becomes the contract; a mere wait lets forehand choose."""
        if self.rank == 0:
            self.turn, self.choosing = 0, True
            return
        self._finish(next(c for c in self.rules.contracts.values() if c.rank == self.rank))

    def _finish(self, contract: Contract | None) -> None:
        self.contract, self.turn = contract, None
