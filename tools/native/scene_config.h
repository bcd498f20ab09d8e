/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * TC_CONFIG of the host's library for scenes of shapes: 8 bodies in space, 32 contacts with
 * friction.
 */
#define TC_CONE_FREEDOM_MAX 64u
#define TC_CONE3_MAX 32u
