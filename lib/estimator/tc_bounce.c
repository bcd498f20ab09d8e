/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Symbols: p, v position and velocity of the centre, s = r omega, n a plane's normal, d its offset,
 * g gravity, e restitution, mu friction, k the inertia to m r^2, t time since the flight began,
 * theta a parameter, ' its derivative.
 *
 * Flight: p(t) = p + v t + g t^2 / 2. The gap to a plane, n.p(t) - d - r = c + a t + b t^2 / 2, is a
 * parabola. Its zero on the way down, with D = a^2 - 2 b c:
 *
 *     a < 0:           t = 2 c / (D^(1/2) - a)      no difference of near numbers
 *     a >= 0, b < 0:   t = (D^(1/2) + a) / -b
 *
 * Touch, impulses per mass, with u = v_t + n x s the velocity of the point of contact:
 *
 *     j_n = -(1 + e) n.v,   j_t = -k / (1 + k) u if that is at most mu j_n, else -mu j_n u / |u|
 *     v+ = v + j_n n + j_t,   s+ = s - n x j_t / k
 *
 * s instead of omega leaves the radius out of the touch: it enters by the gap and by s at time 0.
 *
 * Derivatives: a flight keeps p', v' at a FIXED time. The time T of a touch moves by
 * T' = -(n.p'(T) - r') / n.v. At the touch p' + v T' and v' + g T' are total derivatives; behind it
 * p'+ = (p' + v T') - v+ T' and v'+ = (v+)' - g T' are those at a fixed time again. So an
 * observation costs p'(t) = p' + v' t and nothing else.
 *
 * A ball whose next rise is below REST_HEIGHT of its radius rests: float cannot resolve it.
 */
#include "tc_exact.h"
#include "tc_bounce.h"

#include "tc_bounce_internal.h"
#include "tc_math.h"
#include "tc_vec.h"

#include <math.h>
#include <string.h>

#define REST_HEIGHT (TC_C(8.0) * TC_EPSILON)
#define GRAZE (TC_C(64.0) * TC_EPSILON) /* slower approaches, relative to v, have no derivative */

/* One touch: what its derivatives need of it. */
typedef struct touch_bounce {
    const tc_real *n;   /* the plane's normal */
    tc_real v[3];       /* velocity before */
    tc_real jn, jt[3];  /* impulses per mass */
    tc_real u[3], slip; /* velocity of the contact, its length */
    tc_real approach;   /* n.v */
    int sticks;
} touch_bounce;

tc_bounce tc_bounce_default(void)
{
    tc_bounce ball = {.planes_ref = NULL, .planes = 0, .touches = 32};
    ball.value[TC_BOUNCE_RADIUS] = TC_C(1.0);
    ball.value[TC_BOUNCE_RESTITUTION] = TC_C(0.5);
    ball.value[TC_BOUNCE_FRICTION] = TC_C(0.25);
    ball.value[TC_BOUNCE_INERTIA] = TC_C(0.4);
    return ball;
}

/* ---- Time of the next touch -------------------------------------------------------------------- */

/* The first zero of c + a t + b t^2 / 2 on the way down; c >= 0 except for rounding. */
static tc_real fall_time(tc_real c, tc_real a, tc_real b)
{
    const tc_real gap = tc_vec_not_negative(c);
    const tc_real D = a * a - TC_C(2.0) * b * gap;
    if (a < TC_C(0.0)) {
        return D < TC_C(0.0) ? (tc_real)INFINITY : TC_C(2.0) * gap / (tc_sqrt(D) - a);
    }
    return b < TC_C(0.0) ? (tc_sqrt(D) + a) / -b : (tc_real)INFINITY;
}

static tc_real gap_of(const tc_plane3 *plane, const tc_real p[3], tc_real radius)
{
    return tc_vec_dot3(plane->normal, p) - plane->offset - radius;
}

