/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The barrier of a pair, one text for the plane (dim = 2) and space (dim = 3), inlined where the
 * dimension is a constant. Not for users.
 *
 * Reduction. For a unit normal n and an offset d, u_i = n.(x_i - m) + d - r_A of A's vertices and
 * -n.(y_j - m) - d - r_B of B's, Q(n, d) = sum 1/u. The potential depends on the least Q alone
 * (tc_barrier.c), whatever the weights: dim unknowns, the angles tau of n towards its tangents e_k and
 * the shift delta of d. With a vertex's tangential place a_k = e_k.(x - o) from a point o of the plane
 *
 *     u_delta = +-1,   u_tau = +-a,   u_tautau = -(u + r) I
 *     Q_delta = S_B - S_A,               S = sum 1/u^2
 *     Q_tau   = sum_B a/u^2 - sum_A a/u^2
 *     Q_deltadelta = 2 sum 1/u^3
 *     Q_tautau     = 2 sum a a'/u^3 + (Q + r_A S_A + r_B S_B) I
 *
 * and o is put where sum a/u^3 = 0, so that delta and tau do not mix and nothing cancels. Q_pp is
 * positive definite wherever the plane separates.
 *
 * Step. Newton on -1/Q, which is convex like Q but nearly a parabola where Q has its poles, has the
 * same direction and is longer by 1 / (1 - 2 w / Q), w the decrement. It is taken, and halved until
 * the plane separates and Q is less.
 *
 * Motions. A moves by t and theta, y = x - c: u_q = (n, y x n), and second derivatives
 * n y'/2 + y n'/2 - y.n I by theta twice, e_k by tau_k and t, y x e_k by tau_k and theta. All sums of
 * these are shifted sums of the above and of S_n = sum (y.n)/u^2: no second pass over the vertices.
 * Then the implicit function theorem: Q_qq - Q_qp Q_pp^-1 Q_pq. In the plane theta is the turn about
 * e_2, and what has e_2 is not there.
 *
 * Correction. The gradient is taken as Q_q - Q_qp Q_pp^-1 Q_p, right to second order in the error of
 * the plane.
 */
#ifndef TC_BARRIER_INTERNAL_H
#define TC_BARRIER_INTERNAL_H

#include "tc_barrier.h"
#include "tc_vec.h"

/* What the value is as a function of Q */
typedef struct tci_barrier_weight {
    tc_real value, first, second; /* value and its derivatives by Q */
    tc_real length, length_rate;  /* |n| and its derivative by Q */
} tci_barrier_weight;

/* A posed body; turn: [dim x dim], its axes to world axes */
typedef struct tci_barrier_body {
    const tc_barrier_set *set;
    const tc_real *turn;
    tc_real radius; /* what is kept clear of the vertices */
} tci_barrier_body;

typedef struct tci_barrier_view {
    tci_barrier_body body[2];
    tc_real apart[3]; /* A's position from B's, world axes */
} tci_barrier_view;

/* Sums over the vertices of a body. a: tangential place from the centre, y: from the body's position;
 * the normal points out of the plane to this body. */
typedef struct tci_barrier_sums {
    tc_real Q;        /* 1/u */
    tc_real S;        /* 1/u^2 */
    tc_real S_n;      /* (y.normal)/u^2 */
    tc_real S_a[2];   /* a/u^2 */
    tc_real C;        /* 1/u^3 */
    tc_real C_a[2];   /* a/u^3 */
    tc_real C_aa[3];  /* a_0 a_0, a_0 a_1, a_1 a_1 by u^3 */
    tc_real least;    /* least u */
    tc_real place[2]; /* a of the body's position */
    tc_real height;   /* of the body's position above the plane, less the radius */
} tci_barrier_sums;

/* A plane of unit normal with its sums */
typedef struct tci_barrier_state {
    tc_real frame[9];  /* rows n, e_1, e_2 of dim numbers, right-handed */
    tc_real offset;    /* of the middle m above the plane */
    tc_real centre[3]; /* o, from m */
    tci_barrier_sums sums[2];
} tci_barrier_state;

/* A Newton step of (tau, delta) */
typedef struct tci_barrier_step {
    tc_real tau[2], delta;
    tc_real decrement;
} tci_barrier_step;

/* Gradient, Hessian and plane's rate of a pair; the arrays of tc_barrier2 or tc_barrier3. Gradient and
 * Hessian are those of `scale` times the value. */
typedef struct tci_barrier_result {
    tc_real *gradient, *hessian, *plane_rate, scale;
    tc_real *plane_shift; /* [dim + 1] the plane's own Newton step; NULL: not wanted */
} tci_barrier_result;

/* Checks of a set, the weights with it, numbers within 1e6 of 0. size: becomes
 * the larger of itself and the farthest vertex plus the radius. */
tc_status tci_barrier_check_set(const tc_barrier_set *set, uint32_t dim, tc_real *size);
tc_status tci_barrier_check_within(const tc_real *x, uint32_t n);

void tci_barrier_weigh(const tc_barrier_config *config, tc_real Q, tci_barrier_weight *weight);

/* The value alone, and its derivatives by Q alone */
tc_real tci_barrier_value(const tc_barrier_config *config, tc_real Q);
void tci_barrier_bend_of(const tc_barrier_config *config, tc_real Q, tc_real *first,
                         tc_real *second);

/* ---- Vectors of dim numbers ------------------------------------------------------------------ */

TC_MAT_INLINE tc_real tci_barrier_dot(const tc_real *a, const tc_real *b, uint32_t dim)
{
    return tc_mat_body_dot(a[0] * b[0], a, 1, b, 1, 1, dim);
}

