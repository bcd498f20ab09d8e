# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact train: from a shape, or from logged throws, to a contact model."""
import argparse
import platform
import time
from pathlib import Path

import numpy as np

from .format import CORE_TILES
from .learn.fit import SIZES
from .options import count, positive
from .predict import load_shape
from .progress import announced, say
from .record import POSITIONS

TRUTHS = ("dart", "coulomb", "falling", "anisotropic")
JUDGED = 4000   # fresh states per patch dimension for the report
TEXT = """Without a log the body is simulated: states in contact, a third each fast, slow and on the way of throws, and
what DART (or another truth) makes of them. With a log, mu and the truth play no part: what the floor does
comes from the throws alone. Either way class and friction are learned from that data and nothing else.

S.json: {"vertices": [[x, y], ...], "mass": kg, "inertia": kg m^2, "mu": 0.75, "h": s, "g": m/s^2, "restitution": 0};
vertices [m] of a convex outline, counter-clockwise about the centre of mass. All else may be missing: then 1 kg, the
inertia of uniform density, and the numbers above with h = 0.002 and g = 9.81. Or a name: rectangle, pentagon, capsule.

L.csv: columns throw, t, x, y, theta [, vx, vy, omega], in any order: which throw a row belongs to, time [s], pose of the
centre of mass [m, rad], velocity if it was measured; floor y = 0.

examples:
  tinycontact train --shape foot.json --out foot.tcm
  tinycontact train --shape foot.json --log throws.csv --out foot.tcm --weights i8"""


def add(commands):
    p = commands.add_parser("train", help="learn a contact model from a shape or from logged throws",
                            description="Learn when a body's contact with a floor sticks, slips or leaves, and"
                            " with what friction.", epilog=TEXT, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--shape", "--body", metavar="S.json", required=True, dest="shape", help="the body")
    p.add_argument("--log", metavar="L.csv", help="logged throws to learn from, instead of simulating")
    p.add_argument("--out", "-o", metavar="M.tcm", required=True, help="the model file to write")
    p.add_argument("--size", choices=tuple(SIZES), default="16-16", help="hidden layers of each net (default 16-16)")
    p.add_argument("--weights", choices=("f32", "i8", "i8-act"), default="f32",
                   help="i8: int8 weights; i8-act: int8 activations too (default f32)")
    p.add_argument("--truth", choices=TRUTHS, default="dart",
                   help="what is simulated without a log: DART; exact Coulomb friction; a coefficient that falls with"
                   " speed, 0.4 + 0.5 exp(-|v| / 0.5 m/s); or one of 1.5 leftwards and 0.75 rightwards (default dart)")
    p.add_argument("--positions", choices=POSITIONS, default="dart",
                   help="position scheme to note in the file as the default of the step (default dart)")
    p.add_argument("--samples", type=positive, default=50000, metavar="N",
                   help="simulated states per patch dimension (default 50000)")
    p.add_argument("--updates", type=positive, metavar="N", help="of each net's weights (default 20000; 3000 with a log)")
    p.add_argument("--seed", type=count, default=1, metavar="N", help="of states, first weights and batches (default 1)")
    p.add_argument("--core", choices=tuple(CORE_TILES), default="cortex-m4",
                   help="whose kernels the weights are laid out for (default cortex-m4, also right for M7)")
    p.set_defaults(run=run_train)


def truth_of(name, body):
    """The truth of a word in TRUTHS; see learn.sample."""
    from .learn import sample
    from .sim import coulomb
    if name == "dart":
        return sample.Dart(body)
    return sample.Coulomb({"coulomb": coulomb.constant(body.mu), "falling": coulomb.falling(),
                           "anisotropic": coulomb.anisotropic()}[name])


class Teller:
    """One word a second about how far the fit is."""

    def __init__(self):
        self.last = time.monotonic()

    def __call__(self, dimension, share):
        now = time.monotonic()
        if now - self.last > 1.0:
            self.last = now
            say(f"fitting {('points', 'edges')[dimension]}: {100 * share:3.0f} %")


def _command(options):
    """The options that the result depends on, as they would be typed."""
    words = ["tinycontact train", f"--shape {Path(options.shape).name}"]
    if options.log:
        words.append(f"--log {Path(options.log).name}")
    else:
        words.append(f"--truth {options.truth} --samples {options.samples}")
    words += [f"--size {options.size}", f"--weights {options.weights}", f"--positions {options.positions}",
              f"--seed {options.seed}"]
    return " ".join(words + ([f"--updates {options.updates}"] if options.updates else []))


def _rounded(scores):
    """What the file remembers of the scores: four digits."""
    return {key: float(f"{value:.4g}") if isinstance(value, float) else value
            for key, value in scores.items() if key in ("states", "accuracy", "friction_rms", "friction_small", "ece")}


def _rows(report, judged_on):
    yield f"on {judged_on}:"
    yield "patch   states  accuracy %  static %  dynamic %  detach %  friction RMS %  small %   ECE %"
    for patch, s in report.items():
        shares = [s["accuracy"], *s["recall"].values(), s["friction_rms"], s["friction_small"], s["ece"]]
        cells = ["-" if share is None else f"{100 * share:.3f}" for share in shares]
        widths = (10, 8, 9, 8, 14, 7, 6)
        yield f"{patch:6} {s['states']:7}  " + "  ".join(f"{cell:>{w}}" for cell, w in zip(cells, widths))


def train_file(options):
    """(Model, {patch: scores}): what the options ask for, not yet written."""
    import jax
    from .learn import evaluate, law, sample, train
    from .learn.fit import Recipe
    body = load_shape(options.shape)
    recipe = Recipe(SIZES[options.size], options.updates or Recipe.updates, seed=options.seed)
    if options.log:
        from .learn import logs
        recipe = logs.recipe(SIZES[options.size], options.updates, options.seed)
        judged = sets = logs.labelled(options.log, body, recipe)
    else:
        truth = truth_of(options.truth, body)
        with announced(f"simulating {options.samples} states per patch dimension"):
            sets = train.simulated(body, truth, options.samples, options.seed)
            judged = {d: truth.label(body, *sample.fresh(body, d, JUDGED, options.seed, "validate")) for d in sets}
    metadata = {"shape": {"name": Path(options.shape).stem, "vertices": body.vertices.tolist(), "radius": body.radius},
                "command": _command(options), "seed": options.seed,
                "versions": {"jax": jax.__version__, "numpy": np.__version__, "python": platform.python_version()}}
    model = train.train(body, sets, recipe, options.positions, options.weights, metadata, Teller())
    report = {("point", "edge")[d]: evaluate.evaluate_states(law.NetLaw(model), judged[d], body.mass) for d in judged}
    model.metadata["numbers"] = {patch: _rounded(scores) for patch, scores in report.items()}
    return model, report


def run_train(options):
    from .learn.fit import frameworks
    frameworks()   # before anything takes time
    start = time.monotonic()
    model, report = train_file(options)
    model.save(options.out, options.core)
    print("\n".join(_rows(report, "the log's own states" if options.log else "fresh states")))
    size = Path(options.out).stat().st_size
    say(f"{options.out}: {size} bytes, trained in {time.monotonic() - start:.0f} s")
