/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Scenes: several moving things, what they may touch, and how they are tied together, as one const
 * table. The state is two flat arrays of the caller: coordinates q and rates v.
 *
 *     movers     particles, rigid bodies, open chains in joint coordinates
 *     surfaces   where movers touch: a shape of tc_shape.h on a link, or a half space of the world;
 *                in space also a signed distance (tc_sdf.h) on a link or in the world
 *     pairs      two surfaces that may touch, and their material: shape on half space, ball on
 *                ball, or two signed distances
 *     joints     two points that coincide, or keep a distance: closed loops, ball joints, rods
 *     limits     of a chain's coordinate, of a distance, of a bend: contacts without friction
 *     springs    between two points
 *     field      a potential of the caller's, for example a net's
 *
 * A mover's links are numbered from 0: a particle and a body have one. Each mover has its share of
 * q and of v, in the order of the table:
 *
 *                plane                      space
 *     particle   x, y                       x, y, z
 *     body       x, y, angle                position [3], quaternion w, x, y, z; rates: v, omega
 *     chain      tc_chain2.h                tc_chain3.h
 *
 * Lengths are in metres, world axes. In the plane the third number of a point is 0.
 *
 *     static const tc_scene_mover movers[] = {{.kind = TC_SCENE_BODY, .body2 = &box},
 *                                             {.kind = TC_SCENE_PARTICLE, .mass = 0.1f}};
 *     static const tc_scene_surface surfaces[] = {{.mover = 0, .shape2 = &corners},
 *                                                 {.mover = TC_SCENE_WORLD, .plane2 = &ground}};
 *     static const tc_scene_pair pairs[] = {{.a = 0, .b = 1, .material = 0}};
 *
 * tc_scene_step.h moves a scene.
 */
#ifndef TC_SCENE_H
#define TC_SCENE_H

#include "tc_chain2.h"
#include "tc_chain3.h"
#include "tc_convex.h"
#include "tc_joint.h"
#include "tc_plane.h"
#include "tc_sdf.h"
#include "tc_shape.h"

TC_BEGIN

#define TC_SCENE_WORLD 0xffffu                 /* the mover that never moves */
#define TC_SCENE_RATES_MAX TC_CONE_FREEDOM_MAX /* largest number of rates of a scene */
#define TC_SCENE_MOVERS_MAX 16u                /* largest number of movers */
/* largest number of contacts of one impact in the plane, and of limits or contacts without
 * friction */
#if TC_CONE3_MAX <= 16u
#define TC_SCENE_CONTACTS_MAX 16u
#else
#define TC_SCENE_CONTACTS_MAX TC_CONE3_MAX
#endif
#define TC_SCENE_CONTACTS3_MAX TC_CONE3_MAX       /* the same in space, with friction */
#define TC_SCENE_TABLE_MAX 255u                   /* length of each other table */
#define TC_SCENE_JOINT_ROWS_MAX TC_JOINT_ROWS_MAX /* largest number of rows of all joints */

/* Kind of a mover. */
typedef enum tc_scene_kind {
    TC_SCENE_PARTICLE = 0, /* a point mass: it does not turn */
    TC_SCENE_BODY = 1,     /* a rigid body */
    TC_SCENE_CHAIN = 2     /* an open chain in joint coordinates */
} tc_scene_kind;

/* Force and torque on a body besides gravity, constant over a step, world axes. */
typedef struct tc_scene_wrench {
    tc_real force[3];  /* at the centre of mass [N] */
    tc_real torque[3]; /* [N m] */
} tc_scene_wrench;

/* A mover. Only the field of its kind and of the scene's dimension is read. */
typedef struct tc_scene_mover {
    tc_scene_kind kind;
    tc_real mass;            /* particle [kg]; > 0 */
    const tc_body2 *body2;   /* body in the plane */
    const tc_body3 *body3;   /* body in space */
    const tc_chain2 *chain2; /* chain in the plane; its gravity is not read, the scene's is */
    const tc_chain3 *chain3; /* chain in space; the same */
    const tc_scene_wrench *wrench_ref; /* on a body in space; tc_scene_step_sustained.h; NULL:
                                        * none */
} tc_scene_mover;

