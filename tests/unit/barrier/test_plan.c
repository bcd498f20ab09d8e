/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Plans of linear systems, whose best controls are the solution of linear equations: cost and
 * gradient against sums in double, Gauss-Newton against the equations in one iteration, the same bits
 * however the work is cut, ranges, failing steps, faults.
 *
 * Bounds: gradient 1e-5 of its largest number (1e-12 in double); controls of Gauss-Newton 2e-4 of
 * the largest (1e-9).
 */
#include "test.h"

#include <math.h>

#define S 4u
#define C 2u
#define KNOTS 8u
#define UNKNOWN (KNOTS * C)
#define LENGTH 1024u
#define GUARDED (LENGTH + 2u * TEST_GUARD_WORDS)
#ifdef TC_DOUBLE
#define SLOPE 1e-12
#define SOLVED 1e-9
#else
#define SLOPE 1e-5
#define SOLVED 2e-4
#endif

/* x+ = A x + B u; fails where x[0] is above `wall`, and at call `fails` */
typedef struct linear_system {
    tc_real A[S * S], B[S * C], wall;
    uint32_t fails;
    uint32_t *calls;
} linear_system;

static uint32_t steps;
static linear_system plant = {.calls = &steps};
static tc_real storage[GUARDED], other_storage[GUARDED];
static tc_real start[S], controls[UNKNOWN], found[UNKNOWN];
static tc_plan plan;
static tc_plan_info info;

static tc_status step_linear(const void *scene, const tc_real *x, const tc_real *u,
                             const tc_real *warm, tc_real *next, tc_real *record, tc_real *space)
{
    const linear_system *const p = scene;
    /* The record counts steps, so that a warm start which is not the step before's is seen. */
    record[0] = warm != NULL ? warm[0] + 1 : 1;
    space[0] = 0;
    if (++*p->calls == p->fails) return TC_ERR_NO_SOLUTION;
    for (uint32_t i = 0; i < S; ++i) {
        next[i] = 0;
        for (uint32_t j = 0; j < S; ++j) next[i] += p->A[i * S + j] * x[j];
        for (uint32_t j = 0; j < C; ++j) next[i] += p->B[i * C + j] * u[j];
    }
    return x[0] > p->wall ? TC_ERR_NO_SOLUTION : TC_OK;
}

static tc_status pull_linear(const void *scene, const tc_real *x, const tc_real *u,
                             const tc_real *next, const tc_real *record, const tc_real *later,
                             tc_real *now, tc_real *control, tc_real *space)
{
    const linear_system *const p = scene;
    (void)x, (void)u, (void)next, (void)record, (void)space;
    for (uint32_t j = 0; j < S; ++j) {
        now[j] = 0;
        for (uint32_t i = 0; i < S; ++i) now[j] += p->A[i * S + j] * later[i];
    }
    for (uint32_t j = 0; j < C; ++j) {
        control[j] = 0;
        for (uint32_t i = 0; i < S; ++i) control[j] += p->B[i * C + j] * later[i];
    }
    return TC_OK;
}

static tc_status columns_linear(const void *scene, const tc_real *x, const tc_real *u,
                                const tc_real *next, const tc_real *record, tc_real *A, tc_real *B,
                                tc_real *space)
{
    const linear_system *const p = scene;
    (void)x, (void)u, (void)next, (void)record, (void)space;
    memcpy(A, p->A, sizeof p->A);
    memcpy(B, p->B, sizeof p->B);
    return TC_OK;
}

static void differ_linear(const void *scene, const tc_real *to, const tc_real *from,
                          tc_real *increment)
{
    (void)scene;
    for (uint32_t i = 0; i < S; ++i) increment[i] = to[i] - from[i];
}

static const tc_plan_model linear = {.scene = &plant,
                                     .state = S,
                                     .tangent = S,
                                     .control = C,
                                     .record = 1,
                                     .work = 1,
                                     .step = step_linear,
                                     .pull = pull_linear,
                                     .columns = columns_linear,
                                     .difference = differ_linear};

