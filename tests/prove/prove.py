# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Runs Frama-C's Eva over the readers of model files and of the wire; see README.md beside this.

    python3 tests/prove/prove.py [--quick] [--frama-c COMMAND]

For every case: the alarms that are not in EXPLAINED, and whether the analysis got past the reader (a proof
about code that is never reached proves nothing). Exit status 1 if an alarm is left or a case was not
reached. --quick leaves out the long files of the first part (five minutes).
"""
import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

FLOORS = sorted(os.path.join("lib", d) for d in os.listdir(os.path.join(ROOT, "lib")) if os.path.isdir(os.path.join(ROOT, "lib", d)))

# Alarms that Eva cannot discharge, with the argument that does. (file, function, kind): why.
EXPLAINED = {
    ("tc_net.c", "quantise_input", "is_nan_or_infinite"):
        "v is within [-127, 127]: the branch above replaced it where !(|v| <= 127), NaN included;"
        " Eva knows no relation between v and fabsf(v)",
    ("tc_net.c", "quantise_input", "float_to_int"): "as above: the sum is within [1.5, 255.5]",
    ("tc_net.c", "quantise_input", "signed_overflow"): "as above: the integer is within [1, 255]",
    ("tc_math_core.h", "tc_saturate", "is_nan_or_infinite"):
        "the two comparisons above have returned for y >= 2^31, y <= -2^31 and NaN",
}

READERS = ["lib/base/tc_bytes.c", "lib/model/tc_model.c", "lib/learned/tc_learned_record.c", "lib/model/tc_model_read.c"]
EVALUATION = READERS + ["lib/net/tc_net.c", "lib/net/tc_net_check.c", "lib/math/tc_math.c", "lib/math/tc_tanh_table.c"] + [
    "port/portable/%s.c" % name for name in ("dense", "dense_i8", "dense_i8_act", "activation")]

WIRE = ["lib/base/tc_bytes.c", "lib/wire/tc_wire.c", "lib/wire/tc_wire_message.c"]

SHORT = [0, 1, 3, 4, 63, 64, 191, 192, 208, 303]
LONG = [512, 4096]
# n_in, n_out, tile rows, tile columns, with every kind of weight, with and without normalisation
SHAPES = [(1, 1, 1, 1), (3, 5, 4, 4), (5, 3, 8, 1), (2, 9, 8, 1), (9, 2, 1, 4), (7, 4, 4, 16), (17, 3, 4, 16),
          (4, 8, 8, 4), (3, 2, 8, 16), (2, 3, 1, 16), (6, 5, 4, 1)]


def run_eva(arguments, harness, sources, defines, options):
    """Eva's log and the properties it could not prove: rows of the report."""
    report = os.path.join(tempfile.mkdtemp(prefix="prove"), "report.csv")
    include = " ".join("-I%s/%s" % (ROOT, d) for d in ("lib", *FLOORS, "port", "port/portable"))
    # Frama-C 25 does not parse _Alignas; alignment is no part of what is proved
    preprocess = "%s '-D_Alignas(n)=' %s" % (include, " ".join("-D%s=%d" % item for item in defines.items()))
    command = [arguments.frama_c, "-c11", "-machdep", "gcc_x86_32", "-cpp-extra-args=" + preprocess, "-eva",
               "-warn-special-float", "none", "-eva-split-return", "auto", "-eva-precision", "2", *options,
               os.path.join(HERE, harness), *(os.path.join(ROOT, s) for s in sources),
               "-then", "-report-csv", report, "-report-no-proven"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0 or not os.path.exists(report):
        sys.exit("frama-c failed:\n" + "\n".join((result.stdout + result.stderr).splitlines()[-20:]))
    with open(report, newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f, delimiter="\t"))
    rows = [r for r in rows if not r["function"].startswith("Frama_C_show_each")]
    for r in rows:
        r["function"] = re.sub(r"_\d+$", "", r["function"])  # a header's static function, included again
    return result.stdout, rows


def case(arguments, name, must_open, *what):
    """One analysis, reported in one line and one more per alarm left; 1 if it proves what it should."""
    start = time.time()
    log, rows = run_eva(arguments, *what)
    left = [r for r in rows if (r["file"], r["function"], r["property kind"]) not in EXPLAINED]
    opened = "Frama_C_show_each_opened" in log
    good = not left and opened == must_open
    print("prove %-44s %s: %d alarms, %d explained, %s (%.0f s)" % (
        name, "ok" if good else "FAILED", len(rows), len(rows) - len(left),
        "opens" if opened else "never opens", time.time() - start), flush=True)
    for r in left:
        print("    %(directory)s/%(file)s:%(line)s: %(function)s: %(property kind)s: %(property)s" % r)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="without the longest files")
    parser.add_argument("--frama-c", default="frama-c", help="the command (Debian: package frama-c-base)")
    arguments = parser.parse_args()
    good = case(arguments, "any bytes on the wire", True, "prove_wire.c", WIRE, {}, [])
    for n in SHORT + ([] if arguments.quick else LONG):
        options = ["-eva-slevel", "400"] if n > 1000 else []
        good &= case(arguments, "any file of %d bytes" % n, n >= 192, "prove_open.c", READERS,
                     {"LENGTH": n}, options)
    for k, (n_in, n_out, rows, columns) in enumerate(SHAPES):
        for weight in range(3):
            defines = {"N_IN": n_in, "N_OUT": n_out, "ROWS": rows, "COLUMNS": columns, "WEIGHT": weight,
                       "OPTIONAL": (k + weight) % 2}
            name = "net %d-%d, tile %d x %d, kind %d%s" % (
                n_in, n_out, rows, columns, weight, ", normalised" if defines["OPTIONAL"] else "")
            good &= case(arguments, name, True, "prove_shapes.c", EVALUATION, defines,
                         ["-eva-domains", "octagon"])
    print("prove: %s" % ("every access stays inside" if good else "FAILED"))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
