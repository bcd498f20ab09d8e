# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Episodes that estimators of robots' feet may be tuned on, the same for all of them, and their cost.

None of their seeds is one of evaluate.py's, and no robot but the Go1-like one is among them.
"""
from . import judge
from .episodes import episode

CASES = (("trot", 0, {}), ("trot", 1, {"law": "spring250"}), ("trot", 2, {"law": "spring500"}), ("walk", 3, {}),
         ("pace", 4, {"slope": (0.17, 0.35)}), ("bound", 5, {"rough": 0.05}))
EVENT = 0.02   # [s] of wrong time that a touch-down missed or a false one counts


def episodes(**options):
    """The Episodes; `options` beyond those of each case, such as encoder_bits."""
    return [episode("go1", gait, seed, **{**more, **options}) for gait, seed, more in CASES]


def cost(numbers):
    """Of judge.summary: percent of time that is wrong, with EVENT for each touch-down missed and each false one."""
    seconds = numbers["feet_seconds"]
    return 100 * (1 - numbers["right"] + EVENT * (numbers["missed"] + numbers["false"]) / seconds)


def cost_of_kinds(numbers):
    """The same of air, stick and slip, for estimators that know them."""
    return cost(numbers) + 100 * (1 - numbers["kinds"])


def table(estimator, cases):
    """judge.summary of an estimator on Episodes."""
    return judge.table([(case, judge.estimates_of(estimator, case)) for case in cases])
