/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Distance of two posed shapes: which search a pair of parts takes, and the least of them.
 *
 * Two convex parts whose spheres are further apart than the least distance so far are left out.
 *
 * Derivatives. Let D be the least of phi_b over a. With the deepest point x and the parameters theta
 * of b, dD/dtheta = dphi_b/dtheta at x. Where b is convex and sharp there, phi_b has a kink, and its
 * derivative is the mean of the sides': the sides with weights u_i n_i / L, where n is the normal in
 * b's axes, u the support point of b's core with all half edges 1, L = u.n. A side is met a little
 * further along u_i e_i.
 *
 * The derivative by a's position is b's gradient at x, which is n / L in the mean. Its moment about
 * a's origin is that by a's rotation. b moved is a moved the other way.
 *
 * A convex a with support function S reaches S along -n. As b's gradient there is n, or n / L where
 * b has a kink, dD/dtheta = -(dS/dtheta) / L, L = 1 elsewhere. Far beyond the support point, along
 * -n, a's own value is the distance from that point, so its derivative there is -dS/dtheta.
 */
#include "tc_exact.h"

#include "tc_meet_internal.h"

#define TCI_MEET_FAR TC_C(1e9)   /* [m] further than two points can be */
#define TCI_MEET_SAME TC_C(1e-3) /* share of the extent: a value is the distance */

/* The calls through a kind's table, in whichever function the compiler leaves them */
/* tc_calls: open_side lib/shape/tc_sdf_round.c:core_halfspace */
/* tc_calls: open_side lib/shape/tc_sdf_round.c:core_sphere */
/* tc_calls: open_side lib/shape/tc_sdf_round.c:core_capsule */
/* tc_calls: open_side lib/shape/tc_sdf_box.c:core_box */
/* tc_calls: open_side lib/shape/tc_sdf_box.c:core_cylinder */
/* tc_calls: meet_parts lib/shape/tc_sdf_round.c:core_halfspace */
/* tc_calls: meet_parts lib/shape/tc_sdf_round.c:core_sphere */
/* tc_calls: meet_parts lib/shape/tc_sdf_round.c:core_capsule */
/* tc_calls: meet_parts lib/shape/tc_sdf_box.c:core_box */
/* tc_calls: meet_parts lib/shape/tc_sdf_box.c:core_cylinder */
/* tc_calls: open_nearest lib/shape/tc_sdf_round.c:core_halfspace */
/* tc_calls: open_nearest lib/shape/tc_sdf_round.c:core_sphere */
/* tc_calls: open_nearest lib/shape/tc_sdf_round.c:core_capsule */
/* tc_calls: open_nearest lib/shape/tc_sdf_box.c:core_box */
/* tc_calls: open_nearest lib/shape/tc_sdf_box.c:core_cylinder */
/* tc_calls: open_sides lib/shape/tc_sdf_round.c:core_halfspace */
/* tc_calls: open_sides lib/shape/tc_sdf_round.c:core_sphere */
/* tc_calls: open_sides lib/shape/tc_sdf_round.c:core_capsule */
/* tc_calls: open_sides lib/shape/tc_sdf_box.c:core_box */
/* tc_calls: open_sides lib/shape/tc_sdf_box.c:core_cylinder */
/* tc_calls: tc_meet_distance lib/shape/tc_sdf_round.c:core_halfspace */
/* tc_calls: tc_meet_distance lib/shape/tc_sdf_round.c:core_sphere */
/* tc_calls: tc_meet_distance lib/shape/tc_sdf_round.c:core_capsule */
/* tc_calls: tc_meet_distance lib/shape/tc_sdf_box.c:core_box */
/* tc_calls: tc_meet_distance lib/shape/tc_sdf_box.c:core_cylinder */

/* ---- Parts ----------------------------------------------------------------------------------- */

/* A side of a pair: a part, its pose and its core */
typedef struct tci_meet_side {
    const tc_sdf *shape;
    tc_convex_pose at;
    tc_convex core;
    int convex;
} tci_meet_side;

