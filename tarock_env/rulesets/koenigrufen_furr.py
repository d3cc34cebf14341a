"""Königrufen as in document 002 (after Dummett): data only. Sections are those of docs/decisions.md."""

from typing import Any, Final

from tarock_env.codes import (
    Announcing,
    ContractedValue,
    Door,
    Doubling,
    Exposed,
    Leader,
    Objective,
    Owners,
    PagatLock,
    Predicate,
    Talon,
    Unit,
)
from tarock_env.rulesets.koenigrufen_options import BIRDS, FOUR_SEATS, NO_KNOCK, OPTIONS
from tarock_env.rulesets.schema import (
    Announcements,
    Auction,
    Bonus,
    Contract,
    Deal,
    Discards,
    Ruleset,
    Scoring,
    with_defaults,
)

SIDE_BONUSES: Final = ("trull", "kings", "mond_captured", "skues_captured", *BIRDS, "valat")
KING_BONUSES: Final = (*SIDE_BONUSES, "king_captured", "king_ultimo")

POSITIVE: Final[dict[str, Any]] = {"emperor": True, "announcing": Announcing.ALL, "bonuses": SIDE_BONUSES}
CALLING: Final[dict[str, Any]] = {**POSITIVE, "bonuses": KING_BONUSES, "calls_king": True}
NEGATIVE: Final[dict[str, Any]] = {
    "objective": Objective.TRICKS,
    "rest": Talon.NOBODY,
    "emperor": True,
    "forced": True,
    "leader": Leader.DECLARER,
    "early_stop": True,
}
OPEN_HAND: Final[dict[str, Any]] = {**NEGATIVE, "exposed": Exposed.DECLARER}

RULESET: Final = Ruleset(
    id="koenigrufen_furr",
    title="Königrufen (Furr)",
    version=1,
    document="002_1eb2da3a38f1c95c",
    players=4,
    reward_scale=6.0,
    deal=Deal(packets=((0, 6), (1, 6), (2, 6), (3, 6), (0, 6), (1, 6), (2, 6), (3, 6), (-1, 6))),
    auction=Auction(wait=True),
    announcements=Announcements(fourth=True, contracted=ContractedValue.PLAIN),
    discards=Discards(),
    scoring=Scoring(sets_with_talon=True),
    contracts=(
        Contract(id="call", source="K2.2 E1", rank=0, doors=Door.AFTER_WAIT, value=1, takes=3, talon_shown=True,
                 bid_weight=60.0, **CALLING),
        Contract(id="all_beggars", source="K2.2 E2", rank=0, doors=Door.AFTER_WAIT, value=1, objective=Objective.FEWEST,
                 rest=Talon.NOBODY, emperor=True, forced=True, pagat_lock=PagatLock.LAST_TRUMP,
                 doubling=Doubling.OVER_36, bid_weight=25.0),
        Contract(id="solo_with", source="K2.2 E3", rank=0, doors=Door.AFTER_WAIT, value=2, value_lost=4, takes=6,
                 bid_weight=5.0, **POSITIVE),
        Contract(id="just_one", source="K2.2 1", rank=1, doors=Door.AUCTION, value=2, target=1, **NEGATIVE),
        Contract(id="just_two", source="K2.2 2", rank=2, doors=Door.AUCTION, value=2, target=2, **NEGATIVE),
        Contract(id="call_without", source="K2.2 3", rank=3, doors=Door.AUCTION, value=2, bid_weight=2.0, **CALLING),
        Contract(id="beggar", source="K2.2 4", rank=4, doors=Door.AUCTION, value=3, **NEGATIVE),
        Contract(id="call_and_bird", source="K2.2 5", rank=5, doors=Door.AUCTION, value=2, takes=3, talon_shown=True,
                 demands=BIRDS, bid_weight=3.0, **CALLING),
        Contract(id="solo", source="K2.2 6", rank=6, doors=Door.AUCTION, value=4, takes=3, talon_shown=True,
                 bid_weight=3.0, **POSITIVE),
        Contract(id="just_one_exposed", source="K2.2 7", rank=7, doors=Door.AUCTION, value=5, target=1, bid_weight=0.3,
                 **OPEN_HAND),
        Contract(id="no_trumps", source="K2.2 8", rank=8, doors=Door.AUCTION, value=5, colour=True, trump_duty=False,
                 bid_weight=0.3, **POSITIVE),
        Contract(id="beggar_exposed", source="K2.2 9", rank=9, doors=Door.AUCTION, value=6, bid_weight=0.3, **OPEN_HAND),
        Contract(id="solo_and_bird", source="K2.2 10", rank=10, doors=Door.AUCTION, value=4, takes=3, talon_shown=True,
                 demands=BIRDS, bid_weight=0.5, **POSITIVE),
        Contract(id="solo_without", source="K2.2 11", rank=11, doors=Door.AUCTION, value=8, bid_weight=0.3, **POSITIVE),
    ),
    bonuses=(
        Bonus(id="trull", source="K2.7", predicate=Predicate.HOLDS, cards=("T1", "T21", "T22"), value=1),
        Bonus(id="kings", source="K2.7", predicate=Predicate.HOLDS, cards=("SK", "CK", "HK", "DK"), value=1),
        Bonus(id="king_captured", source="K2.7", predicate=Predicate.CAPTURES_KING, value=1, owners=Owners.DEFENCE),
        Bonus(id="mond_captured", source="K2.7", predicate=Predicate.CAPTURES, cards=("T21",), value=1),
        Bonus(id="skues_captured", source="K2.7", predicate=Predicate.CAPTURES, cards=("T22",), value=2),
        Bonus(id="pagat_ultimo", source="K2.7", predicate=Predicate.CARD_WINS, cards=("T1",), trick_from_end=0, value=1),
        Bonus(id="uhu", source="K2.7", predicate=Predicate.CARD_WINS, cards=("T2",), trick_from_end=1, value=2),
        Bonus(id="kakadu", source="K2.7", predicate=Predicate.CARD_WINS, cards=("T3",), trick_from_end=2, value=3),
        Bonus(id="marabu", source="K2.7", predicate=Predicate.CARD_WINS, cards=("T4",), trick_from_end=3, value=4),
        Bonus(id="king_ultimo", source="K2.7", predicate=Predicate.KING_WINS, value=1, owners=Owners.DECLARERS),
        Bonus(id="valat", source="K2.7", predicate=Predicate.ALL_TRICKS, value=4, unit=Unit.GAMES, slam=True),
    ),
    options=with_defaults(
        (FOUR_SEATS, NO_KNOCK, *OPTIONS),
        forehand_may_pass=True,
        wait_choices="three",
        kontra_max=0,
        ku_win="king_wins",
        announceable_captures=True,
        contracted_bird_value="plain",
        solo_double=False,
        valat_solo_double=False,
        sets_include_talon=True,
        nt_leader="forehand",
        nt_lead_ban=False,
        nt_trump_duty=False,
        ouvert_who="declarer",
        trischaken_talon="ignored",
        trischaken_double="gt36",
    ),
)
