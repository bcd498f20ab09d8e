# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A leg and its estimator's configuration as the bytes that a board takes (lib/estimator/tc_estimator_record.h)."""
import ctypes
from ctypes import POINTER, c_int32, c_uint8, c_uint32

from ..errors import StatusError, TinycontactError
from ..library import Library
from .estimate import _Ground, _ground, _Leg, _leg, _Sensing, _Setting, sensing

MOST = 936   # TC_ESTIMATOR_RECORD_MAX


def parameters(chain, ground=None, **settings):
    """The record of a Chain; `ground` and `settings` as for estimate.Estimator."""
    call = Library().function("native_estimate_record", c_int32, [
        POINTER(_Leg), POINTER(_Sensing), POINTER(_Setting), c_uint32, POINTER(_Ground), POINTER(c_uint8),
        POINTER(c_uint32)])
    leg, _links = _leg(chain)
    under, _parts = _ground(ground)
    given = (_Setting * max(1, len(settings)))(*[_Setting(name.encode(), value) for name, value in settings.items()])
    data, wrong = (c_uint8 * MOST)(), c_uint32(0)
    size = call(leg, sensing(chain), given, len(settings), under, data, wrong)
    if size < 0 and wrong.value < len(settings):
        raise TinycontactError(f"{list(settings)[wrong.value]!r} is no field of the estimator's configuration")
    if size < 0:
        raise StatusError("native_estimate_record", size)
    return ctypes.string_at(data, size)
