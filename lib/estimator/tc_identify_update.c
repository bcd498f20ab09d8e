/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One impact: checks, the workspace, and what the better trial (tc_identify_trial.c) does to the
 * estimate.
 */
#include "tc_exact.h"
#include "tc_identify_internal.h"
#include "tc_work.h"

#include <string.h>

#define STRIDE TC_IDENTIFY_MAX

/* ---- The estimate ---------------------------------------------------------------------------- */

/* Keeps the stronger of two bounds, and drops one that the filter contradicts. */
static void keep_bound(tc_identify *identify, const tci_identify_trial *trial)
{
    const tc_real before = tci_identify_read_floor(identify);
    const tc_real now = TC_MLS(trial->bound, TCI_IDENTIFY_BOUND, trial->bound_sd);
    if (trial->bound > TC_C(0.0) && now > before) {
        identify->bound = trial->bound;
        identify->bound_sd = trial->bound_sd;
    }
    const tc_real sd = tci_identify_read_sd(identify, TC_IDENTIFY_FRICTION);
    const tc_real most = TC_MLA(identify->mean[TC_IDENTIFY_FRICTION], TC_C(3.0), sd);
    if (!trial->sticks && tci_identify_read_floor(identify) > most) {
        identify->bound = identify->bound_sd = TC_C(0.0);
    }
}

static void count_up(uint32_t *count)
{
    *count += *count != UINT32_MAX;
}

static void accept_trial(tc_identify *identify, tci_identify_trial *trial)
{
    const uint32_t m = TC_IDENTIFY_RATIO + identify->config.ratios;
    const tc_real s = identify->root[0];
    tc_real shift;
    const tc_real wider = tci_identify_sides_mix(trial, &shift);
    identify->mean[TC_IDENTIFY_FRICTION] += s * shift;
    for (uint32_t i = 0; i < m; ++i) {
        for (uint32_t k = 0; k <= i; ++k) {
            identify->mean[i] =
                TC_MLA(identify->mean[i], identify->root[i * STRIDE + k], trial->z[k]);
        }
    }
    tci_identify_root_divide(identify->root, trial->C, m);
    tci_identify_root_widen(identify->root, TC_IDENTIFY_FRICTION, s * wider, m);
    keep_bound(identify, trial);
    for (uint32_t i = 0; i < m; ++i) {
        tci_identify_root_widen(identify->root, i, identify->config.drift[i], m);
    }
    const tc_real drift = identify->config.drift[TC_IDENTIFY_FRICTION], sd = identify->bound_sd;
    if (identify->bound > TC_C(0.0)) {
        identify->bound_sd = tc_sqrt(TC_MLA(sd * sd, drift, drift));
    }
    if (trial->bound > TC_C(0.0)) { /* it says nothing against a mu that has grown */
        count_up(&identify->sticks);
    } else {
        identify->rejected = 0u;
    }
}

/* Several impacts in a row were rejected: the estimate is wrong, not they. */
static void reopen_estimate(tc_identify *identify)
{
    const uint32_t m = TC_IDENTIFY_RATIO + identify->config.ratios;
    for (uint32_t i = 0; i < m; ++i) {
        tci_identify_root_widen(identify->root, i, identify->config.reopen[i], m);
    }
    identify->bound = identify->bound_sd = TC_C(0.0);
    identify->rejected = 0u;
    count_up(&identify->reopened);
}

IDENTIFY_APART static void judge_trial(tc_identify *identify, const tci_identify_pass *pass,
                                       tci_identify_trial *trial, tc_identify_info *info)
{
    info->iterations = pass->iterations;
    info->distance = trial->distance;
    info->limit = pass->gate;
    info->stuck = trial->bound > TC_C(0.0);
    info->bound = trial->bound;
    count_up(&identify->impacts);
    if (trial->distance <= info->limit) {
        info->outcome = TC_IDENTIFY_ACCEPTED;
        accept_trial(identify, trial);
        return;
    }
    info->outcome = TC_IDENTIFY_OUTLIER;
    count_up(&identify->outliers);
    if (++identify->rejected >= identify->config.patience) {
        info->outcome = TC_IDENTIFY_REOPENED;
        reopen_estimate(identify);
    }
}

/* ---- The border ------------------------------------------------------------------------------ */

static int is_started(const tc_identify *identify)
{
    return identify->version == TC_IDENTIFY_VERSION
           && identify->config.ratios <= TC_IDENTIFY_RATIOS_MAX;
}

static int has_arrays(const tc_identify_impact *impact, uint32_t ratios)
{
    return impact->M != NULL && impact->J != NULL && impact->before != NULL && impact->after != NULL
           && impact->before_sd != NULL && impact->after_sd != NULL
           && (impact->parts != NULL || ratios == 0u);
}

static tc_status check_strike(const tc_identify *identify, const tc_identify_impact *impact)
{
    if (identify == NULL || impact == NULL) {
        return TC_ERR_NULL;
    }
    const uint32_t most = impact->rows == 3u ? TC_CONE3_MAX : TC_CONE_MAX;
    if (!is_started(identify) || impact->d - 1u >= TC_CONE_FREEDOM_MAX || impact->d > TC_MAT_MAX
        || impact->n - 1u >= most || impact->rows - 2u >= 2u) {
        return TC_ERR_SIZE;
    }
    return has_arrays(impact, identify->config.ratios) ? TC_OK : TC_ERR_NULL;
}

