"""The trained agent: a policy file that plays from views, without torch and without the critic.

Spec: ``ppo:PATH`` plays the most probable action, ``ppo:PATH?sample`` draws from the policy. PATH is a policy file, a run's
folder (its ``policy.safetensors``), or ``builtin/RULESET`` for a policy that comes with the package.

Every row is computed on its own by one compiled loop, so the choice is the same bit for bit at every batch size.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agents.ppo.checkpoint import POLICY, CheckpointError, check, read
from agents.ppo.kernels.choice import LEGAL_WORDS, choose_greedy, choose_sampled, mask_bits
from agents.ppo.kernels.forward import forward_all
from tarock_env import Engine
from tarock_env.encoding import Layout, encode_bits, layout
from tarock_env.engine import checking
from tarock_env.rulesets.shown import short
from tarock_env.view import VIEW

BUILTIN = Path(__file__).parent / "builtin"
POLICY_FILE = "policy.safetensors"
_SAMPLE = "?sample"
LARGEST_SUM = 1e37  #: what sums in a network may reach: float32 ends at 3.4e38


@dataclass(frozen=True)
class Policy:
    """The weights of an actor with L hidden layers of H units, float32, inputs first: y = x W + b."""

    first: np.ndarray  #: (F, H), one row for each observation bit
    first_bias: np.ndarray  #: (H,)
    hidden: np.ndarray  #: (L - 1, H, H)
    hidden_bias: np.ndarray  #: (L - 1, H)
    last: np.ndarray  #: (H, A)
    last_bias: np.ndarray  #: (A,)

    def logits(self, words: np.ndarray) -> np.ndarray:
        """Packed observations uint64 (B, W) -> logits of all actions, float32 (B, A).

        Raises:
            ValueError: they are none, or have fewer bits than this network reads.
        """
        fits = isinstance(words, np.ndarray) and words.dtype == np.uint64 and words.ndim == 2
        if not fits or 64 * words.shape[1] < len(self.first):
            given = f"{words.dtype} {words.shape}" if isinstance(words, np.ndarray) else short(words)
            raise ValueError(f"words are {given}; allowed: uint64 (B, {(len(self.first) + 63) // 64})")
        out = np.empty((len(words), len(self.last_bias)), np.float32)
        forward_all(words, self.first, self.first_bias, self.hidden, self.hidden_bias, self.last, self.last_bias, out)
        return out

    def largest_sum(self) -> float:
        """What no sum of a forward pass exceeds in size, whatever the observation."""
        with np.errstate(over="ignore", invalid="ignore"):
            units = _sums(self.first, self.first_bias, 1.0)
            reached = [units]
            for weight, bias in zip(self.hidden, self.hidden_bias, strict=True):
                units = _sums(weight, bias, units)
                reached.append(units)
            reached.append(_sums(self.last, self.last_bias, units))
        return float(np.max(reached))


def _sums(weight: np.ndarray, bias: np.ndarray, inputs: float) -> float:
    """The largest sum of a layer whose inputs are at most so large: weight (N, M), bias (M,)."""
    return float((np.abs(weight).sum(axis=0, dtype=np.float64) * inputs + np.abs(bias)).max())


def shapes(engine: Engine, width: int, layers: int) -> dict[str, tuple[int, ...]]:
    """The shapes of a policy's arrays by name: `layers` hidden layers of `width` units."""
    features, actions = layout(engine.ruleset).F, engine.A
    return {
        "first": (features, width), "first_bias": (width,), "hidden": (layers - 1, width, width),
        "hidden_bias": (layers - 1, width), "last": (width, actions), "last_bias": (actions,),
    }  # fmt: skip


