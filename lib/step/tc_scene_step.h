/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One step of a scene: smooth motion over h, then its contacts in two phases (tc_impact.h).
 *
 *     static tc_real work[...];                        // tc_scene_step_work(&scene) numbers
 *     tc_scene_step_config config = tc_scene_step_default();
 *     config.h = 0.002f;
 *     tc_status s = tc_scene_step(&scene, &config, q, v, &info, work, TC_COUNT(work));
 *
 * Smooth motion is exact for particles, planar bodies and balls. Other spatial bodies turn by
 * tc_body3_coast. Chains move by the fourth-order Runge-Kutta formula in joint coordinates, and so
 * does a scene with joints, springs or a field. Joints are then projected, positions and rates.
 *
 * Contacts act at the end of a step. Every pair that overlaps takes part, whether it approaches or
 * not; the velocity config.compensation depth / h is the target that takes penetration out.
 *
 * With config.impacts > 0 the step finds the time of impact first. It moves to the earliest time at
 * which a pair that was apart comes together, and resolves the impact there. It does so at most
 * config.impacts times. Pairs nearer than config.touch at the beginning rest on each other. Their
 * contacts act at the end, and also at the beginning if they approach fast. Only overlap after the
 * motion is found: a pair that meets and parts within h goes unseen.
 *
 * tc_scene_step_sustained.h has a method by which resting contacts act during the step.
 */
#ifndef TC_SCENE_STEP_H
#define TC_SCENE_STEP_H

#include "tc_impact.h"
#include "tc_joint.h"
#include "tc_scene.h"

TC_BEGIN

#define TC_SCENE_STEP_IMPACTS_MAX 100u /* largest config.impacts */

/* Impulse on a contact within a step. */
typedef struct tc_scene_step_touch {
    uint16_t source, feature; /* of the contact (tc_scene_contact) */
    tc_real impulse[3];       /* world axes, on a [N s]; limits: the first is along the limit */
    tc_real point[3];         /* where it acted last, world axes [m] */
} tc_scene_step_touch;

/* How a step went. */
typedef struct tc_scene_step_info {
    uint32_t impacts; /* impacts with an impulse, that at the end included */
    uint32_t dropped; /* contacts beyond the limits of tc_scene.h, of all impacts */
    uint32_t solves;  /* cone problems solved */
    uint32_t stopped; /* impacts without a certified answer, whose contacts were stopped */
    tc_real residual; /* largest residual of an impact [1] */
    uint32_t touches; /* entries of `touch` in use */
    tc_scene_step_touch touch[TC_SCENE_CONTACTS_MAX]; /* contacts with an impulse; the first that
                                                       * there was place for */
} tc_scene_step_info;

struct tc_scene_step_method;

/* Meaning of a coefficient of restitution e. */
typedef enum tc_scene_step_bounce {
    TC_SCENE_STEP_POISSON = 0, /* restitution has e times the normal impulse of compression */
    TC_SCENE_STEP_NEWTON = 1   /* a contact leaves with e times the normal velocity of its approach.
                                * With friction the energy may grow at large e */
} tc_scene_step_bounce;

/* Tuning of a step. */
typedef struct tc_scene_step_config {
    tc_real h;            /* step [s]; > 0, at most 1; 0.01 */
    tc_impact_law law;    /* friction of contacts that slip; TC_IMPACT_CONVEX */
    tc_real compensation; /* share of a depth that is taken out per step [1]; 0..1; 0.125; higher:
                           * overlap vanishes sooner, and more often as a bounce */
    uint32_t impacts;     /* most impacts at their own time within a step; 0..
                           * TC_SCENE_STEP_IMPACTS_MAX; 20; 0: all contacts act at the end */
    tc_real touch;        /* threshold on gaps: below it a pair rests [m]; > 0, at most 1; 1e-5;
                           * lower: smaller jumps of derivatives */
    const struct tc_scene_step_method *method; /* NULL: contacts act at the end, as above; or
                                                * &tc_scene_step_sustained; NULL */
    tc_real rest; /* sustained contacts: threshold on the speed of approach, below which contacts do
                   * not bounce [m/s]; 0 or more; 0 */
    const tc_scene_step_info *warm; /* sustained contacts: info of the step before, whose impulses
                                     * are expected again; not this step's info; NULL: none */
    tc_scene_step_bounce bounce;    /* sustained contacts: meaning of e; TC_SCENE_STEP_POISSON; the
                                  * other has no derivatives */
} tc_scene_step_config;

