/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contact space: the impulse of each branch of Algorithm 1 for a patch of one or two contacts.
 *
 * u = (u_t, u_1, u_2) is the velocity of the patch, W its inverse mass: u+ = u + W p, p = (p_f,
 * p_1, p_2).
 *
 * Frictionless. Normals n >= 0 with w = u_n + W_tn p_f + W_nn n >= 0, n w = 0: an LCP of size 1 or
 * 2, solved by trying active sets in the order none, 1, 2, both. With two contacts the answer for
 * `both` is by elimination and not by determinants: then w_1 = 0 to rounding, and w_2 too though
 * the determinant cancels.
 *
 * Arrest. With the sliding ended, u_t + W_tt p_f + W_tn n = 0 gives p_f, and what is left for the
 * normals is an LCP in the Schur complement S = W_nn - W_tn W_tn^T / W_tt, r = u_n - W_tn u_t /
 * W_tt, symmetric and positive (semi-)definite too: of a free body S_ij = 1 + x_i x_j / (k^2 +
 * y^2), a body of a larger inertia. `stop` is the same with equations in place of inequalities,
 * `corner` with one of the two. If S is regular and neither normal of `stop` pulls, it solves the
 * LCP and so is the arrest. A limb of two freedoms or one has a singular S: three equations that
 * with gaps have no solution, of which `stop` leaves out the last. The LCP has one wherever some
 * velocity is allowed, and rest is. So a static patch gets the arrest.
 *
 * Slide. Friction is s times the sum N of the normals that go with it: p_f = s N(p_f), N from the
 * frictionless LCP and so piecewise linear. One ratio may fit several frictions (a tall body slides
 * on both corners, or tips and wedges one); the step takes the one that is reached first on the way
 * from 0 to f*. With n* the sum of the arrest's normals: if |s| n* >= |f*|, s can end the sliding,
 * and p_f = f*. If not, g = |s| N(p_f) - |p_f| is negative at f*, and positive at 0 as long as a
 * corner approaches. Of a free body N is constant while both corners carry, so g falls there
 * (slope -1); with one corner its slope is -(W_ii + s W_ti) / W_ii, and a piece that rises cannot
 * lead from + to -. So exactly one root lies between, in a piece with a positive pivot: a candidate
 * each for corner 1 alone and corner 2 alone, u + (W_nn + s W_tn 1^T) n = 0; it is both if it is
 * neither.
 *
 * One elimination serves all three, symmetric or not; tc_lcp_solve, for more contacts and with a
 * certificate, does not take the second kind at this price.
 *
 * What holds whatever s is. Let a be the arrest, p_f clamped between 0 and f* = a_f, n the
 * frictionless LCP's answer for p_f, v+ the body's velocity afterwards, <,> the inner product of
 * its mass matrix, K the velocities that the contacts allow (u_n >= 0, or >= -gap / h). Then v+ is
 * the projection of v + M^-1 J_t^T p_f onto K (Moreau), and the slip u_t+(p_f) is the derivative of
 * a convex function of p_f: it does not decrease, and is 0 at f*. So p_f u_t+ <= 0: friction never
 * reverses the sliding and never feeds it. Energy: K contains v = 0 as long as no gap is negative,
 * so <v + M^-1 J_t^T p_f - v+, 0 - v+> <= 0, that is |v+|^2 <= <v, v+> + p_f u_t+ <= <v, v+>
 * <= |v| |v+|. So |v+| <= |v| for any p_f in [0, f*], of a static patch too.
 *
 * Cost on Cortex-M4F, one contact / two: stops 60 / 250, normals 27 / 100, slide 120 / 300
 * instructions.
 */
#include "tc_exact.h"
#include "tc_learned2.h"
#include "tc_learned_core.h"
#include "tc_vec.h"

#define RATIO_MOST_SPACE TC_C(1e3) /* a larger |p_f / p_n| says the same: no sliding */

