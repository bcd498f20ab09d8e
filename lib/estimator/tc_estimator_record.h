/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A leg and the configuration of its estimator as bytes: what a desktop uploads to a board before the first tick.
 * docs/reference/wire.md has the layout. Numbers are stored as float.
 */
#ifndef TC_ESTIMATOR_RECORD_H
#define TC_ESTIMATOR_RECORD_H

#include "tc_estimator.h"

TC_BEGIN

#define TC_ESTIMATOR_RECORD_VERSION 1u

/* A record of six joints has the most bytes. */
#define TC_ESTIMATOR_RECORD_MAX 640u

/* A leg with its links. `leg.links` points into the record: fill it with tc_estimator_record_read, do not copy it. */
typedef struct tc_estimator_record {
    tc_leg leg;
    tc_leg_link links[TC_LEG_JOINTS];
    tc_estimator_config config;
} tc_estimator_record;

/* Fills `record`, whatever the bytes are. TC_ERR_NULL; TC_ERR_SIZE another length than the record says or its joints
 * need; TC_ERR_MODEL_MAGIC, TC_ERR_MODEL_VERSION; TC_ERR_RANGE more joints than TC_LEG_JOINTS, or none. What the
 * numbers are is left to tc_estimator_init. On an error `record` is zero. O(bytes). */
tc_status tc_estimator_record_read(tc_estimator_record *record, const uint8_t *bytes, size_t n);

/* Writes leg and configuration to bytes[room]; returns their number, 0 if there is no room or the joints are none or
 * too many. */
size_t tc_estimator_record_write(const tc_leg *leg, const tc_estimator_config *config, uint8_t *bytes, size_t room);

TC_END

#endif
