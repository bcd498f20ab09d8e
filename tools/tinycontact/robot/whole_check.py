# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A robot file in numbers that a person can compare with scales, a ruler and a clock; and what in it is suspicious.
check.py does it for a leg in a plane; bounds that both have are its.

    found = look(load_robot("robot.json"))
    found.facts, found.suspicious
"""
from dataclasses import replace

import numpy as np

from ..digits import plain
from ..errors import TinycontactError
from ..robots.motion import move
from ..robots.posture import home_of
from ..robots.tables import NEAR_SINGULAR, NEAR_STOP, Tables
from .check import (HEAVY, LIGHT, LONG, ROTOR_LEAST, ROTOR_MOST, SHORT, STOPS, TURN, TURNS, UNLIKE, WIDEST, NARROWEST,
                    Found, _mm, _range)

TWINS = 0.1    # of a limb's mass, by which another with as many joints may differ
FAR = 1.0      # of a limb's reach, that the IMU may be from the base's centre of mass
WAYS = (("forward", "back"), ("left", "right"), ("up", "down"))
LEAST_MM = 0.5
MARGIN, RATIO = 0.05, 0.05   # [rad] or [m] from a stop; singular values of J (tc_robot_near)


def standing(robot):
    """(the Robot with a home for each limb, the words for where that is)"""
    try:
        return home_of(robot), "at home"
    except TinycontactError:
        zero = [replace(limb, home=np.zeros(limb.joints)) for limb in robot.limbs]
        return replace(robot, limbs=zero), "joints at 0"


def _name(limb, k):
    return limb.links[k].name or f"{limb.name}, joint {k}"


def _lengths(limb):
    """[n] from each joint to the next, the last to the foot's centre."""
    ends = [link.origin for link in limb.links[1:]] + [limb.foot.center]
    return np.array([float(np.linalg.norm(end)) for end in ends])


def _still(limb, q):
    return move(limb, q, np.zeros(limb.joints))


def moved(limb, k):
    """[3] by which the foot moves if joint k goes on by TURN rad, or a tenth of that in metres, from home."""
    q = np.array(limb.home, float)
    q[k] += TURN * (0.1 if limb.links[k].joint == "prismatic" else 1.0)
    return _still(limb, q).centre - _still(limb, limb.home).centre


def _sign(limb, k):
    step = "+10 mm" if limb.links[k].joint == "prismatic" else f"+{TURN:g} rad"
    parts = [f"{plain(abs(x), 3)} mm {ways[int(x < 0)]}" for x, ways in zip(1e3 * moved(limb, k), WAYS)
             if abs(x) > LEAST_MM]
    return f"{_name(limb, k)}: {step} moves the foot {' and '.join(parts) or 'by nothing'}"


def _carried(limb):
    """[n] what joints turn [kg m^2] or move [kg] at home, without their rotors."""
    return np.diag(_still(limb, limb.home).M) - [link.rotor_inertia for link in limb.links]


def centre_of(robot):
    """[3] the robot's centre of mass at home, from the base's origin."""
    total = robot.base.mass * robot.base.com
    for limb in robot.limbs:
        for k, link in enumerate(limb.links):
            part = replace(limb, links=limb.links[:k + 1], foot=replace(limb.foot, center=link.com))
            total = total + link.mass * _still(part, limb.home[:k + 1]).centre
    return total / robot.mass


def _point(at):
    return f"({', '.join(f'{x:.3g}' for x in np.round(at, 4) + 0.0)})"


def _torques(limb, torque):
    return ", ".join(f"{_name(limb, k)} {value + 0.0:.3g} {'N' if limb.links[k].joint == 'prismatic' else 'N m'}"
                     for k, value in enumerate(np.round(torque, 6)))


