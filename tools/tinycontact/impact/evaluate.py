# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The paper's tables about learning, made again: rows of (table, task, what, ours, interval, truth, paper).

The interval is identify's (learn_interval.py); of errors, the 95 % interval of the mean over trajectories,
by bootstrap. The
relative error of a trajectory is the sum of |predicted - true| over that of |true|, all coordinates and rates.
The paper's numbers are those of its model CM-CD-CLNN.
"""
import dataclasses
import time
from dataclasses import dataclass

import numpy as np

from . import learn_data, learn_fit, potential, pyramid, tasks
from .learn import windows_of
from .learn_interval import determine

# Table 2 (mu, e); S.5 (relative error over 5 steps); S.1 to S.3 (mass ratios); S.4; S.6; S.9.
PAPER = {"BP5-e": (0.000, 1.000), "CP3-e": (0.000, 1.000), "CP3": (0.500, 0.004), "Gyro-e": (0.000, 1.000),
         "Gyro": (0.100, 0.800)}
PAPER_ERROR = {"CP3": 2.34e-5, "CP3-e": 3.85e-3, "BP5-e": 2.83e-3, "Gyro": 2.39e-3}
PAPER_RATIOS = {"BP5-e": (1.0000, 1.0000, 1.0002, 1.0003), "BP5": (2.0000, 6.0036, 8.0014, 10.0024),
                "CP3": (2.0006, 1.4990), "CP3-e": (0.6500, 0.7502)}   # S.3's columns are swapped in print
PAPER_LCP = {"CP3": (0.500, 0.005), "CP3-e": (0.003, 1.000), "BP5-e": (0.000, 1.000), "Gyro": (None, 0.822)}
PAPER_LCP_ERROR = {"CP3": (2.54e-3, 7.35e-4), "CP3-e": (3.73e-3, 1.31e-3), "BP5-e": (1.57e-2, 5.46e-3),
                   "Gyro": (5.50e-3, 4.51e-4)}
PAPER_NOISE = {0.01: {"CP3": (0.496, 0.036), "CP3-e": (0.004, 1.000)},
               0.05: {"CP3": (0.462, 0.061), "CP3-e": (0.004, 1.000)}}
PAPER_ROPE = {25: 1.91e-3, 50: 1.87e-3, 100: 2.04e-3, 200: 1.92e-3, 400: 1.90e-3, 800: 3.20e-3}
PAPER_REGULARISED = {"CP3": {"0.001": (0.500, 0.007), "0.01": (0.500, 0.023), "0.1": (0.501, 0.180),
                             "learnable": (0.497, 0.453)},
                     "Gyro": {"0.001": (0.100, 0.811), "0.01": (0.099, 0.892), "0.1": (0.100, 0.886),
                              "learnable": (0.100, 0.861)}}   # S.7
PAPER_SIZE = {16: 3.20e-3, 80: 6.89e-3}   # S.8: 3 layers of 256, 6 of 512; its rope has 200 points
ALIKE = ("BP5-e", "CP3-e", "CP3", "Gyro-e", "Gyro")   # one material each
NETS = (("CP3", 25), ("CP3-spring", 25), ("BP5-spring", 25), ("Rope-10", 25))   # tasks and chunks
TESTS, SHORT, LONG, ENERGY = 100, 5, 50, 1000
DRAWS = 2000   # of a bootstrap
HEADER = ("table", "task", "chunks", "seed", "what", "ours", "low", "high", "truth", "paper", "seconds")


@dataclass
class Row:
    table: str
    task: str
    chunks: int
    seed: int
    what: str
    ours: float
    interval: tuple = (None, None)
    truth: float = None
    paper: float = None
    seconds: float = None


@dataclass
class Trained:
    """What was learned of a task from one set of chunks; seconds of a processor."""
    model: object
    learned: learn_fit.Learned
    determined: list
    seconds: float


def train(name, chunks, seed, noise=0.0, model=None, data=None, tell=None):
    """A Trained. `data`: chunks [n, 5, state] instead of those of the true system, which some model may not explain."""
    model = tasks.task(name) if model is None else model
    tries = 4 if data is None else 2
    rng = np.random.default_rng([seed, chunks])
    data = tasks.chunks(model, chunks, rng) if data is None else data
    if noise:
        data = _noisy(model, data, noise, rng)
    begun = time.process_time()
    if noise:
        learned = learn_fit.fit_noisy(model, windows_of(data, data.shape[1] - 1), noise, tell)
    else:
        learned = learn_fit.fit_exact(model, windows_of(data, 1), tell, tries)
    found = determine(learned)
    return Trained(model, learned, found, time.process_time() - begun)


def _noisy(model, data, noise, rng):
    """Noise on coordinates (a chain's angles) and rates, as the paper adds it."""
    moved = rng.normal(0.0, noise, (*data.shape[:2], 2 * model.roller.rates))
    return model.roller.move(data, moved)


def relative_errors(model, theta, truth):
    """[trajectories] of true paths [n, steps + 1, state], rolled out from their first states."""
    rolled = model.roll(theta, truth[:, 0], truth.shape[1] - 1)
    away = np.abs(rolled.states - truth[:, 1:]).sum(axis=(1, 2)) / np.abs(truth[:, 1:]).sum(axis=(1, 2))
    return np.where(rolled.status < 0, 1.0, np.minimum(away, 1.0))


def mean_of(x, draws=DRAWS):
    """(mean, its 95 % interval by bootstrap: errors of trajectories are far from normal)."""
    x = np.asarray(x, float)
    means = x[np.random.default_rng(0).integers(0, len(x), (draws, len(x)))].mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return float(x.mean()), (float(low), float(high))


def _tests(model, seed, count=TESTS):
    """(chunks of 5 states as those of training, whole paths) that training has not seen."""
    rng = np.random.default_rng([seed, 777])
    states, hits = tasks.paths(model, count, rng)
    chunks, _ = learn_data.chunks_of(states, hits, rng)
    return chunks, states[:, :LONG + 1]


def judge(found, seed):
    """((mean, interval) of relative errors over 5 steps, the same over 50) on motion that training has not seen."""
    return tuple(mean_of(relative_errors(found.model, found.learned.theta, truth)) for truth in _tests(found.model, seed))


def coefficients(seeds, names=ALIKE, chunks=100):
    """Table 2 and tables S.1 to S.3."""
    for name in names:
        for seed in range(seeds):
            found = train(name, chunks, seed)
            yield from _table_rows(found, name, chunks, seed)


def _table_rows(found, name, chunks, seed):
    paper = dict(zip(("mu", "e"), PAPER.get(name, ())))
    ratios = iter(PAPER_RATIOS.get(name, ()))
    for u, of in zip(found.determined, found.model.unknowns):
        if u.kind in ("mu", "e") and u.kind not in paper:
            continue
        value = of.natural(found.learned.theta[found.model.unknowns.index(of)]) if u.value is None else u.value
        printed = paper[u.kind] if u.kind in paper else next(ratios, None) if u.kind == "mass" else None
        yield Row("2" if u.kind in ("mu", "e") else "S.1-3", name, chunks, seed, u.name, float(value), (u.low, u.high), of.truth,
                  printed, found.seconds)


def pairs_of(seeds, name, chunks=800):
    """BP5 and BD5: the worst mu, e and ratio of materials that at least five pairs touched; the rest is counted."""
    for seed in range(seeds):
        found = train(name, chunks, seed)
        theta, worst, few = found.learned.theta, {}, 0
        for k, (u, of) in enumerate(zip(found.determined, found.model.unknowns)):
            if u.kind in ("mu", "e") and u.windows < 5:
                few += 1
                continue
            held = not u.determined or u.low - 1e-9 <= of.truth <= u.high + 1e-9 and u.high - u.low > 1e-3
            error = 0.0 if held and u.kind in ("mu", "e") else abs(of.natural(theta[k]) / (of.truth or 1.0) - 1.0) \
                if of.log else abs(theta[k] - of.truth)
            worst[u.kind] = max(worst.get(u.kind, 0.0), float(error))
        for kind, error in worst.items():
            yield Row("2", name, chunks, seed, f"worst error of {kind}, seen 5 times", error, (None, None), 0.0, None, found.seconds)
        yield Row("2", name, chunks, seed, "coefficients not determined",
                  float(sum(not u.determined for u in found.determined)), (None, None), None, None, found.seconds)
        yield Row("2", name, chunks, seed, "coefficients seen less than 5 times", float(few), (None, None), None, None, found.seconds)


def errors(names=ALIKE, chunks=25, seed=0):
    """Figures 3 and 4: relative errors over 5 and 50 steps."""
    for name in names:
        found = train(name, chunks, seed)
        short, long = judge(found, seed)
        yield Row("Fig. 3", name, chunks, seed, "error over 5 steps", *short, 0.0, PAPER_ERROR.get(name), found.seconds)
        yield Row("Fig. 4", name, chunks, seed, "error over 50 steps", *long, 0.0, None, found.seconds)


def sizes(counts, name="CP3", seed=0):
    """S.9: the error over the number of chunks; the paper's is of its rope."""
    for chunks in counts:
        found = train(name, chunks, seed)
        short, _ = judge(found, seed)
        yield Row("S.9", name, chunks, seed, "error over 5 steps", *short, 0.0, PAPER_ROPE.get(chunks), found.seconds)


@dataclass
class TrainedNet:
    """What was learned with a net for the potential; `truth` is the system that made the data."""
    truth: object
    learned: potential.Learned
    seconds: float


def train_net(scene, chunks, seed, settings=None, points=False, noise=0.0, tell=None, where=None):
    """A TrainedNet of chunks of a scene. `points`: the net sees places of links, not distances of what is tied."""
    settings = settings or potential.Settings(seed=seed)
    truth, made = tasks.Truth(scene), potential.Made(scene, not points, where)
    rng = np.random.default_rng([seed, chunks])
    data = tasks.chunks(truth, chunks, rng)
    if noise:
        data = _noisy(truth, data, noise, rng)
    begun = time.process_time()
    learned = potential.fit(made, data, settings, tell)
    return TrainedNet(truth, learned, time.process_time() - begun)


def judge_net(found, seed):
    """judge, of a TrainedNet."""
    model, theta = found.learned.made.model, found.learned.theta
    return tuple(mean_of(relative_errors(model, theta, truth)) for truth in _tests(found.truth, seed))


def nets(seeds, tasks_too=NETS):
    """Errors with a net for the potential; the paper's pendulums without linear part, which would explain all."""
    for name, chunks in tasks_too:
        alone = name not in tasks.SPRUNG
        for seed in range(seeds):
            found = train_net(tasks.scene_of(name), chunks, seed, potential.Settings(seed=seed, alone=alone), alone)
            what = "net alone" if alone else "net after forces"
            short, long = judge_net(found, seed)
            yield Row("net", name, chunks, seed, f"{what}, error over 5 steps", *short, 0.0, PAPER_ERROR.get(name), found.seconds)
            yield Row("net", name, chunks, seed, f"{what}, error over 50 steps", *long, 0.0, None, found.seconds)


def regularised(seed=0, chunks=100):
    """S.7: the paper's regularised contacts, whose mu and e depend on its regulariser; ours have none."""
    for name, papers in PAPER_REGULARISED.items():
        found = train(name, chunks, seed)
        for kind in range(2):
            u, of = found.determined[kind], found.model.unknowns[kind]
            for size, paper in papers.items():
                yield Row("S.7", name, chunks, seed, f"{u.kind}, beside epsilon {size}", float(found.learned.theta[kind]),
                          (u.low, u.high), of.truth, paper[kind], found.seconds)


def net_sizes(seed=0, chunks=100):
    """S.8 and S.9 of the rope: units of the net, number of chunks."""
    scene = tasks.scene_of("Rope-10")
    for table, count, units in [("S.8", chunks, h) for h in (16, 80)] + [("S.9", n, potential.HIDDEN) for n in (25, 50, 100)]:
        found = train_net(scene, count, seed, potential.Settings(hidden=units, seed=seed))
        paper = PAPER_SIZE[units] if table == "S.8" else PAPER_ROPE[count]
        hidden = len(found.learned.weights.b)
        short, _ = judge_net(found, seed)
        yield Row(table, "Rope-10", count, seed, f"error over 5 steps, {hidden} units", *short, 0.0, paper, found.seconds)


def energies(names=("BP5-e", "CP3-e", "Gyro-e"), chunks=25, seed=0, count=20):
    """Figure 5: the largest change of energy over 1000 steps, over the largest kinetic energy."""
    for name in names:
        found = train(name, chunks, seed)
        begun = tasks.starts(found.model, count, np.random.default_rng([seed, 5]))
        paths = found.model.roll(found.learned.theta, begun, ENERGY).states
        truth = tasks.task(name).roller
        drift = np.array([_drift(truth, np.concatenate([b[None], path])) for b, path in zip(begun, paths)])
        yield Row("Fig. 5", name, chunks, seed, "energy over 1000 steps", *mean_of(drift), 0.0)
        yield Row("Fig. 5", name, chunks, seed, "energy over 1000 steps, worst", float(np.max(drift)), (None, None), 0.0)


def _drift(roller, path):
    """The largest change of the true energy along a path, over its largest kinetic part, from every tenth state."""
    n = roller.coordinates
    energy = np.array([roller.native.roll(x[:n], x[n:], 0, contacts=False)[3][0] for x in path[::10]])
    return np.abs(energy.sum(axis=1) - energy[0].sum()).max() / energy[:, 0].max()


def noises(levels=(0.01, 0.05), names=("CP3", "CP3-e"), chunks=800, seed=0):
    """S.6: mu and e from noisy data."""
    for level in levels:
        for name in names:
            found = train(name, chunks, seed, noise=level)
            for u, of, paper in zip(found.determined, found.model.unknowns, PAPER_NOISE[level][name]):
                yield Row("S.6", name, chunks, seed, f"{u.kind}, noise {level:g}",
                          float(found.learned.theta[found.model.names.index(of.name)]), (u.low, u.high), of.truth,
                          paper, found.seconds)


def _lcp_paths(scene, starts):
    return learn_data.trajectories(pyramid.roller(scene), starts)


def lcp(names=("CP3", "CP3-e", "BP5-e", "Gyro"), chunks=100, seed=0, tests=TESTS):
    """S.4 and S.5: trained on data of a pyramid's complementarity problem, under Coulomb's law."""
    for name in names:
        scene = dataclasses.replace(tasks.scene_of(name), law="coulomb")
        model = tasks.model(scene, tasks.unknowns_of(name), blank=True)
        rng = np.random.default_rng([seed, 4])
        data, _ = learn_data.chunks_of(*_lcp_paths(scene, tasks.starts(model, chunks, rng)), rng)
        found = train(name, chunks, seed, model=model, data=data)
        for u, of, paper in zip(found.determined[:2], model.unknowns, PAPER_LCP[name]):
            yield Row("S.4", name, chunks, seed, f"{u.kind}, LCP data", float(found.learned.theta[model.unknowns.index(of)]),
                      (u.low, u.high), of.truth, paper, found.seconds)
        rng = np.random.default_rng([seed, 778])
        own, _ = learn_data.chunks_of(*tasks.paths(model, tests, rng), rng)
        theirs, _ = learn_data.chunks_of(*_lcp_paths(scene, tasks.starts(model, tests, rng)), rng)
        for what, truth, paper in (("trained on LCP data, error on own", own, PAPER_LCP_ERROR[name][0]),
                                   ("trained on LCP data, error on LCP data", theirs, PAPER_LCP_ERROR[name][1])):
            mean, interval = mean_of(relative_errors(model, found.learned.theta, truth))
            yield Row("S.5", name, chunks, seed, what, mean, interval, 0.0, paper, found.seconds)


QUICK = [("coefficients", (1, ("BP5-e",), 25)), ("coefficients", (1, ("CP3",), 25)), ("errors", (("CP3-e",), 25)),
         ("energies", (("BP5-e",), 25, 0, 3)), ("noises", ((0.01,), ("CP3",), 100)), ("nets", (1, (("CP3", 25),))),
         ("nets", (1, (("CP3-spring", 25),)))]
# What an evaluation has, in its order: name -> tasks (function, arguments) for so many seeds
GROUPS = {"coefficients": lambda seeds: [("coefficients", (seeds, (name,))) for name in ALIKE],
          "errors": lambda _: [("errors", ((name,),)) for name in ALIKE],
          "sizes": lambda _: [("sizes", ((count,),)) for count in (25, 50, 100, 200, 400, 800)],
          "energies": lambda _: [("energies", ((name,),)) for name in ("BP5-e", "CP3-e", "Gyro-e")],
          "noise": lambda _: [("noises", ((level,), (name,))) for level in (0.01, 0.05) for name in ("CP3", "CP3-e")],
          "nets": lambda seeds: [("nets", (min(seeds, 3), (one,))) for one in NETS],
          "regularised": lambda _: [("regularised", ())], "net-sizes": lambda _: [("net_sizes", ())],
          "lcp": lambda _: [("lcp", ((name,),)) for name in ("CP3", "CP3-e", "BP5-e", "Gyro")],
          "BP5": lambda _: [("pairs_of", (1, "BP5"))], "BD5": lambda _: [("pairs_of", (1, "BD5"))]}


def tasks_of(seeds=3, quick=False, only=()):
    """The tasks of `rows_of` of all tables, or of the groups `only`; quick: a sample that takes seconds."""
    return QUICK if quick else [task for name in only or GROUPS for task in GROUPS[name](seeds)]


def rows_of(task):
    """[Row] of a task, which depend on it alone but for the seconds."""
    function, arguments = task
    return list(globals()[function](*arguments))


# ---- Written

def write(path, rows):
    """The rows as CSV, whole or not at all."""
    from ..model import write_whole
    lines = [",".join(HEADER)]
    for r in rows:
        low, high = r.interval
        values = (r.table, r.task, r.chunks, r.seed, r.what, r.ours, low, high, r.truth, r.paper, r.seconds)
        lines.append(",".join(_cell(x) for x in values))
    write_whole(path, ("\n".join(lines) + "\n").encode("utf-8"))


def _cell(x):
    if x is None:
        return ""
    if isinstance(x, float) or isinstance(x, np.floating):
        return f"{x:.15g}" if np.isfinite(x) else ""
    return f'"{x}"' if "," in str(x) else str(x)


def line_of(r):
    """One row for people."""
    low, high = r.interval
    interval = "" if low is None else f" ({low:.6g} .. {high:.6g})"
    paper = "" if r.paper is None else f", paper {r.paper:g}"
    truth = "" if r.truth is None else f", true {r.truth:g}"
    return f"{r.table:9} {r.task:6} {r.chunks:4} chunks, {r.what}: {r.ours:.4g}{interval}{truth}{paper}"
