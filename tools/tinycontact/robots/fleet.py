# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Robots made by hand from published numbers: masses, lengths, offsets of the hips, radii of feet. Inertias are those
of boxes and rods of these sizes; a robot that is named "like" another has its proportions, not its model.

    robot = fleet.robot("go1")      # of NAMES
"""
import numpy as np

from ..errors import TinycontactError
from ..robot.space import nearest
from .description import Robot, moment_floor, parse_robot, six

SHOULDER, ARM, WRIST = (0, 0, 1), (0, 1, 0), (1, 0, 0)


def _rod(mass, along, thick):
    """[3] moments about the centre of a rod along a vector, as a box `thick` wide."""
    size = np.maximum(np.abs(np.asarray(along, float)), thick)
    moments = mass / 12 * (np.sum(size**2) - size**2)
    return [float(value) for value in np.maximum(moments, moment_floor(mass, size.max()))]


def _link(name, axis, origin, mass, com, along, thick, rotor, limits, damping=0.0):
    return {
        "name": name, "joint": "revolute", "axis": list(map(float, axis)), "origin": list(map(float, origin)),
        "mass": mass, "com": list(map(float, com)), "inertia": _rod(mass, along, thick), "rotor_inertia": rotor,
        "damping": damping, "range": list(limits)
    }


def _foot(radius, center):
    return {"shape": "sphere", "radius": radius, "center": list(map(float, center))}


# name: trunk [kg], its size, hips' x and y, offset of the thigh, lengths of thigh and calf, masses of hip, thigh and
# calf with foot, radius of the foot, rotors of the three joints, angle of the hips' axes from the robot's length [rad],
# bend of the knee
QUADRUPEDS = {
    "go1": (5.2, (0.36, 0.15, 0.13), (0.188, 0.047), 0.08, (0.213, 0.213), (0.59, 0.92, 0.20), 0.022,
            (0.006, 0.006, 0.013), 0.0, 0.85),
    "solo": (1.16, (0.4, 0.2, 0.1), (0.195, 0.088), 0.05, (0.16, 0.16), (0.14, 0.148, 0.04), 0.012,
             (6e-4, 6e-4, 6e-4), 0.6, 0.8),
    "mini-cheetah": (3.3, (0.38, 0.2, 0.1), (0.19, 0.049), 0.062, (0.209, 0.195), (0.54, 0.634, 0.11), 0.0175,
                     (2.1e-3, 2.1e-3, 4.8e-3), 0.0, 0.8),
    "aliengo": (9.0, (0.62, 0.18, 0.13), (0.24, 0.051), 0.083, (0.25, 0.25), (1.6, 1.0, 0.27), 0.0265,
                (0.015, 0.015, 0.03), 0.0, 0.85),
    "hound": (18.0, (0.7, 0.25, 0.2), (0.29, 0.1), 0.09, (0.27, 0.28), (1.6, 2.4, 0.6), 0.03,
              (0.05, 0.05, 0.08), 0.45, 0.8),
    "anymal": (27.0, (0.55, 0.27, 0.24), (0.36, 0.12), 0.11, (0.285, 0.32), (2.2, 3.4, 0.9), 0.031,
               (0.09, 0.09, 0.09), 0.0, 0.75)}
LEGS = (("FL", 1, 1), ("FR", 1, -1), ("RL", -1, 1), ("RR", -1, -1))


def _quadruped(name):
    trunk, size, (hx, hy), offset, (thigh, calf), masses, radius, rotors, oblique, bend = QUADRUPEDS[name]
    sides = [_quadruped_leg(*leg, QUADRUPEDS[name]) for leg in LEGS]
    height = -sides[0][1]
    notes = [f"by hand, of published masses and lengths; stands {height:.3f} m high"]
    return {
        "name": name, "root": "floating", "base": _trunk(trunk, size), "limbs": [leg for leg, _ in sides],
        "notes": notes
    }


def _trunk(mass, size, place=(0.0, 0.0, 0.0), imu=(0.03, 0.01, 0.02)):
    moments = [mass / 12 * (sum(s * s for s in size) - s * s) for s in size]
    return {
        "mass": mass, "com": list(map(float, place)), "inertia": moments,
        "imu": {"position": list(imu), "rpy": [0.0, 0.0, 0.0]}
    }


def _quadruped_leg(name, fore, left, numbers):
    """(a limb, z of its foot's lowest point at home)"""
    _, _, (hx, hy), offset, (thigh, calf), (m0, m1, m2), radius, rotors, oblique, bend = numbers
    tilt = oblique * fore * left
    hip = [np.cos(oblique), np.sin(tilt), 0.0]
    side = [0.0, left * offset, 0.0]
    links = [
        _link(f"{name}_hip", hip, (fore * hx, left * hy, 0), m0, np.multiply(side, 0.2), (0.07, 0.06, 0.07), 0.06,
              rotors[0], (-1.0, 1.0)),
        _link(f"{name}_thigh", ARM, side, m1, (-0.003, -left * 0.2 * offset, -0.15 * thigh), (0, 0, thigh), 0.04,
              rotors[1], (-1.2, 3.5)),
        _link(f"{name}_calf", ARM, (0, 0, -thigh), m2, (0.004, 0, -0.6 * calf), (0, 0, calf), 0.02, rotors[2],
              (-2.75, -0.4))
    ]
    home = [0.0, bend, -2.0 * bend]
    low = -thigh * np.cos(bend) - calf * np.cos(bend) - radius
    return {"name": name, "links": links, "foot": _foot(radius, (0, 0, -calf)), "home": home}, low


def _humanoid_leg():
    """Six joints: hip pitch, roll and yaw, knee, ankle pitch and roll; a point of contact in place of the sole."""
    links = [
        _link("hip_pitch", ARM, (0, 0.064, -0.1), 1.35, (0.002, 0.03, -0.01), (0.08, 0.1, 0.08), 0.07, 0.02,
              (-2.5, 2.8)),
        _link("hip_roll", WRIST, (0, 0.052, -0.03), 1.52, (0.03, 0, -0.04), (0.09, 0.09, 0.1), 0.08, 0.02, (-0.5, 2.9)),
        _link("hip_yaw", SHOULDER, (0.025, 0, -0.124), 1.70, (-0.05, 0, -0.06), (0.09, 0.09, 0.16), 0.08, 0.02,
              (-2.7, 2.7)),
        _link("knee", ARM, (-0.078, 0, -0.177), 1.93, (0.005, 0, -0.12), (0.08, 0.08, 0.28), 0.07, 0.03, (-0.08, 2.88)),
        _link("ankle_pitch", ARM, (0, 0, -0.3), 0.3, (0, 0, 0), (0.05, 0.05, 0.05), 0.04, 0.008, (-1.2, 1.2)),
        _link("ankle_roll", WRIST, (0, 0, -0.018), 0.61, (0.02, 0, -0.02), (0.17, 0.06, 0.04), 0.04, 0.008, (-0.8, 0.8))
    ]
    limb = {
        "name": "leg", "links": links, "foot": _foot(0.02, (0.03, 0, -0.03)),
        "home": [-0.45, 0.0, 0.0, 0.9, -0.45, 0.0]
    }
    return {
        "name": "humanoid-leg", "root": "floating",
        "base": _trunk(20.0, (0.2, 0.3, 0.5), (0, 0, 0.2), (0.04, 0, 0.08)), "limbs": [limb],
        "notes": ["by hand, of the masses and lengths of a humanoid of 35 kg; only one leg, its ankle wider"]
    }


def _finger():
    """Four joints: spread, two bends, the tip's."""
    links = [_link("spread", SHOULDER, (0, 0, 0), 0.012, (0, 0, 0.008), (0.03, 0.02, 0.02), 0.015, 1e-5, (-0.6, 0.6)),
             _link("proximal", ARM, (0, 0, 0.0164), 0.065, (0, 0, 0.026), (0, 0, 0.054), 0.015, 1e-5, (-0.3, 1.7)),
             _link("middle", ARM, (0, 0, 0.054), 0.036, (0, 0, 0.018), (0, 0, 0.0384), 0.015, 1e-5, (-0.6, 1.9)),
             _link("tip", ARM, (0, 0, 0.0384), 0.023, (0, 0, 0.013), (0, 0, 0.0267), 0.012, 1e-5, (-0.6, 1.9))]
    limb = {"name": "finger", "links": links, "foot": _foot(0.012, (0, 0, 0.0267)), "home": [0.0, 0.6, 0.7, 0.6]}
    return {
        "name": "finger", "root": "fixed", "base": _trunk(0.5, (0.1, 0.1, 0.05), imu=(0.0, 0.0, -0.02)),
        "limbs": [limb], "notes": ["by hand, of the lengths and masses of a four-joint finger"]
    }


def _arm():
    """Seven joints, alternately about the link and across it, as arms have them; it hangs, and its tip taps."""
    lengths, masses = (0.15, 0.19, 0.21, 0.19, 0.21, 0.19, 0.08), (2.0, 1.8, 1.6, 1.4, 1.0, 0.8, 0.3)
    limits = (2.96, 2.09, 2.96, 2.09, 2.96, 2.09, 3.05)
    links, before = [], 0.0
    for k, (length, mass, most) in enumerate(zip(lengths, masses, limits)):
        axis = SHOULDER if k % 2 == 0 else ARM
        links.append(
            _link(f"a{k + 1}", axis, (0, 0, -before), mass, (0.01, 0.02 * (-1)**k, -0.4 * length), (0.05, 0.05, length),
                  0.05, 0.02 if k < 4 else 0.006, (-most, most)))
        before = length
    limb = {
        "name": "leg", "links": links, "foot": _foot(0.02, (0.02, 0.0, -0.06)),
        "home": [0.2, -0.5, 0.1, 1.0, -0.2, -0.5, 0.0]
    }
    return {"name": "seven", "root": "floating", "base": _trunk(15.0, (0.3, 0.3, 0.3)), "limbs": [limb],
            "notes": ["by hand, of the lengths of a seven-joint arm, used as a leg"]}


MAKERS = {
    **{name: (lambda name=name: _quadruped(name)) for name in QUADRUPEDS}, "humanoid-leg": _humanoid_leg,
    "finger": _finger, "seven": _arm
}
NAMES = tuple(MAKERS)
UNSEEN = tuple(name for name in QUADRUPEDS if name != "go1")   # no estimator is tuned on these


def description(name):
    """The value of a robot's file."""
    if name not in MAKERS:
        raise TinycontactError(f"robot {name!r}: no file, and not by hand" + nearest(name, NAMES))
    return MAKERS[name]()


def robot(name) -> Robot:
    return parse_robot(description(name), name)


def to_json(robot):
    """The value of a robot's file, of a Robot."""
    limbs = []
    for limb in robot.limbs:
        links = [{
            "name": link.name, "joint": link.joint, "axis": list(link.axis), "origin": list(link.origin),
            "mass": link.mass, "com": list(link.com), "inertia": six(link.inertia), "rotor_inertia": link.rotor_inertia,
            "damping": link.damping, "friction": link.friction, **({"range": list(link.range)} if link.range else {})
        } for link in limb.links]
        limbs.append({"name": limb.name, "links": links,
                      "foot": {"shape": "sphere", "radius": limb.foot.radius, "center": list(limb.foot.center)},
                      **({"home": list(limb.home)} if limb.home is not None else {})})
    return {**robot.text, "limbs": limbs}
