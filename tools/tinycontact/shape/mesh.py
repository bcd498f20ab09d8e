# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Triangle meshes from .obj and .stl files (ASCII and binary); an error names file and element.

Polygons of an .obj become fans of triangles. Vertices that coincide become one: every .stl
repeats them, and many an .obj does along seams.
"""
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np

from ..errors import TinycontactError
from ..model import read_bytes

UNITS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "inch": 0.0254}   # of a file's lengths [m]
SAME = 1e-7        # of the size: vertices so near are one
IGNORED = ("vt", "vn", "vp", "o", "g", "s", "usemtl", "mtllib", "l", "p", "cstype")
RECORD = np.dtype([("normal", "<f4", 3), ("corner", "<f4", (3, 3)), ("spare", "<u2")])   # binary STL


@dataclass(frozen=True)
class Mesh:
    """Triangles with outward normals by the right hand.

    path       of the file, for messages
    vertices   [n, 3] metres, no two alike
    triangles  [m, 3] indices of vertices
    element    [m] number of the triangle's face in the file, from 1
    line       [m] its line, from 1; 0: a binary file
    merged     vertices of the file that were another's copy
    """
    path: str
    vertices: np.ndarray
    triangles: np.ndarray
    element: np.ndarray
    line: np.ndarray
    merged: int = 0

    @property
    def corners(self):
        """[m, 3, 3]"""
        return self.vertices[self.triangles]

    @property
    def low(self):
        return self.vertices.min(axis=0)

    @property
    def high(self):
        return self.vertices.max(axis=0)

    @property
    def extent(self):
        """The longest side of the bounding box [m]."""
        return float((self.high - self.low).max())

    def where(self, triangle):
        """'foot.obj, face 12 (line 88)', as a message begins."""
        line = f" (line {self.line[triangle]})" if self.line[triangle] else ""
        return f"{self.path}, face {self.element[triangle]}{line}"

    def flipped(self):
        """The same with every triangle turned over."""
        return replace(self, triangles=self.triangles[:, ::-1].copy())


def from_arrays(vertices, triangles, path="mesh", element=None, line=None):
    """A Mesh of arrays; vertices that coincide become one, unused ones are left out."""
    vertices = np.asarray(vertices, dtype=float).reshape(-1, 3)
    triangles = np.asarray(triangles, dtype=np.int64).reshape(-1, 3)
    count = len(triangles)
    element = np.arange(1, count + 1) if element is None else np.asarray(element)
    line = np.zeros(count, np.int64) if line is None else np.asarray(line)
    used = np.unique(triangles)
    label = _merged(vertices[used])
    kept, index = np.unique(label, return_inverse=True)
    place = np.zeros(len(vertices), np.int64)
    place[used] = index
    return Mesh(str(path), vertices[used[kept]], place[triangles], element, line,
                len(used) - len(kept))


def _merged(points):
    """[n] for each point the index of the first point that coincides with it.

    Points within SAME of each other share a cell of at least one of eight shifted lattices."""
    label = np.arange(len(points))
    size = float(np.ptp(points, axis=0).max()) if len(points) else 0.0
    if size == 0:
        return np.zeros(len(points), np.int64)
    scaled = (points - points.min(axis=0)) / (2 * SAME * size)
    for shift in product((0.0, 0.5), repeat=3):
        cell = np.floor(scaled + shift).astype(np.int64)
        order = np.lexsort(cell.T)
        new = np.r_[True, np.any(np.diff(cell[order], axis=0) != 0, axis=1)]
        group = np.empty(len(points), np.int64)
        group[order] = np.cumsum(new) - 1
        first = np.full(group.max() + 1, len(points))
        np.minimum.at(first, group, label)
        label = first[group]
    return label[label]


def read(path, units="m"):
    """The Mesh of an .obj or .stl file, in metres."""
    suffix = Path(path).suffix.lower()
    readers = {".obj": _read_obj, ".stl": _read_stl}
    if suffix not in readers:
        raise TinycontactError(f"{path}: is no mesh by its name; wanted .obj or .stl")
    vertices, triangles, element, line = readers[suffix](path)
    if not len(triangles):
        raise TinycontactError(f"{path}: has no triangle")
    mesh = from_arrays(UNITS[units] * vertices, triangles, path, element, line)
    if mesh.extent == 0:
        raise TinycontactError(f"{path}: all vertices are one point")
    return mesh


def _numbers(words, where):
    """Three finite numbers, or an error that begins with `where`."""
    if len(words) < 3:
        raise TinycontactError(f"{where}: {len(words)} coordinates, wanted 3")
    try:
        values = [float(word) for word in words[:3]]
    except ValueError:
        raise TinycontactError(f"{where}: {' '.join(words)[:40]!r} are no three numbers") from None
    if not np.all(np.isfinite(values)):
        raise TinycontactError(f"{where}: is ({', '.join(words[:3])}), wanted finite numbers")
    return values


def _text_lines(path):
    """(number, words) of each line that has some; a backslash at the end joins lines."""
    words, first = [], 0
    for number, raw in enumerate(read_bytes(path).decode("utf-8", "replace").splitlines(), 1):
        part = raw.split("#", 1)[0].strip()
        first = first or number
        joined = part.endswith("\\")
        words += part.rstrip("\\").split()
        if joined:
            continue
        if words:
            yield first, words
        words, first = [], 0


def _corner(word, count, where):
    """The index of an .obj's corner such as 3, 3/1/2 or -1."""
    try:
        index = int(word.split("/", 1)[0])
    except ValueError:
        raise TinycontactError(f"{where}: {word[:20]!r} is no vertex's number") from None
    index = index + count if index < 0 else index - 1
    if not 0 <= index < count:
        raise TinycontactError(f"{where}: vertex {word.split('/', 1)[0]}, there are {count} so far")
    return index


