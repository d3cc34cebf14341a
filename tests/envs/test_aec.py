"""The PettingZoo environment: the official tests, and what field-notes §3 asks beyond them."""

from __future__ import annotations

import json
import multiprocessing
import pickle
import warnings
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, render_test, seed_test

import tarock_env
from tarock_env import BadAction, BadPosition, IllegalAction, record, tarock_v0
from tarock_env.codes import Objective, Phase
from tarock_env.envs.spaces import PENALTY_SCALES
from tests.envs.playing import RULESETS, advance, contracts, fingerprint, pick, play, reset_to

MAKERS = {"env": tarock_v0.env, "raw_env": tarock_v0.raw_env}
ALL_CONTRACTS = [(ruleset, contract) for ruleset in RULESETS for contract in contracts(ruleset)]


@pytest.fixture(params=MAKERS)
def maker(request):
    return MAKERS[request.param]


# ------------------------------------------------------------------ the official tests


@pytest.mark.parametrize("ruleset", RULESETS)
def test_api(maker, ruleset):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(maker(ruleset), num_cycles=80)
    texts = {str(w.message) for w in caught}
    expected = (
        "probably should be gymnasium.spaces.box",
        "Observation is not a NumPy array",
        "Action mask numpy array is all zeros",
        "reset options ['options']",
    )
    assert not [text for text in texts if not any(part in text for part in expected)]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_seeds(maker, ruleset):
    seed_test(lambda: maker(ruleset), num_cycles=40)


def test_render(maker):
    render_test(maker)


# ------------------------------------------------------------------ 1 rewards, 2 ends


@pytest.mark.parametrize("ruleset, contract", ALL_CONTRACTS)
def test_rewards_through_last_are_the_scores_of_every_contract(ruleset, contract):
    """Field notes 1: with and without checks, in both kinds of reward, equal to the engine's own playout."""
    for reward, make in (("zero_sum", tarock_v0.env), ("score", tarock_v0.raw_env)):
        env = make(ruleset, reward=reward)
        seed = reset_to(env, contract, 5)
        assert env.infos[env.agent_selection]["contract"] == contract
        paid = play(env, seed)
        scores = env._state["scores"][0, : env.engine.P].astype(float)
        wanted = scores - scores.mean() if reward == "zero_sum" and env.engine.ruleset.players == env.engine.P else scores
        assert [paid[agent] for agent in env.possible_agents] == pytest.approx(wanted.tolist(), abs=1e-9)
        if reward == "zero_sum":
            assert sum(paid.values()) == pytest.approx(0.0, abs=1e-9)


def test_rewards_equal_the_engine_played_by_itself():
    env = tarock_v0.env()
    env.reset(seed=11)
    paid = play(env, 11)
    engine = tarock_env.make("koenigrufen_pagat")
    state = engine.reset(1, seed=11)
    for action in env._log[0, : int(env._state["n_actions"][0])]:
        engine.step(state, int(action))
    assert state["done"][0]
    assert [paid[f"player_{seat}"] for seat in range(4)] == state["scores"][0, :4].tolist()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_all_terminate_together_and_nothing_is_truncated(maker, ruleset):
    """Field notes 2: finished agents' masks are zero, everybody hears the result once."""
    env = maker(ruleset)
    for seed in range(20):
        env.reset(seed=seed)
        number = 0
        while not any(env.terminations.values()):
            assert env.agents == env.possible_agents
            assert not any(env.truncations.values())
            env.step(pick(env.last()[0]["action_mask"], number))
            number += 1
        assert all(env.terminations.values())
        assert not any(env.truncations.values())
        assert env._state["done"][0]
        heard = []
        for agent in env.agent_iter():
            observation, _, termination, truncation, info = env.last()
            assert (termination, truncation) == (True, False)
            assert not observation["action_mask"].any()
            assert not info["action_mask"].any()
            assert info["phase"] == "done"
            assert info["scores"] == env._state["scores"][0, : env.engine.P].tolist()
            heard.append(agent)
            env.step(None)
        assert heard == env.possible_agents
        assert env.agents == []
        with pytest.raises(ResetNeeded, match="after the end"):
            env.step(0)


# ------------------------------------------------------------------ 3 turns


