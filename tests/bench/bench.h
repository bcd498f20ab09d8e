/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The bench firmware: cases that are counted under QEMU (tools/evidence/bench.py).
 *
 * A case is a function that runs one thing between two markers, with what it needs prepared before
 * and its result compared with a double-precision reference after. bench_run runs it twice with the
 * same inputs (the counts must agree) and prints
 *     bench <what>/<size>/<variant> <inputs> <error> <tolerance>
 * Where the cost depends on the numbers, bench_run_draws does so for many inputs and prints
 * <variant>#<draw>; the host reports the median and the worst of them.
 *
 * Variants: kernel, fixed (constant size): the kernel contract, unchecked; public: with its checks;
 * cmsis, newlib, plain: the peers, in the same image and at their best flags (see evidence.mk). One
 * of these is -Ofast, which the library's headers refuse: this one includes none of them.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>

/* Reserved hints, no-operations on every M profile core; the plugin knows them. On the host they
 * vanish. The memory clobber keeps loads and stores on their side. The measured code must be a call
 * to a function that the compiler cannot see into, for arithmetic in registers respects no
 * marker. */
#if defined(BENCH_CYCLES)
/* boards/apps/measure counts on the part itself, by its own counter: DWT's cycles, or on Armv6-M,
 * which has no such unit, SysTick, which counts down. */
extern volatile uint32_t bench_began, bench_took;
#if __ARM_ARCH > 6
#define BENCH_CLOCK (*(volatile uint32_t *)(uintptr_t)0xE0001004u)
#define BENCH_SINCE(began) (BENCH_CLOCK - (began))
#else
#define BENCH_CLOCK (*(volatile uint32_t *)(uintptr_t)0xE000E018u)
#define BENCH_SINCE(began) (((began) - BENCH_CLOCK) & 0xFFFFFFu)
#endif
#define BENCH_START()                                                                              \
    do {                                                                                           \
        bench_began = BENCH_CLOCK;                                                                 \
        __asm volatile("" ::: "memory");                                                           \
    } while (0)
#define BENCH_STOP()                                                                               \
    do {                                                                                           \
        __asm volatile("" ::: "memory");                                                           \
        bench_took = BENCH_SINCE(bench_began);                                                     \
    } while (0)
#elif defined(__arm__)
#define BENCH_START() __asm volatile(".short 0xBF60" ::: "memory")
#define BENCH_STOP() __asm volatile(".short 0xBF70" ::: "memory")
#else
#define BENCH_START() __asm volatile("" ::: "memory")
#define BENCH_STOP() __asm volatile("" ::: "memory")
#endif
#define BENCH_REGION(call)                                                                         \
    do {                                                                                           \
        BENCH_START();                                                                             \
        call;                                                                                      \
        BENCH_STOP();                                                                              \
    } while (0)

#define BENCH_MAX 32u   /* largest matrix */
#define BENCH_CALLS 64u /* calls of an elementary function in one case */

/* What cases compute with: 20 KB, sized for the largest matrix. */
typedef struct bench_data {
    uint32_t n;
    float A[BENCH_MAX * BENCH_MAX];
    float B[BENCH_MAX * BENCH_MAX];
    float result[BENCH_MAX * BENCH_MAX];
    float expected[BENCH_MAX * BENCH_MAX];
    float work[BENCH_MAX * BENCH_MAX];
    uint32_t compared; /* elements of result that bench_error looks at */
    uint32_t draw;     /* which input of a case that has many, from 0 */
} bench_data;
extern bench_data bench;

typedef struct bench_case {
    const char *what;
    const char *size; /* null: bench.n in digits */
    const char *variant;
    void (*prepare)(void); /* null: nothing; the result is filled with NaN before it */
    void (*run)(void);     /* holds the region */
    uint32_t inputs;       /* numbers that a public call looks at; 0: not a public call */
    float tolerance;       /* for bench_error */
} bench_case;

/* A case that only some sizes have sets this to 0 and the case is not printed (then it holds no
 * region). */
extern int bench_applies;

void bench_run(const bench_case *c);

/* The same for inputs 0 to draws - 1: prepare looks at bench.draw. */
void bench_run_draws(const bench_case *c, uint32_t draws);

/* Of the image's main: what it prints of a case that ran, and after the last draw of one. */
void bench_tell(const bench_case *c, int drawn, float error);
void bench_tell_draws(const bench_case *c);

/* Largest |result - expected| / max(1, largest |expected|), NaN if any result is NaN. */
float bench_error(void);

/* xorshift32 in [low, high); bench_seed makes what follows repeat. */
void bench_seed(uint32_t seed);
float bench_uniform(float low, float high);
void bench_fill(float *x, uint32_t n, float low, float high);

/* The files of cases, in the order in which they run. */
/* clang-format off */
#define BENCH_FILES(X) \
    X(bench_mat) X(bench_net) X(bench_math) X(bench_lcp) X(bench_cone) X(bench_impact) \
    X(bench_patch) X(bench_foot2) X(bench_limb2) X(bench_foot3) X(bench_limb3) \
    X(bench_cdl) X(bench_estimator) X(bench_feet) X(bench_momentum) X(bench_predict) X(bench_identify) \
    X(bench_bounce) X(bench_sdf) X(bench_convex) X(bench_barrier) X(bench_implicit) X(bench_ground) \
    X(bench_toc) X(bench_scene) X(bench_plan) X(bench_robot)
/* clang-format on */
#define BENCH_DECLARE(name) void name(void);
BENCH_FILES(BENCH_DECLARE)

/* ---- What matrix cases and their peers share (bench_mat.c, bench_cmsis.c, bench_plain.c) ----- */

extern const uint32_t bench_sizes[8];
void bench_prepare_square(void);  /* A, B uniform; expected = A B */
void bench_prepare_vector(void);  /* A, B[0..n) uniform; expected = A b */
void bench_prepare_spd(void);     /* A symmetric positive definite; expected = its Cholesky
                                   * factor */
void bench_prepare_lower(void);   /* A lower triangular, B[0..n); expected = A^-1 b */
void bench_prepare_inverse(void); /* A symmetric positive definite; expected = its inverse */

/* ---- The net 8-32-32-16-3 -------------------------------------------------------------------- */

#define BENCH_LAYERS 4u
#define BENCH_WIDTH 32u
extern const uint16_t bench_widths[BENCH_LAYERS + 1u];
extern float bench_weights[BENCH_LAYERS][BENCH_WIDTH * BENCH_WIDTH]; /* row-major, n_out x n_in */
extern float bench_biases[BENCH_LAYERS][BENCH_WIDTH];
extern float bench_input[8];

/* ---- Peers ----------------------------------------------------------------------------------- */

void bench_cmsis_mat(void); /* the cases of one bench.n */
void bench_cmsis_net(const bench_case *relu, const bench_case *tanh_net);
void plain_mat_mul(const float *A, const float *B, float *C, uint32_t n);
void plain_mat_vec(const float *A, const float *x, float *y, uint32_t n);
void plain_cholesky(const float *A, float *L, uint32_t n);
void plain_solve_lower(const float *L, const float *b, float *x, uint32_t n);
void plain_net(const float *input, float *output, int use_tanh);
void newlib_map(const char *name, const float *x, float *y, uint32_t n);

#endif