static void find_next(tc_bounce_track *track)
{
    const tc_bounce *const ball = track->ball_ref;
    tc_real soonest = (tc_real)INFINITY;
    for (uint32_t i = 0; i < ball->planes; ++i) {
        const tc_plane3 *const plane = &ball->planes_ref[i];
        if (track->rests == i + 1u) {
            continue;
        }
        const tc_real time = fall_time(gap_of(plane, track->p, ball->value[TC_BOUNCE_RADIUS]),
                                       tc_vec_dot3(plane->normal, track->v),
                                       tc_vec_dot3(plane->normal, track->gravity));
        if (time < soonest) {
            soonest = time;
            track->next_plane = i;
        }
    }
    track->next = track->begin + soonest;
}

/* ---- A touch ------------------------------------------------------------------------------------ */

/* p and v at the time t of the flight */
static void fly_to(tc_bounce_track *track, tc_real t)
{
    for (uint32_t i = 0; i < 3u; ++i) {
        const tc_real gain = t * track->gravity[i];
        track->p[i] = TC_MLA(track->p[i], t, TC_MLA(track->v[i], TC_C(0.5), gain));
        track->v[i] += gain;
        for (uint32_t k = 0; k < track->n; ++k) {
            const uint32_t at = i * track->n + k;
            track->dp[at] = TC_MLA(track->dp[at], t, track->dv[at]);
        }
    }
}

static void strike_ball(const tc_bounce_track *track, touch_bounce *x)
{
    const tc_real *const value = track->ball_ref->value;
    const tc_real k = value[TC_BOUNCE_INERTIA], stick = k / (TC_C(1.0) + k);
    memcpy(x->v, track->v, sizeof x->v);
    x->approach = tc_vec_dot3(x->n, x->v);
    x->jn = -(TC_C(1.0) + value[TC_BOUNCE_RESTITUTION]) * x->approach;
    tc_vec_cross(x->n, track->s, x->u);
    for (uint32_t i = 0; i < 3u; ++i) {
        x->u[i] += TC_MLS(x->v[i], x->approach, x->n[i]);
    }
    x->slip = tc_sqrt(tc_vec_dot3(x->u, x->u));
    const tc_real most = value[TC_BOUNCE_FRICTION] * x->jn;
    x->sticks = stick * x->slip <= most;
    const tc_real share = x->sticks ? stick : most / x->slip;
    for (uint32_t i = 0; i < 3u; ++i) {
        x->jt[i] = -share * x->u[i];
    }
}

/* djt[3] of the friction, given the derivatives of u and j_n; own: of r, e, mu, k */
static void friction_slope(const touch_bounce *x, const tc_real *value, const tc_real own[4],
                           const tc_real du[3], tc_real djn, tc_real djt[3])
{
    const tc_real k = value[TC_BOUNCE_INERTIA], one = TC_C(1.0) / (TC_C(1.0) + k);
    if (x->sticks) {
        for (uint32_t i = 0; i < 3u; ++i) {
            djt[i] = -one * (k * du[i] + own[TC_BOUNCE_INERTIA] * one * x->u[i]);
        }
        return;
    }
    const tc_real mu = value[TC_BOUNCE_FRICTION], per = TC_C(1.0) / x->slip;
    const tc_real along = per * per * tc_vec_dot3(x->u, du);
    const tc_real grows = own[TC_BOUNCE_FRICTION] * x->jn + mu * djn;
    for (uint32_t i = 0; i < 3u; ++i) {
        djt[i] = -per * (grows * x->u[i] + mu * x->jn * (du[i] - along * x->u[i]));
    }
}

