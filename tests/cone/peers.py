#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The cone solver beside SCS, Clarabel, MuJoCo and Gauss-Seidel sweeps: `make cone-peers`.

    python tests/cone/peers.py [--count 100] [-o tests/cone/peers.csv]

Four contacts in space, compression, the nine families of tools/ref/cone_families.py, and boxes that MuJoCo itself
puts on a plane. All solvers get the same problems, one after the other, on the same machine. The truth is
tools/ref/cone_reference.py, 30 digits.

Right: every velocity at the contacts within 1e-4 of the largest one that came in. Near: within 1e-2. Wrong: the
solver says solved, and is not near.

Times are of the solver alone. Ours and the sweeps are many solves in one call of C. SCS and Clarabel tell their own
times, set-up (factoring) included, matrices and Python not. MuJoCo: mj_fwdConstraint, called from Python; a call of
a function that does nothing is subtracted. Its detection and assembly are not counted.

How the problem is put to them:
  SCS            f' A f / 2 + q' f over f in second-order cones, its fastest form; and with a linear objective, as the
                 layers pose it that the paper differentiates through (cvxpylayers, diffcp); in float64
  Clarabel       |w|^2 / 2 over w and f with w = w0 + G' f, in float64
  MuJoCo         elliptic cones, no gravity. Its model is regularised: impedance 0.9999 is a compliance of 1e-4 of
                 A's diagonal, the smallest that it accepts; the reference velocity is a dead stop. It solves for
                 forces in float64 from scratch (no warm start). Its own G, so only boxes.
  sweeps         projected Gauss-Seidel on whole contacts, in float64; it never says that it has solved
"""
import argparse
import csv
import ctypes
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tools" / "ref")]

import numpy as np               # noqa: E402

import cone_families             # noqa: E402
import cone_reference            # noqa: E402
from tinycontact.impact import cone   # noqa: E402
from tinycontact.library import Library   # noqa: E402

CONTACTS, STRIDE, ROUNDS = 4, 64, 200
RIGHT, NEAR = 1e-4, 1e-2
COLUMNS = ["family", "solver", "problems", "solved", "right", "near", "wrong", "median_us", "largest_us"]
STEP = 1e-3   # of MuJoCo [s]


class Task:
    """A problem with its truth."""

    def __init__(self, problem, simulated=None):
        self.p, self.simulated = problem, simulated
        self.G = np.array(problem.G, float)
        self.w0, self.mu = np.array(problem.w0, float), np.array(problem.mu, float)
        self.u = np.array([float(x) for x in cone_reference.solve(problem).u])
        self.came = np.abs(self.G @ self.w0).max()


class Ours:
    name = "tinycontact float32"

    def __init__(self):
        library = Library()
        self.many = library.function("native_cone_many", None, [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32,
                                                                *[ctypes.c_void_p] * 4])
        self.out = [np.zeros(STRIDE, np.float32) for _ in range(3)]

    def struct(self, task):
        self.kept = [np.ascontiguousarray(x, np.float32) for x in (task.G, task.w0, task.mu)]
        G, w0, mu = (x.ctypes.data for x in self.kept)
        return cone._Problem(len(task.mu), 3, len(task.w0), G, w0, mu, None, None, None)

    def solve(self, task):
        status, struct = ctypes.c_int32(), self.struct(task)
        places = [*(x.ctypes.data for x in self.out), ctypes.byref(status)]
        self.many(ctypes.byref(struct), 1, 3, *places)
        start = time.perf_counter()
        self.many(ctypes.byref(struct), 1, ROUNDS, *places)
        seconds = (time.perf_counter() - start) / ROUNDS
        return self.out[1][:len(task.G)].astype(float), status.value in (0, 8), seconds


class Sweeps(Ours):
    def __init__(self, sweeps):
        self.name, self.sweeps = f"Gauss-Seidel {sweeps} sweeps", sweeps
        self.call = Library().function("native_cone_sweeps", None, [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32,
                                                                    ctypes.c_void_p])

    def solve(self, task):
        u, struct = np.zeros(STRIDE), self.struct(task)
        rounds = max(1, ROUNDS * 10 // self.sweeps)
        start = time.perf_counter()
        for _ in range(rounds):
            self.call(ctypes.byref(struct), 1, self.sweeps, u.ctypes.data)
        return u[:len(task.G)], False, (time.perf_counter() - start) / rounds


def quadratic(task, sparse):
    """(P, q, A, b, cones) of f'AA'f / 2 + q'f over f: what is left when w is eliminated, the smallest form."""
    G, cones, A = rubbing(task, sparse)
    return sparse.csc_matrix(np.triu(G @ G.T)), G @ task.w0, A, np.zeros(len(G)), cones


