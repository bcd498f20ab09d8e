# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The dearest inputs that hunt.py has found, and counting them again; needs no NumPy.

    python3 tests/hunt/record.py                             the recorded inputs, then and now
    python3 tests/hunt/record.py --out tests/measured.csv  into that table, too: <subject>/<size>/public-seen

worst.csv keeps the input itself, so that a number in it is a fact that can be repeated. layout is what the
firmware is told: the subject's index and its four sizes.
"""
import argparse
import csv
import os
import struct
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tools" / "evidence"))

import common   # noqa: E402
import limits   # noqa: E402

BOARD, PROFILE = "mps2-an386", "exact"
QEMU = ["qemu-system-arm", "-M", BOARD, "-display", "none", "-monitor", "none", "-serial", "stdio",
        "-semihosting-config", "enable=on,target=native"]
ADDRESS, MAGIC = 0x21000000, 0x544E5548
WORST = HERE / "worst.csv"
FIELDS = ("subject", "size", "board", "profile", "instructions", "status", "changes", "layout", "input")


def build():
    """(image, plugin), made by make."""
    for words in (["firmware", "APP=tests/hunt", f"BOARD={BOARD}"], ["build/qemu_count.so"]):
        common.run(["make", "-s", "-C", str(ROOT), *words], "the hunt firmware")
    return ROOT / "build" / f"{BOARD}-{PROFILE}" / "app" / "tests-hunt.elf", ROOT / "build" / "qemu_count.so"


def count(tools, layout, inputs):
    """[(instructions, status, changes)] of inputs, packed bytes of one length."""
    image, plugin = tools
    index, *size = layout
    head = struct.pack("<8I", MAGIC, index, len(inputs), len(inputs[0]) // 4, *size)
    with tempfile.TemporaryDirectory() as folder:
        problems, counts = Path(folder, "inputs"), Path(folder, "counts")
        problems.write_bytes(head + b"".join(inputs))
        command = [*QEMU, "-device", f"loader,file={problems},addr={ADDRESS:#x},force-raw=on",
                   "-plugin", f"file={plugin},out={counts}", "-kernel", str(image)]
        try:
            done = limits.run(command)
        except OSError as error:
            raise common.Fault(f"{command[0]}: {error.strerror}") from None
        lines = [line.split() for line in done.output.splitlines() if line.startswith("hunt ")]
        if done.status != 0 or len(lines) != len(inputs):
            tail = "\n".join(done.output.splitlines()[-5:])
            ended = done.reason or f"ended with {done.status}"
            raise common.Fault(f"the hunt firmware: {ended} after {len(lines)} of"
                               f" {len(inputs)} inputs:\n{tail}")
        text = common.read_text(counts)
    totals = [int(line.split()[2]) for line in text.splitlines() if line.startswith("region ")]
    if len(totals) != len(inputs):
        raise common.Fault(f"{len(totals)} regions counted for {len(inputs)} inputs")
    return [(total, words[2], int(words[3])) for total, words in zip(totals, lines)]


def read_worst():
    """{subject/size: row}"""
    if not WORST.exists():
        return {}
    return {f"{row['subject']}/{row['size']}": row for _, row in common.read_csv(str(WORST), FIELDS)}


def write_worst(table, order):
    with open(WORST, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(table[name] for name in sorted(table, key=order.index))


def count_row(tools, row, where):
    """(instructions, status, changes) of a row's input today."""
    try:
        layout, blob = [int(word) for word in row["layout"].split()], bytes.fromhex(row["input"])
    except ValueError as error:
        raise common.Fault(f"{where}: field 'layout' or 'input': {error}") from None
    if len(layout) != 5 or not blob or len(blob) % 4:
        raise common.Fault(f"{where}: field 'layout' wants 5 numbers, 'input' whole words")
    return count(tools, layout, [blob])[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", metavar="CSV", help="merge the counts into this table of measurements")
    parser.add_argument("--image", nargs=2, metavar=("ELF", "PLUGIN"), help="instead of building them")
    args = parser.parse_args()
    tools, changed = args.image or build(), 0
    measured = common.read_measured(args.out) if args.out and os.path.exists(args.out) else {}
    table = read_worst()
    for name, row in table.items():
        total, status, changes = count_row(tools, row, f"{WORST}, {name}")
        changed += str(total) != row["instructions"]
        print(f"{name:32} {row['instructions']:>8} recorded, {total:>8} now, {status}, {changes} changes")
        measured["instructions", f"{name}/public-seen", row["board"], row["profile"]] = total
    if args.out:
        common.write_measured(args.out, measured)
    print(f"{len(table)} inputs, {changed} of them cost another number of instructions than recorded")
    return 0


if __name__ == "__main__":
    common.main(main)
