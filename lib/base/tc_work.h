/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Whether a caller's workspace can be used, internal: two instructions beside the comparison of its
 * length.
 */
#ifndef TC_WORK_H
#define TC_WORK_H

#include "tc_status.h"

static inline int tc_work_aligned(const tc_real *work)
{
    return ((uintptr_t)work & (sizeof(tc_real) - 1u)) == 0u;
}

/* TC_OK, TC_ERR_ALIGN, or TC_ERR_WORK where fewer than `needed` numbers lie there. */
static inline tc_status tc_work_check(const tc_real *work, size_t work_len, size_t needed)
{
    if (!tc_work_aligned(work)) return TC_ERR_ALIGN;
    return work_len < needed ? TC_ERR_WORK : TC_OK;
}

#endif
