/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Taking the nets of a contact model out of its file: what planar and spatial bodies share. Not for
 * users.
 */
#ifndef TC_LEARNED_NETS_H
#define TC_LEARNED_NETS_H

#include "tc_model.h"

#define TC_LEARNED_CLASSES 3u /* outputs of a classifier: static, dynamic, detach */

/* The net of that name, whose inputs cannot exceed bound[n_in] in magnitude; a classifier has a
 * softmax head. TC_ERR_MODEL_NAME; TC_ERR_MODEL_MISMATCH other inputs, outputs or head;
 * TC_ERR_MODEL_WEIGHT an input scale so large that features could exceed TC_NET_NORM_MAX. */
tc_status tc_learned_nets_take(const tc_model *model, const char *name, const tc_real *bound,
                               uint32_t n_in, uint32_t n_out, tc_net *net);

/* 1 if two nets with the same number of inputs normalise them by the same numbers. */
int tc_learned_nets_normalise_alike(const tc_net *a, const tc_net *b);

#endif
