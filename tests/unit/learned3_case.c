/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Laws, patches and an oracle for the spatial contact model; see learned3_case.h. Nothing here is
 * computed as in lib/: W from cross products, determinants in double, roots by false position,
 * sweeps until nothing moves.
 */
#include "learned3_case.h"

#include "learned2_case.h"
#include "model_bytes.h"

#include <math.h>

void learned3_check_zero(const tc_real *x, uint32_t n, tc_real tolerance, const char *what)
{
    for (uint32_t k = 0; k < n; k++) {
        test_near(TC_C(0.0), x[k], tolerance, TC_C(0.0), what);
    }
}

/* ---- Laws ------------------------------------------------------------------------------------ */

static tc_status said_observe(const void *context, const tc_learned3_query *query, tc_real *work)
{
    (void)query;
    (void)work;
    return ((const learned3_said *)context)->observed;
}

static tc_status said_class(const void *context, const tc_learned3_query *query,
                            tc_real *probability, tc_real *work)
{
    const learned3_said *const said = context;
    (void)query;
    (void)work;
    memcpy(probability, said->probability, sizeof said->probability);
    return said->classified;
}

static tc_status said_ratio(const void *context, const tc_learned3_query *query, tc_real *ratio,
                            tc_real *work)
{
    const learned3_said *const said = context;
    (void)query;
    (void)work;
    memcpy(ratio, said->ratio, sizeof said->ratio);
    return said->rated;
}

tc_learned3_model learned3_said_law(const learned3_said *said)
{
    const tc_learned3_model law = {said_observe, said_class, said_ratio, said, 0};
    return law;
}

learned3_said learned3_says(tc_learned_class branch, tc_real ratio)
{
    learned3_said said = {
        {TC_C(0.0), TC_C(0.0), TC_C(0.0)}, {ratio, TC_C(0.0)}, TC_OK, TC_OK, TC_OK};
    said.probability[branch] = TC_C(1.0);
    return said;
}

/* ---- Coulomb --------------------------------------------------------------------------------- */

/* Solves A x = b of 2 x 2 by Cramer's rule. */
static void solve2(double a, double b, double d, const double r[2], double x[2])
{
    const double det = a * d - b * b;
    x[0] = (d * r[0] - b * r[1]) / det;
    x[1] = (a * r[1] - b * r[0]) / det;
}

/* Friction that goes with a slip c p_t: p_t, p_n, and |p_t| - mu p_n */
static double slipping(double W[3][3], const double u[3], double mu, double c, double p[3])
{
    const double S00 = W[0][0] - W[0][2] * W[0][2] / W[2][2] + c,
                 S01 = W[0][1] - W[0][2] * W[1][2] / W[2][2];
    const double S11 = W[1][1] - W[1][2] * W[1][2] / W[2][2] + c;
    const double r[2] = {W[0][2] * u[2] / W[2][2] - u[0], W[1][2] * u[2] / W[2][2] - u[1]};
    solve2(S00, S01, S11, r, p);
    p[2] = -(u[2] + W[0][2] * p[0] + W[1][2] * p[1]) / W[2][2];
    return sqrt(p[0] * p[0] + p[1] * p[1]) - mu * p[2];
}

void learned3_coulomb_point(double W[3][3], const double u[3], double mu, double p[3])
{
    double low = 0, high = 1;
    p[0] = p[1] = p[2] = 0;
    if (u[2] >= 0) {
        return;
    }
    double at_low = slipping(W, u, mu, 0, p);
    if (at_low <= 0) {
        return;
    }
    double at_high = slipping(W, u, mu, high, p);
    while (at_high > 0) {
        low = high;
        at_low = at_high;
        high *= 8;
        at_high = slipping(W, u, mu, high, p);
    }
    for (int i = 0; i < 60 && high - low > 1e-14 * high; i++) {
        const double secant = (low * at_high - high * at_low) / (at_high - at_low);
        const double middle = i % 4 == 3 ? 0.5 * (low + high) : secant;
        const double at = slipping(W, u, mu, middle, p);
        if (at == 0) {
            return;
        }
        *(at > 0 ? &low : &high) = middle;
        *(at > 0 ? &at_low : &at_high) = at;
    }
}

