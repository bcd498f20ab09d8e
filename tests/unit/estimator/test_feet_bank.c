/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One tick of a foot's bank, against the same equations written with full matrices in double: mixed as mixtures are
 * (means first, then spreads about them), constrained one scalar after another, compared by inverses. And the reference
 * against the equation of motion: what is returned to it moves the contact point by as much.
 *
 * Bounds, of what float leaves of differences: probabilities 2e-3, means 2e-2 of their
 * deviation, covariances 2e-2 of the product of deviations; typical are tenths of that.
 */
#include "feet_case.h"
#include "test.h"

#include "tc_feet_internal.h"
#include "tc_vec.h"

#include <math.h>

typedef double six[6][6];

typedef struct hypotheses {
    double x[4][6], P[4][6][6], p[4];
} hypotheses;

static feet_case plant;
static tc_feet_config config;
static tc_feet f;
static tc_real state[TC_FEET_STATE(2)], work[TC_FEET_WORK];
static tc_feet_sensors sensors;
static tc_feet_estimate estimate;
static tci_feet_limb before;
static hypotheses truth;

static void read_hypotheses(const tci_feet_limb *l, hypotheses *h)
{
    for (uint32_t k = 0; k < 4u; ++k) {
        const tc_real *at = l->x[k] + 6;
        h->p[k] = (double)l->p[k];
        for (uint32_t i = 0; i < 6u; ++i) {
            h->x[k][i] = (double)l->x[k][i];
            for (uint32_t j = i; j < 6u; ++j) {
                h->P[k][i][j] = h->P[k][j][i] = (double)*at++;
            }
        }
    }
}

static double three(const tc_real S[6], uint32_t i, uint32_t j)
{
    static const uint32_t at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    return (double)S[at[i][j]];
}

/* ---- The equations --------------------------------------------------------------------------- */

static double normal_ratio(double a)
{
    const double density = 0.3989423 * exp(-0.5 * a * a);
    const double upper = 1.0 + exp(-(1.5976 * a + 0.07056 * a * a * a));
    return density * fmin(upper, 1e6);
}

static void rates(const tci_feet_limb *l, const tci_feet_tick *t, double *down, double *up)
{
    double gap = (double)f.vertical[0] + (double)l->arm[2] - (double)l->floor;
    double v[3], speed;
    for (uint32_t i = 0; i < 3u; ++i) {
        v[i] = (double)l->relative[i] + (double)before.x[0][3u + i] + (double)t->velocity[i];
    }
    speed = v[2];
    for (uint32_t i = 0; i < 2u; ++i) {
        const double moved = (double)f.place[i] + (double)l->arm[i] - (double)l->step[i];
        gap -= moved * (double)f.slope[i];
        speed -= v[i] * (double)f.slope[i];
    }
    const double s = (double)config.floor_spread, a = fmax(-6.0, fmin(6.0, gap / s));
    const double hazard = normal_ratio(a) * fmax(-speed, 0.0) * (double)t->H / s;
    *down = fmax(1e-9, fmin(0.5, (double)config.touch_down_least + hazard));
    const double light = (double)config.light, over = ((double)l->load[2] - light) / (0.25 * light);
    const double lifts = (double)config.lift_off_light / (1.0 + exp(fmax(-30.0, fmin(30.0, over))));
    *up = fmax((double)config.lift_off, lifts);
    if (gap > (double)config.rise && speed > 0.0) {
        *up = fmax(*up, (double)config.lift_off_rising);
    }
}

