/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Learned models of CD-Lagrange systems.
 *
 * With x' = (x - mean) * scale, pre = W x' + b and hidden activation act, the output is y = s (c +
 * sum_u a_u act(pre_u)) + m, a and c the last layer's, s and m the output normalisation, and
 *
 *     F_i = -dy/dx_i = -s scale_i (W^T g)_i,   g_u = a_u act'(pre_u)
 *     tanh      act' = 1 - act^2
 *     softplus  act' = sigmoid: one look into the table of tanh; softplus itself is not needed
 *
 * so one pass through W gives V and force, and a second through W^T ends it. Sums run over
 * ascending index.
 *
 * Cost on Cortex-M4F: see docs/reference/costs.md. Work: inputs and twice the hidden layer, padded.
 */
#include "tc_exact.h"
#include "tc_cdl_nets.h"

#include "tc_cdl_internal.h"
#include "tc_model_read.h"
#include "tc_kernel_net.h"
#include "tc_math.h"
#include "tc_net_core.h"
#include "tc_net_input.h"

#include <string.h>

/* ---- Whether a net can be a model ------------------------------------------------------------ */

static int known_activation(const tc_net_dense *hidden)
{
    return hidden->activation == TC_NET_TANH
           || (TC_NET_USE_SOFTPLUS && hidden->activation == TC_NET_SOFTPLUS);
}

static tc_status check_net_system_nets(const tc_net *net, uint32_t n_in, uint32_t n_out)
{
    if (net == NULL) {
        return TC_ERR_NULL;
    }
    if (net->n_layers != 2u || net->head != TC_NET_HEAD_LINEAR) {
        return TC_ERR_UNSUPPORTED;
    }
    const tc_net_dense *const hidden = &net->layers[0], *const last = &net->layers[1];
    if (!known_activation(hidden) || hidden->weight != TC_NET_WEIGHT_F32 || last->tile_columns != 1u
        || last->tile_rows != 1u) {
        return TC_ERR_UNSUPPORTED;
    }
    return net->n_in == n_in && net->n_out == n_out ? TC_OK : TC_ERR_SIZE;
}

/* ---- The pass through the net ---------------------------------------------------------------- */

static tc_real net_output(const tc_net *net, uint32_t o, const tc_real *x)
{
    const tc_net_dense *const last = &net->layers[1];
    const float *const a = (const float *)last->weights + (size_t)o * last->n_in;
    const tc_real y = tc_kernel_row_sum(a, x, (tc_real)last->bias[o], last->n_in);
    return net->output_scale != NULL
               ? TC_MLA((tc_real)net->output_mean[o], y, (tc_real)net->output_scale[o])
               : y;
}

/* Whether a net may be asked for the normalised x, which stands for what lies in the given
 * parts. */
static tc_status admit_input(const tc_net *net, const tc_real *x)
{
    return tc_net_within_norm(x, net->n_in) ? TC_OK : tc_net_norm_fault(x, net->n_in);
}

/* Part of the input, `at` to at + n, normalised into x; TC_NOTE_RANGE if it lies outside the net's
 * range. */
static tc_status normalise_part(const tc_net *net, const tc_real *from, uint32_t at, uint32_t n,
                                tc_real *x)
{
    if (net->input_mean != NULL) {
        tc_kernel_normalise(from, net->input_mean + at, net->input_scale + at, x + at, n);
    } else {
        memcpy(x + at, from, n * sizeof *x);
    }
    const int inside =
        net->input_low == NULL
        || tc_kernel_within(from, net->input_low + at, net->input_high + at, n) != 0u;
    return inside ? TC_OK : TC_NOTE_RANGE;
}

/* ---- Potential ------------------------------------------------------------------------------- */

