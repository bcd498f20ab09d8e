/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Laws, patches and an oracle for the data-augmented contact model; see learned2_case.h. Nothing
 * here is computed as tc_learned2_space.c does it: bisection instead of closed forms, determinants
 * instead of elimination, double instead of float.
 */
#include "learned2_case.h"

#include "model_bytes.h"

#include <math.h>

#define BISECTIONS 48

/* ---- Laws ------------------------------------------------------------------------------------ */

static tc_status said_class(const void *context, const tc_learned2_query *query,
                            tc_real *probability, tc_real *work)
{
    const learned2_said *const said = context;
    (void)query;
    (void)work;
    memcpy(probability, said->probability, sizeof said->probability);
    return said->status;
}

static tc_status said_ratio(const void *context, const tc_learned2_query *query, tc_real *ratio,
                            tc_real *work)
{
    (void)query;
    (void)work;
    *ratio = ((const learned2_said *)context)->ratio;
    return TC_OK;
}

tc_learned2_model learned2_said_law(const learned2_said *said)
{
    const tc_learned2_model law = {said_class, said_ratio, said, 0};
    return law;
}

learned2_said learned2_says(tc_learned_class branch, tc_real ratio)
{
    learned2_said said = {{TC_C(0.0), TC_C(0.0), TC_C(0.0)}, ratio, TC_OK};
    said.probability[branch] = TC_C(1.0);
    return said;
}

/* ---- Patches --------------------------------------------------------------------------------- */

tc_real learned2_random_patch(uint32_t count, tc_patch2 *patch, tc_real velocity[3])
{
    const tc_real k = test_log_uniform(0.02, 0.5), speed = test_log_uniform(1e-3, 10.0);
    memset(patch, 0, sizeof *patch);
    patch->count = count;
    patch->normal[1] = TC_C(1.0);
    patch->height = k * test_uniform(TC_C(0.05), TC_C(2.5));
    patch->lever[0] = k * test_uniform(TC_C(-2.0), TC_C(2.0));
    if (count == 2u) {
        patch->lever[1] = patch->lever[0] + k * test_log_uniform(0.05, 3.0);
        patch->vertex[1] = 1;
    }
    velocity[0] = speed * test_uniform(TC_C(-1.0), TC_C(1.0));
    velocity[1] = speed * test_uniform(TC_C(-1.0), TC_C(0.4));
    velocity[2] = speed / k * test_uniform(TC_C(-1.0), TC_C(1.0));
    return k;
}

/* ---- The
 * oracle
 * ------------------------------------------------------------------------------------------ */

learned2_double learned2_in_double(const tc_learned2_space *space)
{
    learned2_double p;
    p.count = space->count;
    p.W[0][0] = (double)space->W_tt;
    p.W[0][1] = p.W[1][0] = (double)space->W_tn[0];
    p.W[0][2] = p.W[2][0] = (double)space->W_tn[1];
    p.W[1][1] = (double)space->W_nn[0];
    p.W[1][2] = p.W[2][1] = (double)space->W_nn[1];
    p.W[2][2] = (double)space->W_nn[2];
    p.u[0] = (double)space->slip;
    p.u[1] = (double)space->approach[0];
    p.u[2] = (double)space->approach[1];
    p.scale = fabs(p.u[0]) + fabs(p.u[1]) + fabs(p.u[2]);
    return p;
}

void learned2_after(const learned2_double *p, const double impulse[3], double u[3])
{
    for (int i = 0; i < 3; i++) {
        u[i] =
            p->u[i] + p->W[i][0] * impulse[0] + p->W[i][1] * impulse[1] + p->W[i][2] * impulse[2];
    }
}

