/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Elementary functions: vectors to 48 bits, special values, properties, a dense sample against the
 * C library (host), the kernels against the scalars, and golden hashes. Bounds are those of
 * tc_math.h, kept in math_reference.h; tests/math_exhaustive.c holds them over all floats.
 */
#include "test.h"

#include "../../math_reference.h"
#include "../../vectors/math.h"
#include "tc_kernel_net.h"

#if defined(__ARM_ARCH_PROFILE)
#define ON_BOARD (__ARM_ARCH_PROFILE == 'M')
#else
#define ON_BOARD 0
#endif

typedef tc_real (*scalar)(tc_real);

/* The functions of one argument, their bounds (one of the two is 0) and the vectors of each. */
#define SCALARS(X)                                                                                 \
    X(exp, 0.0, EXP_ULP)                                                                           \
    X(log, 0.0, LOG_ULP)                                                                           \
    X(tanh, TANH_ABSOLUTE, 0.0)                                                                    \
    X(sigmoid, SIGMOID_ABSOLUTE, 0.0)                                                              \
    X(softplus, 0.0, SOFTPLUS_ULP)                                                                 \
    X(sin, SIN_ABSOLUTE, 0.0)                                                                      \
    X(cos, SIN_ABSOLUTE, 0.0)                                                                      \
    X(normal_density, 0.0, NORMAL_DENSITY_ULP)                                                     \
    X(normal_distribution, 0.0, NORMAL_DISTRIBUTION_ULP)                                           \
    X(normal_ratio, 0.0, NORMAL_RATIO_ULP)

