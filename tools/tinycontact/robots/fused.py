# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Two more baselines, over whole episodes:

    Fused   the gait's clock, the foot's height over the lowest one and the observer's force, each as a probability, and
            their weighted mean with a threshold (after Bledt et al. 2018; they fuse by a Kalman filter). It is told the
            gait.
    Net     32-32 on what observer, kinematics and IMU say at four instants, trained on the truth of the tuning episodes
"""
from dataclasses import dataclass, fields, replace

import numpy as np

from ..build import cache
from ..hil import truth
from ..hil.observer import decide
from . import tuning
from .judge import judge, summary
from .motion import apply
from .observer import MASS, forces, look, spread

SCALES = ("on", "force_width")   # of Fused, in proportion to the robot's mass


def sigmoid(x):
    return 0.5 * (1 + np.tanh(0.5 * x))


@dataclass(frozen=True)
class FusedSettings:
    rate_filter: float = 900.0    # [1/s]
    gain: float = 600.0           # [1/s]
    on: float = 14.5              # [N] of even odds
    force_width: float = 8.5      # [N]
    height: float = 0.036         # [m] of even odds over the lowest foot
    height_width: float = 0.0036  # [m]
    phase_width: float = 0.018    # of a period
    force_weight: float = 1.55
    height_weight: float = 0.016
    phase_weight: float = 0.33
    threshold: float = 0.44
    hysteresis: float = 0.28


DRAWN = {
    "on": (5.0, 40.0), "force_width": (1.0, 12.0), "height": (0.004, 0.05), "height_width": (0.002, 0.03),
    "phase_width": (0.005, 0.1), "force_weight": (0.3, 1.0), "height_weight": (0.02, 0.5), "phase_weight": (0.02, 0.5),
    "threshold": (0.35, 0.65), "hysteresis": (0.02, 0.25)
}


def heights(seen):
    """[t, L] of the contact points over the lowest one, along the world's z."""
    z = np.stack([apply(seen.attitude, m.place)[..., 2] for m in seen.motions], 1)
    return z - z.min(1, keepdims=True)


class Fused:
    def __init__(self, **settings):
        self.settings = FusedSettings(**settings)

    def reset(self, robot):
        self.robot = robot

    def run(self, episode):
        s = self.settings
        seen = look(episode, s.rate_filter)
        return self.decide(episode, seen, forces(seen, [s.gain])[0])

    def decide(self, episode, seen, force):
        s, part = self.settings, episode.robot.mass / MASS
        clock, swing = episode.clock[np.maximum(seen.here - 1, 0)], 1 - episode.duty
        to_stance = np.minimum(clock - swing, 1 - clock)   # above 0 in the stance by the clock, of the period
        phase = sigmoid(np.maximum(to_stance, -clock - 0.0) / s.phase_width)
        high = sigmoid((s.height - heights(seen)) / s.height_width)
        pushed = sigmoid((force[..., 2] - s.on * part) / (s.force_width * part))
        weights = s.force_weight + s.height_weight + s.phase_weight
        p = (s.force_weight * pushed + s.height_weight * high + s.phase_weight * phase) / weights
        limits = _Limits(s.threshold + s.hysteresis / 2, s.threshold - s.hysteresis / 2)
        contact = np.stack([decide(p[:, k], limits) for k in range(p.shape[1])], 1)
        return spread(episode, seen.here, contact, force)


@dataclass
class _Limits:
    """What hil.observer.decide takes."""
    on: float
    off: float
    debounce_on: int = 1
    debounce_off: int = 1


def tune_fused(episodes, draws=120, seed=0, tell=enumerate):
    """[(FusedSettings, summary)] of random draws and of steps around the best, the least tuning.cost first."""
    random, base = np.random.default_rng(seed), FusedSettings()
    seen = [look(episode, base.rate_filter) for episode in episodes]
    each = [forces(one, [base.gain])[0] for one in seen]
    found = []
    for k, _ in tell(range(draws)):
        if k < draws // 2 or not found:
            drawn = {name: float(np.exp(random.uniform(*np.log(span)))) for name, span in DRAWN.items()}
        else:
            best = min(found, key=lambda one: tuning.cost(one[1]))[0]
            drawn = {name: float(getattr(best, name) * np.exp(0.25 * random.normal())) for name in DRAWN}
        settings = replace(base, **drawn)
        fused, total = Fused(**{one.name: getattr(settings, one.name) for one in fields(settings)}), None
        for episode, s, force in zip(episodes, seen, each):
            one = judge(episode, fused.decide(episode, s, force))
            total = one if total is None else total + one
        found.append((settings, summary(total)))
    return sorted(found, key=lambda one: tuning.cost(one[1]))


# ---- The net ------------------------------------------------------------------------------------

BACK = (0, 1, 2, 4)   # ticks before
INPUTS, HIDDEN = 24, 32


