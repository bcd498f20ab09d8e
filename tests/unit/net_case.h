/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The nets of tests/vectors/net.h, and how tests lay their weights out in any tile.
 */
#ifndef NET_CASE_H
#define NET_CASE_H

#include "test.h"

typedef struct net_case {
    const char *name;
    uint8_t n_layers, head, weight;
    float input_quant;
    const uint16_t *dims;       /* [n_layers + 1] */
    const uint8_t *activations; /* [n_layers] */
    const void *weights;        /* all layers one after the other, row-major: float or int8_t */
    const float *biases;        /* all layers */
    const float *scales;        /* all layers, or null */
    const float *input_mean, *input_scale, *output_mean, *output_scale;
    uint32_t n_samples;
    const float *inputs, *cotangents; /* [n_samples][n_in], [n_samples][n_out] */
    const tc_real *outputs, *bounds, *grads, *grad_bounds; /* expected, and the largest error of
                                                            * float */
} net_case;

#define NET_CASE_WIDTH 33u /* of the widest case */
#define NET_CASE_LAYERS 8u

uint32_t net_case_count(void);
const net_case *net_case_at(uint32_t index);
const net_case *net_case_named(const char *name);

/* The case as a net, its weights tiled rows x columns. All nets share one storage: the last one
 * built is the one that is good. */
void net_case_build(const net_case *c, uint32_t rows, uint32_t columns, tc_net *net);

/* A net for properties, with weights drawn from the test's generator: dims[n_layers + 1],
 * `activation` in hidden layers, identity in the last. Same storage. */
void net_case_random(const uint16_t *dims, uint32_t n_layers, uint32_t activation, uint32_t weight,
                     uint32_t rows, uint32_t columns, tc_net *net);

/* The tiles a layer may have. */
#define NET_CASE_TILES 9u
void net_case_tile(uint32_t index, uint32_t *rows, uint32_t *columns);

/* Bounds are stated for float; the double build must be better by far. */
#ifdef TC_DOUBLE
#define NET_CASE_BOUND(bound) ((bound) * 1e-5)
#else
#define NET_CASE_BOUND(bound) (bound)
#endif

#endif
