# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A finger that feels a ball, and the session in which a board says what it has felt.

    finger = Finger(Object(radius=0.03), touches=100, seed=0)
    session = FingerSession(link, feel_of(reach=0.06))
    session.begin()
    for touch in finger:
        felt = session.touch(message_of(touch))      # wire.Felt: centre, radius, sd, low, high
"""
from dataclasses import dataclass

import numpy as np

from ..csvfile import read_columns
from ..errors import TinycontactError
from . import wire
from .link import Session

NONE, ACCEPTED, REPEATED = range(3)   # tc_touch_outcome
POINT, NORMAL = ("x", "y", "z"), ("nx", "ny", "nz")
APART = 0.01        # of the reach: what tc_touch_default has
TILT = 0.05         # [rad] of a normal, where nothing else is known
STROKE = 6          # touches of a stroke; taps and strokes take turns
ALONG = 0.08        # [rad] between two touches of a stroke
UNIT = 1e-3         # how far a normal of a file may be from unit length


@dataclass(frozen=True)
class Object:
    """The truth: a ball, felt on a cap about +z by a fingertip of radius `tip`, whose centre is what is measured."""
    radius: float = 0.03
    centre: tuple = (0.4, 0.1, 0.2)
    noise: float = 0.0003       # of a touch in each direction [m]
    cap: float = 90.0           # from +z to the cap's edge [degrees]
    tilt: float = 0.0           # of the normals that come with the touches [rad]; 0: none come
    tip: float = 0.0


@dataclass(frozen=True)
class Touch:
    number: int
    stroke: bool                # False: a tap
    point: np.ndarray
    normal: np.ndarray = None


class Finger:
    """Touches of an object: a tap, a stroke of STROKE touches, a tap, ... The same seed touches the same places."""

    def __init__(self, thing, touches, seed):
        self.thing, self.touches = thing, touches
        self._draw = np.random.default_rng((seed, 0x70))

    def __iter__(self):
        for number, (stroke, direction) in zip(range(1, self.touches + 1), self._places()):
            yield self._measured(number, stroke, direction)

    def _somewhere(self):
        """A direction, even on the cap."""
        z = self._draw.uniform(np.cos(np.radians(self.thing.cap)), 1.0)
        angle, flat = self._draw.uniform(0, 2 * np.pi), np.sqrt(1.0 - z * z)
        return np.array([flat * np.cos(angle), flat * np.sin(angle), z])

    def _places(self):
        while True:
            yield False, self._somewhere()
            start = self._somewhere()
            across = np.cross(start, self._somewhere())
            size = np.linalg.norm(across)
            for k in range(STROKE if size > 1e-6 else 0):
                along = np.cross(across / size, start)
                place = np.cos(k * ALONG) * start + np.sin(k * ALONG) * along
                if place[2] >= np.cos(np.radians(self.thing.cap)):
                    yield True, place

    def _measured(self, number, stroke, direction):
        thing = self.thing
        point = np.array(thing.centre) + (thing.radius + thing.tip) * direction + self._draw.normal(0, thing.noise, 3)
        if not thing.tilt:
            return Touch(number, stroke, point)
        normal = direction + self._draw.normal(0, thing.tilt, 3)
        return Touch(number, stroke, point, normal / np.linalg.norm(normal))


def read_touches(path):
    """[Touch] of a CSV file with columns x, y, z and, if normals were felt, nx, ny, nz."""
    log = read_columns(path, POINT, NORMAL)
    given = [name for name in NORMAL if name in log]
    if given and len(given) < len(NORMAL):
        raise TinycontactError(f"{path}: has {', '.join(given)} but not all of {', '.join(NORMAL)}")
    points, normals = log.stacked(POINT), log.stacked(NORMAL) if given else None
    for row in range(len(log) if given else 0):
        if not abs(np.linalg.norm(normals[row]) - 1.0) < UNIT:
            raise TinycontactError(f"{log.where(row)}: the normal is of length {np.linalg.norm(normals[row]):.4g}, not 1")
    return [Touch(row + 1, False, points[row], normals[row] / np.linalg.norm(normals[row]) if given else None)
            for row in range(len(log))]


def reach_of(touches):
    """The distance that touches span, roughly [m]."""
    points = np.array([touch.point for touch in touches])
    if len(points) < 2 or not np.ptp(points, axis=0).max() > 0:
        raise TinycontactError("the touches are all in one place")
    return float(np.linalg.norm(np.ptp(points, axis=0)))


def feel_of(reach, noise=0.0, normal_noise=TILT, tip=0.0, apart=APART):
    """A wire.Feel; `apart` is relative to the reach."""
    return wire.Feel(reach=reach, noise=noise, normal_noise=normal_noise, tip=tip, apart=apart * reach)


def message_of(touch):
    """The TOUCH of a Touch."""
    message = wire.Touch(number=touch.number, given=int(touch.normal is not None))
    message.point[:] = touch.point.tolist()
    if touch.normal is not None:
        message.normal[:] = touch.normal.tolist()
    return message


class FingerSession(Session):
    """HELLO, FEEL, touches. After a reset of the board it begins again, and so does what was felt."""

    def __init__(self, link, feel, number=1, **limits):
        super().__init__(link, b"", b"", number, **limits)
        self.feel = feel

    def upload_all(self):
        self.ask(self.feel, wire.Felt)

    def touch(self, message, timeout=None):
        """The Felt of a touch. A frame that was spoilt or lost on either way is sent again; the board counts the touch
        once."""
        def answers(got):
            return got.type == wire.Felt.TYPE and got.message().number == message.number

        return self._insist(message, f"touch {message.number}", answers, timeout)