def _efforts(robot, limb, where):
    """What its motors read at home, the base level: the foot in the air, and bearing a part of the weight."""
    m = move(limb, limb.home, 0.0 * limb.home, force=np.array([0.0, 0.0, robot.g]))
    yield "held", f"{limb.name}: {_torques(limb, m.bias)} hold it in the air {where}"
    if robot.root == "floating":
        share = robot.mass * robot.g / len(robot.limbs)
        yield "stand", f"{limb.name}: {_torques(limb, m.bias - share * m.J[2])} when it bears {share:.4g} N {where}"


def _facts(robot, where):
    masses = ", ".join(f"{limb.name} {limb.mass:.3g}" for limb in robot.limbs)
    yield "robot", (f"{robot.name or 'without a name'}: {len(robot.limbs)} limb{'s' * (len(robot.limbs) > 1)},"
                    f" {robot.joints} joints, base {robot.root}, g {robot.g:g} m/s^2")
    yield "mass", f"{robot.mass:.4g} kg in all: base {robot.base.mass:.3g}, {masses}"
    yield "centre", f"of mass: {_point(centre_of(robot))} m from the base's origin, {where}"
    felt = robot.imu_axes.T @ np.array([0.0, 0.0, robot.g])
    yield "imu", f"at {_point(robot.imu)} m; its accelerometer reads {_point(felt)} m/s^2 while the base is level"
    for limb in robot.limbs:
        lengths = ", ".join(f"{_name(limb, k)} {_mm(length)}" for k, length in enumerate(_lengths(limb)))
        yield "length", f"{limb.name}: {lengths}; foot's radius {_mm(limb.foot.radius)}"
        place = _still(limb, limb.home).centre
        angles = ", ".join(f"{q:.3g}" for q in np.round(limb.home, 4) + 0.0)
        yield "foot", f"{limb.name}: at {_point(place)} m {where}, joints at {angles}"
        yield from _efforts(robot, limb, where)
    for limb in robot.limbs:
        for k in range(limb.joints):
            yield "sign", _sign(limb, k)
    for limb in robot.limbs:
        for k, link in enumerate(limb.links):
            if link.range:
                yield "range", f"{_name(limb, k)}: {_range(link)}"


def _of_link(limb, k, length):
    link, name, com = limb.links[k], _name(limb, k), float(np.linalg.norm(limb.links[k].com))
    if link.range and link.joint == "revolute" and max(np.abs(link.range)) > TURNS:
        yield f"{name}, range: {link.range[0]:g} to {link.range[1]:g} rad is more than a turn. Is it in degrees?"
    if link.mass == 0.0:
        return
    extent, gyration = max(length, 2 * com), float(np.sqrt(np.linalg.eigvalsh(link.inertia)[-1] / link.mass))
    if extent > 0 and gyration > max(WIDEST * extent, 0.15 * limb.reach):
        yield (f"{name}, inertia: a radius of gyration of {_mm(gyration)} in a link of {_mm(extent)};"
               " a rod's is 0.29 of its length. Is the inertia about the centre of mass, in kg m^2?")
    if gyration < NARROWEST * extent:
        yield (f"{name}, inertia: a radius of gyration of {_mm(gyration)} in a link of {_mm(extent)}:"
               " nearly a point. Is it in kg m^2?")
    if com > 1.5 * max(length, 0.2 * limb.reach):
        yield f"{name}, com: {_mm(com)} from the joint, beyond the link's end at {_mm(length)}. Is it from the joint?"


def _of_motor(limb, k, carried):
    link, name = limb.links[k], _name(limb, k)
    if link.rotor_inertia > ROTOR_MOST * carried:
        yield (f"{name}, rotor_inertia: {link.rotor_inertia:.3g} is {link.rotor_inertia / carried:.3g} times what the"
               " joint carries. Was the gear counted twice?")
    elif 0 < link.rotor_inertia < ROTOR_LEAST * carried:
        yield (f"{name}, rotor_inertia: {link.rotor_inertia:.3g} is {link.rotor_inertia / carried:.2g} of what the"
               " joint carries. Is it multiplied by the gear's square?")
    if link.damping > STOPS * (carried + link.rotor_inertia):
        yield (f"{name}, damping: {link.damping:.3g} stops the joint in"
               f" {1e3 * (carried + link.rotor_inertia) / link.damping:.2g} ms. Simulators' models have such numbers"
               " for their own stability")


