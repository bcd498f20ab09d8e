/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Sustained contacts: flight and what impulses do to it.
 */
#ifndef TC_SCENE_STEP_SUSTAINED_INTERNAL_H
#define TC_SCENE_STEP_SUSTAINED_INTERNAL_H

#include "tc_scene_step_internal.h"

/* What a derivative keeps of an impact: as in tci_scene_step_run. */
typedef struct tci_scene_step_kept {
    uint32_t n;      /* contacts that were solved; 0: there was no impact */
    uint32_t closed; /* contacts at the beginning, in `contact` */
    uint32_t shared;
    int stopped;
    tc_impact_info *info;
    tc_scene_contact *contact;
    tc_real *G, *w0, *mu, *e, *f_c, *u_c, *w_c, *f, *u, *w, *w_least;
    tc_real *q, *v; /* of the first: the state after the impact at the beginning */
} tci_scene_step_kept;

/* An interval on its way. run->q, v: its beginning. */
typedef struct tci_scene_step_interval {
    tci_scene_step_run *run;
    tc_real span;     /* its length */
    uint32_t n;       /* contacts that act over it */
    tc_real *change;  /* [d] c, at `middle`; of a tied scene the force M c / span */
    tc_real *middle;  /* [coordinates] */
    tc_real *bias;    /* [d] w of v0 */
    tc_real aim;      /* gap at which a search for the time of a meeting ends */
    uint32_t ready;   /* contacts whose rows at the beginning are in G; 0: none */
    int still;        /* 1: no contact moves, so the middle is the beginning */
    uint32_t further; /* further meetings of closed pairs that still end an interval */
    int ends;         /* 1: it ends where contact `slowest` stops to slide */
    uint32_t slowest;
    int tied;                  /* 1: see tci_scene_step_is_tied */
    int met;                   /* pair whose meeting ends it; -1: none. With `kept` alone */
    tci_scene_step_kept *kept; /* [2] for a derivative: impact, interval; NULL: none */
    tc_real reach[TC_SCENE_CONTACTS_MAX];   /* of contact i: a bound on its way to the middle */
    tc_real slip[TC_SCENE_CONTACTS_MAX][3]; /* its sliding velocity at the beginning */
} tci_scene_step_interval;

#define TCI_SCENE_STEP_SLOW TC_C(1e-3) /* of config.rest: an approach below it needs no impact */
#define TCI_SCENE_STEP_SLACK                                                                       \
    TC_C(0.5) /* of touch: depth that is left alone, and that ends an interval */
/* of touch: a contact that moves less does not move; rounding of a pile moves more in float */
#ifdef TC_DOUBLE
#define TCI_SCENE_STEP_STILL TC_C(0.01)
#else
#define TCI_SCENE_STEP_STILL TC_C(0.1)
#endif

/* tc_scene_step_sustained_stop.c: the share of the interval after which the first contact that
 * slides stops, own->slowest; 1: none does. */
tc_real tci_scene_step_stop(tci_scene_step_interval *own);

/* tc_scene_step_sustained.c: a . b; row r of contact i */
tc_real tci_scene_step_dot(const tc_real *a, const tc_real *b, uint32_t n);
const tc_real *tci_scene_step_row(const tci_scene_step_run *run, uint32_t i, uint32_t r);

/* tc_scene_step_sustained.c: sets what an interval with run set begins with. */
void tci_scene_step_open(tci_scene_step_interval *own);

/* Moves run->q, v by the next interval of at most *left. */
tc_status tci_scene_step_cover(tci_scene_step_interval *own, tc_real *left, int last);

/* The parts of it. Slip is the velocity of contact i along its tangents. Pass writes q_try, v_try at
 * `time` after the beginning. Trace places the scene there, too. */
void tci_scene_step_slip(const tci_scene_step_run *run, uint32_t i, tc_real slip[3]);
tc_status tci_scene_step_pass(const tci_scene_step_interval *own, tc_real time);
tc_status tci_scene_step_trace(const tci_scene_step_interval *own, tc_real time);

/* tc_scene_step_sustained_strike.c: impact and lift of the closed contacts, where run->q and v are.
 * *found: how many are closed; they are left in run->contact. Touching places the scene there and
 * finds them; *dropped: those without place. Lift takes out depth of the n contacts whose rows are
 * in G. Keep copies the impact that was solved last for a derivative: 0 at the beginning, 1 over
 * the interval. */
tc_status tci_scene_step_strike(const tci_scene_step_interval *own, uint32_t *found);
uint32_t tci_scene_step_touching(tci_scene_step_run *run, uint32_t *dropped);
void tci_scene_step_lift(tci_scene_step_run *run, uint32_t n);
void tci_scene_step_keep(const tci_scene_step_interval *own, uint32_t which, uint32_t n);

/* tc_scene_step_sustained_meet.c: notes which pairs and limits are open where the interval begins.
 * Reach ends the interval at *time, if something meets before. Acts tells whether a contact is one
 * of those that act, or next to one. */
void tci_scene_step_note_open(tci_scene_step_run *run, uint32_t closed);
tc_status tci_scene_step_reach(tci_scene_step_interval *own, tc_real *time);
int tci_scene_step_acts(const tci_scene_step_interval *own, const tc_scene_contact *contact);

/* tc_scene_step_sustained_tied.c: a scene is tied if its movers do not fly in closed form: joints,
 * springs, a field, a chain. Lend gives the Runge-Kutta formula memory that an interval leaves
 * alone. Carry moves q, v by h, with a force[rates] besides the scene's own, or NULL. Press turns
 * the impulses that were solved last into own->change. */
int tci_scene_step_is_tied(const tc_scene *scene);
void tci_scene_step_lend(tci_scene_step_run *run);
tc_status tci_scene_step_carry(tci_scene_step_run *run, const tc_real *force, tc_real h, tc_real *q,
                               tc_real *v);
void tci_scene_step_press(const tci_scene_step_interval *own);

/* tc_scene_step_travel.c: a bound on how far each of n contacts moves in `time` to own->reach[n],
 * where the scene is placed; returns the largest, of a tied scene that of its rates, too. The same
 * of the contacts of pair s over the interval. */
tc_real tci_scene_step_travel(tci_scene_step_interval *own, uint32_t n, tc_real time);
tc_real tci_scene_step_travel_of_pair(const tci_scene_step_interval *own, uint32_t s);

/* Whether pair s cannot meet within the interval. It is open, and run->gap[s] a bound of its gap where
 * run->apart[s] is TCI_SCENE_STEP_BOUNDED. */
#define TCI_SCENE_STEP_BOUNDED TC_C(2.0)
int tci_scene_step_stays_apart(const tci_scene_step_interval *own, uint32_t s);

/* tc_scene_step_flight.c: moves q, v by h without contacts, wrenches included. */
void tci_scene_step_fly(const tci_scene_step_run *run, tc_real h, tc_real *q, tc_real *v);

/* Moves q by h times the rates `change`. */
void tci_scene_step_shift(const tci_scene_step_run *run, tc_real h, const tc_real *change,
                          tc_real *q);

/* Adds share times `change`, rates at q_middle, to the rates v at q_free: then those of q. Angular
 * momenta add. */
void tci_scene_step_add(const tci_scene_step_run *run, tc_real share, const tc_real *change,
                        const tc_real *q_middle, const tc_real *q_free, const tc_real *q,
                        tc_real *v);

#endif
