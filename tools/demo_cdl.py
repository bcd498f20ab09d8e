# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The contact integrator of `make demo`: the paper's ball and cradle, by their laws and by nets that learned them from
one noisy run, rolled out on the emulated board beside the host, where every bit must be the same."""
import pathlib

import numpy as np

from demo_throw import Canvas

ROWS = 8   # of the terminal, per system


class Pair:
    """One system: its roll-outs by law and by nets, on the board and on the host."""

    def __init__(self, system, model, board, host):
        from tinycontact.cdl.simulate import simulate, simulate_model
        self.system = system
        self.given = [simulate(system, computer) for computer in (board, host)]
        self.learned = [simulate_model(model, system.Q0, system.V0, system.steps, computer, f"{system.name}, learned")
                        for computer in (board, host)]

    def differing(self):
        """The first number in which board and host differ, in words, of each roll-out where one does."""
        for there, here in (self.given, self.learned):
            for field in ("Q", "V", "contact", "energy"):
                ours, theirs = (np.reshape(getattr(run, field), (self.system.steps + 1, -1)) for run in (there, here))
                rows = np.flatnonzero((ours != theirs).any(axis=1))
                if len(rows):
                    yield f"{there.name}: {field} differs from step {rows[0]} on"

    def judged(self):
        """How well the nets do, in words."""
        law, nets = self.given[0], self.learned[0]
        hits = [np.flatnonzero(run.contact) for run in (law, nets)]
        unit = "rad" if self.system.potential == "pendulum" else "m"
        same = "at the same steps" if np.array_equal(*hits) else f"and {len(hits[1])} learned, at other steps"
        return (f"{self.system.name}: {len(hits[0])} impacts, {same}; learned within"
                f" {np.abs(law.Q - nets.Q).max():.3f} {unit} of its law over {self.system.steps} steps")


def run(board, file, models):
    """[Pair] of the systems of a file, each with the model of its name."""
    import tinycontact
    from tinycontact.cdl import systems

    given, _ = systems.load(file)
    host = tinycontact.Library()
    with tinycontact.Board(board) as there:
        return [Pair(system, pathlib.Path(models, f"{system.name}.tcm"), there, host) for system in given]


def sketch(pair, columns=96):
    """Positions over time in the terminal: lines by law, on the board; the nets' lie on them."""
    law, nets = pair.given[0].Q, pair.learned[0].Q
    low, high = min(law.min(), nets.min()), max(law.max(), nets.max())
    top = 4 * ROWS / (2 * columns)   # of a canvas one wide
    canvas = Canvas(columns, 0, 1, top)
    time = np.arange(len(law)) / len(law)
    points = lambda Q, k: zip(time, (Q[:, k] - low) / (high - low) * top * 0.97)
    for k in range(law.shape[1]):
        path = list(points(law, k))
        for start, end in zip(path, path[1:]):
            canvas.line(start, end)
        for point in points(nets, k):
            canvas.dot(*point)
    return canvas.text() + ["▔" * columns]


def draw(pairs, board, file):
    """Positions over time and phase plots as a PNG: on a broad band that is the host, the board; dashed the nets."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(len(pairs), 2, figsize=(13, 4 * len(pairs)), constrained_layout=True,
                                     squeeze=False)
    for (left, right), pair in zip(panels, pairs):
        there, here = pair.given
        time = pair.system.h * np.arange(len(here.Q))
        for k in range(here.Q.shape[1]):
            first = k == 0
            for axes, x, ys in ((left, lambda run: time, "Q"), (right, lambda run: run.Q[:, k], "V")):
                path = lambda run: (x(run), getattr(run, ys)[:, k])
                axes.plot(*path(here), color="tab:orange", lw=6, alpha=0.4, label="host" if first else None)
                axes.plot(*path(there), color="tab:blue", lw=1.4, label=board if first else None)
                axes.plot(*path(pair.learned[0]), "--", color="black", lw=0.9,
                          label=f"{board}, learned" if first else None)
        unit = "rad" if pair.system.potential == "pendulum" else "m"
        left.set(title=pair.judged(), xlabel="time [s]", ylabel=f"position [{unit}]")
        right.set(title=f"{pair.system.name}: phase", xlabel=f"position [{unit}]", ylabel=f"velocity [{unit}/s]")
        left.title.set_fontsize(9)
        left.legend(fontsize=8, loc="upper right")
    figure.savefig(file, dpi=90)
    pyplot.close(figure)
