/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CMSIS-DSP on the same inputs. Its instance structs are made before the region starts, as a user
 * would keep them. It has no bias and no activation: the net is arm_mat_vec_mult_f32, arm_add_f32
 * and a loop per layer, which is what its users write.
 */
#include "bench.h"

#include "dsp/basic_math_functions.h"
#include "dsp/matrix_functions.h"

#include <math.h>

static arm_matrix_instance_f32 instance_A, instance_B, instance_result;

static void make_instances(uint32_t columns)
{
    uint16_t n = (uint16_t)bench.n;

    arm_mat_init_f32(&instance_A, n, n, bench.A);
    arm_mat_init_f32(&instance_B, n, (uint16_t)columns, bench.B);
    arm_mat_init_f32(&instance_result, n, (uint16_t)columns, bench.result);
}

static void mul_cmsis(void)
{
    make_instances(bench.n);
    BENCH_REGION(arm_mat_mult_f32(&instance_A, &instance_B, &instance_result));
}

static void vec_cmsis(void)
{
    make_instances(1);
    BENCH_REGION(arm_mat_vec_mult_f32(&instance_A, bench.B, bench.result));
}

static void cholesky_cmsis(void)
{
    uint32_t n = bench.n;

    make_instances(n);
    BENCH_REGION(arm_mat_cholesky_f32(&instance_A, &instance_result));
    for (uint32_t i = 0; i < n * n; i++) {
        bench.result[i] = i % n > i / n ? 0 : bench.result[i];
    }
}

static void solve_cmsis(void)
{
    make_instances(1);
    BENCH_REGION(arm_mat_solve_lower_triangular_f32(&instance_A, &instance_B, &instance_result));
}

static void inverse_cmsis(void)
{
    make_instances(bench.n);
    BENCH_REGION(arm_mat_inverse_f32(&instance_A, &instance_result));
}

void bench_cmsis_mat(void)
{
    static const bench_case cases[] = {
        {"mat_mul", NULL, "cmsis", bench_prepare_square, mul_cmsis, 0, 2e-6f},
        {"mat_vec", NULL, "cmsis", bench_prepare_vector, vec_cmsis, 0, 2e-6f},
        {"cholesky", NULL, "cmsis", bench_prepare_spd, cholesky_cmsis, 0, 2e-6f},
        {"solve_lower", NULL, "cmsis", bench_prepare_lower, solve_cmsis, 0, 2e-6f},
        {"inverse_spd", NULL, "cmsis", bench_prepare_inverse, inverse_cmsis, 0, 2e-6f},
    };

    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench_run(&cases[i]);
    }
}

/* ---- The net --------------------------------------------------------------------------------- */

static arm_matrix_instance_f32 layers[BENCH_LAYERS];

static void make_layers(void)
{
    for (uint32_t l = 0; l < BENCH_LAYERS; l++) {
        arm_mat_init_f32(&layers[l], bench_widths[l + 1], bench_widths[l], bench_weights[l]);
    }
}

static __attribute__((noinline)) void net_cmsis(const float *input, float *output, int use_tanh)
{
    float buffers[2][BENCH_WIDTH];
    const float *x = input;

    for (uint32_t l = 0; l < BENCH_LAYERS; l++) {
        float *y = l + 1 == BENCH_LAYERS ? output : buffers[l % 2];
        uint32_t n = bench_widths[l + 1];

        arm_mat_vec_mult_f32(&layers[l], x, y);
        arm_add_f32(y, bench_biases[l], y, n);
        for (uint32_t o = 0; o < n && l + 1 < BENCH_LAYERS; o++) {
            y[o] = use_tanh ? tanhf(y[o]) : y[o] > 0.0f ? y[o] : 0.0f;
        }
        x = y;
    }
}

static void relu_cmsis(void)
{
    make_layers();
    BENCH_REGION(net_cmsis(bench_input, bench.result, 0));
}

static void tanh_cmsis(void)
{
    make_layers();
    BENCH_REGION(net_cmsis(bench_input, bench.result, 1));
}

void bench_cmsis_net(const bench_case *relu, const bench_case *tanh_net)
{
    bench_case c = *relu;

    c.variant = "cmsis";
    c.inputs = 0;
    c.run = relu_cmsis;
    bench_run(&c);
    c = *tanh_net;
    c.variant = "cmsis";
    c.inputs = 0;
    c.run = tanh_cmsis;
    bench_run(&c);
}
