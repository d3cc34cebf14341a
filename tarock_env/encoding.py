"""Views as numbers: named slices of a flat vector of zeros and ones.

Every feature is a bit: card sets and one-hot choices as they are, counts as thermometers (bit i set if the count exceeds
i). So an observation is either `float32 (B, F)` or a packed row of `uint64` words, and both hold the same.
`layout(ruleset)` publishes name and slice of every feature; its `version` changes whenever one of them does.
Seats are relative to the viewer in turn order: 0 = the viewer, 1 = the next to play …; a dealer who sits out is left out.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from tarock_env.cards import ALL, ZERO, C, bit, table_points, thirds_in
from tarock_env.codes import NONE, Phase
from tarock_env.engine import checking
from tarock_env.engine.batch import Engine
from tarock_env.engine.seats import following, forehand, side_of, wrapped
from tarock_env.engine.state import STATE, TRICKS
from tarock_env.jit import kernel, leaf
from tarock_env.rulesets.schema import Ruleset
from tarock_env.view import VIEW, see, unseen

POINT_STEP, POINT_BITS = 5, 14
CONTRA_BITS, RING_BITS, TOTAL_BITS, DISCARD_BITS = 5, 4, 6, 6

# fmt: off
(PHASE, HAND, UNSEEN, PLAYED, TRICK_CARDS, TRICK_LED, BEST, TALON_SLOTS, TAKEN, DISCARDS, SHOWN, EXPOSED, CONTRACT, HIGH,
 HOLDER, LAST_CALL, ACTIVE, DECLARER, CALLED, FOURTH, WITH, AGAINST, ANNOUNCED, CONTRA, CONTRACTED, DECLARED, OPENING,
 TRICK_NO, TRICKS_WON, POINTS_WON, VOIDS, LED_BY, TO_DISCARD, DEALER, MODE, COMPULSORY, RINGS, AHEAD, BEHIND, FORCED_LOSS,
 TURN, N_BIDS, FULL_HANDS, FULL_TALON, FULL_SIDES) = range(45)
# fmt: on


def _sizes(ruleset: Ruleset) -> list[tuple[int, str, int]]:
    """(index, name, number of bits) of every feature of an observation, then of what a critic sees beside it."""
    n, k, b = ruleset.players, len(ruleset.contracts), len(ruleset.bonuses)
    tricks = 48 // n
    slots = max((6 // c.takes for c in ruleset.contracts if 0 < c.takes < 6), default=0)
    talks = ruleset.announcements.declarations
    return [
        (PHASE, "phase", len(Phase)), (HAND, "hand", C), (UNSEEN, "unseen", C), (PLAYED, "played", n * C),
        (TRICK_CARDS, "trick", (n - 1) * C), (TRICK_LED, "trick_leader", n), (BEST, "best_card", C),
        (TALON_SLOTS, "talon_groups", slots * C), (TAKEN, "taken", C), (DISCARDS, "discards", C), (SHOWN, "shown", C),
        (EXPOSED, "exposed", (n - 1) * C), (CONTRACT, "contract", k), (HIGH, "standing_bid", k), (HOLDER, "holder", n),
        (LAST_CALL, "last_call", n * (k + 2)), (ACTIVE, "active", n), (DECLARER, "declarer", n), (CALLED, "called", 5),
        (FOURTH, "fourth", 1), (WITH, "with_declarer", n), (AGAINST, "against_declarer", n),
        (ANNOUNCED, "announced", 2 * 2 * b), (CONTRA, "contra", 2 * CONTRA_BITS * (b + 1)), (CONTRACTED, "contracted", b),
        (DECLARED, "declared", n * b if talks else 0), (OPENING, "opening_turn", 1), (TRICK_NO, "trick_number", TRICKS),
        (TRICKS_WON, "tricks_won", n * tricks), (POINTS_WON, "points_won", n * POINT_BITS), (VOIDS, "voids", n * 5),
        (LED_BY, "place", n), (TO_DISCARD, "to_discard", DISCARD_BITS), (DEALER, "forehand", n), (MODE, "mode", 3),
        (COMPULSORY, "compulsory", 2), (RINGS, "rings", n * RING_BITS), (AHEAD, "total_ahead", n * TOTAL_BITS),
        (BEHIND, "total_behind", n * TOTAL_BITS), (FORCED_LOSS, "forced_loss", 1), (TURN, "turn", 2),
        (N_BIDS, "number_of_bids", 8),
        (FULL_HANDS, "all_hands", (n - 1) * C), (FULL_TALON, "hidden_talon_and_discards", 2 * C),
        (FULL_SIDES, "true_sides", n),
    ]  # fmt: skip


N_OBSERVED = FULL_HANDS  #: features before this one make the observation


@dataclass(frozen=True)
class Layout:
    """Where each feature stands in the vector of a ruleset."""

    slices: dict[str, slice]  #: of the observation
    full_slices: dict[str, slice]  #: of the perfect-information vector: the observation, then what is hidden
    F: int  #: length of the observation
    F_full: int
    version: str  #: hash of names and slices; a checkpoint refuses another one
    offsets: np.ndarray  #: int64, first bit of each feature

    @property
    def words(self) -> int:
        """uint64 words of a packed observation."""
        return (self.F + 63) // 64

    @property
    def words_full(self) -> int:
        """uint64 words of a packed perfect-information vector."""
        return (self.F_full + 63) // 64


@functools.cache
def _layout(origin: Ruleset) -> Layout:
    slices: dict[str, slice] = {}
    offsets = np.zeros(len(_sizes(origin)) + 1, np.int64)
    at = 0
    observed = 0
    for index, name, size in _sizes(origin):
        offsets[index] = at
        slices[name] = slice(at, at + size)
        at += size
        if index == N_OBSERVED - 1:
            observed = at
    text = repr([(name, s.start, s.stop) for name, s in slices.items()])
    version = hashlib.sha256(text.encode()).hexdigest()[:12]
    own = {name: s for name, s in slices.items() if s.stop <= observed and not name.startswith("all_")}
    offsets.setflags(write=False)
    return Layout(own, slices, observed, at, version, offsets)


def layout(ruleset: Ruleset) -> Layout:
    """Names and slices of a ruleset's features; the same for all option values."""
    return _layout(ruleset.origin or ruleset)


