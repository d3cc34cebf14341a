"""Rings (wheels): doubled hands, and who gets and loses rings. Source: B8, D8; S0-36, S0-37, part K 13."""

from __future__ import annotations

from typing import Any

from tarock_env.codes import NONE, SlamMode
from tarock_env.engine.seats import seat_at
from tarock_env.jit import kernel


@kernel
def awarded(g: Any, r: Any) -> Any:
    """How many rings everybody gets for this hand: for a starred contract or a slam, once or for each."""
    if r.rings == 0 or g.contract == NONE:
        return 0
    starred = r.starred[g.contract]
    slam = 1 if g.slam_scored == 1 and r.slam_mode == SlamMode.ALONE else 0
    return starred + slam if r.ring_per_event != 0 else max(starred, slam)


@kernel
def factor(g: Any, r: Any) -> Any:
    """2 if the declarer holds a ring, else 1."""
    if r.rings == 0:
        return 1
    held = g.rings[g.declarer] + (awarded(g, r) if r.ring_before != 0 else 0)
    return 2 if held > 0 else 1


@kernel
def book(g: Any, r: Any) -> None:
    """After the scores: a doubled win costs the declarer one ring, then everybody gets what the hand brings."""
    if r.rings == 0 or g.contract == NONE:
        return
    if g.declarer != NONE and g.made == 1 and factor(g, r) == 2:
        g.rings[g.declarer] -= 1
    for place in range(r.n):
        g.rings[seat_at(g, r, place)] += awarded(g, r)
