# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact body predict, and body evaluate --log: roll-outs of an identified body over a log of tosses."""
import json

import numpy as np

from ..errors import TinycontactError
from ..progress import announced
from .roll import STARTS

PREDICT = """L.csv has the columns throw, t, x, y, z, qw, qx, qy, qz [, vx, vy, vz, wx, wy, wz]:
poses of the tag frame. OUT.csv has, for each row of L.csv, throw, t, x, y, z, qw, qx, qy, qz in the
package's convention, by the library in float32 as on a board.

--from first   each toss is predicted from its first row alone
--from flight  from the flight's filter: up to the row before the first in which a vertex of the
               body is below 1.5 mm. The rows before are the filter's poses, predicted from none

example:
  tinycontact body predict --body body.json --log val.csv --from first -o predicted.csv"""
EVALUATE = """Per toss: the mean distance over its rows in % of the body's nominal width, the mean angle
between orientations, and whether the right face is down at the end. From the flight only rows after
the flight count, and the error 88 ms after it is shown as well. The noise floor is the distance
between two predictions whose starts differ by the noise of one.

scores.json has mean, spread and standard_error of position_percent, rotation_deg, after_mm,
after_deg and face_percent; noise_floor; and a row per toss.

example:
  tinycontact body evaluate --body body.json --log val.csv --from flight -o scores.json"""
COLUMNS = ("throw", "t", "x", "y", "z", "qw", "qx", "qy", "qz")
ROWS = (("position_percent", "position", "% of width"), ("rotation_deg", "rotation", "deg"),
        ("after_mm", "88 ms on", "mm"), ("after_deg", "88 ms on", "deg"), ("face_percent", "right face", "%"))


def _inputs(p):
    p.add_argument("--body", metavar="B.json", required=True, help="the body, as `tinycontact body identify` wrote it")
    p.add_argument("--model", metavar="M.tcm", help="the residual that `tinycontact body train` learned for this body")
    p.add_argument("--log", metavar="L.csv", required=True, help="tosses to predict")
    p.add_argument("--from", dest="start", choices=STARTS, required=True,
                   help="first: each toss from its first row; flight: from the filter over its flight")
    p.add_argument("--throw", type=float, metavar="N",
                   help="the toss to draw (default: the one of median error)")
    p.add_argument("--plot", metavar="P.png", help="draw a predicted toss against the recorded one")
    p.add_argument("--animate", metavar="A.gif", help="the same as a short animation")
    from .cli import add_convention
    add_convention(p)


def add_predict(p):
    p.description = "Predict the tosses of a log by an identified body."
    p.epilog = PREDICT
    _inputs(p)
    p.add_argument("--output", "-o", metavar="OUT.csv", required=True, help="the predicted poses")
    p.set_defaults(run=run_predict)


def add_evaluate(p):
    p.description = "Judge an identified body on a log of tosses that it was not identified from."
    p.epilog = EVALUATE
    _inputs(p)
    p.add_argument("--output", "-o", metavar="S.json", help="write the scores there")
    p.set_defaults(run=run_evaluate)


def _read(options):
    from ..report.plots import ready
    from . import residual
    from .cli import read_log
    if options.plot or options.animate:
        ready()
    body, log = residual.read(options.body, options.model), read_log(options)
    if options.throw is not None and options.throw not in [toss.label for toss in log.tosses]:
        raise TinycontactError(f"--throw: {options.log} has no throw {options.throw:g}")
    return body, log


def _pictures(options, body, log, paths):
    """Draws what was asked for."""
    if not options.plot and not options.animate:
        return
    from ..model import write_whole
    from . import picture, score
    chosen = options.throw
    if chosen is None:
        rows = score.judge(log, body, paths, options.start)["throws"]
        chosen = sorted(rows, key=lambda row: row["position_percent"])[len(rows) // 2]["throw"]
    at = [toss.label for toss in log.tosses].index(chosen)
    for path, draw in ((options.plot, picture.drawn), (options.animate, picture.animated)):
        if path:
            with announced("drawing"):
                write_whole(path, draw(log.tosses[at], paths[at], body))


def run_predict(options):
    from ..csvfile import write_columns
    from . import roll
    body, log = _read(options)
    with announced(f"predicting {len(log)} tosses"):
        states = roll.starts(log, body, options.start)
        paths = roll.roll_out(log, body, states)
    table = []
    for toss, state, path in zip(log.tosses, states, paths):
        x, q = roll.whole(toss, state, path, body)
        table.append(np.column_stack([np.full(len(toss), toss.label), toss.t, x, q]))
    table = np.concatenate(table)
    texts = [[f"{value:g}" for value in table[:, 0]], *([f"{value:.{digits}f}" for value in column]
                                                       for column, digits in zip(table.T[1:], (6, *[7] * 7)))]
    write_columns(options.output, COLUMNS, texts)
    _pictures(options, body, log, paths)


def lines(result):
    """What `body evaluate` prints."""
    out = [f"{result['tosses']} tosses from the {'first row' if result['start'] == 'first' else 'flight'}, width"
           f" {1e3 * result['width_m']:.1f} mm; mean +- standard error [noise floor]"]
    for name, title, unit in ROWS:
        mean, error, floor = (result[part].get(name) for part in ("mean", "standard_error", "noise_floor"))
        if mean is not None:
            spread = "" if error is None else f" +- {error:.1f}"
            out.append(f"  {title:10} {mean:6.1f}{spread} {unit}" + (f"  [{floor:.1f}]" if floor is not None else ""))
    return "\n".join(out)


def run_evaluate(options):
    from ..model import write_whole
    from . import roll, score
    body, log = _read(options)
    with announced(f"predicting {len(log)} tosses"):
        states = roll.starts(log, body, options.start)
        paths = roll.roll_out(log, body, states)
        result = score.judge(log, body, paths, options.start)
        result["noise_floor"] = score.noise_floor(log, body, states, options.start)
    print(lines(result))
    if options.output:
        write_whole(options.output, (json.dumps(result, indent=1) + "\n").encode())
    _pictures(options, body, log, paths)
