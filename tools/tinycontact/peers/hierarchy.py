# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Sixteen balls as meshes of up to 6272 triangles: trees of spheres beside the plain sum and IPC Toolkit, in one process.

    python -m tinycontact.peers.hierarchy [-o FOLDER] [--plot OUT.png] [--meshes FOLDER] [--page PAGE.md]

The rack of the paper's Figure 6 with gaps of 1 mm and a sixteenth ball before it, epsilon 0.5. A value with gradient
and Hessian is timed on one thread (processor time, best of some rounds) and on two (by the clock, at real-time
priority where the system allows it). The plain sum is
made from 6 of the 120 pairs of balls. IPC Toolkit builds its collisions, gradient, Hessian and one continuous collision
test, its barrier active below 1 cm and below 1 mm. Frames are a break shot of 0.04 s steps, with either. Then the force between two
balls by their gap, for three meshes and for spheres, and two animals' meshes that come near each other.

NumPy's own threads count in the frames' processor time: set OPENBLAS_NUM_THREADS=1, as `make hierarchy-speed` does.
FOLDER gets hierarchy.csv, hierarchy_forces.csv and hierarchy_meshes.csv; of these the tables of the page are made.
"""
import argparse
import contextlib
import csv
import io
import os
import re
import sys
import time
from pathlib import Path

import numpy as np

from ..errors import TinycontactError
from ..hierarchy import Hierarchy, Touching, triangles
from ..library import Library
from ..model import read_text, write_whole
from ..progress import say
from ..shape import mesh as meshes
from .frames import Break, Trees

RADIUS, GAP, EPSILON, ROUNDS = 0.1, 1e-3, 0.5, 7
FORCE = 10.0    # [N] of IPC's barrier within its reach, as large as the break shot's
SIZES = (2, 3, 4, 5, 6, 7)
BRUTE = (0, 3, 9, 15)    # six pairs of balls, near and far
GAPS = (3e-4, 1e-3, 1e-2, 0.06, 0.1, 0.3, 0.4, 0.5, 0.65, 1.0)
ANIMALS = ("spot", "blub")
CLOSE = (1e-6, 1e-4, 1e-3, 1e-2, 0.1, 0.5, 1e3)
PLACE = re.compile(r"(<!-- table: ([^\n]+) -->\n).*?(<!-- end -->)", re.S)
COLUMNS = ("triangles", "exact", "centred", "value_ms", "derivatives_ms", "cold_ms", "two_threads", "brute_ms", "frame_ms",
           "frame_worst_ms", "newton", "ipc_1cm_ms", "ipc_1cm_collisions", "ipc_1mm_ms", "ipc_1mm_collisions",
           "ipc_frame_ms", "ipc_frame_worst_ms", "ipc_newton")


def ball(n, radius=RADIUS):
    """(vertices, faces) of an octahedron with n^2 triangles per face, on the sphere: 8 n^2 triangles."""
    corners, faces = {}, []

    def corner(x, y, z):
        at = np.array([x, y, z], float)
        return corners.setdefault((x, y, z), (len(corners), radius * at / np.linalg.norm(at)))[0]

    for signs in np.ndindex(2, 2, 2):
        a, b, c = 1 - 2 * np.array(signs)

        def at(row, k):
            return corner(a * (n - row), b * k, c * (row - k))

        for row in range(n):
            for k in range(row + 1):
                faces.append((at(row + 1, k), at(row + 1, k + 1), at(row, k)))
            for k in range(row):
                faces.append((at(row, k), at(row + 1, k + 1), at(row, k + 1)))
    return np.array([x for _, x in corners.values()]), np.array(faces)


def rack():
    """Centres of fifteen balls with gaps, and of one before them: [16, 3], on the floor z = 0."""
    pitch = 2 * RADIUS + GAP
    places = [(row * pitch * np.sqrt(0.75), (k - row / 2) * pitch) for row in range(5) for k in range(row + 1)]
    return np.array([(x, y, RADIUS + GAP) for x, y in [*places, (-3 * pitch, 0.0)]])


def best(work, rounds=ROUNDS, clock=time.process_time):
    times = []
    for _ in range(rounds):
        begun = clock()
        work()
        times.append(clock() - begun)
    return 1e3 * min(times)


@contextlib.contextmanager
def undisturbed():
    """Real-time priority where the system allows it: times by the clock are then this process's own. Threads that begin
    here have it, too."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except (AttributeError, PermissionError):
        yield
        return
    try:
        yield
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def speed_up(scenes, turns, centres):
    """The clock's times of one thread over those of more; scenes: one thread, more."""
    times = np.full(2, np.inf)
    for _ in range(ROUNDS):
        times = np.minimum(times, [best(lambda: scene.potential(turns, centres), 2, time.perf_counter) for scene in scenes])
    return times[0] / times[1]


