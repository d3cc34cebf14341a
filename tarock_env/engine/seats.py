"""Who sits where: turn order, sides, and small questions about seats that every phase asks."""

from __future__ import annotations

from typing import Any

from tarock_env.codes import DECLARERS, DEFENCE
from tarock_env.jit import kernel


@kernel
def following(g: Any, r: Any, seat: Any) -> Any:
    """The next seat in turn order; a dealer who sits out is skipped. Source: C1."""
    after = (seat + 1) % r.P
    return (after + 1) % r.P if r.n < r.P and after == g.dealer else after


@kernel
def forehand(g: Any, r: Any) -> Any:
    """The seat at the dealer's right."""
    return (g.dealer + 1) % r.P


@kernel
def seat_at(g: Any, r: Any, place: Any) -> Any:
    """The seat with relative place 0 (forehand) … n - 1."""
    return (g.dealer + 1 + place) % r.P


@kernel
def place_of(g: Any, r: Any, seat: Any) -> Any:
    """Relative place of a seat: 0 = forehand; `n` for a dealer who sits out."""
    return (seat - g.dealer - 1 + r.P) % r.P


@kernel
def side_of(g: Any, seat: Any) -> Any:
    """The true side of a seat: 0 with the declarer, 1 against him. Every seat knows its own."""
    return DECLARERS if seat == g.declarer or seat == g.partner else DEFENCE


@kernel
def make_all_known(g: Any) -> None:
    """Everybody's side is public from now on."""
    g.side_known[:] = 1
