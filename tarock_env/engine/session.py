"""What spans hands: dealer, running totals, rings, compulsory hands, the end of a session and its settlement.

A session's fields lie in the same record as its hand. `close_hand` books a finished hand, `open_hand` starts the next one.
Source: C1, B1, B8, D1, D8, F8; part K 11, 13, 15; design of the sessions' ends in docs/architecture.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import T22, has
from tarock_env.codes import NONE, Compulsory, Mode, SessionEnd, Zero
from tarock_env.engine import rings
from tarock_env.engine.play import player_of
from tarock_env.engine.seats import seat_at
from tarock_env.jit import kernel

SINGLE = -1  #: `hands_left` of a hand that belongs to no session


@kernel
def set_mode(g: Any, r: Any) -> None:
    """The mode that the reason for a compulsory hand asks for."""
    if g.compulsory == Compulsory.SCORE:
        g.mode = r.zero_mode
    elif g.compulsory == Compulsory.NO_TRUMPS:
        g.mode = r.redeal_mode
    else:
        g.mode = Mode.NORMAL.value


@kernel
def close_hand(g: Any, r: Any) -> None:
    """Book a finished hand: totals, rings, what the next hand must be, and whether the session is over."""
    for seat in range(5):
        g.totals[seat] += g.scores[seat]
    rings.book(g, r)
    g.compulsory = _next_compulsory(g, r)
    if r.session_end == SessionEnd.MATCH and _is_won(g, r):
        _end_match(g, r)
    elif g.hands_left == SINGLE:
        g.session_over = True
    elif _was_last(g, r):
        g.session_over = True
        if r.session_end != SessionEnd.MATCH:
            _settle_rings(g, r)


@kernel
def _next_compulsory(g: Any, r: Any) -> Any:
    """Whether some total makes the next hand compulsory. Source: B1, D1, S0-9, S4-4."""
    if r.zero_rule == 0:
        return Compulsory.NO.value
    for place in range(r.n):
        seat = seat_at(g, r, place)
        total = np.int64(g.totals[seat])
        zero = total == 0 or (r.zero_step > 0 and total % r.zero_step == 0)
        if zero and (r.zero == Zero.STATE or (r.zero == Zero.REACHED and g.scores[seat] != 0)):
            return Compulsory.SCORE.value
    return Compulsory.NO.value


@kernel
def _was_last(g: Any, r: Any) -> bool:
    """Count the hand down; after the agreed hands a 'Scuse round may follow. Source: D8."""
    if g.hands_left > 0:
        g.hands_left -= 1
        return g.hands_left == 0 and r.session_end != SessionEnd.SCUSE_ROUND
    if g.scuse_holder != NONE:
        return g.dealer == g.scuse_holder
    g.scuse_holder = _dealt_t22(g, r)
    return g.scuse_holder == g.dealer and r.scuse_full_cycle == 0


@kernel
def _dealt_t22(g: Any, r: Any) -> Any:
    """The seat that was dealt T22; -1 if it lay in the talon."""
    for i in range(6):
        if g.talon[i] == T22:
            return NONE
    for seat in range(5):
        if has(g.hands[seat], T22):
            return seat
    return player_of(g, np.int64(T22))


@kernel
def _is_won(g: Any, r: Any) -> bool:
    for seat in range(5):
        if g.totals[seat] > r.goal or (g.totals[seat] == r.goal and r.goal_included != 0):
            return True
    return False


@kernel
def _end_match(g: Any, r: Any) -> None:
    """Everybody at the goal gets the bonus; then each pays each the difference. Source: F8."""
    g.session_over = True
    total = np.int64(0)
    for place in range(r.n):
        seat = seat_at(g, r, place)
        if g.totals[seat] >= r.goal:
            g.totals[seat] += r.goal_bonus
        total += np.int64(g.totals[seat])
    if g.hands_left != SINGLE:
        for place in range(r.n):
            seat = seat_at(g, r, place)
            g.settlement[seat] = r.n * np.int64(g.totals[seat]) - total


@kernel
def _settle_rings(g: Any, r: Any) -> None:
    """Each ring left costs its price, to everybody or to nobody. Source: B8, D8."""
    total = np.int64(0)
    for seat in range(5):
        total += np.int64(g.rings[seat])
    for seat in range(r.P):
        own = np.int64(g.rings[seat])
        price = np.int64(r.ring_price)
        g.settlement[seat] = price * (total - own) - price * (r.P - 1) * own if r.ring_price_paid != 0 else -price * own


@kernel
def open_hand(g: Any, r: Any) -> None:
    """Move the deal on and count the hand."""
    g.dealer = (g.dealer + 1) % r.P
    g.hand_no += 1


@kernel
def book_fine(g: Any, r: Any, seat: Any, value: Any) -> None:
    """Charge a fine to one seat, for arbiters of outside players; nobody receives it. Source: D8 (penalties)."""
    g.totals[seat] -= value


@kernel
def misdeal_fine(nth: Any) -> Any:
    """The fine for a dealer's nth misdeal (from 1): 20, doubled for each further one. Source: D8."""
    fine = 20
    for _ in range(nth - 1):
        fine *= 2
    return fine


@kernel
def revoke_fine(g: Any, r: Any) -> Any:
    """The full value of the game for a revoke or improper discard: base value times the kontra on the game. Source: D8."""
    value = np.int64(r.value[g.contract])
    for _ in range(np.int64(g.contra[0, 0])):
        value *= r.step_factor
    return value
