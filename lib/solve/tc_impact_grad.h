/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Derivatives of the velocity w that tc_impact_solve returns, right through both phases, also where
 * G has more rows than rank.
 *
 * e = 0, e = 1 and mu = 0 have a derivative to one side only.
 */
#ifndef TC_IMPACT_GRAD_H
#define TC_IMPACT_GRAD_H

#include "tc_impact.h"

TC_BEGIN

/* One number for each input of a problem; any pointer may be NULL. */
typedef struct tc_impact_grad {
    tc_real *G;      /* [n rows x d] */
    tc_real *w0;     /* [d] */
    tc_real *mu;     /* [n] */
    tc_real *e;      /* [n] */
    tc_real *target; /* [d] */
} tc_impact_grad;

tc_status tc_impact_grad_adjoint(const tc_impact *problem, const tc_impact_answer *answer,
                                 const tc_impact_info *info, const tc_real *by_w,
                                 const tc_impact_grad *by, tc_real *work, size_t work_len);
tc_status tc_impact_grad_tangent(const tc_impact *problem, const tc_impact_answer *answer,
                                 const tc_impact_info *info, const tc_impact_grad *along,
                                 tc_real *dw, tc_real *work, size_t work_len);

TC_END

#endif
