"""Options that both Slovenian rulesets of document 004 have, in the order in which their patches run. Data only."""

from typing import Final

from tarock_env.codes import Announcing, Mode, Objective, SilentFailure, Talon
from tarock_env.rulesets.schema import Option, Patch
from tarock_env.rulesets.slovenian_options import (
    FEWEST,
    KING,
    KING_ULTIMO,
    MUST_TRUMP,
    OPEN_EXPOSURE,
    PAGAT,
    PRIORITY,
    ROUNDING,
    ULTIMO_ANNOUNCE,
    ULTIMO_BEATEN,
    ULTIMO_FREE,
    ULTIMO_HOLD,
    ZERO_TRIGGER,
)

RESTRICTED_OFF: Final = (
    Patch(table="deal", set={"redeal_trumpless": False, "redeal_mode": Mode.NORMAL}),
    Patch(table="session", set={"zero_rule": False, "zero_mode": Mode.NORMAL}),
)
RESTRICTED_ON: Final = (
    Patch(table="deal", set={"redeal_trumpless": True, "redeal_mode": Mode.RESTRICTED}),
    Patch(table="session", set={"zero_rule": True, "zero_mode": Mode.RESTRICTED}),
)
RESTRICTED: Final = Option(
    name="restricted_rounds", source="S4-3, K 13", default=True, meaning="trumpless hands and zero totals restrict a round",
    values={True: RESTRICTED_ON, False: RESTRICTED_OFF})
SOLO_BONUSES: Final = Option(
    name="solo_bonuses_3p", source="S4-17", default=True, meaning="Solo with three players counts bonuses",
    values={True: (),
            False: (Patch(table="contracts", where={"id": "solo"},
                          set={"announcing": Announcing.GAME, "bonuses": (), "mond_live": False}),)})

OPTIONS: Final = (
    PRIORITY,
    Option(name="final_raise", source="S4-1, K 7", default=True, meaning="the winner of the auction may raise his bid",
           values={True: (Patch(table="auction", set={"final_raise": True}),),
                   False: (Patch(table="auction", set={"final_raise": False}),)}),
    ZERO_TRIGGER,
    RESTRICTED,
    Option(name="discard_trumps", source="S4-8", default="only_if_forced_shown", meaning="whether trumps may be discarded",
           values={"only_if_forced_shown": (Patch(table="discards", set={"trumps_free": False, "trumps_shown": True}),),
                   "free_shown": (Patch(table="discards", set={"trumps_free": True, "trumps_shown": True}),),
                   "free_hidden": (Patch(table="discards", set={"trumps_free": True, "trumps_shown": False}),)}),
    Option(name="king_in_talon_wins_rest", source="S4-9", default=False,
           meaning="a called king taken from the talon wins its rest",
           values={False: (Patch(table="contracts", where={"calls_king": True}, set={"rest": Talon.DEFENCE}),),
                   True: (Patch(table="contracts", where={"calls_king": True}, set={"rest": Talon.WON_BY_KING}),)}),
    Option(name="gift_visible", source="S4-10", default=True, meaning="talon cards given to tricks are turned up",
           values={True: (Patch(table="contracts", where=FEWEST, set={"gifts_shown": True}),),
                   False: (Patch(table="contracts", where=FEWEST, set={"gifts_shown": False}),)}),
    SOLO_BONUSES,
    Option(name="lost_xxi_scope", source="S4-12, K 5, K 13", default="with_leasters",
           meaning="contracts in which a lost XXI is fined",
           values={"with_leasters": (),
                   "bonus_contracts": (Patch(table="contracts", where=FEWEST, set={"mond_live": False}),),
                   "positive": (Patch(table="contracts", where=FEWEST, set={"mond_live": False}),
                                Patch(table="contracts", where={"objective": Objective.POINTS}, set={"mond_live": True})),
                   "all": (Patch(table="contracts", set={"mond_live": True, "early_stop": False}),)}),
    Option(name="lost_xxi_unseen_talon", source="S4-14, K 5", default=True, meaning="… also in a talon that nobody saw",
           values={True: (), False: (Patch(table="contracts", set={"mond_unseen": False}),)}),
    ROUNDING,
    Option(name="leasters_rounding", source="S4-19", default="none", meaning="how points are rounded in Leasters",
           values={"none": (Patch(table="scoring", set={"round_own": 1}),),
                   "nearest_5": (Patch(table="scoring", set={"round_own": 5}),)}),
    Option(name="silent_ultimo_loss", source="S4-20", default="if_beaten", meaning="what an unannounced ultimo costs if it fails",
           values={"if_beaten": ULTIMO_BEATEN,
                   "if_beaten_by_opponents": (
                       Patch(table="bonuses", where=PAGAT, set={"silent_failure": SilentFailure.BEATEN_BY_OTHERS}),
                       Patch(table="bonuses", where=KING, set={"silent_failure": SilentFailure.BEATEN_BY_OTHERS})),
                   "none": ULTIMO_FREE}),
    KING_ULTIMO,
    ULTIMO_ANNOUNCE,
    ULTIMO_HOLD,
    Option(name="kontra_on_silent_slam", source="S4-26", default=False, meaning="the kontra on the game multiplies a silent slam",
           values={False: (Patch(table="scoring", set={"slam_takes_contra": False}),),
                   True: (Patch(table="scoring", set={"slam_takes_contra": True}),)}),
    Option(name="wheel_doubles_partner", source="S4-28", default=True, meaning="the declarer's wheel doubles his partner's score",
           values={True: (Patch(table="scoring", set={"ring_for_partner": True}),),
                   False: (Patch(table="scoring", set={"ring_for_partner": False}),)}),
    MUST_TRUMP,
    OPEN_EXPOSURE,
    Option(name="scuse_same_dealer", source="S4-34", default="full_cycle",
           meaning="what follows if the dealer of the 'Scuse round holds the 'Scuse himself",
           values={"full_cycle": (Patch(table="session", set={"scuse_full_cycle": True}),),
                   "end_now": (Patch(table="session", set={"scuse_full_cycle": False}),)}),
    Option(name="wheel_value", source="S4-35", default=100, meaning="what a wheel left over costs at the end",
           values={100: (Patch(table="session", set={"ring_price": 100}),), 10: (Patch(table="session", set={"ring_price": 10}),)}, number=("session", "ring_price")),
    Option(name="early_stop", source="S4-38, K 10", default=True, meaning="a decided trick contract ends at once",
           values={True: (), False: (Patch(table="contracts", set={"early_stop": False}),)}),
)
