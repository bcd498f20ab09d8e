/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Signed distances of many points in one call (tools/tinycontact/shape/sdf.py). Host only.
 *
 * All numbers cross in double, SI, whatever tc_real is.
 */
#ifndef NATIVE_SDF_H
#define NATIVE_SDF_H

#include "tc_sdf_net.h"

TC_BEGIN

/* A shape, or a part of a union. Arrays are copied, except those of a net. */
typedef struct native_sdf_shape {
    int32_t kind;     /* index of native_sdf_kinds: halfspace, sphere, capsule, box, cylinder,
                                * terrain, grid, union, net */
    int32_t count[3]; /* nodes: terrain x, y; grid x, y, z. Net: numbers of the code */
    double size[TC_SDF_SIZES]; /* as in tc_sdf */
    double scale, spacing, error, origin[3];
    const void *data;                     /* int16 heights, int8 values or a tc_net */
    const double *code;                   /* of a net */
    double volume, centre[3], inertia[6]; /* stored mass properties; volume 0: none */
    const double *points;                 /* [n_points x 3] stored points of the surface; copied */
    int32_t n_points;
    double position[3]; /* of a part */
    double rotation[9]; /* of a part; all 0: none */
} native_sdf_shape;

typedef struct native_sdf native_sdf; /* opaque */

/* A handle of a checked shape; parts[n_parts] are those of a union. Null on an error, which `status`
 * tells; `part`: index of the faulty one. `native_sdf_free` takes null. */
native_sdf *native_sdf_open(const native_sdf_shape *shape, const native_sdf_shape *parts,
                            uint32_t n_parts, int32_t *status, int32_t *part);
void native_sdf_free(native_sdf *handle);

uint32_t native_sdf_parameters(const native_sdf *handle);

/* The shape itself, which lives as long as the handle. */
const tc_sdf *native_sdf_get(const native_sdf *handle);

/* A workspace that every kind of shape takes. */
tc_real *native_sdf_work(native_sdf *handle, size_t *length);

/* points[n][3] to status[n], distance[n], gradient[n][3] and derivative[n][parameters]; the last may
 * be null. */
void native_sdf_eval(native_sdf *handle, const double *points, uint32_t n, int32_t *status,
                     double *distance, double *gradient, double *derivative);

/* rows[1 + parameters][10]: volume, centre, inertia, and the derivatives of these; parameters is 0
 * for what was stored. Returns a tc_status. */
int32_t native_sdf_mass(const native_sdf *handle, double *rows);

TC_END

#endif
