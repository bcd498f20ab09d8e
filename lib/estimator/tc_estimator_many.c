/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The bank of a leg of any number of joints. tc_estimator_bank_internal.h derives it.
 */
#include "tc_exact.h"
#include "tc_estimator_bank_internal.h"

/* tc_calls: begin_estimator lib/estimator/tc_estimator_many.c:bank_start */
/* tc_calls: advance_estimator lib/estimator/tc_estimator_many.c:bank_mean lib/estimator/tc_estimator_many.c:bank_prepare */
/* tc_calls: advance_estimator lib/estimator/tc_estimator_many.c:bank_move lib/estimator/tc_estimator_many.c:bank_sum */
const tci_estimator_bank tci_estimator_bank_many = {bank_start, bank_mean, bank_prepare, bank_move, bank_sum};
