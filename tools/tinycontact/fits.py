# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact board fits: whether what you want to compute fits a part and its tick.

The costs are those of tests/measured.csv (costs.csv beside this file): instructions counted under QEMU, cycles
estimated from them by the core's timing table, the worst input that was found.
"""
import csv
import difflib
from dataclasses import dataclass
from pathlib import Path

from . import parts
from .errors import TinycontactError

TABLE = Path(__file__).with_name("costs.csv")
# A Cortex-M33 runs the kernels of the M4F; its cycles are not estimated, the M4F's are taken.
LIKE = {"cortex-m33": "cortex-m4"}
MOST_JOINTS = 6
STRUCTS = 352   # bytes of the estimator's structs, which footprint_estimator.c has beside state and workspace


def add(p):
    p.description = """Say whether a choice of the library's functions fits a part and a tick: cycles, RAM, flash, stack."""
    p.add_argument("--core", required=True, metavar="PART",
                   help="a part, as printed on it or shorter (stm32f405), or a core (cortex-m4)")
    p.add_argument("--tick", type=float, default=1000.0, metavar="HZ", help="ticks per second (default 1000)")
    p.add_argument("--use", default="", metavar="NAMES",
                   help="what runs in each tick: estimator, foot2, ... with commas; default: a table of all")
    p.add_argument("--joints", type=int, default=2, metavar="N", help="joints of the estimator's leg, 1 to 6 (default 2)")
    p.add_argument("--clock", type=float, metavar="HZ", help="the processor's clock (default: the part's highest)")
    p.epilog = """Costs are of the worst input that was found, in firmware compiled with -O2: instructions as
counted under QEMU, cycles as estimated from them; nothing was measured on silicon. `make flash
APP=measure` measures your part. Memory is that of the largest part of a family. RAM and flash of
uses without a number were not measured by themselves. The stack is the deepest of the calls, not
their sum. The estimator of 3 to 6 joints was counted with 6. Its flash is that of
tc_estimator_init and tc_estimator_update, for two joints with TC_ESTIMATOR_MANY 0, as the
tinycontact_config.h of `leg export` sets it; tc_estimator_default_for adds 3 KB. Exit status: 1
if it does not fit.

examples:
  tinycontact board fits --core stm32f405 --tick 1000
  tinycontact board fits --core nrf52840 --tick 500 --use estimator,predict --joints 3"""
    p.set_defaults(run=run)


class DoesNotFit(TinycontactError):
    """An answer, and no mistake of the user's."""
    exit_status = 1


@dataclass(frozen=True)
class Cost:
    """Of one use on one core; flash and ram [bytes] are None where they were not measured."""
    use: str
    text: str
    instructions: int
    cycles: int
    stack: int
    flash: int | None
    ram: int | None


def costs(core):
    """{use: Cost} of a core."""
    with TABLE.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(line for line in file if not line.startswith("#")) if row["core"] == core]
    return {row["use"]: Cost(row["use"], row["text"], *(int(row[key]) for key in ("instructions", "cycles", "stack")),
                             *(int(row[key]) if row[key] else None for key in ("flash", "ram"))) for row in rows}


def hypothesis(n):
    return 2 * n + n * (2 * n + 1)


def estimator_ram(n):
    """Bytes: TC_ESTIMATOR_STATE(n), TC_ESTIMATOR_WORK(n, 0) and the structs."""
    return 4 * (5 * hypothesis(n) + 8 * n + hypothesis(n) + 3 * n * n + 12 * n) + STRUCTS


def of_joints(cost, joints):
    return cost if not cost.use.startswith("estimator") else Cost("estimator", cost.text, cost.instructions, cost.cycles,
                                                                  cost.stack, cost.flash, estimator_ram(joints))


def offered(core, joints):
    """{name: Cost}, the estimator's for that many joints."""
    known = costs(core)
    left_out = "estimator6" if joints <= 2 else "estimator2"
    return {cost.use: cost for cost in (of_joints(c, joints) for name, c in known.items() if name != left_out)}