/* A point fixed in a link, or in the world. */
typedef struct tc_scene_point {
    uint16_t mover; /* index of the mover, or TC_SCENE_WORLD */
    uint16_t link;  /* link of the mover */
    tc_real at[3];  /* from the link's centre of mass, in its frame; of the world: world axes [m] */
} tc_scene_point;

/* Where a mover touches, or a half space of the world. Only the field of the dimension is read. */
typedef struct tc_scene_surface {
    uint16_t mover;          /* index of the mover, or TC_SCENE_WORLD */
    uint16_t link;           /* link of the mover */
    uint16_t centred;        /* 1: impulses act at the vertex, as on a point mass with a size; 0: on
                              * the surface. A particle's always act at its centre */
    const tc_shape2 *shape2; /* of a mover in the plane */
    const tc_shape3 *shape3; /* of a mover in space */
    const tc_plane2 *plane2; /* of the world in the plane */
    const tc_plane3 *plane3; /* of the world in space */
    const tc_sdf *sdf;       /* in space: of a body, of a chain's link or of the world, instead of
                              * the others; NULL: none */
    const tc_convex_pose *pose_ref; /* of `sdf`: its axes to the link's, or to the world's; NULL:
                                     * the same axes */
    tc_real reach; /* radius that the surface is within [m]; 0: not known. Its centre is the origin
                    * of `sdf` (tc_scene_shapes_reach), for shape3 the link's centre of mass. The
                    * library does not look closely at a pair that is further apart */
} tc_scene_surface;

/* Friction and restitution of a pair. */
typedef struct tc_scene_material {
    tc_real mu; /* coefficient of friction [1]; >= 0 */
    tc_real e;  /* coefficient of restitution, Poisson's [1]; 0..1 */
} tc_scene_material;

/* Two surfaces that may touch. Surface a belongs to a mover. Surface b is a half space, or both are
 * balls, or both are signed distances. A ball is a shape with one vertex. */
typedef struct tc_scene_pair {
    uint16_t a, b;     /* indices of surfaces */
    uint16_t material; /* index of the material */
} tc_scene_pair;

/* Type of a joint. */
typedef enum tc_scene_joint_kind {
    TC_SCENE_JOINT_BALL = 0, /* the points coincide */
    TC_SCENE_JOINT_ROD = 1   /* the points keep their distance */
} tc_scene_joint_kind;

/* A joint: rows that hold at every time. */
typedef struct tc_scene_joint {
    tc_scene_joint_kind kind;
    tc_scene_point a, b;
    tc_real length; /* rod: the distance [m]; > 0 */
} tc_scene_joint;

/* Type of a limit. */
typedef enum tc_scene_limit_kind {
    TC_SCENE_LIMIT_COORDINATE = 0, /* low <= coordinate of a chain <= high [rad or m] */
    TC_SCENE_LIMIT_DISTANCE = 1,   /* low <= |b - a| <= high [m] */
    TC_SCENE_LIMIT_BEND = 2        /* angle between b - a and c - b <= high [rad] */
} tc_scene_limit_kind;

/* A limit: a contact without friction and restitution. */
typedef struct tc_scene_limit {
    tc_scene_limit_kind kind;
    uint16_t mover,
        coordinate; /* TC_SCENE_LIMIT_COORDINATE: a chain, and a rate of it that belongs to a
                                 * joint that is not free */
    tc_scene_point point[3]; /* a, b, c */
    tc_real low, high;       /* low < high; TC_SCENE_LIMIT_BEND: low is not read */
} tc_scene_limit;

