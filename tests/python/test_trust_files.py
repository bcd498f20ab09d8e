# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What hosts and editors read (workflow, citation, container) is valid, and runs the project's own commands."""
import json
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Schemas that check-jsonschema carries, and the file each judges.
JUDGED = {"vendor.github-workflows": ".github/workflows/ci.yml", "vendor.citation-file-format": "CITATION.cff"}


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


class Trust(unittest.TestCase):
    """Catches: a workflow that a host refuses, that runs another test than the README's, a citation of an old version."""

    def test_schemas(self):
        try:
            from check_jsonschema import main
        except ImportError:
            self.skipTest("check-jsonschema is not installed: make setup GROUPS=sim")
        for schema, name in JUDGED.items():
            with self.subTest(name):
                done = main(["--builtin-schema", schema, str(ROOT / name)], standalone_mode=False)
                self.assertIn(done, (0, None))

    def test_workflow_runs_our_commands(self):
        commands = re.findall(r"run: (.*)", text(".github/workflows/ci.yml"))
        self.assertIn("bash .ci/run", commands)
        self.assertIn("make demo", commands)
        self.assertIn("\nmake test\n", text(".ci/run"))

    def test_machine_is_the_readmes(self):
        wanted = {"git", "make", "gcc", "libc6-dev", "python3", "python3-venv"}
        for name in (".github/workflows/ci.yml", ".devcontainer/devcontainer.json"):
            for line in re.findall(r"apt-get install -y ([^\"\n]*)", text(name)):
                self.assertLessEqual(wanted, set(line.split()), name)
        self.assertTrue(json.loads(text(".devcontainer/devcontainer.json"))["postCreateCommand"].startswith("make "))

    def test_citation_has_the_version(self):
        number = re.search(r"^version: (.*)$", text("CITATION.cff"), re.M).group(1)
        self.assertEqual(re.search(r'#define TC_VERSION_TEXT "(.*)"', text("lib/base/tc_version.h")).group(1), number)



if __name__ == "__main__":
    unittest.main()
