# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact body train, in the plane: from a shape, or from logged throws, to a contact model."""
import platform
import time
from pathlib import Path

import numpy as np

from .format import CORE_TILES
from .learn.fit import SIZES
from .model import write_whole
from .options import count, positive
from .predict import load_shape
from .progress import Teller, announced, say_trained
from .record import POSITIONS
from .report.measure import CLASSES, legend
from .report.page import text_table

TRUTHS = ("dart", "coulomb", "falling", "anisotropic")
PATCHES = ("point", "edge")
JUDGED = 4000   # fresh states per patch dimension for the report
TEXT = """Without --log the command simulates the body: states in contact, a third each fast,
slow and drawn from throws. DART, or another --truth, labels them. With --log the throws alone
describe the floor: mu in S.json and --truth have no effect.

The command checks a log first: flights must fall with g, and pushes of the floor must meet
the body at y = 0. It refuses degrees, millimetres, a mirrored axis or a floor elsewhere, and names
the likely mistake. It holds back a fifth of the throws. From the others it identifies the centre
of mass, moment of inertia, gravity, floor, friction and restitution, each with a deviation; what
differs from S.json by more than three deviations takes its place. M_body.json beside M.tcm is the
body as identified. Throws held back are then predicted from their flight before the first contact,
by a model that has not seen them and by Coulomb friction fitted to the other throws. The report
ends in a verdict:
  better than fitted Coulomb in both           (final distance and face)
  level with fitted Coulomb: log more throws
  worse than fitted Coulomb: log more throws
  not judged: no throw held back begins in flight
The model in the file learns from all throws. Outside its training range the fitted Coulomb
friction answers.

S.json is one object; a built-in name (rectangle, pentagon, capsule) may replace it:
  vertices     [[x, y], ...] of a convex outline [m], counter-clockwise, the centre of mass at
               (0, 0); required
  mass         [kg]; default 1
  inertia      about the centre of mass [kg m^2]; default: that of uniform density
  mu           friction coefficient of the floor; default 0.75
  h            time step [s]; default 0.002
  g            gravity [m/s^2]; default 9.81
  restitution  0 to 1; default 0

L.csv has a header and these columns, in any order:
  throw            number of the throw that the row belongs to
  t                time [s]
  x, y, theta      pose of the centre of mass [m, m, rad]; the floor is y = 0
  vx, vy, omega    velocity [m/s, m/s, rad/s]; may be missing

examples:
  tinycontact body train --shape foot.json --out foot.tcm
  tinycontact body train --shape foot.json --log throws.csv --out foot.tcm --weights i8"""


def add(p):
    p.description = "Learn when a body's contact with a floor sticks, slips or opens."
    p.epilog = TEXT
    p.add_argument("--shape", "--body", metavar="S.json", required=True, dest="shape",
                   help="the body: a file or a built-in name")
    p.add_argument("--log", metavar="L.csv",
                   help="logged throws; without them the body is simulated")
    p.add_argument("--out", "-o", metavar="M.tcm", required=True, help="the model file to write")
    p.add_argument("--size", choices=tuple(SIZES), default="16-16", help="hidden layers of each net (default 16-16)")
    p.add_argument("--weights", choices=("f32", "i8", "i8-act"), default="f32",
                   help="f32: float32; i8: int8 weights; i8-act: int8 weights and activations"
                   " (default f32)")
    p.add_argument("--truth", choices=TRUTHS, default="dart",
                   help="the simulated floor. dart: DART; coulomb: exact Coulomb friction with mu;"
                   " falling: a coefficient"
                   " of 0.4 + 0.5 exp(-|v| / 0.5 m/s); anisotropic: 1.5 leftwards, 0.75 rightwards"
                   " (default dart)")
    p.add_argument("--positions", choices=POSITIONS,
                   help="position scheme that the file names as the step's default (default dart; with --log"
                   " the one that fits the log best)")
    p.add_argument("--samples", type=positive, default=50000, metavar="N",
                   help="simulated states per patch dimension (default 50000)")
    p.add_argument("--updates", type=positive, metavar="N",
                   help="training updates of each net (default 20000; 3000 with --log)")
    p.add_argument("--seed", type=count, default=1, metavar="N",
                   help="seed of states, initial weights and batches (default 1)")
    p.add_argument("--core", choices=tuple(CORE_TILES), default="cortex-m4",
                   help="core whose kernels the weights are arranged for (default cortex-m4, which"
                   " serves M7 too)")
    p.set_defaults(run=run_train)


def truth_of(name, body):
    """The truth of a word in TRUTHS; see learn.sample."""
    from .learn import sample
    from .sim import coulomb
    if name == "dart":
        return sample.Dart(body)
    return sample.Coulomb({"coulomb": coulomb.constant(body.mu), "falling": coulomb.falling(),
                           "anisotropic": coulomb.anisotropic()}[name])


