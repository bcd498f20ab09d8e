/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A body as the last link of a spatial chain, for Python (tools/tinycontact/spatial/limb.py): whole
 * roll-outs of the library's own tc_limb3_step in one call. Host only. The body's law, step and
 * gravity are those of a handle of spatial.h.
 */
#ifndef NATIVE_LIMB_H
#define NATIVE_LIMB_H

#include "spatial.h"

#include "tc_limb3.h"

TC_BEGIN

/* As tc_chain3_link */
typedef struct native_limb_link {
    double mass, inertia[3];
    double anchor[3], axis[3], rest[4], arm[3];
    int32_t joint; /* tc_chain_joint */
    int32_t unused;
} native_limb_link;

/* One tick, after the step. */
typedef struct native_limb_tick {
    double q[TC_CHAIN3_DOF + 1u], qd[TC_CHAIN3_DOF];
    double energy;      /* kinetic and potential [J] */
    double penetration; /* before the step [m] */
    int32_t status, contacts, class_;
    int32_t ratios, classes, consistent;
} native_limb_tick;

/* `ticks` steps of the chain links[count], whose last link is the handle's body, from q and qd
 * (which are not written), a native_limb_tick each; stops at a negative status, which is returned.
 * tick[0] is the start: room for ticks + 1. */
int32_t native_limb_run(native_spatial *foot, const native_limb_link *links, uint32_t count,
                        const double *q, const double *qd, uint32_t ticks, native_limb_tick *tick);

TC_END

#endif
