/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The bench firmware's main: the counter's own test, then all cases.
 *
 * selftest/<what>/<n>: regions whose length is known: nothing 0, n no-operations n, a loop
 * 1 + 2 n (a move, then n times subtract and branch). bench.py believes no count unless these are
 * right.
 */
#include "bench.h"
#include "tinycontact.h"

#include "board.h"

void bench_tell(const bench_case *c, int drawn, tc_real error)
{
    board_print("bench ");
    board_print(c->what);
    board_print("/");
    if (c->size != NULL) {
        board_print(c->size);
    } else {
        board_print_u32(bench.n);
    }
    board_print("/");
    board_print(c->variant);
    if (drawn) {
        board_print("#");
        board_print_u32(bench.draw);
    }
    board_print(" ");
    board_print_u32(c->inputs);
    board_print(" ");
    board_print_real((float)error);
    board_print(" ");
    board_print_real((float)c->tolerance);
    board_print("\n");
}

/* The host finds the median and the worst. */
void bench_tell_draws(const bench_case *c)
{
    (void)c;
}

/* ---- The counter's own test ------------------------------------------------------------------ */

#if defined(__arm__)
static void run_empty(void)
{
    BENCH_START();
    BENCH_STOP();
}

static void run_nop(void)
{
    __asm volatile(".short 0xBF60\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\t.short 0xBF70" ::
                       : "memory");
}

#define LOOP(name, n)                                                                              \
    static void name(void)                                                                         \
    {                                                                                              \
        __asm volatile(".short 0xBF60\n\tmov r3, #" #n "\n1:\tsubs r3, #1\n\tbne 1b\n\t"           \
                       ".short 0xBF70" ::                                                          \
                           : "r3", "cc", "memory");                                                \
    }
LOOP(run_loop_1, 1)
LOOP(run_loop_7, 7)
LOOP(run_loop_1000, 1000)

static void prove_counter(void)
{
    static const bench_case proofs[] = {
        {"selftest/empty", "0", "known", NULL, run_empty, 0, 0},
        {"selftest/nop", "5", "known", NULL, run_nop, 0, 0},
        {"selftest/loop", "1", "known", NULL, run_loop_1, 0, 0},
        {"selftest/loop", "7", "known", NULL, run_loop_7, 0, 0},
        {"selftest/loop", "1000", "known", NULL, run_loop_1000, 0, 0},
    };

    bench.compared = 0;
    for (uint32_t i = 0; i < TC_COUNT(proofs); i++) {
        bench_run(&proofs[i]);
    }
}
#else
static void prove_counter(void)
{
}
#endif

#define BENCH_CALL(name) name();

int app_main(void)
{
    board_print("bench of ");
    board_print(tc_version_text());
    board_print("\n");
    prove_counter();
    BENCH_FILES(BENCH_CALL)
    prove_counter(); /* again: a region lost on the way would have moved every count by one case */
    return 0;
}
