# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What a user takes away, and what must not build: the tests that run compilers and make."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from tree import INCLUDES, LIB, lib_file

ROOT = Path(__file__).resolve().parents[2]


def run(*command, cwd=ROOT, env=None, status=0):
    """Runs a command and returns its output; a test fails with that output on another exit status."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**{k: v for k, v in os.environ.items() if k != "MAKEFLAGS"}, **(env or {})})
    if status is not None and done.returncode != status:
        raise AssertionError(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout


def take_away(*choices):
    """`make lib` with these choices; the folder it names."""
    output = run("make", "-s", "lib", *choices)
    return ROOT / re.search(r"^(build/take/[^:]+):", output, re.M).group(1)


class TakeAway(unittest.TestCase):
    """The archive, headers and pkg-config file work in a folder that knows nothing of this one."""

    def foreign(self, folder, **env):
        with tempfile.TemporaryDirectory() as there:
            shutil.copytree(folder, Path(there) / "tc")
            for name in ("Makefile", "main.c"):
                shutil.copy(ROOT / "tests/foreign" / name, there)
            env = {"PKG_CONFIG_PATH": str(Path(there) / "tc/lib/pkgconfig"), **env}
            run("make", "main", cwd=there, env=env)
            return run("./main", cwd=there) if "CC" not in env else run("file", "main", cwd=there)

    def test_makefile_has_three_lines(self):
        self.assertEqual(3, len((ROOT / "tests/foreign/Makefile").read_text().splitlines()))

    def test_host(self):
        for choices in ([], ["PROFILE=fast"], ["TANH=small", "UNROLL=0"]):
            with self.subTest(choices=choices):
                self.foreign(take_away(*choices))

    def test_cross(self):
        """Linked for a core with FPU: a wrong float ABI or a missing flag would not link."""
        with tempfile.TemporaryDirectory() as there:
            folder = take_away("CPU=cortex-m4", "FLOAT=hard")
            env = {"PKG_CONFIG_PATH": str(folder / "lib/pkgconfig"), "PKG_CONFIG_ALLOW_CROSS": "1"}
            shutil.copy(ROOT / "tests/foreign/Makefile", there)
            shutil.copy(ROOT / "tests/foreign/main.c", there)
            run("make", "main", "CC=arm-none-eabi-gcc", "LDFLAGS=-nostartfiles -Wl,-e,main", cwd=there, env=env)
            flags = run("arm-none-eabi-readelf", "-h", Path(there) / "main")
            self.assertIn("hard-float ABI", flags)

    def test_flags_are_listed(self):
        for choices, word in ((["CPU=cortex-m55"], "cortex-m55"), (["CPU=cortex-m3", "FLOAT=soft"], "soft"),
                              (["BOARD=mps2-an500"], "fpv5-d16")):
            flags = (take_away(*choices) / "flags.txt").read_text()
            self.assertIn(word, flags)
            self.assertIn("-ffp-contract=off", flags)

    def test_unknown_choices_are_named(self):
        for choice, told in (("BOARD=nucleo", "nucleo"), ("PROFILE=quick", "quick"), ("TANH=big", "big")):
            self.assertIn(told, run("make", "-s", "lib", choice, status=2))
        self.assertIn("cortex-m9", run("make", "-s", "lib", "CPU=cortex-m9", status=2))


class Headers(unittest.TestCase):
    def test_compile_alone_and_as_cpp(self):
        """Every public header stands alone, in C and in C++, with warnings as errors; all together in more dialects."""
        umbrella = (ROOT / "lib/tinycontact.h").read_text()
        alone = ("gcc", "c", "c99"), ("g++", "c++", "c++11")
        more = ("clang", "c", "c99"), ("gcc", "c", "c11"), ("gcc", "c", "gnu17"), ("g++", "c++", "c++20")
        for header in ["tinycontact.h", *re.findall(r'#include "(tc_\w+\.h)"', umbrella)]:
            for compiler, language, standard in (*alone, *(more if header == "tinycontact.h" else ())):
                with self.subTest(header=header, compiler=compiler, language=standard):
                    run(compiler, "-x", language, f"-std={standard}", "-Wall", "-Wextra", "-pedantic-errors", "-Werror",
                        "-fsyntax-only", *INCLUDES, "-include", header, "/dev/null")

    def test_sources_know_no_builtin_by_another_name(self):
        """Outside of -std=c11 `finite` is a function of the compiler."""
        for compiler, standard in (("gcc", "gnu17"), ("clang", "gnu11")):
            with self.subTest(compiler=compiler, language=standard):
                run(compiler, f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *INCLUDES, "-Iport",
                    *LIB, *sorted((ROOT / "port/portable").glob("*.c")))

    def test_alignment_is_kept_by_every_language(self):
        for compiler, language, standard in (("gcc", "c", "c99"), ("gcc", "c", "c11"), ("g++", "c++", "c++11")):
            with self.subTest(language=standard), tempfile.TemporaryDirectory() as there:
                main = Path(there) / f"main.{language.replace('+', 'p')}"
                main.write_text('#include "tc_config.h"\nstatic char odd[3];\nTC_ALIGNED(16) static const float a[3] = {0};\n'
                                "int main(void) { return (int)((uintptr_t)a % 16) + odd[0]; }\n")
                run(compiler, f"-std={standard}", "-pedantic-errors", *INCLUDES, main, "-o", f"{there}/main")
                run(f"{there}/main")


class Applications(unittest.TestCase):
    """Folders of the user's own as APP=; run on the host, where nothing has to be emulated."""

    MAIN = '#include "board.h"\nint app_main(void)\n{\n    board_print("%s\\n");\n    return 0;\n}\n'

    def setUp(self):
        there = tempfile.TemporaryDirectory()
        self.addCleanup(there.cleanup)
        self.folder = Path(there.name)

    def application(self, name, says):
        folder = self.folder / name
        folder.mkdir(parents=True)
        (folder / "main.c").write_text(self.MAIN % says)
        return folder

    def test_two_folders_of_one_name_are_two_images(self):
        """The second one's newer image was once run, and could have been flashed, for the first."""
        left, right = self.application("left/leg", "left leg"), self.application("right/leg", "right leg")
        for folder, says in ((left, "left leg"), (right, "right leg"), (left, "left leg")):
            self.assertIn(says, run("make", "-s", "run", f"APP={folder}"))

    def test_an_application_sees_nothing_of_the_tests(self):
        for header in ("test.h", "unity.h"):
            folder = self.application(header[:-2], "never")
            (folder / "main.c").write_text(f'#include "{header}"\n' + self.MAIN % "never")
            self.assertIn(f"{header}: No such file", run("make", "-s", "run", f"APP={folder}", status=2))

    def test_mistyped_application_is_named(self):
        self.assertIn("no application 'nowhere'", run("make", "-s", "run", "APP=nowhere", status=2))

    def test_model_files_become_symbols(self):
        """Two at once under -j, one with a name that is no identifier: each keeps its own bytes."""
        folder = self.folder / "two"
        folder.mkdir()
        (folder / "hand.tcm").write_bytes(b"H" * 32)
        (folder / "hand-v2.tcm").write_bytes(b"V" * 48)
        (folder / "main.c").write_text(
            '#include "board.h"\nextern const uint8_t hand_tcm[], hand_v2_tcm[];\n'
            "extern const uint32_t hand_tcm_size, hand_v2_tcm_size;\nint app_main(void)\n{\n"
            "    board_print_char(hand_tcm[31]);\n    board_print_u32(hand_tcm_size);\n"
            "    board_print_char(hand_v2_tcm[47]);\n    board_print_u32(hand_v2_tcm_size);\n    return 0;\n}\n")
        self.assertIn("H32V48", run("make", "-s", "-j4", "run", f"APP={folder}"))


