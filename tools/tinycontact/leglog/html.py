# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A Recording as one HTML page that needs nothing else: the leg moves over its floor above bars of contact, true and
estimated, with force and slip; drawn in the browser by data/recording.html."""
import html
import json
from pathlib import Path

import numpy as np

from ..hil import truth
from ..hil.report import liveliest
from ..model import write_whole

PAGE = Path(__file__).resolve().parent.parent / "data" / "recording.html"
CONTACT, OBSERVED = 3, 4             # colours of contact of which no more is known
MOST_FRAMES, FASTEST = 12000, 4e-3   # of the animation; [s] between two


def _runs(modes, tick):
    """[[begin [s], end [s], mode]] of what is no air."""
    modes = np.asarray(modes).astype(int)
    edges = np.concatenate([[0], np.flatnonzero(np.diff(modes)) + 1, [len(modes)]])
    return [[round(a * tick, 5), round(b * tick, 5), int(modes[a])]
            for a, b in zip(edges, edges[1:]) if modes[a] != truth.AIR]


def _numbers(values, places):
    return [None if not np.isfinite(value) else round(float(value), places) for value in values]


def content(recording):
    """What the page draws, for JSON."""
    r = recording
    stride = max(1, round(FASTEST / r.tick), -(-len(r) // MOST_FRAMES))
    rows = np.arange(0, len(r), stride)
    poses = r.poses(rows)
    low, high = min(0.0, float(poses[..., 1].min())) - 0.02, float(poses[..., 1].max()) + 0.04
    bars = [(r.first, r.modes)]
    bars += [("true", r.true if np.max(r.true) > 1 else CONTACT * r.true)] if r.true is not None else []
    bars += [("observer", OBSERVED * r.observer)] if r.observer is not None else []
    slip = np.where(r.modes > 0, r.slip, np.nan)
    seen = slip[np.isfinite(slip)]
    most = max(float(np.percentile(np.abs(r.force[:, 1]), 99.5)), 1e-3)
    first = liveliest(r.modes, min(len(r), int(1.0 / r.tick)))
    return {
        "step": stride * r.tick, "begin": round(first * r.tick, 4), "radius": r.chain.foot.radius,
        "frames": [_numbers(points.reshape(-1), 4) for points in poses],
        "box": [low, high, float(poses[..., 0].min()) - 0.1, float(poses[..., 0].max()) + 0.1],
        "rows": [{"name": name, "runs": _runs(modes, r.tick)} for name, modes in bars],
        "force": [_numbers(force, 2) for force in r.force[rows]], "most": most,
        "trueForce": None if r.true_force is None else _numbers(r.true_force[rows, 1], 2),
        "slip": _numbers(slip[rows], 4),
        "slipSpan": [-1, 1] if not len(seen) else [min(-0.05, float(np.percentile(seen, 1))),
                                                   max(0.05, float(np.percentile(seen, 99)))],
        "words": [[str(what), str(much)] for what, much in r.words], "findings": list(r.findings)}


def page(recording):
    """The text of the page."""
    data = json.dumps(content(recording), separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    head, tail = PAGE.read_text(encoding="utf-8").split("DATA")
    return head.replace("TITLE", html.escape(recording.title)) + data + tail


def write(path, recording):
    """Writes the page."""
    write_whole(path, page(recording).encode("utf-8"))
