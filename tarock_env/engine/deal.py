"""The deal: shuffle, packets, cutting and knocking. Source: K3.1, K2.1, A3; Appendix 5.13."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import TRUMPS, ZERO, C, bit
from tarock_env.codes import NONE, Compulsory, Knock, Mode, Phase
from tarock_env.engine.chance import CHANCE, below, fraction, mixed
from tarock_env.engine.seats import following, forehand, seat_at
from tarock_env.jit import kernel


@kernel
def shuffle(pack: Any, key: Any) -> None:
    """A uniform order of the 54 cards in place (Fisher-Yates). int64 (54,)."""
    for i in range(C):
        pack[i] = i
    for i in range(C - 1, 0, -1):
        j = below(mixed(key, i), i + 1)
        pack[i], pack[j] = pack[j], pack[i]


@kernel
def clear(g: Any) -> None:
    """An empty table: everything of the hand is reset, the session and the key stay."""
    g.hands[:] = 0
    g.played[:] = 0
    g.won[:] = 0
    g.packets[:] = 0
    g.knock_talon[:] = NONE
    g.discards = 0
    g.taken = 0
    g.shown = 0
    g.trick = 0
    g.legal_cards = 0
    g.legal_calls = 0
    g.talon[:] = NONE
    g.plays[:] = NONE
    g.leaders[:] = NONE
    g.n_plays = 0
    g.n_actions = 0
    g.phase = Phase.DONE
    g.actor = NONE
    g.done = False
    g.mode = Mode.NORMAL.value
    g.knocked = 0
    g.picked[:] = NONE
    g.high = NONE
    g.holder = NONE
    g.waited = 0
    g.n_calls = 0
    g.n_bids = 0
    g.active[:] = 0
    g.last_call[:] = NONE
    g.turn_kind = 0
    g.contract = NONE
    g.declarer = NONE
    g.partner = NONE
    g.called = NONE
    g.by_fourth = 0
    g.talon_open = 0
    g.talon_group = NONE
    g.to_discard = 0
    g.rest_won = 0
    g.forced_loss = 0
    g.announced[:] = 0
    g.announcer[:] = NONE
    g.contra[:] = 0
    g.late_contra[:] = 0
    g.declared[:] = 0
    g.contracted = NONE
    g.quiet = 0
    g.spoke = 0
    g.opening = 0
    g.side_known[:] = 0
    g.best = NONE
    g.trick_n = 0
    g.trick_no = 0
    g.tricks[:] = 0
    g.voids[:] = 0
    g.scores[:] = 0
    g.item_value[:] = 0
    g.item_kind[:] = 0
    g.item_side[:] = 0
    g.item_announced[:] = 0
    g.item_contra[:] = 0
    g.n_items = 0
    g.made = 0
    g.slam_scored = 0


@kernel
def deal(g: Any, r: Any) -> None:
    """Shuffle by the hand's key and deal; where a trumpless hand is shown the same dealer deals again."""
    pack = np.empty(C, np.int64)
    key = mixed(g.key, 0)
    while True:
        shuffle(pack, key)
        _hand_out(g, r, pack)
        if r.redeal_trumpless == 0 or (r.redeal_in_compulsory == 0 and g.compulsory != Compulsory.NO):
            break
        if not _some_trumpless(g, r):
            break
        if r.redeal_mode != Mode.NORMAL.value:
            g.compulsory = Compulsory.NO_TRUMPS
        key = mixed(key, 1)
    if r.knock != Knock.NEVER:
        _offer_knock(g, r, pack)


@kernel
def _hand_out(g: Any, r: Any, pack: Any) -> None:
    g.hands[:] = 0
    laid = 0
    for i in range(C):
        place = r.deal_seat[i]
        if place < 0:
            g.talon[laid] = pack[i]
            laid += 1
        else:
            seat = seat_at(g, r, np.int64(place))
            g.hands[seat] |= bit(pack[i])


@kernel
def _some_trumpless(g: Any, r: Any) -> bool:
    for place in range(r.n):
        if g.hands[seat_at(g, r, place)] & TRUMPS == ZERO:
            return True
    return False


@kernel
def _offer_knock(g: Any, r: Any, pack: Any) -> None:
    """Lay out the packets for a knock, and decide by chance what the rule leaves to chance."""
    _lay_packets(g, pack)
    if r.knock == Knock.RANDOM:
        g.knocked = 1 if fraction(mixed(g.key, CHANCE)) < 0.5 else 0
    elif r.knock == Knock.ALWAYS:
        g.knocked = 1


@kernel
def _lay_packets(g: Any, pack: Any) -> None:
    """The first six cards are the talon of a knocked deal, the rest four packets of twelve. While the choice is open, the
    hands of the cut deal are kept and the packets lie beside them.
    """
    for i in range(6):
        g.knock_talon[i] = pack[i]
    for i in range(4):
        g.packets[i] = 0
        for j in range(12):
            g.packets[i] |= bit(pack[6 + 12 * i + j])


@kernel
def complete(g: Any, r: Any) -> None:
    """Packets for a knock, where given cards come without them: the pack as the hand's key shuffles it first."""
    if r.knock == Knock.AGENT and g.knocked == 0:
        pack = np.empty(C, np.int64)
        shuffle(pack, mixed(g.key, 0))
        _lay_packets(g, pack)


@kernel
def legal_cut(g: Any, r: Any) -> None:
    """`cut` or `knock`; where chance or the rule decides, the one that happens is a forced move."""
    if r.knock == Knock.AGENT:
        g.legal_calls = r.cut_calls | r.knock_calls
    else:
        g.legal_calls = r.knock_calls if g.knocked == 1 else r.cut_calls


@kernel
def apply_cut(g: Any, r: Any, knocks: bool) -> Any:
    """The dealer's left neighbour cuts (the cards stay as dealt) or knocks (they go into four packets). The next phase."""
    if not knocks:
        g.knocked = 0
        g.packets[:] = 0
        g.actor = forehand(g, r)
        return Phase.AUCTION.value
    g.knocked = 1
    g.talon[:] = g.knock_talon[:]
    g.hands[:] = 0
    g.actor = forehand(g, r)
    return Phase.PACKET.value


@kernel
def legal_packet(g: Any, r: Any) -> None:
    """The packets that are left."""
    calls = ZERO
    for i in range(4):
        if not _is_picked(g, i):
            calls |= r.packet_calls[i]
    g.legal_calls = calls


@kernel
def _is_picked(g: Any, packet: Any) -> bool:
    for seat in range(5):
        if g.picked[seat] == packet:
            return True
    return False


@kernel
def apply_packet(g: Any, r: Any, packet: Any) -> Any:
    """The seat takes the packet; after the last one the auction begins. The next phase."""
    g.picked[g.actor] = packet
    g.hands[g.actor] = g.packets[packet]
    g.actor = following(g, r, np.int64(g.actor))
    if g.actor == forehand(g, r):
        return Phase.AUCTION.value
    return Phase.PACKET.value