static float from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t to_bits(tc_real x)
{
    float value = (float)x;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static tc_real magnitude(tc_real x)
{
    return x < 0 ? -x : x;
}

/* Spacing of floats at x, from its exponent. */
static tc_real spacing(float x)
{
    uint32_t exponent = (to_bits((tc_real)x) >> 23) & 0xffu;
    if (exponent > 23u) return (tc_real)from_bits((exponent - 23u) << 23);
    return (tc_real)from_bits(1u << (exponent > 1u ? exponent - 1u : 0u));
}

/* ---- Vectors --------------------------------------------------------------------------------- */

static int within(tc_real actual, float high, float low, tc_real absolute, tc_real ulp)
{
    tc_real error = magnitude((actual - (tc_real)high) - (tc_real)low);
    return error <= absolute + ulp * spacing(high);
}

/* The message is the function's name, the number that Unity shows the row of
 * tests/vectors/math.h. */
static void check_vectors(const char *name, scalar f, const math_vector *rows, uint32_t count,
                          tc_real absolute, tc_real ulp)
{
    for (uint32_t i = 0; i < count; i++) {
        tc_real actual = f((tc_real)rows[i].x);
        if (!within(actual, rows[i].high, rows[i].low, absolute, ulp)) {
            TEST_ASSERT_EQUAL_UINT32_MESSAGE(count, i, name);
        }
    }
}

/* Catches a wrong coefficient, a branch taken at the wrong place, a reduction off by one. */
static void test_vectors(void)
{
#define CHECK(name, absolute, ulp)                                                                 \
    check_vectors(#name, tc_##name, vectors_##name, (uint32_t)TC_COUNT(vectors_##name),            \
                  (tc_real)(absolute), (tc_real)(ulp));
    SCALARS(CHECK)
#undef CHECK
}

static void test_vectors_atan2(void)
{
    for (uint32_t i = 0; i < TC_COUNT(vectors_atan2); i++) {
        const math_vector2 *row = &vectors_atan2[i];
        tc_real actual = tc_atan2((tc_real)row->y, (tc_real)row->x);
        if (!within(actual, row->high, row->low, 0, (tc_real)ATAN2_ULP)) {
            TEST_ASSERT_EQUAL_UINT32_MESSAGE(TC_COUNT(vectors_atan2), i, "atan2");
        }
    }
}

/* ---- Special values -------------------------------------------------------------------------- */

#define TEST_IS_NAN(x) TEST_ASSERT_TRUE_MESSAGE((x) != (x), #x)
#define TEST_IS(expected, x) TEST_ASSERT_TRUE_MESSAGE((x) == (expected), #x)

/* Catches a NaN that a comparison written the wrong way round turned into a number. */
static void test_nan_propagates(void)
{
    const tc_real nan = (tc_real)NAN;
#define CHECK(name, absolute, ulp) TEST_IS_NAN(tc_##name(nan));
    SCALARS(CHECK)
#undef CHECK
    TEST_IS_NAN(tc_atan2(nan, TC_C(1.0)));
    TEST_IS_NAN(tc_atan2(TC_C(1.0), nan));
    TEST_IS_NAN(tc_log(TC_C(-1.0)));
    TEST_IS_NAN(tc_log((tc_real)-INFINITY));
    TEST_IS_NAN(tc_sin((tc_real)INFINITY));
    TEST_IS_NAN(tc_cos((tc_real)-INFINITY));
    TEST_IS_NAN(tc_sqrt(TC_C(-1.0)));
}

static void test_infinities(void)
{
    const tc_real inf = (tc_real)INFINITY;
    TEST_IS(inf, tc_exp(inf));
    TEST_IS(0, tc_exp(-inf));
    TEST_IS(inf, tc_log(inf));
    TEST_IS(-inf, tc_log(0));
    TEST_IS(inf, tc_softplus(inf));
    TEST_IS(0, tc_softplus(-inf));
    TEST_IS(1, tc_sigmoid(inf));
    TEST_IS(0, tc_normal_density(inf));
    TEST_IS(0, tc_normal_density(-inf));
    TEST_IS(1, tc_normal_distribution(inf));
    TEST_IS(0, tc_normal_distribution(-inf));
    TEST_IS(0, tc_normal_ratio(inf));
    TEST_IS(inf, tc_normal_ratio(-inf));
    TEST_ASSERT_TRUE(magnitude(tc_tanh(inf) - 1) <= (tc_real)TANH_ABSOLUTE);
    TEST_ASSERT_TRUE(magnitude(tc_tanh(-inf) + 1) <= (tc_real)TANH_ABSOLUTE);
    TEST_ASSERT_TRUE(tc_sigmoid(-inf) <= (tc_real)SIGMOID_ABSOLUTE);
}

static void test_exact_values(void)
{
    TEST_IS(1, tc_exp(0));
    TEST_IS(0, tc_log(1));
    TEST_IS(0, tc_tanh(0));
    TEST_IS(TC_C(0.5), tc_sigmoid(0));
    TEST_IS(0, tc_sin(0));
    TEST_IS(1, tc_cos(0));
    TEST_IS(2, tc_sqrt(4));
    TEST_IS(0, tc_atan2(0, 0));
}

/* The flushing rule: results below 2^-126 are 0, subnormal inputs harmless. Not for double. */
static void test_flush(void)
{
#ifndef TC_DOUBLE
    const float subnormal = from_bits(1u);
    TEST_IS(0, tc_exp(-87.34f));
    TEST_ASSERT_TRUE(tc_exp(-0x1.5d589ep+6f) >= 0x1p-126f);
    TEST_ASSERT_TRUE(tc_exp(0x1.62e42ep+6f) < INFINITY);
    TEST_IS(INFINITY, tc_exp(0x1.62e43p+6f));
    TEST_IS(0, tc_normal_density(13.2f));
    TEST_IS(0, tc_normal_density(13.16f));
    TEST_IS(0, tc_normal_distribution(-13.1f));
    TEST_IS(0, tc_softplus(-87.34f));
    TEST_IS(0, tc_atan2(1e-20f, 1e20f));
    TEST_IS(-INFINITY, tc_log(subnormal));
    TEST_IS(-INFINITY, tc_log(-subnormal));
    TEST_IS(1, tc_exp(subnormal));
    TEST_IS(0, tc_tanh(subnormal));
    TEST_IS(1, tc_cos(-subnormal));
#endif
}

/* atan2 on the axes: signs of zero and infinities as IEC 60559 has them. Bits, since -0 == 0. */
static void test_atan2_axes(void)
{
    const float inf = INFINITY;
    const float pi = 3.14159265f;
    const float rows[][3] = {{0, 0, 0},
                             {-0.0f, 0, -0.0f},
                             {0, -0.0f, pi},
                             {-0.0f, -0.0f, -pi},
                             {0, 2, 0},
                             {-0.0f, 2, -0.0f},
                             {0, -2, pi},
                             {-0.0f, -2, -pi},
                             {3, 0, pi / 2},
                             {-3, -0.0f, -pi / 2},
                             {inf, 1, pi / 2},
                             {-inf, -1, -pi / 2},
                             {1, inf, 0},
                             {-1, inf, -0.0f},
                             {1, -inf, pi},
                             {-1, -inf, -pi},
                             {inf, inf, pi / 4},
                             {-inf, inf, -pi / 4},
                             {inf, -inf, 3 * pi / 4},
                             {-inf, -inf, -3 * pi / 4}};
    for (uint32_t i = 0; i < TC_COUNT(rows); i++) {
        tc_real actual = tc_atan2((tc_real)rows[i][0], (tc_real)rows[i][1]);
        TEST_ASSERT_EQUAL_HEX32_MESSAGE(to_bits((tc_real)rows[i][2]), to_bits(actual),
                                        "atan2 on an axis");
    }
}

/* ---- Properties ------------------------------------------------------------------------------ */

static tc_real any_float(void)
{
    for (;;) {
        float x = from_bits(test_bits());
        if (x == x && x < INFINITY && x > -INFINITY) return (tc_real)x;
    }
}

/* |tanh|, |sin|, |cos| <= 1 and 0 <= sigmoid <= 1 for every float: no rounding may step outside. */
static void test_ranges(void)
{
    test_seed(1u);
    for (uint32_t i = 0; i < 4000u; i++) {
        tc_real x = (i & 1u) ? any_float() : test_uniform(TC_C(-10.0), TC_C(10.0));
        TEST_ASSERT_TRUE(magnitude(tc_tanh(x)) <= 1);
        TEST_ASSERT_TRUE(magnitude(tc_sin(x)) <= 1);
        TEST_ASSERT_TRUE(magnitude(tc_cos(x)) <= 1);
        TEST_ASSERT_TRUE(tc_sigmoid(x) >= 0 && tc_sigmoid(x) <= 1);
        TEST_ASSERT_TRUE(tc_normal_distribution(x) >= 0 && tc_normal_distribution(x) <= 1);
        TEST_ASSERT_TRUE(tc_softplus(x) >= 0);
    }
}

/* Catches a crossing where two segments of the tanh table join (x = i/16, sigmoid i/8). */
static void test_monotone(void)
{
    for (int32_t i = -131; i <= 131; i++) {
        const float joint = (float)i / 16.0f;
        const uint32_t bits = to_bits((tc_real)joint);
        const float below = i == 0 ? -1e-8f : from_bits(i > 0 ? bits - 1u : bits + 1u);
        const float above = i == 0 ? 1e-8f : from_bits(i > 0 ? bits + 1u : bits - 1u);
        TEST_ASSERT_TRUE(tc_tanh((tc_real)below) <= tc_tanh((tc_real)joint));
        TEST_ASSERT_TRUE(tc_tanh((tc_real)joint) <= tc_tanh((tc_real)above));
        TEST_ASSERT_TRUE(tc_sigmoid((tc_real)(2 * below)) <= tc_sigmoid((tc_real)(2 * joint)));
        TEST_ASSERT_TRUE(tc_sigmoid((tc_real)(2 * joint)) <= tc_sigmoid((tc_real)(2 * above)));
    }
    tc_real before = tc_tanh(TC_C(-10.0));
    for (int32_t i = -10000; i <= 10000; i++) {
        tc_real now = tc_tanh((tc_real)i / 1000);
        TEST_ASSERT_TRUE(now >= before);
        before = now;
    }
}

static void test_symmetry(void)
{
    test_seed(2u);
    for (uint32_t i = 0; i < 2000u; i++) {
        tc_real x = any_float(), y = any_float();
        TEST_IS(-tc_sin(x), tc_sin(-x));
        TEST_IS(tc_cos(x), tc_cos(-x));
        TEST_IS(-tc_atan2(y, x), tc_atan2(-y, x));
        TEST_IS(tc_normal_density(x), tc_normal_density(-x));
#if !TC_TANH_TABLE
        TEST_IS(-tc_tanh(x), tc_tanh(-x));
#endif
    }
}

/* Catches functions that are each near their vectors and still do not belong together. */
static void test_identities(void)
{
    test_seed(3u);
    for (uint32_t i = 0; i < 2000u; i++) {
        tc_real x = test_uniform(TC_C(-8.0), TC_C(8.0));
        tc_real angle = test_uniform(TC_C(-3.14), TC_C(3.14));
        tc_real s = tc_sin(x * 1000), c = tc_cos(x * 1000);
        test_near(1, s * s + c * c, TC_C(4e-7), 0, "sin^2 + cos^2");
        test_near(angle, tc_atan2(tc_sin(angle), tc_cos(angle)), TC_C(5e-7), 0, "atan2(sin, cos)");
        test_near(x, tc_log(tc_exp(x)), TC_C(2e-7), TC_C(2e-7), "log exp");
        test_near(x, tc_softplus(x) - tc_softplus(-x), TC_C(1e-6), 0, "softplus(x) - softplus(-x)");
        test_near(1, tc_sigmoid(x) + tc_sigmoid(-x), TC_C(4e-7), 0, "sigmoid(x) + sigmoid(-x)");
        test_near(tc_sigmoid(x), TC_C(0.5) + TC_C(0.5) * tc_tanh(x / 2), TC_C(1e-7), 0,
                  "sigmoid by tanh");
        tc_real below = tc_normal_distribution(x);
        test_near(1, below + tc_normal_distribution(-x), TC_C(2e-7), 0, "Phi(x) + Phi(-x)");
        test_near(tc_normal_density(x), tc_normal_ratio(x) * below, 0, TC_C(2e-6), "ratio");
    }
}

/* ---- Dense sample against the C library ------------------------------------------------------ */

#if !ON_BOARD && !defined(TC_DOUBLE)

/* Every 4099th float. The message is the function's name, the numbers are bits of x. */
static void check_dense(const char *name, scalar f, double (*exact)(double), double absolute,
                        double ulp)
{
    for (uint64_t i = 0; i < 0x100000000u; i += 4099u) {
        const uint32_t bits = (uint32_t)i;
        const float x = from_bits(bits);
        if (x != x) continue;
        const double expected = exact((double)x);
        const double actual = (double)f((tc_real)x);
        if (is_exact(actual, expected)) continue;
        if (!(fabs(actual - expected) <= absolute + ulp * float_spacing(expected))) {
            TEST_ASSERT_EQUAL_HEX32_MESSAGE(0u, bits, name);
        }
    }
}

#endif

static void test_dense(void)
{
#if !ON_BOARD && !defined(TC_DOUBLE)
#define CHECK(name, absolute, ulp) check_dense(#name, tc_##name, exact_##name, absolute, ulp);
    SCALARS(CHECK)
#undef CHECK
#endif
}

/* ---- Golden hashes --------------------------------------------------------------------------- */

#define GOLDEN_SAMPLES 4096u

/* Even: bit patterns spread over all floats (no NaN, no subnormal). Odd: [-20, 20]. */
static tc_real golden_input(uint32_t i)
{
    float x = from_bits(i * 0x000ffff1u);
    if (i & 1u) return test_uniform(TC_C(-20.0), TC_C(20.0));
    if (x != x) return 1;
    return x < 0x1p-126f && x > -0x1p-126f ? 0 : (tc_real)x;
}

/* NaN results stand as 2: which NaN is nobody's promise. */
static uint32_t golden_add(uint32_t hash, tc_real y)
{
    if (y != y) y = 2;
    return test_hash(hash, &y, 1u);
}

static void check_golden(const char *name, scalar f)
{
    uint32_t hash = TEST_HASH_START;
    test_seed(4u);
    for (uint32_t i = 0; i < GOLDEN_SAMPLES; i++) hash = golden_add(hash, f(golden_input(i)));
    test_golden(name, hash);
}

#define GOLDEN_TEST(name, absolute, ulp)                                                           \
    static void test_golden_##name(void)                                                           \
    {                                                                                              \
        check_golden("math." #name, tc_##name);                                                    \
    }
SCALARS(GOLDEN_TEST)

static void test_golden_atan2(void)
{
    uint32_t hash = TEST_HASH_START;
    test_seed(5u);
    for (uint32_t i = 0; i < GOLDEN_SAMPLES; i++) {
        tc_real y = golden_input(i);
        hash = golden_add(hash, tc_atan2(y, golden_input(GOLDEN_SAMPLES - 1u - i)));
    }
    test_golden("math.atan2", hash);
}

static void test_golden_softmax(void)
{
    uint32_t hash = TEST_HASH_START;
    tc_real x[64];
    test_seed(6u);
    for (uint32_t n = 1; n <= 64u; n++) {
        test_fill(x, n, TC_C(-50.0), TC_C(50.0));
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_softmax_inplace(x, n));
        hash = test_hash(hash, x, n);
    }
    test_golden("math.softmax", hash);
}

/* ---- Softmax, all_finite --------------------------------------------------------------------- */

/* Catches a sum that drifts, an index beyond n, and what overflows if the largest is not
 * subtracted. */
static void test_softmax(void)
{
    static tc_real storage[TC_NET_WIDTH_MAX + 2 * TEST_GUARD_WORDS];
    test_seed(7u);
    for (uint32_t n = 1; n <= TC_NET_WIDTH_MAX; n = n < 9u ? n + 1u : n * 2u - 3u) {
        tc_real *x = test_guard(storage, n);
        test_fill(x, n, TC_C(-20.0), TC_C(20.0));
        if (n > 3u) x[2] = TC_C(3e38);
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_softmax_inplace(x, n));
        tc_real sum = 0;
        for (uint32_t i = 0; i < n; i++) {
            TEST_ASSERT_TRUE(x[i] >= 0 && x[i] <= 1);
            sum += x[i];
        }
        test_near(1, sum, (tc_real)n * TC_C(6e-8) + TC_C(6e-8), 0, "sum of softmax");
        test_guard_check(storage, n);
    }
}

