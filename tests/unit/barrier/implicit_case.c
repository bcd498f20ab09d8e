/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "implicit_case.h"

#include <math.h>

typedef implicit_case_pose pose;

static const tc_implicit_scene *scene_of;
static double planes[IMPLICIT_CASE_PAIRS][4];
static int known;

static uint32_t dimension(void)
{
    return scene_of->space == tc_implicit2_space() ? 2u : 3u;
}

/* ---- Poses ----------------------------------------------------------------------------------- */

static void rotation_of(const double *q, double R[9])
{
    const double n = 1 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        const double u = q[1 + i], v = q[1 + j], w = q[1 + k];
        R[4 * i] = 1 - 2 * n * (v * v + w * w);
        R[3 * i + j] = 2 * n * (u * v - q[0] * w);
        R[3 * i + k] = 2 * n * (u * w + q[0] * v);
    }
}

static void open_poses(const double *q, pose *at)
{
    for (uint32_t b = 0; b < scene_of->bodies; ++b) {
        memset(&at[b], 0, sizeof at[b]);
        if (dimension() == 2u) {
            const double c = cos(q[2]), s = sin(q[2]);
            const double R[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
            memcpy(at[b].c, q, 2 * sizeof *q);
            memcpy(at[b].R, R, sizeof R);
            at[b].angle = q[2];
            q += 3;
        } else {
            memcpy(at[b].c, q, 3 * sizeof *q);
            rotation_of(q + 3, at[b].R);
            q += 7;
        }
    }
}

static void open_state(const tc_real *state, pose *at)
{
    double q[7 * IMPLICIT_CASE_BODIES];
    const uint32_t count = (dimension() == 2u ? 3u : 7u) * scene_of->bodies;
    for (uint32_t i = 0; i < count; ++i) q[i] = (double)state[i];
    open_poses(q, at);
}

static double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void vertex_of(const tc_barrier_set *set, uint32_t i, double x[3])
{
    const uint32_t D = dimension();
    x[2] = 0;
    for (uint32_t k = 0; k < D; ++k) x[k] = (double)set->vertices[D * i + k];
}

static void turned(const pose *at, const double x[3], double y[3])
{
    for (uint32_t k = 0; k < 3; ++k) y[k] = dot3(at->R + 3 * k, x);
}

static void world_of(const pose *at, const double x[3], double y[3])
{
    turned(at, x, y);
    for (uint32_t k = 0; k < 3; ++k) y[k] += at->c[k];
}

/* ---- The plane, all numbers by Newton's method ----------------------------------------------- */

/* Clearances and their derivatives: row = (n, d) */
static double clearance_row(const tc_barrier_set *set, const pose *at, uint32_t i, double sign,
                            const double p[4], double row[4])
{
    double x[3], y[3];
    const double length = sqrt(dot3(p, p)), r = (double)set->radius;
    vertex_of(set, i, x);
    world_of(at, x, y);
    for (uint32_t k = 0; k < 3; ++k) row[k] = sign * y[k] - r * p[k] / length;
    row[3] = sign;
    return dot3(row, p) + row[3] * p[3];
}

/* Value, gradient and matrix of the plane's problem; -1: it does not separate */
static double plane_value(const tc_barrier_set *const set[2], const pose *const at[2],
                          const double p[4], double g[4], double H[16])
{
    const double A = (double)scene_of->barrier.A, s = sqrt(dot3(p, p)), rest = 1 - s;
    double value = A / rest;
    if (rest <= 0) return -1;
    memset(g, 0, 4 * sizeof *g);
    memset(H, 0, 16 * sizeof *H);
    for (uint32_t k = 0; k < 3; ++k) {
        g[k] = A * p[k] / (s * rest * rest);
        for (uint32_t l = 0; l < 3; ++l) {
            const double both = p[k] * p[l] / (s * s), one = k == l;
            H[4 * k + l] = A * (2 * both / (rest * rest * rest) + (one - both) / (s * rest * rest));
        }
    }
    for (uint32_t side = 0; side < 2; ++side) {
        for (uint32_t i = 0; i < set[side]->count; ++i) {
            double row[4];
            const double u = clearance_row(set[side], at[side], i, side ? -1 : 1, p, row);
            const double bend = (double)set[side]->radius / (s * u * u);
            if (u <= 0) return -1;
            value += 1 / u;
            for (uint32_t k = 0; k < 4; ++k) {
                g[k] -= row[k] / (u * u);
                for (uint32_t l = 0; l < 4; ++l) {
                    H[4 * k + l] += 2 * row[k] * row[l] / (u * u * u);
                    if (k < 3 && l < 3) H[4 * k + l] += bend * ((k == l) - p[k] * p[l] / (s * s));
                }
            }
        }
    }
    return value;
}

/* x = H^-1 g, Gauss with a unit pivot where the plane's third axis is missing */
static void solve4(double H[16], const double g[4], double x[4])
{
    for (uint32_t k = 0; k < 4; ++k) x[k] = g[k];
    if (dimension() == 2u) H[10] = 1;
    for (uint32_t k = 0; k < 4; ++k) {
        for (uint32_t r = k + 1; r < 4; ++r) {
            const double f = H[4 * r + k] / H[4 * k + k];
            for (uint32_t c = k; c < 4; ++c) H[4 * r + c] -= f * H[4 * k + c];
            x[r] -= f * x[k];
        }
    }
    for (uint32_t k = 4; k-- > 0;) {
        for (uint32_t c = k + 1; c < 4; ++c) x[k] -= H[4 * k + c] * x[c];
        x[k] /= H[4 * k + k];
    }
}

/* One damped step; returns what it gained */
static double improve_plane(const tc_barrier_set *const set[2], const pose *const at[2],
                            double p[4], double *value)
{
    double g[4], H[16], x[4], trial[4], g_trial[4], H_trial[16];
    *value = plane_value(set, at, p, g, H);
    solve4(H, g, x);
    for (double share = 1; share > 1e-9; share *= 0.5) {
        for (uint32_t k = 0; k < 4; ++k) trial[k] = p[k] - share * x[k];
        const double here = plane_value(set, at, trial, g_trial, H_trial);
        if (here < 0 || here >= *value) continue;
        const double gain = *value - here;
        memcpy(p, trial, sizeof trial);
        *value = here;
        return gain;
    }
    return 0;
}

/* A plane that separates, from the closest points in double: Gilbert's iteration on supports */
static void first_plane(const tc_barrier_set *const set[2], const pose *const at[2], double p[4])
{
    double x[3], y[3], best[3] = {0, 0, 0}, reach[2] = {0, 0};
    for (uint32_t k = 0; k < 3; ++k) best[k] = at[0]->c[k] - at[1]->c[k];
    for (uint32_t round = 0; round < 20000; ++round) {
        double far[2][3];
        const double length = sqrt(dot3(best, best));
        for (uint32_t side = 0; side < 2; ++side) {
            reach[side] = 1e30;
            for (uint32_t i = 0; i < set[side]->count; ++i) {
                vertex_of(set[side], i, x);
                world_of(at[side], x, y);
                const double here = (side ? -1 : 1) * dot3(best, y) / length;
                if (here >= reach[side]) continue;
                reach[side] = here;
                memcpy(far[side], y, sizeof y);
            }
        }
        if (reach[0] + reach[1] > (double)set[0]->radius + (double)set[1]->radius) break;
        double step[3], to = 0, square = 0;
        for (uint32_t k = 0; k < 3; ++k) {
            step[k] = far[0][k] - far[1][k] - best[k];
            to -= step[k] * best[k];
            square += step[k] * step[k];
        }
        const double share = square > 0 ? fmin(1, fmax(0, to / square)) : 0;
        for (uint32_t k = 0; k < 3; ++k) best[k] += share * step[k];
    }
    const double length = sqrt(dot3(best, best));
    const double low = reach[0] - (double)set[0]->radius, high = (double)set[1]->radius - reach[1];
    for (uint32_t k = 0; k < 3; ++k) p[k] = 0.5 * best[k] / length;
    p[3] = -0.25 * (low + high);
}

static double potential(uint32_t pair, const pose *at, double p[4])
{
    const tc_implicit_piece *a = &scene_of->piece[scene_of->pair[pair].a];
    const tc_implicit_piece *b = &scene_of->piece[scene_of->pair[pair].b];
    const tc_barrier_set *const set[2] = {&a->set, &b->set};
    const pose *const poses[2] = {&at[a->body], &at[b->body]};
    double value, g[4], H[16];
    if (!known || plane_value(set, poses, p, g, H) < 0) first_plane(set, poses, p);
    if (plane_value(set, poses, p, g, H) < 0) return -1;
    for (uint32_t round = 0; round < 200; ++round) {
        if (improve_plane(set, poses, p, &value) <= 1e-15 * value) break;
    }
    return value;
}

double implicit_case_apart(const tc_implicit_scene *scene, const tc_real *state,
                           const tc_real *record)
{
    pose at[IMPLICIT_CASE_BODIES];
    double least = 1e30;
    scene_of = scene;
    open_state(state, at);
    for (uint32_t k = 0; k < scene->pairs; ++k, record += dimension() + 1u) {
        double p[4] = {0, 0, 0, 0}, row[4];
        for (uint32_t i = 0; i < dimension(); ++i) p[i] = (double)record[i];
        p[3] = (double)record[dimension()];
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t which = side ? scene->pair[k].b : scene->pair[k].a;
            const tc_implicit_piece *piece = &scene->piece[which];
            const tc_implicit_piece *a = &scene->piece[scene->pair[k].a];
            const tc_implicit_piece *b = &scene->piece[scene->pair[k].b];
            pose moved = at[piece->body];
            for (uint32_t i = 0; i < 3; ++i)
                moved.c[i] -= 0.5 * (at[a->body].c[i] + at[b->body].c[i]);
            for (uint32_t i = 0; i < piece->set.count; ++i) {
                least = fmin(least, clearance_row(&piece->set, &moved, i, side ? -1 : 1, p, row));
            }
        }
    }
    return least;
}

