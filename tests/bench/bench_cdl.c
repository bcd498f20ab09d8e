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
 *   nets     the cradle with a potential net and a contact net of 32 or 500 softplus or tanh units,
 *            approaching: both are asked; `apart` the same when nothing approaches
 *
 * Compared with what is exact: the velocity after a bounce, the momentum of a row and the velocity
 * of a body in flight; with nets, with tc_net_grad.
 */
#include "bench.h"
#include "tinycontact.h"

#include <math.h>
#include <string.h>

#define BODIES 64u
#define H TC_C(0.01)
#define LIMIT TC_C(1e-5)

static tc_cdl cdl;
static tc_cdl_config config;
static tc_cdl_contact contact[BODIES];
static tc_real room[TC_CDL_STATE(BODIES, 3u, BODIES)],
    work[TC_CDL_SIMULTANEOUS_WORK(BODIES, 3u, BODIES, 0)];
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
    if (tc_cdl_init(&cdl, &config, room, TC_COUNT(room)) != TC_OK) {
        bench.expected[0] = TC_C(1e9);
    }
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
    config.potential = tc_cdl_laws_pendulums(force);
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
    config.signal = tc_cdl_laws_spheres();
    finish();
}

static void row_at_once(void)
{
    row(1);
    config.resolver = &tc_cdl_simultaneous;
    finish();
}

/* ---- Nets ------------------------------------------------------------------------------------ */

#define UNITS_MOST 504u

static float weights[2][UNITS_MOST * 4u], bias[2][UNITS_MOST], outer[2][UNITS_MOST],
    outer_bias[2][8];
static float centre[4] = {0.1f, -0.1f, 0.0f, 0.0f}, scale[4] = {2.0f, 2.0f, 0.5f, 0.5f}, mean,
             ten = 10.0f;
static tc_net nets[2];
static tc_real net_work[TC_CDL_WORK(2u, 1u, 1u, TC_CDL_NETS_WORK(UNITS_MOST))];

static void make_net(uint32_t which, uint32_t n_in, uint32_t units, uint8_t activation)
{
    tc_net *const net = &nets[which];
    memset(net, 0, sizeof *net);
    net->n_in = (uint16_t)n_in;
    net->n_out = 1;
    net->n_layers = 2;
    net->width = (uint16_t)units;
    net->input_mean = centre;
    net->input_scale = scale;
    net->output_mean = which == 0u ? &mean : NULL;
    net->output_scale = which == 0u ? &ten : NULL;
    net->layers[0] = (tc_net_dense){
        weights[which], bias[which], NULL, (uint16_t)n_in, (uint16_t)units, activation, 0, 8, 1};
    net->layers[1] = (tc_net_dense){
        outer[which], outer_bias[which], NULL, (uint16_t)units, 1, TC_NET_IDENTITY, 0, 1, 1};
    for (uint32_t i = 0; i < UNITS_MOST * 4u; i++) {
        weights[which][i] = (float)bench_uniform(-1, 1);
    }
    for (uint32_t u = 0; u < UNITS_MOST; u++) {
        const int used = u < units;
        bias[which][u] = used ? (float)bench_uniform(-1, 1) : 0.0f;
        outer[which][u] = used ? (float)bench_uniform(-1, 1) / (float)units : 0.0f;
        for (uint32_t i = 0; i < n_in && !used; i++) {
            weights[which][tc_net_dense_index(&net->layers[0], u, i)] = 0.0f;
        }
    }
}

/* The velocity of the first body after a step without contact. */
static void learned(uint32_t units, uint8_t activation, tc_real approach)
{
    tc_real grad[2], y, one = TC_C(1.0);
    begin(2, 1);
    bench_seed(7u);
    make_net(0, 2, units, activation);
    make_net(1, 4, units, activation);
    outer_bias[1][0] = -100.0f;
    config.contacts = 1;
    contact[0].other = 1;
    contact[0].normal[0] = TC_C(1.0);
    V[0] = approach;
    const int fine = tc_cdl_nets_potential(&config.potential, &nets[0], 2) == TC_OK
                     && tc_cdl_nets_signal(&config.signal, &nets[1], 2, 1) == TC_OK;
    const tc_real at[2] = {H * approach, TC_C(0.0)};
    static tc_real grad_work[TC_NET_GRAD_WORK(UNITS_MOST, 2u)];
    (void)tc_net_grad(&nets[0], at, &one, &y, grad, grad_work, TC_COUNT(grad_work));
    bench.expected[0] = fine ? approach - H * grad[0] : TC_C(1e9);
    finish();
}

static void softplus_32(void)
{
    learned(32, TC_NET_SOFTPLUS, TC_C(-1.0));
}

static void tanh_32(void)
{
    learned(32, TC_NET_TANH, TC_C(-1.0));
}

static void tanh_500(void)
{
    learned(500, TC_NET_TANH, TC_C(-1.0));
}

static void softplus_500(void)
{
    learned(500, TC_NET_SOFTPLUS, TC_C(-1.0));
}

static void apart_32(void)
{
    learned(32, TC_NET_SOFTPLUS, TC_C(1.0));
}

static void run_nets(void)
{
    BENCH_REGION((void)tc_cdl_step(&cdl, NULL, Q, V, &info, net_work, TC_COUNT(net_work)));
    bench.result[0] = V[0];
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
        {"cdl_nets_softplus", "32", "public", softplus_32, run_nets, 0, LIMIT},
        {"cdl_nets_tanh", "32", "public", tanh_32, run_nets, 0, LIMIT},
        {"cdl_nets_apart", "32", "public", apart_32, run_nets, 0, LIMIT},
        {"cdl_nets_softplus", "500", "public", softplus_500, run_nets, 0, LIMIT},
        {"cdl_nets_tanh", "500", "public", tanh_500, run_nets, 0, LIMIT},
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
