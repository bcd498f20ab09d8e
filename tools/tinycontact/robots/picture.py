# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A drawing of a robot file: what was understood, to be compared with the machine."""
import numpy as np

from ..errors import TinycontactError
from ..report.plots import LAWS, TRUTH, new_figure, plain
from .motion import move
from .posture import home_of

BASE, MASS, FOOT = "#8a93a3", LAWS[0], LAWS[3]
VIEWS = (("from the left", (0, 2), "x forward [m]", "z up [m]"), ("from the front", (1, 2), "y left [m]", "z up [m]"),
         ("from above", (0, 1), "x forward [m]", "y left [m]"))
LIMBS = (LAWS[1], LAWS[2], TRUTH, "#b07aa1")
AXIS = 0.12   # of the reach: an axis that is drawn


def _points(limb, q):
    """(joints [n, 3], axes [n, 3], centres of mass [n, 3], foot [3]) from the base's origin."""
    joints, axes, masses = [], [], []
    for k in range(limb.joints):
        part = _first(limb, k + 1, limb.links[k].com)
        m = move(part, q[:k + 1], np.zeros(k + 1))
        masses.append(m.centre), axes.append(m.axes[:, k])
        joints.append(move(_first(limb, k + 1, np.zeros(3)), q[:k + 1], np.zeros(k + 1)).centre)
    return np.array(joints), np.array(axes), np.array(masses), move(limb, q, np.zeros(limb.joints)).centre


def _first(limb, count, point):
    """The limb's first links, its foot at a point of the last of them."""
    from dataclasses import replace
    return replace(limb, links=limb.links[:count], foot=replace(limb.foot, center=np.asarray(point, float)))


def _draw_limb(axes, pick, limb, colour, first):
    joints, turning, masses, foot = _points(limb, limb.home)
    line = np.concatenate([np.zeros((1, 3)), joints, foot[None]])[:, pick]
    axes.plot(*line[:2].T, color=BASE, linewidth=2, zorder=1)
    axes.plot(*line[1:].T, color=colour, linewidth=3.5, solid_capstyle="round", alpha=0.75, zorder=2, label=limb.name)
    most = max(link.mass for link in limb.links)
    for joint, axis, link, mass in zip(joints, turning, limb.links, masses):
        along = axis * AXIS * limb.reach
        axes.annotate("", (joint + along)[list(pick)], (joint - along)[list(pick)],
                      arrowprops={"arrowstyle": "-|>", "color": TRUTH, "linewidth": 0.9}, zorder=6)
        axes.update_datalim(np.array([joint + along, joint - along])[:, pick])   # annotations have none of their own
        axes.scatter(*mass[list(pick)], s=12 + 60 * link.mass / most, marker="P", color=MASS, zorder=5, linewidths=0)
    axes.scatter(*foot[list(pick)], s=40, color=FOOT, zorder=4, label="foot" if first else None)


def draw(robot):
    """A Figure: three views of the robot at home."""
    try:
        robot, where = home_of(robot), "at home"
    except TinycontactError:
        from dataclasses import replace
        robot = replace(robot, limbs=[replace(limb, home=np.zeros(limb.joints)) for limb in robot.limbs])
        where = "joints at 0"
    figure = new_figure(13, 5)
    panels = figure.subplots(1, 3)
    for axes, (title, pick, across, up) in zip(panels, VIEWS):
        for k, limb in enumerate(robot.limbs):
            _draw_limb(axes, pick, limb, LIMBS[k], k == 0)
        axes.scatter(*robot.imu[list(pick)], marker="D", s=30, color=BASE, zorder=7, label="IMU")
        axes.scatter(*robot.base.com[list(pick)],
                     marker="P",
                     s=90,
                     color=MASS,
                     zorder=5,
                     linewidths=0,
                     label="centre of mass")
        plain(axes, title, across, up)
        axes.set_aspect("equal", adjustable="datalim")
        axes.margins(0.15)
    panels[0].legend(frameon=False, fontsize=7)
    figure.suptitle(
        f"{robot.name or robot.path}, {robot.mass:.3g} kg, {where}: arrows are the joints' axes, by the right hand",
        fontsize=10)
    return figure


def save(path, robot):
    from ..model import check_folder
    check_folder(path)
    draw(robot).savefig(path, dpi=110)
