/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A program outside the project: what a firmware engineer's first file looks like.
 */
#include <tinycontact.h>

int main(void)
{
    static const tc_real A[9] = {4, 1, 0, 1, 3, 1, 0, 1, 2};
    static const tc_real b[3] = {5, 5, 3};
    tc_real L[9], x[3];
    tc_status status = tc_mat_cholesky(A, L, 3);
    if (status >= 0) {
        status = tc_mat_cholesky_solve(L, b, x, 3, 1);
    }
    /* The solution is (1, 1, 1). */
    for (int i = 0; i < 3; ++i) {
        if (x[i] < 0.99999f || x[i] > 1.00001f) {
            return 2;
        }
    }
    return status == TC_OK && tc_version() == TC_VERSION ? 0 : 1;
}
