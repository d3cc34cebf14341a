"""The tables of contracts and bonuses of a rules page."""

from __future__ import annotations

from experiments import sentences
from experiments.rules.columns import details, glossary, meanings, table
from tarock_env.codes import (
    Announcing,
    Exposed,
    Leader,
    Objective,
    Owners,
    PagatLock,
    Payment,
    Predicate,
    SilentFailure,
    Unit,
)
from tarock_env.rulesets.schema import Bonus, Contract, Ruleset

#: columns that the tables of contracts and bonuses put into words; all others that differ from the plain case stand in
#: their last column
TOLD_OF_CONTRACTS = (
    "rank", "doors", "value", "value_lost", "difference", "objective", "target", "takes", "rest", "talon_shown",
    "calls_king", "leader", "forced", "pagat_lock", "pagat_exception", "colour", "lead_ban", "trump_duty", "emperor",
    "exposed", "exposed_from", "announcing", "settled", "doubling", "multiplier",
)  # fmt: skip
TOLD_OF_BONUSES = (
    "value", "predicate", "cards", "trick_from_end", "owners", "unit", "announced_factor", "early_factor", "announceable",
    "silent_failure", "threshold",
)  # fmt: skip


# ------------------------------------------------------------------ contracts


def contracts(ruleset: Ruleset) -> list[str]:
    """The contracts: how they are bid and settled, how they are played, and what the words mean."""
    header = ["contract", "rank", "can be named", "value", "aim", "partner", "talon", "source"]
    rows = [
        [
            f"`{row.id}`",
            str(row.rank or "–"),
            "; ".join(sentences.DOORS[door] for door in row.doors),
            _value(ruleset, row),
            sentences.aim(row),
            _partner(row),
            sentences.talon_words(row),
            row.source,
        ]
        for row in ruleset.contracts
    ]
    first = "## Contracts\n\n" + table(header, rows)
    header = ["contract", "leads", "play", "announcements", "bonuses", "also"]
    rows = [
        [
            f"`{row.id}`",
            _leader(row),
            _play(row),
            {Announcing.NOTHING: "–", Announcing.GAME: "only the game is doubled", Announcing.ALL: "yes"}[row.announcing],
            _bonus_list(ruleset, row),
            details(row, TOLD_OF_CONTRACTS),
        ]
        for row in ruleset.contracts
    ]
    return [first, "### How they are played\n\n" + table(header, rows), glossary(ruleset.contracts, TOLD_OF_CONTRACTS)]


def _value(ruleset: Ruleset, row: Contract) -> str:
    times = f" × {row.multiplier}" if row.multiplier > 1 else ""
    if row.objective == Objective.FEWEST:
        return "see scoring"
    if ruleset.scoring.payment == Payment.POSITIVE:
        return f"game{times}"
    lost = f" (lost: {row.value_lost})" if row.value_lost and row.value_lost != row.value else ""
    return f"{row.value}{lost}" + (" + difference" if row.difference else "") + times


def _partner(row: Contract) -> str:
    if row.objective == Objective.FEWEST:
        return "–"
    return "called king" if row.calls_king else "none"


def _leader(row: Contract) -> str:
    return "declarer" if row.leader == Leader.DECLARER and row.objective != Objective.FEWEST else "forehand"


def _play(row: Contract) -> str:
    """Duties and rights in the play, in words."""
    said = ["beat the trick if you can"] if row.forced else []
    if row.pagat_lock != PagatLock.NEVER:
        until = "it is the last trump" if row.pagat_lock == PagatLock.LAST_TRUMP else "nothing else is legal"
        said.append(f"T1 is kept until {until}" + (", save to win an Emperor trick" if row.pagat_exception else ""))
    if row.colour:
        said.append("trumps win only where they were led")
    if row.lead_ban:
        said.append("trumps are led only when nothing else is left")
    if not row.trump_duty:
        said.append("who cannot follow may play anything")
    if row.emperor:
        said.append("Emperor trick" + (" where trumps were led" if row.colour else ""))
    if row.exposed != Exposed.NOBODY:
        whose = "all hands" if row.exposed == Exposed.ALL else "the declarer's hand"
        said.append(f"{whose} open " + (f"after trick {row.exposed_from}" if row.exposed_from else "before the first lead"))
    return "; ".join(said) or "–"


def _bonus_list(ruleset: Ruleset, row: Contract) -> str:
    if row.bonuses and len(row.bonuses) == len(ruleset.bonuses):
        return "all"
    return sentences.listed(row.bonuses) or "–"


# ------------------------------------------------------------------ bonuses


def bonuses(ruleset: Ruleset) -> list[str]:
    """The bonuses with what they bring, and what the words mean; nothing where there are none."""
    header = ["bonus", "made when", "sides", "silent", "silent and failed", "announced", "also", "source"]
    rows = [
        [
            f"`{row.id}`",
            _made_when(row),
            {Owners.BOTH: "both", Owners.DECLARERS: "declarer's", Owners.DEFENCE: "defence"}[row.owners],
            _worth(row, 1),
            {SilentFailure.NEVER: "–"}.get(row.silent_failure, f"−{_worth(row, 1)} {_bungled(row)}"),
            _announced(ruleset, row),
            details(row, TOLD_OF_BONUSES),
            row.source,
        ]
        for row in ruleset.bonuses
        if row.exists
    ]
    if not rows:
        return []
    note = "An announced bonus that is not made costs what it would have brought."
    return ["## Bonuses\n\n" + table(header, rows), note, glossary(ruleset.bonuses, TOLD_OF_BONUSES)]


def _worth(row: Bonus, factor: int) -> str:
    if row.predicate in (Predicate.REACHES, Predicate.WITHOUT) and factor == 1:
        return "–"
    return f"{row.value * factor} × game" if row.unit == Unit.GAMES else str(row.value * factor)


def _bungled(row: Bonus) -> str:
    return "if beaten by the other side" if row.silent_failure == SilentFailure.BEATEN_BY_OTHERS else "if beaten"


def _announced(ruleset: Ruleset, row: Bonus) -> str:
    """Values of the announced bonus; where there is an announcement in the bid, that one too."""
    if not row.announceable:
        return "no"
    if row.predicate in (Predicate.DECLARES_ALL, Predicate.DECLARES_TWO):
        return "declared"
    late = f"{row.value * row.announced_factor} × game" if row.unit == Unit.GAMES else str(row.value * row.announced_factor)
    return f"{late}; in the bid {row.value * row.announced_factor * row.early_factor}" if ruleset.auction.talks else late


def _made_when(row: Bonus) -> str:
    """The condition of a bonus, in words."""
    cards = ", ".join(row.cards)
    trick = "the last trick" if not row.trick_from_end else f"the last trick but {row.trick_from_end}"
    if row.predicate == Predicate.CARD_WINS:
        return f"{cards} itself wins {trick}"
    if row.predicate == Predicate.REACHES:
        return f"the declarer's side has {row.threshold} card points"
    if row.predicate == Predicate.DECLARES_TWO:
        return f"a player's hand holds exactly two of {cards}"
    text = meanings(Predicate)[row.predicate.name]
    return text.replace("a card of `cards`", " or ".join(row.cards)).replace("`cards`", cards)
