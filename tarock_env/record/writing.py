"""From a finished hand to its record, a plain dict."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tarock_env.cards import THIRDS, cards_in, codes_in
from tarock_env.codes import NONE, Compulsory, Objective
from tarock_env.engine import counting
from tarock_env.engine.batch import Engine
from tarock_env.engine.session import SINGLE
from tarock_env.record.course import Course, follow, names_of
from tarock_env.record.opening import FORMAT, RecordError
from tarock_env.rulesets.actions import SIDE_NAMES


def write(
    engine: Engine,
    start: np.ndarray,
    log: np.ndarray,
    row: int = 0,
    *,
    legal: bool = False,
    meta: Mapping[str, Any] | None = None,
    session: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The record of one row of a batch; the arguments are those of `write_all`."""
    part = engine.take(start, [row])
    return next(write_all(engine, part, log[row : row + 1], legal=legal, metas=[meta], sessions=[session]))


def write_all(
    engine: Engine,
    start: np.ndarray,
    log: np.ndarray,
    *,
    legal: bool = False,
    metas: Sequence[Mapping[str, Any] | None] | None = None,
    sessions: Sequence[Mapping[str, Any] | None] | None = None,
) -> Iterator[dict[str, Any]]:
    """The records of a batch of hands that were played to their ends.

    Args:
        start: (B,) STATE as it was at the first decision of each hand.
        log: uint8 (B, T) from `Engine.new_log`, filled by `step` or `playout`.
        legal: add all legal action names of each decision.
        metas: an object for each record that says where it comes from; None = none.
        sessions: ``{"id": str, "hand": int}`` for each record that is part of a session.

    Raises:
        RecordError: a hand is not over at the end of its log, or the log holds an illegal action.
    """
    course = follow(engine, start, log)
    for row in np.flatnonzero(~course.final["done"]).tolist():
        raise RecordError(f"row {row}: the log stops or is illegal after {course.reached[row]} decisions, before the end")
    points = card_points(engine, course.final)
    for row in range(len(start)):
        session = sessions[row] if sessions is not None else None
        record = _head(engine, start, course.final, row)
        record |= _session_states(engine, start, course.final, row, session is not None)
        record |= _actions(engine, log, course, row)
        record |= result(engine, course.final, row, points)
        if legal:
            record["legal"] = [
                names_of(engine, course.cards[row, t], course.calls[row, t]) for t in range(course.reached[row])
            ]
        record |= {"session": dict(session)} if session is not None else {}
        if metas is not None and metas[row] is not None:
            record["meta"] = dict(metas[row] or {})
        yield record


def _head(engine: Engine, start: np.ndarray, final: np.ndarray, row: int) -> dict[str, Any]:
    head: dict[str, Any] = {"format": FORMAT, "ruleset": engine.ruleset.id, "options": copy.deepcopy(engine.options)}
    head["dealer"] = int(start["dealer"][row])
    head["hands"] = dealt_hands(engine, start, final, row)
    knocked = bool(final["knocked"][row])
    head["talon"] = [codes_in(1 << int(card))[0] for card in (final if knocked else start)["talon"][row]]
    if knocked:
        head["packets"] = [codes_in(packet) for packet in final["packets"][row]]
    return head


def dealt_hands(engine: Engine, start: np.ndarray, final: np.ndarray, row: int) -> list[list[str]]:
    """Each seat's cards as dealt; after a knock the packets that the players chose."""
    if not final["knocked"][row]:
        return [codes_in(hand) for hand in start["hands"][row, : engine.P]]
    picked, packets = final["picked"][row], final["packets"][row]
    return [codes_in(packets[packet]) if packet != NONE else [] for packet in picked[: engine.P]]


def _session_states(engine: Engine, start: np.ndarray, final: np.ndarray, row: int, in_session: bool) -> dict[str, Any]:
    before, after = session_state(engine, start, row), session_state(engine, final, row)
    shown = {"before": before} if in_session or not _is_blank(before) else {}
    if in_session or not _is_blank(before) or not _is_blank({**after, "scores": [0]}):
        shown["after"] = after
    return shown


def session_state(engine: Engine, state: np.ndarray, row: int) -> dict[str, Any]:
    """What outlives a hand, as ``before`` and ``after`` hold it."""
    reason = Compulsory(int(state["compulsory"][row]))
    return {
        "scores": state["totals"][row, : engine.P].tolist(),
        "rings": state["rings"][row, : engine.P].tolist(),
        "compulsory": reason.name.lower() if reason else None,
    }


def _is_blank(state: Mapping[str, Any]) -> bool:
    return not any(state["scores"]) and not any(state["rings"]) and state["compulsory"] is None


def _actions(engine: Engine, log: np.ndarray, course: Course, row: int) -> dict[str, Any]:
    n = int(course.reached[row])
    names = engine.actions.names
    return {"actions": [names[a] for a in log[row, :n].tolist()], "seats": course.seats[row, :n].tolist()}


def result(engine: Engine, final: np.ndarray, row: int = 0, points: np.ndarray | None = None) -> dict[str, Any]:
    """How a finished hand ended: contract, declarer, partner, card points, items, scores.

    Args:
        final: (B,) STATE. points: from `card_points` for the whole batch, if at hand already.
    """
    g = final[row]
    contract = int(g["contract"])
    ended: dict[str, Any] = {"contract": None if contract == NONE else engine.ruleset.contracts[contract].id}
    ended |= {seat: None if g[seat] == NONE else int(g[seat]) for seat in ("declarer", "partner")}
    counted = contract != NONE and engine.rules["objective"][0, contract] != Objective.TRICKS
    piles = card_points(engine, final[row : row + 1])[0] if points is None else points[row]
    ended["card_points"] = piles.tolist() if counted else None
    ended["items"] = items(engine, final, row)
    ended["scores"] = g["scores"][: engine.P].tolist()
    if g["session_over"] and g["hands_left"] != SINGLE:
        ended["settlement"] = g["settlement"][: engine.P].tolist()
    return ended


def card_points(engine: Engine, final: np.ndarray) -> np.ndarray:
    """Table points of each seat's own pile, int64 (B, P): its tricks, and the declarer's cards besides."""
    piles = final["won"][:, : engine.P].copy()
    for row in np.flatnonzero((final["declarer"] != NONE) & (final["contract"] != NONE)).tolist():
        share = counting.talon_share(final[row], engine.rules[0])
        piles[row, final["declarer"][row]] |= final["discards"][row] | np.uint64(share)
    points: np.ndarray = (cards_in(piles) @ THIRDS + 1) // 3
    return points


def items(engine: Engine, final: np.ndarray, row: int = 0) -> list[dict[str, Any]]:
    """The scored items of a finished hand."""
    g = final[row]
    kinds = ("game", *(bonus.id for bonus in engine.ruleset.bonuses))
    listed = []
    for i in range(int(g["n_items"])):
        side = int(g["item_side"][i])
        listed.append({
            "item": kinds[g["item_kind"][i]],
            "side": SIDE_NAMES[side] if side < 2 else side - 2,
            "announced": bool(g["item_announced"][i]),
            "contra": int(g["item_contra"][i]),
            "value": int(g["item_value"][i]),
        })  # fmt: skip
    return listed
