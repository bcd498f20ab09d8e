/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Passes over the contacts of a cone problem.
 */
#include "tc_exact.h"
#include "tc_cone_internal.h"

/* Sizes that feet have get code of their own: BODY(s, rows, d) with constants. */
#define CONE_SIZES(s, body)                                                                        \
    do {                                                                                           \
        if ((s)->rows == 3u && (s)->d == 6u) {                                                     \
            body(3u, 6u);                                                                          \
        } else if ((s)->rows == 2u && (s)->d == 3u) {                                              \
            body(2u, 3u);                                                                          \
        } else {                                                                                   \
            body((s)->rows, (s)->d);                                                               \
        }                                                                                          \
    } while (0)

/* ---- Sweeps: projected Gauss-Seidel on whole contacts, w carried ----------------------------- */

TC_MAT_INLINE void relax_contact(tci_cone_state *s, uint32_t i, uint32_t rows, uint32_t d)
{
    const tci_cone_contact *const c = s->contact + i;
    const tc_real *const g = s->G + i * rows * d;
    tc_real *const f = s->f + i * rows;
    tc_real y[3], length;
    for (uint32_t r = 0; r < rows; ++r) {
        y[r] = TC_MLS(f[r], c->step, TC_MLA(tci_cone_dot(g + r * d, s->w, d), c->soft, f[r]));
    }
    (void)tci_cone_project(c, y, &length, rows);
    for (uint32_t r = 0; r < rows; ++r) {
        const tc_real step = y[r] - f[r];
        f[r] = y[r];
        tci_cone_add(s->w, step, g + r * d, d);
    }
}

TC_MAT_INLINE void sweep_body(tci_cone_state *s, uint32_t sweeps, uint32_t rows, uint32_t d)
{
    for (uint32_t k = 0; k < sweeps; ++k) {
        for (uint32_t i = 0; i < s->n; ++i) {
            relax_contact(s, i, rows, d);
        }
    }
}

void tci_cone_sweep(tci_cone_state *s, uint32_t sweeps)
{
#define SWEEP_BODY(rows, d) sweep_body(s, sweeps, rows, d)
    CONE_SIZES(s, SWEEP_BODY);
}

/* ---- w = from + G^T f ------------------------------------------------------------------------ */

TC_MAT_INLINE void gather_body(const tci_cone_state *s, const tc_real *f, const tc_real *from,
                               tc_real *w, uint32_t rows, uint32_t d)
{
    const tc_real *g = s->G;
    for (uint32_t k = 0; k < d; ++k) {
        w[k] = from != NULL ? from[k] : TC_C(0.0);
    }
    for (uint32_t r = 0; r < s->n * rows; ++r, g += d) {
        tci_cone_add(w, f[r], g, d);
    }
}

void tci_cone_gather(const tci_cone_state *s, const tc_real *f, const tc_real *from, tc_real *w)
{
#define GATHER_BODY(rows, d) gather_body(s, f, from, w, rows, d)
    CONE_SIZES(s, GATHER_BODY);
}

/* ---- w, u and the violation of f -------------------------------------------------------------- */

TC_MAT_INLINE tc_real judge_contact(const tci_cone_contact *c, const tc_real *f, const tc_real *u,
                                    uint32_t rows)
{
    tc_real y[3], length, most = TC_C(0.0);
    for (uint32_t r = 0; r < rows; ++r) {
        y[r] = TC_MLS(f[r], c->inverse, u[r]);
    }
    (void)tci_cone_project(c, y, &length, rows);
    for (uint32_t r = 0; r < rows; ++r) {
        const tc_real part = f[r] - y[r];
        most = TC_MLA(most, part, part);
    }
    return most * c->a * c->a;
}

TC_MAT_INLINE void evaluate_body(tci_cone_state *s, uint32_t rows, uint32_t d)
{
    tc_real most = TC_C(0.0), load = TC_C(0.0);
    const tc_real *g = s->G;
    gather_body(s, s->f, s->w0, s->w, rows, d);
    for (uint32_t i = 0; i < s->n; ++i) {
        tc_real *const u = s->u + i * rows, *const f = s->f + i * rows;
        for (uint32_t r = 0; r < rows; ++r, g += d) {
            u[r] = TC_MLA(tci_cone_dot(g, s->w, d), s->contact[i].soft, f[r]);
        }
        most = tc_vec_max(most, judge_contact(s->contact + i, f, u, rows));
        load = tc_vec_max(load, s->contact[i].a * f[0]);
    }
    s->load = load;
    s->violation = tc_sqrt(most);
}

