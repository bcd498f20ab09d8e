/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Flight of a scene's bodies under gravity and wrenches.
 *
 * Position is closed form, x += h v + h^2 a / 2 with a = g + F / m. A body in space has the angular
 * momentum L(t) = L + t torque in world axes, exactly, so its orientation alone is integrated:
 *
 *     q' = (0, omega) q / 2,   omega(q, t) = R I^-1 R^T L(t)
 *
 * by the Runge-Kutta formula of order four, in parts of at most PART_ANGLE. Per part it errs by
 * about PART_ANGLE^5 / 120. With three equal moments and no torque omega is constant, and the turn
 * exact.
 */
#include "tc_exact.h"
#include "tc_scene_step_sustained_internal.h"

#include "tc_scene_core.h"
#include "tc_vec.h"

#include <string.h>

#ifdef TC_DOUBLE
#define PART_ANGLE 0.01
#define PARTS_MAX 4000u
#else
#define PART_ANGLE TC_C(0.1)
#define PARTS_MAX 400u
#endif

/* y = R diag(I) R^T x, or with the inverse of I */
static void apply_inertia(const tc_body3 *body, const tc_real q[4], const tc_real x[3], int inverse,
                          tc_real y[3])
{
    tc_real R[9], own[3];
    tc_vec_rotation(q, R);
    tc_mat3_vec_t(R, x, own);
    for (uint32_t k = 0; k < 3u; ++k) {
        own[k] = inverse ? own[k] / body->inertia[k] : own[k] * body->inertia[k];
    }
    tc_mat3_vec(R, own, y);
}

/* A body that turns: L + time torque */
typedef struct turning_body {
    const tc_body3 *body;
    tc_real momentum[3];
    tc_real torque[3];
} turning_body;

/* Derivative of q at `time` */
static void derive_turning(const turning_body *turning, tc_real time, const tc_real q[4],
                           tc_real rate[4])
{
    tc_real momentum[3], v[6] = {TC_C(0.0)}, whole[7] = {TC_C(0.0)}, qd[7];
    for (uint32_t k = 0; k < 3u; ++k) {
        momentum[k] = TC_MLA(turning->momentum[k], time, turning->torque[k]);
    }
    tc_vec_quaternion_set(q, whole + 3);
    apply_inertia(turning->body, whole + 3, momentum, 1, v + 3);
    tc_scene_derive_body3(NULL, whole, v, qd);
    memcpy(rate, qd + 3, 4u * sizeof *rate);
}

/* q from `time` on, by one part of h */
static void turn_part(const turning_body *turning, tc_real time, tc_real h, tc_real q[4])
{
    static const tc_real ahead[4] = {TC_C(0.0), TC_C(0.5), TC_C(0.5), TC_C(1.0)};
    static const tc_real weight[4] = {TC_C(1.0), TC_C(2.0), TC_C(2.0), TC_C(1.0)};
    const tc_real sixth = h * TC_C(0.16666666666666667);
    tc_real rate[4] = {TC_C(0.0)}, sum[4] = {q[0], q[1], q[2], q[3]}, stage[4];
    for (uint32_t s = 0; s < 4u; ++s) {
        for (uint32_t k = 0; k < 4u; ++k) stage[k] = TC_MLA(q[k], ahead[s] * h, rate[k]);
        derive_turning(turning, TC_MLA(time, ahead[s], h), stage, rate);
        for (uint32_t k = 0; k < 4u; ++k) sum[k] = TC_MLA(sum[k], weight[s] * sixth, rate[k]);
    }
    tc_vec_quaternion_set(sum, q);
}

/* Number of parts of a turn by h: omega never exceeds |L| / the least moment */
static uint32_t count_parts(const turning_body *turning, tc_real h)
{
    const tc_real *const I = turning->body->inertia;
    tc_real end[3], least = I[0];
    for (uint32_t k = 0; k < 3u; ++k) {
        end[k] = TC_MLA(turning->momentum[k], h, turning->torque[k]);
        least = I[k] < least ? I[k] : least;
    }
    const tc_real before = tc_vec_dot3(turning->momentum, turning->momentum);
    const tc_real time = tc_vec_magnitude(h);
    const tc_real most = tc_sqrt(tc_vec_max(tc_vec_dot3(end, end), before)) * time / least;
    const tc_real parts = most / PART_ANGLE + TC_C(1.0);
    return parts < (tc_real)PARTS_MAX ? (uint32_t)parts : PARTS_MAX;
}

static int turns_exactly(const turning_body *turning)
{
    const tc_real *const I = turning->body->inertia, *const t = turning->torque;
    return I[0] == I[1] && I[1] == I[2] && t[0] == TC_C(0.0) && t[1] == TC_C(0.0)
           && t[2] == TC_C(0.0);
}

