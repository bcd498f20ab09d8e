# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A chain file in numbers that a person can compare with a scale, a ruler and a clock; and what in it is suspicious.

    found = look(load_chain("leg.json"))
    found.facts       [(what, text)]
    found.suspicious  [text], each names the field and the likely mistake
"""
from dataclasses import dataclass

import numpy as np

from ..digits import plain
from ..hil.leg import move
from ..hil.size import reach
from .space import Body

TURN = 0.1            # [rad] or a tenth of a metre: how far a joint is moved to show its sign
DRAWS = 3000          # postures that the foot's range is drawn from
WIDE = (np.pi, 0.1)   # [rad], [m] of joints without a range, to either side
LONG, SHORT = 3.0, 0.03         # [m] of a leg
HEAVY, LIGHT = 200.0, 0.01      # [kg]
UNLIKE = 200.0                  # ratio of two links' masses
WIDEST, NARROWEST = 0.75, 0.02  # radius of gyration over a link's extent
STOPS = 40.0                    # [1/s] damping over inertia
ROTOR_MOST, ROTOR_LEAST = 30.0, 0.003   # reflected rotor inertia over the joint's
TURNS = 7.0                     # [rad] of a range


@dataclass
class Found:
    facts: list
    suspicious: list


@dataclass
class Pose:
    """Places in the chain file's x and z, from the base's origin."""
    joints: np.ndarray   # [n, 2]
    coms: np.ndarray     # [n, 2]
    foot: np.ndarray     # [2] centre
    angles: np.ndarray   # [n] of the links, counter-clockwise with x to the right and z up


def pose(chain, q):
    """The Pose of a Chain at joint coordinates q."""
    leg, at, angle = chain.planar(), np.zeros(2), 0.0
    joints, coms, angles = [], [], []

    def turned(v, by):
        return np.array([np.cos(by) * v[0] - np.sin(by) * v[1], np.sin(by) * v[0] + np.cos(by) * v[1]])
    for k in range(leg.joints):
        joint = at + turned(leg.anchor[k], angle)
        if leg.slides[k]:
            joint = joint + leg.sign[k] * q[k] * turned(leg.axis[k], angle)
        else:
            angle += leg.sign[k] * q[k]
        at = joint + turned(leg.arm[k], angle)
        joints.append(joint), coms.append(at), angles.append(angle)
    return Pose(np.array(joints), np.array(coms), at + turned(leg.foot, angle), np.array(angles))


def inside(chain):
    """[n] coordinates that the ranges allow: 0 where they do, else a range's middle."""
    return np.array([np.mean(link.range) if link.range and not link.range[0] <= 0.0 <= link.range[1] else 0.0
                     for link in chain.links])


def name_of(chain, k):
    return chain.links[k].name or f"joint {k}"


def lengths(chain):
    """[n] from each joint to the next, the last to the foot's centre, in the plane."""
    ends = [link.origin for link in chain.links[1:]] + [chain.foot.center]
    return np.array([np.hypot(end[0], end[2]) for end in ends])


@dataclass
class Hanging:
    """What a joint carries at coordinates 0."""
    mass: float
    lever: float     # from the joint to its centre of mass
    inertia: float   # about the joint, without motors
    belts: float     # of motors behind belts that turn with it


def hanging(chain, k, at):
    body, belts = Body(), 0.0
    for j in range(k, len(chain.links)):
        com = np.array([at.coms[j][0], 0.0, at.coms[j][1]])
        body = body + Body(chain.links[j].mass, com, np.diag(chain.links[j].inertia))
        belts += chain.links[j].belt_inertia
    away = body.com[[0, 2]] - at.joints[k]
    return Hanging(body.mass, float(np.hypot(*away)), float(body.inertia[1, 1] - belts + body.mass * away @ away),
                   belts)


def _scale(chain, at):
    """What a scale shows under the foot when the first joint rests on a table as high."""
    away = at.foot - at.joints[0]
    length = np.hypot(*away)
    if length < 0.02 * reach(chain):
        return ""
    share = sum(link.mass * ((com - at.joints[0]) @ away) for link, com in zip(chain.links, at.coms)) / length**2
    return f"{share:.4g} kg under the foot, if the leg lies level on its first joint and its foot, joints at 0"


def _swing(chain, k, at):
    h, g = hanging(chain, k, at), chain.g
    if chain.links[k].joint == "prismatic" or h.mass * h.lever < 1e-9:
        return ""
    free, rotor = 2 * np.pi * np.sqrt(h.inertia / (h.mass * g * h.lever)), chain.links[k].rotor_inertia + h.belts
    slower = 2 * np.pi * np.sqrt((h.inertia + rotor) / (h.mass * g * h.lever))
    geared = f" ({slower:.3g} s with its motor{'s' * (h.belts != 0.0)})" if rotor else ""
    return f"{name_of(chain, k)} {free:.3g} s{geared}"


