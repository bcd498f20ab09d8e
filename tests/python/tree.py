# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Where the tree keeps its sources: one folder per floor of lib/."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIB = sorted((ROOT / "lib").glob("*/*.c"))
INCLUDES = [f"-I{folder}" for folder in (ROOT / "lib", *sorted({path.parent for path in LIB}))]



def makefiles():
    """The text of the Makefile and its parts."""
    paths = [ROOT / "Makefile", *sorted((ROOT / "tools/make").glob("*.mk"))]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def lib_file(name):
    """The path of a file of lib/, whatever its floor."""
    found, = [*(ROOT / "lib").glob(name), *(ROOT / "lib").glob(f"*/{name}")]
    return found
