/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the tiers of the cone solver do contact by contact, and the choice of a size for the rest.
 */
#include "tc_exact.h"
#include "tc_cone_internal.h"

#define SOFT_BESIDE (TC_C(8.0) * TC_EPSILON) /* least softness beside a compliance, of a */
#define DROPS_MAX 2u                         /* contacts that one step takes to their floors */

/* Sizes of a free body have code of their own. */
#define CONE_SIZES(s, name, arguments)                                                             \
    do {                                                                                           \
        if (TC_CONE_UNROLL && (s)->rows == 3u && (s)->d == 6u) {                                   \
            tci_cone_space_##name arguments;                                                       \
        } else if (TC_CONE_UNROLL && (s)->rows == 2u && (s)->d == 3u) {                            \
            tci_cone_plane_##name arguments;                                                       \
        } else {                                                                                   \
            tci_cone_any_##name arguments;                                                         \
        }                                                                                          \
    } while (0)

tc_cone_kind tci_cone_nearest(const tci_cone_contact *c, tc_real *y, tc_real *length, uint32_t rows)
{
    return tci_cone_project(c, y, length, rows);
}

int tci_cone_read(tci_cone_state *s)
{
    if (TC_CONE_UNROLL && s->rows == 3u && s->d == 6u) return tci_cone_space_read(s);
    if (TC_CONE_UNROLL && s->rows == 2u && s->d == 3u) return tci_cone_plane_read(s);
    return tci_cone_any_read(s);
}

void tci_cone_sweep(tci_cone_state *s, uint32_t sweeps)
{
    CONE_SIZES(s, sweep, (s, sweeps));
}

void tci_cone_gather(const tci_cone_state *s, const tc_real *f, const tc_real *from, tc_real *w)
{
    CONE_SIZES(s, gather, (s, f, from, w));
}

void tci_cone_judge(tci_cone_state *s)
{
    CONE_SIZES(s, judge, (s));
}

void tci_cone_measure(tci_cone_state *s)
{
    CONE_SIZES(s, measure, (s));
}

void tci_cone_newton(tci_cone_state *s)
{
    CONE_SIZES(s, newton, (s));
}

/* ---- Pattern Newton step ---------------------------------------------------------------------- */

/* out = B v along the ray, and across it */
TC_MAT_INLINE void weigh_slip(const tci_cone_contact *c, uint8_t kind, const tc_real *v,
                              tc_real *out, uint32_t rows)
{
    const tc_real x = c->mu * c->tau[0], y = c->mu * c->tau[1];
    for (uint32_t r = 0; r < rows; ++r) out[r] = TC_C(0.0);
    if (kind == TC_CONE_SLIP) {
        tc_real part = v[0];
        if (rows > 1u) part = TC_MLA(part, x, v[1]);
        if (rows > 2u) part = TC_MLA(part, y, v[2]);
        out[0] = c->ray * part;
        if (rows > 1u) out[1] = out[0] * x;
        if (rows > 2u) out[2] = out[0] * y;
    }
    if (rows > 2u) {
        const tc_real turn = c->across * TC_MLS(c->tau[0] * v[2], c->tau[1], v[1]);
        out[1] = TC_MLS(out[1], turn, c->tau[1]);
        out[2] = TC_MLA(out[2], turn, c->tau[0]);
    }
}

