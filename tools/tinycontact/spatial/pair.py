# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Contacts of two moving bodies with a contact model, by the library: tools/native/pair.h, whose structs these are.

    model = Foot.of_model("box.tcm")      # spatial/limb.py
    rows = solve(model, cases)            # an array of ROW for an array of CASE
    found = contacts(model, ...)          # an array of BOXES
"""
from ctypes import c_uint32, c_void_p

import numpy as np

from ..sim.spatial_truth import rotation
from .boxes import MOST, Touch, frame_of

CASE = np.dtype([("mass", np.float64, 2), ("inertia", np.float64, (2, 3)), ("state", np.float64, (2, 13)),
                 ("frame", np.float64, (3, 3)), ("height", np.float64), ("point", np.float64, (MOST, 3)),
                 ("margin", np.float64), ("count", np.uint32), ("unused", np.uint32)], align=True)
ROW = np.dtype([("rates", np.float64, 12), ("normal", np.float64, MOST), ("impulse", np.float64, 6),
                ("status", np.int32), ("branch", np.int32), ("count", np.uint32), ("vertex", np.uint32, MOST),
                ("flags", np.uint32), ("ratios", np.uint32), ("classes", np.uint32), ("consistent", np.uint32),
                ("unused", np.uint32)], align=True)
BOXES = np.dtype([("half", np.float64, (2, 3)), ("rotation", np.float64, (2, 9)), ("position", np.float64, (2, 3)),
                  ("margin", np.float64), ("point", np.float64, (MOST, 3)), ("normal", np.float64, 3),
                  ("gap", np.float64, MOST), ("status", np.int32), ("count", np.uint32)], align=True)


def contacts(foot, position, q, half, margin):
    """BOXES of pairs, found by tc_meet_contacts: position [N, 2, 3], q [N, 2, 4], half [2, 3]."""
    boxes = np.zeros(len(position), BOXES)
    boxes["half"], boxes["position"], boxes["margin"] = half, position, margin
    boxes["rotation"] = rotation(q).reshape(-1, 2, 9)
    c = foot._c
    c.native_pair_contacts.argtypes, c.native_pair_contacts.restype = [c_void_p, c_uint32], None
    c.native_pair_contacts(boxes.ctypes.data, len(boxes))
    return boxes


def touches(foot, position, q, half, margin):
    """What boxes.touch returns of each pair, found by the library. The face is that of the box whose axis the normal
    is; where two edges meet, b's."""
    for found, turned in zip(contacts(foot, position, q, half, margin), rotation(q)):
        gap, normal = found["gap"][:found["count"]], found["normal"]
        along = [np.abs(R.T @ normal).max() for R in turned]
        face = int(along[1] >= along[0])
        way = normal if face == 1 else -normal
        points = found["point"][:len(gap)] - gap[:, None] / 2 * way
        yield Touch(face, frame_of(way / np.linalg.norm(way)), points, gap) if len(gap) else None


def solve(foot, cases):
    """The library's answers."""
    cases = np.ascontiguousarray(cases, CASE)
    rows = np.zeros(len(cases), ROW)
    c = foot._c
    c.native_pair_solve.argtypes = [c_void_p, c_void_p, c_uint32, c_void_p]
    c.native_pair_solve(foot.handle, cases.ctypes.data, len(cases), rows.ctypes.data)
    return rows
