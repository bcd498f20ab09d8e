/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A limb whitened (tc_limb3_internal.h), solved, and turned back to rates.
 *
 *     M / m = L L^T,   Y = L^-1 J^T F^T (F the patch's frame),   y_0 = h L^-1 force / m
 *     without contact   v = J rate + Y^T y_0
 *     with              rates = rate + L^-T (y_0 + change)
 *
 * Changes are kept apart from what was there: what does not change is not rounded, however
 * ill-conditioned M is.
 *
 * Restitution: step 4 of tc_limb2_branch.c, after the model has answered.
 *
 * Cost: n^3 / 6 + 4 n^2 multiply-accumulates, 33 n a contact, and the sweeps.
 */
#include "tc_exact.h"
#include "tc_limb3_internal.h"

#include "tc_vec.h"
#include "tc_chain_core.h"
#include "tc_foot2.h"
#include "tc_learned_core.h"
#include "tc_lcp.h"
#include "tc_work.h"
#include "tc_mat.h"

#include <string.h>

#define COLUMNS_LIMB3_MECHANISM 6u           /* of Y */
#define GAIN_LIMB3 (TC_C(16.0) * TC_EPSILON) /* of the terms of an energy: rounding */
#define MISSED_LIMB3 TC_C(1e-3)              /* of a rebound: rounding */
#define FRICTION_MOST TC_C(1e3)              /* of what would end a slip */

void tci_limb3_no_contact(tc_limb3_info *info)
{
    if (info != NULL) {
        memset(info, 0, sizeof *info);
        info->contact.contact.branch = info->contact.contact.said = TC_LEARNED_NONE;
        info->consistent = 1;
    }
}

static void carve_limb3_mechanism(limb3_whitened *white, uint32_t n, tc_real *work)
{
    white->size = n;
    white->corner = (limb3_corner *)(void *)work;
    white->L = work + 25u * TC_PATCH_MAX;
    white->Y = white->L + n * n;
    white->before = white->Y + COLUMNS_LIMB3_MECHANISM * n;
    white->change = white->before + n;
    white->free = white->change + n;
    white->scratch = white->free + n;
    white->rest = white->scratch + COLUMNS_LIMB3_MECHANISM * n + 51u;
}

_Static_assert(sizeof(limb3_corner) == 25u * sizeof(tc_real),
               "TC_LIMB3_MECHANISM_WORK counts corners so");

/* ---- There ----------------------------------------------------------------------------------- */

/* L of M / m with so much of its diagonal added */
static tc_status factor_mass(const limb3_whitened *white, const tc_real *mass, tc_real per_mass,
                             tc_real slack)
{
    const uint32_t n = white->size;
    for (uint32_t k = 0; k < n * n; k++) {
        white->L[k] = per_mass * mass[k];
    }
    for (uint32_t k = 0; k < n && slack > TC_C(0.0); k++) {
        white->L[k * (n + 1u)] += slack * white->L[k * (n + 1u)];
    }
    return tc_mat_cholesky_inplace(white->L, n);
}

/* L, and y_0. Links of very unlike masses make an M that is singular to its own rounding; it is
 * given slack, until it is not. */
static tc_status factor_limb3_mechanism(limb_task *task)
{
    const tc_limb3_mechanism *const limb = task->limb;
    limb3_whitened *const white = &task->white;
    const tc_real per_mass = TC_C(1.0) / task->foot->body.mass;
    const uint32_t n = limb->n;
    tc_status status = factor_mass(white, limb->mass, per_mass, TC_C(0.0));
    for (tc_real slack = TC_CHAIN_SLACK_FIRST(n); status < TC_OK && slack < TC_CHAIN_SLACK_MAX;
         slack *= TC_CHAIN_SLACK_GROWTH) {
        status = factor_mass(white, limb->mass, per_mass, slack);
    }
    for (uint32_t k = 0; k < n; k++) {
        white->change[k] = per_mass * (task->foot->step * limb->force[k]);
    }
    if (status >= TC_OK) {
        status = tc_mat_solve_lower(white->L, white->change, white->free, n, 1);
    }
    for (uint32_t k = 0; k < n; k++) {
        tc_real sum = white->free[k];
        for (uint32_t j = k; j < n; j++) {
            sum = TC_MLA(sum, white->L[j * n + k], limb->rate[j]);
        }
        white->before[k] = sum;
        white->change[k] = TC_C(0.0);
    }
    return status;
}

/* Y, by way of J^T F^T in the scratch */
static tc_status project_limb3_mechanism(limb_task *task)
{
    limb3_whitened *const white = &task->white;
    const uint32_t n = white->size;
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t half = 0; half < 6u; half += 3u) {
            const tc_real *const J = task->limb->jacobian + half * n + k;
            const tc_real column[3] = {J[0], J[n], J[2u * n]};
            tc_mat3_vec(&task->patch->frame[0][0], column,
                        white->scratch + COLUMNS_LIMB3_MECHANISM * k + half);
        }
    }
    return tc_mat_solve_lower(white->L, white->scratch, white->Y, n, COLUMNS_LIMB3_MECHANISM);
}

