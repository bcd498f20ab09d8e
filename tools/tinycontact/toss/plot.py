# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A picture of what a body was identified from."""
import numpy as np

from ..report.plots import ready
from . import touch

POINT, EDGE, FACE = "#1f6f9f", "#c8553d", "#3c8d5a"


def draw(body, found):
    """A matplotlib Figure: heights at rest, friction ratios, rebounds, two ways to the centre of mass."""
    figure = ready()(figsize=(9, 6.5), layout="constrained")
    axes = figure.subplots(2, 2)
    _rests(axes[0, 0], body, found)
    _friction(axes[0, 1], body, found)
    _rebound(axes[1, 0], body, found)
    _centre(axes[1, 1], body)
    return figure


def _rests(axes, body, found):
    offset = np.array([found.solid.offsets[one.face] for one in found.rests])
    height = np.array([one.height for one in found.rests])
    axes.plot([one.face for one in found.rests], 1e3 * (height - body.floor[0] - body.scale * offset), ".", color=POINT)
    axes.axhline(0, color="0.6", linewidth=0.8)
    axes.set(xlabel="face", ylabel="height at rest less model's [mm]", title=f"rests: scale {body.scale:.4f}")


def _friction(axes, body, found):
    told = (("point", touch.ratios_of(touch.struck_by(body, found.points())), POINT),
            ("edge", touch.ratios_of(touch.struck_by(body, found.edges())), EDGE),
            ("face", np.array([one.ratio for one in found.slides]), FACE))
    for patch, values, colour in told:
        if len(values):
            axes.hist(values, bins=np.linspace(0, 1.6 * max(body.friction.values()), 41), histtype="step", color=colour,
                      label=f"{patch}: {body.friction[patch]:.3f} ({len(values)})")
            axes.axvline(body.friction[patch], color=colour, linewidth=0.8)
    axes.set(xlabel="friction over normal impulse", ylabel="events", title="friction")
    if axes.get_legend_handles_labels()[0]:
        axes.legend()


def _rebound(axes, body, found):
    struck = touch.struck_by(body, found.points())
    if len(struck):
        axes.plot(struck[:, 4], struck[:, 3], ".", color=POINT)
        line = np.array([0, struck[:, 4].max()])
        axes.plot(line, (body.restitution or 0) * line, color="0.5", linewidth=0.8)
    axes.set(xlabel="closing speed [m/s]", ylabel="speed behind [m/s]", title="corners: restitution")


def _centre(axes, body):
    for name, shift, colour in (("flight", -0.15, FACE), ("impact", 0.15, EDGE)):
        value = body.noise.get(f"centre_of_mass_by_{name}")
        if value is not None:
            axes.plot(np.arange(3) + shift, 1e3 * np.array(value), "o", color=colour, label=f"by {name}s")
    axes.errorbar(np.arange(3), 1e3 * body.centre, 1e3 * np.array(body.deviation["centre_of_mass"]), fmt="s",
                  color=POINT, capsize=4, label="together")
    axes.set(xticks=range(3), xticklabels=["x", "y", "z"], ylabel="[mm]", title="centre of mass, tag axes")
    axes.legend()
