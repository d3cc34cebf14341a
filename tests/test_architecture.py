"""What the source must look like: rulesets are data, kernels name no game, every kernel's sources are hashed."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tarock_env
from tarock_env.engine.state import STATE
from tarock_env.engine.tables import RULES
from tarock_env.jit import KERNEL_FOLDERS, kernel_sources
from tarock_env.view import VIEW

ROOT = Path(tarock_env.__file__).resolve().parents[1]
PACKAGES = ("tarock_env", "agents", "experiments")
DATA_MODULES = {"tarock_env.rulesets.schema", "tarock_env.rulesets.options"}  #: what data files may call
RULESET_CODE = {"__init__.py", "schema.py", "actions.py", "options.py", "shown.py", "numbers.py"}
#: ids that are also everyday words: numbers, a call of the auction, the four kings as a card set
EVERYDAY_WORDS = {"one", "two", "three", "call", "kings"}
#: enumeration members that share a contract's word: the reason why a hand is compulsory
OTHER_MEANINGS = {"Compulsory.NO_TRUMPS"}

LOGIC = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.If, ast.IfExp, ast.For, ast.While, ast.Match,
    ast.Try, ast.With, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.BoolOp, ast.Compare, ast.Subscript,
)  # fmt: skip


@functools.cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a source file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def sources() -> list[Path]:
    """All source files of the three packages."""
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def short(path: Path) -> str:
    """The path inside the repository."""
    return path.relative_to(ROOT).as_posix()


def imported_modules(module: ast.AST) -> list[str]:
    """The modules that a source imports, by their full names."""
    found = []
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append(node.module)
    return found


# ------------------------------------------------------------------ rulesets are data


def data_files() -> list[Path]:
    """The files of `tarock_env/rulesets` that hold data only."""
    return [path for path in sorted((ROOT / "tarock_env/rulesets").glob("*.py")) if path.name not in RULESET_CODE]


def test_every_ruleset_has_a_data_file() -> None:
    assert set(tarock_env.available()) <= {path.stem for path in data_files()}


@pytest.mark.parametrize("path", data_files(), ids=lambda path: path.stem)
def test_ruleset_files_hold_no_logic(path: Path) -> None:
    annotations = {id(node) for a in ast.walk(tree(path)) if isinstance(a, ast.AnnAssign) for node in ast.walk(a.annotation)}
    found = [
        f"line {node.lineno}: {type(node).__name__}"
        for node in ast.walk(tree(path))
        if isinstance(node, LOGIC) and id(node) not in annotations
    ]
    assert found == []


@pytest.mark.parametrize("path", data_files(), ids=lambda path: path.stem)
def test_ruleset_files_call_nothing_but_the_schema(path: Path) -> None:
    allowed = {
        alias.asname or alias.name
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and node.module in DATA_MODULES
        for alias in node.names
    }
    called = {ast.unparse(node.func) for node in ast.walk(tree(path)) if isinstance(node, ast.Call)}
    assert called <= allowed


# ------------------------------------------------------------------ kernels


def is_kernel(node: ast.AST) -> bool:
    """Whether a function is decorated with `kernel`."""
    return isinstance(node, ast.FunctionDef) and any(
        (isinstance(d, ast.Name) and d.id == "kernel") or (isinstance(d, ast.Attribute) and d.attr == "kernel")
        for d in node.decorator_list
    )


def kernels(path: Path) -> list[ast.FunctionDef]:
    """The compiled functions of a file."""
    return [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef) and is_kernel(node)]


def kernel_files() -> list[Path]:
    """All files with compiled functions."""
    return [path for path in sources() if kernels(path)]


def body_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Everything in a function's body but its docstring."""
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    for statement in function.body[1 if documented else 0 :]:
        yield from ast.walk(statement)


def game_names() -> set[str]:
    """Ids of all rulesets, contracts and bonuses."""
    rulesets = [tarock_env.load(name) for name in tarock_env.available()]
    names = (
        {r.id for r in rulesets}
        | {c.id for r in rulesets for c in r.contracts}
        | {b.id for r in rulesets for b in r.bonuses}
    )
    return names - EVERYDAY_WORDS


def test_there_are_many_kernels() -> None:
    assert sum(len(kernels(path)) for path in kernel_files()) > 100
    assert "tarock_env/engine/play.py" in {short(path) for path in kernel_files()}


def test_no_kernel_holds_a_string() -> None:
    found = [
        f"{short(path)}:{node.lineno} {function.name}"
        for path in kernel_files()
        for function in kernels(path)
        for node in body_nodes(function)
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))
    ]
    assert found == []