@pytest.mark.parametrize("ruleset", RULESETS)
def test_one_agent_acts_several_times_and_the_order_of_discards_does_not_matter(ruleset):
    """Field notes 3: talon, discards and the opening turn follow each other; all orders of discarding meet."""
    rows = [row for row in tarock_env.load(ruleset).contracts if row.takes in (2, 3) and row.id in contracts(ruleset)]
    env = tarock_v0.raw_env(ruleset)
    for row in rows[:3]:
        reset_to(env, row.id, 3)
        while env.infos[env.agent_selection]["phase"] != "discard":
            env.step(pick(env.infos[env.agent_selection]["action_mask"], 1))
        declarer = env.agent_selection
        cards: list[int] = []
        probe = env.clone()
        while probe.infos[probe.agent_selection]["phase"] == "discard":
            assert probe.agent_selection == declarer
            cards.append(int(np.flatnonzero(probe.infos[declarer]["action_mask"])[0]))
            probe.step(cards[-1])
        assert len(cards) == row.takes
        other = env.clone()
        for card in reversed(cards):
            other.step(card)
        assert other._state.tobytes() == probe._state.tobytes()


# ------------------------------------------------------------------ 4 self-play


def test_every_decision_and_every_reward_arrives_once():
    """Field notes 4: one shared policy or four of their own see each decision once, and each final reward once."""
    decisions: dict[str, list[int]] = {}
    env = tarock_v0.env()
    env.reset(seed=4)
    rewards: dict[str, list[float]] = {agent: [] for agent in env.agents}
    for agent in env.agent_iter():
        observation, reward, termination, _, _ = env.last()
        rewards[agent].append(reward)
        if termination:
            env.step(None)
            continue
        decisions.setdefault(agent, []).append(int(env._state["n_actions"][0]))
        env.step(pick(observation["action_mask"], 7))
    seen = sorted(number for numbers in decisions.values() for number in numbers)
    assert seen == list(range(int(env._state["n_actions"][0])))
    for seat, agent in enumerate(env.possible_agents):
        assert rewards[agent][:-1] == [0.0] * (len(rewards[agent]) - 1)
        assert rewards[agent][-1] == float(env._state["scores"][0, seat])


def test_agent_objects_play_through_views():
    class Lowest:
        def act(self, views, mask, keys):
            assert views.shape == keys.shape == mask.shape[:1] == (1,)
            return mask.argmax(axis=1)

    env = tarock_v0.env()
    env.reset(seed=2)
    agent = env.agent_selection
    assert env.choose(Lowest()) == int(env.last()[0]["action_mask"].argmax())
    assert int(env.unwrapped.view(agent)["seat"][0]) == int(agent[-1])


# ------------------------------------------------------------------ 5 masks


@pytest.mark.parametrize("ruleset", RULESETS)
def test_masks(ruleset):
    """Field notes 5: observation and info agree; int8 (A,); never empty on turn; the space samples legal actions."""
    env = tarock_v0.env(ruleset, on_illegal="raise")
    for seed in range(6):
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            for agent in env.agents:
                mask, told = env.observe(agent)["action_mask"], env.infos[agent]["action_mask"]
                assert mask.dtype == told.dtype == np.int8
                assert mask.shape == told.shape == (env.engine.A,)
                assert np.array_equal(mask, told)
                assert mask.any() == (agent == env.agent_selection)
            observation, _, _, _, info = env.last()
            assert info is env.infos[env.agent_selection]
            assert env.observation_space(env.agent_selection).contains(observation)
            env.step(env.action_space(env.agent_selection).sample(info["action_mask"]))


def test_spaces_are_the_same_objects():
    env = tarock_v0.env()
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)


def test_observations_are_new_arrays():
    env = tarock_v0.env()
    env.reset(seed=1)
    agent = env.agent_selection
    first, second = env.observe(agent), env.observe(agent)
    first["observation"][:] = 7
    first["action_mask"][:] = 0
    assert second["observation"].max() == 1.0
    assert second["action_mask"].any()
    assert env.infos[agent]["action_mask"].any()


# ------------------------------------------------------------------ 6 errors


@pytest.mark.parametrize(
    "action",
    [None, True, np.True_, 1.0, float("nan"), np.float32(2), "pass", [3], np.array([1, 2]), np.array([0.5]), 1 << 70],
)
def test_what_is_no_action_always_raises(maker, action):
    for on_illegal in ("raise", "terminate"):
        env = maker(on_illegal=on_illegal)
        env.reset(seed=3)
        before = fingerprint(env)
        with pytest.raises(BadAction, match=r"phase auction, seat \d, legal: .*bid:"):
            env.step(action)
        assert fingerprint(env) == before