static void in_double(const tc_learned3_query *query, double W[3][3], double u[3])
{
    static const int index[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};
    for (int i = 0; i < 3; i++) {
        u[i] = (double)query->u[i];
        for (int j = 0; j < 3; j++) {
            W[i][j] = (double)query->W[index[i][j]];
        }
    }
}

static tc_status coulomb_observe(const void *context, const tc_learned3_query *query, tc_real *work)
{
    (void)context;
    (void)query;
    (void)work;
    return TC_OK;
}

static tc_status coulomb_class(const void *context, const tc_learned3_query *query,
                               tc_real *probability, tc_real *work)
{
    const double mu = *(const double *)context, n = (double)query->stop[2];
    const int leaves = query->u[2] >= TC_C(0.0);
    const int sticks = !leaves && n > 0 && (double)query->tangential <= mu * n;
    (void)work;
    probability[TC_LEARNED_STATIC] = sticks ? TC_C(1.0) : TC_C(0.0);
    probability[TC_LEARNED_DYNAMIC] = !sticks && !leaves ? TC_C(1.0) : TC_C(0.0);
    probability[TC_LEARNED_DETACH] = leaves ? TC_C(1.0) : TC_C(0.0);
    return TC_OK;
}

/* Of a contact that sticks: mu along the stop. */
static tc_status coulomb_ratio(const void *context, const tc_learned3_query *query, tc_real *ratio,
                               tc_real *work)
{
    const double mu = *(const double *)context;
    double W[3][3], u[3], p[3];
    (void)work;
    in_double(query, W, u);
    learned3_coulomb_point(W, u, mu, p);
    const double size = sqrt(p[0] * p[0] + p[1] * p[1]);
    const double x = (double)query->axis[0], y = (double)query->axis[1];
    const int slides = p[2] > 0 && size > (1 - 1e-9) * mu * p[2];
    ratio[0] = (tc_real)(slides ? mu * (p[0] * x + p[1] * y) / size : mu);
    ratio[1] = query->side * (tc_real)(slides ? mu * (p[1] * x - p[0] * y) / size : 0.0);
    return TC_OK;
}

tc_learned3_model learned3_coulomb_law(const double *mu)
{
    const tc_learned3_model law = {coulomb_observe, coulomb_class, coulomb_ratio, mu, 0};
    return law;
}

/* ---- Patches --------------------------------------------------------------------------------- */

static void random_orientation(tc_real q[4])
{
    tc_real square;
    do {
        test_fill(q, 4, TC_C(-1.0), TC_C(1.0));
        square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    } while (square > TC_C(1.0) || square < TC_C(0.1));
    for (uint32_t k = 0; k < 4u; k++) {
        q[k] /= tc_sqrt(square);
    }
}

static void random_arms(uint32_t count, tc_real size, tc_patch3 *patch)
{
    const tc_real x = size * test_uniform(TC_C(-1.5), TC_C(1.5));
    const tc_real y = size * test_uniform(TC_C(-1.5), TC_C(1.5));
    const tc_real wide = size * test_uniform(TC_C(0.3), TC_C(1.5));
    const tc_real deep = size * test_uniform(TC_C(0.3), TC_C(1.5));
    const tc_real height = size * test_uniform(TC_C(0.1), TC_C(2.0));
    const tc_real start = test_uniform(TC_C(0.0), TC_C(6.0));
    for (uint32_t i = 0; i < count; i++) {
        const double angle = (double)start + 6.283185307 * i / count;
        patch->vertex[i] = i;
        patch->arm[i][0] = x + wide * (tc_real)cos(angle);
        patch->arm[i][1] = y + deep * (tc_real)sin(angle);
        patch->arm[i][2] = -height;
    }
}

