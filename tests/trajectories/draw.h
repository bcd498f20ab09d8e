/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Random bodies, planes, states and laws; all from the generator of test.h.
 */
#ifndef DRAW_H
#define DRAW_H

#include "trajectories.h"

/* What every trajectory of a body has */
typedef struct setting {
    double size;       /* largest extent of the body [m] */
    double aspect[2];  /* the other extents, in it */
    double mass, step; /* [kg, s] */
    double mu;         /* of the exact law */
    double restitution;
    double tilt;    /* of the plane [rad] */
    double heading; /* in which it falls [rad] */
    double speed;   /* of the throw [m/s] */
    double spin;    /* [rad/s] */
    int calm;       /* drawn so that it has to come to rest */
} setting;

double draw_log(double low, double high);
double draw_between(double low, double high);
void draw_setting(setting *s);

/* How many steps to run. A setting that is to come to rest stays so only where its steps resolve
 * the motion. */
uint32_t draw_steps(setting *s, uint32_t scheme);

/* Convex, counter-clockwise, or rounded; centred. Returns the moment of inertia per mass of its
 * box. */
double draw_polygon(const setting *s, tc_shape2 *shape, tc_real *vertices);

/* Any; `inertia` per mass of its box */
void draw_polyhedron(const setting *s, tc_shape3 *shape, tc_real *vertices, double inertia[3]);

void draw_turn(tc_real q[4]);
void draw_unit(tc_real *x, uint32_t n);

/* A law of that voice; *mu must outlive it, and the law the next one that is drawn. */
tc_learned2_model draw_law2(voice says, const double *mu);
tc_learned3_model draw_law3(voice says, const double *mu);

#endif
