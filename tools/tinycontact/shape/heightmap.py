# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Height maps from .png (grey, 8 or 16 bits) and .csv; an error names the file and the place.

Rows run along y upwards and columns along x: a picture's lowest row is the first, a table's first
line is the first. A height map has no gap: an empty cell, NaN or a transparent pixel is refused.
"""
import struct
import zlib
from pathlib import Path

import numpy as np

from ..errors import TinycontactError
from ..model import read_bytes
from ..tables import read_csv

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}   # by PNG's colour type; a palette has no heights


def read(path, height=None):
    """[rows, columns] heights. Of a picture: white is `height`, black 0; of a table: its numbers."""
    suffix = Path(path).suffix.lower()
    if suffix == ".csv":
        return _of_table(path)
    if suffix != ".png":
        raise TinycontactError(f"{path}: is no height map by its name; wanted .png or .csv")
    if height is None:
        raise TinycontactError(f"{path}: a picture has no unit; add --height, the height of white"
                               " over black [m]")
    return height * _grey(path)[::-1]


def _of_table(path):
    try:
        rows, header = read_csv(path)
    except TinycontactError as error:
        gap = any(word in str(error) for word in ("is empty", "finite number", "columns, the first"))
        raise TinycontactError(f"{error}{'; a height map has no gaps' * gap}") from None
    if header:
        raise TinycontactError(f"{path}, line 1: are names of columns; wanted heights alone")
    return rows


def _chunks(path, data):
    """(name, bytes) of each chunk of a PNG."""
    if not data.startswith(SIGNATURE):
        raise TinycontactError(f"{path}: is no PNG")
    place = len(SIGNATURE)
    while place + 12 <= len(data):
        size, name = struct.unpack(">I4s", data[place:place + 8])
        body, crc = data[place + 8:place + 8 + size], data[place + 8 + size:place + 12 + size]
        if len(crc) < 4 or zlib.crc32(name + body) != int.from_bytes(crc, "big"):
            raise TinycontactError(f"{path}, byte {place}: the chunk {name.decode('latin-1')} is"
                                   " damaged or cut off")
        yield name, body
        place += 12 + size


def _grey(path):
    """[rows, columns] from 0 (black) to 1 (white)."""
    head, packed = None, b""
    for name, body in _chunks(path, read_bytes(path)):
        if name == b"IHDR" and len(body) == 13:
            head = struct.unpack(">IIBBBBB", body)
        packed += body if name == b"IDAT" else b""
    if head is None:
        raise TinycontactError(f"{path}: has no PNG header")
    columns, rows, depth, colour, _, _, interlaced = head
    if colour not in CHANNELS or depth not in (8, 16) or interlaced:
        raise TinycontactError(f"{path}: wanted a PNG of 8 or 16 bits, grey or RGB, not interlaced")
    size = CHANNELS[colour] * depth // 8
    try:
        raw = zlib.decompress(packed)
    except zlib.error as error:
        raise TinycontactError(f"{path}: its pixels cannot be unpacked ({error})") from None
    if len(raw) != rows * (1 + columns * size):
        raise TinycontactError(f"{path}: {len(raw)} bytes of pixels, wanted"
                               f" {rows * (1 + columns * size)}")
    lines = _unfiltered(path, np.frombuffer(raw, np.uint8).reshape(rows, -1), size)
    pixels = lines.view(">u2") if depth == 16 else lines
    return _one_channel(path, pixels.reshape(rows, columns, -1) / (2**depth - 1))


def _one_channel(path, pixels):
    if pixels.shape[2] in (2, 4):
        clear = np.argwhere(pixels[:, :, -1] < 1)
        if len(clear):
            row, column = clear[0]
            raise TinycontactError(f"{path}, row {row + 1} from the top, column {column + 1}: is"
                                   f" transparent; a height map has no gaps ({len(clear)} here)")
        pixels = pixels[:, :, :-1]
    odd = np.argwhere(np.ptp(pixels, axis=2) > 0)
    if len(odd):
        row, column = odd[0]
        raise TinycontactError(f"{path}, row {row + 1} from the top, column {column + 1}: is a"
                               " colour; heights are grey")
    return pixels[:, :, 0]


def _unfiltered(path, lines, size):
    """PNG's five filters undone."""
    kinds, lines = lines[:, 0], lines[:, 1:]
    before = np.zeros(lines.shape[1], np.uint8)
    out = np.empty(lines.shape, np.uint8)
    for k, kind in enumerate(kinds.tolist()):
        if kind > 4:
            raise TinycontactError(f"{path}, row {k + 1} from the top: filter {kind} is none of"
                                   " PNG's")
        if kind == 0:
            out[k] = lines[k]
        elif kind == 1:
            whole = lines[k].reshape(-1, size).astype(np.int64)
            out[k] = np.cumsum(whole, axis=0).astype(np.uint8).ravel()
        elif kind == 2:
            out[k] = lines[k] + before
        else:
            out[k] = _along_row(lines[k].tolist(), before.tolist(), size, kind)
        before = out[k]
    return out


def _along_row(line, above, size, kind):
    """Filters 3 (mean) and 4 (Paeth's), which need what was just made."""
    done = [0] * size
    corner = [0] * size + above
    for k, (value, b) in enumerate(zip(line, above)):
        a, c = done[k], corner[k]
        if kind == 3:
            done.append((value + (a + b) // 2) & 255)
            continue
        pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
        guess = a if pa <= pb and pa <= pc else b if pb <= pc else c
        done.append((value + guess) & 255)
    return np.array(done[size:], np.uint8)
