/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Symbols that state how a build differs from the defaults, so that an application does not link
 * with a library of another TC_CONFIG. With TC_LCP_MAX 64u the symbol of tc_lcp_solve ends in
 * _TC_LCP_MAX_64u, and an application with 16u misses the plain one. A build with all defaults has
 * plain names; there this file defines none of them.
 *
 * A function is listed under the choices that change its structs, its workspace or what it refuses.
 * TC_DOUBLE changes every number, so each public function is listed once. TC_MAT_UNROLL,
 * TC_CONE_UNROLL and TC_TANH_TABLE are the library's alone: no public header reads them.
 */
#ifndef TC_CONFIG_NAMES_H
#define TC_CONFIG_NAMES_H

#include "tc_config.h"

#define TC_PASTE_TOKENS(a, b) a##b
#define TC_PASTE(a, b) TC_PASTE_TOKENS(a, b)

/* The ends of symbols: empty where the choice is the default. */
#ifdef TC_DOUBLE
#define TC_SUFFIX_DOUBLE _TC_DOUBLE
#else
#define TC_SUFFIX_DOUBLE
#endif
#if TC_LCP_MAX == 16u
#define TC_SUFFIX_LCP_MAX
#else
#define TC_SUFFIX_LCP_MAX TC_PASTE(_TC_LCP_MAX_, TC_LCP_MAX)
#endif
#if TC_LCP_CLOSED
#define TC_SUFFIX_LCP_CLOSED
#else
#define TC_SUFFIX_LCP_CLOSED _TC_LCP_CLOSED_0
#endif
#if TC_LCP_TWOFOLD
#define TC_SUFFIX_LCP_TWOFOLD
#else
#define TC_SUFFIX_LCP_TWOFOLD _TC_LCP_TWOFOLD_0
#endif
#if TC_CONE_FREEDOM_MAX == 32u
#define TC_SUFFIX_CONE_FREEDOM_MAX
#else
#define TC_SUFFIX_CONE_FREEDOM_MAX TC_PASTE(_TC_CONE_FREEDOM_MAX_, TC_CONE_FREEDOM_MAX)
#endif
#if TC_CONE3_MAX == 8u
#define TC_SUFFIX_CONE3_MAX
#else
#define TC_SUFFIX_CONE3_MAX TC_PASTE(_TC_CONE3_MAX_, TC_CONE3_MAX)
#endif
#if TC_NET_LAYERS_MAX == 8u
#define TC_SUFFIX_NET_LAYERS_MAX
#else
#define TC_SUFFIX_NET_LAYERS_MAX TC_PASTE(_TC_NET_LAYERS_MAX_, TC_NET_LAYERS_MAX)
#endif
#if TC_NET_USE_FLOAT
#define TC_SUFFIX_NET_USE_FLOAT
#else
#define TC_SUFFIX_NET_USE_FLOAT _TC_NET_USE_FLOAT_0
#endif
#if TC_NET_USE_INT8
#define TC_SUFFIX_NET_USE_INT8
#else
#define TC_SUFFIX_NET_USE_INT8 _TC_NET_USE_INT8_0
#endif
#if TC_NET_USE_SIGMOID
#define TC_SUFFIX_NET_USE_SIGMOID
#else
#define TC_SUFFIX_NET_USE_SIGMOID _TC_NET_USE_SIGMOID_0
#endif
#if TC_NET_USE_SOFTPLUS
#define TC_SUFFIX_NET_USE_SOFTPLUS
#else
#define TC_SUFFIX_NET_USE_SOFTPLUS _TC_NET_USE_SOFTPLUS_0
#endif
#if TC_SCHEME_AHEAD
#define TC_SUFFIX_SCHEME_AHEAD
#else
#define TC_SUFFIX_SCHEME_AHEAD _TC_SCHEME_AHEAD_0
#endif
#if TC_ESTIMATOR_MANY
#define TC_SUFFIX_ESTIMATOR_MANY
#else
#define TC_SUFFIX_ESTIMATOR_MANY _TC_ESTIMATOR_MANY_0
#endif

#define TC_NAME_REAL(name) TC_PASTE(name, TC_SUFFIX_DOUBLE)
#define TC_NAME_LCP(name)                                                                          \
    TC_PASTE(TC_PASTE(TC_NAME_REAL(name), TC_SUFFIX_LCP_MAX),                                      \
             TC_PASTE(TC_SUFFIX_LCP_CLOSED, TC_SUFFIX_LCP_TWOFOLD))
#define TC_NAME_CONE(name)                                                                         \
    TC_PASTE(TC_NAME_LCP(name), TC_PASTE(TC_SUFFIX_CONE_FREEDOM_MAX, TC_SUFFIX_CONE3_MAX))
#define TC_NAME_NET(name)                                                                          \
    TC_PASTE(TC_PASTE(TC_PASTE(TC_NAME_REAL(name), TC_SUFFIX_NET_LAYERS_MAX),                      \
                      TC_PASTE(TC_SUFFIX_NET_USE_FLOAT, TC_SUFFIX_NET_USE_INT8)),                  \
             TC_PASTE(TC_SUFFIX_NET_USE_SIGMOID, TC_SUFFIX_NET_USE_SOFTPLUS))
