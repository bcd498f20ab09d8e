/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Open chains as movers of a scene. tc_chain2.h and tc_chain3.h write everything relative to the
 * chain's origin; a scene has it in the world.
 */
#include "tc_exact.h"
#include "tc_scene_core.h"

#include "tc_vec.h"

#include <string.h>

/* ---- In the plane ---------------------------------------------------------------------------- */

static void measure_chain2(const tc_scene_mover *mover, tc_scene_span *span)
{
    span->links = mover->chain2->count;
    span->coordinates = span->rates = tc_chain2_dof(mover->chain2, span->links);
}

static tc_status check_scene_chain2(const tc_scene_mover *mover)
{
    return tc_chain2_check(mover->chain2);
}

static void write_frame2(const tc_chain2_motion *motion, uint32_t i, tc_scene_frame *frame)
{
    const tc_chain2_link_motion *const link = &motion->link[i];
    memset(frame, 0, sizeof *frame);
    for (uint32_t k = 0; k < 2u; ++k) {
        frame->at[k] = motion->origin[k] + link->position[k];
        frame->velocity[k] = link->velocity[k];
        frame->acceleration[k] = link->acceleration[k];
    }
    frame->omega[2] = link->velocity[2];
    frame->R[0] = frame->R[4] = link->cosine;
    frame->R[1] = -link->sine;
    frame->R[3] = link->sine;
    frame->R[8] = TC_C(1.0);
}

static void write_column2(const tc_chain2_motion *motion, uint32_t i, tc_scene_column *column)
{
    const tc_chain2_column *const c = &motion->column[i];
    memset(column, 0, sizeof *column);
    column->turn[2] = c->turn;
    column->link = c->link;
    for (uint32_t k = 0; k < 2u; ++k) {
        column->at[k] = c->turn != TC_C(0.0) ? motion->origin[k] + c->at[k] : c->at[k];
    }
}

static tc_status place_scene_chain2(tc_scene_placed *placed, uint32_t m, const tc_real *q,
                                    const tc_real *v, int matrix)
{
    const tc_scene_span *const span = &placed->span[m];
    const tc_scene *const scene = placed->scene;
    const tc_chain2 chain = {scene->mover[m].chain2->count,
                             scene->mover[m].chain2->links,
                             {scene->gravity[0], scene->gravity[1]}};
    tc_chain2_motion *const motion = (tc_chain2_motion *)(void *)placed->scratch;
    const tc_status status = tc_chain2_move(&chain, q, v, motion);
    if (status < TC_OK) return status;
    for (uint32_t i = 0; i < span->links; ++i) {
        write_frame2(motion, i, &placed->frame[span->link + i]);
    }
    for (uint32_t i = 0; i < span->rates; ++i) {
        write_column2(motion, i, &placed->column[span->v + i]);
    }
    if (matrix) {
        tc_chain2_mass_matrix(&chain, motion, span->links, placed->factor + span->factor);
        tc_chain2_forces(&chain, motion, span->links, placed->force + span->v);
    }
    return TC_OK;
}

static void derive_chain2(const tc_scene_mover *mover, const tc_real *q, const tc_real *v,
                          tc_real *qd)
{
    (void)q;
    memcpy(qd, v, tc_chain2_dof(mover->chain2, mover->chain2->count) * sizeof *v);
}

static void shift_chain2(const tc_scene_mover *mover, tc_real h, const tc_real *v, tc_real *q)
{
    const uint32_t n = tc_chain2_dof(mover->chain2, mover->chain2->count);
    for (uint32_t k = 0; k < n; ++k) q[k] = TC_MLA(q[k], h, v[k]);
}

static tc_real mass_chain2(const tc_scene_mover *mover, uint32_t link)
{
    return mover->chain2->links[link].body.mass;
}

const tc_scene_type tc_scene_chain2 = {measure_chain2, check_scene_chain2, place_scene_chain2,
                                       derive_chain2,  shift_chain2,       NULL,
                                       mass_chain2};

