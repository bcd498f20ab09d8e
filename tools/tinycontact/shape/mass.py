# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Mass properties of a homogeneous body within a closed mesh, in closed form.

Mirtich's integrals of polynomials over a polyhedron, by the divergence theorem: each triangle spans
a tetrahedron with a fixed point, of signed volume, whose moments are known (toss.solid).
"""
from dataclasses import dataclass

import numpy as np

from ..toss.solid import of_simplices
from .meshdistance import normals_of


@dataclass(frozen=True)
class Mass:
    """volume [m3], area [m2], centre of mass [m], and the inertia tensor over the mass about the
    centre of mass [m2], in the mesh's axes."""
    volume: float
    area: float
    centre: np.ndarray
    gyration: np.ndarray

    def as_json(self):
        return {"volume": self.volume, "area": self.area, "centre": self.centre.tolist(),
                "gyration": self.gyration.tolist()}

    def per_density(self):
        """The ten numbers of a tc_sdf_inertia: volume, volume times position, and xx, yy, zz, xy,
        xz, yz of the inertia about the centre of mass, for a density of 1."""
        g = self.volume * self.gyration
        return [self.volume, *(self.volume * self.centre), g[0, 0], g[1, 1], g[2, 2], g[0, 1],
                g[0, 2], g[1, 2]]


def signed_volume(corners):
    """The volume within triangles [m, 3, 3]; negative where they are inside out."""
    a, b, c = np.moveaxis(corners - corners.reshape(-1, 3).mean(axis=0), 1, 0)
    return float(np.einsum("mi,mi->", a, np.cross(b, c))) / 6


def of_mesh(mesh):
    """The Mass of a closed mesh whose volume is above 0."""
    corners = mesh.corners
    middle = mesh.vertices.mean(axis=0)
    a, b, c = np.moveaxis(corners - middle, 1, 0)
    volume = np.einsum("mi,mi->m", a, np.cross(b, c)) / 6
    apex = np.broadcast_to(middle, (len(corners), 1, 3))
    centre, gyration = of_simplices(np.concatenate([corners, apex], axis=1), volume, 20)
    return Mass(float(volume.sum()), float(normals_of(corners)[1].sum()), centre, gyration)
