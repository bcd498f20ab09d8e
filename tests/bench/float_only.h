/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A configuration for the footprint in `make size`: float nets with ReLU, tanh and softmax only.
 */
#define TC_NET_USE_INT8 0
#define TC_NET_USE_SIGMOID 0
#define TC_NET_USE_SOFTPLUS 0
