/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Learned laws of CD-Lagrange systems: force and energy against tc_net_grad and differences,
 * contact against tc_net_eval, what is refused, and roll-outs to the bit, of random nets and of the
 * trained models.
 */
#include "cdl_case.h"

#include <math.h>

#define UNITS 40u

/* A net with one hidden layer and storage of its own. */
typedef struct small_net {
    tc_net net;
    float weights[UNITS * 6u], bias[UNITS], outer[4u * UNITS], outer_bias[8];
    float mean[6], scale[6], low[6], high[6], out_mean[4], out_scale[4];
} small_net;

static small_net potential, contact;
static tc_real work[TC_CDL_WORK(3, 1, 2, TC_CDL_NETS_WORK(UNITS))];

static void fill(float *x, uint32_t n, tc_real low, tc_real high)
{
    for (uint32_t i = 0; i < n; i++) {
        x[i] = (float)test_uniform(low, high);
    }
}

static void make(small_net *s, uint32_t n_in, uint32_t units, uint32_t n_out, uint32_t activation,
                 int normal)
{
    memset(s, 0, sizeof *s);
    s->net.n_in = (uint16_t)n_in;
    s->net.n_out = (uint16_t)n_out;
    s->net.n_layers = 2;
    s->net.width = (uint16_t)(units > n_in ? units : n_in);
    s->net.layers[0] = (tc_net_dense){
        s->weights, s->bias, NULL, (uint16_t)n_in, (uint16_t)units, (uint8_t)activation, 0, 8, 1};
    s->net.layers[1] = (tc_net_dense){
        s->outer, s->outer_bias, NULL, (uint16_t)units, (uint16_t)n_out, TC_NET_IDENTITY, 0, 1, 1};
    for (uint32_t u = 0; u < units; u++) {
        for (uint32_t i = 0; i < n_in; i++) {
            s->weights[tc_net_dense_index(&s->net.layers[0], u, i)] =
                (float)test_uniform(TC_C(-1.5), TC_C(1.5));
        }
    }
    fill(s->bias, units, TC_C(-1.0), TC_C(1.0));
    fill(s->outer, units * n_out, TC_C(-0.3), TC_C(0.3));
    fill(s->outer_bias, n_out, TC_C(-0.3), TC_C(0.3));
    if (normal) {
        fill(s->mean, n_in, TC_C(-0.5), TC_C(0.5));
        fill(s->scale, n_in, TC_C(0.5), TC_C(2.0));
        fill(s->out_mean, n_out, TC_C(-1.0), TC_C(1.0));
        fill(s->out_scale, n_out, TC_C(1.0), TC_C(3.0));
        s->net.input_mean = s->mean;
        s->net.input_scale = s->scale;
        s->net.output_mean = s->out_mean;
        s->net.output_scale = s->out_scale;
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_net_check(&s->net));
}

/* Three bodies on a line, the first above a wall, the second and third a pair, both signals
 * learned. */
static void learned(uint32_t units, uint32_t activation, int normal)
{
    cdl_begin(3, 1);
    make(&potential, 3, units, 1, activation, normal);
    make(&contact, 6, units, 2, activation, normal);
    cdl.config.restitution = TC_C(0.9);
    cdl_contact(0, TC_CDL_WALL, 0, TC_C(1.0), TC_C(0.0));
    cdl_contact(1, 2, 0, TC_C(1.0), TC_C(0.0));
    TEST_ASSERT_EQUAL(TC_OK, tc_cdl_nets_potential(&cdl.config.potential, &potential.net, 3));
    TEST_ASSERT_EQUAL(TC_OK, tc_cdl_nets_signal(&cdl.config.signal, &contact.net, 3, 2));
    cdl_ready();
}

static tc_status step(void)
{
    return tc_cdl_step(&cdl.cdl, NULL, cdl.Q, cdl.V, &cdl.info, work, TC_COUNT(work));
}

