/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One contact, two phases, in the three coordinates of the contact (normal n, tangents t), with all
 * derivatives in closed form. u = q + A f, A = J M^-1 J^T.
 *
 * Coulomb's model. A slipping contact has u_t = -nu f_t with nu > 0, |f_t| = mu f_n, and either
 * u_n = 0, or f_n at its floor. For given nu these are linear equations:
 *
 *     f_t(nu) = -(A_tt + nu)^-1 (q_t + A_tn f_n)                                             (1)
 *     f_n(nu) = -(q_n - A_nt (A_tt + nu)^-1 q_t) / (A_nn - A_nt (A_tt + nu)^-1 A_tn)         (2)
 *     k(nu) = mu f_n / |f_t| - 1 = 0                                                         (3)
 *
 * The denominator of (2) is positive, because A is. k < 0 at nu = 0 where sticking is impossible,
 * and k grows beyond all bounds for nu -> inf where q_n < 0, or f_n is a floor. So a root exists. k
 * is nearly linear, since |f_t| falls as 1 / nu: Newton's method with a bracket finds it in two to
 * five evaluations.
 *
 * The convex model is the cone problem as it is, which tc_cone_solve solves with G the Cholesky
 * factor of A.
 *
 * Derivatives. With tau = f_t / |f_t|, o perpendicular to tau, t = (1, mu tau), and x the two
 * numbers that may change while a contact slips,
 *
 *     df = t x_1 + (0, o) x_2 + w dmu,   w = (0, f_n tau)                                    (4)
 *     r . (dq + dA f + A df) = 0         r = (1, 0, 0) in Coulomb's model, t in the convex   (5)
 *     (0, o) . (dq + dA f + A df) + nu x_2 = 0                                               (6)
 *
 * which gives df = -X (dq + dA f) + (w - X A w) dmu; in the convex model (5) has |u_t| dmu beside,
 * because r depends on mu. At its floor f_n has its own direction b = df / dfloor beside:
 * df = b - X A b, with b = (1, 0, 0) sticking and b = t slipping, and X has only what is left.
 */
#include "tc_exact.h"
#include "tc_identify_internal.h"

#include <string.h>

#define SECULAR_STEPS 24u /* evaluations of (3); 2 to 5 are usual */

static const tc_real unbounded = TC_C(1e30);
static const tc_real normal_row[3] = {TC_C(1.0), TC_C(0.0), TC_C(0.0)};

/* A_tt + nu, inverted */
typedef struct tci_identify_block {
    tc_real xx, xy, yy;
} tci_identify_block;

static tci_identify_block invert_block(const tc_real A[9], tc_real nu)
{
    const tc_real a = A[4] + nu, c = A[8] + nu, b = A[5];
    const tc_real scale = TC_C(1.0) / TC_MLS(a * c, b, b);
    const tci_identify_block inverse = {c * scale, -b * scale, a * scale};
    return inverse;
}

static void apply_block(const tci_identify_block *m, const tc_real x[2], tc_real y[2])
{
    y[0] = TC_MLA(m->xx * x[0], m->xy, x[1]);
    y[1] = TC_MLA(m->xy * x[0], m->yy, x[1]);
}

static tc_real sum_pair(const tc_real a[2], const tc_real b[2])
{
    return TC_MLA(a[0] * b[0], a[1], b[1]);
}

/* Writes f by (1) and (2), with f_n = *floor where that is not NULL. Returns the change of k, (3),
 * by nu, times |f_t|^3. */
static tc_real write_impulse(const tci_identify_contact *c, const tc_real q[3],
                             const tc_real *floor, tc_real nu, tc_real f[3])
{
    const tc_real *const A = c->A;
    const tci_identify_block m = invert_block(A, nu);
    tc_real y[2], x[2], z[2], slope = TC_C(0.0);
    apply_block(&m, A + 1, y);
    apply_block(&m, q + 1, x);
    const tc_real D = A[0] - sum_pair(A + 1, y);
    f[0] = floor != NULL ? *floor : (sum_pair(A + 1, x) - q[0]) / D;
    f[1] = -TC_MLA(x[0], y[0], f[0]);
    f[2] = -TC_MLA(x[1], y[1], f[0]);
    apply_block(&m, f + 1, z);
    if (floor == NULL) {
        slope = sum_pair(A + 1, z) / D;
        z[0] = TC_MLA(z[0], y[0], slope);
        z[1] = TC_MLA(z[1], y[1], slope);
    }
    return c->mu * TC_MLA(slope * sum_pair(f + 1, f + 1), f[0], sum_pair(f + 1, z));
}

