/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Encoder and decoder of a message from one walk over its fields, internal.
 */
#ifndef TC_WIRE_MESSAGE_INTERNAL_H
#define TC_WIRE_MESSAGE_INTERNAL_H

#include "tc_cursor.h"
#include "tc_wire.h"

/* tc_wire_put_name and tc_wire_get_name of a message whose walk_name names its fields. */
#define TCI_WIRE_BOTH_WAYS(name, type)                                                             \
    uint32_t tc_wire_put_##name(tc_wire_encoder *e, const tc_wire_##name *m)                       \
    {                                                                                              \
        tc_wire_##name walked = *m;                                                                \
        tc_cursor c = {.to = e->body + TC_WIRE_HEAD, .length = TC_WIRE_PAYLOAD_MAX};               \
        walk_##name(&c, &walked);                                                                  \
        return c.status >= TC_OK ? tc_wire_encode(e, type, c.at) : 0u;                             \
    }                                                                                              \
    tc_status tc_wire_get_##name(const tc_wire_frame *f, tc_wire_##name *m)                        \
    {                                                                                              \
        tc_cursor c = {.from = f->payload, .length = f->length};                                   \
        memset(m, 0, sizeof *m);                                                                   \
        walk_##name(&c, m);                                                                        \
        tc_cursor_require(&c, c.at == f->length, TC_ERR_SIZE);                                     \
        if (c.status < TC_OK) {                                                                    \
            memset(m, 0, sizeof *m);                                                               \
        }                                                                                          \
        return c.status;                                                                           \
    }

#endif