/* A linear spring: pulls with stiffness (|b - a| - length). */
typedef struct tc_scene_spring {
    tc_scene_point a, b;
    tc_real stiffness; /* [N/m]; >= 0 */
    tc_real length;    /* at rest [m]; >= 0 */
} tc_scene_spring;

struct tc_scene_placed;

/* Forces of a potential that the caller computes. With a field all movers move together, by the
 * Runge-Kutta formula. */
typedef struct tc_scene_field {
    /* Adds the forces at `placed` to placed->force[rates]; tc_scene_push does it for one point. A
     * negative status fails the step, which returns it. */
    tc_status (*push)(const struct tc_scene_field *field, struct tc_scene_placed *placed);
    /* Returns the potential at `placed` [J]; NULL: tc_scene_potential leaves it out. */
    tc_real (*energy)(const struct tc_scene_field *field, const struct tc_scene_placed *placed);
    void *context; /* the caller's; may be NULL */
} tc_scene_field;

struct tc_scene_meeting;

/* A scene. Tables of length 0 may be NULL. */
typedef struct tc_scene {
    uint32_t dimension; /* 2 or 3 */
    tc_real gravity[3]; /* acceleration [m/s^2]; (0, -9.81, 0) on a floor y = 0 */
    uint32_t movers, surfaces, materials, pairs, joints, limits, springs; /* lengths */
    const tc_scene_mover *mover;
    const tc_scene_surface *surface;
    const tc_scene_material *material;
    const tc_scene_pair *pair;
    const tc_scene_joint *joint;
    const tc_scene_limit *limit;
    const tc_scene_spring *spring;
    const tc_scene_field *field;            /* NULL: none */
    const struct tc_scene_meeting *meeting; /* of signed distances: &tc_scene_shapes
                                             * (tc_scene_shapes.h); NULL: no surface is one */
    tc_real *meet_work;   /* scratch for surfaces that are nets: TC_SDF_NET_WORK; NULL: none is */
    size_t meet_work_len; /* its length */
} tc_scene;

/* Table of a scene that tc_scene_check refuses. */
typedef enum tc_scene_table {
    TC_SCENE_TABLE_SELF = 0, /* the scene itself: dimension, gravity, lengths */
    TC_SCENE_TABLE_MOVER = 1,
    TC_SCENE_TABLE_SURFACE = 2,
    TC_SCENE_TABLE_MATERIAL = 3,
    TC_SCENE_TABLE_PAIR = 4,
    TC_SCENE_TABLE_JOINT = 5,
    TC_SCENE_TABLE_LIMIT = 6,
    TC_SCENE_TABLE_SPRING = 7
} tc_scene_table;

/* Entry at fault. */
typedef struct tc_scene_fault {
    tc_scene_table table; /* the table at fault */
    uint32_t index;       /* its entry */
} tc_scene_fault;

/* Checks a scene. The other functions take a checked scene. `fault`: may be NULL.
 * Returns:
 *   TC_OK               the scene is valid.
 *   TC_ERR_NULL         the scene, a table, or a mover's or surface's field, or field->push, is
 *                       NULL, or scene->meeting is NULL though a surface is a signed distance.
 *   TC_ERR_SIZE         the dimension is not 2 or 3, a table is longer than its limit, there is no
 *                       mover, or movers or joints have more rates or rows than their limit.
 *   TC_ERR_NOT_FINITE   a number is NaN or infinite.
 *   TC_ERR_BODY         a mass or a moment of inertia is not positive.
 *   TC_ERR_RANGE        an index is beyond its table, mu is negative, e is not in 0..1, or another
 *                       number is beyond its limit.
 *   TC_ERR_UNIT         a plane's normal is not of unit length within TC_UNIT_TOLERANCE.
 *   TC_ERR_UNSUPPORTED  a kind is unknown, or a pair is neither shape on half space nor ball on
 *                       ball nor two signed distances; or a signed distance is in the plane, or
 *                       on a particle.
 *   negative            a status of the check of a body, a chain or a shape.
 * On error: `fault` has the entry. Else its table is TC_SCENE_TABLE_SELF and its index 0. */
