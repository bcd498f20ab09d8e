/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The bank of a leg of any number of joints. tc_estimator_bank_internal.h derives it.
 */
#include "tc_exact.h"
#include "tc_estimator_bank_internal.h"

/* tc_calls: begin_estimator lib/estimator/tc_estimator_many.c:bank_start_many */
/* tc_calls: advance_estimator lib/estimator/tc_estimator_many.c:bank_mean_many lib/estimator/tc_estimator_many.c:bank_prepare_many */
/* tc_calls: advance_estimator lib/estimator/tc_estimator_many.c:bank_move_many lib/estimator/tc_estimator_many.c:bank_sum_many */
