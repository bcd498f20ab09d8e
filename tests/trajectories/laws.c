/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The voices that a body hears: Coulomb's law by enumeration, nets, and nonsense.
 *
 * Nets are the committed models on the bodies they were trained for, or have random weights and
 * serve any body: a law is asked in dimensionless features. Nonsense changes its answer with every
 * question and at times gives no number.
 */
#include "draw.h"

#include "coulomb2_case.h"
#include "learned2_case.h"
#include "limb3_case.h"
#include "tc_learned2_nets.h"
#include "tc_learned3_nets.h"

#include <math.h>

static uint32_t blob[40960 / 4];

static tc_status babble_class(const void *context, const tc_learned2_query *query,
                              tc_real *probability, tc_real *work)
{
    (void)context;
    (void)query;
    (void)work;
    test_fill(probability, 3, TC_C(-1.0), TC_C(1.0));
    if (test_below(16) == 0u) {
        probability[test_below(3)] = (tc_real)NAN;
    }
    return test_below(8) == 0u ? TC_NOTE_RANGE : TC_OK;
}

static tc_status babble_ratio(const void *context, const tc_learned2_query *query, tc_real *ratio,
                              tc_real *work)
{
    static const tc_real ratios[8] = {TC_C(0.0), TC_C(-0.75), TC_C(0.75), TC_C(-1e6),
                                      TC_C(1e6), TC_C(-1e30), TC_C(30.0), TC_C(1e-9)};
    const uint32_t pick = test_below(16);
    (void)context;
    (void)query;
    (void)work;
    *ratio = pick < 8u ? ratios[pick] : test_uniform(TC_C(-2.0), TC_C(2.0));
    *ratio = pick == 15u ? (tc_real)NAN : pick == 14u ? (tc_real)INFINITY : *ratio;
    return TC_OK;
}

static tc_learned2_model nets2(void)
{
    static const tc_body2 body = {TC_C(1.0), TC_C(0.0045333333)};
    static tc_learned2_nets nets;
    tc_model model;
    (void)tc_model_open(&model, blob, learned2_blob((uint8_t *)blob));
    (void)tc_learned2_nets_open(&nets, &model, &body, TC_C(0.002));
    return tc_learned2_nets_model(&nets);
}

static tc_learned3_model nets3(void)
{
    static const tc_body3 body = {TC_C(1.0), {TC_C(0.0027), TC_C(0.0042), TC_C(0.0052)}};
    static tc_learned3_nets nets;
    tc_model model;
    (void)tc_model_open(&model, blob, learned3_blob((uint8_t *)blob, 0));
    (void)tc_learned3_nets_open(&nets, &model, &body, TC_C(0.002));
    return tc_learned3_nets_model(&nets);
}

tc_learned2_model draw_law2(voice says, const double *mu)
{
    const tc_learned2_model babble = {babble_class, babble_ratio, NULL, 0};
    return says == VOICE_EXACT ? coulomb_law_of(mu) : says == VOICE_LEARNED ? nets2() : babble;
}

tc_learned3_model draw_law3(voice says, const double *mu)
{
    return says == VOICE_EXACT     ? learned3_coulomb_law(mu)
           : says == VOICE_LEARNED ? nets3()
                                   : limb_case_fickle;
}
