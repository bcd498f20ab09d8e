/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the planar and the spatial detector share. Not for users.
 */
#ifndef TC_DETECT_INTERNAL_H
#define TC_DETECT_INTERNAL_H

#include "tc_shape.h"

/* Count, finiteness, ranges and distinctness of vertices [count x dimension]; *largest: the largest
 * coordinate. */
tc_status tci_detect_check_vertices(const tc_real *vertices, uint32_t count, uint32_t dimension, tc_real radius,
                                  tc_real *largest);

#endif