TWO_JOINTS = """
#include "tinycontact.h"
int main(void)
{
    tc_real state[TC_ESTIMATOR_STATE(3)], work[TC_ESTIMATOR_WORK(2, 0)];
    tc_leg_link links[3] = {{.body = {0.5f, 0.002f}}, {.body = {0.5f, 0.002f}}, {.body = {0.5f, 0.002f}}};
    const tc_estimator_sensors rest = {.accel = {0.0f, 9.81f}};
    const tc_estimator_config config = tc_estimator_default();
    tc_leg leg = {.root = TC_LEG_RAIL, .links = links, .g = 9.81f, .foot = {0.0f, -0.1f}};
    tc_estimator e;
    tc_estimator_estimate estimate;
    for (unsigned i = 0; i < 3; i++) {
        links[i].joint = TC_CHAIN_REVOLUTE;
        links[i].arm[1] = links[i].anchor[1] = -0.1f;
    }
    leg.joints = 3;
    if (tc_estimator_init(&e, &config, &leg, 0, &rest, state, TC_COUNT(state)) != TC_ERR_UNSUPPORTED) return 1;
    leg.joints = 2;
    if (tc_estimator_init(&e, &config, &leg, 0, &rest, state, TC_COUNT(state)) != TC_OK) return 2;
    return tc_estimator_update(&e, &rest, &estimate, work, TC_COUNT(work)) != TC_OK;
}
"""


