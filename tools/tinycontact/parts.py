# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Parts by name: which core a microcontroller has, with which float unit, clock and memory.

    part("stm32f405rg")   # Part(name="stm32f405", core="cortex-m4", float="hard", clock=168e6, flash=..., ram=...)

The longest beginning of the name that parts.csv has, decides. As a program it answers the Makefile: a line
`core float`, or a message and status 1. It imports nothing of the package, so that it runs before setup.
"""
import csv
import difflib
import sys
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("parts.csv")
CORES = ("cortex-m0plus", "cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33", "cortex-m55")
OTHERS = ("esp32", "esp8266", "gd32v", "ch32v", "bl602", "k210", "atmega")   # no Cortex-M


@dataclass(frozen=True)
class Part:
    """clock [Hz]; flash and ram [bytes] of the family's largest part; 0 flash: it runs from memory outside."""
    name: str
    core: str
    float: str
    clock: float
    flash: int
    ram: int


def table():
    """{beginning of a name: Part}, in the file's order."""
    with TABLE.open(encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {row["part"]: Part(row["part"], row["core"], row["float"], 1e6 * float(row["clock"]),
                                  1024 * int(row["flash"]), 1024 * int(row["ram"])) for row in rows}


def unknown(name, known):
    """The message about a name that is neither a part nor a core."""
    word = name.lower()
    if word.startswith(OTHERS):
        return (f"{name} is no Cortex-M: CPU=generic with CROSS= and CPU_FLAGS= builds the portable C for it"
                " (docs/guides/porting.md)")
    near = difflib.get_close_matches(word, [*known, *CORES], 3, 0.5)
    return f"no part or core {name!r}" + (f": is {' or '.join(near)} meant?" if near else
                                           f": cores are {', '.join(CORES)}")


def part(name):
    """The Part of a name, as printed on the part or shorter. ValueError says what is near."""
    known = table()
    word = name.lower().replace("-", "").replace("_", "")
    fits = [beginning for beginning in known if word.startswith(beginning)]
    if not fits:
        raise ValueError(unknown(name, known))
    return known[max(fits, key=len)]


if __name__ == "__main__":
    try:
        found = part(sys.argv[1])
        print(found.core, found.float)
    except ValueError as error:
        sys.exit(str(error))
