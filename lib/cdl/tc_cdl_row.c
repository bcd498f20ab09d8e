/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: closed contacts of bodies in a row on a line, resolved at once and exactly, whatever
 * the masses.
 *
 * A row: on a line, where each body has at most one closed contact on either side; at its ends
 * there may be walls. With x_k the bodies' velocities (or positions), upwards, and b_c the least
 * difference that contact c may have between its upper and its lower body, the impulses (or moves)
 * that complementarity asks for are those of
 *
 *     min 1/2 sum m_k (x'_k - x_k)^2,   x'_upper - x'_lower >= b_c for every c
 *
 * whose multipliers are the impulses. With s_k the sum of the b_c below body k and y = x - s, that
 * is to find the ascending y' nearest to y, the isotonic regression of statistics: bodies are taken
 * upwards, and while the last group of bodies lies lower than the one below it, the two become one,
 * at their mean by mass. A wall is a body of infinite mass at 0. Each merge is a mean of numbers
 * that lie between those given: nothing cancels, no mass ratio is too large, which a
 * complementarity problem in single precision cannot say (A has the condition of the ratio).
 *
 * Between two walls the b_c may leave no room; without restitution they are 0 or less, and there
 * is.
 *
 * Impulses: below a group's first body acts nothing, or a wall with lambda_0; above body k acts
 * lambda_0 - p_k, p_k what momentum the group gained up to k. lambda_0 is the largest p_k, or 0:
 * then none of them is negative. Between two walls it is one of many, the least.
 *
 * Cost on Cortex-M4F: 500 instructions a contact with an impulse. Stack 800 bytes.
 */
#include "tc_exact.h"
#include "tc_cdl_internal.h"

#include <string.h>

#define NONE 0xFFu

#define MOST_ROW (TC_CDL_BODIES_MAX + 2u)

/* Bodies that end with the same y. */
typedef struct group {
    tc_real y, mass;
    uint32_t bodies;
    uint32_t wall; /* 1: holds the wall below, 2: the one above; y is the wall's */
} group;

typedef struct row {
    const tc_cdl *cdl;
    const tci_cdl_row *asked;
    int elastic;
    uint8_t below[TC_CDL_BODIES_MAX], above[TC_CDL_BODIES_MAX]; /* the contact there, or NONE */
    uint32_t groups;
    tc_real y[MOST_ROW], mass[MOST_ROW]; /* of the groups, which would be larger as structs */
    uint8_t bodies[MOST_ROW];
    uint32_t floor, ceiling; /* 1, 2: the first group holds the wall below, the last the one above;
                              * or 0 */
} row;

/* ---- Who touches whom ------------------------------------------------------------------------ */

static int points_up(const row *p, uint32_t c)
{
    return *tci_cdl_normal(p->cdl, p->asked->r->normal, c, 1) > TC_C(0.0);
}

static uint32_t upper_body(const row *p, uint32_t c)
{
    const tc_cdl_contact *const contact = &p->cdl->config.contact[c];
    return points_up(p, c) ? contact->body : contact->other;
}

static uint32_t lower_body(const row *p, uint32_t c)
{
    const tc_cdl_contact *const contact = &p->cdl->config.contact[c];
    return points_up(p, c) ? contact->other : contact->body;
}

/* 0 if the body has a contact on that side already. */
static int link_contact(uint8_t *side, uint32_t body, uint32_t c)
{
    if (body == TC_CDL_WALL) {
        return 1;
    }
    const int first = side[body] == NONE;
    side[body] = (uint8_t)c;
    return first;
}

/* How many contacts were taken, or -1 where a body has two on one side. */
static int find_links(row *p)
{
    int count = 0;
    memset(p->below, NONE, sizeof p->below);
    memset(p->above, NONE, sizeof p->above);
    for (uint32_t c = 0; c < p->cdl->config.contacts; c++) {
        if (!tci_cdl_has(p->asked->contacts, c)) {
            continue;
        }
        if (!(link_contact(p->below, upper_body(p, c), c)
              && link_contact(p->above, lower_body(p, c), c))) {
            return -1;
        }
        count++;
    }
    return count;
}

/* Whether body k is the lowest of a row. */
static int begins_row(const row *p, uint32_t k)
{
    return p->below[k] != NONE ? lower_body(p, p->below[k]) == TC_CDL_WALL : p->above[k] != NONE;
}

/* Whether every contact is in a row that has a lowest body: not each body above the other, in a
 * ring. */
static int are_rows(row *p)
{
    int left = find_links(p);
    for (uint32_t k = 0; k < p->cdl->config.bodies && left > 0; k++) {
        uint32_t at = k;
        if (!begins_row(p, k)) {
            continue;
        }
        left -= p->below[k] != NONE;
        while (at != TC_CDL_WALL && p->above[at] != NONE) {
            at = upper_body(p, p->above[at]);
            left--;
        }
    }
    return left == 0;
}

/* ---- What is asked of them ------------------------------------------------------------------- */

static tc_real number_or_zero(const tc_real *x, uint32_t k)
{
    return k == TC_CDL_WALL ? TC_C(0.0) : x[k];
}

/* x_k before the row is solved. */
static tc_real value_before(const row *p, uint32_t k)
{
    const tci_cdl_work *const r = p->asked->r;
    if (p->asked->touch) {
        return number_or_zero(r->Q, k);
    }
    return p->asked->forces ? number_or_zero(r->V, k) + number_or_zero(r->D, k)
                            : number_or_zero(r->V, k);
}

/* b_c of positions: pairs that acted shall touch, others lie no deeper than they do. */
static tc_real touching_distance(const row *p, uint32_t c, tc_real apart)
{
    const tc_cdl_contact *const contact = &p->cdl->config.contact[c];
    const int joined = contact->other != TC_CDL_WALL && p->asked->r->gap[c] > TC_C(0.0);
    return joined || apart > contact->distance ? contact->distance : apart;
}

static tc_real body_mass(const row *p, uint32_t k)
{
    const tc_cdl_config *const config = &p->cdl->config;
    return config->mass != NULL ? config->mass[k] : config->mass_matrix[k];
}

/* A body on the way up, and its s: `base`, and while every contact on the way wants -e u, -e times
 * what V gained since `from`. That is the sum of their b_c without what a light body's speed would
 * round off in it. */
typedef struct place_row {
    uint32_t body;
    tc_real s, base, from;
} place_row;

/* To the body above, by way of contact c. */
static void climb_row(const row *p, uint32_t c, place_row *at)
{
    const uint32_t k = upper_body(p, c);
    const tc_real apart = value_before(p, k) - value_before(p, at->body);
    const tc_real v = number_or_zero(p->asked->r->V, k),
                  u = v - number_or_zero(p->asked->r->V, at->body);
    const tc_real e = p->elastic ? p->cdl->config.restitution : TC_C(0.0);
    const tc_real b = p->asked->touch ? touching_distance(p, c, apart)
                                      : tci_cdl_least(p->cdl, u, apart, p->elastic);
    if (!p->asked->touch && b == -e * u) {
        at->s = TC_MLS(at->base, e, v - at->from);
    } else {
        at->s = at->base = at->s + b;
        at->from = v;
    }
    at->body = k;
}

/* The lowest body of a row, k, reached from the wall below if there is one. */
static place_row row_bottom(const row *p, uint32_t k)
{
    place_row at = {k, TC_C(0.0), TC_C(0.0), p->asked->r->V[k]};
    if (p->below[k] != NONE) {
        at.body = TC_CDL_WALL;
        at.from = TC_C(0.0);
        climb_row(p, p->below[k], &at);
    }
    return at;
}

/* ---- The regression -------------------------------------------------------------------------- */

/* From the heavier's, so that a light one's, however far away, rounds but its own share. */
static tc_real mean_of_groups(const group *a, const group *b)
{
    const group *const heavy = a->mass < b->mass ? b : a, *const light = a->mass < b->mass ? a : b;
    return TC_MLA(heavy->y, light->y - heavy->y, light->mass / (heavy->mass + light->mass));
}

static group get_group(const row *p, uint32_t i)
{
    const uint32_t wall = (i == 0u ? p->floor : 0u) | (i + 1u == p->groups ? p->ceiling : 0u);
    const group g = {p->y[i], p->mass[i], p->bodies[i], wall};
    return g;
}

/* One more group on top, merged with those it lies below; 0 between two walls without room. */
static int push_row(row *p, group g)
{
    while (p->groups > 0u && p->y[p->groups - 1u] > g.y) {
        const group under = get_group(p, p->groups - 1u);
        p->groups--;
        if (under.wall && g.wall) {
            return 0;
        }
        g.y = under.wall ? under.y : (g.wall ? g.y : mean_of_groups(&under, &g));
        g.mass += under.mass;
        g.bodies += under.bodies;
        g.wall |= under.wall;
    }
    p->y[p->groups] = g.y;
    p->mass[p->groups] = g.mass;
    p->bodies[p->groups++] = (uint8_t)g.bodies;
    return 1;
}

/* The groups of the row whose lowest body is k. */
static int rise_row(row *p, uint32_t k)
{
    const group ground = {TC_C(0.0), TC_C(0.0), 0, 1};
    place_row at = row_bottom(p, k);
    p->groups = 0;
    p->ceiling = 0;
    p->floor = p->below[k] != NONE;
    if (p->floor) {
        push_row(p, ground);
    }
    for (;;) {
        const group one = {value_before(p, at.body) - at.s, body_mass(p, at.body), 1, 0};
        const uint32_t c = p->above[at.body];
        push_row(p, one);
        if (c == NONE) {
            return 1;
        }
        climb_row(p, c, &at);
        if (at.body == TC_CDL_WALL) {
            const group top = {-at.s, TC_C(0.0), 0, 2};
            const int fits = push_row(p, top);
            p->ceiling = 2;
            return fits;
        }
    }
}

/* ---- What comes of it ------------------------------------------------------------------------ */

static void climb_on(const row *p, place_row *at)
{
    if (p->above[at->body] != NONE) {
        climb_row(p, p->above[at->body], at);
    }
}

/* The impulse below the first body of a group, which `at` is. */
static tc_real carried_impulse(const row *p, const group *g, place_row at)
{
    tc_real gained = TC_C(0.0), most = TC_C(0.0);
    for (uint32_t i = 0; i < g->bodies && (g->wall & 1u) != 0u; i++) {
        gained = TC_MLA(gained, body_mass(p, at.body), g->y + at.s - value_before(p, at.body));
        most = gained > most ? gained : most;
        if (i + 1u < g->bodies) {
            climb_row(p, p->above[at.body], &at);
        }
    }
    return most;
}

static void add_impulse(const row *p, uint32_t c, tc_real lambda)
{
    if (!p->asked->touch && c != NONE && lambda > TC_C(0.0)) {
        p->asked->r->gap[c] += lambda;
    }
}

static void put_row(const row *p, uint32_t k, tc_real x)
{
    const tci_cdl_work *const r = p->asked->r;
    *(p->asked->touch ? &r->Q[k] : &r->V[k]) = x;
    if (p->asked->forces) {
        r->D[k] = TC_C(0.0);
    }
}

/* Moves a group's bodies, from the lowest on; leaves `at` above them. */
static void move_row(const row *p, const group *g, place_row *at)
{
    tc_real lambda = carried_impulse(p, g, *at);
    add_impulse(p, p->below[at->body], lambda);
    for (uint32_t i = 1; i <= g->bodies; i++) {
        const uint32_t k = at->body, c = p->above[k];
        const tc_real x = g->y + at->s;
        lambda = TC_MLS(lambda, body_mass(p, k), x - value_before(p, k));
        if (i < g->bodies || (g->wall & 2u) != 0u) {
            add_impulse(p, c, lambda);
        }
        climb_on(p, at);
        put_row(p, k, x);
    }
}

/* Groups of one body are left as they are, to the bit. */
static void settle_row(const row *p, uint32_t k)
{
    place_row at = row_bottom(p, k);
    for (uint32_t i = 0; i < p->groups; i++) {
        const group g = get_group(p, i);
        if (g.bodies > 1u || (g.bodies == 1u && g.wall != 0u)) {
            move_row(p, &g, &at);
        } else if (g.bodies == 1u) {
            climb_on(p, &at);
        }
    }
}

tc_status tci_cdl_row_solve(const tc_cdl *cdl, const tci_cdl_row *asked)
{
    row p;
    tc_status status = TC_OK;
    p.cdl = cdl;
    p.asked = asked;
    if (cdl->config.dimension != 1u || !are_rows(&p)) {
        return TC_ERR_UNSUPPORTED;
    }
    for (uint32_t k = 0; k < cdl->config.bodies; k++) {
        p.elastic = asked->elastic;
        if (!begins_row(&p, k)) {
            continue;
        }
        int fits = rise_row(&p, k);
        status = fits ? status : TC_NOTE_FALLBACK;
        if (!fits && !asked->touch) {
            p.elastic = 0;
            fits = rise_row(&p, k);
        }
        if (fits) {
            settle_row(&p, k);
        }
    }
    return status;
}
