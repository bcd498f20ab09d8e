# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The tables of docs/explanation/plans.md, from what `make plan-evaluate` keeps in tests/plan.

    python -m tinycontact.plan.page tests/plan docs/explanation/plans.md
"""
import csv
import re
import sys
from pathlib import Path

import numpy as np

PLACE = re.compile(r"(<!-- table: ([^\n]+) -->\n).*?(<!-- end -->)", re.S)
TASKS = ("ant-push", "gather", "gather-animals", "sort")
SHOWN = {"gather": "gather, 10 cubes", "gather-animals": "gather, 10 cows and fishes", "sort": "sort, 10 cubes",
         "ant-push": "ant-push, 9 links"}


def read(folder, name):
    path = Path(folder, f"{name}.csv")
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def numbers(rows, key):
    return [float(row[key]) for row in rows if row[key] != ""]


def short(x, digits=2):
    return "–" if x in ("", None) else f"{float(x):.{digits}g}"


def share(x):
    return {1.0: "yes", 0.0: "no"}.get(float(x), f"{100 * float(x):.0f} %")


def properties(folder):
    keys = ("barrier", "smooth", "non-prehensile", "non-vanishing")
    return table(("model", *keys, "force 100 m away"),
                 [(row["model"], *(share(row[key]) for key in keys), short(row["force_far"])) for row in read(folder, "properties")])


def stack(folder):
    def stands(row):
        return {"True": "stands", "False": "falls", "": "falls while held"}[row["stands"]]
    return table(("mu", "margin: mean, largest [m]", "the paper", "force error [N]", "the paper", "0.1 % inward", "the paper",
                  "stands from"),
                 [(short(row["mu"], 1), "–" if row["margin_mean"] == "" else f"{short(row['margin_mean'])}, {short(row['margin_max'])}",
                   short(row["paper_margin"], 3), short(row["force_error"]), short(row["paper_force_error"], 3), stands(row),
                   {"True": "stands", "False": "falls", "": "–"}[row["paper_stands"]],
                   "–" if row["stands_from"] == "" else f"{100 * float(row['stands_from']):g} %")
                  for row in read(folder, "book-stack")])


def searches(folder, name, label, key="search", frames="frames"):
    rows, found = read(folder, name), []
    for search in dict.fromkeys(row[key] for row in rows):
        own = [row for row in rows if row[key] == search]
        done = [row for row in own if row["reached"] == "1"]
        found.append((search, f"{len(done)} of {len(own)}", f"{np.median(numbers(done, frames)):.0f}" if done else "–",
                      *label(own)))
    return found


def push(folder):
    return table(("planned with", "solved", "frames, median", "ms per frame, median"),
                 searches(folder, "push-searches", lambda own: (short(np.median(numbers(own, "milliseconds"))),)))


def derivatives(folder):
    rows = read(folder, "derivatives")
    return table(("derivatives at the start", "not 0", "largest, median"),
                 [(label, f"{sum(x > 0 for x in numbers(rows, key))} of {len(rows)}", short(np.median(numbers(rows, key))))
                  for label, key in (("the library's, bounded far part", "library"), ("MuJoCo, finite differences", "differences"),
                                     ("MuJoCo, bundles of 8", "bundle"))] if rows else [])


def billiards(folder):
    return table(("search", "solved", "roll-outs, median", "seconds, median"),
                 searches(folder, "billiards", lambda own: (short(np.median(numbers(own, "seconds"))),), frames="rolls"))


def tasks(folder):
    rows = []
    for name in TASKS:
        own = read(folder, name)
        if own:
            done = [row for row in own if row["reached"] == "1"]
            rows.append((SHOWN[name], f"{len(done)} of {len(own)}", f"{np.median(numbers(done, 'frames')):.0f}" if done else "–",
                         short(np.median(numbers(own, "milliseconds"))), "; ".join(sorted({row["note"] for row in own} - {""})) or "–"))
    return table(("task", "solved", "frames, median", "ms per frame, median", "notes"), rows)


def timings(name, key, label):
    def made(folder):
        rows, found = read(folder, name), []
        for value in dict.fromkeys(row[key] for row in rows):
            own = [row for row in rows if row[key] == value]
            done = [row for row in own if row["reached"] == "1"]
            found.append((f"{float(value):g}", f"{len(done)} of {len(own)}",
                          f"{np.median(numbers(done, 'seconds')):.2f}" if done else "–", f"{float(own[0]['paper_seconds']):.2f}",
                          f"{np.median(numbers(done, 'frames')):.0f}" if done else "–", short(np.median(numbers(own, "milliseconds")))))
        return table((label, "solved", "simulated time, median [s]", "the paper [s]", "frames", "ms per frame"), found)
    return made


TABLES = {"properties": properties, "book stack": stack, "billiards": billiards, "push": push, "derivatives": derivatives,
          "tasks": tasks, "time step": timings("time-step", "h", "time step [s]"),
          "stiffness": timings("stiffness", "mu", "mu")}


def rendered(text, folder):
    """The page with today's tables."""
    return PLACE.sub(lambda found: found.group(1) + TABLES[found.group(2)](folder) + found.group(3), text)


if __name__ == "__main__":
    page = Path(sys.argv[2])
    page.write_text(rendered(page.read_text(encoding="utf-8"), sys.argv[1]), encoding="utf-8")
