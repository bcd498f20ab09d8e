/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Spatial serial chains of revolute and prismatic joints, root fixed or floating: what tc_chain2.h is in the
 * plane, with the same words. Forward kinematics, mass matrix, Jacobians, gravity and velocity products.
 *
 * Coordinates q: one per joint; a floating root has seven in front, position of the centre of mass of link 0
 * and its quaternion (w, x, y, z). Rates qd: one per joint; in front of them six, velocity of that centre
 * of mass and angular velocity, world axes. Equation of motion: M(q) qdd = tau + tc_chain3_forces.
 */
#ifndef TC_CHAIN3_H
#define TC_CHAIN3_H

#include "tc_chain.h"

TC_BEGIN

#define TC_CHAIN3_DOF (TC_CHAIN_MAX + 5u) /* most rates: the first joint free; one coordinate more */

typedef struct tc_chain3_link {
    tc_body3 body;
    tc_chain_joint joint;    /* between the link before (for link 0: the world) and this one */
    tc_real anchor[3]; /* where the joint stands in the link before, from its centre of mass, in its frame
                        * [m]; for link 0: in the world */
    tc_real axis[3];   /* of rotation or travel, unit length, in the frame of the link before */
    tc_real rest[4];   /* unit quaternion: this link's axes to those of the link before, at q = 0. A link's
                        * axes are its principal axes of inertia */
    tc_real arm[3];    /* centre of mass from the joint (prismatic: at q = 0), in this link's frame [m] */
} tc_chain3_link;

typedef struct tc_chain3 {
    uint32_t count;               /* links, 1..TC_CHAIN_MAX */
    const tc_chain3_link *links; /* [count] */
    tc_real gravity[3];           /* acceleration [m/s^2] */
} tc_chain3;

/* One link at one instant, world axes. */
typedef struct tc_chain3_link_motion {
    tc_real position[3];     /* centre of mass from `origin` [m] */
    tc_real orientation[4];  /* link axes to world axes */
    tc_real velocity[6];     /* of the centre of mass [m/s], omega [rad/s] */
    tc_real acceleration[6]; /* of both if all rates stayed as they are: velocity products */
} tc_chain3_link_motion;

/* How one coordinate moves what hangs on it: a point x moves with turn x (x - at) if it turns, with `at`
 * else. */
typedef struct tc_chain3_column {
    tc_real turn[3]; /* axis, world; zero of a prismatic one */
    tc_real at[3];   /* revolute: the joint, from `origin` [m]; prismatic: direction of travel */
    uint32_t turns;  /* 1 revolute */
    uint32_t link;   /* the first link it moves */
} tc_chain3_column;

typedef struct tc_chain3_motion {
    uint32_t links, dof;
    tc_real origin[3]; /* in the world [m] */
    tc_chain3_link_motion link[TC_CHAIN_MAX];
    tc_chain3_column column[TC_CHAIN3_DOF];
} tc_chain3_motion;

/* As tc_chain2_check; TC_ERR_UNIT an axis or a quaternion that is not of unit length. */
tc_status tc_chain3_check(const tc_chain3 *chain);

/* Rates of the first `links` links. */
uint32_t tc_chain3_dof(const tc_chain3 *chain, uint32_t links);

/* Forward kinematics, velocities and velocity products of all links. TC_ERR_NOT_FINITE, TC_ERR_UNIT (the
 * root's quaternion), TC_ERR_RANGE (qd beyond TC_CHAIN_RATE_MAX, overflow): then `motion` is all zero. */
tc_status tc_chain3_move(const tc_chain3 *chain, const tc_real *q, const tc_real *qd,
                                tc_chain3_motion *motion);

/* q moves on by h qd; a floating root's quaternion by exp(h omega). After an error q is as it was. */
tc_status tc_chain3_integrate(const tc_chain3 *chain, const tc_real *qd, tc_real h, tc_real *q);

/* M[dof x dof] of the first `links` links, exactly symmetric. */
void tc_chain3_mass_matrix(const tc_chain3 *chain, const tc_chain3_motion *motion,
                                  uint32_t links, tc_real *M);

/* force[dof]: what gravity and velocity products, gyroscopic torques among them, do to the coordinates. */
void tc_chain3_forces(const tc_chain3 *chain, const tc_chain3_motion *motion,
                             uint32_t links, tc_real *force);

/* J[6 x dof of links 0..link]: rates to the velocity of that link's centre of mass and its omega. */
void tc_chain3_jacobian(const tc_chain3_motion *motion, uint32_t link, tc_real *J);

/* Kinetic and potential energy of the whole chain [J]; potential zero with all centres of mass at the
 * world's origin. */
tc_real tc_chain3_kinetic(const tc_chain3 *chain, const tc_chain3_motion *motion);
tc_real tc_chain3_potential(const tc_chain3 *chain, const tc_chain3_motion *motion);

TC_END

#endif