def _of_limb(robot, limb):
    lengths, carried = _lengths(limb), _carried(limb)
    for k in range(limb.joints):
        yield from _of_link(limb, k, lengths[k])
        yield from _of_motor(limb, k, carried[k])
    masses = [link.mass for link in limb.links if link.mass]
    if max(masses) > UNLIKE * min(masses):
        yield f"{limb.name}, masses: one link has {min(masses):.3g} kg, another {max(masses):.3g}"
    if not SHORT <= limb.reach <= LONG:
        far = "millimetres" if limb.reach > LONG else "metres"
        yield f"{limb.name}, lengths: the limb reaches {limb.reach:.4g} m. Are the lengths in {far}?"
    if limb.foot.radius > 0.2 * limb.reach:
        yield f"{limb.name}, foot, radius: {_mm(limb.foot.radius)} beside a limb of {_mm(limb.reach)}"
    for k in range(limb.joints):
        if np.linalg.norm(moved(limb, k)) < 1e-3 * LEAST_MM:
            yield f"{_name(limb, k)}: moves the foot by nothing at home; its axis passes through the foot"


def _of_robot(robot):
    if not LIGHT <= robot.mass <= HEAVY:
        unit = "grams" if robot.mass > HEAVY else "kg"
        yield f"masses: the robot weighs {robot.mass:.4g} kg. Are the masses in {unit}?"
    if not any(link.rotor_inertia for limb in robot.limbs for link in limb.links):
        yield ("rotor_inertia: 0 for all joints. A geared motor's is often more than the link's: data sheet, times the"
               " gear's square")
    if not 9.7 < robot.g < 9.9:
        yield f"g: {robot.g:g} m/s^2 is not the Earth's"
    away, most = float(np.linalg.norm(robot.imu - robot.base.com)), max(limb.reach for limb in robot.limbs)
    if away > FAR * most:
        yield (f"base, imu, position: {_mm(away)} from the base's centre of mass. Is it in metres, from the base's"
               " origin?")
    for first, limb in ((a, b) for k, a in enumerate(robot.limbs) for b in robot.limbs[k + 1:] if a.joints == b.joints):
        if abs(first.mass - limb.mass) > TWINS * max(first.mass, limb.mass):
            yield f"masses: {first.name} weighs {first.mass:.3g} kg and {limb.name} {limb.mass:.3g}. Are they alike?"


def _of_homes(robot, where):
    """Homes where the equation of motion is not to be believed; a robot that the library refuses."""
    try:
        tables = Tables(robot)
    except TinycontactError as error:
        yield str(error)
        return
    for k, limb in enumerate(robot.limbs):
        near = tables.near(k, limb.home, MARGIN, RATIO) if where == "at home" else 0
        if near & NEAR_STOP:
            yield f"{limb.name}, home: a joint is within {MARGIN:g} of a stop, whose force looks like contact"
        if near & NEAR_SINGULAR:
            yield f"{limb.name}, home: a singular pose, where small errors of torques are large forces. Is it straight?"


def _named(robot):
    """The Robot with the limb's name in joints' names that several limbs have."""
    names = [link.name for limb in robot.limbs for link in limb.links]
    limbs = [replace(limb, links=[replace(link, name=f"{limb.name} {link.name}" * bool(link.name))
                                  if names.count(link.name) > 1 else link for link in limb.links])
             for limb in robot.limbs]
    return replace(robot, limbs=limbs)


def look(robot):
    """The Found of a Robot."""
    robot, where = standing(_named(robot))
    suspicious = [*_of_robot(robot), *_of_homes(robot, where)] + [text for limb in robot.limbs for text in _of_limb(robot, limb)]
    return Found([*_facts(robot, where)], suspicious)
