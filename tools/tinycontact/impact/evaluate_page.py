# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The tables of docs/explanation/impact-learning.md, from tests/impact/evaluation.csv.

    python -m tinycontact.impact.evaluate_page tests/impact/evaluation.csv docs/explanation/impact-learning.md
"""
import csv
import re
import sys

PLACE = re.compile(r"(<!-- table: ([^\n]+) -->\n).*?(<!-- end -->)", re.S)
ALIKE = ("BP5-e", "CP3-e", "CP3", "Gyro-e", "Gyro")


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _short(x):
    return "" if x in ("", None) else f"{float(x):.3g}"


def _table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def _of(rows, table, task=None, what=None):
    return [r for r in rows if r["table"] == table and task in (None, r["task"]) and what in (None, r["what"])]


def _worst(rows):
    return max(abs(float(r["ours"]) - float(r["truth"])) / max(1.0, float(r["truth"])) for r in rows)


def coefficients(rows):
    """Table 2 and S.1 to S.3."""
    lines = []
    for task in ALIKE:
        mu, e = (_of(rows, "2", task, what) for what in ("mu", "e"))
        ratios = _of(rows, "S.1-3", task)
        if not mu:
            continue
        truth = f"{_short(mu[0]['truth'])}, {_short(e[0]['truth'])}"
        if float(e[0]["truth"]) == 0:
            told = f"0 to {max(float(r['high']) for r in e):.2g}"
        else:
            told = f"{_worst(e):.1e}"
        seconds = sorted(float(r["seconds"]) for r in mu)
        lines.append([task, truth, f"{_worst(mu):.1e}", told, f"{_worst(ratios):.1e}",
                      f"{_short(mu[0]['paper'])}, {_short(e[0]['paper'])}", f"{seconds[len(seconds) // 2]:.1f}"])
    return _table(("task", "true mu, e", "error of mu", "of e, or its interval", "of ratios and gravity", "paper: mu, e",
                   "seconds"), lines)


def pairs(rows):
    lines = []
    for task in ("BP5", "BD5"):
        worst = {r["what"].split()[3].rstrip(","): r for r in _of(rows, "2", task) if r["what"].startswith("worst")}
        if worst:
            open_ = _of(rows, "2", task, "coefficients not determined")[0]
            lines.append([task, *(f"{float(worst[k]['ours']):.1e}" for k in ("mu", "e", "mass")), _short(open_["ours"]),
                          f"{float(open_['seconds']):.0f}"])
    return _table(("task", "error of mu", "of e", "of mass ratios", "not determined", "seconds"), lines)


def errors(rows):
    lines = []
    for task in ALIKE:
        short, long = _of(rows, "Fig. 3", task), _of(rows, "Fig. 4", task)
        if short:
            lines.append([task, _between(short[0]), _short(short[0]["paper"]), _between(long[0])])
    return _table(("task", "over 5 steps", "paper", "over 50 steps"), lines)


def _between(r):
    return f"{_short(r['ours'])} ({_short(r['low'])} to {_short(r['high'])})"


def energies(rows):
    lines = [[task, *(_short(_of(rows, "Fig. 5", task, f"energy over 1000 steps{more}")[0]["ours"])
                      for more in ("", ", worst"))]
             for task in ("BP5-e", "CP3-e", "Gyro-e") if _of(rows, "Fig. 5", task)]
    return _table(("task", "mean", "worst"), lines)


def plain(table):
    def made(rows):
        return _table(("task", "chunks", "what", "ours", "true", "paper"),
                      [[r["task"], r["chunks"], r["what"], _between(r), _short(r["truth"]), _short(r["paper"])]
                       for r in _of(rows, table)])
    return made


def nets(rows):
    """Errors of 5 and 50 steps side by side, a row per task and seed."""
    lines = []
    for r in _of(rows, "net"):
        if r["what"].endswith("5 steps"):
            long = next(x for x in _of(rows, "net", r["task"], r["what"].replace("over 5 ", "over 50 "))
                        if x["seed"] == r["seed"])
            lines.append([r["task"], r["what"].split(",")[0], r["seed"], _between(r), _short(r["paper"]), _between(long),
                          f"{float(r['seconds']):.0f}"])
    return _table(("task", "potential", "seed", "over 5 steps", "paper", "over 50 steps", "seconds"), lines)


TABLES = {"nets": nets, "regularised": plain("S.7"), "net sizes": plain("S.8"), "coefficients": coefficients, "pairs": pairs, "errors": errors, "energies": energies, "noise": plain("S.6"),
          "LCP coefficients": plain("S.4"), "LCP errors": plain("S.5"), "sizes": plain("S.9")}


def render(text, rows):
    """The page with its tables made again."""
    return PLACE.sub(lambda found: found.group(1) + "\n" + TABLES[found.group(2)](rows) + "\n" + found.group(3), text)


def main(source, page):
    with open(page, encoding="utf-8") as file:
        text = render(file.read(), read(source))
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