static void mix(double down, double up, double c[4])
{
    const double keep = (double)config.keep, free = (double)config.land_free;
    const double T[4][4] = {
        {1.0 - down, 0.5 * down * (1.0 - free), 0.5 * down * (1.0 - free), down * free},
        {up, (1.0 - up) * keep, (1.0 - up) * (1.0 - keep) * 0.8, (1.0 - up) * (1.0 - keep) * 0.2},
        {up, (1.0 - up) * (1.0 - keep) * 0.8, (1.0 - up) * keep, (1.0 - up) * (1.0 - keep) * 0.2},
        {up, (1.0 - up) * 0.15, (1.0 - up) * 0.15, (1.0 - up) * 0.7}};
    const hypotheses from = truth;
    for (uint32_t j = 0; j < 4u; ++j) {
        c[j] = 0.0;
        memset(truth.x[j], 0, sizeof truth.x[j]);
        memset(truth.P[j], 0, sizeof truth.P[j]);
        for (uint32_t i = 0; i < 4u; ++i) {
            c[j] += from.p[i] * T[i][j];
        }
        for (uint32_t i = 0; i < 4u; ++i) {
            for (uint32_t a = 0; a < 6u; ++a) {
                truth.x[j][a] += from.p[i] * T[i][j] / c[j] * from.x[i][a];
            }
        }
        for (uint32_t i = 0; i < 4u; ++i) {
            for (uint32_t a = 0; a < 6u; ++a) {
                for (uint32_t b = 0; b < 6u; ++b) {
                    const double spread =
                        (from.x[i][a] - truth.x[j][a]) * (from.x[i][b] - truth.x[j][b]);
                    truth.P[j][a][b] += from.p[i] * T[i][j] / c[j] * (from.P[i][a][b] + spread);
                }
            }
        }
    }
}

/* W C W of slip: C = E[(n - mu s)(n - mu s)^T] */
static void sliding(const tci_feet_limb *l, const tci_feet_tick *t, double WCW[3][3])
{
    double C[3][3], d[3] = {0.0, 0.0, 0.0}, square = 0.0;
    const double mu = (double)config.friction;
    const double sigma = 0.5 * (truth.P[2][3][3] + truth.P[2][4][4]) + (double)t->variance[0];
    for (uint32_t i = 0; i < 2u; ++i) {
        d[i] = (double)l->relative[i] + truth.x[2][3u + i] + (double)t->velocity[i];
        square += d[i] * d[i];
    }
    const double scale = 1.0 / sqrt(square + 2.0 * sigma + 1e-12);
    const double known = square * scale * scale;
    d[0] *= scale;
    d[1] *= scale;
    for (uint32_t i = 0; i < 3u; ++i) {
        for (uint32_t j = 0; j < 3u; ++j) {
            const double n = i == 2u && j == 2u ? 1.0 : 0.0, flat = i == j && i < 2u ? 1.0 : 0.0;
            C[i][j] = n - mu * ((i == 2u ? d[j] : 0.0) + (j == 2u ? d[i] : 0.0))
                      + mu * mu * (d[i] * d[j] + 0.5 * (1.0 - known) * flat);
        }
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        for (uint32_t j = 0; j < 3u; ++j) {
            WCW[i][j] = 0.0;
            for (uint32_t a = 0; a < 3u; ++a) {
                for (uint32_t b = 0; b < 3u; ++b) {
                    WCW[i][j] += three(t->W, i, a) * C[a][b] * three(t->W, b, j);
                }
            }
        }
    }
}

static void predict(uint32_t k, double N[3][3], double H, double within)
{
    six F = {{0.0}}, FP;
    double x[6];
    for (uint32_t i = 0; i < 6u; ++i) {
        F[i][i] = 1.0;
        if (i < 3u) {
            F[i][3u + i] = H;
        }
    }
    for (uint32_t i = 0; i < 6u; ++i) {
        x[i] = 0.0;
        for (uint32_t j = 0; j < 6u; ++j) {
            x[i] += F[i][j] * truth.x[k][j];
            FP[i][j] = 0.0;
            for (uint32_t a = 0; a < 6u; ++a) {
                FP[i][j] += F[i][a] * truth.P[k][a][j];
            }
        }
    }
    memcpy(truth.x[k], x, sizeof x);
    for (uint32_t i = 0; i < 6u; ++i) {
        for (uint32_t j = 0; j < 6u; ++j) {
            const double part = i < 3u && j < 3u     ? within * H * H
                                : i >= 3u && j >= 3u ? 1.0
                                                     : 0.5 * H;
            truth.P[k][i][j] = part * N[i % 3u][j % 3u];
            for (uint32_t a = 0; a < 6u; ++a) {
                truth.P[k][i][j] += FP[i][a] * F[j][a];
            }
        }
    }
}

