# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Hunts for the inputs on which public functions execute the most instructions on a Cortex-M4F.

    python3 tests/hunt/hunt.py                                   all subjects; renews tests/hunt/worst.csv
    python3 tests/hunt/hunt.py --subject lcp_psd --size 6 --generations 200 --seed 7

A generation is one run of the firmware in this folder on a few hundred inputs: new ones drawn at random, and
alterations of the dearest so far: hill climbing from many places at once. An altered input that costs more
takes the place of its ancestor, so that the elite stays diverse. worst.csv keeps the dearest input of every
subject and size (record.py counts them again); the next hunt has to beat it.

What it proves: a lower bound of the worst case, seen. The upper bound is the one stated in the header.
"""
import argparse
import struct

import numpy as np

from record import BOARD, PROFILE, build, common, count, count_row, read_worst, write_worst


# ---- Subjects: how inputs of a function are drawn, altered and laid out ------------------------------

def _noise_everywhere(J, q, i, k, step, rng):
    J += step * rng.normal(size=J.shape) * np.abs(J).max()


def _noise_in_row(J, q, i, k, step, rng):
    J[i] += step * rng.normal(size=J.shape[1]) * np.abs(J[i]).max()


def _nearly_copy(J, q, i, k, step, rng):
    J[i] = J[k] * (1 + step * rng.normal(size=J.shape[1]))
    q[i] = q[k] * (1 + step * rng.normal())


def _turn_round(J, q, i, k, step, rng):
    J[i] *= -1


def _clear(J, q, i, k, step, rng):
    J[i, rng.integers(J.shape[1])] = 0


def _scale(J, q, i, k, step, rng):
    factor = 10.0 ** rng.uniform(-1, 1)
    J[i], q[i] = J[i] * factor, q[i] * factor


def _move_in_range(J, q, i, k, step, rng):
    q += J @ rng.normal(size=J.shape[1]) * step


def _move_one(J, q, i, k, step, rng):
    q[i] += step * rng.normal() * (np.abs(q).max() + 1e-9)


def _draw_row(J, q, i, k, step, rng):
    J[i], q[i] = rng.uniform(-1, 1, J.shape[1]), rng.uniform(-1, 1)


CHANGES = (_noise_everywhere, _noise_in_row, _nearly_copy, _turn_round, _clear, _scale, _move_in_range,
           _move_one, _draw_row)


class Lcp:
    """tc_lcp_solve. A genome is (J, q, set to start from); what is handed over is J itself (d columns), a
    square J as M (general), or M = J J^T, J having columns(n, rng) columns."""

    def __init__(self, n, d=0, general=False, columns=None):
        self.n, self.d, self.general, self.columns = n, d, general, columns
        self.layout = (0, n, d, int(general), 0)

    def draw(self, rng):
        n = self.n
        r = self.d or (n if self.general else self.columns(n, rng))
        J = rng.integers(-3, 4, (n, r)).astype(float) if rng.random() < 0.2 else rng.uniform(-1, 1, (n, r))
        for shape in ((n, 1), (1, r)):   # rows, or masses, of other sizes
            if rng.random() < 0.2:
                J *= 10.0 ** rng.uniform(-2, 2, shape)
        for _ in range(rng.integers(0, n) if rng.random() < 0.3 else 0):
            J[rng.integers(n)] = J[rng.integers(n)]
        q = J @ rng.uniform(-1, 1, r) if rng.random() < 0.8 else rng.uniform(-1, 1, n)
        return J, q, self._any_start(rng)

    def _any_start(self, rng):
        return int(rng.integers(1 << self.n)) if rng.random() < 0.3 else 0

    def alter(self, genome, rng):
        J, q, start = genome[0].copy(), genome[1].copy(), genome[2]
        for _ in range(rng.integers(1, 4)):
            i, k = rng.integers(self.n), rng.integers(self.n)
            which = rng.integers(len(CHANGES) + 1)
            if which < len(CHANGES):
                CHANGES[which](J, q, i, k, 10.0 ** rng.uniform(-7, 0), rng)
            else:
                start = start ^ 1 << int(i) if rng.random() < 0.7 else self._any_start(rng)
        return J, q, start

    def pack(self, genome):
        J, q, start = genome
        given = J.astype(np.float32).astype(np.float64)
        matrix = given if self.d or self.general else given @ given.T
        with np.errstate(over="ignore"):
            values = np.concatenate([np.ravel(matrix), q]).astype("<f4")
        return np.where(np.isfinite(values), values, np.float32(0)).tobytes() + struct.pack("<I", start)


class PsdSolve(Lcp):
    """tc_mat_psd_solve: A = J J^T and b = q."""

    def __init__(self, n, columns):
        super().__init__(n, columns=columns)
        self.layout = (2, n, 0, 0, 0)

    def pack(self, genome):
        return super().pack(genome)[:-4]


class Elementary:
    """Functions of one number or two: any bits, ordinary sizes more often. A genome is two words."""

    def __init__(self, index):
        self.layout = (1, index, 0, 0, 0)

    def draw(self, rng):
        bits = rng.integers(0, 1 << 32, 2, dtype=np.uint64)
        ordinary = (rng.normal(size=2) * 10.0 ** rng.uniform(-3, 5)).astype("<f4").view("<u4")
        return np.where(rng.random(2) < 0.3, bits, ordinary).astype("<u4")

    def alter(self, genome, rng):
        flipped = genome ^ (np.uint32(1) << rng.integers(0, 32, 2).astype(np.uint32))
        moved = genome + rng.integers(-1000, 1000, 2).astype(np.int32).view(np.uint32)
        return np.where(rng.random(2) < 0.5, flipped, moved).astype("<u4")

    def pack(self, genome):
        return genome.tobytes()


class Numbers:
    """Functions whose input the firmware makes, within bounds, of numbers from 0 to 1. A genome is those."""

    def __init__(self, count, *layout):
        self.count, self.layout = count, (*layout, 0, 0, 0)[:5]

    def draw(self, rng):
        return rng.random(self.count)

    def alter(self, genome, rng):
        altered, few = genome.copy(), rng.random(self.count) < rng.choice([1, 2, 5]) / self.count
        how = rng.random()
        if how < 0.6:
            altered[few] += 10.0 ** rng.uniform(-4, 0) * rng.normal(size=few.sum())
        elif how < 0.8:
            altered[few] = rng.random(few.sum())
        else:   # the ends, and the middle, which is 0 of what has a sign
            altered[few] = rng.choice([0, 0.5, 1], few.sum())
        return np.clip(altered, 0, 1)

    def pack(self, genome):
        return genome.astype("<f4").tobytes()


def deficient(n, rng):
    """As many columns as the bench's rank-deficient problems, as a body's degrees of freedom, or any."""
    return int(rng.choice([(n + 1) // 2, 1, 2, 3, 6, rng.integers(1, n + 1)]))


def regular(n, rng):
    return n + int(rng.integers(0, 3))


SIZES = (2, 3, 4, 6, 8, 12, 16)
SUBJECTS = {f"lcp_spd/{n}": Lcp(n, columns=regular) for n in SIZES}
SUBJECTS |= {f"lcp_psd/{n}": Lcp(n, columns=deficient) for n in SIZES}
SUBJECTS |= {f"lcp_body2/{n}": Lcp(n, d=3) for n in (2, 6, 12)}
SUBJECTS |= {f"lcp_body3/{n}": Lcp(n, d=6) for n in (6, 12)}
SUBJECTS |= {f"lcp_general/{n}": Lcp(n, general=True) for n in (2, 4, 6, 12)}
ELEMENTARY = ("exp", "log", "tanh", "sigmoid", "softplus", "sin", "cos", "density", "distribution", "ratio",
              "atan2")   # hunt_math.c's list, atan2 behind its end
SUBJECTS |= {f"psd_solve/{n}": PsdSolve(n, deficient) for n in (3, 6, 12)}
SUBJECTS |= {f"{name}/1": Elementary(index) for index, name in enumerate(ELEMENTARY)}
NET, SMALL = "8-32-32-16-3", "16-16"
SUBJECTS |= {f"mlp_{name}_f32{grad and '_grad'}/{NET}": Numbers(16, 3, kind, int(bool(grad)))
             for kind, name in ((1, "relu"), (2, "tanh"), (3, "sigmoid"), (4, "softplus")) for grad in ("", "grad")}
SUBJECTS |= {f"detect2/{n}": Numbers(4, 4, n) for n in (4, 16, 64)}
SUBJECTS |= {f"detect3_face/{n}": Numbers(6 + 2 * n, 5, n) for n in (8, 16, 64)}
SUBJECTS |= {f"patch_{name}/8": Numbers(33, 6, 8, which)
             for which, name in enumerate(("rows", "impulse", "velocity", "check"))}
DART, TOC, GAP = 0, 1, 2   # position schemes
FOOT = 16                  # numbers of its four nets
SUBJECTS |= {f"foot2_step_{name}/{SMALL}": Numbers(FOOT + 10, 7, scheme, contacts) for name, scheme, contacts in
             (("point", DART, 1), ("edge", DART, 2), ("point_toc", TOC, 0), ("point_gap", GAP, 0))}
SUBJECTS |= {f"limb2_step_{name}/3": Numbers(FOOT + 14, 8, scheme, contacts) for name, scheme, contacts in
             (("point", DART, 1), ("edge", DART, 2), ("bound", GAP, 2))}
SUBJECTS |= {f"foot3_step_{name}/{SMALL}": Numbers(33, 9, scheme, tilts) for name, scheme, tilts in
             (("point", DART, 2), ("edge", DART, 1), ("face", DART, 0), ("gap", GAP, 0), ("toc", TOC, 3))}
SUBJECTS |= {f"cdl_{name}": Numbers(2 + 4 * bodies + nets, 10, kind, bodies) for kind, (name, bodies, nets) in
             enumerate((("ball_bounce/1", 1, 0), ("cradle_strike/2", 2, 0), ("row/8", 8, 0), ("heap/8", 8, 0),
                        ("nets_softplus/32", 2, 6)))}   # names and sizes as in the bench
SUBJECTS |= {"estimator_update/2": Numbers(4 + 5 * 20, 11, 2)}   # the leg, and the sensors of 5 ticks
SUBJECTS |= {f"cone{rows}{'_box' * box}{'_restitution' * back}/{n}":
             Numbers(6 * (rows - 1) + 2 * n + (6 if box else 3 * n * rows * (rows - 1)), 12, n, rows, box, back)
             for rows, box, n in ((2, 0, 2), (2, 0, 8), (3, 0, 1), (3, 1, 4), (3, 0, 8)) for back in (0, 1)}


# ---- Hunting -----------------------------------------------------------------------------------------

def hunt(tools, subject, options, rng):
    """(instructions, status, changes, packed input) of the dearest input found."""
    elite = []   # [(result, packed, genome)], dearest first
    for generation in range(options.generations):
        fresh = options.inputs if generation == 0 else options.inputs // 4
        bred = [(subject.draw(rng), None) for _ in range(fresh)]
        while len(bred) < options.inputs:
            parent = elite[int(len(elite) * rng.random() ** 2)]   # the dearest most often
            bred.append((subject.alter(parent[2], rng), parent))
        packed = [subject.pack(genome) for genome, _ in bred]
        beaten = set()
        for result, blob, (genome, parent) in zip(count(tools, subject.layout, packed), packed, bred):
            if parent is None or result[0] > parent[0][0]:
                elite.append((result, blob, genome))
                beaten.add(id(parent))
        elite = sorted((entry for entry in elite if id(entry) not in beaten), key=lambda entry: -entry[0][0])
        del elite[options.elite:]
    result, blob, _ = elite[0]
    return (*result, blob)


def row_of(name, subject, found):
    title, size = name.split("/")
    total, status, changes, blob = found
    return {"subject": title, "size": size, "board": BOARD, "profile": PROFILE, "instructions": total,
            "status": status, "changes": changes, "layout": " ".join(map(str, subject.layout)),
            "input": blob.hex()}


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    titles = dict.fromkeys(name.split("/")[0] for name in SUBJECTS)
    parser.add_argument("--subject", help=f"one of {', '.join(titles)} (default all)")
    parser.add_argument("--size", help="number of contacts, or dimension")
    parser.add_argument("--generations", type=int, default=40)
    parser.add_argument("--inputs", type=int, default=400, help="per generation (default 400)")
    parser.add_argument("--elite", type=int, default=40, help="inputs that are altered (default 40)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--image", nargs=2, metavar=("ELF", "PLUGIN"), help="instead of building them")
    return parser.parse_args()


def main():
    args = options()
    names = [name for name in SUBJECTS if args.subject in (None, name.split("/")[0])
             and args.size in (None, name.split("/")[1])]
    if not names:
        raise common.Fault("no subject of that name and size; --help lists them")
    tools = args.image or build()
    for name in names:
        subject, table = SUBJECTS[name], read_worst()
        rng = np.random.default_rng([args.seed, list(SUBJECTS).index(name)])
        found = hunt(tools, subject, args, rng)
        old = count_row(tools, table[name], name) if name in table else (0,)
        beaten = found[0] > old[0]
        table[name] = row_of(name, subject, found if beaten else (*old, bytes.fromhex(table[name]["input"])))
        write_worst(table, list(SUBJECTS))
        print(f"{name:32} {found[0]:>8} instructions, {found[1]}, {found[2]} changes"
              + ("" if beaten else f"; recorded stay {old[0]}"), flush=True)
    return 0


if __name__ == "__main__":
    common.main(main)
