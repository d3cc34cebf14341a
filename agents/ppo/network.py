"""The two networks: an actor on the observation, and a critic that also sees the hidden cards.

They share nothing, so the exported policy holds no critic weight and the actor cannot depend on what the critic sees.
Both read the same packed row: observation bits first, then the hidden ones (see `tarock_env.encoding`).
"""

from __future__ import annotations

import math
from typing import cast

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from agents.ppo.agent import Policy
from agents.ppo.packed import PackedLinear
from tarock_env.encoding import Layout
from tarock_env.rulesets.actions import ActionTable

ILLEGAL = -1e9  #: logit of an illegal action; finite, so that no gradient becomes NaN
LEAN = 4.0  #: head start of `pass` and `end` in a fresh network, which else bids and doubles everything
FP32, BF16 = "fp32", "bf16"


class MLP(nn.Module):
    """Packed bits -> hidden ReLU layers -> `outputs`; orthogonal weights, zero biases.

    With `precision` ``bf16`` the hidden products are computed in bfloat16; weights, first and last layer stay float32.
    """

    def __init__(self, features: int, width: int, depth: int, outputs: int, gain: float, precision: str = FP32) -> None:
        super().__init__()
        self.first = PackedLinear(features, width)
        self.hidden = nn.ModuleList(nn.Linear(width, width) for _ in range(depth - 1))
        self.last = nn.Linear(width, outputs)
        self.precision = precision
        for layer in self.hidden:
            _orthogonal(cast(nn.Linear, layer), math.sqrt(2.0))
        _orthogonal(self.last, gain)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.first(words))
        if self.precision == BF16:
            x = x.bfloat16()
            for layer in self.hidden:
                x = torch.relu(F.linear(x, layer.weight.bfloat16(), layer.bias.bfloat16()))  # type: ignore[arg-type]
            x = x.float()
        else:
            for layer in self.hidden:
                x = torch.relu(layer(x))
        out: torch.Tensor = self.last(x)
        return out


def _orthogonal(layer: nn.Linear, gain: float) -> None:
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)


class Actor(MLP):
    """Logits of all actions from the observation: words int64 (N, W) -> (N, A). Bits beyond F are not read."""

    def __init__(self, plan: Layout, actions: ActionTable, width: int, depth: int, precision: str = FP32) -> None:
        super().__init__(plan.F, width, depth, len(actions), 0.01, precision)
        with torch.no_grad():
            for name in ("pass", "end"):
                if (index := actions.get(name)) >= 0:
                    self.last.bias[index] = LEAN


class Critic(MLP):
    """The expected return of the seat to act, in normalised units: words int64 (N, W_full) -> (N,)."""

    def __init__(self, plan: Layout, width: int, depth: int, precision: str = FP32) -> None:
        super().__init__(plan.F_full, width, depth, 1, 1.0, precision)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        return super().forward(words).squeeze(-1)


def bf16_pays(device: torch.device) -> bool:
    """Whether this machine multiplies bfloat16 in hardware."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    return bool(torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported())


def masked_log_softmax(logits: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Log-probabilities over the legal actions: logits (N, A), mask (N, A) bool; illegal ones get about -1e9."""
    return torch.log_softmax(torch.where(mask, logits, torch.full_like(logits, ILLEGAL)), dim=-1)


def policy_of(actor: Actor) -> Policy:
    """An actor's weights as plain arrays; an independent copy."""

    def array(tensor: torch.Tensor) -> np.ndarray:
        return np.ascontiguousarray(tensor.detach().float().cpu().numpy().copy())

    width = actor.last.in_features
    layers = [layer for layer in actor.hidden if isinstance(layer, nn.Linear)]
    hidden = np.zeros((len(layers), width, width), np.float32)
    hidden_bias = np.zeros((len(layers), width), np.float32)
    for i, layer in enumerate(layers):
        hidden[i], hidden_bias[i] = array(layer.weight.T), array(layer.bias)
    return Policy(
        array(actor.first.weight),
        array(actor.first.bias),
        hidden,
        hidden_bias,
        array(actor.last.weight.T),
        array(actor.last.bias),
    )