@pytest.mark.parametrize("action", [-1, 116, 10_000, np.int64(-1), -(1 << 63)])
def test_indices_out_of_range_always_raise(maker, action):
    for on_illegal in ("raise", "terminate"):
        env = maker("koenigrufen_pagat", on_illegal=on_illegal)
        env.reset(seed=3)
        before = fingerprint(env)
        with pytest.raises(IllegalAction, match=r"phase auction, seat \d.*legal: .*bid:"):
            env.step(action)
        assert fingerprint(env) == before


@pytest.mark.parametrize("ruleset", RULESETS)
def test_illegal_actions_name_everything_and_change_nothing(ruleset):
    """Field notes 6, at every phase of some hands."""
    env = tarock_v0.raw_env(ruleset)
    for seed in range(4):
        env.reset(seed=seed)
        number = 0
        while not any(env.terminations.values()):
            mask = env.infos[env.agent_selection]["action_mask"]
            wrong = int(np.flatnonzero(mask == 0)[number % int((mask == 0).sum())])
            before = fingerprint(env)
            with pytest.raises(IllegalAction) as caught:
                env.step(wrong)
            assert fingerprint(env) == before
            error = caught.value
            assert (error.row, error.seat) == (0, int(env.agent_selection[-1]))
            assert error.phase == env.infos[env.agent_selection]["phase"]
            assert error.legal == [env.engine.actions.name(a) for a in np.flatnonzero(mask)]
            assert error.action in str(error)
            env.step(pick(mask, number))
            number += 1


def test_termination_by_an_illegal_action():
    env = tarock_v0.env()
    env.reset(seed=8)
    advance(env, 9)
    offender = env.agent_selection
    wrong = int(np.flatnonzero(env.infos[offender]["action_mask"] == 0)[0])
    state = env._state.tobytes()
    env.step(wrong)
    assert env._state.tobytes() == state
    assert env.terminations == dict.fromkeys(env.possible_agents, True)
    assert env.truncations == dict.fromkeys(env.possible_agents, False)
    assert env.infos[offender]["illegal_action"] == env.engine.actions.name(wrong)
    paid = play(env)
    cost = PENALTY_SCALES * env.engine.ruleset.reward_scale
    assert paid == {agent: -cost if agent == offender else 0.0 for agent in env.possible_agents}
    assert env.agents == []


def test_order():
    env = tarock_v0.env()
    for call in (lambda: env.step(0), env.last, lambda: env.observe("player_0"), env.render, lambda: env.view("player_0")):
        with pytest.raises(ResetNeeded):
            call()
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"agent is 'player_9'; allowed: player_0, player_1"):
        env.observe("player_9")
    play(env)
    with pytest.raises(ResetNeeded):
        env.last()


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"ruleset": "whist"}, r"no ruleset 'whist'; available: koenigrufen_pagat"),
        ({"hands": 0}, "hands is 0; allowed: a whole number of at least 1"),
        ({"hands": True}, "hands is True"),
        ({"session": 3}, "session is 3; allowed: True, False"),
        ({"session": True}, "a session of 'koenigrufen_pagat' has no length of its own; give hands=N"),
        ({"reward": "points"}, "reward is 'points'; allowed: 'zero_sum', 'score'"),
        ({"on_illegal": "ignore"}, "on_illegal is 'ignore'; allowed: 'terminate', 'raise'"),
        ({"render_mode": "rgb_array"}, "render_mode is 'rgb_array'; allowed: 'ansi', 'human'"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_bad_arguments(maker, arguments, words):
    with pytest.raises(ValueError, match=words):
        maker(**arguments)


# ------------------------------------------------------------------ 7 seeds


@pytest.mark.parametrize("ruleset", RULESETS)
def test_seeds_are_rows_of_the_engine(ruleset):
    """Field notes 7: reset(seed) twice is identical; the k-th game after it is row k of a batch."""
    env, other = tarock_v0.env(ruleset), tarock_v0.raw_env(ruleset)
    batch = env.engine.reset(5, seed=77)
    for row in range(5):
        env.reset(seed=77 if row == 0 else None)
        assert env._state.tobytes() == batch[row : row + 1].tobytes()
    other.reset(seed=3)
    advance(other, 7)
    env.reset(seed=3)
    advance(env, 7)
    assert env._state.tobytes() == other._state.tobytes()


def test_a_thousand_seeds_give_a_thousand_deals():
    env = tarock_v0.raw_env()
    deals = set()
    for seed in range(1000):
        env.reset(seed=seed)
        deals.add(env._state["hands"].tobytes())
    assert len(deals) == 1000


def test_no_global_generator_is_touched():
    before = np.random.get_state()[1].tobytes()
    env = tarock_v0.env()
    env.reset(seed=5)
    play(env)
    env.reset()
    assert np.random.get_state()[1].tobytes() == before


def test_unseeded_environments_differ_and_tell_their_seed():
    first, second = tarock_v0.env(), tarock_v0.env()
    first.reset()
    second.reset()
    assert first._state["hands"].tobytes() != second._state["hands"].tobytes()
    second.reset(seed=first.np_random_seed)
    assert first._state.tobytes() == second._state.tobytes()


def _state_after(seed: int) -> bytes:
    env = tarock_v0.env()
    env.reset(seed=seed)
    play(env, seed)
    return bytes(env._state.tobytes())


def test_seeds_across_processes():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_state_after, (21,)) == _state_after(21)


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True, 1 << 64])
def test_bad_seeds_leave_the_game_alone(seed):
    env = tarock_v0.env()
    env.reset(seed=1)
    before = fingerprint(env)
    with pytest.raises(ValueError, match="seed is"):
        env.reset(seed=seed)
    assert fingerprint(env) == before


