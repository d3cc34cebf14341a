"""The duplicate match: two agents on the same deals, every seat in turn, so that the luck of the cards cancels.

On each deal, dealer and cards fixed, the challenger sits in each seat in turn against the opponent in all others; from its
score there the opponent's own score in that seat, when it plays everywhere, is taken away. A deal's result is the mean over
the seats, in zero-sum points a hand; deals are independent, so the interval is a t-interval over them.

Deals come from the stream of evaluation keys, which no training run can reach. Each arrangement of a deal has a key of its
own for what is random in the agents; identical agents that are not random differ by exactly 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from agents.base import Agent
from agents.match import Match
from tarock_env import Engine
from tarock_env.engine.chance import AGENT, EVALUATION, make_keys
from tarock_env.engine.shares import took_part, zero_sum

DESIGNS = ("1v3", "3v1", "2v2")
CHUNK = 512  #: deals played at once
CHALLENGER, OPPONENT = 0, 1
ROLES = ("declarer", "partner", "defender", "everyone for themselves")


@dataclass
class Cell:
    """Sums of one line of a table: hands, points of the challenger's seats in them, and how many were won."""

    hands: int = 0
    points: float = 0.0
    won: int = 0

    def add(self, points: np.ndarray) -> None:
        """Results of some seats."""
        self.include(Cell(len(points), float(points.sum()), int((points > 0).sum())))

    def include(self, other: Cell) -> None:
        """Results that were summed before."""
        self.hands += other.hands
        self.points += other.points
        self.won += other.won

    def as_dict(self) -> dict[str, float]:
        """hands, mean points and share of hands with a plus."""
        hands = max(self.hands, 1)
        return {"hands": self.hands, "mean": self.points / hands, "won": self.won / hands}


Table = dict[str, dict[str, Cell]]  #: contract -> role -> results of the challenger's seats


@dataclass
class Chunk:
    """The results of some deals that follow one another."""

    first: int  #: number of the first deal
    differences: np.ndarray  #: float64 (n,), as in `Result`
    raw: np.ndarray  #: float64 (n,)
    contracts: Table = field(default_factory=dict)


@dataclass
class Result:
    """What a duplicate match gave; points a hand."""

    design: str
    differences: np.ndarray  #: float64 (deals,), challenger minus opponent, zero-sum
    raw: np.ndarray  #: float64 (deals,), the challenger's score as the ruleset counts it
    arrangements: int  #: hands a deal, the one with the opponent everywhere included
    contracts: Table = field(default_factory=dict)

    @property
    def deals(self) -> int:
        """Number of deals."""
        return len(self.differences)

    @property
    def hands(self) -> int:
        """Hands played."""
        return self.deals * self.arrangements

    @property
    def mean(self) -> float:
        """Mean difference."""
        return float(self.differences.mean())

    @property
    def sd(self) -> float:
        """Standard deviation over deals."""
        return float(self.differences.std(ddof=1))

    @property
    def ci95(self) -> tuple[float, float]:
        """95 % t-interval of the mean."""
        half = t_quantile(self.deals - 1) * self.sd / math.sqrt(self.deals)
        return self.mean - half, self.mean + half

    def as_dict(self) -> dict[str, object]:
        """For JSON, as `tarock evaluate --json` prints it; the README names the keys."""
        table = {name: {role: cell.as_dict() for role, cell in roles.items()} for name, roles in self.contracts.items()}
        return {
            "mean": self.mean, "ci95": list(self.ci95), "deals": self.deals, "hands": self.hands, "sd": self.sd,
            "design": self.design, "raw": float(self.raw.mean()), "contracts": table,
        }  # fmt: skip


def t_quantile(degrees: int) -> float:
    """The 97.5 % quantile of Student's t.

    Cornish-Fisher expansion about the normal quantile, within 0.001 for 5 degrees or more; exact values below that.
    Source: Abramowitz & Stegun 26.7.5.
    """
    few = (12.7062, 4.3027, 3.1824, 2.7764)
    if degrees <= len(few):
        return few[degrees - 1]
    z, n = 1.959963984540054, float(degrees)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / n ** (i + 1) for i, term in enumerate(terms))


def seatings(design: str, players: int) -> np.ndarray:
    """The arrangements of a deal, (M, players) of `CHALLENGER` and `OPPONENT` by playing seat; the first has no challenger.

    Raises:
        ValueError: unknown design, or one that the number of players does not allow.
    """
    allowed = DESIGNS if players == 4 else DESIGNS[:1]
    if design not in allowed:
        raise ValueError(f"design is {design!r}; allowed with {players} players: {', '.join(allowed)}")
    size = {"1v3": 1, "3v1": 3, "2v2": 2}[design]
    table = [[OPPONENT] * players]
    for challengers in combinations(range(players), size):
        table.append([CHALLENGER if seat in challengers else OPPONENT for seat in range(players)])
    return np.array(table, np.int64)


