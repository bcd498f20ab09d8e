/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Springs and gravity. Spring i pulls node i by T_i = k_i (1 - L / r_i) d_i and node i + 1 by -T_i,
 * with d_i from node i to i + 1 and r_i = |d_i|. Accelerations do not depend on rates, so RK4 is
 *
 *     x2 = x + h v / 2,  x3 = x2 + h^2 a1 / 4,  x4 = x + h v + h^2 a2 / 2,   a_s = a(x_s)
 *     x' = x + h v + h^2 (a1 + a2 + a3) / 6,    v' = v + h (a1 + 2 a2 + 2 a3 + a4) / 6
 *
 * The adjoint of a spring: from w, the cotangent of T, those of k and d
 *
 *     by_k = (1 - L / r) d.w,   by_d = k ((1 - L / r) w + L / r^3 (d.w) d)
 */
#include "tc_exact.h"

#include "rope_internal.h"

#include "tc_math.h"

/* a of a place */
ROPE_LOOPS static void accelerate(const rope_system *r, const tc_real *restrict x,
                                  const tc_real *restrict y, tc_real *restrict ax,
                                  tc_real *restrict ay, tc_real *restrict pull)
{
    const uint32_t n = r->points;
    const tc_real *restrict k = r->stiffness, *restrict inverse = r->inverse_mass;
    const tc_real rest = r->rest, gravity = r->gravity;
    tc_real *restrict px = pull, *restrict py = pull + n + 1u;
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real dx = x[i + 1u] - x[i], dy = y[i + 1u] - y[i];
        const tc_real stretch = k[i] * (TC_C(1.0) - rest / tc_sqrt(dx * dx + dy * dy));
        px[i] = stretch * dx;
        py[i] = stretch * dy;
    }
    px[n] = py[n] = TC_C(0.0);
    ax[0] = ay[0] = TC_C(0.0);
    for (uint32_t j = 1; j <= n; ++j) {
        ax[j] = inverse[j] * (px[j] - px[j - 1u]);
        ay[j] = inverse[j] * (py[j] - py[j - 1u]) - gravity;
    }
}

/* out = a + s b + t c */
ROPE_LOOPS static void combine(uint32_t n, const tc_real *a, tc_real s, const tc_real *b, tc_real t,
                               const tc_real *c, tc_real *restrict out)
{
    for (uint32_t i = 0; i < n; ++i) out[i] = a[i] + s * b[i] + t * c[i];
}

/* x' and v' of one coordinate; a: the four stages' accelerations, `pitch` apart */
ROPE_LOOPS static void conclude(uint32_t n, tc_real h, const tc_real *x, const tc_real *v,
                                const tc_real *a, uint32_t pitch, tc_real *restrict moved,
                                tc_real *restrict coming)
{
    const tc_real *const a2 = a + pitch, *const a3 = a2 + pitch, *const a4 = a3 + pitch;
    const tc_real sixth = h / TC_C(6.0);
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real middle = a2[i] + a3[i];
        moved[i] = x[i] + h * (v[i] + sixth * (a[i] + middle));
        coming[i] = v[i] + sixth * (a[i] + middle + middle + a4[i]);
    }
}

void rope_move(const rope_system *r, rope_step *s, tc_real *scratch)
{
    const uint32_t n = r->nodes;
    const tc_real h = r->step, half = h * TC_C(0.5);
    tc_real *const a = scratch, *const pull = a + 8u * n, *const x2 = pull + 2u * n, *y2 = x2 + n;
    const rope_plane p = s->place, v = s->rate;
    accelerate(r, p.x, p.y, a, a + n, pull);
    combine(n, p.x, half, v.x, TC_C(0.0), a, x2);
    combine(n, p.y, half, v.y, TC_C(0.0), a, y2);
    accelerate(r, x2, y2, a + 2u * n, a + 3u * n, pull);
    combine(n, x2, half * half, a, TC_C(0.0), a, s->third.x);
    combine(n, y2, half * half, a + n, TC_C(0.0), a, s->third.y);
    accelerate(r, s->third.x, s->third.y, a + 4u * n, a + 5u * n, pull);
    combine(n, p.x, h, v.x, h * half, a + 2u * n, s->fourth.x);
    combine(n, p.y, h, v.y, h * half, a + 3u * n, s->fourth.y);
    accelerate(r, s->fourth.x, s->fourth.y, a + 6u * n, a + 7u * n, pull);
    conclude(n, h, p.x, v.x, a, 2u * n, s->moved.x, s->coming.x);
    conclude(n, h, p.y, v.y, a + n, 2u * n, s->moved.y, s->coming.y);
}

/* Cotangents of the springs' pulls from those of accelerations, one coordinate */
ROPE_LOOPS static void pull_adjoint(uint32_t n, const tc_real *restrict inverse,
                                    const tc_real *restrict w, tc_real *restrict t)
{
    for (uint32_t i = 0; i < n; ++i) t[i] = inverse[i] * w[i] - inverse[i + 1u] * w[i + 1u];
}