/* Only a union's values are a bound */
uint32_t tci_meet_parts(const tc_sdf *shape)
{
    if (shape->kind->contract != TC_SDF_CONTRACT_BOUND) return 1u;
    return ((const tc_sdf_parts *)shape->data_ref)->count;
}

const tc_sdf *tci_meet_part(const tc_sdf *shape, const tc_convex_pose *at, uint32_t i,
                            tc_convex_pose *placed)
{
    *placed = *at;
    if (shape->kind->contract != TC_SDF_CONTRACT_BOUND) return shape;
    const tc_sdf_part *const part = &((const tc_sdf_parts *)shape->data_ref)->parts[i];
    tc_real away[3], column[3], turned[3];
    tci_convex_turn(at->rotation, part->position, away);
    for (uint32_t k = 0; k < 3u; ++k) placed->position[k] += away[k];
    for (uint32_t j = 0; j < 3u && part->rotation_ref; ++j) {
        for (uint32_t k = 0; k < 3u; ++k) column[k] = part->rotation_ref[3u * k + j];
        tci_convex_turn(at->rotation, column, turned);
        for (uint32_t k = 0; k < 3u; ++k) placed->rotation[3u * k + j] = turned[k];
    }
    return part->shape_ref;
}

static void open_side(const tc_sdf *shape, const tc_convex_pose *at, uint32_t i,
                      tci_meet_side *side)
{
    side->shape = tci_meet_part(shape, at, i, &side->at);
    side->convex = side->shape->kind->core != NULL;
    if (side->convex) (void)side->shape->kind->core(side->shape, TC_C(0.0), &side->core);
}

static tci_meet_pair pair_sides(const tci_meet_side *a, const tci_meet_side *b, tc_real *work,
                                size_t work_len)
{
    const tci_meet_pair pair = {.a = a->shape,
                                .b = b->shape,
                                .at_a = &a->at,
                                .at_b = &b->at,
                                .core_a = a->convex ? &a->core : NULL,
                                .core_b = b->convex ? &b->core : NULL,
                                .work = work,
                                .work_len = work_len};
    return pair;
}

/* ---- Distance -------------------------------------------------------------------------------- */

/* 1 if a search can start from a shape: it is convex and has an end, or its points are known */
static int can_start(const tc_sdf *shape, const tc_convex *core)
{
    if (core) return core->kind != TC_CONVEX_HALFSPACE;
    return ((const tc_sdf_stored *)shape->data_ref)->points > 0u;
}

/* 1 if b changes places with a, of which no search can start */
static int searches_second(const tci_meet_pair *pair)
{
    return !can_start(pair->a, pair->core_a) && !(pair->core_a && pair->core_b);
}

/* The distance where one of both is not convex */
static tc_status meet_samples(const tci_meet_pair *pair, tc_convex_gap *gap)
{
    if (!searches_second(pair)) return tci_meet_samples(pair, gap);
    const tci_meet_pair turned = {pair->b,      pair->a,      pair->at_b, pair->at_a,
                                  pair->core_b, pair->core_a, pair->work, pair->work_len};
    const tc_status status = tci_meet_samples(&turned, gap);
    tci_meet_swap(gap);
    return status;
}

/* The distance of two parts */
static tc_status meet_pair(const tci_meet_pair *pair, tc_meet_rule rule, tc_convex_gap *gap)
{
    if (!can_start(pair->a, pair->core_a) && !can_start(pair->b, pair->core_b))
        return TC_ERR_UNSUPPORTED;
    if (!pair->core_a || !pair->core_b) return meet_samples(pair, gap);
    return rule == TC_MEET_DEEPEST ? tci_meet_deepest(pair, gap) : tci_meet_translation(pair, gap);
}

