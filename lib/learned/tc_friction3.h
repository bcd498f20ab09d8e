/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Coulomb friction in space as a contact model, exact for each contact. The coefficient may depend
 * on the patch, the slip and the load. It is a tc_learned3_model as the nets are.
 *
 *     tc_friction3 friction = tc_friction3_default(0.2f);
 *     friction.mu[0] = 0.17f;                                   // points slide more easily
 *     tc_learned3_model model = tc_friction3_model(&friction);
 *     tc_status s = tc_foot3_init(&foot, &body, 0.001f, &model);
 *
 * The coefficient of a contact is
 *
 *     mu[patch] + sum_k gain[k] tanh(slip[k] s + load[k] l + bias[k]),
 *     s = ln((v + 0.02 m/s) / (0.5 m/s)),   l = ln((p / weight + 0.05) / 10),
 *
 * with v its tangential speed before the step's impulses, and p its normal impulse of the step. It
 * is kept within 0 and TC_FRICTION3_MU_MAX. v and p are those of tc_learned3_query_slip and _load.
 */
#ifndef TC_FRICTION3_H
#define TC_FRICTION3_H

#include "tc_learned3.h"

TC_BEGIN

#define TC_FRICTION3_UNITS 2u          /* number of units of the residual */
#define TC_FRICTION3_MU_MAX TC_C(10.0) /* largest coefficient of a contact */
#define TC_FRICTION3_WORK 2u           /* model_work of TC_FOOT3_WORK */

/* Numbers of the model. tc_friction3_default fills it. */
typedef struct tc_friction3 {
    tc_real mu[3];  /* coefficients of a point, of a contact of an edge and of a face [1]; >= 0 */
    tc_real weight; /* g h: impulse per unit mass of the body's weight in a step [m/s]; > 0; unused
                     * if gains are 0 */
    tc_real gain[TC_FRICTION3_UNITS]; /* weights of the units [1]; 0: constants alone */
    tc_real slip[TC_FRICTION3_UNITS]; /* weights of s [1] */
    tc_real load[TC_FRICTION3_UNITS]; /* weights of l [1] */
    tc_real bias[TC_FRICTION3_UNITS]; /* [1] */
} tc_friction3;

/* Returns the model with one coefficient for every patch, without a residual. */
tc_friction3 tc_friction3_default(tc_real mu);

/* Checks the numbers of a model.
 * Returns:
 *   TC_OK              the numbers are valid.
 *   TC_ERR_NULL        `friction` is NULL.
 *   TC_ERR_NOT_FINITE  a number is NaN or infinite.
 *   TC_ERR_RANGE       a coefficient is not in 0..TC_FRICTION3_MU_MAX, or a gain is not 0 and
 *                      `weight` is not positive. */
tc_status tc_friction3_check(const tc_friction3 *friction);

/* Returns the contact model of `friction`, which must outlive it.
 * Cost: per ratio at most 4 steps of Newton's method, of 50 operations each; with a residual two
 * logarithms and two hyperbolic tangents. Workspace: TC_FRICTION3_WORK. */
tc_learned3_model tc_friction3_model(const tc_friction3 *friction);

TC_END

#endif
