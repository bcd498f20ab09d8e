# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The texts of an exported robot: robot_tables.h, robot_tables.c, sample.h, sample.c and main.c."""
import re

from ..cexport import c_name
from . import ctext
from .ctext import _notes, _plain, _wrapped, comment, number

ROOTS = {"fixed": "TC_ROBOT_FIXED", "floating": "TC_ROBOT_FLOATING"}
KINDS = {"revolute": "TC_CHAIN_REVOLUTE", "prismatic": "TC_CHAIN_PRISMATIC"}
COUNTS = ("frozen", "torqueless")
BY_LIMB, BY_JOINT = ("torque_unknown",), ("encoder_step", "torque_noise")


def _numbers(values):
    return ctext._numbers([value + 0.0 for value in values])   # no -0


def is_indexed(name, depth):
    return bool(re.fullmatch(r"[a-z_]+" + r"\[[0-6]\]" * depth, name))


def _names(base, robot):
    """Names of the limbs' indices, all different, and different from what else the header defines."""
    words = [f"{base}_{c_name(limb.name) or 'limb'}".upper().replace("__", "_") for limb in robot.limbs]
    numbered = [f"{base}_limb{k}".upper() for k in range(len(words))]
    taken = [f"{base}_{word}".upper() for word in ("limbs", "tick", "tables_h")] + numbered
    return [word if (words + taken).count(word) == 1 and len(word) < 40 else number
            for word, number in zip(words, numbered)]


def header(base, robot, tick, stamp):
    upper = base.upper()
    joints = [comment(", ".join(link.name or "?" for link in limb.links)) for limb in robot.limbs]
    indices = "".join(f"#define {name} {k}u /* joints: {told} */\n"
                      for k, (name, told) in enumerate(zip(_names(base, robot), joints)))
    return f"""{stamp}#ifndef {upper}_TABLES_H
#define {upper}_TABLES_H

#include "tc_feet.h"

TC_BEGIN

#define {upper}_LIMBS {len(robot.limbs)}u
#define {upper}_TICK {number(tick)} /* {tick:g} s */

/* Limbs, in the order of the sensors' rows and of the estimate's feet. Angles and torques are those
 * of the robot file: by the right hand about the axes below, motor on link. */
{indices}
extern const tc_robot {base}_tables;

/* Makes the estimator's configuration of the robot and of the sensors that were said.
 * Returns: the statuses of tc_feet_default_for.
 * On error: config is zero. */
tc_status {base}_configure(tc_feet_config *config);

TC_END

#endif
"""


def _link(link, six):
    moments = [*six(link.inertia), 0.0, 0.0, 0.0][:6]
    name = f"{comment(link.name)}: " if link.name else ""
    stops = f",\n     .range = {_numbers(link.range)} /* {_plain(link.range)} */" if link.range else ""
    return f"""    /* {name}{link.mass:.6g} kg; joint at {_plain(link.origin)} m, axis {_plain(link.axis)} */
    {{.joint = {KINDS[link.joint]},
     .axis = {_numbers(link.axis)},
     .origin = {_numbers(link.origin)},
     .mass = {number(link.mass)},
     .com = {_numbers(link.com)},
     .inertia = {_broken(moments)},
     .rotor = {number(link.rotor_inertia)},
     .damping = {number(link.damping)}{stops}}},
"""


def _broken(values):
    """A list in two lines."""
    halves = [", ".join(map(number, part)) for part in (values[:3], values[3:])]
    return "{" + ",\n                 ".join(halves) + "}"


def _sensing_lines(sensing):
    return "\n".join(f"    sensing.{name} = {number(value)}; /* {value:.6g} */" for name, value in sensing.items())


def _setting_lines(settings, robot):
    lines = []
    for name, value in settings.items():
        word, places = name.split("[")[0], [""]
        if name == word and word in BY_JOINT:
            places = [f"[{k}][{j}]" for k, limb in enumerate(robot.limbs) for j in range(limb.joints)]
        elif name == word and word in BY_LIMB:
            places = [f"[{k}]" for k in range(len(robot.limbs))]
        text = f"{int(value)}u" if word in COUNTS else number(value)
        lines += [f"        config->{name}{place} = {text}; /* {value:g} */" for place in places]
    return lines