/* Normals of one active set (bits), and how much they violate. */
static double try_set(const learned2_double *p, double friction, uint32_t set, double n[2])
{
    const double u1 = p->u[1] + p->W[1][0] * friction, u2 = p->u[2] + p->W[2][0] * friction;
    const double det = p->W[1][1] * p->W[2][2] - p->W[1][2] * p->W[1][2];
    n[0] = set == 1u ? -u1 / p->W[1][1] : set == 3u ? (p->W[1][2] * u2 - p->W[2][2] * u1) / det : 0;
    n[1] = set == 2u ? -u2 / p->W[2][2] : set == 3u ? (p->W[1][2] * u1 - p->W[1][1] * u2) / det : 0;
    const double impulse[3] = {friction, n[0], n[1]};
    double u[3], violation = fmax(-n[0], -n[1]);
    learned2_after(p, impulse, u);
    for (uint32_t i = 0; i < p->count; i++) {
        violation = fmax(violation, (set >> i & 1u) != 0u ? 0 : -u[1u + i]);
    }
    return violation;
}

void learned2_normals(const learned2_double *p, double friction, double n[2])
{
    double least = HUGE_VAL;
    for (uint32_t set = 0; set < 1u << p->count; set++) {
        double one[2];
        const double violation = try_set(p, friction, set, one);
        if (violation < least) {
            least = violation;
            n[0] = fmax(one[0], 0);
            n[1] = fmax(one[1], 0);
        }
    }
}

static double slip_after(const learned2_double *p, double friction)
{
    double impulse[3] = {friction, 0, 0}, u[3];
    learned2_normals(p, friction, &impulse[1]);
    learned2_after(p, impulse, u);
    return u[0];
}

