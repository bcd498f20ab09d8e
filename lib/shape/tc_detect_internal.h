/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the detectors and the reduction share. Not for users.
 */
#ifndef TC_DETECT_INTERNAL_H
#define TC_DETECT_INTERNAL_H

#include "tc_shape.h"

#define TCI_DETECT_COORDINATE_MAX TC_C(1e6) /* [m]: squares of squares stay finite in single precision */

/* Count, finiteness, ranges and distinctness of vertices [count x dimension]; *largest: the largest
 * coordinate. */
tc_status tci_detect_check_vertices(const tc_real *vertices, uint32_t count, uint32_t dimension, tc_real radius,
                                  tc_real *largest);

#endif
