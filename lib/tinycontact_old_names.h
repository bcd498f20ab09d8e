/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The public names of version 0.1, for sources written against it: include this instead of
 * tinycontact.h, or after it. It serves version 0.9 alone and goes with the next. CHANGELOG.md says
 * what changed besides names.
 */
#ifndef TINYCONTACT_OLD_NAMES_H
#define TINYCONTACT_OLD_NAMES_H

#include "tinycontact.h"

/* ---- Types ----------------------------------------------------------------------------------- */

#define tc_activation tc_net_activation
#define tc_contact_class tc_learned_class
#define tc_contact_features tc_learned_feature
#define tc_contact_kind tc_learned_kind
#define tc_contact_record tc_learned_record
#define tc_dacm tc_foot2
#define tc_dacm_chain tc_limb2
#define tc_dacm_chain_branch tc_limb2_branch
#define tc_dacm_chain_config tc_limb2_config
#define tc_dacm_chain_info tc_limb2_info
#define tc_dacm_chain_solver tc_limb2_solver
#define tc_dacm_chain_start tc_limb2_start
#define tc_dacm_chain_state tc_limb2_state
#define tc_dacm_decision tc_learned2_decision
#define tc_dacm_flags tc_learned_flags
#define tc_dacm_info tc_foot2_info
#define tc_dacm_law tc_learned2_model
#define tc_dacm_limb tc_limb2_mechanism
#define tc_dacm_model tc_learned2_nets_const
#define tc_dacm_nets tc_learned2_nets
#define tc_dacm_query tc_learned2_query
#define tc_dacm_result tc_learned2_result
#define tc_dacm_space tc_learned2_space
#define tc_dacm_stops tc_learned2_stops
#define tc_dense tc_net_dense
#define tc_estimator_law tc_estimator_model
#define tc_head tc_net_head
#define tc_joint tc_chain_joint
#define tc_leg_estimate tc_estimator_estimate
#define tc_leg_event tc_estimator_predict_event
#define tc_leg_prediction tc_estimator_prediction
#define tc_leg_sensors tc_estimator_sensors
#define tc_planar_body tc_body2
#define tc_planar_chain tc_chain2
#define tc_planar_chain_motion tc_chain2_motion
#define tc_planar_column tc_chain2_column
#define tc_planar_link tc_chain2_link
#define tc_planar_link_motion tc_chain2_link_motion
#define tc_planar_patch tc_patch2
#define tc_planar_plane tc_plane2
#define tc_planar_shape tc_shape2
#define tc_planar_state tc_body2_state
#define tc_positions tc_scheme
#define tc_spatial tc_foot3
#define tc_spatial_body tc_body3
#define tc_spatial_chain tc_chain3
#define tc_spatial_chain_motion tc_chain3_motion
#define tc_spatial_column tc_chain3_column
#define tc_spatial_info tc_foot3_info
#define tc_spatial_law tc_learned3_model
#define tc_spatial_leg tc_limb3
#define tc_spatial_leg_state tc_limb3_state
#define tc_spatial_limb tc_limb3_mechanism
#define tc_spatial_limb_info tc_limb3_info
#define tc_spatial_link tc_chain3_link
#define tc_spatial_link_motion tc_chain3_link_motion
#define tc_spatial_nets tc_learned3_nets
#define tc_spatial_patch tc_patch3
#define tc_spatial_plane tc_plane3
#define tc_spatial_problem tc_learned3_problem
#define tc_spatial_query tc_learned3_query
#define tc_spatial_result tc_learned3_result
#define tc_spatial_shape tc_shape3
#define tc_spatial_state tc_body3_state
#define tc_spatial_sweeps tc_learned3_sweeps
#define tc_spatial_warm tc_learned3_warm
#define tc_system_flags tc_cdl_record_flags
#define tc_system_record tc_cdl_record
#define tc_weight tc_net_weight

