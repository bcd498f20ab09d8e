/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Coulomb friction with one coefficient as the contact model of a body in the plane. Firmware that
 * has no nets uses it alone. Nets whose file names a coefficient use it outside their training
 * range.
 *
 *     static const tc_friction2 friction = {0.6f};
 *     const tc_learned2_model model = tc_friction2_model(&friction);
 *     tc_status s = tc_foot2_init(&foot, &body, 0.001f, &model);
 *
 * A patch opens if no contact approaches. It sticks if the impulse that stops it lies in the
 * friction cone. Otherwise it slips, and friction is the coefficient times the normals, against the
 * sliding; friction ends the sliding at most.
 */
#ifndef TC_FRICTION2_H
#define TC_FRICTION2_H

#include "tc_learned2.h"

TC_BEGIN

#define TC_FRICTION2_MU_MAX TC_C(10.0) /* largest coefficient */

/* The coefficient. tc_friction2_default fills it. */
typedef struct tc_friction2 {
    tc_real mu; /* friction over normal impulse while the patch slips [1]; 0..TC_FRICTION2_MU_MAX;
                 * higher: patches stick sooner */
} tc_friction2;

/* Returns the model with coefficient `mu` [1]. */
tc_friction2 tc_friction2_default(tc_real mu);

/* Checks the coefficient.
 * Returns:
 *   TC_OK              the coefficient is valid.
 *   TC_ERR_NULL        `friction` is NULL.
 *   TC_ERR_NOT_FINITE  the coefficient is NaN or infinite.
 *   TC_ERR_RANGE       the coefficient is not in 0..TC_FRICTION2_MU_MAX. */
tc_status tc_friction2_check(const tc_friction2 *friction);

/* Returns the contact model of `friction`, which must outlive it. The model needs no workspace. It
 * always answers, with probabilities of 0 and 1, and it never returns TC_NOTE_RANGE. */
tc_learned2_model tc_friction2_model(const tc_friction2 *friction);

TC_END

#endif