/* ---- The value ------------------------------------------------------------------------------- */

/* Bodies of point masses on the axes: m/6 each at distances that give the second moments */
static double inertia_of(const tc_implicit_body *body, const pose at[3])
{
    const double h = (double)scene_of->step, m = (double)body->mass;
    double value = 0, moments[3] = {0, 0, 0};
    if (dimension() == 2u) {
        const double spin = at[0].angle - 2 * at[1].angle + at[2].angle;
        value += 0.5 * (double)body->inertia[0] * spin * spin / (h * h);
        for (uint32_t k = 0; k < 2; ++k) {
            const double off = at[0].c[k] - 2 * at[1].c[k] + at[2].c[k];
            value += 0.5 * m * off * off / (h * h) - m * (double)scene_of->gravity[k] * at[0].c[k];
        }
        return value;
    }
    for (uint32_t k = 0; k < 3; ++k) {
        for (uint32_t l = 0; l < 3; ++l) {
            moments[k] += (k == l ? -0.5 : 0.5) * (double)body->inertia[l];
        }
    }
    for (uint32_t k = 0; k < 6; ++k) {
        double x[3] = {0, 0, 0}, y[3][3], off = 0, fall = 0;
        x[k % 3] = (k < 3 ? 1 : -1) * sqrt(3 * fmax(0, moments[k % 3]) / m);
        for (uint32_t t = 0; t < 3; ++t) world_of(&at[t], x, y[t]);
        for (uint32_t l = 0; l < 3; ++l) {
            const double a = y[0][l] - 2 * y[1][l] + y[2][l];
            off += a * a;
            fall += (double)scene_of->gravity[l] * y[0][l];
        }
        value += m / 6 * (0.5 * off / (h * h) - fall);
    }
    return value;
}

