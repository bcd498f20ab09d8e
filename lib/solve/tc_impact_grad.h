/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Derivatives of the velocity w that tc_impact_solve returns, right through both phases. They are
 * right where G has more rows than rank, too. The floors of restitution then move with the impulses
 * of least norm.
 *
 * They hold while no contact changes its kind: where a margin of the info is 0 they are one of two
 * one-sided derivatives. So are those by mu at 0 and by e at 0 and 1: e has no values beyond. An
 * e that is 0 for all contacts has derivative 0 here, because restitution is then not solved.
 *
 * By Coulomb's law derivatives pass De Saxce's shift by the implicit function theorem. Coulomb's
 * law does not determine the loads of slipping feet beyond the rank of their normals, as with four
 * corners of a box. The derivative then keeps the load of one of them: TC_NOTE_PRECISION.
 *
 * The compliance that makes impulses unique is in the derivative, too. Where f_c is not unique the
 * derivative errs by about eps, 1e-3 in float and 1e-6 in double.
 */
#ifndef TC_IMPACT_GRAD_H
#define TC_IMPACT_GRAD_H

#include "tc_impact.h"

TC_BEGIN

/* One number for each input of a problem: a cotangent, or a direction. Any pointer may be NULL:
 * that input's cotangent is not wanted, or its direction is 0. */
typedef struct tc_impact_grad {
    tc_real *G;      /* [n rows x d]; where f_c is not unique: for changes that keep G's rank */
    tc_real *w0;     /* [d] */
    tc_real *mu;     /* [n] */
    tc_real *e;      /* [n] */
    tc_real *target; /* [d] */
} tc_impact_grad;

/* Length of the workspace of both functions, usable as array size. */
#define TC_IMPACT_GRAD_WORK(n, rows, d)                                                            \
    (TC_CONE_GRAD_WORK(n, rows, d) + (n) * (rows) + 4u * (n) + 3u * (d))

/* Computes from the cotangent by_w[d] of w the cotangents `by` of the inputs. problem, answer and
 * info are those of the solve. Outputs are written, not added to.
 * Returns:
 *   TC_OK               done.
 *   TC_NOTE_PRECISION   Coulomb's law does not determine the velocity, see above.
 *   TC_ERR_NULL         a pointer that is not optional is NULL; or info->unique is 0 and
 *                       answer->w_least is NULL.
 *   TC_ERR_SIZE         n, rows or d is beyond its limit.
 *   TC_ERR_ALIGN        work is misaligned.
 *   TC_ERR_WORK         work_len is too small.
 *   TC_ERR_NOT_FINITE   an input is NaN or infinite.
 *   TC_ERR_RANGE        a kind in info is none, or a result overflows.
 *   TC_ERR_UNSUPPORTED  problem->law is no tc_impact_law.
 * On error: the cotangents are zero; after TC_ERR_SIZE they are unchanged.
 * Cost: two to three adjoints of a cone problem. */
tc_status tc_impact_grad_adjoint(const tc_impact *problem, const tc_impact_answer *answer,
                                 const tc_impact_info *info, const tc_real *by_w,
                                 const tc_impact_grad *by, tc_real *work, size_t work_len);

/* Computes from a direction `along` of the inputs the direction dw[d] of w. The inputs' numbers
 * are read only.
 * Returns: the statuses of tc_impact_grad_adjoint.
 * On error: dw is zero; after TC_ERR_SIZE it is unchanged.
 * Cost: that of the adjoint. */
tc_status tc_impact_grad_tangent(const tc_impact *problem, const tc_impact_answer *answer,
                                 const tc_impact_info *info, const tc_impact_grad *along,
                                 tc_real *dw, tc_real *work, size_t work_len);

TC_END

#endif
