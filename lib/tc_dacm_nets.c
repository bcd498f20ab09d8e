/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The law made of nets.
 *
 * Work: the features, then the nets' own. The classifier computes them, the regressor, which is always asked
 * after it about the same query and takes the same groups, finds them there. Both were trained on the same
 * states, so the range is the classifier's, and asked once.
 *
 * A model's nets are proved not to overflow for normalised inputs of norm up to TC_NET_NORM_MAX. Features are
 * bounded, so that border is settled when the nets are taken, and evaluation checks nothing.
 */
#include "tc_dacm_nets.h"

#include "tc_math.h"

#include <string.h>

#define DIMENSIONS 2u /* of planar patches: point, edge */
#define CLASSES 3u

static const char *const classifier_name[DIMENSIONS] = {"class0", "class1"};
static const char *const regressor_name[DIMENSIONS] = {"ratio0", "ratio1"};

/* ---- Opening -------------------------------------------------------------------------------------- */

static int close_to(tc_real stated, tc_real actual, tc_real tolerance)
{
    const tc_real off = stated - actual, most = tolerance * actual;
    return off <= most && off >= -most;
}

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
           && record->target == TC_CONTACT_TARGET_RATIO && close_to(record->mass, body->mass, tolerance)
           && close_to(record->inertia[0], body->inertia, tolerance)
           && close_to(trained_step, step, tolerance);
}

/* Whether no features of this patch and mask can exceed TC_NET_NORM_MAX once they are normalised. */
static int bounded(const tc_net *net, const tc_real *bound)
{
    tc_real square = TC_C(0.0);
    for (uint32_t i = 0; i < net->n_in; i++) {
        tc_real most = bound[i];
        if (net->input_mean != NULL) {
            const tc_real mean = (tc_real)net->input_mean[i];
            most = (most + (mean < TC_C(0.0) ? -mean : mean)) * (tc_real)net->input_scale[i];
        }
        square += most * most;
    }
    return square <= TC_NET_NORM_MAX * TC_NET_NORM_MAX;
}

static tc_status take_net(const tc_model *model, const char *name, uint32_t count, uint32_t mask,
                          uint32_t n_out, tc_net *net)
{
    tc_real bound[TC_DACM_FEATURES_MAX];
    const uint32_t n_in = tc_dacm_feature_bounds(count, mask, bound);
    const tc_status status = tc_model_net(model, name, net);
    if (status < TC_OK) {
        return status;
    }
    if (net->n_in != n_in || net->n_out != n_out) {
        return TC_ERR_MODEL_MISMATCH;
    }
    return bounded(net, bound) ? TC_OK : TC_ERR_MODEL_WEIGHT;
}

static tc_status take_dimension(tc_dacm_nets *nets, const tc_model *model, uint32_t dimension, uint32_t mask)
{
    const uint32_t count = dimension + 1u;
    tc_net *const classifier = &nets->classifier[dimension], *const regressor = &nets->regressor[dimension];
    tc_status status = take_net(model, classifier_name[dimension], count, mask, CLASSES, classifier);
    if (status >= TC_OK) {
        status = take_net(model, regressor_name[dimension], count, mask, 1, regressor);
    }
    if (status >= TC_OK && classifier->head != TC_HEAD_SOFTMAX) {
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
        const tc_dacm_law law = tc_dacm_nets_law(nets);
        status = tc_dacm_init(dacm, body, step, &law);
    }
    if (status >= TC_OK) {
        status = tc_model_contact(model, &record);
        dacm->restitution = record.restitution;
        dacm->positions = (tc_positions)record.positions;
    }
    return status;
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
    tc_net_forward(net, work, probability, work + TC_DACM_FEATURES_MAX);
    return tc_net_in_range(net, work) ? TC_OK : TC_NOTE_RANGE;
}

static tc_status ratio(const void *context, const tc_dacm_query *query, tc_real *value, tc_real *work)
{
    const tc_dacm_nets *const nets = context;
    tc_net_forward(&nets->regressor[query->space.count - 1u], work, value, work + TC_DACM_FEATURES_MAX);
    return TC_OK;
}

/* tc_calls: tc_dacm_decide lib/tc_dacm_nets.c:classify lib/tc_dacm_nets.c:ratio */
/* tc_calls: tc_dacm_ratio lib/tc_dacm_nets.c:ratio */

tc_dacm_law tc_dacm_nets_law(const tc_dacm_nets *nets)
{
    const tc_dacm_law law = {classify, ratio, nets, (uint32_t)TC_DACM_WORK(nets->width)};
    return law;
}
