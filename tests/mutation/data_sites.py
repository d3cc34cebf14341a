"""Where ruleset data can be changed: numbers, flags, members of enumerations, ids, left-out rows and columns."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator
from enum import IntEnum, IntFlag

from tarock_env import codes
from tarock_env.rulesets import schema
from tests.mutation.text import Change, Source, other_member, other_numbers

#: columns and arguments that say where a row comes from, or how something is called
SAID = {"source", "title", "meaning", "document", "id", "name", "version"}
#: … that steer a stated policy or scale rewards for learners, and rule nothing
NO_RULES = {"bid_weight", "reward_scale"}
LEFT_ALONE = SAID | NO_RULES
ENUMS = {
    name: list(enum.__members__)
    for name, enum in vars(codes).items()
    if isinstance(enum, type) and issubclass(enum, IntEnum | IntFlag)
}


def changes(source: Source) -> Iterator[Change]:
    """All changes of the values of a data file; of the schema, those of the defaults of its columns."""
    words = _words_by_role(source)
    for value in _values(source.tree):
        yield from _of_value(source, value, words)


def _values(tree: ast.Module) -> Iterator[ast.AST]:
    """Every node of an assigned value, at the top level or in a table's columns, apart from what is only said."""
    bodies = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name in vars(schema))]
    for statement in (statement for body in bodies for statement in body):
        if isinstance(statement, ast.AnnAssign) and ast.unparse(statement.target) in LEFT_ALONE:
            continue
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            yield from _matters(statement.value)


def _matters(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.keyword) and child.arg in LEFT_ALONE:
            continue
        if isinstance(node, ast.Call) and child is node.func:
            continue
        yield from _matters(child)


def _of_value(source: Source, node: ast.AST, words: dict[str, list[str]]) -> Iterator[Change]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from _other_word(source, node, words)
    elif isinstance(node, ast.Constant):
        yield from other_numbers(source, node)
    elif isinstance(node, ast.Attribute):
        yield from other_member(source, node, ENUMS)
    elif isinstance(node, ast.BinOp):
        yield source.replaced("one of two", node, source.of(node.left))
        yield source.replaced("one of two", node, source.of(node.right))
    elif isinstance(node, ast.Tuple):
        for i in range(len(node.elts)):
            yield source.without("row or element left out", list(node.elts), i)
    elif isinstance(node, ast.Call):
        yield from _columns_left_out(source, node)


def _columns_left_out(source: Source, call: ast.Call) -> Iterator[Change]:
    """Columns with a default, and shared columns (``**NEGATIVE``), are dropped."""
    table = vars(schema).get(source.of(call.func))
    if not dataclasses.is_dataclass(table) or call.args:
        return
    needed = {f.name for f in dataclasses.fields(table) if f.default is f.default_factory is dataclasses.MISSING}
    for i, column in enumerate(call.keywords):
        if column.arg not in LEFT_ALONE | needed:
            yield source.without("column left out", list(call.keywords), i)


# ------------------------------------------------------------------ words


def _role(source: Source, node: ast.AST) -> str:
    """The column, argument or constant that a word belongs to; words of one role can stand for each other."""
    while (parent := source.parents.get(node)) is not None:
        if isinstance(parent, ast.Dict) and node in parent.values:
            key = parent.keys[parent.values.index(node)]  # type: ignore[arg-type]
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                return key.value
        if isinstance(parent, ast.keyword):
            return str(parent.arg)
        if isinstance(parent, ast.AnnAssign | ast.Assign):
            target = parent.target if isinstance(parent, ast.AnnAssign) else parent.targets[0]
            return source.of(target)
        node = parent
    return ""


def _words_by_role(source: Source) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for node in _values(source.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.setdefault(_role(source, node), []).append(node.value)
    return {role: list(dict.fromkeys(words)) for role, words in found.items()}


def _other_word(source: Source, node: ast.Constant, words: dict[str, list[str]]) -> Iterator[Change]:
    """The next word that the file uses in the same role."""
    same = words[_role(source, node)]
    other = same[(same.index(str(node.value)) + 1) % len(same)]
    if other != node.value:
        yield source.replaced("word", node, f'"{other}"')