/* that near to f*, rounding may have moved the root beyond it */
#define NEARLY (TC_C(64.0) * TC_EPSILON)

/* A friction that is cut by less than this part of it is not told as clamped: the law meant to end
 * the sliding. */
#define CLAMP_TOLD_SPACE TC_C(1e-3)

/* A pivot that elimination has brought down to this fraction of where it started is rounding
 * noise. */
#define NOISE_SPACE (TC_C(8.0) * TC_EPSILON)

/* 2 x 2, not necessarily symmetric. */
typedef struct tc_pair {
    tc_real m11, m12, m21, m22;
    tc_real u1, u2;
} tc_pair;

/* 1 / pivot; 0 where the pivot is noise beside `start`: then that contact (or the slip) is
 * dependent on the others, needs no impulse of its own, and gets none. */
static inline tc_real pivot_inverse(tc_real pivot, tc_real start)
{
    return pivot > NOISE_SPACE * start ? TC_C(1.0) / pivot : TC_C(0.0);
}

/* n with both rows of u + M n zero; n_2 = 0 if the rows are dependent or M is not positive. */
LEARNED_INLINE void pair_both(const tc_pair *p, tc_real *n)
{
    const tc_real r1 = pivot_inverse(p->m11, p->m11), l = p->m21 * r1;
    const tc_real r2 = pivot_inverse(p->m22 - l * p->m12, p->m22);
    n[1] = (l * p->u1 - p->u2) * r2;
    n[0] = -(p->u1 + p->m12 * n[1]) * r1;
}

/* n >= 0, w = u + M n >= 0, complementary, M symmetric and positive definite: then `both` is left
 * when the others fail, and negative only by rounding. */
static void pair_normals(const tc_pair *p, tc_real *n)
{
    n[0] = n[1] = TC_C(0.0);
    if (p->u1 >= TC_C(0.0) && p->u2 >= TC_C(0.0)) {
        return;
    }
    if (p->u1 < TC_C(0.0)) {
        const tc_real one = -p->u1 * pivot_inverse(p->m11, p->m11);
        if (p->u2 + p->m21 * one >= TC_C(0.0)) {
            n[0] = one;
            return;
        }
    }
    if (p->u2 < TC_C(0.0)) {
        const tc_real other = -p->u2 * pivot_inverse(p->m22, p->m22);
        if (p->u1 + p->m12 * other >= TC_C(0.0)) {
            n[1] = other;
            return;
        }
    }
    /* Where the rows are dependent to rounding (the end of a chain) both tries above can fail by
     * rounding, and one normal comes out negative: the other row then serves both. */
    pair_both(p, n);
    if (n[1] < TC_C(0.0)) {
        n[0] = -p->u1 * pivot_inverse(p->m11, p->m11);
    } else if (n[0] < TC_C(0.0)) {
        n[1] = -p->u2 * pivot_inverse(p->m22, p->m22);
    }
    n[0] = tc_vec_not_negative(n[0]);
    n[1] = tc_vec_not_negative(n[1]);
}

/* `left` of `start`, or 0 if that is noise: a contact that cannot move but by slipping */
static inline tc_real significant_part(tc_real left, tc_real start)
{
    return left > NOISE_SPACE * start ? left : TC_C(0.0);
}

/* The Schur complement S and r of a patch of two, see above; `t` is 1 / W_tt. */
static tc_pair schur_pair(const tc_learned2_space *space, tc_real t)
{
    const tc_real c1 = space->W_tn[0] * t, c2 = space->W_tn[1] * t;
    tc_pair p;
    p.m11 = significant_part(space->W_nn[0] - c1 * space->W_tn[0], space->W_nn[0]);
    p.m12 = p.m21 = space->W_nn[1] - c1 * space->W_tn[1];
    p.m22 = significant_part(space->W_nn[2] - c2 * space->W_tn[1], space->W_nn[2]);
    p.u1 = space->approach[0] - c1 * space->slip;
    p.u2 = space->approach[1] - c2 * space->slip;
    return p;
}

