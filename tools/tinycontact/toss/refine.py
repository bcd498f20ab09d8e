# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Refinement in closed loop: the body whose roll-outs by the library come nearest to the recorded tosses.

    refined = refine(log, body, progress)      # body: from least squares; a bodyfile.Body in both

Each toss is rolled out from its flight's state over 40 rows. Its cost is the mean over them of |dp| / 50 mm and of the
angle / 45 degrees, each at most 1: a toss that goes the other way counts, but no more than another. The sum over tosses
is searched by CMA-ES. Lengths scale with the body: 50 mm are of one of a width of 104.8 mm.

Few tosses do not determine all: each parameter has a prior about its start with the deviation of PARAMETERS, or the
one that least squares found if that is less. Its weight falls as 1 / tosses. Scale and the floor's height stay as rest
heights and gravity have them. Real edges are rounded, so a corner strikes nearer to the centre than the faces say: the
radius is searched. (A cube of 105 mm: 3 mm. Without it the search lowers the floor by 0.7 mm instead, and inertia and
centre of mass make up for the rest.)

Deviations. The costs of all tosses at all candidates are known. A fit near the end gives the curvature H of their mean
and each toss's gradient g_i. As the optimum moves by -H^-1 mean(g_i), its covariance is H^-1 cov(g_i) H^-1 / tosses: the
bootstrap over tosses to first order. The search's own scatter comes on top: bodies from three thirds of 342 tosses of a
cube differ by 1.6 times as much (root mean square; 2.9 at most but for friction), so the deviations are doubled. Friction
differs by .004 from third to third however many tosses there are.

A spring that is stepped implicitly hardly rebounds: at 1 ms one of 120 kN/m loses nearly all that a body of 0.7 kg
brings. So a search begins from rigid impacts as well, with the restitution in place of the spring, and the nearer one
goes on. What a model of contact misses bends all values alike, and no bootstrap shows it. Least squares is told by
other rows, so half of what it differs by is part of a deviation. A rigid impact leaves out what a contact's time
does, so its roll-outs are not taken to tell more sharply than least squares.

The residual of the friction law is searched after the rest, on one half of the tosses, and judged on the other, both
ways. It is kept if it lowers the cost of what was held back by more than a standard error.
"""
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from ..errors import TinycontactError
from ..spatial import toss as native
from . import flight, rotation
from .roll import friction_of, settings
from .score import angle, width
from .search import Search

ROWS = 40                    # of a roll-out
CAP_WIDTHS = 50 / 104.8      # of the error of position, in widths
CAP_TURN = np.radians(45.0)
LEAST_FLIGHT, LEAST_ROWS = 3, 5   # rows of a flight, and after it
FEW = 3                      # tosses
CANDIDATES, ROUNDS, STARTS = 14, 45, 2
RESIDUAL_ROUNDS, RESIDUALS = 16, 8
THREADS = 2
DOUBT = 2.0                  # times the deviation of the tosses alone, for the search's
LEAST_FRICTION = 0.004       # of friction's deviations
OPEN = 0.7                   # of a prior's deviation: a value that roll-outs leave so open is assumed
LEAST_SPREAD = 0.002         # of friction's priors: the surface's
PRIOR = 0.1                  # weight of a prior against the cost of one toss
STIFFNESS, DAMPING, SLOPE = 1.5e5, 190.0, 1.0   # start where nothing is known: [1/s^2], [1/s] per mass, [s/m]
LEAST_MU, MOST_ROUNDING = 0.01, 0.2   # the latter of the width
ROUNDING = 0.01              # start, of the width
SEARCHED = ("centre_of_mass", "inertia", "inertia_ratio", "stiffness", "damping", "damping_slope", "rounding",
            "friction.point", "friction.edge", "friction.face")   # of the body file
PARAMETERS = {   # name -> standard deviation of the prior, and of the first candidates
    "centre_x": 0.004, "centre_y": 0.004, "centre_z": 0.004,   # of the width
    "inertia_x": 0.05, "inertia_y": 0.05, "inertia_z": 0.05,   # of logarithms
    "rounding": 0.012,                                         # of the width
    "stiffness": 0.5, "damping": 0.5,                          # of logarithms
    "slope": 0.5,                                              # [s/m]
    "point": 0.012, "edge": 0.012, "face": 0.012}
RIGID = {name: one for name, one in PARAMETERS.items() if name not in ("stiffness", "damping", "slope")} | {
    "restitution": 0.1}                                        # where impacts rebound
GAINS = (0.02, 0.5, 0.5, 0.5) * 2                              # first candidates' spread of the residual
RESIDUAL_START = (0.0, 0.5, 0.5, 0.0, 0.0, 0.5, -0.5, 0.0)


@dataclass
class Case:
    """Tosses as roll-outs need them, whatever the parameters: the flight's fit is linear in the centre of mass."""
    times: list               # per toss
    place: np.ndarray         # [n, 2, 3]: position and velocity of the tag's origin's fit
    by_centre: np.ndarray     # [n, 2, 3, 3]: what the centre of mass adds
    orientation: np.ndarray   # [n, 4]
    omega: np.ndarray         # [n, 3] tag axes
    position: np.ndarray      # [rows, 3] recorded, all tosses
    turn: np.ndarray          # [rows, 4]
    first: np.ndarray         # [n]: each toss's first row there

    def __len__(self):
        return len(self.times)

    def some(self, indices):
        rows = [np.arange(self.first[k], self.first[k] + len(self.times[k]) - 1) for k in indices]
        counts = np.array([len(part) for part in rows])
        rows = np.concatenate(rows)
        return Case([self.times[k] for k in indices], self.place[indices], self.by_centre[indices],
                    self.orientation[indices], self.omega[indices], self.position[rows], self.turn[rows],
                    np.concatenate([[0], np.cumsum(counts)[:-1]]))