def _mm(length, digits=3):
    return f"{plain(length * 1e3, digits)} mm"


def _sign(chain, k, q):
    before, moved = pose(chain, q).foot, np.array(q, float)
    slides = chain.links[k].joint == "prismatic"
    moved[k] += TURN * (0.1 if slides else 1.0)
    x, z = (pose(chain, moved).foot - before) * 1e3
    step = "+10 mm" if slides else f"+{TURN:g} rad"
    return (f"{step} moves the foot {plain(abs(x))} mm {'forward' if x > 0 else 'back'} and {plain(abs(z))} mm"
            f" {'up' if z > 0 else 'down'}")


def foot_range(chain):
    """([DRAWS] x, z) of the foot's centre over the joints' ranges."""
    leg = chain.planar()
    wide = [WIDE[link.joint == "prismatic"] for link in chain.links]
    low, high = np.array([link.range or (-w, w) for link, w in zip(chain.links, wide)]).T
    q = leg.sign * (low + np.random.default_rng(0).random((DRAWS, leg.joints)) * (high - low))
    zero = 0.0 * q[:, 0]
    foot = move(np, leg, list(q.T), [zero] * leg.joints, zero, 0.0, (0.0, leg.g)).foot
    return foot[0], foot[1] + leg.radius


def _facts(chain):
    n, at, q = len(chain.links), pose(chain, np.zeros(len(chain.links))), inside(chain)
    masses = ", ".join(f"{name_of(chain, k)} {link.mass:.4g}" for k, link in enumerate(chain.links))
    x, z = foot_range(chain)
    facts = [("leg", f"{chain.name or chain.path}: {n} joint{'s' * (n > 1)}, base {chain.root}, g {chain.g:g} m/s^2"),
             ("mass", f"{sum(link.mass for link in chain.links):.4g} kg in all: {masses}"),
             ("length", ", ".join(f"{name_of(chain, k)} {_mm(each, 4)}" for k, each in enumerate(lengths(chain)))
              + f"; foot's radius {_mm(chain.foot.radius)}")]
    facts += [("scale", text)] if (text := _scale(chain, at)) else []
    swings = [text for k in range(n) if (text := _swing(chain, k, at))]
    if swings:
        facts.append(("swing", ", ".join(swings) + ": period when it hangs freely from the joint, those below at 0"))
    facts += [("held", ", ".join(_torque(chain, k, at) for k in range(n)) + " hold the leg level, joints at 0")]
    start = f"from {', '.join(f'{value:.3g}' for value in q)}" if q.any() else "from 0"
    facts += [("sign", f"{name_of(chain, k)}: {start}, {_sign(chain, k, q)}") for k in range(n)]
    facts += [("range", f"{name_of(chain, k)}: {_range(link)}") for k, link in enumerate(chain.links)]
    facts.append(
        ("foot", f"x from {x.min():.3g} to {x.max():.3g} m, z from {z.min():.3g} to {z.max():.3g} m of the base's"
                 " origin"))
    if chain.drives is not None:
        facts += [("motor", f"{k}: {_row(chain, row)}") for k, row in enumerate(chain.drives)]
    return facts


def _row(chain, row):
    return " + ".join(f"{value:g} {name_of(chain, j)}" for j, value in enumerate(row) if value)


def _range(link):
    if link.range is None:
        return "not given"
    if link.joint == "prismatic":
        return f"{link.range[0] * 1e3:.4g} to {link.range[1] * 1e3:.4g} mm"
    return f"{np.degrees(link.range[0]):.4g} to {np.degrees(link.range[1]):.4g} degrees"


def _torque(chain, k, at):
    h = hanging(chain, k, at)
    if chain.links[k].joint == "prismatic":
        return f"{name_of(chain, k)} {h.mass * chain.g:.3g} N"
    return f"{name_of(chain, k)} {h.mass * chain.g * h.lever:.3g} N m"


# ---- What is suspicious -------------------------------------------------------------------------


