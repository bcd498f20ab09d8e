/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Each call with a workspace of exactly what its macro says, between guards, with and without
 * `info`: the same bits. One number less is refused either way. The contact models use all of the
 * workspace that they ask for.
 */
#include "cdl/cdl_case.h"
#include "chain_case.h"
#include "limb3_case.h"

#include <math.h>

#define MODEL_WORK 5u

/* The two calls that need most: which one does, TC_LCP_MAX decides. */
#define LIMB_WORK TC_LIMB3_WORK(LIMB_CASE_DOF, MODEL_WORK)
#define HEAP_WORK TC_CDL_SIMULTANEOUS_WORK(3u, 1u, 2u, MODEL_WORK)

static tc_real storage[(LIMB_WORK > HEAP_WORK ? LIMB_WORK : HEAP_WORK) + 2u * TEST_GUARD_WORDS];

/* One call: from the same beginning each time, its outputs to `out`; returns its status. */
typedef tc_status call(int with_info, tc_real *work, size_t work_len, tc_real *out);

#define OUT 64u

static void needs(const char *name, size_t needed, call *run)
{
    tc_real with[OUT] = {TC_C(0.0)}, without[OUT] = {TC_C(0.0)};
    TEST_ASSERT_TRUE_MESSAGE(needed + 2u * TEST_GUARD_WORDS <= TC_COUNT(storage), name);
    tc_real *work = test_guard(storage, (uint32_t)needed);
    const tc_status status = run(1, work, needed, with);
    TEST_ASSERT_TRUE_MESSAGE(status >= TC_OK, name);
    test_guard_check(storage, (uint32_t)needed);
    work = test_guard(storage, (uint32_t)needed);
    TEST_ASSERT_EQUAL_MESSAGE(status, run(0, work, needed, without), name);
    test_guard_check(storage, (uint32_t)needed);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(with, without, sizeof with, name);
    TEST_ASSERT_EQUAL_MESSAGE(TC_ERR_WORK, run(0, work, needed - 1u, without), name);
    TEST_ASSERT_EQUAL_MESSAGE(TC_ERR_WORK, run(1, work, needed - 1u, with), name);
}

static void keep(tc_real **out, const tc_real *x, uint32_t n)
{
    memcpy(*out, x, n * sizeof *x);
    *out += n;
}

/* ---- Contact models -------------------------------------------------------------------------- */

static void scribble(tc_real *work)
{
    for (uint32_t i = 0; i < MODEL_WORK; i++) {
        work[i] = (tc_real)NAN;
    }
}

static void say_dynamic(tc_real *probability)
{
    probability[TC_LEARNED_STATIC] = probability[TC_LEARNED_DETACH] = TC_C(0.25);
    probability[TC_LEARNED_DYNAMIC] = TC_C(0.5);
}

static tc_status classify2(const void *context, const tc_learned2_query *query,
                           tc_real *probability, tc_real *work)
{
    (void)context;
    (void)query;
    scribble(work);
    say_dynamic(probability);
    return TC_OK;
}

static tc_status ratio2(const void *context, const tc_learned2_query *query, tc_real *ratio,
                        tc_real *work)
{
    (void)context;
    scribble(work);
    *ratio = query->velocity[0] > TC_C(0.0) ? TC_C(-0.3) : TC_C(0.3);
    return TC_OK;
}

static const tc_learned2_model model2 = {classify2, ratio2, NULL, MODEL_WORK};

static tc_status observe3(const void *context, const tc_learned3_query *query, tc_real *work)
{
    (void)context;
    (void)query;
    scribble(work);
    return TC_OK;
}

static tc_status classify3(const void *context, const tc_learned3_query *query,
                           tc_real *probability, tc_real *work)
{
    say_dynamic(probability);
    return observe3(context, query, work);
}

static tc_status ratio3(const void *context, const tc_learned3_query *query, tc_real *ratio,
                        tc_real *work)
{
    ratio[0] = TC_C(0.3);
    ratio[1] = TC_C(0.0);
    return observe3(context, query, work);
}

static const tc_learned3_model model3 = {observe3, classify3, ratio3, NULL, MODEL_WORK};

/* ---- Bodies ---------------------------------------------------------------------------------- */

