# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A robot's own log as CSV, in the axes and signs of its robot file, and the contacts of its feet by the library.

    log = read("log.csv", robot, "t_ms=stamp,q_FL_knee=-knee*0.0174533")
    result = estimate(robot, log)

A column is found by its role's name, or named as leglog/read.py has it: ROLE=COLUMN, -COLUMN, COLUMN*NUMBER,
COLUMN+NUMBER, COLUMN@ROWS; a unit may follow the role's name.

    t                          time; s, or t_ms, t_us, t_ns
    q_JOINT, tau_JOINT         coordinate and torque of each joint, by its name in the robot file, or, where it has none,
                               by LIMB_1, LIMB_2, ...; rad or m, N m or N; or _deg, _turn, _mm, _mNm
    gyro_x, gyro_y, gyro_z     turn rate, the IMU's axes; rad/s, or _deg
    accel_x, accel_y, accel_z  specific force, the IMU's axes: (0, 0, 9.81) at rest if they are the base's; m/s^2, or _g
    quat_w, quat_x, quat_y, quat_z   attitude from the IMU's axes to the world's, optional
    touch_LIMB                 a touch sensor, 0 to 1, optional
    contact_LIMB               what was true, 0 or 1, optional: estimates are scored by it

A limb without a number in a joint's column is lost in this row; ticks without a row are lost for all. A limb without any
column of a torque has no torques, as long as another limb has. A robot on a fixed base needs no IMU: it stands upright.
The estimator begins where nothing is lost: rows before the first one with all numbers are left out.
"""
import difflib
import re
from dataclasses import dataclass, field

import numpy as np

from ..errors import TinycontactError
from ..leglog import read as columns_of
from ..leglog.estimate import _truth
from . import judge
from .firmware import Firmware

AXES = ("gyro_x", "gyro_y", "gyro_z", "accel_x", "accel_y", "accel_z")
QUATERNION = ("quat_w", "quat_x", "quat_y", "quat_z")
UNITS = {**columns_of.UNITS, "quat": {}}
LEAST_TICK, MOST_TICK = 1e-4, 0.02   # [s]
LEAST_ROWS = 10
ROUND = 1e-5                         # of a tick: nearer to three digits it has these
UNEVEN = 0.3                         # of a tick: rows that are farther off are of no even clock
MOST_GAP = 2000                      # ticks
CARRIED = (0.6, 1.5)                 # of the weight that the feet of a robot carry over a log
GRAVITY = (0.7, 1.4)                 # of g that an accelerometer shows
TURNS = 4 * np.pi                    # [rad] beyond which coordinates are degrees
AT_REST = (0.6, 1.5)                 # of g that it shows there
LEVEL = 0.5                          # cosine between up and the base's z, with which a log begins
LEANS = 0.98                         # cosine between the force that an IMU with attitude shows on average, and up


@dataclass
class Log:
    path: str
    tick: float          # [s]
    start: float         # [s] time of the first row that counts, by the log's clock
    sensors: dict        # {name: [T, ...]} as an Episode's; lost [T, L]
    contact: np.ndarray = None   # [T, L]
    findings: list = field(default_factory=list)
    torqueless: int = 0          # bits 1 << limb


@dataclass
class Result:
    robot: object
    log: Log
    told: dict           # {field: [T, L, ...]}
    scores: dict         # {limb's name: {metric: number}} where the truth is known

    def __len__(self):
        return len(self.told["contact"])

    @property
    def time(self):
        """[T] by the log's clock [s]."""
        return self.log.start + np.arange(len(self)) * self.log.tick


def joint_names(robot):
    """A name per joint, limb after limb."""
    return [link.name or f"{limb.name}_{k + 1}" for limb in robot.limbs for k, link in enumerate(limb.links)]


