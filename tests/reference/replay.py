"""Judge game records without the engine: ``python -m tests.reference.replay FILE...`` (one record a line)."""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Sequence
from typing import Any

#: Ruleset id → module whose ``Referee`` judges it.
REFEREES = {
    "koenigrufen_pagat": "tests.reference.koenigrufen",
    "koenigrufen_furr": "tests.reference.koenigrufen",
    "tarok_furr_4p": "tests.reference.slovenian",
    "tarok_furr_3p": "tests.reference.slovenian",
    "slovenian_4p": "tests.reference.slovenian",
    "slovenian_3p": "tests.reference.slovenian",
    "illustrated_tarock": "tests.reference.illustrated",
}
FORMAT = "tarock-record/1"
RESULT_KEYS = ("contract", "declarer", "partner", "card_points", "scores")


def make_referee(record: dict[str, Any]) -> Any:
    """The referee of the record's ruleset, at the start of the record's hand."""
    module = importlib.import_module(REFEREES[record["ruleset"]])
    extra = {"packets": record["packets"]} if record.get("packets") is not None else {}
    return module.Referee(
        record["ruleset"],
        record.get("options") or {},
        record["dealer"],
        record["hands"],
        record["talon"],
        before=record.get("before"),
        **extra,
    )


def check_record(record: dict[str, Any]) -> list[str]:
    """All differences between the record and its referee; an empty list means they agree."""
    if record.get("format") != FORMAT:
        return [f"format is {record.get('format')!r}, not {FORMAT!r}"]
    if record.get("ruleset") not in REFEREES:
        return [f"no referee for ruleset {record.get('ruleset')!r}"]
    try:
        referee = make_referee(record)
    except (ValueError, KeyError) as error:
        return [f"the deal is refused: {error}"]
    differences, complete = check_actions(record, referee)
    return differences + check_result(record, referee) if complete else differences


def check_actions(record: dict[str, Any], referee: Any) -> tuple[list[str], bool]:
    """Drive the referee through the record; also says whether the hand came to its end there."""
    actions, seats, legal = record["actions"], record["seats"], record.get("legal")
    differences: list[str] = []
    if len(seats) != len(actions) or (legal is not None and len(legal) != len(actions)):
        return [f"{len(actions)} actions, {len(seats)} seats, {legal and len(legal)} legal sets"], False
    for index, (action, seat) in enumerate(zip(actions, seats, strict=True)):
        if referee.done:
            return [*differences, f"action {index} {action}: the hand is over"], False
        if referee.actor != seat:
            differences.append(f"action {index} {action}: record seat {seat}, referee {referee.actor}")
        if legal is not None:
            differences += compare_legal(index, legal[index], referee.legal())
        try:
            referee.apply(action)
        except ValueError as error:
            return [*differences, f"action {index}: {error}"], False
    if not referee.done:
        return [*differences, f"the hand is not over; seat {referee.actor} to move: {referee.legal()}"], False
    return differences, True


def compare_legal(index: int, record: Sequence[str], referee: Sequence[str]) -> list[str]:
    """The legal sets, whatever their order."""
    if sorted(record) == sorted(referee):
        return []
    more, less = sorted(set(record) - set(referee)), sorted(set(referee) - set(record))
    return [f"action {index}: legal only in the record {more}, only for the referee {less}"]


def check_result(record: dict[str, Any], referee: Any) -> list[str]:
    """Contract, sides, points, items and scores of the finished hand, and ``after`` if the record has it."""
    result = referee.result()
    differences = [
        f"{key}: record {record.get(key)!r}, referee {result.get(key)!r}"
        for key in RESULT_KEYS
        if record.get(key) != result.get(key)
    ]
    differences += compare_items(record["items"], result["items"])
    for key in ("after", "settlement"):
        if key in record and key in result and record[key] != result[key]:
            differences.append(f"{key}: record {record[key]!r}, referee {result[key]!r}")
    return differences + check_chosen_hands(record, referee)


def check_chosen_hands(record: dict[str, Any], referee: Any) -> list[str]:
    """After a knock the record's hands are the packets the players chose."""
    if record.get("packets") is None:
        return []
    chosen = [sorted(hand) for hand in referee.dealt_hands]
    if chosen == [sorted(hand) for hand in record["hands"]]:
        return []
    return [f"hands: record {record['hands']}, the chosen packets {referee.dealt_hands}"]


def compare_items(record: Sequence[dict[str, Any]], referee: Sequence[dict[str, Any]]) -> list[str]:
    """The scored items as a multiset."""
    ours = sorted(json.dumps(item, sort_keys=True) for item in referee)
    theirs = sorted(json.dumps(item, sort_keys=True) for item in record)
    if ours == theirs:
        return []
    differences = []
    for item in sorted(set(ours) | set(theirs)):
        if ours.count(item) != theirs.count(item):
            differences.append(f"item {item}: record {theirs.count(item)}×, referee {ours.count(item)}×")
    return differences


def main(paths: Sequence[str]) -> int:
    """Check every line of the files and print the differences; 1 if there are any."""
    bad = hands = 0
    started = time.perf_counter()
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                hands += 1
                differences = check_record(json.loads(line))
                bad += bool(differences)
                for difference in differences:
                    print(f"{path}:{number}: {difference}")
    seconds = time.perf_counter() - started
    print(f"{hands} hands, {bad} with differences, {hands / max(seconds, 1e-9):.0f} hands/s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
