/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The implicit rule: what a contact of a limb does for a class and a ratio, how a point is asked
 * about, and the corners of a patch in turn.
 *
 * Sliding. With u_n+ = 0 the normal follows friction, p_n = -(u_n + W_nt.p_t) / W_nn, and the slip
 * is s + S p_t with S = W_tt - W_tn W_nt / W_nn, s = u_t - W_tn u_n / W_nn. Friction against the
 * slip that remains, u_t+ = -c p_t with c >= 0, is
 *
 *     p_t = -(S + c)^-1 s,      |p_t| = ratio p_n:      one equation for c
 *
 * At c = 0 the contact sticks, if |p_t| <= ratio p_n there. Else ratio p_n / |p_t| - 1 is negative
 * at c = 0 and positive at
 *
 *     c = |s| (1 + ratio |W_nt| / W_nn) / (ratio p_n0),   p_n0 = -u_n / W_nn
 *
 * (|p_t| <= |s| / c); it is nearly linear in c, so that false position finds its zero in few steps.
 * Where it is stopped does not matter to what is promised: friction is -u_t+ / c wherever c is, and
 * so p_t.u_t+ <= 0.
 *
 * A limb of few joints moves its contact in fewer directions than three: S is singular, s has no
 * part in its null space but rounding, nor has p_t with LIMB_SLIP_LEAST in c. What that leaves of
 * slip is taken away by solving once more for it. Along the eigenvectors of S no determinant
 * cancels.
 *
 * Energy, of whatever p comes out: dT = p.u+ - |C p|^2 / 2 <= 0, since p_t.u_t+ <= 0 and p_n u_n+
 * <= 0.
 *
 * Sweeps. Corner i moves with u; without its own impulse with u - W_ii p_i on the limb, and with
 * u - W p_i of the free body, joint impulse held, as the law is asked about it. Only what
 * approaches on the limb is solved; of what then leaves as a free body the law knows nothing, and
 * keeps what it said last.
 *
 * Asking. The branch (class, ratio) answered at p gives p' on the limb; if that is p, it is the
 * solution. As friction depends on p only by way of the law, two rounds do, but where the class
 * wavers.
 */
#include "tc_exact.h"
#include "tc_limb3_internal.h"

#include "tc_learned_core.h"
#include "tc_vec.h"

#include <string.h>

#define STEPS_POINT3 16u                /* of false position */
#define FOUND (TC_C(64.0) * TC_EPSILON) /* of the ratio */
#define SHIFT_MOST TC_C(1e30)           /* friction against such a slip is nothing */
#define SAME TC_C(1e-3)                 /* of an impulse: it has been found again */
#define CLAMP_TOLD_POINT3 TC_C(1e-3)

/* ---- One contact ----------------------------------------------------------------------------- */

/* Friction's own problem, the normal eliminated, along the eigenvectors of S */
typedef struct tangential {
    tc_real stiff, soft; /* eigenvalues of S, >= 0 */
    tc_real axis[2];     /* unit, of the first; of the second (-axis_1, axis_0) */
    tc_real s1, s2;      /* the slip without friction */
    tc_real g1, g2;      /* W_nt / W_nn */
    tc_real normal;      /* p_n without friction */
    tc_real least;       /* LIMB_SLIP_LEAST of it */
} tangential;

static inline tc_real length_point3(tc_real x, tc_real y)
{
    return tc_sqrt(TC_MLA(x * x, y, y));
}

/* Eigenvalues and the first's axis: half the angle of (difference, S12), by whichever half does not
 * cancel */
static inline void decompose_tangents(tc_real S11, tc_real S12, tc_real S22, tangential *t)
{
    const tc_real mean = TC_C(0.5) * (S11 + S22), difference = TC_C(0.5) * (S11 - S22);
    const tc_real radius = length_point3(difference, S12);
    const int first = difference >= TC_C(0.0);
    const tc_real x = first ? difference + radius : S12, y = first ? S12 : radius - difference;
    const tc_real size = length_point3(x, y);
    t->stiff = mean + radius;
    t->soft = tc_vec_not_negative(mean - radius);
    t->axis[0] = size > TC_C(0.0) ? x / size : TC_C(1.0);
    t->axis[1] = size > TC_C(0.0) ? y / size : TC_C(0.0);
}

