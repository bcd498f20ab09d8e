/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The limits of a rope, contacts without friction in two phases.
 *
 * With d_i from node i to i + 1, r = |d|, and the angle phi between d_(k-1) and d_k, the gaps are
 *
 *     longest rest - r,   r - shortest rest,   rest (bend - |phi|)
 *
 * the last times `rest` so that all are lengths. A limit with gap < 0 is listed; its row is the
 * gap's derivative by the places of its nodes. The derivative of the direction of d by d is
 * p = (-d_y, d_x) / r^2, so that phi moves by p_k.dd_k - p_(k-1).dd_(k-1).
 *
 * Sorted along the rope, limits share a node only if their numbers differ by 4 at most.
 *
 * Phases, with u = J v, A = J M^-1 J^T, depth = -gap:
 *
 *     f_c: A, u, no floor       w_c = u + A f_c
 *     f:   A, w_c - depth / (8 h), floor e f_c        v' = v + M^-1 J^T (f_c + f)
 */
#include "tc_exact.h"

#include "rope_internal.h"

#include "tc_math.h"

/* How far each limit is exceeded, in some unit: springs, then angles; not above 0: it is not */
ROPE_LOOPS static void measure_limits(const rope_system *r, const tc_real *restrict x,
                                      const tc_real *restrict y, tc_real *restrict excess)
{
    const uint32_t n = r->points;
    const tc_real low = r->shortest * r->rest, high = r->longest * r->rest, slope = r->slope;
    const tc_real least = low * low, most = high * high;
    tc_real *restrict angle = excess + n;
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real dx = x[i + 1u] - x[i], dy = y[i + 1u] - y[i];
        const tc_real square = dx * dx + dy * dy;
        const tc_real above = square - most, below = least - square;
        excess[i] = above > below ? above : below;
    }
    for (uint32_t i = 0; i + 1u < n; ++i) {
        const tc_real ax = x[i + 1u] - x[i], ay = y[i + 1u] - y[i];
        const tc_real bx = x[i + 2u] - x[i + 1u], by = y[i + 2u] - y[i + 1u];
        const tc_real cross = ax * by - ay * bx, aside = cross > TC_C(0.0) ? cross : -cross;
        angle[i] = aside - slope * (ax * bx + ay * by);
    }
}

/* Row and depth of the spring from node i */
static void fill_spring(const rope_system *r, rope_plane p, uint32_t i, tc_real *row,
                        tc_real *depth)
{
    const tc_real dx = p.x[i + 1u] - p.x[i], dy = p.y[i + 1u] - p.y[i];
    const tc_real length = tc_sqrt(dx * dx + dy * dy);
    const tc_real sign = length > r->rest ? TC_C(1.0) : TC_C(-1.0), scale = sign / length;
    *depth = sign * (length - (sign > 0 ? r->longest : r->shortest) * r->rest);
    row[0] = scale * dx;
    row[1] = scale * dy;
    row[2] = -row[0];
    row[3] = -row[1];
    row[4] = row[5] = TC_C(0.0);
}

/* p = (-d_y, d_x) / r^2 of the spring from node i */
static void turn_of(rope_plane p, uint32_t i, tc_real d[2], tc_real turn[2], tc_real *inverse)
{
    d[0] = p.x[i + 1u] - p.x[i];
    d[1] = p.y[i + 1u] - p.y[i];
    *inverse = TC_C(1.0) / (d[0] * d[0] + d[1] * d[1]);
    turn[0] = -d[1] * *inverse;
    turn[1] = d[0] * *inverse;
}

/* Row and depth of the angle between the springs from node i and i + 1; returns -rest sign(phi) */
static tc_real fill_angle(const rope_system *r, rope_plane p, uint32_t i, tc_real *row,
                          tc_real *depth)
{
    tc_real a[2], b[2], pa[2], pb[2], inverse;
    turn_of(p, i, a, pa, &inverse);
    turn_of(p, i + 1u, b, pb, &inverse);
    const tc_real phi = tc_atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
    const tc_real sign = phi < TC_C(0.0) ? TC_C(-1.0) : TC_C(1.0), scale = -r->rest * sign;
    *depth = r->rest * (sign * phi - r->bend);
    for (uint32_t c = 0; c < 2u; ++c) {
        row[c] = scale * pa[c];
        row[2u + c] = -scale * (pa[c] + pb[c]);
        row[4u + c] = scale * pb[c];
    }
    return scale;
}

void rope_find(const rope_system *r, rope_step *s, tc_real *scratch)
{
    const uint32_t n = r->points;
    uint32_t count = 0;
    measure_limits(r, s->moved.x, s->moved.y, scratch);
    for (uint32_t i = 0; i < n; ++i) {
        if (i > 0u && scratch[n + i - 1u] > TC_C(0.0)) s->limit[count++] = 2u * i - 1u;
        if (scratch[i] > TC_C(0.0)) s->limit[count++] = 2u * i;
    }
    s->count = count;
}

