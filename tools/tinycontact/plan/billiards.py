# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The paper's billiards (Figure 5): where a red ball has to start, and how fast, so that two green balls of a rack end at
their marks after 100 steps.

Marks are where the green balls end from a start drawn at random, so that they can be reached. The search begins with the
red ball at rest, far away. Three searches are compared: the paper's (Adam, 400 iterations) on the gradient of the
library; Gauss-Newton steps from there; and the same from the best of several starts that the tool tries. The model with a
local barrier is of NumPy (discs.py): its gradient is 0 there.
"""
import time
from dataclasses import dataclass

import numpy as np

from ..library import Library
from . import scenefile, scenes
from .discs import Discs
from .native import NativeScene

RED, GREEN = 0, (11, 15)          # the corners of the rack's last row
RATE, BETA = 0.03, (0.3, 0.5)     # the paper's Adam
ADAM, STEPS = 400, 40             # iterations of Adam; most of Gauss-Newton
SLOW = 150                        # iterations of Adam before other starts are tried
TRIES, BEST = 100, 6              # starts tried without derivatives; how many of the best are gone on with
SPREADS, AROUND = (0.3, 0.1, 0.03, 0.01), 8    # rounds about these, and starts about each of them
NEAR = 0.05                       # [m] both green balls are this near: solved
REST = np.array([0.0, -1.5, 0.0, 0.0])
LOW, HIGH = np.array([-1.0, -2.0, -3.0, -3.0]), np.array([1.0, -0.6, 3.0, 3.0])
NAMES = ("barrier, Adam", "barrier, Gauss-Newton", "barrier, starts by the tool", "local barrier, Adam")


class Table:
    """Roll-outs of the red ball's start p = x, y, vx, vy, by the library."""

    def __init__(self, library=None):
        value = scenes.scene("billiards")
        self.scene = scenefile.from_dict(value, "billiards")
        for body in self.scene.bodies:
            body.locked = (2,)
        self.native = NativeScene(self.scene, library or Library(real="double"))
        self.rolls = 0

    def _run(self, p, keep):
        q, v = self.scene.coordinates.copy(), self.scene.velocity.copy()
        q[3 * RED:3 * RED + 2], v[3 * RED:3 * RED + 2] = p[:2], p[2:]
        self.rolls += 1
        return self.native.roll(self.native.start(q, v), self.scene.controls, self.scene.steps, keep)

    def ends(self, p):
        """Places [4] of the green balls at the end, or None where the red ball cannot start."""
        run = self._run(p, False)
        if run.report.done < self.scene.steps:
            return None
        return np.concatenate([run.states[-1][3 * k:3 * k + 2] for k in GREEN]).astype(float)

    def path(self, p):
        """Places [steps + 1, balls, 2]."""
        n = self.native.sizes.coordinates
        return np.asarray(self._run(p, False).states[:, :n], float).reshape(-1, len(self.scene.bodies), 3)[:, :, :2]

    def pulled(self, p, seeds_of):
        """(ends, derivatives [seeds, 4] by p of seeds [seeds, 4] . ends), or None; seeds_of(ends) are the seeds."""
        run = self._run(p, True)
        if run.report.done < self.scene.steps:
            return None
        ends = np.concatenate([run.states[-1][3 * k:3 * k + 2] for k in GREEN]).astype(float)
        rows, n = [], self.native.sizes.freedoms
        for seed in seeds_of(ends):
            gradients = np.zeros((self.scene.steps + 1, self.native.sizes.tangent))
            for k, part in zip(GREEN, np.reshape(seed, (2, 2))):
                gradients[-1, 3 * k:3 * k + 2] = part
            by_state, _ = self.native.pull(run, gradients)
            now, before = (by_state[at + 3 * RED:at + 3 * RED + 2] for at in (0, n))
            rows.append(np.concatenate([now + before, -self.scene.h * before]))
        return ends, np.array(rows, float)


class LocalTable:
    """The same by NumPy's discs, whose barrier ends at 5 cm."""

    def __init__(self):
        self.discs = Discs(scenes.scene("billiards"), local=0.05)
        self.rolls = 0

    def pulled(self, p, seeds_of):
        self.rolls += 1
        return self.discs.pulled(p, RED, GREEN, seeds_of)


