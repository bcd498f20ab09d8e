/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Algorithm 1 for a spatial patch: the law of a point, swept over the corners.
 *
 * Gauss-Seidel in velocity space. A corner is solved as a single contact with the impulses of the
 * others held: u = u_i - W_ii p_i (+ offset) is its velocity without its own impulse; then v, omega
 * follow the change of p_i.
 *
 * What converges slowly is the sharing between corners, what costs is the law. So after each sweep
 * that asks, several go on with the last answers, the ratio kept in the contact's own frame, which
 * turns along with the impulse that would stop it: what a law says there changes slowly, of an
 * isotropic Coulomb floor not at all. Friction sticks where the ratio could end the sliding: in the
 * sweeps classes need not be asked for. A corner that comes to carry between two askings takes the
 * ratio that was given last.
 *
 * Of the box in tests/models (friction's RMS error on an edge / a face; instructions of the whole
 * step on Cortex-M4F, the most of 20 strikes each): rounds and frozen 2, 4: 1.9 / 4.3 %, 17,200 /
 * 29,400; 3, 4: 0.9 / 3.7 %, 20,700 / 36,400.
 *
 * A patch at rest is where sweeps converge worst, and where the class matters. Once its contacts
 * have come nearly to rest, or before all sweeps where it stuck in the last tick, its exact stop is
 * tried, with the law's consent; and again where all corners stuck in the end (tc_learned3_stop.c).
 *
 * What the sweeps leave is friction; the normals, and the properties of tc_learned3.h, are
 * tc_learned3_close.c's.
 */
#include "tc_exact.h"
#include "tc_learned3_core.h"

#include "tc_learned_core.h"
#include "tc_work.h"

#include <string.h>

#define STILL TC_C(0.1) /* of the fastest contact before: slower than that, a stop is tried */

_Static_assert(sizeof(learned3_corner) == 26u * sizeof(tc_real),
               "TC_LEARNED3_WORK counts corners so");

tc_learned3_sweeps tc_learned3_sweeps_default(void)
{
    const tc_learned3_sweeps sweeps = {3u, 4u};
    return sweeps;
}

/* ---- Corners --------------------------------------------------------------------------------- */

/* A row of mobility times the columns c_1, c_2, c_n */
static inline void turn_of_sweep(tc_real k1, tc_real k2, tc_real k3, tc_real x, tc_real y,
                                 tc_real z, tc_real B[3])
{
    B[0] = TC_MLS(z * k2, y, k3);
    B[1] = TC_MLS(x * k3, z, k1);
    B[2] = TC_MLS(y * k1, x, k2);
}

static void prepare_corner(learned3_corner *c, const tc_learned3_problem *problem, uint32_t i)
{
    const tc_real *const K = problem->mobility;
    const tc_real x = problem->patch->arm[i][0], y = problem->patch->arm[i][1],
                  z = -problem->height;
    const tc_real k11 = K[0], k12 = K[1], k22 = K[2], k13 = K[3], k23 = K[4], k33 = K[5];
    turn_of_sweep(k11, k12, k13, x, y, z, c->B);
    turn_of_sweep(k12, k22, k23, x, y, z, c->B + 3);
    turn_of_sweep(k13, k23, k33, x, y, z, c->B + 6);
    const tc_real *const B = c->B;
    c->W[0] = TC_C(1.0) + TC_MLS(z * B[3], y, B[6]);
    c->W[1] = TC_MLS(z * B[4], y, B[7]);
    c->W[2] = TC_C(1.0) + TC_MLS(x * B[7], z, B[1]);
    c->W[3] = TC_MLS(z * B[5], y, B[8]);
    c->W[4] = TC_MLS(x * B[8], z, B[2]);
    c->W[5] = TC_C(1.0) + TC_MLS(y * B[2], x, B[5]);
    if (problem->soft != NULL) {
        c->W[5] += problem->soft->yield[i];
    }
    learned3_invert(c->W, TC_C(1.0), c->inverse);
    c->p[0] = c->p[1] = c->p[2] = TC_C(0.0);
    c->ratio[0] = c->ratio[1] = TC_C(0.0);
}

