# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What is wrong with a mesh before a shape is made of it; each message names file and face.

    for fault in check(mesh): print(fault.text)    # fault.fatal: no shape can be made
    mesh = accepted(mesh)                          # raises the first that is fatal

A shape needs a closed surface of outward faces. Not searched for: faces that cut each other; the
winding number at the grid's nodes finds those that matter (cuts).
"""
from dataclasses import dataclass

import numpy as np

from ..errors import TinycontactError
from ..toss.solid import LARGEST, SMALLEST
from .mass import signed_volume
from .mesh import UNITS
from .meshdistance import normals_of, winding

INSIDE = 64      # vertices of a component whose winding number is asked
NODES = 1500     # of a grid whose sign is compared with the winding number


@dataclass(frozen=True)
class Fault:
    text: str
    fatal: bool = True


def check(mesh, name_units=True):
    """[Fault] of a mesh, in the order in which they are best mended."""
    faults = _size(mesh) if name_units else []
    kept, twice = without_slivers(mesh)
    faults += twice
    if not len(kept.triangles):
        return [*faults, Fault(f"{mesh.path}: every triangle has two corners in one")]
    edges = Edges(kept)
    wrong = _open(edges) + _shared(edges) + _turned(edges)
    if not wrong:
        wrong = _inverted(edges) + _nested(edges)
    faults += wrong
    if mesh.merged:
        faults.append(Fault(f"{mesh.path}: {mesh.merged} vertices were copies of others and are"
                            " now one with them", False))
    if edges.components > 1:
        faults.append(Fault(f"{mesh.path}: {edges.components} separate components", False))
    return faults


def accepted(mesh, name_units=True, tell=None):
    """The mesh without triangles that are lines, or an error; `tell` hears of the other faults."""
    for fault in check(mesh, name_units):
        if fault.fatal:
            raise TinycontactError(fault.text)
        if tell:
            tell(fault.text)
    return without_slivers(mesh)[0]


def without_slivers(mesh):
    """(the mesh without triangles of which two corners are one, [Fault])."""
    from dataclasses import replace
    t = mesh.triangles
    bad = np.flatnonzero((t[:, 0] == t[:, 1]) | (t[:, 1] == t[:, 2]) | (t[:, 2] == t[:, 0]))
    if not len(bad):
        return mesh, []
    keep = np.setdiff1d(np.arange(len(t)), bad)
    text = (f"{mesh.where(bad[0])}: two of its corners are one point; {len(bad)} such triangles"
            " are left out")
    return replace(mesh, triangles=t[keep], element=np.asarray(mesh.element)[keep],
                   line=np.asarray(mesh.line)[keep]), [Fault(text, False)]


def _size(mesh):
    half = mesh.extent / 2
    if SMALLEST <= half <= LARGEST:
        return []
    fits = [name for name, factor in UNITS.items() if SMALLEST <= half * factor <= LARGEST]
    hint = f"; if its lengths are in {' or '.join(fits)}, add --units {fits[0]}" if fits else ""
    return [Fault(f"{mesh.path}: is {mesh.extent:g} m long, wanted {2 * SMALLEST:g} to"
                  f" {2 * LARGEST:g} m{hint}")]


class Edges:
    """The edges of a mesh: which triangles share them, and what hangs together by them."""

    def __init__(self, mesh):
        self.mesh = mesh
        start = mesh.triangles.ravel()
        end = np.roll(mesh.triangles, -1, axis=1).ravel()
        ends = np.stack([np.minimum(start, end), np.maximum(start, end)], axis=1)
        self.ends, self.of, self.count = np.unique(ends, axis=0, return_inverse=True,
                                                   return_counts=True)
        self.of = self.of.ravel()
        self.forward = np.bincount(self.of, start < end, len(self.ends)).astype(int)
        order = np.argsort(self.of, kind="stable") // 3   # triangles, edge by edge
        self.first = np.cumsum(self.count) - self.count
        self._triangles = order
        self.label = self._components()

    @property
    def components(self):
        return int(self.label.max()) + 1

    def triangles_of(self, edge):
        first = self.first[edge]
        return self._triangles[first:first + self.count[edge]]

    def middle(self, edge):
        """'(0.1, 0, 0.2)': the middle of an edge [m]."""
        at = self.mesh.vertices[self.ends[edge]].mean(axis=0)
        return "(" + ", ".join(f"{value:.4g}" for value in at) + ") m"

    def _components(self):
        """[m] the number of each triangle's component, from 0."""
        t, edge = self._triangles, np.sort(self.of)
        pairs = np.stack([t[:-1], t[1:]], axis=1)[edge[:-1] == edge[1:]]
        return linked(len(self.mesh.triangles), pairs)


