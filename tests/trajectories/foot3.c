/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One body in space on a plane: tc_foot3_step.
 */
#include "judge.h"

#include "tc_learned3_nets.h"

#include <math.h>

#define CORNERS_MOST 16u
#define EPSILON 1.2e-7

static tc_real vertices[3u * CORNERS_MOST], work[TC_FOOT3_WORK(TC_LEARNED3_NETS_WORK(64))];
static tc_foot3 body;
static tc_body3_state before, state;
static tc_learned3_warm warm;
static tc_foot3_info info;
static setting own;
static tc_real weight[6];

/* ---- Drawing --------------------------------------------------------------------------------- */

static double gap_of(const tc_body3_state *at, uint32_t i)
{
    double R[3][3], gap = -(double)body.plane.offset - (double)body.shape.radius;
    judge_rotation(at->orientation, R);
    for (int k = 0; k < 3; k++) {
        double arm = 0;
        for (int j = 0; j < 3; j++) {
            arm += R[k][j] * (double)vertices[3u * i + (uint32_t)j];
        }
        gap += (double)body.plane.normal[k] * ((double)at->position[k] + arm);
    }
    return gap;
}

static double lowest_of(const tc_body3_state *at)
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
    memset(&warm, 0, sizeof warm);
    draw_turn(state.orientation);
    for (uint32_t k = 0; k < 3u; k++) {
        state.position[k] = (tc_real)draw_between(-1.0, 1.0);
    }
    const double above = test_below(3) == 0u ? 0.0 : draw_between(0.0, 1.0) * own.size;
    const double lift = above - lowest_of(&state);
    for (uint32_t k = 0; k < 3u; k++) {
        state.position[k] =
            (tc_real)((double)state.position[k] + lift * (double)body.plane.normal[k]);
    }
    draw_unit(state.velocity, 3);
    draw_unit(state.velocity + 3, 3);
    for (uint32_t k = 0; k < 3u; k++) {
        state.velocity[k] = (tc_real)((double)state.velocity[k] * own.speed);
        state.velocity[3u + k] = (tc_real)((double)state.velocity[3u + k] * own.spin);
    }
}

/* The committed model's own body (tests/models/shapes/box.json) */
static int take_trained(void)
{
    extern const uint8_t box_tcm[];
    extern const uint32_t box_tcm_size;
    static const tc_body3 trained = {TC_C(1.0),
                                     {TC_C(0.002708333), TC_C(0.004166667), TC_C(0.005208333)}};
    static tc_learned3_nets nets;
    tc_model model;
    own.size = 0.2;
    own.aspect[0] = 0.75;
    own.aspect[1] = 0.5;
    own.mass = 1.0;
    own.step = 0.002;
    own.spin = fmin(own.spin, 20.0);
    return tc_model_open(&model, box_tcm, box_tcm_size) == TC_OK
           && tc_foot3_open(&body, &nets, &model, &trained, TC_C(0.002)) == TC_OK;
}

static int draw_body(run *r)
{
    double inertia[3];
    tc_body3 rigid;
    draw_setting(&own);
    const int trained = r->says == VOICE_LEARNED && test_below(3) == 0u;
    if (trained) {
        own.calm = 1;
        if (!take_trained()) {
            return 0;
        }
    }
    draw_polyhedron(&own, &body.shape, vertices, inertia);
    tc_shape3 shape = body.shape;
    if (!trained) {
        rigid.mass = (tc_real)own.mass;
        for (uint32_t k = 0; k < 3u; k++) {
            rigid.inertia[k] = (tc_real)(own.mass * inertia[k]);
        }
        const tc_learned3_model law = draw_law3(r->says, &own.mu);
        if (tc_foot3_init(&body, &rigid, (tc_real)own.step, &law) < TC_OK) {
            return 0;
        }
    }
    own.calm = own.calm && r->says == VOICE_EXACT;
    body.shape = shape;
    body.restitution = (tc_real)own.restitution;
    body.positions = (tc_scheme)r->scheme;
    body.plane.normal[0] = (tc_real)(sin(own.tilt) * cos(own.heading));
    body.plane.normal[1] = (tc_real)(sin(own.tilt) * sin(own.heading));
    body.plane.normal[2] = (tc_real)cos(own.tilt);
    body.plane.offset = (tc_real)draw_between(-1.0, 1.0);
    memset(weight, 0, sizeof weight);
    weight[2] = (tc_real)(-GRAVITY * own.mass);
    return tc_shape3_check(&body.shape) >= TC_OK;
}

/* ---- Judging --------------------------------------------------------------------------------- */

