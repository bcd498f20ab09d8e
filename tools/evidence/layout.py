#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Whether C files look as .clang-format says; --write makes them so.

    layout.py [--write] [FILE ...]      without a FILE: those of lib, port, boards, tests and tools

Files that programs write are in .clang-format-ignore. clang-format comes from `make setup GROUPS=format`; other versions
break lines elsewhere and are refused. Prints each file that differs; then the exit status is 1.
"""

import argparse
import subprocess
from pathlib import Path

import common

ROOT = Path(__file__).resolve().parents[2]
VERSION = "18.1.8"   # as in tools/setup/python_env.py
FOLDERS = ("lib", "port", "boards", "tests", "tools")
SIZE = 40   # files of one process


def sources(root):
    return sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.[ch]"))


def run(formatter, words, files):
    """What the formatter says of the files on standard error."""
    said = ""
    for start in range(0, len(files), SIZE):
        done = subprocess.run([formatter, "--style=file", *words, *map(str, files[start:start + SIZE])],
                              capture_output=True, text=True, cwd=ROOT, check=False)
        if done.returncode and "-Wclang-format-violations" not in done.stderr:
            raise common.Fault(f"{formatter} failed\n{done.stderr}")
        said += done.stderr
    return said


def check_version(formatter):
    said = common.run([formatter, "--version"], f"{formatter} (from `make setup GROUPS=format`)")
    if f"version {VERSION}" not in said:
        raise common.Fault(f"{formatter} is not version {VERSION}, but: {said.strip()}")


def different(formatter, files):
    """Those of the files that the formatter would change."""
    said = run(formatter, ["--dry-run", "--Werror"], files)
    wrong = {line.split(":")[0] for line in said.splitlines() if "-Wclang-format-violations" in line}
    return [path for path in files if str(path) in wrong]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--formatter", default=ROOT / "build/venv/bin/clang-format")
    parser.add_argument("files", nargs="*", type=lambda name: Path(name).resolve())
    arguments = parser.parse_args()
    check_version(arguments.formatter)
    files = arguments.files or sources(ROOT)
    wrong = different(arguments.formatter, files)
    if arguments.write:
        run(arguments.formatter, ["-i"], wrong)
    for path in wrong:
        print(f"{path.relative_to(ROOT)}: {'formatted' if arguments.write else 'not as .clang-format says; `make format` mends it'}")
    bad = 0 if arguments.write else len(wrong)
    print(f"{len(files) - bad} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    common.main(main)