def evaluate(mesh, real, threads):
    """Times of the rack's potential, and what it counted."""
    pieces, centres, turns = triangles(*mesh), rack(), np.tile(np.eye(3), (16, 1, 1))
    with undisturbed():
        scenes = [Hierarchy([pieces], [0] * 16, epsilon=EPSILON, threads=k, library=real) for k in (1, threads)]
        found, same = (scene.potential(turns, centres) for scene in scenes)
        ratio = speed_up(scenes, turns, centres)
    if found.value != same.value or not np.array_equal(found.hessian, same.hessian):
        raise TinycontactError(f"{threads} threads give other bits than one")
    cold = Hierarchy([pieces], [0] * 16, epsilon=EPSILON, slots=0, library=real)
    return {"exact": found.exact, "centred": found.centred,
            "value_ms": best(lambda: scenes[0].potential(turns, centres, derive=False)),
            "derivatives_ms": best(lambda: scenes[0].potential(turns, centres)),
            "cold_ms": best(lambda: cold.potential(turns, centres), 3), "two_threads": ratio}


def brute(mesh, real):
    """The plain sum of 120 pairs, from six of them."""
    centres, turns = rack()[list(BRUTE)], np.tile(np.eye(3), (len(BRUTE), 1, 1))
    scene = Hierarchy([triangles(*mesh)], [0] * len(BRUTE), epsilon=1e6, slots=0, library=real)
    return 120 / 6 * best(lambda: scene.potential(turns, centres), 1)


