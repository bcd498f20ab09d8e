/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange systems, their contacts resolved in sequence or at once: tc_cdl_step.
 *
 *   exact     bodies in a row between two walls, or spheres in a box; masses up to 1e6:1; with
 *             weight or not
 *   learned   the committed models ball and cradle, from other states than their own
 *   nonsense  bodies in a row whose contact signal and potential answer at random
 *
 * Judged besides status, numbers and stuck states: without forces no kinetic energy is made, to
 * 1e-5 (160 eps: each of up to 9 contacts rounds two velocities, and the energy takes each twice);
 * and no body of a row ends up beyond its neighbour without a note in the step or before it.
 */
#include "judge.h"

#include "tc_cdl_laws.h"
#include "tc_cdl_nets.h"

#include <math.h>

#define K_MOST 8u
#define D_MOST 3u
#define N_MOST (K_MOST * D_MOST)
#define CONTACTS_MOST 64u
#define STEPS 400u
#define ENERGY_TOLERANCE 1e-5
#define EPSILON 1.2e-7

static tc_cdl_config config;
static tc_cdl cdl;
static tc_cdl_info info;
static tc_cdl_contact contacts[CONTACTS_MOST];
static tc_real mass[K_MOST], weight[N_MOST], Q[N_MOST], V[N_MOST], before_Q[N_MOST],
    before_V[N_MOST];
static tc_real room[TC_CDL_STATE(K_MOST, D_MOST, CONTACTS_MOST)];
static tc_real work[TC_CDL_SIMULTANEOUS_WORK(K_MOST, D_MOST, CONTACTS_MOST, TC_CDL_NETS_WORK(64))];
static uint32_t row, noted; /* bodies of a row that its steps resolve; a step was noted */
static double distance;

/* ---- Drawing --------------------------------------------------------------------------------- */

static void add_contact(uint32_t body, uint32_t other, uint32_t axis, double sign, double far)
{
    tc_cdl_contact *const c = &contacts[config.contacts++];
    memset(c, 0, sizeof *c);
    c->body = (uint16_t)body;
    c->other = (uint16_t)other;
    c->distance = (tc_real)far;
    c->normal[axis] = (tc_real)sign;
}

static void draw_common(uint32_t bodies, uint32_t d)
{
    const double ratio = draw_log(1.0, 1e6), least = draw_log(1e-3, 1e3 / ratio);
    config = tc_cdl_default();
    config.bodies = bodies;
    config.dimension = d;
    config.step = (tc_real)draw_log(2.5e-4, 1e-2);
    config.restitution = (tc_real)draw_between(0.0, 1.0);
    config.rest_speed = test_below(2) ? (tc_real)(2 * GRAVITY * (double)config.step) : TC_C(0.0);
    config.project = (int)test_below(2);
    config.mass = mass;
    config.contact = contacts;
    for (uint32_t k = 0; k < bodies; k++) {
        mass[k] = (tc_real)(least * draw_log(1.0, ratio));
    }
    for (uint32_t k = 0; k < bodies * d; k++) {
        weight[k] = k % d == d - 1u ? (tc_real)(-GRAVITY * (double)mass[k / d]) : TC_C(0.0);
        V[k] = (tc_real)draw_between(-2.0, 2.0);
    }
    config.weight = test_below(2) ? weight : NULL;
    distance = draw_log(0.02, 0.3);
}

/* Bodies `distance` apart at least, walls that far from the outer ones */
static void draw_row(void)
{
    double at = 0;
    draw_common(2u + test_below(K_MOST - 1u), 1);
    row = config.bodies;
    for (uint32_t k = 0; k < row; k++) {
        Q[k] = (tc_real)at;
        at += distance * (1.0 + (test_below(3) == 0u ? 0.0 : draw_between(0.0, 1.0)));
    }
    add_contact(0, TC_CDL_WALL, 0, 1.0, -distance);
    for (uint32_t k = 1; k < row; k++) {
        add_contact(k, k - 1u, 0, 1.0, distance);
    }
    add_contact(row - 1u, TC_CDL_WALL, 0, -1.0, -(at + distance));
}

