# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""How many draws of a task are solved: push, gather, sort and ant-push, by the tool's settings and by others."""
import numpy as np

from ..library import Library
from . import optimise, scenes, taskfile

THIN = {"A": 12, "kappa": 1, "length": 0}
# What is searched with: changes to the task of scenes.py; the paper's Adam has its settings of Table 3.
SEARCHES = {
    "bounded far part, knots": {},
    "the same, float32": {"float32": True},
    "kappa 1, knots": {"barrier": THIN},
    "kappa 1, the paper's Adam": {"barrier": THIN, "method": "adam", "horizon": 48, "iterations": 50, "step": 0.01},
    "bounded far part, Gauss-Newton": {"method": "newton", "iterations": 5, "step": 0.1}}
PUSH = tuple(SEARCHES)
OTHERS = ("bounded far part, knots",)
FRAMES = {"kappa 1, the paper's Adam": 200}


def task_of(name, seed, search):
    value = scenes.task(name, seed)
    for key, change in SEARCHES[search].items():
        if key == "barrier":
            value["scene"]["barrier"] = change
        elif key != "float32":
            value[key] = change
    value["frames"] = FRAMES.get(search, value["frames"])
    return taskfile.from_dict(value, name)


def judged(job):
    """A row of (task, seed, search)."""
    name, seed, search = job
    task = task_of(name, seed, search)
    found = optimise.optimise(task, Library(real="float" if SEARCHES[search].get("float32") else "double"))
    within = [d <= goal.tolerance for d, goal in zip(found.distance.values(), task.goals)]
    return {"task": name, "search": search, "seed": seed, "reached": int(found.reached), "frames": len(found.t) - 1,
            "goals": len(within), "goals_met": int(np.sum(within)), "farthest": max(found.distance.values()),
            "milliseconds": found.milliseconds, "note": found.note}


def table(sweep, name, seed, number):
    searches = PUSH if name == "push" else OTHERS
    jobs = [(name, seed + k, search) for search in searches for k in range(number)]
    return sweep.run(judged, jobs, "plans", lambda job: f"{job[2]}, seed {job[1]}")


def summary(rows):
    """Cells per search."""
    found = []
    for search in dict.fromkeys(row["search"] for row in rows):
        own = [row for row in rows if row["search"] == search]
        done = [row["frames"] for row in own if row["reached"]]
        found.append([search, f"{sum(row['reached'] for row in own)} of {len(own)}", f"{np.median(done):.0f}" if done else "-",
                      f"{np.median([row['milliseconds'] for row in own]):.2f} ms", f"{np.median([row['farthest'] for row in own]):.3f} m"])
    return found


def drawn(rows, name):
    """The first solved draw's motion, and frames of each draw."""
    from ..report.plots import LAWS, TRUTH, new_figure, plain
    from . import picture
    solved = [row for row in rows if row["reached"]] or rows
    row = min(solved, key=lambda row: row["frames"])
    task = task_of(name, row["seed"], row["search"])
    found = optimise.optimise(task, Library(real="double"))
    figure = new_figure(11, 5)
    left, right = figure.subplots(1, 2)
    picture.motion(left, found.scene, found.q, picture.view_of(task))
    searches = list(dict.fromkeys(row["search"] for row in rows))
    for k, search in enumerate(searches):
        for reached, mark in ((1, "o"), (0, "x")):
            own = [row for row in rows if row["search"] == search and row["reached"] == reached]
            right.plot([row["seed"] for row in own], [row["frames"] for row in own], mark, color=(*LAWS, TRUTH)[k % 5],
                       label=search if reached else None)
    plain(right, "frames until the goals are met (x: not met)", "seed", "frames")
    right.legend(frameon=False, fontsize=8)
    return figure
