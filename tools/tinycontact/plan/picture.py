# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Pictures of scenes of `tinycontact plan`: outlines of all bodies along their paths, and what changes over time."""
import io
from dataclasses import dataclass, field

import numpy as np

from ..report.plots import LAWS, TRUTH, new_figure, plain
from .simulate import poses

OUTLINES = 10     # of a body along its path
FRAMES = 60       # of an animation, at most
MOST_LABELS = 8


def axes_of(scene):
    """The two axes that a picture shows: of space x and z, or x and y where gravity does not pull along z."""
    return (0, 1) if scene.dimension == 2 or not scene.gravity[2] else (0, 2)


@dataclass
class View:
    """What a picture shows beside bodies. axes: the two that are shown; goals: [(place [2], tolerance)], nan where a place
    is free; aims: coordinates [3] of bodies in the plane whose place and angle are goals, by the body's index."""
    title: str
    axes: tuple
    goals: list = field(default_factory=list)
    aims: dict = field(default_factory=dict)


def view_of(task):
    """The View of a task: in space of the two axes that its goals are about, seen from the side where that is open."""
    scene, goals, aims = task.scene, [], {}
    for goal in task.goals:
        body = scene.names.index(goal.body)
        if scene.bodies[body].joint == "free":
            first, place = goal.at - scene.spans[body][0].start, np.full(3, np.nan)
            place[first:first + len(goal.target)] = goal.target
            goals.append((place, goal.tolerance))
            if scene.dimension == 2:
                aims[body] = np.where(np.isnan(place), aims.get(body, place), place)
    aims = {body: place for body, place in aims.items() if not np.isnan(place).any()}
    sides = [axes_of(scene), *(((0, 1), (1, 2)) if scene.dimension == 3 else ())]
    axes = max(sides, key=lambda side: sum(np.isfinite(place[list(side)]).sum() for place, _ in goals))
    return View(task.name, axes, [(place[list(axes)], tolerance) for place, tolerance in goals], aims)


def hull(points):
    """Corners of the convex hull of points [n, 2], counter-clockwise."""
    order = sorted(set(map(tuple, points.tolist())))
    if len(order) < 3:
        return np.array(order)

    def half(sequence):
        kept = []
        for p in sequence:
            while len(kept) > 1 and _left(kept[-2], kept[-1], p) <= 0:
                kept.pop()
            kept.append(p)
        return kept[:-1]
    return np.array(half(order) + half(order[::-1]))