static void predict_all(const tci_feet_limb *l, const tci_feet_tick *t)
{
    const double H = (double)t->H;
    double WCW[3][3], N[3][3];
    sliding(l, t, WCW);
    for (uint32_t k = 0; k < 4u; ++k) {
        const double force = k == 0u ? 0.0 : (double)(k == 3u ? config.free_force : config.force);
        for (uint32_t i = 0; i < 3u; ++i) {
            for (uint32_t j = 0; j < 3u; ++j) {
                double WW = 0.0;
                for (uint32_t a = 0; a < 3u; ++a) {
                    WW += three(t->W, i, a) * three(t->W, a, j);
                }
                N[i][j] = three(t->torque_noise, i, j)
                          + force * H * force * H * (k == 2u ? WCW[i][j] : WW);
            }
        }
        predict(k, N, H, k == 3u ? 1.0 / 3.0 : 0.25);
    }
}

static void constrain(uint32_t k, uint32_t axis, double value, double variance)
{
    double K[6], column[6];
    const uint32_t at = 3u + axis;
    for (uint32_t i = 0; i < 6u; ++i) {
        column[i] = truth.P[k][i][at];
        K[i] = column[i] / (truth.P[k][at][at] + variance);
    }
    const double e = value - truth.x[k][at];
    for (uint32_t i = 0; i < 6u; ++i) {
        truth.x[k][i] += K[i] * e;
        for (uint32_t j = 0; j < 6u; ++j) {
            truth.P[k][i][j] -= K[i] * column[j];
        }
    }
}

static void constrain_all(const tci_feet_limb *l, const tci_feet_tick *t)
{
    double wanted[3];
    for (uint32_t i = 0; i < 3u; ++i) {
        wanted[i] = -((double)l->relative[i] + (double)t->velocity[i]);
    }
    const double slide =
        hypot(truth.x[2][3] - wanted[0], truth.x[2][4] - wanted[1]) * (double)config.slide_part;
    const double normal =
        (double)config.normal_speed * (double)config.normal_speed + (double)t->variance[1];
    const double tangent =
        (double)t->coarse * (double)config.stick_speed * (double)config.stick_speed
        + (double)t->variance[0];
    constrain(1, 2, wanted[2], normal);
    constrain(2, 2, wanted[2], normal + slide * slide);
    constrain(1, 0, wanted[0], tangent);
    constrain(1, 1, wanted[1], tangent);
}

static double inverse_of_three(double S[3][3], double I[3][3])
{
    for (uint32_t i = 0; i < 3u; ++i) {
        for (uint32_t j = 0; j < 3u; ++j) {
            const uint32_t a = (i + 1u) % 3u, b = (i + 2u) % 3u, c = (j + 1u) % 3u,
                           d = (j + 2u) % 3u;
            I[j][i] = S[a][c] * S[b][d] - S[a][d] * S[b][c];
        }
    }
    const double det = S[0][0] * I[0][0] + S[0][1] * I[1][0] + S[0][2] * I[2][0];
    for (uint32_t i = 0; i < 9u; ++i) {
        I[i / 3u][i % 3u] /= det;
    }
    return det;
}

static double compare(uint32_t k, const tci_feet_tick *t)
{
    double S[3][3], I[3][3], e[3], half = 0.0;
    for (uint32_t i = 0; i < 3u; ++i) {
        e[i] = (double)t->y[i] - truth.x[k][i];
        for (uint32_t j = 0; j < 3u; ++j) {
            S[i][j] = truth.P[k][i][j] + three(t->R, i, j);
        }
    }
    const double det = inverse_of_three(S, I);
    double K[6][3], old[6][6];
    memcpy(old, truth.P[k], sizeof old);
    for (uint32_t i = 0; i < 6u; ++i) {
        for (uint32_t j = 0; j < 3u; ++j) {
            K[i][j] = old[i][0] * I[0][j] + old[i][1] * I[1][j] + old[i][2] * I[2][j];
        }
    }
    for (uint32_t i = 0; i < 6u; ++i) {
        for (uint32_t j = 0; j < 6u; ++j) {
            truth.P[k][i][j] -= K[i][0] * old[0][j] + K[i][1] * old[1][j] + K[i][2] * old[2][j];
        }
        truth.x[k][i] += K[i][0] * e[0] + K[i][1] * e[1] + K[i][2] * e[2];
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        half += e[i] * (I[i][0] * e[0] + I[i][1] * e[1] + I[i][2] * e[2]);
    }
    return -0.5 * (half + log(det));
}

