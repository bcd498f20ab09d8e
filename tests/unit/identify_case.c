/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The truth: two phases by sweeps of projected steps with De Saxce's shift,
 *
 *     f_i <- P(f_i - step (u_i + shift)),   u = q + A f,   shift = mu |u_t| along the normal
 *
 * P projects on {f_n >= floor, |f_t| <= mu f_n}. The convex model has no shift.
 */
#include "identify_case.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define AT_REST 1e-9 /* change of a sweep, in m/s, that ends a phase */

/* ---- Random numbers -------------------------------------------------------------------------- */

static uint64_t state = 1u;

void identify_case_seed(uint32_t seed)
{
    state = 0x9e3779b97f4a7c15u ^ ((uint64_t)seed << 20u);
    for (int i = 0; i < 20; ++i) {
        (void)identify_case_uniform(0, 1);
    }
}

double identify_case_uniform(double low, double high)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return low + (high - low) * ((double)(uint32_t)(state >> 32) * (1.0 / 4294967296.0));
}

double identify_case_normal(void)
{
    double sum = -6;
    for (int i = 0; i < 12; ++i) {
        sum += identify_case_uniform(0, 1);
    }
    return sum;
}

/* A direction in n dimensions */
static void draw_unit(double *x, int n)
{
    double square = 0;
    while (square < 1e-3 || square > 1) {
        square = 0;
        for (int i = 0; i < n; ++i) {
            x[i] = identify_case_uniform(-1, 1);
            square += x[i] * x[i];
        }
    }
    for (int i = 0; i < n; ++i) {
        x[i] /= sqrt(square);
    }
}

/* ---- Two phases ------------------------------------------------------------------------------ */

typedef struct two_phase {
    uint32_t n;
    double A[IDENTIFY_CASE_ROWS * IDENTIFY_CASE_ROWS];
    double q[IDENTIFY_CASE_ROWS];
    double mu, e;
    int convex;
    double compression[IDENTIFY_CASE_ROWS], p[IDENTIFY_CASE_ROWS]; /* first phase; both */
} two_phase;

static two_phase solved; /* 3 KB: not on a board's stack */

static void project(double mu, double floor, double f[3])
{
    const double t = sqrt(f[1] * f[1] + f[2] * f[2]);
    double n = f[0], edge = t;
    if (t > mu * n) {
        n = (n + mu * t) / (1 + mu * mu);
        n = n > 0 ? n : 0;
        edge = mu * n;
    }
    if (n < floor) {
        n = floor;
        edge = t < mu * floor ? t : mu * floor;
    }
    const double scale = t > 0 ? edge / t : 0;
    f[0] = n;
    f[1] *= scale;
    f[2] *= scale;
}

/* One contact's step; returns its size [m/s]. */
static double step_contact(const two_phase *s, uint32_t i, const double *q, double floor, double *f)
{
    const uint32_t rows = 3u * s->n;
    double u[3], next[3], size = 0, change = 0;
    for (uint32_t r = 0; r < 3u; ++r) {
        u[r] = q[3u * i + r];
        for (uint32_t c = 0; c < rows; ++c) {
            u[r] += s->A[(3u * i + r) * rows + c] * f[c];
        }
        size += s->A[(3u * i + r) * rows + 3u * i + r];
    }
    u[0] += s->convex ? 0 : s->mu * sqrt(u[1] * u[1] + u[2] * u[2]);
    for (uint32_t r = 0; r < 3u; ++r) {
        next[r] = f[3u * i + r] - u[r] / size;
    }
    project(s->mu, floor, next);
    for (uint32_t r = 0; r < 3u; ++r) {
        change += fabs(next[r] - f[3u * i + r]) * size;
        f[3u * i + r] = next[r];
    }
    return change;
}

/* Returns 1 if the sweeps came to rest. */
static int solve_phase(const two_phase *s, const double *q, const double *floor, double *f)
{
    double change = 1;
    for (uint32_t k = 0; k < 20000u && change > AT_REST; ++k) {
        change = 0;
        for (uint32_t i = 0; i < s->n; ++i) {
            change += step_contact(s, i, q, floor == NULL ? 0 : floor[i], f);
        }
    }
    return change <= AT_REST;
}

static int solve_impact(two_phase *s)
{
    const uint32_t rows = 3u * s->n;
    double u[IDENTIFY_CASE_ROWS], floor[IDENTIFY_CASE_CONTACTS], f[IDENTIFY_CASE_ROWS];
    memset(s->compression, 0, sizeof s->compression);
    memset(f, 0, sizeof f);
    int done = solve_phase(s, s->q, NULL, s->compression);
    for (uint32_t r = 0; r < rows; ++r) {
        u[r] = s->q[r];
        for (uint32_t c = 0; c < rows; ++c) {
            u[r] += s->A[r * rows + c] * s->compression[c];
        }
    }
    for (uint32_t i = 0; i < s->n; ++i) {
        floor[i] = f[3u * i] = s->e * s->compression[3u * i];
    }
    done = done && solve_phase(s, u, floor, f);
    for (uint32_t r = 0; r < rows; ++r) {
        s->p[r] = s->compression[r] + f[r];
    }
    return done;
}

/* ---- Bodies ---------------------------------------------------------------------------------- */

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

