"""Hidden information under mixtures of options and over sessions: everything a seat is told, from the deal on.

Two hands are dealt that differ in two cards which a seat cannot place, and the same public actions are played in both. Up
to there the seat must be told the same at every decision: observation, packed bits, mask, view, info, picture, and the text
of the error for an illegal action; through the AEC and the single-seat environment, into the next hand of the session.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tarock_env
from tarock_env import IllegalAction, tarock_v0
from tarock_env.cards import C, ids_in
from tarock_env.codes import Compulsory, Phase
from tarock_env.encoding import encode, encode_packed
from tarock_env.engine.batch import Engine
from tarock_env.engine.chance import CHANCE, make_keys
from tarock_env.engine.session import SINGLE
from tarock_env.engine.single import fill_bases, fill_game_keys
from tarock_env.engine.state import STATE
from tarock_env.envs.single_seat import SingleSeatEnv
from tarock_env.envs.vector import TarockVectorEnv
from tarock_env.render import render
from tarock_env.view import VIEW, observe
from tests.check import option_mixture
from tests.envs.playing import RULESETS
from tests.envs.test_leaks import exchanges, hidden_cards

MIXTURES = 4  #: of each ruleset, the first without options
#: what the next hand may take over from the one before it
SESSION_FIELDS = {
    "key", "dealer", "totals", "rings", "compulsory", "hand_no", "hands_left", "scuse_holder", "session_over", "done",
    "settlement",
}  # fmt: skip


def mixtures(ruleset: str, n: int = MIXTURES, knock: bool = True) -> list[dict[str, Any]]:
    """No options, then random mixtures of them. knock: whether the deal may be knocked."""
    drawn = [option_mixture(ruleset, np.random.default_rng([77, i])) for i in range(n)]
    for mixture in drawn:
        mixture.pop("session_hands", None)  # lengths are given
        if not knock:
            mixture.pop("knock", None)
    return [{}, *drawn[1:]]


def midway(engine: Engine, n: int, seed: int, second: bool) -> tuple[np.ndarray, np.ndarray]:
    """Balanced hands after some decisions, in a session's second hand if asked for; and their logs."""
    state = engine.reset(keys=make_keys(n, seed, CHANCE), hands=3)
    if second:
        engine.playout(state, "balanced")
        engine.next_hand(state)
    log = engine.new_log(n)
    for row in range(n):
        engine.playout(state[row : row + 1], "balanced", log=log[row : row + 1], limit=(7 * row) % 61)
    rows = np.flatnonzero(~state["done"])
    return engine.take(state, rows), log[rows]


def error_text(engine: Engine, one: np.ndarray, log: np.ndarray) -> str:
    """What the acting seat reads after an illegal action."""
    wrong = int(np.flatnonzero(~engine.legal(one)[0])[0])
    with pytest.raises(IllegalAction) as caught:
        engine.step(one, [wrong], log)
    return str(caught.value)