def split(task, sparse):
    """The same with w as a variable: nothing is squared, which interior points like better."""
    G, cones, A = rubbing(task, sparse)
    m, d = G.shape
    P = sparse.block_diag([sparse.eye(d), sparse.csc_matrix((m, m))], format="csc")
    A = sparse.csc_matrix(sparse.bmat([[sparse.eye(d), -G.T], [None, A]]))
    return P, np.zeros(d + m), A, np.concatenate([task.w0, np.zeros(m)]), [("z", d), *cones]


def epigraph(task, sparse):
    """Minimise t over (f, t) with |(2 w, 1 - t)| <= 1 + t: for solvers that take linear objectives only, as the
    layers do that the paper differentiates through."""
    G, cones, A = rubbing(task, sparse)
    m, d = G.shape
    A = sparse.csc_matrix(sparse.bmat([[A, sparse.csc_matrix((m, 1))], [
        sparse.csc_matrix(np.vstack([np.zeros((2, m)), -2 * G.T])), np.concatenate([[-1, 1], np.zeros(d)])[:, None]]]))
    return (None, np.append(np.zeros(m), 1.0), A, np.concatenate([np.zeros(m), [1, 1], 2 * task.w0]),
            [*cones, ("q", d + 2)])


def rubbing(task, sparse):
    """(rows of G, cones, matrix) of f in its cones, -A f in K; without friction only the normals' rows."""
    n = len(task.mu)
    if not task.mu.any():
        return task.G[::3], [("l", n)], -sparse.eye(n, format="csc")
    scaled = np.ones(3 * n)
    scaled[::3] = task.mu
    return task.G, [("q", 3)] * n, sparse.csc_matrix(sparse.diags(-scaled))


def velocities(task, x, form):
    """u of what a conic solver found."""
    if form is split:
        return task.G @ x[:len(task.w0)]
    G = task.G if task.mu.any() else task.G[::3]
    return task.G @ (task.w0 + G.T @ x[:len(G)])


class Scs:
    def __init__(self, tolerance, form=quadratic):
        self.tolerance, self.form = tolerance, form
        self.name = f"SCS {tolerance:g}" + (", linear objective" if form is epigraph else "")

    def solve(self, task):
        import scs
        from scipy import sparse
        P, q, A, b, parts = self.form(task, sparse)
        cones = {kind: sum(size for other, size in parts if other == kind) for kind in "zl"}
        cones["q"] = [size for kind, size in parts if kind == "q"]
        data = {"A": A, "b": b, "c": q} | ({} if P is None else {"P": P})
        solver = scs.SCS(data, {kind: size for kind, size in cones.items() if size}, eps_abs=self.tolerance,
                         eps_rel=self.tolerance, max_iters=100000, verbose=False)
        answer = solver.solve()
        info = answer["info"]
        return (velocities(task, answer["x"], self.form), info["status_val"] == 1,
                (info["setup_time"] + info["solve_time"]) * 1e-3)


class Clarabel:
    name = "Clarabel"

    def solve(self, task):
        import clarabel
        from scipy import sparse
        P, q, A, b, parts = split(task, sparse)
        kinds = {"z": clarabel.ZeroConeT, "l": clarabel.NonnegativeConeT, "q": clarabel.SecondOrderConeT}
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        answer = clarabel.DefaultSolver(P, q, A, b, [kinds[kind](size) for kind, size in parts], settings).solve()
        return velocities(task, np.array(answer.x), split), str(answer.status) == "Solved", answer.solve_time


class Mujoco:
    """One of its solvers, on the boxes that it made."""

    def __init__(self, name):
        import mujoco
        self.mujoco, self.name = mujoco, f"MuJoCo {name}"
        self.kind = {"Newton": mujoco.mjtSolver.mjSOL_NEWTON, "PGS": mujoco.mjtSolver.mjSOL_PGS}[name]

    def solve(self, task):
        model, data = task.simulated
        model.opt.solver = self.kind
        self.mujoco.mj_forward(model, data)
        went = data.qvel + STEP * data.qacc
        nothing = self.mujoco.mj_isSparse
        times = []
        for call, arguments in ((nothing, (model,)), (self.mujoco.mj_fwdConstraint, (model, data))):
            start = time.perf_counter()
            for _ in range(ROUNDS):
                call(*arguments)
            times.append((time.perf_counter() - start) / ROUNDS)
        return task.J @ went, False, times[1] - times[0]


