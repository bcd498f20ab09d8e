/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the unit tests share: Unity, a seeded generator, guarded buffers and golden hashes.
 *
 * A test file test_<name>.c holds its tests and one `void suite_<name>(void)` that runs them with
 * RUN_TEST; main.c calls the suites. The same files run on the host and on every board.
 */
#ifndef TEST_H
#define TEST_H

#include "tinycontact.h"
#include "unity.h"

#include <string.h>

/* Every suite; test_<name>.c defines suite_<name>. In groups, so that a board with little RAM
 * can run them as several images (BOARD_TEST_GROUPS); elsewhere one image holds all. */
#define SUITES_1(X)                                                                                \
    X(status)                                                                                      \
    X(bytes)                                                                                       \
    X(selfcheck)                                                                                   \
    X(math)                                                                                        \
    X(net)                                                                                         \
    X(net_grad)                                                                                    \
    X(model)                                                                                       \
    X(learned_record)                                                                              \
    X(kernel_net)                                                                                  \
    X(helium_store)                                                                                \
    X(lcp)                                                                                         \
    X(lcp_properties) X(cone_reference)
#define SUITES_2(X) X(mat) X(mat_faults)
#define SUITES_3(X)                                                                                \
    X(mat_factor)                                                                                  \
    X(mat_psd)                                                                                     \
    X(mat_fixed)                                                                                   \
    X(kernel_mat)                                                                                  \
    X(vec)                                                                                         \
    X(body)                                                                                        \
    X(body3_coast)                                                                                 \
    X(patch)                                                                                       \
    X(detect)                                                                                      \
    X(detect3_hull)                                                                                \
    X(patch_body_refused)
#define SUITES_4(X)                                                                                \
    X(learned2)                                                                                    \
    X(learned2_properties)                                                                         \
    X(friction2)                                                                                   \
    X(foot2)                                                                                       \
    X(foot_checked)                                                                                \
    X(limb3_checked)                                                                               \
    X(root)                                                                                        \
    X(momentum)
#define SUITES_5(X) X(chain2) X(chain3) X(chain3_reference) X(limb2) X(work)
#define SUITES_6(X)                                                                                \
    X(learned3)                                                                                    \
    X(foot3)                                                                                       \
    X(learned3_properties)                                                                         \
    X(foot3_throws)                                                                                \
    X(schemes)                                                                                     \
    X(scheme_text)                                                                                 \
    X(limb3)                                                                                       \
    X(limb3_steps)                                                                                 \
    X(limb_any)                                                                                    \
    X(limb_toc)                                                                                    \
    X(step3_bits)                                                                                  \
    X(contact)
#define SUITES_7(X)                                                                                \
    X(cdl)                                                                                         \
    X(cdl_faults)                                                                                  \
    X(cdl_line)                                                                                    \
    X(cdl_row)                                                                                     \
    X(cdl_properties)                                                                              \
    X(cdl_nets)                                                                                    \
    X(cdl_record)
#define SUITES_8(X)                                                                                \
    X(leg)                                                                                         \
    X(estimator_config) X(estimator) X(estimator_predict) X(estimator_record) X(estimator_ground)
#define SUITES_9(X)                                                                                \
    X(wire)                                                                                        \
    X(wire_layout)                                                                                 \
    X(foot_firmware)                                                                               \
    X(floor_firmware)                                                                              \
    X(identify)                                                                                    \
    X(identify_faults)
#define SUITES_10(X) X(cone) X(cone_properties) X(band) X(band_grad)
#define SUITES_11(X) X(cone_grad) X(impact) X(impact_grad) X(twophase)
#define SUITES_12(X)                                                                               \
    X(joint)                                                                                       \
    X(scene)                                                                                       \
    X(scene_step)                                                                                  \
    X(scene_sustained)                                                                             \
    X(scene_symmetry) X(scene_joined) X(scene_tied) X(scene_grad) X(scene_grad_shapes)
#define SUITES_13(X)                                                                               \
    X(sdf)                                                                                         \
    X(sdf_data)                                                                                    \
    X(sdf_net)                                                                                     \
    X(convex)                                                                                      \
    X(limb_bounce)                                                                                 \
    X(friction3)                                                                                   \
    X(soft3)                                                                                       \
    X(pair3)
#define SUITES_14(X) X(impact_space) X(toss_firmware)
#define SUITES_15(X)                                                                               \
    X(meet)                                                                                        \
    X(meet_samples)                                                                                \
    X(meet_contact)                                                                                \
    X(toc)                                                                                         \
    X(ground)                                                                                      \
    X(ground_step)                                                                                 \
    X(ground_limb)                                                                                 \
    X(cdl_ground)
#define SUITES_16(X) X(fit) X(bounce) X(touch) X(touch_shape) X(finger_firmware)
#define SUITES_17(X)                                                                               \
    X(barrier)                                                                                     \
    X(barrier2)                                                                                    \
    X(barrier_reference)                                                                           \
    X(implicit)                                                                                    \
    X(implicit_space) X(implicit_moves) X(implicit_free) X(plan) X(plan_push) X(hierarchy)
