/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One step of a limb whose last link touches a plane.
 *
 *   1. Kinematics of the chain; from them the limb of tc_limb2.h: M-hat, J-hat and forces of the
 *      links upstream, the last link's velocity, and its load m (g - a) - across the last joint's
 *      own torque, which is internal: it acts on the last coordinate alone, and so as a force pair
 *      between the last link and the one before.
 *   2. The patch. Scheme dart: vertices below the plane. Scheme gap: vertices that would be below
 *      it after the step, predicted with the velocity of the limb without contact and its velocity
 *      products; then once more with the frictionless impulse of what was found, since stopping one
 *      corner turns the other one down.
 *   3. Contact (tc_limb2_branch.c), q += h qd. Scheme gap: the two outermost of the vertices that
 *      were found may be upper ones, of a link that falls by more than its thickness, and gap / h
 *      lets them through by that. So where a vertex ends below the plane with the velocity that was
 *      solved for, the lowest becomes a contact in place of the one that bears on its side of the
 *      centre of pressure, and the contact is solved anew: from the same velocity, so that no
 *      impulse is added to another. PATCHES times at most. Scheme toc: the rates without contact,
 *      then tc_scheme_internal.h. The limb moves to each touch. It is prepared again there, without
 *      a force, which its rates hold already.
 *   4. On positions alone, velocities stay: q += h H^-1 R^T n with impulses n >= 0 and offset + W n
 *      >= 0. Scheme dart: offset = -min(0.01 depth / h, 1 mm/s), DART's split correction. Scheme
 *      gap, where a vertex is below the plane: offset = gap / h at the new pose, once: what the
 *      curvature of the path leaves, of second order in h. Vertices just above take part, for a
 *      lift turns the link; the lowest always does, which need not be one of the two outermost.
 *
 * The last joint's torque tau: upstream gets the reaction. Revolute: torque tau on the last
 * link, -tau on the link before. In joint coordinates that link's column is turn = 1 for all
 * revolute columns, so tau-hat_k -= tau turn_k. Prismatic: force tau along `at` at the last link's
 * centre of mass, and its reaction at the upstream point under it: tau-hat_k -= tau at . v_k(c).
 *
 * Cost beside the contact solve: see tests/measured.csv, chain.
 */
#include "tc_exact.h"
#include "tc_limb2_internal.h"

#include "tc_vec.h"
#include "tc_chain_core.h"
#include "tc_detect2.h"
#include "tc_scheme_internal.h"
#include "tc_work.h"

#include <string.h>

#define NEAR_LIMB2 TC_C(1e-4) /* [m] what takes part in a lift */
#define PATCHES_LIMB2 3u      /* of a step at most, scheme gap */
#define SINK_LIMB2 TC_C(1e-7) /* [m] what ends less deep does not touch: u+ = 0 up to rounding */
#define ROUNDING_LIMB2 (TC_C(8.0) * TC_EPSILON) /* of the height: what TCI_SCHEME_TOUCH may miss */

/* What TOC keeps in the workspace: what the step's force gave to the rates [dof], and the joint's
 * impulse with it [JOINT]; then the impulses of the step so far [TOLD] */
#define JOINT_LIMB2 2u
#define TOLD_LIMB2 6u

/* A step on its way. */
typedef struct limb2_run {
    tci_limb2_system s;
    tc_limb2_mechanism limb;
    const tc_limb2 *model;
    tc_limb2_state *state;
    tc_limb2_info *info;
    tc_real *next;   /* [3 x dof] rates after, positions after, scratch; then what TOC keeps */
    tc_plane2 plane; /* as seen from the chain's origin */
    tc_patch2 patch;
    int prepared;
} limb2_run;

static tc_status check_foot_limb2(const tc_body2 *body, const tc_foot2 *foot)
{
    const tc_real mass_error = foot->body.mass - body->mass;
    const tc_real inertia_error = foot->body.inertia - body->inertia;
    if (foot->model.classify == NULL || foot->model.ratio == NULL) {
        return TC_ERR_NULL;
    }
    if (!(mass_error * mass_error <= TC_C(1e-10) * body->mass * body->mass)
        || !(inertia_error * inertia_error <= TC_C(1e-10) * body->inertia * body->inertia)) {
        return TC_ERR_MODEL_MISMATCH;
    }
    if (foot->positions > TC_SCHEME_GAP) {
        return TC_ERR_UNSUPPORTED;
    }
    if (!(foot->step > TC_C(0.0) && foot->step <= TC_C(1.0)) || !(foot->gyration > TC_C(0.0))
        || !tci_limb2_may_bounce(foot)) {
        return TC_ERR_RANGE;
    }
    return tc_vec_is_unit(foot->plane.normal, 2) && tc_all_finite(&foot->plane.offset, 1)
               ? TC_OK
               : TC_ERR_UNIT;
}

