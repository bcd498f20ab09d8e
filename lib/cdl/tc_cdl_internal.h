/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One contact of a CD-Lagrange system: what the two ways to resolve several share. Not for users:
 * nothing is checked. `turned` is the normals that a model wrote, or null; d the dimension, given
 * so that callers who know it get code for it.
 */
#ifndef TC_CDL_INTERNAL_H
#define TC_CDL_INTERNAL_H

#include "tc_cdl.h"
#include "tc_work.h"
#include "tc_vec.h"

TC_BEGIN

/* What not every system needs, kept out of the others' registers. */
#if defined(__GNUC__)
#define CDL_APART __attribute__((noinline))
#else
#define CDL_APART
#endif

static inline tc_real tci_cdl_dot(const tc_real *n, const tc_real *x, uint32_t d)
{
    tc_real sum = n[0] * x[0];
    for (uint32_t a = 1; a < d; a++) {
        sum = TC_MLA(sum, n[a], x[a]);
    }
    return sum;
}

static inline const tc_real *tci_cdl_normal(const tc_cdl *cdl, const tc_real *turned, uint32_t c,
                                            uint32_t d)
{
    return turned != NULL ? turned + c * d : cdl->config.contact[c].normal;
}

/* L . x: what the contact sees of positions, velocities or increments of them. */
static inline tc_real tci_cdl_along(const tc_cdl_contact *contact, const tc_real *n,
                                    const tc_real *x, uint32_t d)
{
    const tc_real u = tci_cdl_dot(n, x + contact->body * d, d);
    return contact->other == TC_CDL_WALL ? u : u - tci_cdl_dot(n, x + contact->other * d, d);
}

/* Of a contact whose normal does not turn. */
static inline tc_real tci_cdl_gap(const tc_cdl *cdl, uint32_t c, const tc_real *Q, uint32_t d)
{
    const tc_cdl_contact *const contact = &cdl->config.contact[c];
    return tci_cdl_along(contact, contact->normal, Q, d) - contact->distance;
}

/* n M_k^-1 m */
static inline tc_real tci_cdl_yield(const tc_cdl *cdl, uint32_t body, const tc_real *n,
                                    const tc_real *m, uint32_t d)
{
    const tc_real *row = cdl->inverse + body * d * d;
    if (cdl->H != NULL) {
        return cdl->inverse[body] * tci_cdl_dot(n, m, d);
    }
    tc_real sum = n[0] * tci_cdl_dot(row, m, d);
    for (uint32_t a = 1; a < d; a++) {
        row += d;
        sum = TC_MLA(sum, n[a], tci_cdl_dot(row, m, d));
    }
    return sum;
}

/* H of a contact with mass matrices. */
static inline tc_real tci_cdl_turned_mass(const tc_cdl *cdl, const tc_cdl_contact *contact,
                                          const tc_real *n, uint32_t d)
{
    tc_real yield = tci_cdl_yield(cdl, contact->body, n, n, d);
    if (contact->other != TC_CDL_WALL) {
        yield += tci_cdl_yield(cdl, contact->other, n, n, d);
    }
    return TC_C(1.0) / yield;
}

static inline tc_real tci_cdl_effective_mass(const tc_cdl *cdl, const tc_real *n, uint32_t c,
                                             uint32_t d)
{
    return cdl->H != NULL ? cdl->H[c] : tci_cdl_turned_mass(cdl, &cdl->config.contact[c], n, d);
}

/* x_k += M_k^-1 n lambda */
static inline void tci_cdl_push(const tc_cdl *cdl, uint32_t body, const tc_real *n, tc_real lambda,
                                tc_real *x, uint32_t d)
{
    const tc_real *row = cdl->inverse + body * d * d;
    x += body * d;
    if (cdl->H != NULL) {
        const tc_real step = cdl->inverse[body] * lambda;
        for (uint32_t a = 0; a < d; a++) {
            x[a] = TC_MLA(x[a], step, n[a]);
        }
        return;
    }
    for (uint32_t a = 0; a < d; a++, row += d) {
        x[a] = TC_MLA(x[a], tci_cdl_dot(row, n, d), lambda);
    }
}

/* x += M^-1 L^T lambda */
static inline void tci_cdl_strike(const tc_cdl *cdl, const tc_real *n, uint32_t c, tc_real lambda,
                                  tc_real *x, uint32_t d)
{
    const tc_cdl_contact *const contact = &cdl->config.contact[c];
    tci_cdl_push(cdl, contact->body, n, lambda, x, d);
    if (contact->other != TC_CDL_WALL) {
        tci_cdl_push(cdl, contact->other, n, -lambda, x, d);
    }
}

/* 1 if a closed contact that parts with u may act, and the restitution it acts with: Newton's if it
 * approaches faster than rest_speed, 0 if it is slower either way, for a body at rest keeps a
 * velocity of rounding. */