/* Derivatives by parameter `at` through the touch x; track->p is at the touch, track->v behind it. */
static void touch_slope(tc_bounce_track *track, const touch_bounce *x, uint32_t at)
{
    const tc_real *const value = track->ball_ref->value, *const n = x->n, *const g = track->gravity;
    const uint32_t many = track->n;
    tc_real own[4], dp[3], dv[3], ds[3], du[3], djt[3], turn[3];
    for (uint32_t i = 0; i < 4u; ++i) {
        own[i] = track->own[i * many + at];
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        dp[i] = track->dp[i * many + at];
        ds[i] = track->ds[i * many + at];
    }
    const tc_real speed = tc_sqrt(tc_vec_dot3(x->v, x->v));
    const tc_real later = x->approach < -GRAZE * speed
                              ? -(tc_vec_dot3(n, dp) - own[TC_BOUNCE_RADIUS]) / x->approach
                              : TC_C(0.0);
    for (uint32_t i = 0; i < 3u; ++i) {
        dv[i] = TC_MLA(track->dv[i * many + at], later, g[i]);
    }
    const tc_real e = value[TC_BOUNCE_RESTITUTION], k = value[TC_BOUNCE_INERTIA];
    const tc_real dvn = tc_vec_dot3(n, dv);
    const tc_real djn = -(TC_C(1.0) + e) * dvn - own[TC_BOUNCE_RESTITUTION] * x->approach;
    tc_vec_cross(n, ds, du);
    for (uint32_t i = 0; i < 3u; ++i) {
        du[i] += dv[i] - dvn * n[i];
    }
    friction_slope(x, value, own, du, djn, djt);
    tc_real spun[3];
    for (uint32_t i = 0; i < 3u; ++i) {
        spun[i] = (djt[i] - own[TC_BOUNCE_INERTIA] / k * x->jt[i]) / k;
    }
    tc_vec_cross(n, spun, turn);
    for (uint32_t i = 0; i < 3u; ++i) {
        track->dp[i * many + at] = TC_MLA(dp[i], later, x->v[i] - track->v[i]);
        track->dv[i * many + at] = dv[i] + djn * n[i] + djt[i] - later * g[i];
        track->ds[i * many + at] = ds[i] - turn[i];
    }
}

/* From here the ball moves along the plane: no velocity and no acceleration along n. Its
 * acceleration is that of rolling. */
static void roll_on(tc_bounce_track *track, const tc_real n[3])
{
    const tc_real k = track->ball_ref->value[TC_BOUNCE_INERTIA];
    const tc_real vn = tc_vec_dot3(n, track->v), gn = tc_vec_dot3(n, track->gravity);
    const tc_real rolls = gn < TC_C(0.0) ? TC_C(1.0) / (TC_C(1.0) + k) : TC_C(1.0);
    track->rests = track->next_plane + 1u;
    for (uint32_t i = 0; i < 3u; ++i) {
        track->v[i] -= vn * n[i];
        track->gravity[i] = rolls * (track->gravity[i] - gn * n[i]);
    }
    for (uint32_t at = 0; at < track->n; ++at) {
        tc_real sum = TC_C(0.0);
        for (uint32_t i = 0; i < 3u; ++i) {
            sum = TC_MLA(sum, n[i], track->dv[i * track->n + at]);
        }
        for (uint32_t i = 0; i < 3u; ++i) {
            track->dv[i * track->n + at] -= sum * n[i];
        }
    }
}

static void touch_plane(tc_bounce_track *track)
{
    const tc_bounce *const ball = track->ball_ref;
    touch_bounce x = {.n = ball->planes_ref[track->next_plane].normal};
    tc_real turn[3];
    fly_to(track, track->next - track->begin);
    strike_ball(track, &x);
    tc_vec_cross(x.n, x.jt, turn);
    for (uint32_t i = 0; i < 3u; ++i) {
        track->v[i] += TC_MLA(x.jt[i], x.jn, x.n[i]);
        track->s[i] -= turn[i] / ball->value[TC_BOUNCE_INERTIA];
    }
    for (uint32_t at = 0; at < track->n; ++at) {
        touch_slope(track, &x, at);
    }
    track->begin = track->next;
    ++track->touches;
    const tc_real up = -ball->value[TC_BOUNCE_RESTITUTION] * x.approach;
    const tc_real press = -tc_vec_dot3(x.n, track->gravity);
    const tc_real rise = TC_C(2.0) * press * REST_HEIGHT * ball->value[TC_BOUNCE_RADIUS];
    if (up * up <= rise || track->touches >= ball->touches) {
        roll_on(track, x.n);
    }
    find_next(track);
}

