# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Contacts of two moving bodies with a contact model, by the library: tools/native/pair.h, whose structs these are.

    model = Foot.of_model("box.tcm")      # spatial/limb.py
    rows = solve(model, cases)            # an array of ROW for an array of CASE
"""
from ctypes import c_uint32, c_void_p

import numpy as np

from .boxes import MOST

CASE = np.dtype([("mass", np.float64, 2), ("inertia", np.float64, (2, 3)), ("state", np.float64, (2, 13)),
                 ("frame", np.float64, (3, 3)), ("height", np.float64), ("point", np.float64, (MOST, 3)),
                 ("margin", np.float64), ("count", np.uint32), ("unused", np.uint32)], align=True)
ROW = np.dtype([("rates", np.float64, 12), ("normal", np.float64, MOST), ("impulse", np.float64, 6),
                ("status", np.int32), ("branch", np.int32), ("count", np.uint32), ("vertex", np.uint32, MOST),
                ("flags", np.uint32), ("ratios", np.uint32), ("classes", np.uint32), ("consistent", np.uint32),
                ("unused", np.uint32)], align=True)


def solve(foot, cases):
    """The library's answers."""
    cases = np.ascontiguousarray(cases, CASE)
    rows = np.zeros(len(cases), ROW)
    c = foot._c
    c.native_pair_solve.argtypes = [c_void_p, c_void_p, c_uint32, c_void_p]
    c.native_pair_solve(foot.handle, cases.ctypes.data, len(cases), rows.ctypes.data)
    return rows