static void weigh(const double c[4], const tci_feet_tick *t)
{
    double log[4], most = -1e300, sum = 0.0;
    for (uint32_t k = 0; k < 4u; ++k) {
        log[k] = compare(k, t);
        most = fmax(most, log[k]);
    }
    for (uint32_t k = 0; k < 4u; ++k) {
        truth.p[k] = fmax(c[k], 1e-12) * exp(fmax(log[k] - most, -(double)config.distrust));
        sum += truth.p[k];
    }
    for (uint32_t k = 0; k < 4u; ++k) {
        truth.p[k] /= sum;
    }
}

/* ---- The comparison -------------------------------------------------------------------------- */

static void check_hypothesis(const hypotheses *found, uint32_t k, const double mean[6])
{
    for (uint32_t i = 0; i < 6u; ++i) {
        const double deviation = sqrt(truth.P[k][i][i]);
        test_near((tc_real)((truth.x[k][i] - mean[i]) / deviation),
                  (tc_real)(found->x[k][i] / deviation), TC_C(2e-2), TC_C(2e-3), "mean");
        for (uint32_t j = 0; j < 6u; ++j) {
            const double size = sqrt(truth.P[k][i][i] * truth.P[k][j][j]);
            test_near((tc_real)(truth.P[k][i][j] / size), (tc_real)(found->P[k][i][j] / size),
                      TC_C(2e-2), TC_C(0.0), "covariance");
        }
    }
}

/* Impulse: W^-1 of the contacts' mean velocity; what all return shifts each by W W^-1 of their mean */
static void check_tick(const tci_feet_limb *l, const tci_feet_tick *t)
{
    hypotheses found;
    double all[6] = {0.0}, pushed[3] = {0.0}, back[6];
    read_hypotheses(l, &found);
    for (uint32_t k = 0; k < 4u; ++k) {
        test_near((tc_real)truth.p[k], l->p[k], TC_C(2e-3), TC_C(0.0), "p");
        for (uint32_t i = 0; i < 6u; ++i) {
            all[i] += truth.p[k] * truth.x[k][i];
            pushed[i % 3u] += k > 0u && i >= 3u ? truth.p[k] * truth.x[k][i] : 0.0;
        }
    }
    double size = 0.0;
    for (uint32_t i = 0; i < 3u; ++i) {
        double impulse = 0.0;
        for (uint32_t j = 0; j < 3u; ++j) {
            impulse += three(t->inverse, i, j) * pushed[j];
            size += fabs(three(t->inverse, i, j) * pushed[j]);
        }
        test_near((tc_real)impulse, t->impulse[i], (tc_real)(3e-3 * size + 1e-5), TC_C(0.0),
                  "impulse");
        TEST_ASSERT_TRUE(t->impulse_variance[i] >= TC_C(0.0));
    }
    for (uint32_t i = 0; i < 6u; ++i) {
        back[i] = 0.0;
        for (uint32_t a = 0; a < 3u; ++a) {
            for (uint32_t b = 0; b < 3u; ++b) {
                back[i] += three(t->W, i % 3u, a) * three(t->inverse, a, b) * all[i / 3u * 3u + b];
            }
        }
    }
    for (uint32_t k = 0; k < 4u; ++k) {
        if (truth.p[k] > 1e-6) {
            check_hypothesis(&found, k, back);
        }
    }
}

static void begin(uint32_t joints, uint32_t seed)
{
    const tc_feet_sensing sensing = tc_feet_sensing_default();
    feet_case_init(&plant, 2, joints);
    plant.random = seed;
    plant.slope[0] = TC_C(0.05);
    feet_case_tick(&plant, &sensors);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_feet_default_for(&plant.robot, plant.step, &sensing, &config));
    config.torque_gain = TC_C(0.0);
    TEST_ASSERT_EQUAL_INT(
        TC_OK, tc_feet_init(&f, &config, &plant.robot, &sensors, state, TC_COUNT(state)));
}

/* Limb 1 alone moves here, from a state that updates left. */
static void one_tick(void)
{
    tci_feet_tick *const t = (tci_feet_tick *)(void *)work;
    tci_feet_limb *const l = tci_feet_limb_of(&f, 1);
    double down, up, c[4];
    feet_case_tick(&plant, &sensors);
    t->H = config.step;
    tci_feet_base_move(&f, &sensors, t);
    tci_feet_reference_move(&f, &sensors, 1, t);
    before = *l;
    read_hypotheses(l, &truth);
    rates(l, t, &down, &up);
    if (tci_feet_bank_tick(&f, &sensors, 1, t) != 0u) {
        return; /* nothing was compared */
    }
    mix(down, up, c);
    predict_all(&before, t);
    constrain_all(&before, t);
    weigh(c, t);
    check_tick(l, t);
}