/* Tolerance 0: a quadratic cost, whose second derivatives are exact. */
static tc_plan_goal goals[2] = {{0, 0, 2, {1, TC_C(-0.5), 0}, 0, 3, TC_C(0.5)},
                                {3, 3, 1, {TC_C(0.25), 0, 0}, 0, 1, 0}};
static tc_plan_task task = {.model = &linear, .goal = goals, .goals = 2, .effort = TC_C(0.1)};

static void draw_plant(void)
{
    test_fill(plant.A, S * S, TC_C(-0.5), TC_C(0.5));
    test_fill(plant.B, S * C, -1, 1);
    test_fill(start, S, -1, 1);
    test_fill(controls, UNKNOWN, -1, 1);
    plant.wall = TC_C(1e9);
    steps = plant.fails = 0;
}

static tc_plan_config configure(tc_plan_method method)
{
    tc_plan_config config = tc_plan_default();
    config.method = method;
    config.horizon = KNOTS;
    config.iterations = 6;
    config.step = TC_C(0.1);
    return config;
}

/* A plan between guard words */
static void make_plan(const tc_plan_config *config)
{
    const size_t length = tc_plan_work_len(&task, config);
    TEST_ASSERT_TRUE_MESSAGE(length > 0 && length <= LENGTH, "length");
    tc_real *const work = test_guard(storage, (uint32_t)length);
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_init(&plan, &task, config, work, length));
}

/* ---- The same in double ---------------------------------------------------------------------- */

/* States x[KNOTS + 1] */
static void roll_wide(const double *u, double x[KNOTS + 1u][S])
{
    for (uint32_t i = 0; i < S; ++i) x[0][i] = (double)start[i];
    for (uint32_t k = 0; k < KNOTS; ++k) {
        for (uint32_t i = 0; i < S; ++i) {
            x[k + 1u][i] = 0;
            for (uint32_t j = 0; j < S; ++j) x[k + 1u][i] += (double)plant.A[i * S + j] * x[k][j];
            for (uint32_t j = 0; j < C; ++j) {
                x[k + 1u][i] += (double)plant.B[i * C + j] * u[k * C + j];
            }
        }
    }
}

static double cost_wide(const double *u)
{
    static double x[KNOTS + 1u][S];
    double cost = 0;
    roll_wide(u, x);
    for (uint32_t k = 1; k <= KNOTS; ++k) {
        for (uint32_t g = 0; g < task.goals; ++g) {
            const tc_plan_goal *const goal = &goals[g];
            double square = -(double)goal->tolerance * (double)goal->tolerance;
            for (uint32_t i = 0; i < goal->count; ++i) {
                square += pow(x[k][goal->state + i] - (double)goal->target[i], 2);
            }
            cost += fmax(square, 0) * ((double)goal->knot + (k == KNOTS ? (double)goal->end : 0));
        }
        for (uint32_t b = 0; b < task.bounds; ++b) {
            const double at = x[k][task.bound[b].state];
            const double out =
                fmax(fmax(at - (double)task.bound[b].high, (double)task.bound[b].low - at), 0);
            cost += (double)task.bound[b].weight * out * out;
        }
    }
    for (uint32_t i = 0; i < UNKNOWN; ++i) {
        const double rest = task.rest != NULL ? (double)task.rest[i % C] : 0;
        const double scale = task.scale != NULL ? (double)task.scale[i % C] : 1;
        cost += (double)task.effort * pow((u[i] - rest) / scale, 2);
    }
    return cost;
}

/* The cost is a quadratic between kinks, so central differences are exact. */
static double slope_wide(const double *u, uint32_t i)
{
    double moved[UNKNOWN];
    memcpy(moved, u, sizeof moved);
    moved[i] = u[i] + 1e-3;
    const double above = cost_wide(moved);
    moved[i] = u[i] - 1e-3;
    return (above - cost_wide(moved)) / 2e-3;
}

