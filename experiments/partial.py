"""The results of a match that is going on, chunk by chunk in a file: after a crash it goes on to the same figures.

The file is JSON lines: what is played, then a line for each chunk of deals. A line that a crash has torn is written again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from experiments import files, locks
from experiments.duplicate import ROLES, Cell, Chunk
from tarock_env.record import whole

FORMAT = "tarock-match/1"
MOST = 10**12  #: points and hands; more than any match has, so that no sum of them overflows


class Kept:
    """The chunks of one match in its file.

    Args:
        file: open for reading and appending, with a lock on it. settings: what decides the results.
        contracts: the names that a table of this match can hold.

    Raises:
        ValueError: the file holds another match, or something else.
    """

    def __init__(self, path: Path, file: IO[bytes], settings: Mapping[str, Any], contracts: Collection[str]) -> None:
        self._path, self._file, self._contracts = path, file, contracts
        head = {"format": FORMAT, "settings": json.loads(json.dumps(settings))}
        file.seek(0)
        text = file.read()
        whole = text[: text.rfind(b"\n") + 1]
        lines = [self._parsed(number, line) for number, line in enumerate(whole.splitlines(), start=1)]
        self._check_head(head, lines[0] if lines else None, text)
        self.chunks = [self._chunk(number, line) for number, line in enumerate(lines[1:], start=2)]
        self._check_order(settings["deals"], settings["chunk"])
        if len(whole) < len(text):
            os.truncate(path, len(whole))
        if not lines:
            self._append(head)

    def add(self, chunk: Chunk) -> None:
        """Keep one more chunk."""
        self._append(
            {
                "first": chunk.first,
                "differences": chunk.differences.tolist(),
                "raw": chunk.raw.tolist(),
                "contracts": {k: {role: vars(c) for role, c in roles.items()} for k, roles in chunk.contracts.items()},
            }
        )

    def _append(self, value: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(value).encode() + b"\n")
        self._file.flush()
        whole.sync(self._file.fileno())

    # ------------------------------------------------------------------ reading

    def _refused(self, reason: str) -> ValueError:
        return ValueError(f"{self._path}: {reason}; remove it, or give another --keep")

    def _parsed(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise self._refused(f"line {number} is no JSON object, so this is not the file of a match")
        return value

    def _check_head(self, head: Mapping[str, Any], found: Mapping[str, Any] | None, text: bytes) -> None:
        if found is None:
            if not (json.dumps(head).encode() + b"\n").startswith(text):
                raise self._refused("not the file of this match")
            return
        settings, told = head["settings"], found.get("settings")
        if found.get("format") != FORMAT or not isinstance(told, dict):
            raise self._refused(f"not the file of a match (format {FORMAT!r})")
        differing = sorted(key for key in settings if told.get(key, settings) != settings[key])
        if differing:
            raise self._refused(f"it holds another match, which differs in {', '.join(differing)}")

    def _chunk(self, number: int, line: Mapping[str, Any]) -> Chunk:
        try:
            table = {
                _one_of(self._contracts, name): {_one_of(ROLES, role): _cell(cell) for role, cell in roles.items()}
                for name, roles in line["contracts"].items()
            }
            differences, raw = (np.array([_float(x) for x in line[name]]) for name in ("differences", "raw"))
            return Chunk(_count(line["first"], 0, MOST), differences, raw, table)
        except (LookupError, TypeError, ValueError, AttributeError):
            raise self._refused(f"line {number} is not what a match keeps") from None

    def _check_order(self, deals: int, size: int) -> None:
        for i, chunk in enumerate(self.chunks):
            wanted = min(size, deals - i * size)
            if chunk.first != i * size or not len(chunk.differences) == len(chunk.raw) == wanted > 0:
                raise self._refused(f"line {i + 2} is not the chunk that follows")


def _one_of(names: Collection[str], name: str) -> str:
    if name not in names:
        raise ValueError(name)
    return name


def _cell(told: Mapping[str, Any]) -> Cell:
    """A line of the table: it is there because a hand was played, of which no more can be won than there are."""
    hands = _count(told["hands"], 1, MOST)
    return Cell(hands, _float(told["points"]), _count(told["won"], 0, hands))


def _count(value: object, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise ValueError(value)
    return value


def _float(value: object) -> float:
    if type(value) is not float or not abs(value) <= MOST:
        raise ValueError(value)
    return value


@contextmanager
def kept(path: Path | None, settings: Mapping[str, Any], contracts: Collection[str]) -> Iterator[Kept | None]:
    """The chunks in a file that is locked for so long; None where no file is wanted. Arguments as for `Kept`.

    Raises:
        ValueError: another process uses the file, or it holds something else.
    """
    if path is None:
        yield None
        return
    files.check_regular(path, "--keep", "a new file, or that of the same match")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with whole.naming(path), locks.holding(path), open(path, "a+b") as file:
            yield Kept(path, file, settings, contracts)
    except BlockingIOError:
        raise ValueError(f"--keep: another process is writing to {path}") from None