/* Turns f at nu = 0, where k changes with this slope, into one on the edge of the cone that solves
 * (3). */
static void find_slip(const tci_identify_contact *c, const tc_real q[3], const tc_real *floor,
                      tc_real slope, tc_real f[3])
{
    tc_real low = TC_C(0.0), high = TC_C(0.0), nu = TC_C(0.0); /* high 0: none */
    tc_real square = sum_pair(f + 1, f + 1), length = tc_sqrt(square);
    for (uint32_t i = 0; i < SECULAR_STEPS; ++i) {
        const tc_real left = c->mu * f[0] - length; /* k |f_t| */
        if (tc_vec_magnitude(left) <= TC_C(8.0) * TC_EPSILON * length) {
            break;
        }
        if (left < TC_C(0.0)) {
            low = nu;
        } else {
            high = nu;
        }
        nu = nu - left * square / slope;
        if (!(nu > low) || (high > TC_C(0.0) && !(nu < high))) {
            nu = high > TC_C(0.0) ? TC_C(0.5) * (low + high) : TC_C(4.0) * (low + c->A[4]);
        }
        slope = write_impulse(c, q, floor, nu, f);
        square = sum_pair(f + 1, f + 1);
        length = tc_sqrt(square);
    }
    const tc_real scale = length > TC_C(0.0) ? c->mu * f[0] / length : TC_C(0.0);
    f[1] *= scale;
    f[2] *= scale;
}

/* The restitution of Coulomb's model at its floor: writes f and returns 1 if the contact does not
 * approach then. */
static int solve_bounded(const tci_identify_contact *c, const tc_real q[3], tc_real floor,
                         tci_identify_phase *phase)
{
    tc_real *const f = phase->f;
    const tc_real slope = write_impulse(c, q, &floor, TC_C(0.0), f), limit = c->mu * floor;
    phase->kind = TC_CONE_FLOOR_STICK;
    if (sum_pair(f + 1, f + 1) > limit * limit) {
        phase->kind = TC_CONE_FLOOR_SLIP;
        find_slip(c, q, &floor, slope, f);
    }
    const tc_real least = TC_C(64.0) * TC_EPSILON * (tc_vec_magnitude(q[0]) + c->A[0] * floor);
    return q[0] + tc_vec_dot3(c->A, f) >= -least;
}

/* Coulomb's model without a floor, or above it: writes f. Returns |f_t| / f_n of the contact if it
 * sticks, infinite where it pulls. */
static tc_real solve_free(const tci_identify_contact *c, const tc_real q[3], tc_real floor,
                          tci_identify_phase *phase)
{
    tc_real *const f = phase->f;
    const tc_real slope = write_impulse(c, q, NULL, TC_C(0.0), f);
    const tc_real size = tc_sqrt(sum_pair(f + 1, f + 1));
    const tc_real ratio = f[0] > TC_C(0.0) ? size / f[0] : unbounded;
    phase->kind = TC_CONE_STICK;
    if (!(ratio <= c->mu && f[0] >= floor)) {
        phase->kind = TC_CONE_SLIP;
        find_slip(c, q, NULL, slope, f);
    }
    return ratio;
}

/* One phase of the convex model: writes f and kind. work: of CONVEX_WORK numbers. */
static tc_status solve_convex(const tci_identify_contact *c, const tc_real q[3],
                              const tc_real *floor, tci_identify_phase *phase, tc_real *work)
{
    tc_real *const L = work, *const w = work + 9, *const u = work + 15;
    tc_cone_info info;
    L[1] = L[2] = L[5] = TC_C(0.0);
    tc_mat3_cholesky(c->A, L);
    tc_mat3_solve_lower(L, q, w);
    const tc_cone problem = {1u, 3u, 3u, L, w, &c->mu, floor, NULL, NULL};
    const tc_status status =
        tc_cone_solve(&problem, phase->f, u, w + 3, &info, work + 18, TC_CONE_WORK(1u, 3u, 3u));
    phase->kind = info.kind[0];
    return status < TC_OK ? TC_ERR_NOT_CERTIFIED : TC_OK;
}

