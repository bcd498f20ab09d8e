# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A leg and its estimator's configuration as the bytes that a board takes (lib/estimator/tc_estimator_record.h)."""
import ctypes
from ctypes import POINTER, c_int32, c_uint8, c_uint32

from ..library import Library
from .estimate import _Ground, _ground, _Leg, _leg, _Sensing, _Setting, _settings, refuse, sensing
from .sensors import SensorOptions
from .world import TICK

MOST = 936   # TC_ESTIMATOR_RECORD_MAX


def parameters(chain, ground=None, tick=TICK, sensors=SensorOptions(), **settings):
    """The record of a Chain; all as for estimate.Estimator."""
    call = Library().function("native_estimate_record", c_int32, [
        POINTER(_Leg), POINTER(_Sensing), POINTER(_Setting), c_uint32, POINTER(_Ground), POINTER(c_uint8),
        POINTER(c_uint32)])
    leg, _links = _leg(chain)
    under, _parts = _ground(ground)
    given, names = _settings(settings)
    data, wrong = (c_uint8 * MOST)(), c_uint32(0)
    size = call(leg, sensing(chain, tick, sensors), given, len(names), under, data, wrong)
    refuse(size, "native_estimate_record", wrong.value, names)
    return ctypes.string_at(data, size)
