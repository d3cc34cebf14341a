"""Observations written twice: the engine's bits beside those of `tests.reference.observing_bits`, at every decision.

``python -m tests.observer --hands 500 --seed 1`` plays hands of every ruleset with default options, hands with many options
set at once and whole sessions, and says how many bits were compared and which differ.

Exit code: 0 if all bits agree, 1 if some do not, 2 for a bad argument.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import tarock_env
from tarock_env import Engine
from tarock_env.cards import CODES
from tarock_env.encoding import encode, encode_packed, layout, unpacked
from tarock_env.engine.chance import CHANCE, make_keys
from tarock_env.view import observe
from tests.check import option_mixture
from tests.lockstep import Trace, describe_deal, make_referee, play
from tests.reference.observing import Followed
from tests.reference.observing_bits import Bits, Names, observation
from tests.reference.observing_illustrated import IllustratedHand
from tests.reference.observing_koenigrufen import KoenigrufenHand
from tests.reference.observing_slovenian import SlovenianHand
from tests.sessions import play_sessions
from tests.styles import draw_styles, set_hands

FAMILIES: dict[str, type[Followed]] = {
    "koenigrufen_pagat": KoenigrufenHand,
    "koenigrufen_furr": KoenigrufenHand,
    "tarok_furr_4p": SlovenianHand,
    "tarok_furr_3p": SlovenianHand,
    "slovenian_4p": SlovenianHand,
    "slovenian_3p": SlovenianHand,
    "illustrated_tarock": IllustratedHand,
}
BATCH = 50
SESSION_HANDS = 6
SHOWN = 30  #: differences that are printed


@dataclass
class Counts:
    """What was compared, and the differences as readable lines."""

    hands: int = 0
    decisions: int = 0
    bits: int = 0
    different: int = 0
    lines: list[str] = field(default_factory=list)

    def add(self, other: Counts) -> None:
        """Sum up."""
        self.hands += other.hands
        self.decisions += other.decisions
        self.bits += other.bits
        self.different += other.different
        self.lines += other.lines


# ------------------------------------------------------------------ both writings


def names_of(engine: Engine) -> Names:
    """The tables that the page refers to."""
    rows, ruleset = engine.ruleset, engine.ruleset.id
    return Names(
        contracts=[row.id for row in rows.contracts],
        bonuses=[row.id for row in rows.bonuses],
        slots=2 if ruleset.startswith("koenigrufen") else 6,
        scale=max(1, int(rows.reward_scale)),
        illustrated=ruleset == "illustrated_tarock",
    )


def follow(engine: Engine, g: Any) -> Followed:
    """The hand of a state at its first decision, to be followed from there."""
    deal = describe_deal(engine, g)
    cut = {"cut_hands": deal["hands"], "cut_talon": [CODES[int(card)] for card in g["talon"]]}
    return FAMILIES[engine.ruleset.id](make_referee(engine, deal), engine.ruleset.id, deal | cut)


def in_order(parts: Mapping[str, Bits], slices: Mapping[str, slice]) -> np.ndarray:
    """The slices as one vector in the engine's order; ValueError where names or lengths differ."""
    lengths = {name: part.stop - part.start for name, part in slices.items()}
    if {name: len(bits) for name, bits in parts.items()} != lengths:
        odd = {name for name in {*parts, *lengths} if len(parts.get(name, ())) != lengths.get(name, -1)}
        raise ValueError(f"slices of another name or length: {sorted(odd)}")
    return np.array([bit for name in slices for bit in parts[name]], np.float32)


