"""The error for an illegal action: where, what, what is legal, and how to reproduce the hand; never hidden cards."""

from __future__ import annotations

import numpy as np

from tarock_env.cards import codes_in
from tarock_env.codes import Phase
from tarock_env.engine.errors import IllegalAction
from tarock_env.rulesets import Ruleset


def refusal(ruleset: Ruleset, state: np.ndarray, row: int, action: int, legal: list[str], log: np.ndarray) -> IllegalAction:
    """Describe the illegal `action` of one row; `log` uint8 (B, T), or empty where none is kept."""
    g = state[row]
    actions = ruleset.actions
    phase, seat = Phase(int(g["phase"])).name.lower(), int(g["actor"])
    name = actions.name(action) if 0 <= action < len(actions) else f"index {action} (not in 0 … {len(actions) - 1})"
    message = (
        f"illegal action {name} in row {row}: {ruleset.id} {dict(ruleset.chosen)}, phase {phase}, seat {seat}, "
        f"decision {int(g['n_actions'])}; legal: {', '.join(legal)}{_history(ruleset, state, row, log)}; key {int(g['key'])}"
    )
    return IllegalAction(message, row=row, phase=phase, seat=seat, action=name, legal=legal)


def _history(ruleset: Ruleset, state: np.ndarray, row: int, log: np.ndarray) -> str:
    """What was done so far, the declarer's hidden discards left out."""
    if log.shape[0] <= row:
        return ""
    g = state[row]
    hidden = set(codes_in(int(g["discards"]) & ~int(g["shown"])))
    names = [ruleset.actions.name(int(a)) for a in log[row, : int(g["n_actions"])]]
    return f"; so far: {' '.join('(discard)' if name in hidden else name for name in names) or 'nothing'}"
