"""The loops over games: the entries that Python calls. Each compiles the rules it calls once more, so they are few."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.codes import NONE
from tarock_env.engine import deal, hand, policies, session
from tarock_env.engine.chance import below, decision_key, mixed, one_way
from tarock_env.engine.masks import draw_from_mask, write_mask
from tarock_env.engine.tables import RULES  # noqa: F401  (its layout is part of every compiled entry)
from tarock_env.jit import kernel

DEALT, NEXT, GIVEN = 0, 1, 2  #: ways in which `open_all` gets its cards
_DEALER_SALT, _NEXT_SALT = 7, 11


@kernel
def open_all(state: np.ndarray, rules: np.ndarray, keys: np.ndarray, dealers: np.ndarray, how: Any) -> Any:
    """A first decision in each row; how many rows got one.

    how: DEALT = deal by keys uint64 (B,) and dealers int64 (B,), -1 = drawn from the key; NEXT = the next hand of a session
    that is not over; GIVEN = the cards are set already. The last two ignore keys and dealers.
    """
    r = rules[0]
    opened = 0
    for i in range(len(state)):
        g = state[i]
        if how == NEXT and (not g.done or g.session_over):
            continue
        opened += 1
        if how == NEXT:
            session.open_hand(g, r)
        if how != GIVEN:
            deal.clear(g)
            g.key = keys[i] if how == DEALT else mixed(g.key, np.int64(_NEXT_SALT))
            if how == DEALT:
                g.dealer = dealers[i] if dealers[i] >= 0 else below(mixed(keys[i], np.int64(_DEALER_SALT)), np.int64(r.P))
            deal.deal(g, r)
        else:
            deal.complete(g, r)
        hand.begin(g, r)
    return opened


@kernel
def book_fine(state: np.ndarray, rules: np.ndarray, row: Any, seat: Any, misdeal: Any) -> Any:
    """Charge one seat of one row: its dealer's misdeal number `misdeal`, or with 0 the value of the game. The fine."""
    g, r = state[row], rules[0]
    value = session.misdeal_fine(misdeal) if misdeal > 0 else session.revoke_fine(g, r)
    session.book_fine(g, r, seat, value)
    return value


@kernel
def clear_all(state: np.ndarray, rules: np.ndarray) -> None:
    """Empty tables."""
    for i in range(len(state)):
        deal.clear(state[i])


@kernel
def first_illegal(state: np.ndarray, rules: np.ndarray, actions: np.ndarray, numbers: np.ndarray) -> Any:
    """The number of the first row whose action is not legal (finished hands accept anything); -1 if all are."""
    r = rules[0]
    for i in range(len(state)):
        if not state[i].done and not hand.is_legal(state[i], r, actions[i]):
            return numbers[i]
    return NONE


@kernel
def step_all(
    state: np.ndarray, rules: np.ndarray, actions: np.ndarray, log: np.ndarray, mask: np.ndarray, checked: bool
) -> Any:
    """Carry out one action in each unfinished row; the first illegal row, or -1. Nothing changes if one is illegal.

    log: uint8 (B, T) with one column a decision, or (0, 0) for none. mask: bool (B, A) for what is legal then, or (0, 0).
    checked: whether `first_illegal` has found all actions legal, so that they need not be looked at again.
    """
    r = rules[0]
    for i in range(0 if checked else len(state)):
        if not state[i].done and not hand.is_legal(state[i], r, actions[i]):
            return i
    logging, masking = log.shape[0] > 0, mask.shape[0] > 0
    flat = mask.reshape(-1)
    for i in range(len(state)):
        g = state[i]
        if not g.done:
            if logging:
                log[i, g.n_actions] = actions[i]
            hand.apply(g, r, actions[i])
        if masking:
            write_mask(flat, i, mask.shape[1], g.legal_cards, g.legal_calls)
    return NONE


@kernel
def fill_mask(state: np.ndarray, rules: np.ndarray, mask: np.ndarray) -> None:
    """mask[i, a] = whether action a is legal in row i; bool (B, A). All False for a finished hand."""
    flat = mask.reshape(-1)
    for i in range(len(state)):
        write_mask(flat, i, mask.shape[1], state[i].legal_cards, state[i].legal_calls)


@kernel
def sample_mask(mask: np.ndarray, keys: np.ndarray, actions: np.ndarray) -> None:
    """actions[i] = a uniformly drawn set column of row i (0 in an empty row); mask bool (B, A)."""
    flat = mask.reshape(-1)
    for i in range(len(mask)):
        actions[i] = max(draw_from_mask(flat, i, mask.shape[1], keys[i]), 0)


@kernel
def fill_decision_keys(state: np.ndarray, salt: Any, keys: np.ndarray) -> None:
    """keys[i] = the key of row i's present decision for a consumer's salt; uint64 (B,)."""
    for i in range(len(state)):
        keys[i] = decision_key(one_way(state[i].key, salt), state[i].n_actions, state[i].actor)


@kernel
def fill_hand_keys(state: np.ndarray, salt: Any, keys: np.ndarray) -> None:
    """keys[i] = a key of row i's hand for a consumer's salt, the same at all its decisions; uint64 (B,)."""
    for i in range(len(state)):
        keys[i] = one_way(state[i].key, salt)


@kernel
def playout_all(state: np.ndarray, rules: np.ndarray, policy: Any, keys: np.ndarray, log: np.ndarray, limit: Any) -> Any:
    """Play each row on with a compiled policy to its end, or for `limit` decisions; the decisions made."""
    r = rules[0]
    logging = log.shape[0] > 0
    made = 0
    for i in range(len(state)):
        g = state[i]
        left = limit
        while not g.done and left > 0:
            action = policies.choose(g, r, policy, keys[i])
            if logging:
                log[i, g.n_actions] = action
            hand.apply(g, r, action)
            made += 1
            left -= 1
    return made
