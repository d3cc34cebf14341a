"""What agents and matches hand to compiled code is looked at first: a `ValueError` says what is allowed, nothing is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import tarock_env
from agents import base
from agents.heuristic.agent import HeuristicAgent
from agents.match import Match, decision_keys, play_hands
from agents.ppo.advantages import gae
from agents.ppo.agent import Policy, PPOAgent
from agents.ppo.network import Actor, policy_of
from agents.ppo.packed import tensor
from agents.ppo.rollout import AgentPlayer, collect
from tarock_env import STATE, BadAction, IllegalAction
from tarock_env.encoding import layout
from tarock_env.engine.chance import make_keys
from tarock_env.engine.state import as_bytes
from tarock_env.view import observe

ENGINE = tarock_env.make("koenigrufen_pagat")
N = 4
KEYS = ENGINE.hand_keys(ENGINE.reset(N, 1))
HALF_FLOAT = KEYS.astype(np.float64)


def refused(call: Callable[[np.ndarray], Any], match: str = "allowed", state: np.ndarray | None = None) -> None:
    """A call with hands is refused and leaves them as they were."""
    state = ENGINE.reset(N, 1) if state is None else state
    before = as_bytes(state).tobytes()
    with pytest.raises(ValueError, match=match):
        call(state)
    assert as_bytes(state).tobytes() == before


class Asked:
    """An agent that is not compiled."""

    name = "asked"

    def act(self, views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> Any:
        return mask.argmax(axis=1)


AGENTS = {spec: base.make(spec, ENGINE) for spec in ("random", "uniform", "heuristic")} | {"asked": Asked()}
BAD_KEYS = {"few": KEYS[:1], "many": make_keys(N + 1, 1), "floats": HALF_FLOAT, "negative": [-1] * N, "huge": [1 << 64] * N,
            "ragged": [[1], [2, 3]], "flat": 7, "times": KEYS.astype("m8[s]")}  # fmt: skip
BAD_LOGS = {"list": [1, 2], "few": ENGINE.new_log(1), "short": np.zeros((N, 20), np.uint8), "words": np.zeros((N, 1024)),
            "turned": np.zeros((1024, N), np.uint8).T, "none": 0}  # fmt: skip


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("keys", BAD_KEYS)
def test_a_match_refuses_keys(agent: str, keys: str) -> None:
    refused(lambda state: play_hands(ENGINE, state, [AGENTS[agent]], keys=BAD_KEYS[keys]))


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("log", BAD_LOGS)
def test_a_match_refuses_logs(agent: str, log: str) -> None:
    refused(lambda state: play_hands(ENGINE, state, [AGENTS[agent]], log=BAD_LOGS[log]), "log is")


@pytest.mark.parametrize("agent", AGENTS)
def test_nothing_is_written_behind_a_log(agent: str) -> None:
    paper = np.zeros((N, 1024), np.uint8)
    refused(lambda state: play_hands(ENGINE, state, [AGENTS[agent]], log=paper[:1]))
    assert not paper.any()
    made = play_hands(ENGINE, ENGINE.reset(N, 1), [AGENTS[agent]], log=paper)
    assert np.count_nonzero(paper.any(axis=1)) == N
    assert made > 54 * N


@pytest.mark.parametrize("agent", AGENTS)
def test_a_match_refuses_states(agent: str) -> None:
    match = Match(ENGINE, [AGENTS[agent]])
    refused(match.play, "row 0 has no legal action", np.zeros(N, STATE))
    refused(lambda state: match.play(state[::2]), "contiguous")
    refused(lambda state: match.play(state[0]), "allowed")  # type: ignore[arg-type]
    refused(lambda state: match.play(state.view(np.uint8)), "dtype uint8")


@pytest.mark.parametrize(
    "seating", [[0.0] * 4, [0, 0, 0, 0.5], [[0], [0, 1]], [0, 0, 0, 1], [None] * 4, "0000", [1 << 64] * 4]
)
def test_a_seating_holds_numbers_of_agents(seating: Any) -> None:
    with pytest.raises(ValueError, match=r"seating (are|have|has|names)"):
        Match(ENGINE, [Asked()], seating)


def test_a_seating_has_a_row_for_each_hand() -> None:
    match = Match(ENGINE, [Asked()], np.zeros((3, 4), np.int64))
    refused(match.play, "4 hands; allowed with this seating: 3")
    refused(Match(ENGINE, [Asked()], np.zeros((1, 4), np.int64)).play, "4 hands; allowed with this seating: 1")
    assert match.play(ENGINE.reset(3, 1)) > 150


@pytest.mark.parametrize("who", [[0], [0, 0, 0, 1], [0, 0, 0, -1], [0.0] * 4, [[0]] * 4, None, [1 << 64] * 4])
def test_choose_asks_agents_that_are_there(who: Any) -> None:
    match = Match(ENGINE, [Asked()])
    refused(lambda state: match.choose(state, who, KEYS), "numbers of agents (are|have)")


def test_choose_needs_decisions_and_keys() -> None:
    match, who = Match(ENGINE, [Asked()]), np.zeros(N, np.int64)
    over = ENGINE.reset(N, 1)
    ENGINE.playout(over[2:3])
    refused(lambda state: match.choose(state, who, KEYS), "row 2 has no decision", over)
    refused(lambda state: match.choose(state, who, KEYS), "row 0 has no decision", np.zeros(N, STATE))
    refused(lambda state: match.choose(state, who, KEYS[:3]), "keys have shape")
    refused(lambda state: decision_keys(state, KEYS[:3]), "keys have shape")
    refused(lambda state: decision_keys(state.view(np.uint8), KEYS), "allowed: STATE")
    assert len(set(decision_keys(ENGINE.reset(N, 1), KEYS).tolist())) == N


def fresh_policy() -> Policy:
    return policy_of(Actor(layout(ENGINE.ruleset), ENGINE.actions, 8, 2))


ACTING = {**{spec: AGENTS[spec] for spec in ("random", "uniform", "heuristic")},
          "ppo": PPOAgent("ppo", ENGINE, fresh_policy()),
          "ppo?sample": PPOAgent("ppo?sample", ENGINE, fresh_policy(), sampled=True)}  # fmt: skip


@pytest.mark.parametrize("name", ACTING)
def test_agents_refuse_what_are_no_views_masks_or_keys(name: str) -> None:
    act, state = ACTING[name].act, ENGINE.reset(N, 1)
    views, mask, keys = observe(ENGINE, state), ENGINE.legal(state), ENGINE.keys(state)
    first = act(views, mask, keys)
    assert mask[np.arange(N), first].all()
    for wrong in (state, views[0], views.view(np.uint8), views.reshape(2, 2), None):
        with pytest.raises(ValueError, match=r"views: .*; allowed: VIEW"):
            act(wrong, mask, keys)  # type: ignore[arg-type]
    if name.startswith("ppo"):
        for wrong in (mask[:3], mask[:, :60], np.zeros((N, 200), bool), mask.astype(np.int8), None, mask.tolist()):
            with pytest.raises(ValueError, match=r"mask .*; allowed"):
                act(views, wrong, keys)  # type: ignore[arg-type]
    if name not in ("heuristic", "ppo"):
        for bad in BAD_KEYS.values():
            with pytest.raises(ValueError, match=r"keys .*; allowed"):
                act(views, mask, bad)  # type: ignore[arg-type]
    apart = np.zeros((N, 2), views.dtype)
    apart[:, 0] = views
    assert (act(apart[:, 0], mask, keys) == first).all()


@pytest.mark.parametrize("limit", [-1, 1.5, None, True])
def test_the_heuristic_plays_out_states_only(limit: Any) -> None:
    agent = HeuristicAgent(ENGINE)
    refused(lambda state: agent.playout(state, limit=limit), "limit is")
    refused(agent.playout, "no legal action", np.zeros(N, STATE))
    refused(lambda state: agent.playout(state[::2]), "contiguous")
    for log in BAD_LOGS.values():
        refused(lambda state, log=log: agent.playout(state, log), "log is")  # type: ignore[misc]


def test_policies_fit_their_ruleset_and_observations() -> None:
    policy, words = fresh_policy(), layout(ENGINE.ruleset).words
    assert policy.logits(np.zeros((2, words), np.uint64)).shape == (2, ENGINE.A)
    for wrong in (np.zeros((2, words - 1), np.uint64), np.zeros((2, words), np.int64), np.zeros(words, np.uint64), None):
        with pytest.raises(ValueError, match=rf"words are .*; allowed: uint64 \(B, {words}\)"):
            policy.logits(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"policy of 'p' holds .*; allowed"):
        PPOAgent("p", tarock_env.make("slovenian_3p"), policy)
    with pytest.raises(ValueError, match=r"policy of 'p' holds .*; allowed"):
        PPOAgent("p", ENGINE, Policy(**{**vars(policy), "last": policy.last[:, :9]}))


def test_networks_and_advantages_refuse_what_does_not_fit() -> None:
    actor, words = Actor(layout(ENGINE.ruleset), ENGINE.actions, 8, 1), layout(ENGINE.ruleset).words
    assert actor(tensor(np.zeros((3, words), np.uint64))).shape == (3, ENGINE.A)
    for wrong in (
        torch.zeros(3, words - 1, dtype=torch.int64),
        torch.zeros(3, words),
        torch.zeros(words, dtype=torch.int64),
    ):
        with pytest.raises(ValueError, match=r"words are .*; allowed: int64 \(N,"):
            actor(wrong)
    values, here, rewards = np.zeros(3, np.float32), np.zeros(3, np.int64), np.zeros((2, 4), np.float32)
    assert len(gae(values, here, here, rewards, 0.9)[0]) == 3
    for table, seat in ((here + 2, here), (here - 1, here), (here, here + 4), (here[:2], here), (here, here[:2])):
        with pytest.raises(ValueError, match=r"(tables|seats) are .*; allowed"):
            gae(values, table, seat, rewards, 0.9)


class Fixed:
    """An agent with one answer."""

    name = "fixed"

    def __init__(self, answer: Callable[[int], Any]) -> None:
        self.answer = answer

    def act(self, views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> Any:
        return self.answer(len(views))


ILLEGAL = {"card": 0, "below": -1, "above": 10**6, "last": ENGINE.A - 1}


@pytest.mark.parametrize("name", ILLEGAL)
def test_a_rollout_refuses_illegal_actions(name: str) -> None:
    player = AgentPlayer(Fixed(lambda n: np.full(n, ILLEGAL[name])), ENGINE)
    with pytest.raises(IllegalAction, match="phase auction"):
        collect(ENGINE, make_keys(N, 1), [player])


def test_a_rollout_refuses_answers_and_seatings_that_are_none() -> None:
    keys, lowest = make_keys(N, 1), AgentPlayer(Asked(), ENGINE)
    for answer in (lambda n: None, lambda n: np.zeros(n), lambda n: [55], lambda n: [[1], [2, 3]]):
        with pytest.raises(BadAction, match="agent 'fixed' returned"):
            collect(ENGINE, keys, [AgentPlayer(Fixed(answer), ENGINE)])
    whole = collect(ENGINE, keys, [lowest], np.zeros((N, 4), np.int64))
    assert whole.decisions > 54 * N
    for seating in (np.ones((N, 4), np.int64), np.full((N, 4), -1), np.zeros((3, 4), np.int64), np.zeros((N, 4)), [0]):
        with pytest.raises(ValueError, match=r"seating (is|have)"):
            collect(ENGINE, keys, [lowest], seating)  # type: ignore[arg-type]