def log_of(one: np.ndarray, log: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The log of a state in which a discarded card changed places with a hidden one."""
    gone = int(one["discards"][0]) & ~int(other["discards"][0])
    new = int(other["discards"][0]) & ~int(one["discards"][0])
    changed = log.copy()
    if gone:
        changed[log == ids_in(gone)[0]] = ids_in(new)[0]
    return changed


def seen_of_state(engine: Engine, one: np.ndarray, log: np.ndarray, seat: int) -> dict[str, Any]:
    """Everything that is made for one seat out of a state."""
    view = observe(engine, one, seat)
    told: dict[str, Any] = {name: view[name].tobytes() for name in VIEW.names or ()}
    told |= {"observation": encode(engine, view).tobytes(), "picture": render(engine, view)}
    if seat == int(one["actor"][0]):
        told |= {"packed": encode_packed(engine, one)[0].tobytes(), "mask": engine.legal(one).tobytes()}
        told |= {"error": error_text(engine, one, log)}
    return told


@pytest.mark.parametrize("second", [False, True], ids=["first hand", "second hand"])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_states_look_the_same_under_mixtures_of_options(ruleset: str, second: bool) -> None:
    rng = np.random.default_rng(3)
    compared = 0
    for number, options in enumerate(mixtures(ruleset)):
        engine = tarock_env.make(ruleset, **options)
        states, logs = midway(engine, 45, number, second)
        for row in range(len(states)):
            one, log = engine.take(states, [row]), logs[row : row + 1]
            for seat in {int(one["actor"][0]), int(rng.integers(engine.P))}:
                told = seen_of_state(engine, one, log, seat)
                for other in exchanges(engine, one, seat, rng, 2):
                    again = seen_of_state(engine, other, log_of(one, log, other), seat)
                    assert [name for name in told if told[name] != again[name]] == [], (options, engine.legal_names(one))
                    compared += 1
    assert compared > 200


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_next_hand_knows_of_the_last_one_only_what_a_session_carries(ruleset: str) -> None:
    """All fields of a finished hand but the session's are overwritten with noise; the next hand is the same."""
    rng = np.random.default_rng(5)
    for options in mixtures(ruleset):
        engine = tarock_env.make(ruleset, **options)
        state = engine.reset(64, seed=9, hands=4)
        engine.playout(state, "balanced")
        state = engine.take(state, np.flatnonzero(~state["session_over"]))
        noisy = engine.copy(state)
        for name in set(STATE.names or ()) - SESSION_FIELDS:
            noise = rng.integers(0, 100, noisy[name].shape)
            noisy[name] = noise.astype(noisy[name].dtype)
        assert engine.next_hand(state) == engine.next_hand(noisy) == len(state) > 0
        assert [name for name in STATE.names or () if not np.array_equal(state[name], noisy[name])] == []


# ------------------------------------------------------------------ whole hands in environments


@dataclass
class Script:
    """A hand to be played: its deal and its actions, with the phase of each."""

    deal: dict[str, Any]
    actions: list[int]
    phases: list[int]

    def exchanged(self, a: int, b: int) -> Script:
        """Two cards in each other's places, in the deal and where they were discarded."""
        swap = {a: b, b: a}
        hands = [[swap.get(card, card) for card in hand] for hand in self.deal["hands"]]
        deal = self.deal | {"hands": hands, "talon": [swap.get(card, card) for card in self.deal["talon"]]}
        pairs = zip(self.actions, self.phases, strict=True)
        return Script(deal, [swap.get(x, x) if p == Phase.DISCARD and x < C else x for x, p in pairs], self.phases)


def scripts(engine: Engine, n: int, seed: int) -> Iterator[tuple[Script, list[np.ndarray]]]:
    """Balanced hands, and their states at all decisions."""
    start = engine.reset(keys=make_keys(n, seed, CHANCE))
    whole, log = engine.copy(start), engine.new_log(n)
    engine.playout(whole, "balanced", log=log)
    for row in np.flatnonzero(start["compulsory"] == Compulsory.NO).tolist():
        g, one, states = start[row], engine.take(start, [row]), []
        actions = log[row, : int(whole["n_actions"][row])].tolist()
        for action in actions:
            states.append(engine.copy(one))
            engine.step(one, action)
        hands = [ids_in(int(hand)) for hand in g["hands"][: engine.P]]
        deal = {"hands": hands, "talon": g["talon"].tolist(), "dealer": int(g["dealer"])}
        yield Script(deal, actions, [int(state["phase"][0]) for state in states]), states


def plain(info: dict[str, Any]) -> dict[str, Any]:
    """An info as comparable values, without the record of a hand that is over: that one tells the whole deal."""
    values = {name: plain(v) if isinstance(v, dict) else v for name, v in info.items() if name != "record"}
    return {name: v.tobytes() if isinstance(v, np.ndarray) else v for name, v in values.items()}


def message(step: Callable[[int], Any], mask: np.ndarray) -> str:
    """The error for an illegal action."""
    with pytest.raises(IllegalAction) as caught:
        step(int(np.flatnonzero(mask == 0)[0]))
    return str(caught.value)


def told_by_aec(env: Any, agent: str) -> dict[str, Any]:
    """Everything that an agent is told at a decision."""
    told = plain(env.infos[agent]) | {"view": env.view(agent).tobytes(), "picture": render(env.engine, env.view(agent))}
    told |= {name: values.tobytes() for name, values in env.observe(agent).items()}
    if agent == env.agent_selection:
        told["error"] = message(env.step, env.infos[agent]["action_mask"])
    return told


def followed_by_aec(env: Any, script: Script, until: int, agent: str) -> tuple[list[Any], list[Any], bool]:
    """(public course, what the agent was told) along a script up to a decision; False if an action was illegal."""
    env.reset(seed=0, options={"deal": script.deal})
    public, told = [], []
    for t in range(until + 1):
        public.append((env.agent_selection, env._state["side_known"].tobytes(), int(env._state["shown"][0])))
        told.append(told_by_aec(env, agent))
        if t < until:
            if not env.infos[env.agent_selection]["action_mask"][script.actions[t]]:
                return public, told, False
            env.step(script.actions[t])
    return public, told, True


def lived_on(env: Any, last: int, agent: str, decisions: int = 8) -> list[Any]:
    """What the agent is told after the hand's last action, at the first decisions of the next hand; lowest actions there."""
    mask = env.infos[env.agent_selection]["action_mask"]
    told: list[Any] = []
    for action in (last, *[-1] * decisions):
        action = int(mask.argmax()) if action < 0 else action
        if not mask[action]:
            return []
        env.step(action)
        if env.terminations[agent]:
            return []
        mask = env.infos[env.agent_selection]["action_mask"]
        told.append(told_by_aec(env, agent))
    return told


@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_agent_is_told_the_same_at_every_decision(ruleset: str) -> None:
    """AEC: up to the decision at which two hidden cards differ, and where the result is the same, in the next hand."""
    rng = np.random.default_rng(6)
    compared, next_hands = 0, 0
    for number, options in enumerate(mixtures(ruleset, knock=False)):
        env = tarock_v0.raw_env(ruleset, hands=3, **options)
        for script, states in scripts(env.engine, 6, number):
            last = len(states) - 1
            until = last if compared % 2 else int(rng.integers(len(states)))
            seat = int(rng.integers(env.engine.P))
            cards = hidden_cards(env.engine, states[until], seat)
            if len(cards) < 2:
                continue
            agent, pair = f"player_{seat}", rng.choice(cards, 2, replace=False).tolist()
            course, told, _ = followed_by_aec(env, script, until, agent)
            rest = lived_on(env, script.actions[-1], agent) if until == last else []
            other = script.exchanged(*pair)
            again, retold, possible = followed_by_aec(env, other, until, agent)
            if not possible or again != course:
                continue
            assert retold == told
            compared += 1
            relived = lived_on(env, other.actions[-1], agent) if rest else []
            if relived and relived[0]["last_hand"] == rest[0]["last_hand"]:  # two hidden cards may count differently
                assert relived == rest
                next_hands += 1
    assert compared >= 10
    assert next_hands >= 1


def told_to_learner(
    env: SingleSeatEnv, script: Script, seat: int, until: int, opponents: list[int]
) -> tuple[list[Any], bool]:
    """What the learner is told at its decisions of a scripted hand up to one of them; False if an action was illegal."""
    opponents[:] = script.actions
    try:
        observation, info = env.reset(seed=0, options={"deal": script.deal})
        told = []
        while True:
            now = int(env.games.state["n_actions"][0])
            told.append([plain(info), plain(observation), env.action_masks().tobytes(), env.render(), env.view().tobytes()])
            told[-1].append(message(env.step, env.action_masks()))
            if now >= until:
                return told, True
            observation, _, over, _, info = env.step(script.actions[now])
            assert not over
    except IllegalAction:
        return [], False


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_learner_is_told_the_same_at_every_decision(ruleset: str) -> None:
    """The single-seat environment, with opponents that play by the script."""
    rng = np.random.default_rng(8)
    compared = 0
    for number, options in enumerate(mixtures(ruleset, knock=False)):
        opponents: list[int] = []

        def act(views: np.ndarray, mask: np.ndarray, keys: np.ndarray, script: list[int] = opponents) -> np.ndarray:
            return np.array([script[n] for n in views["n_actions"].tolist()])

        env = SingleSeatEnv(ruleset, seat=0, opponents=act, on_illegal="raise", render_mode="ansi", hands=2, **options)
        for script, states in scripts(env.engine, 10, number):
            mine = [t for t, state in enumerate(states) if int(state["actor"][0]) == 0]
            if not mine or (env.engine.ruleset.players < env.engine.P and script.deal["dealer"] == 0):
                continue
            until = mine[int(rng.integers(len(mine)))]
            cards = hidden_cards(env.engine, states[until], 0)
            if len(cards) < 2:
                continue
            a, b = rng.choice(cards, 2, replace=False).tolist()
            told, _ = told_to_learner(env, script, 0, until, opponents)
            retold, possible = told_to_learner(env, script.exchanged(a, b), 0, until, opponents)
            if possible:
                assert retold == told
                compared += 1
    assert compared >= 12


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_row_of_the_vector_environment_is_told_the_same(ruleset: str) -> None:
    rng = np.random.default_rng(9)
    compared = 0
    for number, options in enumerate(mixtures(ruleset, 3)):
        env = TarockVectorEnv(2, ruleset, on_illegal="raise", hands=2, **options)
        env.reset(seed=[number, number])
        for _ in range(25):
            both = env.games.state
            seat = int(env.games.seats[0])
            for other in exchanges(env.engine, env.engine.take(both, [0]), seat, rng, 2) if not both["done"][0] else ():
                kept = env.engine.copy(both)
                both.view(np.uint8).reshape(2, -1)[1] = other.view(np.uint8)
                told = [*env._observe().values(), env.action_masks()]
                assert all(values[0].tobytes() == values[1].tobytes() for values in told)
                assert _refused(env, 0) == _refused(env, 1).replace("row 1", "row 0")
                both.view(np.uint8).reshape(2, -1)[:] = kept.view(np.uint8).reshape(2, -1)
                compared += 1
            env.step(env._observe()["action_mask"].argmax(axis=1))
    assert compared >= 30


def _refused(env: TarockVectorEnv, row: int) -> str:
    """The error for a wrong action in one row and legal ones elsewhere."""
    masks = env.action_masks()

    def step(wrong: int) -> None:
        actions = np.array(masks.argmax(axis=1))
        actions[row] = wrong
        env.step(actions)

    return message(step, masks[row])


# ------------------------------------------------------------------ names and records of sessions


def numbers_in(value: Any) -> set[int]:
    """All numbers in an info, those spelt in its texts too, in base 10 and 16."""
    if isinstance(value, str):
        return {int(t) for t in re.findall(r"\d+", value)} | {int(t, 16) for t in re.findall(r"[0-9a-f]{6,}", value)}
    if isinstance(value, dict | list | tuple):
        parts = [*value.keys(), *value.values()] if isinstance(value, dict) else value
        return set().union(*(numbers_in(part) for part in parts)) if parts else set()
    return {value} if isinstance(value, int) else set()


@pytest.mark.parametrize("single", [False, True], ids=["aec", "single seat"])
def test_what_is_told_of_the_last_hand_does_not_lead_to_the_next(single: bool) -> None:
    """Neither seed nor keys, from which all cards of the session follow, are in the record or behind it."""
    seed = 0x1234567890ABCDEF
    env: Any = SingleSeatEnv(hands=3, seat=0) if single else tarock_v0.raw_env(hands=3)
    observation, info = env.reset(seed=seed) or ({}, {})
    bases, key = np.empty(1, np.uint64), np.empty(1, np.uint64)
    fill_bases(bases, np.array([seed], np.uint64), 1)
    fill_game_keys(key, bases, np.zeros(1, np.int64))
    state = env.games.state if single else env._state
    assert int(state["key"][0]) == int(key[0])
    secrets = {seed, int(bases[0]), int(key[0])}
    while int(state["hand_no"][0]) == 0:
        if single:
            observation, _, _, _, info = env.step(int(observation["action_mask"].argmax()))
        else:
            env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
            info = env.infos[env.agent_selection]
    secrets.add(int(state["key"][0]))
    record = info["last_hand"]["record"]
    assert int(record._source[1]["key"][0]) not in secrets
    told = info["last_hand"] | {"record": dict(record)}
    assert told["record"]["session"]["hand"] == 0
    assert len(told["record"]["session"]["id"]) == 16
    assert numbers_in(told) & secrets == set()
    assert SINGLE == -1
