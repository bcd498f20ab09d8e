/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Coulomb friction of one contact, as a contact model.
 *
 * A contact that slides has u_n+ = 0 and p_t = -u_t+ / c with a c > 0: friction against the slip
 * that remains. With u_n+ = 0 put in, S = W_tt - W_tn W_nt / W_nn and r = u_t - W_tn u_n / W_nn,
 *
 *     (S + c) p_t = -r,   p_n = -(u_n + W_nt.p_t) / W_nn,   |p_t| = mu p_n.
 *
 * c = 0 is the stop, outside of the cone; for c -> infinity friction vanishes. Of
 *
 *     H(c) = mu p_n / |p_t| - 1
 *
 * the root is looked for: |p_t| falls like 1 / (S + c), so H is nearly straight, and exactly where W
 * is isotropic and W_tn = 0, from where the search begins. Newton's steps end where c changes by
 * less than SETTLED of it: the model gives a direction of length mu, and the library makes the impulse
 * on the cone of it (tc_learned3.c), so that an error of c turns the friction and does no more.
 */
#include "tc_exact.h"
#include "tc_friction3.h"

#include "tc_math.h"
#include "tc_vec.h"

#include <string.h>

#define NEWTON_FRICTION 4u
#define SETTLED TC_C(0.03)
#define SLIP_LEAST TC_C(0.02) /* [m/s] */
#define SLIP_UNIT TC_C(2.0)   /* 1 / 0.5 m/s */
#define LOAD_LEAST TC_C(0.05)
#define LOAD_UNIT TC_C(0.1)
#define FRICTION_NUMBERS (4u + 4u * TC_FRICTION3_UNITS)

_Static_assert(sizeof(tc_friction3) == FRICTION_NUMBERS * sizeof(tc_real),
               "a law is an array of numbers");

tc_friction3 tc_friction3_default(tc_real mu)
{
    tc_friction3 friction;
    memset(&friction, 0, sizeof friction);
    friction.mu[0] = friction.mu[1] = friction.mu[2] = mu;
    return friction;
}

static int has_constants(const tc_friction3 *friction)
{
    return friction->gain[0] == TC_C(0.0) && friction->gain[1] == TC_C(0.0);
}

tc_status tc_friction3_check(const tc_friction3 *friction)
{
    if (friction == NULL) {
        return TC_ERR_NULL;
    }
    if (tc_vec_zero((const tc_real *)(const void *)friction, FRICTION_NUMBERS) != TC_C(0.0)) {
        return TC_ERR_NOT_FINITE;
    }
    int in_range = has_constants(friction) || friction->weight > TC_C(0.0);
    for (uint32_t k = 0; k < 3u; k++) {
        in_range =
            in_range && friction->mu[k] >= TC_C(0.0) && friction->mu[k] <= TC_FRICTION3_MU_MAX;
    }
    return in_range ? TC_OK : TC_ERR_RANGE;
}

/* ---- The coefficient ------------------------------------------------------------------------- */

static tc_real residual_mu(const tc_friction3 *friction, const tc_learned3_query *query)
{
    const tc_real s = tc_log((tc_learned3_query_slip(query) + SLIP_LEAST) * SLIP_UNIT);
    const tc_real l =
        tc_log((tc_learned3_query_load(query) / friction->weight + LOAD_LEAST) * LOAD_UNIT);
    tc_real sum = TC_C(0.0);
    for (uint32_t k = 0; k < TC_FRICTION3_UNITS; k++) {
        const tc_real x =
            TC_MLA(TC_MLA(friction->bias[k], friction->slip[k], s), friction->load[k], l);
        sum = TC_MLA(sum, friction->gain[k], tc_tanh(x));
    }
    return sum;
}

/* work[0] = mu of this contact */
static tc_status observe_friction(const void *context, const tc_learned3_query *query,
                                  tc_real *work)
{
    const tc_friction3 *const friction = context;
    const uint32_t count = tc_learned3_query_count(query);
    tc_real mu = friction->mu[count < 3u ? count - 1u : 2u];
    if (!has_constants(friction)) {
        mu += residual_mu(friction, query);
    }
    mu = tc_vec_not_negative(mu);
    work[0] = mu < TC_FRICTION3_MU_MAX ? mu : TC_FRICTION3_MU_MAX;
    return TC_OK;
}

/* ---- The answers ----------------------------------------------------------------------------- */

static int friction_stops(const tc_learned3_query *query, tc_real mu)
{
    return query->stop[2] > TC_C(0.0) && query->tangential <= mu * query->stop[2];
}

static tc_status classify_friction(const void *context, const tc_learned3_query *query,
                                   tc_real *probability, tc_real *work)
{
    const int leaves = query->u[2] >= TC_C(0.0), stops = !leaves && friction_stops(query, work[0]);
    (void)context;
    probability[TC_LEARNED_DETACH] = leaves ? TC_C(1.0) : TC_C(0.0);
    probability[TC_LEARNED_STATIC] = stops ? TC_C(1.0) : TC_C(0.0);
    probability[TC_LEARNED_DYNAMIC] = leaves || stops ? TC_C(0.0) : TC_C(1.0);
    return TC_OK;
}

