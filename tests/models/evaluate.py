# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Measures what the learned planar models are worth and writes it to evaluation.csv, section by section.

    build/venv/bin/python tests/models/evaluate.py                  everything (an hour or two)
    build/venv/bin/python tests/models/evaluate.py --only steps,fig

    steps    class and friction, state by state, of fresh states half broad, half slow (learn.sample.fresh)
    throws   closed loop of random throws: h = 2 ms and 1 ms, scheme DART, both solvers of DART
    schemes  the same at h = 2 ms for TOC and GAP, beside small steps
    fig      the ten throws of the paper's Fig. 5 and 6
    floors   floors that are not Coulomb's: friction falling with speed; 1.5 leftwards and 0.75 rightwards
    small    models of 500 states
    pdd      the paper's purely data-driven baseline
    log      models learned from logged throws

States and throws are drawn with SEED, which nothing else uses: no training, no test, no choice. Throws of
models are the library's own step (float32, tools/native), those of exact Coulomb friction, the ceiling,
float64. Models that are not in this folder are trained when first needed, as their row in TRAINED says, and
kept in --work: a name that is there already is not trained again. What h = 1 ms is judged with was trained
for h = 1 ms, since a model of another step is refused.

Columns: count is of states or throws; recall, accuracy, friction and ece are those of report.measure;
bounces, angle, rest, rest_time and within_10cm percent of throws, median, p95 and max of the error of the
distance [m], all of sim.throws.compare. A row is replaced when what it stands for is measured again; `floor`
is the number to beat where there is one.
"""
import argparse
import csv
import io
import sys
from functools import lru_cache
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from tinycontact import cli, load                              # noqa: E402
from tinycontact.contact import ContactModel                   # noqa: E402
from tinycontact.learn import evaluate, law, sample            # noqa: E402
from tinycontact.model import write_whole                      # noqa: E402
from tinycontact.progress import say                           # noqa: E402
from tinycontact.report import figures, pdd, truth             # noqa: E402
from tinycontact.sim import dart, logs, shapes, throws   # noqa: E402

SEED = 618_033_988
LOG_SEEDS = (271, 828)      # of the logged throws and of their noise
LOG_THROWS, LOG_RATE = 50, 500
STATES, THROWS = 20_000, 1000
SHAPES = ("rectangle", "pentagon")
COLUMNS = ("what", "shape", "model", "truth", "h", "scheme", "count", "metric", "value", "floor", "met")
KEY = ("what", "shape", "model", "truth", "h", "scheme", "metric")
LAWS = ("falling", "anisotropic")   # exact friction, but not Coulomb's

# what is not committed: name without its shape -> options of `tinycontact body train`
TRAINED = {
    "1ms": [], "falling": ["--truth", "falling"], "anisotropic": ["--truth", "anisotropic"],
    "falling_large": ["--truth", "falling", "--size", "32-32-16"],
    "anisotropic_large": ["--truth", "anisotropic", "--size", "32-32-16"],
    "500_1": ["--samples", "500"], "500_2": ["--samples", "500", "--seed", "2"],
    "500_3": ["--samples", "500", "--seed", "3"],
    "log_1": ["--log", LOG_SEEDS[0]], "log_2": ["--log", LOG_SEEDS[1]],
    "log_velocities": ["--log", LOG_SEEDS[0]],
}
work = ROOT / "build" / "evaluation"


# ---- The file

def table():
    path = HERE / "evaluation.csv"
    if not path.exists():
        return []
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def save(rows):
    """Merges rows into evaluation.csv; sections in their order, within one as they came."""
    merged = {tuple(row[name] for name in KEY): row for row in [*table(), *rows]}
    order = list(SECTIONS)
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(sorted(merged.values(), key=lambda row: order.index(row["what"].split()[0])))
    write_whole(HERE / "evaluation.csv", text.getvalue().encode())
    for row in rows:
        print(",".join(str(row[name]) for name in COLUMNS), flush=True)


def row(about, count, metric, value, least=None, most=None):
    """One row; about: (what, shape, model, truth, h, scheme)."""
    floor, met = "", ""
    if least is not None:
        floor, met = f">= {least:.6g}", "yes" if value >= least else "no"
    elif most is not None:
        floor, met = f"<= {most:.6g}", "yes" if value <= most else "no"
    return dict(zip(COLUMNS, (*map(str, about), str(count), metric, f"{value:.6g}", floor, met)))


# ---- Models and truths

def body_of(shape, h=0.002):
    return shapes.builtin(shape).with_step(h)


def log_file(shape, seed, velocities):
    """A log of throws of DART, poses or poses and velocities with noise, written when first asked for."""
    path = work / f"{shape}_{seed}{'_velocities' if velocities else ''}.csv"
    if not path.exists():
        body = body_of(shape)
        logs.write(path, body, logs.paths(body, LOG_THROWS, seed), LOG_RATE, velocities=velocities, seed=seed)
    return path


def model_file(shape, kind):
    """The file of a model: committed ("", "i8", "large"), or trained when first asked for."""
    if kind not in TRAINED:
        return HERE / f"{shape}{'_' if kind else ''}{kind}.tcm"
    work.mkdir(parents=True, exist_ok=True)
    path, words = work / f"{shape}_{kind}.tcm", list(TRAINED[kind])
    if path.exists():
        return path
    given = shape
    if kind == "1ms":
        given = str(work / f"{shape}_1ms.json")
        Path(given).write_text(body_of(shape, 0.001).to_json(), encoding="utf-8")
    if "--log" in words:
        words[1] = str(log_file(shape, words[1], kind == "log_velocities"))
    if cli.main(["body", "train", "--shape", given, *words, "--out", str(path)]):
        raise SystemExit(f"{path}: was not trained")
    return path


class DefaultDart(truth.Dart):
    """DART with the solver that a world comes with."""

    name = "DART, default solver"

    def results(self, rows):
        return dart.throw(self.body, *throws.starts(rows), solver="default")


TRUTHS = {"DART": truth.Dart, "DART default": DefaultDart, "exact": truth.Coulomb, "fine": truth.Fine,
          "falling": truth.falling, "anisotropic": truth.anisotropic}


@lru_cache(maxsize=None)
def right(name, shape, h, scheme, count):
    """throws.Results of a truth."""
    say(f"{count} throws of the {shape}, {name}, scheme {scheme}, h = {h:g} s")
    return TRUTHS[name](body_of(shape, h), scheme).results(throws.random_rows(count, SEED))


@lru_cache(maxsize=None)
def fresh(name, shape, dimension, count):
    return TRUTHS[name](body_of(shape), "dart").fresh(dimension, count, SEED)


def played(shape, kind, h, scheme, count):
    """throws.Results of a model by the library's step."""
    player = ContactModel(model_file(shape, kind), body_of(shape, h)).player(scheme)
    return player.results(throws.random_rows(count, SEED))


