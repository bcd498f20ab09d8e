/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contacts of a pair, and times of contact: a rounded box on a floor, on a box, and both in flight.
 * A contact is compared with the distance, a time with the distance at that time.
 */
#include "bench.h"
#include "tinycontact.h"

#include <math.h>

#define DRAWS 24u
#define STEP (1.0f / 30)

static const tc_sdf floor_shape = TC_SDF_HALFSPACE, lower = TC_SDF_BOX(0.15f, 0.1f, 0.05f, 0.01f);
static const tc_sdf upper = TC_SDF_BOX(0.1f, 0.06f, 0.04f, 0.01f);

static const tc_sdf *other;
static tc_toc_motion motion[2];
static tc_meet_contact contact[TC_PATCH_MAX];
static tc_convex_gap gap;
static tc_toc found;
static tc_toc_rows rows;
static uint32_t count;

static void pose_body(tc_toc_motion *m, const float q[4])
{
    const float n = 2.0f / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (uint32_t i = 0; i < 3u; ++i) {
        const uint32_t j = (i + 1u) % 3u, k = (i + 2u) % 3u;
        const float u = q[1u + i], v = q[1u + j], w = q[1u + k];
        m->pose.rotation[4u * i] = 1.0f - n * (v * v + w * w);
        m->pose.rotation[3u * i + j] = n * (u * v - q[0] * w);
        m->pose.rotation[3u * i + k] = n * (u * w + q[0] * v);
    }
}

/* The upper box at rest 1 mm above the other shape, turned about the vertical */
static void rest_upper(const tc_sdf *below, float top)
{
    static const tc_toc_motion still = {.acceleration = {0}};
    float x[3];
    bench_seed(171u + bench.draw);
    bench_fill(x, 3, -0.1f, 0.1f);
    const float level[4] = {1, 0, 0, 0}, turned[4] = {1, 0, 0, 8.0f * x[2]};
    other = below;
    motion[0] = motion[1] = still;
    pose_body(&motion[0], turned);
    pose_body(&motion[1], level);
    motion[0].pose.position[0] = x[0];
    motion[0].pose.position[1] = x[1];
    motion[0].pose.position[2] = top + 0.041f;
    bench.compared = 1;
    bench.expected[0] = 1e-3f;
}

static void prepare_on_floor(void)
{
    rest_upper(&floor_shape, 0.0f);
}

static void prepare_on_box(void)
{
    rest_upper(&lower, 0.05f);
}

/* The upper box tumbles towards the other shape, which it reaches within the step */
static void fall_upper(const tc_sdf *below, float spin)
{
    float x[10];
    rest_upper(below, 0.0f);
    bench_fill(x, 10, -1.0f, 1.0f);
    const float turned[4] = {x[0], x[1], x[2], x[3]};
    pose_body(&motion[0], turned);
    for (uint32_t k = 0; k < 3u; ++k) {
        motion[0].velocity[k] = 0.5f * x[4u + k];
        motion[0].angular_velocity[k] = 6.0f * x[k];
        motion[1].angular_velocity[k] = spin * x[7u + k];
    }
    motion[0].pose.position[2] = 0.4f;
    motion[0].velocity[2] = -1.5f;
    motion[0].acceleration[2] = -9.81f;
    (void)tc_meet_distance(&upper, &motion[0].pose, below, &motion[1].pose, TC_MEET_DEEPEST, &gap,
                           NULL, 0);
    motion[0].pose.position[2] -= gap.distance / (gap.normal[2] > 0.3f ? gap.normal[2] : 0.3f);
    motion[0].pose.position[2] += 0.02f;
    bench.expected[0] = 0.0f;
}

static void prepare_to_floor(void)
{
    fall_upper(&floor_shape, 0.0f);
}

static void prepare_to_box(void)
{
    fall_upper(&lower, 4.0f);
}

static void run_contacts(void)
{
    BENCH_REGION((void)tc_meet_contacts(&upper, &motion[0].pose, other, &motion[1].pose, 0.01f,
                                        contact, TC_COUNT(contact), &count, &gap, NULL, 0));
    bench.result[0] = count > 0u ? contact[0].gap : gap.distance;
}

static void run_find(void)
{
    BENCH_REGION((void)tc_toc_find(&upper, &motion[0], other, &motion[1], STEP, &found, NULL, 0));
    bench.result[0] = found.outcome == TC_TOC_CONTACT ? found.gap.distance : 0.0f;
}

static void run_rows(void)
{
    (void)tc_toc_find(&upper, &motion[0], other, &motion[1], STEP, &found, NULL, 0);
    BENCH_REGION((void)tc_toc_grad(&motion[0], &motion[1], &found, NULL, 0, &rows));
    bench.result[0] = 0.0f;
}

void bench_toc(void)
{
    static const bench_case cases[] = {
        {"meet_contacts", "box_floor", "public", prepare_on_floor, run_contacts, 24, 1e-5f},
        {"meet_contacts", "box_box", "public", prepare_on_box, run_contacts, 24, 1e-5f},
        {"toc_find", "box_floor", "public", prepare_to_floor, run_find, 42, 1e-5f},
        {"toc_find", "box_box", "public", prepare_to_box, run_find, 42, 1e-5f},
        {"toc_grad", "box_floor", "public", prepare_to_floor, run_rows, 42, 1e-5f},
    };
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) bench_run_draws(&cases[i], DRAWS);
}
