# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The texts of an exported leg: leg.h, leg.c, sample.h, sample.c and main.c."""
import re

import numpy as np

from ..cexport import c_float
from .sample import sensor_maps

ROOTS = {"fixed": "TC_LEG_FIXED", "rail": "TC_LEG_RAIL", "floating": "TC_LEG_FLOATING"}
SETTING = re.compile(r"[a-z][a-z_0-9]*(\[[0-5]\])?")
WIDTH = 96
JOINTS_UNROLLED = 2   # a leg with so many has a bank of hypotheses of its own in the library
PER_JOINT = ("encoder_step", "torque_noise")   # fields of tc_estimator_config that have an element for each joint


def is_setting(name):
    return bool(SETTING.fullmatch(name))


def comment(text):
    """Text that can stand in a comment."""
    return text.encode("ascii", "replace").decode().replace("*/", "* /").replace("/*", "/ *")


def number(value):
    return c_float(np.float32(value))


def _numbers(values):
    return "{" + ", ".join(number(value) for value in values) + "}"


def _plain(values):
    return ", ".join(f"{value:.6g}" for value in np.ravel(values))


def _wrapped(words, indent="    "):
    lines, line = [], indent
    for word in words:
        if len(line) + len(word) + 2 > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = indent
        line += word + ", "
    return "\n".join([*lines, line.rstrip()])


def _notes(chain):
    """The notes of a chain file as a comment."""
    if not chain.notes:
        return ""
    lines = []
    for note in chain.notes:
        line = " *  "
        for word in comment(note).split():
            if len(line) + len(word) + 1 > WIDTH:
                lines.append(line)
                line = " *   "
            line += " " + word
        lines.append(line)
    return "/* Notes of the chain file:\n" + "\n".join(lines) + "\n */\n"


def _what_motors_are(chain):
    if chain.drives is None:
        return "joint coordinates in the order and signs of the chain file"
    return "the motors' coordinates, in the order of the rows of the chain file's drives"


def config(chain, stamp):
    """A header for TC_CONFIG: what the library can leave out if it serves this leg alone."""
    lines = [f"{stamp}/* A choice of the library's features for this leg: TC_CONFIG of Make and CMake. */"]
    if len(chain.links) == JOINTS_UNROLLED:
        lines += ["#define TC_ESTIMATOR_MANY 0 /* no legs of other than two joints */",
                  "#define TC_MAT_UNROLL 0     /* the estimator of two joints calls no matrix kernel */"]
    else:
        lines.append("/* This leg needs the defaults. */")
    return "\n".join(lines) + "\n"


def _wanted(joints):
    """The configuration without which the leg could not start."""
    return "" if joints == JOINTS_UNROLLED else f"""
#if !TC_ESTIMATOR_MANY
#error "a leg of {joints} joint{'s' * (joints > 1)} needs a library with TC_ESTIMATOR_MANY 1"
#endif
"""