void tci_cone_evaluate(tci_cone_state *s)
{
#define EVALUATE_BODY(rows, d) evaluate_body(s, rows, d)
    CONE_SIZES(s, EVALUATE_BODY);
}

/* ---- The scale: the largest sum of magnitudes that cancel in a row of u ----------------------- */

void tci_cone_measure(tci_cone_state *s)
{
    const uint32_t d = s->d, rows = s->n * s->rows;
    tc_real most = TC_C(0.0);
    for (uint32_t k = 0; k < d; ++k) {
        tc_real sum = tc_vec_magnitude(s->w0[k]);
        for (uint32_t r = 0; r < rows; ++r) {
            sum += tc_vec_magnitude(s->G[r * d + k] * s->f[r]);
        }
        s->next[k] = sum;
    }
    for (uint32_t r = 0; r < rows; ++r) {
        tc_real sum = s->contact[r / s->rows].soft * tc_vec_magnitude(s->f[r]);
        for (uint32_t k = 0; k < d; ++k) {
            sum = TC_MLA(sum, tc_vec_magnitude(s->G[r * d + k]), s->next[k]);
        }
        most = tc_vec_max(most, sum);
    }
    s->scale = most;
    s->measured = s->load;
}

/* ---- The Newton matrix ------------------------------------------------------------------------ */

/* lower(H) += weight a a^T */
TC_MAT_INLINE void add_square(tc_real *H, tc_real weight, const tc_real *a, uint32_t d)
{
    if (d == 6u || d == 3u) {
        TC_MAT_UNROLLED
        for (uint32_t i = 0; i < 6u; ++i) {
            const tc_real x = i < d ? weight * a[i] : TC_C(0.0);
            TC_MAT_UNROLLED
            for (uint32_t j = 0; j <= i && i < d; ++j) H[i * d + j] = TC_MLA(H[i * d + j], x, a[j]);
        }
        return;
    }
    for (uint32_t i = 0; i < d; ++i) {
        const tc_real x = weight * a[i];
        for (uint32_t j = 0; j <= i; ++j) {
            H[i * d + j] = TC_MLA(H[i * d + j], x, a[j]);
        }
    }
}

/* row = x a + y b */
TC_MAT_INLINE void mix_rows(tc_real *row, tc_real x, const tc_real *a, tc_real y, const tc_real *b,
                            uint32_t d)
{
    for (uint32_t k = 0; k < d; ++k) {
        row[k] = TC_MLA(x * a[k], y, b[k]);
    }
}

TC_MAT_INLINE void add_slip(tci_cone_state *s, const tci_cone_contact *c, const tc_real *g,
                            int along, uint32_t rows, uint32_t d)
{
    const tc_real *const g1 = g + (rows > 1u ? d : 0u), *const g2 = g + (rows > 2u ? 2u * d : 0u);
    tc_real *const row = s->row;
    if (along) {
        for (uint32_t k = 0; k < d; ++k) row[k] = g[k];
        if (rows > 1u) tci_cone_add(row, c->mu * c->tau[0], g1, d);
        if (rows > 2u) tci_cone_add(row, c->mu * c->tau[1], g2, d);
        add_square(s->H, c->ray, row, d);
    }
    if (rows > 2u && c->across > TC_C(0.0)) {
        mix_rows(row, -c->tau[1], g1, c->tau[0], g2, d);
        add_square(s->H, c->across, row, d);
    }
}

