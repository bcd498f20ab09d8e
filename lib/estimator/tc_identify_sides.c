/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Both sides of sticking. A contact slips with a mu below the edge |f_t| / f_n of the contact that
 * sticks. Above the edge it sticks, and mu changes nothing.
 *
 * mu has the mean m and the deviation s before the impact; x = (mu - m) / s, k is x at the edge, l at
 * the lower limit by earlier bounds. S is lower triangular with mu first. So the filter's step gives
 * x the mean z = z_0 and the deviation 1 / C, C = C_00, after an impact that slips. The likelihood of
 * the impact follows by division; above the edge it keeps its value at the edge. The shares are
 *
 *     slips:   (Phi(C (k - z)) - Phi(C (l - z))) / C                                         (7)
 *     sticks:  e^((k^2 - C^2 (k - z)^2) / 2) (1 - Phi(max(k, l)))                            (8)
 *
 * up to a common factor. A trial that sticks has z and C by the derivative of the model just below
 * the edge. With g the slope and i the curvature of its log-likelihood in mu, the other unknowns
 * adapted,
 *
 *     C^2 = 1 + s^2 i,   z = (s g + s^2 i k) / C^2                                           (9)
 *
 * With a trial on each side, (8) and the factor 1 / C in (7) are replaced by the densities of what
 * was measured: the logarithm -distance / 2 - sum log L_jj - sum log C_jj, R = L L^T.
 *
 * The estimate after is the mixture's mean and variance. So an impact that may have slipped or stuck
 * leaves mu as open as it is. A bound of mu is kept beside the Gaussian: there the part that sticks
 * is the Gaussian before. Without a bound it is that Gaussian's part above the edge.
 */
#include "tc_exact.h"
#include "tc_identify_internal.h"

static const tc_real certain =
    TC_C(30.0); /* a logarithm of odds beyond which one side is left out */
static const tc_real smallest = TC_C(1e-30);

/* log(1 - Phi(x)) */
static tc_real log_above(tc_real x)
{
    if (x > TC_C(4.0)) { /* phi(x) x / (1 + x^2), to 0.4 % */
        const tc_real square = x * x;
        return tc_log(TC_C(0.39894228) * x / (TC_C(1.0) + square)) - TC_C(0.5) * square;
    }
    return tc_log(tc_normal_distribution(-x));
}

/* 1 / (1 + e^-x) */
static tc_real share_odds(tc_real x)
{
    if (x > certain) {
        return TC_C(1.0);
    }
    return x < -certain ? TC_C(0.0) : TC_C(1.0) / (TC_C(1.0) + tc_exp(-x));
}

/* (9), and the bound of mu: the edge, or the mu that fits best where that is less. Its deviation is
 * by the noise before, and by how far the contact could slip unseen. */
static void extend_below(const tci_identify_pass *pass, tci_identify_trial *trial)
{
    const tci_identify_linear *const l = &pass->linear;
    const uint32_t d = l->impact->d, m = l->unknowns;
    const tc_real s = pass->identify->root[0];
    tc_real y[TC_IDENTIFY_MAX], x[TC_IDENTIFY_MAX];
    tci_identify_weigh_vector(pass->R, l->edge, d);
    for (uint32_t i = 0; i < m; ++i) {
        x[i] = y[i] = tci_identify_dot(pass->X + i * d, l->edge, d);
    }
    tci_identify_root_solve(trial->C, x, m);
    const tc_real seen = tci_identify_dot(l->edge, l->edge, d) - tci_identify_dot(x, y, m);
    if (!(seen > TC_C(1e-6))) {
        return;
    }
    const tc_real slope = tci_identify_dot(l->edge, pass->X + m * d, d);
    const tc_real square = TC_MLA(TC_C(1.0), s * s, seen);
    const tc_real far = s * seen * (trial->stick - pass->identify->mean[TC_IDENTIFY_FRICTION]);
    trial->sides.steep = tc_sqrt(square);
    trial->sides.peak = TC_MLA(far, s, slope) / square;
    trial->bound = l->bound + (slope < TC_C(0.0) ? slope / seen : TC_C(0.0));
    trial->bound_sd = tc_sqrt(TC_MLA(TC_C(1.0) / seen, l->bound_sd, l->bound_sd));
}

