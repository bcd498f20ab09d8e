# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The pages of who builds firmware: a net on a board, an own project, an own board."""
import re
import unittest

import docs_case
from tree import makefiles


def numbers(text):
    return [float(word) for word in re.findall(r"-?\d+\.\d+(?:e[+-]?\d+)?", text)]


class MyNet(docs_case.Reader):
    PAGE = "docs/guides/my-net.md"

    def test_board_prints_what_the_reference_prints(self):
        reference = numbers(self.printed_by("make_net.py"))
        board = numbers([line for line in self.printed_by("make run").splitlines() if line.startswith("ok ")][0])
        self.assertEqual(3, len(reference))
        self.assertEqual(3, len(board))
        for a, b in zip(reference, board):
            self.assertAlmostEqual(a, b, delta=2e-6)

    def test_stm32_image_is_there(self):
        for kind in ("elf", "hex", "bin"):
            image = f"build/netduinoplus2-exact/app/{self.folder.replace('/', '-')}.{kind}"
            self.assertTrue((docs_case.ROOT / image).is_file(), kind)

    def test_the_c_pair_is_there(self):
        self.assertIn("foot_net", self.written("foot.h"))
        self.assertIn("FOOT_WORK", self.written("foot.h"))


class YourOwnProject(docs_case.Reader):
    PAGE = "docs/start/your-own-project.md"

    def test_the_program_links(self):
        self.assert_files("main.elf")


class StartPytest(docs_case.Reader):
    PAGE = "docs/start/pytest.md"

    def test_what_the_page_promises(self):
        """The table's options are the plugin's."""
        from tinycontact.hil.pytest_plugin import HELP
        for option in re.findall(r"pytest --board-?(\w*)", self.text):
            self.assertIn(option or "board", HELP)

    def test_the_workflow(self):
        """A host takes it, and its targets are the Makefile's; tests/python/test_hil_fixtures.py runs such tests."""
        path = docs_case.ROOT / self.folder / "firmware.yml"
        for target in re.search(r"make -C tinycontact (.*)", path.read_text()).group(1).split():
            self.assertRegex(makefiles(), rf"(?m)^{target}:")
        try:
            from check_jsonschema import main
        except ImportError:
            self.skipTest("check-jsonschema is not installed: make setup GROUPS=sim")
        self.assertIn(main(["--builtin-schema", "vendor.github-workflows", str(path)], standalone_mode=False), (0, None))


class StartMake(docs_case.Reader):
    PAGE = "docs/start/make.md"

    def test_the_main_pictures(self):
        """`make demo` makes each picture that the page names."""
        recipe = re.search(r"^demo:.*\n((?:\t.*\n)+)", makefiles(), re.M).group(1)
        named = re.findall(r"`(build/demo\w*\.png)`", self.text)
        self.assertEqual(len(named), 6)
        for file in named:
            self.assertIn(f"picture {file}", recipe)


class Porting(docs_case.Reader):
    PAGE = "docs/guides/porting.md"

    def test_every_board_is_listed(self):
        listed = re.findall(r"^\| `([\w-]+)` \| (?:x86|Cortex|STM)", self.text, re.M)
        self.assertEqual(sorted(listed), sorted(path.parent.name for path in (docs_case.ROOT / "boards").glob("*/board.mk")))


if __name__ == "__main__":
    unittest.main()