class LeftOut(unittest.TestCase):
    def test_two_joints_want_no_loops_over_joints(self):
        """The estimator of two joints, as `make size` configures it, links without the bank for any number."""
        sources = [lib_file(f"tc_{part}.c") for part in ("estimator", "estimator_two", "estimator_base", "estimator_sensors",
                                                       "estimator_gain", "estimator_config", "leg", "math")]
        flags = ["-std=c11", "-O1", "-ffp-contract=off", "-fno-math-errno", "-ffunction-sections", "-fdata-sections",
                 "-Wall", "-Wextra", "-Werror", "-Wl,--gc-sections", *INCLUDES, f"-I{ROOT / 'port'}",
                 f"-I{ROOT / 'tests/bench'}", '-DTC_CONFIG="two_joints.h"']
        with tempfile.TemporaryDirectory() as there:
            (Path(there) / "main.c").write_text(TWO_JOINTS)
            run("gcc", *flags, "main.c", *sources, "-lm", "-o", "leg", cwd=there)
            run("./leg", cwd=there)


class Objects(unittest.TestCase):
    """tools/make/compile.sh: what another configuration compiled is copied, and nothing else."""

    def setUp(self):
        there = tempfile.TemporaryDirectory()
        self.addCleanup(there.cleanup)
        self.folder = Path(there.name)
        (self.folder / "compiler").write_text('#!/bin/sh\ncase " $* " in *" -E "*) ;; *) echo >> runs ;; esac\nexec gcc "$@"\n')
        (self.folder / "compiler").chmod(0o755)
        self.write("int f(void)\n{\n    return ONE;\n}\n")

    def write(self, text):
        (self.folder / "f.c").write_text(text)

    def compiled(self, *flags, debug=("-g",), status=0):
        """Whether the compiler ran to give f.o with these flags."""
        runs = self.folder / "runs"
        runs.write_text("")
        run("sh", ROOT / "tools/make/compile.sh", "gcc 1", "f.o", "./compiler", "-Wall", *debug, "-MMD", *flags, "-c", "f.c",
            cwd=self.folder, status=status)
        return runs.read_text() != ""

    def test_the_same_text_is_compiled_once(self):
        self.assertTrue(self.compiled("-DONE=1"))
        kept = (self.folder / "f.o").read_bytes()
        self.assertFalse(self.compiled("-DONE=1", "-DTWO"))
        self.assertEqual(kept, (self.folder / "f.o").read_bytes())
        self.assertIn("f.c", (self.folder / "f.d").read_text())

    def test_another_text_or_flag_is_compiled(self):
        self.assertTrue(self.compiled("-DONE=1"))
        self.assertTrue(self.compiled("-DONE=2"))
        self.assertTrue(self.compiled("-DONE=1", "-O2"))
        self.write("\nint f(void)\n{\n    return ONE;\n}\n")
        self.assertTrue(self.compiled("-DONE=1"))

    def test_warnings_and_errors_come_again(self):
        self.write("static int f(void)\n{\n    return ONE;\n}\n")
        self.assertTrue(self.compiled("-DONE=1"))
        self.assertTrue(self.compiled("-DONE=1"))
        self.assertTrue(self.compiled("-DONE=1", "-Werror", status=1))
        self.assertTrue(self.compiled("-DONE=+", status=1))

    def test_what_the_preprocessor_says_comes_again(self):
        """It is not in the text that the preprocessor leaves, which is that of a configuration without a fault."""
        self.write("#ifdef REFUSED\n#error no\n#endif\n#ifdef OLD\n#warning old\n#endif\n#if TWO\n#endif\nint f(void)\n{\n"
                   "    return 1;\n}\n")
        self.assertTrue(self.compiled("-Wundef", "-DTWO=0"))
        self.assertFalse(self.compiled("-Wundef", "-DTWO=0"))
        self.assertTrue(self.compiled("-Wundef", "-DTWO=0", "-DREFUSED", status=1))
        for flags in (("-DTWO=0", "-DOLD"), ()):
            self.assertTrue(self.compiled("-Wundef", *flags))
            self.assertTrue(self.compiled("-Wundef", *flags))
            self.assertTrue(self.compiled("-Wundef", "-Werror", *flags, status=1))
        self.assertFalse(self.compiled("-Wundef", "-DTWO=0"))

    def test_lines_count_where_the_object_names_them(self):
        """Without -g the same text on another line is the same object, but not where a sanitizer reports the line."""
        sanitized = ("-fsanitize=undefined",)
        text = "int f(int *a)\n{\n    return a[ONE];\n}\n"
        for flags, again in (((), False), (sanitized, True)):
            self.write(text)
            self.assertTrue(self.compiled("-DONE=1", debug=flags))
            self.write("\n" + text)
            self.assertEqual(again, self.compiled("-DONE=1", debug=flags))

    def test_what_is_used_is_not_old(self):
        """`make test` deletes objects that no job has used for days."""
        self.assertTrue(self.compiled("-DONE=1", "-fcallgraph-info=su"))
        kept = list((self.folder / "build" / "objects").iterdir())
        self.assertEqual(["ci", "o"], sorted(path.suffix[1:] for path in kept))
        for path in kept:
            os.utime(path, (0, 0))
        self.assertFalse(self.compiled("-DONE=1", "-fcallgraph-info=su"))
        self.assertTrue(all(path.stat().st_mtime > 0 for path in kept))


