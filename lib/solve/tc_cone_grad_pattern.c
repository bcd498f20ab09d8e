/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The pattern of a solved cone problem: its columns, their factor, and the solution of equations
 * (1) and (2) of tc_cone_grad.c for given v and h.
 *
 * Method. Columns with D = 0 are hard: x must obey them exactly, however many depend on others, as
 * sticking feet do. Gram-Schmidt, repeated where it cancels, makes an orthonormal basis Q of them,
 * B = R Q, and drops those that depend on Q. This loses the square root of what B B^T would lose.
 * With P = I - Q^T Q, y from R y = -h, and S = B_s P B_s^T + D_s over the soft ones:
 *
 *     S z_s = -(h_s + B_s (Q^T y + P v)),   x = Q^T y + P v + P B_s^T z_s                     (5)
 *     R^T z = y - Q v - Q B_s^T z_s                                                           (6)
 *
 * A dropped column has z = 0. Where Q spans all d velocities nothing is left to be dropped or
 * found: x = Q^T y, which is 0 for the adjoint of w, however many feet stick.
 */
#define TC_MAT_LOOP /* loops stay loops */
#include "tc_exact.h"
#include "tc_cone_grad_internal.h"

#include "tc_vec.h"

/* A column that others leave less than this of, squared, is dropped. Rays have the direction of
 * friction in them, which errs by the certificate over |u_t| or a |f_t|: columns that depend on
 * each other leave up to 1e-5 each in float. What is dropped has a velocity that the certificate, too,
 * leaves uncertain by 4e-6 / 1e-4. */
#ifdef TC_DOUBLE
static const tc_real dependent = 1e-18;
static const tc_real weak = 1e-10;
#else
static const tc_real dependent = 1e-8f;
static const tc_real weak = 1e-4f; /* impulses in such a direction err by 4e-6 / 1e-4 */
#endif

/* Slip faster than this part of a |f_t| gives its direction, else friction does. */
static const tc_real fast = TC_C(0.1);

/* Gram-Schmidt repeats where less than this is left: then at most one bit more is lost. */
static const tc_real repeat_below = TC_C(0.25);

/* ---- Layout ---------------------------------------------------------------------------------- */

/* y += a x, where it is rare or short */
static void take_multiple(tc_real *y, tc_real a, const tc_real *x, uint32_t n)
{
    for (uint32_t j = 0; j < n; ++j) y[j] = TC_MLA(y[j], a, x[j]);
}

static void divide_pattern(tci_cone_grad_pattern *s, const tci_cone_grad_answer *answer,
                           tc_real *work)
{
    const uint32_t d = answer->problem->d, m = answer->problem->n * answer->problem->rows;
    s->problem = answer->problem;
    s->f = answer->f;
    s->kind = answer->kind;
    s->compliance = answer->compliance;
    s->coulomb = answer->coulomb;
    s->loose = 0;
    s->hard = s->columns = s->weak = 0;
    s->w = work;
    s->x = s->w + d;
    s->u = s->x + d;
    s->by_row = s->u + m;
    s->T = s->by_row + m;
    s->D = s->T + CONE_ROWS * m;
    s->z = s->D + m;
    s->h = s->z + m;
    s->S = s->h + m;
    s->b = s->S + m * m;
    s->along = s->b + m * d;
    s->tau = s->along + m * d;
}

/* w += G_i^T f_i over `rows` rows */
TC_MAT_INLINE void gather_body(tc_real *w, const tc_real *f, const tc_real *G, uint32_t rows,
                               uint32_t d)
{
    tc_real sum[6];
    TC_MAT_UNROLLED
    for (uint32_t j = 0; j < d; ++j) sum[j] = w[j];
    for (uint32_t r = 0; r < rows; ++r, G += d) {
        TC_MAT_UNROLLED
        for (uint32_t j = 0; j < d; ++j) sum[j] = TC_MLA(sum[j], f[r], G[j]);
    }
    TC_MAT_UNROLLED
    for (uint32_t j = 0; j < d; ++j) w[j] = sum[j];
}

static void gather_contact(const tci_cone_grad_pattern *s, uint32_t i)
{
    const uint32_t d = s->problem->d, rows = s->problem->rows;
    const tc_real *const f = s->f + i * rows, *const G = tci_cone_grad_rows(s, i);
    if (d == 6u) {
        gather_body(s->w, f, G, rows, 6u);
        return;
    }
    for (uint32_t r = 0; r < rows; ++r) take_multiple(s->w, f[r], G + r * d, d);
}

static int slips_along(const tci_cone_grad_pattern *s, uint32_t i)
{
    return s->kind[i] == TC_CONE_SLIP || s->kind[i] == TC_CONE_FLOOR_SLIP;
}