def identifiers(function: ast.FunctionDef) -> Iterator[tuple[str, int]]:
    """All names and attributes of a function, its own and its parameters' included."""
    yield function.name, function.lineno
    for argument in function.args.args + function.args.kwonlyargs:
        yield argument.arg, argument.lineno
    for node in body_nodes(function):
        if isinstance(node, ast.Name):
            yield node.id, node.lineno
        elif isinstance(node, ast.Attribute) and ast.unparse(node) not in OTHER_MEANINGS:
            yield node.attr, node.lineno


def test_no_kernel_names_a_ruleset_contract_or_bonus() -> None:
    names = game_names()
    assert {"koenigrufen_pagat", "farbensolo", "pagat_ultimo", "valat"} <= names
    found = [
        f"{short(path)}:{line} {name}"
        for path in kernel_files()
        for function in kernels(path)
        for name, line in identifiers(function)
        if name.lower() in names
    ]
    assert found == []


def test_no_kernel_takes_a_record_out_of_an_array_that_nothing_keeps() -> None:
    """Numba's records are bare pointers: that of ``np.zeros(1, VIEW)[0]`` points into memory that was given back."""
    found = [
        f"{short(path)}:{node.lineno}"
        for path in kernel_files()
        for function in kernels(path)
        for node in body_nodes(function)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Call)
    ]
    assert found == []


def test_every_column_of_the_rules_is_read() -> None:
    """A column that nothing reads could be set to anything."""
    read = {
        node.attr
        for path in kernel_files()
        for function in kernels(path)
        for node in body_nodes(function)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("r", "rules[0]")
    }
    assert set(RULES.names or ()) - read == set()


def test_every_file_that_uses_kernel_is_hashed() -> None:
    users = {
        short(path)
        for path in sources()
        for node in ast.walk(tree(path))
        if (isinstance(node, ast.ImportFrom) and "kernel" in [alias.name for alias in node.names]) or is_kernel(node)
    }
    hashed = {short(path) for path in kernel_sources()}
    assert users - hashed == set()
    assert {path.rsplit("/", 1)[0] for path in hashed} <= set(KERNEL_FOLDERS)


# --- what kernels read from elsewhere


def module_file(module: str) -> Path | None:
    """The source file of one of our own modules."""
    stem = ROOT.joinpath(*module.split("."))
    return next((path for path in (stem.with_suffix(".py"), stem / "__init__.py") if path.exists()), None)


@functools.cache
def imported(path: Path) -> dict[str, tuple[str, str]]:
    """Names that a file imports from our packages: name -> (module, its name there)."""
    found: dict[str, tuple[str, str]] = {}
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in PACKAGES:
            found |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
    return found


def origin(path: Path, name: str) -> Path | None:
    """The file that defines a name used in `path`, through all re-exports; None if it is not one of ours."""
    while name in imported(path):
        module, original = imported(path)[name]
        submodule = module_file(f"{module}.{original}")
        following = submodule or module_file(module)
        if following is None or submodule:
            return following
        path, name = following, original
    return path


def test_kernels_read_only_from_hashed_files() -> None:
    hashed, found = set(kernel_sources()), []
    for path in kernel_files():
        for function in kernels(path):
            for node in body_nodes(function):
                if isinstance(node, ast.Name):
                    source = origin(path, node.id)
                    if source is not None and source not in hashed:
                        found.append(f"{short(path)}:{node.lineno} {node.id} from {short(source)}")
    assert found == []


def test_names_are_followed_to_their_origin() -> None:
    tables, loops = ROOT / "tarock_env/engine/tables.py", ROOT / "tarock_env/engine/loops.py"
    assert origin(tables, "SIDE_NAMES") == ROOT / "tarock_env/rulesets/actions.py"
    assert origin(loops, "hand") == ROOT / "tarock_env/engine/hand.py"
    assert origin(loops, "highest") == loops


def test_only_one_file_compiles() -> None:
    words = {"njit", "jit", "vectorize", "guvectorize", "cfunc", "prange", "stencil"}
    found = {
        short(path)
        for path in sources()
        for node in ast.walk(tree(path))
        if (isinstance(node, ast.Attribute) and node.attr in words)
        or (isinstance(node, ast.Name) and node.id in words)
        or (isinstance(node, ast.ImportFrom) and node.module == "numba" and words & {alias.name for alias in node.names})
    }
    assert found == {"tarock_env/jit.py"}


@pytest.mark.parametrize("dtype", [STATE, RULES, VIEW], ids=["STATE", "RULES", "VIEW"])
def test_no_field_hides_behind_an_attribute_of_records(dtype: np.dtype) -> None:
    assert [name for name in dtype.names or () if hasattr(np.record, name)] == []


def test_import_is_light() -> None:
    code = "import sys, tarock_env; print(sorted({'torch', 'agents', 'experiments', 'pyarrow'} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
