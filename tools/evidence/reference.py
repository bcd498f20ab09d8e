#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Renders the pages of docs/reference that repeat what headers state, so that the two cannot differ.

    status.md          TC_STATUS_LIST of tc_status.h
    configuration.md   the switches of tc_config.h, and the fields of the structs in STRUCTS

The text stands between the lines  <!-- rendered:begin -->  and  <!-- rendered:end -->. --write replaces it, --check
fails if a page shows another one.
"""

import argparse
import re
from pathlib import Path

import common

ROOT = Path(__file__).resolve().parents[2]
BEGIN, END = "<!-- rendered:begin -->", "<!-- rendered:end -->"
SWITCHES = ("base/tc_config.h",)
STRUCTS = ("mechanics/tc_leg.h:tc_leg_sensing", "estimator/tc_estimator.h:tc_estimator_config",
           "estimator/tc_momentum.h:tc_momentum_config", "cdl/tc_cdl.h:tc_cdl_config",
           "step/tc_limb2.h:tc_limb2_config", "learned/tc_learned3.h:tc_learned3_sweeps",
           "math/tc_root.h:tc_root_config")
COMMENT = r"/\*((?:[^*]|\*(?!/))*)\*/"


def words(comment):
    """A comment's text in one line, without the stars of its margin."""
    return " ".join(re.sub(r"^\s*\*(?!/)", "", line).strip() for line in comment.strip().split("\n")).strip()


def cell(text):
    return text.replace("|", "\\|")


def status_lines(header):
    rows = re.findall(r'X\((TC_\w+), (-?\d+), "([^"]*)"\)', header)
    if not rows:
        raise common.Fault("tc_status.h: no line X(TC_..., number, text)")
    return ["| value | name | text |", "|---:|---|---|",
            *(f"| {value} | `{name}` | {cell(text)} |" for name, value, text in rows)]


def switches(header):
    """[(name, default, comment)] of `#ifndef NAME / #define NAME value`: the comment behind them, else the one before."""
    found, comment = [], ""
    for part in re.finditer(rf"{COMMENT}|^#ifndef (TC_\w+)\n#define \2 (\d+u?)\b[ \t]*(?:{COMMENT})?", header, re.M):
        if part.group(2):
            found.append((part.group(2), part.group(3), words(part.group(4) or comment)))
        else:
            comment = part.group(1)
    return found


def switch_lines(header):
    rows, last = [], None
    for name, default, comment in switches(header):
        rows.append(f"| `{name}` | {default} | {cell(comment) if comment != last else 'as above'} |")
        last = comment
    return ["| switch | default | effect |", "|---|---|---|", *rows]


def body(header, struct):
    found = re.search(rf"typedef struct {struct} \{{\n(.*?)^\}} {struct};", header, re.M | re.S)
    if not found:
        raise common.Fault(f"no struct {struct}")
    return found.group(1)


def fields(text):
    """[(declaration or None, comment)] of a struct's body; a comment on a line of its own heads what follows."""
    for part in re.finditer(rf"^[ \t]*(?:([^/;\n]+(?:\n[^/;\n]+)*);)?[ \t]*(?:{COMMENT})?", text, re.M):
        declaration, comment = part.groups()
        if declaration or comment:
            yield declaration and " ".join(declaration.split()), words(comment or "")


def struct_lines(header, struct):
    rows = [f"| `{cell(declaration)}` | {cell(comment)} |" if declaration else f"| **{cell(comment)}** | |"
            for declaration, comment in fields(body(header, struct))]
    return ["| field | |", "|---|---|", *rows]


def read(name):
    return common.read_text(ROOT / "lib" / name)


def configuration():
    parts = []
    for name in SWITCHES:
        parts.append([f"## Switches of [{name}](../../lib/{name})", "", *switch_lines(read(name))])
    for entry in STRUCTS:
        name, struct = entry.split(":")
        parts.append([f"## {struct} in [{name}](../../lib/{name})", "", *struct_lines(read(name), struct)])
    return "\n\n".join("\n".join(part) for part in parts)


def pages():
    return {ROOT / "docs/reference/status.md": "\n".join(status_lines(read("base/tc_status.h"))),
            ROOT / "docs/reference/configuration.md": configuration()}


def replaced(text, rendered, path):
    start, end = common.between(text, BEGIN, END, path)
    return f"{text[:start]}{BEGIN}\n\n{rendered}\n\n{END}{text[end:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--check", action="store_true")
    mode.add_argument("--write", action="store_true")
    args = parser.parse_args()
    for path, rendered in pages().items():
        text = common.read_text(path)
        wanted = replaced(text, rendered, path.name)
        if args.write:
            common.write_text(path, wanted)
        elif text != wanted:
            raise common.Fault(f"{path.name}: not what the headers state; `make reference` renews it")
    return 0


if __name__ == "__main__":
    common.main(main)
