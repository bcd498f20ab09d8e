/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Distance of a pair with a terrain, grid or net: b's least value on a's surface, by descent.
 *
 * Search set. Where b's value is a distance (its gradient is of unit length) and a is convex, a's
 * core is searched, and a's rounding is taken off: the deepest point of a ball of radius r about x
 * lies r along -grad b from x. A sphere is one evaluation. A grid's or net's gradient is not of unit
 * length, and its value is clipped, so there a's surface itself is searched.
 *
 * Descent. y = P(x - t g): P moves to the nearest point of a's core or surface, by a closed form
 * for a primitive and by one Newton step along a's gradient for a grid or net. g is b's gradient;
 * on a surface whose outward normal n has g.n >= 0, or which is not convex, it is g's tangential
 * part. With s = y - x and d the change of g, the next t is the secant's, s.s / s.d (Barzilai and
 * Borwein). A step that does not descend is shortened to where the tangents at its ends meet: that
 * ends in one step on a kink between two smooth sides.
 *
 * A descent ends when a step is below SAMPLE_FINE of a's reach; TC_NOTE_LIMIT says that the lowest
 * one did not. The value's error is of the order of that step's square.
 *
 * Far away. A grid's value is clipped, and outside of its box it is not the distance. Where a is
 * further than SAMPLE_FAR of its reach, or a point of b's surface is nearer to a than the value
 * says, the sides change places: a's value, which is exact, has the same minimum on b's surface.
 *
 * Cost. At most 26 starts, or as many as a has points, and TCI_MEET_KEPT TCI_MEET_STEPS steps.
 */
#include "tc_exact.h"

#include "tc_meet_samples_internal.h"

#define SAMPLE_FINE TC_C(1e-4)
#define SAMPLE_FAR TC_C(0.5)
#define SAMPLE_SURE TC_C(1e-2)
/* Largest number of Newton's steps to the surface of a grid or net, and share of a's reach that a
 * last one may have */
#define SAMPLE_NEWTON 4u
#define SAMPLE_ON TC_C(1e-3)

/* Where the calls through the kinds' tables can go, in whichever function the compiler leaves them */
/* tc_calls: tci_meet_ask lib/shape/tc_sdf_round.c:eval_halfspace */
/* tc_calls: tci_meet_ask lib/shape/tc_sdf_round.c:eval_sphere */
/* tc_calls: tci_meet_ask lib/shape/tc_sdf_round.c:eval_capsule */
/* tc_calls: tci_meet_ask lib/shape/tc_sdf_box.c:eval_box */
/* tc_calls: tci_meet_ask lib/shape/tc_sdf_box.c:eval_cylinder */
/* tc_calls: tci_meet_ask lib/shape/tc_sdf_terrain.c:eval_terrain */
/* tc_calls: tci_meet_ask lib/shape/tc_sdf_grid.c:eval_grid */
/* tc_calls: tci_meet_ask lib/learned/tc_sdf_net.c:eval_sdf_net */
/* tc_calls: tci_meet_ask_a lib/shape/tc_sdf_round.c:eval_halfspace */
/* tc_calls: tci_meet_ask_a lib/shape/tc_sdf_round.c:eval_sphere */
/* tc_calls: tci_meet_ask_a lib/shape/tc_sdf_round.c:eval_capsule */
/* tc_calls: tci_meet_ask_a lib/shape/tc_sdf_box.c:eval_box */
/* tc_calls: tci_meet_ask_a lib/shape/tc_sdf_box.c:eval_cylinder */
/* tc_calls: tci_meet_ask_a lib/shape/tc_sdf_terrain.c:eval_terrain */
/* tc_calls: tci_meet_ask_a lib/shape/tc_sdf_grid.c:eval_grid */
/* tc_calls: tci_meet_ask_a lib/learned/tc_sdf_net.c:eval_sdf_net */
/* tc_calls: tci_meet_settle lib/shape/tc_sdf_round.c:eval_halfspace */
/* tc_calls: tci_meet_settle lib/shape/tc_sdf_round.c:eval_sphere */
/* tc_calls: tci_meet_settle lib/shape/tc_sdf_round.c:eval_capsule */
/* tc_calls: tci_meet_settle lib/shape/tc_sdf_box.c:eval_box */
/* tc_calls: tci_meet_settle lib/shape/tc_sdf_box.c:eval_cylinder */
/* tc_calls: tci_meet_settle lib/shape/tc_sdf_terrain.c:eval_terrain */
/* tc_calls: tci_meet_settle lib/shape/tc_sdf_grid.c:eval_grid */
/* tc_calls: tci_meet_settle lib/learned/tc_sdf_net.c:eval_sdf_net */
/* tc_calls: search_samples lib/shape/tc_sdf_round.c:eval_halfspace */
/* tc_calls: search_samples lib/shape/tc_sdf_round.c:eval_sphere */
/* tc_calls: search_samples lib/shape/tc_sdf_round.c:eval_capsule */
/* tc_calls: search_samples lib/shape/tc_sdf_box.c:eval_box */
/* tc_calls: search_samples lib/shape/tc_sdf_box.c:eval_cylinder */
/* tc_calls: search_samples lib/shape/tc_sdf_terrain.c:eval_terrain */
/* tc_calls: search_samples lib/shape/tc_sdf_grid.c:eval_grid */
/* tc_calls: search_samples lib/learned/tc_sdf_net.c:eval_sdf_net */
/* tc_calls: descend_from lib/shape/tc_sdf_round.c:eval_halfspace */
/* tc_calls: descend_from lib/shape/tc_sdf_round.c:eval_sphere */
/* tc_calls: descend_from lib/shape/tc_sdf_round.c:eval_capsule */
/* tc_calls: descend_from lib/shape/tc_sdf_box.c:eval_box */
/* tc_calls: descend_from lib/shape/tc_sdf_box.c:eval_cylinder */
/* tc_calls: descend_from lib/shape/tc_sdf_terrain.c:eval_terrain */
/* tc_calls: descend_from lib/shape/tc_sdf_grid.c:eval_grid */
/* tc_calls: descend_from lib/learned/tc_sdf_net.c:eval_sdf_net */

