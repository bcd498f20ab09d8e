/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange systems on a line for Python (tools/tinycontact/cdl): whole roll-outs of the
 * library's own tc_cdl_step in one call. Host only. All numbers cross in double, SI.
 */
#ifndef NATIVE_CDL_H
#define NATIVE_CDL_H

#include "tc_cdl.h"

TC_BEGIN

/* Bodies with one coordinate each. */
typedef struct native_cdl {
    uint32_t bodies, contacts;
    double step, restitution, rest_speed;
    const double *mass;    /* [bodies] */
    const double *damping; /* [bodies] */
    const double *weight;  /* [bodies] constant forces [N] */
    const double *torque;  /* [bodies] of pendulums, m g l [N m]; null: none */
    const int32_t *pairs;  /* [contacts][2] body and other, closed where q_body <= q_other; -1:
                            * wall at 0 */
    int32_t project, simultaneous;
} native_cdl;

/* What a roll-out came to. */
typedef struct native_cdl_result {
    int32_t status; /* of tc_cdl_init, or of the last step */
    uint32_t done;  /* steps */
    uint32_t body;  /* with a negative status: at fault */
    int32_t note;   /* the first positive status of a step, or 0 */
    uint32_t noted; /* of which step */
    uint32_t notes; /* steps with a positive status */
} native_cdl_result;

/* `steps` steps; Q, V [steps + 1][bodies] hold the start in their first row, contact[steps + 1] how
 * many contacts acted. Stops at a negative status, which is returned. */
int32_t native_cdl_run(const native_cdl *system, uint32_t steps, double *Q, double *V,
                       int32_t *contact, native_cdl_result *result);

/* The same by the nets of a model file, whose record says the rest: Q, V [steps + 1][K d], energy
 * [steps + 1] (1/2 V M V and the potential net's value; may be null). `coordinates` is what the
 * caller takes K d for: another is TC_ERR_SIZE. */
int32_t native_cdl_learned(const void *blob, size_t blob_size, double step, uint32_t coordinates,
                           uint32_t steps, double *Q, double *V, int32_t *contact, double *energy,
                           native_cdl_result *result);

TC_END

#endif
