"""Columns of a ruleset's tables and their values, in words.

What a column or a value means is read from the `#:` comments beside it in `schema.py` and `codes.py`, so that a new column
explains itself here without a word in this package.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
import textwrap
from collections.abc import Iterable, Sequence
from enum import Enum, IntFlag
from typing import Any

from tarock_env.rulesets.schema import Ruleset

#: columns that are no rules of the game
SILENT = ("id", "source", "bid_weight", "bonuses")


# ------------------------------------------------------------------ words


@functools.cache
def meanings(row: Any) -> dict[str, str]:
    """What the columns of a dataclass, or the members of an enumeration, mean: their `#:` comments."""
    found = {}
    for line in textwrap.dedent(inspect.getsource(row)).splitlines():
        match = re.match(r" {4}(\w+)(?:: [^=#]+)?(?: = .*?)?\s+#: (.*)$", line)
        if match:
            found[match[1]] = match[2]
    return found


def plain(name: str) -> str:
    """An identifier as words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower().replace("_", " ")


def shown(value: Any) -> str:
    """A value for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, IntFlag):
        return ", ".join(plain(member.name or "") for member in value) or "none"
    if isinstance(value, Enum):
        return plain(value.name)
    if isinstance(value, tuple):
        return ", ".join(shown(member) for member in value) or "none"
    return str(value)


def json_word(value: Any) -> str:
    """A value as it is written in JSON, without quotes; a dash for none."""
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else "–" if value is None else str(value)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


# ------------------------------------------------------------------ columns of a row


def differing(row: Any, apart: Sequence[str]) -> list[str]:
    """The columns of a row that are not at their defaults."""
    return [
        field.name
        for field in dataclasses.fields(row)
        if field.name not in (*apart, *SILENT)
        and field.default is not dataclasses.MISSING
        and getattr(row, field.name) != field.default
    ]


def details(row: Any, apart: Sequence[str]) -> str:
    """The columns of a row that are not at their defaults, in words."""
    parts = []
    for column in differing(row, apart):
        value = getattr(row, column)
        parts.append(plain(column) if value is True else f"{plain(column)}: {shown(value)}")
    return "; ".join(parts) or "–"


def glossary(rows: Sequence[Any], apart: Sequence[str]) -> str:
    """The meanings of the words that the last columns of these tables use."""
    if not rows:
        return ""
    columns: dict[str, str] = meanings(rows[0].__class__)
    used = [name for name in columns if any(name in differing(row, apart) for row in rows)]
    lines = [f"- *{plain(name)}*: {columns[name]}" for name in used]
    for enum, names in _values_used(rows, apart).items():
        explained = {name: text for name, text in meanings(enum).items() if name in names}
        lines += [f"- {plain(enum.__name__)} *{plain(name)}*: {text}" for name, text in explained.items()]
    return "\n".join(lines)


def _values_used(rows: Sequence[Any], apart: Sequence[str]) -> dict[Any, set[str]]:
    """The members of enumerations that the last columns show, by enumeration."""
    used: dict[Any, set[str]] = {}
    for row in rows:
        for value in [getattr(row, column) for column in differing(row, apart)]:
            for member in value if isinstance(value, IntFlag) else [value] if isinstance(value, Enum) else []:
                used.setdefault(member.__class__, set()).add(member.name or "")
    return used


def single(ruleset: Ruleset, name: str) -> str:
    """One of the single tables: every column with its value, those that differ from the plain case in bold."""
    row = getattr(ruleset, name)
    rows = []
    for field in dataclasses.fields(row):
        value = getattr(row, field.name)
        if isinstance(value, tuple) and value and isinstance(value[0], tuple):
            value = " ".join("talon:" + str(n) if seat < 0 else f"{seat}:{n}" for seat, n in value)
        text = shown(value)
        explained = meanings(type(value)).get(value.name or "", "") if isinstance(value, Enum) else ""
        differs = field.default is dataclasses.MISSING or getattr(row, field.name) != field.default
        rows.append([
            plain(field.name),
            (f"**{text}**" if differs else text) + (f" – {explained}" if explained else ""),
            meanings(row.__class__).get(field.name, ""),
        ])  # fmt: skip
    return f"### {plain(name).capitalize()}\n\n" + table(["column", "value", "meaning"], rows)
