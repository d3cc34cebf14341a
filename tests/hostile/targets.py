"""The doors that bytes from strangers come through: functions of any bytes that raise only if the project is wrong."""

from __future__ import annotations

import copy
import functools
import json
import struct
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import tarock_env
from agents import base
from agents.ppo import checkpoint
from agents.ppo.agent import load as load_policy
from agents.ppo.config import TrainConfig, from_dict
from agents.ppo.config import read as read_config
from experiments import arguments, manifest
from tarock_env import record as records
from tarock_env.rulesets import RulesetError
from tarock_env.rulesets.options import choose
from tests.hostile.choices import JUNK, Choices, damaged, flipped, text_of

RECORDS = Path(__file__).parents[1] / "cases/records"
RULESET = "koenigrufen_pagat"


@functools.cache
def scratch() -> Path:
    """A folder for the files that loaders are given."""
    holder = tempfile.TemporaryDirectory()
    _holders.append(holder)
    return Path(holder.name)


_holders: list[tempfile.TemporaryDirectory[str]] = []


@functools.cache
def seeds() -> list[dict[str, Any]]:
    """Some records of each ruleset."""
    lines = [line for path in sorted(RECORDS.glob("*.jsonl")) for line in path.read_text().splitlines()[:12]]
    return [json.loads(line) for line in lines]


def record(data: bytes) -> None:
    """A line of a file of records is verified, or told to be unreadable."""
    choices = Choices(data)
    text = choices.rest() if choices.below(8) == 7 else text_of(damaged(choices.of(seeds()), choices), choices)
    try:
        opening = records.open_record(records.parse(text))
        found = records.verify_all([opening])[0]
    except records.RecordError as error:
        found = [str(error)]
    assert all(isinstance(difference, str) and difference for difference in found)


def record_file(data: bytes) -> None:
    """A file of records is read up to the line that is no record, which is named."""
    choices = Choices(data)
    lines = [text_of(damaged(choices.of(seeds()), choices), choices) for _ in range(choices.below(3))]
    path = scratch() / "hands.jsonl"
    path.write_bytes(flipped(b"\n".join(lines), choices) if choices.below(2) else b"\n".join(lines) + choices.rest())
    try:
        for read in records.read_lines(path):
            assert read["format"] == records.FORMAT
    except records.RecordError as error:
        assert ", line " in str(error)


def options(data: bytes) -> None:
    """A ruleset with options is playable, or refused."""
    choices = Choices(data)
    ruleset = tarock_env.load(choices.of(tarock_env.available()))
    chosen: dict[Any, Any] = {}
    for _ in range(1 + choices.below(4)):
        option = choices.of(ruleset.options)
        chosen[option.name] = copy.deepcopy(choices.of([*option.values, *JUNK]))
        if option.bonus_values and choices.below(2):
            chosen[option.name] = {choices.of([*option.bonus_values, "x"]): choices.of([0, 3, 2**14, *JUNK])}
    given: Any = damaged(chosen, choices) if choices.below(3) == 0 else chosen
    try:
        engine = tarock_env.Engine(choose(ruleset, given))
        state = engine.reset(2, seed=choices.byte())
        engine.playout(state, "balanced")
        assert state["done"].all()
    except RulesetError as error:
        assert len(str(error)) < 5000


def option_words(data: bytes) -> None:
    """NAME=VALUE of a command line is understood or refused."""
    text = data.decode("utf-8", "surrogateescape")
    try:
        name, _ = arguments.option(text)
        assert name
    except arguments.argparse.ArgumentTypeError as error:
        assert len(str(error)) < len(text) * 10 + 200


def config(data: bytes) -> None:
    """Settings of a training run are accepted or refused, from a file too."""
    choices = Choices(data)
    settings = damaged(TrainConfig(decisions=100).as_dict(), choices)
    path = scratch() / "config.json"
    path.write_bytes(choices.rest() if choices.below(8) == 7 else text_of(settings, choices))
    for source in (lambda: settings, lambda: read_config(path)):
        try:
            from_dict(source())
        except ValueError as error:
            assert str(error)