/* ---- Derivatives ----------------------------------------------------------------------------- */

/* X of a contact that sticks: A^-1; at its floor (A_tt)^-1. */
static void invert_sticking(const tc_real A[9], int at_floor, tc_real X[9])
{
    const tci_identify_block m = invert_block(A, TC_C(0.0));
    tc_real y[2] = {TC_C(0.0), TC_C(0.0)}, inverse = TC_C(0.0);
    if (!at_floor) {
        apply_block(&m, A + 1, y);
        inverse = TC_C(1.0) / (A[0] - sum_pair(A + 1, y));
    }
    X[0] = inverse;
    X[1] = X[3] = -inverse * y[0];
    X[2] = X[6] = -inverse * y[1];
    X[4] = TC_MLS(m.xx, X[1], y[0]);
    X[5] = X[7] = TC_MLS(m.xy, X[1], y[1]);
    X[8] = TC_MLS(m.yy, X[2], y[1]);
}

/* X of a contact that slips along tau, with t and r of (4) and (5); nu of (6). x_1 is left out at
 * the floor. Returns what (5) gains by |u_t| dmu, in x_1 and x_2. */
static void invert_slipping(const tc_real A[9], const tc_real t[3], const tc_real r[3], tc_real nu,
                            tc_real X[9], tc_real gain[3])
{
    const tc_real o[2] = {-t[2], t[1]}; /* |o| = mu: x_2 is scaled with it */
    const tc_real *const row[3] = {A, A + 3, A + 6};
    tc_real At[3], Ao[3];
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) {
        At[i] = tc_vec_dot3(row[i], t);
        Ao[i] = sum_pair(row[i] + 1, o);
    }
    const tc_real m00 = tc_vec_dot3(r, At), m01 = tc_vec_dot3(r, Ao);
    const tc_real m10 = sum_pair(o, At + 1);
    const tc_real m11 = TC_MLA(sum_pair(o, Ao + 1), nu, sum_pair(o, o));
    const tc_real scale = TC_C(1.0) / TC_MLS(m00 * m11, m01, m10);
    TC_MAT_UNROLLED
    for (int j = 0; j < 3; ++j) {
        const tc_real side = j == 0 ? TC_C(0.0) : o[j - 1];
        const tc_real x1 = scale * TC_MLS(m11 * r[j], m01, side);
        const tc_real x2 = scale * TC_MLS(m00 * side, m10, r[j]);
        X[j] = x1;
        X[3 + j] = TC_MLA(t[1] * x1, o[0], x2);
        X[6 + j] = TC_MLA(t[2] * x1, o[1], x2);
    }
    const tc_real x1 = scale * m11, x2 = -scale * m10;
    gain[0] = x1;
    gain[1] = TC_MLA(t[1] * x1, o[0], x2);
    gain[2] = TC_MLA(t[2] * x1, o[1], x2);
}

/* X of a contact that slips at its floor */
static void invert_floor_slip(const tc_real A[9], const tc_real t[3], tc_real nu, tc_real X[9])
{
    const tc_real o[2] = {-t[2], t[1]};
    tc_real Ao[2];
    apply_block(&(const tci_identify_block){A[4], A[5], A[8]}, o, Ao);
    const tc_real scale = TC_C(1.0) / TC_MLA(sum_pair(o, Ao), nu, sum_pair(o, o));
    X[0] = X[1] = X[2] = X[3] = X[6] = TC_C(0.0);
    X[4] = scale * o[0] * o[0];
    X[5] = X[7] = scale * o[0] * o[1];
    X[8] = scale * o[1] * o[1];
}

/* x = b - X A b */
static void keep_equations(const tc_real A[9], const tc_real X[9], const tc_real b[3], tc_real x[3])
{
    tc_real Ab[3];
    tc_mat3_vec(A, b, Ab);
    tc_mat3_vec(X, Ab, x);
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) {
        x[i] = b[i] - x[i];
    }
}

