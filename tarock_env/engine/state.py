"""The state of a hand: `STATE`, one NumPy record, the same for every ruleset.

Shape letters: seat arrays have five rows (`SEATS`) indexed by table seat, whatever the number at the table; item arrays
have `ITEMS` rows, the game first, then the ruleset's bonuses; card sets are uint64 (see `tarock_env.cards`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

SEATS = 5
ITEMS = 16
PLAYS = 48  #: cards played in a hand
TRICKS = 16
SCORED = 32  #: rows of the list of scored items

_FIELDS: list[tuple[Any, ...]] = [
    # --- identity and chance
    ("key", "u8"),  # this hand's random key
    # --- cards
    ("hands", "u8", SEATS),  # cards held now
    ("played", "u8", SEATS),  # cards each seat has played
    ("won", "u8", SEATS),  # cards in the tricks of each seat, talon cards given to tricks included
    ("packets", "u8", 4),  # the face-down packets of a knock deal
    ("discards", "u8"),  # laid away by the declarer
    ("taken", "u8"),  # talon cards the declarer took
    ("shown", "u8"),  # discarded cards that everybody saw
    ("trick", "u8"),  # cards of the current trick
    # --- the decision to be made
    ("legal_cards", "u8"),  # legal card actions, bit = card
    ("legal_calls", "u8"),  # legal other actions, bit = action index - 54
    ("talon", "i1", 6),  # talon cards in table order
    ("plays", "i1", PLAYS),  # cards played, in order; -1 beyond
    ("leaders", "i1", TRICKS + 1),  # leader of each trick; entry t + 1 is the winner of trick t
    ("n_plays", "i1"),
    ("n_actions", "i2"),  # decisions made so far
    ("phase", "i1"),  # codes.Phase
    ("actor", "i1"),  # seat to act; -1 when the hand is done
    ("done", "?"),
    ("dealer", "i1"),
    ("mode", "i1"),  # codes.Mode of this hand
    # --- deal by knocking
    ("knocked", "i1"),  # 1 if the hand was or is to be dealt in packets
    ("knock_talon", "i1", 6),  # the talon of the knock deal
    ("picked", "i1", SEATS),  # packet taken by each seat; -1 = none
    # --- auction
    ("high", "i1"),  # standing contract; -1 = none
    ("holder", "i1"),  # who said it (or "wait"); -1 = none
    ("waited", "i1"),
    ("n_calls", "i1"),
    ("n_bids", "i1"),  # bids made, without holds
    ("active", "i1", SEATS),  # 1 while the seat may still bid
    ("last_call", "i1", SEATS),  # -1 nothing yet, -2 pass, -3 wait, else the contract
    ("turn_kind", "i1"),  # inside a turn of several calls: 0 nothing said, 1 bid, 2 contra
    # --- contract
    ("contract", "i1"),
    ("declarer", "i1"),
    ("partner", "i1"),  # true partner, secret until `side_known`; -1 = alone
    ("called", "i1"),  # suit of the called king; -1 = none
    ("by_fourth", "i1"),  # 1 if it was called as "the fourth"
    ("talon_open", "i1"),  # 1 once the talon was turned up for all
    ("talon_group", "i1"),  # index of the group taken; -1 = none
    ("to_discard", "i1"),
    ("rest_won", "i1"),  # 1 if the declarer's side won the rest of the talon
    ("forced_loss", "i1"),
    # --- announcements; row 0 declarer's side, row 1 defence
    ("announced", "i1", (2, ITEMS)),  # 0 no, 1 yes, 2 yes and before the draw
    ("announcer", "i1", (2, ITEMS)),  # seat that announced it; -1 = nobody
    ("contra", "i1", (2, ITEMS)),  # kontra level
    ("late_contra", "i1", (2, ITEMS)),  # level after the draw, where there are two chains
    ("declared", "i2", SEATS),  # declarations made, bit = bonus index
    ("contracted", "i1"),  # bonus that a bonus-demanding contract was named with; -1 = none
    ("quiet", "i1"),  # consecutive turns without a statement
    ("spoke", "i1"),  # statements made in this turn
    ("opening", "i1"),  # 1 during the declarer's opening turn
    ("side_known", "i1", SEATS),  # 1 once everybody knows the seat's side
    # --- play
    ("best", "i1"),  # card that would take the current trick by rank
    ("trick_n", "i1"),  # cards in the current trick
    ("trick_no", "i1"),  # tricks completed
    ("tricks", "i1", SEATS),  # tricks won
    ("voids", "i1", SEATS),  # suits (bit 4 = trumps) the seat has shown not to hold
    # --- result
    ("scores", "i4", SEATS),  # what the hand adds to each seat
    ("item_value", "i4", SCORED),
    ("item_kind", "i1", SCORED),  # 0 game, else bonus index
    ("item_side", "i1", SCORED),  # 0 declarer's side, 1 defence, 2 + seat
    ("item_announced", "i1", SCORED),
    ("item_contra", "i1", SCORED),
    ("n_items", "i1"),
    ("made", "i1"),  # 1 if the declarer made his contract (where a slam decides: if he gained)
    ("slam_scored", "i1"),
    # --- session
    ("totals", "i4", SEATS),  # running scores before this hand; after it once the hand is done
    ("settlement", "i4", SEATS),  # end-of-session settlement, once it is over
    ("rings", "i4", SEATS),
    ("compulsory", "i1"),  # codes.Compulsory
    ("hand_no", "i4"),  # place of this hand in its session, from 0
    ("hands_left", "i4"),  # hands still to come; -1 = a hand of no session
    ("scuse_holder", "i1"),  # seat that was dealt T22 in the 'Scuse round; -1 = none yet
    ("session_over", "?"),
]

STATE = np.dtype((np.record, np.dtype(_FIELDS, align=True)))


def as_bytes(state: np.ndarray) -> np.ndarray:
    """A contiguous state array as raw bytes, uint8 (B, itemsize), sharing its memory."""
    return state.view(np.uint8).reshape(len(state), STATE.itemsize)


def copy(state: np.ndarray) -> np.ndarray:
    """An independent copy (NumPy copies records field by field; bytes are far faster)."""
    return as_bytes(state).copy().view(STATE).reshape(-1)


def take(state: np.ndarray, rows: np.ndarray | list[int] | slice) -> np.ndarray:
    """Copies of the given rows."""
    return np.ascontiguousarray(as_bytes(state)[rows]).view(STATE).reshape(-1)


def assign(state: np.ndarray, rows: np.ndarray | list[int], values: np.ndarray) -> None:
    """Overwrite the given rows with records of `values`."""
    as_bytes(state)[rows] = as_bytes(np.ascontiguousarray(values))
