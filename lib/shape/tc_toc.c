/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The first root of the distance D(h) of two moving shapes.
 *
 * Each detection at a time t gives D, its derivative and an estimate of the second,
 *
 *     D_h  = n . (v_a + w_a x (p - x_a) - v_b - w_b x (p - x_b))
 *     D_hh = n . (acc_a - acc_b + w_a x (w_a x (c_a - x_a)) - w_b x (w_b x (c_b - x_b))),
 *
 * with c the centre of the rounding at the contact, which is a point of the body where the core has
 * a corner there. D_h is exact: that the closest points move along the surfaces changes D in the
 * second order only. D_hh lacks the turn of the normal and the curvature of edges. It costs rate of
 * convergence, not accuracy. A ball over a plane has D(h) = a parabola, found at once.
 *
 * Search. The near end has D > 0, all that is before it is free of contact. The next time is the
 * first root of the near end's parabola, or the step's end where that has none. A detection with
 * D > 0 becomes the near end. One with D <= 0 is the far end: from then on there is a bracket. The
 * next time is then the root of the newer end's parabola, from the far end going back: the point of
 * the body that is sunk there is the one that touched first, while from the near end another point
 * may be the nearest. A root that leaves the bracket is replaced by the other end's, then by that
 * of the parabola with both slopes, then by the secant's. From detection TOC_HALVES on every second
 * time is the middle.
 *
 * A sharp b has a kink at D = 0: sunk, D falls slower than D_h by up to sqrt(3), see tc_meet.h. The
 * secant of two sunk instants in a row has the right pace.
 *
 * Dip. Between a near end that approaches and a later time that parts the distance has a minimum. If
 * a parabola with both slopes falls below 0, or nearly, its lowest time is looked at.
 *
 * End. The search ends when the next correction is below TC_TOC_RESOLVED of the step; it is applied
 * still, so what is left is of the order of its square. It also ends when D is below its rounding.
 */
#include "tc_exact.h"
#include "tc_toc.h"

#include "tc_convex_internal.h"
#include "tc_meet_contact_internal.h"
#include "tc_toc_internal.h"

#define TOC_HALVES 7u                         /* detections before the bracket is halved */
#define TOC_PUSHES 4u                         /* detections before steps from the near end double */
#define TOC_ROUNDING (TC_C(4.0) * TC_EPSILON) /* of D, share of the coordinates */
#define TOC_DIP TC_C(0.2) /* share of D at its ends: a lowest value below it is looked at */

/* A body of the pair */
typedef struct toc_body {
    const tc_sdf *shape;
    const tc_toc_motion *motion;
    tc_real rounding;
} toc_body;

/* A detection */
typedef struct toc_instant {
    tc_real time, distance, speed, bend; /* D, D_h, D_hh */
    tc_real slide;                       /* relative speed of the contact's points */
    tc_real pace;                        /* D_h of a sunk instant, as far as it is known */
    tc_real known;                       /* rounding of D */
    tc_convex_gap gap;
    tc_status status;
} toc_instant;

/* The bracket; far is not known while far.time is above the step */
typedef struct toc_search {
    toc_body body[2];
    tc_real step;
    uint32_t detections;
    int bracketed;
    int back; /* the far end is the newer one */
    toc_instant near, far;
    tc_real *work;
    size_t work_len;
} toc_search;

/* ---- Motion ---------------------------------------------------------------------------------- */

void tci_toc_turn(const tc_toc_motion *motion, tc_real h, tc_real turn[9])
{
    const tc_real half = TC_C(0.5) * h;
    tc_real q[4], cosine, sinc;
    for (uint32_t k = 0; k < 3u; ++k) q[1u + k] = half * motion->angular_velocity[k];
    tc_vec_half_turn(tc_vec_dot3(q + 1, q + 1), &cosine, &sinc);
    q[0] = cosine;
    for (uint32_t k = 1; k < 4u; ++k) q[k] *= sinc;
    tc_vec_quaternion_set(q, q);
    tc_vec_rotation(q, turn);
}

void tci_toc_pose(const tc_toc_motion *motion, tc_real h, tc_convex_pose *pose)
{
    tc_real turn[9];
    const tc_real half = TC_C(0.5) * h;
    tci_toc_turn(motion, h, turn);
    tc_mat3_mul(turn, motion->pose.rotation, pose->rotation);
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real mean = TC_MLA(motion->velocity[k], half, motion->acceleration[k]);
        pose->position[k] = TC_MLA(motion->pose.position[k], h, mean);
    }
}

