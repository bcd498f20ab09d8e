# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Detours of a plan per frame: where gradients bring a goal no nearer, a driven body goes to another place first.

A far push says which way a body moves the goal's body a little. Where the driven body is on the wrong side, its gradient
points away, and it ends at the edge of its workspace. Then WAYS places about the goal's body are tried: the driven body
goes there in a straight line, or past a corner at random, by the model that frames are executed in, and a plan is made
from there. The way whose plan costs least, counted over all goals, is taken, if that is less than the cost of the plan
from where the body is.
"""
import numpy as np

from .simulate import poses
from .taskfile import led

WAIT = 15            # frames without progress after which places are tried
WAYS = 16            # places tried
NEAR, FAR = 0.2, 0.5     # [m] of a place from the goal's body
SPEED = 1.0          # [m/s] there
LONGEST = 100        # frames of a way
MARGIN = 1e-3        # [m^2] by which a detour's plan has to cost less


class Detours:
    """Of a task whose one driven body is free, in the plane, and led by a servo (taskfile.led)."""

    def __init__(self, task, real, seed=0):
        self.task, self.real = task, real
        self.rng = np.random.default_rng(seed)
        self.at = led(task.scene)

    def find(self, state, goal, cost_of, least_of):
        """Controls [rows, controls] of the way to the best place, or None. cost_of(state): of a plan from there, or None;
        least_of(state): what it costs at least, found without a plan."""
        now = np.asarray(state, float)[self.at]
        best, way = cost_of(state), None
        best = np.inf if best is None else best - MARGIN
        for k, place in enumerate(self._places(state, goal, now)):
            controls = self._way(now, place, self._corner(state) if k % 4 > 1 else None)
            run = self.real.roll(state, controls, len(controls), keep=False)
            if run.report.done < len(controls) or least_of(run.states[-1]) >= best:
                continue
            cost = cost_of(run.states[-1])
            if cost is not None and cost < best:
                best, way = cost, controls
        return way

    def _corner(self, state):
        """A place [2] at random, within the controls' range and not far from the bodies."""
        places = np.array([x for _, x in self._poses(state)])
        low = np.maximum(self.task.low[:2], places.min(0) - FAR)
        return self.rng.uniform(low, np.maximum(low, np.minimum(self.task.high[:2], places.max(0) + FAR)))

    def _poses(self, state):
        return poses(self.task.scene, np.asarray(state, float)[:self.real.sizes.coordinates])

    def _way(self, now, place, corner):
        """Controls to a place, past a corner [2] if there is one."""
        stops = [now, place] if corner is None else [now, np.array([*corner, place[2]]), place]
        h = self.task.scene.h
        return np.clip(np.concatenate([_line(a, b, h) for a, b in zip(stops, stops[1:])]), self.task.low, self.task.high)

    def _places(self, state, goal, now):
        """Places about the goal's body, where the driven body lies across the way to the target; half of them behind."""
        x = self._poses(state)[self.task.scene.names.index(goal.body)][1]
        to = np.arctan2(*(goal.target - x)[::-1])
        for k in range(WAYS):
            about = to + np.pi + self.rng.normal(0, 0.4) if k % 2 == 0 else self.rng.uniform(-np.pi, np.pi)
            place = x + self.rng.uniform(NEAR, FAR) * np.array([np.cos(about), np.sin(about)])
            turned = now[2] + (to - now[2] + np.pi / 2) % np.pi - np.pi / 2
            yield np.array([*place, turned])


def _line(start, end, h):
    rows = int(np.clip(np.ceil(np.linalg.norm((end - start)[:2]) / (SPEED * h)), 5, LONGEST))
    return start + np.linspace(0, 1, rows + 1)[1:, None] * (end - start)