/* Rows e_1, e_2 of the frame from its row n: Duff's basis, a quarter turn in the plane */
TC_MAT_INLINE void tci_barrier_tangents(tc_real *frame, uint32_t dim)
{
    const tc_real x = frame[0], y = frame[1];
    if (dim == 2u) {
        frame[2] = -y;
        frame[3] = x;
        return;
    }
    const tc_real z = frame[2], sign = z < TC_C(0.0) ? TC_C(-1.0) : TC_C(1.0);
    const tc_real scale = TC_C(-1.0) / (sign + z), mixed = x * y * scale;
    frame[3] = TC_MLA(TC_C(1.0), sign * x * x, scale);
    frame[4] = sign * mixed;
    frame[5] = -sign * x;
    frame[6] = mixed;
    frame[7] = TC_MLA(sign, y * y, scale);
    frame[8] = -y;
}

/* The world vector of a frame's numbers */
TC_MAT_INLINE void tci_barrier_world(const tc_real *frame, const tc_real *x, tc_real *world,
                                     uint32_t dim)
{
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < dim; ++i) {
        world[i] = tc_mat_body_dot(frame[i] * x[0], frame + i, dim, x, 1, 1, dim);
    }
}

/* ---- Sums over the vertices ------------------------------------------------------------------ */

/* What a vertex is measured by, body's axes */
typedef struct tci_barrier_ruler {
    tc_real row[9];   /* normal and tangents */
    tc_real start[3]; /* height less the radius and place of the body's position */
} tci_barrier_ruler;

/* What both bodies' rulers start with: half the way between the positions, and the centre */
typedef struct tci_barrier_datum {
    tc_real half[3], centre[3];
} tci_barrier_datum;

TC_MAT_INLINE void tci_barrier_look(const tci_barrier_view *view, const tci_barrier_state *state,
                                    tci_barrier_datum *datum, uint32_t dim)
{
    TC_MAT_UNROLLED
    for (uint32_t k = 0; k < dim; ++k) {
        const tc_real *axis = state->frame + k * dim;
        datum->half[k] = TC_C(0.5) * tci_barrier_dot(axis, view->apart, dim);
        datum->centre[k] = k > 0u ? tci_barrier_dot(axis, state->centre, dim) : -state->offset;
    }
}

/* side: 0 for A, 1 for B */
TC_MAT_INLINE void tci_barrier_rule(const tci_barrier_body *body, const tci_barrier_state *state,
                                    const tci_barrier_datum *datum, uint32_t side,
                                    tci_barrier_ruler *ruler, uint32_t dim)
{
    const tc_real *frame = state->frame;
    tc_mat_body_vec_t(body->turn, frame, ruler->row, dim, dim);
    tc_mat_body_vec_t(body->turn, frame + dim, ruler->row + dim, dim, dim);
    if (dim == 3u) tc_mat_body_vec_t(body->turn, frame + 6, ruler->row + 6, dim, dim);
    TC_MAT_UNROLLED
    for (uint32_t k = 0; k < dim; ++k) {
        ruler->start[k] = (side == 0u ? datum->half[k] : -datum->half[k]) - datum->centre[k];
        if (side == 1u) ruler->row[k] = -ruler->row[k];
    }
    if (side == 1u) ruler->start[0] = -ruler->start[0];
    ruler->start[0] -= body->radius;
}

/* Adds a vertex at u, with its places a, to sums that are in registers */
TC_MAT_INLINE void tci_barrier_add(tci_barrier_sums *s, tc_real u, tc_real y, const tc_real *a,
                                   uint32_t dim)
{
    const tc_real q = TC_C(1.0) / u, w = q * q, c = q * w;
    if (u < s->least) s->least = u;
    s->Q += q;
    s->S += w;
    s->S_n = TC_MLA(s->S_n, w, y);
    s->C += c;
    const tc_real c_0 = c * a[0];
    s->S_a[0] = TC_MLA(s->S_a[0], w, a[0]);
    s->C_a[0] += c_0;
    s->C_aa[0] = TC_MLA(s->C_aa[0], c_0, a[0]);
    if (dim == 2u) return;
    const tc_real c_1 = c * a[1];
    s->S_a[1] = TC_MLA(s->S_a[1], w, a[1]);
    s->C_a[1] += c_1;
    s->C_aa[1] = TC_MLA(s->C_aa[1], c_0, a[1]);
    s->C_aa[2] = TC_MLA(s->C_aa[2], c_1, a[1]);
}

/* Writes the sums that a dimension has */
TC_MAT_INLINE void tci_barrier_keep(const tci_barrier_sums *s, tci_barrier_sums *kept, uint32_t dim)
{
    kept->Q = s->Q;
    kept->S = s->S;
    kept->S_n = s->S_n;
    kept->C = s->C;
    kept->least = s->least;
    kept->height = s->height;
    TC_MAT_UNROLLED
    for (uint32_t k = 0; k + 1u < dim; ++k) {
        kept->S_a[k] = s->S_a[k];
        kept->C_a[k] = s->C_a[k];
        kept->place[k] = s->place[k];
    }
    kept->C_aa[0] = s->C_aa[0];
    if (dim == 2u) return;
    kept->C_aa[1] = s->C_aa[1];
    kept->C_aa[2] = s->C_aa[2];
}

