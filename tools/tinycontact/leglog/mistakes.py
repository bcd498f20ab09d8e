# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What people get wrong in a leg's log, as changes of its signals that have it right; numbers among them are fitted."""
from dataclasses import dataclass, field, replace

import numpy as np

from .physics import explained, inertia_of, judge, relevelled

LEAST_FREE = 0.05       # share of ticks with a free leg below which factors are not fitted
LEAST_FACTOR, LEAST_ZERO = 1.2, 0.15     # smaller errors of torques, masses and zeros [rad] are not named
LEAST_ROTOR = 0.3       # of the inertia that a joint turns
LEAST_DEGREES = 3.0     # a joint moves by that many degrees
COARSE = "torques of another scale"


@dataclass
class Change:
    """One thing that may be wrong: `apply` a (Smooth, PlanarLeg) to have it right."""
    text: str
    apply: object            # (x, leg) -> (x, leg)
    sources: dict = field(default_factory=dict)   # {role: (role whose column it is, factor, offset)}
    hint: str = ""           # what to do where no option mends it
    fitted: bool = False     # a number was fitted: more is asked of it


def _on(**parts):
    """A change of the base's signals: each name's function."""
    def apply(x, leg):
        return relevelled(replace(x, **{name: change(getattr(x, name)) for name, change in parts.items()})), leg
    return apply


def _columns(q=None, tau=None):
    """A change of the log's columns: matrices [n, n] that have them right, of what the library has of them."""
    def apply(x, leg):
        if q is not None:
            right = (x.of_q @ q @ np.linalg.inv(x.of_q)).T
            x = replace(x, q=x.q @ right, w=x.w @ right, a=x.a @ right)
        if tau is not None:
            x = replace(x, tau=x.tau @ (x.of_tau @ tau @ np.linalg.inv(x.of_tau)).T)
        return x, leg
    return apply


def _scale(n, joints, factor):
    """[n, n] a factor on these columns."""
    return np.diag(np.where(np.isin(np.arange(n), joints), factor, 1.0))


def _times(factors):
    factors = np.asarray(factors, float)
    return lambda values: values * factors


def _same(kind, joints, factor):
    """{role: its own column, times a factor}"""
    return {f"{kind}{k + 1}": (f"{kind}{k + 1}", factor, 0.0) for k in joints}


def _signs(n):
    """Wrong signs, the likeliest first."""
    found = []
    for k in range(n):
        back, tau, q = _scale(n, [k], -1.0), _same("tau", [k], -1.0), _same("q", [k], -1.0)
        found += [Change(f"tau{k + 1} has the wrong sign", _columns(tau=back), tau),
                  Change(f"q{k + 1} has the wrong sign", _columns(q=back), q),
                  Change(f"joint {k + 1}'s axis points the other way: q{k + 1} and tau{k + 1} have the wrong sign",
                         _columns(q=back, tau=back), q | tau)]
    every, back = range(n), -np.eye(n)
    return found + [] if n == 1 else found + [
        Change("all torques have the wrong sign", _columns(tau=back), _same("tau", every, -1.0)),
        Change("all joint angles have the wrong sign", _columns(q=back), _same("q", every, -1.0)),
        Change("all joints' axes point the other way", _columns(q=back, tau=back),
               _same("q", every, -1.0) | _same("tau", every, -1.0))]


def _swaps(n):
    """Swapped columns."""
    found = []
    for i in range(n):
        for j in range(i + 1, n):
            order = list(range(n))
            order[i], order[j] = j, i
            swap = np.eye(n)[order]
            tau = {f"tau{a + 1}": (f"tau{b + 1}", 1.0, 0.0) for a, b in ((i, j), (j, i))}
            q = {f"q{a + 1}": (f"q{b + 1}", 1.0, 0.0) for a, b in ((i, j), (j, i))}
            found += [Change(f"joints {i + 1} and {j + 1} are swapped", _columns(q=swap, tau=swap), q | tau),
                      Change(f"tau{i + 1} and tau{j + 1} are swapped", _columns(tau=swap), tau),
                      Change(f"q{i + 1} and q{j + 1} are swapped", _columns(q=swap), q)]
    return found


def in_degrees(n, joints):
    """The Change of these joints' angles."""
    names = [f"q{k + 1}" for k in joints]
    return Change(f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} in degrees, not radians",
                  _columns(q=_scale(n, joints, np.pi / 180)), _same("q", joints, np.pi / 180))


def _degrees(slides):
    turning = np.flatnonzero(~np.asarray(slides))
    groups = ([turning] if len(turning) else []) + ([[k] for k in turning] if len(turning) > 1 else [])
    return [in_degrees(len(slides), joints) for joints in groups]


