/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The frame that detectors give a plane. Not for users.
 */
#ifndef TC_DETECT3_INTERNAL_H
#define TC_DETECT3_INTERNAL_H

#include "tc_config.h"

/* Right-handed tangents that depend on the normal alone and are +x, +y for the floor z = 0 (after
 * Frisvad and Duff et al.: the shortest turn that takes z to the normal, taken from -z for normals
 * that point down). */
static inline void tci_detect3_frame(const tc_real n[3], tc_real frame[3][3])
{
    const tc_real sign = n[2] < TC_C(0.0) ? TC_C(-1.0) : TC_C(1.0);
    const tc_real a = TC_C(-1.0) / (sign + n[2]);
    const tc_real b = n[0] * n[1] * a;
    frame[0][0] = TC_C(1.0) + sign * n[0] * n[0] * a;
    frame[0][1] = sign * b;
    frame[0][2] = -sign * n[0];
    frame[1][0] = b;
    frame[1][1] = sign + n[1] * n[1] * a;
    frame[1][2] = -n[1];
    for (int k = 0; k < 3; ++k) frame[2][k] = n[k];
}

#endif