/* Derivatives of a phase that slips: t = (1, mu tau), tau along f_t. */
static void derive_slip(const tci_identify_contact *c, const tc_real q[3], tc_impact_law law,
                        tci_identify_phase *phase)
{
    const tc_real *const f = phase->f;
    const tc_real along = TC_C(1.0) / f[0], steep = TC_C(1.0) / c->mu;
    const tc_real t[3] = {TC_C(1.0), f[1] * along, f[2] * along};
    const tc_real w[3] = {TC_C(0.0), f[1] * steep, f[2] * steep};
    const tc_real u1 = q[1] + tc_vec_dot3(c->A + 3, f), u2 = q[2] + tc_vec_dot3(c->A + 6, f);
    const tc_real speed = tc_sqrt(TC_MLA(u1 * u1, u2, u2));
    const tc_real nu = speed / (c->mu * f[0]);
    if (phase->kind == TC_CONE_FLOOR_SLIP) {
        invert_floor_slip(c->A, t, nu, phase->X);
        keep_equations(c->A, phase->X, t, phase->by_floor);
        keep_equations(c->A, phase->X, w, phase->by_mu);
        return;
    }
    tc_real gain[3];
    invert_slipping(c->A, t, law == TC_IMPACT_COULOMB ? normal_row : t, nu, phase->X, gain);
    keep_equations(c->A, phase->X, w, phase->by_mu);
    for (int i = 0; i < 3 && law == TC_IMPACT_CONVEX; ++i) {
        phase->by_mu[i] = TC_MLA(phase->by_mu[i], speed, gain[i]);
    }
}

static void derive_phase(const tci_identify_contact *c, const tc_real q[3], tc_impact_law law,
                         tci_identify_phase *phase)
{
    memset(phase->by_mu, 0, sizeof phase->by_mu);
    memset(phase->by_floor, 0, sizeof phase->by_floor);
    switch (phase->kind) {
    case TC_CONE_STICK:
    case TC_CONE_FLOOR_STICK:
        invert_sticking(c->A, phase->kind == TC_CONE_FLOOR_STICK, phase->X);
        if (phase->kind == TC_CONE_FLOOR_STICK) {
            keep_equations(c->A, phase->X, normal_row, phase->by_floor);
        }
        break;
    case TC_CONE_SLIP:
    case TC_CONE_FLOOR_SLIP: derive_slip(c, q, law, phase); break;
    default: memset(phase->X, 0, sizeof phase->X); break;
    }
}

/* ---- Both phases ----------------------------------------------------------------------------- */

/* u = q + A f */
static void press_contact(const tci_identify_contact *c, const tc_real q[3], const tc_real f[3],
                          tc_real u[3])
{
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) {
        u[i] = q[i] + tc_vec_dot3(c->A + 3 * i, f);
    }
}

/* dp of a change du of the velocity after compression, and df of its impulse: the restitution's
 * part. */
static void follow_restitution(const tci_identify_contact *c, const tc_real du[3], tc_real df_n,
                               tc_real dp[3])
{
    const tci_identify_phase *const r = &c->restitution;
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) {
        dp[i] = c->e * df_n * r->by_floor[i] - tc_vec_dot3(r->X + 3 * i, du);
    }
}

/* The derivatives of both phases' impulse. By q, with X of the first phase and X', b' of the
 * second: -X - X' (1 - A X) - e b' X_n. */
static void derive_both(tci_identify_contact *c)
{
    const tci_identify_phase *const one = &c->compression, *const two = &c->restitution;
    tc_real du[9], dr[9];
    tc_mat3_mul(c->A, one->X, du);
    TC_MAT_UNROLLED
    for (int i = 0; i < 9; ++i) {
        du[i] = (i % 4 == 0 ? TC_C(1.0) : TC_C(0.0)) - du[i];
    }
    tc_mat3_mul(two->X, du, dr);
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) {
        const tc_real b = c->e * two->by_floor[i];
        TC_MAT_UNROLLED
        for (int j = 0; j < 3; ++j) {
            c->by_q[3 * i + j] = -(TC_MLA(one->X[3 * i + j], b, one->X[j]) + dr[3 * i + j]);
        }
    }
    tc_mat3_vec(c->A, one->by_mu, du);
    follow_restitution(c, du, one->by_mu[0], dr);
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) {
        c->by_mu[i] = one->by_mu[i] + dr[i] + two->by_mu[i];
        c->by_e[i] = two->by_floor[i] * one->f[0];
        c->p[i] = one->f[i] + two->f[i];
    }
}

