/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The nearest point of a simplex with up to four corners.
 *
 * It is the inner loop of Wolfe's search for the point of least norm. Let v = sum lambda_i w_i be
 * the nearest point of the old corners, lambda > 0, and the new corner have lambda = 0. The point of
 * least norm of the corners' affine hull is y = sum mu_i w_i, sum mu = 1:
 *
 *     2 corners   e = w1 - w0, mu_1 = -w0.e / e.e
 *     3 corners   n = e1 x e2, mu_1 = n.(e2 x w0) / n.n, mu_2 = n.(w0 x e1) / n.n
 *     4 corners   y = 0; by volumes, mu_1 = -w0.(e2 x e3) / (e1.(e2 x e3)) and so on
 *
 * If all mu are positive, v = y. Else v goes towards y until the first weight is zero,
 *
 *     theta = min over mu_i <= 0 of lambda_i / (lambda_i - mu_i),
 *
 * that corner is left, and the rest is asked again. |v| falls on the whole way, so no set of corners
 * comes twice, and each pass leaves one: there are at most four. Of three corners v is
 * n (n.w0) / n.n rather than a sum: its direction is that of the face, however near the origin is.
 */
#include "tc_exact.h"

#include "tc_convex_internal.h"

/* Square of the sine between two edges below which a face is a sliver */
#define TCI_CONVEX_SLIVER TC_C(0.01)

/* A face: its edges from w[0], their product n, and 1 / n.n */
typedef struct tci_convex_face {
    tc_real e1[3], e2[3], n[3], inverse;
} tci_convex_face;

/* e = w[i] - w[0] */
static void edge_of(const tci_convex_simplex *s, uint32_t i, tc_real e[3])
{
    for (uint32_t k = 0; k < 3u; ++k) e[k] = s->w[i][k] - s->w[0][k];
}

/* Each writes mu and v; returns 0 if the corners have no extent, 1 otherwise */
static int line_weights(tci_convex_simplex *s, tc_real mu[4], tc_real v[3])
{
    tc_real e[3];
    edge_of(s, 1, e);
    const tc_real square = tc_vec_dot3(e, e);
    if (!(square > TC_C(0.0))) return 0;
    mu[1] = -tc_vec_dot3(s->w[0], e) / square;
    mu[0] = TC_C(1.0) - mu[1];
    for (uint32_t k = 0; k < 3u; ++k) v[k] = TC_MLA(s->w[0][k], mu[1], e[k]);
    return 1;
}

/* mu_1 and mu_2 of the point of least norm of x + mu_1 e1 + mu_2 e2; inverse = 1 / n.n */
static void face_solve(const tci_convex_face *f, const tc_real x[3], tc_real mu[4])
{
    tc_real c[3];
    tc_vec_cross(f->e2, x, c);
    mu[1] = tc_vec_dot3(f->n, c) * f->inverse;
    tc_vec_cross(x, f->e1, c);
    mu[2] = tc_vec_dot3(f->n, c) * f->inverse;
}

/* The sum, once more from there: its residual is as small as the rounding of w allows */
static void face_refine(const tci_convex_face *f, const tc_real x[3], tc_real mu[4], tc_real v[3])
{
    tc_real more[4];
    for (uint32_t k = 0; k < 3u; ++k) {
        v[k] = TC_MLA(TC_MLA(x[k], mu[1], f->e1[k]), mu[2], f->e2[k]);
    }
    face_solve(f, v, more);
    mu[1] += more[1];
    mu[2] += more[2];
    for (uint32_t k = 0; k < 3u; ++k) {
        v[k] = TC_MLA(TC_MLA(v[k], more[1], f->e1[k]), more[2], f->e2[k]);
    }
}