#define TC_NAME_FOOT(name) TC_PASTE(TC_NAME_REAL(name), TC_SUFFIX_SCHEME_AHEAD)
#define TC_NAME_ESTIMATOR(name) TC_PASTE(TC_NAME_REAL(name), TC_SUFFIX_ESTIMATOR_MANY)

#if defined(TC_DOUBLE) || TC_LCP_MAX != 16u || !TC_LCP_CLOSED || !TC_LCP_TWOFOLD
#define tc_lcp_solve TC_NAME_LCP(tc_lcp_solve)
#define tc_lcp_from_matrix TC_NAME_LCP(tc_lcp_from_matrix)
#define tc_lcp_from_rows TC_NAME_LCP(tc_lcp_from_rows)
#define tc_cdl_simultaneous TC_NAME_LCP(tc_cdl_simultaneous)
#endif

#if defined(TC_DOUBLE) || TC_LCP_MAX != 16u || !TC_LCP_CLOSED || !TC_LCP_TWOFOLD                   \
    || TC_CONE_FREEDOM_MAX != 32u || TC_CONE3_MAX != 8u
#define tc_cone_solve TC_NAME_CONE(tc_cone_solve)
#define tc_cone_grad_adjoint TC_NAME_CONE(tc_cone_grad_adjoint)
#define tc_cone_grad_tangent TC_NAME_CONE(tc_cone_grad_tangent)
#define tc_twophase_body2_solve TC_NAME_CONE(tc_twophase_body2_solve)
#define tc_twophase_body3_solve TC_NAME_CONE(tc_twophase_body3_solve)
#define tc_twophase_limb_solve TC_NAME_CONE(tc_twophase_limb_solve)
#define tc_impact_solve TC_NAME_CONE(tc_impact_solve)
#define tc_impact_grad_adjoint TC_NAME_CONE(tc_impact_grad_adjoint)
#define tc_impact_grad_tangent TC_NAME_CONE(tc_impact_grad_tangent)
#define tc_scene_check TC_NAME_CONE(tc_scene_check)
#define tc_scene_step_default TC_NAME_CONE(tc_scene_step_default)
#define tc_scene_step_work TC_NAME_CONE(tc_scene_step_work)
#define tc_scene_step TC_NAME_CONE(tc_scene_step)
#define tc_scene_step_sustained TC_NAME_CONE(tc_scene_step_sustained)
#define tc_scene_grad_work TC_NAME_CONE(tc_scene_grad_work)
#define tc_scene_grad_step TC_NAME_CONE(tc_scene_grad_step)
#define tc_scene_grad_sustained_work TC_NAME_CONE(tc_scene_grad_sustained_work)
#define tc_scene_grad_sustained_step TC_NAME_CONE(tc_scene_grad_sustained_step)
#endif

#if defined(TC_DOUBLE) || TC_NET_LAYERS_MAX != 8u || !TC_NET_USE_FLOAT || !TC_NET_USE_INT8         \
    || !TC_NET_USE_SIGMOID || !TC_NET_USE_SOFTPLUS
#define tc_net_check TC_NAME_NET(tc_net_check)
#define tc_net_check_where TC_NAME_NET(tc_net_check_where)
#define tc_net_eval TC_NAME_NET(tc_net_eval)
#define tc_net_grad TC_NAME_NET(tc_net_grad)
#define tc_net_in_range TC_NAME_NET(tc_net_in_range)
#define tc_net_forward TC_NAME_NET(tc_net_forward)
#define tc_model_open TC_NAME_NET(tc_model_open)
#define tc_model_net TC_NAME_NET(tc_model_net)
#define tc_model_net_at TC_NAME_NET(tc_model_net_at)
#define tc_model_net_name TC_NAME_NET(tc_model_net_name)
#define tc_model_selftest TC_NAME_NET(tc_model_selftest)
#define tc_learned_record_read TC_NAME_NET(tc_learned_record_read)
#define tc_foot2_open TC_NAME_NET(tc_foot2_open)
#define tc_foot2_open_const TC_NAME_NET(tc_foot2_open_const)
#define tc_foot3_open TC_NAME_NET(tc_foot3_open)
#define tc_learned2_nets_open TC_NAME_NET(tc_learned2_nets_open)
#define tc_learned2_nets_model TC_NAME_NET(tc_learned2_nets_model)
#define tc_learned2_nets_check TC_NAME_NET(tc_learned2_nets_check)
#define tc_learned3_nets_open TC_NAME_NET(tc_learned3_nets_open)
#define tc_learned3_nets_model TC_NAME_NET(tc_learned3_nets_model)
#define tc_cdl_record_read TC_NAME_NET(tc_cdl_record_read)
#define tc_cdl_nets_potential TC_NAME_NET(tc_cdl_nets_potential)
#define tc_cdl_nets_signal TC_NAME_NET(tc_cdl_nets_signal)
#define tc_cdl_nets_config TC_NAME_NET(tc_cdl_nets_config)
#define tc_cdl_nets_open TC_NAME_NET(tc_cdl_nets_open)
#define tc_estimator_foot_open TC_NAME_NET(tc_estimator_foot_open)
#endif

