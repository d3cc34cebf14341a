"""Announcements and kontra after the exchange. Source: K3.5, K2.5, B5, D5; Appendix 5.2, 5.4, 5.6."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import ONE, ZERO, has
from tarock_env.codes import DECLARERS, GAME, NONE, Announcing, Identification, Predicate
from tarock_env.engine import one_sided
from tarock_env.engine.one_sided import LATE
from tarock_env.engine.seats import following, side_of
from tarock_env.jit import kernel


@kernel
def begin(g: Any, r: Any) -> None:
    """The declarer speaks first; where nobody is his secret partner all sides are public."""
    g.actor = g.declarer
    g.quiet = 0
    g.spoke = 0
    g.opening = 1
    if r.calls_king[g.contract] == 0:
        g.side_known[:] = 1


@kernel
def is_offered(g: Any, r: Any, b: Any) -> bool:
    """Whether the contract counts the bonus."""
    return (r.scores_bonus[g.contract] >> b) & ONE != ZERO


@kernel
def bonus_holder_card(g: Any, r: Any, b: Any) -> Any:
    """The card one must hold to announce the bonus where that is asked; -1 = none."""
    if r.predicate[b] == Predicate.CARD_WINS:
        return r.bonus_card[b]
    if r.predicate[b] == Predicate.KING_IN_LAST or r.predicate[b] == Predicate.KING_WINS:
        return 8 * g.called + 7
    return NONE


@kernel
def may_announce(g: Any, r: Any, seat: Any) -> bool:
    """Whether the seat may announce at all: opponents only once they are publicly known, where that is asked."""
    if r.announcing[g.contract] != Announcing.ALL:
        return False
    return r.identification == Identification.TRUE_SIDE or side_of(g, seat) == DECLARERS or g.side_known[seat] == 1


@kernel
def legal(g: Any, r: Any) -> None:
    """Announcements, contras, and the end of the turn unless a demanded announcement is still missing."""
    seat = np.int64(g.actor)
    side = side_of(g, seat)
    if r.one_sided != 0:
        g.legal_calls = _one_sided_calls(g, r, seat)
        return
    demanded = _open_demand(g, r)
    calls = ZERO if demanded != ZERO else r.end_calls
    if may_announce(g, r, seat):
        calls |= _announcements(g, r, seat, side)
    if demanded != ZERO and calls & demanded == ZERO:
        calls |= demanded  # a bird contract without a bird in hand: any one of them
    if r.max_contra > 0:
        calls |= _contras(g, r, side)
    g.legal_calls = calls


@kernel
def _one_sided_calls(g: Any, r: Any, seat: Any) -> Any:
    """Declarations by anybody, announcements in the declarer's opening turn, contras on his items."""
    calls = r.end_calls | one_sided.declarations(g, r, seat)
    if seat == g.declarer and g.opening == 1:
        calls |= one_sided.announcements(g, r, seat, np.int64(LATE))
    return calls | one_sided.contras(g, r, seat, np.int64(g.declarer), np.int64(LATE))


@kernel
def _open_demand(g: Any, r: Any) -> Any:
    """The announcements of which the declarer still owes one in his opening turn."""
    return r.demand_calls[g.contract] if g.opening == 1 and g.contracted == NONE else ZERO


@kernel
def _announcements(g: Any, r: Any, seat: Any, side: Any) -> Any:
    calls = ZERO
    for b in range(1, r.n_bonuses + 1):
        if (
            r.announceable[b] == 0
            or g.announced[side, b] != 0
            or not is_offered(g, r, b)
            or not one_sided.can_own(r, b, side)
        ):
            continue
        if r.needs_card[b] != 0:
            card = bonus_holder_card(g, r, b)
            if card != NONE and not has(g.hands[seat], card):
                continue
        calls |= r.announce_calls[b]
    return calls


@kernel
def may_raise(level: Any, owner: Any, side: Any) -> bool:
    """Kontra, subkontra, mordkontra against the owner of an item; rekontra, hirschkontra by the owner."""
    return (side != owner) == (level % 2 == 0)


@kernel
def _contras(g: Any, r: Any, side: Any) -> Any:
    calls = ZERO
    if g.contra[DECLARERS, GAME] < r.max_contra and may_raise(
        np.int64(g.contra[DECLARERS, GAME]), np.int64(DECLARERS), side
    ):
        calls |= r.contra_calls[DECLARERS, GAME]
    for owner in range(2):
        for b in range(1, r.n_bonuses + 1):
            level = np.int64(g.contra[owner, b])
            if g.announced[owner, b] != 0 and level < r.max_contra and may_raise(level, owner, side):
                calls |= r.contra_calls[owner, b]
    return calls


@kernel
def announce(g: Any, r: Any, b: Any) -> None:
    """Announce a bonus for one's side."""
    side = side_of(g, np.int64(g.actor))
    if r.one_sided != 0 and one_sided.is_declaration(r, b):
        g.declared[g.actor] |= 1 << b
        _speak(g)
        return
    g.announced[side, b] = 1
    g.announcer[side, b] = g.actor
    if g.opening == 1 and g.contracted == NONE and r.demand_calls[g.contract] & r.announce_calls[b] != ZERO:
        g.contracted = b
    _speak(g)


@kernel
def double(g: Any, r: Any, owner: Any, item: Any) -> None:
    """Raise the kontra level of an item by one step."""
    if r.one_sided != 0:
        one_sided.double(g, item, np.int64(LATE))
    else:
        g.contra[owner, item] += 1
    _speak(g)


@kernel
def _speak(g: Any) -> None:
    """Every statement belongs to one side, so it makes its speaker known; the partner's makes everybody known."""
    g.spoke += 1
    if g.actor != g.declarer:
        g.side_known[g.actor] = 1
        if g.actor == g.partner:
            g.side_known[:] = 1


@kernel
def end_turn(g: Any, r: Any) -> bool:
    """Close the turn. Whether the phase is over: everybody spoke, and all others were silent since the last statement."""
    if g.spoke > 0:
        g.quiet = 0
    elif g.opening == 0:
        g.quiet += 1
    g.opening = 0
    g.spoke = 0
    g.actor = following(g, r, np.int64(g.actor))
    if r.sweeps > 0:
        return g.actor == g.declarer
    return g.quiet == r.n - 1