@dataclass
class Searched:
    p: np.ndarray
    losses: list
    reached: bool


def _each(ends):
    return np.eye(len(ends))


def _reached(ends, marks):
    return ends is not None and bool((np.linalg.norm((ends - marks).reshape(2, 2), axis=1) <= NEAR).all())


def adam(table, marks, start=REST, iterations=ADAM):
    """The paper's search. It ends where the gradient is 0 or the mark is met."""
    p, m, s, losses, best = np.array(start, float), np.zeros(4), np.zeros(4), [], (np.inf, start, None)
    for k in range(1, iterations + 1):
        found = table.pulled(p, lambda ends: 2 * (ends - marks)[None])
        if found is None:     # into another ball: half the way back
            p = 0.5 * (p + best[1])
            continue
        off = found[0] - marks
        losses.append(float(off @ off))
        if losses[-1] < best[0]:
            best = losses[-1], p.copy(), found[0]
        g = found[1][0]
        if _reached(found[0], marks) or not g.any():
            break
        m, s = BETA[0] * m + (1 - BETA[0]) * g, BETA[1] * s + (1 - BETA[1]) * g * g
        p = p - RATE * (m / (1 - BETA[0]**k)) / (np.sqrt(s / (1 - BETA[1]**k)) + 1e-30)
        p = np.clip(p, LOW, HIGH)
    return Searched(best[1], losses, _reached(best[2], marks))


def gauss_newton(table, marks, start=REST, iterations=STEPS):
    """Levenberg's steps, none longer than 0.5, within the range of starts."""
    found = table.pulled(np.array(start, float), _each)
    if found is None:
        return Searched(start, [], False)
    p, (ends, J), damping = np.array(start, float), found, None
    losses = [float((ends - marks) @ (ends - marks))]
    for _ in range(iterations):
        off = ends - marks
        if _reached(ends, marks) and losses[-1] < 1e-4:
            break
        g, H = J.T @ off, J.T @ J
        damping = damping or max(1e-12, np.abs(g).max() / 0.5)
        step = -np.linalg.solve(H + damping * np.eye(4), g)
        step *= min(1.0, 0.5 / max(np.linalg.norm(step), 1e-300))
        trial = np.clip(p + step, LOW, HIGH)
        new = table.pulled(trial, _each) if np.abs(trial - p).max() > 1e-9 else None
        if new is not None and (new[0] - marks) @ (new[0] - marks) < losses[-1]:
            p, (ends, J), damping = trial, new, damping / 5
            losses.append(float((ends - marks) @ (ends - marks)))
        else:
            damping *= 4
            if np.abs(trial - p).max() < 1e-6:
                break
    return Searched(p, losses, _reached(ends, marks))


def _aimed(rng):
    """A start from which the red ball meets the rack."""
    at = rng.uniform(LOW[:2], HIGH[:2])
    to = np.array([rng.uniform(-0.5, 0.5), rng.uniform(0.0, 0.7)])
    speed = rng.uniform(0.8, 2.8)
    return np.concatenate([at, speed * (to - at) / np.linalg.norm(to - at)])


def chosen(table, marks, seed):
    """The tool's search, until the marks are met: from rest by Gauss-Newton, then by Adam, then by Gauss-Newton from the
    best of many starts."""
    for search in (gauss_newton, lambda *it: adam(*it, iterations=SLOW)):
        found = search(table, marks)
        if found.reached:
            return found
    best, losses = found, list(found.losses)
    for p in _nearest(table, marks, np.random.default_rng(seed + 10_000)):
        found = gauss_newton(table, marks, np.array(p))
        losses += found.losses
        if not best.losses or min(found.losses) < min(best.losses):
            best = found
        if found.reached:
            break
    return Searched(best.p, losses, best.reached)


