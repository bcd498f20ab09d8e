/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Model files (.tcm): nets with their normalisation and metadata in one blob, used where it lies.
 *
 * tc_model_open reads the whole blob once, trusts no byte of it, copies nothing and never reads
 * outside it: checked by exhaustive corruption tests, by fuzzing, and proved by abstract
 * interpretation (`make prove`). The bytes are described in docs/reference/model-file.md.
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

#define TC_MODEL_VERSION 2u   /* of the format, independent of TC_VERSION */
#define TC_MODEL_HASH_BYTES 16u
#define TC_MODEL_NAME_MAX 23u /* bytes of a net's name, without the terminator */

typedef struct tc_model {
    const uint8_t *blob;       /* 4-byte aligned; must outlive the model and its nets */
    uint32_t size;             /* bytes, as the blob itself says (<= what the caller gave) */
    uint32_t n_nets;           /* 1..TC_MODEL_NETS_MAX */
    float step_size;           /* the time step the nets were trained for [s]; 0: not stated */
    const uint8_t *hash;       /* [TC_MODEL_HASH_BYTES] of the contents, whatever their layout */
    const char *metadata;      /* UTF-8 JSON, NOT zero-terminated, opaque to the library */
    uint32_t metadata_size;    /* bytes */
    const uint8_t *record;     /* of what the nets were trained for; fields unchecked; null: none */
    uint32_t record_size;      /* bytes, a multiple of 16 */
    uint32_t fault_offset;     /* after an error: offset of the field or record that was wrong [bytes] */
    tc_net room;               /* the library's own: a net while it is checked or tested, off the stack */
} tc_model;

/* Validates everything but what the record says and fills `model`; on an error `model` is zero but for
 * fault_offset. A record belongs to the module that uses the nets: its tc_..._record_read checks each field
 * before it gives any (tc_learned_record.h, tc_cdl_record.h), and so do the calls that take the nets.
 * The blob may be followed by padding (flash pages): bytes beyond its own length are ignored. It must
 * not change as long as the model or a net of it is used. Time: proportional to the blob's size, whatever
 * its bytes. Errors: TC_ERR_NULL, TC_ERR_ALIGN (the blob: 4 bytes) and TC_ERR_MODEL_... of tc_status.h. */
tc_status tc_model_open(tc_model *model, const void *blob, size_t blob_size);

/* Fills `net` with the net of that name (or that index); TC_ERR_MODEL_NAME if there is none. On an
 * error `net` is zero, and tc_net_eval refuses it. */
tc_status tc_model_net(const tc_model *model, const char *name, tc_net *net);
tc_status tc_model_net_at(const tc_model *model, uint32_t index, tc_net *net);

/* The name of net `index`, zero-terminated, or null. */
const char *tc_model_net_name(const tc_model *model, uint32_t index);

/* ---- Self-test ------------------------------------------------------------------------------------ */

/* What the self-test saw. */
typedef struct tc_model_selftest_info {
    uint32_t samples;   /* evaluated */
    uint32_t failed;    /* outputs further from the stored value than the file's tolerance */
    tc_real max_error;  /* largest |output - stored|, in units of the output */
} tc_model_selftest_info;

/* Evaluates the samples stored with each net and compares: TC_ERR_MODEL_SELFTEST if any output is
 * off by more than the tolerance stored beside it. `info` may be null. Time: one evaluation per
 * sample. Uses model->room: not twice at the same time on one model.
 * Needs TC_MODEL_SELFTEST_WORK(width of the widest net). */
#define TC_MODEL_SELFTEST_WORK(width) (TC_NET_WORK(width) + 2 * TC_NET_PADDED(width))
tc_status tc_model_selftest(tc_model *model, tc_real *work, size_t work_len, tc_model_selftest_info *info);

TC_END

#endif
