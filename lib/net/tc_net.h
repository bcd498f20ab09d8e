/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Nets: multilayer perceptrons, evaluated with their weights in flash.
 *
 * A net has up to TC_NET_LAYERS_MAX dense layers y = act(W x + b). It may normalise inputs and
 * outputs, and a classifier has a softmax head. The library evaluates a net, and computes the
 * gradient of an output with respect to the INPUT, or any vector-Jacobian product. A tc_net comes
 * from a model file (tc_model.h) or from an exported pair of C files. The library neither copies
 * nor writes its arrays.
 *
 * Weights are float, or int8 with one scale per row. With int8 weights the activations are float or
 * int8:
 * - TC_NET_WEIGHT_I8: float activations, exact products; gradients are possible.
 * - TC_NET_WEIGHT_I8_ACT: int8 activations; the fastest.
 *
 * Bits: y_o = (((b_o + W_o0 x_0) + W_o1 x_1) + ...). Each product and each addition is rounded, for
 * every layout of W and for every backend of profile `exact`. Sums of int8 products are exact.
 *
 * Units are those of the net's training data.
 */
#ifndef TC_NET_H
#define TC_NET_H

#include "tc_status.h"

TC_BEGIN

/* Activation of a layer. */
typedef enum tc_net_activation {
    TC_NET_IDENTITY = 0,
    TC_NET_RELU = 1,
    TC_NET_TANH = 2,
    TC_NET_SIGMOID = 3,
    TC_NET_SOFTPLUS = 4
} tc_net_activation;

/* Type of the weights and of the activations. */
typedef enum tc_net_weight {
    TC_NET_WEIGHT_F32 = 0,   /* float weights, float activations */
    TC_NET_WEIGHT_I8 = 1,    /* int8 weights with per-row scale, float activations */
    TC_NET_WEIGHT_I8_ACT = 2 /* int8 weights with per-row scale, int8 activations */
} tc_net_weight;

/* Function after the last layer. */
typedef enum tc_net_head {
    TC_NET_HEAD_LINEAR = 0, /* the outputs are those of the last layer, denormalised */
    TC_NET_HEAD_SOFTMAX = 1 /* the outputs are probabilities; the last layer is TC_NET_IDENTITY,
                             * without output normalisation */
} tc_net_head;

/* Padding of an activation vector in the workspace [elements]. A kernel may write a vector up to
 * its length rounded up to this. */
#define TC_NET_PAD 16u

/* One dense layer. W is n_out x n_in, stored in tiles of R = tile_rows by C = tile_columns. Zeros
 * pad the last tile of a row or column. The tiles of one row group are contiguous, and a tile is
 * row-major. With K = n_in rounded up to C, element (o, i) is at
 *
 *     (o / R) * R * K + (i / C) * R * C + (o % R) * C + i % C.
 *
 * Tile (1, 1) is plain row-major. Every backend reads every tile. The fastest tile is (8, 1) for
 * float everywhere. For int8 activations it is (4, 4) on Cortex-M4 and M7, and
 * (4, 16) with Helium. */
typedef struct tc_net_dense {
    const void *weights;  /* float or int8_t [R*ceil(n_out/R) * K]; aligned to 4 bytes */
    const float *bias;    /* [n_out rounded up to 8]; padding zero */
    const float *scale;   /* int8: one per row [n_out rounded up to 8]; padding zero. Float: NULL */
    uint16_t n_in, n_out; /* sizes; 1..TC_NET_WIDTH_MAX */
    uint8_t activation;   /* tc_net_activation; a byte, for small tables in flash */
    uint8_t weight;       /* tc_net_weight; a byte too; the same for all layers of a net */
    uint8_t tile_rows;    /* R: 1, 4 or 8 */
    uint8_t tile_columns; /* C: 1, 4 or 16 */
} tc_net_dense;

/* Returns the index of W_oi in the array `weights`. R and C are powers of two. */
static inline size_t tc_net_dense_index(const tc_net_dense *layer, size_t o, size_t i)
{
    const size_t R = layer->tile_rows, C = layer->tile_columns;
    const size_t K = (layer->n_in + C - 1u) & ~(C - 1u);
    return (o & ~(R - 1u)) * K + (i & ~(C - 1u)) * R + (o & (R - 1u)) * C + (i & (C - 1u));
}

/* Returns the number of elements of the array `weights`, padding included. */
static inline size_t tc_net_dense_count(const tc_net_dense *layer)
{
    const size_t R = layer->tile_rows, C = layer->tile_columns;
    return ((layer->n_out + R - 1u) & ~(R - 1u)) * ((layer->n_in + C - 1u) & ~(C - 1u));
}

/* int8 layers.
 * - TC_NET_WEIGHT_I8: pre_o = b_o + scale_o * sum_i W_oi x_i. The sum begins at 0 and runs over
 *   ascending i.
 * - TC_NET_WEIGHT_I8_ACT: with integers q_i in, acc_o = sum_i W_oi q_i is exact in 32 bits. Then
 *   pre_o = acc_o * scale_o + b_o has two roundings. The activation makes the output of pre_o:
 *
 *     last layer  y_o = act(pre_o) as float (identity, ReLU, tanh, sigmoid or softplus)
 *     ReLU        q_o = trunc(pre_o), clamped to 0..127
 *     sigmoid     q_o = trunc(127 * sigmoid(pre_o) + 0.5)            in 0..127, step 1/127
 *     tanh        q_o = trunc(127 * tanh(pre_o) + 128.5) - 128       in -127..127, step 1/127
 *
 * For ReLU the exporter divides scale and bias by the output step and adds 1/2 to the bias. The
 * truncation then rounds to nearest. Hidden layers of TC_NET_WEIGHT_I8_ACT support no other
 * activation (TC_ERR_UNSUPPORTED). The normalised input x enters as
 * q = trunc(clamp(x * input_quant, -127, 127) + 128.5) - 128. */

