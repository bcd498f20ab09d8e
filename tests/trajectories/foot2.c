/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One body in the plane: tc_foot2_step.
 */
#include "judge.h"

#include "tc_learned2_nets.h"

#include <math.h>

#define CORNERS_MOST 12u
#define EPSILON 1.2e-7

static tc_real vertices[2u * CORNERS_MOST], work[TC_FOOT2_WORK(TC_LEARNED2_NETS_WORK(64))];
static tc_foot2 body;
static tc_body2_state before, state;
static tc_foot2_info info;
static setting own;
static tc_real weight[3];

/* ---- Drawing --------------------------------------------------------------------------------- */

static double gap_of(const tc_body2_state *at, uint32_t i)
{
    const double c = cos((double)at->position[2]), s = sin((double)at->position[2]);
    const double x = (double)vertices[2u * i], y = (double)vertices[2u * i + 1u];
    return (double)body.plane.normal[0] * ((double)at->position[0] + c * x - s * y)
           + (double)body.plane.normal[1] * ((double)at->position[1] + s * x + c * y)
           - (double)body.plane.offset - (double)body.shape.radius;
}

static double lowest_of(const tc_body2_state *at)
{
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < body.shape.count; i++) {
        least = fmin(least, gap_of(at, i));
    }
    return least;
}

static void draw_state(void)
{
    memset(&state, 0, sizeof state);
    state.position[0] = (tc_real)draw_between(-1.0, 1.0);
    state.position[1] = (tc_real)draw_between(-1.0, 1.0);
    state.position[2] = test_below(3) == 0u ? (tc_real)-own.tilt : (tc_real)draw_between(-3.0, 3.0);
    const double above = test_below(3) == 0u ? 0.0 : draw_between(0.0, 1.0) * own.size;
    const double lift = above - lowest_of(&state);
    draw_unit(state.velocity, 2);
    for (uint32_t k = 0; k < 2u; k++) {
        state.position[k] =
            (tc_real)((double)state.position[k] + lift * (double)body.plane.normal[k]);
        state.velocity[k] = (tc_real)((double)state.velocity[k] * own.speed);
    }
    state.velocity[2] = (tc_real)(draw_between(-1.0, 1.0) * own.spin);
}

/* The committed models' own bodies (tests/models/shapes) */
static int take_trained(void)
{
    extern const uint8_t rectangle_tcm[], link_tcm[];
    extern const uint32_t rectangle_tcm_size, link_tcm_size;
    static tc_learned2_nets nets;
    tc_model model;
    const int link = test_below(2) == 0u;
    const tc_body2 trained = {TC_C(1.0), link ? TC_C(0.0078) : TC_C(0.00453333333)};
    const tc_real x = link ? TC_C(0.15) : TC_C(0.1), y = link ? TC_C(0.03) : TC_C(0.06);
    const tc_real box[8] = {-x, -y, x, -y, x, y, -x, y};
    own.size = 2 * (double)x;
    own.mass = 1.0;
    own.step = 0.002;
    own.spin = fmin(own.spin, 20.0);
    const tc_status status = link ? tc_model_open(&model, link_tcm, link_tcm_size)
                                  : tc_model_open(&model, rectangle_tcm, rectangle_tcm_size);
    if (status < TC_OK || tc_foot2_open(&body, &nets, &model, &trained, TC_C(0.002)) < TC_OK) {
        return 0;
    }
    memcpy(vertices, box, sizeof box);
    body.shape.vertices = vertices;
    body.shape.count = 4;
    body.shape.radius = TC_C(0.0);
    return 1;
}

static int make_body(run *r)
{
    tc_shape2 shape;
    own.aspect[1] = own.aspect[0];
    const double inertia = draw_polygon(&own, &shape, vertices);
    const tc_body2 rigid = {(tc_real)own.mass, (tc_real)(own.mass * inertia)};
    const tc_learned2_model law = draw_law2(r->says, &own.mu);
    if (tc_foot2_init(&body, &rigid, (tc_real)own.step, &law) < TC_OK) {
        return 0;
    }
    body.shape = shape;
    return 1;
}

static int draw_body(run *r)
{
    draw_setting(&own);
    const int trained = r->says == VOICE_LEARNED && test_below(3) == 0u;
    if (!(trained ? take_trained() : make_body(r))) {
        return 0;
    }
    own.calm = own.calm && r->says == VOICE_EXACT;
    body.restitution = (tc_real)own.restitution;
    body.positions = (tc_scheme)r->scheme;
    body.plane.normal[0] = (tc_real)sin(own.tilt);
    body.plane.normal[1] = (tc_real)cos(own.tilt);
    body.plane.offset = (tc_real)draw_between(-1.0, 1.0);
    weight[0] = weight[2] = TC_C(0.0);
    weight[1] = (tc_real)(-GRAVITY * own.mass);
    return tc_shape2_check(&body.shape) >= TC_OK;
}

/* ---- Judging --------------------------------------------------------------------------------- */

/* Impulse and torque in world axes */
static void impulse_of(double P[3])
{
    const double nx = (double)body.plane.normal[0], ny = (double)body.plane.normal[1];
    const double f = (double)info.friction, n = (double)info.normal[0] + (double)info.normal[1];
    P[0] = f * ny + n * nx;
    P[1] = n * ny - f * nx;
    P[2] = (double)info.torque;
}

