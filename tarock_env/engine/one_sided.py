"""Items that only the bidder has: what he may announce, and who may double it, in the auction and after the draw.

Source: F2, F5; part K 3, 12.
"""

from __future__ import annotations

from typing import Any

from tarock_env.cards import ZERO, bit, has, popcount
from tarock_env.codes import DECLARERS, GAME, NONE, Binding, Owners, Predicate
from tarock_env.jit import kernel

EARLY, LATE = 2, 1  #: values of `announced`: in the bid, after the draw


@kernel
def can_own(r: Any, b: Any, side: Any) -> bool:
    """Whether the bonus can belong to the side."""
    return r.owners[b] == Owners.BOTH or (r.owners[b] == Owners.DECLARERS) == (side == DECLARERS)


@kernel
def is_declaration(r: Any, b: Any) -> bool:
    """Whether this is a statement about a player's own hand, scored by himself."""
    return r.predicate[b] == Predicate.DECLARES_ALL or r.predicate[b] == Predicate.DECLARES_TWO


@kernel
def announcements(g: Any, r: Any, seat: Any, when: Any) -> Any:
    """The bidder's announcements that are open to him now, as calls; his cards must bear them out."""
    calls = ZERO
    held = g.hands[seat] | g.discards
    for b in range(1, r.n_bonuses + 1):
        if is_declaration(r, b) or r.announceable[b] == 0 or g.announced[DECLARERS, b] != 0:
            continue
        if r.needs_card[b] != 0 and not has(g.hands[seat], r.bonus_card[b]):
            continue
        if r.predicate[b] == Predicate.WITHOUT and held & r.bonus_cards[b] != ZERO:
            continue
        if _excluded(g, r, b, when):
            continue
        calls |= r.announce_calls[b]
    return calls


@kernel
def _excluded(g: Any, r: Any, b: Any, when: Any) -> bool:
    """Of two graded announcements one stands, unless the lower came with the bid and the higher after the draw."""
    other = r.excluded[b]
    if other == NONE or g.announced[DECLARERS, other] == 0:
        return False
    return not (g.announced[DECLARERS, other] == EARLY and when == LATE and r.threshold[b] > r.threshold[other])


@kernel
def level(g: Any, item: Any, when: Any) -> Any:
    """Contra level of an item in the chain before the draw or after it."""
    return g.contra[DECLARERS, item] if when == EARLY else g.late_contra[DECLARERS, item]


@kernel
def contras(g: Any, r: Any, seat: Any, bidder: Any, when: Any) -> Any:
    """Items the seat may double: contra and sub-contra against the bidder, re-contra by him."""
    calls = ZERO
    for item in range(r.n_bonuses + 1):
        if item != GAME and g.announced[DECLARERS, item] == 0:
            continue
        if when == LATE and r.late_on_early == 0 and g.contra[DECLARERS, item] > 0:
            continue
        steps = level(g, item, when)
        if steps < r.max_contra and (seat == bidder) == (steps % 2 == 1):
            calls |= r.contra_calls[DECLARERS, item]
    return calls


@kernel
def double(g: Any, item: Any, when: Any) -> None:
    """One step more on an item's chain."""
    if when == EARLY:
        g.contra[DECLARERS, item] += 1
    else:
        g.late_contra[DECLARERS, item] += 1


@kernel
def announce(g: Any, b: Any, seat: Any, when: Any) -> None:
    """Note an announcement."""
    g.announced[DECLARERS, b] = when
    g.announcer[DECLARERS, b] = seat


@kernel
def void_items(g: Any) -> None:
    """A bid that is outbid or held takes its announcements and contras with it."""
    g.announced[:] = 0
    g.announcer[:] = NONE
    g.contra[:] = 0


@kernel
def declarations(g: Any, r: Any, seat: Any) -> Any:
    """Hand declarations the seat may still make: true ones, or any where a false one is only fined."""
    calls = ZERO
    for b in range(1, r.n_bonuses + 1):
        if not is_declaration(r, b) or g.declared[seat] & (1 << b) != 0:
            continue
        held = popcount(g.hands[seat] & r.bonus_cards[b])
        size = popcount(r.bonus_cards[b])
        two = r.predicate[b] == Predicate.DECLARES_TWO
        true = held == 2 if two else held == size
        if true or (r.false_declarations != 0 and not (two and held == size)):
            calls |= r.announce_calls[b]
    return calls


@kernel
def face_up(g: Any, r: Any, seat: Any) -> Any:
    """The seat's announced cards that lie face up before it: those it had to hold and must keep. Source: F6, P1-34."""
    cards = ZERO
    if r.binding != Binding.HELD:
        return cards
    for side in range(2):
        for b in range(1, r.n_bonuses + 1):
            if g.announced[side, b] != 0 and g.announcer[side, b] == seat and r.needs_card[b] != 0:
                if r.predicate[b] == Predicate.CARD_WINS:
                    cards |= g.hands[seat] & bit(r.bonus_card[b])
    return cards


@kernel
def tainted(g: Any, r: Any, cards: Any) -> bool:
    """Whether talon cards break what was announced about cards one does not have."""
    for b in range(1, r.n_bonuses + 1):
        if r.predicate[b] == Predicate.WITHOUT and g.announced[DECLARERS, b] == EARLY and cards & r.bonus_cards[b] != ZERO:
            return True
    return False