/* Returns the default configuration; the fields' comments have the values. */
tc_scene_step_config tc_scene_step_default(void);

/* Length of the workspace, from tc_scene_sizes; usable as array size. `sources`: number of pairs
 * and limits. */
#define TC_SCENE_STEP_RUN ((56u * sizeof(void *) + 160u) / sizeof(tc_real) + 2u)
#define TC_SCENE_STEP_GRAM(n, rows) ((n) * (rows) * ((n) * (rows) + 2u))
#define TC_SCENE_STEP_SOLVE(n, rows, d)                                                            \
    (TC_IMPACT_WORK(n, rows, d) > TC_SCENE_STEP_GRAM(n, rows) ? TC_IMPACT_WORK(n, rows, d)         \
                                                              : TC_SCENE_STEP_GRAM(n, rows))
#define TC_SCENE_STEP_WORK(scene_work, coordinates, rates, joint_rows, sources, n, rows)           \
    ((scene_work) + TC_SCENE_STEP_RUN + TC_SCENE_REALS(tc_impact_info) + 5u * (coordinates)        \
     + 9u * (rates) + (joint_rows) * ((rates) + 4u) + 2u * (sources)                               \
     + (n) * TC_SCENE_REALS(tc_scene_contact) + (n) * (rows) * ((rates) + 5u) + 2u * (n)           \
     + TC_SCENE_STEP_SOLVE(n, rows, rates))

/* Returns TC_SCENE_STEP_WORK of a checked scene. */
size_t tc_scene_step_work(const tc_scene *scene);

/* Moves a checked scene by one step. q[coordinates], v[rates]: the state. info: may be NULL.
 * Returns:
 *   TC_OK               done.
 *   TC_NOTE_LIMIT       there were more contacts than the limit (info->dropped), or more impacts
 *                       than config.impacts, or an impact's solver reached its bound.
 *   TC_NOTE_PRECISION   an impact was solved with TC_NOTE_PRECISION.
 *   TC_NOTE_FALLBACK    no answer was certified: the contacts of that impact stopped.
 *   TC_ERR_NULL         a required pointer is NULL.
 *   TC_ERR_ALIGN        work is misaligned.
 *   TC_ERR_WORK         work_len is below tc_scene_step_work.
 *   TC_ERR_SIZE         config.impacts is beyond its limit, or with TC_IMPACT_COULOMB the
 *                       scene has TC_CONE_FREEDOM_MAX rates: its limit is one fewer.
 *   TC_ERR_NOT_FINITE   q, v or a number of config is NaN or infinite.
 *   TC_ERR_UNSUPPORTED  config.law is unknown; a mover has a wrench, which this method does not
 *                       apply; or the method refuses the scene.
 *   TC_ERR_UNIT         a quaternion is not of unit length within TC_UNIT_TOLERANCE.
 *   TC_ERR_SINGULAR, TC_ERR_INDEFINITE  a chain's mass matrix is not positive definite.
 *   TC_ERR_RANGE        a number of config is out of range, or a result overflows.
 * On error: q and v are unchanged, info is zero.
 * Cost: an impact takes a search of at most 42 motions, and tc_impact_solve. A step has at most
 * config.impacts + 1 impacts. Without an impact a step is one motion and two looks at all gaps. */
tc_status tc_scene_step(const tc_scene *scene, const tc_scene_step_config *config, tc_real *q,
                        tc_real *v, tc_scene_step_info *info, tc_real *work, size_t work_len);

TC_END

#endif