void tci_limb3_velocity(const tc_limb3_mechanism *limb, const tc_real *rates, tc_real v[6])
{
    for (uint32_t i = 0; i < 6u; i++) {
        v[i] = TC_C(0.0);
        for (uint32_t k = 0; k < limb->n; k++) {
            v[i] = TC_MLA(v[i], limb->jacobian[limb->n * i + k], rates[k]);
        }
    }
}

/* The last link as a free body that moves as it would without contact */
static int pose_problem(limb_task *task, int use_gap)
{
    tc_body3_state state;
    /* in place: the problem copies each element to itself */
    tc_real *const offset = task->problem.offset;
    memcpy(state.velocity, task->velocity, sizeof state.velocity);
    memcpy(state.orientation, task->limb->orientation, sizeof state.orientation);
    for (uint32_t i = 0; i < task->patch->count; i++) {
        const tc_real gap = task->patch->gap[i];
        offset[i] = use_gap && gap > TC_C(0.0) ? gap / task->foot->step : TC_C(0.0);
    }
    return tc_learned3_problem_make(&task->problem, task->patch, &task->foot->body, &state, offset);
}

/* Offsets of contacts that bounce, as offsets_foot3 of tc_foot3.c has them: the approach is that of
 * the limb without contact. */
static LEARNED3_APART void bounce_corners(limb_task *task)
{
    tc_learned3_problem *const problem = &task->problem;
    for (uint32_t i = 0; i < task->patch->count; i++) {
        tc_real u[3];
        learned3_contact(problem->velocity, task->patch->arm[i], -problem->height, u);
        const tc_real bounce = task->foot->restitution * u[2];
        problem->offset[i] = bounce < -TC_LEARNED_BOUNCE_MIN ? bounce : problem->offset[i];
    }
}

static void fill_corner(const limb3_whitened *white, const tc_real *arm, tc_real z,
                        limb3_corner *corner)
{
    const tc_real x = arm[0], y = arm[1];
    memset(corner, 0, sizeof *corner);
    for (uint32_t k = 0; k < white->size; k++) {
        const tc_real *const Y = white->Y + COLUMNS_LIMB3_MECHANISM * k;
        const tc_real c1 = TC_MLS(TC_MLA(Y[0], z, Y[4]), y, Y[5]);
        const tc_real c2 = TC_MLA(TC_MLS(Y[1], z, Y[3]), x, Y[5]);
        const tc_real cn = tci_limb3_normal(Y, arm);
        for (uint32_t j = 0; j < COLUMNS_LIMB3_MECHANISM; j++) {
            corner->B[3u * j] = TC_MLA(corner->B[3u * j], Y[j], c1);
            corner->B[3u * j + 1u] = TC_MLA(corner->B[3u * j + 1u], Y[j], c2);
            corner->B[3u * j + 2u] = TC_MLA(corner->B[3u * j + 2u], Y[j], cn);
        }
        corner->W[0] = TC_MLA(corner->W[0], c1, c1);
        corner->W[1] = TC_MLA(corner->W[1], c1, c2);
        corner->W[2] = TC_MLA(corner->W[2], c2, c2);
        corner->W[3] = TC_MLA(corner->W[3], c1, cn);
        corner->W[4] = TC_MLA(corner->W[4], c2, cn);
        corner->W[5] = TC_MLA(corner->W[5], cn, cn);
    }
    corner->W[0] += LIMB_LEAST;
    corner->W[2] += LIMB_LEAST;
    corner->W[5] += LIMB_LEAST;
}