/* w and u: w0 + G^T f unless given, G w + c f where the contact slips */
static void set_velocities(tci_cone_grad_pattern *s, const tc_real *w)
{
    const uint32_t d = s->problem->d, rows = s->problem->rows;
    const tc_real *given = w != NULL ? w : s->problem->w0;
    for (uint32_t j = 0; j < d; ++j) s->w[j] = given[j];
    for (uint32_t i = 0; i < s->problem->n && w == NULL; ++i) {
        if (s->kind[i] != TC_CONE_OPEN) gather_contact(s, i);
    }
    for (uint32_t i = 0; i < s->problem->n; ++i) {
        if (!slips_along(s, i)) continue;
        const tc_real c = s->compliance != NULL ? s->compliance[i] : TC_C(0.0);
        for (uint32_t r = 1; r < rows; ++r) {
            const uint32_t k = i * rows + r;
            s->u[k] =
                TC_MLA(tci_cone_grad_dot(tci_cone_grad_rows(s, i) + r * d, s->w, d), c, s->f[k]);
        }
    }
}

static tc_real square_tangent(const tc_real *x, uint32_t rows)
{
    return x[1] * x[1] + (rows == 3u ? x[2] * x[2] : TC_C(0.0));
}

/* tau of a contact that slips, and the size of its tangents' rows, squared: of f_t or against u_t,
 * whichever is known better. Feet that slip together have one u_t; their f_t differ by rounding. */
static void set_direction(const tci_cone_grad_pattern *s, uint32_t i)
{
    const uint32_t rows = s->problem->rows, d = s->problem->d;
    const tc_real *const f = s->f + i * rows, *const u = s->u + i * rows;
    const tc_real *const row = tci_cone_grad_rows(s, i);
    tc_real *const tau = s->tau + 3u * i;
    tau[0] = tau[1] = tau[2] = TC_C(0.0);
    if (rows == 1u || !slips_along(s, i)) return;
    for (uint32_t r = 1; r < rows; ++r) tau[2] += tci_cone_grad_dot(row + r * d, row + r * d, d);
    const tc_real load = square_tangent(f, rows), slip = square_tangent(u, rows);
    const int by_slip = slip > fast * fast * tau[2] * tau[2] * load;
    const tc_real square = by_slip ? slip : load;
    if (!(square > TC_C(0.0))) return;
    const tc_real scale = (by_slip ? TC_C(-1.0) : TC_C(1.0)) / tc_sqrt(square);
    tau[0] = scale * (by_slip ? u[1] : f[1]);
    if (rows == 3u) tau[1] = scale * (by_slip ? u[2] : f[2]);
}

/* ---- Columns --------------------------------------------------------------------------------- */

/* Takes out of b what lies along `count` rows of Q; along[count] += the parts. */
TC_MAT_INLINE void remove_body(const tc_real *q, uint32_t count, tc_real *b, tc_real *along,
                               uint32_t d)
{
    tc_real rest[6];
    TC_MAT_UNROLLED
    for (uint32_t j = 0; j < d; ++j) rest[j] = b[j];
    for (uint32_t k = 0; k < count; ++k, q += d) {
        tc_real part = q[0] * rest[0];
        TC_MAT_UNROLLED
        for (uint32_t j = 1; j < d; ++j) part = TC_MLA(part, q[j], rest[j]);
        along[k] += part;
        TC_MAT_UNROLLED
        for (uint32_t j = 0; j < d; ++j) rest[j] = TC_MLS(rest[j], part, q[j]);
    }
    TC_MAT_UNROLLED
    for (uint32_t j = 0; j < d; ++j) b[j] = rest[j];
}

static void remove_parts(const tci_cone_grad_pattern *s, tc_real *b, tc_real *along)
{
    const uint32_t d = s->problem->d;
    if (d == 6u) {
        remove_body(s->b, s->hard, b, along, 6u);
        return;
    }
    if (d == 3u) {
        remove_body(s->b, s->hard, b, along, 3u);
        return;
    }
    for (uint32_t k = 0; k < s->hard; ++k) {
        const tc_real *const q = s->b + k * d;
        const tc_real part = tci_cone_grad_dot(q, b, d);
        along[k] += part;
        take_multiple(b, -part, q, d);
    }
}