/* y = R diag(I) R^T x, or by 1 / I, at an orientation */
static void by_inertia(const tc_real orientation[4], int inverse, const double x[3], double y[3])
{
    double R[3][3], turned[3] = {0, 0, 0};
    judge_rotation(orientation, R);
    for (int k = 0; k < 3; k++) {
        const double I = (double)body.body.inertia[k];
        turned[k] = (R[0][k] * x[0] + R[1][k] * x[1] + R[2][k] * x[2]) * (inverse ? 1 / I : I);
    }
    for (int k = 0; k < 3; k++) {
        y[k] = R[k][0] * turned[0] + R[k][1] * turned[1] + R[k][2] * turned[2];
    }
}

static void momentum_of(const tc_body3_state *at, double L[3])
{
    const double omega[3] = {(double)at->velocity[3], (double)at->velocity[4],
                             (double)at->velocity[5]};
    by_inertia(at->orientation, 0, omega, L);
}

static double norm3(const tc_real *x)
{
    return sqrt((double)x[0] * (double)x[0] + (double)x[1] * (double)x[1]
                + (double)x[2] * (double)x[2]);
}

/* The fastest turning in the step [rad]: before, after, or as the contact's impulse left it. Beyond
 * a radian the library keeps the energy of turning, and no longer its momentum. */
static double turned_most(void)
{
    double P[3], struck[3], square = 0;
    for (uint32_t k = 0; k < 3u; k++) {
        P[k] = (double)info.impulse[3u + k];
    }
    by_inertia(before.orientation, 1, P, struck);
    for (uint32_t k = 0; k < 3u; k++) {
        struck[k] += (double)before.velocity[3u + k];
        square += struck[k] * struck[k];
    }
    const double ends = fmax(norm3(before.velocity + 3), norm3(state.velocity + 3));
    return (double)body.step * fmax(ends, sqrt(square));
}

#define FAST 0.02 /* [rad] in a step */

/* Work of the impulse if the contact was at this orientation: the angular momentum in the end is
 * what it left, and so is the velocity but for what was taken back. Contacts are asked about the
 * mean omega of the turn, which is off by h omega^2 / 2 at most; of turns that are not slow that is
 * allowed. */
static void judge_work_at(run *r, const tc_real orientation[4])
{
    const double back = (double)info.waited / (double)body.body.mass;
    double P[6], after[6], moved[6], L[3];
    for (int k = 0; k < 6; k++) {
        P[k] = (double)info.impulse[k];
        after[k] = (double)state.velocity[k] + back * (double)weight[k];
        moved[k] = P[k] / (double)body.body.mass;
    }
    momentum_of(&state, L);
    by_inertia(orientation, 1, L, after + 3);
    by_inertia(orientation, 1, P + 3, moved + 3);
    const double turned = turned_most(), torque = sqrt(P[3] * P[3] + P[4] * P[4] + P[5] * P[5]);
    expect_passive(r, 6, P, after, moved,
                   turned > FAST ? 0.5 * torque * turned * turned / (double)body.step : 0.0);
}

/* The orientation of the contact lies between those of the step: the impulse has to be passive at
 * its beginning, in its middle or in its end. */
static void judge_work(run *r)
{
    tc_real middle[4];
    double size = 0;
    for (int k = 0; k < 4; k++) {
        middle[k] = before.orientation[k] + state.orientation[k];
        size += (double)middle[k] * (double)middle[k];
    }
    const tc_real *const ends[3] = {before.orientation, size > 0.5 ? middle : before.orientation,
                                    state.orientation};
    run trial[3];
    int best = 0;
    for (int end = 0; end < 3; end++) {
        trial[end] = *r;
        trial[end].counts.gain = 0;
        judge_work_at(&trial[end], ends[end]);
        best = trial[end].counts.gain < trial[best].counts.gain ? end : best;
    }
    const double most = fmax(r->counts.gain, trial[best].counts.gain);
    *r = trial[best];
    r->counts.gain = most;
}

static int turns_fast(void)
{
    return turned_most() > 1.0;
}

/* Twice the kinetic energy, with gravity acting for so long before */
static double kinetic(const tc_body3_state *at, double acted)
{
    double L[3], sum = 0;
    momentum_of(at, L);
    for (uint32_t k = 0; k < 3u; k++) {
        const double v =
            (double)at->velocity[k] + acted * (double)weight[k] / (double)body.body.mass;
        sum += (double)body.body.mass * v * v + (double)at->velocity[3u + k] * L[k];
    }
    return sum;
}

/* Of a fast turn: contacts and turning together gain none, but of gravity that acted on the contact
 * and was taken back what it did against the impulse, and a square of it; and what the mean omega
 * is off by, as of slower turns. */