def _flight(toss, state, gravity):
    """(place [2, 3], by_centre [2, 3, 3]) of a State's rows."""
    rows = slice(state.row - state.rows + 1, state.row + 1)
    t = toss.t[rows] - state.t
    path = toss.position[rows] + 0.5 * gravity * t[:, None] ** 2 * np.array([0.0, 0.0, 1.0])
    inverse = np.linalg.pinv(np.stack([np.ones(len(t)), t], axis=1))
    turns = rotation.matrix(toss.orientation[rows]).reshape(len(t), 9)
    return inverse @ path, (inverse @ turns).reshape(2, 3, 3)


def prepare(log, body):
    """The Case of the tosses that have a flight and rows after it."""
    found = []
    for toss in log.tosses:
        state = flight.at_touch_down(toss, body)
        if state is None or state.rows < LEAST_FLIGHT or len(toss) - 1 - state.row < LEAST_ROWS:
            continue
        rows = slice(state.row, min(state.row + ROWS + 1, len(toss)))
        found.append((toss.t[rows] - state.t, *_flight(toss, state, body.gravity), state.orientation, state.omega,
                      toss.position[rows][1:], toss.orientation[rows][1:]))
    if len(found) < FEW:
        raise TinycontactError(f"{log.path}: {len(found)} tosses have a flight of {LEAST_FLIGHT} rows and"
                               f" {LEAST_ROWS} rows after it; the refinement needs {FEW}. --quick does without")
    times, place, by_centre, turn, omega, x, q = zip(*found)
    first = np.concatenate([[0], np.cumsum([len(part) for part in x])[:-1]])
    return Case(list(times), np.stack(place), np.stack(by_centre), np.stack(turn), np.stack(omega),
                np.concatenate(x), np.concatenate(q), first)


def begun(body):
    """The body with a number for all that is searched where contact is soft."""
    point, edge, face = friction_of(body)
    rounding = body.noise.get("rounding", ROUNDING * width(body)) if body.rounding is None else body.rounding
    return replace(body, stiffness=body.stiffness or STIFFNESS * body.mass, damping=body.damping or DAMPING * body.mass,
                   damping_slope=SLOPE if body.damping_slope is None else body.damping_slope,
                   rounding=float(rounding),
                   friction={"point": point, "edge": edge, "face": face})


def rigid(body):
    """The same with rigid impacts and the restitution that least squares found; None without."""
    return replace(begun(body), stiffness=None, damping=None, damping_slope=None) if body.restitution else None


