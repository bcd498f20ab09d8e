/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * tc_mat_psd_solve under the hunt: the one solve whose work depends on the numbers, by the rank
 * that it finds. size: n. Words of an input: A [n x n], b [n]. The changes told are the rank.
 */
#include "hunt.h"

hunt_result hunt_psd_solve(const hunt_file *file, const uint32_t *input)
{
    static tc_real x[TC_MAT_MAX], work[TC_MAT_PSD_WORK(TC_MAT_MAX)];
    const uint32_t n = file->size[0];
    const tc_real *const A = (const tc_real *)input;
    tc_mat_psd_info info;
    tc_status status;
    HUNT_REGION(status = tc_mat_psd_solve(A, A + n * n, x, n, &info, work, TC_COUNT(work)));
    return (hunt_result){status, info.rank};
}