static const tc_real square[8] = {TC_C(-0.1), TC_C(-0.1), TC_C(0.1),  TC_C(-0.1),
                                  TC_C(0.1),  TC_C(0.1),  TC_C(-0.1), TC_C(0.1)};
static const tc_real cube[24] = {
    TC_C(-0.1), TC_C(-0.1), TC_C(-0.1), TC_C(0.1),  TC_C(-0.1), TC_C(-0.1), TC_C(-0.1), TC_C(0.1),
    TC_C(-0.1), TC_C(0.1),  TC_C(0.1),  TC_C(-0.1), TC_C(-0.1), TC_C(-0.1), TC_C(0.1),  TC_C(0.1),
    TC_C(-0.1), TC_C(0.1),  TC_C(-0.1), TC_C(0.1),  TC_C(0.1),  TC_C(0.1),  TC_C(0.1),  TC_C(0.1)};
static tc_scheme scheme;

static tc_status step_foot2(int with_info, tc_real *work, size_t work_len, tc_real *out)
{
    const tc_body2 body = {TC_C(1.0), TC_C(0.01)};
    tc_body2_state state = {{TC_C(0.0), TC_C(0.1), TC_C(0.01)}, {TC_C(1.0), TC_C(-1.0), TC_C(0.5)}};
    tc_foot2 foot;
    tc_foot2_info info;
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_init(&foot, &body, TC_C(0.002), &model2));
    foot.shape = (tc_shape2){square, 4, TC_C(0.0)};
    foot.positions = scheme;
    const tc_status status =
        tc_foot2_step(&foot, NULL, &state, with_info ? &info : NULL, work, work_len);
    TEST_ASSERT_TRUE(status < TC_OK || !with_info || info.count > 0u);
    keep(&out, state.position, 3);
    keep(&out, state.velocity, 3);
    return status;
}

static tc_status respond_foot2(int with_info, tc_real *work, size_t work_len, tc_real *out)
{
    const tc_body2 body = {TC_C(1.0), TC_C(0.01)};
    const tc_patch2 patch = {
        .count = 1, .normal = {0, 1}, .lever = {TC_C(0.1), 0}, .height = TC_C(0.1)};
    tc_foot2 foot;
    tc_foot2_info info;
    tc_real velocity[3] = {TC_C(1.0), TC_C(-1.0), TC_C(0.0)};
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_init(&foot, &body, TC_C(0.002), &model2));
    const tc_status status =
        tc_foot2_respond(&foot, &patch, velocity, with_info ? &info : NULL, work, work_len);
    keep(&out, velocity, 3);
    return status;
}

static tc_status step_foot3(int with_info, tc_real *work, size_t work_len, tc_real *out)
{
    const tc_body3 body = {TC_C(1.0), {TC_C(0.01), TC_C(0.012), TC_C(0.008)}};
    const tc_body3_state begin = {
        {TC_C(0.0), TC_C(0.0), TC_C(0.0999)},
        {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)},
        {TC_C(1.0), TC_C(0.2), TC_C(-1.0), TC_C(0.1), TC_C(0.3), TC_C(0.0)}};
    tc_body3_state state = begin;
    tc_foot3 foot;
    tc_foot3_info info;
    tc_learned3_warm warm;
    memset(&warm, 0, sizeof warm);
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&foot, &body, TC_C(0.002), &model3));
    foot.shape = (tc_shape3){cube, 8, TC_C(0.0)};
    foot.positions = scheme;
    const tc_status status =
        tc_foot3_step(&foot, NULL, &state, &warm, with_info ? &info : NULL, work, work_len);
    TEST_ASSERT_TRUE(status < TC_OK || !with_info || info.count > 0u);
    keep(&out, state.position, 3);
    keep(&out, state.orientation, 4);
    keep(&out, state.velocity, 6);
    keep(&out, warm.impulse[0], 3);
    return status;
}

static void test_feet(void)
{
    needs("tc_foot2_respond", TC_FOOT2_WORK(MODEL_WORK), respond_foot2);
    for (uint32_t k = 0; k < 3u; k++) {
        scheme = (tc_scheme)k;
        needs("tc_foot2_step", TC_FOOT2_WORK(MODEL_WORK), step_foot2);
        needs("tc_foot3_step", TC_FOOT3_WORK(MODEL_WORK), step_foot3);
    }
}

