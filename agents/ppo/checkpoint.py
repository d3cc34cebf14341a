"""Files of weights: safetensors with a JSON header. Reading one parses numbers and text, and executes no code.

Two kinds: a *policy* holds the actor only, in half precision, and is what agents play from; a *training state* holds all
that a run needs to continue bit for bit. Both name the ruleset, the observation layout and the action table that they were
made for, and are refused by another. A `.json` file beside each shows the header to people; it is never read.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as parse
from safetensors.numpy import save as serialise

from agents.ppo.figures import FIRST, LARGEST, MOST, figures, is_count, is_figure, is_number
from tarock_env.codes import Phase
from tarock_env.encoding import layout
from tarock_env.record import whole
from tarock_env.record.strict import loads
from tarock_env.rulesets.schema import Ruleset
from tarock_env.rulesets.shown import printable, short

if TYPE_CHECKING:
    from agents.ppo.config import TrainConfig

POLICY, TRAINING = "tarock-policy", "tarock-training"
VERSION = 1
_HEADER = "tarock"
_LARGEST_HEADER = 100_000_000
#: kind -> types of numbers that its weights may have
DTYPES = {POLICY: ("F16", "F32"), TRAINING: ("F32",)}


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
    whole.replace(path, serialise(contiguous, {_HEADER: json.dumps(header)}))
    whole.replace(path.with_suffix(".json"), (text + "\n").encode())


def read(path: Path, kind: str) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Arrays and header of a file of weights.

    Raises:
        CheckpointError: no such file, not a file of weights, another kind or version, weights that are not finite numbers
            of the types in `DTYPES`, or a training state whose header is not as `run` writes it.
    """
    try:
        if path.exists() and not path.is_file():
            raise CheckpointError(f"checkpoint {str(path)!r} cannot be read: it is no regular file")
        content = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"checkpoint {str(path)!r} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise (
            error if isinstance(error, CheckpointError) else CheckpointError(f"checkpoint {str(path)!r}: {error}")
        ) from None
    header, listed = _header(path, content)
    if header.get("kind") != kind or header.get("version") != VERSION:
        raise CheckpointError(
            f"checkpoint {str(path)!r} is a {short(header.get('kind'))} of version {short(header.get('version'))}; "
            f"allowed here: a {kind!r} of version {VERSION}"
        )
    for name, about in listed.items():
        if isinstance(about, dict) and about.get("dtype") not in DTYPES[kind]:
            raise _wrong(path, f"type of the numbers in {name!r}", about.get("dtype"), " or ".join(DTYPES[kind]))
    try:
        tensors: dict[str, np.ndarray] = parse(content)
    except (SafetensorError, KeyError, ValueError, TypeError) as error:
        raise CheckpointError(f"checkpoint {str(path)!r} is damaged: {error}") from None
    for name, array in tensors.items():
        if array.dtype not in (np.float16, np.float32):  # the head was understood otherwise
            raise _wrong(path, f"type of the numbers in {name!r}", str(array.dtype), " or ".join(DTYPES[kind]))
        if not np.isfinite(array).all():
            raise _wrong(path, repr(name), str(array[~np.isfinite(array)][0]), "finite numbers")
    if kind == TRAINING:
        _check_state(path, header)
    return tensors, header


def _wrong(path: Path, name: str, value: object, allowed: object) -> CheckpointError:
    return CheckpointError(f"checkpoint {str(path)!r}: {name} is {short(value)}; allowed: {allowed}")