/* ---- Functions ------------------------------------------------------------------------------- */

#define tc_build_text tc_version_text
#define tc_cdl_open tc_cdl_nets_open
#define tc_cdl_pendulums tc_cdl_laws_pendulums
#define tc_cdl_potential_net tc_cdl_nets_potential
#define tc_cdl_signal_net tc_cdl_nets_signal
#define tc_cdl_spheres tc_cdl_laws_spheres
#define tc_dacm_chain_check tc_limb2_check
#define tc_dacm_chain_default tc_limb2_default
#define tc_dacm_chain_published tc_limb2_default_published
#define tc_dacm_chain_step tc_limb2_step
#define tc_dacm_check tc_foot2_check
#define tc_dacm_decide tc_learned2_decide
#define tc_dacm_feature_bounds tc_learned2_features_bounds
#define tc_dacm_feature_count tc_learned2_features_count
#define tc_dacm_features tc_learned2_features
#define tc_dacm_init tc_foot2_init
#define tc_dacm_legal tc_learned2_legal
#define tc_dacm_limb_solve tc_limb2_mechanism_solve
#define tc_dacm_nets_law tc_learned2_nets_model
#define tc_dacm_nets_open tc_learned2_nets_open
#define tc_dacm_open tc_foot2_open
#define tc_dacm_open_const tc_foot2_open_const
#define tc_dacm_query_init tc_learned2_query_init
#define tc_dacm_respond tc_foot2_respond
#define tc_dacm_solve tc_learned2_solve
#define tc_dacm_space_impulse tc_learned2_space_impulse
#define tc_dacm_space_normals tc_learned2_space_normals
#define tc_dacm_space_slide tc_learned2_space_slide
#define tc_dacm_space_stops tc_learned2_space_stops
#define tc_dacm_spatial_impulse tc_learned3_impulse
#define tc_dacm_spatial_solve tc_learned3_solve
#define tc_dacm_step tc_foot2_step
#define tc_dense_count tc_net_dense_count
#define tc_dense_index tc_net_dense_index
#define tc_estimator_foot_law tc_estimator_foot_model
#define tc_model_contact(model, record) tc_learned_record_read(model, record, NULL)
#define tc_model_system(model, record) tc_cdl_record_read(model, record, NULL)
#define tc_planar_apply_impulse tc_body2_apply_impulse
#define tc_planar_apply_wrench tc_body2_apply_wrench
#define tc_planar_body_check tc_body2_check
#define tc_planar_chain_check tc_chain2_check
#define tc_planar_chain_dof tc_chain2_dof
#define tc_planar_chain_forces tc_chain2_forces
#define tc_planar_chain_jacobian tc_chain2_jacobian
#define tc_planar_chain_kinetic tc_chain2_kinetic
#define tc_planar_chain_mass_matrix tc_chain2_mass_matrix
#define tc_planar_chain_move tc_chain2_move
#define tc_planar_chain_place tc_chain2_place
#define tc_planar_chain_potential tc_chain2_potential
#define tc_planar_column_velocity tc_chain2_column_velocity
#define tc_planar_detect tc_detect2
#define tc_planar_detect_unchecked tc_detect2_unchecked
#define tc_planar_energy tc_body2_energy
#define tc_planar_move tc_body2_move
#define tc_planar_patch_check tc_patch2_check
#define tc_planar_patch_impulse tc_patch2_impulse
#define tc_planar_patch_rows tc_patch2_rows
#define tc_planar_patch_velocity tc_patch2_velocity
#define tc_planar_point_velocity tc_body2_point_velocity
#define tc_planar_shape_check tc_shape2_check
#define tc_spatial_apply_impulse tc_body3_apply_impulse
#define tc_spatial_apply_wrench tc_body3_apply_wrench
#define tc_spatial_body_check tc_body3_check
#define tc_spatial_chain_check tc_chain3_check
#define tc_spatial_chain_dof tc_chain3_dof
#define tc_spatial_chain_forces tc_chain3_forces
#define tc_spatial_chain_integrate tc_chain3_integrate
#define tc_spatial_chain_jacobian tc_chain3_jacobian
#define tc_spatial_chain_kinetic tc_chain3_kinetic
#define tc_spatial_chain_mass_matrix tc_chain3_mass_matrix
#define tc_spatial_chain_move tc_chain3_move
#define tc_spatial_chain_potential tc_chain3_potential
#define tc_spatial_check tc_foot3_check
#define tc_spatial_coast tc_body3_coast
#define tc_spatial_contact_rows tc_patch3_contact_rows
#define tc_spatial_detect tc_detect3
#define tc_spatial_detect_turned tc_detect3_turned
#define tc_spatial_detect_unchecked tc_detect3_unchecked
#define tc_spatial_energy tc_body3_energy
#define tc_spatial_feature_bounds tc_learned3_features_bounds
#define tc_spatial_features tc_learned3_features
#define tc_spatial_init tc_foot3_init
#define tc_spatial_inverse_inertia tc_body3_inverse_inertia
#define tc_spatial_legal tc_learned3_legal
#define tc_spatial_limb_check tc_limb3_check
#define tc_spatial_limb_solve tc_limb3_mechanism_solve
#define tc_spatial_limb_step tc_limb3_step
#define tc_spatial_move tc_body3_move
#define tc_spatial_nets_law tc_learned3_nets_model
#define tc_spatial_nets_open tc_learned3_nets_open
#define tc_spatial_open tc_foot3_open
#define tc_spatial_patch_check tc_patch3_check
#define tc_spatial_patch_friction tc_patch3_friction
#define tc_spatial_patch_impulse tc_patch3_impulse
#define tc_spatial_patch_rows tc_patch3_rows
#define tc_spatial_patch_velocity tc_patch3_velocity
#define tc_spatial_point_velocity tc_body3_point_velocity
#define tc_spatial_problem_init tc_learned3_problem_init
#define tc_spatial_query_init tc_learned3_query_init
#define tc_spatial_shape_check tc_shape3_check
#define tc_spatial_step tc_foot3_step
#define tc_spatial_sweeps_default tc_learned3_sweeps_default

