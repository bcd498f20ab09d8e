/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A bouncing ball against a truth in double that goes from event to event: spin instead of r omega,
 * times of contact by bisection of each parabola's falling part.
 *
 * Tolerances: positions of some metres have 5e-7 of rounding each; a few touches at some m/s multiply
 * the rounding of their times.
 */
#include "test.h"

#include "tc_bounce.h"

#include <math.h>

#define SEEN 45u
#define NEVER 1e30
#ifdef TC_DOUBLE
#define LOOSE(x) TC_C(1e-7)
#else
#define LOOSE(x) TC_C(x)
#endif

static tc_plane3 planes[TC_BOUNCE_PLANES];
static tc_bounce ball;
static tc_real times[SEEN], positions[3u * SEEN], work[TC_BOUNCE_WORK(TC_BOUNCE_PARAMETERS)];
static tc_real deviation[TC_BOUNCE_PARAMETERS];
static tc_fit_info info;

/* ---- The truth ---------------------------------------------------------------------------------- */

typedef struct true_ball {
    double value[TC_BOUNCE_VALUES], g[3], normal[TC_BOUNCE_PLANES][3], offset[TC_BOUNCE_PLANES];
    uint32_t planes, touches;
} true_ball;

static double of(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double height(const true_ball *x, uint32_t i, const double p[3], const double v[3], double t)
{
    double at[3];
    for (uint32_t k = 0; k < 3u; ++k) {
        at[k] = p[k] + v[k] * t + 0.5 * x->g[k] * t * t;
    }
    return of(x->normal[i], at) - x->offset[i] - x->value[TC_BOUNCE_RADIUS];
}

/* When the gap to plane i falls through zero, within `most`; NEVER if it does not */
static double meets(const true_ball *x, uint32_t i, const double p[3], const double v[3],
                    double most)
{
    const double a = of(x->normal[i], v), b = of(x->normal[i], x->g);
    double above = b < 0.0 && a > 0.0 ? -a / b : 0.0; /* it falls from here */
    double below = b > 0.0 ? (a < 0.0 ? -a / b : 0.0) : most;
    below = below < most ? below : most;
    if ((a >= 0.0 && b >= 0.0) || above >= below || height(x, i, p, v, below) > 0.0) {
        return NEVER;
    }
    for (uint32_t k = 0; k < 200u; ++k) {
        const double middle = 0.5 * (above + below);
        *(height(x, i, p, v, middle) > 0.0 ? &above : &below) = middle;
    }
    return below;
}

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void strike(const true_ball *x, uint32_t i, double v[3], double w[3])
{
    const double r = x->value[TC_BOUNCE_RADIUS], k = x->value[TC_BOUNCE_INERTIA];
    const double *const n = x->normal[i];
    const double arm[3] = {-r * n[0], -r * n[1], -r * n[2]}, vn = of(n, v);
    double u[3], impulse[3], turn[3];
    cross(w, arm, u);
    for (uint32_t j = 0; j < 3u; ++j) {
        u[j] += v[j] - vn * n[j];
    }
    const double normal = -(1.0 + x->value[TC_BOUNCE_RESTITUTION]) * vn, slip = sqrt(of(u, u));
    const double stick = slip / (1.0 + 1.0 / k), most = x->value[TC_BOUNCE_FRICTION] * normal;
    for (uint32_t j = 0; j < 3u; ++j) {
        impulse[j] =
            normal * n[j] - (slip > 0.0 ? u[j] / slip * (stick < most ? stick : most) : 0.0);
    }
    cross(arm, impulse, turn);
    for (uint32_t j = 0; j < 3u; ++j) {
        v[j] += impulse[j];
        w[j] += turn[j] / (k * r * r);
    }
}

/* The position at `time`; counts the touches. */
static void true_position(true_ball *x, double time, double position[3])
{
    double p[3], v[3], w[3];
    memcpy(p, x->value + TC_BOUNCE_POSITION, sizeof p);
    memcpy(v, x->value + TC_BOUNCE_VELOCITY, sizeof v);
    memcpy(w, x->value + TC_BOUNCE_SPIN, sizeof w);
    double left = time;
    for (x->touches = 0; x->touches < 32u; ++x->touches) {
        double soonest = NEVER;
        uint32_t plane = 0;
        for (uint32_t i = 0; i < x->planes; ++i) {
            const double t = meets(x, i, p, v, left);
            plane = t < soonest ? i : plane;
            soonest = t < soonest ? t : soonest;
        }
        const double t = soonest < left ? soonest : left;
        for (uint32_t k = 0; k < 3u; ++k) {
            p[k] += v[k] * t + 0.5 * x->g[k] * t * t;
            v[k] += x->g[k] * t;
        }
        left -= t;
        if (!(soonest < NEVER)) {
            break;
        }
        strike(x, plane, v, w);
    }
    memcpy(position, p, sizeof p);
}

static true_ball truth_of(const tc_bounce *b)
{
    true_ball x = {.planes = b->planes};
    for (uint32_t i = 0; i < TC_BOUNCE_VALUES; ++i) {
        x.value[i] = (double)b->value[i];
    }
    for (uint32_t k = 0; k < 3u; ++k) {
        x.g[k] = (double)b->gravity[k];
        for (uint32_t i = 0; i < b->planes; ++i) {
            x.normal[i][k] = (double)b->planes_ref[i].normal[k];
            x.offset[i] = (double)b->planes_ref[i].offset;
        }
    }
    return x;
}

/* ---- Scenes ------------------------------------------------------------------------------------- */

static tc_real draw(double low, double high)
{
    return test_uniform((tc_real)low, (tc_real)high);
}

/* A floor and up to three walls about a ball in the middle; some of them lean. */
static void draw_scene(uint32_t many)
{
    static const double out[TC_BOUNCE_PLANES][3] = {{0, 0, 1}, {-1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    ball = tc_bounce_default();
    ball.planes_ref = planes;
    ball.planes = many;
    for (uint32_t i = 0; i < many; ++i) {
        double n[3], length = 0.0;
        for (uint32_t k = 0; k < 3u; ++k) {
            n[k] = out[i][k] + (double)draw(-0.2, 0.2);
            length += n[k] * n[k];
        }
        for (uint32_t k = 0; k < 3u; ++k) {
            planes[i].normal[k] = (tc_real)(n[k] / sqrt(length));
        }
        planes[i].offset = draw(-2.0, -1.2);
    }
    ball.gravity[2] = draw(-12.0, 0.0);
    for (uint32_t k = 0; k < 3u; ++k) {
        ball.value[TC_BOUNCE_POSITION + k] = draw(-0.1, 0.1);
        ball.value[TC_BOUNCE_VELOCITY + k] = draw(-4.0, 4.0);
        ball.value[TC_BOUNCE_SPIN + k] = draw(-6.0, 6.0);
    }
    ball.value[TC_BOUNCE_RADIUS] = draw(0.2, 0.9);
    ball.value[TC_BOUNCE_RESTITUTION] = draw(0.4, 0.95);
    ball.value[TC_BOUNCE_FRICTION] = draw(0.0, 0.6);
    ball.value[TC_BOUNCE_INERTIA] = draw(0.3, 0.7);
}

/* The paper's scene: a wall at x = 4.5, a floor at y = 0 */
static void paper_scene(double gravity)
{
    static const tc_plane3 two[2] = {{{TC_C(-1.0), 0, 0}, TC_C(-4.5)}, {{0, TC_C(1.0), 0}, 0}};
    ball = tc_bounce_default();
    memcpy(planes, two, sizeof two);
    ball.planes_ref = planes;
    ball.planes = 2;
    ball.gravity[1] = (tc_real)-gravity;
    ball.value[TC_BOUNCE_POSITION + 1] = TC_C(5.0);
    ball.value[TC_BOUNCE_VELOCITY] = TC_C(5.0);
}

static uint32_t observe(double noise)
{
    true_ball x = truth_of(&ball);
    for (uint32_t m = 0; m < SEEN; ++m) {
        double p[3];
        times[m] = (tc_real)((m + 1u) / 30.0);
        true_position(&x, (double)times[m], p);
        for (uint32_t k = 0; k < 3u; ++k) {
            double normal = -6.0;
            for (uint32_t j = 0; j < 12u; ++j) {
                normal += (double)draw(0.0, 1.0);
            }
            positions[3u * m + k] = (tc_real)(p[k] + noise * normal);
        }
    }
    return x.touches;
}

static tc_status identify(const tc_bounce_value *unknown, uint32_t n, const tc_fit_config *config,
                          const tc_real *low, const tc_real *high)
{
    const tc_bounce_seen seen = {SEEN, times, positions};
    return tc_bounce_identify(&ball, &seen, unknown, n, config, low, high, deviation, &info, work,
                              TC_BOUNCE_WORK(n));
}

/* ---- Tests -------------------------------------------------------------------------------------- */

static void test_flies_as_the_truth(void)
{
    test_seed(201);
    uint32_t touches = 0;
    for (uint32_t k = 0; k < TEST_ROUNDS(400); ++k) {
        tc_bounce_track track;
        double p[3];
        draw_scene(k % 5u);
        true_ball x = truth_of(&ball);
        true_position(&x, 1.2, p);
        if (x.touches > 10u) { /* it comes to rest, or is caught in a corner */
            continue;
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_bounce_init(&track, &ball, NULL, 0));
        for (uint32_t m = 0; m <= 6u; ++m) {
            tc_real got[3];
            const tc_real time = TC_C(0.2) * (tc_real)m;
            true_position(&x, (double)time, p);
            TEST_ASSERT_EQUAL(TC_OK, tc_bounce_move(&track, time, got, NULL));
            for (uint32_t i = 0; i < 3u; ++i) {
                test_near((tc_real)p[i], got[i], LOOSE(4e-5), 0, "position");
            }
        }
        TEST_ASSERT_EQUAL_UINT32(x.touches, track.touches);
        touches += track.touches;
    }
    TEST_ASSERT_TRUE(touches > TEST_ROUNDS(400));
}

/* Each value's derivative against central differences of the truth. Where a touch or the kind of a
 * touch changes within the difference, there is none: such instants are left out, and few. */
static void test_derivatives(void)
{
    test_seed(203);
    uint32_t compared = 0, all = 0;
    for (uint32_t k = 0; k < TEST_ROUNDS(260); ++k) {
        tc_bounce_track track;
        tc_bounce_value chosen[TC_BOUNCE_PARAMETERS];
        for (uint32_t j = 0; j < TC_BOUNCE_PARAMETERS; ++j) {
            chosen[j] = (tc_bounce_value)((k + 3u * j) % TC_BOUNCE_VALUES);
        }
        draw_scene(1u + k % 4u);
        true_ball middle = truth_of(&ball);
        double end[3];
        true_position(&middle, 0.8, end);
        if (middle.touches > 6u) {
            continue;
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_bounce_init(&track, &ball, chosen, TC_BOUNCE_PARAMETERS));
        tc_real got[3], D[3u * TC_BOUNCE_PARAMETERS];
        TEST_ASSERT_EQUAL(TC_OK, tc_bounce_move(&track, TC_C(0.8), got, D));
        for (uint32_t j = 0; j < TC_BOUNCE_PARAMETERS; ++j) {
            double p[4][3];
            for (uint32_t s = 0; s < 4u; ++s) {
                true_ball x = truth_of(&ball);
                x.value[chosen[j]] += (s % 2u == 0u ? 1.0 : -1.0) * (s < 2u ? 1e-5 : 1e-6);
                true_position(&x, 0.8, p[s]);
            }
            for (uint32_t i = 0; i < 3u; ++i, ++all) {
                const double coarse = (p[0][i] - p[1][i]) / 2e-5, fine = (p[2][i] - p[3][i]) / 2e-6;
                const double size = 1.0 + fabs(fine);
                if (fabs(coarse - fine) < 1e-6 * size) {
                    test_near((tc_real)fine, D[i * TC_BOUNCE_PARAMETERS + j],
                              LOOSE(2e-4) * (tc_real)size * (tc_real)(1u + track.touches), 0,
                              "derivative");
                    ++compared;
                }
            }
        }
    }
    TEST_ASSERT_TRUE(50u * compared > 49u * all);
}

/* The paper's Table 1: every radius within 1e-5 from 45 positions, one start. */
static void test_radius_of_the_papers_ball(void)
{
    static const tc_bounce_value unknown[1] = {TC_BOUNCE_RADIUS};
    const tc_real low = TC_C(0.2), high = TC_C(3.0);
    tc_fit_config config = tc_fit_default();
    config.starts = 4;
    config.enough = TC_C(1e-4);
    test_seed(207);
    for (uint32_t k = 0; k < TEST_ROUNDS(200); ++k) {
        paper_scene(k % 2u ? 10.0 : 0.0);
        const tc_real radius = draw(0.4, 2.0), start = draw(0.4, 2.0);
        ball.value[TC_BOUNCE_RADIUS] = radius;
        (void)observe(0.0);
        ball.value[TC_BOUNCE_RADIUS] = start;
        TEST_ASSERT_EQUAL(TC_OK, identify(unknown, 1, &config, &low, &high));
        const double error = fabs((double)ball.value[TC_BOUNCE_RADIUS] - (double)radius);
        TEST_ASSERT_TRUE(error <= 1e-5);
        TEST_ASSERT_TRUE(deviation[0] < TC_C(1e-5) && info.starts == 1u && info.evaluations <= 6u);
    }
}

static void test_several_values(void)
{
    static const tc_bounce_value unknown[4] = {TC_BOUNCE_RADIUS, TC_BOUNCE_RESTITUTION,
                                               TC_BOUNCE_FRICTION, TC_BOUNCE_VELOCITY};
    const tc_real low[4] = {TC_C(0.2), TC_C(0.2), TC_C(0.02), TC_C(4.0)};
    const tc_real high[4] = {TC_C(1.8), TC_C(0.8), TC_C(0.18), TC_C(7.0)};
    tc_fit_config config = tc_fit_default();
    config.starts = 8;
    config.enough = TC_C(1e-4);
    test_seed(211);
    for (uint32_t k = 0; k < TEST_ROUNDS(50); ++k) {
        paper_scene(10.0);
        tc_real truth[4] = {draw(0.4, 1.5), draw(0.3, 0.7), draw(0.05, 0.15), draw(5.0, 6.0)};
        for (uint32_t i = 0; i < 4u; ++i) {
            ball.value[unknown[i]] = truth[i];
        }
        ball.value[TC_BOUNCE_VELOCITY + 2] = TC_C(0.5);
        (void)observe(0.0);
        for (uint32_t i = 0; i < 4u; ++i) {
            ball.value[unknown[i]] *= draw(0.9, 1.1);
        }
        TEST_ASSERT_EQUAL(TC_OK, identify(unknown, 4, &config, low, high));
        for (uint32_t i = 0; i < 4u; ++i) {
            test_near(truth[i], ball.value[unknown[i]], TC_C(1e-5), 0, "value");
        }
    }
}

/* The deviation says what noise does: errors by it are of variance one. */
static void test_deviation(void)
{
    static const tc_bounce_value unknown[2] = {TC_BOUNCE_RADIUS, TC_BOUNCE_RESTITUTION};
    const tc_fit_config config = tc_fit_default();
    const uint32_t rounds = TEST_ROUNDS(200);
    double sum = 0.0;
    test_seed(213);
    for (uint32_t k = 0; k < rounds; ++k) {
        paper_scene(10.0);
        ball.value[TC_BOUNCE_RADIUS] = TC_C(0.9);
        (void)observe(0.01);
        TEST_ASSERT_EQUAL(TC_OK, identify(unknown, 2, &config, NULL, NULL));
        for (uint32_t i = 0; i < 2u; ++i) {
            const double e = (double)(ball.value[unknown[i]] - (i == 0u ? TC_C(0.9) : TC_C(0.5)))
                             / (double)deviation[i];
            sum += e * e / (2.0 * rounds);
        }
        TEST_ASSERT_TRUE(info.rms > TC_C(0.007) && info.rms < TC_C(0.013));
    }
    TEST_ASSERT_TRUE(sum > 1.0 - 5.0 / sqrt((double)rounds)
                     && sum < 1.0 + 5.0 / sqrt((double)rounds));
}

/* The same bits everywhere; the observations are made of sums, products and roots in double. */
static void test_bits_of_bounces(void)
{
    static const tc_bounce_value unknown[3] = {TC_BOUNCE_RADIUS, TC_BOUNCE_RESTITUTION,
                                               TC_BOUNCE_VELOCITY};
    const tc_fit_config config = tc_fit_default();
    uint32_t hash = TEST_HASH_START;
    test_seed(217);
    for (uint32_t k = 0; k < 12u; ++k) {
        paper_scene(k % 2u ? 10.0 : 0.0);
        ball.value[TC_BOUNCE_RADIUS] = draw(0.4, 2.0);
        (void)observe(0.01);
        TEST_ASSERT_EQUAL(TC_OK, identify(unknown, 3, &config, NULL, NULL));
        hash = test_hash(hash, ball.value, TC_BOUNCE_VALUES);
        hash = test_hash(hash, deviation, 3);
    }
    test_golden("bounce.identify", hash);
}

/* Millimetres instead of metres: the same ball. */
static void test_any_unit(void)
{
    static const tc_bounce_value unknown[1] = {TC_BOUNCE_RADIUS};
    const tc_fit_config config = tc_fit_default();
    static const double units[3] = {1024.0, 1.0 / 1024.0, 1048576.0};
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real unit = (tc_real)units[k];
        paper_scene(10.0);
        ball.value[TC_BOUNCE_RADIUS] = TC_C(1.25);
        (void)observe(0.0);
        ball.value[TC_BOUNCE_RADIUS] = TC_C(0.5) * unit;
        for (uint32_t i = 0; i < 3u * SEEN; ++i) {
            positions[i] *= unit;
        }
        for (uint32_t i = 0; i < 3u; ++i) {
            ball.gravity[i] *= unit;
            ball.value[TC_BOUNCE_POSITION + i] *= unit;
            ball.value[TC_BOUNCE_VELOCITY + i] *= unit;
        }
        planes[0].offset *= unit;
        TEST_ASSERT_EQUAL(TC_OK, identify(unknown, 1, &config, NULL, NULL));
        test_near(TC_C(1.25), ball.value[TC_BOUNCE_RADIUS] / unit, TC_C(1e-5), 0, "radius");
    }
}

/* Bounces until it rests, and rolls on; no NaN, no fall through the floor. */
static void test_comes_to_rest(void)
{
    static const tc_bounce_value chosen[1] = {TC_BOUNCE_RADIUS};
    static const double restitution[3] = {0.0, 0.5, 1.0};
    for (uint32_t k = 0; k < 3u; ++k) {
        tc_bounce_track track;
        tc_real p[3], D[3];
        paper_scene(10.0);
        planes[0].offset = TC_C(-400.0);
        ball.value[TC_BOUNCE_RADIUS] = TC_C(0.5);
        ball.value[TC_BOUNCE_RESTITUTION] = (tc_real)restitution[k];
        TEST_ASSERT_EQUAL(TC_OK, tc_bounce_init(&track, &ball, chosen, 1));
        TEST_ASSERT_EQUAL(TC_OK, tc_bounce_move(&track, TC_C(0.5), p, D));
        TEST_ASSERT_EQUAL(TC_NOTE_LIMIT, tc_bounce_move(&track, TC_C(70.0), p, D));
        const tc_real speed = TC_C(5.0) / TC_C(1.4); /* rolls: 5 m/s before friction acted */
        TEST_ASSERT_TRUE(k == 2u || tc_all_finite(D, 3));
        if (k < 2u) {
            test_near(TC_C(0.5), p[1], TC_C(1e-4), 0, "height");
            test_near(TC_C(1.0), D[1], TC_C(1e-3), 0, "height by the radius");
            test_near(speed, track.v[0], TC_C(1e-3), 0, "speed");
        }
        TEST_ASSERT_TRUE(track.touches <= 32u && track.rests == 2u);
    }
}

/* On a slope a ball that rests rolls down with 5/7 of the slope's gravity; on a wall that does not
 * carry it, it falls. */
static void test_rolls_down_a_slope(void)
{
    for (uint32_t k = 0; k < 2u; ++k) {
        static const tc_plane3 under[2] = {{{TC_C(0.6), TC_C(0.8), 0}, 0}, {{TC_C(-1.0), 0, 0}, 0}};
        tc_bounce_track track;
        tc_real p[3];
        ball = tc_bounce_default();
        ball.planes_ref = &under[k];
        ball.planes = 1;
        ball.gravity[1] = TC_C(-10.0);
        ball.value[TC_BOUNCE_RESTITUTION] = 0;
        ball.value[TC_BOUNCE_FRICTION] = 0;
        ball.value[TC_BOUNCE_VELOCITY] = k == 0u ? TC_C(0.0) : TC_C(2.0);
        for (uint32_t i = 0; i < 3u; ++i) {
            ball.value[TC_BOUNCE_POSITION + i] = under[k].normal[i] * TC_C(1.0001);
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_bounce_init(&track, &ball, NULL, 0));
        TEST_ASSERT_EQUAL(TC_NOTE_LIMIT, tc_bounce_move(&track, TC_C(1.0), p, NULL));
        if (k == 0u) { /* 10 * 0.6 * 5/7 along (0.8, -0.6), for a second */
            const tc_real way = TC_C(0.5) * TC_C(6.0) / TC_C(1.4);
            test_near(TC_C(0.6) + TC_C(0.8) * way, p[0], TC_C(0.03), 0, "across");
            test_near(TC_C(0.8) - TC_C(0.6) * way, p[1], TC_C(0.03), 0, "down");
        } else {
            test_near(TC_C(-1.0), p[0], TC_C(1e-4), 0, "at the wall");
            test_near(TC_C(-5.0), p[1], TC_C(1e-3), 0, "falls");
        }
    }
}

static void test_refused(void)
{
    static const tc_bounce_value chosen[2] = {TC_BOUNCE_RADIUS, TC_BOUNCE_VALUES};
    tc_bounce_track track;
    tc_real p[3] = {1, 1, 1};
    for (uint32_t i = 0; i < TC_BOUNCE_VALUES + 3u; ++i) {
        paper_scene(10.0);
        *(i < 3u ? &ball.gravity[i] : &ball.value[i - 3u]) = (tc_real)NAN;
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_bounce_check(&ball));
    }
    for (uint32_t k = 0; k < 11u; ++k) {
        static const tc_status expected[11] = {
            TC_ERR_SHAPE, TC_ERR_SHAPE, TC_ERR_RANGE, TC_ERR_RANGE, TC_ERR_RANGE, TC_ERR_SIZE,
            TC_ERR_SIZE,  TC_ERR_SIZE,  TC_ERR_NULL,  TC_ERR_UNIT,  TC_ERR_SHAPE};
        paper_scene(10.0);
        ball.value[TC_BOUNCE_RADIUS] = k == 0u ? TC_C(0.0) : k == 10u ? TC_C(5.01) : TC_C(1.0);
        ball.value[TC_BOUNCE_INERTIA] = k == 1u ? TC_C(0.0) : TC_C(0.4);
        ball.value[TC_BOUNCE_RESTITUTION] = k == 2u ? TC_C(1.1) : k == 3u ? TC_C(-0.1) : TC_C(0.5);
        ball.value[TC_BOUNCE_FRICTION] = k == 4u ? TC_C(-0.1) : TC_C(0.5);
        ball.touches = k == 5u ? 0u : k == 6u ? TC_BOUNCE_TOUCHES + 1u : 32u;
        ball.planes = k == 7u ? TC_BOUNCE_PLANES + 1u : 2u;
        ball.planes_ref = k == 8u ? NULL : planes;
        planes[1].normal[0] = k == 9u ? TC_C(0.5) : TC_C(0.0);
        TEST_ASSERT_EQUAL(expected[k], tc_bounce_check(&ball));
        TEST_ASSERT_EQUAL(expected[k], tc_bounce_init(&track, &ball, NULL, 0));
        TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_bounce_move(&track, 0, p, NULL));
        TEST_ASSERT_TRUE(p[0] == 0 && p[1] == 0 && p[2] == 0);
    }
    paper_scene(10.0);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_bounce_check(NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_bounce_init(NULL, &ball, chosen, 1));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_bounce_init(&track, &ball, NULL, 1));
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_bounce_init(&track, &ball, chosen, 2));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE,
                      tc_bounce_init(&track, &ball, chosen, TC_BOUNCE_PARAMETERS + 1u));
    TEST_ASSERT_EQUAL(TC_OK, tc_bounce_init(&track, &ball, chosen, 1));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_bounce_move(NULL, 0, p, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_bounce_move(&track, 0, NULL, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_bounce_move(&track, (tc_real)NAN, p, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_bounce_move(&track, TC_C(-0.1), p, NULL));
    TEST_ASSERT_EQUAL(TC_OK, tc_bounce_move(&track, TC_C(1.4), p, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_bounce_move(&track, TC_C(0.1), p, NULL));
}

static void test_identification_refused(void)
{
    static const tc_bounce_value unknown[2] = {TC_BOUNCE_RADIUS, TC_BOUNCE_RESTITUTION};
    tc_fit_config config = tc_fit_default();
    const tc_real low[2] = {TC_C(0.1), 0}, high[2] = {TC_C(2.0), TC_C(1.0)};
    tc_bounce_seen seen = {SEEN, times, positions};
    paper_scene(10.0);
    (void)observe(0.0);
    const tc_bounce before = ball;
    positions[7] = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, identify(unknown, 2, &config, low, high));
    TEST_ASSERT_TRUE(deviation[0] == 0 && info.evaluations == 0u);
    (void)observe(0.0);
    times[5] = TC_C(0.01);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, identify(unknown, 2, &config, low, high));
    (void)observe(0.0);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, identify(unknown, 2, &config, low, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, identify(unknown, 2, NULL, low, high));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, identify(unknown, 0, &config, low, high));
    config.starts = 2;
    TEST_ASSERT_EQUAL(TC_ERR_NULL, identify(unknown, 2, &config, NULL, NULL));
    config.starts = 0;
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, identify(unknown, 2, &config, low, high));
    config.starts = 1;
    TEST_ASSERT_EQUAL(TC_ERR_WORK, tc_bounce_identify(&ball, &seen, unknown, 2, &config, low, high,
                                                      NULL, NULL, work, TC_BOUNCE_WORK(2u) - 1u));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_bounce_identify(&ball, &seen, unknown, 2, &config, low, high,
                                                      NULL, NULL, NULL, TC_BOUNCE_WORK(2u)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_bounce_identify(&ball, NULL, unknown, 2, &config, low, high,
                                                      NULL, NULL, work, TC_BOUNCE_WORK(2u)));
    seen.n = 0;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_bounce_identify(&ball, &seen, unknown, 2, &config, low, high,
                                                      NULL, NULL, work, TC_BOUNCE_WORK(2u)));
    TEST_ASSERT_EQUAL_MEMORY(&before, &ball, sizeof ball);
}

void suite_bounce(void)
{
    RUN_TEST(test_flies_as_the_truth);
    RUN_TEST(test_derivatives);
    RUN_TEST(test_radius_of_the_papers_ball);
    RUN_TEST(test_several_values);
    RUN_TEST(test_deviation);
    RUN_TEST(test_bits_of_bounces);
    RUN_TEST(test_any_unit);
    RUN_TEST(test_comes_to_rest);
    RUN_TEST(test_rolls_down_a_slope);
    RUN_TEST(test_refused);
    RUN_TEST(test_identification_refused);
}
