"""The list of scored items of a hand, and the arithmetic they share."""

from __future__ import annotations

from typing import Any

from tarock_env.jit import kernel, leaf

EVEN = 35  #: card points from which differences are counted
SEAT_ITEM = 2  #: `item_side` of an item that belongs to seat s is SEAT_ITEM + s


@kernel
def add_item(g: Any, kind: Any, side: Any, announced: Any, contra: Any, value: Any) -> None:
    """Append one row to the list of scored items."""
    i = g.n_items
    g.item_kind[i] = kind
    g.item_side[i] = side
    g.item_announced[i] = announced
    g.item_contra[i] = contra
    g.item_value[i] = value
    g.n_items = i + 1


@leaf("int64(int64, int64)")
def rounded(value: Any, unit: Any) -> Any:
    """A value of at least 0 to the nearest multiple of a unit, halves up."""
    return (2 * value + unit) // (2 * unit) * unit


@leaf("int64(int64, int64)")
def power(base: Any, exponent: Any) -> Any:
    """A whole-number power."""
    result = 1
    for _ in range(exponent):
        result *= base
    return result