def _of_link(chain, k, length, at):
    link, name = chain.links[k], name_of(chain, k)
    com = float(np.hypot(link.com[0], link.com[2]))
    extent, gyration = max(length, 2 * com), float(np.sqrt(link.own_inertia / link.mass))
    if extent > 0 and gyration > WIDEST * extent:
        yield (f"{name}, inertia: a radius of gyration of {_mm(gyration)} in a link of {_mm(extent)};"
               " a rod's is 0.29 of its length. Is the inertia about the centre of mass, in kg m^2?")
    if gyration < NARROWEST * extent:
        yield (f"{name}, inertia: a radius of gyration of {_mm(gyration)} in a link of {_mm(extent)}:"
               " nearly a point. Is it in kg m^2?")
    if com > 1.5 * max(length, 0.2 * reach(chain)):
        yield (f"{name}, com: {_mm(com)} from the joint, beyond the link's end at {_mm(length)}. Is it"
               " from the joint?")
    if length < 1e-4:
        yield f"{name}: the next joint (or the foot) is at its own place"
    fault = Body(link.mass, link.com, np.diag(link.inertia)).fault()
    if fault and np.ptp(link.inertia) > 0:
        yield f"{name}, inertia: {fault}"
    if link.range and link.joint == "revolute" and max(np.abs(link.range)) > TURNS:
        yield f"{name}, range: {link.range[0]:g} to {link.range[1]:g} rad is more than a turn. Is it in degrees?"


def _of_motor(chain, k, at):
    link, name, h = chain.links[k], name_of(chain, k), hanging(chain, k, at)
    carried = h.mass if link.joint == "prismatic" else h.inertia
    rotor = link.rotor_inertia + h.belts
    if rotor > ROTOR_MOST * carried:
        yield (f"{name}, rotor_inertia: {rotor:.3g} is {rotor / carried:.3g} times what the joint carries. Was the"
               " gear counted twice?")
    elif 0 < rotor < ROTOR_LEAST * carried:
        yield (f"{name}, rotor_inertia: {rotor:.3g} is {rotor / carried:.2g} of what the joint carries. Is it"
               " multiplied by the gear's square?")
    if link.damping > STOPS * (carried + rotor):
        yield (f"{name}, damping: {link.damping:.3g} stops the joint in {1e3 * (carried + rotor) / link.damping:.2g}"
               " ms. Simulators' models have such numbers for their own stability")
    weight = h.mass * chain.g * (1.0 if link.joint == "prismatic" else h.lever)
    if link.friction > weight > 0:
        yield f"{name}, friction: {link.friction:.3g} is more than the {weight:.3g} that hold the leg level"


def _of_leg(chain, at):
    total, long = sum(link.mass for link in chain.links), reach(chain)
    masses = [link.mass for link in chain.links]
    if not SHORT <= long <= LONG:
        yield f"lengths: the leg is {long:.4g} m long. Are the lengths in {'millimetres' if long > LONG else 'metres'}?"
    if not LIGHT <= total <= HEAVY:
        yield f"masses: the leg weighs {total:.4g} kg. Are the masses in {'grams' if total > HEAVY else 'kg'}?"
    if max(masses) > UNLIKE * min(masses):
        light = name_of(chain, int(np.argmin(masses)))
        yield f"masses: {light} has {min(masses):.3g} kg, {max(masses) / min(masses):.3g} times less than another link"
    if not any(link.rotor_inertia or link.belt_inertia for link in chain.links):
        yield ("rotor_inertia: 0 for all joints. A geared motor's is often more than the link's: data sheet, times the"
               " gear's square")
    yield from _of_drives(chain)
    if not 9.7 < chain.g < 9.9:
        yield f"g: {chain.g:g} m/s^2 is not the Earth's"
    if chain.root == "floating" and chain.base_mass < total:
        yield f"base: {chain.base_mass:.3g} kg, less than the leg's {total:.3g} kg. Only simulated plants use it"
    if chain.foot.radius > max(0.5 * lengths(chain)[-1], 0.2 * long):
        yield f"foot, radius: {_mm(chain.foot.radius)} beside a last link of {_mm(lengths(chain)[-1])}"
    higher = [pose(chain, q).foot[1] > at.joints[0][1] for q in (np.zeros(len(masses)), inside(chain))]
    if all(higher):
        yield "foot: above the first joint. Is z up?"


def _of_drives(chain):
    """Belts: a motor that moves two joints has its inertia in the links, as `leg import --belt` lumps it."""
    if chain.drives is None:
        return
    alone = {int(np.flatnonzero(row)[0]) for row in chain.drives if np.count_nonzero(row) == 1}
    for k, link in enumerate(chain.links):
        if link.rotor_inertia > 0.0 and k not in alone:
            yield (f"{name_of(chain, k)}, rotor_inertia: is {link.rotor_inertia:g}, but by `drives` its motor moves other joints, too."
                   " Is it in the links already? `leg import --belt` lumps it")


def look(chain):
    """The Found of a Chain."""
    at = pose(chain, np.zeros(len(chain.links)))
    suspicious = list(_of_leg(chain, at))
    for k, length in enumerate(lengths(chain)):
        suspicious += [*_of_link(chain, k, length, at), *_of_motor(chain, k, at)]
    return Found(_facts(chain), suspicious)
