/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A planar chain of 1 to 6 joints, fixed or floating, whose last link touches a plane:
 * tc_limb2_step.
 *
 * Joints are damped by c M_kk, c at most 5 1/s, or not at all. What turns too fast for its step has
 * fled (rates.h).
 */
#include "rates.h"

#include "tc_limb2.h"

#include <math.h>

#define DOF TC_CHAIN2_DOF
#define STEPS 250u
#define EPSILON 1.2e-7

static tc_chain2_link links[TC_CHAIN_MAX];
static tc_real vertices[24], work[TC_LIMB2_WORK(DOF, 256u)];
static tc_limb2 limb;
static tc_limb2_state before, state;
static tc_limb2_info info;
static setting own;
static rates x;

/* ---- Drawing --------------------------------------------------------------------------------- */

static void draw_links(uint32_t count, int floating)
{
    const double length = own.size * draw_log(0.3, 5.0);
    memset(links, 0, sizeof links);
    for (uint32_t i = 0; i < count; i++) {
        tc_chain2_link *const link = &links[i];
        const double angle = draw_between(-3.0, 3.0), m = own.mass * draw_log(0.3, 3.0);
        link->body.mass = (tc_real)m;
        link->body.inertia = (tc_real)(m * length * length * draw_log(0.03, 0.3));
        link->joint = i == 0u && floating   ? TC_CHAIN_FREE
                      : test_below(5) == 0u ? TC_CHAIN_PRISMATIC
                                            : TC_CHAIN_REVOLUTE;
        for (uint32_t k = 0; k < 2u; k++) {
            link->anchor[k] = (tc_real)(length * draw_between(-1.0, 1.0));
            link->arm[k] = (tc_real)(length * draw_between(-1.0, 1.0));
        }
        link->axis[0] = (tc_real)cos(angle);
        link->axis[1] = (tc_real)sin(angle);
    }
    limb.chain.count = count;
    limb.chain.links = links;
    limb.chain.gravity[0] = TC_C(0.0);
    limb.chain.gravity[1] = (tc_real)-GRAVITY;
    x.n = tc_chain2_dof(&limb.chain, count);
    x.root = floating ? 3u : 0u;
    x.step = own.step;
}

static double gap_of(const tc_chain2_motion *motion, uint32_t i)
{
    const tc_chain2_link_motion *const link = &motion->link[motion->links - 1u];
    const double c = cos((double)link->position[2]), s = sin((double)link->position[2]);
    const double along = (double)vertices[2u * i], up = (double)vertices[2u * i + 1u];
    return (double)limb.foot.plane.normal[0]
               * ((double)motion->origin[0] + (double)link->position[0] + c * along - s * up)
           + (double)limb.foot.plane.normal[1]
                 * ((double)motion->origin[1] + (double)link->position[1] + s * along + c * up)
           - (double)limb.foot.plane.offset - (double)limb.foot.shape.radius;
}

static void draw_state(void)
{
    double least = HUGE_VAL;
    memset(&state, 0, sizeof state);
    for (uint32_t k = 0; k < x.n; k++) {
        state.q[k] = (tc_real)draw_between(-1.5, 1.5);
        state.qd[k] = (tc_real)(draw_between(-1.0, 1.0) * fmin(own.speed, 3.0));
    }
    (void)tc_chain2_move(&limb.chain, state.q, state.qd, &state.motion);
    for (uint32_t i = 0; i < limb.foot.shape.count; i++) {
        least = fmin(least, gap_of(&state.motion, i));
    }
    limb.foot.plane.offset =
        (tc_real)(least - (test_below(3) == 0u ? 0.0 : draw_between(0.0, 0.05)));
}

static int draw_limb(const run *r)
{
    tc_shape2 shape;
    memset(&limb, 0, sizeof limb);
    draw_setting(&own);
    const uint32_t floating = test_below(3) == 0u, count = 1u + floating + test_below(6);
    draw_links(count, (int)floating);
    tc_chain2_link *const last = &links[count - 1u];
    last->body.inertia = (tc_real)((double)last->body.mass * draw_polygon(&own, &shape, vertices));
    const tc_learned2_model law = draw_law2(r->says, &own.mu);
    if (tc_foot2_init(&limb.foot, &last->body, (tc_real)own.step, &law) < TC_OK) {
        return 0;
    }
    limb.foot.shape = shape;
    limb.foot.positions = (tc_scheme)r->scheme;
    limb.foot.plane.normal[0] = (tc_real)sin(own.tilt);
    limb.foot.plane.normal[1] = (tc_real)cos(own.tilt);
    limb.config = tc_limb2_default();
    limb.config.warm = (int)test_below(2);
    x.damping = test_below(2) ? draw_between(0.0, 5.0) : 0.0;
    return tc_limb2_check(&limb) >= TC_OK;
}

/* ---- Judging --------------------------------------------------------------------------------- */

static void judge_stuck(run *r, uint32_t contacts)
{
    double most = 0;
    for (uint32_t k = 0; k < x.n; k++) {
        if (state.q[k] != before.q[k] || state.qd[k] != before.qd[k]) {
            return;
        }
        most = fmax(most, own.step * fabs((double)state.qd[k]) / (1.0 + fabs((double)state.q[k])));
    }
    if (contacts == 0u || most > 4 * EPSILON) {
        fail(r, FAIL_STUCK, "no change, %u contacts", (unsigned)contacts);
    }
}

