"""The one place that compiles: `kernel`, and the few machine operations that Numba lacks.

Numba stamps a cached function with its own file only, so a changed constant, table or callee in *another* file would
still hit the old machine code. `kernel` therefore keeps its cache in a folder whose name hashes every source that a
kernel can reach, the Numba and NumPy versions and the compile flags; the newest few folders are kept.

Under ``NUMBA_DISABLE_JIT=1`` `kernel` returns the plain function, for debugging and coverage.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba.core import config, types
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent
KEPT_FOLDERS = 4

#: Folders whose ``*.py`` files may hold kernels or the constants that kernels read (relative to the parent of this
#: package). Ruleset files are data, reach the kernels as arrays, and need no recompilation.
KERNEL_FOLDERS = ("tarock_env", "tarock_env/engine", "agents", "agents/heuristic", "agents/ppo/kernels")

DISABLED = bool(config.DISABLE_JIT)


def kernel_sources(root: Path = PACKAGE.parent) -> list[Path]:
    """The files whose text decides what compiled kernels do, in a fixed order."""
    return [path for folder in KERNEL_FOLDERS for path in sorted((root / folder).glob("*.py"))]


def source_digest(root: Path = PACKAGE.parent) -> str:
    """A short hash of all kernel sources, the versions and the flags that change compiled code."""
    digest = hashlib.sha256()
    flags = (
        numba.__version__,
        np.__version__,
        config.BOUNDSCHECK,
        config.OPT,
        config.CPU_NAME,
        config.DEBUGINFO_DEFAULT,
    )
    digest.update(repr(flags).encode())
    for path in kernel_sources(root):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _candidates() -> list[Path]:
    if os.environ.get("NUMBA_CACHE_DIR"):
        return [Path(os.environ["NUMBA_CACHE_DIR"])]
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return [PACKAGE / "__pycache__", user / "tarock_env", _shared_candidate()]


def _shared_candidate() -> Path:
    """The last resort, below a folder that everybody may write in."""
    return Path(tempfile.gettempdir()) / f"tarock_env-{os.getuid()}"


def _is_ours_alone(folder: Path) -> bool:
    """Whether nobody else can put machine code there: made now or before by this user, no link, closed to others."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _cache_folder() -> Path | None:
    """The first candidate folder that can be written, with the digest as its last part; None if there is none."""
    name = f"kernels-{source_digest()}"
    for parent in _candidates():
        folder = parent / name
        try:
            if parent == _shared_candidate() and not _is_ours_alone(parent):
                continue
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / f".write-{os.getpid()}"
            probe.touch()
            probe.unlink()
            os.utime(folder)
        except OSError:
            continue
        _forget_old(parent, keep=folder)
        return folder
    return None


def _forget_old(parent: Path, keep: Path) -> None:
    old = [path for path in parent.glob("kernels-*") if path != keep and path.is_dir()]

    def age(path: Path) -> float:
        try:
            return path.stat().st_mtime
        except OSError:
            return 0.0

    for path in sorted(old, key=age, reverse=True)[KEPT_FOLDERS - 1 :]:
        shutil.rmtree(path, ignore_errors=True)


CACHE_FOLDER = None if DISABLED else _cache_folder()


def kernel(function: F) -> F:
    """Compile a scalar rule or a batch loop to machine code, cached on disk and free of the interpreter lock.

    Returns the plain function when compilation is disabled.
    """
    return function if DISABLED else _compiled(function)


def inlined(function: F) -> F:
    """`kernel` that is compiled only as a part of its callers: for the outermost rules, which hold nearly all others.

    LLVM optimises a function with all that it calls, and again in each caller; this leaves one of those rounds out.
    """
    return function if DISABLED else _compiled(function, inline="always")


def leaf(signature: str) -> Callable[[F], F]:
    """`kernel` for small functions called from everywhere, with one signature: arguments of other integer types are
    converted instead of compiling the function once more for each of them.
    """
    return lambda function: function if DISABLED else _compiled(function, signature)


