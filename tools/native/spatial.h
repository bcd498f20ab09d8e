/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What Python calls for spatial bodies: a body with its law behind one handle, single solves and
 * whole throws of the library's own step in one call. Host only; linked into the shared library.
 *
 * All numbers cross in double, SI, whatever tc_real is. A state is 13 numbers: position, quaternion
 * (w, x, y, z), v, omega, world axes. A handle is not to be used by two threads at once.
 */
#ifndef NATIVE_SPATIAL_H
#define NATIVE_SPATIAL_H

#include "native.h"

#include "tc_foot3.h"

TC_BEGIN

#define NATIVE_SPATIAL_STATE 13u
#define NATIVE_SPATIAL_STEPS_MOST 5000u

/* A body on the floor z = 0. */
typedef struct native_spatial_body {
    double mass, inertia[3]; /* [kg], principal moments [kg m^2] */
    double step, gravity;    /* h [s], g [m/s^2] */
    double restitution;      /* 0..1; negative: the model's, without a model 0 */
    double radius;           /* of the shape's rounding [m] */
    const double *vertices;  /* [count][3] body axes [m]; copied */
    uint32_t count;
    int32_t positions;       /* tc_scheme; negative: the model's, without a model DART's */
    uint32_t rounds, frozen; /* tc_learned3_sweeps; rounds 0: the default */
    int32_t warm;            /* 1: the sweeps of a throw begin where the last step ended */
} native_spatial_body;

typedef struct native_spatial native_spatial; /* opaque */

/* A handle with the law of a model file (`blob` is copied), or with Coulomb's, exact in double.
 * Null on an error, which `status` tells (a tc_status; the model's fault offset in `fault`, may be
 * null). `native_spatial_free` takes null. */
native_spatial *native_spatial_open(const native_spatial_body *body, const void *blob,
                                    size_t blob_size, int32_t *status, uint32_t *fault);
native_spatial *native_spatial_open_coulomb(const native_spatial_body *body, double mu,
                                            int32_t *status);
void native_spatial_free(native_spatial *handle);

/* The body as the library has it, and its gravity [m/s^2]: for limbs, as long as the handle
 * lives. */
tc_foot3 native_spatial_settings(const native_spatial *handle, double *gravity);

/* One solved patch. */
typedef struct native_spatial_row {
    int32_t status;           /* tc_status */
    int32_t class_;           /* tc_learned_class */
    uint32_t flags;           /* tc_learned_flags */
    uint32_t count;           /* contacts */
    uint32_t ratios, classes; /* how often the law was asked */
    double probability[3];    /* of a point */
    double impulse[6];        /* about the centre of mass, world axes [N s, N m s] */
    double velocity[6];       /* afterwards */
} native_spatial_row;

/* Algorithm 1 for n states[n][13], the applied force in their velocities already; contacts are
 * vertices at or below the floor. Returns how many rows failed. */
int32_t native_spatial_solve(native_spatial *handle, const double *states, uint32_t n,
                             native_spatial_row *rows);

/* What a throw came to. */
typedef struct native_spatial_throw_result {
    int32_t status;  /* of the last step */
    int32_t at_rest; /* ended after 50 steps with speed < 1e-3 m/s and spin < 1e-2 rad/s */
    int32_t steps;
    uint32_t notes[NATIVE_FLAGS]; /* steps with each of tc_learned_flags */
    uint32_t most;                /* classes and ratios asked for in one step, at most */
    double asked;                 /* ... in all */
    double deepest;               /* penetration after any step [m] */
    double gain; /* of energy, the most in a step with contact, potential included [J] */
} native_spatial_throw_result;

/* Throws state[13] until it rests, moving it; returns result->status. `trajectory` (may be null):
 * the state at the start of each step, as many as `rows` hold. */
int32_t native_spatial_throw(native_spatial *handle, double *state,
                             native_spatial_throw_result *result, double *trajectory,
                             uint32_t rows);

TC_END

#endif
