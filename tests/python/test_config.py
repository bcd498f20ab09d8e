# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""lib/base/tc_config.h: what a configuration may not say is refused by the compiler, in words."""

import subprocess
import unittest

from tree import INCLUDES


def refusal(*defines):
    """What the compiler says about the headers under these definitions; empty if it takes them."""
    done = subprocess.run(["gcc", "-std=c11", *(f"-D{define}" for define in defines), *INCLUDES, "-fsyntax-only", "-x", "c", "-"],
                          input='#include "tinycontact.h"\n', capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


class Refused(unittest.TestCase):
    def test_contacts(self):
        """A patch has up to 8 contacts: with less, tc_foot3_step would take another way, with other bits, unsaid."""
        for most in (8, 16, 64):
            self.assertEqual("", refusal(f"TC_LCP_MAX={most}u"))
        for most in (0, 1, 7, 65):
            self.assertIn("TC_LCP_MAX is 8 to 64", refusal(f"TC_LCP_MAX={most}u"))

    def test_names_of_before(self):
        """A configuration of version 0.1 is not passed over: it would link what it was to leave out."""
        for old, new in (("TC_NET_FLOAT=0", "TC_NET_USE_FLOAT"), ("TC_NET_INT8=0", "TC_NET_USE_"), ("TC_NET_SIGMOID=0", "TC_NET_USE_"),
                         ("TC_NET_SOFTPLUS=0", "TC_NET_USE_"), ("TC_NET_MAX_LAYERS=4u", "TC_NET_LAYERS_MAX"),
                         ("TC_POSITIONS_AHEAD=0", "TC_SCHEME_AHEAD")):
            self.assertIn(new, refusal(old), old)


if __name__ == "__main__":
    unittest.main()
