/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * tinycontact: contact on a microcontroller. This header includes the whole library.
 */
#ifndef TINYCONTACT_H
#define TINYCONTACT_H

#include "tc_config.h"
#include "tc_version.h"
#include "tc_status.h"
#include "tc_math.h"
#include "tc_mat.h"
#include "tc_mat_fixed.h"
#include "tc_net.h"
#include "tc_model.h"
#include "tc_lcp.h"
#include "tc_body.h"
#include "tc_plane.h"
#include "tc_patch.h"
#include "tc_shape.h"
#include "tc_detect2.h"
#include "tc_detect3.h"
#include "tc_learned.h"
#include "tc_learned2.h"
#include "tc_learned2_features.h"
#include "tc_scheme.h"
#include "tc_foot2.h"
#include "tc_learned2_nets.h"
#include "tc_learned3.h"
#include "tc_learned3_features.h"
#include "tc_foot3.h"
#include "tc_learned3_nets.h"
#include "tc_root.h"
#include "tc_momentum.h"
#include "tc_chain.h"
#include "tc_chain2.h"
#include "tc_chain3.h"
#include "tc_limb2.h"
#include "tc_limb3.h"
#include "tc_pair3.h"
#include "tc_cdl.h"
#include "tc_cdl_laws.h"
#include "tc_cdl_nets.h"
#include "tc_leg.h"
#include "tc_estimator.h"
#include "tc_estimator_predict.h"
#include "tc_estimator_record.h"
#include "tc_selfcheck.h"
#include "tc_wire.h"
#include "tc_wire_message.h"
#include "tc_estimator_foot.h"

#endif
