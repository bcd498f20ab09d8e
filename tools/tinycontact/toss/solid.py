# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A convex body given by corners: its faces, and volume, centroid and moments of uniform density.

A shape's file is {"vertices": [[x, y, z], ...], "mass": kg}, or {"shape": {"vertices": ...}, "mass": kg}, with an
optional "name". Corners inside the hull are kept; they touch nothing.
"""
from dataclasses import dataclass

import numpy as np

from ..errors import TinycontactError
from ..jsonfile import number, read_json
from . import bodyfile

FLAT = 1e-6       # of the size: corners so near a plane lie in it
LARGEST = 5.0     # [m] half width: above, the file is in millimetres
SMALLEST = 1e-3   # [m]


@dataclass(frozen=True)
class Solid:
    vertices: np.ndarray   # [n, 3]
    normals: np.ndarray    # [faces, 3] outward
    offsets: np.ndarray    # [faces] of the planes n . x = offset
    faces: tuple           # of arrays: a face's corners in order around its normal
    centroid: np.ndarray   # [3]
    gyration: np.ndarray   # [3, 3] inertia over mass about the centroid, uniform density
    shell: np.ndarray      # [3, 3] the same of a thin shell about its own centroid
    hollow: np.ndarray     # [3] the shell's centroid


def _next_face(points, edge, normal, size):
    """(outward normal, offset) of the face on the other side of a directed edge of the face with `normal`."""
    a, b = points[edge[0]], points[edge[1]]
    along = (b - a) / np.linalg.norm(b - a)
    out = np.cross(along, normal)   # away from the known face
    rest = points - a
    x, y = rest @ out, -(rest @ normal)
    angle = np.where(np.abs(y) > FLAT * size, np.arctan2(y, -x), np.where(x > FLAT * size, np.pi, -np.inf))
    third = int(np.argmax(angle))
    found = np.cross(along, points[third] - a)
    return -found / np.linalg.norm(found)


def _loop(points, normal, size, start):
    """Corners in the plane through `start` that bound a face, in order around the normal."""
    height = (points - points[start]) @ normal
    inside = np.flatnonzero(np.abs(height) <= FLAT * size)
    u = np.eye(3)[int(np.argmin(np.abs(normal)))]
    u = np.cross(normal, u)
    u /= np.linalg.norm(u)
    flat = np.stack([(points[inside] - points[start]) @ u, (points[inside] - points[start]) @ np.cross(normal, u)],
                    axis=1)
    order = _hull_of_plane(flat, size)
    return inside[order]


def _hull_of_plane(flat, size):
    """Indices of the strict hull of points in a plane, counter-clockwise (Andrew's chain)."""
    order = np.lexsort((flat[:, 1], flat[:, 0])).tolist()

    def chain(indices):
        kept = []
        for k in indices:
            while len(kept) > 1:
                (ax, ay), (bx, by) = flat[kept[-1]] - flat[kept[-2]], flat[k] - flat[kept[-2]]
                if ax * by - ay * bx > FLAT * size * size * 1e-3:
                    break
                kept.pop()
            kept.append(k)
        return kept[:-1]
    return np.array(chain(order) + chain(order[::-1]))


def _first_face(points, size):
    """(a corner, outward normal) of a face: the lowest corner's, by wrapping from the plane below it."""
    start = int(np.lexsort((points[:, 1], points[:, 0], points[:, 2]))[0])
    below = points[:, 2] - points[start, 2]
    flat = np.hypot(*(points - points[start])[:, :2].T)
    slope = np.where(flat + below > FLAT * size, np.arctan2(below, flat), np.inf)
    best = int(np.argmin(slope))
    along = points[best] - points[start]
    along /= np.linalg.norm(along)
    down = np.array([0.0, 0.0, -1.0]) - along * -along[2]
    if np.linalg.norm(down) < 1e-9:
        down = np.array([1.0, 0.0, 0.0])
    return start, best, down / np.linalg.norm(down)


def hull(points):
    """[(normal, loop)] of all faces, by wrapping from edge to edge."""
    points = np.asarray(points, dtype=float)
    size = float(np.ptp(points, axis=0).max())
    a, b, normal = _first_face(points, size)
    first = _next_face(points, (a, b), normal, size)
    faces, done, waiting = [], set(), [(first, a)]
    seen = []
    while waiting:
        normal, start = waiting.pop()
        if any(normal @ other > 1 - 1e-9 for other in seen):
            continue
        seen.append(normal)
        loop = _loop(points, normal, size, start)
        faces.append((normal, loop))
        if len(faces) > 2 * len(points):
            raise TinycontactError("vertices: no convex hull was found; are two corners nearly"
                                   " one?")
        for k, corner in enumerate(loop):
            edge = (int(corner), int(loop[(k + 1) % len(loop)]))
            if edge not in done:
                done |= {edge, edge[::-1]}
                waiting.append((_next_face(points, edge, normal, size), edge[0]))
    return faces


def solid(vertices):
    """The Solid of corners."""
    vertices = np.asarray(vertices, dtype=float)
    faces = hull(vertices)
    normals = np.array([normal for normal, _ in faces])
    offsets = np.array([normal @ vertices[loop].mean(axis=0) for normal, loop in faces])
    triangles = np.array([[vertices[loop[0]], vertices[loop[k]], vertices[loop[k + 1]]]
                          for _, loop in faces for k in range(1, len(loop) - 1)])
    middle = vertices.mean(axis=0)
    volume = np.einsum("ti,ti->t", triangles[:, 0] - middle,
                       np.cross(triangles[:, 1] - middle, triangles[:, 2] - middle)) / 6
    area = 0.5 * np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1)
    corners = np.concatenate([triangles, np.broadcast_to(middle, (len(triangles), 1, 3))], axis=1)
    centroid, gyration = of_simplices(corners, volume, 20)
    hollow, shell = of_simplices(triangles, area, 12)
    return Solid(vertices, normals, offsets, tuple(loop for _, loop in faces), centroid, gyration, shell, hollow)


def of_simplices(corners, weight, divisor):
    """(centroid, inertia over mass about it): second moments of a simplex are (sum of v v' + s s') / divisor, s the sum
    of its corners, divisor 20 for tetrahedra, 12 for triangles."""
    share = weight / weight.sum()
    centroid = share @ corners.mean(axis=1)
    rest = corners - centroid
    total = rest.sum(axis=1)
    second = (np.einsum("t,tki,tkj->ij", share, rest, rest) + np.einsum("t,ti,tj->ij", share, total, total)) / divisor
    return centroid, np.trace(second) * np.eye(3) - second


def read(path):
    """(Solid, mass [kg], name) of a shape's file."""
    document = read_json(path)
    if not isinstance(document, dict):
        raise TinycontactError(f'{path}: wanted an object {{"vertices": [[x, y, z], ...], "mass": kg}}')
    vertices = bodyfile.vertices_of(path, document)
    if "mass" not in document:
        raise TinycontactError(f"{path}, field mass: missing [kg]; motion alone does not tell it")
    given = document["mass"]
    mass = number(given.get("value") if isinstance(given, dict) else given, f"{path}, field mass")
    if mass <= 0:
        raise TinycontactError(f"{path}, field mass: is {mass:g} kg, wanted above 0")
    half = bodyfile.half_width(vertices)
    if not SMALLEST <= half <= LARGEST:
        unit = "; are these millimetres? Wanted metres" if half > LARGEST else ""
        raise TinycontactError(f"{path}, field vertices: a half width of {half:g} m{unit}")
    return solid(vertices), mass, str(document.get("name", ""))