static void judge_kinetic(run *r)
{
    const double waited = (double)info.waited, g = norm3(weight) / (double)body.body.mass;
    const double from = kinetic(&before, (double)body.step - waited), to = kinetic(&state, 0.0);
    const double back = 2 * waited * g * (norm3(info.impulse) + norm3(weight) * (double)body.step);
    const double off = fmin(turned_most(), 0.4),
                 mean = norm3(info.impulse + 3) * off * off / (double)body.step;
    expect_most(r, FAIL_ENERGY, to - from, 1e-3 * from + back + mean + 1e-30, &r->counts.gain,
                "kinetic energy");
}

/* Rounding of I^-1, turned into the plane's axes, mixes the moments: it is good to eps / I_min. */
static double spread(void)
{
    const tc_real *const I = body.body.inertia;
    const double most = fmax((double)I[0], fmax((double)I[1], (double)I[2]));
    return most / fmin((double)I[0], fmin((double)I[1], (double)I[2]));
}

/* Momentum and angular momentum about the centre of mass, in the world's axes, change by what was
 * told and by gravity. Velocities are turned into the patch's frame and back, and impulses are
 * summed: a few roundings of the norms. */
static void judge_told(run *r)
{
    const tc_real *const I = body.body.inertia;
    const double m = (double)body.body.mass, h = (double)body.step, push = norm3(info.impulse);
    const double terms =
        m * (norm3(state.velocity) + norm3(before.velocity)) + h * norm3(weight) + push;
    const double most = fmax((double)I[0], fmax((double)I[1], (double)I[2]));
    const double turns = most * (norm3(state.velocity + 3) + norm3(before.velocity + 3))
                         + norm3(info.impulse + 3) + own.size * push;
    const double acted = h - (double)info.waited;
    double was[3], is[3];
    momentum_of(&before, was);
    momentum_of(&state, is);
    for (uint32_t k = 0; k < 3u; k++) {
        const double gained = m * ((double)state.velocity[k] - (double)before.velocity[k]);
        const double done = gained - acted * (double)weight[k], turned = is[k] - was[k];
        expect_most(r, FAIL_TOLD, fabs(done - (double)info.impulse[k]),
                    16 * EPSILON * terms + 1e-30, &r->counts.told, "told apart from done");
        if (turns_fast()) {
            continue;
        }
        expect_most(r, FAIL_TOLD, fabs(turned - (double)info.impulse[3u + k]),
                    (256 + spread()) * EPSILON * turns + 1e-30, &r->counts.told,
                    "turn told apart from done");
    }
}

/* Rotation's second order, the rounding of a pose, and what a solve leaves of its approach (1e-4 of
 * the speeds) */
static void judge_depth(run *r)
{
    const double h = own.step, reach = own.size;
    const double spin = fmax(norm3(state.velocity + 3), norm3(before.velocity + 3));
    const double speed = norm3(state.velocity) + norm3(before.velocity)
                         + (spin + norm3(before.velocity + 3)) * reach + h * GRAVITY;
    const double rounding =
        8 * EPSILON * (norm3(state.position) + fabs((double)body.plane.offset) + reach);
    const double second =
        0.5 * h * h * spin * spin * reach + 1e-4 * h * speed + 2e-5 * h * spin * reach;
    uint32_t below = 0;
    for (uint32_t i = 0; i < body.shape.count; i++) {
        below += gap_of(&before, i) < 0;
    }
    for (uint32_t i = 0; i < body.shape.count && below <= TC_PATCH_MAX; i++) {
        const double now = gap_of(&state, i), then = gap_of(&before, i);
        if (body.positions != TC_SCHEME_DART) {
            expect_most(r, FAIL_SANK, -now, rounding, &r->counts.sank, "below the plane");
        } else if (then < -rounding) {
            expect_most(r, FAIL_SANK, then - now, second + rounding, &r->counts.sank, "deeper");
        }
    }
}

/* Contacts stop the mean omega of a step; of a thin body that fell over in it, w = g h / thickness,
 * h w^2 / 2 may be left of omega itself while the pose rests. */
static void judge_stuck(run *r)
{
    const double far = norm3(state.position) + 1.0;
    const double fall = GRAVITY * own.step / (own.size * fmin(own.aspect[0], own.aspect[1]));
    if (memcmp(&before, &state, sizeof state) != 0) {
        return;
    }
    const int moves = own.step * norm3(state.velocity) > 4 * EPSILON * far
                      || own.step * norm3(state.velocity + 3)
                             > 4 * EPSILON + 0.5 * own.step * own.step * fall * fall;
    if (info.count == 0u || moves) {
        fail(r, FAIL_STUCK, "no change, %u contacts", (unsigned)info.count);
    } else if (r->says == VOICE_EXACT && tan(own.tilt) > 1.05 * own.mu + 1e-3) {
        fail(r, FAIL_STUCK, "holds at %.3g rad with friction %.3g", own.tilt, own.mu);
    }
}

