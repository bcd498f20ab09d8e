/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Derivatives of the velocity w that tc_cone_solve returns, by everything it depends on. The
 * adjoint takes one cotangent of w to cotangents of all inputs. The tangent takes one direction of
 * all inputs to a direction of w.
 *
 * The derivative holds while no contact changes its kind. Where info->margin is 0, it is that of
 * the kinds in info, one of two one-sided derivatives. mu = 0 has a derivative to one side only.
 */
#ifndef TC_CONE_GRAD_H
#define TC_CONE_GRAD_H

#include "tc_cone.h"

TC_BEGIN

/* One number for each input of a problem: a cotangent, or a direction. Any pointer may be NULL:
 * that input's cotangent is not wanted, or its direction is 0. */
typedef struct tc_cone_grad {
    tc_real *G;          /* [n rows x d] */
    tc_real *w0;         /* [d] */
    tc_real *mu;         /* [n] */
    tc_real *floor;      /* [n] */
    tc_real *compliance; /* [n] */
} tc_cone_grad;

/* Length of the workspace of both functions, usable as array size. */
#define TC_CONE_GRAD_WORK(n, rows, d)                                                              \
    ((n) * (rows) * (2u * (d) + (n) * (rows) + 8u) + 3u * (n) + 2u * (d))

/* Computes from the cotangent by_w[d] of w the cotangents `by` of the inputs. problem, f and info
 * are those of the solve. Outputs are written, not added to. The cotangent of G has f in it. Where
 * f is not unique, it holds for changes of G that keep its rank.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        a pointer that is not optional is NULL.
 *   TC_ERR_SIZE        n, rows or d is beyond its limit.
 *   TC_ERR_ALIGN       work is misaligned.
 *   TC_ERR_WORK        work_len is too small.
 *   TC_ERR_NOT_FINITE  an input is NaN or infinite.
 *   TC_ERR_RANGE       a kind in info is none, or a result overflows.
 * On error: the cotangents are zero; after TC_ERR_SIZE they are unchanged.
 * Cost: a fifth of the solve; at most 608 bytes of stack. */
tc_status tc_cone_grad_adjoint(const tc_cone *problem, const tc_real *f, const tc_cone_info *info,
                               const tc_real *by_w, const tc_cone_grad *by, tc_real *work,
                               size_t work_len);

/* Computes from a direction `along` of the inputs the direction dw[d] of w. The inputs' numbers
 * are read only.
 * Returns: the statuses of tc_cone_grad_adjoint.
 * On error: dw is zero; after TC_ERR_SIZE it is unchanged.
 * Cost: that of the adjoint. */
tc_status tc_cone_grad_tangent(const tc_cone *problem, const tc_real *f, const tc_cone_info *info,
                               const tc_cone_grad *along, tc_real *dw, tc_real *work,
                               size_t work_len);

TC_END

#endif