static tc_status net_force(const void *context, const tc_cdl *cdl, const tc_real *Q, tc_real *force,
                           tc_real *potential, tc_real *scratch)
{
    const tc_net *const net = context;
    const tc_net_dense *const hidden = &net->layers[0];
    const uint32_t n = cdl->coordinates, P = TC_NET_PADDED((uint32_t)net->width);
    tc_real *const x = scratch, *const t = scratch + P, *const spare = t + P;
    const tc_status note = normalise_part(net, Q, 0, n, x), status = admit_input(net, x);
    if (status < TC_OK) {
        return status;
    }
    tc_kernel_dense(hidden, x, t);
    if (potential != NULL) {
        memcpy(spare, t, hidden->n_out * sizeof *t);
        tc_net_activate(hidden->activation, spare, hidden->n_out);
        *potential = net_output(net, 0, spare);
    }
    if (hidden->activation == TC_NET_TANH) {
        tc_kernel_tanh(t, hidden->n_out);
        tc_kernel_row_slope(net->layers[1].weights, t, hidden->n_out);
    } else {
        tc_kernel_row_sigmoid(net->layers[1].weights, t, hidden->n_out);
    }
    tc_kernel_dense_vjp(hidden, t, x);
    const tc_real s = net->output_scale != NULL ? -(tc_real)net->output_scale[0] : TC_C(-1.0);
    for (uint32_t i = 0; i < n; i++) {
        force[i] = net->input_scale != NULL ? s * ((tc_real)net->input_scale[i] * x[i]) : s * x[i];
    }
    return note;
}

tc_status tc_cdl_nets_potential(tc_cdl_potential *model, const tc_net *net, uint32_t coordinates)
{
    if (model == NULL) {
        return TC_ERR_NULL;
    }
    memset(model, 0, sizeof *model);
    tc_status status = check_net_system_nets(net, coordinates, 1);
    if (status >= TC_OK && net->layers[1].activation != TC_NET_IDENTITY) {
        status = TC_ERR_UNSUPPORTED;
    }
    if (status >= TC_OK) {
        model->force = net_force;
        model->context = net;
        model->work_len = TC_CDL_NETS_WORK((size_t)net->width);
    }
    return status;
}

/* ---- Contact --------------------------------------------------------------------------------- */

/* Whether any contact could act if it were closed. */
static int any_approaches(const tc_cdl *cdl, const tc_real *V)
{
    const uint32_t d = cdl->config.dimension;
    for (uint32_t c = 0; c < cdl->config.contacts; c++) {
        const tc_cdl_contact *const contact = &cdl->config.contact[c];
        tc_real e;
        if (tci_cdl_acts(cdl, tci_cdl_along(contact, contact->normal, V, d), &e)) {
            return 1;
        }
    }
    return 0;
}

static tc_status net_gap(const void *context, const tc_cdl *cdl, const tc_real *Q, const tc_real *V,
                         tc_real *gap, tc_real *normal, tc_real *scratch)
{
    const tc_net *const net = context;
    const tc_net_dense *const hidden = &net->layers[0];
    const uint32_t n = cdl->coordinates, contacts = cdl->config.contacts;
    tc_real *const x = scratch, *const t = scratch + TC_NET_PADDED((uint32_t)net->width);
    (void)normal;
    if (!any_approaches(cdl, V)) {
        for (uint32_t c = 0; c < contacts; c++) {
            gap[c] = TC_C(1.0);
        }
        return TC_OK;
    }
    const tc_status note_q = normalise_part(net, Q, 0, n, x),
                    note_v = normalise_part(net, V, n, n, x);
    const tc_status status = admit_input(net, x);
    if (status < TC_OK) {
        return status;
    }
    tc_kernel_dense(hidden, x, t);
    tc_net_activate(hidden->activation, t, hidden->n_out);
    for (uint32_t c = 0; c < contacts; c++) {
        gap[c] = -net_output(net, c, t);
    }
    return note_q != TC_OK ? note_q : note_v;
}

tc_status tc_cdl_nets_signal(tc_cdl_signal *model, const tc_net *net, uint32_t coordinates,
                             uint32_t contacts)
{
    if (model == NULL) {
        return TC_ERR_NULL;
    }
    memset(model, 0, sizeof *model);
    tc_status status = check_net_system_nets(net, 2u * coordinates, contacts);
    const uint32_t activation = status >= TC_OK ? net->layers[1].activation : TC_NET_IDENTITY;
    /* >= 1/2 where its argument is >= 0: */
    const int probability = activation == TC_NET_SIGMOID && net->output_mean == NULL;
    if (status >= TC_OK && activation != TC_NET_IDENTITY && !probability) {
        status = TC_ERR_UNSUPPORTED;
    }
    if (status >= TC_OK) {
        model->gap = net_gap;
        model->context = net;
        model->work_len = TC_CDL_NETS_WORK((size_t)net->width);
    }
    return status;
}