/* The best controls, by elimination on H u = -g at u = 0 */
static void solve_wide(double *u)
{
    static double H[UNKNOWN][UNKNOWN + 1u];
    double at[UNKNOWN] = {0}, none[UNKNOWN];
    for (uint32_t i = 0; i < UNKNOWN; ++i) none[i] = slope_wide(at, i);
    for (uint32_t j = 0; j < UNKNOWN; ++j) {
        at[j] = 1;
        for (uint32_t i = 0; i < UNKNOWN; ++i) H[i][j] = slope_wide(at, i) - none[i];
        at[j] = 0;
        H[j][UNKNOWN] = -none[j];
    }
    for (uint32_t p = 0; p < UNKNOWN; ++p) {
        for (uint32_t i = 0; i < UNKNOWN; ++i) {
            const double factor = i == p ? 0 : H[i][p] / H[p][p];
            for (uint32_t j = p; j <= UNKNOWN; ++j) H[i][j] -= factor * H[p][j];
        }
    }
    for (uint32_t i = 0; i < UNKNOWN; ++i) u[i] = H[i][UNKNOWN] / H[i][i];
}

static void widen(const tc_real *x, double *wide)
{
    for (uint32_t i = 0; i < UNKNOWN; ++i) wide[i] = (double)x[i];
}

/* ---- Cost and gradient ----------------------------------------------------------------------- */

static void check_gradient(void)
{
    double wide[UNKNOWN], slope[UNKNOWN], largest = 1;
    tc_real cost;
    widen(controls, wide);
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_gradient(&plan, start, controls, &cost, found));
    for (uint32_t i = 0; i < UNKNOWN; ++i) {
        slope[i] = slope_wide(wide, i);
        largest = fmax(largest, fabs(slope[i]));
    }
    const double right = cost_wide(wide);
    TEST_ASSERT_TRUE_MESSAGE(fabs((double)cost - right) <= SLOPE * (1 + right), "cost");
    for (uint32_t i = 0; i < UNKNOWN; ++i) {
        TEST_ASSERT_TRUE_MESSAGE(fabs((double)found[i] - slope[i]) <= 100 * SLOPE * largest,
                                 "gradient");
    }
    test_guard_check(storage, (uint32_t)tc_plan_work_len(&task, &plan.config));
}

/* With goals, bounds, scales and a rest */
static void test_gradient(void)
{
    static const tc_plan_bound bounds[1] = {{2, 2, TC_C(-0.1), TC_C(0.1), 2}};
    static const tc_real scale[C] = {2, TC_C(0.5)}, rest[C] = {TC_C(0.1), TC_C(-0.3)};
    const tc_plan_task plain = task;
    test_seed(1701);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(20u); ++round) {
        draw_plant();
        task = plain;
        if (round % 2u == 1u) {
            task.bound = bounds;
            task.bounds = 1;
            task.scale = scale;
            task.rest = rest;
        }
        const tc_plan_config config = configure((tc_plan_method)(round % 3u));
        make_plan(&config);
        check_gradient();
    }
    task = plain;
}

/* A goal that is reached costs nothing and pulls nowhere. */
static void test_tolerance(void)
{
    const tc_plan_config config = configure(TC_PLAN_KNOTS);
    tc_plan_goal wide_goal = {0, 0, 2, {0, 0, 0}, TC_C(1e3), 1, 1};
    tc_plan_task wide_task = {.model = &linear, .goal = &wide_goal, .goals = 1};
    tc_real cost = 7;
    test_seed(1702);
    draw_plant();
    tc_real *const work = test_guard(storage, LENGTH);
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_init(&plan, &wide_task, &config, work, LENGTH));
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_gradient(&plan, start, controls, &cost, found));
    TEST_ASSERT_TRUE(cost == 0);
    for (uint32_t i = 0; i < UNKNOWN; ++i) TEST_ASSERT_TRUE(found[i] == 0);
    /* Then no method moves. */
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_start(&plan, start, controls));
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_update(&plan, 1000, &info));
    TEST_ASSERT_TRUE(info.done == 1u && info.iterations == 6u);
    test_same(controls, plan.control, UNKNOWN, "stays");
}