tc_status tci_meet_measure(const tci_meet_pair *pair, tc_meet_rule rule, tc_convex_gap *gap)
{
    static const tc_convex_gap none = {0};
    *gap = none;
    const tc_status status = meet_pair(pair, rule, gap);
    if (status >= TC_OK && gap->distance < TCI_MEET_FAR) return status;
    const uint32_t steps = status < TC_OK ? 0u : gap->steps;
    *gap = none;
    if (status < TC_OK) return status;
    gap->distance = TCI_MEET_FAR;
    gap->steps = steps;
    return TC_OK;
}

/* Less than the distance of two convex parts, neither a half-space; else far below any */
static tc_real spheres_apart(const tci_meet_side *a, const tci_meet_side *b)
{
    tc_real away[3];
    if (!a->convex || !b->convex) return -TCI_SHAPE_COORDINATE_MAX;
    if (a->core.kind == TC_CONVEX_HALFSPACE || b->core.kind == TC_CONVEX_HALFSPACE) {
        return -TCI_SHAPE_COORDINATE_MAX;
    }
    for (uint32_t k = 0; k < 3u; ++k) away[k] = a->at.position[k] - b->at.position[k];
    return tc_sqrt(tc_vec_dot3(away, away)) - tci_meet_extent(&a->core) - tci_meet_extent(&b->core);
}

/* The least distance of a part of a to those of b that is below gap's. Its status. */
static tc_status meet_parts(const tci_meet_side *a, const tc_sdf *b, const tc_convex_pose *at_b,
                            tc_meet_rule rule, tc_convex_gap *gap, tc_real *work, size_t work_len)
{
    const uint32_t parts = tci_meet_parts(b);
    tc_status best = TC_NOTE_RANK;
    for (uint32_t i = 0; i < parts; ++i) {
        tci_meet_side side;
        tc_convex_gap found = {0};
        open_side(b, at_b, i, &side);
        if (spheres_apart(a, &side) > gap->distance) continue;
        const tci_meet_pair pair = pair_sides(a, &side, work, work_len);
        const tc_status status = meet_pair(&pair, rule, &found);
        if (status < TC_OK) return status;
        const uint32_t steps = gap->steps + found.steps;
        if (found.distance < gap->distance) {
            *gap = found;
            best = status;
        }
        gap->steps = steps;
    }
    return best;
}

/* TC_OK or what the arguments have against them */
static tc_status check_meet(const tc_sdf *a, const tc_convex_pose *at_a, const tc_sdf *b,
                            const tc_convex_pose *at_b)
{
    if (!a || !at_a || !b || !at_b || !a->kind || !b->kind) return TC_ERR_NULL;
    const tc_status status = tci_convex_check_pose(at_a);
    return status != TC_OK ? status : tci_convex_check_pose(at_b);
}

tc_status tc_meet_distance(const tc_sdf *a, const tc_convex_pose *at_a, const tc_sdf *b,
                           const tc_convex_pose *at_b, tc_meet_rule rule, tc_convex_gap *gap,
                           tc_real *work, size_t work_len)
{
    static const tc_convex_gap none = {0};
    if (!gap) return TC_ERR_NULL;
    *gap = none;
    tc_status best = check_meet(a, at_a, b, at_b);
    if (best != TC_OK) return best;
    if ((uint32_t)rule > (uint32_t)TC_MEET_TRANSLATION) return TC_ERR_UNSUPPORTED;
    gap->distance = TCI_MEET_FAR;
    const uint32_t parts = tci_meet_parts(a);
    for (uint32_t i = 0; i < parts && best >= TC_OK; ++i) {
        tci_meet_side side;
        const tc_real before = gap->distance;
        open_side(a, at_a, i, &side);
        const tc_status status = meet_parts(&side, b, at_b, rule, gap, work, work_len);
        if (status < TC_OK || gap->distance < before) best = status;
    }
    if (best < TC_OK) *gap = none;
    return best;
}

/* ---- Derivatives ----------------------------------------------------------------------------- */

