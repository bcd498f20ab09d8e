# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""log.bin: all that went over the wire in a run, byte by byte. Numbers are little-endian.

    offset  type  field
    0       u8[4] 'T' 'C' 'L' 0x31
    4       u32   bytes of the header, n
    8       u8[n] header: a JSON object, UTF-8
    8 + n   u32   CRC-32 of bytes 4 to 7 + n
    then records:
    0       u32   tick
    4       u16   bytes of the frame, m
    6       u8    0 to the board, 1 to the host, 2 end of the log (then m = 0)
    7       u8    0
    8       u8[m] the frame as it was on the wire, COBS and final zero included
    8 + m   u32   CRC-32 of bytes 0 to 7 + m

The header says what was run: board, profile (exact or fast), text (the firmware's own words), version, plant, law,
chain (the file's content), model (hash), seed, seconds, given (sensors), predict. There is no time of day in it: the same run makes the same
bytes. Frames that depend on the board's clock (tc_wire.h: not numbered) are left out for the same reason.

Each record is handed to the operating system before the next tick begins: what was logged survives the end of the
program that logs. Only a log whose last record is the end is complete.
"""
import json
import struct
import zlib
from dataclasses import dataclass

from ..errors import TinycontactError
from ..model import read_bytes
from .link import TO_BOARD, TO_HOST

MAGIC = b"TCL1"
END = 2
HEAD = struct.Struct("<IHBB")
CRC = struct.Struct("<I")
MOST_HEADER = 1 << 20
MOST_BYTES = 1 << 32   # of a log that is read


class LogError(TinycontactError):
    """A log that is none, or is damaged: the message says at which byte."""


@dataclass(frozen=True)
class Record:
    direction: int   # TO_BOARD, TO_HOST
    tick: int
    data: bytes


class LogWriter:
    """`with LogWriter(path, header) as log:`; the end is written by finish(), and by nothing else."""

    def __init__(self, path, header):
        text = json.dumps(header, sort_keys=True, allow_nan=False).encode("utf-8")
        body = CRC.pack(len(text)) + text
        self.tick = 0   # of the records that follow
        try:
            self._file = open(path, "wb", buffering=0)
            self._file.write(MAGIC + body + CRC.pack(zlib.crc32(body)))
        except OSError as error:
            raise TinycontactError(f"{path}: cannot be written ({error.strerror or error})") from None
        self._path = path

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()

    def add(self, direction, data):
        """Link.tap. What is longer than a record may be becomes several."""
        for at in range(0, max(len(data), 1), 0xFFFF):
            self._write(direction, data[at:at + 0xFFFF])

    def _write(self, direction, data):
        body = HEAD.pack(self.tick, len(data), direction, 0) + data
        try:
            self._file.write(body + CRC.pack(zlib.crc32(body)))
        except OSError as error:   # the disk is full, say: what is there already stays
            raise TinycontactError(f"{self._path}: cannot be written ({error.strerror or error})") from None

    def finish(self):
        self._write(END, b"")


@dataclass(frozen=True)
class Log:
    header: dict
    records: list
    cut: str = ""   # why the log is not complete; empty if it is


def read_log(path, cut=False):
    """A Log. With `cut`, one that ends early is taken as far as it goes; damage within is an error always."""
    data = read_bytes(path, MOST_BYTES)
    header, at = _header(path, data)
    records, ended = [], ""
    while True:
        if at == len(data):
            ended = f"{path}: ends at byte {at} without its end record: the run did not finish"
            break
        record, after = _record(path, data, at)
        if record is None:
            ended = f"{path}: is cut off in the record at byte {at}, after tick {records[-1].tick if records else 0}"
            break
        at = after
        if record.direction == END:
            break
        records.append(record)
    if not ended and at < len(data):
        raise LogError(f"{path}: {len(data) - at} bytes follow the end record at byte {at}")
    if ended and not cut:
        raise LogError(ended + "; --cut takes what is there")
    return Log(header, records, ended)


def _header(path, data):
    if data[:4] != MAGIC[:len(data)]:
        raise LogError(f"{path}: is no log: it does not begin with {MAGIC.decode()}")
    length = CRC.unpack_from(data, 4)[0] if len(data) >= 8 else 0
    end = 8 + length
    if length > MOST_HEADER:
        raise LogError(f"{path}: the header claims {length} bytes, more than {MOST_HEADER}")
    if len(data) < end + 4:
        raise LogError(f"{path}: is cut off in the header, at byte {len(data)} of {end + 4}")
    if CRC.unpack_from(data, end)[0] != zlib.crc32(data[4:end]):
        raise LogError(f"{path}: the header's checksum is wrong")
    try:
        header = json.loads(data[8:end].decode("utf-8"))
    except ValueError as error:
        raise LogError(f"{path}: the header is no JSON ({error})") from None
    if not isinstance(header, dict):
        raise LogError(f"{path}: the header is no JSON object")
    return header, end + 4


def _record(path, data, at):
    """(Record, where the next one begins), or (None, at) of a record that is not there in full."""
    if len(data) - at < HEAD.size:
        return None, at
    tick, length, direction, zero = HEAD.unpack_from(data, at)
    end = at + HEAD.size + length
    if len(data) < end + CRC.size:
        return None, at
    if CRC.unpack_from(data, end)[0] != zlib.crc32(data[at:end]):
        raise LogError(f"{path}: the record at byte {at} is damaged: its checksum is wrong")
    if direction not in (TO_BOARD, TO_HOST, END) or zero or (direction == END and length):
        raise LogError(f"{path}: the record at byte {at} has direction {direction}, which this version does not know")
    return Record(direction, tick, data[at + HEAD.size:end]), end + CRC.size