/* ---- Calls whose arguments
 * changed ------------------------------------------------------------------
 *
 * The names that stayed are macros too: in a source that includes this header their arguments are
 * those of 0.1. */

#define tc_dacm_ratio(law, query, decision, work)                                                  \
    tc_learned2_ratio(law, query, decision, work, (law)->work_len)
#define tc_estimator_record_read(record, bytes, n) tc_estimator_record_read(bytes, n, record)
#define tc_lcp_from_matrix(problem, z, w, work, work_len, info)                                    \
    tc_lcp_from_matrix(problem, z, w, info, work, work_len)
#define tc_lcp_from_rows(problem, z, w, work, work_len, info)                                      \
    tc_lcp_from_rows(problem, z, w, info, work, work_len)
#define tc_lcp_solve(problem, z, w, work, work_len, info)                                          \
    tc_lcp_solve(problem, z, w, info, work, work_len)
#define tc_mat_psd_solve(A, b, x, n, work, work_len, info)                                         \
    tc_mat_psd_solve(A, b, x, n, info, work, work_len)
#define tc_model_selftest(model, work, work_len, info)                                             \
    tc_model_selftest(model, info, work, work_len)
#define tc_root_solve(config, n, function, context, x, residual, work, work_len, info)             \
    tc_root_solve(config, n, function, context, x, residual, info, work, work_len)

/* ---- Constants, and sizes of workspaces ------------------------------------------------------ */

