"""Learning from a rollout: masked clipped PPO for the actor, regression for the critic.

A minibatch is cut into fixed shards whose gradients are computed in threads and added in order, so the result depends on
the number of shards but not on the number of threads.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

import numpy as np
import torch
from torch import nn

from agents.ppo.advantages import gae, training_rewards
from agents.ppo.config import TrainConfig
from agents.ppo.kernels.choice import legal_mask
from agents.ppo.network import Actor, Critic, masked_log_softmax
from agents.ppo.packed import tensor
from agents.ppo.rollout import Rollout
from tarock_env.codes import Phase

X = TypeVar("X")
Y = TypeVar("Y")
PHASES = len(Phase)
VALUE_CHUNK = 4096


@dataclass
class Batch:
    """What is learned from, on the learner's device; N decisions."""

    words: torch.Tensor  #: int64 (N, W_full)
    mask: torch.Tensor  #: bool (N, A)
    action: torch.Tensor  #: int64 (N,)
    log_prob: torch.Tensor  #: float32 (N,), when it was chosen
    advantage: torch.Tensor  #: float32 (N,)
    target: torch.Tensor  #: float32 (N,), normalised return
    phase: torch.Tensor  #: int64 (N,)

    def rows(self, index: torch.Tensor) -> Batch:
        """Some of the decisions."""
        return Batch(**{name: column[index] for name, column in vars(self).items()})

    def __len__(self) -> int:
        return len(self.action)


# ---------------------------------------------------------------------- losses


def clipped_loss(log_prob: torch.Tensor, old: torch.Tensor, advantage: torch.Tensor, clip: float) -> torch.Tensor:
    """Mean of -min(r A, clip(r, 1 - c, 1 + c) A) with r = exp(log_prob - old), over (N,).

    Source: Schulman et al. 2017, arXiv 1707.06347, equation 7.
    """
    ratio = (log_prob - old).exp()
    return -torch.minimum(ratio * advantage, ratio.clamp(1.0 - clip, 1.0 + clip) * advantage).mean()


