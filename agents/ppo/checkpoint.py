"""Files of weights: safetensors with a JSON header. Reading one parses numbers and text, and executes no code.

Two kinds: a *policy* holds the actor only, in half precision, and is what agents play from; a *training state* holds all
that a run needs to continue bit for bit. Both name the ruleset, the observation layout and the action table that they were
made for, and are refused by another. A `.json` file beside each shows the header to people; it is never read.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as parse
from safetensors.numpy import save as serialise

from tarock_env.encoding import layout
from tarock_env.rulesets.schema import Ruleset

POLICY, TRAINING = "tarock-policy", "tarock-training"
VERSION = 1
_HEADER = "tarock"
_LARGEST_HEADER = 100_000_000


class CheckpointError(ValueError):
    """A file of weights that cannot be read, or that was made for something else."""


def identity(ruleset: Ruleset) -> dict[str, str]:
    """What a network is tied to: ruleset, observation layout and action table; options may differ."""
    names = "\n".join(ruleset.actions)
    return {
        "ruleset": ruleset.id,
        "layout": layout(ruleset).version,
        "actions": f"{len(ruleset.actions)}:{hashlib.sha256(names.encode()).hexdigest()[:12]}",
    }


def write(path: Path, kind: str, tensors: Mapping[str, np.ndarray], meta: Mapping[str, Any]) -> None:
    """Write a file of weights and the header beside it; a reader sees the old file or the new one, never a part."""
    header = {"kind": kind, "version": VERSION, **meta}
    text = json.dumps(header, indent=1, sort_keys=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    contiguous = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
    _replace(path, serialise(contiguous, {_HEADER: json.dumps(header)}))
    _replace(path.with_suffix(".json"), (text + "\n").encode())


def _replace(path: Path, content: bytes) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def read(path: Path, kind: str) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Arrays and header of a file of weights.

    Raises:
        CheckpointError: no such file, not a file of weights, or another kind or version.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"checkpoint {str(path)!r} cannot be read: {error.strerror or error}") from None
    header = _header(path, content)
    if header.get("kind") != kind or header.get("version") != VERSION:
        raise CheckpointError(
            f"checkpoint {str(path)!r} is a {header.get('kind')!r} of version {header.get('version')!r}; "
            f"allowed here: a {kind!r} of version {VERSION}"
        )
    try:
        return parse(content), header
    except (SafetensorError, KeyError, ValueError, TypeError) as error:
        raise CheckpointError(f"checkpoint {str(path)!r} is damaged: {error}") from None


def _header(path: Path, content: bytes) -> dict[str, Any]:
    """The JSON text in the head of a safetensors file."""
    problem = CheckpointError(
        f"checkpoint {str(path)!r} is no file of weights in the safetensors format with a tarock header"
    )
    if len(content) < 8:
        raise problem
    (length,) = struct.unpack("<Q", content[:8])
    if length > min(_LARGEST_HEADER, len(content) - 8):
        raise problem
    try:
        header = json.loads(json.loads(content[8 : 8 + length])["__metadata__"][_HEADER])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise problem from None
    if not isinstance(header, dict):
        raise problem
    return header


def check(path: Path, header: Mapping[str, Any], ruleset: Ruleset) -> None:
    """Refuse weights that were made for another ruleset, observation layout or action table.

    Raises:
        CheckpointError: names what differs, in the file and here.
    """
    for name, here in identity(ruleset).items():
        if header.get(name) != here:
            raise CheckpointError(
                f"checkpoint {str(path)!r} was made for {name} {header.get(name)!r}, but {ruleset.id} has {name} {here!r}"
            )
