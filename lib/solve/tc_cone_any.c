/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The passes of the cone solver for any size.
 */
#include "tc_exact.h"

#define CONE_FIXED 0
#define CONE_COLUMNS 0u
#include "tc_cone_passes_internal.h"

CONE_DEFINE(any, s->rows, s->d)
