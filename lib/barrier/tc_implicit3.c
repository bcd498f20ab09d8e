/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Space as a scene's space.
 *
 * Inertia of a body per material point. With the second moments S = diag(sum I / 2 - I_i) in the
 * body's axes and ^ = 2 now - before (+ h^2 gravity), the points' distances from where they coast
 * give
 *
 *     m |c - c^|^2 / (2 h^2) + tr((R - R^) S (R - R^)^T) / (2 h^2)
 *
 * Every term in a rotation is, up to a constant, E = -<G, R> for a matrix G that does not depend
 * on R: here G = R^ S / h^2. With N = G R^T the chart's derivatives are
 *
 *     gradient_k = sum_ij e_ijk N_ij,   hessian = tr(N) 1 - (N + N^T) / 2
 *
 * and where G moves as [x] G_x, the mixed derivatives by (theta, x) are -(tr(M) 1 - M^T), M = R G_x^T.
 * Only G's difference from a multiple of R gives a gradient: it is formed from differences of
 * rotations, which keeps small angles precise.
 *
 * Drive and damping of a quaternion, R relative to the parent:
 *     target R*, stiffness k       k / 4 |R - R*|^2          G = k / 2 R*
 *     damping d                    d / (4 h) |R - R_now|^2   G = d / (2 h) R_now
 *     torque                       G = [torque] R_now / 2
 */
#include "tc_exact.h"
#include "tc_implicit3.h"
#include "tc_implicit_internal.h"

#include "tc_barrier3_internal.h"

#include <string.h>

enum { PLACE = 9 }; /* of the position in a pose */

static void add_vectors(const tc_real a[3], const tc_real b[3], tc_real c[3])
{
    for (uint32_t i = 0; i < 3u; ++i) c[i] = a[i] + b[i];
}

/* ---- Kinematics ------------------------------------------------------------------------------ */

static void axes_of_free3(const tc_real *at, tc_real *axes)
{
    memset(axes, 0, 36u * sizeof *axes);
    for (uint32_t i = 0; i < 3u; ++i) {
        axes[6u * i + i] = TC_C(1.0);
        axes[6u * (3u + i) + i] = TC_C(1.0);
        memcpy(axes + 6u * (3u + i) + 3u, at + PLACE, 3u * sizeof *axes);
    }
}

