/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A method of tc_scene_step by which resting and sliding contacts act during the step: exact for
 * constant forces.
 *
 *     tc_scene_step_config config = tc_scene_step_default();
 *     config.method = &tc_scene_step_sustained;
 *     config.law = TC_IMPACT_COULOMB;
 *     config.rest = 2.0f * 9.81f * config.h;
 *
 * The step is cut into intervals. Each begins with the impact of the contacts that are closed, gap
 * below config.touch, and approach. If one of them is faster than config.rest all bounce by
 * their restitution, else none does.
 *
 * Then closed contacts act over the interval. Their impulses f obey Coulomb's law for the mean of
 * the velocities at both ends. They move bodies by half the interval times the velocity that they
 * change. So nothing sinks. A body that slides under constant forces has its closed form to
 * rounding.
 *
 * An interval ends early where a pair comes together, or a further corner of it, at most four times
 * a step. It also ends early where a sliding contact stops.
 *
 * Free flight is exact. Bodies in space conserve angular momentum. Their orientation follows by the
 * fourth-order Runge-Kutta formula, in parts of at most 0.01 rad (float: 0.1 rad). A body whose
 * principal moments are equal turns exactly.
 *
 * With joints, springs, a field or a chain, the whole scene moves by the fourth-order Runge-Kutta
 * formula instead. No link turns by more than 0.05 rad in one of its parts. After each part joints
 * are projected, positions and rates. Closed contacts and limits act as a constant force over an
 * interval. The motion is exact where forces are constant, and else of second order in config.h.
 *
 * Two rods that swing for 10 s at config.h = 0.002 s keep their joints within 1e-8 m (float: 2e-6
 * m). Their energy stays within 1e-8 (float: 1e-4) of that of the swing. With a spring config.h
 * has to be below 1 / omega, omega its fastest frequency [rad/s].
 *
 * Wrenches act on bodies in space.
 */
#ifndef TC_SCENE_STEP_SUSTAINED_H
#define TC_SCENE_STEP_SUSTAINED_H

#include "tc_scene_step.h"

TC_BEGIN

/* tc_scene_step returns TC_ERR_UNSUPPORTED for a wrench on another mover than a body in space, and
 * otherwise the statuses that its header has.
 * Cost: an interval takes up to three detections of all pairs and two calls of tc_impact_solve, an
 * early end up to 42 motions more. A step has at most config.impacts + 1 intervals. Nothing
 * closed, nothing met: one motion and two looks at all gaps.
 * Stack: on Cortex-M4F tc_scene_step takes 5 KB with signed distances. */
extern const struct tc_scene_step_method tc_scene_step_sustained;

TC_END

#endif
