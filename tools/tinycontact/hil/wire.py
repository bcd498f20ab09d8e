# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Frames and their messages by the library's own encoder and decoder (lib/wire/tc_wire.h, tc_wire_message.h,
tc_wire_robot.h), whose structs these are. Python puts no byte of a frame together itself.

    codec = Codec()
    data = codec.encode(Sensors(tick=1, joints=2, gyro=0.1))
    for frame in codec.decode(bytes_from_the_board): frame.message()
"""
import ctypes
from ctypes import POINTER, byref, c_char, c_float, c_int32, c_uint8, c_uint16, c_uint32
from dataclasses import dataclass

from ..errors import BY_VALUE, StatusError, TinycontactError
from ..library import Library

PAYLOAD_MAX, JOINTS, UNKNOWNS = 512, 6, 5
LIMBS, LIMB_JOINTS = 4, 7
BODY_MAX = 4 + PAYLOAD_MAX + 4
FRAME_MAX = BODY_MAX + (BODY_MAX + 253) // 254 + 1
CHUNK_MAX = PAYLOAD_MAX - 4
UNNUMBERED = 0x80
FRAME, OLD, BAD = 1, 2, 3     # tc_wire_result
GIVEN_PITCH, GIVEN_BASE_VELOCITY, GIVEN_TOUCH, GIVEN_PLACE = 1, 2, 4, 64
ROBOT_ATTITUDE, ROBOT_VELOCITY, ROBOT_STEP = 1, 2, 4   # given of a robot
STALE, LOST, SATURATED, DEGRADED = 1, 2, 4, 8   # flags of an estimate
PARAMETERS, MODEL = 1, 2      # what is uploaded
RESET_ESTIMATOR, RESET_ALL = 0, 1
TEST_BURN = 1
EVENT_SILENCE, EVENT_OVERRUN = 1, 2
NO_EVENT, TOUCH_DOWN, LIFT_OFF = 0, 1, 2   # kinds of a prediction
SHORTENED = 1                 # status of one whose horizon is shorter than asked for: TC_NOTE_LIMIT
REASONS = {1: "no whole frame", 2: "an old frame", 3: "no message for a board", 4: "its content", 5: "not now",
           6: "it failed"}


class _Message(ctypes.Structure):
    """Fields compare and print as numbers and tuples."""

    def values(self):
        return {name: bytes_of(self) if kind == POINTER(c_uint8) else _plain(getattr(self, name)) for name, kind in self._fields_}

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.values().items())})"


def _plain(value):
    if isinstance(value, ctypes.Array):
        return bytes(value) if value._type_ is c_uint8 else tuple(_plain(entry) for entry in value)
    return value.values() if isinstance(value, _Message) else value


def _message(name, type_, fields):
    return type(name, (_Message,), {"_fields_": fields, "TYPE": type_, "__module__": __name__})


def _fields(kind, names):
    return [(name, kind) for name in names.split()]


Hello = _message("Hello", 0x01, _fields(c_uint32, "session budget_us silence_ms"))
Sensors = _message("Sensors", 0x02, [
    *_fields(c_uint32, "tick joints given"), ("gyro", c_float), ("accel", c_float * 2),
    *_fields(c_float, "pitch base_velocity touch"), ("encoder", c_float * JOINTS), ("torque", c_float * JOINTS),
    ("place", c_float)])
UploadBegin = _message("UploadBegin", 0x03, _fields(c_uint32, "kind size crc"))
UploadChunk = _message("UploadChunk", 0x04, [*_fields(c_uint32, "offset n"), ("bytes", POINTER(c_uint8))])
UploadCommit = _message("UploadCommit", 0x05, [])
StatsRequest = _message("StatsRequest", 0x06, [])
Reset = _message("Reset", 0x07, _fields(c_uint32, "what"))
Predict = _message("Predict", 0x08, [("horizon", c_float), ("budget", c_uint32)])
Prior = _message("Prior", 0x09, [
    ("mass", c_float), ("inertia", c_float * 3), *_fields(c_uint32, "ratios law"),
    *_fields(c_float * UNKNOWNS, "start sd drift reopen"), ("gate", c_float), ("patience", c_uint32)])
Impact = _message("Impact", 0x0A, [
    ("number", c_uint32), ("normal", c_float * 3), ("arm", c_float * 3), ("before", c_float * 6), ("after", c_float * 6),
    *_fields(c_float, "linear_sd angular_sd")])
Save = _message("Save", 0x0B, [])
Restore = _message("Restore", 0x0C, [("n", c_uint32), ("bytes", POINTER(c_uint8))])
Feel = _message("Feel", 0x0D, _fields(c_float, "reach noise normal_noise tip apart"))
Touch = _message("Touch", 0x0E, [*_fields(c_uint32, "number given"), ("point", c_float * 3), ("normal", c_float * 3)])
Test = _message("Test", 0x0F, _fields(c_uint32, "what value"))
Robot = _message("Robot", 0x10, [
    *_fields(c_uint32, "tick limbs given silent touched"), ("joints", c_uint32 * LIMBS), *_fields(c_float * 3, "gyro accel"),
    ("attitude", c_float * 4), *_fields(c_float * 3, "base_velocity base_velocity_variance"), ("step", c_float),
    ("touch", c_float * LIMBS), *_fields(c_float * LIMB_JOINTS * LIMBS, "encoder torque")])
Boot = _message("Boot", 0x41, [
    *_fields(c_uint32, "session version tick_hz parameter_room model_room parameter_crc parameter_size model_size"),
    ("model_hash", c_uint8 * 16), ("text", c_char * 96)])
Estimate = _message("Estimate", 0x42, [
    ("tick", c_uint32), ("status", c_int32), *_fields(c_uint32, "flags contact"), ("p", c_float * 3),
    ("impulse", c_float * 2), ("impulse_variance", c_float * 2), *_fields(c_float, "slip slip_variance since")])
Upload = _message("Upload", 0x43, [("kind", c_uint32), ("status", c_int32), *_fields(c_uint32, "bytes fault")])
Counters = _message("Counters", 0, _fields(c_uint32, "frames lost repeated late crc form version resyncs"))
Stats = _message("Stats", 0x44, [
    *_fields(c_uint32, "ticks refused missed old overruns silences worst last stack naks"), ("wire", Counters)])
Nak = _message("Nak", 0x45, [*_fields(c_uint32, "type sequence reason"), ("status", c_int32)])
Prediction = _message("Prediction", 0x46, [
    ("tick", c_uint32), ("status", c_int32), *_fields(c_uint32, "kind mode"), *_fields(c_float, "time early late"),
    ("velocity", c_float * 2), ("horizon", c_float)])
Identified = _message("Identified", 0x47, [
    ("number", c_uint32), ("status", c_int32), *_fields(c_uint32, "outcome impacts outliers sticks reopened missed"),
    ("bound", c_float), *_fields(c_float * UNKNOWNS, "value sd low high")])
Saved = _message("Saved", 0x48, [("n", c_uint32), ("bytes", POINTER(c_uint8))])
Felt = _message("Felt", 0x49, [
    ("number", c_uint32), ("status", c_int32), ("outcome", c_uint32), ("found", c_int32),
    *_fields(c_uint32, "touches normals repeated missed"), ("centre", c_float * 3), ("radius", c_float), ("sd", c_float * 4),
    *_fields(c_float, "low high noise")])
Foot = _message("Foot", 0, [
    *_fields(c_uint32, "contact flags"), *_fields(c_float * 3, "p impulse impulse_variance"), ("slip", c_float * 2),
    *_fields(c_float, "slip_variance friction since")])
Feet = _message("Feet", 0x4A, [
    ("tick", c_uint32), ("status", c_int32), *_fields(c_uint32, "flags limbs"), ("velocity", c_float * 3),
    ("velocity_variance", c_float * 2), ("height", c_float), ("slope", c_float * 2), ("foot", Foot * LIMBS)])
Event = _message("Event", 0xC1, _fields(c_uint32, "kind tick value"))

MESSAGES = {"hello": Hello, "sensors": Sensors, "upload_begin": UploadBegin, "upload_chunk": UploadChunk,
            "reset": Reset, "predict": Predict, "prior": Prior, "impact": Impact, "restore": Restore, "feel": Feel, "touch": Touch, "test": Test,
            "robot": Robot, "boot": Boot, "estimate": Estimate, "upload": Upload, "stats": Stats, "nak": Nak, "prediction": Prediction,
            "identified": Identified, "saved": Saved, "felt": Felt, "feet": Feet, "event": Event}
BY_TYPE = {kind.TYPE: kind for kind in (*MESSAGES.values(), UploadCommit, StatsRequest, Save)}
NAMES = {type_: kind.__name__ for type_, kind in BY_TYPE.items()}


class _Encoder(ctypes.Structure):
    _fields_ = [("body", c_uint8 * BODY_MAX), ("frame", c_uint8 * FRAME_MAX), ("sequence", c_uint16)]


class _Frame(ctypes.Structure):
    _fields_ = [("payload", POINTER(c_uint8)), *_fields(c_uint32, "length type sequence lost")]


class _Decoder(ctypes.Structure):
    _fields_ = [("body", c_uint8 * BODY_MAX), ("length", c_uint32),
                *_fields(c_uint8, "run begun zero over numbered bad"), ("next", c_uint16), ("counters", Counters)]


@dataclass(frozen=True)
class Received:
    """What a decoder made of some bytes: a frame (new, or an old one), or bytes that are none."""
    result: int        # FRAME, OLD or BAD
    type: int
    sequence: int
    payload: bytes
    raw: bytes         # as it came, the final zero included
    codec: object

    @property
    def name(self):
        return NAMES.get(self.type, f"a frame of type {self.type:#04x}")

    def message(self):
        """The message; StatusError if its content is none of its type."""
        return self.codec.message(self)


class Codec:
    """One end of a line: its own numbers outwards, and its own view of what comes in."""

    def __init__(self, library=None):
        self.library = library or Library()
        of = self.library.function
        self._encode = of("tc_wire_encode", c_uint32, [POINTER(_Encoder), c_uint32, c_uint32])
        self._decode = of("tc_wire_decode", c_uint32, [POINTER(_Decoder), ctypes.c_char_p, c_uint32, POINTER(_Frame),
                                                       POINTER(ctypes.c_int)])
        self._put = {kind: of(f"tc_wire_put_{name}", c_uint32, [POINTER(_Encoder), POINTER(kind)])
                     for name, kind in MESSAGES.items()}
        self._get = {kind: of(f"tc_wire_get_{name}", ctypes.c_int, [POINTER(_Frame), POINTER(kind)])
                     for name, kind in MESSAGES.items()}
        self._encoder, self._decoder = _Encoder(), _Decoder()
        self._begun = b""   # bytes of the frame that has not ended yet
        of("tc_wire_decoder_init", None, [POINTER(_Decoder)])(byref(self._decoder))

    @property
    def counters(self):
        return self._decoder.counters

    def encode(self, message):
        """The frame of a message, numbered; b"" if a count in it is beyond its limit."""
        put = self._put.get(type(message))
        encoder = byref(self._encoder)
        length = put(encoder, byref(message)) if put else self._encode(encoder, message.TYPE, 0)
        return ctypes.string_at(self._encoder.frame, length)

    def decode(self, data):
        """The frames that end in `data`, one Received each; what does not end stays for the next call."""
        frame, result = _Frame(), ctypes.c_int()
        while data:
            taken = self._decode(byref(self._decoder), data, len(data), byref(frame), byref(result))
            self._begun, data = self._begun + data[:taken], data[taken:]
            if result.value:
                raw, self._begun = self._begun, b""
                payload = ctypes.string_at(frame.payload, frame.length) if frame.length else b""
                yield Received(result.value, frame.type, frame.sequence, payload, raw.lstrip(b"\0"), self)
            elif len(self._begun) > 2 * FRAME_MAX:   # words, or noise: no frame is as long
                self._begun = self._begun[-2 * FRAME_MAX:]

    def message(self, received):
        kind = BY_TYPE.get(received.type)
        if kind not in self._get:
            raise TinycontactError(f"{received.name} has no message")
        held = (c_uint8 * PAYLOAD_MAX).from_buffer_copy(received.payload.ljust(PAYLOAD_MAX, b"\0"))
        frame = _Frame(held, len(received.payload), received.type, received.sequence, 0)
        message = kind()
        message.held = held   # an UploadChunk's or a Saved's bytes stay where they are
        status = self._get[kind](byref(frame), byref(message))
        if status < 0:
            raise StatusError(f"a frame {received.name}", status, f"of {len(received.payload)} bytes")
        return message


def _of_bytes(kind, data, *before):
    held = (c_uint8 * len(data)).from_buffer_copy(data)
    message = kind(*before, len(data), held)
    message.held = held
    return message


def chunk(offset, data):
    """An UploadChunk of bytes."""
    return _of_bytes(UploadChunk, data, offset)


def restore(data):
    """A Restore of the bytes of a Saved."""
    return _of_bytes(Restore, data)


def bytes_of(message):
    """Those of an UploadChunk, a Restore or a Saved."""
    return ctypes.string_at(message.bytes, message.n)


def status_name(status):
    """'TC_ERR_RANGE: ...' of a status in a message."""
    name, text = BY_VALUE.get(status, (f"status {status}", "unknown"))
    return f"{text} ({name})"
