"""Do the evaluation's intervals hold what they promise? ``python -m tests.interval_coverage``.

The random agent plays duplicate matches against itself, one after the other with different seeds; a 95 % interval should
cover 0, the true difference, in about 95 of 100. Beside the share of all stand the worst and the best of the hundreds of
seeds 0–99, 100–199 …; by chance alone one of 87 has fewer than 90 and one of 170 has 100.

Exit code: 0 if all shares lie between 90 % and 99 %, 1 if not.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

import numpy as np

import tarock_env
from agents.base import make
from experiments.duplicate import play
from tarock_env import Engine


def intervals(engine: Engine, repeats: int, deals: int, design: str = "1v3", spec: str = "random") -> np.ndarray:
    """The 95 % intervals of so many matches of an agent against itself, seeds 0, 1 …: float64 (repeats, 2)."""
    agent, other = make(spec, engine), make(spec, engine)
    return np.array([play(engine, agent, other, deals, seed, design).ci95 for seed in range(repeats)])


def covered(found: np.ndarray, width: float = 1.0) -> int:
    """How many intervals, made wider by a factor, cover 0."""
    middle, half = found.mean(axis=1), width * (found[:, 1] - found[:, 0]) / 2
    return int((np.abs(middle) <= half).sum())


def hundreds(found: np.ndarray) -> list[int]:
    """How many intervals of each whole hundred in turn cover 0."""
    return [covered(found[i : i + 100]) for i in range(0, len(found) - 99, 100)]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.interval_coverage",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--ruleset", action="append", choices=tarock_env.available(), help="default: all")
    parser.add_argument("--repeats", type=int, default=1000, help="default %(default)s")
    parser.add_argument("--deals", type=int, default=100, help="of each match, default %(default)s")
    parser.add_argument("--design", default="1v3", help="default %(default)s")
    chosen = parser.parse_args(arguments)
    outside = 0
    for ruleset in chosen.ruleset or tarock_env.available():
        started = time.process_time()
        found = intervals(tarock_env.make(ruleset), chosen.repeats, chosen.deals, chosen.design)
        share, parts = covered(found) / chosen.repeats, hundreds(found)
        each = f"{min(parts)} to {max(parts)} of a hundred, " if parts else ""
        outside += not 0.9 <= share <= 0.99
        seconds = time.process_time() - started
        print(
            f"{ruleset:<20}{share:7.1%} of {chosen.repeats} intervals of {chosen.deals} deals cover 0, {each}{seconds:.0f} s"
        )
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
