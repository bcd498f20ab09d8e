/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The contact record of a model file. It holds the body, the step and the features for which the
 * nets of a contact model were trained. The bytes are in docs/reference/model-file.md.
 */
#ifndef TC_LEARNED_RECORD_H
#define TC_LEARNED_RECORD_H

#include "tc_learned.h"
#include "tc_model.h"

TC_BEGIN

/* A contact record. The step size of the training is step_size of tc_model. */
typedef struct tc_learned_record {
    uint16_t kind;          /* tc_learned_kind of the body */
    uint16_t features;      /* version of the feature map; TC_LEARNED_FEATURES_VERSION */
    uint8_t positions;      /* tc_scheme (tc_scheme.h) of the training */
    uint8_t target;         /* output of the regressors; TC_LEARNED_TARGET_RATIO */
    uint8_t patches;        /* bit d: the file has nets for patches of dimension d; 1..3 in the
                             * plane, 1..7 in space */
    tc_real mass;           /* mass of the body [kg]; > 0 */
    tc_real inertia[3];     /* moments of inertia about the centre of mass [kg m^2]; > 0; plane:
                             * only the first, the others are 0 */
    tc_real restitution;    /* coefficient of restitution [1]; 0..1 */
    tc_real gravity;        /* gravity of the training [m/s^2]; >= 0; 0: not stated */
    tc_real tolerance;      /* relative tolerance of mass, inertia and step size [1]; 0..1; higher:
                             * nets are opened for less similar bodies */
    uint32_t mask[3];       /* by patch dimension: bits of tc_learned_feature; 0 without nets */
    tc_real temperature[3]; /* by patch dimension: divisor of the classifier's logits, applied in
                             * export [1]; > 0; 0 without nets */
    uint8_t fallback;       /* 1: outside the training range Coulomb friction takes the nets' place,
                             * plane only; 0: the nets answer everywhere */
    tc_real friction;       /* coefficient of that friction [1]; > 0, at most 10; 0 without it */
} tc_learned_record;

/* Checks every field of an open model's contact record, then fills `record`. `fault_offset`: may be
 * NULL; receives the offset in the file of the faulty field after TC_ERR_MODEL_..., else 0 [bytes].
 * Returns:
 *   TC_OK                  done.
 *   TC_ERR_NULL            model or record is NULL.
 *   TC_ERR_MODEL_MISMATCH  the file has no record, or one of another kind.
 *   TC_ERR_MODEL_FIELD     a field has a value that is not allowed.
 *   TC_ERR_MODEL_WEIGHT    a number is negative, NaN or infinite.
 * On error: record is zero.
 * Cost: about 650 instructions on Cortex-M4F; 80 bytes of stack. */
tc_status tc_learned_record_read(const tc_model *model, tc_learned_record *record,
                                 uint32_t *fault_offset);

TC_END

#endif
