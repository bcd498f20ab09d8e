/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Scenes of bodies with shapes made of numbers, and their roll-outs.
 *
 * A ball, capsule or box on a half-space of the world is taken as vertices with a radius on a plane,
 * and two balls as balls: these have closed forms. All other pairs are signed distances that meet.
 */
#include "bodies_internal.h"

#include "tc_vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define IMPACTS_MAX 20u
#define FLIGHT_MAX 1.0 /* [s] largest step */
#define KEPT 0.01      /* of the touch: motion that leaves contacts as they were found */
#define REST 2.0       /* times the speed of a fall through a step: slower contacts do not bounce */

static void take_doubles(const double *from, uint32_t n, tc_real *to)
{
    for (uint32_t i = 0; i < n; ++i) to[i] = (tc_real)from[i];
}

static int is_kind(const native_body *body, const tc_sdf_kind *kind)
{
    return body->shape != NULL && native_sdf_get(body->shape)->kind == kind;
}

void bodies_multiply_turns(const double a[4], const double b[4], double r[4])
{
    r[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    r[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    r[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    r[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

void bodies_matrix_of_turn(const double q[4], double R[9])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rows[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(R, rows, sizeof rows);
}

/* ---- Taking a scene -------------------------------------------------------------------------- */

/* Where the shape's axes are: in the principal axes of what moves, in those of the world else */
static void pose_shape(const native_body *body, body_parts *part)
{
    double R[9], at[3];
    bodies_matrix_of_turn(body->quat_wxyz, R);
    for (uint32_t i = 0; i < 3u; ++i) {
        at[i] = body->moving ? 0.0 : body->position[i];
        for (uint32_t j = 0; j < 3u; ++j) {
            const double r = body->moving ? body->axes[3u * j + i] : R[3u * i + j];
            part->pose.rotation[3u * i + j] = (tc_real)r;
            at[i] -= r * body->centre[j];
        }
        part->pose.position[i] = (tc_real)at[i];
    }
}

/* The vertices of a ball, capsule or box, principal axes */
static void take_hull(const native_body *body, body_parts *part)
{
    const tc_sdf *const shape = native_sdf_get(body->shape);
    const int ball = shape->kind == &tc_sdf_sphere, box = shape->kind == &tc_sdf_box;
    const tc_real *const s = shape->size;
    const tc_real round = box ? s[3] : s[0];
    part->hull = (tc_shape3){part->vertices, ball ? 1u : (box ? 8u : 2u), round};
    for (uint32_t i = 0; i < part->hull.count; ++i) {
        tc_real p[3] = {0, 0, 0};
        for (uint32_t k = 0; box && k < 3u; ++k) p[k] = (i >> k & 1u ? 1 : -1) * (s[k] - round);
        if (!box && !ball) p[2] = (i != 0u ? 1 : -1) * s[1];
        for (uint32_t k = 0; k < 3u; ++k) {
            const tc_real *const row = part->pose.rotation + 3u * k;
            part->vertices[3u * i + k] =
                part->pose.position[k] + row[0] * p[0] + row[1] * p[1] + row[2] * p[2];
        }
    }
}

static tc_real reach_of_hull(const body_parts *part)
{
    tc_real most = 0;
    for (uint32_t i = 0; i < part->hull.count; ++i) {
        const tc_real *const p = part->vertices + 3u * i;
        most = tc_vec_max(most, tc_vec_dot3(p, p));
    }
    return tc_sqrt(most) + part->hull.radius;
}

/* Whether a box's vertices are apart as tc_shape3_check wants them */
static int has_corners(const tc_sdf *box)
{
    const tc_real *const s = box->size;
    const tc_real most = tc_vec_max(s[0], tc_vec_max(s[1], s[2]));
    int apart = 1;
    for (uint32_t k = 0; k < 3u; ++k) apart &= s[k] - s[3] > (tc_real)1e-3 * most;
    return apart;
}

static int has_hull(const native_body *body)
{
    if (!body->moving || body->shape == NULL) return 0;
    if (is_kind(body, &tc_sdf_box)) return has_corners(native_sdf_get(body->shape));
    return is_kind(body, &tc_sdf_sphere) || is_kind(body, &tc_sdf_capsule);
}

static void take_plane(const native_body *body, body_parts *part)
{
    double R[9];
    bodies_matrix_of_turn(body->quat_wxyz, R);
    double offset = 0;
    for (uint32_t k = 0; k < 3u; ++k) {
        part->plane.normal[k] = (tc_real)R[3u * k + 2u];
        offset += R[3u * k + 2u] * body->position[k];
    }
    part->plane.offset = (tc_real)offset;
}

static void take_body(bodies_run *run, uint32_t i)
{
    const native_body *const body = &run->given->body[i];
    body_parts *const part = &run->part[i];
    part->mover = TC_SCENE_WORLD;
    part->as_sdf = part->as_hull = 0xffffu;
    pose_shape(body, part);
    if (has_hull(body)) take_hull(body, part);
    if (is_kind(body, &tc_sdf_halfspace)) take_plane(body, part);
    if (!body->moving) return;
    part->mover = (uint16_t)run->scene.movers++;
    part->body.mass = (tc_real)body->mass;
    take_doubles(body->inertia, 3, part->body.inertia);
    take_doubles(body->force, 3, part->wrench.force);
    take_doubles(body->torque, 3, part->wrench.torque);
    run->body_of[part->mover] = (uint16_t)i;
    run->mover[part->mover] = (tc_scene_mover){.kind = TC_SCENE_BODY, .body3 = &part->body};
}

/* A body as a surface; made when a pair needs it */
static uint16_t surface_of(bodies_run *run, uint32_t i, int hull)
{
    body_parts *const part = &run->part[i];
    uint16_t *const at = hull ? &part->as_hull : &part->as_sdf;
    if (*at != 0xffffu) return *at;
    *at = (uint16_t)run->scene.surfaces++;
    run->surface[*at] = (tc_scene_surface){.mover = part->mover};
    if (hull && part->mover == TC_SCENE_WORLD) {
        run->surface[*at].plane3 = &part->plane;
    } else if (hull) {
        run->surface[*at].shape3 = &part->hull;
        run->surface[*at].reach = reach_of_hull(part);
    } else {
        run->surface[*at].sdf = native_sdf_get(run->given->body[i].shape);
        run->surface[*at].reach = tc_scene_shapes_reach(run->surface[*at].sdf);
        run->surface[*at].pose_ref = &part->pose;
    }
    return *at;
}

static tc_status take_pair(bodies_run *run, uint32_t i, uint32_t j)
{
    const native_body *const body = run->given->body;
    const uint32_t p = run->scene.pairs;
    if (body[i].shape == NULL || body[j].shape == NULL) return TC_OK;
    if (!body[i].moving && !body[j].moving) return TC_OK;
    if (run->given->material[2u * (i * run->given->count + j)] < 0) return TC_OK;
    if (p == TC_SCENE_TABLE_MAX) return TC_ERR_SIZE;
    const int swap = !body[i].moving;
    const uint32_t a = swap ? j : i, b = swap ? i : j;
    const int balls = is_kind(&body[a], &tc_sdf_sphere) && is_kind(&body[b], &tc_sdf_sphere);
    const int on_plane =
        has_hull(&body[a]) && !body[b].moving && is_kind(&body[b], &tc_sdf_halfspace);
    const int hull = on_plane || (balls && body[b].moving);
    const double *const m = run->given->material + 2u * (i * run->given->count + j);
    run->material[p] = (tc_scene_material){(tc_real)m[0], (tc_real)m[1]};
    run->pair[p] = (tc_scene_pair){surface_of(run, a, hull), surface_of(run, b, hull), (uint16_t)p};
    run->between[p][0] = (uint16_t)a;
    run->between[p][1] = (uint16_t)b;
    ++run->scene.pairs;
    ++run->scene.materials;
    return TC_OK;
}

/* ---- Taking what ties them ------------------------------------------------------------------- */

/* A point in the principal axes of what moves, or in the world */
static tc_scene_point take_point(const bodies_run *run, const native_bodies_point *from)
{
    tc_scene_point point = {.mover = TC_SCENE_WORLD};
    double R[9];
    take_doubles(from->at, 3, point.at);
    if (from->body < 0) return point;
    const native_body *const body = &run->given->body[from->body];
    point.mover = run->part[from->body].mover;
    bodies_matrix_of_turn(body->quat_wxyz, R);
    for (uint32_t i = 0; i < 3u; ++i) {
        double sum = body->moving ? 0.0 : body->position[i];
        for (uint32_t j = 0; j < 3u; ++j) {
            sum += (body->moving ? body->axes[3u * j + i] : R[3u * i + j]) * from->at[j];
        }
        point.at[i] = (tc_real)sum;
    }
    return point;
}

static void take_limit(bodies_run *run, uint32_t k)
{
    const native_bodies_limit *const from = &run->given->limit[k];
    run->limit[k] = (tc_scene_limit){.kind = (tc_scene_limit_kind)from->kind,
                                     .low = (tc_real)from->low,
                                     .high = (tc_real)from->high};
    for (uint32_t i = 0; i < 3u; ++i) run->limit[k].point[i] = take_point(run, &from->point[i]);
}

static tc_status take_ties(bodies_run *run)
{
    const native_bodies *const given = run->given;
    if (given->joints > TC_SCENE_JOINT_ROWS_MAX || given->limits > TC_SCENE_TABLE_MAX
        || given->springs > TC_SCENE_TABLE_MAX) {
        return TC_ERR_SIZE;
    }
    run->scene.joints = given->joints;
    run->scene.limits = given->limits;
    run->scene.springs = given->springs;
    for (uint32_t k = 0; k < given->joints; ++k) {
        const native_bodies_joint *const from = &given->joint[k];
        run->joint[k] = (tc_scene_joint){.kind = (tc_scene_joint_kind)from->kind,
                                         .a = take_point(run, &from->a),
                                         .b = take_point(run, &from->b),
                                         .length = (tc_real)from->length};
    }
    for (uint32_t k = 0; k < given->limits; ++k) take_limit(run, k);
    for (uint32_t k = 0; k < given->springs; ++k) {
        const native_bodies_spring *const from = &given->spring[k];
        run->spring[k] = (tc_scene_spring){.a = take_point(run, &from->a),
                                           .b = take_point(run, &from->b),
                                           .stiffness = (tc_real)from->stiffness,
                                           .length = (tc_real)from->length};
    }
    return TC_OK;
}

static tc_status take_scene(bodies_run *run)
{
    tc_status status = TC_OK;
    const uint32_t count = run->given->count;
    run->scene = (tc_scene){.dimension = 3,
                            .mover = run->mover,
                            .surface = run->surface,
                            .material = run->material,
                            .pair = run->pair,
                            .joint = run->joint,
                            .limit = run->limit,
                            .spring = run->spring,
                            .meeting = &tc_scene_shapes,
                            .meet_work = run->meet,
                            .meet_work_len = MEET};
    take_doubles(run->given->gravity, 3, run->scene.gravity);
    for (uint32_t i = 0; i < count; ++i) {
        if (run->given->body[i].moving && run->scene.movers == TC_SCENE_MOVERS_MAX)
            return TC_ERR_SIZE;
        take_body(run, i);
    }
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t j = i + 1u; j < count && status >= TC_OK; ++j) status = take_pair(run, i, j);
    }
    return status < TC_OK ? status : take_ties(run);
}

tc_status bodies_take_scene(bodies_run *run, uint32_t *body)
{
    tc_scene_fault fault;
    tc_status status = take_scene(run);
    if (status < TC_OK) return status;
    status = tc_scene_check(&run->scene, &fault);
    if (status >= TC_OK || fault.table != TC_SCENE_TABLE_MOVER) return status;
    *body = run->body_of[fault.index];
    return TC_ERR_BODY;
}

static void take_state(bodies_run *run)
{
    for (uint32_t m = 0; m < run->scene.movers; ++m) {
        const native_body *const body = &run->given->body[run->body_of[m]];
        double turned[4];
        bodies_multiply_turns(body->quat_wxyz, body->turn, turned);
        take_doubles(body->position, 3, run->q + 7u * m);
        take_doubles(turned, 4, run->q + 7u * m + 3u);
        take_doubles(body->velocity, 6, run->v + 6u * m);
    }
}

/* ---- Looking --------------------------------------------------------------------------------- */

/* The smallest gap of all pairs where the bodies are; *pair: its index */
static tc_status smallest_of_all(bodies_run *run, double *gap, uint32_t *pair)
{
    const tc_status status = tc_scene_place(&run->placed, run->q, run->v);
    *gap = INFINITY;
    for (uint32_t p = 0; status >= TC_OK && p < run->scene.pairs; ++p) {
        const double own = (double)tc_scene_gap(&run->placed, p);
        if (own >= *gap) continue;
        *gap = own;
        *pair = p;
    }
    return status;
}

static void write_states(const bodies_run *run, uint32_t at, const native_bodies_roll *roll)
{
    const uint32_t count = run->given->count;
    for (uint32_t i = 0; i < count; ++i) {
        const native_body *const body = &run->given->body[i];
        double *const pose = roll->poses + 7u * (at * count + i);
        double *const velocity = roll->velocities + 6u * (at * count + i);
        memcpy(pose, body->position, 3u * sizeof *pose);
        memcpy(pose + 3, body->quat_wxyz, 4u * sizeof *pose);
        memset(velocity, 0, 6u * sizeof *velocity);
        if (!body->moving) continue;
        const uint32_t m = run->part[i].mover;
        const double back[4] = {body->turn[0], -body->turn[1], -body->turn[2], -body->turn[3]};
        double turned[4];
        for (uint32_t k = 0; k < 4u; ++k) turned[k] = (double)run->q[7u * m + 3u + k];
        bodies_multiply_turns(turned, back, pose + 3);
        for (uint32_t k = 0; k < 3u; ++k) pose[k] = (double)run->q[7u * m + k];
        for (uint32_t k = 0; k < 6u; ++k) velocity[k] = (double)run->v[6u * m + k];
    }
}

/* ---- Rolling out ----------------------------------------------------------------------------- */

/* The next time at which a force ends, if it is before `end` */
static double next_end(const bodies_run *run, double end)
{
    for (uint32_t m = 0; m < run->scene.movers; ++m) {
        const double until = run->given->body[run->body_of[m]].until;
        if (until > run->time && until < end) end = until;
    }
    return end;
}

/* The largest acceleration that springs give a body's centre where the bodies are */
static double spring_acceleration(bodies_run *run)
{
    double sum = 0, least = INFINITY;
    if (run->scene.springs == 0u) return 0.0;
    tc_scene_place_all(&run->placed, run->q, run->v);
    for (uint32_t s = 0; s < run->scene.springs; ++s) {
        const tc_scene_spring *const spring = &run->spring[s];
        tc_real a[3], b[3], d[3];
        tc_scene_point_at(&run->placed, &spring->a, a);
        tc_scene_point_at(&run->placed, &spring->b, b);
        sum += fabs((double)(spring->stiffness * (tc_scene_between(a, b, d) - spring->length)));
    }
    for (uint32_t m = 0; m < run->scene.movers; ++m) {
        least = fmin(least, run->given->body[run->body_of[m]].mass);
    }
    return sum / least;
}

/* Forces that act now, and the largest acceleration without contact */
double bodies_set_forces(bodies_run *run)
{
    double most = 0;
    for (uint32_t m = 0; m < run->scene.movers; ++m) {
        const native_body *const body = &run->given->body[run->body_of[m]];
        const int acts = body->until < 0 || run->time < body->until;
        double square = 0;
        for (uint32_t k = 0; k < 3u; ++k) {
            const double a = run->given->gravity[k] + (acts ? body->force[k] / body->mass : 0.0);
            square += a * a;
        }
        run->mover[m].wrench_ref = acts ? &run->part[run->body_of[m]].wrench : NULL;
        most = square > most ? square : most;
    }
    return sqrt(most) + spring_acceleration(run);
}

/* What a step did goes to the row `at`. */
static void note_step(bodies_run *run, uint32_t at, const tc_scene_step_info *info,
                      tc_status status, native_bodies_roll *roll)
{
    ++roll->steps;
    roll->impacts += info->impacts;
    roll->dropped += info->dropped;
    roll->stopped += info->stopped;
    if (status > TC_OK && roll->notes++ == 0u) {
        roll->note = (int32_t)status;
        roll->noted = run->time;
    }
    const uint32_t count = run->given->count;
    for (uint32_t i = 0; i < info->touches && roll->impulses != NULL; ++i) {
        const tc_scene_step_touch *const touch = &info->touch[i];
        if (touch->source >= run->scene.pairs) continue; /* a limit */
        const uint32_t a = run->between[touch->source][0], b = run->between[touch->source][1];
        const double sign = a < b ? 1.0 : -1.0;
        double *const sum =
            roll->impulses + 3u * ((at * count + (a < b ? a : b)) * count + (a < b ? b : a));
        for (uint32_t k = 0; k < 3u; ++k) sum[k] += sign * (double)touch->impulse[k];
    }
}

/* ---- Free flight ----------------------------------------------------------------------------- */

/* A bound on the speed of a body's surface now, without what it falls; negative: none is known */
static double surface_speed(const bodies_run *run, uint32_t i)
{
    const body_parts *const part = &run->part[i];
    if (part->mover == TC_SCENE_WORLD) return 0.0;
    const tc_real *const v = run->v + 6u * part->mover, *const I = part->body.inertia;
    const double reach = (double)tc_scene_shapes_reach(native_sdf_get(run->given->body[i].shape))
                         + sqrt((double)tc_vec_dot3(part->pose.position, part->pose.position));
    const double speed = sqrt((double)tc_vec_dot3(v, v));
    const double omega = sqrt((double)tc_vec_dot3(v + 3, v + 3));
    double least = (double)I[0], most = least;
    for (uint32_t k = 1; k < 3u; ++k) {
        least = fmin(least, (double)I[k]);
        most = fmax(most, (double)I[k]);
    }
    if (!(reach > 0) && omega > 0) return -1.0;
    return speed + omega * sqrt(most / least) * reach;
}

static int is_twisted(const bodies_run *run)
{
    int twisted = 0;
    for (uint32_t m = 0; m < run->scene.movers; ++m) {
        const tc_scene_wrench *const wrench = run->mover[m].wrench_ref;
        twisted |= wrench != NULL && tc_vec_dot3(wrench->torque, wrench->torque) > (tc_real)0;
    }
    return twisted;
}

/* How long nothing can touch, at most `left`: no gap g is below speed t + pull t^2 until then. `pull`:
 * the largest acceleration. */
static double find_clear_time(bodies_run *run, double left, double pull)
{
    if (run->scene.joints + run->scene.limits + run->scene.springs > 0u || is_twisted(run)) {
        return 0.0;
    }
    tc_scene_place_all(&run->placed, run->q, run->v);
    for (uint32_t p = 0; p < run->scene.pairs; ++p) {
        const double gap = (double)tc_scene_gap(&run->placed, p) - 10 * run->given->touch;
        const double a = surface_speed(run, run->between[p][0]);
        const double b = surface_speed(run, run->between[p][1]), speed = a + b;
        if (!(gap > 0) || a < 0 || b < 0) return 0.0;
        const double root = sqrt(speed * speed + 4 * pull * gap) + speed;
        left = root > 0 ? fmin(left, 2 * gap / root) : left;
    }
    return fmin(left, FLIGHT_MAX);
}

/* The next step: one of the equal ones, or where nothing touched and can touch 2, 4, 8, ... of them, so that a
 * roll-out whose numbers differ a little has the same steps. */
static double choose_step(bodies_run *run, double left, double pull, int touched)
{
    const double steps = ceil(left / run->given->step * (1 - 1e-12));
    if (steps <= 1) return left;
    const double h = left / steps, clear = touched ? 0.0 : find_clear_time(run, left, pull);
    double many = 1;
    while (2 * many * h <= clear && 2 * many <= steps) many *= 2;
    return many * h;
}

static tc_status take_step(bodies_run *run, double h, uint32_t at, native_bodies_roll *roll)
{
    tc_scene_step_info *const info = &run->info[roll->steps % 2u];
    run->config.warm = &run->info[1u - roll->steps % 2u];
    run->config.h = (tc_real)h;
    const tc_status status = run->directions > 0u
                                 ? bodies_step_along(run, info)
                                 : tc_scene_step(&run->scene, &run->config, run->q, run->v, info,
                                                 run->work, run->work_len);
    if (status >= TC_OK) note_step(run, at, info, status, roll);
    return status;
}

/* To `end`, the time of row `at`: in equal steps between the times at which forces end, and at once
 * where nothing can touch */
static tc_status roll_to(bodies_run *run, double end, uint32_t at, native_bodies_roll *roll)
{
    tc_status status = TC_OK;
    while (run->time < end && status >= TC_OK) {
        const double stop = next_end(run, end), left = stop - run->time,
                     pull = bodies_set_forces(run);
        const int touched = run->info[1u - roll->steps % 2u].touches > 0u; /* in the last step */
        const double h = choose_step(run, left, pull, touched);
        run->config.rest = (tc_real)(REST * run->given->step * pull);
        status = take_step(run, h, at, roll);
        run->time = h < left ? run->time + h : stop;
    }
    return status;
}

static tc_status open_run_of(bodies_run *run, native_bodies_roll *roll)
{
    tc_status status = bodies_take_scene(run, &roll->pair[0]);
    if (status < TC_OK) return status;
    take_state(run);
    run->work_len = run->directions > 0u
                        ? tc_scene_grad_sustained_work(&run->scene, run->directions)
                        : tc_scene_step_work(&run->scene);
    run->work = malloc(run->work_len * sizeof(tc_real));
    run->seen = malloc(tc_scene_work(&run->scene) * sizeof(tc_real));
    if (run->work == NULL || run->seen == NULL) return TC_ERR_WORK;
    native_kept_pair *const pairs = calloc(run->scene.pairs + 1u, sizeof *pairs);
    if (pairs == NULL) return TC_ERR_WORK;
    native_kept_open(&run->kept, &run->scene, (tc_real)(KEPT * run->given->touch), pairs);
    if (run->directions == 0u) run->scene.meeting = &run->kept.base; /* probes look themselves */
    run->config = tc_scene_step_default();
    run->config.method = &tc_scene_step_sustained;
    run->config.law = TC_IMPACT_COULOMB;
    run->config.impacts = IMPACTS_MAX;
    run->config.compensation = (tc_real)0.5;
    run->config.touch = (tc_real)run->given->touch;
    run->config.bounce = (tc_scene_step_bounce)run->given->bounce;
    return tc_scene_open(&run->scene, &run->placed, run->seen, tc_scene_work(&run->scene));
}

static tc_status roll_bodies(bodies_run *run, const double *times, uint32_t n,
                             native_bodies_roll *roll)
{
    uint32_t pair = 0;
    double gap = 0;
    tc_status status = open_run_of(run, roll);
    if (status >= TC_OK) status = smallest_of_all(run, &roll->begin, &pair);
    if (status < TC_OK) return status;
    for (uint32_t k = 0; k < 2u; ++k) roll->started[k] = run->between[pair][k];
    roll->deepest = roll->begin;
    for (uint32_t k = 0; k < 2u; ++k) roll->pair[k] = run->between[pair][k];
    for (uint32_t i = 0; i < n && status >= TC_OK; ++i) {
        status = roll_to(run, times[i], i, roll);
        if (status >= TC_OK) status = smallest_of_all(run, &gap, &pair);
        if (status < TC_OK) return status;
        if (gap < roll->deepest) {
            roll->deepest = gap;
            for (uint32_t k = 0; k < 2u; ++k) roll->pair[k] = run->between[pair][k];
        }
        write_states(run, i, roll);
        if (run->directions > 0u) bodies_write_along(run, i);
        if (roll->tell != NULL) roll->tell((i + 1.0) / n);
    }
    return status;
}

int32_t bodies_roll_out(bodies_run *run, const double *times, uint32_t n, native_bodies_roll *roll)
{
    native_bodies_roll kept = {.poses = roll->poses,
                               .velocities = roll->velocities,
                               .impulses = roll->impulses,
                               .tell = roll->tell};
    *roll = kept;
    roll->status = (int32_t)roll_bodies(run, times, n, roll);
    free(run->work);
    free(run->seen);
    free(run->kept.pair);
    return roll->status;
}

int32_t native_bodies_run(const native_bodies *given, const double *times, uint32_t n,
                          native_bodies_roll *roll)
{
    bodies_run *const run = calloc(1, sizeof *run);
    if (run == NULL || given->count > NATIVE_BODIES_MAX) {
        free(run);
        return roll->status = TC_ERR_SIZE;
    }
    run->given = given;
    (void)bodies_roll_out(run, times, n, roll);
    free(run);
    return roll->status;
}