/* ---- Methods --------------------------------------------------------------------------------- */

/* Without damping and limits one iteration solves a linear system. */
static void test_newton_solves(void)
{
    double right[UNKNOWN];
    test_seed(1703);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(20u); ++round) {
        draw_plant();
        tc_plan_config config = configure(TC_PLAN_NEWTON);
        config.iterations = 1;
        config.step = TC_C(1e6);
        config.damping = 0;
        make_plan(&config);
        TEST_ASSERT_EQUAL(TC_OK, tc_plan_start(&plan, start, controls));
        TEST_ASSERT_EQUAL(TC_OK, tc_plan_update(&plan, 1000, &info));
        TEST_ASSERT_TRUE(info.done == 1u && info.units == 4u * KNOTS);
        solve_wide(right);
        double largest = 1;
        for (uint32_t i = 0; i < UNKNOWN; ++i) largest = fmax(largest, fabs(right[i]));
        for (uint32_t i = 0; i < UNKNOWN; ++i) {
            TEST_ASSERT_TRUE_MESSAGE(fabs((double)plan.control[i] - right[i]) <= SOLVED * largest,
                                     "best controls");
        }
        TEST_ASSERT_TRUE(fabs((double)info.cost - cost_wide(right))
                         <= SOLVED * (1 + cost_wide(right)));
    }
}

/* With ranges: at the end no free control has a slope, none at a border wants to come in. */
static void test_newton_ranges(void)
{
    static const tc_real low[C] = {TC_C(-0.3), TC_C(-0.2)}, high[C] = {TC_C(0.2), TC_C(0.3)};
    uint32_t borders = 0;
    test_seed(1704);
    task.low = low;
    task.high = high;
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(10u); ++round) {
        draw_plant();
        tc_plan_config config = configure(TC_PLAN_NEWTON);
        config.iterations = 60;
        config.step = 1;
        make_plan(&config);
        TEST_ASSERT_EQUAL(TC_OK, tc_plan_start(&plan, start, controls));
        TEST_ASSERT_EQUAL(TC_OK, tc_plan_update(&plan, 100000, &info));
        TEST_ASSERT_EQUAL_UINT32(1, info.done);
        double wide[UNKNOWN];
        widen(plan.control, wide);
        for (uint32_t i = 0; i < UNKNOWN; ++i) {
            const double slope = slope_wide(wide, i), u = wide[i];
            const int at_low = u <= (double)low[i % C], at_high = u >= (double)high[i % C];
            borders += (uint32_t)(at_low || at_high);
            TEST_ASSERT_TRUE_MESSAGE(u >= (double)low[i % C] && u <= (double)high[i % C], "range");
            TEST_ASSERT_TRUE_MESSAGE(slope > -0.02 || at_high, "upper border");
            TEST_ASSERT_TRUE_MESSAGE(slope < 0.02 || at_low, "lower border");
        }
    }
    task.low = task.high = NULL;
    TEST_ASSERT_TRUE(borders > 4u);
}

/* Descent comes near the best controls, Adam too. */
static void test_descent(void)
{
    double right[UNKNOWN];
    test_seed(1705);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(8u); ++round) {
        draw_plant();
        tc_plan_config config = configure(round % 2u == 0u ? TC_PLAN_KNOTS : TC_PLAN_ADAM);
        config.iterations = 400;
        config.step = TC_C(0.02);
        make_plan(&config);
        TEST_ASSERT_EQUAL(TC_OK, tc_plan_start(&plan, start, controls));
        TEST_ASSERT_EQUAL(TC_OK, tc_plan_update(&plan, 100000, &info));
        solve_wide(right);
        TEST_ASSERT_TRUE_MESSAGE((double)info.cost < cost_wide(right) + 0.01, "near the best");
    }
}