static double frobenius(const double *R, const double *S)
{
    double sum = 0;
    for (uint32_t i = 0; i < 9; ++i) sum += (R[i] - S[i]) * (R[i] - S[i]);
    return sum;
}

/* R of exp([u]), by its series */
static void exp_of(const double u[3], double R[9])
{
    const double a = sqrt(dot3(u, u)), s = a > 0 ? sin(a) / a : 1;
    const double c = a > 0 ? (1 - cos(a)) / (a * a) : 0.5;
    const double K[9] = {0, -u[2], u[1], u[2], 0, -u[0], -u[1], u[0], 0};
    for (uint32_t i = 0; i < 9; ++i) {
        double square = 0;
        for (uint32_t k = 0; k < 3; ++k) square += K[i / 3 * 3 + k] * K[3 * k + i % 3];
        R[i] = (i % 4 == 0) + s * K[i] + c * square;
    }
}

/* Servos on all freedoms, damping and drag */
static double drive_of(const tc_implicit_body *body, const tc_real *u, const pose *at,
                       const pose *now)
{
    const double h = (double)scene_of->step, slow = (double)scene_of->slow * h;
    const double rub = (double)body->drag, rho = (double)body->drag_radius;
    const double spin = at->angle - now->angle;
    const uint32_t D = dimension();
    double value = 0, slip = rho * spin * rho * spin + slow * slow, R[9], v[3];
    for (uint32_t k = 0; k < D; ++k) {
        const double moved = at->c[k] - now->c[k];
        const double off = u == NULL ? 0 : at->c[k] - (double)u[k];
        value += 0.5 * (double)body->damping[0] / h * moved * moved;
        value += 0.5 * (double)body->stiffness[0] * off * off;
        slip += moved * moved;
    }
    value += rub * (sqrt(slip) - slow);
    if (D == 2u) {
        const double off = u == NULL ? 0 : at->angle - (double)u[2];
        return value + 0.5 * (double)body->damping[1] / h * spin * spin
               + 0.5 * (double)body->stiffness[1] * off * off;
    }
    value += 0.25 * (double)body->damping[1] / h * frobenius(at->R, now->R);
    if (u == NULL) return value;
    for (uint32_t k = 0; k < 3; ++k) v[k] = (double)u[3 + k];
    exp_of(v, R);
    return value + 0.25 * (double)body->stiffness[1] * frobenius(at->R, R);
}

