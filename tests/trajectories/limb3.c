/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A spatial chain of 1 to 6 joints, fixed or floating, whose last link touches a plane:
 * tc_limb3_step.
 *
 * Drawn and judged as limb2.c does it in the plane.
 */
#include "rates.h"

#include "tc_limb3.h"

#include <math.h>

#define DOF TC_CHAIN3_DOF
#define STEPS 250u
#define EPSILON 1.2e-7

static tc_chain3_link links[TC_CHAIN_MAX];
static tc_real vertices[3u * 16u], work[TC_LIMB3_WORK(DOF, 256u)];
static tc_limb3 limb;
static tc_limb3_state before, state;
static tc_limb3_info info;
static setting own;
static rates x;

/* ---- Drawing --------------------------------------------------------------------------------- */

static void draw_links(uint32_t count, int floating)
{
    const double length = own.size * draw_log(0.3, 5.0);
    memset(links, 0, sizeof links);
    for (uint32_t i = 0; i < count; i++) {
        tc_chain3_link *const link = &links[i];
        const double m = own.mass * draw_log(0.3, 3.0);
        link->body.mass = (tc_real)m;
        link->joint = i == 0u && floating   ? TC_CHAIN_FREE
                      : test_below(5) == 0u ? TC_CHAIN_PRISMATIC
                                            : TC_CHAIN_REVOLUTE;
        for (uint32_t k = 0; k < 3u; k++) {
            link->body.inertia[k] = (tc_real)(m * length * length * draw_log(0.03, 0.3));
            link->anchor[k] = (tc_real)(length * draw_between(-1.0, 1.0));
            link->arm[k] = (tc_real)(length * draw_between(-1.0, 1.0));
        }
        draw_unit(link->axis, 3);
        draw_unit(link->rest, 4);
    }
    limb.chain.count = count;
    limb.chain.links = links;
    limb.chain.gravity[2] = (tc_real)-GRAVITY;
    x.n = tc_chain3_dof(&limb.chain, count);
    x.root = floating ? 6u : 0u;
    x.step = own.step;
}

static double gap_of(const tc_chain3_motion *motion, uint32_t i)
{
    const tc_chain3_link_motion *const link = &motion->link[motion->links - 1u];
    double R[3][3], gap = -(double)limb.foot.plane.offset - (double)limb.foot.shape.radius;
    judge_rotation(link->orientation, R);
    for (int k = 0; k < 3; k++) {
        double arm = (double)motion->origin[k] + (double)link->position[k];
        for (int j = 0; j < 3; j++) {
            arm += R[k][j] * (double)vertices[3u * i + (uint32_t)j];
        }
        gap += (double)limb.foot.plane.normal[k] * arm;
    }
    return gap;
}

static void draw_state(void)
{
    double least = HUGE_VAL;
    memset(&state, 0, sizeof state);
    for (uint32_t k = 0; k < x.n; k++) {
        state.q[k] = (tc_real)draw_between(-1.5, 1.5);
        state.qd[k] = (tc_real)(draw_between(-1.0, 1.0) * fmin(own.speed, 3.0));
    }
    if (x.root > 0u) { /* after the position come four numbers of a quaternion, with three rates */
        draw_turn(state.q + 3);
        state.q[x.n] = (tc_real)draw_between(-1.5, 1.5);
    }
    (void)tc_chain3_move(&limb.chain, state.q, state.qd, &state.motion);
    for (uint32_t i = 0; i < limb.foot.shape.count; i++) {
        least = fmin(least, gap_of(&state.motion, i));
    }
    limb.foot.plane.offset =
        (tc_real)(least - (test_below(3) == 0u ? 0.0 : draw_between(0.0, 0.05)));
}

