/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Barrier potential of two bodies of many convex pieces, by trees of bounding spheres. For hosts:
 * the cost of a pair of bodies grows with their pieces, not with the product of these.
 *
 * A body is a list of convex pieces (tc_barrier_set): the triangles of a mesh, or the convex parts
 * of a shape. The potential of two bodies is the sum over the pairs of their pieces, as in
 * tc_barrier3_solve, each without the constant A. Pieces that are far apart are replaced:
 *
 *     D        distance of the centres of two spheres, R_I and R_J their radii
 *     d1, d2   R_I + R_J and (1 + epsilon) (R_I + R_J)
 *     D <= d1  the sum over the pairs of children; of two leaves the exact potential
 *     D >= d2  the potential of two points at the centres
 *     between  both, blended by a polynomial of degree 5, so that the sum is C2
 *
 * The spheres are layered: a sphere holds those of its children. Forces then push apart, and they
 * never vanish. The value rises without bound as two pieces touch.
 *
 * Weakness: the force of a sum over triangles depends on the mesh, near and far. Where the two
 * roots begin to blend, the force falls by a factor that grows with the number of triangles. Use
 * few convex pieces where there is a choice. docs/explanation/barrier-trees.md has numbers.
 *
 * All memory is the caller's. Pairs of bodies are independent of each other: threads may take them
 * in any order, each with a workspace of its own. Sum the results in the order of the pairs, and
 * the bits are the same for any number of threads. Two large bodies are shared between threads by
 * tc_hierarchy_part and tc_hierarchy_join.
 *
 * Example: a mesh of 392 triangles as a body.
 *
 *     tc_barrier_set pieces[392];
 *     tc_real corners[392 * 9];
 *     tc_hierarchy_node nodes[2 * 392 - 1];
 *     tc_hierarchy ball;
 *     tc_status status = tc_hierarchy_triangles(vertices, 198, indices, 392, corners, pieces);
 *     if (status == TC_OK) status = tc_hierarchy_build(pieces, 392, nodes, TC_COUNT(nodes), &ball);
 */
#ifndef TC_HIERARCHY_H
#define TC_HIERARCHY_H

#include "tc_barrier3.h"

TC_BEGIN

#define TC_HIERARCHY_PIECES_MAX 1048576u /* pieces of a body */
#define TC_HIERARCHY_DEPTH_MAX 21u       /* levels of a tree of so many pieces */
#define TC_HIERARCHY_PARTS 16u           /* parts of one pair of bodies */

/* A sphere of a tree. The left child of node i is node i + 1. */
typedef struct tc_hierarchy_node {
    tc_real centre[3]; /* body's axes [m]; leaves: the mean of the piece's vertices */
    tc_real radius;    /* holds the spheres of both children, or the rounded piece [m] */
    tc_real root;      /* square root of the smallest number of vertices of a piece below */
    uint32_t right;    /* index of the right child; 0: a leaf */
    uint32_t piece;    /* leaves: index of the piece */
} tc_hierarchy_node;

/* A body: its pieces and their tree. Made by tc_hierarchy_build. */
typedef struct tc_hierarchy {
    const tc_barrier_set *pieces_ref;   /* [count] the caller's; must outlive the tree */
    const tc_hierarchy_node *nodes_ref; /* [2 count - 1] the caller's; node 0 is the root */
    uint32_t count;                     /* number of pieces; 1..TC_HIERARCHY_PIECES_MAX */
} tc_hierarchy;

/* Settings of the sum. */
typedef struct tc_hierarchy_config {
    tc_barrier_config barrier; /* of each term; default: tc_barrier_default */
    tc_real epsilon;           /* where blending ends: D = (1 + epsilon) (R_I + R_J) [1]; 1e-3..1e6;
                                * 0.5; higher: more exact pairs, and nearer to the plain sum */
} tc_hierarchy_config;

/* A remembered plane between two leaves. All zero: none. */
typedef struct tc_hierarchy_slot {
    tc_barrier3_plane plane;
    uint32_t a, b; /* nodes of the leaves */
} tc_hierarchy_slot;

/* Planes of the last call, kept per pair of bodies, from which the next call starts. The caller
 * zeroes the slots once. They change the cost, and the result within its rounding. */
