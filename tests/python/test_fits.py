# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""`tinycontact board fits`: costs of chosen functions against a part and a tick."""
import contextlib
import io
import re
import unittest
from pathlib import Path

from tinycontact import cli, fits, parts

ROOT = Path(__file__).resolve().parents[2]


def said(*words):
    """(exit status, standard output, standard error) of `board fits`."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = cli.main(["board", "fits", *words])
    return status, out.getvalue(), err.getvalue()


class Fits(unittest.TestCase):
    """Catches: a share of another clock or tick, memory that is not added, a core without counts that seems to fit."""

    def test_sums(self):
        status, out, _ = said("--core", "stm32f405", "--tick", "1000", "--use", "estimator,momentum")
        known = fits.costs("cortex-m4")
        cycles = known["estimator2"].cycles + known["momentum"].cycles
        self.assertEqual(0, status)
        self.assertIn(f"cycles fits          {100.0 * cycles * 1000 / 168e6:.1f} % of a tick", out)
        self.assertIn(f"{known['estimator2'].ram + known['estimator2'].stack} of {128 * 1024} bytes", out)

    def test_does_not_fit(self):
        status, out, err = said("--core", "nrf52840", "--use", "estimator,predict", "--joints", "3")
        self.assertEqual(1, status)
        self.assertIn("cycles DOES NOT FIT", out)
        self.assertIn("more than nrf52840 has", err)
        self.assertEqual(0, said("--core", "nrf52840", "--use", "estimator,predict", "--joints", "3", "--tick", "250")[0])

    def test_a_clock_of_ones_own(self):
        _, slow, _ = said("--core", "cortex-m7", "--clock", "100e6", "--use", "foot2")
        _, fast, _ = said("--core", "cortex-m7", "--clock", "400e6", "--use", "foot2")
        share = [float(re.search(r"fits +([0-9.]+) %", text).group(1)) for text in (slow, fast)]
        self.assertAlmostEqual(share[0], 4.0 * share[1], delta=0.3)

    def test_refused(self):
        for words, told in ((("--core", "stm32f9"), "stm32f4"), (("--core", "rp2040"), "without a float unit"),
                            (("--core", "cortex-m4"), "--clock"), (("--core", "stm32f405", "--use", "estimater"), "is estimator meant"),
                            (("--core", "stm32f405", "--joints", "9"), "1 to 6"), (("--core", "stm32f405", "--tick", "0"), "above 0"),
                            (("--core", "stm32f405", "--tick", "nan"), "above 0"), (("--core", "stm32f405", "--tick", "0.002"), "is --tick 500"),
                            (("--core", "cortex-m4f"), "--clock")):
            with self.subTest(words):
                status, _, err = said(*words)
                self.assertNotEqual(0, status)
                self.assertIn(told, err)

    def test_ram_is_that_of_the_footprint(self):
        self.assertEqual(fits.costs("cortex-m4")["estimator2"].ram, fits.estimator_ram(2))

    def test_every_core_with_a_float_unit_has_costs(self):
        for name, part in parts.table().items():
            if part.float == "hard":
                self.assertTrue(fits.costs(fits.LIKE.get(part.core, part.core)), name)


if __name__ == "__main__":
    unittest.main()
