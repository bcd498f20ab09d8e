/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The learned law of a spatial body: a classifier and a regressor for the point, from a model file; edges and
 * faces are swept with them.
 *
 *     tc_learned3_nets nets;
 *     tc_foot3 foot;
 *     tc_status s = tc_foot3_open(&foot, &nets, &model, &body, 0.001f);
 *
 * The nets are named class0 (3 outputs) and ratio0 (2). The file's contact record says for which body and
 * step they were trained, and which features they take.
 */
#ifndef TC_LEARNED3_NETS_H
#define TC_LEARNED3_NETS_H

#include "tc_learned3_features.h"
#include "tc_model.h"

TC_BEGIN

typedef struct tc_learned3_nets {
    tc_net classifier, regressor;
    uint32_t mask;  /* groups of features */
    uint32_t width; /* of the wider net */
} tc_learned3_nets;

/* Workspace of the contact model, nets at most `width` wide: `model_work` of TC_FOOT3_WORK. */
#define TC_LEARNED3_FEATURES_WORK 16u /* the features, rounded up */
#define TC_LEARNED3_NETS_WORK(width) (TC_LEARNED3_FEATURES_WORK + TC_NET_WORK(width))

/* Takes nets and record out of an open spatial model. TC_ERR_MODEL_MISMATCH: no contact record, not a
 * spatial one, no nets for points, a body or step [s] that differ from the record's by more than its
 * tolerance, or nets whose inputs, outputs or normalisation do not fit; TC_ERR_MODEL_FIELD a field of the
 * record, another version of the feature map among them; TC_ERR_MODEL_NAME a net is missing;
 * TC_ERR_MODEL_WEIGHT a number of the record, or an input scale so large that features could exceed
 * TC_NET_NORM_MAX; TC_ERR_NULL, TC_ERR_BODY, TC_ERR_NOT_FINITE, TC_ERR_RANGE the arguments. On an error
 * `nets` is zero. */
tc_status tc_learned3_nets_open(tc_learned3_nets *nets, const tc_model *model, const tc_body3 *body,
                               tc_real step);

/* The law they make. `nets` must outlive it. */
tc_learned3_model tc_learned3_nets_model(const tc_learned3_nets *nets);

TC_END

#endif