SCENE = """<mujoco><option timestep="{step}" gravity="0 0 0" cone="elliptic" iterations="100" tolerance="1e-12" jacobian="dense">
<flag warmstart="disable"/></option><default><geom solimp="0.9999 0.9999 1 0.5 2" solref="-1e-9 {damping}"
friction="{mu} 0 0" condim="3"/></default><worldbody><geom type="plane" size="5 5 1"/>
<body pos="0 0 {height}"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="{inertia} {inertia} {inertia}"/>
<geom type="box" size="{size}"/></body></worldbody></mujoco>"""


def boxes(count):
    """Tasks of boxes on a plane with MuJoCo's contacts; the inertia is a ball's, so that nothing turns by itself."""
    import mujoco
    rng = np.random.default_rng(1)
    tasks = []
    while len(tasks) < count:
        half = rng.uniform(0.3, 1, 3)
        model = mujoco.MjModel.from_xml_string(SCENE.format(
            step=STEP, damping=-0.9999 / STEP, mu=rng.uniform(0.05, 1.2), height=half[2] - 1e-6,
            inertia=rng.uniform(0.1, 0.6), size=" ".join(map(str, half))))
        data = mujoco.MjData(model)
        data.qvel[:] = rng.uniform(-1, 1, 6)
        mujoco.mj_forward(model, data)
        J = data.efc_J.reshape(-1, 6)
        M = np.zeros((6, 6))
        mujoco.mj_fullM(model, data, M)
        G = J / np.sqrt(np.diag(M))
        w0 = np.sqrt(np.diag(M)) * data.qvel
        if len(J) != 3 * CONTACTS or (G @ w0)[::3].min() > -0.01:
            continue
        mu = [data.contact[i].friction[0] for i in range(CONTACTS)]
        single = cone_families.single
        task = Task(cone_reference.Problem(3, [[single(x) for x in row] for row in G], [single(x) for x in w0],
                                           [single(x) for x in mu]), (model, data))
        task.J = J
        tasks.append(task)
    return tasks


def family(name, count):
    tasks, seed = [], 0
    while len(tasks) < count:
        seed += 1
        try:
            tasks.append(Task(cone_families.draw(name, 3, CONTACTS, 5000 + seed)))
        except cone_reference.NotCertified:
            pass
    return tasks


def judged(name, solver, tasks, took):
    """A row of the table; the times of all go to `took`."""
    row = dict(family=name, solver=solver.name, problems=len(tasks), solved=0, right=0, near=0, wrong=0)
    times = []
    for task in tasks:
        u, solved, seconds = solver.solve(task)
        error = np.abs(u - task.u).max() / task.came if np.isfinite(u).all() else np.inf
        row["solved"] += solved
        row["right"] += bool(error <= RIGHT)
        row["near"] += bool(error <= NEAR)
        row["wrong"] += bool(solved and error > NEAR)
        times.append(seconds * 1e6)
    took[name, solver.name] = times
    return row | {"median_us": f"{statistics.median(times):.2f}", "largest_us": f"{max(times):.2f}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100, help="problems of each family")
    parser.add_argument("-o", "--output", help="the table as CSV")
    options = parser.parse_args()
    solvers = [Ours(), Scs(1e-4), Scs(1e-9), Scs(1e-4, epigraph), Clarabel(), Sweeps(50), Sweeps(1000)]
    rows, took = [], {}
    for name in (*cone_families.FAMILIES, "MuJoCo's box"):
        own = name == "MuJoCo's box"
        tasks = boxes(options.count) if own else family(name, options.count)
        for solver in solvers + ([Mujoco("Newton"), Mujoco("PGS")] if own else []):
            rows.append(judged(name, solver, tasks, took))
            print(",".join(str(rows[-1][c]) for c in COLUMNS), flush=True)
    if options.output:
        with open(options.output, "w", newline="", encoding="ascii") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    for peer in ("SCS 0.0001", "SCS 1e-09", "SCS 0.0001, linear objective", "Clarabel"):
        each = {name: [b / a for a, b in zip(took[name, Ours.name], took[name, peer])] for name, other in took if other == peer}
        pooled = statistics.median(sum(each.values(), []))
        low, high = (pick(map(statistics.median, each.values())) for pick in (min, max))
        print(f"{peer} takes {pooled:.0f} times as long (median of all problems; of a family {low:.0f} to {high:.0f})")


if __name__ == "__main__":
    main()