void tci_toc_velocity(const tc_toc_motion *motion, const tc_convex_pose *pose, tc_real h,
                      const tc_real point[3], tc_real velocity[3])
{
    tc_real arm[3];
    for (uint32_t k = 0; k < 3u; ++k) arm[k] = point[k] - pose->position[k];
    tc_vec_cross(motion->angular_velocity, arm, velocity);
    for (uint32_t k = 0; k < 3u; ++k)
        velocity[k] += TC_MLA(motion->velocity[k], h, motion->acceleration[k]);
}

tc_status tci_toc_check(const tc_toc_motion *motion)
{
    const tc_real zero = tc_vec_zero(motion->velocity, 3) + tc_vec_zero(motion->acceleration, 3)
                         + tc_vec_zero(motion->angular_velocity, 3);
    return zero == TC_C(0.0) ? tci_convex_check_pose(&motion->pose) : TC_ERR_NOT_FINITE;
}

/* ---- Detections ------------------------------------------------------------------------------ */

/* The rounding of a convex shape's core, 0 of any other */
static tc_real rounding_of(const tc_sdf *shape)
{
    tc_convex core;
    return tci_meet_contact_core(shape, &core) ? core.radius : TC_C(0.0);
}

/* n . (acceleration of the body's point at the centre of the rounding), `out` from point along n */
static tc_real bend_of(const tc_toc_motion *motion, const tc_convex_pose *pose,
                       const tc_real point[3], const tc_real n[3], tc_real out)
{
    tc_real arm[3], speed[3], inwards[3];
    for (uint32_t k = 0; k < 3u; ++k) arm[k] = TC_MLA(point[k] - pose->position[k], out, n[k]);
    tc_vec_cross(motion->angular_velocity, arm, speed);
    tc_vec_cross(motion->angular_velocity, speed, inwards);
    return tc_vec_dot3(n, motion->acceleration) + tc_vec_dot3(n, inwards);
}

static tc_real largest_of(const tc_real x[3], tc_real largest)
{
    for (uint32_t k = 0; k < 3u; ++k) largest = tc_vec_max(tc_vec_magnitude(x[k]), largest);
    return largest;
}

/* The distance at a time of the step, and how it changes */
static tc_status look_at(toc_search *search, tc_real time, toc_instant *now)
{
    const toc_body *const a = &search->body[0], *const b = &search->body[1];
    tc_convex_pose at_a, at_b;
    tc_real velocity_a[3], velocity_b[3];
    tci_toc_pose(a->motion, time, &at_a);
    tci_toc_pose(b->motion, time, &at_b);
    now->status = tc_meet_distance(a->shape, &at_a, b->shape, &at_b, TC_MEET_DEEPEST, &now->gap,
                                   search->work, search->work_len);
    if (now->status < TC_OK) return now->status;
    const tc_convex_gap *const gap = &now->gap;
    ++search->detections;
    tci_toc_velocity(a->motion, &at_a, time, gap->point_a, velocity_a);
    tci_toc_velocity(b->motion, &at_b, time, gap->point_a, velocity_b);
    for (uint32_t k = 0; k < 3u; ++k) velocity_a[k] -= velocity_b[k];
    now->time = time;
    now->distance = gap->distance;
    now->speed = tc_vec_dot3(gap->normal, velocity_a);
    now->pace = now->speed;
    now->slide = tc_sqrt(tc_vec_dot3(velocity_a, velocity_a));
    now->bend = bend_of(a->motion, &at_a, gap->point_a, gap->normal, a->rounding)
                - bend_of(b->motion, &at_b, gap->point_b, gap->normal, -b->rounding);
    now->known =
        TOC_ROUNDING
        * largest_of(gap->point_a, largest_of(at_a.position, largest_of(at_b.position, TC_C(0.0))));
    return TC_OK;
}

/* ---- The next time --------------------------------------------------------------------------- */

/* The first positive root of distance + speed t + bend t^2 / 2; negative: none. distance >= 0. */
static tc_real first_root(tc_real distance, tc_real speed, tc_real bend)
{
    const tc_real square = TC_MLS(speed * speed, (bend + bend), distance);
    if (square < TC_C(0.0)) return TC_C(-1.0);
    const tc_real root = tc_sqrt(square);
    if (speed < TC_C(0.0)) return (distance + distance) / (root - speed);
    return bend < TC_C(0.0) ? (root + speed) / -bend : TC_C(-1.0);
}

