"""Options of the two rulesets of document 000, for four and three players. Data only."""

from typing import Final

from tarock_env.codes import Announcing, Door, FreeForAll, Objective, Rounds, Talon
from tarock_env.rulesets.schema import Option, Patch, with_defaults
from tarock_env.rulesets.slovenian_options import (
    COLOUR,
    FEWEST,
    IN_TRICKS,
    KING_ULTIMO,
    MUST_TRUMP,
    OPEN_EXPOSURE,
    PRIORITY,
    ROUNDING,
    ULTIMO_ANNOUNCE,
    ULTIMO_BEATEN,
    ULTIMO_FREE,
    ULTIMO_HOLD,
    UNTOUCHED,
    ZERO_TRIGGER,
)

NARROW: Final = Patch(table="contracts", where={"doors": Door.AUCTION | Door.PASSED_OUT}, set={"doors": Door.AUCTION})

AUCTION: Final = Option(
    name="s0_auction", source="S0-2", default="open", meaning="how often the auction goes round",
    values={"open": (),
            "claim_final": (Patch(table="auction", set={"rounds": Rounds.CLAIM_FINAL}), NARROW),
            "single_round": (Patch(table="auction", set={"rounds": Rounds.SINGLE}),)})
PASSOUT: Final = Option(
    name="eldest_passout", source="S0-4", default="any", meaning="what eldest may name when all others have passed",
    values={"any": (), "two_only": (NARROW,)})
FINAL_RAISE: Final = Option(
    name="final_raise", source="S0-5", default=False, meaning="the winner of the auction may raise his bid",
    values={False: (Patch(table="auction", set={"final_raise": False}),),
            True: (Patch(table="auction", set={"final_raise": True}),)},
    requires={True: ("s0_auction", "open")})
RAISE_BY_TALON: Final = Option(
    name="raise_when_alone_by_talon", source="S0-20", default=False,
    meaning="a caller whose king lay in the talon may raise",
    values={False: (),
            True: (Patch(table="contracts", where={"id": "colour_slam"},
                         add={"raise_from": ("call_with_three", "call_with_two", "call_with_one")}),)})
NO_RAISE_BY_TALON: Final = Option(
    name="raise_when_alone_by_talon", source="S0-20", default=False, meaning="no king is called with three players",
    values={False: (), True: ()})

OPTIONS: Final = with_defaults(
    (
        PRIORITY,
        FINAL_RAISE,
        Option(name="redeal_in_forced", source="S0-8", default=True,
               meaning="a trumpless hand is thrown in also where the hand is compulsory",
               values={True: (Patch(table="deal", set={"redeal_in_compulsory": True}),),
                       False: (Patch(table="deal", set={"redeal_in_compulsory": False}),)}),
        ZERO_TRIGGER,
        Option(name="ab_talon_gifts", source="S0-12", default=False, meaning="All Beggars gives the stock to the first six tricks",
               values={False: (Patch(table="contracts", where=FEWEST, set={"rest": Talon.NOBODY}),),
                       True: (Patch(table="contracts", where=FEWEST, set={"rest": Talon.FIRST_TRICKS}),)}),
        Option(name="ab_extremes", source="S0-12", default=False, meaning="All Beggars pays 70 for more than half, or for no trick",
               values={False: (Patch(table="contracts", where=FEWEST, set={"settled": FreeForAll.OWN_POINTS}),),
                       True: (Patch(table="contracts", where=FEWEST, set={"settled": FreeForAll.EXTREMES}),)}),
        Option(name="solo_without_bonuses", source="S0-14", default=True, meaning="Solo Without counts bonuses",
               values={True: (),
                       False: (Patch(table="contracts", where=UNTOUCHED,
                                     set={"announcing": Announcing.NOTHING, "bonuses": ()}),)}),
        OPEN_EXPOSURE,
        MUST_TRUMP,
        Option(name="colour_slam_trumps_last", source="S0-18", default=False,
               meaning="trumps are led last where they do not trump",
               values={False: (Patch(table="contracts", where=COLOUR, set={"lead_ban": False}),),
                       True: (Patch(table="contracts", where=COLOUR, set={"lead_ban": True}),)}),
        Option(name="talon_counts_for_bonus", source="S0-25", default=True,
               meaning="the untouched stock counts for the opponents' Honours and Full Kings",
               values={True: (Patch(table="scoring", set={"sets_with_talon": True}),),
                       False: (Patch(table="scoring", set={"sets_with_talon": False}),)}),
        Option(name="announce_sweeps", source="S0-27", default=1, meaning="rounds of announcements", values={1: ()}),
        ULTIMO_ANNOUNCE,
        ULTIMO_HOLD,
        Option(name="silent_ultimo_loss", source="S0-30", default="none", meaning="what an unannounced ultimo costs if it fails",
               values={"none": ULTIMO_FREE, "if_beaten": ULTIMO_BEATEN}),
        KING_ULTIMO,
        Option(name="ring_timing", source="S0-36", default="after", meaning="whether a hand's ring doubles that hand",
               values={"after": (Patch(table="scoring", set={"ring_before": False}),),
                       "before": (Patch(table="scoring", set={"ring_before": True}),)}),
        Option(name="ring_per", source="S0-37", default="hand", meaning="rings for two starred things in one hand",
               values={"hand": (Patch(table="scoring", set={"ring_per_event": False}),),
                       "event": (Patch(table="scoring", set={"ring_per_event": True}),)}),
        Option(name="mond_scope", source="S0-41", default="any_declarer", meaning="contracts in which a lost Mond is fined",
               values={"any_declarer": (),
                       "positive_only": (Patch(table="contracts", where=IN_TRICKS, set={"mond_live": False}),),
                       "all": (Patch(table="contracts", where=FEWEST, set={"mond_live": True}),)}),
        ROUNDING,
        Option(name="session_hands", source="S0-45", default=None, meaning="hands of a session",
               values={None: (Patch(table="session", set={"hands": 0}),)},
               number=("session", "hands"), least=1),
        Option(name="early_stop", source="S0-47, K 10", default=False, meaning="a decided trick contract ends at once",
               values={False: (Patch(table="contracts", set={"early_stop": False}),),
                       True: (Patch(table="contracts", where={"objective": Objective.TRICKS}, set={"early_stop": True}),)},
               requires={True: ("mond_scope", "positive_only")}),
        Option(name="emperor_beat", source="S0-49", default="winning_card",
               meaning="what beating means beside an Emperor trick", values={"winning_card": ()}),
    ),
    priority="eldest_only",
    zero_trigger="state",
    colour_slam_must_trump=False,
    king_ultimo="king_wins",
)
