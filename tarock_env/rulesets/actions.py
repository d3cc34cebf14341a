"""The action table: names of `record-format` version 1 <-> indices of one flat `Discrete(A)` space.

The table is the superset over all option values of a ruleset, so that a network survives a change of options. Slices, in
this order: 54 cards (discard and play) · pass · end · wait · cut · knock · packets · bids · calls of a king · talon groups ·
announcements · contras; what a ruleset has no use for is left out.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tarock_env.cards import CODES, C
from tarock_env.codes import Door, Knock, Owners, Predicate
from tarock_env.rulesets.numbers import is_whole_in
from tarock_env.rulesets.options import apply_patch
from tarock_env.rulesets.schema import Ruleset, RulesetError
from tarock_env.rulesets.shown import short

SIDE_NAMES = ("declarer", "defence")
CALL_NAMES = ("call:SK", "call:CK", "call:HK", "call:DK", "call:fourth")


@dataclass(frozen=True)
class ActionTable:
    """Names and indices of the `len(table)` actions of a ruleset."""

    names: tuple[str, ...]
    slices: Mapping[str, slice]  #: "cards", "pass", …, "contra" -> indices

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    @functools.cached_property
    def _indices(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.names)}

    def index(self, name: str) -> int:
        """The index of an action name.

        Raises:
            ValueError: if the ruleset has no such action.
        """
        if not isinstance(name, str) or name not in self._indices:
            raise ValueError(f"no action {short(name)}; the actions are the 54 cards and {', '.join(self.names[C:])}")
        return self._indices[name]

    def get(self, name: str) -> int:
        """The index of an action name, or -1."""
        return self._indices.get(name, -1)

    def name(self, index: int) -> str:
        """The name of an action index.

        Raises:
            ValueError: if the index is out of range.
        """
        if not is_whole_in(index, 0, len(self.names) - 1):
            raise ValueError(f"no action {short(index)}; indices run from 0 to {len(self.names) - 1}")
        return self.names[index]


def _variants(ruleset: Ruleset) -> list[Ruleset]:
    """The ruleset and, for each single option value, the ruleset with its patches."""
    result = [ruleset]
    for option in ruleset.options:
        for patches in option.values.values():
            if patches:
                changed = ruleset
                for patch in patches:
                    changed = apply_patch(changed, patch)
                result.append(changed)
    return result


@functools.cache
def action_table(ruleset: Ruleset) -> ActionTable:
    """The action table of a ruleset whose options are at their defaults."""
    variants = _variants(ruleset)
    parts: list[tuple[str, list[str]]] = [("cards", list(CODES)), ("pass", ["pass"]), ("end", _end(variants))]
    parts.append(("wait", ["wait"] if any(v.auction.wait for v in variants) else []))
    knock = any(v.deal.knock != Knock.NEVER for v in variants)
    parts += [("cut", ["cut"] if knock else []), ("knock", ["knock"] if knock else [])]
    parts.append(("packet", [f"packet:{i}" for i in range(4)] if knock else []))
    parts += [("bid", _bids(variants)), ("call", _calls(variants)), ("talon", _talon(variants))]
    parts += [("announce", _announcements(variants)), ("contra", _contras(variants))]
    names: list[str] = []
    slices: dict[str, slice] = {}
    for kind, members in parts:
        slices[kind] = slice(len(names), len(names) + len(members))
        names += members
    if len(names) > C + 64:
        raise RulesetError(f"ruleset {ruleset.id!r}: {len(names)} actions; at most {C + 64}")
    return ActionTable(tuple(names), slices)


def _end(variants: list[Ruleset]) -> list[str]:
    used = any(v.auction.talks or any(c.announcing for c in v.contracts) for v in variants)
    return ["end"] if used else []


def _bids(variants: list[Ruleset]) -> list[str]:
    named = Door.AUCTION | Door.AFTER_WAIT | Door.PASSED_OUT | Door.RAISE
    doors = {c.id: any(v.contract(c.id).doors & named for v in variants) for c in variants[0].contracts}
    return [f"bid:{name}" for name, nameable in doors.items() if nameable]


def _calls(variants: list[Ruleset]) -> list[str]:
    if not any(c.calls_king for v in variants for c in v.contracts):
        return []
    return list(CALL_NAMES if any(v.announcements.fourth for v in variants) else CALL_NAMES[:4])


def _talon(variants: list[Ruleset]) -> list[str]:
    groups = [6 // c.takes for v in variants for c in v.contracts if 0 < c.takes < 6]
    return [f"talon:{i}" for i in range(max(groups, default=0))]


def _announceable(variants: list[Ruleset]) -> list[tuple[str, Owners]]:
    offered = {b.id for v in variants for b in v.bonuses if b.announceable}
    return [(b.id, b.owners) for b in variants[0].bonuses if b.id in offered]


def _announcements(variants: list[Ruleset]) -> list[str]:
    return [f"announce:{name}" for name, _ in _announceable(variants)]


def _contras(variants: list[Ruleset]) -> list[str]:
    if not any(v.announcements.max_contra for v in variants):
        return []
    if variants[0].announcements.one_sided:
        personal = {b.id for b in variants[0].bonuses if b.predicate in (Predicate.DECLARES_ALL, Predicate.DECLARES_TWO)}
        return ["contra:game", *(f"contra:{name}" for name, _ in _announceable(variants) if name not in personal)]
    sides = {Owners.BOTH: (0, 1), Owners.DECLARERS: (0,), Owners.DEFENCE: (1,)}
    return [
        "contra:game",
        *(f"contra:{name}@{SIDE_NAMES[side]}" for name, owners in _announceable(variants) for side in sides[owners]),
    ]