/* w (sqrt(|T e|^2 + s^2) - s) */
static double rubbed(double w, const double n[3], const double e[3])
{
    const double s = (double)scene_of->slow * (double)scene_of->step, along = dot3(n, e);
    const double square = fmax(0, dot3(e, e) - along * along / dot3(n, n));
    return w * (sqrt(square + s * s) - s);
}

static double floor_of(const tc_implicit_floor *floor, const tc_implicit_piece *piece,
                       const pose *at, const pose *now)
{
    double sum = 0, n[3], weight = (double)scene_of->weight;
    for (uint32_t k = 0; k < 3; ++k) n[k] = (double)floor->normal[k];
    for (uint32_t i = 0; i < piece->set.count; ++i) {
        double x[3], y[3], z[3], e[3];
        vertex_of(&piece->set, i, x);
        world_of(&at[piece->body], x, y);
        world_of(&now[piece->body], x, z);
        const double off = (double)floor->offset + (double)piece->set.radius;
        const double h = dot3(n, y) - off, h_now = dot3(n, z) - off;
        if (h <= 0) return -1;
        for (uint32_t k = 0; k < 3; ++k) e[k] = y[k] - z[k];
        sum += weight / h + rubbed((double)floor->friction * weight / (h_now * h_now), n, e);
    }
    return sum;
}

/* Friction of a pair, with the plane now */
static double friction_of(uint32_t pair, const pose *at, const pose *now)
{
    const tc_implicit_pair *which = &scene_of->pair[pair];
    const tc_implicit_piece *piece[2] = {&scene_of->piece[which->a], &scene_of->piece[which->b]};
    const double half = 0.5 * (double)which->friction * (double)scene_of->weight;
    double p[4] = {0, 0, 0, 0}, sum = 0, row[4];
    const int kept = known;
    if (half <= 0) return 0;
    known = 0;
    potential(pair, now, p);
    known = kept;
    for (uint32_t side = 0; side < 2; ++side) {
        const pose *own = now + piece[side]->body, *other = now + piece[1 - side]->body;
        const pose *own_next = at + piece[side]->body, *other_next = at + piece[1 - side]->body;
        for (uint32_t i = 0; i < piece[side]->set.count; ++i) {
            double x[3], y[3], z[3], back[3], e[3];
            const double u = clearance_row(&piece[side]->set, own, i, side ? -1 : 1, p, row);
            vertex_of(&piece[side]->set, i, x);
            world_of(own, x, y);
            for (uint32_t k = 0; k < 3; ++k) {
                back[k] = 0;
                for (uint32_t l = 0; l < 3; ++l)
                    back[k] += other->R[3 * l + k] * (y[l] - other->c[l]);
            }
            world_of(own_next, x, y);
            world_of(other_next, back, z);
            for (uint32_t k = 0; k < 3; ++k) e[k] = y[k] - z[k];
            sum += rubbed(half * sqrt(dot3(p, p)) / (u * u), p, e);
        }
    }
    return sum;
}