TC_MAT_INLINE void add_contact(tci_cone_state *s, uint32_t i, uint32_t rows, uint32_t d)
{
    const tci_cone_contact *const c = s->contact + i;
    const tc_real *const g = s->G + i * rows * d;
    switch (s->kind[i]) {
    case TC_CONE_OPEN: return;
    case TC_CONE_SLIP: add_slip(s, c, g, 1, rows, d); return;
    case TC_CONE_FLOOR_SLIP: add_slip(s, c, g, 0, rows, d); return;
    default: break;
    }
    for (uint32_t r = s->kind[i] == TC_CONE_STICK ? 0u : 1u; r < rows; ++r) {
        add_square(s->H, c->ray, g + r * d, d);
    }
}

/* H = L L^T. A pivot of 1 plus a Gram matrix is at least 1, which rounding may forget. The diagonal
 * of L has the reciprocals. */
TC_MAT_INLINE void factor_body(tc_real *H, uint32_t d)
{
    for (uint32_t j = 0; j < d; ++j) {
        tc_real *const column = H + j * d;
        tc_real pivot = column[j];
        for (uint32_t k = 0; k < j; ++k) pivot = TC_MLS(pivot, column[k], column[k]);
        const tc_real reciprocal = TC_C(1.0) / tc_sqrt(tc_vec_max(pivot, TC_C(1.0)));
        column[j] = reciprocal;
        for (uint32_t i = j + 1u; i < d; ++i) {
            tc_real *const row = H + i * d;
            tc_real sum = row[j];
            for (uint32_t k = 0; k < j; ++k) sum = TC_MLS(sum, row[k], column[k]);
            row[j] = sum * reciprocal;
        }
    }
}

TC_MAT_INLINE void back_body(const tc_real *L, const tc_real *b, tc_real *x, uint32_t d)
{
    for (uint32_t i = 0; i < d; ++i) {
        tc_real sum = b[i];
        for (uint32_t k = 0; k < i; ++k) sum = TC_MLS(sum, L[i * d + k], x[k]);
        x[i] = sum * L[i * d + i];
    }
    for (uint32_t i = d; i-- > 0u;) {
        tc_real sum = x[i];
        for (uint32_t k = i + 1u; k < d; ++k) sum = TC_MLS(sum, L[k * d + i], x[k]);
        x[i] = sum * L[i * d + i];
    }
}

TC_MAT_INLINE void solve_body(tci_cone_state *s, const tc_real *right, uint32_t rows, uint32_t d)
{
    ++s->iterations;
    for (uint32_t i = 0; i < d * d; ++i) s->H[i] = TC_C(0.0);
    for (uint32_t i = 0; i < d; ++i) s->H[i * d + i] = TC_C(1.0);
    for (uint32_t i = 0; i < s->n; ++i) add_contact(s, i, rows, d);
    factor_body(s->H, d);
    back_body(s->H, right, s->dw, d);
}

/* dw = (I + sum_i G_i^T B_i G_i)^-1 right */
void tci_cone_factor(tci_cone_state *s, const tc_real *right)
{
#define SOLVE_BODY(rows, d) solve_body(s, right, rows, d)
    CONE_SIZES(s, SOLVE_BODY);
}

#ifndef CONE_DROPS
#define CONE_DROPS 2u
#endif
/* ---- Pattern Newton step ---------------------------------------------------------------------- */

/* out = B v */
TC_MAT_INLINE void weigh_contact(const tci_cone_contact *c, uint8_t kind, const tc_real *v,
                                 tc_real *out, uint32_t rows)
{
    const tc_real along = kind == TC_CONE_STICK || kind == TC_CONE_FLOOR_STICK ? c->ray : TC_C(0.0);
    for (uint32_t r = 0; r < rows; ++r) out[r] = along * v[r];
    if (kind == TC_CONE_FLOOR_STICK) out[0] = TC_C(0.0);
    if (kind == TC_CONE_SLIP) {
        tc_real part = v[0];
        if (rows > 1u) part = TC_MLA(part, c->mu * c->tau[0], v[1]);
        if (rows > 2u) part = TC_MLA(part, c->mu * c->tau[1], v[2]);
        out[0] = c->ray * part;
        if (rows > 1u) out[1] = out[0] * c->mu * c->tau[0];
        if (rows > 2u) out[2] = out[0] * c->mu * c->tau[1];
    }
    if (rows > 2u && (kind == TC_CONE_SLIP || kind == TC_CONE_FLOOR_SLIP)) {
        const tc_real turn = c->across * TC_MLS(c->tau[0] * v[2], c->tau[1], v[1]);
        out[1] = TC_MLS(out[1], turn, c->tau[1]);
        out[2] = TC_MLA(out[2], turn, c->tau[0]);
    }
}

