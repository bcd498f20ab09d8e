# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""lib/base/tc_config_names.h: an application does not link with a library of another configuration, and the linker names
what differs."""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from tree import INCLUDES, LIB, ROOT

# A choice that is not the default, and a function that needs it on both sides.
CHOICES = {"TC_LCP_MAX=64u": "tc_lcp_solve", "TC_LCP_CLOSED=0": "tc_lcp_solve", "TC_LCP_TWOFOLD=0": "tc_lcp_from_rows",
           "TC_NET_LAYERS_MAX=4u": "tc_net_eval", "TC_NET_USE_FLOAT=0": "tc_model_open", "TC_NET_USE_INT8=0": "tc_net_check",
           "TC_NET_USE_SIGMOID=0": "tc_foot2_open", "TC_NET_USE_SOFTPLUS=0": "tc_estimator_foot_open",
           "TC_SCHEME_AHEAD=0": "tc_foot2_step", "TC_CONE_FREEDOM_MAX=12u": "tc_cone_solve", "TC_CONE3_MAX=12u": "tc_scene_step",
           "TC_ESTIMATOR_MANY=0": "tc_estimator_init", "TC_DOUBLE": "tc_mat_mul"}
ALONE = {"TC_MAT_UNROLL", "TC_TANH_TABLE", "TC_CONE_UNROLL"}   # no public header reads them


def end(*choices):
    return "".join("_" + choice.replace("=", "_") for choice in choices)


def run(*words):
    return subprocess.run([str(word) for word in words], cwd=ROOT, capture_output=True, text=True, check=False)


class Linked(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        there = tempfile.TemporaryDirectory()
        cls.addClassCleanup(there.cleanup)
        cls.folder = Path(there.name)
        sources = [*LIB, *sorted((ROOT / "port/portable").glob("*.c"))]
        cls.default = cls.library(sources)

    @classmethod
    def library(cls, sources, *choices):
        """An object of these sources with these choices."""
        whole, path = cls.folder / "whole.c", cls.folder / f"library{end(*choices)}.o"
        if not path.exists():
            whole.write_text("".join(f'#include "{source}"\n' for source in sources))
            done = run("gcc", "-std=c11", "-O0", "-w", "-ffp-contract=off", *(f"-D{choice}" for choice in choices), *INCLUDES,
                       f"-I{ROOT / 'port'}", "-c", whole, "-o", path)
            assert not done.returncode, done.stderr
        return path

    @staticmethod
    def source_of(function):
        """The one file that defines it: what the others are named does not matter to who calls it."""
        (path,) = [path for path in LIB if re.search(rf"^\w[^;(=]*\b{function}(\([^;]*?\)\n| = ){{", path.read_text(), re.M)]
        return [path]

    @classmethod
    def link(cls, function, library, *choices, compiler=("gcc",), includes=INCLUDES):
        """The linker's complaint about an application that takes a function's address; empty if there is none about it."""
        main, program = cls.folder / "main.c", cls.folder / "main"
        main.write_text('#include "tinycontact.h"\nint main(void)\n{\n'
                        f"    return (const void *volatile){{(const void *)&{function}}} == NULL;\n}}\n")
        objects = run(*compiler, "-std=c11", *(f"-D{choice}" for choice in choices), *includes, "-c", main, "-o", f"{program}.o")
        assert not objects.returncode, objects.stderr
        done = run(*compiler, f"{program}.o", library, "-lm", "-o", program)
        if library.suffix == ".o":   # which may lack what its functions call
            return "".join(re.findall(r"main\.c:.*undefined reference.*\n", done.stderr))
        return done.stderr if done.returncode else ""

    def test_each_choice(self):
        for choice, function in CHOICES.items():
            with self.subTest(choice=choice):
                other = self.library(self.source_of(function), choice)
                self.assertEqual("", self.link(function, other, choice))
                self.assertIn(f"{function}{end(choice)}'", self.link(function, self.default, choice))
                self.assertIn(f"{function}'", self.link(function, other))

    def test_defaults_have_plain_names(self):
        for function in CHOICES.values():
            self.assertEqual("", self.link(function, self.default))
        self.assertNotIn("_TC_", run("nm", self.default).stdout)

    def test_two_choices(self):
        function, both = "tc_cdl_simultaneous", ("TC_LCP_MAX=32u", "TC_LCP_TWOFOLD=0")
        library = self.library(self.source_of(function), *both)
        self.assertEqual("", self.link(function, library, *both))
        self.assertIn(f"{function}{end(both[0])}'", self.link(function, library, both[0]))

    def test_archive_names_what_it_has(self):
        """An application with the defaults misses a plain name: the archive of `make lib` refers it to one that tells."""
        for board, config, function, told, compiler, choices in (
                ("host", "tests/unit/large_lcp.h", "tc_lcp_solve", "TC_LCP_MAX_64u", ("gcc",), ["HOSTCC=clang"]),   # a unit job's
                ("mps2-an386", "tests/bench/two_joints.h", "tc_estimator_init", "TC_ESTIMATOR_MANY_0",
                 ("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard", "--specs=nosys.specs"), [])):
            with self.subTest(board=board):
                done = run("make", "-s", "lib", f"BOARD={board}", f"TC_CONFIG={config}", "OPT=-O0", *choices)
                self.assertEqual(0, done.returncode, done.stderr)
                taken = ROOT / done.stdout.split(":")[0]
                archive = taken / "lib/libtinycontact.a"
                self.assertIn(f"tc_library_built_with_{told}'", self.link(function, archive, compiler=compiler))
                self.assertEqual("", self.link(function, archive, compiler=compiler, includes=[f"-I{taken / 'include'}"]))


class Listed(unittest.TestCase):
    """Which choices have an end of their own, and under which each function stands."""

    CONFIG = (ROOT / "lib/base/tc_config.h").read_text()
    NAMES = (ROOT / "lib/base/tc_config_names.h").read_text()

    def test_each_switch(self):
        switches = set(re.findall(r"^#ifndef (TC_\w+)\n#define \1 ", self.CONFIG, re.M)) - {"TC_MLA"}
        self.assertEqual({choice.split("=")[0] for choice in CHOICES} - {"TC_DOUBLE"}, switches - ALONE)
        umbrella = (ROOT / "lib/tinycontact.h").read_text()
        public = [path for name in re.findall(r'"(tc_\w+\.h)"', umbrella) for path in (ROOT / "lib").glob(f"*/{name}")]
        for path in public:
            bare = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
            read = {name for name in ALONE if re.search(rf"\b{name}\b", bare)}
            self.assertEqual(ALONE if path.name == "tc_config.h" else set(), read, path.name)

    def test_structs_that_a_number_changes(self):
        """A function whose arguments reach a net or a set of contacts is listed under it."""
        text = "\n".join(re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S) for path in (ROOT / "lib").glob("*/tc_*.h"))
        structs = {name: set(re.findall(r"\w+", body))
                   for body, name in re.findall(r"typedef struct \w+ \{(.*?)^\} (\w+);", text, re.S | re.M)}
        for seed, block in (("TC_NET_LAYERS_MAX", "NET"), ("tc_lcp_set", "LCP")):
            reach = {seed}
            while True:
                more = {name for name, words in structs.items() if words & reach} - reach
                if not more:
                    break
                reach |= more
            listed = set(re.findall(rf"^#define (tc_\w+) TC_NAME_{block}\(", self.NAMES, re.M))
            every = re.findall(r"^#define (tc_\w+) TC_NAME_", self.NAMES, re.M)
            for name in every:
                for arguments in re.findall(rf"\b{name}\(([^;{{]*)\);", text):
                    if set(re.findall(r"\w+", arguments)) & reach:
                        self.assertIn(name, listed)
            self.assertGreater(len(listed), 3)


if __name__ == "__main__":
    unittest.main()
