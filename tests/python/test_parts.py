# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Parts by name, cores of one's own, and the application that measures itself."""
import csv
import re
import subprocess
import unittest
from pathlib import Path

from tinycontact import parts

ROOT = Path(__file__).resolve().parents[2]


def make(*words):
    return subprocess.run(["make", "--no-print-directory", *words], cwd=ROOT, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


class Names(unittest.TestCase):
    """Catches: a family that hides a member with another core, a name that no message leads from."""

    def test_as_printed_on_the_part(self):
        for name, core, unit in (("STM32F405RGT6", "cortex-m4", "hard"), ("stm32f103", "cortex-m3", "soft"),
                                 ("nRF52840", "cortex-m4", "hard"), ("nrf52810", "cortex-m4", "soft"), ("rp2040", "cortex-m0plus", "soft"),
                                 ("RP2350", "cortex-m33", "hard"),
                                 ("ATSAMD21", "cortex-m0plus", "soft"), ("MIMXRT1062", "cortex-m7", "hard"), ("rpi_pico", "cortex-m0plus", "soft"),
                                 ("pico2", "cortex-m33", "hard"), ("Teensy 4.1", "cortex-m7", "hard"), ("GD32F405RG", "cortex-m4", "hard"),
                                 ("Cortex-M4", "cortex-m4", "hard"), ("cortex-m4f", "cortex-m4", "hard"), ("cortex-m0", "cortex-m0plus", "soft"),
                                 ("Cortex-M85", "cortex-m55", "hard"), ("cortex-m35p", "cortex-m33", "hard"), ("stm32h743", "cortex-m7", "hard"), ("stm32-u5", "cortex-m33", "hard")):
            with self.subTest(name):
                found = parts.part(name)
                self.assertEqual((core, unit), (found.core, found.float))

    def test_every_core_is_one_of_make(self):
        known = re.search(r"^CPUS := (.*)$", (ROOT / "port/cpus.mk").read_text(encoding="utf-8"), re.M).group(1).split()
        for name, found in parts.table().items():
            self.assertIn(f"{found.core}-{found.float}", known, name)
            self.assertGreater(found.clock, 1e6)

    def test_unknown(self):
        for name, told in (("stm32f9", "stm32f"), ("nrf53", "nrf5340"), ("cortex-m5", "cortex-m55"), ("esp32c3", "CPU=generic"),
                           ("rp2350-riscv", "CPU=generic"), ("cortex-m4ff", "cortex-m4")):
            with self.assertRaisesRegex(ValueError, told):
                parts.part(name)

    def test_make_takes_them(self):
        for name, flag in (("stm32f405", "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard"), ("rp2040", "-mcpu=cortex-m0plus"),
                           ("cortex-m3", "-mcpu=cortex-m3 -mthumb -mfloat-abi=soft")):
            self.assertIn(flag, make("-n", "lib", f"CPU={name}").stdout)
        for words, told in ((("CPU=stm32f9",), "is stm32f"), (("CPU=nrf52810", "FLOAT=hard"), "without a float unit: FLOAT=soft"),
                            (("CPU=stm32h743", "FLOAT=soft"), "no CPU 'cortex-m7' with FLOAT=soft")):
            refused = make("-n", "lib", *words)
            self.assertNotEqual(0, refused.returncode)
            self.assertIn(told, refused.stdout)
        soft = make("-n", "lib", "CPU=stm32f405", "FLOAT=soft").stdout
        self.assertIn("-mcpu=cortex-m4 -mthumb -mfloat-abi=soft", soft)
        self.assertIn("build/take/stm32f405-soft-exact", soft)
        self.assertNotIn("-mfloat-abi=hard", soft)
        self.assertEqual(("cortex-m4", "soft"), parts.compiled("stm32f405-soft"))   # as CMake's TC_CPU has it

    def test_own_core(self):
        plan = make("-n", "lib", "CPU=generic", "CROSS=abacus-", "CPU_FLAGS=-mbeads").stdout
        self.assertRegex(plan, r"abacus-gcc .*-mbeads")
        self.assertNotIn("port/cortex-m4/", plan)


class Measure(unittest.TestCase):
    """Catches: an estimate beside another function, a case that does not run outside the bench."""

    def test_emulated(self):
        done = make("-s", "run", "BOARD=mps2-an386", "APP=measure", "MEASURE=momentum sdf")
        self.assertEqual(0, done.returncode, done.stdout[-2000:])
        self.assertIn("self-check 0 ", done.stdout)
        self.assertIn("no cycle counter here", done.stdout)
        self.assertTrue(done.stdout.endswith("end of measure, errors above their limit: 0\n"))
        with (ROOT / "tests/measured.csv").open(encoding="utf-8") as file:
            known = {row["item"]: row["value"] for row in csv.DictReader(file)
                     if (row["kind"], row["board"], row["profile"]) == ("cycles", "mps2-an386", "exact")}
        lines = re.findall(r"^(\S+/\S+/\S+) (\S+) (\S+) (\S+) \S+$", done.stdout, re.M)
        self.assertGreater(len(lines), 10)
        for name, cycles, estimate, _ in lines:
            self.assertEqual(("-", known.get(name, "-")), (cycles, estimate), name)
        self.assertIn("momentum_update/2/public", {line[0] for line in lines})

    def test_unknown_file(self):
        done = make("-s", "firmware", "BOARD=mps2-an386", "APP=measure", "MEASURE=lqp")
        self.assertNotEqual(0, done.returncode)
        self.assertIn("choose of", done.stdout)


if __name__ == "__main__":
    unittest.main()