# ---- What is measured

def step_rows(what, shape, kind, by, floors):
    """Per patch the numbers of report.measure; floors: {metric: (least, most)} per patch."""
    learned, found = law.NetLaw(load(model_file(shape, kind))), []
    for dimension, patch in enumerate(("point", "edge")):
        states = fresh(by, shape, dimension, STATES)
        scores = evaluate.evaluate_states(learned, states)
        values = {"accuracy": scores["accuracy"], **{f"recall {k}": v for k, v in scores["recall"].items()},
                  **{name: scores[name] for name in ("friction_rms", "friction_small", "ece")}}
        for metric, value in values.items():
            least, most = floors[dimension].get(metric.split()[0], (None, None))
            about = f"{what} {patch}", shape, kind or "16-16", by, 0.002, "-"
            found.append(row(about, len(states), metric, value, least, most))
    return found


METRICS = ("bounces", "angle", "rest", "rest_time", "within_10cm", "median", "p95", "max")


def loop_rows(about, results, truth_results, floors):
    """Rows of a comparison of throws; floors: {metric: (least, most)}."""
    scores = throws.compare(results, truth_results)
    return [row(about, scores["throws"], metric, scores[metric], *floors.get(metric, (None, None)))
            for metric in METRICS]


def beside_ceiling(what, shape, kinds, by, h, scheme, count, floors=None):
    """Rows of models and of exact friction in their place, against a truth. floors(ceiling) from the latter's
    scores; None: none."""
    target = right(by, shape, h, scheme, count)
    exact = by if by in LAWS else "exact"
    ceiling = right(exact, shape, h, scheme, count)
    found = []
    if exact != by:
        found += loop_rows((what, shape, "exact Coulomb", by, h, scheme), ceiling, target, {})
    limits = floors(throws.compare(ceiling, target)) if floors else {}
    for kind in kinds:
        found += loop_rows((what, shape, kind or "16-16", by, h, scheme),
                           played(shape, kind, h, scheme, count), target, limits)
    return found


def near_ceiling(exact):
    """Within a point of exact Coulomb, all rest, most within 0.1 m."""
    return {"bounces": (exact["bounces"] - 1, None), "angle": (exact["angle"] - 1, None), "rest": (100, None),
            "within_10cm": (99, None), "median": (None, 1e-3)}


# ---- Sections: each yields lists of rows, which are saved as they come

KINDS = ("", "i8", "large")
STEP_FLOORS = {   # per patch; the committed int8 models are 16-16 too
    "small": [{"accuracy": (0.995, None), "friction_rms": (None, rms), "friction_small": (None, 0.01)}
              for rms in (0.008, 0.014)],
    "large": [{"accuracy": (0.997, None), "recall": (0.985, None), "friction_rms": (None, rms),
               "friction_small": (None, 0.01)} for rms in (0.003, 0.007)]}


def section_steps():
    for shape in SHAPES:
        for kind in KINDS:
            floors = STEP_FLOORS["large" if kind == "large" else "small"]
            yield step_rows("steps", shape, kind, "DART", floors)


