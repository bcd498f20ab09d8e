/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Configuration: the number type, the limits, and the choices that trade flash for speed.
 *
 * Every choice is a macro with a default. To change some, write a header that defines them
 * and build everything (library and application alike) with -DTC_CONFIG='"my_config.h"'.
 * Numbers are plain digits: they become part of symbols, see tc_config_names.h.
 */
#ifndef TC_CONFIG_H
#define TC_CONFIG_H

#include <stddef.h>
#include <stdint.h>

#ifdef TC_CONFIG
#include TC_CONFIG
#endif

/* Names of version 0.1. Ignored, they would link what they were to leave out. */
#if defined(TC_NET_FLOAT) || defined(TC_NET_INT8) || defined(TC_NET_SIGMOID) || \
    defined(TC_NET_SOFTPLUS)
#error "tinycontact: TC_NET_FLOAT is TC_NET_USE_FLOAT now; _INT8, _SIGMOID, _SOFTPLUS too"
#endif
#if defined(TC_NET_MAX_LAYERS) || defined(TC_POSITIONS_AHEAD)
#error "tinycontact: these are TC_NET_LAYERS_MAX and TC_SCHEME_AHEAD now"
#endif

/* The answers are checked by asking whether a number is NaN, infinite or beyond a bound, and their bits are those of
 * IEEE 754. -ffast-math lets a compiler drop either without a word, in the library and in the inline functions of
 * its headers. clang defines only the first two of these. */
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ == 1) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "tinycontact: not under -ffast-math, -Ofast or their parts: NaN would pass unseen and the bits would differ. \
Compile this file without them (append -fno-fast-math), or call tinycontact from another file."
#endif

/* The number type. float everywhere; the host's reference build says TC_DOUBLE, and the
 * difference between the two builds is how the tests measure rounding errors. */
#ifdef TC_DOUBLE
typedef double tc_real;
#define TC_C(literal) literal
#define TC_EPSILON 2.220446049250313e-16 /* 2^-52: spacing of tc_real at 1 */
#else
typedef float tc_real;
#define TC_C(literal) literal##f
#define TC_EPSILON 1.1920929e-7f /* 2^-23: spacing of tc_real at 1 */
#endif

/* Limits. A dimension of 0 or beyond its limit is TC_ERR_SIZE. They bound every loop. */
#define TC_MAT_MAX 32u        /* rows or columns of a small matrix */
#define TC_NET_WIDTH_MAX 512u /* inputs, outputs and units of a layer */
#ifndef TC_NET_LAYERS_MAX
#define TC_NET_LAYERS_MAX 8u  /* dense layers of a net; each takes 20 bytes of a tc_net */
#endif
#define TC_MODEL_NETS_MAX 16u /* nets in one model file */

/* 1: square matrices of size 2, 3, 4, 6 and 12 take constant-size unrolled kernels.
 * 0: the runtime-size loops serve all sizes, slower and smaller. Same bits either way;
 *    `make size` prints what each choice costs in flash. */
#ifndef TC_MAT_UNROLL
#define TC_MAT_UNROLL 1
#endif

/* 1: tanh and sigmoid interpolate a table of 4 KB, softplus one of 2 KB. 0: no table, two to four times the cycles.
 * The two differ in the last bits: golden hashes and self-tests name the choice. */
#ifndef TC_TANH_TABLE
#define TC_TANH_TABLE 1
#endif

/* Largest number of contacts of one complementarity problem, 8 (TC_PATCH_MAX) to 64. Each costs a
 * byte of stack, four with TC_LCP_GENERAL. Beyond 32 a set of contacts has 64 bits. TC_CDL_LCP_WORK
 * grows with the square. */
#ifndef TC_LCP_MAX
#define TC_LCP_MAX 16u
#endif
#if TC_LCP_MAX < 8u || TC_LCP_MAX > 64u
#error "TC_LCP_MAX is 8 to 64"
#endif

/* 0: problems of up to four contacts have no closed forms, and 5 KB of code are not linked. The
 * active set solves them too, at several times the cost. */
#ifndef TC_LCP_CLOSED
#define TC_LCP_CLOSED 1
#endif

/* 0: nothing is solved in numbers of twice the length, and 3.6 KB of code are not linked. A problem
 * with terms 10^4 times as large as q then returns TC_NOTE_PRECISION or TC_ERR_NOT_CERTIFIED. */
#ifndef TC_LCP_TWOFOLD
#define TC_LCP_TWOFOLD 1
#endif

/* What nets may use beside ReLU, tanh and softmax; 1 or 0 each. A net that uses what is left out is refused by
 * tc_net_check and tc_model_open, and the code for it is not linked.
 * TC_NET_USE_FLOAT: float activations, whatever the weights; 0: TC_NET_WEIGHT_I8_ACT only. TC_NET_USE_INT8: int8 weights. */
#ifndef TC_NET_USE_FLOAT
#define TC_NET_USE_FLOAT 1
#endif
#ifndef TC_NET_USE_INT8
#define TC_NET_USE_INT8 1
#endif
#ifndef TC_NET_USE_SIGMOID
#define TC_NET_USE_SIGMOID 1
#endif
#ifndef TC_NET_USE_SOFTPLUS
#define TC_NET_USE_SOFTPLUS 1
#endif

/* 0: a planar body moves by the position scheme DART only; tc_foot2_step refuses TOC and GAP, which look ahead,
 * and their 2 KB are not linked. */
#ifndef TC_SCHEME_AHEAD
#define TC_SCHEME_AHEAD 1
#endif

/* 0: the contact estimator serves legs of two joints only; tc_estimator_init refuses others (TC_ERR_UNSUPPORTED), and
 * the 5.6 KB for any number of joints are not linked. */
#ifndef TC_ESTIMATOR_MANY
#define TC_ESTIMATOR_MANY 1
#endif

#include "tc_config_names.h"

/* Multiply-accumulate with BOTH roundings, acc + round(a*b) and acc - round(a*b): never fused.
 * A port may supply one instruction that rounds so (VMLA.F32 on Cortex-M4 and M7) through a
 * header named by TC_PORT_INLINE; the bits are the same by definition. */
#if defined(TC_PORT_INLINE) && !defined(TC_DOUBLE)
#include TC_PORT_INLINE
#endif
#ifndef TC_MLA
#define TC_MLA(acc, a, b) ((acc) + (a) * (b))
#define TC_MLS(acc, a, b) ((acc) - (a) * (b))
#endif

/* Alignment of an array to n bytes, the first word of its definition: model files and weights want 16. */
#if defined(__cplusplus)
#define TC_ALIGNED(n) alignas(n)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define TC_ALIGNED(n) _Alignas(n)
#else
#define TC_ALIGNED(n) __attribute__((aligned(n)))
#endif

/* Number of elements of an array, for the length that goes with every workspace pointer. */
#define TC_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#ifdef __cplusplus
#define TC_BEGIN extern "C" {
#define TC_END }
#else
#define TC_BEGIN
#define TC_END
#endif

#endif