/* From the cotangents (tx, ty) of pulls those of d, in place, and of k, added; and the pulls */
ROPE_LOOPS static void spring_cotangents(const rope_system *r, const tc_real *restrict k,
                                         const tc_real *restrict x, const tc_real *restrict y,
                                         tc_real *restrict tx, tc_real *restrict ty,
                                         tc_real *restrict by_k, tc_real *restrict px,
                                         tc_real *restrict py)
{
    const uint32_t n = r->points;
    const tc_real rest = r->rest;
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real dx = x[i + 1u] - x[i], dy = y[i + 1u] - y[i], wx = tx[i], wy = ty[i];
        const tc_real square = dx * dx + dy * dy, relative = rest / tc_sqrt(square);
        const tc_real c = TC_C(1.0) - relative, slope = dx * wx + dy * wy;
        const tc_real along = relative / square * slope, force = k[i] * c;
        by_k[i] += c * slope;
        tx[i] = k[i] * (c * wx + along * dx);
        ty[i] = k[i] * (c * wy + along * dy);
        px[i] = force * dx;
        py[i] = force * dy;
    }
}

/* Cotangents of places from those of d, one coordinate; by_m += those of inverse masses */
ROPE_LOOPS static void node_cotangents(uint32_t n, const tc_real *restrict t,
                                       const tc_real *restrict p, const tc_real *restrict w,
                                       tc_real *restrict bx, tc_real *restrict by_m)
{
    bx[0] = TC_C(0.0);
    for (uint32_t j = 1; j <= n; ++j) {
        bx[j] = t[j - 1u] - t[j];
        by_m[j] += w[j] * (p[j] - p[j - 1u]);
    }
}

/* From the cotangents w of a(place) those of the place, which are written to bx, and of the
 * parameters, which are added to; room: 4 nodes */
ROPE_LOOPS static void accelerate_adjoint(const rope_system *r, rope_plane place, const tc_real *w,
                                          rope_adjoint *by, tc_real *bx, tc_real *room)
{
    const uint32_t n = r->points, nodes = r->nodes;
    tc_real *const tx = room, *const ty = tx + nodes, *const px = ty + nodes,
                   *const py = px + nodes;
    pull_adjoint(n, r->inverse_mass, w, tx);
    pull_adjoint(n, r->inverse_mass, w + nodes, ty);
    spring_cotangents(r, r->stiffness, place.x, place.y, tx, ty, by->stiffness, px, py);
    tx[n] = ty[n] = px[n] = py[n] = TC_C(0.0);
    node_cotangents(n, tx, px, w, bx, by->inverse_mass);
    node_cotangents(n, ty, py, w + nodes, bx + nodes, by->inverse_mass);
    tc_real down = TC_C(0.0);
    for (uint32_t j = 1; j <= n; ++j) down += w[nodes + j];
    by->gravity -= down;
}

/* out += t a */
ROPE_LOOPS static void add_scaled(uint32_t n, tc_real t, const tc_real *restrict a,
                                  tc_real *restrict out)
{
    for (uint32_t i = 0; i < n; ++i) out[i] += t * a[i];
}

/* The stage's adjoint: place += J^T w, rate += t J^T w, and g <- g + s J^T w unless null. */
static void stage_adjoint(const rope_system *r, rope_plane place, tc_real *w, rope_adjoint *by,
                          tc_real t, tc_real *g, tc_real s)
{
    const uint32_t n = r->nodes;
    tc_real *const bx = by->scratch, *const room = bx + 2u * n;
    accelerate_adjoint(r, place, w, by, bx, room);
    add_scaled(n, TC_C(1.0), bx, by->place.x);
    add_scaled(n, TC_C(1.0), bx + n, by->place.y);
    add_scaled(n, t, bx, by->rate.x);
    add_scaled(n, t, bx + n, by->rate.y);
    if (g != NULL) add_scaled(2u * n, s, bx, g);
}

void rope_move_adjoint(const rope_system *r, const rope_step *s, rope_adjoint *by)
{
    const uint32_t n = r->nodes;
    const tc_real h = r->step, half = h * TC_C(0.5), sixth = h / TC_C(6.0);
    tc_real *const a1 = by->scratch + 8u * n, *const a2 = a1 + 2u * n, *const a3 = a2 + 2u * n;
    tc_real *const a4 = a3 + 2u * n, *const x2 = a4 + 2u * n, *const y2 = x2 + n;
    for (uint32_t i = 0; i < 2u * n; ++i) {
        const tc_real place = i < n ? by->place.x[i] : by->place.y[i - n];
        const tc_real rate = i < n ? by->rate.x[i] : by->rate.y[i - n];
        a1[i] = sixth * (rate + h * place);
        a2[i] = a3[i] = sixth * (rate + rate + h * place);
        a4[i] = sixth * rate;
    }
    add_scaled(n, h, by->place.x, by->rate.x);
    add_scaled(n, h, by->place.y, by->rate.y);
    combine(n, s->place.x, half, s->rate.x, TC_C(0.0), s->place.x, x2);
    combine(n, s->place.y, half, s->rate.y, TC_C(0.0), s->place.y, y2);
    stage_adjoint(r, s->fourth, a4, by, h, a2, h * half);
    stage_adjoint(r, s->third, a3, by, half, a1, half * half);
    stage_adjoint(r, (rope_plane){x2, y2}, a2, by, half, NULL, TC_C(0.0));
    stage_adjoint(r, s->place, a1, by, TC_C(0.0), NULL, TC_C(0.0));
}