class OneTest(unittest.TestCase):
    def test_by_name(self):
        output = run("make", "-s", "run-unit", "TEST=test_bounces_end")
        self.assertRegex(output, r"test_bounces_end:PASS\n1 Tests 0 Failures")
        self.assertIn("test_nowhere", run("make", "-s", "run-unit", "TEST=test_nowhere", status=2))


class DryRun(unittest.TestCase):
    def test_make_n_runs_no_test(self):
        """It ran them all: make runs what holds its own name even then."""
        self.assertIn("'lcp campaign :: ", run("make", "-n", "test", "ONLY=no job has this label"))

    def test_no_kind_of_job_is_lost(self):
        """The budgets' jobs once fell out in silence: their boards were named in a part that make reads later."""
        jobs = re.findall(r"'([^':]+) :: ", run("make", "-n", "test", "ONLY=no job has this label"))
        for board in ("mps2-an386", "mps2-an500", "mps3-an547"):
            self.assertIn(f"budget {board}", jobs)
        boards = {path.parent.name for path in ROOT.glob("boards/*/board.mk")
                  if "\nBOARD_EXACT_PORTS :=\n" not in path.read_text(encoding="utf-8")}   # too small for unit tests
        self.assertEqual(boards, {word[6:] for job in jobs for word in job.split() if word.startswith("BOARD=")})
        self.assertLessEqual({f"python {path.stem}" for folder in ("python", "evidence")
                               for path in ROOT.glob(f"tests/{folder}/test_*.py")}, set(jobs))
        self.assertLessEqual({"fuzz", "lcp campaign", "trajectories", "table", "vectors"}, set(jobs))


class Shared(unittest.TestCase):
    def test_is_of_the_host_whatever_the_board(self):
        """`make hil BOARD=...` left the choice in the environment: Arm objects, and a checkout that stayed broken."""
        self.assertEqual(run("make", "-s", "shared"), run("make", "-s", "shared", "BOARD=mps3-an547"))
        self.assertEqual(run("make", "-s", "shared"), run("env", "BOARD=mps2-an386", "make", "-s", "shared"))


class Lists(unittest.TestCase):
    def test_each_name_is_a_test(self):
        """A name that has gone drops out of `make test`'s long jobs in silence, and `make check` runs python without a file."""
        text = (ROOT / "tools/make/tests.mk").read_text()
        for name in ("LONG_PYTHON", "CHECK_PYTHON"):
            words = re.search(rf"^{name} := ((?:.*\\\n)*.*)$", text, re.M).group(1)
            for word in re.findall(r"\b(?!patsubst)[a-z_]\w*\b(?!/)", words.replace("tests/python/test_%.py", "")):
                self.assertTrue(list(ROOT.glob(f"tests/*/test_{word}.py")), f"{name}: {word}")


class Exhaustive(unittest.TestCase):
    def test_it_is_built_and_runs(self):
        """`make math-exhaustive` takes an hour, so that nobody saw that it did not compile."""
        for name in ("build/math_exhaustive.1", "build/math_exhaustive.0"):
            run("make", "-s", "-B", name)
            self.assertRegex(run(ROOT / name, "exp", 0, 4096), r"(?m)^exp,")


class NoHeap(unittest.TestCase):
    def test_image_that_wants_malloc_does_not_link(self):
        for board in ("mps2-an386", "netduinoplus2"):
            output = run("make", "firmware", f"BOARD={board}", "APP=heap", status=2)
            self.assertRegex(output, "malloc|_sbrk")


if __name__ == "__main__":
    unittest.main()