TC_MAT_INLINE void tci_barrier_sum(const tc_barrier_set *set, const tci_barrier_ruler *ruler,
                                   tci_barrier_sums *sums, uint32_t dim)
{
    tci_barrier_sums s;
    s.Q = s.S = s.S_n = s.C = TC_C(0.0);
    s.S_a[0] = s.S_a[1] = s.C_a[0] = s.C_a[1] = TC_C(0.0);
    s.C_aa[0] = s.C_aa[1] = s.C_aa[2] = s.place[1] = TC_C(0.0);
    s.least = TC_C(1e30);
    const tc_real *vertex = set->vertices;
    for (uint32_t i = 0; i < set->count; ++i, vertex += dim) {
        tc_real a[2] = {TC_C(0.0), TC_C(0.0)};
        const tc_real y = tci_barrier_dot(vertex, ruler->row, dim);
        TC_MAT_UNROLLED
        for (uint32_t k = 1; k < dim; ++k) {
            a[k - 1u] =
                tc_mat_body_dot(ruler->start[k], vertex, 1, ruler->row + k * dim, 1, 0, dim);
        }
        tci_barrier_add(&s, y + ruler->start[0], y, a, dim);
    }
    s.height = ruler->start[0];
    s.place[0] = ruler->start[1];
    if (dim == 3u) s.place[1] = ruler->start[2];
    tci_barrier_keep(&s, sums, dim);
}

/* The same of a body's only vertex, which is turned to world axes: that costs less than to turn the
 * rows */
TC_MAT_INLINE void tci_barrier_sum_one(const tci_barrier_body *body, const tci_barrier_state *state,
                                       const tci_barrier_datum *datum, uint32_t side,
                                       tci_barrier_sums *s, uint32_t dim)
{
    tc_real x[3];
    tc_mat_body_vec(body->turn, body->set->vertices, x, dim, dim);
    const tc_real along = tci_barrier_dot(state->frame, x, dim),
                  high = datum->half[0] - datum->centre[0];
    const tc_real low = -datum->half[0] - datum->centre[0];
    const tc_real y = side == 0u ? along : -along;
    s->height = (side == 0u ? high : -low) - body->radius;
    const tc_real u = y + s->height, q = TC_C(1.0) / u, w = q * q;
    s->least = u;
    s->Q = q;
    s->S = w;
    s->S_n = w * y;
    s->C = q * w;
    TC_MAT_UNROLLED
    for (uint32_t k = 1; k < dim; ++k) {
        s->place[k - 1u] = (side == 0u ? datum->half[k] : -datum->half[k]) - datum->centre[k];
        const tc_real a = s->place[k - 1u] + tci_barrier_dot(state->frame + k * dim, x, dim);
        s->S_a[k - 1u] = w * a;
        s->C_a[k - 1u] = s->C * a;
        s->C_aa[2u * k - 2u] = s->C_a[k - 1u] * a;
        if (k == 2u) s->C_aa[1] = s->C_a[0] * a;
    }
}

/* ---- The plane ------------------------------------------------------------------------------- */

/* Shifts a body's sums to a centre that is `by` farther */
TC_MAT_INLINE void tci_barrier_shift(tci_barrier_sums *s, const tc_real *by, uint32_t dim)
{
    tc_real *aa = s->C_aa;
    if (dim == 3u) {
        aa[1] += by[0] * (by[1] * s->C - s->C_a[1]) - by[1] * s->C_a[0];
        aa[2] += by[1] * (by[1] * s->C - TC_C(2.0) * s->C_a[1]);
    }
    aa[0] += by[0] * (by[0] * s->C - TC_C(2.0) * s->C_a[0]);
    TC_MAT_UNROLLED
    for (uint32_t k = 0; k + 1u < dim; ++k) {
        s->S_a[k] = TC_MLS(s->S_a[k], by[k], s->S);
        s->C_a[k] = TC_MLS(s->C_a[k], by[k], s->C);
        s->place[k] -= by[k];
    }
}

/* Puts the centre where delta and tau do not mix. Returns the square of its shift. */
TC_MAT_INLINE tc_real tci_barrier_centre(tci_barrier_state *state, uint32_t dim)
{
    tci_barrier_sums *a = &state->sums[0], *b = &state->sums[1];
    const tc_real inverse = TC_C(1.0) / (a->C + b->C);
    tc_real by[2], from[3];
    from[0] = -state->offset;
    TC_MAT_UNROLLED
    for (uint32_t k = 1; k < dim; ++k) {
        by[k - 1u] = inverse * (a->C_a[k - 1u] + b->C_a[k - 1u]);
        from[k] = by[k - 1u] + tci_barrier_dot(state->frame + k * dim, state->centre, dim);
    }
    tci_barrier_world(state->frame, from, state->centre, dim);
    tci_barrier_shift(a, by, dim);
    tci_barrier_shift(b, by, dim);
    return tci_barrier_dot(by, by, dim - 1u);
}

/* The lower triangle of Q_tautau, of a centred state, and what its pivots are at least */
TC_MAT_INLINE void tci_barrier_bend(const tci_barrier_view *view, const tci_barrier_state *state,
                                    tc_real bend[4], uint32_t dim)
{
    const tci_barrier_sums *a = &state->sums[0], *b = &state->sums[1];
    const tc_real round = TC_MLA(TC_MLA(a->Q + b->Q, view->body[0].set->radius, a->S),
                                 view->body[1].set->radius, b->S);
    bend[0] = TC_MLA(round, TC_C(2.0), a->C_aa[0] + b->C_aa[0]);
    bend[3] = round;
    if (dim == 2u) return;
    bend[1] = TC_C(2.0) * (a->C_aa[1] + b->C_aa[1]);
    bend[2] = TC_MLA(round, TC_C(2.0), a->C_aa[2] + b->C_aa[2]);
}