/* out = B v */
TC_MAT_INLINE void weigh_contact(const tci_cone_contact *c, uint8_t kind, const tc_real *v,
                                 tc_real *out, uint32_t rows)
{
    if (kind == TC_CONE_SLIP || kind == TC_CONE_FLOOR_SLIP) {
        weigh_slip(c, kind, v, out, rows);
        return;
    }
    const tc_real weight = kind == TC_CONE_OPEN ? TC_C(0.0) : c->ray;
    out[0] = kind == TC_CONE_STICK ? weight * v[0] : TC_C(0.0);
    for (uint32_t r = 1; r < rows; ++r) out[r] = weight * v[r];
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

/* Kind of y, which becomes its projection. A contact that a step has taken out of its kind gets the
 * next one: from slip to the floor; at the floor from stick to slip, in the direction in which it
 * left. */
TC_MAT_INLINE uint8_t choose_kind(const tci_cone_state *s, uint32_t i, tc_real *y, tc_real *pulled,
                                  tc_real *length, uint32_t rows)
{
    const tci_cone_contact *const c = s->contact + i;
    const tc_cone_kind kind = tci_cone_project(c, y, length, rows);
    if ((s->dropped >> i & 1u) == 0) return (uint8_t)kind;
    if (kind == TC_CONE_SLIP) {
        y[0] = c->floor;
        return c->floor > TC_C(0.0) ? TC_CONE_FLOOR_SLIP : TC_CONE_OPEN;
    }
    if (kind != TC_CONE_FLOOR_STICK) return (uint8_t)kind;
    for (uint32_t r = 1; r < rows; ++r) pulled[r] = c->tau[r - 1u];
    *length = TC_C(1.0);
    return TC_CONE_FLOOR_SLIP;
}

/* Kind, weights, base (into trial) and what the right side needs (into change) */
TC_MAT_INLINE void aim_contact(tci_cone_state *s, uint32_t i, tc_real pull, tc_real soften,
                               uint32_t rows)
{
    tci_cone_contact *const c = s->contact + i;
    const tc_real *const f = s->f + i * rows, *const u = s->u + i * rows;
    tc_real *const base = s->trial + i * rows, *const change = s->change + i * rows;
    const tc_real soft = tc_vec_max(TC_MLA(c->soft, SOFT_BESIDE, c->a), soften * c->a);
    tc_real y[3], pulled[3], v[3] = {TC_C(0.0)}, part[3] = {TC_C(0.0)}, length;
    for (uint32_t r = 0; r < rows; ++r) {
        y[r] = pulled[r] = TC_MLS(f[r], pull * c->inverse, u[r]);
        base[r] = f[r];
    }
    const uint8_t kind = choose_kind(s, i, y, pulled, &length, rows);
    s->kind[i] = kind;
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

/* Whether a contact that sticks at its floor comes to the disc's edge on the way to f, before any
 * other */
TC_MAT_INLINE void leave_disc(tci_cone_state *s, uint32_t i, const tc_real *before,
                              const tc_real *f, uint32_t rows)
{
    tci_cone_contact *const c = s->contact + i;
    const tc_real after = tci_cone_length(f, rows), beyond = TC_MLS(after, c->mu, f[0]);
    if (!(beyond > TC_C(0.0)) || !(after > TC_C(0.0))) return;
    const tc_real inside = TC_MLS(c->mu * before[0], TC_C(1.0), tci_cone_length(before, rows));
    const tc_real ratio = inside > TC_C(0.0) ? inside / (inside + beyond) : TC_C(0.0);
    if (ratio >= s->ratio) return;
    s->ratio = ratio;
    s->first = 1u << i;
    for (uint32_t r = 1; r < rows; ++r) c->tau[r - 1u] = f[r] / after;
}

/* f of a contact that slips, its base, moved by `part` along its ray and turned by the rest */
TC_MAT_INLINE void move_slip(tci_cone_state *s, uint32_t i, const tc_real *part, tc_real *f,
                             uint32_t rows)
{
    const tci_cone_contact *const c = s->contact + i;
    if (s->kind[i] == TC_CONE_SLIP) {
        const tc_real least = s->ratio * part[0];
        if (f[0] + least < c->floor) {
            s->ratio = (c->floor - f[0]) / part[0];
            s->first = 1u << i;
        }
        f[0] = tc_vec_max(f[0] + part[0], c->floor);
    }
    tc_real radius = c->mu * f[0];
    if (rows == 2u) f[1] = radius * c->tau[0];
    if (rows > 2u) {
        const tc_real across = TC_MLS(c->tau[0] * part[2], c->tau[1], part[1]);
        const tc_real turn = c->reach > TC_C(0.0) ? across / c->reach : TC_C(0.0);
        radius /= tc_sqrt(TC_MLA(TC_C(1.0), turn, turn));
        f[1] = radius * TC_MLS(c->tau[0], turn, c->tau[1]);
        f[2] = radius * TC_MLA(c->tau[1], turn, c->tau[0]);
    }
}

/* trial = the base moved by -B (u + v), back on its set. B u comes from `change`, not from u + v: in
 * T^T u all of u cancels, and the rest, divided by a small softness, must not be rounding. */
TC_MAT_INLINE void move_contact(tci_cone_state *s, uint32_t i, const tc_real *v, uint32_t rows)
{
    tci_cone_contact *const c = s->contact + i;
    const tc_real *const before = s->f + i * rows, *const change = s->change + i * rows;
    tc_real *const f = s->trial + i * rows;
    tc_real part[3], length;
    const uint8_t kind = s->kind[i];
    weigh_contact(c, kind, v, part, rows);
    for (uint32_t r = 0; r < rows; ++r) part[r] = (change[r] - (f[r] - before[r])) - part[r];
    if (kind == TC_CONE_SLIP || kind == TC_CONE_FLOOR_SLIP) {
        move_slip(s, i, part, f, rows);
        return;
    }
    for (uint32_t r = 0; r < rows; ++r) f[r] += part[r];
    if (kind == TC_CONE_FLOOR_STICK) leave_disc(s, i, before, f, rows);
    (void)tci_cone_project(c, f, &length, rows);
}

/* One text for space, whose rows are a constant, and for the rest */
TC_MAT_INLINE void aim_contacts(tci_cone_state *s, tc_real pull, tc_real soften, uint32_t rows)
{
    for (uint32_t i = 0; i < s->n; ++i) aim_contact(s, i, pull, soften, rows);
}

void tci_cone_move(tci_cone_state *s, uint32_t i, const tc_real *v)
{
    if (TC_CONE_UNROLL && s->rows == 3u) {
        move_contact(s, i, v, 3u);
    } else {
        move_contact(s, i, v, s->rows);
    }
}

/* trial: one Newton step from f for the kinds that f - pull u / a has. u is that of f. The first
 * contact that comes to its floor, or at its floor to the disc's edge, on the way is taken there,
 * and the step is repeated. */
void tci_cone_pattern(tci_cone_state *s, tc_real pull, tc_real soften)
{
    s->dropped = 0;
    for (uint32_t drops = 0;; ++drops) {
        if (TC_CONE_UNROLL && s->rows == 3u) {
            aim_contacts(s, pull, soften, 3u);
        } else {
            aim_contacts(s, pull, soften, s->rows);
        }
        tci_cone_gather(s, s->change, NULL, s->next);
        tci_cone_newton(s);
        CONE_SIZES(s, step, (s));
        if (s->first == 0 || drops == DROPS_MAX) return;
        s->dropped |= s->first;
    }
}

/* ---- The proximal problem in velocity space --------------------------------------------------- */

static tc_real dot_any(const tc_real *a, const tc_real *b, uint32_t d)
{
    tc_real sum = a[0] * b[0];
    for (uint32_t k = 1; k < d; ++k) sum = TC_MLA(sum, a[k], b[k]);
    return sum;
}

/* trial = the impulses that answer w, with weights of their derivative */
CONE_COLD void tci_cone_respond(tci_cone_state *s, const tc_real *w, tc_real theta)
{
    const uint32_t rows = s->rows, d = s->d;
    const tc_real *g = s->G;
    for (uint32_t i = 0; i < s->n; ++i) {
        tci_cone_contact *const c = s->contact + i;
        const tc_real eps = theta * c->a, weight = TC_C(1.0) / (eps + c->soft);
        tc_real *const f = s->trial + i * rows;
        tc_real length, before[3];
        for (uint32_t r = 0; r < rows; ++r, g += d) {
            f[r] = TC_MLS(eps * s->centre[i * rows + r], TC_C(1.0), dot_any(g, w, d)) * weight;
            before[r] = f[r];
        }
        const tc_cone_kind kind = tci_cone_nearest(c, f, &length, rows);
        s->kind[i] = (uint8_t)kind;
        c->ray = kind == TC_CONE_SLIP ? weight * c->length : weight;
        const tc_real inverse = length > TC_C(0.0) ? TC_C(1.0) / length : TC_C(0.0);
        for (uint32_t r = 1; r < rows; ++r) c->tau[r - 1u] = before[r] * inverse;
        c->across = weight * c->mu * f[0] * inverse;
    }
}
