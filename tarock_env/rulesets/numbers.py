"""What counts as a whole number where one is asked for."""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether a value is a whole number of Python or NumPy; truth values and lengths of time are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.timedelta64))


def is_whole_in(value: Any, low: int, high: int) -> TypeGuard[int]:
    """Whether a value is a whole number in low … high."""
    return is_whole(value) and low <= int(value) <= high
