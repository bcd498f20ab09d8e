# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A log as the estimator takes it: ticks at an even rate, the library's axes and signs, lost ticks marked.

    parts, notes = segments(chain, log)      # [Segment], words about what was done

The library's x is the file's x, its y the file's z, angles counter-clockwise: coordinates, rates and torques of joint i
are PlanarLeg.sign[i] times the file's; turn rate and pitch about y change sign. With `drives` in the chain file the
log's coordinates and torques are the motors'.
"""
from dataclasses import dataclass

import numpy as np

from ..errors import TinycontactError
from .clock import LONGEST, even

FASTEST = 2.4e-4    # [s] tick: what was logged faster is averaged over ticks of 1 ms
TURN = 2 * np.pi
LEVELLING = 5.0     # [s] in which an integrated pitch follows the accelerometer
FIRST = 0.2         # [s] of a part that say whether it begins at rest
STANDS = 0.15       # of g: a base at rest feels g to that
LEVELS = 3.0        # [s] over whose mean a base that begins in flight feels g upwards
LEVELLED = 1.5      # [s] of a part that begins in flight, from which on that mean is believed


@dataclass
class Segment:
    """Ticks k = 0..T-1, as estimate.Estimator.run and observer.Observer.run take them; float32, the library's signs."""
    encoder: np.ndarray          # [T, n]
    torque: np.ndarray           # [T, n]
    gyro: np.ndarray             # [T]
    accel: np.ndarray            # [T, 2]
    lost: np.ndarray             # [T] 1: no row
    pitch: np.ndarray            # [T] as logged, or integrated from the gyro
    tick: float                  # [s]
    start: float                 # of the first tick in the log [s]
    given: tuple                 # of the estimator's optional sensors
    base_velocity: np.ndarray = None   # [T]
    touch: np.ndarray = None           # [T]
    contact: np.ndarray = None         # [T] bool: the truth
    rate: np.ndarray = None            # [T, n] dq, if logged
    placed: bool = True                # each row is a tick; else ticks were interpolated

    def __len__(self):
        return len(self.gyro)

    def time(self):
        """[T] in the log [s]"""
        return self.start + np.arange(len(self)) * self.tick


def torques(log, constant=None, gear=None):
    """[T, n] N m of a Log; of currents by torque constant [N m/A] and gear ratio, one for all joints or one each."""
    if log.tau is not None:
        return log.tau
    if constant is None:
        raise TinycontactError(f"{log.path}: has currents and no torques: --torque-constant [N m/A] makes torques of"
                               " them, with --gear, the gear ratio")
    factors = [np.atleast_1d(np.asarray(1.0 if value is None else value, float)) for value in (constant, gear)]
    for name, value in zip(("--torque-constant", "--gear"), factors):
        if len(value) not in (1, log.joints):
            raise TinycontactError(f"{name}: has {len(value)} numbers; wanted one, or one for each of"
                                   f" {log.joints} joints")
    return log.current * factors[0] * factors[1]


def _base(log, leg, q):
    """(gyro [T], accel [T, 2]) in the library's signs; what a root that does not move need not log."""
    lack = [name for name, value in (("gyro_y", log.gyro), ("accel_x and accel_z", log.accel)) if value is None]
    free = {"fixed": lack, "rail": ["gyro_y"], "floating": []}[leg.root]
    missing = [name for name in lack if name not in free]
    if missing:
        raise TinycontactError(f"{log.path}: no column {', '.join(missing)}; the chain's root is {leg.root}, and its"
                               " base moves: the IMU's columns are needed")
    gyro = np.zeros(len(q)) if leg.root != "floating" else -log.gyro
    accel = log.accel if leg.root != "fixed" else np.tile([0.0, leg.g], (len(q), 1))
    return gyro, accel


def at_rest(accel, tick, g=9.81):
    """Whether a part of a log begins with a base that feels g, as one that stands does."""
    force = np.hypot(*np.asarray(accel, float)[:max(1, int(FIRST / tick))].T)
    return bool(np.sqrt(np.mean((force - g)**2)) < STANDS * g)


