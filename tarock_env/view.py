"""What a seat may know: `VIEW`, one NumPy record, and `observe`, the only way from a state to a view.

A view holds the seat's own cards, the public history, what the seat has seen of the talon, and its own side. Hidden cards
never enter it, so nothing built on views can leak them. Source: Appendix 3 of the Königrufen rulebook, A6 of the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import ALL, KINGS, ZERO, bit, has
from tarock_env.codes import DECLARERS, NONE, Binding, Exposed, Objective, Phase, Talon
from tarock_env.engine import checking
from tarock_env.engine.batch import Engine
from tarock_env.engine.counting import talon_cards
from tarock_env.engine.one_sided import face_up
from tarock_env.engine.play import player_of
from tarock_env.engine.seats import place_of, side_of
from tarock_env.engine.state import ITEMS, PLAYS, SEATS, STATE, TRICKS
from tarock_env.jit import kernel

_FIELDS: list[tuple[Any, ...]] = [
    ("seat", "i1"),  # who looks
    # --- cards
    ("hand", "u8"),
    ("played", "u8", SEATS),  # cards each seat has played
    ("won", "u8", SEATS),  # cards in each seat's tricks, as far as they were seen
    ("trick", "u8"),
    ("taken", "u8"),  # talon cards the declarer took, if seen
    ("discards", "u8"),  # the seat's own, or those shown to all
    ("shown", "u8"),  # discards shown to all
    ("exposed", "u8", SEATS),  # cards of a seat's hand that lie open
    ("legal_cards", "u8"),  # legal actions, zero unless it is this seat's turn
    ("legal_calls", "u8"),
    ("talon", "i1", 6),  # seen talon cards in table order; -1 = not seen
    ("plays", "i1", PLAYS),
    ("leaders", "i1", TRICKS + 1),
    ("n_plays", "i1"),
    ("n_actions", "i2"),
    ("phase", "i1"),
    ("actor", "i1"),
    ("dealer", "i1"),
    ("mode", "i1"),
    ("knocked", "i1"),
    ("picked", "i1", SEATS),
    # --- auction
    ("high", "i1"),
    ("holder", "i1"),
    ("waited", "i1"),
    ("n_calls", "i1"),
    ("n_bids", "i1"),
    ("active", "i1", SEATS),
    ("last_call", "i1", SEATS),
    ("turn_kind", "i1"),
    # --- contract
    ("contract", "i1"),
    ("declarer", "i1"),
    ("called", "i1"),  # suit of the called king as far as the seat knows it; -1 = none or not known
    ("was_called", "i1"),  # 1 if a king was called
    ("by_fourth", "i1"),
    ("sides", "i1", SEATS),  # 1 with the declarer, -1 against him, 0 not known to this seat
    ("talon_open", "i1"),
    ("talon_group", "i1"),
    ("to_discard", "i1"),
    ("rest_won", "i1"),
    ("forced_loss", "i1"),
    # --- announcements
    ("announced", "i1", (2, ITEMS)),
    ("announcer", "i1", (2, ITEMS)),
    ("contra", "i1", (2, ITEMS)),
    ("late_contra", "i1", (2, ITEMS)),
    ("declared", "i2", SEATS),
    ("contracted", "i1"),
    ("quiet", "i1"),
    ("spoke", "i1"),
    ("opening", "i1"),
    ("side_known", "i1", SEATS),
    # --- play
    ("best", "i1"),
    ("trick_n", "i1"),
    ("trick_no", "i1"),
    ("tricks", "i1", SEATS),
    ("voids", "i1", SEATS),
    # --- session
    ("totals", "i4", SEATS),
    ("rings", "i4", SEATS),
    ("compulsory", "i1"),
    ("hand_no", "i4"),
    ("hands_left", "i4"),
    ("scuse_holder", "i1"),
]

VIEW = np.dtype((np.record, np.dtype(_FIELDS, align=True)))

NOT_KNOWN, WITH_DECLARER, AGAINST = 0, 1, -1


@kernel
def see(g: Any, r: Any, seat: Any, v: Any) -> None:
    """Fill the view of one seat."""
    _copy_public(g, v)
    v.seat = seat
    dealt = g.phase != Phase.CUT and g.phase != Phase.PACKET
    v.hand = g.hands[seat] if dealt else ZERO
    mine = seat == g.actor
    v.legal_cards = g.legal_cards if mine else ZERO
    v.legal_calls = g.legal_calls if mine else ZERO
    _see_plays(g, r, v)
    _see_talon(g, r, seat, v)
    _see_exposed(g, r, seat, v)
    _see_sides(g, r, seat, v)


@kernel
def _copy_public(g: Any, v: Any) -> None:
    v.trick = g.trick
    v.shown = g.shown
    v.plays[:] = g.plays[:]
    v.leaders[:] = g.leaders[:]
    v.n_plays = g.n_plays
    v.n_actions = g.n_actions
    v.phase = g.phase
    v.actor = g.actor
    v.dealer = g.dealer
    v.mode = g.mode
    v.knocked = g.knocked if g.phase != Phase.CUT else 0
    v.picked[:] = g.picked[:]
    v.high = g.high
    v.holder = g.holder
    v.waited = g.waited
    v.n_calls = g.n_calls
    v.n_bids = g.n_bids
    v.active[:] = g.active[:]
    v.last_call[:] = g.last_call[:]
    v.turn_kind = g.turn_kind
    v.contract = g.contract
    v.declarer = g.declarer
    v.was_called = 1 if g.called >= 0 else 0
    v.by_fourth = g.by_fourth
    v.talon_open = g.talon_open
    v.talon_group = g.talon_group
    v.to_discard = g.to_discard
    v.rest_won = g.rest_won
    v.forced_loss = g.forced_loss
    v.announced[:] = g.announced[:]
    v.announcer[:] = g.announcer[:]
    v.contra[:] = g.contra[:]
    v.late_contra[:] = g.late_contra[:]
    v.declared[:] = g.declared[:]
    v.contracted = g.contracted
    v.quiet = g.quiet
    v.spoke = g.spoke
    v.opening = g.opening
    v.side_known[:] = g.side_known[:]
    v.best = g.best
    v.trick_n = g.trick_n
    v.trick_no = g.trick_no
    v.tricks[:] = g.tricks[:]
    v.voids[:] = g.voids[:]
    v.totals[:] = g.totals[:]
    v.rings[:] = g.rings[:]
    v.compulsory = g.compulsory
    v.hand_no = g.hand_no
    v.hands_left = g.hands_left
    v.scuse_holder = g.scuse_holder


@kernel
def _see_plays(g: Any, r: Any, v: Any) -> None:
    """Who played what, and the tricks; talon cards that were given away face down stay unseen."""
    v.played[:] = g.played[:]
    hidden = ZERO
    if g.contract >= 0 and r.gifts_shown[g.contract] == 0 and r.rest[g.contract] == Talon.FIRST_TRICKS:
        hidden = talon_cards(g)
    for s in range(SEATS):
        v.won[s] = g.won[s] & ~hidden


@kernel
def _see_talon(g: Any, r: Any, seat: Any, v: Any) -> None:
    """The open talon is everybody's; a talon taken whole is the declarer's; gifts are seen as they are turned."""
    is_declarer = seat == g.declarer and g.declarer != NONE
    v.taken = g.taken if g.talon_open == 1 or is_declarer else ZERO
    v.discards = g.discards if is_declarer else g.shown
    turned: Any = 0
    if g.contract != NONE and r.gifts_shown[g.contract] != 0:
        if r.rest[g.contract] == Talon.FIRST_TRICKS:
            turned = min(np.int64(g.trick_no), np.int64(6))
        elif r.rest[g.contract] == Talon.LAST_TRICK and g.done:
            turned = 6
    for i in range(6):
        card = g.talon[i]
        seen = g.talon_open == 1 or i < turned
        if card != NONE and not seen:
            seen = has(v.taken, card)
        v.talon[i] = card if seen else NONE


@kernel
def _see_exposed(g: Any, r: Any, seat: Any, v: Any) -> None:
    """Hands that lie open, and announced cards that lie face up before their holder."""
    v.exposed[:] = 0
    if g.contract == NONE:
        return
    who = r.exposed[g.contract]
    if who != Exposed.NOBODY and g.phase == Phase.PLAY and g.trick_no >= r.exposed_from[g.contract]:
        for s in range(r.P):
            if place_of(g, r, s) < r.n and (who == Exposed.ALL or s == g.declarer):
                v.exposed[s] = g.hands[s]
    if r.binding == Binding.HELD:
        for s in range(r.P):
            v.exposed[s] |= face_up(g, r, s)


@kernel
def _see_sides(g: Any, r: Any, seat: Any, v: Any) -> None:
    """Sides as far as this seat knows them, and the called suit, which "the fourth" leaves unspoken."""
    v.sides[:] = NOT_KNOWN
    v.called = NONE
    if g.contract == NONE or r.objective[g.contract] == Objective.FEWEST:
        return
    known = r.calls_king[g.contract] == 0 or _king_is_public(g, r)
    for s in range(r.P):
        if place_of(g, r, s) >= r.n:
            continue
        if known or s == g.declarer or s == seat or g.side_known[s] == 1 or _knows_all(g, seat):
            if g.called >= 0 or r.calls_king[g.contract] == 0 or s == g.declarer:
                v.sides[s] = WITH_DECLARER if side_of(g, s) == DECLARERS else AGAINST
    if g.called >= 0 and (g.by_fourth == 0 or known or _knows_fourth(g, seat)):
        v.called = g.called


@kernel
def _king_is_public(g: Any, r: Any) -> bool:
    """Whether everybody has seen where the called king was: in the open talon, or on the table."""
    if g.called < 0:
        return False
    king = 8 * g.called + 7
    if g.talon_open == 1 and has(talon_cards(g), king):
        return True
    return player_of(g, king) != NONE


@kernel
def _knows_all(g: Any, seat: Any) -> bool:
    """Whether the seat knows everybody's side by its own cards: the partner, and a declarer who called his own king."""
    if g.called < 0:
        return False
    king = 8 * g.called + 7
    return seat == g.partner or (seat == g.declarer and (has(g.hands[seat], king) or has(g.taken, king)))