void learned3_random(uint32_t count, learned3_scene *scene)
{
    const tc_real size = test_log_uniform(0.02, 0.5), speed = test_log_uniform(1e-3, 10.0);
    memset(scene, 0, sizeof *scene);
    scene->body.mass = test_log_uniform(0.1, 10.0);
    const tc_real a = test_uniform(TC_C(0.3), TC_C(2.0)), b = test_uniform(TC_C(0.3), TC_C(2.0));
    const tc_real unit = scene->body.mass * size * size / 3;
    scene->body.inertia[0] = unit * (a * a + b * b);
    scene->body.inertia[1] = unit * (1 + b * b);
    scene->body.inertia[2] = unit * (1 + a * a);
    random_orientation(scene->state.orientation);
    scene->patch.count = count;
    scene->patch.dimension = count < 3u ? count - 1u : 2u;
    for (uint32_t k = 0; k < 3u; k++) {
        scene->patch.frame[k][k] = TC_C(1.0);
        scene->state.velocity[k] =
            speed * test_uniform(TC_C(-1.0), k == 2u ? TC_C(0.4) : TC_C(1.0));
        scene->state.velocity[3u + k] = speed / size * test_uniform(TC_C(-0.6), TC_C(0.6));
    }
    random_arms(count, size, &scene->patch);
    scene->state.position[2] = -scene->patch.arm[0][2];
}

tc_body3_state learned3_flat(tc_real z, tc_real vx, tc_real vz)
{
    const tc_body3_state state = {{TC_C(0.0), TC_C(0.0), z},
                                  {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)},
                                  {vx, TC_C(0.0), vz, TC_C(0.0), TC_C(0.0), TC_C(0.0)}};
    return state;
}

/* ---- In double ------------------------------------------------------------------------------- */

learned3_double learned3_in_double(const tc_learned3_problem *problem)
{
    static const int index[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};
    learned3_double p;
    p.count = problem->patch->count;
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        p.arm[i][0] = (double)problem->patch->arm[i][0];
        p.arm[i][1] = (double)problem->patch->arm[i][1];
        p.arm[i][2] = -(double)problem->height;
        p.offset[i] = (double)problem->offset[i];
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            p.mobility[i][j] = (double)problem->mobility[index[i][j]];
        }
        p.velocity[i] = (double)problem->velocity[i];
        p.velocity[3 + i] = (double)problem->velocity[3 + i];
    }
    return p;
}

void learned3_cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

void learned3_at(const learned3_double *p, const double velocity[6], uint32_t i, double u[3])
{
    learned3_cross(velocity + 3, p->arm[i], u);
    for (int k = 0; k < 3; k++) {
        u[k] += velocity[k];
    }
    u[2] += p->offset[i];
}

void learned3_push(const learned3_double *p, uint32_t i, const double impulse[3],
                   double velocity[6])
{
    double torque[3];
    learned3_cross(p->arm[i], impulse, torque);
    for (int k = 0; k < 3; k++) {
        velocity[k] += impulse[k];
        for (int j = 0; j < 3; j++) {
            velocity[3 + k] += p->mobility[k][j] * torque[j];
        }
    }
}

static double det3(double a[3][3])
{
    double c[3];
    learned3_cross(a[1], a[2], c);
    return a[0][0] * c[0] + a[0][1] * c[1] + a[0][2] * c[2];
}

double learned3_kinetic(const learned3_double *p, const double velocity[6])
{
    double energy = 0, a[3][3];
    memcpy(a, p->mobility, sizeof a);
    const double det = det3(a);
    for (int k = 0; k < 3; k++) { /* K omega by Cramer's rule */
        memcpy(a, p->mobility, sizeof a);
        for (int i = 0; i < 3; i++) {
            a[i][k] = velocity[3 + i];
        }
        energy += 0.5 * velocity[k] * velocity[k] + 0.5 * velocity[3 + k] * det3(a) / det;
    }
    return energy;
}

static void own_matrix(const learned3_double *p, uint32_t i, double W[3][3])
{
    for (int k = 0; k < 3; k++) {
        double unit[3] = {0, 0, 0}, change[6] = {0, 0, 0, 0, 0, 0}, u[3];
        unit[k] = 1;
        learned3_push(p, i, unit, change);
        learned3_at(p, change, i, u);
        u[2] -= p->offset[i];
        for (int j = 0; j < 3; j++) {
            W[j][k] = u[j];
        }
    }
}

