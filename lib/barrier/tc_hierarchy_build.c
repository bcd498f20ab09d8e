/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The tree of a body: median splits, then spheres from the leaves to the root.
 *
 * Nodes are stored in preorder. A range of n pieces with its node at index i takes 2n - 1 nodes: the
 * left child, of k = n/2 pieces, is node i + 1, the right one node i + 2k. Children have larger
 * indices than their parents, so that one pass from the last node to the first makes all spheres.
 *
 * Until then the nodes' own memory serves the sort. centre of node p is that of piece p, and the
 * member `piece` of node j is the piece that is j-th in the order. A leaf at place j of the order
 * has a node index of j or more, so the leaves are written from the last to the first.
 *
 * The sphere of two spheres with centres x, y and radii R, S at the distance D is the larger one if
 * it holds the other (D + S <= R). Otherwise its radius is (D + R + S)/2, and its centre lies on
 * the segment from x to y, (that radius - R) from x: in the hull of the vertices, as Lemma A.3 of
 * the paper wants it.
 *
 * A leaf's centre is the mean of its vertices: the potential of two points with these numbers of
 * vertices is then never above the exact one (Jensen; proof of Corollary 5.2). A node's points have
 * the smallest number of vertices below: of at least two children's terms each is then, at the
 * doubled distance at most, at least half of the node's term.
 */
#include "tc_exact.h"
#include "tc_hierarchy.h"

#include "tc_hierarchy_internal.h"

#define HIERARCHY_RANGES (2u * TC_HIERARCHY_DEPTH_MAX)

/* Pieces `low` up to, not including, `high` of the order, and their node. */
typedef struct hierarchy_range {
    uint32_t low, high, node;
} hierarchy_range;

/* ---- Pieces ---------------------------------------------------------------------------------- */

tc_status tc_hierarchy_triangles(const tc_real *vertices, uint32_t vertex_count,
                                 const uint32_t *triangles, uint32_t count, tc_real *corners,
                                 tc_barrier_set *pieces)
{
    if (!vertices || !triangles || !corners || !pieces) return TC_ERR_NULL;
    if (count - 1u >= TC_HIERARCHY_PIECES_MAX) return TC_ERR_SIZE;
    for (uint32_t i = 0; i < 3u * count; ++i) {
        if (triangles[i] >= vertex_count) return TC_ERR_RANGE;
    }
    for (uint32_t i = 0; i < count; ++i) {
        tc_real *const corner = corners + 9u * (size_t)i;
        for (uint32_t k = 0; k < 9u; ++k)
            corner[k] = vertices[3u * (size_t)triangles[3u * i + k / 3u] + k % 3u];
        pieces[i] = (tc_barrier_set){corner, 3, TC_C(0.0)};
    }
    return TC_OK;
}

static tc_status check_corners(const tc_barrier_set *piece)
{
    tc_real zero = TC_C(0.0) * piece->radius, largest = piece->radius;
    for (uint32_t i = 0; i < 3u * piece->count; ++i) {
        zero += TC_C(0.0) * piece->vertices[i];
        largest = tc_vec_max(tc_vec_magnitude(piece->vertices[i]), largest);
    }
    if (zero != TC_C(0.0)) return TC_ERR_NOT_FINITE;
    if (piece->radius < TC_C(0.0) || largest > TCI_HIERARCHY_FAR) return TC_ERR_RANGE;
    return TC_OK;
}

static tc_status check_piece(const tc_barrier_set *piece)
{
    if (!piece->vertices) return TC_ERR_NULL;
    if (piece->count - 1u >= TC_BARRIER_VERTICES_MAX) return TC_ERR_SIZE;
    return check_corners(piece);
}

static void mean_vertices(const tc_barrier_set *piece, tc_real centre[3])
{
    const tc_real share = TC_C(1.0) / (tc_real)piece->count;
    for (uint32_t k = 0; k < 3u; ++k) {
        tc_real sum = TC_C(0.0);
        for (uint32_t i = 0; i < piece->count; ++i) sum += piece->vertices[3u * i + k];
        centre[k] = sum * share;
    }
}

static tc_real span_points(const tc_real x[3], const tc_real y[3])
{
    const tc_real d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
    return tc_sqrt(tc_vec_dot3(d, d));
}

/* ---- Order ----------------------------------------------------------------------------------- */

