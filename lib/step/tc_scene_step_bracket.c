/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The time at which a gap closes, between a time of no contact and one of overlap: regula falsi with
 * halved ends (Illinois).
 */
#include "tc_exact.h"
#include "tc_scene_step_internal.h"

void tci_scene_step_bracket_open(tci_scene_step_bracket *bracket, tc_real high, tc_real gap_low,
                                 tc_real gap_high)
{
    *bracket = (tci_scene_step_bracket){
        .high = high, .gap_low = gap_low, .gap_high = gap_high, .least = gap_low};
}

tc_real tci_scene_step_bracket_next(tci_scene_step_bracket *bracket)
{
    const tc_real low = bracket->low, high = bracket->high;
    const tc_real a = bracket->gap_low, b = bracket->gap_high;
    const tc_real time = (low * b - high * a) / (b - a);
    ++bracket->looks;
    return time > low && time < high ? time : TC_C(0.5) * (low + high);
}

void tci_scene_step_bracket_note(tci_scene_step_bracket *bracket, tc_real time, tc_real gap)
{
    if (gap < TC_C(0.0)) {
        bracket->high = time;
        bracket->gap_high = gap;
        bracket->gap_low *= bracket->side > 0 ? TC_C(0.5) : TC_C(1.0);
        bracket->side = 1;
    } else {
        bracket->low = time;
        bracket->gap_low = bracket->least = gap;
        bracket->gap_high *= bracket->side < 0 ? TC_C(0.5) : TC_C(1.0);
        bracket->side = -1;
    }
}
