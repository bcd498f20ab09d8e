/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What is done with a net's inputs before its first layer. Not for users: nothing is checked.
 */
#ifndef TC_NET_INPUT_H
#define TC_NET_INPUT_H

#include "tc_net.h"

#include "tc_kernel_net.h"

TC_BEGIN

/* The normalised input: in slot[n_in], which may be `input`, or the user's own array where the net
 * normalises nothing. */
static inline const tc_real *tc_net_normalised(const tc_net *net, const tc_real *input,
                                               tc_real *slot)
{
    if (net->input_mean == NULL) {
        return input;
    }
    tc_kernel_normalise(input, net->input_mean, net->input_scale, slot, net->n_in);
    return slot;
}

/* tc_net_in_range, net and x not null. */
static inline int tc_net_inside(const tc_net *net, const tc_real *x)
{
    return net->input_low == NULL || net->input_high == NULL
           || tc_kernel_within(x, net->input_low, net->input_high, net->n_in) != 0u;
}

TC_END

#endif
