"""What is checked before anything reaches compiled code, which trusts shapes, types and indices. Nothing here compiles.

The content of a state is not checked: states are made by engines, and only passed on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.engine.errors import BadAction
from tarock_env.engine.state import STATE
from tarock_env.rulesets.numbers import is_whole_in
from tarock_env.rulesets.shown import short

INT64, BOOL = np.dtype(np.int64), np.dtype(bool)
LOG_LENGTH = 1024  #: columns of an action log; no hand comes near it


def check_state(state: Any) -> None:
    """Refuse what is no state array that kernels can work on.

    Raises:
        ValueError: wrong type, shape or memory layout.
    """
    if not isinstance(state, np.ndarray) or (state.dtype is not STATE and state.dtype != STATE):
        given = f"has dtype {state.dtype}" if isinstance(state, np.ndarray) else f"is {short(state)}"
        raise ValueError(f"state {given}; allowed: STATE arrays from Engine.reset or from_deal")
    if state.ndim != 1 or not state.flags.carray:
        raise ValueError(
            "state must be a one-dimensional, contiguous, aligned, writable array; use Engine.take for rows of one"
        )


def readable(records: Any, kind: np.dtype, name: str) -> np.ndarray:
    """An array of records that is only read, or a copy where its memory is laid out otherwise than kernels expect.

    Raises:
        ValueError: it is no array (B,) of this kind.
    """
    if not isinstance(records, np.ndarray) or records.dtype != kind or records.ndim != 1:
        given = f"{records.dtype} {records.shape}" if isinstance(records, np.ndarray) else short(records)
        raise ValueError(f"{name}: {given}; allowed: {'STATE' if kind == STATE else 'VIEW'} (B,)")
    records = records.view(np.ndarray)  # what a subclass adds, a mask say, is left behind
    return _plain(records) if records.flags.c_contiguous else records.copy()


def check_playable(state: np.ndarray) -> None:
    """Refuse rows in which nothing can be done and that are not over: no engine has made them.

    Raises:
        ValueError: names the first one.
    """
    stuck = ((state["legal_cards"] | state["legal_calls"]) == 0) & ~state["done"]
    if stuck.any():
        raise ValueError(f"row {int(stuck.argmax())} has no legal action; allowed: states from Engine.reset or from_deal")


def check_log(log: Any, n: int) -> np.ndarray:
    """A log that fits n rows, or an empty one.

    Raises:
        ValueError: what it is, and what it must be.
    """
    if isinstance(log, np.ndarray) and log.shape == (0, 0) and log.dtype == np.uint8:
        return log
    fits = isinstance(log, np.ndarray) and log.dtype == np.uint8 and log.shape == (n, LOG_LENGTH)
    if not fits or not log.flags.c_contiguous or not log.flags.writeable:
        given = f"{log.dtype} {log.shape}" if isinstance(log, np.ndarray) else type(log).__name__
        raise ValueError(f"log is {given}; allowed: writable, contiguous uint8 ({n}, {LOG_LENGTH}), from Engine.new_log")
    plain: np.ndarray = log
    return plain


def check_mask(mask: Any, shape: tuple[int, int], name: str) -> np.ndarray:
    """A mask that can be written to.

    Raises:
        ValueError: what it is, and what it must be.
    """
    fits = isinstance(mask, np.ndarray) and mask.dtype is BOOL and mask.shape == shape
    if not fits or not mask.flags.carray:
        given = f"{mask.dtype} {mask.shape}" if isinstance(mask, np.ndarray) else short(mask)
        raise ValueError(f"{name} is {given}; allowed: writable, contiguous bool {shape}")
    plain: np.ndarray = mask
    return plain


def check_out(out: Any, kind: type, shape: tuple[int, ...]) -> None:
    """Refuse an array that a result cannot be written to.

    Raises:
        ValueError: what it is, and what it must be.
    """
    fits = isinstance(out, np.ndarray) and out.shape == shape and out.dtype == np.dtype(kind)
    if not fits or not out.flags.c_contiguous or not out.flags.writeable:
        given = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
        raise ValueError(f"out is {given}; allowed: writable, contiguous {np.dtype(kind)} {shape}")


def _plain(array: np.ndarray) -> np.ndarray:
    """The array, or a copy if it is read-only or not aligned: kernels would be compiled once more for such ones."""
    return array if array.flags.behaved else array.copy()


def whole_array(values: Any, name: str) -> np.ndarray:
    """Whole numbers as an array of some integer type.

    Raises:
        ValueError: lists of unequal lengths, or anything but whole numbers.
    """
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, OverflowError):
        raise ValueError(f"{name} are {short(values)}; allowed: whole numbers") from None
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} have dtype {array.dtype}; allowed: whole numbers")
    return array


def readable_mask(mask: Any) -> np.ndarray:
    """A mask bool (B, A), contiguous.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(mask, np.ndarray) or mask.ndim != 2 or mask.dtype != bool:
        given = f"{mask.dtype} {mask.shape}" if isinstance(mask, np.ndarray) else short(mask)
        raise ValueError(f"mask is {given}; allowed: bool (B, A)")
    return _plain(np.ascontiguousarray(mask))