/* W with the normal eliminated */
typedef struct slide_friction3 {
    tc_real s11, s12, s22, r[2];
    tc_real start, by[2]; /* p_n = start - by . p_t */
} slide_friction3;

static slide_friction3 eliminate_normal(const tc_learned3_query *query)
{
    const tc_real *const W = query->W, inverse = TC_C(1.0) / W[5];
    slide_friction3 f;
    f.by[0] = W[3] * inverse;
    f.by[1] = W[4] * inverse;
    f.start = -query->u[2] * inverse;
    f.s11 = TC_MLS(W[0], f.by[0], W[3]);
    f.s12 = TC_MLS(W[1], f.by[0], W[4]);
    f.s22 = TC_MLS(W[2], f.by[1], W[4]);
    f.r[0] = TC_MLS(query->u[0], f.by[0], query->u[2]);
    f.r[1] = TC_MLS(query->u[1], f.by[1], query->u[2]);
    return f;
}

/* (S + c)^-1, as 11, 12, 22. S is the inverse of the tangents' block of W^-1: its eigenvalues are 1
 * or more. */
static inline void invert_friction(const slide_friction3 *f, tc_real c, tc_real inverse[3])
{
    const tc_real a = f->s11 + c, d = f->s22 + c;
    const tc_real scale = TC_C(1.0) / tc_vec_max(TC_MLS(a * d, f->s12, f->s12), TC_C(1.0));
    inverse[0] = d * scale;
    inverse[1] = -f->s12 * scale;
    inverse[2] = a * scale;
}

static inline void multiply_friction(const tc_real M[3], const tc_real x[2], tc_real y[2])
{
    y[0] = TC_MLA(M[0] * x[0], M[1], x[1]);
    y[1] = TC_MLA(M[1] * x[0], M[2], x[1]);
}

/* -p_t of the contact that slides, to the accuracy of c */
static void slide_friction(const tc_learned3_query *query, tc_real mu, tc_real back[2])
{
    const slide_friction3 f = eliminate_normal(query);
    const tc_real far = tc_sqrt(TC_MLA(f.r[0] * f.r[0], f.r[1], f.r[1]));
    tc_real c = tc_vec_not_negative(far / (mu * f.start) - TC_C(0.5) * (f.s11 + f.s22));
    tc_real inverse[3], w[2]; /* w = -d back / dc */
    int done = 0;
    for (uint32_t i = 0;; i++) {
        invert_friction(&f, c, inverse);
        multiply_friction(inverse, f.r, back);
        if (done || i == NEWTON_FRICTION) {
            break;
        }
        multiply_friction(inverse, back, w);
        const tc_real square = TC_MLA(back[0] * back[0], back[1], back[1]);
        const tc_real normal = TC_MLA(TC_MLA(f.start, f.by[0], back[0]), f.by[1], back[1]);
        const tc_real less = TC_MLA(f.by[0] * w[0], f.by[1], w[1]);
        const tc_real turn = TC_MLA(back[0] * w[0], back[1], w[1]);
        /* H |p_t|, and H' |p_t| */
        const tc_real excess = TC_MLS(mu * normal, tc_sqrt(square), TC_C(1.0));
        const tc_real slope = mu * (normal * turn / square - less);
        if (!(slope > TC_C(0.0))) {
            break;
        }
        const tc_real next = tc_vec_not_negative(c - excess / slope), change = next - c;
        done = change * change <= SETTLED * SETTLED * (next * next);
        c = next;
    }
}

/* Of a contact that sticks the ratio is mu along e_1: against the way it would slip. */
static tc_status ratio_friction(const void *context, const tc_learned3_query *query, tc_real *ratio,
                                tc_real *work)
{
    const tc_real mu = work[0], *const axis = query->axis;
    tc_real back[2];
    (void)context;
    ratio[0] = mu;
    ratio[1] = TC_C(0.0);
    if (mu <= TC_C(0.0) || query->u[2] >= TC_C(0.0) || friction_stops(query, mu)) {
        return TC_OK;
    }
    slide_friction(query, mu, back);
    const tc_real square = TC_MLA(back[0] * back[0], back[1], back[1]);
    if (square > TC_C(0.0)) {
        const tc_real scale = -mu / tc_sqrt(square);
        ratio[0] = scale * TC_MLA(back[0] * axis[0], back[1], axis[1]);
        ratio[1] = scale * query->side * TC_MLS(back[1] * axis[0], back[0], axis[1]);
    }
    return TC_OK;
}

/* tc_calls: tc_learned3_observe lib/learned/tc_friction3.c:observe_friction */
/* tc_calls: tc_learned3_ask_ratio lib/learned/tc_friction3.c:ratio_friction */
/* tc_calls: tc_learned3_classify lib/learned/tc_friction3.c:classify_friction */

tc_learned3_model tc_friction3_model(const tc_friction3 *friction)
{
    const tc_learned3_model model = {observe_friction, classify_friction, ratio_friction, friction,
                                     TC_FRICTION3_WORK};
    return model;
}