/* A knot's move has the gradient's direction and the length `step`, whatever the gradient's size. */
static void test_knot_moves(void)
{
    tc_plan_config config = configure(TC_PLAN_KNOTS);
    config.iterations = 1;
    test_seed(1706);
    for (uint32_t round = 0; round < TEST_ROUNDS(10u); ++round) {
        const tc_real small = test_log_uniform(1e-12, 1);
        const tc_plan_goal plain[2] = {goals[0], goals[1]};
        const tc_real effort = task.effort;
        draw_plant();
        for (uint32_t g = 0; g < 2u; ++g) {
            goals[g].end *= small;
            goals[g].knot *= small;
        }
        task.effort *= small;
        make_plan(&config);
        TEST_ASSERT_EQUAL(TC_OK, tc_plan_start(&plan, start, controls));
        TEST_ASSERT_EQUAL(TC_OK, tc_plan_update(&plan, 1000, &info));
        for (uint32_t k = 0; k < KNOTS; ++k) {
            double length = 0, along = 0, size = 0;
            for (uint32_t i = k * C; i < (k + 1u) * C; ++i) {
                const double move = (double)controls[i] - (double)plan.control[i];
                length += move * move;
                along += move * (double)plan.gradient[i];
                size += (double)plan.gradient[i] * (double)plan.gradient[i];
            }
            TEST_ASSERT_TRUE_MESSAGE(fabs(sqrt(length) - 0.1) < 1e-5, "length");
            TEST_ASSERT_TRUE_MESSAGE(along > (1 - 1e-4) * sqrt(length * size), "direction");
        }
        memcpy(goals, plain, sizeof plain);
        task.effort = effort;
    }
}

/* ---- The machine ----------------------------------------------------------------------------- */

/* The same bits however the work is cut; each call takes at most its budget. */
static void test_cuts(void)
{
    static tc_plan whole;
    test_seed(1707);
    for (uint32_t round = 0; round < TEST_ROUNDS(30u); ++round) {
        const tc_plan_config config = configure((tc_plan_method)(round % 3u));
        draw_plant();
        make_plan(&config);
        tc_real *const work = test_guard(other_storage, LENGTH);
        TEST_ASSERT_EQUAL(TC_OK, tc_plan_init(&whole, &task, &config, work, LENGTH));
        TEST_ASSERT_EQUAL(TC_OK, tc_plan_start(&plan, start, controls));
        TEST_ASSERT_EQUAL(TC_OK, tc_plan_start(&whole, start, controls));
        for (uint32_t frame = 0; frame < 3u; ++frame) {
            uint32_t units = 0, left = 0;
            TEST_ASSERT_EQUAL(TC_OK, tc_plan_update(&whole, 100000, &info));
            left = info.units;
            do {
                const uint32_t budget = test_below(1u + 3u * round);
                TEST_ASSERT_EQUAL(TC_OK, tc_plan_update(&plan, budget, &info));
                TEST_ASSERT_TRUE_MESSAGE(info.units <= budget, "budget");
                units += info.units;
                if (budget == 0u) (void)tc_plan_update(&plan, 1, &info), units += info.units;
            } while (!info.done);
            TEST_ASSERT_EQUAL_UINT32(left, units);
            test_same(whole.control, plan.control, UNKNOWN, "controls");
            TEST_ASSERT_TRUE(whole.info.cost == plan.info.cost);
            TEST_ASSERT_EQUAL(TC_OK, tc_plan_update(&plan, 10, &info));
            TEST_ASSERT_TRUE_MESSAGE(info.units == 0u && info.done == 1u, "finished");
            TEST_ASSERT_EQUAL(TC_OK, tc_plan_shift(&plan, plan.state + S));
            TEST_ASSERT_EQUAL(TC_OK, tc_plan_shift(&whole, whole.state + S));
        }
        test_guard_check(storage, (uint32_t)tc_plan_work_len(&task, &config));
    }
}