/* Sum over a limit's row of row_t values(node t) */
static tc_real row_dot(const tc_real *row, rope_plane v, uint32_t base, uint32_t limit)
{
    tc_real sum = row[0] * v.x[base] + row[1] * v.y[base];
    sum += row[2] * v.x[base + 1u] + row[3] * v.y[base + 1u];
    if ((limit & 1u) == 0u) return sum;
    return sum + (row[4] * v.x[base + 2u] + row[5] * v.y[base + 2u]);
}

/* values(node t) += f row_t, times weight(node t) where there are weights */
static void row_spread(const tc_real *row, tc_real f, const tc_real *weight, uint32_t base,
                       uint32_t limit, rope_plane v)
{
    const uint32_t nodes = 2u + (limit & 1u);
    for (uint32_t t = 0; t < nodes; ++t) {
        const tc_real scale = weight != NULL ? f * weight[base + t] : f;
        v.x[base + t] += scale * row[2u * t];
        v.y[base + t] += scale * row[2u * t + 1u];
    }
}

/* Nodes that limit j starts behind limit i <= j; 3 or more: they share none */
static uint32_t rope_ahead(const rope_step *s, uint32_t i, uint32_t j)
{
    return rope_base(s->limit[j]) - rope_base(s->limit[i]);
}

/* Row j of A = J M^-1 J^T */
static void fill_matrix(const rope_system *r, const rope_step *s, uint32_t j)
{
    const tc_real *const row = s->row + ROPE_ROW * j;
    const uint32_t base = rope_base(s->limit[j]);
    tc_real moved[ROPE_ROW];
    for (uint32_t t = 0; t < ROPE_ROW; ++t) {
        const uint32_t node = base + t / 2u < r->nodes ? base + t / 2u : r->points;
        moved[t] = row[t] * r->inverse_mass[node];
    }
    for (uint32_t c = 0; c <= ROPE_WIDTH; ++c) {
        tc_real sum = TC_C(0.0);
        const uint32_t ahead = c <= j ? rope_ahead(s, j - c, j) : 3u;
        if (ahead < 3u) {
            const tc_real *const other = s->row + ROPE_ROW * (j - c) + 2u * ahead;
            for (uint32_t t = 0; t + 2u * ahead < ROPE_ROW; ++t) sum += other[t] * moved[t];
        }
        s->A[(ROPE_WIDTH + 1u) * j + c] = sum;
    }
}

static void prepare_limits(const rope_system *r, rope_step *s)
{
    const tc_real back = TC_C(1.0) / (ROPE_COMPENSATION * r->step);
    for (uint32_t j = 0; j < s->count; ++j) {
        const uint32_t limit = s->limit[j], base = rope_base(limit);
        tc_real *const row = s->row + ROPE_ROW * j;
        if ((limit & 1u) == 0u) {
            fill_spring(r, s->moved, base, row, &s->depth[j]);
        } else {
            (void)fill_angle(r, s->moved, base, row, &s->depth[j]);
        }
        s->q[j] = row_dot(row, s->coming, base, limit);
        s->target[j] = s->depth[j] * back;
        fill_matrix(r, s, j);
    }
}

static tc_band problem_of(const rope_step *s, int restitution, tc_real e)
{
    return (tc_band){.n = s->count,
                     .width = ROPE_WIDTH,
                     .A = s->A,
                     .q = restitution ? s->target : s->q,
                     .floor = restitution && e > TC_C(0.0) ? s->floor : NULL,
                     .warm = NULL};
}

tc_status rope_strike(const rope_system *r, rope_step *s, rope_plane rate, tc_band_info info[2])
{
    const size_t length = TC_BAND_WORK((size_t)s->count, ROPE_WIDTH);
    prepare_limits(r, s);
    tc_band problem = problem_of(s, 0, r->restitution);
    tc_status status = tc_band_solve(&problem, s->f_c, s->w_c, &info[0], s->work_c, length);
    if (status < TC_OK) return status;
    for (uint32_t j = 0; j < s->count; ++j) {
        s->target[j] = s->w_c[j] - s->target[j];
        s->floor[j] = r->restitution * s->f_c[j];
    }
    problem = problem_of(s, 1, r->restitution);
    status = tc_band_solve(&problem, s->f, s->w, &info[1], s->work, length);
    for (uint32_t j = 0; j < s->count && status >= TC_OK; ++j) {
        row_spread(s->row + ROPE_ROW * j, s->f_c[j] + s->f[j], r->inverse_mass,
                   rope_base(s->limit[j]), s->limit[j], rate);
    }
    return status;
}

