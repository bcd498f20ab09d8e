#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Runs the bench firmware under QEMU with the counting plugin and prints what each case costs.

The firmware runs every case twice with the same inputs, each time as one region, then prints one line
    bench <item> <inputs> <error> <tolerance>
over its UART. Where an item ends with #<draw> the cost depends on the numbers: of all draws the median
and the worst are reported, as <item>-median and <item>-worst. The n-th pair of regions in the plugin's file belongs to the n-th line. A case whose
error exceeds its tolerance computes something wrong: it gets no count and the run fails. So does a
pair of regions that differ.

A region is what a caller pays: moving the arguments into registers, the call, the function, its
return. It lacks only the loading of the arguments from memory. The items selftest/... are loops of
known length; if one of them is off by one instruction, nothing is believed.
"""

import argparse
import collections
import os
import re
import shlex
import tempfile

import common
import disasm
import limits

Case = collections.namedtuple("Case", "item inputs error tolerance region")
Cost = collections.namedtuple("Cost", "case instructions cycles groups shares")

# instructions of selftest/<what>/<n>
SELFTEST = {"empty": lambda n: 0, "nop": lambda n: n, "loop": lambda n: 1 + 2 * n}


def run_firmware(command, plugin, elf):
    """(lines of the UART, text of the plugin's file)"""
    handle, counts = tempfile.mkstemp(prefix="counts_")
    os.close(handle)
    command = [
        *shlex.split(command),
        "-plugin",
        f"file={os.path.abspath(plugin)},out={counts}",
        "-kernel",
        elf,
    ]
    try:
        done = limits.run(command)
        text = common.read_text(counts)
    except OSError as error:
        raise common.Fault(f"{command[0]}: {error.strerror}") from None
    finally:
        os.unlink(counts)
    if done.status != 0:
        tail = "\n".join(done.output.strip().splitlines()[-12:])
        ended = done.reason or f"ended with status {done.status}"
        raise common.Fault(f"{elf}: {ended} under: {' '.join(command)}\n{tail}")
    return done.output.splitlines(), text


def parse_counts(text, where):
    """[{(address, instructions): (executions, jumps)}] per region."""
    regions = []
    blocks, ended, last = text.rpartition("end ")
    if not ended or not re.fullmatch(r"\d+\n?", last) or blocks[-1:] not in ("\n", ""):
        raise common.Fault(f"{where}: cut off, the last line is not 'end <regions>'")
    before = None
    for block in blocks.split("region ")[1:]:
        head, _, lines = block.partition("\n")
        # Most regions are the one before, run again.
        if lines != before:
            region, before = {}, lines
            for line in lines.splitlines():
                address, instructions, executions, jumps = line.split()
                region[int(address, 16), int(instructions)] = (int(executions), int(jumps))
        index, total = map(int, head.split())
        if total_of(region) != total:
            raise common.Fault(f"{where}: the addresses of region {index} do not add up to {total}")
        regions.append(region)
    if int(last) != len(regions):
        raise common.Fault(f"{where}: {len(regions)} regions, but the last line says {last}")
    return regions


def parse_cases(lines, regions):
    cases = []
    for line in lines:
        cells = line.split()
        if len(cells) != 5 or cells[0] != "bench":
            continue
        index = 2 * len(cases)
        try:
            inputs, error, tolerance = int(cells[2]), float(cells[3]), float(cells[4])
        except ValueError:
            raise common.Fault(f"UART line '{line}': expected 'bench ITEM INPUTS ERROR TOLERANCE'") from None
        if index + 1 >= len(regions):
            raise common.Fault(
                f"UART line '{line}': the plugin saw only {len(regions)} regions, two per case needed"
            )
        if regions[index] != regions[index + 1]:
            raise common.Fault(
                f"{cells[1]}: two runs with the same inputs executed different instructions "
                f"({total_of(regions[index])} and {total_of(regions[index + 1])})"
            )
        cases.append(Case(cells[1], inputs, error, tolerance, regions[index]))
    if not cases:
        raise common.Fault("the firmware printed no case; its output was:\n" + "\n".join(lines[-12:]))
    if len(regions) != 2 * len(cases):
        raise common.Fault(f"{len(regions)} regions for {len(cases)} cases: expected two per case")
    return cases


def total_of(region):
    return sum(instructions * count for (_, instructions), (count, _) in region.items())


def check_selftest(cases):
    """The counter against loops of known length."""
    seen = set()
    for case in cases:
        match = re.fullmatch(r"selftest/(\w+)/(\d+)/known", case.item)
        if match:
            seen.add(match.group(1))
            expected = SELFTEST[match.group(1)](int(match.group(2)))
            if total_of(case.region) != expected:
                raise common.Fault(
                    f"{case.item}: counted {total_of(case.region)} instructions, known to be {expected}"
                )
    missing = sorted(set(SELFTEST) - seen)
    if missing:
        raise common.Fault(f"the firmware has no case selftest/{missing[0]}: the counter is not checked")


class Stretches(dict):
    """{(address, instructions): what one execution of these costs}, found when asked for."""

    def __init__(self, code, cycles):
        super().__init__()
        self.code, self.cycles, self.order = code, cycles, sorted(code)
        self.place = {address: index for index, address in enumerate(self.order)}

    def __missing__(self, stretch):
        address, instructions = stretch
        if address not in self.place:
            raise common.Fault(f"executed {address:#x}, where the ELF file has no instruction")
        addresses = self.order[self.place[address] :][:instructions]
        if len(addresses) != instructions:
            raise common.Fault(f"executed {instructions} instructions from {address:#x}, behind the ELF file's last")
        groups, shares = collections.Counter(), collections.Counter()
        for address in addresses:
            instruction = self.code[address]
            kind = disasm.classify(instruction.mnemonic, instruction.operands)
            groups[disasm.CLASSES[kind]] += 1
            shares[instruction.function] += 1
        total = sum(self.cycles[address] for address in addresses)
        self[stretch] = total, kind == "loop", tuple(groups.items()), tuple(shares.items())
        return self[stretch]


def cost_of(case, stretches, timing):
    groups = collections.defaultdict(int)
    shares = collections.Counter()
    total = 0
    refill = timing["refill"].base
    for stretch, (count, jumps) in case.region.items():
        try:
            cycles, loops, of_group, of_function = stretches[stretch]
        except common.Fault as fault:
            raise common.Fault(f"{case.item}: {fault}") from None
        for group, n in of_group:
            groups[group] += n * count
        for function, n in of_function:
            shares[function] += n * count
        total += count * cycles + (0 if loops else jumps * refill)
    return Cost(case, sum(groups.values()), total, groups, shares)


def summarise(costs):
    """Costs with all draws of an item replaced by their median (of an even number the lower of the two) and
    their worst."""
    result, draws = [], collections.defaultdict(list)
    for cost in costs:
        stem, marked, _ = cost.case.item.partition("#")
        if not marked:
            result.append(cost)
            continue
        if stem not in draws:
            result.append(stem)
        draws[stem].append(cost)
    for stem, group in draws.items():
        group.sort(key=lambda cost: (cost.instructions, cost.cycles))
        chosen = (("median", group[(len(group) - 1) // 2]), ("worst", group[-1]))
        at = result.index(stem)
        result[at : at + 1] = [
            cost._replace(case=cost.case._replace(item=f"{stem}-{name}")) for name, cost in chosen
        ]
    return result


def table(costs, top):
    head = ["item", "instr", "cycles", *disasm.GROUPS, "error", "where"]
    rows = [head]
    for cost in costs:
        most = [f"{name} {100 * n // max(1, cost.instructions)}%" for name, n in cost.shares.most_common(top)]
        rows.append(
            [
                cost.case.item,
                cost.instructions,
                cost.cycles,
                *(cost.groups[g] for g in disasm.GROUPS),
                f"{cost.case.error:.1e}",
                ", ".join(most),
            ]
        )
    return common.columns(rows, right=range(1, len(head) - 1))


def wrong(cases):
    # `not <=` and not `>`: an error that is NaN is wrong, too
    return [
        f"{c.item}: error {c.error:g} exceeds {c.tolerance:g}" for c in cases if not c.error <= c.tolerance
    ]


def over_limit(costs):
    """Public calls that add more to their kernel than 60 instructions and 3 per input."""
    counts = {cost.case.item: cost for cost in costs}
    found = []
    for item, cost in counts.items():
        if item.endswith("/public") and cost.case.inputs:
            unchecked = (counts.get(item[:-7] + variant) for variant in ("/forward", "/fixed", "/kernel"))
            kernel = next(filter(None, unchecked), None)
            limit = 60 + 3 * cost.case.inputs
            if kernel and cost.instructions - kernel.instructions > limit:
                found.append(
                    f"{item}: adds {cost.instructions - kernel.instructions} instructions to the unchecked call, "
                    f"limit {limit} (60 + 3 per input)"
                )
    return found


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--elf", required=True, help="the bench firmware")
    parser.add_argument("--qemu", required=True, help="the command that runs it, without -kernel and -plugin")
    parser.add_argument("--plugin", required=True, help="the built tools/qemu_count.c")
    parser.add_argument("--timing", required=True, help="tools/evidence/timing_<core>.csv")
    parser.add_argument("--board", required=True)
    parser.add_argument("--profile", required=True, help="exact, fast, or the backend alone")
    parser.add_argument("--objdump", default="arm-none-eabi-objdump")
    parser.add_argument(
        "--objdump-flags",
        default="",
        metavar="FLAGS",
        help="for the M55 -marmv8.1-m.main, else Helium shows as coprocessor instructions "
        "(write it as --objdump-flags=-m...)",
    )
    parser.add_argument("--out", metavar="CSV", help="merge the counts into this table of measurements")
    parser.add_argument(
        "--only", default="", metavar="REGEX", help="show only matching items (all are checked)"
    )
    parser.add_argument("--top", type=int, default=3, metavar="N", help="functions named in the last column")
    parser.add_argument("--strict", action="store_true", help="fail when a public call adds more than it may")
    return parser.parse_args()


def main():
    args = options()
    timing = disasm.read_timing(args.timing)
    code = disasm.load(args.objdump, shlex.split(args.objdump_flags), args.elf)
    lines, counts = run_firmware(args.qemu, args.plugin, args.elf)
    cases = parse_cases(lines, parse_counts(counts, "the plugin's file"))
    check_selftest(cases)
    stretches = Stretches(code, disasm.estimate(code, timing))
    failures = wrong(cases)
    costs = summarise(
        cost_of(case, stretches, timing)
        for case in cases
        if case.error <= case.tolerance and not case.item.startswith("selftest/")
    )
    print(f"{args.board} {args.profile}: executed instructions and estimated cycles per call, by class")
    print(table([cost for cost in costs if re.search(args.only, cost.case.item)], args.top))
    over = over_limit(costs)
    for line in failures + over:
        print(f"bench.py: {line}")
    if args.out and not failures:
        values = {("instructions", cost.case.item): cost.instructions for cost in costs}
        values.update({("cycles", cost.case.item): cost.cycles for cost in costs})
        common.merge(args.out, ("instructions", "cycles"), args.board, args.profile, values)
    return 1 if failures or (over and args.strict) else 0


if __name__ == "__main__":
    common.main(main)
