#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""How long and how branched the functions of lib/ and port/ are, and how many lines of tests stand beside them.

Complexity of a function: 1, and 1 more for each if, for, while, case, &&, || and ?: in its body. Length: lines from
its opening brace to its closing one, comments included. Of a conditional directive the first branch counts; the bodies
of macros don't. Functions of headers count, too.

Prints the functions above MOST, the most branched first; --all prints every function. Fails if more than ABOVE have a
complexity above MOST, or if median, 90th percentile or maximum of the lengths are above LENGTHS.
"""

import argparse
import re
import sys
from collections import namedtuple
from pathlib import Path

import names

ROOT = Path(__file__).resolve().parents[2]
MOST, ABOVE, LENGTHS = 10, 25, (12, 25, 52)
DECISION = re.compile(r"\b(?:if|for|while|case)\b|&&|\|\||\?")
HEAD = re.compile(r"\b(\w+)\s*\((?:[^()]|\([^()]*\))*\)\s*(?:TC_\w+\s*)?$")

Function = namedtuple("Function", "complexity lines name file")


def blank(found):
    return re.sub(r"[^\n]", " ", found.group())


def first_branches(text):
    """Directives and all branches but the first blanked; lines keep their numbers."""
    lines, taken, goes_on = [], [], False
    for line in text.split("\n"):
        word = re.match(r"\s*#\s*(\w+)", line) if not goes_on else None
        directive = goes_on or word is not None
        goes_on = directive and line.endswith("\\")
        if word and word[1].startswith("if"):
            taken.append(True)
        elif word and word[1].startswith("el"):
            taken[-1] = False
        elif word and word[1] == "endif":
            taken.pop()
        lines.append("" if directive or not all(taken) else line)
    return "\n".join(lines)


def functions(text, file):
    """Each function that a source defines."""
    bare = re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', blank, names.without_comments(text))
    bare = first_branches(bare)
    depth, begin, head = 0, 0, 0
    for brace in re.finditer(r"[{};]", bare):
        if brace.group() == "{":
            if depth == 0:
                begin = brace.start()
                title = HEAD.search(bare[head:begin].rstrip())
            depth += 1
        elif brace.group() == "}":
            depth -= 1
            if depth == 0:
                body = bare[begin:brace.end()]
                if title and "=" not in bare[head:begin]:
                    yield Function(1 + len(DECISION.findall(body)), body.count("\n") + 1, title[1], file)
                head = brace.end()
        elif depth == 0:
            head = brace.end()


def library(root):
    found = []
    for path in sorted([*root.glob("lib/*/*.[ch]"), *root.glob("port/*/*.[ch]"), *root.glob("port/*.h")]):
        found += functions(path.read_text(encoding="utf-8"), str(path.relative_to(root)))
    return found


def lengths(found):
    """(median, 90th percentile, maximum) of their lines."""
    lines = sorted(one.lines for one in found)
    return lines[len(lines) // 2], lines[len(lines) * 9 // 10], lines[-1]


def count_lines(paths):
    return sum(path.read_text(encoding="utf-8").count("\n") for path in paths)


def c_lines(root):
    """{what: lines}: lib/ and port/, tests written by hand, vectors that were made."""
    def below(folder):
        return [path for path in (root / folder).rglob("*.[chS]") if path.is_file()]
    vectors = below("tests/vectors")
    return {"lib/ and port/": count_lines([*below("lib"), *below("port")]),
            "tests": count_lines(set(below("tests")) - set(vectors)), "tests/vectors": count_lines(vectors)}


def faults(found):
    above = sum(one.complexity > MOST for one in found)
    if above > ABOVE:
        yield f"{above} functions have a complexity above {MOST}, at most {ABOVE} may"
    for what, most, there in zip(("median", "90th percentile", "maximum"), LENGTHS, lengths(found)):
        if there > most:
            yield f"{what} of the functions' lengths is {there} lines, at most {most}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="print every function, not only those above")
    options = parser.parse_args()
    found = library(ROOT)
    for one in sorted(found, key=lambda one: (-one.complexity, one.file)):
        if options.all or one.complexity > MOST:
            print(f"{one.complexity:4}{one.lines:5}  {one.file}: {one.name}")
    median, most, longest = lengths(found)
    print(f"{len(found)} functions, {sum(one.complexity > MOST for one in found)} of a complexity above {MOST}; "
          f"lines: median {median}, 90th percentile {most}, maximum {longest}")
    lines = c_lines(ROOT)
    print("; ".join(f"{what} {count} lines" for what, count in lines.items())
          + f"; tests per line: {lines['tests'] / lines['lib/ and port/']:.2f} written by hand, "
            f"{(lines['tests'] + lines['tests/vectors']) / lines['lib/ and port/']:.2f} in all")
    wrong = [*faults(found)]
    print("".join(f"{fault}\n" for fault in wrong), end="")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