/* Takes the impulses of the last tick whose vertex touches still. */
static void begin_warm(learned3_solve *solve, const tc_learned3_warm *warm)
{
    const tc_patch3 *const patch = solve->problem->patch;
    for (uint32_t k = 0; k < warm->count && k < TC_PATCH_MAX; k++) {
        for (uint32_t i = 0; i < patch->count; i++) {
            if (warm->vertex[k] == patch->vertex[i]) {
                memcpy(solve->corner[i].p, warm->impulse[k], sizeof solve->corner[i].p);
                solve->mobility->apply(solve->mover, i, warm->impulse[k]);
            }
        }
    }
}

/* Corners, the speed of the fastest, where to begin, and the normals' rows */
static LEARNED3_APART void prepare_patch(learned3_solve *solve, const tc_learned3_warm *warm)
{
    const tc_learned3_problem *const problem = solve->problem;
    solve->fastest = TC_C(0.0);
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        tc_real u[3];
        prepare_corner(&solve->corner[i], problem, i);
        learned3_contact(problem->velocity, problem->patch->arm[i], -problem->height, u);
        const tc_real square = TC_MLA(TC_MLA(u[0] * u[0], u[1], u[1]), u[2], u[2]);
        solve->fastest = square > solve->fastest ? square : solve->fastest;
    }
    if (warm != NULL) {
        begin_warm(solve, warm);
    }
    solve->mobility->rows(solve->mover, solve->J);
}

/* ---- Sweeps ---------------------------------------------------------------------------------- */

static LEARNED3_APART tc_status sweep_corners(learned3_solve *solve, int asks, int *settled)
{
    return solve->rule->sweep(solve, asks, settled);
}

/* Asks about every corner, then goes on with the answers. *settled: 1 if the answers changed next
 * to nothing */
static tc_status round_of(learned3_solve *solve, uint32_t frozen, int *settled)
{
    const tc_status status = sweep_corners(solve, 1, settled);
    int still = *settled;
    for (uint32_t k = 0; k < frozen && status >= TC_OK && !still; k++) {
        (void)sweep_corners(solve, 0, &still);
    }
    return status;
}

/* Whether the contacts have come nearly to rest, and one carries. */
static int nearly_stopped(const learned3_solve *solve)
{
    const tc_learned3_problem *const problem = solve->problem;
    tc_real carried = TC_C(0.0), most = TC_C(0.0);
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        tc_real u[3];
        learned3_contact(solve->v, problem->patch->arm[i], -problem->height, u);
        const tc_real square = TC_MLA(TC_MLA(u[0] * u[0], u[1], u[1]), u[2], u[2]);
        most = square > most ? square : most;
        carried += solve->corner[i].p[2];
    }
    return carried > TC_C(0.0) && most < STILL * STILL * solve->fastest;
}

/* Compliant corners: without a stop of the whole patch, for springs go on moving. */
static tc_status sweep_yielding(learned3_solve *solve, const tc_learned3_sweeps *sweeps,
                                int *sticks)
{
    const uint32_t all = (1u << solve->problem->patch->count) - 1u;
    tc_status status = TC_OK;
    int settled = 0;
    tc_learned3_share(solve);
    for (uint32_t r = 0; r < sweeps->rounds && status >= TC_OK && !settled; r++) {
        status = sweep_corners(solve, 1, &settled);
        int still = settled;
        for (uint32_t k = 0; k < sweeps->frozen && status >= TC_OK && !still; k++) {
            tc_learned3_share(solve);
            (void)sweep_corners(solve, 0, &still);
        }
    }
    *sticks = solve->stuck == all;
    return status;
}

/* Sweeps until the impulses of all corners stand, or the patch is known to stick. */
static tc_status sweep_patch(learned3_solve *solve, const tc_learned3_sweeps *sweeps, int tried,
                             tc_real friction[3], int *sticks)
{
    const uint32_t all = (1u << solve->problem->patch->count) - 1u;
    tc_status status =
        tried ? tc_learned3_try_stop(solve, LEARNED3_SPREAD, friction, sticks) : TC_OK;
    int settled = 0;
    for (uint32_t r = 0; r < sweeps->rounds && status >= TC_OK && !*sticks && !settled; r++) {
        status = round_of(solve, sweeps->frozen, &settled);
        if (status >= TC_OK && !tried && nearly_stopped(solve)) {
            tried = 1;
            status = tc_learned3_try_stop(solve, LEARNED3_SPREAD, friction, sticks);
        }
    }
    if (status >= TC_OK && !*sticks && solve->stuck == all && nearly_stopped(solve)) {
        status = tc_learned3_try_stop(solve, LEARNED3_SWEPT, friction, sticks);
    }
    return status;
}