#define SUITES_18(X)                                                                               \
    X(robot)                                                                                       \
    X(feet)                                                                                        \
    X(feet_bank) X(feet_faults) X(feet_config) X(feet_predict) X(wire_robot) X(robot_firmware)
#define SUITES(X)                                                                                  \
    SUITES_1(X)                                                                                    \
    SUITES_2(X)                                                                                    \
    SUITES_3(X)                                                                                    \
    SUITES_4(X)                                                                                    \
    SUITES_5(X)                                                                                    \
    SUITES_6(X)                                                                                    \
    SUITES_7(X)                                                                                    \
    SUITES_8(X)                                                                                    \
    SUITES_9(X)                                                                                    \
    SUITES_10(X)                                                                                   \
    SUITES_11(X)                                                                                   \
    SUITES_12(X)                                                                                   \
    SUITES_13(X)                                                                                   \
    SUITES_14(X)                                                                                   \
    SUITES_15(X)                                                                                   \
    SUITES_16(X)                                                                                   \
    SUITES_17(X)                                                                                   \
    SUITES_18(X)
#define SUITE_DECLARE(name) void suite_##name(void);
SUITES(SUITE_DECLARE)
#undef SUITE_DECLARE

/* The tests whose names contain `test_only` run, all if it is NULL; main.c sets it. */
extern const char *test_only;
void test_run(UnityTestFunction function, const char *name, int line);
#undef RUN_TEST
#define RUN_TEST(function) test_run(function, #function, __LINE__)

/* Whether `name` contains one of the words of `list`, which commas separate; every name does if `list` is NULL. */
int test_named(const char *list, const char *name);

/* 1: the linked backends claim the reference's bits. 0: fast, or a backend that fuses. */
#ifndef TEST_EXACT
#define TEST_EXACT 1
#endif

/* The rounds of a property test: n where the tests run whole, an eighth of it (but one at least) where they are
 * sampled, SAMPLE=8 in tools/make/tests.mk; main.c sets test_sample. What ends in a golden hash runs whole everywhere. */
extern uint32_t test_sample;
#define TEST_ROUNDS(n) (((uint32_t)(n) + test_sample - 1u) / test_sample)

/* The same where the truth is long sums in double, which most boards compute without a unit: there an eighth. */
#ifdef __arm__
#define TEST_ROUNDS_SLOW(n) TEST_ROUNDS(((uint32_t)(n) + 7u) / 8u)
#else
#define TEST_ROUNDS_SLOW(n) TEST_ROUNDS(n)
#endif

/* A simulation of seconds: not where floats are computed without a unit, which takes ten times as long. Golden hashes
 * show there that the bits are those of the other boards. */
#if defined __arm__ && !defined __ARM_FP
#define RUN_LONG_TEST(test) (void)(test)
#else
#define RUN_LONG_TEST(test) RUN_TEST(test)
#endif

/* xorshift32. Every property test starts with test_seed(constant), so a failure repeats alone. */
void test_seed(uint32_t seed);
uint32_t test_bits(void);
tc_real test_uniform(tc_real low, tc_real high);
uint32_t test_below(uint32_t n);

/* Even in the logarithm; wide: drawn and returned in double. */
tc_real test_log_uniform(double low, double high);
double test_log_uniform_wide(double low, double high);

void test_fill(tc_real *x, uint32_t n, tc_real low, tc_real high);

/* FNV-1a over the bytes of floats (as float, whatever tc_real is); chain by passing the last hash. */
#define TEST_HASH_START 2166136261u
uint32_t test_hash(uint32_t hash, const tc_real *x, uint32_t n);

/* Compares a hash with tests/vectors/golden.h by name. A missing name or another hash fails, except
 * where TEST_EXACT is 0 or the build is the double one, where nothing is claimed. Prints the value on failure. */
void test_golden(const char *name, uint32_t hash);

/* The same bytes where the bits are claimed; near each other where kernels may fuse or reorder. */
void test_same(const tc_real *expected, const tc_real *actual, uint32_t n, const char *what);

/* A buffer of n usable tc_reals between guard words; check fails if a guard was touched. */
#define TEST_GUARD_WORDS 8u
tc_real *test_guard(tc_real *storage, uint32_t n); /* storage: n + 2 * TEST_GUARD_WORDS */
void test_guard_check(const tc_real *storage, uint32_t n);

/* The buffer, not aligned for its type. */
#define TEST_ODD(work) ((tc_real *)(void *)((char *)(work) + 2))

/* |actual - expected| <= absolute + relative * |expected|, with the message naming what and where. */
void test_near(tc_real expected, tc_real actual, tc_real absolute, tc_real relative,
               const char *what);

#endif
