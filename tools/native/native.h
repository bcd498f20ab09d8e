/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What Python calls (tools/tinycontact/contact.py): a planar body with its law behind one handle,
 * and whole roll-outs of the library's own step in one call. Host only; linked into the shared
 * library.
 *
 * All numbers cross in double, SI, angles in radians, whatever tc_real is. A handle is not to be
 * used by two threads at once.
 */
#ifndef NATIVE_H
#define NATIVE_H

#include "tc_foot2.h"

TC_BEGIN

/* A body on the floor y = 0. */
typedef struct native_body {
    double mass, inertia;   /* [kg], [kg m^2] */
    double step, gravity;   /* h [s], g [m/s^2] */
    double restitution;     /* 0..1; negative: the model's, without a model 0 */
    double radius;          /* of the shape's rounding [m] */
    const double *vertices; /* [count][2] body frame [m]; copied */
    uint32_t count;
    int32_t positions; /* tc_scheme; negative: the model's, without a model DART's */
} native_body;

typedef struct native native; /* opaque */

/* A handle with the law of a model file (`blob` is copied), or with Coulomb's. Null on an error,
 * which `status` tells (a tc_status; the model's fault offset in `fault`, may be null).
 * `native_free` takes null. */
native *native_open(const native_body *body, const void *blob, size_t blob_size, int32_t *status,
                    uint32_t *fault);
native *native_open_coulomb(const native_body *body, double mu_right, double mu_left,
                            int32_t *status);
void native_free(native *handle);

/* Gravity's share along the floor [m/s^2]: of a log whose floor is not level. */
void native_lean(native *handle, double along);

/* The poses x, y, theta after each of steps[i] steps from states[i][6], one throw after another.
 * Returns the last status; a throw that fails stays where it is. */
int32_t native_paths(native *handle, const double *states, const uint32_t *steps, uint32_t n,
                     double *poses);

/* One row of `tinycontact body replay`. */
typedef struct native_row {
    int32_t status; /* tc_status of this row */
    int32_t class_; /* tc_learned_class that was solved */
    int32_t said;   /* ... that the law said */
    uint32_t flags; /* tc_learned_flags */
    double probability[3];
    double ratio;
    double friction, normal, torque; /* [N s], [N m s] */
    double velocity[3];              /* afterwards */
} native_row;

/* Algorithm 1 for n rows of y, theta, vx, vy, omega (states[n][5]); gravity is integrated first.
 * patch[n]: 0 the lowest vertex, 1 the two lowest, else the outermost of those at or below the
 * floor (within 1 um, for states come as decimals); null: the latter for all. Returns how many rows
 * failed. */
int32_t native_replay(native *handle, const double *states, const int32_t *patch, uint32_t n,
                      native_row *rows);

/* `steps` steps from state[6] = x, y, theta, vx, vy, omega, which is moved: the loop that speed is
 * measured on. Returns the last status; stops at a negative one. */
int32_t native_steps(native *handle, double state[6], uint32_t steps);

#define NATIVE_STEPS_MOST 10000u
#define NATIVE_FLAGS 5u /* bits of tc_learned_flags */

/* What a throw came to. */
typedef struct native_throw_result {
    int32_t status;  /* of the last step */
    int32_t bounces; /* at least 10 ms without contact impulse between two */
    int32_t at_rest; /* ended after 50 steps with speed < 1e-3 m/s and spin < 1e-2 rad/s */
    int32_t steps;   /* NATIVE_STEPS_MOST at most */
    uint32_t notes[NATIVE_FLAGS]; /* steps with each of tc_learned_flags, from the lowest bit */
    double state[6];              /* at the end */
    double deepest;               /* penetration after any step [m] */
} native_throw_result;

/* Throws state[6] until it rests; returns result->status. `trajectory` (may be null): a row of
 * NATIVE_TRAJECTORY numbers per step, the first being the start, as many as `rows` hold: x, y,
 * theta, vx, vy, omega, p_friction, p_normal, p_torque, class. */
#define NATIVE_TRAJECTORY 10u
int32_t native_throw(native *handle, const double state[6], native_throw_result *result,
                     double *trajectory, uint32_t rows);

TC_END

#endif