/* ---- In space -------------------------------------------------------------------------------- */

static int is_floating(const tc_chain3 *chain)
{
    return chain->links[0].joint == TC_CHAIN_FREE;
}

static void measure_chain3(const tc_scene_mover *mover, tc_scene_span *span)
{
    span->links = mover->chain3->count;
    span->rates = tc_chain3_dof(mover->chain3, span->links);
    span->coordinates = span->rates + (is_floating(mover->chain3) ? 1u : 0u);
}

static tc_status check_scene_chain3(const tc_scene_mover *mover)
{
    return tc_chain3_check(mover->chain3);
}

static void write_frame3(const tc_chain3_motion *motion, uint32_t i, tc_scene_frame *frame)
{
    const tc_chain3_link_motion *const link = &motion->link[i];
    for (uint32_t k = 0; k < 3u; ++k) frame->at[k] = motion->origin[k] + link->position[k];
    memcpy(frame->velocity, link->velocity, sizeof frame->velocity);
    memcpy(frame->omega, link->velocity + 3, sizeof frame->omega);
    memcpy(frame->acceleration, link->acceleration, sizeof frame->acceleration);
    memcpy(frame->spin, link->acceleration + 3, sizeof frame->spin);
    tc_vec_rotation(link->orientation, frame->R);
}

static void write_column3(const tc_chain3_motion *motion, uint32_t i, tc_scene_column *column)
{
    const tc_chain3_column *const c = &motion->column[i];
    column->link = c->link;
    for (uint32_t k = 0; k < 3u; ++k) {
        column->turn[k] = c->turns ? c->turn[k] : TC_C(0.0);
        column->at[k] = c->turns ? motion->origin[k] + c->at[k] : c->at[k];
    }
}

static tc_status place_scene_chain3(tc_scene_placed *placed, uint32_t m, const tc_real *q,
                                    const tc_real *v, int matrix)
{
    const tc_scene_span *const span = &placed->span[m];
    const tc_scene *const scene = placed->scene;
    const tc_chain3 chain = {scene->mover[m].chain3->count,
                             scene->mover[m].chain3->links,
                             {scene->gravity[0], scene->gravity[1], scene->gravity[2]}};
    tc_chain3_motion *const motion = (tc_chain3_motion *)(void *)placed->scratch;
    const tc_status status = tc_chain3_move(&chain, q, v, motion);
    if (status < TC_OK) return status;
    for (uint32_t i = 0; i < span->links; ++i) {
        write_frame3(motion, i, &placed->frame[span->link + i]);
    }
    for (uint32_t i = 0; i < span->rates; ++i) {
        write_column3(motion, i, &placed->column[span->v + i]);
    }
    if (matrix) {
        tc_chain3_mass_matrix(&chain, motion, span->links, placed->factor + span->factor);
        tc_chain3_forces(&chain, motion, span->links, placed->force + span->v);
    }
    return TC_OK;
}

static void derive_chain3(const tc_scene_mover *mover, const tc_real *q, const tc_real *v,
                          tc_real *qd)
{
    const uint32_t n = tc_chain3_dof(mover->chain3, mover->chain3->count);
    if (!is_floating(mover->chain3)) {
        memcpy(qd, v, n * sizeof *v);
        return;
    }
    tc_scene_derive_body3(mover, q, v, qd);
    memcpy(qd + 7, v + 6, (n - 6u) * sizeof *v);
}

static void shift_chain3(const tc_scene_mover *mover, tc_real h, const tc_real *v, tc_real *q)
{
    (void)tc_chain3_integrate(mover->chain3, v, h, q);
}

static tc_real mass_chain3(const tc_scene_mover *mover, uint32_t link)
{
    return mover->chain3->links[link].body.mass;
}

const tc_scene_type tc_scene_chain3 = {measure_chain3, check_scene_chain3, place_scene_chain3,
                                       derive_chain3,  shift_chain3,       NULL,
                                       mass_chain3};
