# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The flat folder: its page done by a reader, plain compilers on `*.c`, and the reference's bits from what they make."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import docs_case
from docs_case import ROOT

sys.path.insert(0, str(ROOT / "tools/packages"))
import flat  # noqa: E402
import needed  # noqa: E402

from tinycontact.robot import export  # noqa: E402

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


FIRMWARE = """#include "leg.h"
#include "tc_selfcheck.h"
static leg_memory leg;
static leg_readings readings;
static tc_estimator_estimate now;
int main(void)
{
    if (SELFCHECK && tc_selfcheck() != 0u) return 1;
    return leg_start(&leg, &readings) < TC_OK || leg_update(&leg, &readings, &now) < TC_OK;
}
"""


def flat_for(program, target, *words):
    """The files that a program's folder needs; the folder is `target`."""
    count = flat.write(target, choices(*words), program)
    return count, sorted(path.name for path in target.glob("*.[cS]"))


class Part(unittest.TestCase):
    """FOR=: a source too few, a header that is not there, sources that nobody calls; figures of flash on the page."""

    def test_names_are_those_of_the_linker(self):
        """What nm finds in the objects: each symbol has its home, and no source misses one that its object asks for."""
        call("make", "-s", "-j2", "library", "BOARD=host")
        library, home, asked = needed.Library({name: flat.flat_text(path, "") for name, path in flat.files_of(choices()).items()}), {}, {}
        for line in call("nm", "-A", "--no-sort", ROOT / "build/host-exact/libtinycontact.a").splitlines():
            found = re.match(r".*[:/](\w+)\.o:\s*[0-9a-f]*\s([A-Za-z]) (\w+)$", line)
            source = flat.flat_name(f"{found[1]}.c") if found else ""
            if found and found[2] in "TDRB":
                home[found[3]] = source
            elif found and found[2] == "U":
                asked.setdefault(source, set()).add(found[3])
        self.assertGreater(len(home), 500)
        for symbol, source in home.items():
            self.assertIn(source, library.homes({symbol}), symbol)
        for source, symbols in asked.items():
            reached = library.homes(library.asks[source])
            for symbol in symbols & set(home):
                self.assertIn(home[symbol], reached, f"{source}: {symbol}")

    def test_the_example(self):
        """For the host in C and for an M4F in assembler: few sources, which link; the bits are the page's."""
        with tempfile.TemporaryDirectory() as there:
            lib = Path(there) / "tinycontact"
            _, names = flat_for(ROOT / "tools/packages/example", lib)
            self.assertLess(len(names), 25)
            own = [ROOT / "tools/packages/example" / name for name in ("main.c", "slide.c")]
            call("gcc", "-O0", f"-I{lib}", *lib.glob("*.c"), *own, "-lm", "-o", "slide", cwd=there)
            self.assertTrue(call(f"{there}/slide").endswith("bits c5ae16b8\n"))
            _, names = flat_for(ROOT / "tools/packages/example", lib, "CPU=stm32f405")
            self.assertIn("tc_kernel_mat_factor_fixed.S", names)
            call("arm-none-eabi-gcc", *M4F, f"-I{lib}", *lib.glob("*.[cS]"), own[1], "-lm", "-nostartfiles", "--specs=nosys.specs",
                 "-Wl,-u,slide,-e,slide", "-o", "slide.elf", cwd=there)

    def test_riscv(self):
        """A core that is no Arm: the generic choice, by Debian's compiler and C library, under QEMU."""
        tools = ("riscv64-unknown-elf-gcc", "qemu-system-riscv32")
        missing = [name for name in tools if not shutil.which(name)]
        if missing:
            self.skipTest(f"no {missing[0]}: apt install gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf qemu-system-misc")
        with tempfile.TemporaryDirectory() as there:
            lib = Path(there) / "tinycontact"
            flat_for(ROOT / "tools/packages/example", lib, "CPU=generic", f"CROSS={tools[0][:-3]}", "CPU_FLAGS=")
            own = [ROOT / "tools/packages/example" / name for name in ("main.c", "slide.c")]
            at = [f"-Wl,--defsym=__{name}={value}" for name, value in (("flash", "0x80000000"), ("flash_size", "4M"),
                                                                        ("ram", "0x80400000"), ("ram_size", "4M"))]
            call(tools[0], "-march=rv32imafc", "-mabi=ilp32f", f"--specs={os.environ.get('PICOLIBC', 'picolibc.specs')}", "-O2", f"-I{lib}",
                 *lib.glob("*.c"), *own, "--oslib=semihost", "--crt0=semihost", *at, "-lm", "-o", "slide.elf", cwd=there)
            said = call(tools[1], "-M", "virt", "-bios", "none", "-display", "none", "-monitor", "none", "-serial", "none",
                        "-semihosting-config", "enable=on,target=native", "-kernel", f"{there}/slide.elf")
            self.assertTrue(said.endswith("bits c5ae16b8\n"), said)

    def test_a_leg_and_its_flash(self):
        """The page's table, and the exported program with the part alone: the same touch-downs as with the whole library."""
        page = (ROOT / Page.PAGE).read_text(encoding="utf-8")
        told = [int(kb) for kb in re.findall(r"^\|[^|]+\| (\d+) \|$", page, re.M)]
        with tempfile.TemporaryDirectory() as there:
            firmware, lib = Path(there) / "firmware", Path(there) / "tinycontact"
            export.write(ROOT / "tests/hil/chains/leg.json", firmware)
            config = f"TC_CONFIG={firmware / export.CONFIG}"
            count, names = flat_for(firmware, lib, config)
            self.assertLess(len(names), 16, names)
            self.assertLess(count, 60)
            call("gcc", "-Wall", "-Wextra", "-Wconversion", "-Werror", f"-I{lib}", *lib.glob("*.c"), *firmware.glob("*.c"), "-lm",
                 "-o", "leg", cwd=there)
            self.assertRegex(call(f"{there}/leg"), r"contact right in \d+ of \d+ ticks")
            (firmware / "main.c").write_text(FIRMWARE)
            (firmware / "sample.c").unlink()
            for words, selfcheck, kb in ((("CPU=stm32f405", config), 0, told[0]), (("CPU=stm32f405", config), 1, told[1]),
                                         (("CPU=stm32f405",), 1, told[2])):
                flat_for(firmware, lib, *words)
                call("arm-none-eabi-gcc", *M4F, "-Os", "-ffunction-sections", "-fdata-sections", f"-I{lib}", f"-DSELFCHECK={selfcheck}",
                     *lib.glob("*.[cS]"), *firmware.glob("*.c"), "-lm", "--specs=nano.specs", "--specs=nosys.specs", "-nostartfiles",
                     "-Wl,--gc-sections,-e,main", "-o", "leg.elf", cwd=there)
                text = int(call("arm-none-eabi-size", "leg.elf", cwd=there).splitlines()[1].split()[0])
                self.assertEqual(kb, round(text / 1024), (words, text))

    def test_refused(self):
        with tempfile.TemporaryDirectory() as there:
            for files, told in ((None, "no such folder"), ((), "no C or C++ files"), (("main.c",), "nothing there calls the library")):
                folder = Path(there) / "program"
                if files is not None:
                    folder.mkdir(exist_ok=True)
                for name in files or ():
                    (folder / name).write_text("int main(void) { return 0; } /* tc_mat_mul(...) */\n")
                done = subprocess.run(["make", "-s", "flat", f"FOR={folder}"], cwd=ROOT, text=True, capture_output=True)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(told, done.stderr)


if __name__ == "__main__":
    unittest.main()