tc_status tci_meet_ask(tci_meet_search *s, tci_meet_start *to)
{
    const tci_meet_pair *const pair = s->pair;
    tc_real p[3], g[3];
    tci_convex_turn(s->turn, to->x, p);
    for (uint32_t k = 0; k < 3u; ++k) p[k] += s->at[k];
    const tc_status status =
        pair->b->kind->eval(pair->b, p, &to->value, g, pair->work, pair->work_len);
    tci_convex_back(s->turn, g, to->gradient);
    to->value -= s->shrink;
    to->note = (tc_real)status;
    ++s->asked;
    return status;
}

tc_status tci_meet_ask_a(const tci_meet_search *s, const tc_real x[3], tc_real value[4])
{
    const tci_meet_pair *const pair = s->pair;
    return pair->a->kind->eval(pair->a, x, value, value + 1, pair->work, pair->work_len);
}

static tc_real clamp_half(tc_real x, tc_real half)
{
    return x > half ? half : x < -half ? -half : x;
}

/* The core's nearest point; its other half lengths are 0 where there are none */
static void settle_core(const tci_meet_search *s, tc_real x[3])
{
    const tc_real *const half = s->half;
    if (s->pair->core_a->kind == TC_CONVEX_CYLINDER) {
        const tc_real square = TC_MLA(x[0] * x[0], x[1], x[1]);
        const tc_real scale = square > half[0] * half[0] ? half[0] / tc_sqrt(square) : TC_C(1.0);
        x[0] *= scale;
        x[1] *= scale;
        x[2] = clamp_half(x[2], half[2]);
        return;
    }
    for (uint32_t k = 0; k < 3u; ++k) x[k] = clamp_half(x[k], half[k]);
}

tc_status tci_meet_settle(tci_meet_search *s, tc_real x[3], tc_real normal[3])
{
    tc_real value[4];
    (void)tc_vec_zeroed(TC_OK, normal, 3);
    if (s->on_core) {
        settle_core(s, x);
        return TC_OK;
    }
    const uint32_t steps = s->pair->core_a ? 1u : SAMPLE_NEWTON;
    const tc_real close = SAMPLE_ON * s->reach;
    for (uint32_t i = 0; i < steps; ++i) {
        const tc_status status = tci_meet_ask_a(s, x, value);
        const tc_real square = tc_vec_dot3(value + 1, value + 1);
        if (status < TC_OK) return status;
        if (!(square > TC_C(1e-2))) return TC_NOTE_RANGE;
        const tc_real along = value[0] / square, inverse = TC_C(1.0) / tc_sqrt(square);
        for (uint32_t k = 0; k < 3u; ++k) {
            x[k] = TC_MLS(x[k], along, value[1u + k]);
            normal[k] = inverse * value[1u + k];
        }
        if (tc_vec_magnitude(value[0]) <= close) return TC_OK;
    }
    return s->pair->core_a ? TC_OK : TC_NOTE_RANGE;
}