/* The Newton step of a centred state */
TC_MAT_INLINE void tci_barrier_newton(const tci_barrier_view *view, const tci_barrier_state *state,
                                      tci_barrier_step *step, uint32_t dim)
{
    const tci_barrier_sums *a = &state->sums[0], *b = &state->sums[1];
    tc_real bend[4];
    tci_barrier_bend(view, state, bend, dim);
    const tc_real slope = a->S - b->S, first = a->S_a[0] - b->S_a[0];
    step->delta = TC_C(0.5) * slope / (a->C + b->C);
    step->tau[1] = TC_C(0.0);
    if (dim == 2u) {
        step->tau[0] = first / bend[0];
        step->decrement = TC_MLA(slope * step->delta, first, step->tau[0]);
        return;
    }
    const tc_real second = a->S_a[1] - b->S_a[1], ratio = bend[1] / bend[0];
    const tc_real pivot = tc_vec_max(TC_MLS(bend[2], ratio, bend[1]), bend[3]);
    step->tau[1] = TC_MLS(second, ratio, first) / pivot;
    step->tau[0] = first / bend[0] - ratio * step->tau[1];
    step->decrement =
        TC_MLA(TC_MLA(slope * step->delta, first, step->tau[0]), second, step->tau[1]);
}

/* `to` becomes the plane that `share` of the step leads to; not its sums */
TC_MAT_INLINE void tci_barrier_move(const tci_barrier_state *from, const tci_barrier_step *step,
                                    tc_real share, tci_barrier_state *to, uint32_t dim)
{
    const tc_real turn[3] = {TC_C(1.0), share * step->tau[0], share * step->tau[1]};
    const tci_barrier_sums *a = &from->sums[0], *b = &from->sums[1];
    tc_real offset = TC_MLA(from->offset, share, step->delta);
    for (uint32_t k = 1; k < dim; ++k) {
        offset = TC_MLA(offset, TC_C(0.5) * (a->place[k - 1u] + b->place[k - 1u]), turn[k]);
    }
    tci_barrier_world(from->frame, turn, to->frame, dim);
    const tc_real inverse = TC_C(1.0) / tc_sqrt(tci_barrier_dot(to->frame, to->frame, dim));
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < dim; ++i) {
        to->frame[i] *= inverse;
        to->centre[i] = from->centre[i];
    }
    tci_barrier_tangents(to->frame, dim);
    to->offset = inverse * offset;
}

/* ---- The search ------------------------------------------------------------------------------ */

/* Decrement by Q below which one step more is at rounding: it squares the error of the plane */
#ifdef TC_DOUBLE
#define TCI_BARRIER_CLOSE 1e-13
#else
#define TCI_BARRIER_CLOSE 1e-7f
#endif
#define TCI_BARRIER_LONGEST TC_C(4.0) /* most by which a step is longer than Newton's on Q */
#define TCI_BARRIER_HALVINGS 24u
#define TCI_BARRIER_LATE 10u          /* steps after which rounding is taken to keep a search */
#define TCI_BARRIER_COARSE TC_C(0.03) /* share of u that rounding may be for a search to start */
#define TCI_BARRIER_RESCUES 32u
/* Rounding of second moments beside Q, that a search starts with and that derivatives may have */
#define TCI_BARRIER_ROUGH TC_C(8e-3)
#define TCI_BARRIER_FINE TC_C(1e-5)
/* Q falls by half a decrement where it is a parabola. Where it falls by more of it, it flattens: the
 * next step is taken twice as long. */
#define TCI_BARRIER_FLAT TC_C(0.65)

/* The plane of a normal of any length but 0; 0: it has no length */
TC_MAT_INLINE int tci_barrier_open(const tc_real *normal, tc_real offset, tci_barrier_state *state,
                                   uint32_t dim)
{
    const tc_real square = tci_barrier_dot(normal, normal, dim);
    if (!(square > TC_C(1e-30) && square < TC_C(1e30))) return 0;
    const tc_real inverse = TC_C(1.0) / tc_sqrt(square);
    for (uint32_t i = 0; i < dim; ++i) {
        state->frame[i] = inverse * normal[i];
        state->centre[i] = TC_C(0.0);
    }
    tci_barrier_tangents(state->frame, dim);
    state->offset = inverse * offset;
    return 1;
}

/* The point of a body where the force acts, from the body's position. sign: 1 for A, -1 for B */
TC_MAT_INLINE void tci_barrier_point(const tci_barrier_state *state, uint32_t side, tc_real radius,
                                     tc_real *point, uint32_t dim)
{
    const tci_barrier_sums *s = &state->sums[side];
    const tc_real inverse = TC_C(1.0) / s->S;
    tc_real mean[3];
    mean[0] = TC_MLS(inverse * s->S_n, radius, TC_C(1.0));
    if (side == 1u) mean[0] = -mean[0];
    for (uint32_t k = 1; k < dim; ++k) mean[k] = TC_MLA(-s->place[k - 1u], inverse, s->S_a[k - 1u]);
    tci_barrier_world(state->frame, mean, point, dim);
}

/* The functions of the file that has the dimension; named where these are inlined, so that each is a
 * plain call */
typedef void tci_barrier_gather(const tci_barrier_view *view, tci_barrier_state *state);
typedef void tci_barrier_aim(const tci_barrier_view *view, tci_barrier_state *state,
                             tci_barrier_step *step);
typedef int tci_barrier_go(const tci_barrier_view *view, const tci_barrier_state *from,
                           const tci_barrier_step *step, tc_real share, tc_real most,
                           tci_barrier_state *to);
typedef struct tci_barrier_parts {
    tci_barrier_gather *gather; /* sums of a plane over both bodies */
    tci_barrier_aim *aim;       /* settles the state and finds Newton's step */
    tci_barrier_go *go;         /* tci_barrier_descend */
} tci_barrier_parts;

/* Whether the plane separates; NaN does not */
TC_MAT_INLINE int tci_barrier_apart(const tci_barrier_state *state)
{
    return state->sums[0].least > TC_C(0.0) && state->sums[1].least > TC_C(0.0);
}

TC_MAT_INLINE tc_real tci_barrier_total(const tci_barrier_state *state)
{
    return state->sums[0].Q + state->sums[1].Q;
}

