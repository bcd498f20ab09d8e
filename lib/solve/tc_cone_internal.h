/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the tiers behind tc_cone_solve share: a problem on its way, one contact's numbers, and the
 * projection on its truncated cone. Not for users.
 *
 * The truncated cone of a contact is {f_n >= floor, |f_t| <= mu f_n}. The projection of y on it is
 * that on the cone; if its normal part is below the floor, it is (floor, y_t clipped to the disc of
 * radius mu floor). With t = |y_t| the projection on the cone is
 *
 *     y                                         t <= mu y_n
 *     0                                         y_n <= -mu t
 *     p_n (1, mu y_t / t),  p_n = (y_n + mu t) / (1 + mu^2)   else
 */
#ifndef TC_CONE_INTERNAL_H
#define TC_CONE_INTERNAL_H

#include "tc_cone.h"
#include "tc_vec.h"
#include "tc_work.h"

#if defined(__GNUC__)
#define CONE_APART __attribute__((noinline))
#define CONE_COLD __attribute__((noinline, cold)) /* also compiled for size */
#else
#define CONE_APART
#define CONE_COLD
#endif

/* One contact: its data, and its part of the Newton matrix. Only tc_reals: it is stored in the
 * workspace. */
typedef struct tci_cone_contact {
    tc_real mu;
    tc_real floor;
    tc_real soft;    /* compliance */
    tc_real a;       /* mean square of the rows, plus the compliance */
    tc_real inverse; /* 1 / a */
    tc_real length;  /* 1 / (1 + mu^2) */
    tc_real step;    /* of the sweeps: 1 / the largest row sum of the contact's own matrix */
    tc_real ray;     /* weight along the ray (1, mu tau), or of each free direction */
    tc_real across;  /* weight along tau turned by a right angle */
    tc_real reach;   /* |f_t| that turns with tau */
    tc_real tau[2];  /* direction of the tangential impulse */
} tci_cone_contact;

#define CONE_CONTACT 12u /* tc_reals of a tci_cone_contact */

/* Problems of many bodies have rows that are mostly 0: a contact has entries at two bodies, and at
 * the last column where tc_impact.h has a shift. Libraries for them pass over the rest, which leaves
 * the bits as they are. */
#if TC_CONE_FREEDOM_MAX > 32u
#define CONE_SPARSE 1
#else
#define CONE_SPARSE 0
#endif
#define CONE_RUNS_MAX 3u

/* Where a contact's rows may have an entry: columns from[i] to end[i] - 1 */
typedef struct tci_cone_runs {
    uint8_t count;
    uint8_t from[CONE_RUNS_MAX], end[CONE_RUNS_MAX];
} tci_cone_runs;

/* Looks for the runs of rows[rows x d]. More of them than CONE_RUNS_MAX become one at the end. */
TC_MAT_INLINE void tci_cone_find_runs(const tc_real *g, uint32_t rows, uint32_t d,
                                      tci_cone_runs *runs)
{
    uint32_t count = 0;
    int inside = 0;
    for (uint32_t k = 0; k < d; ++k) {
        int entry = 0;
        for (uint32_t r = 0; r < rows; ++r) entry |= g[r * d + k] != TC_C(0.0);
        if (entry && !inside && count < CONE_RUNS_MAX) runs->from[count++] = (uint8_t)k;
        if (entry) runs->end[count - 1u] = (uint8_t)(k + 1u);
        inside = entry;
    }
    runs->count = (uint8_t)count;
}

/* a . b over the runs of a */
TC_MAT_INLINE tc_real tci_cone_dot_runs(const tc_real *a, const tc_real *b,
                                        const tci_cone_runs *runs)
{
    tc_real sum = TC_C(0.0);
    for (uint32_t i = 0; i < runs->count; ++i) {
        for (uint32_t k = runs->from[i]; k < runs->end[i]; ++k) sum = TC_MLA(sum, a[k], b[k]);
    }
    return sum;
}

/* A problem on its way. */
typedef struct tci_cone_state {
    const tc_real *G;
    const tc_real *w0;
    tci_cone_contact *contact; /* [n] */
    tc_real *f;                /* [n rows] the caller's: the iterate, always feasible */
    tc_real *u;                /* [n rows] the caller's */
    tc_real *w;                /* [d] the caller's */
    tc_real *trial;            /* [n rows] the next iterate */
    tc_real *change;           /* [n rows] what a Newton step starts from */
    tc_real *best;             /* [n rows] the iterate of least residual */
    tc_real *centre;           /* [n rows] of the proximal term */
    tc_real *H;                /* [d x d] Newton matrix and its factor, lower triangle */
    tc_real *dw;               /* [d] */
    tc_real *next;             /* [d] */
    tc_real *row;              /* [2 d] rows along a ray and across */
    tc_real own[6];            /* contact matrix of the last contact read: nn, n1, n2, 11, 12, 22 */
    uint32_t n, rows, d;
    uint32_t iterations;
    tc_real ratio;     /* part of the step at which the first contact leaves its kind */
    uint32_t first;    /* that contact's bit */
    tc_real doubt;     /* error of w that the residual does not exclude, or 0, see tc_cone.h */
    uint32_t dropped;  /* contacts that a pattern's step took out of their kind */
    tc_real violation; /* max_i |f_i - P_i(f_i - u_i / a_i)| a_i */
    tc_real scale;     /* of the last iterate that it was computed for */
    tc_real total;     /* a sum over all f and u: finite where they are */
    tc_real load;      /* max a_i f_i,n */
    tc_real measured;  /* load at which the scale was computed */
    tc_real approach;  /* max |G w0| */
    tc_real least;     /* violation of `best`, relative to the scale */
    uint8_t kind[TC_CONE_MAX];
#if CONE_SPARSE
    tci_cone_runs runs[TC_CONE_MAX]; /* of contact i */
#endif
} tci_cone_state;

