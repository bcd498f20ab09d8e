/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The sum over two trees of spheres: centred terms, blends, and the order in which pairs are met.
 *
 * All is seen in B's axes. Only A moves, by a translation t and a rotation exp([theta]) about its
 * position. The potential of two bodies depends on their relative pose alone, so these six
 * derivatives have all; tc_hierarchy.c makes the twelve of them, once per pair of bodies.
 *
 * A term of two centres is a function F(m) of m = |y|^2, y = rho + at - x_J, rho the turned centre of
 * A's sphere. To second order rho moves by theta x rho + theta x (theta x rho)/2, so that with
 * z = (y, rho x y), alpha = 2 F', beta = 4 F''
 *
 *     gradient  alpha z
 *     Hessian   beta z z' + alpha [ I                               sym ]
 *                                 [ [rho]x   |rho|^2 I - rho rho' + S   ]
 *     S = (rho y' + y rho')/2 - (rho . y) I
 *
 * The far term is F = r^2 + 2 kappa sqrt(A) r / sqrt(1 + length r^2) with r = s m^(-1/4), where s is
 * the sum of the square roots of both numbers of vertices. At kappa = 1, length = 0 that is the
 * paper's centred potential without its constant A.
 *
 * A blend P = P1 + phi (P2 - P1) of the near sum P1 and the far term P2 adds to the sum around it
 *
 *     P1, its gradient and (1 - phi) its Hessian, as are the others; and as a function of m, with P1's
 *     value held fast, G = phi (P2 - P1); and - (grad phi grad P1' + grad P1 grad phi').
 *
 * Pairs wait on a stack in the caller's memory. Of a pair that blends, an item that ends the blend
 * waits below its children. A tree has at most TC_HIERARCHY_DEPTH_MAX levels, a pair has at most four
 * children and one end: that bounds both stacks.
 */
#include "tc_exact.h"
#include "tc_hierarchy.h"

#include "tc_hierarchy_internal.h"

#define HIERARCHY_END UINT32_MAX
#define HIERARCHY_SHARED 2u /* level of the pairs that threads share */

/* ---- Terms ----------------------------------------------------------------------------------- */

/* The potential of two points at the squared distance m */
static tci_hierarchy_radial find_far(const tc_barrier_config *config, tc_real s, tc_real m)
{
    const tc_real inverse = TC_C(1.0) / m;
    const tc_real r2 = s * s * tc_sqrt(m) * inverse, r = tc_sqrt(r2);
    tc_real c = TC_C(2.0) * config->kappa * tc_sqrt(config->A), second = TC_C(0.0);
    tc_real value = c * r;
    if (config->length > TC_C(0.0)) {
        const tc_real e = TC_C(1.0) / TC_MLA(TC_C(1.0), config->length, r2);
        const tc_real root = tc_sqrt(e);
        value *= root;
        c *= e * root;
        second = TC_C(-3.0) * c * config->length * r * e;
    }
    const tc_real slope = r * TC_MLA(c, TC_C(2.0), r); /* r F_r */
    const tc_real bend = r2 * (TC_C(2.0) + second);    /* r^2 F_rr */
    return (tci_hierarchy_radial){value + r2, TC_C(-0.5) * slope * inverse,
                                  TC_C(0.25) * TC_MLA(bend, TC_C(5.0), slope) * inverse * inverse};
}

/* The weight of the far term between d1 and d2 */
static tci_hierarchy_radial find_weight(tc_real d1, tc_real d2, tc_real m)
{
    const tc_real width = TC_C(1.0) / (d2 - d1), D = tc_sqrt(m);
    tc_real x = (D - d1) * width;
    x = x < TC_C(0.0) ? TC_C(0.0) : x;
    x = x > TC_C(1.0) ? TC_C(1.0) : x;
    const tc_real rest = TC_C(1.0) - x;
    const tc_real first = TC_C(30.0) * x * x * rest * rest * width / D;
    const tc_real second = TC_C(60.0) * x * rest * (rest - x) * width * width;
    return (tci_hierarchy_radial){x * x * x
                                      * TC_MLA(TC_C(10.0), x, TC_MLA(TC_C(-15.0), TC_C(6.0), x)),
                                  first, (second - first) / m};
}

/* Adds a term's value and gradient, and z, its gradient over alpha. */
static void add_slope(tc_hierarchy_sum *sum, const tci_hierarchy_radial *term, const tc_real y[3],
                      const tc_real arm[3], tc_real z[6])
{
    for (uint32_t i = 0; i < 3u; ++i) z[i] = y[i];
    tc_vec_cross(arm, y, z + 3);
    sum->value += term->value;
    for (uint32_t i = 0; i < 6u; ++i)
        sum->gradient[i] = TC_MLA(sum->gradient[i], term->alpha, z[i]);
}

/* Adds c times the Hessian of a move of y with unit slope: arm is the vector that turns. */
static void add_turned_pair(tc_real *H, tc_real c, const tc_real y[3], const tc_real arm[3])
{
    const tc_real half = TC_C(0.5) * c;
    const tc_real middle = c * (tc_vec_dot3(arm, arm) - tc_vec_dot3(arm, y));
    const tc_real x[3] = {c * arm[0], c * arm[1], c * arm[2]};
    tc_real left[3]; /* of the symmetric rank-two term: (y - arm) arm' + arm (y - arm)', halved */
    for (uint32_t i = 0; i < 3u; ++i) left[i] = half * (y[i] - arm[i]);
    H[0] += c;
    H[2] += c;
    H[5] += c;
    H[7] -= x[2];
    H[8] += x[1];
    H[10] += x[2];
    H[12] -= x[0];
    H[15] -= x[1];
    H[16] += x[0];
    H[9] += TC_MLA(middle, TC_C(2.0) * left[0], arm[0]);
    H[13] += TC_MLA(left[1] * arm[0], left[0], arm[1]);
    H[14] += TC_MLA(middle, TC_C(2.0) * left[1], arm[1]);
    H[18] += TC_MLA(left[2] * arm[0], left[0], arm[2]);
    H[19] += TC_MLA(left[2] * arm[1], left[1], arm[2]);
    H[20] += TC_MLA(middle, TC_C(2.0) * left[2], arm[2]);
}

/* H += c (v w' + w v'), lower triangle; v = w: half of it */
static void add_product(tc_real *H, tc_real c, const tc_real v[6], const tc_real w[6])
{
    for (uint32_t i = 0; i < 6u; ++i) {
        const tc_real cv = c * v[i], cw = c * w[i];
        for (uint32_t j = 0; j <= i; ++j, ++H) *H = TC_MLA(TC_MLA(*H, cv, w[j]), cw, v[j]);
    }
}

static void add_tensor(tc_real *H, tc_real c, const tc_real v[6])
{
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < 6u; ++i) {
        const tc_real cv = c * v[i];
        TC_MAT_UNROLLED
        for (uint32_t j = 0; j <= i; ++j) H[i * (i + 1u) / 2u + j] += cv * v[j];
    }
}

