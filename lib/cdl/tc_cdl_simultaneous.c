/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: closed contacts of connected bodies resolved at once, by a complementarity problem.
 *
 * Contacts fall into heaps that share no moving body; each heap of n is a problem of its own:
 *
 *     A_cc' = L_c M^-1 L_c'^T,   0 <= lambda  complementary to  w = A lambda + L V^S - b >= 0
 *
 * with V^S = V + D the velocity without impulses, u_c = L_c V, and b_c the least velocity that the
 * contact may have afterwards (tci_cdl_least).
 *
 * Without forces no energy comes in. The gain is sum lambda_c (u_c' + u_c) / 2, and where lambda_c
 * > 0, u_c' = b_c. Say X is the sum of lambda_c u_c over contacts with b_c = -e u_c, Y <= 0 over
 * those held: the gain is ((1 - e) X + Y) / 2, and lambda^T A lambda = sum lambda_c (u_c' -
 * u_c) = -(1 + e) X - Y >= 0. So X <= -Y / (1 + e), and the gain is at most e Y / (1 + e) <= 0.
 * That is why a parting contact may come back with -e u_c, and not stand at 0.
 *
 * On a line, heaps that are rows need no problem: tc_cdl_row.c.
 *
 * Cost: forming A is n^2 / 2 products of d numbers. Work: n (n + 3) and tc_lcp_solve's, n <=
 * TC_LCP_MAX. Stack 400 bytes with 16.
 */
#include "tc_exact.h"
#include "tc_cdl.h"

#include "tc_cdl_internal.h"
#include "tc_lcp.h"
#include "tc_vec.h"
#include "tc_work.h"

#define OPEN 0xFFu

/* The number of the heap that each contact is in. */
typedef struct heaps {
    uint8_t heap[TC_CDL_CONTACTS_MAX]; /* 0: closed, and in none yet; or OPEN */
} heaps;

/* The heap that is solved, and what of scratch holds it. */
typedef struct problem {
    const tc_cdl *cdl;
    const tci_cdl_work *r;
    uint32_t n;
    uint8_t contact[TC_LCP_MAX];
    tc_real *A, *q, *z, *w, *work;
} problem;

static int moves_together(uint16_t body)
{
    return body != TC_CDL_WALL;
}

static int share_together(const tc_cdl_contact *a, const tc_cdl_contact *b)
{
    return a->body == b->body || a->body == b->other
           || (moves_together(a->other) && (a->other == b->body || a->other == b->other));
}

static void find_closed(const tc_cdl *cdl, const tc_real *gap, heaps *h)
{
    for (uint32_t c = 0; c < cdl->config.contacts; c++) {
        h->heap[c] = gap[c] <= TC_C(0.0) ? 0u : OPEN;
    }
}

/* Gives the whole heap of the closed contact `first` its number; hands back how many are in it.
 * Each round but the last adds one at least. */
static uint32_t spread_together(const tc_cdl *cdl, heaps *h, uint32_t first, uint8_t number)
{
    const tc_cdl_contact *const list = cdl->config.contact;
    uint8_t queue[TC_CDL_CONTACTS_MAX];
    uint32_t size = 1;
    queue[0] = (uint8_t)first;
    h->heap[first] = number;
    for (uint32_t next = 0; next < size; next++) {
        for (uint32_t c = 0; c < cdl->config.contacts; c++) {
            if (h->heap[c] == 0u && share_together(&list[c], &list[queue[next]])) {
                h->heap[c] = number;
                queue[size++] = (uint8_t)c;
            }
        }
    }
    return size;
}

/* n_a M_k^-1 n_b if body k is on both sides, else 0. */
static tc_real coupling_through(const tc_cdl *cdl, uint16_t k, const tc_real *na, uint16_t other,
                                const tc_real *nb)
{
    return k == other && moves_together(k) ? tci_cdl_yield(cdl, k, na, nb, cdl->config.dimension)
                                           : TC_C(0.0);
}

/* A_ab */
static tc_real coupling_of_contacts(const tc_cdl *cdl, const tc_real *turned, uint32_t a,
                                    uint32_t b)
{
    const uint32_t d = cdl->config.dimension;
    const tc_cdl_contact *const p = &cdl->config.contact[a], *const q = &cdl->config.contact[b];
    const tc_real *const na = tci_cdl_normal(cdl, turned, a, d), *const nb = tci_cdl_normal(
                                                                     cdl, turned, b, d);
    const tc_real same = coupling_through(cdl, p->body, na, q->body, nb)
                         + coupling_through(cdl, p->other, na, q->other, nb);
    const tc_real crossed = coupling_through(cdl, p->body, na, q->other, nb)
                            + coupling_through(cdl, p->other, na, q->body, nb);
    return same - crossed;
}

/* L V^S - b of contact c. */
static tc_real missing_speed(const problem *p, uint32_t c)
{
    const uint32_t d = p->cdl->config.dimension;
    const tc_cdl_contact *const contact = &p->cdl->config.contact[c];
    const tc_real *const n = tci_cdl_normal(p->cdl, p->r->normal, c, d);
    const tc_real u = tci_cdl_along(contact, n, p->r->V, d);
    const tc_real smooth = u + tci_cdl_along(contact, n, p->r->D, d);
    return smooth - tci_cdl_least(p->cdl, u, smooth, 1);
}

static void collect_heap(problem *p, const heaps *h, uint8_t number)
{
    p->n = 0;
    for (uint32_t c = 0; c < p->cdl->config.contacts; c++) {
        if (h->heap[c] == number) {
            p->contact[p->n++] = (uint8_t)c;
        }
    }
}

/* 1 if the heap was solved and its impulses act. */
static int solve_together(problem *p)
{
    const uint32_t n = p->n, d = p->cdl->config.dimension;
    for (uint32_t i = 0; i < n; i++) {
        p->q[i] = missing_speed(p, p->contact[i]);
        for (uint32_t j = 0; j <= i; j++) {
            const tc_real a =
                coupling_of_contacts(p->cdl, p->r->normal, p->contact[i], p->contact[j]);
            p->A[i * n + j] = a;
            p->A[j * n + i] = a;
        }
    }
    const tc_lcp lcp = {n, TC_LCP_SEMIDEFINITE, p->A, p->q, NULL, 0, 0};
    if (!tc_lcp_certified(tc_lcp_solve(&lcp, p->z, p->w, NULL, p->work, TC_LCP_WORK(TC_LCP_MAX)))) {
        return 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t c = p->contact[i];
        p->r->gap[c] = p->z[i];
        tci_cdl_strike(p->cdl, tci_cdl_normal(p->cdl, p->r->normal, c, d), c, p->z[i], p->r->V, d);
    }
    return 1;
}

/* TC_ERR_UNSUPPORTED if the heap is no row on a line. */
static tc_status solve_row(const tc_cdl *cdl, const tci_cdl_work *r, const heaps *h, uint8_t number)
{
    tci_cdl_set set = {{0}};
    const tci_cdl_row row = {r, &set, 0, 1, 1};
    for (uint32_t c = 0; c < cdl->config.contacts; c++) {
        if (h->heap[c] == number) {
            tci_cdl_put(&set, c);
        }
    }
    return tci_cdl_row_solve(cdl, &row);
}

static void in_sequence(const tc_cdl *cdl, const tci_cdl_work *r, const heaps *h, uint8_t number)
{
    for (uint32_t c = 0; c < cdl->config.contacts; c++) {
        if (h->heap[c] == number) {
            r->gap[c] = tci_cdl_resolve(cdl, r, c, cdl->config.dimension);
        }
    }
}

/* A heap of several contacts. */
static tc_status settle_together(problem *p, const heaps *h, uint8_t number, uint32_t size)
{
    const tc_status status = solve_row(p->cdl, p->r, h, number);
    if (status >= TC_OK) {
        return status;
    }
    if (size <= TC_LCP_MAX) {
        collect_heap(p, h, number);
        if (solve_together(p)) {
            return TC_OK;
        }
    }
    in_sequence(p->cdl, p->r, h, number);
    return size <= TC_LCP_MAX ? TC_NOTE_FALLBACK : TC_NOTE_LIMIT;
}

static tc_status resolve_heaps(const tc_cdl *cdl, const tci_cdl_work *r)
{
    heaps h;
    problem p = {.cdl = cdl, .r = r, .A = r->scratch, .q = r->scratch + TC_LCP_MAX * TC_LCP_MAX};
    tc_status status = TC_OK;
    uint8_t number = 0;
    p.z = p.q + TC_LCP_MAX;
    p.w = p.z + TC_LCP_MAX;
    p.work = p.w + TC_LCP_MAX;
    find_closed(cdl, r->gap, &h);
    for (uint32_t c = 0; c < cdl->config.contacts; c++) {
        r->gap[c] = TC_C(0.0);
    }
    for (uint32_t c = 0; c < cdl->config.contacts; c++) {
        if (h.heap[c] != 0u) {
            continue;
        }
        const uint32_t size = spread_together(cdl, &h, c, ++number);
        if (size == 1u) {
            in_sequence(cdl, r, &h, number);
            continue;
        }
        status = tci_cdl_noted(status, settle_together(&p, &h, number, size));
    }
    return status;
}

const tc_cdl_resolver tc_cdl_simultaneous = {resolve_heaps, TC_CDL_LCP_WORK};