static void stops_of_point(const tc_learned2_space *space, tc_real t, tc_learned2_stops *stops)
{
    const tc_real c = space->W_tn[0] * t;
    const tc_real n = -(space->approach[0] - c * space->slip)
                      * pivot_inverse(space->W_nn[0] - c * space->W_tn[0], space->W_nn[0]);
    const tc_real f = -(space->slip + space->W_tn[0] * n) * t;
    stops->stop[0] = stops->corner[0][0] = f;
    stops->stop[1] = stops->corner[0][1] = n;
    stops->arrest[0] = n >= TC_C(0.0) ? f : -space->slip * t;
    stops->arrest[1] = tc_vec_not_negative(n);
    stops->stop[2] = stops->arrest[2] = stops->corner[1][0] = stops->corner[1][1] = TC_C(0.0);
}

/* The friction that ends the slip beside normals n. */
static inline tc_real ending_friction(const tc_learned2_space *space, tc_real t, const tc_real *n)
{
    return -(space->slip + space->W_tn[0] * n[0] + space->W_tn[1] * n[1]) * t;
}

static void stops_of_edge(const tc_learned2_space *space, tc_real t, tc_learned2_stops *stops)
{
    const tc_pair p = schur_pair(space, t);
    const tc_real one = -p.u1 * pivot_inverse(p.m11, space->W_nn[0]);
    const tc_real other = -p.u2 * pivot_inverse(p.m22, space->W_nn[2]);
    pair_both(&p, &stops->stop[1]);
    stops->stop[0] = ending_friction(space, t, &stops->stop[1]);
    stops->corner[0][0] = -(space->slip + space->W_tn[0] * one) * t;
    stops->corner[0][1] = one;
    stops->corner[1][0] = -(space->slip + space->W_tn[1] * other) * t;
    stops->corner[1][1] = other;
    pair_normals(&p, &stops->arrest[1]);
    stops->arrest[0] = ending_friction(space, t, &stops->arrest[1]);
}

void tc_learned2_space_stops(const tc_learned2_space *space, tc_learned2_stops *stops)
{
    /* W_tt against what the normals see: a chain stretched along the floor cannot slip. */
    const tc_real t = pivot_inverse(space->W_tt, space->W_nn[0]);
    if (space->count == 1u) {
        stops_of_point(space, t, stops);
    } else {
        stops_of_edge(space, t, stops);
    }
}

void tc_learned2_space_normals(const tc_learned2_space *space, tc_real friction, tc_real *normals)
{
    const tc_real u1 = space->approach[0] + space->W_tn[0] * friction;
    if (space->count == 1u) {
        normals[0] = tc_vec_not_negative(-u1 * pivot_inverse(space->W_nn[0], space->W_nn[0]));
        normals[1] = TC_C(0.0);
        return;
    }
    const tc_pair p = {space->W_nn[0],
                       space->W_nn[1],
                       space->W_nn[1],
                       space->W_nn[2],
                       u1,
                       space->approach[1] + space->W_tn[1] * friction};
    pair_normals(&p, normals);
}

/* The sum of the normals if the contact with diagonal `m` and velocity `u` carries alone, `other` +
 * `across` times it being the velocity of the other one; negative if it does not, or if that much
 * of them exceeds `most`. */
static tc_real carried_alone(tc_real m, tc_real start, tc_real u, tc_real other, tc_real across,
                             tc_real most)
{
    const tc_real n = -u * pivot_inverse(m, start);
    return n > TC_C(0.0) && n <= most && other + across * n >= TC_C(0.0) ? n : TC_C(-1.0);
}

