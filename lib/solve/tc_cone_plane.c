/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The passes of the cone solver for a free body in the plane: two rows, three freedoms.
 */
#include "tc_exact.h"

#include "tc_config.h"

#if TC_CONE_UNROLL
/* In one translation unit the passes of tc_cone_any.c serve all sizes. */
#undef CONE_FIXED
#undef CONE_COLUMNS
#define CONE_FIXED 1
#define CONE_COLUMNS 3u
#include "tc_cone_passes_internal.h"

CONE_DEFINE(plane, 2u, 3u)
#endif
