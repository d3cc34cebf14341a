"""Where kernels can be changed: comparisons, operators, constants, conditions, statements that are left out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.mutation.data_sites import ENUMS
from tests.mutation.text import Change, Source, other_member, other_numbers

DECORATORS = {"kernel", "leaf", "inlined"}
#: files whose plain functions decide what kernels read
TABLES = {"tables.py", "features.py"}

COMPARISONS: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.In: ("in", ("not in",)),
}
OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "+"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}


def _is_kernel(node: ast.AST) -> bool:
    """Whether a function is compiled."""
    names = [d.func if isinstance(d, ast.Call) else d for d in getattr(node, "decorator_list", ())]
    return isinstance(node, ast.FunctionDef) and any(isinstance(n, ast.Name) and n.id in DECORATORS for n in names)


def holds_kernels(path: Path) -> bool:
    """Whether a file has compiled functions, or fills what they read."""
    tree = ast.parse(path.read_bytes())
    return path.name in TABLES or any(_is_kernel(node) for node in tree.body)


def changes(source: Source, name: str) -> Iterator[Change]:
    """All changes in the compiled functions of a file, and in the constants of its top level."""
    for statement in source.tree.body:
        if _is_kernel(statement) or (name in TABLES and isinstance(statement, ast.FunctionDef)):
            for part in statement.body:  # type: ignore[attr-defined]
                yield from _inside(source, part)
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            yield from _inside(source, statement.value)


def _inside(source: Source, node: ast.AST) -> Iterator[Change]:
    yield from _of_node(source, node)
    for field, child in ast.iter_fields(node):
        if field not in ("annotation", "returns", "decorator_list"):
            for part in child if isinstance(child, list) else [child]:
                if isinstance(part, ast.AST):
                    yield from _inside(source, part)


def _of_node(source: Source, node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Compare):
        yield from _other_comparison(source, node)
    elif isinstance(node, ast.BoolOp):
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield source.between("and, or", left, right, old, new)
    elif isinstance(node, ast.UnaryOp):
        if not isinstance(node.op, ast.USub):
            yield Change("not left out", source.start(node), source.start(node) + len(_sign(node.op)), "")
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        yield source.between("operator", node.left, node.right, *OPERATORS[type(node.op)])
    elif isinstance(node, ast.AugAssign) and type(node.op) in OPERATORS:
        old, new = OPERATORS[type(node.op)]
        yield source.between("operator", node.target, node.value, old + "=", new + "=")
        yield source.replaced("statement left out", node, "pass")
    elif isinstance(node, ast.Constant):
        yield from other_numbers(source, node)
    elif isinstance(node, ast.Attribute):
        yield from other_member(source, node, ENUMS)
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        yield from _other_condition(source, node.test)
    else:
        yield from _of_statement(source, node)


def _sign(operator: ast.unaryop) -> str:
    return {ast.Not: "not ", ast.Invert: "~"}.get(type(operator), "")


def _other_comparison(source: Source, node: ast.Compare) -> Iterator[Change]:
    for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
        if type(operator) in COMPARISONS:
            old, others = COMPARISONS[type(operator)]
            for new in others:
                yield source.between("comparison", left, right, old, new)


def _other_condition(source: Source, test: ast.expr) -> Iterator[Change]:
    """A condition that is neither a comparison nor made of several is turned round."""
    if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp):
        yield source.replaced("condition", test, f"not ({source.of(test)})")


def _of_statement(source: Source, node: ast.AST) -> Iterator[Change]:
    stored = isinstance(node, ast.Assign) and all(isinstance(t, ast.Attribute | ast.Subscript) for t in node.targets)
    called = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    if stored or called:
        yield source.replaced("statement left out", node, "pass")
    elif isinstance(node, ast.Continue):
        yield source.replaced("jump", node, "break")
    elif isinstance(node, ast.Break):
        yield source.replaced("jump", node, "continue")