def _friction_lines(robot, settings):
    """Dry friction counts as noise of a torque, as tc_feet_config has it."""
    lines = []
    for k, limb in enumerate(robot.limbs):
        for j, link in enumerate(limb.links):
            if link.friction and "torque_noise" not in settings:
                noise = f"config->torque_noise[{k}][{j}]"
                lines.append(f"        {noise} =\n            tc_sqrt({noise} * {noise}\n                    + "
                             f"{number(link.friction**2)}); /* dry friction {link.friction:g} */")
    return lines


def source(base, robot, six, sensing, settings, stamp):
    links = "".join(f"static const tc_robot_link {base}_links_{k}[{limb.joints}] = {{\n"
                    + "".join(_link(link, six) for link in limb.links) + "};\n\n"
                    for k, limb in enumerate(robot.limbs))
    limbs = "".join(f"""    {{.joints = {limb.joints}u,
     .links = {base}_links_{k},
     .foot = {_numbers(limb.foot.center)},
     .radius = {number(limb.foot.radius)}}}, /* {comment(limb.name)}: {limb.foot.radius:.6g} m */
""" for k, limb in enumerate(robot.limbs))
    more = _friction_lines(robot, settings) + _setting_lines(settings, robot)
    tuned = "\n    if (status >= TC_OK) {\n" + "\n".join(more) + "\n    }" if more else ""
    notes = _notes(robot).replace("Notes of the chain file", "Notes of the robot file")
    math = '\n#include "tc_math.h"\n' if _friction_lines(robot, settings) else ""
    axes = ",\n                 ".join(", ".join(map(number, row)) for row in robot.imu_axes)
    return f"""{stamp}#include "{base}_tables.h"
{math}
{notes}/* At joint coordinates 0 all frames are parallel to the base's: x forward, y to the left, z up. */
{links}static const tc_robot_limb {base}_limbs[{base.upper()}_LIMBS] = {{
{limbs}}};

const tc_robot {base}_tables = {{
    .root = {ROOTS[robot.root]},
    .limbs = {base.upper()}_LIMBS,
    .limb = {base}_limbs,
    .g = {number(robot.g)},
    .mass = {number(robot.mass)}, /* {robot.mass:.6g} kg */
    .imu = {_numbers(robot.imu)}, /* {_plain(robot.imu)} m */
    .imu_axes = {{{axes}}},
}};

tc_status {base}_configure(tc_feet_config *config)
{{
    tc_feet_sensing sensing = tc_feet_sensing_default();
{_sensing_lines(sensing)}
    {'const ' * (not more)}tc_status status =
        tc_feet_default_for(&{base}_tables, {base.upper()}_TICK, &sensing, config);{tuned}
    return status;
}}
"""


def sample_header(base, robot, log, stamp):
    return f"""{stamp}#ifndef SAMPLE_H
#define SAMPLE_H

#include "{base}_tables.h"

TC_BEGIN

/* A simulated log: the base hangs in a stand, and each foot taps the floor below it in turn. */
#define SAMPLE_TICKS {len(log.gyro)}u
#define SAMPLE_JOINTS {robot.joints}u

/* Joints one limb after another */
typedef struct sample_tick {{
    tc_real encoder[SAMPLE_JOINTS], torque[SAMPLE_JOINTS], gyro[3], accel[3];
}} sample_tick;

extern const sample_tick sample_ticks[SAMPLE_TICKS];
extern const uint8_t sample_contact[SAMPLE_TICKS]; /* the truth: bits 1 << limb */

TC_END

#endif
"""


def _row(values):
    """A list of numbers, wrapped."""
    return "{" + _wrapped([number(value) for value in values], "      ").strip().rstrip(",") + "}"


