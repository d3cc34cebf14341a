"""`Engine`: a ruleset with its options, played on arrays of hands. The only class of the engine; rules are elsewhere."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from tarock_env.cards import C, ids_in
from tarock_env.codes import NONE, SessionEnd
from tarock_env.engine import checking, loops, policies, position
from tarock_env.engine import state as states
from tarock_env.engine.chance import DEAL, POLICY, make_keys
from tarock_env.engine.checking import LOG_LENGTH
from tarock_env.engine.errors import IllegalAction
from tarock_env.engine.refusal import refusal
from tarock_env.engine.session import SINGLE
from tarock_env.engine.state import SEATS, STATE
from tarock_env.engine.tables import compile_ruleset, digest
from tarock_env.rulesets import SHIPPED, Ruleset, load
from tarock_env.rulesets.actions import ActionTable
from tarock_env.rulesets.numbers import is_whole_in
from tarock_env.rulesets.shown import short

NO_LOG, NO_MASK = np.zeros((0, 0), np.uint8), np.zeros((0, 0), bool)
NO_KEYS, NO_DEALERS = np.zeros(0, np.uint64), np.zeros(0, np.int64)
NO_LIMIT = 1 << 40


class Engine:
    """Plays hands of one ruleset on structured arrays, ``state`` of shape (B,), dtype `STATE`.

    Args:
        ruleset: from `tarock_env.rulesets.load`.
        threads: how many slices of a batch are worked on at once.

    Attributes:
        ruleset, options: what is played. actions: names <-> indices. P: seats at the table. A: number of actions.
        rules: the compiled `RULES` record, shape (1,).
    """

    def __init__(self, ruleset: Ruleset, threads: int = 1) -> None:
        if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
            raise ValueError(f"threads is {short(threads)}; allowed: a whole number of at least 1")
        self.ruleset = ruleset
        self.threads = threads
        self.rules = compile_ruleset(ruleset)
        self.actions: ActionTable = ruleset.actions
        self.P, self.A = ruleset.seats, len(self.actions)
        self._pool, self._process = self._threads()

    def _threads(self) -> tuple[ThreadPoolExecutor | None, int]:
        """Threads of this process; a forked one inherits the pool without its threads, and needs another."""
        return ThreadPoolExecutor(self.threads) if self.threads > 1 else None, os.getpid()

    @property
    def options(self) -> dict[str, Any]:
        """The option values that differ from the ruleset's defaults."""
        return copy.deepcopy(dict(self.ruleset.chosen))

    def __repr__(self) -> str:
        return f"Engine({self.ruleset.id!r}, options={self.options}, threads={self.threads})"

    def __getstate__(self) -> dict[str, Any]:
        shipped = self.ruleset.id in SHIPPED
        ruleset = {"id": self.ruleset.id, "options": self.options} if shipped else {"ruleset": self.ruleset}
        return {**ruleset, "threads": self.threads}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        ruleset = saved["ruleset"] if "ruleset" in saved else load(saved["id"], **saved["options"])
        self.__init__(ruleset, saved["threads"])  # type: ignore[misc]

    def digest(self) -> str:
        """A short hash of the ruleset's tables; it changes whenever a rule's data change."""
        return digest(self.ruleset)

    # ------------------------------------------------------------------ start

    def reset(
        self,
        n: int | None = None,
        seed: int | None = None,
        *,
        keys: np.ndarray | None = None,
        dealer: int | np.ndarray | None = None,
        hands: int | None = None,
        session: bool = False,
        before: Mapping[str, Any] | None = None,
    ) -> np.ndarray:
        """`n` freshly dealt hands, each at its first decision.

        Args:
            n: number of hands B; may be left out where `keys` are given.
            seed: whole number in 0 … 2**64 - 1; hand i depends on (seed, i) only. Default 0.
            keys: uint64 (B,), instead of a seed.
            dealer: table seat that deals, one for all or (B,); default: drawn from each hand's key.
            hands: hands of the session that each row starts; default: a single hand, without settlement.
            session: start a session as long as the ruleset itself says (`session_hands`, or a match).
            before: session state that each row starts from, as in `from_deal`.

        Returns:
            (B,) `STATE`.

        Raises:
            ValueError: bad seed, keys or dealer.
            BadPosition: a bad session state.
        """
        if keys is None:
            keys = make_keys(1 if n is None else n, 0 if seed is None else seed, DEAL)
        elif seed is not None:
            raise ValueError("give a seed or keys, not both")
        keys = checking.check_keys(keys, n)
        dealers = self._dealers(dealer, len(keys))
        blank = np.zeros(1, STATE)
        position.set_before(blank[0], self.P, before)
        state = blank.repeat(len(keys))
        state["hands_left"] = self._session_length(hands, session)
        state["scuse_holder"] = NONE
        self._split(loops.open_all, state, self.rules, keys, dealers, loops.DEALT)
        return state

    def _session_length(self, hands: int | None, session: bool) -> int:
        agreed = self.ruleset.session.hands
        if hands is not None:
            if not is_whole_in(hands, 1, (1 << 30) - 1):
                raise ValueError(f"hands is {short(hands)}; allowed: a whole number of at least 1")
            if agreed and hands != agreed and session:
                raise ValueError(f"hands is {hands}, but the option session_hands is {agreed}")
            return int(hands)
        if not session:
            return SINGLE
        if agreed:
            return agreed
        if self.ruleset.session.end == SessionEnd.MATCH:
            return (1 << 30) - 1
        raise ValueError(f"a session of {self.ruleset.id!r} has no length of its own; give hands=N")

    def next_hand(self, state: np.ndarray) -> int:
        """Deal the next hand of its session, in place, in each row whose hand is done and whose session is not over.

        Returns:
            The number of rows that got a new hand.
        """
        checking.check_state(state)
        return int(sum(self._split(loops.open_all, state, self.rules, NO_KEYS, NO_DEALERS, loops.NEXT)))

    def _dealers(self, dealer: int | np.ndarray | None, n: int) -> np.ndarray:
        if dealer is None:
            return np.full(n, NONE, np.int64)
        return checking.seats_of(dealer, "dealer is", n, self.P)

    def from_deal(
        self,
        hands: Sequence[Sequence[str | int]],
        talon: Sequence[str | int],
        dealer: int,
        before: Mapping[str, Any] | None = None,
        *,
        packets: Sequence[Sequence[str | int]] | None = None,
        key: int = 0,
    ) -> np.ndarray:
        """One hand with given cards, at its first decision.

        Args:
            hands: P lists of cards (codes or ids) by table seat; empty for a dealer who sits out.
            talon: six cards in table order.
            dealer: table seat.
            before: session state it starts from: ``scores``, ``rings`` (P whole numbers), ``compulsory``.
            packets: the four packets of a knocked deal in table order. Without them the deal was cut; where the option
                `knock` leaves the choice to a player and he knocks, the packets are those of the key's own pack.
            key: the hand's random key.

        Returns:
            (1,) `STATE`.

        Raises:
            BadPosition: the cards are not the 54 of the pack dealt as the ruleset deals them, or a bad seat.
        """
        state = np.zeros(1, STATE)
        loops.clear_all(state, self.rules)
        row: Any = state[0]
        row.hands_left, row.scuse_holder = SINGLE, NONE
        position.set_deal(row, self.ruleset, hands, talon, dealer)
        position.set_packets(row, self.ruleset, packets)
        position.set_before(row, self.P, before)
        row.key = checking.whole("key", key, 0, (1 << 64) - 1)
        self._split(loops.open_all, state, self.rules, NO_KEYS, NO_DEALERS, loops.GIVEN)
        return state

    # ------------------------------------------------------------------ decisions

    def legal(self, state: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Which actions are legal: (B, A) bool, all False in finished rows. `out`: a bool array to fill instead."""
        checking.check_state(state)
        if out is None:
            out = np.empty((len(state), self.A), bool)
        else:
            checking.check_mask(out, (len(state), self.A), "out")
        self._split(loops.fill_mask, state, self.rules, out)
        return out

    def keys(self, state: np.ndarray, salt: int = POLICY) -> np.ndarray:
        """A key for each row's present decision, uint64 (B,): a hash of the hand's key, salt and decision count."""
        checking.check_state(state)
        keys = np.empty(len(state), np.uint64)
        self._split(loops.fill_decision_keys, state, checking.whole("salt", salt, 0, (1 << 62) - 1), keys)
        return keys

    def sample(self, mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """A uniformly drawn legal action for each row.

        Args:
            mask: (B, A) bool. keys: uint64 (B,).

        Returns:
            (B,) int64; 0 where a row of the mask is empty (`step` ignores finished rows).
        """
        mask = checking.readable_mask(mask)
        actions = np.empty(len(mask), np.int64)
        self._split(loops.sample_mask, mask, checking.check_keys(keys, len(mask)), actions)
        return actions

    def step(self, state: np.ndarray, actions: Any, log: np.ndarray | None = None, mask: np.ndarray | None = None) -> None:
        """Carry out one action in each row, in place; a no-op in finished rows.

        Args:
            state: (B,) `STATE`.
            actions: whole numbers (B,); a single one for B = 1.
            log: an array from `new_log` that records the actions.
            mask: bool (B, A), to be filled with what is legal after the step, as by `legal`; one call instead of two.

        Raises:
            IllegalAction: with row, seat, phase and all legal names; no row was touched.
            BadAction: wrong type or shape; no row was touched.
        """
        checking.check_state(state)
        chosen = checking.check_actions(actions, len(state))
        log = NO_LOG if log is None else checking.check_log(log, len(state))
        mask = NO_MASK if mask is None else checking.check_mask(mask, (len(state), self.A), "mask")
        if self._pool is not None:
            rows = self._split(loops.first_illegal, state, self.rules, chosen, np.arange(len(state)))
            row = next((row for row in rows if row >= 0), NONE)
            if row < 0:
                self._split(loops.step_all, state, self.rules, chosen, log, mask, True)
        else:
            row = loops.step_all(state, self.rules, chosen, log, mask, False)
        if row >= 0:
            raise self.illegal(state, row, int(chosen[row]), log)

    def illegal(self, state: np.ndarray, row: int, action: int, log: np.ndarray = NO_LOG) -> IllegalAction:
        """The error for an illegal action: everything public, and how to reproduce the hand."""
        return refusal(self.ruleset, state, row, action, self.legal_names(state, row), log)

    def legal_names(self, state: np.ndarray, row: int = 0) -> list[str]:
        """Names of the legal actions of one row, in the order of their indices."""
        row = checking.whole("row", row, 0, len(state) - 1)
        cards, calls = int(state[row]["legal_cards"]), int(state[row]["legal_calls"])
        return [self.actions.names[i] for i in ids_in(cards)] + [
            self.actions.names[C + i] for i in range(64) if calls >> i & 1
        ]

    def new_log(self, n: int) -> np.ndarray:
        """An empty action log for n hands: uint8 (n, T); state["n_actions"] tells how much of a row is filled."""
        return np.zeros((checking.whole("n", n, 0, 1 << 40), LOG_LENGTH), np.uint8)

    def playout(
        self,
        state: np.ndarray,
        policy: str = "random",
        keys: np.ndarray | None = None,
        log: np.ndarray | None = None,
        limit: int = NO_LIMIT,
    ) -> int:
        """Play every row to its end with a compiled policy, in place.

        Args:
            policy: ``uniform``, ``random`` or ``balanced`` (see `engine.policies`).
            keys: uint64 (B,), the policy's key of each hand; default: from the hand's own key.
            limit: stop after so many decisions of a row.

        Returns:
            How many decisions were made.

        Raises:
            ValueError: an unknown policy, keys or a log that do not fit, or a row in which no action is legal.
        """
        checking.check_state(state)
        checking.check_playable(state)
        if not isinstance(policy, str) or policy not in policies.NAMES:
            raise ValueError(f"no compiled policy {short(policy)}; allowed: {', '.join(policies.NAMES)}")
        limit = checking.whole("limit", limit, 0, NO_LIMIT)
        keys = self.hand_keys(state) if keys is None else checking.check_keys(keys, len(state))
        log = NO_LOG if log is None else checking.check_log(log, len(state))
        made = self._split(loops.playout_all, state, self.rules, policies.NAMES[policy], keys, log, limit)
        return int(sum(made))

    def hand_keys(self, state: np.ndarray, salt: int = POLICY) -> np.ndarray:
        """A key for each hand that stays the same through it, uint64 (B,)."""
        checking.check_state(state)
        keys = np.empty(len(state), np.uint64)
        self._split(loops.fill_hand_keys, state, checking.whole("salt", salt, 0, (1 << 62) - 1), keys)
        return keys

    def fine(self, state: np.ndarray, row: int, seat: int, misdeal: int | None = None) -> int:
        """Book a fine for an arbiter of outside players, against one seat's running total; nobody receives it.

        Args:
            seat: the offender.
            misdeal: which misdeal of this dealer it is, from 1: 20, doubled for each further one. None: a revoke or an
                improper discard, which costs the full value of the game: the contract's value times its kontra.

        Raises:
            ValueError: a row, seat or number that there is not.

        Returns:
            The fine. Source: document 004, penalties (D8).
        """
        checking.check_state(state)
        row = checking.whole("row", row, 0, len(state) - 1)
        seat = checking.whole("seat", seat, 0, self.P - 1)
        if misdeal is None and state[row]["contract"] == NONE:
            raise ValueError(f"row {row} has no contract yet, so a revoke has no value; allowed: a misdeal's number")
        number = 0 if misdeal is None else checking.whole("misdeal", misdeal, 1, 20)
        return int(loops.book_fine(state, self.rules, row, seat, number))

    # ------------------------------------------------------------------ copies

    @staticmethod
    def copy(state: np.ndarray) -> np.ndarray:
        """An independent copy of a state array."""
        return states.copy(checking.readable(state, STATE, "state"))

    @staticmethod
    def take(state: np.ndarray, rows: Any) -> np.ndarray:
        """Copies of some rows: numbers (k,), truth values (B,), or a slice; IndexError for what there is not."""
        state = checking.readable(state, STATE, "state")
        return states.take(state, rows if isinstance(rows, slice) else checking.rows_of(rows, len(state)))

    # ------------------------------------------------------------------ inside

    def _split(self, entry: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Run an entry over the batch, in as many slices as there are threads: of each array as long as the first one."""
        n = len(arguments[0])
        if self._pool is None or n < 2 * self.threads:
            return [entry(*arguments)]
        if self._process != os.getpid():
            self._pool, self._process = self._threads()
        edges = [n * i // self.threads for i in range(self.threads + 1)]

        def part(a: int, b: int) -> Any:
            return entry(*(x[a:b] if isinstance(x, np.ndarray) and x.shape[:1] == (n,) else x for x in arguments))

        pool: Any = self._pool
        return list(pool.map(part, edges[:-1], edges[1:]))


__all__ = ["SEATS", "Engine"]