def _drives(leg, x):
    """Of a chain with drives: columns that are the joints' already."""
    if np.array_equal(np.abs(x.of_q), np.eye(leg.joints)):
        return []
    return [Change("q and tau are the joints', not those of the motors that the chain's drives mean",
                   _columns(q=np.linalg.inv(x.of_q) @ np.diag(leg.sign),
                            tau=np.linalg.inv(x.of_tau) @ np.diag(leg.sign)),
                   hint="take drives out of the chain file, or log the motors")]


def _with_gravity(g):
    def add(x, leg):
        x = relevelled(x, np.tile([0.0, g], (len(x.accel), 1)))   # a pitch that the gyro alone has
        return replace(x, accel=x.accel + g * np.column_stack([np.sin(x.pitch), np.cos(x.pitch)])), leg
    return add


def of_base(leg):
    """Mistakes of the IMU of a base that moves."""
    if leg.root == "fixed":
        return []
    one = {"gyro": _times(-1.0), "turning": _times(-1.0)}
    degrees = {"gyro": _times(np.pi / 180), "turning": _times(np.pi / 180)}
    found = [
        Change("the accelerometer is in g, not m/s^2", _on(accel=_times(9.80665)),
               {name: (name, 9.80665, 0.0) for name in ("accel_x", "accel_z")}),
        Change("gravity is missing in the accelerometer: (accel_x, accel_z) of a base at rest is (0, 9.81), not (0, 0)",
               _with_gravity(leg.g), hint="log the specific force, as an IMU measures it; do not subtract gravity"),
        Change("the accelerometer has the wrong sign: accel_z of a base at rest is +9.81", _on(accel=_times(-1.0)),
               {name: (name, -1.0, 0.0) for name in ("accel_x", "accel_z")}),
        Change("accel_z has the wrong sign: it is +9.81 at rest", _on(accel=_times((1.0, -1.0))),
               {"accel_z": ("accel_z", -1.0, 0.0)}),
        Change("accel_x and accel_z are swapped", _on(accel=lambda values: values[:, ::-1]),
               {"accel_x": ("accel_z", 1.0, 0.0), "accel_z": ("accel_x", 1.0, 0.0)})]
    if leg.root == "floating":
        found += [
            Change("accel_x has the wrong sign: it is positive while the base is pushed forward",
                   _on(accel=_times((-1.0, 1.0))),
                   {"accel_x": ("accel_x", -1.0, 0.0)}),
            Change("gyro_y has the wrong sign: it is positive while the nose goes down (y to the left)", _on(**one),
                   {"gyro_y": ("gyro_y", -1.0, 0.0)}),
            Change("gyro_y is in degrees per second, not radians", _on(**degrees),
                   {"gyro_y": ("gyro_y", np.pi / 180, 0.0)})]
    return found


# ---- Numbers that are fitted

def _factor_words(k):
    """(factor, words) of torques that are 1 / k times what they should be."""
    for value, unit in ((1e-3, "in mN m, not N m"), (1e3, "in kN m, not N m")):
        if abs(k / value - 1) < 0.25:
            return value, f"probably {unit}"
    if k > 1.8:
        return k, f"too small by a factor of {k:.2g}: of the motor's side of its gear, or with a wrong torque constant"
    if k > 1:
        return k, (f"too small by a factor of {k:.2g}: a wrong torque constant or gear, or the chain's masses are"
                   " too large")
    return k, (f"too large by a factor of {1 / k:.2g}: a wrong torque constant, gear or unit, or the chain's masses or"
               " rotor_inertia are too small")


def _least(function, values):
    """The value with the least `function`, refined between its neighbours."""
    costs = [function(value) for value in values]
    k = int(np.argmin(costs))
    low, high = values[max(k - 1, 0)], values[min(k + 1, len(values) - 1)]
    for _ in range(7):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if function(a) < function(b) else (a, high)
    return (low + high) / 2


def _slope(leg, x, noise, joints):
    """Factor on these torques by which those of the free leg are the modelled ones; None where too few ticks are
    free."""
    _, y, air, touch = explained(leg, x, noise)
    free = air <= touch
    if free.mean() < LEAST_FREE:
        return None
    back = np.linalg.inv(x.of_tau).T
    tau, y = ((values[free] @ back)[:, joints] / noise[joints] for values in (x.tau, y))
    return float(np.sum(y * y) / max(np.sum(y * tau), 1e-12))


