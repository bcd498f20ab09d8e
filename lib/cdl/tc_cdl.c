/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: the step of Hochlehnert et al., Eqs. 45-50, for rigid single-node bodies.
 *
 * Symbols: Q, V positions and velocities; M masses; h step; F forces; D = h M^-1 F, what forces add
 * to V in this step; L a contact's normal, as a row over all coordinates: n at `body`, -n at
 * `other`, 0 elsewhere; H = 1 / (L M^-1 L^T); e restitution; lambda the normal impulse.
 *
 * What is corrected in the printed equations.
 *   Eq. 5, 40  Q' = Q + (h/2) V has the step of half a step; Eq. 45 has it right: velocities live
 *              on the midpoints, V(t_n+1/2) is the slope from t_n to t_n+1.
 *   Eq. 10, 47 With the Lagrangian V^T M V - V(q) (Eq. 3, of which half is meant) the equation of
 *              motion is M q'' = -dV/dq, so F = -dV/dQ, as in Eq. 10; Eqs. 32, 36, 38, 39 and 47
 *              lack the minus.
 *   Eq. 49     The impulse has to make L V' = -e L V (Newton, Eq. 11, where V is before the step's
 *              forces).
 *              From Eq. 50, V' = V + D + M^-1 L^T lambda:
 *                  L V' = L V + L D + (L M^-1 L^T) lambda = -e L V
 *                  lambda = -H ((1 + e) L V + L D).
 *              Printed is L H (-e L V + L V + L D): the sum's first term has the wrong sign, and
 *              so has the whole, unless the -1 of A (Eq. 17) is read as one of them; then a ball of
 *              e = 1 keeps its velocity plus the force's and falls through the floor. Eqs. 15 and 44
 *              have e V + V^S, which is right but for the sign that I is given with (Eq. 41: the
 *              normal of i points to j).
 *   Eq. 16, 43 [A M^-1 A^T]_ii^-1 of a pair is 1 / (1/m_i + 1/m_j)
 *              = m_i m_j / (m_i + m_j), Eq. 41: H here.
 *   Eq. 18     A contact acts iff its gap is <= 0 at Q' and it approaches, L V < 0. Without the
 *              second, a ball still below the floor after its bounce would be turned back. max(0,
 *              lambda) of Eq. 44 stays as a further guard: forces that part the bodies faster
 *              than -e L V are not held back.
 *
 * What a contact keeps. Momentum: lambda acts on both bodies of a pair, with opposite signs.
 * Energy: of the kinetic energy without forces the contact takes (1 - e^2) H u^2 / 2 >= 0, u = L V,
 * whatever M. Sequence: V holds what earlier contacts of the list have done, so of three bodies in
 * a row the first hands its momentum to the second and that to the third, in one step if the list
 * runs that way.
 *
 * Invariants. Free flight is the leapfrog: symplectic, reversible, of second order in Q(t_n),
 * V(t_n+1/2). For a uniform force V(t_n-1/2) V(t_n+1/2) / 2 + U(Q_n) is conserved exactly; a bounce
 * with e = 1 on a wall keeps it too, as it exchanges the two velocities: the energy of the ball
 * drifts by rounding only, whatever the number of bounces.
 *
 * A pair exchanges velocities in the same way: without projection the paper's cradle stays
 * between 1.970 J and 2.031 J for 200,000 steps of 0.01 s, and so do unequal masses.
 *
 * Projection (section 4.3). Penetration s = L Q' - distance < 0 is undone by M^-1 L^T H s: the
 * weighted mean of the two bodies along the normal stays, and bodies without extent meet in it.
 * Moving positions breaks the symmetry that keeps the energy: the cradle gains 2 % in 10,000 steps
 * of 0.01 s (a quarter of that with half the step). With the corrected impulse it is not needed
 * against the drift that section 4.3 describes; it stands for comparison, and where bodies must not
 * overlap.
 *
 * This file checks and prepares systems; tc_cdl_step.c has the step, tc_cdl_single.c,
 * tc_cdl_line.c, tc_cdl_contact.c and tc_cdl_relief.c what it calls.
 */
#include "tc_exact.h"
#include "tc_cdl.h"

