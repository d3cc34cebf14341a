"""Sessions in the environments: every hand is paid once, the settlement with the last."""

from __future__ import annotations

import json

import numpy as np
import pytest

import tarock_env
from tarock_env import record, tarock_v0
from tarock_env.envs.single_seat import SingleSeatEnv
from tarock_env.envs.vector import TarockVectorEnv
from tests.envs.playing import RULESETS, pick, play

HANDS = 4


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("reward", ["score", "zero_sum"])
def test_rewards_of_a_session_are_its_scores_and_settlement(ruleset, reward):
    env = tarock_v0.env(ruleset, hands=HANDS, reward=reward)
    for seed in range(2):
        env.reset(seed=seed)
        paid = play(env, seed)
        state = env._state[0]
        assert state["session_over"]
        wanted = np.zeros(env.engine.P)
        for line in _hands_of(env, seed):
            wanted += _paid(line["scores"], reward)
        wanted += _paid(state["settlement"][: env.engine.P].tolist(), reward)
        assert [paid[agent] for agent in env.possible_agents] == pytest.approx(wanted.tolist(), abs=1e-6)


def _paid(scores: list[int], reward: str) -> np.ndarray:
    values = np.array(scores, float)
    return values if reward == "score" else values - values.mean()


def _hands_of(env, seed: int) -> list[dict]:
    """Play the session again and collect what the environment tells about its hands."""
    env.reset(seed=seed)
    told, hands, number = None, [], 0
    while not any(env.terminations.values()):
        info = env.infos[env.agent_selection]
        if "last_hand" in info and info["last_hand"]["record"]["session"]["hand"] != told:
            told = info["last_hand"]["record"]["session"]["hand"]
            hands.append(info["last_hand"])
        env.step(pick(info["action_mask"], seed * 1000 + number))
        number += 1
    return [*hands, env.infos[env.possible_agents[0]]]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_records_of_a_session_continue_each_other(ruleset):
    env = tarock_v0.env(ruleset, hands=HANDS)
    env.reset(seed=3)
    lines = [json.loads(json.dumps(dict(hand["record"]))) for hand in _hands_of(env, 3)]
    assert [line["session"]["hand"] for line in lines] == list(range(len(lines)))
    assert len({line["session"]["id"] for line in lines}) == 1
    for line, following in zip(lines, lines[1:], strict=False):
        assert following["dealer"] == (line["dealer"] + 1) % env.engine.P
        assert following["before"]["scores"] == line["after"]["scores"]
    assert [record.verify(line) for line in lines] == [[]] * len(lines)


def test_last_hand_is_told_until_the_agents_next_turn():
    env = tarock_v0.env(hands=3)
    env.reset(seed=5)
    number, waiting = 0, set()
    while not any(env.terminations.values()):
        told = {agent for agent in env.agents if "last_hand" in env.infos[agent]}
        assert told == waiting
        agent, hand = env.agent_selection, int(env._state["hand_no"][0])
        reward = env.last()[1]
        if agent in waiting:
            assert reward == pytest.approx(_paid(env.infos[agent]["last_hand"]["scores"], "zero_sum")[int(agent[-1])])
        env.step(pick(env.infos[agent]["action_mask"], number))
        number += 1
        waiting.discard(agent)
        if int(env._state["hand_no"][0]) != hand:
            waiting = set(env.agents)


def test_sessions_of_their_own_length():
    lengths = 0
    for ruleset in RULESETS:
        try:
            env = tarock_v0.env(ruleset, session=True)
        except ValueError as error:
            text = str(error)
            assert "give hands=N" in text
            continue
        lengths += 1
        env.reset(seed=1)
        play(env)
        assert env._state["session_over"][0]
    assert lengths


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_learner_is_paid_for_every_hand(ruleset):
    table = tarock_v0.raw_env(ruleset, hands=HANDS, reward="score")
    env = SingleSeatEnv(ruleset, seat=0, hands=HANDS, reward="score", opponents=lambda v, mask, keys: mask.argmax(axis=1))
    vector = TarockVectorEnv(
        2, ruleset, seat=0, hands=HANDS, reward="score", opponents=lambda v, mask, keys: mask.argmax(axis=1)
    )
    table.reset(seed=9)
    paid = 0.0
    for agent in table.agent_iter():
        observation, reward, over, *_ = table.last()
        paid += reward if agent == "player_0" else 0.0
        table.step(None if over else int(observation["action_mask"].argmax()))
    observation, info = env.reset(seed=9)
    total, over, ended = 0.0, False, 0
    while not over:
        observation, reward, over, _, info = env.step(int(observation["action_mask"].argmax()))
        ended += "last_hand" in info or over
        total += reward
    assert total == paid
    assert ended == int(env.games.state["hand_no"][0]) + 1
    seen, _ = vector.reset(seed=[9, 10])
    total, over = 0.0, np.zeros(2, bool)
    while not over[0]:
        seen, rewards, over, *_ = vector.step(seen["action_mask"].argmax(axis=1))
        total += rewards[0]
    assert total == paid


def test_a_dealer_who_sits_out_is_dealt_past():
    ruleset = next((name for name in RULESETS if _seats_five(name)), None)
    if ruleset is None:
        pytest.skip("no ruleset seats five")
    env = SingleSeatEnv(ruleset, seat=2, table_size=5)
    for seed in range(12):
        _, info = env.reset(seed=seed)
        assert info["seat"] == 2
        assert env.games.state["dealer"][0] != 2
    with pytest.raises(ValueError, match="sits out"):
        env.reset(seed=1, options={"dealer": 2})
    env = SingleSeatEnv(ruleset, seat=2, table_size=5, hands=7)
    observation, _ = env.reset(seed=3)
    over, dealers = False, set()
    while not over:
        dealers.add(int(env.games.state["dealer"][0]))
        observation, _, over, _, _ = env.step(pick(observation["action_mask"], 1))
    assert 2 not in dealers
    assert env.games.state["hand_no"][0] == 6


def _seats_five(ruleset: str) -> bool:
    return any(option.name == "table_size" and 5 in option.values for option in tarock_env.load(ruleset).options)