/* A vertex's distance in radii of gyration, TC_LEARNED_LEVER_MAX at most: decided here, so that no
 * step has to. */
static int reaches_too_far_limb2(const tc_foot2 *foot)
{
    const tc_real *vertex = foot->shape.vertices;
    tc_real most = TC_C(0.0);
    for (uint32_t i = 0; i < foot->shape.count; ++i, vertex += 2) {
        const tc_real square = vertex[0] * vertex[0] + vertex[1] * vertex[1];
        most = square > most ? square : most;
    }
    const tc_real reach = tc_sqrt(most) + foot->shape.radius;
    return !(reach <= TC_LEARNED_LEVER_MAX * foot->gyration);
}

tc_status tc_limb2_check(const tc_limb2 *limb)
{
    if (limb == NULL) {
        return TC_ERR_NULL;
    }
    tc_status status = tc_chain2_check(&limb->chain);
    if (status < TC_OK) {
        return status;
    }
    const tc_chain2_link *last = &limb->chain.links[limb->chain.count - 1u];
    if (last->joint == TC_CHAIN_FREE || limb->config.solver > TC_LIMB2_POWELL) {
        return TC_ERR_UNSUPPORTED;
    }
    status = check_foot_limb2(&last->body, &limb->foot);
    if (status < TC_OK) {
        return status;
    }
    status = tc_shape2_check(&limb->foot.shape);
    if (status < TC_OK || reaches_too_far_limb2(&limb->foot)) {
        return status < TC_OK ? status : TC_ERR_RANGE;
    }
    return limb->config.tolerance >= TC_C(0.0) && limb->config.tolerance_least >= TC_C(0.0)
                   && tc_all_finite(&limb->config.tolerance, 1)
                   && tc_all_finite(&limb->config.tolerance_least, 1)
                   && (limb->config.solver == TC_LIMB2_BRANCH
                       || (limb->config.max_evaluations >= 4u
                           && limb->config.tolerance_least > TC_C(0.0)))
               ? TC_OK
               : TC_ERR_RANGE;
}

/* ---- The limb of a chain --------------------------------------------------------------------- */

/* Velocities of coordinate k's column at the joint, as rows of the joint */
static void joint_column(const tc_chain2_motion *motion, const tc_limb2_mechanism *limb, uint32_t k,
                         tc_real rows[2])
{
    const tc_chain2_column *column = &motion->column[k];
    tc_real v[3];
    tc_chain2_column_velocity(column, motion->link[motion->links - 1u].position, v);
    v[2] = column->turn;
    tci_limb2_joint_rows(limb, v, rows);
}

/* work: [n x n] mass, [2 x n] J-hat, [n] force; rates are the state's. */
static void fill_limb_limb2(const tc_limb2 *model, const tc_limb2_state *state,
                            const tc_real *torque, tc_limb2_mechanism *limb, tc_real *work)
{
    const tc_chain2_motion *motion = &state->motion;
    const uint32_t last = motion->links - 1u;
    const uint32_t n = motion->dof - 1u;
    const tc_chain2_link_motion *link = &motion->link[last];
    const tc_chain2_column *joint = &motion->column[n];
    const tc_real mass = model->chain.links[last].body.mass;
    const tc_real tau = torque == NULL ? TC_C(0.0) : torque[n];
    tc_real *jacobian = work + n * n;
    tc_real *force = jacobian + 2u * n;
    limb->n = n;
    limb->mass = work;
    limb->jacobian = jacobian;
    limb->rate = state->qd;
    limb->force = force;
    limb->joint = model->chain.links[last].joint;
    const int revolute = limb->joint == TC_CHAIN_REVOLUTE;
    limb->at[0] = revolute ? joint->at[0] - link->position[0] : joint->at[0];
    limb->at[1] = revolute ? joint->at[1] - link->position[1] : joint->at[1];
    memcpy(limb->velocity, link->velocity, sizeof limb->velocity);
    limb->load[0] = mass * (model->chain.gravity[0] - link->acceleration[0])
                    + (revolute ? TC_C(0.0) : tau * joint->at[0]);
    limb->load[1] = mass * (model->chain.gravity[1] - link->acceleration[1])
                    + (revolute ? TC_C(0.0) : tau * joint->at[1]);
    limb->load[2] = revolute ? tau : TC_C(0.0);
    tc_chain2_mass_matrix(&model->chain, motion, last, work);
    tc_chain2_forces(&model->chain, motion, last, force);
    for (uint32_t k = 0; k < n; ++k) {
        const tc_chain2_column *column = &motion->column[k];
        tc_real rows[2];
        tc_real v[2];
        joint_column(motion, limb, k, rows);
        jacobian[k] = rows[0];
        jacobian[n + k] = rows[1];
        tc_chain2_column_velocity(column, link->position, v);
        const tc_real reaction =
            revolute ? column->turn : joint->at[0] * v[0] + joint->at[1] * v[1];
        force[k] += (torque == NULL ? TC_C(0.0) : torque[k]) - tau * reaction;
    }
}

