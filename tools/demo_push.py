# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The pushes of `make demo`: a fingertip finds its way round a block and pushes it to a mark, planned on the emulated board
by boards/apps/push. The same text runs on the host: every number of the two has the same bits. The terminal shows one push,
and a PNG draws all.
"""
import collections

import demo_throw
import numpy as np

BLOCK = np.array([[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]])   # [m] as in boards/apps/push/push.c
ENDS = np.array([[0, -0.05], [0, 0.05]])
MARK = (0.8, 0.0)
NEAR = 0.05       # [m]
FRAME = 0.04      # [s]
SHOWN = 1

Push = collections.namedtuple("Push", "frames distance nearest")   # frames [n, 6]: block and finger x, y, angle


def parsed(text):
    """{number: Push} of what the application printed."""
    frames, pushes = collections.defaultdict(list), {}
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["at"]:
            frames[int(words[1])].append([float(word) for word in words[3:9]])
        elif words[:1] == ["end"]:
            number = int(words[1])
            pushes[number] = Push(np.array(frames[number]), float(words[3]) / 1e3, float(words[4]) / 1e6)
    return pushes


def run(on_board, on_host):
    """({number: Push} of the board, how many of its lines differ from the host's)."""
    outputs = []
    for command in (on_board, on_host):
        done = demo_throw.limits.run(command, shell=True)
        if done.status != 0:
            raise demo_throw.BoardFailed(done.reason or done.output[-500:])
        outputs.append([line for line in done.output.splitlines() if line.split()[:1] in (["at"], ["end"])])
    board, host = outputs
    differing = sum(a != b for a, b in zip(board, host)) + abs(len(board) - len(host))
    return parsed("\n".join(board)), differing


def told(pushes):
    """Lines of text: each push."""
    for number, push in sorted(pushes.items()):
        away = np.rad2deg(np.arctan2(push.frames[0, 4], push.frames[0, 3]))
        there = "" if push.distance <= NEAR else ", not there"
        yield (f"push {number}: the finger begins {away:+.0f} degrees beside the way to the mark; after"
               f" {FRAME * (len(push.frames) - 1):.1f} s the block is {1e3 * push.distance:.0f} mm from the mark{there};"
               f" nearest {1e6 * push.nearest:.0f} um, never through")


def finger(pose):
    """The two ends of the finger's core."""
    x, y, angle = pose
    return ENDS @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) + (x, y)


def shown(push, count):
    """The frames that a picture shows: evenly along both ways."""
    moves = np.hypot(*np.diff(push.frames[:, 0:2], axis=0).T) + np.hypot(*np.diff(push.frames[:, 3:5], axis=0).T)
    way = np.concatenate([[0], np.cumsum(moves)])
    return push.frames[np.unique(np.searchsorted(way, np.linspace(0, way[-1], count)).clip(0, len(way) - 1))]


def sketch(push, columns=56):
    """One push in the terminal: outlines of the block, the finger's path as dots, the mark as a cross."""
    every = np.vstack([push.frames[:, 0:2], push.frames[:, 3:5], [MARK]])
    low, high = every.min(0) - 0.15, every.max(0) + 0.15
    canvas = demo_throw.Canvas(columns, low[0], high[0], high[1] - low[1])
    down = np.array([0, low[1]])
    for frame in shown(push, 6):
        around = demo_throw.corners(frame[:3], BLOCK) - down
        for start, end in zip(around[:-1], around[1:]):
            canvas.line(start, end)
        canvas.line(*(finger(frame[3:]) - down))
    for _, _, _, x, y, _ in push.frames:
        canvas.dot(x, y - low[1])
    for side in (1, -1):
        canvas.line(MARK - down - (0.03, side * 0.03), MARK - down + (0.03, side * 0.03))
    return canvas.text()


def draw(pushes, board, file):
    """All pushes as a PNG, seen from above: from pale to dark the block and the finger as time goes on."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, len(pushes), figsize=(4.6 * len(pushes), 5.6), constrained_layout=True,
                                     sharex=True, sharey=True, squeeze=False)
    for panel, (number, push) in zip(panels.flat, sorted(pushes.items())):
        frames = shown(push, 12)
        for shade, frame in zip(np.linspace(0.25, 1, len(frames)), frames):
            panel.fill(*demo_throw.corners(frame[:3], BLOCK).T, fc="none", ec="tab:blue", alpha=shade)
            panel.plot(*finger(frame[3:]).T, color="tab:orange", lw=5, alpha=shade, solid_capstyle="round")
        panel.plot(*push.frames[:, 3:5].T, color="tab:orange", lw=1, label="fingertip, planned on the board")
        panel.plot(*push.frames[:, 0:2].T, color="tab:blue", lw=1, label="block")
        panel.add_artist(pyplot.Circle(MARK, NEAR, fc="none", ec="tab:green", lw=2))
        panel.plot(*MARK, "+", color="tab:green", ms=12, label="mark")
        panel.set_aspect("equal", adjustable="box")
        panel.set_title(f"push {number}: {FRAME * (len(push.frames) - 1):.1f} s, {1e3 * push.distance:.0f} mm from the mark",
                        fontsize=10)
    panels.flat[0].legend(fontsize=9, loc="lower left")
    figure.suptitle(f"Round the block and push, planned on an emulated {board}; seen from above, metres")
    figure.savefig(file, dpi=90)
    pyplot.close(figure)
