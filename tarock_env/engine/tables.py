"""A ruleset compiled for the kernels: one `RULES` record of numbers and lookup tables.

Contract columns have `CONTRACTS` rows, bonus columns `ITEMS` rows (row 0 is the game). `*_calls` columns are sets of
non-card actions as bits of ``action index - 54``. Kernels read nothing else of a ruleset.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from tarock_env.cards import C, set_of
from tarock_env.codes import NONE, Announcing, Door, Phase, Predicate
from tarock_env.engine.state import ITEMS
from tarock_env.rulesets.actions import SIDE_NAMES, ActionTable
from tarock_env.rulesets.schema import Bonus, Contract, Ruleset

CONTRACTS = 20
#: rows of `door_calls`; raises stand in `raise_calls`
DOORS = (Door.AUCTION, Door.AFTER_WAIT, Door.PASSED_OUT, Door.ALL_PASSED)
#: what an action index outside the cards means
PASS, END, WAIT, CUT, KNOCK, PACKET, BID, CALL, TALON, ANNOUNCE, CONTRA = range(11)

_CONTRACT_COLUMNS = (
    "value", "value_lost", "difference", "multiplier", "modes", "calls_king", "takes", "talon_shown", "rest",
    "gifts_shown",
    "objective", "target", "settled", "doubling", "early_stop", "leader", "forced", "pagat_lock", "pagat_exception",
    "colour", "lead_ban", "trump_duty", "emperor", "exposed", "exposed_from", "announcing", "bonus_factor",
    "bonus_factor_valat", "mond_live", "mond_in_talon", "mond_unseen", "starred",
)  # fmt: skip
_BONUS_COLUMNS = (
    "predicate", "trick_from_end", "owners", "unit", "announced_factor", "announceable", "needs_card",
    "silent_failure", "slam", "threshold", "early_factor",
)  # fmt: skip
_SINGLE_COLUMNS = {
    "deal": ("knock", "redeal_trumpless", "redeal_in_compulsory", "redeal_mode"),
    "auction": (
        "opener", "wait", "first_may_pass", "priority", "rounds", "eldest_chooses", "final_raise", "talks", "passed_contra",
    ),
    "announcements": (
        "sweeps", "identification", "max_contra", "step_factor", "early_step_factor", "late_on_early", "fourth", "binding",
        "one_sided", "contracted", "coupled", "declarations", "false_declarations",
    ),
    "discards": ("trumps_free", "trumps_shown"),
    "scoring": (
        "payment", "slam", "slam_takes_contra", "single", "sets_with_talon", "thirds", "mond_fine", "mond_paid",
        "mond_beside_slam", "basic", "round_to", "round_own", "rings", "ring_before", "ring_per_event", "ring_for_partner",
    ),
    "session": (
        "end", "zero", "zero_rule", "zero_step", "zero_mode", "ring_price", "ring_price_paid", "scuse_full_cycle",
        "goal", "goal_included", "goal_bonus",
    ),
}  # fmt: skip
#: column names that a record already uses for something else, or that two tables share
_RENAMED = {
    ("scoring", "slam"): "slam_mode",
    ("session", "end"): "session_end",
    ("announcements", "one_sided"): "one_sided",
    ("bonus", "value"): "bonus_value",
    ("bonus", "cards"): "bonus_cards",
}


def _fields() -> list[tuple[Any, ...]]:
    fields: list[tuple[Any, ...]] = [(name, "i4") for name in ("P", "n", "n_tricks", "n_contracts", "n_bonuses", "A")]
    fields += [("deal_seat", "i1", C), ("action_kind", "i1", 64), ("action_arg", "i1", 64), ("action_side", "i1", 64)]
    for table, columns in _SINGLE_COLUMNS.items():
        fields += [(_RENAMED.get((table, column), column), "i4") for column in columns]
    fields += [(column, "i4", CONTRACTS) for column in _CONTRACT_COLUMNS]
    fields += [(column, "i4", ITEMS) for column in _BONUS_COLUMNS]
    fields += [("bonus_value", "i4", ITEMS), ("bonus_cards", "u8", ITEMS), ("bonus_card", "i1", ITEMS)]
    fields += [(f"{name}_calls", "u8") for name in ("pass", "end", "wait", "cut", "knock", "suits", "fourth")]
    fields += [("packet_calls", "u8", 4), ("talon_calls", "u8", 6), ("bid_calls", "u8", CONTRACTS)]
    fields += [("door_calls", "u8", (len(DOORS), 8)), ("over_calls", "u8", CONTRACTS), ("raise_calls", "u8", CONTRACTS)]
    fields += [("below_only", "i1", CONTRACTS), ("announce_calls", "u8", ITEMS), ("contra_calls", "u8", (2, ITEMS))]
    fields += [("scores_bonus", "u8", CONTRACTS), ("demand_calls", "u8", CONTRACTS)]
    fields += [
        ("next_phase", "i1", (CONTRACTS, 11)),
        ("bid_weight", "f8", CONTRACTS),
        ("all_passed", "i1"),
        ("mond_item", "i1"),
    ]
    fields += [("excluded", "i1", ITEMS)]
    fields += [("reward_scale", "f8")]
    return fields


RULES = np.dtype((np.record, np.dtype(_fields(), align=True)))


def compile_ruleset(ruleset: Ruleset) -> np.ndarray:
    """The `RULES` record of a ruleset as an array of length 1 (kernels read ``rules[0]``)."""
    rules = np.zeros(1, RULES)
    r: Any = rules[0]
    actions = ruleset.actions
    r.P, r.n, r.n_tricks = ruleset.seats, ruleset.players, 48 // ruleset.players
    r.n_contracts, r.n_bonuses, r.A = len(ruleset.contracts), len(ruleset.bonuses), len(actions)
    r.reward_scale = ruleset.reward_scale
    r.deal_seat[:] = [seat for seat, count in ruleset.deal.packets for _ in range(count)]
    for table, columns in _SINGLE_COLUMNS.items():
        for column in columns:
            setattr(r, _RENAMED.get((table, column), column), int(getattr(getattr(ruleset, table), column)))
    for k, row in enumerate(ruleset.contracts):
        _fill_contract(r, k, row, ruleset)
    r.mond_item = NONE
    for b, bonus in enumerate(ruleset.bonuses, start=1):
        _fill_bonus(r, b, bonus)
        r.excluded[b] = next((i for i, o in enumerate(ruleset.bonuses, start=1) if o.id == bonus.excludes), NONE)
        if bonus.predicate == Predicate.LOST:
            r.mond_item = b
    _fill_actions(r, actions, ruleset)
    _fill_bids(r, ruleset)
    return rules


def _fill_contract(r: Any, k: int, row: Contract, ruleset: Ruleset) -> None:
    for column in _CONTRACT_COLUMNS:
        getattr(r, column)[k] = int(getattr(row, column))
    r.value_lost[k] = row.value_lost or row.value
    r.bid_weight[k] = row.bid_weight
    existing = {b.id: i for i, b in enumerate(ruleset.bonuses, start=1) if b.exists}
    r.scores_bonus[k] = sum(1 << existing[name] for name in row.bonuses if name in existing)
    path = [Phase.AUCTION]
    path += [Phase.CALL_KING] if row.calls_king else []
    path += [Phase.TALON, Phase.DISCARD] if row.takes else []
    path += [Phase.RAISE] if any(row.id in other.raise_from for other in ruleset.contracts) else []
    path += [Phase.ANNOUNCE] if row.announcing != Announcing.NOTHING else []
    path += [Phase.PLAY, Phase.DONE]
    r.next_phase[k, :] = Phase.DONE
    for here, there in zip(path, path[1:], strict=False):
        r.next_phase[k, here] = there
    if Phase.RAISE not in path:  # a contract reached by a raise goes on from there
        r.next_phase[k, Phase.RAISE] = Phase.ANNOUNCE if Phase.ANNOUNCE in path else Phase.PLAY


def _fill_bonus(r: Any, b: int, row: Bonus) -> None:
    for column in _BONUS_COLUMNS:
        getattr(r, column)[b] = int(getattr(row, column))
    r.bonus_value[b] = row.value
    r.bonus_cards[b] = set_of(row.cards)
    r.bonus_card[b] = NONE if len(row.cards) != 1 else set_of(row.cards).bit_length() - 1


def _fill_actions(r: Any, actions: ActionTable, ruleset: Ruleset) -> None:
    contracts = {row.id: k for k, row in enumerate(ruleset.contracts)}
    bonuses = {row.id: b for b, row in enumerate(ruleset.bonuses, start=1)} | {"game": 0}
    singles = {"pass": PASS, "end": END, "wait": WAIT, "cut": CUT, "knock": KNOCK}
    r.action_kind[:] = NONE
    for index, name in enumerate(actions.names[C:]):
        kind, _, rest = name.partition(":")
        bit = np.uint64(1 << index)
        if kind in singles:
            r.action_kind[index] = singles[kind]
            setattr(r, f"{kind}_calls", bit)
        elif kind in ("packet", "talon"):
            r.action_kind[index], r.action_arg[index] = (PACKET if kind == "packet" else TALON), int(rest)
            getattr(r, f"{kind}_calls")[int(rest)] = bit
        elif kind == "bid":
            r.action_kind[index], r.action_arg[index] = BID, contracts[rest]
            r.bid_calls[contracts[rest]] = bit
        elif kind == "call":
            suit = {"SK": 0, "CK": 1, "HK": 2, "DK": 3, "fourth": 4}[rest]
            r.action_kind[index], r.action_arg[index] = CALL, suit
            column = "fourth_calls" if suit == 4 else "suits_calls"
            setattr(r, column, getattr(r, column) | bit)
        elif kind == "announce":
            r.action_kind[index], r.action_arg[index] = ANNOUNCE, bonuses[rest]
            r.announce_calls[bonuses[rest]] = bit
        else:
            item, _, side = rest.partition("@")
            row = SIDE_NAMES.index(side) if side else 0
            r.action_kind[index], r.action_arg[index], r.action_side[index] = CONTRA, bonuses[item], row
            r.contra_calls[row, bonuses[item]] = bit


def _fill_bids(r: Any, ruleset: Ruleset) -> None:
    contracts = {row.id: k for k, row in enumerate(ruleset.contracts)}
    bonuses = {row.id: b for b, row in enumerate(ruleset.bonuses, start=1)}
    r.below_only[:] = NONE
    r.all_passed = NONE
    for k, row in enumerate(ruleset.contracts):
        bit = r.bid_calls[k]
        for d, door in enumerate(DOORS):
            for mode in (1, 2, 4):
                if row.doors & door and int(row.modes) & mode:
                    r.door_calls[d, mode] |= bit
        r.over_calls[k] = _union(r.bid_calls[contracts[o.id]] for o in ruleset.contracts if o.rank > row.rank)
        r.raise_calls[k] = _union(r.bid_calls[contracts[o.id]] for o in ruleset.contracts if row.id in o.raise_from)
        if row.only_over:
            r.below_only[k] = contracts[row.only_over]
        if row.doors & Door.ALL_PASSED:
            r.all_passed = k
        demanded = [name for name in row.demands if ruleset.bonuses[bonuses[name] - 1].exists]
        r.demand_calls[k] = _union(r.announce_calls[bonuses[name]] for name in demanded)


def _union(sets: Any) -> np.uint64:
    result = np.uint64(0)
    for one in sets:
        result |= one
    return result


def digest(ruleset: Ruleset) -> str:
    """A short hash of everything that the ruleset's tables say, options included."""
    record = compile_ruleset(ruleset)[0]
    content = {name: np.asarray(record[name]).tolist() for name in RULES.names or ()}
    text = json.dumps([ruleset.id, ruleset.version, content, list(ruleset.actions), ruleset.session.hands])
    return hashlib.sha256(text.encode()).hexdigest()[:16]