class PPOAgent:
    """Plays a policy.

    Args:
        name: the spec it was made from. sampled: draw from the policy with the keys, instead of its most probable action.

    Raises:
        ValueError: the policy's arrays do not fit the engine's ruleset, or one another.
    """

    def __init__(self, name: str, engine: Engine, policy: Policy, sampled: bool = False) -> None:
        found = {key: array.shape for key, array in vars(policy).items()}
        allowed = shapes(engine, len(policy.first_bias), len(policy.hidden) + 1)
        if found != allowed:
            raise ValueError(f"policy of {name!r} holds {found}; allowed: {allowed}")
        self.name, self.policy_weights, self.sampled = name, policy, sampled
        self._rules = engine.rules
        self._plan: Layout = layout(engine.ruleset)

    def act(self, views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """See `agents.base.Agent`. `ValueError` for views, a mask or keys that do not fit."""
        views = checking.readable(views, VIEW, "views")
        mask = checking.readable_mask(mask)
        size = (len(views), len(self.policy_weights.last_bias))
        if mask.shape != size:
            raise ValueError(f"mask has shape {mask.shape}; allowed: {size}")
        words = np.empty((len(views), self._plan.words), np.uint64)
        encode_bits(views, self._rules, self._plan.offsets, words)
        legal = np.empty((len(views), LEGAL_WORDS), np.uint64)
        mask_bits(mask.view(np.uint8), legal)
        logits = self.policy_weights.logits(words)
        actions = np.empty(len(views), np.int64)
        if self.sampled:
            keys = checking.check_keys(keys, len(views))
            choose_sampled(logits, legal, keys, actions, np.empty(len(views), np.float32))
        else:
            choose_greedy(logits, legal, actions)
        return actions


def to_tensors(policy: Policy) -> dict[str, np.ndarray]:
    """The weights as a policy file holds them: half precision, by name; infinite where they are beyond it."""
    with np.errstate(over="ignore"):
        return {name: array.astype(np.float16) for name, array in vars(policy).items()}


def read_policy(path: Path, engine: Engine) -> Policy:
    """The policy in a file.

    Raises:
        CheckpointError: the file cannot be read, was made for something else, its weights do not fit together, or are so
            large that logits may be no finite numbers.
    """
    tensors, header = read(path, POLICY)
    check(path, header, engine.ruleset)
    width, layers = header.get("width", 0), header.get("depth", 0)
    if not all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in (width, layers)):
        raise CheckpointError(
            f"checkpoint {str(path)!r} has width {short(width)} and depth {short(layers)}; allowed: positive numbers"
        )
    allowed = shapes(engine, width, layers)
    found = {name: array.shape for name, array in tensors.items()}
    if found != allowed:
        raise CheckpointError(
            f"checkpoint {str(path)!r} holds {found}; allowed for width {width}, depth {layers}: {allowed}"
        )
    policy = Policy(**{name: np.ascontiguousarray(array, np.float32) for name, array in tensors.items()})
    largest = policy.largest_sum()
    if not largest <= LARGEST_SUM:
        raise CheckpointError(
            f"checkpoint {str(path)!r}: its weights are too large, sums can reach {largest:.3g}; allowed: {LARGEST_SUM:g}"
        )
    return policy


def load(argument: str, engine: Engine, device: str = "cpu") -> PPOAgent:
    """The agent of the spec ``ppo:ARGUMENT``; see the module's text. A network this small plays on the CPU on any device.

    Raises:
        CheckpointError: a ValueError that names the file and why it cannot be played.
    """
    sampled = argument.endswith(_SAMPLE)
    place = argument.removesuffix(_SAMPLE)
    if place.startswith("builtin/"):
        shipped = {f"builtin/{p.stem}": p for p in sorted(BUILTIN.glob("*.safetensors"))}
        if place not in shipped:
            raise CheckpointError(f"no policy {place!r} comes with the package; available: {', '.join(shipped) or 'none'}")
        path = shipped[place]
    else:
        path = Path(place)
        if os.path.isdir(path):
            path = path / POLICY_FILE
    return PPOAgent(f"ppo:{argument}", engine, read_policy(path, engine), sampled)
