# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The library's frames, messages and records beside a second reading of docs/reference/wire.md in plain Python
(wire_reference.py): both make the same bytes and draw the same conclusions from damaged ones."""
import ctypes
import os
import struct
import unittest
import zlib
from unittest import mock

import numpy as np

import wire_reference as reference
from tinycontact_case import tc
from tinycontact.errors import StatusError
from tinycontact.hil import wire
from tinycontact.hil.chain_file import load_chain, planar_leg
from tinycontact.hil.parameters import parameters
from tinycontact.hil.plant import default_chain

RESULTS = {wire.FRAME: "frame", wire.OLD: "old", wire.BAD: "bad"}
TYPES = sorted(reference.LAYOUTS) + [reference.SENSORS, 0x04, *reference.STATES, reference.ROBOT, reference.FEET]
FIXED = {(reference.HELLO, "session"): 77, (0x03, "kind"): 2, (0x07, "what"): 1, (0x0F, "what"): 1,
         (0x0E, "given"): 1, (0x09, "ratios"): 3, (0x09, "law"): 1, (0x09, "zero"): 0,
         (0x42, "contact"): 1, (0x45, "reason"): 5, (reference.EVENT, "kind"): 2, (reference.SENSORS, "zero"): 0}


def setUpModule():
    path = mock.patch.dict(os.environ, TINYCONTACT_LIBRARY=str(tc.Library().path))   # do not ask make each time
    path.start()
    unittest.addModuleCleanup(path.stop)


def payload_of(rng, type_):
    """A random message's payload."""
    if type_ == 0x04:
        return rng.bytes(int(rng.integers(5, 4 + reference.CHUNK_MAX + 1)))
    if type_ in reference.STATES:
        return rng.bytes(int(rng.integers(1, reference.PAYLOAD_MAX + 1)))
    if type_ in (reference.ROBOT, reference.FEET):
        return robots_payload(rng, type_)
    joints, given = int(rng.integers(1, 7)), int(rng.integers(0, 256))
    data = b""
    for name, code in reference.layout(type_, bytes([0, 0, 0, 0, joints, given])):
        part = rng.bytes(struct.calcsize("<" + code))
        if (type_, name) in FIXED:
            part = struct.pack("<" + code, FIXED[type_, name])
        own = {("joints", "B"): bytes([joints]), ("given", "B"): bytes([given]), ("text", code): part[:-1] + b"\0"}
        data += own.get((name, code), part)
    return data


def robots_payload(rng, type_):
    """Random counts, then random bytes."""
    limbs = int(rng.integers(1, reference.LIMBS + 1))
    if type_ == reference.FEET:
        head = rng.bytes(12) + struct.pack("<I", limbs)
        data = head + rng.bytes(32 + 64 * limbs)
        for k in range(limbs):
            data = data[:48 + 64 * k] + struct.pack("<I", int(rng.integers(0, 2))) + data[52 + 64 * k:]
        return data
    joints = [int(rng.integers(1, 8)) if k < limbs else 0 for k in range(4)]
    head = rng.bytes(4) + bytes([limbs, rng.integers(0, 8), *rng.integers(0, 2**limbs, 2), *joints])
    return head + rng.bytes(struct.calcsize("<" + "".join(code for _, code in reference.robot(head))) - 12)


def flat(said):
    """Numbers as bits, so that NaNs compare."""
    def bits(value):
        return np.float32(value).tobytes() if isinstance(value, float) else value
    return {name: tuple(map(bits, value)) if isinstance(value, tuple) else bits(value) for name, value in said.items()
            if name not in ("zero", "text")}


def wire_payload(message):
    """The bytes that a message is sent as."""
    return reference.unstuffed(wire.Codec().encode(message)[:-1])[4:-4]


