"""A source file with its syntax tree, and changes of its text by byte positions."""

from __future__ import annotations

import ast
import bisect
import functools
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Change:
    """Bytes `start` to `end` are replaced by `after`."""

    operator: str
    start: int
    end: int
    after: str


class Source:
    """The text of a file, its tree, and where its nodes stand."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.tree = ast.parse(raw)
        self._starts = [0]
        for line in raw.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def start(self, node: ast.AST) -> int:
        """Where a node begins, in bytes."""
        return self._starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]

    def end(self, node: ast.AST) -> int:
        """Where it ends."""
        return self._starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]

    def place(self, position: int) -> tuple[int, int]:
        """Line (from 1) and column (from 0) of a byte."""
        line = bisect.bisect_right(self._starts, position)
        return line, position - self._starts[line - 1]

    def of(self, node: ast.AST) -> str:
        """The text of a node."""
        return self.raw[self.start(node) : self.end(node)].decode()

    @functools.cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """Each node's parent."""
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def replaced(self, operator: str, node: ast.AST, after: str) -> Change:
        """The node becomes another text."""
        return Change(operator, self.start(node), self.end(node), after)

    def between(self, operator: str, left: ast.AST, right: ast.AST, token: str, after: str) -> Change:
        """The operator between two nodes becomes another one."""
        first, last = self.end(left), self.start(right)
        word = rf"\b{token}\b" if token.isalpha() else re.escape(token)
        match = re.search(word.encode(), self.raw[first:last])
        assert match is not None, (token, self.raw[first:last])
        return Change(operator, first + match.start(), first + match.end(), after)

    def without(self, operator: str, items: list[ast.AST], i: int) -> Change:
        """One of several items that commas divide is left out; the only one takes its comma along."""
        if i + 1 < len(items):
            return Change(operator, self.start(items[i]), self.start(items[i + 1]), "")
        if i:
            return Change(operator, self.end(items[i - 1]), self.end(items[i]), "")
        comma = re.match(rb"\s*,?", self.raw[self.end(items[0]) :])
        assert comma is not None
        return Change(operator, self.start(items[0]), self.end(items[0]) + comma.end(), "")


def other_numbers(source: Source, node: ast.Constant) -> list[Change]:
    """One more and one less; twice as much for a fraction; the opposite for True and False."""
    value = node.value
    if isinstance(value, bool):
        return [source.replaced("boolean", node, repr(not value))]
    if isinstance(value, int):
        hexadecimal = source.of(node).startswith("0x")
        write = hex if hexadecimal else repr
        return [source.replaced("number", node, write(n)) for n in (value + 1, value - 1) if n >= 0]
    if isinstance(value, float):
        return [source.replaced("number", node, repr(2 * value if value else 1.0))]
    return []


def other_member(source: Source, node: ast.Attribute, enums: dict[str, list[str]]) -> list[Change]:
    """The next member of the same enumeration."""
    if isinstance(node.value, ast.Name) and node.attr in enums.get(node.value.id, ()):
        members = enums[node.value.id]
        following = members[(members.index(node.attr) + 1) % len(members)]
        return [source.replaced("member", node, f"{node.value.id}.{following}")]
    return []
