/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Planar serial chains of revolute and prismatic joints, root fixed or floating: forward kinematics, mass
 * matrix, Jacobians, and the forces of gravity and of velocity products. tc_chain3.h is the same in
 * space.
 *
 * A chain is a const table of links; what follows from the joint coordinates of one instant stands in a
 * tc_chain2_motion that the caller owns. The first k links of a chain are a chain of their own:
 * functions that say `links` look at those only, so that "everything upstream of the last link" needs no
 * second table.
 *
 * Coordinates q [m or rad] and rates qd: one per joint, in the order of the links; a floating root has
 * three in front, x, y of the centre of mass of link 0 and its angle. Angles are relative to the link before,
 * counter-clockwise. Equation of motion: M(q) qdd = tau + tc_chain2_forces.
 *
 * All positions in a motion are relative to its `origin` (the root's joint, or the centre of mass of a
 * floating link 0), so that nothing is rounded for standing far from the world's origin.
 *
 * Cost: every loop runs over links or pairs of coordinates; the mass matrix is O(dof^2).
 */
#ifndef TC_CHAIN2_H
#define TC_CHAIN2_H

#include "tc_chain.h"

TC_BEGIN

#define TC_CHAIN2_DOF (TC_CHAIN_MAX + 2u) /* most coordinates: the first joint free */

typedef struct tc_chain2_link {
    tc_body2 body;
    tc_chain_joint joint;    /* between the link before (for link 0: the world) and this one */
    tc_real anchor[2]; /* where the joint stands in the link before, from its centre of mass, in its frame
                        * [m]; for link 0: in the world */
    tc_real arm[2];    /* centre of mass from the joint (prismatic: at q = 0), in this link's frame [m] */
    tc_real axis[2];   /* prismatic: direction of travel, unit length, in the frame of the link before */
} tc_chain2_link;

typedef struct tc_chain2 {
    uint32_t count;               /* links, 1..TC_CHAIN_MAX */
    const tc_chain2_link *links;  /* [count] */
    tc_real gravity[2];           /* acceleration [m/s^2], (0, -9.81) on a floor y = 0 */
} tc_chain2;

/* One link at one instant, world axes. */
typedef struct tc_chain2_link_motion {
    tc_real position[3];     /* centre of mass from `origin` [m], angle [rad] */
    tc_real cosine, sine;    /* of the angle */
    tc_real velocity[3];     /* of the centre of mass [m/s], omega [rad/s] */
    tc_real acceleration[2]; /* of the centre of mass if all rates stayed as they are: velocity products
                              * [m/s^2] */
} tc_chain2_link_motion;

/* How one coordinate moves what hangs on it: a point x moves with turn * z x (x - at) if it turns, with
 * `at` else. */
typedef struct tc_chain2_column {
    tc_real turn;  /* 1 revolute, 0 prismatic */
    tc_real at[2]; /* revolute: the joint, from `origin` [m]; prismatic: direction of travel */
    uint32_t link; /* the first link it moves */
} tc_chain2_column;

typedef struct tc_chain2_motion {
    uint32_t links, dof;
    tc_real origin[2]; /* in the world [m] */
    tc_chain2_link_motion link[TC_CHAIN_MAX];
    tc_chain2_column column[TC_CHAIN2_DOF];
} tc_chain2_motion;

/* Checks a table once: TC_ERR_SIZE (count), TC_ERR_NULL, TC_ERR_BODY (a mass or inertia not positive),
 * TC_ERR_NOT_FINITE, TC_ERR_UNSUPPORTED (an unknown joint, or free beyond link 0), TC_ERR_RANGE (an axis
 * that is not of unit length within TC_UNIT_TOLERANCE; a length, mass, inertia or gravity beyond the
 * limits above). The other functions take a checked chain. */
tc_status tc_chain2_check(const tc_chain2 *chain);

/* Coordinates of the first `links` links. */
uint32_t tc_chain2_dof(const tc_chain2 *chain, uint32_t links);

/* Forward kinematics, velocities and velocity products of all links. TC_ERR_NOT_FINITE if q or qd are not,
 * TC_ERR_RANGE if qd is beyond TC_CHAIN_RATE_MAX, or q so large that something overflows: then `motion`
 * is all zero. Two elementary functions per revolute joint. */
tc_status tc_chain2_move(const tc_chain2 *chain, const tc_real *q, const tc_real *qd,
                               tc_chain2_motion *motion);

/* The part of it that asks for no rates: positions and columns, of finite q; velocities and accelerations in
 * `motion` are left as they are, and nothing is checked. */
void tc_chain2_place(const tc_chain2 *chain, const tc_real *q, tc_chain2_motion *motion);

/* M[dof x dof] of the first `links` links, exactly symmetric. */
void tc_chain2_mass_matrix(const tc_chain2 *chain, const tc_chain2_motion *motion,
                                 uint32_t links,
                                 tc_real *M);

/* force[dof]: what gravity and velocity products (Coriolis, centrifugal) do to the coordinates of the first
 * `links` links: minus the bias of the equation of motion [N or N m]. */
void tc_chain2_forces(const tc_chain2 *chain, const tc_chain2_motion *motion,
                            uint32_t links,
                            tc_real *force);

/* J[3 x dof of links 0..link]: rates to the velocity (x, y, omega) of that link's centre of mass. */
void tc_chain2_jacobian(const tc_chain2_motion *motion, uint32_t link, tc_real *J);

/* Velocity of point x (from `origin`) as part of whatever column c moves, per unit rate. */
static inline void tc_chain2_column_velocity(const tc_chain2_column *c, const tc_real x[2], tc_real v[2])
{
    v[0] = c->turn != TC_C(0.0) ? c->at[1] - x[1] : c->at[0];
    v[1] = c->turn != TC_C(0.0) ? x[0] - c->at[0] : c->at[1];
}

/* Kinetic and potential energy of the whole chain [J]; potential zero with all centres of mass at the world's
 * origin. For tests and logs. */
tc_real tc_chain2_kinetic(const tc_chain2 *chain, const tc_chain2_motion *motion);
tc_real tc_chain2_potential(const tc_chain2 *chain, const tc_chain2_motion *motion);

TC_END

#endif
