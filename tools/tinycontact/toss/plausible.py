# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Checks a log of poses by what holds for every body, before anything is learned from it.

    fall     while nothing touches, the tag accelerates by g, down: units of length and time, the axis that points up
    touch    while the floor pushes, the lowest corner is on the floor: the quaternion's convention, the
             shape, the floor
    rates    recorded velocities are the rates of the poses: their units and axes

Each message names the likely mistake, where it shows, and the option that undoes it.
"""
import itertools

import numpy as np

from ..errors import TinycontactError
from ..progress import say
from . import bodyfile, flight, rotation

LEAST_TOSSES = 5
EARTH = 9.81
LEADING, LEADING_TIME = 8, 0.05   # rows at least, [s]: of a throw that are taken for free flight
GRAVITY = (0.85, 1.15)       # of EARTH: what a tracker's error of length explains
ALONG = 0.9                  # cosine to an axis
LENGTHS = (("millimetres", 1e3, "--length mm"), ("centimetres", 1e2, "--length cm"),
           ("inches", 1 / 0.0254, "multiply x, y, z by 0.0254"), ("feet", 1 / 0.3048, "multiply x, y, z by 0.3048"))
SPAN, WIDEST = 0.008, 0.03   # [s] on either side, over which an acceleration is taken: as the noise asks for
PUSH, SURE = 6.0, 4.0        # [m/s^2] above free fall: the floor pushes; so many deviations of the noise
MOST_ROWS = 4000
FITS = 0.12                  # of the half width: spread of the lowest corner about the floor that is taken for contact
BETTER = 0.5                 # another convention that halves it is the right one
SIZE = (0.85, 1.15)          # of the shape, by heights of corners and faces
FLOOR = 0.1                  # of the half width: how far the floor may be from z = 0
MOVED = 0.08                 # of the half width, and 6 deviations: a throw's floor is another
STILL_TIME, STILL_TURN, DRIFT = 0.06, 0.1, 0.2   # [s], [rad/s], of the half width per s: a floor that rises or sinks
RATE = (0.8, 1.25)
CLEAR_RATE = (0.1, 0.5)      # [m/s, rad/s] above which rates are compared


def check(log, solid, shape_path):
    """Raises what is wrong with a log, or returns."""
    if len(log) < LEAST_TOSSES:
        raise TinycontactError(f"{log.where(log.tosses[-1], 0, 'throw')}: the log has {len(log)}"
                               " throw"
                               f"{'s' if len(log) > 1 else ''}; at least {LEAST_TOSSES} are needed,"
                               " 20 to 50 tell most."
                               " Does column throw number them?")
    gravity = _fall(log)
    rows = _pushed(log, gravity)
    _touches(log, rows)
    half = bodyfile.half_width(solid.vertices)
    _still_floor(log, solid, half)
    _convention(log, solid, shape_path, rows)
    _size_and_floor(log, solid, shape_path, rows)
    _fixed_floor(log, solid, rows, half)
    _rates(log)


# ---- Fall

def _accelerations(log):
    """[tosses, 3] m/s^2 over the leading rows of each throw."""
    found = []
    for toss in log.tosses:
        t = toss.t[:_leading(log)] - toss.t[0]
        found.append(2 * np.polyfit(t, toss.position[:len(t)], 2)[0])
    return np.array(found)


def _leading(log):
    """Rows of a throw that are taken for free flight."""
    return max(LEADING, int(np.ceil(LEADING_TIME / log.step)))


def _fall(log):
    """Gravity's size as seen; refuses another unit or another axis."""
    each = _accelerations(log)
    mean = np.median(each, axis=0)
    size = float(np.linalg.norm(mean))
    toss = log.tosses[int(np.argmin(np.linalg.norm(each - mean, axis=1)))]
    where = f"{log.where(toss, 0, 'z')} ff."
    for words, factor, cure in LENGTHS:
        if GRAVITY[0] < size / (EARTH * factor) < GRAVITY[1]:
            raise TinycontactError(f"{where}: lengths are probably in {words}: thrown, the tag"
                                   " accelerates by"
                                   f" {size:.4g} per s^2, wanted {EARTH:.4g} m/s^2; {cure}")
    if size < 0.3 * EARTH:
        raise TinycontactError(f"{where}: the first rows are no free flight: the tag accelerates by"
                               f" {size:.3g} m/s^2"
                               " (median over the throws); begin each throw after the hand has let"
                               " go")
    if mean[2] > ALONG * size:
        raise TinycontactError(f"{where}: z points down: thrown, the tag accelerates by"
                               f" {mean[2]:.3g} m/s^2 along +z;"
                               " --up minus-z")
    if -mean[2] < ALONG * size:
        axis = int(np.argmax(np.abs(mean)))
        cure = "--up y" if axis == 1 and mean[1] < 0 else "turn the log's axes"
        raise TinycontactError(f"{where}: z does not point up: thrown, the tag accelerates by"
                               f" {np.round(mean, 2)} m/s^2;"
                               f" {'xyz'[axis]} seems to be the vertical: {cure}")
    if not GRAVITY[0] < size / EARTH < GRAVITY[1]:
        raise TinycontactError(f"{where}: thrown, the tag accelerates by {size:.4g} m/s^2, wanted"
                               f" {EARTH:.4g}: lengths are"
                               f" off by {size / EARTH:.3g}, or times by"
                               f" {np.sqrt(EARTH / size):.3g} (a wrong frame"
                               " rate?), or the first rows are not in free flight")
    return size