/* The column at position s->columns, T^T G in b: |b|^2 after Gram-Schmidt; *before: of it whole */
static tc_real reduce_column(const tci_cone_grad_pattern *s, tc_real *before)
{
    const uint32_t d = s->problem->d;
    tc_real *const b = s->b + s->columns * d, *const along = s->along + s->columns * d;
    *before = tci_cone_grad_dot(b, b, d);
    for (uint32_t k = 0; k < s->hard; ++k) along[k] = TC_C(0.0);
    remove_parts(s, b, along);
    tc_real left = tci_cone_grad_dot(b, b, d);
    if (left < repeat_below * *before) {
        remove_parts(s, b, along);
        left = tci_cone_grad_dot(b, b, d);
    }
    return left;
}

/* Writes column t[rows] of contact i to the position s->columns, its diagonal included. */
static void write_column(tci_cone_grad_pattern *s, uint32_t i, const tc_real *t, tc_real bend)
{
    const uint32_t d = s->problem->d, rows = s->problem->rows, at = s->columns;
    const tc_real c = s->compliance != NULL ? s->compliance[i] : TC_C(0.0);
    tc_real *const T = s->T + at * rows, *const b = s->b + at * d;
    const tc_real *row = tci_cone_grad_rows(s, i);
    uint32_t first = 0;
    while (t[first] == TC_C(0.0) && first + 1u < rows) ++first;
    for (uint32_t r = 0; r < rows; ++r) T[r] = t[r];
    row += first * d;
    for (uint32_t j = 0; j < d; ++j) b[j] = t[first] * row[j];
    for (uint32_t r = first + 1u; r < rows; ++r) {
        row += d;
        if (t[r] != TC_C(0.0)) tci_cone_grad_add(b, t[r], row, d);
    }
    s->D[at] = TC_MLA(bend, c, tci_cone_grad_dot(t, t, rows));
    s->contact[at] = (uint8_t)i;
}

/* A column without a diagonal joins Q, or is dropped. */
static void add_hard(tci_cone_grad_pattern *s, uint32_t i, const tc_real *t)
{
    const uint32_t d = s->problem->d, at = s->columns;
    if (at == d) { /* Q is whole already */
        ++s->weak;
        return;
    }
    write_column(s, i, t, TC_C(0.0));
    tc_real before;
    const tc_real left = reduce_column(s, &before);
    s->weak += !(left > weak * before);
    if (!(left > dependent * before)) return;
    const tc_real length = tc_sqrt(left), scale = TC_C(1.0) / length;
    tc_real *const b = s->b + at * d;
    for (uint32_t j = 0; j < d; ++j) b[j] *= scale;
    s->along[at * d + at] = length;
    s->columns = ++s->hard;
}

/* A column with a diagonal joins S. */
static void add_soft(tci_cone_grad_pattern *s, uint32_t i, const tc_real *t, tc_real bend)
{
    tc_real before;
    write_column(s, i, t, bend);
    (void)reduce_column(s, &before);
    ++s->columns;
}

/* A column without curvature: by compliance soft, else hard. `soft`: which of them are wanted */
static void add_straight(tci_cone_grad_pattern *s, uint32_t i, const tc_real *t, int soft)
{
    const int has_diagonal = s->compliance != NULL && s->compliance[i] > TC_C(0.0);
    if (has_diagonal != soft) return;
    if (soft)
        add_soft(s, i, t, TC_C(0.0));
    else
        add_hard(s, i, t);
}

/* (0, tau'): soft by its curvature, unless that is 0, and none where it is beyond all numbers */
static void add_angle(tci_cone_grad_pattern *s, uint32_t i, int soft)
{
    const tc_real *const tau = s->tau + 3u * i, *const f = s->f + 3u * i, *const u = s->u + 3u * i;
    const tc_real t[3] = {TC_C(0.0), -tau[1], tau[0]};
    const tc_real size = tau[0] * f[1] + tau[1] * f[2];
    const tc_real drag = tc_vec_not_negative(-(tau[0] * u[1] + tau[1] * u[2]));
    if (!(drag * TC_EPSILON < size * tau[2])) return;
    const tc_real bend = drag / size;
    if (!(bend > TC_C(0.0)))
        add_straight(s, i, t, soft);
    else if (soft)
        add_soft(s, i, t, bend);
}

static void add_kind(tci_cone_grad_pattern *s, uint32_t i, int soft)
{
    static const tc_real axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const uint32_t rows = s->problem->rows;
    const tc_real *const tau = s->tau + 3u * i;
    const tc_cone_kind kind = s->kind[i];
    if (kind == TC_CONE_SLIP) {
        const tc_real mu = rows > 1u ? s->problem->mu[i] : TC_C(0.0);
        const tc_real ray[3] = {TC_C(1.0), mu * tau[0], mu * tau[1]};
        add_straight(s, i, ray, soft);
    }
    if ((kind == TC_CONE_SLIP || kind == TC_CONE_FLOOR_SLIP) && rows == 3u) add_angle(s, i, soft);
    if (kind != TC_CONE_STICK && kind != TC_CONE_FLOOR_STICK) return;
    for (uint32_t r = kind == TC_CONE_STICK ? 0u : 1u; r < rows; ++r) {
        add_straight(s, i, axis[r], soft);
    }
}

