/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The end of Algorithm 1 for a spatial patch: friction is given, the normals follow, no energy is
 * created.
 *
 * Normals. The frictionless LCP over all contacts, u_n after friction and offsets as right-hand
 * side (line 10). All normals are parallel, so that a contact acts on v_n and, by its arm, on the
 * spin about the tangents alone: the mover's rows J have 3 columns, of which four corners are
 * dependent; the LCP's solver takes J for that (by its inner door, which spares some stack).
 *
 * What holds whatever the friction f is. K is the convex set of velocities with u_n + offset >= 0,
 * <,> the inner product of the mass matrix. The velocity afterwards is v+ = P_K(v0 + lambda M^-1
 * J_t^T f), the projection onto K (Moreau); so no normal pulls, none acts on a contact that leaves,
 * no corner approaches: that is the LCP.
 *
 * Energy. Let E(lambda) = |v+|^2 / 2.
 *   E(0) <= E(v0): where no offset is negative, 0 is in K, <v0 - v+, 0 - v+> <= 0, hence |v+|
 *   <= |v0|. Where all offsets are 0, K is a cone, and |P_K(x)|^2 / 2 is convex in x (half the
 *   squared distance to the polar cone): E is convex in lambda.
 * So if d_1 = E(1) - E(v0) > 0 >= d_0 = E(0) - E(v0), E <= E(v0) at lambda = d_0 / (d_0 - d_1) by
 * convexity. With offsets that is tried, and lambda = 0 taken if it fails. Restitution (a negative
 * offset) asks for energy, and is left alone. The change is told by the work of the impulses, dT =
 * sum p.(v0 + v+) / 2, which needs no inertia and does not cancel as the difference of two energies
 * would.
 *
 * What the LCP's solver cannot certify is solved by trying every working set
 * (tc_learned3_normals.c), which takes its answers from no guess. Should that one, too, violate the
 * conditions by more than rounding, friction and restitution are left out, and the best normals
 * against the velocity as it was are taken: an inelastic stop. It pulls nowhere and creates no
 * energy, for that holds of any answer of that file; contacts approach by as little as any working
 * set leaves. A push-out that cannot be certified is left out.
 */
#include "tc_exact.h"
#include "tc_learned3_core.h"
#include "tc_lcp.h"
#include "tc_work.h"

#include <string.h>

#define GAIN (TC_C(16.0) * TC_EPSILON) /* of the terms of dT: rounding */

tc_status tc_learned3_carry(learned3_solve *solve, const tc_real friction[3])
{
    const uint32_t count = solve->problem->patch->count;
    tc_lcp_info info;
    solve->mobility->push(solve->mover, friction, solve->q);
    if (solve->problem->soft != NULL) {
        const tc_status status = tc_learned3_yielding(solve, 1);
        solve->mobility->lift(solve->mover, solve->z);
        return status;
    }
    const tc_lcp lcp = {count, TC_LCP_SEMIDEFINITE, NULL, solve->q, solve->J, 3u, solve->active};
    tc_status status =
        tc_lcp_from_rows(&lcp, solve->z, solve->w, &info, solve->lcp_work, TC_LCP_WORK(count));
    if (tc_lcp_certified(status)) {
        status = TC_OK;
        solve->active = (uint32_t)info.active;
    } else {
        status = tc_learned3_normals(count, solve->J, solve->q, solve->z, solve->w);
    }
    solve->mobility->lift(solve->mover, solve->z);
    return status;
}

void tc_learned3_impulse_of(const tc_learned3_problem *problem, const tc_real friction[3],
                            const tc_real *normal, tc_real impulse[6])
{
    const tc_real z = -problem->height;
    impulse[0] = friction[0];
    impulse[1] = friction[1];
    impulse[2] = TC_C(0.0);
    impulse[3] = -z * friction[1];
    impulse[4] = z * friction[0];
    impulse[5] = friction[2];
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        impulse[2] += normal[i];
        impulse[3] = TC_MLA(impulse[3], normal[i], problem->patch->arm[i][1]);
        impulse[4] = TC_MLS(impulse[4], normal[i], problem->patch->arm[i][0]);
    }
}

/* dT of this friction and solve->z, per unit mass; *size: its terms */
static LEARNED3_APART tc_real work_done(const learned3_solve *solve, const tc_real friction[3],
                                        tc_real *size)
{
    const tc_real kinetic = solve->mobility->work(solve->mover, friction, solve->z, size);
    return solve->problem->soft == NULL ? kinetic : kinetic + tc_learned3_stored(solve);
}

