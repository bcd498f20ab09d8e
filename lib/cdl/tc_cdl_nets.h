/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Learned laws of CD-Lagrange systems: a potential and a contact signal, each a net with one hidden layer.
 *
 *     tc_cdl_nets nets;
 *     tc_cdl cdl;
 *     tc_status s = tc_cdl_nets_open(&cdl, &nets, &model, 0.02f, room, TC_COUNT(room));
 *     if (s >= 0) s = tc_cdl_step(&cdl, NULL, Q, V, NULL, work, TC_COUNT(work));
 *
 * Potential, named "potential":
 *     inputs   Q [K d] at t_n+1, before projection
 *     hidden   tanh or softplus, 16 to 32 units are enough for the paper's systems, TC_NET_WIDTH_MAX at most
 *     output   one number, identity: V [J]; the force is -dV/dQ [N]
 *   The force needs the slopes of the hidden units only: with softplus that is their sigmoid, so that neither
 *   softplus nor V is computed unless the energy is asked for.
 *
 * Contact, named "contact":
 *     inputs   Q [K d] at t_n+1, before projection, then V [K d] at t_n+1/2
 *     hidden   tanh or softplus
 *     outputs  one per contact of the list: a margin, closed where >= 0 (last layer identity), or a
 *              probability, closed where >= 1/2 (sigmoid)
 *   A closed contact acts only if it approaches, L V < 0, as always; when none does, the net is not asked.
 *
 * Both take the inputs as they are [m or rad, m/s or rad/s]; centring and scaling are the nets' own
 * normalisation, x' = (x - mean) * scale. For the contact net take as mean the positions at recorded contacts
 * and as scale 1 / (h * fastest approach), for velocities 0 and 1 / standard deviation.
 */
#ifndef TC_CDL_NETS_H
#define TC_CDL_NETS_H

#include "tc_cdl.h"
#include "tc_cdl_record.h"

TC_BEGIN

/* Numbers of scratch for a net at most `width` wide (hidden units or inputs, whichever is more): the `law` of
 * TC_CDL_WORK. */
#define TC_CDL_NET_WORK(width) (3u * TC_NET_PADDED(width))

/* A law from a net that passed tc_net_check (nets from a model file have) and outlives it. TC_ERR_NULL;
 * TC_ERR_SIZE the inputs or outputs do not fit the numbers of coordinates and contacts; TC_ERR_UNSUPPORTED
 * not one hidden layer of tanh or softplus, weights that are not float, another head or last activation, or
 * an output layer in tiles other than (1, 1). On an error the law is zero: none. Their steps say
 * TC_NOTE_RANGE for inputs outside the net's range, TC_ERR_RANGE beyond TC_NET_NORM_MAX. */
tc_status tc_cdl_nets_potential(tc_cdl_potential *law, const tc_net *net, uint32_t coordinates);
tc_status tc_cdl_nets_signal(tc_cdl_signal *law, const tc_net *net, uint32_t coordinates, uint32_t contacts);

/* What a model file says of a system, and its nets; must outlive the system. */
typedef struct tc_cdl_nets {
    tc_net potential; /* without layers: the record names none, and bodies are free */
    tc_net contact;   /* without layers: contacts close along their normals */
    tc_real mass[TC_CDL_RECORD_BODIES], damping[TC_CDL_RECORD_BODIES];
    tc_cdl_contact list[TC_CDL_RECORD_CONTACTS];
} tc_cdl_nets;

/* The configuration that an open model states: bodies, masses, damping, contacts, restitution, laws; `step`
 * [s] as given. It may be changed (weight, resolver) before it goes to tc_cdl_init. TC_ERR_MODEL_MISMATCH: no
 * system record, a step that differs from the file's by more than the record's tolerance, or nets that do not
 * fit; TC_ERR_MODEL_FIELD, TC_ERR_MODEL_WEIGHT a field of the record; TC_ERR_MODEL_NAME a net is missing;
 * TC_ERR_NULL, TC_ERR_NOT_FINITE the arguments. On an error `nets` and `config` are zero. */
tc_status tc_cdl_nets_config(tc_cdl_nets *nets, const tc_model *model, tc_real step, tc_cdl_config *config);

/* tc_cdl_nets_config and tc_cdl_init in one: room of TC_CDL_STATE(K, d, contacts). A step then needs
 * TC_CDL_WORK(K, d, contacts, TC_CDL_NET_WORK(width)), which is cdl->work_len. On an error `cdl` is zero. */
tc_status tc_cdl_nets_open(tc_cdl *cdl, tc_cdl_nets *nets, const tc_model *model, tc_real step, tc_real *room,
                      size_t room_len);

TC_END

#endif