static inline int tci_cdl_acts(const tc_cdl *cdl, tc_real u, tc_real *restitution)
{
    const tc_real rest = cdl->config.rest_speed;
    *restitution = TC_C(0.0);
    if (!(u < TC_C(0.0))) {
        return u <= rest && rest > TC_C(0.0);
    }
    if (u < -rest) {
        *restitution = cdl->config.restitution;
    }
    return 1;
}

/* The least that L V' may be of a closed contact that shares its bodies with others, resolved with
 * them: u is L V before, `smooth` what it becomes without impulses. Not `elastic`: as if e were 0.
 *     approaching faster than rest_speed          -e u     Newton's
 *     slower, or at rest and pressed by forces    0        held, if there is a rest_speed
 *     parting (u >= 0)                            min(-e u, smooth): left alone unless pressed */
static inline tc_real tci_cdl_least(const tc_cdl *cdl, tc_real u, tc_real smooth, int elastic)
{
    tc_real e;
    if (tci_cdl_acts(cdl, u, &e) && (u < TC_C(0.0) || smooth < TC_C(0.0))) {
        return elastic ? -e * u : TC_C(0.0);
    }
    const tc_real back = elastic ? -cdl->config.restitution * u : TC_C(0.0);
    return back < smooth ? back : smooth;
}

/* A step on its way. Q and V are the caller's and are moved where they are. */
typedef struct tci_cdl_work {
    tc_real *Q, *V;
    const tc_real *before; /* Q, then V, as the step found them */
    tc_real *D;            /* what forces add to V */
    tc_real *gap;          /* of each contact; afterwards its impulse */
    tc_real *normal;       /* null unless the signal turns them */
    tc_real *scratch;      /* of models and resolver */
} tci_cdl_work;

/* A closed contact in its turn: acts on V with what Newton's law wants and on D with what forces
 * press, and hands back lambda, the sum. Apart, they leave -e V to the bit behind a wall: without
 * restitution a body stands still, and with e = 1 the step can be undone, so that rounding does not
 * add up over the bounces. */
static inline tc_real tci_cdl_resolve(const tc_cdl *cdl, const tci_cdl_work *r, uint32_t c,
                                      uint32_t d)
{
    const tc_cdl_contact *const contact = &cdl->config.contact[c];
    const tc_real *const n = tci_cdl_normal(cdl, r->normal, c, d);
    const tc_real u = tci_cdl_along(contact, n, r->V, d);
    tc_real e;
    if (!tci_cdl_acts(cdl, u, &e)) {
        return TC_C(0.0);
    }
    const tc_real newton = TC_MLA(u, e, u), pressed = tci_cdl_along(contact, n, r->D, d);
    const tc_real H = tci_cdl_effective_mass(cdl, n, c, d), missing = newton + pressed;
    if (!(missing < TC_C(0.0))) {
        return TC_C(0.0);
    }
    if (contact->other == TC_CDL_WALL && cdl->H != NULL) { /* the mass cancels */
        for (uint32_t a = 0; a < d; a++) {
            const uint32_t i = contact->body * d + a;
            r->V[i] = TC_MLS(r->V[i], n[a], newton);
            r->D[i] = TC_MLS(r->D[i], n[a], pressed);
        }
    } else {
        tci_cdl_strike(cdl, n, c, -H * newton, r->V, d);
        tci_cdl_strike(cdl, n, c, -H * pressed, r->D, d);
    }
    return -H * missing;
}

/* Moves the bodies of a pair along its normal until they touch: the first by its share, then the
 * second by what is left, so that what stays between them is one rounding of the second's move. */
static inline void tci_cdl_project(const tc_cdl *cdl, const tc_cdl_contact *contact,
                                   const tc_real *n, tc_real H, tc_real *Q, uint32_t d)
{
    const tc_real depth = tci_cdl_along(contact, n, Q, d) - contact->distance;
    tci_cdl_push(cdl, contact->body, n, -depth * H, Q, d);
    const tc_real left = tci_cdl_along(contact, n, Q, d) - contact->distance;
    if (cdl->H == NULL) {
        tci_cdl_push(cdl, contact->other, n, left / tci_cdl_yield(cdl, contact->other, n, n, d), Q,
                     d);
        return;
    }
    for (uint32_t a = 0; a < d; a++) {
        Q[contact->other * d + a] = TC_MLA(Q[contact->other * d + a], left, n[a]);
    }
}

/* ---- Contacts together ----------------------------------------------------------------------- */

/* Of overlaps: the deepest [m], and whether a contact still approaches, whatever was done to it,
 * though it overlaps by more than it would add in one more step, or would then by more than
 * cdl->overlap. What is slower than rounding of its bodies' velocities does not count. */
