# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Judges estimators on fresh episodes, under every condition that the project states numbers for.

    stiff              nominal sensors, the stiff contact law; 3,000 touch-downs and more, half an hour of swing
    velocity           the same episodes of the leg, the base's velocity along the floor given
    spring500, spring250, creep500, creep250   other contact laws (mujoco_plant.py)
    flat               a floor without steps
    bits14, mass-20, mass+20, noise3, lost5    one sensor or model fault each, which the estimator is not told
    all-20, all+20     mass, noise and loss at once
    dart               the same gaits in DART
"""
import functools
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..errors import TinycontactError
from ..sweep import Sweep
from . import episodes
from .metrics import THRESHOLDS, judge, onset_curve, pool, summary
from .plant import plant_chain

FIRST_SEED, SECONDS = 1000, 20.0
PLANTS = ("hopper", "leg")
WORST = {"noise": 3.0, "lost": 0.05}


@dataclass(frozen=True)
class Condition:
    name: str
    hoppers: int               # episodes
    legs: int
    options: dict = field(default_factory=dict)   # of episodes.episode
    given: tuple = ("pitch",)


FEW = (18, 32)   # ten minutes of swing, five of each plant
CONDITIONS = (
    Condition("stiff", 60, 92), Condition("velocity", 0, 92, given=("pitch", "base_velocity")),
    Condition("spring500", *FEW, {"law": "spring500"}), Condition("spring250", *FEW, {"law": "spring250"}),
    Condition("creep500", *FEW, {"law": "creep500"}), Condition("creep250", *FEW, {"law": "creep250"}),
    Condition("flat", *FEW, {"floor": 0.0}), Condition("bits14", *FEW, {"encoder_bits": 14}),
    Condition("mass-20", *FEW, {"mass": 0.8}), Condition("mass+20", *FEW, {"mass": 1.2}),
    Condition("noise3", *FEW, {"noise": 3.0}), Condition("lost5", *FEW, {"lost": 0.05}),
    Condition("all-20", *FEW, {"mass": 0.8, **WORST}), Condition("all+20", *FEW, {"mass": 1.2, **WORST}),
    Condition("dart", 6, 10, {"simulator": "dart"}))
BY_NAME = {condition.name: condition for condition in CONDITIONS}
DEGRADED = ("mass-20", "mass+20", "noise3", "lost5", "all-20", "all+20")


ROUNDING = 1e-9   # delays are differences of moments, which are multiples of an eighth of a millisecond


@dataclass(frozen=True)
class Floor:
    """A number to beat."""
    what: str
    condition: str
    plant: str      # hopper, leg or both
    metric: str
    most: bool      # the bound is an upper one
    bound: float


def _each(what, condition, metric, most, hopper, leg):
    return (Floor(what, condition, "hopper", metric, most, hopper), Floor(what, condition, "leg", metric, most, leg))


FLOORS = (
    *_each("contact ticks right", "stiff", "contact_right", False, 0.998, 0.996),
    *_each("contact ticks right, springy", "spring500", "contact_right", False, 0.994, 0.994),
    *_each("air/stick/slip ticks right", "stiff", "mode_right", False, 0.996, 0.980),
    Floor("air/stick/slip ticks right, base velocity given", "velocity", "leg", "mode_right", False, 0.992),
    *_each("touch-down delay above its floor, mean", "stiff", "delay_above", True, 0.10e-3, 0.35e-3),
    *_each("touch-down delay, 95th percentile", "stiff", "delay_p95", True, 2.13e-3, 2.50e-3),
    *_each("touch-down delay, 95th percentile, springy", "spring500", "delay_p95", True, 2.25e-3, 2.9e-3),
    Floor("touch-downs missed", "stiff", "both", "missed", True, 0),
    Floor("touch-downs missed, springy", "spring500", "both", "missed", True, 0),
    Floor("false touch-downs in 30 min of air", "stiff", "both", "false_rate", True, 1),
    *_each("slip onsets found within 30 ms", "stiff", "onset_recall", False, 1.0, 1.0),
    Floor("slip onsets within 5 ms at <= 1 % false slip", "stiff", "hopper", "onset_at_1", False, 0.90),
    Floor("slip onsets within 5 ms at <= 3.6 % false slip", "stiff", "leg", "onset_at_3.6", False, 0.93),
    Floor("slip onsets within 5 ms at <= 2 %, base velocity given", "velocity", "leg", "onset_at_2", False, 0.95),
    *_each("slip onsets within 5 ms, springy", "spring500", "onset_prompt", False, 0.85, 0.85),
    *_each("impulse of whole contacts, relative RMS", "stiff", "impulse", True, 0.025, 0.033),
    *_each("next touch-down 20 ms ahead, flat floor, >= 0.5 m/s", "flat", "ahead_fast", True, 1.0e-3, 1.0e-3),
    *[floor for name in DEGRADED for floor in _each(f"contact ticks right, {name}", name, "contact_right", False,
                                                     0.994, 0.994)],
    *[Floor(f"false touch-downs in 30 min of air, {name}", name, "both", "false_rate", True, 9) for name in DEGRADED],
    *_each("expected calibration error", "stiff", "calibration", True, 0.005, 0.005))


@dataclass(frozen=True)
class Asked:
    """An estimator: of ESTIMATORS, the model file that is its friction model, and its settings as (name, value)."""
    estimator: str
    model: str = ""
    settings: tuple = ()

    def make(self, chain):
        """A function of (Episode, given) to estimates."""
        return ESTIMATORS[self.estimator](chain, self.model or None, dict(self.settings))


def _imm(chain, model, settings):
    from .estimate import Estimator
    return Estimator(chain, model=model, **settings).run


def _observer(chain, _, settings):
    """The momentum observer, which is given nothing but encoders, torques and the IMU."""
    from .observer import Observer
    observer = Observer(chain, **settings)
    return lambda episode, given: observer.run(episode)


ESTIMATORS = {"imm": _imm, "observer": _observer}


def makers(names, models=(), settings=()):
    """{name: Asked} of ESTIMATORS, and of "imm" once more with each of these model files as its law: "imm+foot"."""
    return {**{name: Asked(name, settings=tuple(settings)) for name in names},
            **{f"imm+{Path(model).stem}": Asked("imm", str(model), tuple(settings)) for model in models}}


def work(conditions, scale, first=FIRST_SEED):
    """[(Condition, plant, seed)] of all episodes; `scale` times as many as stated, at least one each."""
    items = []
    for condition in conditions:
        for plant, count in zip(PLANTS, (condition.hoppers, condition.legs)):
            items += [(condition, plant, first + k) for k in range(max(round(count * scale), min(count, 1)))]
    return items


def judged_by(name, items):
    """The items that an estimator of makers() can be asked about: DART's leg has its motors' inertia in its links, which is
    not the link that a model was learned of."""
    law = name not in ESTIMATORS
    return [item for item in items if not (law and item[0].options.get("simulator") == "dart")]


@functools.lru_cache(2)
def _made(asked, plant, simulator):
    return asked.make(plant_chain(plant, simulator=simulator))


def judge_one(task):
    """The metrics.Judged of a task: (Asked, condition's name, plant, seed)."""
    asked, name, plant, seed = task
    condition = BY_NAME[name]
    episode = episodes.episode(plant, seed, SECONDS, **condition.options)
    return judge(episode, _made(asked, plant, condition.options.get("simulator", "mujoco"))(episode, condition.given))


def evaluate(items, asked, sweep=Sweep(jobs=1), what="episodes"):
    """{(condition, plant): metrics.Judged} of the items, by an Asked."""
    tasks = [(asked, condition.name, plant, seed) for condition, plant, seed in items]
    judged = {}
    told = sweep.run(judge_one, tasks, what, lambda task: f"{task[1]}, {task[2]}, seed {task[3]}")
    for (condition, plant, _), one in zip(items, told):
        judged.setdefault((condition.name, plant), []).append(one)
    pooled = {key: pool(list_of) for key, list_of in judged.items()}
    for name in {condition for condition, _ in pooled}:
        both = [pooled[name, plant] for plant in PLANTS if (name, plant) in pooled]
        if len(both) == 2:
            pooled[name, "both"] = pool(both)
    return pooled


SHARES = ("contact_right", "mode_right", "onset_recall", "onset_prompt", "stick_as_slip", "onset_at_1", "onset_at_2",
          "onset_at_3.6", "impulse", "ahead_covered")
MILLISECONDS = ("delay_mean", "delay_above", "delay_p95", "delay_max", "lift_off", "ahead_fast", "ahead_fast_p90",
                "ahead_all", "ahead_all_p90")


def words(metric, value):
    """A number as people read it."""
    if not np.isfinite(value):
        return "-"
    if metric in SHARES:
        return f"{100 * value:.2f} %"
    if metric in MILLISECONDS:
        return f"{1e3 * value:.2f} ms"
    return f"{value:.4f}" if metric == "calibration" else f"{value:.4g}"


def floor_rows(numbers):
    """[[what, plant, measured, floor, verdict]] of FLOORS that `numbers`, {(condition, plant): summary}, can judge."""
    rows = []
    for floor in FLOORS:
        if (floor.condition, floor.plant) not in numbers:
            continue
        value = numbers[floor.condition, floor.plant][floor.metric]
        met = value <= floor.bound + ROUNDING if floor.most else value >= floor.bound - ROUNDING
        rows.append([floor.what, floor.plant, words(floor.metric, value),
                     f"{'<=' if floor.most else '>='} {words(floor.metric, floor.bound)}",
                     "yes" if met else "-" if np.isnan(value) else "NO"])
    return rows


CONDITION_COLUMNS = ("contact_right", "mode_right", "delay_mean", "delay_above", "delay_p95", "missed", "false",
                     "false_rate", "lift_off", "onset_prompt", "stick_as_slip", "impulse", "calibration")


CURVE_COLUMNS = ("stick as slip", "in 5 ms", "in 30 ms")
EXPLAINED = {   # what the columns of the tables mean; metrics.py defines them
    "contact_right": "share of ticks whose contact is right, 2 ms around its changes excused",
    "mode_right": "share of ticks whose mode (air, stick or slip) is right, 2 ms around its changes excused",
    "touch_downs": "true touch-downs",
    "delay_mean": "from a touch-down to the first estimate with contact, mean",
    "delay_above": "the same without the wait for the next sample and one tick of transport",
    "delay_p95": "from a touch-down to the first estimate with contact, 95th percentile",
    "missed": "touch-downs with no contact within 30 ms",
    "false": "contacts that began in the air, more than 5 ms after the last true one",
    "air": "true time in the air [s]",
    "false_rate": "the same per 30 min of air",
    "lift_off": "from a lift-off to the first estimate without contact, mean",
    "onset_prompt": "share of slip onsets found within 5 ms",
    "stick_as_slip": "share of truly sticking ticks that are called slip, 2 ms around changes excused",
    "impulse": "root mean square error of the impulse of whole contacts, relative to its own RMS",
    "calibration": "expected calibration error, the mean distance between a stated probability of contact and how"
                   " often it holds",
    "stick as slip": "share of truly sticking ticks that are called slip with this threshold",
    "in 5 ms": "share of slip onsets found within 5 ms with it",
    "in 30 ms": "share of slip onsets found within 30 ms with it",
}


def condition_rows(numbers):
    """[[condition, plant, ...]] of CONDITION_COLUMNS."""
    order = [(condition.name, plant) for condition in CONDITIONS for plant in PLANTS]
    return [[*key, *(words(name, numbers[key][name]) for name in CONDITION_COLUMNS)] for key in order if key in numbers]


def curve_rows(pooled, condition="stiff"):
    """[[threshold, hopper's share of stick called slip, recall within 5 ms, within 30 ms, the leg's]]"""
    curves = [onset_curve(pooled[condition, plant]) for plant in PLANTS if (condition, plant) in pooled]
    return [[f"{threshold:.3f}", *(f"{100 * value:.2f} %" for curve in curves for value in curve[k])]
            for k, threshold in enumerate(THRESHOLDS)]


def csv_columns(results):
    """{column: values} of {estimator: {(condition, plant): Judged}}, a row per estimator, condition and plant."""
    columns = {"estimator": [], "condition": [], "plant": []}
    for estimator, pooled in results.items():
        for (condition, plant), judged in sorted(pooled.items()):
            row = {"estimator": estimator, "condition": condition, "plant": plant}
            row.update({name: f"{value:.6g}" for name, value in summary(judged).items()})
            for name, value in row.items():
                columns.setdefault(name, []).append(value)
    return columns


def chosen(names):
    """The Conditions of these names; all without names."""
    unknown = [name for name in names or () if name not in BY_NAME]
    if unknown:
        raise TinycontactError(f"condition {unknown[0]!r}: there are {', '.join(BY_NAME)}")
    return [BY_NAME[name] for name in names] if names else list(CONDITIONS)
