/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Analytic laws for CD-Lagrange systems.
 *
 * Pendulum: V = m g l (1 - cos q) = 2 m g l sin^2(q / 2), which keeps its digits for small angles.
 *
 * Cost on Cortex-M4F: a pendulum 55, a pair of spheres 60 and a square root.
 */
#include "tc_exact.h"
#include "tc_cdl_laws.h"

#include "tc_cdl_internal.h"
#include "tc_math_core.h"
#include "tc_vec.h"

#include <string.h>

/* Asked for seldom: kept out of the force's registers. */
CDL_APART static tc_real pendulum_energy(const tc_real *torque, const tc_real *Q, uint32_t n)
{
    tc_real sum = TC_C(0.0);
    for (uint32_t i = 0; i < n; i++) {
        const tc_real sine = tc_sin(TC_C(0.5) * Q[i]);
        sum = TC_MLA(sum, TC_C(2.0) * torque[i], sine * sine);
    }
    return sum;
}

static tc_status pendulum_force(const void *context, const tc_cdl *cdl, const tc_real *Q,
                                tc_real *force, tc_real *potential, tc_real *scratch)
{
    const tc_real *torque = context;
    const tc_real *const end = torque + cdl->coordinates;
    (void)scratch;
    if (potential != NULL) {
        *potential = pendulum_energy(torque, Q, cdl->coordinates);
    }
    do {
        *force++ = -*torque++ * tc_sin_core(*Q++);
    } while (torque != end);
    return TC_OK;
}

tc_cdl_potential tc_cdl_laws_pendulums(const tc_real *torque)
{
    const tc_cdl_potential law = {pendulum_force, torque, 0};
    return law;
}

#define NEAR_LAWS TC_C(1e-30) /* [m^2] squares below round too coarsely, or to 0 */

/* Of centres that nearly coincide: by the largest coordinate first, whose square would be lost.
 * Where they coincide to the bit any direction is as good: the first axis. */
CDL_APART static tc_real unit_of_least(tc_real *x, uint32_t d)
{
    tc_real most = TC_C(0.0);
    for (uint32_t a = 0; a < d; a++) {
        most = tc_vec_max(tc_vec_magnitude(x[a]), most);
    }
    for (uint32_t a = 0; a < d; a++) {
        x[a] = most > TC_C(0.0) ? x[a] / most : (a == 0u ? TC_C(1.0) : TC_C(0.0));
    }
    const tc_real length = tc_sqrt(tci_cdl_dot(x, x, d));
    for (uint32_t a = 0; a < d; a++) {
        x[a] /= length;
    }
    return most * length;
}

/* Gap and normal of the pair's line of centres. */
static tc_real sphere_gap(const tc_cdl *cdl, const tc_cdl_contact *contact, const tc_real *Q,
                          tc_real *normal)
{
    const uint32_t d = cdl->config.dimension;
    const tc_real *const q = Q + contact->body * d, *const p = Q + contact->other * d;
    for (uint32_t a = 0; a < d; a++) {
        normal[a] = q[a] - p[a];
    }
    const tc_real square = tci_cdl_dot(normal, normal, d);
    if (square < NEAR_LAWS) {
        return unit_of_least(normal, d) - contact->distance;
    }
    const tc_real apart = tc_sqrt(square), scale = TC_C(1.0) / apart;
    for (uint32_t a = 0; a < d; a++) {
        normal[a] *= scale;
    }
    return apart - contact->distance;
}

static tc_status sphere_gaps(const void *context, const tc_cdl *cdl, const tc_real *Q,
                             const tc_real *V, tc_real *gap, tc_real *normal, tc_real *scratch)
{
    const uint32_t d = cdl->config.dimension;
    (void)context;
    (void)V;
    (void)scratch;
    for (uint32_t c = 0; c < cdl->config.contacts; c++, normal += d) {
        const tc_cdl_contact *const contact = &cdl->config.contact[c];
        if (contact->other == TC_CDL_WALL) {
            memcpy(normal, contact->normal, d * sizeof *normal);
            gap[c] = tci_cdl_along(contact, normal, Q, d) - contact->distance;
        } else {
            gap[c] = sphere_gap(cdl, contact, Q, normal);
        }
    }
    return TC_OK;
}

tc_cdl_signal tc_cdl_laws_spheres(void)
{
    const tc_cdl_signal signal = {sphere_gaps, NULL, 0, 1, 1};
    return signal;
}