typedef struct tc_hierarchy_cache {
    tc_hierarchy_slot *slots; /* [count] */
    uint32_t count; /* a power of two; about twice the exact pairs of a call; 0: no cache */
} tc_hierarchy_cache;

/* A sum with its derivatives by the six freedoms of A while B is at rest: B's axes. */
typedef struct tc_hierarchy_sum {
    tc_real value;       /* potential without A [1/m] */
    tc_real gradient[6]; /* by translation, then by rotation about A's position */
    tc_real hessian[21]; /* lower triangle, packed by rows */
    tc_status status;    /* the worst of the exact pairs; TC_OK if there is none */
    uint32_t exact;      /* exact pairs of pieces that were solved */
    uint32_t centred;    /* pairs of spheres that were taken as points */
    uint32_t newton;     /* Newton steps of all exact pairs */
} tc_hierarchy_sum;

/* The potential of two bodies. */
typedef struct tc_hierarchy_pair {
    tc_real value;        /* sum without A [1/m] */
    tc_real gradient[12]; /* by t_A, theta_A, t_B, theta_B, world axes; a point of a body moves as
                            * c + t + exp([theta]) (x - c), c the body's position */
    tc_real hessian[78];  /* lower triangle, packed by rows */
    uint32_t exact;       /* exact pairs of pieces that were solved */
    uint32_t centred;     /* pairs of spheres that were taken as points */
    uint32_t newton;      /* Newton steps of all exact pairs */
} tc_hierarchy_pair;

/* A pair of nodes that waits; b = UINT32_MAX: a blend that ends. */
typedef struct tc_hierarchy_item {
    uint32_t a, b, level;
} tc_hierarchy_item;

/* A blend that has begun: its sum, the centres' vector and arm, both terms. */
typedef struct tc_hierarchy_frame {
    tc_hierarchy_sum sum;
    tc_real y[3], arm[3], far[3], blend[3];
} tc_hierarchy_frame;

/* Scratch of one call: about 10 KB in double. Two threads must not share it. */
typedef struct tc_hierarchy_work {
    tc_hierarchy_item items[5u * TC_HIERARCHY_DEPTH_MAX];
    tc_hierarchy_frame frames[TC_HIERARCHY_DEPTH_MAX + 2u];
    tc_barrier3_derivatives exact; /* of one pair of pieces */
    tc_real lift[216];             /* six freedoms to twelve */
} tc_hierarchy_work;

/* Returns the default settings: tc_barrier_default and epsilon 0.5. */
tc_hierarchy_config tc_hierarchy_default(void);

/* Makes the pieces of a triangle mesh: three vertices each, radius 0. Triangles without area are
 * pieces, too.
 *
 * vertices[vertex_count x 3]: body's axes [m]. triangles[count x 3]: indices of vertices.
 * corners[count x 9]: memory that the pieces point to. pieces[count]: the result.
 * Returns:
 *   TC_OK          done.
 *   TC_ERR_NULL    a pointer is NULL.
 *   TC_ERR_SIZE    count is 0 or above TC_HIERARCHY_PIECES_MAX.
 *   TC_ERR_RANGE   an index is not below vertex_count.
 * On error: `corners` and `pieces` were not written.
 * Cost: proportional to count. */
tc_status tc_hierarchy_triangles(const tc_real *vertices, uint32_t vertex_count,
                                 const uint32_t *triangles, uint32_t count, tc_real *corners,
                                 tc_barrier_set *pieces);

/* Builds the tree of a body by splits at the median of the longest extent of the centres.
 *
 * pieces[count]: kept by reference, as are nodes[nodes_len]; at least 2 count - 1 nodes.
 * Returns:
 *   TC_OK               done.
 *   TC_ERR_NULL         a pointer, or the vertices of a piece, is NULL.
 *   TC_ERR_SIZE         count is 0 or above TC_HIERARCHY_PIECES_MAX, or a piece has no vertex or
 *                       more than TC_BARRIER_VERTICES_MAX.
 *   TC_ERR_WORK         nodes_len is too short.
 *   TC_ERR_NOT_FINITE   a coordinate or a radius is NaN or infinite.
 *   TC_ERR_RANGE        a radius is negative, or a number is beyond 1e6 m.
 * On error: `hierarchy` is zero.
 * Cost: count log2(count) comparisons on average. */