static int draw_limb(const run *r)
{
    tc_shape3 shape;
    double inertia[3];
    memset(&limb, 0, sizeof limb);
    draw_setting(&own);
    const uint32_t floating = test_below(3) == 0u, count = 1u + floating + test_below(6);
    draw_links(count, (int)floating);
    tc_chain3_link *const last = &links[count - 1u];
    draw_polyhedron(&own, &shape, vertices, inertia);
    for (uint32_t k = 0; k < 3u; k++) {
        last->body.inertia[k] = (tc_real)((double)last->body.mass * inertia[k]);
    }
    const tc_learned3_model law = draw_law3(r->says, &own.mu);
    if (tc_foot3_init(&limb.foot, &last->body, (tc_real)own.step, &law) < TC_OK) {
        return 0;
    }
    limb.foot.shape = shape;
    limb.foot.positions = (tc_scheme)r->scheme;
    limb.foot.plane.normal[0] = (tc_real)(sin(own.tilt) * cos(own.heading));
    limb.foot.plane.normal[1] = (tc_real)(sin(own.tilt) * sin(own.heading));
    limb.foot.plane.normal[2] = (tc_real)cos(own.tilt);
    x.damping = test_below(2) ? draw_between(0.0, 5.0) : 0.0;
    return tc_limb3_check(&limb) >= TC_OK;
}

/* ---- Judging --------------------------------------------------------------------------------- */

static double norm3(const tc_real *v)
{
    return sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1]
                + (double)v[2] * (double)v[2]);
}

static void judge_stuck(run *r, uint32_t contacts)
{
    double most = 0;
    if (memcmp(before.q, state.q, sizeof state.q) != 0
        || memcmp(before.qd, state.qd, sizeof state.qd) != 0) {
        return;
    }
    for (uint32_t k = 0; k < x.n; k++) {
        most = fmax(most, own.step * fabs((double)state.qd[k]) / (1.0 + fabs((double)state.q[k])));
    }
    if (contacts == 0u || most > 4 * EPSILON) {
        fail(r, FAIL_STUCK, "no change, %u contacts", (unsigned)contacts);
    }
}

/* Speed of the foot with rates qd where it was before the step; *bend: how far the curvature of its
 * path goes in it */
static double speed_of(const tc_real *qd, double *bend)
{
    static tc_chain3_motion motion;
    if (tc_chain3_move(&limb.chain, before.q, qd, &motion) < TC_OK) {
        return 0;
    }
    const tc_chain3_link_motion *const link = &motion.link[motion.links - 1u];
    const double spin = norm3(link->velocity + 3), h = own.step;
    *bend =
        h * h
        * (norm3(link->acceleration) + (norm3(link->acceleration + 3) + spin * spin) * own.size);
    return norm3(link->velocity) + own.size * spin;
}

static double far_of(void)
{
    double far =
        own.size + fabs((double)limb.foot.plane.offset) + (x.root > 0u ? norm3(state.q) : 0.0);
    for (uint32_t i = 0; i < limb.chain.count; i++) {
        far += norm3(links[i].anchor) + norm3(links[i].arm);
    }
    for (uint32_t k = 0; k < x.n; k++) {
        far += fabs((double)state.q[k]);
    }
    return far;
}

/* The curvature is that at the beginning of the step: it says how far a vertex goes as long as the
 * joints turn by less than half a radian, where rates_flee begins. */
static void judge_depth(run *r)
{
    static tc_chain3_motion then, now;
    double bend = 0, bent = 0; /* TOC goes to its touch at the rates of before */
    if (rates_flee(&x, state.qd)) {
        return;
    }
    (void)tc_chain3_move(&limb.chain, before.q, before.qd, &then);
    (void)tc_chain3_move(&limb.chain, state.q, state.qd, &now);
    const double rounding = 16 * EPSILON * far_of(),
                 speed = speed_of(before.qd, &bent) + 2 * speed_of(state.qd, &bend);
    const double way = limb.foot.positions == TC_SCHEME_TOC ? bend + bent : bend;
    const double allowed = rounding + way + 1e-3 * own.step * speed;
    uint32_t below = 0;
    for (uint32_t i = 0; i < limb.foot.shape.count; i++) {
        below += gap_of(&then, i) < 0 || gap_of(&now, i) < 0;
    }
    for (uint32_t i = 0; i < limb.foot.shape.count && below <= TC_PATCH_MAX; i++) {
        const double was = gap_of(&then, i), is = gap_of(&now, i);
        if (limb.foot.positions != TC_SCHEME_DART || was < -rounding) {
            expect_most(r, FAIL_SANK, fmin(was, 0.0) - is, allowed, &r->counts.sank, "deeper");
        }
    }
}