/* Whether (8) is far below (7): 1 - Phi(k) is at most e^(-k^2/2) where k > 0 */
static int slips_surely(const tci_identify_sides *sides, tc_real over, tc_real low)
{
    const tc_real k = sides->edge > TC_C(0.0) ? TC_C(0.0) : sides->edge;
    return over > TC_C(0.0) && over * over - k * k > TC_C(2.0) * certain && low < sides->peak;
}

void tci_identify_sides_read(const tci_identify_pass *pass, tci_identify_trial *trial)
{
    const tc_identify *const identify = pass->identify;
    const tc_real m = identify->mean[TC_IDENTIFY_FRICTION], s = identify->root[0];
    tci_identify_sides *const sides = &trial->sides;
    sides->slips = trial->sticks ? TC_C(0.0) : TC_C(1.0);
    sides->edge = sides->below = sides->above = TC_C(0.0);
    sides->peak = trial->z[0];
    sides->steep = trial->C[0];
    trial->bound = trial->bound_sd = TC_C(0.0);
    if (pass->linear.sticks) {
        extend_below(pass, trial);
    }
    const int open = trial->stick < TC_CONE_FRICTION_MAX && sides->steep > TC_C(1.0);
    if (!open || !(s > TC_C(0.0))) {
        return;
    }
    const tc_real k = (trial->stick - m) / s;
    const tc_real low = (tci_identify_read_floor(identify) - m) / s;
    const tc_real over = sides->steep * (k - sides->peak);
    sides->edge = k;
    if (slips_surely(sides, over, low)) {
        return;
    }
    const tc_real under = sides->steep * (low - sides->peak);
    const tc_real below = tc_normal_distribution(over) - tc_normal_distribution(under);
    sides->below = tc_log(below > smallest ? below : smallest);
    sides->above = log_above(low > k ? low : k);
    sides->slips = share_odds(TC_C(0.5) * (over * over - k * k) + sides->below - sides->above
                              - tc_log(sides->steep));
}

/* Sum of the logarithms of n diagonal elements, three at a time */
static tc_real sum_logs(const tc_real *matrix, uint32_t stride, uint32_t n)
{
    tc_real sum = TC_C(0.0), product = TC_C(1.0);
    for (uint32_t i = 0; i < n; ++i) {
        product *= matrix[i * stride + i];
        if (i % 3u == 2u || i + 1u == n) {
            sum += tc_log(product);
            product = TC_C(1.0);
        }
    }
    return sum;
}

tc_real tci_identify_sides_density(const tci_identify_pass *pass, const tci_identify_trial *trial)
{
    const uint32_t d = pass->linear.impact->d;
    return TC_C(-0.5) * trial->distance - sum_logs(pass->R, d, d)
           - sum_logs(trial->C, TC_IDENTIFY_MAX, pass->linear.unknowns);
}

void tci_identify_sides_compare(tci_identify_trial *slips, tci_identify_trial *sticks, tc_real lead)
{
    slips->sides.slips = share_odds(lead + slips->sides.below - slips->sides.above);
    sticks->sides = slips->sides;
}

tc_real tci_identify_sides_mix(tci_identify_trial *trial, tc_real *shift)
{
    const tci_identify_sides *const sides = &trial->sides;
    const tc_real one = sides->slips, two = TC_C(1.0) - one;
    const tc_real square = TC_C(1.0) / (sides->steep * sides->steep);
    *shift = TC_C(0.0);
    if (trial->sticks) { /* towards the peak; the others follow their correlation with mu */
        const tc_real spread = TC_MLA(two, two * one, sides->peak * sides->peak);
        trial->z[0] = one * sides->peak;
        trial->C[0] = TC_C(1.0) / tc_sqrt(TC_MLA(spread, one, square));
        return TC_C(0.0);
    }
    if (two < TC_C(1e-4)) {
        return TC_C(0.0);
    }
    const tc_real mean = tc_normal_ratio(-sides->edge); /* of x above the edge */
    const tc_real above = tc_vec_not_negative(TC_MLA(TC_C(1.0), mean, sides->edge - mean));
    const tc_real apart = mean - trial->z[0];
    *shift = two * apart;
    return tc_sqrt(tc_vec_not_negative(two * (above - square + one * apart * apart)));
}
