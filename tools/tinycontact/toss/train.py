# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Learning from tosses what a body's constants leave: the residual of friction, in closed loop on whole tosses.

    learned = learn(log, body, seed=1, progress=None)
    learned.numbers       # eight; zeros where constants do as well
    learned.verdict       # in words

A fifth of the tosses is held back. On the others the eight numbers are searched by CMA-ES, with the cost of refine.py;
the body's constants stay as they are. On those held back the residual is judged beside the constants, from the flight.
It is kept if it is better in position and in rotation, and if the cost per toss falls by more than a standard error.
"""
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from ..errors import TinycontactError
from . import refine, roll, score
from .search import Search

HELD_BACK = 0.2
FEW = 10           # tosses
ROUNDS = 30
KEPT = (0.0,) * 8
NUMBERS = ("position_percent", "rotation_deg", "after_mm", "after_deg", "face_percent")


@dataclass
class Learned:
    numbers: tuple      # eight; zeros: the constants are kept
    found: tuple        # eight: what the search found
    better: bool
    verdict: str
    scores: dict        # {who: scores of score.judge} on the tosses held back
    learned: int        # tosses
    held_back: list     # labels


def split(log, seed, share=HELD_BACK):
    """(Log to learn from, Log held back)."""
    if len(log) < FEW:
        raise TinycontactError(f"{log.path}: {len(log)} tosses; training wants {FEW}, of which it holds back a fifth")
    order = np.random.default_rng(seed).permutation(len(log))
    many = max(2, int(round(share * len(log))))
    held = set(order[:many].tolist())
    parts = [[toss for k, toss in enumerate(log.tosses) if (k in held) == back] for back in (False, True)]
    return tuple(replace(log, tosses=part) for part in parts)


def of_search(z):
    """The eight numbers at a point of the search, in the spreads of its first candidates."""
    return tuple((np.array(refine.RESIDUAL_START) + np.array(refine.GAINS) * z).tolist())


def searched(case, body, seed, rounds, tell):
    """The eight numbers of least cost on a refine.Case."""
    search, best = Search(np.zeros(8), 1.0, refine.CANDIDATES, seed), (np.inf, None)

    def cost(candidates, pool):
        bodies = [replace(body, residual=of_search(z)) for z in candidates]
        parts = [bodies[k::refine.THREADS] for k in range(min(refine.THREADS, len(bodies)))]
        each = np.empty((len(bodies), len(case)))
        for k, found in enumerate(pool.map(lambda part: refine.costs(case, part), parts)):
            each[k::refine.THREADS] = found
        return each.mean(axis=1) + 0.5 * refine.PRIOR / len(case) * np.sum(np.square(candidates), axis=1)

    with ThreadPoolExecutor(refine.THREADS) as pool:
        for k in range(rounds):
            tried = search.ask()
            costs = cost(tried, pool)
            search.tell(costs)
            best = min(best, (costs.min(), tried[costs.argmin()]), key=lambda one: one[0])
            tell((k + 1) / rounds, f"cost {best[0]:.4f}")
        last = cost(search.mean[None], pool)[0]
    return of_search(search.mean if last <= best[0] else best[1])


def judged(held, body, states):
    return score.judge(held, body, roll.roll_out(held, body, states), "flight")


def mujoco_scores(held, body, states):
    """Scores of MuJoCo with the same body, or why there are none, in words."""
    from . import mujoco
    try:
        return score.judge(held, body, mujoco.roll_out(held, body, states), "flight")
    except TinycontactError as error:
        return str(error)


def gain(constants, residual):
    """(mean, standard error) per toss of what the residual saves, in widths / 100 and degrees, each over the constants'
    mean."""
    parts = []
    for name in ("position_percent", "rotation_deg"):
        one, other = (np.array([row[name] for row in found["throws"]]) for found in (constants, residual))
        parts.append((one - other) / max(one.mean(), 1e-12))
    saved = np.mean(parts, axis=0)
    return float(saved.mean()), float(saved.std(ddof=1) / np.sqrt(len(saved)))


def verdict(constants, residual):
    """(whether the residual is used, in words)."""
    names = (("position", "position_percent"), ("rotation", "rotation_deg"))
    lower = [word for word, name in names if residual["mean"][name] < constants["mean"][name]]
    saved, error = gain(constants, residual)
    if len(lower) == 2 and saved > error:
        return True, "better than fitted Coulomb in both position and rotation: use the model"
    if len(lower) == 2:
        words = "no better than fitted Coulomb beyond chance"
    elif lower:
        words = f"better than fitted Coulomb in {lower[0]} only"
    else:
        words = "worse than fitted Coulomb"
    return False, f"{words}: log more throws; the constants are kept"


def learn(log, body, seed=1, progress=None, rounds=ROUNDS, compare=True):
    """The Learned of a log. `progress(share, words)` is called after each round of candidates."""
    body = replace(body, residual=None)
    taught, held = split(log, seed)
    case = refine.prepare(taught, body)
    found = searched(case, body, seed, rounds, progress or (lambda share, words: None))
    states = roll.starts(held, body, "flight")
    scores = {"constants": judged(held, body, states), "residual": judged(held, replace(body, residual=found), states)}
    if compare:
        scores["mujoco"] = mujoco_scores(held, body, states)
    better, words = verdict(scores["constants"], scores["residual"])
    return Learned(found if better else KEPT, found, better, words, scores, len(case), [toss.label for toss in held.tosses])