/* No offset asks for energy: a spring's is in the work. */
static int none_negative(const tc_learned3_problem *problem)
{
    int all = 1;
    if (problem->soft != NULL) {
        return 1;
    }
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        all &= problem->offset[i] >= TC_C(0.0);
    }
    return all;
}

static tc_status carry_share(learned3_solve *solve, tc_real share, tc_real friction[3])
{
    for (uint32_t k = 0; k < 3u; k++) {
        friction[k] *= share;
    }
    return tc_learned3_carry(solve, friction);
}

static const tc_real no_friction[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};

/* Friction that gains `gain` is cut. */
static tc_status restrain_friction(learned3_solve *solve, tc_real gain, tc_real friction[3])
{
    tc_real size;
    tc_status status = tc_learned3_carry(solve, no_friction);
    const tc_real loss = work_done(solve, no_friction, &size);
    if (status != TC_OK || !(loss < TC_C(0.0))) {
        friction[0] = friction[1] = friction[2] = TC_C(0.0);
        return status;
    }
    status = carry_share(solve, loss / (loss - gain), friction);
    if (status != TC_OK || work_done(solve, friction, &size) > GAIN * size) {
        status = carry_share(solve, TC_C(0.0), friction);
    }
    return status;
}

/* The inelastic stop without friction */
static LEARNED3_APART tc_status stop_inelastic(learned3_solve *solve, tc_real friction[3],
                                               uint32_t *flags)
{
    const tc_learned3_problem *const problem = solve->problem;
    *flags |= (uint32_t)TC_LEARNED_FALLBACK;
    friction[0] = friction[1] = friction[2] = TC_C(0.0);
    if (problem->soft != NULL) { /* what no working set certifies is near to it all the same */
        (void)tc_learned3_carry(solve, friction);
        return TC_NOTE_FALLBACK;
    }
    solve->mobility->push(solve->mover, no_friction, solve->q);
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        solve->q[i] -= problem->offset[i] < TC_C(0.0) ? problem->offset[i] : TC_C(0.0);
    }
    (void)tc_learned3_normals(problem->patch->count, solve->J, solve->q, solve->z, solve->w);
    solve->mobility->lift(solve->mover, solve->z);
    return TC_NOTE_FALLBACK;
}

/* The friction of the corners, and the set of those that press */
static void gather_friction(learned3_solve *solve, tc_real friction[3])
{
    const tc_learned3_problem *const problem = solve->problem;
    friction[0] = friction[1] = friction[2] = TC_C(0.0);
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        const tc_real *const p = solve->corner[i].p;
        friction[0] += p[0];
        friction[1] += p[1];
        friction[2] += TC_MLS(problem->patch->arm[i][0] * p[1], problem->patch->arm[i][1], p[0]);
        solve->active |= p[2] > TC_C(0.0) ? 1u << i : 0u;
    }
}

void tc_learned3_share(learned3_solve *solve)
{
    tc_real friction[3];
    gather_friction(solve, friction);
    solve->mobility->push(solve->mover, friction, solve->q);
    (void)tc_learned3_yielding(solve, 0);
    solve->mobility->lift(solve->mover, solve->z);
    for (uint32_t i = 0; i < solve->problem->patch->count; i++) {
        solve->corner[i].p[2] = solve->z[i];
    }
}

tc_status tc_learned3_close(learned3_solve *solve, tc_real friction[3], uint32_t *flags)
{
    const tc_learned3_problem *const problem = solve->problem;
    tc_real size;
    gather_friction(solve, friction);
    tc_status status = tc_learned3_carry(solve, friction);
    const tc_real gain = work_done(solve, friction, &size);
    if (status == TC_OK && gain > GAIN * size && none_negative(problem)) {
        *flags |= (uint32_t)TC_LEARNED_CLAMPED;
        status = restrain_friction(solve, gain, friction);
    }
    return status == TC_OK ? status : stop_inelastic(solve, friction, flags);
}

/* tc_calls: tc_learned3_carry lib/learned/tc_learned3_body.c:push_body tci_limb3_push */
/* tc_calls: tc_learned3_carry lib/learned/tc_learned3_body.c:lift_body tci_limb3_lift */
/* tc_calls: tc_learned3_share lib/learned/tc_learned3_body.c:push_body */
/* tc_calls: tc_learned3_share lib/learned/tc_learned3_body.c:lift_body */
/* tc_calls: stop_inelastic lib/learned/tc_learned3_body.c:push_body tci_limb3_push */
/* tc_calls: stop_inelastic lib/learned/tc_learned3_body.c:lift_body tci_limb3_lift */
/* tc_calls: work_done lib/learned/tc_learned3_body.c:work_body */
/* tc_calls: work_done lib/step/tc_limb3_patch.c:work_limb */
