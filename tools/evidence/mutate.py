#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Changes a line of the library at random, again and again, and sees whether a test notices.

Each change is one of: another comparison, + for - and back, && for ||, a constant off by one (or twice as large), a
condition turned round, a statement left out, the arms of ?: exchanged. It is compiled in a copy of the tree, where
one object is made again; then the file's own suites run, then all, each with a limit of CPU time. What still lives
meets what else `make test` has for it: the file's suites with checkers of bounds and of undefined behaviour, the samples
of trajectories and of complementarity problems, and the Python tests of that file with the library that has the
change. What comes out is

    killed       a test failed, or the program crashed; or `hung`, it did not end
    same         the object has the same bytes: not a change
    equivalent   listed in tests/mutants_equivalent.csv, with the reason why nothing can tell it from the original
    survived     no test noticed

and the rate is killed / (killed + survived). A change is named by file, text of its line and what stands there instead,
so the list of equivalent ones outlives edits elsewhere. Verdicts are kept in build/mutate as long as lib/ and port/ stay
as they are: an interrupted run goes on where it was. Survivors are tried again when a test was changed; what was killed
is taken for dead, unless --fresh says to try all again.
"""

import argparse
import concurrent.futures
import csv
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("Makefile", "lib", "port", "boards", "tests", "tools/evidence", "tools/make")
BUILT = "build/host-exact"
UNIT = BUILT + "/unit-0"
SANITIZED = ("HOSTCC=clang", "SANITIZE=address,undefined")
SANITIZED_UNIT = BUILT + "-clang-san/unit-0"
SAMPLES = (("fuzz-trajectories", "COUNT=8000"), ("lcp-campaign", "COUNT=1000"),
           ("cone-campaign", "COUNT=1000"))  # as `make test` draws them
TABLES = {"tc_tanh_table.c", "tc_softplus_table.c", "tc_status.c", "tc_version.c"}
FIELDS = ("file", "line", "change", "original", "changed", "verdict", "by")
CPU_SECONDS = 100   # of a test program: all suites take 20, and a sample 3
PYTHON_SECONDS = 240

# How a file's name begins, to the words that name its suites, and to the Python tests that run its lines.
SUITES = (("tc_limb2", "limb2"), ("tc_learned3", "learned3,foot3,limb3,step3"), ("tc_limb3", "limb3,limb_any,step3"),
          ("tc_foot3", "foot3,foot_checked,learned3,step3"), ("tc_learned2", "learned2,foot2"), ("tc_foot2", "foot2,foot_checked,learned2"),
          ("tc_friction2", "friction2"),
          ("tc_learned_record", "record,model,learned,foot"), ("tc_learned", "learned,foot,model,record"), ("tc_mat", "mat"),
          ("tc_math", "math"), ("tc_vec", "vec,body,chain"), ("tc_model", "model,record"), ("tc_net", "net"), ("tc_lcp", "lcp"), ("tc_band", "band"), ("tc_barrier", "barrier"), ("tc_cone", "cone"), ("tc_hierarchy", "hierarchy"),
          ("tc_cdl", "cdl"),
          ("tc_estimator", "estimator"), ("tc_leg", "leg,estimator_config"), ("tc_wire", "wire"), ("tc_chain", "chain,limb2"),
          ("tc_body", "body,foot,learned3"), ("tc_robot", "robot"), ("tc_momentum", "momentum"), ("tc_patch", "patch,detect,contact"),
          ("tc_contact", "contact"), ("tc_detect", "detect,contact"), ("tc_shape", "detect,contact"), ("tc_root", "root"), ("tc_bytes", "bytes,model,wire"),
          ("tc_scene", "scene"), ("tc_joint", "joint,scene"), ("tc_impact", "impact,twophase,scene_grad"), ("tc_twophase", "twophase"),
          ("tc_identify", "identify"),
          ("tc_cursor", "bytes,wire,estimator"),
          ("tc_scheme", "scheme,foot,learned3,limb,step3"))
PYTHON_TESTS = (("tc_wire", ("hil_wire",)), ("tc_net", ("tinycontact_library", "tinycontact_fold")),
                ("tc_mat", ("tinycontact_library",)), ("tc_math", ("tinycontact_library",)),
                ("tc_model", ("tinycontact_format", "tinycontact_strip")), ("tc_lcp", ("lcp",)), ("tc_band", ("rope",)),
                ("tc_cone", ("impact_solve",)), ("tc_impact", ("impact_solve",)),
                ("tc_limb2", ("chain_swing",)), ("tc_robot", ("robots_tables",)), ("tc_learned3", ("learned3_contact",)),
                ("tc_limb3", ("spatial_limb",)), ("tc_foot3", ("learned3_contact",)),
                ("tc_learned2", ("sim_contact",)), ("tc_foot2", ("sim_contact",)), ("tc_cdl", ("cdl_model", "cdl_simulate")),
                ("tc_estimator", ("hil_model",)), ("tc_hierarchy", ("hierarchy",)), ("tc_scene", ("impact_simulate",)), ("tc_joint", ("impact_simulate",)))

# ---- Changes ----------------------------------------------------------------------------------------

COMPARE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
TOKEN = re.compile(r"->|\+\+|--|<<=?|>>=?|[-+*/|&^]=|<=|>=|==|!=|&&|\|\||"
                   r"TC_C\(-?[0-9.e+-]+\)|0x[0-9a-fA-F.]+(?:p[-+]?[0-9]+)?[fu]?|[0-9]+(?:\.[0-9]*)?e[-+]?[0-9]+f?|[0-9]+\.[0-9]*f?|[0-9]+u?\b|[A-Za-z_]\w*|\S")
STATEMENT = re.compile(r"^(\s+)((?:[a-z_][\w.>\[\]\-+ ]*(?:\[[^=]*\])?\s*(?:[-+*/|&^]|<<|>>)?=[^=].*|[a-z_]\w*\(.*\)|\+\+.*|.*\+\+));$")
DECLARES = re.compile(r"^\s+(?:static|const|register|return|tc_\w+|u?int\w*|size_t|float|double|char|union|struct)\s+[*\w]")


def code_lines(text):
    """(index, line) of what is code: comments are blanked, preprocessor lines and what they go on with are left out."""
    text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)
    goes_on = False
    for index, line in enumerate(text.split("\n")):
        directive = goes_on or line.lstrip().startswith("#")
        goes_on = directive and line.endswith("\\")
        if not directive and line.strip() and '"' not in line:
            yield index, line


def number(token):
    """Another constant in the place of one; None if there is none that says anything."""
    if token.startswith("TC_C("):
        value = token[5:-1]
        return "TC_C(1.0)" if float(value) == 0 else f"TC_C(2.0 * {value})"
    if re.fullmatch(r"[0-9]+u?", token):
        value = int(token.rstrip("u"))
        return str(value + 1) + ("u" if token.endswith("u") else "")
    return None


def token_changes(line):
    """(column, length, replacement, kind) of single tokens."""
    tokens = [(m.start(), m.group()) for m in TOKEN.finditer(line)]
    for k, (at, token) in enumerate(tokens):
        before = tokens[k - 1][1] if k else ""
        binary = bool(re.search(r"[\w)\]]$", before)) and before not in ("return", "case", "sizeof")
        if token in COMPARE:
            yield at, len(token), COMPARE[token], "comparison"
        elif token in ("&&", "||"):
            yield at, 2, "||" if token == "&&" else "&&", "and or"
        elif token in ("+", "-") and binary:
            yield at, 1, "-" if token == "+" else "+", "sign"
        elif token in ("+=", "-="):
            yield at, 2, "-=" if token == "+=" else "+=", "sign"
        elif token == "*" and binary and not re.match(r"(?:const|tc_\w+|u?int\w*|void|float|double|char)$", before):
            yield at, 1, "+", "product"
        elif number(token) is not None and not (before == "[" and DECLARES.match(line) and "=" not in line[:at]):
            yield at, len(token), number(token), "constant" # but no array is made longer: nothing could tell


def line_changes(line):
    """(whole new line, kind) of changes that take more than a token."""
    condition = re.match(r"^(\s*(?:\} else )?if \()(.*)(\) \{)$", line)
    if condition:
        yield f"{condition[1]}!({condition[2]}){condition[3]}", "condition"
    arms = re.match(r"^([^?]*\? )([^?:]+)( : )([^?:;]+)(;)$", line)
    if arms:
        yield f"{arms[1]}{arms[4]}{arms[3]}{arms[2]}{arms[5]}", "arms"
    statement = STATEMENT.match(line)
    if statement and not DECLARES.match(line):
        yield statement[1] + ";", "left out"


def sites(path):
    """Every change of a file: (line index, kind, original line, changed line)"""
    text = path.read_text(encoding="utf-8")
    own = text.split("\n")
    for index, line in code_lines(text):
        if "_Static_assert" in line or "TC_BEGIN" in line or re.match(r"^(?:typedef|static inline|static|tc_|const|\})", line):
            continue
        for at, length, other, kind in token_changes(line):
            yield index, kind, own[index], own[index][:at] + other + own[index][at + length:]
        for other, kind in line_changes(line):
            yield index, kind, own[index], other


def all_changes():
    files = sorted(p for p in (ROOT / "lib").rglob("*.c") if p.name not in TABLES)
    files += sorted(p for p in (ROOT / "lib").rglob("*.h") if p.name.endswith(("_core.h", "_internal.h", "_fixed.h")))
    return [(str(path.relative_to(ROOT)), *site) for path in files for site in sites(path)]


# ---- A copy of the tree -----------------------------------------------------------------------------

def copy_tree(to):
    """Makes `to` what the tree is, and touches nothing that is alike."""
    for name in COPIED:
        for path in ([ROOT / name] if (ROOT / name).is_file() else sorted((ROOT / name).rglob("*"))):
            if path.is_file() and "__pycache__" not in path.parts:
                target = to / path.relative_to(ROOT)
                if not target.exists() or target.read_bytes() != path.read_bytes():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(path, target)
    (to / "build").mkdir(exist_ok=True)
    for name in ("third_party", "venv", "setup.stamp"):
        if not (to / "build" / name).exists():
            (to / "build" / name).symlink_to(ROOT / "build" / name)


def limited(seconds):
    """Runs first in the child: a limit of CPU time, which a busy machine does not change, and no core files."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.nice(5)
    return limit


