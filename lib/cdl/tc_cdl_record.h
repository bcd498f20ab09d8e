/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The system record of a model file: the CD-Lagrange system for which the file's nets were trained.
 * The header tc_cdl.h explains the fields, docs/reference/model-file.md the bytes.
 */
#ifndef TC_CDL_RECORD_H
#define TC_CDL_RECORD_H

#include "tc_model.h"

TC_BEGIN

#define TC_CDL_RECORD_INPUTS 1u /* version of the net inputs of tc_cdl_nets.h */
/* Limits of a record; `other` of a contact with a wall. */
#define TC_CDL_RECORD_BODIES 16u
#define TC_CDL_RECORD_CONTACTS 16u
#define TC_CDL_RECORD_WALL 255u

/* Contents of the file; bits. */
typedef enum tc_cdl_record_flags {
    TC_CDL_RECORD_POTENTIAL = 1, /* the file holds the net "potential" */
    TC_CDL_RECORD_CONTACT = 2,   /* the file holds the net "contact" */
    TC_CDL_RECORD_PROJECT = 4    /* tc_cdl_config.project is 1 */
} tc_cdl_record_flags;

/* A system record. Its arrays are in the blob. */
typedef struct tc_cdl_record {
    uint8_t bodies;        /* K: number of bodies; 1..TC_CDL_RECORD_BODIES */
    uint8_t dimension;     /* d: dimensions; 1..3 */
    uint8_t contacts;      /* number of contacts; 0..TC_CDL_RECORD_CONTACTS */
    uint8_t flags;         /* tc_cdl_record_flags; at least one net */
    tc_real restitution;   /* coefficient of restitution [1]; 0..1 */
    tc_real rest_speed;    /* threshold of inelastic contacts [m/s]; >= 0 */
    tc_real tolerance;     /* largest relative difference of the step from the model's [1]; 0..1 */
    const float *mass;     /* [K] masses [kg]; > 0 */
    const float *damping;  /* [K] damping [N s/m]; >= 0 */
    const float *distance; /* [contacts] distances at touch [m] */
    const float *normal;   /* [contacts][d] normals; their length is not checked */
    const uint8_t *pairs;  /* [contacts][2]: body, then other body or TC_CDL_RECORD_WALL */
} tc_cdl_record;

/* Checks every field of an open model's system record and fills `record`.
 *
 * fault_offset: after TC_ERR_MODEL_..., offset of the faulty field in the file [bytes]; else 0; may
 * be NULL.
 * Returns:
 *   TC_OK                  done.
 *   TC_ERR_NULL            model or record is NULL.
 *   TC_ERR_MODEL_MISMATCH  the file has no record, or one of another kind.
 *   TC_ERR_MODEL_FIELD     a field has a value that is not allowed.
 *   TC_ERR_MODEL_WEIGHT    a number is NaN, infinite, or negative where it may not be.
 * On error: record is zero.
 * Cost: one pass over the bytes of the record. */
tc_status tc_cdl_record_read(const tc_model *model, tc_cdl_record *record, uint32_t *fault_offset);

TC_END

#endif