def engine_bits(engine: Engine, state: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What every table seat sees, float32 (P, B, F), and what the acting seat and its critic see, from packed bits."""
    plan = layout(engine.ruleset)
    seen = np.array([encode(engine, observe(engine, state, seat)) for seat in range(engine.P)])
    words, full = encode_packed(engine, state, full=True)
    return seen, unpacked(words, plan.F), unpacked(full, max(part.stop for part in plan.full_slices.values()))


# ------------------------------------------------------------------ comparison


def compare(trace: Trace) -> Counts:
    """All hands of a trace, every seat at every decision and after the last."""
    engine, counts = trace.engine, Counts(hands=len(trace.start))
    names, state = names_of(engine), engine.copy(trace.start)
    hands = [follow(engine, g) for g in state]
    for t in range(int(trace.lengths.max()) + 1):
        seen, packed, full = engine_bits(engine, state)
        for i in np.flatnonzero(trace.lengths >= t):
            where = f"{engine.ruleset.id} {engine.options} key {int(trace.start[i]['key'])}, decision {t}"
            theirs = seen[:, i], packed[i], full[i]
            _compare_decision(hands[i], names, theirs, layout(engine.ruleset).full_slices, where, counts)
            if t < trace.lengths[i]:
                hands[i].apply(engine.actions.names[int(trace.actions[t, i])])
        if t < len(trace.actions):
            engine.step(state, trace.actions[t])
    return counts


def _compare_decision(
    hand: Followed, names: Names, theirs: tuple[np.ndarray, ...], slices: Mapping[str, slice], where: str, counts: Counts
) -> None:
    """Every seat that plays; for the seat to act also the packed bits, and those of its critic."""
    seen, packed, full = theirs
    public = dict(list(slices.items())[:-3])
    counts.decisions += not hand.referee.done
    for seat in hand.order:
        acts = seat == hand.referee.actor
        bits = observation(hand, seat, names, full=acts)
        whole = in_order(bits, slices if acts else public)
        ours = whole[: seen.shape[1]]
        pairs = [("", ours, seen[seat])] + [(" packed", ours, packed), (" critic", whole, full)] * acts
        for kind, mine, other in pairs:
            counts.bits += mine.size
            if not np.array_equal(mine, other):
                _note(mine, other, slices, f"{where}, {hand.phase}, seat {seat}{kind}", counts)


def _note(mine: np.ndarray, other: np.ndarray, slices: Mapping[str, slice], where: str, counts: Counts) -> None:
    """One line for each slice that differs: bits that only one of both has set."""
    counts.different += int((mine != other).sum())
    for name, part in slices.items():
        only_here = np.flatnonzero(mine[part] > other[part]).tolist()
        only_there = np.flatnonzero(mine[part] < other[part]).tolist()
        if only_here or only_there:
            counts.lines.append(f"{where}: {name}: only the second writing {only_here}, only the engine {only_there}")


# ------------------------------------------------------------------ what is played


def traces(ruleset: str, hands: int, seed: int, options: Mapping[str, Any]) -> Iterator[Trace]:
    """Balanced hands in batches: every other one as the engine deals it, the rest with skewed cards and a session behind."""
    engine = tarock_env.make(ruleset, **options)
    for number, first in enumerate(range(0, hands, BATCH)):
        rng = np.random.default_rng([seed, number])
        keys = make_keys(min(BATCH, hands - first), int(rng.integers(1 << 62)), CHANCE)
        skewed = (seed + number) % 2 == 0 and options.get("knock", "never") == "never"
        state = set_hands(engine, keys, rng) if skewed else engine.reset(keys=keys)
        yield play(engine, state, "balanced", draw_styles(len(state), rng), rng)


def compare_hands(ruleset: str, hands: int, seed: int, options: Mapping[str, Any] | None = None) -> Counts:
    """Hands with given options."""
    counts = Counts()
    for trace in traces(ruleset, hands, seed, options or {}):
        counts.add(compare(trace))
    return counts


def compare_mixtures(ruleset: str, mixtures: int, hands: int, seed: int) -> Counts:
    """Random mixtures of options, so many hands of each."""
    counts = Counts()
    for number in range(mixtures):
        options = option_mixture(ruleset, np.random.default_rng([seed, number]))
        counts.add(compare_hands(ruleset, hands, seed + number, options))
    return counts


def compare_sessions(ruleset: str, sessions: int, seed: int) -> Counts:
    """Whole sessions, hand after hand, with default options and with a mixture of them."""
    counts = Counts()
    for number, share in enumerate((sessions - sessions // 2, sessions // 2)):
        rng = np.random.default_rng([seed, number, 5])
        options = option_mixture(ruleset, rng) if number else {}
        options.pop("session_hands", None)  # the length is given
        if share:
            keys = make_keys(share, int(rng.integers(1 << 62)), CHANCE)
            for trace, _ in play_sessions(tarock_env.make(ruleset, **options), keys, rng, SESSION_HANDS):
                counts.add(compare(trace))
    return counts


# ------------------------------------------------------------------ the command


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--ruleset", action="append", choices=tarock_env.available(), help="default: all")
    parser.add_argument("--hands", type=int, default=100, help="hands a ruleset with default options (default %(default)s)")
    parser.add_argument("--mixtures", type=int, default=10, help="mixtures of options, 10 hands each (default %(default)s)")
    parser.add_argument("--sessions", type=int, default=5, help="sessions a ruleset (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="default %(default)s")
    chosen = parser.parse_args(arguments)
    if min(chosen.hands, chosen.mixtures, chosen.sessions) < 0 or chosen.seed < 0:
        parser.error("numbers of hands, mixtures and sessions and the seed are at least 0")
    total = Counts()
    for ruleset in chosen.ruleset or tarock_env.available():
        parts = {
            "defaults": compare_hands(ruleset, chosen.hands, chosen.seed),
            "mixtures": compare_mixtures(ruleset, chosen.mixtures, 10, chosen.seed),
            "sessions": compare_sessions(ruleset, chosen.sessions, chosen.seed),
        }
        for name, counts in parts.items():
            print(
                f"{ruleset:<18} {name}: {counts.hands} hands, {counts.decisions} decisions, {counts.bits} bits compared, "
                f"{counts.different} different"
            )
            for line in counts.lines[:SHOWN]:
                print(f"  {line}")
            total.add(counts)
    return 1 if total.different else 0


if __name__ == "__main__":
    sys.exit(main())