#include "tc_vec.h"
#include "tc_cdl_internal.h"
#include "tc_mat.h"
#include "tc_math.h"

#include <float.h>
#include <string.h>

#ifdef TC_DOUBLE
#define LARGEST DBL_MAX
#else
#define LARGEST FLT_MAX
#endif

/* ---- Checking -------------------------------------------------------------------------------- */

static tc_status check_numbers(const tc_cdl_config *config)
{
    const tc_real number[4] = {config->step, config->restitution, config->rest_speed,
                               config->overlap};
    if (!tc_all_finite(number, 4)) {
        return TC_ERR_NOT_FINITE;
    }
    const int in_range = config->step > TC_C(0.0) && config->restitution >= TC_C(0.0)
                         && config->restitution <= TC_C(1.0) && config->rest_speed >= TC_C(0.0)
                         && config->overlap >= TC_C(0.0);
    return in_range ? TC_OK : TC_ERR_RANGE;
}

static tc_status check_sizes(const tc_cdl_config *config)
{
    if (config->bodies == 0u || config->bodies > TC_CDL_BODIES_MAX || config->dimension == 0u
        || config->dimension > TC_CDL_DIMENSION_MAX || config->contacts > TC_CDL_CONTACTS_MAX) {
        return TC_ERR_SIZE;
    }
    if ((config->mass == NULL) == (config->mass_matrix == NULL)
        || (config->contact == NULL && config->contacts > 0u)) {
        return TC_ERR_NULL;
    }
    return TC_OK;
}

static tc_status check_contact(const tc_cdl_config *config, const tc_cdl_contact *contact)
{
    const int other = contact->other == TC_CDL_WALL || contact->other < config->bodies;
    if (contact->body >= config->bodies || !other || contact->body == contact->other) {
        return TC_ERR_SIZE;
    }
    if (!tc_all_finite(&contact->distance, 1)) {
        return TC_ERR_NOT_FINITE;
    }
    return config->signal.turns || tc_vec_is_unit(contact->normal, config->dimension) ? TC_OK
                                                                                      : TC_ERR_UNIT;
}

static tc_status check_damping(const tc_cdl_config *config, uint32_t k)
{
    if (config->damping == NULL) {
        return TC_OK;
    }
    if (!tc_all_finite(&config->damping[k], 1)) {
        return TC_ERR_NOT_FINITE;
    }
    return config->damping[k] >= TC_C(0.0) ? TC_OK : TC_ERR_RANGE;
}

/* ---- Filling the state ----------------------------------------------------------------------- */

static tc_status invert_mass(const tc_cdl_config *config, uint32_t k, tc_real *inverse)
{
    const tc_real mass = config->mass[k];
    if (!tc_all_finite(&mass, 1)) {
        return TC_ERR_NOT_FINITE;
    }
    if (!(mass > TC_C(0.0))) {
        return TC_ERR_BODY;
    }
    inverse[k] = TC_C(1.0) / mass;
    return tc_all_finite(&inverse[k], 1) ? TC_OK : TC_ERR_RANGE;
}

static tc_status invert_matrix(const tc_cdl_config *config, uint32_t k, tc_real *inverse)
{
    const uint32_t d = config->dimension, at = k * d * d;
    tc_real work[TC_MAT_INVERSE_WORK(TC_CDL_DIMENSION_MAX)];
    return tc_mat_inverse_spd(config->mass_matrix + at, inverse + at, d, work, TC_COUNT(work));
}

/* h M^-1 and what the weight adds to a rate in a step: of coordinate a of body k */
static void fill_rate(tc_cdl *cdl, uint32_t k, uint32_t a, const tc_real *inverse, tc_real *rate,
                      tc_real *drift)
{
    const tc_cdl_config *const config = &cdl->config;
    const uint32_t d = config->dimension, i = k * d + a;
    const tc_real *const weight = config->weight != NULL ? config->weight + k * d : NULL;
    if (config->mass != NULL) {
        rate[i] = config->step * inverse[k];
        drift[i] = weight != NULL ? rate[i] * weight[a] : TC_C(0.0);
        return;
    }
    for (uint32_t b = 0; b < d; b++) {
        rate[i * d + b] = config->step * inverse[i * d + b];
    }
    drift[i] = weight != NULL ? tci_cdl_dot(rate + i * d, weight, d) : TC_C(0.0);
}

