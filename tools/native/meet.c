/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "meet.h"

#include "tc_meet.h"

#include <string.h>

static void set_pose(const double *R, const double *x, const double *origin, tc_convex_pose *at)
{
    for (uint32_t i = 0; i < 9u; ++i) at->rotation[i] = (tc_real)R[i];
    for (uint32_t i = 0; i < 3u; ++i) at->position[i] = (tc_real)(x[i] - origin[i]);
}

static void tell_gap(const tc_convex_gap *found, const double *origin, double *row)
{
    row[0] = (double)found->distance;
    for (uint32_t k = 0; k < 3u; ++k) {
        row[1u + k] = (double)found->normal[k];
        row[4u + k] = origin[k] + (double)found->point_a[k];
        row[7u + k] = origin[k] + (double)found->point_b[k];
    }
    row[10] = (double)found->steps;
}

/* A pair at one pose */
typedef struct posed_pair {
    native_sdf *a, *b;
    tc_convex_pose at_a, at_b;
    tc_convex_gap gap;
    tc_real *work;
    size_t work_len;
} posed_pair;

static void tell_parameters(const posed_pair *p, double *row)
{
    tc_real by[2][TC_SDF_PARAMETERS];
    const tc_sdf *const a = native_sdf_get(p->a), *const b = native_sdf_get(p->b);
    const uint32_t n_a = tc_sdf_parameters(a), n_b = tc_sdf_parameters(b);
    (void)tc_meet_grad(a, &p->at_a, b, &p->at_b, &p->gap, n_a > 0u ? by[0] : NULL,
                       n_b > 0u ? by[1] : NULL, p->work, p->work_len);
    for (uint32_t i = 0; i < n_a; ++i) row[i] = (double)by[0][i];
    for (uint32_t i = 0; i < n_b; ++i) row[n_a + i] = (double)by[1][i];
}

static void tell_poses(const posed_pair *p, double *row)
{
    tc_real by[12];
    (void)tc_meet_grad_pose(native_sdf_get(p->a), &p->at_a, native_sdf_get(p->b), &p->at_b, &p->gap,
                            by, by + 6, p->work, p->work_len);
    for (uint32_t i = 0; i < 12u; ++i) row[i] = (double)by[i];
}

void native_meet(native_sdf *a, native_sdf *b, const double *poses, uint32_t n, int32_t rule,
                 int32_t *status, double *gap, double *by_parameters, double *by_pose)
{
    const tc_sdf *const shape_a = native_sdf_get(a), *const shape_b = native_sdf_get(b);
    const uint32_t count = tc_sdf_parameters(shape_a) + tc_sdf_parameters(shape_b);
    posed_pair p = {.a = a, .b = b};
    p.work = native_sdf_work(a, &p.work_len);
    memset(gap, 0, sizeof(double) * NATIVE_MEET_GAP * n);
    if (by_parameters) memset(by_parameters, 0, sizeof(double) * count * n);
    if (by_pose) memset(by_pose, 0, sizeof(double) * 12u * n);
    for (uint32_t i = 0; i < n; ++i) {
        const double *const at = poses + NATIVE_MEET_POSES * i, *const origin = at + 21;
        set_pose(at, at + 9, origin, &p.at_a);
        set_pose(at + 12, at + 21, origin, &p.at_b);
        status[i] = tc_meet_distance(shape_a, &p.at_a, shape_b, &p.at_b, (tc_meet_rule)rule, &p.gap,
                                     p.work, p.work_len);
        if (status[i] < TC_OK) continue;
        tell_gap(&p.gap, origin, gap + NATIVE_MEET_GAP * i);
        if (by_parameters) tell_parameters(&p, by_parameters + count * i);
        if (by_pose) tell_poses(&p, by_pose + 12u * i);
    }
}
