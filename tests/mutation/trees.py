"""Throw-away copies of the source tree, each with one mutant in it; the project itself is never touched.

A slot is a folder with a copy, its cache of compiled kernels and its verdict. The copy's path stays the same, since
Numba caches by path: mutants of data, which need no compilation, find the kernels that the slot's first run compiled.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tarock_env.jit import source_digest
from tests.mutation.mutants import ROOT, VIEWS, Mutant

NOT_COPIED = ("runs", "build", "dist", "htmlcov")  #: and hidden folders
#: a file of each kind, named where the unchanged project is judged
JUDGED = {"data": "tarock_env/rulesets/schema.py", "kernels": "tarock_env/cards.py", "views": VIEWS[0]}
JUDGE = ("-P", "-m", "tests.mutation.judge")
FAST_CPU = 120  #: seconds of processor time that the fast judge has
#: share of it that the unchanged project may need: what takes longer is stopped and counts as killed, so that a mutant
#: which changes nothing must come to its end with room to spare
UNCHANGED = 0.75
FAST_WALL, SUITE_WALL = 600.0, 3600.0

#: what the whole suite leaves out for mutants: tests that need a checkout or its .venv; pages generated from the data, which
#: would notice any change without judging it; learning and measured speeds, which no rule decides; tests of this check
LEFT_OUT = (
    "tests/mutation",
    "tests/experiments/test_rules_pages.py",
    "tests/experiments/test_benchmark",
    "tests/experiments/test_cli_benchmark.py",
    "tests/experiments/test_crash.py",
    "tests/experiments/test_demo.py",
    "tests/experiments/test_keep.py",
    "tests/experiments/test_train.py",
    "tests/experiments/test_train_rulesets.py",
    "tests/agents/test_ppo_builtin.py",
    "tests/agents/test_ppo_checkpoint.py",
    "tests/agents/test_ppo_learning.py",
    "tests/agents/test_ppo_losses.py",
    "tests/agents/test_ppo_trainer.py",
    "tests/test_jit_cache.py",
    "tests/test_notebook.py",
    "tests/test_docs.py",
)
#: first the parts of the suite that judge rules
FIRST = (
    "tests/rulesets",
    "tests/engine",
    "tests/test_check_sample.py",
    "tests/test_record.py",
    "tests/test_fuzz.py",
    "tests/envs",
)


class ToolError(RuntimeError):
    """The check itself failed: a mutant would not have been judged as what it is."""


@dataclass(frozen=True)
class Slot:
    """One place for copies."""

    folder: Path

    @property
    def tree(self) -> Path:
        """The copy."""
        return self.folder / "tree"

    def lay(self, mutant: Mutant | None) -> str:
        """Make a fresh copy with the mutant in it. The SHA-256 of the changed file ("" without a mutant)."""
        shutil.rmtree(self.tree, ignore_errors=True)
        self.tree.mkdir(parents=True)
        skipped = shutil.ignore_patterns("__pycache__", "*.pyc")
        for path in sorted(ROOT.iterdir()):
            if path.is_dir() and path.name not in NOT_COPIED and not path.name.startswith("."):
                shutil.copytree(path, self.tree / path.name, ignore=skipped)
            elif path.is_file() and path.name != ".git":
                shutil.copy2(path, self.tree / path.name)
        if mutant is None:
            return ""
        text = mutant.text()
        target = self.tree / mutant.file
        target.unlink()
        target.write_bytes(text)
        self._guard(mutant)
        return hashlib.sha256(text).hexdigest()

    def _guard(self, mutant: Mutant) -> None:
        """Compiled code must not outlive its source: the digest that names the cache folder changes with every kernel."""
        same = source_digest(self.tree) == source_digest(ROOT)
        if same and mutant.kind != "data":
            raise ToolError(f"{mutant.file} is changed, but the digest of the kernels is not: old machine code would run")
        if not same and mutant.kind == "data":
            raise ToolError(f"{mutant.file} is data, but the digest of the kernels changed with it (or the project did)")


def environment(slot: Slot, cache: str = "cache", **more: str) -> dict[str, str]:
    """What a process in a copy sees: its own sources first, no stale byte code, one thread a process."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "PYTHON", "PYTEST_", "COVERAGE_"))}
    own = {"PYTHONPATH": str(slot.tree), "PYTHONDONTWRITEBYTECODE": "1", "NUMBA_CACHE_DIR": str(slot.folder / cache)}
    return inherited | own | {"OMP_NUM_THREADS": "1", "TMPDIR": str(_temporary(slot))} | more


