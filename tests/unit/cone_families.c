/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "cone_families.h"

#include <math.h>
#include <string.h>

static uint64_t state;

static uint32_t bits(void)
{
    state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    uint64_t x = state;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((x ^ x >> 31) >> 32);
}

static tc_real uniform(void) /* in (-1, 1), 23 bits */
{
    return (tc_real)((int32_t)(bits() >> 8) - 8388608) * TC_C(1.1920928955078125e-7);
}

static tc_real between(tc_real low, tc_real high)
{
    return low + (high - low) * (uniform() + 1) * TC_C(0.5);
}

static void draw_rows(cone_problem *p, uint32_t d)
{
    p->cone.d = d;
    for (uint32_t i = 0; i < p->cone.n * p->cone.rows * d; ++i) {
        p->G[i] = uniform();
    }
}

static void draw_velocity(cone_problem *p)
{
    for (uint32_t k = 0; k < p->cone.d; ++k) {
        p->w0[k] = uniform();
    }
}

static void draw_friction(cone_problem *p, tc_real low, tc_real high)
{
    for (uint32_t i = 0; i < p->cone.n; ++i) {
        p->mu[i] = between(low, high);
    }
}

/* Freedoms of one free body */
static uint32_t body_freedoms(const cone_problem *p)
{
    return p->cone.rows == 3u ? 6u : 3u;
}

static void draw_spd(cone_problem *p)
{
    draw_rows(p, p->cone.n * p->cone.rows);
    draw_friction(p, TC_C(0.1), TC_C(1.2));
}

/* A contact of one free body: point x, normal and tangents along the axes that `normal` names, in
 * the order normal, normal + 1, normal + 2, times the masses' roots. The first freedoms are
 * translations, mass 1; inertia: 1 / root^2. */
static void put_contact(cone_problem *p, uint32_t i, const tc_real *x, uint32_t normal,
                        tc_real sign, const tc_real *root)
{
    const uint32_t rows = p->cone.rows, d = p->cone.d;
    for (uint32_t r = 0; r < rows; ++r) {
        tc_real *const g = p->G + (i * rows + r) * d;
        const uint32_t axis = (normal + r) % rows;
        const tc_real s = r == 0 ? sign : 1;
        memset(g, 0, d * sizeof g[0]);
        g[axis] = s;
        if (rows == 2u) {
            g[2] = s * root[0] * (axis == 0 ? -x[1] : x[0]);
        } else {
            const uint32_t next = (axis + 1u) % 3u, last = (axis + 2u) % 3u;
            g[3u + next] = s * root[next] * x[last];
            g[3u + last] = -s * root[last] * x[next];
        }
    }
}

static void box_roots(const tc_real *half, uint32_t rows, tc_real *root)
{
    if (rows == 2u) {
        root[0] = (tc_real)sqrt(3.0 / (double)(half[0] * half[0] + half[1] * half[1]));
        return;
    }
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real a = half[(k + 1u) % 3u], b = half[(k + 2u) % 3u];
        root[k] = (tc_real)sqrt(3.0 / (double)(a * a + b * b));
    }
}

/* The corners of a box: first those of the bottom, then the corners of the sides that meet walls */
static void draw_box(cone_problem *p)
{
    const uint32_t rows = p->cone.rows, bottom = rows == 2u ? 2u : 4u;
    tc_real half[3], root[3];
    p->cone.d = body_freedoms(p);
    for (uint32_t k = 0; k < 3u; ++k) half[k] = between(TC_C(0.2), TC_C(1.0));
    box_roots(half, rows, root);
    for (uint32_t i = 0; i < p->cone.n; ++i) {
        const uint32_t wall = i / bottom, up = rows - 1u;
        const uint32_t axis = wall == 0 ? up : (wall - 1u) / 2u % up;
        const tc_real side = wall == 0 ? TC_C(1.0) : wall % 2u != 0 ? TC_C(1.0) : TC_C(-1.0);
        const uint32_t corner = i % bottom;
        tc_real x[3] = {0};
        for (uint32_t k = 0, bit = 0; k < rows; ++k) {
            x[k] = k == axis ? -side * half[k] : (corner >> bit & 1u) != 0 ? half[k] : -half[k];
            bit += k != axis;
        }
        put_contact(p, i, x, axis, side, root);
    }
    draw_friction(p, TC_C(0.1), TC_C(1.0));
}

/* n bodies in a row, the first on the ground, contact i between i - 1 and i; masses of 2^0 .. 2^13;
 * particles, and each contact has axes of its own */
static void draw_chain(cone_problem *p)
{
    const uint32_t rows = p->cone.rows, n = p->cone.n, d = n * rows;
    tc_real root[TC_CONE_MAX];
    p->cone.d = d;
    memset(p->G, 0, sizeof p->G);
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t exponent = i < 2u ? 13u * i : bits() % 14u;
        root[i] = (tc_real)(1.0 / sqrt((double)(1u << exponent)));
    }
    for (uint32_t i = 0; i < n * rows; ++i) {
        const uint32_t body = i / rows;
        for (uint32_t k = 0; k < rows; ++k) {
            const tc_real x = uniform();
            p->G[i * d + body * rows + k] = x * root[body];
            if (body > 0) p->G[i * d + (body - 1u) * rows + k] = -x * root[body - 1u];
        }
    }
    draw_friction(p, TC_C(0.1), TC_C(1.2));
}