static double far_of(double P)
{
    const double A = (double)scene_of->barrier.A, r = sqrt(P) - sqrt(A), Q = r * r;
    const double length = (double)scene_of->barrier.length;
    return A + Q + (double)scene_of->barrier.kappa * 2 * sqrt(A) * r / sqrt(1 + length * Q);
}

static double value_at(const pose *now, const pose *before, const tc_real *control, const double *q)
{
    pose at[IMPLICIT_CASE_BODIES];
    double value = 0;
    open_poses(q, at);
    for (uint32_t b = 0; b < scene_of->bodies; ++b) {
        const tc_implicit_body *body = &scene_of->body[b];
        const int driven = body->drive == TC_IMPLICIT_SERVO;
        const pose three[3] = {at[b], now[b], before[b]};
        value += inertia_of(body, three) + drive_of(body, driven ? control : NULL, &at[b], &now[b]);
        if (driven) control += dimension() == 2u ? 3 : 6;
    }
    for (uint32_t k = 0; k < scene_of->pairs; ++k) {
        const double here = potential(k, at, planes[k]);
        if (here < 0) return HUGE_VAL;
        value += (double)scene_of->weight * far_of(here) + friction_of(k, at, now);
    }
    for (uint32_t k = 0; k < scene_of->floors * scene_of->pieces; ++k) {
        const double here = floor_of(&scene_of->floor[k / scene_of->pieces],
                                     &scene_of->piece[k % scene_of->pieces], at, now);
        if (here < 0) return HUGE_VAL;
        value += here;
    }
    return value;
}

double implicit_case_value(const tc_implicit_scene *scene, const tc_real *state,
                           const tc_real *control, const double *next)
{
    pose now[IMPLICIT_CASE_BODIES], before[IMPLICIT_CASE_BODIES];
    scene_of = scene;
    open_state(state, now);
    open_state(state + (dimension() == 2u ? 3u : 7u) * scene->bodies, before);
    known = 0;
    return value_at(now, before, control, next);
}

/* Coordinates of one body, moved along freedom i */
static void shifted(double *q, uint32_t i, double by)
{
    if (i < 3u) {
        q[i] += by;
        return;
    }
    const double half = 0.5 * by, w = q[3], v[3] = {q[4], q[5], q[6]};
    const uint32_t a = i - 3, b = (a + 1) % 3, c = (a + 2) % 3;
    q[3] = cos(half) * w - sin(half) * v[a];
    q[4 + a] = cos(half) * v[a] + sin(half) * w;
    q[4 + b] = cos(half) * v[b] - sin(half) * v[c];
    q[4 + c] = cos(half) * v[c] + sin(half) * v[b];
}

double implicit_case_residual(const tc_implicit_scene *scene, const tc_real *state,
                              const tc_real *control, const tc_real *next)
{
    double q[7 * IMPLICIT_CASE_BODIES], worst = 0;
    pose now[IMPLICIT_CASE_BODIES], before[IMPLICIT_CASE_BODIES];
    scene_of = scene;
    const uint32_t each = dimension() == 2u ? 3u : 7u, freedoms = dimension() == 2u ? 3u : 6u;
    open_state(state, now);
    open_state(state + each * scene->bodies, before);
    for (uint32_t i = 0; i < each * scene->bodies; ++i) q[i] = (double)next[i];
    known = 0;
    const double here = value_at(now, before, control, q);
    known = 1;
    for (uint32_t f = 0; f < freedoms * scene->bodies; ++f) {
        double side[2], kept[7], *own = q + f / freedoms * each;
        const double by = 1e-6;
        memcpy(kept, own, each * sizeof *own);
        for (uint32_t s = 0; s < 2; ++s) {
            shifted(own, f % freedoms, s ? -by : by);
            side[s] = value_at(now, before, control, q);
            memcpy(own, kept, each * sizeof *own);
            if (side[s] >= HUGE_VAL) return side[s];
        }
        const double slope = (side[0] - side[1]) / (2 * by);
        const double bend = (side[0] - 2 * here + side[1]) / (by * by);
        worst = fmax(worst, fabs(slope) / fmax(bend, 1e-12));
    }
    known = 0;
    return here >= HUGE_VAL ? here : worst;
}
