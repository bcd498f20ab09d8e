/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Any cone problem, by three tiers under one certificate.
 *
 * 1. A few sweeps of projected Gauss-Seidel, then Newton steps for a pattern of kinds: the kinds
 *    that f - pull u / a has are kept, and the equations that they make are solved. A slipping
 *    contact's direction tau turns; with the drag -tau^T u_t > 0 its curvature is drag / |f_t|.
 *    The free directions are soft by `soften` a, which makes the matrix regular:
 *
 *        min_z |w + G^T T z|^2 / 2 + z^T (C + soften a) z / 2
 *
 *    is solved in w, d x d (tc_cone_passes_internal.h). f moves towards the result as far as the
 *    energy falls. A pull of 1 and 10 alternate: the larger one finds contacts that are to open.
 * 2. Where patterns cycle or crawl, the proximal-point method around f_k,
 *
 *        min_f |w0 + G^T f|^2 / 2 + sum_i c_i |f_i|^2 / 2 + theta a_i |f_i - f_k,i|^2 / 2
 *
 *    by semismooth Newton in w: with f_i(w) = P_i((theta a_i f_k,i - G_i w) / (theta a_i + c_i)) the
 *    equation w = w0 + G^T f(w) is the gradient of a strongly convex function, so a search along
 *    Newton's step converges from anywhere. theta takes three values in turn: small ones move far,
 *    large ones are accurate. Patterns follow each proximal step, and end it.
 * 3. What remains at the bound is the iterate of least residual.
 *
 * Bounds: SWEEPS_COLD + 3 sweeps per step; at most 3 PATTERN_STEPS + SYSTEMS_MAX + PROXIMAL_NEWTONS
 * + 3 PATTERNS_BETWEEN linear systems, SEARCHES gradients per Newton step of the second tier.
 */
#include "tc_exact.h"
#include "tc_cone_internal.h"

#include <string.h>

/* Part of the tolerance that the tiers aim at: u is rounded, too */
#define CONE_AIM (TC_C(0.9375) * TC_CONE_TOLERANCE)

/* Square of the error of w that is told, relative to the velocities that come in */
#define DOUBTFUL_SQUARE TC_C(0.00048828125) /* 2^-11 */

#define SWEEPS_COLD 8u
#define SWEEPS_WARM 1u
#define SWEEPS_CUT 3u       /* after a step that did not go the whole way */
#define PATTERN_STEPS 10u   /* of the first tier */
#define PATTERNS_BETWEEN 4u /* after a proximal step */
#define SLOW_PART TC_C(0.2) /* of a step: a shorter one is slow */
#define SLOW_STEPS 2u       /* more of them leave the problem to the proximal method */
#define PROXIMAL_NEWTONS 20u
#define SEARCHES 8u /* points tried along a Newton step */

/* Softness of the directions of a pattern, relative to a: the first, its factor after each whole
 * step, the last */
#ifdef TC_DOUBLE
#define SOFT_FIRST 1e-4
#define SOFT_FACTOR 0.01
#define SOFT_LAST 1e-10
#define THETAS {1e-4, 1e-6, 1e-2}
#define SYSTEMS_MAX 300u /* linear systems after which the proximal method begins no other step */
#define GRADIENT_DONE 1e-11 /* of |w0| */
#else
#define SOFT_FIRST TC_C(1e-3)
#define SOFT_FACTOR TC_C(0.1)
#define SOFT_LAST TC_C(1e-6)
#define THETAS {TC_C(1e-3), TC_C(1e-4), TC_C(1e-2)}
#define SYSTEMS_MAX 120u
#define GRADIENT_DONE TC_C(1e-5)
#endif

/* w, u and the violation of f */
void tci_cone_evaluate(tci_cone_state *s)
{
    tci_cone_gather(s, s->f, s->w0, s->w);
    tci_cone_judge(s);
}

/* Whether the iterate is an answer. f - u / a is rounded by a part of the load. The scale, which is
 * at least `approach`, is computed only where it decides. */
int tci_cone_certified(tci_cone_state *s)
{
    const tc_real violation = TC_MLA(s->violation, TC_C(3.0) * TC_EPSILON, s->load);
    if (violation <= CONE_AIM * s->approach) return 1;
    if (violation > TC_C(2.0) * CONE_AIM * s->scale && s->load < TC_C(2.0) * s->measured) return 0;
    tci_cone_measure(s);
    return violation <= CONE_AIM * s->scale;
}

