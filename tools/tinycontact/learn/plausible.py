# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Checks a log of throws before anything is learned from it: metres, radians counter-clockwise, the
floor at y = 0.

Three facts hold for every rigid body on a flat floor, whatever its friction:

    flight   while nothing touches, y accelerates by -g, x and theta do not accelerate
    touch    while the floor pushes (y accelerates by more than -g), the body's lowest point is on
             the floor
    moment   k^2 theta'' = r_x (y'' + g) - r_y x'', r from the centre of mass to the touching corner

The first gives the unit of length. The second gives the unit of the angle and the height of the
floor. The third gives the directions of x and theta. Accelerations are those of parabolas through
so many samples in a row that noise moves them by g / 8 at most. The same weights act on all three
columns, so the third fact holds for the fitted values too while r is nearly constant.

A log is refused only if another reading of its numbers explains it far better. Where there is too
little evidence, or too much noise, nothing is refused.
"""
from dataclasses import dataclass

import numpy as np

from ..errors import TinycontactError
from ..progress import say
from ..sim import shapes

LENGTHS = (("millimetres", 1e-3), ("centimetres", 1e-2), ("inches", 0.0254), ("feet", 0.3048))
ANGLES = (("radians", 1.0), ("radians, clockwise", -1.0), ("degrees", np.pi / 180),
          ("degrees, clockwise", -np.pi / 180), ("turns", 2 * np.pi))
SURE = 1 / 8          # of g: deviation of a fitted acceleration
LONGEST = 0.3         # [s] of a window
NEAR = 0.25           # relative difference of a flight's acceleration from -g
ENOUGH = 8            # windows in flight
COMMON = 0.05         # share of windows in flight from which a unit of length is believed
BETTER = 10           # times as many windows in flight that another unit must explain
GRID = 10.0 ** (np.arange(-32, 13) / 8)   # units of length, in metres
REFINED = 4           # times that a unit is corrected by what it explains
SAME = 0.15           # relative difference of a unit from a named one
LEAST_PUSHES = 4
MOVED = 0.02          # of the body's reach, in y: pushes nearer to one another count once
NARROW = 3            # times narrower contact that another reading of theta must give
ALIKE = 1.5           # times the narrowest: readings that fit as well, the first of which is named
WIDE = 0.04           # of the reach: contact this narrow fits well enough
ODD = 0.15            # of the reach: contact this wide is reported though nothing explains it
ALONE = 0.15          # of the reach: gap of the next corner, from where on one corner touches alone
COARSE = 0.15         # of the reach: way of a step, from where on the touching corner is not known
TURN = 0.6            # [rad] in a window, less than which a lever is constant
SIGNS = 0.25          # share of friction's moment of the right sign in a mirrored log, at most
MIRRORED = (-4, -0.5) # ratio of both sides of the moment in a mirrored log; correct: 0.6 to 2
LEAST_MOMENTS = 8
RATE = (0.8, 1.25)    # of a velocity column to the differences of its pose
LEAST_RATES = 10
SPEEDS = ((("of the other sign", -1.0), ("in millimetres per second", 1e-3),
           ("in centimetres per second", 1e-2)),
          (("of the other sign", -1.0), ("in degrees per second", np.pi / 180)))


@dataclass
class Seen:
    """A log as it stands in its file."""

    path: str
    body: shapes.Body
    poses: list          # [[T, 3], ...] x, y, theta
    noise: np.ndarray    # [3] deviations


def check(path, body, poses, rates, noise):
    """Refuses a log whose units, axes or floor are probably wrong. `poses` [[T, 3], ...] and
    `rates` (velocities, or empty) are the file's numbers, `noise` [3] their deviations."""
    seen = Seen(path, body, poses, noise)
    if body.g <= 0:
        return
    _check_length(seen)
    length = _window(noise[1], body)
    if length:
        _check_touch(seen, length)
        _check_rates(seen, rates, length)


# ---- Windows of samples

def _deviation(sigma, n, step):
    """Of the acceleration of a parabola through n samples with noise sigma."""
    return sigma * np.sqrt(720 / (n * (n**2 - 1) * (n**2 - 4))) / step**2


