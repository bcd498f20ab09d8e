/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: K bodies (points or spheres) in d dimensions that move in a potential and strike
 * walls and each other. The scheme is explicit and symplectic. It uses two grids of time: positions
 * Q at t_n, velocities V at t_n+1/2.
 *
 *     tc_cdl_config config = tc_cdl_default();        // bodies, masses, step, potential, contacts
 *     tc_cdl cdl;
 *     tc_real kept[TC_CDL_STATE(2, 1, 1)], work[TC_CDL_WORK(2, 1, 1, 0)];
 *     tc_status s = tc_cdl_init(&cdl, &config, kept, TC_COUNT(kept));
 *     if (s >= 0) s = tc_cdl_step(&cdl, NULL, Q, V, NULL, work, TC_COUNT(work));
 *
 * One step, with L the normal of a contact:
 *
 *     Q' = Q + h V
 *     F  = -dV/dQ (Q') - C V + the user's force
 *     D  = h M^-1 F
 *     for each contact in the order of the list, if gap(Q') <= 0 and L V < 0:
 *         a = -H (1 + e) L V,  b = -H L D,  lambda = a + b
 *         if lambda > 0:  V += M^-1 L^T a,  D += M^-1 L^T b
 *     V' = V + D
 *
 * So a contact separates with -e times its approach velocity, and the force of that step does not
 * act along its normal. H is 1 / (L M^-1 L^T): the body's mass for a wall, m_i m_j / (m_i + m_j)
 * for a pair.
 *
 * Potential and contact signal are small tables of functions, called models here. The header
 * tc_cdl_laws.h has analytic ones and tc_cdl_nets.h learned ones; the caller may write others. Q,
 * V, forces and masses are stored body by body: coordinate a of body k is at [k * d + a]. Units are
 * SI, or those of generalised coordinates; an angle takes a moment of inertia as its mass.
 *
 * Rest. With restitution alone a body comes to rest by an endless sequence of smaller bounces
 * (Zeno). In this scheme each bounce starts a little below the surface. The body then trembles with
 * speeds up to h g and sinks with the mean speed (1 - e) / (1 + e) * h g / 2; only e = 1 keeps its
 * height. `rest_speed` prevents this: a closed contact with |u| <= rest_speed is inelastic and
 * holds the forces on it. With rest_speed above h times the acceleration, 2 h g say, a body rests
 * exactly. One pass in sequence holds bodies on walls; a stack needs tc_cdl_simultaneous.
 *
 * Overlap. The scheme detects a contact when its bodies overlap, by at most |u| h of a step. In
 * sequence a later contact of the list may undo an earlier one, which is then resolved one step
 * late.
 * - A row is a set of bodies on a line, each with at most one closed contact on either side. Walls
 *   may be at its ends. Its bodies never overlap by more than 2 |u| h beside the effect of forces,
 *   u the fastest approach so far. This holds for all masses, e and orders of the list. With
 *   `project` they touch, and no overlap grows.
 * - A body that travels further than its width in a step may pass another. With e = 1 a light body
 *   between heavy ones gains such speeds. A campaign had 1000 rows of 3 to 8 bodies 0.2 m apart,
 *   with 2 m/s, h = 2 ms and masses up to 10^4 : 1. In 2 of them a body passed with e = 1, in none
 *   with e = 0.2 and 0.8.
 * - Elsewhere, 16 passes without restitution resolve contacts that get too deep. Masses up to 100 :
 *   1 hold. In 2 % of those rows, laid in the plane, a body passes at 10^4 : 1, and in 13 % at 10^6
 *   : 1. There use tc_cdl_simultaneous.
 * - info->overlap has the deepest overlap. TC_NOTE_OVERLAP reports that it exceeds config.overlap.
 *
 * Energy. With e = 1 the scheme conserves energy over any number of bounces, except for rounding.
 * In float a ball of 98 J gains or loses at most 2e-9 of its energy per step, in a direction that
 * depends on the step. In 10^6 steps that is 0.13 J at h = 0.02 s, -0.03 J at 1/128 s, and 0 at
 * 0.01 s and 0.005 s, where the orbit closes. The cradle, without projection, stays between 1.970 J
 * and 2.031 J.
 *
 * Rounding. Over 300 to 500 steps float strikes in the same steps as double, unless a gap is zero
 * to rounding. Positions differ by at most 2e-5 of the largest |q|, or by 2e-5 if that is below 1.
 *
 * Range. No step is refused for masses of 1e-9..1e9 kg, steps up to 1 s, and positions, distances,
 * velocities, forces and damping up to 1e9. Beyond this range a number may overflow: the call then
 * returns TC_ERR_RANGE, or TC_ERR_NOT_FINITE if a model wrote the number. No output is ever NaN or
 * infinite.
 *
 * Cost: one pass over bodies, one over contacts, and the models; see also tc_cdl_simultaneous. At
 * most 2 KB of stack.
 */
#ifndef TC_CDL_H
#define TC_CDL_H

#include "tc_lcp.h"

TC_BEGIN

/* Limits of a system, and the index of a wall. */
#define TC_CDL_BODIES_MAX 64u
#define TC_CDL_DIMENSION_MAX 3u
#define TC_CDL_CONTACTS_MAX 128u
#define TC_CDL_WALL 0xFFFFu /* `other` of a contact with a wall, which does not move */

/* A possible contact between two bodies, or between a body and a wall. */
typedef struct tc_cdl_contact {
    uint16_t body;     /* index of the body; 0..K-1 */
    uint16_t other;    /* index of another body, or TC_CDL_WALL */
    tc_real distance;  /* value of L . (q_body - q_other) at touch [m]; q_other of a wall is 0 */
    tc_real normal[3]; /* L: from other to body, first d numbers; unit length. A signal with
                        * `turns` replaces it */
} tc_cdl_contact;

struct tc_cdl;

/* Model of the conservative forces.
 * force: writes force[K d] = -dV/dQ [N] at Q[K d], and *potential [J] unless potential is NULL. The
 * array `scratch` has work_len numbers.
 * Returns: TC_OK, TC_NOTE_RANGE, or a negative status, which ends the step. tc_cdl_step returns the
 * status. */
typedef struct tc_cdl_potential {
    tc_status (*force)(const void *context, const struct tc_cdl *cdl, const tc_real *Q,
                       tc_real *force, tc_real *potential, tc_real *scratch);
    const void *context; /* first argument of `force`; must outlive the system */
    size_t work_len;     /* length of scratch */
} tc_cdl_potential;

/* Model of the contact signal.
 * gap: writes gap[contacts] from Q[K d] at t_n+1 and V[K d] at t_n+1/2. A contact is closed if its
 * gap <= 0; the unit is free, and a learned gap has none. If `turns` is not 0, the function also
 * writes normal[contacts][d]; else normal is NULL. The array `scratch` has work_len numbers.
 * Returns: as `force` of tc_cdl_potential. */
typedef struct tc_cdl_signal {
    tc_status (*gap)(const void *context, const struct tc_cdl *cdl, const tc_real *Q,
                     const tc_real *V, tc_real *gap, tc_real *normal, tc_real *scratch);
    const void *context; /* first argument of `gap`; must outlive the system */
    size_t work_len;     /* length of scratch */
    uint32_t turns;      /* 1: `gap` writes the normals; 0: those of tc_cdl_contact hold */
    uint32_t metric;     /* 1: the gaps are L . (q_body - q_other) - distance [m], so overlaps
                          * can be measured and undone; 0: they are not */
} tc_cdl_signal;

/* Method that resolves closed contacts. Internal to tc_cdl_simultaneous. */
struct tci_cdl_work;
typedef struct tc_cdl_resolver {
    tc_status (*resolve)(const struct tc_cdl *cdl, const struct tci_cdl_work *room); /* internal */
    size_t work_len; /* numbers of workspace */
} tc_cdl_resolver;

/* Resolves all closed contacts of a heap at once; a heap is a set of closed contacts connected by
 * bodies. The method is the frictionless complementarity problem
 *
 *     0 <= lambda  complementary to  L V' + e L V >= 0  (at rest: L V' >= 0).
 *
 * A row on a line may have any number of contacts, another heap up to TC_LCP_MAX. A contact without
 * neighbours is resolved as in sequence. Momentum is shared at once: three equal balls in a
 * row, struck elastically, go from (1, 0, 0) to (-1/3, 2/3, 2/3), in sequence to (0, 0, 1). Neither
 * method gains energy. Notes of tc_cdl_step:
 *   TC_NOTE_LIMIT     a heap had more than TC_LCP_MAX contacts, and was resolved in sequence.
 *   TC_NOTE_FALLBACK  tc_lcp_solve certified no answer for a heap, which was resolved in sequence.
 *                     Or a row between two walls had no space for its bounces, and was stopped.
 * Cost: contacts^2 comparisons to find the heaps, and tc_lcp_solve. A row takes 500 instructions
 * per contact on Cortex-M4F. */
extern const tc_cdl_resolver tc_cdl_simultaneous;

/* A system and its step. Arrays must outlive the tc_cdl. */
typedef struct tc_cdl_config {
    uint32_t bodies;                 /* K: number of bodies; 1..TC_CDL_BODIES_MAX; no default */
    uint32_t dimension;              /* d: dimensions; 1..TC_CDL_DIMENSION_MAX; no default */
    uint32_t contacts;               /* length of the list of contacts; 0..TC_CDL_CONTACTS_MAX; 0 */
    tc_real step;                    /* h: time step [s]; > 0; no default; higher: deeper
                                      * overlaps, less accurate orbits */
    tc_real restitution;             /* e: coefficient of restitution [1]; 0..1; 1; higher:
                                      * faster bounces */
    tc_real rest_speed;              /* threshold on the approach velocity of an inelastic
                                      * contact [m/s]; >= 0; 0: the published rule; higher:
                                      * bounces end sooner */
    int project;                     /* 1: after the forces, a pair that strikes is moved along its
                                      * normal until it touches, each body by the other's share of
                                      * the mass (section 4.3). 0: positions stay. Default 0 */
    const tc_real *mass;             /* [K] masses [kg]; > 0; NULL: mass_matrix */
    const tc_real *mass_matrix;      /* [K][d][d] mass matrices, symmetric positive definite;
                                      * NULL: mass. Exactly one of the two is NULL */
    const tc_real *damping;          /* [K] C: viscous damping [N s/m]; >= 0; stable for h C / m
                                      * <= 2; NULL: none */
    const tc_real *weight;           /* [K d] constant force such as gravity [N]; its potential
                                      * is -weight . Q; NULL: none */
    const tc_cdl_contact *contact;   /* [contacts] in the order of resolution: ascending body */
    tc_cdl_potential potential;      /* model of all other forces; `force` NULL: none */
    tc_cdl_signal signal;            /* model of the gaps; `gap` NULL: L . (q_body - q_other) -
                                      * distance with the normals of `contact` */
    const tc_cdl_resolver *resolver; /* NULL: in sequence; or &tc_cdl_simultaneous */
    tc_real overlap;                 /* threshold on the overlap for TC_NOTE_OVERLAP [m]; >= 0;
                                      * 0: half the smallest positive distance of a pair, or no
                                      * note if there is none */
} tc_cdl_config;

/* Returns a configuration with restitution 1 and zero elsewhere. */
tc_cdl_config tc_cdl_default(void);

/* A checked system. The caller may read the fields and must not write them. */
typedef struct tc_cdl {
    tc_cdl_config config;   /* copy of the configuration */
    uint32_t coordinates;   /* K d */
    const tc_real *inverse; /* [K] or [K][d][d] M^-1 */
    const tc_real *rate;    /* [K d] or [K][d][d] h M^-1 */
    const tc_real *drift;   /* [K d] h M^-1 weight */
    const tc_real *H;       /* [contacts] effective masses; NULL for mass matrices with d > 1,
                             * where H depends on the normal */
    uint8_t steady;         /* 1: neither potential nor damping, so `drift` is the whole effect
                             * of forces */
    uint8_t way;            /* internal: code path of tc_cdl_step */
    uint8_t metric;         /* 1: gaps are lengths along the normals, by default or by the
                             * signal's `metric` */
    tc_real overlap;        /* threshold for TC_NOTE_OVERLAP [m] */
    size_t work_len;        /* length of the workspace of tc_cdl_step */
    uint32_t fault;         /* after an error of tc_cdl_init: index of the faulty body or contact */
} tc_cdl;

/* Lengths: TC_CDL_STATE that tc_cdl_init fills, TC_CDL_WORK of the workspace of a step.
 * `model_work` is the larger work_len of the two models. A system with tc_cdl_simultaneous needs
 * TC_CDL_SIMULTANEOUS_WORK for a step. */
#define TC_CDL_STATE(K, d, contacts) ((K) * (d) * (2u * (d) + 1u) + (contacts))
#define TC_CDL_WORK(K, d, contacts, model_work)                                                    \
    (3u * (K) * (d) + (contacts) * ((d) + 1u) + (model_work))
#define TC_CDL_LCP_WORK (((TC_LCP_MAX + 3u) * TC_LCP_MAX + TC_LCP_WORK(TC_LCP_MAX) + 15u) & ~15u)
#define TC_CDL_SIMULTANEOUS_WORK(K, d, contacts, model_work)                                       \
    TC_CDL_WORK(K, d, contacts, (model_work) > TC_CDL_LCP_WORK ? (model_work) : TC_CDL_LCP_WORK)

/* Checks the configuration and prepares a system. `state[TC_CDL_STATE(K, d, contacts)]`: memory of
 * the system, which must outlive it.
 * Returns:
 *   TC_OK               done.
 *   TC_ERR_NULL         a pointer is NULL, or not exactly one of mass and mass_matrix is.
 *   TC_ERR_SIZE         bodies, dimension or contacts are beyond their limits, or a contact names
 *                       no body or one body twice.
 *   TC_ERR_WORK         state_len is below TC_CDL_STATE(K, d, contacts).
 *   TC_ERR_ALIGN        `state` is misaligned.
 *   TC_ERR_NOT_FINITE   a number is NaN or infinite.
 *   TC_ERR_RANGE        step, restitution, rest_speed, overlap or damping is out of range, or h / m
 *                       or an effective mass overflows.
 *   TC_ERR_BODY         a mass is not positive.
 *   TC_ERR_SINGULAR     a mass matrix is singular.
 *   TC_ERR_INDEFINITE   a mass matrix is not positive definite.
 *   TC_ERR_UNIT         a normal is not of unit length within TC_UNIT_TOLERANCE.
 * On error: cdl is zero except `fault`, and tc_cdl_step refuses it.
 * Cost: one inverse per mass matrix; 464 bytes of stack. */
tc_status tc_cdl_init(tc_cdl *cdl, const tc_cdl_config *config, tc_real *state, size_t state_len);

/* How a step went. */
typedef struct tc_cdl_info {
    uint32_t acting;        /* number of contacts with an impulse */
    const tc_real *impulse; /* [contacts] lambda [N s], in the workspace; >= 0; NULL after an
                             * error, and possibly if `acting` is 0. In a row resolved together
                             * it is accurate to 1e-6 of the row's largest momentum */
    uint32_t body;          /* after TC_ERR_NOT_FINITE, TC_ERR_RANGE, TC_ERR_UNIT: first body
                             * with faulty numbers */
    tc_real overlap;        /* deepest overlap of a contact at t_n+1, before projection [m]; 0 if
                             * the signal is not `metric` */
} tc_cdl_info;

/* Advances Q[K d] and V[K d] by one step h. No two arrays may overlap.
 * force[K d]: the user's force [N], constant over the step; NULL: none. info: may be NULL.
 * Returns: one of these; of several notes the one with the largest number.
 *   TC_OK              done.
 *   TC_NOTE_LIMIT      in sequence: contacts that got too deep still approach. tc_cdl_simultaneous:
 *                      a heap was too large.
 *   TC_NOTE_RANGE      the input of a net is outside its training range.
 *   TC_NOTE_FALLBACK   see tc_cdl_simultaneous; or a pair was not projected, because that would
 *                      have pushed its bodies deeper into others.
 *   TC_NOTE_OVERLAP    info->overlap exceeds its threshold.
 *   TC_ERR_NULL        cdl, Q, V or work is NULL.
 *   TC_ERR_SIZE        cdl is not initialised.
 *   TC_ERR_WORK        work_len is below cdl->work_len.
 *   TC_ERR_ALIGN       an array is misaligned.
 *   TC_ERR_NOT_FINITE  Q, V, force, or a number that a model wrote is NaN or infinite.
 *   TC_ERR_RANGE       a result or an impulse overflows.
 *   TC_ERR_UNIT        a normal that a model wrote for a closed contact is not of unit length.
 *   negative           the status of a model.
 * On error: Q and V are unchanged.
 * Cost: see above; work of TC_CDL_WORK(K, d, contacts, model_work), which is cdl->work_len. */
tc_status tc_cdl_step(const tc_cdl *cdl, const tc_real *force, tc_real *Q, tc_real *V,
                      tc_cdl_info *info, tc_real *work, size_t work_len);

/* Computes E = 1/2 V^T M V + V(Q) [J] from the arrays as they are, with V half a step ahead of Q.
 * Within a step E swings, for gravity by h g v / 2. Over many steps it changes by rounding only.
 * Returns: TC_OK, TC_NOTE_RANGE or an error of tc_cdl_step.
 * On error: *energy is 0. */
tc_status tc_cdl_energy(const tc_cdl *cdl, const tc_real *Q, const tc_real *V, tc_real *energy,
                        tc_real *work, size_t work_len);

TC_END

#endif
