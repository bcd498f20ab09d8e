/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The learned law of a planar body: a classifier and a regressor for each kind of patch, from a model file.
 *
 *     tc_learned2_nets nets;
 *     tc_foot2 foot;
 *     tc_status s = tc_foot2_open(&foot, &nets, &model, &body, 0.001f);
 *
 * The nets are named class0, ratio0 (points) and class1, ratio1 (edges). The file's contact record says for
 * which body and step they were trained, and which features they take.
 */
#ifndef TC_LEARNED2_NETS_H
#define TC_LEARNED2_NETS_H

#include "tc_learned2_features.h"
#include "tc_learned_record.h"

TC_BEGIN

typedef struct tc_learned2_nets {
    tc_net classifier[2]; /* by patch dimension; zero where the model has none */
    tc_net regressor[2];  /* takes the classifier's normalised inputs: its own normalisation is the same */
    uint32_t mask[2];     /* features of each dimension; 0: no nets */
    uint32_t width;       /* of the widest net */
} tc_learned2_nets;

/* Workspace of the contact model, nets at most `width` wide: `model_work` of TC_FOOT2_WORK. */
#define TC_LEARNED2_NETS_WORK(width) (TC_LEARNED2_FEATURES_MAX + TC_NET_WORK(width))

/* Takes nets and record out of an open planar model. TC_ERR_MODEL_MISMATCH: no contact record, not a planar
 * one, a body or step [s] that differ from the record's by more than its tolerance, nets whose inputs or
 * outputs do not fit their patch and mask, or a classifier and a regressor that do not normalise their inputs
 * alike; TC_ERR_MODEL_FIELD a field of the record, another version of the feature map among them;
 * TC_ERR_MODEL_NAME a net is missing; TC_ERR_MODEL_WEIGHT a number of the record, or an input scale so large
 * that features could exceed TC_NET_NORM_MAX; TC_ERR_NULL, TC_ERR_BODY, TC_ERR_NOT_FINITE,
 * TC_ERR_RANGE the arguments. On an error `nets` is zero. */
tc_status tc_learned2_nets_open(tc_learned2_nets *nets, const tc_model *model, const tc_body2 *body,
                            tc_real step);

/* The law they make. `nets` must outlive it. A patch for which there are no nets: TC_ERR_UNSUPPORTED. */
tc_learned2_model tc_learned2_nets_model(const tc_learned2_nets *nets);

/* A contact model compiled in, as `tinycontact model strip --c` writes it: in place of a model file, the code that
 * reads and checks one (7 KB) and the RAM for its nets. The tool checked it as tc_learned2_nets_open would. */
typedef struct tc_learned2_nets_const {
    tc_learned2_nets nets;
    tc_learned_record record;
    tc_real step; /* of the training [s] */
} tc_learned2_nets_const;

/* Whether such a model belongs to this body and step [s]. TC_ERR_MODEL_MISMATCH: a body or step that is not the
 * record's; TC_ERR_NULL, TC_ERR_BODY, TC_ERR_NOT_FINITE, TC_ERR_RANGE the arguments. */
tc_status tc_learned2_nets_check(const tc_learned2_nets_const *model, const tc_body2 *body, tc_real step);

TC_END

#endif