# ---------------------------------------------------------------------- bits


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


# ---------------------------------------------------------------------- features


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


# ---------------------------------------------------------------------- loops


@kernel
def encode_bits(views: np.ndarray, rules: np.ndarray, at: np.ndarray, words: np.ndarray) -> None:
    """words[i] = the bits of views[i]; uint64 (B, W)."""
    r = rules[0]
    for i in range(len(views)):
        encode_view(views[i], r, at, words[i])


@kernel
def encode_states(
    state: np.ndarray, rules: np.ndarray, at: np.ndarray, views: np.ndarray, words: np.ndarray, full: np.ndarray
) -> None:
    """Observation bits and perfect-information bits of each row's seat to act; uint64 (B, W) and (B, W_full).

    `views` is scratch of length 1; a `full` of shape (0, 0) is left alone.
    """
    r = rules[0]
    v = views[0]
    both = full.shape[0] > 0
    for i in range(len(state)):
        g = state[i]
        see(g, r, max(np.int64(g.actor), np.int64(0)), v)
        encode_view(v, r, at, words[i])
        if both:
            n = words.shape[1]
            full[i, :n] = words[i]
            full[i, n:] = ZERO
            encode_hidden(g, v, r, at, full[i])


@kernel
def unpack(words: np.ndarray, out: np.ndarray) -> None:
    """Bits as float32 zeros and ones: words uint64 (B, W) -> out float32 (B, F)."""
    n = out.shape[1]
    one = np.uint64(1)
    for i in range(len(words)):
        for w in range((n + 63) // 64):
            word = words[i, w]
            for j in range(min(64, n - 64 * w)):
                out[i, 64 * w + j] = np.float32(np.int64((word >> np.uint64(j)) & one))


NO_WORDS = np.zeros((0, 0), np.uint64)


def encode(engine: Engine, views: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """Views as observations.

    Args:
        views: (B,) `VIEW`. out: float32 (B, F) to fill instead of a new array.

    Returns:
        float32 (B, F) of zeros and ones; slices in ``layout(engine.ruleset)``.
    """
    views = checking.readable(views, VIEW, "views")
    plan = layout(engine.ruleset)
    words = np.empty((len(views), plan.words), np.uint64)
    encode_bits(views, engine.rules, plan.offsets, words)
    return _unpacked(words, plan.F, out)


def encode_packed(
    engine: Engine, state: np.ndarray, full: bool = False, out: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Packed observations of the seats to act, straight from states, and with `full` what a critic may see.

    Args:
        state: (B,) `STATE`. full: with the second array. out: uint64 (B, W) to fill instead of a new first array.

    Returns:
        uint64 (B, W) and uint64 (B, W_full); the second is empty (0, 0) unless asked for. `unpacked` makes float32.
    """
    state = checking.readable(state, STATE, "state")
    plan = layout(engine.ruleset)
    words = np.empty((len(state), plan.words), np.uint64) if out is None else out
    if words.shape != (len(state), plan.words) or words.dtype != np.uint64 or not words.flags.carray:
        raise ValueError(f"out is {words.dtype} {words.shape}; allowed: contiguous uint64 ({len(state)}, {plan.words})")
    hidden = np.empty((len(state), plan.words_full), np.uint64) if full else NO_WORDS
    encode_states(state, engine.rules, plan.offsets, np.zeros(1, VIEW), words, hidden)
    return words, hidden


def unpacked(words: np.ndarray, features: int, out: np.ndarray | None = None) -> np.ndarray:
    """Packed bits uint64 (B, W) as float32 (B, features).

    Raises:
        ValueError: words of another type or shape, or more features than they have bits.
    """
    if not isinstance(words, np.ndarray) or words.dtype.kind != "u" or words.ndim != 2:
        given = f"{words.dtype} {words.shape}" if isinstance(words, np.ndarray) else type(words).__name__
        raise ValueError(f"words are {given}; allowed: uint64 (B, W)")
    features = checking.whole("features", features, 0, 64 * words.shape[1])
    return _unpacked(np.ascontiguousarray(words, np.uint64), features, out)


def _unpacked(words: np.ndarray, features: int, out: np.ndarray | None) -> np.ndarray:
    if out is None:
        out = np.empty((len(words), features), np.float32)
    else:
        checking.check_out(out, np.float32, (len(words), features))
    unpack(words, out)
    return out


def encode_full(engine: Engine, state: np.ndarray) -> np.ndarray:
    """Everything about a state from its acting seat, for critics in training only: float32 (B, F_full)."""
    plan = layout(engine.ruleset)
    return _unpacked(encode_packed(engine, state, full=True)[1], plan.F_full, None)