def chosen(names, known):
    """The Costs of names with commas between them; all of `known` for none."""
    picked = []
    for name in filter(None, (word.strip() for word in names.split(","))):
        if name not in known:
            near = difflib.get_close_matches(name, known, 1, 0.4)
            raise TinycontactError(f"--use {name}: " + (f"is {near[0]} meant? " if near else "") + f"uses are {', '.join(known)}")
        picked.append(known[name])
    return picked


def target(word):
    """The Part that --core names: a part, or a core alone, of unknown clock and memory."""
    if word in parts.CORES:
        return parts.Part(word, word, "soft" if word in ("cortex-m0plus", "cortex-m3") else "hard", 0.0, 0, 0)
    try:
        return parts.part(word)
    except ValueError as error:
        raise TinycontactError(f"--core: {error}") from None


def share(cycles, clock, tick):
    return 100.0 * cycles * tick / clock


def line(cost, clock, tick):
    memory = "".join(f"{'-' if value is None else value:>8}" for value in (cost.stack, cost.ram, cost.flash))
    return f"{cost.use:11}{cost.instructions:>12}{cost.cycles:>9}{share(cost.cycles, clock, tick):>8.1f} %{memory}  {cost.text}"


def verdict(picked, part, clock, tick):
    """(whether it fits, the lines that say so)."""
    part_of_tick = share(sum(cost.cycles for cost in picked), clock, tick)
    told = [("cycles", part_of_tick <= 100.0, f"{part_of_tick:.1f} % of a tick")]
    for what, have, value in (("flash", part.flash, sum(cost.flash or 0 for cost in picked)),
                              ("RAM", part.ram, sum(cost.ram or 0 for cost in picked) + max(cost.stack for cost in picked))):
        unknown = [cost.use for cost in picked if (cost.flash if what == "flash" else cost.ram) is None]
        more = f", and what {', '.join(unknown)} takes" if unknown else ""
        stack = " with the stack" if what == "RAM" else ""
        if have:
            told.append((what, value <= have, f"{value} of {have} bytes{stack}{more}; the largest {part.name} has these"))
    return all(fits for _, fits, _ in told), [f"{what:7}{'fits' if fits else 'DOES NOT FIT':13} {text}" for what, fits, text in told]


def run(options):
    part = target(options.core)
    clock = options.clock or part.clock
    if not 1 <= options.joints <= MOST_JOINTS:
        raise TinycontactError(f"--joints {options.joints}: a leg has 1 to {MOST_JOINTS}")
    if not options.tick > 0.0:
        raise TinycontactError(f"--tick {options.tick:g}: ticks per second, above 0")
    if options.tick < 1.0:
        raise TinycontactError(f"--tick {options.tick:g}: ticks per second; a tick of {options.tick:g} s is --tick"
                               f" {1.0 / options.tick:g}")
    if not clock > 0.0:
        raise TinycontactError(f"--core {options.core} is a core, of any clock: add --clock HZ")
    if part.float == "soft":
        raise TinycontactError(f"{options.core} is a {part.core} without a float unit: its costs were not counted."
                               " `make flash APP=measure` measures them on the part (docs/guides/porting.md)")
    core = LIKE.get(part.core, part.core)
    known = offered(core, options.joints)
    picked = chosen(options.use, known)
    print(f"{part.name}: {part.core} at {clock / 1e6:g} MHz, {clock / options.tick:.0f} cycles in a tick of"
          f" {1000.0 / options.tick:g} ms" + ("" if core == part.core else f"; costs of the {core}, whose kernels it runs"))
    print(f"{'':11}{'instructions':>12}{'cycles':>9}{'of tick':>10}{'stack':>8}{'RAM':>8}{'flash':>8}")
    for cost in picked or known.values():
        print(line(cost, clock, options.tick))
    if not picked:
        print("each alone; --use names what runs together, and compares memory")
        return
    fits, lines = verdict(picked, part, clock, options.tick)
    print("\n".join(lines))
    if not fits:
        raise DoesNotFit(f"{', '.join(cost.use for cost in picked)}: more than {part.name} has in a tick of"
                               f" {1000.0 / options.tick:g} ms")