/* The time to the root that an instant expects, forwards from the near end, backwards from the far
 * one; negative: none */
static tc_real near_way(const toc_instant *near)
{
    return first_root(near->distance, near->speed, near->bend);
}

static tc_real far_way(const toc_instant *far)
{
    if (far->pace >= TC_C(0.0)) return TC_C(-1.0);
    return first_root(-far->distance, far->pace, -far->bend);
}

static int lies_within(tc_real x, tc_real width)
{
    return x > TC_C(0.0) && x < width;
}

/* The next time to look at within the bracket */
static tc_real time_within(const toc_search *search)
{
    const toc_instant *const near = &search->near, *const far = &search->far;
    const tc_real width = far->time - near->time;
    if (search->detections >= TOC_HALVES && search->detections % 2u == 1u)
        return TC_MLA(near->time, TC_C(0.5), width);
    const tc_real on = near_way(near), back = far_way(far);
    if (lies_within(back, width) && (search->back || !lies_within(on, width)))
        return far->time - back;
    if (lies_within(on, width)) return near->time + on;
    const tc_real turning =
        first_root(near->distance, near->speed, (far->speed - near->speed) / width);
    if (lies_within(turning, width)) return near->time + turning;
    return TC_MLA(near->time, width, near->distance / (near->distance - far->distance));
}

/* The next time to look at while no contact was seen; the step's end where none is expected */
static tc_real time_beyond(const toc_search *search)
{
    const toc_instant *const near = &search->near;
    tc_real on = near_way(near);
    if (on < TC_C(0.0)) return search->step;
    if (search->detections >= TOC_PUSHES) on += on;
    return near->time + on < search->step ? near->time + on : search->step;
}

/* The time between two instants at which the distance is lowest, if it may be below 0; negative:
 * there is none */
static tc_real dip_between(const toc_instant *near, const toc_instant *now)
{
    if (!(near->speed < TC_C(0.0)) || !(now->speed > TC_C(0.0))) return TC_C(-1.0);
    const tc_real bend = (now->speed - near->speed) / (now->time - near->time);
    const tc_real on = -near->speed / bend;
    const tc_real lowest = TC_MLA(near->distance, TC_C(0.5) * near->speed, on);
    const tc_real least = near->distance < now->distance ? near->distance : now->distance;
    return lowest <= TOC_DIP * least ? near->time + on : TC_C(-1.0);
}

/* ---- The search ------------------------------------------------------------------------------ */

/* 1 if an instant is the contact but for a correction, which goes to *time */
static int is_resolved(const toc_search *search, const toc_instant *now, tc_real *time)
{
    const int sunk = now->distance <= TC_C(0.0);
    const tc_real way = sunk ? far_way(now) : near_way(now);
    const tc_real resolved = TC_TOC_RESOLVED * search->step;
    *time = now->time;
    if (way >= TC_C(0.0) && way <= resolved) {
        *time = sunk ? now->time - way : now->time + way;
        if (*time < search->near.time) *time = search->near.time;
        if (*time > search->step) *time = search->step;
        return 1;
    }
    return tc_vec_magnitude(now->distance) <= now->known
           || (search->bracketed && search->far.time - search->near.time <= TC_C(0.05) * resolved);
}

/* Looks at the lowest time between the near end and an instant beyond it; *now becomes what was
 * seen there if that is a contact */
static tc_status look_for_dip(toc_search *search, toc_instant *now)
{
    toc_instant low;
    const tc_real time = dip_between(&search->near, now);
    if (time < TC_C(0.0) || search->detections == TC_TOC_DETECTIONS) return TC_OK;
    const tc_status status = look_at(search, time, &low);
    if (status >= TC_OK && low.distance <= low.known) *now = low;
    return status;
}

/* Takes an instant as an end of the bracket. Two sunk ones in a row know how fast the depth grows:
 * where b is sharp, slower than the bodies approach, but by no less than half. */
static void take_instant(toc_search *search, const toc_instant *now)
{
    const int before = search->back;
    search->back = !(now->distance > TC_C(0.0));
    if (!search->back) {
        search->near = *now;
        return;
    }
    const tc_real apart = now->time - search->far.time;
    const tc_real pace = before ? (now->distance - search->far.distance) / apart : now->speed;
    search->far = *now;
    search->bracketed = 1;
    if (pace > now->speed && pace < TC_C(0.5) * now->speed) search->far.pace = pace;
}

