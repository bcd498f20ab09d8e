/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The limit that shapes and the reduction of contacts share. Not for users.
 */
#ifndef TC_SHAPE_INTERNAL_H
#define TC_SHAPE_INTERNAL_H

#include "tc_config.h"

/* [m]: squares of squares stay finite in single precision */
#define TCI_SHAPE_COORDINATE_MAX TC_C(1e6)

#endif