def run_manifest(data: bytes) -> None:
    """A manifest is read, or there is none."""
    choices = Choices(data)
    path = scratch() / "manifest.json"
    path.write_bytes(text_of(damaged({"format": manifest.FORMAT, "settings": {}, "written": {}}, choices), choices))
    assert manifest.read(path) is None or isinstance(manifest.read(path), dict)


@functools.cache
def engine() -> tarock_env.Engine:
    """What policies are for."""
    return tarock_env.make(RULESET)


SPECS = (
    "random",
    "uniform",
    "heuristic",
    "ppo:",
    "ppo:builtin/",
    "ppo:builtin/" + RULESET,
    "?sample",
    ":",
    ",",
    "..",
    "/",
    "\0",
)


def spec(data: bytes) -> None:
    """An agent spec makes an agent or is refused."""
    choices = Choices(data)
    text = "".join(choices.of(SPECS) for _ in range(choices.below(4))) + choices.rest().decode("utf-8", "surrogateescape")
    try:
        assert base.make(text, engine()).name
    except ValueError as error:
        assert str(error)


@functools.cache
def weights() -> dict[str, bytes]:
    """A small policy and a small training state, as files."""
    from agents.ppo.trainer import Trainer

    settings = TrainConfig(
        decisions=60, hands=4, width=4, depth=2, minibatch=32, evaluations=0, pool_every=1, log_every=5, shards=1
    )
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trainer = Trainer(settings, Path(folder), engine(), threads=1)
        trainer.run(1)
        return {name: (Path(folder) / f"{name}.safetensors").read_bytes() for name in ("policy", "training")}


def head_damaged(content: bytes, choices: Choices) -> bytes:
    """A file of weights whose head says something else."""
    (length,) = struct.unpack("<Q", content[:8])
    head = json.loads(content[8 : 8 + length])
    if choices.below(2):
        told = damaged(json.loads(head["__metadata__"]["tarock"]), choices)
        head["__metadata__"]["tarock"] = json.dumps(told)
    else:
        head = damaged(head, choices)
    text = text_of(head, choices)
    size = len(text) if choices.below(8) else choices.below(1 << 32) << choices.below(33)
    return struct.pack("<Q", min(size, 2**64 - 1)) + text + content[8 + length :]


def weights_file(data: bytes) -> None:
    """A file of weights is loaded, finite and in its shapes, or refused."""
    choices = Choices(data)
    kind = choices.of(("policy", "training"))
    content = weights()[kind]
    how = choices.below(6)
    if how == 0:
        content = choices.rest()
    elif how == 1:
        content = content[: choices.below(len(content))]
    elif how == 2:
        content = flipped(content, choices)
    elif how == 3:
        content = flipped(content[:4000], choices) + content[4000:]
    else:
        content = head_damaged(content, choices)
    path = scratch() / f"{kind}.safetensors"
    path.write_bytes(content)
    try:
        if kind == "policy":
            policy = load_policy(str(path), engine()).policy_weights
            assert all(np.isfinite(array).all() and array.dtype == np.float32 for array in vars(policy).values())
        else:
            tensors, header = checkpoint.read(path, checkpoint.TRAINING)
            checkpoint.check(path, header, engine().ruleset)
            checkpoint.check_tensors(path, tensors, header, engine().ruleset)
            checkpoint.config_in(path, header)
    except checkpoint.CheckpointError as error:
        assert path.name in str(error)
        assert len(str(error)) < 20_000


TARGETS: dict[str, Callable[[bytes], None]] = {
    "record": record, "record_file": record_file, "options": options, "option_words": option_words, "config": config,
    "run_manifest": run_manifest, "spec": spec, "weights_file": weights_file,
}  # fmt: skip
