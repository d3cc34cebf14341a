"""PPO learns: a masked bandit with a known answer, and the game itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import tarock_env
from agents.base import make
from agents.ppo.config import TrainConfig
from agents.ppo.kernels.choice import LEGAL_WORDS
from agents.ppo.network import Actor, Critic, masked_log_softmax
from agents.ppo.packed import tensor
from agents.ppo.rollout import NetworkPlayer, Rollout
from agents.ppo.trainer import Trainer
from agents.ppo.update import Learner, one_thread, ppo_loss
from experiments.duplicate import play
from tarock_env.codes import Phase
from tarock_env.encoding import layout
from tarock_env.engine.chance import make_keys


@pytest.fixture(scope="module")
def engine() -> tarock_env.Engine:
    return tarock_env.make("koenigrufen_pagat")


ARMS = (3, 40, 80)  #: legal actions of the bandit
N = 512


def bandit_words(engine: tarock_env.Engine, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Rows with one of two bits set, uint64 (N, W_full), and which of the two."""
    context = rng.integers(0, 2, N)
    words = np.zeros((N, layout(engine.ruleset).words_full), np.uint64)
    words[:, 0] = np.where(context == 1, np.uint64(1), np.uint64(2))
    return words, context


@one_thread()  # on a busy machine many threads wait for one another
def test_masked_bandit(engine: tarock_env.Engine) -> None:
    """Arm 3 pays in one context, arm 80 in the other; arm 40 pays a little in both; everything else is illegal."""
    torch.manual_seed(0)
    plan, device = layout(engine.ruleset), torch.device("cpu")
    actor, critic = Actor(plan, engine.actions, 16, 2), Critic(plan, 16, 2)
    config = TrainConfig(decisions=1, minibatch=256, lr=3e-3, shards=2, entropy=0.0)
    learner = Learner(actor, critic, config, device, None)
    legal = np.zeros((N, LEGAL_WORDS), np.uint64)
    for arm in ARMS:
        legal[:, arm >> 6] |= np.uint64(1 << (arm & 63))
    for step in range(80):
        rng = np.random.default_rng(step)
        words, context = bandit_words(engine, rng)
        player = NetworkPlayer(actor, device)
        action, log_prob = player.choose(np.zeros(N), words, legal, make_keys(N, step))
        pay = np.where(action == 40, 0.4, np.where((action == 80) == (context == 1), 1.0, 0.0))
        scores = np.stack([pay, -pay], axis=1).astype(np.float32)
        none = np.full(N, -1, np.int8)
        rollout = Rollout(
            words, legal, action, log_prob, np.arange(N), np.zeros(N, np.int64), np.full(N, Phase.PLAY, np.int8),
            scores, none, none, none > 0, N,
        )  # fmt: skip
        batch, _ = learner.prepare(rollout, 1.0)
        learner.learn(batch, rng, ppo_loss, 2)
    words, context = bandit_words(engine, np.random.default_rng(999))
    mask = torch.zeros(N, engine.A, dtype=torch.bool)
    mask[:, list(ARMS)] = True
    probabilities = masked_log_softmax(actor(tensor(words)), mask).exp().detach().numpy()
    best = probabilities[np.arange(N), np.where(context == 1, 80, 3)]
    assert best.min() > 0.95
    values = learner.values(words)
    assert values.min() > 0.8


def test_self_play_beats_random_after_a_few_seconds(engine: tarock_env.Engine, tmp_path: Path) -> None:
    config = TrainConfig(decisions=250_000, hands=512, width=64, lr=1e-3, evaluations=0, seed=1)
    trainer = Trainer(config, tmp_path, engine)
    trainer.run()
    result = play(engine, trainer.agent(), make("random", engine), 500, seed=9)
    assert result.ci95[0] > 0.3
