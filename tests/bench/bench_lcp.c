/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Complementarity problems, 40 of each kind and size, as contacts make them:
 *
 *   lcp_spd       M = J J^T, J uniform in (-1, 1), n x (n + 2): positive definite
 *   lcp_psd       the same, n x ceil(n / 2): as many contacts as a foot has, half of them redundant
 *   lcp_body2     J itself, n x 3: contacts of one planar body
 *   lcp_body3     J itself, n x 6
 *
 * q = J v with v uniform in (-1, 1), so that each is solvable. What a problem costs depends on how
 * the active set changes on the way: the median and the worst of the draws are reported. The
 * answers are judged in double, by the residual of tc_lcp.h. lcp_psd_warm starts from the answer's
 * own active set, as a controller does that had the same contacts a tick ago.
 */
#include "bench.h"
#include "tinycontact.h"

#define DRAWS 40u

static tc_real *const M = bench.A, *const q = bench.B, *const J = bench.B + TC_LCP_MAX;
static tc_real z[TC_LCP_MAX], w[TC_LCP_MAX];
static tc_lcp problem;

static void draw(uint32_t columns)
{
    const uint32_t n = bench.n;
    tc_real v[TC_LCP_MAX + 2u];
    bench_seed(88172645u + 1000u * n + 100000u * columns + bench.draw);
    for (uint32_t i = 0; i < 8u; i++) {
        (void)bench_uniform(0, 1); /* neighbouring seeds begin alike */
    }
    bench_fill(J, n * columns, -1, 1);
    bench_fill(v, columns, -1, 1);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            double sum = 0;
            for (uint32_t k = 0; k < columns; k++) {
                sum += (double)J[i * columns + k] * (double)J[j * columns + k];
            }
            M[i * n + j] = (tc_real)sum;
        }
        double sum = 0;
        for (uint32_t k = 0; k < columns; k++) {
            sum += (double)J[i * columns + k] * (double)v[k];
        }
        q[i] = (tc_real)sum;
    }
    problem = (tc_lcp){.n = n, .kind = TC_LCP_SEMIDEFINITE, .M = M, .q = q};
    bench.expected[0] = 0;
    bench.compared = 1;
}

static void prepare_spd(void)
{
    draw(bench.n + 2u);
}

static void prepare_psd(void)
{
    draw((bench.n + 1u) / 2u);
}

static void prepare_warm(void)
{
    tc_lcp_info info;
    draw((bench.n + 1u) / 2u);
    (void)tc_lcp_solve(&problem, z, w, &info, bench.work, TC_LCP_WORK(bench.n));
    problem.warm = info.active;
}

static void from_columns(uint32_t d)
{
    draw(d);
    problem.M = NULL;
    problem.J = J;
    problem.d = d;
}

static void prepare_two(void)
{
    from_columns(3);
}

static void prepare_three(void)
{
    from_columns(6);
}

static double magnitude(double x)
{
    return x < 0 ? -x : x;
}

/* max_i |min(z_i, w_i)| over max_i (sum_j |M_ij| z_j + |q_i|), from z alone; NaN stays NaN. */
static double residual(void)
{
    const uint32_t n = bench.n;
    double scale = 0, violation = 0;
    for (uint32_t i = 0; i < n; i++) {
        double sum = (double)q[i], size = magnitude(sum);
        for (uint32_t j = 0; j < n; j++) {
            sum += (double)M[i * n + j] * (double)z[j];
            size += magnitude((double)M[i * n + j]) * (double)z[j];
        }
        const double least = magnitude(sum < (double)z[i] ? sum : (double)z[i]);
        violation = least <= violation ? violation : least;
        scale = size <= scale ? scale : size;
    }
    return violation / scale;
}

static void run_lcp(void)
{
    static size_t work_len; /* an application's is a constant */
    tc_status status;
    work_len = TC_LCP_WORK(bench.n);
    BENCH_REGION(status = tc_lcp_solve(&problem, z, w, NULL, bench.work, work_len));
    if (status == TC_OK) {
        bench.result[0] = (tc_real)residual();
    }
}

static const uint32_t sizes[6] = {2, 3, 4, 6, 8, 12};

static void run_sizes(const bench_case *c, uint32_t least)
{
    for (uint32_t i = 0; i < TC_COUNT(sizes); i++) {
        bench.n = sizes[i];
        if (bench.n >= least) {
            bench_run_draws(c, DRAWS);
        }
    }
}

void bench_lcp(void)
{
    static const bench_case cases[] = {
        {"lcp_spd", NULL, "public", prepare_spd, run_lcp, 0, TC_C(5e-6)},
        {"lcp_psd", NULL, "public", prepare_psd, run_lcp, 0, TC_C(5e-6)},
        {"lcp_psd_warm", NULL, "public", prepare_warm, run_lcp, 0, TC_C(5e-6)},
    };
    static const bench_case bodies[] = {
        {"lcp_body2", NULL, "public", prepare_two, run_lcp, 0, TC_C(5e-6)},
        {"lcp_body3", NULL, "public", prepare_three, run_lcp, 0, TC_C(5e-6)},
    };
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) {
        run_sizes(&cases[i], 2);
    }
    for (uint32_t i = 0; i < TC_COUNT(bodies); i++) {
        run_sizes(&bodies[i], 6);
    }
}
