/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The identification's update, impact after impact: a run of 60 impacts with 1 cm/s noise, from the
 * default first values to the truth. Costs differ by what the contact does, by whether a second
 * trial is needed and by how soon the trials settle: median and worst of the run.
 *
 *   identify_update/body3    a free body in space, one contact: mu, e and the ratio of inertia
 *   identify_update/mover    the same impacts by a full mass matrix
 *   identify_update/body2    a free body in the plane, one contact
 *
 * Compared with: the truth, from the 20th impact on, within 0.1.
 */
#include "bench.h"
#include "tinycontact.h"
#include "identify_case.h"

#include <string.h>

#define DRAWS 60u
#define SETTLED 20u
#define NOISE 0.01

static tc_identify before, now;
static tc_identify_estimate estimate[3];
static tc_identify_info info;
static tc_identify_touch3 touch3;
static tc_identify_touch2 touch2;
static tc_body3 body3;
static tc_body2 body2;
static tc_real arm[3], M[36], part[36], J[18], sd[6], rates[12];
static tc_real work[TC_IDENTIFY_BODY3_WORK(1u)];
static const identify_truth space = {0.45, 0.6, 1.3, 0, 0, 1}, plane = {0.45, 0.6, 1.3, 0, 1, 1};

/* x[6] of the body's axes in the world's, with noise */
static void measure(const identify_case *x, const double *v, tc_real *out)
{
    double y[6];
    identify_case_turn(x, v, y);
    identify_case_turn(x, v + 3, y + 3);
    for (uint32_t i = 0; i < 6u; ++i) {
        out[i] = (tc_real)(y[i] + NOISE * (i < 3u ? 1 : 5) * identify_case_normal());
    }
}

static void fill_touch3(const identify_case *x)
{
    double y[3];
    identify_case_turn(x, x->arm, y);
    body3.mass = (tc_real)x->mass;
    for (uint32_t i = 0; i < 3u; ++i) {
        arm[i] = (tc_real)y[i];
        body3.inertia[i] = (tc_real)x->inertia[i];
    }
    identify_case_turn(x, x->normal, y);
    for (uint32_t i = 0; i < 3u; ++i) {
        touch3.normal[i] = (tc_real)y[i];
    }
    for (uint32_t i = 0; i < 4u; ++i) {
        touch3.orientation[i] = (tc_real)x->orientation[i];
    }
    touch3.n = 1;
    touch3.arms = arm;
    touch3.linear_sd = (tc_real)NOISE;
    touch3.angular_sd = (tc_real)(5 * NOISE);
    measure(x, x->before, touch3.before);
    measure(x, x->after, touch3.after);
}

/* In the body's axes */
static void fill_mover(const identify_case *x)
{
    memset(M, 0, sizeof M);
    memset(part, 0, sizeof part);
    for (uint32_t i = 0; i < 6u; ++i) {
        M[7u * i] = (tc_real)(i < 3u ? x->mass : x->inertia[i - 3u]);
        part[7u * i] = i < 3u ? TC_C(0.0) : M[7u * i];
        sd[i] = (tc_real)(NOISE * (i < 3u ? 1 : 5));
        rates[i] = (tc_real)(x->before[i] + (double)sd[i] * identify_case_normal());
        rates[6u + i] = (tc_real)(x->after[i] + (double)sd[i] * identify_case_normal());
    }
    for (uint32_t i = 0; i < 18u; ++i) {
        J[i] = (tc_real)x->J[i];
    }
}

static void fill_touch2(const identify_case *x)
{
    tc_real v[12];
    measure(x, x->before, v);
    measure(x, x->after, v + 6);
    body2.mass = (tc_real)x->mass;
    body2.inertia = (tc_real)x->inertia[2];
    touch2.n = 1;
    touch2.arms = arm;
    for (uint32_t i = 0; i < 2u; ++i) {
        arm[i] = (tc_real)x->arm[i];
        touch2.normal[i] = (tc_real)x->normal[i];
        touch2.before[i] = v[i];
        touch2.after[i] = v[6u + i];
    }
    touch2.before[2] = v[5];
    touch2.after[2] = v[11];
    touch2.linear_sd = (tc_real)NOISE;
    touch2.angular_sd = (tc_real)(5 * NOISE);
}

/* The state before the impact of this draw, and the impact */
static void prepare(const identify_truth *truth, void (*fill)(const identify_case *))
{
    static identify_case x;
    static uint32_t last = DRAWS;
    if (bench.draw == 0u) {
        tc_identify_config config = tc_identify_default();
        config.ratios = 1u;
        (void)tc_identify_init(&before, &config);
    } else if (bench.draw != last) {
        before = now;
    }
    last = bench.draw;
    now = before;
    identify_case_seed(500u + bench.draw);
    identify_case_draw(&x, truth, identify_case_uniform(0.3, 3));
    fill(&x);
    bench.compared = 3;
    bench.expected[0] = (tc_real)truth->mu;
    bench.expected[1] = (tc_real)truth->e;
    bench.expected[2] = (tc_real)truth->ratio;
}

static void keep_results(tc_status status)
{
    for (uint32_t i = 0; i < 3u && status == TC_OK; ++i) {
        bench.result[i] = bench.draw < SETTLED ? bench.expected[i] : estimate[i].value;
    }
}

static void prepare_body3(void)
{
    prepare(&space, fill_touch3);
}

static void run_body3(void)
{
    tc_status status;
    BENCH_REGION(status = tc_identify_update_body3(&now, &body3, &touch3, estimate, &info, work,
                                                   TC_COUNT(work)));
    keep_results(status);
}

static void prepare_mover(void)
{
    prepare(&space, fill_mover);
}

static void run_mover(void)
{
    const tc_identify_impact impact = {6u, 1u, 3u, 0u, M, part, J, rates, rates + 6, sd, sd};
    tc_status status;
    BENCH_REGION(status = tc_identify_update(&now, &impact, estimate, &info, work, TC_COUNT(work)));
    keep_results(status);
}

static void prepare_body2(void)
{
    prepare(&plane, fill_touch2);
}

static void run_body2(void)
{
    tc_status status;
    BENCH_REGION(status = tc_identify_update_body2(&now, &body2, &touch2, estimate, &info, work,
                                                   TC_COUNT(work)));
    keep_results(status);
}

void bench_identify(void)
{
    static const bench_case cases[] = {
        {"identify_update", "body3", "public", prepare_body3, run_body3, 0, TC_C(0.1)},
        {"identify_update", "mover", "public", prepare_mover, run_mover, 0, TC_C(0.1)},
        {"identify_update", "body2", "public", prepare_body2, run_body2, 0, TC_C(0.1)},
    };
    for (uint32_t i = 0; i < TC_COUNT(cases); ++i) {
        bench_run_draws(&cases[i], DRAWS);
    }
}
