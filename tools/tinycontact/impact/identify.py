# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Friction, restitution and mass ratios of a scene of known structure from a log of its motion.

    found = identify(scene, identify_log.read("log.csv", scene))
    found.unknowns[0].value, found.unknowns[0].low, found.unknowns[0].high
"""
import dataclasses
from dataclasses import dataclass

import numpy as np

from ..errors import TinycontactError
from . import learn_fit, tasks
from .identify_log import check_places
from .learn_interval import determine

EXACT = 3e-5        # noise over the motion's size that counts as none: float32 leaves 1e-6
WINDOW = 5          # steps of a window with noise
FREE = 1500         # windows without contact that are used; more tell nothing new


@dataclass
class Identified:
    unknowns: list          # learn_interval.Determined
    learned: learn_fit.Learned
    noise: np.ndarray       # [state] standard deviation, estimated or given
    fitted_noise: bool      # whether it was fitted as noisy data
    impacts: int            # windows with a contact
    residual: float         # median magnitude, in units of the noise, else absolute

    def as_json(self, names):
        learned = self.learned
        return {"unknown": [_entry(u) for u in self.unknowns],
                "not_determined": [u.name for u in self.unknowns if not u.determined],
                "noise": dict(zip(names, (float(x) for x in self.noise))) if self.fitted_noise else None,
                "residual": self.residual, "residual_unit": "noise" if self.fitted_noise else "of the columns",
                "windows": len(learned.problem.states), "steps_per_window": learned.problem.steps,
                "windows_with_contact": self.impacts, "iterations": learned.fit.iterations}


def _entry(u):
    high = float(u.high) if np.isfinite(u.high) else None
    return {"name": u.name, "kind": u.kind, "value": u.value, "interval": [float(u.low), high],
            "determined": u.determined, "windows": u.windows, "note": u.note}


def _thin(windows, touched, rng):
    """All windows with contact and some of the others."""
    free = np.flatnonzero(~touched)
    if len(free) > FREE:
        free = rng.choice(free, FREE, replace=False)
    return windows[np.sort(np.concatenate([np.flatnonzero(touched), free]))]


def _sizes(windows):
    """[state] how much each column varies, at least a small share of the largest of its kind."""
    spread = windows.reshape(-1, windows.shape[-1]).std(axis=0)
    return np.maximum(spread, 1e-3 * max(spread.max(), 1e-9))


def _noise_in(model, windows, given, tell):
    """([state] noise, whether it counts)."""
    if given is not None:
        return np.full(windows.shape[-1], float(given)), given > 0
    theta = learn_fit.smooth_fit(model, windows, tell)
    noise = learn_fit.noise_of(model, windows, theta)
    return noise, bool(np.median(noise / _sizes(windows)) > EXACT)


def identify(scene, log, wanted=tasks.DEFAULT, noise=None, tell=None):
    """An Identified. noise: standard deviation of every column, or None: estimated from motion without contact."""
    scene = dataclasses.replace(scene, h=log.step)
    model = tasks.model(scene, wanted)
    check_places(log, scene, model.roller.native)
    rng = np.random.default_rng(0)
    pairs = log.windows(1)
    touched = model.roll(model.start, pairs[:, 0], 1).hits.any(axis=1)
    if not touched.any() and not set(wanted) - {"mu", "e"}:
        raise TinycontactError(f"{log.path}: nothing touches anything in it: mu and e cannot be told; are planes and"
                               f" sizes of the scene those of the log?")
    pairs = _thin(pairs, touched, rng)
    sigma, noisy = _noise_in(model, pairs, noise, tell)
    if noisy:
        longest = max(len(run) for run in log.runs) - 1
        windows = log.windows(min(WINDOW, longest))
        touched = model.roll(model.start, windows[:, 0], windows.shape[1] - 1).hits.any(axis=1)
        sigma = np.maximum(sigma, 1e-9 * _sizes(windows))
        fit = learn_fit.fit_noise_too if noise is None else learn_fit.fit_noisy
        learned = fit(model, _thin(windows, touched, rng), sigma, tell)
        sigma = learned.noise
    else:
        learned = learn_fit.fit_exact(model, pairs, tell)
    residual = float(np.median(np.abs(learned.fit.linear.r)))
    return Identified(determine(learned), learned, sigma, noisy, int(learned.problem.hits.any(axis=1).sum()), residual)
