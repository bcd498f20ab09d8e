/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The learned contact model of a body in space: a classifier and a regressor for a point, from a
 * model file. On edges and faces tc_learned3_solve asks them corner by corner, in sweeps.
 *
 *     tc_learned3_nets nets;
 *     tc_foot3 foot;
 *     tc_status s = tc_foot3_open(&foot, &nets, &model, &body, 0.001f);
 *
 * The nets are named class0 (3 outputs) and ratio0 (2 outputs). The file's contact record holds the
 * body and step of the training, and the features that the nets take.
 */
#ifndef TC_LEARNED3_NETS_H
#define TC_LEARNED3_NETS_H

#include "tc_learned3_features.h"
#include "tc_model.h"

TC_BEGIN

/* Nets of a contact model. tc_learned3_nets_open fills them; the caller keeps them. */
typedef struct tc_learned3_nets {
    tc_net classifier, regressor; /* both normalise their inputs by the same numbers */
    uint32_t mask;                /* groups of features */
    uint32_t width;               /* width of the wider net */
} tc_learned3_nets;

/* Workspace of the contact model, for nets at most `width` wide: `model_work` of TC_FOOT3_WORK. */
#define TC_LEARNED3_FEATURES_WORK 16u /* length of the features, rounded up */
#define TC_LEARNED3_NETS_WORK(width) (TC_LEARNED3_FEATURES_WORK + TC_NET_WORK(width))

/* Fills `nets` from an open model of a body in space. `step`: of the simulation [s]; > 0. The nets
 * point into the model's bytes, which must outlive them.
 * Returns:
 *   TC_OK                  done.
 *   TC_ERR_NULL            a pointer is NULL.
 *   TC_ERR_BODY            mass or a moment of inertia is not positive and finite.
 *   TC_ERR_NOT_FINITE      step is NaN or infinite.
 *   TC_ERR_RANGE           step is not positive.
 *   TC_ERR_MODEL_MISMATCH  the file has no contact record, one of a body in the plane, or none for
 *                          points. Body or step differ from the record's by more than its
 *                          tolerance. The inputs or outputs of a net do not fit. Classifier and
 *                          regressor normalise their inputs differently.
 *   TC_ERR_MODEL_FIELD     a field of the record has a value that is not allowed, such as another
 *                          version of the feature map.
 *   TC_ERR_MODEL_NAME      the file lacks a net.
 *   TC_ERR_MODEL_WEIGHT    a number of the record is negative, NaN or infinite, or features could
 *                          exceed TC_NET_NORM_MAX after the normalisation of a net.
 * On error: nets is zero.
 * Cost: at most 452 bytes of stack. */
tc_status tc_learned3_nets_open(tc_learned3_nets *nets, const tc_model *model, const tc_body3 *body,
                                tc_real step);

/* Returns the contact model of `nets`, which must outlive it. */
tc_learned3_model tc_learned3_nets_model(const tc_learned3_nets *nets);

TC_END

#endif