static tc_status fill_body(tc_cdl *cdl, uint32_t k, tc_real *inverse, tc_real *rate, tc_real *drift)
{
    const tc_cdl_config *const config = &cdl->config;
    const uint32_t d = config->dimension;
    tc_status status =
        config->mass != NULL ? invert_mass(config, k, inverse) : invert_matrix(config, k, inverse);
    if (status >= TC_OK) {
        status = check_damping(config, k);
    }
    for (uint32_t a = 0; a < d && status >= TC_OK; a++) {
        fill_rate(cdl, k, a, inverse, rate, drift);
    }
    if (status >= TC_OK && !tc_all_finite(drift + k * d, d)) {
        return TC_ERR_NOT_FINITE;
    }
    const uint32_t rates = config->mass != NULL ? d : d * d;
    return status < TC_OK || tc_all_finite(rate + k * rates, rates) ? status : TC_ERR_RANGE;
}

/* Everything per body, into room. */
static tc_status fill_bodies(tc_cdl *cdl, tc_real *state)
{
    const uint32_t K = cdl->config.bodies, d = cdl->config.dimension;
    tc_real *const rate = state + K * d * d, *const drift = rate + K * d * d;
    cdl->inverse = state;
    cdl->rate = rate;
    cdl->drift = drift;
    for (uint32_t k = 0; k < K; k++) {
        cdl->fault = k;
        const tc_status status = fill_body(cdl, k, state, rate, drift);
        if (status < TC_OK) {
            return status;
        }
    }
    return TC_OK;
}

static tc_status fill_contacts(tc_cdl *cdl, tc_real *H)
{
    const tc_cdl_config *const config = &cdl->config;
    for (uint32_t c = 0; c < config->contacts; c++) {
        const tc_cdl_contact *const contact = &config->contact[c];
        cdl->fault = c;
        const tc_status status = check_contact(config, contact);
        if (status < TC_OK) {
            return status;
        }
        if (config->mass != NULL || config->dimension == 1u) {
            const tc_real other =
                contact->other == TC_CDL_WALL ? TC_C(0.0) : cdl->inverse[contact->other];
            H[c] = TC_C(1.0) / (cdl->inverse[contact->body] + other);
            if (!tc_all_finite(&H[c], 1)) {
                return TC_ERR_RANGE;
            }
        }
    }
    cdl->H = config->mass != NULL || config->dimension == 1u ? H : NULL;
    return TC_OK;
}

/* What is noted as deep: as given, or half the least distance of a pair. */
static tc_real overlap_limit(const tc_cdl_config *config)
{
    tc_real least = LARGEST;
    for (uint32_t c = 0; c < config->contacts; c++) {
        const tc_cdl_contact *const contact = &config->contact[c];
        if (contact->other != TC_CDL_WALL && contact->distance > TC_C(0.0)
            && contact->distance < least) {
            least = contact->distance;
        }
    }
    return config->overlap > TC_C(0.0) ? config->overlap : TC_C(0.5) * least;
}

tc_cdl_config tc_cdl_default(void)
{
    tc_cdl_config config;
    memset(&config, 0, sizeof config);
    config.restitution = TC_C(1.0);
    return config;
}