/* Puts the plane in the middle along its normal; 1 if it separates there. Its sums are there. */
TC_MAT_INLINE int tci_barrier_seat(const tci_barrier_view *view, tci_barrier_state *state,
                                   tci_barrier_gather *gather)
{
    gather(view, state);
    const tc_real a = state->sums[0].least, b = state->sums[1].least;
    if (!(a + b > TC_C(0.0))) return 0;
    state->offset += TC_C(0.5) * (b - a);
    gather(view, state);
    return tci_barrier_apart(state);
}

/* 1 if the plane separates as it is, or in the middle along its normal */
TC_MAT_INLINE int tci_barrier_resume(const tci_barrier_view *view, tci_barrier_state *state,
                                     tci_barrier_gather *gather)
{
    gather(view, state);
    return tci_barrier_apart(state) || tci_barrier_seat(view, state, gather);
}

/* Centres a state that separates; takes its sums again where the shift cancels more than a share of
 * Q's: 1 */
TC_MAT_INLINE int tci_barrier_settle(const tci_barrier_view *view, tci_barrier_state *state,
                                     tc_real share, tci_barrier_gather *gather, uint32_t dim)
{
    const tc_real square = tci_barrier_centre(state, dim);
    const tc_real lost = TC_EPSILON * square * (state->sums[0].C + state->sums[1].C);
    if (lost <= share * tci_barrier_total(state)) return 0;
    gather(view, state);
    return 1;
}

/* The rounding of u, as a share of the least u, TCI_BARRIER_COARSE at most */
TC_MAT_INLINE tc_real tci_barrier_rounding(const tci_barrier_view *view,
                                           const tci_barrier_state *state, uint32_t dim)
{
    tc_real size = TC_C(0.0);
    for (uint32_t i = 0; i < 2u; ++i) {
        const tci_barrier_sums *s = &state->sums[i];
        size += tc_vec_magnitude(s->height) + view->body[i].set->radius;
        for (uint32_t k = 0; k + 1u < dim; ++k) size += tc_vec_magnitude(s->place[k]);
    }
    const tc_real a = state->sums[0].least, b = state->sums[1].least;
    const tc_real share = TC_EPSILON * size / (a < b ? a : b);
    return share < TCI_BARRIER_COARSE ? share : TCI_BARRIER_COARSE;
}

/* `to` becomes the state after a step that is halved until Q falls; 0: there is none */
TC_MAT_INLINE int tci_barrier_descend(const tci_barrier_view *view, const tci_barrier_state *from,
                                      const tci_barrier_step *step, tc_real share, tc_real most,
                                      tci_barrier_state *to, tci_barrier_gather *gather,
                                      uint32_t dim)
{
    for (uint32_t i = 0; i < TCI_BARRIER_HALVINGS; ++i, share *= TC_C(0.5)) {
        tci_barrier_move(from, step, share, to, dim);
        gather(view, to);
        if (tci_barrier_apart(to) && tci_barrier_total(to) <= most) return 1;
    }
    return 0;
}

/* Whether one step more is enough where the decrement is not small: it is near rounding and falls no
 * longer. What counts as near grows after many steps, so that a search among roundings ends. */
TC_MAT_INLINE int tci_barrier_is_stuck(tc_real share, tc_real before, tc_real rough, uint32_t steps)
{
    const uint32_t late = steps > TCI_BARRIER_LATE ? steps - TCI_BARRIER_LATE : 0u;
    const tc_real noise = rough * rough, patience = TC_C(16.0) * (tc_real)(1u + late * late);
    if (share <= noise) return 1;
    return share <= patience * noise && share > TC_C(0.25) * before;
}

/* The length of the step in Newton's on Q */
TC_MAT_INLINE tc_real tci_barrier_stretch(tc_real share)
{
    const tc_real inverse = TC_C(1.0) - TC_C(2.0) * share;
    return inverse * TCI_BARRIER_LONGEST > TC_C(1.0) ? TC_C(1.0) / inverse : TCI_BARRIER_LONGEST;
}

TC_MAT_INLINE void tci_barrier_swap(tci_barrier_state *states[2])
{
    tci_barrier_state *const kept = states[0];
    states[0] = states[1];
    states[1] = kept;
}

/* Finds a plane that separates where the closest points' nearly does: the radii are shrunk until it
 * does, and grow with what a Newton step gains. 0: none was found. */
TC_MAT_INLINE int tci_barrier_rescue(const tci_barrier_view *view, tci_barrier_state *states[2],
                                     const tci_barrier_parts *parts, uint32_t dim)
{
    tci_barrier_view looser = *view;
    tci_barrier_step step;
    tc_real shrunk = TC_C(0.0);
    for (uint32_t round = 0; round < TCI_BARRIER_RESCUES; ++round) {
        const tc_real between = states[0]->sums[0].least + states[0]->sums[1].least;
        shrunk = tc_vec_max(TC_C(0.75) * shrunk, tc_vec_magnitude(between));
        for (uint32_t i = 0; i < 2u; ++i) {
            looser.body[i].radius = view->body[i].radius - shrunk;
        }
        if (!tci_barrier_seat(&looser, states[0], parts->gather)) return 0;
        parts->aim(&looser, states[0], &step);
        const tc_real most = tci_barrier_total(states[0]);
        if (!parts->go(&looser, states[0], &step, TC_C(1.0), most, states[1])) return 0;
        tci_barrier_swap(states);
        const int apart = tci_barrier_seat(view, states[0], parts->gather);
        if (apart && tci_barrier_rounding(view, states[0], dim) < TCI_BARRIER_COARSE) return 1;
    }
    return tci_barrier_apart(states[0]);
}

