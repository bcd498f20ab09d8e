/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One impact: an iterated extended Kalman filter, with trials. The model is linearised up to three
 * times (tc_identify_weigh.c), each time at the last theta, until steps are short.
 *
 * A contact that sticks has d/dmu = 0, so the filter cannot leave a mu at which the contact sticks,
 * although it slipped. Nor may it believe that a contact slipped which stuck: its mu would be known
 * far too well. Each impact therefore has up to two trials. One begins at the mean. Another begins
 * on the other side of sticking where that side is likely (tc_identify_sides.c), or where the first
 * trial does not fit. A trial stays on its side. The more likely one counts, mixed with the other
 * side by its share. One that sticks pays for the deviations that the mean lies below the edge.
 */
#include "tc_exact.h"
#include "tc_identify_internal.h"

#include <string.h>

#define STRIDE TC_IDENTIFY_MAX
#define ITERATIONS 3u

/* A trial ends with a step below one of these, squared: in standard deviations before the impact, or
 * in the unknowns. What the linear model leaves out there is far below any sensor's noise. */
static const tc_real step_limit = TC_C(0.0025), small_step = TC_C(1e-4);
/* A trial that fits worse than this many deviations of a normal distribution calls for another. */
static const tc_real doubt = TC_C(1.0);
/* How far inside its side of the edge a trial of slipping stays, and one of sticking begins. */
static const tc_real slip_side = TC_C(0.98), stick_side = TC_C(1.02);
/* Shares of slipping that call for a trial of slipping, and one of sticking. Below the first the
 * derivative at the edge serves, above the second the step's own. */
static const tc_real try_slip = TC_C(0.2), try_stick = TC_C(0.5);

static tc_real limit_between(tc_real x, tc_real low, tc_real high)
{
    return x < low ? low : (x > high ? high : x);
}

/* Where a trial may linearise. mu of a trial that sticks stays. */
static tc_real limit_unknown(const tci_identify_trial *trial, uint32_t i, tc_real x)
{
    if (i == TC_IDENTIFY_FRICTION) {
        const tc_real edge = slip_side * trial->stick;
        return limit_between(x < edge ? x : edge, TCI_IDENTIFY_LEAST, TC_CONE_FRICTION_MAX);
    }
    return i == TC_IDENTIFY_RESTITUTION
               ? limit_between(x, TCI_IDENTIFY_LEAST, TC_C(1.0))
               : limit_between(x, -TCI_IDENTIFY_LOG_MAX, TCI_IDENTIFY_LOG_MAX);
}

/* theta = m + S z inside the unknowns' ranges and on the trial's side. Returns 1 if that is a step so
 * short that the trial ends. */
IDENTIFY_APART static int move_theta(tci_identify_pass *pass, tci_identify_trial *trial)
{
    const tc_identify *const identify = pass->identify;
    tc_real square = TC_C(0.0), size = TC_C(0.0);
    trial->crossed = 0u;
    for (uint32_t i = trial->sticks; i < pass->linear.unknowns; ++i) {
        const tc_real *const row = identify->root + i * STRIDE;
        tc_real x = identify->mean[i], spread = TC_EPSILON;
        for (uint32_t k = 0; k <= i; ++k) {
            x = TC_MLA(x, row[k], trial->z[k]);
            spread = TC_MLA(spread, row[k], row[k]);
        }
        trial->crossed |= i == TC_IDENTIFY_FRICTION && x > trial->stick;
        x = limit_unknown(trial, i, x);
        const tc_real change = x - pass->theta[i];
        square += change * change / spread;
        size = TC_MLA(size, change, change);
        pass->theta[i] = x;
    }
    return square < step_limit || size < small_step;
}

/* What a trial that sticks pays where the mean lies below the edge */
static tc_real price_bound(const tci_identify_pass *pass, const tci_identify_trial *trial)
{
    const tc_real below =
        tc_vec_not_negative(trial->stick - pass->identify->mean[TC_IDENTIFY_FRICTION]);
    const tc_real sd = pass->identify->root[0];
    const tc_real spread = TC_MLA(TC_MLA(TC_EPSILON, sd, sd), trial->bound_sd, trial->bound_sd);
    return trial->sticks ? below * below / spread : TC_C(0.0);
}

/* Value of a chi-square distribution with d degrees that is exceeded as a normal distribution is
 * beyond `deviations` (Wilson and Hilferty's approximation). */