static inline tc_real length_along(const tangential *t, tc_real x, tc_real y)
{
    return TC_MLA(t->axis[0] * x, t->axis[1], y);
}

static inline tc_real across_point3(const tangential *t, tc_real x, tc_real y)
{
    return TC_MLS(t->axis[0] * y, t->axis[1], x);
}

static void eliminate_point3(const tc_real W[6], const tc_real u[3], tangential *t)
{
    const tc_real inverse = TC_C(1.0) / W[5], g1 = W[3] * inverse, g2 = W[4] * inverse;
    const tc_real s1 = TC_MLS(u[0], g1, u[2]), s2 = TC_MLS(u[1], g2, u[2]);
    decompose_tangents(TC_MLS(W[0], g1, W[3]), TC_MLS(W[1], g1, W[4]), TC_MLS(W[2], g2, W[4]), t);
    t->s1 = length_along(t, s1, s2);
    t->s2 = across_point3(t, s1, s2);
    t->g1 = length_along(t, g1, g2);
    t->g2 = across_point3(t, g1, g2);
    t->normal = -u[2] * inverse;
    t->least = LIMB_SLIP_LEAST * (W[0] + W[2]);
}

/* p along the eigenvectors; turn_back for the tangents */
static inline void complete_impulse(const tangential *t, tc_real p[3])
{
    p[2] = TC_MLS(TC_MLS(t->normal, t->g1, p[0]), t->g2, p[1]);
}

static inline void turn_back(const tangential *t, tc_real p[3])
{
    const tc_real x = p[0], y = p[1];
    p[0] = TC_MLS(t->axis[0] * x, t->axis[1], y);
    p[1] = TC_MLA(t->axis[1] * x, t->axis[0], y);
}

/* c = least, and once more for what that leaves of slip: -s / (S + c) (1 + c / (S + c)) */
static inline void stick_impulse(const tangential *t, tc_real p[3])
{
    const tc_real a = TC_C(1.0) / (t->stiff + t->least), b = TC_C(1.0) / (t->soft + t->least);
    p[0] = -t->s1 * a * TC_MLA(TC_C(1.0), t->least, a);
    p[1] = -t->s2 * b * TC_MLA(TC_C(1.0), t->least, b);
    complete_impulse(t, p);
}

void tci_limb3_stop(const tc_real W[6], const tc_real u[3], tc_real p[3])
{
    tangential t;
    eliminate_point3(W, u, &t);
    stick_impulse(&t, p);
    turn_back(&t, p);
}

/* ratio p_n / |p_t| - 1 for p at c */
static inline tc_real cone_excess(const tangential *t, tc_real ratio, tc_real c, tc_real p[3])
{
    p[0] = -t->s1 / (t->stiff + c);
    p[1] = -t->s2 / (t->soft + c);
    complete_impulse(t, p);
    return ratio * p[2] / length_point3(p[0], p[1]) - TC_C(1.0);
}

static inline void frictionless_impulse(const tangential *t, tc_real p[3])
{
    p[0] = p[1] = TC_C(0.0);
    p[2] = t->normal;
}