static void judge_finite(run *r)
{
    const tc_learned3_result *const c = &info.contact.contact;
    expect_finite(r, state.q, x.n + (x.root > 0u), "q");
    expect_finite(r, state.qd, x.n, "qd");
    expect_finite(r, info.contact.impulse, 6, "info.impulse");
    expect_finite(r, c->friction, 3, "friction");
    expect_finite(r, c->normal, info.contact.count, "normal");
    expect_finite(r, info.velocity, 6, "info.velocity");
    expect_finite(r, &info.penetration, 1, "penetration");
    expect_finite(r, &state.warm.impulse[0][0],
                  3u * (state.warm.count <= TC_PATCH_MAX ? state.warm.count : TC_PATCH_MAX),
                  "warm");
}

static void judge_energy(run *r)
{
    static tc_chain3_motion motion;
    tc_real M[DOF * DOF];
    if (limb.foot.positions != TC_SCHEME_TOC) {
        rates_judge_energy(r, &x, state.qd);
        return;
    }
    (void)tc_chain3_move(&limb.chain, state.q, state.qd, &motion);
    tc_chain3_mass_matrix(&limb.chain, &motion, limb.chain.count, M);
    rates_judge_touches(r, &x, M, info.contact.waited, state.qd);
}

static void judge(run *r)
{
    judge_finite(r);
    if (r->failed == FAIL_NONE && info.contact.count > 0u) {
        r->counts.contacts++;
        judge_energy(r);
        judge_depth(r);
    }
    if (r->failed == FAIL_NONE) {
        judge_stuck(r, info.contact.count);
    }
}

/* ---- Running --------------------------------------------------------------------------------- */

static void look(void)
{
    static tc_chain3_motion motion;
    tc_real M[DOF * DOF], force[DOF];
    (void)tc_chain3_move(&limb.chain, state.q, state.qd, &motion);
    tc_chain3_mass_matrix(&limb.chain, &motion, limb.chain.count, M);
    tc_chain3_forces(&limb.chain, &motion, limb.chain.count, force);
    rates_prepare(&x, M, force, state.qd);
}

static void show_limb(void)
{
    show_setting(&own, limb.foot.shape.count, (double)limb.foot.shape.radius);
    for (uint32_t i = 0; i < limb.chain.count; i++) {
        printf("link %u: joint %u", (unsigned)i, (unsigned)links[i].joint);
        show("mass", &links[i].body.mass, 1);
        show("inertia", links[i].body.inertia, 3);
        show("anchor", links[i].anchor, 3);
        show("arm", links[i].arm, 3);
        show("axis", links[i].axis, 3);
        printf("\n");
    }
}

static void show_step(const run *r, tc_status status)
{
    show_status(r, status, info.contact.count);
    show("impulse", info.contact.impulse, 6);
    show("depth", &info.penetration, 1);
    show("q", state.q, x.n + (x.root > 0u));
    show("qd", state.qd, x.n);
    printf(" flags %u\n", (unsigned)info.contact.contact.flags);
}

void run_limb3(run *r)
{
    if (!draw_limb(r)) {
        r->counts.refused++;
        return;
    }
    draw_state();
    r->steps = STEPS;
    if (r->dump) {
        show_limb();
    }
    for (r->step = 0; r->step < r->steps && r->failed == FAIL_NONE; r->step++) {
        if (rates_flee(&x, state.qd)) {
            r->counts.fled++;
            return;
        }
        look();
        before = state;
        const tc_status status =
            tc_limb3_step(&limb, x.torque, &state, &info, work, TC_COUNT(work));
        if (status_fits(r, status)) {
            judge(r);
        }
        if (r->dump) {
            show_step(r, status);
        }
    }
}
