# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What the tests of robots' files share: Newton and Euler of a limb in space, and random robots as URDF.

The equations are of their own: nothing of tools/tinycontact moves here but the bodies and frames of the Limb.
"""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import numpy as np   # noqa: E402


def rotation(axis, angle):
    c, s, (x, y, z) = np.cos(angle), np.sin(angle), axis
    v = 1 - c
    return np.array([[c + x * x * v, x * y * v - z * s, x * z * v + y * s],
                     [y * x * v + z * s, c + y * y * v, y * z * v - x * s],
                     [z * x * v - y * s, z * y * v + x * s, c + z * z * v]])


def torques(limb, q, qd, qdd, g=(0, 0, -9.81)):
    """[n] joint torques of a motion, the base at rest: accelerations outwards, forces inwards, all in the base's axes."""
    R, p, w, a, al = np.eye(3), np.zeros(3), np.zeros(3), -np.array(g, float), np.zeros(3)
    rows = []
    for segment, x, xd, xdd in zip(limb.segments, q, qd, qdd):
        turns = segment.joint.kind == "revolute"
        step = R @ segment.frame.p
        R = R @ segment.frame.R
        axis = R @ segment.joint.axis
        if not turns:
            step = step + axis * x
        p = p + step
        a = a + np.cross(al, step) + np.cross(w, np.cross(w, step))
        if turns:
            al, w, R = al + axis * xdd + np.cross(w, axis * xd), w + axis * xd, R @ rotation(segment.joint.axis, x)
        else:
            a = a + axis * xdd + 2 * np.cross(w, axis * xd)
        r, inertia = R @ segment.body.com, R @ segment.body.inertia @ R.T
        ac = a + np.cross(al, r) + np.cross(w, np.cross(w, r))
        rows.append((turns, axis, p, p + r, segment.body.mass * ac, inertia @ al + np.cross(w, inertia @ w)))
    out = []
    for k, (turns, axis, at, *_) in enumerate(rows):
        force = sum(row[4] for row in rows[k:])
        moment = sum(row[5] + np.cross(row[3] - at, row[4]) for row in rows[k:])
        out.append(axis @ (moment if turns else force))
    return np.array(out)


def equation(limb, q, qd, g=(0, 0, -9.81)):
    """(M [n, n], bias [n]) of a Limb, without rotors and damping."""
    n, zero = len(q), np.zeros(len(q))
    bias = torques(limb, q, qd, zero, g)
    rest = torques(limb, q, zero, zero, (0, 0, 0))
    return np.stack([torques(limb, q, zero, row, (0, 0, 0)) - rest for row in np.eye(n)], -1), bias


def _numbers(values):
    return " ".join(f"{value:.17g}" for value in values)


def origin(rng, flat=False):
    """An <origin>: anywhere, or in the plane that a leg moves in (turned about y)."""
    rpy = [0.0, rng.uniform(-3, 3), 0.0] if flat else rng.uniform(-3, 3, 3)
    return f'<origin xyz="{_numbers(rng.uniform(-0.3, 0.3, 3))}" rpy="{_numbers(rpy)}"/>'


def inertial(rng):
    """A body that can be: eight points of mass."""
    points, masses = rng.normal(size=(8, 3)) * rng.uniform(0.02, 0.1, 3), rng.uniform(0.1, 0.3, 8)
    points -= masses @ points / masses.sum()
    tensor = sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, points))
    named = {"ixx": tensor[0, 0], "iyy": tensor[1, 1], "izz": tensor[2, 2], "ixy": tensor[0, 1], "ixz": tensor[0, 2],
             "iyz": tensor[1, 2]}
    words = " ".join(f'{name}="{value:.17g}"' for name, value in named.items())
    return f'<inertial>{origin(rng)}<mass value="{masses.sum():.17g}"/><inertia {words}/></inertial>'


def random_urdf(rng, kinds, flat=False):
    """A robot: a base with a bush of fixed links, and a limb whose joints are of these kinds, each link with a bush. The
    foot's link is "foot"."""
    parts, count = [], [0]

    def link(name, extra=""):
        parts.append(f'<link name="{name}">{inertial(rng)}{extra}</link>')

    def joint(name, kind, parent, child, more="", frame=None):
        parts.append(f'<joint name="{name}" type="{kind}">{frame or origin(rng)}<parent link="{parent}"/><child'
                     f' link="{child}"/>'
                     f'{more}</joint>')

    def bush(parent, depth=2):
        for _ in range(int(rng.integers(1, 3))):
            count[0] += 1
            name = f"part{count[0]}"
            link(name)
            joint(f"fix_{name}", "fixed", parent, name)
            if depth > 1 and rng.random() < 0.5:
                bush(name, depth - 1)
    link("base")
    bush("base")
    before = "base"
    for k, kind in enumerate(kinds):
        name = f"link{k}"
        link(name)
        bush(name)
        if flat:
            angle = rng.uniform(-3, 3)
            axis = [0, rng.choice([-2.0, 1.0]), 0] if kind == "revolute" else [np.cos(angle), 0, np.sin(angle)]
        else:
            axis = rng.normal(size=3)
        more = (f'<axis xyz="{_numbers(axis)}"/><limit lower="-1" upper="1.5" effort="9" velocity="9"/>'
                f'<dynamics damping="{rng.uniform(0, 0.1):.17g}" friction="{rng.uniform(0, 0.1):.17g}"/>')
        joint(f"joint{k}", kind, before, name, more, origin(rng, True) if flat else None)
        before = name
    parts.append('<link name="foot"><collision><origin xyz="0.01 0.02 0.03" rpy="0 0 0"/><geometry><sphere'
                 ' radius="0.02"/></geometry>'
                 "</collision></link>")
    joint("fix_foot", "fixed", before, "foot")
    return f'<?xml version="1.0"?>\n<robot name="random">{"".join(parts)}</robot>'
