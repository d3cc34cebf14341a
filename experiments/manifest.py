"""The manifest of a run: all that is needed to make its data again. Time and place stand here only, never in data."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from agents import base
from tarock_env import Engine, __version__
from tarock_env.jit import source_digest
from tarock_env.record import whole

FORMAT = "tarock-manifest/1"
PACKAGES = ("numpy", "numba", "gymnasium", "pettingzoo")


def describe(settings: Mapping[str, Any], engine: Engine | None = None) -> dict[str, Any]:
    """The manifest of a run that is about to start.

    Args:
        settings: what decides the data: command, seeds, agents, counts. Equal settings make equal data.
        engine: what is played.
    """
    facts: dict[str, Any] = {"format": FORMAT, "settings": dict(settings)}
    if engine is not None:
        facts["ruleset"] = {"id": engine.ruleset.id, "options": engine.options, "version": engine.ruleset.version}
        facts["ruleset"]["digest"] = engine.digest()
    facts["versions"] = _versions()
    facts["commit"] = _commit()
    facts["platform"] = {"system": platform.platform(), "machine": platform.machine(), "cpus": os.cpu_count()}
    facts["command_line"] = sys.argv
    facts["started"] = _now()
    return facts


def playing(engine: Engine, agents: Sequence[base.Agent]) -> dict[str, Any]:
    """Of the settings: what is played and who plays, with agents' weights and the sources of all that is compiled."""
    chosen = {"ruleset": engine.ruleset.id, "options": engine.options, "digest": engine.digest()}
    return {**chosen, "weights": list(map(_weights, agents)), "sources": source_digest()}


def _weights(agent: base.Agent) -> str | None:
    """A hash of the weights of an agent that has some."""
    policy = getattr(agent, "policy_weights", None)
    if policy is None:
        return None
    digest = hashlib.sha256()
    for array in vars(policy).values():
        digest.update(repr(array.shape).encode() + array.tobytes())
    return digest.hexdigest()


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def _versions() -> dict[str, str]:
    found = {"tarock-env": __version__, "python": platform.python_version()}
    for package in (*PACKAGES, *(["torch"] if "torch" in sys.modules else [])):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def _commit() -> str | None:
    """The commit that this source tree stands at, with "+" if it was changed; None outside a checkout."""
    root = Path(__file__).resolve().parent.parent
    if not (root / ".git").exists():
        return None
    try:
        head = _git(root, "rev-parse", "HEAD")
        return head + ("+" if _git(root, "status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.SubprocessError):
        return None


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=True, timeout=10)
    return done.stdout.strip()


def path_for(output: Path) -> Path:
    """Where the manifest of an output file or folder lies."""
    return output / "manifest.json" if output.is_dir() else output.with_name(output.name + ".manifest.json")


def write(path: Path, manifest: Mapping[str, Any], *, finished: bool = False) -> None:
    """Write a manifest, all or nothing; `finished` adds the time."""
    content = {**manifest, "finished": _now()} if finished else dict(manifest)
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    whole.replace(path, text.encode("utf-8", "surrogateescape"))


def read(path: Path) -> dict[str, Any] | None:
    """A manifest, or None where there is none that can be read."""
    try:
        content = json.loads(path.read_text(encoding="utf-8", errors="surrogateescape"))
    except (OSError, ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) and content.get("format") == FORMAT else None