#: no wrapper for C callers, which nobody uses and which costs an eighth of the compile time
FLAGS = {"cache": CACHE_FOLDER is not None, "nogil": True, "no_cfunc_wrapper": True}


def _compiled(function: F, *signature: str, **options: Any) -> F:
    before = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE_FOLDER) if CACHE_FOLDER else before
    try:
        compiled: F = numba.njit(*signature, **FLAGS, **options)(function)
    finally:
        config.CACHE_DIR = before
    return compiled


def _unary(instruction: str, after: Callable[[Any, Any], Any] | None = None) -> Any:
    @intrinsic  # type: ignore[untyped-decorator]
    def operation(typing_context: Any, value: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            argument = arguments[0]
            if instruction == "ctpop":
                return builder.ctpop(argument)
            zero_is_poison = context.get_constant(types.boolean, True)
            return getattr(builder, instruction)(argument, zero_is_poison)

        return types.int64(types.uint64), build

    return operation


def _place(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The address of eight bytes, from element `arguments[1]` of a one-dimensional byte array on."""
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    return builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(64).as_pointer())


if DISABLED:

    def load_word(row: Any, at: Any) -> Any:
        """Eight bytes of a row as one number, the first lowest."""
        return np.uint64(int.from_bytes(row[at : at + 8].tobytes(), "little"))

    def store_word(row: Any, at: Any, word: Any) -> None:
        """Write one number as eight bytes of a row, the lowest first."""
        row[at : at + 8] = np.frombuffer(int(word).to_bytes(8, "little"), row.dtype)

    def popcount(cards: Any) -> int:
        """How many bits are set."""
        return int(cards).bit_count()

    def lowest(cards: Any) -> int:
        """Index of the lowest set bit; the set must not be empty."""
        return (int(cards) & -int(cards)).bit_length() - 1

    def highest(cards: Any) -> int:
        """Index of the highest set bit; the set must not be empty."""
        return int(cards).bit_length() - 1

    def wrapping_multiply(a: Any, b: Any) -> Any:
        """The low 64 bits of a product."""
        return np.uint64((int(a) * int(b)) & 0xFFFFFFFFFFFFFFFF)

    def wrapping_add(a: Any, b: Any) -> Any:
        """The low 64 bits of a sum."""
        return np.uint64((int(a) + int(b)) & 0xFFFFFFFFFFFFFFFF)

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def load_word(typing_context: Any, row: Any, at: Any) -> Any:
        """Eight bytes of a contiguous row (bool or uint8) as one number, the first lowest; no bounds are checked."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.load(_place(context, builder, signature, arguments), align=1, typ=ir.IntType(64))

        return types.uint64(row, types.intp), build

    @intrinsic  # type: ignore[untyped-decorator]
    def store_word(typing_context: Any, row: Any, at: Any, word: Any) -> Any:
        """Write one number as eight bytes of a contiguous row, the lowest first; no bounds are checked."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            builder.store(arguments[2], _place(context, builder, signature, arguments), align=1)
            return context.get_dummy_value()

        return types.void(row, types.intp, types.uint64), build

    _ctpop, _cttz, _ctlz = _unary("ctpop"), _unary("cttz"), _unary("ctlz")

    @leaf("int64(uint64)")
    def popcount(cards: Any) -> int:
        """How many bits are set."""
        return _ctpop(np.uint64(cards))

    @leaf("int64(uint64)")
    def lowest(cards: Any) -> int:
        """Index of the lowest set bit; the set must not be empty."""
        return _cttz(np.uint64(cards))

    @leaf("int64(uint64)")
    def highest(cards: Any) -> int:
        """Index of the highest set bit; the set must not be empty."""
        return 63 - _ctlz(np.uint64(cards))

    @leaf("uint64(uint64, uint64)")
    def wrapping_multiply(a: Any, b: Any) -> Any:
        """The low 64 bits of a product."""
        return np.uint64(a) * np.uint64(b)

    @leaf("uint64(uint64, uint64)")
    def wrapping_add(a: Any, b: Any) -> Any:
        """The low 64 bits of a sum."""
        return np.uint64(a) + np.uint64(b)
