# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Configurations from rate and data sheets: what the estimator is told of them, the file, `leg configure` and
--config."""
import unittest
from pathlib import Path

import numpy as np

import wire_reference as reference
from tinycontact_case import Temporary
from tinycontact.errors import TinycontactError
from tinycontact.hil import estimate, wire
from tinycontact.hil.configuration import Configuration, load, parse
from tinycontact.hil.link import TO_BOARD
from tinycontact.hil.log import read_log
from tinycontact.hil.parameters import parameters
from tinycontact.hil.plant import default_chain, plant_chain
from tinycontact.jsonfile import read_json, write_json

CHAIN = plant_chain("leg")
DEGREE, G = np.pi / 180, 9.80665


def sensing(sensors, tick=1e-3):
    """What a configuration with these sensors tells the estimator."""
    return parse({"sensors": sensors}, "c.json").sensors.sensing(CHAIN, tick)


class Sheets(unittest.TestCase):
    """The formulas by hand, on random numbers."""

    def test_nothing_said_is_what_the_tuned_legs_have(self):
        self.assertEqual(Configuration().numbers(CHAIN), estimate.configuration(CHAIN))

    def test_encoders(self):
        random = np.random.default_rng(5)
        for _ in range(50):
            bits, gear, noise = random.integers(8, 22), float(random.uniform(0.5, 50)), float(random.uniform(0.31, 9))
            said = sensing({"encoder": {"bits": int(bits), "gear": gear, "noise": noise}})
            step = 2 * np.pi / (2**bits * gear)
            np.testing.assert_allclose(said["encoder_counts"], 2 * [2**bits * gear])
            np.testing.assert_allclose(np.hypot(said["encoder_noise"], 0.3 * step), 2 * [noise * step])
            counts = sensing({"encoder": {"counts": 2.0**bits, "gear": gear}})
            self.assertEqual(counts["encoder_counts"], said["encoder_counts"])
            self.assertEqual(counts["encoder_noise"], [0.0, 0.0])

    def test_torques(self):
        random = np.random.default_rng(6)
        for _ in range(50):
            constant, gear, noise, friction, most = (float(x) for x in random.uniform(0.1, 9, 5))
            current = sensing({"torque": {"source": "current", "constant": constant, "gear": gear, "noise": noise,
                                          "friction": friction, "range": most}})
            both = np.sqrt((constant * gear * noise)**2 + friction**2)
            np.testing.assert_allclose(current["torque_noise"], 2 * [both])
            self.assertAlmostEqual(current["torque_limit"], constant * gear * most)
            strain = sensing({"torque": {"source": "strain", "sensitivity": 1 / (constant * gear), "noise": noise,
                                         "friction": friction, "range": most}})
            np.testing.assert_allclose(strain["torque_noise"], current["torque_noise"])
            self.assertAlmostEqual(strain["torque_limit"], current["torque_limit"])
            sensor = sensing({"torque": [{"noise": noise, "friction": 0}, {"noise": 2 * noise, "friction": 0}]})
            np.testing.assert_allclose(sensor["torque_noise"], [noise, 2 * noise])
        numbers = parse({"sensors": {"torque": {"tolerance": 12}}}, "c.json").numbers(CHAIN)
        self.assertAlmostEqual(numbers["torque_gain"], 0.12 / np.sqrt(3), places=7)

    def test_imu(self):
        """White noise of density d, averaged over a tick: by the mean of many samples of a bandwidth of 1 / (2 dt)."""
        random, density, tick, parts = np.random.default_rng(7), 70.0, 2e-3, 64
        sample = density * 1e-6 * G * np.sqrt(parts / (2 * tick)) * random.standard_normal((20000, parts))
        said = sensing({"accel": {"density": density, "range": 16}, "gyro": {"density": 0.005, "range": 2000}}, tick)
        self.assertAlmostEqual(said["accel_noise"] / sample.mean(1).std(), 1, delta=0.03)
        self.assertAlmostEqual(said["gyro_noise"], 0.005 * DEGREE / np.sqrt(2 * tick))
        self.assertAlmostEqual(said["gyro_limit"], 2000 * DEGREE)
        self.assertAlmostEqual(said["accel_limit"], 16 * G)

    def test_assumptions_are_told(self):
        said = " ".join(Configuration().sensors.assumed(CHAIN))
        for word in ("16 bits", "0.05 N m", "gyro", "accel"):
            self.assertIn(word, said)
        told = parse({"sensors": {"encoder": {"bits": 14}, "torque": {"noise": 1, "friction": 0},
                                  "gyro": {"range": 500}, "accel": {"range": 8}}}, "c.json").sensors.assumed(CHAIN)
        self.assertEqual(told, [])


class Files(Temporary):
    def test_written_and_read_again(self):
        value = {"rate": 500, "sensors": {"encoder": [{"bits": 12}, {"bits": 14}]},
                 "settings": {"force": 150.0, "torque_noise": [0.1, 0.2]}, "notes": ["of Tuesday"]}
        config = parse(value, "c.json").check(CHAIN)
        config.write("c.json")
        self.assertEqual(load("c.json"), config)
        self.assertEqual(read_json("c.json"), value)
        numbers = config.numbers(CHAIN)
        self.assertEqual((numbers["force"], np.float32(numbers["step"])), (150.0, np.float32(0.002)))
        np.testing.assert_allclose(numbers["torque_noise"], [0.1, 0.2], rtol=1e-6)
        self.assertAlmostEqual(numbers["encoder_step"][0] / numbers["encoder_step"][1], 4, places=4)

    def test_what_cannot_be_is_refused(self):
        for value, *told in (
                ({"rates": 1}, "unknown field rates", "nearest is rate"), ({"rate": 0.002}, "0.002", "500 Hz"),
                ({"rate": 50}, "field rate", "200 to 4000"), ([], "no object with rate"),
                ({"sensors": {"encoders": {}}}, "encoders", "nearest is encoder"),
                ({"sensors": {"encoder": {"bit": 3}}}, "encoder: unknown field bit", "bits"),
                ({"sensors": {"encoder": {"bits": 3}}}, "10 to 24 bits"),
                ({"sensors": {"encoder": {"bits": 12, "counts": 9}}}, "one of them"),
                ({"sensors": {"encoder": [{}, {}, {}]}}, "list of 3", "2 joints"),
                ({"sensors": {"torque": {"source": "current"}}}, "no field constant"),
                ({"sensors": {"torque": {"source": "amps"}}}, "'amps'", "current"),
                ({"sensors": {"gyro": {"density": 4}}}, "mdps / 1000"),
                ({"sensors": {"accel": {"range": "16g"}}}, "range", "number"),
                ({"settings": {"forze": 1}}, "forze", "nearest is force"), ({"settings": {"step": 1}}, "say rate"),
                ({"settings": {"force": -1}}, "field force", "range"), ({"settings": {"force": [1, 2]}}, "one number"),
                ({"settings": {"torque_noise": []}}, "per joint"),
                ({"sensors": {"encoder": []}}, "empty list"),
                ({"settings": {"torque_noise": [1, 2, 3]}}, "list of 3", "2 joints"), ({"notes": "a"}, "notes")):
            with self.assertRaises(TinycontactError, msg=value) as refused:
                parse(value, "c.json").check(CHAIN, "c.json")
            for word in told:
                self.assertIn(word, str(refused.exception), value)

    def test_the_command(self):
        chain = default_chain("leg")
        out, err = self.command("leg configure", "--chain", chain, "--rate", 500, "--encoder-bits", "12,14",
                                "--torque", "current", "--torque-constant", 0.07, "--gear", 9, "--torque-noise", 0.1,
                                "--friction", 0.3, "-o", "c.json")
        self.assertIn("500 Hz", out)
        self.assertIn("assumed: gyro", err)
        self.assertIn("known late", err)
        config = load("c.json").check(CHAIN)
        noise = np.hypot(0.063, 0.3) * 0.049 / 0.05
        np.testing.assert_allclose(config.numbers(CHAIN)["torque_noise"], 2 * [noise], rtol=1e-5)
        self.refused("leg configure", "--chain", chain, "--gear", "1,2,3", told=["--gear", "2 joints"])
        self.refused("leg configure", "--chain", chain, "--torque", "current",
                     told=["--torque current: needs --torque-constant [N m/A]"])
        self.refused("leg configure", "--chain", chain, "--torque", "strain", told=["needs --sensitivity [mV/V"])
        for words in (("--torque-constant", 0.1), ("--torque-constant", 0.1, "--torque", "strain", "--sensitivity", 1)):
            self.refused("leg configure", "--chain", chain, *words, told=["--torque-constant: is of --torque current"])
        self.refused("leg configure", "--chain", chain, "--rate", 100, told=["100", "200"])
        self.refused("leg configure", "--chain", chain, "--gear", "a", told=["'a'"])


class OnTheBoard(Temporary):
    def test_rate_and_configuration_reach_it(self):
        """500 ticks per second, with numbers of a file: the record that was uploaded, the files and the replay."""
        write_json("c.json", {"rate": 500, "sensors": {"encoder": {"bits": 14}}, "settings": {"friction": 0.61}})
        self.command("leg hil run", "--board", "host", "--plant", "hopper", "--seed", 3, "--seconds", 0.6,
                     "--config", "c.json", "-o", "out")
        log = read_log("out/log.bin")
        self.assertEqual(log.header["config"]["rate"], 500)
        codec, sent = wire.Codec(), []
        for record in log.records:
            if record.direction == TO_BOARD:
                sent += codec.decode(record.data)
        hello = next(frame.message() for frame in sent if frame.type == wire.Hello.TYPE)
        self.assertEqual(hello.budget_us, 2000)
        encoders = np.array([list(frame.message().encoder)[:2] for frame in sent if frame.type == wire.Sensors.TYPE])
        self.assertEqual(len(encoders), 300)
        steps = encoders / (2 * np.pi / 2**14)
        np.testing.assert_allclose(steps, np.round(steps), atol=1e-2)
        config = load("c.json")
        record = parameters(plant_chain("hopper"), tick=config.tick, sensors=config.sensors, **config.all_settings())
        told = reference.record(record)["config"]
        self.assertEqual((told["step"], told["friction"]), (np.float32(0.002), np.float32(0.61)))
        self.assertIn(record[:64], b"".join(frame.payload for frame in sent))
        lines = Path("out/ticks.csv").read_text().splitlines()
        self.assertEqual((len(lines), lines[1].split(",")[0], lines[-1].split(",")[0]), (301, "0.002", "0.600"))
        summary = read_json("out/summary.json")
        self.assertAlmostEqual(summary["seconds"], 0.6)
        self.assertGreater(summary["contact_right"], 0.985)
        self.assertIn("alike", self.command("leg hil replay", "out/log.bin")[0])

    def test_a_rate_that_the_simulation_has_not(self):
        for option, value, told in (("--rate", 300, ["300", "296.3", "307.69"]), ("--rate", 5, ["5", "200"]),
                                    ("--config", "none.json", ["none.json"])):
            self.refused("leg hil run", "--board", "host", "--plant", "hopper", option, value, "-o", "out", told=told)


if __name__ == "__main__":
    unittest.main()