def torque_factor(leg, x, noise, joints):
    """A Change of the torques' scale, or None."""
    n, back = leg.joints, np.linalg.inv(x.of_tau)

    def scaled(log_factor):
        return replace(x, tau=x.tau @ (x.of_tau @ _scale(n, joints, 10.0**log_factor) @ back).T)

    factor = 10.0**_least(lambda at: judge(leg, scaled(at), noise).unexplained, np.linspace(-3.5, 3.5, 22))
    for _ in range(3):
        slope = _slope(leg, scaled(np.log10(factor)), noise, joints)
        if slope is None or not 0.2 < slope < 5:
            return None
        factor *= slope
    if abs(np.log(factor)) < np.log(LEAST_FACTOR):
        return None
    names = [f"tau{k + 1}" for k in joints]
    which = "the torques are" if len(names) == n else f"{names[0]} is"
    factor, words = _factor_words(factor)
    hint = "" if len(names) < n else _masses(leg, factor)
    return Change(f"{which} {words}", _columns(tau=_scale(n, joints, factor)),
                  {name: (name, float(f"{factor:.3g}"), 0.0) for name in names}, hint, True)


def _masses(leg, factor):
    total = float(np.sum(leg.mass))
    return (f"or the chain's masses are wrong: its links weigh {total:.3g} kg, and {total / factor:.3g} kg would"
            " explain the log"
            if 0.2 < factor < 5 else "")


def _link_mass(leg, x, noise, k):
    """A Change of one link's mass."""
    def with_factor(log_factor):
        factors = np.where(np.arange(leg.joints) == k, np.exp(log_factor), 1.0)
        return replace(leg, mass=leg.mass * factors, inertia=leg.inertia * factors)

    at = _least(lambda value: judge(with_factor(value), x, noise).unexplained, np.linspace(-1.4, 1.4, 9))
    if abs(at) < np.log(LEAST_FACTOR):
        return None
    told = (f"the chain's link {k + 1} weighs {leg.mass[k]:.3g} kg; {leg.mass[k] * np.exp(at):.2g} kg would explain"
            " the log")
    return Change(told, lambda x, leg: (x, with_factor(at)), hint="weigh it", fitted=True)


def _zero(leg, x, noise, k):
    """A Change of one encoder's zero."""
    unit = x.of_q[:, k]   # a column's unit, in the library's coordinates

    def moved(at):
        return replace(x, q=x.q + at * unit)

    at = _least(lambda value: judge(leg, moved(value), noise).unexplained, np.linspace(-np.pi, np.pi, 25))
    at = (at + np.pi) % (2 * np.pi) - np.pi
    if leg.slides[k] or abs(at) < LEAST_ZERO:
        return None
    name, shift = f"q{k + 1}", float(f"{at:.2g}")
    return Change(f"the encoder of {name} has its zero elsewhere: {-shift:+.2g} rad where the chain file has 0",
                  lambda x, leg: (replace(x, q=x.q + at * unit), leg),
                  {name: (name, 1.0, shift)}, fitted=True)


def _rotor(leg, x, noise, k):
    """A Change of the inertia that a joint's rotor has behind its gear."""
    own = float(np.median(inertia_of(leg, x, k)))

    def with_rotor(inertia):
        return replace(leg, rotor=np.where(np.arange(leg.joints) == k, inertia, leg.rotor))

    tried = own * np.concatenate([[0.0], np.geomspace(0.05, 12.0, 9)])
    at = _least(lambda value: judge(with_rotor(value), x, noise).unexplained, tried)
    if leg.slides[k] or abs(at - leg.rotor[k]) < LEAST_ROTOR * own:
        return None
    told = (f"the chain's rotor_inertia of joint {k + 1} is {leg.rotor[k]:.3g} kg m^2; {at:.2g} would explain the log")
    return Change(told, lambda x, leg: (x, with_rotor(at)),
                  hint="it is the motor's inertia times the square of the gear ratio (leg import --rotor --gear)",
                  fitted=True)


def fits(leg, x, noise):
    n = leg.joints
    every = [list(range(n))] + ([[k] for k in range(n)] if n > 1 else [])
    found = [torque_factor(leg, x, noise, joints) for joints in every]
    found += [_zero(leg, x, noise, k) for k in range(n)]
    found += [_link_mass(leg, x, noise, k) for k in range(n)]
    found += [_rotor(leg, x, noise, k) for k in range(n)]
    return [change for change in found if change is not None]


# ---- Lists

def structural(leg, x):
    """Changes that a log may need: degrees only of what moves by more than them; of the accelerometer what its mean
    does not show (_mean_force)."""
    n, spans = leg.joints, np.ptp(x.q @ np.linalg.inv(x.of_q).T, axis=0)
    return (_signs(n) + _swaps(n) + _drives(leg, x) + _degrees(np.asarray(leg.slides) | (spans < LEAST_DEGREES))
            + [change for change in of_base(leg) if "accel" not in change.text or "accel_x has" in change.text])


def coarse(n):
    """Scales of all torques, from which a fit goes on."""
    return [Change(COARSE, _columns(tau=factor * np.eye(n))) for factor in (1e-3, 0.03, 0.1, 0.3, 3.0, 10.0, 30.0, 1e3)]
