/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Particles and bodies as movers of a scene.
 *
 * A body in the plane has the columns (e_x, e_y, turn about z at its centre), one in space (e_x,
 * e_y, e_z, turns about them). The mass matrix is diag(m, I), in space with R diag(I) R^T in world
 * axes; the force is the weight, in space with the gyroscopic torque -omega x I omega.
 *
 * Without contact gravity is exact: x += h v + h^2 g / 2, v += h g. A spatial body turns by
 * tc_body3_coast_core.
 */
#include "tc_exact.h"
#include "tc_scene_core.h"

#include "tc_body_core.h"

#include <string.h>

/* ---- What they share ------------------------------------------------------------------------- */

static void set_columns(tc_scene_column *column, const tc_real at[3], uint32_t slides,
                        uint32_t first_turn, uint32_t turns)
{
    memset(column, 0, (slides + turns) * sizeof *column);
    for (uint32_t k = 0; k < slides; ++k) column[k].at[k] = TC_C(1.0);
    for (uint32_t k = 0; k < turns; ++k) {
        column[slides + k].turn[first_turn + k] = TC_C(1.0);
        memcpy(column[slides + k].at, at, sizeof column->at);
    }
}

/* Upright, at rest, at q[dimension] */
static void set_frame(tc_scene_frame *frame, const tc_real *q, const tc_real *v, uint32_t dimension)
{
    memset(frame, 0, sizeof *frame);
    memcpy(frame->at, q, dimension * sizeof *q);
    memcpy(frame->velocity, v, dimension * sizeof *v);
    frame->R[0] = frame->R[4] = frame->R[8] = TC_C(1.0);
}

static void set_diagonal(tc_scene_placed *placed, const tc_scene_span *span, tc_real mass,
                         uint32_t dimension)
{
    tc_real *const M = placed->factor + span->factor;
    memset(M, 0, span->rates * span->rates * sizeof *M);
    memset(placed->force + span->v, 0, span->rates * sizeof *M);
    for (uint32_t k = 0; k < dimension; ++k) {
        M[(span->rates + 1u) * k] = mass;
        placed->force[span->v + k] = mass * placed->scene->gravity[k];
    }
}

static void fall_freely(const tc_real gravity[3], tc_real h, uint32_t dimension, tc_real *q,
                        tc_real *v)
{
    for (uint32_t k = 0; k < dimension; ++k) {
        q[k] = TC_MLA(q[k], h, TC_MLA(v[k], TC_C(0.5) * h, gravity[k]));
        v[k] = TC_MLA(v[k], h, gravity[k]);
    }
}

/* ---- Particles ------------------------------------------------------------------------------- */

static void measure_particle2(const tc_scene_mover *mover, tc_scene_span *span)
{
    (void)mover;
    span->coordinates = span->rates = span->slides = 2;
    span->links = 1;
}

static void measure_particle3(const tc_scene_mover *mover, tc_scene_span *span)
{
    (void)mover;
    span->coordinates = span->rates = span->slides = 3;
    span->links = 1;
}

static tc_status check_particle(const tc_scene_mover *mover)
{
    if (!tc_all_finite(&mover->mass, 1)) return TC_ERR_NOT_FINITE;
    if (!(mover->mass > TC_C(0.0))) return TC_ERR_BODY;
    const int within =
        mover->mass <= TC_CHAIN_BODY_MAX && mover->mass >= TC_C(1.0) / TC_CHAIN_BODY_MAX;
    return within ? TC_OK : TC_ERR_RANGE;
}

static tc_status place_particle(tc_scene_placed *placed, uint32_t m, const tc_real *q,
                                const tc_real *v, int matrix)
{
    const tc_scene_span *const span = &placed->span[m];
    set_frame(&placed->frame[span->link], q, v, span->rates);
    set_columns(&placed->column[span->v], q, span->rates, 0, 0);
    if (matrix) set_diagonal(placed, span, placed->scene->mover[m].mass, span->rates);
    return TC_OK;
}