void tci_bounce_pass(tc_bounce_track *track, tc_real time)
{
    while (track->next <= time && track->touches < track->ball_ref->touches) {
        touch_plane(track);
    }
}

/* ---- Time 0 ------------------------------------------------------------------------------------- */

static void begin_slopes(tc_bounce_track *track, const tc_bounce_value *parameters)
{
    const tc_real *const value = track->ball_ref->value;
    const uint32_t n = track->n;
    for (uint32_t k = 0; k < n; ++k) {
        const uint32_t p = (uint32_t)parameters[k];
        for (uint32_t i = 0; i < 3u; ++i) {
            const tc_real of_radius = p == TC_BOUNCE_RADIUS ? value[TC_BOUNCE_SPIN + i] : TC_C(0.0);
            track->dp[i * n + k] = p == TC_BOUNCE_POSITION + i ? TC_C(1.0) : TC_C(0.0);
            track->dv[i * n + k] = p == TC_BOUNCE_VELOCITY + i ? TC_C(1.0) : TC_C(0.0);
            track->ds[i * n + k] = p == TC_BOUNCE_SPIN + i ? value[TC_BOUNCE_RADIUS] : of_radius;
        }
        for (uint32_t i = 0; i < 4u; ++i) {
            track->own[i * n + k] = p == i ? TC_C(1.0) : TC_C(0.0);
        }
    }
}

/* 1 if the ball begins inside a plane by more than rounding. */
static int begins_inside(const tc_bounce *ball)
{
    const tc_real *const p = ball->value + TC_BOUNCE_POSITION;
    const tc_real r = ball->value[TC_BOUNCE_RADIUS];
    const tc_real size = r + tc_sqrt(tc_vec_dot3(p, p));
    for (uint32_t i = 0; i < ball->planes; ++i) {
        const tc_plane3 *const plane = &ball->planes_ref[i];
        const tc_real slack = TC_C(4.0) * TC_EPSILON * (size + tc_vec_magnitude(plane->offset));
        if (gap_of(plane, p, r) < -slack) {
            return 1;
        }
    }
    return 0;
}

tc_status tci_bounce_begin(tc_bounce_track *track, const tc_bounce *ball,
                           const tc_bounce_value *parameters, uint32_t n)
{
    if (begins_inside(ball)) {
        return TC_ERR_SHAPE;
    }
    track->ball_ref = ball;
    track->n = n;
    track->touches = track->next_plane = track->rests = 0;
    track->begin = TC_C(0.0);
    for (uint32_t i = 0; i < 3u; ++i) {
        track->gravity[i] = ball->gravity[i];
        track->p[i] = ball->value[TC_BOUNCE_POSITION + i];
        track->v[i] = ball->value[TC_BOUNCE_VELOCITY + i];
        track->s[i] = ball->value[TC_BOUNCE_RADIUS] * ball->value[TC_BOUNCE_SPIN + i];
    }
    begin_slopes(track, parameters);
    find_next(track);
    return TC_OK;
}

/* ---- Checks ------------------------------------------------------------------------------------- */

static tc_status check_bounce_planes(const tc_bounce *ball)
{
    for (uint32_t i = 0; i < ball->planes; ++i) {
        const tc_plane3 *const plane = &ball->planes_ref[i];
        if (!tc_all_finite(plane->normal, 3) || !tc_all_finite(&plane->offset, 1)) {
            return TC_ERR_NOT_FINITE;
        }
        if (!tc_vec_is_unit(plane->normal, 3)) {
            return TC_ERR_UNIT;
        }
    }
    return TC_OK;
}

static tc_status check_bounce_values(const tc_bounce *ball)
{
    const tc_real *const value = ball->value;
    if (!tc_all_finite(value, TC_BOUNCE_VALUES) || !tc_all_finite(ball->gravity, 3)) {
        return TC_ERR_NOT_FINITE;
    }
    if (!(value[TC_BOUNCE_RADIUS] > TC_C(0.0)) || !(value[TC_BOUNCE_INERTIA] > TC_C(0.0))) {
        return TC_ERR_SHAPE;
    }
    const tc_real e = value[TC_BOUNCE_RESTITUTION];
    return e >= TC_C(0.0) && e <= TC_C(1.0) && value[TC_BOUNCE_FRICTION] >= TC_C(0.0)
               ? TC_OK
               : TC_ERR_RANGE;
}