/* ---- Limbs ----------------------------------------------------------------------------------- */

static tc_status solve_limb2(int with_info, tc_real *work, size_t work_len, tc_real *out)
{
    static const tc_real mass[1] = {TC_C(1.0)}, jacobian[2] = {TC_C(1.0), TC_C(0.0)};
    static const tc_real rate[1] = {TC_C(1.0)}, force[1] = {TC_C(0.0)};
    const tc_body2 body = {TC_C(1.0), TC_C(0.01)};
    const tc_limb2_config config = tc_limb2_default();
    const tc_limb2_mechanism mechanism = {.n = 1,
                                          .mass = mass,
                                          .jacobian = jacobian,
                                          .rate = rate,
                                          .force = force,
                                          .joint = TC_CHAIN_REVOLUTE,
                                          .at = {TC_C(0.1), TC_C(0.1)},
                                          .velocity = {TC_C(1.0), TC_C(-1.0), 0}};
    const tc_patch2 patch = {
        .count = 1, .normal = {0, 1}, .lever = {TC_C(0.1), 0}, .height = TC_C(0.1)};
    tc_foot2 foot;
    tc_limb2_info info;
    tc_real after[1], velocity[3];
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_init(&foot, &body, TC_C(0.002), &model2));
    const tc_status status =
        tc_limb2_mechanism_solve(&foot, &config, &mechanism, &patch, 0, after, velocity,
                                 with_info ? &info : NULL, work, work_len);
    keep(&out, after, 1);
    keep(&out, velocity, 3);
    return status;
}

static tc_status step_limb2(int with_info, tc_real *work, size_t work_len, tc_real *out)
{
    static chain_case a;
    static tc_limb2 planar;
    static tc_limb2_state state;
    tc_limb2_info info;
    chain_case_swing(&a, 3, TC_C(0.5));
    memset(&planar, 0, sizeof planar);
    memset(&state, 0, sizeof state);
    planar.chain = a.chain;
    planar.config = tc_limb2_default();
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_init(&planar.foot, &a.links[2].body, TC_C(0.002), &model2));
    planar.foot.shape = (tc_shape2){square, 4, TC_C(0.0)};
    planar.foot.plane.offset = TC_C(100.0); /* far above: the last link is in it */
    state.qd[0] = TC_C(-1.0);
    const tc_status status =
        tc_limb2_step(&planar, NULL, &state, with_info ? &info : NULL, work, work_len);
    TEST_ASSERT_TRUE(status < TC_OK || !with_info || info.contact.count > 0u);
    keep(&out, state.q, 3);
    keep(&out, state.qd, 3);
    return status;
}

static limb_case limb;

static tc_status step_limb3(int with_info, tc_real *work, size_t work_len, tc_real *out)
{
    test_seed(31501u);
    limb_case_random(&limb, 3, 0, 2, TC_C(1.0), TC_C(2.0), &model3);
    limb_case_touch(&limb, 2, TC_C(0.02));
    limb.leg.foot.positions = scheme;
    const tc_status status = tc_limb3_step(&limb.leg, limb.torque, &limb.state,
                                           with_info ? &limb.info : NULL, work, work_len);
    TEST_ASSERT_TRUE(status < TC_OK || !with_info || limb.info.contact.count > 0u);
    keep(&out, limb.state.q, 3);
    keep(&out, limb.state.qd, 3);
    return status;
}

static tc_status solve_limb3(int with_info, tc_real *work, size_t work_len, tc_real *out)
{
    static learned3_scene upper, lower;
    static tc_real matrices[TC_PAIR3_STATE];
    tc_limb3_mechanism mechanism;
    tc_limb3_info info;
    tc_foot3 foot;
    tc_real rates[TC_PAIR3_RATES];
    test_seed(31502u);
    learned3_random(3, &upper);
    learned3_random(1, &lower);
    const tc_pair3 pair = {{&upper.body, &lower.body}, {&upper.state, &lower.state}, NULL};
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&foot, &upper.body, TC_C(0.002), &model3));
    TEST_ASSERT_EQUAL(TC_OK, tc_pair3_mechanism(&pair, &mechanism, matrices, TC_COUNT(matrices)));
    const tc_status status = tc_limb3_mechanism_solve(
        &foot, &mechanism, &upper.patch, 0, NULL, rates, with_info ? &info : NULL, work, work_len);
    keep(&out, rates, TC_PAIR3_RATES);
    return status;
}