/* Weights and base of a contact that slips: `y` is where f - u pulls, `p` its projection */
TC_MAT_INLINE void aim_slip(tci_cone_contact *c, uint8_t kind, const tc_real *pulled, tc_real most,
                            tc_real length, const tc_real *f, const tc_real *u, tc_real *base,
                            tc_real soft, uint32_t rows)
{
    const tc_real inverse = length > TC_C(0.0) ? TC_C(1.0) / length : TC_C(0.0);
    tc_real along = f[0], drag = TC_C(0.0);
    for (uint32_t r = 1; r < rows; ++r) {
        c->tau[r - 1u] = pulled[r] * inverse;
        along = TC_MLA(along, c->mu * c->tau[r - 1u], f[r]);
        drag = TC_MLS(drag, c->tau[r - 1u], u[r]);
    }
    along *= c->length;
    if (!(along > c->floor) || kind == TC_CONE_FLOOR_SLIP) along = c->floor;
    c->reach = c->mu * tc_vec_max(along, most);
    c->ray = c->length / soft;
    c->across = c->reach > TC_C(0.0) ? c->reach / TC_MLA(tc_vec_not_negative(drag), soft, c->reach)
                                     : TC_C(0.0);
    base[0] = along;
    for (uint32_t r = 1; r < rows; ++r) base[r] = along * c->mu * c->tau[r - 1u];
}

/* Kind, weights, base (into trial) and what the right side needs (into change) */
TC_MAT_INLINE void aim_contact(tci_cone_state *s, uint32_t i, tc_real pull, tc_real soften,
                               uint32_t rows)
{
    tci_cone_contact *const c = s->contact + i;
    const tc_real *const f = s->f + i * rows, *const u = s->u + i * rows;
    tc_real *const base = s->trial + i * rows, *const change = s->change + i * rows;
    const tc_real soft = TC_MLA(c->soft, soften, c->a);
    tc_real y[3], pulled[3], v[3], part[3], length;
    for (uint32_t r = 0; r < rows; ++r) {
        y[r] = pulled[r] = TC_MLS(f[r], pull * c->inverse, u[r]);
        base[r] = f[r];
    }
    tc_cone_kind kind = tci_cone_project(c, y, &length, rows);
    if ((s->dropped >> i & 1u) != 0 && kind == TC_CONE_SLIP) {
        kind = c->floor > TC_C(0.0) ? TC_CONE_FLOOR_SLIP : TC_CONE_OPEN;
        y[0] = c->floor;
    }
    s->kind[i] = (uint8_t)kind;
    c->ray = TC_C(1.0) / soft;
    if (kind == TC_CONE_OPEN) {
        for (uint32_t r = 0; r < rows; ++r) base[r] = TC_C(0.0);
    } else if (kind == TC_CONE_FLOOR_STICK) {
        base[0] = c->floor;
    } else if (kind != TC_CONE_STICK) {
        aim_slip(c, s->kind[i], pulled, y[0], length, f, u, base, soft, rows);
    }
    for (uint32_t r = 0; r < rows; ++r) v[r] = TC_MLA(u[r], c->soft, base[r] - f[r]);
    weigh_contact(c, s->kind[i], v, part, rows);
    for (uint32_t r = 0; r < rows; ++r) change[r] = (base[r] - f[r]) - part[r];
}

/* trial = the base moved by -B (u + v), back on its set. B u comes from `change`, not from u + v: in
 * T^T u all of u cancels, and the rest, divided by a small softness, must not be rounding. */