def _left(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def outline(piece, R, x, shown):
    """The piece's outline [n, 2], with its rounding."""
    points = (x + piece.vertices @ R.T)[:, list(shown)]
    if piece.radius > 0:
        angle = np.linspace(0, 2 * np.pi, 25)[:-1]
        points = (points[:, None] + piece.radius * np.column_stack([np.cos(angle), np.sin(angle)])).reshape(-1, 2)
    return hull(points)


class Drawing:
    """The bodies of a scene on axes."""

    def __init__(self, scene, axes, view):
        self.scene, self.axes, self.shown = scene, axes, view.axes
        axes.set(aspect="equal", adjustable="datalim", xlabel=f"{'xyz'[self.shown[0]]} [m]", ylabel=f"{'xyz'[self.shown[1]]} [m]")
        axes.spines[["top", "right"]].set_visible(False)
        for floor in scene.floors:
            n = floor.normal[list(self.shown)]
            if np.linalg.norm(n) > 0.5:
                at = floor.offset * n
                axes.axline(at, at + np.array([-n[1], n[0]]), color="#9aa5b8", linewidth=1)
        for place, tolerance in view.goals:
            self._goal(place, max(tolerance, 0.01))
        for body, (x, y, angle) in view.aims.items():
            R = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            for piece in scene.bodies[body].pieces:
                points = outline(piece, R, np.array([x, y]), self.shown)
                axes.fill(*points.T, facecolor="none", edgecolor=TRUTH, linestyle=":", linewidth=1.2, zorder=5)

    def _goal(self, place, r):
        """A circle about a goal's place, or a line where it names one coordinate."""
        style = {"linestyle": "--", "color": TRUTH, "linewidth": 1.4, "zorder": 5}
        if np.isfinite(place).all():
            angle = np.linspace(0, 2 * np.pi, 60)
            self.axes.plot(place[0] + r * np.cos(angle), place[1] + r * np.sin(angle), **style)
        elif np.isfinite(place[0]):
            self.axes.axvline(place[0], **style)
        elif np.isfinite(place[1]):
            self.axes.axhline(place[1], **style)

    @staticmethod
    def colour(k):
        return LAWS[k % len(LAWS)]

    def bodies(self, q, alpha=1.0, filled=False):
        """Outlines at coordinates q."""
        at = poses(self.scene, np.asarray(q, float))
        for k, body in enumerate(self.scene.bodies):
            for piece in body.pieces:
                points = outline(piece, *at[k], self.shown)
                if len(points) > 1:
                    self.axes.fill(*points.T, facecolor=self.colour(k) if filled else "none", edgecolor=self.colour(k),
                                   alpha=alpha, linewidth=1)
                else:
                    self.axes.plot(*points.T, ".", color=self.colour(k), alpha=alpha)

    def paths(self, q):
        """Of all centres of mass; q [rows, coordinates]."""
        places = np.array([[x[list(self.shown)] for _, x in poses(self.scene, row)] for row in np.asarray(q, float)])
        for k, body in enumerate(self.scene.bodies):
            label = body.name if len(self.scene.bodies) <= MOST_LABELS else None
            self.axes.plot(*places[:, k].T, color=self.colour(k), linewidth=0.8, label=label)
        if len(self.scene.bodies) <= MOST_LABELS:
            self.axes.legend(frameon=False, fontsize=8)


def motion(axes, scene, q, view=None):
    """Outlines along the path: faint, but the last."""
    view = view or View(scene.name, axes_of(scene))
    drawing = Drawing(scene, axes, view)
    for k in sorted({round(x) for x in np.linspace(0, len(q) - 1, OUTLINES)}):
        drawing.bodies(q[k], alpha=1.0 if k == len(q) - 1 else 0.3, filled=k == len(q) - 1)
    drawing.paths(q)
    axes.set(title=view.title)


def simulated(found):
    """A roll-out: outlines on the left, speeds on the right."""
    figure = new_figure(11, 4.6)
    left, right = figure.subplots(1, 2)
    motion(left, found.scene, found.q)
    for k, (body, (_, free)) in enumerate(zip(found.scene.bodies, found.scene.spans)):
        v = found.v[:, free]
        if v.shape[1]:
            right.plot(found.t, np.linalg.norm(v[:, :found.scene.dimension] if body.joint == "free" else v, axis=1),
                       color=Drawing.colour(k), linewidth=0.9)
    plain(right, "speeds", "time [s]", "[m/s], of joints [rad/s]")
    return figure


def convergence(axes, curves, title, y):
    """{label: values per iteration}, on a logarithmic scale where all are above 0."""
    positive = all((np.asarray(values) > 0).all() for values in curves.values() if len(values))
    for colour, (label, values) in zip((*LAWS, TRUTH), curves.items()):
        axes.plot(np.arange(len(values)), values, color=colour, linewidth=1, label=label)
    if positive:
        axes.set_yscale("log")
    plain(axes, title, "iteration", y)
    if len(curves) > 1:
        axes.legend(frameon=False, fontsize=8)


def animated(scene, q, view=None, seconds=None):
    """A GIF of the motion, in real time or in `seconds`."""
    view = view or View(scene.name, axes_of(scene))
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image
    q = np.asarray(q, float)
    rows = sorted({round(x) for x in np.linspace(0, len(q) - 1, min(FRAMES, len(q)))})
    all_places = np.concatenate([_extent(scene, q[k], view.axes) for k in rows[::max(1, len(rows) // 10)] + rows[-1:]])
    low, high = all_places.min(0), all_places.max(0)
    edge = 0.05 * max(high - low) + 0.02
    figure = new_figure(5.5, 5.5 * min(1.4, max(0.4, (high[1] - low[1] + 2 * edge) / (high[0] - low[0] + 2 * edge))))
    figure.set_layout_engine("none")     # laid out anew, each frame would take ten times as long
    canvas, axes, frames = FigureCanvasAgg(figure), figure.subplots(), []
    for k in rows:
        axes.clear()
        Drawing(scene, axes, view).bodies(q[k], filled=True)
        axes.set(xlim=(low[0] - edge, high[0] + edge), ylim=(low[1] - edge, high[1] + edge), adjustable="box",
                 title=f"{view.title}, {k * scene.h:.2f} s")
        canvas.draw()
        frames.append(Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3]).quantize(64))
    held = io.BytesIO()
    whole = seconds or scene.h * len(q)
    frames[0].save(held, "GIF", save_all=True, append_images=frames[1:], loop=0,
                   duration=max(20, round(1000 * whole / len(frames))))
    return held.getvalue()


def _extent(scene, q, shown):
    at = poses(scene, q)
    return np.concatenate([np.zeros((0, 2)), *(outline(piece, *at[k], shown) for k, body in enumerate(scene.bodies)
                                               for piece in body.pieces)])
