/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The contact record of a model file: the body, the step and the features that the nets of a contact model
 * belong to. docs/reference/model-file.md describes the bytes.
 */
#ifndef TC_LEARNED_RECORD_H
#define TC_LEARNED_RECORD_H

#include "tc_learned.h"
#include "tc_model.h"

TC_BEGIN

/* The step size is the model's. */
typedef struct tc_learned_record {
    uint16_t kind;          /* tc_learned_kind */
    uint16_t features;      /* TC_LEARNED_FEATURES_VERSION */
    uint8_t positions;      /* tc_scheme (tc_scheme.h) of the training */
    uint8_t target;         /* TC_LEARNED_TARGET_RATIO */
    uint8_t patches;        /* bit d: nets for patches of dimension d */
    tc_real mass;           /* [kg] > 0 */
    tc_real inertia[3];     /* about the centre of mass [kg m^2] > 0; planar: the first, the others 0 */
    tc_real restitution;    /* coefficient, 0..1 */
    tc_real gravity;        /* [m/s^2] >= 0; 0: not stated */
    tc_real tolerance;      /* relative, on mass, inertia and step size, 0..1: else refused */
    uint32_t mask[3];       /* tc_learned_feature per patch dimension; 0 where `patches` has no bit */
    tc_real temperature[3]; /* by which the classifier's logits were divided in export, > 0; 0 likewise */
} tc_learned_record;

/* Checks every field of an open model's contact record, then fills `record`.
 * fault_offset: after TC_ERR_MODEL_..., offset in the file of the field at fault [bytes]; else 0; may be null.
 * Returns: TC_OK
 *          TC_ERR_NULL            model or record
 *          TC_ERR_MODEL_MISMATCH  the file has no record, or one of another kind
 *          TC_ERR_MODEL_FIELD     a field has a value that is not allowed
 *          TC_ERR_MODEL_WEIGHT    a number is negative or not finite
 * On error: `record` is zero.
 * Cost on Cortex-M4F: about 650 instructions. */
tc_status tc_learned_record_read(const tc_model *model, tc_learned_record *record, uint32_t *fault_offset);

TC_END

#endif