# ---- Touch

def _jitter(log):
    """[m] noise of a height: what four rows of a flight leave of a parabola, their third difference."""
    third = np.concatenate([np.diff(toss.position[:_leading(log), 2], 3) for toss in log.tosses])
    return 1.4826 * float(np.median(np.abs(third))) / np.sqrt(20)


def _curvature(log):
    """Weights of the rows on either side of one: their heights' acceleration, by a parabola through as many rows as
    bring the noise well below PUSH."""
    jitter, stride = _jitter(log), max(int(round(SPAN / log.step)), 1)
    while True:
        t = np.arange(-stride, stride + 1) * log.step
        weights = 2 * np.linalg.pinv(np.stack([np.ones(len(t)), t, t * t], axis=1))[2]
        if SURE * jitter * np.linalg.norm(weights) < PUSH or (stride + 1) * log.step > WIDEST:
            return weights
        stride += 1


def _pushed(log, gravity):
    """[tosses] of rows in which the floor pushes; the rows at rest are the last."""
    weights, found = _curvature(log), []
    for toss in log.tosses:
        rise = np.convolve(toss.position[:, 2], weights, "valid") if len(toss) >= len(weights) else np.zeros(0)
        found.append(np.flatnonzero(rise + gravity > PUSH) + len(weights) // 2)
    return found


def _touches(log, rows):
    """Refuses a log whose throws touch nothing."""
    without = [k for k, one in enumerate(rows) if len(one) < 2]
    if 2 * len(without) > len(log):
        toss = log.tosses[without[0]]
        raise TinycontactError(f"{log.where(toss, len(toss) - 1, 'z')}: this throw ends without"
                               " contact, and so do"
                               f" {len(without) - 1} of {len(log) - 1} others: nothing ever slows their"
                               " fall. Log each throw"
                               " until the body lies still")
    if without:
        say(f"{log.where(log.tosses[without[0]], 0)}: ends without contact ({len(without)} such"
            " throws); its flight counts")


def _sample(log, rows):
    """(position, orientation) of at most MOST_ROWS rows."""
    x = np.concatenate([toss.position[one] for toss, one in zip(log.tosses, rows)])
    q = np.concatenate([toss.orientation[one] for toss, one in zip(log.tosses, rows)])
    some = np.linspace(0, len(x) - 1, min(len(x), MOST_ROWS)).astype(int)
    return x[some], q[some]


def _lowest(x, q, vertices):
    """Heights of the lowest corners."""
    return x[:, 2] + np.einsum("ni,ki->nk", rotation.matrix(q)[:, 2], vertices).min(axis=1)


def _spread(values):
    return float(np.percentile(values, 80) - np.percentile(values, 20))


def _levels_differ(log, solid, rows, most):
    """Whether the lowest corners are level within each throw, and yet differ between throws that end on the same
    side of the body. A floor that moves between throws explains that; another body does not."""
    groups, within = {}, []
    for toss, one in zip(log.tosses, rows):
        if len(one):
            low = _lowest(toss.position[one], toss.orientation[one], solid.vertices)
            within.append(low - np.median(low))
            down = rotation.matrix(toss.orientation[one[-1:]])[0, 2]
            side = int(np.argmax(np.abs(down)))
            groups.setdefault((side, down[side] > 0), []).append(np.median(low))
    between = np.concatenate([levels - np.median(levels) for levels in groups.values()])
    return _spread(np.concatenate(within)) < most < _spread(between)


def _candidates(log):
    """(words, cure, function of quaternions) of the ways to read four columns: as given, then the likelier first."""
    order = log.convention.order
    other = "wxyz" if order == "xyzw" else "xyzw"
    shift = [1, 2, 3, 0] if order == "xyzw" else [3, 0, 1, 2]
    orders = (([0, 1, 2, 3], [], []),
              (shift, [f"the quaternions are probably in the order {other}"], [f"--quaternion {other}"]))
    turned = (["they probably turn the log's axes into the tag's (conjugated quaternions)"],
              ["leave --conjugate out" if log.convention.conjugate else "--conjugate"])
    signs = [((1, 1, 1), ([], [])), ((-1, -1, -1), turned)]
    for one in itertools.product((1, -1), repeat=3):
        if 0 < one.count(-1) < 3:
            names = " and ".join(name for name, sign in zip(("qx", "qy", "qz"), one) if sign < 0)
            signs.append((one, ([f"the sign of {names} is probably swapped"], [f"change the sign of {names}"])))
    for part in (signs[:2], signs[2:]):
        for columns, words, cures in orders:
            for one, (more, cure) in part:
                flip = np.array([1.0, *one])
                yield " and ".join(words + more), ", ".join(cures + cure), (lambda q, c=columns, f=flip: q[:, c] * f)


def _convention(log, solid, shape_path, rows):
    """Refuses quaternions in another convention, and a body of another shape."""
    x, q = _sample(log, rows)
    half = bodyfile.half_width(solid.vertices)
    found = [(_spread(_lowest(x, change(q), solid.vertices)) / half, words, cure)
             for words, cure, change in _candidates(log)]
    own = found[0][0]
    if own < FITS:
        return
    toss = int(np.argmax([len(one) for one in rows]))
    where = f"{log.where(log.tosses[toss], int(rows[toss][0]), 'qw')} ff."
    fact = (f"while the floor pushes, the lowest corner's height is spread by {100 * own:.0f} % of"
            " the half width")
    best = min(range(len(found)), key=lambda k: (round(found[k][0], 2), k))
    if found[best][0] < BETTER * own and found[best][0] < 1.5 * FITS:
        raise TinycontactError(f"{where}: {found[best][1]}: {fact}, then by"
                               f" {100 * found[best][0]:.0f} %;"
                               f" {found[best][2]}")
    if _levels_differ(log, solid, rows, FITS * half):
        _fixed_floor(log, solid, rows, half)
    raise TinycontactError(f"{where}: the body is probably another than that of {shape_path}, or"
                           " its corners are not in the"
                           f" tag's axes: {fact}, and no convention of quaternions explains it")


def _fitted_floor(x, q, vertices):
    """(scale, floor height) that put the lowest corners on a floor, by soft-L1."""
    depth = -np.einsum("ni,ki->nk", rotation.matrix(q)[:, 2], vertices).min(axis=1)
    design, weight = np.stack([depth, np.ones(len(depth))], axis=1), np.ones(len(depth))
    for _ in range(20):
        root = np.sqrt(weight)
        found = np.linalg.lstsq(design * root[:, None], x[:, 2] * root, rcond=None)[0]
        rest = x[:, 2] - design @ found
        weight = 1 / np.sqrt(1 + (rest / max(1.48 * np.median(np.abs(rest)), 1e-6)) ** 2)
    return found, _spread(depth)


def _size_and_floor(log, solid, shape_path, rows):
    """Refuses a floor that is elsewhere and a body of another size."""
    x, q = _sample(log, rows)
    half = bodyfile.half_width(solid.vertices)
    (scale, height), range_of = _fitted_floor(x, q, solid.vertices)
    level = float(np.median(_lowest(x, q, solid.vertices)))
    toss = int(np.argmax([len(one) for one in rows]))
    where = f"{log.where(log.tosses[toss], int(rows[toss][-1]), 'z')} ff."
    told = range_of > 0.1 * half   # both lying and tilted
    if told and not SIZE[0] < scale < SIZE[1] and abs(scale - 1) * half > abs(height) * 0.3:
        raise TinycontactError(f"{where}: the body is {scale:.3g} times as large as that of"
                               f" {shape_path}, by how high it"
                               " lies on corners and faces: is it the same body, and are both in"
                               " metres?")
    if abs(level) > FLOOR * half:
        side = "below" if level < 0 else "above"
        unit = 1 / {"m": 1.0, "cm": 1e-2, "mm": 1e-3}[log.convention.length]
        at = log.convention.floor + level * unit
        raise TinycontactError(f"{where}: the floor is {1e3 * abs(level):.3g} mm {side} z = 0, by"
                               " the lowest corners while it"
                               f" pushes; --floor {at:.4g} (or is the body another than that of"
                               f" {shape_path}?)")


def _fixed_floor(log, solid, rows, half):
    """Refuses a floor that moves between throws."""
    level = np.array([np.median(_lowest(toss.position[one], toss.orientation[one], solid.vertices)) if len(one) > 4
                      else np.nan for toss, one in zip(log.tosses, rows)])
    there = np.isfinite(level)
    middle = np.median(level[there])
    usual = 1.4826 * np.median(np.abs(level[there] - middle))
    off = np.flatnonzero(there & (np.abs(level - middle) > max(MOVED * half, 6 * usual)))
    if usual > MOVED * half and not len(off):
        off = np.array([int(np.nanargmax(np.abs(level - middle)))])
    if len(off):
        k = int(off[0])
        raise TinycontactError(f"{log.where(log.tosses[k], int(rows[k][-1]), 'z')}: the floor"
                               " moves: here it is at"
                               f" {1e3 * level[k]:.1f} mm, of all throws at {1e3 * middle:.1f} mm"
                               f" ({len(off)} throws are so"
                               " far off). Was the board or the camera moved? Leave these throws"
                               " out, or log them apart")


def _still_floor(log, solid, half):
    """Refuses a floor that rises or sinks under bodies that lie still on it."""
    drift = np.zeros(len(log))
    for k, toss in enumerate(log.tosses):
        rows = slice(-max(int(round(STILL_TIME / log.step)), LEADING), None)
        low = _lowest(toss.position[rows], toss.orientation[rows], solid.vertices)
        turn = _turns(toss)[rows]
        if np.linalg.norm(np.mean(turn, axis=0)) < STILL_TURN:
            drift[k] = np.polyfit(toss.t[rows], low, 1)[0]
    k = int(np.argmax(np.abs(drift)))
    if 3 * np.sum(np.abs(drift) > DRIFT * half) > len(log):
        toss = log.tosses[k]
        raise TinycontactError(f"{log.where(toss, len(toss) - 1, 'z')}: the floor moves: the body"
                               " lies without turning and"
                               f" {'rises' if drift[k] > 0 else 'sinks'} at"
                               f" {1e3 * abs(drift[k]):.0f} mm/s, in other throws"
                               " too. Log on a floor that is fixed to the cameras")


# ---- Rates

def _speeds(toss):
    return np.diff(toss.position, axis=0) / np.diff(toss.t)[:, None]


def _turns(toss):
    return rotation.rate(toss.orientation, np.diff(toss.t))


def _rates(log):
    """Refuses recorded velocities that are not the rates of the poses."""
    first = log.tosses[0]
    if first.velocity is not None:
        _compare(log, "velocity", "vx", _speeds)
    if first.omega is not None:
        _compare(log, "omega", "wx", _turns)


def _compare(log, name, column, rates):
    """Refuses rates whose factor or direction is another."""
    least = CLEAR_RATE[name == "omega"]
    rows = slice(1, LEADING)
    told = np.concatenate([getattr(toss, name)[rows] for toss in log.tosses])
    wanted = np.concatenate([rates(toss)[:LEADING - 1] for toss in log.tosses])
    clear = np.linalg.norm(wanted, axis=1) > least
    if clear.sum() < 3 * LEADING:
        return
    told, wanted = told[clear], wanted[clear]
    size = float(np.median(np.linalg.norm(told, axis=1) / np.linalg.norm(wanted, axis=1)))
    alike = float(np.median(np.einsum("ni,ni->n", told, wanted)
                            / np.maximum(np.linalg.norm(told, axis=1) * np.linalg.norm(wanted, axis=1), 1e-12)))
    where = f"{log.where(log.tosses[0], 1, column)} ff."
    if not RATE[0] < size < RATE[1]:
        known = [(180 / np.pi, "in degrees per second: --angle deg")] if name == "omega" else []
        known += [(1e3, "per millisecond or in mm/s"), (1e-3, "in other units: multiply by 1000"),
                  (log.step, "per row: divide by the step")]
        words = next((text for factor, text in known if RATE[0] < size / factor < RATE[1]), "in another unit")
        raise TinycontactError(f"{where}: velocities are {size:.4g} times the rate of the poses;"
                               f" they are probably {words}")
    if alike < ALONG:
        other = "world" if log.convention.frame == "tag" else "tag"
        axes = (f"they are in other axes (--frame {other}), or signs are swapped" if name == "omega" else
                "signs are swapped")
        raise TinycontactError(f"{where}: velocities do not point as the poses change (cosine"
                               f" {alike:.2f}, median);"
                               f" probably {axes}")


# ---- After identification

def check_found(log, found, shape_path):
    """Refuses what only the fit can tell."""
    scale = found.body.scale
    if len(found.rests) >= 5 and not SIZE[0] < scale < SIZE[1]:
        one = found.rests[0]
        toss = log.tosses[one.toss]
        raise TinycontactError(f"{log.where(toss, len(toss) - 1, 'z')}: the body lies"
                               f" {1e3 * one.height:.1f} mm high, the one"
                               f" of {shape_path} would lie"
                               f" {1e3 * found.solid.offsets[one.face]:.1f} mm high: is it the"
                               " same body, and is the floor at z = 0 (--floor)?")
    outside = np.max(found.solid.normals @ found.body.centre - found.body.scale * found.solid.offsets)
    if outside > 0:
        raise TinycontactError(f"{log.path}: the centre of mass is {1e3 * outside:.1f} mm outside"
                               " the body: are the shape's"
                               " corners in the tag's axes, and the quaternions in the right"
                               " order?")