/* Looks on until the contact is resolved, *outcome: NONE or CONTACT, or until the detections are
 * used up: TC_NOTE_LIMIT. now: the last instant. */
static tc_status search_contact(toc_search *search, toc_instant *now, tc_toc_outcome *outcome,
                                tc_real *time)
{
    *outcome = TC_TOC_CONTACT;
    while (search->detections < TC_TOC_DETECTIONS) {
        const tc_real next = search->bracketed ? time_within(search) : time_beyond(search);
        tc_status status = look_at(search, next, now);
        if (status >= TC_OK && now->distance > TC_C(0.0)) status = look_for_dip(search, now);
        if (status < TC_OK) return status;
        if (is_resolved(search, now, time)) return TC_OK;
        take_instant(search, now);
        if (!search->bracketed && search->near.time >= search->step) {
            *outcome = TC_TOC_NONE;
            *time = search->step;
            return TC_OK;
        }
    }
    *time = search->bracketed ? search->far.time : search->near.time;
    return TC_NOTE_LIMIT;
}

/* What h = 0 is: a contact where the shapes touch and approach, or NONE: look on */
static tc_toc_outcome judge_start(const toc_instant *start)
{
    if (start->distance < -start->known) return TC_TOC_INSIDE;
    if (start->distance > start->known || start->speed > TOC_ROUNDING * start->slide)
        return TC_TOC_NONE;
    return start->speed < TC_C(0.0) || start->bend <= TC_C(0.0) ? TC_TOC_CONTACT : TC_TOC_NONE;
}

static tc_status search_step(toc_search *search, tc_toc *found)
{
    toc_instant now;
    tc_status status = look_at(search, TC_C(0.0), &search->near);
    if (status < TC_OK) return status;
    now = search->near;
    found->time = TC_C(0.0);
    found->outcome = judge_start(&now);
    if (found->outcome == TC_TOC_NONE) {
        search->near.distance = tc_vec_not_negative(search->near.distance);
        status = search_contact(search, &now, &found->outcome, &found->time);
        if (status < TC_OK) return status;
    }
    found->speed = now.speed;
    found->gap = now.gap;
    found->detections = search->detections;
    if (found->outcome == TC_TOC_CONTACT && -now.speed <= TC_TOC_GRAZING * now.slide)
        found->outcome = TC_TOC_GRAZES;
    if (status != TC_OK) return status;
    return now.status == TC_NOTE_OVERLAP ? TC_OK : now.status; /* the outcome says it */
}

/* ---- The public functions -------------------------------------------------------------------- */

tc_status tc_toc_pose(const tc_toc_motion *motion, tc_real h, tc_convex_pose *pose)
{
    static const tc_convex_pose none = {0};
    if (!pose) return TC_ERR_NULL;
    *pose = none;
    if (!motion) return TC_ERR_NULL;
    if (!tc_all_finite(&h, 1)) return TC_ERR_NOT_FINITE;
    const tc_status status = tci_toc_check(motion);
    if (status >= TC_OK) tci_toc_pose(motion, h, pose);
    return status;
}

static tc_status check_step(const tc_toc_motion *motion_a, const tc_toc_motion *motion_b,
                            tc_real step)
{
    if (!tc_all_finite(&step, 1)) return TC_ERR_NOT_FINITE;
    if (!(step > TC_C(0.0))) return TC_ERR_RANGE;
    const tc_status status = tci_toc_check(motion_a);
    return status < TC_OK ? status : tci_toc_check(motion_b);
}

tc_status tc_toc_find(const tc_sdf *a, const tc_toc_motion *motion_a, const tc_sdf *b,
                      const tc_toc_motion *motion_b, tc_real step, tc_toc *found, tc_real *work,
                      size_t work_len)
{
    static const tc_toc none = {0};
    if (!found) return TC_ERR_NULL;
    *found = none;
    if (!a || !motion_a || !b || !motion_b) return TC_ERR_NULL;
    tc_status status = check_step(motion_a, motion_b, step);
    if (status < TC_OK) return status;
    toc_search search;
    search.body[0] = (toc_body){a, motion_a, rounding_of(a)};
    search.body[1] = (toc_body){b, motion_b, rounding_of(b)};
    search.step = step;
    search.detections = 0;
    search.bracketed = 0;
    search.back = 0;
    search.work = work;
    search.work_len = work_len;
    status = search_step(&search, found);
    if (status < TC_OK) *found = none;
    return status;
}
