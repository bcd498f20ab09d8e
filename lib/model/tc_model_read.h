/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Model files, internal: the reader's state, and its access to bytes. docs/reference/model-file.md
 * has the format.
 *
 * tc_model.c opens files and finds nets, tc_model_read.c turns net records into nets; the floors
 * above read the records of their own by the same means (tc_learned_record.c, tc_cdl_record.c). Not
 * for users.
 */
#ifndef TC_MODEL_READ_H
#define TC_MODEL_READ_H

#include "tc_bytes.h"
#include "tc_model.h"

TC_BEGIN

#define TC_MODEL_HEADER_SIZE 64u
#define TC_MODEL_NET_SIZE 96u
#define TC_MODEL_LAYER_SIZE 32u
#define TC_MODEL_NAME_SIZE (TC_MODEL_NAME_MAX + 1u)
#define TC_MODEL_RECORD_SIZE_AT 56u /* offset of the header's field */

#define TC_MODEL_EXPONENT_BITS 0x7F800000u /* all set: NaN or infinite */
/* of 1.0f; bits of positive floats are ordered as the floats are */
#define TC_MODEL_ONE_BITS 0x3F800000u

/* The file while it is read: [0, size) may be looked at, [0, claimed) has been given out. All
 * readers return 1, or 0 after the first fault, which ends the reading. */
typedef struct tc_model_reader {
    const uint8_t *blob;
    uint32_t size;
    uint32_t claimed;
    tc_status status;
    uint32_t fault; /* offset of what was wrong */
} tc_model_reader;

/* The samples of a net. */
typedef struct tc_model_samples {
    uint32_t count;
    const float *inputs;  /* [count][n_in] */
    const float *outputs; /* [count][n_out] */
    float tolerance;
} tc_model_samples;

/* Finite and not negative: exponent below the top one, sign clear (-0 is not written by
 * exporters). */
static inline int tc_model_is_magnitude(const uint8_t *at)
{
    return tc_bytes_u32(at) < TC_MODEL_EXPONENT_BITS;
}

static inline int tc_model_all_zero(const uint8_t *at, uint32_t n)
{
    uint32_t any = 0;
    for (uint32_t i = 0; i < n; i++) {
        any |= at[i];
    }
    return any == 0u;
}

static inline int tc_model_fail(tc_model_reader *r, uint32_t at, tc_status status)
{
    r->status = status;
    r->fault = at;
    return 0;
}

/* A rule of the format about the field at `at`, and one about its being a number to compute
 * with. */
static inline int tc_model_expect(tc_model_reader *r, uint32_t at, int condition)
{
    return condition ? 1 : tc_model_fail(r, at, TC_ERR_MODEL_FIELD);
}

static inline int tc_model_expect_number(tc_model_reader *r, uint32_t at, int condition)
{
    return condition ? 1 : tc_model_fail(r, at, TC_ERR_MODEL_WEIGHT);
}

/* Takes [offset, offset + length) out of the file, offset being the u32 at `field`. The caller
 * guarantees that the field itself lies in the file. */
int tc_model_claim(tc_model_reader *r, uint32_t field, uint32_t length, uint32_t *start);

/* Begins to read the record of an open model, which is at `at` (0: there is none); model may be
 * null. */
static inline int tc_model_record_begin(tc_model_reader *r, const tc_model *model, uint32_t *at)
{
    memset(r, 0, sizeof *r);
    if (model == NULL) {
        return tc_model_fail(r, 0, TC_ERR_NULL);
    }
    r->blob = model->blob;
    r->size = model->size;
    *at = model->record != NULL ? (uint32_t)(model->record - model->blob) : 0u;
    return 1;
}

/* What the reading came to; fault_offset may be null. */
static inline tc_status tc_model_record_end(const tc_model_reader *r, uint32_t *fault_offset)
{
    if (fault_offset != NULL) {
        *fault_offset = r->fault;
    }
    return r->status;
}

/* Net `index`, whose record lies in the file: everything it points to is claimed, in file order. */
int tc_model_read_net(tc_model_reader *r, uint32_t index, tc_net *net, tc_model_samples *s);

/* 1 if a stated quantity is the actual one within this part of it. */
static inline int tc_model_matches(tc_real stated, tc_real actual, tc_real tolerance)
{
    const tc_real off = stated - actual, most = tolerance * actual;
    return off <= most && off >= -most;
}

TC_END

#endif