def run(command, where, seconds, environment=None):
    """(status, output); a signal is a negative status."""
    done = subprocess.run(command, cwd=where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                          preexec_fn=limited(seconds), check=False, errors="replace",
                          env={**os.environ, **(environment or {})})
    return done.returncode, done.stdout


def word_of(table, file):
    return next((value for begin, value in table if Path(file).name.startswith(begin)), None)


class Copy:
    """One copy of the tree with its objects; one change at a time."""

    def __init__(self, number_):
        self.where = ROOT / "build" / "mutate" / str(number_)
        self.where.mkdir(parents=True, exist_ok=True)
        copy_tree(self.where)
        status, output = self.make(UNIT)
        if status:
            sys.exit(f"the tree does not build:\n{output[-2000:]}")

    def make(self, *words, seconds=1200):
        return run(["make", "-s", "--no-print-directory", *words], self.where, seconds)

    def objects(self, file):
        """Every object that the file may change: its own, or of a header all that include it."""
        if file.endswith(".c"):
            return [self.where / BUILT / "obj" / Path(file).with_suffix(".o")]
        parts = sorted((self.where / BUILT / "obj" / "lib").rglob("*.d"))
        return [d.with_suffix(".o") for d in parts if re.search(rf"\b{re.escape(file)}\b", d.read_text())]

    def code(self, objects):
        """A hash of the objects without what a debugger reads."""
        found = hashlib.sha256()
        for path in objects:
            bare = path.with_suffix(".bare")
            subprocess.run(["objcopy", "--strip-debug", str(path), str(bare)], check=True)
            found.update(bare.read_bytes())
            bare.unlink()
        return found.hexdigest()

    def try_change(self, change):
        """(verdict, by)"""
        file, index, _, _, changed = change
        path = self.where / file
        text = path.read_text(encoding="utf-8")
        objects = self.objects(file)
        kept = [(o, o.read_bytes()) for o in objects]
        before = self.code(objects)
        lines = text.split("\n")
        lines[index] = changed
        path.write_text("\n".join(lines), encoding="utf-8")
        try:
            return self.judge(file, objects, before)
        finally: # the objects of before, newer than the text of before
            path.write_text(text, encoding="utf-8")
            for o, content in kept:
                o.write_bytes(content)

    def judge(self, file, objects, before):
        status, _ = self.make(*(str(o.relative_to(self.where)) for o in objects))
        if status:
            return "no program", "compiler"
        if self.code(objects) == before:
            return "same", "compiler"
        if self.make(UNIT)[0]:
            return "no program", "linker"
        suites = word_of(SUITES, file)
        own = [suites] if suites else []
        return (self.run_unit(UNIT, own) or (self.run_unit(UNIT, []) if own else None)
                or self.run_sanitized(own) or self.run_samples() or self.run_python(file))

    def run_unit(self, program, words):
        status, output = run(["./" + program, *words], self.where, CPU_SECONDS)
        failed = re.search(r"^(\S+\.c):\d+:(\w+):FAIL", output, re.M)
        if status == 0:
            return None
        if status in (-24, -9): # SIGXCPU
            return "hung", "unit " + ",".join(words)
        return "killed", failed[2] if failed else f"unit: status {status}"

    def run_sanitized(self, words):
        if self.make(SANITIZED_UNIT, *SANITIZED)[0]:
            return "no program", "linker"
        verdict = self.run_unit(SANITIZED_UNIT, words)
        return verdict and (verdict[0], "sanitizers: " + verdict[1])

    def run_samples(self):
        """One process each: as many copies of the tree as there are processors work side by side."""
        for target, count in SAMPLES:
            if self.make(target, count, "PROCESSES=1", seconds=CPU_SECONDS)[0]:
                return "killed", target
        return None

    def run_python(self, file):
        tests = word_of(PYTHON_TESTS, file)
        if not tests:
            return "survived", ""
        status, output = self.make("shared")
        if status:
            return "no program", "linker"
        library = self.where / output.strip().split("\n")[-1]
        for test in tests:
            status, _ = run([str(ROOT / "build/venv/bin/python"), f"tests/python/test_{test}.py"], ROOT, PYTHON_SECONDS,
                            {"TINYCONTACT_LIBRARY": str(library)})
            if status:
                return ("hung" if status in (-24, -9) else "killed"), f"test_{test}.py"
        return "survived", ""


