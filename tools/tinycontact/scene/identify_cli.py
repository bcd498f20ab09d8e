# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact scene identify: sizes, masses, forces and materials of a scene from what was seen of its motion."""
import argparse
import math
import os
import time

from ..answers import solve_list
from ..errors import TinycontactError
from ..jsonfile import read_json, write_json
from ..model import write_whole
from ..options import positive
from ..progress import announced, say
from ..report.plots import ready
from .native import STEP
from .simulate_cli import above_zero

IDENTIFY = """SCENE.json is a scene of shapes (docs/reference/scene-file.md). Its values are the start.

OBS.csv has the columns t [s], body (the body's name; may be absent if one body moves) and any of
  x, y, z          position of the centre of mass [m]
  qw, qx, qy, qz   orientation, all four or none
  wx, wy, wz       angular velocity [rad/s]
  vx, vy, vz       velocity [m/s]
in world axes. Cells may be empty.

PATH is a body's name or a field of the scene, then fields and indices: ball.shape.r,
box.shape.h[0], box.mass, box.force[1], ball.velocity, box.quat_wxyz, friction,
materials[0].restitution. A path to a list identifies each entry. Inertia follows shape and mass
unless the scene gives it. Sizes and masses stay above 0, restitution within 0 to 1, friction within
0 to 10; --bounds narrows a path.

Differences are divided by their quantity's scale: positions by how far the bodies go, rates and
velocities by their root mean square, orientations by 1 rad. If several quantities are seen, a
second fit divides each by what the first one left.

OUT.json has
  parameters         per path value, deviation (standard), interval (95 %)
  loss               half the mean square of the scaled differences
  iterations, starts of the best start; starts that were tried
  impossible_starts  starts at which the scene cannot be, such as bodies inside each other
  residual           per quantity the root mean square that is left, in SI
  other_minima       where other starts ended: parameters and loss
deviation and interval are null where the observations do not determine the parameter.

With a list instead of a scene, [{name, scene, observations, parameters}, ...], OUT.json is a list
with name and status beside these. scene is an object or a file, observations a list of rows
{t, body, x, ...} or a CSV's path, from the list's folder. starts and bounds may be given, too.
status is one of
  ok            determined
  undetermined  a deviation is null
  impossible    no start can be simulated
  bad_input     the entry is faulty; message names the field

examples:
  tinycontact scene identify ball.json --observations seen.csv --parameters ball.shape.r -o out.json
  tinycontact scene identify many.json -o answers.json"""
STATUSES = ("ok", "undetermined", "impossible", "bad_input")
FIELDS = ("name", "scene", "observations", "parameters", "starts", "bounds")


def _bound(word):
    path, _, limits = word.rpartition("=")
    try:
        low, high = (float(part) for part in limits.split(":"))
    except ValueError:
        path = ""
    if not path or not low < high or math.isnan(low + high):
        raise argparse.ArgumentTypeError(f"{word!r} is not PATH=LOW:HIGH")
    return path, (low, high)


def add_identify(p):
    p.description = "Identify sizes, masses, forces, materials and starts of a scene from its motion."
    p.epilog = IDENTIFY
    p.add_argument("file", metavar="SCENE.json", help="a scene, or a list of problems")
    p.add_argument("--observations", metavar="OBS.csv")
    p.add_argument("--parameters", metavar="PATH", nargs="+", help="what is unknown")
    p.add_argument("-o", "--output", metavar="OUT.json", required=True)
    p.add_argument("--starts", metavar="N", type=positive, help="most starts to try; default 8")
    p.add_argument("--bounds", metavar="PATH=LOW:HIGH", type=_bound, action="append", default=[],
                   help="limits of a parameter; may be given several times")
    p.add_argument("--save-scene", metavar="FILE.json", help="write the scene with the values found")
    p.add_argument("--plot", metavar="P.png", help="draw what was seen beside the answer")
    p.add_argument("--step", metavar="H", type=above_zero(0.1, "time"), default=STEP,
                   help=f"largest inner step [s]; default {STEP:g}")
    p.set_defaults(run=run_identify)


class Teller:
    """A line now and then about a fit on its way."""

    def __init__(self):
        self.last = time.monotonic()

    def __call__(self, start, iteration, loss):
        if time.monotonic() - self.last > 1.0:
            self.last = time.monotonic()
            say(f"identifying: start {start + 1}, iteration {iteration}, loss {loss:.3g}")


def _single(scene):
    """The index of the only body that moves, or None."""
    moving = [k for k, body in enumerate(scene.bodies) if body.moving]
    return moving[0] if len(moving) == 1 else None


def _answer(scene, place, observed, paths, starts, bounds, step, tell=None):
    """identify.Answer of a scene's dict. place: what errors call it, and the folder of its files. observed: a CSV's
    path, or rows."""
    from .identify import STARTS, identify
    from .native import Rollout
    from .scenefile import Scene
    rollout = Rollout(Scene(scene, *place), step=step)
    seen = _seen(rollout.scene, observed)
    return identify(rollout, seen, paths, starts=starts or STARTS, bounds=bounds, tell=tell), seen


def _seen(scene, observed):
    """The Observations of a CSV's path, or of rows."""
    from . import observations
    if isinstance(observed, str):
        return observations.read(observed, scene.names, _single(scene))
    return observations.from_rows(observed, scene.names, "field observations", _single(scene))