double learned2_arrest(const learned2_double *p)
{
    double low = -1, high = 1;
    while (slip_after(p, low) > 0) {
        low *= 2;
    }
    while (slip_after(p, high) < 0) {
        high *= 2;
    }
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (low + high);
        *(slip_after(p, middle) < 0 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

double learned2_friction(const learned2_double *p, double ratio)
{
    const double limit = learned2_arrest(p);
    double low = 0, high = 1, n[2];
    if (ratio * limit <= 0 || (p->u[1] >= 0 && (p->count == 1u || p->u[2] >= 0))) {
        return 0;
    }
    learned2_normals(p, limit, n);
    if (fabs(ratio) * (n[0] + n[1]) >= fabs(limit)) {
        return limit;
    }
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (low + high);
        learned2_normals(p, middle * limit, n);
        *(fabs(ratio) * (n[0] + n[1]) >= middle * fabs(limit) ? &low : &high) = middle;
    }
    return low * limit;
}

/* ---- Coulomb's law, from the oracle ---------------------------------------------------------- */

/* Sliding stops if the cone allows the arrest; else friction is mu times the normals against the
 * slip. */
static tc_status coulomb_class(const void *context, const tc_learned2_query *query,
                               tc_real *probability, tc_real *work)
{
    const double mu = *(const double *)context;
    const learned2_double p = learned2_in_double(&query->space);
    double n[2];
    tc_learned_class said = TC_LEARNED_DYNAMIC;
    (void)work;
    learned2_normals(&p, 0, n);
    if (n[0] + n[1] <= 0) {
        said = TC_LEARNED_DETACH;
    } else {
        const double limit = learned2_arrest(&p);
        learned2_normals(&p, limit, n);
        const int all = n[0] > 0 && (p.count == 1u || n[1] > 0);
        if (all && fabs(limit) <= mu * (n[0] + n[1])) {
            said = TC_LEARNED_STATIC;
        }
    }
    for (int i = 0; i < 3; i++) {
        probability[i] = i == (int)said ? TC_C(1.0) : TC_C(0.0);
    }
    return TC_OK;
}

static tc_status coulomb_ratio(const void *context, const tc_learned2_query *query, tc_real *ratio,
                               tc_real *work)
{
    const tc_real mu = (tc_real) * (const double *)context;
    (void)work;
    *ratio = query->stops.arrest[0] < TC_C(0.0) ? -mu : mu;
    return TC_OK;
}

tc_learned2_model learned2_coulomb_law(const double *mu)
{
    const tc_learned2_model law = {coulomb_class, coulomb_ratio, mu, 0};
    return law;
}

/* ---- A model file
 * ------------------------------------------------------------------------------------------- */

#define NET_AT 64u     /* four records of 96 bytes */
#define LAYERS_AT 576u /* four of 32 bytes, each followed by its arrays */

uint32_t learned2_put_layer(uint8_t *blob, uint32_t at, uint32_t n_in, uint32_t n_out)
{
    const uint32_t weights = at + 32u, bias = (weights + 4u * n_in * n_out + 15u) / 16u * 16u;
    put16(blob + at, n_in);
    put16(blob + at + 2u, n_out);
    blob[at + 5u] = blob[at + 6u] = 1;
    put32(blob + at + 8u, weights);
    put32(blob + at + 12u, bias);
    for (uint32_t i = 0; i < n_in * n_out; i++) {
        put_float(blob + weights + 4u * i, (float)test_uniform(TC_C(-0.5), TC_C(0.5)));
    }
    return bias + 32u;
}

/* n times `value` at `at`, which goes to `field`; returns where the next array may begin. */
static uint32_t put_array(uint8_t *blob, uint8_t *field, uint32_t at, uint32_t n, float value)
{
    put32(field, at);
    for (uint32_t i = 0; i < n; i++) {
        put_float(blob + at + 4u * i, value);
    }
    return (at + 4u * n + 15u) / 16u * 16u;
}

static uint32_t put_net(uint8_t *blob, uint32_t index, uint32_t at, uint32_t n_in,
                        const float *normal)
{
    static const char *const names[4] = {"class0", "ratio0", "class1", "ratio1"};
    uint8_t *const record = blob + NET_AT + 96u * index;
    const uint32_t classifier = index % 2u == 0u, n_out = classifier ? 3u : 1u;
    uint32_t next = at + 32u; /* the net's arrays stand between layer record and weights */
    memcpy(record, names[index], 6);
    put16(record + 24, n_in);
    put16(record + 26, n_out);
    record[28] = 1;
    record[29] = (uint8_t)classifier;
    put32(record + 32, at);
    if (normal != NULL) {
        next = put_array(blob, record + 36, next, n_in, normal[index % 2u]);
        next = put_array(blob, record + 40, next, n_in, normal[2u + index % 2u]);
    }
    if (index == 0u) {
        next = put_array(blob, record + 52, next, n_in, -20.0f);
        next = put_array(blob, record + 56, next, n_in, 20.0f);
    }
    if (next == at + 32u) {
        return learned2_put_layer(blob, at, n_in, n_out);
    }
    const uint32_t end = learned2_put_layer(blob, next, n_in, n_out);
    memcpy(blob + at, blob + next, 32);
    memset(blob + next, 0, 32);
    return end;
}

uint32_t learned2_blob(uint8_t *blob)
{
    return learned2_blob_normalised(blob, NULL);
}

uint32_t learned2_blob_normalised(uint8_t *blob, const float *normal)
{
    uint8_t *const contact = blob + LEARNED2_CONTACT_AT;
    uint32_t at = LAYERS_AT;
    memset(blob, 0, LEARNED2_BLOB_SIZE);
    memcpy(blob, "TCM\x1a", 4);
    put16(blob + 4, 2);
    put16(blob + 6, 64);
    put32(blob + 32, 4);
    put32(blob + 36, NET_AT);
    put_float(blob + 40, 0.002f);
    put32(blob + 52, LEARNED2_CONTACT_AT);
    put32(blob + 56, 128);
    put16(contact, 1);
    put16(contact + 2, 1);
    contact[4] = 1;
    contact[5] = 1;
    contact[6] = 3;
    put_float(contact + 8, 1.0f);
    put_float(contact + 12, 0.0045333333f);
    put_float(contact + 24, 0.25f);
    put_float(contact + 32, 0.02f);
    put32(contact + 36, 31);
    put32(contact + 40, 61);
    put_float(contact + 48, 1.0f);
    put_float(contact + 52, 1.0f);
    for (uint32_t i = 0; i < 4u; i++) {
        at = put_net(blob, i, at, i < 2u ? 13u : 19u, normal);
    }
    put32(blob + 8, at);
    repair_crc(blob, at);
    return at;
}