def header(base, chain, tick, stamp):
    upper, n = base.upper(), len(chain.links)
    return f"""{stamp}#ifndef {upper}_H
#define {upper}_H

#include "tc_estimator.h"
{_wanted(n)}
TC_BEGIN

#define {upper}_JOINTS {n}u
#define {upper}_TICK {number(tick)} /* {tick:g} s */

/* Readings of one tick, in the axes and signs of the chain file: x forward, y to the left, z up.
 * motor, torque: {_what_motors_are(chain)}. */
typedef struct {base}_readings {{
    tc_real motor[{upper}_JOINTS];  /* encoders [rad] or [m] */
    tc_real torque[{upper}_JOINTS]; /* of the motor on the link, mean over the tick [N m] or [N] */
    tc_real gyro;     /* turn rate of the base about y [rad/s] */
    tc_real accel[2]; /* accelerometer along x and z, mean over the tick [m/s^2]; (0, g) at rest */
    tc_real pitch;         /* angle of the base about y [rad], if given */
    tc_real base_velocity; /* velocity of the base along the floor [m/s], if given */
    tc_real touch;         /* touch sensor, 0 (air) to 1 (contact), if given */
    uint32_t given;        /* bits TC_GIVEN_PITCH, TC_GIVEN_BASE_VELOCITY, TC_GIVEN_TOUCH */
}} {base}_readings;

/* One estimator with all its memory. A robot has one for each leg. */
typedef struct {base}_memory {{
    tc_estimator_config config;
    tc_estimator estimator;
    uint32_t lost; /* ticks without valid readings before the next one */
    tc_real state[TC_ESTIMATOR_STATE({upper}_JOINTS)];
    tc_real work[TC_ESTIMATOR_WORK({upper}_JOINTS, 0u)];
}} {base}_memory;

extern const tc_leg {base}_table;

/* Converts readings to the library's sensors: its axes, signs and joint coordinates. */
void {base}_sensors(const {base}_readings *readings, tc_estimator_sensors *sensors);

/* Makes the configuration and starts the estimator at rest, in any posture. The memory stays where
 * it is as long as the estimator is used.
 * Returns: the statuses of tc_estimator_default_for and tc_estimator_init. */
tc_status {base}_start({base}_memory *memory, const {base}_readings *first);

/* Advances the estimator by one tick. readings: NULL if this tick has none.
 * Returns: the statuses of tc_estimator_update; TC_ERR_NULL for a tick without readings.
 * On error: the estimate keeps its values, with the flag TC_ESTIMATE_STALE. */
tc_status {base}_update({base}_memory *memory, const {base}_readings *readings,
{' ' * (len(base) + 18)}tc_estimator_estimate *estimate);

TC_END

#endif
"""


def _link(leg, k, link):
    slides = leg.slides[k]
    name = f"{comment(link.name)}: " if link.name else ""
    axis = f",\n     .axis = {_numbers(leg.axis[k])}" if slides else ""
    return f"""    /* {name}{leg.mass[k]:.6g} kg, {leg.inertia[k]:.6g} kg m^2; joint at {_plain(leg.anchor[k])} m,
     * centre of mass at {_plain(leg.arm[k])} m from it; rotor {leg.rotor[k]:.6g} */
    {{.body = {_numbers([leg.mass[k], leg.inertia[k]])},
     .joint = {'TC_CHAIN_PRISMATIC' if slides else 'TC_CHAIN_REVOLUTE'},
     .anchor = {_numbers(leg.anchor[k])},
     .arm = {_numbers(leg.arm[k])}{axis},
     .rotor = {number(leg.rotor[k])},
     .damping = {number(leg.damping[k])}}},
"""


def _matrix(name, values, what):
    rows = "\n".join(_wrapped([number(entry) for entry in row], "     ").replace("     ", "    {", 1).rstrip(",") + "},"
                     for row in values)
    count = values.shape[0]
    return f"/* {what} */\nstatic const tc_real {name}[{count}][{count}] = {{\n{rows}\n}};\n"


def _sensing_lines(sensing):
    lines = []
    for name, value in sensing.items():
        each = isinstance(value, (list, tuple, np.ndarray))
        lines += [f"    sensing.{name}{f'[{k}]' if each else ''} = {number(one)}; /* {one:.6g} */"
                  for k, one in enumerate(value if each else [value])]
    return "\n".join(lines)


def _setting_lines(settings, joints):
    lines = []
    for name, value in settings.items():
        if name in PER_JOINT:
            lines += [f"    config->{name}[{k}] = {number(value)}; /* {value:g} */" for k in range(joints)]
        elif name == "frozen":
            lines.append(f"    config->{name} = {int(value)};")
        else:
            lines.append(f"    config->{name} = {number(value)}; /* {value:g} */")
    return "\n".join(lines) + "\n" if lines else ""


