/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The law made of nets.
 *
 * Work: the features, then the nets' own. The classifier computes and normalises them; the
 * regressor, which is always asked after it about the same query and takes the same groups, finds
 * them there. Both were trained on the same states, so the range is the classifier's, and asked
 * once.
 */
#include "tc_exact.h"
#include "tc_learned2_nets.h"

#include "tc_friction2_core.h"
#include "tc_learned_nets.h"
#include "tc_model_read.h"
#include "tc_math.h"
#include "tc_net_core.h"
#include "tc_net_input.h"

#include <string.h>

#define DIMENSIONS_NETS2 2u /* of planar patches: point, edge */
/* In the place of the first feature, which is at most TC_NET_NORM_MAX: friction answered. */
#define FELL_BACK (TC_C(2.0) * TC_NET_NORM_MAX)

static const char *const classifier_name[DIMENSIONS_NETS2] = {"class0", "class1"};
static const char *const regressor_name[DIMENSIONS_NETS2] = {"ratio0", "ratio1"};

/* ---- Opening --------------------------------------------------------------------------------- */

static tc_status check_body_nets2(const tc_body2 *body, tc_real step)
{
    const tc_status status = tc_body2_check(body);
    if (status < TC_OK) {
        return status;
    }
    if (!tc_all_finite(&step, 1)) {
        return TC_ERR_NOT_FINITE;
    }
    return step > TC_C(0.0) ? TC_OK : TC_ERR_RANGE;
}

/* Whether the record's model is for this body. */
static int matches_nets2(const tc_learned_record *record, tc_real trained_step,
                         const tc_body2 *body, tc_real step)
{
    const tc_real tolerance = record->tolerance;
    return record->kind == TC_LEARNED_BODY2 && record->features == TC_LEARNED_FEATURES_VERSION
           && record->target == TC_LEARNED_TARGET_RATIO
           && tc_model_matches(record->mass, body->mass, tolerance)
           && tc_model_matches(record->inertia[0], body->inertia, tolerance)
           && tc_model_matches(trained_step, step, tolerance);
}

static tc_status take_net(const tc_model *model, const char *name, uint32_t count, uint32_t mask,
                          uint32_t n_out, tc_net *net)
{
    tc_real bound[TC_LEARNED2_FEATURES_MAX];
    const uint32_t n_in = tc_learned2_features_bounds(count, mask, bound);
    return tc_learned_nets_take(model, name, bound, n_in, n_out, net);
}

static tc_status take_dimension(tc_learned2_nets *nets, const tc_model *model, uint32_t dimension,
                                uint32_t mask)
{
    const uint32_t count = dimension + 1u;
    tc_net *const classifier = &nets->classifier[dimension], *const regressor =
                                                                 &nets->regressor[dimension];
    tc_status status =
        take_net(model, classifier_name[dimension], count, mask, TC_LEARNED_CLASSES, classifier);
    if (status >= TC_OK) {
        status = take_net(model, regressor_name[dimension], count, mask, 1, regressor);
    }
    if (status >= TC_OK && !tc_learned_nets_normalise_alike(classifier, regressor)) {
        status = TC_ERR_MODEL_MISMATCH;
    }
    nets->mask[dimension] = mask;
    nets->width = classifier->width > nets->width ? classifier->width : nets->width;
    nets->width = regressor->width > nets->width ? regressor->width : nets->width;
    return status;
}

static tc_status open_nets_nets2(tc_learned2_nets *nets, const tc_model *model,
                                 const tc_body2 *body, tc_real step, tc_learned_record *record)
{
    tc_status status = check_body_nets2(body, step);
    if (status >= TC_OK) {
        status = tc_learned_record_read(model, record, NULL);
    }
    if (status >= TC_OK && !matches_nets2(record, (tc_real)model->step_size, body, step)) {
        status = TC_ERR_MODEL_MISMATCH;
    }
    nets->fallback = record->fallback;
    nets->friction.mu = record->friction;
    for (uint32_t d = 0; d < DIMENSIONS_NETS2 && status >= TC_OK; d++) {
        if ((record->patches >> d & 1) != 0) {
            status = take_dimension(nets, model, d, record->mask[d]);
        }
    }
    return status;
}

tc_status tc_learned2_nets_open(tc_learned2_nets *nets, const tc_model *model, const tc_body2 *body,
                                tc_real step)
{
    tc_learned_record record;
    if (nets == NULL) {
        return TC_ERR_NULL;
    }
    memset(nets, 0, sizeof *nets);
    if (model == NULL || body == NULL) {
        return TC_ERR_NULL;
    }
    const tc_status status = open_nets_nets2(nets, model, body, step, &record);
    if (status < TC_OK) {
        memset(nets, 0, sizeof *nets);
    }
    return status;
}

tc_status tc_learned2_nets_check(const tc_learned2_nets_const *model, const tc_body2 *body,
                                 tc_real step)
{
    if (model == NULL || body == NULL) {
        return TC_ERR_NULL;
    }
    const tc_status status = check_body_nets2(body, step);
    if (status < TC_OK) {
        return status;
    }
    return matches_nets2(&model->record, model->step, body, step) ? TC_OK : TC_ERR_MODEL_MISMATCH;
}

/* ---- The law --------------------------------------------------------------------------------- */

static tc_status classify_nets2(const void *context, const tc_learned2_query *query,
                                tc_real *probability, tc_real *work)
{
    const tc_learned2_nets *const nets = context;
    const uint32_t dimension = query->space.count - 1u;
    const tc_net *const net = &nets->classifier[dimension];
    if (nets->mask[dimension] == 0u) {
        return TC_ERR_UNSUPPORTED;
    }
    (void)tc_learned2_features(query, nets->mask[dimension], work);
    const tc_status status = tc_net_inside(net, work) ? TC_OK : TC_NOTE_RANGE;
    if (status != TC_OK && nets->fallback != 0u) {
        work[0] = FELL_BACK;
        tc_friction2_classify(&nets->friction, query, probability);
        return status;
    }
    tc_net_run(net, tc_net_normalised(net, work, work), probability,
               work + TC_LEARNED2_FEATURES_MAX);
    return status;
}

static tc_status ratio_nets2(const void *context, const tc_learned2_query *query, tc_real *value,
                             tc_real *work)
{
    const tc_learned2_nets *const nets = context;
    if (nets->fallback != 0u && work[0] == FELL_BACK) {
        *value = tc_friction2_ratio(&nets->friction, query);
        return TC_OK;
    }
    tc_net_run(&nets->regressor[query->space.count - 1u], work, value,
               work + TC_LEARNED2_FEATURES_MAX);
    return TC_OK;
}

/* tc_calls: tc_learned2_decide lib/learned/tc_learned2_nets.c:classify_nets2 lib/learned/tc_learned2_nets.c:ratio_nets2 */
/* tc_calls: tc_learned2_solve lib/learned/tc_learned2_nets.c:classify_nets2 lib/learned/tc_learned2_nets.c:ratio_nets2 */
/* tc_calls: tc_learned2_ratio lib/learned/tc_learned2_nets.c:ratio_nets2 */

tc_learned2_model tc_learned2_nets_model(const tc_learned2_nets *nets)
{
    const tc_learned2_model law = {classify_nets2, ratio_nets2, nets,
                                   (uint32_t)TC_LEARNED2_NETS_WORK(nets->width)};
    return law;
}