/* The side that was searched, and the one whose values were; both with their parameters' place */
typedef struct tci_meet_sides {
    tci_meet_side side[2];
    tc_real *by[2];  /* NULL: not wanted */
    tc_real x[3];    /* deepest point, world axes */
    tc_real n[3];    /* from the second to the first, world axes */
    tc_real inverse; /* 1 / L */
} tci_meet_sides;

/* A world point or direction in a side's axes */
static void place_local(const tci_meet_side *side, const tc_real x[3], tc_real local[3])
{
    tc_real away[3];
    for (uint32_t k = 0; k < 3u; ++k) away[k] = x[k] - side->at.position[k];
    tci_convex_back(side->at.rotation, away, local);
}

/* Opens the part whose value at the world point x is nearest to `value`. *before: parameters of the
 * parts before it; *error: what is left. */
static tc_status open_nearest(const tc_sdf *shape, const tc_convex_pose *at, const tc_real x[3],
                              tc_real value, tci_meet_side *side, uint32_t *before, tc_real *error,
                              tc_real *work, size_t work_len)
{
    uint32_t sum = 0;
    tc_real local[3], found, gradient[3];
    *error = TCI_MEET_FAR;
    for (uint32_t i = 0; i < tci_meet_parts(shape); ++i) {
        tci_meet_side part;
        open_side(shape, at, i, &part);
        place_local(&part, x, local);
        const tc_status status = tc_sdf_eval(part.shape, local, &found, gradient, work, work_len);
        if (status < TC_OK) return status;
        if (tc_vec_magnitude(found - value) < *error) {
            *error = tc_vec_magnitude(found - value);
            *before = sum;
            *side = part;
        }
        sum += tc_sdf_parameters(part.shape);
    }
    return TC_OK;
}

/* Adds weight times the derivative of the side's value at x, its axes */
static tc_status add_grad(const tci_meet_side *side, const tc_real x[3], tc_real weight,
                          tc_real *sum, tc_real *work, size_t work_len)
{
    tc_real derivative[TC_SDF_PARAMETERS];
    const uint32_t count = tc_sdf_parameters(side->shape);
    if (count == 0u) return TC_OK;
    const tc_status status = tc_sdf_grad(side->shape, x, derivative, work, work_len);
    for (uint32_t i = 0; i < count; ++i) sum[i] = TC_MLA(sum[i], weight, derivative[i]);
    return status;
}

/* Minus `weight` times the derivative of a convex side's support along n, its axes */
static tc_status add_support(const tci_meet_side *side, const tc_real n[3], tc_real weight,
                             tc_real *sum)
{
    tc_real back[3], x[3];
    const tc_real far = tci_meet_extent(&side->core);
    for (uint32_t k = 0; k < 3u; ++k) back[k] = -n[k];
    tci_convex_support(&side->core, back, x);
    for (uint32_t k = 0; k < 3u; ++k) x[k] = TC_MLA(x[k], far, n[k]);
    return add_grad(side, x, weight, sum, NULL, 0);
}

/* The mean of the derivatives of a convex side's value on the sides of its kink at x */
static tc_status add_kink(const tci_meet_side *side, const tc_real x[3], const tc_real n[3],
                          tc_real inverse, tc_real *sum)
{
    tc_real u[3], way[3];
    const tc_real further = TC_C(0.01) * tci_meet_extent(&side->core);
    (void)tci_meet_loss(&side->core, n, u);
    tc_status status = TC_OK;
    for (uint32_t i = 0; i < 3u && status >= TC_OK; ++i) {
        const tc_real weight = u[i] * n[i] * inverse;
        for (uint32_t k = 0; k < 3u; ++k) way[k] = x[k];
        way[i] = TC_MLA(way[i], further, u[i]);
        if (weight > TC_C(0.0)) status = add_grad(side, way, weight, sum, NULL, 0);
    }
    return status;
}