/* by_row and by_inverse_mass of A_ij, j's row `c` below */
static void matrix_adjoint(const rope_system *r, const rope_step *s, uint32_t j,
                           const tc_real *by_A, tc_real *by_rows, tc_real *by_m)
{
    const tc_real *const row = s->row + ROPE_ROW * j;
    const uint32_t base = rope_base(s->limit[j]);
    for (uint32_t c = 0; c <= ROPE_WIDTH && c <= j; ++c) {
        const uint32_t ahead = rope_ahead(s, j - c, j);
        if (ahead >= 3u) break;
        const tc_real *const other = s->row + ROPE_ROW * (j - c) + 2u * ahead;
        tc_real *const by_row = by_rows + ROPE_ROW * j;
        tc_real *const by_other = by_rows + ROPE_ROW * (j - c) + 2u * ahead;
        for (uint32_t t = 0; t + 2u * ahead < ROPE_ROW && base + t / 2u < r->nodes; ++t) {
            const uint32_t node = base + t / 2u;
            const tc_real own = row[t], its = other[t], weight = by_A[c] * r->inverse_mass[node];
            by_row[t] += weight * its;
            by_other[t] += weight * own;
            by_m[node] += by_A[c] * its * own;
        }
    }
}

/* From the cotangents of a spring's row and depth those of the places */
static void spring_adjoint(const rope_step *s, uint32_t j, const tc_real *by_row, tc_real by_depth,
                           rope_plane by)
{
    const tc_real *const row = s->row + ROPE_ROW * j;
    const uint32_t i = rope_base(s->limit[j]);
    const tc_real dx = s->moved.x[i + 1u] - s->moved.x[i], dy = s->moved.y[i + 1u] - s->moved.y[i];
    const tc_real sign = dx * row[0] + dy * row[1] > 0 ? TC_C(1.0) : TC_C(-1.0);
    const tc_real inverse = sign / tc_sqrt(dx * dx + dy * dy);
    const tc_real wx = by_row[0] - by_row[2], wy = by_row[1] - by_row[3];
    const tc_real along = wx * row[0] + wy * row[1];
    const tc_real gx = inverse * (wx - along * row[0]) + by_depth * row[0];
    const tc_real gy = inverse * (wy - along * row[1]) + by_depth * row[1];
    by.x[i] -= gx;
    by.y[i] -= gy;
    by.x[i + 1u] += gx;
    by.y[i + 1u] += gy;
}

/* by_d += of the cotangent w of p = (-d_y, d_x) / r^2 */
static void turn_adjoint(rope_plane p, uint32_t i, const tc_real w[2], rope_plane by)
{
    tc_real d[2], turn[2], inverse;
    turn_of(p, i, d, turn, &inverse);
    const tc_real twice = TC_C(2.0) * inverse * (turn[0] * w[0] + turn[1] * w[1]);
    const tc_real gx = inverse * w[1] - twice * d[0], gy = -inverse * w[0] - twice * d[1];
    by.x[i] -= gx;
    by.y[i] -= gy;
    by.x[i + 1u] += gx;
    by.y[i + 1u] += gy;
}

static void angle_adjoint(const rope_system *r, const rope_step *s, uint32_t j,
                          const tc_real *by_row, tc_real by_depth, rope_plane by)
{
    const uint32_t i = rope_base(s->limit[j]);
    tc_real row[ROPE_ROW], depth, first[2], second[2];
    const tc_real scale = fill_angle(r, s->moved, i, row, &depth);
    for (uint32_t c = 0; c < 2u; ++c) {
        first[c] = scale * (by_row[c] - by_row[2u + c]);
        second[c] = scale * (by_row[4u + c] - by_row[2u + c]);
    }
    turn_adjoint(s->moved, i, first, by);
    turn_adjoint(s->moved, i + 1u, second, by);
    row_spread(row, -by_depth, NULL, i, 1u, by);
}

/* Cotangents of one strike, parts of the scratch */
typedef struct strike_cotangents {
    tc_real *f, *q_c, *q, *floor, *A_c, *A, *row, *work;
    rope_plane pushed, push; /* M^-1 by_v and J^T (f_c + f) */
} strike_cotangents;

static strike_cotangents divide_scratch(const rope_step *s, uint32_t nodes, tc_real *scratch)
{
    const size_t m = s->count;
    strike_cotangents c;
    c.pushed = (rope_plane){scratch, scratch + nodes};
    c.push = (rope_plane){scratch + 2u * nodes, scratch + 3u * nodes};
    c.f = scratch + 4u * nodes;
    c.q_c = c.f + m;
    c.q = c.q_c + m;
    c.floor = c.q + m;
    c.A_c = c.floor + m;
    c.A = c.A_c + (ROPE_WIDTH + 1u) * m;
    c.row = c.A + (ROPE_WIDTH + 1u) * m;
    c.work = c.row + ROPE_ROW * m;
    return c;
}