/* 1 if the plane of states[0], without sums, separates or leads to one that does, which it becomes */
TC_MAT_INLINE int tci_barrier_begin(const tci_barrier_view *view, tci_barrier_state *states[2],
                                    const tci_barrier_parts *parts, uint32_t dim)
{
    const int apart = tci_barrier_seat(view, states[0], parts->gather);
    if (apart && tci_barrier_rounding(view, states[0], dim) < TCI_BARRIER_COARSE) return 1;
    return tci_barrier_rescue(view, states, parts, dim);
}

/* The last step, if Q stays below most */
TC_MAT_INLINE tc_status tci_barrier_end(const tci_barrier_view *view, tci_barrier_state *states[2],
                                        const tci_barrier_step *step, tc_real most,
                                        uint32_t *newton, const tci_barrier_parts *parts)
{
    if (parts->go(view, states[0], step, TC_C(1.0), most, states[1])) {
        tci_barrier_swap(states);
        ++*newton;
    }
    return TC_OK;
}

/* Newton from states[0], which separates, with its sums. TC_OK or TC_NOTE_LIMIT. The state found becomes
 * states[0]. It is the first one whose decrement is at most `enough` of Q, which is centred; if there
 * is none, the best, which is not. *newton: the steps. */
TC_MAT_INLINE tc_status tci_barrier_search(const tci_barrier_view *view,
                                           tci_barrier_state *states[2], tc_real enough,
                                           uint32_t *newton, const tci_barrier_parts *parts,
                                           uint32_t dim)
{
    tci_barrier_step step;
    tc_real before = TC_C(1.0), longer = TC_C(1.0);
    for (*newton = 0; *newton < TC_BARRIER_NEWTON;) {
        tci_barrier_state *from = states[0], *to = states[1];
        parts->aim(view, from, &step);
        const tc_real Q = tci_barrier_total(from), share = step.decrement / Q;
        const int close = share <= TCI_BARRIER_CLOSE;
        if (share <= enough) return TC_OK;
        const tc_real rough = close ? TC_C(0.0) : tci_barrier_rounding(view, from, dim);
        const int last = close || tci_barrier_is_stuck(share, before, rough, *newton);
        const tc_real most = Q + TC_C(4.0) * (rough + TC_EPSILON) * Q;
        before = share;
        if (last) return tci_barrier_end(view, states, &step, TC_C(2.0) * Q, newton, parts);
        if (!parts->go(view, from, &step, tci_barrier_stretch(share) * longer, most, to)) {
            return TC_OK;
        }
        const int flat = Q - tci_barrier_total(to) > TCI_BARRIER_FLAT * step.decrement;
        longer = flat && share > TC_C(4.0) * rough ? TC_C(2.0) : TC_C(1.0);
        tci_barrier_swap(states);
        ++*newton;
    }
    return TC_NOTE_LIMIT;
}

/* ---- Derivatives ----------------------------------------------------------------------------- */

/* Second derivatives of Q by plane and motion of a body, frame's axes: rows delta, tau_1, tau_2 by
 * (t, theta), and the first derivatives; of a centred state. sign: 1 for A, -1 for B. mean: of both
 * bodies' S, which are equal at the best plane. With it what moves both along the plane changes
 * nothing, whatever the plane is: momentum is kept. */
typedef struct tci_barrier_mix {
    tc_real row[4][6]; /* delta, tau_1, tau_2; the gradient */
    tc_real turns[6];  /* by theta twice, lower triangle */
} tci_barrier_mix;

/* The same in the plane, without what has tau_2 */
TC_MAT_INLINE void tci_barrier_blend2(const tci_barrier_sums *s, tc_real sign, tc_real mean,
                                      tci_barrier_mix *mix)
{
    const tc_real C = TC_C(2.0) * s->C, first = TC_C(2.0) * s->C_a[0];
    const tc_real k = s->place[0], S = sign * s->S, y = sign * (s->S_a[0] - k * s->S);
    const tc_real lever = first - k * C, ay = TC_C(2.0) * s->C_aa[0] - k * first;
    mix->row[0][0] = C;
    mix->row[1][0] = first;
    mix->row[3][0] = -S;
    mix->row[1][1] = -sign * mean;
    mix->row[0][1] = mix->row[3][1] = TC_C(0.0);
    mix->row[0][5] = -lever;
    mix->row[1][5] = -ay - s->S_n;
    mix->row[3][5] = y;
    mix->turns[5] = ay - k * lever + s->S_n;
}

TC_MAT_INLINE void tci_barrier_blend3(const tci_barrier_sums *s, tc_real sign, tc_real mean,
                                      tci_barrier_mix *mix)
{
    const tc_real C = TC_C(2.0) * s->C, first = TC_C(2.0) * s->C_a[0],
                  second = TC_C(2.0) * s->C_a[1];
    const tc_real k = s->place[0], l = s->place[1], S = sign * s->S;
    const tc_real y = sign * (s->S_a[0] - k * s->S), z = sign * (s->S_a[1] - l * s->S);
    const tc_real lever = first - k * C, across = second - l * C;
    const tc_real ay = TC_C(2.0) * s->C_aa[0] - k * first, az = TC_C(2.0) * s->C_aa[1] - l * first;
    const tc_real by = TC_C(2.0) * s->C_aa[1] - k * second,
                  bz = TC_C(2.0) * s->C_aa[2] - l * second;
    const tc_real slide = sign * mean;
    const tci_barrier_mix made = {{{C, 0, 0, 0, across, -lever},
                                   {first, -slide, 0, z, az, -ay - s->S_n},
                                   {second, 0, -slide, -y, bz + s->S_n, -by},
                                   {-S, 0, 0, 0, -z, y}},
                                  {0, TC_C(-0.5) * y, bz - l * across + s->S_n, TC_C(-0.5) * z,
                                   -(by - l * lever), ay - k * lever + s->S_n}};
    *mix = made;
}