void learned3_coulomb_patch(const learned3_double *p, double mu, uint32_t sweeps,
                            double impulse[TC_PATCH_MAX][3], double velocity[6])
{
    memcpy(velocity, p->velocity, sizeof p->velocity);
    memset(impulse, 0, TC_PATCH_MAX * sizeof impulse[0]);
    for (uint32_t sweep = 0; sweep < sweeps; sweep++) {
        double change = 0, size = 0;
        for (uint32_t i = 0; i < p->count; i++) {
            double W[3][3], u[3], next[3];
            own_matrix(p, i, W);
            learned3_at(p, velocity, i, u);
            for (int k = 0; k < 3; k++) {
                u[k] -= W[k][0] * impulse[i][0] + W[k][1] * impulse[i][1] + W[k][2] * impulse[i][2];
            }
            learned3_coulomb_point(W, u, mu, next);
            for (int k = 0; k < 3; k++) {
                const double d = next[k] - impulse[i][k];
                impulse[i][k] = next[k];
                next[k] = d;
                change += d * d;
                size += impulse[i][k] * impulse[i][k];
            }
            learned3_push(p, i, next, velocity);
        }
        if (change <= 1e-26 * size) {
            return;
        }
    }
}

/* ---- A model file ---------------------------------------------------------------------------- */

#define NET_AT 64u     /* two records of 96 bytes */
#define LAYERS_AT 384u /* two of 32 bytes, each followed by its arrays */

/* Two arrays of inputs, which stand between the layer's record and its weights; `pointers` to them
 * in the net's record. */
static void put_inputs(uint8_t *blob, uint8_t *pointers, uint32_t at, float first, float second)
{
    for (uint32_t k = 0; k < 2u; k++) {
        put32(pointers + 4u * k, at + 64u * k);
        for (uint32_t i = 0; i < TC_LEARNED3_FEATURES_MAX; i++) {
            put_float(blob + at + 64u * k + 4u * i, k ? second : first);
        }
    }
}

/* The classifier has a range; the regressor, if `normalises`, a normalisation. */
static uint32_t put_net(uint8_t *blob, uint32_t index, uint32_t at, int normalises)
{
    uint8_t *const record = blob + NET_AT + 96u * index;
    const uint32_t n_out = index == 0u ? 3u : 2u;
    memcpy(record, index == 0u ? "class0" : "ratio0", 6);
    put16(record + 24, TC_LEARNED3_FEATURES_MAX);
    put16(record + 26, n_out);
    record[28] = 1;
    record[29] = index == 0u;
    put32(record + 32, at);
    if (index != 0u && !normalises) {
        return learned2_put_layer(blob, at, TC_LEARNED3_FEATURES_MAX, n_out);
    }
    const uint32_t end = learned2_put_layer(blob, at + 128u, TC_LEARNED3_FEATURES_MAX, n_out);
    memcpy(blob + at, blob + at + 128u, 32);
    memset(blob + at + 128u, 0, 32);
    if (index == 0u) {
        put_inputs(blob, record + 52, at + 32u, -20.0f, 20.0f);
    } else {
        put_inputs(blob, record + 36, at + 32u, 0.25f, 0.75f);
    }
    return end;
}

uint32_t learned3_blob(uint8_t *blob, int regressor_normalises)
{
    static const float inertia[3] = {0.0027f, 0.0042f, 0.0052f};
    uint8_t *const contact = blob + LEARNED3_CONTACT_AT;
    memset(blob, 0, LEARNED3_BLOB_SIZE);
    memcpy(blob, "TCM\x1a", 4);
    put16(blob + 4, 2);
    put16(blob + 6, 64);
    put32(blob + 32, 2);
    put32(blob + 36, NET_AT);
    put_float(blob + 40, 0.002f);
    put32(blob + 52, LEARNED3_CONTACT_AT);
    put32(blob + 56, 128);
    put16(contact, 2);
    put16(contact + 2, 1);
    contact[4] = 2;
    contact[5] = 1;
    contact[6] = 1;
    put_float(contact + 8, 1.0f);
    for (uint32_t k = 0; k < 3u; k++) {
        put_float(contact + 12u + 4u * k, inertia[k]);
    }
    put_float(contact + 24, 0.25f);
    put_float(contact + 32, 0.02f);
    put32(contact + 36, 30);
    put_float(contact + 48, 1.0f);
    const uint32_t size = put_net(blob, 1, put_net(blob, 0, LAYERS_AT, 0), regressor_normalises);
    put32(blob + 8, size);
    repair_crc(blob, size);
    return size;
}
