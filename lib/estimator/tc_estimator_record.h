/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A leg and the configuration of its estimator as bytes, which a desktop uploads to a board before
 * the first tick. The page docs/reference/wire.md has the layout. Numbers are stored as float.
 */
#ifndef TC_ESTIMATOR_RECORD_H
#define TC_ESTIMATOR_RECORD_H

#include "tc_estimator.h"

TC_BEGIN

#define TC_ESTIMATOR_RECORD_VERSION 1u

/* Largest length of a record, that of six joints [bytes]. */
#define TC_ESTIMATOR_RECORD_MAX 640u

/* A leg with its links and configuration. `leg.links` points into the struct itself: do not copy
 * the struct. */
typedef struct tc_estimator_record {
    tc_leg leg;                       /* the leg; its links are the next field */
    tc_leg_link links[TC_LEG_JOINTS]; /* [leg.joints] */
    tc_estimator_config config;       /* its configuration */
} tc_estimator_record;

/* Fills `record` from bytes[n], which may hold anything. The function does not check the numbers;
 * tc_estimator_init does.
 * Returns:
 *   TC_OK                 done.
 *   TC_ERR_NULL           a pointer is NULL.
 *   TC_ERR_SIZE           n is not the length that the number of joints needs.
 *   TC_ERR_MODEL_MAGIC    the bytes do not begin as a record.
 *   TC_ERR_MODEL_VERSION  the record has another version.
 *   TC_ERR_RANGE          the number of joints is not in 1..TC_LEG_JOINTS, or a joint has no such
 *                         type.
 *   TC_ERR_UNSUPPORTED    the root has no such type.
 * On error: record is zero.
 * Cost: O(n); 436 bytes of stack. */
tc_status tc_estimator_record_read(const uint8_t *bytes, size_t n, tc_estimator_record *record);

/* Writes a leg and its configuration to `bytes[bytes_len]`.
 * Returns the length of the record [bytes]. Returns 0 if the array is too short, or if the leg's
 * number of joints, or a type of joint or root, is not allowed.
 * Cost: O(length); 980 bytes of stack. */
size_t tc_estimator_record_write(const tc_leg *leg, const tc_estimator_config *config,
                                 uint8_t *bytes, size_t bytes_len);

TC_END

#endif