tc_status tc_scene_check(const tc_scene *scene, tc_scene_fault *fault);

/* Sizes of a scene. */
typedef struct tc_scene_sizes {
    uint32_t coordinates; /* length of q */
    uint32_t rates;       /* length of v */
    uint32_t links;       /* links of all movers */
    uint32_t widest;      /* most rates of one mover */
    uint32_t chains;      /* number of chains */
    uint32_t joint_rows;  /* rows of all joints */
    uint32_t rows;        /* rows of a contact: the dimension, or 1 if all mu are 0 */
    uint32_t contacts;    /* most contacts of one impact */
} tc_scene_sizes;

/* Computes the sizes of a checked scene. */
void tc_scene_measure(const tc_scene *scene, tc_scene_sizes *sizes);

/* Position and motion of one link, world axes. */
typedef struct tc_scene_frame {
    tc_real at[3];           /* centre of mass [m] */
    tc_real R[9];            /* link to world axes, rows */
    tc_real velocity[3];     /* of the centre of mass [m/s] */
    tc_real omega[3];        /* angular velocity [rad/s] */
    tc_real acceleration[3]; /* of the centre of mass at constant rates [m/s^2] */
    tc_real spin[3];         /* angular acceleration at constant rates [rad/s^2] */
} tc_scene_frame;

/* Effect of one rate on the links after it. Per unit rate a point x moves with turn cross (x - at)
 * if the rate turns, else with `at`. */
typedef struct tc_scene_column {
    tc_real turn[3]; /* axis; 0: the rate moves along `at` */
    tc_real at[3];   /* [m], or direction */
    uint32_t link;   /* first link that it moves */
} tc_scene_column;

/* Shares of a mover in the arrays. */
typedef struct tc_scene_span {
    uint32_t q, v, link, factor; /* where they begin */
    uint32_t coordinates, rates, links;
    uint32_t slides; /* of a particle or a body: its first rates, along the world's axes, which its
                      * mass matrix couples with no other; of a chain 0 */
} tc_scene_span;

/* A scene at one instant, in the caller's workspace. tc_scene_open sets the pointers,
 * tc_scene_place the content. */
typedef struct tc_scene_placed {
    const tc_scene *scene;
    uint32_t coordinates, rates;
    tc_scene_span *span;     /* [movers] */
    tc_scene_frame *frame;   /* [links] */
    tc_scene_column *column; /* [rates] */
    tc_real *factor;         /* of each mover L[rates x rates], M = L L^T, lower */
    tc_real *force;          /* [rates] gravity, velocity products, springs, field [N or N m] */
    tc_real *scratch;        /* of chains */
    const tc_real *q;        /* [coordinates] where it was placed last, the caller's */
} tc_scene_placed;

/* Length of the workspace of a placed scene, from its sizes; usable as array size. */
#define TC_SCENE_REALS(type) ((sizeof(type) + sizeof(tc_real) - 1u) / sizeof(tc_real))
#define TC_SCENE_CHAIN_WORK                                                                        \
    (TC_SCENE_REALS(tc_chain2_motion) > TC_SCENE_REALS(tc_chain3_motion)                           \
         ? TC_SCENE_REALS(tc_chain2_motion)                                                        \
         : TC_SCENE_REALS(tc_chain3_motion))
#define TC_SCENE_WORK(movers, links, rates, widest, chains)                                        \
    ((movers) * TC_SCENE_REALS(tc_scene_span) + (links) * TC_SCENE_REALS(tc_scene_frame)           \
     + (rates) * (TC_SCENE_REALS(tc_scene_column) + (widest) + 1u)                                 \
     + ((chains) != 0u ? TC_SCENE_CHAIN_WORK : 0u) + 2u)

/* Returns TC_SCENE_WORK of a checked scene. */
size_t tc_scene_work(const tc_scene *scene);

