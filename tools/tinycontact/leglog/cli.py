# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact leg estimate and leg hil log."""
import argparse

from ..errors import TinycontactError
from ..options import between, written_as

ESTIMATE = """The estimator that runs on the board reads your log on this machine, with the same
bits. No truth is needed. The log's signs, axes and units are checked against the physics of
the leg itself: what is likely wrong is named, with the option that mends it.

example:
  tinycontact leg estimate --chain leg.json log.csv --plot log.png --html log.html -o contact.csv
  a log with other names, in degrees and nanoseconds, and with currents:
  tinycontact leg estimate --chain leg.json log.csv \\
    --columns t_ns=stamp,q1_deg=hip,q2_deg=-knee,current1=i_hip,current2=-i_knee \\
    --torque-constant 0.09 --gear 9

LOG.csv  a header, then a row per control cycle, with its time. Columns, in the axes of the chain
         file (x forward, y to the left, z up; joints as their axes there):
           t                 [s]; t_ms, t_us, t_ns
           q1, q2, ...       joints, hip first [rad] or [m]; q1_deg, q1_turn, q1_mm
           tau1, tau2, ...   torque of each motor on its link [N m] or [N]; tau1_mNm
           current1, ...     in place of torques [A]; current1_mA
           gyro_y            turn rate of the base, nose down positive [rad/s]; gyro_y_deg
           accel_x, accel_z  of the base as an IMU measures it: (0, 9.81) at rest [m/s^2];
                             accel_x_g. A base on a rail needs these two, a fixed one no IMU
         and if you have them:
           dq1, dq2, ...     rates of the joints: they are compared with q, no more
           pitch             of the base, nose down positive [rad]; pitch_deg
           base_velocity     of the base along x [m/s]: without it steady slip looks like sticking
           touch             of a touch sensor, 0 to 1: it is used
           contact           0 or 1, the truth: it is not used, the estimates are scored by it. Of a
                             force plate: --columns 'contact=force>10'
         A row has what was measured at its time. Its torque is the mean since the row before, or
         measured at its time, too. A command that acts from its row on belongs to the next row:
         --columns tau1=command1@1 takes the value of one row before.
         For a robot file (several limbs): q_JOINT and tau_JOINT of each joint by its name there,
         gyro_x, ... and accel_x, ... in the IMU's axes, and if you have them quat_w, quat_x,
         quat_y, quat_z from the IMU's axes to the world's, touch_LIMB, contact_LIMB. A limb without
         any tau_JOINT is taken as one without torques, if another limb has them.
         Other columns are not read. A row counts as lost if a sensor's cell is empty, nan or inf.
         A word in such a cell is refused with its line. The log begins with the base at rest, or
         has pitch: in flight an accelerometer does not show how the base is turned.

CONTACT.csv  a row per tick: t [s], contact (0, 1), p_air, p_stick, p_slip, impulse_x, impulse_z
             of the floor on the foot in the tick [N s], their standard deviations, slip [m/s],
             since touch-down [s] (in the air: minus the time since lift-off), lost (1: no row,
             the estimate before is repeated). Of a robot: a row per tick and limb; impulse and slip
             in the world's axes, friction, flags (tc_feet.h)

LOG.mcap     topics /leg/sensors, /leg/estimate, /leg/truth, /leg/observer, as JSON to plot, and
             /leg/scene, the leg for Foxglove's 3D panel (frame floor)

Misfit, in the words about mistakes, is what the leg's physics leave unexplained: 0 nothing,
1 all. A log that is right has 0.05 to 0.25. Without a mistake the last line has its misfit, or
why the log could not be checked.

exit status:
  0  estimated; likely mistakes, if any, are on the terminal
  1  estimated, with --strict and a likely mistake
  2  a file or an option is wrong"""


