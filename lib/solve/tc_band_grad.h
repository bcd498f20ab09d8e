/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Derivatives of the impulses f and velocities w that tc_band_solve returns, by everything they
 * depend on. The adjoint takes cotangents of f and w to cotangents of all inputs. The tangent takes
 * one direction of all inputs to directions of f and w. Both use the factor that the solve left in
 * its workspace, and time in proportion to the number of contacts.
 *
 * The derivative holds while no contact changes between active and inactive. Where info->margin is
 * 0, it is that of the solve's active set, one of two one-sided derivatives. Where A is singular on
 * the active contacts, only derivatives of w have a meaning.
 */
#ifndef TC_BAND_GRAD_H
#define TC_BAND_GRAD_H

#include "tc_band.h"

TC_BEGIN

/* One number for each input of a problem: a cotangent, or a direction. Any pointer may be NULL:
 * that input's cotangent is not wanted, or its direction is 0. */
typedef struct tc_band_grad {
    tc_real *A;     /* [n x (width + 1)] as the problem's: A_ij and A_ji are one input */
    tc_real *q;     /* [n] */
    tc_real *floor; /* [n] */
} tc_band_grad;

/* Length of the workspace of both functions. */
#define TC_BAND_GRAD_WORK(n) (3u * (n))

/* Computes from the cotangents by_f[n] and by_w[n] the cotangents of the inputs.
 *
 * problem, f and solved are those of the solve: solved is its workspace, unchanged since. by_f or
 * by_w may be NULL: zero. Outputs are written, not added to. They must not overlap the inputs.
 * Returns:
 *   TC_OK              also for n = 0.
 *   TC_ERR_NULL        a required pointer is NULL.
 *   TC_ERR_ALIGN       work is misaligned.
 *   TC_ERR_SIZE        n or width is beyond its limit.
 *   TC_ERR_WORK        work_len is too small.
 *   TC_ERR_NOT_FINITE  a cotangent is NaN or infinite.
 *   TC_ERR_RANGE       a result overflows.
 * On error: the outputs are zero; after TC_ERR_SIZE they are unchanged.
 * Cost: n (8 width + 8) multiply-accumulates; where A was singular, 8 times that. */
tc_status tc_band_grad_adjoint(const tc_band *problem, const tc_real *f, const tc_real *solved,
                               const tc_real *by_f, const tc_real *by_w, const tc_band_grad *by,
                               tc_real *work, size_t work_len);

/* Computes from a direction of the inputs the directions df[n] and dw[n]. The inputs' numbers are
 * read only.
 *
 * problem, f and solved: as in tc_band_grad_adjoint.
 * Returns: the statuses of tc_band_grad_adjoint, for directions instead of cotangents.
 * On error: df and dw are zero; after TC_ERR_SIZE they are unchanged.
 * Cost: as tc_band_grad_adjoint. */
tc_status tc_band_grad_tangent(const tc_band *problem, const tc_real *f, const tc_real *solved,
                               const tc_band_grad *along, tc_real *df, tc_real *dw, tc_real *work,
                               size_t work_len);

TC_END

#endif