# ---- Verdicts ----------------------------------------------------------------------------------------

def stamp(*folders):
    """A hash of the sources there."""
    found = hashlib.sha256()
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix in (".c", ".h", ".S", ".tcm", ".py"):
                found.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return found.hexdigest()[:16]


def name_of(change):
    file, _, kind, original, changed = change
    return json.dumps([file, kind, original.strip(), changed.strip()])


def draw(changes, seed, count):
    """At random by a hash of seed and name, so that a change keeps its place whatever is edited elsewhere."""
    return sorted(changes, key=lambda change: hashlib.sha256(f"{seed} {name_of(change)}".encode()).digest())[:count]


def read_equivalent(path):
    """{(file, original, changed)}: reasons are for readers, but each must be given."""
    if not path.exists():
        return set()
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        if not row["reason"].strip():
            sys.exit(f"{path}: {row['file']}: '{row['changed']}' has no reason")
    return {(row["file"], row["original"], row["changed"]) for row in rows}


class Kept:
    """Verdicts on this library, on disk line by line; those of survivors hold for these tests only."""

    def __init__(self, folder, fresh):
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"verdicts-{stamp('lib', 'port')}.jsonl"
        self.tests = stamp("tests/unit", "tests/vectors", "tests/python", "tests/trajectories", "tests/lcp", "tests/cone", "tools/evidence")
        if fresh and self.path.exists():
            self.path.unlink()
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        rows = [json.loads(line) for line in lines]
        self.known = {name: [verdict, by] for name, verdict, by, tests in rows
                      if verdict != "survived" or tests == self.tests}

    def add(self, name, verdict, by):
        self.known[name] = [verdict, by]
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps([name, verdict, by, self.tests]) + "\n")