/* by[1]; also sets L */
static tc_status grad_second(tci_meet_sides *s, tc_real distance, tc_real error, tc_real *work,
                             size_t work_len)
{
    const tci_meet_side *const side = &s->side[1];
    tc_real local[3], n[3], u[3];
    tc_real unwanted[TC_SDF_PARAMETERS], *const by = s->by[1] ? s->by[1] : unwanted;
    s->inverse = TC_C(1.0);
    place_local(side, s->x, local);
    if (!side->convex)
        return s->by[1] ? add_grad(side, local, TC_C(1.0), by, work, work_len) : TC_OK;
    tci_convex_back(side->at.rotation, s->n, n);
    if (distance >= -side->core.radius || error > TCI_MEET_SAME * tci_meet_extent(&side->core)) {
        return add_support(side, n, TC_C(1.0), by);
    }
    s->inverse = TC_C(1.0) / tci_meet_loss(&side->core, n, u);
    return add_kink(side, local, n, s->inverse, by);
}

/* by[0] */
static tc_status grad_first(const tci_meet_sides *s, tc_real *work, size_t work_len)
{
    const tci_meet_side *const side = &s->side[0];
    tc_real back[3], n[3], local[3], value, gradient[3];
    if (side->convex) {
        for (uint32_t k = 0; k < 3u; ++k) back[k] = -s->n[k];
        tci_convex_back(side->at.rotation, back, n);
        return add_support(side, n, s->inverse, s->by[0]);
    }
    place_local(side, s->x, local);
    const tc_status status = tc_sdf_eval(side->shape, local, &value, gradient, work, work_len);
    const tc_real square = tc_vec_dot3(gradient, gradient);
    if (status < TC_OK || !(square > TC_C(0.0))) return status;
    return add_grad(side, local, s->inverse / tc_sqrt(square), s->by[0], work, work_len);
}

/* A shape and its pose, as the arguments have them */
typedef struct tci_meet_posed {
    const tc_sdf *shape;
    const tc_convex_pose *at;
    tc_real *by;
} tci_meet_posed;

/* Opens the parts that count, the first searched for the point x; n points to it. *error: of the
 * second's value there. */
static tc_status open_sides(const tci_meet_posed posed[2], const tc_convex_gap *gap,
                            tci_meet_sides *s, tc_real *error, tc_real *work, size_t work_len)
{
    for (uint32_t i = 0; i < 2u; ++i) {
        uint32_t before = 0;
        const tc_status status =
            open_nearest(posed[i].shape, posed[i].at, s->x, i == 0u ? TC_C(0.0) : gap->distance,
                         &s->side[i], &before, error, work, work_len);
        if (status < TC_OK) return status;
        s->by[i] = posed[i].by ? posed[i].by + before : NULL;
    }
    return TC_OK;
}

/* The deepest point and the normal of a gap, or of that with the sides changed */
static void take_point(const tc_convex_gap *gap, int turned, tci_meet_sides *s)
{
    for (uint32_t k = 0; k < 3u; ++k) {
        s->x[k] = turned ? gap->point_b[k] : gap->point_a[k];
        s->n[k] = turned ? -gap->normal[k] : gap->normal[k];
    }
}

/* Opens the parts that count and finds by[1] and L; the outputs are zero before */
static tc_status grad_values(const tci_meet_posed posed[2], const tc_convex_gap *gap,
                             tci_meet_sides *s, tc_real *work, size_t work_len)
{
    const tci_meet_posed turned[2] = {posed[1], posed[0]};
    tc_real error;
    take_point(gap, 0, s);
    tc_status status = open_sides(posed, gap, s, &error, work, work_len);
    if (status < TC_OK) return status;
    const tci_meet_pair pair = pair_sides(&s->side[0], &s->side[1], work, work_len);
    if (searches_second(&pair)) {
        take_point(gap, 1, s);
        status = open_sides(turned, gap, s, &error, work, work_len);
        if (status < TC_OK) return status;
    }
    return grad_second(s, gap->distance, error, work, work_len);
}

