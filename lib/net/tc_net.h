/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Nets: multilayer perceptrons evaluated where their weights lie, in flash.
 *
 * A net is up to TC_NET_LAYERS_MAX dense layers y = act(W x + b), with normalisation of inputs and
 * outputs inside it and, for classifiers, a softmax head. Forward evaluation, and the gradient of
 * an output (or any vector-Jacobian product) with respect to the INPUT. A `tc_net` comes from a
 * model file (tc_model.h) or from an exported C pair; nothing of it is copied or written.
 *
 * Weights are float, or int8 with one scale per row. With int8 weights the activations are float
 * (TC_NET_WEIGHT_I8: exact products, gradients possible) or int8 too (TC_NET_WEIGHT_I8_ACT: fastest).
 *
 * Bits: y_o = (((b_o + W_o0 x_0) + W_o1 x_1) + ...), each product and addition rounded, whatever
 * the layout of W and whatever the backend in profile `exact`. int8 x int8 sums are exact.
 */
#ifndef TC_NET_H
#define TC_NET_H

#include "tc_status.h"

TC_BEGIN

typedef enum tc_net_activation {
    TC_NET_IDENTITY = 0,
    TC_NET_RELU = 1,
    TC_NET_TANH = 2,
    TC_NET_SIGMOID = 3,
    TC_NET_SOFTPLUS = 4
} tc_net_activation;

typedef enum tc_net_weight {
    TC_NET_WEIGHT_F32 = 0,   /* float weights, float activations */
    TC_NET_WEIGHT_I8 = 1,    /* int8 weights with per-row scale, float activations */
    TC_NET_WEIGHT_I8_ACT = 2 /* int8 weights with per-row scale, int8 activations */
} tc_net_weight;

typedef enum tc_net_head {
    TC_NET_HEAD_LINEAR = 0,  /* outputs as the last layer and the output normalisation give them */
    TC_NET_HEAD_SOFTMAX = 1  /* outputs are probabilities; the last layer is identity, no output normalisation */
} tc_net_head;

/* Padding of every activation vector in the workspace, in elements: kernels may write a vector up
 * to its length rounded up to this. */
#define TC_NET_PAD 16u

/* One dense layer. W is n_out x n_in, stored in tiles of tile_rows x tile_columns: rows are taken
 * tile_rows at a time and columns tile_columns at a time (the last of each padded with zeros),
 * tiles of one row group are contiguous, and a tile is row-major. Element (o, i) is at
 *     (o / R) * R * K + (i / C) * R * C + (o % R) * C + i % C,
 * R = tile_rows, C = tile_columns, K = n_in rounded up to C. (1, 1) is plain row-major.
 * Backends have a tile they are fastest with: float (8, 1) everywhere; int8 activations (4, 4) on
 * Cortex-M4 and M7, (4, 16) with Helium. The portable backend reads every tile. */
typedef struct tc_net_dense {
    const void *weights;  /* float or int8_t [R*ceil(n_out/R) * K], 4-byte aligned */
    const float *bias;    /* [n_out rounded up to 8], padding zero */
    const float *scale;   /* int8 only, per row, [n_out rounded up to 8], padding zero; else null */
    uint16_t n_in, n_out; /* 1..TC_NET_WIDTH_MAX */
    uint8_t activation;   /* tc_net_activation */
    uint8_t weight;       /* tc_net_weight, the same for all layers of a net */
    uint8_t tile_rows;    /* R: 1, 4 or 8 */
    uint8_t tile_columns; /* C: 1, 4 or 16 */
} tc_net_dense;

/* The layout in C: where W_oi stands, and how many elements the array has. R and C are powers of two. */
static inline size_t tc_net_dense_index(const tc_net_dense *layer, size_t o, size_t i)
{
    const size_t R = layer->tile_rows, C = layer->tile_columns;
    const size_t K = (layer->n_in + C - 1u) & ~(C - 1u);
    return (o & ~(R - 1u)) * K + (i & ~(C - 1u)) * R + (o & (R - 1u)) * C + (i & (C - 1u));
}

static inline size_t tc_net_dense_count(const tc_net_dense *layer)
{
    const size_t R = layer->tile_rows, C = layer->tile_columns;
    return ((layer->n_out + R - 1u) & ~(R - 1u)) * ((layer->n_in + C - 1u) & ~(C - 1u));
}

