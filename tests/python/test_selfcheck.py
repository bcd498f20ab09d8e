# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Builds that break the arithmetic on purpose: refused where the compiler can tell, harmless where the sources say how
they are to be compiled, found by tc_selfcheck() where neither helps."""
import ctypes
import functools
import os
import platform
import re
import shutil
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import tinycontact_case  # noqa: F401  (the package's folder)
from tinycontact.errors import TinycontactError
from tinycontact.library import Library
from tree import INCLUDES, LIB, lib_file

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [str(path.relative_to(ROOT)) for path in sorted([*LIB, *ROOT.glob("port/portable/*.c")])]
NEEDED = [*(str(lib_file(f"tc_{name}.c").relative_to(ROOT))
            for name in ("mat", "mat_solve", "math", "selfcheck", "softplus_table", "tanh_table", "version")),
          *(name for name in SOURCES if name.startswith("port/portable/mat_"))]   # by the check itself
ROUNDING, FUSED, SPECIAL, SUBNORMAL, FUNCTIONS, KERNELS = (1 << bit for bit in range(6))
MAIN = """
#include "tinycontact.h"
#include <stdio.h>
int main(void)
{
    printf("%u\\n%s\\n%s\\n", (unsigned)tc_selfcheck(), tc_selfcheck_text(tc_selfcheck()), tc_version_text());
    return 0;
}
"""
# A host core with a fused multiply-add, and the words before a program for it.
GCC_FMA = (["gcc", "-march=haswell"], [])
CLANG_FMA = (["clang", "-march=haswell"], [])
AARCH64 = (["aarch64-linux-gnu-gcc", "-static"], ["qemu-aarch64"])
UNPROTECTED = "-DTC_EXACT_H"   # as if tc_exact.h were not there


def compiled(command):
    return subprocess.run(command, cwd=ROOT, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


@functools.lru_cache(None)
def has_fma():
    return "fma" in Path("/proc/cpuinfo").read_text().split()


class Case(unittest.TestCase):
    def needs(self, core):
        compiler, runner = core
        if not all(shutil.which(word) for word in [compiler[0], *runner]) or not (runner or has_fma()):
            self.skipTest(f"no {' '.join([compiler[0], *runner])} here, or no fused multiply-add")

    def told(self, core, *flags):
        """(findings, the first in words, the build's text) of what the check needs, built with these flags."""
        self.needs(core)
        compiler, runner = core
        with tempfile.TemporaryDirectory() as there:
            main, program = Path(there) / "main.c", Path(there) / "main"
            main.write_text(MAIN)
            done = compiled([*compiler, "-O2", *flags, *INCLUDES, "-Iport", "-ffunction-sections", "-Wl,--gc-sections", main,
                             *NEEDED, "-lm", "-o", program])
            self.assertEqual(0, done.returncode, done.stdout[-2000:])
            said = subprocess.run([*runner, program], text=True, capture_output=True, check=True).stdout.splitlines()
        return int(said[0]), said[1], said[2]


class Refused(Case):
    """By tc_config.h, so that no file of the library, and none that includes a header of it, is compiled."""

    def test_fast_math_and_its_parts(self):
        for compiler, flags in (("gcc", ["-ffast-math"]), ("gcc", ["-Ofast"]), ("gcc", ["-ffinite-math-only"]),
                                ("gcc", ["-funsafe-math-optimizations"]), ("gcc", ["-freciprocal-math"]),
                                ("gcc", ["-fno-signed-zeros"]), ("clang", ["-ffast-math"]), ("clang", ["-Ofast"]),
                                ("clang", ["-ffinite-math-only"])):
            for source in ("lib/math/tc_mat.c", "port/portable/mat_vec.c"):
                with self.subTest(compiler=compiler, flags=flags, source=source):
                    done = compiled([compiler, *flags, "-std=c11", *INCLUDES, "-Iport", "-fsyntax-only", source])
                    self.assertNotEqual(0, done.returncode)
                    self.assertIn("tinycontact: not under -ffast-math", done.stdout)
                    self.assertIn("append -fno-fast-math", done.stdout)

    def test_the_way_out_that_is_named(self):
        done = compiled(["gcc", "-ffast-math", "-fno-fast-math", *INCLUDES, "-fsyntax-only", "lib/math/tc_mat.c", "-Iport"])
        self.assertEqual(0, done.returncode, done.stdout)


class Fused(Case):
    """What a build system chooses beside -std=c11 -ffp-contract=off must not change a bit."""

    def test_every_source_says_how_it_is_compiled(self):
        for path in sorted([*LIB, *ROOT.glob("port/*/*.c")]):
            first = re.search(r"^#include (.*)$", path.read_text(), re.M)
            self.assertEqual('"tc_exact.h"', first and first.group(1), path.relative_to(ROOT))

    def test_compilers_that_fuse_unasked(self):
        for core, flags in ((GCC_FMA, ["-std=gnu17"]), (GCC_FMA, ["-ffp-contract=fast", "-O3"]), (CLANG_FMA, []),
                            (CLANG_FMA, ["-ffp-contract=on"])):
            with self.subTest(core=core[0], flags=flags):
                self.assertEqual((0, "ok"), self.told(core, *flags)[:2])

    def test_aarch64(self):
        self.assertEqual((0, "ok"), self.told(AARCH64, "-std=gnu17")[:2])
        self.assertEqual((0, "ok"), self.told(AARCH64, "-ffp-contract=fast", "-O3")[:2])

    def test_found_where_the_protection_is_taken_away(self):
        for core, flags in ((GCC_FMA, ["-std=gnu17", UNPROTECTED]), (AARCH64, ["-std=gnu17", UNPROTECTED]),
                            (CLANG_FMA, ["-ffp-contract=fast"])):
            with self.subTest(core=core[0], flags=flags):
                found, text, build = self.told(core, *flags)
                self.assertEqual(FUSED | FUNCTIONS | KERNELS, found)
                self.assertIn("fused", text)
                self.assertRegex(build, "^tinycontact [0-9.]+ contracted portable")

    def test_one_file_that_fuses_is_found_by_its_bits(self):
        """Where a build system has flags per file."""
        self.needs(GCC_FMA)
        for source, bits in (("lib/math/tc_math.c", FUNCTIONS), ("port/portable/mat_mul.c", KERNELS),
                             ("port/portable/mat_factor.c", KERNELS)):
            with self.subTest(source=source), tempfile.TemporaryDirectory() as there:
                (Path(there) / "main.c").write_text(MAIN)
                flags = ["-O2", "-march=haswell", *INCLUDES, "-Iport", "-ffunction-sections"]
                one = compiled(["gcc", *flags, UNPROTECTED, "-c", source, "-o", f"{there}/one.o"])
                self.assertEqual(0, one.returncode, one.stdout)
                rest = compiled(["gcc", *flags, "-Wl,--gc-sections", f"{there}/main.c", f"{there}/one.o",
                                 *[name for name in NEEDED if name != source], "-lm", "-o", f"{there}/main"])
                self.assertEqual(0, rest.returncode, rest.stdout)
                said = subprocess.run([f"{there}/main"], text=True, capture_output=True, check=True).stdout
                self.assertEqual(bits, int(said.split()[0]))


INLINE = """
#include "tinycontact.h"
#include <stdio.h>
int main(void)
{
    volatile float seed = 1.0f / 3.0f;
    float A[9], x[3], y[3], L[9];
    for (int i = 0; i < 9; i++) A[i] = seed / (float)(1 + (i / 3) + (i % 3)) + (i % 4 == 0);
    for (int i = 0; i < 3; i++) x[i] = seed / (float)(i + 2);
    tc_mat3_vec(A, x, y);
    tc_mat3_cholesky(A, L);
    printf("%a %a %a %a %a\\n", (double)y[0], (double)y[1], (double)y[2], (double)L[4], (double)L[8]);
    return 0;
}
"""


class Inline(Case):
    """The inline forms end in the application's functions, whose flags are not ours."""

    def said(self, core, *flags):
        self.needs(core)
        compiler, runner = core
        with tempfile.TemporaryDirectory() as there:
            (Path(there) / "main.c").write_text(INLINE)
            done = compiled([*compiler, "-O2", *flags, *INCLUDES, f"{there}/main.c", "-lm", "-o", f"{there}/main"])
            self.assertEqual(0, done.returncode, done.stdout)
            return subprocess.run([*runner, f"{there}/main"], text=True, capture_output=True, check=True).stdout

    def test_keep_their_bits(self):
        for core in (GCC_FMA, CLANG_FMA, AARCH64):
            with self.subTest(core=core[0]):
                exact = self.said(core, "-std=c11", "-ffp-contract=off")
                self.assertEqual(exact, self.said(core, "-std=gnu17"))
                self.assertEqual(exact, self.said(core, "-std=c11", "-ffp-contract=off", "-DTC_CONTRACT_OFF"))


class Golden(unittest.TestCase):
    """The kernels' hash from NumPy's float32, in the order of sums that tc_kernel_mat.h prescribes."""

    SIZE = 5

    def draw(self, seed, n):
        numbers = []
        for _ in range(n):
            seed = (seed * 1664525 + 1013904223) % 2**32
            numbers.append(np.float32((seed >> 8) * 2.0**-24))
        return seed, numbers

    @staticmethod
    def dot(start, sign, pairs):
        for a, b in pairs:
            start = np.float32(start + sign * np.float32(a * b))
        return start

    def product(self, rows, columns):
        return [[self.dot(np.float32(row[0] * column[0]), 1, zip(row[1:], column[1:])) for column in columns]
                for row in rows]

    def test_kernels(self):
        n = self.SIZE
        seed, numbers = self.draw(2, n * n)
        b = self.draw(seed, n)[1]
        A = [numbers[i * n:i * n + n] for i in range(n)]
        for i in range(n):
            A[i][:i] = [A[j][i] for j in range(i)]
            A[i][i] = np.float32(A[i][i] + np.float32(n))
        P = self.product(A, A)   # symmetric: its columns are its rows
        L = [[np.float32(0)] * n for _ in range(n)]
        for j in range(n):
            L[j][j] = np.sqrt(self.dot(A[j][j], -1, zip(L[j][:j], L[j][:j])))
            reciprocal = np.float32(1) / L[j][j]
            for i in range(j + 1, n):
                L[i][j] = np.float32(self.dot(A[i][j], -1, zip(L[i][:j], L[j][:j])) * reciprocal)
        x = [np.float32(0)] * n
        for i in range(n):
            x[i] = np.float32(self.dot(b[i], -1, zip(L[i][:i], x[:i])) / L[i][i])
        for i in reversed(range(n)):
            x[i] = np.float32(self.dot(x[i], -1, ((L[k][i], x[k]) for k in range(i + 1, n))) / L[i][i])
        y = [row[0] for row in self.product(A, [x])]
        digest = 0
        for number in [*sum(P, []), *x, *y]:
            bits = struct.unpack("<I", struct.pack("<f", number))[0]
            digest = (digest ^ bits) * 16777619 % 2**32
        kept = re.search(r"#define KERNELS_HASH (0x\w+)u", (ROOT / "lib/math/tc_selfcheck.c").read_text()).group(1)
        self.assertEqual(int(kept, 16), digest)


MODE = """
#include <xmmintrin.h>
unsigned mode_read(void) { return _mm_getcsr(); }
void mode_write(unsigned mode) { _mm_setcsr(mode); }
"""
FLUSH = 1 << 15


class Package(unittest.TestCase):
    """The Python package refuses a library that fails its check."""

    def test_every_build_it_makes_is_sound(self):
        for backend, real in (("portable", "float"), ("portable", "double")):
            Library(backend, real)

    def test_a_library_that_fuses_is_refused(self):
        if not has_fma() or not shutil.which("gcc"):
            self.skipTest("no fused multiply-add here")
        with tempfile.TemporaryDirectory() as there:
            shared = Path(there) / "libtinycontact.so"
            flags = ["-march=haswell", UNPROTECTED, *INCLUDES, "-Iport", "-fPIC"]
            rest = compiled(["gcc", "-O0", *flags, "-r", "-nostdlib", *sorted({*SOURCES} - {*NEEDED}), "-o", f"{there}/rest.o"])
            self.assertEqual(0, rest.returncode, rest.stdout)   # -O0, in a third of the time, fuses nothing
            done = compiled(["gcc", "-O2", "-shared", *flags, *NEEDED, f"{there}/rest.o", "-lm", "-o", shared])
            self.assertEqual(0, done.returncode, done.stdout)
            with mock.patch.dict(os.environ, TINYCONTACT_LIBRARY=str(shared)):
                with self.assertRaisesRegex(TinycontactError, "fails its own check: products and sums are fused"):
                    Library()

    @unittest.skipUnless(platform.machine() == "x86_64", "sets a register of x86-64")
    def test_a_process_that_flushes_to_zero_is_told(self):
        """Some Python modules, linked with -ffast-math, set that mode when they are imported."""
        with tempfile.TemporaryDirectory() as there:
            (Path(there) / "mode.c").write_text(MODE)
            done = compiled(["gcc", "-O2", "-fPIC", "-shared", f"{there}/mode.c", "-o", f"{there}/mode.so"])
            self.assertEqual(0, done.returncode, done.stdout)
            mode = ctypes.CDLL(f"{there}/mode.so")
            kept = mode.mode_read()
            mode.mode_write(kept | FLUSH)
            try:
                with self.assertRaisesRegex(TinycontactError, "fails its own check: subnormal numbers are flushed"):
                    Library()
            finally:
                mode.mode_write(kept)


if __name__ == "__main__":
    unittest.main()