static void remember_best(tci_cone_state *s)
{
    if (s->violation < s->least) {
        s->least = s->violation;
        memcpy(s->best, s->f, s->n * s->rows * sizeof s->f[0]);
    }
}

static CONE_COLD void take_best(tci_cone_state *s)
{
    memcpy(s->f, s->best, s->n * s->rows * sizeof s->f[0]);
    tci_cone_evaluate(s);
}

/* f moves towards trial as far as the energy falls. Returns 1 for the whole way. */
static int take_segment(tci_cone_state *s)
{
    const uint32_t rows = s->n * s->rows;
    tc_real slope = TC_C(0.0), curve = TC_C(0.0), size = TC_C(0.0);
    tci_cone_gather(s, s->trial, s->w0, s->next);
    for (uint32_t k = 0; k < s->d; ++k) {
        const tc_real step = s->next[k] - s->w[k];
        slope = TC_MLS(slope, step, s->w[k]);
        curve = TC_MLA(curve, step, step);
        size = TC_MLA(size, s->w[k], s->w[k]);
    }
    for (uint32_t r = 0; r < rows; ++r) {
        const tc_real step = s->trial[r] - s->f[r], soft = s->contact[r / s->rows].soft * step;
        slope = TC_MLS(slope, soft, s->f[r]);
        curve = TC_MLA(curve, soft, step);
    }
    if (slope >= TC_C(0.9) * curve || curve <= TC_C(64.0) * TC_EPSILON * TC_EPSILON * size) {
        memcpy(s->f, s->trial, rows * sizeof s->f[0]);
        memcpy(s->w, s->next, s->d * sizeof s->w[0]);
        return 1;
    }
    const tc_real part = slope > TC_C(0.0) ? slope / curve : TC_C(0.0);
    s->ratio = part;
    for (uint32_t r = 0; r < rows; ++r) {
        s->f[r] = TC_MLA(s->f[r], part, s->trial[r] - s->f[r]);
    }
    tci_cone_gather(s, s->f, s->w0, s->w);
    return 0;
}

static int step_patterns(tci_cone_state *s, uint32_t most)
{
    tc_real soften = SOFT_FIRST;
    uint32_t slow = 0;
    for (uint32_t k = 0; k < most; ++k) {
        tci_cone_pattern(s, k % 2u != 0 ? TC_C(10.0) : TC_C(1.0), soften);
        if (!take_segment(s)) {
            if (s->ratio < SLOW_PART && ++slow > SLOW_STEPS) return 0;
            tci_cone_sweep(s, SWEEPS_CUT);
            tci_cone_evaluate(s);
        } else {
            soften = tc_vec_max(soften * SOFT_FACTOR, SOFT_LAST);
            tci_cone_judge(s);
        }
        remember_best(s);
        if (tci_cone_certified(s)) return 1;
    }
    return 0;
}

/* next = gradient of the proximal dual at w; returns its part along dw */
static CONE_COLD tc_real find_gradient(tci_cone_state *s, const tc_real *w, tc_real theta)
{
    tc_real along = TC_C(0.0);
    tci_cone_respond(s, w, theta);
    tci_cone_gather(s, s->trial, s->w0, s->next);
    for (uint32_t k = 0; k < s->d; ++k) {
        s->next[k] -= w[k];
        along = TC_MLA(along, s->next[k], s->dw[k]);
    }
    return along;
}

/* The part of [low, high] to try next, for slopes of that sign at both ends */
static CONE_COLD tc_real share_interval(tc_real at_low, tc_real at_high)
{
    const tc_real share = at_high < TC_C(0.0) ? at_low / (at_low - at_high) : TC_C(0.5);
    const tc_real most = tc_vec_max(share, TC_C(0.1));
    return most > TC_C(0.9) ? TC_C(0.9) : most;
}

