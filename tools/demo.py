#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What `make demo` shows, all on an emulated board: a leg that hops and slips while its microcontroller says what its
foot does, a quadruped that trots while one says what all its feet do, a box that bounces while it says what the floor is like, a finger that touches a ball while it says how large the
ball is, a finger that finds its way round a block and pushes it to a mark, a body that is thrown, systems that strike, the library testing itself; and what it costs.

Takes the commands that run the unit tests and the throws, the systems to roll out, and the committed table of
measurements; prints all for a person. Colours only on a terminal.
"""
import argparse
import csv
import pathlib
import re
import subprocess
import sys
import time

import demo_cdl
import demo_impact
import demo_leg
import demo_push
import demo_robot
import demo_throw
import demo_touch

NET = "8-32-32-16-3"
# (what a person calls it, item, calls per measurement)
ROWS = (
    ("net 8-32-32-16-3, ReLU", f"mlp_relu_f32/{NET}", 1),
    ("net 8-32-32-16-3, tanh", f"mlp_tanh_f32/{NET}", 1),
    ("net 8-32-32-16-3, ReLU, int8", f"mlp_relu_i8act/{NET}", 1),
    ("net with its input gradient", f"mlp_tanh_f32_grad/{NET}", 1),
    ("A B         3 x 3", "mat_mul/3", 1),
    ("A B         6 x 6", "mat_mul/6", 1),
    ("A B       12 x 12", "mat_mul/12", 1),
    ("A x       12 x 12", "mat_vec/12", 1),
    ("A x       32 x 32", "mat_vec/32", 1),
    ("Cholesky    3 x 3", "cholesky/3", 1),
    ("Cholesky    6 x 6", "cholesky/6", 1),
    ("Cholesky  12 x 12", "cholesky/12", 1),
    ("tanh", "tanh/64", 64),
    ("exp", "exp/64", 64),
    ("sin", "sin/64", 64),
    ("log", "log/64", 64),
)
# The contact rooms, whose cost depends on the numbers: (what a person calls it, item)
CONTACT = (
    ("tick of the leg above, contact estimated", "estimator_update/2"),
    ("step of the body thrown, on a corner", "foot2_step_point/16-16"),
    ("step of the body thrown, on a side", "foot2_step_edge/16-16"),
    ("step of a leg of 3 links, foot on a corner", "limb2_step_point/3"),
    ("step of a box in 3D, on a face", "foot3_step_face/4+8-8"),
    ("where a polygon of 4 corners touches", "detect2/4"),
    ("LCP, 4 contacts, rank-deficient", "lcp_psd/4"),
    ("LCP, 12 contacts, rank-deficient", "lcp_psd/12"),
)
CLOCK = 168   # [MHz] of an STM32F405
# (what a person calls it, item of kind footprint)
LINKED = (("body thrown, 4 float nets, LCP", "contact_float"), ("the same, int8 nets", "contact_int8"),
          ("one float net, nothing else", "float_net_table"))
OWN = ("forward", "fixed", "kernel", "public")   # variants of an item: the first that there is
PEERS = (("cmsis", "CMSIS-DSP"), ("newlib", "newlib"))
BAR = 24


class Paint:
    def __init__(self, on):
        self.on = on

    def __call__(self, code, text):
        return f"\x1b[{code}m{text}\x1b[0m" if self.on else text


def leg(arguments, paint):
    """The hopper at the board's UART, and the log's replay here; 1 if the board failed or the replay differs."""
    from tinycontact.errors import TinycontactError
    from tinycontact.hil import told
    from tinycontact.hil.replay import replay
    print(paint("1", f"a foot's firmware on an emulated {arguments.board}: a leg in MuJoCo hops and slips at its UART"
                     f" for {demo_leg.SECONDS:g} s"), flush=True)
    try:
        outcome = demo_leg.run(arguments.board, arguments.hil, arguments.leg_picture)
        told.tell(outcome, arguments.hil)
        replayed = replay(pathlib.Path(arguments.hil, "log.bin"))
    except TinycontactError as error:
        print(error)
        return 1
    bad = replayed.difference
    print(f"  replay on this host: {paint('31', str(bad)) if bad else replayed.told()}")
    print(f"  the picture: {paint('1', arguments.leg_picture)}\n", flush=True)
    return 1 if bad else 0


def bout(title, thing, run, report, paint):
    """A plant at the board's UART, and the log's replay here; 1 if the board failed or the replay differs.

    run: (function, board, folder, picture)
    """
    from tinycontact.errors import TinycontactError
    from tinycontact.hil.replay import replay
    play, board, folder, picture = run
    print(paint("1", title), flush=True)
    start = time.monotonic()
    try:
        outcome = play(board, folder, picture)
        replayed = replay(pathlib.Path(folder, "log.bin"))
    except TinycontactError as error:
        print(error)
        return 1
    print("\n".join(f"  {line}" for line in report.told(outcome.summary).splitlines()))
    bad = replayed.difference
    print(f"  replay on this host: {paint('31', str(bad)) if bad else replayed.told()}")
    print(paint("2", f"  took board and {thing} {time.monotonic() - start:.1f} s"))
    print(f"  the picture: {paint('1', picture)}\n", flush=True)
    return 1 if bad else 0


def robot(arguments, paint):
    """The quadruped, whose four feet one board estimates."""
    from tinycontact.hil.bars import Pen
    from tinycontact.robots import run as loop

    def play(board, folder, picture):
        outcome = demo_robot.run(board, folder, picture)
        print("\n".join(f"  {line}" for line in loop.shown(outcome, Pen(sys.stdout)).splitlines()))
        return outcome
    title = (f"a robot's firmware on {arguments.board}: a quadruped of 12 kg trots for {demo_robot.SECONDS:g} s, and one board"
             " says what its four feet do")
    return bout(title, "robot", (play, arguments.board, arguments.robot, arguments.robot_picture), loop, paint)


def floor(arguments, paint):
    """The bouncing box."""
    from tinycontact.hil import floor_report
    title = (f"the same firmware on {arguments.board}: a box bounces on a floor that becomes slippery half-way, and the"
             " board says how much")
    run = demo_impact.run, arguments.board, arguments.floor, arguments.floor_picture
    return bout(title, "box", run, floor_report, paint)


def touch(arguments, paint):
    """The finger."""
    from tinycontact.hil import finger_report
    title = (f"a finger's firmware on {arguments.board}: it taps and strokes a ball, with noise of"
             f" {1e3 * demo_touch.NOISE:g} mm, and the board says where the ball is and how large")
    run = demo_touch.run, arguments.board, arguments.touch, arguments.touch_picture
    return bout(title, "finger", run, finger_report, paint)


def pushes(arguments, paint):
    """A finger that plans on the board how to push a block; how many lines differ from the host's, or 1 if it failed."""
    print(paint("1", f"a finger's planner on {arguments.board}: it is told where the block shall go, not where to touch it"))
    start = time.monotonic()
    try:
        made, differing = demo_push.run(arguments.push_board, arguments.push_host)
    except demo_throw.BoardFailed as error:
        print(error)
        return 1
    seconds = time.monotonic() - start
    print("\n".join(f"  {line}" for line in demo_push.told(made)))
    shown = demo_push.SHOWN
    print(f"\n  push {shown} from above: the block, the finger and its path, the mark")
    print("\n".join(demo_push.sketch(made[shown])))
    demo_push.draw(made, arguments.board, arguments.push_picture)
    print(paint("31", f"  {differing} lines differ from the host's") if differing else "  every bit as on this host")
    print(paint("2", f"  took board and host {seconds:.1f} s"))
    print(f"  all: {paint('1', arguments.push_picture)}\n", flush=True)
    return differing


