"""The training loop: play, learn, log, evaluate, save; stopped anywhere and resumed, it goes on bit for bit.

Nothing random outlives an iteration: hands and everything drawn in them come from keys of (seed, number of the hand), the
rest from a generator of (seed, iteration). A saved state is therefore weights, optimiser, pool and counters.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from agents.base import make
from agents.match import play_hands
from agents.ppo import checkpoint
from agents.ppo.agent import POLICY_FILE, PPOAgent, load, to_tensors
from agents.ppo.config import AUTO, HEURISTIC, TrainConfig
from agents.ppo.logs import Log
from agents.ppo.network import BF16, FP32, Actor, Critic, bf16_pays, policy_of
from agents.ppo.pool import Pool
from agents.ppo.rollout import AgentPlayer, NetworkPlayer, Player, Rollout, collect, joined
from agents.ppo.update import ActorLoss, Learner, clone_loss, no_loss, one_thread, ppo_loss
from tarock_env import Engine
from tarock_env.encoding import layout
from tarock_env.engine.chance import DEAL, make_keys

STATE_FILE = "training.safetensors"
SAVE_SECONDS = 60.0  #: a killed run loses at most so much
CLONE_FIRST = 1 << 40  #: number of the first hand of the cloning phase; those of self-play start at 0

#: called with the agent as it is: opponent -> (mean, low, high) of a duplicate match against it
Evaluate = Callable[[PPOAgent], dict[str, tuple[float, float, float]]]


@dataclass
class Counters:
    """How far a run is."""

    iteration: int = 0  #: of self-play
    cloned: int = 0  #: hands of the cloning phase
    decisions: int = 0  #: learned from in self-play
    hands: int = 0
    evaluations: int = 0
    seconds: float = 0.0


class Trainer:
    """One training run in one folder.

    Args:
        config: the settings. folder: where log, policy and training state are written.
        engine: plays `config.ruleset` with `config.options`.
        device: ``cpu`` or ``cuda``. threads: how many of the shards are worked on at once; no influence on the result.
        evaluate: makes the evaluations. opponents: the names that it returns.

    Attributes:
        report: called with the counters, progress (0 … 1) and last row of the log after every iteration.
        latest: figures of the last evaluation.
    """

    def __init__(
        self,
        config: TrainConfig,
        folder: Path,
        engine: Engine,
        *,
        device: str = "cpu",
        threads: int | None = None,
        evaluate: Evaluate | None = None,
        opponents: tuple[str, ...] = (),
    ) -> None:
        self.config, self.folder, self.engine = config, folder, engine
        self.device = torch.device(device)
        self.counters = Counters()
        self._evaluate, self._opponents = evaluate, opponents
        self.report: Callable[[Counters, float, dict[str, float]], None] | None = None
        self.latest: dict[str, float] = {}
        threads = min(threads or os.cpu_count() or 1, config.shards)
        self._pool = ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))
        self._row: dict[str, float] = {}
        self.log: Log | None = None
        self._pending: dict[str, Any] | None = None  #: what the log of a stopped run was to write next
        self._stopped, self._saved, self._started = False, 0.0, 0.0
        self._build()

    def _build(self) -> None:
        config, ruleset = self.config, self.engine.ruleset
        plan = layout(ruleset)
        precision = config.precision
        if precision == AUTO:
            precision = BF16 if bf16_pays(self.device) else FP32
        self.config = config = replace(config, precision=precision)  # whoever resumes it takes the same
        with torch.random.fork_rng(devices=[]):  # torch's own generator is everybody's
            torch.default_generator.manual_seed(config.seed)
            self.actor = Actor(plan, ruleset.actions, config.width, config.depth, precision).to(self.device)
            self.critic = Critic(plan, config.width, config.depth, precision).to(self.device)
        self.learner = Learner(self.actor, self.critic, config, self.device, self._pool)
        self.opponents = Pool(self.engine, self.actor, config, self.device)

    # ------------------------------------------------------------------ loop

    @property
    def progress(self) -> float:
        """Part of the budget that is used up, 0 … 1."""
        if self.config.decisions:
            return min(self.counters.decisions / self.config.decisions, 1.0)
        return min(self.counters.seconds / (60.0 * self.config.minutes), 1.0)

    def run(self, iterations: int | None = None) -> None:
        """Train to the end of the budget, for some iterations of self-play, or until `stop`; then save.

        The state is saved between iterations only, so that whatever is resumed goes on as if it had not stopped. A `stop`
        that came before ends it before its first iteration.

        Raises:
            CheckpointError: the run has diverged; see `save`.
        """
        try:
            with one_thread():
                self._run(iterations)
        finally:
            self._stopped = False

    def _run(self, iterations: int | None) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        pending = self._to_be_logged()
        self.log = Log(self.folder, self.engine, self._opponents, self.counters.hands)
        if pending is not None:
            self.log.take_up(pending)
        last = None if iterations is None else self.counters.iteration + iterations
        self._saved = time.perf_counter()
        self._started = time.perf_counter() - self.counters.seconds
        if self.config.warm_start == HEURISTIC:
            self._clone()
        while self.progress < 1.0 and not self._stopped and (last is None or self.counters.iteration < last):
            self._iterate()
        self.save()

    def _to_be_logged(self) -> dict[str, Any] | None:
        return self._pending if self.log is None else self.log.pending()

    def stop(self) -> None:
        """End `run` after the iteration that is going on, or the next `run` before its first one.

        May be called from a signal handler or another thread.
        """
        self._stopped = True

    def _keys(self, first: int) -> np.ndarray:
        """Keys of the hands of an iteration, from hand number `first` on."""
        return make_keys(self.config.hands, self.config.seed, DEAL, first)

    def _play(self, keys: np.ndarray, players: list[Player], seating: np.ndarray | None) -> Rollout:
        """Hands of an iteration, the shards in threads."""
        shards = np.array_split(keys, self.config.shards)
        seats = [None] * len(shards) if seating is None else np.array_split(seating, len(shards))
        parts = self._pool.map(lambda k, s: collect(self.engine, k, players, s), shards, seats)
        return joined(list(parts))

    def _learn(self, rollout: Rollout, rng: np.random.Generator, loss: ActorLoss, epochs: int) -> dict[str, Any]:
        """Learn from a rollout: mean statistics; none where the learner had nothing to decide."""
        if len(rollout) == 0:
            return {}
        batch, stats = self.learner.prepare(rollout, self.engine.ruleset.reward_scale)
        return {**stats, **self.learner.learn(batch, rng, loss, epochs)}

    def _iterate(self) -> None:
        """One iteration of self-play."""
        config, counters = self.config, self.counters
        rng = np.random.default_rng([config.seed, counters.iteration])
        self.learner.schedule(self.progress)
        if counters.iteration % config.pool_every == 0 and config.pool_share > 0:
            self.opponents.add(self.actor.state_dict())
        opponent = self.opponents.draw(rng)
        players: list[Player] = [NetworkPlayer(self.actor, self.device)]
        keys, seating = self._keys(counters.iteration * config.hands), None
        if opponent is not None:
            players.append(opponent)
            seating = self.opponents.seating(keys, rng)
        rollout = self._play(keys, players, seating)
        resting = config.warm_start == HEURISTIC and counters.iteration < config.critic_iterations
        stats = self._learn(rollout, rng, no_loss if resting else ppo_loss, config.epochs)
        counters.iteration += 1
        counters.decisions += len(rollout)
        counters.hands += config.hands
        self._finish(rollout, stats)

    def _clone(self) -> None:
        """Warm start: learn the heuristic's decisions, and what they are worth, from hands that it plays."""
        config, counters = self.config, self.counters
        player = AgentPlayer(make("heuristic", self.engine), self.engine)
        while counters.cloned < config.clone_hands and not self._stopped:
            rng = np.random.default_rng([config.seed, CLONE_FIRST + counters.cloned])
            self.learner.schedule(0.5 * counters.cloned / config.clone_hands)
            rollout = self._play(self._keys(CLONE_FIRST + counters.cloned), [player], None)
            stats = self._learn(rollout, rng, clone_loss, 1)
            counters.cloned += config.hands
            counters.hands += config.hands
            self._finish(rollout, stats)

    def _finish(self, rollout: Rollout, stats: dict[str, Any]) -> None:
        """Log, evaluate and save as it is due."""
        counters, config = self.counters, self.config
        before, counters.seconds = counters.seconds, time.perf_counter() - self._started
        stats["decisions_per_second"] = len(rollout) / max(counters.seconds - before, 1e-9)
        assert self.log is not None
        self.log.add(rollout, stats)
        steps = counters.iteration + counters.cloned // config.hands
        due = self._evaluation_due()
        if due or steps % config.log_every == 0:
            row = self._facts()
            if due:
                self.latest = self._evaluation()
                row |= self.latest
            self._row = self.log.write(row)
        if self.report is not None:
            self.report(counters, self.progress, self._row)
        if due or time.perf_counter() - self._saved > SAVE_SECONDS:
            self.save()

    def _facts(self) -> dict[str, float]:
        counters = self.counters
        facts: dict[str, float] = {name: getattr(counters, name) for name in ("iteration", "decisions", "hands", "seconds")}
        return facts | {"lr": self.learner.optimiser.param_groups[0]["lr"]}

    def _evaluation_due(self) -> bool:
        config, counters = self.config, self.counters
        if self._evaluate is None or config.evaluations == 0:
            return False
        if counters.iteration == 0:  # the clone, once
            return counters.cloned >= config.clone_hands
        due = counters.evaluations < config.evaluations and self.progress >= (counters.evaluations + 1) / config.evaluations
        if due:
            counters.evaluations = int(self.progress * config.evaluations + 1e-9)
        return due

    def _evaluation(self) -> dict[str, float]:
        assert self._evaluate is not None
        row: dict[str, float] = {}
        for name, (mean, low, high) in self._evaluate(self.agent()).items():
            row |= {f"versus_{name}": mean, f"versus_{name}_low": low, f"versus_{name}_high": high}
        return row

    # ------------------------------------------------------------------ files

    def agent(self) -> PPOAgent:
        """The agent as it is now, playing greedily."""
        return PPOAgent("ppo", self.engine, policy_of(self.actor))

    def save(self) -> None:
        """Write the policy and the training state.

        Raises:
            CheckpointError: weights or averages are no finite numbers, or too large for a policy file; nothing was written.
        """
        config, about = self.config, checkpoint.identity(self.engine.ruleset)
        about |= {"options": self.engine.options, "width": config.width, "depth": config.depth}  # type: ignore[dict-item]
        trained = {"counters": asdict(self.counters), "config": config.as_dict()}
        policy, state, values = to_tensors(policy_of(self.actor)), self._tensors(), self.learner
        checkpoint.refuse_diverged(self.folder, {**policy, **state}, [values.mean, values.variance, values.weight])
        checkpoint.write(self.folder / POLICY_FILE, checkpoint.POLICY, policy, {**about, "trained": trained})
        learner = self.learner
        rest = {
            "counters": asdict(self.counters), "config": config.as_dict(), "precision": self.actor.precision,
            "values": [learner.mean, learner.variance, learner.weight], "members": len(self.opponents.members),
        }  # fmt: skip
        pending = self._to_be_logged()
        rest |= {} if pending is None else {"log": pending}
        checkpoint.write(self.folder / STATE_FILE, checkpoint.TRAINING, state, {**about, **rest})
        self._saved = time.perf_counter()

    def _tensors(self) -> dict[str, np.ndarray]:
        """All arrays of the training state, by name."""
        tensors: dict[str, torch.Tensor] = {}
        for kind, module in (("actor", self.actor), ("critic", self.critic)):
            tensors |= {f"{kind}.{name}": value for name, value in module.state_dict().items()}
        for index, state in self.learner.optimiser.state_dict()["state"].items():
            tensors |= {f"optimiser.{index}.{name}": value for name, value in state.items()}
        for index, member in enumerate(self.opponents.members):
            tensors |= {f"pool.{index}.{name}": value for name, value in member.items()}
        return {name: value.detach().cpu().numpy() for name, value in tensors.items()}

    def _restore(self, tensors: dict[str, np.ndarray], header: dict[str, Any]) -> None:
        loaded = {name: torch.from_numpy(array.copy()).to(self.device) for name, array in tensors.items()}

        def under(prefix: str) -> dict[str, torch.Tensor]:
            return {name.removeprefix(prefix): value for name, value in loaded.items() if name.startswith(prefix)}

        self.actor.load_state_dict(under("actor."))
        self.critic.load_state_dict(under("critic."))
        optimiser = self.learner.optimiser
        count = len(optimiser.param_groups[0]["params"])
        states = {i: state for i in range(count) if (state := under(f"optimiser.{i}."))}
        optimiser.load_state_dict({"state": states, "param_groups": optimiser.state_dict()["param_groups"]})
        self.opponents.members = [under(f"pool.{i}.") for i in range(header["members"])]
        self._pending = header.get("log")
        self.learner.mean, self.learner.variance, self.learner.weight = header["values"]
        self.counters = Counters(**header["counters"])
        self.counters.evaluations = int(self.progress * self.config.evaluations + 1e-9)  # fewer under a larger budget


