"""Scoring and session in sentences."""

from __future__ import annotations

from experiments.sentences.words import listed, mode_words, rows_with
from tarock_env.codes import (
    Doubling,
    FreeForAll,
    Objective,
    Payment,
    SessionEnd,
    SlamMode,
    Unit,
    Zero,
)
from tarock_env.rulesets.schema import Ruleset

# ------------------------------------------------------------------ scoring


def scoring(ruleset: Ruleset) -> list[str]:
    """From the play to scores."""
    table = ruleset.scoring
    said = [
        "Card points: king and honour 5, queen 4, knight 3, jack 2, every other card 1; for every three cards 2 points are "
        "taken off, for one or two left over 1. The pack counts 70. Exactly: a card counts 3 × its points − 2 thirds, a "
        "pile (its thirds + 1) // 3, and 36 points, which are 107 thirds, win.",
        {
            Payment.SIDES: "Each defender pays the sum of the items' values to the declarer's side: partners get it once "
            "each, a declarer alone gets it from every opponent. What is negative is paid the other way round.",
            Payment.DECLARERS_ONLY: "The declarer scores the sum of the items' values, and so does his partner; defenders "
            "score nothing.",
            Payment.POSITIVE: "Scores are never negative: what the declarer wins is his, what he loses each of the "
            "others scores. All scores of a hand are multiplied by the contract's multiplier.",
        }[table.payment],
    ]
    if any(row.difference for row in ruleset.contracts):
        to = f", rounded to multiples of {table.round_to}," if table.round_to > 1 else ""
        said.append(f"Where the value has a difference, the card points above or below 35{to} are added to it.")
    if table.basic:
        said.append(
            f"The game is worth {table.basic}, plus the number of bids in the auction (taking over is none), plus the card "
            "points above or below 35."
        )
    if table.payment == Payment.POSITIVE:
        said.append(
            "A card that must win its trick and was not announced scores for its player if it does, and for each of the "
            "others if it was played to that trick and beaten. A declaration scores for its player."
        )
    said += _everybody_alone(ruleset) + _slam(ruleset) + _sets(ruleset) + _mond(ruleset) + _rings(ruleset)
    return said


def _everybody_alone(ruleset: Ruleset) -> list[str]:
    said = []
    for row in rows_with(ruleset, objective=Objective.FEWEST):
        how = {
            FreeForAll.TOP_PAYS: f"everybody with the most points pays {row.value} to each of the others",
            FreeForAll.TWO_PAIRS: "the two with the most points pay 1 each, the two with the fewest get 1 each; a player "
            "with 36 points pays everybody, and a single one without a trick is paid by everybody",
            FreeForAll.OWN_POINTS: "everybody loses the points he took",
            FreeForAll.EXTREMES: f"who has more than 35 points loses {row.value}, who has no trick wins {row.value}, and "
            "the others score nothing then; if there is nobody of either kind, everybody loses the points he took",
            FreeForAll.DIFFERENCE: "everybody scores what separates him from the player with the most points",
        }[row.settled]
        doubled = {
            Doubling.NEVER: "",
            Doubling.OVER_36: "; double if that is more than 36",
            Doubling.FROM_36: "; double if that is 36 or more",
        }[row.doubling]
        measure = "; points are compared in thirds" if ruleset.scoring.thirds else ""
        rounded = (
            f"; points are rounded to multiples of {ruleset.scoring.round_own}" if ruleset.scoring.round_own > 1 else ""
        )
        said.append(f"`{row.id}`: {how}{doubled}{measure}{rounded}.")
    return said


