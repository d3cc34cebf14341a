"""Games in which one seat of each table is a learner's: what the Gymnasium environments are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from tarock_env.codes import NONE
from tarock_env.encoding import encode_bits, encode_states, layout, unpack
from tarock_env.engine import loops
from tarock_env.engine.batch import NO_LOG, NO_MASK, Engine
from tarock_env.engine.chance import AGENT, DEAL
from tarock_env.engine.checking import answers, check_actions
from tarock_env.engine.errors import BadAction, BadPosition
from tarock_env.engine.masks import among
from tarock_env.engine.session import SINGLE
from tarock_env.engine.single import OUTSIDE, fill_bases, fill_game_keys
from tarock_env.engine.state import SEATS, STATE, as_bytes, assign, copy, take
from tarock_env.envs.ending import hand_info
from tarock_env.envs.opening import start_hand
from tarock_env.envs.opponents import Opponent, driven
from tarock_env.envs.seeds import session_name
from tarock_env.envs.spaces import hand_rewards
from tarock_env.rulesets.numbers import is_whole_in
from tarock_env.rulesets.shown import short
from tarock_env.view import VIEW, observe, observe_all

NO_WORDS = np.zeros((0, 0), np.uint64)
SEAT_SALT = 17  #: of the draw of a random seat


class SeatGames:
    """B games, each with a learner in one seat and opponents in the others. Row i depends on its own seed only.

    Args:
        engine: what is played. n: number of games B.
        seat: table seat of the learners, ``"random"`` (drawn anew for each game) or ``"rotating"`` (0, 1, 2 … from game to
                game). A learner who would sit out as the dealer has his neighbour deal instead.
        opponents: by distance from the learner, see `envs.opponents.seat_opponents`.
        reward: ``"zero_sum"`` or ``"score"``.
        length: ``hands_left`` of a game, see `envs.spaces.game_length`. A game is a single hand or a session.
        logged: whether actions are logged, and the results of hands kept in `results`.

    Attributes:
        state: (B,) STATE, at the learners' decisions or at the end. start: the same at the first decisions.
        seats: int64 (B,), table seats of the learners. games: int64 (B,), number of the present game of each row's seed.
        log: uint8 (B, T), or (0, 0).
        paid: float64 (B,), the learners' rewards since `listen`. ended: bool (B,), where hands ended since then. scores,
        contract: int32 (B, P), int64 (B,), of the last of these hands. results: their `ending.hand_info`, if logged.
    """

    def __init__(
        self,
        engine: Engine,
        n: int,
        seat: int | str,
        opponents: list[Opponent],
        reward: str = "zero_sum",
        length: int = SINGLE,
        logged: bool = False,
    ) -> None:
        self.engine, self.n, self.seat = engine, n, check_seat(engine, seat)
        self.opponents, self.reward, self.length = opponents, reward, length
        self.state, self.start = np.zeros(n, STATE), np.zeros(n, STATE)
        self.seats = np.zeros(n, np.int64)
        self.games = np.full(n, -1, np.int64)
        self.log = engine.new_log(n) if logged else NO_LOG
        self.listen()
        self._bases = np.zeros(n, np.uint64)
        self._keys = np.zeros(n, np.uint64)  #: of what the opponents draw
        self._settled = np.zeros(n, bool)  #: whether the present hand was paid
        self._seated = np.full((n, SEATS), OUTSIDE, np.int64)
        self._driver, policies = driven(opponents)
        self._policies = self._by_seat(policies)
        self._all_compiled = OUTSIDE not in policies
        self._plan = layout(engine.ruleset)
        self.features = self._plan.F
        self._views = np.zeros(1, VIEW)
        self._words = np.zeros((n, self._plan.words), np.uint64)

    def _by_seat(self, policies: list[int]) -> np.ndarray:
        """The driver's policy of each table seat for each seat of the learner: int64 (P, SEATS)."""
        P = self.engine.P
        table = np.full((P, SEATS), OUTSIDE, np.int64)
        for seat in range(P):
            for distance in range(1, P):
                table[seat, (seat + distance) % P] = policies[distance - 1]
        return table

    def listen(self) -> None:
        """Forget the rewards and results so far."""
        self.paid, self.ended = np.zeros(self.n), np.zeros(self.n, bool)
        self.scores, self.contract = np.zeros((self.n, self.engine.P), np.int32), np.full(self.n, NONE, np.int64)
        self.results: list[dict[str, Any]] = []

    # ------------------------------------------------------------------ start

    def seed(self, seeds: np.ndarray, rows: np.ndarray | None = None) -> None:
        """Begin the series of games of all rows, or of those given, anew; seeds uint64 (B,)."""
        bases = np.empty(self.n, np.uint64)
        fill_bases(bases, seeds, DEAL)
        begun = slice(None) if rows is None else rows
        self._bases[begun], self.games[begun] = bases[begun], -1

    def deal(self, rows: np.ndarray) -> None:
        """Start the next game of the given rows, int64 (k,), up to the learner's first decision."""
        while len(rows):
            self.games[rows] += 1
            keys = np.empty(len(rows), np.uint64)
            fill_game_keys(keys, self._bases[rows], self.games[rows])
            self._place(rows, *self._dealt(keys, self.games[rows]))
            earlier = self.paid.copy(), self.ended.copy()
            self.advance(rows)
            rows = rows[self.state["done"][rows]]  # a game without any decision of the learner does not count
            self.paid[rows], self.ended[rows] = earlier[0][rows], earlier[1][rows]

    def _dealt(self, keys: np.ndarray, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        state = self.engine.reset(keys=keys)
        state["hands_left"] = self.length
        seats = self._draw_seats(state, games)
        if self.engine.ruleset.players < self.engine.P:
            out = np.flatnonzero(state["dealer"] == seats)
            if len(out):
                dealers = (seats[out] + 1) % self.engine.P
                other = self.engine.reset(keys=keys[out], dealer=dealers)
                other["hands_left"] = self.length
                assign(state, out, other)
        return state, seats

    def _draw_seats(self, state: np.ndarray, games: np.ndarray) -> np.ndarray:
        P, players = self.engine.P, self.engine.ruleset.players
        if self.seat == "rotating":
            return np.asarray(games % P)
        if self.seat == "random":
            places = ((self.engine.hand_keys(state, SEAT_SALT) >> np.uint64(32)) * np.uint64(players)) >> np.uint64(32)
            return np.asarray((state["dealer"] + 1 + places.astype(np.int64)) % P)
        return np.full(len(state), self.seat, np.int64)

    def _place(self, rows: np.ndarray, state: np.ndarray, seats: np.ndarray) -> None:
        self.seats[rows] = seats
        self._seated[rows] = self._policies[seats]
        self._begin(rows, state)

    def _begin(self, rows: np.ndarray, state: np.ndarray) -> None:
        assign(self.state, rows, state)
        assign(self.start, rows, state)
        self._keys[rows] = self.engine.hand_keys(state, AGENT)
        self._settled[rows] = False

    def deal_as(self, options: Mapping[str, Any]) -> None:
        """Start the next game of the only row with reset options, up to the learner's first decision.

        Raises:
            ValueError: see `envs.opening.start_hand`; nothing was changed.
        """
        key = np.empty(1, np.uint64)
        fill_game_keys(key, self._bases, self.games + 1)
        start = start_hand(self.engine, int(key[0]), options, self.length)
        seats = self._draw_seats(start.state, self.games + 1)
        if self.engine.ruleset.players < self.engine.P and start.state["dealer"][0] == seats[0]:
            if options.get("dealer") is not None or options.get("deal") is not None:
                raise BadPosition(f"the learner's seat {seats[0]} deals, and sits out; another dealer is needed")
            moved = {**options, "dealer": int(seats[0] + 1) % self.engine.P}
            start = start_hand(self.engine, int(key[0]), moved, self.length)
        trial = copy(start.state)
        log = self.log if len(self.log) else self.engine.new_log(1)
        self.games += 1
        self._place(np.zeros(1, np.int64), start.state, seats)
        for action in start.actions:
            self.engine.step(trial, action, log)
        assign(self.state, [0], trial)
        self.advance(np.zeros(1, np.int64))

    # ------------------------------------------------------------------ play

    def legal_rows(self, actions: np.ndarray) -> np.ndarray:
        """Which rows' actions, int64 (B,), are legal; finished rows accept everything. bool (B,)."""
        return np.asarray(self.state["done"] | among(actions, self.state["legal_cards"], self.state["legal_calls"]))

    def forfeit(self, rows: np.ndarray) -> None:
        """End the games of the given rows as they stand, without scores."""
        broken = take(self.state, rows)
        broken["done"], broken["session_over"], broken["actor"] = True, True, NONE
        broken["legal_cards"], broken["legal_calls"], broken["scores"] = 0, 0, 0
        assign(self.state, rows, broken)
        self._settled[rows] = True

    def play(self, actions: np.ndarray) -> None:
        """Carry out the learners' legal actions, int64 (B,), in rows that are not done; opponents do not answer yet."""
        row = self.try_play(actions)
        if row >= 0:
            raise self.engine.illegal(self.state, row, int(actions[row]), self.log)

    def try_play(self, actions: np.ndarray) -> int:
        """The same; the first row whose action is illegal, and nothing was changed, or -1."""
        return loops.step_all(self.state, self.engine.rules, actions, self.log, NO_MASK, False)

    def advance(self, rows: np.ndarray | None = None) -> None:
        """Let the opponents play up to the learners' next decisions or the end, in all rows or the given ones.

        Hands that end are paid, and the next ones of their sessions dealt.
        """
        while True:
            self._respond(rows)
            ended = np.flatnonzero(self.state["done"] & ~self._settled)
            if len(ended) == 0:
                return
            self._settle(ended)
            ended = ended[~self.state["session_over"][ended]]
            if len(ended):
                state = take(self.state, ended)
                self.engine.next_hand(state)
                self._begin(ended, state)

    def _respond(self, rows: np.ndarray | None) -> None:
        self._drive()
        while not self._all_compiled:
            waiting = np.flatnonzero(~self.state["done"] & (self.state["actor"] != self.seats))
            if rows is not None:
                waiting = np.intersect1d(waiting, rows)
            if len(waiting) == 0:
                return
            self._answer(waiting)
            self._drive()

    def _drive(self) -> None:
        """Play on up to decisions of learners, or of opponents that are asked."""
        self._driver.advance(self.state, self.engine.rules, self._seated, self._keys, self.log)

    def _settle(self, rows: np.ndarray) -> None:
        """Pay the hands that have ended in the rows, and note how they ended."""
        state = take(self.state, rows)
        self.paid[rows] += hand_rewards(self.engine, state, self.reward)[np.arange(len(rows)), self.seats[rows]]
        self.ended[rows], self._settled[rows] = True, True
        self.scores[rows] = state["scores"][:, : self.engine.P]
        self.contract[rows] = state["contract"]
        for row in rows.tolist() if len(self.log) else ():
            here = slice(row, row + 1)
            name = "" if self.length == SINGLE else self._session(here)
            self.results.append(hand_info(self.engine, self.state[here], self.start[here], self.log[here], name))

    def _session(self, here: slice) -> str:
        """The name of the session that one row plays."""
        key = np.empty(1, np.uint64)
        fill_game_keys(key, self._bases[here], self.games[here])
        return session_name(int(key[0]))

    def _answer(self, rows: np.ndarray) -> None:
        """One decision of an opponent that is asked, in each of the rows."""
        state = take(self.state, rows)
        distance = (state["actor"] - self.seats[rows]) % self.engine.P
        actions = np.zeros(len(rows), np.int64)
        views, mask, keys = observe(self.engine, state), self.engine.legal(state), self.engine.keys(state, AGENT)
        for act, members in self._groups(distance):
            actions[members] = answers(act(views[members], mask[members], keys[members]), len(members))
        decisions = state["n_actions"].copy()
        self.engine.step(state, actions)
        if len(self.log):
            self.log[rows, decisions] = actions
        assign(self.state, rows, state)

    def _groups(self, distance: np.ndarray) -> list[tuple[Any, np.ndarray]]:
        """(function, members) for each opponent that is to act; one that sits in several seats is asked once."""
        groups: dict[int, tuple[Any, list[int]]] = {}
        for d in np.unique(distance).tolist():
            act = self.opponents[d - 1].act
            groups.setdefault(id(act), (act, []))[1].append(d)
        return [(act, np.flatnonzero(np.isin(distance, seats))) for act, seats in groups.values()]

    # ------------------------------------------------------------------ what the learners see

    def observations(self, out: np.ndarray) -> None:
        """What the learners know, float32 (B, F), also of games that are over."""
        rules, offsets = self.engine.rules, self._plan.offsets
        encode_states(self.state, rules, offsets, self._views, self._words, NO_WORDS)
        over = np.flatnonzero(self.state["done"])
        if len(over):
            views, words = np.zeros(len(over), VIEW), np.empty((len(over), self._plan.words), np.uint64)
            observe_all(take(self.state, over), rules, self.seats[over], views)
            encode_bits(views, rules, offsets, words)
            self._words[over] = words
        unpack(self._words, out)

    def masks(self, out: np.ndarray) -> None:
        """The learners' legal actions as ones, int8 (B, A); zeros where a game is over."""
        loops.fill_mask(self.state, self.engine.rules, out.view(bool))

    @contextmanager
    def untouched_by_errors(self) -> Iterator[None]:
        """If the block ends with an error (an opponent's, say), all games are as they were before it.

        Else the learner would be left with the decision of an opponent, whose cards it shows.
        """
        before = None if self._all_compiled else self.clone()
        try:
            yield
        except BaseException:
            if before is not None:
                self.__dict__.update(before.__dict__)
            raise

    def clone(self) -> SeatGames:
        """An independent copy; engine and opponents are shared."""
        twin: SeatGames = object.__new__(type(self))
        twin.__dict__.update({k: v.copy() if isinstance(v, np.ndarray) else v for k, v in self.__dict__.items()})
        twin.state, twin.start, twin.results = copy(self.state), copy(self.start), self.results[:]
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> SeatGames:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"state": as_bytes(self.state), "start": as_bytes(self.start), "_views": None}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self.state, self.start = (saved[name].view(STATE).reshape(-1) for name in ("state", "start"))
        self._views = np.zeros(1, VIEW)


def checked_actions(actions: Any, n: int) -> np.ndarray:
    """Actions as int64 (n,).

    Raises:
        BadAction: they are no whole numbers, or not n of them.
    """
    if isinstance(actions, (bool, np.bool_)):
        raise BadAction(f"action is {short(actions)}; allowed: a whole number")
    return check_actions(actions, n)


def check_seat(engine: Engine, seat: object) -> int | str:
    """A learner's seat.

    Raises:
        ValueError: it is no table seat, ``"random"`` or ``"rotating"``.
    """
    if isinstance(seat, str) and seat in ("random", "rotating"):
        return seat
    if not is_whole_in(seat, 0, engine.P - 1):
        raise ValueError(f"seat is {short(seat)}; allowed: 0 … {engine.P - 1}, 'random', 'rotating'")
    return int(seat)