typedef struct tci_cdl_depths {
    tc_real deepest;
    int stuck;
} tci_cdl_depths;

/* Whether u, by which a contact approaches, is more than rounding of the velocities in it, now and
 * before the step. */
static inline int tci_cdl_matters(const tc_cdl *cdl, const tci_cdl_work *r,
                                  const tc_cdl_contact *contact, const tc_real *n, tc_real u,
                                  uint32_t d)
{
    const tc_real *const now = r->V, *const before = r->before + cdl->coordinates;
    const uint32_t k = contact->body * d, i = contact->other * d;
    tc_real sum = tc_vec_magnitude(tci_cdl_dot(n, now + k, d))
                  + tc_vec_magnitude(tci_cdl_dot(n, before + k, d));
    if (contact->other != TC_CDL_WALL) {
        sum += tc_vec_magnitude(tci_cdl_dot(n, now + i, d))
               + tc_vec_magnitude(tci_cdl_dot(n, before + i, d));
    }
    return u < TC_C(-8.0) * TC_EPSILON * sum;
}

static inline void tci_cdl_survey(const tc_cdl *cdl, const tci_cdl_work *r, uint32_t c, uint32_t d,
                                  tci_cdl_depths *found)
{
    const tc_cdl_contact *const contact = &cdl->config.contact[c];
    const tc_real *const n = tci_cdl_normal(cdl, r->normal, c, d);
    const tc_real gap = tci_cdl_along(contact, n, r->Q, d) - contact->distance;
    if (gap > TC_C(0.0)) {
        return;
    }
    const tc_real u = tci_cdl_along(contact, n, r->V, d), moved = cdl->config.step * u;
    found->deepest = -gap > found->deepest ? -gap : found->deepest;
    if (u < TC_C(0.0) && (gap < moved || gap + moved < -cdl->overlap)
        && tci_cdl_matters(cdl, r, contact, n, u, d)) {
        found->stuck = 1;
    }
}

static inline tci_cdl_depths tci_cdl_survey_all(const tc_cdl *cdl, const tci_cdl_work *r,
                                                uint32_t d)
{
    tci_cdl_depths found = {TC_C(0.0), 0};
    for (uint32_t c = 0; c < cdl->config.contacts; c++) {
        tci_cdl_survey(cdl, r, c, d, &found);
    }
    return found;
}

/* A set of contacts. */
typedef struct tci_cdl_set {
    uint32_t bits[TC_CDL_CONTACTS_MAX / 32u];
} tci_cdl_set;

static inline void tci_cdl_put(tci_cdl_set *set, uint32_t c)
{
    set->bits[c / 32u] |= 1u << c % 32u;
}

static inline int tci_cdl_has(const tci_cdl_set *set, uint32_t c)
{
    return (set->bits[c / 32u] >> c % 32u & 1u) != 0u;
}

/* What is asked of bodies in a row. */
typedef struct tci_cdl_row {
    const tci_cdl_work *r;
    const tci_cdl_set *contacts;
    int touch;   /* 1: of positions: pairs with an impulse shall touch, the others lie no deeper; 0:
                  * of velocities */
    int forces;  /* of V + D: then V takes D in; otherwise of V alone */
    int elastic; /* see tci_cdl_least */
} tci_cdl_row;

/* ---- Both grids ------------------------------------------------------------------------------ */

/* Q(t_n+1), and what was before; `falls`: D as well, of a system where nothing pushes but
 * weight. */
static inline void tci_cdl_move(const tc_cdl *cdl, tc_real *Q, const tc_real *V, tc_real *work,
                                int falls)
{
    const uint32_t n = cdl->coordinates;
    const tc_real h = cdl->config.step;
    const tc_real *drift = cdl->drift;
    tc_real *was = work + n, *D = was + n;
    const tc_real *const end = was;
    do {
        const tc_real q = *Q, v = *V++;
        *work++ = q;
        *was++ = v;
        if (falls) {
            *D++ = *drift++;
        }
        *Q++ = TC_MLA(q, h, v);
    } while (work != end);
}

/* V(t_n+3/2). 0, or NaN if Q or V is not finite: a product with 0 that starts at 0. */
static inline tc_real tci_cdl_add(const tc_real *D, const tc_real *Q, tc_real *V, uint32_t n)
{
    const tc_real *const end = D + n;
    tc_real zero = TC_C(0.0);
    do {
        const tc_real v = *V + *D++;
        *V++ = v;
        zero = zero * *Q++ * v;
    } while (D != end);
    return zero;
}

/* 0, or NaN if an impulse or the overlap of closed contacts is not finite: masses times velocities
 * may overflow where velocities do not. */
