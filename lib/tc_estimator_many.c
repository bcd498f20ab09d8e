/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The bank of a leg of any number of joints. tc_estimator_bank.h derives it.
 */
#include "tc_estimator_bank.h"

const tc_bank tc_bank_many = {bank_start, bank_mean, bank_prepare, bank_move, bank_sum};