def in_c(type_, message):
    """What the library's struct says, under the reference's names."""
    said = {}
    for name, value in message.values().items():
        said.update({f"wire.{k}": v for k, v in value.items()} if isinstance(value, dict) else {name: value})
    if type_ == reference.SENSORS:
        n = said["joints"]
        said |= {"encoder": said["encoder"][:n], "torque": said["torque"][:n]}
        if not said["given"] & 64:
            del said["place"]
    if type_ == reference.ROBOT:
        said |= {f"{name}{k}": said[name][k][:said["joints"][k]] for k in range(said["limbs"]) for name in ("encoder", "torque")}
        said["touch"] = said["touch"][:said["limbs"]]
    if type_ == reference.FEET:
        said |= {f"{name}{k}": v for k, foot in enumerate(said["foot"]) for name, v in foot.items()}
    if type_ in (reference.ROBOT, reference.FEET):
        fields = [name for name, _ in reference.layout(type_, wire_payload(message))]
        said = {name: said[name] for name in fields}
    if type_ == 0x04:
        said = {"offset": said["offset"], "bytes": ctypes.string_at(message.bytes, message.n)}
    if type_ in reference.STATES:
        said = {"bytes": ctypes.string_at(message.bytes, message.n)}
    return said


class Frames(unittest.TestCase):
    def test_example(self):
        """The bytes that the document shows."""
        line = bytes.fromhex("03 01 06 01 05 CB C4 75 9D 00")
        self.assertEqual(reference.Sender().frame(0x06, b""), line)
        self.assertEqual(reference.unstuffed(line[:-1]), bytes.fromhex("01 06 00 00 CB C4 75 9D"))

    def test_any_payload(self):
        """Sent by either, read by the other; every length, with many zeros and with none."""
        rng, codec, ours, theirs = np.random.default_rng(1), wire.Codec(), reference.Sender(), reference.Receiver()
        for n in range(reference.CHUNK_MAX + 1):
            for most in (1, 2, 256):
                part = rng.integers(0, most, n, np.uint8).tobytes() if most > 1 else b"\xa5" * n
                data = struct.pack("<I", n) + part
                if not part:
                    continue
                frame = ours.frame(0x04, data)
                self.assertEqual(codec.encode(wire.chunk(n, part)), frame)
                self.assertEqual(reference.unstuffed(frame[:-1])[4:-4], data)
                self.assertEqual(theirs.take(frame)[0][::3], ("frame", data))
        self.assertEqual(theirs.counters["lost"], 0)

    def test_same_verdicts(self):
        """Streams of frames that are lost, repeated, late, cut, flipped, glued, of another version or noise: both
        receivers say the same of each, and count the same."""
        rng = np.random.default_rng(2)
        for _ in range(200):
            codec, theirs, sender = wire.Codec(), reference.Receiver(), reference.Sender()
            kept = []
            for _ in range(12):
                type_ = int(rng.choice(TYPES + [0x2A, 0xEE]))
                data = rng.bytes(int(rng.integers(0, 60))) if type_ not in TYPES else payload_of(rng, type_)
                kept.append(sender.frame(type_, data))
            stream = b"".join(self.damaged(rng, kept))
            ours = [(RESULTS[f.result], f.type, f.sequence, f.payload) for f in codec.decode(stream)]
            self.assertEqual(ours, theirs.take(stream))
            counted = {name: getattr(codec.counters, name) for name, _ in codec.counters._fields_}
            self.assertEqual(counted, {name: theirs.counters[name] for name in counted})

    def damaged(self, rng, frames):
        for k, frame in enumerate(frames):
            at, how = int(rng.integers(0, len(frame))), int(rng.integers(0, 10))
            flipped = frame[:at] + bytes([frame[at] ^ 1 << at % 8]) + frame[at + 1:]
            earlier = frames[int(rng.integers(0, k + 1))]
            yield {0: b"", 1: frame[:at], 2: frame[at:], 3: frame + frame, 4: flipped, 5: rng.bytes(at) + frame,
                   6: frame[:-1], 7: earlier, 8: self.of_version(at % 256, frame)}.get(how, frame)

    def of_version(self, version, frame):
        body = bytes([version]) + reference.unstuffed(frame[:-1])[1:-4]
        return reference.stuffed(body + struct.pack("<I", zlib.crc32(body)))

    def test_two_frames_after_any_garbage(self):
        """The second whole frame after whatever came is received, and nothing but whole frames is."""
        rng = np.random.default_rng(3)
        for k in range(1000):
            codec, sender = wire.Codec(), reference.Sender()
            least, beyond = ((0, 256), (1, 256), (0, 2), (1, 2))[k % 4]
            garbage = rng.integers(least, beyond, int(rng.integers(0, 1500)), np.uint8).tobytes()
            got = [f for f in codec.decode(garbage) if f.result == wire.FRAME]
            self.assertEqual(got, [])
            frames = [sender.frame(reference.HELLO, struct.pack("<3I", 1, 2, k)) for _ in range(2)]
            got = [f for f in codec.decode(b"".join(frames)) if f.result == wire.FRAME]
            self.assertIn(len(got), (1, 2))
            self.assertEqual(got[-1].raw, frames[1])


