"""What environments tell about a finished hand."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tarock_env import record
from tarock_env.engine.batch import Engine


class HandRecord(Mapping[str, Any]):
    """The record of a finished hand (`record-format` 1), written when it is first read. ``dict(r)`` can go to JSON.

    Whoever reads it gets values of his own: several agents, and copies of an environment, hold the same object.

    Args:
        engine: what was played. start: (1,) STATE at the first decision. log: uint8 (1, T), its actions.
        session: the record's ``session``, if it belongs to one.
    """

    def __init__(self, engine: Engine, start: np.ndarray, log: np.ndarray, session: dict[str, Any] | None = None) -> None:
        self._source: tuple[Engine, np.ndarray, np.ndarray] | None = (engine, start, log)
        self._session = session
        self._record: dict[str, Any] = {}

    def _written(self) -> dict[str, Any]:
        if self._source is not None:
            self._record = record.write(*self._source, session=self._session)
            self._source = None
        return self._record

    def __getitem__(self, key: str) -> Any:
        return copy.deepcopy(self._written()[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._written())

    def __len__(self) -> int:
        return len(self._written())

    def __repr__(self) -> str:
        return f"HandRecord({self._written()!r})"

    def __deepcopy__(self, memo: dict[int, Any]) -> HandRecord:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._written(),)


def _restored(written: dict[str, Any]) -> HandRecord:
    """A record that was pickled."""
    restored = HandRecord.__new__(HandRecord)
    restored._source, restored._session, restored._record = None, written.get("session"), written
    return restored


def hand_info(engine: Engine, state: np.ndarray, start: np.ndarray, log: np.ndarray, session_id: str = "") -> dict[str, Any]:
    """``scores``, ``items``, ``card_points`` and ``record`` of a finished hand, and ``settlement`` where a session ends.

    Args:
        state: (1,) STATE, done. start: (1,) STATE at the hand's first decision. log: uint8 (1, T).
        session_id: of the session that it belongs to, if any.
    """
    result = record.result(engine, state)
    info: dict[str, Any] = {key: result[key] for key in ("scores", "items", "card_points")}
    if session_id and "settlement" in result:
        info["settlement"] = result["settlement"]
    decisions = int(state["n_actions"][0])
    session = {"id": session_id, "hand": int(state["hand_no"][0])} if session_id else None
    dealt = engine.copy(start)
    dealt["key"] = 0  # the next hand's cards follow from it, and the information goes to those who will play it
    info["record"] = HandRecord(engine, dealt, log[:, :decisions].copy(), session)
    return info


def copied(info: dict[str, Any]) -> dict[str, Any]:
    """The same information in lists of its own."""
    parts = {key: value[:] if isinstance(value, list) else value for key, value in info.items()}
    return parts | {"items": [dict(item) for item in info["items"]]}