/* ---- Results --------------------------------------------------------------------------------- */

/* Impulses; friction about the patch's centre, as tc_patch.h has it */
void tc_learned3_tell_impulse(const learned3_solve *solve, const tc_real friction[3])
{
    const tc_learned3_problem *const problem = solve->problem;
    tc_learned3_result *const result = solve->result;
    const tc_real share = TC_C(1.0) / (tc_real)problem->patch->count;
    tc_real x = TC_C(0.0), y = TC_C(0.0);
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        x += problem->patch->arm[i][0];
        y += problem->patch->arm[i][1];
    }
    result->friction[0] = friction[0];
    result->friction[1] = friction[1];
    result->friction[2] = problem->patch->count == 1u
                              ? TC_C(0.0)
                              : friction[2] - share * TC_MLS(x * friction[1], y, friction[0]);
    tc_learned3_impulse_of(problem, friction, result->normal, result->impulse);
}

static void tell_patch(const learned3_solve *solve, const tc_real friction[3], int sticks)
{
    tc_learned3_result *const result = solve->result;
    tc_real carried = TC_C(0.0);
    for (uint32_t i = 0; i < solve->problem->patch->count; i++) {
        const int carries = solve->corner[i].p[2] > TC_C(0.0);
        result->normal[i] = solve->z[i];
        carried += solve->z[i];
        result->corner[i] = (uint8_t)(!carries                         ? TC_LEARNED_DETACH
                                      : (solve->stuck >> i & 1u) != 0u ? TC_LEARNED_STATIC
                                                                       : TC_LEARNED_DYNAMIC);
        if (sticks) {
            result->corner[i] = TC_LEARNED_STATIC;
        } else if (carries && (solve->clamped >> i & 1u) != 0u) {
            result->flags |= (uint32_t)TC_LEARNED_CLAMPED;
        }
    }
    tc_learned3_tell_impulse(solve, friction);
    memset(result->probability, 0, sizeof result->probability);
    result->branch = carried > TC_C(0.0) ? TC_LEARNED_DYNAMIC : TC_LEARNED_DETACH;
    result->branch = sticks ? TC_LEARNED_STATIC : result->branch;
    result->said = result->branch;
}

static tc_status solve_patch(learned3_solve *solve, const tc_learned3_sweeps *sweeps,
                             const tc_learned3_warm *warm)
{
    const int stuck = warm != NULL && warm->stopped;
    tc_real friction[3];
    int sticks = 0;
    prepare_patch(solve, warm);
    solve->active = 0;
    const int soft = solve->problem->soft != NULL;
    tc_status status = soft ? sweep_yielding(solve, sweeps, &sticks)
                            : sweep_patch(solve, sweeps, stuck, friction, &sticks);
    if (status >= TC_OK && (soft || !sticks)) {
        status = tc_learned3_close(solve, friction, &solve->result->flags);
    }
    if (status >= TC_OK) {
        tell_patch(solve, friction, sticks);
    }
    return status;
}

/* ---- Public ---------------------------------------------------------------------------------- */

static void keep_warm(const learned3_solve *solve, tc_learned3_warm *warm)
{
    const tc_learned3_problem *const problem = solve->problem;
    warm->count = problem->patch->count;
    warm->stopped = solve->result->branch == TC_LEARNED_STATIC;
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        warm->vertex[i] = problem->patch->vertex[i];
        memcpy(warm->impulse[i], solve->corner[i].p, sizeof warm->impulse[i]);
    }
}

tc_status tc_learned3_check_solve(const tc_learned3_model *model, const tc_learned3_sweeps *sweeps,
                                  uint32_t count)
{
    if (model->observe == NULL || model->classify == NULL || model->ratio == NULL) {
        return TC_ERR_NULL;
    }
    return count - 1u >= TC_PATCH_MAX || sweeps->rounds - 1u >= TC_LEARNED3_ROUNDS_MAX
                   || sweeps->frozen > TC_LEARNED3_FROZEN_MAX
               ? TC_ERR_SIZE
               : TC_OK;
}