/* The rotation of a joint at its coordinates */
static void turn_joint(const tc_implicit_body *body, const tc_real *q, tc_real R[9])
{
    tc_real turned[4] = {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    if (body->joint == TC_IMPLICIT_BALL) memcpy(turned, q, sizeof turned);
    if (body->joint == TC_IMPLICIT_HINGE) {
        tc_real sine;
        tc_sincos_core(TC_C(0.5) * q[0], &sine, &turned[0]);
        for (uint32_t i = 0; i < 3u; ++i) turned[i + 1u] = sine * body->axis[i];
    }
    tc_vec_rotation(turned, R);
}

/* Directions and origins of a joint in world axes */
static void axes_of_joint(const tc_implicit_body *body, const tc_real *parent, const tc_real *along,
                          const tc_real *joint, tc_real *axes)
{
    const uint32_t freedoms = body->joint == TC_IMPLICIT_BALL ? 3u : 1u;
    if (body->joint == TC_IMPLICIT_WELD) return;
    for (uint32_t i = 0; i < freedoms; ++i, axes += 6) {
        for (uint32_t k = 0; k < 3u; ++k) {
            axes[k] = body->joint == TC_IMPLICIT_BALL ? parent[3u * k + i] : along[k];
            axes[3u + k] = joint[k];
        }
    }
}

static void place_held3(const tc_implicit_body *body, const tc_real *parent, const tc_real *q,
                        tc_real *at, tc_real *axes)
{
    tc_real joint[3], along[3], own[3], R[9], held[9], rest[9];
    tc_mat3_vec(parent, body->anchor_at, joint);
    tc_mat3_vec(parent, body->axis, along);
    add_vectors(joint, parent + PLACE, joint);
    if (axes != NULL) axes_of_joint(body, parent, along, joint, axes);
    if (body->joint == TC_IMPLICIT_SLIDE) {
        for (uint32_t k = 0; k < 3u; ++k) joint[k] = TC_MLA(joint[k], along[k], q[0]);
    }
    turn_joint(body, q, R);
    tc_mat3_mul(parent, R, held);
    const tc_real none[4] = {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    const int straight =
        tc_vec_dot3(body->rest + 1, body->rest + 1) + body->rest[0] * body->rest[0] == TC_C(0.0);
    tc_vec_rotation(straight ? none : body->rest, rest);
    tc_mat3_mul(held, rest, at);
    tc_mat3_vec(at, body->anchor, own);
    for (uint32_t k = 0; k < 3u; ++k) at[PLACE + k] = joint[k] - own[k];
}

static void place_space(const tc_implicit_scene *scene, const tc_real *q, tc_real *at,
                        tc_real *axes)
{
    static const tc_real world[12] = {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0),
                                      TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0),
                                      TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    for (uint32_t b = 0; b < scene->bodies; ++b) {
        const tc_implicit_body *const body = &scene->body[b];
        tc_real *const pose = at + 12u * b;
        if (tci_implicit_is_free(body)) {
            tc_vec_rotation(q + 3, pose);
            memcpy(pose + PLACE, q, 3u * sizeof *q);
            if (axes != NULL) axes_of_free3(pose, axes);
        } else {
            const tc_real *const parent =
                body->parent == TC_IMPLICIT_WORLD ? world : at + 12u * body->parent;
            place_held3(body, parent, q, pose, axes);
        }
        q += scene->space->coordinates[body->joint];
        if (axes != NULL) axes += 6u * scene->space->freedoms[body->joint];
    }
}

static void column_space(const tc_real *axis, int turns, const tc_real *at, tc_real *column)
{
    if (!turns) {
        memcpy(column, axis, 3u * sizeof *column);
        memset(column + 3, 0, 3u * sizeof *column);
        return;
    }
    const tc_real arm[3] = {at[PLACE] - axis[3], at[PLACE + 1] - axis[4], at[PLACE + 2] - axis[5]};
    tc_vec_cross(axis, arm, column);
    memcpy(column + 3, axis, 3u * sizeof *column);
}

/* Different joints: a x (b x r), a x b / 2. The same: half of a x (b x r) + b x (a x r). */
static tc_real curve_space(const tc_real *axis, const tc_real *behind, int turns, int same,
                           const tc_real *at, const tc_real *g)
{
    tc_real inner[3], outer[3];
    if (!turns) {
        tc_vec_cross(axis, behind, outer);
        return tc_vec_dot3(g, outer);
    }
    const tc_real arm[3] = {at[PLACE] - behind[3], at[PLACE + 1] - behind[4],
                            at[PLACE + 2] - behind[5]};
    tc_vec_cross(behind, arm, inner);
    tc_vec_cross(axis, inner, outer);
    const tc_real ahead = tc_vec_dot3(g, outer);
    if (same) {
        tc_vec_cross(axis, arm, inner);
        tc_vec_cross(behind, inner, outer);
        return TC_C(0.5) * (ahead + tc_vec_dot3(g, outer));
    }
    tc_vec_cross(axis, behind, outer);
    return TC_MLA(ahead, TC_C(0.5), tc_vec_dot3(g + 3, outer));
}

/* ---- Rotations ------------------------------------------------------------------------------- */

/* N += weight A B^T */
static void add_product_t(tc_real weight, const tc_real A[9], const tc_real B[9], tc_real N[9])
{
    for (uint32_t i = 0; i < 3u; ++i) {
        for (uint32_t j = 0; j < 3u; ++j) {
            N[3u * i + j] = TC_MLA(N[3u * i + j], weight, tc_vec_dot3(A + 3u * i, B + 3u * j));
        }
    }
}

/* A rotation's gradient from the part of N that is not known to be symmetric, and the hessian from
 * N; added to elements first.. of a packed matrix of the chart */
static void add_turning(const tc_real skew[9], const tc_real N[9], tc_real *gradient,
                        tc_real *hessian, uint32_t first)
{
    const tc_real trace = N[0] + N[4] + N[8];
    gradient[0] += skew[5] - skew[7];
    gradient[1] += skew[6] - skew[2];
    gradient[2] += skew[1] - skew[3];
    for (uint32_t i = 0; i < 3u; ++i) {
        tc_real *const row = hessian + TCI_IMPLICIT_PACKED(first + i) + first;
        for (uint32_t j = 0; j < i; ++j) row[j] -= TC_C(0.5) * (N[3u * i + j] + N[3u * j + i]);
        row[i] += trace - N[4u * i];
    }
}

/* x += weight (tr(M) y - M y): -C^T y of G = weight [x] G_x, M = R G_x^T */
static void pull_turning(tc_real weight, const tc_real M[9], const tc_real y[3], tc_real x[3])
{
    const tc_real trace = M[0] + M[4] + M[8];
    for (uint32_t i = 0; i < 3u; ++i) {
        x[i] = TC_MLA(x[i], weight, trace * y[i] - tc_vec_dot3(M + 3u * i, y));
    }
}

/* ---- Inertia --------------------------------------------------------------------------------- */

static void aim_space(const tc_implicit_scene *scene, const tc_real *now, const tc_real *before,
                      tc_real *coast)
{
    const tc_real h2 = scene->step * scene->step;
    for (uint32_t b = 0; b < scene->bodies; ++b, now += 12, before += 12, coast += 12) {
        for (uint32_t i = 0; i < 12u; ++i) coast[i] = now[i] + (now[i] - before[i]);
        for (uint32_t i = 0; i < 3u; ++i) coast[PLACE + i] += h2 * scene->gravity[i];
    }
}

/* Second moments, per h^2 */
static void second_moments(const tc_implicit_scene *scene, const tc_implicit_body *body,
                           tc_real S[3])
{
    const tc_real per = TC_C(1.0) / (scene->step * scene->step);
    const tc_real half = TC_C(0.5) * (body->inertia[0] + body->inertia[1] + body->inertia[2]);
    for (uint32_t i = 0; i < 3u; ++i) S[i] = per * (half - body->inertia[i]);
}

static tc_real carry_space(const tc_implicit_scene *scene, const tc_implicit_body *body,
                           const tc_real *coast, const tc_real *now, const tc_real *at,
                           tc_real *gradient, tc_real *hessian)
{
    const tc_real m = body->mass / (scene->step * scene->step);
    tc_real S[3], off[12], spread[9], skew[9], N[9];
    (void)now;
    second_moments(scene, body, S);
    for (uint32_t i = 0; i < 12u; ++i) off[i] = at[i] - coast[i];
    for (uint32_t i = 0; i < 9u; ++i) spread[i] = off[i] * S[i % 3u];
    const tc_real turned = tc_vec_dot3(off, spread) + tc_vec_dot3(off + 3, spread + 3)
                           + tc_vec_dot3(off + 6, spread + 6);
    if (gradient != NULL) {
        memset(skew, 0, sizeof skew);
        add_product_t(TC_C(-1.0), spread, at, skew);
        memcpy(N, skew, sizeof N);
        for (uint32_t i = 0; i < 9u; ++i) spread[i] = at[i] * S[i % 3u];
        add_product_t(TC_C(1.0), spread, at, N);
        add_turning(skew, N, gradient + 3, hessian, 3u);
        for (uint32_t i = 0; i < 3u; ++i) {
            gradient[i] = TC_MLA(gradient[i], m, off[PLACE + i]);
            hessian[TCI_IMPLICIT_PACKED(i) + i] += m;
        }
    }
    return TC_C(0.5) * TC_MLA(turned, m, tc_vec_dot3(off + PLACE, off + PLACE));
}

static void carry_back_space(const tc_implicit_scene *scene, const tc_implicit_body *body,
                             const tc_real *before, const tc_real *now, const tc_real *at,
                             const tc_real *y, tc_real *chart_now, tc_real *chart_before)
{
    const tc_real m = body->mass / (scene->step * scene->step);
    tc_real S[3], spread[9], M[9];
    second_moments(scene, body, S);
    for (uint32_t i = 0; i < 9u; ++i) spread[i] = at[i] * S[i % 3u];
    for (uint32_t i = 0; i < 3u; ++i) {
        const tc_real push = m * y[i];
        chart_now[i] += push + push;
        chart_before[i] -= push;
    }
    memset(M, 0, sizeof M);
    add_product_t(TC_C(2.0), spread, now, M);
    pull_turning(TC_C(1.0), M, y + 3, chart_now + 3);
    memset(M, 0, sizeof M);
    add_product_t(TC_C(1.0), spread, before, M);
    pull_turning(TC_C(-1.0), M, y + 3, chart_before + 3);
}

/* ---- Drive and damping of quaternions -------------------------------------------------------- */

/* What drives a quaternion: freedoms of a rotation with controls, in order, else 0 */
static void read_controls(const tc_implicit_scene *scene, const tc_implicit_body *body,
                          const tc_real *control, tc_real u[3])
{
    const uint32_t first = scene->space->scalars[body->joint];
    uint32_t next = 0;
    for (uint32_t i = 0; i < first; ++i) next += body->driven >> i & 1u;
    for (uint32_t i = 0; i < 3u; ++i) {
        const int driven = body->drive != TC_IMPLICIT_NONE && (body->driven >> (first + i) & 1u);
        u[i] = driven ? control[next++] : TC_C(0.0);
    }
}

/* Whether any freedom of the rotation is driven */
static int turns_driven(const tc_implicit_scene *scene, const tc_implicit_body *body)
{
    return body->driven >> scene->space->scalars[body->joint] & 7u ? 1 : 0;
}

/* R of exp([u]) */
static void turn_vector(const tc_real u[3], tc_real R[9])
{
    tc_real q[4] = {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    tc_vec_quaternion_turn(TC_C(1.0), u, q);
    tc_vec_rotation(q, R);
}

/* Terms weight / 2 |R - to|^2: the value; derivatives to skew and N */
static tc_real pull_towards(tc_real weight, const tc_real to[9], const tc_real R[9],
                            tc_real skew[9], tc_real N[9])
{
    tc_real off[9];
    for (uint32_t i = 0; i < 9u; ++i) off[i] = to[i] - R[i];
    add_product_t(weight, off, R, skew);
    add_product_t(weight, to, R, N);
    return TC_C(0.5) * weight
           * (tc_vec_dot3(off, off) + tc_vec_dot3(off + 3, off + 3)
              + tc_vec_dot3(off + 6, off + 6));
}

/* [u] R / 2 */
static void torque_matrix(const tc_real u[3], const tc_real R[9], tc_real G[9])
{
    for (uint32_t j = 0; j < 3u; ++j) {
        G[j] = TC_C(0.5) * (u[1] * R[6u + j] - u[2] * R[3u + j]);
        G[3u + j] = TC_C(0.5) * (u[2] * R[j] - u[0] * R[6u + j]);
        G[6u + j] = TC_C(0.5) * (u[0] * R[3u + j] - u[1] * R[j]);
    }
}

/* now, q: the quaternions */
static tc_real swing_space(const tc_implicit_scene *scene, const tc_implicit_body *body,
                           const tc_real *control, const tc_real *now, const tc_real *q,
                           tc_real *gradient, tc_real *hessian)
{
    const tc_real damping = TC_C(0.5) * body->damping[1] / scene->step;
    const int driven = turns_driven(scene, body);
    tc_real R[9], R_now[9], G[9], u[3], skew[9] = {TC_C(0.0)}, N[9] = {TC_C(0.0)};
    tc_real value = TC_C(0.0);
    tc_vec_rotation(q, R);
    tc_vec_rotation(now, R_now);
    if (damping > TC_C(0.0)) value += pull_towards(damping, R_now, R, skew, N);
    read_controls(scene, body, control, u);
    if (driven && body->drive == TC_IMPLICIT_SERVO) {
        turn_vector(u, G);
        value += pull_towards(TC_C(0.5) * body->stiffness[1], G, R, skew, N);
    }
    if (driven && body->drive == TC_IMPLICIT_FORCE) {
        torque_matrix(u, R_now, G);
        add_product_t(TC_C(1.0), G, R, skew);
        add_product_t(TC_C(1.0), G, R, N);
        for (uint32_t i = 0; i < 9u; ++i) value -= G[i] * (R[i] - R_now[i]);
    }
    if (gradient != NULL) add_turning(skew, N, gradient, hessian, 0);
    return value;
}

/* x = J^T y with exp([u + J^-1.. du]): the left Jacobian of exp at u, transposed:
 * J = 1 + b [u] + c [u]^2, b = (1 - cos a) / a^2, c = (a - sin a) / a^3, a = |u| */
static void jacobian_t(const tc_real u[3], const tc_real y[3], tc_real x[3])
{
    const tc_real square = tc_vec_dot3(u, u);
    tc_real once[3], twice[3], cosine, sinc;
    tc_vec_half_turn(TC_C(0.25) * square, &cosine, &sinc);
    const tc_real b = TC_C(0.5) * sinc * sinc;
    /* sin a / a = cos(a/2) sinc(a/2) */
    const tc_real c =
        square < TC_C(1e-3)
            ? TC_C(0.16666666666666667)
                  - square * (TC_C(0.0083333333333333333) - square * TC_C(0.0001984126984126984))
            : (TC_C(1.0) - cosine * sinc) / square;
    tc_vec_cross(y, u, once); /* [u]^T y */
    tc_vec_cross(once, u, twice);
    for (uint32_t i = 0; i < 3u; ++i) x[i] = TC_MLA(TC_MLA(y[i], b, once[i]), c, twice[i]);
}

/* -C^T y of a servo to its controls u, as three numbers */
static void servo_back(const tc_implicit_body *body, const tc_real R[9], const tc_real u[3],
                       const tc_real *y, tc_real to[3])
{
    tc_real target[9], M[9] = {TC_C(0.0)}, chart[3] = {TC_C(0.0)};
    turn_vector(u, target);
    add_product_t(TC_C(0.5) * body->stiffness[1], R, target, M);
    pull_turning(TC_C(1.0), M, y, chart);
    jacobian_t(u, chart, to);
}

/* -C^T y of a torque to its controls (G = [e_k] R_now / 2), and to the pose now, where
 * G = [u] [x] R_now / 2 */
static void torque_back(const tc_real R[9], const tc_real R_now[9], const tc_real u[3],
                        const tc_real *y, tc_real to[3], tc_real *pull_now)
{
    tc_real Q[9] = {TC_C(0.0)}, P[9], row[3];
    add_product_t(TC_C(1.0), R, R_now, Q);
    const tc_real trace = Q[0] + Q[4] + Q[8];
    /* <[e_k] R_now, [y] R> / 2 = (trace y_k - (Q y)_k) / 2 */
    for (uint32_t k = 0; k < 3u; ++k) {
        to[k] = TC_C(0.5) * (trace * y[k] - tc_vec_dot3(Q + 3u * k, y));
    }
    /* <[u] [e_k] R_now, [y] R> / 2 = <[e_k], P> / 2, P = [u]^T [y] Q = (<u, y> 1 - y u^T) Q */
    const tc_real inner = tc_vec_dot3(u, y);
    tc_mat3_vec_t(Q, u, row);
    for (uint32_t i = 0; i < 9u; ++i) P[i] = inner * Q[i] - y[i / 3u] * row[i % 3u];
    pull_now[0] += TC_C(0.5) * (P[7] - P[5]);
    pull_now[1] += TC_C(0.5) * (P[2] - P[6]);
    pull_now[2] += TC_C(0.5) * (P[3] - P[1]);
}

static void swing_back_space(const tc_implicit_scene *scene, const tc_implicit_body *body,
                             const tc_real *control, const tc_real *now, const tc_real *q,
                             const tc_real *y, tc_real *pull_now, tc_real *pull_control)
{
    const uint32_t first = scene->space->scalars[body->joint];
    const tc_real damping = TC_C(0.5) * body->damping[1] / scene->step;
    tc_real R[9], R_now[9], u[3], M[9] = {TC_C(0.0)}, to[3] = {TC_C(0.0)};
    uint32_t next = 0;
    tc_vec_rotation(q, R);
    tc_vec_rotation(now, R_now);
    add_product_t(damping, R, R_now, M);
    pull_turning(TC_C(1.0), M, y, pull_now);
    if (body->drive == TC_IMPLICIT_NONE || !turns_driven(scene, body)) return;
    read_controls(scene, body, control, u);
    if (body->drive == TC_IMPLICIT_SERVO) servo_back(body, R, u, y, to);
    if (body->drive == TC_IMPLICIT_FORCE) torque_back(R, R_now, u, y, to, pull_now);
    for (uint32_t i = 0; i < first; ++i) next += body->driven >> i & 1u;
    for (uint32_t i = 0; i < 3u; ++i) {
        if (body->driven >> (first + i) & 1u) pull_control[next++] += to[i];
    }
}

/* ---- Barriers -------------------------------------------------------------------------------- */

static const tc_convex_pose *pose_of3(const tc_real *at)
{
    return (const tc_convex_pose *)(const void *)at;
}

static void view_pair3(const tc_implicit_scene *scene, uint32_t pair, const tc_real *at,
                       tci_barrier_view *view)
{
    const tc_implicit_piece *const a = &scene->piece[scene->pair[pair].a];
    const tc_implicit_piece *const b = &scene->piece[scene->pair[pair].b];
    tci_barrier3_look(view, &a->set, pose_of3(at + 12u * a->body), &b->set,
                      pose_of3(at + 12u * b->body));
}

static int look_pair3(const tc_implicit_scene *scene, uint32_t pair, const tc_real *at,
                      const tc_real *plane, tci_barrier_state *state, tc_real clear[2])
{
    const tc_barrier3_plane start = {{plane[0], plane[1], plane[2]}, plane[3]};
    tci_barrier_view view;
    if (!tci_barrier3_open(&start, state)) return 0;
    view_pair3(scene, pair, at, &view);
    tci_barrier3_gather(&view, state);
    const tc_real length = tc_sqrt(tc_vec_dot3(plane, plane));
    for (uint32_t i = 0; i < 2u; ++i) clear[i] = length * state->sums[i].least;
    if (!(clear[0] > TC_C(0.0)) || !(clear[1] > TC_C(0.0))) return 0;
    (void)tci_barrier_settle(&view, state, TCI_BARRIER_ROUGH, tci_barrier3_gather, 3);
    return 1;
}

/* By how much less than Q the best plane's is, nearly; of a plane that separates, with centred sums */
static tc_real excess_of_space(const tci_barrier_view *view, const tci_barrier_state *state)
{
    tci_barrier_step step;
    tci_barrier_newton(view, state, &step, 3);
    return TC_C(0.5) * step.decrement;
}

/* The state becomes that of the best plane, or of one that is as near to it as `share` says; *excess
 * is what is left. share < 0: the state has no plane yet. */
static tc_status seek_space(const tci_barrier_view *view, tc_real share, tci_barrier_state *state,
                            tci_barrier_state *spare, tc_real *excess)
{
    tci_barrier_state *states[2] = {state, spare};
    uint32_t newton;
    const int known = share >= TC_C(0.0);
    *excess = known ? excess_of_space(view, state) : TC_C(0.0);
    if (known && *excess <= share * tci_barrier_total(state)) return TC_OK;
    const tc_real enough = share > TC_EPSILON ? TC_C(2.0) * share : TC_C(-1.0);
    const tc_status status = tci_barrier3_search(view, known ? 2 : 0, states, enough, &newton);
    if (status < TC_OK) return status;
    if (states[0] != state) *state = *states[0];
    (void)tci_barrier_centre(state, 3);
    *excess = enough > TC_C(0.0) ? excess_of_space(view, state) : TC_C(0.0);
    return status;
}

static tc_status solve_space(const tc_implicit_scene *scene, uint32_t pair, const tc_real *at,
                             tc_real share, tci_barrier_state *state, tci_barrier_state *spare,
                             tci_implicit_found *found)
{
    tci_barrier_view view;
    tci_barrier_weight weight;
    view_pair3(scene, pair, at, &view);
    const tc_status status = seek_space(&view, share, state, spare, &found->excess);
    if (status < TC_OK) return status;
    tci_barrier_weigh(&scene->barrier, tci_barrier_total(state) - found->excess, &weight);
    found->excess /= tci_barrier_total(state);
    found->value = weight.value;
    found->gap = state->sums[0].least + state->sums[1].least;
    for (uint32_t i = 0; i < 3u; ++i) found->plane[i] = weight.length * state->frame[i];
    for (uint32_t i = 0; i < 2u; ++i) found->clear[i] = weight.length * state->sums[i].least;
    found->plane[3] = weight.length * state->offset;
    return status;
}

static void derive_space(const tc_implicit_scene *scene, uint32_t pair, const tc_real *at,
                         tci_barrier_state *state, const tci_barrier_result *result)
{
    tci_barrier_view view;
    view_pair3(scene, pair, at, &view);
    tci_barrier3_derive(&scene->barrier, &view, state, result);
}

/* Derivatives of a vertex's 1 / height: w = weight / height^2 */
static void add_height(tc_real w, tc_real u, const tc_real arm[3], const tc_real n[3],
                       tc_real *gradient, tc_real *hessian)
{
    const tc_real bend = TC_C(2.0) * w * u, lift = tc_vec_dot3(arm, n);
    tc_real row[6] = {n[0], n[1], n[2]};
    tc_real *cell = hessian;
    tc_vec_cross(arm, n, row + 3);
    for (uint32_t r = 0; r < 6u; ++r) {
        gradient[r] = TC_MLS(gradient[r], w, row[r]);
        for (uint32_t c = 0; c <= r; ++c, ++cell) *cell = TC_MLA(*cell, bend * row[r], row[c]);
    }
    /* the height's second derivative: (n arm^T + arm n^T) / 2 - <arm, n> 1 */
    for (uint32_t r = 0; r < 3u; ++r) {
        cell = hessian + TCI_IMPLICIT_PACKED(3u + r) + 3u;
        for (uint32_t c = 0; c <= r; ++c) {
            const tc_real half = TC_C(0.5) * (n[r] * arm[c] + arm[r] * n[c]);
            cell[c] -= w * (r == c ? half - lift : half);
        }
    }
}

static tc_real rise_space(const tc_implicit_scene *scene, uint32_t floor, uint32_t piece,
                          const tc_real *at, tc_real *height, tc_real *gradient, tc_real *hessian)
{
    const tc_implicit_floor *const below = &scene->floor[floor];
    const tc_implicit_piece *const above = &scene->piece[piece];
    const tc_real *const pose = at + 12u * above->body;
    const tc_real centre =
        tc_vec_dot3(pose + PLACE, below->normal) - below->offset - above->set.radius;
    tc_real sum = TC_C(0.0), least = TC_C(1e30);
    for (uint32_t i = 0; i < above->set.count; ++i) {
        tc_real arm[3];
        tc_mat3_vec(pose, above->set.vertices + 3u * i, arm);
        const tc_real high = centre + tc_vec_dot3(arm, below->normal), u = TC_C(1.0) / high;
        if (!(high >= least)) least = high;
        sum += u;
        if (gradient != NULL) {
            add_height(scene->weight * u * u, u, arm, below->normal, gradient, hessian);
        }
    }
    *height = least;
    return scene->weight * sum;
}

static void expand_space(const tc_real *at, tc_real c[3], tc_real R[9])
{
    memcpy(R, at, 9u * sizeof *R);
    memcpy(c, at + PLACE, 3u * sizeof *c);
}

const tc_implicit_space *tc_implicit3_space(void)
{
    static const tc_implicit_space space = {.dimension = 3u,
                                            .chart = 6u,
                                            .plane = 4u,
                                            .pose = 12u,
                                            .position = 9u,
                                            .target = 12u,
                                            .coordinates = {7u, 1u, 1u, 4u, 0u},
                                            .freedoms = {6u, 1u, 1u, 3u, 0u},
                                            .scalars = {3u, 1u, 1u, 0u, 0u},
                                            .supported = {1u, 1u, 1u, 1u, 1u},
                                            .place = place_space,
                                            .mark = place_space,
                                            .column = column_space,
                                            .curve = curve_space,
                                            .aim = aim_space,
                                            .carry = carry_space,
                                            .carry_back = carry_back_space,
                                            .pull = NULL,
                                            .swing = swing_space,
                                            .swing_back = swing_back_space,
                                            .look = look_pair3,
                                            .solve = solve_space,
                                            .derive = derive_space,
                                            .rise = rise_space,
                                            .expand = expand_space};
    return &space;
}