static void fly_body3(const tc_scene_mover *mover, tc_real h, tc_real *q, tc_real *v)
{
    turning_body turning = {.body = mover->body3};
    if (mover->wrench_ref != NULL) {
        memcpy(turning.torque, mover->wrench_ref->torque, sizeof turning.torque);
    }
    if (turns_exactly(&turning)) {
        tc_vec_quaternion_turn(h, v + 3, q + 3);
        return;
    }
    apply_inertia(mover->body3, q + 3, v + 3, 0, turning.momentum);
    const uint32_t parts = count_parts(&turning, h);
    const tc_real part = h / (tc_real)parts;
    for (uint32_t i = 0; i < parts; ++i) turn_part(&turning, (tc_real)i * part, part, q + 3);
    for (uint32_t k = 0; k < 3u; ++k) {
        turning.momentum[k] = TC_MLA(turning.momentum[k], h, turning.torque[k]);
    }
    apply_inertia(mover->body3, q + 3, turning.momentum, 1, v + 3);
}

/* tc_calls: tci_scene_step_fly lib/shape/tc_scene_movers.c:coast_particle2 */
/* tc_calls: tci_scene_step_fly lib/shape/tc_scene_movers.c:coast_particle3 */
/* tc_calls: tci_scene_step_fly lib/shape/tc_scene_movers.c:coast_body2 */
/* tc_calls: tci_scene_step_fly lib/shape/tc_scene_movers.c:coast_body3 */
void tci_scene_step_fly(const tci_scene_step_run *run, tc_real h, tc_real *q, tc_real *v)
{
    const tc_scene *const scene = run->scene;
    for (uint32_t m = 0; m < scene->movers; ++m) {
        const tc_scene_mover *const mover = &scene->mover[m];
        const tc_scene_span *const span = &run->placed.span[m];
        const int in_space = scene->dimension == 3u && mover->kind == TC_SCENE_BODY;
        if (!in_space) {
            tc_scene_type_of(scene, m)->coast(mover, scene->gravity, h, q + span->q, v + span->v);
            continue;
        }
        fly_body3(mover, h, q + span->q, v + span->v);
        for (uint32_t k = 0; k < 3u; ++k) {
            const tc_real force =
                mover->wrench_ref != NULL ? mover->wrench_ref->force[k] : TC_C(0.0);
            const tc_real a = scene->gravity[k] + force / mover->body3->mass;
            tc_real *const x = q + span->q + k, *const u = v + span->v + k;
            *x = TC_MLA(*x, h, TC_MLA(*u, TC_C(0.5) * h, a));
            *u = TC_MLA(*u, h, a);
        }
    }
}

/* tc_calls: tci_scene_step_shift lib/shape/tc_scene_movers.c:shift_particle2 */
/* tc_calls: tci_scene_step_shift lib/shape/tc_scene_movers.c:shift_particle3 */
/* tc_calls: tci_scene_step_shift lib/shape/tc_scene_movers.c:shift_body3 */
/* tc_calls: tci_scene_step_shift lib/shape/tc_scene_chains.c:shift_chain2 */
/* tc_calls: tci_scene_step_shift lib/shape/tc_scene_chains.c:shift_chain3 */
void tci_scene_step_shift(const tci_scene_step_run *run, tc_real h, const tc_real *change,
                          tc_real *q)
{
    for (uint32_t m = 0; m < run->scene->movers; ++m) {
        const tc_scene_span *const span = &run->placed.span[m];
        tc_scene_type_of(run->scene, m)
            ->shift(&run->scene->mover[m], h, change + span->v, q + span->q);
    }
}

void tci_scene_step_add(const tci_scene_step_run *run, tc_real share, const tc_real *change,
                        const tc_real *q_middle, const tc_real *q_free, const tc_real *q,
                        tc_real *v)
{
    const tc_scene *const scene = run->scene;
    for (uint32_t m = 0; m < scene->movers; ++m) {
        const tc_scene_span *const span = &run->placed.span[m];
        const int in_space = scene->dimension == 3u && scene->mover[m].kind == TC_SCENE_BODY;
        const uint32_t slides = in_space ? 3u : span->rates;
        for (uint32_t k = 0; k < slides; ++k) {
            v[span->v + k] = TC_MLA(v[span->v + k], share, change[span->v + k]);
        }
        if (!in_space) continue;
        const tc_body3 *const body = scene->mover[m].body3;
        tc_real *const omega = v + span->v + 3u, before[3], impulse[3];
        apply_inertia(body, q_free + span->q + 3u, omega, 0, before);
        apply_inertia(body, q_middle + span->q + 3u, change + span->v + 3u, 0, impulse);
        for (uint32_t k = 0; k < 3u; ++k) before[k] = TC_MLA(before[k], share, impulse[k]);
        apply_inertia(body, q + span->q + 3u, before, 1, omega);
    }
}
