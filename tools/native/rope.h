/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Batches of ropes for Python (tools/tinycontact/impact/rope.py): whole roll-outs and their exact
 * adjoint in one call each. Host only; linked into the shared library.
 *
 * A rope hangs from an anchor at the origin of a vertical plane, y upwards. Its `points` point
 * masses are joined by as many springs. Each spring's length stays within limits, and so does the
 * angle between neighbouring springs: 2 points - 1 limits, contacts without friction. A step is
 * RK4 for springs and gravity, then an impact in two phases (lib/solve/tc_band.h) on the limits
 * that are exceeded. Restitution's target takes excess out within 8 steps.
 *
 * All numbers cross in double, SI, whatever tc_real is. A state is 4 points numbers: x and y of
 * each point, then their rates.
 */
#ifndef NATIVE_ROPE_H
#define NATIVE_ROPE_H

#include "tc_status.h"

TC_BEGIN

#define NATIVE_ROPE_POINTS_MOST 30000u

typedef struct native_rope_system {
    uint32_t points;
    uint32_t unused;
    double step;              /* h [s] */
    double rest;              /* length of a spring without force [m] */
    double shortest, longest; /* limits on a spring's length, relative to `rest` */
    double bend;              /* limit on the angle between neighbours [rad]; below pi / 2 */
    double restitution;       /* of the limits; 0..1 */
    double gravity;           /* downwards [m/s^2] */
    const double *mass;       /* [points] [kg]; copied */
    const double *stiffness;  /* [points] [N/m]; spring k is above point k; copied */
} native_rope_system;

/* What the solves of a roll-out came to. */
typedef struct native_rope_counts {
    double steps;          /* rope steps */
    double listed, active; /* limits exceeded, active in compression; over all steps */
    double solves, iterations;
    uint32_t listed_most, active_most, iterations_most;
    uint32_t imprecise; /* solves that ended with TC_NOTE_PRECISION */
    uint32_t limited;   /* ... with TC_NOTE_LIMIT */
    uint32_t unused;
} native_rope_counts;

/* Cotangents that the adjoint writes; any pointer may be null. */
typedef struct native_rope_gradient {
    double *start;       /* [batch][4 points] */
    double *mass;        /* [points] */
    double *stiffness;   /* [points] */
    double *gravity;     /* [1] */
    double *restitution; /* [1] */
} native_rope_gradient;

typedef struct native_rope native_rope; /* opaque: the system, and what the adjoint needs to know */

/* A handle for `batch` ropes of `steps` steps; keep != 0: the adjoint will be asked for. Null on an
 * error, which `status` tells (a tc_status). `native_rope_free` takes null. */
native_rope *native_rope_open(const native_rope_system *system, uint32_t batch, uint32_t steps,
                              int32_t keep, int32_t *status);
void native_rope_free(native_rope *handle);

/* Rolls all ropes out from start[batch][4 points]; path[batch][steps][4 points], may be null, gets
 * the state after each step. Returns the first negative status, with the rope that met it in
 * counts->unused; counts may be null. */
int32_t native_rope_forward(native_rope *handle, const double *start, double *path,
                            native_rope_counts *counts);

/* The adjoint of the last forward call: by_path[batch][steps][4 points] are cotangents of its path.
 * TC_ERR_UNSUPPORTED: the handle keeps nothing, or there was no forward call. */
int32_t native_rope_backward(native_rope *handle, const double *by_path,
                             const native_rope_gradient *by);

TC_END

#endif
