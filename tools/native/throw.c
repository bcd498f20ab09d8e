/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Whole roll-outs in one call: throws by the library's own step.
 *
 * A bounce is a contact impulse after at least QUIET without one since the last; the first contact
 * is none. A throw ends after REST_STEPS steps at rest, or NATIVE_STEPS_MOST.
 */
#include "handle.h"

#include <math.h>
#include <string.h>

#define QUIET 0.010 /* [s] */
#define REST_STEPS 50
#define REST_SPEED 1e-3 /* [m/s] */
#define REST_SPIN 1e-2  /* [rad/s] */

int32_t native_steps(native *handle, double state[6], uint32_t steps)
{
    tc_body2_state at = native_state(state);
    tc_status status = TC_OK;
    for (uint32_t i = 0; i < steps && status >= TC_OK; i++) {
        status =
            tc_foot2_step(&handle->dacm, handle->force, &at, NULL, handle->work, handle->work_len);
    }
    native_state_back(&at, state);
    return (int32_t)status;
}

void native_lean(native *handle, double along)
{
    handle->force[0] = (tc_real)along * handle->dacm.body.mass;
}

int32_t native_paths(native *handle, const double *states, const uint32_t *steps, uint32_t n,
                     double *poses)
{
    tc_status last = TC_OK;
    for (uint32_t i = 0; i < n; i++) {
        tc_body2_state at = native_state(states + (size_t)i * 6u);
        for (uint32_t k = 0; k < steps[i]; k++, poses += 3) {
            double state[6];
            const tc_status status = tc_foot2_step(&handle->dacm, handle->force, &at, NULL,
                                                   handle->work, handle->work_len);
            last = status < TC_OK ? status : last;
            native_state_back(&at, state);
            memcpy(poses, state, 3 * sizeof *poses);
        }
    }
    return (int32_t)last;
}

static void note_row(double *row, const tc_body2_state *state, const tc_foot2_info *info)
{
    native_state_back(state, row);
    row[6] = (double)info->friction;
    row[7] = (double)info->normal[0] + (double)info->normal[1];
    row[8] = (double)info->torque;
    row[9] = (double)info->decision.branch;
}

/* How deep the lowest point is below the floor. */
static double depth_of(const native *handle, const tc_body2_state *state)
{
    const double s = sin((double)state->position[2]), c = cos((double)state->position[2]);
    double lowest = HUGE_VAL;
    for (uint32_t i = 0; i < handle->dacm.shape.count; i++) {
        const double y = s * handle->vertices[2u * i] + c * handle->vertices[2u * i + 1u];
        lowest = y < lowest ? y : lowest;
    }
    lowest += (double)state->position[1] - (double)handle->dacm.shape.radius;
    return lowest < 0 ? -lowest : 0;
}

/* Bounces and rest, step by step. */
typedef struct judge {
    int quiet; /* steps without impulse that make a bounce */
    int since; /* steps since the last impulse; -1: there was none yet */
    int still; /* steps at rest in a row */
} judge;

static void see(judge *j, const tc_body2_state *state, const tc_foot2_info *info,
                native_throw_result *result)
{
    const double vx = (double)state->velocity[0], vy = (double)state->velocity[1];
    if (info->normal[0] + info->normal[1] > TC_C(0.0)) {
        result->bounces += j->since >= j->quiet;
        j->since = 0;
    } else if (j->since >= 0) {
        j->since++;
    }
    j->still = hypot(vx, vy) < REST_SPEED && fabs((double)state->velocity[2]) < REST_SPIN
                   ? j->still + 1
                   : 0;
    for (uint32_t k = 0; k < NATIVE_FLAGS; k++) {
        result->notes[k] += info->decision.flags >> k & 1u;
    }
}

int32_t native_throw(native *handle, const double state[6], native_throw_result *result,
                     double *trajectory, uint32_t rows)
{
    tc_body2_state at = native_state(state);
    tc_foot2_info info = {.decision = {.branch = TC_LEARNED_NONE}};
    tc_status status = TC_OK;
    judge j = {(int)ceil(QUIET / (double)handle->dacm.step - 1e-6), -1, 0};
    uint32_t step = 0;
    memset(result, 0, sizeof *result);
    for (;; step++) {
        if (trajectory != NULL && step < rows) {
            note_row(trajectory + (size_t)step * NATIVE_TRAJECTORY, &at, &info);
        }
        if (step == NATIVE_STEPS_MOST || j.still == REST_STEPS) {
            break;
        }
        status =
            tc_foot2_step(&handle->dacm, handle->force, &at, &info, handle->work, handle->work_len);
        if (status < TC_OK) {
            break;
        }
        see(&j, &at, &info, result);
        const double depth = depth_of(handle, &at);
        result->deepest = depth > result->deepest ? depth : result->deepest;
    }
    result->status = (int32_t)status;
    result->steps = (int32_t)step;
    result->at_rest = j.still == REST_STEPS;
    native_state_back(&at, result->state);
    return result->status;
}
