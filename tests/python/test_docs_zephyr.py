# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The Zephyr module without Zephyr: Kconfig beside tc_config.h, module.yml, and the build over a stand-in (tests/zephyr)."""
import json
import os
import re
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

import kconfiglib
from docs_case import ROOT

GUIDE = ROOT / "docs/start/zephyr.md"   # no command of it runs here
STUB = ROOT / "tests/zephyr/stub"
SAYS = "the box slips 101442 um in 202 ms and stands, status 0\nbits c5ae16b8\n"
HEADER = (ROOT / "lib/base/tc_config.h").read_text(encoding="utf-8")
ELSEWHERE = {"MLA", "CONFIG_H"}   # `#ifndef` of tc_config.h that is no switch


def kconfig(*lines):
    """Kconfig with these lines of a prj.conf, and what it warns about."""
    loaded = kconfiglib.Kconfig(str(STUB / "Kconfig"), warn_to_stderr=False)
    loaded.warn_assign_undef = True
    with tempfile.TemporaryDirectory() as there:
        path = Path(there) / "prj.conf"
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        loaded.load_config(str(path))
    return loaded


def switches():
    """{name: default} of each switch of tc_config.h."""
    found = re.findall(r"^#ifndef TC_(\w+)\n(?:#define TC_\1 (\w+)\b)", HEADER, re.M)
    return {name: int(value.rstrip("u")) for name, value in found if name not in ELSEWHERE}