def check_keys(keys: Any, n: int | None) -> np.ndarray:
    """Keys as contiguous uint64 (n,).

    Raises:
        ValueError: they are no whole numbers in 0 … 2**64 - 1, or not n of them.
    """
    given = whole_array(keys, "keys")
    if given.dtype.kind == "i" and given.size and int(given.min()) < 0:
        raise ValueError(f"keys are {short(keys)}; allowed: whole numbers in 0 … 2**64 - 1")
    if given.ndim != 1 or (n is not None and len(given) != n):
        raise ValueError(f"keys have shape {given.shape}; allowed: ({n if n is not None else 'B'},)")
    return _plain(np.ascontiguousarray(given, np.uint64))


def check_actions(actions: Any, n: int) -> np.ndarray:
    """Actions as contiguous int64 (n,); a single one may stand for itself.

    Raises:
        BadAction: they are no whole numbers, or not n of them.
    """
    if type(actions) is np.ndarray and actions.dtype is INT64 and actions.shape == (n,) and actions.flags.carray:
        return actions
    try:
        chosen = actions if isinstance(actions, np.ndarray) else np.asarray(actions)
    except (ValueError, TypeError, OverflowError):
        raise BadAction(f"actions are {short(actions)}; allowed: whole numbers, one for each of {n} games") from None
    if chosen.dtype.kind not in "iu":
        raise BadAction(f"actions have dtype {chosen.dtype}; allowed: whole numbers, one for each of {n} games")
    if chosen.shape != (n,) and not (chosen.shape == () and n == 1):
        raise BadAction(f"actions have shape {chosen.shape}; allowed: ({n},)")
    if chosen.dtype.kind == "u" and chosen.size and int(chosen.max()) >= 1 << 63:
        raise BadAction(f"an action is {int(chosen.max())}; allowed: indices below {1 << 63}")
    return _plain(np.ascontiguousarray(chosen.reshape(n), np.int64))


def answers(given: Any, n: int, who: str = "an agent") -> np.ndarray:
    """What an agent's ``act`` returned for n rows, if it is n whole numbers.

    Raises:
        BadAction: it is not; the message begins with `who`.
    """
    try:
        answer = np.asarray(given)
        what = f"{type(given).__name__} of dtype {answer.dtype}, shape {answer.shape}"
    except (ValueError, TypeError, OverflowError):
        answer, what = np.zeros(0), short(given)
    if answer.dtype.kind not in "iu" or answer.shape != (n,):
        raise BadAction(f"{who} returned {what}; allowed: whole numbers of shape ({n},)")
    return answer


def whole(name: str, value: Any, low: int, high: int) -> int:
    """A whole number in low … high.

    Raises:
        ValueError: it is not.
    """
    if not is_whole_in(value, low, high):
        raise ValueError(f"{name} is {short(value)}; allowed: a whole number in {low} … {high}")
    return int(value)


def rows_of(given: Any, n: int) -> np.ndarray:
    """Rows of a batch of n as an index array.

    Raises:
        IndexError: they are neither numbers of rows (k,) nor truth values (n,), or there is no such row.
    """
    try:
        rows = np.asarray(given)
    except (ValueError, TypeError, OverflowError):
        rows = np.zeros((0, 0))
    numbers = rows.dtype.kind in "iu" and bool(((rows >= -n) & (rows < n)).all())
    if rows.ndim != 1 or not (numbers or rows.size == 0 or (rows.dtype == bool and len(rows) == n)):
        raise IndexError(f"rows are {short(given)}; allowed: rows of {n} games")
    return rows if rows.size else rows.astype(np.int64)


def seats_of(given: Any, name: str, n: int, seats: int) -> np.ndarray:
    """One seat for all of n rows, or one for each, as int64 (n,).

    Raises:
        ValueError: `name` and the value: no whole numbers, no seats at a table of so many, or another number of them.
    """
    try:
        chosen = np.broadcast_to(np.asarray(given), (n,))
        fits = chosen.dtype.kind in "iu" and (not n or bool(((chosen >= 0) & (chosen < seats)).all()))
    except (ValueError, TypeError, OverflowError):
        fits = False
    if not fits:
        raise ValueError(f"{name} {short(given)}; allowed: seats 0 … {seats - 1}, one for all games or one for each")
    return np.ascontiguousarray(chosen, np.int64)