/* The N of p_f = s N between 0 and f* = s `most`, which exists and is not f*. */
static tc_real sliding_sum(const tc_learned2_space *space, tc_real s, tc_real most)
{
    const tc_real m1 = s * space->W_tn[0], m2 = s * space->W_tn[1];
    const tc_pair p = {space->W_nn[0] + m1, space->W_nn[1] + m1, space->W_nn[1] + m2,
                       space->W_nn[2] + m2, space->approach[0],  space->approach[1]};
    const tc_real one = carried_alone(p.m11, space->W_nn[0], p.u1, p.u2, p.m21, most);
    if (one >= TC_C(0.0) || space->count == 1u) {
        return one >= TC_C(0.0) ? one : most;
    }
    const tc_real other = carried_alone(p.m22, space->W_nn[2], p.u2, p.u1, p.m12, most);
    if (other >= TC_C(0.0)) {
        return other;
    }
    tc_real n[2];
    pair_both(&p, n);
    const tc_real sum = tc_vec_not_negative(n[0] + n[1]);
    return sum < most ? sum : most;
}

/* p_f; adds to `flags` if it is not what the ratio asked for. */
static tc_real sliding_friction(const tc_learned2_space *space, const tc_learned2_stops *stops,
                                tc_real s, uint32_t *flags)
{
    const tc_real sign = stops->arrest[0] < TC_C(0.0) ? TC_C(-1.0) : TC_C(1.0);
    const tc_real limit = sign * stops->arrest[0], asked = sign * s;
    const int leaves = space->approach[0] >= TC_C(0.0) && space->approach[1] >= TC_C(0.0);
    if (leaves || !(asked > TC_C(0.0))) { /* a ratio that is no number comes here too */
        *flags |= !leaves && asked < TC_C(0.0) ? (uint32_t)TC_LEARNED_CLAMPED : 0u;
        return TC_C(0.0);
    }
    const tc_real reached = asked * (stops->arrest[1] + stops->arrest[2]);
    if (reached >= limit - NEARLY * limit) {
        *flags |= reached > limit + CLAMP_TOLD_SPACE * limit ? (uint32_t)TC_LEARNED_CLAMPED : 0u;
        return stops->arrest[0];
    }
    return s * sliding_sum(space, s, limit / asked);
}

uint32_t tc_learned2_space_slide(const tc_learned2_space *space, const tc_learned2_stops *stops,
                                 tc_real ratio, tc_real *impulse)
{
    uint32_t flags = 0;
    const tc_real s = ratio > RATIO_MOST_SPACE    ? RATIO_MOST_SPACE
                      : ratio < -RATIO_MOST_SPACE ? -RATIO_MOST_SPACE
                                                  : ratio;
    impulse[0] = sliding_friction(space, stops, s, &flags);
    tc_learned2_space_normals(space, impulse[0], &impulse[1]);
    return flags;
}

tc_learned_class tc_learned2_legal(const tc_learned2_space *space, const tc_learned2_stops *stops,
                                   tc_learned_class said, uint32_t *flags)
{
    const int leaves = space->approach[0] >= TC_C(0.0) && space->approach[1] >= TC_C(0.0);
    if (said == TC_LEARNED_STATIC && (stops->stop[1] < TC_C(0.0) || stops->stop[2] < TC_C(0.0))) {
        *flags |= (uint32_t)TC_LEARNED_OVERRULED | (uint32_t)TC_LEARNED_PULLED;
        return leaves ? TC_LEARNED_DETACH : TC_LEARNED_DYNAMIC;
    }
    if (said == TC_LEARNED_DETACH && !leaves) {
        *flags |= (uint32_t)TC_LEARNED_OVERRULED;
        return TC_LEARNED_DYNAMIC;
    }
    return said;
}

uint32_t tc_learned2_space_impulse(const tc_learned2_space *space, const tc_learned2_stops *stops,
                                   tc_learned_class branch, tc_real ratio, tc_real *impulse)
{
    if (branch == TC_LEARNED_DYNAMIC) {
        return tc_learned2_space_slide(space, stops, ratio, impulse);
    }
    for (uint32_t i = 0; i < 3u; i++) {
        impulse[i] = branch == TC_LEARNED_STATIC ? stops->arrest[i] : TC_C(0.0);
    }
    return 0;
}