/* S = B_s P B_s^T + D_s, and its Cholesky factor with the diagonal inverted */
static void factor_soft(const tci_cone_grad_pattern *s)
{
    const uint32_t d = s->problem->d, n = s->columns - s->hard;
    const tc_real *const B = s->b + s->hard * d;
    for (uint32_t k = 0; k < n; ++k) {
        tc_real *const row = s->S + k * n;
        for (uint32_t l = 0; l <= k; ++l) {
            const tc_real *const other = s->S + l * n;
            const tc_real start = l == k ? s->D[s->hard + k] : TC_C(0.0);
            tc_real sum = start + tci_cone_grad_dot(B + k * d, B + l * d, d);
            sum = tc_mat_body_dot_sub(sum, row, 1, other, 1, 0, l);
            row[l] = l < k ? sum * other[l] : TC_C(1.0) / tc_sqrt(sum);
        }
    }
}

int tci_cone_grad_open(tci_cone_grad_pattern *s, const tci_cone_grad_answer *answer, tc_real *work)
{
    divide_pattern(s, answer, work);
    const uint32_t n = s->problem->n;
    for (uint32_t i = 0; i < n; ++i) {
        if ((uint32_t)s->kind[i] > (uint32_t)TC_CONE_FLOOR_SLIP) return 0;
    }
    set_velocities(s, answer->w);
    for (uint32_t i = 0; i < n; ++i) set_direction(s, i);
    for (int soft = 0; soft < 2; ++soft) {
        for (uint32_t i = 0; i < n; ++i) add_kind(s, i, soft);
    }
    if (!s->coulomb) factor_soft(s);
    return 1;
}

/* ---- Equations (5) and (6) ------------------------------------------------------------------- */

/* R y = -h; x becomes Q^T y + P x, z[hard] = y - Q x of the x given */
static void obey_hard(tci_cone_grad_pattern *s, tc_real *y)
{
    const uint32_t d = s->problem->d;
    for (uint32_t k = 0; k < s->hard; ++k) {
        const tc_real *const q = s->b + k * d, *const R = s->along + k * d;
        y[k] = tc_mat_body_dot_sub(-s->h[k], R, 1, y, 1, 0, k) / R[k];
        const tc_real step = y[k] - tci_cone_grad_dot(q, s->x, d);
        s->z[k] = step;
        tci_cone_grad_add(s->x, step, q, d);
    }
}

/* S z = -(h + B (Q^T y + P v)), x += P B^T z */
static void obey_soft(tci_cone_grad_pattern *s, const tc_real *y)
{
    const uint32_t d = s->problem->d, n = s->columns - s->hard;
    tc_real *const z = s->z + s->hard;
    for (uint32_t k = 0; k < n; ++k) {
        const uint32_t at = s->hard + k;
        tc_real sum = s->h[at] + tci_cone_grad_dot(s->b + at * d, s->x, d);
        sum = tc_mat_body_dot(sum, s->along + at * d, 1, y, 1, 0, s->hard);
        z[k] = tc_mat_body_dot_sub(-sum, s->S + k * n, 1, z, 1, 0, k) * s->S[k * n + k];
    }
    for (uint32_t up = 0; up < n; ++up) {
        const uint32_t k = n - 1u - up;
        z[k] = tc_mat_body_dot_sub(z[k], s->S + k, n, z, 1, k + 1u, n) * s->S[k * n + k];
    }
    for (uint32_t k = 0; k < n; ++k) take_multiple(s->x, z[k], s->b + (s->hard + k) * d, d);
}

/* R^T z = z - Q B_s^T z_s */
static void recover_hard(tci_cone_grad_pattern *s)
{
    const uint32_t d = s->problem->d;
    for (uint32_t k = s->hard; k < s->columns; ++k) {
        take_multiple(s->z, -s->z[k], s->along + k * d, s->hard);
    }
    for (uint32_t up = 0; up < s->hard; ++up) {
        const uint32_t k = s->hard - 1u - up;
        const tc_real *const R = s->along + k * d;
        s->z[k] /= R[k];
        take_multiple(s->z, -s->z[k], R, k);
    }
}

/* From v in s->x and h: x and z. The rows' scratch, which is at least as long as Q, holds y. */
void tci_cone_grad_solve(tci_cone_grad_pattern *s)
{
    obey_hard(s, s->by_row);
    obey_soft(s, s->by_row);
    recover_hard(s);
}
