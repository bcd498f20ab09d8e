# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The contact estimator on terrain, known and unknown, beside the same gaits on a flat floor.

Known: the estimator has the terrain and the place of the base on it, which is 5 mm off. Unknown: it takes the ground for
a flat floor of a new height in each step, which is what it does anywhere. Floors have the roughness and the friction of the
evaluation, drawn for each step, and seeds are of their own: nothing was tuned on terrain.
"""
from dataclasses import dataclass

from ..errors import TinycontactError
from ..sweep import Sweep
from . import episodes
from .estimate import Estimator
from .evaluate import PLANTS, words
from .metrics import judge, pool, summary
from .plant import plant_chain
from .terrain import NAMES, terrain

FIRST_SEED, SECONDS, EPISODES = 7000, 20.0, 4
FLAT = "flat"
FLOOR = 0.001   # contact is right as often as on a flat floor to this share


@dataclass(frozen=True)
class Case:
    terrain: str   # FLAT or of NAMES
    known: bool

    def name(self):
        return self.terrain if self.terrain == FLAT else f"{self.terrain}, {'known' if self.known else 'unknown'}"


CASES = (Case(FLAT, True), *(Case(name, known) for name in NAMES for known in (True, False)))
COLUMNS = ("contact_right", "mode_right", "delay_above", "touch_downs", "missed", "false", "onset_prompt", "stick_as_slip",
           "impulse", "ahead_fast", "ahead_all")


def chosen(names):
    """The Cases of these terrains, the flat one before them; all without names."""
    unknown = [name for name in names or () if name not in NAMES]
    if unknown:
        raise TinycontactError(f"terrain {unknown[0]!r}: there are {', '.join(NAMES)}")
    return [case for case in CASES if not names or case.terrain in (FLAT, *names)]


def work(cases, share=1.0, first=FIRST_SEED):
    """[(Case, plant, seed)] of all episodes, `share` times as many as usual, one of each at least."""
    return [(case, plant, first + k) for case in cases for plant in PLANTS for k in range(max(1, round(share * EPISODES)))]


def judge_one(task):
    """The metrics.Judged of a task: (Case, plant, seed, seconds)."""
    case, plant, seed, seconds = task
    under = "" if case.terrain == FLAT else case.terrain
    episode = episodes.episode(plant, seed, seconds, ground=under)
    told = bool(under) and case.known
    estimator = Estimator(plant_chain(plant), ground=terrain(under) if told else None)
    return judge(episode, estimator.run(episode, ("pitch", "place") if told else ("pitch",)))


def judged(items, seconds=SECONDS, sweep=Sweep(jobs=1)):
    """{(Case, plant): metrics.Judged} of work()'s items."""
    tasks = [(case, plant, seed, seconds) for case, plant, seed in items]
    found = {}
    told = sweep.run(judge_one, tasks, "episodes", lambda task: f"{task[0].name()}, {task[1]}, seed {task[2]}")
    for (case, plant, *_), one in zip(tasks, told):
        found.setdefault((case, plant), []).append(one)
    return {key: pool(list_of) for key, list_of in found.items()}


def rows(found):
    """[[terrain, plant, ...]] of COLUMNS."""
    return [[case.name(), plant, *(words(column, summary(one)[column]) for column in COLUMNS)]
            for (case, plant), one in found.items()]


def verdicts(found):
    """[[what, plant, points, floor, verdict]]: what share of contact is lost against the flat floor, in points."""
    told = []
    for (case, plant), one in found.items():
        if case.terrain != FLAT and (Case(FLAT, True), plant) in found:
            lost = summary(found[Case(FLAT, True), plant])["contact_right"] - summary(one)["contact_right"]
            verdict = ("yes" if lost <= FLOOR else "NO") if case.known else "-"
            told.append([case.name(), plant, f"{100 * lost:.2f}", f"<= {100 * FLOOR:g}" if case.known else "-", verdict])
    return told


def csv_columns(found):
    """{column: values}, a row per case and plant."""
    columns = {"terrain": [case.terrain for case, _ in found],
               "known": [int(case.known) for case, _ in found], "plant": [plant for _, plant in found]}
    for name in COLUMNS:
        columns[name] = [f"{summary(one)[name]:.6g}" for one in found.values()]
    return columns
