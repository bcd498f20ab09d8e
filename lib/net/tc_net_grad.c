/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Nets: the vector-Jacobian product with respect to the input, by reverse accumulation.
 *
 *   forward    a_0 .. a_L are kept (tc_net.c has the formulas)
 *   seed       g_L = v * output_scale, or for the softmax head p * (v - p.v) with p = softmax(a_L)
 *   backward   h_l = g_l * act_l'(pre_l),  g_(l-1) = W_l^T h_l,  l = L..1
 *   result     g_0 * input_scale
 *
 * Each derivative is taken from the activation's value a, so no pre-activation is kept:
 *   ReLU  a > 0;   tanh  1 - a^2;   sigmoid  a (1 - a);   softplus, a = log(1 + e^x):
 *   sigmoid(x) = 1 - e^-a, which cancels as a -> 0; there the series of 1 - e^-a is used.
 *
 * Workspace: slot l of P floats holds a_l, slot L+1 the seed. g_l stands in slot l+1 and g_(l-1)
 * goes to slot l, whose a_l has just been used up: the gradient follows the activations down.
 *
 * Cost: one forward pass, and as many products again on the way back. Work: (L + 2) P.
 */
#include "tc_exact.h"
#include "tc_net_core.h"

#include "tc_kernel_net.h"
#include "tc_math.h"
#include "tc_net_input.h"

/* a up to which the series is taken. At 1/8 its six terms leave a^6 / 5040 of relative error, 1e-9,
 * while 1 - e^-a has lost three bits to cancellation, 5e-7. The reference build cuts where both are
 * 1e-13. */
#ifdef TC_DOUBLE
#define SERIES_MAX 0.004
#else
#define SERIES_MAX 0.125f
#endif

/* 1 - e^-a for a >= 0, that is log(1 + e^x)' = sigmoid(x) for a = log(1 + e^x). */
static tc_real softplus_slope(tc_real a)
{
    if (a > SERIES_MAX) {
        return TC_C(1.0) - tc_exp(-a);
    }
    const tc_real inner = TC_C(1.0) - a * TC_C(0.2) * (TC_C(1.0) - a * TC_C(0.16666666666666667));
    const tc_real outer =
        TC_C(1.0) - a * TC_C(0.33333333333333333) * (TC_C(1.0) - a * TC_C(0.25) * inner);
    return a * (TC_C(1.0) - a * TC_C(0.5) * outer);
}

/* g *= act'(pre), elementwise, from a = act(pre). */
static void through_activation(uint32_t activation, const tc_real *a, tc_real *g, uint32_t n)
{
    switch (activation) {
    case TC_NET_RELU:
        for (uint32_t i = 0; i < n; i++) {
            g[i] = a[i] > TC_C(0.0) ? g[i] : TC_C(0.0);
        }
        break;
    case TC_NET_TANH:
        for (uint32_t i = 0; i < n; i++) {
            g[i] *= TC_C(1.0) - a[i] * a[i];
        }
        break;
    case TC_NET_SIGMOID:
        for (uint32_t i = 0; i < n; i++) {
            g[i] *= a[i] * (TC_C(1.0) - a[i]);
        }
        break;
    case TC_NET_SOFTPLUS:
        for (uint32_t i = 0; i < n; i++) {
            g[i] *= softplus_slope(a[i]);
        }
        break;
    default: break;
    }
}

/* Layer l on the way up: a = act(W x + b). */
static void layer_up(const tc_net_dense *layer, const tc_real *x, tc_real *a)
{
    if (!TC_NET_USE_INT8 || layer->weight == TC_NET_WEIGHT_F32) {
        tc_kernel_dense(layer, x, a);
    } else {
        tc_kernel_dense_i8(layer, x, a);
    }
    tc_net_activate(layer->activation, a, layer->n_out);
}

/* Layer l on the way down: g is turned into h, and W^T h overwrites a. */
static void layer_down(const tc_net_dense *layer, tc_real *a, tc_real *g)
{
    through_activation(layer->activation, a, g, layer->n_out);
    if (!TC_NET_USE_INT8 || layer->weight == TC_NET_WEIGHT_F32) {
        tc_kernel_dense_vjp(layer, g, a);
    } else {
        tc_kernel_dense_i8_vjp(layer, g, a);
    }
}