static tc_status check_measured(const tc_identify_impact *impact, uint32_t ratios)
{
    const uint32_t d = impact->d, size = impact->diagonal ? d : d * d;
    const tc_real *const arrays[] = {impact->M,     impact->J,         impact->before,
                                     impact->after, impact->before_sd, impact->after_sd,
                                     impact->parts};
    const uint32_t sizes[] = {size, impact->n * impact->rows * d, d, d, d, d, ratios * size};
    int finite = 1, positive = 1;
    for (uint32_t i = 0; i < TC_COUNT(arrays); ++i) {
        finite = finite && tc_all_finite(arrays[i], sizes[i]);
    }
    for (uint32_t i = 0; i < d; ++i) {
        positive = positive && impact->before_sd[i] >= TC_C(0.0) && impact->after_sd[i] > TC_C(0.0);
    }
    return !finite ? TC_ERR_NOT_FINITE : (positive ? TC_OK : TC_ERR_RANGE);
}

/* Takes n numbers from the workspace. */
static tc_real *take_part(tc_real **work, uint32_t n)
{
    tc_real *const part = *work;
    *work += n;
    return part;
}

/* Cuts the workspace into arrays. Returns the trials, which come first. */
IDENTIFY_APART static tci_identify_trial *share_work(tci_identify_pass *pass, tc_real *work,
                                                     size_t work_len)
{
    tci_identify_linear *const l = &pass->linear;
    const uint32_t d = l->impact->d, contacts = l->impact->n * l->impact->rows;
    const uint32_t m = l->unknowns;
    tc_real *const end = work + work_len;
    tci_identify_trial *const trial = (tci_identify_trial *)(void *)work;
    _Static_assert(2u * sizeof *trial <= TC_IDENTIFY_TRIALS * sizeof *work, "the trials' part");
    work += TC_IDENTIFY_TRIALS;
    l->velocity = take_part(&work, contacts < 3u ? 3u : contacts);
    l->J = take_part(&work, 3u * d);
    l->mass = take_part(&work, d * d);
    l->B = take_part(&work, 3u * d);
    l->part = take_part(&work, d);
    l->edge = take_part(&work, d);
    l->change = take_part(&work, d);
    l->H = take_part(&work, d * m);
    l->F = take_part(&work, d * d);
    pass->R = take_part(&work, d * d);
    pass->X = take_part(&work, d * (m + 1u));
    pass->theta = take_part(&work, STRIDE);
    l->more = work;
    l->more_len = (size_t)(end - work);
    return trial;
}

/* Whether a contact approaches */
static int find_approach(const tci_identify_linear *linear)
{
    for (uint32_t i = 0; i < linear->impact->n; ++i) {
        if (linear->velocity[i * linear->impact->rows] < TC_C(0.0)) {
            return 1;
        }
    }
    return 0;
}

static tc_status update_checked(tc_identify *identify, const tc_identify_impact *impact,
                                tc_identify_info *info, tc_real *work, size_t work_len)
{
    tci_identify_pass pass;
    tci_identify_trial *better;
    memset(&pass, 0, sizeof pass);
    pass.identify = identify;
    pass.linear.impact = impact;
    pass.linear.law = identify->config.law;
    pass.linear.unknowns = TC_IDENTIFY_RATIO + identify->config.ratios;
    tci_identify_trial *const trial = share_work(&pass, work, work_len);
    tci_identify_model_start(&pass.linear);
    if (!find_approach(&pass.linear)) {
        return TC_OK;
    }
    const tc_status status = tci_identify_trial_run(&pass, trial, &better);
    if (status == TC_OK) {
        judge_trial(identify, &pass, better, info);
    }
    return status;
}

IDENTIFY_APART static tc_status judge_input(const tc_identify *identify,
                                            const tc_identify_impact *impact, const tc_real *work,
                                            size_t work_len)
{
    tc_status status = check_strike(identify, impact);
    if (status == TC_OK) {
        const size_t needed = TC_IDENTIFY_WORK(impact->d, impact->n, impact->rows);
        status = work == NULL ? TC_ERR_NULL : tc_work_check(work, work_len, needed);
    }
    return status == TC_OK ? check_measured(impact, identify->config.ratios) : status;
}

tc_status tci_identify_refuse(tc_status status, const tc_identify *identify,
                              tc_identify_estimate *estimate, tc_identify_info *info)
{
    if (info != NULL) {
        memset(info, 0, sizeof *info);
    }
    if (estimate != NULL && identify != NULL && is_started(identify)) {
        memset(estimate, 0, (TC_IDENTIFY_RATIO + identify->config.ratios) * sizeof *estimate);
    }
    return status;
}

tc_status tc_identify_update(tc_identify *identify, const tc_identify_impact *impact,
                             tc_identify_estimate *estimate, tc_identify_info *info, tc_real *work,
                             size_t work_len)
{
    tc_identify_info found;
    memset(&found, 0, sizeof found);
    tc_status status = judge_input(identify, impact, work, work_len);
    status = status == TC_OK ? update_checked(identify, impact, &found, work, work_len) : status;
    if (status != TC_OK) {
        return tci_identify_refuse(status, identify, estimate, info);
    }
    if (info != NULL) {
        *info = found;
    }
    if (estimate != NULL) {
        tci_identify_read_all(identify, estimate);
    }
    return TC_OK;
}
