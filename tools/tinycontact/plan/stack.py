# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The book stack of the paper's Table 2: planks that overhang as far as they can, less 0.1 % of their length.

First springs hold the planks' places in the horizontal plane, until everything rests: the contacts then have tilted the
planks as far as they must, to carry at an edge. Then the springs go, and friction alone holds.
"""
import numpy as np

from . import pair, scenefile, scenes
from .native import NativeScene
from .simulate import split

WEIGHTS = (1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)     # mu [J m]
PAPER = {1e-5: (1.82e-2, 6.38e-3, False), 1e-6: (5.67e-3, 6.40e-4, True), 1e-7: (1.47e-3, 6.42e-5, True),
         1e-8: (4.12e-4, 6.42e-6, True), 1e-10: (3.13e-5, 6.42e-8, True)}   # margin, force error, stands
SPRING = 1e4          # [N/m]
AT_REST = 1e-9        # [m/s]
HELD, RELEASED = 200, 100      # most steps
FELL = 0.05           # [m] a plank that has gone this far has fallen


def _scene(mu, planks, inward, held, friction):
    gap = np.sqrt(0.9 * mu)       # near the margin that will be
    value = scenes.book_stack(planks=planks, inward=inward, gap=float(gap))[0]
    value |= {"mu": mu, "friction": 0.0 if held else friction, "slow": 1e-4, "tolerance": 1e-10, "iterations": 200}
    for body in value["bodies"][1:]:
        if held:
            body |= {"drive": "servo", "driven": ["x", "y"], "stiffness": [SPRING, 0.0], "damping": [0.5, 0.005]}
    return scenefile.from_dict(value, "book-stack")


def _rolled(scene, library, steps, start=None):
    """(coordinates at the end, largest distance of any plank from its start, largest speed at the end, steps, note)"""
    with NativeScene(scene, library) as native:
        state = native.start() if start is None else native.start(start, np.zeros(native.sizes.freedoms))
        first = state[:native.sizes.coordinates].reshape(-1, 7)[:, :3]
        done, note = 0, ""
        while done < steps:
            run = native.roll(state, scene.controls, 10, keep=False)
            done += run.report.done
            state = run.states[-1]
            note = note or (native.told(run.report) if run.report.status < 0 else "")
            moved = np.abs(state[:native.sizes.coordinates].reshape(-1, 7)[:, :3] - first).max()
            q, v = split(native, run.states[-1:])
            speed = float(np.abs(v).max())
            if note or moved > FELL or speed < AT_REST:
                break
        return q[0], float(moved), speed, done, note


def _sets(scene, q):
    """Of all planks the entries of pair.solve."""
    from .simulate import poses
    return [(x + body.pieces[0].vertices @ R.T, x) for body, (R, x) in zip(scene.bodies, poses(scene, q))]


def measured(scene, q, mu):
    """(margins [planks - 1], error of the force on the top plank by its neighbour [N])"""
    found = []
    sets = _sets(scene, q)
    for (a, at_a), (b, at_b) in zip(sets[1:], sets):
        found.append(pair.solve({"A": a.tolist(), "B": b.tolist(), "centre_A": at_a.tolist(), "centre_B": at_b.tolist()},
                                double=True))
    weight = scene.bodies[-1].mass * 9.81
    return np.array([f.gap for f in found]), abs(-mu * float(found[-1].gradient[2]) - weight)


def judged(job):
    """A row of the table: (mu, planks, inward, friction)."""
    from ..library import Library
    mu, planks, inward, friction = job
    library = Library(real="double")
    held = _scene(mu, planks, inward, True, friction)
    q, moved, speed, done, note = _rolled(held, library, HELD)
    rests = moved < FELL and not note
    row = {"mu": mu, "planks": planks, "inward": inward, "held_rests": bool(rests), "held_speed": speed, "held_steps": done,
           "margin_mean": None, "margin_max": None, "force_error": None, "stands": None, "moved": None, "speed": None,
           "paper_margin": None, "paper_force_error": None, "paper_stands": None}
    if rests:
        margins, error = measured(held, q, mu)
        row |= {"margin_mean": float(margins.mean()), "margin_max": float(margins.max()), "force_error": float(error)}
        free = _scene(mu, planks, inward, False, friction)
        _, moved, speed, _, note = _rolled(free, library, RELEASED, q)
        row |= {"stands": bool(moved < FELL and not note and speed < 1e-3), "moved": moved, "speed": speed}
    if mu in PAPER and planks == scenes.PLANKS and inward == 0.001:
        row |= dict(zip(("paper_margin", "paper_force_error", "paper_stands"), PAPER[mu]))
    return row


INWARD = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05)     # shares of a plank's length


def table(sweep, planks=scenes.PLANKS, friction=0.5, weights=WEIGHTS):
    """A row per mu, at 0.1 % inward, and from which share of INWARD on the stack stands when it is released."""
    jobs = [(mu, planks, inward, friction) for mu in weights for inward in INWARD]
    found = sweep.run(judged, jobs, "stacks")
    rows = []
    for k, mu in enumerate(weights):
        own = found[k * len(INWARD):(k + 1) * len(INWARD)]
        standing = [row["inward"] for row in own if row["stands"]]
        rows.append({**own[0], "stands_from": min(standing) if standing else None})
    return rows


def drawn(rows):
    """Margin and force error by mu, beside the paper's."""
    from ..report.plots import LAWS, TRUTH, new_figure, plain
    figure = new_figure(10, 4.2)
    for axes, own, paper, title, unit in zip(figure.subplots(1, 2), ("margin_mean", "force_error"),
                                             ("paper_margin", "paper_force_error"),
                                             ("margin between planks", "error of the top plank's force"), ("[m]", "[N]")):
        for key, colour, label in ((own, LAWS[0], "this library"), (paper, TRUTH, "the paper")):
            points = [(row["mu"], row[key]) for row in rows if row[key] is not None]
            if points:
                axes.loglog(*zip(*points), "o-", color=colour, label=label, linewidth=1)
        plain(axes, title, "mu [J m]", unit)
        axes.legend(frameon=False, fontsize=8)
    return figure


def standing(row):
    """In words, for tables."""
    if not row["held_rests"]:
        return "falls though held"
    return "stands" if row["stands"] else "falls"
