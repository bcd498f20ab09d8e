/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A leg and the configuration of its estimator as bytes, which a desktop uploads to a board before
 * the first tick. A known ground may follow. The page docs/reference/wire.md has the layout.
 * Numbers are stored as float.
 */
#ifndef TC_ESTIMATOR_RECORD_H
#define TC_ESTIMATOR_RECORD_H

#include "tc_estimator.h"

TC_BEGIN

#define TC_ESTIMATOR_RECORD_VERSION 1u

/* Largest length of a record, that of six joints and a ground of 8 parts [bytes]. */
#define TC_ESTIMATOR_RECORD_MAX 936u

/* The kind of a part of a ground. */
typedef enum tc_estimator_record_part {
    TC_ESTIMATOR_RECORD_HALFSPACE = 0,
    TC_ESTIMATOR_RECORD_SPHERE = 1,
    TC_ESTIMATOR_RECORD_CAPSULE = 2,
    TC_ESTIMATOR_RECORD_BOX = 3,
    TC_ESTIMATOR_RECORD_CYLINDER = 4
} tc_estimator_record_part;

/* A ground of up to 8 primitives for tc_estimator_stand_on: `section`. The struct points into
 * itself: do not copy it. */
typedef struct tc_estimator_record_ground {
    tc_ground2 section;                          /* its section; count 0: unused */
    uint32_t count;                              /* number of parts; 0..TC_SDF_PARTS; 0: none */
    tc_estimator_record_part kind[TC_SDF_PARTS]; /* of each part */
    tc_sdf shape[TC_SDF_PARTS];                  /* their sizes */
    tc_sdf_part part[TC_SDF_PARTS];              /* their positions */
    tc_sdf_parts parts;                          /* all of them, */
    tc_sdf whole;                                /* and their union */
} tc_estimator_record_ground;

/* A leg with its links, configuration and ground. `leg.links` points into the struct itself: do not
 * copy the struct. */
typedef struct tc_estimator_record {
    tc_leg leg;                        /* the leg; its links are the next field */
    tc_leg_link links[TC_LEG_JOINTS];  /* [leg.joints] */
    tc_estimator_config config;        /* its configuration */
    tc_estimator_record_ground ground; /* its ground */
} tc_estimator_record;

/* Makes the union of the parts, from their kinds, sizes and positions, and checks it. A ground
 * without parts passes.
 * Returns: the statuses of tc_sdf_check, and
 *   TC_ERR_NULL         ground is NULL.
 *   TC_ERR_SIZE         there are more than TC_SDF_PARTS.
 *   TC_ERR_RANGE        a kind is none.
 *   TC_ERR_NOT_FINITE   a number of the section is NaN or infinite.
 *   TC_ERR_UNIT         `along` or `up` is not of unit length within TC_UNIT_TOLERANCE, or they are
 *                       not orthogonal.
 * Cost: at most 2,000 instructions. */
tc_status tc_estimator_record_ground_join(tc_estimator_record_ground *ground);

/* Fills `record` from bytes[n], which may hold anything. The function does not check the numbers;
 * tc_estimator_init does.
 * Returns:
 *   TC_OK                 done.
 *   TC_ERR_NULL           a pointer is NULL.
 *   TC_ERR_SIZE           n is not the length that the numbers of joints and parts need.
 *   TC_ERR_MODEL_MAGIC    the bytes do not begin as a record.
 *   TC_ERR_MODEL_VERSION  the record has another version.
 *   TC_ERR_RANGE          the number of joints is not in 1..TC_LEG_JOINTS, or a joint has no such
 *                         type.
 *   TC_ERR_UNSUPPORTED    the root has no such type.
 *   others                the ground is refused by tc_estimator_record_ground_join.
 * On error: record is zero.
 * Cost: O(n); 480 bytes of stack. */
tc_status tc_estimator_record_read(const uint8_t *bytes, size_t n, tc_estimator_record *record);

/* Writes a leg and its configuration to `bytes[bytes_len]`.
 * Returns the length of the record [bytes]. Returns 0 if the array is too short, or if the leg's
 * number of joints, or a type of joint or root, is not allowed.
 * Cost: O(length); 980 bytes of stack. */
size_t tc_estimator_record_write(const tc_leg *leg, const tc_estimator_config *config,
                                 uint8_t *bytes, size_t bytes_len);

/* Appends a ground to a record of `size` bytes. Its section, kinds, sizes and positions are read.
 * Returns: the length of both [bytes]; 0 if the array is too short, size is 0, or the number of
 * parts or a kind is not allowed.
 * Cost: O(length); 160 bytes of stack. */
size_t tc_estimator_record_append(const tc_estimator_record_ground *ground, uint8_t *bytes,
                                  size_t size, size_t bytes_len);

TC_END

#endif
