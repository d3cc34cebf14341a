"""The single tables of a ruleset in sentences: deal, auction, exchange, announcements, scoring, session.

Each function reads columns and knows no ruleset; what a column cannot change is said of all rulesets alike.
"""

from experiments.sentences.bidding import auction, deal
from experiments.sentences.settling import scoring, session
from experiments.sentences.speaking import announcements, exchange
from experiments.sentences.words import DOORS, aim, listed, talon_words

__all__ = ["DOORS", "aim", "announcements", "auction", "deal", "exchange", "listed", "scoring", "session", "talon_words"]
