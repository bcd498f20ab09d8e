/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The stored points of a shape, for kinds of this floor and of those above. Not for users.
 */
#ifndef TC_SDF_POINTS_H
#define TC_SDF_POINTS_H

#include "tc_sdf.h"

/* Returns TC_OK, or TC_ERR_SIZE, TC_ERR_NOT_FINITE or TC_ERR_RANGE for the points. */
tc_status tc_sdf_points_check(const tc_sdf_stored *stored);

/* A kind's `surface` where the shape's data begin with a tc_sdf_stored: point i. */
uint32_t tc_sdf_points_at(const tc_sdf *shape, const tc_real centre[3], tc_real reach, uint32_t i,
                          tc_real p[3]);

#endif
