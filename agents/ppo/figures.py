"""The figures of a run, as its log and training state hold them: numbers of bounded size, or no numbers.

What is infinite, beyond `LARGEST` or not a number becomes NaN as soon as it is logged, and stands as null in the JSON of a
training state: so a run whose figures run away can be saved, resumed and logged like any other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

LARGEST = 1e30
MOST = 10**15  #: of what is counted

#: columns of the log that every run has
FIRST = ("iteration", "decisions", "hands", "seconds", "decisions_per_second", "lr", "agreement", "cross_entropy",
         "policy_loss", "value_loss", "explained_variance", "kl", "clip_fraction", "entropy")  # fmt: skip


def figures(values: np.ndarray) -> np.ndarray:
    """Numbers as they are logged, float64."""
    numbers = np.asarray(values, np.float64)
    return np.where(np.abs(numbers) <= LARGEST, numbers, np.nan)


def to_json(values: Iterable[float]) -> list[float | None]:
    """Figures, ready for JSON."""
    return [None if math.isnan(value) else float(value) for value in values]


def from_json(values: Iterable[float | None]) -> list[float]:
    """What `to_json` was made from."""
    return [math.nan if value is None else float(value) for value in values]


def is_number(value: object) -> bool:
    """Whether a value out of JSON is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_figure(value: object) -> bool:
    """Whether a value out of JSON is what `to_json` may have written."""
    return value is None or (is_number(value) and -LARGEST <= value <= LARGEST)  # type: ignore[operator]


def is_count(value: object) -> bool:
    """Whether a value out of JSON is a number of things."""
    return is_number(value) and 0 <= value <= MOST  # type: ignore[operator]


def shown(value: float) -> str:
    """A figure as a cell of the log."""
    return str(int(value)) if abs(value) <= MOST and value == int(value) else f"{value:.6g}"
