/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Random bodies, planes, states; see draw.h.
 *
 * Sizes 0.01 to 1 m, masses 1e-3 to 1e3 kg, steps 0.25 to 10 ms, evenly in the logarithm; the other
 * extents down to 1/100 of the size. Of bodies, moments of inertia are those of a box of the same
 * extents. Speeds go up to 10 m/s and what a fall from ten sizes gives; a step turns a body by 0.5
 * rad at most: beyond that no scheme of one plane and one patch per step sees what happens.
 */
#include "draw.h"

#include <math.h>

#define TURN_MOST 0.5 /* [rad] in a step */

double draw_between(double low, double high)
{
    return low + (high - low) * (double)(test_bits() >> 8) / 16777216.0;
}

double draw_log(double low, double high)
{
    return exp(draw_between(log(low), log(high)));
}

static int one_in(uint32_t n)
{
    return test_below(n) == 0u;
}

void draw_setting(setting *s)
{
    memset(s, 0, sizeof *s);
    s->size = draw_log(0.01, 1.0);
    s->aspect[0] = one_in(3) ? 1.0 : draw_log(0.01, 1.0);
    s->aspect[1] = one_in(3) ? s->aspect[0] : draw_log(0.01, 1.0);
    s->mass = draw_log(1e-3, 1e3);
    s->step = draw_log(2.5e-4, 1e-2);
    s->mu = one_in(6) ? 0.0 : draw_between(0.05, 1.5);
    s->restitution = one_in(2) ? 0.0 : draw_between(0.0, 1.0);
    s->tilt = one_in(2) ? 0.0 : draw_between(0.0, 1.0);
    s->heading = draw_between(0.0, 6.283185307);
    s->speed = draw_log(1e-2, fmin(10.0, sqrt(20 * GRAVITY * s->size) + 1.0));
    s->calm = one_in(3);
    if (s->calm) {
        /* friction that holds, a floor, and a fall of no more than the body's own size */
        s->mu = fmax(s->mu, 0.3);
        s->tilt = 0.0;
        s->restitution *= 0.5;
        s->speed = fmin(s->speed, sqrt(GRAVITY * s->size));
    }
    s->spin = fmin(draw_between(0.0, 4.0) * s->speed / s->size, TURN_MOST / s->step);
}

void draw_unit(tc_real *x, uint32_t n)
{
    double square;
    do {
        square = 0;
        for (uint32_t k = 0; k < n; k++) {
            x[k] = (tc_real)draw_between(-1.0, 1.0);
            square += (double)x[k] * (double)x[k];
        }
    } while (square > 1.0 || square < 0.01);
    for (uint32_t k = 0; k < n; k++) {
        x[k] = (tc_real)((double)x[k] / sqrt(square));
    }
}

void draw_turn(tc_real q[4])
{
    draw_unit(q, 4);
    if (one_in(3)) { /* flat on a face, but for rounding */
        memset(q, 0, 4 * sizeof *q);
        q[0] = TC_C(1.0);
    }
}

/* Rest takes some tens of sqrt(L / g), which has to be more than ten steps; and scheme DART, whose
 * bodies sink by what a step of their approach is, has to see them before their middle is below the
 * plane. */
uint32_t draw_steps(setting *s, uint32_t scheme)
{
    const double rest = 60 * sqrt(s->size / GRAVITY) / s->step;
    const double fastest = sqrt(s->speed * s->speed + 4 * GRAVITY * s->size) + s->spin * s->size;
    const double thinnest = s->size * fmin(s->aspect[0], s->aspect[1]);
    s->calm = s->calm && rest > 600 && rest < 2400
              && (scheme != TC_SCHEME_DART || s->step * fastest < 0.5 * thinnest);
    return s->calm ? (uint32_t)rest : 250u;
}

/* ---- Plane ----------------------------------------------------------------------------------- */

/* Angles ascending on an ellipse: convex and counter-clockwise */
static void ellipse(const double half[2], uint32_t count, tc_real *vertices)
{
    double angle = draw_between(0.0, 6.283185307), gap[12], sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        gap[i] = draw_between(0.3, 1.0);
        sum += gap[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        vertices[2u * i] = (tc_real)(half[0] * cos(angle));
        vertices[2u * i + 1u] = (tc_real)(half[1] * sin(angle));
        angle += 6.283185307 * gap[i] / sum;
    }
}