def begins_unknown(part, leg):
    """Whether the attitude at the beginning of a Segment is a guess: it begins in flight, or in a push, without
    pitch."""
    return leg.root == "floating" and "pitch" not in part.given and not at_rest(part.accel, part.tick, leg.g)


def _first_pitch(gyro, accel, tick):
    """The pitch at the beginning: the accelerometer's at rest. In flight it feels nothing that has a direction: there
    it is the pitch with which the mean force over LEVELS is up, since a base that stays near feels g on average."""
    if at_rest(accel, tick):
        count = max(1, min(len(gyro), int(FIRST / tick)))
        return float(np.median(np.arctan2(accel[:count, 0], accel[:count, 1])))
    count = max(1, min(len(gyro), int(LEVELS / tick)))
    turned = np.cumsum(tick * np.asarray(gyro[:count], float))
    x, z = np.asarray(accel[:count], float).T
    c, s = np.cos(turned), np.sin(turned)
    return float(np.arctan2(np.sum(c * x - s * z), np.sum(s * x + c * z)))


def levelled(gyro, accel, tick):
    """[T] pitch of a base, integrated from its turn rate and slowly drawn to where the specific force is up."""
    tilt = np.arctan2(accel[:, 0], accel[:, 1])
    pitch = np.empty(len(gyro))
    now = _first_pitch(gyro, accel, tick)
    part = min(1.0, tick / LEVELLING)
    for k, (turned, seen) in enumerate(zip((tick * gyro).tolist(), tilt.tolist())):
        now += turned
        now += part * float(np.clip(seen - now, -0.5, 0.5))
        pitch[k] = now
    return pitch


@dataclass
class Signals:
    """Rows of a log in the library's signs, before they are put on ticks."""
    encoder: np.ndarray
    torque: np.ndarray
    gyro: np.ndarray
    accel: np.ndarray
    pitch: np.ndarray = None
    base_velocity: np.ndarray = None
    touch: np.ndarray = None
    contact: np.ndarray = None
    rate: np.ndarray = None


MEANS = ("torque", "accel")      # over a tick, by their integral
HELD = ("touch", "contact")      # the newest


def unwrapped(log, slides, notes):
    """[T, n] coordinates of a Log, without the jumps of encoders that count within a turn."""
    q = log.q.copy()
    for k in np.flatnonzero(~np.asarray(slides)):
        there = np.isfinite(q[:, k])
        jumps = int(np.sum(np.abs(np.diff(q[there, k])) > 0.9 * TURN))
        if jumps and np.ptp(q[there, k]) < 1.05 * TURN:
            q[there, k] = np.unwrap(q[there, k])
            notes.append(f"{log.path}: q{k + 1} jumps by a turn {jumps} times: it is taken as an encoder that counts"
                         " within one")
    return q


def frames(chain):
    """([n, n], [n, n]): the library's coordinates and torques of a log's columns, which are the joints', or the
    motors' of a chain with `drives`."""
    sign = np.diag(chain.planar().sign)
    if chain.drives is None:
        return sign, sign
    return sign @ np.linalg.inv(chain.drives), sign @ chain.drives.T


def signals(chain, log, constant=None, gear=None, notes=None):
    """The Signals of a Log for a Chain; `notes`: a list that words about them go to."""
    leg, (of_q, of_tau) = chain.planar(), frames(chain)
    if log.joints != leg.joints:
        raise TinycontactError(f"{log.path}: has q1 ... q{log.joints}, the chain {leg.joints} joints")
    tau = torques(log, constant, gear)
    if tau.shape[1] != leg.joints:
        raise TinycontactError(f"{log.path}: has torques of {tau.shape[1]} joints, the chain has {leg.joints}")
    gyro, accel = _base(log, leg, log.q)
    pitch = np.zeros(len(log)) if leg.root != "floating" else None if log.pitch is None else -log.pitch
    q = unwrapped(log, leg.slides, [] if notes is None else notes)
    return Signals(q @ of_q.T, tau @ of_tau.T, gyro, accel, pitch, log.base_velocity, log.touch, log.contact,
                   None if log.dq is None else log.dq @ of_q.T)


