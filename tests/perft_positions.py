"""Choosing the positions of `tests.perft`: deals of a fixed seed, and balanced hands cut where the counting begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import tarock_env
from tarock_env import Engine
from tarock_env.cards import CODES, HONOURS, codes_in
from tarock_env.codes import Compulsory, Phase
from tarock_env.engine.chance import CHANCE, make_keys
from tarock_env.engine.state import assign
from tests.perft import NO_LIMIT, PARTS, engine_of

SEED = 2026
HANDS = 20_000  #: balanced hands looked through
AUCTION_NODES, ANNOUNCE_NODES = 600_000, 60_000  #: how many nodes a position may have
AUCTIONS, DEEPEST = 3, 40
LAST = 3  #: tricks that are left
EACH = 2  #: last tricks for each contract
#: where hands of a contract do not come so far
PLAYED_OUT = {"early_stop": False}

Position = dict[str, Any]


@dataclass
class Sample:
    """B balanced hands: where they began, where they ended, and all actions."""

    engine: Engine
    start: np.ndarray
    end: np.ndarray
    log: np.ndarray

    @classmethod
    def play(cls, engine: Engine) -> Sample:
        """Play the hands of the fixed seed; those that follow a hand thrown in are left out."""
        start = engine.reset(keys=make_keys(HANDS, SEED, CHANCE))
        start = engine.take(start, np.flatnonzero(start["compulsory"] == Compulsory.NO))
        end, log = engine.copy(start), engine.new_log(len(start))
        engine.playout(end, "balanced", log=log)
        return cls(engine, start, end, log)

    def after(self, counts: np.ndarray) -> np.ndarray:
        """The hands after so many actions each, int (B,)."""
        now = self.engine.copy(self.start)
        for t in range(int(counts.max())):
            rows = np.flatnonzero(counts > t)
            part = self.engine.take(now, rows)
            self.engine.step(part, self.log[rows, t])
            assign(now, rows, part)
        return now

    def decisions_before(self, begins: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """After how many actions each hand is for the first time where `begins` says so, int (B,); -1 = never."""
        now, at = self.engine.copy(self.start), np.full(len(self.start), -1)
        for t in range(int(self.end["n_actions"].max())):
            at[(at < 0) & begins(now)] = t
            self.engine.step(now, self.log[:, t])
        return at

    def position(self, row: int, decisions: int, part: str, name: str, nodes: int = NO_LIMIT) -> Position:
        """One hand after some actions, as a file describes it, with the ``depth`` that so many nodes allow."""
        engine, g, actions = self.engine, self.start[row], self.log[row, :decisions].tolist()
        one = engine.take(self.start, [row])
        for action in actions:
            engine.step(one, action)
        return {
            "name": name,
            "count": part,
            "options": engine.options,
            "dealer": int(g["dealer"]),
            "hands": [codes_in(int(hand)) for hand in g["hands"][: engine.P]],
            "talon": [CODES[card] for card in g["talon"]],
            "actions": [engine.actions.names[action] for action in actions],
            "depth": depth_within(engine, one, part, nodes),
        }


def depth_within(engine: Engine, reached: np.ndarray, part: str, nodes: int) -> int:
    """The depth that needs at most so many nodes, or at which everything is over."""
    total = 0
    for depth in range(DEEPEST):
        rows, actions = np.nonzero(engine.legal(reached))
        total += len(rows)
        if total > nodes or not len(rows):
            return depth
        reached = engine.take(reached, rows)
        engine.step(reached, actions)
        reached = engine.take(reached, np.flatnonzero(np.isin(reached["phase"], PARTS[part])))
    return DEEPEST


def choose_positions(ruleset: str) -> list[Position]:
    """Positions of all three kinds: auctions, a round of announcements and the last three tricks of every contract."""
    engine = tarock_env.make(ruleset)
    sample = Sample.play(engine)
    positions = [*auctions(sample), *announcements(sample)]
    wanted = {contract.id for contract in engine.ruleset.contracts if contract.doors}
    for options in ({}, PLAYED_OUT):
        if options and not wanted:
            break
        found = list(last_tricks(Sample.play(engine_of(ruleset, options)), wanted))
        wanted -= {position["name"].split(", ")[1][:-2] for position in found}
        positions += found
    return positions


def auctions(sample: Sample) -> list[Position]:
    """The first deals' auctions, as many as the cards make a difference to."""
    found = [sample.position(i, 0, "auction", f"auction {i + 1}", AUCTION_NODES) for i in range(AUCTIONS)]
    openings = [sample.start["legal_calls"][i] for i in range(AUCTIONS)]
    return found if len({(p["depth"], int(o)) for p, o in zip(found, openings, strict=True)}) > 1 else found[:1]


def announcements(sample: Sample) -> Iterator[Position]:
    """A round of announcements in each contract that has one."""
    at = sample.decisions_before(lambda now: now["phase"] == Phase.ANNOUNCE)
    for contract, _, row in _rows_by_contract(sample, np.where(at >= 0, 0, -1), 1):
        yield sample.position(row, int(at[row]), "announcements", f"announcements, {contract}", ANNOUNCE_NODES)


def last_tricks(sample: Sample, wanted: set[str]) -> Iterator[Position]:
    """Three tricks left in each wanted contract: the first hand that comes so far, one with the honours in three hands."""
    played = 48 // sample.engine.ruleset.players - LAST
    at = sample.decisions_before(lambda now: (now["phase"] == Phase.PLAY) & (now["trick_no"] == played))
    honours = sample.after(at)["hands"] & HONOURS
    apart = ((honours != 0).sum(axis=1) == 3).astype(int)
    for contract, number, row in _rows_by_contract(sample, np.where(at >= 0, apart, -1), EACH):
        if contract in wanted:
            yield sample.position(row, int(at[row]), "play", f"last three tricks, {contract} {number}")


def _rows_by_contract(sample: Sample, score: np.ndarray, each: int) -> Iterator[tuple[str, int, int]]:
    """(contract, number, row): for each contract the first row with a score of 0 or more, then the best other ones."""
    for k, contract in enumerate(sample.engine.ruleset.contracts):
        rows = np.flatnonzero((sample.end["contract"] == k) & (score >= 0))
        rest = rows[1:][np.argsort(-score[rows[1:]], kind="stable")]
        for number, row in enumerate([*rows[:1], *rest[: each - 1]], start=1):
            yield contract.id, number, int(row)
