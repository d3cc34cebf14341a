"""The ratios that are aimed at, and which of a report miss theirs. Ratios, never seconds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Target:
    """A bound of a ratio."""

    least: float = 0.0
    most: float = float("inf")

    def __str__(self) -> str:
        return f"≥ {self.least:g}" if self.least else f"≤ {self.most:g}"

    def is_met(self, ratio: float) -> bool:
        """Whether the ratio lies within the bound."""
        return self.least <= ratio <= self.most


#: name of a ratio -> what it is to reach
TARGETS: Mapping[str, Target] = {
    "two threads v one, playout": Target(least=1.8),
    "play alone: time v a loop in C": Target(most=3.0),
    "growth, playout: slowest v fastest B": Target(most=2.0),
    "growth, stepping: slowest v fastest B": Target(most=2.0),
    "session of 20 hands: time v 20 hands": Target(most=1.1),
    "OpenSpiel tarok, random rollouts in C++ v playout": Target(least=5.0),
    "PettingZoo Leduc hold'em, raw_env()": Target(least=6.0),
    "PettingZoo Texas hold'em, raw_env()": Target(least=6.0),
    "PettingZoo Hanabi, raw_env()": Target(least=6.0),
    "SB3 MaskablePPO, our epochs and minibatches": Target(least=30.0),
}


def judged(ratios: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """(verdict, line) of every ratio with a target; the verdict is ``met``, ``missed`` or ``skipped``."""
    known = {ratio["name"]: ratio for ratio in ratios}
    for name, target in TARGETS.items():
        ratio = known.get(name, {"missing": "not measured"})
        if "missing" in ratio:
            yield "skipped", f"{name}: {ratio['missing']}"
        else:
            verdict = "met" if target.is_met(ratio["ratio"]) else "missed"
            yield verdict, f"{name}: {ratio['ratio']:.2f}, target {target}"
