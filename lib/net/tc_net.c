/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Nets: evaluation.
 *
 *   a_0 = (input - input_mean) * input_scale          only where the net normalises
 *   a_l = act_l(W_l a_(l-1) + b_l)                    l = 1..L
 *   output = softmax(a_L), or a_L * output_scale + output_mean, or a_L
 *
 * Two vectors of `width` elements, P floats apart in the workspace, take turns; the normalised
 * input is the first tenant of the lower one, so layer 1 writes the upper one. The kernels do
 * nearly all the work, so the walk between them is kept to what must be asked per layer: the kind
 * of weights is decided once, the activation by one comparison where it is identity or ReLU.
 *
 * Overflow needs no test in here: see tc_net_check.c.
 *
 * Cost beside the kernels, on Cortex-M4F with float weights: 13 instructions per layer and 45 per
 * call; the border checks of tc_net_eval add 52 and 3.5 per input. Work: 2 P. Stack: 80 bytes and a
 * kernel.
 */
#include "tc_exact.h"
#include "tc_net_core.h"

#include "tc_kernel_net.h"
#include "tc_math_core.h"
#include "tc_net_input.h"

tc_status tc_net_norm_fault(const tc_real *x, uint32_t n)
{
    return tc_all_finite(x, n) ? TC_ERR_RANGE : TC_ERR_NOT_FINITE;
}

void tc_net_activate(uint32_t activation, tc_real *y, uint32_t n)
{
    if (activation == TC_NET_TANH) {
        tc_kernel_tanh(y, n);
    } else if (TC_NET_USE_SIGMOID && activation == TC_NET_SIGMOID) {
        tc_kernel_sigmoid(y, n);
    } else if (TC_NET_USE_SOFTPLUS && activation == TC_NET_SOFTPLUS) {
        tc_kernel_softplus(y, n);
    }
}

void tc_net_finish(const tc_net *net, const tc_real *last, tc_real *output)
{
    const uint32_t n = net->n_out;
    if (net->head == TC_NET_HEAD_SOFTMAX) {
        tc_softmax_core(last, n, output);
        return;
    }
    if (net->output_mean != NULL) {
        for (uint32_t o = 0; o < n; o++) {
            output[o] =
                TC_MLA((tc_real)net->output_mean[o], last[o], (tc_real)net->output_scale[o]);
        }
        return;
    }
    for (uint32_t o = 0; o < n; o++) {
        output[o] = last[o];
    }
}

tc_status tc_net_fail(tc_real *x, uint32_t n, tc_status status)
{
    if (x != NULL && tc_net_aligned(x)) {
        for (uint32_t i = 0; i < n; i++) {
            x[i] = TC_C(0.0);
        }
    }
    return status;
}

/* ---- The walks: from a_0 to a_L, which is handed back where it lies in the workspace --------- */

/* A layer with float activations. Called with a constant for `int8_weights`, so that each kind has
 * its own code. */
static inline void layer_float(const tc_net_dense *layer, const tc_real *x, tc_real *y,
                               int int8_weights)
{
    if (int8_weights) {
        tc_kernel_dense_i8(layer, x, y);
    } else {
        tc_kernel_dense(layer, x, y);
    }
    if (layer->activation > TC_NET_RELU) {
        tc_net_activate(layer->activation, y, layer->n_out);
    }
}

static inline tc_real *walk_float(const tc_net *net, const tc_real *x, tc_real *work,
                                  int int8_weights)
{
    const tc_net_dense *layer = net->layers;
    const tc_net_dense *const last = layer + net->n_layers - 1;
    tc_real *const upper = work + TC_NET_PADDED(net->width);
    for (;; layer += 2, x = work) { /* two layers a round: the vectors are where they were */
        layer_float(layer, x, upper, int8_weights);
        if (layer == last) {
            return upper;
        }
        layer_float(layer + 1, upper, work, int8_weights);
        if (layer + 1 == last) {
            return work;
        }
    }
}

/* tanh or sigmoid of y[n], as steps of 1/127, over the first n bytes of y itself: byte i belongs to
 * element i / sizeof(tc_real) <= i, which has been read by then. */