def parameters(body):
    """{name: standard deviation of its prior} of what is searched."""
    return RIGID if body.stiffness is None else PARAMETERS


def spreads(body):
    """[parameters]: standard deviations of the priors, in the units of `moved`."""
    out = dict(parameters(body))
    centre = body.deviation.get("centre_of_mass")
    for k, axis in enumerate("xyz"):
        if centre is not None:
            out[f"centre_{axis}"] = min(out[f"centre_{axis}"], max(3 * centre[k] / width(body), 0.001))
    for patch in ("point", "edge", "face"):   # slides go on after ROWS: what they told counts
        known = body.deviation.get(f"friction.{patch}")
        if known is not None:
            out[patch] = min(out[patch], max(3 * known, LEAST_SPREAD))
    return np.array(list(out.values()))


def moved(body, z, spread):
    """The Body at parameters z, in standard deviations from `body`; eight more are the residual's."""
    names = parameters(body)
    step = dict(zip(names, np.asarray(z[:len(names)]) * spread))
    size = width(body)
    inertia = np.array(body.inertia) * np.exp([step[f"inertia_{axis}"] for axis in "xyz"])
    inertia = np.minimum(inertia, 0.999 * (inertia.sum() - inertia))
    residual = body.residual
    if len(z) > len(names):
        residual = tuple(np.array(RESIDUAL_START) + np.array(GAINS) * z[len(names):])
    if body.stiffness is None:
        contact = {"restitution": float(np.clip(body.restitution + step["restitution"], 0.0, 1.0))}
    else:
        contact = {"stiffness": body.stiffness * np.exp(np.clip(step["stiffness"], -4, 4)),
                   "damping": body.damping * np.exp(np.clip(step["damping"], -4, 4)),
                   "damping_slope": max(0.0, body.damping_slope + step["slope"])}
    return replace(
        body, centre=body.centre + size * np.array([step[f"centre_{axis}"] for axis in "xyz"]), inertia=inertia,
        rounding=float(np.clip(body.rounding + size * step["rounding"], 0.0, MOST_ROUNDING * size)),
        friction={patch: max(LEAST_MU, mu + step[patch]) for patch, mu in body.friction.items()}, residual=residual,
        **contact)


def begin(case, body):
    """[n, 13] of the library."""
    q = case.orientation
    fit = case.place + case.by_centre @ body.centre
    return np.hstack([fit[:, 0], rotation.product(q, body.axes), fit[:, 1], rotation.turned(q, case.omega)])


def costs(case, bodies):
    """[bodies, tosses]"""
    out = []
    for body in bodies:
        (found,), _ = native.roll([settings(body)], begin(case, body), case.times)
        rows = np.concatenate([path[1:] for path in found])
        q = rotation.product(rows[:, 3:7], rotation.conjugate(body.axes))
        away = np.linalg.norm(rows[:, :3] - rotation.turned(q, body.centre) - case.position, axis=1)
        cost = (np.fmin(away / (CAP_WIDTHS * width(body)), 1.0) + np.fmin(angle(q, case.turn) / CAP_TURN, 1.0))
        out.append(np.add.reduceat(np.nan_to_num(cost, nan=2.0), case.first) / np.diff([*case.first, len(cost)]))
    return np.array(out)


class _Trials:
    """Costs of candidates, on two threads, and all that were tried."""

    def __init__(self, case, body, spread, pool):
        self.case, self.body, self.spread, self.pool = case, body, spread, pool
        self.z, self.each = [], []

    def __call__(self, candidates):
        bodies = [moved(self.body, z, self.spread) for z in candidates]
        parts = [bodies[k::THREADS] for k in range(min(THREADS, len(bodies)))]
        each = np.empty((len(bodies), len(self.case)))
        for k, found in enumerate(self.pool.map(lambda part: costs(self.case, part), parts)):
            each[k::THREADS] = found
        self.z += list(candidates)
        self.each += list(each)
        return each.mean(axis=1) + 0.5 * PRIOR / len(self.case) * np.sum(np.square(candidates), axis=1)


