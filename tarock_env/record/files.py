"""Records in files: JSON lines, and Parquet for data sets."""

from __future__ import annotations

import codecs
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tarock_env.record.opening import FORMAT, RecordError, parse
from tarock_env.record.strict import loads


def to_line(record: Mapping[str, Any]) -> str:
    """A record as one line of JSON, newline included; halves of letters, which UTF-8 does not have, stay escaped."""
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="backslashreplace").decode() + "\n"


def write_lines(path: str | os.PathLike[str], records: Iterable[Mapping[str, Any]]) -> int:
    """Write a new file of records; how many there were."""
    return _write(path, records, "w")


def append_lines(path: str | os.PathLike[str], records: Iterable[Mapping[str, Any]]) -> int:
    """Add records to a file; how many there were."""
    return _write(path, records, "a")


def _write(path: str | os.PathLike[str], records: Iterable[Mapping[str, Any]], mode: str) -> int:
    count = 0
    with open(path, mode, encoding="utf-8", newline="\n") as file:
        for record in records:
            file.write(to_line(record))
            count += 1
    return count


def read_lines(path: str | os.PathLike[str]) -> Iterator[dict[str, Any]]:
    """The records of a file, one after the other; empty lines are passed over.

    Raises:
        RecordError: with the number of the line that cannot be read.
        OSError: the file cannot be opened.
    """
    for number, text in numbered_lines(path):
        try:
            yield parse(text)
        except RecordError as error:
            raise RecordError(f"{os.fspath(path)}, line {number}: {error}") from None


def numbered_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, bytes]]:
    """Line numbers (from 1) and bytes of the lines that are not empty, without a byte order mark."""
    with open(path, "rb") as file:
        for number, line in enumerate(file, start=1):
            text = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
            if text.strip():
                yield number, text


#: keys whose values have no fixed columns; they are kept as JSON text
_AS_TEXT = ("options", "before", "after", "session", "items", "meta")


def write_parquet(path: str | os.PathLike[str], records: Iterable[Mapping[str, Any]]) -> int:
    """Write records as a Parquet table, one row a hand; how many there were.

    Cards and actions are lists of strings; options, session state, items and meta are JSON text. Needs the extra `data`.
    """
    import pyarrow
    import pyarrow.parquet

    rows = [_flat(record) for record in records]
    table = pyarrow.Table.from_pylist(rows, schema=_schema(pyarrow))
    pyarrow.parquet.write_table(table, os.fspath(path), compression="zstd")
    return len(rows)


def _schema(pyarrow: Any) -> Any:
    text, small = pyarrow.string(), pyarrow.int8()
    lists = {"hands": pyarrow.list_(pyarrow.list_(text)), "packets": pyarrow.list_(pyarrow.list_(text))}
    lists |= {"talon": pyarrow.list_(text), "actions": pyarrow.list_(text), "legal": pyarrow.list_(pyarrow.list_(text))}
    numbers = {"dealer": small, "declarer": small, "partner": small, "seats": pyarrow.list_(small)}
    numbers |= {key: pyarrow.list_(pyarrow.int32()) for key in ("card_points", "scores", "settlement")}
    texts = dict.fromkeys(("format", "ruleset", "contract", *_AS_TEXT), text)
    return pyarrow.schema(list((texts | lists | numbers).items()), metadata={"format": FORMAT})


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: json.dumps(value) if key in _AS_TEXT and value is not None else value for key, value in record.items()}


def read_parquet(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The records of a Parquet table that `write_parquet` made.

    Raises:
        RecordError: it is no table of records, or one whose texts are no JSON.
        OSError: the file cannot be opened.
    """
    import pyarrow
    import pyarrow.parquet

    with open(path, "rb"):
        pass  # so that a missing file is the system's error, and anything else the file's
    try:
        table = pyarrow.parquet.read_table(Path(path))
        rows = table.to_pylist()
    except (pyarrow.ArrowException, OSError, ValueError, TypeError) as error:
        raise RecordError(f"{os.fspath(path)}: not a Parquet table: {' '.join(str(error).split())}") from None
    if (table.schema.metadata or {}).get(b"format") != FORMAT.encode():
        raise RecordError(f"{os.fspath(path)}: not a table of {FORMAT} records")
    return [_restored(row, f"{os.fspath(path)}, row {number}") for number, row in enumerate(rows)]


def _restored(row: Mapping[str, Any], where: str) -> dict[str, Any]:
    optional = {"packets", "before", "after", "session", "legal", "settlement", "meta"}
    kept = {key: value for key, value in row.items() if value is not None or key not in optional}
    for key in kept.keys() & set(_AS_TEXT):
        try:
            kept[key] = None if kept[key] is None else loads(kept[key])
        except (ValueError, TypeError) as error:
            raise RecordError(f"{where}: {key} is no JSON text: {error}") from None
    return kept
