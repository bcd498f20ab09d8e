/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Whole trajectories of random bodies, limbs and systems on the host, each step judged in double
 * precision.
 *
 * A trajectory is named by a seed and an index, and by nothing else: its generator begins with a
 * hash of the two. What it draws (draw.c) is independent of how long others ran, so that
 * ONE=seed:index is the same trajectory again.
 *
 * What is judged after each step (judge.c), and the tolerances with their reasons:
 *   status      not negative
 *   finite      every number of the state and of the info
 *   energy      the work of the contact impulse P, P.v+ - 1/2 P.M^-1 P, is not positive
 *               (restitution 0)
 *   told        the impulse told is the impulse done: m (v+ - v) - h f = P (in TOC and GAP for the
 *               share of h in which f acted), and likewise the angular momentum
 *   sank        scheme DART: no vertex that was below the plane goes deeper; TOC, GAP: none is
 *               below it
 *   stuck       the state is bit for bit as it was, with a velocity or without a support that
 *               explains it
 *   rest        exact Coulomb friction on a floor that holds the body: it lies still in the end
 */
#ifndef TRAJECTORIES_H
#define TRAJECTORIES_H

#include "test.h"

#include <stdio.h>

#define GRAVITY 9.81

typedef enum failure {
    FAIL_NONE,
    FAIL_STATUS,
    FAIL_FINITE,
    FAIL_ENERGY,
    FAIL_TOLD,
    FAIL_SANK,
    FAIL_STUCK,
    FAIL_REST,
    FAILURES
} failure;

extern const char *const failure_name[FAILURES];

/* What moves, and the columns of the table that go with it */
typedef enum kind { KIND_FOOT2, KIND_FOOT3, KIND_LIMB2, KIND_LIMB3, KIND_CDL, KINDS } kind;
typedef enum voice { VOICE_EXACT, VOICE_LEARNED, VOICE_NONSENSE, VOICES } voice;
#define SCHEMES 3u /* tc_scheme; of CD-Lagrange 0 in sequence, 1 at once */

#define STATUS_LEAST (-40)
#define STATUSES 64u

/* Counts of one kind, scheme and voice */
typedef struct tally {
    uint64_t trajectories, steps, contacts, refused, fled, rested;
    uint64_t status[STATUSES]; /* by status - STATUS_LEAST */
    uint64_t failed[FAILURES];
    uint64_t example[FAILURES], example_steps[FAILURES]; /* the failure after the fewest steps */
    double gain, told, sank; /* the most seen, in units of its tolerance */
} tally;

/* One trajectory on its way */
typedef struct run {
    uint64_t seed, index;
    int dump; /* print each step */
    kind what;
    uint32_t scheme;
    voice says;
    uint32_t step, steps;
    tally counts; /* of this trajectory alone */
    failure failed;
    int ended; /* without a failure, but before the last step */
    char reason[160];
} run;

/* Draws and runs one trajectory; `run` has seed, index and dump. */
void run_trajectory(run *r);

/* ---- For the kinds --------------------------------------------------------------------------- */

void run_foot2(run *r);
void run_foot3(run *r);
void run_limb2(run *r);
void run_limb3(run *r);
void run_cdl(run *r);

#endif
