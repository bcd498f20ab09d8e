/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the files of the identification share. Not for users.
 */
#ifndef TC_IDENTIFY_INTERNAL_H
#define TC_IDENTIFY_INTERNAL_H

#include "tc_identify.h"
#include "tc_mat_fixed.h"
#include "tc_vec.h"

/* Apart: only what is needed below a call lies on the stack there. */
#if defined(__GNUC__)
#define IDENTIFY_APART __attribute__((noinline))
#else
#define IDENTIFY_APART
#endif

/* Smallest mu and e of the model: derivatives at 0 are one-sided. */
#define TCI_IDENTIFY_LEAST TC_C(0.001)
/* Limit on |log r_k| of the model. */
#define TCI_IDENTIFY_LOG_MAX TC_C(7.0)
/* Half width of a normal distribution's 90 % interval [standard deviations]. */
#define TCI_IDENTIFY_WIDTH TC_C(1.6448536)

/* One phase of one contact: f solves it for the velocity q and the contact matrix A, and
 * df = -X (dq + dA f) + by_mu dmu + by_floor dfloor. */
typedef struct tci_identify_phase {
    tc_real f[3];
    tc_real X[9];
    tc_real by_mu[3];
    tc_real by_floor[3];
    tc_cone_kind kind;
} tci_identify_phase;

/* One contact in space, normal first: both phases, and the impulse p of both with derivatives. */
typedef struct tci_identify_contact {
    tc_real A[9], q[3], mu, e;
    tci_identify_phase compression, restitution;
    tc_real p[3], by_q[9], by_mu[3], by_e[3];
    tc_real stick; /* |f_t| / f_n of a compression that sticks; infinite if that pulls */
} tci_identify_contact;

/* tc_identify_contact.c */
/* work: of TCI_IDENTIFY_CONTACT_WORK numbers */
#define TCI_IDENTIFY_CONTACT_WORK (18u + TC_CONE_WORK(1u, 3u, 3u))
tc_status tci_identify_contact_solve(tci_identify_contact *contact, tc_impact_law law,
                                     tc_real *work);
/* dp for a direction dA of the contact matrix */
void tci_identify_contact_turn(const tci_identify_contact *contact, const tc_real dA[9],
                               tc_real dp[3]);
/* Returns the lower bound that the contact gives for mu, 0: none. Writes its derivative by q, and
 * the change of p by mu just below it, where the contact slips. */
tc_real tci_identify_contact_bound(const tci_identify_contact *contact, tc_real by_q[3],
                                   tc_real by_mu[3]);

/* A linearisation: what it is made of, then what it gives. Arrays are parts of the workspace. */
typedef struct tci_identify_linear {
    const tc_identify_impact *impact;
    tc_impact_law law;
    uint32_t unknowns; /* 2 + ratios */
    tc_real *velocity; /* [n rows] of the contacts before; of one contact 3 */
    tc_real *J;        /* [3 x d] of one contact; in the plane the last row is 0 */
    tc_real *mass;     /* [d x d] Cholesky factor of M(r); diagonal: [d] inverses */
    tc_real *B;        /* [3 x d] of one contact, J M^-1 */
    tc_real *part;     /* [d] scratch */
    tc_real *edge;     /* [d] change of the rates by mu just below the bound, where it sticks */
    tc_real *more;     /* scratch of the solver */
    size_t more_len;
    tc_real *change;  /* [d] of the rates */
    tc_real *H;       /* [unknowns x d] derivative of the change by each unknown */
    tc_real *F;       /* [d x d] derivative of the rates after by those before, times the deviations
                      * of those before */
    uint32_t kinds;   /* of the contact at the last linearisation of a trial, 0: none */
    uint32_t kept;    /* 1: they are the same, and F was left as it is */
    uint32_t sticks;  /* 1: the compression sticks */
    tc_real stick;    /* as in tci_identify_contact */
    tc_real bound;    /* lower bound of mu from this impact; 0: none */
    tc_real bound_sd; /* its standard deviation by the noise before */
} tci_identify_linear;

