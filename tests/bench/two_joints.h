/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A configuration for the footprint in `make size`: contact estimated for a leg of two joints.
 */
#define TC_ESTIMATOR_MANY 0