def roles(robot):
    """{role: kind in UNITS} of what a log of this robot may have."""
    found = {"t": "t"}
    for name in joint_names(robot):
        found |= {f"q_{name}": "q", f"tau_{name}": "tau"}
    found |= {name: name.split("_")[0] for name in (*AXES, *QUATERNION)}
    for limb in robot.limbs:
        found |= {f"touch_{limb.name}": "touch", f"contact_{limb.name}": "contact"}
    return found


def _role(name, known):
    """(role, factor) of a column's name, or None."""
    if name in known:
        return name, 1.0
    plain, _, unit = name.rpartition("_")
    units = UNITS[known[plain]] if plain in known else {}
    return (plain, units[unit]) if unit in units else None


def _chosen(names, text, known, path):
    """{role: (column, factor, offset)}"""
    chosen = {}
    for word in filter(None, (part.strip() for part in (text or "").split(","))):
        left, mark, right = word.partition("=")
        role = _role(left.strip(), known)
        if not mark or role is None:
            near = difflib.get_close_matches(left, known, 1)
            raise TinycontactError(f"columns: {word!r} is no ROLE=COLUMN" + (f"; did you mean {near[0]}?" if near else
                                                                            f"; roles are {', '.join(known)}"))
        column, factor, offset = columns_of._source(right.strip(), names, path)
        chosen[role[0]] = column, factor * role[1], offset * role[1]
    for name in names:
        role = _role(name, known)
        if role and role[0] not in chosen:
            chosen[role[0]] = name, role[1], 0.0
    return chosen


def _torqueless(chosen, robot):
    """Bits 1 << limb of limbs without any torque, where another has one."""
    joints = np.array(joint_names(robot))
    without = [not any(f"tau_{name}" in chosen for name in joints[part]) for part in robot.columns()]
    return 0 if all(without) else sum(1 << k for k, lacks in enumerate(without) if lacks)


def _need(chosen, robot, names, path):
    joints, without = joint_names(robot), _torqueless(chosen, robot)
    pushed = [name for k, part in enumerate(robot.columns()) if not without >> k & 1 for name in joints[part]]
    imu = AXES if robot.root == "floating" or set(AXES) & set(chosen) else ()
    for role in ("t", *(f"q_{name}" for name in joints), *(f"tau_{name}" for name in pushed), *imu):
        if role not in chosen:
            raise TinycontactError(f"{path}: no column {role}; it has {', '.join(names)}. Say which it is: --columns"
                                   f" {role}=NAME,...")


def read(path, robot, columns=None):
    """The Log in a CSV file (.gz, too). `columns`: as above, ROLE=COLUMN separated by commas."""
    names, mark, number, body = columns_of._header(path, columns_of._text(path))
    text = columns if isinstance(columns, str) else ",".join(columns or ())
    chosen = _chosen(names, text, roles(robot), path)
    _need(chosen, robot, names, path)
    sources = [columns_of._column(source[0], names) for source in chosen.values()]
    values, lines = columns_of._values(path, body, names, mark, number, [names.index(column) for column, *_ in sources])
    if len(values) < LEAST_ROWS:
        raise TinycontactError(f"{path}: has {len(values)} rows; wanted a log")
    values[~np.isfinite(values)] = np.nan
    values = np.column_stack([columns_of._moved(values[:, k], *moves) for k, (_, *moves) in enumerate(sources)])
    found = {role: values[:, k] * factor + offset for k, (role, (_, factor, offset)) in enumerate(chosen.items())}
    without = _torqueless(chosen, robot)
    found |= {f"tau_{name}": np.zeros(len(values)) for name in joint_names(robot) if f"tau_{name}" not in found}
    if AXES[0] not in found:
        rest = np.concatenate([np.zeros(3), robot.imu_axes.T @ [0.0, 0.0, robot.g]])
        found |= {name: np.full(len(values), value) for name, value in zip(AXES, rest)}
    log = _even(path, robot, found, lines)
    log.torqueless = without
    log.findings += [f"limb {limb.name} has no torques (tau_{joint_names(robot)[part][0]}, ...): its height alone tells its"
                     " contact, and slips are not found"
                     for k, (limb, part) in enumerate(zip(robot.limbs, robot.columns())) if without >> k & 1]
    return log


