/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * See limb3_case.h.
 */
#include "limb3_case.h"

#include <math.h>

static const tc_real half[3] = {TC_C(0.1), TC_C(0.075), TC_C(0.05)};
static const tc_real box[24] = {
    TC_C(-0.1), TC_C(-0.075), TC_C(-0.05), TC_C(0.1), TC_C(-0.075), TC_C(-0.05),
    TC_C(-0.1), TC_C(0.075),  TC_C(-0.05), TC_C(0.1), TC_C(0.075),  TC_C(-0.05),
    TC_C(-0.1), TC_C(-0.075), TC_C(0.05),  TC_C(0.1), TC_C(-0.075), TC_C(0.05),
    TC_C(-0.1), TC_C(0.075),  TC_C(0.05),  TC_C(0.1), TC_C(0.075),  TC_C(0.05),
};
static tc_real storage[TC_LIMB3_WORK(LIMB_CASE_DOF, 8u) + 2u * TEST_GUARD_WORDS];

/* ---- Limbs ----------------------------------------------------------------------------------- */

static void unit(tc_real *x, uint32_t n)
{
    tc_real square;
    do {
        square = TC_C(0.0);
        test_fill(x, n, TC_C(-1.0), TC_C(1.0));
        for (uint32_t k = 0; k < n; k++) {
            square += x[k] * x[k];
        }
    } while (square > TC_C(1.0) || square < TC_C(0.1));
    for (uint32_t k = 0; k < n; k++) {
        x[k] /= tc_sqrt(square);
    }
}

static void random_link(tc_chain3_link *link, tc_real spread)
{
    const tc_real mass =
        (tc_real)exp((double)test_uniform(TC_C(-1.0), TC_C(1.0)) * log((double)spread));
    link->body.mass = mass;
    for (uint32_t k = 0; k < 3u; k++) {
        link->body.inertia[k] = mass * test_uniform(TC_C(0.004), TC_C(0.02));
    }
    link->joint = test_below(4) == 0u ? TC_CHAIN_PRISMATIC : TC_CHAIN_REVOLUTE;
    test_fill(link->anchor, 3, TC_C(-0.2), TC_C(0.2));
    test_fill(link->arm, 3, TC_C(-0.2), TC_C(0.2));
    unit(link->axis, 3);
    unit(link->rest, 4);
}

/* `down`: out of the box, in its axes, where the plane is to be */
static void choose_side(uint32_t corners, tc_real down[3])
{
    const uint32_t axis = test_below(3);
    if (corners == 1u) {
        do {
            unit(down, 3);
        } while (fabs((double)(down[0] * down[1] * down[2])) < 0.02);
        return;
    }
    down[0] = down[1] = down[2] = TC_C(0.0);
    down[axis] = test_below(2) ? TC_C(1.0) : TC_C(-1.0);
    if (corners == 2u) {
        const tc_real angle = test_uniform(TC_C(0.2), TC_C(1.3));
        down[axis] *= tc_cos(angle);
        down[(axis + 1u) % 3u] = tc_sin(angle);
    }
}

void limb_case_touch(limb_case *c, uint32_t corners, tc_real depth)
{
    tc_real down[3], lowest = TC_C(0.0);
    TEST_ASSERT_EQUAL(TC_OK,
                      tc_chain3_move(&c->leg.chain, c->state.q, c->state.qd, &c->state.motion));
    const tc_chain3_link_motion *const link = &c->state.motion.link[c->leg.chain.count - 1u];
    tc_plane3 *const plane = &c->leg.foot.plane;
    const tc_real *const q = link->orientation;
    choose_side(corners, down);
    for (uint32_t k = 0; k < 3u; k++) {
        lowest += half[k] * (down[k] < TC_C(0.0) ? -down[k] : down[k]);
    }
    plane->offset = depth - lowest;
    for (uint32_t k = 0; k < 3u; k++) { /* normal = -R down, written out */
        const uint32_t a = (k + 1u) % 3u, b = (k + 2u) % 3u;
        const tc_real self =
            TC_C(1.0) - TC_C(2.0) * (q[1u + a] * q[1u + a] + q[1u + b] * q[1u + b]);
        const tc_real to_a = TC_C(2.0) * (q[1u + k] * q[1u + a] - q[0] * q[1u + b]);
        const tc_real to_b = TC_C(2.0) * (q[1u + k] * q[1u + b] + q[0] * q[1u + a]);
        plane->normal[k] = -(self * down[k] + to_a * down[a] + to_b * down[b]);
        plane->offset += plane->normal[k] * (link->position[k] + c->state.motion.origin[k]);
    }
}

