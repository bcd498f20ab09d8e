# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A Recording as a file for the viewer Rerun, by its own SDK (the package rerun-sdk, 0.23 or newer).

    sensors/q/1, ..., sensors/tau/1, ..., sensors/gyro_y, accel_x, accel_z, pitch
    estimate/p_air, p_stick, p_slip, contact, mode, force_x, force_z, slip
    truth/contact, mode, force_x, force_z; observer/contact
    leg/links, leg/foot      the leg over its floor, 50 times a second, in the colour of its contact

Times are those of the log, on the timeline log_time.
"""
import os
import tempfile

import numpy as np

from ..errors import TinycontactError
from ..model import write_whole
from .mcap import COLOURS, SCENES

TIMELINE = "log_time"
FLOOR = 1.0   # [m] half of its edge


def sdk():
    """The module rerun."""
    try:
        import rerun
        return rerun
    except ImportError as error:
        raise TinycontactError("--rerun needs the package rerun-sdk: pip install rerun-sdk, or write --mcap, which needs"
                               f" none ({error})") from None


def curves(r):
    """{path: [T] numbers} of a Recording; NaN where nothing is known."""
    q, tau = r.file_signs()
    found = {f"sensors/{name}/{k + 1}": values[:, k] for name, values in (("q", q), ("tau", tau)) for k in range(q.shape[1])}
    found |= {"sensors/gyro_y": r.gyro, "sensors/accel_x": r.accel[:, 0], "sensors/accel_z": r.accel[:, 1],
              "sensors/pitch": r.pitch}
    found |= {f"estimate/{name}": r.p[:, k] for k, name in enumerate(("p_air", "p_stick", "p_slip"))}
    found |= {"estimate/contact": r.modes > 0, "estimate/mode": r.modes, "estimate/force_x": r.force[:, 0],
              "estimate/force_z": r.force[:, 1], "estimate/slip": r.slip}
    if r.true is not None:
        found |= {"truth/contact": r.true > 0, "truth/mode": r.true}
    if r.true_force is not None:
        found |= {"truth/force_x": r.true_force[:, 0], "truth/force_z": r.true_force[:, 1]}
    if r.observer is not None:
        found["observer/contact"] = r.observer
    return {path: np.asarray(values, float) for path, values in found.items()}


def _send_leg(rr, out, r):
    """Links and foot at the times of an animation; z is up."""
    rows = np.unique(np.round(np.arange(0, len(r) * r.tick, SCENES) / r.tick).astype(int))
    rows = rows[rows < len(r)]
    points = np.insert(r.poses(rows), 1, 0.0, axis=2)
    colours = np.array([[round(255 * part) for part in COLOURS[int(r.modes[k])]] for k in rows], np.uint8)
    times = [rr.TimeColumn(TIMELINE, duration=r.time[rows])]
    out.send_columns("leg/links", times, rr.LineStrips3D.columns(strips=list(points), colors=colours,
                                                                 radii=np.full(len(rows), 0.006)))
    out.send_columns("leg/foot", times, rr.Points3D.columns(positions=points[:, -1], colors=colours,
                                                            radii=np.full(len(rows), r.chain.foot.radius)))
    square = FLOOR * np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [-1, -1, 0]])
    out.log("floor", rr.LineStrips3D([square]), static=True)


def write(path, recording):
    """Writes the Recording for Rerun, whole or not at all."""
    rr = sdk()
    out = rr.RecordingStream("tinycontact", recording_id=recording.title)
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "log.rrd")
        out.save(place)
        times = [rr.TimeColumn(TIMELINE, duration=recording.time)]
        for name, values in curves(recording).items():
            out.send_columns(name, times, rr.Scalars.columns(scalars=values))
        _send_leg(rr, out, recording)
        out.flush()
        out.disconnect()
        with open(place, "rb") as file:
            write_whole(path, file.read())