static void centre(tc_real *vertices, uint32_t count, uint32_t d)
{
    for (uint32_t k = 0; k < d; k++) {
        double sum = 0;
        for (uint32_t i = 0; i < count; i++) {
            sum += (double)vertices[d * i + k];
        }
        for (uint32_t i = 0; i < count; i++) {
            vertices[d * i + k] = (tc_real)((double)vertices[d * i + k] - sum / count);
        }
    }
}

double draw_polygon(const setting *s, tc_shape2 *shape, tc_real *vertices)
{
    const double half[2] = {0.5 * s->size, 0.5 * s->size * s->aspect[0]};
    const tc_real x = (tc_real)half[0], y = (tc_real)half[1];
    const tc_real box[8] = {-x, -y, x, -y, x, y, -x, y};
    const uint32_t pick = test_below(8);
    double rounding = 0;
    shape->vertices = vertices;
    if (pick < 4u || (s->calm && pick > 4u)) {
        shape->count = 4;
        memcpy(vertices, box, sizeof box);
    } else if (pick < 6u) {
        shape->count = 3u + test_below(s->calm ? 2 : 10);
        ellipse(half, shape->count, vertices);
        rounding = pick == 5u ? draw_between(0.0, 0.5) * half[1] : 0.0;
    } else {
        shape->count = pick - 5u; /* circle, capsule */
        vertices[0] = pick == 6u ? TC_C(0.0) : -x;
        vertices[1] = vertices[3] = TC_C(0.0);
        vertices[2] = x;
        rounding = half[1];
    }
    shape->radius = (tc_real)rounding;
    centre(vertices, shape->count, 2);
    return (half[0] * half[0] + half[1] * half[1]) / 3 + rounding * rounding;
}

/* ---- Space ----------------------------------------------------------------------------------- */

static uint32_t box_corners(const double half[3], tc_real *vertices)
{
    for (uint32_t i = 0; i < 8u; i++) {
        for (uint32_t k = 0; k < 3u; k++) {
            vertices[3u * i + k] = (tc_real)((i >> k & 1u) ? half[k] : -half[k]);
        }
    }
    return 8;
}

static uint32_t hull_corners(const double half[3], tc_real *vertices)
{
    const uint32_t count = 4u + test_below(13);
    for (uint32_t i = 0; i < count; i++) {
        draw_unit(vertices + 3u * i, 3);
        for (uint32_t k = 0; k < 3u; k++) {
            vertices[3u * i + k] = (tc_real)((double)vertices[3u * i + k] * half[k]);
        }
    }
    centre(vertices, count, 3);
    return count;
}

void draw_polyhedron(const setting *s, tc_shape3 *shape, tc_real *vertices, double inertia[3])
{
    const double half[3] = {0.5 * s->size, 0.5 * s->size * s->aspect[0],
                            0.5 * s->size * s->aspect[1]};
    const uint32_t pick = s->calm ? 0u : test_below(8);
    double rounding = 0;
    shape->vertices = vertices;
    if (pick < 4u) {
        shape->count = box_corners(half, vertices);
    } else if (pick < 6u) {
        shape->count = hull_corners(half, vertices);
        rounding = pick == 5u ? draw_between(0.0, 0.5) * fmin(half[1], half[2]) : 0.0;
    } else {
        shape->count = pick - 5u; /* sphere, capsule */
        memset(vertices, 0, 6 * sizeof *vertices);
        vertices[0] = pick == 6u ? TC_C(0.0) : (tc_real)-half[0];
        vertices[3] = (tc_real)half[0];
        rounding = half[1];
    }
    shape->radius = (tc_real)rounding;
    for (uint32_t k = 0; k < 3u; k++) {
        const double a = half[(k + 1u) % 3u], b = half[(k + 2u) % 3u];
        inertia[k] = (a * a + b * b) / 3 + rounding * rounding;
    }
}
