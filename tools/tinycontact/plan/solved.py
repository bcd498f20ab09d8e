# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""How many draws of a task are solved: push, gather, sort and ant-push, by the tool's settings and by others; and how
long a push takes by the time step and by mu (the paper's Tables 4 and 5)."""
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


# ---- The paper's Tables 4 and 5

# simulated seconds until the push is done, in the paper: by the time step [s] at mu = 1e-7, by mu at 0.04 s
PAPER = {"time-step": {0.01: 5.76, 0.02: 3.28, 0.04: 2.96, 0.08: 2.80},
         "stiffness": {1e-6: 3.20, 1e-7: 3.28, 1e-8: 3.24, 1e-10: 4.80}}
AHEAD, LIMIT = 1.2, 16.0      # [s] that a plan looks ahead; after which a push counts as not done


def timed(job):
    """A row of (table, value, seed): a push whose plans look AHEAD, in a model of its own h and mu."""
    name, value, seed = job
    h, mu = (value, 1e-7) if name == "time-step" else (0.04, value)
    given = scenes.task("push", seed)
    given["scene"].update(h=h, mu=mu)
    given["execute"]["mu"] = mu
    given.update(horizon=round(AHEAD / h), frames=round(LIMIT / h))
    found = optimise.optimise(taskfile.from_dict(given, name), Library(real="double"))
    return {"table": name, "h": h, "mu": mu, "seed": seed, "reached": int(found.reached), "frames": len(found.t) - 1,
            "seconds": float(found.t[-1]), "milliseconds": found.milliseconds, "paper_seconds": PAPER[name][value],
            "note": found.note}


def timings(sweep, name, seed, number):
    jobs = [(name, value, seed + k) for value in PAPER[name] for k in range(number)]
    return sweep.run(timed, jobs, "plans", lambda job: f"{job[0]} {job[1]:g}, seed {job[2]}")


def timed_groups(rows, name):
    """[(value, its rows)] of a table."""
    key = "h" if name == "time-step" else "mu"
    return [(value, [row for row in rows if float(row[key]) == value]) for value in PAPER[name]]


def timed_summary(rows, name):
    """Cells per time step or mu."""
    found = []
    for value, own in timed_groups(rows, name):
        done = [row["seconds"] for row in own if row["reached"]]
        found.append([f"{value:g}", f"{len(done)} of {len(own)}", f"{np.median(done):.2f} s" if done else "-",
                      f"{PAPER[name][value]:.2f} s", f"{np.median([row['milliseconds'] for row in own]):.2f} ms"])
    return found


def timed_drawn(rows, name):
    """Simulated seconds of each push beside the paper's."""
    from ..report.plots import LAWS, TRUTH, new_figure, plain
    figure = new_figure(6, 4.5)
    axes = figure.subplots()
    for value, own in timed_groups(rows, name):
        for reached, mark in ((1, "o"), (0, "x")):
            times = [row["seconds"] for row in own if row["reached"] == reached]
            axes.plot([value] * len(times), times, mark, color=LAWS[0], alpha=0.6)
    axes.plot(list(PAPER[name]), list(PAPER[name].values()), "_", color=TRUTH, markersize=24, label="the paper")
    axes.set_xscale("log")
    axes.set_xticks(list(PAPER[name]), [f"{value:g}" for value in PAPER[name]])
    axes.minorticks_off()
    plain(axes, "time until the box is at its mark (x: not met)", "time step [s]" if name == "time-step" else "mu [J m]", "[s]")
    axes.legend(frameon=False, fontsize=8)
    return figure


# ---- Tables and figures of tasks

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
