/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Learned shapes: a net whose inputs are a point and a latent code, and whose output is the signed
 * distance.
 *
 *     value = net(x, y, z, code_0, ..., code_(codes - 1)) [m]
 *
 * The code chooses one shape of a family; the parameters of tc_sdf_grad are its numbers. The value
 * is approximate: `stored.error` holds for the codes that the net was trained with.
 *
 * Where the net's training range is known, it holds for points, too. A point outside has the value
 * of the range's nearest point, plus the distance to that point.
 *
 *     static const tc_sdf_net_data mug = {{0.001f, NULL, NULL, 0}, &net, code, 2};
 *     static const tc_sdf shape = TC_SDF_DATA(tc_sdf_net, &mug);
 */
#ifndef TC_SDF_NET_H
#define TC_SDF_NET_H

#include "tc_net.h"
#include "tc_sdf.h"

TC_BEGIN

#define TC_SDF_NET_CODES 8u /* largest number of a latent code's numbers */

extern const tc_sdf_kind tc_sdf_net;

/* Data of a learned shape. */
typedef struct tc_sdf_net_data {
    tc_sdf_stored stored;
    const tc_net *net_ref;   /* 3 + codes inputs, 1 output, linear head, float activations */
    const tc_real *code_ref; /* [codes] latent code; may change between calls; NULL with codes 0 */
    uint32_t codes;          /* 0..TC_SDF_NET_CODES */
} tc_sdf_net_data;

/* Length of the workspace of tc_sdf_eval and tc_sdf_grad for a learned shape. */
#define TC_SDF_NET_WORK(width, layers) TC_NET_GRAD_WORK(width, layers)

TC_END

#endif
