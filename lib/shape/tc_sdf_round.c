/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Half-space, sphere and capsule: the distance from a plane, a point and a segment.
 *
 *     half-space  d = z                             grad d = e_z
 *     sphere      d = |p| - r                       grad d = p / |p|
 *     capsule     d = |v| - r, v = p - c            grad d = v / |v|
 *                 c = (0, 0, clamp(z, -half, half)) the segment's nearest point
 *
 * All are exact, inside and outside. Where v = 0 every unit vector that is normal to the segment is
 * a one-sided gradient: +z for the sphere, +x for the capsule.
 *
 * Parameters. At fixed p, d|v|/dhalf = -v_z sign(z) / |v| where z is beyond the segment, and there
 * v_z has the sign of z; elsewhere v_z = 0. So dd/dr = -1 and dd/dhalf = -|g_z|.
 *
 * Points with d <= -s: the same point, segment or plane with the radius r - s, or lowered by s.
 */
#include "tc_exact.h"
#include "tc_sdf.h"

#include "tc_sdf_internal.h"

/* ---- Half-space ------------------------------------------------------------------------------ */

static tc_status check_halfspace(const tc_sdf *shape)
{
    (void)shape;
    return TC_OK;
}

static tc_status eval_halfspace(const tc_sdf *shape, const tc_real p[3], tc_real *distance,
                                tc_real gradient[3], tc_real *work, size_t work_len)
{
    (void)shape, (void)work, (void)work_len;
    if (!(tc_vec_dot3(p, p) <= TCI_SDF_FAR2)) return tci_sdf_refuse(p, distance, gradient);
    gradient[0] = gradient[1] = TC_C(0.0);
    gradient[2] = TC_C(1.0);
    *distance = p[2];
    return TC_OK;
}

static tc_status core_halfspace(const tc_sdf *shape, tc_real inset, tc_convex *core)
{
    static const tc_convex floor = {.kind = TC_CONVEX_HALFSPACE};
    (void)shape;
    *core = floor;
    core->radius = -inset;
    return TC_OK;
}

const tc_sdf_kind tc_sdf_halfspace = {
    "halfspace", TC_SDF_CONTRACT_EXACT, 0,    NULL, check_halfspace, eval_halfspace,
    NULL,        core_halfspace,        NULL, 1};

/* ---- Sphere ---------------------------------------------------------------------------------- */

static tc_status check_sphere(const tc_sdf *shape)
{
    return tci_sdf_check_positive(shape->size, 1);
}

static tc_status eval_sphere(const tc_sdf *shape, const tc_real p[3], tc_real *distance,
                             tc_real gradient[3], tc_real *work, size_t work_len)
{
    (void)work, (void)work_len;
    const tc_real square = tc_vec_dot3(p, p);
    if (!(square <= TCI_SDF_FAR2)) return tci_sdf_refuse(p, distance, gradient);
    if (square < TCI_SDF_NEAR2) {
        gradient[0] = gradient[1] = TC_C(0.0);
        gradient[2] = TC_C(1.0);
        *distance = -shape->size[0];
        return TC_OK;
    }
    const tc_real length = tc_sqrt(square), inverse = TC_C(1.0) / length;
    for (uint32_t i = 0; i < 3u; ++i) gradient[i] = inverse * p[i];
    *distance = length - shape->size[0];
    return TC_OK;
}

static tc_status grad_sphere(const tc_sdf *shape, const tc_real p[3], tc_real *derivative,
                             tc_real *work, size_t work_len)
{
    tc_real distance, gradient[3];
    derivative[0] = TC_C(-1.0);
    return eval_sphere(shape, p, &distance, gradient, work, work_len);
}

static tc_status core_sphere(const tc_sdf *shape, tc_real inset, tc_convex *core)
{
    static const tc_convex point = {.kind = TC_CONVEX_POINT};
    *core = point;
    core->radius = tc_vec_not_negative(shape->size[0] - inset);
    return inset <= shape->size[0] ? TC_OK : TC_NOTE_OVERLAP;
}

const tc_sdf_kind tc_sdf_sphere = {
    "sphere",    TC_SDF_CONTRACT_EXACT, 1,           NULL, check_sphere,
    eval_sphere, grad_sphere,           core_sphere, NULL, 1};

/* ---- Capsule --------------------------------------------------------------------------------- */

static tc_status check_capsule(const tc_sdf *shape)
{
    return tci_sdf_check_positive(shape->size, 2);
}

static tc_status eval_capsule(const tc_sdf *shape, const tc_real p[3], tc_real *distance,
                              tc_real gradient[3], tc_real *work, size_t work_len)
{
    (void)work, (void)work_len;
    const tc_real r = shape->size[0], half = shape->size[1], z = p[2];
    const tc_real across = TC_MLA(p[0] * p[0], p[1], p[1]);
    if (!(TC_MLA(across, z, z) <= TCI_SDF_FAR2)) return tci_sdf_refuse(p, distance, gradient);
    const tc_real along = z > half ? z - half : z < -half ? z + half : TC_C(0.0);
    const tc_real square = TC_MLA(across, along, along);
    if (square < TCI_SDF_NEAR2) {
        gradient[0] = TC_C(1.0);
        gradient[1] = gradient[2] = TC_C(0.0);
        *distance = -r;
        return TC_OK;
    }
    const tc_real length = tc_sqrt(square), inverse = TC_C(1.0) / length;
    gradient[0] = inverse * p[0];
    gradient[1] = inverse * p[1];
    gradient[2] = inverse * along;
    *distance = length - r;
    return TC_OK;
}

static tc_status grad_capsule(const tc_sdf *shape, const tc_real p[3], tc_real *derivative,
                              tc_real *work, size_t work_len)
{
    tc_real distance, gradient[3];
    const tc_status status = eval_capsule(shape, p, &distance, gradient, work, work_len);
    derivative[0] = TC_C(-1.0);
    derivative[1] = -tc_vec_magnitude(gradient[2]);
    return status;
}

static tc_status core_capsule(const tc_sdf *shape, tc_real inset, tc_convex *core)
{
    static const tc_convex segment = {.kind = TC_CONVEX_SEGMENT};
    *core = segment;
    core->half[2] = shape->size[1];
    core->radius = tc_vec_not_negative(shape->size[0] - inset);
    return inset <= shape->size[0] ? TC_OK : TC_NOTE_OVERLAP;
}

const tc_sdf_kind tc_sdf_capsule = {
    "capsule",    TC_SDF_CONTRACT_EXACT, 2,    NULL, check_capsule, eval_capsule,
    grad_capsule, core_capsule,          NULL, 1};
