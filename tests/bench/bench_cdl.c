/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: one step of the paper's systems, and of rows of 1 to 64 bodies.
 *
 *   ball     one body, one floor, gravity: in flight, and bouncing
 *   cradle   two pendulums, one pair, projected: swinging, and striking
 *   row      K bodies in a row, K - 1 pairs, all closed and striking in turn, in sequence
 *   space    the same in three dimensions, with the normals of spheres
 *   heap     the same row at once, by the complementarity problem
 *
 * Compared with what is exact: the velocity after a bounce, the momentum of a row and the velocity of a body in
 * flight.
 */
#include "bench.h"

#include <math.h>
#include <string.h>

#define BODIES 64u
#define H TC_C(0.01)
#define LIMIT TC_C(1e-5)

static tc_cdl cdl;
static tc_cdl_config config;
static tc_cdl_contact contact[BODIES];
static tc_real room[TC_CDL_ROOM(BODIES, 3u, BODIES)], work[TC_CDL_WORK(BODIES, 3u, BODIES, TC_CDL_LCP_WORK)];
static tc_real mass[BODIES], force[3u * BODIES], Q[3u * BODIES], V[3u * BODIES];
static tc_cdl_info info;

static void begin(uint32_t bodies, uint32_t dimension)
{
    config = tc_cdl_default();
    config.bodies = bodies;
    config.dimension = dimension;
    config.step = H;
    config.mass = mass;
    config.contact = contact;
    memset(contact, 0, sizeof contact);
    memset(Q, 0, sizeof Q);
    memset(V, 0, sizeof V);
    memset(force, 0, sizeof force);
    for (uint32_t k = 0; k < BODIES; k++) {
        mass[k] = TC_C(1.0) + TC_C(0.5) * (tc_real)(k % 3u);
    }
    bench.compared = 1;
    bench.result[0] = TC_C(1.0);
}

static void finish(void)
{
    bench.expected[0] = tc_cdl_init(&cdl, &config, room, TC_COUNT(room)) == TC_OK ? bench.expected[0] : TC_C(1e9);
}

static void ball(tc_real height, tc_real speed, tc_real after)
{
    begin(1, 1);
    force[0] = TC_C(-9.81);
    config.weight = force;
    config.contacts = 1;
    contact[0].other = TC_CDL_WALL;
    contact[0].normal[0] = TC_C(1.0);
    Q[0] = height;
    V[0] = speed;
    bench.expected[0] = after;
    finish();
}

static void ball_flight(void)
{
    ball(TC_C(10.0), TC_C(-1.0), TC_C(-1.0981));
}

static void ball_bounce(void)
{
    ball(TC_C(0.01), TC_C(-14.0), TC_C(14.0));
}

static void cradle(tc_real q, tc_real v, tc_real after)
{
    begin(2, 1);
    mass[1] = mass[0];
    force[0] = force[1] = TC_C(9.81);
    config.potential = tc_cdl_pendulums(force);
    config.project = 1;
    config.contacts = 1;
    contact[0].other = 1;
    contact[0].normal[0] = TC_C(1.0);
    Q[0] = q;
    V[0] = v;
    bench.expected[0] = after;
    finish();
}

static void cradle_swing(void)
{
    cradle(TC_C(0.2), TC_C(1.0), (tc_real)(1.0 - 0.0981 * sin(0.21)));
}

/* Equal masses exchange their velocities; half of the force's difference stays with each. */
static void cradle_strike(void)
{
    cradle(TC_C(0.01), TC_C(-2.0), (tc_real)(-0.0981 * 0.5 * sin(-0.01)));
}

/* A row along the first axis, touching, whose first body runs into the others. */
static void row(uint32_t dimension)
{
    begin(bench.n, dimension);
    config.contacts = bench.n - 1u;
    config.weight = force;
    for (uint32_t k = 0; k < bench.n; k++) {
        Q[dimension * k] = TC_C(-0.125) * (tc_real)k;
        contact[k].body = (uint16_t)k;
        contact[k].other = (uint16_t)(k + 1u);
        contact[k].normal[0] = TC_C(1.0);
        contact[k].distance = TC_C(0.125);
    }
    V[0] = TC_C(-2.0);
    Q[0] += TC_C(0.02);
    bench.expected[0] = TC_C(-2.0) * mass[0];
}

static void row_plain(void)
{
    row(1);
    finish();
}

static void row_space(void)
{
    row(3);
    config.signal = tc_cdl_spheres();
    finish();
}

static void row_at_once(void)
{
    row(1);
    config.resolver = &tc_cdl_simultaneous;
    finish();
}

static void run_first(void)
{
    BENCH_REGION((void)tc_cdl_step(&cdl, NULL, Q, V, &info, work, TC_COUNT(work)));
    bench.result[0] = V[0];
}

static void run_row(void)
{
    BENCH_REGION((void)tc_cdl_step(&cdl, NULL, Q, V, &info, work, TC_COUNT(work)));
    bench.result[0] = info.acting == bench.n - 1u ? TC_C(0.0) : TC_C(1e9);
    for (uint32_t k = 0; k < bench.n; k++) {
        bench.result[0] += mass[k] * V[config.dimension * k];
    }
}

void bench_cdl(void)
{
    static const bench_case systems[] = {
        {"cdl_ball_flight", "1", "public", ball_flight, run_first, 0, LIMIT},
        {"cdl_ball_bounce", "1", "public", ball_bounce, run_first, 0, LIMIT},
        {"cdl_cradle_swing", "2", "public", cradle_swing, run_first, 0, LIMIT},
        {"cdl_cradle_strike", "2", "public", cradle_strike, run_first, 0, LIMIT},
    };
    static const bench_case rows[] = {
        {"cdl_row", NULL, "public", row_plain, run_row, 0, LIMIT},
        {"cdl_space", NULL, "public", row_space, run_row, 0, LIMIT},
    };
    static const bench_case heap = {"cdl_heap", NULL, "public", row_at_once, run_row, 0, LIMIT};

    for (uint32_t i = 0; i < TC_COUNT(systems); i++) {
        bench_run(&systems[i]);
    }
    for (bench.n = 1; bench.n <= BODIES; bench.n *= 2u) {
        for (uint32_t i = 0; i < TC_COUNT(rows); i++) {
            bench_run(&rows[i]);
        }
        if (bench.n >= 4u && bench.n <= 16u) {
            bench_run(&heap);
        }
    }
}
