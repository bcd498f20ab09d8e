/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Box and cylinder, sharp or rounded: a smaller one, the core, and a ball round each of its points.
 *
 * By symmetry take |p_i|. With q_i = |p_i| - (h_i - r), the way beyond the core along each axis,
 *
 *     outside of the core  d = |m| - r, m_i = max(q_i, 0)     g_i = sign(p_i) m_i / |m|
 *     inside of it         d = max_i q_i - r                  g = sign(p_i) e_i of that axis
 *
 * The second is exact, too: from inside the core the nearest point of the surface lies straight
 * ahead in a flat face, for the core's projection on a face is the face's flat part. A cylinder is
 * the same in the plane of rho = |(x, y)| and z, with its radius and half length as h.
 *
 * Parameters. dq_i/dh_i = -1 and dq_i/dr = 1, so both cases have dd/dh_i = -|g_i| and
 * dd/dr = sum |g_i| - 1; inside the core that is 0.
 *
 * Points with d <= -s. Up to s = r the core is the same, with the radius r - s. Then it is the
 * sharp one with half edges h_i - s: inside the core d falls by one per metre along each axis.
 *
 * Ties. Of equal q_i inside the first axis counts (the cylinder: rho), and sign(0) = 1. On the
 * axis of a cylinder the direction of rho is +x.
 */
#include "tc_exact.h"
#include "tc_sdf.h"

#include "tc_sdf_internal.h"

/* ---- Box ------------------------------------------------------------------------------------- */

static tc_status check_box(const tc_sdf *shape)
{
    const tc_status status = tci_sdf_check_positive(shape->size, 3);
    return status < TC_OK ? status : tci_sdf_check_rounding(shape->size[3], shape->size, 3);
}

static inline tc_real sign_like(tc_real magnitude, tc_real x)
{
    return x < TC_C(0.0) ? -magnitude : magnitude;
}

/* Inside of the core, or on its surface */
static void eval_box_core(const tc_real p[3], const tc_real q[3], tc_real *distance,
                          tc_real gradient[3])
{
    uint32_t axis = q[1] > q[0] ? 1u : 0u;
    if (q[2] > q[axis]) axis = 2u;
    gradient[0] = gradient[1] = gradient[2] = TC_C(0.0);
    gradient[axis] = sign_like(TC_C(1.0), p[axis]);
    *distance = q[axis];
}

static tc_status eval_box(const tc_sdf *shape, const tc_real p[3], tc_real *distance,
                          tc_real gradient[3], tc_real *work, size_t work_len)
{
    (void)work, (void)work_len;
    const tc_real r = shape->size[3];
    tc_real q[3], m[3];
    if (!(tc_vec_dot3(p, p) <= TCI_SDF_FAR2)) return tci_sdf_refuse(p, distance, gradient);
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < 3u; ++i) {
        q[i] = tc_vec_magnitude(p[i]) - (shape->size[i] - r);
        m[i] = tc_vec_not_negative(q[i]);
    }
    const tc_real square = tc_vec_dot3(m, m);
    if (square < TCI_SDF_NEAR2) {
        eval_box_core(p, q, distance, gradient);
        *distance -= r;
        return TC_OK;
    }
    const tc_real length = tc_sqrt(square), inverse = TC_C(1.0) / length;
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < 3u; ++i) gradient[i] = sign_like(inverse * m[i], p[i]);
    *distance = length - r;
    return TC_OK;
}

static tc_status grad_box(const tc_sdf *shape, const tc_real p[3], tc_real *derivative,
                          tc_real *work, size_t work_len)
{
    tc_real distance, gradient[3];
    const tc_status status = eval_box(shape, p, &distance, gradient, work, work_len);
    derivative[3] = TC_C(-1.0);
    for (uint32_t i = 0; i < 3u; ++i) {
        derivative[i] = -tc_vec_magnitude(gradient[i]);
        derivative[3] -= derivative[i];
    }
    return status;
}

/* half[i] of a core, i = 0..2, of outer half edges h[i] and rounding r */
static tc_status shrink_core(const tc_real h[3], tc_real r, tc_real inset, tc_convex *core)
{
    const tc_real least = h[0] < h[1] ? h[0] : h[1], depth = least < h[2] ? least : h[2];
    const tc_real taken = tc_vec_max(r, inset < depth ? inset : depth);
    core->radius = tc_vec_not_negative(r - inset);
    for (uint32_t i = 0; i < 3u; ++i) core->half[i] = h[i] - taken;
    return inset <= depth ? TC_OK : TC_NOTE_OVERLAP;
}

