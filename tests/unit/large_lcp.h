/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * TC_CONFIG for the unit tests with complementarity problems of the most contacts, whose sets fill
 * 64 bits.
 */
#define TC_LCP_MAX 64u