/* w moves along dw until the slope has fallen; next is the descent's direction there. */
static CONE_COLD void search_line(tci_cone_state *s, tc_real theta)
{
    tc_real *const w = s->row; /* w tried */
    tc_real low = TC_C(0.0), high = TC_C(1.0), t = TC_C(1.0), start = TC_C(0.0);
    for (uint32_t k = 0; k < s->d; ++k) start = TC_MLA(start, s->next[k], s->dw[k]);
    tc_real at_low = start;
    for (uint32_t tries = 0; tries < SEARCHES; ++tries) {
        for (uint32_t k = 0; k < s->d; ++k) w[k] = TC_MLA(s->w[k], t, s->dw[k]);
        const tc_real slope = find_gradient(s, w, theta);
        if (slope > TC_C(0.0) && t >= TC_C(1.0)) break;
        if (slope >= TC_C(-0.3) * start && slope <= TC_C(0.9) * start) break;
        if (slope > TC_C(0.0)) {
            low = t;
            at_low = slope;
        } else {
            high = t;
        }
        t = TC_MLA(low, share_interval(at_low, slope), high - low);
    }
    for (uint32_t k = 0; k < s->d; ++k) s->w[k] = w[k];
}

static CONE_COLD int step_proximal(tci_cone_state *s)
{
    static const tc_real thetas[] = THETAS;
    const uint32_t last = s->iterations + SYSTEMS_MAX;
    for (uint32_t outer = 0; s->iterations < last; ++outer) {
        const tc_real theta = thetas[outer % 3u];
        memcpy(s->centre, s->f, s->n * s->rows * sizeof s->f[0]);
        for (uint32_t k = 0; k < s->d; ++k) s->dw[k] = TC_C(0.0);
        (void)find_gradient(s, s->w, theta);
        for (uint32_t k = 0; k < PROXIMAL_NEWTONS; ++k) {
            tc_real size = TC_C(0.0), rest = TC_C(0.0);
            tci_cone_newton(s);
            search_line(s, theta);
            for (uint32_t j = 0; j < s->d; ++j) {
                rest = TC_MLA(rest, s->next[j], s->next[j]);
                size = TC_MLA(size, s->w0[j], s->w0[j]);
            }
            const tc_real noise = GRADIENT_DONE + TC_C(4.0) * TC_EPSILON / theta;
            if (rest <= noise * noise * size) break;
        }
        memcpy(s->f, s->trial, s->n * s->rows * sizeof s->f[0]);
        tci_cone_evaluate(s);
        remember_best(s);
        if (tci_cone_certified(s) || step_patterns(s, PATTERNS_BETWEEN)) return 1;
    }
    return 0;
}

/* f = the expected impulses, made feasible, or the floors */
static void start_impulses(tci_cone_state *s, const tc_real *warm)
{
    for (uint32_t i = 0; i < s->n; ++i) {
        tc_real *const f = s->f + i * s->rows, length;
        for (uint32_t r = 0; r < s->rows; ++r) {
            f[r] = warm != NULL ? warm[i * s->rows + r] : TC_C(0.0);
        }
        (void)tci_cone_nearest(s->contact + i, f, &length, s->rows);
    }
    tci_cone_gather(s, s->f, s->w0, s->w);
}

/* |w - w*|^2 <= u^T (f - f*), so an answer may be as far off as the root of its violation times the
 * impulses. Where these are not unique they may be moved far along directions of little energy. */
static void doubt_velocity(tci_cone_state *s)
{
    const tc_real square = s->violation * s->load, approach = s->approach;
    if (square > DOUBTFUL_SQUARE * approach * approach) s->doubt = tc_sqrt(square) / approach;
}

tc_status tci_cone_general(tci_cone_state *s, const tc_real *warm)
{
    s->doubt = TC_C(0.0);
    start_impulses(s, warm);
    tci_cone_sweep(s, warm != NULL ? SWEEPS_WARM : SWEEPS_COLD);
    tci_cone_evaluate(s);
    s->scale = TC_C(4.0) * (s->approach + s->load); /* about */
    s->measured = s->load;
    s->least = s->violation;
    memcpy(s->best, s->f, s->n * s->rows * sizeof s->f[0]);
    int done = tci_cone_certified(s) || step_patterns(s, PATTERN_STEPS);
    if (!done) {
        take_best(s);
        done = step_proximal(s);
    }
    if (!done) take_best(s);
    if (s->n * s->rows > s->d) doubt_velocity(s);
    return done ? TC_OK : TC_NOTE_LIMIT;
}