/* Illinois: an end that stands twice is taken for half as far off. */
static void search_point3(const tangential *t, tc_real ratio, tc_real high, tc_real *shift,
                          tc_real p[3])
{
    tc_real low = t->least, at_low = cone_excess(t, ratio, low, p),
            at_high = cone_excess(t, ratio, high, p);
    int side = 0;
    if (!(at_low < TC_C(0.0)) || !(at_high > TC_C(0.0))) {
        *shift = at_low < TC_C(0.0) ? high : low;
        (void)cone_excess(t, ratio, *shift, p);
        return;
    }
    for (uint32_t k = 0; k < STEPS_POINT3; k++) {
        const tc_real line = (low * at_high - high * at_low) / (at_high - at_low);
        const tc_real c = k == 0u && *shift > low && *shift < high ? *shift : line;
        const tc_real at = cone_excess(t, ratio, c, p);
        *shift = c;
        if (at * at <= FOUND * FOUND || !(c > low && c < high)) {
            return;
        }
        const int above = at > TC_C(0.0);
        *(above ? &high : &low) = c;
        *(above ? &at_high : &at_low) = at;
        if (side == (above ? 1 : -1)) {
            *(above ? &at_low : &at_high) *= TC_C(0.5);
        }
        side = above ? 1 : -1;
    }
    *shift = high;
    (void)cone_excess(t, ratio, high, p);
}

/* Friction against the slip that remains; p along the eigenvectors. */
static void slide_point3(const tangential *t, tc_real ratio, tc_real *shift, tc_real p[3])
{
    const tc_real slope = TC_MLA(TC_C(1.0), ratio, length_point3(t->g1, t->g2));
    const tc_real high = length_point3(t->s1, t->s2) * slope / (ratio * t->normal) + t->least;
    if (high <= SHIFT_MOST) {
        search_point3(t, ratio, high, shift, p);
    }
    if (!(high <= SHIFT_MOST && p[2] >= TC_C(0.0))) {
        frictionless_impulse(t, p);
    }
}

int tci_limb3_slide(const tc_real W[6], const tc_real u[3], tc_real ratio, tc_real *shift,
                    tc_real p[3])
{
    tangential t;
    eliminate_point3(W, u, &t);
    stick_impulse(&t, p);
    const tc_real most = ratio * p[2];
    const int sticks = p[2] >= TC_C(0.0) && TC_MLA(p[0] * p[0], p[1], p[1]) <= most * most;
    if (!sticks) {
        slide_point3(&t, ratio, shift, p);
    }
    turn_back(&t, p);
    return sticks;
}

/* ---- Corners --------------------------------------------------------------------------------- */

/* Contact i's velocity now, offset included */
static void contact_now(const learned3_solve *solve, uint32_t i, tc_real u[3])
{
    const tc_learned3_problem *const problem = solve->problem;
    learned3_contact(solve->v, problem->patch->arm[i], -problem->height, u);
    u[2] += problem->offset[i];
}

/* Size of the ratio the model gave last for corner i */
static tc_real ratio_size(const learned3_solve *solve, uint32_t i)
{
    const tc_real *const ratio =
        (solve->rated >> i & 1u) != 0u ? solve->corner[i].ratio : solve->latest;
    return tc_sqrt(TC_MLA(ratio[0] * ratio[0], ratio[1], ratio[1]));
}

/* What the model is asked about corner i, which moves with u[3] now, offset included */
static void query_implicit(const learned3_solve *solve, uint32_t i, const tc_real u[3],
                           tc_learned3_query *query)
{
    const learned3_corner *const c = &solve->corner[i];
    tc_real own[3];
    learned3_apply(c->W, c->p, own);
    query->W = c->W;
    query->u[0] = u[0] - own[0];
    query->u[1] = u[1] - own[1];
    query->u[2] = u[2] - own[2];
    tc_learned3_query_stop(query, c->inverse);
    learned3_query_about(solve, i, query);
}

static tc_status ask_corner_implicit(learned3_solve *solve, uint32_t i, const tc_real u[3])
{
    tc_learned3_query query;
    query_implicit(solve, i, u, &query);
    if (query.u[2] >= TC_C(0.0)) {
        return TC_OK;
    }
    const tc_status status = tc_learned3_observe(solve, &query);
    return status < TC_OK ? status : tc_learned3_ask_ratio(solve, &query, i);
}