def linked(count, pairs):
    """[count] number of the group of each thing; things of a pair are in one group."""
    label = np.arange(count)
    while len(pairs):
        low = label[pairs].min(axis=1)
        after = label.copy()
        np.minimum.at(after, pairs[:, 0], low)
        np.minimum.at(after, pairs[:, 1], low)
        np.minimum.at(after, label[pairs].max(axis=1), low)
        after = after[after]
        if np.array_equal(after, label):
            break
        label = after
    return np.unique(label, return_inverse=True)[1].ravel()


def _open(edges):
    """Holes: edges of one triangle only."""
    rim = np.flatnonzero(edges.count == 1)
    if not len(rim):
        return []
    ends = edges.ends[rim]
    hole = linked(len(edges.mesh.vertices), ends)[ends[:, 0]]
    hole = np.unique(hole, return_inverse=True)[1].ravel()
    size = np.bincount(hole)
    first = rim[hole == hole[0]][0]
    face = edges.mesh.where(edges.triangles_of(first)[0])
    return [Fault(f"{face}: an open edge at {edges.middle(first)}; the surface has {len(size)}"
                  f" hole{'s' * (len(size) > 1)} with {len(rim)} open edges, the first of"
                  f" {size[hole[0]]}; close it in the program that made the mesh")]


def _shared(edges):
    """Edges of three or more triangles."""
    bad = np.flatnonzero(edges.count > 2)
    if not len(bad):
        return []
    faces = ", ".join(str(edges.mesh.element[t]) for t in edges.triangles_of(bad[0]))
    face = edges.mesh.where(edges.triangles_of(bad[0])[0])
    return [Fault(f"{face}: {edges.count[bad[0]]} triangles (faces {faces}) share the edge at"
                  f" {edges.middle(bad[0])}; {len(bad)} edges are not manifold")]


def _turned(edges):
    """Neighbours whose normals point to different sides."""
    bad = np.flatnonzero((edges.count == 2) & (edges.forward != 1))
    if not len(bad):
        return []
    pairs = np.array([edges.triangles_of(edge) for edge in bad])
    worst = np.bincount(pairs.ravel()).argmax()   # turned against most of its neighbours
    at = int(np.argmax((pairs == worst).any(axis=1)))
    other = pairs[at, 0] + pairs[at, 1] - worst
    return [Fault(f"{edges.mesh.where(worst)}: it and face {edges.mesh.element[other]} are turned"
                  f" against each other at {edges.middle(bad[at])}; {len(bad)} edges have an"
                  " inverted face on one side")]


def _inverted(edges):
    """A surface inside out as a whole."""
    volume = signed_volume(edges.mesh.corners)
    if volume > 0:
        return []
    if volume == 0 or not np.any(normals_of(edges.mesh.corners)[1]):
        return [Fault(f"{edges.mesh.path}: encloses no volume")]
    return [Fault(f"{edges.mesh.path}: the volume is {volume:.4g} m3, its faces are inverted; --flip"
                  " turns all of them")]


def _nested(edges):
    """Components within others: a cavity has faces that look inwards, anything else has not."""
    mesh, faults = edges.mesh, []
    if edges.components == 1:
        return []
    for k in range(edges.components):
        own = edges.label == k
        corners = mesh.corners[own]
        points = corners[:: max(1, len(corners) // INSIDE), 0]
        depth = winding(mesh.corners[~own], points)
        wanted = 0 if signed_volume(corners) > 0 else 1
        wrong = np.flatnonzero(np.abs(depth - wanted) > 0.5)
        if len(wrong):
            face = mesh.where(np.flatnonzero(own)[0])
            what = "lies in or cuts another" if wanted == 0 else "is inverted, or a cavity in nothing"
            faults.append(Fault(f"{face}: its component ({int(own.sum())} triangles, number"
                                f" {k + 1} of {edges.components}) {what}"))
    return faults


def cuts(mesh, distance, points):
    """(at how many points the winding number is not the side that the nearest face says, asked):
    none, if no faces cut each other near them. Asks NODES of the points, at most."""
    points = points[:: max(1, len(points) // NODES)]
    d = distance(points)
    wrong = np.abs(winding(mesh.corners, points) - (d < 0)) > 0.5
    far = np.abs(d) > 1e-9 * mesh.extent
    return int(np.sum(far & wrong)), len(points)