TC_MAT_INLINE void move_contact(tci_cone_state *s, uint32_t i, const tc_real *v, uint32_t rows)
{
    const tci_cone_contact *const c = s->contact + i;
    const tc_real *const before = s->f + i * rows, *const change = s->change + i * rows;
    tc_real *const f = s->trial + i * rows;
    tc_real part[3], length;
    const uint8_t kind = s->kind[i];
    if (kind == TC_CONE_OPEN) return;
    weigh_contact(c, kind, v, part, rows);
    for (uint32_t r = 0; r < rows; ++r) part[r] = (change[r] - (f[r] - before[r])) - part[r];
    if (kind == TC_CONE_STICK || kind == TC_CONE_FLOOR_STICK) {
        for (uint32_t r = 0; r < rows; ++r) f[r] += part[r];
        (void)tci_cone_project(c, f, &length, rows);
        return;
    }
    tc_real radius = f[0];
    if (kind == TC_CONE_SLIP) {
        const tc_real least = s->ratio * part[0];
        if (f[0] + least < c->floor) {
            s->ratio = (c->floor - f[0]) / part[0];
            s->first = 1u << i;
        }
        f[0] = radius = tc_vec_max(f[0] + part[0], c->floor);
    }
    radius *= c->mu;
    if (rows == 2u) f[1] = radius * c->tau[0];
    if (rows > 2u) {
        const tc_real across = TC_MLS(c->tau[0] * part[2], c->tau[1], part[1]);
        const tc_real turn = c->reach > TC_C(0.0) ? across / c->reach : TC_C(0.0);
        radius /= tc_sqrt(TC_MLA(TC_C(1.0), turn, turn));
        f[1] = radius * TC_MLS(c->tau[0], turn, c->tau[1]);
        f[2] = radius * TC_MLA(c->tau[1], turn, c->tau[0]);
    }
}

TC_MAT_INLINE void pattern_body(tci_cone_state *s, tc_real pull, tc_real soften, uint32_t rows,
                                uint32_t d)
{
    s->dropped = 0;
    for (uint32_t again = 0, before = 1u; again <= CONE_DROPS && before != s->dropped; ++again) {
        const tc_real *g = s->G;
        before = s->dropped;
        s->ratio = TC_C(1.0);
        s->first = 0;
        for (uint32_t i = 0; i < s->n; ++i) aim_contact(s, i, pull, soften, rows);
        gather_body(s, s->change, NULL, s->next, rows, d);
        solve_body(s, s->next, rows, d);
        for (uint32_t i = 0; i < s->n; ++i) {
            tc_real v[3];
            for (uint32_t r = 0; r < rows; ++r, g += d) v[r] = tci_cone_dot(g, s->dw, d);
            move_contact(s, i, v, rows);
        }
        s->dropped |= s->first;
    }
}

/* trial: one Newton step from f for the kinds that f - pull u / a has. u is that of f. */
void tci_cone_pattern(tci_cone_state *s, tc_real pull, tc_real soften)
{
#define PATTERN_BODY(rows, d) pattern_body(s, pull, soften, rows, d)
    CONE_SIZES(s, PATTERN_BODY);
}

/* ---- The proximal problem in velocity space --------------------------------------------------- */

/* trial = the impulses that answer w, with weights of their derivative */
void tci_cone_respond(tci_cone_state *s, const tc_real *w, tc_real theta)
{
    const uint32_t rows = s->rows, d = s->d;
    const tc_real *g = s->G;
    for (uint32_t i = 0; i < s->n; ++i) {
        tci_cone_contact *const c = s->contact + i;
        const tc_real eps = theta * c->a, weight = TC_C(1.0) / (eps + c->soft);
        tc_real *const f = s->trial + i * rows;
        tc_real length, before[3];
        for (uint32_t r = 0; r < rows; ++r, g += d) {
            f[r] = TC_MLS(eps * s->centre[i * rows + r], TC_C(1.0), tci_cone_dot(g, w, d)) * weight;
            before[r] = f[r];
        }
        const tc_cone_kind kind = tci_cone_project(c, f, &length, rows);
        s->kind[i] = (uint8_t)kind;
        c->ray = kind == TC_CONE_SLIP ? weight * c->length : weight;
        const tc_real inverse = length > TC_C(0.0) ? TC_C(1.0) / length : TC_C(0.0);
        for (uint32_t r = 1; r < rows; ++r) c->tau[r - 1u] = before[r] * inverse;
        c->across = weight * c->mu * f[0] * inverse;
    }
}
