# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A board in the loop with a finger (finger.py): each touch goes to the board, and each answer is held against the truth.
The same seed makes the same log, byte for byte.
"""
from dataclasses import asdict, dataclass, field

import numpy as np

from ..jsonfile import write_json
from ..model import write_whole
from ..progress import say
from ..report.plots import ready
from .finger import NORMAL, POINT, TILT, Finger, FingerSession, Object, feel_of, message_of, reach_of, read_touches
from .link import TIMEOUT
from .run import board_words, logged, made, open_link

CENTRE = ("cx", "cy", "cz")
COLUMNS = ("number", "stroke", *POINT, *NORMAL, "outcome", "status", "found", *CENTRE, "radius",
           *(f"{name}_sd" for name in (*CENTRE, "radius")), "radius_low", "radius_high", "noise")
BOARDS = (*CENTRE, "radius", "radius_low", "radius_high", "noise", *(f"{name}_sd" for name in (*CENTRE, "radius")))


@dataclass
class Options:
    thing: Object = field(default_factory=Object)
    touches: int = 100
    csv: str = ""               # touches of a file in place of the simulated ones; there is no truth then
    noise: float = 0.0          # of a touch, as the board is told; 0: the board estimates it
    normal_noise: float = TILT  # of a normal, as the board is told
    seed: int = 0
    board: str = "mps2-an386"
    port: str = ""
    baud: int = 115200
    profile: str = "exact"
    app: str = "finger"
    timeout: float = TIMEOUT


@dataclass
class Outcome:
    """`rows`: {column: [n]} of COLUMNS."""
    rows: dict
    complete: bool
    summary: dict = field(default_factory=dict)


def row_of(touch, felt):
    """A row of COLUMNS; `felt` is the wire.Felt."""
    normal = touch.normal if touch.normal is not None else np.full(3, np.nan)
    row = {"number": touch.number, "stroke": int(touch.stroke), **dict(zip(POINT, touch.point)), **dict(zip(NORMAL, normal)),
           "outcome": felt.outcome, "status": felt.status, "found": felt.found, **dict(zip(CENTRE, felt.centre)),
           "radius": felt.radius}
    row |= {f"{name}_sd": felt.sd[k] for k, name in enumerate((*CENTRE, "radius"))}
    return row | {"radius_low": felt.low, "radius_high": felt.high, "noise": felt.noise}


def run(options, folder, tell=lambda row: None, note=lambda text: None):
    """Runs it into a folder; `tell` gets each row as it comes, `note` words about what else happens. The Outcome; if the
    board failed half-way, the files of what there was are written before the error comes."""
    ready()   # of the picture: before the run, not after it
    touches = read_touches(options.csv) if options.csv else list(Finger(options.thing, options.touches, options.seed))
    reach = reach_of(touches) if options.csv else 2.0 * (options.thing.radius + options.thing.tip)
    folder, rows, stats = made(folder), [], None
    with open_link(options) as link:
        feel = feel_of(reach, options.noise, options.normal_noise, options.thing.tip)
        session = FingerSession(link, feel, 1 + options.seed % 0xFFFFFFFF)
        with logged(session, folder / "log.bin", lambda boot: header_of(options, boot)) as log:
            try:
                for log.tick, touch in enumerate(touches, 1):
                    rows.append(row_of(touch, session.touch(message_of(touch))))
                    tell(rows[-1])
                log.finish()
                link.tap = None
                stats = session.stats()
            except KeyboardInterrupt:
                say(f"interrupted at touch {log.tick}: {folder} gets the files of what there was")
                raise
            finally:
                if rows:
                    outcome = _write(folder, options, rows, len(rows) == len(touches), session, stats)
    return outcome


def header_of(options, boot):
    return {**board_words(options, boot), "app": options.app, "plant": "finger", "touches": options.touches,
            "truth": None if options.csv else asdict(options.thing), "csv": options.csv, "seed": options.seed}


def _write(folder, options, rows, complete, session, stats):
    """touches.csv, summary.json and report.png of what there is."""
    from . import finger_report
    columns = {name: np.array([row[name] for row in rows]) for name in COLUMNS}
    outcome = Outcome(columns, complete)
    write_whole(folder / "touches.csv", csv_of(rows).encode("ascii"))
    outcome.summary = {"complete": complete, "board": options.port or options.board, "seed": options.seed,
                       **judged(columns, None if options.csv else options.thing), "repeats": session.repeats,
                       "resets": session.resets, "bad_frames": session.link.bad}
    if stats is not None:
        outcome.summary |= {name: stats.values()[name] for name in ("worst", "stack", "naks")}
    write_json(folder / "summary.json", outcome.summary)
    finger_report.write(folder / "report.png", options, outcome)
    return outcome


def judged(rows, truth):
    """{name: number} of what was felt, at the end and on the way."""
    found = rows["found"] >= 0
    summary = {"touches": len(found), "repeated": int((rows["outcome"] == 2).sum()),
               "refused": int((rows["status"] < 0).sum()), "found": bool(found[-1])}
    if found[-1]:
        summary |= {name: float(rows[name][-1]) for name in BOARDS if np.isfinite(rows[name][-1])}
        summary["found_after"] = int(rows["number"][np.flatnonzero(~found)[-1] + 1]) if not found.all() else 1
    if truth is not None:
        summary |= {"true_radius": truth.radius, "true_centre": list(truth.centre)}
        if found[-1]:
            centre = np.array([rows[name][-1] for name in CENTRE])
            held = (rows["radius_low"] <= truth.radius) & (truth.radius <= rows["radius_high"])
            summary |= {"radius_error": float(abs(rows["radius"][-1] - truth.radius)),
                        "centre_error": float(np.linalg.norm(centre - truth.centre)),
                        "holds": bool(held[-1]), "held": float(held[found].mean())}
    return summary


def csv_of(rows):
    """touches.csv: the board's numbers as the shortest decimals that give the float32 back; a normal that was not felt is
    empty."""
    def word(name, value):
        if name in NORMAL and np.isnan(value):
            return ""
        return str(np.float32(value)) if name in BOARDS else str(float(value)) if name in (*POINT, *NORMAL) else str(value)
    return "\n".join([",".join(COLUMNS), *(",".join(word(name, row[name]) for name in COLUMNS) for row in rows)]) + "\n"
