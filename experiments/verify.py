"""`tarock verify`: replay the records of a file and compare all they say with the engine."""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from experiments import arguments, warm
from tarock_env import record as records
from tarock_env.record.files import numbered_lines
from tarock_env.rulesets.shown import printable

NAME = "verify"
HELP = "replay records and compare all they say"

AGREE, DISAGREE, UNREADABLE = 0, 1, 2
BATCH = 512
NAMED = 5  #: lines that the summary names

#: ruleset and id of a session -> number of its last hand, and what that left
Sessions = dict[tuple[str, str], tuple[int, Mapping[str, Any]]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("file", type=Path, metavar="FILE.jsonl")
    parser.add_argument(
        "--show", type=arguments.whole(0), default=20, metavar="N",
        help="how many differences to print; default: %(default)s",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Print differences by line and decision (both as counted in the file: lines from 1, decisions from 0)."""
    agree, differ, unread = Lines(), Lines(), Lines()
    shown = 0
    for number, unreadable, differences in check(args.file):
        (unread if unreadable else differ if differences else agree).add(number)
        for difference in differences:
            shown += 1
            if shown <= args.show:
                print(printable(f"{args.file}, line {number}: {difference}"), file=sys.stderr if unreadable else sys.stdout)
    if shown > args.show:
        print(f"… and {shown - args.show} more such lines")
    total = agree.count + differ.count + unread.count
    if not total:
        raise ValueError(f"{args.file}: no records in it")
    parts = (
        f"{agree.count} {'agrees' if agree.count == 1 else 'agree'} with the engine",
        f"{differ.count} {'differs' if differ.count == 1 else 'differ'}{differ}",
        f"{unread.count} cannot be read{unread}",
    )
    print(f"{args.file}: {total} {'record' if total == 1 else 'records'}: {', '.join(parts)}")
    return UNREADABLE if unread.count else DISAGREE if differ.count else AGREE


class Lines:
    """Some lines of a file: how many, and the numbers of the first."""

    def __init__(self) -> None:
        self.count = 0
        self.first: list[int] = []

    def add(self, number: int) -> None:
        """One more line."""
        self.count += 1
        if len(self.first) < NAMED:
            self.first.append(number)

    def __str__(self) -> str:
        """Where they are, in parentheses; empty where there are none."""
        if not self.count:
            return ""
        more = self.count - len(self.first)
        numbers = ", ".join(map(str, self.first)) + (f" and {more} more" if more else "")
        return f" ({'line' if self.count == 1 else 'lines'} {numbers})"


def check(path: Path) -> Iterator[tuple[int, bool, list[str]]]:
    """For each line: its number, whether it is unreadable, and what is wrong with it."""
    sessions: Sessions = {}
    lines = numbered_lines(path)
    while batch := list(itertools.islice(lines, BATCH)):
        warm.ensure()
        opened: dict[int, records.Opening] = {}
        refused: dict[int, str] = {}
        for number, text in batch:
            try:
                opened[number] = records.open_record(records.parse(text))
            except records.RecordError as error:
                refused[number] = str(error)
        found = _compared(opened, refused)
        for number, _ in batch:
            if number in refused:
                yield number, True, [refused[number]]
            else:
                yield number, False, found[number] + _broken_chain(sessions, opened[number].record)


def _compared(opened: dict[int, records.Opening], refused: dict[int, str]) -> dict[int, list[str]]:
    """The differences of each record; one that cannot be compared at all is added to `refused`."""
    try:
        return dict(zip(opened, records.verify_all(list(opened.values())), strict=True))
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        if len(opened) == 1:
            refused[next(iter(opened))] = f"cannot be compared: {error}"
            return {}
    found: dict[int, list[str]] = {}
    for number, opening in opened.items():
        found |= _compared({number: opening}, refused)
    return found


def _broken_chain(sessions: Sessions, record: Mapping[str, Any]) -> list[str]:
    """What does not continue the hand before it in the same session; remembers this one.

    A file may hold some hands of a session only: hand 0 begins anew, after a gap nothing can be compared. A blank `before`
    is the beginning of a new match and continues anything.
    """
    session = record.get("session")
    if session is None:
        return []
    name, hand = str(session["id"]), session["hand"]
    last = sessions.get((record["ruleset"], name))
    sessions[record["ruleset"], name] = (hand, record.get("after") or {})
    if last is None or hand == 0 or hand > last[0] + 1:
        return []
    if hand <= last[0]:
        return [f"session: hand {hand} of session {name} comes after hand {last[0]}; allowed: later hands, or hand 0"]
    before, after = record.get("before") or {}, last[1]
    if not after:
        return []
    if not any(before.get("scores") or ()) and not any(before.get("rings") or ()):
        return []
    broken = [key for key in ("scores", "rings") if key in before and key in after and before[key] != after[key]]
    dealt_again = before.get("compulsory") == "no_trumps"
    if before.get("compulsory") != after.get("compulsory") and not dealt_again:
        broken.append("compulsory")
    return [
        f"before: {key} is {before.get(key)!r}, but hand {hand - 1} of session {name} left {after.get(key)!r}"
        for key in broken
    ]
