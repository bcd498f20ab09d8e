/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * tc_lcp_solve under the hunt. size: n, d, kind. Words of an input: M [n x n] (d = 0) or J [n x d],
 * q [n], the set to start from.
 */
#include "hunt.h"

hunt_result hunt_lcp(const hunt_file *file, const uint32_t *input)
{
    static tc_real z[TC_LCP_MAX], w[TC_LCP_MAX], work[TC_LCP_GENERAL_WORK(TC_LCP_MAX)];
    const uint32_t n = file->size[0], d = file->size[1];
    const tc_real *const matrix = (const tc_real *)input, *const q = matrix + n * (d > 0u ? d : n);
    const tc_lcp problem = {.n = n,
                            .kind = (tc_lcp_kind)file->size[2],
                            .M = d > 0u ? NULL : matrix,
                            .q = q,
                            .J = d > 0u ? matrix : NULL,
                            .d = d,
                            .warm = *(const uint32_t *)(q + n)};
    tc_lcp_info info;
    tc_status status;
    HUNT_REGION(status = tc_lcp_solve(&problem, z, w, &info, work, TC_COUNT(work)));
    return (hunt_result){status, info.iterations};
}
