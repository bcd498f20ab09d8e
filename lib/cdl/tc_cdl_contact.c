/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: forces, and contacts of any system. tc_cdl.c has the equations.
 *
 * Gaps are all measured before the first impulse: projections move positions, and must not open or
 * close what comes later in the list.
 */
#include "tc_exact.h"
#include "tc_vec.h"
#include "tc_cdl_internal.h"
#include "tc_math.h"

#include <string.h>

/* What of the library's own is called through pointers: */
/* tc_calls: tci_cdl_forces lib/cdl/tc_cdl_laws.c:pendulum_force lib/cdl/tc_cdl_nets.c:net_force */
/* tc_calls: tci_cdl_meet lib/cdl/tc_cdl_laws.c:sphere_gaps lib/cdl/tc_cdl_nets.c:net_gap */
/* tc_calls: tci_cdl_meet lib/cdl/tc_cdl_ground.c:ground_gaps */
/* tc_calls: tci_cdl_meet lib/cdl/tc_cdl_simultaneous.c:resolve_heaps */

/* ---- Forces ---------------------------------------------------------------------------------- */

CDL_APART static void add_forces_contact(const tc_cdl *cdl, const tc_real *force, const tc_real *V,
                                         tc_real *F)
{
    const uint32_t d = cdl->config.dimension;
    const tc_real *const damping = cdl->config.damping;
    for (uint32_t k = 0, i = 0; k < cdl->config.bodies; k++) {
        for (uint32_t a = 0; a < d; a++, i++) {
            F[i] = force != NULL ? F[i] + force[i] : F[i];
            F[i] = damping != NULL ? TC_MLS(F[i], damping[k], V[i]) : F[i];
        }
    }
}

/* D = drift + h M^-1 F with mass matrices, in place. */
CDL_APART static void apply_inverse_mass(const tc_cdl *cdl, tc_real *D)
{
    const uint32_t d = cdl->config.dimension;
    for (uint32_t i = 0; i < cdl->coordinates; i += d) {
        tc_real F[TC_CDL_DIMENSION_MAX] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
        memcpy(F, D + i, d * sizeof *D);
        for (uint32_t a = 0; a < d; a++) {
            D[i + a] = cdl->drift[i + a] + tci_cdl_dot(cdl->rate + (i + a) * d, F, d);
        }
    }
}

tc_status tci_cdl_forces(const tc_cdl *cdl, const tc_real *force, const tc_real *Q,
                         const tc_real *V, tc_real *work)
{
    const uint32_t n = cdl->coordinates;
    tc_real *D = work + 2u * n;
    const tc_cdl_potential *const model = &cdl->config.potential;
    tc_status status = TC_OK;
    if (model->force != NULL) {
        status = model->force(model->context, cdl, Q, D, NULL,
                              D + n + cdl->config.contacts * (cdl->config.dimension + 1u));
    } else {
        memset(D, 0, n * sizeof *D);
    }
    if (force != NULL || cdl->config.damping != NULL) {
        add_forces_contact(cdl, force, V, D);
    }
    if (cdl->H == NULL) {
        apply_inverse_mass(cdl, D);
        return status;
    }
    const tc_real *rate = cdl->rate, *drift = cdl->drift;
    tc_real *const end = D + n;
    do {
        *D = TC_MLA(*drift++, *rate++, *D);
    } while (++D != end);
    return status;
}

/* ---- Contacts -------------------------------------------------------------------------------- */

static tc_status measure_gaps(const tc_cdl *cdl, const tci_cdl_work *r)
{
    const tc_cdl_signal *const signal = &cdl->config.signal;
    if (signal->gap != NULL) {
        return signal->gap(signal->context, cdl, r->Q, r->V, r->gap, r->normal, r->scratch);
    }
    for (uint32_t c = 0; c < cdl->config.contacts; c++) {
        r->gap[c] = tci_cdl_gap(cdl, c, r->Q, cdl->config.dimension);
    }
    return TC_OK;
}

/* Whether any contact is closed; -1 if a gap is not finite. */
static int any_closed(const tc_real *gap, uint32_t contacts)
{
    tc_real zero = TC_C(0.0);
    int closed = 0;
    for (uint32_t c = 0; c < contacts; c++) {
        zero *= gap[c];
        closed |= gap[c] <= TC_C(0.0);
    }
    return zero == TC_C(0.0) ? closed : -1;
}

static uint32_t faulty_gap(const tc_cdl *cdl, const tc_real *gap)
{
    for (uint32_t c = 0; c < cdl->config.contacts; c++) {
        if (!tc_all_finite(&gap[c], 1)) {
            return cdl->config.contact[c].body;
        }
    }
    return cdl->config.bodies;
}

/* Whether the normals that a turning signal gave closed contacts are of unit length. */
static tc_status check_normals(const tc_cdl *cdl, const tci_cdl_work *r, tc_cdl_info *info)
{
    const uint32_t d = cdl->config.dimension;
    for (uint32_t c = 0; c < cdl->config.contacts && r->normal != NULL; c++) {
        if (r->gap[c] <= TC_C(0.0) && !tc_vec_is_unit(r->normal + c * d, d)) {
            info->body = cdl->config.contact[c].body;
            return TC_ERR_UNIT;
        }
    }
    return TC_OK;
}

