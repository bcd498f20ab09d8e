# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact board list: the boards that --board takes."""
import re

from .build import repository


def add_list(p):
    p.description = """List the boards: a name for --board, its core, and what it is."""
    p.epilog = """Each board is a folder of boards/. All but host are emulated by QEMU.

example:
  tinycontact board list"""
    p.set_defaults(run=run_list)


def boards():
    """{name: (core, what it is)}, from the board.mk of each folder of boards/."""
    found = {}
    for path in sorted(repository("a board to choose").glob("boards/*/board.mk")):
        text = path.read_text(encoding="utf-8")
        core = re.search(r"^BOARD_CPU := (\S+)", text, re.M).group(1)
        found[path.parent.name] = core, re.search(r"^#\n# (.+)$", text, re.M).group(1)
    return found


def run_list(_):
    found = boards()
    width, core_width = max(map(len, found)), max(len(core) for core, _ in found.values())
    for name, (core, text) in found.items():
        print(f"{name:{width}}  {core:{core_width}}  {text}")
