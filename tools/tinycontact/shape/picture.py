# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Pictures of shapes: the zero level beside the mesh, coloured by its error, and terrains."""
from pathlib import Path

import numpy as np

from ..report.plots import new_figure
from .meshdistance import normals_of

LIGHT = np.array([0.4, -0.6, 0.7]) / np.linalg.norm([0.4, -0.6, 0.7])
STONE = np.array([0.62, 0.68, 0.76])
MOST = 60000   # triangles of one picture


def _surface(axes, corners, colours, box):
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection
    normals, _ = normals_of(corners)
    shade = 0.45 + 0.55 * np.clip(normals @ LIGHT, 0, 1)
    faces = Poly3DCollection(corners, facecolors=np.clip(colours[:, :3] * shade[:, None], 0, 1),
                             linewidths=0)
    faces.set_rasterized(True)
    axes.add_collection3d(faces)
    low, high = box
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    axes.set_box_aspect(np.asarray(high) - low)
    axes.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]")
    axes.tick_params(labelsize=6)
    axes.locator_params(nbins=4)


def surfaces(named, box):
    """A Figure of surfaces beside each other: [(title, corners [m, 3, 3], error [m] or None)].
    Errors, in % of the extent, are colours."""
    import matplotlib
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    figure = new_figure(4.6 * len(named), 4.4)
    extent = float((np.asarray(box[1]) - box[0]).max())
    errors = [100 * error / extent for _, _, error in named if error is not None]
    most = max([float(np.quantile(error, 0.99)) for error in errors if len(error)] or [1.0])
    scale = ScalarMappable(Normalize(0, max(most, 1e-9)), matplotlib.colormaps["viridis"])
    axes = [figure.add_subplot(1, len(named), k + 1, projection="3d") for k in range(len(named))]
    for one, (title, corners, error) in zip(axes, named):
        keep = np.linspace(0, len(corners) - 1, min(len(corners), MOST)).astype(int)
        colours = np.tile(STONE, (len(keep), 1))
        if error is not None:
            colours = scale.to_rgba(100 * error[keep] / extent)
        if len(keep):
            _surface(one, corners[keep], colours, box)
        one.set_title(title, fontsize=9)
    if errors:
        figure.colorbar(scale, ax=axes, shrink=0.6, label="distance from the mesh [% of the extent]")
    return figure


def beside(truth, level, name):
    """The mesh, and the zero level with its distance from it."""
    mesh = truth.mesh
    corners = level.corners
    error = np.abs(truth.distance(corners.mean(axis=1))) if len(corners) else np.zeros(0)
    return surfaces([(f"{Path(mesh.path).name}: {len(mesh.triangles)} triangles", mesh.corners, None),
                     (f"{Path(name).name}: zero level", corners, error)], (mesh.low, mesh.high))


def terrain(made, name):
    """Heights as seen from above, with contours."""
    from ..report.plots import plain
    figure = new_figure(6, 4.6)
    axes = figure.subplots()
    heights = made.at_nodes()
    rows, columns = heights.shape
    x, y = made.origin[0], made.origin[1]
    ends = (x, x + (columns - 1) * made.spacing, y, y + (rows - 1) * made.spacing)
    shown = axes.imshow(heights, origin="lower", extent=ends, cmap="viridis")
    plain(axes, f"{Path(name).name}: {columns} x {rows} heights", "x [m]", "y [m]")
    axes.grid(False)
    figure.colorbar(shown, label="height [m]")
    return figure