static void add_radial(tc_hierarchy_sum *sum, const tci_hierarchy_radial *term, const tc_real y[3],
                       const tc_real arm[3])
{
    tc_real z[6];
    add_slope(sum, term, y, arm, z);
    add_tensor(sum->hessian, term->beta, z);
    add_turned_pair(sum->hessian, term->alpha, y, arm);
}

static void add_counts(tc_hierarchy_sum *sum, const tc_hierarchy_sum *more)
{
    sum->exact += more->exact;
    sum->centred += more->centred;
    sum->newton += more->newton;
    if (sum->status == TC_OK) sum->status = more->status;
}

static void add_sum(tc_hierarchy_sum *sum, const tc_hierarchy_sum *more)
{
    sum->value += more->value;
    for (uint32_t i = 0; i < 6u; ++i) sum->gradient[i] += more->gradient[i];
    for (uint32_t i = 0; i < 21u; ++i) sum->hessian[i] += more->hessian[i];
    add_counts(sum, more);
}

/* ---- Blends ---------------------------------------------------------------------------------- */

static void open_blend(tci_hierarchy_view *view, const tci_hierarchy_radial *far,
                       const tci_hierarchy_radial *weight, const tc_real y[3], const tc_real arm[3])
{
    static const tc_hierarchy_sum none = {0};
    tc_hierarchy_frame *const frame = &view->work->frames[++view->open];
    ++view->work->frames[view->open - 1u].sum.centred;
    *frame = (tc_hierarchy_frame){none,
                                  {y[0], y[1], y[2]},
                                  {arm[0], arm[1], arm[2]},
                                  {far->value, far->alpha, far->beta},
                                  {weight->value, weight->alpha, weight->beta}};
}

