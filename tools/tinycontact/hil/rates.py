# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The estimator at other rates: ticks of 0.25 to 5 ms, on two legs that nothing was tuned on, told of leg, tick and
sensors by tc_estimator_default_for alone.

A tick's estimate is of a sample taken at its begin (plant.py), so a contact is known a tick late at best. 2 ms around
changes are excused (metrics.py), which at 1 ms are two ticks and at 4 ms none. Three numbers say what that means:

    contact_right    as in every other evaluation: 2 ms around changes excused
    reachable        the same of the truth itself, a tick late: no estimator is right in more
    contact_sampled  as contact_right, by what was true in the tick that the sample ended: on a board that reads its
                     sensors itself there is no transport
    contact_settled  2 ms, but two ticks at least, around changes excused: as much as at 1 ms is asked at every tick
    mode_settled     the same of air, stick and slip
"""
from dataclasses import dataclass

import numpy as np

from ..errors import TinycontactError
from ..sweep import Sweep
from . import episodes, truth
from .estimate import Estimator
from .evaluate import PLANTS, words
from .metrics import EXCUSED, classes, excused, judge, pool, summary
from .scales import Ratios, Scale, chain_of

FIRST_SEED, SECONDS = 9000, 20.0
TICKS = (0.25e-3, 0.5e-3, 1e-3, 2e-3, 4e-3, 5e-3)
LEGS = {"0.5 kg": Ratios(0.5 / 0.85, 0.78, 1.7, 0.85, 1.4, 0.9), "20 kg": Ratios(20 / 0.85, 2.6, 0.6, 1.2, 0.7, 1.12)}
EPISODES = {0.25e-3: 3, 5e-3: 3}   # of each leg and plant; the others:
USUAL = 12
LEAST_TICKS = 2                    # around a change
COLUMNS = ("contact_right", "reachable", "contact_sampled", "contact_settled", "mode_settled", "delay_above",
           "lift_off", "touch_downs", "missed", "false", "air")


@dataclass
class Judged:
    """Of episodes."""
    usual: object          # metrics.Judged
    late: np.ndarray       # [ticks judged as usual] bool: the truth, a tick late
    sampled: np.ndarray    # [ticks judged] bool: contact, by the sample's truth
    settled: np.ndarray    # [ticks judged] bool: contact
    mode: np.ndarray       # [ticks judged] bool: class


def around(state, tick):
    """[T] bool: within EXCUSED, and within LEAST_TICKS, of a change of `state`."""
    few = truth.ticks_in(EXCUSED, tick) < LEAST_TICKS
    return excused(state, EXCUSED / LEAST_TICKS if few else tick)


def judged(episode, estimates):
    """The Judged of an episode."""
    contact, mode = (episode.truth.mode != truth.AIR).astype(np.int8), episode.truth.mode
    late = np.concatenate([contact[:1], contact[:-1]])
    said = estimates["contact"].astype(np.int8)
    return Judged(judge(episode, estimates), (late == contact)[~excused(contact, episode.tick)],
                  (said == late)[~excused(late, episode.tick)], (said == contact)[~around(contact, episode.tick)],
                  (classes(estimates) == mode)[~around(mode, episode.tick)])


def pooled(several):
    return Judged(pool([one.usual for one in several]), *(np.concatenate([getattr(one, name) for one in several])
                                                          for name in ("late", "sampled", "settled", "mode")))


def numbers(one):
    """{column of COLUMNS: number} of a Judged."""
    return {**summary(one.usual), "reachable": float(one.late.mean()), "contact_sampled": float(one.sampled.mean()),
            "contact_settled": float(one.settled.mean()), "mode_settled": float(one.mode.mean())}


def work(ticks=TICKS, share=1.0, first=FIRST_SEED):
    """[(tick, leg, plant, seed)], `share` times as many episodes as usual, at least one each."""
    return [(tick, leg, plant, first + k) for tick in ticks for leg in LEGS for plant in PLANTS
            for k in range(max(1, round(share * EPISODES.get(tick, USUAL))))]


def judge_one(task):
    """The Judged of a task: (tick, leg, plant, seed, seconds, whether the episode is stored)."""
    tick, leg, plant, seed, seconds, kept = task
    chain = chain_of(Scale(leg, LEGS[leg], tick), plant)
    episode = episodes.episode(plant, seed, seconds, chain=chain, tick=tick, cached=kept)
    return judged(episode, Estimator(chain, tick=tick).run(episode))


def evaluate(items, seconds=SECONDS, sweep=Sweep(jobs=1), kept=True):
    """{(tick, leg, plant): Judged} of work()'s items; `kept`: episodes are stored."""
    told = sweep.run(judge_one, [(*item, seconds, kept) for item in items], "episodes",
                     lambda task: f"{1e3 * task[0]:g} ms, {task[1]}, {task[2]}, seed {task[3]}")
    found = {}
    for (tick, leg, plant, _), one in zip(items, told):
        found.setdefault((tick, leg, plant), []).append(one)
    return {key: pooled(several) for key, several in found.items()}


def chosen(milliseconds):
    """Ticks [s] of TICKS; all without any."""
    by_name = {f"{1e3 * tick:g}": tick for tick in TICKS}
    unknown = [word for word in milliseconds or () if word not in by_name]
    if unknown:
        raise TinycontactError(f"tick {unknown[0]!r}: there are {', '.join(by_name)} ms")
    return [by_name[word] for word in milliseconds] if milliseconds else list(TICKS)


def _named(column):
    """What evaluate.words knows it as."""
    return {"reachable": "contact_right", "contact_sampled": "contact_right", "contact_settled": "contact_right",
            "mode_settled": "mode_right"}.get(column, column)


def rows(found):
    """[[tick, leg, plant, ...]] of COLUMNS."""
    return [[f"{1e3 * tick:g} ms", leg, plant, *(words(_named(name), value[name]) for name in COLUMNS)]
            for (tick, leg, plant), value in ((key, numbers(one)) for key, one in found.items())]


def csv_columns(found):
    """{column: values}, a row per tick, leg and plant."""
    listed = [(key, numbers(one)) for key, one in found.items()]
    return {"tick": [f"{key[0]:g}" for key, _ in listed], "leg": [key[1] for key, _ in listed],
            "plant": [key[2] for key, _ in listed],
            **{name: [f"{value[name]:.6g}" for _, value in listed] for name in COLUMNS}}


EXPLAINED = {
    "reachable": "the same of the truth itself, known a tick late",
    "contact_sampled": "contact right by what was true when the sample was taken, 2 ms excused",
    "contact_settled": "share of ticks whose contact is right, 2 ms and two ticks at least around its changes excused",
    "mode_settled": "the same of air, stick and slip"}