void limb_case_random(limb_case *c, uint32_t count, int floating, uint32_t corners, tc_real spread,
                      tc_real speed, const tc_learned3_model *law)
{
    memset(c, 0, sizeof *c);
    for (uint32_t i = 0; i < count; i++) {
        random_link(&c->links[i], spread);
    }
    tc_chain3_link *const last = &c->links[count - 1u];
    for (uint32_t k = 0; k < 3u; k++) {
        const tc_real a = half[(k + 1u) % 3u], b = half[(k + 2u) % 3u];
        last->body.inertia[k] = last->body.mass * (a * a + b * b) / TC_C(3.0);
    }
    c->links[0].joint = floating ? TC_CHAIN_FREE : c->links[0].joint;
    c->leg.chain.count = count;
    c->leg.chain.links = c->links;
    c->leg.chain.gravity[2] = TC_C(-9.81);
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&c->leg.foot, &last->body, TC_C(0.002), law));
    c->leg.foot.shape.vertices = box;
    c->leg.foot.shape.count = 8;
    c->n = tc_chain3_dof(&c->leg.chain, count);
    test_fill(c->state.q, c->n + (floating != 0), TC_C(-1.5), TC_C(1.5));
    if (floating) {
        unit(c->state.q + 3, 4);
    }
    test_fill(c->state.qd, c->n, -speed, speed);
    test_fill(c->torque, c->n, TC_C(-2.0), TC_C(2.0));
    limb_case_touch(c, corners, TC_C(1e-4));
    TEST_ASSERT_EQUAL(TC_OK, tc_limb3_check(&c->leg));
}

tc_status limb_case_step(limb_case *c)
{
    const uint32_t len = TC_LIMB3_WORK(c->n, c->leg.foot.model.work_len);
    tc_real *const work = test_guard(storage, len);
    c->before = c->state;
    const tc_status status = tc_limb3_step(&c->leg, c->torque, &c->state, &c->info, work, len);
    test_guard_check(storage, len);
    return status;
}

/* ---- What is said ---------------------------------------------------------------------------- */

const char *limb_case_text(uint32_t round)
{
    static char text[] = "round 0000";
    for (uint32_t i = 0; i < 4u; i++) {
        text[9u - i] = (char)('0' + round % 10u);
        round /= 10u;
    }
    return text;
}

static tc_status fickle_observe(const void *context, const tc_learned3_query *query, tc_real *work)
{
    (void)context;
    (void)query;
    (void)work;
    return test_below(8) == 0u ? TC_NOTE_RANGE : TC_OK;
}

static tc_status fickle_class(const void *context, const tc_learned3_query *query,
                              tc_real *probability, tc_real *work)
{
    (void)context;
    (void)query;
    (void)work;
    test_fill(probability, 3, TC_C(-1.0), TC_C(1.0));
    return TC_OK;
}

static tc_status fickle_ratio(const void *context, const tc_learned3_query *query, tc_real *ratio,
                              tc_real *work)
{
    static const tc_real ratios[8] = {TC_C(0.0), TC_C(-0.75), TC_C(0.75), TC_C(-1e6),
                                      TC_C(1e6), TC_C(-1e30), TC_C(30.0), TC_C(1e-9)};
    (void)context;
    (void)query;
    (void)work;
    for (uint32_t k = 0; k < 2u; k++) {
        const uint32_t pick = test_below(16);
        ratio[k] = pick < 8u ? ratios[pick] : test_uniform(TC_C(-2.0), TC_C(2.0));
        ratio[k] = pick == 15u ? (tc_real)NAN : ratio[k];
    }
    return TC_OK;
}

const tc_learned3_model limb_case_fickle = {fickle_observe, fickle_class, fickle_ratio, NULL, 0};