#if defined(TC_DOUBLE) || !TC_SCHEME_AHEAD
#define tc_foot2_init TC_NAME_FOOT(tc_foot2_init)
#define tc_foot2_check TC_NAME_FOOT(tc_foot2_check)
#define tc_foot2_step TC_NAME_FOOT(tc_foot2_step)
#define tc_ground_step_foot2 TC_NAME_FOOT(tc_ground_step_foot2)
#endif

#if defined(TC_DOUBLE) || !TC_ESTIMATOR_MANY
#define tc_estimator_init TC_NAME_ESTIMATOR(tc_estimator_init)
#define tc_estimator_update TC_NAME_ESTIMATOR(tc_estimator_update)
#define tc_estimator_stand_on TC_NAME_ESTIMATOR(tc_estimator_stand_on)
#endif

#if defined(TC_DOUBLE)
#define tc_version TC_NAME_REAL(tc_version)
#define tc_version_text TC_NAME_REAL(tc_version_text)
#define tc_status_text TC_NAME_REAL(tc_status_text)
#define tc_status_name TC_NAME_REAL(tc_status_name)
#define tc_exp TC_NAME_REAL(tc_exp)
#define tc_log TC_NAME_REAL(tc_log)
#define tc_tanh TC_NAME_REAL(tc_tanh)
#define tc_sigmoid TC_NAME_REAL(tc_sigmoid)
#define tc_softplus TC_NAME_REAL(tc_softplus)
#define tc_sin TC_NAME_REAL(tc_sin)
#define tc_cos TC_NAME_REAL(tc_cos)
#define tc_sincos TC_NAME_REAL(tc_sincos)
#define tc_atan2 TC_NAME_REAL(tc_atan2)
#define tc_normal_density TC_NAME_REAL(tc_normal_density)
#define tc_normal_distribution TC_NAME_REAL(tc_normal_distribution)
#define tc_normal_ratio TC_NAME_REAL(tc_normal_ratio)
#define tc_softmax_inplace TC_NAME_REAL(tc_softmax_inplace)
#define tc_all_finite TC_NAME_REAL(tc_all_finite)
#define tc_mat_mul TC_NAME_REAL(tc_mat_mul)
#define tc_mat_vec TC_NAME_REAL(tc_mat_vec)
#define tc_mat_vec_t TC_NAME_REAL(tc_mat_vec_t)
#define tc_mat_vec_add_inplace TC_NAME_REAL(tc_mat_vec_add_inplace)
#define tc_mat_vec_t_add_inplace TC_NAME_REAL(tc_mat_vec_t_add_inplace)
#define tc_mat_congruence_diag TC_NAME_REAL(tc_mat_congruence_diag)
#define tc_mat_congruence TC_NAME_REAL(tc_mat_congruence)
#define tc_mat_cholesky TC_NAME_REAL(tc_mat_cholesky)
#define tc_mat_cholesky_inplace TC_NAME_REAL(tc_mat_cholesky_inplace)
#define tc_mat_ldlt TC_NAME_REAL(tc_mat_ldlt)
#define tc_mat_solve_lower TC_NAME_REAL(tc_mat_solve_lower)
#define tc_mat_solve_lower_t TC_NAME_REAL(tc_mat_solve_lower_t)
#define tc_mat_cholesky_solve TC_NAME_REAL(tc_mat_cholesky_solve)
#define tc_mat_ldlt_solve TC_NAME_REAL(tc_mat_ldlt_solve)
#define tc_mat_psd_solve TC_NAME_REAL(tc_mat_psd_solve)
#define tc_mat_inverse_spd TC_NAME_REAL(tc_mat_inverse_spd)
#define tc_body2_check TC_NAME_REAL(tc_body2_check)
#define tc_body2_apply_wrench TC_NAME_REAL(tc_body2_apply_wrench)
#define tc_body2_apply_impulse TC_NAME_REAL(tc_body2_apply_impulse)
#define tc_body2_move TC_NAME_REAL(tc_body2_move)
#define tc_body2_point_velocity TC_NAME_REAL(tc_body2_point_velocity)
#define tc_body2_energy TC_NAME_REAL(tc_body2_energy)
#define tc_body3_check TC_NAME_REAL(tc_body3_check)
#define tc_body3_apply_wrench TC_NAME_REAL(tc_body3_apply_wrench)
#define tc_body3_apply_impulse TC_NAME_REAL(tc_body3_apply_impulse)
#define tc_body3_move TC_NAME_REAL(tc_body3_move)
#define tc_body3_coast TC_NAME_REAL(tc_body3_coast)
#define tc_body3_point_velocity TC_NAME_REAL(tc_body3_point_velocity)
#define tc_body3_inverse_inertia TC_NAME_REAL(tc_body3_inverse_inertia)
#define tc_body3_energy TC_NAME_REAL(tc_body3_energy)
#define tc_patch2_check TC_NAME_REAL(tc_patch2_check)
#define tc_patch2_rows TC_NAME_REAL(tc_patch2_rows)
#define tc_patch2_impulse TC_NAME_REAL(tc_patch2_impulse)
#define tc_patch2_velocity TC_NAME_REAL(tc_patch2_velocity)
#define tc_patch2_reduce TC_NAME_REAL(tc_patch2_reduce)
#define tc_patch3_check TC_NAME_REAL(tc_patch3_check)
#define tc_patch3_friction TC_NAME_REAL(tc_patch3_friction)
#define tc_patch3_rows TC_NAME_REAL(tc_patch3_rows)
#define tc_patch3_contact_rows TC_NAME_REAL(tc_patch3_contact_rows)
#define tc_patch3_impulse TC_NAME_REAL(tc_patch3_impulse)
#define tc_patch3_velocity TC_NAME_REAL(tc_patch3_velocity)
#define tc_patch3_reduce TC_NAME_REAL(tc_patch3_reduce)
#define tc_contact_list_init TC_NAME_REAL(tc_contact_list_init)
#define tc_contact_list_reset TC_NAME_REAL(tc_contact_list_reset)
#define tc_contact_list_add2 TC_NAME_REAL(tc_contact_list_add2)
#define tc_contact_list_add3 TC_NAME_REAL(tc_contact_list_add3)
#define tc_contact_list_patch2 TC_NAME_REAL(tc_contact_list_patch2)
#define tc_contact_list_patch3 TC_NAME_REAL(tc_contact_list_patch3)
#define tc_sdf_halfspace TC_NAME_REAL(tc_sdf_halfspace)
#define tc_sdf_sphere TC_NAME_REAL(tc_sdf_sphere)
#define tc_sdf_capsule TC_NAME_REAL(tc_sdf_capsule)
#define tc_sdf_box TC_NAME_REAL(tc_sdf_box)
#define tc_sdf_cylinder TC_NAME_REAL(tc_sdf_cylinder)
#define tc_sdf_terrain TC_NAME_REAL(tc_sdf_terrain)
#define tc_sdf_grid TC_NAME_REAL(tc_sdf_grid)
#define tc_sdf_union TC_NAME_REAL(tc_sdf_union)
#define tc_sdf_net TC_NAME_NET(tc_sdf_net)
#define tc_sdf_check TC_NAME_REAL(tc_sdf_check)
#define tc_sdf_eval TC_NAME_REAL(tc_sdf_eval)
#define tc_sdf_parameters TC_NAME_REAL(tc_sdf_parameters)
#define tc_sdf_error TC_NAME_REAL(tc_sdf_error)
#define tc_scene_shapes TC_NAME_REAL(tc_scene_shapes)
#define tc_scene_shapes_reach TC_NAME_REAL(tc_scene_shapes_reach)
#define tc_sdf_grad TC_NAME_REAL(tc_sdf_grad)
#define tc_sdf_mass TC_NAME_REAL(tc_sdf_mass)
#define tc_convex_check TC_NAME_REAL(tc_convex_check)
#define tc_convex_distance TC_NAME_REAL(tc_convex_distance)
#define tc_barrier_default TC_NAME_REAL(tc_barrier_default)
#define tc_barrier_check TC_NAME_REAL(tc_barrier_check)
#define tc_barrier2_check TC_NAME_REAL(tc_barrier2_check)
#define tc_barrier2_solve TC_NAME_REAL(tc_barrier2_solve)
#define tc_barrier2_derive TC_NAME_REAL(tc_barrier2_derive)
#define tc_barrier2_floor TC_NAME_REAL(tc_barrier2_floor)
#define tc_barrier3_check TC_NAME_REAL(tc_barrier3_check)
#define tc_barrier3_solve TC_NAME_REAL(tc_barrier3_solve)
#define tc_barrier3_derive TC_NAME_REAL(tc_barrier3_derive)
#define tc_barrier3_floor TC_NAME_REAL(tc_barrier3_floor)
#define tc_implicit_default TC_NAME_REAL(tc_implicit_default)
#define tc_implicit_pairs TC_NAME_REAL(tc_implicit_pairs)
#define tc_implicit_check TC_NAME_REAL(tc_implicit_check)
#define tc_implicit_measure TC_NAME_REAL(tc_implicit_measure)
#define tc_implicit_start TC_NAME_REAL(tc_implicit_start)
#define tc_implicit_step TC_NAME_REAL(tc_implicit_step)
#define tc_implicit_pull TC_NAME_REAL(tc_implicit_pull)
#define tc_implicit_columns TC_NAME_REAL(tc_implicit_columns)
#define tc_implicit_difference TC_NAME_REAL(tc_implicit_difference)
#define tc_implicit_add TC_NAME_REAL(tc_implicit_add)
#define tc_implicit2_space TC_NAME_REAL(tc_implicit2_space)
#define tc_implicit3_space TC_NAME_REAL(tc_implicit3_space)
#define tc_hierarchy_default TC_NAME_REAL(tc_hierarchy_default)
#define tc_hierarchy_triangles TC_NAME_REAL(tc_hierarchy_triangles)
#define tc_hierarchy_build TC_NAME_REAL(tc_hierarchy_build)
#define tc_hierarchy_derive TC_NAME_REAL(tc_hierarchy_derive)
#define tc_hierarchy_value TC_NAME_REAL(tc_hierarchy_value)
#define tc_hierarchy_part TC_NAME_REAL(tc_hierarchy_part)
#define tc_hierarchy_join TC_NAME_REAL(tc_hierarchy_join)
#define tc_ground3_look TC_NAME_REAL(tc_ground3_look)
#define tc_ground2_look TC_NAME_REAL(tc_ground2_look)
#define tc_ground3_find TC_NAME_REAL(tc_ground3_find)
#define tc_ground2_find TC_NAME_REAL(tc_ground2_find)
#define tc_meet_distance TC_NAME_REAL(tc_meet_distance)
#define tc_meet_contacts TC_NAME_REAL(tc_meet_contacts)
#define tc_meet_contact_list TC_NAME_REAL(tc_meet_contact_list)
#define tc_toc_pose TC_NAME_REAL(tc_toc_pose)
#define tc_toc_find TC_NAME_REAL(tc_toc_find)
#define tc_toc_grad TC_NAME_REAL(tc_toc_grad)
#define tc_toc_shape_grad TC_NAME_REAL(tc_toc_shape_grad)
#define tc_meet_grad TC_NAME_REAL(tc_meet_grad)
#define tc_meet_grad_pose TC_NAME_REAL(tc_meet_grad_pose)
#define tc_shape2_check TC_NAME_REAL(tc_shape2_check)
#define tc_shape3_check TC_NAME_REAL(tc_shape3_check)
#define tc_detect2 TC_NAME_REAL(tc_detect2)
#define tc_detect2_list TC_NAME_REAL(tc_detect2_list)
#define tc_detect2_unchecked TC_NAME_REAL(tc_detect2_unchecked)
#define tc_detect3 TC_NAME_REAL(tc_detect3)
#define tc_detect3_list TC_NAME_REAL(tc_detect3_list)
#define tc_detect3_unchecked TC_NAME_REAL(tc_detect3_unchecked)
#define tc_detect3_turned TC_NAME_REAL(tc_detect3_turned)
#define tc_learned2_space_stops TC_NAME_REAL(tc_learned2_space_stops)
#define tc_learned2_space_normals TC_NAME_REAL(tc_learned2_space_normals)
#define tc_learned2_space_slide TC_NAME_REAL(tc_learned2_space_slide)
#define tc_learned2_legal TC_NAME_REAL(tc_learned2_legal)
#define tc_learned2_space_impulse TC_NAME_REAL(tc_learned2_space_impulse)
#define tc_learned2_query_init TC_NAME_REAL(tc_learned2_query_init)
#define tc_learned2_decide TC_NAME_REAL(tc_learned2_decide)
#define tc_learned2_ratio TC_NAME_REAL(tc_learned2_ratio)
#define tc_learned2_solve TC_NAME_REAL(tc_learned2_solve)
#define tc_friction2_default TC_NAME_REAL(tc_friction2_default)
#define tc_friction2_check TC_NAME_REAL(tc_friction2_check)
#define tc_friction2_model TC_NAME_REAL(tc_friction2_model)
#define tc_learned2_features_count TC_NAME_REAL(tc_learned2_features_count)
#define tc_learned2_features_bounds TC_NAME_REAL(tc_learned2_features_bounds)
#define tc_learned2_features TC_NAME_REAL(tc_learned2_features)
#define tc_foot2_respond TC_NAME_REAL(tc_foot2_respond)
#define tc_friction3_default TC_NAME_REAL(tc_friction3_default)
#define tc_friction3_check TC_NAME_REAL(tc_friction3_check)
#define tc_friction3_model TC_NAME_REAL(tc_friction3_model)
#define tc_learned3_query_init TC_NAME_REAL(tc_learned3_query_init)
#define tc_learned3_query_count TC_NAME_REAL(tc_learned3_query_count)
#define tc_learned3_query_slip TC_NAME_REAL(tc_learned3_query_slip)
#define tc_learned3_query_load TC_NAME_REAL(tc_learned3_query_load)
#define tc_learned3_legal TC_NAME_REAL(tc_learned3_legal)
#define tc_learned3_impulse TC_NAME_REAL(tc_learned3_impulse)
#define tc_learned3_sweeps_default TC_NAME_REAL(tc_learned3_sweeps_default)
#define tc_learned3_problem_init TC_NAME_REAL(tc_learned3_problem_init)
#define tc_learned3_solve TC_NAME_REAL(tc_learned3_solve)
#define tc_learned3_features_bounds TC_NAME_REAL(tc_learned3_features_bounds)
#define tc_learned3_features TC_NAME_REAL(tc_learned3_features)
#define tc_foot3_init TC_NAME_REAL(tc_foot3_init)
#define tc_foot3_check TC_NAME_REAL(tc_foot3_check)
#define tc_foot3_step TC_NAME_REAL(tc_foot3_step)
#define tc_foot3_respond TC_NAME_REAL(tc_foot3_respond)
#define tc_ground_step_foot3 TC_NAME_REAL(tc_ground_step_foot3)
#define tc_ground_step_limb3 TC_NAME_REAL(tc_ground_step_limb3)
#define tc_ground_step_limb2 TC_NAME_REAL(tc_ground_step_limb2)
#define tc_band_solve TC_NAME_REAL(tc_band_solve)
#define tc_band_grad_adjoint TC_NAME_REAL(tc_band_grad_adjoint)
#define tc_band_grad_tangent TC_NAME_REAL(tc_band_grad_tangent)
#define tc_plan_default TC_NAME_REAL(tc_plan_default)
#define tc_plan_work_len TC_NAME_REAL(tc_plan_work_len)
#define tc_plan_init TC_NAME_REAL(tc_plan_init)
#define tc_plan_start TC_NAME_REAL(tc_plan_start)
#define tc_plan_shift TC_NAME_REAL(tc_plan_shift)
#define tc_plan_update TC_NAME_REAL(tc_plan_update)
#define tc_plan_gradient TC_NAME_REAL(tc_plan_gradient)
#define tc_plan_implicit TC_NAME_REAL(tc_plan_implicit)
#define tc_plan_implicit_goals TC_NAME_REAL(tc_plan_implicit_goals)
#define tc_root_default TC_NAME_REAL(tc_root_default)
#define tc_root_solve TC_NAME_REAL(tc_root_solve)
#define tc_momentum_default TC_NAME_REAL(tc_momentum_default)
#define tc_momentum_default_for TC_NAME_REAL(tc_momentum_default_for)
#define tc_momentum_init TC_NAME_REAL(tc_momentum_init)
#define tc_momentum_rates TC_NAME_REAL(tc_momentum_rates)
#define tc_momentum_update TC_NAME_REAL(tc_momentum_update)
#define tc_joint_factor TC_NAME_REAL(tc_joint_factor)
#define tc_joint_project TC_NAME_REAL(tc_joint_project)
#define tc_joint_solve TC_NAME_REAL(tc_joint_solve)
#define tc_scene_measure TC_NAME_REAL(tc_scene_measure)
#define tc_scene_work TC_NAME_REAL(tc_scene_work)
#define tc_scene_open TC_NAME_REAL(tc_scene_open)
#define tc_scene_place TC_NAME_REAL(tc_scene_place)
#define tc_scene_find TC_NAME_REAL(tc_scene_find)
#define tc_scene_gap TC_NAME_REAL(tc_scene_gap)
#define tc_scene_rows TC_NAME_REAL(tc_scene_rows)
#define tc_scene_joint_rows TC_NAME_REAL(tc_scene_joint_rows)
#define tc_scene_whiten TC_NAME_REAL(tc_scene_whiten)
#define tc_scene_unwhiten TC_NAME_REAL(tc_scene_unwhiten)
#define tc_scene_kinetic TC_NAME_REAL(tc_scene_kinetic)
#define tc_scene_potential TC_NAME_REAL(tc_scene_potential)
#define tc_scene_push TC_NAME_REAL(tc_scene_push)
#define tc_chain2_check TC_NAME_REAL(tc_chain2_check)
#define tc_chain2_dof TC_NAME_REAL(tc_chain2_dof)
#define tc_chain2_move TC_NAME_REAL(tc_chain2_move)
#define tc_chain2_place TC_NAME_REAL(tc_chain2_place)
#define tc_chain2_mass_matrix TC_NAME_REAL(tc_chain2_mass_matrix)
#define tc_chain2_forces TC_NAME_REAL(tc_chain2_forces)
#define tc_chain2_jacobian TC_NAME_REAL(tc_chain2_jacobian)
#define tc_chain2_kinetic TC_NAME_REAL(tc_chain2_kinetic)
#define tc_chain2_potential TC_NAME_REAL(tc_chain2_potential)
#define tc_chain3_check TC_NAME_REAL(tc_chain3_check)
#define tc_chain3_dof TC_NAME_REAL(tc_chain3_dof)
#define tc_chain3_move TC_NAME_REAL(tc_chain3_move)
#define tc_chain3_integrate TC_NAME_REAL(tc_chain3_integrate)
#define tc_chain3_mass_matrix TC_NAME_REAL(tc_chain3_mass_matrix)
#define tc_chain3_forces TC_NAME_REAL(tc_chain3_forces)
#define tc_chain3_jacobian TC_NAME_REAL(tc_chain3_jacobian)
#define tc_chain3_kinetic TC_NAME_REAL(tc_chain3_kinetic)
#define tc_chain3_potential TC_NAME_REAL(tc_chain3_potential)
#define tc_limb2_default TC_NAME_REAL(tc_limb2_default)
#define tc_limb2_default_published TC_NAME_REAL(tc_limb2_default_published)
#define tc_limb2_mechanism_solve TC_NAME_REAL(tc_limb2_mechanism_solve)
#define tc_limb2_check TC_NAME_REAL(tc_limb2_check)
#define tc_limb2_step TC_NAME_REAL(tc_limb2_step)
#define tc_limb3_mechanism_solve TC_NAME_REAL(tc_limb3_mechanism_solve)
#define tc_limb3_check TC_NAME_REAL(tc_limb3_check)
#define tc_limb3_step TC_NAME_REAL(tc_limb3_step)
#define tc_pair3_mechanism TC_NAME_REAL(tc_pair3_mechanism)
#define tc_twophase_default TC_NAME_REAL(tc_twophase_default)
#define tc_cdl_default TC_NAME_REAL(tc_cdl_default)
#define tc_cdl_init TC_NAME_REAL(tc_cdl_init)
#define tc_cdl_step TC_NAME_REAL(tc_cdl_step)
#define tc_cdl_energy TC_NAME_REAL(tc_cdl_energy)
#define tc_cdl_laws_pendulums TC_NAME_REAL(tc_cdl_laws_pendulums)
#define tc_cdl_laws_spheres TC_NAME_REAL(tc_cdl_laws_spheres)
#define tc_cdl_ground_signal TC_NAME_REAL(tc_cdl_ground_signal)
#define tc_leg_sensing_default TC_NAME_REAL(tc_leg_sensing_default)
#define tc_leg_check TC_NAME_REAL(tc_leg_check)
#define tc_leg_move TC_NAME_REAL(tc_leg_move)
#define tc_robot_check TC_NAME_REAL(tc_robot_check)
#define tc_robot_move TC_NAME_REAL(tc_robot_move)
#define tc_robot_feel TC_NAME_REAL(tc_robot_feel)
#define tc_robot_near TC_NAME_REAL(tc_robot_near)
#define tc_estimator_default TC_NAME_REAL(tc_estimator_default)
#define tc_estimator_default_for TC_NAME_REAL(tc_estimator_default_for)
#define tc_estimator_predict TC_NAME_REAL(tc_estimator_predict)
#define tc_identify_default TC_NAME_REAL(tc_identify_default)
#define tc_identify_init TC_NAME_REAL(tc_identify_init)
#define tc_identify_reset TC_NAME_REAL(tc_identify_reset)
#define tc_identify_update TC_NAME_REAL(tc_identify_update)
#define tc_identify_update_body3 TC_NAME_REAL(tc_identify_update_body3)
#define tc_identify_update_body2 TC_NAME_REAL(tc_identify_update_body2)
#define tc_identify_read TC_NAME_REAL(tc_identify_read)
#define tc_identify_save TC_NAME_REAL(tc_identify_save)
#define tc_identify_check TC_NAME_REAL(tc_identify_check)
#define tc_identify_restore TC_NAME_REAL(tc_identify_restore)
#define tc_feet_sensing_default TC_NAME_REAL(tc_feet_sensing_default)
#define tc_feet_default TC_NAME_REAL(tc_feet_default)
#define tc_feet_default_for TC_NAME_REAL(tc_feet_default_for)
#define tc_feet_init TC_NAME_REAL(tc_feet_init)
#define tc_feet_update TC_NAME_REAL(tc_feet_update)
#define tc_feet_predict TC_NAME_REAL(tc_feet_predict)
#define tc_fit_default TC_NAME_REAL(tc_fit_default)
#define tc_fit_add TC_NAME_REAL(tc_fit_add)
#define tc_fit_solve TC_NAME_REAL(tc_fit_solve)
#define tc_bounce_default TC_NAME_REAL(tc_bounce_default)
#define tc_bounce_check TC_NAME_REAL(tc_bounce_check)
#define tc_bounce_init TC_NAME_REAL(tc_bounce_init)
#define tc_bounce_move TC_NAME_REAL(tc_bounce_move)
#define tc_bounce_identify TC_NAME_REAL(tc_bounce_identify)
#define tc_touch_default TC_NAME_REAL(tc_touch_default)
#define tc_touch_init TC_NAME_REAL(tc_touch_init)
#define tc_touch_reset TC_NAME_REAL(tc_touch_reset)
#define tc_touch_add TC_NAME_REAL(tc_touch_add)
#define tc_touch_read TC_NAME_REAL(tc_touch_read)
#define tc_touch_shape_fit TC_NAME_REAL(tc_touch_shape_fit)
#define tc_estimator_record_read TC_NAME_REAL(tc_estimator_record_read)
#define tc_estimator_record_write TC_NAME_REAL(tc_estimator_record_write)
#define tc_estimator_record_append TC_NAME_REAL(tc_estimator_record_append)
#define tc_estimator_record_ground_join TC_NAME_REAL(tc_estimator_record_ground_join)
#define tc_selfcheck TC_NAME_REAL(tc_selfcheck)
#define tc_selfcheck_text TC_NAME_REAL(tc_selfcheck_text)
#define tc_wire_encode TC_NAME_REAL(tc_wire_encode)
#define tc_wire_decoder_init TC_NAME_REAL(tc_wire_decoder_init)
#define tc_wire_decode TC_NAME_REAL(tc_wire_decode)
#define tc_wire_put_hello TC_NAME_REAL(tc_wire_put_hello)
#define tc_wire_put_sensors TC_NAME_REAL(tc_wire_put_sensors)
#define tc_wire_put_upload_begin TC_NAME_REAL(tc_wire_put_upload_begin)
#define tc_wire_put_upload_chunk TC_NAME_REAL(tc_wire_put_upload_chunk)
#define tc_wire_put_reset TC_NAME_REAL(tc_wire_put_reset)
#define tc_wire_put_predict TC_NAME_REAL(tc_wire_put_predict)
#define tc_wire_put_prior TC_NAME_REAL(tc_wire_put_prior)
#define tc_wire_put_impact TC_NAME_REAL(tc_wire_put_impact)
#define tc_wire_put_restore TC_NAME_REAL(tc_wire_put_restore)
#define tc_wire_put_feel TC_NAME_REAL(tc_wire_put_feel)
#define tc_wire_put_touch TC_NAME_REAL(tc_wire_put_touch)
#define tc_wire_put_test TC_NAME_REAL(tc_wire_put_test)
#define tc_wire_put_boot TC_NAME_REAL(tc_wire_put_boot)
#define tc_wire_put_estimate TC_NAME_REAL(tc_wire_put_estimate)
#define tc_wire_put_upload TC_NAME_REAL(tc_wire_put_upload)
#define tc_wire_put_stats TC_NAME_REAL(tc_wire_put_stats)
#define tc_wire_put_nak TC_NAME_REAL(tc_wire_put_nak)
#define tc_wire_put_prediction TC_NAME_REAL(tc_wire_put_prediction)
#define tc_wire_put_identified TC_NAME_REAL(tc_wire_put_identified)
#define tc_wire_put_saved TC_NAME_REAL(tc_wire_put_saved)
#define tc_wire_put_felt TC_NAME_REAL(tc_wire_put_felt)
#define tc_wire_put_event TC_NAME_REAL(tc_wire_put_event)
#define tc_wire_get_hello TC_NAME_REAL(tc_wire_get_hello)
#define tc_wire_get_sensors TC_NAME_REAL(tc_wire_get_sensors)
#define tc_wire_get_upload_begin TC_NAME_REAL(tc_wire_get_upload_begin)
#define tc_wire_get_upload_chunk TC_NAME_REAL(tc_wire_get_upload_chunk)
#define tc_wire_get_reset TC_NAME_REAL(tc_wire_get_reset)
#define tc_wire_get_predict TC_NAME_REAL(tc_wire_get_predict)
#define tc_wire_get_prior TC_NAME_REAL(tc_wire_get_prior)
#define tc_wire_get_impact TC_NAME_REAL(tc_wire_get_impact)
#define tc_wire_get_restore TC_NAME_REAL(tc_wire_get_restore)
#define tc_wire_get_feel TC_NAME_REAL(tc_wire_get_feel)
#define tc_wire_get_touch TC_NAME_REAL(tc_wire_get_touch)
#define tc_wire_get_test TC_NAME_REAL(tc_wire_get_test)
#define tc_wire_get_boot TC_NAME_REAL(tc_wire_get_boot)
#define tc_wire_get_estimate TC_NAME_REAL(tc_wire_get_estimate)
#define tc_wire_get_upload TC_NAME_REAL(tc_wire_get_upload)
#define tc_wire_get_stats TC_NAME_REAL(tc_wire_get_stats)
#define tc_wire_get_nak TC_NAME_REAL(tc_wire_get_nak)
#define tc_wire_get_prediction TC_NAME_REAL(tc_wire_get_prediction)
#define tc_wire_get_identified TC_NAME_REAL(tc_wire_get_identified)
#define tc_wire_get_saved TC_NAME_REAL(tc_wire_get_saved)
#define tc_wire_get_felt TC_NAME_REAL(tc_wire_get_felt)
#define tc_wire_get_event TC_NAME_REAL(tc_wire_get_event)
#define tc_wire_put_robot TC_NAME_REAL(tc_wire_put_robot)
#define tc_wire_put_feet TC_NAME_REAL(tc_wire_put_feet)
#define tc_wire_get_robot TC_NAME_REAL(tc_wire_get_robot)
#define tc_wire_get_feet TC_NAME_REAL(tc_wire_get_feet)
#define tc_estimator_foot_model TC_NAME_REAL(tc_estimator_foot_model)
#endif

#endif
