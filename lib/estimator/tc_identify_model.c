/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The model of an impact and its derivatives: the change of the rates v for the unknowns theta =
 * (mu, e, log r_k) and the rates before.
 *
 *     change = B^T p(A, q, mu, e)     B = J M(r)^-1,  A = J B^T,  q = J v
 *     by mu, e:                       B^T dp
 *     by log r_k, dM = r_k part_k:    B^T dp(dA) - M^-1 dM change,   dA = -B dM B^T
 *     by v:                           F = I + B^T (dp/dq) J
 */
#include "tc_exact.h"
#include "tc_identify_internal.h"
#include "tc_mat.h"

#include <string.h>

/* Smallest part of a diagonal element that elimination may leave of A */
static const tc_real independent = TC_C(1e-5);

static tc_real clamp_unknown(tc_real x, tc_real low, tc_real high)
{
    const tc_real above = x > low ? x : low;
    return above < high ? above : high;
}

void tci_identify_model_start(tci_identify_linear *linear)
{
    const tc_identify_impact *const impact = linear->impact;
    const uint32_t rows = impact->rows, d = impact->d;
    for (uint32_t i = 0; i < impact->n * rows; ++i) {
        linear->velocity[i] = tci_identify_dot(impact->J + i * d, impact->before, d);
    }
    if (impact->n == 1u) {
        memcpy(linear->J, impact->J, rows * d * sizeof *linear->J);
        for (uint32_t i = rows * d; i < 3u * d; ++i) {
            linear->J[i] = TC_C(0.0);
        }
        for (uint32_t i = rows; i < 3u; ++i) {
            linear->velocity[i] = TC_C(0.0);
        }
    }
}

/* Turns a diagonal [d] into its matrix [d x d], in place, from the last row on. */
static void expand_diagonal(tc_real *M, uint32_t d)
{
    for (uint32_t i = d - 1u; i < d; --i) {
        const tc_real x = M[i];
        M[i] = TC_C(0.0);
        if (i > 0u) {
            memset(M + i * d, 0, d * sizeof *M);
        }
        M[i * d + i] = x;
    }
}

/* Writes M(r), factorised; or of one contact the inverses of its diagonal. */
IDENTIFY_APART static tc_status make_mass(tci_identify_linear *linear, const tc_real *theta)
{
    const tc_identify_impact *const impact = linear->impact;
    const uint32_t d = impact->d, size = impact->diagonal ? d : d * d;
    memcpy(linear->mass, impact->M, size * sizeof *linear->mass);
    for (uint32_t k = TC_IDENTIFY_RATIO; k < linear->unknowns; ++k) {
        const tc_real *const part = impact->parts + (k - TC_IDENTIFY_RATIO) * size;
        tci_identify_add(linear->mass, tc_exp(theta[k]) - TC_C(1.0), part, size);
    }
    if (!impact->diagonal) {
        return tc_mat_cholesky_inplace(linear->mass, d);
    }
    for (uint32_t i = 0; i < d; ++i) {
        if (!(linear->mass[i] > TC_C(0.0))) {
            return TC_ERR_INDEFINITE;
        }
        const int several = impact->n > 1u;
        linear->mass[i] = several ? tc_sqrt(linear->mass[i]) : TC_C(1.0) / linear->mass[i];
    }
    if (impact->n > 1u) {
        expand_diagonal(linear->mass, d);
    }
    return TC_OK;
}

/* y = M^-1 x; y is not x */
static void divide_mass(const tci_identify_linear *linear, const tc_real *x, tc_real *y)
{
    const uint32_t d = linear->impact->d;
    if (!linear->impact->diagonal) {
        (void)tc_mat_cholesky_solve(linear->mass, x, y, d, 1u);
        return;
    }
    tci_identify_scale(linear->mass, x, y, d);
}

/* y = part_k x */
static void apply_part(const tci_identify_linear *linear, uint32_t k, const tc_real *x, tc_real *y)
{
    const uint32_t d = linear->impact->d;
    const tc_real *const parts = linear->impact->parts;
    if (linear->impact->diagonal) {
        tci_identify_scale(parts + k * d, x, y, d);
        return;
    }
    for (uint32_t i = 0; i < d; ++i) {
        y[i] = tci_identify_dot(parts + (k * d + i) * d, x, d);
    }
}

/* out = B^T p */
static void spread_impulse(const tci_identify_linear *linear, const tc_real p[3], tc_real *out)
{
    tci_identify_spread(linear->B, p, out, 1u, linear->impact->d);
}

/* Row of H of log r_k */
static void write_ratio(tci_identify_linear *linear, uint32_t k, tc_real log_ratio,
                        const tci_identify_contact *contact)
{
    const uint32_t d = linear->impact->d;
    tc_real *const row = linear->H + (TC_IDENTIFY_RATIO + k) * d;
    tc_real dA[9], dp[3];
    const tc_real ratio = tc_exp(log_ratio);
    for (uint32_t j = 0; j < 3u; ++j) {
        apply_part(linear, k, linear->B + j * d, linear->part);
        for (uint32_t i = 0; i <= j; ++i) {
            dA[3u * i + j] = -ratio * tci_identify_dot(linear->B + i * d, linear->part, d);
            dA[3u * j + i] = dA[3u * i + j];
        }
    }
    tci_identify_contact_turn(contact, dA, dp);
    spread_impulse(linear, dp, row);
    apply_part(linear, k, linear->change, linear->more);
    divide_mass(linear, linear->more, linear->part);
    tci_identify_add(row, -ratio, linear->part, d);
}

