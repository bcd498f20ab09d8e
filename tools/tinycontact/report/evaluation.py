# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""`tinycontact body evaluate`: a model judged per step on fresh states and in closed loop beside a truth, as numbers
(a dictionary for JSON), as tables for a terminal and as a page with pictures.

In closed loop three laws play the same throws in the same position scheme: the model (the library's own step,
float32), exact Coulomb in its place (float64), and the purely data-driven baseline if asked for. The truth's throws are
the measure of all; exact Coulomb's row is the ceiling, what a law without error would reach.
"""
from dataclasses import dataclass, field

import numpy as np

from ..contact import FLAGS, ContactModel
from ..errors import TinycontactError
from ..jsonfile import write_json
from ..learn.fit import frameworks
from ..predict import load_shape
from ..progress import announced
from ..sim import peers
from ..sim import throws as closed_loop
from ..sweep import Sweep
from ..sweep import of as sweep_of
from . import plots
from .measure import CLASSES, legend, step_scores
from .page import Page, length, text_table
from .pdd import train as train_pdd
from .truth import TRUTHS, Coulomb, Dart

PATCHES = ("point", "edge")
# what a row of the table is called, its key in sim.throws.compare, and its name in the numbers
LOOP = (("bounces right %", "bounces", "bounces_percent"), ("angle within 5 deg %", "angle", "angle_percent"),
        ("rests %", "rest", "rest_percent"), ("rest within 0.1 s %", "rest_time", "rest_time_percent"),
        ("within 0.1 m %", "within_10cm", "within_10cm_percent"), ("median [mm]", "median", "distance_median_m"),
        ("95 % [mm]", "p95", "distance_p95_m"), ("max [mm]", "max", "distance_max_m"))
SHOWN = 6   # throws drawn: the worst three, and three from the middle


@dataclass
class Evaluation:
    """What came out: `numbers` for JSON, and what only pictures need."""
    numbers: dict
    labelled: dict = field(default_factory=dict)   # patch -> (true classes, probabilities)
    offs: dict = field(default_factory=dict)       # law -> |distance - truth| [m]
    panels: list = field(default_factory=list)     # (title, {law: poses})


def _share(value, digits=2):
    return "–" if value is None else f"{100 * value:.{digits}f}"


# ---- Per step

def judge_steps(model, body, truth, count, seed, done):
    """Fills `done` with the scores of fresh states, `count` per patch dimension."""
    done.numbers["steps"] = {}
    for dimension, patch in enumerate(PATCHES):
        if not model.record.patches >> dimension & 1:
            continue
        with announced(f"{count} fresh states, {patch}"):
            states = truth.fresh(dimension, count, seed)
        said = model.replay(np.column_stack([states.position[:, 1:], states.velocity]),
                            np.full(len(states), dimension))
        friction = np.where(said["branch"] == 1, said["friction"], np.nan)
        scores = step_scores(states.label, said["branch"], said["probability"], body.mass * states.friction, friction,
                             body.mass)
        for bit, name in enumerate(FLAGS):
            scores[name] = int((said["flags"] >> np.uint32(bit) & 1).sum())
        done.numbers["steps"][patch] = scores
        done.labelled[patch] = states.label, said["probability"]


def step_rows(steps):
    header = ("patch", "states", "accuracy %", *(f"{name} %" for name in CLASSES), "friction RMS %",
              "small %", "ECE %", "overruled", "clamped", "out of range")
    rows = [(patch, s["states"], _share(s["accuracy"]), *(_share(s["recall"][name]) for name in CLASSES),
             _share(s["friction_rms"]), _share(s["friction_small"], 3), _share(s["ece"]), s["overruled"],
             s["clamped"], s["out_of_range"]) for patch, s in steps.items()]
    return header, rows


# ---- Closed loop

def judge_throws(laws, truth, throws, done):
    """Fills `done` with the scores of `laws` {name: player}; report.truth says what a player is."""
    with announced(f"{len(throws)} throws, {truth.name}"):
        right = truth.results(throws)
    done.numbers["loop"] = {}
    for name, player in laws.items():
        with announced(f"{len(throws)} throws, {name}"):
            results = right if player is truth else player.results(throws)
        scores = closed_loop.compare(results, right)
        done.numbers["loop"][name] = {"throws": scores["throws"], **{told: scores[key] for _, key, told in LOOP}}
        done.offs[name] = np.abs(results.distance - right.distance)
    first = next(iter(laws))
    order = np.argsort(done.offs[first])
    middle = len(order) // 2
    chosen = list(dict.fromkeys([*order[::-1][:SHOWN // 2], *order[middle:middle + SHOWN // 2]]))
    for index, *paths in zip(chosen, truth.paths(throws[chosen]), laws[first].paths(throws[chosen])):
        done.panels.append((f"throw {index}: ends {length(done.offs[first][index])} off",
                            dict(zip((truth.name, first), paths))))


def loop_rows(loop):
    header = ("law", *(title for title, _, _ in LOOP))
    rows = [(name, *(f"{1000 * scores[key]:.2f}" if key.endswith("_m") else f"{scores[key]:.1f}"
                     for _, _, key in LOOP)) for name, scores in loop.items()]
    return header, rows


# ---- The page

def report_page(done, outline):
    numbers = done.numbers
    page = Page(f"{numbers['model']} on {numbers['shape']}")
    page.text(f"Model {numbers['hash']}, trained for {numbers['trained_for']}. Judged in position scheme"
              f" {numbers['positions']} against {numbers['truth']}, seed {numbers['seed']}.")
    if numbers.get("steps"):
        page.heading("Step by step, on fresh states")
        page.table(*step_rows(numbers["steps"]))
        page.lines(legend(step_rows(numbers["steps"])[0]))
        page.picture("confusion", plots.confusions({patch: scores["confusion"]
                                                    for patch, scores in numbers["steps"].items()}),
                     "Of each true class, the share that is called so.")
        page.picture("calibration", plots.reliability(done.labelled), "Probabilities against how often they hold.")
    if numbers.get("loop"):
        page.heading("In closed loop")
        page.table(*loop_rows(numbers["loop"]))
        page.lines(legend(loop_rows(numbers["loop"])[0]))
        page.text("Exact Coulomb in the nets' place is the ceiling: what it misses is the position scheme's.")
        page.picture("distance", plots.distance_errors(done.offs), "Errors of the final distance.")
        page.picture("throws", plots.throws(done.panels, outline),
                     "The throws that end farthest off, and three from the middle.")
    return page


# ---- The command

def evaluate(model_path, shape_path, truth_name="dart", positions="dart", throws=1000, states=20000, seed=7,
             pdd=False, sweep=Sweep(jobs=1)):
    """The Evaluation of a model file on a body file. DART's throws are computed where `sweep` says."""
    body = load_shape(shape_path)
    model = ContactModel(model_path, body)
    truth = Dart(body, positions, sweep) if truth_name == "dart" else TRUTHS[truth_name](body, positions)
    done = Evaluation({"model": str(model_path), "hash": model.hash, "shape": str(shape_path),
                       "trained_for": model.trained_for(), "positions": positions, "truth": truth.name,
                       "seed": seed})
    if states:
        judge_steps(model, body, truth, states, seed, done)
    if throws:
        exact = Coulomb(body, positions) if truth_name in ("dart", "fine") else truth
        laws = {"model": model.player(positions), exact.name: exact}
        if pdd:
            player = train_pdd(body, positions)
            laws[player.name] = player
        judge_throws(laws, truth, closed_loop.random_rows(throws, seed), done)
    return done, model


def _needed(options):
    """Asks for the packages that the options need: after the files were read, before anything takes time."""
    ContactModel(options.model, load_shape(options.shape))
    if options.truth == "dart":
        peers.dart()
    if options.pdd and options.throws:
        frameworks()
    if options.animate and not options.throws:
        raise TinycontactError("--animate: --throws 0 leaves nothing to animate")
    if options.report or options.animate:
        plots.ready()


def evaluate_command(options):
    _needed(options)
    done, model = evaluate(options.model, options.shape, options.truth, options.positions, options.throws,
                           options.states, options.seed, options.pdd, sweep_of(options))
    for key, rows in (("steps", step_rows), ("loop", loop_rows)):
        if done.numbers.get(key):
            header, cells = rows(done.numbers[key])
            print("\n".join([text_table(header, cells), *legend(header)]), end="\n\n")
    if options.report:
        print(report_page(done, model.outline()).save(options.report))
    if options.animate:
        with announced("animating"):
            plots.animate(done.panels, model.outline(), options.animate)
    if options.output:
        write_json(options.output, done.numbers)