def normalised_entropy(log_probs: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Entropy over the legal actions divided by its maximum, (N,) in 0 … 1; 0 where one action is legal.

    log_probs (N, A) from `masked_log_softmax`, mask (N, A).
    """
    terms = torch.where(mask, log_probs.exp() * log_probs, torch.zeros_like(log_probs))
    most = mask.sum(-1).clamp(min=2).log()
    return -terms.sum(-1) / most


#: (learner, minibatch) -> (loss of the actor, statistics by name, each the mean over the minibatch)
ActorLoss = Callable[["Learner", Batch], tuple[torch.Tensor, dict[str, torch.Tensor]]]


def ppo_loss(learner: Learner, batch: Batch) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """Clipped policy loss minus the entropy bonus."""
    log_probs = masked_log_softmax(learner.actor(batch.words), batch.mask)
    log_prob = log_probs.gather(1, batch.action.unsqueeze(1)).squeeze(1)
    entropy = normalised_entropy(log_probs, batch.mask)
    policy = clipped_loss(log_prob, batch.log_prob, batch.advantage, learner.config.clip)
    change = (log_prob - batch.log_prob).detach()
    stats = {
        "policy_loss": policy,
        "kl": (change.exp() - 1.0 - change).mean(),
        "clip_fraction": ((change.exp() - 1.0).abs() > learner.config.clip).float().mean(),
        "entropy": entropy.mean(),
        "entropy_sum": torch.bincount(batch.phase, entropy.detach(), PHASES) / len(batch),
    }
    weight = torch.where(is_call(batch.phase), learner.config.entropy_calls, learner.config.entropy)
    return policy - learner.entropy_share * (weight * entropy).mean(), stats


def is_call(phase: torch.Tensor) -> torch.Tensor:
    """Which decisions are anything but a discard or a card played: phase int64 (N,) -> bool (N,)."""
    return (phase != Phase.PLAY) & (phase != Phase.DISCARD)


def clone_loss(learner: Learner, batch: Batch) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """Cross-entropy of the recorded actions: behaviour cloning."""
    log_probs = masked_log_softmax(learner.actor(batch.words), batch.mask)
    log_prob = log_probs.gather(1, batch.action.unsqueeze(1)).squeeze(1)
    agrees = (log_probs.argmax(1) == batch.action).float()
    return -log_prob.mean(), {"cross_entropy": -log_prob.mean(), "agreement": agrees.mean()}


def no_loss(learner: Learner, batch: Batch) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """The actor rests while the critic learns."""
    return torch.zeros((), device=batch.action.device), {}


# ---------------------------------------------------------------------- learner


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Torch computes here in one thread while it lasts, as it does in the threads of the shards."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class Learner:
    """Two networks, their optimiser, and the running mean and variance that values are normalised by."""

    def __init__(
        self, actor: Actor, critic: Critic, config: TrainConfig, device: torch.device, pool: Executor | None
    ) -> None:
        self.actor, self.critic, self.config, self.device = actor, critic, config, device
        self.entropy_share = 1.0
        self.mean, self.variance, self.weight = 0.0, 0.0, 0.0
        self._pool = pool
        fused = device.type in ("cpu", "cuda")
        self.optimiser = torch.optim.Adam(chain(actor.parameters(), critic.parameters()), config.lr, eps=1e-5, fused=fused)

    def schedule(self, progress: float) -> None:
        """Learning rate and entropy weight at a progress of 0 … 1, both linear."""
        config, done = self.config, min(max(progress, 0.0), 1.0)
        for group in self.optimiser.param_groups:
            group["lr"] = config.lr + (config.lr_end - config.lr) * done
        self.entropy_share = 1.0 + (config.entropy_end - 1.0) * done

    # -------------------------------------------------- values

    @property
    def spread(self) -> float:
        """Standard deviation of the returns seen so far, at least a little."""
        return (
            float(np.sqrt(max(self.variance / self.weight - (self.mean / self.weight) ** 2, 1e-4))) if self.weight else 1.0
        )

    @property
    def centre(self) -> float:
        """Mean of the returns seen so far."""
        return self.mean / self.weight if self.weight else 0.0

    def _see(self, returns: np.ndarray, keep: float = 0.99) -> None:
        """Take returns into the running moments, which forget slowly and are not biased towards 0."""
        self.mean = keep * self.mean + (1 - keep) * float(returns.mean(dtype=np.float64))
        self.variance = keep * self.variance + (1 - keep) * float(np.square(returns, dtype=np.float64).mean())
        self.weight = keep * self.weight + (1 - keep)

    def values(self, words: np.ndarray) -> np.ndarray:
        """The critic's expected returns: uint64 (N, W_full) -> float32 (N,)."""
        parts = [words[a : a + VALUE_CHUNK] for a in range(0, len(words), VALUE_CHUNK)]

        def value(part: np.ndarray) -> np.ndarray:
            with torch.inference_mode():
                out: np.ndarray = self.critic(tensor(part, self.device)).cpu().numpy()
            return out

        return np.concatenate(list(self._map(value, parts))) * np.float32(self.spread) + np.float32(self.centre)

    def _map(self, function: Callable[[X], Y], items: list[X]) -> Iterator[Y]:
        return map(function, items) if self._pool is None else self._pool.map(function, items)

    # -------------------------------------------------- learning

    def prepare(self, rollout: Rollout, scale: float) -> tuple[Batch, dict[str, float]]:
        """Advantages, normalised over the batch, and value targets of a rollout; and how well the critic knew them."""
        rewards = training_rewards(rollout.scores, scale, self.config.reward_clip)
        values = self.values(rollout.words)
        advantage, returns = gae(values, rollout.table, rollout.seat, rewards, self.config.lam)
        final = rewards[rollout.table, rollout.seat]
        stats = {"explained_variance": 1.0 - float(np.var(final - values)) / max(float(np.var(final)), 1e-8)}
        self._see(returns)
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        return self.batch(rollout, advantage, returns), stats

    def batch(self, rollout: Rollout, advantage: np.ndarray, returns: np.ndarray) -> Batch:
        """A rollout as tensors."""
        target = (returns - np.float32(self.centre)) / np.float32(self.spread)
        mask = legal_mask(rollout.legal, self.actor.last.out_features)
        columns = (mask, rollout.action, rollout.log_prob, advantage, target, rollout.phase.astype(np.int64))
        return Batch(tensor(rollout.words, self.device), *(torch.from_numpy(c).to(self.device) for c in columns))

    def learn(
        self, batch: Batch, rng: np.random.Generator, loss: ActorLoss, epochs: int, minibatch: int | None = None
    ) -> dict[str, np.ndarray]:
        """Some epochs over a batch in random minibatches; mean statistics."""
        size = min(minibatch or self.config.minibatch, len(batch))
        totals: dict[str, np.ndarray] = {}
        steps = 0
        for _ in range(epochs):
            order = torch.from_numpy(rng.permutation(len(batch)))
            for start in range(0, len(batch) - size + 1, size):
                stats = self._step(batch, order[start : start + size].to(self.device), loss)
                steps += 1
                for name, value in stats.items():
                    totals[name] = totals.get(name, np.zeros(())) + value
        return {name: value / steps for name, value in totals.items()}

    def _step(self, batch: Batch, index: torch.Tensor, loss: ActorLoss) -> dict[str, np.ndarray]:
        """One optimiser step on a minibatch."""
        parts = [part for part in index.tensor_split(self.config.shards) if len(part)]

        def gradients(part: torch.Tensor) -> tuple[list[torch.Tensor], dict[str, torch.Tensor]]:
            return self._gradients(batch.rows(part), loss, len(part) / len(index))

        results = list(self._map(gradients, parts))
        for i, parameter in enumerate(self._parameters(loss)):
            total = results[0][0][i]
            for more, _ in results[1:]:
                total += more[i]
            parameter.grad = total
        if loss is not no_loss:
            nn.utils.clip_grad_norm_(self.actor.parameters(), self.config.grad_norm)
        nn.utils.clip_grad_norm_(self.critic.parameters(), self.config.grad_norm)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        names = results[0][1]
        return {name: torch.stack([stats[name] for _, stats in results]).sum(0).cpu().numpy() for name in names}

    def _parameters(self, loss: ActorLoss) -> list[nn.Parameter]:
        actor = [] if loss is no_loss else list(self.actor.parameters())
        return actor + list(self.critic.parameters())

    def _gradients(self, batch: Batch, loss: ActorLoss, share: float) -> tuple[list[torch.Tensor], dict[str, torch.Tensor]]:
        """Gradients and statistics of one shard, weighted by its share of the minibatch."""
        with torch.enable_grad():
            policy, stats = loss(self, batch)
            value = (self.critic(batch.words) - batch.target).square().mean()
            gradients = torch.autograd.grad((policy + 0.5 * value) * share, self._parameters(loss))
        stats["value_loss"] = value
        return list(gradients), {name: s.detach() * share for name, s in stats.items()}
