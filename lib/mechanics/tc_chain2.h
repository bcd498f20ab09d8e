/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Planar serial chains of revolute and prismatic joints, with a fixed or floating root. The
 * functions compute forward kinematics, mass matrix, Jacobians, and the forces of gravity and of
 * velocity products. For chains in space see tc_chain3.h.
 *
 * A chain is a const table of links. The caller owns a tc_chain2_motion, which holds the kinematics
 * of one instant. The first k links of a chain are a chain too: a function with an argument `links`
 * reads only those.
 *
 * Coordinates q [m or rad] and rates qd: one per joint, in the order of the links. A floating root
 * has three before them: x, y of the centre of mass of link 0 and its angle. Angles are relative to
 * the link before, counter-clockwise. Equation of motion: M(q) qdd = tau + tc_chain2_forces.
 *
 * All positions in a motion are relative to its `origin`: the root's joint, or the centre of mass
 * of a floating link 0. Distance from the world's origin therefore costs no accuracy.
 *
 * Cost: every loop runs over links or pairs of coordinates; the mass matrix is O(dof^2). At most
 * 170 bytes of stack.
 */
#ifndef TC_CHAIN2_H
#define TC_CHAIN2_H

#include "tc_chain.h"

TC_BEGIN

/* largest number of coordinates: the first joint is free */
#define TC_CHAIN2_DOF (TC_CHAIN_MAX + 2u)

/* One link and the joint before it. */
typedef struct tc_chain2_link {
    tc_body2 body;        /* inertia of the link */
    tc_chain_joint joint; /* joint between the link before (link 0: the world) and this one */
    tc_real anchor[2];    /* joint from the centre of mass of the link before, in that link's
                           * frame [m]; link 0: in the world */
    tc_real arm[2];       /* centre of mass from the joint (prismatic: at q = 0), in this link's
                           * frame [m] */
    tc_real axis[2];      /* prismatic: direction of travel in the frame of the link before; unit
                           * length */
} tc_chain2_link;

/* A chain. */
typedef struct tc_chain2 {
    uint32_t count;              /* number of links; 1..TC_CHAIN_MAX */
    const tc_chain2_link *links; /* [count] the links, root first */
    tc_real gravity[2];          /* acceleration of gravity, world axes [m/s^2]; (0, -9.81) on a
                                  * floor y = 0 */
} tc_chain2;

/* One link at one instant, world axes. */
typedef struct tc_chain2_link_motion {
    tc_real position[3];     /* centre of mass from `origin` [m], angle [rad] */
    tc_real cosine, sine;    /* cosine and sine of the angle */
    tc_real velocity[3];     /* centre of mass [m/s], omega [rad/s] */
    tc_real acceleration[2]; /* of the centre of mass at constant rates: velocity products
                              * [m/s^2] */
} tc_chain2_link_motion;

/* Effect of one coordinate on the links after it. Per unit rate, a point x moves with z cross (x -
 * at) if the coordinate turns, else with `at`. */
typedef struct tc_chain2_column {
    tc_real turn;  /* 1: revolute; 0: prismatic */
    tc_real at[2]; /* revolute: the joint from `origin` [m]; prismatic: direction of travel */
    uint32_t link; /* first link that it moves */
} tc_chain2_column;

/* Kinematics of a chain at one instant. */
typedef struct tc_chain2_motion {
    uint32_t links, dof;                      /* numbers of links and of coordinates */
    tc_real origin[2];                        /* reference point of all positions, in the world
                                               * [m] */
    tc_chain2_link_motion link[TC_CHAIN_MAX]; /* [links] */
    tc_chain2_column column[TC_CHAIN2_DOF];   /* [dof] */
} tc_chain2_motion;

/* Checks a chain. The other functions take a checked chain and do not check it again.
 * Returns:
 *   TC_OK               the chain is valid.
 *   TC_ERR_NULL         chain or its links are NULL.
 *   TC_ERR_SIZE         count is 0 or beyond TC_CHAIN_MAX.
 *   TC_ERR_UNSUPPORTED  a joint is unknown, or TC_CHAIN_FREE beyond link 0.
 *   TC_ERR_NOT_FINITE   a number is NaN or infinite.
 *   TC_ERR_BODY         a mass or moment of inertia is not positive.
 *   TC_ERR_RANGE        a number is beyond the limits of tc_chain.h, or an axis is not of unit
 *                       length within TC_UNIT_TOLERANCE. */
tc_status tc_chain2_check(const tc_chain2 *chain);

/* Returns the number of coordinates of the first `links` links. */
uint32_t tc_chain2_dof(const tc_chain2 *chain, uint32_t links);

/* Computes positions, velocities and velocity products of all links from q[dof] and qd[dof].
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_NOT_FINITE  q or qd has a NaN or an infinity.
 *   TC_ERR_RANGE       the norm of qd exceeds TC_CHAIN_RATE_MAX, or a result overflows.
 * On error: motion is zero; after TC_ERR_NULL unchanged.
 * Cost: one sine and one cosine per revolute joint. */
tc_status tc_chain2_move(const tc_chain2 *chain, const tc_real *q, const tc_real *qd,
                         tc_chain2_motion *motion);

/* Computes only positions and columns of `motion`, from q[dof]. Velocities and accelerations in
 * `motion` stay unchanged. The function checks nothing; q must be finite. */
void tc_chain2_place(const tc_chain2 *chain, const tc_real *q, tc_chain2_motion *motion);

/* Computes the mass matrix M[dof x dof] of the first `links` links, exactly symmetric [kg, kg m, kg
 * m^2]. Finite if tc_chain2_move returned TC_OK.
 * Cost: O(dof^2). */
void tc_chain2_mass_matrix(const tc_chain2 *chain, const tc_chain2_motion *motion, uint32_t links,
                           tc_real *M);

/* Computes force[dof] of gravity and of velocity products (Coriolis, centrifugal) on the
 * coordinates of the first `links` links [N or N m]. It is minus the bias of the equation of
 * motion. */
void tc_chain2_forces(const tc_chain2 *chain, const tc_chain2_motion *motion, uint32_t links,
                      tc_real *force);

/* Computes J[3 x dof], which maps rates to the velocity (x, y, omega) of the centre of mass of link
 * `link`. The matrix has the dof of links 0..link. */
void tc_chain2_jacobian(const tc_chain2_motion *motion, uint32_t link, tc_real *J);

/* Computes the velocity v of point x, measured from `origin`, per unit rate of column c. The point
 * belongs to a link that c moves. */
static inline void tc_chain2_column_velocity(const tc_chain2_column *c, const tc_real x[2],
                                             tc_real v[2])
{
    v[0] = c->turn != TC_C(0.0) ? c->at[1] - x[1] : c->at[0];
    v[1] = c->turn != TC_C(0.0) ? x[0] - c->at[0] : c->at[1];
}

/* Returns the kinetic or the potential energy of the whole chain [J], for tests and logs. The
 * potential energy is 0 with all centres of mass at the world's origin. */
tc_real tc_chain2_kinetic(const tc_chain2 *chain, const tc_chain2_motion *motion);
tc_real tc_chain2_potential(const tc_chain2 *chain, const tc_chain2_motion *motion);

TC_END

#endif