static void judge_impulse(run *r)
{
    const double mass[3] = {(double)body.body.mass, (double)body.body.mass,
                            (double)body.body.inertia};
    double P[3], after[3], moved[3];
    impulse_of(P);
    const double push = fabs(P[0]) + fabs(P[1]), arm[3] = {1, 1, own.size};
    /* the force of that time was taken back after the contact */
    const double waited = (double)info.waited;
    for (uint32_t k = 0; k < 3u; k++) {
        const double force = (double)body.step * (double)weight[k],
                     was = (double)before.velocity[k];
        after[k] = (double)state.velocity[k] + waited * (double)weight[k] / mass[k];
        moved[k] = P[k] / mass[k];
        const double terms = mass[k] * (fabs(after[k]) + fabs(was)) + fabs(force) + push * arm[k];
        expect_most(r, FAIL_TOLD, fabs(mass[k] * (after[k] - was) - force - P[k]),
                    16 * EPSILON * terms + 1e-30, &r->counts.told, "told apart from done");
    }
    if (body.restitution == TC_C(0.0)) {
        expect_passive(r, 3, P, after, moved, 0.0);
    }
}

/* As foot3.c's; an edge shorter than TC_LEARNED_EDGE_MIN counts as a point */
static void judge_depth(run *r)
{
    const double h = own.step, spin = fabs((double)state.velocity[2]), reach = own.size;
    const double speed = fabs((double)state.velocity[0]) + fabs((double)state.velocity[1])
                         + spin * reach + h * GRAVITY;
    const double far = fabs((double)state.position[0]) + fabs((double)state.position[1])
                       + fabs((double)body.plane.offset)
                       + reach * (1.0 + fabs((double)state.position[2]));
    const double rounding = 8 * EPSILON * far;
    const double second = 0.5 * h * h * spin * spin * reach + 1e-4 * h * speed
                          + (double)TC_LEARNED_EDGE_MIN * h * spin * reach;
    for (uint32_t i = 0; i < body.shape.count; i++) {
        const double now = gap_of(&state, i), then = gap_of(&before, i);
        if (body.positions != TC_SCHEME_DART) {
            expect_most(r, FAIL_SANK, -now, rounding, &r->counts.sank, "below the plane");
        } else if (then < -rounding) {
            expect_most(r, FAIL_SANK, then - now, second + rounding, &r->counts.sank, "deeper");
        }
    }
}

static void judge_stuck(run *r)
{
    const double far = fabs((double)state.position[0]) + fabs((double)state.position[1]) + 1.0;
    if (memcmp(&before, &state, sizeof state) != 0) {
        return;
    }
    const double v = own.step * hypot((double)state.velocity[0], (double)state.velocity[1]);
    const int moves = v > 4 * EPSILON * far
                      || own.step * fabs((double)state.velocity[2])
                             > 4 * EPSILON * (1 + fabs((double)state.position[2]));
    if (info.count == 0u || moves) {
        fail(r, FAIL_STUCK, "no change, %u contacts", (unsigned)info.count);
    } else if (r->says == VOICE_EXACT && tan(own.tilt) > 1.05 * own.mu + 1e-3) {
        fail(r, FAIL_STUCK, "holds at %.3g rad with friction %.3g", own.tilt, own.mu);
    }
}

static void judge(run *r)
{
    const tc_real told[4] = {info.friction, info.normal[0], info.normal[1], info.torque};
    expect_finite(r, state.position, 3, "position");
    expect_finite(r, state.velocity, 3, "velocity");
    expect_finite(r, told, 4, "info");
    if (r->says != VOICE_NONSENSE) {
        expect_finite(r, info.decision.probability, 3, "probability");
        expect_finite(r, &info.decision.ratio, 1, "ratio");
    }
    if (r->failed == FAIL_NONE && info.count > 0u) {
        r->counts.contacts++;
        judge_impulse(r);
    }
    if (r->failed == FAIL_NONE) {
        judge_depth(r);
        judge_stuck(r);
    }
}

/* ---- Running --------------------------------------------------------------------------------- */

static void show_state(void)
{
    const tc_real depth = (tc_real)lowest_of(&state);
    show("at", state.position, 3);
    show("v", state.velocity, 3);
    show("lowest", &depth, 1);
}

static void show_body(void)
{
    show_setting(&own, body.shape.count, (double)body.shape.radius);
    show("vertices", vertices, 2u * body.shape.count);
    show("plane", body.plane.normal, 2);
    show("", &body.plane.offset, 1);
    show_state();
    printf("\n");
}

static void show_step(const run *r, tc_status status)
{
    show_status(r, status, info.count);
    show("friction", &info.friction, 1);
    show("normals", info.normal, 2);
    show_state();
    printf(" flags %u\n", (unsigned)info.decision.flags);
}

static double speed_of(void)
{
    return hypot((double)state.velocity[0], (double)state.velocity[1])
           + own.size * fabs((double)state.velocity[2]);
}

void run_foot2(run *r)
{
    if (!draw_body(r)) {
        r->counts.refused++;
        return;
    }
    draw_state();
    const double root = sqrt(GRAVITY * own.size);
    r->steps = draw_steps(&own, r->scheme);
    double last = 0;
    if (r->dump) {
        show_body();
    }
    for (r->step = 0; r->step < r->steps && r->failed == FAIL_NONE; r->step++) {
        before = state;
        const tc_status status = tc_foot2_step(&body, weight, &state, &info, work, TC_COUNT(work));
        if (status_fits(r, status)) {
            judge(r);
        }
        if (r->dump) {
            show_step(r, status);
        }
        last = 10 * r->step > 9 * r->steps ? fmax(last, speed_of()) : 0;
    }
    if (own.calm && r->failed == FAIL_NONE) {
        r->counts.rested++;
        if (last > 3 * own.step * GRAVITY + 1e-3 * root) {
            fail(r, FAIL_REST, "moves with %.3g m/s, h g = %.3g, sqrt(g L) = %.3g", last,
                 own.step * GRAVITY, root);
        }
    }
}