/* ---- In double ------------------------------------------------------------------------------- */

/* Gauss-Jordan of a positive definite matrix */
static void invert(limb_double *d)
{
    double A[LIMB_CASE_DOF][LIMB_CASE_DOF];
    memcpy(A, d->mass, sizeof A);
    memset(d->inverse, 0, sizeof d->inverse);
    for (uint32_t k = 0; k < d->n; k++) {
        d->inverse[k][k] = 1;
    }
    for (uint32_t k = 0; k < d->n; k++) {
        const double pivot = A[k][k];
        for (uint32_t j = 0; j < d->n; j++) {
            A[k][j] /= pivot;
            d->inverse[k][j] /= pivot;
        }
        for (uint32_t i = 0; i < d->n; i++) {
            const double factor = i == k ? 0 : A[i][k];
            for (uint32_t j = 0; j < d->n; j++) {
                A[i][j] -= factor * A[k][j];
                d->inverse[i][j] -= factor * d->inverse[k][j];
            }
        }
    }
}

static void find_patch(const limb_case *c, const tc_chain3_motion *motion, tc_patch3 *patch)
{
    const tc_chain3_link_motion *const link = &motion->link[motion->links - 1u];
    tc_plane3 plane = c->leg.foot.plane;
    tc_body3_state state;
    memset(&state, 0, sizeof state);
    for (uint32_t k = 0; k < 3u; k++) {
        plane.offset -= plane.normal[k] * motion->origin[k];
        state.position[k] = link->position[k];
    }
    memcpy(state.orientation, link->orientation, sizeof state.orientation);
    TEST_ASSERT_EQUAL(TC_OK, tc_detect3(&c->leg.foot.shape, &state, &plane, TC_C(0.0), patch));
}

static void contact_rows(limb_double *d, const tc_real *J)
{
    for (uint32_t i = 0; i < d->count; i++) {
        tc_real rows[18];
        TEST_ASSERT_EQUAL(TC_OK, tc_patch3_contact_rows(&d->patch, i, rows));
        for (uint32_t r = 0; r < 3u; r++) {
            for (uint32_t k = 0; k < d->n; k++) {
                d->J[i][r][k] = 0;
                for (uint32_t j = 0; j < 6u; j++) {
                    d->J[i][r][k] += (double)rows[6u * r + j] * (double)J[j * d->n + k];
                }
            }
        }
    }
}

void limb_double_make(const limb_case *c, limb_double *d)
{
    static tc_chain3_motion motion;
    tc_real M[LIMB_CASE_DOF * LIMB_CASE_DOF], J[6u * LIMB_CASE_DOF], force[LIMB_CASE_DOF];
    const tc_chain3 *const chain = &c->leg.chain;
    memset(d, 0, sizeof *d);
    d->n = c->n;
    TEST_ASSERT_EQUAL(TC_OK, tc_chain3_move(chain, c->before.q, c->before.qd, &motion));
    tc_chain3_mass_matrix(chain, &motion, chain->count, M);
    tc_chain3_forces(chain, &motion, chain->count, force);
    tc_chain3_jacobian(&motion, chain->count - 1u, J);
    for (uint32_t i = 0; i < d->n; i++) {
        for (uint32_t j = 0; j < d->n; j++) {
            d->mass[i][j] = (double)M[i * d->n + j];
        }
    }
    invert(d);
    find_patch(c, &motion, &d->patch);
    d->count = d->patch.count;
    contact_rows(d, J);
    for (uint32_t i = 0; i < d->n; i++) {
        d->free[i] = (double)c->before.qd[i];
        for (uint32_t j = 0; j < d->n; j++) {
            d->free[i] +=
                (double)c->leg.foot.step * d->inverse[i][j] * (double)(force[j] + c->torque[j]);
        }
    }
}

void limb_double_at(const limb_double *d, uint32_t i, const double *rates, double u[3])
{
    for (uint32_t r = 0; r < 3u; r++) {
        u[r] = 0;
        for (uint32_t k = 0; k < d->n; k++) {
            u[r] += d->J[i][r][k] * rates[k];
        }
    }
}

