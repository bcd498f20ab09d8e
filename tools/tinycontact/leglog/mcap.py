# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A Recording as an MCAP file (mcap.dev/spec, version 0): Foxglove and PlotJuggler open it. Messages are JSON with a
JSON schema each, chunks are not compressed and have an index.

    /leg/sensors    q, tau, gyro_y, accel_x, accel_z, pitch: as in a log (read.py)
    /leg/estimate   p_air, p_stick, p_slip, contact, mode, force_x, force_z, slip, lost
    /leg/truth      contact, mode, force_x, force_z, where they are known
    /leg/observer   contact, by the momentum observer
    /leg/scene      the leg over its floor, for Foxglove's 3D panel (foxglove.SceneUpdate), 50 times a second
"""
import io
import json
import struct
import zlib

import numpy as np

from ..model import write_whole

MAGIC = b"\x89MCAP0\r\n"
HEADER, FOOTER, SCHEMA, CHANNEL, MESSAGE, CHUNK, MESSAGE_INDEX, CHUNK_INDEX, STATISTICS, SUMMARY_OFFSET, DATA_END = (
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x0B, 0x0E, 0x0F)
CHUNK_BYTES = 1 << 20
SCENES = 0.02   # [s]
COLOURS = {0: (0.60, 0.65, 0.72), 1: (0.0, 0.45, 0.70), 2: (0.88, 0.48, 0.0)}


# ---- The format

def _text(value):
    data = value.encode("utf-8")
    return struct.pack("<I", len(data)) + data


def _map(pairs, form):
    data = b"".join(struct.pack(form, *pair) for pair in pairs)
    return struct.pack("<I", len(data)) + data


def _record(kind, content):
    return struct.pack("<BQ", kind, len(content)) + content


class Writer:
    """`writer.channel(topic, schema name, properties)`, then `writer.add(channel, nanoseconds, {...})` in time's
    order, then `writer.finish()`: the bytes."""

    def __init__(self, library):
        self.out = io.BytesIO()
        self.out.write(MAGIC + _record(HEADER, _text("") + _text(library)))
        self.schemas, self.channels, self.counts = [], [], {}
        self.chunk, self.index, self.span, self.chunks = io.BytesIO(), {}, None, []

    def channel(self, topic, name, schema):
        """The number of a new channel of JSON messages."""
        number = len(self.channels) + 1
        data = json.dumps(schema, sort_keys=True).encode("utf-8")
        self.schemas.append(_record(SCHEMA, struct.pack("<H", number) + _text(name) + _text("jsonschema")
                                    + struct.pack("<I", len(data)) + data))
        self.channels.append(_record(CHANNEL, struct.pack("<HH", number, number) + _text(topic) + _text("json")
                                     + _map([], "")))
        self.counts[number] = 0
        self.out.write(self.schemas[-1] + self.channels[-1])
        return number

    def add(self, channel, time, message):
        data = json.dumps(message, separators=(",", ":"), allow_nan=False).encode("utf-8")
        self.index.setdefault(channel, []).append((time, self.chunk.tell()))
        self.chunk.write(_record(MESSAGE, struct.pack("<HIQQ", channel, self.counts[channel], time, time) + data))
        self.counts[channel] += 1
        self.span = (time, time) if self.span is None else (min(self.span[0], time), max(self.span[1], time))
        if self.chunk.tell() >= CHUNK_BYTES:
            self._end_chunk()

    def _end_chunk(self):
        if not self.index:
            return
        data, start = self.chunk.getvalue(), self.out.tell()
        head = struct.pack("<QQQI", *self.span, len(data), zlib.crc32(data)) + _text("") + struct.pack("<Q", len(data))
        self.out.write(_record(CHUNK, head + data))
        length, places = self.out.tell() - start, {}
        for channel, entries in self.index.items():
            places[channel] = self.out.tell()
            self.out.write(_record(MESSAGE_INDEX, struct.pack("<H", channel) + _map(entries, "<QQ")))
        self.chunks.append((self.span, _record(CHUNK_INDEX, struct.pack("<QQQQ", *self.span, start, length)
                                               + _map(places.items(), "<HQ")
                                               + struct.pack("<Q", self.out.tell() - start - length) + _text("")
                                               + struct.pack("<QQ", len(data), len(data)))))
        self.chunk, self.index, self.span = io.BytesIO(), {}, None

    def finish(self):
        self._end_chunk()
        self.out.write(_record(DATA_END, struct.pack("<I", 0)))
        spans = [span for span, _ in self.chunks] or [(0, 0)]
        counted = struct.pack("<QHIIIIQQ", sum(self.counts.values()), len(self.schemas), len(self.channels), 0, 0,
                              len(self.chunks), min(a for a, _ in spans), max(b for _, b in spans))
        statistics = _record(STATISTICS, counted + _map(self.counts.items(), "<HQ"))
        start, summary, offsets = self.out.tell(), b"", b""
        for kind, records in ((SCHEMA, self.schemas), (CHANNEL, self.channels), (STATISTICS, [statistics]),
                              (CHUNK_INDEX, [record for _, record in self.chunks])):
            group = b"".join(records)
            if group:
                offsets += _record(SUMMARY_OFFSET, struct.pack("<BQQ", kind, start + len(summary), len(group)))
            summary += group
        places = struct.pack("<QQ", start, start + len(summary))
        crc = zlib.crc32(summary + offsets + struct.pack("<BQ", FOOTER, 20) + places)
        self.out.write(summary + offsets + _record(FOOTER, places + struct.pack("<I", crc)) + MAGIC)
        return self.out.getvalue()


# ---- Schemas

NUMBER, FLAG, NUMBERS = {"type": "number"}, {"type": "boolean"}, {"type": "array", "items": {"type": "number"}}


def _object(**properties):
    return {"type": "object", "properties": properties}


def _list(of):
    return {"type": "array", "items": of}


SENSORS = _object(q=NUMBERS, tau=NUMBERS, gyro_y=NUMBER, accel_x=NUMBER, accel_z=NUMBER, pitch=NUMBER)
ESTIMATE = _object(p_air=NUMBER, p_stick=NUMBER, p_slip=NUMBER, contact=FLAG, mode=NUMBER, force_x=NUMBER,
                   force_z=NUMBER,
                   slip=NUMBER, lost=FLAG)
TRUTH = _object(contact=FLAG, mode=NUMBER, force_x=NUMBER, force_z=NUMBER)
POINT = _object(x=NUMBER, y=NUMBER, z=NUMBER)
STAMP = _object(sec={"type": "integer"}, nsec={"type": "integer"})
POSE = _object(position=POINT, orientation=_object(x=NUMBER, y=NUMBER, z=NUMBER, w=NUMBER))
COLOUR = _object(r=NUMBER, g=NUMBER, b=NUMBER, a=NUMBER)
SPHERE = _object(pose=POSE, size=POINT, color=COLOUR)
LINES = _object(type={"type": "integer"}, pose=POSE, thickness=NUMBER, scale_invariant=FLAG, points=_list(POINT),
                color=COLOUR,
                colors=_list(COLOUR), indices=_list({"type": "integer"}))
OTHERS = ("arrows", "cubes", "cylinders", "triangles", "texts", "models")
SCENE = _object(deletions=_list({"type": "object"}), entities=_list(_object(
    timestamp=STAMP, frame_id={"type": "string"}, id={"type": "string"}, lifetime=STAMP, frame_locked=FLAG,
    metadata=_list({"type": "object"}), spheres=_list(SPHERE), lines=_list(LINES),
    **{name: _list({"type": "object"}) for name in OTHERS})))
IDENTITY = {"position": {"x": 0, "y": 0, "z": 0}, "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}}


def _scene(time, points, mode, radius):
    """A foxglove.SceneUpdate of one pose."""
    rgb = dict(zip("rgb", COLOURS[int(mode)]), a=1.0)
    at = [{"x": round(float(x), 5), "y": 0.0, "z": round(float(z), 5)} for x, z in points]
    stamp = {"sec": int(time // 10**9), "nsec": int(time % 10**9)}
    line = {"type": 0, "pose": IDENTITY, "thickness": 0.012, "scale_invariant": False, "points": at, "color": rgb,
            "colors": [],
            "indices": []}
    foot = {"pose": {**IDENTITY, "position": at[-1]}, "size": dict.fromkeys("xyz", 2 * radius), "color": rgb}
    entity = {"timestamp": stamp, "frame_id": "floor", "id": "leg", "lifetime": {"sec": 0, "nsec": 0},
              "frame_locked": False,
              "metadata": [], "spheres": [foot], "lines": [line], **{name: [] for name in OTHERS}}
    return {"deletions": [], "entities": [entity]}


# ---- A recording

def _plain(row):
    """JSON has no NaN: what is none is left out."""
    return {name: value for name, value in row.items() if not isinstance(value, float) or np.isfinite(value)}


def _rounded(values, places=6):
    return [round(float(value), places) for value in values]


def content(recording, version):
    """The bytes of the file."""
    r, writer = recording, Writer(f"tinycontact {version}")
    sensors = writer.channel("/leg/sensors", "leg.Sensors", SENSORS)
    estimate = writer.channel("/leg/estimate", "leg.Estimate", ESTIMATE)
    true = writer.channel("/leg/truth", "leg.Truth", TRUTH) if r.true is not None else None
    seen = r.observer is not None
    observer = writer.channel("/leg/observer", "leg.Observer", _object(contact=FLAG)) if seen else None
    scene = writer.channel("/leg/scene", "foxglove.SceneUpdate", SCENE)
    q, tau = r.file_signs()
    drawn = np.unique(np.round(np.arange(0, len(r) * r.tick, SCENES) / r.tick).astype(int))
    poses, radius = dict(zip(drawn.tolist(), r.poses(drawn[drawn < len(r)]))), r.chain.foot.radius
    for k, at in enumerate(np.round(r.time * 1e9).astype(np.int64).tolist()):
        writer.add(sensors, at, _plain({"q": _rounded(q[k]), "tau": _rounded(tau[k]), "gyro_y": float(r.gyro[k]),
                                        "accel_x": float(r.accel[k, 0]), "accel_z": float(r.accel[k, 1]),
                                        "pitch": float(r.pitch[k])}))
        row = dict(zip(("p_air", "p_stick", "p_slip"), _rounded(r.p[k])))
        writer.add(estimate, at, _plain(row | {
            "contact": bool(r.modes[k]), "mode": int(r.modes[k]), "force_x": round(float(r.force[k, 0]), 4),
            "force_z": round(float(r.force[k, 1]), 4), "slip": float(r.slip[k]),
            "lost": bool(r.lost is not None and r.lost[k])}))
        if true is not None:
            forces = {} if r.true_force is None else dict(zip(("force_x", "force_z"), _rounded(r.true_force[k], 4)))
            writer.add(true, at, {"contact": bool(r.true[k]), "mode": int(r.true[k]), **forces})
        if observer is not None:
            writer.add(observer, at, {"contact": bool(r.observer[k])})
        if k in poses:
            writer.add(scene, at, _scene(at, poses[k], r.modes[k], radius))
    return writer.finish()


def write(path, recording):
    """Writes the Recording as MCAP."""
    from .. import __version__
    write_whole(path, content(recording, __version__))
