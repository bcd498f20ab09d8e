# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The throws of `make demo`: the paper's rectangle on the emulated board, a simulator's beside it.

The board (boards/apps/throw) predicts with its trained model; DART, the ground truth, simulates the same ten throws on the
host. A table compares them, the terminal shows one throw, and a PNG draws all.
"""
import collections
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent / "evidence"))

import limits   # noqa: E402  (the path comes first)

SHOWN = 7          # the paper's own choice for its Fig. 4
BRAILLE = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))   # dots of a cell, [row][column]

Throw = collections.namedtuple("Throw", "path time distance angle bounces")   # path [n, 4]: t, x, y, theta


class BoardFailed(Exception):
    """The board did not finish its throws."""


def run(command):
    """{number: Throw} of what the board printed."""
    done = limits.run(command, shell=True)
    if done.status != 0:
        raise BoardFailed(done.reason or done.output[-500:])
    paths, throws = collections.defaultdict(list), {}
    for line in done.output.splitlines():
        words = line.split()
        if words[:1] == ["at"]:
            paths[int(words[1])].append([float(word) for word in words[2:]])
        elif words[:1] == ["rest"]:
            number = int(words[1])
            time, distance, angle = map(float, words[2:5])
            throws[number] = Throw(np.array(paths[number]), time, distance, angle, int(words[5]))
    return throws


def simulate(shape, numbers):
    """({number: Throw}, outline) of the same throws in DART."""
    from tinycontact.sim import dart, shapes, throws

    body = shapes.load(shape)
    position, velocity = throws.starts([throws.FIG5[number - 1] for number in numbers])
    paths = []
    results = dart.throw(body, position, velocity, record=lambda _, path: paths.append(path[:, :3]))
    return {number: Throw(np.column_stack([np.arange(len(path)) * body.h, path]), results.steps[i] * body.h,
                          results.distance[i], results.angle[i], results.bounces[i])
            for i, (number, path) in enumerate(zip(numbers, paths))}, np.asarray(body.vertices)


def table(board, truth):
    """Lines of text: each throw here and there."""
    lines = ["throw   bounces        distance [m]            angle [deg]      ", "       board truth    board   truth  off mm     board  truth"]
    for number, ours in sorted(board.items()):
        true = truth[number]
        lines.append(f"  {number:3}{ours.bounces:7}{true.bounces:6}{ours.distance:9.3f}{true.distance:8.3f}"
                     f"{1000 * abs(ours.distance - true.distance):8.1f}{np.rad2deg(ours.angle):10.0f}"
                     f"{np.rad2deg(true.angle):7.0f}")
    return lines


class Canvas:
    """A picture of braille dots, x to the right and y up."""

    def __init__(self, columns, left, right, top):
        self.left, self.scale = left, 2 * columns / (right - left)   # dots per metre, the same in y
        self.cells = np.zeros((int(np.ceil(top * self.scale / 4)), columns), int)

    def dot(self, x, y):
        column, row = int((x - self.left) * self.scale), 4 * len(self.cells) - 1 - int(y * self.scale)
        if 0 <= row < 4 * len(self.cells) and 0 <= column < 2 * len(self.cells[0]):
            self.cells[row // 4, column // 2] |= BRAILLE[row % 4][column % 2]

    def line(self, start, end):
        for share in np.linspace(0, 1, 2 + int(2 * self.scale * np.hypot(*np.subtract(end, start)))):
            self.dot(*(np.asarray(start) * (1 - share) + np.asarray(end) * share))

    def text(self):
        return ["".join(chr(0x2800 + cell) for cell in row) for row in self.cells]


def corners(pose, outline):
    """[n + 1, 2] world corners, closed, of an outline at (x, y, theta)."""
    x, y, theta = pose
    turn = np.array([[np.cos(theta), np.sin(theta)], [-np.sin(theta), np.cos(theta)]])
    around = outline @ turn + (x, y)
    return np.vstack([around, around[:1]])


def moments(path, count):
    """Times at which outlines are drawn: evenly along the way, the last included."""
    way = np.concatenate([[0], np.cumsum(np.hypot(np.diff(path[:, 1]), np.diff(path[:, 2])))])
    return path[np.unique(np.searchsorted(way, np.linspace(0, way[-1], count)).clip(0, len(path) - 1)), 0]


def outlines(path, times, outline):
    """The body at these times."""
    poses = np.column_stack([np.interp(times, path[:, 0], column) for column in path.T[1:]])
    return [corners(pose, outline) for pose in poses]


def sketch(ours, true, outline, columns=96):
    """The board's throw in the terminal: outlines of the body, the paths of both centres as dots."""
    xs = np.concatenate([ours.path[:, 1], true.path[:, 1]])
    left, right = xs.min() - 0.15, xs.max() + 0.15
    bodies = outlines(ours.path, moments(ours.path, 9), outline)
    canvas = Canvas(columns, left, max(right, left + 1.0), np.max(bodies, axis=(0, 1))[1])
    for around in bodies:
        for start, end in zip(around[:-1], around[1:]):
            canvas.line(start, end)
    for throw in (ours, true):
        for _, x, y, _ in throw.path:
            canvas.dot(x, y)
    return canvas.text() + ["▔" * columns]


def draw(board, truth, outline, file):
    """All throws as a PNG: outlines on the board and the centre's path on it, on a broad band that is the
    simulator's."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(5, 2, figsize=(13, 14), constrained_layout=True)
    for panel, (number, ours) in zip(panels.flat, sorted(board.items())):
        true = truth[number]
        panel.plot(true.path[:, 1], true.path[:, 2], color="tab:orange", lw=7, alpha=0.5, solid_capstyle="round",
                   label="DART on the host")
        panel.plot(ours.path[:, 1], ours.path[:, 2], color="tab:blue", lw=1.6, label="tinycontact on the board")
        for around in outlines(ours.path, moments(ours.path, 10), outline):
            panel.plot(*around.T, color="tab:blue", lw=0.8, alpha=0.7)
        panel.add_artist(pyplot.Rectangle((-9, -9), 18, 9, color="0.85", zorder=0))   # the floor claims no room
        panel.axhline(0, color="0.4", lw=1)
        panel.set_aspect("equal", adjustable="datalim")   # panels of one size, each with its own scale
        panel.set_title(f"throw {number}: {ours.bounces} {'bounce' if ours.bounces == 1 else 'bounces'},"
                        f" {ours.distance:.3f} m, {np.rad2deg(ours.angle):.0f} deg; DART {true.bounces},"
                        f" {true.distance:.3f} m, {np.rad2deg(true.angle):.0f} deg", fontsize=10)
    panels.flat[0].legend(fontsize=9, loc="upper right")
    figure.suptitle("The ten throws of Jiang & Liu's Fig. 5; x and y in metres")
    figure.savefig(file, dpi=90)
    pyplot.close(figure)
