/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Exact planar Coulomb friction as a law for Algorithm 1, on the host: the ceiling beside which
 * learned laws are judged, in the same step and the same position scheme.
 */
#ifndef COULOMB_H
#define COULOMB_H

#include "tc_learned2.h"

typedef struct coulomb {
    double mu[2]; /* for slip along +t and along -t after the impulse */
} coulomb;

/* The law; needs no work. Where a large coefficient leaves several answers: sticking first, then
 * sliding on in the direction from before, both corners before one. Where rounding leaves none: the
 * nearest. */
tc_learned2_model coulomb_law(const coulomb *friction);

#endif