def _searched(kinds, rounds, seed, tell, residuals=0):
    """(z [n], covariance [n, n] of the last candidates, the _Trials): z is the mean of the last candidates, or the best
    tried if that is better. `kinds` has _Trials; a search of each begins, two of the first; the best one goes on."""
    each = [kinds[0]] * STARTS + kinds[1:]
    starts = [np.zeros(len(one.spread) + residuals) for one in each]
    all_of = [Search(start, 1.0, CANDIDATES, seed + k) for k, start in enumerate(starts)]
    best, done = [(np.inf, start) for start in starts], 0
    total = len(each) * (rounds // 3) + rounds - rounds // 3

    def advance(k):
        tried = all_of[k].ask()
        found = each[k](tried)
        all_of[k].tell(found)
        best[k] = min(best[k], (found.min(), tried[found.argmin()]), key=lambda one: one[0])
        tell((done + 1) / total, f"cost {min(best, key=lambda one: one[0])[0]:.4f}")

    for k in range(len(each)):
        for _ in range(rounds // 3):
            advance(k)
            done += 1
    k = int(np.argmin([one[0] for one in best]))
    for _ in range(rounds - rounds // 3):
        advance(k)
        done += 1
    last = each[k](all_of[k].mean[None])[0]
    return (all_of[k].mean if last <= best[k][0] else best[k][1]), all_of[k].covariance, each[k]


# ---- Deviations

def covariance(z, each, at, shape):
    """[n, n] of the optimum `at`, from the costs `each` [trials, tosses] at `z` [trials, n]. `shape` [n, n] is the
    search's, which is the inverse curvature's but for a factor. In the axes that make it a unit matrix one number is the
    curvature of the mean cost, and a line per toss has its gradient."""
    values, axes = np.linalg.eigh(shape)
    root = axes * np.sqrt(np.maximum(values, 1e-12))
    away = np.linalg.solve(root, (np.asarray(z) - at).T).T
    square = np.sum(away ** 2, axis=1)
    near = np.sqrt(np.exp(-0.5 * square / np.median(square)))[:, None]
    design = np.hstack([np.ones((len(away), 1)), away, 0.5 * square[:, None]])
    fitted = np.linalg.lstsq(near * design, near * np.asarray(each), rcond=None)[0]
    tosses = fitted.shape[1]
    curvature = max(fitted[-1].mean(), PRIOR / tosses)
    scatter = np.cov(fitted[1:-1]) / tosses / curvature ** 2
    return root @ scatter @ root.T


def _deviations(body, spread, cov, before):
    """{name of the body file: deviation}. None is above its prior's, but for half of what the Body `before` had
    otherwise."""
    sd = dict(zip(parameters(body), np.minimum(DOUBT * np.sqrt(np.maximum(np.diag(cov), 0)), 1.0) * spread))
    size = width(body)

    def apart(own, now, then, known=0.0):
        least = known if body.stiffness is None else 0.0
        return np.hypot(np.maximum(own, least), 0.5 * (np.asarray(now) - then)).tolist()
    own = {"centre_of_mass": [size * sd[f"centre_{axis}"] for axis in "xyz"],
           "inertia": [moment * sd[f"inertia_{axis}"] for moment, axis in zip(body.inertia, "xyz")]}
    then = {"centre_of_mass": before.centre, "inertia": before.inertia}
    out = {name: np.asarray(one).tolist() for name, one in own.items()}
    for name, now in (("centre_of_mass", body.centre), ("inertia", body.inertia)):
        if name in before.deviation:
            out[name] = apart(own[name], now, then[name], before.deviation[name])
    out["rounding"] = float(size * sd["rounding"])
    if body.stiffness is None:
        out["restitution"] = float(sd["restitution"])
    else:
        out |= {"stiffness": float(body.stiffness * sd["stiffness"]), "damping": float(body.damping * sd["damping"]),
                "damping_slope": float(sd["slope"])}
    if body.inertia_ratio is not None:
        share = np.linalg.norm(own["inertia"]) / np.sum(body.inertia)
        out["inertia_ratio"] = float(apart(body.inertia_ratio * share, body.inertia_ratio, before.inertia_ratio,
                                           before.deviation.get("inertia_ratio", 0.0)))
    borrowed = max((one for name, one in before.deviation.items() if name.startswith("friction.")), default=0.0)
    for patch in ("point", "edge", "face"):   # a patch that least squares does not know begins from the others
        known = before.deviation.get(f"friction.{patch}")
        then = body.friction[patch] if known is None else before.friction[patch]
        told = apart(sd[patch], body.friction[patch], then, borrowed if known is None else known)
        out[f"friction.{patch}"] = max(float(told), LEAST_FRICTION)
    return out


def _undetermined(body, cov, found):
    """What is not determined now: what least squares left open and roll-outs do not see; what they do not tell from
    the assumed value; the spring of a body that rebounds as a rigid one."""
    seen = DOUBT * np.sqrt(np.maximum(np.diag(cov), 0)) < OPEN
    told = {name for name, one in zip(parameters(found), seen) if one}
    told |= {f"friction.{patch}" for patch in ("point", "edge", "face") if patch in told}
    spring = ("stiffness", "damping", "damping_slope")
    is_rigid = found.stiffness is None
    left = [one for one in body.undetermined
            if one["name"] not in told and not (is_rigid and one["name"] in spring)]
    named = {one["name"] for one in left}
    reason = "roll-outs are as near with other values: this one is assumed"
    ours = {"stiffness": "stiffness", "damping": "damping", "slope": "damping_slope", "rounding": "rounding"}
    left += [{"name": name, "reason": reason} for key, name in ours.items()
             if key in parameters(found) and key not in told and name not in named]
    rebounds = "it rebounds: roll-outs with rigid impacts and restitution are nearer than with a spring"
    return left + [{"name": name, "reason": rebounds} for name in spring if is_rigid]


# ---- Residual

def _residual(case, body, spread, pool, seed, tell):
    """The 8 numbers of the friction law's residual, or None where constants do as well on what was held back."""
    base = costs(case, [body])[0]
    halves = np.random.default_rng(seed).permutation(len(case))
    gained = np.zeros(len(case))
    for half, other in ((halves[::2], halves[1::2]), (halves[1::2], halves[::2])):
        z = _searched([_Trials(case.some(half), body, spread, pool)], RESIDUAL_ROUNDS, seed, tell, RESIDUALS)[0]
        gained[other] = base[other] - costs(case.some(other), [moved(body, z, spread)])[0]
    if gained.mean() <= gained.std() / np.sqrt(len(case)):
        return None
    return _searched([_Trials(case, body, spread, pool)], RESIDUAL_ROUNDS, seed, tell, RESIDUALS)[0]


# ---- All

def refine(log, body, progress=None, seed=1, rounds=ROUNDS):
    """The Body refined, with deviations. `progress(share, words)` is called after each round of candidates."""
    tell = progress or (lambda share, words: None)
    case = prepare(log, body)
    starts = [one for one in (begun(body), rigid(body)) if one]
    with ThreadPoolExecutor(THREADS) as pool:
        z, shape, trials = _searched([_Trials(case, one, spreads(one), pool) for one in starts], rounds, seed, tell)
        recent = slice(-(len(trials.z) // 3), None)
        cov = covariance(trials.z[recent], trials.each[recent], z, shape)
    spread = trials.spread
    found = moved(trials.body, z, spread)
    ratio = None if body.inertia_ratio is None else body.inertia_ratio * np.sum(found.inertia) / np.sum(body.inertia)
    found = replace(found, inertia_ratio=ratio, undetermined=_undetermined(body, cov, found))
    left = {name: one for name, one in body.deviation.items() if getattr(found, name, 0.0) is not None}
    return replace(found, deviation=left | _deviations(found, spread, cov, body))


def with_residual(log, body, progress=None, seed=1):
    """A refined Body with the friction law's residual, its other numbers searched again; None where constants do as
    well on what was held back."""
    case, spread = prepare(log, body), spreads(body)
    with ThreadPoolExecutor(THREADS) as pool:
        z = _residual(case, body, spread, pool, seed, progress or (lambda share, words: None))
    return None if z is None else moved(body, z, spread)
