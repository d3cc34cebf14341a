"""Regressions behind the heuristic's bidding: ``python -m experiments.fit_heuristic [HANDS]``.

Hands with balanced auctions are played out by the heuristic in all seats; for each kind of contract won by points, the
outcome is fitted to what the declarer held when he bid. The rows printed are those of `agents.heuristic.fitted.GAME`.
"""

from __future__ import annotations

import sys

import numpy as np

import tarock_env
from experiments.seating import Table
from tarock_env import Engine
from tarock_env.cards import KINGS, QUEENS, SUITS, T1, T21, T22, TRUMPS
from tarock_env.codes import Objective
from tarock_env.engine.chance import make_keys

#: keys of these hands: a stream that nothing else draws from
STREAM = 77
CHUNK = 4096


def features(hands: np.ndarray) -> np.ndarray:
    """What is counted in hands (B,) uint64: float64 (B, 11), in the order of `fitted.GAME`."""

    def count(cards: np.ndarray | np.uint64) -> np.ndarray:
        counts: np.ndarray = np.bitwise_count(hands & cards).astype(float)
        return counts

    suits = [count(SUITS[suit]) for suit in range(4)]
    kings = [count(SUITS[suit] & KINGS) for suit in range(4)]
    high, middle = np.uint64(0b11111 << (T1 + 15)), np.uint64(0b11111 << (T1 + 10))
    honours = [count(np.uint64(1 << card)) for card in (T22, T21, T1)]
    voids = sum((held == 0).astype(float) for held in suits)
    singles = sum(((held == 1) & (king == 0)).astype(float) for held, king in zip(suits, kings, strict=True))
    columns = [np.ones(len(hands)), count(TRUMPS), count(high), count(middle), *honours, count(KINGS), count(QUEENS)]
    return np.stack([*columns, voids, singles], axis=1)


def logistic(x: np.ndarray, y: np.ndarray, ridge: float = 3.0) -> np.ndarray:
    """Weights of a logistic regression by Newton's method: x (B, F), y (B,) of 0 and 1."""
    w = np.zeros(x.shape[1])
    for _ in range(25):
        p = 1.0 / (1.0 + np.exp(-x @ w))
        hessian = (x * (p * (1.0 - p))[:, None]).T @ x + ridge * np.eye(len(w))
        w += np.linalg.solve(hessian, x.T @ (y - p) - ridge * w)
    return w


def outcomes(engine: Engine, hands: int) -> tuple[np.ndarray, np.ndarray]:
    """(dealt hands (B, 5), finished states (B,)) of balanced auctions played out by the heuristic."""
    table = Table(engine, ["heuristic"], balanced=True)
    dealt, finished = [], []
    for first in range(0, hands, CHUNK):
        state = engine.reset(keys=make_keys(min(CHUNK, hands - first), 5, STREAM, first))
        dealt.append(state["hands"].copy())
        table.play(state, engine.new_log(len(state)))
        finished.append(state)
    return np.concatenate(dealt), np.concatenate(finished)


def fit(hands: int) -> dict[tuple[int, str, int], tuple[int, float, np.ndarray]]:
    """(players, kind, cards taken) -> (hands, share won, weights) over all rulesets."""
    data: dict[tuple[int, str, int], list[tuple[np.ndarray, np.ndarray]]] = {}
    for name in tarock_env.available():
        engine = tarock_env.make(name)
        dealt, state = outcomes(engine, hands)
        for k, row in enumerate(engine.ruleset.contracts):
            rows = np.flatnonzero(state["contract"] == k)
            if row.objective != Objective.POINTS or len(rows) == 0:
                continue
            kind = "colour" if row.colour else "calls" if row.calls_king else "alone"
            held = dealt[rows, state["declarer"][rows]]
            won = (state["item_value"][rows, 0] > 0).astype(float)
            data.setdefault((engine.ruleset.players, kind, row.takes), []).append((features(held), won))
    result = {}
    for key, parts in sorted(data.items()):
        x, y = np.concatenate([x for x, _ in parts]), np.concatenate([y for _, y in parts])
        result[key] = len(y), float(y.mean()), logistic(x, y)
    return result


def main() -> None:
    """Print one line for each kind of contract."""
    for (players, kind, takes), (n, won, weights) in fit(int(sys.argv[1]) if len(sys.argv) > 1 else 120_000).items():
        row = ", ".join(f"{weight:.2f}" for weight in weights)
        print(f"{players} players, {kind}, takes {takes}: {n} hands, won {won:.3f}: [{row}]")


if __name__ == "__main__":
    main()