/* Products and sums of n numbers, unrolled for n = 6: a body in space. */
static inline tc_real tci_identify_dot(const tc_real *a, const tc_real *b, uint32_t n)
{
    tc_real sum = a[0] * b[0];
    if (n == 6u) {
        TC_MAT_UNROLLED
        for (uint32_t i = 1; i < 6u; ++i) {
            sum = TC_MLA(sum, a[i], b[i]);
        }
        return sum;
    }
    for (uint32_t i = 1; i < n; ++i) {
        sum = TC_MLA(sum, a[i], b[i]);
    }
    return sum;
}

/* y += x a */
static inline void tci_identify_add(tc_real *y, tc_real x, const tc_real *a, uint32_t n)
{
    if (n == 6u) {
        TC_MAT_UNROLLED
        for (uint32_t i = 0; i < 6u; ++i) {
            y[i] = TC_MLA(y[i], x, a[i]);
        }
        return;
    }
    for (uint32_t i = 0; i < n; ++i) {
        y[i] = TC_MLA(y[i], x, a[i]);
    }
}

/* y = x a */
static inline void tci_identify_times(tc_real *y, tc_real x, const tc_real *a, uint32_t n)
{
    if (n == 6u) {
        TC_MAT_UNROLLED
        for (uint32_t i = 0; i < 6u; ++i) {
            y[i] = x * a[i];
        }
        return;
    }
    for (uint32_t i = 0; i < n; ++i) {
        y[i] = x * a[i];
    }
}

/* y_i += a_i^2 */
static inline void tci_identify_square(tc_real *y, const tc_real *a, uint32_t n)
{
    if (n == 6u) {
        TC_MAT_UNROLLED
        for (uint32_t i = 0; i < 6u; ++i) {
            y[i] = TC_MLA(y[i], a[i], a[i]);
        }
        return;
    }
    for (uint32_t i = 0; i < n; ++i) {
        y[i] = TC_MLA(y[i], a[i], a[i]);
    }
}

/* y_i = a_i b_i */
static inline void tci_identify_scale(const tc_real *a, const tc_real *b, tc_real *y, uint32_t n)
{
    if (n == 6u) {
        TC_MAT_UNROLLED
        for (uint32_t i = 0; i < 6u; ++i) {
            y[i] = a[i] * b[i];
        }
        return;
    }
    for (uint32_t i = 0; i < n; ++i) {
        y[i] = a[i] * b[i];
    }
}

/* y_(i stride) = B_0i p_0 + B_1i p_1 + B_2i p_2, for B[3 x n] */
static inline void tci_identify_spread(const tc_real *B, const tc_real p[3], tc_real *y,
                                       uint32_t stride, uint32_t n)
{
    const tc_real p0 = p[0], p1 = p[1], p2 = p[2];
    if (n == 6u) {
        TC_MAT_UNROLLED
        for (uint32_t i = 0; i < 6u; ++i) {
            y[i * stride] = TC_MLA(TC_MLA(p0 * B[i], p1, B[6u + i]), p2, B[12u + i]);
        }
        return;
    }
    for (uint32_t i = 0; i < n; ++i) {
        y[i * stride] = TC_MLA(TC_MLA(p0 * B[i], p1, B[n + i]), p2, B[2u * n + i]);
    }
}

/* tc_identify_model.c */
void tci_identify_model_start(tci_identify_linear *linear);
tc_status tci_identify_model_at(tci_identify_linear *linear, const tc_real *theta);

/* tc_identify_general.c: the same of several contacts */
tc_status tci_identify_general_at(tci_identify_linear *linear, const tc_real *theta);

/* The density of mu after an impact on both sides of sticking, in deviations of mu before the impact
 * from its mean. */
typedef struct tci_identify_sides {
    tc_real edge;         /* the contact sticks above it */
    tc_real peak, steep;  /* below it: mean and inverse deviation of a normal distribution */
    tc_real below, above; /* logarithms of that distribution's share below the edge, and of the
                           * share above it before the impact */
    tc_real slips;        /* probability that the contact slipped */
} tci_identify_sides;