class Messages(unittest.TestCase):
    def test_same_fields(self):
        """Random messages, NaNs among their numbers: the library reads what the reference reads, and sends the same."""
        rng, codec, sender, ours = np.random.default_rng(4), wire.Codec(), reference.Sender(), wire.Codec()
        for type_ in TYPES * 40:
            data = payload_of(rng, type_)
            frame = sender.frame(type_, data)
            (received,) = codec.decode(frame)
            if reference.layout(type_, data):
                message = received.message()
                self.assertEqual(flat(in_c(type_, message)), flat(reference.message(type_, data)))
                self.assertEqual(ours.encode(message), frame)
            else:
                self.assertEqual(ours.encode(wire.BY_TYPE[type_]()), frame)
        self.assertEqual(set(TYPES), set(wire.BY_TYPE))

    def test_same_refusals(self):
        """Any bytes as the content of any message: refused by both, or by neither."""
        rng, codec, sender = np.random.default_rng(5), wire.Codec(), reference.Sender()
        for type_ in [t for t in TYPES if t not in (0x05, 0x06, 0x0B)] * 200:
            data = bytearray(payload_of(rng, type_) + bytes(rng.random() < 0.1))
            data[int(rng.integers(0, len(data)))] ^= int(rng.choice([0, 1, 255]))
            data = bytes(data[:reference.PAYLOAD_MAX if rng.random() < 0.7 else int(rng.integers(0, len(data)))])
            (received,) = codec.decode(sender.frame(type_, data))
            try:
                received.message()
                taken = True
            except StatusError:
                taken = False
            self.assertEqual(taken, reference.message(type_, data) is not None, (hex(type_), data))


class Records(unittest.TestCase):
    """PARAMETERS: each number that was set stands where the document says."""

    def test_configuration(self):
        chain = load_chain(default_chain("leg"))
        before = reference.record(parameters(chain))["config"]
        for name, code in reference.configuration():
            for k in range(int(code[:-1] or 1) if code != "I" else 1):
                old = np.ravel(before[name])[k]
                new = old + 1 if code == "I" else float(np.float32(old * 0.9375))
                field = f"{name}[{k}]" if code[0].isdigit() else name
                after = reference.record(parameters(chain, **{field: new}))["config"]
                self.assertEqual(np.ravel(after[name])[k], new, field)
                after[name] = before[name]
                self.assertEqual(after, before, f"{field} moves another")

    def test_legs(self):
        """Both legs, and one with six joints, some of which slide."""
        for path in (default_chain("leg"), default_chain("hopper")):
            chain = load_chain(path)
            for links in (chain.links, (chain.links * 3)[:6]):
                chain.links = links
                self.same(chain)

    def same(self, chain):
        leg, said = planar_leg(chain), reference.record(parameters(chain))
        one = np.float32
        self.assertEqual((said["root"], said["g"], said["radius"]),
                         ({"fixed": 0, "rail": 1, "floating": 2}[chain.root], one(leg.g), one(leg.radius)))
        self.assertEqual((said["foot_x"], said["foot_y"]), tuple(map(one, leg.foot)))
        self.assertEqual(len(said["links"]), leg.joints)
        for k, link in enumerate(said["links"]):
            self.assertEqual(link["joint"], int(leg.slides[k]))
            for name in ("mass", "inertia", "anchor", "arm", "axis", "rest", "rotor", "damping"):
                np.testing.assert_array_equal(link[name], getattr(leg, name)[k].astype(one), name)


if __name__ == "__main__":
    unittest.main()
