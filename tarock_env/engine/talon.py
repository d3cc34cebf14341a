"""Taking talon cards, discarding, and the raise after it. Source: C6, K3.4, K2.4, B4, D4, F4."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import HONOURS, KINGS, T1, TRUMPS, ZERO, bit, has
from tarock_env.engine.counting import talon_cards
from tarock_env.engine.one_sided import face_up, tainted
from tarock_env.jit import kernel


@kernel
def group(g: Any, takes: Any, index: Any) -> Any:
    """The cards of one group: consecutive runs of `takes` cards in table order."""
    cards = ZERO
    for i in range(takes * index, takes * index + takes):
        cards |= bit(g.talon[i])
    return cards


@kernel
def turn_up(g: Any, r: Any) -> None:
    """Show the talon where the contract says so; a called king seen there makes every side public."""
    if r.talon_shown[g.contract] != 0:
        g.talon_open = 1
        if g.called >= 0 and has(talon_cards(g), 8 * g.called + 7):
            g.side_known[:] = 1


@kernel
def legal_talon(g: Any, r: Any) -> None:
    """The groups; one that breaks an announcement only where all do."""
    takes = np.int64(r.takes[g.contract])
    clean, every = ZERO, ZERO
    for i in range(6 // takes):
        every |= r.talon_calls[i]
        if not tainted(g, r, group(g, takes, i)):
            clean |= r.talon_calls[i]
    g.legal_calls = clean if clean != ZERO else every


@kernel
def take(g: Any, r: Any, index: Any) -> None:
    """The declarer takes a group into his hand."""
    takes = np.int64(r.takes[g.contract])
    g.talon_group = index
    g.taken = group(g, takes, index)
    g.hands[g.declarer] |= g.taken
    if tainted(g, r, g.taken):
        g.forced_loss = 1
    g.to_discard = takes


@kernel
def legal_discard(g: Any, r: Any) -> None:
    """Suit cards below the king first, trumps below the Mond and above the Pagat when no such card is left."""
    hand = g.hands[g.declarer]
    suit_cards = hand & ~(KINGS | TRUMPS)
    trumps = hand & TRUMPS & ~HONOURS
    if r.trumps_free != 0:
        g.legal_cards = suit_cards | trumps
    else:
        g.legal_cards = suit_cards if suit_cards != ZERO else trumps


@kernel
def discard(g: Any, r: Any, card: Any) -> bool:
    """Lay one card away. Whether that was the last one.

    Discarded trumps are shown where the rule says so; a card that lay face up is seen to go.
    """
    seen = (card >= T1 and r.trumps_shown != 0) or has(face_up(g, r, g.declarer), card)
    g.hands[g.declarer] &= ~bit(card)
    g.discards |= bit(card)
    if seen:
        g.shown |= bit(card)
    g.to_discard -= 1
    return g.to_discard == 0


@kernel
def may_raise(g: Any, r: Any) -> bool:
    """Whether the declarer may raise: alone by contract, or because the called king lay in the talon."""
    return r.calls_king[g.contract] == 0 or (g.called >= 0 and has(talon_cards(g), 8 * g.called + 7))


@kernel
def legal_raise(g: Any, r: Any) -> None:
    """Keep the contract, or raise it."""
    g.legal_calls = r.pass_calls | r.raise_calls[g.contract]
