/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the kinds of shapes share. Not for users.
 */
#ifndef TC_SDF_INTERNAL_H
#define TC_SDF_INTERNAL_H

#include "tc_sdf.h"
#include "tc_shape_internal.h"
#include "tc_vec.h"

/* [m2] square of the furthest distance of a point from the origin. The comparison finds NaN, too:
 * it is written so that NaN fails it. */
#define TCI_SDF_FAR2 (TCI_SHAPE_COORDINATE_MAX * TCI_SHAPE_COORDINATE_MAX)

/* [m2] Below this square a distance counts as 0: then the direction, which would be a quotient of
 * two tiny numbers, is the one that the kind defines. Squares stay far above subnormals. The value
 * is off by its root, 1e-15 m, at most. */
#define TCI_SDF_NEAR2 TC_C(1e-30)

/* Zeroes a result that cannot be had; returns TC_ERR_NOT_FINITE or TC_ERR_RANGE, by the point. */
tc_status tci_sdf_refuse(const tc_real p[3], tc_real *distance, tc_real gradient[3]);

/* TC_OK, TC_ERR_NOT_FINITE, TC_ERR_RANGE, or TC_ERR_SHAPE where one of x[n] is not above 0 */
tc_status tci_sdf_check_positive(const tc_real *x, uint32_t n);

/* The same for a rounding, which may be 0 and must not exceed x[n] */
tc_status tci_sdf_check_rounding(tc_real rounding, const tc_real *x, uint32_t n);

/* The same for an error, which may be 0 */
tc_status tci_sdf_check_stored(const tc_sdf_stored *stored);

/* What a grid's and a net's box share: *excess becomes the distance of p from the box, q its
 * nearest point, and beyond[i] (p - q)_i / *excess, 0 inside. */
static inline void tci_sdf_clamp(const tc_real p[3], const tc_real low[3], const tc_real high[3],
                                 tc_real q[3], tc_real *excess, tc_real beyond[3])
{
    tc_real square = TC_C(0.0);
    for (uint32_t i = 0; i < 3u; ++i) {
        q[i] = p[i] < low[i] ? low[i] : p[i] > high[i] ? high[i] : p[i];
        beyond[i] = p[i] - q[i];
        square = TC_MLA(square, beyond[i], beyond[i]);
    }
    *excess = TC_C(0.0);
    if (square < TCI_SDF_NEAR2) {
        for (uint32_t i = 0; i < 3u; ++i) beyond[i] = TC_C(0.0);
        return;
    }
    *excess = tc_sqrt(square);
    const tc_real inverse = TC_C(1.0) / *excess;
    for (uint32_t i = 0; i < 3u; ++i) beyond[i] *= inverse;
}

#endif
