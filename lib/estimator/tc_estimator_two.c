/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The bank of a leg of two joints: every loop over joints is unrolled, a hypothesis stays in
 * registers. tc_estimator_bank_internal.h derives it.
 */
#define TC_BANK_JOINTS 2
#include "tc_exact.h"

/* Helium's vectors do not pay in unrolled scalar code: gcc gathers scalars on the stack to store
 * four at once. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include "tc_estimator_bank_internal.h"

/* tc_calls: begin_estimator lib/estimator/tc_estimator_two.c:bank_start_two */
/* tc_calls: advance_estimator lib/estimator/tc_estimator_two.c:bank_mean_two lib/estimator/tc_estimator_two.c:bank_prepare_two */
/* tc_calls: advance_estimator lib/estimator/tc_estimator_two.c:bank_move_two lib/estimator/tc_estimator_two.c:bank_sum_two */

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