/* Force and potential of the law, at Q. */
static tc_real law(const tc_real *Q, tc_real *force)
{
    tc_real y = 0;
    TEST_ASSERT_EQUAL(TC_OK, cdl.config.potential.force(cdl.config.potential.context, &cdl.cdl, Q,
                                                        force, &y, work));
    return y;
}

/* Catches: the sign of the force, a slope of another activation, scales forgotten, sums over
 * padding. */
static void test_force(void)
{
    static tc_real grad_work[TC_NET_GRAD_WORK(UNITS, 2u)];
    const tc_real one = TC_C(1.0), d = TC_C(0.01);
    test_seed(11);
    for (uint32_t i = 0; i < 60u; i++) {
        tc_real Q[3], F[3], again[3], grad[3], y;
        learned(1u + test_below(UNITS), i % 2u ? TC_NET_TANH : TC_NET_SOFTPLUS, i % 3u != 0u);
        test_fill(Q, 3, TC_C(-1.0), TC_C(1.0));
        const tc_real V = law(Q, F);
        TEST_ASSERT_EQUAL(
            TC_OK, tc_net_grad(&potential.net, Q, &one, &y, grad, grad_work, TC_COUNT(grad_work)));
        test_near(y, V, TC_C(2e-6), TC_C(1e-6), "potential");
        for (uint32_t k = 0; k < 3u; k++) {
            test_near(-grad[k], F[k], TC_C(2e-5), TC_C(2e-6), "force");
            const tc_real q = Q[k];
            Q[k] = q + d;
            const tc_real above = law(Q, again);
            Q[k] = q - d;
            test_near((law(Q, again) - above) / (2 * d), F[k], TC_C(5e-3), TC_C(5e-3),
                      "difference");
            Q[k] = q;
        }
        const void *const context = cdl.config.potential.context;
        TEST_ASSERT_EQUAL(TC_OK,
                          cdl.config.potential.force(context, &cdl.cdl, Q, again, NULL, work));
        TEST_ASSERT_EQUAL_MEMORY(F, again, sizeof F);
    }
}

/* A contact acts where the net says so and the bodies approach. Catches: inputs in another order, Q
 * before the step, a margin of the wrong sign, contacts confused, the gate lost. */
static void test_contact(void)
{
    uint32_t acted = 0, spared = 0;
    test_seed(12);
    for (uint32_t i = 0; i < 400u; i++) {
        tc_real asked[6], margin[2], net_work[TC_NET_WORK(TC_NET_PADDED(UNITS))];
        learned(1u + test_below(UNITS), i % 2u ? TC_NET_TANH : TC_NET_SOFTPLUS, i % 3u != 0u);
        test_fill(cdl.Q, 3, TC_C(-1.0), TC_C(1.0));
        test_fill(cdl.V, 3, TC_C(-2.0), TC_C(2.0));
        for (uint32_t k = 0; k < 3u; k++) {
            asked[k] = cdl.Q[k] + TC_C(0.01) * cdl.V[k];
            asked[3u + k] = cdl.V[k];
        }
        const tc_real u[2] = {cdl.V[0], cdl.V[1] - cdl.V[2]};
        TEST_ASSERT_EQUAL(TC_OK,
                          tc_net_eval(&contact.net, asked, margin, net_work, TC_COUNT(net_work)));
        TEST_ASSERT_EQUAL(TC_OK, step());
        for (uint32_t c = 0; c < 2u; c++) {
            const int acts = margin[c] >= TC_C(0.0) && u[c] < TC_C(0.0);
            const int did = cdl.info.impulse != NULL && cdl.info.impulse[c] > TC_C(0.0);
            const tc_real size = margin[c] < TC_C(0.0) ? -margin[c] : margin[c];
            TEST_ASSERT_TRUE(acts == did || size < TC_C(1e-5));
            acted += (uint32_t)did;
            spared += margin[c] >= TC_C(0.0) && !did;
        }
    }
    TEST_ASSERT_TRUE(acted > 100u && spared > 100u);
}