/* A frame's row (t, theta) in world axes */
TC_MAT_INLINE void tci_barrier_lift(const tc_real *frame, const tc_real row[6], tc_real *world,
                                    uint32_t dim)
{
    tci_barrier_world(frame, row, world, dim);
    if (dim == 3u) {
        tci_barrier_world(frame, row + 3, world + 3, dim);
    } else {
        world[2] = row[5];
    }
}

/* Cholesky's factor of Q_pp, and what solves with it: the columns of K = L^-1 Q_pq */
typedef struct tci_barrier_factor {
    tc_real inverse[3]; /* of the diagonal of L */
    tc_real below;      /* L_21 */
    tc_real slope[3];   /* L^-1 Q_p */
} tci_barrier_factor;

TC_MAT_INLINE void tci_barrier_whiten(const tci_barrier_factor *f, tc_real *x, uint32_t step,
                                      uint32_t dim)
{
    x[0] *= f->inverse[0];
    x[step] *= f->inverse[1];
    if (dim == 3u) x[2u * step] = TC_MLS(x[2u * step], f->below, x[step]) * f->inverse[2];
}

TC_MAT_INLINE void tci_barrier_factorise(const tci_barrier_view *view,
                                         const tci_barrier_state *state, tci_barrier_factor *f,
                                         uint32_t dim)
{
    const tci_barrier_sums *a = &state->sums[0], *b = &state->sums[1];
    tc_real bend[4];
    tci_barrier_bend(view, state, bend, dim);
    f->inverse[0] = TC_C(1.0) / tc_sqrt(TC_C(2.0) * (a->C + b->C));
    f->inverse[1] = TC_C(1.0) / tc_sqrt(bend[0]);
    if (dim == 3u) {
        f->below = bend[1] * f->inverse[1];
        const tc_real pivot = tc_vec_max(TC_MLS(bend[2], f->below, f->below), bend[3]);
        f->inverse[2] = TC_C(1.0) / tc_sqrt(pivot);
        f->slope[2] = b->S_a[1] - a->S_a[1];
    }
    f->slope[0] = b->S - a->S;
    f->slope[1] = b->S_a[0] - a->S_a[0];
    tci_barrier_whiten(f, f->slope, 1, dim);
}

/* How far the plane follows a motion j: L^-T K_j, turned to (n, offset) */
TC_MAT_INLINE void tci_barrier_follow(const tci_barrier_state *state, const tci_barrier_factor *f,
                                      const tc_real *k, uint32_t step,
                                      const tci_barrier_weight *weight, tc_real along, tc_real by_q,
                                      tc_real *rate, uint32_t dim)
{
    tc_real turn[3], world[3];
    if (dim == 3u) {
        turn[2] = -k[2u * step] * f->inverse[2];
        turn[1] = -TC_MLA(k[step], f->below, turn[2]) * f->inverse[1];
    } else {
        turn[1] = -k[step] * f->inverse[1];
    }
    tc_real offset = TC_MLS(along, k[0], f->inverse[0]);
    TC_MAT_UNROLLED
    for (uint32_t i = 1; i < dim; ++i) {
        const tc_real *axis = state->frame + i * dim;
        offset = TC_MLS(offset, tci_barrier_dot(axis, state->centre, dim), turn[i]);
        turn[i] *= weight->length;
    }
    turn[0] = weight->length_rate * by_q;
    tci_barrier_world(state->frame, turn, world, dim);
    for (uint32_t i = 0; i < dim; ++i) rate[i * step] = world[i];
    rate[dim * step] = TC_MLA(weight->length * offset, state->offset * weight->length_rate, by_q);
}

/* The same in the plane; row: of the body's first motion, which is number `at` */
TC_MAT_INLINE void tci_barrier_own_plane(const tci_barrier_state *state, const tci_barrier_mix *mix,
                                         tc_real first, tc_real *row, uint32_t at)
{
    const tc_real x = state->frame[0], y = state->frame[1];
    const tc_real push = first * mix->row[0][0], turn = first * mix->row[0][5];
    row[0] = TC_MLA(row[0], push * x, x);
    row += at + 1u;
    row[0] = TC_MLA(row[0], push * y, x);
    row[1] = TC_MLA(row[1], push * y, y);
    row += at + 2u;
    row[0] = TC_MLA(row[0], turn, x);
    row[1] = TC_MLA(row[1], turn, y);
    row[2] = TC_MLA(row[2], first, mix->turns[5]);
}

/* Adds first times the second derivatives of Q by the motions of one body, from `at` on */
TC_MAT_INLINE void tci_barrier_own(const tci_barrier_state *state, const tci_barrier_mix *mix,
                                   tc_real first, uint32_t at, tc_real *hessian, uint32_t dim)
{
    const tc_real *n = state->frame, push = first * mix->row[0][0];
    tc_real turn[3], half[9];
    if (dim == 2u) {
        tci_barrier_own_plane(state, mix, first, hessian + at * (at + 1u) / 2u + at, at);
        return;
    }
    for (uint32_t i = 0; i < dim; ++i) {
        tc_real *row = hessian + (at + i) * (at + i + 1u) / 2u + at;
        for (uint32_t j = 0; j <= i; ++j) row[j] = TC_MLA(row[j], push * n[i], n[j]);
    }
    tci_barrier_world(state->frame, mix->row[0] + 3, turn, 3);
    const tc_real *t = mix->turns, *e = n + 3, *f = n + 6;
    for (uint32_t j = 0; j < 3u; ++j) {
        half[j] = TC_MLA(t[1] * e[j], t[3], f[j]);
        half[3u + j] = TC_MLA(TC_MLA(t[1] * n[j], t[2], e[j]), t[4], f[j]);
        half[6u + j] = TC_MLA(TC_MLA(t[3] * n[j], t[4], e[j]), t[5], f[j]);
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        tc_real *row = hessian + (at + i + 3u) * (at + i + 4u) / 2u + at;
        for (uint32_t j = 0; j < 3u; ++j) row[j] = TC_MLA(row[j], first * turn[i], n[j]);
        for (uint32_t j = 0; j <= i; ++j) {
            const tc_real sum =
                TC_MLA(TC_MLA(n[i] * half[j], e[i], half[3u + j]), f[i], half[6u + j]);
            row[3u + j] = TC_MLA(row[3u + j], first, sum);
        }
    }
}

