"""Views as bits: what each feature of `tarock_env.features` is set to.

Seats are relative to the viewer in turn order: 0 = the viewer, 1 = the next to play …; a dealer who sits out is left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import ALL, ZERO, C, bit, table_points, thirds_in
from tarock_env.codes import NONE, Phase
from tarock_env.engine.seats import following, forehand, side_of, wrapped
from tarock_env.features import (
    ACTIVE,
    AGAINST,
    AHEAD,
    ANNOUNCED,
    BEHIND,
    BEST,
    CALLED,
    COMPULSORY,
    CONTRA,
    CONTRA_BITS,
    CONTRACT,
    CONTRACTED,
    DEALER,
    DECLARED,
    DECLARER,
    DISCARD_BITS,
    DISCARDS,
    EXPOSED,
    FORCED_LOSS,
    FOURTH,
    FULL_HANDS,
    FULL_SIDES,
    FULL_TALON,
    HAND,
    HIGH,
    HOLDER,
    LAST_CALL,
    LED_BY,
    MODE,
    N_BIDS,
    OPENING,
    PHASE,
    PLAYED,
    POINT_BITS,
    POINT_STEP,
    POINTS_WON,
    RING_BITS,
    RINGS,
    SHOWN,
    TAKEN,
    TALON_SLOTS,
    TO_DISCARD,
    TOTAL_BITS,
    TRICK_CARDS,
    TRICK_LED,
    TRICK_NO,
    TRICKS_WON,
    TURN,
    UNSEEN,
    VOIDS,
    WITH,
)
from tarock_env.jit import kernel, leaf
from tarock_env.view import unseen


@leaf("void(uint64[::1], int64, uint64, int64)")
def put(words: Any, at: Any, value: Any, size: Any) -> None:
    """Write the lowest `size` <= 64 bits of a value at a bit position; words uint64 (W,), zero there before."""
    word, shift = at >> 6, np.uint64(at & 63)
    value = np.uint64(value)
    words[word] |= value << shift
    if (at & 63) + size > 64:
        words[word + 1] |= value >> (np.uint64(64) - shift)


@leaf("void(uint64[::1], int64, int64)")
def put_one(words: Any, at: Any, index: Any) -> None:
    """Set bit `index` of the feature at `at`; nothing for an index below 0."""
    if index >= 0:
        words[(at + index) >> 6] |= np.uint64(1) << np.uint64((at + index) & 63)


@leaf("void(uint64[::1], int64, int64, int64)")
def put_count(words: Any, at: Any, count: Any, size: Any) -> None:
    """A thermometer: the lowest min(count, size) bits; nothing for a count below 1."""
    if count > 0:
        n: Any = min(np.int64(count), np.int64(size))
        put(words, at, (np.uint64(1) << np.uint64(n)) - np.uint64(1), size)


@kernel
def encode_view(v: Any, r: Any, at: Any, words: Any) -> None:
    """One view as bits; `at` are the offsets of the layout, words uint64 (W,)."""
    words[:] = ZERO
    _cards(v, r, at, words)
    _bidding(v, r, at, words)
    _statements(v, r, at, words)
    _table(v, r, at, words)


@kernel
def _cards(v: Any, r: Any, at: Any, words: Any) -> None:
    put(words, at[HAND], v.hand, C)
    put(words, at[UNSEEN], unseen(v), C)
    put(words, at[TAKEN], v.taken, C)
    put(words, at[DISCARDS], v.discards, C)
    put(words, at[SHOWN], v.shown, C)
    put_one(words, at[BEST], v.best)
    seat = np.int64(v.seat)
    for i in range(r.n):
        put(words, at[PLAYED] + i * C, v.played[seat], C)
        if i > 0:
            put(words, at[EXPOSED] + (i - 1) * C, v.exposed[seat], C)
        seat = following(v, r, seat)
    if v.trick_n > 0:
        distance = _distance(v, r, np.int64(v.leaders[v.trick_no]))
        for i in range(v.n_plays - v.trick_n, v.n_plays):
            if distance > 0:
                put_one(words, at[TRICK_CARDS] + (distance - 1) * C, v.plays[i])
            distance = distance + 1 if distance + 1 < r.n else 0
    if v.phase == Phase.TALON:
        size = np.int64(r.takes[v.contract])
        for i in range(6):
            put_one(words, at[TALON_SLOTS] + (i // size) * C, v.talon[i])


@kernel
def _distance(v: Any, r: Any, seat: Any) -> Any:
    """How many turns after the viewer the seat comes; -1 for no seat or a dealer who sits out."""
    if seat < 0:
        return NONE
    turns = wrapped(seat - v.seat + r.P, r)
    if r.n < r.P:
        before = wrapped(v.dealer - v.seat + r.P, r)  # turns until the dealer, who is passed over; 0 if he looks himself
        if turns == before and turns > 0:
            return NONE
        if 0 < before < turns:
            turns -= 1
    return turns if turns < r.n else NONE


@kernel
def _bidding(v: Any, r: Any, at: Any, words: Any) -> None:
    put_one(words, at[CONTRACT], v.contract)
    put_one(words, at[HIGH], v.high)
    put_one(words, at[HOLDER], _distance(v, r, v.holder))
    put_one(words, at[DECLARER], _distance(v, r, v.declarer))
    put_one(words, at[CALLED], v.called if v.called >= 0 else (4 if v.was_called == 1 else NONE))
    put_one(words, at[FOURTH], 0 if v.by_fourth == 1 else NONE)
    put_count(words, at[N_BIDS], v.n_bids, 8)
    seat = np.int64(v.seat)
    for i in range(r.n):
        call = np.int64(v.last_call[seat])
        slot = call if call >= 0 else (r.n_contracts - 2 - call if call < -1 else NONE)
        put_one(words, at[LAST_CALL] + i * (r.n_contracts + 2), slot)
        put_one(words, at[ACTIVE], i if v.active[seat] == 1 else NONE)
        put_one(words, at[WITH], i if v.sides[seat] == 1 else NONE)
        put_one(words, at[AGAINST], i if v.sides[seat] == -1 else NONE)
        seat = following(v, r, seat)


@kernel
def _statements(v: Any, r: Any, at: Any, words: Any) -> None:
    n = np.int64(r.n_bonuses)
    for side in range(2):
        for b in range(n + 1):
            if b > 0 and v.announced[side, b] != 0:
                put_one(words, at[ANNOUNCED] + 2 * (side * n + b - 1), v.announced[side, b] - 1)
            level = np.int64(v.contra[side, b]) + np.int64(v.late_contra[side, b])
            if level > 0:
                put_count(words, at[CONTRA] + CONTRA_BITS * (side * (n + 1) + b), level, CONTRA_BITS)
    if v.contracted > 0:
        put_one(words, at[CONTRACTED], v.contracted - 1)
    if v.opening == 1:
        put_one(words, at[OPENING], 0)
    if r.declarations != 0:
        seat = np.int64(v.seat)
        for i in range(r.n):
            put(words, at[DECLARED] + i * n, np.uint64(v.declared[seat]) >> np.uint64(1), n)
            seat = following(v, r, seat)


@kernel
def _table(v: Any, r: Any, at: Any, words: Any) -> None:
    put_one(words, at[PHASE], v.phase)
    put_one(words, at[MODE], 0 if v.mode == 1 else (1 if v.mode == 2 else 2))
    put_one(words, at[COMPULSORY], v.compulsory - 1)
    put_one(words, at[TURN], v.turn_kind - 1)
    put_one(words, at[FORCED_LOSS], 0 if v.forced_loss == 1 else NONE)
    put_count(words, at[TO_DISCARD], v.to_discard, DISCARD_BITS)
    put_one(words, at[DEALER], _distance(v, r, np.int64(forehand(v, r))))
    if v.phase == Phase.PLAY:
        put_one(words, at[TRICK_NO], v.trick_no)
        put_one(words, at[LED_BY], v.trick_n)
        put_one(words, at[TRICK_LED], _distance(v, r, v.leaders[v.trick_no]))
    seat = np.int64(v.seat)
    mine = np.int64(v.totals[seat])
    unit = max(np.int64(r.reward_scale), np.int64(1))
    for i in range(r.n):
        put_count(words, at[TRICKS_WON] + i * r.n_tricks, v.tricks[seat], r.n_tricks)
        if v.won[seat] != ZERO:
            points = table_points(thirds_in(v.won[seat]))
            put_count(words, at[POINTS_WON] + i * POINT_BITS, (points + POINT_STEP - 1) // POINT_STEP, POINT_BITS)
        put(words, at[VOIDS] + 5 * i, np.uint64(v.voids[seat]), 5)
        put_count(words, at[RINGS] + i * RING_BITS, v.rings[seat], RING_BITS)
        lead = np.int64(v.totals[seat]) - mine if i > 0 else mine
        if lead != 0:
            place = at[AHEAD] if lead > 0 else at[BEHIND]
            put_count(words, place + i * TOTAL_BITS, _magnitude(abs(lead), unit), TOTAL_BITS)
        seat = following(v, r, seat)


@kernel
def _magnitude(value: Any, unit: Any) -> Any:
    """0 for nothing, then one step for each doubling of the unit."""
    steps = 0
    while value > 0 and steps < TOTAL_BITS:
        steps += 1
        value = value - unit if steps == 1 else (value // 2 if value > unit else 0)
    return steps


@kernel
def encode_hidden(g: Any, v: Any, r: Any, at: Any, words: Any) -> None:
    """What a critic sees beside the observation: all hands, hidden talon and discards, true sides."""
    seat = np.int64(v.seat)
    for i in range(r.n):
        if i > 0:
            put(words, at[FULL_HANDS] + (i - 1) * C, g.hands[seat], C)
        if g.declarer != NONE and side_of(g, seat) == 0:
            put_one(words, at[FULL_SIDES], i)
        seat = following(v, r, seat)
    talon = ZERO
    for i in range(6):
        if g.talon[i] != NONE:
            talon |= bit(g.talon[i])
    put(words, at[FULL_TALON], talon & ALL, C)
    put(words, at[FULL_TALON] + C, g.discards, C)