/* A shift drops the first control and repeats the last; records say which step was before. */
static void test_shift(void)
{
    tc_plan_config config = configure(TC_PLAN_KNOTS);
    test_seed(1708);
    draw_plant();
    make_plan(&config);
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_start(&plan, start, controls));
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_update(&plan, 1000, &info));
    for (uint32_t k = 0; k < KNOTS; ++k) TEST_ASSERT_TRUE(plan.record[k] == (tc_real)(k + 1u));
    memcpy(controls, plan.control, sizeof controls);
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_shift(&plan, start));
    test_same(controls + C, plan.control, UNKNOWN - C, "shifted");
    test_same(controls + UNKNOWN - C, plan.control + UNKNOWN - C, C, "repeated");
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_update(&plan, KNOTS, &info));
    for (uint32_t k = 0; k < KNOTS; ++k) TEST_ASSERT_TRUE(plan.record[k] == (tc_real)(k + 2u));
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_start(&plan, start, NULL));
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_update(&plan, 1, &info));
    TEST_ASSERT_TRUE(plan.record[0] == 1);
}

/* A step that fails later ends the roll-out there; one that fails first is the caller's to see. */
static void test_failures(void)
{
    test_seed(1709);
    for (uint32_t method = 0; method < 3u; ++method) {
        for (uint32_t fails = 1; fails <= 3u * KNOTS; ++fails) {
            const tc_plan_config config = configure((tc_plan_method)method);
            draw_plant();
            make_plan(&config);
            TEST_ASSERT_EQUAL(TC_OK, tc_plan_start(&plan, start, controls));
            plant.fails = fails;
            tc_status status = tc_plan_update(&plan, 10000, &info);
            if (status < TC_OK) {
                TEST_ASSERT_EQUAL(TC_ERR_NO_SOLUTION, status);
                status = tc_plan_update(&plan, 10000, &info);
            }
            TEST_ASSERT_EQUAL(TC_OK, status);
            TEST_ASSERT_TRUE(info.done == 1u && info.cost < TC_C(1e3));
            TEST_ASSERT_TRUE(tc_all_finite(plan.control, UNKNOWN));
            test_guard_check(storage, (uint32_t)tc_plan_work_len(&task, &config));
        }
    }
    /* beyond the wall nothing moves */
    plant.fails = 0;
    plant.wall = -100;
    const tc_plan_config config = configure(TC_PLAN_KNOTS);
    make_plan(&config);
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_start(&plan, start, controls));
    TEST_ASSERT_EQUAL(TC_ERR_NO_SOLUTION, tc_plan_update(&plan, 10, &info));
    tc_real cost = 7;
    TEST_ASSERT_EQUAL(TC_ERR_NO_SOLUTION, tc_plan_gradient(&plan, start, controls, &cost, found));
    TEST_ASSERT_TRUE(cost == 0 && found[0] == 0 && found[UNKNOWN - 1u] == 0);
}

/* ---- Faults ---------------------------------------------------------------------------------- */

static tc_status refuse(const tc_plan_task *wrong, const tc_plan_config *config)
{
    static tc_plan refused;
    memset(&refused, 1, sizeof refused);
    const tc_status status =
        tc_plan_init(&refused, wrong, config, test_guard(storage, LENGTH), LENGTH);
    TEST_ASSERT_TRUE(status < TC_OK && refused.control == NULL && refused.task.model == NULL);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_plan_start(&refused, start, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_plan_update(&refused, 1, &info));
    return status;
}

#define REFUSED(status, field, value)                                                              \
    do {                                                                                           \
        tc_plan_task wrong = task;                                                                 \
        wrong.field = value;                                                                       \
        TEST_ASSERT_EQUAL(status, refuse(&wrong, &config));                                        \
    } while (0)
#define REFUSED_CONFIG(status, field, value)                                                       \
    do {                                                                                           \
        tc_plan_config wrong = config;                                                             \
        wrong.field = value;                                                                       \
        TEST_ASSERT_EQUAL(status, refuse(&task, &wrong));                                          \
    } while (0)
