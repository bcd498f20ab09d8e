#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Flash and RAM: per object of the library, and of what a small application really links.

Per object: flash (code, constants and initialised data), data, bss. Footprint: a program that does nothing
but evaluate a net given from outside (tests/bench/footprint.c) is linked with --gc-sections and without
start-up code; its flash is what the call costs, weights and start-up apart. The list of its parts shows
what is in it.
"""

import argparse
import collections
import os
import re
import shlex
import tempfile

import common

Section = collections.namedtuple("Section", "member name size flags")


def parse_sections(text):
    """Sections of objdump -h: name, size and, on the line below, flags."""
    sections = []
    member = ""
    pending = None
    for line in text.splitlines():
        head = re.match(r"^(\S+):\s+file format", line)
        row = re.match(r"^\s*\d+\s+(\S+)\s+([0-9a-f]+)\s", line)
        if head:
            member = os.path.basename(head.group(1))
        elif row:
            pending = (member, row.group(1), int(row.group(2), 16))
        elif pending:
            sections.append(Section(*pending, {flag.strip() for flag in line.split(",")}))
            pending = None
    return sections


def split(sections):
    """{member: [flash, data, bss]}; data lies in flash and in RAM and is counted in both."""
    sizes = {}
    for section in sections:
        row = sizes.setdefault(section.member, [0, 0, 0])
        if "ALLOC" not in section.flags:
            continue
        if "LOAD" not in section.flags:
            row[2] += section.size
        else:
            row[0] += section.size
            row[1] += section.size if "READONLY" not in section.flags else 0
    return sizes


def read_sections(objdump, path):
    return parse_sections(common.run([objdump, "-h", path], f"sections of {path}"))


def objects(args):
    sizes = split(read_sections(args.objdump, args.archive))
    sizes = {member: row for member, row in sizes.items() if not member.endswith(".a")}
    if not sizes:
        raise common.Fault(f"{args.archive}: no objects in it")
    rows = [["object", "flash", "data", "bss"]]
    rows += [[member, *row] for member, row in sorted(sizes.items())]
    rows.append(["total", *(sum(row[i] for row in sizes.values()) for i in range(3))])
    print(f"{args.board} {args.profile}: bytes per object of {os.path.basename(args.archive)}")
    print(common.columns(rows, right=(1, 2, 3)))
    values = {}
    for row in rows[1:]:
        for i, kind in enumerate(("flash", "data", "bss"), 1):
            values[kind, row[0]] = row[i]
    return values


def link(args, archive, words, directory):
    """The footprint program (or the sources, objects and flags in `words`), linked with an archive; its path."""
    elf = os.path.join(directory, "footprint.elf")
    # -Ttext and the entry stand in for a linker script: only sizes matter, the image is never run.
    common.run(
        [
            *shlex.split(args.cc),
            *shlex.split(args.cflags),
            "-Os",
            "-ffunction-sections",
            "-fdata-sections",
            "-nostartfiles",
            "-Wl,--gc-sections",
            "-Wl,-e,footprint",
            "-Wl,-Ttext=0x1000",
            "-Wl,--build-id=none",
            *(words or [args.footprint_source]),
            archive,
            "-o",
            elf,
        ],
        f"linking the footprint of {archive}",
    )
    return elf


def parts(args, elf):
    """[(bytes, symbol)] of the linked image, largest first."""
    text = common.run([args.nm, "-S", "--size-sort", "--reverse-sort", elf], f"symbols of {elf}")
    return [(int(cells[1], 16), cells[3]) for cells in map(str.split, text.splitlines()) if len(cells) == 4]


def footprints(args):
    values = {}
    for item in args.footprint:
        name, _, rest = item.partition("=")
        archive, *words = rest.split(",")
        if not archive:
            raise common.Fault(f"--footprint {item}: expected NAME=ARCHIVE")
        with tempfile.TemporaryDirectory() as directory:
            elf = link(args, archive, words, directory)
            flash, data, bss = (
                sum(column) for column in zip(*split(read_sections(args.objdump, elf)).values())
            )
            listed = parts(args, elf)
        print(
            f"\n{args.board} {args.profile}: footprint of {name}: flash {flash}, data {data}, bss {bss} bytes"
        )
        print(common.columns([["bytes", "part"], *listed], right=(0,)))
        values["footprint", name] = flash
        values.update(narrowed(args, name, flash, listed))
        values["data", f"footprint {name}"] = data
        values["bss", f"footprint {name}"] = bss
    return values


def narrowed(args, name, flash, listed):
    """The footprint without the parts that a narrower use never executes (they are linked all the same)."""
    values = {}
    for item in args.leave_out:
        use, _, expression = item.partition("=")
        if not expression:
            raise common.Fault(f"--leave-out {item}: expected USE=REGEX")
        idle = [(size, part) for size, part in listed if re.search(expression, part)]
        values["footprint", f"{name}/{use}"] = flash - sum(size for size, _ in idle)
        print(
            f"of which {use}: {values['footprint', f'{name}/{use}']} bytes, without "
            + ", ".join(f"{part} {size}" for size, part in idle)
        )
    return values


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--archive", required=True, metavar="FILE", help="libtinycontact.a")
    parser.add_argument("--board", required=True, help="board or CPU the archive was built for")
    parser.add_argument("--profile", required=True)
    parser.add_argument(
        "--footprint",
        nargs="*",
        default=[],
        metavar="NAME=ARCHIVE[,WORD...]",
        help="link the footprint program with these, e.g. net_eval_table=a.a net_eval_small=b.a; words are sources, "
        "objects and flags to take in its place",
    )
    parser.add_argument(
        "--leave-out",
        nargs="*",
        default=[],
        metavar="USE=REGEX",
        help="also give each footprint without the parts whose names match, "
        "e.g. f32_tanh_softmax='i8|softplus|sigmoid'",
    )
    parser.add_argument("--footprint-source", metavar="FILE", help="tests/bench/footprint.c")
    parser.add_argument("--cc", default="arm-none-eabi-gcc")
    parser.add_argument(
        "--cflags", default="", help="the CPU's flags and -I of the headers (write --cflags='...')"
    )
    parser.add_argument("--objdump", default="arm-none-eabi-objdump")
    parser.add_argument("--nm", default="arm-none-eabi-nm")
    parser.add_argument("--out", metavar="CSV", help="merge into this table of measurements")
    args = parser.parse_args()
    if args.footprint and not args.footprint_source:
        parser.error("--footprint needs --footprint-source")
    return args


def main():
    args = options()
    values = objects(args)
    values.update(footprints(args))
    if args.out:
        common.merge(args.out, ("flash", "data", "bss", "footprint"), args.board, args.profile, values)
    return 0


if __name__ == "__main__":
    common.main(main)
