# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Pictures of a toss: the predicted path against the recorded one, as PNG, and as a short animation (GIF)."""
import io

import numpy as np

from ..build import missing
from ..errors import TinycontactError
from . import rotation
from .hull import edges
from .score import angle

OUTLINES = 7                # of the body along the path
FRAMES = 60
SIZE, DOTS = 4.2, 80        # of the animation [inches], dots per inch
FLOOR = "#e4e8ef"


def _axis(toss, path):
    """Unit vector [2] along which the body travels most, over the floor."""
    places = np.concatenate([toss.position[:, :2], path.position[:, :2]])
    return np.linalg.svd(places - places.mean(axis=0), full_matrices=False)[2][0]


def _outline(axes, place, q, body, along, joined, style):
    """The body's edges, seen from the side."""
    corners = place + rotation.turned(q, body.vertices)
    flat = np.stack([corners[:, :2] @ along, corners[:, 2]], axis=1)
    return [axes.plot(*flat[list(pair)].T, **style)[0] for pair in joined]


def _moved(lines, place, q, body, along, joined):
    corners = place + rotation.turned(q, body.vertices)
    flat = np.stack([corners[:, :2] @ along, corners[:, 2]], axis=1)
    for line, pair in zip(lines, joined):
        line.set_data(*flat[list(pair)].T)


def _scene(axes, toss, path, body, along):
    from ..report.plots import plain
    reach = np.linalg.norm(body.vertices, axis=1).max()
    across = np.concatenate([toss.position[:, :2] @ along, path.position[:, :2] @ along])
    plain(axes, f"throw {toss.label:g}: recorded dark, predicted orange", "along the throw [m]", "height [m]")
    axes.set(xlim=(across.min() - reach, across.max() + reach), ylim=(-0.2 * reach, toss.position[:, 2].max() + reach),
             aspect="equal")
    axes.axhspan(-reach, body.floor[0], color=FLOOR)


def drawn(toss, path, body):
    """The bytes of a PNG: the toss from the side, and both errors over time."""
    from ..report.page import png_bytes
    from ..report.plots import LAWS, TRUTH, new_figure, plain
    figure = new_figure(11, 4.2)
    side, error = figure.subplots(1, 2, width_ratios=(1.5, 1))
    along, joined, rows = _axis(toss, path), edges(body.nominal), np.arange(path.row, path.row + len(path.position))
    _scene(side, toss, path, body, along)
    for k in np.unique(np.linspace(0, len(rows) - 1, OUTLINES).astype(int)):
        _outline(side, toss.position[rows[k]], toss.orientation[rows[k]], body, along, joined,
                 {"color": TRUTH, "linewidth": 0.8})
        _outline(side, path.position[k], path.orientation[k], body, along, joined,
                 {"color": LAWS[0], "linewidth": 0.8, "linestyle": "--"})
    side.plot(toss.position[:, :2] @ along, toss.position[:, 2], color=TRUTH, linewidth=1)
    side.plot(path.position[:, :2] @ along, path.position[:, 2], color=LAWS[0], linewidth=1)
    time = toss.t[rows] - toss.t[rows[0]]
    plain(error, "error", "time since the start [s]", "distance [mm]")
    error.plot(time, 1e3 * np.linalg.norm(path.position - toss.position[rows], axis=1), color=LAWS[0])
    turn = error.twinx()
    turn.plot(time, np.degrees(angle(path.orientation, toss.orientation[rows])), color=LAWS[1])
    turn.set_ylabel("angle [deg]", color=LAWS[1])
    error.set_ylabel("distance [mm]", color=LAWS[0])
    return png_bytes(figure)


def animated(toss, path, body):
    """The bytes of a GIF, half as fast as it was."""
    try:
        from PIL import Image
    except ImportError:
        raise TinycontactError(f"animations need pillow: {missing('pillow', 'view', 'sim')}") from None
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from ..report.plots import LAWS, TRUTH, new_figure
    figure = new_figure(1.5 * SIZE, SIZE)
    canvas, axes = FigureCanvasAgg(figure), figure.subplots()
    figure.set_dpi(DOTS)
    along, joined = _axis(toss, path), edges(body.nominal)
    _scene(axes, toss, path, body, along)
    rows = np.arange(path.row, path.row + len(path.position))
    real = _outline(axes, toss.position[rows[0]], toss.orientation[rows[0]], body, along, joined,
                    {"color": TRUTH, "linewidth": 1.5})
    said = _outline(axes, path.position[0], path.orientation[0], body, along, joined,
                    {"color": LAWS[0], "linewidth": 1.5, "linestyle": "--"})
    chosen, images = np.unique(np.linspace(0, len(rows) - 1, FRAMES).astype(int)), []
    for k in chosen:
        _moved(real, toss.position[rows[k]], toss.orientation[rows[k]], body, along, joined)
        _moved(said, path.position[k], path.orientation[k], body, along, joined)
        canvas.draw()
        images.append(Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("P", palette=Image.Palette.ADAPTIVE,
                                                                               colors=32))
    pause = 2e3 * (toss.t[rows[-1]] - toss.t[rows[0]]) / len(chosen)
    held = io.BytesIO()
    images[0].save(held, format="GIF", save_all=True, append_images=images[1:], duration=[*[pause] * (len(images) - 1),
                   1500], loop=0)
    return held.getvalue()