static void test_a_tick_has_the_numbers_of_full_matrices(void)
{
    const uint32_t rounds = TEST_ROUNDS_SLOW(60);
    for (uint32_t joints = 3; joints <= 6u; ++joints) {
        begin(joints, 5u + joints);
        for (uint32_t round = 0; round < rounds; ++round) {
            for (uint32_t t = 0; t < 11u; ++t) {
                feet_case_tick(&plant, &sensors);
                TEST_ASSERT_EQUAL_INT(
                    TC_OK, tc_feet_update(&f, &sensors, &estimate, work, TC_COUNT(work)));
            }
            one_tick();
        }
    }
}

/* M B = J^T, W = J B and M a = tau - bias, whatever the joints are. */
static void test_the_reference_obeys_the_equation_of_motion(void)
{
    for (uint32_t joints = 1; joints <= TC_ROBOT_JOINTS; ++joints) {
        begin(joints, 11u + joints);
        tci_feet_tick *const t = (tci_feet_tick *)(void *)work;
        tci_feet_limb *const l = tci_feet_limb_of(&f, 0);
        tc_robot_motion m;
        t->H = config.step;
        test_fill(l->w, joints, TC_C(-3.0), TC_C(3.0));
        tci_feet_base_move(&f, &sensors, t);
        tc_robot_move(&plant.limb[0], &t->base, l->q, l->w, &m);
        tc_real w[TC_ROBOT_JOINTS];
        memcpy(w, l->w, sizeof w);
        tci_feet_reference_move(&f, &sensors, 0, t);
        for (uint32_t i = 0; i < joints; ++i) {
            double force = 0.0, rows[3] = {0.0, 0.0, 0.0}, size = 0.0;
            for (uint32_t j = 0; j < joints; ++j) {
                const double M =
                    (double)(i >= j ? m.M[i * (i + 1u) / 2u + j] : m.M[j * (j + 1u) / 2u + i]);
                force += M * (double)(l->w[j] - w[j]) / (double)t->H;
                size += fabs(M * (double)t->B[j][3]);
                for (uint32_t a = 0; a < 3u; ++a) {
                    rows[a] += M * (double)t->B[j][a];
                }
            }
            test_near(sensors.torque[0][i] - m.bias[i], (tc_real)force,
                      TC_C(2e-2) + (tc_real)(1e-4 * size), TC_C(1e-3), "torque");
            for (uint32_t a = 0; a < 3u; ++a) {
                test_near(t->J[i][a], (tc_real)rows[a], TC_C(1e-3), TC_C(0.0), "M B");
            }
        }
    }
}

/* The regularised inverse of W is one, to the ridge. */
static void test_impulses_move_the_contact_point(void)
{
    begin(5, 17);
    tci_feet_tick *const t = (tci_feet_tick *)(void *)work;
    t->H = config.step;
    tci_feet_base_move(&f, &sensors, t);
    tci_feet_reference_move(&f, &sensors, 0, t);
    const double ridge = 2e-3 / 3.0 * (three(t->W, 0, 0) + three(t->W, 1, 1) + three(t->W, 2, 2));
    for (uint32_t i = 0; i < 3u; ++i) {
        for (uint32_t j = 0; j < 3u; ++j) {
            double one = ridge * three(t->inverse, i, j);
            for (uint32_t a = 0; a < 3u; ++a) {
                one += three(t->W, i, a) * three(t->inverse, a, j);
            }
            test_near(i == j ? TC_C(1.0) : TC_C(0.0), (tc_real)one, TC_C(1e-3), TC_C(0.0),
                      "W W^-1");
            double JB = 0.0;
            for (uint32_t k = 0; k < 5u; ++k) {
                JB += (double)t->J[k][i] * (double)t->B[k][j];
            }
            test_near((tc_real)JB, (tc_real)three(t->W, i, j), TC_C(1e-5), TC_C(1e-4), "J B");
        }
    }
}

void suite_feet_bank(void)
{
    RUN_TEST(test_a_tick_has_the_numbers_of_full_matrices);
    RUN_TEST(test_the_reference_obeys_the_equation_of_motion);
    RUN_TEST(test_impulses_move_the_contact_point);
}