static void derive_particle2(const tc_scene_mover *mover, const tc_real *q, const tc_real *v,
                             tc_real *qd)
{
    (void)mover;
    (void)q;
    memcpy(qd, v, 2u * sizeof *v);
}

static void derive_particle3(const tc_scene_mover *mover, const tc_real *q, const tc_real *v,
                             tc_real *qd)
{
    (void)mover;
    (void)q;
    memcpy(qd, v, 3u * sizeof *v);
}

static void shift_particle2(const tc_scene_mover *mover, tc_real h, const tc_real *v, tc_real *q)
{
    (void)mover;
    for (uint32_t k = 0; k < 2u; ++k) q[k] = TC_MLA(q[k], h, v[k]);
}

static void shift_particle3(const tc_scene_mover *mover, tc_real h, const tc_real *v, tc_real *q)
{
    (void)mover;
    for (uint32_t k = 0; k < 3u; ++k) q[k] = TC_MLA(q[k], h, v[k]);
}

static void coast_particle2(const tc_scene_mover *mover, const tc_real gravity[3], tc_real h,
                            tc_real *q, tc_real *v)
{
    (void)mover;
    fall_freely(gravity, h, 2, q, v);
}

static void coast_particle3(const tc_scene_mover *mover, const tc_real gravity[3], tc_real h,
                            tc_real *q, tc_real *v)
{
    (void)mover;
    fall_freely(gravity, h, 3, q, v);
}

static tc_real mass_particle(const tc_scene_mover *mover, uint32_t link)
{
    (void)link;
    return mover->mass;
}

const tc_scene_type tc_scene_particle2 = {measure_particle2, check_particle,  place_particle,
                                          derive_particle2,  shift_particle2, coast_particle2,
                                          mass_particle};
const tc_scene_type tc_scene_particle3 = {measure_particle3, check_particle,  place_particle,
                                          derive_particle3,  shift_particle3, coast_particle3,
                                          mass_particle};

/* ---- Bodies in the plane --------------------------------------------------------------------- */

static void measure_body2(const tc_scene_mover *mover, tc_scene_span *span)
{
    (void)mover;
    span->coordinates = span->rates = 3;
    span->links = 1;
    span->slides = 2;
}

static tc_status check_scene_body2(const tc_scene_mover *mover)
{
    return tc_body2_check(mover->body2);
}

static tc_status place_body2(tc_scene_placed *placed, uint32_t m, const tc_real *q,
                             const tc_real *v, int matrix)
{
    const tc_scene_span *const span = &placed->span[m];
    tc_scene_frame *const frame = &placed->frame[span->link];
    const tc_body2 *const body = placed->scene->mover[m].body2;
    set_frame(frame, q, v, 2);
    tc_sincos_core(q[2], &frame->R[3], &frame->R[0]);
    frame->R[1] = -frame->R[3];
    frame->R[4] = frame->R[0];
    frame->omega[2] = v[2];
    set_columns(&placed->column[span->v], frame->at, 2, 2, 1);
    if (matrix) {
        set_diagonal(placed, span, body->mass, 2);
        placed->factor[span->factor + 8u] = body->inertia;
    }
    return TC_OK;
}

static void coast_body2(const tc_scene_mover *mover, const tc_real gravity[3], tc_real h,
                        tc_real *q, tc_real *v)
{
    (void)mover;
    fall_freely(gravity, h, 2, q, v);
    q[2] = TC_MLA(q[2], h, v[2]);
}

static tc_real mass_body2(const tc_scene_mover *mover, uint32_t link)
{
    (void)link;
    return mover->body2->mass;
}

const tc_scene_type tc_scene_body2 = {measure_body2,    check_scene_body2, place_body2,
                                      derive_particle3, shift_particle3,   coast_body2,
                                      mass_body2};

/* ---- Bodies in space ------------------------------------------------------------------------- */

static void measure_body3(const tc_scene_mover *mover, tc_scene_span *span)
{
    (void)mover;
    span->coordinates = 7;
    span->rates = 6;
    span->links = 1;
    span->slides = 3;
}