def _whole(rows):
    """[T] bool: rows with all numbers of the sensors."""
    needed = [rows.encoder, rows.torque, rows.accel, rows.gyro[:, None]]
    needed += [] if rows.pitch is None else [rows.pitch[:, None]]
    return np.all(np.isfinite(np.concatenate(needed, axis=1)), axis=1)


def _held(values, there):
    """`values` with the newest one before where `there` is false."""
    at = np.maximum.accumulate(np.where(there, np.arange(len(there)), -1))
    return values[np.maximum(at, np.argmax(there))]


def _placed(rows, kept, single, index):
    """{name: [ticks, ...]} and lost [ticks]: each row in its tick, lost ticks repeat the one before. `kept` [T]: rows
    with all sensors; `single` [T]: the only ones of their ticks."""
    ticks, found = index[kept].max() + 1, {}
    there = np.zeros(ticks, bool)
    there[index[kept]] = True
    for name, values in vars(rows).items():
        if values is not None:
            here = (single if name in HELD else kept) & (index < ticks)
            placed = np.full((ticks, *values.shape[1:]), np.nan)
            placed[index[here]] = values[here]
            known = np.isfinite(placed.reshape(ticks, -1)).all(1)
            found[name] = _held(placed, known) if known.any() else None
    return found, ~there


def _interpolated(rows, kept, time, tick):
    """The same at another rate, or of rows that come unevenly."""
    t, at = time[kept], np.arange(int(np.floor(time[kept][-1] / tick)) + 1) * tick
    order = np.argsort(t, kind="stable")
    t, found = t[order], {}
    for name, values in vars(rows).items():
        if values is None:
            continue
        known = values[kept][order].reshape(len(t), -1)
        if name in HELD:
            value = known[np.maximum(np.searchsorted(t, at + 1e-9, side="right") - 1, 0)]
        elif name in MEANS:
            value = np.column_stack([_mean_of(t, column, at, tick) for column in known.T])
        else:
            value = np.column_stack([_straight(at, t, column) for column in known.T])
        found[name] = value.reshape(len(at), *values.shape[1:])
    after = np.clip(np.searchsorted(t, at), 1, len(t) - 1)
    away = np.minimum(np.abs(at - t[after]), np.abs(at - t[after - 1]))
    return found, away > max(1.5 * tick, 1.5 * float(np.median(np.diff(t))))


def _straight(at, t, values):
    """[ticks] straight lines between the numbers there are."""
    there = np.isfinite(values)
    return np.interp(at, t[there], values[there]) if there.any() else np.zeros(len(at))


def _mean_of(t, values, at, tick):
    """[ticks] means over the tick that ends at each of `at`, of straight lines between samples."""
    total = np.concatenate([[0.0], np.cumsum(np.diff(t) * (values[1:] + values[:-1]) / 2)])
    ends, begins = (np.interp(moment, t, total) for moment in (at, at - tick))
    span = np.interp(at, t, t) - np.interp(at - tick, t, t)
    return np.where(span > 0.01 * tick, (ends - begins) / np.maximum(span, 1e-12), np.interp(at, t, values))