def build(folder, *lines, compiler=()):
    """The module over the stand-in, configured; [(file, command)]."""
    loaded = kconfig("CONFIG_TINYCONTACT=y", *lines)
    dotconfig = Path(folder) / "dotconfig"
    loaded.write_config(str(dotconfig))
    with open(dotconfig, "a", encoding="utf-8") as file:   # what Zephyr's own Kconfig says of the core
        file.writelines(line + "\n" for line in lines if line.split("=")[0] not in {"CONFIG_" + n for n in loaded.syms})
    done = subprocess.run(["cmake", "-S", str(STUB), "-B", str(folder), "-G", "Ninja", f"-DDOTCONFIG={dotconfig}",
                           "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *compiler], text=True, capture_output=True)
    if done.returncode:
        raise AssertionError(done.stdout + done.stderr)
    commands = json.loads((Path(folder) / "compile_commands.json").read_text(encoding="utf-8"))
    return [(Path(os.path.normpath(entry["file"])).relative_to(ROOT).as_posix(), shlex.split(entry["command"]))
            for entry in commands]


ARM = ("-DCMAKE_SYSTEM_NAME=Generic", "-DCMAKE_C_COMPILER=arm-none-eabi-gcc", "-DCMAKE_ASM_COMPILER=arm-none-eabi-gcc",
       "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY")


class Kconfig(unittest.TestCase):
    def test_every_switch_with_its_default(self):
        loaded = kconfig("CONFIG_TINYCONTACT=y", "CONFIG_FPU=y")
        found = {}
        for name in switches():
            self.assertIn(f"TINYCONTACT_{name}", loaded.syms)
            value = loaded.syms[f"TINYCONTACT_{name}"].str_value
            found[name] = {"y": 1, "n": 0}.get(value, value if value in "yn" else int(value))
        self.assertEqual(found, switches())
        self.assertGreater(len(found), 12)
        self.assertEqual(loaded.warnings, [])

    def test_ranges_are_those_of_the_header(self):
        loaded = kconfig("CONFIG_TINYCONTACT=y")
        ranges = re.findall(r'#error "TC_(\w+) is (\d+) to (\d+)"', HEADER)
        self.assertGreaterEqual(len(ranges), 3)
        for name, low, high in ranges:
            (least, most, _), = loaded.syms[f"TINYCONTACT_{name}"].ranges
            self.assertEqual((least.str_value, most.str_value), (low, high), name)

    def test_what_cannot_be_is_told(self):
        for line in ("CONFIG_TINYCONTACT_LCP_MAX=128", "CONFIG_TINYCONTACT_CONE3_MAX=4", "CONFIG_TINYCONTACT_LCPMAX=8"):
            loaded = kconfig("CONFIG_TINYCONTACT=y", line)
            values = [f"TINYCONTACT_{name}" for name in ("LCP_MAX", "CONE3_MAX")]
            said = " ".join(loaded.warnings) + " ".join(
                "clamped" for name in values if loaded.syms[name].user_value not in (None, loaded.syms[name].str_value))
            self.assertRegex(said, "clamped|undefined", line)

    def test_choices_select_and_depend(self):
        loaded = kconfig("CONFIG_TINYCONTACT=y", "CONFIG_CMSIS_DSP=y", "CONFIG_TINYCONTACT_KERNELS_CMSIS_DSP=y")
        for name in ("CMSIS_DSP_MATRIX", "CMSIS_DSP_BASICMATH", "REQUIRES_FULL_LIBC"):
            self.assertEqual(loaded.syms[name].str_value, "y", name)
        loaded = kconfig("CONFIG_TINYCONTACT=y", "CONFIG_TINYCONTACT_KERNELS_CMSIS_DSP=y")
        self.assertEqual(loaded.syms["TINYCONTACT_KERNELS_CORE"].str_value, "y")
        self.assertEqual(kconfig("CONFIG_TINYCONTACT=y", "CONFIG_CPU_CORTEX_M=y").syms["TINYCONTACT_MAT_UNROLL"].str_value, "n")


class Module(unittest.TestCase):
    def test_module_file(self):
        """The keys that Zephyr's schema has, and folders that are there."""
        text = (ROOT / "zephyr/module.yml").read_text(encoding="utf-8")
        said = dict(re.findall(r"^ *(?:- )?(\w+): (\S+)$", text, re.M))
        self.assertEqual(set(said), {"name", "cmake", "kconfig"})
        self.assertEqual(re.findall(r"^(\w+):", text, re.M), ["name", "build", "samples"])
        self.assertTrue((ROOT / said["cmake"] / "CMakeLists.txt").is_file())
        self.assertTrue((ROOT / said["kconfig"]).is_file())
        folder, = re.findall(r"^  - (\S+)$", text, re.M)
        self.assertTrue((ROOT / folder / "slide/sample.yaml").is_file())
        self.assertIn(SAYS.split()[-1], (ROOT / folder / "slide/sample.yaml").read_text(encoding="utf-8"))

    def test_off_is_nothing(self):
        with tempfile.TemporaryDirectory() as there:
            (Path(there) / "dotconfig").write_text("# CONFIG_TINYCONTACT is not set\n")
            subprocess.run(["cmake", "-S", STUB, "-B", there, "-G", "Ninja", f"-DDOTCONFIG={there}/dotconfig"], check=True,
                           capture_output=True)
            self.assertNotIn("tc_mat.c", (Path(there) / "build.ninja").read_text(encoding="utf-8"))

    def test_each_core_has_its_kernels(self):
        m4 = ["CONFIG_CPU_CORTEX_M=y", "CONFIG_CPU_CORTEX_M4=y"]
        for lines, port in (([*m4, "CONFIG_FPU=y", "CONFIG_FP_HARDABI=y"], "cortex-m4"), (m4, "portable"),
                            ([*m4, "CONFIG_FPU=y"], "portable"),
                            (["CONFIG_FPU=y", "CONFIG_FP_HARDABI=y", "CONFIG_CPU_CORTEX_M55=y", "CONFIG_ARMV8_1_M_MVEF=y"], "helium"),
                            (["CONFIG_FPU=y", "CONFIG_FP_HARDABI=y", "CONFIG_CPU_CORTEX_M33=y", "CONFIG_ARMV8_M_DSP=y"], "cortex-m4"),
                            (["CONFIG_FPU=y", "CONFIG_FP_HARDABI=y", "CONFIG_CPU_CORTEX_M55=y"], "portable"),
                            ([*m4, "CONFIG_FPU=y", "CONFIG_FP_HARDABI=y", "CONFIG_TINYCONTACT_KERNELS_PORTABLE=y"], "portable"),
                            ([*m4, "CONFIG_CMSIS_DSP=y", "CONFIG_TINYCONTACT_KERNELS_CMSIS_DSP=y"], "cmsis-dsp")):
            with self.subTest(lines=lines), tempfile.TemporaryDirectory() as there:
                named = {file.split("/")[1] for file, _ in build(there, *lines, compiler=ARM) if file.startswith("port/")}
                self.assertIn(port, named)
                self.assertEqual(named - {"portable", port}, set())

    def test_the_sample_runs_over_the_stand_in(self):
        """With a limit of one's own, whose number is in the symbols' names: sample and library agree on it."""
        folder = ROOT / "build/zephyr-stub"
        folder.mkdir(parents=True, exist_ok=True)
        build(folder, "CONFIG_FPU=y", "CONFIG_TINYCONTACT_LCP_MAX=24", "CONFIG_TINYCONTACT_TANH_TABLE=n")
        subprocess.run(["cmake", "--build", str(folder), "-j2"], check=True, capture_output=True)
        said = subprocess.run([folder / "app"], check=True, capture_output=True, text=True).stdout
        self.assertTrue(said.endswith(SAYS), said)
        self.assertIn("tanh=small, self-check: ok", said)
        self.assertIn("_TC_LCP_MAX_24u", subprocess.run(["nm", folder / "module/libtinycontact.a"], capture_output=True, text=True).stdout)

    def test_the_page_shows_the_bits(self):
        self.assertIn(SAYS, GUIDE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
