#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Run every test there is and print one total.

A test job is a command that prints either Unity's closing line ("12 Tests 0 Failures 0 Ignored"),
unittest's ("Ran 12 tests in 0.1s", then OK or FAILED) or "N passed, N failed". Jobs come from tools/make/tests.mk,
one argument each: "label :: needs :: command", where needs are groups of tools/setup (or "label :: command").
With --passed DIRECTORY, "label :: needs :: command :: files" may name a command that makes what the job runs and
prints the files' names, one per line. While these files and the command are those it passed with, the job is not run
but named as unchanged; where they cannot be told, it runs.
They run two at a time; a job that prints no closing line, or whose exit status disagrees with it, is itself a
failure, so nothing can pass by not running. A job is stopped when it computes or stands still for too long
(tools/evidence/limits.py), however busy the machine is. Tests that were skipped are named in the end, with the reason.
"""
import argparse
import concurrent.futures
import hashlib
import os
import re
import resource
import subprocess
import sys
import time
from collections import namedtuple
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "evidence"))

import limits   # noqa: E402  (the path comes first)

# Jobs share the processors, and threads that wait for each other's small matrices compute: four times as much.
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
Job = namedtuple("Job", "label needs command files", defaults=("",))
UNCHANGED = "unchanged since it passed"
UNITY = re.compile(r"^(\d+) Tests (\d+) Failures (\d+) Ignored", re.M)
UNITTEST = re.compile(r"^Ran (\d+) tests? in", re.M)
UNITTEST_BAD = re.compile(r"^FAILED \((.*)\)", re.M)
SKIPPED = re.compile(r"^(.*) \.\.\. (skipped .*)$", re.M)   # unittest's, with -v
PLAIN = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?", re.M)


def count(output):
    """(passed, failed, skipped) summed over all closing lines of a job, or None without any."""
    totals, seen = [0, 0, 0], False
    for tests, failures, ignored in UNITY.findall(output):
        add = int(tests) - int(failures) - int(ignored), int(failures), int(ignored)
        totals, seen = [a + b for a, b in zip(totals, add)], True
    for passed, failed, skipped in PLAIN.findall(output):
        totals, seen = [a + b for a, b in zip(totals, (int(passed), int(failed), int(skipped or 0)))], True
    for tests in UNITTEST.findall(output):
        totals[0] += int(tests)
        seen = True
    for what in UNITTEST_BAD.findall(output):
        bad = sum(int(n) for n in re.findall(r"(?:failures|errors)=(\d+)", what))
        totals[0] -= bad
        totals[1] += bad
    for skipped in re.findall(r"skipped=(\d+)", output):
        totals[0] -= int(skipped)
        totals[2] += int(skipped)
    return totals if seen else None


def computed():
    """Seconds that the children of this process which ended have computed, with theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def state(job, cpu, still):
    """The sum of a job's command and of the files that it runs, or '' where one of them cannot be told."""
    status, names, _ = limits.run(job.files, cpu, still, shell=True)
    if status != 0 or not names.split():
        return ""
    total = hashlib.sha256(job.command.encode())
    try:
        for name in names.splitlines():
            total.update(f"\0{name}\0".encode() + hashlib.sha256(Path(name).read_bytes()).digest())
    except OSError:
        return ""
    return total.hexdigest()


def run_or_skip(job, cpu, still, passed):
    """`run` for a job that has changed since it passed; what passed is kept as a file in `passed`."""
    if not passed or not job.files:
        return run(job.label, job.command, cpu, still)
    start, before = time.monotonic(), computed()
    kept = Path(passed, hashlib.sha256(job.label.encode()).hexdigest())
    found = state(job, cpu, still)
    if found and kept.exists() and kept.read_text() == found:
        return job.label, [0, 0, 0], computed() - before, time.monotonic() - start, "", UNCHANGED
    kept.unlink(missing_ok=True)
    _, counts, _, _, output, reason = run(job.label, job.command, cpu, still)
    if found and counts[0] and not counts[1] and not reason and state(job, cpu, still) == found:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(found)
    return job.label, counts, computed() - before, time.monotonic() - start, output, reason


