"""Who sits where: turn order, sides, and small questions about seats that every phase asks."""

from __future__ import annotations

from typing import Any

from tarock_env.codes import DECLARERS, DEFENCE
from tarock_env.jit import kernel


@kernel
def wrapped(seat: Any, r: Any) -> Any:
    """A seat counted on past the last one, from 0 again; a division costs more than the rest of a turn."""
    return seat - r.P if seat >= r.P else seat


@kernel
def following(g: Any, r: Any, seat: Any) -> Any:
    """The next seat in turn order; a dealer who sits out is skipped. Source: C1."""
    after = wrapped(seat + 1, r)
    return wrapped(after + 1, r) if r.n < r.P and after == g.dealer else after


@kernel
def forehand(g: Any, r: Any) -> Any:
    """The seat at the dealer's right."""
    return wrapped(g.dealer + 1, r)


@kernel
def seat_at(g: Any, r: Any, place: Any) -> Any:
    """The seat with relative place 0 (forehand) … n - 1."""
    return wrapped(g.dealer + 1 + place, r)


@kernel
def place_of(g: Any, r: Any, seat: Any) -> Any:
    """Relative place of a seat: 0 = forehand; `n` for a dealer who sits out."""
    return wrapped(seat - g.dealer - 1 + r.P, r)


@kernel
def side_of(g: Any, seat: Any) -> Any:
    """The true side of a seat: 0 with the declarer, 1 against him. Every seat knows its own."""
    return DECLARERS if seat == g.declarer or seat == g.partner else DEFENCE
