"""Logistic and linear regressions of outcomes on what people count in a hand. Numbers only.

They were fitted on hands that the heuristic player itself played in contracts drawn at random, 120,000 deals of each ruleset
(docs/heuristics.md). A contract's row follows from its columns; takes 0, 1, 2, 3, 6 talon cards.
"""

from __future__ import annotations

import numpy as np

#: log-odds of 36 card points for a declarer: one, trumps, T16-T20, T11-T15, Sküs, Mond, Pagat, kings, queens, voids,
#: singletons
GAME = np.array(
    [
        # four players, with a called king, taking 0, 1, 2, 3
        [-3.24, 0.24, 0.23, 0.06, 0.54, 0.57, 0.39, 0.58, 0.03, 0.37, -0.02],
        [-2.61, 0.30, 0.22, 0.05, 0.51, 0.55, 0.41, 0.47, 0.12, 0.26, 0.04],
        [-1.99, 0.26, 0.23, 0.03, 0.62, 0.57, 0.36, 0.44, 0.06, 0.31, 0.13],
        [-1.82, 0.28, 0.23, 0.04, 0.61, 0.62, 0.30, 0.39, 0.10, 0.23, 0.12],
        # four players, alone, taking 0, 1, 2, 3, 6
        [-10.46, 0.41, 0.31, 0.08, 1.54, 1.33, 1.05, 1.02, 0.00, 1.27, 0.00],
        [-9.26, 0.41, 0.39, 0.04, 1.37, 1.10, 0.99, 1.27, 0.00, 1.43, 0.35],
        [-8.11, 0.53, 0.24, 0.05, 1.32, 1.04, 0.71, 1.06, 0.13, 0.89, 0.42],
        [-6.73, 0.48, 0.36, 0.08, 1.17, 0.99, 0.63, 0.92, 0.12, 0.68, 0.30],
        [-3.60, 0.44, 0.27, 0.04, 1.09, 0.88, 0.58, 0.46, 0.17, 0.17, 0.10],
        # four players, trumps do not trump
        [-4.94, -0.80, 0.21, -0.07, 1.20, 1.07, -0.43, 1.52, 0.69, 0.75, -0.15],
        # three players, taking 0, 1, 2, 3
        [-13.05, 0.45, 0.28, 0.00, 1.84, 1.56, 1.00, 1.61, 0.39, 1.89, 0.00],
        [-11.72, 0.51, 0.30, 0.00, 1.49, 1.29, 1.05, 1.64, 0.55, 1.57, 0.82],
        [-9.30, 0.49, 0.27, 0.01, 1.37, 1.19, 0.98, 1.38, 0.44, 1.20, 0.59],
        [-7.87, 0.47, 0.22, 0.03, 1.31, 1.15, 0.88, 1.24, 0.35, 0.97, 0.54],
    ]
)
CALLS, ALONE, WHOLE, COLOUR, THREE = 0, 4, 8, 9, 10  #: first rows of the groups
#: card points above 35 for each unit of log-odds: with a partner, alone
POINTS_PER_LOGIT = np.array([6.1, 3.5])

#: log-odds of taking no trick: one, suit danger, trump danger, trumps, Sküs, Mond, kings, voids; four players, three
NO_TRICK = np.array(
    [
        [4.20, -0.09, -0.115, -1.07, -2.80, -2.00, -0.44, -0.90],
        [1.63, -0.22, -0.070, -1.09, -0.91, -0.95, -0.17, -0.78],
    ]
)
#: expected tricks in a contract about one or two of them, four players: the same features
FEW_TRICKS = np.array([-3.20, 0.065, 0.05, 0.93, 0.60, 0.35, 0.20, 0.35])
#: expected card points where everybody avoids them: the same features; four players, three
FEW_POINTS = np.array(
    [
        [-10.8, 0.19, 0.13, 3.5, 6.4, 3.4, 4.0, 4.0],
        [-12.0, 0.32, 0.10, 3.4, 5.6, 3.3, 4.3, 3.0],
    ]
)

#: log-odds that a small trump in hand wins trick 0 … 3 from the end: one, trumps, T16-T20, Sküs, Mond
BIRDS = np.array(
    [
        [-7.97, 0.81, 0.41, 0.44, 0.30],
        [-6.83, 0.60, 0.36, 0.65, 0.36],
        [-6.57, 0.54, 0.25, 0.64, 0.47],
        [-5.72, 0.43, 0.18, 0.63, 0.41],
    ]
)
#: the same features for the trull, the kings, the called king last with its holder, and with the caller
HONOUR_SET = np.array([-5.5, 0.29, 0.17, 1.46, 1.29])
KING_SET = np.array([-4.6, 0.45, 0.05, 0.0, 0.0])
KING_HOLDER = np.array([-2.94, 0.21, 0.24, 0.16, 0.05])
KING_CALLER = np.array([-3.67, 0.47, 0.24, 0.16, 0.05])
#: … and for the loss of a game, as seen by a defender: against one, against two
AGAINST_ONE = np.array([-1.8, 0.08, 0.11, 0.43, 0.35])
AGAINST_TWO = np.array([-2.5, 0.15, 0.15, 0.33, 0.30])