def _line(path, one):
    if not isinstance(one.value, float):
        return f"{path}: {one.value} +- {one.deviation}"
    off = "not determined" if one.deviation is None else f"+- {one.deviation:.2g}"
    return f"{path}: {one.value:.9g} {off}" + (", at its bound" if one.at_bound else "")


def _undetermined(answer):
    """Paths of which some deviation is not known."""
    return [path for path, one in answer.parameters.items()
            if one.deviation is None or isinstance(one.deviation, list) and str(one.deviation).count("None")]


def run_identify(options):
    value = read_json(options.file, constants=True)
    if isinstance(value, list):
        return _run_list(options, value)
    for name in ("observations", "parameters"):
        if not getattr(options, name):
            raise TinycontactError(f"--{name}: is needed with a scene; {options.file} holds no list of problems")
    return _run_one(options, value)


def _run_one(options, scene):
    from .fit import Impossible
    if options.plot:
        ready()
    try:
        with announced("identifying"):
            answer, seen = _answer(scene, (options.file, os.path.dirname(options.file)), options.observations,
                                   options.parameters, options.starts, dict(options.bounds), options.step, Teller())
    except Impossible as error:
        raise TinycontactError(f"{options.file}: {error}") from None
    picture = None
    if options.plot:
        from ..report.page import png_bytes
        from .identify_plot import draw
        picture = png_bytes(draw(answer, seen, [body["name"] for body in answer.scene["bodies"]]))
    write_json(options.output, answer.as_json())
    if options.save_scene:
        write_json(options.save_scene, answer.scene)
    if picture:
        write_whole(options.plot, picture)
    _tell(options, answer)


def _tell(options, answer):
    for path, one in answer.parameters.items():
        print(_line(path, one))
    for values, loss in answer.minima[:3]:
        say(f"another minimum, loss {loss:.3g}: {values}")
    left = ", ".join(f"{name} {size:.3g}" for name, size in answer.residual.items())
    print(f"{options.output}: loss {answer.loss:.3g} after {answer.iterations} iterations,"
          f" {answer.starts} start{'s' if answer.starts > 1 else ''}; left: {left}")


# ---- A list of problems

def _run_list(options, entries):
    for name in ("observations", "parameters", "save_scene", "plot"):
        if getattr(options, name):
            word = name.replace("_", "-")
            raise TinycontactError(f"--{word}: {options.file} is a list, whose entries have their own")
    folder = os.path.dirname(options.file)
    solve_list(options, entries, lambda entry: _entry(entry, folder, options), STATUSES)


def _entry(entry, folder, options):
    """The answer to one entry, its name first."""
    from .fit import Impossible
    name = entry.get("name") if isinstance(entry, dict) else None
    try:
        answer = _solved(entry, folder, options)
    except Impossible as error:
        return {"name": name, "status": "impossible", "message": str(error), "parameters": {}}
    except TinycontactError as error:
        return {"name": name, "status": "bad_input", "message": str(error), "parameters": {}}
    status = "undetermined" if _undetermined(answer) else "ok"
    return {"name": name, "status": status, **answer.as_json()}


def _solved(entry, folder, options):
    scene, place, observed, paths = _fields(entry, folder)
    starts, bounds = _starts(entry, options.starts), dict(options.bounds) | _bounds(entry)
    return _answer(scene, place, observed, paths, starts, bounds, options.step)[0]


def _fields(entry, folder):
    """(scene, what errors call it and the folder of its files, observations, paths) of an entry."""
    if not isinstance(entry, dict):
        raise TinycontactError("entry: is no object {name, scene, observations, parameters}")
    for field in entry:
        if field not in FIELDS:
            raise TinycontactError(f"unknown field {str(field)[:40]!r}; it may have {', '.join(FIELDS)}")
    for field in ("scene", "observations", "parameters"):
        if field not in entry:
            raise TinycontactError(f"no field {field}")
    scene, place, observed, paths = entry["scene"], ("scene", folder), entry["observations"], entry["parameters"]
    if isinstance(observed, str):
        observed = os.path.join(folder, observed)
    if isinstance(scene, str):
        where = os.path.join(folder, scene)
        scene, place = read_json(where), (where, os.path.dirname(where))
    if not isinstance(scene, dict):
        raise TinycontactError("field scene: is neither an object nor a file's name")
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        raise TinycontactError("field parameters: wanted a list of paths, such as [\"ball.shape.r\"]")
    return scene, place, observed, paths


def read_problem(entry, folder):
    """Reads an entry with its scene and observations, for what is wrong with them."""
    from .scenefile import Scene
    scene, place, observed, _ = _fields(entry, folder)
    _starts(entry)
    _bounds(entry)
    _seen(Scene(scene, *place), observed)


def _starts(entry, default=None):
    starts = entry.get("starts", default)
    if starts is not None and (isinstance(starts, bool) or not isinstance(starts, int) or starts < 1):
        raise TinycontactError("field starts: wanted a whole number above 0")
    return starts


def _bounds(entry):
    bounds = entry.get("bounds", {})
    good = isinstance(bounds, dict) and all(
        isinstance(pair, list) and len(pair) == 2 and all(type(x) in (int, float) for x in pair)
        and pair[0] < pair[1] for pair in bounds.values())
    if not good:
        raise TinycontactError("field bounds: wanted {path: [low, high]}")
    return {path: tuple(pair) for path, pair in bounds.items()}