tc_status tc_hierarchy_build(const tc_barrier_set *pieces, uint32_t count, tc_hierarchy_node *nodes,
                             size_t nodes_len, tc_hierarchy *hierarchy);

/* Computes the potential of two bodies with its gradient and Hessian.
 *
 * a, b: built trees. at_a, at_b: poses of their axes [m]. cache: may be NULL. pair: the result.
 * work: scratch.
 * Returns:
 *   TC_OK               done.
 *   TC_NOTE_LIMIT       a pair of pieces spent its iterations; the sum has its best iterate.
 *   TC_NOTE_PRECISION   a gap is below 1e-4 of the size of its pieces.
 *   TC_ERR_NULL         a pointer other than `cache` is NULL, or a body was not built.
 *   TC_ERR_SIZE         the cache's count is no power of two.
 *   TC_ERR_NOT_FINITE   a number of a pose or setting is NaN or infinite.
 *   TC_ERR_RANGE        a position is beyond 1e6 m, or a setting is outside its range.
 *   TC_ERR_UNIT         a row of a rotation is not of unit length within TC_UNIT_TOLERANCE.
 *   TC_ERR_TOUCHING     two pieces touch or overlap.
 * On error: `pair` is zero.
 * Cost: exact pairs take up to a microsecond on a host, pairs of spheres a twentieth of it. */
tc_status tc_hierarchy_derive(const tc_hierarchy_config *config, const tc_hierarchy *a,
                              const tc_convex_pose *at_a, const tc_hierarchy *b,
                              const tc_convex_pose *at_b, tc_hierarchy_cache *cache,
                              tc_hierarchy_pair *pair, tc_hierarchy_work *work);

/* Computes the value alone, as a line search needs it. Gradient and Hessian of `pair` are zero.
 * The arguments are those of tc_hierarchy_derive.
 * Returns: the statuses of tc_hierarchy_derive.
 * On error: `pair` is zero.
 * Cost: about half of tc_hierarchy_derive. */
tc_status tc_hierarchy_value(const tc_hierarchy_config *config, const tc_hierarchy *a,
                             const tc_convex_pose *at_a, const tc_hierarchy *b,
                             const tc_convex_pose *at_b, tc_hierarchy_cache *cache,
                             tc_hierarchy_pair *pair, tc_hierarchy_work *work);

/* Computes one part of the pair of bodies: the pairs of grandchildren number `part`. The parts are
 * independent of each other, so that threads may share the work on one pair of bodies.
 *
 * part: 0..TC_HIERARCHY_PARTS - 1. cache: one per part; may be NULL. sum: the result, which may be
 * zero: a part may have no pairs. The other arguments are those of tc_hierarchy_derive.
 * Returns: the statuses of tc_hierarchy_derive, and
 *   TC_ERR_SIZE  `part` is too large.
 * On error: `sum` is zero except its status.
 * Cost: a sixteenth of tc_hierarchy_derive on average. */
tc_status tc_hierarchy_part(const tc_hierarchy_config *config, const tc_hierarchy *a,
                            const tc_convex_pose *at_a, const tc_hierarchy *b,
                            const tc_convex_pose *at_b, uint32_t part, tc_hierarchy_cache *cache,
                            tc_hierarchy_sum *sum, tc_hierarchy_work *work);

/* Joins the parts of a pair of bodies to its potential.
 *
 * parts[TC_HIERARCHY_PARTS]: results of tc_hierarchy_part for the same bodies and poses. The other
 * arguments are those of tc_hierarchy_derive.
 * Returns: the statuses of tc_hierarchy_derive.
 * On error: `pair` is zero.
 * Cost: a few microseconds on a host. */
tc_status tc_hierarchy_join(const tc_hierarchy_config *config, const tc_hierarchy *a,
                            const tc_convex_pose *at_a, const tc_hierarchy *b,
                            const tc_convex_pose *at_b, const tc_hierarchy_sum *parts,
                            tc_hierarchy_pair *pair, tc_hierarchy_work *work);

TC_END

#endif
