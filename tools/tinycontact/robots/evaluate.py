# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Judges estimators of robots' feet on fresh episodes, under the conditions that the project states numbers for.

    trot, springs, gaits, steps, slopes    the Go1-like robot that estimators may be tuned on; other seeds than for tuning
    soft-pace, stand                       the same robot, landings below 0.5 m/s, long stances
    bits14 ... lost5                       the trot with one fault of sensors or model each, which no estimator is told
    unseen-*                               five other quadrupeds of 2.5 to 53 kg, two with oblique hips
    leg6, leg7, finger                     a limb of 6, 7 or 4 joints alone, under a base that is led or fixed

Seeds from 1000 on are for this and nothing else; tuning has 0 to 99.
"""
from dataclasses import dataclass, field

from ..errors import TinycontactError
from ..robot.space import nearest
from ..sweep import Sweep
from . import fleet, judge
from .episodes import SECONDS, episode

FIRST_SEED = 1000
SLOPE = (0.17, 0.35)   # [rad] 10 to 20 degrees
STEPS = 0.05           # [m]


@dataclass(frozen=True)
class Condition:
    name: str
    cases: tuple                                # (robot, gait, how many episodes)
    options: dict = field(default_factory=dict)   # of episodes.episode
    laws: tuple = ("stiff",)                    # in turn
    seconds: float = SECONDS


def _unseen(name, gait, **options):
    return Condition(name, tuple((robot, gait, 2) for robot in fleet.UNSEEN), options, seconds=4.0)


TROT = (("go1", "trot", 4),)
CONDITIONS = (
    Condition("trot", (("go1", "trot", 8),)),
    Condition("springs", (("go1", "trot", 6),), laws=("spring500", "spring250")),
    Condition("gaits", (("go1", "walk", 3), ("go1", "pace", 3), ("go1", "bound", 3))),
    Condition("steps", (("go1", "trot", 2), ("go1", "walk", 2)), {"rough": STEPS}),
    Condition("slopes", (("go1", "trot", 4), ("go1", "walk", 2), ("go1", "pace", 2)), {"slope": SLOPE}),
    Condition("soft-pace", (("go1", "soft-pace", 4),)),
    Condition("stand", (("go1", "stand", 2),)),
    Condition("bits14", TROT, {"encoder_bits": 14}), Condition("bits12", TROT, {"encoder_bits": 12}),
    Condition("noise3", TROT, {"noise": 3.0}), Condition("mass-20", TROT, {"mass": 0.8}),
    Condition("mass+20", TROT, {"mass": 1.2}), Condition("gain15", TROT, {"torque_gain": 0.15}),
    Condition("tilt3", TROT, {"tilt": 0.03}), Condition("torque6", TROT, {"torque_noise": 6.0}),
    Condition("lost5", TROT, {"lost": 0.05}),
    _unseen("unseen-trot", "trot"), _unseen("unseen-walk", "walk"), _unseen("unseen-walk-noise3", "walk", noise=3.0),
    _unseen("unseen-slope", "trot", slope=(0.31, 0.32)), _unseen("unseen-soft-pace", "soft-pace"),
    _unseen("unseen-springs-bits14", "trot", law="spring250", encoder_bits=14),
    Condition("leg6", (("humanoid-leg", "tap", 2),)), Condition("leg7", (("seven", "tap", 2),)),
    Condition("finger", (("finger", "tap", 4),), {"slope": (0.0, 3.1)}, laws=("stiff", "spring500"), seconds=8.0))
BY_NAME = {condition.name: condition for condition in CONDITIONS}


def chosen(names):
    """The Conditions of these names; all without names."""
    for name in names or ():
        if name not in BY_NAME:
            raise TinycontactError(f"condition {name!r}" + nearest(name, BY_NAME))
    return [BY_NAME[name] for name in names] if names else list(CONDITIONS)


def work(conditions, scale=1.0, first=FIRST_SEED):
    """[(condition's name, robot, gait, law, seed)] of all episodes; `scale` times as many as stated, at least one each."""
    items = []
    for condition in conditions:
        for robot, gait, count in condition.cases:
            for k in range(max(1, round(count * scale))):
                items.append((condition.name, robot, gait, condition.laws[k % len(condition.laws)], first + k))
    return items


def episode_of(item):
    name, robot, gait, law, seed = item
    condition = BY_NAME[name]
    return episode(robot, gait, seed, condition.seconds, **{"law": law, **condition.options})


def judge_one(task):
    """{estimator's name: judge.Judged} of a task: (an item of work(), the estimators' names)."""
    from .estimators import make
    item, names = task
    made = episode_of(item)
    return {name: judge.judge(made, judge.estimates_of(make(name, made.meta), made)) for name in names}


def evaluate(items, names, sweep=Sweep(jobs=1)):
    """{(estimator, condition): judge.Judged}, and (estimator, "all") of all of them."""
    told = sweep.run(judge_one, [(item, tuple(names)) for item in items], "episodes", lambda task: " ".join(map(str, task[0])))
    found = {}
    for item, judged in zip(items, told):
        for name, one in judged.items():
            for key in ((name, item[0]), (name, "all")):
                found[key] = found[key] + one if key in found else one
    return found