void identify_case_turn(const identify_case *x, const double a[3], double b[3])
{
    const double *const q = x->orientation;
    double c[3], d[3];
    cross(q + 1, a, c);
    for (int i = 0; i < 3; ++i) {
        c[i] += q[0] * a[i];
    }
    cross(q + 1, c, d);
    for (int i = 0; i < 3; ++i) {
        b[i] = a[i] + 2 * d[i];
    }
}

/* A normal, tangents, arms and the rows J */
static void draw_contacts(identify_case *x, const identify_truth *truth, const double size[3])
{
    double t[3][3], axis[3] = {0, 0, 0};
    int least = 2;
    draw_unit(t[0], truth->plane ? 2 : 3);
    t[0][2] = truth->plane ? 0 : t[0][2];
    for (int i = 0; i < 2 && !truth->plane; ++i) {
        least = fabs(t[0][i]) < fabs(t[0][least]) ? i : least;
    }
    axis[least] = 1;
    cross(axis, t[0], t[2]);
    const double length = sqrt(t[2][0] * t[2][0] + t[2][1] * t[2][1] + t[2][2] * t[2][2]);
    for (int i = 0; i < 3; ++i) {
        t[2][i] /= length;
    }
    cross(t[2], t[0], t[1]);
    memcpy(x->normal, t[0], sizeof x->normal);
    for (uint32_t k = 0; k < truth->n; ++k) {
        double *const arm = x->arm + 3u * k;
        draw_unit(arm, 3);
        for (int i = 0; i < 3; ++i) {
            arm[i] = 0.5 * size[i] * arm[i] - 0.3 * size[i] * x->normal[i];
        }
        arm[2] = truth->plane ? 0 : arm[2];
        for (uint32_t r = 0; r < 3u; ++r) {
            double *const row = x->J + (3u * k + r) * 6u;
            memcpy(row, t[r], sizeof t[r]);
            cross(arm, t[r], row + 3);
        }
    }
}

static void draw_body(identify_case *x, const identify_truth *truth)
{
    double size[3];
    x->mass = identify_case_uniform(0.5, 2);
    for (int i = 0; i < 3; ++i) {
        size[i] = identify_case_uniform(0.1, 0.4);
    }
    for (int i = 0; i < 3; ++i) {
        const double a = size[(i + 1) % 3], b = size[(i + 2) % 3];
        x->inertia[i] = x->mass * (a * a + b * b) / 12;
    }
    draw_unit(x->orientation, 4);
    if (truth->plane) {
        memset(x->orientation, 0, sizeof x->orientation);
        x->orientation[0] = 1;
    }
    draw_contacts(x, truth, size);
}

static void draw_motion(identify_case *x, const identify_truth *truth, double speed)
{
    const double down = identify_case_uniform(0.2, 1), along = sqrt(1 - down * down);
    double direction[2];
    draw_unit(direction, 2);
    for (int i = 0; i < 3; ++i) {
        x->before[i] =
            speed
            * (along * (direction[0] * x->J[6 + i] + direction[1] * x->J[12 + i]) - down * x->J[i]);
        x->before[3 + i] = identify_case_uniform(-5, 5);
    }
    if (truth->plane) {
        x->before[2] = x->before[3] = x->before[4] = 0;
    }
}

/* Fills the problem; returns the largest approach [m/s]. */
static double pose_problem(const identify_case *x, const identify_truth *truth, double inverse[6])
{
    const uint32_t rows = 3u * truth->n;
    double approach = 0;
    solved.n = truth->n;
    solved.mu = truth->mu;
    solved.e = truth->e;
    solved.convex = truth->convex;
    for (uint32_t i = 0; i < 6u; ++i) {
        inverse[i] = i < 3u ? 1 / x->mass : 1 / (truth->ratio * x->inertia[i - 3u]);
    }
    for (uint32_t r = 0; r < rows; ++r) {
        solved.q[r] = 0;
        for (uint32_t i = 0; i < 6u; ++i) {
            solved.q[r] += x->J[6u * r + i] * x->before[i];
        }
        for (uint32_t c = 0; c < rows; ++c) {
            double sum = 0;
            for (uint32_t i = 0; i < 6u; ++i) {
                sum += x->J[6u * r + i] * inverse[i] * x->J[6u * c + i];
            }
            solved.A[r * rows + c] = sum;
        }
        approach = r % 3u == 0 && -solved.q[r] > approach ? -solved.q[r] : approach;
    }
    return approach;
}

int identify_case_solve(identify_case *x, const identify_truth *truth)
{
    double inverse[6];
    if (pose_problem(x, truth, inverse) < 0.1 || !solve_impact(&solved)) {
        return 0;
    }
    for (uint32_t i = 0; i < 6u; ++i) {
        x->after[i] = x->before[i];
        for (uint32_t r = 0; r < 3u * truth->n; ++r) {
            x->after[i] += inverse[i] * x->J[6u * r + i] * solved.p[r];
        }
    }
    const double *const f = solved.compression;
    x->sticks = sqrt(f[1] * f[1] + f[2] * f[2]) < 0.9999 * truth->mu * f[0];
    return 1;
}

void identify_case_draw(identify_case *x, const identify_truth *truth, double speed)
{
    do {
        draw_body(x, truth);
        draw_motion(x, truth, speed);
    } while (!identify_case_solve(x, truth));
}
