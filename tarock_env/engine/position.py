"""Setting up given positions: what a deal and a session state must be. Every function raises `BadPosition`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tarock_env.cards import C, codes_in, ids_in, set_of
from tarock_env.codes import Compulsory
from tarock_env.engine.errors import BadPosition
from tarock_env.rulesets import Ruleset
from tarock_env.rulesets.numbers import is_whole, is_whole_in
from tarock_env.rulesets.shown import short

OUTLIVING = ("scores", "rings", "compulsory")  #: what a hand leaves to the next one of a session
MOST_TOTAL = 100_000_000  #: game points either way
MOST_RINGS = 1_000_000


def _is_list(value: object) -> bool:
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def set_deal(
    row: Any, ruleset: Ruleset, hands: Sequence[Sequence[str | int]], talon: Sequence[str | int], dealer: int
) -> None:
    """Cards and dealer of a hand, checked to be a complete deal of the ruleset."""
    players = ruleset.players
    each = [(f"hand of seat {i}", hand) for i, hand in enumerate(hands if _is_list(hands) else ())]
    for where, cards in [("hands", hands), ("talon", talon), *each]:
        if not _is_list(cards):
            raise BadPosition(f"{where}: {short(cards)}; allowed: a list")
    if not is_whole_in(dealer, 0, ruleset.seats - 1):
        raise BadPosition(f"dealer is {short(dealer)}; allowed: seats 0 … {ruleset.seats - 1}")
    if len(hands) != ruleset.seats:
        raise BadPosition(f"{len(hands)} hands; allowed: {ruleset.seats}, one for each seat")
    if len(talon) != 6:
        raise BadPosition(f"the talon has {len(talon)} cards; allowed: 6")
    row.dealer = dealer
    seen = 0
    for seat, cards in enumerate(hands):
        held = card_set(cards, f"hand of seat {seat}")
        sits_out = players < ruleset.seats and seat == dealer
        size = 0 if sits_out else 48 // players
        if len(cards) != size:
            raise BadPosition(f"seat {seat} has {len(cards)} cards; allowed: {size}")
        row.hands[seat] = held
        seen = _add(seen, held)
    seen = _add(seen, card_set(talon, "talon"))
    row.talon[:] = [card if is_whole(card) else ids_in(set_of([card]))[0] for card in talon]


def card_set(cards: Sequence[str | int], where: str) -> int:
    """Codes or ids as a card set; each card once."""
    for card in cards:
        if not (isinstance(card, str) and len(card) <= 3) and not is_whole_in(card, 0, C - 1):
            raise BadPosition(f"{where}: no card {short(card)}; ids run from 0 to {C - 1}")
    try:
        held = set_of(cards)
    except ValueError as error:
        raise BadPosition(f"{where}: {error}") from None
    if held.bit_count() != len(cards):
        raise BadPosition(f"{where}: a card appears twice in {list(cards)}")
    return held


def _add(seen: int, held: int) -> int:
    if seen & held:
        raise BadPosition(f"dealt twice: {', '.join(codes_in(seen & held))}")
    return seen | held


def set_packets(row: Any, ruleset: Ruleset, packets: Sequence[Sequence[str | int]] | None) -> None:
    """The face-down packets of a knocked deal."""
    if packets is None:
        return
    if ruleset.deal.knock == 0:
        raise BadPosition("packets are given, but this ruleset's option 'knock' is 'never'")
    if not _is_list(packets) or len(packets) != 4 or not all(_is_list(packet) for packet in packets):
        raise BadPosition(f"packets are {short(packets)}; allowed: four lists of cards")
    sets = [card_set(packet, f"packet {i}") for i, packet in enumerate(packets)]
    held = [int(h) for h in row.hands if int(h)]
    if sorted(sets) != sorted(held):
        raise BadPosition("the packets are not the hands that the players hold after choosing them")
    row.knocked = 1
    row.packets[:] = sets
    row.knock_talon[:] = row.talon[:]


def set_before(row: Any, seats: int, before: Mapping[str, Any] | None) -> None:
    """The session state that a hand starts from."""
    if before is None:
        return
    if not isinstance(before, Mapping):
        raise BadPosition(f"before is {short(before)}; allowed: an object with 'scores', 'rings', 'compulsory'")
    for name, column in (("scores", row.totals), ("rings", row.rings)):
        given = before.get(name, [0] * seats)
        if not _is_list(given):
            raise BadPosition(f"before[{name!r}] is {short(given)}; allowed: {seats} whole numbers")
        values = list(given)
        least, most = (0, MOST_RINGS) if name == "rings" else (-MOST_TOTAL, MOST_TOTAL)
        whole = all(is_whole_in(v, least, most) for v in values)
        if len(values) != seats or not whole:
            raise BadPosition(f"before[{name!r}] is {short(values)}; allowed: {seats} whole numbers from {least} to {most}")
        column[:seats] = values
    unknown = [name for name in before if name not in OUTLIVING]
    if unknown:
        raise BadPosition(f"before has {short(unknown[0])}; allowed: 'scores', 'rings', 'compulsory'")
    reasons = {None: Compulsory.NO, "no_trumps": Compulsory.NO_TRUMPS, "score": Compulsory.SCORE}
    reason = before.get("compulsory")
    if not isinstance(reason, (str, type(None))) or reason not in reasons:
        raise BadPosition(f"before['compulsory'] is {short(reason)}; allowed: null, 'no_trumps', 'score'")
    row.compulsory = reasons[reason]