def _slam(ruleset: Ruleset) -> list[str]:
    slams = [bonus for bonus in ruleset.bonuses if bonus.slam]
    if not slams:
        return []
    name = listed(bonus.id for bonus in slams)
    said = [{
        SlamMode.ADDED: f"{name} is counted beside the game and everything else.",
        SlamMode.REPLACES: f"Where {name} is scored, the game and all that was not announced are dropped.",
        SlamMode.ALONE: f"Where a side makes or announces {name}, nothing else of the items counts.",
    }[ruleset.scoring.slam]]  # fmt: skip
    if any(bonus.unit == Unit.GAMES for bonus in slams):
        said.append("Its value is a multiple of the game's; where won and lost differ, of what its winner would get.")
    if ruleset.scoring.slam_takes_contra:
        said.append("A silent one is multiplied by the kontra on the game.")
    return said


def _sets(ruleset: Ruleset) -> list[str]:
    if ruleset.scoring.payment == Payment.POSITIVE:
        return []
    table = ruleset.scoring
    said = [
        "A side's share of the talon counts for sets of cards (`holds`)."
        if table.sets_with_talon
        else "Sets of cards (`holds`) are looked for in tricks only."
    ]
    said.append(
        "Where exactly one side announced a bonus, only that item is settled."
        if table.single
        else "The same bonus may be an item of either side; both are settled."
    )
    return said


def _mond(ruleset: Ruleset) -> list[str]:
    table = ruleset.scoring
    if not table.mond_fine:
        return []
    where = listed(row.id for row in ruleset.contracts if row.mond_live)
    how = (
        "to a card of the other side is fined, and the fine is paid to the winner of the trick"
        if table.mond_paid
        else "to T22, or to T1 in an Emperor trick, is fined, even if his own side takes it; nobody receives the fine"
    )
    beside = "" if table.mond_beside_slam else " There is no fine where a slam stands alone."
    return [f"Whoever loses T21 {how}: {table.mond_fine}, never multiplied, in {where}.{beside}"]


def _rings(ruleset: Ruleset) -> list[str]:
    table = ruleset.scoring
    if not table.rings:
        return []
    starred = listed(row.id for row in ruleset.contracts if row.starred)
    timing = "before it is scored" if table.ring_before else "after it was scored"
    count = "one ring for each of them" if table.ring_per_event else "one ring"
    partner = "" if table.ring_for_partner else " His partner's score is not doubled."
    return [
        f"Rings: {starred}, or a slam that stands alone, bring everybody {count} {timing}. A declarer who has a ring plays "
        f"for double, and loses one ring if he wins.{partner}"
    ]


# ------------------------------------------------------------------ session


def session(ruleset: Ruleset) -> list[str]:
    """What spans hands."""
    table = ruleset.session
    agreed = f" of {table.hands} hands" if table.hands else ""
    said = [{
        SessionEnd.HANDS: f"A session{agreed} ends after the agreed number of hands.",
        SessionEnd.SCUSE_ROUND: "When the agreed number of hands is over, one more is played, the 'Scuse round. Whoever is "
        "dealt T22 in it deals the last hand of the session"
        + (" (if he dealt the 'Scuse round himself, a whole round later)" if table.scuse_full_cycle else
           " (if he dealt the 'Scuse round himself, that was the last hand)")
        + "; if T22 lies in the talon, the next hand is another 'Scuse round.",
        SessionEnd.MATCH: f"A session is one match: it ends with the hand after which somebody has "
        f"{'at least' if table.goal_included else 'more than'} {table.goal} points.",
    }[table.end]]  # fmt: skip
    if table.end == SessionEnd.MATCH:
        said.append(f"Everybody with at least {table.goal} then gets {table.goal_bonus} more.")
        said.append("In the settlement each pays each the difference of their totals.")
    if table.zero != Zero.NEVER and table.zero_rule:
        step = f" or a multiple of {table.zero_step}, negative ones included," if table.zero_step else ""
        when = "is" if table.zero == Zero.STATE else "has become"
        said.append(
            f"If some total {when} exactly 0{step} after a hand, the next one is {mode_words(ruleset, table.zero_mode)}."
        )
    if ruleset.scoring.rings:
        paid = "each player pays every other" if table.ring_price_paid else "each player is charged"
        said.append(f"At the end of a session {paid} {table.ring_price} for each ring he has left.")
    return said
