# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Parts by name: which core a microcontroller has, with which float unit, clock and memory.

    part("stm32f405rg")   # Part(name="stm32f405", core="cortex-m4", float="hard", clock=168e6, flash=..., ram=...)

The longest beginning of the name that parts.csv has, decides. As a program it answers the Makefile: a line
`core float`, or a message and status 1; its second word is the FLOAT that somebody asked for. It imports nothing of the package, so that it runs before setup.
"""
import csv
import difflib
import re
import sys
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("parts.csv")
OTHER_NAMES = (("atsam", "sam"), ("mimxrt", "imxrt"), ("k64", "mk64"), ("frdmk64", "mk64"), ("rpipico", "pico"), ("armcortex", "cortex"))
# Cores without a row of their own in port/cpus.mk, and the core whose code they run.
LIKE_CORES = {"cortexm0": ("cortex-m0plus", "soft"), "cortexm1": ("cortex-m0plus", "soft"), "cortexm23": ("cortex-m0plus", "soft"),
              "cortexm0+": ("cortex-m0plus", "soft"), "cortexm0plus": ("cortex-m0plus", "soft"), "cortexm3": ("cortex-m3", "soft"),
              "cortexm4": ("cortex-m4", "hard"), "cortexm4f": ("cortex-m4", "hard"), "cortexm7": ("cortex-m7", "hard"),
              "cortexm7f": ("cortex-m7", "hard"), "cortexm33": ("cortex-m33", "hard"), "cortexm33f": ("cortex-m33", "hard"),
              "cortexm35p": ("cortex-m33", "hard"), "cortexm52": ("cortex-m55", "hard"), "cortexm55": ("cortex-m55", "hard"),
              "cortexm85": ("cortex-m55", "hard")}
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
    if word.startswith(OTHERS) or "riscv" in word or "hazard3" in word:
        return (f"{name} is no Cortex-M: CPU=generic with CROSS= and CPU_FLAGS= builds the portable C for it"
                " (docs/guides/porting.md)")
    near = difflib.get_close_matches(word, [*known, *CORES], 3, 0.5)
    return f"no part or core {name!r}" + (f": is {' or '.join(near)} meant?" if near else
                                           f": cores are {', '.join(CORES)}")


def part(name):
    """The Part of a name, as printed on the part or shorter, or of a core; ValueError says what is near. A core alone
    has no clock and no memory."""
    known = table()
    word = re.sub("[-_. ]", "", name.lower())
    for other, usual in OTHER_NAMES:
        word = usual + word[len(other):] if word.startswith(other) else word
    if word in LIKE_CORES:
        return Part(name, *LIKE_CORES[word], 0.0, 0, 0)
    fits = [beginning for beginning in known if word.startswith(beginning)]
    if not fits or "riscv" in word:
        raise ValueError(unknown(name, known))
    return known[max(fits, key=len)]


def compiled(name, unit=""):
    """(core, float ABI) of a name; `unit`, or a name that ends in -soft or -hard, asks for an ABI."""
    name, _, asked = name.rpartition("-") if name.endswith(("-soft", "-hard")) else (name, "", unit)
    found = part(name)
    if (asked, found.float) == ("hard", "soft"):
        raise ValueError(f"{name} is a {found.core} without a float unit: FLOAT=soft")
    return found.core, asked or found.float


if __name__ == "__main__":
    try:
        print(*compiled(*sys.argv[1:3]))
    except ValueError as error:
        sys.exit(str(error))