def sample_source(robot, log, stamp):
    rows = []
    for k in range(len(log.gyro)):
        rows.append(f"    {{.encoder = {_row(log.encoder[k])},\n     .torque = {_row(log.torque[k])},\n"
                    f"     .gyro = {_numbers(log.gyro[k])},\n     .accel = {_numbers(log.accel[k])}}},\n")
    truth = [str(sum(int(flag) << j for j, flag in enumerate(row))) for row in log.contact]
    return f"""{stamp}#include "sample.h"

const sample_tick sample_ticks[SAMPLE_TICKS] = {{
{''.join(rows)}}};

const uint8_t sample_contact[SAMPLE_TICKS] = {{
{_wrapped(truth)}
}};
"""


MAIN = """#include "ROBOT_tables.h"
#include "sample.h"

#include <string.h>

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

/* All memory of the estimator */
static tc_feet_config config;
static tc_feet feet;
static tc_real state[TC_FEET_STATE(UPPER_LIMBS)];
static tc_real work[TC_FEET_WORK];

/* Your drivers: fill the sensors; set lost[limb] where a limb has none in this tick, and `given`
 * bits for what else there is: attitude, base velocity, touch. Here a simulated log is read. */
static void read_sensors(uint32_t tick, tc_feet_sensors *sensors)
{
    const sample_tick *const log = &sample_ticks[tick];
    uint32_t joint = 0;
    memset(sensors, 0, sizeof *sensors);
    for (uint32_t limb = 0; limb < UPPER_LIMBS; ++limb) {
        for (uint32_t k = 0; k < ROBOT_tables.limb[limb].joints; ++k, ++joint) {
            sensors->encoder[limb][k] = log->encoder[joint];
            sensors->torque[limb][k] = log->torque[joint];
        }
    }
    memcpy(sensors->gyro, log->gyro, sizeof log->gyro);
    memcpy(sensors->accel, log->accel, sizeof log->accel);
}

/* Your timer: returns 0 to stop. Here there are as many ticks as the log has, without a wait. */
static int wait_for_tick(uint32_t tick)
{
    return tick < SAMPLE_TICKS;
}

static void print_event(uint32_t tick, uint32_t limb, const tc_feet_foot *foot, tc_real impulse)
{
    print_text("foot ");
    print_count(limb);
    print_text(foot->contact != 0u ? ": touch-down at " : ": lift-off at ");
    print_count((uint32_t)((tc_real)tick * UPPER_TICK * 1e6f + 0.5f));
    print_text(" us");
    if (foot->contact == 0u) {
        print_text(", impulse ");
        print_count((uint32_t)(impulse > 0.0f ? impulse * 1e3f + 0.5f : 0.0f));
        print_text(" mN s");
    }
    print_text("\\n");
}

/* Each tick: read, estimate, act. */
static tc_status run_ticks(uint32_t *right)
{
    static tc_feet_estimate now;
    tc_feet_sensors sensors;
    tc_real impulse[UPPER_LIMBS] = {0.0f};
    tc_status status = TC_OK;
    for (uint32_t tick = 0; status >= TC_OK && wait_for_tick(tick); ++tick) {
        const tc_feet_estimate before = now;
        read_sensors(tick, &sensors);
        status = tc_feet_update(&feet, &sensors, &now, work, TC_COUNT(work));
        for (uint32_t limb = 0; limb < UPPER_LIMBS; ++limb) {
            const tc_feet_foot *const foot = &now.foot[limb];
            if (foot->contact != before.foot[limb].contact) { /* act here */
                print_event(tick, limb, foot, impulse[limb]);
                impulse[limb] = 0.0f;
            }
            impulse[limb] += foot->impulse[2];
            *right += foot->contact == ((uint32_t)sample_contact[tick] >> limb & 1u);
        }
    }
    return status;
}

int app_main(void)
{
    tc_feet_sensors first;
    uint32_t right = 0;
    tc_status status = ROBOT_configure(&config);
    read_sensors(0u, &first);
    if (status >= TC_OK) {
        status = tc_feet_init(&feet, &config, &ROBOT_tables, &first, state, TC_COUNT(state));
    }
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
    print_count(SAMPLE_TICKS * UPPER_LIMBS);
    print_text(" ticks of feet\\n");
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
    return stamp + re.sub("ROBOT_|UPPER", lambda found: f"{base}_" if found[0] == "ROBOT_" else base.upper(), MAIN)