def source(base, chain, sensing, settings, stamp):
    leg, upper, n = chain.planar(), base.upper(), len(chain.links)
    to_joint, to_torque = sensor_maps(chain)
    set_lines = _setting_lines(settings, n)
    tuned = f"""
static void tune_{base}(tc_estimator_config *config)
{{
{set_lines}}}
""" if set_lines else ""
    call = f"""    if (status >= TC_OK) {{
        tune_{base}(&memory->config);
    }}
""" if set_lines else ""
    links = "".join(_link(leg, k, link) for k, link in enumerate(chain.links))
    return f"""{stamp}#include "{base}.h"

#include <string.h>

{_notes(chain)}/* Frames lie at the centres of mass: x forward, y up, angles counter-clockwise. */
static const tc_leg_link {base}_links[{upper}_JOINTS] = {{
{links}}};

const tc_leg {base}_table = {{
    .joints = {upper}_JOINTS,
    .root = {ROOTS[leg.root]},
    .links = {base}_links,
    .g = {number(leg.g)},
    .foot = {_numbers(leg.foot)},
    .radius = {number(leg.radius)}, /* {leg.radius:.6g} m */
}};

{_matrix(f"{base}_coordinates", to_joint, "The library's joint coordinates of the readings'")}
{_matrix(f"{base}_torques", to_torque, "The library's torques of the readings'")}
void {base}_sensors(const {base}_readings *readings, tc_estimator_sensors *sensors)
{{
    memset(sensors, 0, sizeof *sensors);
    for (uint32_t i = 0; i < {upper}_JOINTS; ++i) {{
        for (uint32_t k = 0; k < {upper}_JOINTS; ++k) {{
            sensors->encoder[i] += {base}_coordinates[i][k] * readings->motor[k];
            sensors->torque[i] += {base}_torques[i][k] * readings->torque[k];
        }}
    }}
    sensors->gyro = -readings->gyro; /* about y; the library turns from x to z */
    sensors->accel[0] = readings->accel[0];
    sensors->accel[1] = readings->accel[1];
    sensors->pitch = -readings->pitch;
    sensors->base_velocity = readings->base_velocity;
    sensors->touch = readings->touch;
    sensors->given = readings->given;
}}

/* Accuracy of the sensors */
static tc_leg_sensing {base}_sensing(void)
{{
    tc_leg_sensing sensing = tc_leg_sensing_default();
{_sensing_lines(sensing)}
    return sensing;
}}
{tuned}
tc_status {base}_start({base}_memory *memory, const {base}_readings *first)
{{
    const tc_leg_sensing sensing = {base}_sensing();
    tc_estimator_sensors sensors;
    memset(memory, 0, sizeof *memory);
    tc_status status =
        tc_estimator_default_for(&{base}_table, {upper}_TICK, &sensing, &memory->config);
{call}    {base}_sensors(first, &sensors);
    if (status >= TC_OK) {{
        status = tc_estimator_init(&memory->estimator, &memory->config, &{base}_table, NULL, &sensors,
                                   memory->state, TC_COUNT(memory->state));
    }}
    return status;
}}

tc_status {base}_update({base}_memory *memory, const {base}_readings *readings,
{' ' * (len(base) + 18)}tc_estimator_estimate *estimate)
{{
    tc_estimator_sensors sensors;
    tc_estimator_estimate next;
    tc_status status = TC_ERR_NULL;
    if (readings != NULL) {{
        {base}_sensors(readings, &sensors);
        sensors.lost = memory->lost;
        status = tc_estimator_update(&memory->estimator, &sensors, &next, memory->work,
                                     TC_COUNT(memory->work));
    }}
    if (status < TC_OK) {{
        ++memory->lost;
        estimate->flags |= TC_ESTIMATE_STALE;
        return status;
    }}
    memory->lost = 0u;
    *estimate = next;
    return status;
}}
"""


def sample_header(base, log, stamp):
    return f"""{stamp}#ifndef SAMPLE_H
#define SAMPLE_H

#include "{base}.h"

TC_BEGIN

/* A simulated log: the base hangs in a stand, and the foot taps the floor below it. */
#define SAMPLE_TICKS {len(log.gyro)}u

extern const {base}_readings sample_readings[SAMPLE_TICKS];
extern const uint8_t sample_contact[SAMPLE_TICKS]; /* the truth */

TC_END

#endif
"""


