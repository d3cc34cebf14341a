"""Decisions drawn from bytes, so that a fuzzer that changes bytes changes decisions; and damage to values of JSON."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any, TypeVar

T = TypeVar("T")

#: what is put where something else belongs
JUNK: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 7, 255, 2**31, 2**63, 2**64, -(2**63) - 1, 10**30, 0.5, -0.0, 1e308, float("nan"),
    float("inf"), "", "x", "T1", "SK", "pass", "end", "bid:solorufer", "id", "\ud800", "\0", "\x1b[2J", "é" * 50, [], [0],
    [""], [None], [[]], {}, {"id": 1}, {"": ""}, [["T1"]] * 4, ["T1"] * 6, [0] * 4, [0] * 5, {"scores": [0, 0, 0, 0]},
)  # fmt: skip


class Choices:
    """Reads decisions off some bytes; when they are used up, everything is 0."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def byte(self) -> int:
        """The next byte."""
        self._at += 1
        return self._data[self._at - 1] if self._at <= len(self._data) else 0

    def below(self, bound: int) -> int:
        """A number in 0 … bound - 1."""
        value = 0
        for _ in range(1 if bound <= 256 else 2 if bound <= 1 << 16 else 4):
            value = value << 8 | self.byte()
        return value % max(bound, 1)

    def of(self, members: Sequence[T]) -> T:
        """One of some."""
        return members[self.below(len(members))]

    def rest(self) -> bytes:
        """All bytes that are left."""
        left = self._data[self._at :]
        self._at = len(self._data)
        return left


def damaged(value: Any, choices: Choices) -> Any:
    """A copy of a JSON value with up to four places changed."""
    root = [copy.deepcopy(value)]
    for _ in range(1 + choices.below(4)):
        _damage_one(root, choices)
    return root[0]


def _damage_one(root: list[Any], choices: Choices) -> None:
    """Walk down to some place and change it."""
    place: Any = root
    key: Any = 0
    while isinstance(place[key], (list, dict)) and place[key] and choices.below(4):
        place = place[key]
        key = choices.of(list(place)) if isinstance(place, dict) else choices.below(len(place))
    kind = choices.below(6)
    if kind == 0 and place is not root:
        del place[key]
    elif kind == 1 and isinstance(place, list) and place is not root:
        place.insert(key, copy.deepcopy(place[choices.below(len(place))]))
    elif kind == 2 and isinstance(place, list) and place is not root:
        other = choices.below(len(place))
        place[key], place[other] = place[other], place[key]
    elif kind == 3 and isinstance(place, dict):
        place[choices.of(["x", "id", "format", "options", "kontra_max", ""])] = copy.deepcopy(choices.of(JUNK))
    elif kind == 4 and isinstance(place[key], int):
        place[key] = int(place[key]) + choices.of([1, -1, 2**31, -(2**31), 128, 10**12])
    else:
        place[key] = copy.deepcopy(choices.of(JUNK))


def text_of(value: Any, choices: Choices) -> bytes:
    """A value as JSON, sometimes with damage to the text itself."""
    text = json.dumps(value).encode("utf-8", "surrogatepass")
    kind = choices.below(8)
    if kind == 1 and len(text) > 2:
        text = text[:1] + text[1:-1].split(b",")[0] + b"," + text[1:]  # the first name twice
    elif kind == 2:
        text = text[: choices.below(len(text) + 1)]
    elif kind == 3:
        at = choices.below(len(text) + 1)
        text = text[:at] + choices.rest()[:20] + text[at:]
    elif kind == 4:
        text = flipped(text, choices)
    return text


def flipped(content: bytes, choices: Choices) -> bytes:
    """Some bytes with up to eight bits turned over."""
    changed = bytearray(content)
    for _ in range(1 + choices.below(8)):
        if changed:
            changed[choices.below(len(changed))] ^= 1 << choices.below(8)
    return bytes(changed)