/* ---- And back -------------------------------------------------------------------------------- */

static tc_status to_rates(limb_task *task, tc_real *rates_after)
{
    const limb3_whitened *const white = &task->white;
    const uint32_t n = white->size;
    for (uint32_t k = 0; k < n; k++) {
        white->scratch[k] = white->free[k] + white->change[k];
    }
    const tc_status status = tc_mat_solve_lower_t(white->L, white->scratch, rates_after, n, 1);
    for (uint32_t k = 0; k < n; k++) {
        rates_after[k] += task->limb->rate[k];
    }
    return status < TC_OK || tc_all_finite(rates_after, n) ? status : TC_ERR_RANGE;
}

tc_real tci_limb3_deepest(const tc_patch3 *patch)
{
    tc_real depth = TC_C(0.0);
    for (uint32_t i = 0; i < patch->count; i++) {
        depth = -patch->gap[i] > depth ? -patch->gap[i] : depth;
    }
    return depth;
}

/* ---- Falling back ---------------------------------------------------------------------------- */

/* Workspace of the normals' LCP of the task's patch */
static void lay_out(limb_task *task)
{
    learned3_solve *const solve = &task->solve;
    const uint32_t count = task->patch->count;
    solve->J = task->white.rest;
    solve->q = solve->J + 3u * count;
    solve->z = solve->q + count;
    solve->w = solve->z + count;
    solve->lcp_work = solve->w + count;
}

/* The answer where there is none: contacts stop approaching, without friction, as nearly as the
 * best working set does it. The law is not asked. */