#define TC_CDL_NET_WORK TC_CDL_NETS_WORK
#define TC_CDL_ROOM TC_CDL_STATE
#define TC_CHAIN_BODY_MOST TC_CHAIN_BODY_MAX
#define TC_CHAIN_GRAVITY_MOST TC_CHAIN_GRAVITY_MAX
#define TC_CHAIN_LENGTH_MOST TC_CHAIN_LENGTH_MAX
#define TC_CHAIN_RATE_MOST TC_CHAIN_RATE_MAX
#define TC_CHAIN_TORQUE_MOST TC_CHAIN_TORQUE_MAX
#define TC_CONTACT_DETACH TC_LEARNED_DETACH
#define TC_CONTACT_DYNAMIC TC_LEARNED_DYNAMIC
#define TC_CONTACT_FEATURES TC_LEARNED_FEATURES_VERSION
#define TC_CONTACT_NONE TC_LEARNED_NONE
#define TC_CONTACT_PLANAR TC_LEARNED_BODY2
#define TC_CONTACT_SPATIAL TC_LEARNED_BODY3
#define TC_CONTACT_STATIC TC_LEARNED_STATIC
#define TC_CONTACT_TARGET_RATIO TC_LEARNED_TARGET_RATIO
#define TC_DACM_BOUNCE_LEAST TC_LEARNED_BOUNCE_MIN
#define TC_DACM_CHAIN_AT_REST TC_LIMB2_AT_REST
#define TC_DACM_CHAIN_BRANCH TC_LIMB2_BRANCH
#define TC_DACM_CHAIN_EVALUATIONS TC_LIMB2_EVALUATIONS
#define TC_DACM_CHAIN_FREE TC_LIMB2_FREE
#define TC_DACM_CHAIN_POWELL TC_LIMB2_POWELL
#define TC_DACM_CHAIN_WORK TC_LIMB2_WORK
#define TC_DACM_CLAMPED TC_LEARNED_CLAMPED
#define TC_DACM_EDGE_LEAST TC_LEARNED_EDGE_MIN
#define TC_DACM_FALLBACK TC_LEARNED_FALLBACK
#define TC_DACM_FEATURES_MAX TC_LEARNED2_FEATURES_MAX
#define TC_DACM_GYRATION_MAX TC_LEARNED_GYRATION_MAX
#define TC_DACM_LEVER_MAX TC_LEARNED_LEVER_MAX
#define TC_DACM_LIMB_WORK TC_LIMB2_MECHANISM_WORK
#define TC_DACM_MASS_MAX TC_LEARNED_MASS_MAX
#define TC_DACM_OVERRULED TC_LEARNED_OVERRULED
#define TC_DACM_PULLED TC_LEARNED_PULLED
#define TC_DACM_RANGE TC_LEARNED_RANGE
#define TC_DACM_SPEED_MAX TC_LEARNED_SPEED_MAX
#define TC_DACM_STEP_LEAST TC_LEARNED_STEP_MIN
#define TC_FEATURE_ALL TC_LEARNED_FEATURE_ALL
#define TC_FEATURE_ARREST TC_LEARNED_FEATURE_ARREST
#define TC_FEATURE_LEVER TC_LEARNED_FEATURE_LEVER
#define TC_FEATURE_RATIO TC_LEARNED_FEATURE_RATIO
#define TC_FEATURE_SHARE TC_LEARNED_FEATURE_SHARE
#define TC_FEATURE_STICK TC_LEARNED_FEATURE_STICK
#define TC_FEATURE_VELOCITY TC_LEARNED_FEATURE_VELOCITY
#define TC_HEAD_LINEAR TC_NET_HEAD_LINEAR
#define TC_HEAD_SOFTMAX TC_NET_HEAD_SOFTMAX
#define TC_IDENTITY TC_NET_IDENTITY
#define TC_JOINT_FREE TC_CHAIN_FREE
#define TC_JOINT_PRISMATIC TC_CHAIN_PRISMATIC
#define TC_JOINT_REVOLUTE TC_CHAIN_REVOLUTE
#define TC_LCP_MAX_FREEDOM TC_LCP_FREEDOM_MAX
#define TC_LEG_LIFT_OFF TC_ESTIMATOR_PREDICT_LIFT_OFF
#define TC_LEG_NO_EVENT TC_ESTIMATOR_PREDICT_NONE
#define TC_LEG_TOUCH_DOWN TC_ESTIMATOR_PREDICT_TOUCH_DOWN
#define TC_LIMB_MAX TC_LIMB2_MECHANISM_MAX
#define TC_MODEL_MAX_NETS TC_MODEL_NETS_MAX
#define TC_NET_MAX_LAYERS TC_NET_LAYERS_MAX
#define TC_NET_MAX_WIDTH TC_NET_WIDTH_MAX
#define TC_PLANAR_CHAIN_DOF TC_CHAIN2_DOF
#define TC_PLANAR_FRICTION TC_PATCH2_FRICTION
#define TC_POSITIONS_DART TC_SCHEME_DART
#define TC_POSITIONS_GAP TC_SCHEME_GAP
#define TC_POSITIONS_TOC TC_SCHEME_TOC
#define TC_RELU TC_NET_RELU
#define TC_SIGMOID TC_NET_SIGMOID
#define TC_SOFTPLUS TC_NET_SOFTPLUS
#define TC_SPATIAL_CHAIN_DOF TC_CHAIN3_DOF
#define TC_SPATIAL_FEATURES_MAX TC_LEARNED3_FEATURES_MAX
#define TC_SPATIAL_FRICTION_MAX TC_PATCH3_FRICTION_MAX
#define TC_SPATIAL_FROZEN_MAX TC_LEARNED3_FROZEN_MAX
#define TC_SPATIAL_LEG_WORK TC_LIMB3_WORK
#define TC_SPATIAL_LIMB_ASKED TC_LIMB3_ASKED
#define TC_SPATIAL_LIMB_MAX TC_LIMB3_MECHANISM_MAX
#define TC_SPATIAL_LIMB_WORK TC_LIMB3_MECHANISM_WORK
#define TC_SPATIAL_NETS_ROOM TC_LEARNED3_FEATURES_WORK
#define TC_SPATIAL_ROUNDS_MAX TC_LEARNED3_ROUNDS_MAX
#define TC_SYSTEM_BODIES TC_CDL_RECORD_BODIES
#define TC_SYSTEM_CONTACT TC_CDL_RECORD_CONTACT
#define TC_SYSTEM_CONTACTS TC_CDL_RECORD_CONTACTS
#define TC_SYSTEM_INPUTS TC_CDL_RECORD_INPUTS
#define TC_SYSTEM_POTENTIAL TC_CDL_RECORD_POTENTIAL
#define TC_SYSTEM_PROJECT TC_CDL_RECORD_PROJECT
#define TC_SYSTEM_WALL TC_CDL_RECORD_WALL
#define TC_TANH TC_NET_TANH
#define TC_WEIGHT_F32 TC_NET_WEIGHT_F32
#define TC_WEIGHT_I8 TC_NET_WEIGHT_I8
#define TC_WEIGHT_I8_ACT TC_NET_WEIGHT_I8_ACT

/* Of those that counted all but the contact model's own workspace, that is 0 here: add it, as
 * before. */
#define TC_DACM_WORK(width) TC_FOOT2_WORK(TC_LEARNED2_NETS_WORK(width))
#undef TC_ESTIMATOR_WORK
#define TC_ESTIMATOR_WORK(n) (TC_ESTIMATOR_HYPOTHESIS(n) + 3u * (n) * (n) + 12u * (n))
#define TC_SPATIAL_LIMB_ROOM TC_LIMB3_MECHANISM_WORK(0u, 0u)
#define TC_SPATIAL_ROOM TC_FOOT3_WORK(0u)
#define TC_SPATIAL_WORK(width) TC_FOOT3_WORK(TC_LEARNED3_NETS_WORK(width))

#endif