def _tell(what="fitting"):
    """Says how far the fit of a patch dimension is."""
    tell = Teller(what)
    return lambda dimension, share: tell(share, ("points", "edges")[dimension])


def _command(options):
    """The options that the result depends on, as they would be typed."""
    words = ["tinycontact body train", f"--shape {Path(options.shape).name}"]
    if options.log:
        words.append(f"--log {Path(options.log).name}")
    else:
        words.append(f"--truth {options.truth} --samples {options.samples}")
    words += [f"--size {options.size}", f"--weights {options.weights}"]
    if options.positions or not options.log:
        words.append(f"--positions {options.positions or 'dart'}")
    words.append(f"--seed {options.seed}")
    return " ".join(words + ([f"--updates {options.updates}"] if options.updates else []))


def _rounded(scores):
    """What the file remembers of the scores: four digits."""
    return {key: float(f"{value:.4g}") if isinstance(value, float) else value
            for key, value in scores.items() if key in ("states", "accuracy", "friction_rms", "friction_small", "ece")}


def _rows(report):
    """The lines of a report {name: scores} on fresh states, with what its columns mean."""
    header = ("patch", "states", "accuracy %", *(f"{name} %" for name in CLASSES), "friction RMS %", "small %", "ECE %")
    rows = []
    for name, s in report.items():
        shares = [s["accuracy"], *s["recall"].values(), s["friction_rms"], s["friction_small"], s["ece"]]
        rows.append((name, s["states"], *("-" if share is None else f"{100 * share:.3f}" for share in shares)))
    return ["on fresh states:", text_table(header, rows), *legend(header)]


def _simulated(options, body, recipe, metadata):
    """(Model, lines of its report, no file beside it) of a simulator."""
    from .learn import evaluate, law, sample, train
    truth = truth_of(options.truth, body)
    with announced(f"simulating {options.samples} states per patch dimension"):
        sets = train.simulated(body, truth, options.samples, options.seed)
        judged = {d: truth.label(body, *sample.fresh(body, d, JUDGED, options.seed, "validate")) for d in sets}
    model = train.train(body, sets, recipe, options.positions or "dart", options.weights, metadata, _tell())
    nets = law.NetLaw(model)
    report = {PATCHES[d]: evaluate.evaluate_states(nets, judged[d], body.mass) for d in judged if d in nets.nets}
    model.metadata["numbers"] = {name: _rounded(scores) for name, scores in report.items()}
    return model, _rows(report), {}


def _identified_path(out):
    """Where the identified body goes, beside the model."""
    return Path(out).with_name(Path(out).stem + "_body.json")


def _logged(options, body, log, recipe, metadata):
    """(Model, lines of its report, {path: text} of the body as identified) of a log."""
    from .learn import fromlog, identify, logs
    done = fromlog.learned(options.log, body, log, recipe, metadata, options, _tell)
    _, held = logs.split(len(log.seen), options.seed)
    told = [*identify.lines(done.found), f"on {len(held)} of {len(log.seen)} throws, which neither the judged model nor"
            " the identification has seen (the model of the file has):", *fromlog.lines(done.report, done.verdict)]
    path = _identified_path(options.out)
    told.append(f"{path}: the body as identified; use it wherever the model is used")
    return done.model, told, {path: done.body.to_json()}


def train_file(options, body, log):
    """(Model, lines of its report, {path: text} of files beside it): what the options ask for, not yet written. `log` is a logs.Log or None."""
    import jax
    from .learn import logs
    from .learn.fit import Recipe
    hidden = SIZES[options.size]
    recipe = (logs.recipe(hidden, options.updates, options.seed) if log else
              Recipe(hidden, options.updates or Recipe.updates, seed=options.seed))
    metadata = {"shape": {"name": Path(options.shape).stem, "vertices": body.vertices.tolist(), "radius": body.radius},
                "command": _command(options), "seed": options.seed,
                "versions": {"jax": jax.__version__, "numpy": np.__version__, "python": platform.python_version()}}
    return (_logged if log else _simulated)(options, body, *((log,) if log else ()), recipe, metadata)


def _given(options):
    """(Body, logs.Log or None) of the files: what is wrong with them is said before anything else is asked for."""
    from .learn import logs
    body = load_shape(options.shape)
    return body, logs.read(options.log, body) if options.log else None


def run_train(options):
    from .learn.fit import frameworks
    from .sim import peers
    body, log = _given(options)
    frameworks()   # before anything takes time
    if log is None and options.truth == "dart":
        peers.dart()
    start = time.monotonic()
    model, told, beside = train_file(options, body, log)
    model.save(options.out, options.core)
    for path, text in beside.items():
        write_whole(path, text.encode("utf-8"))
    print("\n".join(told))
    say_trained(options.out, start)