def _temporary(slot: Slot) -> Path:
    folder = slot.folder / "tmp"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def run_process(command: list[str], slot: Slot, env: dict[str, str], cpu: int, wall: float) -> tuple[int | None, str]:
    """Run a command in the copy. Its exit code (None = it had to be stopped) and the end of what it printed."""
    log = slot.folder / "log.txt"
    with log.open("w+", encoding="utf-8") as out:
        process = subprocess.Popen(
            command, cwd=slot.tree, env=env, stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 5)),
        )  # fmt: skip
        try:
            code: int | None = process.wait(wall)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            _stop(process)
    return code, log.read_text(encoding="utf-8", errors="replace")[-2000:]


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the process and all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


# ------------------------------------------------------------------ judging


def judge_fast(
    slot: Slot, mutant: Mutant | None, kind: str, *, hands: float = 1.0, cpu: int = FAST_CPU, wall: float = FAST_WALL
) -> dict[str, Any]:
    """The fast judge's verdict on a mutant, or on the unchanged project judged as one of a kind.

    Returns:
        status, by, message, cpu, seconds.

    Raises:
        ToolError: what ran was not the mutant.
    """
    sha = slot.lay(mutant)
    file = mutant.file if mutant else JUDGED[kind]
    sha = sha or hashlib.sha256((ROOT / file).read_bytes()).hexdigest()
    answer = slot.folder / "verdict.json"
    answer.unlink(missing_ok=True)
    command = [sys.executable, *JUDGE, "--file", file, "--sha", sha, "--verdict", str(answer)]
    command += [
        "--digests",
        str(slot.folder / f"digests-{source_digest(ROOT)}.json"),
        "--cpu",
        str(cpu),
        "--hands",
        str(hands),
    ]
    env = environment(slot, **({} if kind == "data" else {"NUMBA_DISABLE_JIT": "1"}))
    started = time.perf_counter()
    code, said = run_process(command, slot, env, cpu, wall)
    seconds = round(time.perf_counter() - started, 2)
    if answer.exists():
        found: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
        if found["status"] == "error":
            raise ToolError(found["message"])
        return found | {"seconds": seconds}
    stopped = code is None or code in (-signal.SIGXCPU, -signal.SIGKILL)
    if not stopped and code is not None and code >= 0:
        raise ToolError(f"the judge ended with {code} and no verdict: {said}")
    return {"status": "timeout" if stopped else "killed", "by": "time" if stopped else "crash", "message": f"signal {code}",
            "cpu": float(cpu) if stopped else 0.0, "seconds": seconds}  # fmt: skip


def judge_suite(slot: Slot, mutant: Mutant | None) -> dict[str, Any]:
    """The default suite's verdict, compiled, on a mutant or on the unchanged project: status, by, message, seconds."""
    slot.lay(mutant)
    cache = "suite-cache" if mutant and mutant.kind != "data" else "cache"
    shutil.rmtree(slot.folder / "suite-cache", ignore_errors=True)
    command = [sys.executable, "-P", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command += suite_paths(slot.tree)
    started = time.perf_counter()
    code, said = run_process(command, slot, environment(slot, cache), 3000, SUITE_WALL)
    shutil.rmtree(slot.folder / "suite-cache", ignore_errors=True)
    found = {"seconds": round(time.perf_counter() - started, 2), "message": ""}
    if code == 0:
        return found | {"status": "survived", "by": ""}
    if code == 1 or code == 2:
        lines = [line for line in said.splitlines() if line.startswith(("FAILED", "ERROR"))]
        name = lines[0].split(" - ")[0].split(" ", 1)[-1] if lines else "collection"
        return found | {"status": "killed", "by": name, "message": (lines or [said])[0][-300:]}
    if code is None or code < 0:
        return found | {"status": "killed", "by": "crash or timeout", "message": f"signal {code}"}
    raise ToolError(f"pytest ended with {code}: {said}")


def suite_paths(tree: Path) -> list[str]:
    """All test files of a copy, those that judge rules first."""
    files = [path.relative_to(tree).as_posix() for path in sorted((tree / "tests").rglob("test_*.py"))]
    kept = [file for file in files if not file.startswith(LEFT_OUT)]

    def place(file: str) -> int:
        return next((i for i, start in enumerate(FIRST) if file.startswith(start)), len(FIRST))

    return sorted(kept, key=place)
