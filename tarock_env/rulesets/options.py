"""Choosing option values: a ruleset with its options applied is again a ruleset. Variants: rulesets made from another."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from enum import IntFlag
from typing import Any

from tarock_env.rulesets.schema import Option, Patch, Ruleset, RulesetError, with_defaults
from tarock_env.rulesets.shown import short


def choose(ruleset: Ruleset, chosen: Mapping[str, Any]) -> Ruleset:
    """The ruleset with the given option values; patches run in the order in which the options are listed.

    Args:
        ruleset: one with all options at their defaults.
        chosen: option name -> value. Defaults may be named too.

    Raises:
        RulesetError: unknown option or value (the message lists what the ruleset has), or a missing prerequisite.
    """
    if not isinstance(chosen, Mapping):
        raise RulesetError(f"ruleset {ruleset.id!r}: options are {short(chosen)}; allowed: an object of names and values")
    options = {option.name: option for option in ruleset.options}
    unknown = [name for name in chosen if name not in options]
    if unknown:
        raise RulesetError(f"ruleset {ruleset.id!r} has no option {short(unknown[0])}; it has: {describe(ruleset)}")
    values = {name: _check_value(ruleset, options[name], value) for name, value in chosen.items()}
    complete = {name: values.get(name, option.default) for name, option in options.items()}
    differing = {name: value for name, value in complete.items() if not _same(value, options[name].default)}
    result = ruleset
    for name, value in differing.items():
        need = options[name].requires.get(value) if not isinstance(value, dict) else None
        if need and not _same(complete[need[0]], need[1]):
            raise RulesetError(
                f"ruleset {ruleset.id!r}: {name} = {value!r} needs {need[0]} = {need[1]!r}, not {complete[need[0]]!r}"
            )
        for patch in _patches(options[name], value):
            result = apply_patch(result, patch)
    return dataclasses.replace(result, chosen=differing, origin=ruleset) if differing else ruleset


def variant(
    base: Ruleset,
    *,
    id: str,
    title: str,
    document: str,
    version: int = 1,
    defaults: Mapping[str, Any] | None = None,
    patches: tuple[Patch, ...] = (),
) -> Ruleset:
    """A ruleset of its own that differs from another one in a few points, such as a house rule.

    Args:
        base: one with all options at their defaults.
        id, title, document, version: what the new ruleset is called, and where it comes from.
        defaults: option values of `base` that are the defaults of the new ruleset; the former defaults become choices.
        patches: further changes, after those of `defaults`.

    Raises:
        RulesetError: an unknown option or value, or an option whose former default would have no effect any more.
    """
    chosen = choose(base, defaults or {})
    _check_former_defaults(id, chosen)
    options = with_defaults(base.options, **chosen.chosen)
    result = dataclasses.replace(
        chosen, id=id, title=title, document=document, version=version, options=options, chosen={}, origin=None
    )
    return functools.reduce(apply_patch, patches, result)


def _check_former_defaults(id: str, chosen: Ruleset) -> None:
    """Refuse new defaults of options whose former ones could not be chosen any more."""
    for option in chosen.options:
        if option.name in chosen.chosen and option.values and not option.values.get(option.default):
            raise RulesetError(
                f"ruleset {id!r}: option {option.name!r} cannot have the default {chosen.chosen[option.name]!r}, since its "
                f"value {option.default!r} has no patches and could not be chosen; give it patches that say all it means"
            )


def describe(ruleset: Ruleset) -> str:
    """All options with their values, defaults first in brackets, on one line."""
    return "; ".join(f"{o.name} = {_allowed(o)} [{o.default!r}]" for o in ruleset.options) or "none"


def _allowed(option: Option) -> str:
    listed = " | ".join(repr(value) for value in option.values)
    if option.bonus_values:
        return f"an object: any of {', '.join(option.bonus_values)} -> a whole number >= 0"
    number = f"any whole number >= {option.least}" if option.number else ""
    return " | ".join(part for part in (listed, number) if part)


def _same(a: object, b: object) -> bool:
    return type(a) is type(b) and a == b


def _check_value(ruleset: Ruleset, option: Option, value: Any) -> Any:
    if any(_same(value, allowed) for allowed in option.values):
        return value
    if option.number and isinstance(value, int) and not isinstance(value, bool) and option.least <= value < 1 << 30:
        return value
    if option.bonus_values and isinstance(value, Mapping) and all(_fits(option, k, v) for k, v in value.items()):
        return dict(value)
    raise RulesetError(f"ruleset {ruleset.id!r}: {option.name} = {short(value)}; allowed: {_allowed(option)}")


def _fits(option: Option, name: object, value: object) -> bool:
    return name in option.bonus_values and isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 15


def _patches(option: Option, value: Any) -> tuple[Patch, ...]:
    for allowed, patches in option.values.items():
        if _same(allowed, value):
            return patches
    if option.bonus_values:
        return tuple(Patch(table="bonuses", where={"id": name}, set={"value": v}) for name, v in value.items())
    assert option.number is not None
    table, column = option.number
    return (Patch(table=table, set={column: value}),)


def apply_patch(ruleset: Ruleset, patch: Patch) -> Ruleset:
    """One patch, on one of the single tables, on matching rows of `contracts` or `bonuses`, or on the ruleset itself."""
    if patch.table == "ruleset":
        return _changed(ruleset, patch)
    old = getattr(ruleset, patch.table)
    if not isinstance(old, tuple):
        single: dict[str, Any] = {patch.table: _changed(old, patch)}
        return dataclasses.replace(ruleset, **single)
    rows = tuple(_changed(row, patch) if _matches(row, patch) else row for row in old)
    changed: dict[str, Any] = {patch.table: rows}
    return dataclasses.replace(ruleset, **changed)


def _matches(row: Any, patch: Patch) -> bool:
    return all(
        getattr(row, column) in value if isinstance(value, tuple) else getattr(row, column) == value
        for column, value in patch.where.items()
    )


def _changed(row: Any, patch: Patch) -> Any:
    values: dict[str, Any] = dict(patch.set)
    for column, more in patch.add.items():
        old = getattr(row, column)
        values[column] = old | more if isinstance(old, IntFlag) else (*old, *(x for x in more if x not in old))
    for column, less in patch.remove.items():
        old = getattr(row, column)
        values[column] = type(old)(old & ~less) if isinstance(old, IntFlag) else tuple(x for x in old if x not in less)
    return dataclasses.replace(row, **values)
