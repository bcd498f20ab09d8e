/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What learning asks of a scene (tools/tinycontact/impact/learn.py): many short roll-outs in one
 * call, and their derivatives by unknown numbers of the scene and by their starts. Host only;
 * linked into the shared library.
 *
 * An entry is a number in the scene's tables: a coefficient, a mass, a gravity. An unknown moves
 * any number of entries. The caller gives the entries at the point itself and at two points beside
 * it, along each unknown; the derivative is the difference of both roll-outs over `span`. So a
 * bound, a ratio or a logarithm is the caller's affair.
 *
 * Only what a roll-out can feel is computed: a coefficient if its material was touched, a body's
 * mass if the body was.
 */
#ifndef NATIVE_IMPACT_LEARN_H
#define NATIVE_IMPACT_LEARN_H

#include "scene.h"

TC_BEGIN

/* Roll-outs that feel an entry. */
typedef enum native_learn_scope {
    NATIVE_LEARN_ALL = 0,      /* all */
    NATIVE_LEARN_MATERIAL = 1, /* those with a contact of material `index` */
    NATIVE_LEARN_MOVER = 2     /* those with a contact of mover `index` */
} native_learn_scope;

typedef struct native_learn_entry {
    tc_real *at; /* see native_learn_place */
    int32_t scope;
    uint32_t index;
} native_learn_entry;

/* Numbers of a scene that may be unknown. */
typedef enum native_learn_what {
    NATIVE_LEARN_FRICTION = 0,    /* mu of material `index` */
    NATIVE_LEARN_RESTITUTION = 1, /* e of material `index` */
    NATIVE_LEARN_MASS = 2,        /* of mover `index`, of a chain that of link `link` */
    NATIVE_LEARN_INERTIA = 3,     /* the same; in space the moment about axis `component` */
    NATIVE_LEARN_GRAVITY = 4,     /* along axis `component` */
    NATIVE_LEARN_FORCE = 5        /* of a field, on link `index` of all, along axis `component` */
} native_learn_what;

/* Returns where a scene keeps a number; null if it has none such. */
tc_real *native_learn_place(native_scene *handle, int32_t what, uint32_t index, uint32_t link,
                            uint32_t component);

typedef struct native_learn {
    native_scene *scene; /* its tables are written at the entries, and restored */
    native_scene_config config;
    uint32_t entries, unknowns;
    const native_learn_entry *entry; /* [entries] */
    const double *value;             /* [entries] */
    const double *high, *low;        /* [unknowns][entries] beside it */
    const double *span;              /* [unknowns] distance of both in the unknown */
} native_learn;

/* Roll-outs and what became of them. A state is q, then v. */
typedef struct native_learn_rolls {
    uint32_t chunks, steps;
    const double *starts; /* [chunks][state] */
    double *states;       /* [chunks][steps][state] after each step */
    double *by_unknown;   /* [chunks][steps][state][unknowns]; may be null */
    double *by_start;     /* [chunks][steps][state][2 rates]; may be null */
    uint8_t *hits;        /* [chunks][steps] number of contacts; may be null */
    uint8_t *materials;   /* [chunks][materials] 1: touched; may be null */
    int32_t *status; /* [chunks] a tc_status; negative: the states are zero from that step on */
} native_learn_rolls;

/* Rolls all chunks out. Returns how many failed, or a negative tc_status if there is no memory or
 * the scene cannot be opened. */
int32_t native_learn_roll(const native_learn *learn, const native_learn_rolls *rolls);

TC_END

#endif