/* int8 layers. TC_NET_WEIGHT_I8: pre_o = b_o + scale_o * sum_i W_oi x_i, the sum from 0 in ascending i.
 * TC_NET_WEIGHT_I8_ACT, with integers q in and acc_o = sum_i W_oi q_i, exact in 32 bits:
 *   pre_o = acc_o * scale_o + b_o (two roundings);  out, by activation:
 *   last layer  y_o = act(pre_o) as float (identity, ReLU, tanh, sigmoid or softplus);
 *   ReLU        q_o = trunc(pre_o) clamped to 0..127: the exporter divided scale and bias by the
 *               output step and added 1/2 to the bias, so this is round-to-nearest;
 *   sigmoid     q_o = trunc(127 * sigmoid(pre_o) + 0.5)            in 0..127, step 1/127;
 *   tanh        q_o = trunc(127 * tanh(pre_o) + 128.5) - 128       in -127..127, step 1/127.
 * Other activations are not supported in hidden int8-activation layers (TC_ERR_UNSUPPORTED).
 * The net's normalised input enters as q = trunc(clamp(x * input_quant, -127, 127) + 128.5) - 128. */

typedef struct tc_net {
    tc_net_dense layers[TC_NET_LAYERS_MAX];
    const float *input_mean;   /* [n_in]  x_normalised = (x - mean) * scale; null: none */
    const float *input_scale;  /* [n_in]  1 / standard deviation, units of 1/x; null with mean null */
    const float *output_mean;  /* [n_out] y = y_normalised * scale + mean; null: none */
    const float *output_scale; /* [n_out] */
    const float *input_low;    /* [n_in]  valid input range, units of x; null: unknown */
    const float *input_high;   /* [n_in] */
    float input_quant;         /* TC_NET_WEIGHT_I8_ACT only: steps per unit of normalised input, else 0 */
    uint16_t n_in, n_out;
    uint16_t width;            /* the largest of n_in and all layers' n_out: sizes the workspace */
    uint8_t n_layers;          /* 1..TC_NET_LAYERS_MAX */
    uint8_t head;              /* tc_net_head */
} tc_net;

/* Largest Euclidean norm of a normalised input (and of a cotangent): with it, tc_net_check proves
 * that no intermediate value can overflow, so evaluation needs no check inside. An input beyond it
 * (a million standard deviations) is TC_ERR_RANGE. */
#define TC_NET_NORM_MAX TC_C(1048576.0)

/* Work floats for any net at most `width` wide and, for gradients, `layers` deep. */
#define TC_NET_PADDED(width) (((width) + TC_NET_PAD - 1) / TC_NET_PAD * TC_NET_PAD)
#define TC_NET_WORK(width) (2 * TC_NET_PADDED(width))
#define TC_NET_GRAD_WORK(width, layers) (((layers) + 2) * TC_NET_PADDED(width))

/* Whether a net obeys every rule above. Once per net, reads every weight twice; tc_model_open has done
 * it for nets from a model file, and evaluation relies on it.
 * TC_ERR_NULL, TC_ERR_ALIGN a pointer; TC_ERR_SIZE dimensions out of limits or not chained;
 * TC_ERR_UNSUPPORTED an unknown or impossible kind, tile or activation, or padding that is not zero;
 * TC_ERR_NOT_FINITE a NaN or infinite number; TC_ERR_RANGE a value could pass 2^100 for some input or
 * cotangent within TC_NET_NORM_MAX, or input_low exceeds input_high.
 * The second form also says where: `fault` (may be null) is the index of the layer, or n_layers for
 * anything outside the layers. */
tc_status tc_net_check(const tc_net *net);
tc_status tc_net_check_where(const tc_net *net, uint32_t *fault);

/* output[n_out] = net(input[n_in]). Errors: TC_ERR_NULL, TC_ERR_ALIGN, TC_ERR_SIZE (a net without
 * layers), TC_ERR_WORK (needs TC_NET_WORK(net->width)), TC_ERR_NOT_FINITE and TC_ERR_RANGE (the input).
 * On an error the outputs are zero. Nothing may overlap. */
tc_status tc_net_eval(const tc_net *net, const tc_real *input, tc_real *output, tc_real *work,
                      size_t work_len);

/* Forward pass and vector-Jacobian product in one: output as above (null: not wanted) and
 * input_grad[i] = sum_o cotangent[o] * d output[o] / d input[i]. A unit cotangent gives the gradient of one
 * output. ReLU's derivative at 0 is 0. Needs TC_NET_GRAD_WORK(net->width, net->n_layers). Errors as
 * above, for input and cotangent (its Euclidean norm is limited by TC_NET_NORM_MAX too).
 * Not for TC_NET_WEIGHT_I8_ACT, which is a staircase: TC_ERR_UNSUPPORTED. */
tc_status tc_net_grad(const tc_net *net, const tc_real *input, const tc_real *cotangent, tc_real *output,
                      tc_real *input_grad, tc_real *work, size_t work_len);

/* 1 if each input lies in the range the net was trained on, 0 if not (NaN does not); 1 when the range
 * is unknown. */
int tc_net_in_range(const tc_net *net, const tc_real *input);

/* The forward pass alone, nothing checked: for inner loops whose inputs were checked already. */
void tc_net_forward(const tc_net *net, const tc_real *input, tc_real *output, tc_real *work);

TC_END

#endif
