/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A body as the last link of a planar chain, for Python (tools/tinycontact/chain): whole roll-outs
 * of the library's own tc_limb2_step in one call. Host only. The body's law, step and gravity are
 * those of a handle of native.h.
 */
#ifndef NATIVE_CHAIN_H
#define NATIVE_CHAIN_H

#include "native.h"

#include "tc_limb2.h"

TC_BEGIN

/* As tc_chain2_link */
typedef struct native_link {
    double mass, inertia;
    double anchor[2], arm[2], axis[2];
    int32_t joint; /* tc_chain_joint */
    int32_t unused;
} native_link;

typedef struct native_chain {
    const native_link *links; /* [count]; the last is the handle's body */
    uint32_t count;
    int32_t positions;     /* tc_scheme */
    int32_t solver, start; /* tc_limb2_solver, tc_limb2_start */
    int32_t warm;          /* 1: begin with the branch of the tick before */
    double tolerance;      /* relative; negative: the solver's own */
    double floor;          /* height of the floor [m] */
} native_chain;

/* One tick, after the step. */
typedef struct native_tick {
    double q[TC_CHAIN2_DOF], qd[TC_CHAIN2_DOF];
    double energy;      /* kinetic and potential [J] */
    double residual;    /* tc_limb2_info [m/s] */
    double violation;   /* [m/s] */
    double speed;       /* of the joint, after the step [m/s] */
    double penetration; /* [m] */
    int32_t status, contacts, class_;
    int32_t evaluations, solves, consistent;
} native_tick;

/* `ticks` steps from q, qd [dof] (which are not written), a native_tick each; stops at a negative
 * status, which is returned. tick[0] is the start: room for ticks + 1. */
int32_t native_chain_run(native *foot, const native_chain *chain, const double *q, const double *qd,
                         uint32_t ticks, native_tick *tick);

TC_END

#endif