/* ---- Descent --------------------------------------------------------------------------------- */

/* A place of a descent: a start, a's normal there, and b's slope along a's surface */
typedef struct sample_place {
    tci_meet_start at;
    tc_real normal[3], slope[3];
} sample_place;

/* The part of g along the surface with this normal; g where the normal is 0 */
static void slope_along(const tc_real g[3], const tc_real normal[3], tc_real slope[3])
{
    const tc_real out = tc_vec_dot3(g, normal);
    for (uint32_t k = 0; k < 3u; ++k) slope[k] = TC_MLS(g[k], out, normal[k]);
}

/* Next length per slope: the secant's where the slope grows along the step */
static tc_real secant_step(const sample_place *x, const sample_place *y, tc_real t)
{
    tc_real along = TC_C(0.0), square = TC_C(0.0);
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real step = y->at.x[k] - x->at.x[k];
        along = TC_MLA(along, step, y->slope[k] - x->slope[k]);
        square = TC_MLA(square, step, step);
    }
    return along > TC_C(0.05) * square / t ? square / along : TC_C(4.0) * t;
}

/* Share of the step from x to y at which the tangents at its ends meet, 0.1..0.5 */
static tc_real tangents_meet(const sample_place *x, const sample_place *y)
{
    tc_real down = TC_C(0.0), up = TC_C(0.0);
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real step = y->at.x[k] - x->at.x[k];
        down = TC_MLA(down, step, x->slope[k]);
        up = TC_MLA(up, step, y->slope[k]);
    }
    const tc_real share = (y->at.value - x->at.value - up) / (down - up);
    return share > TC_C(0.1) ? share < TC_C(0.5) ? share : TC_C(0.5) : TC_C(0.1);
}

/* Weight of the plane that touches b's value at `other`, 0..1, in a step t from x: it minimises
 * t/2 |(1 - w) p + w q|^2 + w e, p and q the slopes along the surface, e the plane's depth at x */
static tc_real other_weight(const sample_place *x, const tci_meet_start *other, tc_real t,
                            tc_real slope[3])
{
    tc_real depth = x->at.value - other->value, along = TC_C(0.0), square = TC_C(0.0);
    slope_along(other->gradient, x->normal, slope);
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real d = x->slope[k] - slope[k];
        depth = TC_MLS(depth, other->gradient[k], x->at.x[k] - other->x[k]);
        along = TC_MLA(along, x->slope[k], d);
        square = TC_MLA(square, d, d);
    }
    const tc_real weight = along * t - tc_vec_not_negative(depth);
    square *= t;
    return weight <= TC_C(0.0) ? TC_C(0.0) : weight < square ? weight / square : TC_C(1.0);
}

/* direction: the slope, weighed with that of the other plane, and where a convex surface faces b,
 * what presses on it. The nearest point of the surface takes that away on a face, not at an edge. */
