/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What an impulse at a contact of a limb's last link moves (tc_mobility.h): the mover is the
 * whitened limb.
 *
 * Normals. Rows of the LCP: with (Y_n, Y_1, Y_2) = Q R, the columns of v_n and the spins about the
 * tangents, J_i = R (1, y_i, -x_i): again 3 columns, whatever the limb; R by Gram-Schmidt, so that
 * nothing is squared. Three rows below Y, sqrt(LIMB_LEAST) times the identity (scaled by the free
 * body's), keep R regular where the limb cannot move along the normal.
 *
 * What tc_learned3_close.c proves of the projection onto the cone of velocities that do not
 * approach, holds as it stands: in the limb's kinetic energy, |before + change|^2 / 2, standing
 * still is in the cone.
 *
 * Stop. Wanted: u_n = -offset of each contact, no slip of the plane below the centre of mass, no
 * spin about the normal. Orthonormalising these columns of Y one after the other gives the smallest
 * change that does it, and which of them depend on those before (less than DEPENDENT of a column is
 * left): limbs of few joints can fulfil only some, and the rest follows. The impulses of what
 * depends are 0; normals come first, so there is as little friction as can be. Twice
 * orthonormalised, for the order of rounding. The normals that go with that friction are then the
 * LCP's, if none needs to pull.
 */
#include "tc_exact.h"
#include "tc_limb3_internal.h"
#include "tc_vec.h"

#include <string.h>

#define DEPENDENT_PATCH3 (TC_C(25.0) * TC_EPSILON)

void tci_limb3_apply(void *mover, uint32_t i, const tc_real d[3])
{
    const limb3_whitened *const limb = mover;
    const tc_real *row = limb->corner[i].B;
    for (uint32_t k = 0; k < 6u; k++, row += 3) {
        limb->twist[k] += TC_MLA(TC_MLA(row[0] * d[0], row[1], d[1]), row[2], d[2]);
    }
}

/* ---- Normals --------------------------------------------------------------------------------- */

void tci_limb3_push(void *mover, const tc_real friction[3], tc_real *q)
{
    const limb3_whitened *const limb = mover;
    const tc_learned3_problem *const problem = limb->problem;
    const tc_real *const v = problem->velocity, z = -problem->height;
    for (uint32_t k = 0; k < limb->size; k++) {
        const tc_real *const Y = limb->Y + 6u * k;
        const tc_real along = TC_MLA(Y[0], z, Y[4]), across = TC_MLS(Y[1], z, Y[3]);
        limb->change[k] =
            TC_MLA(TC_MLA(along * friction[0], across, friction[1]), Y[5], friction[2]);
    }
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        const tc_real *const arm = problem->patch->arm[i];
        tc_real u = (v[2] + TC_MLS(v[3] * arm[1], v[4], arm[0])) + problem->offset[i];
        for (uint32_t k = 0; k < limb->size; k++) {
            u = TC_MLA(u, tci_limb3_normal(limb->Y + 6u * k, arm), limb->change[k]);
        }
        q[i] = u;
    }
}

void tci_limb3_lift(void *mover, const tc_real *normal)
{
    const limb3_whitened *const limb = mover;
    const tc_patch3 *const patch = limb->problem->patch;
    memcpy(limb->twist, limb->problem->velocity, sizeof limb->problem->velocity);
    for (uint32_t k = 0; k < limb->size; k++) {
        const tc_real *const Y = limb->Y + 6u * k;
        tc_real change = limb->change[k];
        for (uint32_t i = 0; i < patch->count; i++) {
            change = TC_MLA(change, tci_limb3_normal(Y, patch->arm[i]), normal[i]);
        }
        limb->change[k] = change;
        for (uint32_t j = 0; j < 6u; j++) {
            limb->twist[j] = TC_MLA(limb->twist[j], Y[j], change);
        }
    }
}

