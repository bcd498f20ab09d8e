# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Tests of the evidence tools: each detector is seen failing on what it is there to find. Here: the counter,
bench.py, disasm.py, budget.py, table.py and the command lines; test_static.py has the rest.

    python3 -m unittest discover -s tests/evidence

Needs gcc, the Arm GCC and QEMU, as the tools themselves do. Builds in a temporary folder.
"""

import os
import sys
import unittest

from support import ROOT, TOOLS, Folder, run

import bench
import budget
import common
import disasm
import rows
import table

# ---- The counter -------------------------------------------------------

# Vector table, then three regions: 3 instructions; one that starts on the last halfword but one of a
# 1 KB page (QEMU's pages on M profile); one on the very last. Ends through semihosting.
COUNTED = """
    .syntax unified
    .thumb
    .word 0x20001000
    .word main + 1
    .thumb_func
main:
    .short 0xBF60
    nop
    nop
    nop
    .short 0xBF70
    b first
    .org 0x3fc
first:
    .short 0xBF60
    nop
    mov.w r0, #1
    .short 0xBF70
    b second
    .org 0x7fe
second:
    .short 0xBF60
    movs r0, #2
1:  subs r0, #1
    bne 1b
    .short 0xBF70
    movs r0, #0x18
    ldr r1, =0x20026
    bkpt 0xab
