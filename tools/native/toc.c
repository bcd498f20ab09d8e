/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "toc.h"

#include "tc_toc.h"

#include <string.h>

/* Share of a step within which contacts count as one event */
#define TOGETHER 1e-4

/* A case of the list */
typedef struct toc_case {
    const tc_sdf *a, *b;
    tc_toc_motion motion[2];
    tc_toc found;
    tc_real *work;
    size_t work_len;
} toc_case;

static void read_motion(const double *x, tc_toc_motion *motion)
{
    for (uint32_t k = 0; k < 9u; ++k) motion->pose.rotation[k] = (tc_real)x[k];
    for (uint32_t k = 0; k < 3u; ++k) {
        motion->pose.position[k] = (tc_real)x[9u + k];
        motion->velocity[k] = (tc_real)x[12u + k];
        motion->angular_velocity[k] = (tc_real)x[15u + k];
        motion->acceleration[k] = (tc_real)x[18u + k];
    }
}

static void write_found(const tc_toc *found, double *row)
{
    row[0] = (double)found->time;
    row[1] = (double)found->speed;
    for (uint32_t k = 0; k < 3u; ++k) {
        row[2u + k] = (double)found->gap.normal[k];
        row[5u + k] = (double)found->gap.point_a[k];
    }
    row[8] = (double)found->gap.distance;
}

/* The points that touch within TOGETHER of the time; none: only the closest pair counts */
static uint32_t touch_together(const toc_case *c, double step, tc_meet_contact *contact)
{
    tc_convex_pose at[2];
    tc_convex_gap gap;
    uint32_t count = 0;
    for (uint32_t i = 0; i < 2u; ++i) {
        if (tc_toc_pose(&c->motion[i], c->found.time, &at[i]) < TC_OK) return 0;
    }
    const tc_real margin = (tc_real)(TOGETHER * step) * -c->found.speed;
    const tc_status status =
        tc_meet_contacts(c->a, &at[0], c->b, &at[1], margin, contact, TC_MEET_CONTACT_MAX, &count,
                         &gap, c->work, c->work_len);
    return status >= TC_OK && count > 1u ? count : 0u;
}

static void write_rows(const tc_toc_rows *rows, double *row)
{
    const tc_real *const from[5] = {rows->position[0], rows->rotation[0], rows->velocity[0],
                                    rows->angular_velocity[0], rows->acceleration[0]};
    for (uint32_t i = 0; i < 5u; ++i) {
        for (uint32_t k = 0; k < 6u; ++k) row[6u * i + k] = (double)from[i][k];
    }
    row[30] = (double)rows->radius;
}

static void write_shapes(const toc_case *c, double *row)
{
    tc_real by[2][TC_SDF_PARAMETERS] = {{TC_C(0.0)}};
    const uint32_t n_a = tc_sdf_parameters(c->a), n_b = tc_sdf_parameters(c->b);
    (void)tc_toc_shape_grad(c->a, &c->motion[0], c->b, &c->motion[1], &c->found,
                            n_a > 0u ? by[0] : NULL, n_b > 0u ? by[1] : NULL, c->work, c->work_len);
    for (uint32_t i = 0; i < n_a; ++i) row[i] = (double)by[0][i];
    for (uint32_t i = 0; i < n_b; ++i) row[n_a + i] = (double)by[1][i];
}

void native_toc(native_sdf *a, native_sdf *b, const double *motions, uint32_t n, double step,
                int32_t *status, int32_t *counts, double *found, double *rows, double *by_shapes)
{
    tc_meet_contact contact[TC_MEET_CONTACT_MAX];
    tc_toc_rows derivatives;
    toc_case c = {.a = native_sdf_get(a), .b = native_sdf_get(b)};
    const uint32_t count = tc_sdf_parameters(c.a) + tc_sdf_parameters(c.b);
    c.work = native_sdf_work(a, &c.work_len);
    memset(rows, 0, sizeof(double) * NATIVE_TOC_ROWS * n);
    memset(by_shapes, 0, sizeof(double) * count * n);
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t k = 0; k < 2u; ++k)
            read_motion(motions + (2u * i + k) * NATIVE_TOC_MOTION, &c.motion[k]);
        status[i] = tc_toc_find(c.a, &c.motion[0], c.b, &c.motion[1], (tc_real)step, &c.found,
                                c.work, c.work_len);
        write_found(&c.found, found + NATIVE_TOC_FOUND * i);
        counts[3u * i] = (int32_t)c.found.outcome;
        counts[3u * i + 1u] = (int32_t)c.found.detections;
        counts[3u * i + 2u] = 0;
        if (status[i] < TC_OK || !(c.found.speed < TC_C(0.0))) continue;
        if (c.found.outcome != TC_TOC_CONTACT && c.found.outcome != TC_TOC_GRAZES) continue;
        const uint32_t together = touch_together(&c, step, contact);
        if (tc_toc_grad(&c.motion[0], &c.motion[1], &c.found, contact, together, &derivatives)
            < TC_OK)
            continue;
        counts[3u * i + 2u] = (int32_t)(together > 1u ? together : 1u);
        write_rows(&derivatives, rows + NATIVE_TOC_ROWS * i);
        write_shapes(&c, by_shapes + count * i);
    }
}
