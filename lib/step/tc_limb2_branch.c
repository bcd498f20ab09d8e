/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Algorithm 2 by branch iteration, and what both solvers share.
 *
 * Within one class, one set of active normals and one ratio, H is linear in the joint impulse: G =
 * 0 is a linear system, or with the inequalities a small LCP, that the limb's contact space solves
 * in closed form. What can change from one evaluation to the next is the branch alone; so this is
 * Newton's method on a piecewise linear G (semismooth), and ends as soon as a branch finds itself
 * again.
 *
 *   1. Evaluate at p = 0, the velocity without contact. Warm: with as many contacts as in the step
 *      before, and its branch legal, at the p of step 2 for that branch instead. If the law answers
 *      with the same impulse within the tolerance of G, that is the solution.
 *   2. Solve the limb for the branch answered: static the arrest, which is p = -W^-1 u where W has
 *      an inverse; dynamic the LCP coupled through the ratio, friction clamped into [0, f*] OF THE
 *      LIMB; where the free body's friction was clamped to what ends the sliding, the arrest again;
 *      detach p = 0. tc_learned2_legal on the limb turns a static branch that pulls or a detach
 *      that approaches into dynamic.
 *   3. Evaluate there. The same impulse within the tolerance: done. Else solve for the branch
 *      answered now, and take that. To ask once more tells whether class and ratio were found
 *      again, and not what they ought to be: of 2,000 random poses 1.1 % were off by more than 5 %
 *      so, and 1.3 % with a third evaluation and the most probable of what was tried.
 *
 * Everything said in tc_learned2_space.c about any (W, u) holds for the limb's: whatever the law
 * answers, normals do not pull, corners do not approach, and the limb's kinetic energy does not
 * grow; those proofs ask nothing of the law.
 *
 * Restitution. A contact that bounces has e times its approach as a negative offset, and the proofs
 * of the energy and of the static patch do not hold. Friction and rebound may create some together
 * (Kane's paradox, of a double pendulum). A limb of few freedoms that rests cannot rebound.
 *
 *   4. If p creates energy, or a rebound is missed, the limb is solved without friction, p_0. Of
 *      one contact p_0 always rebounds with e, and loses energy. Energy is convex in the impulse,
 *      E(p_0 + s (p - p_0)) <= (1 - s) E(p_0) + s E(p), so that s = loss / (loss + gain) creates
 *      none: friction is cut, and not the rebound. Of two contacts of which one leaves already, p_0
 *      may be no better. Then the rebound is cut: the same between p_0 and the frictionless stop.
 *
 * Cost: evaluations times that of Algorithm 1, at most TC_LIMB2_EVALUATIONS; a branch solve is
 * about 150 (point) or 300 (edge) instructions on Cortex-M4F.
 */
#include "tc_exact.h"
#include "tc_limb2_internal.h"

#include "tc_learned_core.h"
#include "tc_math.h"
#include "tc_vec.h"
#include "tc_work.h"

#include <string.h>

#define GAIN_LIMB2 (TC_C(16.0) * TC_EPSILON) /* of the terms of an energy: rounding */
#define MISSED_LIMB2 TC_C(1e-4)              /* of a rebound: rounding */

tc_limb2_config tc_limb2_default(void)
{
    const tc_limb2_config config = {.solver = TC_LIMB2_BRANCH,
                                    .start = TC_LIMB2_FREE,
                                    .tolerance = TC_C(5e-5),
                                    .tolerance_least = TC_C(5e-6),
                                    .max_evaluations = 45,
                                    .warm = 1};
    return config;
}

tc_limb2_config tc_limb2_default_published(void)
{
    const tc_limb2_config config = {.solver = TC_LIMB2_POWELL,
                                    .start = TC_LIMB2_AT_REST,
                                    .tolerance = TC_C(5e-3),
                                    .tolerance_least = TC_C(5e-5),
                                    .max_evaluations = 45};
    return config;
}

/* ---- The iteration --------------------------------------------------------------------------- */

typedef struct iteration {
    tci_limb2_system *system;
    tc_learned2_stops stops;
    tci_limb2_answer answer; /* the law's at p */
    tc_real tolerance;       /* [m/s] */
    tc_real p[3];
    tc_learned2_decision solved; /* the branch p was solved for; its flags are the limb's */
} iteration;

/* What answering q to p leaves over: |G| at the joint in solution->residual, and returned the
 * larger of that and of the last link's velocity, in its kinetic norm. G alone cannot see an
 * impulse that passes through the joint: it is 0 for any that stops a link whose joint stands
 * still. */
static tc_real joint_mismatch(const tci_limb2_system *s, const tc_real *p, const tc_real *q,
                              tci_limb2_solution *solution)
{
    const tc_real difference[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    tc_real v[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    tc_real rows[2];
    tci_limb2_push(s, difference, v);
    tci_limb2_joint_rows(s->limb, v, rows);
    solution->residual = tc_sqrt(rows[0] * rows[0] + rows[1] * rows[1]);
    const tc_real speed = tc_sqrt(v[0] * v[0] + v[1] * v[1] + s->gyration2 * v[2] * v[2]);
    return speed > solution->residual ? speed : solution->residual;
}

/* Step 2: p for the branch of the answer at hand. */
static tc_status solve_branch(iteration *it)
{
    const tci_limb2_system *s = it->system;
    tc_learned2_decision *decision = &it->solved;
    *decision = it->answer.result.decision;
    const uint32_t answered = decision->flags;
    const tc_learned_class branch = decision->branch;
    const int stopped =
        branch == TC_LEARNED_DYNAMIC && (answered & (uint32_t)TC_LEARNED_CLAMPED) != 0u;
    decision->flags = answered & (uint32_t)TC_LEARNED_RANGE;
    decision->branch = tc_learned2_legal(&s->space, &it->stops, branch, &decision->flags);
    if (stopped && it->answer.result.impulse[0] != TC_C(0.0)) {
        memcpy(it->p, it->stops.arrest, sizeof it->p);
        return TC_OK;
    }
    if (decision->branch == TC_LEARNED_DYNAMIC && branch != TC_LEARNED_DYNAMIC) {
        const tc_status status = tc_learned2_ratio(&s->foot->model, &it->answer.query, decision,
                                                   s->law_work, s->law_len);
        if (status < TC_OK) {
            return status;
        }
    }
    decision->flags |= tc_learned2_space_impulse(&s->space, &it->stops, decision->branch,
                                                 stopped ? TC_C(0.0) : decision->ratio, it->p);
    return TC_OK;
}

static tc_status evaluate_branches(iteration *it, tci_limb2_solution *solution)
{
    ++solution->evaluations;
    const tc_status status =
        tci_limb2_evaluate(it->system, solution->solves > 0u ? it->p : NULL, &it->answer);
    if (status >= TC_OK) {
        const tc_real left = joint_mismatch(it->system, it->p, it->answer.result.impulse, solution);
        solution->consistent = left <= it->tolerance;
    }
    return status;
}

/* p for the branch of the step before, if there is one and the limb allows it; else 0. */
static uint32_t take_last(iteration *it)
{
    const tci_limb2_system *s = it->system;
    const tc_limb2_branch *last = s->last;
    uint32_t overruled = 0;
    it->p[0] = it->p[1] = it->p[2] = TC_C(0.0);
    if (last == NULL || last->count != s->patch.count
        || tc_learned2_legal(&s->space, &it->stops, last->branch, &overruled) != last->branch) {
        return 0;
    }
    it->solved.branch = last->branch;
    it->solved.ratio = last->ratio;
    it->solved.flags =
        tc_learned2_space_impulse(&s->space, &it->stops, last->branch, last->ratio, it->p);
    return 1;
}

/* What was solved, and what the law last said of it */
static void report_branches(const iteration *it, tci_limb2_solution *solution)
{
    const tc_learned2_decision *answered = &it->answer.result.decision;
    memcpy(solution->impulse, it->p, sizeof it->p);
    solution->decision = *answered;
    if (solution->solves > 0u) {
        solution->decision.branch = it->solved.branch;
        solution->decision.ratio = it->solved.ratio;
        solution->decision.flags = it->solved.flags;
    }
    if (it->system->last != NULL) {
        const tc_learned2_decision *next = solution->consistent ? answered : &it->solved;
        it->system->last->branch = next->branch;
        it->system->last->ratio = next->ratio;
        it->system->last->count = solution->solves > 0u ? it->system->patch.count : 0u;
    }
}

/* The velocity at hand is nothing to ask the law about. Once it has answered, the branch that was
 * solved for its answer is taken as it is; that of the step before is forgotten, and the law asked
 * without contact. */
static tc_status go_without(iteration *it, int answered, tci_limb2_solution *solution)
{
    solution->consistent = 0;
    if (answered) {
        return TC_OK;
    }
    const int warm = solution->solves > 0u;
    solution->solves = 0;
    it->p[0] = it->p[1] = it->p[2] = TC_C(0.0);
    return warm ? TC_OK : TC_ERR_NOT_CERTIFIED;
}

static tc_status branch_iteration(tci_limb2_system *s, tci_limb2_solution *solution)
{
    iteration it;
    int answered = 0;
    it.system = s;
    it.tolerance = tci_limb2_tolerance(s);
    tc_learned2_space_stops(&s->space, &it.stops);
    solution->evaluations = 0;
    solution->residual = TC_C(0.0);
    solution->solves = take_last(&it);
    do {
        tc_status status = evaluate_branches(&it, solution);
        if (tc_learned_unanswered(status)) {
            status = go_without(&it, answered, solution);
        } else if (status >= TC_OK) {
            answered = 1;
            if (!solution->consistent) {
                status = solve_branch(&it);
                ++solution->solves;
            }
        }
        if (status < TC_OK) {
            return status;
        }
    } while (!solution->consistent && solution->evaluations < TC_LIMB2_EVALUATIONS);
    report_branches(&it, solution);
    return TC_OK;
}

/* Nothing that the law could be asked about, or had an answer to: contacts stop approaching,
 * without friction. */
static void stop_normals(tci_limb2_system *s, tci_limb2_solution *solution)
{
    memset(solution, 0, sizeof *solution);
    tc_learned2_space_normals(&s->space, TC_C(0.0), solution->impulse + 1);
    const int carries = solution->impulse[1] + solution->impulse[2] > TC_C(0.0);
    solution->decision.said = TC_LEARNED_NONE;
    solution->decision.branch = carries ? TC_LEARNED_DYNAMIC : TC_LEARNED_DETACH;
    solution->decision.flags = (uint32_t)TC_LEARNED_FALLBACK;
    if (s->last != NULL) {
        s->last->count = 0;
    }
}

/* ---- Rebounds -------------------------------------------------------------------------------- */

/* An impulse, the approaches afterwards without offsets, and the kinetic energy that it adds to the
 * limb's, per unit mass: p . (u + u+) / 2; 0 if that is rounding above 0 */
typedef struct rebound2 {
    tc_real p[3], approach[2], gain;
} rebound2;

static void weigh_rebound(const tci_limb2_system *s, rebound2 *r)
{
    const tc_learned2_space *const w = &s->space;
    const tc_real *const p = r->p;
    const tc_real u[3] = {w->slip, w->approach[0] - s->offset[0], w->approach[1] - s->offset[1]};
    const tc_real change[3] = {w->W_tt * p[0] + w->W_tn[0] * p[1] + w->W_tn[1] * p[2],
                               w->W_tn[0] * p[0] + w->W_nn[0] * p[1] + w->W_nn[1] * p[2],
                               w->W_tn[1] * p[0] + w->W_nn[1] * p[1] + w->W_nn[2] * p[2]};
    tc_real sum = TC_C(0.0), size = TC_C(0.0);
    for (uint32_t i = 0; i < 3u; ++i) {
        const tc_real half = TC_C(0.5) * change[i];
        sum += p[i] * (u[i] + half);
        size += tc_vec_magnitude(p[i]) * (tc_vec_magnitude(u[i]) + tc_vec_magnitude(half));
    }
    r->gain = sum > GAIN_LIMB2 * size || sum < TC_C(0.0) ? sum : TC_C(0.0);
    r->approach[0] = u[1] + change[1];
    r->approach[1] = u[2] + change[2];
}

/* By how much [m/s] a contact with this offset may miss it: rounding of the fastest rebound; 0
 * without one */
static tc_real slack_of(const tci_limb2_system *s)
{
    const tc_real least = s->offset[0] < s->offset[1] ? s->offset[0] : s->offset[1];
    return MISSED_LIMB2 * tc_vec_not_negative(-least);
}

/* Whether a contact leaves more slowly than it has to */
static int falls_short(const tci_limb2_system *s, const rebound2 *r)
{
    const tc_real slack = -slack_of(s);
    return r->approach[0] + s->offset[0] < slack
           || (s->patch.count == 2u && r->approach[1] + s->offset[1] < slack);
}

/* The share of the way from an impulse that is lawful to the other that is so, too */
static tc_real lawful_share(const tci_limb2_system *s, const rebound2 *from, const rebound2 *to)
{
    const tc_real loss = tc_vec_not_negative(-from->gain);
    tc_real share = to->gain > TC_C(0.0) ? loss / (loss + to->gain) : TC_C(1.0);
    for (uint32_t i = 0; i < s->patch.count; ++i) {
        const tc_real offset = tc_vec_not_negative(s->offset[i]);
        const tc_real left = tc_vec_not_negative(from->approach[i] + offset);
        const tc_real over = -(to->approach[i] + offset);
        const tc_real most = over > slack_of(s) ? left / (left + over) : TC_C(1.0);
        share = most < share ? most : share;
    }
    return share;
}

/* Without friction, and with rebounds or without */
static void slide_freely(const tci_limb2_system *s, int bounces, rebound2 *r)
{
    tc_learned2_space space = s->space;
    for (uint32_t i = 0; i < 2u && !bounces; ++i) {
        space.approach[i] += tc_vec_not_negative(-s->offset[i]);
    }
    r->p[0] = TC_C(0.0);
    tc_learned2_space_normals(&space, TC_C(0.0), r->p + 1);
    weigh_rebound(s, r);
}

/* Step 4 */
static LEARNED_APART void restrain_bounce(const tci_limb2_system *s, tci_limb2_solution *solution)
{
    rebound2 solved, free, calm;
    memcpy(solved.p, solution->impulse, sizeof solved.p);
    weigh_rebound(s, &solved);
    const int misses = falls_short(s, &solved);
    if (!(slack_of(s) > TC_C(0.0)) || !(misses || solved.gain > TC_C(0.0))) {
        return;
    }
    slide_freely(s, 1, &free);
    slide_freely(s, 0, &calm);
    const tc_real rebound = lawful_share(s, &calm, &free);
    const tc_real rubbed =
        misses || rebound < TC_C(1.0) ? TC_C(0.0) : lawful_share(s, &free, &solved);
    for (uint32_t i = 0; i < 3u; ++i) {
        const tc_real bounced = calm.p[i] + rebound * (free.p[i] - calm.p[i]);
        solution->impulse[i] = bounced + rubbed * (solved.p[i] - bounced);
    }
    solution->decision.flags |= (uint32_t)TC_LEARNED_CLAMPED;
}

/* ---- Both solvers ---------------------------------------------------------------------------- */

static tc_status noted_status(const tci_limb2_solution *solution)
{
    const tc_status status = tc_learned_noted(solution->decision.flags);
    return status == TC_OK && !solution->consistent ? TC_NOTE_CONTACT : status;
}

/* By the solver that is asked for; the branch iteration where Powell's method has no answer. */
static tc_status solve_branches(tci_limb2_system *s, tci_limb2_solution *solution,
                                tc_real *rates_after, tc_real velocity_after[3])
{
    tc_status status = TC_ERR_NOT_CERTIFIED;
    if (s->published) {
        status = tci_limb2_powell(s, solution, rates_after, velocity_after);
    }
    if (!tc_learned_unanswered(status)) {
        return status;
    }
    status = branch_iteration(s, solution);
    if (tc_learned_unanswered(status)) {
        stop_normals(s, solution);
        status = TC_OK;
    } else if (status >= TC_OK && s->config->solver == TC_LIMB2_POWELL) {
        solution->decision.flags |= (uint32_t)TC_LEARNED_FALLBACK;
    }
    if (status >= TC_OK) {
        if (s->foot->restitution > TC_C(0.0)) {
            restrain_bounce(s, solution);
        }
        tci_limb2_rates(s, solution->impulse, rates_after, velocity_after);
    }
    return status;
}

void tci_limb2_no_contact(tc_limb2_info *info)
{
    memset(info, 0, sizeof *info);
    info->contact.decision.said = info->contact.decision.branch = TC_LEARNED_NONE;
}

tc_status tci_limb2_contact(tci_limb2_system *s, tc_real *rates_after, tc_real velocity_after[3],
                            tc_limb2_info *info)
{
    tci_limb2_solution solution;
    tci_limb2_no_contact(info);
    info->consistent = 1;
    if (s->patch.count == 0u) {
        tci_limb2_rates(s, NULL, rates_after, velocity_after);
        tci_limb2_report(s, NULL, rates_after, velocity_after, info);
        return TC_OK;
    }
    tci_limb2_contact_space(s);
    const tc_status status = solve_branches(s, &solution, rates_after, velocity_after);
    if (status < TC_OK) {
        return status;
    }
    tci_limb2_report(s, solution.impulse, rates_after, velocity_after, info);
    info->contact.decision = solution.decision;
    info->evaluations = solution.evaluations;
    info->solves = solution.solves;
    info->consistent = solution.consistent;
    info->residual = solution.residual;
    return noted_status(&solution);
}

static tc_status check_arguments(const tc_foot2 *foot, const tc_limb2_config *config,
                                 const tc_limb2_mechanism *limb, const tc_patch2 *patch,
                                 const tc_real *rates_after)
{
    if (foot == NULL || config == NULL || limb == NULL || patch == NULL
        || (rates_after == NULL && limb->n > 0u) || foot->model.classify == NULL
        || foot->model.ratio == NULL) {
        return TC_ERR_NULL;
    }
    return patch->count == 0u ? TC_OK : tc_patch2_check(patch);
}

static int all_told_finite_branches(const tc_limb2_info *info)
{
    const tc_foot2_info *contact = &info->contact;
    const tc_real numbers[8] = {contact->friction, contact->normal[0], contact->normal[1],
                                contact->torque,   info->residual,     info->violation,
                                info->joint[0],    info->joint[1]};
    return tc_all_finite(numbers, 8);
}

tc_status tc_limb2_mechanism_solve(const tc_foot2 *foot, const tc_limb2_config *config,
                                   const tc_limb2_mechanism *limb, const tc_patch2 *patch,
                                   int use_gap, tc_real *rates_after, tc_real velocity_after[3],
                                   tc_limb2_info *info, tc_real *work, size_t work_len)
{
    tci_limb2_system s;
    tc_limb2_info unwanted;
    tc_limb2_info *found = info != NULL ? info : &unwanted;
    if (velocity_after == NULL || work == NULL) {
        return TC_ERR_NULL;
    }
    memset(velocity_after, 0, 3u * sizeof *velocity_after);
    tc_status status = check_arguments(foot, config, limb, patch, rates_after);
    if (status >= TC_OK) {
        status = tc_work_aligned(work) ? tci_limb2_check(foot, limb, work_len) : TC_ERR_ALIGN;
    }
    if (status >= TC_OK) {
        status = tci_limb2_prepare(&s, foot, config, limb, work);
    }
    if (status >= TC_OK) {
        tci_limb2_set_patch(&s, patch, use_gap);
        status = tci_limb2_contact(&s, rates_after, velocity_after, found);
    }
    if (status >= TC_OK
        && !(tc_all_finite(velocity_after, 3) && tc_all_finite(rates_after, limb->n)
             && all_told_finite_branches(found))) {
        status = TC_ERR_RANGE;
    }
    if (status < TC_OK) {
        tci_limb2_no_contact(found);
        memset(velocity_after, 0, 3u * sizeof *velocity_after);
        for (uint32_t k = 0; limb != NULL && rates_after != NULL
                             && limb->n <= TC_LIMB2_MECHANISM_MAX && k < limb->n;
             ++k) {
            rates_after[k] = TC_C(0.0);
        }
    }
    return status;
}
