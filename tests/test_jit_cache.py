"""The guard against stale machine code: a kernel's cache folder follows every source that it can reach.

Each test works on a copy of the package, in fresh processes, with one small kernel that reads a constant and calls a
function of other files.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tarock_env import jit

PROBE = """
from tarock_env.cards import table_points
from tarock_env.engine.counting import WINNING
from tarock_env.jit import kernel


@kernel
def is_won(thirds):
    return table_points(thirds) >= WINNING
"""
ASK = """
import json
from tarock_env import jit
from tarock_env.engine.probe import is_won
won = [thirds for thirds in range(211) if is_won(thirds)]
print(json.dumps({"from": won[0], "folder": str(jit.CACHE_FOLDER), "hits": sum(is_won.stats.cache_hits.values()),
                  "misses": sum(is_won.stats.cache_misses.values())}))
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with a copy of the package, without any cache, and the probe."""
    shutil.copytree(jit.PACKAGE, tmp_path / "tarock_env", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "tarock_env/engine/probe.py").write_text(PROBE)
    return tmp_path


def ask(folder: Path, **environment: str) -> dict[str, Any]:
    """What a fresh process finds: the thirds that win, the cache folder, cache hits and misses."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "PYTHON", "XDG_"))}
    environment = inherited | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"} | environment
    result = subprocess.run([sys.executable, "-c", ASK], cwd=folder, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def edit(path: Path, old: str, new: str) -> None:
    """Replace a piece of a source file that occurs once."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_unchanged_sources_are_compiled_once(copy: Path) -> None:
    first, second = ask(copy), ask(copy)
    assert (first["from"], first["hits"], first["misses"]) == (107, 0, 1)
    assert (second["from"], second["hits"], second["misses"]) == (107, 1, 0)
    assert first["folder"] == second["folder"]
    assert Path(first["folder"]).parent == copy / "tarock_env/__pycache__"


def test_a_constant_changed_in_another_file_is_seen(copy: Path) -> None:
    assert ask(copy)["from"] == 107
    edit(copy / "tarock_env/engine/counting.py", "WINNING = 36", "WINNING = 30")
    assert ask(copy)["from"] == 89


def test_a_callee_changed_in_another_file_is_seen(copy: Path) -> None:
    assert ask(copy)["from"] == 107
    edit(copy / "tarock_env/cards.py", "return (thirds + 1) // 3", "return thirds // 3")
    assert ask(copy)["from"] == 108


def test_without_the_guard_the_old_code_would_stay(copy: Path) -> None:
    """Shows that the danger is real, and that the tests above can fail."""
    edit(copy / "tarock_env/jit.py", "return digest.hexdigest()[:16]", 'return "always-the-same"')
    assert ask(copy)["from"] == 107
    edit(copy / "tarock_env/engine/counting.py", "WINNING = 36", "WINNING = 30")
    assert ask(copy)["from"] == 107


def test_the_newest_folders_are_kept(copy: Path) -> None:
    cache = copy / "tarock_env/__pycache__"
    for age in range(8):
        old = cache / f"kernels-{age:016x}"
        old.mkdir(parents=True)
        (old / "machine.nbc").touch()
        os.utime(old, (1_000_000_000 - age, 1_000_000_000 - age))
    (cache / "other").mkdir()
    present = Path(ask(copy)["folder"]).name
    left = {path.name for path in cache.iterdir()}
    assert left == {present, "other", *(f"kernels-{age:016x}" for age in range(jit.KEPT_FOLDERS - 1))}


def test_bounds_checks_have_a_folder_of_their_own(copy: Path) -> None:
    plain, checked = ask(copy), ask(copy, NUMBA_BOUNDSCHECK="1")
    assert plain["folder"] != checked["folder"]
    assert (checked["from"], checked["misses"]) == (107, 1)


def test_a_package_that_cannot_be_written_caches_with_the_user(copy: Path) -> None:
    (copy / "tarock_env/__pycache__").write_text("a file, so that no folder can be made here, not even by root")
    home = copy / "home"
    first, second = ask(copy, XDG_CACHE_HOME=str(home)), ask(copy, XDG_CACHE_HOME=str(home))
    assert Path(first["folder"]).parent == home / "tarock_env"
    assert (first["misses"], second["hits"]) == (1, 1)


@pytest.fixture
def shared(copy: Path) -> Path:
    """A folder for everybody's temporary files, where only this place for compiled code is left."""
    (copy / "tarock_env/__pycache__").write_text("a file, so that no folder can be made here, not even by root")
    (copy / "home").write_text("no folder, either")
    (copy / "tmp").mkdir()
    return copy / "tmp"


def _ask_in(shared: Path) -> dict[str, Any]:
    return ask(shared.parent, XDG_CACHE_HOME=str(shared.parent / "home"), TMPDIR=str(shared))


def test_the_last_resort_is_closed_to_others(shared: Path) -> None:
    first, second = _ask_in(shared), _ask_in(shared)
    ours = shared / f"tarock_env-{os.getuid()}"
    assert Path(first["folder"]).parent == ours
    assert ours.stat().st_mode & 0o077 == 0
    assert (first["misses"], second["hits"]) == (1, 1)


@pytest.mark.parametrize("kind", ["open to others", "link", "of somebody else"])
def test_machine_code_that_others_may_have_put_there_is_not_loaded(shared: Path, kind: str) -> None:
    ours = shared / f"tarock_env-{os.getuid()}"
    if kind == "link":
        (shared / "theirs").mkdir(mode=0o700)
        ours.symlink_to(shared / "theirs")
    else:
        ours.mkdir()
        ours.chmod(0o777 if kind == "open to others" else 0o700)
    if kind == "of somebody else":
        if os.getuid() != 0:
            pytest.skip("only root can give a folder away")
        os.chown(ours, 12345, 12345)
    answer = _ask_in(shared)
    assert (answer["from"], answer["folder"], answer["hits"]) == (107, "None", 0)
    assert list(ours.iterdir()) == []


def test_a_chosen_folder_is_used(copy: Path) -> None:
    answer = ask(copy, NUMBA_CACHE_DIR=str(copy / "chosen"))
    assert Path(answer["folder"]).parent == copy / "chosen"
    assert list((copy / "chosen").rglob("*.nbc")) != []


def test_every_kernel_source_counts(tmp_path: Path) -> None:
    root = jit.PACKAGE.parent
    for folder in jit.KERNEL_FOLDERS:
        for path in (root / folder).glob("*.py"):
            target = tmp_path / path.relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    before = jit.source_digest(tmp_path)
    assert before == jit.source_digest(root)
    digests = {before}
    sources = jit.kernel_sources(tmp_path)
    for path in sources:
        text = path.read_bytes()
        path.write_bytes(text + b"\n")
        digests.add(jit.source_digest(tmp_path))
        path.write_bytes(text)
    assert len(digests) == len(sources) + 1
    assert jit.source_digest(tmp_path) == before