static void draw_body(cone_problem *p)
{
    draw_rows(p, body_freedoms(p));
}

static void draw_smooth(cone_problem *p)
{
    draw_body(p);
    draw_friction(p, 0, 0);
}

static void draw_tiny(cone_problem *p)
{
    draw_body(p);
    draw_friction(p, 0, TC_C(1e-4));
}

static void draw_huge(cone_problem *p)
{
    draw_body(p);
    draw_friction(p, TC_C(10.0), TC_C(100.0));
}

/* Half of the contacts are copies of others, bit for bit, with a friction of their own */
static void draw_duplicates(cone_problem *p)
{
    const uint32_t half = (p->cone.n + 1u) / 2u, size = p->cone.rows * body_freedoms(p);
    draw_body(p);
    for (uint32_t i = half; i < p->cone.n; ++i) {
        memcpy(p->G + i * size, p->G + bits() % half * size, size * sizeof p->G[0]);
    }
    draw_friction(p, TC_C(0.1), TC_C(1.2));
}

/* Fingers that hold a box from opposite sides */
static void draw_grasp(cone_problem *p)
{
    const uint32_t rows = p->cone.rows;
    tc_real half[3], root[3];
    p->cone.d = body_freedoms(p);
    for (uint32_t k = 0; k < 3u; ++k) half[k] = between(TC_C(0.2), TC_C(1.0));
    box_roots(half, rows, root);
    for (uint32_t i = 0; i < p->cone.n; ++i) {
        const tc_real side = i % 2u != 0 ? TC_C(1.0) : TC_C(-1.0);
        tc_real x[3];
        for (uint32_t k = 0; k < 3u; ++k) x[k] = half[k] * uniform();
        x[0] = -side * half[0];
        put_contact(p, i, x, 0, side, root);
    }
    draw_friction(p, TC_C(0.1), TC_C(1.2));
}

static void draw_lowrank(cone_problem *p)
{
    draw_rows(p, 1u + bits() % body_freedoms(p));
    draw_friction(p, TC_C(0.1), TC_C(1.2));
}

/* Rows of one free body */
static void draw_rows_of_body(cone_problem *p)
{
    draw_body(p);
    draw_friction(p, TC_C(0.1), TC_C(1.2));
}

const cone_family cone_families[] = {
    {"spd", draw_spd},
    {"box", draw_box},
    {"massratio", draw_chain},
    {"smooth", draw_smooth},
    {"tiny", draw_tiny},
    {"huge", draw_huge},
    {"duplicate", draw_duplicates},
    {"grasp", draw_grasp},
    {"lowrank", draw_lowrank},
    {"body", draw_rows_of_body},
};
const uint32_t cone_family_count = TC_COUNT(cone_families) - 1u;

void cone_draw(const cone_family *family, cone_problem *p, uint32_t rows, uint32_t n,
               uint32_t index)
{
    const uint32_t which = (uint32_t)(family - cone_families);
    state = ((uint64_t)index << 16) + which * 64u + rows * 16u;
    for (uint32_t i = 0; i < 4u; ++i) (void)bits();
    const uint32_t most = rows == 3u ? TC_CONE3_MAX : TC_CONE_MAX;
    const uint32_t drawn = 1u + bits() % most;
    p->cone = (tc_cone){.n = n != 0 ? n : drawn, .rows = rows, .G = p->G, .w0 = p->w0, .mu = p->mu};
    family->draw(p);
    draw_velocity(p);
    for (uint32_t i = 0; i < p->cone.n; ++i) p->e[i] = between(0, 1);
    for (uint32_t k = 0; k < p->cone.d; ++k) p->target[k] = TC_C(0.3) * uniform();
}

void cone_soften(cone_problem *p, tc_real part)
{
    const uint32_t size = p->cone.rows * p->cone.d;
    for (uint32_t i = 0; i < p->cone.n; ++i) {
        tc_real sum = 0;
        for (uint32_t k = 0; k < size; ++k) sum += p->G[i * size + k] * p->G[i * size + k];
        p->soft[i] = part * sum / (tc_real)p->cone.rows;
    }
    p->cone.compliance = p->soft;
}

void cone_restitute(cone_problem *p, const tc_real *f, const tc_real *w)
{
    for (uint32_t i = 0; i < p->cone.n; ++i) {
        p->floor[i] = p->e[i] * f[i * p->cone.rows];
    }
    for (uint32_t k = 0; k < p->cone.d; ++k) p->w0[k] = w[k] - p->target[k];
    p->cone.floor = p->floor;
}

int cone_approaches(const tc_cone *c)
{
    for (uint32_t i = 0; i < c->n; ++i) {
        tc_real sum = 0;
        for (uint32_t k = 0; k < c->d; ++k) {
            sum += c->G[i * c->rows * c->d + k] * c->w0[k];
        }
        if (sum < 0) {
            return 1;
        }
    }
    return 0;
}
