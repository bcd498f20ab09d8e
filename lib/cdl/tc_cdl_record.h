/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The system record of a model file: the CD-Lagrange system that the file's nets were trained for
 * (tc_cdl.h explains the fields). docs/reference/model-file.md describes the bytes.
 */
#ifndef TC_CDL_RECORD_H
#define TC_CDL_RECORD_H

#include "tc_model.h"

TC_BEGIN

#define TC_CDL_RECORD_INPUTS 1u /* version of the net inputs of tc_cdl_nets.h */
#define TC_CDL_RECORD_BODIES 16u
#define TC_CDL_RECORD_CONTACTS 16u
#define TC_CDL_RECORD_WALL 255u

typedef enum tc_cdl_record_flags {
    TC_CDL_RECORD_POTENTIAL = 1, /* the file holds the net "potential" */
    TC_CDL_RECORD_CONTACT = 2,   /* ... the net "contact" */
    TC_CDL_RECORD_PROJECT = 4    /* pairs that strike are moved until they touch */
} tc_cdl_record_flags;

/* Arrays lie in the blob. */
typedef struct tc_cdl_record {
    uint8_t bodies;          /* K, 1..TC_CDL_RECORD_BODIES */
    uint8_t dimension;       /* d, 1..3 */
    uint8_t contacts;        /* 0..TC_CDL_RECORD_CONTACTS */
    uint8_t flags;           /* tc_cdl_record_flags; one of the two nets at least */
    tc_real restitution;     /* 0..1 */
    tc_real rest_speed;      /* [m/s] >= 0 */
    tc_real tolerance;       /* relative, on the step size, 0..1 */
    const float *mass;       /* [K] > 0 */
    const float *damping;    /* [K] >= 0 */
    const float *distance;   /* [contacts] */
    const float *normal;     /* [contacts][d], length not checked */
    const uint8_t *pairs;    /* [contacts][2]: body, and other or TC_CDL_RECORD_WALL */
} tc_cdl_record;

/* Checks every field of an open model's system record, then fills `record`.
 * fault_offset: after TC_ERR_MODEL_..., offset in the file of the field at fault [bytes]; else 0; may be null.
 * Returns: TC_OK
 *          TC_ERR_NULL            model or record
 *          TC_ERR_MODEL_MISMATCH  the file has no record, or one of another kind
 *          TC_ERR_MODEL_FIELD     a field has a value that is not allowed
 *          TC_ERR_MODEL_WEIGHT    a number is not finite, or negative where it may not be
 * On error: `record` is zero.
 * Cost: each byte of the record is read once to check it. */
tc_status tc_cdl_record_read(const tc_model *model, tc_cdl_record *record, uint32_t *fault_offset);

TC_END

#endif