/* The plane as seen from the chain's origin */
static tc_plane2 plane_from_origin(const tc_foot2 *foot, const tc_chain2_motion *motion)
{
    tc_plane2 plane = foot->plane;
    plane.offset -= plane.normal[0] * motion->origin[0] + plane.normal[1] * motion->origin[1];
    return plane;
}

/* ---- The
 * patch
 * ------------------------------------------------------------------------------------------ */

static void detect_at(const tc_foot2 *foot, const tc_real position[3], const tc_plane2 *plane,
                      tc_real margin, tc_patch2 *patch)
{
    const tc_body2_state state = {{position[0], position[1], position[2]},
                                  {TC_C(0.0), TC_C(0.0), TC_C(0.0)}};
    tc_detect2_unchecked(&foot->shape, &state, plane, margin, patch);
}

/* Lever and gap of vertex i where the link is now, its centre of mass `height` above the plane. One
 * that is below counts as on it: depth is for positions to mend, as gap / h it would be a speed. */
static inline void measure_vertex(const tc_foot2 *foot, const tc_chain2_link_motion *link,
                                  const tc_plane2 *plane, tc_real height, uint32_t i, tc_real at[2])
{
    const tc_real *n = plane->normal;
    const tc_real *vertex = foot->shape.vertices + 2u * i;
    const tc_real x = link->cosine * vertex[0] - link->sine * vertex[1];
    const tc_real y = link->sine * vertex[0] + link->cosine * vertex[1];
    at[0] = n[1] * x - n[0] * y;
    const tc_real gap = height + n[0] * x + n[1] * y - foot->shape.radius;
    at[1] = gap > TC_C(0.0) ? gap : TC_C(0.0);
}

/* Levers, height and gaps of the patch's vertices where the link is now, in ascending order */
static void measure_now(const tc_foot2 *foot, const tc_chain2_link_motion *link,
                        const tc_plane2 *plane, tc_patch2 *patch)
{
    const tc_real *n = plane->normal;
    patch->height = n[0] * link->position[0] + n[1] * link->position[1] - plane->offset;
    for (uint32_t i = 0; i < patch->count; ++i) {
        tc_real at[2];
        measure_vertex(foot, link, plane, patch->height, patch->vertex[i], at);
        patch->lever[i] = at[0];
        patch->gap[i] = at[1];
    }
    if (patch->count == 2u && patch->lever[1] < patch->lever[0]) {
        const tc_patch2 as_it_was = *patch;
        for (uint32_t i = 0; i < 2u; ++i) {
            patch->vertex[i] = as_it_was.vertex[1u - i];
            patch->lever[i] = as_it_was.lever[1u - i];
            patch->gap[i] = as_it_was.gap[1u - i];
        }
    }
}

/* Vertices below the plane after a step with velocity v */
static void predict_limb2(const tc_foot2 *foot, const tc_chain2_link_motion *link,
                          const tc_real v[3], const tc_plane2 *plane, tc_patch2 *patch)
{
    const tc_real h = foot->step;
    const tc_real bend = TC_C(0.5) * h * h;
    const tc_real after[3] = {link->position[0] + h * v[0] + bend * link->acceleration[0],
                              link->position[1] + h * v[1] + bend * link->acceleration[1],
                              link->position[2] + h * v[2]};
    detect_at(foot, after, plane, TC_C(0.0), patch);
    measure_now(foot, link, plane, patch);
}