static inline tc_real tci_cdl_overflow(const tc_cdl *cdl, const tc_cdl_info *found)
{
    tc_real zero = TC_C(0.0) * found->overlap;
    for (uint32_t c = 0; c < cdl->config.contacts; c++) {
        zero *= found->impulse[c];
    }
    return zero;
}

/* What a step tells, if anyone asks. */
static inline tc_status tci_cdl_handed_on(tc_cdl_info *info, uint32_t acting,
                                          const tc_real *impulse, tc_real overlap, tc_status status)
{
    if (info != NULL) {
        info->acting = acting;
        info->impulse = acting > 0u ? impulse : NULL;
        info->body = 0;
        info->overlap = overlap;
    }
    return status;
}

/* Of two notes the one with the larger number. */
static inline tc_status tci_cdl_noted(tc_status a, tc_status b)
{
    return a > b ? a : b;
}

static inline tc_status tci_cdl_overlap_noted(const tc_cdl *cdl, tc_real overlap, tc_status status)
{
    return overlap > cdl->overlap ? TC_NOTE_OVERLAP : status;
}

/* ---- Between the sources --------------------------------------------------------------------- */

/* Which way tc_cdl_step takes. On a line (one dimension, plain gaps, in sequence) there are
 * straighter ones. */
enum {
    TC_CDL_ANY,
    TC_CDL_LINE,
    TC_CDL_SINGLE, /* on a line with a single contact, and with forces */
    TC_CDL_ALONE   /* one body over a single wall, with nothing but weight; with a user's force
                    * TC_CDL_LINE */
};

/* work: Q and V before, D, gaps, normals, scratch. */
static inline tci_cdl_work tci_cdl_carve(const tc_cdl *cdl, tc_real *Q, tc_real *V, tc_real *work)
{
    const uint32_t contacts = cdl->config.contacts;
    tci_cdl_work r = {Q,    V,   work, work + 2u * cdl->coordinates, work + 3u * cdl->coordinates,
                      NULL, NULL};
    r.normal = cdl->config.signal.turns ? r.gap + contacts : NULL;
    r.scratch = r.gap + contacts * (cdl->config.dimension + 1u);
    return r;
}

static inline tc_status tci_cdl_arguments(const tc_cdl *cdl, const tc_real *Q, const tc_real *V,
                                          const tc_real *work, size_t work_len)
{
    if (cdl == NULL || Q == NULL || V == NULL || work == NULL) {
        return TC_ERR_NULL;
    }
    if (cdl->coordinates == 0u) {
        return TC_ERR_SIZE;
    }
    return tc_work_check(work, work_len, cdl->work_len);
}

/* D = h M^-1 (F + weight - C V + the user's force), in its place in the workspace. */
tc_status tci_cdl_forces(const tc_cdl *cdl, const tc_real *force, const tc_real *Q,
                         const tc_real *V, tc_real *work);

/* Any system: gaps, impulses on V, projection. What acted stands in `info`. */
tc_status tci_cdl_meet(const tc_cdl *cdl, tc_real *Q, tc_real *V, tc_real *work, tc_cdl_info *info);

/* Names what was wrong, puts Q and V back and hands on the status. */
tc_status tci_cdl_fail(const tc_cdl *cdl, const tc_real *force, tc_real *Q, tc_real *V,
                       tc_cdl_info *info, tc_real *work, tc_status status);

/* Impulses of contacts on a line, on V and D, into what follows D; projections. What acted stands
 * in `info`. */
tc_status tci_cdl_strike_line(const tc_cdl *cdl, tc_real *Q, tc_real *V, tc_real *work,
                              tc_cdl_info *info);

/* Bodies in rows: velocities (their impulses are added to r->gap) or positions. TC_ERR_UNSUPPORTED,
 * and nothing is written: the contacts are no rows; TC_NOTE_FALLBACK: a row had no room to touch
 * and is left where it is. */
tc_status tci_cdl_row_solve(const tc_cdl *cdl, const tci_cdl_row *asked);

/* After all impulses: contacts that are stuck are resolved together, pairs that acted are projected
 * if that is wanted, impulses counted, overlaps noted. `depths` is what a survey found. */
tc_status tci_cdl_relieve(const tc_cdl *cdl, const tci_cdl_work *r, tci_cdl_depths depths,
                          tc_cdl_info *info);

/* The steps of TC_CDL_SINGLE and TC_CDL_ALONE; `force` of the latter is null. */
tc_status tci_cdl_step_single(const tc_cdl *cdl, const tc_real *force, tc_real *Q, tc_real *V,
                              tc_cdl_info *info, tc_real *work);
tc_status tci_cdl_step_alone(const tc_cdl *cdl, const tc_real *force, tc_real *Q, tc_real *V,
                             tc_cdl_info *info, tc_real *work);

TC_END

#endif
