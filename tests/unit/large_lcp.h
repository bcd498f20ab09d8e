/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * TC_CONFIG for the unit tests with complementarity problems whose sets need more than 32 bits.
 */
#define TC_LCP_MAX 40u