def run(label, command, cpu, still):
    """One job: (label, counts, seconds computed, seconds, output, reason it counts as failed in itself or '').

    Runs in a process that has one job at a time: what its children computed meanwhile is the job's.
    """
    start, before = time.monotonic(), computed()
    status, output, stopped = limits.run(command, cpu, still, shell=True)
    counts = count(output)
    if status is None:
        reason = stopped
    elif counts is None:
        reason = f"no closing line of a test runner (exit status {status})"
    elif (status != 0) != (counts[1] != 0):
        reason = f"exit status {status} does not fit {counts[1]} failures"
    else:
        reason = ""
    return label, counts or [0, 0, 0], computed() - before, time.monotonic() - start, output, reason


def show(lines):
    print("\n".join("      | " + line for line in lines), flush=True)


def job_of(text, parser):
    parts = [part.strip() for part in text.split("::", 3)]
    if len(parts) < 2:
        parser.error(f"job {text!r} is not of the form 'label :: needs :: command'")
    return Job(parts[0], parts[1].split(), *parts[2:]) if len(parts) > 2 else Job(parts[0], [], parts[1])


def set_up(command, jobs):
    """Brings what these jobs need, and nothing that only others do."""
    groups = sorted({group for job in jobs for group in job.needs})
    if command and groups:
        done = subprocess.run([*command.split(), "--group", *groups], check=False)
        if done.returncode:
            sys.exit(done.returncode)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jobs", nargs="+", metavar="'LABEL :: COMMAND'")
    parser.add_argument("--cpu", type=float, default=limits.CPU, metavar="SECONDS",
                        help="processor time that a job may take (default %(default)g)")
    parser.add_argument("--still", type=float, default=limits.STILL, metavar="SECONDS",
                        help="how long a job may go on without computing (default %(default)g)")
    parser.add_argument("--only", default="", help="run only the jobs whose label contains this")
    parser.add_argument("--passed", default="", metavar="DIRECTORY", help="leave out what is unchanged since it passed")
    parser.add_argument("--dearest", type=int, default=0, metavar="N", help="name in the end the N that computed longest")
    parser.add_argument("--setup", default="", metavar="COMMAND",
                        help="run first with --group and what the jobs need")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    jobs = [job_of(text, parser) for text in arguments.jobs]
    jobs = [job for job in jobs if arguments.only in job.label]
    if not jobs:
        parser.error(f"no job's label contains {arguments.only!r}")
    set_up(arguments.setup, jobs)
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")

    passed = failed = skipped = 0
    total = 0.0
    bad, left_out, unchanged, took = [], [], [], []
    width = max(len(job.label) for job in jobs)
    with concurrent.futures.ProcessPoolExecutor(arguments.workers) as pool:
        futures = [pool.submit(run_or_skip, job, arguments.cpu, arguments.still, arguments.passed) for job in jobs]
        for number, future in enumerate(concurrent.futures.as_completed(futures), 1):
            label, counts, cpu, seconds, output, reason = future.result()
            total += cpu
            if reason == UNCHANGED:
                print(f"[{number:2}/{len(jobs)}] {label:{width}}  {UNCHANGED}", flush=True)
                unchanged.append(label)
                continue
            passed, failed, skipped = passed + counts[0], failed + counts[1], skipped + counts[2]
            failed += bool(reason)
            took.append((cpu, label))
            print(f"[{number:2}/{len(jobs)}] {label:{width}}  {counts[0]:4} passed {counts[1]:3} failed"
                  f"  {cpu:6.1f} s CPU {seconds:6.1f} s" + (f"  <- {reason}" if reason else ""), flush=True)
            left_out += [f"{label}: {test}: {why}" for test, why in SKIPPED.findall(output)]
            if counts[1] or reason:
                lines = [line for line in output.splitlines() if ":PASS" not in line]
                bad.append((label, reason, lines[-60:]))
                show(lines[-60:])
    print(f"{total:.0f} s of processor time")
    for cpu, label in sorted(took, reverse=True)[:arguments.dearest]:
        print(f"{cpu:9.1f} s {label}")
    for label, reason, lines in bad: # once more where a reader of the end of a long log finds them
        print(f"failed: {label}" + (f"  <- {reason}" if reason else ""))
        show(lines[-25:])
    for line in sorted(left_out):
        print(line)
    if unchanged:
        print(f"{len(unchanged)} {UNCHANGED}: " + ", ".join(unchanged))
    if skipped:
        print(f"{skipped} skipped")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