static tc_status solve_both_convex(tci_identify_contact *c, tc_real *work)
{
    tci_identify_phase *const one = &c->compression;
    tc_real u[3];
    c->stick = solve_free(c, c->q, TC_C(0.0), one); /* for the ratio alone */
    const tc_status status = solve_convex(c, c->q, NULL, one, work);
    if (status != TC_OK) {
        return status;
    }
    const tc_real floor = c->e * one->f[0];
    press_contact(c, c->q, one->f, u);
    return solve_convex(c, u, &floor, &c->restitution, work);
}

static void solve_both_coulomb(tci_identify_contact *c)
{
    tci_identify_phase *const one = &c->compression;
    tc_real u[3];
    c->stick = solve_free(c, c->q, TC_C(0.0), one);
    const tc_real floor = c->e * one->f[0];
    press_contact(c, c->q, one->f, u);
    if (!solve_bounded(c, u, floor, &c->restitution)) {
        (void)solve_free(c, u, floor, &c->restitution);
    }
}

IDENTIFY_APART static void derive_contact(tci_identify_contact *c, tc_impact_law law)
{
    tc_real u[3];
    press_contact(c, c->q, c->compression.f, u);
    derive_phase(c, c->q, law, &c->compression);
    derive_phase(c, u, law, &c->restitution);
    derive_both(c);
}

tc_status tci_identify_contact_solve(tci_identify_contact *c, tc_impact_law law, tc_real *work)
{
    tc_status status = TC_OK;
    if (law == TC_IMPACT_CONVEX) {
        status = solve_both_convex(c, work);
    } else {
        solve_both_coulomb(c);
    }
    if (status == TC_OK) {
        derive_contact(c, law);
    }
    return status;
}

void tci_identify_contact_turn(const tci_identify_contact *c, const tc_real dA[9], tc_real dp[3])
{
    tc_real g[3], df[3], du[3], more[3];
    tc_mat3_vec(dA, c->compression.f, g);
    tc_mat3_vec(c->compression.X, g, df);
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) {
        df[i] = -df[i];
    }
    tc_mat3_vec(c->A, df, du);
    tc_mat3_vec(dA, c->restitution.f, more);
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) {
        du[i] += g[i] + more[i];
    }
    follow_restitution(c, du, df[0], dp);
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) {
        dp[i] += df[i];
    }
}

/* Change of p by mu where a contact that sticks begins to slip: (4) to (6) with nu = 0. */
static void derive_edge(const tci_identify_contact *c, tc_real ratio, tc_real by_mu[3])
{
    const tc_real *const f = c->compression.f;
    const tc_real along = TC_C(1.0) / f[0];
    const tc_real t[3] = {TC_C(1.0), f[1] * along, f[2] * along};
    const tc_real w[3] = {TC_C(0.0), f[1] / ratio, f[2] / ratio};
    tc_real X[9], gain[3], df[3], du[3];
    invert_slipping(c->A, t, normal_row, TC_C(0.0), X, gain);
    keep_equations(c->A, X, w, df);
    tc_mat3_vec(c->A, df, du);
    follow_restitution(c, du, df[0], by_mu);
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) {
        by_mu[i] += df[i];
    }
}

tc_real tci_identify_contact_bound(const tci_identify_contact *c, tc_real by_q[3], tc_real by_mu[3])
{
    const tci_identify_phase *const one = &c->compression;
    const tc_real *const f = one->f;
    const tc_real length = tc_sqrt(sum_pair(f + 1, f + 1));
    memset(by_q, 0, 3u * sizeof *by_q);
    memset(by_mu, 0, 3u * sizeof *by_mu);
    if (one->kind != TC_CONE_STICK || !(length > TC_C(0.0))) {
        return TC_C(0.0);
    }
    const tc_real ratio = length / f[0];
    TC_MAT_UNROLLED
    for (int j = 0; j < 3; ++j) {
        const tc_real side[2] = {one->X[3 + j], one->X[6 + j]};
        by_q[j] = TC_MLS(ratio * one->X[j], TC_C(1.0) / length, sum_pair(f + 1, side)) / f[0];
    }
    derive_edge(c, ratio, by_mu);
    return ratio;
}
