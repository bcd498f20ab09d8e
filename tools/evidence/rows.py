#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Draws what a step of K bodies in a row costs, K = 1 to 64, from a table of measurements: one dimension, and three.

Prints for each core the line through the counts (least squares), and the largest distance of a count from it. All
K - 1 pairs strike; a row of one body has none, which is what lies farthest off.
"""

import argparse

import common

BOARDS = (("mps2-an386", "M4F"), ("mps2-an500", "M7"), ("mps3-an547", "M55"))
ITEMS = (("cdl_row", "on a line"), ("cdl_space", "in space"))


def counts(table, item, board):
    """[(K, instructions)], ascending."""
    found = {}
    for (kind, name, where, profile), value in table.items():
        words = name.split("/")
        if (kind, where, profile, words[0], words[-1]) == ("instructions", board, "exact", item, "public"):
            found[int(words[1])] = value
    if len(found) < 3:
        raise common.Fault(f"{item} on {board}: {len(found)} counts, 3 are needed: run `make bench OUT=..`")
    return sorted(found.items())


def line(points):
    """(slope, intercept, largest distance, where) of the line through points."""
    n = len(points)
    mean_x, mean_y = (sum(values) / n for values in zip(*points))
    slope = (sum((x - mean_x) * (y - mean_y) for x, y in points)
             / sum((x - mean_x) ** 2 for x, _ in points))
    intercept = mean_y - slope * mean_x
    distance, where = max((abs(y - slope * x - intercept), x) for x, y in points)
    return slope, intercept, distance, where


def draw(lines, file):
    """lines: {(item, core): points}"""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, len(ITEMS), figsize=(11, 4), constrained_layout=True)
    for panel, (item, text) in zip(panels, ITEMS):
        for _, core in BOARDS:
            points = lines[item, core]
            slope, intercept, _, _ = line(points)
            drawn = panel.plot(*zip(*points), "o", markersize=5, label=f"{core}: {slope:.0f} a body")[0]
            ends = (points[0][0], points[-1][0])
            panel.plot(ends, [slope * x + intercept for x in ends], color=drawn.get_color(), linewidth=0.8)
        panel.set(title=f"a row of K bodies {text}, all pairs striking", xlabel="K", ylabel="instructions a step")
        panel.set_ylim(0)
        panel.legend(frameon=False)
    figure.savefig(file, dpi=90)
    pyplot.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measured", required=True)
    parser.add_argument("--picture", required=True)
    arguments = parser.parse_args()
    table, lines = common.read_measured(arguments.measured), {}
    for item, text in ITEMS:
        for board, core in BOARDS:
            points = lines[item, core] = counts(table, item, board)
            slope, intercept, distance, where = line(points)
            print(f"{core:4} {text:10}{slope:8.1f} K {intercept:+7.1f} instructions; farthest off: {distance:.1f}"
                  f" at K = {where}, {100 * distance / points[-1][1]:.2f} % of the cost of {points[-1][0]}")
    draw(lines, arguments.picture)
    print(arguments.picture)
    return 0


if __name__ == "__main__":
    common.main(main)