static void choose_direction(const tci_meet_search *s, const sample_place *x,
                             const tci_meet_start *other, tc_real t, tc_real direction[3])
{
    tc_real slope[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    const tc_real w = s->on_core ? TC_C(0.0) : other_weight(x, other, t, slope);
    const tc_real out = tc_vec_dot3(x->at.gradient, x->normal);
    const tc_real press = s->pair->core_a && out < TC_C(0.0) ? out : TC_C(0.0);
    for (uint32_t k = 0; k < 3u; ++k) {
        direction[k] = TC_MLA(x->slope[k], w, slope[k] - x->slope[k]);
        direction[k] = TC_MLA(direction[k], press, x->normal[k]);
    }
}

/* y = P(x - t direction), no further than a's reach; its distance from x */
static tc_status take_step(tci_meet_search *s, const tc_real x[3], const tc_real direction[3],
                           tc_real t, sample_place *y, tc_real *moved)
{
    const tc_real length = t * tc_sqrt(tc_vec_dot3(direction, direction));
    const tc_real most = s->on_core ? TC_C(2.0) * s->reach : s->reach;
    const tc_real cut = length > most ? t * most / length : t;
    tc_real d[3];
    for (uint32_t k = 0; k < 3u; ++k) y->at.x[k] = TC_MLS(x[k], cut, direction[k]);
    const tc_status status = tci_meet_settle(s, y->at.x, y->normal);
    for (uint32_t k = 0; k < 3u; ++k) d[k] = y->at.x[k] - x[k];
    *moved = tc_sqrt(tc_vec_dot3(d, d));
    return status;
}

/* Descends from a start, which becomes the lowest point */
TCI_MEET_APART static tc_status descend_from(tci_meet_search *s, tci_meet_start *start)
{
    sample_place x = {.at = *start}, y;
    tci_meet_start other = *start;
    tc_real direction[3], t = TC_C(0.5) * s->reach, moved = s->reach;
    tc_status status = tci_meet_settle(s, x.at.x, x.normal);
    slope_along(x.at.gradient, x.normal, x.slope);
    for (uint32_t k = 0; k < TCI_MEET_STEPS && status >= TC_OK; ++k) {
        choose_direction(s, &x, &other, t, direction);
        status = take_step(s, x.at.x, direction, t, &y, &moved);
        if (moved <= SAMPLE_FINE * s->reach) break;
        if (status > TC_OK) {
            t *= TC_C(0.25);
            continue;
        }
        if (status >= TC_OK) status = tci_meet_ask(s, &y.at);
        if (status < TC_OK) break;
        slope_along(y.at.gradient, y.normal, y.slope);
        if (!(y.at.value < x.at.value)) {
            t *= tangents_meet(&x, &y);
            other = y.at;
            continue;
        }
        t = secant_step(&x, &y, t);
        x = y;
    }
    *start = x.at;
    if (status < TC_OK) return status;
    return moved <= SAMPLE_SURE * s->reach ? TC_OK : TC_NOTE_LIMIT;
}

static tc_status find_lowest_start(tci_meet_search *s, uint32_t *lowest)
{
    tc_status found = TC_ERR_UNSUPPORTED;
    *lowest = 0;
    for (uint32_t i = 0; i < s->count; ++i) {
        const tc_status status = descend_from(s, &s->start[i]);
        if (status < TC_OK) return status;
        if (i > 0u && !(s->start[i].value < s->start[*lowest].value)) continue;
        *lowest = i;
        found = status;
    }
    return found;
}

/* ---- The pair -------------------------------------------------------------------------------- */

/* half, reach and shrink of a convex a; half edges that its kind does not have become 0 */
static void measure_convex(tci_meet_search *s)
{
    const tc_convex *const core = s->pair->core_a;
    const int flat = core->kind == TC_CONVEX_POINT || core->kind == TC_CONVEX_SEGMENT;
    const tc_real width = flat ? TC_C(0.0) : core->half[0];
    const tc_real half[3] = {width, core->kind == TC_CONVEX_BOX ? core->half[1] : width,
                             core->kind == TC_CONVEX_POINT ? TC_C(0.0) : core->half[2]};
    const int round = core->kind == TC_CONVEX_CYLINDER;
    const tc_real across = TC_MLA(half[0] * half[0], half[2], half[2]);
    s->on_core = s->pair->b->kind->unit != 0u;
    s->reach = core->radius + tc_sqrt(round ? across : TC_MLA(across, half[1], half[1]));
    s->shrink = s->on_core ? core->radius : TC_C(0.0);
    for (uint32_t k = 0; k < 3u; ++k) s->half[k] = s->on_core ? half[k] : half[k] + core->radius;
}

/* reach of a shape with stored points */
static void measure_stored(tci_meet_search *s)
{
    const tc_sdf_stored *const stored = s->pair->a->data_ref;
    tc_real most = TC_C(0.0);
    for (uint32_t i = 0; i < stored->points; ++i) {
        const tc_real *const p = stored->points_ref + 3u * i;
        most = tc_vec_max(most, tc_vec_dot3(p, p));
    }
    s->reach = tc_sqrt(most);
}

/* Where a is nearer to a point of b's surface than the error of b's values allows, this distance
 * and the direction from there. Returns 1 if there is such a point. */
static int nearer_point(const tci_meet_search *s, tci_meet_start *found)
{
    const tc_real slack = TC_C(2.0) * tc_sdf_error(s->pair->b) + SAMPLE_FINE * s->reach;
    tc_real value[4];
    int nearer = 0;
    for (uint32_t i = 0; i < s->close_count && s->pair->core_a; ++i) {
        const tc_real *const row = s->close[i];
        if (!(row[0] > TC_C(0.0) && row[0] + slack < found->value)) continue;
        if (tci_meet_ask_a(s, row + 1, value) < TC_OK) continue;
        found->value = row[0];
        for (uint32_t k = 0; k < 3u; ++k) {
            found->gradient[k] = -value[1u + k];
            found->x[k] = TC_MLS(row[1u + k], row[0] + s->shrink, value[1u + k]);
        }
        nearer = 1;
    }
    return nearer;
}

static void write_gap(const tci_meet_search *s, const tci_meet_start *found, tc_convex_gap *gap)
{
    const tc_convex_pose *const at = s->pair->at_a;
    const tc_real square = tc_vec_dot3(found->gradient, found->gradient);
    const int known = square > TC_C(1e-12);
    const tc_real inverse = known ? TC_C(1.0) / tc_sqrt(square) : TC_C(0.0);
    tc_real normal[3], point[3];
    for (uint32_t k = 0; k < 3u; ++k) {
        normal[k] = inverse * found->gradient[k];
        point[k] = TC_MLS(found->x[k], s->shrink, normal[k]);
    }
    tci_convex_turn(at->rotation, normal, gap->normal);
    if (!known) gap->normal[2] = TC_C(1.0);
    tci_convex_turn(at->rotation, point, gap->point_a);
    gap->distance = found->value;
    gap->steps = s->asked;
    for (uint32_t k = 0; k < 3u; ++k) {
        gap->point_a[k] += at->position[k];
        gap->point_b[k] = TC_MLS(gap->point_a[k], gap->distance, gap->normal[k]);
    }
}

TCI_MEET_APART static void open_samples(tci_meet_search *s)
{
    tci_convex_view view;
    tci_convex_look(&view, s->pair->at_b, s->pair->at_a);
    for (uint32_t k = 0; k < 9u; ++k) s->turn[k] = view.turn[k];
    for (uint32_t k = 0; k < 3u; ++k) s->at[k] = view.at[k];
    if (s->pair->core_a) {
        measure_convex(s);
    } else {
        measure_stored(s);
    }
}

/* *nearer: 1 where b's points are to be searched */
static tc_status search_samples(const tci_meet_pair *pair, tc_convex_gap *gap, int *nearer)
{
    tci_meet_search s = {.pair = pair};
    uint32_t lowest = 0;
    open_samples(&s);
    tc_status status = tci_meet_find_starts(&s);
    if (status >= TC_OK) status = find_lowest_start(&s, &lowest);
    if (status < TC_OK) return status;
    *nearer = s.start[lowest].value > SAMPLE_FAR * s.reach;
    *nearer |= nearer_point(&s, &s.start[lowest]);
    if (status == TC_OK) status = (tc_status)s.start[lowest].note;
    write_gap(&s, &s.start[lowest], gap);
    return status;
}

tc_status tci_meet_samples(const tci_meet_pair *pair, tc_convex_gap *gap)
{
    const tci_meet_pair turned = {.a = pair->b,
                                  .b = pair->a,
                                  .at_a = pair->at_b,
                                  .at_b = pair->at_a,
                                  .core_b = pair->core_a,
                                  .work = pair->work,
                                  .work_len = pair->work_len};
    tc_convex_gap found;
    int nearer = 0, again;
    const tc_status status = search_samples(pair, gap, &nearer);
    if (status < TC_OK || !nearer || pair->b->kind->unit != 0u) return status;
    const tc_status second = search_samples(&turned, &found, &again);
    if (second < TC_OK) return status;
    found.steps += gap->steps;
    *gap = found;
    tci_meet_swap(gap);
    return second;
}