def segments(chain, log, rate=None, constant=None, gear=None):
    """([Segment], notes) of a Log and the Chain of its leg; `rate` [Hz]: another than the log's."""
    clock = even(log)
    notes = list(clock.notes)
    rows = signals(chain, log, constant, gear, notes)
    if chain.drives is not None:
        notes.append("the chain has drives: q and tau of the log are taken as the motors', not the joints'")
    tick = clock.tick if rate is None else 1.0 / rate
    if rate is None and clock.tick < FASTEST:
        tick = 1e-3
        notes.append(f"{log.path}: logged at {1 / clock.tick:.0f} Hz: averaged to 1,000 Hz (--rate has others)")
    elif rate is not None and abs(tick / clock.tick - 1) > 1e-6:
        notes.append(f"{log.path}: logged at {1 / clock.tick:.6g} Hz, resampled to {rate:g} Hz")
    whole, parts = _whole(rows), []
    if not np.all(whole):
        k = int(np.argmin(whole))
        notes.append(f"{log.path}: {int(np.sum(~whole))} rows lack numbers of sensors (first: line {log.lines[k]}) and"
                     f" count as lost, or as a gap where that lasts longer than {LONGEST:g} s")
    _split(log, clock, whole & clock.kept, notes)
    same = clock.even and tick == clock.tick
    for k in range(int(clock.part.max()) + 1):
        here = clock.part == k
        kept = whole[here] & clock.kept[here]
        if kept.sum() < 2:
            continue
        picked = Signals(**{name: None if value is None else value[here] for name, value in vars(rows).items()})
        found, lost = (_placed(picked, kept, clock.kept[here], clock.index[here]) if same
                       else _interpolated(picked, kept, clock.time[here], tick))
        parts.append(_segment(found, lost, tick, clock.start[k], same))
    if not parts:
        raise TinycontactError(f"{log.path}: no row has numbers of all sensors")
    _begin(log, parts, chain.planar(), notes)
    return parts, notes


def _begin(log, parts, leg, notes):
    """Says which parts begin with an attitude that nothing shows."""
    guessed = [part for part in parts if begins_unknown(part, leg)]
    felt = np.hypot(*np.mean(np.concatenate([part.accel for part in parts]), axis=0))
    if guessed and abs(felt - leg.g) < 0.5 * leg.g:   # else gravity or the unit is wrong, which check.py names
        when = "" if guessed[0] is parts[0] and len(guessed) == 1 else (
            f" (at {', '.join(f'{part.start:.3g}' for part in guessed[:5])} s)")
        what = "the log begins in flight or in a push" if guessed[0] is parts[0] else (
            "behind a gap the log goes on in flight or in a push")
        notes.append(f"{log.path}: {what}{when}: the attitude there is a guess, and slip and contact are uncertain"
                     " until it is known. Begin the log at rest, or log the column pitch")


def _split(log, clock, kept, notes):
    """Begins a new part of the Clock behind rows that lack sensors for longer than the estimator bridges."""
    rows = np.flatnonzero(kept)
    gaps = np.diff(clock.time[rows])
    for row, gap in zip(rows[1:], gaps):
        if gap > LONGEST and clock.part[row] == clock.part[rows[np.searchsorted(rows, row) - 1]]:
            notes.append(f"{log.where(row)}: sensors are missing for {gap:.3f} s; the estimator starts anew")
            same = (clock.part == clock.part[row]) & (np.arange(len(log)) >= row)
            first, begin = clock.index[row], clock.time[row]
            clock.part[np.arange(len(log)) >= row] += 1
            clock.index[same] -= first
            clock.time[same] -= begin
            clock.start = np.insert(clock.start, clock.part[row], log.time[row])


def _segment(found, lost, tick, start, placed):
    given = tuple(name for name in ("pitch", "base_velocity", "touch") if found.get(name) is not None)
    pitch = found.get("pitch")
    arrays = {name: None if found.get(name) is None else np.ascontiguousarray(found[name], np.float32)
              for name in ("encoder", "torque", "gyro", "accel", "base_velocity", "touch", "rate")}
    pitch = levelled(found["gyro"], found["accel"], tick) if pitch is None else pitch
    contact = found.get("contact")
    return Segment(**arrays, lost=lost.astype(np.float32), pitch=pitch.astype(np.float32), tick=float(tick),
                   start=float(start),
                   given=given, contact=None if contact is None else contact > 0.5, placed=bool(placed))