def _read_obj(path):
    """(vertices, triangles, element, line) of a Wavefront .obj file."""
    vertices, triangles, element, lines, faces = [], [], [], [], 0
    for number, words in _text_lines(path):
        if words[0] == "v":
            where = f"{path}, line {number}, vertex {len(vertices) + 1}"
            vertices.append(_numbers(words[1:], where))
        elif words[0] == "f":
            faces += 1
            where = f"{path}, line {number}, face {faces}"
            loop = [_corner(word, len(vertices), where) for word in words[1:]]
            if len(loop) < 3:
                raise TinycontactError(f"{where}: {len(loop)} corners, wanted 3 or more")
            for k in range(1, len(loop) - 1):
                triangles.append((loop[0], loop[k], loop[k + 1]))
                element.append(faces)
                lines.append(number)
        elif words[0] not in IGNORED:
            raise TinycontactError(f"{path}, line {number}: {words[0][:20]!r} begins no line of an"
                                   " .obj file")
    return np.array(vertices, float).reshape(-1, 3), triangles, element, lines


def _read_stl(path):
    """(vertices, triangles, element, line) of an .stl file, binary by its length or ASCII."""
    data = read_bytes(path)
    count = int.from_bytes(data[80:84], "little") if len(data) >= 84 else 0
    if len(data) >= 84 and len(data) == 84 + 50 * count:
        return _binary_stl(path, data, count)
    if not data.lstrip()[:5].lower() == b"solid":
        raise TinycontactError(f"{path}: {len(data)} bytes; a binary .stl of {count} triangles has"
                               f" {84 + 50 * count}, and an ASCII one begins with `solid`")
    return _ascii_stl(path)


def _binary_stl(path, data, count):
    corner = np.frombuffer(data, RECORD, count, 84)["corner"].astype(float)
    bad = np.flatnonzero(~np.isfinite(corner).all(axis=(1, 2)))
    if len(bad):
        raise TinycontactError(f"{path}, face {bad[0] + 1}: has a coordinate that is NaN or"
                               " infinite, wanted finite numbers")
    index = np.arange(3 * count).reshape(-1, 3)
    return corner.reshape(-1, 3), index, np.arange(1, count + 1), np.zeros(count, np.int64)


def _ascii_stl(path):
    vertices, line, begun, facets = [], [], 0, 0
    for number, words in _text_lines(path):
        word = words[0].lower()
        if word == "facet":
            facets, begun = facets + 1, number
        elif word == "vertex":
            vertices.append(_numbers(words[1:], f"{path}, line {number}, face {facets}"))
        elif word == "endfacet":
            line.append(begun)
            if len(vertices) != 3 * len(line):
                wrong = len(vertices) - 3 * (len(line) - 1)
                raise TinycontactError(f"{path}, line {begun}, face {facets}: {wrong} corners,"
                                       " wanted 3")
        elif word not in ("solid", "endsolid", "outer", "endloop"):
            raise TinycontactError(f"{path}, line {number}: {word[:20]!r} begins no line of an .stl"
                                   " file")
    if facets != len(line):
        raise TinycontactError(f"{path}, line {begun}, face {facets}: has no `endfacet`; is the"
                               " file cut off?")
    index = np.arange(3 * len(line)).reshape(-1, 3)
    return np.array(vertices, float).reshape(-1, 3), index, np.arange(1, len(line) + 1), line