static void close_blend(tci_hierarchy_view *view)
{
    const tc_hierarchy_frame *const frame = &view->work->frames[view->open--];
    tc_hierarchy_sum *const outer = &view->work->frames[view->open].sum;
    const tc_hierarchy_sum *const near = &frame->sum;
    const tc_real *const far = frame->far, *const phi = frame->blend;
    const tc_real share = TC_C(1.0) - phi[0], lack = far[0] - near->value;
    const tci_hierarchy_radial change = {
        phi[0] * far[0], TC_MLA(phi[1] * lack, phi[0], far[1]),
        TC_MLA(TC_MLA(phi[2] * lack, TC_C(2.0) * phi[1], far[1]), phi[0], far[2])};
    tc_real z[6];
    outer->value += share * near->value;
    add_counts(outer, near);
    if (!view->derive) {
        outer->value += change.value;
        return;
    }
    for (uint32_t i = 0; i < 6u; ++i)
        outer->gradient[i] = TC_MLA(outer->gradient[i], share, near->gradient[i]);
    for (uint32_t i = 0; i < 21u; ++i)
        outer->hessian[i] = TC_MLA(outer->hessian[i], share, near->hessian[i]);
    add_slope(outer, &change, frame->y, frame->arm, z);
    add_tensor(outer->hessian, change.beta, z);
    add_turned_pair(outer->hessian, change.alpha, frame->y, frame->arm);
    add_product(outer->hessian, -phi[1], z, near->gradient);
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

static void push_pair(tci_hierarchy_view *view, uint32_t a, uint32_t b, uint32_t level)
{
    view->work->items[view->waiting++] = (tc_hierarchy_item){a, b, level};
}

/* The children of a pair wait; a leaf is its own child. */
static void push_children(tci_hierarchy_view *view, tc_hierarchy_item pair)
{
    const uint32_t right_a = view->a->nodes_ref[pair.a].right;
    const uint32_t right_b = view->b->nodes_ref[pair.b].right;
    const uint32_t a[2] = {right_a ? pair.a + 1u : pair.a, right_a};
    const uint32_t b[2] = {right_b ? pair.b + 1u : pair.b, right_b};
    for (uint32_t i = right_a ? 2u : 1u; i-- > 0u;) {
        for (uint32_t j = right_b ? 2u : 1u; j-- > 0u;)
            push_pair(view, a[i], b[j], pair.level + 1u);
    }
}

/* A pair in view of the threads' shares. 1: done, there is nothing to visit. Levels above the shared
 * one are the join's, which a part only descends. */
static int share_pair(tci_hierarchy_view *view, tc_hierarchy_item pair, int ends)
{
    if (view->mode == TCI_HIERARCHY_ALL || pair.level > HIERARCHY_SHARED) return 0;
    if (pair.level == HIERARCHY_SHARED) {
        const uint32_t number = view->met++;
        if (view->mode == TCI_HIERARCHY_PART) return number != view->part;
        add_sum(&view->work->frames[view->open].sum, &view->parts[number]);
        return 1;
    }
    if (view->mode == TCI_HIERARCHY_JOIN) return 0;
    if (!ends) push_children(view, pair);
    return 1;
}

/* A pair at d2 or beyond */
static void add_far(tci_hierarchy_view *view, const tci_hierarchy_radial *far, const tc_real y[3],
                    const tc_real arm[3])
{
    tc_hierarchy_sum *const sum = &view->work->frames[view->open].sum;
    ++sum->centred;
    if (view->derive)
        add_radial(sum, far, y, arm);
    else
        sum->value += far->value;
}

/* Two leaves below d2 */
static tc_status add_leaves(tci_hierarchy_view *view, tc_hierarchy_item pair, const tc_real y[3],
                            int blends)
{
    tc_hierarchy_sum *const sum = &view->work->frames[view->open].sum;
    const tc_status status = tci_hierarchy_add_exact(view, pair.a, pair.b, y, sum);
    if (blends) close_blend(view);
    return status;
}

/* y from the centre of b to that of a, arm from A's position to the latter; returns |y|^2 */
static tc_real place_pair(const tci_hierarchy_view *view, const tc_hierarchy_node *a,
                          const tc_hierarchy_node *b, tc_real y[3], tc_real arm[3])
{
    tci_hierarchy_turn(view->at.rotation, a->centre, arm);
    for (uint32_t i = 0; i < 3u; ++i) y[i] = arm[i] + (view->at.position[i] - b->centre[i]);
    return tc_vec_dot3(y, y);
}

static tc_status visit_pair(tci_hierarchy_view *view, tc_hierarchy_item pair)
{
    const tc_hierarchy_node *const a = &view->a->nodes_ref[pair.a];
    const tc_hierarchy_node *const b = &view->b->nodes_ref[pair.b];
    const tc_real d1 = a->radius + b->radius, d2 = TC_MLA(d1, view->config->epsilon, d1);
    tc_real y[3], arm[3];
    const tc_real m = place_pair(view, a, b, y, arm);
    const int leaves = (a->right | b->right) == 0u, blends = m > d1 * d1, ends = m >= d2 * d2;
    if (share_pair(view, pair, ends || leaves)) return TC_OK;
    if (blends) {
        const tci_hierarchy_radial far = find_far(&view->config->barrier, a->root + b->root, m);
        if (ends) {
            add_far(view, &far, y, arm);
            return TC_OK;
        }
        const tci_hierarchy_radial weight = find_weight(d1, d2, m);
        open_blend(view, &far, &weight, y, arm);
    }
    if (leaves) return add_leaves(view, pair, y, blends);
    if (blends) push_pair(view, 0, HIERARCHY_END, 0);
    push_children(view, pair);
    return TC_OK;
}

tc_status tci_hierarchy_walk(tci_hierarchy_view *view)
{
    static const tc_hierarchy_sum none = {0};
    view->work->frames[0].sum = none;
    view->waiting = view->open = view->met = 0;
    push_pair(view, 0, 0, 0);
    while (view->waiting > 0u) {
        const tc_hierarchy_item pair = view->work->items[--view->waiting];
        if (pair.b == HIERARCHY_END) {
            close_blend(view);
            continue;
        }
        const tc_status status = visit_pair(view, pair);
        if (status < TC_OK) return status;
    }
    return TC_OK;
}
