/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The passes of the cone solver for a free body in space: three rows, six freedoms.
 */
#include "tc_exact.h"

#include "tc_config.h"

#if TC_CONE_UNROLL
/* In one translation unit the passes of tc_cone_any.c serve all sizes. */
#undef CONE_FIXED
#undef CONE_COLUMNS
#define CONE_FIXED 1
#define CONE_COLUMNS 6u
#include "tc_cone_passes_internal.h"

CONE_DEFINE(space, 3u, 6u)
#endif