tc_status tc_bounce_check(const tc_bounce *ball)
{
    if (ball == NULL || (ball->planes_ref == NULL && ball->planes != 0u)) {
        return TC_ERR_NULL;
    }
    if (ball->planes > TC_BOUNCE_PLANES || ball->touches - 1u >= TC_BOUNCE_TOUCHES) {
        return TC_ERR_SIZE;
    }
    tc_status status = check_bounce_values(ball);
    status = status < TC_OK ? status : check_bounce_planes(ball);
    return status == TC_OK && begins_inside(ball) ? TC_ERR_SHAPE : status;
}

tc_status tci_bounce_parameters(const tc_bounce_value *parameters, uint32_t n)
{
    if (parameters == NULL && n != 0u) {
        return TC_ERR_NULL;
    }
    if (n > TC_BOUNCE_PARAMETERS) {
        return TC_ERR_SIZE;
    }
    for (uint32_t k = 0; k < n; ++k) {
        if ((uint32_t)parameters[k] >= TC_BOUNCE_VALUES) {
            return TC_ERR_RANGE;
        }
    }
    return TC_OK;
}

tc_status tc_bounce_init(tc_bounce_track *track, const tc_bounce *ball,
                         const tc_bounce_value *parameters, uint32_t n)
{
    if (track == NULL) {
        return TC_ERR_NULL;
    }
    memset(track, 0, sizeof *track);
    tc_status status = tc_bounce_check(ball);
    status = status < TC_OK ? status : tci_bounce_parameters(parameters, n);
    return status < TC_OK ? status : tci_bounce_begin(track, ball, parameters, n);
}

static tc_status check_bounce_move(const tc_bounce_track *track, tc_real time,
                                   const tc_real *position)
{
    if (track == NULL || position == NULL) {
        return TC_ERR_NULL;
    }
    if (track->ball_ref == NULL || track->n > TC_BOUNCE_PARAMETERS) {
        return TC_ERR_SIZE;
    }
    if (!tc_all_finite(&time, 1)) {
        return TC_ERR_NOT_FINITE;
    }
    return time < track->begin ? TC_ERR_RANGE : TC_OK;
}

/* Position and, if they are wanted, derivatives at `time` */
static tc_status read_track(const tc_bounce_track *track, tc_real time, tc_real *position,
                            tc_real *derivatives, uint32_t slopes)
{
    const tc_real t = time - track->begin;
    for (uint32_t i = 0; i < 3u; ++i) {
        const tc_real mean = TC_MLA(track->v[i], TC_C(0.5) * t, track->gravity[i]);
        position[i] = TC_MLA(track->p[i], t, mean);
    }
    for (uint32_t i = 0; i < slopes; ++i) {
        derivatives[i] = TC_MLA(track->dp[i], t, track->dv[i]);
    }
    if (!tc_all_finite(position, 3) || (slopes != 0u && !tc_all_finite(derivatives, slopes))) {
        return TC_ERR_RANGE;
    }
    return track->rests != 0u ? TC_NOTE_LIMIT : TC_OK;
}

tc_status tc_bounce_move(tc_bounce_track *track, tc_real time, tc_real *position,
                         tc_real *derivatives)
{
    const uint32_t given = track == NULL || derivatives == NULL ? 0u : track->n;
    const uint32_t slopes = given <= TC_BOUNCE_PARAMETERS ? 3u * given : 0u;
    tc_status status = check_bounce_move(track, time, position);
    if (status == TC_OK) {
        tci_bounce_pass(track, time);
        status = read_track(track, time, position, derivatives, slopes);
    }
    if (status < TC_OK) {
        (void)tc_vec_zeroed(status, derivatives, slopes);
        (void)tc_vec_zeroed(status, position, position == NULL ? 0u : 3u);
    }
    return status;
}