/* Spheres of one radius on a grid, in a box */
static void draw_spheres(void)
{
    const uint32_t d = 2u + test_below(2);
    draw_common(2u + test_below(5), d);
    config.signal = tc_cdl_laws_spheres();
    for (uint32_t k = 0; k < config.bodies; k++) {
        for (uint32_t a = 0; a < d; a++) {
            Q[k * d + a] = (tc_real)(distance
                                     * (1.5 * (double)(k >> a & 1u)
                                        + (a == d - 1u ? 3.0 * (double)(k >> d) : 0.0)
                                        + draw_between(0.0, 0.4)));
        }
    }
    for (uint32_t k = 0; k < config.bodies; k++) {
        for (uint32_t a = 0; a < d; a++) {
            add_contact(k, TC_CDL_WALL, a, 1.0, -distance);
            add_contact(k, TC_CDL_WALL, a, -1.0, -6 * distance);
        }
        for (uint32_t j = 0; j < k; j++) {
            add_contact(k, j, 0, 1.0, distance);
        }
    }
}

static int open_trained(void)
{
    extern const uint8_t ball_tcm[], cradle_tcm[];
    extern const uint32_t ball_tcm_size, cradle_tcm_size;
    static tc_model model;
    static tc_cdl_nets nets;
    const int ball = test_below(2) == 0u;
    const tc_status opened = ball ? tc_model_open(&model, ball_tcm, ball_tcm_size)
                                  : tc_model_open(&model, cradle_tcm, cradle_tcm_size);
    const tc_status status =
        opened < TC_OK ? opened
                       : tc_cdl_nets_config(&nets, &model, ball ? TC_C(0.02) : TC_C(0.01), &config);
    Q[0] = ball ? (tc_real)draw_between(0.5, 10.0) : (tc_real)draw_between(-0.5, 0.0);
    Q[1] = (tc_real)draw_between(0.0, 0.5);
    V[0] = (tc_real)draw_between(-2.0, 2.0);
    V[1] = (tc_real)draw_between(-1.0, 1.0);
    return status >= TC_OK;
}

static tc_status babble_gap(const void *context, const struct tc_cdl *of, const tc_real *at,
                            const tc_real *speed, tc_real *gap, tc_real *normal, tc_real *scratch)
{
    (void)context;
    (void)at;
    (void)speed;
    (void)normal;
    (void)scratch;
    for (uint32_t c = 0; c < of->config.contacts; c++) {
        gap[c] = test_below(8) == 0u ? (test_below(2) ? TC_C(1e30) : TC_C(-1e30))
                                     : test_uniform(TC_C(-1.0), TC_C(1.0));
    }
    return test_below(8) == 0u ? TC_NOTE_RANGE : TC_OK;
}

static tc_status babble_force(const void *context, const struct tc_cdl *of, const tc_real *at,
                              tc_real *force, tc_real *potential, tc_real *scratch)
{
    (void)context;
    (void)at;
    (void)scratch;
    for (uint32_t k = 0; k < of->coordinates; k++) {
        force[k] = mass[k] * test_uniform(TC_C(-100.0), TC_C(100.0));
    }
    if (potential != NULL) {
        *potential = TC_C(0.0);
    }
    return TC_OK;
}

static int draw_system(const run *r)
{
    memset(Q, 0, sizeof Q);
    memset(V, 0, sizeof V);
    row = noted = 0;
    if (r->says == VOICE_LEARNED) {
        if (!open_trained()) {
            return 0;
        }
    } else if (r->says == VOICE_NONSENSE || test_below(2) == 0u) {
        draw_row();
    } else {
        draw_spheres();
    }
    if (r->says == VOICE_NONSENSE) {
        row = 0;
        config.signal.gap = babble_gap;
        config.potential.force = test_below(2) ? babble_force : NULL;
    }
    config.resolver = r->scheme == 1u ? &tc_cdl_simultaneous : NULL;
    const tc_status status = tc_cdl_init(&cdl, &config, room, TC_COUNT(room));
    return status >= TC_OK && cdl.work_len <= TC_COUNT(work);
}