#define REFUSED_MODEL(status, field, value)                                                        \
    do {                                                                                           \
        tc_plan_model wrong_model = linear;                                                        \
        wrong_model.field = value;                                                                 \
        REFUSED(status, model, &wrong_model);                                                      \
    } while (0)
#define REFUSED_GOAL(status, field, value)                                                         \
    do {                                                                                           \
        tc_plan_goal wrong_goal = goals[0];                                                        \
        wrong_goal.field = value;                                                                  \
        const tc_plan_goal both[2] = {goals[1], wrong_goal};                                       \
        REFUSED(status, goal, both);                                                               \
    } while (0)

static void test_refused_models(void)
{
    tc_plan_config config = configure(TC_PLAN_NEWTON);
    REFUSED(TC_ERR_NULL, model, NULL);
    REFUSED_MODEL(TC_ERR_NULL, step, NULL);
    REFUSED_MODEL(TC_ERR_NULL, pull, NULL);
    REFUSED_MODEL(TC_ERR_UNSUPPORTED, columns, NULL);
    REFUSED_MODEL(TC_ERR_UNSUPPORTED, difference, NULL);
    REFUSED_MODEL(TC_ERR_SIZE, state, 0);
    REFUSED_MODEL(TC_ERR_SIZE, state, TC_PLAN_STATE_MAX + 1u);
    REFUSED_MODEL(TC_ERR_SIZE, tangent, 0);
    REFUSED_MODEL(TC_ERR_SIZE, tangent, TC_PLAN_STATE_MAX + 1u);
    REFUSED_MODEL(TC_ERR_SIZE, control, 0);
    REFUSED_MODEL(TC_ERR_SIZE, control, TC_PLAN_CONTROL_MAX + 1u);
}

static void test_refused_configs(void)
{
    tc_plan_config config = configure(TC_PLAN_KNOTS);
    REFUSED_CONFIG(TC_ERR_UNSUPPORTED, method, (tc_plan_method)3);
    REFUSED_CONFIG(TC_ERR_SIZE, horizon, 0);
    REFUSED_CONFIG(TC_ERR_SIZE, horizon, TC_PLAN_HORIZON_MAX + 1u);
    REFUSED_CONFIG(TC_ERR_WORK, horizon, 200); /* beyond the memory */
    REFUSED_CONFIG(TC_ERR_SIZE, iterations, 0);
    REFUSED_CONFIG(TC_ERR_SIZE, iterations, 65536);
    REFUSED_CONFIG(TC_ERR_RANGE, step, 0);
    REFUSED_CONFIG(TC_ERR_NOT_FINITE, step, (tc_real)NAN);
    REFUSED_CONFIG(TC_ERR_RANGE, beta1, 1);
    REFUSED_CONFIG(TC_ERR_RANGE, beta2, 1);
    REFUSED_CONFIG(TC_ERR_RANGE, beta1, -1);
    REFUSED_CONFIG(TC_ERR_RANGE, damping, -1);
    REFUSED_CONFIG(TC_ERR_NOT_FINITE, damping, (tc_real)INFINITY);
}