def _header(path: Path, content: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """The JSON text in the head of a safetensors file, and what that head says of each array; both are read strictly."""
    problem = f"checkpoint {str(path)!r} is no file of weights in the safetensors format with a tarock header"
    if len(content) < 8:
        raise CheckpointError(problem)
    (length,) = struct.unpack("<Q", content[:8])
    if length > min(_LARGEST_HEADER, len(content) - 8):
        raise CheckpointError(problem)
    try:
        listed = loads(content[8 : 8 + length].decode())
        header = loads(listed.pop("__metadata__")[_HEADER])
    except ValueError as error:
        told = printable(str(error)[:200])
        raise CheckpointError(f"{problem}: {told}; allowed: JSON with finite numbers, each name once") from None
    except (KeyError, TypeError, AttributeError):
        raise CheckpointError(problem) from None
    if not isinstance(header, dict):
        raise CheckpointError(problem)
    return header, listed


def check(path: Path, header: Mapping[str, Any], ruleset: Ruleset) -> None:
    """Refuse weights that were made for another ruleset, observation layout or action table.

    Raises:
        CheckpointError: names what differs, in the file and here.
    """
    for name, here in identity(ruleset).items():
        if header.get(name) != here:
            raise CheckpointError(
                f"checkpoint {str(path)!r} was made for {name} {short(header.get(name))}, "
                f"but {ruleset.id} has {name} {here!r}"
            )


# ---------------------------------------------------------------------- training states


def refuse_diverged(folder: Path, tensors: Mapping[str, np.ndarray], averages: Sequence[float]) -> None:
    """Refuse what nobody could read, before it is written over the last state of a run.

    Raises:
        CheckpointError: an array, or the running averages of the returns, are no finite numbers.
    """
    for name, array in {**tensors, "averages of the returns": figures(np.array(averages))}.items():
        wrong = ~np.isfinite(array)
        if wrong.any():
            raise CheckpointError(
                f"training in {str(folder)!r} has diverged: {name!r} holds {array[wrong].flat[0]}; "
                f"allowed: finite numbers; nothing was written over the last save"
            )


_COUNTERS = ("iteration", "cloned", "decisions", "hands", "evaluations", "seconds")


def config_in(path: Path, header: Mapping[str, Any]) -> TrainConfig:
    """The settings of the run in a training state.

    Raises:
        CheckpointError: they are not all there, or not as the command line would allow them.
    """
    from agents.ppo.config import TrainConfig, from_dict  # needs torch, which those who play do not

    settings = _typed(path, header, "config", dict)
    try:
        config = from_dict(settings)
    except (ValueError, TypeError) as error:
        raise CheckpointError(f"checkpoint {str(path)!r}: config: {error}") from None
    missing = [name for name in TrainConfig.__dataclass_fields__ if name not in settings]
    if missing:
        raise _wrong(path, "config", f"without {missing[0]}", "all settings")
    return config


def _check_state(path: Path, header: Mapping[str, Any]) -> None:
    """The header of a training state: keys, types and ranges."""
    for name in ("ruleset", "layout", "actions"):
        _typed(path, header, name, str)
    _typed(path, header, "options", dict)
    config = config_in(path, header)
    for name, allowed in (("width", config.width), ("depth", config.depth)):
        if _whole(path, header, name, 1, 8192) != allowed:
            raise _wrong(path, name, header[name], f"{allowed}, as in config")
    if header.get("precision") not in ("fp32", "bf16"):
        raise _wrong(path, "precision", header.get("precision"), "fp32, bf16")
    _whole(path, header, "members", 0, config.pool_size)
    _check_counters(path, _typed(path, header, "counters", dict), config)
    values = _typed(path, header, "values", list)
    bounds = ((-LARGEST, LARGEST), (0.0, LARGEST), (0.0, 1.001))  # of running mean, mean square and weight
    fits = [is_number(v) and low <= v <= high for v, (low, high) in zip(values, bounds, strict=False)]
    if len(values) != 3 or not all(fits):
        ranges = ", ".join(f"{low:g} … {high:g}" for low, high in bounds)
        raise _wrong(path, "values", values, f"three numbers, in {ranges}")


def _check_counters(path: Path, counters: dict[str, Any], config: TrainConfig) -> None:
    if set(counters) != set(_COUNTERS):
        raise _wrong(path, "the names in counters", sorted(counters), ", ".join(_COUNTERS))
    for name in ("iteration", "cloned", "decisions", "hands"):
        _whole(path, counters, name, 0, MOST)
    _whole(path, counters, "evaluations", 0, config.evaluations)
    if not is_count(counters["seconds"]):
        raise _wrong(path, "seconds", counters["seconds"], f"0 … {MOST}")
    hands = counters["iteration"] * config.hands + counters["cloned"]
    if counters["hands"] != hands:
        raise _wrong(path, "hands", counters["hands"], f"{hands}, which iteration and cloned make")


def _typed(path: Path, values: Mapping[str, Any], name: str, kind: type) -> Any:
    if not isinstance(values.get(name), kind):
        what = "a text" if kind is str else "a JSON object" if kind is dict else "a JSON list"
        raise _wrong(path, name, values.get(name), what)
    return values[name]


def _whole(path: Path, values: Mapping[str, Any], name: str, low: int, high: int) -> int:
    value = values.get(name)
    if not (isinstance(value, int) and not isinstance(value, bool) and low <= value <= high):
        raise _wrong(path, name, value, f"a whole number in {low} … {high}")
    return value


def check_tensors(path: Path, tensors: Mapping[str, np.ndarray], header: Mapping[str, Any], ruleset: Ruleset) -> None:
    """Refuse a training state whose arrays are not those that its header calls for.

    Args:
        tensors, header: from `read`. ruleset: the one that `check` compared.

    Raises:
        CheckpointError: an array is missing, has another shape or values that the optimiser cannot have, or is one too many;
            or what is to be logged is not what this ruleset's log holds.
    """
    _check_pending(path, header, ruleset)
    shapes = _state_shapes(header, ruleset)
    for name, shape in shapes.items():
        found = tensors[name].shape if name in tensors else "missing"
        if found != shape:
            raise _wrong(path, f"shape of {name!r}", found, shape)
    for name, array in tensors.items():
        if name not in shapes:
            raise _wrong(path, "an array", name, "only what the counters and members of the header call for")
        low = {"step": 1.0, "exp_avg_sq": 0.0}.get(name.rpartition(".")[2], -np.inf)
        if array.size and array.min() < low:
            raise _wrong(path, repr(name), float(array.min()), f"numbers of at least {low:g}")


def _check_pending(path: Path, header: Mapping[str, Any], ruleset: Ruleset) -> None:
    """What stands under ``log``, see `agents.ppo.logs.Log.pending`; files of earlier versions have none."""
    if "log" not in header:
        return
    pending = _typed(path, header, "log", dict)
    if set(pending) != {"sums", "phases", "contracts"}:
        raise _wrong(path, "the names in log", sorted(pending), "sums, phases, contracts")
    for name, values in _typed(path, pending, "sums", dict).items():
        if name not in FIRST:
            raise _wrong(path, "a name in sums", name, ", ".join(FIRST))
        if not (isinstance(values, list) and values and all(map(is_figure, values))):
            raise _wrong(path, f"sums of {name}", values, f"a list of numbers up to {LARGEST:g}, or null")
    tables = (("phases", len(Phase), (is_figure, is_count)), ("contracts", len(ruleset.contracts), (is_count, is_count)))
    for name, size, kinds in tables:
        rows = _typed(path, pending, name, list)
        fits = [
            isinstance(row, list) and len(row) == size and all(map(fit, row)) for row, fit in zip(rows, kinds, strict=False)
        ]
        if len(rows) != 2 or not all(fits):
            raise _wrong(path, name, rows, f"two lists of {size} numbers, of what is counted 0 … {MOST}")


def _state_shapes(header: Mapping[str, Any], ruleset: Ruleset) -> dict[str, tuple[int, ...]]:
    """Name -> shape of all arrays in a training state; the order of the networks' is that of their parameters."""
    plan, width, depth = layout(ruleset), header["width"], header["depth"]

    def network(features: int, outputs: int) -> dict[str, tuple[int, ...]]:
        shapes: dict[str, tuple[int, ...]] = {"first.weight": (features, width), "first.bias": (width,)}
        for i in range(depth - 1):
            shapes |= {f"hidden.{i}.weight": (width, width), f"hidden.{i}.bias": (width,)}
        return shapes | {"last.weight": (outputs, width), "last.bias": (outputs,)}

    actor, critic = network(plan.F, len(ruleset.actions)), network(plan.F_full, 1)
    shapes = {f"actor.{name}": shape for name, shape in actor.items()}
    shapes |= {f"critic.{name}": shape for name, shape in critic.items()}
    if header["counters"]["decisions"] + header["counters"]["cloned"] > 0:  # before its first step the optimiser has nothing
        for i, shape in enumerate([*actor.values(), *critic.values()]):
            shapes |= {f"optimiser.{i}.step": (1,), f"optimiser.{i}.exp_avg": shape, f"optimiser.{i}.exp_avg_sq": shape}
    for i in range(header["members"]):
        shapes |= {f"pool.{i}.{name}": shape for name, shape in actor.items()}
    return shapes
