# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A log played again: its bytes to the board go into the host build of the same firmware, whose answers must be the
board's, bit for bit in profile exact.

Left out of the comparison is what depends on a clock or names the board or the library: text, version, the clock's
rate and the room for parameters in BOOT, and the contents of STATS. So a log of an earlier version plays, too. Profile
fast may fuse operations otherwise on another processor: its numbers are held to TOLERANCE.
"""
from dataclasses import dataclass

import numpy as np

from ..errors import StatusError
from ..progress import progress

from . import wire
from .link import APP, TO_BOARD, Silent, open_board
from .log import LogError, read_log

APPS = (APP, "finger", "robot")
TOLERANCE = 1e-3   # of profile fast, absolute and relative to the logged number
# Fields of a board's own
OWN = {wire.Boot.TYPE: ("version", "tick_hz", "text", "parameter_room"), wire.Stats.TYPE: tuple(wire.Stats().values())}


@dataclass(frozen=True)
class Difference:
    """The first: `here` is what the host computes."""
    tick: int
    field: str
    logged: object
    here: object

    def __str__(self):
        return f"tick {self.tick}, {self.field}: the board {_shown(self.logged)}, the host {_shown(self.here)}"


@dataclass(frozen=True)
class Replay:
    header: dict
    frames: int        # compared
    ticks: int         # the last tick of which a frame was compared
    difference: object  # Difference, or None
    cut: str           # why the log is not complete, or empty

    def told(self):
        """The verdict in words, of the frames before a difference."""
        profile = self.header.get("profile")
        alike = "alike, bit for bit" if profile == "exact" else f"alike within {TOLERANCE:g}"
        return f"{self.frames} frames of {self.header.get('board')}, {self.ticks} ticks, profile {profile}: {alike}"


def _shown(value):
    if isinstance(value, float):
        return f"{np.float32(value)!s} ({np.float32(value).view(np.uint32):#010x})"
    return "nothing" if value is None else f"{value!r}"


def replay(path, cut=False, command=None, timeout=10.0):
    """The Replay of a log. `command` starts something else than the host build of the firmware."""
    log = read_log(path, cut)
    profile = log.header.get("profile")
    if profile not in ("exact", "fast"):
        raise LogError(f"{path}: the header's profile is {profile!r}, neither exact nor fast")
    app = log.header.get("app", APP)
    if app not in APPS:
        raise LogError(f"{path}: the header's app is {app!r}, none of {', '.join(APPS)}")
    if app == "robot":   # the board had its tables; the header has the robot
        from ..robots.description import parse_robot
        from ..robots.session import app_of
        app = str(app_of(parse_robot(log.header.get("robot"), f"{path}, header")))
    with open_board("host", profile, timeout, app, command) as host:
        player = _Player(host, profile == "exact")
        try:
            frames, tick, difference = player.play(log.records)
        except StatusError as error:
            raise LogError(f"{path}: {error}") from None
        if not (difference or log.cut):
            difference = player.surplus(tick)
    return Replay(log.header, frames, tick, difference, log.cut)


class _Player:
    def __init__(self, host, exact):
        self.host, self.exact = host, exact
        self.logged, self.sent = wire.Codec(), wire.Codec()   # decoders of both directions of the log
        self.asked = None   # type of the last frame that was sent

    def play(self, records):
        """(frames compared, last tick, first Difference or None)"""
        frames = tick = 0
        self.host.receive("power-up")
        for _, record in progress(records, "replaying"):
            if record.direction == TO_BOARD:
                self._send(record)
                continue
            for logged in self.logged.decode(record.data):
                here = self._answer(logged)
                difference = self._compare(record.tick, logged, here)
                if difference:
                    return frames, tick, difference
                frames, tick = frames + 1, record.tick
        return frames, tick, None

    def _send(self, record):
        for frame in self.sent.decode(record.data):
            self.asked = frame.type
        self.host.send_bytes(record.data)

    def _answer(self, logged):
        """The host's frame, or None. A board that was reset is one more power-up."""
        if logged.type == wire.Boot.TYPE and logged.message().session == 0 and self.asked != wire.Reset.TYPE:
            self.host.restart()
        try:
            return self.host.receive(logged.name)
        except Silent:
            return None

    def _compare(self, tick, logged, here):
        if here is None:
            return Difference(tick, logged.name, "a frame", None)
        for field in ("type", "sequence"):
            if getattr(logged, field) != getattr(here, field):
                told = wire.NAMES.get(here.type, hex(here.type))
                return Difference(tick, f"{logged.name}, {field}", getattr(logged, field),
                                  f"{getattr(here, field)} of {told}")
        if logged.payload == here.payload:
            return None
        try:
            pairs = zip(_flat(logged.message()), _flat(here.message()))
        except StatusError:
            return Difference(tick, f"{logged.name}, payload", logged.payload.hex(), here.payload.hex())
        for (name, said), (_, computed) in pairs:
            if name.split("[")[0].split(".")[0] not in OWN.get(logged.type, ()) and not self._same(said, computed):
                return Difference(tick, f"{logged.name}.{name}", said, computed)
        return None

    def _same(self, said, computed):
        if isinstance(said, float):
            bits = np.array([said, computed], np.float32).view(np.uint32)
            close = abs(said - computed) <= TOLERANCE * (1 + abs(said))
            return bits[0] == bits[1] or (not self.exact and close)
        return said == computed

    def surplus(self, tick):
        """A frame more than was logged."""
        rest = self.host.drain()
        return Difference(tick, "after the last frame", None, rest[0].name) if rest else None


def _flat(message):
    """[(name, number or bytes)] of a message, arrays and structs element by element."""
    for name, value in message.values().items():
        if isinstance(value, tuple):
            yield from ((f"{name}[{k}]", element) for k, element in enumerate(value))
        elif isinstance(value, dict):
            yield from ((f"{name}.{key}", element) for key, element in value.items())
        else:
            yield name, value
