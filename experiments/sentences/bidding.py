"""Deal and auction in sentences."""

from __future__ import annotations

from experiments.sentences.words import listed, mode_words, place, rows_with, through
from tarock_env.codes import (
    Door,
    Knock,
    Mode,
    Priority,
    Rounds,
)
from tarock_env.rulesets.schema import Ruleset

# ------------------------------------------------------------------ deal


def deal(ruleset: Ruleset) -> list[str]:
    """How the cards are dealt."""
    table = ruleset.deal
    packets = ", ".join(f"{count} to {'the talon' if seat < 0 else place(ruleset, seat)}" for seat, count in table.packets)
    said = [
        f"{ruleset.players} players, 54 cards. Everything goes to the right; forehand sits at the dealer's right and plays "
        "before the others, the dealer last. The deal moves one seat on after each hand.",
        f"Packets in the order in which they leave the pack: {packets}.",
    ]
    if ruleset.seats > ruleset.players:
        said.append(f"{ruleset.seats} sit at the table: the dealer takes no cards, and scores 0.")
    if table.knock != Knock.NEVER:
        who = {Knock.AGENT: "may cut or knock", Knock.RANDOM: "cuts or knocks by chance", Knock.ALWAYS: "knocks"}[
            table.knock
        ]
        said.append(
            f"The dealer's left neighbour {who}. After a knock the first six cards are the talon, and forehand, then the "
            "next players choose one of four packets of twelve."
        )
    if table.redeal_trumpless:
        also = "also" if table.redeal_in_compulsory else "but not"
        said.append(
            "A player who was dealt no trump shows it: the same dealer deals again, as often as needed – "
            f"{also} where the hand is compulsory already. What is played then is {mode_words(ruleset, table.redeal_mode)}."
        )
    return said


# ------------------------------------------------------------------ auction


def auction(ruleset: Ruleset) -> list[str]:
    """Who speaks when, and what may be said."""
    table = ruleset.auction
    said = [f"{place(ruleset, table.opener).capitalize()} speaks first, then the next to the right, round after round."]
    said += _talking(ruleset) if table.talks else ["A turn is one call: `pass`, which is final, or `bid:` with a contract."]
    if not table.first_may_pass:
        said.append("The first speaker cannot pass.")
    said.append(_priority(table.priority))
    said += [f"`{row.id}` can be bid only directly over `{row.only_over}`." for row in ruleset.contracts if row.only_over]
    said += _ends(ruleset)
    others = [
        mode for mode in (Mode.RESTRICTED, Mode.FORCED) if mode in (ruleset.deal.redeal_mode, ruleset.session.zero_mode)
    ]
    for mode in others:
        if mode == Mode.FORCED:
            said.append(f"In a forced hand there is no auction: {listed(_forced(ruleset))} is played.")
        else:
            said.append(f"In a restricted hand the bids are {listed(through(ruleset, Door.AUCTION, mode))}.")
    return said


def _forced(ruleset: Ruleset) -> list[str]:
    return [row.id for row in ruleset.contracts if row.modes & Mode.FORCED and row.doors & Door.ALL_PASSED]


def _priority(priority: Priority) -> str:
    if priority == Priority.NOBODY:
        return "Every bid is higher than the one that stands."
    who = "a seat nearer to forehand than its holder" if priority == Priority.ELDER else "forehand, and nobody else,"
    return f"A bid is higher than the one that stands; only {who} may take that one over (`bid:` with the same contract)."


def _talking(ruleset: Ruleset) -> list[str]:
    said = [
        "A turn is one of: `bid:` with a contract, then any `announce:` that go with it, then `end`; one or more `contra:`, "
        "then `end`; or `pass`. A player who passes or doubles cannot bid any more.",
        "A bid that is outbid or taken over takes its announcements and contras with it.",
    ]
    if ruleset.auction.passed_contra:
        said.append(
            "Players who are out still have turns, in which they may double, and so has the high bidder, who may re-contra. "
            "The auction ends when nobody else can bid and all others have passed in a row since the last call."
        )
    return said


def _ends(ruleset: Ruleset) -> list[str]:
    table = ruleset.auction
    said = []
    if table.wait:
        chosen, reserved = through(ruleset, Door.AFTER_WAIT), rows_with(ruleset, doors=Door.AFTER_WAIT)
        said.append(
            f"Forehand may open with `wait`. If all others pass he names one of {listed(chosen)}; "
            f"{listed(row.id for row in reserved)} can be named in no other way."
        )
    if table.rounds == Rounds.CLAIM_FINAL:
        said.append("The others bid among themselves first; then forehand speaks once and may claim the bid that stands.")
    elif table.rounds == Rounds.SINGLE:
        said.append("Everybody speaks once; the highest bid wins.")
    elif not table.talks:
        said.append("The auction ends when one player is left and a bid stands; he is the declarer.")
    if table.eldest_chooses:
        said.append(
            f"If all others have passed without a bid, forehand names one of {listed(through(ruleset, Door.PASSED_OUT))}."
        )
    elif through(ruleset, Door.ALL_PASSED):
        said.append(f"If all have passed, {listed(through(ruleset, Door.ALL_PASSED))} is played.")
    elif table.first_may_pass:
        said.append("If all have passed, the hand is thrown in and nobody scores.")
    if table.final_raise:
        said.append(
            "When the others have passed after his bid, the high bidder has a last turn: he keeps his contract (`bid:` with "
            "the same one) or names a higher one."
        )
    return said
