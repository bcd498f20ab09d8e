/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Roll-outs of bodies with shapes, with derivatives by parameters.
 *
 * A mover's orientation is that of its principal axes, R_m = R A, with R of the shape's axes and A
 * the principal axes in them. So a small turn of the shape is that of the mover, and that of A^T in
 * the mover's axes: with A^T -> exp(phi) A^T it is theta + R_m phi.
 */
#include "bodies_internal.h"

#include <stdlib.h>
#include <string.h>

/* The small turn from b to a, divided by 2 step */
static void differ_turns(const double a[4], const double b[4], double step, double turn[3])
{
    const double back[4] = {b[0], -b[1], -b[2], -b[3]};
    double r[4];
    bodies_multiply_turns(a, back, r);
    const double weight = (r[0] < 0 ? -1.0 : 1.0) / step;
    for (uint32_t k = 0; k < 3u; ++k) turn[k] = weight * r[k + 1u];
}

/* The start's derivatives, of one mover */
static void begin_mover(bodies_along *along, uint32_t m, uint32_t body)
{
    const native_body *const a = &along->given->more->body[body];
    const native_body *const b = &along->given->less->body[body];
    const double step = along->given->step;
    const double back_a[4] = {a->turn[0], -a->turn[1], -a->turn[2], -a->turn[3]};
    const double back_b[4] = {b->turn[0], -b->turn[1], -b->turn[2], -b->turn[3]};
    double p[4], q[4], turn[3];
    bodies_multiply_turns(a->quat_wxyz, a->turn, p);
    bodies_multiply_turns(b->quat_wxyz, b->turn, q);
    differ_turns(p, q, step, turn);
    for (uint32_t k = 0; k < 3u; ++k) {
        along->q[6u * m + k] = (tc_real)((a->position[k] - b->position[k]) / (2 * step));
        along->q[6u * m + 3u + k] = (tc_real)turn[k];
    }
    for (uint32_t k = 0; k < 6u; ++k) {
        along->v[6u * m + k] = (tc_real)((a->velocity[k] - b->velocity[k]) / (2 * step));
    }
    differ_turns(back_a, back_b, step, along->turn[m]);
}

static bodies_run *open_nearby(const native_bodies *given, tc_status *status)
{
    bodies_run *const run = calloc(1, sizeof *run);
    uint32_t body;
    if (run == NULL) *status = TC_ERR_WORK;
    if (run == NULL) return NULL;
    run->given = given;
    const tc_status taken = bodies_take_scene(run, &body);
    if (taken < TC_OK) *status = taken;
    return run;
}

static int same_bodies(const native_bodies *a, const native_bodies *b)
{
    int same = a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; ++i) {
        same = a->body[i].moving == b->body[i].moving;
        same &= (a->body[i].shape == NULL) == (b->body[i].shape == NULL);
    }
    return same;
}

static tc_status open_along(bodies_along *along, const native_bodies *given)
{
    tc_status status = TC_OK;
    const native_bodies_direction *const from = along->given;
    if (!same_bodies(given, from->more) || !same_bodies(given, from->less)) return TC_ERR_SIZE;
    along->more = open_nearby(from->more, &status);
    along->less = open_nearby(from->less, &status);
    for (uint32_t m = 0; status >= TC_OK && m < along->more->scene.movers; ++m) {
        begin_mover(along, m, along->more->body_of[m]);
    }
    return status;
}

tc_status bodies_step_along(bodies_run *run, tc_scene_step_info *info)
{
    tc_scene_grad_sustained_direction direction[NATIVE_BODIES_DIRECTIONS];
    for (uint32_t k = 0; k < run->directions; ++k) {
        bodies_along *const along = &run->along[k];
        along->more->time = along->less->time = run->time;
        (void)bodies_set_forces(along->more);
        (void)bodies_set_forces(along->less);
        direction[k] =
            (tc_scene_grad_sustained_direction){along->q, along->v, &along->more->scene,
                                                &along->less->scene, (tc_real)along->given->step};
    }
    return tc_scene_grad_sustained_step(&run->scene, &run->config, run->q, run->v, direction,
                                        run->directions, info, run->work, run->work_len);
}

/* theta + R_m phi */
static void turn_of_shape(const bodies_run *run, const bodies_along *along, uint32_t m,
                          double turn[3])
{
    double q[4], R[9];
    for (uint32_t k = 0; k < 4u; ++k) q[k] = (double)run->q[7u * m + 3u + k];
    bodies_matrix_of_turn(q, R);
    for (uint32_t k = 0; k < 3u; ++k) {
        turn[k] = (double)along->q[6u * m + 3u + k];
        for (uint32_t j = 0; j < 3u; ++j) turn[k] += R[3u * k + j] * along->turn[m][j];
    }
}

void bodies_write_along(const bodies_run *run, uint32_t row)
{
    for (uint32_t k = 0; k < run->directions; ++k) {
        const bodies_along *const along = &run->along[k];
        for (uint32_t m = 0; m < run->scene.movers; ++m) {
            const size_t at = 6u * ((size_t)row * run->given->count + run->body_of[m]);
            double *const pose = along->given->poses + at;
            for (uint32_t c = 0; c < 3u; ++c) pose[c] = (double)along->q[6u * m + c];
            turn_of_shape(run, along, m, pose + 3);
            for (uint32_t c = 0; c < 6u; ++c) {
                along->given->velocities[at + c] = (double)along->v[6u * m + c];
            }
        }
    }
}

static void close_run(bodies_run *run)
{
    for (uint32_t k = 0; run != NULL && run->along != NULL && k < run->directions; ++k) {
        free(run->along[k].more);
        free(run->along[k].less);
    }
    if (run != NULL) free(run->along);
    free(run);
}

int32_t native_bodies_derive(const native_bodies *given, const native_bodies_direction *direction,
                             uint32_t count, const double *times, uint32_t n,
                             native_bodies_roll *roll)
{
    bodies_run *const run = calloc(1, sizeof *run);
    tc_status status = run == NULL ? TC_ERR_WORK : TC_OK;
    if (given->count > NATIVE_BODIES_MAX || count - 1u >= NATIVE_BODIES_DIRECTIONS) {
        status = TC_ERR_SIZE;
    }
    if (status >= TC_OK) {
        run->given = given;
        run->directions = count;
        run->along = calloc(count, sizeof *run->along);
        if (run->along == NULL) status = TC_ERR_WORK;
    }
    for (uint32_t k = 0; status >= TC_OK && k < count; ++k) {
        run->along[k].given = &direction[k];
        status = open_along(&run->along[k], given);
    }
    roll->status = (int32_t)status;
    if (status >= TC_OK) (void)bodies_roll_out(run, times, n, roll);
    close_run(run);
    return roll->status;
}
