"""Replaying records, and comparing them with what the engine says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tarock_env.cards import TRUMPS
from tarock_env.codes import Compulsory, Phase, Zero
from tarock_env.engine.batch import Engine
from tarock_env.record.course import Course, follow, names_of
from tarock_env.record.opening import Opening, RecordError, open_record
from tarock_env.record.writing import card_points, dealt_hands, result, session_state
from tarock_env.rulesets.shown import short

UNKNOWN = 255  #: stands in a log for a name that the ruleset does not have; never legal

_EXACT = ("contract", "declarer", "partner", "card_points", "scores", "settlement")


def replay(record: Mapping[str, Any], decision: int | None = None) -> tuple[Engine, np.ndarray]:
    """The engine and state of a record, before decision number `decision` (from 0) or after all its actions.

    Returns:
        Engine and (1,) STATE.

    Raises:
        RecordError: the record cannot be read or set up, holds an illegal action before that decision (the message gives
            its number), or has fewer decisions.
    """
    opening = open_record(record)
    wanted = len(record["actions"]) if decision is None else decision
    if isinstance(wanted, bool) or not isinstance(wanted, int) or not 0 <= wanted <= len(record["actions"]):
        raise RecordError(f"decision is {short(decision)}; allowed: 0 … {len(record['actions'])}")
    course = _follow([opening], [record["actions"][:wanted]])
    if course.reached[0] < wanted:
        raise RecordError(_refusal(opening, course, 0))
    return opening.engine, course.final


def verify(record: Mapping[str, Any]) -> list[str]:
    """What in a record the engine disagrees with, in the order of the record; an empty list if nothing.

    Only keys that are present are compared. An illegal action ends the comparison, since nothing after it can be judged.

    Raises:
        RecordError: the record cannot be read, or its deal cannot be set up.
    """
    return verify_all([open_record(record)])[0]


def verify_all(openings: Sequence[Opening]) -> list[list[str]]:
    """`verify` for many records at once: those of one ruleset and options are carried out together."""
    found: list[list[str]] = [[] for _ in openings]
    groups: dict[int, list[int]] = {}
    for i, opening in enumerate(openings):
        groups.setdefault(id(opening.engine), []).append(i)
    for members in groups.values():
        chosen = [openings[i] for i in members]
        course = _follow(chosen, [opening.record["actions"] for opening in chosen])
        points = card_points(chosen[0].engine, course.final)
        for row, (i, opening) in enumerate(zip(members, chosen, strict=True)):
            found[i] = _compare(opening, course, row, points)
    return found


def _follow(openings: Sequence[Opening], actions: Sequence[Sequence[str]]) -> Course:
    engine = openings[0].engine
    counts = np.array([len(names) for names in actions], np.int64)
    log = np.full((len(actions), max(int(counts.max(initial=0)), 1)), UNKNOWN, np.uint8)
    for row, names in enumerate(actions):
        log[row, : len(names)] = [index if (index := engine.actions.get(name)) >= 0 else UNKNOWN for name in names]
    return follow(engine, np.concatenate([opening.state for opening in openings]), log, counts)


def _compare(opening: Opening, course: Course, row: int, points: np.ndarray) -> list[str]:
    record, engine, reached = opening.record, opening.engine, int(course.reached[row])
    differences = _compare_opening(opening) + _compare_seats(record, course, row)
    differences += _compare_legal(record, engine, course, row)
    if reached < len(record["actions"]):
        return [*differences, _refusal(opening, course, row)]
    if not course.final["done"][row]:
        g = course.final[row]
        legal = ", ".join(names_of(engine, g["legal_cards"], g["legal_calls"]))
        return [*differences, f"decision {reached}: actions end, but the hand does not; seat {g['actor']} to act: {legal}"]
    if record.get("packets") is not None:
        differences += _compare_hands(record["hands"], dealt_hands(engine, opening.state, course.final[row : row + 1], 0))
    ended = result(engine, course.final, row, points)
    told = record.get("card_points")
    if ended["contract"] is None and (not told or (isinstance(told, list) and not any(told))):
        ended["card_points"] = told  # nothing was played: null and zeros say the same
    differences += [
        f"{key}: record {record[key]!r}, engine {ended[key]!r}"
        for key in _EXACT
        if key in record and key in ended and _canonical(record[key]) != _canonical(ended[key])
    ]
    if "items" in record:
        differences += _compare_items(record["items"], ended["items"])
    return differences + _compare_after(record, session_state(engine, course.final, row))


def _refusal(opening: Opening, course: Course, row: int) -> str:
    """What is wrong with the first action that could not be carried out."""
    g = course.final[row]
    position = int(course.reached[row])
    name = opening.record["actions"][position]
    if g["done"]:
        return f"decision {position}: {name!r} comes after the end of the hand"
    legal = ", ".join(names_of(opening.engine, g["legal_cards"], g["legal_calls"]))
    phase = Phase(int(g["phase"])).name.lower()
    return f"decision {position}: {name!r} is not legal for seat {g['actor']} in phase {phase}; legal: {legal}"


def _compare_opening(opening: Opening) -> list[str]:
    """Deals that are thrown in, and a compulsory hand without its reason: none of them is ever played. Source: B1, D1."""
    g, rules = opening.state[0], opening.engine.ruleset
    seats, reason = range(opening.engine.P), int(g["compulsory"])
    differences = []
    if rules.deal.redeal_trumpless and (rules.deal.redeal_in_compulsory or reason == Compulsory.NO):
        differences += [
            f"hands: seat {seat} has no trump; such a deal is thrown in and dealt again"
            for seat in seats
            if g["hands"][seat] and not int(g["hands"][seat]) & int(TRUMPS)
        ]
    if reason == Compulsory.SCORE and rules.session.zero_rule and rules.session.zero != Zero.NEVER:
        step = rules.session.zero_step
        totals = [int(g["totals"][seat]) for seat in seats]
        if not any(total == 0 or (step and total % step == 0) for total in totals):
            wanted = f"0 or a multiple of {step}" if step else "0"
            differences.append(f"before: compulsory is 'score', but no total of {totals} is {wanted}")
    return differences


def _compare_seats(record: Mapping[str, Any], course: Course, row: int) -> list[str]:
    if "seats" not in record:
        return []
    told, n = record["seats"], len(record["actions"])
    if len(told) != n:
        return [f"seats: {len(told)} entries for {n} actions"]
    return [
        f"decision {t}: record seat {told[t]}, engine seat {seat}"
        for t, seat in enumerate(course.seats[row, : course.reached[row]].tolist())
        if told[t] != seat
    ]


def _compare_legal(record: Mapping[str, Any], engine: Engine, course: Course, row: int) -> list[str]:
    told = record.get("legal")
    if told is None:
        return []
    if len(told) != len(record["actions"]):
        return [f"legal: {len(told)} sets for {len(record['actions'])} actions"]
    differences = []
    for t in range(min(int(course.reached[row]) + 1, len(told), course.cards.shape[1])):
        legal = set(names_of(engine, course.cards[row, t], course.calls[row, t]))
        if legal and legal != set(told[t]):
            more, less = sorted(set(told[t]) - legal), sorted(legal - set(told[t]))
            differences.append(f"decision {t}: legal only in the record: {more}, only for the engine: {less}")
    return differences


def _compare_hands(told: Sequence[Sequence[str]], dealt: Sequence[Sequence[str]]) -> list[str]:
    return [
        f"hands: seat {seat} has {sorted(mine)} in the record, but took the packet {sorted(theirs)}"
        for seat, (mine, theirs) in enumerate(zip(told, dealt, strict=True))
        if sorted(mine) != sorted(theirs)
    ]


def _compare_items(told: Sequence[Mapping[str, Any]], scored: Sequence[Mapping[str, Any]]) -> list[str]:
    """Both lists as multisets."""
    theirs, ours = Counter(map(_canonical, told)), Counter(map(_canonical, scored))
    return [
        f"items: {item} {theirs[item]} times in the record, {ours[item]} times for the engine"
        for item in {**theirs, **ours}
        if theirs[item] != ours[item]
    ]


def _compare_after(record: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    told = record.get("after") or {}
    return [
        f"after: {key} is {told[key]!r} in the record, {value!r} for the engine"
        for key, value in after.items()
        if key in told and _canonical(told[key]) != _canonical(value)
    ]


def _canonical(value: Any) -> str:
    """Equal for equal JSON; tells true from 1."""
    return json.dumps(value, sort_keys=True)
