# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A drawing of a chain file: what was understood, to be compared with the machine."""
import textwrap

import numpy as np

from ..hil.size import reach
from ..report.plots import LAWS, TRUTH, new_figure, plain
from . import check

BASE, LINK, MASS, FOOT = "#8a93a3", LAWS[1], LAWS[0], LAWS[3]
LETTERS = 62   # of a line of text
BENT = 0.4     # [rad] or a tenth of a metre: coordinates of the second posture, if 0 is allowed


def _arrow(axes, at, size, counter):
    """The direction in which a joint's coordinate grows."""
    from matplotlib.patches import FancyArrowPatch
    ends = np.array([[np.cos(a), np.sin(a)] for a in np.radians([-20, 70])]) * size + at
    start, end = ends if counter else ends[::-1]
    bend = 0.45 if counter else -0.45
    axes.add_patch(FancyArrowPatch(start, end, connectionstyle=f"arc3,rad={bend}", arrowstyle="-|>", mutation_scale=9,
                                   color=TRUTH, linewidth=1.1, zorder=6))


def _draw_links(axes, chain, at, size):
    from matplotlib.patches import Circle
    ends = [*at.joints[1:], at.foot]
    most = max(link.mass for link in chain.links)
    for k, (link, end) in enumerate(zip(chain.links, ends)):
        axes.plot(*zip(at.joints[k], end), color=LINK, linewidth=4, solid_capstyle="round", alpha=0.75, zorder=2,
                  label="link, joint to joint" if k == 0 else None)
        axes.scatter(*at.coms[k], s=25 + 110 * link.mass / most, marker="P", color=MASS, zorder=5, linewidths=0,
                     label="centre of mass" if k == 0 else None)
        axes.add_patch(Circle(at.coms[k], np.sqrt(link.own_inertia / link.mass), fill=False, linestyle=":", color=MASS,
                              linewidth=1, zorder=4, label="radius of gyration" if k == 0 else None))
    axes.add_patch(Circle(at.foot, chain.foot.radius, color=FOOT, alpha=0.8, zorder=3, label="foot"))


def _draw_joints(axes, chain, at, size):
    sign = chain.planar().sign
    for k, link in enumerate(chain.links):
        slides = link.joint == "prismatic"
        axes.scatter(*at.joints[k], s=40, marker="s" if slides else "o", color="white", edgecolors=TRUTH,
                     linewidths=1.4, zorder=6)
        if slides:
            angle = at.angles[k]
            along = chain.planar().axis[k]
            along = np.array([np.cos(angle) * along[0] - np.sin(angle) * along[1],
                             np.sin(angle) * along[0] + np.cos(angle) * along[1]])
            axes.annotate("", at.joints[k] + 1.6 * size * along, at.joints[k],
                          arrowprops={"arrowstyle": "-|>", "color": TRUTH})
        else:
            _arrow(axes, at.joints[k], size, sign[k] > 0)
        axes.annotate(check.name_of(chain, k), at.joints[k], (-8, 7),
                      textcoords="offset points", fontsize=7, ha="right", va="center")


def _panel(axes, chain, q, title):
    at, size = check.pose(chain, q), 0.12 * reach(chain)
    axes.plot(*zip((0, 0), at.joints[0]), color=BASE, linewidth=3, zorder=1, label="base")
    axes.scatter(0, 0, marker="D", s=26, color=BASE, zorder=3, label="origin: the accelerometer")
    _draw_links(axes, chain, at, size)
    _draw_joints(axes, chain, at, size)
    plain(axes, title, "x forward [m]", "z up [m]")
    axes.title.set_fontsize(9)
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.25)


def _text(chain, found):
    lines = []
    for what, text in found.facts:
        lines += textwrap.wrap(f"{what}: {text}", LETTERS, subsequent_indent="    ")
    for text in found.suspicious:
        lines += textwrap.wrap(f"! {text}", LETTERS, subsequent_indent="    ")
    return "\n".join(lines)


def draw(chain, found=None):
    """A Figure: the leg at coordinates 0 and inside its ranges, and check.look's numbers."""
    found = found or check.look(chain)
    figure = new_figure(13, 6)
    left, right, words = figure.subplots(1, 3, width_ratios=(1, 1, 1.15))
    q = check.inside(chain)
    if not q.any():
        q = np.array([BENT * (0.1 if link.joint == "prismatic" else 1.0) for link in chain.links])
    _panel(left, chain, np.zeros(len(q)), "joint coordinates 0")
    shown = ", ".join(f"{value:.3g}" for value in q)
    _panel(right, chain, q, f"joint coordinates {shown}")
    words.axis("off")
    words.legend(*left.get_legend_handles_labels(), frameon=False, fontsize=7, loc="lower left", ncols=2)
    words.text(0, 1, _text(chain, found), va="top", fontsize=6.8, family="monospace", linespacing=1.35)
    figure.suptitle(f"{chain.name or chain.path}: arrows show where coordinates grow", fontsize=10)
    return figure


def save(path, chain, found=None):
    from ..model import check_folder
    check_folder(path)
    draw(chain, found).savefig(path, dpi=110)
