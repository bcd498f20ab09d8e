/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * tc_cone_solve under the hunt, of one free body. size: n, rows, box, restitution. Numbers of an
 * input: w0 [d], mu [n], e [n], target [d], then G [n rows d], or for a box half edges and inverse
 * radii of gyration [6].
 *
 * A restitution is that of the compression before, which is not counted.
 */
#include "hunt.h"

#define ROWS (TC_CONE3_MAX * 3u)
#define FREEDOMS 6u

static tc_real G[ROWS * FREEDOMS], w0[FREEDOMS], mu[TC_CONE_MAX], back[TC_CONE_MAX];
static tc_real f[ROWS], u[ROWS], w[FREEDOMS], work[TC_CONE_WORK(TC_CONE3_MAX, 3u, FREEDOMS)];

/* The corners of a box's lower side, then those of its upper side under a ceiling */
static void place_corners(const tc_real **numbers, uint32_t n)
{
    tc_real half[3], inverse[3];
    for (uint32_t k = 0; k < 3u; k++) half[k] = hunt_between(numbers, TC_C(0.2), TC_C(1.0));
    for (uint32_t k = 0; k < 3u; k++) inverse[k] = hunt_between(numbers, TC_C(1.2), TC_C(6.0));
    for (uint32_t i = 0; i < n; i++) {
        const tc_real side = i < 4u ? TC_C(1.0) : TC_C(-1.0);
        const tc_real x[3] = {i & 1u ? half[0] : -half[0], i & 2u ? half[1] : -half[1],
                              -side * half[2]};
        for (uint32_t r = 0; r < 3u; r++) {
            tc_real *const row = G + (3u * i + r) * FREEDOMS;
            const uint32_t axis = (2u + r) % 3u, next = (axis + 1u) % 3u, last = (axis + 2u) % 3u;
            for (uint32_t k = 0; k < FREEDOMS; k++) row[k] = TC_C(0.0);
            row[axis] = r == 0 ? side : TC_C(1.0);
            row[3u + next] = row[axis] * inverse[next] * x[last];
            row[3u + last] = -row[axis] * inverse[last] * x[next];
        }
    }
}

hunt_result hunt_cone(const hunt_file *file, const uint32_t *input)
{
    const uint32_t n = file->size[0], rows = file->size[1], d = rows == 3u ? 6u : 3u;
    const tc_real *numbers = (const tc_real *)(const void *)input;
    tc_real e[TC_CONE_MAX], target[FREEDOMS];
    tc_cone problem = {.n = n, .rows = rows, .d = d, .G = G, .w0 = w0, .mu = mu};
    tc_status status;
    for (uint32_t k = 0; k < d; k++) w0[k] = hunt_between(&numbers, TC_C(-1.0), TC_C(1.0));
    for (uint32_t i = 0; i < n; i++) mu[i] = hunt_between(&numbers, TC_C(0.05), TC_C(1.2));
    for (uint32_t i = 0; i < n; i++) e[i] = hunt_between(&numbers, TC_C(0.0), TC_C(1.0));
    for (uint32_t k = 0; k < d; k++) target[k] = hunt_between(&numbers, TC_C(-0.3), TC_C(0.3));
    if (file->size[2] != 0) {
        place_corners(&numbers, n);
    } else {
        for (uint32_t k = 0; k < n * rows * d; k++) {
            G[k] = hunt_between(&numbers, TC_C(-1.0), TC_C(1.0));
        }
    }
    if (file->size[3] != 0) {
        (void)tc_cone_solve(&problem, f, u, w, NULL, work, TC_CONE_WORK(n, rows, d));
        for (uint32_t i = 0; i < n; i++) back[i] = e[i] * f[i * rows];
        for (uint32_t k = 0; k < d; k++) w0[k] = w[k] - target[k];
        problem.floor = back;
    }
    HUNT_REGION(status = tc_cone_solve(&problem, f, u, w, NULL, work, TC_CONE_WORK(n, rows, d)));
    return (hunt_result){status, 0};
}
