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

from experiments import sentences
from tarock_env.cards import C
from tarock_env.codes import (
    Announcing,
    Exposed,
    Leader,
    Objective,
    Owners,
    PagatLock,
    Payment,
    Predicate,
    SilentFailure,
    Unit,
)
from tarock_env.encoding import layout
from tarock_env.rulesets import available, load
from tarock_env.rulesets.schema import Bonus, Contract, Option, Patch, Ruleset

NAME = "rules"
HELP = "the rules of one ruleset as a Markdown page: contracts, bonuses, options, actions, observation"

#: columns that the tables of contracts and bonuses put into words; all others that differ from the plain case stand in
#: their last column
TOLD_OF_CONTRACTS = (
    "rank", "doors", "value", "value_lost", "difference", "objective", "target", "takes", "rest", "talon_shown",
    "calls_king", "leader", "forced", "pagat_lock", "pagat_exception", "colour", "lead_ban", "trump_duty", "emperor",
    "exposed", "exposed_from", "announcing", "settled", "doubling", "multiplier",
)  # fmt: skip
TOLD_OF_BONUSES = (
    "value", "predicate", "cards", "trick_from_end", "owners", "unit", "announced_factor", "early_factor", "announceable",
    "silent_failure", "threshold",
)  # fmt: skip
#: columns that are no rules of the game
SILENT = ("id", "source", "bid_weight", "bonuses")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("ruleset", metavar="ID", help=f"one of {', '.join(available())}, or all (with --out)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write ID.md there instead of printing the page")


def run(args: argparse.Namespace) -> int:
    """Print the page, or write it."""
    if args.ruleset == "all" and args.out is None:
        raise ValueError("`rules all` writes a page for each ruleset; give --out FOLDER")
    names = available() if args.ruleset == "all" else (args.ruleset,)
    for ruleset in [load(name) for name in names]:
        if args.out is None:
            print(render_rules(ruleset), end="")
        else:
            args.out.mkdir(parents=True, exist_ok=True)
            (args.out / f"{ruleset.id}.md").write_text(render_rules(ruleset), encoding="utf-8")
    return 0


