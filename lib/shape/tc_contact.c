/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The contact list.
 *
 * A pair is added whole or not at all: a body tips over on a face that lacks a corner, and only
 * `dropped` would show it. Patches go in and out as copies of their numbers. Therefore a patch out
 * of the list has the detector's bits.
 *
 * The plane in space. With t = (n_y, -n_x, 0) and n = (n_x, n_y, 0), the second tangent n x t is
 * (0, 0, -(n_x^2 + n_y^2)) = -z. An arm x t - y n has the components (x, 0, -y). Changes of sign
 * are exact.
 */
#include "tc_exact.h"
#include "tc_contact.h"

#include "tc_contact_internal.h"
#include "tc_vec.h"

#include <stddef.h>

#define DOWN_CONTACT TC_C(-1.0) /* z of tangent 2 of a planar pair */

tc_status tc_contact_list_init(tc_contact_list *list, tc_contact_pair *pair, size_t pairs_max,
                               tc_contact *contact, size_t contacts_max)
{
    static const tc_contact_list none = {0};
    if (!list) return TC_ERR_NULL;
    *list = none;
    if ((!pair && pairs_max > 0u) || (!contact && contacts_max > 0u)) return TC_ERR_NULL;
    if (pairs_max > TC_CONTACT_LIST_MAX || contacts_max > TC_CONTACT_LIST_MAX) return TC_ERR_SIZE;
    if ((uintptr_t)pair % _Alignof(tc_contact_pair) != 0u
        || (uintptr_t)contact % _Alignof(tc_contact) != 0u) {
        return TC_ERR_ALIGN;
    }
    list->pair = pair;
    list->contact = contact;
    list->pairs_max = (uint16_t)pairs_max;
    list->contacts_max = (uint16_t)contacts_max;
    return TC_OK;
}

tc_status tc_contact_list_reset(tc_contact_list *list)
{
    if (!list) return TC_ERR_NULL;
    list->pairs = list->contacts = list->dropped = 0;
    return TC_OK;
}

/* ---- Into the list --------------------------------------------------------------------------- */

/* The next pair, of `count` contacts that are still to be written; NULL: it does not fit. Nothing
 * fits if the counters are beyond the arrays. */
static tc_contact_pair *claim_contacts(const tc_contact_between *between, uint32_t count,
                                       tc_contact_list *list)
{
    const uint32_t end = (uint32_t)list->contacts + count;
    if (list->pairs >= list->pairs_max || end > list->contacts_max) {
        const uint32_t dropped = (uint32_t)list->dropped + count;
        list->dropped = (uint16_t)(dropped < TC_CONTACT_LIST_MAX ? dropped : TC_CONTACT_LIST_MAX);
        return NULL;
    }
    tc_contact_pair *const pair = list->pair + list->pairs++;
    pair->between = *between;
    pair->first = list->contacts;
    pair->count = (uint16_t)count;
    list->contacts = (uint16_t)end;
    return pair;
}

static void put_contact(tc_contact *contact, tc_real along, tc_real across, tc_real up, tc_real gap)
{
    contact->arm[0] = along;
    contact->arm[1] = across;
    contact->arm[2] = up;
    contact->gap = gap;
}

tc_status tci_contact_list_put2(const tc_contact_between *between, const tc_patch2 *patch,
                                tc_contact_list *list)
{
    if (patch->count == 0u) return TC_OK;
    tc_contact_pair *const pair = claim_contacts(between, patch->count, list);
    if (!pair) return TC_ERR_WORK;
    const tc_real *const n = patch->normal;
    const tc_real zero = TC_C(0.0);
    const tc_real frame[9] = {n[1], -n[0], zero, zero, zero, DOWN_CONTACT, n[0], n[1], zero};
    tc_contact *contact = list->contact + pair->first;
    for (uint32_t k = 0; k < 9u; ++k) pair->frame[k / 3u][k % 3u] = frame[k];
    for (uint32_t i = 0; i < patch->count; ++i, ++contact) {
        put_contact(contact, patch->lever[i], TC_C(0.0), -patch->height, patch->gap[i]);
        contact->feature = patch->vertex[i];
    }
    return TC_OK;
}

