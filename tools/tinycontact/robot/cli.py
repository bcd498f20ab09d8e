# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact leg import, check, export."""
import argparse
import dataclasses

from ..errors import TinycontactError
from ..options import above_zero, between, written_as
from . import export as exporting

IMPORT = """ROBOT is a URDF, or with --mjcf an MJCF file, which MuJoCo reads. The leg is the chain of
joints from --base to --foot. Without them the message lists the links there are.

- Links of fixed joints become part of what they hang on. --hold JOINT=Q does the same with a joint
  that does not move while you estimate. Meshes are never opened.
- The axes of the joints that turn have to be parallel. Another joint is refused by its name: begin
  behind it (--base), or hold it (--hold).
- A mass, an inertia or a damping that the file does not give is 0, and the notes name it.
- The foot is a sphere: the collision sphere of its link, or --radius and --center.
- The origin is the accelerometer: the link fixed to the base with imu in its name, or --imu LINK.
- --belt KNEE:HIP=1: the motor of KNEE turns by KNEE + 1 times HIP, as it does where the knee's
  motor is at the hip and drives a belt 1:1. Encoders and torques are then the motors', behind
  their gears.
- --foot given 2 to 4 times (or with commas), or --space, writes a robot file: all limbs on one
  base, joints about any axis. `leg check` prints its numbers, `tinycontact file schema robot` its
  form. --hold, --imu, --rotor and the like are as for one leg.
- --rotor is the motor's own inertia; --gear multiplies it by its square. JOINT=VALUE is for one
  joint, VALUE for all.

A joint of the limb that follows another (<mimic>) or is part of a closed loop is refused, and so
are inertias that no body has, by the names of joints and links.

OUT.json is the chain file for `leg check`, `leg export`, `leg estimate` and `leg hil run`, or the
robot file for `leg check` and `leg export`. Its notes have what was assumed, and what no file has
said. The command prints them.

examples:
  tinycontact leg import go1.urdf --base trunk --foot FL_foot --hold FL_hip_joint=0 \\
    --rotor 1.2e-5 --gear 9 -o leg.json --plot leg.png
  tinycontact leg import go1.urdf --base trunk --foot FL_foot --foot FR_foot --foot RL_foot \\
    --foot RR_foot --rotor 1.2e-5 --gear 9 -o robot.json --plot robot.png
  tinycontact leg import hopper.xml --mjcf --base trunk --foot foot --root rail -o leg.json

exit status:
  0  the leg was written
  2  the file or an option is wrong"""

CHECK = """Printed are numbers to compare with a scale, a ruler and a clock, how each joint moves the
foot, and what is suspicious, each with its likely mistake. LEG.json is a chain file, or a robot
file with several limbs.

examples:
  tinycontact leg check leg.json --plot leg.png
  tinycontact leg check robot.json --plot robot.png

exit status:
  0  nothing is suspicious
  1  something is
  2  the file is wrong"""

EXPORT = """LEG.json is a chain file or a robot file.

Of a chain file, DIR/leg.h and DIR/leg.c have the leg, its estimator's configuration and all memory.
Call leg_start once and leg_update each tick. DIR/main.c does that on a simulated log of the same
leg (DIR/sample.c): put your drivers into its read_sensors. DIR is an application folder of this
repository (`make run BOARD=mps2-an386 APP=DIR`), and a program for any compiler that has the
library's headers and sources. DIR/tinycontact_config.h leaves out of the library what this leg
does not use: TC_CONFIG of `make lib`, `make flat` and CMake.

Of a robot file, DIR/robot_tables.h and DIR/robot_tables.c have the robot (tc_robot.h) and a
function that makes the configuration of the estimator of all its feet (tc_feet.h). DIR/main.c
runs it on a simulated log, limbs tapping in turn (DIR/sample.c). --tables writes the tables alone.
--set names fields of tc_feet_config, FIELD[1][2] that of the second limb's third joint; --config
and --gyro-noise are for chain files.

Readings are in the axes and signs of the chain file. With belts (`drives`) they are the motors'.

--config has the rate, the sensors as data sheets have them, and tuned numbers (`leg configure`,
`leg tune`). --set FIELD=VALUE changes a number of tc_estimator_config, FIELD[2] that of the third
joint. The header lib/estimator/tc_estimator.h has their effects.

examples:
  tinycontact leg export leg.json --c firmware/leg --tick 0.002 --encoder-bits 14
  make run BOARD=mps2-an386 APP=firmware/leg
  make flat CPU=stm32f405 FOR=firmware/leg TC_CONFIG=firmware/leg/tinycontact_config.h
  tinycontact leg export robot.json --c firmware/robot --encoder-bits 14 --torque-noise 0.1"""

ROOTS = ("fixed", "rail", "floating")