"""


class Counter(Folder):
    def count(self):
        plugin = self.path("count.so")
        done = run(
            "gcc",
            "-O2",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-shared",
            "-fPIC",
            os.path.join(ROOT, "tools", "qemu_count.c"),
            "-o",
            plugin,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        image = self.compile("counted.s", COUNTED)
        elf = self.path("counted.elf")
        done = run("arm-none-eabi-ld", "-Ttext=0", "-e", "main", image, "-o", elf)
        self.assertEqual(done.returncode, 0, done.stderr)
        return run(
            "qemu-system-arm",
            "-M",
            "mps2-an386",
            "-display",
            "none",
            "-monitor",
            "none",
            "-nic",
            "none",
            "-serial",
            "none",
            "-semihosting-config",
            "enable=on,target=native",
            "-plugin",
            f"file={plugin},out={self.path('counts')}",
            "-kernel",
            elf,
        )

    def test_exact_also_at_the_end_of_a_page(self):
        # QEMU 7.2 books the halfword after the page's last instruction to that instruction: a marker
        # there looked 4 bytes long, and a region was lost without a word.
        done = self.count()
        self.assertEqual(done.returncode, 0, done.stderr)
        regions = bench.parse_counts(common.read_text(self.path("counts")), "counts")
        self.assertEqual([bench.total_of(region) for region in regions], [3, 2, 5])
        taken = [jumps for _, jumps in regions[2].values()]
        self.assertEqual(sum(taken), 1)  # the loop's branch: taken once, fallen through once
        stretches = [[(n, *counts) for (_, n), counts in region.items()] for region in regions]
        self.assertEqual(stretches[2], [(1, 1, 0), (2, 2, 1)])

    def test_unknown_option_is_refused(self):
        plugin = self.path("count.so")
        run("gcc", "-O2", "-shared", "-fPIC", os.path.join(ROOT, "tools", "qemu_count.c"), "-o", plugin)
        done = run(
            "qemu-system-arm", "-M", "mps2-an386", "-display", "none", "-plugin", f"file={plugin},into=x"
        )
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("unknown option 'into=x'", done.stderr)


# ---- bench.py ----------------------------------------------------------


def counts(*totals):
    """A plugin file with regions of one address each."""
    blocks = [f"region {i} {n}\n1000 1 {n} 0" if n else f"region {i} 0" for i, n in enumerate(totals)]
    return "\n".join([*blocks, f"end {len(totals)}"]) + "\n"


TIMING = {"refill": disasm.Timing(1, 0, 0, 0, "-")}


def uart(*items, error="0.0e+00"):
    return [f"bench {item} 0 {error} 1.0e-06" for item in items]


class Bench(Folder):
    def cases(self, totals, items, **more):
        return bench.parse_cases(uart(*items, **more), bench.parse_counts(counts(*totals), "counts"))

    def test_cases_are_joined_with_pairs_of_regions(self):
        cases = self.cases([7, 7, 9, 9], ["a/1/x", "b/1/x"])
        self.assertEqual([(c.item, bench.total_of(c.region)) for c in cases], [("a/1/x", 7), ("b/1/x", 9)])

    def test_runs_that_differ_are_found(self):
        self.assert_fault("two runs with the same inputs", self.cases, [7, 8], ["a/1/x"])

    def test_a_lost_region_is_found(self):
        self.assert_fault("two per case", self.cases, [7, 7, 9], ["a/1/x", "b/1/x"])
        self.assert_fault("3 regions for 1 cases", self.cases, [7, 7, 9], ["a/1/x"])

    def test_a_cut_off_file_is_found(self):
        whole = counts(7, 7)
        for end in range(0, len(whole) - 2):
            with self.assertRaises(common.Fault, msg=repr(whole[:end])):
                bench.parse_counts(whole[:end], "counts")

    def test_a_miscounting_counter_is_found(self):
        good = [0, 0, 5, 5, 15, 15]
        items = ["selftest/empty/0/known", "selftest/nop/5/known", "selftest/loop/7/known"]
        bench.check_selftest(self.cases(good, items))
        for i in range(3):
            bad = list(good)
            bad[2 * i] += 1
            bad[2 * i + 1] += 1
            self.assert_fault("known to be", bench.check_selftest, self.cases(bad, items))
        self.assert_fault("the counter is not checked", bench.check_selftest, self.cases(good[:4], items[:2]))

    def test_a_wrong_result_gets_no_count(self):
        for error in ("1.1e-06", "nan", "inf"):
            self.assertEqual(len(bench.wrong(self.cases([7, 7], ["a/1/x"], error=error))), 1, error)
        self.assertEqual(bench.wrong(self.cases([7, 7], ["a/1/x"])), [])

    def test_a_dear_public_call_is_found(self):
        def cost(item, n, inputs):
            return bench.Cost(bench.Case(item, inputs, 0, 0, {}), n, 0, {}, {})

        costs = [cost("a/2/kernel", 100, 0), cost("a/2/public", 100 + 60 + 12, 4)]
        self.assertEqual(bench.over_limit(costs), [])
        costs[1] = cost("a/2/public", 100 + 60 + 13, 4)
        self.assertEqual(len(bench.over_limit(costs)), 1)

    def test_an_address_outside_the_image_is_found(self):
        case = self.cases([7, 7], ["a/1/x"])[0]
        self.assert_fault("0x1000", bench.cost_of, case, bench.Stretches({}, {}), TIMING)
        code = {0x1000: disasm.Instruction(0x1000, "nop", "", "f")}
        bench.cost_of(case, bench.Stretches(code, {0x1000: 1}), TIMING)
        longer = case._replace(region={(0x1000, 2): (7, 0)})
        self.assert_fault("behind", bench.cost_of, longer, bench.Stretches(code, {0x1000: 1}), TIMING)

    def test_draws_become_median_and_worst(self):
        """Draws mixed up with others, or a mean told as a median."""

        def cost(item, n):
            return bench.Cost(bench.Case(item, 0, 0, 0, {}), n, 2 * n, {}, {})

        costs = [cost("a/1/x", 5)] + [cost(f"b/2/y#{k}", n) for k, n in enumerate((9, 1, 100, 4))]
        costs += [cost("c/3/z#0", 7), cost("d/4/x", 6)]
        self.assertEqual(
            [(c.case.item, c.instructions, c.cycles) for c in bench.summarise(costs)],
            [
                ("a/1/x", 5, 10),
                ("b/2/y-median", 4, 8),
                ("b/2/y-worst", 100, 200),
                ("c/3/z-median", 7, 14),
                ("c/3/z-worst", 7, 14),
                ("d/4/x", 6, 12),
            ],
        )


# ---- disasm.py ---------------------------------------------------------

# class: instructions of it
CLASSIFIED = """
int: adds r0, r1, r2; movs r0, #1; it eq; movle r0, r1; nop; dls lr, r2; teq r0, r1
int: ubfx r0, r1, #1, #2
int_mul: mla r0, r1, r2, r3; smlad r0, r1, r2, r3; mul.w r0, r1, r2; muls r0, r1; smull r0, r1, r2, r3
int_mul: mls r0, r1, r2, r3
int_div: udiv r0, r1, r2; sdiv r0, r1, r2
load: ldr r0, [r1]; ldrb.w r0, [r1]; ldrsbmi.w r0, [r1]; ldrge.w r0, [r1]
load_multiple: pop {r4, pc}; ldmia.w r0!, {r1, r2}; popne {r4, pc}
load_pair: ldrd r0, r1, [r2]; ldrdne r0, r1, [r2], #8
store: str r0, [r1]; strh.w r0, [r1]; strne r0, [r1]
store_multiple: push {r4, lr}; stmdb sp!, {r4, lr}
store_pair: strd r0, r1, [r2]
branch: b.n 10 <f>; bne.n 10 <f>; bl 10 <f>; bx lr; blx r3; cbz r0, 10 <f>; ble.n 10 <f>; bls.w 10 <f>
branch: bleq 10 <f>; bxlt lr; bcs.n 10 <f>
loop: le lr, 10 <f>; letp lr, 10 <f>
fp_load: vldr s0, [r0]; vldreq s0, [r0]; vldr d0, [r0]
fp_store: vstr s0, [r0]
fp_load_multiple: vldmia r0!, {s0-s7}; vpop {d8-d9}
fp_store_multiple: vpush {d8-d9}; vstmia r0!, {s0-s3}
fp_arith: vadd.f32 s0, s1, s2; vmuleq.f32 s0, s1, s2; vnmul.f32 s0, s1, s2; vsubmi.f32 s0, s1, s2
fp_mla: vmla.f32 s0, s1, s2; vmls.f32 s0, s1, s2; vnmls.f32 s0, s1, s2
fp_fma: vfma.f32 s0, s1, s2; vfms.f32 s0, s1, s2
fp_div: vdiv.f32 s0, s1, s2
fp_sqrt: vsqrt.f32 s0, s1
fp_compare: vcmpe.f32 s0, s1; vcmp.f32 s0, #0.0
fp_convert: vcvt.s32.f32 s0, s0; vcvtge.f32.s32 s0, s0
fp_move: vmov.f32 s0, s1; vneg.f32 s0, s1; vabs.f32 s0, s1; vmrs APSR_nzcv, fpscr
fp_core: vmov r0, s0; vmov s0, r0; vmov s0, ip
fp_double: vadd.f64 d0, d1, d2; vmul.f64 d0, d0, d1
mve_load: vldrw.u32 q0, [r0], #16; vldrb.u8 q3, [r0, #0]
mve_gather: vldrw.u32 q3, [r0, q2, uxtw #2]
mve_store: vstrw.32 q0, [r0]
mve_scatter: vstrw.32 q0, [r0, q1]
mve_int: vadd.i32 q0, q1, q2; vshl.s32 q0, q1, #2; vand q0, q1, q2
mve_float: vadd.f32 q0, q1, q2; vaddt.f32 q0, q1, q2
mve_mul: vmul.f32 q0, q1, r2; vfma.f32 q0, q1, r2; vmlava.s8 r2, q3, q2
mve_move: vmov q0, q1; vdup.32 q0, r1
mve_control: vpst; vctp.32 r0; vpt.f32 ge, q0, q1
"""


def code_of(*lines):
    """Disassembled instructions four bytes apart."""
    text = "\n".join(
        f"{4 * i:4x}:\t{line.partition(' ')[0]}\t{line.partition(' ')[2]}" for i, line in enumerate(lines)
    )
    return disasm.parse("00000000 <f>:\n" + text)


class Disassembly(Folder):
    def setUp(self):
        super().setUp()
        self.m4, self.m7, self.m55 = (
            disasm.read_timing(os.path.join(TOOLS, f"timing_{core}.csv")) for core in ("m4", "m7", "m55")
        )

    def cycles(self, timing, *lines):
        return list(disasm.estimate(code_of(*lines), timing).values())

    def test_every_instruction_gets_its_class(self):
        for row in CLASSIFIED.strip().splitlines():
            expected, _, lines = row.partition(": ")
            for line in lines.split("; "):
                mnemonic, _, operands = line.partition(" ")
                self.assertEqual(disasm.classify(mnemonic, operands), expected, line)

    def test_register_lists_are_counted(self):
        for operands, expected in (
            ("{r4, r5, lr}", 3),
            ("r0!, {s0-s7}", 8),
            ("{d8-d9}", 4),
            ("sp!, {s16}", 1),
            ("r0, r1", 1),
        ):
            self.assertEqual(disasm.words(operands), expected, operands)

    def test_m4_waits_only_for_the_instruction_before(self):
        self.assertEqual(self.cycles(self.m4, "vadd.f32 s0, s1, s2", "vmul.f32 s3, s0, s0"), [1, 2])
        self.assertEqual(self.cycles(self.m4, "vadd.f32 s0, s1, s2", "vmul.f32 s3, s1, s1"), [1, 1])
        self.assertEqual(self.cycles(self.m4, "vadd.f32 s0, s1, s2", "nop", "vmul.f32 s3, s0, s0"), [1, 1, 1])
        self.assertEqual(
            self.cycles(self.m4, "vldmia r0!, {s0-s7}", "vdiv.f32 s0, s0, s1", "vstr s0, [r1]"), [9, 14, 3]
        )

    def test_m55_overlaps_pipes_and_not_one_pipe(self):
        pipes = ("vldrw.u32 q0, [r0]", "vadd.i32 q1, q2, q3", "vmul.f32 q4, q5, q6", "vstrw.32 q7, [r1]")
        self.assertEqual(self.cycles(self.m55, *pipes), [1, 1, 1, 1])
        self.assertEqual(self.cycles(self.m55, "vldrw.u32 q0, [r0]", "vldrw.u32 q1, [r1]"), [1, 2])

    def test_figures_without_a_source_are_refused(self):
        path = os.path.join(TOOLS, "timing_m4.csv")
        good = common.read_text(path)
        self.assert_fault(
            "field 'issue_source'",
            disasm.read_timing,
            self.write("a.csv", good.replace("fp_mla,3,ARM3", "fp_mla,3,hearsay")),
        )
        self.assert_fault(
            "no row for the class fp_mla",
            disasm.read_timing,
            self.write(
                "b.csv", "\n".join(line for line in good.splitlines() if not line.startswith("fp_mla"))
            ),
        )
        self.assert_fault(
            "field 'issue'", disasm.read_timing, self.write("c.csv", good.replace("fp_mla,3", "fp_mla,x"))
        )


# ---- budget.py, table.py -----------------------------------------------------------------------------------

MEASURED = "kind,item,board,profile,value\n"
BUDGET = "kind,item,board,profile,value,slack\n"


class Budget(Folder):
    def check(self, measured, allowed, *more):
        return self.tool(
            "budget.py",
            "--measured",
            self.write("m.csv", MEASURED + measured),
            "--budget",
            self.write("b.csv", BUDGET + allowed),
            *more,
        )

    def test_a_slower_count_fails_and_slack_is_honoured(self):
        allowed = "instructions,a/1/kernel,x,exact,1000,\n"
        for value, expected in ((1010, 0), (1011, 1), (900, 0)):
            done = self.check(f"instructions,a/1/kernel,x,exact,{value}\n", allowed)
            self.assertEqual(done.returncode, expected, done.stdout)
        self.assertIn("better", done.stdout)

    def test_stack_has_no_slack_unless_written(self):
        self.assertEqual(self.check("stack,tc_a,x,exact,101\n", "stack,tc_a,x,exact,100,\n").returncode, 1)
        self.assertEqual(self.check("stack,tc_a,x,exact,101\n", "stack,tc_a,x,exact,100,1\n").returncode, 0)

    def test_what_was_not_measured_fails(self):
        done = self.check("stack,tc_b,x,exact,8\n", "stack,tc_a,x,exact,100,\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("tc_a", done.stdout)

    def test_update_keeps_slack_and_other_boards_and_leaves_peers_out(self):
        done = self.check(
            "stack,tc_a,x,exact,90\ninstructions,a/1/cmsis,x,exact,5\ncycles,a/1/kernel,x,exact,5\n",
            "stack,tc_a,x,exact,100,3\nstack,tc_a,y,exact,100,\n",
            "--update",
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(
            common.read_text(self.path("b.csv")),
            BUDGET + "stack,tc_a,x,exact,90,3\nstack,tc_a,y,exact,100,\n",
        )

    def test_bad_rows_name_file_line_and_field(self):
        for row, field in (
            ("stack,tc_a,x,exact,many,", "value"),
            ("speed,tc_a,x,exact,1,", "kind"),
            ("stack,tc_a,x,exact,1,-1", "slack"),
        ):
            done = self.check("stack,tc_a,x,exact,1\n", row + "\n")
            self.assertEqual(done.returncode, 1)
            self.assertIn("b.csv:2", done.stderr)
            self.assertIn(f"'{field}'", done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_targets(self):
        measured = {
            ("instructions", "a/1/kernel", "x", "exact"): 110,
            ("instructions", "a/1/fixed", "x", "exact"): 102,
        }
        head = ",".join(budget.TARGET_FIELDS) + "\n"
        for limit, missed in ((100, 0), (99, 1)):
            path = self.write("t.csv", head + f"instructions,a/1/kernel|fixed,x,exact,{limit},peer\n")
            with open(os.devnull, "w", encoding="utf-8") as sink:
                old, sys.stdout = sys.stdout, sink
                try:
                    self.assertEqual(budget.targets(path, measured), missed)
                finally:
                    sys.stdout = old


class Table(Folder):
    ROWS = (
        MEASURED
        + "instructions,mat_mul/3/fixed,mps2-an386,exact,79\ncycles,mat_mul/3/fixed,mps2-an386,exact,117\n"
        "instructions,tanh/64/public,mps2-an386,exact,2502\ncycles,tanh/64/public,mps2-an386,exact,3983\n"
    )

    def table(self, page, *more):
        return self.tool(
            "table.py",
            "--measured",
            self.write("m.csv", self.ROWS),
            "--page",
            self.write("R.md", page),
            *more,
        )

    def test_written_then_checked_then_stale(self):
        page = f"above\n{table.BEGIN}\nold\n{table.END}\nbelow\n"
        self.assertEqual(self.table(page, "--check").returncode, 1)
        self.assertEqual(self.table(page, "--write").returncode, 0)
        written = common.read_text(self.path("R.md"))
        self.assertTrue(written.startswith("above\n") and written.endswith("\nbelow\n"))
        self.assertIn("| A B | 3 | 79 (117) |", written)
        self.assertIn("| tanh |  | – | 39 (62) |", written)
        self.assertEqual(self.table(written, "--check").returncode, 0)
        self.assertEqual(self.table(written.replace("79", "78"), "--check").returncode, 1)

    def test_draws_show_median_worst_and_what_was_hunted(self):
        def key(variant, board):
            return "instructions", f"lcp_psd/6/public-{variant}", board, "exact"

        measured = {key("median", "mps2-an386"): 1400, key("worst", "mps2-an386"): 5000}
        measured[key("seen", "mps2-an386")] = 90000
        measured[key("median", "mps3-an547")] = 1300
        lines = table.drawn_lines(measured, "exact")
        self.assertEqual(lines[-1], "| LCP, M rank-deficient | 6 | 1400 / 5000 | – | 1300 / – | 90000 |")
        self.assertEqual(table.drawn_lines(measured, "fast"), [])

    def test_worst_seen_is_no_less_than_the_worst_draw(self):
        for hunted, drawn, shown in ((440, 999, "999"), (999, 440, "999"), (440, None, "440"), (None, 999, "–")):
            measured = {
                ("instructions", f"lcp_psd/3/public-{variant}", "mps2-an386", "exact"): value
                for variant, value in (("seen", hunted), ("worst", drawn))
                if value is not None
            }
            self.assertEqual(table.seen(measured, "lcp_psd/3", "exact"), shown)

    def test_missing_markers_are_a_clear_error(self):
        done = self.table("no table here\n", "--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("R.md", done.stderr)
        self.assertNotIn("Traceback", done.stderr)


class Rows(unittest.TestCase):
    def test_line(self):
        self.assertEqual(rows.line([(1, 5), (2, 7), (4, 11)]), (2, 3, 0, 4))
        slope, intercept, distance, where = rows.line([(0, 0), (1, 0), (2, 3), (3, 3)])
        self.assertEqual((slope, round(intercept, 9), round(distance, 9)), (1.2, -0.3, 0.9))
        self.assertIn(where, (1, 2))

    def test_counts(self):
        """What was hunted, another profile or another item is no count of the row."""
        table = {("instructions", f"cdl_row/{k}/public", "mps2-an386", "exact"): 10 * k for k in (64, 1, 8)}
        table |= {("instructions", "cdl_row/8/public-seen", "mps2-an386", "exact"): 999,
                  ("instructions", "cdl_row/16/public", "mps2-an386", "portable"): 999,
                  ("cycles", "cdl_row/16/public", "mps2-an386", "exact"): 999,
                  ("instructions", "cdl_space/16/public", "mps2-an386", "exact"): 999}
        self.assertEqual(rows.counts(table, "cdl_row", "mps2-an386"), [(1, 10), (8, 80), (64, 640)])
        with self.assertRaises(common.Fault):
            rows.counts(table, "cdl_space", "mps2-an386")

    def test_a_step_of_a_row_costs_a_line(self):
        """The committed counts: nothing in a step grows faster than the bodies."""
        table = common.read_measured(os.path.join(ROOT, "tests", "measured.csv"))
        for item, _ in rows.ITEMS:
            for board, _ in rows.BOARDS:
                points = rows.counts(table, item, board)
                self.assertEqual([k for k, _ in points], [1, 2, 4, 8, 16, 32, 64])
                slope, _, distance, _ = rows.line(points)
                self.assertLess(distance, slope)   # one body has a path of its own


class CommandLines(Folder):
    def test_help_and_missing_files(self):
        scripts = {
            "bench.py": [
                "--elf",
                "no.elf",
                "--qemu",
                "true",
                "--plugin",
                "no.so",
                "--timing",
                "no.csv",
                "--board",
                "x",
                "--profile",
                "exact",
            ],
            "stack.py": ["--ci", "no.ci", "--header", "no.h", "--board", "x", "--profile", "exact"],
            "size.py": ["--archive", "no.a", "--board", "x", "--profile", "exact"],
            "symbols.py": ["--archive", "no.a"],
            "budget.py": ["--measured", "no.csv", "--budget", "no.csv"],
            "table.py": ["--measured", "no.csv"],
        }
        for script, arguments in scripts.items():
            self.assertEqual(self.tool(script, "--help").returncode, 0, script)
            done = self.tool(script, *arguments)
            self.assertEqual(done.returncode, 1, script)
            self.assertIn("no.", done.stderr, script)
            self.assertNotIn("Traceback", done.stderr, script)


if __name__ == "__main__":
    unittest.main()