# ------------------------------------------------------------------ 8 copies


@pytest.mark.parametrize("ruleset", RULESETS)
def test_copies_at_every_decision(ruleset):
    """Field notes 8: deep copies, pickles and clones continue identically and independently."""
    env = tarock_v0.env(ruleset)
    env.reset(seed=6)
    number = 0
    while not any(env.terminations.values()):
        before = fingerprint(env)
        copies = [env.clone(), deepcopy(env), pickle.loads(pickle.dumps(env))]
        for twin in copies:
            assert fingerprint(twin) == before
            assert type(twin) is type(env)
        action = pick(env.infos[env.agent_selection]["action_mask"], number)
        for twin in copies:
            twin.step(action)
        assert fingerprint(env) == before
        env.step(action)
        for twin in copies:
            assert fingerprint(twin) == fingerprint(env)
            for a in env.agents:
                assert twin.observe(a)["observation"].tobytes() == env.observe(a)["observation"].tobytes()
        number += 1
    twin = pickle.loads(pickle.dumps(env))
    assert twin.infos["player_0"]["record"] == env.infos["player_0"]["record"]
    assert play(twin) == play(env)


def test_clones_draw_their_own_samples():
    env = tarock_v0.env()
    env.reset(seed=1)
    env.action_space("player_0").seed(3)
    twin = env.clone()
    drawn = [int(env.action_space("player_0").sample()) for _ in range(5)]
    assert [int(twin.action_space("player_0").sample()) for _ in range(5)] == drawn


# ------------------------------------------------------------------ information, options, records


@pytest.mark.parametrize("ruleset", RULESETS)
def test_infos_hold_public_ids_and_at_the_end_the_result(ruleset):
    env = tarock_v0.env(ruleset)
    env.reset(seed=12)
    number = 0
    phases = {phase.name.lower() for phase in Phase}
    while not any(env.terminations.values()):
        for agent in env.agents:
            assert set(env.infos[agent]) == {"action_mask", "phase", "contract"}
            assert env.infos[agent]["phase"] in phases
        env.step(pick(env.infos[env.agent_selection]["action_mask"], number))
        number += 1
    for agent in env.agents:
        info = env.infos[agent]
        assert {"scores", "items", "card_points", "record"} <= set(info)
        assert info["record"]["scores"] == info["scores"]
        assert record.verify(json.loads(json.dumps(dict(info["record"])))) == []