static tc_status check_scene_body3(const tc_scene_mover *mover)
{
    return tc_body3_check(mover->body3);
}

/* The block R diag(I) R^T, and the torque -omega x (R diag(I) R^T omega) */
static void set_inertia(tc_scene_placed *placed, const tc_scene_span *span, const tc_body3 *body,
                        const tc_scene_frame *frame)
{
    tc_real *const M = placed->factor + span->factor;
    tc_real *const torque = placed->force + span->v + 3u;
    tc_real momentum[3], w[3];
    for (uint32_t i = 0; i < 3u; ++i) {
        const tc_real *const Ri = frame->R + 3u * i;
        const tc_real row[3] = {Ri[0] * body->inertia[0], Ri[1] * body->inertia[1],
                                Ri[2] * body->inertia[2]};
        for (uint32_t j = 0; j < 3u; ++j) {
            M[6u * (3u + i) + 3u + j] = tc_vec_dot3(row, frame->R + 3u * j);
        }
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        momentum[i] = tc_vec_dot3(M + 6u * (3u + i) + 3u, frame->omega);
    }
    tc_vec_cross(momentum, frame->omega, w);
    memcpy(torque, w, sizeof w);
}

static tc_status place_body3(tc_scene_placed *placed, uint32_t m, const tc_real *q,
                             const tc_real *v, int matrix)
{
    const tc_scene_span *const span = &placed->span[m];
    tc_scene_frame *const frame = &placed->frame[span->link];
    const tc_body3 *const body = placed->scene->mover[m].body3;
    if (!tc_vec_is_unit(q + 3, 4)) return TC_ERR_UNIT;
    set_frame(frame, q, v, 3);
    tc_vec_rotation(q + 3, frame->R);
    memcpy(frame->omega, v + 3, sizeof frame->omega);
    set_columns(&placed->column[span->v], frame->at, 3, 0, 3);
    if (matrix) {
        set_diagonal(placed, span, body->mass, 3);
        set_inertia(placed, span, body, frame);
    }
    return TC_OK;
}

/* A quaternion's derivative: half of (0, omega) times it */
static void derive_quaternion(const tc_real p[4], const tc_real omega[3], tc_real pd[4])
{
    tc_real cross[3];
    tc_vec_cross(omega, p + 1, cross);
    pd[0] = TC_C(-0.5) * tc_vec_dot3(omega, p + 1);
    for (uint32_t k = 0; k < 3u; ++k) {
        pd[1u + k] = TC_C(0.5) * TC_MLA(cross[k], p[0], omega[k]);
    }
}

void tc_scene_derive_body3(const tc_scene_mover *mover, const tc_real *q, const tc_real *v,
                           tc_real *qd)
{
    (void)mover;
    memcpy(qd, v, 3u * sizeof *v);
    derive_quaternion(q + 3, v + 3, qd + 3);
}

static void shift_body3(const tc_scene_mover *mover, tc_real h, const tc_real *v, tc_real *q)
{
    shift_particle3(mover, h, v, q);
    tc_vec_quaternion_turn(h, v + 3, q + 3);
}

static void coast_body3(const tc_scene_mover *mover, const tc_real gravity[3], tc_real h,
                        tc_real *q, tc_real *v)
{
    tc_body3_state state;
    memcpy(state.position, q, 3u * sizeof *q);
    memcpy(state.orientation, q + 3, 4u * sizeof *q);
    memcpy(state.velocity, v, 6u * sizeof *v);
    tc_body3_coast_core(mover->body3, h, &state);
    memcpy(q + 3, state.orientation, 4u * sizeof *q);
    memcpy(v + 3, state.velocity + 3, 3u * sizeof *v);
    fall_freely(gravity, h, 3, q, v);
}

static tc_real mass_body3(const tc_scene_mover *mover, uint32_t link)
{
    (void)link;
    return mover->body3->mass;
}

const tc_scene_type tc_scene_body3 = {
    measure_body3, check_scene_body3, place_body3, tc_scene_derive_body3,
    shift_body3,   coast_body3,       mass_body3};
