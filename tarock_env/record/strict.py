"""JSON from strangers: what readers could understand in two ways, or could not write again, is refused."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, NoReturn

DEEPEST = 50  #: lists and objects inside one another; a record needs four


class NestedError(ValueError):
    """Lists and objects that are too deep inside one another."""

    def __init__(self) -> None:
        super().__init__(f"nested too deep; allowed: lists and objects {DEEPEST} deep")


def loads(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        ValueError: it is no JSON, a name stands twice in an object, a number is none (NaN, Infinity) or larger than floats
            are, or it is nested more than `DEEPEST` deep (`NestedError`).
    """
    try:
        value = _DECODER.decode(text)
    except RecursionError:
        raise NestedError from None
    if is_nested(value):
        raise NestedError
    return value


def is_nested(value: object, deepest: int = DEEPEST) -> bool:
    """Whether lists and objects are more than `deepest` deep inside one another; never a `RecursionError`."""
    level = [value]
    for _ in range(deepest + 1):
        level = [
            member
            for one in level
            if isinstance(one, (list, tuple, Mapping))
            for member in (one.values() if isinstance(one, Mapping) else one)
        ]
        if not level:
            return False
    return True


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} stands twice in an object; allowed: each name once")
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:40]} is too large for a number")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number, parse_float=_finite)
