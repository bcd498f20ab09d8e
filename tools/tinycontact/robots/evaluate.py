# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Judges estimators of robots' feet on fresh episodes, under the conditions that the project states numbers for.

    trot, springs, gaits, steps, slopes    the Go1-like robot that estimators may be tuned on, with
                                           other seeds than for tuning
    flat                                   trot and walk on a floor without steps, for the prediction of touch-downs
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
GROUP = 24             # episodes that run at once


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
    Condition("flat", (("go1", "trot", 4), ("go1", "walk", 4)), {"rough": 0.0}),
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
    """[(condition's name, robot, gait, law, seed)] of all episodes; `scale` times as many as stated, at least one
    each."""
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


def groups(items, most=GROUP):
    """Items in groups whose episodes can run at once: as long, and with the same joints."""
    alike = {}
    for item in items:
        robot = fleet.robot(item[1])
        alike.setdefault((BY_NAME[item[0]].seconds, tuple(limb.joints for limb in robot.limbs)), []).append(item)
    return [group[k:k + most] for group in alike.values() for k in range(0, len(group), most)]


def judge_group(task):
    """[{estimator's name: judge.Judged}] of a task: (items, the estimators' names)."""
    from .estimators import estimates
    items, names = task
    made = [episode_of(item) for item in items]
    found = [{} for _ in items]
    for name in names:
        for row, one, told in zip(found, made, estimates(name, made)):
            row[name] = judge.judge(one, told)
    return found


def evaluate(items, names, sweep=Sweep(jobs=1)):
    """{(estimator, condition): judge.Judged}, and (estimator, "all") of all of them."""
    parts = groups(items)
    told = sweep.run(judge_group, [(tuple(part), tuple(names)) for part in parts], "groups of episodes",
                     lambda task: " ".join(map(str, task[0][0])))
    found = {}
    for part, judged in zip(parts, told):
        for item, each in zip(part, judged):
            for name, one in each.items():
                for key in ((name, item[0]), (name, "all")):
                    found[key] = found[key] + one if key in found else one
    return found


EXPLAINED = {
    "right": "share of ticks whose contact is right [%]; the truth a tick late has right_oracle",
    "kinds": "share of ticks whose air, stick or slip is right [%]; the truth a tick late has kinds_oracle",
    "delay": "from a touch-down to the first estimate with contact, mean [ms]; no estimator is sooner than delay_floor",
    "delay_p95": "the same, 95th percentile [ms]",
    "missed": "touch-downs with no contact within 30 ms", "touch_downs": "true ones",
    "false": "rises of contact more than 5 ms after the last true one", "air": "true time in the air [s]",
    "lift_off": "from a lift-off to the first estimate without contact, mean [ms]",
    "stick_as_slip": "share of truly sticking ticks that are called slip [%]",
    "impulse": "root mean square error of the impulse of whole contacts, over its own [%]",
    "base": "root mean square error of the base's velocity along x and y [mm/s]", "base_median": "its median [mm/s]",
    "ahead": "error of a touch-down's time as foreseen 20 ms before it, median [ms]",
    "ahead_p90": "the same, 90th percentile [ms]", "ahead_told": "share of touch-downs that are foreseen [%]",
    "onsets": "slip onsets that last 20 ms and more", "onset_found": "share of them found before they end [%]",
    "onset_prompt": "share of them found within 5 ms [%]"}
PERCENT = ("right", "right_oracle", "kinds", "kinds_oracle", "stick_as_slip", "impulse", "onset_found", "onset_prompt",
           "ahead_told")
THOUSAND = ("delay", "delay_floor", "delay_above", "delay_p95", "lift_off", "base", "base_median", "ahead",
            "ahead_p90")
COLUMNS = ("right", "right_oracle", "kinds", "kinds_oracle", "delay", "delay_floor", "delay_p95", "touch_downs",
           "missed", "false", "air", "lift_off", "stick_as_slip", "impulse", "base", "base_median", "onsets",
           "onset_found", "onset_prompt", "ahead", "ahead_p90", "ahead_told")


def words(name, value):
    """A number as people read it, in the units of EXPLAINED."""
    if value != value:
        return "-"
    if name in PERCENT:
        return f"{100 * value:.2f}"
    return f"{1e3 * value:.2f}" if name in THOUSAND else f"{value:.0f}"


def rows(found, name):
    """[[condition, ...]] of COLUMNS."""
    order = [condition.name for condition in CONDITIONS] + ["all"]
    return [[condition, *(words(column, judge.summary(found[name, condition])[column]) for column in COLUMNS)]
            for condition in order if (name, condition) in found]


def csv_columns(found):
    """{column: values}, a row per estimator and condition."""
    columns = {}
    for (name, condition), judged in sorted(found.items()):
        row = {"estimator": name, "condition": condition}
        row.update({key: f"{value:.6g}" for key, value in judge.summary(judged).items()})
        for key, value in row.items():
            columns.setdefault(key, []).append(value)
    return columns