def resume(folder: Path, engine: Engine, extend: dict[str, Any] | None = None, **arguments: Any) -> Trainer:
    """A trainer that goes on where the run in a folder stopped.

    Args:
        engine: plays the ruleset of the run. extend: a new budget, `minutes` or `decisions`.
        arguments: as for `Trainer`.

    Raises:
        CheckpointError: no training state there, one for another ruleset, observation layout or action table, or one that
            no run can have written.
    """
    path = folder / STATE_FILE
    tensors, header = checkpoint.read(path, checkpoint.TRAINING)
    checkpoint.check(path, header, engine.ruleset)
    checkpoint.check_tensors(path, tensors, header, engine.ruleset)
    config = replace(checkpoint.config_in(path, header), precision=header["precision"], **(extend or {}))
    trainer = Trainer(config, folder, engine, **arguments)
    trainer._restore(tensors, header)
    return trainer


def warm(engine: Engine) -> None:
    """Call every kernel once: two iterations of a very small run, and an agent that plays a hand."""
    config = TrainConfig(decisions=100, hands=4, width=8, minibatch=32, evaluations=0, pool_share=0.5)
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(config, Path(folder), engine)
        trainer.run(2)
        play_hands(engine, engine.reset(2), [trainer.agent()])
        play_hands(engine, engine.reset(2), [load(f"{folder}?sample", engine)])