@kernel
def _knows_fourth(g: Any, seat: Any) -> bool:
    """Whether the seat knows which king "the fourth" is: it called it, or holds a king itself, which must be that one."""
    return seat == g.declarer or seat == g.partner or g.hands[seat] & KINGS != ZERO


@kernel
def observe_all(state: np.ndarray, rules: np.ndarray, seats: np.ndarray, views: np.ndarray) -> None:
    """views[i] = what seats[i] knows of row i; seats int64 (B,). A seat of -1 (hand over) sees as seat 0."""
    r = rules[0]
    for i in range(len(state)):
        see(state[i], r, max(np.int64(seats[i]), np.int64(0)), views[i])


def observe(engine: Engine, state: np.ndarray, seats: np.ndarray | int | None = None) -> np.ndarray:
    """What seats know.

    Args:
        engine: the engine that plays the state.
        state: (B,) `STATE`.
        seats: table seats, one for all rows or (B,); default: the seat to act (seat 0 where the hand is over).

    Returns:
        (B,) `VIEW`.

    Raises:
        ValueError: a seat that is not at the table, or no state array.
    """
    state = checking.readable(state, STATE, "state")
    chosen = state["actor"] if seats is None else checking.seats_of(seats, "seats are", len(state), engine.P)
    views = np.zeros(len(state), VIEW)
    observe_all(state, engine.rules, np.ascontiguousarray(chosen, np.int64), views)
    return views


@kernel
def unseen(v: Any) -> Any:
    """The cards whose place this seat does not know."""
    seen = v.hand | v.taken | v.discards | v.shown
    for s in range(SEATS):
        seen |= v.played[s] | v.exposed[s]
    for i in range(6):
        if v.talon[i] != NONE:
            seen |= bit(v.talon[i])
    return ALL & ~seen