static int face_weights(tci_convex_simplex *s, tc_real mu[4], tc_real v[3])
{
    tci_convex_face f;
    edge_of(s, 1, f.e1);
    edge_of(s, 2, f.e2);
    tc_vec_cross(f.e1, f.e2, f.n);
    const tc_real square = tc_vec_dot3(f.n, f.n);
    if (!(square > TC_C(0.0))) return 0;
    f.inverse = TC_C(1.0) / square;
    face_solve(&f, s->w[0], mu);
    const tc_real edges = tc_vec_dot3(f.e1, f.e1) * tc_vec_dot3(f.e2, f.e2);
    if (square < TCI_CONVEX_SLIVER * edges) {
        face_refine(&f, s->w[0], mu, v);
    } else {
        const tc_real along = tc_vec_dot3(f.n, s->w[0]) * f.inverse;
        for (uint32_t k = 0; k < 3u; ++k) v[k] = along * f.n[k];
    }
    mu[0] = TC_C(1.0) - mu[1] - mu[2];
    return 1;
}

static int body_weights(tci_convex_simplex *s, tc_real mu[4], tc_real v[3])
{
    tc_real e1[3], e2[3], e3[3], c[3];
    edge_of(s, 1, e1);
    edge_of(s, 2, e2);
    edge_of(s, 3, e3);
    tc_vec_cross(e2, e3, c);
    const tc_real volume = tc_vec_dot3(e1, c);
    const tc_real inverse = TC_C(-1.0) / volume;
    if (!(tc_vec_magnitude(inverse) < TC_C(1e30))) return 0;
    mu[1] = tc_vec_dot3(s->w[0], c) * inverse;
    tc_vec_cross(e3, e1, c);
    mu[2] = tc_vec_dot3(s->w[0], c) * inverse;
    tc_vec_cross(e1, e2, c);
    mu[3] = tc_vec_dot3(s->w[0], c) * inverse;
    mu[0] = TC_C(1.0) - mu[1] - mu[2] - mu[3];
    (void)tc_vec_zeroed(TC_OK, v, 3);
    return 1;
}

/* The corner's place is taken by the last */
static void leave_corner(tci_convex_simplex *s, uint32_t i)
{
    const uint32_t last = --s->count;
    for (uint32_t k = 0; k < 3u; ++k) {
        s->w[i][k] = s->w[last][k];
        s->p[i][k] = s->p[last][k];
    }
    s->weight[i] = s->weight[last];
}

/* Goes from the weights towards mu. Returns the corner whose weight ends first, or count where none
 * does and the weights are mu. */
static uint32_t go_towards(tci_convex_simplex *s, const tc_real mu[4])
{
    tc_real theta = TC_C(2.0);
    uint32_t first = s->count;
    for (uint32_t i = 0; i < s->count; ++i) {
        if (mu[i] > TC_C(0.0)) continue;
        const tc_real span = s->weight[i] - mu[i];
        const tc_real share = span > TC_C(0.0) ? s->weight[i] / span : TC_C(0.0);
        if (share < theta) {
            theta = share;
            first = i;
        }
    }
    if (first == s->count) theta = TC_C(1.0);
    for (uint32_t i = 0; i < s->count; ++i) {
        s->weight[i] = TC_MLA(s->weight[i], theta, mu[i] - s->weight[i]);
    }
    return first;
}

/* tc_calls: tci_convex_add lib/shape/tc_convex_simplex.c:line_weights */
/* tc_calls: tci_convex_add lib/shape/tc_convex_simplex.c:face_weights */
/* tc_calls: tci_convex_add lib/shape/tc_convex_simplex.c:body_weights */
int tci_convex_add(tci_convex_simplex *s, const tc_real w[3], const tc_real p[3])
{
    static int (*const weights[3])(tci_convex_simplex *, tc_real *,
                                   tc_real *) = {line_weights, face_weights, body_weights};
    tc_real mu[4];
    for (uint32_t k = 0; k < 3u; ++k) {
        s->w[s->count][k] = w[k];
        s->p[s->count][k] = p[k];
    }
    s->weight[s->count++] = TC_C(0.0);
    while (s->count > 1u) {
        const uint32_t first =
            weights[s->count - 2u](s, mu, s->v) ? go_towards(s, mu) : s->count - 1u;
        if (first == s->count) return s->count == 4u;
        leave_corner(s, first);
    }
    s->weight[0] = TC_C(1.0);
    for (uint32_t k = 0; k < 3u; ++k) s->v[k] = s->w[0][k];
    return 0;
}
