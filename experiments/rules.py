"""`tarock rules ID`: the rules of a ruleset as a Markdown page, made from its data.

What a column or a value means is read from the `#:` comments beside it in `schema.py` and `codes.py`, so that a new column
explains itself here without a word in this file.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import inspect
import json
import re
import textwrap
from collections.abc import Iterable, Sequence
from enum import Enum, IntFlag
from pathlib import Path
from typing import Any

from tarock_env.cards import C
from tarock_env.codes import Objective
from tarock_env.rulesets import available, load
from tarock_env.rulesets.schema import Bonus, Contract, Option, Ruleset

NAME = "rules"
HELP = "the rules of one ruleset as a Markdown page: contracts, bonuses, options, actions"

#: columns of the two tables that the page gives a column of their own
CONTRACT_COLUMNS = ("rank", "doors", "value", "objective", "takes", "calls_king", "source")
CONTRACT_CELLS = (*CONTRACT_COLUMNS, "value_lost", "difference", "target")  #: shown there together with another column
BONUS_COLUMNS = ("value", "predicate", "cards", "owners", "announceable", "source")
BONUS_CELLS = (*BONUS_COLUMNS, "unit", "announced_factor")
#: columns that are no rules of the game
SILENT = ("id", "source", "bid_weight", "bonuses")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("ruleset", metavar="ID", help=f"one of {', '.join(available())}, or all (with --out)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write ID.md there instead of printing the page")


def run(args: argparse.Namespace) -> int:
    """Print the page, or write it."""
    names = available() if args.ruleset == "all" and args.out else (args.ruleset,)
    for ruleset in [load(name) for name in names]:
        if args.out is None:
            print(render_rules(ruleset), end="")
        else:
            args.out.mkdir(parents=True, exist_ok=True)
            (args.out / f"{ruleset.id}.md").write_text(render_rules(ruleset), encoding="utf-8")
    return 0


def render_rules(ruleset: Ruleset) -> str:
    """The page of a ruleset: Markdown, ending in a newline, the same for the same data."""
    parts = [_head(ruleset), *_contracts(ruleset), *_bonuses(ruleset)]
    parts += [_single(ruleset, name) for name in ruleset.tables]
    return "\n\n".join(part for part in [*parts, _options(ruleset), _actions(ruleset)] if part) + "\n"


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


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


# ------------------------------------------------------------------ parts


def _head(ruleset: Ruleset) -> str:
    contracts = " · ".join(f"`{row.id}`" for row in ruleset.contracts)
    return "\n".join([
        f"# {ruleset.title}",
        "",
        f"Ruleset `{ruleset.id}`, version {ruleset.version}, after document `{ruleset.document}`. This page is made",
        f"from the ruleset's data by `tarock rules {ruleset.id}`; sections name the rulebook.",
        "",
        f"- Players: {ruleset.players}",
        f"- Actions: {len(ruleset.actions)}",
        f"- Contracts: {contracts}",
        f"- Scale of a hand's score, for learners: {ruleset.reward_scale:g} points",
    ])  # fmt: skip


def _contracts(ruleset: Ruleset) -> list[str]:
    rows = [[f"`{row.id}`", *(_contract_cell(row, column) for column in CONTRACT_COLUMNS)] for row in ruleset.contracts]
    header = ["contract", "rank", "can be named", "value", "aim", "talon cards", "calls a king", "source"]
    first = "## Contracts\n\n" + table(header, rows)
    details = [[f"`{row.id}`", _details(row, CONTRACT_CELLS), _bonus_list(ruleset, row)] for row in ruleset.contracts]
    second = "### In detail\n\n" + table(["contract", "what is special", "bonuses"], details)
    return [first, second, _glossary(ruleset.contracts, CONTRACT_CELLS)]


def _contract_cell(row: Contract, column: str) -> str:
    value = getattr(row, column)
    if column == "value":
        lost = f" (lost: {row.value_lost})" if row.value_lost and row.value_lost != value else ""
        return f"{value}{lost}" + (" + difference" if row.difference else "")
    if column == "objective" and value == Objective.TRICKS:
        return f"exactly {row.target} tricks" if row.target != 1 else "exactly 1 trick"
    if column == "rank" and not value:
        return "–"
    return shown(value)


def _bonus_list(ruleset: Ruleset, row: Contract) -> str:
    if len(row.bonuses) == len(ruleset.bonuses):
        return "all"
    return ", ".join(f"`{name}`" for name in row.bonuses) or "none"


def _differing(row: Any, apart: Sequence[str]) -> list[str]:
    """The columns of a row that are not at their defaults."""
    return [
        field.name
        for field in dataclasses.fields(row)
        if field.name not in (*apart, *SILENT)
        and field.default is not dataclasses.MISSING
        and getattr(row, field.name) != field.default
    ]


def _details(row: Any, apart: Sequence[str]) -> str:
    parts = []
    for column in _differing(row, apart):
        value = getattr(row, column)
        parts.append(plain(column) if value is True else f"{plain(column)}: {shown(value)}")
    return "; ".join(parts) or "–"


def _glossary(rows: Sequence[Any], apart: Sequence[str]) -> str:
    """The meanings of the words that the tables of these rows use."""
    columns: dict[str, str] = meanings(rows[0].__class__)
    lines = [
        f"- *{plain(name)}*: {text}" for name, text in columns.items() if any(name in _differing(row, apart) for row in rows)
    ]
    for enum, names in _values_used(rows).items():
        explained = {name: text for name, text in meanings(enum).items() if name in names}
        lines += [f"- {plain(enum.__name__)} *{plain(name)}*: {text}" for name, text in explained.items()]
    return "\n".join(lines)


def _values_used(rows: Sequence[Any]) -> dict[Any, set[str]]:
    """The members of enumerations in these rows that are shown, by enumeration."""
    used: dict[Any, set[str]] = {}
    for row in rows:
        special = (*CONTRACT_COLUMNS, *BONUS_COLUMNS, *_differing(row, ()))
        for value in [getattr(row, column) for column in special if hasattr(row, column)]:
            for member in value if isinstance(value, IntFlag) else [value] if isinstance(value, Enum) else []:
                used.setdefault(member.__class__, set()).add(member.name or "")
    return used


def _bonuses(ruleset: Ruleset) -> list[str]:
    rows = [[f"`{row.id}`", *(_bonus_cell(row, column) for column in BONUS_COLUMNS), _details(row, BONUS_CELLS)]
            for row in ruleset.bonuses]  # fmt: skip
    header = ["bonus", "value", "made by", "cards", "owners", "can be announced", "source", "what is special"]
    return ["## Bonuses\n\n" + table(header, rows), _glossary(ruleset.bonuses, BONUS_CELLS)] if rows else []


def _bonus_cell(row: Bonus, column: str) -> str:
    value = getattr(row, column)
    if column == "value":
        return f"{value} × game" if row.unit else str(value)
    if column == "announceable":
        return f"yes, × {row.announced_factor}" if value else "no"
    return shown(value) if value != () else "–"


def _single(ruleset: Ruleset, name: str) -> str:
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
    return f"## {plain(name).capitalize()}\n\n" + table(["rule", "value", "meaning"], rows)


def _options(ruleset: Ruleset) -> str:
    if not ruleset.options:
        return "## Options\n\nNone."
    rows = [[f"`{o.name}`", _values(o), o.meaning + _needs(o), o.source] for o in ruleset.options]
    return "## Options\n\nDefaults in bold.\n\n" + table(["option", "values", "meaning", "source"], rows)


def _values(option: Option) -> str:
    listed = [f"**{_json(value)}**" if value == option.default else _json(value) for value in option.values]
    if option.number:
        listed.append(f"any whole number of at least {option.least}")
    if option.bonus_values:
        listed += [f"**{json.dumps(option.default)}**", f"an object: any of {shown(option.bonus_values)} with its value"]
    return " · ".join(listed)


def _json(value: Any) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else "–" if value is None else str(value)


def _needs(option: Option) -> str:
    needs = [f"{_json(value)} needs `{name}` = {_json(wanted)}" for value, (name, wanted) in option.requires.items()]
    return f" ({'; '.join(needs)})" if needs else ""


def _actions(ruleset: Ruleset) -> str:
    names = ruleset.actions.names
    rows = [["cards", f"0 … {C - 1}", "a card's code: `SK`, `H1`, `T22` … (discarding and playing)"]]
    for kind, part in ruleset.actions.slices.items():
        if kind != "cards" and part.stop > part.start:
            indices = f"{part.start} … {part.stop - 1}" if part.stop - part.start > 1 else str(part.start)
            rows.append([kind, indices, ", ".join(f"`{name}`" for name in names[part])])
    return "## Actions\n\n" + table(["kind", "indices", "names"], rows)
