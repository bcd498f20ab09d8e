/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * How a case is run: what is prepared before, compared after, and told to whoever prints it.
 */
#include "bench.h"
#include "tinycontact.h"

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
        bench_tell(c, drawn, bench_error());
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
    bench_tell_draws(c);
}