def self_test(command, paint):
    """Runs the unit tests on the board and prints a line per suite; the number of failures."""
    from tinycontact.progress import announced
    start = time.monotonic()
    with announced("building and running the unit tests on the board"):
        done = subprocess.run(command, shell=True, text=True, stdin=subprocess.DEVNULL, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = done.stdout.splitlines()
    title = next((line for line in lines if line.startswith("tinycontact ")), "the board said nothing")
    print(paint("1", title))
    suites = {}
    for line in lines:
        found = re.match(r"test_(\w+)\.c:\d+:(\w+):(PASS|FAIL|IGNORE)(.*)", line)
        if found:
            suites.setdefault(found[1], []).append((found[2], found[3], found[4]))
    failed = 0
    for suite, tests in suites.items():
        bad = [test for test in tests if test[1] == "FAIL"]
        failed += len(bad)
        mark = paint("31", "FAIL") if bad else paint("32", "ok")
        print(f"  {suite:21}{paint('2', '·' * len(tests))} {len(tests):3} {mark}")
        for name, _, what in bad:
            print(f"      {name}{what}")
    total = sum(map(len, suites.values()))
    print(f"  {total} tests on the board, {failed} failed, {time.monotonic() - start:.1f} s\n")
    if not suites or (done.returncode != 0) != (failed != 0):
        print("\n".join(lines[-20:]))
        return max(failed, 1)
    return failed


def throws(arguments, paint):
    """The ten throws of Fig. 5 on the board and in the simulator; 1 if the board failed."""
    print(paint("1", "the ten throws of Jiang & Liu's Fig. 5: predicted on the board, simulated by DART on the host"))
    start = time.monotonic()
    try:
        board = demo_throw.run(arguments.throws)
    except demo_throw.BoardFailed as error:
        print(error)
        return 1
    seconds = time.monotonic() - start
    truth, outline = demo_throw.simulate(arguments.shape, sorted(board))
    print("\n".join(demo_throw.table(board, truth)))
    print(paint("2", f"  ten throws took the emulated board {seconds:.1f} s"))
    shown = demo_throw.SHOWN
    print(f"\n  throw {shown}: outlines and path from the board, the simulator's path as well")
    print("\n".join(demo_throw.sketch(board[shown], truth[shown], outline)))
    demo_throw.draw(board, truth, outline, arguments.picture)
    print(f"  all ten: {paint('1', arguments.picture)}\n")
    return 0


def systems(arguments, paint):
    """Ball and cradle on the board beside the host; how many roll-outs differ, or 1 if the board failed."""
    from tinycontact.errors import TinycontactError
    print(paint("1", "the ball and the cradle of Hochlehnert et al., by their laws and by nets that learned them"))
    start = time.monotonic()
    try:
        pairs = demo_cdl.run(arguments.board, arguments.systems, arguments.models)
    except TinycontactError as error:
        print(error)
        return 1
    seconds, bad = time.monotonic() - start, [line for pair in pairs for line in pair.differing()]
    for pair in pairs:
        print(f"  {pair.judged()}")
        print("\n".join(demo_cdl.sketch(pair)))
    demo_cdl.draw(pairs, arguments.board, arguments.system_picture)
    steps = 2 * sum(pair.system.steps for pair in pairs)
    print("\n".join(paint("31", f"  {line}") for line in bad) if bad else
          f"  {2 * len(pairs)} roll-outs, {steps} steps on {arguments.board}: every bit as on this host")
    print(paint("2", f"  took board and host {seconds:.1f} s"))
    print(f"  in colour: {paint('1', arguments.system_picture)}\n")
    return len(bad)


def measured(path, board, profile):
    with open(path, encoding="utf-8", newline="") as file:
        return {(row["kind"], row["item"]): int(row["value"]) for row in csv.DictReader(file)
                if row["board"] == board and row["profile"] == profile}


def bar(own, other, paint):
    """Both counts on one scale: the filled part is ours, the rest what the peer needs beyond."""
    scale = BAR / max(own, other)
    filled = max(1, round(own * scale))
    return paint("32", "█" * filled) + paint("2", "░" * (max(filled, round(other * scale)) - filled))


def contact(table, paint):
    """Median and worst of the problems drawn, and how long the worst keeps a timer interrupt."""
    print(paint("1", f"{'instructions (estimated cycles) per call':44}{'median':>16}  {'worst drawn':>16}  worst, us at {CLOCK} MHz"))
    for text, item in CONTACT:
        pairs = [[table[kind, f"{item}/public-{which}"] for kind in ("instructions", "cycles")]
                 for which in ("median", "worst")]
        cells = "  ".join(f"{count:7} ({cycles:6})" for count, cycles in pairs)
        print(f"  {text:42}{cells}  {pairs[1][1] / CLOCK:12.0f}")
    print()


def costs(table, paint):
    print(paint("1", f"{'instructions (estimated cycles) per call':34}{'ours':>16}  {'checked':>8}  {'peer':>8}"))
    for text, item, calls in ROWS:
        own = next(v for v in OWN if ("instructions", f"{item}/{v}") in table)
        per = lambda kind, variant: round(table[kind, f"{item}/{variant}"] / calls)
        mine, cycles = per("instructions", own), per("cycles", own)
        checked = per("instructions", "public") if ("instructions", f"{item}/public") in table else ""
        line = f"  {text:32}{mine:7} ({cycles:6})  {checked:>8}"
        for peer, name in PEERS:
            if ("instructions", f"{item}/{peer}") in table:
                other = per("instructions", peer)
                line += f"  {other:8}  {bar(mine, other, paint)} {other / mine:.1f}x {name}"
                break
        print(line)
    print()


def memory(table, paint):
    objects = sorted(((value, item) for (kind, item), value in table.items() if kind == "flash" and item != "total"),
                     reverse=True)
    flash = [(table["footprint", item], text) for text, item in LINKED]
    flash += [(table["flash", "total"], "the whole library, of which")] + objects
    stack = sorted(((value, item) for (kind, item), value in table.items() if kind == "stack"), reverse=True)
    print(paint("1", f"{'flash [bytes] linked by':50}") + paint("1", "worst-case stack [bytes]"))
    for left, right in zip(flash[:10], stack[:10]):
        print(f"  {left[1].split('/')[-1]:32}{left[0]:7}         {right[1].split('/')[-1]:28}{right[0]:5}")
    print("  no heap, no writable static data, no libm but sqrtf: `make symbols` proves it\n")


def price(arguments, paint):
    """What was measured when the library last changed: to measure takes minutes."""
    table = measured(arguments.measured, arguments.board, arguments.profile)
    print(f"what it costs on {arguments.board}, from {arguments.measured}; `make bench`, `make size` and `make stack`"
          " measure again\n")
    contact(table, paint)
    costs(table, paint)
    memory(table, paint)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hil", required=True, help="folder for the leg's run")
    parser.add_argument("--leg-picture", required=True, help="where to draw it")
    parser.add_argument("--robot", required=True, help="folder for the quadruped's run")
    parser.add_argument("--robot-picture", required=True, help="where to draw it")
    parser.add_argument("--floor", required=True, help="folder for the bouncing box's run")
    parser.add_argument("--floor-picture", required=True, help="where to draw it")
    parser.add_argument("--touch", required=True, help="folder for the finger's run")
    parser.add_argument("--touch-picture", required=True, help="where to draw it")
    parser.add_argument("--push-board", required=True, help="command that plans the pushes on the board")
    parser.add_argument("--push-host", required=True, help="command that plans the same on this host")
    parser.add_argument("--push-picture", required=True, help="where to draw them")
    parser.add_argument("--unit", required=True, help="command that runs the unit tests on the board")
    parser.add_argument("--throws", required=True, help="command that throws the body on the board")
    parser.add_argument("--shape", required=True, help="the body's shape file")
    parser.add_argument("--picture", required=True, help="where to draw the throws")
    parser.add_argument("--systems", required=True, help="JSON of the contact integrator's systems")
    parser.add_argument("--models", required=True, help="folder with their trained models")
    parser.add_argument("--system-picture", required=True, help="where to draw their roll-outs")
    parser.add_argument("--measured", required=True, help="CSV of measurements")
    parser.add_argument("--board", required=True)
    parser.add_argument("--profile", default="exact")
    arguments = parser.parse_args()
    paint = Paint(sys.stdout.isatty())
    failed = leg(arguments, paint)
    failed += robot(arguments, paint)
    failed += floor(arguments, paint)
    failed += touch(arguments, paint)
    failed += pushes(arguments, paint)
    failed += throws(arguments, paint)
    failed += systems(arguments, paint)
    failed += self_test(arguments.unit, paint)
    price(arguments, paint)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