tc_status tci_contact_list_put3(const tc_contact_between *between, const tc_patch3 *patch,
                                tc_contact_list *list)
{
    if (patch->count == 0u) return TC_OK;
    tc_contact_pair *const pair = claim_contacts(between, patch->count, list);
    if (!pair) return TC_ERR_WORK;
    tc_contact *contact = list->contact + pair->first;
    for (uint32_t k = 0; k < 9u; ++k) pair->frame[k / 3u][k % 3u] = patch->frame[k / 3u][k % 3u];
    for (uint32_t i = 0; i < patch->count; ++i, ++contact) {
        put_contact(contact, patch->arm[i][0], patch->arm[i][1], patch->arm[i][2], patch->gap[i]);
        contact->feature = patch->vertex[i];
    }
    return TC_OK;
}

tc_status tc_contact_list_add2(const tc_contact_between *between, const tc_patch2 *patch,
                               tc_contact_list *list)
{
    if (!between || !patch || !list) return TC_ERR_NULL;
    const tc_status status = patch->count == 0u ? TC_OK : tc_patch2_check(patch);
    return status >= TC_OK ? tci_contact_list_put2(between, patch, list) : status;
}

tc_status tc_contact_list_add3(const tc_contact_between *between, const tc_patch3 *patch,
                               tc_contact_list *list)
{
    if (!between || !patch || !list) return TC_ERR_NULL;
    const tc_status status = patch->count == 0u ? TC_OK : tc_patch3_check(patch);
    return status >= TC_OK ? tci_contact_list_put3(between, patch, list) : status;
}

/* ---- Out of the list ------------------------------------------------------------------------- */

/* Pair k; NULL: there is none, or its contacts are none of the list's. */
static const tc_contact_pair *find_pair(const tc_contact_list *list, uint32_t k)
{
    if (k >= list->pairs) return NULL;
    const tc_contact_pair *const pair = list->pair + k;
    const int inside = (uint32_t)pair->first + pair->count <= list->contacts;
    return inside && pair->count - 1u < TC_PATCH_MAX ? pair : NULL;
}

/* 1 if a pair lies in the plane z = 0 with all its contacts, at one height */
static int is_planar(const tc_contact_pair *pair, const tc_contact *contact)
{
    int planar =
        pair->count <= 2u && pair->frame[1][2] == DOWN_CONTACT && pair->frame[2][2] == TC_C(0.0);
    for (uint32_t i = 0; i < pair->count; ++i) {
        planar = planar && contact[i].arm[1] == TC_C(0.0) && contact[i].arm[2] == contact[0].arm[2];
    }
    return planar;
}

tc_status tc_contact_list_patch2(const tc_contact_list *list, uint32_t k, tc_patch2 *patch)
{
    static const tc_patch2 none = {0};
    if (!patch) return TC_ERR_NULL;
    *patch = none;
    if (!list) return TC_ERR_NULL;
    const tc_contact_pair *const pair = find_pair(list, k);
    if (!pair) return TC_ERR_SIZE;
    const tc_contact *const contact = list->contact + pair->first;
    if (!is_planar(pair, contact)) return TC_ERR_UNSUPPORTED;
    patch->count = pair->count;
    patch->normal[0] = pair->frame[2][0];
    patch->normal[1] = pair->frame[2][1];
    patch->height = -contact->arm[2];
    for (uint32_t i = 0; i < patch->count; ++i) {
        patch->vertex[i] = contact[i].feature;
        patch->lever[i] = contact[i].arm[0];
        patch->gap[i] = contact[i].gap;
    }
    return TC_OK;
}

tc_status tc_contact_list_patch3(const tc_contact_list *list, uint32_t k, tc_patch3 *patch)
{
    static const tc_patch3 none = {0};
    if (!patch) return TC_ERR_NULL;
    *patch = none;
    if (!list) return TC_ERR_NULL;
    const tc_contact_pair *const pair = find_pair(list, k);
    if (!pair) return TC_ERR_SIZE;
    const tc_contact *contact = list->contact + pair->first;
    patch->count = pair->count;
    patch->dimension = pair->count < 3u ? pair->count - 1u : 2u;
    for (uint32_t c = 0; c < 9u; ++c) patch->frame[c / 3u][c % 3u] = pair->frame[c / 3u][c % 3u];
    for (uint32_t i = 0; i < patch->count; ++i, ++contact) {
        patch->vertex[i] = contact->feature;
        for (uint32_t c = 0; c < 3u; ++c) patch->arm[i][c] = contact->arm[c];
        patch->gap[i] = contact->gap;
    }
    return TC_OK;
}
