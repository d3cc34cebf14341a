"""The Gymnasium vector environment. Gymnasium has no checker for these: this is one."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from tarock_env import BadAction, IllegalAction
from tarock_env.envs.single_seat import SingleSeatEnv
from tarock_env.envs.spaces import PENALTY_SCALES
from tarock_env.envs.vector import TarockVectorEnv
from tests.envs.playing import RULESETS

B = 7


def choices(mask: np.ndarray, step: int) -> np.ndarray:
    """A legal action in each row (0 where there is none), that depends on the row's mask and the step only."""
    return np.array([0 if not row.any() else int(np.flatnonzero(row)[step * 7919 % int(row.sum())]) for row in mask])


def lowest(views, mask, keys):
    return mask.argmax(axis=1)


def check_spaces(env: TarockVectorEnv, observation: dict[str, np.ndarray]) -> None:
    assert set(observation) == {"observation", "action_mask"}
    assert observation["observation"].shape == (env.num_envs, env.games.features)
    assert observation["observation"].dtype == np.float32
    assert observation["action_mask"].shape == (env.num_envs, env.engine.A)
    assert observation["action_mask"].dtype == np.int8
    assert env.observation_space.contains(observation)
    for row in range(env.num_envs):
        assert env.single_observation_space.contains({name: values[row] for name, values in observation.items()})


@pytest.mark.parametrize("ruleset", RULESETS)
def test_shapes_types_and_modes(ruleset):
    env = TarockVectorEnv(B, ruleset)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    observation, infos = env.reset(seed=1)
    check_spaces(env, observation)
    assert infos["seat"].shape == (B,)
    for step in range(40):
        observation, rewards, over, cut, infos = env.step(choices(observation["action_mask"], step))
        check_spaces(env, observation)
        assert rewards.shape == over.shape == cut.shape == (B,)
        assert (rewards.dtype, over.dtype, cut.dtype) == (np.float64, np.bool_, np.bool_)
        assert not cut.any()
        assert np.array_equal(observation["action_mask"].any(axis=1), ~over)
        assert np.array_equal(env.action_masks(), observation["action_mask"].astype(bool))
        assert not rewards[~over].any()


def test_made_by_id():
    envs = gymnasium.make_vec("tarock_env:Tarock-v0", num_envs=3, vectorization_mode="vector_entry_point", seat=1)
    assert isinstance(envs.unwrapped, TarockVectorEnv)
    observation, infos = envs.reset(seed=3)
    assert observation["observation"].shape[0] == 3
    assert infos["seat"].tolist() == [1, 1, 1]
    sync = gymnasium.make_vec("tarock_env:Tarock-v0", num_envs=3, vectorization_mode="sync", seat=1)
    other, _ = sync.reset(seed=3)
    assert other["observation"].tobytes() == observation["observation"].tobytes()


class Row:
    """The single environment that a row must equal."""

    def __init__(self, seed: int, **kwargs) -> None:
        self.env = SingleSeatEnv(**kwargs)
        self.observation, self.info = self.env.reset(seed=seed)
        self.over = False


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
@pytest.mark.parametrize("opponents", ["random", lowest], ids=["compiled", "function"])
@pytest.mark.parametrize("seat", ["random", "rotating"])
def test_row_i_is_the_single_game_and_nothing_is_lost(ruleset, mode, opponents, seat):
    """Field notes 7 and 18: over several hands, observations, rewards, ends, scores; rows never mix."""
    kwargs = {"ruleset": ruleset, "opponents": opponents, "seat": seat}
    env = TarockVectorEnv(B, autoreset_mode=mode, **kwargs)
    observation, infos = env.reset(seed=20)
    rows = [Row(20 + i, **kwargs) for i in range(B)]
    finished = 0
    for step in range(45):
        for i, row in enumerate(rows):
            for name in ("observation", "action_mask"):
                assert observation[name][i].tobytes() == row.observation[name].tobytes()
            assert infos["seat"][i] == row.info["seat"]
        actions = choices(observation["action_mask"], step)
        observation, rewards, over, _, infos = env.step(actions)
        for i, row in enumerate(rows):
            if row.over:  # NEXT_STEP: the action is ignored
                row.observation, row.info = row.env.reset()
                row.over, reward = False, 0.0
            else:
                row.observation, reward, row.over, _, row.info = row.env.step(actions[i])
            assert rewards[i] == reward
            assert over[i] == row.over
            if row.over:
                finished += 1
                told = infos["final_info"] if mode == "SAME_STEP" else infos
                assert told["_scores"][i]
                assert told["scores"][i].tolist() == row.info["scores"]
                assert told["seat"][i] == row.info["seat"]
                if mode == "SAME_STEP":
                    assert infos["_final_obs"][i]
                    assert infos["final_obs"][i]["observation"].tobytes() == row.observation["observation"].tobytes()
                    row.observation, row.info = row.env.reset()
                    row.over = False
            elif "_scores" in infos:
                assert not infos["_scores"][i]
    assert finished >= B