/* How far the curvature of its path may take a vertex in a step */
static double bend_of(const tc_real *qd)
{
    static tc_chain2_motion motion;
    if (tc_chain2_move(&limb.chain, before.q, qd, &motion) < TC_OK) {
        return 0;
    }
    const tc_chain2_link_motion *const link = &motion.link[motion.links - 1u];
    const double spin = (double)link->velocity[2], h = own.step;
    return h * h
           * (hypot((double)link->acceleration[0], (double)link->acceleration[1])
              + spin * spin * own.size);
}

static double far_of(void)
{
    double far = own.size + fabs((double)limb.foot.plane.offset);
    for (uint32_t i = 0; i < limb.chain.count; i++) {
        far += hypot((double)links[i].anchor[0], (double)links[i].anchor[1])
               + hypot((double)links[i].arm[0], (double)links[i].arm[1]);
    }
    for (uint32_t k = 0; k < x.n; k++) {
        far += fabs((double)state.q[k]);
    }
    return far;
}

static double speed_of(const tc_real *qd)
{
    static tc_chain2_motion motion;
    (void)tc_chain2_move(&limb.chain, before.q, qd, &motion);
    const tc_real *const v = motion.link[motion.links - 1u].velocity;
    return hypot((double)v[0], (double)v[1]) + own.size * fabs((double)v[2]);
}

static void judge_depth(run *r)
{
    static tc_chain2_motion then, now;
    (void)tc_chain2_move(&limb.chain, before.q, before.qd, &then);
    (void)tc_chain2_move(&limb.chain, state.q, state.qd, &now);
    const double rounding = 16 * EPSILON * far_of();
    const double spin = fabs((double)now.link[now.links - 1u].velocity[2]);
    /* TOC goes to its touch at the rates of before. */
    const double bent = limb.foot.positions == TC_SCHEME_TOC ? bend_of(before.qd) : 0.0;
    const double allowed = rounding + bend_of(state.qd) + bent
                           + own.step * (2e-3 * speed_of(state.qd) + 1e-3 * speed_of(before.qd))
                           + (double)TC_LEARNED_EDGE_MIN * own.step * spin * own.size;
    for (uint32_t i = 0; i < limb.foot.shape.count; i++) {
        const double was = gap_of(&then, i), is = gap_of(&now, i);
        if (limb.foot.positions != TC_SCHEME_DART || was < -rounding) {
            expect_most(r, FAIL_SANK, fmin(was, 0.0) - is, allowed, &r->counts.sank, "deeper");
        }
    }
}

static void judge_energy(run *r)
{
    static tc_chain2_motion motion;
    tc_real M[DOF * DOF];
    if (limb.foot.positions != TC_SCHEME_TOC) {
        rates_judge_energy(r, &x, state.qd);
        return;
    }
    (void)tc_chain2_move(&limb.chain, state.q, state.qd, &motion);
    tc_chain2_mass_matrix(&limb.chain, &motion, limb.chain.count, M);
    rates_judge_touches(r, &x, M, info.contact.waited, state.qd);
}

static void judge(run *r)
{
    const tc_foot2_info *const c = &info.contact;
    const tc_real told[9] = {c->friction,      c->normal[0],  c->normal[1],
                             c->torque,        info.residual, info.violation,
                             info.penetration, info.joint[0], info.joint[1]};
    expect_finite(r, state.q, x.n, "q");
    expect_finite(r, state.qd, x.n, "qd");
    expect_finite(r, told, 9, "info");
    if (r->failed == FAIL_NONE && c->count > 0u) {
        r->counts.contacts++;
        judge_energy(r);
        judge_depth(r);
    }
    if (r->failed == FAIL_NONE) {
        judge_stuck(r, c->count);
    }
}

/* ---- Running --------------------------------------------------------------------------------- */

static void look(void)
{
    static tc_chain2_motion motion;
    tc_real M[DOF * DOF], force[DOF];
    (void)tc_chain2_move(&limb.chain, state.q, state.qd, &motion);
    tc_chain2_mass_matrix(&limb.chain, &motion, limb.chain.count, M);
    tc_chain2_forces(&limb.chain, &motion, limb.chain.count, force);
    rates_prepare(&x, M, force, state.qd);
}

static void show_limb(void)
{
    show_setting(&own, limb.foot.shape.count, (double)limb.foot.shape.radius);
    for (uint32_t i = 0; i < limb.chain.count; i++) {
        printf("link %u: joint %u", (unsigned)i, (unsigned)links[i].joint);
        show("mass, inertia", &links[i].body.mass, 2);
        show("anchor", links[i].anchor, 2);
        show("arm", links[i].arm, 2);
        show("axis", links[i].axis, 2);
        printf("\n");
    }
}

static void show_step(const run *r, tc_status status)
{
    show_status(r, status, info.contact.count);
    show("friction", &info.contact.friction, 1);
    show("normals", info.contact.normal, 2);
    show("depth", &info.penetration, 1);
    show("q", state.q, x.n);
    show("qd", state.qd, x.n);
    printf("\n");
}

void run_limb2(run *r)
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
            tc_limb2_step(&limb, x.torque, &state, &info, work, TC_COUNT(work));
        if (status_fits(r, status)) {
            judge(r);
        }
        if (r->dump) {
            show_step(r, status);
        }
    }
}
