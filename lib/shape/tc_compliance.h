/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Compliance of a contact: stiffness and damping as numbers of the material.
 *
 *     foot.compliance = (tc_compliance){54500, 70, 0};    // an acrylic cube on wood
 *
 * Each contact is a spring and a damper along the normal. With gap g < 0 and speed u of the vertex
 * the force is -k g - (c + x k |g|) u, and never pulls. A step takes g and u at its end: the force
 * is implicit, stable for any step, and small steps resolve the touch. A body of mass m at rest on
 * n contacts sinks by m g / (n k).
 */
#ifndef TC_COMPLIANCE_H
#define TC_COMPLIANCE_H

#include "tc_config.h"

TC_BEGIN

/* All zero: the contact is rigid. */
typedef struct tc_compliance {
    tc_real stiffness; /* k: of one contact [N/m]; 0: rigid; higher: less depth */
    tc_real damping;   /* c: of one contact [N s/m]; >= 0; 0; higher: lower bounces */
    tc_real slope;     /* x: damping of Hunt and Crossley, which grows with depth [s/m]; >= 0; 0;
                        * higher: lower bounces of fast touches */
} tc_compliance;

TC_END

#endif