/* ---- Model files ----------------------------------------------------------------------------- */

static tc_status take_nets_system_nets(tc_cdl_nets *nets, const tc_model *model,
                                       const tc_cdl_record *record, tc_cdl_config *config)
{
    const uint32_t coordinates = (uint32_t)record->bodies * record->dimension;
    tc_status status = TC_OK;
    if ((record->flags & TC_CDL_RECORD_POTENTIAL) != 0u) {
        status = tc_model_net(model, "potential", &nets->potential);
        if (status >= TC_OK
            && tc_cdl_nets_potential(&config->potential, &nets->potential, coordinates) < TC_OK) {
            status = TC_ERR_MODEL_MISMATCH;
        }
    }
    if (status >= TC_OK && (record->flags & TC_CDL_RECORD_CONTACT) != 0u) {
        status = tc_model_net(model, "contact", &nets->contact);
        if (status >= TC_OK
            && tc_cdl_nets_signal(&config->signal, &nets->contact, coordinates, record->contacts)
                   < TC_OK) {
            status = TC_ERR_MODEL_MISMATCH;
        }
    }
    return status;
}

/* Whether any body is damped. */
static int take_bodies(tc_cdl_nets *nets, const tc_cdl_record *record)
{
    int damped = 0;
    for (uint32_t k = 0; k < record->bodies; k++) {
        nets->mass[k] = (tc_real)record->mass[k];
        nets->damping[k] = (tc_real)record->damping[k];
        damped |= nets->damping[k] > TC_C(0.0);
    }
    for (uint32_t c = 0; c < record->contacts; c++) {
        tc_cdl_contact *const to = &nets->list[c];
        const uint8_t other = record->pairs[2u * c + 1u];
        to->body = record->pairs[2u * c];
        to->other = other == TC_CDL_RECORD_WALL ? TC_CDL_WALL : other;
        to->distance = (tc_real)record->distance[c];
        for (uint32_t a = 0; a < record->dimension; a++) {
            to->normal[a] = (tc_real)record->normal[c * record->dimension + a];
        }
    }
    return damped;
}

static tc_status configure_system(tc_cdl_nets *nets, const tc_model *model, tc_real step,
                                  tc_cdl_config *config)
{
    tc_cdl_record record;
    tc_status status = tc_cdl_record_read(model, &record, NULL);
    if (status >= TC_OK && !tc_all_finite(&step, 1)) {
        status = TC_ERR_NOT_FINITE;
    }
    if (status >= TC_OK && !tc_model_matches((tc_real)model->step_size, step, record.tolerance)) {
        status = TC_ERR_MODEL_MISMATCH;
    }
    if (status < TC_OK) {
        return status;
    }
    *config = tc_cdl_default();
    config->bodies = record.bodies;
    config->dimension = record.dimension;
    config->contacts = record.contacts;
    config->step = step;
    config->restitution = record.restitution;
    config->rest_speed = record.rest_speed;
    config->project = (record.flags & TC_CDL_RECORD_PROJECT) != 0u;
    config->mass = nets->mass;
    config->damping = take_bodies(nets, &record) ? nets->damping : NULL;
    config->contact = nets->list;
    return take_nets_system_nets(nets, model, &record, config);
}

tc_status tc_cdl_nets_config(tc_cdl_nets *nets, const tc_model *model, tc_real step,
                             tc_cdl_config *config)
{
    if (nets == NULL || config == NULL) {
        return TC_ERR_NULL;
    }
    memset(nets, 0, sizeof *nets);
    memset(config, 0, sizeof *config);
    const tc_status status = configure_system(nets, model, step, config);
    if (status < TC_OK) {
        memset(nets, 0, sizeof *nets);
        memset(config, 0, sizeof *config);
    }
    return status;
}

tc_status tc_cdl_nets_open(tc_cdl *cdl, tc_cdl_nets *nets, const tc_model *model, tc_real step,
                           tc_real *state, size_t state_len)
{
    tc_cdl_config config;
    if (cdl == NULL) {
        return TC_ERR_NULL;
    }
    memset(cdl, 0, sizeof *cdl);
    const tc_status status = tc_cdl_nets_config(nets, model, step, &config);
    return status >= TC_OK ? tc_cdl_init(cdl, &config, state, state_len) : status;
}
