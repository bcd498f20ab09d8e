/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Bounds on how far contacts and surfaces move: which contacts are still, and which pairs cannot meet.
 */
#include "tc_exact.h"
#include "tc_scene_step_sustained_internal.h"

#include "tc_scene_core.h"
#include "tc_vec.h"

/* ---- Contacts -------------------------------------------------------------------------------- */

/* How fast the two movers of a pair go and turn */
typedef struct pair_speeds {
    const tc_scene_frame *frame[2]; /* NULL: the world's */
    tc_real speed[2], turn[2];
} pair_speeds;

static void find_speeds(const tci_scene_step_run *run, uint32_t source, pair_speeds *found)
{
    const tc_scene_pair *const pair = &run->scene->pair[source];
    const tc_scene_surface *const sides[2] = {&run->scene->surface[pair->a],
                                              &run->scene->surface[pair->b]};
    for (uint32_t k = 0; k < 2u; ++k) {
        found->frame[k] = NULL;
        if (sides[k]->mover == TC_SCENE_WORLD) continue;
        const tc_scene_frame *const frame =
            &run->placed.frame[run->placed.span[sides[k]->mover].link + sides[k]->link];
        found->frame[k] = frame;
        found->speed[k] = tc_sqrt(tc_vec_dot3(frame->velocity, frame->velocity));
        found->turn[k] = tc_sqrt(tc_vec_dot3(frame->omega, frame->omega));
    }
}

/* A bound on how far a contact moves in `time` [m] */
static tc_real bound_travel(const tc_scene_contact *contact, const pair_speeds *of, tc_real time)
{
    tc_real speed = TC_C(0.0), d[3];
    for (uint32_t k = 0; k < 2u; ++k) {
        if (of->frame[k] == NULL) continue;
        const tc_real reach = tc_scene_between(of->frame[k]->at, contact->point, d);
        speed += of->speed[k] + reach * of->turn[k];
    }
    return speed * time;
}

/* How far the fastest rate goes in `time` [m or rad] */
static tc_real bound_all_rates(const tci_scene_step_run *run, tc_real time)
{
    tc_real most = TC_C(0.0);
    for (uint32_t k = 0; k < run->sizes.rates; ++k) {
        most = tc_vec_max(most, tc_vec_magnitude(run->v[k]));
    }
    return most * time;
}

/* Joints hand motion on: nothing of a tied scene is still while a rate is not. A limit moves with any
 * rate, too. */
tc_real tci_scene_step_travel(tci_scene_step_interval *own, uint32_t n, tc_real time)
{
    const tci_scene_step_run *const run = own->run;
    const tc_real of_rates =
        own->tied || run->scene->limits > 0u ? bound_all_rates(run, time) : TC_C(0.0);
    tc_real most = own->tied ? of_rates : TC_C(0.0);
    pair_speeds speeds;
    for (uint32_t i = 0; i < n; ++i) {
        const tc_scene_contact *const contact = &run->contact[i];
        const int limited = contact->source >= run->scene->pairs;
        if (!limited && (i == 0u || contact->source != contact[-1].source)) {
            find_speeds(run, contact->source, &speeds);
        }
        own->reach[i] = limited ? of_rates : bound_travel(contact, &speeds, time);
        most = tc_vec_max(most, own->reach[i]);
    }
    return most;
}

tc_real tci_scene_step_travel_of_pair(const tci_scene_step_interval *own, uint32_t s)
{
    tc_real most = TC_C(0.0);
    pair_speeds speeds;
    find_speeds(own->run, s, &speeds);
    for (uint32_t i = 0; i < own->n; ++i) {
        const tc_scene_contact *const contact = &own->run->contact[i];
        if (contact->source != s) continue;
        const tc_real way = bound_travel(contact, &speeds, own->span);
        most = tc_vec_max(most, tc_vec_max(own->reach[i], way));
    }
    return most;
}

/* ---- Surfaces -------------------------------------------------------------------------------- */

/* A bound on how far the points of a surface move in the interval [m]. Velocities change evenly: the
 * faster end counts, twice where a body tumbles. */
static tc_real bound_way(const tci_scene_step_interval *own, const tc_scene_surface *surface)
{
    const tci_scene_step_run *const run = own->run;
    tc_real speed = TC_C(0.0), reach = surface->reach;
    if (surface->mover == TC_SCENE_WORLD) return speed;
    const tc_scene_span *const span = &run->placed.span[surface->mover];
    const uint32_t at = span->v, turns = span->rates > 3u;
    const tc_real *const ends[2] = {run->v + at, run->v_try + at};
    if (surface->sdf != NULL && surface->pose_ref != NULL) {
        const tc_real *const p = surface->pose_ref->position;
        reach += tc_sqrt(tc_vec_dot3(p, p));
    }
    for (uint32_t k = 0; k < 2u; ++k) {
        const tc_real *const v = ends[k];
        const tc_real turn = turns ? tc_sqrt(tc_vec_dot3(v + 3, v + 3)) : TC_C(0.0);
        speed = tc_vec_max(speed, TC_MLA(tc_sqrt(tc_vec_dot3(v, v)), TC_C(2.0) * reach, turn));
    }
    return TC_C(2.0) * speed * own->span;
}

int tci_scene_step_stays_apart(const tci_scene_step_interval *own, uint32_t s)
{
    const tc_scene *const scene = own->run->scene;
    if (own->run->apart[s] != TCI_SCENE_STEP_BOUNDED || own->tied) return 0;
    return own->run->gap[s] > bound_way(own, &scene->surface[scene->pair[s].a])
                                  + bound_way(own, &scene->surface[scene->pair[s].b]);
}
