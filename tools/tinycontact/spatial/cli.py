# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact body train and evaluate, in space: the box's contact model and DART's exact cone."""
import json
import platform
import time

from ..errors import TinycontactError
from ..options import count, positive
from ..progress import announced, progress, say_trained
from .shape import check_box

TRAIN = """The body in space is the box so far: 0.2 x 0.15 x 0.1 m, 1 kg, on a floor of mu 0.6,
steps of 2 ms. One pair of nets learns single contacts; the solver combines them corner by
corner on edges and faces.

S.json has vertices [[x, y, z], ...] of that box [m], the centre of mass at (0, 0, 0). The name
box may replace the file.

example:
  tinycontact body train --shape box --out box.tcm"""
EVALUATE = """The command draws fresh states and throws with seeds that no training uses. DART's
exact friction cone is the truth.

example:
  tinycontact body evaluate --model box.tcm --throws 100"""
PATCHES = ("point", "edge", "face")
SIZES = {"small": ((4,), (8, 8)), "16-16": ((16, 16),) * 2, "32-32-16": ((32, 32, 16),) * 2}   # classifier, regressor
MOVED = 1e-4   # [m] by which DART's own throws are started higher, to see what cannot be asked of anybody


def _shape(p, required):
    p.add_argument("--shape", "--body", metavar="S.json", required=required, dest="shape",
                   default="box",
                   help="the body: a file with three numbers per vertex, or box")


def add_train(p):
    p.description = "Learn a contact model of a body in space, from DART."
    p.epilog = TRAIN
    _shape(p, required=True)
    p.add_argument("--out", "-o", metavar="M.tcm", required=True, help="the model file to write")
    p.add_argument("--size", choices=tuple(SIZES), default="small",
                   help="hidden layers; small: 4 in the classifier, 8-8 in the regressor (default"
                   " small)")
    p.add_argument("--weights", choices=("f32", "i8", "i8-act"), default="f32",
                   help="f32: float32; i8: int8 weights; i8-act: int8 weights and activations"
                   " (default f32)")
    p.add_argument("--samples", type=positive, default=48000, metavar="N",
                   help="simulated states (default 48000)")
    p.add_argument("--updates", type=positive, default=60000, metavar="N",
                   help="training updates of each net (default 60000)")
    p.add_argument("--seed", type=count, default=1, metavar="N",
                   help="seed of states, initial weights and batches (default 1)")
    p.set_defaults(run=run_train)


def add_evaluate(p):
    p.description = "Judge a contact model of a body in space on fresh states and throws."
    p.epilog = EVALUATE
    p.add_argument("--model", "-m", metavar="M.tcm", required=True, help="a trained contact model")
    _shape(p, required=False)
    p.add_argument("--states", type=positive, default=2000, metavar="N",
                   help="fresh points, and as many fresh edges (default 2000)")
    p.add_argument("--faces", type=count, default=200, metavar="N",
                   help="fresh faces, 40 ms each (default 200)")
    p.add_argument("--throws", type=count, default=0, metavar="N",
                   help="random throws to compare with DART's (default 0)")
    p.add_argument("--rounds", type=positive, default=3, metavar="N",
                   help="evaluations of the nets per corner (default 3, as the library)")
    p.add_argument("--frozen", type=count, default=4, metavar="N",
                   help="sweeps with constant net outputs after each evaluation (default 4, as the"
                   " library)")
    p.add_argument("--seed", type=count, default=20261118, metavar="N",
                   help="seed of states and throws (default 20261118)")
    p.add_argument("--out", "-o", metavar="R.json", help="write the numbers there")
    p.set_defaults(run=run_evaluate)


def _share(value, digits=2):
    return "-" if value is None else f"{100 * value:.{digits}f} %"


def _told(name, s):
    recall = ", ".join(f"{kind} {_share(share, 1)}" for kind, share in s["recall"].items())
    more = f", torsion {_share(s['torsion_rms'])}" if "torsion_rms" in s else f", calibration error {_share(s['ece'])}"
    return (f"{name}: {s['states']} states, accuracy {_share(s['accuracy'])}, recall {recall}; friction RMS"
            f" {_share(s['friction_rms'])}, median {_share(s['friction_median'])}{more}; nets asked"
            f" {sum(s['asked_mean']):.1f} times, at most {sum(s['asked_most'])}")