def _ticks(path, time, lines):
    """(tick [s], [T] number of each row's tick)."""
    lacking = np.flatnonzero(np.isnan(time))
    if len(lacking):
        raise TinycontactError(f"{path}, line {lines[lacking[0]]}: a row without a time")
    steps = np.diff(time)
    back = np.flatnonzero(steps <= 0)
    if len(back):
        raise TinycontactError(f"{path}, line {lines[back[0] + 1]}: the time {time[back[0] + 1]:g} s is not after that of"
                               " the row before")
    tick = float(np.median(steps))
    tick = float(np.mean(steps[steps < 1.5 * tick]))
    if abs(float(f"{tick:.3g}") / tick - 1) < ROUND:
        tick = float(f"{tick:.3g}")   # what the clock was meant to be
    if not LEAST_TICK <= tick <= MOST_TICK:
        raise TinycontactError(f"{path}: a row each {tick:g} s; wanted {LEAST_TICK:g} to {MOST_TICK:g} s (t_ms, t_us and t_ns"
                               " are times in other units)")
    counts = np.maximum(np.round(steps / tick), 1).astype(int)
    if counts.max() > MOST_GAP:
        k = int(np.argmax(counts))
        raise TinycontactError(f"{path}, line {lines[k + 1]}: {steps[k]:.3g} s after the row before; cut the log there")
    if np.mean(np.abs(steps / tick - counts) > UNEVEN) > 0.05:
        raise TinycontactError(f"{path}: rows are not evenly spaced; their times are those of arrival, not of the samples?")
    return tick, np.concatenate([[0], np.cumsum(counts)])


def _even(path, robot, found, lines):
    """The Log, a row for each tick; ticks without a row repeat the one before and are lost."""
    joints = joint_names(robot)
    turned = QUATERNION if set(QUATERNION) <= set(found) else ()
    first = _first(path, found, [*(f"{kind}_{name}" for kind in ("q", "tau") for name in joints), *AXES, *turned])
    found, lines = {role: values[first:] for role, values in found.items()}, lines[first:]
    tick, at = _ticks(path, found["t"], lines)
    row = np.searchsorted(at, np.arange(at[-1] + 1), side="right") - 1
    q, tau = (np.column_stack([found[f"{kind}_{name}"] for name in joints]) for kind in ("q", "tau"))
    gone = np.column_stack([np.isnan(q[:, part]).any(1) | np.isnan(tau[:, part]).any(1) for part in robot.columns()])
    imu = np.column_stack([found[name] for name in AXES])
    gone |= np.isnan(imu).any(1)[:, None]
    attitude = np.column_stack([found[name] for name in turned]) if turned else np.zeros((len(q), 0))
    gone |= np.isnan(attitude).any(1)[:, None]
    absent = np.arange(at[-1] + 1) != at[row]
    sensors = {"encoder": np.nan_to_num(q)[row], "torque": np.nan_to_num(tau)[row], "gyro": np.nan_to_num(imu[:, :3])[row],
               "accel": np.nan_to_num(imu[:, 3:])[row], "lost": (gone[row] | absent[:, None]).astype(float)}
    if attitude.size:
        sensors["attitude"] = _unit(path, _held(attitude), lines)[row]
    if any(f"touch_{limb.name}" in found for limb in robot.limbs):
        sensors["touch"] = np.column_stack([_touch(path, found, limb.name, lines) for limb in robot.limbs])[row]
    names = [f"contact_{limb.name}" for limb in robot.limbs]
    contact = np.column_stack([found[name] > 0.5 for name in names])[row] if set(names) <= set(found) else None
    log = Log(str(path), tick, float(found["t"][0]), {name: np.float32(values) for name, values in sensors.items()}, contact)
    log.findings = [*_mistakes(robot, q, imu), *_turned(robot, log.sensors, imu[:, 3:])]
    return log