/* hessian = -K' K of [rows x n] */
TC_MAT_INLINE void tci_barrier_fall(const tc_real *k, uint32_t rows, uint32_t n, tc_real *hessian)
{
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j <= i; ++j) {
            tc_real sum = TC_C(0.0);
            TC_MAT_UNROLLED
            for (uint32_t r = 0; r < rows; ++r) sum = TC_MLS(sum, k[r * n + i], k[r * n + j]);
            *hessian++ = sum;
        }
    }
}

/* The same of [3 x 6], in registers */
TC_MAT_INLINE void tci_barrier_fall_six(const tc_real *k, tc_real *hessian)
{
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < 6u; ++i) {
        TC_MAT_UNROLLED
        for (uint32_t j = 0; j <= i; ++j) {
            const tc_real sum = TC_MLA(k[i] * k[j], k[6u + i], k[6u + j]);
            *hessian++ = -TC_MLA(sum, k[12u + i], k[12u + j]);
        }
    }
}

/* tci_barrier_own of the file that has the dimension */
typedef void tci_barrier_add_own(const tci_barrier_state *state, const tci_barrier_mix *mix,
                                 tc_real first, uint32_t at, tc_real *hessian);

/* Q_pq and Q_q of both bodies: rows of k, n = 2 block motions */
TC_MAT_INLINE void tci_barrier_mix_all(const tci_barrier_state *state, tci_barrier_mix mix[2],
                                       tc_real *k, uint32_t block, uint32_t dim)
{
    const uint32_t n = 2u * block;
    const tc_real mean = TC_C(0.5) * (state->sums[0].S + state->sums[1].S);
    for (uint32_t side = 0; side < 2u; ++side) {
        const tc_real sign = side == 0u ? TC_C(1.0) : TC_C(-1.0);
        if (dim == 2u) {
            tci_barrier_blend2(&state->sums[side], sign, mean, &mix[side]);
        } else {
            tci_barrier_blend3(&state->sums[side], sign, mean, &mix[side]);
        }
        for (uint32_t r = 0; r < dim; ++r) {
            tci_barrier_lift(state->frame, mix[side].row[r], k + r * n + side * block, dim);
        }
        tci_barrier_lift(state->frame, mix[side].row[3], k + dim * n + side * block, dim);
    }
}

/* Derivatives by motion j of n, whose column of k becomes what the Hessian is made of. along: half of
 * the normal's part in the motion */
TC_MAT_INLINE void tci_barrier_column(const tci_barrier_state *state, const tci_barrier_factor *f,
                                      const tci_barrier_weight *weight, tc_real root, tc_real far,
                                      tc_real along, tc_real *column, uint32_t n, tc_real *gradient,
                                      tc_real *rate, uint32_t dim)
{
    tci_barrier_whiten(f, column, n, dim);
    tc_real by_q = column[dim * n];
    for (uint32_t r = 0; r < dim; ++r) by_q = TC_MLS(by_q, f->slope[r], column[r * n]);
    tci_barrier_follow(state, f, column, n, weight, along, by_q, rate, dim);
    *gradient = weight->first * by_q;
    column[dim * n] = far * by_q;
    for (uint32_t r = 0; r < dim; ++r) column[r * n] *= root;
}

/* Derivatives at a centred state that separates. k: [(dim + 1) x n] scratch, n the motions of both */
TC_MAT_INLINE void tci_barrier_derive(const tc_barrier_config *config, const tci_barrier_view *view,
                                      const tci_barrier_state *state, tc_real *k,
                                      const tci_barrier_result *into, tci_barrier_add_own *own,
                                      uint32_t dim)
{
    const tci_barrier_result result = *into;
    const uint32_t block = dim == 3u ? 6u : 3u, n = 2u * block;
    tci_barrier_factor factor;
    tci_barrier_weight weight;
    tci_barrier_mix mix[2];
    tci_barrier_factorise(view, state, &factor, dim);
    tci_barrier_mix_all(state, mix, k, block, dim);
    const tc_real fault = TC_C(0.5) * tci_barrier_dot(factor.slope, factor.slope, dim);
    tci_barrier_weigh(config, tci_barrier_total(state) - fault, &weight);
    weight.first *= result.scale;
    weight.second *= result.scale;
    const tc_real root = tc_sqrt(weight.first), far = tc_sqrt(-weight.second);
    for (uint32_t side = 0; side < 2u; ++side) {
        for (uint32_t i = 0; i < block; ++i) {
            const tc_real along = i < dim ? TC_C(0.5) * state->frame[i] : TC_C(0.0);
            const uint32_t j = side * block + i;
            tci_barrier_column(state, &factor, &weight, root, far, along, k + j, n,
                               result.gradient + j, result.plane_rate + j, dim);
        }
    }
    if (result.plane_shift != NULL) {
        tci_barrier_follow(state, &factor, factor.slope, 1, &weight, TC_C(0.0), TC_C(-2.0) * fault,
                           result.plane_shift, dim);
    }
    if (dim == 2u) {
        tci_barrier_fall_six(k, result.hessian);
    } else {
        tci_barrier_fall(k, dim + 1u, n, result.hessian);
    }
    for (uint32_t side = 0; side < 2u; ++side) {
        own(state, &mix[side], weight.first, side * block, result.hessian);
    }
}

#endif