void limb_double_push(const limb_double *d, uint32_t i, const double p[3], double *rates)
{
    for (uint32_t k = 0; k < d->n; k++) {
        for (uint32_t j = 0; j < d->n; j++) {
            const double force = d->J[i][0][j] * p[0] + d->J[i][1][j] * p[1] + d->J[i][2][j] * p[2];
            rates[k] += d->inverse[k][j] * force;
        }
    }
}

double limb_double_kinetic(const limb_double *d, const double *rates)
{
    double sum = 0;
    for (uint32_t i = 0; i < d->n; i++) {
        for (uint32_t j = 0; j < d->n; j++) {
            sum += 0.5 * rates[i] * d->mass[i][j] * rates[j];
        }
    }
    return sum;
}

double limb_double_speed(const limb_double *d, const double *rates)
{
    double most = 0, u[3];
    for (uint32_t i = 0; i < d->count; i++) {
        limb_double_at(d, i, rates, u);
        most = fmax(most, sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
    }
    return most;
}

static void own_matrix(const limb_double *d, uint32_t i, double W[3][3])
{
    for (int k = 0; k < 3; k++) {
        double p[3] = {0, 0, 0}, rates[LIMB_CASE_DOF] = {0}, u[3];
        p[k] = 1;
        limb_double_push(d, i, p, rates);
        limb_double_at(d, i, rates, u);
        for (int j = 0; j < 3; j++) {
            W[j][k] = u[j] + (j == k ? 1e-11 : 0.0);
        }
    }
}

void limb_double_coulomb(const limb_double *d, double mu, uint32_t sweeps,
                         double p[TC_PATCH_MAX][3], double *rates)
{
    memcpy(rates, d->free, sizeof d->free);
    memset(p, 0, TC_PATCH_MAX * sizeof p[0]);
    for (uint32_t sweep = 0; sweep < sweeps; sweep++) {
        double change = 0, size = 0;
        for (uint32_t i = 0; i < d->count; i++) {
            double W[3][3], u[3], next[3];
            own_matrix(d, i, W);
            limb_double_at(d, i, rates, u);
            for (int k = 0; k < 3; k++) {
                u[k] -= W[k][0] * p[i][0] + W[k][1] * p[i][1] + W[k][2] * p[i][2];
            }
            learned3_coulomb_point(W, u, mu, next);
            for (int k = 0; k < 3; k++) {
                const double step = next[k] - p[i][k];
                p[i][k] = next[k];
                next[k] = step;
                change += step * step;
                size += p[i][k] * p[i][k];
            }
            limb_double_push(d, i, next, rates);
        }
        if (change <= 1e-26 * size) {
            return;
        }
    }
}

void limb_case_keeps_out(const limb_case *c, const limb_double *d, const char *text)
{
    const tc_learned3_result *const result = &c->info.contact.contact;
    const double least = LIMB_CASE_TOLERANCE * limb_double_speed(d, d->free);
    const double most = limb_double_kinetic(d, d->free) * (1 + 0.1 * LIMB_CASE_TOLERANCE);
    double after[LIMB_CASE_DOF];
    for (uint32_t k = 0; k < c->n; k++) {
        after[k] = (double)c->state.qd[k];
    }
    for (uint32_t i = 0; i < d->count; i++) {
        double u[3];
        limb_double_at(d, i, after, u);
        TEST_ASSERT_TRUE_MESSAGE(result->normal[i] >= 0, text);
        TEST_ASSERT_TRUE_MESSAGE(u[2] >= -least, text);
    }
    TEST_ASSERT_TRUE_MESSAGE(limb_double_kinetic(d, after) <= most, text);
}

void limb_case_promises(const limb_case *c, const limb_double *d, const char *text)
{
    const double least = LIMB_CASE_TOLERANCE * limb_double_speed(d, d->free);
    double after[LIMB_CASE_DOF];
    limb_case_keeps_out(c, d, text);
    for (uint32_t k = 0; k < c->n; k++) {
        after[k] = (double)c->state.qd[k];
    }
    for (uint32_t i = 0; i < d->count; i++) {
        double u[3];
        limb_double_at(d, i, after, u);
        TEST_ASSERT_TRUE_MESSAGE(c->info.contact.contact.normal[i] == 0 || u[2] <= least, text);
    }
}
