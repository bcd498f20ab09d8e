#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Compares measurements with the committed budget and fails when something got worse.

A budget row is a measurement and a slack in percent; an empty slack takes the kind's default (1 for
instructions, flash and footprints, 0 for stack, data and bss). Only own costs are budgeted: rows of peers
(cmsis, plain, newlib) and estimated cycles are not. Improvements are told; --update makes the budget what was measured,
keeping every slack, and is the only thing that writes.

--targets lists what the project set out to reach (tests/targets.csv) beside what was measured.
"""

import argparse

import common

DEFAULT_SLACK = {"instructions": 1, "stack": 0, "flash": 1, "data": 0, "bss": 0, "footprint": 1}
PEERS = ("cmsis", "plain", "newlib")
BUDGET_FIELDS = (*common.FIELDS, "slack")
TARGET_FIELDS = (*common.FIELDS, "source")


def read_budget(path):
    """{key: (value, slack in percent, slack as written)}"""
    table = {}
    for where, row in common.read_csv(path, BUDGET_FIELDS):
        if row["kind"] not in DEFAULT_SLACK:
            raise common.Fault(
                f"{where}: field 'kind' is '{row['kind']}', expected one of {', '.join(DEFAULT_SLACK)}"
            )
        if common.key_of(row) in table:
            raise common.Fault(
                f"{where}: '{row['item']}' is listed twice for {row['board']} {row['profile']}"
            )
        slack = common.natural(row["slack"], where, "slack") if row["slack"] else DEFAULT_SLACK[row["kind"]]
        table[common.key_of(row)] = (common.natural(row["value"], where, "value"), slack, row["slack"])
    return table


def budgeted(key):
    kind, item = key[0], key[1]
    return kind in DEFAULT_SLACK and item.rsplit("/", 1)[-1] not in PEERS


def say(key):
    kind, item, board, profile = key
    return f"{kind} {item} on {board} ({profile})"


def compare(measured, budget, boards):
    """(worse, missing, better, new): lists of lines. boards: only these are expected to be measured."""
    worse, missing, better = [], [], []
    for key, (value, slack, _) in sorted(budget.items()):
        if key[2] not in boards:
            continue
        if key not in measured:
            missing.append(f"{say(key)}: in the budget ({value}) but not measured")
        elif measured[key] * 100 > value * (100 + slack):
            worse.append(f"{say(key)}: {measured[key]}, budget {value} + {slack} %")
        elif measured[key] < value:
            better.append(f"{say(key)}: {measured[key]}, budget {value}")
    new = [
        f"{say(key)}: {value}"
        for key, value in sorted(measured.items())
        if budgeted(key) and key not in budget
    ]
    return worse, missing, better, new


def old_lines(path):
    try:
        return common.read_text(path).splitlines()
    except common.Fault:
        return []


def update(path, measured, budget, boards):
    """Rows of boards that were not measured stay as they are, and so do the comments on top."""
    rows = {key: (value, written) for key, (value, _, written) in budget.items() if key[2] not in boards}
    for key, value in measured.items():
        if budgeted(key):
            rows[key] = (value, budget[key][2] if key in budget else "")
    head = [line for line in old_lines(path) if line.startswith("#")]
    body = common.csv_text(BUDGET_FIELDS, [(*key, *row) for key, row in sorted(rows.items())])
    common.write_text(path, "\n".join([*head, body]))
    print(f"{path}: {len(rows)} rows written")


def targets(path, measured):
    """Prints target against measurement; returns how many are missed. Within 2 % counts as met. An item may
    name several variants, a/b/fixed|kernel: the smallest that was measured counts."""
    rows = [["target", "kind", "board", "profile", "limit", "measured", "", "set by"]]
    missed = 0
    for where, row in common.read_csv(path, TARGET_FIELDS):
        limit = common.natural(row["value"], where, "value")
        stem, _, variants = row["item"].rpartition("/")
        found = [
            measured[key]
            for variant in variants.split("|")
            if (key := (row["kind"], f"{stem}/{variant}" if stem else variant, row["board"], row["profile"]))
            in measured
        ]
        verdict = "not measured" if not found else "met" if min(found) * 100 <= limit * 102 else "MISSED"
        missed += verdict == "MISSED"
        rows.append(
            [
                row["item"],
                row["kind"],
                row["board"],
                row["profile"],
                limit,
                min(found) if found else "-",
                verdict,
                row["source"],
            ]
        )
    print(common.columns(rows, right=(4, 5)))
    return missed


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--measured", required=True, metavar="CSV", help="what bench.py, stack.py and size.py wrote"
    )
    parser.add_argument("--budget", metavar="CSV", help="tests/budget.csv")
    parser.add_argument("--targets", metavar="CSV", help="tests/targets.csv")
    parser.add_argument("--update", action="store_true", help="write the budget from the measurements")
    parser.add_argument("--strict", action="store_true", help="missed targets fail, too")
    parser.add_argument(
        "--boards", nargs="*", metavar="BOARD", help="compare only these (default: all measured)"
    )
    args = parser.parse_args()
    if not args.budget and not args.targets:
        parser.error("nothing to compare with: give --budget or --targets")
    return args


def check(args, measured, boards):
    try:
        budget = read_budget(args.budget)
    except common.Fault:
        if not args.update:
            raise
        budget = {}
    if args.update:
        update(args.budget, measured, budget, boards)
        return 0
    worse, missing, better, new = compare(measured, budget, boards)
    for title, lines in (
        ("better", better),
        ("new, not in the budget", new),
        ("missing", missing),
        ("WORSE", worse),
    ):
        if lines:
            print(f"{title}:\n  " + "\n  ".join(lines))
    print(f"budget: {len(worse)} worse, {len(missing)} missing, {len(better)} better, {len(new)} new")
    return 1 if worse or missing else 0


def main():
    args = options()
    measured = common.read_measured(args.measured)
    boards = set(args.boards or {key[2] for key in measured})
    status = 0
    if args.targets:
        missed = targets(args.targets, measured)
        status = 1 if missed and args.strict else 0
    return max(status, check(args, measured, boards)) if args.budget else status


if __name__ == "__main__":
    common.main(main)