static void test_refused_tasks(void)
{
    static const tc_real nan[C] = {0, (tc_real)NAN}, up[C] = {0, 1}, down[C] = {0, TC_C(0.5)};
    static tc_plan_bound bound = {0, 0, 1, 2, 1};
    tc_plan_config config = configure(TC_PLAN_KNOTS);
    REFUSED(TC_ERR_NULL, goal, NULL);
    REFUSED(TC_ERR_SIZE, goals, 0);
    REFUSED(TC_ERR_SIZE, goals, TC_PLAN_TERMS_MAX + 1u);
    REFUSED(TC_ERR_NULL, bounds, 1);
    REFUSED(TC_ERR_SIZE, bounds, TC_PLAN_TERMS_MAX + 1u);
    REFUSED(TC_ERR_NOT_FINITE, low, nan);
    REFUSED(TC_ERR_NOT_FINITE, high, nan);
    REFUSED(TC_ERR_NOT_FINITE, rest, nan);
    REFUSED(TC_ERR_NOT_FINITE, scale, nan);
    REFUSED(TC_ERR_RANGE, scale, up);
    REFUSED(TC_ERR_RANGE, effort, -1);
    REFUSED_GOAL(TC_ERR_SIZE, count, 0);
    REFUSED_GOAL(TC_ERR_SIZE, count, 4);
    REFUSED_GOAL(TC_ERR_SIZE, state, 3);
    REFUSED_GOAL(TC_ERR_SIZE, state, 0xffffffffu);
    REFUSED_GOAL(TC_ERR_SIZE, tangent, 3);
    REFUSED_GOAL(TC_ERR_NOT_FINITE, target[1], (tc_real)NAN);
    REFUSED_GOAL(TC_ERR_RANGE, tolerance, -1);
    REFUSED_GOAL(TC_ERR_RANGE, end, -1);
    REFUSED_GOAL(TC_ERR_NOT_FINITE, knot, (tc_real)NAN);
    tc_plan_task wrong = task;
    wrong.low = up;
    wrong.high = down;
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, refuse(&wrong, &config));
    wrong = task;
    wrong.bound = &bound;
    wrong.bounds = 1;
    bound.high = 0;
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, refuse(&wrong, &config));
    bound.high = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, refuse(&wrong, &config));
    bound.high = 2;
    bound.weight = -1;
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, refuse(&wrong, &config));
    bound.weight = 1;
    bound.state = S;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, refuse(&wrong, &config));
}

static void test_refused_calls(void)
{
    const tc_plan_config config = configure(TC_PLAN_KNOTS);
    const size_t length = tc_plan_work_len(&task, &config);
    static const tc_real nan[S] = {0, 0, 0, (tc_real)NAN};
    TEST_ASSERT_EQUAL(0, tc_plan_work_len(NULL, &config));
    TEST_ASSERT_EQUAL(0, tc_plan_work_len(&task, NULL));
    tc_real *const work = test_guard(storage, (uint32_t)length);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_plan_init(NULL, &task, &config, work, length));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_plan_init(&plan, NULL, &config, work, length));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_plan_init(&plan, &task, NULL, work, length));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_plan_init(&plan, &task, &config, NULL, length));
    TEST_ASSERT_EQUAL(TC_ERR_WORK, tc_plan_init(&plan, &task, &config, work, length - 1u));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN, tc_plan_init(&plan, &task, &config, TEST_ODD(work), length));
    make_plan(&config);
    draw_plant();
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_update(&plan, 10, &info));
    TEST_ASSERT_EQUAL_UINT32(0, info.units);
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_start(&plan, start, controls));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_plan_start(&plan, NULL, controls));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_plan_shift(&plan, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_plan_shift(NULL, start));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_plan_update(NULL, 1, &info));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_plan_gradient(NULL, start, controls, NULL, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_plan_gradient(&plan, start, NULL, NULL, found));
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_plan_start(&plan, nan, controls));
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_plan_shift(&plan, nan));
    controls[UNKNOWN - 1u] = (tc_real)INFINITY;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_plan_start(&plan, start, controls));
    TEST_ASSERT_TRUE(tc_all_finite(plan.control, UNKNOWN));
}

void suite_plan(void)
{
    RUN_TEST(test_gradient);
    RUN_TEST(test_tolerance);
    RUN_TEST(test_newton_solves);
    RUN_TEST(test_newton_ranges);
    RUN_TEST(test_descent);
    RUN_TEST(test_knot_moves);
    RUN_TEST(test_cuts);
    RUN_TEST(test_shift);
    RUN_TEST(test_failures);
    RUN_TEST(test_refused_models);
    RUN_TEST(test_refused_configs);
    RUN_TEST(test_refused_tasks);
    RUN_TEST(test_refused_calls);
}
