/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The two answers of tc_friction2.h, for contact models that use them at times. Not for users.
 */
#ifndef TC_FRICTION2_CORE_H
#define TC_FRICTION2_CORE_H

#include "tc_friction2.h"

/* Writes probability[3] of static, dynamic and detach: one is 1. */
void tc_friction2_classify(const tc_friction2 *friction, const tc_learned2_query *query,
                           tc_real *probability);

/* p_f / p_n of the patch that slips, no more than ends the sliding. */
tc_real tc_friction2_ratio(const tc_friction2 *friction, const tc_learned2_query *query);

#endif