def numbers(word):
    """A type: numbers separated by commas."""
    try:
        return [float(part) for part in word.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is no number, nor numbers separated by commas") from None


def add_estimate(p):
    p.description = "Estimate the contact of a leg's foot from your own log."
    p.epilog = ESTIMATE
    p.add_argument("log", metavar="LOG.csv", help="the log; .gz is read, too")
    p.add_argument("--chain", metavar="LEG.json", required=True,
                   help="the leg: a chain file, as `tinycontact leg import` writes it")
    p.add_argument("-o", "--output", metavar="CONTACT.csv", help="file for the estimates")
    p.add_argument("--plot", metavar="PNG", type=written_as(".png"), help="file for a picture of them")
    p.add_argument("--html", metavar="PAGE.html", type=written_as(".html", ".htm"),
                   help="file for a page on which the leg moves over its contacts")
    p.add_argument("--mcap", metavar="LOG.mcap", type=written_as(".mcap"), help="file for Foxglove or PlotJuggler")
    p.add_argument("--rerun", metavar="LOG.rrd", type=written_as(".rrd"),
                   help="file for the viewer Rerun; wants its package, rerun-sdk")
    p.add_argument("--columns", action="append", metavar="ROLE=COLUMN,...",
                   help="which column of the log is which; ROLE=-COLUMN changes the sign, ROLE=COLUMN*NUMBER the"
                   " unit, ROLE=COLUMN+NUMBER the zero. ROLE=COLUMN@ROWS takes the value of as many rows before,"
                   " and 'contact=COLUMN>NUMBER' makes contact of a force. May be given several times:"
                   " the last word about a role counts")
    p.add_argument("--torque-constant", type=numbers, metavar="K",
                   help="of motors whose currents are logged [N m/A], one or one for each joint")
    p.add_argument("--gear", type=numbers, metavar="N",
                   help="gear ratio from motor to joint, for currents (default 1)")
    p.add_argument("--encoder-bits", type=between(6, 32), metavar="BITS",
                   help="resolution of a joint's turn (default: as seen in the log)")
    p.add_argument("--torque-noise", type=between(1e-6, 1e3), metavar="S",
                   help="standard deviation of a torque, dry friction included [N m]")
    p.add_argument("--config", metavar="CONFIG.json",
                   help="rate, sensors and tuned numbers of the estimator (tinycontact leg configure,"
                   " leg tune)")
    p.add_argument("--rate", type=between(50, 1e5), metavar="HZ",
                   help="ticks per second of the estimator (default: the configuration's, or the log's)")
    p.add_argument("--no-check", action="store_true", help="do not look for mistakes in the log")
    p.add_argument("--strict", action="store_true", help="exit with 1 if a mistake is likely")
    p.set_defaults(run=run_estimate)


class Likely(TinycontactError):
    """A log with a likely mistake, for scripts."""
    exit_status = 1


def _config(options):
    """The configuration of --config, or None."""
    if not options.config:
        return None
    from ..hil.chain_file import load_chain
    from ..hil.configuration import load
    for name in ("encoder_bits", "torque_noise"):
        if getattr(options, name) is not None:
            raise TinycontactError(f"--{name.replace('_', '-')}: the file of --config says what the sensors are")
    return load(options.config).check(load_chain(options.chain), options.config)


def run_estimate(options):
    from ..jsonfile import read_json
    from ..report.plots import ready
    from . import estimate, recording, rrd, told
    from .read import read
    value = read_json(options.chain)
    if isinstance(value, dict) and "limbs" in value:
        from ..robots import cli_log
        _strict(options, cli_log.run(options))
        return
    if options.plot:
        ready()
    if options.rerun:
        rrd.sdk()   # before anything takes time
    log = read(options.log, options.columns)
    result = estimate.run(options.chain, log, options.rate, options.torque_constant, options.gear, options.encoder_bits,
                          options.torque_noise, not options.no_check, _config(options))
    told.tell(result)
    if options.output:
        told.write(options.output, result)
        print(f"{options.output}: {len(result.time)} ticks")
    if options.plot:
        from . import plot
        plot.draw(result, options.plot)
        print(f"{options.plot}: a picture of it")
    if options.html or options.mcap or options.rerun:
        recording.write(recording.of_result(result), options.html, options.mcap, options.rerun)
    _strict(options, result.findings)


def _strict(options, findings):
    if options.strict and findings:
        raise Likely(f"{options.log}: {len(findings)} likely mistakes")


LOG = """LOG.csv has the columns that `tinycontact leg estimate` reads: t, q1, ..., tau1, ..., gyro_y,
accel_x, accel_z, pitch, in the chain file's axes and signs, a row per sample that was sent. Beside
them are board_contact and board_p_air, the board's estimate of the sample, and contact, the truth,
if ticks.csv of the same run is in the log's folder. The numbers are those that were sent: the
estimator finds the board's probabilities in them, bit for bit.

example:
  tinycontact leg hil run --plant leg -o out
  tinycontact leg hil log out/log.bin -o out/log.csv
  tinycontact leg estimate --chain tests/hil/chains/leg.json out/log.csv --plot out/log.png"""


def add_log(p):
    p.description = "Write the log of `tinycontact leg hil run` as CSV."
    p.epilog = LOG
    p.add_argument("log", metavar="LOG.bin")
    p.add_argument("-o", "--output", metavar="LOG.csv", required=True,
                   help="file to write; compressed if its name ends in .gz")
    p.add_argument("--chain", dest="link", metavar="LEG.json", help="file for the leg of the run")
    p.add_argument("--cut", action="store_true", help="accept a log without its end")
    p.set_defaults(run=run_log)


def run_log(options):
    from ..hil.log import read_log
    from ..jsonfile import write_json
    from .convert import of_hil_log, write
    if read_log(options.log, options.cut).header.get("app") == "robot":
        from ..robots.cli_log import columns_of_hil_log as of_hil_log
    chain, found = of_hil_log(options.log, options.cut)
    write(options.output, found, short=False)
    print(f"{options.output}: {len(found['t'])} samples, {', '.join(found)}")
    if options.link:
        write_json(options.link, chain.text)
