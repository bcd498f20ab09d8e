/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Algorithm 2 as published: Powell's hybrid method on G(f_j), Eq. 3 to 7.
 *
 * Unknown is lambda = h f_j / m, the joint impulse per unit mass of the last link [m/s]; the factor
 * changes neither the iterates nor their number. With the upstream's rates under its own forces
 * alone, qd_a = qd-hat + h M-hat^-1 tau-hat,
 *
 *     v      = v_1 + M^-1 J^T lambda + M^-1 R^T H(lambda)           (Eq. 3)
 *     qd-hat = qd_a - m M-hat^-1 J-hat^T lambda                     (Eq. 5)
 *     G      = J v - J-hat qd-hat                                   (Eq. 6)
 *     start  lambda = (m J-hat M-hat^-1 J-hat^T)^-1 J-hat qd_a       (Eq. 7: J-hat qd-hat = 0)
 *     or     lambda = -A^-1 c, from three evaluations of G's linear part
 *
 * Where Eq. 7 is singular (upstream links in one line; no upstream at all) its basic solution is
 * taken, or the other start if that is out of all proportion.
 */
#include "tc_exact.h"
#include "tc_limb2_internal.h"

#include "tc_mat.h"
#include "tc_math.h"
#include "tc_root.h"

#include <string.h>

/* [m/s] Least step of a difference: G is rounded at about 1e-7 of speeds of 1 m/s, friction of one
 * step of sliding is 1e-2 m/s. */
#define DIFFERENCE_LEAST TC_C(2e-4)

/* [m/s] What Eq. 7 gives beyond this is division by rounding; the law would refuse it as out of
 * range. */
#define START_MOST TC_C(1e3)

/* upstream: [n] qd_a, then [n x 2] m M-hat^-1 J-hat^T */
tc_status tci_limb2_powell_prepare(tci_limb2_system *s)
{
    const tc_limb2_mechanism *limb = s->limb;
    const uint32_t n = s->n;
    /* [n x 3]: force, and the columns of J-hat^T; D and Y are filled later */
    tc_real *right = s->D;
    if (n == 0u) {
        return TC_OK;
    }
    tc_status status = tc_mat_cholesky(limb->mass, s->L, n);
    for (uint32_t k = 0; k < n; ++k) {
        right[3u * k] = s->foot->step * limb->force[k];
        right[3u * k + 1u] = s->foot->body.mass * limb->jacobian[k];
        right[3u * k + 2u] = s->foot->body.mass * limb->jacobian[n + k];
    }
    if (status >= TC_OK) {
        status = tc_mat_cholesky_solve(s->L, right, s->Y, n, 3);
    }
    for (uint32_t k = 0; k < n && status >= TC_OK; ++k) {
        s->upstream[k] = limb->rate[k] + s->Y[3u * k];
        s->upstream[n + 2u * k] = s->Y[3u * k + 1u];
        s->upstream[n + 2u * k + 1u] = s->Y[3u * k + 2u];
    }
    return status;
}

typedef struct published {
    tci_limb2_system *system;
    tci_limb2_answer answer;
    uint32_t evaluations;
    tc_status noted; /* TC_OK or the last negative status of the law */
} published;

/* v += M^-1 J^T lambda */
static void push_joint(const tci_limb2_system *s, const tc_real *lambda, tc_real v[3])
{
    const tc_real *at = s->limb->at;
    if (s->limb->joint == TC_CHAIN_REVOLUTE) {
        v[0] += lambda[0];
        v[1] += lambda[1];
        v[2] += (at[0] * lambda[1] - at[1] * lambda[0]) / s->gyration2;
    } else {
        v[0] -= at[1] * lambda[1];
        v[1] += at[0] * lambda[1];
        v[2] += lambda[0] / s->gyration2;
    }
}

static tc_real upstream_rate(const tci_limb2_system *s, const tc_real *lambda, uint32_t k)
{
    const tc_real *response = s->upstream + s->n + 2u * k;
    return s->upstream[k] - response[0] * lambda[0] - response[1] * lambda[1];
}

/* J v - J-hat qd-hat */
static void gap_at_joint(const tci_limb2_system *s, const tc_real *lambda, const tc_real v[3],
                         tc_real *G)
{
    tci_limb2_joint_rows(s->limb, v, G);
    for (uint32_t k = 0; k < s->n; ++k) {
        const tc_real rate = upstream_rate(s, lambda, k);
        G[0] -= s->limb->jacobian[k] * rate;
        G[1] -= s->limb->jacobian[s->n + k] * rate;
    }
}