def work(copy, queue, kept, told):
    while queue:
        number_, change = queue.pop(0)
        verdict, by = copy.try_change(change)
        kept.add(name_of(change), verdict, by)
        told(number_, change, verdict, by)


def report(rows, out):
    with open(out, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(FIELDS)
        writer.writerows(sorted(rows, key=lambda row: (row[0], row[1], row[4])))
    count = {v: sum(row[5] == v for row in rows) for v in ("killed", "hung", "survived", "equivalent", "same", "no program")}
    for file, line, kind, original, changed, verdict, _ in rows:
        if verdict == "survived":
            print(f"{file}:{line}: {kind}\n    - {original}\n    + {changed}")
    dead = count["killed"] + count["hung"]
    rate = dead / max(1, dead + count["survived"])
    print(", ".join(f"{n} {v}" for v, n in count.items()) + f": {100 * rate:.1f} % of those that change behaviour are caught")
    return rate


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="changes to try (default 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="copies of the tree that work side by side")
    parser.add_argument("--only", default="", help="only files whose name contains this")
    parser.add_argument("--out", default="build/mutants.csv")
    parser.add_argument("--least", type=float, default=0.95, help="of those that change behaviour (default 0.95)")
    parser.add_argument("--fresh", action="store_true", help="forget the verdicts of an earlier run")
    arguments = parser.parse_args()

    changes = [change for change in all_changes() if arguments.only in change[0]]
    chosen = draw(changes, arguments.seed, arguments.count)
    equivalent = read_equivalent(ROOT / "tests/mutants_equivalent.csv")
    kept = Kept(ROOT / "build/mutate", arguments.fresh)
    queue = [(k, change) for k, change in enumerate(chosen, 1) if name_of(change) not in kept.known]
    print(f"{len(changes)} changes possible, {len(chosen)} drawn, {len(chosen) - len(queue)} judged before", flush=True)

    def told(number_, change, verdict, by):
        left = len(queue)
        print(f"[{len(chosen) - left:3}/{len(chosen)}] {change[0]}:{change[1] + 1} {change[2]}: {verdict} {by}", flush=True)

    jobs = max(1, min(arguments.jobs, len(queue)))
    if queue:
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            copies = list(pool.map(Copy, range(jobs)))
            for future in [pool.submit(work, copy, queue, kept, told) for copy in copies]:
                future.result()

    rows = []
    for file, index, kind, original, changed in chosen:
        verdict, by = kept.known[name_of((file, index, kind, original, changed))]
        own = (file, original.strip(), changed.strip())
        rows.append((file, index + 1, kind, original.strip(), changed.strip(),
                     "equivalent" if verdict == "survived" and own in equivalent else verdict, by))
    rate = report(rows, arguments.out)
    good = rate >= arguments.least
    print(f"{int(good)} passed, {int(not good)} failed")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