/* Cotangents of f, and of rows and masses by v' = v + M^-1 J^T f */
static void push_adjoint(const rope_system *r, const rope_step *s, strike_cotangents *c,
                         rope_adjoint *by)
{
    for (uint32_t k = 0; k < r->nodes; ++k) {
        c->pushed.x[k] = r->inverse_mass[k] * by->rate.x[k];
        c->pushed.y[k] = r->inverse_mass[k] * by->rate.y[k];
        c->push.x[k] = c->push.y[k] = TC_C(0.0);
    }
    for (uint32_t j = 0; j < s->count; ++j) {
        const tc_real *const row = s->row + ROPE_ROW * j;
        const uint32_t limit = s->limit[j], base = rope_base(limit);
        const tc_real f = s->f_c[j] + s->f[j];
        c->f[j] = row_dot(row, c->pushed, base, limit);
        row_spread(row, f, NULL, base, limit, c->push);
        for (uint32_t t = 0; t < ROPE_ROW; ++t) {
            const uint32_t node = base + t / 2u < r->nodes ? base + t / 2u : r->points;
            c->row[ROPE_ROW * j + t] = f * (t % 2u == 0u ? c->pushed.x[node] : c->pushed.y[node]);
        }
    }
    for (uint32_t k = 0; k < r->nodes; ++k) {
        by->inverse_mass[k] += by->rate.x[k] * c->push.x[k] + by->rate.y[k] * c->push.y[k];
    }
}

/* Both phases' solves: cotangents of q, w_c - target and A from those of f */
static tc_status solves_adjoint(const rope_system *r, const rope_step *s, strike_cotangents *c,
                                rope_adjoint *by)
{
    const size_t length = TC_BAND_GRAD_WORK((size_t)s->count);
    tc_band problem = problem_of(s, 1, r->restitution);
    const tc_band_grad later = {c->A, c->q, c->floor}, sooner = {c->A_c, c->q_c, NULL};
    tc_status status =
        tc_band_grad_adjoint(&problem, s->f, s->work, c->f, NULL, &later, c->work, length);
    if (status < TC_OK) return status;
    for (uint32_t j = 0; j < s->count; ++j) {
        by->restitution += c->floor[j] * s->f_c[j];
        c->f[j] += r->restitution * c->floor[j];
    }
    problem = problem_of(s, 0, r->restitution);
    return tc_band_grad_adjoint(&problem, s->f_c, s->work_c, c->f, c->q, &sooner, c->work, length);
}

/* by_row of u = J v, which goes to by->rate as well */
static void velocity_adjoint(const rope_step *s, uint32_t j, uint32_t last, tc_real by_u,
                             tc_real *by_row, rope_plane by)
{
    const uint32_t limit = s->limit[j], base = rope_base(limit);
    for (uint32_t t = 0; t < ROPE_ROW && base + t / 2u <= last; ++t) {
        const uint32_t node = base + t / 2u;
        by_row[t] += by_u * (t % 2u == 0u ? s->coming.x[node] : s->coming.y[node]);
    }
    row_spread(s->row + ROPE_ROW * j, by_u, NULL, base, limit, by);
}

tc_status rope_strike_adjoint(const rope_system *r, const rope_step *s, rope_adjoint *by)
{
    strike_cotangents c = divide_scratch(s, r->nodes, by->scratch);
    const tc_real back = TC_C(1.0) / (ROPE_COMPENSATION * r->step);
    push_adjoint(r, s, &c, by);
    const tc_status status = solves_adjoint(r, s, &c, by);
    if (status < TC_OK) return status;
    for (uint32_t j = 0; j < (ROPE_WIDTH + 1u) * s->count; ++j) c.A[j] += c.A_c[j];
    for (uint32_t j = 0; j < s->count; ++j) {
        matrix_adjoint(r, s, j, c.A + (ROPE_WIDTH + 1u) * j, c.row, by->inverse_mass);
        velocity_adjoint(s, j, r->points, c.q_c[j], c.row + ROPE_ROW * j, by->rate);
    }
    for (uint32_t j = 0; j < s->count; ++j) {
        const tc_real *const by_row = c.row + ROPE_ROW * j, by_depth = -c.q[j] * back;
        if ((s->limit[j] & 1u) == 0u) {
            spring_adjoint(s, j, by_row, by_depth, by->place);
        } else {
            angle_adjoint(r, s, j, by_row, by_depth, by->place);
        }
    }
    return TC_OK;
}