def _first(path, found, needed):
    """The first row in which all `needed` roles have numbers."""
    known = np.isfinite(np.column_stack([found[role] for role in needed]))
    whole = np.flatnonzero(known.all(1))
    if len(whole) and len(known) - whole[0] >= LEAST_ROWS:
        return int(whole[0])
    never = [role for role, some in zip(needed, known.any(0)) if not some]
    raise TinycontactError(f"{path}: " + (f"{never[0]} has no number in any row" if never else
                                          f"no {LEAST_ROWS} rows from the first one with numbers for all joints and the IMU"))


def _touch(path, found, limb, lines):
    """[T] of a touch sensor; 0.5, which says nothing, where it has no number."""
    values = found.get(f"touch_{limb}", np.full(len(lines), np.nan))
    bad = np.flatnonzero((values < 0) | (values > 1))
    if len(bad):
        raise TinycontactError(f"{path}, line {lines[bad[0]]}: touch_{limb} is {values[bad[0]]:.4g}, wanted 0 to 1. A force"
                               f" becomes that by a threshold: --columns 'touch_{limb}=COLUMN>NUMBER'")
    return np.where(np.isnan(values), 0.5, values)


def _held(values):
    """Rows without a number have those of the row before them. The first row has all."""
    good = np.flatnonzero(~np.isnan(values).any(1))
    return values[good[np.searchsorted(good, np.arange(len(values)), side="right") - 1]]


def _unit(path, quaternions, lines):
    size = np.linalg.norm(quaternions, axis=1)
    bad = np.flatnonzero(~(np.abs(size - 1) < 0.05))
    if len(bad):
        raise TinycontactError(f"{path}, line {lines[bad[0]]}: quat_w, quat_x, quat_y, quat_z are no unit quaternion")
    return np.where(np.abs(size - 1) > 1e-5, 1 / size, 1.0)[:, None] * quaternions   # bits that are good stay


def _mistakes(robot, q, imu):
    """Words on what a log's numbers alone show."""
    slides = [link.joint == "prismatic" for limb in robot.limbs for link in limb.links]
    most = np.nanmax(np.abs(q), axis=0)
    wide = [k for k, slide in enumerate(slides) if not slide and most[k] > TURNS]
    if wide:
        name = joint_names(robot)[wide[0]]
        yield f"q_{name} goes to {most[wide[0]]:.0f}: degrees? (name the column q_{name}_deg, or COLUMN*0.0174533)"
    force = np.linalg.norm(imu[:, 3:], axis=1)
    shown = float(np.nanmedian(force)) / robot.g
    # a robot that jumps is in flight for half of the time, but its mean is that of its weight
    if not any(GRAVITY[0] < share < GRAVITY[1] for share in (shown, float(np.nanmean(force)) / robot.g)):
        guess = "in units of g? (accel_x_g)" if abs(shown * robot.g - 1) < 0.3 else (
            "is gravity taken out? the estimator wants the specific force" if shown < 0.3 else "in which unit?")
        yield f"the accelerometer shows {shown:.2f} g: {guess}"
    if np.nanpercentile(np.abs(imu[:, :3]), 99) > 20:
        yield "the gyro shows more than 20 rad/s: degrees? (gyro_x_deg)"


