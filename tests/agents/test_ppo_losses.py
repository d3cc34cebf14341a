"""Losses, advantages and choices of PPO against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

import tarock_env
from agents.ppo.advantages import gae, training_rewards
from agents.ppo.kernels.choice import choose_greedy, choose_sampled, legal_mask, mask_bits
from agents.ppo.network import Actor, masked_log_softmax, policy_of
from agents.ppo.packed import PackedLinear, tensor, unpack_bits
from agents.ppo.update import clipped_loss, normalised_entropy
from tarock_env.encoding import encode_packed, layout, unpacked
from tarock_env.engine.chance import make_keys


@pytest.fixture(scope="module")
def engine() -> tarock_env.Engine:
    return tarock_env.make("koenigrufen_pagat")


def words_of(engine: tarock_env.Engine, n: int, seed: int = 1) -> np.ndarray:
    """Packed positions from the middle of random hands."""
    state = engine.reset(n, seed=seed)
    engine.playout(state, "random", limit=14)
    return encode_packed(engine, state, full=True)[1]


# ---------------------------------------------------------------------- advantages


def test_advantages_of_one_seat_by_hand() -> None:
    values = np.array([0.5, 0.25, -1.0], np.float32)
    table, seat = np.zeros(3, np.int64), np.full(3, 2)
    rewards = np.array([[0.0, 0.0, 2.0, 0.0]], np.float32)
    lam = 0.5
    last = 2.0 - -1.0
    middle = (-1.0 - 0.25) + lam * last
    first = (0.25 - 0.5) + lam * middle
    advantages, returns = gae(values, table, seat, rewards, lam)
    np.testing.assert_allclose(advantages, [first, middle, last], rtol=1e-6)
    np.testing.assert_allclose(returns, np.array([first, middle, last]) + values, rtol=1e-6)


def test_advantages_run_along_each_seat_of_each_table() -> None:
    rng = np.random.default_rng(0)
    n = 400
    values = rng.normal(size=n).astype(np.float32)
    table, seat = rng.integers(0, 7, n), rng.integers(0, 4, n)
    rewards = rng.normal(size=(7, 4)).astype(np.float32)
    advantages, _ = gae(values, table, seat, rewards, 1.0)
    np.testing.assert_allclose(advantages, rewards[table, seat] - values, atol=1e-5)
    advantages, returns = gae(values, table, seat, rewards, 0.0)
    for b in range(7):
        for s in range(4):
            own = np.flatnonzero((table == b) & (seat == s))
            after = np.append(values[own[1:]], rewards[b, s])[: len(own)]
            np.testing.assert_allclose(advantages[own], after - values[own], atol=1e-6)
            np.testing.assert_allclose(returns[own], after, atol=1e-6)


def test_a_perfect_critic_leaves_no_advantage() -> None:
    table, seat = np.repeat(np.arange(3), 4), np.tile(np.arange(2), 6)
    rewards = np.array([[1, -1], [2, -2], [0, 0]], np.float32)
    advantages, returns = gae(rewards[table, seat], table, seat, rewards, 0.95)
    np.testing.assert_allclose(advantages, 0.0, atol=1e-6)
    np.testing.assert_allclose(returns, rewards[table, seat], atol=1e-6)


def test_training_rewards_are_scaled_and_cut() -> None:
    scores = np.array([[12.0, -12.0, 600.0, -600.0]])
    np.testing.assert_allclose(training_rewards(scores, 6.0, 5.0), [[2.0, -2.0, 5.0, -5.0]])


# ---------------------------------------------------------------------- losses


@pytest.mark.parametrize(
    "ratio, advantage, expected",
    [(1.0, 2.0, -2.0), (1.5, 2.0, -2.4), (0.5, 2.0, -1.0), (1.5, -2.0, 3.0), (0.5, -2.0, 1.6), (1.1, -1.0, 1.1)],
)
def test_clipped_loss(ratio: float, advantage: float, expected: float) -> None:
    loss = clipped_loss(torch.tensor([math.log(ratio)]), torch.zeros(1), torch.tensor([advantage]), 0.2)
    assert loss.item() == pytest.approx(expected, rel=1e-5)


def test_clipped_loss_has_no_gradient_where_the_step_is_too_far_already() -> None:
    log_prob = torch.tensor([math.log(1.5), math.log(0.5), 0.0], requires_grad=True)
    clipped_loss(log_prob, torch.zeros(3), torch.tensor([1.0, -1.0, 1.0]), 0.2).backward()
    np.testing.assert_allclose(log_prob.grad.numpy(), [0.0, 0.0, -1.0 / 3.0], atol=1e-6)


def test_masked_log_softmax_and_entropy() -> None:
    logits = torch.tensor([[1.0, 2.0, 3.0, 50.0], [0.0, 0.0, 0.0, 0.0], [5.0, 0.0, 0.0, 0.0]], requires_grad=True)
    mask = torch.tensor([[1, 1, 1, 0], [1, 1, 1, 1], [1, 0, 0, 0]], dtype=torch.bool)
    log_probs = masked_log_softmax(logits, mask)
    z = math.log(sum(math.exp(x) for x in (1.0, 2.0, 3.0)))
    np.testing.assert_allclose(log_probs[0, :3].detach().numpy(), [1.0 - z, 2.0 - z, 3.0 - z], rtol=1e-5)
    assert log_probs[0, 3] < -1e8
    entropy = normalised_entropy(log_probs, mask)
    by_hand = -sum(math.exp(x - z) * (x - z) for x in (1.0, 2.0, 3.0)) / math.log(3.0)
    np.testing.assert_allclose(entropy.detach().numpy(), [by_hand, 1.0, 0.0], atol=1e-6)
    (log_probs[:, 0].sum() + entropy.sum()).backward()
    assert torch.isfinite(logits.grad).all()
    assert logits.grad[0, 3] == 0.0


# ---------------------------------------------------------------------- the layer on packed bits


def test_packed_layer_equals_the_dense_one(engine: tarock_env.Engine) -> None:
    words, features = words_of(engine, 33), layout(engine.ruleset).F
    layer = PackedLinear(features, 16)
    with torch.no_grad():
        layer.bias.normal_()
    dense = torch.from_numpy(unpacked(words, features))
    weight, bias = layer.weight.detach().clone().requires_grad_(), layer.bias.detach().clone().requires_grad_()
    expected, got = dense @ weight + bias, layer(tensor(words))
    torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(unpack_bits(tensor(words), features), dense)
    pull = torch.randn_like(expected)
    expected.backward(pull)
    got.backward(pull)
    torch.testing.assert_close(layer.weight.grad, weight.grad, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(layer.bias.grad, bias.grad, rtol=1e-4, atol=1e-5)


def test_actor_does_not_read_what_only_the_critic_sees(engine: tarock_env.Engine) -> None:
    plan = layout(engine.ruleset)
    words = words_of(engine, 64)
    other = words.copy()
    noise = np.random.default_rng(0).integers(0, 1 << 63, words.shape, dtype=np.uint64)
    keep = plan.F % 64
    other[:, plan.F // 64] ^= noise[:, 0] & ~np.uint64((1 << keep) - 1)
    other[:, plan.F // 64 + 1 :] ^= noise[:, plan.F // 64 + 1 :]
    assert (words != other).any()
    actor = Actor(plan, engine.actions, 32, 2)
    torch.testing.assert_close(actor(tensor(words)), actor(tensor(other)), rtol=0, atol=0)
    np.testing.assert_array_equal(policy_of(actor).logits(words), policy_of(actor).logits(other))


def test_exported_policy_computes_what_the_network_computes(engine: tarock_env.Engine) -> None:
    words = words_of(engine, 50)
    for depth in (1, 2, 3):
        actor = Actor(layout(engine.ruleset), engine.actions, 24, depth)
        logits = policy_of(actor).logits(words)
        np.testing.assert_allclose(logits, actor(tensor(words)).detach().numpy(), rtol=1e-4, atol=1e-5)
        np.testing.assert_array_equal(logits[7:8], policy_of(actor).logits(words[7:8]))


# ---------------------------------------------------------------------- choices


def test_fresh_networks_lean_towards_pass_and_end(engine: tarock_env.Engine) -> None:
    actor = Actor(layout(engine.ruleset), engine.actions, 32, 2)
    bias = actor.last.bias.detach().numpy()
    leaning = {engine.actions.name(int(i)) for i in np.flatnonzero(bias > 0)}
    assert leaning == {"pass", "end"}


def test_sampled_choice_follows_the_softmax() -> None:
    n, legal_actions = 20_000, [0, 5, 70, 99]
    mask = np.zeros((n, 100), bool)
    mask[:, legal_actions] = True
    logits = np.zeros((n, 100), np.float32)
    logits[:, legal_actions] = [0.0, 1.0, -1.0, 2.0]
    logits[:, 50] = 30.0  # illegal
    legal = np.empty((n, 2), np.uint64)
    mask_bits(mask.view(np.uint8), legal)
    np.testing.assert_array_equal(legal_mask(legal, 100), mask)
    actions, log_probs = np.empty(n, np.int64), np.empty(n, np.float32)
    choose_sampled(logits, legal, make_keys(n, 3), actions, log_probs)
    weights = np.exp([0.0, 1.0, -1.0, 2.0])
    expected = dict(zip(legal_actions, weights / weights.sum(), strict=True))
    for action, probability in expected.items():
        assert np.mean(actions == action) == pytest.approx(probability, abs=0.015)
        np.testing.assert_allclose(log_probs[actions == action], math.log(probability), atol=1e-5)
    choose_greedy(logits, legal, actions)
    assert (actions == 99).all()
