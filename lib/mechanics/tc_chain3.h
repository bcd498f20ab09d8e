/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Spatial serial chains of revolute and prismatic joints, with a fixed or floating root. The terms
 * are those of tc_chain2.h, the same in the plane: forward kinematics, mass matrix, Jacobians,
 * gravity and velocity products.
 *
 * Coordinates q: one per joint. A floating root has seven before them: the position of the centre
 * of mass of link 0 and its quaternion (w, x, y, z). Rates qd: one per joint. A floating root has
 * six before them: the velocity of that centre of mass and the angular velocity, world axes.
 * Equation of motion: M(q) qdd = tau + tc_chain3_forces.
 *
 * Cost: as tc_chain2.h; at most 370 bytes of stack.
 */
#ifndef TC_CHAIN3_H
#define TC_CHAIN3_H

#include "tc_chain.h"

TC_BEGIN

/* largest number of rates: the first joint is free; q then has one number more */
#define TC_CHAIN3_DOF (TC_CHAIN_MAX + 5u)

/* One link and the joint before it. The link's axes are its principal axes of inertia. */
typedef struct tc_chain3_link {
    tc_body3 body;        /* inertia of the link */
    tc_chain_joint joint; /* joint between the link before (link 0: the world) and this one */
    tc_real anchor[3];    /* joint from the centre of mass of the link before, in that link's
                           * frame [m]; link 0: in the world */
    tc_real axis[3];      /* axis of rotation or travel in the frame of the link before; unit
                           * length */
    tc_real rest[4];      /* quaternion from this link's axes to those of the link before, at q =
                           * 0; unit length */
    tc_real arm[3];       /* centre of mass from the joint (prismatic: at q = 0), in this link's
                           * frame [m] */
} tc_chain3_link;

/* A chain. */
typedef struct tc_chain3 {
    uint32_t count;              /* number of links; 1..TC_CHAIN_MAX */
    const tc_chain3_link *links; /* [count] the links, root first */
    tc_real gravity[3];          /* acceleration of gravity, world axes [m/s^2] */
} tc_chain3;

/* One link at one instant, world axes. */
typedef struct tc_chain3_link_motion {
    tc_real position[3];     /* centre of mass from `origin` [m] */
    tc_real orientation[4];  /* quaternion from link to world axes */
    tc_real velocity[6];     /* centre of mass [m/s], omega [rad/s] */
    tc_real acceleration[6]; /* of both at constant rates: velocity products [m/s^2], [rad/s^2] */
} tc_chain3_link_motion;

/* Effect of one coordinate on the links after it. Per unit rate, a point x moves with turn cross (x
 * - at) if the coordinate turns, else with `at`. */
typedef struct tc_chain3_column {
    tc_real turn[3]; /* revolute: axis, world axes; prismatic: 0 */
    tc_real at[3];   /* revolute: the joint from `origin` [m]; prismatic: direction of travel */
    uint32_t turns;  /* 1: revolute; 0: prismatic */
    uint32_t link;   /* first link that it moves */
} tc_chain3_column;

/* Kinematics of a chain at one instant. */
typedef struct tc_chain3_motion {
    uint32_t links, dof;                      /* numbers of links and of rates */
    tc_real origin[3];                        /* reference point of all positions, in the world
                                               * [m] */
    tc_chain3_link_motion link[TC_CHAIN_MAX]; /* [links] */
    tc_chain3_column column[TC_CHAIN3_DOF];   /* [dof] */
} tc_chain3_motion;

/* Checks a chain. The other functions take a checked chain and do not check it again.
 * Returns: the statuses of tc_chain2_check, and
 *   TC_ERR_UNIT  an axis or a quaternion is not of unit length within TC_UNIT_TOLERANCE, or has a
 *                NaN. */
tc_status tc_chain3_check(const tc_chain3 *chain);

/* Returns the number of rates of the first `links` links. */
uint32_t tc_chain3_dof(const tc_chain3 *chain, uint32_t links);

/* Computes positions, velocities and velocity products of all links from q and qd[dof].
 * Returns: the statuses of tc_chain2_move, and
 *   TC_ERR_UNIT  the root's quaternion is not of unit length within TC_UNIT_TOLERANCE.
 * On error: motion is zero; after TC_ERR_NULL unchanged. */
tc_status tc_chain3_move(const tc_chain3 *chain, const tc_real *q, const tc_real *qd,
                         tc_chain3_motion *motion);

/* Adds h qd[dof] to q; h: step [s]. A floating root's quaternion turns by exp(h omega).
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_NOT_FINITE  h, q or qd has a NaN or an infinity, or a sum overflows.
 *   TC_ERR_UNIT        the root's quaternion is not of unit length within TC_UNIT_TOLERANCE.
 * On error: q is unchanged. */
tc_status tc_chain3_integrate(const tc_chain3 *chain, const tc_real *qd, tc_real h, tc_real *q);

/* Computes the mass matrix M[dof x dof] of the first `links` links, exactly symmetric [kg, kg m, kg
 * m^2].
 * Cost: O(dof^2). */
void tc_chain3_mass_matrix(const tc_chain3 *chain, const tc_chain3_motion *motion, uint32_t links,
                           tc_real *M);

/* Computes force[dof] of gravity and of velocity products, gyroscopic torques included, on the
 * coordinates of the first `links` links [N or N m]. */
void tc_chain3_forces(const tc_chain3 *chain, const tc_chain3_motion *motion, uint32_t links,
                      tc_real *force);

/* Computes J[6 x dof], which maps rates to the velocity of the centre of mass of link `link` and
 * its omega. The matrix has the dof of links 0..link. */
void tc_chain3_jacobian(const tc_chain3_motion *motion, uint32_t link, tc_real *J);

/* Returns the kinetic or the potential energy of the whole chain [J], for tests and logs. The
 * potential energy is 0 with all centres of mass at the world's origin. */
tc_real tc_chain3_kinetic(const tc_chain3 *chain, const tc_chain3_motion *motion);
tc_real tc_chain3_potential(const tc_chain3 *chain, const tc_chain3_motion *motion);

TC_END

#endif