def _number_word(word, what):
    try:
        value = float(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is no {what}") from None
    if not abs(value) <= 1e6:
        raise argparse.ArgumentTypeError(f"{word!r} is no {what}")
    return value


def _named(text):
    """JOINT=VALUE, or VALUE for all joints."""
    name, _, value = text.rpartition("=")
    return name, _number_word(value, "VALUE or JOINT=VALUE")


def _not_negative(text):
    name, value = _named(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is negative")
    return name, value


def _gear(text):
    name, value = _named(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not above 0; a motor that turns against its joint has readings"
                                         " of the other sign")
    return name, value


def _held(text):
    name, value = _named(text)
    if not name:
        raise argparse.ArgumentTypeError(f"{text!r} is no JOINT=COORDINATE")
    return name, value


def _belt(text):
    name, _, ratio = text.rpartition("=")
    joint, _, before = name.partition(":")
    if not joint or not before:
        raise argparse.ArgumentTypeError(f"{text!r} is no JOINT:BEFORE=RATIO, such as knee:hip=1")
    return (joint, before), _number_word(ratio, "JOINT:BEFORE=RATIO, such as knee:hip=1")


def _point(text):
    values = tuple(_number_word(word, "number") for word in text.split(","))
    if len(values) != 3:
        raise argparse.ArgumentTypeError(f"{text!r} is no X,Y,Z")
    return values


def add_import(p):
    p.description = "Make a chain file of a leg of a robot's URDF or MJCF."
    p.epilog = IMPORT
    p.add_argument("robot", metavar="ROBOT")
    p.add_argument("--base", default="", metavar="LINK", help="link that carries leg and IMU (default: the root)")
    p.add_argument("--foot", action="append", default=[], metavar="LINK",
                   help="link with the foot (with --mjcf also a site or a geom); several: a robot file")
    p.add_argument("--space", action="store_true", help="write a robot file of one foot, too")
    p.add_argument("-o", "--output", metavar="OUT.json", required=True)
    p.add_argument("--mjcf", action="store_true", help="the file is MJCF, which MuJoCo reads")
    p.add_argument("--plot", metavar="OUT.png", type=written_as(".png", ".pdf", ".svg"),
                   help="a drawing of what was understood")
    p.add_argument("--hold", action="append", type=_held, default=[], metavar="JOINT=Q",
                   help="a joint that stays at this coordinate [rad] or [m]")
    p.add_argument("--root", choices=ROOTS, default="floating", help="how the base moves (default floating)")
    p.add_argument("--up", choices=("x", "y", "z", "-x", "-y", "-z"), default="z",
                   help="axis of the base that points up (default z)")
    p.add_argument("--g", type=above_zero(1e3, "acceleration"), default=9.81,
                   metavar="G", help="gravity [m/s^2] (default 9.81)")
    p.add_argument("--imu", default="", metavar="LINK", help="link at the accelerometer's place")
    p.add_argument("--radius", type=above_zero(1.0, "radius"), metavar="R", help="radius of the foot [m]")
    p.add_argument("--center", type=_point, metavar="X,Y,Z", help="centre of the foot in its link [m]")
    p.add_argument("--rotor", action="append", type=_not_negative, default=[], metavar="[JOINT=]I",
                   help="inertia of a motor's rotor [kg m^2]")
    p.add_argument("--gear", action="append", type=_gear, default=[], metavar="[JOINT=]N",
                   help="turns of the motor per turn of its joint")
    p.add_argument("--damping", action="append", type=_not_negative, default=[], metavar="[JOINT=]D",
                   help="viscous damping of a joint [N m s]")
    p.add_argument("--friction", action="append", type=_not_negative, default=[], metavar="[JOINT=]F",
                   help="dry friction of a joint [N m]")
    p.add_argument("--belt", action="append", type=_belt, default=[], metavar="JOINT:BEFORE=RATIO",
                   help="the motor of JOINT also turns with BEFORE")
    p.add_argument("--keep-inertias", action="store_true", help="take inertias that no body can have")
    p.add_argument("--name", default="", help="name of the leg (default: the robot's)")
    p.set_defaults(run=run_import)


def _links_there_are(robot):
    return f"the root is {robot.root!r}; links at tips are {', '.join(robot.tips()[:20])}"


def _feet(options, robot):
    """The links of --foot, which may be given several times, or with commas between them."""
    return [part for word in options.foot for part in ([word] if word in robot.links else word.split(",")) if part]


def run_import(options):
    from . import mjcf, planar, urdf
    robot = (mjcf if options.mjcf else urdf).load(options.robot)
    options.foot = _feet(options, robot)
    if not options.foot:
        raise TinycontactError(f"{options.robot}: --foot LINK is missing; {_links_there_are(robot)}")
    for foot in options.foot:
        if options.foot.count(foot) > 1:
            raise TinycontactError(f"--foot {foot}: is given twice")
    said = planar.Said(
        options.root, options.g, options.up, options.radius, options.center, dict(options.rotor), dict(options.gear),
        dict(options.damping), dict(options.friction), dict(options.belt), options.name)
    (_import_whole if len(options.foot) > 1 or options.space else _import_leg)(options, robot, said)


def _import_leg(options, robot, said):
    from ..hil.chain_file import parse_chain
    from ..jsonfile import write_json
    from . import lump, picture, planar
    base, (foot,) = options.base or robot.root, options.foot
    limb = lump.cut(robot, base, foot, dict(options.hold), options.imu, options.keep_inertias)
    value = planar.to_json(robot, limb, foot, said, dict(options.hold))
    chain = parse_chain(value, options.output)
    if options.plot:
        picture.save(options.plot, chain)
    write_json(options.output, value)
    joints = ", ".join(link.name for link in chain.links)
    print(f"{options.output}: {len(chain.links)} joints from {base} to {foot}: {joints}")
    for note in chain.notes:
        print(f"  {note}")
    print(f"compare it with the machine: tinycontact leg check {options.output}")


def _import_whole(options, robot, said):
    from ..jsonfile import write_json
    from ..robots import picture
    from ..robots.description import parse_robot
    from . import whole
    base = options.base or robot.root
    limbs = whole.cut(robot, base, options.foot, dict(options.hold), options.imu, options.keep_inertias)
    value = whole.to_json(robot, limbs, options.foot, said, dict(options.hold))
    made = parse_robot(value, options.output)
    if options.plot:
        picture.save(options.plot, made)
    write_json(options.output, value)
    print(f"{options.output}: {made.mass:.4g} kg, {len(made.limbs)} limb{'s' * (len(made.limbs) > 1)} on {base}")
    for limb in made.limbs:
        names = ", ".join(link.name for link in limb.links)
        print(f"  {limb.name}: {limb.joints} joints, {limb.mass:.4g} kg, reach {limb.reach:.3g} m: {names}")
    for note in made.notes:
        print(f"  {note}")
    print(f"compare it with the machine: tinycontact leg check {options.output}")


def add_check(p):
    p.description = "Print a leg's numbers to measure, and what is suspicious."
    p.epilog = CHECK
    p.add_argument("chain", metavar="LEG.json")
    p.add_argument("--plot", metavar="OUT.png", type=written_as(".png", ".pdf", ".svg"),
                   help="a drawing of the leg, or of the robot")
    p.set_defaults(run=run_check)


class Suspicious(TinycontactError):
    """The file can be used, and is probably wrong."""
    exit_status = 1


def _looked(path):
    """(what the file holds, what look() found in it, the module that draws it)"""
    from ..hil.chain_file import parse_chain
    from ..jsonfile import read_json
    value = read_json(path)
    if isinstance(value, dict) and "limbs" in value:
        from ..robots import picture
        from ..robots.description import parse_robot
        from . import whole_check as check
        made = parse_robot(value, path)
    else:
        from . import check, picture
        made = parse_chain(value, path)
    return made, check.look(made), picture


def run_check(options):
    made, found, picture = _looked(options.chain)
    if options.plot:
        picture.save(options.plot, *((made, found) if hasattr(made, "links") else (made,)))
    for what, text in found.facts:
        print(f"{what:7} {text}")
    for note in made.notes:
        print(f"note    {note}")
    for text in found.suspicious:
        print(f"suspicious: {text}")
    if found.suspicious:
        raise Suspicious(
            f"{options.chain}: {len(found.suspicious)} suspicious number{'s' * (len(found.suspicious) > 1)}")


def add_export(p):
    p.description = "Write a leg or a whole robot, its estimator and a main loop as C."
    p.epilog = EXPORT
    p.add_argument("chain", metavar="LEG.json")
    p.add_argument("--c", dest="folder", metavar="DIR", required=True, help="folder for the C files")
    p.add_argument("--name", help="name of files and functions (default leg; of a robot file, robot)")
    p.add_argument("--tick", type=between(exporting.LEAST_TICK, exporting.MOST_TICK), metavar="S",
                   help="time between two updates [s] (default 0.001)")
    p.add_argument("--encoder-bits", type=between(6, 28), metavar="B",
                   help="an encoder has 2^B steps per turn, or per metre (default 16)")
    p.add_argument("--encoder-gear", type=above_zero(1e4), metavar="N",
                   help="turns of the encoder per turn of the joint (default 1)")
    p.add_argument("--torque-noise", type=above_zero(1e3), metavar="T",
                   help="standard deviation of a torque [N m], without dry friction")
    p.add_argument("--gyro-noise", type=above_zero(10), metavar="W", help="of the gyro [rad/s] (default 0.003)")
    p.add_argument("--accel-noise", type=above_zero(100), metavar="A",
                   help="of the accelerometer's mean over a tick, of a robot file's over 1 ms [m/s^2]"
                   " (default 0.06)")
    for name, unit in (("torque", "N m"), ("gyro", "rad/s"), ("accel", "m/s^2")):
        p.add_argument(f"--{name}-limit", type=above_zero(1e6), metavar="L", help=f"end of its range [{unit}]")
    p.add_argument("--set", action="append", type=_held, default=[], metavar="FIELD=VALUE",
                   help="a number of the estimator's configuration")
    p.add_argument("--tables", action="store_true", help="of a robot file the tables alone, without main.c")
    p.add_argument("--config", metavar="CONFIG.json",
                   help="rate, sensors and tuned numbers (tinycontact leg configure, leg tune), in place of --tick and the"
                   " sensors' options")
    p.set_defaults(run=run_export)


def _told(options, chain):
    """(tick, what has sensing(chain, tick), settings, the words for them in a command)"""
    names = ("tick", *(field.name for field in dataclasses.fields(exporting.Sensing)))
    given = {name: getattr(options, name) for name in names if getattr(options, name) is not None}
    if not options.config:
        tick = given.pop("tick", exporting.TICK)
        return tick, exporting.Sensing(**given), {}, f"--tick {tick:g}"
    if given:
        option = next(iter(given)).replace("_", "-")
        raise TinycontactError(f"--{option}: {options.config} has rate and sensors; say it there")
    from ..hil.configuration import load
    config = load(options.config).check(chain, options.config)
    return config.tick, config.sensors, config.all_settings(), f"--config {options.config}"


def _check_settings(chain, tick, sensing, settings):
    """Refuses what no estimator of this leg takes, while a person is there to read it."""
    from ..errors import StatusError
    from ..hil.estimate import accepts
    for name, value in settings.items():
        try:
            accepts(chain, tick, sensing, **{name: value})
        except StatusError:
            raise TinycontactError(f"--set {name}={value:g}: out of its range, which lib/estimator/tc_estimator.h"
                                   " has") from None


def run_export(options):
    from ..jsonfile import read_json
    value = read_json(options.chain)
    (_export_whole if isinstance(value, dict) and "limbs" in value else _export_leg)(options)


def _asked(tick, given, settings):
    """The options of an export that decide its numbers."""
    words = [f"--tick {tick:g}", *(f"--{name.replace('_', '-')} {value:g}" for name, value in given.items() if value is not None)]
    return " ".join(words + [f"--set {name}={value:g}" for name, value in dict(settings).items()])


def _export_whole(options):
    from ..robots.description import load_robot
    from . import whole_export
    for option in ("config", "gyro_noise"):
        if getattr(options, option) is not None:
            raise TinycontactError(f"--{option.replace('_', '-')}: is for chain files; the estimator of all feet takes"
                                   " no such thing")
    given = {field.name: getattr(options, field.name) for field in dataclasses.fields(whole_export.Sensing)}
    sensing = whole_export.Sensing(**{name: value for name, value in given.items() if value is not None})
    tick = exporting.TICK if options.tick is None else options.tick
    written = whole_export.write(load_robot(options.chain), options.folder, tick, sensing, dict(options.set),
                                 options.name or "robot", f"tinycontact leg export {options.chain} {_asked(tick, given, options.set)}",
                                 options.tables)
    for path in written.paths:
        print(path)
    for line in sensing.assumed():
        print(f"  {line}")
    if not options.tables:
        print(f"try it: {_try_it(options.folder)}")


def _export_leg(options):
    from ..hil.chain_file import load_chain
    if options.tables:
        raise TinycontactError("--tables: is for robot files")
    chain = load_chain(options.chain)
    tick, sensing, settings, words = _told(options, chain)
    _check_settings(chain, tick, sensing, dict(options.set))
    written = exporting.write(chain, options.folder, tick, sensing, {**settings, **dict(options.set)},
                              options.name or "leg", f"tinycontact leg export {options.chain} {words}")
    for path in written.paths:
        print(path)
    for line in sensing.assumed(chain):
        print(f"  {line}")
    print(f"try it: {_try_it(options.folder)}")
    print(f"cost: tinycontact board fits --core PART --tick {1 / tick:g} --use estimator --joints {len(chain.links)}")


def _try_it(folder):
    """How a program of the folder is made, with a checkout of the repository and without."""
    from ..build import repository
    try:
        repository()
    except TinycontactError:
        return (f"a C compiler makes a program of {folder}/*.c and the library's flat folder"
                " (docs/start/stm32cubeide.md)")
    return f"make run BOARD=mps2-an386 APP={folder}"
