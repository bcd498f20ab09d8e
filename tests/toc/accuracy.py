# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Times of contact by the float32 library beside the first root of the distance, and their derivatives beside its
differences:  accuracy.py --count 2000 -o tests/toc/accuracy.csv

The truth does not use the search that it judges. It takes the distance at 100 times of the step, built in double, and
divides the first interval with a change of sign by 32 until it is 1e-9 of the step long. Over a half-space the distance
itself is not the library's either: it is the lowest corner's.
A case is a rounded box that tumbles by up to 10 rad/s and comes with 0.3 to 3 m/s. Contacts that graze are counted, and
not judged.
"""
import argparse
import csv
import sys
from pathlib import Path

import numpy as np

from tinycontact.library import Library
from tinycontact.progress import progress
from tinycontact.shape.distance import Meet
from tinycontact.shape.toc import Toc, motion

GRAVITY = np.array([0.0, 0.0, -9.81])
TIMES, PARTS, LEVELS = 100, 32, 5
TURNED = 100           # cases whose derivatives are judged
COLUMNS = ("ground", "step", "cases", "contacts", "grazing", "wrong", "mean_error", "max_error", "mean_detections",
           "max_detections", "derivatives", "within_permille", "p99_derivative")


def turns(w, times):
    """exp(t [w]), [n, 3, 3]."""
    speed = np.linalg.norm(w)
    if speed == 0.0:
        return np.broadcast_to(np.eye(3), (len(times), 3, 3))
    x, y, z = w / speed
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = (speed * np.asarray(times))[:, None, None]
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)


def rotation(rng):
    q = rng.normal(size=4)
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y*y + z*z), 2 * (x*y - w*z), 2 * (x*z + w*y)],
                     [2 * (x*y + w*z), 1 - 2 * (x*x + z*z), 2 * (y*z - w*x)],
                     [2 * (x*z - w*y), 2 * (y*z + w*x), 1 - 2 * (x*x + y*y)]])


class Flight:
    """A motion at many times."""

    def __init__(self, numbers):
        self.numbers = np.array(numbers, float)
        self.R, self.x, self.v, self.w, self.acceleration = (
            self.numbers[:9].reshape(3, 3), *self.numbers[9:].reshape(4, 3))

    def at(self, times):
        t = np.asarray(times)[:, None]
        return turns(self.w, times) @ self.R, self.x + t * self.v + 0.5 * t * t * self.acceleration


class Ground:
    """A ground, and the distance of a box from it at many poses in double."""

    def __init__(self, name, shape, box, libraries, spin=False):
        self.name, self.box, self.spin = name, box, spin
        self.toc, self.meet = Toc(box, shape, libraries[0]), Meet(box, shape, libraries[1])

    def distance(self, a, b, times):
        """[n] at the times."""
        (Ra, xa), (Rb, xb) = a.at(times), b.at(times)
        if self.name == "half-space":
            core = np.array(self.box["h"]) - self.box["r"]
            return xa[:, 2] - np.abs(Ra[:, 2]) @ core - self.box["r"]
        return self.meet.distance(Ra, xa, Rb, xb, rule="translation").distance


def first_root(ground, a, b, step):
    """The first time of the step at which the bodies touch; None: they do not."""
    low, high = 0.0, step
    for level in range(LEVELS):
        times = np.linspace(low, high, (PARTS if level else TIMES) + 1)
        sunk = np.flatnonzero(ground.distance(a, b, times) <= 0)
        if len(sunk) == 0:
            return None if level == 0 else high
        if sunk[0] == 0:
            return low
        low, high = times[sunk[0] - 1], times[sunk[0]]
    return 0.5 * (low + high)


def root_near(ground, a, b, time, speed):
    """The root near a time, by Newton's iteration with one slope."""
    for _ in range(8):
        time = time - ground.distance(a, b, np.array([time]))[0] / speed
    return time


def draw(rng, ground, step):
    """(a, b): motions with a contact in most steps."""
    down = rng.uniform(0.3, 3.0)
    a = motion(rotation(rng), rng.uniform(-0.1, 0.1, 3), np.append(rng.uniform(-1, 1, 2), -down),
               rng.uniform(-1, 1, 3) * 10 / np.sqrt(3), GRAVITY)
    b = motion(np.eye(3), np.zeros(3))
    if ground.spin:
        b = motion(rotation(rng), rng.uniform(-0.02, 0.02, 3), rng.uniform(-0.5, 0.5, 3), rng.uniform(-6, 6, 3), GRAVITY)
    a[11] = 1.0
    for _ in range(6):   # lowered until its distance is what it falls in the step, or less
        gap = ground.distance(Flight(a), Flight(b), np.zeros(1))[0]
        a[11] -= 0.9 * (gap - down * step * 0.8)
    a[11] += rng.uniform(-0.7, 0.4) * down * step
    return [np.float32(numbers).astype(float) for numbers in (a, b)]