/* ---- Judging --------------------------------------------------------------------------------- */

static double kinetic(const tc_real *v)
{
    double sum = 0;
    for (uint32_t k = 0; k < cdl.coordinates; k++) {
        sum += 0.5 * (double)mass[k / config.dimension] * (double)v[k] * (double)v[k];
    }
    return sum;
}

/* Neighbours that come nearer by more than half their distance in a step meet no contact: not the
 * library's matter. */
static void judge_row(run *r)
{
    for (uint32_t k = 1; k < row; k++) {
        const double approach =
            (double)config.step * ((double)before_V[k - 1u] - (double)before_V[k]);
        row = approach > 0.5 * distance ? 0u : row;
    }
    for (uint32_t k = 1; k < row; k++) {
        const double depth = (double)Q[k - 1u] - (double)Q[k];
        expect_most(r, FAIL_SANK, noted ? 0.0 : depth, 1e-6, &r->counts.sank,
                    "behind its neighbour");
    }
}

static void judge_stuck(run *r)
{
    double most = 0;
    for (uint32_t k = 0; k < cdl.coordinates; k++) {
        if (Q[k] != before_Q[k] || V[k] != before_V[k]) {
            return;
        }
        most = fmax(most, (double)config.step * fabs((double)V[k]) / (1.0 + fabs((double)Q[k])));
    }
    if (most > 4 * EPSILON || (info.acting == 0u && config.weight != NULL)) {
        fail(r, FAIL_STUCK, "no change, %u contacts", (unsigned)info.acting);
    }
}

static void judge(run *r)
{
    expect_finite(r, Q, cdl.coordinates, "Q");
    expect_finite(r, V, cdl.coordinates, "V");
    expect_finite(r, info.impulse, info.impulse == NULL ? 0u : config.contacts, "impulse");
    if (r->failed != FAIL_NONE) {
        return;
    }
    r->counts.contacts += info.acting > 0u;
    if (config.mass == mass && config.weight == NULL && config.potential.force == NULL
        && config.damping == NULL) {
        const double was = kinetic(before_V);
        expect_most(r, FAIL_ENERGY, kinetic(V) - was, ENERGY_TOLERANCE * was + 1e-30,
                    &r->counts.gain, "kinetic energy");
    }
    judge_row(r);
    judge_stuck(r);
}

/* ---- Running --------------------------------------------------------------------------------- */

static void show_system(void)
{
    printf("%u bodies in %u dimensions, %u contacts, %g m apart", (unsigned)config.bodies,
           (unsigned)config.dimension, (unsigned)config.contacts, distance);
    printf(", project %d, weight %d", config.project, config.weight != NULL);
    show("h", &config.step, 1);
    show("e", &config.restitution, 1);
    show("rest speed", &config.rest_speed, 1);
    show("masses", config.mass, config.bodies);
    printf("\n");
}

static void show_step(const run *r, tc_status status)
{
    show_status(r, status, info.acting);
    show("Q", Q, cdl.coordinates);
    show("V", V, cdl.coordinates);
    printf("\n");
}

void run_cdl(run *r)
{
    if (!draw_system(r)) {
        r->counts.refused++;
        return;
    }
    r->steps = STEPS;
    if (r->dump) {
        show_system();
    }
    for (r->step = 0; r->step < r->steps && r->failed == FAIL_NONE; r->step++) {
        memcpy(before_Q, Q, sizeof Q);
        memcpy(before_V, V, sizeof V);
        const tc_status status = tc_cdl_step(&cdl, NULL, Q, V, &info, work, TC_COUNT(work));
        noted |= status > TC_OK;
        if (status_fits(r, status)) {
            judge(r);
        }
        if (r->dump) {
            show_step(r, status);
        }
    }
}