class Toolkit:
    """IPC Toolkit on the same meshes, all sixteen balls one mesh, pairs of the same ball filtered by its own C++. Its
    energy by the balls' freedoms, for frames, is that of vertices in rigid motion."""

    def __init__(self, mesh, reach):
        import ipctk
        self.ipctk, self.reach, (self.shape, faces) = ipctk, reach, mesh
        ipctk.set_num_threads(1)
        ipctk.set_logger_level(ipctk.LoggerLevel.off)
        self.vertices = self.placed(rack(), np.tile(np.eye(3), (16, 1, 1)))
        faces = np.concatenate([faces + k * len(self.shape) for k in range(16)]).astype(np.int32)
        self.mesh = ipctk.CollisionMesh(self.vertices, ipctk.edges(faces), faces)
        ball_of = np.repeat(np.arange(16, dtype=np.int32), len(self.shape))
        self.mesh.can_collide = ipctk.make_vertex_patches_filter(ball_of)
        self.potential, self.found = ipctk.BarrierPotential(reach, FORCE / reach ** 3), ipctk.NormalCollisions()

    def placed(self, x, R):
        return np.asfortranarray((self.shape @ np.transpose(R, (0, 2, 1)) + x[:, None]).reshape(-1, 3))

    def evaluate(self):
        self.found.build(self.mesh, self.vertices, self.reach)
        self.potential.gradient(self.found, self.mesh, self.vertices)
        self.potential.hessian(self.found, self.mesh, self.vertices)
        self.ipctk.compute_collision_free_stepsize(self.mesh, self.vertices, self.vertices + 1e-4)

    def time(self):
        return best(self.evaluate), len(self.found)

    def share(self, x, R, to_x, to_R):
        share = self.ipctk.compute_collision_free_stepsize(self.mesh, self.placed(x, R), self.placed(to_x, to_R))
        return 1.0 if share == 1 else 0.8 * share

    def energy(self, x, R, derive):
        from scipy.sparse import bsr_matrix
        vertices = self.placed(x, R)
        self.found.build(self.mesh, vertices, self.reach)
        value = self.potential(self.found, self.mesh, vertices)
        if not derive:
            return value, None, None
        gradient = self.potential.gradient(self.found, self.mesh, vertices).reshape(-1, 3)
        hessian = self.potential.hessian(self.found, self.mesh, vertices)
        n, arm = len(vertices), self.placed(0 * x, R)
        rigid = np.zeros((n, 3, 6))   # of a vertex by its ball's t, theta: I, -[arm]x
        rigid[:, [0, 1, 2], [0, 1, 2]] = 1
        rigid[:, [0, 1, 2], [4, 5, 3]], rigid[:, [0, 1, 2], [5, 3, 4]] = arm[:, [2, 0, 1]], -arm[:, [1, 2, 0]]
        J = bsr_matrix((rigid, np.repeat(np.arange(16), n // 16), np.arange(n + 1)), shape=(3 * n, 96))
        dense = np.ascontiguousarray((J.T @ hessian @ J).toarray())
        mixed = np.einsum("bvi,bvj->bij", arm.reshape(16, -1, 3), gradient.reshape(16, -1, 3))
        bend = 0.5 * (mixed + np.transpose(mixed, (0, 2, 1))) - np.trace(mixed, axis1=1, axis2=2)[:, None, None] * np.eye(3)
        k = np.arange(16)
        dense.reshape(16, 6, 16, 6)[k, 3:, k, 3:] += bend
        return value, J.T @ gradient.ravel(), dense


def forces(gaps, real, sizes=(2, 4, 7)):
    """{name: force per mu at each gap [1/m^2]} between two balls, towards each other along an axis that is no mesh axis."""
    found = {}
    axis = np.array([0.8, 0.48, 0.36])
    for n in sizes:
        vertices, faces = ball(n)
        pair = Hierarchy([triangles(vertices, faces)], [0, 0], epsilon=EPSILON, slots=0, library=real)
        found[f"{8 * n * n} triangles"] = [
            -pair.potential([np.eye(3)] * 2, [axis * (2 * RADIUS + gap), np.zeros(3)]).gradient[:3] @ axis for gap in gaps]
    sphere = Hierarchy([[np.zeros((1, 3))]], [0, 0], radii=[RADIUS], epsilon=1e6, slots=0, library=real)
    found["spheres"] = [-sphere.potential([np.eye(3)] * 2, [axis * (2 * RADIUS + gap), np.zeros(3)]).gradient[:3] @ axis
                        for gap in gaps]
    return found


def force_rows(real):
    found = forces(GAPS, real)
    return [{"gap": gap, **{name: force[k] for name, force in found.items()}} for k, gap in enumerate(GAPS)]


def animal(path):
    """Corners [triangles, 3, 3] about their mean, 0.1 m at most from it along an axis."""
    corners = np.array(meshes.read(path).corners).reshape(-1, 3, 3)
    corners -= corners.mean(axis=(0, 1))
    return corners * RADIUS / np.abs(corners).max()


def touch_distance(pair, axis):
    """The last distance along the axis at which two bodies are apart, to rounding."""
    low, high = 0.0, 4 * RADIUS
    for _ in range(48):
        middle = 0.5 * (low + high)
        try:
            pair.potential([np.eye(3)] * 2, [middle * axis, 0 * axis], derive=False)
            high = middle
        except Touching:
            low = middle
    return high


def mesh_rows(folder, real):
    """Two meshes that are not convex, from touching to a kilometre apart along x."""
    corners = [animal(Path(folder) / f"{name}.obj") for name in ANIMALS]
    pair, cold = (Hierarchy(corners, [0, 1], epsilon=EPSILON, library=real, slots=slots) for slots in (8192, 0))
    axis, rows = np.array([1.0, 0.0, 0.0]), []
    touch = touch_distance(pair, axis)
    for gap in CLOSE:
        place = [(touch + gap) * axis, 0 * axis]
        found = pair.potential([np.eye(3)] * 2, place)
        rows.append({"gap": gap, "triangles": sum(map(len, corners)), "value": found.value,
                     "force": float(np.linalg.norm(found.gradient[:3])), "exact": found.exact, "centred": found.centred,
                     "cold_ms": best(lambda: cold.potential([np.eye(3)] * 2, place)),
                     "warm_ms": best(lambda: pair.potential([np.eye(3)] * 2, place))})
    return rows


def times_of_frames(who, shot, frames):
    took, newton = shot.run(frames)
    return {f"{who}frame_ms": 1e3 * np.mean(took), f"{who}frame_worst_ms": 1e3 * np.max(took), f"{who}newton": np.mean(newton)}


def measure(sizes, frames, real, threads=2, peer=True):
    rows = []
    for n in sizes:
        mesh = ball(n)
        row = {"triangles": 16 * 8 * n * n, **evaluate(mesh, real, threads), "brute_ms": brute(mesh, real)}
        if frames:
            scene = Hierarchy([triangles(*mesh)], [0] * 16, epsilon=EPSILON, library=real)
            row.update(times_of_frames("", Break(mesh[0], rack(), Trees(scene)), frames))
        for name, reach in (("1cm", 0.01), ("1mm", 0.001)) if peer else ():
            row[f"ipc_{name}_ms"], row[f"ipc_{name}_collisions"] = Toolkit(mesh, reach).time()
        if frames and peer:
            row.update(times_of_frames("ipc_", Break(mesh[0], rack(), Toolkit(mesh, 0.001)), frames))
        rows.append(row)
        say(f"{row['triangles']} triangles: {row['derivatives_ms']:.1f} ms")
    return rows


def as_csv(rows, columns):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(["" if row.get(name) is None else f"{row[name]:.4g}" if isinstance(row[name], float) else row[name]
                         for name in columns])
    return out.getvalue()


def table(text, header):
    """The CSV as a table of a page: `header` has (column, its words)."""
    rows = csv.DictReader(io.StringIO(text))
    lines = ["| " + " | ".join(words for _, words in header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row[name] for name, _ in header) + " |" for row in rows]) + "\n"


def page(text, folder):
    """The page with its tables as the files of the folder have them."""
    def kept(name):
        return (Path(folder) / name).read_text(encoding="utf-8")

    def replaced(found):
        if found[2] == "times":
            made = table(kept("hierarchy.csv"), [
                ("triangles", "triangles"), ("exact", "exact pairs"), ("centred", "pairs of spheres"), ("value_ms", "value"),
                ("derivatives_ms", "and derivatives"), ("cold_ms", "without kept planes"), ("two_threads", "two threads: times as fast"),
                ("brute_ms", "plain sum"), ("frame_ms", "frame"), ("newton", "its Newton steps"), ("ipc_1cm_ms", "IPC Toolkit, 1 cm"),
                ("ipc_1mm_ms", "1 mm"), ("ipc_frame_ms", "IPC Toolkit's frame"), ("ipc_newton", "its Newton steps")])
        elif found[2] == "forces":
            text = kept("hierarchy_forces.csv")
            made = table(text, [(name, f"{name} [m]" if name == "gap" else name) for name in text.splitlines()[0].split(",")])
        else:
            made = table(kept("hierarchy_meshes.csv"), [
                ("gap", "gap [m]"), ("value", "value [1/m]"), ("force", "force / μ [1/m²]"), ("exact", "exact pairs"),
                ("centred", "pairs of spheres"), ("cold_ms", "ms, cold"), ("warm_ms", "ms, kept planes")])
        return found[1] + made + found[3]
    return PLACE.sub(replaced, text)


def draw(rows, path, real):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    figure = Figure(figsize=(11, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    count = [row["triangles"] for row in rows]
    for name, label, style in (("brute_ms", "plain sum, one evaluation", "k--"), ("frame_ms", "trees: one frame", "C1o-"),
                               ("ipc_frame_ms", "IPC Toolkit, 1 mm: one frame", "C1s--"),
                               ("derivatives_ms", "trees: value, gradient, Hessian", "C0o-"), ("value_ms", "trees: value", "C0o:"),
                               ("ipc_1cm_ms", "IPC Toolkit, 1 cm: one evaluation and CCD", "C2s-"),
                               ("ipc_1mm_ms", "IPC Toolkit, 1 mm: one evaluation and CCD", "C2s:")):
        if all(row.get(name) for row in rows):
            left.loglog(count, [row[name] for row in rows], style, label=label)
    left.set(xlabel="triangles of 16 balls", ylabel="time on one thread [ms]", title="Time by resolution")
    left.set_xticks(count, [str(k) for k in count])
    left.minorticks_off()
    left.set_ylim(0.5, 1e6)
    left.legend(fontsize=8)
    gaps = np.geomspace(1e-3, 3, 160)
    for name, force in forces(gaps, real).items():
        right.loglog(gaps, force, "k" if name == "spheres" else "", label=name)
    right.set(xlabel="gap [m]", ylabel="force / μ [1/m²]", title="Two balls of radius 0.1 m push each other apart")
    right.legend(fontsize=8)
    for axes in (left, right):
        axes.grid(alpha=0.3)
    figure.savefig(path, dpi=110)


def main(words=None):
    p = argparse.ArgumentParser(prog="python -m tinycontact.peers.hierarchy", description=__doc__.splitlines()[0],
                                epilog="Set OPENBLAS_NUM_THREADS=1, or NumPy's own threads count in the frames' times.")
    p.add_argument("-o", "--out", metavar="FOLDER", default=".", help="where the tables are written (default: here)")
    p.add_argument("--plot", metavar="OUT.png", help="draw times by resolution, and forces by gap")
    p.add_argument("--meshes", metavar="FOLDER", help="spot.obj and blub.obj; without it their table is not made")
    p.add_argument("--page", metavar="PAGE.md", help="write the tables into this page")
    p.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N", help="meshes of 8 N^2 triangles per ball")
    p.add_argument("--frames", type=int, default=25, help="frames of the break shot, 0.04 s each; 0: none (default: 25)")
    p.add_argument("--no-peer", action="store_true", help="without IPC Toolkit")
    options = p.parse_args(words)
    real, folder = Library(real="double"), Path(options.out)
    rows, pushes = measure(options.sizes, options.frames, real, peer=not options.no_peer), force_rows(real)
    tables = {"hierarchy.csv": as_csv(rows, COLUMNS), "hierarchy_forces.csv": as_csv(pushes, list(pushes[0]))}
    if options.meshes:
        near = mesh_rows(options.meshes, real)
        tables["hierarchy_meshes.csv"] = as_csv(near, list(near[0]))
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in tables.items():
        print(text, end="")
        write_whole(str(folder / name), text.encode("utf-8"))
    if options.page:
        write_whole(options.page, page(read_text(options.page), folder).encode("utf-8"))
    if options.plot:
        draw(rows, options.plot, real)
    return 0


if __name__ == "__main__":
    sys.exit(main())