def test_the_option_deal_sets_up_a_position():
    engine = tarock_env.make("koenigrufen_pagat")
    given = engine.reset(1, seed=50, dealer=2)
    cards = [[int(c) for c in range(54) if int(hand) >> c & 1] for hand in given["hands"][0, :4]]
    talon = given["talon"][0].tolist()
    env = tarock_v0.env()
    env.reset(seed=9, options={"deal": {"hands": cards, "talon": talon}, "dealer": 2})
    assert env._state["hands"].tobytes() == given["hands"].tobytes()
    assert env._state["talon"].tobytes() == given["talon"].tobytes()
    assert env.agent_selection == "player_3"
    env.reset(seed=9, options={"before": {"scores": [1, -2, 3, -2], "rings": [0, 1, 0, 0]}, "dealer": 1})
    assert env._state["totals"][0, :4].tolist() == [1, -2, 3, -2]
    assert env._state["rings"][0, :4].tolist() == [0, 1, 0, 0]
    assert env._state["dealer"][0] == 1


@pytest.mark.parametrize(
    "options, words",
    [
        ({"deal": [1, 2]}, "'deal' is"),
        ({"deal": {"hands": [[], [], [], []], "talon": []}}, "talon has 0 cards"),
        ({"contract": "whist"}, "'contract' is 'whist'; allowed: rufer"),
        ({"contract": "dreier", "declarer": 7}, r"'declarer' is 7; allowed: seats \[0, 1, 2, 3\]"),
        ({"contract": "trischaken", "declarer": 1}, "has no declarer"),
        ({"declarer": 1}, "without 'contract'"),
        ({"dealer": 4}, "dealer is 4"),
        ({"before": {"scores": [1]}}, "before"),
    ],
)
def test_bad_reset_options_leave_the_game_alone(options, words):
    env = tarock_v0.env()
    env.reset(seed=1)
    before = fingerprint(env)
    with pytest.raises(ValueError, match=words):
        env.reset(seed=2, options=options)
    assert fingerprint(env) == before
    env.reset()
    assert env._seeds.game == 1


def test_unknown_reset_options_warn():
    with pytest.warns(UserWarning, match=r"reset options \['dealt'\] are not known; known are: deal, dealer"):
        tarock_v0.env().reset(seed=1, options={"dealt": 1})


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_option_contract_gives_the_contract_to_a_seat(ruleset):
    env = tarock_v0.env(ruleset)
    engine = env.engine
    for row in engine.ruleset.contracts:
        if row.id not in contracts(ruleset) or row.objective == Objective.FEWEST or row.raise_from:
            continue
        for place in (0, engine.ruleset.players - 1):
            declarer = place if engine.ruleset.players == engine.P else (place + 2) % engine.P
            try:
                env.reset(seed=31, options={"contract": row.id, "declarer": declarer, "dealer": 1})
            except BadPosition:  # a contract that is forehand's own
                continue
            assert env._state["declarer"][0] == declarer
            assert env.infos[env.agent_selection]["contract"] == row.id
            assert env.infos[env.agent_selection]["phase"] not in ("auction", "choice")


def test_five_at_the_table():
    found = False
    for ruleset in RULESETS:
        if not any(5 in option.values for option in tarock_env.load(ruleset).options if option.name == "table_size"):
            continue
        found = True
        env = tarock_v0.env(ruleset, table_size=5)
        assert env.possible_agents == [f"player_{seat}" for seat in range(5)]
        for seed in range(5):
            env.reset(seed=seed)
            dealer = f"player_{int(env._state['dealer'][0])}"
            number = 0
            while not any(env.terminations.values()):
                assert env.agent_selection != dealer
                assert not env.observe(dealer)["action_mask"].any()
                env.step(pick(env.infos[env.agent_selection]["action_mask"], number))
                number += 1
            paid = play(env)
            assert len(paid) == 5
            assert paid[dealer] == 0.0
            assert sum(paid.values()) == pytest.approx(0.0, abs=1e-9)
    if not found:
        pytest.skip("no ruleset seats five yet")


def test_the_state_of_a_critic_is_not_the_observation():
    env = tarock_v0.env()
    env.reset(seed=1)
    assert env.state().shape[0] > env.last()[0]["observation"].shape[0]


@pytest.mark.parametrize("make", [tarock_v0.env, tarock_v0.raw_env])
def test_a_copy_shows_the_same_mask_before_its_next_step(make: Any) -> None:
    env = make()
    env.reset(seed=3)
    agent = env.agent_selection
    for twin in (env.clone(), deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert twin.observe(agent)["action_mask"].tolist() == env.observe(agent)["action_mask"].tolist()
        assert twin.last()[0]["action_mask"].sum() > 0
