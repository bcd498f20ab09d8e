/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Estimates from the filter's Gaussian and the ranges of the unknowns.
 *
 * mu and e: the normal distribution with mean m and deviation s, truncated to [low, high]. With
 * a = (low - m) / s, b = (high - m) / s, Z = Phi(b) - Phi(a):
 *
 *     mean      m + s (phi(a) - phi(b)) / Z
 *     variance  s^2 (1 + (a phi(a) - b phi(b)) / Z - ((phi(a) - phi(b)) / Z)^2)
 *     quantile  m + s Phi^-1(Phi(a) + p Z)
 *
 * Beyond 4 deviations Z has no digits left in float. What remains there falls as an exponential of
 * scale s / a, which has the three in closed form.
 *
 * Ratios: the logarithm is normal, so quantiles are e^quantile.
 */
#include "tc_exact.h"
#include "tc_identify_internal.h"

#include <string.h>

/* Truncation beyond these many deviations changes nothing, and leaves a tail. */
static const tc_real far_limit = TC_C(5.0), tail_limit = TC_C(4.0);

tc_real tci_identify_read_sd(const tc_identify *identify, uint32_t i)
{
    const tc_real *const row = identify->root + i * TC_IDENTIFY_MAX;
    tc_real square = TC_C(0.0);
    for (uint32_t k = 0; k <= i; ++k) {
        square = TC_MLA(square, row[k], row[k]);
    }
    return tc_sqrt(square);
}

tc_real tci_identify_read_floor(const tc_identify *identify)
{
    return tc_vec_not_negative(TC_MLS(identify->bound, TCI_IDENTIFY_BOUND, identify->bound_sd));
}

/* x with Phi(x) = p: an approximation of the inverse error function by logarithms and roots, within
 * 2e-3, and one step of Newton's method. */
static tc_real invert_normal(tc_real p)
{
    const tc_real log = tc_log(TC_C(4.0) * p * (TC_C(1.0) - p));
    const tc_real half = TC_MLA(TC_C(4.3307467), TC_C(0.5), log); /* 2 / (0.147 pi) */
    const tc_real root = tc_sqrt(TC_MLS(half * half, log, TC_C(6.8027211))) - half;
    const tc_real size = tc_sqrt(TC_C(2.0) * tc_vec_not_negative(root));
    const tc_real x = p < TC_C(0.5) ? -size : size;
    return x - (tc_normal_distribution(x) - p) / tc_normal_density(x);
}

/* The tail above low, `side` 1, or below it, -1, falling with scale */
static void write_tail(tc_real low, tc_real scale, tc_real side, tc_identify_estimate *estimate)
{
    const tc_real one = low;
    const tc_real two = TC_MLA(low, side * scale, TC_C(2.3025851));
    estimate->value = TC_MLA(low, side, scale);
    estimate->sd = scale;
    estimate->low = side > TC_C(0.0) ? one : two;
    estimate->high = side > TC_C(0.0) ? two : one;
}

/* Mean and standard deviation of the truncated distribution; Z and Phi(a) to mass[2] */
static void write_moments(tc_real m, tc_real s, const tc_real limit[2], tc_real mass[2],
                          tc_identify_estimate *estimate)
{
    const tc_real a = (limit[0] - m) / s, b = (limit[1] - m) / s;
    const tc_real at_a = tc_normal_density(a), at_b = tc_normal_density(b);
    mass[1] = tc_normal_distribution(a);
    mass[0] = tc_normal_distribution(b) - mass[1];
    const tc_real shift = (at_a - at_b) / mass[0];
    const tc_real part = TC_C(1.0) + (a * at_a - b * at_b) / mass[0] - shift * shift;
    estimate->value = TC_MLA(m, s, shift);
    estimate->sd = s * tc_sqrt(tc_vec_not_negative(part));
}

