# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""CMake: its page done by a reader, and what it builds beside what Make builds: sources, flags, objects, bits."""
import hashlib
import json
import re
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

import docs_case
from docs_case import ROOT

M4F = ROOT / "build/cmake/cortex-m4-hard"
SAYS = "the box slips 101442 um in 202 ms and stands, status 0\nbits c5ae16b8\n"
TOOLCHAIN = ROOT / "tools/cmake/arm-none-eabi.cmake"


def call(*command, status=0):
    done = subprocess.run([str(word) for word in command], cwd=ROOT, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if status is not None and bool(done.returncode) != bool(status):
        raise AssertionError(f"{shlex.join(map(str, command))}: exit {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout


def make_says(*choices):
    """What Make compiles: {kind: words}."""
    said = {}
    for line in call("make", "-s", "lib-choices", *choices).splitlines():
        kind, _, value = line.partition(" ")
        said.setdefault(kind, set()).add(value)
    return said


def configured(folder, *choices, source=ROOT):
    """What CMake would compile: [(file, words of the command)] of the library."""
    call("cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *choices)
    commands = json.loads((Path(folder) / "compile_commands.json").read_text(encoding="utf-8"))
    return [(Path(entry["file"]).relative_to(ROOT).as_posix(), shlex.split(entry["command"])) for entry in commands
            if "other_names" not in entry["file"]]


def cores():
    text = (ROOT / "port/cpus.mk").read_text(encoding="utf-8")
    return [core for core in re.search(r"^CPUS := (.*)$", text, re.M)[1].split() if not re.match("(host|generic)-", core)]


class Page(docs_case.Reader):
    PAGE = "docs/start/cmake.md"
    QUICKER = {"-DTINYCONTACT=$PWD": "-DTINYCONTACT=$PWD -DTC_OPTIMISE=-O0"}   # the host's bits are those of -O2

    def test_both_print_what_the_page_shows(self):
        shown = re.search(r"```text\n(.*?)```", self.text, re.S)[1]
        self.assertEqual(self.printed_by("/host/slide"), shown)
        self.assertEqual(self.printed_by("qemu-system-arm"), shown.replace("portable", "cortex-m4"))
        self.assertTrue(shown.endswith(SAYS))

    def test_a_project_has_few_lines(self):
        """Floor: 60 lines of CMake for an M4F from scratch, and as a subfolder."""
        for name in ("CMakeLists.txt", "fetched/CMakeLists.txt"):
            self.assertLessEqual(len(self.written(name).splitlines()), 60)

    def test_fetched(self):
        with tempfile.TemporaryDirectory() as there:
            entries = configured(there, f"-DFETCHCONTENT_SOURCE_DIR_TINYCONTACT={ROOT}", source=self.path("fetched"))
        self.assertIn("lib/math/tc_mat.c", dict(entries))

    def test_objects_are_those_of_make(self):
        """For M4F, instruction by instruction."""
        call("make", "-s", "lib", "CPU=cortex-m4", "FLOAT=hard")
        ours = self.instructions(M4F / "libtinycontact.a")
        self.assertEqual(ours, self.instructions(ROOT / "build/cortex-m4-hard-exact/libtinycontact.a"))
        self.assertGreater(len(ours), 150)

    def instructions(self, archive):
        text = call("arm-none-eabi-objdump", "-d", "-r", "--no-show-raw-insn", archive)
        members = re.split(r"^(\S+)\.o(?:bj)?: +file format .*$", text, flags=re.M)[1:]
        return {re.sub(r"\.[cS]$", "", name): hashlib.sha256(body.encode()).hexdigest()
                for name, body in zip(members[::2], members[1::2])}

    def test_golden_hashes(self):
        """The unit tests that compare hashes, linked with CMake's archives."""
        host = f"{self.folder}/host/tinycontact/libtinycontact.a"
        for board, archive in (("host", host), ("mps2-an386", M4F.relative_to(ROOT) / "libtinycontact.a")):
            said = call("make", "-s", "run-unit", f"BOARD={board}", "TEST=golden,bits", f"ARCHIVE={archive}")
            self.assertRegex(said, r"\n[4-9]\d Tests 0 Failures 0 Ignored")


class Lists(unittest.TestCase):
    """The same sources with the same macros and flags, for every core and choice; nothing is compiled."""

    def compare(self, make, cmake):
        said = make_says(*make)
        with tempfile.TemporaryDirectory() as there:
            entries = configured(there, *cmake)
            config = (Path(there) / "include/tc_config.h").read_text(encoding="utf-8")
            headers = {path.name for path in (Path(there) / "include").iterdir()}
        self.assertEqual({file for file, _ in entries if not file.startswith("build/third_party/")}, said["source"])
        defines = {re.sub(r"^-D", "", text) for text in said["define"]}
        for file, words in entries:
            if file.endswith(".c") and not file.startswith("build/third_party/"):
                given = {word[2:] for word in words if word.startswith("-D")}
                self.assertEqual(given - {"TC_CONTRACT_OFF", "NDEBUG", "__GNUC_PYTHON__"}, defines, file)
                self.assertLessEqual(said["flag"] | {"-fno-math-errno", "-std=c11"}, set(words), file)
        self.assertLessEqual({Path(path).name for path in said["header"]}, headers)
        for text in defines - {text for text in defines if text.startswith(("TC_BUILD", "TC_PORT_FUSED"))}:
            name, _, value = text.partition("=")
            value = f'"{Path(value.strip(chr(34))).name}"' if value.startswith('"') else value or "1"
            self.assertIn(f"#define {name} {value}\n", config)

    def test_every_core(self):
        for core in cores():
            cpu, _, float_abi = core.rpartition("-")
            for profile in ("exact", "fast"):
                with self.subTest(core=core, profile=profile):
                    self.compare([f"CPU={cpu}", f"FLOAT={float_abi}", f"PROFILE={profile}"],
                                 ["--toolchain", TOOLCHAIN, f"-DTC_CPU={core}", f"-DTC_PROFILE={profile}"])

    def test_parts_and_cores_without_a_float_abi(self):
        for name, make in (("stm32f405", ["CPU=cortex-m4", "FLOAT=hard"]), ("rp2040", ["CPU=cortex-m0plus", "FLOAT=soft"]),
                           ("cortex-m55", ["CPU=cortex-m55", "FLOAT=hard"])):
            with self.subTest(name=name):
                self.compare(make, ["--toolchain", TOOLCHAIN, f"-DTC_CPU={name}"])

    def test_choices_of_the_host(self):
        for make, cmake in ((["TANH=small", "UNROLL=0"], ["-DTC_TANH=small", "-DTC_UNROLL=0"]),
                            (["PORT=cmsis-dsp"], ["-DTC_PORT=cmsis-dsp"]), (["REAL=double"], ["-DTC_REAL=double"]),
                            (["TC_CONFIG=tests/unit/large_lcp.h"], ["-DTC_CONFIG=tests/unit/large_lcp.h"])):
            with self.subTest(choice=make):
                self.compare(make, cmake)

    def test_a_toolchain_of_ones_own(self):
        """The kernels are those of the core that the project's flags name."""
        for flags, port in (("-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16", "cortex-m4"),
                            ("-mcpu=cortex-m55 -mthumb -mfloat-abi=hard", "helium"),
                            ("-mcpu=cortex-m33 -mthumb -mfloat-abi=hard -mfpu=fpv5-sp-d16", "cortex-m4"),
                            ("-mcpu=cortex-m4 -mthumb -mfloat-abi=softfp -mfpu=fpv4-sp-d16", "portable"),
                            ("-mcpu=cortex-m0plus -mthumb -mfloat-abi=soft", "portable")):
            with self.subTest(flags=flags), tempfile.TemporaryDirectory() as there:
                entries = configured(there, "-DCMAKE_SYSTEM_NAME=Generic", "-DCMAKE_C_COMPILER=arm-none-eabi-gcc",
                                     "-DCMAKE_ASM_COMPILER=arm-none-eabi-gcc", f"-DCMAKE_C_FLAGS={flags}",
                                     "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY")
                named = {file.split("/")[1] for file, _ in entries if file.startswith("port/")}
                self.assertIn(port, named)
                self.assertEqual(named - {"portable", port}, set())

    def test_presets_are_the_cores(self):
        presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))
        for kind in ("configurePresets", "buildPresets"):
            names = [preset["name"] for preset in presets[kind] if not preset.get("hidden")]
            self.assertEqual(sorted(names), sorted(["host", *cores()]))


class Refused(unittest.TestCase):
    """Each message names what is known, or what to do."""

    def test_choices(self):
        for choices, told in ((["--toolchain", TOOLCHAIN, "-DTC_CPU=cortex-m9"], "cortex-m4-hard"),
                              (["--toolchain", TOOLCHAIN, "-DTC_CPU=stm32f9x"], "is stm32f"),
                              (["--toolchain", TOOLCHAIN], "TC_CPU=''"), (["--toolchain", TOOLCHAIN, "-DTC_CPU=generic"], "own toolchain file"),
                              (["-DTC_CPU=cortex-m4-hard"], "--toolchain"), (["-DTC_PROFILE=quick"], "exact or fast"),
                              (["-DTC_CONFIG=nowhere.h"], "there is no such"), (["-DTC_PORT=mkl"], "cmsis-dsp"),
                              (["-DTC_PORT=cmsis-dsp", "-DTC_CMSIS_DSP=/nowhere"], "make setup")):
            with self.subTest(choices=choices), tempfile.TemporaryDirectory() as there:
                said = call("cmake", "-S", ROOT, "-B", there, "-G", "Ninja", *choices, status=1)
                self.assertIn(told, re.sub(r"\s+", " ", said))


if __name__ == "__main__":
    unittest.main()