static tc_status yield_frictionless(limb_task *task, tc_learned3_warm *warm,
                                    tc_learned3_result *result)
{
    static const tc_real none[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    learned3_solve *const solve = &task->solve;
    const uint32_t count = task->patch->count;
    (void)tc_learned3_unsolved(&task->problem, result, TC_OK);
    lay_out(task);
    tci_limb3_rows(&task->white, solve->J);
    tci_limb3_push(&task->white, none, solve->q);
    (void)tc_learned3_normals(count, solve->J, solve->q, solve->z, solve->w);
    tci_limb3_lift(&task->white, solve->z);
    result->branch = TC_LEARNED_DETACH;
    for (uint32_t i = 0; i < count; i++) {
        result->normal[i] = solve->z[i];
        result->branch = solve->z[i] > TC_C(0.0) ? TC_LEARNED_DYNAMIC : result->branch;
        result->corner[i] =
            (uint8_t)(solve->z[i] > TC_C(0.0) ? TC_LEARNED_DYNAMIC : TC_LEARNED_DETACH);
    }
    tc_learned3_tell_impulse(solve, none);
    memcpy(result->velocity, solve->v, sizeof result->velocity);
    result->flags = (uint32_t)TC_LEARNED_FALLBACK;
    if (warm != NULL) {
        memset(warm, 0, sizeof *warm);
    }
    return TC_NOTE_FALLBACK;
}

/* ---- The contact ----------------------------------------------------------------------------- */

/* Impulses of the contacts in the result; without an answer the fall-back's */
LEARNED_INLINE tc_status answer_contact(limb_task *task, int within, tc_learned3_warm *warm)
{
    limb3_whitened *const white = &task->white;
    const tc_status status =
        within ? tc_learned3_solve_checked(&task->solve, &task->foot->sweeps, warm, white->rest)
               : TC_ERR_RANGE;
    if (!tc_learned_unanswered(status)) {
        return status;
    }
    white->consistent = 0;
    return yield_frictionless(task, warm, task->solve.result);
}

/* ---- Rebounds (tc_limb2_branch.c has the reasons) -------------------------------------------- */

/* Friction with its torque about the centre of mass, then normals; the approaches afterwards,
 * without offsets; what the impulses add to the kinetic energy, per unit mass, 0 if that is
 * rounding above 0 */
typedef struct rebound3 {
    tc_real p[3u + TC_PATCH_MAX], approach[TC_PATCH_MAX], gain;
} rebound3;

/* What stands in the result */
static LEARNED3_APART void take_rebound(limb_task *task, rebound3 *r)
{
    const learned3_solve *const solve = &task->solve;
    const tc_learned3_result *const result = solve->result;
    tc_real size;
    r->p[0] = result->impulse[0];
    r->p[1] = result->impulse[1];
    r->p[2] = result->impulse[5];
    memcpy(r->p + 3, result->normal, sizeof result->normal);
    for (uint32_t i = 0; i < task->patch->count; i++) {
        tc_real u[3];
        learned3_contact(result->velocity, task->patch->arm[i], -task->problem.height, u);
        r->approach[i] = u[2];
    }
    const tc_real gain =
        solve->mobility->work(&task->white, result->friction, result->normal, &size);
    r->gain = gain > GAIN_LIMB3 * size || gain < TC_C(0.0) ? gain : TC_C(0.0);
}

/* By how much [m/s] a contact may miss its offset; 0 if none bounces */
static tc_real slack_of_rebounds(const limb_task *task)
{
    tc_real least = TC_C(0.0);
    for (uint32_t i = 0; i < task->patch->count; i++) {
        least = task->problem.offset[i] < least ? task->problem.offset[i] : least;
    }
    return -MISSED_LIMB3 * least;
}

/* Whether a contact leaves more slowly than it has to; or friction is many times of what ends any
 * slip: a limb of few freedoms that rests cannot rebound, so that no friction ends its slip */
static int misses_rebound(const limb_task *task, const rebound3 *r, tc_real slack)
{
    const tc_real *const W = task->white.corner->W, *const v = task->problem.velocity;
    const tc_real size = (W[0] + W[2]) * (tc_vec_magnitude(r->p[0]) + tc_vec_magnitude(r->p[1]));
    tc_real fastest = slack / MISSED_LIMB3;
    int misses = 0;
    for (uint32_t i = 0; i < task->patch->count; i++) {
        tc_real u[3];
        learned3_contact(v, task->patch->arm[i], -task->problem.height, u);
        const tc_real most = tc_vec_magnitude(u[0]) + tc_vec_magnitude(u[1]);
        fastest = most > fastest ? most : fastest;
        misses |= r->approach[i] + task->problem.offset[i] < -slack;
    }
    return misses || size > FRICTION_MOST * fastest;
}

/* The share of the way from impulses that are lawful to the others that is so, too */
static tc_real share_of_rebound(const limb_task *task, const rebound3 *from, const rebound3 *to,
                                tc_real slack)
{
    const tc_real loss = tc_vec_not_negative(-from->gain);
    tc_real share = to->gain > TC_C(0.0) ? loss / (loss + to->gain) : TC_C(1.0);
    for (uint32_t i = 0; i < task->patch->count; i++) {
        const tc_real offset = tc_vec_not_negative(task->problem.offset[i]);
        const tc_real left = tc_vec_not_negative(from->approach[i] + offset);
        const tc_real over = -(to->approach[i] + offset);
        const tc_real most = over > slack ? left / (left + over) : TC_C(1.0);
        share = most < share ? most : share;
    }
    return share;
}

/* Gives the limb these impulses. */
static LEARNED3_APART void give_rebound(limb_task *task, const tc_real p[3u + TC_PATCH_MAX])
{
    learned3_solve *const solve = &task->solve;
    tc_learned3_result *const result = solve->result;
    memcpy(result->normal, p + 3, sizeof result->normal);
    tci_limb3_push(&task->white, p, solve->q);
    tci_limb3_lift(&task->white, result->normal);
    tc_learned3_tell_impulse(solve, p);
    memcpy(result->velocity, solve->v, sizeof result->velocity);
}

/* *r becomes from + share (*r - from). */
static void mix_rebounds(const rebound3 *from, tc_real share, rebound3 *r)
{
    for (uint32_t k = 0; k < 3u + TC_PATCH_MAX; k++) {
        r->p[k] = TC_MLA(from->p[k], share, r->p[k] - from->p[k]);
    }
}

/* Of contacts that bounce without friction as much as is lawful, in the result and in *free */
static LEARNED3_APART tc_real bounce_freely(limb_task *task, tc_real slack, rebound3 *free)
{
    tc_learned3_result *const result = task->solve.result;
    (void)yield_frictionless(task, NULL, result);
    take_rebound(task, free);
    if (!(free->gain > TC_C(0.0)) && !misses_rebound(task, free, slack)) {
        return TC_C(1.0);
    }
    rebound3 calm;
    for (uint32_t i = 0; i < task->patch->count; i++) {
        task->problem.offset[i] = tc_vec_not_negative(task->problem.offset[i]);
    }
    (void)yield_frictionless(task, NULL, result);
    take_rebound(task, &calm);
    const tc_real share = share_of_rebound(task, &calm, free, slack);
    mix_rebounds(&calm, share, free);
    give_rebound(task, free->p);
    return share;
}

/* Rebounds that create energy, or are missed: without friction, and as much of it as is lawful. */
static LEARNED3_APART tc_status restrain_rebound(limb_task *task, tc_learned3_warm *warm,
                                                 tc_status status)
{
    tc_learned3_result *const result = task->solve.result;
    const tc_real slack = slack_of_rebounds(task);
    rebound3 solved, free;
    take_rebound(task, &solved);
    const int misses = misses_rebound(task, &solved, slack);
    if (!(slack > TC_C(0.0)) || !(misses || solved.gain > TC_C(0.0))) {
        return status;
    }
    const tc_learned3_result before = *result;
    const tc_real share = bounce_freely(task, slack, &free);
    if (!misses && share == TC_C(1.0)) {
        mix_rebounds(&free, share_of_rebound(task, &free, &solved, slack), &solved);
        give_rebound(task, solved.p);
    }
    result->said = before.said;
    memcpy(result->probability, before.probability, sizeof result->probability);
    result->ratios = before.ratios;
    result->classes = before.classes;
    result->flags = before.flags | (uint32_t)TC_LEARNED_CLAMPED;
    if (warm != NULL) {
        memset(warm, 0, sizeof *warm);
    }
    return status == TC_OK ? TC_NOTE_CONTACT : status;
}

static tc_status solve_contact(limb_task *task, int use_gap, tc_learned3_warm *warm,
                               tc_limb3_info *info)
{
    limb3_whitened *const white = &task->white;
    learned3_solve *const solve = &task->solve;
    tc_status status = project_limb3_mechanism(task);
    if (status < TC_OK) {
        return status;
    }
    const int within = pose_problem(task, use_gap);
    const int bounces = task->foot->restitution > TC_C(0.0);
    if (bounces) {
        bounce_corners(task);
    }
    for (uint32_t i = 0; i < task->patch->count; i++) {
        fill_corner(white, task->patch->arm[i], -task->problem.height, &white->corner[i]);
    }
    white->warm = warm;
    white->solves = 0;
    white->consistent = 1;
    solve->model = &task->foot->model;
    solve->problem = &task->problem;
    solve->result = &info->contact.contact;
    solve->mobility = &tci_limb3_mobility;
    solve->mover = white;
    solve->rule = &tci_limb3_implicit;
    white->problem = &task->problem;
    white->twist = solve->v;
    status = answer_contact(task, within, warm);
    if (status >= TC_OK && bounces) {
        status = restrain_rebound(task, warm, status);
    }
    if (status >= TC_OK) {
        tci_foot3_report(task->foot->body.mass, task->patch, &info->contact);
        info->solves = white->solves;
        info->consistent = white->consistent;
        info->penetration = tci_limb3_deepest(task->patch);
    }
    return status == TC_OK && !white->consistent ? TC_NOTE_CONTACT : status;
}

tc_status tci_limb3_factor(limb_task *task, tc_real *rates, tc_real *work)
{
    carve_limb3_mechanism(&task->white, task->limb->n, work);
    tc_status status = factor_limb3_mechanism(task);
    if (status >= TC_OK) {
        status = to_rates(task, rates);
    }
    tci_limb3_velocity(task->limb, rates, task->velocity);
    return status;
}

tc_status tci_limb3_solve(limb_task *task, int use_gap, tc_learned3_warm *warm,
                          tc_real *rates_after, tc_limb3_info *info)
{
    tc_status status = TC_OK;
    tci_limb3_no_contact(info);
    if (task->patch->count > 0u) {
        status = solve_contact(task, use_gap, warm, info);
    }
    const tc_status turned = status < TC_OK ? status : to_rates(task, rates_after);
    if (turned < TC_OK) {
        return turned;
    }
    tci_limb3_velocity(task->limb, rates_after, info->velocity);
    if (warm != NULL && task->patch->count == 0u) {
        memset(warm, 0, sizeof *warm);
    }
    return status;
}

tc_status tci_limb3_pose(limb_task *task)
{
    task->white.problem = &task->problem;
    (void)pose_problem(task, 0);
    return project_limb3_mechanism(task);
}

tc_status tci_limb3_rise(limb_task *task, const tc_real *speed, tc_real *rates)
{
    learned3_solve *const solve = &task->solve;
    limb3_whitened *const white = &task->white;
    const tc_patch3 *const patch = task->patch;
    const uint32_t count = patch->count;
    lay_out(task);
    tci_limb3_rows(white, solve->J);
    for (uint32_t i = 0; i < count; i++) {
        solve->q[i] = -speed[i];
    }
    const tc_real *const J = solve->J;
    const tc_lcp lcp = {count, TC_LCP_SEMIDEFINITE, NULL, solve->q, J, 3u, 0u};
    if (count == 1u) {
        solve->z[0] = speed[0] / TC_MLA(TC_MLA(J[0] * J[0], J[1], J[1]), J[2], J[2]);
    } else if (!tc_lcp_certified(tc_lcp_from_rows(&lcp, solve->z, solve->w, NULL, solve->lcp_work,
                                                  TC_LCP_WORK(count)))
               && tc_learned3_normals(count, J, solve->q, solve->z, solve->w) != TC_OK) {
        memset(rates, 0, white->size * sizeof *rates);
        return TC_NOTE_FALLBACK;
    }
    for (uint32_t k = 0; k < white->size; k++) {
        white->scratch[k] = TC_C(0.0);
        for (uint32_t i = 0; i < count; i++) {
            white->scratch[k] =
                TC_MLA(white->scratch[k],
                       tci_limb3_normal(white->Y + COLUMNS_LIMB3_MECHANISM * k, patch->arm[i]),
                       solve->z[i]);
        }
    }
    const tc_status status = tc_mat_solve_lower_t(white->L, white->scratch, rates, white->size, 1);
    tc_chain_shorten(rates, white->size, task->foot->step);
    return status < TC_OK ? TC_NOTE_FALLBACK : TC_OK;
}

tc_status tci_limb3_bound(limb_task *task, tc_status status, tc_real *rates, tc_limb3_info *info)
{
    const uint32_t n = task->limb->n;
    if (tc_learned_unanswered(status)) {
        memset(rates, 0, n * sizeof *rates);
    } else if (status < TC_OK || !tc_chain_slow(rates, n)) {
        return status;
    }
    tci_limb3_no_contact(info);
    info->contact.contact.flags = (uint32_t)TC_LEARNED_FALLBACK;
    info->consistent = 0;
    tci_limb3_velocity(task->limb, rates, info->velocity);
    return TC_NOTE_FALLBACK;
}

/* ---- Public ---------------------------------------------------------------------------------- */

static tc_status check_foot_limb3_mechanism(const tc_foot3 *foot, uint32_t count)
{
    const tc_status status = tc_body3_check(&foot->body);
    if (status < TC_OK) {
        return status;
    }
    const tc_status taken = tci_foot3_for_limb(foot);
    if (taken < TC_OK) {
        return taken;
    }
    if (!(foot->step > TC_C(0.0) && foot->step <= TC_C(1.0))) {
        return TC_ERR_RANGE;
    }
    return tc_learned3_check_solve(&foot->model, &foot->sweeps, count == 0u ? 1u : count);
}

static int given_finite_limb3_mechanism(const tc_limb3_mechanism *limb, const tc_patch3 *patch)
{
    const uint32_t n = limb->n;
    return tc_all_finite(limb->mass, n * n) && tc_all_finite(limb->jacobian, 6u * n)
           && tc_all_finite(limb->rate, n) && tc_all_finite(limb->force, n)
           && tc_all_finite(limb->orientation, 4)
           && (patch->count == 0u
               || (tc_all_finite(&patch->frame[0][0], 9) && tc_all_finite(patch->gap, patch->count)
                   && tc_all_finite(&patch->arm[0][0], 3u * patch->count)));
}

static tc_status check_call_limb3_mechanism(const tc_foot3 *foot, const tc_limb3_mechanism *limb,
                                            const tc_patch3 *patch, size_t work_len)
{
    if (limb->mass == NULL || limb->jacobian == NULL || limb->rate == NULL || limb->force == NULL) {
        return TC_ERR_NULL;
    }
    if (limb->n - 1u >= TC_LIMB3_MECHANISM_MAX || patch->count > TC_PATCH_MAX) {
        return TC_ERR_SIZE;
    }
    const tc_status status = check_foot_limb3_mechanism(foot, patch->count);
    if (status < TC_OK) {
        return status;
    }
    if (work_len < TC_LIMB3_MECHANISM_WORK(limb->n, (size_t)foot->model.work_len)) {
        return TC_ERR_WORK;
    }
    if (!given_finite_limb3_mechanism(limb, patch)) {
        return TC_ERR_NOT_FINITE;
    }
    return tc_vec_is_unit(limb->orientation, 4) ? TC_OK : TC_ERR_UNIT;
}

static int all_told_finite_limb3_mechanism(const tc_limb3_info *info)
{
    const tc_learned3_result *const result = &info->contact.contact;
    return tc_all_finite(info->velocity, 6) && tc_all_finite(info->contact.impulse, 6)
           && tc_all_finite(result->friction, 3) && tc_all_finite(result->normal, TC_PATCH_MAX)
           && tc_all_finite(result->impulse, 6) && tc_all_finite(result->velocity, 6);
}

tc_status tc_limb3_mechanism_solve(const tc_foot3 *foot, const tc_limb3_mechanism *limb,
                                   const tc_patch3 *patch, int use_gap, tc_learned3_warm *warm,
                                   tc_real *rates_after, tc_limb3_info *info, tc_real *work,
                                   size_t work_len)
{
    limb_task task;
    const int given =
        foot != NULL && limb != NULL && patch != NULL && rates_after != NULL && work != NULL;
    tc_status status = given ? TC_OK : TC_ERR_NULL;
    if (given) {
        status = tc_work_aligned(work) ? check_call_limb3_mechanism(foot, limb, patch, work_len)
                                       : TC_ERR_ALIGN;
    }
    if (status >= TC_OK) {
        task.foot = foot;
        task.limb = limb;
        task.patch = patch;
        info = tci_limb3_info(info, work,
                              TC_LIMB3_MECHANISM_WORK(limb->n, (size_t)foot->model.work_len));
        status = tci_limb3_factor(&task, rates_after, work);
        status = status < TC_OK ? status : tci_limb3_solve(&task, use_gap, warm, rates_after, info);
    }
    if (status >= TC_OK && !all_told_finite_limb3_mechanism(info)) {
        status = TC_ERR_RANGE;
    }
    if (status == TC_ERR_RANGE && warm != NULL) {
        memset(warm, 0, sizeof *warm);
    }
    if (status < TC_OK) {
        tci_limb3_no_contact(info);
        for (uint32_t k = 0; given && limb->n <= TC_LIMB3_MECHANISM_MAX && k < limb->n; k++) {
            rates_after[k] = TC_C(0.0);
        }
    }
    return status;
}

/* tc_calls: take_rebound lib/step/tc_limb3_patch.c:work_limb */
