/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The momentum observer's tick, beside what a leg needs for it (its M, bias and J). Compared with:
 * mass times acceleration less the motors' torque, in double precision, for a diagonal M.
 */
#include "bench.h"
#include "tinycontact.h"

#define N TC_MOMENTUM_JOINTS

static tc_momentum m;
static tc_momentum_info info;
static tc_real q[N], qd[N], M[N * N], bias[N], torque[N], J[2u * N];

static void prepare(uint32_t n)
{
    tc_momentum_config config = tc_momentum_default();
    config.rate_filter = config.gain = TC_C(1e6);
    const tc_momentum_tick tick = {q, qd, M, bias, torque, J, 2, 0};
    bench_seed(77);
    for (uint32_t i = 0; i < N * N; ++i) {
        M[i] = TC_C(0.0);
    }
    bench_fill(q, n, TC_C(-1.0), TC_C(1.0));
    bench_fill(qd, n, TC_C(-1.0), TC_C(1.0));
    bench_fill(bias, n, TC_C(-5.0), TC_C(5.0));
    bench_fill(torque, n, TC_C(-5.0), TC_C(5.0));
    bench_fill(J, 2u * n, TC_C(-0.4), TC_C(0.4));
    for (uint32_t i = 0; i < n; ++i) {
        M[i * n + i] = TC_C(0.1) + TC_C(0.05) * (tc_real)i;
    }
    (void)tc_momentum_init(&m, &config, n);
    (void)tc_momentum_update(&m, &tick, &info);
    (void)tc_momentum_update(&m, &tick, &info);
    bench.compared = n;
    for (uint32_t i = 0; i < n; ++i) { /* the rates are the same once more */
        bench.expected[i] = bias[i] - torque[i];
    }
}

static void two(void)
{
    prepare(2);
}

static void six(void)
{
    prepare(6);
}

static void run(void)
{
    const tc_momentum_tick tick = {q, qd, M, bias, torque, J, 2, 0};
    BENCH_REGION((void)tc_momentum_update(&m, &tick, &info));
    for (uint32_t i = 0; i < bench.compared; ++i) {
        bench.result[i] = info.torque[i];
    }
}

static const bench_case cases[] = {
    {"momentum_update", "2", "public", two, run, 12, TC_C(1e-4)},
    {"momentum_update", "6", "public", six, run, 72, TC_C(1e-4)},
};

void bench_momentum(void)
{
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) {
        bench_run(&cases[i]);
    }
}