/* Friction and normals have gone into the change already. */
static tc_real work_limb(const void *mover, const tc_real friction[3], const tc_real *normal,
                         tc_real *size)
{
    const limb3_whitened *const limb = mover;
    tc_real sum = TC_C(0.0);
    (void)friction;
    (void)normal;
    *size = TC_C(0.0);
    for (uint32_t k = 0; k < limb->size; k++) {
        const tc_real d = limb->change[k], from = limb->before[k];
        sum = TC_MLA(sum, d, TC_MLA(from, TC_C(0.5), d));
        *size = TC_MLA(*size, tc_vec_magnitude(d), tc_vec_magnitude(from) + tc_vec_magnitude(d));
    }
    return sum;
}

/* ---- Columns --------------------------------------------------------------------------------- */

static tc_real dot_patch3(const tc_real *a, const tc_real *b, uint32_t n)
{
    tc_real sum = TC_C(0.0);
    for (uint32_t k = 0; k < n; k++) {
        sum = TC_MLA(sum, a[k], b[k]);
    }
    return sum;
}

/* Takes away from x[n] what it has along the `count` orthonormal rows of Q, and adds that to
 * part[count]. */
static void orthogonalise_row(const tc_real *Q, uint32_t count, uint32_t n, tc_real *x,
                              tc_real *part)
{
    for (uint32_t j = 0; j < count; j++) {
        const tc_real along = dot_patch3(Q + n * j, x, n);
        part[j] += along;
        for (uint32_t k = 0; k < n; k++) {
            x[k] = TC_MLS(x[k], along, Q[n * j + k]);
        }
    }
}

