/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Times of contact of a pair of shapes in many motions in one call
 * (tools/tinycontact/shape/toc.py). Host only.
 *
 * All numbers cross in double, SI, whatever tc_real is.
 */
#ifndef NATIVE_TOC_H
#define NATIVE_TOC_H

#include "sdf.h"

TC_BEGIN

/* Numbers of a motion: rotation [9], position, velocity, angular velocity, acceleration */
#define NATIVE_TOC_MOTION 21u
/* Numbers of an answer: time, speed, normal, point, distance of the last detection */
#define NATIVE_TOC_FOUND 9u
/* Numbers of the rows: by position, rotation, velocity, angular velocity, acceleration, each of a
 * and b; by the rounding */
#define NATIVE_TOC_ROWS 31u

/* motions[n][2][NATIVE_TOC_MOTION] to status[n], counts[n][3]: outcome, detections, points that
 * touch at once; found[n][NATIVE_TOC_FOUND], rows[n][NATIVE_TOC_ROWS] and by_shapes[n][parameters of
 * a, then of b]. Derivatives that do not exist are zero. */
void native_toc(native_sdf *a, native_sdf *b, const double *motions, uint32_t n, double step,
                int32_t *status, int32_t *counts, double *found, double *rows, double *by_shapes);

TC_END

#endif