/* A probability of 1/2 and more closes as a margin of 0 does. */
static void test_probability(void)
{
    static tc_real Q[3], V[3];
    test_seed(13);
    for (uint32_t i = 0; i < 50u; i++) {
        learned(20, TC_NET_TANH, 0);
        test_fill(cdl.V, 3, TC_C(-2.0), TC_C(2.0));
        memcpy(Q, cdl.Q, sizeof Q);
        memcpy(V, cdl.V, sizeof V);
        TEST_ASSERT_EQUAL(TC_OK, step());
        const uint32_t acting = cdl.info.acting;
        memcpy(cdl.Q, Q, sizeof Q);
        memcpy(cdl.V, V, sizeof V);
        contact.net.layers[1].activation = TC_NET_SIGMOID;
        TEST_ASSERT_EQUAL(TC_OK, tc_cdl_nets_signal(&cdl.config.signal, &contact.net, 3, 2));
        cdl_ready();
        TEST_ASSERT_EQUAL(TC_OK, step());
        TEST_ASSERT_EQUAL(acting, cdl.info.acting);
    }
}

static void refused(tc_status status)
{
    tc_cdl_potential force;
    TEST_ASSERT_EQUAL(status, tc_cdl_nets_potential(&force, &potential.net, 3));
    TEST_ASSERT_TRUE(force.force == NULL && force.context == NULL);
}

static void test_wrong_nets(void)
{
    tc_cdl_potential force;
    tc_cdl_signal signal;
    test_seed(14);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_cdl_nets_potential(NULL, &potential.net, 3));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_cdl_nets_potential(&force, NULL, 3));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_cdl_nets_signal(&signal, NULL, 3, 2));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_cdl_nets_signal(NULL, &contact.net, 3, 2));
    learned(8, TC_NET_TANH, 1), potential.net.layers[0].activation = TC_NET_RELU,
                                refused(TC_ERR_UNSUPPORTED);
    learned(8, TC_NET_TANH, 1), potential.net.layers[1].activation = TC_NET_TANH,
                                refused(TC_ERR_UNSUPPORTED);
    learned(8, TC_NET_TANH, 1), potential.net.layers[1].tile_rows = 8, refused(TC_ERR_UNSUPPORTED);
    learned(8, TC_NET_TANH, 1), potential.net.layers[0].weight = TC_NET_WEIGHT_I8,
                                refused(TC_ERR_UNSUPPORTED);
    learned(8, TC_NET_TANH, 1), potential.net.n_layers = 1, refused(TC_ERR_UNSUPPORTED);
    learned(8, TC_NET_TANH, 1), potential.net.head = TC_NET_HEAD_SOFTMAX,
                                refused(TC_ERR_UNSUPPORTED);
    learned(8, TC_NET_TANH, 1);
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_cdl_nets_potential(&force, &potential.net, 2));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_cdl_nets_potential(&force, &contact.net, 6));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_cdl_nets_signal(&signal, &contact.net, 3, 1));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_cdl_nets_signal(&signal, &potential.net, 3, 1));
    /* Of a sigmoid that is scaled again nobody can say whether it is a margin or a probability. */
    contact.net.layers[1].activation = TC_NET_SIGMOID;
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, tc_cdl_nets_signal(&signal, &contact.net, 3, 2));
    contact.net.layers[1].activation = TC_NET_SOFTPLUS;
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, tc_cdl_nets_signal(&signal, &contact.net, 3, 2));
}

/* Outside the training's range the step is done, with a note; beyond what the net bears it is
 * not. */
static void test_range(void)
{
    test_seed(15);
    learned(8, TC_NET_TANH, 1);
    fill(potential.low, 3, TC_C(-2.0), TC_C(-1.9));
    fill(potential.high, 3, TC_C(1.9), TC_C(2.0));
    potential.net.input_low = potential.low;
    potential.net.input_high = potential.high;
    TEST_ASSERT_EQUAL(TC_OK, step());
    cdl.Q[1] = TC_C(3.0);
    TEST_ASSERT_EQUAL(TC_NOTE_RANGE, step());
    cdl.Q[1] = TC_C(1e9);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, step());
    TEST_ASSERT_TRUE(cdl.Q[1] == TC_C(1e9));
    cdl.Q[1] = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, step());
    TEST_ASSERT_EQUAL(1, cdl.info.body);
}