def section_throws():
    for shape in SHAPES:
        yield beside_ceiling("throws", shape, KINDS, "DART", 0.002, "dart", THROWS, near_ceiling)
        yield beside_ceiling("throws", shape, KINDS, "exact", 0.002, "dart", THROWS)
    for shape in SHAPES:
        yield beside_ceiling("throws", shape, ("1ms",), "DART", 0.001, "dart", THROWS // 3 + 1, near_ceiling)
    for shape in SHAPES:
        yield beside_ceiling("throws", shape, ("",), "DART default", 0.002, "dart", THROWS // 3 + 1)


def section_schemes():
    for shape in SHAPES:
        for scheme in ("toc", "gap"):
            yield beside_ceiling("throws", shape, ("",), "fine", 0.002, scheme, THROWS // 5)


def section_fig():
    for shape, ten in (("rectangle", throws.FIG5), ("pentagon", throws.FIG6)):
        body = body_of(shape)
        target, exact = (TRUTHS[name](body, "dart").results(ten) for name in ("DART", "exact"))
        for kind in KINDS:
            ours = ContactModel(model_file(shape, kind), body).player("dart").results(ten)
            yield ten_rows(shape, kind or "16-16", ours, exact, target)
        yield ten_rows(shape, "exact Coulomb", exact, exact, target)


def ten_rows(shape, name, ours, exact, target):
    """Right in every throw in which exact Coulomb is; the mean error of the distance."""
    about, found = ("fig 5" if shape == "rectangle" else "fig 6", shape, name, "DART", 0.002, "dart"), []
    judged, near = name != "exact Coulomb", np.deg2rad(figures.ANGLE)
    for metric, same in (("bounces right", lambda r: r.bounces == target.bounces),
                         ("orientation right", lambda r: np.abs(r.angle - target.angle) < near)):
        found.append(row(about, 10, metric, same(ours).sum()))
        wrong = int(np.sum(same(exact) & ~same(ours)))
        found.append(row(about, 10, f"{metric} by exact Coulomb only", wrong, None, 0 if judged else None))
    off = 100 * np.mean(np.abs(ours.distance / target.distance - 1))
    return [*found, row(about, 10, "mean distance error %", off, None, 0.5 if judged else None)]


FLOORS = {"falling": (0.02, 0.03), "anisotropic": (0.01, 0.02)}   # friction RMS, point and edge


def section_floors():
    for name, limits in FLOORS.items():
        floors = [{"friction_rms": (None, rms)} for rms in limits]
        for shape, kind in (("rectangle", name), ("rectangle", f"{name}_large"), ("pentagon", name)):
            yield step_rows("floors", shape, kind, name, floors)
            yield beside_ceiling("floors", shape, (kind,), name, 0.002, "dart", 300)


def section_small():
    floors = {"bounces": (96, None), "angle": (98, None), "rest": (99, None)}   # a point below the study's
    for shape in SHAPES[:1]:
        for kind in ("500_1", "500_2", "500_3"):
            yield step_rows("small", shape, kind, "DART", [{}, {}])
            yield beside_ceiling("small", shape, (kind,), "DART", 0.002, "dart", THROWS, lambda _: floors)


def section_pdd():
    rows = throws.random_rows(300, SEED)
    for shape in SHAPES:
        done = pdd.train(body_of(shape), "dart").results(rows)
        yield loop_rows(("pdd", shape, "purely data-driven", "DART", 0.002, "dart"), done,
                        right("DART", shape, 0.002, "dart", 300), {})


def section_log():
    shape = "rectangle"
    target = right("DART", shape, 0.002, "dart", THROWS)
    best = throws.compare(played(shape, "", 0.002, "dart", THROWS), target)
    shares = ("bounces", "angle", "rest", "rest_time", "within_10cm")
    floors = {name: (best[name] - 5, None) for name in shares}
    for kind in ("log_1", "log_2", "log_velocities"):
        yield beside_ceiling("log", shape, (kind,), "DART", 0.002, "dart", THROWS, lambda _: floors)
        yield step_rows("log", shape, kind, "DART", [{}, {}])


SECTIONS = {"steps": section_steps, "throws": section_throws, "schemes": section_schemes, "fig": section_fig,
            "floors": section_floors, "small": section_small, "pdd": section_pdd, "log": section_log}


def main():
    global work
    parser = argparse.ArgumentParser(description="Measure the models of tests/models.")
    parser.add_argument("--only", default=",".join(SECTIONS), metavar="A,B", help=f"of {', '.join(SECTIONS)}")
    parser.add_argument("--work", type=Path, default=work, metavar="DIR",
                        help="where trained models are kept (default build/evaluation)")
    options = parser.parse_args()
    work = options.work
    for name in options.only.split(","):
        if name not in SECTIONS:
            parser.error(f"--only: {name!r} is none of {', '.join(SECTIONS)}")
        for rows in SECTIONS[name]():
            save(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