/* g_L from the cotangent v; p the softmax where there is one, may be g. */
static void seed_cotangent(const tc_net *net, const tc_real *p, const tc_real *v, tc_real *g)
{
    const uint32_t n = net->n_out;
    tc_real mean = TC_C(0.0); /* p.v */
    if (net->head == TC_NET_HEAD_SOFTMAX) {
        for (uint32_t o = 0; o < n; o++) {
            mean = TC_MLA(mean, p[o], v[o]);
        }
        for (uint32_t o = 0; o < n; o++) {
            g[o] = p[o] * (v[o] - mean);
        }
        return;
    }
    for (uint32_t o = 0; o < n; o++) {
        g[o] = net->output_scale != NULL ? v[o] * (tc_real)net->output_scale[o] : v[o];
    }
}

/* All of it, inputs checked. */
static void run_gradient(const tc_net *net, const tc_real *x, const tc_real *cotangent,
                         tc_real *output, tc_real *input_grad, tc_real *work)
{
    const uint32_t P = TC_NET_PADDED((uint32_t)net->width);
    tc_real *a = work; /* slot l */
    for (uint32_t l = 0; l < net->n_layers; l++) {
        layer_up(&net->layers[l], x, a + P);
        a += P;
        x = a;
    }
    tc_real *const g = a + P, *const y = output != NULL ? output : g;
    tc_net_finish(net, a, y);
    seed_cotangent(net, y, cotangent, g);
    for (uint32_t l = net->n_layers; l > 0u; l--) {
        layer_down(&net->layers[l - 1u], a, a + P);
        a -= P;
    }
    for (uint32_t i = 0; i < net->n_in; i++) {
        const tc_real g0 = a[P + i];
        input_grad[i] = net->input_scale != NULL ? g0 * (tc_real)net->input_scale[i] : g0;
    }
}

static tc_status pointers_gradient(const tc_real *input, const tc_real *cotangent,
                                   const tc_real *output, const tc_real *input_grad,
                                   const tc_real *work)
{
    if (input == NULL || cotangent == NULL || input_grad == NULL || work == NULL) {
        return TC_ERR_NULL;
    }
    const int aligned = tc_net_aligned(input) && tc_net_aligned(cotangent) && tc_net_aligned(output)
                        && tc_net_aligned(input_grad) && tc_net_aligned(work);
    return aligned ? TC_OK : TC_ERR_ALIGN;
}

static tc_status arguments_gradient(const tc_net *net, const tc_real *input,
                                    const tc_real *cotangent, const tc_real *output,
                                    const tc_real *input_grad, const tc_real *work, size_t work_len)
{
    const tc_status status = pointers_gradient(input, cotangent, output, input_grad, work);
    if (status < TC_OK) {
        return status;
    }
    if (net->n_layers == 0u) {
        return TC_ERR_SIZE;
    }
    if (net->layers[0].weight == TC_NET_WEIGHT_I8_ACT) {
        return TC_ERR_UNSUPPORTED;
    }
    return work_len < TC_NET_GRAD_WORK((size_t)net->width, net->n_layers) ? TC_ERR_WORK : TC_OK;
}

tc_status tc_net_grad(const tc_net *net, const tc_real *input, const tc_real *cotangent,
                      tc_real *output, tc_real *input_grad, tc_real *work, size_t work_len)
{
    if (net == NULL) {
        return TC_ERR_NULL;
    }
    const tc_real *x = input;
    tc_status status =
        arguments_gradient(net, input, cotangent, output, input_grad, work, work_len);
    if (status >= TC_OK && !tc_net_within_norm(cotangent, net->n_out)) {
        status = tc_net_norm_fault(cotangent, net->n_out);
    }
    if (status >= TC_OK) {
        x = tc_net_normalised(net, input, work);
        status = tc_net_within_norm(x, net->n_in) ? TC_OK : tc_net_norm_fault(input, net->n_in);
    }
    if (status < TC_OK) {
        (void)tc_net_fail(output, net->n_out, status);
        return tc_net_fail(input_grad, net->n_in, status);
    }
    run_gradient(net, x, cotangent, output, input_grad, work);
    return TC_OK;
}
