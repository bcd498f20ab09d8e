/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A configuration for the footprint in `make size`: a foot with float nets of at most four layers, no more than it needs.
 */
#define TC_NET_INT8 0
#define TC_NET_SIGMOID 0
#define TC_NET_SOFTPLUS 0
#define TC_NET_MAX_LAYERS 4u
#define TC_POSITIONS_AHEAD 0
#define TC_LCP_CLOSED 0
#define TC_LCP_TWOFOLD 0