def sample_source(base, log, stamp):
    rows = []
    for k in range(len(log.gyro)):
        rows.append(f"    {{.motor = {_numbers(log.motor[k])},\n     .torque = {_numbers(log.torque[k])},\n"
                    f"     .gyro = {number(log.gyro[k])}, .accel = {_numbers(log.accel[k])}}},\n")
    truth = _wrapped([str(int(flag)) for flag in log.contact])
    return f"""{stamp}#include "sample.h"

const {base}_readings sample_readings[SAMPLE_TICKS] = {{
{''.join(rows)}}};

const uint8_t sample_contact[SAMPLE_TICKS] = {{
{truth}
}};
"""


MAIN = """#include "LEG.h"
#include "sample.h"

/* On a board of tinycontact, text goes to its UART; elsewhere to standard output. */
#ifdef __has_include
#if __has_include("board.h")
#define ON_BOARD
#endif
#endif

#ifdef ON_BOARD
#include "board.h"
static void print_text(const char *text)
{
    board_print(text);
}
static void print_count(uint32_t count)
{
    board_print_u32(count);
}
#else
#include <stdio.h>
int app_main(void);
static void print_text(const char *text)
{
    fputs(text, stdout);
}
static void print_count(uint32_t count)
{
    printf("%lu", (unsigned long)count);
}
#endif

static LEG_memory memory;

/* Your drivers: fill the readings and return 1; return 0 if this tick has none. Here a simulated
 * log is read instead. */
static int read_sensors(uint32_t tick, LEG_readings *readings)
{
    *readings = sample_readings[tick];
    return 1;
}

/* Your timer: returns 0 to stop. Here there are as many ticks as the log has, without a wait. */
static int wait_for_tick(uint32_t tick)
{
    return tick < SAMPLE_TICKS;
}

static void print_event(uint32_t tick, const tc_estimator_estimate *now, tc_real impulse)
{
    print_text(now->contact != 0u ? "touch-down at " : "lift-off at ");
    print_count((uint32_t)((tc_real)tick * UPPER_TICK * 1e6f + 0.5f));
    print_text(" us");
    if (now->contact == 0u) {
        print_text(", impulse ");
        print_count((uint32_t)(impulse > 0.0f ? impulse * 1e3f + 0.5f : 0.0f));
        print_text(" mN s");
    }
    print_text("\\n");
}

/* Each tick: read, estimate, act. */
static tc_status run_ticks(uint32_t *right)
{
    LEG_readings readings;
    tc_estimator_estimate now = {.contact = 0u};
    tc_real impulse = 0.0f;
    tc_status status = TC_OK;
    for (uint32_t tick = 0; status >= TC_OK && wait_for_tick(tick); ++tick) {
        const uint32_t before = now.contact;
        const int given = read_sensors(tick, &readings);
        status = LEG_update(&memory, given ? &readings : NULL, &now);
        status = given ? status : TC_OK;
        if (now.contact != before) { /* act here */
            print_event(tick, &now, impulse);
            impulse = 0.0f;
        }
        impulse += now.impulse[1];
        *right += now.contact == sample_contact[tick];
    }
    return status;
}

int app_main(void)
{
    LEG_readings first;
    uint32_t right = 0;
    tc_status status = TC_OK;
    while (!read_sensors(0u, &first)) {
    }
    status = LEG_start(&memory, &first);
    if (status >= TC_OK) {
        status = run_ticks(&right);
    }
    if (status < TC_OK) {
        print_text(tc_status_text(status));
        print_text("\\n");
        return 1;
    }
    print_text("contact right in ");
    print_count(right);
    print_text(" of ");
    print_count(SAMPLE_TICKS);
    print_text(" ticks\\n");
    return 0;
}

#ifndef ON_BOARD
int main(void)
{
    return app_main();
}
#endif
"""


def main(base, stamp):
    return stamp + MAIN.replace("LEG", base).replace("UPPER", base.upper())
