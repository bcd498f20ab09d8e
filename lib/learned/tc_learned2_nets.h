/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The learned contact model of a body in the plane: a classifier and a regressor for each kind of
 * patch, from a model file.
 *
 *     tc_learned2_nets nets;
 *     tc_foot2 foot;
 *     tc_status s = tc_foot2_open(&foot, &nets, &model, &body, 0.001f);
 *
 * The nets are named class0, ratio0 (points) and class1, ratio1 (edges). The file's contact record
 * holds the body and step of the training, and the features that the nets take. It may hold a
 * coefficient of friction: outside the training range of a patch, Coulomb friction then answers in
 * the nets' place. The solve returns TC_NOTE_RANGE in both cases.
 */
#ifndef TC_LEARNED2_NETS_H
#define TC_LEARNED2_NETS_H

#include "tc_friction2.h"
#include "tc_learned2_features.h"
#include "tc_learned_record.h"

TC_BEGIN

/* Nets of a contact model. tc_learned2_nets_open fills them; the caller keeps them. */
typedef struct tc_learned2_nets {
    tc_net classifier[2];  /* by patch dimension; zero if the model has none */
    tc_net regressor[2];   /* by patch dimension; takes the classifier's normalised inputs, because
                           * both normalise by the same numbers */
    uint32_t mask[2];      /* groups of features, by patch dimension; 0: no nets */
    uint32_t width;        /* width of the widest net */
    uint32_t fallback;     /* 1: `friction` answers outside the training range; 0: the nets do */
    tc_friction2 friction; /* Coulomb friction of the record; 0 without a fall-back */
} tc_learned2_nets;

/* Workspace of the contact model, for nets at most `width` wide: `model_work` of TC_FOOT2_WORK. */
#define TC_LEARNED2_NETS_WORK(width) (TC_LEARNED2_FEATURES_MAX + TC_NET_WORK(width))

/* Fills `nets` from an open model of a body in the plane. `step`: of the simulation [s]; > 0. The
 * nets point into the model's bytes, which must outlive them.
 * Returns:
 *   TC_OK                  done.
 *   TC_ERR_NULL            a pointer is NULL.
 *   TC_ERR_BODY            mass or moment of inertia is not positive and finite.
 *   TC_ERR_NOT_FINITE      step is NaN or infinite.
 *   TC_ERR_RANGE           step is not positive.
 *   TC_ERR_MODEL_MISMATCH  the file has no contact record, or one of a body in space.
 *                          Body or step differ from the record's by more than its tolerance.
 *                          The inputs or outputs of a net do not fit its patch and mask.
 *                          Classifier and regressor normalise their inputs differently.
 *   TC_ERR_MODEL_FIELD     a field of the record has a value that is not allowed, such as another
 *                          version of the feature map.
 *   TC_ERR_MODEL_NAME      the file lacks a net.
 *   TC_ERR_MODEL_WEIGHT    a number of the record is negative, NaN or infinite, or features could
 *                          exceed TC_NET_NORM_MAX after the normalisation of a net.
 * On error: nets is zero.
 * Cost: at most 488 bytes of stack. */
tc_status tc_learned2_nets_open(tc_learned2_nets *nets, const tc_model *model, const tc_body2 *body,
                                tc_real step);

/* Returns the contact model of `nets`, which must outlive it. For a patch without nets the model
 * returns TC_ERR_UNSUPPORTED. */
tc_learned2_model tc_learned2_nets_model(const tc_learned2_nets *nets);

/* A contact model that is compiled in, as `tinycontact model strip --c` writes it. It saves the
 * model file, the RAM of its nets, and the code that reads and checks a file (7 KB). The tool has
 * checked it as tc_learned2_nets_open would. */
typedef struct tc_learned2_nets_const {
    tc_learned2_nets nets;    /* the nets */
    tc_learned_record record; /* body and features of the training */
    tc_real step;             /* step of the training [s] */
} tc_learned2_nets_const;

/* Checks that a compiled-in model belongs to this body and step [s].
 * Returns:
 *   TC_OK                  it does.
 *   TC_ERR_NULL            a pointer is NULL.
 *   TC_ERR_BODY            mass or moment of inertia is not positive and finite.
 *   TC_ERR_NOT_FINITE      step is NaN or infinite.
 *   TC_ERR_RANGE           step is not positive.
 *   TC_ERR_MODEL_MISMATCH  body or step differ from the record's by more than its tolerance, or the
 *                          record is not one of this library's for a body in the plane. */
tc_status tc_learned2_nets_check(const tc_learned2_nets_const *model, const tc_body2 *body,
                                 tc_real step);

TC_END

#endif