static void test_softmax_values(void)
{
    tc_real x[4] = {TC_C(1.0), TC_C(2.0), TC_C(3.0), TC_C(-100.0)};
    const tc_real expected[4] = {TC_C(0.09003057317), TC_C(0.2447284711), TC_C(0.6652409558), 0};
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_softmax_inplace(x, 4));
    for (uint32_t i = 0; i < 4u; i++)
        test_near(expected[i], x[i], TC_C(2e-7), 0, "softmax of 1 2 3 -100");
    x[0] = TC_C(-3e38);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_softmax_inplace(x, 1));
    TEST_IS(1, x[0]);
}

static void test_softmax_errors(void)
{
    const tc_real bad[3] = {(tc_real)NAN, (tc_real)INFINITY, (tc_real)-INFINITY};
    static tc_real x[TC_NET_WIDTH_MAX + 1u];
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_softmax_inplace(NULL, 3));
    test_fill(x, 7, 1, 2);
    TEST_ASSERT_EQUAL_INT(TC_ERR_SIZE, tc_softmax_inplace(x, 0));
    TEST_ASSERT_EQUAL_INT(TC_ERR_SIZE, tc_softmax_inplace(x, TC_NET_WIDTH_MAX + 1u));
    for (uint32_t i = 0; i < 7u; i++) {
        test_fill(x, 7, 1, 2);
        x[i] = bad[i % 3u];
        TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, tc_softmax_inplace(x, 7));
        for (uint32_t j = 0; j < 7u; j++) TEST_IS(0, x[j]);
    }
}

