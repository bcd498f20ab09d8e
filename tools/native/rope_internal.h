/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the files of the rope share. Nodes are 0..points, node 0 the anchor. Coordinates lie in
 * separate arrays, x of all nodes and y of all nodes, so that the loops over nodes vectorise.
 */
#ifndef NATIVE_ROPE_INTERNAL_H
#define NATIVE_ROPE_INTERNAL_H

#include "tc_band.h"
#include "tc_band_grad.h"

#define ROPE_WIDTH 4u /* half-bandwidth of its limits */
#define ROPE_ROW 6u   /* numbers of a limit's row: three nodes */
#define ROPE_COMPENSATION TC_C(8.0)

/* Loops over nodes are worth more than -O2 does with them; the bits are the same. */
#if defined(__GNUC__) && !defined(__clang__)
#define ROPE_LOOPS __attribute__((optimize("O3")))
#else
#define ROPE_LOOPS
#endif

typedef struct rope_system {
    uint32_t points, nodes;
    tc_real step, rest, shortest, longest, bend, slope, restitution, gravity;
    tc_real *inverse_mass; /* [nodes], 0 at the anchor */
    tc_real *stiffness;    /* [nodes], of the spring from node k to k + 1; 0 at the last */
} rope_system;

/* Two coordinates of all nodes */
typedef struct rope_plane {
    tc_real *x, *y;
} rope_plane;

/* One step, as the adjoint wants to know it */
typedef struct rope_step {
    rope_plane place, rate;   /* before */
    rope_plane third, fourth; /* places of these stages of RK4 */
    rope_plane moved, coming; /* place after, rate before the limits act */
    uint32_t count;           /* limits exceeded */
    uint32_t *limit;          /* [count] ascending: 2 k the spring k, 2 k - 1 the angle at node k */
    tc_real *row, *depth;     /* [count x ROPE_ROW], [count] */
    tc_real *A;               /* [count x (ROPE_WIDTH + 1)] */
    tc_real *q, *target;      /* [count] */
    tc_real *f_c, *w_c, *f, *w, *floor;
    tc_real *work_c, *work; /* [TC_BAND_WORK(count, ROPE_WIDTH)] */
} rope_step;

/* Cotangents of one rope */
typedef struct rope_adjoint {
    rope_plane place, rate;
    tc_real *inverse_mass, *stiffness; /* [nodes] */
    tc_real gravity, restitution;
    tc_real *scratch; /* [ROPE_SCRATCH * nodes] */
} rope_adjoint;
#define ROPE_SCRATCH 64u

/* First node of a limit */
static inline uint32_t rope_base(uint32_t limit)
{
    return limit >> 1u;
}

/* rope_smooth.c: RK4 into s->moved and s->coming; and its adjoint, by->place and by->rate in
 * place */
void rope_move(const rope_system *r, rope_step *s, tc_real *scratch);
void rope_move_adjoint(const rope_system *r, const rope_step *s, rope_adjoint *by);

/* rope_limits.c: limits that s->moved exceeds, with gaps; their rows, matrix and velocities; the
 * velocity after both phases; and the adjoint */
void rope_find(const rope_system *r, rope_step *s, tc_real *scratch);
tc_status rope_strike(const rope_system *r, rope_step *s, rope_plane rate, tc_band_info info[2]);
tc_status rope_strike_adjoint(const rope_system *r, const rope_step *s, rope_adjoint *by);

#endif
