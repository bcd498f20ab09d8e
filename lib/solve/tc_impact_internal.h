/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the files of an impact share: the problem on its way, and one phase of it. Not for users.
 */
#ifndef TC_IMPACT_INTERNAL_H
#define TC_IMPACT_INTERNAL_H

#include "tc_impact.h"
#include "tc_mat_fixed.h"

/* Compliance that makes impulses unique, as a part of a_i, the mean square of a contact's rows */
#ifdef TC_DOUBLE
#define IMPACT_SOFT 1e-6
#else
#define IMPACT_SOFT TC_C(1e-3)
#endif

#define IMPACT_MEMORY 2u /* steps of the shift's iteration that acceleration looks back on */

/* a . b */
TC_MAT_INLINE tc_real tci_impact_dot(const tc_real *a, const tc_real *b, uint32_t d)
{
    tc_real sum = a[0] * b[0];
    for (uint32_t k = 1; k < d; ++k) sum = TC_MLA(sum, a[k], b[k]);
    return sum;
}

/* Where one phase puts its answer */
typedef struct tci_impact_output {
    tc_real *f;
    tc_real *u;
    tc_real *w;
    tc_cone_info *info;
} tci_impact_output;

typedef struct tci_impact_state {
    const tc_impact *problem;
    tc_real *G;             /* [n rows x (d + 1)] with the shift's column */
    tc_real *f;             /* [n rows] impulses expected */
    tc_real *f_least;       /* [n rows] */
    tc_real *u_least;       /* [n rows] */
    tc_real *soft;          /* [n] compliance with what makes impulses unique */
    tc_real *floor;         /* [n] */
    tc_real *shift;         /* [n] s_i, as in the column */
    tc_real *history;       /* [(2 IMPACT_MEMORY + 3) n] of the shift's iteration */
    tc_real *start;         /* [d + 1] velocity at the beginning of a phase */
    tc_real *w;             /* [d + 1] */
    tc_impact_info *info;   /* the report; in the workspace, as the next */
    tc_cone_info *of_faces; /* that of the problem on the faces */
    tc_real *rest;          /* workspace of a cone problem */
    size_t rest_len;
    uint32_t solves;
    tc_real coulomb; /* residual of the law, the worst phase's */
} tci_impact_state;

/* Solves the cone problem, counted. */
tc_status tci_impact_cone(tci_impact_state *s, const tc_cone *cone, const tci_impact_output *to);

/* Writes G with an empty column. */
void tci_impact_widen(tci_impact_state *s);

/* Writes the column and the last entry of s->start for s->shift. last: the answer before */
void tci_impact_bias(tci_impact_state *s, const tci_impact_output *last);

/* The residual of impulses and velocity, relative to info->scale, by the convex problem or, if
 * `law`, by Coulomb's; slip[n] = mu |u_t|. to->u is not read. */
tc_real tci_impact_judge(const tc_cone *c, const tci_impact_output *to, int law, tc_real *slip);

/* soft[n]: the compliance of a problem's contacts with what makes impulses unique. */
void tci_impact_set_soft(const tc_cone *c, tc_real *soft);

/* Replaces f_c and w_c by those of least norm; by Coulomb's law with the shift that s has from the
 * compression. 0: they stay as they are. */
int tci_impact_least(tci_impact_state *s, const tc_impact_answer *answer, tc_impact_info *info);

/* Solves one phase by Coulomb's law: `cone` without the shift. s has the shift that was found. */
tc_status tci_impact_coulomb(tci_impact_state *s, const tc_cone *cone, const tci_impact_output *to);

#endif