def run_train(options):
    check_box(options.shape)
    import numpy
    from ..learn.fit import Recipe, frameworks
    from ..sim import peers
    jax, _, _ = frameworks()
    peers.dart()
    from . import judge, law, sample, train
    begun = time.monotonic()
    with announced(f"simulating {options.samples} states"):
        states = sample.training(options.samples, options.seed)
        checked = sample.labelled(0, *sample.fresh(0, 4000, options.seed, "validate"))
    classes, ratios = SIZES[options.size]
    recipe = Recipe(ratios, options.updates, seed=options.seed)
    metadata = {"shape": {"name": "box", "vertices": sample.truth.vertices().tolist()}, "seed": options.seed,
                "command": f"tinycontact body train --shape box --size {options.size} --weights"
                           f" {options.weights} --samples {options.samples} --updates"
                           f" {options.updates} --seed {options.seed}",
                "versions": {"jax": jax.__version__, "numpy": numpy.__version__, "python": platform.python_version()}}
    with announced("fitting"):
        model = train.train(states, recipe, classes, options.weights, metadata)
    found = judge.scores(checked, law.PointLaw(model))
    model.metadata["numbers"] = {"point": {key: float(f"{found[key]:.4g}") for key in
                                           ("states", "accuracy", "friction_rms", "friction_small")}}
    model.save(options.out)
    print(_told("point", found))
    say_trained(options.out, begun)


def evaluate(point_law, options):
    """{patch or "throws" or "dart moved": numbers}"""
    from . import judge, sample, throws
    from ..sim import spatial_truth as truth
    sweeps, report = {"rounds": options.rounds, "frozen": options.frozen}, {}
    for d, count in enumerate((options.states, options.states, options.faces)):
        if count > 0:
            with announced(f"labelling {count} {PATCHES[d]}s"):
                states = sample.labelled(d, *sample.fresh(d, count, options.seed))
            report[PATCHES[d]] = judge.scores(states, point_law, **sweeps)
    if options.throws > 0:
        starts = truth.starts(options.throws, sample.own_seed(options.seed, "throws"))
        numbers = range(options.throws)
        real = judge.ends([truth.throw(*(a[k] for a in starts)) for _, k in progress(numbers, "DART throws")])
        with announced(f"{options.throws} throws by the model"):
            report["throws"] = judge.compare(judge.ends(throws.Loop(point_law, **sweeps).run(*starts)), real)
        moved = (starts[0] + [0, 0, MOVED], *starts[1:])
        again = judge.ends([truth.throw(*(a[k] for a in moved)) for _, k in progress(numbers, "DART throws, moved")])
        report["dart moved"] = judge.compare(again, real)
    return report


def run_evaluate(options):
    check_box(options.shape)
    from ..model import load, write_whole
    from .law import PointLaw
    model = load(options.model)
    try:
        law = PointLaw(model)
    except TinycontactError as error:
        raise TinycontactError(f"{options.model}: {error}") from None
    report = evaluate(law, options)
    for name, numbers in report.items():
        if name in PATCHES:
            print(_told(name, numbers))
        else:
            print(f"{name}: same face {100 * numbers['same_face']:.0f} %, distance median"
                  f" {1e3 * numbers['distance_median']:.2f} mm, p90 {1e3 * numbers['distance_p90']:.1f}, p95"
                  f" {1e3 * numbers['distance_p95']:.1f}, most {1e3 * numbers['distance_most']:.0f}; within 10 cm"
                  f" {100 * numbers['near']:.0f} %; rest within .1 s {100 * numbers['rest_soon']:.0f} %, at all"
                  f" {100 * numbers['rest']:.0f} %")
    if options.out:
        write_whole(options.out, (json.dumps(report, indent=1) + "\n").encode())
