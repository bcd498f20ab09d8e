#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Counts in words that may only fall, over the public headers of lib/, README.md and docs/:

    sentence   90th percentile of the words of a sentence in a file's comments or prose
    long       sentences of more than 25 words
    banned     words and phrases of BANNED: translations and pictures, for which the field has words of its own
    returns    public functions of a header whose comment does not describe the result after `Returns:`
    wide       lines of more than 100 columns, outside of a page's tables

tests/words.csv holds what each file may have; a file that is not in it may have a 90th percentile of 25 words and
nothing else. Without an option the counts of files beyond that are printed and fail; --write lowers the file's numbers
to those of today (and never raises one); --list prints each place, of the FILES that are named.
"""

import argparse
import csv
import io
import math
import re
from pathlib import Path

import common
import names

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "tests" / "words.csv"
KINDS = ("sentence", "long", "banned", "returns", "wide")
LENGTH, WIDTH = 25, 100
FREE = {"sentence": LENGTH, "long": 0, "banned": 0, "returns": 0, "wide": 0}
# Part (d) 4 of the style, as far as a pattern can see it. "room" is a workspace, a state or a module.
BANNED = [re.compile(rf"\b(?:{pattern})\b", re.I) for pattern in (
    "(?:is|are|was|were|be|been) told", "tells", "says", "numbers that are none", "asked beyond", "handed back",
    "hands? out", "stands? (?:at|in)", "anew", "afresh", "thereby", "whoever", "likewise", "alike", "what is wrong with",
    "as far as float can", "but for", "the least", "rooms?", "the paper's (?:scheme|way|kind)",
    "(?:the|a|any|learned) laws?")]
BEGINNINGS = re.compile(r"(?:What|Whoever|Of|That)\b")
COMMENT = re.compile(r"/\*(?:[^*]|\*(?!/))*\*/")


def blanked(found):
    return re.sub(r"[^\n]", " ", found.group())


def comment_texts(text):
    """(line, prose) of each comment of a header: no margin, no examples, no licence, no rule of dashes."""
    for found in COMMENT.finditer(text):
        lines = [re.sub(r"^\s*(?:/\*+|\*(?!/))", "", line) for line in found.group()[:-2].split("\n")]
        lines = ["" if re.match(r"\s{5}|.*(?:SPDX|Copyright|----)", line) else line.strip() for line in lines]
        yield text.count("\n", 0, found.start()) + 1, "\n".join(lines)


def page_text(text):
    """The prose of a page, its lines in their places: no rendered part, code, comment, heading or link's target."""
    for pattern in (r"<!-- (rendered|costs):begin -->.*?<!-- \1:end -->", r"^```.*?^```", r"<!--.*?-->", r"^(?: {4}|#).*$"):
        text = re.sub(pattern, blanked, text, flags=re.M | re.S if ".*?" in pattern else re.M)
    return re.sub(r"\]\([^)]*\)", "]", text)


def paragraphs(texts):
    """(line, prose) with the lines of a paragraph or a list's item joined; a table's cells are lists between `;`."""
    for start, text in texts:
        line, joined = start, []
        for number, part in enumerate(text.split("\n"), start):
            if not part.strip() or re.match(r"\s*(?:[-*|]|\d+\.) ?", part):
                yield line, " ".join(joined)
                line, joined = number, []
                if part.lstrip().startswith("|"):
                    yield from ((number, item.strip()) for item in re.split(r"[|;]", part))
                    continue
            joined.append(part.strip())
        yield line, " ".join(joined)


def sentences(text):
    """A paragraph's sentences; a semicolon ends none, a colon ends one before a capital."""
    text = re.sub(r"\b(?:e\.g|i\.e|etc|vs|cf|Fig|eq)\.", "abbreviation", text)
    return [part for part in re.split(r"(?<=\S[.:?!])(?:\*\*)?\s+(?=[A-Z(\[*0-9])", text) if part and words(part)]


def words(sentence):
    return re.findall(r"[A-Za-z][\w'^-]*", sentence)


def percentile(lengths):
    return sorted(lengths)[max(0, math.ceil(0.9 * len(lengths)) - 1)] if lengths else 0