def _nearest(table, marks, rng):
    """Starts that end near the marks, without derivatives: TRIES at random, then in rounds ever nearer to the best ones."""
    tried = []

    def attempt(p):
        ends = table.ends(p)
        if ends is not None:
            tried.append((float((ends - marks) @ (ends - marks)), tuple(p)))
    for _ in range(TRIES):
        attempt(_aimed(rng))
    for spread in SPREADS:
        for _, p in sorted(tried)[:BEST]:
            for _ in range(AROUND):
                attempt(np.clip(np.array(p) + spread * rng.normal(size=4) * (0.3, 0.3, 1, 1), LOW, HIGH))
    return [p for _, p in sorted(tried)[:BEST]]


def marks_of(table, seed):
    """Marks that a start drawn at random reaches, and that are not met already."""
    rng = np.random.default_rng(seed)
    rest = table.ends(REST)
    while True:
        ends = table.ends(_aimed(rng))
        if ends is not None and np.linalg.norm((ends - rest).reshape(2, 2), axis=1).min() > 2 * NEAR:
            return ends


def judged(job):
    """Rows of one draw of marks, one per search: (seed, number)."""
    seed, number = job
    table = Table()
    marks = marks_of(table, 1000 * seed + number)
    rows = []
    for name in NAMES:
        own = LocalTable() if name.startswith("local") else table
        own.rolls, began = 0, time.process_time()
        if name.endswith("tool"):
            found = chosen(own, marks, 1000 * seed + number)
        else:
            found = (gauss_newton if name.endswith("Newton") else adam)(own, marks)
        rows.append({"search": name, "seed": seed, "run": number, "reached": int(found.reached),
                     "loss_start": found.losses[0] if found.losses else None,
                     "loss": min(found.losses) if found.losses else None, "rolls": own.rolls,
                     "seconds": time.process_time() - began, **{f"p{k}": float(x) for k, x in enumerate(found.p)}})
    return rows


def table(sweep, seed=1, number=10):
    """Rows of all draws."""
    rows = sweep.run(judged, [(seed, k) for k in range(number)], "draws of marks")
    return [row for group in rows for row in group]


def summary(rows):
    """Cells per search: solved, loss, roll-outs, seconds."""
    found = []
    for name in dict.fromkeys(row["search"] for row in rows):
        own = [row for row in rows if row["search"] == name]
        loss = [row["loss"] for row in own if row["loss"] is not None]
        found.append([name, f"{sum(row['reached'] for row in own)} of {len(own)}", f"{np.median(loss):.2e}" if loss else "-",
                      f"{np.median([row['rolls'] for row in own]):.0f}", f"{np.median([row['seconds'] for row in own]):.2f} s"])
    return found


def drawn(rows, seed):
    """The first draw's best paths, and the losses of all searches."""
    from ..report.plots import LAWS, TRUTH, new_figure, plain
    from .picture import Drawing, View
    figure = new_figure(11, 5)
    left, right = figure.subplots(1, 2)
    own = Table()
    solved = [row for row in rows if row["reached"] and not row["search"].startswith("local")] or rows
    row = solved[0]
    marks = marks_of(own, 1000 * seed + row["run"])
    path = own.path(np.array([row[f"p{k}"] for k in range(4)]))
    view = View(own.scene.name, (0, 1), [(mark, NEAR) for mark in marks.reshape(2, 2)])
    drawing = Drawing(own.scene, left, view)
    for k in range(path.shape[1]):
        left.plot(*path[:, k].T, color=Drawing.colour(k), linewidth=0.7)
    drawing.bodies(np.column_stack([path[-1], np.zeros(path.shape[1])]).ravel())
    left.set(title=f"{row['search']}, draw {row['run']}")
    names = list(dict.fromkeys(row["search"] for row in rows))
    for k, name in enumerate(names):
        values = [max(row["loss"], 1e-9) for row in rows if row["search"] == name and row["loss"] is not None]
        right.semilogy([k] * len(values), values, "o", color=(*LAWS, TRUTH)[k % 5], alpha=0.6)
    right.set_xticks(range(len(names)), [name.replace(", ", ",\n") for name in names], fontsize=8)
    plain(right, "loss at the end, a point per draw of marks", "", "[m^2]")
    return figure
