/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: K bodies (points, or spheres) in d dimensions that move in a potential and strike walls and
 * each other. An explicit, symplectic scheme on two grids of time: positions Q at t_n, velocities V at
 * t_n+1/2.
 *
 *     tc_cdl_config config = tc_cdl_default();        // bodies, masses, step, potential, contacts
 *     tc_cdl cdl;
 *     tc_real room[TC_CDL_STATE(2, 1, 1)], work[TC_CDL_WORK(2, 1, 1, 0)];
 *     tc_status s = tc_cdl_init(&cdl, &config, room, TC_COUNT(room));
 *     if (s >= 0) s = tc_cdl_step(&cdl, NULL, Q, V, NULL, work, TC_COUNT(work));
 *
 * One step, with L the normal of a contact:
 *
 *     Q' = Q + h V
 *     F  = -dV/dQ (Q') - C V + the user's force
 *     D  = h M^-1 F
 *     for each contact in the order of the list, if gap(Q') <= 0 and L V < 0:
 *         lambda = max(0, -H ((1 + e) L V + L D)),  V += M^-1 L^T of its first part, D of its second
 *     V' = V + D
 *
 * so a contact leaves with -e times the speed it came with: the force of that step does not act along its
 * normal. H is 1 / (L M^-1 L^T), of a wall's contact the body's mass, of a pair's m_i m_j / (m_i + m_j).
 *
 * Potential and contact are small tables of functions: analytic ones stand in tc_cdl_laws.h, learned ones
 * in tc_cdl_nets.h, and yours may stand beside them. The layout of Q, V, forces and masses is body by body:
 * coordinate a of body k at [k * d + a]. SI units (generalised coordinates: theirs; an angle wants the moment
 * of inertia as its mass).
 *
 * Resting. With restitution alone, rest is a sequence of ever smaller bounces that never ends (Zeno), and
 * each of the scheme's bounces starts a little below the surface: a body lying on a floor trembles with
 * speeds up to h g and sinks, with a mean speed of (1 - e) / (1 + e) * h g / 2; only e = 1 keeps its height.
 * `rest_speed` ends that: a closed contact slower than this (|u| <= rest_speed) is inelastic and holds what
 * presses on it. Choose it above h times the acceleration (2 h g), and a body comes to rest where it is,
 * exactly. One pass in sequence holds what lies on walls; a stack wants tc_cdl_simultaneous.
 *
 * Overlap. A contact is seen when its bodies overlap, by the way |u| h of a step at most. In sequence a later contact
 * of the list may undo an earlier one; then it may be late by one step, and is resolved with all it is connected with if
 * it would be by another. So bodies in a row on a line (each with one closed contact on either side, at the ends walls)
 * never overlap by more than 2 |u| h, u the fastest approach so far, and what forces press in: whatever their masses, e,
 * and order of the list. With `project` they touch, and no overlap becomes deeper. What this does not hold: a body
 * that travels further than it is wide in a step passes others. With e = 1 a light body between heavy ones is thrown
 * back and forth until it does: of rows of 3 to 8 bodies 0.2 m apart, with 2 m/s and h = 2 ms, none passed for masses up
 * to 10^4 : 1 with e = 0.2 and 0.8, 2 of 1000 did with e = 1.
 * Elsewhere (in the plane, in space, or where a body has two closed contacts on one side) contacts in sequence that get
 * too deep are resolved by 16 passes without restitution; masses up to 100 : 1 hold, of those rows laid in the plane 2 %
 * pass at 10^4 : 1 and 13 % at 10^6 : 1. There tc_cdl_simultaneous is what holds. info->overlap has the deepest overlap
 * in any case, and TC_NOTE_OVERLAP says that it exceeds config.overlap.
 *
 * Energy. The scheme keeps it, with e = 1 over any number of bounces; what drifts is rounding. In float a ball of
 * 98 J gains or loses at most 2e-9 of its energy per step, in one direction, which depends on the step: in 10^6
 * steps 0.13 J at h = 0.02 s, -0.03 J at 1/128 s, nothing at 0.01 s and 0.005 s, where the orbit closes. The
 * cradle, without projection, stays between 1.970 J and 2.031 J.
 *
 * Rounding. Over 300 to 500 steps float strikes in the same steps as double, unless a gap is zero to rounding, and
 * its positions differ by at most 2e-5 of the largest |q|, or 2e-5 if that is below 1.
 *
 * Range. With masses from 1e-9 to 1e9 kg, with positions, distances, velocities, forces and damping up to 1e9, and steps
 * up to 1 s no step is refused. Beyond, a system or a step of which any number overflows is, TC_ERR_RANGE (or, if it is
 * what a law wrote, TC_ERR_NOT_FINITE), and no number that is not finite comes out.
 *
 * Time: one pass over bodies, one over contacts, the laws' own; with tc_cdl_simultaneous see there.
 */
#ifndef TC_CDL_H
#define TC_CDL_H

#include "tc_lcp.h"

TC_BEGIN

#define TC_CDL_BODIES_MAX 64u
#define TC_CDL_DIMENSION_MAX 3u
#define TC_CDL_CONTACTS_MAX 128u
#define TC_CDL_WALL 0xFFFFu /* `other` of a contact with something that does not move */

/* A contact that may happen: between body and other, or between body and a wall. */
typedef struct tc_cdl_contact {
    uint16_t body;     /* 0..K-1 */
    uint16_t other;    /* another one, or TC_CDL_WALL */
    tc_real distance;  /* they touch where L . (q_body - q_other) is this [m]; a wall's q is 0 */
    tc_real normal[3]; /* L, unit, from other to body; the first d count. What a law that turns gives is used
                          instead */
} tc_cdl_contact;

struct tc_cdl;

/* Conservative forces. Writes force[K d] = -dV/dQ at Q [N], and *potential [J] if that is not null. A
 * negative status ends the step and is handed on; so is TC_NOTE_RANGE. scratch holds work_len numbers. */
typedef struct tc_cdl_potential {
    tc_status (*force)(const void *context, const struct tc_cdl *cdl, const tc_real *Q, tc_real *force,
                       tc_real *potential, tc_real *scratch);
    const void *context;
    size_t work_len;
} tc_cdl_potential;

/* Which contacts are closed. Writes gap[contacts] from Q [K d] at t_n+1 and V [K d] at t_n+1/2: closed where
 * <= 0, whatever its unit (a learned one has none). If `turns` is not 0, normal[contacts][d] too; otherwise
 * normal is null. Statuses as above. */
typedef struct tc_cdl_signal {
    tc_status (*gap)(const void *context, const struct tc_cdl *cdl, const tc_real *Q, const tc_real *V,
                     tc_real *gap, tc_real *normal, tc_real *scratch);
    const void *context;
    size_t work_len;
    uint32_t turns;
    uint32_t metric; /* 1: its gaps are L . (q_body - q_other) - distance [m] with the normals that are used, so that
                        overlaps can be told and undone; 0: they need not be */
} tc_cdl_signal;

/* How closed contacts are resolved, if not in sequence. Opaque: internal to tc_cdl_simultaneous. */
struct tci_cdl_work;
typedef struct tc_cdl_resolver {
    tc_status (*resolve)(const struct tc_cdl *cdl, const struct tci_cdl_work *room);
    size_t work_len;
} tc_cdl_resolver;

/* All closed contacts that share bodies at once, by the frictionless complementarity problem
 *     0 <= lambda  complementary to  L V' + e L V >= 0 (at rest: L V' >= 0)
 * of any number in a row on a line; elsewhere up to TC_LCP_MAX, and more in one heap are resolved in sequence, with
 * TC_NOTE_LIMIT, as is, with TC_NOTE_FALLBACK, a heap that tc_lcp_solve cannot certify. A row between two walls that has
 * no room for its bounces is stopped without, with TC_NOTE_FALLBACK, too. A contact by itself comes out as in sequence.
 * Momentum is shared at once instead of handed on: of three equal balls in a row, struck elastically, (1, 0, 0) becomes
 * (-1/3, 2/3, 2/3), in sequence (0, 0, 1). Neither gains energy. Bound: contacts^2 comparisons to find heaps, and
 * tc_lcp_solve's, or of a row 500 instructions a contact on Cortex-M4F. */
extern const tc_cdl_resolver tc_cdl_simultaneous;

typedef struct tc_cdl_config {
    uint32_t bodies;                /* K, 1..TC_CDL_BODIES_MAX */
    uint32_t dimension;             /* d, 1..TC_CDL_DIMENSION_MAX */
    uint32_t contacts;              /* 0..TC_CDL_CONTACTS_MAX */
    tc_real step;                   /* h [s] > 0 */
    tc_real restitution;            /* e, 0..1 */
    tc_real rest_speed;             /* [m/s] >= 0; 0: the published rule, see above */
    int project;                    /* 1: a pair that strikes is moved along its normal until it just touches,
                                       each by the other's share of the mass (section 4.3), so that none gains
                                       by penetration; after the forces were taken */
    const tc_real *mass;            /* [K] > 0; null: mass_matrix */
    const tc_real *mass_matrix;     /* [K][d][d] symmetric positive definite, if mass is null */
    const tc_real *damping;         /* [K] C >= 0 [N s/m], or null; stable for h C / m <= 2 */
    const tc_real *weight;          /* [K d] a constant force, gravity [N], or null; its potential is
                                       -weight . Q */
    const tc_cdl_contact *contact;  /* [contacts], in the order in which they are resolved: ascending body */
    tc_cdl_potential potential;     /* of all other forces; force null: none */
    tc_cdl_signal signal;           /* gap null: L . (q_body - q_other) - distance, normals as in `contact` */
    const tc_cdl_resolver *resolver; /* null: in sequence; or &tc_cdl_simultaneous */
    tc_real overlap;                /* [m] >= 0: a deeper overlap is noted; 0: half the least distance > 0 of a
                                       pair, and if there is none, no overlap is */
} tc_cdl_config;

/* e = 1, everything else zero. */
tc_cdl_config tc_cdl_default(void);

/* A system that was checked. Fields are to be read only; arrays of the configuration must outlive it. */
typedef struct tc_cdl {
    tc_cdl_config config;
    uint32_t coordinates;   /* K d */
    const tc_real *inverse; /* M^-1, [K] or [K][d][d] */
    const tc_real *rate;    /* h M^-1, [K d] or [K][d][d] */
    const tc_real *drift;   /* [K d] h M^-1 weight */
    const tc_real *H;       /* [contacts] effective masses; null with mass matrices of more than one dimension:
                               there they turn with the normal */
    uint8_t steady;         /* 1: neither potential nor damping: drift is all that forces do */
    uint8_t way;            /* which of its ways tc_cdl_step takes */
    uint8_t metric;         /* 1: gaps are lengths along the normals: built in, or the signal's `metric` */
    tc_real overlap;        /* [m] deeper overlaps are noted */
    size_t work_len;        /* what tc_cdl_step needs */
    uint32_t fault;         /* after an error of tc_cdl_init: index of the body or contact at fault */
} tc_cdl;

/* Numbers that tc_cdl_init fills and tc_cdl_step works with; `law` is the larger work_len of the two laws,
 * TC_CDL_LCP_WORK more with tc_cdl_simultaneous. */
#define TC_CDL_STATE(K, d, contacts) ((K) * (d) * (2u * (d) + 1u) + (contacts))
#define TC_CDL_WORK(K, d, contacts, law) (3u * (K) * (d) + (contacts) * ((d) + 1u) + (law))
#define TC_CDL_LCP_WORK (((TC_LCP_MAX + 3u) * TC_LCP_MAX + TC_LCP_WORK(TC_LCP_MAX) + 15u) & ~15u)

/* Checks the configuration. TC_ERR_NULL; TC_ERR_SIZE (bodies, dimension or contacts beyond their limits, a
 * contact of a body that is not there or with itself); TC_ERR_WORK, TC_ERR_ALIGN (room);
 * TC_ERR_NOT_FINITE; TC_ERR_RANGE (step, restitution, rest_speed, overlap, damping, or masses so
 * small or large that h / m or 1 / (1/m + 1/m) overflow); TC_ERR_BODY (mass not positive);
 * TC_ERR_SINGULAR, TC_ERR_INDEFINITE (mass matrix); TC_ERR_UNIT (normal). On an error `cdl` is
 * zero but for `fault`, and tc_cdl_step refuses it. */
tc_status tc_cdl_init(tc_cdl *cdl, const tc_cdl_config *config, tc_real *room, size_t room_len);

typedef struct tc_cdl_info {
    uint32_t acting;        /* contacts with an impulse */
    const tc_real *impulse; /* [contacts] lambda [N s] >= 0 in the workspace; null after an error, and where
                               acting is 0 it may be. Of contacts in a row resolved together,
                               rounded by 1e-6 of the largest momentum in it */
    uint32_t body;          /* with TC_ERR_NOT_FINITE, _RANGE, _UNIT: the first body with wrong numbers */
    tc_real overlap;        /* the deepest of a contact at t_n+1, before projection [m]; 0 with a signal that is not
                               `metric` */
} tc_cdl_info;

/* One step of h: Q and V [K d] are moved. force[K d] is the user's [N], constant over the step; null: none.
 * `info` may be null. No two arrays may share memory.
 *
 *   TC_OK
 *   TC_NOTE_LIMIT     contacts approach still, too deep for it (in sequence, not a row), or a heap was too large
 *   TC_NOTE_RANGE     a net's input lies outside its training
 *   TC_NOTE_FALLBACK  a heap was not certified or a row had no room (tc_cdl_simultaneous); or a pair was not projected,
 *                     because that would have pushed its bodies deeper into others
 *   TC_NOTE_OVERLAP   info->overlap exceeds the bound; of several notes the one with the largest number is told
 *   TC_ERR_NULL, TC_ERR_SIZE (not initialised), TC_ERR_WORK, TC_ERR_ALIGN
 *   TC_ERR_NOT_FINITE   Q, V, the user's force, or what a law wrote; TC_ERR_RANGE the result overflows, or
 *                       an impulse does
 *   TC_ERR_UNIT         a normal that a law wrote for a closed contact is not of unit length
 *   or a law's own: Q and V are as they were */
tc_status tc_cdl_step(const tc_cdl *cdl, const tc_real *force, tc_real *Q, tc_real *V, tc_cdl_info *info,
                      tc_real *work, size_t work_len);

/* E = 1/2 V^T M V + V(Q) [J], as the two arrays stand, that is with V half a step ahead. It swings with the
 * step (for gravity by h g v / 2) and drifts by rounding only. Statuses as tc_cdl_step; 0 on an error. */
tc_status tc_cdl_energy(const tc_cdl *cdl, const tc_real *Q, const tc_real *V, tc_real *energy, tc_real *work,
                        size_t work_len);

TC_END

#endif
