/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A configuration for the footprint in `make size`: a foot with float nets of at most four layers,
 * no more than it needs.
 */
#define TC_NET_USE_INT8 0
#define TC_NET_USE_SIGMOID 0
#define TC_NET_USE_SOFTPLUS 0
#define TC_NET_LAYERS_MAX 4u
#define TC_SCHEME_AHEAD 0
#define TC_LCP_CLOSED 0
#define TC_LCP_TWOFOLD 0
