# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A picture of a roll-out: the paths of the bodies along the two axes that they move along most, and their speeds."""
import numpy as np

from ..report.plots import LAWS, new_figure

MOST_LABELS = 8


def paths(found):
    scene = found.scene
    moving = [k for k, body in enumerate(scene.bodies) if body.moving]
    figure = new_figure(10, 4.2)
    left, right = figure.subplots(1, 2)
    if moving:
        across, up = _axes(found.poses[:, moving, :3])
        for i, k in enumerate(moving):
            colour, x = LAWS[i % len(LAWS)], found.poses[:, k]
            left.plot(x[:, across], x[:, up], color=colour, linewidth=0.9, label=scene.names[k])
            left.plot(x[0, across], x[0, up], "o", color=colour, markersize=4)
            right.plot(found.t, np.linalg.norm(found.velocities[:, k, :3], axis=1), color=colour, linewidth=0.9)
        left.set(xlabel=f"{'xyz'[across]} [m]", ylabel=f"{'xyz'[up]} [m]", aspect="equal", adjustable="datalim")
        for at in (0, -1):
            for line in _ties(scene.ties, found.poses[at]):
                left.plot(line[:, across], line[:, up], color="0.6", linewidth=0.8, linestyle=":" if at == 0 else "-", zorder=0)
        if len(moving) <= MOST_LABELS:
            left.legend(frameon=False, fontsize=8)
    left.set(title=f"{scene.name}: centres of mass")
    right.set(title="speed", xlabel="time [s]", ylabel="speed [m/s]")
    return figure


def _ties(ties, poses):
    """Lines [n, 3] of joints and springs: from the centres of the bodies that move by the two points."""
    for tie in [joint for joint in ties.joints if not joint.helps] + ties.springs:
        line = []
        for point, end in ((tie.a, 0), (tie.b, 1)):
            pose = None if point.body < 0 else poses[point.body]
            there = [ties.place(point, pose)]
            if pose is not None and ties.scene.bodies[point.body].moving:
                there.append(pose[:3])
            line += there if end else there[::-1]
        yield np.array(line)


def _axes(positions):
    """The two axes of the largest ranges, in the order of x, y, z."""
    ranges = (positions.max(axis=0) - positions.min(axis=0)).max(axis=0)
    least = int(np.argmin(ranges + 1e-9 * np.array([0, -1, 1])))   # of equal ones y
    return [k for k in range(3) if k != least]