/* All closed contacts in the order of the list. */
static void resolve_in_order(const tc_cdl *cdl, const tci_cdl_work *r)
{
    for (uint32_t c = 0; c < cdl->config.contacts; c++) {
        r->gap[c] =
            r->gap[c] <= TC_C(0.0) ? tci_cdl_resolve(cdl, r, c, cdl->config.dimension) : TC_C(0.0);
    }
}

/* What resolves at once looks at V + D: V alone tells nothing of what is stuck. */
static tci_cdl_depths survey_depths(const tc_cdl *cdl, const tci_cdl_work *r, int in_sequence)
{
    tci_cdl_depths depths = {TC_C(0.0), 0};
    if (cdl->metric) {
        depths = tci_cdl_survey_all(cdl, r, cdl->config.dimension);
    }
    depths.stuck &= in_sequence;
    return depths;
}

tc_status tci_cdl_meet(const tc_cdl *cdl, tc_real *Q, tc_real *V, tc_real *work, tc_cdl_info *info)
{
    const tc_cdl_config *const config = &cdl->config;
    const tci_cdl_work r = tci_cdl_carve(cdl, Q, V, work);
    const tc_status status = config->contacts > 0u ? measure_gaps(cdl, &r) : TC_OK;
    const int closed = status >= TC_OK ? any_closed(r.gap, config->contacts) : 0;
    if (closed == 0) {
        return status;
    }
    if (closed < 0) {
        info->body = faulty_gap(cdl, r.gap);
        return TC_ERR_NOT_FINITE;
    }
    tc_status note = check_normals(cdl, &r, info);
    if (note < TC_OK) {
        return note;
    }
    info->impulse = r.gap;
    if (config->resolver == NULL) {
        resolve_in_order(cdl, &r);
    } else {
        note = config->resolver->resolve(cdl, &r);
    }
    const tci_cdl_depths depths = survey_depths(cdl, &r, config->resolver == NULL || note != TC_OK);
    note = tci_cdl_noted(note, tci_cdl_relieve(cdl, &r, depths, info));
    return tci_cdl_noted(note, status);
}

/* ---- When it went wrong ---------------------------------------------------------------------- */

/* The first body with a coordinate that is not finite, or K. */
static uint32_t faulty_body(const tc_cdl *cdl, const tc_real *x)
{
    const uint32_t d = cdl->config.dimension;
    uint32_t k = 0;
    while (k < cdl->config.bodies && x != NULL && tc_all_finite(x + k * d, d)) {
        k++;
    }
    return x != NULL ? k : cdl->config.bodies;
}

/* The body of the first contact whose impulse or overlap is not finite. */
static uint32_t faulty_contact(const tc_cdl *cdl, const tci_cdl_work *r)
{
    const uint32_t d = cdl->config.dimension;
    for (uint32_t c = 0; c < cdl->config.contacts; c++) {
        const tc_cdl_contact *const contact = &cdl->config.contact[c];
        const tc_real *const n = tci_cdl_normal(cdl, r->normal, c, d);
        const tc_real told[2] = {r->gap[c], tci_cdl_along(contact, n, r->Q, d) - contact->distance};
        if (!tc_all_finite(told, 2)) {
            return contact->body;
        }
    }
    return cdl->config.bodies;
}

/* First come the inputs, then positions that overflowed, which models have seen, then what a model
 * or a check said, then what models wrote, then velocities that overflowed, then impulses. */
static tc_status name_fault(const tc_cdl *cdl, const tc_real *force, const tci_cdl_work *r,
                            tc_status status, tc_cdl_info *info)
{
    const tc_real *const looked_at[6] = {r->before, r->before + cdl->coordinates, force, r->Q, r->D,
                                         r->V};
    for (uint32_t i = 0; i < 6u; i++) {
        const uint32_t body = faulty_body(cdl, looked_at[i]);
        if (i == 4u && status < TC_OK) {
            return status;
        }
        if (body < cdl->config.bodies) {
            info->body = body;
            return i == 3u || i == 5u ? TC_ERR_RANGE : TC_ERR_NOT_FINITE;
        }
    }
    info->body = faulty_contact(cdl, r);
    return TC_ERR_RANGE;
}

tc_status tci_cdl_fail(const tc_cdl *cdl, const tc_real *force, tc_real *Q, tc_real *V,
                       tc_cdl_info *info, tc_real *work, tc_status status)
{
    const uint32_t n = cdl->coordinates;
    const tci_cdl_work r = tci_cdl_carve(cdl, Q, V, work);
    tc_cdl_info found = {0, NULL, info != NULL ? info->body : 0u, TC_C(0.0)};
    const uint32_t pushed = faulty_body(cdl, Q);
    for (uint32_t i = 0; i < n; i++) {
        /* a projection would have spread what one body had to the other */
        Q[i] = TC_MLA(work[i], cdl->config.step, work[n + i]);
    }
    status = name_fault(cdl, force, &r, status, &found);
    found.body = found.body < cdl->config.bodies ? found.body : pushed;
    if (info != NULL) {
        *info = found;
    }
    memcpy(Q, work, n * sizeof *Q);
    memcpy(V, work + n, n * sizeof *V);
    return status;
}