IDENTIFY_APART static tc_real limit_distance(uint32_t d, tc_real deviations)
{
    const tc_real n = (tc_real)d, spread = TC_C(2.0) / (TC_C(9.0) * n);
    const tc_real root = TC_C(1.0) - spread + deviations * tc_sqrt(spread);
    return n * root * root * root;
}

/* Whether the other side is not too far for this trial to be worse, and accepted there */
static int reach_other(const tci_identify_pass *pass, const tci_identify_trial *trial)
{
    const tc_real sd = pass->identify->root[0];
    const tc_real far = pass->identify->mean[TC_IDENTIFY_FRICTION] - trial->stick;
    const tc_real most = trial->distance < pass->gate ? trial->distance : pass->gate;
    return far * far <= most * sd * sd;
}

/* Whether the other side is likely enough for a trial of its own */
static int expect_other(const tci_identify_trial *trial)
{
    return trial->sticks ? trial->sides.slips > try_slip : trial->sides.slips < try_stick;
}

/* Whether a trial on the other side could be better than this one */
IDENTIFY_APART static int doubt_trial(const tci_identify_pass *pass,
                                      const tci_identify_trial *trial)
{
    if (pass->iterations == ITERATIONS || !(trial->stick < TC_CONE_FRICTION_MAX)
        || !(trial->stick > TCI_IDENTIFY_LEAST)) {
        return 0;
    }
    const int doubtful = trial->distance > pass->limit || trial->crossed;
    return expect_other(trial) || (doubtful && reach_other(pass, trial));
}

/* Linearises at pass->theta, and computes the step from there. */
static tc_status linearise_pass(tci_identify_pass *pass, tci_identify_trial *trial)
{
    const tc_status status = tci_identify_model_at(&pass->linear, pass->theta);
    ++pass->iterations;
    return status == TC_OK ? tci_identify_weigh_step(pass, trial) : status;
}

/* A trial from pass->theta; `side` 0 or 1: slips or sticks; 2: as the contact does there. The first
 * trial leaves one linearisation to a second one that it needs. */
static tc_status run_trial(tci_identify_pass *pass, uint32_t side, tci_identify_trial *trial)
{
    int settled = 0;
    pass->linear.kinds = trial->crossed = 0u;
    trial->sticks = side;
    while (!settled) {
        const tc_status status = linearise_pass(pass, trial);
        if (status != TC_OK) {
            return status;
        }
        trial->sticks = trial->sticks == 2u ? pass->linear.sticks : trial->sticks;
        trial->stick = pass->linear.stick;
        settled = pass->iterations == ITERATIONS || move_theta(pass, trial);
        const int last = side == 2u && pass->iterations + 1u == ITERATIONS;
        if (settled || last) {
            tci_identify_sides_read(pass, trial);
        }
        settled = settled || (last && doubt_trial(pass, trial));
    }
    return TC_OK;
}

tc_status tci_identify_trial_run(tci_identify_pass *pass, tci_identify_trial *trial,
                                 tci_identify_trial **better)
{
    const uint32_t d = pass->linear.impact->d;
    pass->limit = limit_distance(d, doubt);
    pass->gate = limit_distance(d, pass->identify->config.gate);
    *better = trial;
    tc_real *const begin = trial[1].C; /* unused by the first trial */
    tci_identify_read_means(pass->identify, begin);
    memcpy(pass->theta, begin, TC_IDENTIFY_MAX * sizeof *begin);
    const tc_status status = run_trial(pass, 2u, trial);
    if (status == TC_OK && doubt_trial(pass, trial)) {
        const uint32_t sticks = trial->sticks;
        const tc_real edge = (sticks ? slip_side : stick_side) * trial->stick;
        tc_real lead = tci_identify_sides_density(pass, trial);
        memcpy(pass->theta, begin, TC_IDENTIFY_MAX * sizeof *begin);
        tc_real *const mu = pass->theta + TC_IDENTIFY_FRICTION;
        *mu = sticks == (uint32_t)(*mu < edge) ? *mu : edge;
        if (run_trial(pass, !sticks, trial + 1) == TC_OK) {
            lead -= tci_identify_sides_density(pass, trial + 1);
            tci_identify_sides_compare(trial + sticks, trial + !sticks, sticks ? -lead : lead);
            *better += sticks == (uint32_t)(trial->sides.slips > TC_C(0.5));
        }
    }
    (*better)->distance += status == TC_OK ? price_bound(pass, *better) : TC_C(0.0);
    return status;
}
