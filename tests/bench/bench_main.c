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

bench_data bench;
int bench_applies = 1;

static uint32_t state = 1u;

void bench_seed(uint32_t seed)
{
    state = seed;
}

tc_real bench_uniform(tc_real low, tc_real high)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return low + (high - low) * ((tc_real)(state >> 8) * TC_C(5.9604645e-8));
}

void bench_fill(tc_real *x, uint32_t n, tc_real low, tc_real high)
{
    for (uint32_t i = 0; i < n; i++) {
        x[i] = bench_uniform(low, high);
    }
}

static tc_real magnitude(tc_real x)
{
    return x < 0 ? -x : x;
}

tc_real bench_error(void)
{
    tc_real scale = 1, largest = 0;

    for (uint32_t i = 0; i < bench.compared; i++) {
        tc_real difference = magnitude(bench.result[i] - bench.expected[i]);

        if (difference != difference) {
            return difference;
        }
        scale = magnitude(bench.expected[i]) > scale ? magnitude(bench.expected[i]) : scale;
        largest = difference > largest ? difference : largest;
    }
    return largest / scale;
}

static void print_case(const bench_case *c, int drawn, tc_real error)
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

/* The result is NaN before each run, so that a run that writes nothing is not taken for a right
 * one. */
static void run(const bench_case *c, int drawn)
{
    volatile tc_real zero = 0;

    bench_applies = 1;
    for (int i = 0; i < 2 && bench_applies; i++) {
        for (uint32_t j = 0; j < TC_COUNT(bench.result); j++) {
            bench.result[j] = zero / zero;
        }
        if (c->prepare != NULL) {
            c->prepare();
        }
        c->run();
    }
    if (bench_applies) {
        print_case(c, drawn, bench_error());
    }
}

void bench_run(const bench_case *c)
{
    run(c, 0);
}

void bench_run_draws(const bench_case *c, uint32_t draws)
{
    for (bench.draw = 0; bench.draw < draws; bench.draw++) {
        run(c, 1);
    }
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

int app_main(void)
{
    board_print("bench of ");
    board_print(tc_version_text());
    board_print("\n");
    prove_counter();
    bench_mat();
    bench_net();
    bench_math();
    bench_lcp();
    bench_cone();
    bench_impact();
    bench_patch();
    bench_foot2();
    bench_limb2();
    bench_foot3();
    bench_limb3();
    bench_cdl();
    bench_estimator();
    bench_momentum();
    bench_predict();
    bench_identify();
    bench_bounce();
    bench_sdf();
    bench_convex();
    bench_ground();
    bench_toc();
    prove_counter(); /* again: a region lost on the way would have moved every count by one case */
    return 0;
}
