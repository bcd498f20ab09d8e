/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Configuration: the number type, the limits, and the switches that trade flash for speed.
 *
 * Every switch is a macro with a default. To change some, write a header that defines them.
 * Build the library and the application with -DTC_CONFIG='"my_config.h"'.
 * Numbers are plain digits: they become part of symbols, see tc_config_names.h.
 */
#ifndef TC_CONFIG_H
#define TC_CONFIG_H

#include <stddef.h>
#include <stdint.h>

#ifdef TC_CONFIG
#include TC_CONFIG
#endif

/* Names of version 0.1. If they were ignored, the build would link what they should leave out. */
#if defined(TC_NET_FLOAT) || defined(TC_NET_INT8) || defined(TC_NET_SIGMOID)                       \
    || defined(TC_NET_SOFTPLUS)
#error "tinycontact: TC_NET_FLOAT is TC_NET_USE_FLOAT now; _INT8, _SIGMOID, _SOFTPLUS too"
#endif
#if defined(TC_NET_MAX_LAYERS) || defined(TC_POSITIONS_AHEAD)
#error "tinycontact: these are TC_NET_LAYERS_MAX and TC_SCHEME_AHEAD now"
#endif

/* The library tests numbers for NaN, infinity and bounds, and its bits are those of IEEE 754.
 * -ffast-math lets a compiler drop both silently, also in the inline functions of the headers.
 * clang defines only the first two of these macros. */
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ == 1)         \
    || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)                               \
    || defined(__NO_SIGNED_ZEROS__)
#error "tinycontact: not under -ffast-math, -Ofast or their parts: NaN would pass unseen and the \
bits would differ. \
Compile this file without them (append -fno-fast-math), or call tinycontact from another file."
#endif

/* The number type: float, or double in the host's reference build, which defines TC_DOUBLE.
 * The tests measure rounding errors as the difference between the two builds. */
#ifdef TC_DOUBLE
typedef double tc_real;
#define TC_C(literal) literal
#define TC_EPSILON 2.220446049250313e-16 /* 2^-52: spacing of tc_real at 1 */
#else
typedef float tc_real;
#define TC_C(literal) literal##f
#define TC_EPSILON 1.1920929e-7f /* 2^-23: spacing of tc_real at 1 */
#endif

/* Largest number of contacts with friction in space of one cone problem and of a scene; 8 to 32.
 * Workspaces grow with it, TC_SCENE_STEP_WORK with its square. */
#ifndef TC_CONE3_MAX
#define TC_CONE3_MAX 8u
#endif
#if TC_CONE3_MAX < 8u || TC_CONE3_MAX > 32u
#error "TC_CONE3_MAX is 8 to 32"
#endif

/* Limits; they bound every loop. A function returns TC_ERR_SIZE for a dimension of 0 or beyond
 * its limit. */
#if TC_CONE3_MAX <= 10u
#define TC_MAT_MAX 32u /* rows or columns of a small matrix */
#else
#define TC_MAT_MAX (3u * TC_CONE3_MAX)
#endif
#define TC_NET_WIDTH_MAX 512u /* inputs, outputs and units of a layer */
#ifndef TC_NET_LAYERS_MAX
#define TC_NET_LAYERS_MAX 8u /* dense layers of a net; each takes 20 bytes of a tc_net */
#endif
#define TC_MODEL_NETS_MAX 16u /* nets in one model file */

/* 1: square matrices of size 2, 3, 4, 6 and 12 take unrolled kernels of constant size.
 * 0: loops of runtime size serve all sizes; they are slower and smaller.
 * The bits are the same. `make size` prints the flash of each choice. */
#ifndef TC_MAT_UNROLL
#define TC_MAT_UNROLL 1
#endif

/* 1: tanh and sigmoid interpolate a table of 4 KB, softplus one of 2 KB.
 * 0: no table; two to four times the cycles.
 * The last bits of the two differ, so golden hashes and self-tests name the choice. */
#ifndef TC_TANH_TABLE
#define TC_TANH_TABLE 1
#endif

