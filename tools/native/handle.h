/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What stands behind a handle of native.h. Not for users.
 */
#ifndef HANDLE_H
#define HANDLE_H

#include "coulomb.h"
#include "native.h"

struct native {
    tc_foot2 dacm;
    tc_learned2_nets nets;
    tc_model model;
    coulomb friction;
    double gravity;
    double vertices[2u * TC_SHAPE_MAX]; /* as given */
    tc_real shape[2u * TC_SHAPE_MAX];   /* as the library takes them */
    tc_real force[3];                   /* gravity on the body */
    void *blob;
    tc_real *work;
    size_t work_len;
};

tc_body2_state native_state(const double state[6]);
void native_state_back(const tc_body2_state *from, double state[6]);

/* Opens a contact model; `fault`: where in the file, after an error of it; may be null. */
tc_status native_open_model(tc_model *model, const void *blob, size_t blob_size, uint32_t *fault);

/* Vertices of `dimension` numbers each, as given and as the library takes them. */
tc_status native_take_vertices(const double *vertices, uint32_t count, uint32_t dimension,
                               double *given, tc_real *taken);

#endif