/* |y_t| */
TC_MAT_INLINE tc_real tci_cone_length(const tc_real *y, uint32_t rows)
{
    if (rows == 3u) return tc_sqrt(TC_MLA(y[1] * y[1], y[2], y[2]));
    return rows == 2u ? tc_vec_magnitude(y[1]) : TC_C(0.0);
}

/* Tangents of y, of length `length`, cut to the radius */
TC_MAT_INLINE void tci_cone_cut(tc_real *y, tc_real length, tc_real radius, uint32_t rows)
{
    const tc_real part = length > radius ? radius / length : TC_C(1.0);
    if (rows > 1u) y[1] *= part;
    if (rows > 2u) y[2] *= part;
}

/* y (rows numbers) becomes its projection; `length` receives |y_t|. */
TC_MAT_INLINE tc_cone_kind tci_cone_project(const tci_cone_contact *c, tc_real *y, tc_real *length,
                                            uint32_t rows)
{
    const tc_real t = tci_cone_length(y, rows), mu = c->mu, floor = c->floor;
    tc_real normal = y[0];
    *length = t;
    if (t > mu * normal || (mu <= TC_C(0.0) && normal > TC_C(0.0))) {
        normal = TC_MLA(normal, mu, t) * c->length;
    } else if (normal >= floor) {
        return TC_CONE_STICK;
    }
    y[0] = normal > floor ? normal : floor;
    tci_cone_cut(y, t, mu * y[0], rows);
    if (normal > floor) return TC_CONE_SLIP;
    if (t < mu * floor) return TC_CONE_FLOOR_STICK;
    return floor > TC_C(0.0) ? TC_CONE_FLOOR_SLIP : TC_CONE_OPEN;
}

/* Passes of one size (tc_cone_space.c, tc_cone_plane.c, tc_cone_any.c) */
#define tci_cone_declare(name)                                                                     \
    int tci_cone_##name##_read(tci_cone_state *s);                                                 \
    void tci_cone_##name##_sweep(tci_cone_state *s, uint32_t sweeps);                              \
    void tci_cone_##name##_gather(const tci_cone_state *s, const tc_real *f, const tc_real *from,  \
                                  tc_real *w);                                                     \
    void tci_cone_##name##_judge(tci_cone_state *s);                                               \
    void tci_cone_##name##_measure(tci_cone_state *s);                                             \
    void tci_cone_##name##_newton(tci_cone_state *s);                                              \
    void tci_cone_##name##_step(tci_cone_state *s);
tci_cone_declare(space) tci_cone_declare(plane) tci_cone_declare(any)
#undef tci_cone_declare

    /* tc_cone_passes.c: tci_cone_project as a call, and the same for the problem's size */
    tc_cone_kind
    tci_cone_nearest(const tci_cone_contact *c, tc_real *y, tc_real *length, uint32_t rows);
int tci_cone_read(tci_cone_state *s);
void tci_cone_sweep(tci_cone_state *s, uint32_t sweeps);
void tci_cone_gather(const tci_cone_state *s, const tc_real *f, const tc_real *from, tc_real *w);
void tci_cone_judge(tci_cone_state *s);
void tci_cone_measure(tci_cone_state *s);
void tci_cone_newton(tci_cone_state *s);
void tci_cone_pattern(tci_cone_state *s, tc_real pull, tc_real soften);
void tci_cone_move(tci_cone_state *s, uint32_t i, const tc_real *v);
void tci_cone_respond(tci_cone_state *s, const tc_real *w, tc_real theta);

/* tc_cone_one.c: f of the one contact in space; u is G w0 */
void tci_cone_one(tci_cone_state *s);

/* tc_cone_rays.c: 1 if the problem is one of complementarity and f its certified answer */
int tci_cone_rays(tci_cone_state *s, const tc_real *warm, tc_real *work);

/* tc_cone_general.c */
tc_status tci_cone_general(tci_cone_state *s, const tc_real *warm);
int tci_cone_certified(tci_cone_state *s);
void tci_cone_evaluate(tci_cone_state *s);

#endif
