/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What detectors need of the contact list. Not for users.
 */
#ifndef TC_CONTACT_INTERNAL_H
#define TC_CONTACT_INTERNAL_H

#include "tc_contact.h"

/* tc_contact_list_add2 and tc_contact_list_add3 of a detector's patch, which is not checked. */
tc_status tci_contact_list_put2(const tc_contact_between *between, const tc_patch2 *patch,
                                tc_contact_list *list);
tc_status tci_contact_list_put3(const tc_contact_between *between, const tc_patch3 *patch,
                                tc_contact_list *list);

#endif