def _turned(robot, sensors, accel):
    """Words on where the accelerometer shows up."""
    if robot.root != "floating" or np.nanmean(np.linalg.norm(accel, axis=1)) < 0.3 * robot.g:
        return []
    if "attitude" in sensors:
        return _attitude_of(sensors["attitude"], sensors["accel"])
    begin = robot.imu_axes @ accel[np.isfinite(accel).all(1)][0]   # the estimator's level comes from the first row
    size = float(np.linalg.norm(begin))
    if not AT_REST[0] < size / robot.g < AT_REST[1]:
        return [f"the log begins with {size / robot.g:.2f} g at the accelerometer: in flight or in an impact it does not show how"
                " the base is turned; begin the log at rest, or give quat_w, ..., quat_z"]
    if begin[2] < LEVEL * size:
        return [f"where the log begins the accelerometer shows up {np.degrees(np.arccos(begin[2] / size)):.0f} degrees from the"
                " base's z: its signs or axes (accel_z=-COLUMN), or those of the imu in the robot file?"]
    return []


def _up(attitude, accel):
    """Cosine between the mean specific force in the world and its z."""
    w, v = attitude[:, :1], attitude[:, 1:]
    turned = accel + 2 * np.cross(v, np.cross(v, accel) + w * accel)
    mean = turned.mean(0)
    return float(mean[2] / max(np.linalg.norm(mean), 1e-9))


def _attitude_of(attitude, accel):
    shown = _up(attitude, accel)
    if shown > LEANS:
        return []
    guesses = {"it turns from the world to the IMU? (quat_x=-COLUMN, and y, z alike)": attitude * [1, -1, -1, -1],
               "its scalar is the last of the four? (quat_w=COLUMN)": attitude[:, [3, 0, 1, 2]]}
    if np.abs(attitude[:, 3]).mean() < 0.3:   # as a scalar it would turn the IMU over
        guesses.popitem()
    better = [words for words, turned in guesses.items() if _up(turned, accel) > LEANS]
    return [f"by the attitude the accelerometer shows up {np.degrees(np.arccos(shown)):.0f} degrees from the world's z: "
            + (better[0] if better else "its axes or signs, or those of the imu in the robot file?")]


class _Whole:
    """What Firmware.run takes of an Episode."""

    def __init__(self, robot, log):
        self.robot, self.sensors, self.tick = robot, log.sensors, log.tick

    def __len__(self):
        return len(self.sensors["gyro"])


def estimate(robot, log, sensing=None, **settings):
    """The Result of a Log."""
    given = tuple(name for name in ("attitude", "touch") if name in log.sensors)
    if log.torqueless:
        settings = {"torqueless": log.torqueless, **settings}
    told = Firmware(sensing=sensing, given=given, **settings).run(_Whole(robot, log))
    log.findings += _refused(log, told["status"])
    if robot.root == "floating":
        log.findings += _carried(robot, log, told)
    return Result(robot, log, told, {} if log.contact is None else dict(_scores(robot, log, told)))


def _refused(log, status):
    """Ticks whose numbers the estimator did not take."""
    bad = np.flatnonzero(status < 0)
    if not len(bad):
        return []
    return [f"{len(bad)} of {len(status)} ticks were refused, the first at {log.start + bad[0] * log.tick:.6g} s: a number far"
            " beyond what its sensor can say; the estimate before is repeated"]


def _carried(robot, log, told):
    """The feet of a robot that walks carry its weight: torques of another sign or unit do not."""
    share = float(told["impulse"][..., 2].sum() / (robot.mass * robot.g * log.tick * len(told["contact"])))
    if CARRIED[0] < share < CARRIED[1]:
        return []
    held = " or the robot was held" + (", or has limbs that its file lacks" if len(robot.limbs) < 4 else "")
    return [f"the feet carry {100 * share:.0f} % of the robot's weight over the log: torques of another sign, unit or joint,"
            + held]


def _scores(robot, log, told):
    """(limb's name, {metric: number})"""
    for k, limb in enumerate(robot.limbs):
        facts = _truth(log.contact[:, k], log.tick)
        facts.impulse = np.zeros((len(log.contact), 3), np.float32)
        facts.slip_onset, facts.slip = np.zeros(0), np.zeros((len(log.contact), 3), np.float32)
        yield limb.name, judge.summary(judge.judge_foot(facts, told, k, log.tick))
