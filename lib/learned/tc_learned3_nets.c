/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The law made of nets, spatial. Work: the features, then the nets' own. Both nets were trained on
 * the same states and normalise alike, so range and normalisation are the classifier's, and done
 * once, where the law observes.
 */
#include "tc_exact.h"
#include "tc_learned3_nets.h"

#include "tc_learned_nets.h"
#include "tc_learned_record.h"
#include "tc_model_read.h"
#include "tc_math.h"
#include "tc_net_core.h"
#include "tc_net_input.h"

#include <string.h>

_Static_assert(TC_LEARNED3_FEATURES_WORK >= TC_LEARNED3_FEATURES_MAX, "room for the features");

/* ---- Opening --------------------------------------------------------------------------------- */

static tc_status check_body_nets3(const tc_body3 *body, tc_real step)
{
    const tc_status status = tc_body3_check(body);
    if (status < TC_OK) {
        return status;
    }
    if (!tc_all_finite(&step, 1)) {
        return TC_ERR_NOT_FINITE;
    }
    return step > TC_C(0.0) ? TC_OK : TC_ERR_RANGE;
}

/* Whether the record's model is for this body. */
static int matches_nets3(const tc_learned_record *record, tc_real trained_step,
                         const tc_body3 *body, tc_real step)
{
    const tc_real tolerance = record->tolerance;
    int same = record->kind == TC_LEARNED_BODY3 && record->features == TC_LEARNED_FEATURES_VERSION
               && record->target == TC_LEARNED_TARGET_RATIO && (record->patches & 1u) != 0u
               && tc_model_matches(record->mass, body->mass, tolerance)
               && tc_model_matches(trained_step, step, tolerance);
    for (uint32_t k = 0; k < 3u; k++) {
        same = same && tc_model_matches(record->inertia[k], body->inertia[k], tolerance);
    }
    return same;
}

static tc_status take_nets_nets3(tc_learned3_nets *nets, const tc_model *model, uint32_t mask)
{
    tc_real bound[TC_LEARNED3_FEATURES_MAX];
    const uint32_t n_in = tc_learned3_features_bounds(mask, bound);
    tc_net *const classifier = &nets->classifier, *const regressor = &nets->regressor;
    tc_status status =
        tc_learned_nets_take(model, "class0", bound, n_in, TC_LEARNED_CLASSES, classifier);
    if (status >= TC_OK) {
        status = tc_learned_nets_take(model, "ratio0", bound, n_in, 2, regressor);
    }
    if (status >= TC_OK && !tc_learned_nets_normalise_alike(classifier, regressor)) {
        status = TC_ERR_MODEL_MISMATCH;
    }
    nets->mask = mask;
    nets->width = classifier->width > regressor->width ? classifier->width : regressor->width;
    return status;
}

static tc_status open_nets_nets3(tc_learned3_nets *nets, const tc_model *model,
                                 const tc_body3 *body, tc_real step)
{
    tc_learned_record record;
    tc_status status = check_body_nets3(body, step);
    if (status >= TC_OK) {
        status = tc_learned_record_read(model, &record, NULL);
    }
    if (status >= TC_OK && !matches_nets3(&record, (tc_real)model->step_size, body, step)) {
        status = TC_ERR_MODEL_MISMATCH;
    }
    return status < TC_OK ? status : take_nets_nets3(nets, model, record.mask[0]);
}

tc_status tc_learned3_nets_open(tc_learned3_nets *nets, const tc_model *model, const tc_body3 *body,
                                tc_real step)
{
    if (nets == NULL) {
        return TC_ERR_NULL;
    }
    const tc_status status =
        model != NULL && body != NULL ? open_nets_nets3(nets, model, body, step) : TC_ERR_NULL;
    if (status < TC_OK) {
        memset(nets, 0, sizeof *nets);
    }
    return status;
}

/* ---- The law --------------------------------------------------------------------------------- */

static tc_status observe_nets3(const void *context, const tc_learned3_query *query, tc_real *work)
{
    const tc_learned3_nets *const nets = context;
    (void)tc_learned3_features(query, nets->mask, work);
    const int inside = tc_net_inside(&nets->classifier, work);
    (void)tc_net_normalised(&nets->classifier, work, work);
    return inside ? TC_OK : TC_NOTE_RANGE;
}

static tc_status classify_nets3(const void *context, const tc_learned3_query *query,
                                tc_real *probability, tc_real *work)
{
    const tc_learned3_nets *const nets = context;
    (void)query;
    tc_net_run(&nets->classifier, work, probability, work + TC_LEARNED3_FEATURES_WORK);
    return TC_OK;
}

static tc_status ratio_nets3(const void *context, const tc_learned3_query *query, tc_real *value,
                             tc_real *work)
{
    const tc_learned3_nets *const nets = context;
    (void)query;
    tc_net_run(&nets->regressor, work, value, work + TC_LEARNED3_FEATURES_WORK);
    return TC_OK;
}

/* tc_calls: tc_learned3_observe lib/learned/tc_learned3_nets.c:observe_nets3 */
/* tc_calls: tc_learned3_ask_ratio lib/learned/tc_learned3_nets.c:ratio_nets3 */
/* tc_calls: tc_learned3_classify lib/learned/tc_learned3_nets.c:classify_nets3 */

tc_learned3_model tc_learned3_nets_model(const tc_learned3_nets *nets)
{
    const tc_learned3_model law = {observe_nets3, classify_nets3, ratio_nets3, nets,
                                   (uint32_t)TC_LEARNED3_NETS_WORK(nets->width)};
    return law;
}