/* G; with contact if `answer` is given */
static tc_status evaluate_powell(published *p, const tc_real *lambda, int contact, tc_real v[3],
                                 tc_real *G)
{
    const tci_limb2_system *s = p->system;
    memcpy(v, s->applied, sizeof s->applied);
    push_joint(s, lambda, v);
    if (contact) {
        const tc_status status = tci_limb2_ask(s, v, &p->answer);
        if (status < TC_OK) {
            return status;
        }
        tci_limb2_push(s, p->answer.result.impulse, v);
    }
    gap_at_joint(s, lambda, v, G);
    return TC_OK;
}

/* tc_calls: tc_root_solve lib/step/tc_limb2_powell.c:joint_residual */
static tc_status joint_residual(void *context, const tc_real *lambda, tc_real *G)
{
    published *p = context;
    tc_real v[3];
    ++p->evaluations;
    const tc_status status = evaluate_powell(p, lambda, 1, v, G);
    p->noted = status < TC_OK ? status : p->noted;
    return status;
}

/* lambda such that the linear map lambda -> G (without contact) is 0, or with `at_rest` the
 * upstream's part alone */
static void start_powell(published *p, int at_rest, tc_real *lambda)
{
    const tci_limb2_system *s = p->system;
    const tc_real zero[2] = {TC_C(0.0), TC_C(0.0)};
    tc_real still[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    tc_real A[4];
    tc_real c[2];
    tc_real scratch[3];
    gap_at_joint(s, zero, still, c);
    if (!at_rest) {
        (void)evaluate_powell(p, zero, 0, scratch, c);
    }
    for (uint32_t j = 0; j < 2u; ++j) {
        const tc_real unit[2] = {j == 0u ? TC_C(1.0) : TC_C(0.0), j == 1u ? TC_C(1.0) : TC_C(0.0)};
        tc_real G[2];
        gap_at_joint(s, unit, still, G);
        if (!at_rest) {
            (void)evaluate_powell(p, unit, 0, scratch, G);
        }
        A[j] = G[0] - c[0];
        A[2u + j] = G[1] - c[1];
    }
    c[0] = -c[0];
    c[1] = -c[1];
    A[1] = A[2] = TC_C(0.5) * (A[1] + A[2]);
    if (tc_mat_psd_solve(A, c, lambda, 2, NULL, s->root_work, TC_MAT_PSD_WORK(2u)) < 0) {
        lambda[0] = lambda[1] = TC_C(0.0);
    }
}

tc_status tci_limb2_powell(tci_limb2_system *s, tci_limb2_solution *solution, tc_real *rates_after,
                           tc_real velocity_after[3])
{
    published p = {.system = s};
    tc_root_config config = tc_root_default();
    tc_root_info info;
    tc_real lambda[2];
    tc_real G[2];
    config.tolerance = tci_limb2_tolerance(s);
    config.max_evaluations = s->config->max_evaluations;
    start_powell(&p, s->config->start == TC_LIMB2_AT_REST, lambda);
    if (!(lambda[0] * lambda[0] + lambda[1] * lambda[1] <= START_MOST * START_MOST)) {
        start_powell(&p, 0, lambda);
    }
    config.smallest = DIFFERENCE_LEAST;
    tc_status status = tc_root_solve(&config, 2, joint_residual, &p, lambda, G, &info, s->root_work,
                                     TC_ROOT_WORK(2u));
    if (status < TC_OK) {
        return p.noted < 0 ? p.noted : TC_ERR_NOT_CERTIFIED;
    }
    solution->solves = 0;
    solution->consistent = status == TC_OK;
    /* line 6 of Algorithm 2: H once more at the solution */
    solution->evaluations = p.evaluations + 1u;
    status = evaluate_powell(&p, lambda, 1, velocity_after, G);
    if (status < TC_OK) {
        return status;
    }
    solution->residual = tc_sqrt(G[0] * G[0] + G[1] * G[1]);
    memcpy(solution->impulse, p.answer.result.impulse, sizeof solution->impulse);
    solution->decision = p.answer.result.decision;
    for (uint32_t k = 0; k < s->n; ++k) {
        rates_after[k] = upstream_rate(s, lambda, k);
    }
    return tc_all_finite(velocity_after, 3) && tc_all_finite(rates_after, s->n) ? TC_OK
                                                                                : TC_ERR_RANGE;
}