static void judge_finite(run *r)
{
    const tc_learned3_result *const c = &info.contact;
    expect_finite(r, state.position, 3, "position");
    expect_finite(r, state.orientation, 4, "orientation");
    expect_finite(r, state.velocity, 6, "velocity");
    expect_finite(r, info.impulse, 6, "info.impulse");
    expect_finite(r, c->friction, 3, "friction");
    expect_finite(r, c->normal, info.count, "normal");
    expect_finite(r, c->impulse, 6, "contact.impulse");
    expect_finite(r, c->velocity, 6, "contact.velocity");
    expect_finite(r, &warm.impulse[0][0],
                  3u * (warm.count <= TC_PATCH_MAX ? warm.count : TC_PATCH_MAX), "warm");
    if (r->says != VOICE_NONSENSE) {
        expect_finite(r, c->probability, 3, "probability");
    }
}

static void judge(run *r)
{
    judge_finite(r);
    if (r->failed == FAIL_NONE && info.count > 0u) {
        r->counts.contacts++;
        judge_told(r);
        if (body.restitution == TC_C(0.0) && turns_fast()) {
            judge_kinetic(r);
        } else if (body.restitution == TC_C(0.0)) {
            judge_work(r);
        }
    }
    if (r->failed == FAIL_NONE) {
        judge_depth(r);
        judge_stuck(r);
    }
}

/* ---- Running --------------------------------------------------------------------------------- */

/* A rod that rocks about its length turns fast, and hardly moves. */
static double fastest_corner(void)
{
    const tc_real *const w = state.velocity + 3;
    double R[3][3], most = 0;
    judge_rotation(state.orientation, R);
    for (uint32_t i = 0; i < body.shape.count; i++) {
        const tc_real *const x = body.shape.vertices + 3u * i;
        double r[3], square = 0;
        for (uint32_t k = 0; k < 3u; k++) {
            r[k] = R[k][0] * (double)x[0] + R[k][1] * (double)x[1] + R[k][2] * (double)x[2];
        }
        for (uint32_t k = 0; k < 3u; k++) {
            const uint32_t i1 = (k + 1u) % 3u, i2 = (k + 2u) % 3u;
            const double u =
                (double)state.velocity[k] + (double)w[i1] * r[i2] - (double)w[i2] * r[i1];
            square += u * u;
        }
        most = fmax(most, sqrt(square));
    }
    return most;
}

static void show_state(void)
{
    const tc_real depth = (tc_real)lowest_of(&state);
    show("at", state.position, 3);
    show("turn", state.orientation, 4);
    show("v", state.velocity, 6);
    show("lowest", &depth, 1);
}

static void show_body(void)
{
    show_setting(&own, body.shape.count, (double)body.shape.radius);
    show("inertia", body.body.inertia, 3);
    show("vertices", vertices, 3u * body.shape.count);
    show("plane", body.plane.normal, 3);
    show("", &body.plane.offset, 1);
    show_state();
    printf("\n");
}

static void show_step(const run *r, tc_status status)
{
    show_status(r, status, info.count);
    show("impulse", info.impulse, 6);
    show("normals", info.contact.normal, info.count);
    show_state();
    printf(" flags %u\n", (unsigned)info.contact.flags);
}

void run_foot3(run *r)
{
    if (!draw_body(r)) {
        r->counts.refused++;
        return;
    }
    draw_state();
    r->steps = draw_steps(&own, r->scheme);
    double last = 0;
    if (r->dump) {
        show_body();
    }
    for (r->step = 0; r->step < r->steps && r->failed == FAIL_NONE; r->step++) {
        before = state;
        const tc_status status =
            tc_foot3_step(&body, weight, &state, &warm, &info, work, TC_COUNT(work));
        if (status_fits(r, status)) {
            judge(r);
        }
        if (r->dump) {
            show_step(r, status);
        }
        last = 10 * r->step > 9 * r->steps ? fmax(last, fastest_corner()) : 0;
    }
    if (own.calm && r->failed == FAIL_NONE) {
        r->counts.rested++;
        if (last > 3 * own.step * GRAVITY + 1e-3 * sqrt(GRAVITY * own.size)) {
            fail(r, FAIL_REST, "moves with %.3g m/s, h g = %.3g, sqrt(g L) = %.3g", last,
                 own.step * GRAVITY, sqrt(GRAVITY * own.size));
        }
    }
}
