# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What the data of two missed floors can tell at best, whoever learns from them.

    build/venv/bin/python tests/cdl/limit.py ball [--sets 800] [--first 1000] [--runs 4]
    build/venv/bin/python tests/cdl/limit.py pendulum [--sets 20] [--first 10]

Pendulum: force laws of few coefficients, through the scheme, fitted by least squares to the protocol's whole run with
its start, then rolled out from the exact start. The pendulum's symmetry is in the sine, which a learner is not told.

Ball, 520 noisy points from varied starts: the learner is told more than ours: that the force is one constant g, the
floor one height c, the noise 0.2, and all flags are true. With the flags every row of the exact scheme is linear in
x = (g, start of each run, c), so what the log says about x is a Gaussian, cut by one inequality per closing step: the
gap is at most c where the flag is set, above c where it is not. Its mean, the best estimate there is in squares, by
Gibbs sampling (g and starts unbounded beforehand, c of deviation 10 m); then the roll-out from the protocol's start. A
set whose ball bounces one step too early or too late there is a miss.

The ball from 10 m passes c by 0.030 m at the step that must see it, the step before it is 0.249 m above: c plus what
an error of g makes of the fall must be right to 0.03 m on one side.
"""
import argparse
import sys
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares
from scipy.special import ndtr, ndtri

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from tinycontact.cdl.learn import data, starts   # noqa: E402

BALL, PENDULUM = data.PROTOCOLS["ball"], data.PROTOCOLS["pendulum"]
LAWS = {"g sin q": lambda w, q: w[0] * np.sin(q), "a q + b q^3": lambda w, q: w[0] * q + w[1] * q**3,
        "a q + b q^3 + c + d q^2": lambda w, q: w[0] * q + w[1] * q**3 + w[2] + w[3] * q**2}
FIRST = {"g sin q": [9.0], "a q + b q^3": [9.0, 0.0], "a q + b q^3 + c + d q^2": [9.0, 0.0, 0.0, 0.0]}
VAGUE = 10.0         # m, deviation of c beforehand
NEAREST = 30         # inequalities that are kept, those closest to the truth
SWEEPS, DROPPED = 700, 100
TAIL = 9.0           # deviations
MISS = 0.5           # RMSE: one mistimed step costs more, errors of g alone less


def slopes(flags):
    """d (q, v) / d (q0, v0, g) [rows, 2, 3] of one run of the exact scheme whose impacts the flags say."""
    h, q, v = BALL.system.h, np.array([1.0, 0, 0]), np.array([0, 1.0, 0])
    rows = [(q, v)]
    for hit in flags[1:]:
        q = q + h * v
        v = -v if hit else v - h * np.array([0, 0, 1.0])
        rows.append((q, v))
    return np.array(rows)


def equations(logged, plan):
    """(information [n, n], vector [n], inequalities [m, n]: >= 0, truth [n]) of one seed's log."""
    n = 2 * len(plan) + 2
    information, vector, kept = np.zeros((n, n)), np.zeros(n), []
    information[-1, -1] = 1 / VAGUE**2
    for run, ((first, rows), (q0, v0, _)) in enumerate(zip(logged.runs, plan)):
        flags = logged.contact[0, first:first + rows]
        slope = np.zeros((rows, 2, n))
        slope[:, :, [1 + 2 * run, 2 + 2 * run, 0]] = slopes(flags)
        by_row = slope.reshape(-1, n) / BALL.noise
        information += by_row.T @ by_row
        vector += by_row.T @ (logged.states[0, first:first + rows].reshape(-1) / BALL.noise)
        closing = np.flatnonzero(data.truth(BALL, rows - 1, q0, v0)[0][:-1, 1] < 0) + 1
        above = slope[closing, 0] - np.eye(n)[-1]
        kept.append(np.where(flags[closing, None] > 0, -above, above))
    true = np.array([data.GRAVITY, *(value for q0, v0, _ in plan for value in (*q0, *v0)), 0.0])
    return information, vector, np.concatenate(kept), true


def whitened(information, vector, inequalities, true):
    """(mean, basis, D [NEAREST, n], e, z of the truth): x = mean + basis z, z standard normal where D z + e >= 0."""
    mean, basis = np.linalg.solve(information, vector), np.linalg.inv(np.linalg.cholesky(information)).T
    rows, offset, z = inequalities @ basis, inequalities @ mean, np.linalg.solve(basis, true - mean)
    near = np.argsort((rows @ z + offset) / np.linalg.norm(rows, axis=1))[:NEAREST]
    return mean, basis, rows[near], offset[near], z


