# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A second reading of docs/reference/wire.md, which never loads the library: frames, messages and the record of a
leg, in plain Python.

Layouts are (name, code) pairs of the module struct, all little-endian; a code with a count is a tuple.
"""
import re
import struct
import zlib
from collections import Counter
from pathlib import Path

VERSION, PAYLOAD_MAX, JOINTS, CHUNK_MAX = 1, 512, 6, 508
FORMAT = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "wire.md").read_text(encoding="utf-8")


def _words(names, code="I"):
    return [(name, code) for name in names.split()]


HELLO, SENSORS, ROBOT, BOOT, FEET, EVENT = 0x01, 0x02, 0x10, 0x41, 0x4A, 0xC1
LIMBS, LIMB_JOINTS = 4, 7
LAYOUTS = {
    HELLO: _words("session budget_us silence_ms"),
    0x03: _words("kind size crc"),
    0x05: [],
    0x06: [],
    0x07: _words("what"),
    0x08: [("horizon", "f"), ("budget", "I")],
    0x09: [("mass", "f"), ("inertia", "3f"), ("ratios", "B"), ("law", "B"), ("zero", "H"), ("start", "5f"), ("sd", "5f"),
           ("drift", "5f"), ("reopen", "5f"), ("gate", "f"), ("patience", "I")],
    0x0A: [("number", "I"), ("normal", "3f"), ("arm", "3f"), ("before", "6f"), ("after", "6f"),
           *_words("linear_sd angular_sd", "f")],
    0x0B: [],
    0x0D: _words("reach noise normal_noise tip apart", "f"),
    0x0E: [*_words("number given"), ("point", "3f"), ("normal", "3f")],
    0x0F: _words("what value"),
    BOOT: _words("session version tick_hz parameter_room model_room parameter_crc parameter_size model_size")
    + [("model_hash", "16s"), ("text", "96s")],
    0x42: [("tick", "I"), ("status", "i"), *_words("flags contact"), ("p", "3f"), ("impulse", "2f"),
           ("impulse_variance", "2f"), *_words("slip slip_variance since", "f")],
    0x43: [("kind", "I"), ("status", "i"), *_words("bytes fault")],
    0x44: _words("ticks refused missed old overruns silences worst last stack naks")
    + _words("wire.frames wire.lost wire.repeated wire.late wire.crc wire.form wire.version wire.resyncs"),
    0x45: [("type", "B"), ("reason", "B"), ("sequence", "H"), ("status", "i")],
    0x46: [("tick", "I"), ("status", "i"), *_words("kind mode"), *_words("time early late", "f"), ("velocity", "2f"),
           ("horizon", "f")],
    0x47: [("number", "I"), ("status", "i"), *_words("outcome impacts outliers sticks reopened missed"), ("bound", "f"),
           ("value", "5f"), ("sd", "5f"), ("low", "5f"), ("high", "5f")],
    0x49: [("number", "I"), ("status", "i"), ("outcome", "I"), ("found", "i"), *_words("touches normals repeated missed"),
           ("centre", "3f"), ("radius", "f"), ("sd", "4f"), *_words("low high noise", "f")],
    EVENT: _words("kind tick value"),
}


STATES = (0x0C, 0x48)   # bytes, as many as there are


def robot(payload):
    """The layout of ROBOT, by the counts in its first bytes; zeros where they are cut."""
    limbs, given, _, touched, *joints = (payload[4:12] + bytes(8))[:8]
    optional = [("attitude", "4f")] * (given & 1) + [("base_velocity", "3f"), ("base_velocity_variance", "3f")] * (given >> 1 & 1)
    optional += [("step", "f")] * (given >> 2 & 1) + [("touch", f"{limbs}f")] * (touched > 0)
    fields = [("tick", "I"), *_words("limbs given silent touched", "B"), ("joints", "4B"), ("gyro", "3f"), ("accel", "3f"), *optional]
    for k in range(min(limbs, LIMBS)):
        fields += [(f"encoder{k}", f"{joints[k]}f"), (f"torque{k}", f"{joints[k]}f")]
    return fields


def feet(payload):
    """The layout of FEET, by its number of limbs."""
    fields = [("tick", "I"), ("status", "i"), *_words("flags limbs"), ("velocity", "3f"), ("velocity_variance", "2f"),
              ("height", "f"), ("slope", "2f")]
    for k in range(min(int.from_bytes(payload[12:16], "little"), LIMBS)):
        fields += [(f"contact{k}", "I"), (f"flags{k}", "I"), (f"p{k}", "3f"), (f"impulse{k}", "3f"), (f"impulse_variance{k}", "3f"),
                   (f"slip{k}", "2f"), *_words(f"slip_variance{k} friction{k} since{k}", "f")]
    return fields


def layout(type_, payload):
    """That of a payload: some types have as many bytes as they say."""
    if type_ == ROBOT:
        return robot(payload)
    if type_ == FEET:
        return feet(payload)
    if type_ == SENSORS:
        n = payload[4] if len(payload) > 4 else 0
        place = [("place", "f")] if len(payload) > 5 and payload[5] & 64 else []
        return [("tick", "I"), ("joints", "B"), ("given", "B"), ("zero", "H"), ("gyro", "f"), ("accel", "2f"),
                *_words("pitch base_velocity touch", "f"), ("encoder", f"{n}f"), ("torque", f"{n}f"), *place]
    if type_ == 0x04:
        return [("offset", "I"), ("bytes", f"{max(1, len(payload) - 4)}s")]
    if type_ in STATES:
        return [("bytes", f"{max(1, len(payload))}s")]
    return LAYOUTS[type_]


RULES = {   # what a field may say
    (HELLO, "session"): lambda v: v != 0,
    (SENSORS, "joints"): lambda v: 1 <= v <= JOINTS,
    (SENSORS, "zero"): lambda v: v == 0,
    (0x03, "kind"): lambda v: v in (1, 2),
    (0x07, "what"): lambda v: v in (0, 1),
    (0x09, "ratios"): lambda v: v in (0, 1, 3),
    (0x09, "law"): lambda v: v in (0, 1),
    (0x09, "zero"): lambda v: v == 0,
    (0x0A, "number"): lambda v: v != 0,
    (0x0E, "number"): lambda v: v != 0,
    (0x0E, "given"): lambda v: v <= 1,
    (0x0F, "what"): lambda v: v == 1,
    (BOOT, "text"): lambda v: v[-1:] == b"\0",
    (0x42, "contact"): lambda v: v in (0, 1),
    (0x45, "reason"): lambda v: 1 <= v <= 6,
    (EVENT, "kind"): lambda v: v in (1, 2),
}


def limbs_agree(said):
    """Joints for each limb and no other; no bit of another limb."""
    n = said["limbs"]
    wanted = all((1 <= joints <= LIMB_JOINTS) if k < n else joints == 0 for k, joints in enumerate(said["joints"]))
    return wanted and (said["silent"] | said["touched"]) >> n == 0


COUNTS = {ROBOT: limbs_agree}   # what a whole message must agree with
RULES |= {(ROBOT, "limbs"): lambda v: 1 <= v <= LIMBS, (ROBOT, "given"): lambda v: v < 8,
          (FEET, "limbs"): lambda v: 1 <= v <= LIMBS, **{(FEET, f"contact{k}"): lambda v: v <= 1 for k in range(LIMBS)}}


def message(type_, payload):
    """{field: number, tuple or bytes}; None if the payload is no message of this type."""
    fields = layout(type_, payload)
    if len(payload) != struct.calcsize("<" + "".join(code for _, code in fields)):
        return None
    said, at = {}, 0
    for name, code in fields:
        values = struct.unpack_from("<" + code, payload, at)
        at += struct.calcsize("<" + code)
        said[name] = values[0] if code.endswith("s") or not code[0].isdigit() else values
        if not RULES.get((type_, name), lambda _: True)(said[name]):
            return None
    return said if COUNTS.get(type_, lambda _: True)(said) else None


# ---- Frames -------------------------------------------------------------------------------------------------

def stuffed(body):
    """COBS and the final zero: pieces behind each zero and after 254 bytes without one."""
    line, rest = b"", body + b"\0"
    while rest:
        piece = rest[:254].split(b"\0")[0]
        line += bytes([len(piece) + 1]) + piece
        rest = rest[len(piece) + (len(piece) < 254):]
        if rest == b"\0" and len(piece) == 254:   # the zero that was thought ends it
            rest = b""
    return line + b"\0"


def unstuffed(line):
    """The body of what lay between two zeros; None if a piece is cut."""
    body, at = b"", 0
    while at < len(line):
        code = line[at]
        if at + code > len(line):
            return None
        body += line[at + 1:at + code]
        at += code
        body += b"\0" if code < 255 and at < len(line) else b""
    return body


class Sender:
    def __init__(self):
        self.next = 0

    def frame(self, type_, payload):
        counted = type_ < 0x80 and type_ not in (HELLO, BOOT)
        sequence = self.next if counted else 0
        if type_ < 0x80:
            self.next = (sequence + 1) % 65536
        body = struct.pack("<BBH", VERSION, type_, sequence) + payload
        return stuffed(body + struct.pack("<I", zlib.crc32(body)))


class Receiver:
    """counters: as in STATS, of the receiver."""

    def __init__(self):
        self.line, self.next, self.bad, self.counters = b"", None, False, Counter()

    def take(self, data):
        """[(what, type, sequence, payload)] of the frames that end in `data`: what is "frame", "old" or "bad"."""
        *lines, self.line = (self.line + data).split(b"\0")
        return [self._judged(line) for line in lines if line]

    def _judged(self, line):
        body = unstuffed(line)
        if body is None or not 8 <= len(body) <= 8 + PAYLOAD_MAX:
            return self._refused("form")
        if zlib.crc32(body[:-4]) != struct.unpack("<I", body[-4:])[0]:
            return self._refused("crc")
        if body[0] != VERSION:
            return self._refused("version")
        self.counters["resyncs"] += self.bad
        self.bad = False
        return self._placed(body[1], struct.unpack_from("<H", body, 2)[0], body[4:-4])

    def _refused(self, counter):
        self.counters[counter] += 1
        self.bad = True
        return "bad", 0, 0, b""

    def _placed(self, type_, sequence, payload):
        if type_ < 0x80:
            if type_ in (HELLO, BOOT) or self.next is None:
                self.next = sequence
            ahead = (sequence - self.next) % 65536
            if ahead >= 32768:
                self.counters["repeated" if ahead == 65535 else "late"] += 1
                return "old", type_, sequence, payload
            self.counters["lost"] += ahead
            self.next = (sequence + 1) % 65536
        self.counters["frames"] += 1
        return "frame", type_, sequence, payload


# ---- The leg and its estimator -------------------------------------------------------------------------------

LINK = [("joint", "I"), *_words("mass inertia", "f"), ("anchor", "2f"), ("arm", "2f"), ("axis", "2f"),
        *_words("rest rotor damping", "f")]


def configuration():
    """[(name, code)] of the estimator's configuration in a record: the names that wire.md lists."""
    listed = re.search(r"^    step .*?(?=\n\n)", FORMAT, re.M | re.S).group(0)
    return [("encoder_step", "6f"), ("torque_noise", "6f"), ("frozen", "I"), *_words(listed, "f")]


def record(data):
    """{root, g, foot, radius, links: [{...}], config: {...}} of PARAMETERS; None if they are none."""
    if len(data) < 24 or data[:4] != b"TCL\x1a" or data[4:6] != b"\1\0" or not 1 <= data[6] <= JOINTS:
        return None
    at = 24
    said = dict(zip(("root", "g", "foot_x", "foot_y", "radius"), struct.unpack_from("<B4f", data, 7)))
    parts = []
    for fields in [LINK] * data[6] + [configuration()]:
        codes = ["<" + code for _, code in fields]
        if len(data) < at + sum(map(struct.calcsize, codes)):
            return None
        part = {}
        for (name, _), code in zip(fields, codes):
            values = struct.unpack_from(code, data, at)
            part[name], at = values if len(values) > 1 else values[0], at + struct.calcsize(code)
        parts.append(part)
    return {**said, "links": parts[:-1], "config": parts[-1]} if at == len(data) else None
