/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Learned models of CD-Lagrange systems: a potential and a contact signal, each a net with one
 * hidden layer.
 *
 *     tc_cdl_nets nets;
 *     tc_cdl cdl;
 *     tc_status s = tc_cdl_nets_open(&cdl, &nets, &model, 0.02f, kept, TC_COUNT(kept));
 *     if (s >= 0) s = tc_cdl_step(&cdl, NULL, Q, V, NULL, work, TC_COUNT(work));
 *
 * The net "potential":
 * - inputs: Q[K d] at t_n+1, before projection;
 * - hidden layer: tanh or softplus, at most TC_NET_WIDTH_MAX units; the paper's systems need 16 to
 *   32;
 * - output: one number V [J], identity. The force is -dV/dQ [N].
 *
 * The force needs only the slopes of the hidden units, the sigmoid for softplus. The library
 * therefore computes softplus and V only for the energy.
 *
 * The net "contact":
 * - inputs: Q[K d] at t_n+1, before projection, then V[K d] at t_n+1/2;
 * - hidden layer: tanh or softplus;
 * - outputs: one per contact of the list. An identity output is a margin, closed if >= 0. A sigmoid
 *   output is a probability, closed if >= 1/2.
 *
 * A closed contact acts only if it approaches, L V < 0. If none approaches, the library does not
 * evaluate the net.
 *
 * Both nets take inputs in [m or rad] and [m/s or rad/s]. The net's own normalisation x' = (x -
 * mean) * scale centres and scales them. For positions of the contact net, use the mean at recorded
 * contacts and the scale 1 / (h * fastest approach). For velocities use 0 and 1 / standard
 * deviation.
 */
#ifndef TC_CDL_NETS_H
#define TC_CDL_NETS_H

#include "tc_cdl.h"
#include "tc_cdl_record.h"

TC_BEGIN

/* Length of scratch for a net of at most `width` hidden units or inputs: `model_work` of
 * TC_CDL_WORK. */
#define TC_CDL_NETS_WORK(width) (3u * TC_NET_PADDED(width))

/* Makes a model from a net, which must pass tc_net_check and outlive the model. Nets of a model
 * file are checked already. A step then returns TC_NOTE_RANGE for inputs outside the net's training
 * range, and TC_ERR_RANGE beyond TC_NET_NORM_MAX. coordinates: K d. contacts: length of the list.
 * Returns:
 *   TC_OK               done.
 *   TC_ERR_NULL         model or net is NULL.
 *   TC_ERR_SIZE         the net's inputs or outputs do not fit coordinates and contacts.
 *   TC_ERR_UNSUPPORTED  the net has not one hidden layer of tanh or softplus, no float weights,
 *                       another head or last activation, or an output layer in tiles other than (1,
 *                       1).
 * On error: model is zero: none. */
tc_status tc_cdl_nets_potential(tc_cdl_potential *model, const tc_net *net, uint32_t coordinates);
tc_status tc_cdl_nets_signal(tc_cdl_signal *model, const tc_net *net, uint32_t coordinates,
                             uint32_t contacts);

/* A system of a model file with its nets. The struct must outlive the tc_cdl. */
typedef struct tc_cdl_nets {
    tc_net potential; /* net "potential"; without layers: no potential */
    tc_net contact;   /* net "contact"; without layers: the default signal */
    tc_real mass[TC_CDL_RECORD_BODIES], damping[TC_CDL_RECORD_BODIES]; /* [kg], [N s/m] */
    tc_cdl_contact list[TC_CDL_RECORD_CONTACTS];                       /* the contacts */
} tc_cdl_nets;

/* Fills `config` from an open model: bodies, masses, damping, contacts, restitution and models.
 * step: h [s]. The caller may change fields such as weight and resolver before tc_cdl_init.
 * Returns:
 *   TC_OK                  done.
 *   TC_ERR_NULL            a pointer is NULL.
 *   TC_ERR_NOT_FINITE      step is NaN or infinite.
 *   TC_ERR_MODEL_MISMATCH  the file has no system record, its step differs from `step` by more than
 *                          its tolerance, or its nets do not fit the record.
 *   TC_ERR_MODEL_NAME      the file lacks a net that the record names.
 *   TC_ERR_MODEL_FIELD, TC_ERR_MODEL_WEIGHT  as tc_cdl_record_read.
 * On error: nets and config are zero. */
tc_status tc_cdl_nets_config(tc_cdl_nets *nets, const tc_model *model, tc_real step,
                             tc_cdl_config *config);

/* Calls tc_cdl_nets_config and tc_cdl_init. `state[TC_CDL_STATE(K, d, contacts)]` must outlive the
 * system.
 * Returns: the statuses of both.
 * On error: cdl is zero, except `fault` after an error of tc_cdl_init.
 * Cost: 584 bytes of stack. A step needs work of TC_CDL_WORK(K, d, contacts,
 * TC_CDL_NETS_WORK(width)), which is cdl->work_len. */
tc_status tc_cdl_nets_open(tc_cdl *cdl, tc_cdl_nets *nets, const tc_model *model, tc_real step,
                           tc_real *state, size_t state_len);

TC_END

#endif