/* The shortest interval of 90 % */
static void write_interval(tc_real m, tc_real s, const tc_real limit[2], const tc_real mass[2],
                           tc_identify_estimate *estimate)
{
    const tc_real half = s * invert_normal(TC_MLA(TC_C(0.5), TC_C(0.45), mass[0]));
    estimate->low = m - half;
    estimate->high = m + half;
    if (estimate->low < limit[0] && limit[0] - m > m - limit[1]) {
        estimate->low = limit[0];
        estimate->high = TC_MLA(m, s, invert_normal(TC_MLA(mass[1], TC_C(0.9), mass[0])));
    } else if (estimate->high > limit[1]) {
        estimate->low = TC_MLA(m, s, invert_normal(TC_MLA(mass[1], TC_C(0.1), mass[0])));
        estimate->high = limit[1];
    }
}

/* The normal distribution truncated to limit[0]..limit[1] */
static void truncate_normal(tc_real m, tc_real s, const tc_real limit[2],
                            tc_identify_estimate *estimate)
{
    tc_real mass[2];
    estimate->sd = s;
    estimate->value = m < limit[0] ? limit[0] : (m > limit[1] ? limit[1] : m);
    estimate->low = estimate->high = estimate->value;
    if (!(s > TC_C(0.0))) {
        return;
    }
    if (limit[0] - m > tail_limit * s) {
        write_tail(limit[0], s * s / (limit[0] - m), TC_C(1.0), estimate);
    } else if (m - limit[1] > tail_limit * s) {
        write_tail(limit[1], s * s / (m - limit[1]), TC_C(-1.0), estimate);
    } else if (m - limit[0] > far_limit * s && limit[1] - m > far_limit * s) {
        estimate->low = TC_MLS(m, TCI_IDENTIFY_WIDTH, s);
        estimate->high = TC_MLA(m, TCI_IDENTIFY_WIDTH, s);
    } else {
        write_moments(m, s, limit, mass, estimate);
        write_interval(m, s, limit, mass, estimate);
    }
}

/* The range of mu or e */
static void write_limits(const tc_identify *identify, uint32_t i, tc_real limit[2])
{
    limit[0] = i == TC_IDENTIFY_FRICTION ? tci_identify_read_floor(identify) : TC_C(0.0);
    limit[1] = i == TC_IDENTIFY_FRICTION ? TC_CONE_FRICTION_MAX : TC_C(1.0);
}

void tci_identify_read_means(const tc_identify *identify, tc_real means[TC_IDENTIFY_MAX])
{
    memcpy(means, identify->mean, sizeof identify->mean);
    for (uint32_t i = 0; i < TC_IDENTIFY_RATIO; ++i) {
        tc_real limit[2], mass[2];
        tc_identify_estimate estimate;
        const tc_real m = means[i], s = tci_identify_read_sd(identify, i);
        write_limits(identify, i, limit);
        if (m - limit[0] > far_limit * s && limit[1] - m > far_limit * s) {
            continue;
        }
        estimate.value = m < limit[0] ? limit[0] : limit[1];
        if (limit[0] - m < tail_limit * s && m - limit[1] < tail_limit * s) {
            write_moments(m, s, limit, mass, &estimate);
        }
        means[i] = estimate.value;
    }
}

void tci_identify_read_all(const tc_identify *identify, tc_identify_estimate *estimate)
{
    const uint32_t unknowns = TC_IDENTIFY_RATIO + identify->config.ratios;
    for (uint32_t i = 0; i < unknowns; ++i) {
        const tc_real m = identify->mean[i], s = tci_identify_read_sd(identify, i);
        if (i < TC_IDENTIFY_RATIO) {
            tc_real limit[2];
            write_limits(identify, i, limit);
            truncate_normal(m, s, limit, estimate + i);
        } else {
            const tc_real width = TCI_IDENTIFY_WIDTH * s;
            estimate[i].value = tc_exp(m);
            estimate[i].sd = estimate[i].value * s;
            estimate[i].low = tc_exp(m - width);
            estimate[i].high = tc_exp(m + width);
        }
    }
}