/* A second corner that the first one's stop turns down makes an edge of a point. */
static void widen_patch(tci_limb2_system *s, const tc_chain2_link_motion *link,
                        const tc_plane2 *plane, tc_patch2 *patch)
{
    tc_patch2 second;
    tc_real p[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    tc_real v[3];
    tci_limb2_set_patch(s, patch, 1);
    tci_limb2_contact_space(s);
    tc_learned2_space_normals(&s->space, TC_C(0.0), p + 1);
    tci_limb2_velocity(s, p, v);
    predict_limb2(s->foot, link, v, plane, &second);
    for (uint32_t i = 0; i < second.count; ++i) {
        if (second.vertex[i] != patch->vertex[0]) {
            patch->vertex[1] = second.vertex[i];
            patch->count = 2;
        }
    }
    if (patch->count == 2u) {
        measure_now(s->foot, link, plane, patch);
    }
}

/* Of the contacts that were solved the one that bears beyond their centre of pressure, as seen from
 * `lever`: it and a contact at `lever` can bear what both did. */
static uint32_t across_limb2(const tc_patch2 *patch, const tc_real normal[2], tc_real lever)
{
    const tc_real moment = normal[0] * patch->lever[0] + normal[1] * patch->lever[1];
    const uint32_t side = (normal[0] + normal[1]) * lever < moment ? 1u : 0u;
    return normal[side] > TC_C(0.0) ? side : 1u - side;
}

/* Whether a vertex ends below the plane with velocity v of the contacts that were solved, s->patch
 * with these normals, as they see it: linear in time, levers as now. Then the lowest takes the
 * place of one of them. */
static int replace_limb2(const tci_limb2_system *s, const tc_chain2_link_motion *link,
                         const tc_real v[3], const tc_plane2 *plane, const tc_real normal[2],
                         tc_patch2 *patch)
{
    const tc_foot2 *foot = s->foot;
    const tc_real *n = plane->normal, *vertex = foot->shape.vertices;
    const tc_real fall = foot->step * (n[0] * v[0] + n[1] * v[1]), turn = foot->step * v[2];
    const tc_real level = patch->height - foot->shape.radius + fall;
    const tc_real down[2] = {n[0] * link->cosine + n[1] * link->sine,
                             n[1] * link->cosine - n[0] * link->sine};
    const tc_real along[2] = {down[0] + turn * down[1], down[1] - turn * down[0]};
    tc_real lowest = -TCI_SCHEME_ROUNDING, lever = TC_C(0.0);
    uint32_t missed = foot->shape.count;
    for (uint32_t i = 0; i < foot->shape.count; ++i, vertex += 2) {
        if (level + along[0] * vertex[0] + along[1] * vertex[1] < lowest) {
            /* or it counts as on the plane now */
            tc_real at[2];
            measure_vertex(foot, link, plane, patch->height, i, at);
            const tc_real end = at[1] + fall + turn * at[0];
            missed = end < lowest ? i : missed;
            lever = end < lowest ? at[0] : lever;
            lowest = end < lowest ? end : lowest;
        }
    }
    if (missed == foot->shape.count) {
        return 0;
    }
    const int bears = normal[0] + normal[1] > TC_C(0.0);
    patch->vertex[0] = missed;
    patch->vertex[1] = bears ? s->patch.vertex[across_limb2(&s->patch, normal, lever)] : missed;
    patch->count = patch->vertex[1] == missed ? 1u : 2u;
    measure_now(foot, link, plane, patch);
    return 1;
}

static inline const tc_chain2_link_motion *last_link(const limb2_run *run)
{
    return &run->state->motion.link[run->state->motion.links - 1u];
}

static void find_limb2(void *mover)
{
    limb2_run *const run = mover;
    detect_at(run->s.foot, last_link(run)->position, &run->plane, TC_C(0.0), &run->patch);
}

static LEARNED_APART void foresee_limb2(void *mover)
{
    limb2_run *const run = mover;
    tc_real v[3];
    if (!run->prepared) {
        return;
    }
    tci_limb2_velocity(&run->s, NULL, v);
    predict_limb2(run->s.foot, last_link(run), v, &run->plane, &run->patch);
    if (run->patch.count == 1u) {
        widen_patch(&run->s, last_link(run), &run->plane, &run->patch);
    }
}

/* ----
 * Positions
 * ------------------------------------------------------------------------------------------ */

/* The joint's own rate from the rates of both its sides */
static tc_real last_rate(const tc_chain2_motion *motion, const tc_limb2_mechanism *limb,
                         const tc_real *rates, const tc_real v[3])
{
    const int revolute = limb->joint == TC_CHAIN_REVOLUTE;
    tc_real rate = revolute ? v[2] : limb->at[0] * v[0] + limb->at[1] * v[1];
    for (uint32_t k = 0; k < limb->n; ++k) {
        tc_real u[2];
        tc_chain2_column_velocity(&motion->column[k], motion->link[motion->links - 1u].position, u);
        rate -= rates[k]
                * (revolute ? motion->column[k].turn : limb->at[0] * u[0] + limb->at[1] * u[1]);
    }
    return rate;
}

static tc_real greatest_depth(const tc_patch2 *patch)
{
    tc_real depth = TC_C(0.0);
    for (uint32_t i = 0; i < patch->count; ++i) {
        depth = -patch->gap[i] > depth ? -patch->gap[i] : depth;
    }
    return depth;
}

/* q += h times the least rates from rest with which the patch's contacts move by at least -offset
 * [m/s]. The inertia is that of the beginning of the step: it differs from the one now by O(h). */
static void lift_limb2(tci_limb2_system *s, const tc_chain2_motion *motion, tc_real *q,
                       tc_real *rates)
{
    tc_real p[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    tc_real v[3];
    tc_learned2_space_normals(&s->space, TC_C(0.0), p + 1);
    tci_limb2_rates(s, p, rates, v);
    rates[s->n] = last_rate(motion, s->limb, rates, v);
    tc_chain_shorten(rates, s->size, s->foot->step);
    for (uint32_t k = 0; k < s->size; ++k) {
        q[k] += s->foot->step * rates[k];
    }
}

/* Scheme dart: the contacts of the step are pushed out, slowly. */
static void push_out_limb2(tci_limb2_system *s, const tc_chain2_motion *motion, tc_real *q,
                           tc_real *rates)
{
    tci_limb2_stand_still(s);
    for (uint32_t i = 0; i < s->patch.count; ++i) {
        s->space.approach[i] = -tci_scheme_push_speed(s->patch.gap[i], s->foot->step);
    }
    lift_limb2(s, motion, q, rates);
}

/* The lowest vertex, and how deep it is */
static uint32_t lowest_limb2(const tc_foot2 *foot, const tc_chain2_link_motion *link,
                             const tc_plane2 *plane, tc_real *depth)
{
    const tc_real *n = plane->normal;
    const tc_real *vertex = foot->shape.vertices;
    const tc_real along[2] = {n[0] * link->cosine + n[1] * link->sine,
                              n[1] * link->cosine - n[0] * link->sine};
    tc_real least = along[0] * vertex[0] + along[1] * vertex[1];
    uint32_t found = 0;
    for (uint32_t i = 1; i < foot->shape.count; ++i) {
        vertex += 2;
        const tc_real height = along[0] * vertex[0] + along[1] * vertex[1];
        found = height < least ? i : found;
        least = height < least ? height : least;
    }
    const tc_real height = n[0] * link->position[0] + n[1] * link->position[1] - plane->offset;
    *depth = -(height - foot->shape.radius + least);
    return found;
}

/* Places the links of q; what is the lowest vertex of the last one then, and how deep. The plane is
 * seen from there. */
static uint32_t lowest_at(const tc_foot2 *foot, const tc_chain2 *chain, const tc_real *q,
                          tc_chain2_motion *motion, tc_plane2 *plane, tc_real *depth)
{
    tc_chain2_place(chain, q, motion);
    *plane = plane_from_origin(foot, motion);
    return lowest_limb2(foot, &motion->link[motion->links - 1u], plane, depth);
}

/* Where vertex `low`, so deep, is none of the contacts, it takes the place of the one that is
 * closer along the plane. */
static LEARNED_APART void hold_lowest(const tc_foot2 *foot, const tc_chain2_link_motion *link,
                                      const tc_plane2 *plane, uint32_t low, tc_real depth,
                                      tc_patch2 *patch)
{
    tc_real at[2];
    if (patch->vertex[0] == low || (patch->count == 2u && patch->vertex[1] == low)) {
        return;
    }
    measure_vertex(foot, link, plane, patch->height, low, at);
    const uint32_t side =
        patch->count == 2u && patch->lever[1] - at[0] < at[0] - patch->lever[0] ? 1u : 0u;
    patch->vertex[side] = low;
    patch->lever[side] = at[0];
    patch->gap[side] = -depth;
}

/* Step 4 but of dart: returns the penetration that is left. after[dof]: positions, which are
 * lifted, then as much scratch. Of the motion the positions are overwritten, and the patch. */
static tc_real lift_lowest(limb2_run *run, tc_real *after)
{
    tci_limb2_system *const s = &run->s;
    const tc_chain2 *const chain = &run->model->chain;
    tc_chain2_motion *const motion = &run->state->motion;
    tc_real depth;
    const uint32_t low = lowest_at(s->foot, chain, after, motion, &run->plane, &depth);
    if (depth > TCI_SCHEME_ROUNDING && run->prepared) {
        const tc_chain2_link_motion *const link = last_link(run);
        detect_at(s->foot, link->position, &run->plane, NEAR_LIMB2, &run->patch);
        hold_lowest(s->foot, link, &run->plane, low, depth, &run->patch);
        tci_limb2_stand_still(s);
        tci_limb2_set_patch(s, &run->patch, 1);
        tci_limb2_contact_space(s);
        lift_limb2(s, motion, after, after + s->size);
        (void)lowest_at(s->foot, chain, after, motion, &run->plane, &depth);
    }
    return depth > TCI_SCHEME_ROUNDING ? depth : TC_C(0.0);
}

/* ---- The
 * step
 * ------------------------------------------------------------------------------------------- */

/* rates[dof] after the contact, of a limb that is prepared */
LEARNED_INLINE tc_status find_rates_limb2(limb2_run *run, int ahead)
{
    tci_limb2_system *const s = &run->s;
    tc_real v[3];
    tc_status status;
    uint32_t patches = 0;
    do {
        tci_limb2_set_patch(s, &run->patch, ahead);
        status = tci_limb2_contact(s, run->next, v, run->info);
        ++patches;
    } while (ahead && status >= TC_OK && run->patch.count > 0u && patches < PATCHES_LIMB2
             && replace_limb2(s, last_link(run), v, &run->plane, run->info->contact.normal,
                              &run->patch));
    if (status >= TC_OK) {
        run->next[s->n] = last_rate(&run->state->motion, s->limb, run->next, v);
        run->info->penetration = greatest_depth(&run->patch);
    }
    return status;
}

/* The end of a solve that ended with this status: rates within the limits of tc_chain2.h. Where
 * they were not, or there are none at all, they are slowed down or 0, and told without contact. */
static tc_status bound_rates(tc_status status, tc_real *rates, uint32_t dof, tc_limb2_info *info)
{
    if (tc_learned_unanswered(status)) {
        memset(rates, 0, dof * sizeof *rates);
    } else if (status < TC_OK || !tc_chain_slow(rates, dof)) {
        return status;
    }
    tci_limb2_no_contact(info);
    info->contact.decision.flags = (uint32_t)TC_LEARNED_FALLBACK;
    return TC_NOTE_FALLBACK;
}

/* Positions after the step, without a correction */
static inline void move_on_limb2(limb2_run *run)
{
    const uint32_t dof = run->s.size;
    const tc_real h = run->s.foot->step, *const q = run->state->q, *const rates = run->next;
    tc_real *const after = run->next + dof;
    for (uint32_t k = 0; k < dof; ++k) {
        after[k] = q[k] + h * rates[k];
    }
}

/* Rates after, and where they lead to. */
static tc_status respond_limb2(void *mover, int ahead)
{
    limb2_run *const run = mover;
    tc_status status = run->prepared ? find_rates_limb2(run, ahead) : TC_ERR_NOT_CERTIFIED;
    status = bound_rates(status, run->next, run->s.size, run->info);
    if (status >= TC_OK) {
        move_on_limb2(run);
    }
    return status;
}

static tc_status push_limb2(void *mover)
{
    limb2_run *const run = mover;
    tc_real *const after = run->next + run->s.size;
    if (run->info->contact.count > 0u) {
        push_out_limb2(&run->s, &run->state->motion, after, after + run->s.size);
    }
    return TC_OK;
}

/* ---- Time of contact ------------------------------------------------------------------------- */

/* positions[dof] after so much time at the rates so far */
static void advance_positions(const limb2_run *run, tc_real time, tc_real *positions)
{
    const uint32_t dof = run->s.size;
    for (uint32_t k = 0; k < dof; ++k) {
        positions[k] = run->next[dof + k] + time * run->next[k];
    }
}

/* The impulses of the step so far */
static tc_real *told_limb2(const limb2_run *run)
{
    return run->next + 4u * run->s.size + JOINT_LIMB2;
}

/* Velocity of the last link at the rates so far, where it is now */
static void link_velocity(const limb2_run *run, tc_real v[3])
{
    const tc_chain2_motion *const motion = &run->state->motion;
    memset(v, 0, 3u * sizeof *v);
    for (uint32_t k = 0; k < motion->dof; ++k) {
        tc_real u[2];
        tc_chain2_column_velocity(&motion->column[k], last_link(run)->position, u);
        v[0] += run->next[k] * u[0];
        v[1] += run->next[k] * u[1];
        v[2] += run->next[k] * motion->column[k].turn;
    }
}

static LEARNED_APART tc_real share_limb2(void *mover, tc_real left)
{
    const limb2_run *const run = mover;
    const tc_foot2 *const foot = run->s.foot;
    const tc_chain2_link_motion *const link = last_link(run);
    const tc_real *const n = run->plane.normal;
    const tc_real height = n[0] * link->position[0] + n[1] * link->position[1] - run->plane.offset;
    tc_real v[3], first = TC_C(1.0);
    link_velocity(run, v);
    const tc_real fall = left * (n[0] * v[0] + n[1] * v[1]), turn = left * v[2];
    for (uint32_t i = 0; i < foot->shape.count; ++i) {
        tc_real at[2];
        measure_vertex(foot, link, &run->plane, height, i, at);
        const tc_real moved = fall + turn * at[0];
        if (at[1] + first * moved < -SINK_LIMB2) {
            first = at[1] / -moved;
        }
    }
    return first;
}

/* Moves to the touch, and prepares for it. The second of two does not begin warm: the first one was
 * another contact. */
static LEARNED_APART tc_status arrive_limb2(limb2_run *run, tc_real time)
{
    const uint32_t dof = run->s.size, n = dof - 1u;
    const tc_foot2 *const foot = run->s.foot;
    tc_chain2_motion *const motion = &run->state->motion;
    tc_limb2_branch *const last = run->info->contact.count == 0u ? run->s.last : NULL;
    tc_real *const after = run->next + dof, *const work = told_limb2(run) + TOLD_LIMB2;
    tc_real depth;
    advance_positions(run, time, after);
    const tc_status status = tc_chain2_move(&run->model->chain, after, run->next, motion);
    if (status < TC_OK) {
        return status;
    }
    fill_limb_limb2(run->model, run->state, NULL, &run->limb, work);
    run->limb.rate = run->next;
    memset(run->limb.load, 0, sizeof run->limb.load);
    memset(work + n * n + 2u * n, 0, n * sizeof *work);
    run->prepared =
        tci_limb2_prepare(&run->s, foot, &run->model->config, &run->limb, work + n * n + 3u * n)
        >= TC_OK;
    run->s.last = last;
    run->plane = plane_from_origin(foot, motion);
    (void)lowest_limb2(foot, last_link(run), &run->plane, &depth);
    const tc_real reach = TCI_SCHEME_TOUCH + tc_vec_not_negative(-depth);
    const tc_real height = tc_vec_magnitude(foot->shape.radius - depth);
    detect_at(foot, last_link(run)->position, &run->plane, TC_MLA(reach, ROUNDING_LIMB2, height),
              &run->patch);
    return TC_OK;
}

/* Adds what was told before. A limb that was slowed down is told without contact. */
static LEARNED_APART void add_told_limb2(limb2_run *run, tc_status status)
{
    tc_limb2_info *const info = run->info;
    tc_real *const now[TOLD_LIMB2] = {&info->contact.friction,  &info->contact.normal[0],
                                      &info->contact.normal[1], &info->contact.torque,
                                      &info->joint[0],          &info->joint[1]};
    tc_real *const told = told_limb2(run);
    for (uint32_t k = 0; k < TOLD_LIMB2; ++k) {
        *now[k] += status == TC_NOTE_FALLBACK && info->contact.count == 0u ? TC_C(0.0) : told[k];
        told[k] = *now[k];
    }
}

static tc_status touch_limb2(void *mover, tc_real left, tc_real share)
{
    limb2_run *const run = mover;
    tc_limb2_info *const info = run->info;
    const uint32_t flags = info->contact.decision.flags;
    const uint32_t evaluations = info->evaluations, solves = info->solves;
    tc_status status = arrive_limb2(run, share * left);
    if (status >= TC_OK) {
        status = run->prepared ? find_rates_limb2(run, 0) : TC_ERR_NOT_CERTIFIED;
        status = bound_rates(status, run->next, run->s.size, info);
        add_told_limb2(run, status);
        info->contact.decision.flags |= flags;
        info->evaluations += evaluations;
        info->solves += solves;
    }
    return status;
}

/* Scheme gap lifts what its contacts leave below, at once. */
static LEARNED_APART tc_status settle_limb2(void *mover, tc_real left, int ahead, int *deep)
{
    limb2_run *const run = mover;
    const uint32_t dof = run->s.size;
    const tc_chain2 *const chain = &run->model->chain;
    tc_real *const after = run->next + dof, *const end = after + dof;
    tc_real depth;
    *deep = 0;
    if (ahead) {
        if (run->info->contact.count > 0u) {
            run->info->penetration = lift_lowest(run, after);
        }
        return TC_OK;
    }
    advance_positions(run, left, end);
    (void)lowest_at(run->s.foot, chain, end, &run->state->motion, &run->plane, &depth);
    *deep = depth > TCI_SCHEME_ROUNDING;
    if (*deep) {
        (void)lowest_at(run->s.foot, chain, after, &run->state->motion, &run->plane, &depth);
    } else {
        memcpy(after, end, dof * sizeof *after);
        run->info->penetration = TC_C(0.0);
    }
    return TC_OK;
}

static LEARNED_APART void wait_limb2(void *mover, tc_real left, tc_real share)
{
    limb2_run *const run = mover;
    tc_real *const after = run->next + run->s.size;
    advance_positions(run, share * left, after);
    run->info->penetration = lift_lowest(run, after);
}

/* The rates without contact, and what the force gave to them */
static LEARNED_APART void begin_toc_limb2(limb2_run *run)
{
    const uint32_t dof = run->s.size;
    tc_limb2_state *const state = run->state;
    tc_real *const next = run->next, *const gained = next + 3u * dof, *const told = told_limb2(run);
    tc_real v[3];
    tci_limb2_no_contact(run->info);
    run->info->consistent = 1;
    if (run->prepared) {
        tci_limb2_rates(&run->s, NULL, next, v);
        tci_limb2_report(&run->s, NULL, next, v, run->info);
        next[dof - 1u] = last_rate(&state->motion, &run->limb, next, v);
    }
    (void)bound_rates(run->prepared ? TC_OK : TC_ERR_NOT_CERTIFIED, next, dof, run->info);
    memset(told, 0, TOLD_LIMB2 * sizeof *told);
    for (uint32_t k = 0; k < JOINT_LIMB2; ++k) {
        gained[dof + k] = told[TOLD_LIMB2 - JOINT_LIMB2 + k] = run->info->joint[k];
    }
    for (uint32_t k = 0; k < dof; ++k) {
        gained[k] = next[k] - state->qd[k];
        next[dof + k] = state->q[k];
    }
}

/* Takes the force of the time that was waited back. */
static LEARNED_APART tc_status end_toc_limb2(limb2_run *run, tc_status status, tc_real waited)
{
    const uint32_t dof = run->s.size;
    tc_limb2_info *const info = run->info;
    const tc_real *const gained = run->next + 3u * dof, share = waited / run->s.foot->step;
    if (status < TC_OK) {
        return status;
    }
    for (uint32_t k = 0; waited > TC_C(0.0) && k < dof; ++k) {
        run->next[k] -= share * gained[k];
    }
    for (uint32_t k = 0; waited > TC_C(0.0) && k < JOINT_LIMB2; ++k) {
        info->joint[k] -= share * gained[dof + k];
    }
    status = bound_rates(status, run->next, dof, info);
    info->contact.waited = waited;
    const int fell = (info->contact.decision.flags & (uint32_t)TC_LEARNED_FALLBACK) != 0u;
    return fell ? TC_NOTE_FALLBACK : status;
}

static const tci_scheme_mover scheme_limb2 = {find_limb2,  foresee_limb2, respond_limb2,
                                              push_limb2,  settle_limb2,  share_limb2,
                                              touch_limb2, wait_limb2};

/* next: rates after [dof], positions after [dof], and the workspace. The state's q and qd are not
 * written. */
static tc_status advance_limb2(const tc_limb2 *model, const tc_real *torque, tc_limb2_state *state,
                               tc_limb2_info *info, tc_limb2_branch *last, tc_real *next)
{
    limb2_run run;
    const tc_foot2 *const foot = &model->foot;
    const uint32_t dof = state->motion.dof;
    const uint32_t limb_len = (dof - 1u) * (dof - 1u) + 3u * (dof - 1u);
    tc_real *const work = next + 4u * dof + JOINT_LIMB2 + TOLD_LIMB2, waited;
    const int toc = foot->positions == TC_SCHEME_TOC;
    run.model = model;
    run.state = state;
    run.info = info;
    run.next = next;
    fill_limb_limb2(model, state, torque, &run.limb, work);
    run.plane = plane_from_origin(foot, &state->motion);
    run.prepared =
        tci_limb2_prepare(&run.s, foot, &model->config, &run.limb, work + limb_len) >= TC_OK;
    run.s.last = model->config.warm ? last : NULL;
    if (toc) {
        begin_toc_limb2(&run);
    }
    tc_status status = tci_scheme_step(&scheme_limb2, &run, foot->positions, foot->step, &waited);
    if (toc) {
        status = end_toc_limb2(&run, status, waited);
    }
    if (status < TC_OK) {
        return status;
    }
    if (info->contact.count == 0u) {
        last->count = 0;
    }
    return tc_all_finite(next + dof, dof) ? status : TC_ERR_RANGE;
}

tc_status tc_limb2_step(const tc_limb2 *limb, const tc_real *torque, tc_limb2_state *state,
                        tc_limb2_info *info, tc_real *work, size_t work_len)
{
    tc_limb2_info unwanted;
    tc_limb2_info *found = info != NULL ? info : &unwanted;
    if (limb == NULL || state == NULL || work == NULL) {
        tci_limb2_no_contact(found);
        return TC_ERR_NULL;
    }
    const uint32_t dof = tc_chain2_dof(&limb->chain, limb->chain.count);
    tc_status status = tc_work_check(work, work_len, TC_LIMB2_WORK(dof, limb->foot.model.work_len));
    if (status >= TC_OK) {
        status = tc_chain_check_torque(torque, dof);
    }
    if (status >= TC_OK) {
        status = tc_chain2_move(&limb->chain, state->q, state->qd, &state->motion);
    }
    if (status >= TC_OK) {
        tc_real *next = work;
        tc_limb2_branch last = state->last;
        status = advance_limb2(limb, torque, state, found, &last, next);
        if (status >= TC_OK) {
            memcpy(state->qd, next, dof * sizeof *next);
            memcpy(state->q, next + dof, dof * sizeof *next);
            state->last = last;
        }
    }
    if (status < TC_OK) {
        tci_limb2_no_contact(found);
    }
    return status;
}