/* Both derivatives; the outputs are zero before */
static tc_status grad_sides(const tci_meet_posed posed[2], const tc_convex_gap *gap, tc_real *work,
                            size_t work_len)
{
    tci_meet_sides s;
    const tc_status status = grad_values(posed, gap, &s, work, work_len);
    if (status < TC_OK || !s.by[0]) return status;
    const tc_status first = grad_first(&s, work, work_len);
    return first != TC_OK ? first : status;
}

/* The length of the gradient of the distance by a's position */
static tc_status grad_length(const tci_meet_sides *s, tc_real *length, tc_real *work,
                             size_t work_len)
{
    tc_real local[3], value, gradient[3];
    *length = s->inverse;
    if (s->side[1].convex) return TC_OK;
    place_local(&s->side[1], s->x, local);
    const tc_status status = tc_sdf_eval(s->side[1].shape, local, &value, gradient, work, work_len);
    *length = tc_sqrt(tc_vec_dot3(gradient, gradient));
    return status;
}

/* TC_OK, or TC_ERR_UNSUPPORTED where a derivative is wanted that does not exist */
static tc_status open_derivative(const tci_meet_posed *posed)
{
    if (!posed->by) return TC_OK;
    const uint32_t count = tc_sdf_parameters(posed->shape);
    return count == 0u ? TC_ERR_UNSUPPORTED : tc_vec_zeroed(TC_OK, posed->by, count);
}

tc_status tc_meet_grad(const tc_sdf *a, const tc_convex_pose *at_a, const tc_sdf *b,
                       const tc_convex_pose *at_b, const tc_convex_gap *gap, tc_real *by_a,
                       tc_real *by_b, tc_real *work, size_t work_len)
{
    const tci_meet_posed posed[2] = {{a, at_a, by_a}, {b, at_b, by_b}};
    if (!gap) return TC_ERR_NULL;
    tc_status status = check_meet(a, at_a, b, at_b);
    if (status == TC_OK) status = open_derivative(&posed[0]);
    if (status == TC_OK) status = open_derivative(&posed[1]);
    if (status != TC_OK) return status;
    status = grad_sides(posed, gap, work, work_len);
    if (status < TC_OK) {
        (void)open_derivative(&posed[0]);
        (void)open_derivative(&posed[1]);
    }
    return status;
}

/* {force, its moment at x about the origin of `at`} */
static void set_wrench(const tc_convex_pose *at, const tc_real x[3], const tc_real force[3],
                       tc_real by[6])
{
    tc_real arm[3];
    for (uint32_t k = 0; k < 3u; ++k) {
        arm[k] = x[k] - at->position[k];
        by[k] = force[k];
    }
    tc_vec_cross(arm, force, by + 3);
}

tc_status tc_meet_grad_pose(const tc_sdf *a, const tc_convex_pose *at_a, const tc_sdf *b,
                            const tc_convex_pose *at_b, const tc_convex_gap *gap, tc_real by_a[6],
                            tc_real by_b[6], tc_real *work, size_t work_len)
{
    const tci_meet_posed posed[2] = {{a, at_a, NULL}, {b, at_b, NULL}};
    tci_meet_sides s;
    tc_real length, force[3], back[3];
    if (!by_a || !by_b) return TC_ERR_NULL;
    (void)tc_vec_zeroed(TC_OK, by_a, 6);
    (void)tc_vec_zeroed(TC_OK, by_b, 6);
    if (!gap) return TC_ERR_NULL;
    tc_status status = check_meet(a, at_a, b, at_b);
    if (status == TC_OK) status = grad_values(posed, gap, &s, work, work_len);
    if (status >= TC_OK) status = grad_length(&s, &length, work, work_len);
    if (status < TC_OK) return status;
    for (uint32_t k = 0; k < 3u; ++k) {
        force[k] = length * gap->normal[k];
        back[k] = -force[k];
    }
    set_wrench(at_a, s.x, force, by_a);
    set_wrench(at_b, s.x, back, by_b);
    return status;
}