def differences(ground, a, b, time, speed, step):
    """[9] derivatives of the time by a's position, velocity and angular velocity, in double."""
    rows = []
    for first, unit in ((9, 1e-5), (12, 1e-5 / step), (15, 1e-4 / step)):   # each moves a point by some 1e-5 m
        for k in range(first, first + 3):
            ends = []
            for sign in (-1, 1):
                moved = a.copy()
                moved[k] += sign * unit
                ends.append(root_near(ground, Flight(moved), Flight(b), time, speed))
            rows.append((ends[1] - ends[0]) / (2 * unit))
    return np.array(rows)


def judge(ground, step, count, rng):
    """A row of the table."""
    row = dict.fromkeys(COLUMNS, 0)
    row.update(ground=ground.name, step=f"{step:.4g}")
    errors, detections, rates = [], [], []
    for _, k in progress(list(range(count)), f"{ground.name}, {step:.3g} s, case"):
        a, b = draw(rng, ground, step)
        flights = Flight(a), Flight(b)
        if ground.distance(*flights, np.zeros(1))[0] < 1e-5:
            continue
        row["cases"] += 1
        truth = first_root(ground, *flights, step)
        found = ground.toc.find(a, b, step)
        outcome = found.outcome[0]
        detections.append(found.detections[0])
        if outcome == "grazing":
            row["grazing"] += 1
        elif (truth is None) != (outcome == "none") or outcome not in ("none", "contact"):
            near = truth is None or truth > step * (1 - 1e-4)
            row["wrong"] += not (near and outcome in ("none", "contact") and
                                 (truth is not None or found.time[0] > step * (1 - 1e-4)))
        elif truth is not None:
            row["contacts"] += 1
            errors.append(abs(found.time[0] - truth) / step)
            if len(rates) < TURNED and errors[-1] < 1e-4:
                wanted = differences(ground, a, b, truth, found.speed[0], step)
                got = np.concatenate([found.by_position[0, 0], found.by_velocity[0, 0],
                                      found.by_angular_velocity[0, 0]])
                blocks = [np.linalg.norm(part) + 1e-12 for part in wanted.reshape(3, 3)]
                rates.append(np.max(np.abs(got - wanted).reshape(3, 3).max(1) / blocks))
    if errors:
        row.update(mean_error=f"{np.mean(errors):.2g}", max_error=f"{np.max(errors):.2g}")
    if rates:
        row.update(derivatives=len(rates), within_permille=int(np.sum(np.array(rates) <= 1e-3)),
                   p99_derivative=f"{np.quantile(rates, 0.99):.2g}")
    row.update(mean_detections=f"{np.mean(detections):.2f}", max_detections=int(np.max(detections)))
    return row


def grounds(rng, libraries):
    box = {"kind": "box", "h": [0.1, 0.06, 0.04], "r": 0.01}
    x = np.arange(12)
    heights = (0.03 * np.sin(0.9 * x)[:, None] * np.cos(0.7 * x)[None] + rng.uniform(0, 0.005, (12, 12))).tolist()
    return [Ground("half-space", {"kind": "halfspace"}, box, libraries),
            Ground("terrain", {"kind": "terrain", "heights": heights, "spacing": 0.2, "origin": [-1.1, -1.1]}, box,
                   libraries),
            Ground("box", {"kind": "box", "h": [0.15, 0.1, 0.05], "r": 0.005}, box, libraries),
            Ground("sharp box", {"kind": "box", "h": [0.15, 0.1, 0.05]}, {**box, "r": 0.0}, libraries),
            Ground("box, both spin", {"kind": "box", "h": [0.08, 0.1, 0.05], "r": 0.01}, box, libraries, spin=True)]


def table(count, steps=(1 / 30, 1e-3)):
    rng = np.random.default_rng(15)
    libraries = Library(), Library(real="double")
    return [judge(ground, step, count, rng) for ground in grounds(rng, libraries) for step in steps]


def write(rows, stream):
    writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--count", type=int, default=2000, help="cases of each row")
    p.add_argument("-o", "--output", help="a CSV file")
    options = p.parse_args()
    rows = table(options.count)
    write(rows, sys.stdout)
    if options.output:
        with Path(options.output).open("w", newline="", encoding="utf-8") as stream:
            write(rows, stream)


if __name__ == "__main__":
    main()