static size_t larger_cdl(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* How tc_cdl_step goes about the system. */
static uint8_t way_of(const tc_cdl *cdl)
{
    const tc_cdl_config *const config = &cdl->config;
    if (config->dimension > 1u || config->signal.gap != NULL || config->resolver != NULL) {
        return TC_CDL_ANY;
    }
    if (config->contacts != 1u) {
        return TC_CDL_LINE;
    }
    if (!cdl->steady) {
        return TC_CDL_SINGLE;
    }
    return config->bodies == 1u ? TC_CDL_ALONE : TC_CDL_LINE;
}

static tc_status fill_cdl(tc_cdl *cdl, tc_real *state, size_t state_len)
{
    const tc_cdl_config *const config = &cdl->config;
    tc_status status = check_sizes(config);
    if (status < TC_OK) {
        return status;
    }
    const uint32_t K = config->bodies, d = config->dimension, contacts = config->contacts;
    status = tc_work_check(state, state_len, TC_CDL_STATE((size_t)K, d, contacts));
    if (status < TC_OK) {
        return status;
    }
    status = check_numbers(config);
    if (status >= TC_OK) {
        status = fill_bodies(cdl, state);
    }
    if (status >= TC_OK) {
        status = fill_contacts(cdl, state + K * d * (2u * d + 1u));
    }
    size_t scratch = larger_cdl(config->potential.work_len, config->signal.work_len);
    if (config->resolver != NULL) {
        scratch = larger_cdl(scratch, config->resolver->work_len);
    }
    cdl->metric = config->signal.gap == NULL || config->signal.metric != 0u;
    cdl->overlap = overlap_limit(config);
    cdl->steady = config->potential.force == NULL && config->damping == NULL;
    cdl->way = way_of(cdl);
    cdl->coordinates = K * d;
    cdl->work_len = TC_CDL_WORK((size_t)K, d, contacts, scratch);
    return status;
}

tc_status tc_cdl_init(tc_cdl *cdl, const tc_cdl_config *config, tc_real *state, size_t state_len)
{
    if (cdl == NULL) {
        return TC_ERR_NULL;
    }
    memset(cdl, 0, sizeof *cdl);
    if (config == NULL || state == NULL) {
        return TC_ERR_NULL;
    }
    cdl->config = *config;
    /* nobody else turns them */
    cdl->config.signal.turns = config->signal.gap != NULL && config->signal.turns != 0u;
    const tc_status status = fill_cdl(cdl, state, state_len);
    const uint32_t fault = cdl->fault;
    if (status < TC_OK) {
        memset(cdl, 0, sizeof *cdl);
        cdl->fault = fault;
    }
    return status;
}

/* ---- Energy ---------------------------------------------------------------------------------- */

/* 1/2 V^T M V */
static tc_real kinetic_energy(const tc_cdl *cdl, const tc_real *V)
{
    const tc_cdl_config *const config = &cdl->config;
    const uint32_t d = config->dimension;
    tc_real twice = TC_C(0.0);
    for (uint32_t k = 0; k < config->bodies; k++) {
        const tc_real *const v = V + k * d;
        if (config->mass != NULL) {
            twice = TC_MLA(twice, config->mass[k], tci_cdl_dot(v, v, d));
            continue;
        }
        for (uint32_t a = 0; a < d; a++) {
            twice = TC_MLA(twice, v[a], tci_cdl_dot(config->mass_matrix + (k * d + a) * d, v, d));
        }
    }
    return TC_C(0.5) * twice;
}

/* tc_calls: tc_cdl_energy lib/cdl/tc_cdl_laws.c:pendulum_force lib/cdl/tc_cdl_nets.c:net_force */
tc_status tc_cdl_energy(const tc_cdl *cdl, const tc_real *Q, const tc_real *V, tc_real *energy,
                        tc_real *work, size_t work_len)
{
    if (energy == NULL) {
        return TC_ERR_NULL;
    }
    *energy = TC_C(0.0);
    tc_status status = tci_cdl_arguments(cdl, Q, V, work, work_len);
    if (status < TC_OK) {
        return status;
    }
    const tc_cdl_potential *const model = &cdl->config.potential;
    tc_real potential = TC_C(0.0);
    if (!tc_all_finite(Q, cdl->coordinates) || !tc_all_finite(V, cdl->coordinates)) {
        return TC_ERR_NOT_FINITE;
    }
    if (model->force != NULL) {
        status = model->force(model->context, cdl, Q, work, &potential, work + cdl->coordinates);
    }
    if (cdl->config.weight != NULL) {
        potential -= tci_cdl_dot(cdl->config.weight, Q, cdl->coordinates);
    }
    potential += kinetic_energy(cdl, V);
    if (status >= TC_OK && !tc_all_finite(&potential, 1)) {
        status = TC_ERR_RANGE;
    }
    *energy = status >= TC_OK ? potential : TC_C(0.0);
    return status;
}