/* F diag(s) = (1 + B^T (dp/dq) J) diag(s) */
static void write_transfer(tci_identify_linear *linear, const tc_real by_q[9])
{
    const uint32_t d = linear->impact->d;
    const tc_real *const J = linear->J;
    for (uint32_t j = 0; j < d; ++j) {
        const tc_real sd = linear->impact->before_sd[j];
        const tc_real column[3] = {sd * J[j], sd * J[d + j], sd * J[2u * d + j]};
        tc_real c[3];
        tc_mat3_vec(by_q, column, c);
        tci_identify_spread(linear->B, c, linear->F + j, d, d);
        linear->F[j * d + j] += sd;
    }
}

/* The bound of mu that this impact gives, with the noise of the rates before. */
static void write_bound(tci_identify_linear *linear, const tci_identify_contact *contact)
{
    const uint32_t d = linear->impact->d;
    const tc_real *const J = linear->J;
    tc_real by_q[3], by_mu[3], square = TC_C(0.0);
    linear->stick = contact->stick;
    linear->sticks = contact->compression.kind == TC_CONE_STICK;
    linear->bound = tci_identify_contact_bound(contact, by_q, by_mu);
    for (uint32_t j = 0; j < d && linear->sticks; ++j) {
        const tc_real column[3] = {J[j], J[d + j], J[2u * d + j]};
        const tc_real x = tc_vec_dot3(by_q, column) * linear->impact->before_sd[j];
        square = TC_MLA(square, x, x);
    }
    linear->bound_sd = tc_sqrt(square);
    if (linear->sticks) {
        spread_impulse(linear, by_mu, linear->edge);
    }
}

/* A = J B^T. Returns 1 if the three directions of the contact are independent. */
static int make_contact(tci_identify_linear *linear, tci_identify_contact *contact)
{
    const uint32_t d = linear->impact->d;
    tc_real *const A = contact->A, L[9], pivot[3];
    for (uint32_t i = 0; i < 3u; ++i) {
        tc_real *const row = linear->B + i * d;
        divide_mass(linear, linear->J + i * d, row);
        for (uint32_t j = 0; j <= i; ++j) {
            A[3u * i + j] = A[3u * j + i] = tci_identify_dot(linear->J + j * d, row, d);
        }
        contact->q[i] = linear->velocity[i];
    }
    if (linear->impact->rows == 2u) {
        A[8] = A[4];
    }
    tc_mat3_ldlt(A, L, pivot);
    return pivot[0] > TC_C(0.0) && pivot[1] > independent * A[4] && pivot[2] > independent * A[8];
}

/* Of one contact */
static tc_status linearise_one(tci_identify_linear *linear, const tc_real *theta)
{
    tci_identify_contact contact;
    const uint32_t d = linear->impact->d;
    if (!make_contact(linear, &contact)) {
        return TC_ERR_NOT_CERTIFIED;
    }
    contact.mu = theta[TC_IDENTIFY_FRICTION];
    contact.e = theta[TC_IDENTIFY_RESTITUTION];
    const tc_status status = tci_identify_contact_solve(&contact, linear->law, linear->more);
    if (status != TC_OK) {
        return status;
    }
    spread_impulse(linear, contact.p, linear->change);
    spread_impulse(linear, contact.by_mu, linear->H + TC_IDENTIFY_FRICTION * d);
    spread_impulse(linear, contact.by_e, linear->H + TC_IDENTIFY_RESTITUTION * d);
    for (uint32_t k = TC_IDENTIFY_RATIO; k < linear->unknowns; ++k) {
        write_ratio(linear, k - TC_IDENTIFY_RATIO, theta[k], &contact);
    }
    const uint32_t kinds =
        8u * (uint32_t)contact.compression.kind + (uint32_t)contact.restitution.kind;
    linear->kept = kinds == linear->kinds;
    linear->kinds = kinds;
    if (!linear->kept) {
        write_transfer(linear, contact.by_q);
    }
    write_bound(linear, &contact);
    return TC_OK;
}

tc_status tci_identify_model_at(tci_identify_linear *linear, const tc_real *theta)
{
    tc_real at[TC_IDENTIFY_MAX];
    for (uint32_t i = 0; i < linear->unknowns; ++i) {
        at[i] = clamp_unknown(theta[i], -TCI_IDENTIFY_LOG_MAX, TCI_IDENTIFY_LOG_MAX);
    }
    at[TC_IDENTIFY_FRICTION] =
        clamp_unknown(theta[TC_IDENTIFY_FRICTION], TCI_IDENTIFY_LEAST, TC_CONE_FRICTION_MAX);
    at[TC_IDENTIFY_RESTITUTION] =
        clamp_unknown(theta[TC_IDENTIFY_RESTITUTION], TCI_IDENTIFY_LEAST, TC_C(1.0));
    const tc_status status = make_mass(linear, at);
    if (status != TC_OK) {
        return status;
    }
    return linear->impact->n == 1u ? linearise_one(linear, at)
                                   : tci_identify_general_at(linear, at);
}