static void test_limbs(void)
{
    needs("tc_limb2_mechanism_solve", TC_LIMB2_MECHANISM_WORK(1u, MODEL_WORK), solve_limb2);
    needs("tc_limb2_step", TC_LIMB2_WORK(3u, MODEL_WORK), step_limb2);
    needs("tc_limb3_mechanism_solve", TC_LIMB3_MECHANISM_WORK(TC_PAIR3_RATES, MODEL_WORK),
          solve_limb3);
    scheme = TC_SCHEME_DART;
    needs("tc_limb3_step", TC_LIMB3_WORK(3u, MODEL_WORK), step_limb3);
    scheme = TC_SCHEME_GAP;
    needs("tc_limb3_step", TC_LIMB3_WORK(3u, MODEL_WORK), step_limb3);
    TEST_ASSERT_EQUAL(TC_ERR_NULL,
                      tc_limb3_step(NULL, NULL, &limb.state, NULL, storage, TC_COUNT(storage)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL,
                      tc_limb3_step(&limb.leg, NULL, &limb.state, NULL, NULL, TC_COUNT(storage)));
}

/* ---- Problems -------------------------------------------------------------------------------- */

static const tc_real M[9] = {TC_C(4.0), TC_C(1.0), TC_C(0.0), TC_C(1.0), TC_C(4.0),
                             TC_C(1.0), TC_C(0.0), TC_C(1.0), TC_C(4.0)};
static const tc_real q[3] = {TC_C(-1.0), TC_C(0.5), TC_C(-2.0)};
typedef tc_status lcp_call(const tc_lcp *problem, tc_real *z, tc_real *w, tc_lcp_info *info,
                           tc_real *work, size_t work_len);

static tc_status solve_lcp(lcp_call *solve, const tc_lcp *problem, int with_info, tc_real *work,
                           size_t work_len, tc_real *out)
{
    tc_lcp_info info;
    tc_real z[3], w[3];
    const tc_status status = solve(problem, z, w, with_info ? &info : NULL, work, work_len);
    keep(&out, z, 3);
    keep(&out, w, 3);
    return status;
}

static tc_status any_lcp(int with_info, tc_real *work, size_t work_len, tc_real *out)
{
    const tc_lcp problem = {.n = 3, .kind = TC_LCP_GENERAL, .M = M, .q = q};
    return solve_lcp(tc_lcp_solve, &problem, with_info, work, work_len, out);
}

static tc_status matrix_lcp(int with_info, tc_real *work, size_t work_len, tc_real *out)
{
    const tc_lcp problem = {.n = 3, .M = M, .q = q};
    return solve_lcp(tc_lcp_from_matrix, &problem, with_info, work, work_len, out);
}

static tc_status rows_lcp(int with_info, tc_real *work, size_t work_len, tc_real *out)
{
    const tc_lcp problem = {.n = 3, .q = q, .J = M, .d = 3};
    return solve_lcp(tc_lcp_from_rows, &problem, with_info, work, work_len, out);
}

static tc_status psd(int with_info, tc_real *work, size_t work_len, tc_real *out)
{
    tc_mat_psd_info info;
    return tc_mat_psd_solve(M, q, out, 3, with_info ? &info : NULL, work, work_len);
}

static tc_status circle(void *context, const tc_real *x, tc_real *residual)
{
    (void)context;
    residual[0] = x[0] * x[0] + x[1] * x[1] - TC_C(2.0);
    residual[1] = x[0] - x[1];
    return TC_OK;
}

static tc_status root(int with_info, tc_real *work, size_t work_len, tc_real *out)
{
    const tc_root_config config = tc_root_default();
    tc_root_info info;
    out[0] = TC_C(2.0);
    out[1] = TC_C(0.5);
    return tc_root_solve(&config, 2, circle, NULL, out, out + 2, with_info ? &info : NULL, work,
                         work_len);
}

static void test_problems(void)
{
    needs("tc_lcp_solve", TC_LCP_GENERAL_WORK(3u), any_lcp);
    needs("tc_lcp_from_matrix", TC_LCP_WORK(3u), matrix_lcp);
    needs("tc_lcp_from_rows", TC_LCP_WORK(3u), rows_lcp);
    needs("tc_mat_psd_solve", TC_MAT_PSD_WORK(3u), psd);
    needs("tc_root_solve", TC_ROOT_WORK(2u), root);
}

/* ---- Systems, and the observer --------------------------------------------------------------- */

static tc_status scribbling_force(const void *context, const struct tc_cdl *system,
                                  const tc_real *Q, tc_real *force, tc_real *potential,
                                  tc_real *scratch)
{
    (void)context;
    (void)system;
    (void)Q;
    scribble(scratch);
    memset(force, 0, 3u * sizeof *force);
    if (potential != NULL) {
        *potential = TC_C(0.0);
    }
    return TC_OK;
}

/* Three bodies on a line, all in contact. */
static tc_status step_system(int with_info, tc_real *work, size_t work_len, tc_real *out)
{
    const tc_cdl_resolver *const resolver = cdl.config.resolver;
    tc_cdl_info info;
    cdl_begin(3, 1);
    cdl.config.resolver = resolver;
    cdl.config.potential.force = scribbling_force;
    cdl.config.potential.work_len = MODEL_WORK;
    cdl_contact(0, 1, 0, TC_C(1.0), TC_C(0.0));
    cdl_contact(1, 2, 0, TC_C(1.0), TC_C(0.0));
    cdl.V[0] = TC_C(-1.0);
    cdl_ready();
    const tc_status status =
        tc_cdl_step(&cdl.cdl, NULL, cdl.Q, cdl.V, with_info ? &info : NULL, work, work_len);
    keep(&out, cdl.Q, 3);
    keep(&out, cdl.V, 3);
    return status;
}

static void test_systems(void)
{
    cdl.config.resolver = NULL;
    needs("tc_cdl_step", TC_CDL_WORK(3u, 1u, 2u, MODEL_WORK), step_system);
    cdl.config.resolver = &tc_cdl_simultaneous;
    needs("tc_cdl_step, simultaneous", HEAP_WORK, step_system);
    TEST_ASSERT_EQUAL(TC_CDL_LCP_WORK + 20u,
                      TC_CDL_SIMULTANEOUS_WORK(3u, 1u, 2u, TC_CDL_LCP_WORK + 7u));
}

static void test_observer(void)
{
    static tc_momentum with, without;
    const tc_momentum_config config = tc_momentum_default();
    const tc_real one[1] = {TC_C(1.0)};
    tc_real angle[1] = {TC_C(0.1)}, rate[1] = {TC_C(0.2)}, torque[1] = {TC_C(-0.5)};
    const tc_momentum_tick tick = {angle, rate, one, one, torque, one, 1, 0};
    tc_momentum_info info;
    memset(&with, 0, sizeof with);
    memset(&without, 0, sizeof without);
    TEST_ASSERT_EQUAL(TC_OK, tc_momentum_init(&with, &config, 1));
    TEST_ASSERT_EQUAL(TC_OK, tc_momentum_init(&without, &config, 1));
    for (uint32_t i = 0; i < 20u; i++) {
        angle[0] += rate[0] * TC_C(1e-3);
        TEST_ASSERT_EQUAL(TC_OK, tc_momentum_update(&with, &tick, &info));
        TEST_ASSERT_EQUAL(TC_OK, tc_momentum_update(&without, &tick, NULL));
        TEST_ASSERT_EQUAL_MEMORY(&with, &without, sizeof with);
        TEST_ASSERT_EQUAL(info.contact, without.contact);
    }
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_momentum_update(NULL, &tick, NULL));
}

void suite_work(void)
{
    RUN_TEST(test_feet);
    RUN_TEST(test_limbs);
    RUN_TEST(test_problems);
    RUN_TEST(test_systems);
    RUN_TEST(test_observer);
}