def _window(sigma, body):
    """The least number of samples whose parabola shows g; 0 if noise hides it."""
    for n in range(5, int(LONGEST / body.h) + 1):
        if _deviation(sigma, n, body.h) <= SURE * body.g:
            return n
    return 0


def _starts(pose, n):
    """First samples of windows of n, each overlapping the next by three quarters."""
    return np.arange(0, len(pose) - n + 1, max(1, n // 4))


def _samples(column, n, first):
    """[len(first), n]: the samples of some windows."""
    return column[first[:, None] + np.arange(n)]


def _fit(column, n, first, step):
    """(acceleration, root mean square of the residual) of each window."""
    k = np.arange(n) - (n - 1) / 2
    powers = np.stack([np.ones(n), k, k**2], axis=1)
    rows = _samples(column, n, first)
    parts = rows @ np.linalg.pinv(powers).T
    rest = np.sqrt(np.mean((rows - parts @ powers.T)**2, axis=1))
    return 2 * parts[:, 2] / step**2, rest


# ---- Flight: the unit of length

def _even(seen, n):
    """(y'' of the windows in which x and theta do not accelerate, number of all windows)."""
    step, noise, found, total = seen.body.h, seen.noise, [np.zeros(0)], 0
    for pose in seen.poses:
        first = _starts(pose, n)
        (ax, _), (ay, rest), (at, _) = (_fit(pose[:, k], n, first, step) for k in range(3))
        even = [np.abs(a) < 4 * _deviation(noise[k], n, step) for k, a in ((0, ax), (2, at))]
        found.append(ay[even[0] & even[1] & (rest < 2 * noise[1])])
        total += len(ay)
    return np.concatenate(found), total


def _check_length(seen):
    """Refuses a log that falls with another acceleration than -g."""
    body, known = seen.body, {}

    def flights(scale):
        """(y'' of flights if lengths are times `scale` metres, number of all windows)."""
        n = _window(abs(scale) * seen.noise[1], body)
        if n not in known:
            known[n] = _even(seen, n) if n else (np.zeros(0), 0)
        fall, total = known[n]
        return fall[np.abs(scale * fall / body.g + 1) < NEAR], total

    plain, total = flights(1.0)
    if len(plain) > COMMON * total:
        return
    units = [sign * scale for scale in GRID for sign in (1, -1)]
    unit = max(units, key=lambda one: len(flights(one)[0]))
    for _ in range(REFINED):   # a unit that lives on noise explains less and less
        best, total = flights(unit)
        if len(best) < ENOUGH or len(best) <= COMMON * total:
            return
        unit = -body.g / float(np.median(best))
    if len(best) > BETTER * len(plain) and abs(unit - 1) >= SAME:
        _refuse_length(seen, best)


def _refuse_length(seen, best):
    """Says what lengths probably are, from the accelerations of flights."""
    told, where = float(np.median(best)), seen.path
    scale = abs(seen.body.g / told)
    fact = (f"in flight y accelerates by {told:+.4g} per s^2, but the body's g is {seen.body.g:g}"
            " m/s^2")
    name, factor = next((pair for pair in LENGTHS if abs(scale / pair[1] - 1) < SAME), ("", 1.0))
    if name:
        down, cure = (" and y points down", " and turn y round") if told > 0 else ("", "")
        raise TinycontactError(f"{where}, columns x and y: are probably in {name}{down}; metres are"
                               f" wanted, y up: {fact}. Multiply x and y by {factor:g}{cure}")
    if abs(scale - 1) < SAME:
        raise TinycontactError(f"{where}, column y: probably points down; up is wanted: {fact}."
                               " Replace y by the floor's y minus y")
    raise TinycontactError(f"{where}, column y: {fact}. Is y in metres, t in seconds, and g that of"
                           f" the throws? Lengths times {scale:.4g} would agree with g")


# ---- Touch: the unit of the angle, and the floor

def _pushed(body, pose, n):
    """First samples of the windows in which the floor pushes."""
    first = _starts(pose, n)
    return first[_fit(pose[:, 1], n, first, body.h)[0] > -body.g / 2]


def _pushes(seen, n):
    """[(throw, first sample)] of pushes of different heights: a long rest counts once."""
    far, found = max(MOVED * seen.body.reach, 5 * seen.noise[1]), []
    for k, pose in enumerate(seen.poses):
        last = None
        for first in _pushed(seen.body, pose, n):
            height = pose[first:first + n, 1].mean()
            if last is None or (abs(height - last[1]) > far and first - last[0] >= n // 2):
                found.append((k, first))
                last = first, height
    return found


def _lowest(seen, pushes, n, unit):
    """[pushes] height of the body's lowest point in each, if angles are times `unit` radians."""
    angles = [np.unwrap(unit * pose[:, 2]) for pose in seen.poses]
    parts = [(seen.poses[k][first:first + n, 1], angles[k][first:first + n]) for k, first in pushes]
    return np.array([shapes.gaps(seen.body, *part).min() for part in parts])


def _spread(heights):
    """Half the width of the middle two thirds."""
    return float(np.diff(np.quantile(heights, (1 / 6, 5 / 6)))[0] / 2)


def _check_touch(seen, n):
    """Refuses a log whose body does not touch where it is pushed, or turns against friction."""
    pushes = _pushes(seen, n)
    if len(pushes) < LEAST_PUSHES:
        return
    lowest = {name: _lowest(seen, pushes, n, unit) for name, unit in ANGLES}
    spread = {name: _spread(heights) for name, heights in lowest.items()}
    best = next(name for name in spread if spread[name] <= ALIKE * min(spread.values()))
    if spread["radians"] > max(WIDE * seen.body.reach, NARROW * spread[best]):
        _refuse_angle(seen, n, best, spread)
    _check_floor(seen, n, pushes, lowest["radians"], spread["radians"])
    if _way(seen, n, pushes) < COARSE * seen.body.reach:
        _check_directions(seen, n, spread)


def _refuse_angle(seen, n, best, spread):
    """Says what theta probably is."""
    unit = dict(ANGLES)[best]
    cure = f"Multiply theta by {unit:.6g}"
    if unit == -1 and _moments(seen, n, unit)[1] < SIGNS:
        cure = "x is mirrored too: change the signs of x and of theta"
    turn = np.median(np.abs(np.concatenate([np.diff(pose[:, 2]) for pose in seen.poses])))
    raise TinycontactError(
        f"{seen.path}, column theta: is probably in {best}; radians are wanted, counter-clockwise."
        f" It changes by {turn:.3g} per step (median). When the floor pushes, the body's lowest"
        f" point varies by {1000 * spread['radians']:.3g} mm either way; read as {best}, by"
        f" {1000 * spread[best]:.2g} mm. {cure}")


def _way(seen, n, pushes):
    """How far a body falls in the step before it touches [m], at most."""
    falls = [np.ptp(seen.poses[k][first:first + n, 1]) for k, first in pushes]
    return np.quantile(falls, 0.9) / (n - 1)


def _check_floor(seen, n, pushes, heights, spread):
    """Refuses a floor that is not at y = 0. A touching body may be one step's way deeper."""
    body = seen.body
    floor = float(np.median(heights))
    blur = np.hypot(seen.noise[1], body.reach * seen.noise[2])
    slack = 0.02 * body.reach + 3 * blur + _way(seen, n, pushes)
    if spread > ODD * body.reach:
        say(f"{seen.path}: when the floor pushes, the body's lowest point varies by"
            f" {1000 * spread:.3g} mm either way; are shape, theta and floor those of the log?")
    elif abs(floor) > slack:
        raise TinycontactError(
            f"{seen.path}, column y: the floor is probably at y = {floor:.4f} m, not at 0. When the"
            f" floor pushes, the body's lowest point is there (median of {len(pushes)} pushes,"
            f" which vary by {1000 * spread:.2g} mm either way). Subtract {floor:.4f} from y")


# ---- Moment: the directions

def _moments(seen, n, unit=1.0):
    """(median ratio, share of right signs, windows) of what turns a body on one corner: k^2 theta''
    less the moment of the normal force, against the moment of friction."""
    left, right = np.concatenate([_moment(seen, pose, n, unit) for pose in seen.poses], axis=1)
    if len(left) < LEAST_MOMENTS:
        return 1.0, 1.0, len(left)
    weight = np.abs(right)
    share = float(weight[left * right > 0].sum() / weight.sum())
    large = weight >= np.median(weight)
    return float(np.median(left[large] / right[large])), share, len(left)


def _moment(seen, pose, n, unit):
    """[2, windows] of a throw: both sides, where one corner touches and friction exceeds noise."""
    body, angle = seen.body, np.unwrap(unit * pose[:, 2])
    first = _pushed(body, pose, n)
    if not len(first):
        return np.zeros((2, 0))
    columns = pose[:, 0], pose[:, 1], angle
    ax, ay, at = (_fit(column, n, first, body.h)[0] for column in columns)
    turning = _samples(angle, n, first)
    gaps = shapes.gaps(body, _samples(pose[:, 1], n, first), turning)
    rows = np.arange(len(first))
    sample = gaps.min(axis=2).argmin(axis=1)
    low = np.sort(gaps[rows, sample], axis=1)
    corner = gaps[rows, sample].argmin(axis=1)
    arm = shapes.turned(body, turning[rows, sample])[rows, corner] - [0.0, body.radius]
    left = body.gyration**2 * at - arm[:, 0] * (ay + body.g)
    right = -arm[:, 1] * ax
    alone = low.shape[1] == 1 or low[:, 1] - low[:, 0] > ALONE * body.reach
    slow = len(body.vertices) == 1 or np.abs(turning[:, -1] - turning[:, 0]) < TURN
    clear = np.abs(ax) > 2 * _deviation(seen.noise[0], n, body.h)
    return np.stack([left, right])[:, alone & slow & clear]


def _check_directions(seen, n, spread):
    """Refuses a mirrored x or theta, and degrees of a body too round for _check_touch."""
    ratio, share, count = _moments(seen, n)
    if count < LEAST_MOMENTS:
        return
    fact = (f"in {count} pushes on one corner, friction turns the body {ratio:+.3g} times as fast"
            " as it should (median)")
    if ratio > 20 and abs(_moments(seen, n, np.pi / 180)[0] - 1) < 0.5:
        raise TinycontactError(f"{seen.path}, column theta: is probably in degrees; radians are"
                               f" wanted: {fact}. Multiply theta by {np.pi / 180:.6g}")
    if MIRRORED[0] < ratio < MIRRORED[1] and share < SIGNS:
        sure = spread["radians, clockwise"] > NARROW * spread["radians"]
        which = "column x: probably" if sure else "columns x and theta: one of them probably"
        cure = "Change the sign of x" if sure else "Change the sign of that one"
        raise TinycontactError(f"{seen.path}, {which} counts the wrong way; x to the right and"
                               f" theta counter-clockwise are wanted: {fact}. {cure}")


# ---- Velocities, if they were logged

def _check_rates(seen, rates, n):
    """Refuses a velocity column that is not the rate of its pose."""
    for k, (name, of) in enumerate((("vx", "x"), ("vy", "y"), ("omega", "theta"))):
        turns = np.unwrap if name == "omega" else np.asarray
        pairs = [_pair(turns(pose[:, k]), rate[:, k], n, seen.body.h)
                 for pose, rate in zip(seen.poses, rates) if len(pose) > n]
        if not pairs:
            continue
        wanted, told = np.concatenate(pairs, axis=1)
        clear = np.abs(wanted) > 20 * seen.noise[k] / (n * seen.body.h)
        if clear.sum() < LEAST_RATES:
            continue
        ratio = float(np.median(told[clear] / wanted[clear]))
        if not RATE[0] < ratio < RATE[1]:
            words, factor = next((one for one in SPEEDS[k // 2] if abs(ratio * one[1] - 1) < SAME),
                                 ("in another unit", 1 / ratio))
            raise TinycontactError(
                f"{seen.path}, column {name}: is {ratio:.4g} times the rate of {of} (median of"
                f" {int(clear.sum())} windows); it is probably {words}. Multiply {name} by"
                f" {factor:.6g}")


def _pair(pose, rate, n, step):
    """[2, windows]: mean rate over n steps, of the pose and as logged."""
    at = np.arange(0, len(pose) - n, n)
    rates = (pose[at + n] - pose[at]) / (n * step)
    return np.stack([rates, _samples(rate, n, at + 1).mean(axis=1)])
