/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Model files (.tcm): nets with their normalisation and metadata in one blob, which stays in place.
 *
 * tc_model_open reads the whole blob once, trusts no byte of it, copies nothing and never reads
 * outside it. Exhaustive corruption tests and fuzzing check this; `make prove` proves it by
 * abstract interpretation. docs/reference/model-file.md describes the bytes.
 *
 *     tc_model model;
 *     tc_net   friction;
 *     tc_status s = tc_model_open(&model, blob, blob_size);
 *     if (s >= 0) s = tc_model_net(&model, "friction", &friction);
 */
#ifndef TC_MODEL_H
#define TC_MODEL_H

#include "tc_net.h"

TC_BEGIN

#define TC_MODEL_VERSION 2u     /* of the format; independent of TC_VERSION */
#define TC_MODEL_HASH_BYTES 16u /* length of tc_model.hash [bytes] */
#define TC_MODEL_NAME_MAX 23u   /* length of a net's name without the terminator [bytes] */

/* An open model file. */
typedef struct tc_model {
    const uint8_t *blob;    /* the file; aligned to 4 bytes; must outlive the model and its nets */
    uint32_t size;          /* length from the blob's header [bytes]; at most the caller's
                             * blob_size */
    uint32_t n_nets;        /* nets in the file; 1..TC_MODEL_NETS_MAX */
    float step_size;        /* time step for which the nets were trained [s]; 0: not stated */
    const uint8_t *hash;    /* [TC_MODEL_HASH_BYTES] hash of the contents, independent of their
                             * layout */
    const char *metadata;   /* UTF-8 JSON, NOT zero-terminated; the library does not read it */
    uint32_t metadata_size; /* length of `metadata` [bytes] */
    const uint8_t *record;  /* describes the nets' training; fields unchecked; NULL: none */
    uint32_t record_size;   /* length of `record` [bytes]; a multiple of 16 */
    uint32_t fault_offset;  /* after an error: offset of the faulty field or record [bytes] */
    tc_net room;            /* internal: a net while the library checks or tests it; saves stack */
} tc_model;

/* Validates a blob[blob_size] and fills `model`. The blob must not change while the model or one of
 * its nets is in use. Bytes beyond its own length, such as padding to a flash page, are ignored.
 * The function does not check the fields of the record. The functions that use a record do:
 * tc_learned_record.h, tc_cdl_record.h, and the calls that take the nets.
 * Returns:
 *   TC_OK             the blob is valid.
 *   TC_ERR_NULL       model or blob is NULL.
 *   TC_ERR_ALIGN      blob is not aligned to 4 bytes.
 *   TC_ERR_MODEL_...  the blob is invalid; tc_status.h has each cause.
 * On error: model is zero, except fault_offset.
 * Cost: time in proportion to the blob's size, for any bytes. */
tc_status tc_model_open(tc_model *model, const void *blob, size_t blob_size);

/* Fills `net` with the net called `name`, or with net `index`.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_MODEL_NAME  the file has no such net.
 * On error: net is zero, and tc_net_eval refuses it. */
tc_status tc_model_net(const tc_model *model, const char *name, tc_net *net);
tc_status tc_model_net_at(const tc_model *model, uint32_t index, tc_net *net);

/* Returns the name of net `index`, zero-terminated, in the blob; NULL if there is no such net or
 * model is NULL. */
const char *tc_model_net_name(const tc_model *model, uint32_t index);

/* ---- Self-test ------------------------------------------------------------------------------- */

/* Result of the self-test. */
typedef struct tc_model_selftest_info {
    uint32_t samples;  /* samples evaluated */
    uint32_t failed;   /* outputs that differ from the stored value by more than the file's
                        * tolerance */
    tc_real max_error; /* largest |output - stored| [unit of the output] */
} tc_model_selftest_info;

/* Evaluates the samples stored with each net and compares the outputs with the stored ones. info:
 * may be NULL. The call writes to the model: do not run it twice at the same time on one model.
 * Returns:
 *   TC_OK                  every output is within the tolerance stored beside it.
 *   TC_ERR_NULL            model or work is NULL.
 *   TC_ERR_ALIGN           work is misaligned.
 *   TC_ERR_WORK            work_len is below TC_MODEL_SELFTEST_WORK(width of the widest net).
 *   TC_ERR_MODEL_SELFTEST  an output differs by more.
 * On error: info counts the samples up to the error.
 * Cost: one evaluation per sample; work of TC_MODEL_SELFTEST_WORK(width of the widest net). */
#define TC_MODEL_SELFTEST_WORK(width) (TC_NET_WORK(width) + 2 * TC_NET_PADDED(width))
tc_status tc_model_selftest(tc_model *model, tc_model_selftest_info *info, tc_real *work,
                            size_t work_len);

TC_END

#endif