/* Every slot of every length: catches an element that the unrolled loop or its remainder skips. */
static void test_all_finite(void)
{
    const tc_real bad[3] = {(tc_real)NAN, (tc_real)INFINITY, (tc_real)-INFINITY};
    tc_real x[11];
    test_fill(x, 11, TC_C(-1e38), TC_C(1e38));
    for (uint32_t n = 0; n <= 11u; n++) {
        TEST_ASSERT_EQUAL_INT(1, tc_all_finite(x, n));
        for (uint32_t i = 0; i < n; i++) {
            const tc_real kept = x[i];
            x[i] = bad[(n + i) % 3u];
            TEST_ASSERT_EQUAL_INT(0, tc_all_finite(x, n));
            TEST_ASSERT_EQUAL_INT(1, tc_all_finite(x, i));
            x[i] = kept;
        }
    }
}

/* ---- Kernels --------------------------------------------------------------------------------- */

/* The linked backend against the scalar functions, bit for bit in profile exact; all remainders of
 * an unrolled loop; arguments on both sides of every clamp. May write up to n rounded up to 4. */
static void check_kernel(const char *name, void (*kernel)(tc_real *, uint32_t), scalar f)
{
    const tc_real special[] = {0,          TC_C(8.0),   TC_C(-8.0),  TC_C(7.9999995),
                               TC_C(16.0), TC_C(-16.0), TC_C(1e30),  TC_C(-1e30),
                               TC_C(1e-9), TC_C(-1e-9), TC_C(-87.3), TC_C(-88.0)};
    tc_real storage[36 + 2 * TEST_GUARD_WORDS], input[36];
    test_seed(8u);
    for (uint32_t n = 1; n <= 33u; n++) {
        const uint32_t padded = (n + 3u) / 4u * 4u;
        tc_real *x = test_guard(storage, padded);
        test_fill(input, padded, TC_C(-12.0), TC_C(12.0));
        for (uint32_t i = n % 3u; i < n; i += 3u) input[i] = special[test_below(TC_COUNT(special))];
        memcpy(x, input, padded * sizeof *x);
        kernel(x, n);
        for (uint32_t i = 0; i < n; i++) {
#if TEST_EXACT
            TEST_ASSERT_EQUAL_HEX32_MESSAGE(to_bits(f(input[i])), to_bits(x[i]), name);
#else
            test_near(f(input[i]), x[i], TC_C(1e-6), TC_C(1e-6), name);
#endif
        }
        test_guard_check(storage, padded);
    }
}

static void test_kernels(void)
{
    check_kernel("tanh", tc_kernel_tanh, tc_tanh);
    check_kernel("sigmoid", tc_kernel_sigmoid, tc_sigmoid);
    check_kernel("softplus", tc_kernel_softplus, tc_softplus);
}

void suite_math(void)
{
    RUN_TEST(test_vectors);
    RUN_TEST(test_vectors_atan2);
    RUN_TEST(test_nan_propagates);
    RUN_TEST(test_infinities);
    RUN_TEST(test_exact_values);
    RUN_TEST(test_flush);
    RUN_TEST(test_atan2_axes);
    RUN_TEST(test_ranges);
    RUN_TEST(test_monotone);
    RUN_TEST(test_symmetry);
    RUN_TEST(test_identities);
    RUN_TEST(test_dense);
#define RUN_GOLDEN(name, absolute, ulp) RUN_TEST(test_golden_##name);
    SCALARS(RUN_GOLDEN)
    RUN_TEST(test_golden_atan2);
    RUN_TEST(test_golden_softmax);
    RUN_TEST(test_softmax);
    RUN_TEST(test_softmax_values);
    RUN_TEST(test_softmax_errors);
    RUN_TEST(test_all_finite);
    RUN_TEST(test_kernels);
}
