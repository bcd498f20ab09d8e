/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What scenes and their step share: a table of functions for each kind of mover and dimension. A
 * new mover is a new table. Not for users.
 */
#ifndef TC_SCENE_CORE_H
#define TC_SCENE_CORE_H

#include "tc_scene.h"

/* Functions of one kind of mover. */
typedef struct tc_scene_type {
    /* Sets coordinates, rates and links. */
    void (*measure)(const tc_scene_mover *mover, tc_scene_span *span);
    tc_status (*check)(const tc_scene_mover *mover);
    /* Writes frames and columns; and if `matrix`, its mass matrix to `factor`, and its forces.
     * Returns a status, where q or v have no place. */
    tc_status (*place)(tc_scene_placed *placed, uint32_t m, const tc_real *q, const tc_real *v,
                       int matrix);
    /* Writes the derivative of the mover's coordinates. */
    void (*derive)(const tc_scene_mover *mover, const tc_real *q, const tc_real *v, tc_real *qd);
    /* Moves coordinates by h v. */
    void (*shift)(const tc_scene_mover *mover, tc_real h, const tc_real *v, tc_real *q);
    /* Moves a mover that nothing touches by h; NULL: there is no closed form. */
    void (*coast)(const tc_scene_mover *mover, const tc_real gravity[3], tc_real h, tc_real *q,
                  tc_real *v);
    tc_real (*mass)(const tc_scene_mover *mover, uint32_t link);
} tc_scene_type;

extern const tc_scene_type tc_scene_particle2, tc_scene_particle3, tc_scene_body2, tc_scene_body3,
    tc_scene_chain2, tc_scene_chain3;

const tc_scene_type *tc_scene_type_of(const tc_scene *scene, uint32_t m);

/* Sets coordinates, rates and links of mover m. */
void tc_scene_measure_one(const tc_scene *scene, uint32_t m, tc_scene_span *span);

/* The derivative of a position and a quaternion. */
void tc_scene_derive_body3(const tc_scene_mover *mover, const tc_real *q, const tc_real *v,
                           tc_real *qd);

/* Places one mover; `matrix`: with its mass matrix, factored, and its forces. */
tc_status tc_scene_place_one(tc_scene_placed *placed, uint32_t m, const tc_real *q,
                             const tc_real *v, int matrix);

/* Places all, positions only. */
void tc_scene_place_all(tc_scene_placed *placed, const tc_real *q, const tc_real *v);

/* x[rates] of mover m: L^-1 x, or L^-T x */
void tc_scene_solve_lower(const tc_scene_placed *placed, uint32_t m, tc_real *x);
void tc_scene_solve_upper(const tc_scene_placed *placed, uint32_t m, tc_real *x);

/* L x = b of a body in space, in place: three numbers, and three that turns couple */
void tc_scene_solve_lower_body3(const tc_real *L, tc_real *x);

/* World position x of a point; its velocity u and its acceleration b at constant rates, unless
 * NULL. */
void tc_scene_point_at(const tc_scene_placed *placed, const tc_scene_point *point, tc_real x[3]);
void tc_scene_point_motion(const tc_scene_placed *placed, const tc_scene_point *point,
                           const tc_real x[3], tc_real u[3], tc_real b[3]);

/* row[rates] += scale times the velocity along n of the point at x of a link, per unit rate. */
void tc_scene_add_row(const tc_scene_placed *placed, uint32_t mover, uint32_t link,
                      const tc_real x[3], const tc_real n[3], tc_real scale, tc_real *row);

/* row <- row L^-T, all movers */
void tc_scene_whiten_row(const tc_scene_placed *placed, tc_real *row);

/* The same for the part of one mover, or of the world, which has none */
void tc_scene_whiten_part(const tc_scene_placed *placed, uint32_t mover, tc_real *row);

/* The directions of a contact's tangents: unit vectors across n; in the plane (n_y, -n_x) alone. */
void tc_scene_tangents(uint32_t dimension, const tc_real n[3], tc_real t[2][3]);

/* Adds the springs and the field to `force`; fails as the field does. */
tc_status tc_scene_add_springs(tc_scene_placed *placed);

/* Limits: tc_scene_limits.c. The gap of a limit; *side: 0 low, 1 high. */
tc_real tc_scene_limit_gap(const tc_scene_placed *placed, const tc_scene_limit *limit,
                           uint16_t *side);
void tc_scene_limit_row(const tc_scene_placed *placed, const tc_scene_limit *limit, uint16_t side,
                        tc_real *row);

/* Surfaces that are signed distances (tc_scene_shapes.h). Both surfaces of the pairs are. */
struct tc_scene_meeting {
    tc_status (*surface)(const tc_scene *scene, const tc_scene_surface *surface); /* a check */
    tc_status (*pair)(const tc_scene *scene, const tc_scene_pair *pair);          /* a check */
    tc_real (*gap)(const tc_scene_placed *placed, const tc_scene_pair *pair);
    tc_real (*bound)(const tc_scene_placed *placed, const tc_scene_pair *pair); /* of the gap */
    void (*find)(const tc_scene_placed *placed, uint16_t source, tc_real margin,
                 tc_scene_contacts *contacts);
};

/* tc_scene_shapes.c: where a signed distance's axes are in the world */
void tc_scene_pose_surface(const tc_scene_placed *placed, const tc_scene_surface *surface,
                           tc_convex_pose *at);

/* A lower bound of the gap of a pair, from the reach of its surfaces; -TC_SCENE_NO_BOUND: none */
#define TC_SCENE_NO_BOUND TC_C(1e30)
tc_real tc_scene_gap_bound(const tc_scene_placed *placed, uint32_t pair);

/* Adds the contacts of one pair with gap < margin. */
void tc_scene_find_pair(const tc_scene_placed *placed, uint32_t pair, tc_real margin,
                        tc_scene_contacts *contacts);

/* Keeps a contact in the list, or the deepest where there is no place. */
void tc_scene_keep(const tc_scene_contact *found, tc_scene_contacts *contacts);

/* d = b - a; returns its length. */
tc_real tc_scene_between(const tc_real a[3], const tc_real b[3], tc_real d[3]);

#endif