def render_rules(ruleset: Ruleset) -> str:
    """The page of a ruleset: Markdown, ending in a newline, the same for the same data."""
    parts = [
        _head(ruleset),
        _told("Deal", sentences.deal(ruleset)),
        *_contracts(ruleset),
        _told("Auction", sentences.auction(ruleset)),
        _told("King, talon, discards", sentences.exchange(ruleset)),
        _told("Announcements and kontra", sentences.announcements(ruleset)),
        *_bonuses(ruleset),
        _told("Scoring", sentences.scoring(ruleset)),
        _told("Session", sentences.session(ruleset)),
        *_options(ruleset),
        _actions(ruleset),
        _observation(ruleset),
        "## All columns\n\nThe single tables of the ruleset. What differs from the plain case is in bold.",
        *(_single(ruleset, name) for name in ruleset.tables),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _told(heading: str, said: Sequence[str]) -> str:
    return "\n".join([f"## {heading}", "", *(f"- {sentence}" for sentence in said)])


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
    plan = layout(ruleset)
    return "\n".join([
        f"# {ruleset.title}",
        "",
        f"Ruleset `{ruleset.id}`, version {ruleset.version}, after document `{ruleset.document}`. This page is made from",
        f"the ruleset's data by `tarock rules {ruleset.id}`, at the defaults of all options; it is never edited by hand.",
        "Sources such as `K3.2` or `S0-12` are explained in [decisions](../decisions.md), records and action names in",
        "[records](../records.md).",
        "",
        f"- Players: {ruleset.players}",
        f"- Contracts: {sentences.listed(row.id for row in ruleset.contracts)}",
        f"- Actions: A = {len(ruleset.actions)}",
        f"- Observation: F = {plan.F}, layout version `{plan.version}`",
        f"- Scale of a hand's score, for learners: {ruleset.reward_scale:g} points",
    ])  # fmt: skip


def _contracts(ruleset: Ruleset) -> list[str]:
    header = ["contract", "rank", "can be named", "value", "aim", "partner", "talon", "source"]
    rows = [
        [
            f"`{row.id}`",
            str(row.rank or "–"),
            "; ".join(sentences.DOORS[door] for door in row.doors),
            _value(ruleset, row),
            sentences.aim(row),
            _partner(row),
            sentences.talon_words(row),
            row.source,
        ]
        for row in ruleset.contracts
    ]
    first = "## Contracts\n\n" + table(header, rows)
    header = ["contract", "leads", "play", "announcements", "bonuses", "also"]
    rows = [
        [
            f"`{row.id}`",
            _leader(row),
            _play(row),
            {Announcing.NOTHING: "–", Announcing.GAME: "only the game is doubled", Announcing.ALL: "yes"}[row.announcing],
            _bonus_list(ruleset, row),
            _details(row, TOLD_OF_CONTRACTS),
        ]
        for row in ruleset.contracts
    ]
    return [first, "### How they are played\n\n" + table(header, rows), _glossary(ruleset.contracts, TOLD_OF_CONTRACTS)]


def _value(ruleset: Ruleset, row: Contract) -> str:
    times = f" × {row.multiplier}" if row.multiplier > 1 else ""
    if row.objective == Objective.FEWEST:
        return "see scoring"
    if ruleset.scoring.payment == Payment.POSITIVE:
        return f"game{times}"
    lost = f" (lost: {row.value_lost})" if row.value_lost and row.value_lost != row.value else ""
    return f"{row.value}{lost}" + (" + difference" if row.difference else "") + times


def _partner(row: Contract) -> str:
    if row.objective == Objective.FEWEST:
        return "–"
    return "called king" if row.calls_king else "none"


def _leader(row: Contract) -> str:
    return "declarer" if row.leader == Leader.DECLARER and row.objective != Objective.FEWEST else "forehand"


def _play(row: Contract) -> str:
    """Duties and rights in the play, in words."""
    said = ["beat the trick if you can"] if row.forced else []
    if row.pagat_lock != PagatLock.NEVER:
        until = "it is the last trump" if row.pagat_lock == PagatLock.LAST_TRUMP else "nothing else is legal"
        said.append(f"T1 is kept until {until}" + (", save to win an Emperor trick" if row.pagat_exception else ""))
    if row.colour:
        said.append("trumps win only where they were led")
    if row.lead_ban:
        said.append("trumps are led only when nothing else is left")
    if not row.trump_duty:
        said.append("who cannot follow may play anything")
    if row.emperor:
        said.append("Emperor trick" + (" where trumps were led" if row.colour else ""))
    if row.exposed != Exposed.NOBODY:
        whose = "all hands" if row.exposed == Exposed.ALL else "the declarer's hand"
        said.append(f"{whose} open " + (f"after trick {row.exposed_from}" if row.exposed_from else "before the first lead"))
    return "; ".join(said) or "–"


def _bonus_list(ruleset: Ruleset, row: Contract) -> str:
    if row.bonuses and len(row.bonuses) == len(ruleset.bonuses):
        return "all"
    return sentences.listed(row.bonuses) or "–"


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
    """The meanings of the words that the last columns of these tables use."""
    if not rows:
        return ""
    columns: dict[str, str] = meanings(rows[0].__class__)
    used = [name for name in columns if any(name in _differing(row, apart) for row in rows)]
    lines = [f"- *{plain(name)}*: {columns[name]}" for name in used]
    for enum, names in _values_used(rows, apart).items():
        explained = {name: text for name, text in meanings(enum).items() if name in names}
        lines += [f"- {plain(enum.__name__)} *{plain(name)}*: {text}" for name, text in explained.items()]
    return "\n".join(lines)


def _values_used(rows: Sequence[Any], apart: Sequence[str]) -> dict[Any, set[str]]:
    """The members of enumerations that the last columns show, by enumeration."""
    used: dict[Any, set[str]] = {}
    for row in rows:
        for value in [getattr(row, column) for column in _differing(row, apart)]:
            for member in value if isinstance(value, IntFlag) else [value] if isinstance(value, Enum) else []:
                used.setdefault(member.__class__, set()).add(member.name or "")
    return used


def _bonuses(ruleset: Ruleset) -> list[str]:
    header = ["bonus", "made when", "sides", "silent", "silent and failed", "announced", "also", "source"]
    rows = [
        [
            f"`{row.id}`",
            _made_when(row),
            {Owners.BOTH: "both", Owners.DECLARERS: "declarer's", Owners.DEFENCE: "defence"}[row.owners],
            _worth(row, 1),
            {SilentFailure.NEVER: "–"}.get(row.silent_failure, f"−{_worth(row, 1)} {_bungled(row)}"),
            _announced(ruleset, row),
            _details(row, TOLD_OF_BONUSES),
            row.source,
        ]
        for row in ruleset.bonuses
        if row.exists
    ]
    if not rows:
        return []
    note = "An announced bonus that is not made costs what it would have brought."
    return ["## Bonuses\n\n" + table(header, rows), note, _glossary(ruleset.bonuses, TOLD_OF_BONUSES)]


def _worth(row: Bonus, factor: int) -> str:
    if row.predicate in (Predicate.REACHES, Predicate.WITHOUT) and factor == 1:
        return "–"
    return f"{row.value * factor} × game" if row.unit == Unit.GAMES else str(row.value * factor)


def _bungled(row: Bonus) -> str:
    return "if beaten by the other side" if row.silent_failure == SilentFailure.BEATEN_BY_OTHERS else "if beaten"


def _announced(ruleset: Ruleset, row: Bonus) -> str:
    """Values of the announced bonus; where there is an announcement in the bid, that one too."""
    if not row.announceable:
        return "no"
    if row.predicate in (Predicate.DECLARES_ALL, Predicate.DECLARES_TWO):
        return "declared"
    late = f"{row.value * row.announced_factor} × game" if row.unit == Unit.GAMES else str(row.value * row.announced_factor)
    return f"{late}; in the bid {row.value * row.announced_factor * row.early_factor}" if ruleset.auction.talks else late


def _made_when(row: Bonus) -> str:
    """The condition of a bonus, in words."""
    cards = ", ".join(row.cards)
    trick = "the last trick" if not row.trick_from_end else f"the last trick but {row.trick_from_end}"
    if row.predicate == Predicate.CARD_WINS:
        return f"{cards} itself wins {trick}"
    if row.predicate == Predicate.REACHES:
        return f"the declarer's side has {row.threshold} card points"
    if row.predicate == Predicate.DECLARES_TWO:
        return f"a player's hand holds exactly two of {cards}"
    text = meanings(Predicate)[row.predicate.name]
    return text.replace("a card of `cards`", " or ".join(row.cards)).replace("`cards`", cards)


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
    return f"### {plain(name).capitalize()}\n\n" + table(["column", "value", "meaning"], rows)


def _options(ruleset: Ruleset) -> list[str]:
    if not ruleset.options:
        return ["## Options\n\nNone."]
    rows = [[f"`{o.name}`", _values(o), o.meaning + _needs(o), o.source] for o in ruleset.options]
    first = "## Options\n\nDefaults in bold.\n\n" + table(["option", "values", "meaning", "source"], rows)
    changes = [
        [f"`{o.name}` = {_json(value)}", "; ".join(_patch(patch) for patch in patches) or "nothing in this ruleset"]
        for o in ruleset.options
        for value, patches in o.values.items()
        if value != o.default
    ]
    second = "### What the other values change\n\nIn terms of the tables, in this order.\n\n"
    return [first, second + table(["choice", "changes"], changes)] if changes else [first]


def _values(option: Option) -> str:
    listed = [f"**{_json(value)}**" if value == option.default else _json(value) for value in option.values]
    if option.number:
        listed.append(f"any whole number of at least {option.least}")
    if option.bonus_values:
        listed += [f"**{json.dumps(option.default)}**", f"an object: any of {shown(option.bonus_values)} with its value"]
    return " · ".join(listed)


def _patch(patch: Patch) -> str:
    """A patch in words."""
    where = " and ".join(f"{plain(column)} is {_alternatives(value)}" for column, value in patch.where.items())
    changes = [f"{plain(column)} = {shown(value)}" for column, value in patch.set.items()]
    changes += [f"{plain(column)} gains {shown(value)}" for column, value in patch.add.items()]
    changes += [f"{plain(column)} loses {shown(value)}" for column, value in patch.remove.items()]
    return f"{patch.table}{f' where {where}' if where else ''}: {', '.join(changes)}"


def _alternatives(value: Any) -> str:
    return " or ".join(shown(member) for member in value) if isinstance(value, tuple) else shown(value)


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
            rows.append([kind, _range(part), sentences.listed(names[part])])
    return "## Actions\n\nThe same for all option values.\n\n" + table(["kind", "indices", "names"], rows)


def _range(part: slice) -> str:
    return f"{part.start} … {part.stop - 1}" if part.stop - part.start > 1 else str(part.start)


def _observation(ruleset: Ruleset) -> str:
    plan = layout(ruleset)
    sizes = {name: part.stop - part.start for name, part in plan.full_slices.items()}
    rows = [[f"`{name}`", str(sizes[name]), _range(part)] for name, part in plan.slices.items() if sizes[name]]
    hidden = ", ".join(f"`{name}` ({sizes[name]})" for name, part in plan.full_slices.items() if part.start >= plan.F)
    said = f"{plan.F} zeros and ones, the same for all option values. Seats are relative to the viewer."
    full = f"A critic that may see everything gets {plan.F_full}: these, then {hidden}."
    return f"## Observation\n\n{said}\n\n" + table(["feature", "bits", "indices"], rows) + f"\n\n{full}"