def posterior_mean(rows, offset, z, rng):
    """Mean [S, n] of standard normals with rows z + offset >= 0, by Gibbs sampling from a z that keeps them."""
    total, left = np.zeros_like(z), np.einsum("scn,sn->sc", rows, z) + offset
    for sweep in range(SWEEPS):
        for k in range(z.shape[1]):
            by = rows[:, :, k]
            rest = left - by * z[:, k:k + 1]
            with np.errstate(divide="ignore", invalid="ignore"):
                edge = -rest / by
            low = np.clip(np.where(by > 1e-9, edge, -TAIL).max(axis=1), -TAIL, TAIL)
            high = np.clip(np.where(by < -1e-9, edge, TAIL).min(axis=1), low, TAIL)
            share = ndtr(low) + (ndtr(high) - ndtr(low)) * rng.random(len(z))
            z[:, k] = np.clip(ndtri(np.clip(share, 1e-15, 1 - 1e-15)), low, high)
            left = rest + by * z[:, k:k + 1]
        total += z * (sweep >= DROPPED)
    return total / (SWEEPS - DROPPED)


def rollout(g, c):
    """States [S, steps + 1, 2] from the protocol's start."""
    h, q, v = BALL.system.h, np.full(len(g), BALL.q0[0]), np.full(len(g), BALL.v0[0])
    rows = [np.stack([q, v], axis=1)]
    for _ in range(BALL.steps):
        q = q + h * v
        v = np.where((q <= c) & (v < 0), -v, v - h * g)
        rows.append(np.stack([q, v], axis=1))
    return np.stack(rows, axis=1)


def ball(seeds, runs):
    """Prints how many sets of the seeds miss an impact."""
    parts = zip(*(whitened(*equations(starts.varied([seed], runs), starts.plan(seed, runs))) for seed in seeds))
    mean, basis, rows, offset, z = (np.array(part) for part in parts)
    x = mean + np.einsum("sij,sj->si", basis, posterior_mean(rows, offset, z, np.random.default_rng(1)))
    clean, _ = data.truth(BALL, BALL.steps)
    off = data.rmse(rollout(x[:, 0], x[:, -1]), clean)
    print(f"{len(off)} sets: {(off > MISS).sum()} miss an impact; median RMSE {np.median(off):.3f}; deviation of"
          f" g {(x[:, 0] - data.GRAVITY).std():.3f} m/s^2, of the floor {x[:, -1].std():.3f} m")


def swung(law, weights, start, steps):
    """States [steps + 1, 2] of the scheme with a force law."""
    h, (q, v) = PENDULUM.system.h, start
    rows = [(q, v)]
    for _ in range(steps):
        q = q + h * v
        v = v - h * LAWS[law](weights, q)
        rows.append((q, v))
    return np.array(rows)


def pendulum(seeds):
    """Prints the RMSE of every law over the seeds."""
    clean, _ = data.truth(PENDULUM, PENDULUM.steps)
    for law, first in FIRST.items():
        off = []
        for seed in seeds:
            log = data.protocol_data(PENDULUM, [seed]).states[0]
            fitted = least_squares(lambda x: (swung(law, x[2:], x[:2], len(log) - 1) - log).ravel(), [*log[0], *first])
            off.append(data.rmse(swung(law, fitted.x[2:], clean[0], PENDULUM.steps), clean))
        print(f"{law}: mean {np.mean(off):.3f}, worst {max(off):.3f} of {len(off)}")


def main():
    parser = argparse.ArgumentParser(description="the limits that the data set")
    systems = parser.add_subparsers(dest="system", required=True)
    for name, sets, first in (("ball", 800, 1000), ("pendulum", 20, 10)):
        p = systems.add_parser(name)
        p.add_argument("--sets", type=int, default=sets, help="training sets (default %(default)s)")
        p.add_argument("--first", type=int, default=first, help="seed of the first (default %(default)s)")
    systems.choices["ball"].add_argument("--runs", type=int, default=starts.RUNS, help="(default %(default)s)")
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.sets)
    if options.system == "ball":
        ball(seeds, options.runs)
    else:
        pendulum(seeds)


if __name__ == "__main__":
    main()