static tc_status core_box(const tc_sdf *shape, tc_real inset, tc_convex *core)
{
    static const tc_convex box = {.kind = TC_CONVEX_BOX};
    *core = box;
    return shrink_core(shape->size, shape->size[3], inset, core);
}

const tc_sdf_kind tc_sdf_box = {
    "box", TC_SDF_CONTRACT_EXACT, 4, NULL, check_box, eval_box, grad_box, core_box, NULL, 1};

/* ---- Cylinder -------------------------------------------------------------------------------- */

static tc_status check_cylinder(const tc_sdf *shape)
{
    const tc_status status = tci_sdf_check_positive(shape->size, 2);
    return status < TC_OK ? status : tci_sdf_check_rounding(shape->size[2], shape->size, 2);
}

/* Distance beyond the core, and gradient {g_rho, |g_z|} in the plane */
static tc_real eval_profile(tc_real across, tc_real along, tc_real g[2])
{
    const tc_real m0 = tc_vec_not_negative(across), m1 = tc_vec_not_negative(along);
    const tc_real square = TC_MLA(m0 * m0, m1, m1);
    if (square < TCI_SDF_NEAR2) {
        const int flat = along > across;
        g[0] = flat ? TC_C(0.0) : TC_C(1.0);
        g[1] = flat ? TC_C(1.0) : TC_C(0.0);
        return flat ? along : across;
    }
    const tc_real length = tc_sqrt(square), inverse = TC_C(1.0) / length;
    g[0] = inverse * m0;
    g[1] = inverse * m1;
    return length;
}

static tc_status eval_cylinder(const tc_sdf *shape, const tc_real p[3], tc_real *distance,
                               tc_real gradient[3], tc_real *work, size_t work_len)
{
    (void)work, (void)work_len;
    const tc_real rounding = shape->size[2];
    const tc_real square = TC_MLA(p[0] * p[0], p[1], p[1]);
    tc_real rho = TC_C(0.0), x = TC_C(1.0), y = TC_C(0.0), g[2];
    if (!(TC_MLA(square, p[2], p[2]) <= TCI_SDF_FAR2)) return tci_sdf_refuse(p, distance, gradient);
    if (square >= TCI_SDF_NEAR2) {
        rho = tc_sqrt(square);
        const tc_real inverse = TC_C(1.0) / rho;
        x = inverse * p[0];
        y = inverse * p[1];
    }
    const tc_real across = rho - (shape->size[0] - rounding);
    const tc_real along = tc_vec_magnitude(p[2]) - (shape->size[1] - rounding);
    *distance = eval_profile(across, along, g) - rounding;
    gradient[0] = g[0] * x;
    gradient[1] = g[0] * y;
    gradient[2] = sign_like(g[1], p[2]);
    return TC_OK;
}

/* g_rho is known from |g| = 1 only to the root of a rounding: it is the gradient's part along
 * (x, y), which is not negative. */
static tc_status grad_cylinder(const tc_sdf *shape, const tc_real p[3], tc_real *derivative,
                               tc_real *work, size_t work_len)
{
    tc_real distance, gradient[3];
    const tc_status status = eval_cylinder(shape, p, &distance, gradient, work, work_len);
    derivative[0] = -tc_sqrt(TC_MLA(gradient[0] * gradient[0], gradient[1], gradient[1]));
    derivative[1] = -tc_vec_magnitude(gradient[2]);
    derivative[2] = TC_C(-1.0) - derivative[0] - derivative[1];
    return status;
}

static tc_status core_cylinder(const tc_sdf *shape, tc_real inset, tc_convex *core)
{
    static const tc_convex cylinder = {.kind = TC_CONVEX_CYLINDER};
    const tc_real h[3] = {shape->size[0], shape->size[0], shape->size[1]};
    *core = cylinder;
    return shrink_core(h, shape->size[2], inset, core);
}

const tc_sdf_kind tc_sdf_cylinder = {
    "cylinder",    TC_SDF_CONTRACT_EXACT, 3,    NULL, check_cylinder, eval_cylinder,
    grad_cylinder, core_cylinder,         NULL, 1};