static tc_status visit_implicit(learned3_solve *solve, uint32_t i, int asks, tc_real *change)
{
    limb3_whitened *const limb = solve->mover;
    limb3_corner *const corner = &limb->corner[i];
    learned3_corner *const c = &solve->corner[i];
    tc_real u[3], own[3], p[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    contact_now(solve, i, u);
    learned3_apply(corner->W, c->p, own);
    const tc_real without[3] = {u[0] - own[0], u[1] - own[1], u[2] - own[2]};
    solve->stuck |= 1u << i;
    if (without[2] < TC_C(0.0)) {
        const tc_status status = asks ? ask_corner_implicit(solve, i, u) : TC_OK;
        if (status < TC_OK) {
            return status;
        }
        if (!tci_limb3_slide(corner->W, without, ratio_size(solve, i), &corner->shift, p)) {
            solve->stuck &= ~(1u << i);
        }
    }
    const tc_real d[3] = {p[0] - c->p[0], p[1] - c->p[1], p[2] - c->p[2]};
    memcpy(c->p, p, sizeof p);
    tci_limb3_apply(limb, i, d);
    *change += TC_MLA(TC_MLA(d[0] * d[0], d[1], d[1]), d[2], d[2]);
    return TC_OK;
}

static tc_status sweep_implicit(learned3_solve *solve, int asks, int *settled)
{
    return learned3_sweep(solve, visit_implicit, LEARNED3_SETTLED, asks, settled);
}

/* ---- A point --------------------------------------------------------------------------------- */

/* A point on its way: what a branch gives, and the best branch so far */
typedef struct point_search {
    tc_real u[3]; /* without the impulse */
    tc_real stop[3];
    tc_real best_p[3], best;
    tc_learned_class branch, best_branch;
    uint32_t flags, best_flags;
} point_search;

/* The impulse[3] for a branch of the limb, with this ratio */
static void respond_point3(const limb3_whitened *limb, point_search *s, tc_real ratio, tc_real p[3])
{
    p[0] = p[1] = p[2] = TC_C(0.0);
    if (s->branch == TC_LEARNED_STATIC) {
        memcpy(p, s->stop, sizeof s->stop);
    } else if (s->branch == TC_LEARNED_DYNAMIC && s->u[2] < TC_C(0.0)) {
        limb3_corner *const corner = limb->corner;
        const tc_real most = ratio * (TC_C(1.0) - CLAMP_TOLD_POINT3) * s->stop[2];
        const int sticks = tci_limb3_slide(corner->W, s->u, ratio, &corner->shift, p);
        const tc_real needed = TC_MLA(p[0] * p[0], p[1], p[1]);
        s->flags |= sticks && most * most > needed ? (uint32_t)TC_LEARNED_CLAMPED : 0u;
    }
}

/* The branch for what the law says at the impulse of the corner; ratio: asked for if it slides. */
static tc_status ask_point3(learned3_solve *solve, point_search *s)
{
    tc_learned3_query query, limb_view;
    tc_real u[3];
    contact_now(solve, 0, u);
    query_implicit(solve, 0, u, &query);
    tc_status status = tc_learned3_ask_class(solve, &query);
    if (status < TC_OK) {
        return status;
    }
    limb_view.u[2] = s->u[2];
    limb_view.stop[2] = s->stop[2];
    s->flags = 0;
    s->branch = tc_learned3_legal(&limb_view, solve->result->said, &s->flags);
    if (s->branch == TC_LEARNED_DYNAMIC) {
        status = tc_learned3_ask_ratio(solve, &query, 0);
    }
    return status;
}

static tc_real square_of(const tc_real x[3])
{
    return TC_MLA(TC_MLA(x[0] * x[0], x[1], x[1]), x[2], x[2]);
}

/* Gives the corner impulse p. Returns the square of the change. */
static tc_real give_impulse(learned3_solve *solve, const tc_real p[3])
{
    learned3_corner *const c = solve->corner;
    const tc_real d[3] = {p[0] - c->p[0], p[1] - c->p[1], p[2] - c->p[2]};
    tci_limb3_apply(solve->mover, 0, d);
    memcpy(c->p, p, sizeof c->p);
    return square_of(d);
}

static void keep_best(const learned3_solve *solve, point_search *s, tc_learned_class solved,
                      uint32_t flags)
{
    const tc_real probability = solve->result->probability[solved];
    if (s->best < probability) {
        s->best = probability;
        s->best_branch = solved;
        s->best_flags = flags;
        memcpy(s->best_p, solve->corner->p, sizeof s->best_p);
    }
}

/* The branch of the last tick, if it was this vertex that touched; else an evaluation without
 * contact */
static void begin_point3(learned3_solve *solve, point_search *s, int *solved)
{
    limb3_whitened *const limb = solve->mover;
    const tc_learned3_warm *const warm = limb->warm;
    tc_real p[3];
    *solved = warm != NULL && warm->count == 1u
              && warm->vertex[0] == solve->problem->patch->vertex[0]
              && warm->impulse[0][2] > TC_C(0.0) && s->u[2] < TC_C(0.0);
    if (!*solved) {
        return;
    }
    const tc_real *const last = warm->impulse[0];
    const tc_real ratio = tc_sqrt(TC_MLA(last[0] * last[0], last[1], last[1])) / last[2];
    s->branch = warm->stopped && s->stop[2] >= TC_C(0.0) ? TC_LEARNED_STATIC : TC_LEARNED_DYNAMIC;
    respond_point3(limb, s, ratio < TC_C(1e3) ? ratio : TC_C(1e3), p);
    (void)give_impulse(solve, p);
    limb->solves = 1;
}

/* Line 4 to 6 of Algorithm 2, by branches. */
static tc_status iterate_point(learned3_solve *solve, point_search *s)
{
    limb3_whitened *const limb = solve->mover;
    int solved;
    begin_point3(solve, s, &solved);
    for (uint32_t asked = 0; asked < TC_LIMB3_ASKED; asked++) {
        const tc_learned_class was = s->branch;
        const uint32_t flags = s->flags;
        tc_real p[3];
        const tc_status status = ask_point3(solve, s);
        if (status < TC_OK) {
            return status;
        }
        if (solved) {
            keep_best(solve, s, was, flags);
        }
        respond_point3(limb, s, ratio_size(solve, 0), p);
        limb->consistent = give_impulse(solve, p) <= SAME * SAME * square_of(p);
        if (limb->consistent) {
            return TC_OK;
        }
        limb->solves++;
        solved = 1;
    }
    (void)give_impulse(solve, s->best_p);
    s->branch = s->best_branch;
    s->flags = s->best_flags;
    return TC_OK;
}

static tc_status point_implicit(learned3_solve *solve)
{
    limb3_whitened *const limb = solve->mover;
    tc_learned3_result *const result = solve->result;
    point_search s;
    memset(&s, 0, sizeof s);
    s.best = TC_C(-1.0);
    contact_now(solve, 0, s.u);
    tci_limb3_stop(limb->corner->W, s.u, s.stop);
    const tc_status status = iterate_point(solve, &s);
    if (status < TC_OK) {
        return status;
    }
    const tc_real *const p = solve->corner->p, *const arm = solve->problem->patch->arm[0];
    const tc_real friction[3] = {p[0], p[1], TC_MLS(arm[0] * p[1], arm[1], p[0])};
    result->branch = s.branch;
    result->flags |= s.flags;
    result->corner[0] = (uint8_t)s.branch;
    result->normal[0] = solve->z[0] = p[2];
    tci_limb3_push(limb, friction, solve->q);
    tci_limb3_lift(limb, solve->z);
    tc_learned3_tell_impulse(solve, friction);
    return TC_OK;
}

const learned3_rule tci_limb3_implicit = {point_implicit, sweep_implicit};
