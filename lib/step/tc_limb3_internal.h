/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the files of tc_limb3_mechanism share. Not for users.
 *
 * Masses divided by the last link's, M / m = L L^T, and whitened: y = L^T (rates - rates before),
 * kinetic energy |.|^2 / 2. A wrench w on the last link (about its centre of mass) changes y by Y
 * w, Y = L^-1 J^T, and so the last link's velocity by Y^T Y w: Y^T Y is what (1, 1, 1, mobility) is
 * of a free body. For the rows R_i of contact i, C_i = Y R_i^T: W_ii = C_i^T C_i, a Gram matrix,
 * which loses nothing where a limb stands straight above its contact and C_n is small.
 *
 * All of it in the frame of the patch.
 */
#ifndef TC_LIMB3_INTERNAL_H
#define TC_LIMB3_INTERNAL_H

#include "tc_foot3_internal.h"
#include "tc_learned3_core.h"
#include "tc_limb3.h"

/* Added to the diagonal of W where a normal may need more than the limb can give: below the
 * rounding of any W_nn that is not small; W of the free body is at least 1. */
#define LIMB_LEAST (TC_EPSILON / TC_C(128.0))

/* The same for friction, of W_11 + W_22: what a slip is rounded to. Much more than LIMB_LEAST, so
 * that where normal and friction can do the same, the normal does it. */
#define LIMB_SLIP_LEAST (TC_C(32.0) * TC_EPSILON)

/* A contact as the limb moves it */
typedef struct limb3_corner {
    tc_real B[18]; /* [6 x 3] Y^T C: impulse to the last link's velocity */
    tc_real W[6];  /* as in tc_learned3_query */
    tc_real shift; /* of the last sliding solve: where the next begins */
} limb3_corner;

/* A limb being solved. Pointers into the caller's work. */
typedef struct limb3_whitened {
    const tc_learned3_problem *problem;
    tc_real *twist;       /* [6] of the last link, in the solve */
    uint32_t size;        /* rates */
    tc_real *L;           /* [size x size] */
    tc_real *Y;           /* [size x 6] */
    tc_real *before;      /* [size] L^T times the rates without contact */
    tc_real *change;      /* [size] of y, by the contact */
    tc_real *free;        /* [size] of y, without contact */
    limb3_corner *corner; /* [count] */
    tc_real *scratch;     /* [6 size + 51] */
    tc_real *rest;        /* of the sweeps */
    const tc_learned3_warm *warm;
    uint32_t solves; /* as tc_limb3_info */
    int consistent;
} limb3_whitened;

/* One solve on its way. */
typedef struct limb_task {
    const tc_foot3 *foot;
    const tc_limb3_mechanism *limb;
    const tc_patch3 *patch;
    tc_real velocity[6]; /* of the last link without contact, world axes */
    learned3_solve solve;
    limb3_whitened white;
    tc_learned3_problem problem;
} limb_task;

/* ---- tc_limb3_point.c ------------------------------------------------------------------------ */

/* The impulse with which a contact of the limb, moving with u[3] without it, sticks (1 is returned)
 * if friction of `ratio` times the normal can do that, else slides with that much friction against
 * its slip. u_n < 0. *shift: c of the slip -c p_t; where the search begins, and where it ended. */
int tci_limb3_slide(const tc_real W[6], const tc_real u[3], tc_real ratio, tc_real *shift,
                    tc_real p[3]);

/* The impulse that stops the contact. */
void tci_limb3_stop(const tc_real W[6], const tc_real u[3], tc_real p[3]);

extern const learned3_rule tci_limb3_implicit;

/* ---- tc_limb3_patch.c ------------------------------------------------------------------------ */

extern const tc_mobility tci_limb3_mobility;

/* Its functions; the mover is a limb3_whitened. */
void tci_limb3_apply(void *mover, uint32_t i, const tc_real d[3]);
void tci_limb3_rows(void *mover, tc_real *J);
void tci_limb3_push(void *mover, const tc_real friction[3], tc_real *q);
void tci_limb3_lift(void *mover, const tc_real *normal);

/* Column of contact i's normal: element k of Y (0, 0, 1, y, -x, 0) */
static inline tc_real tci_limb3_normal(const tc_real *Y, const tc_real *arm)
{
    return TC_MLS(TC_MLA(Y[2], Y[3], arm[1]), Y[4], arm[0]);
}

/* ---- tc_limb3_mechanism.c -------------------------------------------------------------------- */

/* The caller's info, or one at the end of the workspace's `needed` numbers. */
static inline tc_limb3_info *tci_limb3_info(tc_limb3_info *info, tc_real *work, size_t needed)
{
    return info != NULL ? info : (tc_limb3_info *)(void *)(work + (needed - TC_LIMB3_INFO_WORK));
}

/* `info` of nothing: zero, and no class; null: nothing. */
void tci_limb3_no_contact(tc_limb3_info *info);

/* The limb's rates[size] without contact; foot and limb of the task are set, and checked. */
tc_status tci_limb3_factor(limb_task *task, tc_real *rates, tc_real *work);

/* v[6] of the last link at these rates, world axes */
void tci_limb3_velocity(const tc_limb3_mechanism *limb, const tc_real *rates, tc_real v[6]);

/* After tci_limb3_factor: what a lift of the task's patch needs, where no contact was solved */
tc_status tci_limb3_pose(limb_task *task);

/* After tci_limb3_factor, with the task's patch: tc_limb3_mechanism_solve. */
tc_status tci_limb3_solve(limb_task *task, int use_gap, tc_learned3_warm *warm,
                          tc_real *rates_after, tc_limb3_info *info);

/* After either, with contacts: the least rates[size] from rest, by normals alone, that lift each of
 * the patch's (which may be another by now, of more contacts) at speed[count] or more, or as far as
 * a lift goes (tc_chain_core.h). TC_NOTE_FALLBACK: none could be certified, they are 0. */
tc_status tci_limb3_rise(limb_task *task, const tc_real *speed, tc_real *rates);

/* The end of a solve that ended with this status: rates[size] within the limits of tc_chain2.h.
 * Where they were not, or there are none at all, they are slowed down or 0, told without contact,
 * and TC_NOTE_FALLBACK is returned; else status. */
tc_status tci_limb3_bound(limb_task *task, tc_status status, tc_real *rates, tc_limb3_info *info);

/* Depth of the deepest contact */
tc_real tci_limb3_deepest(const tc_patch3 *patch);

#endif
