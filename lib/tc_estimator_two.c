/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The bank of a leg of two joints: every loop over joints is unrolled, a hypothesis stays in registers.
 * tc_estimator_bank.h derives it.
 */
#define TC_BANK_JOINTS 2
#include "tc_exact.h"
#include "tc_estimator_bank.h"

/* tc_calls: begin lib/tc_estimator_two.c:bank_start */
/* tc_calls: advance lib/tc_estimator_two.c:bank_mean lib/tc_estimator_two.c:bank_prepare */
/* tc_calls: advance lib/tc_estimator_two.c:bank_move lib/tc_estimator_two.c:bank_sum */
const tc_bank tc_bank_two = {bank_start, bank_mean, bank_prepare, bank_move, bank_sum};