def prose(path, text):
    """(line, paragraph) of a header or a page, code replaced by one word."""
    texts = comment_texts(text) if path.suffix == ".h" else [(1, page_text(text))]
    return ((line, re.sub(r"`[^`]*`", "Code", paragraph)) for line, paragraph in paragraphs(texts))


def without_returns(text):
    """(line, name) of the functions whose result the comment above them, or above their group, does not describe: a
    status wants `Returns:`, any other value the word."""
    bare = names.without_comments(text)
    for found in re.finditer(r"^(?!typedef|static|return)(\w[\w \t]*?[ *]+)(tc_\w+)\(", bare, re.M):
        kind, name = found.group(1).strip(), found.group(2)
        above = text[text.rfind("\n\n", 0, found.start()) + 1:found.start()]   # no blank line is in a comment
        if kind.split()[-1] != "void" and ("Returns:" if kind == "tc_status" else "Returns") not in above:
            yield text.count("\n", 0, found.start()) + 1, name


def places(path, text):
    """(kind, line, what) of everything that counts, "sentence" with its length."""
    for line, paragraph in prose(path, text):
        for sentence in sentences(paragraph):
            yield "sentence", line, len(words(sentence))
            if len(words(sentence)) > LENGTH:
                yield "long", line, sentence
            if BEGINNINGS.match(sentence):
                yield "banned", line, sentence
        for pattern in BANNED:
            yield from (("banned", line, found.group()) for found in pattern.finditer(paragraph))
    if path.suffix == ".h":
        yield from (("returns", line, name) for line, name in without_returns(text))
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > WIDTH and not line.startswith("|"):
            yield "wide", number, line.strip()


def counts(path, text):
    """{kind: number}"""
    found = [*places(path, text)]
    many = {kind: sum(1 for place in found if place[0] == kind) for kind in KINDS}
    return {**many, "sentence": percentile([what for kind, _, what in found if kind == "sentence"])}


def files(root):
    headers = [path for path in (root / "lib").glob("*/*.h") if f'"{path.name}"' in (root / "lib/tinycontact.h").read_text()]
    return sorted([*headers, root / "README.md", *(root / "docs").rglob("*.md")])


def measured(root):
    return {path.relative_to(root).as_posix(): counts(path, common.read_text(path)) for path in files(root)}


def read_table(text):
    return {row["file"]: {kind: int(row[kind]) for kind in KINDS} for row in csv.DictReader(io.StringIO(text))}


def allowed(table, name):
    return {kind: max(number, FREE[kind]) for kind, number in table.get(name, FREE).items()}


def excesses(found, table):
    """Lines about the counts that are higher than their file may have."""
    for name, numbers in found.items():
        for kind, number in numbers.items():
            if number > allowed(table, name)[kind]:
                yield f"{name}: {kind} {number}, may have {allowed(table, name)[kind]}"


def lowered(found, table):
    """The table with the numbers of today where they are lower; all of them the first time."""
    rows = {name: {kind: min(number, allowed(table, name)[kind]) if table else number for kind, number in numbers.items()}
            for name, numbers in found.items()}
    rows = {name: numbers for name, numbers in rows.items() if any(numbers[kind] > FREE[kind] for kind in KINDS)}
    return "".join([",".join(("file", *KINDS)) + "\n",
                    *(",".join((name, *(str(rows[name][kind]) for kind in KINDS))) + "\n" for name in sorted(rows))])


def show(chosen):
    for path in files(ROOT):
        name = path.relative_to(ROOT).as_posix()
        if not chosen or name in chosen:
            for kind, line, what in places(path, common.read_text(path)):
                if kind != "sentence":
                    print(f"{name}:{line}: {kind}: {what}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--list", nargs="*", metavar="FILE")
    args = parser.parse_args()
    if args.list is not None:
        show(args.list)
        return 0
    found = measured(ROOT)
    table = read_table(common.read_text(TABLE)) if TABLE.exists() else {}
    if args.write:
        common.write_text(TABLE, lowered(found, table))
    elif over := [*excesses(found, table)]:
        raise common.Fault("\n".join(over) + f"\n{len(over)} counts rose; words.py --list FILE shows the places")
    sums = {kind: sum(numbers[kind] for numbers in found.values()) for kind in KINDS[1:]}
    print(f"{len(found)} files: " + ", ".join(f"{kind} {number}" for kind, number in sums.items()))
    return 0


if __name__ == "__main__":
    common.main(main)