/* The same bits everywhere, with both activations, bounded by springs of the user's. */
static void test_roll(void)
{
    static const char *const names[2] = {"cdl.nets_tanh", "cdl.nets_softplus"};
    for (uint32_t i = 0; i < 2u; i++) {
        uint32_t hash = TEST_HASH_START, acted = 0;
        tc_real force[3];
        test_seed(17);
        learned(32, i == 0u ? TC_NET_TANH : TC_NET_SOFTPLUS, 1);
        test_fill(cdl.V, 3, TC_C(-1.0), TC_C(1.0));
        for (uint32_t k = 0; k < 2000u; k++) {
            for (uint32_t n = 0; n < 3u; n++) {
                force[n] = TC_C(-20.0) * cdl.Q[n];
            }
            TEST_ASSERT_EQUAL(
                TC_OK, tc_cdl_step(&cdl.cdl, force, cdl.Q, cdl.V, &cdl.info, work, TC_COUNT(work)));
            acted += cdl.info.acting;
            hash = test_hash(test_hash(hash, cdl.Q, 3), cdl.V, 3);
        }
        TEST_ASSERT_TRUE(acted > 10u);
        test_golden(names[i], hash);
    }
}

/* ---- Trained models (tests/models) ----------------------------------------------------------- */

extern const uint8_t ball_tcm[], cradle_tcm[];
extern const uint32_t ball_tcm_size, cradle_tcm_size;

static void open_trained(const uint8_t *bytes, uint32_t size, tc_real step_size)
{
    static tc_model model;
    static tc_cdl_nets nets;
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, bytes, size));
    TEST_ASSERT_EQUAL(
        TC_OK, tc_cdl_nets_open(&cdl.cdl, &nets, &model, step_size, cdl.room, TC_COUNT(cdl.room)));
    TEST_ASSERT_TRUE(cdl.cdl.work_len <= TC_COUNT(work));
    memset(cdl.Q, 0, sizeof cdl.Q);
    memset(cdl.V, 0, sizeof cdl.V);
}

/* Impacts at exactly these steps, no step noted, and the same bits everywhere. */
static void roll_trained(const char *name, uint32_t steps, const uint32_t *impacts, uint32_t count)
{
    uint32_t hash = TEST_HASH_START, found = 0;
    for (uint32_t k = 1; k <= steps; k++) {
        TEST_ASSERT_EQUAL(TC_OK, step());
        if (cdl.info.acting > 0u) {
            TEST_ASSERT_TRUE(found < count);
            TEST_ASSERT_EQUAL(impacts[found++], k);
        }
        hash = test_hash(test_hash(hash, cdl.Q, cdl.cdl.coordinates), cdl.V, cdl.cdl.coordinates);
    }
    TEST_ASSERT_EQUAL(count, found);
    test_golden(name, hash);
}

/* The systems that they were trained on, by the steps at which those have their impacts. Catches: a
 * record or a normalisation read wrongly, a potential without its unit, a range that is too
 * narrow. */
static void test_trained(void)
{
    static const uint32_t ball[3] = {72, 215, 358}, cradle[5] = {104, 208, 312, 415, 518};
    open_trained(ball_tcm, ball_tcm_size, TC_C(0.02));
    cdl.Q[0] = TC_C(10.0);
    roll_trained("cdl.trained_ball", 500, ball, TC_COUNT(ball));
    open_trained(cradle_tcm, cradle_tcm_size, TC_C(0.01));
    cdl.V[0] = TC_C(2.0);
    roll_trained("cdl.trained_cradle", 540, cradle, TC_COUNT(cradle));
}

void suite_cdl_nets(void)
{
    RUN_TEST(test_force);
    RUN_TEST(test_contact);
    RUN_TEST(test_probability);
    RUN_TEST(test_wrong_nets);
    RUN_TEST(test_range);
    RUN_TEST(test_roll);
    RUN_TEST(test_trained);
}
