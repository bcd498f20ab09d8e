/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Taking the nets of a contact model out of its file.
 *
 * A model's nets are proved not to overflow for normalised inputs of norm up to TC_NET_NORM_MAX.
 * Features are bounded, so that border is settled when the nets are taken, and evaluation checks
 * nothing.
 */
#include "tc_exact.h"
#include "tc_learned_nets.h"

#include "tc_vec.h"

#include <string.h>

/* Whether no features can exceed TC_NET_NORM_MAX once they are normalised. */
static int is_bounded(const tc_net *net, const tc_real *bound)
{
    tc_real square = TC_C(0.0);
    for (uint32_t i = 0; i < net->n_in; i++) {
        tc_real most = bound[i];
        if (net->input_mean != NULL) {
            const tc_real mean = (tc_real)net->input_mean[i];
            most = (most + tc_vec_magnitude(mean)) * (tc_real)net->input_scale[i];
        }
        square += most * most;
    }
    return square <= TC_NET_NORM_MAX * TC_NET_NORM_MAX;
}

tc_status tc_learned_nets_take(const tc_model *model, const char *name, const tc_real *bound,
                               uint32_t n_in, uint32_t n_out, tc_net *net)
{
    const tc_status status = tc_model_net(model, name, net);
    if (status < TC_OK) {
        return status;
    }
    const int classifies = n_out == TC_LEARNED_CLASSES;
    if (net->n_in != n_in || net->n_out != n_out
        || (classifies && net->head != TC_NET_HEAD_SOFTMAX)) {
        return TC_ERR_MODEL_MISMATCH;
    }
    return is_bounded(net, bound) ? TC_OK : TC_ERR_MODEL_WEIGHT;
}

static int same_numbers(const float *a, const float *b, uint32_t n)
{
    return a == b || (a != NULL && b != NULL && memcmp(a, b, n * sizeof *a) == 0);
}

int tc_learned_nets_normalise_alike(const tc_net *a, const tc_net *b)
{
    return same_numbers(a->input_mean, b->input_mean, a->n_in)
           && same_numbers(a->input_scale, b->input_scale, a->n_in);
}
