# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Estimators on other legs, ticks and sensors than those they were tuned on: what tc_estimator_default_for and
tc_momentum_default_for are worth. A Scale is judged on both plants by the metrics of the evaluation.

Legs are alike to those of tests/hil (masses, lengths and rotors times something, the base with them) or drawn: split anew
into links, with other rotors and bases, by seeds of their own. What sensors do is told, as whoever takes a leg of his
own knows it.
"""
import copy
from dataclasses import dataclass, field

import numpy as np

from ..errors import TinycontactError
from ..sweep import Sweep
from . import episodes, observer
from .chain_file import parse_chain
from .estimate import Estimator
from .evaluate import PLANTS, words
from .metrics import judge, pool, summary
from .plant import plant_chain
from .sensors import SensorOptions
from .world import TICK

FIRST_SEED, SECONDS = 5000, 20.0
HOPPERS, LEGS = 1, 1   # episodes of a scale
DRAWN = 6              # legs


@dataclass(frozen=True)
class Ratios:
    """A leg over that of tests/hil."""
    mass: float = 1.0
    length: float = 1.0
    rotor: float = 1.0    # beside what mass and length make of it
    base: float = 1.0     # likewise
    upper: float = 1.0    # mass of the first link over the second, beside what it is
    thigh: float = 1.0    # length, likewise


@dataclass(frozen=True)
class Scale:
    name: str
    ratios: Ratios = Ratios()
    tick: float = TICK
    sensors: dict = field(default_factory=dict)   # of SensorOptions


def drawn(seed):
    """The Ratios of a leg of 0.3 to 30 kg, drawn."""
    random = np.random.default_rng([seed, 11])

    def factor(low, high):
        return float(np.exp(random.uniform(np.log(low), np.log(high))))
    mass = factor(0.35, 35.0)
    return Ratios(mass, mass**(1 / 3) * factor(0.8, 1.25), factor(0.3, 4.0), factor(0.7, 1.4), factor(0.5, 2.0),
                  factor(0.8, 1.25))


SCALES = (
    Scale("as tuned"), Scale("0.3 kg", Ratios(0.343, 0.7)), Scale("6.8 kg", Ratios(8.0, 2.0)),
    Scale("30 kg", Ratios(36.0, 3.3)), Scale("links x 4 and rotors x 6", Ratios(4.0, 1.0, 1.5, 0.25)),
    *[Scale(f"drawn {k}", drawn(k)) for k in range(DRAWN)],
    *[Scale(f"{bits} bits", sensors={"encoder_bits": bits}) for bits in (12, 13, 14, 18, 20)],
    *[Scale(f"noise x {noise}", sensors={"noise": float(noise)}) for noise in (3, 10)],
    Scale("0.5 ms", tick=0.5e-3), Scale("2 ms", tick=2e-3))
BY_NAME = {scale.name: scale for scale in SCALES}


def chain_of(scale, plant):
    """The plant's Chain at a Scale."""
    r, text = scale.ratios, copy.deepcopy(plant_chain(plant).text)
    share = sum(link["mass"] for link in text["links"])
    parts = np.array([link["mass"] * by for link, by in zip(text["links"], (r.upper, 1.0))])
    bends = np.array([r.thigh, 1.0]) * 2 / (r.thigh + 1.0)
    for link, mass, bend in zip(text["links"], parts * share / parts.sum(), bends):
        by, length = r.mass * mass / link["mass"], r.length * bend
        link["mass"] *= by
        link["inertia"] *= by * length**2
        link["rotor_inertia"] *= r.mass * r.length**2 * r.rotor
        link["com"] = [length * x for x in link["com"]]
    for joint, bend in ((text["links"][1], bends[0]), (text["foot"], bends[1])):
        place = "origin" if "origin" in joint else "center"
        joint[place] = [r.length * bend * x for x in joint[place]]
    text["foot"]["radius"] *= r.length
    text["base"]["mass"] *= r.mass * r.base
    text["base"]["inertia"] *= r.mass * r.base * r.length**2
    return parse_chain(text, f"{plant}, {scale.name}")


def _imm(chain, tick, sensors):
    return Estimator(chain, tick=tick, sensors=sensors).run


def _observer(chain, tick, sensors):
    return observer.Observer(chain, tick, sensors).run


ESTIMATORS = {"imm": _imm, "observer": _observer}


def work(scales, share=1.0, first=FIRST_SEED):
    """[(Scale, plant, seed)] of all episodes, `share` times as many as usual, at least one each."""
    return [(scale, plant, first + k) for scale in scales for plant, count in zip(PLANTS, (HOPPERS, LEGS))
            for k in range(max(1, round(share * count)))]


def judge_one(task):
    """{estimator: metrics.Judged} of a task: (scale's name, plant, seed, seconds)."""
    name, plant, seed, seconds = task
    scale = BY_NAME[name]
    chain = chain_of(scale, plant)
    episode = episodes.episode(plant, seed, seconds, chain=chain, tick=scale.tick, **scale.sensors)
    return {estimator: judge(episode, make(chain, scale.tick, SensorOptions(**scale.sensors))(episode))
            for estimator, make in ESTIMATORS.items()}


def judged(items, seconds=SECONDS, sweep=Sweep(jobs=1)):
    """{(estimator, scale, plant): metrics.Judged} of work()'s items."""
    tasks = [(scale.name, plant, seed, seconds) for scale, plant, seed in items]
    found = {}
    told = sweep.run(judge_one, tasks, "episodes", lambda task: f"{task[0]}, {task[1]}, seed {task[2]}")
    for (name, plant, *_), one in zip(tasks, told):
        for estimator, by_one in one.items():
            found.setdefault((estimator, name, plant), []).append(by_one)
    return {key: pool(list_of) for key, list_of in found.items()}


COLUMNS = ("contact_right", "mode_right", "delay_above", "touch_downs", "missed", "false", "air", "lift_off",
           "onset_prompt", "stick_as_slip", "impulse")


def rows(found, name):
    """[[scale, plant, ...]] of COLUMNS, of one estimator."""
    numbers = {key[1:]: summary(judged) for key, judged in found.items() if key[0] == name}
    return [[*key, *(words(column, value[column]) for column in COLUMNS)] for key, value in numbers.items()]


def csv_columns(found):
    """{column: values}, a row per estimator, scale and plant."""
    columns = {name: [key[k] for key in found] for k, name in enumerate(("estimator", "scale", "plant"))}
    numbers = [summary(judged) for judged in found.values()]
    for name in (*COLUMNS, "mass", "reach"):
        columns[name] = []
    for (_, scale, plant), value in zip(found, numbers):
        chain = chain_of(BY_NAME[scale], plant)
        size = _size(chain)
        for name in COLUMNS:
            columns[name].append(f"{value[name]:.6g}")
        columns["mass"].append(f"{size[0]:.4g}")
        columns["reach"].append(f"{size[1]:.4g}")
    return columns


def _size(chain):
    from .size import reach
    return sum(link.mass for link in chain.links), reach(chain)


def chosen(names):
    """The Scales of these names; all without names."""
    unknown = [name for name in names or () if name not in BY_NAME]
    if unknown:
        raise TinycontactError(f"scale {unknown[0]!r}: there are {', '.join(BY_NAME)}")
    return [BY_NAME[name] for name in names] if names else list(SCALES)