/* Workspace: three columns of size + 3. */
void tci_limb3_rows(void *mover, tc_real *J)
{
    const limb3_whitened *const limb = mover;
    const tc_learned3_problem *const problem = limb->problem;
    const uint32_t n = limb->size + 3u;
    const tc_real least = tc_sqrt(LIMB_LEAST);
    const tc_real *const K = problem->mobility;
    const tc_real scale[3] = {least, least * tc_sqrt(K[0]), least * tc_sqrt(K[2])};
    tc_real R[3][3], *const Q = limb->scratch;
    memset(R, 0, sizeof R);
    for (uint32_t j = 0; j < 3u; j++) {
        tc_real *const x = Q + n * j;
        for (uint32_t k = 0; k < limb->size; k++) {
            x[k] = limb->Y[6u * k + 2u + j];
        }
        for (uint32_t k = 0; k < 3u; k++) {
            x[limb->size + k] = k == j ? scale[j] : TC_C(0.0);
        }
        tc_real part[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
        orthogonalise_row(Q, j, n, x, part);
        orthogonalise_row(Q, j, n, x, part);
        const tc_real length = tc_sqrt(dot_patch3(x, x, n));
        for (uint32_t k = 0; k < n; k++) {
            x[k] /= length;
        }
        for (uint32_t k = 0; k < j; k++) {
            R[k][j] = part[k];
        }
        R[j][j] = length;
    }
    for (uint32_t i = 0; i < problem->patch->count; i++, J += 3) {
        const tc_real x = problem->patch->arm[i][0], y = problem->patch->arm[i][1];
        J[0] = TC_MLS(TC_MLA(R[0][0], R[0][1], y), R[0][2], x);
        J[1] = TC_MLS(R[1][1] * y, R[1][2], x);
        J[2] = -R[2][2] * x;
    }
}

/* ---- Stop ------------------------------------------------------------------------------------ */

#define MOST_PATCH3 6u /* independent columns */

/* Q (orthonormal rows), the triangle R x = b of the impulses, and which friction each column is
 * of */
typedef struct basis {
    tc_real *Q;     /* [MOST x size] */
    tc_real *R;     /* [MOST x MOST], column by column */
    tc_real *along; /* [MOST] of the change, along Q */
    uint32_t count, size;
    uint8_t friction[MOST_PATCH3]; /* 0..2, 3: a normal */
} basis;

/* Adds column x[size] that has to come to `target`, unless it depends on those before. x is Q's
 * next row. */
static void take_patch3(basis *b, tc_real target, uint32_t friction)
{
    tc_real *const x = b->Q + b->size * b->count, *const part = b->R + MOST_PATCH3 * b->count;
    const tc_real whole = dot_patch3(x, x, b->size);
    memset(part, 0, MOST_PATCH3 * sizeof *part);
    orthogonalise_row(b->Q, b->count, b->size, x, part);
    orthogonalise_row(b->Q, b->count, b->size, x, part);
    const tc_real left = dot_patch3(x, x, b->size);
    if (!(left > DEPENDENT_PATCH3 * DEPENDENT_PATCH3 * whole)) {
        return;
    }
    const tc_real length = tc_sqrt(left), scale = TC_C(1.0) / length;
    for (uint32_t k = 0; k < b->size; k++) {
        x[k] *= scale;
    }
    part[b->count] = length;
    b->along[b->count] = (target - dot_patch3(part, b->along, b->count)) * scale;
    b->friction[b->count] = (uint8_t)friction;
    b->count++;
}

static void take_normals(const limb3_whitened *limb, basis *b)
{
    const tc_learned3_problem *const problem = limb->problem;
    const tc_real *const v = problem->velocity;
    for (uint32_t i = 0; i < problem->patch->count && b->count < 3u; i++) {
        const tc_real *const arm = problem->patch->arm[i];
        const tc_real u = v[2] + TC_MLS(v[3] * arm[1], v[4], arm[0]);
        for (uint32_t k = 0; k < limb->size; k++) {
            b->Q[b->size * b->count + k] = tci_limb3_normal(limb->Y + 6u * k, arm);
        }
        take_patch3(b, -(u + problem->offset[i]), 3);
    }
}

static void take_friction(const limb3_whitened *limb, basis *b)
{
    const tc_real *const v = limb->problem->velocity, z = -limb->problem->height;
    const tc_real slip[3] = {TC_MLA(v[0], z, v[4]), TC_MLS(v[1], z, v[3]), v[5]};
    for (uint32_t j = 0; j < 3u && b->count < MOST_PATCH3; j++) {
        tc_real *const x = b->Q + b->size * b->count;
        for (uint32_t k = 0; k < limb->size; k++) {
            const tc_real *const Y = limb->Y + 6u * k;
            x[k] = j == 0u ? TC_MLA(Y[0], z, Y[4]) : j == 1u ? TC_MLS(Y[1], z, Y[3]) : Y[5];
        }
        take_patch3(b, -slip[j], j);
    }
}

/* A column more than there are directions is dependent, but has to stand somewhere: MOST + 1 rows
 * of Q. */
static int stop_limb(void *mover, uint32_t again, tc_real friction[3])
{
    const limb3_whitened *const limb = mover;
    basis b;
    tc_real x[MOST_PATCH3];
    if (again > 0u) {
        return 0;
    }
    b.Q = limb->scratch;
    b.R = b.Q + MOST_PATCH3 * limb->size;
    b.along = b.R + MOST_PATCH3 * MOST_PATCH3;
    b.count = 0;
    b.size = limb->size;
    take_normals(limb, &b);
    take_friction(limb, &b);
    friction[0] = friction[1] = friction[2] = TC_C(0.0);
    for (uint32_t i = b.count; i-- > 0u;) {
        x[i] = b.along[i];
        for (uint32_t j = i + 1u; j < b.count; j++) {
            x[i] = TC_MLS(x[i], b.R[MOST_PATCH3 * j + i], x[j]);
        }
        x[i] /= b.R[MOST_PATCH3 * i + i];
        if (b.friction[i] < 3u) {
            friction[b.friction[i]] = x[i];
        }
    }
    return 1;
}

const tc_mobility tci_limb3_mobility = {tci_limb3_apply, tci_limb3_rows, tci_limb3_push,
                                        tci_limb3_lift,  work_limb,      stop_limb};