/* Largest number of contacts of one complementarity problem; 8 (TC_PATCH_MAX) to 64.
 * Each contact costs one byte of stack, four bytes with TC_LCP_GENERAL. Beyond 32, a set of
 * contacts takes 64 bits instead of 32. TC_CDL_LCP_WORK grows with the square. */
#ifndef TC_LCP_MAX
#define TC_LCP_MAX 16u
#endif
#if TC_LCP_MAX < 8u || TC_LCP_MAX > 64u
#error "TC_LCP_MAX is 8 to 64"
#endif

/* 1: closed forms solve problems of up to four contacts.
 * 0: they are not linked, which saves 5 KB; the active set solves such problems at several times
 * the cost. */
#ifndef TC_LCP_CLOSED
#define TC_LCP_CLOSED 1
#endif

/* 1: problems with large terms are solved in numbers of twice the length.
 * 0: that code is not linked, which saves 3.6 KB. A problem whose terms are 10^4 times as large as
 * q then returns TC_NOTE_PRECISION or TC_ERR_NOT_CERTIFIED. */
#ifndef TC_LCP_TWOFOLD
#define TC_LCP_TWOFOLD 1
#endif

/* Largest number of freedoms, columns of G, of one cone problem; 1 to 64. Each takes up to
 * TC_CONE_FREEDOM_MAX + 4 numbers of the caller's workspace. */
#ifndef TC_CONE_FREEDOM_MAX
#define TC_CONE_FREEDOM_MAX 32u
#endif
#if TC_CONE_FREEDOM_MAX < 1u || TC_CONE_FREEDOM_MAX > 64u
#error "TC_CONE_FREEDOM_MAX is 1 to 64"
#endif

/* 1: cone problems of one free body (3 rows, 6 freedoms, or 2 rows, 3 freedoms) take code of
 * constant size.
 * 0: that code is not linked, which saves 10 KB; such problems take two to three times as long.
 * The bits are the same. */
#ifndef TC_CONE_UNROLL
#define TC_CONE_UNROLL 1
#endif

/* Features of nets beside ReLU, tanh and softmax; 1 or 0 each. With 0 the code is not linked, and
 * tc_net_check and tc_model_open refuse a net that uses the feature.
 * TC_NET_USE_FLOAT: float activations, with any type of weights; 0: TC_NET_WEIGHT_I8_ACT only.
 * TC_NET_USE_INT8: int8 weights. */
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

/* 1: a planar body moves by any position scheme.
 * 0: by DART only; tc_foot2_step refuses TOC and GAP, and their 2 KB are not linked. */
#ifndef TC_SCHEME_AHEAD
#define TC_SCHEME_AHEAD 1
#endif

/* 1: the contact estimator serves legs of any number of joints.
 * 0: of two joints only; the other 5.6 KB are not linked, and tc_estimator_init refuses other legs
 * with TC_ERR_UNSUPPORTED. */
#ifndef TC_ESTIMATOR_MANY
#define TC_ESTIMATOR_MANY 1
#endif

#include "tc_config_names.h"

/* Multiply-accumulate with BOTH roundings, acc + round(a*b) and acc - round(a*b): never fused.
 * A port may supply one instruction that rounds so, such as VMLA.F32 on Cortex-M4 and M7. The macro
 * TC_PORT_INLINE names the port's header. The bits are the same by definition. */
#if defined(TC_PORT_INLINE) && !defined(TC_DOUBLE)
#include TC_PORT_INLINE
#endif
#ifndef TC_MLA
#define TC_MLA(acc, a, b) ((acc) + (a) * (b))
#define TC_MLS(acc, a, b) ((acc) - (a) * (b))
#endif

/* Aligns an array to n bytes; the first word of its definition. Model files and weights need 16. */
#if defined(__cplusplus)
#define TC_ALIGNED(n) alignas(n)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define TC_ALIGNED(n) _Alignas(n)
#else
#define TC_ALIGNED(n) __attribute__((aligned(n)))
#endif

/* Number of elements of an array: the length that goes with every workspace pointer. */
#define TC_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#ifdef __cplusplus
#define TC_BEGIN extern "C" {
#define TC_END }
#else
#define TC_BEGIN
#define TC_END
#endif

#endif
