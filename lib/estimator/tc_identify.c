/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The identification's life: configuration, start, and what is kept across a reboot.
 */
#include "tc_exact.h"
#include "tc_identify_internal.h"
#include "tc_bytes.h"

#include <string.h>

tc_identify_config tc_identify_default(void)
{
    tc_identify_config config;
    memset(&config, 0, sizeof config);
    config.law = TC_IMPACT_COULOMB;
    for (uint32_t i = 0; i < TC_IDENTIFY_MAX; ++i) {
        config.start[i] = TC_C(1.0);
        config.sd[i] = TC_C(0.4);
        config.reopen[i] = TC_C(0.2);
    }
    config.start[TC_IDENTIFY_FRICTION] = TC_C(0.8);
    config.start[TC_IDENTIFY_RESTITUTION] = config.sd[TC_IDENTIFY_RESTITUTION] = TC_C(0.3);
    config.gate = TC_C(3.5);
    config.patience = 3u;
    return config;
}

/* Whether x is in low..high; NaN is not */
static int lies_between(tc_real x, tc_real low, tc_real high)
{
    return x >= low && x <= high;
}

static int good_unknowns(const tc_identify_config *config)
{
    int good = 1;
    for (uint32_t i = 0; i < TC_IDENTIFY_RATIO + config->ratios; ++i) {
        const tc_real most = i == TC_IDENTIFY_RESTITUTION ? TC_C(1.0) : TC_C(100.0);
        const tc_real least = i < TC_IDENTIFY_RATIO ? TC_C(0.0) : TC_C(0.01);
        good = good && lies_between(config->start[i], least, most)
               && lies_between(config->sd[i], TC_C(0.0), TC_C(10.0))
               && lies_between(config->drift[i], TC_C(0.0), TC_C(10.0))
               && lies_between(config->reopen[i], TC_C(0.0), TC_C(10.0));
    }
    return good;
}

static tc_status check_settings(const tc_identify_config *config)
{
    if (config->ratios > TC_IDENTIFY_RATIOS_MAX) {
        return TC_ERR_SIZE;
    }
    const int law = config->law == TC_IMPACT_COULOMB || config->law == TC_IMPACT_CONVEX;
    const int good = law && good_unknowns(config) && config->patience >= 1u
                     && lies_between(config->gate, TC_C(2.0), TC_C(10.0));
    return good ? TC_OK : TC_ERR_RANGE;
}

static void write_start(tc_identify *identify, const tc_identify_config *config)
{
    const tc_identify_config kept = *config; /* config may be a part of identify */
    memset(identify, 0, sizeof *identify);
    identify->version = TC_IDENTIFY_VERSION;
    identify->config = kept;
    for (uint32_t i = 0; i < TC_IDENTIFY_RATIO + kept.ratios; ++i) {
        const tc_real start = kept.start[i];
        identify->mean[i] = i < TC_IDENTIFY_RATIO ? start : tc_log(start);
        identify->root[i * TC_IDENTIFY_MAX + i] = kept.sd[i];
    }
}

tc_status tc_identify_init(tc_identify *identify, const tc_identify_config *config)
{
    if (identify == NULL) {
        return TC_ERR_NULL;
    }
    memset(identify, 0, sizeof *identify);
    const tc_status status = config == NULL ? TC_ERR_NULL : check_settings(config);
    if (status == TC_OK) {
        write_start(identify, config);
    }
    return status;
}

/* Whether identify was started by this version of the library */
static tc_status find_version(const tc_identify *identify)
{
    if (identify == NULL) {
        return TC_ERR_NULL;
    }
    const int started = identify->version == TC_IDENTIFY_VERSION
                        && identify->config.ratios <= TC_IDENTIFY_RATIOS_MAX;
    return started ? TC_OK : TC_ERR_SIZE;
}

tc_status tc_identify_reset(tc_identify *identify)
{
    const tc_status status = find_version(identify);
    if (status == TC_OK) {
        write_start(identify, &identify->config);
    }
    return status;
}

tc_status tc_identify_read(const tc_identify *identify, tc_identify_estimate *estimate)
{
    const tc_status status = estimate == NULL ? TC_ERR_NULL : find_version(identify);
    if (status == TC_OK) {
        tci_identify_read_all(identify, estimate);
    }
    return status;
}

/* ---- Across a reboot ------------------------------------------------------------------------- */

static uint32_t sum_bytes(const tc_identify *identify)
{
    const size_t skipped = offsetof(tc_identify, config);
    const char *const bytes = (const char *)identify;
    return tc_bytes_crc32(0u, bytes + skipped, sizeof *identify - skipped);
}

tc_status tc_identify_save(const tc_identify *identify, tc_identify *saved)
{
    const tc_status status = saved == NULL ? TC_ERR_NULL : find_version(identify);
    if (status == TC_OK) {
        memmove(saved, identify, sizeof *saved);
        saved->checksum = sum_bytes(saved);
    }
    return status;
}

static int holds_finite(const tc_identify *saved)
{
    tc_real zero = TC_C(0.0) * saved->bound + TC_C(0.0) * saved->bound_sd;
    zero += tc_vec_zero(saved->mean, TC_IDENTIFY_MAX);
    for (uint32_t row = 0; row < TC_IDENTIFY_MAX; ++row) {
        zero += tc_vec_zero(saved->root + row * TC_IDENTIFY_MAX, TC_IDENTIFY_MAX);
    }
    return zero == TC_C(0.0);
}

tc_status tc_identify_check(const tc_identify *saved)
{
    if (saved == NULL) {
        return TC_ERR_NULL;
    }
    if (saved->version != TC_IDENTIFY_VERSION) {
        return TC_ERR_MODEL_VERSION;
    }
    if (saved->checksum != sum_bytes(saved)) {
        return TC_ERR_MODEL_CRC;
    }
    const int good = check_settings(&saved->config) == TC_OK;
    return good && holds_finite(saved) ? TC_OK : TC_ERR_MODEL_FIELD;
}

tc_status tc_identify_restore(tc_identify *identify, const tc_identify *saved)
{
    const tc_status status = identify == NULL ? TC_ERR_NULL : tc_identify_check(saved);
    if (status == TC_OK) {
        memmove(identify, saved, sizeof *identify);
    }
    return status;
}
