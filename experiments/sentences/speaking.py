"""King, talon and discards, announcements and kontra in sentences."""

from __future__ import annotations

from experiments.sentences.words import NUMBERS, listed, rows_with
from tarock_env.codes import (
    Announcing,
    Binding,
    ContractedValue,
    Identification,
    Predicate,
)
from tarock_env.rulesets.schema import Ruleset

# ------------------------------------------------------------------ king, exchange


def exchange(ruleset: Ruleset) -> list[str]:
    """Calling a king, the talon, discards, the raise."""
    said = []
    calling = [row.id for row in ruleset.contracts if row.calls_king]
    if calling:
        fourth = (
            " With exactly three kings he may call `call:fourth` and leave the suit unspoken." if _fourth(ruleset) else ""
        )
        said.append(
            f"In {listed(calling)} the declarer calls a king before any talon card is seen; his own is allowed.{fourth} Its "
            "holder is his partner and shows it only by play or by what he says. If it is his own or lies in the talon, he "
            "plays alone."
        )
    for count in sorted({row.takes for row in ruleset.contracts if row.takes}):
        rows = rows_with(ruleset, takes=count)
        shown = "turned up for everybody" if rows[0].talon_shown else "seen by the declarer only"
        choice = "takes all six talon cards" if count == 6 else f"takes one of {6 // count} groups of {NUMBERS[count]}"
        said.append(
            f"{listed(row.id for row in rows).capitalize()}: the declarer {choice} ({shown}), and discards as many cards."
        )
    if any(row.takes for row in ruleset.contracts):
        said.append(_discards(ruleset))
    said += [
        f"After the discard the declarer of {listed(row.raise_from)} may raise to `{row.id}`."
        for row in ruleset.contracts
        if row.raise_from
    ]
    return said


def _fourth(ruleset: Ruleset) -> bool:
    return ruleset.announcements.fourth


def _discards(ruleset: Ruleset) -> str:
    table = ruleset.discards
    kind = (
        "other trumps may go freely"
        if table.trumps_free
        else "other trumps may go only when no suit card below the king is left in hand"
    )
    shown = "they are shown to everybody" if table.trumps_shown else "face down like the rest"
    return f"Kings and honours (T1, T21, T22) are never discarded; {kind}, and {shown}. Discards count for the declarer."


# ------------------------------------------------------------------ announcements


def announcements(ruleset: Ruleset) -> list[str]:
    """Who may announce and double, and what that asks of him."""
    table = ruleset.announcements
    talking = [row for row in ruleset.contracts if row.announcing == Announcing.ALL]
    doubling = [row.id for row in ruleset.contracts if row.announcing == Announcing.GAME]
    said = []
    if len(talking) + len(doubling) < len(ruleset.contracts):
        said.append(f"There is an announcement phase in {listed(row.id for row in talking)}.")
    if doubling and table.max_contra:
        said.append(f"In {listed(doubling)} only the game can be doubled.")
    turns = (
        "one round of the table"
        if table.sweeps
        else (
            f"until {NUMBERS[ruleset.players - 1]} players in a row say nothing; the declarer's opening turn is not counted"
        )
    )
    said.append(f"The declarer begins, then to the right, {turns}. A turn is any number of statements, then `end`.")
    said += _speakers(ruleset)
    said += _doubling(ruleset)
    said += _duties(ruleset)
    return said


def _speakers(ruleset: Ruleset) -> list[str]:
    table = ruleset.announcements
    if table.one_sided:
        said = ["Announcements are the declarer's alone, in the bid or in his first turn after the exchange."]
        if table.declarations:
            free = (
                "; a false one may be made and brings each of the others twice its value" if table.false_declarations else ""
            )
            said.append(f"Every player may declare what his hand holds after the discard, once for each declaration{free}.")
        return said
    if table.identification == Identification.TRUE_SIDE:
        return ["Every player may speak for his own side, known to the others or not. A side announces a bonus once."]
    return [
        "The declarer and his partner may announce at any turn, an opponent only once everybody knows him as one: because "
        "nobody can be the declarer's partner, because the called king was seen in the open talon, because the partner has "
        "spoken, or because he has doubled an item of the declarer's side himself. Whoever says anything that only one side "
        "may say is known from then on; when the partner speaks, everybody is. A side announces a bonus once."
    ]


def _doubling(ruleset: Ruleset) -> list[str]:
    table = ruleset.announcements
    if not table.max_contra:
        return ["Nothing can be doubled."]
    said = [
        f"The game and each announced bonus can be doubled {table.max_contra} times, each step × {table.step_factor}: first "
        "by the opponents of its owner, then by the owner's side, and so on in turn (`contra:`)."
    ]
    if ruleset.auction.talks:
        said.append(
            f"A step in the auction counts × {table.early_step_factor}, one after the exchange × {table.step_factor}; "
            + ("both chains multiply." if table.late_on_early else "an item doubled in the auction cannot be doubled again.")
        )
    return said


def _duties(ruleset: Ruleset) -> list[str]:
    table = ruleset.announcements
    said = []
    for row in ruleset.contracts:
        if row.demands:
            said.append(f"`{row.id}`: the declarer must announce one of {listed(row.demands)} in his opening turn.")
    if any(row.demands for row in ruleset.contracts):
        plain = table.contracted == ContractedValue.PLAIN
        said.append(
            f"The first one named so counts its {'plain' if plain else 'announced'} value"
            + ("; it and the game fail together." if table.coupled else "; it and the game are won or lost apart.")
        )
    if table.binding == Binding.HELD:
        said.append("A card whose trick was announced lies face up and is played early only when nothing else is legal.")
    elif table.binding == Binding.HIGHEST_FIRST:
        said.append(
            "A card whose trick was announced is kept for it while anything else is legal; of several the highest goes "
            "first."
        )
    elif any(bonus.predicate == Predicate.CARD_WINS for bonus in ruleset.bonuses):
        said.append("An announced card may be played at any time; the announcement is lost then.")
    return said