/* A net. Its arrays are in flash or in the model file and must outlive it. */
typedef struct tc_net {
    tc_net_dense layers[TC_NET_LAYERS_MAX]; /* [n_layers] the layers, first to last */
    const float *input_mean;                /* [n_in] x_normalised = (x - mean) * scale; NULL: no
                                             * normalisation */
    const float *input_scale;               /* [n_in] 1 / standard deviation [1/unit of x]; NULL
                                             * together with input_mean */
    const float *output_mean;               /* [n_out] y = y_normalised * scale + mean; NULL:
                                             * none */
    const float *output_scale;              /* [n_out]; NULL together with output_mean */
    const float *input_low;                 /* [n_in] lower end of the training range [unit of
                                             * x]; NULL: range unknown */
    const float *input_high;                /* [n_in] upper end of the training range [unit of x] */
    float input_quant;                      /* TC_NET_WEIGHT_I8_ACT: steps per unit of normalised
                                             * input; else 0 */
    uint16_t n_in, n_out;                   /* sizes of input and output; 1..TC_NET_WIDTH_MAX */
    uint16_t width;                         /* largest of n_in and all layers' n_out; sets the
                                             * size of the workspace */
    uint8_t n_layers;                       /* 1..TC_NET_LAYERS_MAX */
    uint8_t head;                           /* tc_net_head; a byte, as in tc_net_dense */
} tc_net;

/* Largest Euclidean norm of a normalised input, and of a cotangent. With this limit tc_net_check
 * proves that no intermediate value overflows. Evaluation therefore checks none. An input beyond
 * it, about a million standard deviations, is refused with TC_ERR_RANGE. */
#define TC_NET_NORM_MAX TC_C(1048576.0)

/* Length of the workspace of any net of at most `width` and, for gradients, at most `layers`. */
#define TC_NET_PADDED(width) (((width) + TC_NET_PAD - 1) / TC_NET_PAD * TC_NET_PAD)
#define TC_NET_WORK(width) (2 * TC_NET_PADDED(width))
#define TC_NET_GRAD_WORK(width, layers) (((layers) + 2) * TC_NET_PADDED(width))

/* Checks that a net obeys every rule above. Evaluation relies on this check: call it once per net.
 * Nets of a model file need no call, because tc_model_open checks them.
 *
 * fault: index of the faulty layer, or n_layers for a fault outside the layers; may be NULL.
 * Returns:
 *   TC_OK               the net is valid.
 *   TC_ERR_NULL         a required pointer is NULL.
 *   TC_ERR_ALIGN        a pointer is misaligned.
 *   TC_ERR_SIZE         a dimension is out of its limits, or two layers' sizes differ.
 *   TC_ERR_UNSUPPORTED  a kind, tile or activation is unknown, impossible or left out by
 *                       tc_config.h, or padding is not zero.
 *   TC_ERR_NOT_FINITE   a number is NaN or infinite.
 *   TC_ERR_RANGE        a value could pass 2^100 for an input or cotangent within TC_NET_NORM_MAX,
 *                       or input_low exceeds input_high.
 * Cost: three passes over the weights, 26 instructions per weight on Cortex-M4F. */
tc_status tc_net_check(const tc_net *net);
tc_status tc_net_check_where(const tc_net *net, uint32_t *fault);

/* Evaluates output[n_out] = net(input[n_in]). The arrays must not overlap.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_ALIGN       input, output or work is misaligned.
 *   TC_ERR_SIZE        the net has no layers.
 *   TC_ERR_WORK        work_len is below TC_NET_WORK(net->width).
 *   TC_ERR_NOT_FINITE  an input is NaN or infinite.
 *   TC_ERR_RANGE       the normalised input exceeds TC_NET_NORM_MAX.
 * On error: output is zero.
 * Cost: one pass over the weights; work of TC_NET_WORK(net->width). docs/reference/costs.md has the
 * instructions. */
tc_status tc_net_eval(const tc_net *net, const tc_real *input, tc_real *output, tc_real *work,
                      size_t work_len);

/* Computes input_grad[i] = sum_o cotangent[o] * d output[o] / d input[i], and the output.
 * A cotangent[n_out] that is a unit vector selects the gradient of one output. The derivative of
 * ReLU at 0 is 0. output[n_out]: may be NULL.
 * Returns: the statuses of tc_net_eval, where NaN, infinity and norm concern input and cotangent,
 * and
 *   TC_ERR_WORK         work_len is below TC_NET_GRAD_WORK(net->width, net->n_layers).
 *   TC_ERR_UNSUPPORTED  the weights are TC_NET_WEIGHT_I8_ACT, whose output has no gradient.
 * On error: output and input_grad are zero.
 * Cost: two passes over the weights; work of TC_NET_GRAD_WORK(net->width, net->n_layers). */
tc_status tc_net_grad(const tc_net *net, const tc_real *input, const tc_real *cotangent,
                      tc_real *output, tc_real *input_grad, tc_real *work, size_t work_len);

/* Returns 1 if each input[n_in] is within the training range, or if the range is unknown. Returns 0
 * if one is outside or NaN, or if a pointer is NULL. */
int tc_net_in_range(const tc_net *net, const tc_real *input);

/* Evaluates a net without any check, for inner loops whose inputs were checked already. The
 * arguments are those of tc_net_eval. */
void tc_net_forward(const tc_net *net, const tc_real *input, tc_real *output, tc_real *work);

TC_END

#endif
