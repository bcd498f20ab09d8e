/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Model files (.tcm): nets with their normalisation and metadata in one blob, used where it lies.
 *
 * tc_model_open reads the whole blob once, trusts no byte of it, copies nothing and never reads
 * outside it: checked by exhaustive corruption tests, by fuzzing, and proved by abstract
 * interpretation (`make prove`). The bytes are described in lib/MODEL_FORMAT.md.
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
    const uint8_t *contact;    /* the contact or system record, see tc_learned_record_read, tc_cdl_record_read; null: none */
    uint32_t fault_offset;     /* after an error: offset of the field or record that was wrong [bytes] */
    tc_net room;               /* the library's own: a net while it is checked or tested, off the stack */
} tc_model;

/* Validates everything and fills `model`; on an error `model` is zero but for fault_offset.
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

/* ---- The contact record --------------------------------------------------------------------------- */

/* What kind of body a contact model's nets were trained for. */
typedef enum tc_learned_kind {
    TC_LEARNED_BODY2 = 1, /* 3 degrees of freedom; patches of dimension 0 and 1 */
    TC_LEARNED_BODY3 = 2 /* 6 degrees of freedom; patches of dimension 0, 1 and 2 */
} tc_learned_kind;

#define TC_LEARNED_FEATURES_VERSION 1u /* version of the feature map that this library computes */
#define TC_LEARNED_TARGET_RATIO 1u /* the regressor gives friction over the sum of the normal impulses */

/* Groups of features; a net takes those of its patch whose bits are set in `mask`, in this order. */
typedef enum tc_learned_feature {
    TC_LEARNED_FEATURE_LEVER = 1,     /* lever arms over the radius of gyration */
    TC_LEARNED_FEATURE_RATIO = 2,     /* coupling over diagonal of the contact matrix */
    TC_LEARNED_FEATURE_VELOCITY = 4,  /* direction of the contact velocity, and the logarithm of its size */
    TC_LEARNED_FEATURE_STICK = 8,     /* directions of the impulses that stop the contacts */
    TC_LEARNED_FEATURE_ARREST = 16,   /* the impulse that ends sliding */
    TC_LEARNED_FEATURE_SHARE = 32,    /* how the corners share the frictionless impulse */
    TC_LEARNED_FEATURE_ALL = 63
} tc_learned_feature;

/* The body, the step and the features that the nets of a contact model belong to. The step size is the
 * model's. Every field was checked when the file was opened. */
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

/* Fills `record` from an open model. TC_ERR_MODEL_MISMATCH if its file has no contact record (then, and on
 * TC_ERR_NULL, `record` is zero). */
tc_status tc_learned_record_read(const tc_model *model, tc_learned_record *record);

/* ---- The system record ---------------------------------------------------------------------------- */

#define TC_CDL_RECORD_INPUTS 1u /* version of the net inputs of tc_cdl_nets.h */
#define TC_CDL_RECORD_BODIES 16u
#define TC_CDL_RECORD_CONTACTS 16u
#define TC_CDL_RECORD_WALL 255u

typedef enum tc_cdl_record_flags {
    TC_CDL_RECORD_POTENTIAL = 1, /* the file holds the net "potential" */
    TC_CDL_RECORD_CONTACT = 2,   /* ... the net "contact" */
    TC_CDL_RECORD_PROJECT = 4    /* pairs that strike are moved until they touch */
} tc_cdl_record_flags;

/* The CD-Lagrange system that a file's nets were trained for (tc_cdl.h has what the fields mean). It stands
 * where a contact record would. Arrays lie in the blob; every field was checked when the file was opened, but
 * for the length of normals. */
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
    const float *normal;     /* [contacts][d] */
    const uint8_t *pairs;    /* [contacts][2]: body, and other or TC_CDL_RECORD_WALL */
} tc_cdl_record;

/* Fills `record` from an open model. TC_ERR_MODEL_MISMATCH if its file has none (then, and on TC_ERR_NULL,
 * `record` is zero). */
tc_status tc_cdl_record_read(const tc_model *model, tc_cdl_record *record);

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
