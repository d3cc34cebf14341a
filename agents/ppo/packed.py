"""A first layer that reads packed bits: the sum of the weight rows of the set bits, without unpacking.

An observation has some hundred bits set out of more than a thousand. On a CPU, adding those rows is 5 times faster than
the dense product and needs no float copy of the input; on other devices the bits are unpacked there and multiplied.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import nn

from agents.ppo.kernels.rows import add_outer, add_rows

WORD = 64


class _AddRows(torch.autograd.Function):
    """`add_rows` plus a bias, with its gradients for weight and bias."""

    @staticmethod
    def forward(ctx: Any, words: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        if words.dtype != torch.int64 or words.ndim != 2 or WORD * words.shape[1] < len(weight):
            allowed = f"int64 (N, {(len(weight) + WORD - 1) // WORD})"
            raise ValueError(f"words are {words.dtype} {tuple(words.shape)}; allowed: {allowed}")
        out = bias.detach().repeat(len(words), 1)
        add_rows(bits(words), weight.detach().numpy(), out.numpy())
        ctx.save_for_backward(words)
        ctx.features = len(weight)
        return out

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[None, torch.Tensor, torch.Tensor]:
        (words,) = ctx.saved_tensors
        gradient = gradient.contiguous()
        weight = torch.zeros(ctx.features, gradient.shape[1])
        add_outer(bits(words), gradient.numpy(), weight.numpy())
        return None, weight, gradient.sum(0)


def bits(words: torch.Tensor) -> np.ndarray:
    """A tensor of packed words, int64 (N, W), as the uint64 array it stands for; no copy."""
    return words.numpy().view(np.uint64)


def tensor(words: np.ndarray, device: torch.device | None = None) -> torch.Tensor:
    """Packed words, uint64 (N, W), as an int64 tensor (torch has little arithmetic for uint64); no copy on a CPU."""
    return torch.from_numpy(words.view(np.int64)).to(device or torch.device("cpu"))


def unpack_bits(words: torch.Tensor, features: int) -> torch.Tensor:
    """Packed words int64 (N, W) as float32 (N, features), on the device where they lie."""
    places = torch.arange(WORD, device=words.device)
    spread = (words.unsqueeze(-1) >> places) & 1
    return spread.reshape(len(words), -1)[:, :features].float()


class PackedLinear(nn.Module):
    """A linear layer on packed bits: words int64 (N, W) -> float32 (N, out_features).

    The weight is stored as (in_features, out_features), one row a bit.
    """

    def __init__(self, in_features: int, out_features: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(in_features, out_features))
        self.bias = nn.Parameter(torch.zeros(out_features))
        nn.init.orthogonal_(self.weight, math.sqrt(2.0))

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        if words.is_cpu:
            out: torch.Tensor = _AddRows.apply(words, self.weight, self.bias)  # type: ignore[no-untyped-call]
            return out
        return unpack_bits(words, len(self.weight)) @ self.weight + self.bias