/* Lays out a placed scene in work, which must outlive it.
 * Returns:
 *   TC_OK         done.
 *   TC_ERR_NULL   a pointer is NULL.
 *   TC_ERR_ALIGN  work is misaligned.
 *   TC_ERR_WORK   work_len is below tc_scene_work. */
tc_status tc_scene_open(const tc_scene *scene, tc_scene_placed *placed, tc_real *work,
                        size_t work_len);

/* Places all movers at q and v: frames, columns, mass matrices as their factors, forces.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_NOT_FINITE  q or v has a NaN or an infinity.
 *   TC_ERR_UNIT        a quaternion is not of unit length within TC_UNIT_TOLERANCE.
 *   TC_ERR_SINGULAR, TC_ERR_INDEFINITE  a chain's mass matrix is not positive definite.
 *   TC_ERR_RANGE       a result overflows. */
tc_status tc_scene_place(tc_scene_placed *placed, const tc_real *q, const tc_real *v);

/* Adds force[3] at a link's centre of mass to placed->force, world axes [N]. For a field's push.
 * `mover` and `link` are within the scene. */
void tc_scene_push(tc_scene_placed *placed, uint32_t mover, uint32_t link, const tc_real force[3]);

/* One contact of a scene. */
typedef struct tc_scene_contact {
    tc_real point[3];  /* where impulses act, world axes [m] */
    tc_real arm[3];    /* of a surface that is centred: its vertex; else the point [m] */
    tc_real normal[3]; /* unit normal, out of b into a, world axes [1] */
    tc_real gap;       /* distance [m], of a bend and of a revolute joint [rad]; negative: inside */
    uint16_t source;   /* index of the pair; limits follow: pairs + index of the limit */
    uint16_t feature;  /* vertex of a's shape; limits: 0 low, 1 high */
} tc_scene_contact;

/* Contacts of a scene, in an array of the caller. */
typedef struct tc_scene_contacts {
    tc_scene_contact *contact; /* [max], the caller's */
    uint32_t max;              /* its length */
    uint32_t count;            /* contacts in use */
    uint32_t dropped;          /* contacts without a place: those with the largest gaps */
} tc_scene_contacts;

/* Finds the contacts of a placed scene with gap < margin. A shape on a half space has those of
 * tc_detect2.h and tc_detect3.h. Where there are more than `max`, the deepest are kept.
 * A tc_contact_list has no place for the arm of a second body, so scenes have contacts of their
 * own. */
void tc_scene_find(const tc_scene_placed *placed, tc_real margin, tc_scene_contacts *contacts);

/* Returns the gap of pair or limit `source`: of a shape, that of its lowest vertex. */
tc_real tc_scene_gap(const tc_scene_placed *placed, uint32_t source);

/* Writes the rows of contact c in whitened coordinates: G[rows x rates], J L^-T. The normal's row
 * is first. Tangents of a limit are 0. */
void tc_scene_rows(const tc_scene_placed *placed, const tc_scene_contact *c, uint32_t rows,
                   tc_real *G);

/* Writes the rows of all joints in whitened coordinates to E[joint_rows x rates]. The
 * errors of position go to c[joint_rows] [m], the accelerations at constant rates to b[joint_rows].
 * Joints hold if E a = -b. c and b may be NULL. */
void tc_scene_joint_rows(const tc_scene_placed *placed, tc_real *E, tc_real *c, tc_real *b);

/* Whitened coordinates: w = L^T v, and back to rates, v = L^-T w, in place. */
void tc_scene_whiten(const tc_scene_placed *placed, tc_real *v);
void tc_scene_unwhiten(const tc_scene_placed *placed, tc_real *w);

/* Returns the kinetic or the potential energy of a placed scene [J]: of gravity, 0 at the world's
 * origin, of springs and of the field. */
tc_real tc_scene_kinetic(const tc_scene_placed *placed, const tc_real *v);
tc_real tc_scene_potential(const tc_scene_placed *placed);

TC_END

#endif