def play(
    engine: Engine,
    challenger: Agent,
    opponent: Agent,
    deals: int,
    seed: int,
    design: str = "1v3",
    progress: Callable[[int], None] | None = None,
    kept: Sequence[Chunk] = (),
    keep: Callable[[Chunk], None] | None = None,
) -> Result:
    """A duplicate match.

    Args:
        deals: number of deals, at least 2. seed: chooses them.
        design: ``1v3``: the challenger in one seat; ``3v1``: in all but one; ``2v2``: in every pair of seats. The names are
            those of four players; with three, only ``1v3`` exists, one against the two others.
        progress: called with the number of deals played so far.
        kept: the first chunks of a match with the same arguments, which are not played again. keep: called with each new
            one. The result is the same in every bit.

    Raises:
        ValueError: too few deals, or a design that this ruleset does not allow.
    """
    if deals < 2:
        raise ValueError(f"deals is {deals}; allowed: at least 2, an interval needs them")
    plan = seatings(design, engine.ruleset.players)
    chunks = list(kept)
    for first in range(len(chunks) * CHUNK, deals, CHUNK):
        keys = make_keys(min(CHUNK, deals - first), seed, EVALUATION, first)
        draws = make_keys(len(keys) * len(plan), seed, AGENT, first * len(plan))
        state, seated = _play_deals(engine, [challenger, opponent], keys, draws, plan)
        chunks.append(_results(engine, first, state, seated, len(plan)))
        if keep is not None:
            keep(chunks[-1])
        if progress is not None:
            progress(first + len(keys))
    return _joined(design, chunks, len(plan))


def _results(engine: Engine, first: int, state: np.ndarray, seated: np.ndarray, arrangements: int) -> Chunk:
    """What a chunk's finished states say; arguments as `_play_deals` returns them."""
    scores = zero_sum(engine, state).reshape(-1, arrangements, engine.P)
    mine = (seated == CHALLENGER).reshape(scores.shape)
    raw = (state["scores"][:, : engine.P].reshape(scores.shape) * mine).sum((1, 2)) / mine.sum((1, 2))
    chunk = Chunk(first, _difference(scores, mine), raw)
    _tabulate(engine, state, scores.reshape(-1, engine.P), mine.reshape(-1, engine.P), chunk.contracts)
    return chunk


def _joined(design: str, chunks: Sequence[Chunk], arrangements: int) -> Result:
    """The result of all chunks; sums are taken chunk by chunk, so that it does not matter when they were played."""
    differences, raw = (np.concatenate([getattr(chunk, name) for chunk in chunks]) for name in ("differences", "raw"))
    result = Result(design, differences, raw, arrangements)
    for chunk in chunks:
        for name, roles in chunk.contracts.items():
            for role, cell in roles.items():
                result.contracts.setdefault(name, {}).setdefault(role, Cell()).include(cell)
    return result


def _play_deals(
    engine: Engine, agents: list[Agent], keys: np.ndarray, draws: np.ndarray, plan: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """All arrangements of some deals in one batch: finished states (n * M,), and who sat where, (n * M, P).

    keys uint64 (n,), of the deals; draws uint64 (n * M,), of the agents in each arrangement; plan (M, players).
    """
    n, m = len(keys), len(plan)
    state = engine.take(engine.reset(keys=keys), np.repeat(np.arange(n), m))
    seated = np.full((n * m, engine.P), OPPONENT, np.int64)
    arrangement = np.tile(plan, (n, 1))
    dealer = state["dealer"].astype(np.int64)
    first = 0 if engine.ruleset.players == engine.P else 1
    for place in range(engine.ruleset.players):  # place 0 is the dealer, or, where he sits out, the seat after him
        seated[np.arange(n * m), (dealer + first + place) % engine.P] = arrangement[:, place]
    Match(engine, agents, seated).play(state, keys=draws)
    return state, seated


def _difference(scores: np.ndarray, mine: np.ndarray) -> np.ndarray:
    """Per deal: the mean over the challenger's seats of its score minus the opponent's in the same seat, (n,).

    scores, mine: (n, M, P); arrangement 0 is the opponent everywhere.
    """
    gains = np.where(mine, scores - scores[:, :1], 0.0)
    return np.asarray(gains.sum((1, 2)) / mine.sum((1, 2)))


def _tabulate(engine: Engine, state: np.ndarray, scores: np.ndarray, mine: np.ndarray, table: Table) -> None:
    """Add the challenger's results by contract and role."""
    names = contracts_of(engine)
    for role, seats in zip(ROLES, _roles(engine, state), strict=True):
        rows, columns = np.nonzero(seats & mine)
        contracts = state["contract"][rows]
        for index in np.unique(contracts):
            cell = table.setdefault(names[index], {}).setdefault(role, Cell())
            chosen = contracts == index
            cell.add(scores[rows[chosen], columns[chosen]])


def contracts_of(engine: Engine) -> tuple[str, ...]:
    """The names of the table's lines; the last one, index -1, is of hands without a contract."""
    return (*(contract.id for contract in engine.ruleset.contracts), "none")


def _roles(engine: Engine, state: np.ndarray) -> Iterator[np.ndarray]:
    """Which seats had each of `ROLES`, bool (B, P); without a declarer everybody is on their own."""
    seats = np.arange(engine.P)
    declarer = state["declarer"].astype(np.int64)[:, None]
    partner = state["partner"].astype(np.int64)[:, None]
    played = took_part(engine, state)
    alone = (declarer < 0) & played
    yield (seats == declarer) & played
    yield (seats == partner) & (seats != declarer) & played
    yield played & (declarer >= 0) & (seats != declarer) & (seats != partner)
    yield alone
