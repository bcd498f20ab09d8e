# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The flat folder: its page done by a reader, plain compilers on `*.c`, and the reference's bits from what they make."""
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import docs_case
from docs_case import ROOT

sys.path.insert(0, str(ROOT / "tools/packages"))
import flat  # noqa: E402

FLAT = ROOT / "build/flat/tinycontact"
M4F = "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16".split()
BARE = "-mcpu=cortex-m0plus -mthumb -mfloat-abi=soft".split()


def call(*command, cwd=ROOT):
    done = subprocess.run([str(word) for word in command], cwd=cwd, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise AssertionError(f"{command[0]}: exit {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout


def choices(*words):
    return flat.Choices(call("make", "-s", "lib-choices", *words).splitlines())


class Page(docs_case.Reader):
    PAGE = "docs/start/stm32cubeide.md"

    def test_it_prints_what_the_page_shows(self):
        self.assertEqual(self.printed_by("my_foot/slide") if "my_foot/slide" in self.output else
                         self.output[f"{self.folder}/slide"], re.search(r"```text\n(.*?)```", self.text, re.S)[1])

    def test_every_folder_is_there(self):
        """Those of the commands above the table, with what the table says is in them."""
        self.assertTrue((ROOT / "build/flat/cortex-m4-hard-exact/tinycontact/tc_kernel_mat_mul.S").is_file())
        self.assertIn("arm_mat_mult_f32", (ROOT / "build/flat/cmsis-dsp/tinycontact/tc_kernel_mat_mul.c").read_text())
        self.assertIn("TC_BUILD_EXACT 0", (ROOT / "build/flat/cmsis-dsp/tinycontact/tc_config.h").read_text())
        self.assertIn("arm_add_f32.c", (ROOT / "build/flat/cmsis-dsp/tinycontact/README.md").read_text())

    def test_bits_on_an_emulated_board(self):
        """`gcc *.c` as an IDE calls it: gnu17, optimised, no flag of ours."""
        archive = ROOT / self.folder / "libflat.a"
        with tempfile.TemporaryDirectory() as there:
            call("arm-none-eabi-gcc", *M4F, "-c", "-O1", *FLAT.glob("*.c"), cwd=there)
            call("arm-none-eabi-ar", "rcs", archive, *Path(there).glob("*.o"))
        said = call("make", "-s", "run-unit", "BOARD=mps2-an386", "TEST=golden,bits", f"ARCHIVE={archive.relative_to(ROOT)}")
        self.assertRegex(said, r"\n[4-9]\d Tests 0 Failures 0 Ignored")

    def test_the_smallest_core_compiles_it(self):
        """Cortex-M0+, which has no FPU, in C11 with warnings as errors: the headers and each kernel."""
        files = [*FLAT.glob("tc_kernel_*.c"), FLAT / "tc_estimator.c", FLAT / "tc_selfcheck.c"]
        call("arm-none-eabi-gcc", *BARE, "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *files)


class Folder(unittest.TestCase):
    def test_nothing_of_the_library_is_left_out(self):
        chosen = choices()
        names = {path.name for path in flat.files_of(chosen).values()}
        public = {Path(path).name for path in chosen.words("header")}
        self.assertLessEqual({Path(path).name for path in chosen.words("source")} | public, names)
        inner = {path.name for path in (ROOT / "lib").glob("*/*.h")} - {"tc_helium.h"}
        self.assertEqual(inner - names, set(), "a header that no source includes")

    def test_names_are_unique_and_include_each_other(self):
        for words in ((), ("CPU=cortex-m4", "FLOAT=hard"), ("CPU=cortex-m55", "FLOAT=hard"), ("PORT=cmsis-dsp",),
                      ("TC_CONFIG=tests/unit/large_lcp.h",)):
            with self.subTest(choices=words), tempfile.TemporaryDirectory() as there:
                folder = Path(there) / "tinycontact"
                count = flat.write(folder, choices(*words))
                names = {path.name for path in folder.iterdir()}
                self.assertEqual(count + 2, len(names))
                self.assertEqual(len({name.lower() for name in names}), len(names))   # some file systems know no case
                for path in folder.iterdir():
                    for _, name in flat.INCLUDE.findall(path.read_text(encoding="utf-8")):
                        self.assertTrue(name in names or name.startswith(("dsp/", "arm_")), f"{path.name}: {name}")

    def test_what_cannot_be_flat_is_refused(self):
        for words, told in ((["REAL=double"], "REAL=double"), (["CPU=cortex-m55", "PROFILE=fast"], "PROFILE=fast")):
            done = subprocess.run(["make", "-s", "flat", *words], cwd=ROOT, text=True, capture_output=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(told, done.stderr)


if __name__ == "__main__":
    unittest.main()