static int8_t *squash_inplace(uint32_t activation, tc_real *y, uint32_t n)
{
    int8_t *const q = (int8_t *)y;
    tc_net_activate(activation, y, n);
    if (!TC_NET_USE_SIGMOID || activation == TC_NET_TANH) {
        tc_kernel_quantise(y, TC_C(127.0), q, n);
        return q;
    }
    for (uint32_t i = 0; i < n; i++) {
        /* a sigmoid is positive: it is rounded where its own spacing is finer */
        q[i] = (int8_t)(int32_t)(TC_C(127.0) * y[i] + TC_C(0.5));
    }
    return q;
}

static tc_real *walk_i8_act(const tc_net *net, const tc_real *x, tc_real *work)
{
    const tc_net_dense *layer = net->layers;
    const tc_net_dense *const last = layer + net->n_layers - 1;
    tc_real *y = work, *spare = work + TC_NET_PADDED(net->width);
    int8_t *q = (int8_t *)spare; /* x may lie in `work`: not over itself */
    tc_kernel_quantise(x, (tc_real)net->input_quant, q, net->n_in);
    for (; layer != last; layer++) {
        if (layer->activation == TC_NET_RELU) {
            tc_kernel_dense_i8_act_relu(layer, q, (int8_t *)y);
            q = (int8_t *)y;
        } else {
            tc_kernel_dense_i8_act(layer, q, y);
            q = squash_inplace(layer->activation, y, layer->n_out);
        }
        tc_real *const next = spare;
        spare = y;
        y = next;
    }
    tc_kernel_dense_i8_act(layer, q, y);
    if (layer->activation > TC_NET_RELU) {
        tc_net_activate(layer->activation, y, layer->n_out);
    }
    return y;
}

void tc_net_run(const tc_net *net, const tc_real *x, tc_real *output, tc_real *work)
{
    const uint32_t weight = net->layers[0].weight;
    tc_real *last;
    if (!TC_NET_USE_INT8 || (TC_NET_USE_FLOAT && weight == TC_NET_WEIGHT_F32)) {
        last = walk_float(net, x, work, 0);
    } else if (TC_NET_USE_FLOAT && weight == TC_NET_WEIGHT_I8) {
        last = walk_float(net, x, work, 1);
    } else {
        last = walk_i8_act(net, x, work);
    }
    tc_net_finish(net, last, output);
}

/* ---- Public ---------------------------------------------------------------------------------- */

void tc_net_forward(const tc_net *net, const tc_real *input, tc_real *output, tc_real *work)
{
    if (net->input_mean == NULL) { /* two calls: without a frame in this, the common case */
        tc_net_run(net, input, output, work);
    } else {
        tc_net_run(net, tc_net_normalised(net, input, work), output, work);
    }
}

static tc_status arguments_net(const tc_net *net, const tc_real *input, const tc_real *output,
                               const tc_real *work, size_t work_len)
{
    if (input == NULL || output == NULL || work == NULL) {
        return TC_ERR_NULL;
    }
    if (!tc_net_aligned((const void *)((uintptr_t)input | (uintptr_t)output | (uintptr_t)work))) {
        return TC_ERR_ALIGN;
    }
    if (net->n_layers == 0u) {
        return TC_ERR_SIZE;
    }
    return work_len < TC_NET_WORK((size_t)net->width) ? TC_ERR_WORK : TC_OK;
}

tc_status tc_net_eval(const tc_net *net, const tc_real *input, tc_real *output, tc_real *work,
                      size_t work_len)
{
    if (net == NULL) {
        return TC_ERR_NULL;
    }
    const tc_status status = arguments_net(net, input, output, work, work_len);
    if (status < TC_OK) {
        return tc_net_fail(output, net->n_out, status);
    }
    const tc_real *const x = tc_net_normalised(net, input, work);
    if (!tc_net_within_norm(x, net->n_in)) {
        return tc_net_fail(output, net->n_out, tc_net_norm_fault(input, net->n_in));
    }
    tc_net_run(net, x, output, work);
    return TC_OK;
}

int tc_net_in_range(const tc_net *net, const tc_real *input)
{
    return net != NULL && input != NULL && tc_net_inside(net, input);
}
