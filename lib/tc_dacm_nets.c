/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The law made of nets.
 *
 * Work: the features, then the nets' own. The classifier computes and normalises them; the regressor, which
 * is always asked after it about the same query and takes the same groups, finds them there. Both were
 * trained on the same states, so the range is the classifier's, and asked once.
 */
#include "tc_exact.h"
#include "tc_dacm_nets.h"

#include "tc_contact_nets.h"
#include "tc_math.h"
#include "tc_net_core.h"
#include "tc_net_input.h"

#include <string.h>

#define DIMENSIONS 2u /* of planar patches: point, edge */

static const char *const classifier_name[DIMENSIONS] = {"class0", "class1"};
static const char *const regressor_name[DIMENSIONS] = {"ratio0", "ratio1"};

/* ---- Opening -------------------------------------------------------------------------------------- */

static tc_status check_body(const tc_planar_body *body, tc_real step)
{
    const tc_status status = tc_planar_body_check(body);
    if (status < TC_OK) {
        return status;
    }
    if (!tc_all_finite(&step, 1)) {
        return TC_ERR_NOT_FINITE;
    }
    return step > TC_C(0.0) ? TC_OK : TC_ERR_RANGE;
}

/* Whether the record's model is for this body. */
static int matches(const tc_contact_record *record, tc_real trained_step, const tc_planar_body *body,
                   tc_real step)
{
    const tc_real tolerance = record->tolerance;
    return record->kind == TC_CONTACT_PLANAR && record->features == TC_CONTACT_FEATURES
           && record->target == TC_CONTACT_TARGET_RATIO && tc_contact_close(record->mass, body->mass, tolerance)
           && tc_contact_close(record->inertia[0], body->inertia, tolerance)
           && tc_contact_close(trained_step, step, tolerance);
}

static tc_status take_net(const tc_model *model, const char *name, uint32_t count, uint32_t mask,
                          uint32_t n_out, tc_net *net)
{
    tc_real bound[TC_DACM_FEATURES_MAX];
    const uint32_t n_in = tc_dacm_feature_bounds(count, mask, bound);
    return tc_contact_take_net(model, name, bound, n_in, n_out, net);
}

static tc_status take_dimension(tc_dacm_nets *nets, const tc_model *model, uint32_t dimension, uint32_t mask)
{
    const uint32_t count = dimension + 1u;
    tc_net *const classifier = &nets->classifier[dimension], *const regressor = &nets->regressor[dimension];
    tc_status status = take_net(model, classifier_name[dimension], count, mask, TC_CONTACT_CLASSES,
                                classifier);
    if (status >= TC_OK) {
        status = take_net(model, regressor_name[dimension], count, mask, 1, regressor);
    }
    if (status >= TC_OK && !tc_contact_normalise_alike(classifier, regressor)) {
        status = TC_ERR_MODEL_MISMATCH;
    }
    nets->mask[dimension] = mask;
    nets->width = classifier->width > nets->width ? classifier->width : nets->width;
    nets->width = regressor->width > nets->width ? regressor->width : nets->width;
    return status;
}

static tc_status open_nets(tc_dacm_nets *nets, const tc_model *model, const tc_planar_body *body,
                           tc_real step, tc_contact_record *record)
{
    tc_status status = check_body(body, step);
    if (status >= TC_OK) {
        status = tc_model_contact(model, record);
    }
    if (status >= TC_OK && !matches(record, (tc_real)model->step_size, body, step)) {
        status = TC_ERR_MODEL_MISMATCH;
    }
    for (uint32_t d = 0; d < DIMENSIONS && status >= TC_OK; d++) {
        if ((record->patches >> d & 1) != 0) {
            status = take_dimension(nets, model, d, record->mask[d]);
        }
    }
    return status;
}

tc_status tc_dacm_nets_open(tc_dacm_nets *nets, const tc_model *model, const tc_planar_body *body,
                            tc_real step)
{
    tc_contact_record record;
    if (nets == NULL) {
        return TC_ERR_NULL;
    }
    memset(nets, 0, sizeof *nets);
    if (model == NULL || body == NULL) {
        return TC_ERR_NULL;
    }
    const tc_status status = open_nets(nets, model, body, step, &record);
    if (status < TC_OK) {
        memset(nets, 0, sizeof *nets);
    }
    return status;
}

/* tc_dacm_init with what the record says besides. */
static tc_status init_from(tc_dacm *dacm, const tc_dacm_nets *nets, const tc_contact_record *record,
                           const tc_planar_body *body, tc_real step)
{
    const tc_dacm_law law = tc_dacm_nets_law(nets);
    const tc_status status = tc_dacm_init(dacm, body, step, &law);
    if (status >= TC_OK) {
        dacm->restitution = record->restitution;
        dacm->positions = (tc_positions)record->positions;
    }
    return status;
}

tc_status tc_dacm_open(tc_dacm *dacm, tc_dacm_nets *nets, const tc_model *model, const tc_planar_body *body,
                       tc_real step)
{
    tc_contact_record record;
    if (dacm == NULL) {
        return TC_ERR_NULL;
    }
    memset(dacm, 0, sizeof *dacm);
    tc_status status = tc_dacm_nets_open(nets, model, body, step);
    if (status >= TC_OK) {
        status = tc_model_contact(model, &record);
    }
    return status < TC_OK ? status : init_from(dacm, nets, &record, body, step);
}

tc_status tc_dacm_open_const(tc_dacm *dacm, const tc_dacm_model *model, const tc_planar_body *body,
                             tc_real step)
{
    if (dacm == NULL) {
        return TC_ERR_NULL;
    }
    memset(dacm, 0, sizeof *dacm);
    if (model == NULL || body == NULL) {
        return TC_ERR_NULL;
    }
    const tc_status status = check_body(body, step);
    if (status < TC_OK) {
        return status;
    }
    if (!matches(&model->record, model->step, body, step)) {
        return TC_ERR_MODEL_MISMATCH;
    }
    return init_from(dacm, &model->nets, &model->record, body, step);
}

/* ---- The law -------------------------------------------------------------------------------------- */

static tc_status classify(const void *context, const tc_dacm_query *query, tc_real *probability,
                          tc_real *work)
{
    const tc_dacm_nets *const nets = context;
    const uint32_t dimension = query->space.count - 1u;
    const tc_net *const net = &nets->classifier[dimension];
    if (nets->mask[dimension] == 0u) {
        return TC_ERR_UNSUPPORTED;
    }
    (void)tc_dacm_features(query, nets->mask[dimension], work);
    const tc_status status = tc_net_inside(net, work) ? TC_OK : TC_NOTE_RANGE;
    tc_net_run(net, tc_net_normalised(net, work, work), probability, work + TC_DACM_FEATURES_MAX);
    return status;
}

static tc_status ratio(const void *context, const tc_dacm_query *query, tc_real *value, tc_real *work)
{
    const tc_dacm_nets *const nets = context;
    tc_net_run(&nets->regressor[query->space.count - 1u], work, value, work + TC_DACM_FEATURES_MAX);
    return TC_OK;
}

/* tc_calls: tc_dacm_decide lib/tc_dacm_nets.c:classify lib/tc_dacm_nets.c:ratio */
/* tc_calls: tc_dacm_solve lib/tc_dacm_nets.c:classify lib/tc_dacm_nets.c:ratio */
/* tc_calls: tc_dacm_ratio lib/tc_dacm_nets.c:ratio */

tc_dacm_law tc_dacm_nets_law(const tc_dacm_nets *nets)
{
    const tc_dacm_law law = {classify, ratio, nets, (uint32_t)TC_DACM_WORK(nets->width)};
    return law;
}