/* A trial; it lies in the workspace. */
typedef struct tci_identify_trial {
    tc_real z[TC_IDENTIFY_MAX];                   /* step in standard deviations */
    tc_real C[TC_IDENTIFY_MAX * TC_IDENTIFY_MAX]; /* root of N */
    tc_real distance;                             /* (6), and what a bound adds */
    tc_real stick;                                /* |f_t| / f_n where the contact sticks */
    tc_real bound, bound_sd;
    tci_identify_sides sides;
    uint32_t sticks;  /* its side */
    uint32_t crossed; /* it slips, and calls for a mu that would stick */
} tci_identify_trial;

/* What one update works on. */
typedef struct tci_identify_pass {
    const tc_identify *identify;
    tci_identify_linear linear;
    tc_real *R;     /* [d x d] */
    tc_real *X;     /* [(unknowns + 1) x d]: (H S)^T and r below, then L^-1 of each row */
    tc_real *theta; /* [TC_IDENTIFY_MAX] where the model is linearised */
    tc_real limit;  /* distance beyond which a trial calls for another */
    tc_real gate;   /* distance beyond which an impact is an outlier */
    uint32_t iterations;
} tci_identify_pass;

/* tc_identify_weigh.c: the step from the linearisation, z, C and distance of the trial; b - X z is
 * the last row of pass->X after */
tc_status tci_identify_weigh_step(const tci_identify_pass *pass, tci_identify_trial *trial);
/* x = L^-1 x */
void tci_identify_weigh_vector(const tc_real *L, tc_real *x, uint32_t d);

/* tc_identify_sides.c: sides and bound of a trial at its last linearisation */
void tci_identify_sides_read(const tci_identify_pass *pass, tci_identify_trial *trial);
/* Logarithm of the density of what was measured, up to a constant */
tc_real tci_identify_sides_density(const tci_identify_pass *pass, const tci_identify_trial *trial);
/* The sides of both trials; lead: by how much the density of the one that slips is larger */
void tci_identify_sides_compare(tci_identify_trial *slips, tci_identify_trial *sticks,
                                tc_real lead);
/* Mixes both sides into the trial. Returns a deviation that mu gains after it, and writes a shift of
 * its mean, both in deviations before. */
tc_real tci_identify_sides_mix(tci_identify_trial *trial, tc_real *shift);

/* tc_identify_trial.c: up to two trials trial[2], and the better one */
tc_status tci_identify_trial_run(tci_identify_pass *pass, tci_identify_trial *trial,
                                 tci_identify_trial **better);

/* tc_identify_update.c: the outputs of an update that failed with this status, which is returned */
tc_status tci_identify_refuse(tc_status status, const tc_identify *identify,
                              tc_identify_estimate *estimate, tc_identify_info *info);

/* tc_identify_root.c, for n unknowns. N = C^T C, C lower, in place; of N the lower triangle is read. */
void tci_identify_root_factor(tc_real *N, uint32_t n);
/* z = (C^T C)^-1 z */
void tci_identify_root_solve(const tc_real *C, tc_real *z, uint32_t n);
/* S = S C^-1 */
void tci_identify_root_divide(tc_real *S, const tc_real *C, uint32_t n);
/* S S^T + x^2 at (i, i) */
void tci_identify_root_widen(tc_real *S, uint32_t i, tc_real x, uint32_t n);

/* tc_identify_read.c: the lower limit of mu by bounds, and the means of mu and e inside their
 * ranges */
#define TCI_IDENTIFY_BOUND TC_C(2.5) /* deviations that a bound of mu is lowered by */
void tci_identify_read_all(const tc_identify *identify, tc_identify_estimate *estimate);
tc_real tci_identify_read_floor(const tc_identify *identify);
void tci_identify_read_means(const tc_identify *identify, tc_real means[TC_IDENTIFY_MAX]);
/* Standard deviation of unknown i of the Gaussian */
tc_real tci_identify_read_sd(const tc_identify *identify, uint32_t i);

#endif