def features(episode):
    """(Seen, force [t, L, 3], inputs [t, L, 4 x 24]) in units of the robot: weights and metres of reach."""
    seen = look(episode, 900.0)
    weight = episode.robot.mass * episode.robot.g / 4
    slow, fast = forces(seen, [600.0, 2000.0])
    static = forces(seen, [600.0], motion=False)[0]
    high, size = heights(seen), np.mean([limb.reach for limb in episode.robot.limbs])
    imu = np.concatenate([episode.sensors[name][seen.here]
                          for name in ("accel", "gyro")], 1) / [9.81, 9.81, 9.81, 3, 3, 3]
    rows = []
    for k, (m, w) in enumerate(zip(seen.motions, seen.w)):
        rate = apply(seen.attitude, apply(m.J, w)) / size
        place = apply(seen.attitude, m.place) / size
        others = (slow[..., 2].sum(1) - slow[:, k, 2])[:, None] / weight
        jump = np.diff(fast[:, k, 2], prepend=0.0)[:, None] / weight
        rows.append(
            np.concatenate([
                slow[:, k] / weight, fast[:, k] / weight, static[:, k] / weight, rate, place, imu, others, jump,
                high[:, k:k + 1] / size
            ], 1))
    now = np.stack(rows, 1).astype(np.float32)
    late = [np.concatenate([np.repeat(now[:1], back, 0), now[:len(now) - back]]) if back else now for back in BACK]
    return seen, slow, np.clip(np.concatenate(late, -1), -20, 20)


class Net:
    """Trained on tuning.episodes(); what it learned is kept under build/robots."""
    EPOCHS, BATCH, STEP = 8, 512, 2e-3
    ON, OFF = 0.6, 0.4

    def __init__(self, seed=0):
        self.path = cache() / "robots" / f"net-{seed}.npz"
        self.seed, self.layers = seed, None

    def reset(self, robot):
        if self.layers is None:
            if not self.path.is_file():
                self.train(tuning.episodes())
            with np.load(self.path) as file:
                self.layers = [file[f"a{k}"] for k in range(8)]

    def logit(self, x):
        mean, scale, W0, b0, W1, b1, W2, b2 = self.layers
        x = (x - mean) / scale
        return (np.tanh(np.tanh(x @ W0 + b0) @ W1 + b1) @ W2 + b2)[..., 0]

    def run(self, episode):
        seen, force, x = features(episode)
        p = sigmoid(self.logit(x))
        contact = np.stack([decide(p[:, k], _Limits(self.ON, self.OFF)) for k in range(p.shape[1])], 1)
        return spread(episode, seen.here, contact, force)

    def train(self, episodes):
        """Adam on the cross entropy of the truth when the sample was taken."""
        x, y = [], []
        for episode in episodes:
            seen, _, rows = features(episode)
            modes = np.stack([foot.mode for foot in episode.feet], 1) != truth.AIR
            x.append(rows.reshape(-1, rows.shape[-1])), y.append(modes[np.maximum(seen.here - 1, 0)].reshape(-1))
        x, y, random = np.concatenate(x), np.concatenate(y).astype(np.float32), np.random.default_rng(self.seed)
        mean, scale = x.mean(0), x.std(0) + 1e-3
        x, sizes = (x - mean) / scale, (x.shape[1], HIDDEN, HIDDEN, 1)
        layers = []
        for a, b in zip(sizes, sizes[1:]):
            layers += [random.normal(size=(a, b)).astype(np.float32) / np.sqrt(a), np.zeros(b, np.float32)]
        _adam(layers, x, y, random, self.EPOCHS, self.BATCH, self.STEP)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(self.path, **{f"a{k}": value for k, value in enumerate([mean, scale, *layers])})


def _gradient(layers, x, y):
    W0, b0, W1, b1, W2, b2 = layers
    h0 = np.tanh(x @ W0 + b0)
    h1 = np.tanh(h0 @ W1 + b1)
    d = (sigmoid(h1 @ W2 + b2) - y[:, None]) / len(y)
    d1 = d @ W2.T * (1 - h1**2)
    d0 = d1 @ W1.T * (1 - h0**2)
    return [x.T @ d0, d0.sum(0), h0.T @ d1, d1.sum(0), h1.T @ d, d.sum(0)]


def _adam(layers, x, y, random, epochs, batch, step):
    first, second, count = [0.0 * w for w in layers], [0.0 * w for w in layers], 0
    for epoch in range(epochs):
        rate = step * (1 - epoch / epochs)
        for rows in np.array_split(random.permutation(len(x)), len(x) // batch):
            count += 1
            for k, gradient in enumerate(_gradient(layers, x[rows], y[rows])):
                first[k] = 0.9 * first[k] + 0.1 * gradient
                second[k] = 0.999 * second[k] + 0.001 * gradient**2
                layers[k] -= rate * (first[k] / (1 - 0.9**count)) / (np.sqrt(second[k] / (1 - 0.999**count)) + 1e-8)
