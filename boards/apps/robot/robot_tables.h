/*
 * The robot go1: 4 limbs, 12 joints, estimated every 0.001 s.
 *
 * Made by tinycontact 0.9.0, numpy 2.4.6, Python 3.11.7: do not edit.
 */
#ifndef ROBOT_TABLES_H
#define ROBOT_TABLES_H

#include "tc_feet.h"

TC_BEGIN

#define ROBOT_LIMBS 4u
#define ROBOT_TICK 0x1.0624dep-10f /* 0.001 s */

/* Limbs, in the order of the sensors' rows and of the estimate's feet. Angles and torques are those
 * of the robot file: by the right hand about the axes below, motor on link. */
#define ROBOT_FL 0u /* joints: FL_hip, FL_thigh, FL_calf */
#define ROBOT_FR 1u /* joints: FR_hip, FR_thigh, FR_calf */
#define ROBOT_RL 2u /* joints: RL_hip, RL_thigh, RL_calf */
#define ROBOT_RR 3u /* joints: RR_hip, RR_thigh, RR_calf */

extern const tc_robot robot_tables;

/* Makes the estimator's configuration of the robot and of the sensors that were said.
 * Returns: the statuses of tc_feet_default_for.
 * On error: config is zero. */
tc_status robot_configure(tc_feet_config *config);

TC_END

#endif