/* The axis along which the centres of a range extend furthest */
static uint32_t find_axis(const tc_hierarchy_node *nodes, hierarchy_range range)
{
    uint32_t best = 0;
    tc_real extent = TC_C(-1.0);
    for (uint32_t k = 0; k < 3u; ++k) {
        tc_real low = nodes[nodes[range.low].piece].centre[k], high = low;
        for (uint32_t i = range.low + 1u; i < range.high; ++i) {
            const tc_real x = nodes[nodes[i].piece].centre[k];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (high - low > extent) {
            extent = high - low;
            best = k;
        }
    }
    return best;
}

/* 1 if piece p is before piece q: by the coordinate, then by the index */
static int is_before(const tc_hierarchy_node *nodes, uint32_t p, uint32_t q, uint32_t axis)
{
    const tc_real x = nodes[p].centre[axis], y = nodes[q].centre[axis];
    return x < y || (x == y && p < q);
}

static void swap_pieces(tc_hierarchy_node *nodes, uint32_t i, uint32_t j)
{
    const uint32_t kept = nodes[i].piece;
    nodes[i].piece = nodes[j].piece;
    nodes[j].piece = kept;
}

/* Moves what is before the piece in the middle of low..high to its left; returns its place. */
static uint32_t part_range(tc_hierarchy_node *nodes, uint32_t low, uint32_t high, uint32_t axis)
{
    uint32_t place = low;
    swap_pieces(nodes, low + (high - low) / 2u, high);
    for (uint32_t i = low; i < high; ++i) {
        if (is_before(nodes, nodes[i].piece, nodes[high].piece, axis)) {
            swap_pieces(nodes, i, place);
            ++place;
        }
    }
    swap_pieces(nodes, place, high);
    return place;
}

/* Sorts so far that the pieces left of `middle` are before those from it on (quickselect). Each
 * round leaves at least one piece out. */
static void select_median(tc_hierarchy_node *nodes, hierarchy_range range, uint32_t middle)
{
    const uint32_t axis = find_axis(nodes, range);
    uint32_t low = range.low, high = range.high - 1u;
    while (low < high) {
        const uint32_t place = part_range(nodes, low, high, axis);
        if (place == middle) return;
        if (place < middle)
            low = place + 1u;
        else
            high = place - 1u;
    }
}

/* The halves of a range; 0 if it is a leaf */
static int halve_range(hierarchy_range range, hierarchy_range half[2])
{
    const uint32_t left = (range.high - range.low) / 2u;
    if (left == 0u) return 0;
    half[0] = (hierarchy_range){range.low, range.low + left, range.node + 1u};
    half[1] = (hierarchy_range){range.low + left, range.high, range.node + 2u * left};
    return 1;
}

static void order_pieces(tc_hierarchy_node *nodes, uint32_t count)
{
    hierarchy_range waiting[HIERARCHY_RANGES], half[2];
    uint32_t n = 0;
    waiting[n++] = (hierarchy_range){0, count, 0};
    while (n > 0u) {
        const hierarchy_range range = waiting[--n];
        if (!halve_range(range, half)) continue;
        select_median(nodes, range, half[1].low);
        waiting[n++] = half[0];
        waiting[n++] = half[1];
    }
}

/* ---- Spheres --------------------------------------------------------------------------------- */

/* Writes `right` of all nodes, and the pieces of the leaves, the last leaf first. */
static void place_nodes(tc_hierarchy_node *nodes, uint32_t count)
{
    hierarchy_range waiting[HIERARCHY_RANGES], half[2];
    uint32_t n = 0;
    waiting[n++] = (hierarchy_range){0, count, 0};
    while (n > 0u) {
        const hierarchy_range range = waiting[--n];
        if (!halve_range(range, half)) {
            nodes[range.node].right = 0;
            nodes[range.node].piece = nodes[range.low].piece;
            continue;
        }
        nodes[range.node].right = half[1].node;
        waiting[n++] = half[0];
        waiting[n++] = half[1];
    }
}

static void wrap_piece(const tc_barrier_set *piece, tc_hierarchy_node *node)
{
    tc_real reach = TC_C(0.0);
    mean_vertices(piece, node->centre);
    for (uint32_t i = 0; i < piece->count; ++i)
        reach = tc_vec_max(span_points(piece->vertices + 3u * i, node->centre), reach);
    node->radius = (reach + piece->radius) * TCI_HIERARCHY_OUTWARD;
    node->root = tc_sqrt((tc_real)piece->count);
}

static void wrap_children(const tc_hierarchy_node *x, const tc_hierarchy_node *y,
                          tc_hierarchy_node *node)
{
    const tc_hierarchy_node *const larger = x->radius >= y->radius ? x : y;
    const tc_hierarchy_node *const smaller = larger == x ? y : x;
    const tc_real D = span_points(x->centre, y->centre);
    const tc_real radius = TC_C(0.5) * (D + x->radius + y->radius);
    const tc_real share = radius > larger->radius ? (radius - larger->radius) / D : TC_C(0.0);
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real apart = smaller->centre[k] - larger->centre[k];
        node->centre[k] = TC_MLA(larger->centre[k], share, apart);
    }
    node->radius = tc_vec_max(radius, larger->radius) * TCI_HIERARCHY_OUTWARD;
    node->root = x->root < y->root ? x->root : y->root;
}

tc_status tc_hierarchy_build(const tc_barrier_set *pieces, uint32_t count, tc_hierarchy_node *nodes,
                             size_t nodes_len, tc_hierarchy *hierarchy)
{
    static const tc_hierarchy none = {0};
    if (!hierarchy) return TC_ERR_NULL;
    *hierarchy = none;
    if (!pieces || !nodes) return TC_ERR_NULL;
    if (count - 1u >= TC_HIERARCHY_PIECES_MAX) return TC_ERR_SIZE;
    if (nodes_len < 2u * (size_t)count - 1u) return TC_ERR_WORK;
    for (uint32_t i = 0; i < count; ++i) {
        const tc_status status = check_piece(&pieces[i]);
        if (status != TC_OK) return status;
        mean_vertices(&pieces[i], nodes[i].centre);
        nodes[i].piece = i;
    }
    order_pieces(nodes, count);
    place_nodes(nodes, count);
    for (uint32_t i = 2u * count - 1u; i-- > 0u;) {
        tc_hierarchy_node *const node = &nodes[i];
        if (node->right == 0u)
            wrap_piece(&pieces[node->piece], node);
        else
            wrap_children(&nodes[i + 1u], &nodes[node->right], node);
    }
    *hierarchy = (tc_hierarchy){pieces, nodes, count};
    return TC_OK;
}