static tc_status check_call_sweep(const tc_learned3_model *model, const tc_learned3_sweeps *sweeps,
                                  const tc_learned3_problem *problem, const tc_real *work,
                                  size_t work_len)
{
    if (model == NULL || sweeps == NULL || problem == NULL || problem->patch == NULL
        || work == NULL) {
        return TC_ERR_NULL;
    }
    const tc_status status = tc_learned3_check_solve(model, sweeps, problem->patch->count);
    if (status < TC_OK) {
        return status;
    }
    return tc_work_check(work, work_len, TC_LEARNED3_WORK((size_t)model->work_len));
}

tc_status tc_learned3_unsolved(const tc_learned3_problem *problem, tc_learned3_result *result,
                               tc_status status)
{
    memset(result, 0, sizeof *result);
    result->branch = result->said = TC_LEARNED_NONE;
    if (problem != NULL) {
        memcpy(result->velocity, problem->velocity, sizeof result->velocity);
    }
    return status;
}

static void carve_sweep(learned3_solve *solve, uint32_t count, tc_real *work)
{
    solve->corner = (learned3_corner *)(void *)work;
    work += 26u * count;
    solve->J = work;
    solve->q = solve->J + 3u * count;
    solve->z = solve->q + count;
    solve->w = solve->z + count;
    solve->lcp_work = solve->w + count;
    solve->law_work = solve->lcp_work + TC_LCP_WORK(count);
}

tc_status tc_learned3_solve_checked(learned3_solve *solve, const tc_learned3_sweeps *sweeps,
                                    tc_learned3_warm *warm, tc_real *work)
{
    const tc_learned3_problem *const problem = solve->problem;
    tc_learned3_result *const result = solve->result;
    tc_status status;
    result->flags = result->ratios = result->classes = 0;
    memset(result->corner, 0, sizeof result->corner);
    memset(result->normal, 0, sizeof result->normal);
    carve_sweep(solve, problem->patch->count, work);
    solve->latest[0] = solve->latest[1] = TC_C(0.0);
    solve->rated = solve->stuck = solve->clamped = 0;
    memcpy(solve->v, problem->velocity, sizeof solve->v);
    if (problem->patch->count == 1u) {
        prepare_corner(solve->corner, problem, 0);
        status = solve->rule->point(solve);
    } else {
        status = solve_patch(solve, sweeps, warm);
    }
    if (status < TC_OK) {
        return tc_learned3_unsolved(problem, result, status);
    }
    memcpy(result->velocity, solve->v, sizeof result->velocity);
    if (warm != NULL) {
        keep_warm(solve, warm);
    }
    return tc_learned_noted(result->flags);
}

tc_status tc_learned3_solve(const tc_learned3_model *model, const tc_learned3_sweeps *sweeps,
                            const tc_learned3_problem *problem, tc_learned3_warm *warm,
                            tc_learned3_result *result, tc_real *work, size_t work_len)
{
    learned3_solve solve;
    if (result == NULL) {
        return TC_ERR_NULL;
    }
    const tc_status status = check_call_sweep(model, sweeps, problem, work, work_len);
    if (status < TC_OK) {
        return tc_learned3_unsolved(problem, result, status);
    }
    solve.model = model;
    solve.problem = problem;
    solve.result = result;
    solve.mobility = &tci_learned3_body;
    solve.mover = &solve;
    solve.rule = problem->soft == NULL ? &tci_learned3_direct : &tci_learned3_soft;
    return tc_learned3_solve_checked(&solve, sweeps, warm, work);
}

/* tc_calls: prepare_patch lib/learned/tc_learned3_body.c:apply_body tci_limb3_apply */
/* tc_calls: prepare_patch lib/learned/tc_learned3_body.c:rows_body tci_limb3_rows */
/* tc_calls: sweep_corners lib/learned/tc_learned3_direct.c:sweep_direct */
/* tc_calls: sweep_corners lib/learned/tc_learned3_direct.c:sweep_soft */
/* tc_calls: sweep_corners lib/step/tc_limb3_point.c:sweep_implicit */
/* tc_calls: tc_learned3_solve_checked lib/learned/tc_learned3_direct.c:point_direct */
/* tc_calls: tc_learned3_solve_checked lib/step/tc_limb3_point.c:point_implicit */
