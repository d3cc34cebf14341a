"""What programs need of a rules page: options with all their values, actions, observation."""

from __future__ import annotations

import json
from typing import Any

from experiments import sentences
from experiments.rules.columns import json_word, plain, shown, table
from tarock_env.cards import C
from tarock_env.encoding import layout
from tarock_env.rulesets.schema import Option, Patch, Ruleset


def options(ruleset: Ruleset) -> list[str]:
    """The options, and what each of their values changes."""
    if not ruleset.options:
        return ["## Options\n\nNone."]
    rows = [[f"`{o.name}`", _values(o), o.meaning + _needs(o), o.source] for o in ruleset.options]
    first = "## Options\n\nDefaults in bold.\n\n" + table(["option", "values", "meaning", "source"], rows)
    changes = [
        [f"`{o.name}` = {json_word(value)}", "; ".join(_patch(patch) for patch in patches) or "nothing in this ruleset"]
        for o in ruleset.options
        for value, patches in o.values.items()
        if value != o.default
    ]
    second = "### What the other values change\n\nIn terms of the tables, in this order.\n\n"
    return [first, second + table(["choice", "changes"], changes)] if changes else [first]


def _values(option: Option) -> str:
    listed = [f"**{json_word(value)}**" if value == option.default else json_word(value) for value in option.values]
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


def _needs(option: Option) -> str:
    needs = [f"{json_word(value)} needs `{name}` = {json_word(wanted)}" for value, (name, wanted) in option.requires.items()]
    return f" ({'; '.join(needs)})" if needs else ""


def actions(ruleset: Ruleset) -> str:
    """The names of the actions by kind, with their indices."""
    names = ruleset.actions.names
    rows = [["cards", f"0 … {C - 1}", "a card's code: `SK`, `H1`, `T22` … (discarding and playing)"]]
    for kind, part in ruleset.actions.slices.items():
        if kind != "cards" and part.stop > part.start:
            rows.append([kind, _range(part), sentences.listed(names[part])])
    return "## Actions\n\nThe same for all option values.\n\n" + table(["kind", "indices", "names"], rows)


def _range(part: slice) -> str:
    return f"{part.start} … {part.stop - 1}" if part.stop - part.start > 1 else str(part.start)


def observation(ruleset: Ruleset) -> str:
    """The features of an observation, with their sizes and places."""
    plan = layout(ruleset)
    sizes = {name: part.stop - part.start for name, part in plan.full_slices.items()}
    rows = [[f"`{name}`", str(sizes[name]), _range(part)] for name, part in plan.slices.items() if sizes[name]]
    hidden = ", ".join(f"`{name}` ({sizes[name]})" for name, part in plan.full_slices.items() if part.start >= plan.F)
    said = f"{plan.F} zeros and ones, the same for all option values. Seats are relative to the viewer."
    full = f"A critic that may see everything gets {plan.F_full}: these, then {hidden}."
    return f"## Observation\n\n{said}\n\n" + table(["feature", "bits", "indices"], rows) + f"\n\n{full}"
