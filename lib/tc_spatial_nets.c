/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The law made of nets, spatial. Work: the features, then the nets' own. Both nets were trained on the same
 * states and normalise alike, so range and normalisation are the classifier's, and done once, where the law
 * observes.
 */
#include "tc_exact.h"
#include "tc_spatial_nets.h"

#include "tc_contact_nets.h"
#include "tc_math.h"
#include "tc_net_core.h"
#include "tc_net_input.h"

#include <string.h>

_Static_assert(TC_SPATIAL_NETS_ROOM >= TC_SPATIAL_FEATURES_MAX, "room for the features");

/* ---- Opening -------------------------------------------------------------------------------------- */

static tc_status check_body(const tc_spatial_body *body, tc_real step)
{
    const tc_status status = tc_spatial_body_check(body);
    if (status < TC_OK) {
        return status;
    }
    if (!tc_all_finite(&step, 1)) {
        return TC_ERR_NOT_FINITE;
    }
    return step > TC_C(0.0) ? TC_OK : TC_ERR_RANGE;
}

/* Whether the record's model is for this body. */
static int matches(const tc_contact_record *record, tc_real trained_step, const tc_spatial_body *body,
                   tc_real step)
{
    const tc_real tolerance = record->tolerance;
    int same = record->kind == TC_CONTACT_SPATIAL && record->features == TC_CONTACT_FEATURES
               && record->target == TC_CONTACT_TARGET_RATIO && (record->patches & 1u) != 0u
               && tc_contact_close(record->mass, body->mass, tolerance)
               && tc_contact_close(trained_step, step, tolerance);
    for (uint32_t k = 0; k < 3u; k++) {
        same = same && tc_contact_close(record->inertia[k], body->inertia[k], tolerance);
    }
    return same;
}

static tc_status take_nets(tc_spatial_nets *nets, const tc_model *model, uint32_t mask)
{
    tc_real bound[TC_SPATIAL_FEATURES_MAX];
    const uint32_t n_in = tc_spatial_feature_bounds(mask, bound);
    tc_net *const classifier = &nets->classifier, *const regressor = &nets->regressor;
    tc_status status = tc_contact_take_net(model, "class0", bound, n_in, TC_CONTACT_CLASSES, classifier);
    if (status >= TC_OK) {
        status = tc_contact_take_net(model, "ratio0", bound, n_in, 2, regressor);
    }
    if (status >= TC_OK && !tc_contact_normalise_alike(classifier, regressor)) {
        status = TC_ERR_MODEL_MISMATCH;
    }
    nets->mask = mask;
    nets->width = classifier->width > regressor->width ? classifier->width : regressor->width;
    return status;
}

static tc_status open_nets(tc_spatial_nets *nets, const tc_model *model, const tc_spatial_body *body,
                           tc_real step)
{
    tc_contact_record record;
    tc_status status = check_body(body, step);
    if (status >= TC_OK) {
        status = tc_model_contact(model, &record);
    }
    if (status >= TC_OK && !matches(&record, (tc_real)model->step_size, body, step)) {
        status = TC_ERR_MODEL_MISMATCH;
    }
    return status < TC_OK ? status : take_nets(nets, model, record.mask[0]);
}

tc_status tc_spatial_nets_open(tc_spatial_nets *nets, const tc_model *model, const tc_spatial_body *body,
                               tc_real step)
{
    if (nets == NULL) {
        return TC_ERR_NULL;
    }
    const tc_status status = model != NULL && body != NULL ? open_nets(nets, model, body, step) : TC_ERR_NULL;
    if (status < TC_OK) {
        memset(nets, 0, sizeof *nets);
    }
    return status;
}

tc_status tc_spatial_open(tc_spatial *spatial, tc_spatial_nets *nets, const tc_model *model,
                          const tc_spatial_body *body, tc_real step)
{
    tc_contact_record record;
    if (spatial == NULL) {
        return TC_ERR_NULL;
    }
    memset(spatial, 0, sizeof *spatial);
    tc_status status = tc_spatial_nets_open(nets, model, body, step);
    if (status >= TC_OK) {
        const tc_spatial_law law = tc_spatial_nets_law(nets);
        status = tc_spatial_init(spatial, body, step, &law);
    }
    if (status >= TC_OK) {
        status = tc_model_contact(model, &record);
        spatial->restitution = record.restitution;
        spatial->positions = (tc_positions)record.positions;
    }
    return status;
}

/* ---- The law -------------------------------------------------------------------------------------- */

static tc_status observe(const void *context, const tc_spatial_query *query, tc_real *work)
{
    const tc_spatial_nets *const nets = context;
    (void)tc_spatial_features(query, nets->mask, work);
    const int inside = tc_net_inside(&nets->classifier, work);
    (void)tc_net_normalised(&nets->classifier, work, work);
    return inside ? TC_OK : TC_NOTE_RANGE;
}

static tc_status classify(const void *context, const tc_spatial_query *query, tc_real *probability,
                          tc_real *work)
{
    const tc_spatial_nets *const nets = context;
    (void)query;
    tc_net_run(&nets->classifier, work, probability, work + TC_SPATIAL_NETS_ROOM);
    return TC_OK;
}

static tc_status ratio(const void *context, const tc_spatial_query *query, tc_real *value, tc_real *work)
{
    const tc_spatial_nets *const nets = context;
    (void)query;
    tc_net_run(&nets->regressor, work, value, work + TC_SPATIAL_NETS_ROOM);
    return TC_OK;
}

/* tc_calls: tc_spatial_observe lib/tc_spatial_nets.c:observe */
/* tc_calls: tc_spatial_ask_ratio lib/tc_spatial_nets.c:ratio */
/* tc_calls: tc_spatial_classify lib/tc_spatial_nets.c:classify */

tc_spatial_law tc_spatial_nets_law(const tc_spatial_nets *nets)
{
    const tc_spatial_law law = {observe, classify, ratio, nets,
                                TC_SPATIAL_NETS_ROOM + (uint32_t)TC_NET_WORK(nets->width)};
    return law;
}
