/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What a user would write in five minutes: runtime-size loops, and the C library's functions.
 * Compiled with -O3 and contraction allowed, as such a user would have it.
 */
#include "bench.h"

#include <math.h>
#include <string.h>

void plain_mat_mul(const float *A, const float *B, float *C, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            float sum = 0.0f;
            for (uint32_t k = 0; k < n; k++) {
                sum += A[i * n + k] * B[k * n + j];
            }
            C[i * n + j] = sum;
        }
    }
}

void plain_mat_vec(const float *A, const float *x, float *y, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        float sum = 0.0f;
        for (uint32_t j = 0; j < n; j++) {
            sum += A[i * n + j] * x[j];
        }
        y[i] = sum;
    }
}

void plain_cholesky(const float *A, float *L, uint32_t n)
{
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = j; i < n; i++) {
            float sum = A[i * n + j];
            for (uint32_t k = 0; k < j; k++) {
                sum -= L[i * n + k] * L[j * n + k];
            }
            L[i * n + j] = i == j ? sqrtf(sum) : sum / L[j * n + j];
        }
    }
}

void plain_solve_lower(const float *L, const float *b, float *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        float sum = b[i];
        for (uint32_t k = 0; k < i; k++) {
            sum -= L[i * n + k] * x[k];
        }
        x[i] = sum / L[i * n + i];
    }
}

void plain_net(const float *input, float *output, int use_tanh)
{
    float buffers[2][BENCH_WIDTH];
    const float *x = input;

    for (uint32_t l = 0; l < BENCH_LAYERS; l++) {
        uint32_t n_in = bench_widths[l], n_out = bench_widths[l + 1];
        float *y = l + 1 == BENCH_LAYERS ? output : buffers[l % 2];

        for (uint32_t o = 0; o < n_out; o++) {
            float sum = bench_biases[l][o];
            for (uint32_t i = 0; i < n_in; i++) {
                sum += bench_weights[l][o * n_in + i] * x[i];
            }
            y[o] = sum;
        }
        for (uint32_t o = 0; o < n_out && l + 1 < BENCH_LAYERS; o++) {
            y[o] = use_tanh ? tanhf(y[o]) : y[o] > 0.0f ? y[o] : 0.0f;
        }
        x = y;
    }
}

/* One loop per function, as a user's would be: a loop over a function pointer would cost more. */
void newlib_map(const char *name, const float *x, float *y, uint32_t n)
{
#define MAP(function)                                                                              \
    if (strcmp(name, #function) == 0) {                                                            \
        BENCH_START();                                                                             \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            y[i] = function(x[i]);                                                                 \
        }                                                                                          \
        BENCH_STOP();                                                                              \
        return;                                                                                    \
    }
    MAP(tanhf)
    MAP(expf)
    MAP(logf)
    MAP(sinf)
    MAP(cosf)
#undef MAP
    BENCH_START();
    for (uint32_t i = 0; i < n; i++) {
        y[i] = atan2f(x[i], 1.0f);
    }
    BENCH_STOP();
}