def test_rows_do_not_depend_on_the_batch():
    small, large = TarockVectorEnv(3), TarockVectorEnv(40)
    a, _ = small.reset(seed=[5, 6, 7])
    b, _ = large.reset(seed=[7, 6, 5, *range(100, 137)])
    for step in range(60):
        assert a["observation"].tobytes() == b["observation"][[2, 1, 0]].tobytes()
        chosen = choices(b["action_mask"], step)
        a, paid, *_ = small.step(chosen[[2, 1, 0]])
        b, rewards, *_ = large.step(chosen)
        assert paid.tolist() == rewards[[2, 1, 0]].tolist()


def test_seeds():
    env, other = TarockVectorEnv(B), TarockVectorEnv(B)
    first = env.reset(seed=2)[0]["observation"]
    assert first.tobytes() == other.reset(seed=[2 + i for i in range(B)])[0]["observation"].tobytes()
    again = env.reset()[0]["observation"]
    assert again.tobytes() != first.tobytes()
    assert again.tobytes() == other.reset()[0]["observation"].tobytes()
    assert env.reset(seed=2)[0]["observation"].tobytes() == first.tobytes()
    assert len({row.tobytes() for row in TarockVectorEnv(1000).reset(seed=0)[0]["observation"]}) == 1000
    for seed in (-1, 1.5, [1, 2], "7"):
        with pytest.raises(ValueError, match="seed"):
            env.reset(seed=seed)


def test_partial_resets():
    env = TarockVectorEnv(4)
    before, _ = env.reset(seed=1)
    mask = np.array([False, True, False, True])
    after, _ = env.reset(options={"reset_mask": mask})
    same = (before["observation"] == after["observation"]).all(axis=1)
    assert same.tolist() == [True, False, True, False]
    with pytest.raises(ValueError, match="reset_mask is"):
        env.reset(options={"reset_mask": [1, 0]})
    with pytest.raises(ValueError, match=r"reset options \['deal'\]; allowed: reset_mask"):
        env.reset(options={"deal": 1})


def test_illegal_rows_end_alone():
    env, other = TarockVectorEnv(4), TarockVectorEnv(4)
    observation, _ = env.reset(seed=9)
    other.reset(seed=9)
    actions = choices(observation["action_mask"], 0)
    wrong = actions.copy()
    wrong[2] = int(np.flatnonzero(observation["action_mask"][2] == 0)[0])
    a, rewards, over, _cut, infos = env.step(wrong)
    b, *_ = other.step(actions)
    assert over.tolist() == [False, False, True, False]
    assert rewards[2] == -PENALTY_SCALES * env.engine.ruleset.reward_scale
    assert "_scores" not in infos
    assert not a["action_mask"][2].any()
    for row in (0, 1, 3):
        assert a["observation"][row].tobytes() == b["observation"][row].tobytes()
    a, rewards, over, *_ = env.step(choices(a["action_mask"], 1))
    assert not over[2]
    assert rewards[2] == 0.0
    assert a["action_mask"][2].any()


@pytest.mark.parametrize(
    "actions, error", [([0.5] * 4, BadAction), ([1, 2], BadAction), (None, BadAction), ([1, [2]], BadAction)]
)
def test_wrong_types_touch_no_row(actions, error):
    env = TarockVectorEnv(4)
    env.reset(seed=9)
    before = env.games.state.tobytes()
    with pytest.raises(error):
        env.step(actions)
    assert env.games.state.tobytes() == before


def test_errors_name_the_row_and_touch_none():
    env = TarockVectorEnv(4, on_illegal="raise")
    observation, _ = env.reset(seed=9)
    actions = choices(observation["action_mask"], 0)
    for row, value in ((1, int(np.flatnonzero(observation["action_mask"][1] == 0)[0])), (3, -1), (2, 999)):
        wrong = actions.copy()
        wrong[row] = value
        before = env.games.state.tobytes()
        with pytest.raises(IllegalAction, match=f"in row {row}") as caught:
            env.step(wrong)
        assert caught.value.row == row
        assert env.games.state.tobytes() == before


def test_order_and_arguments():
    with pytest.raises(ResetNeeded):
        TarockVectorEnv(2).step(np.zeros(2, int))
    for kwargs, words in (
        ({"num_envs": 0}, "num_envs is 0"),
        ({"autoreset_mode": "DISABLED"}, "autoreset_mode is 'DISABLED'; allowed: NEXT_STEP, SAME_STEP"),
        ({"render_mode": "ansi"}, "render_mode is 'ansi'"),
        ({"reward": "x"}, "reward is 'x'"),
    ):
        with pytest.raises(ValueError, match=words):
            TarockVectorEnv(**kwargs)


def test_buffers_may_be_shared():
    env = TarockVectorEnv(2, copy=False)
    first, _ = env.reset(seed=1)
    kept = first["observation"].copy()
    second, *_ = env.step(choices(first["action_mask"], 0))
    assert second["observation"] is first["observation"]
    assert not np.array_equal(kept, second["observation"])
    fresh = TarockVectorEnv(2)
    first, _ = fresh.reset(seed=1)
    second, *_ = fresh.step(choices(first["action_mask"], 0))
    assert second["observation"] is not first["observation"]
