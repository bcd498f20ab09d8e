# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Chain files, plants in two simulators, sensors and episodes."""
import copy
import json
import unittest
from unittest import mock

import numpy as np

from tinycontact_case import ROOT, Temporary
from tinycontact.errors import TinycontactError
from tinycontact.hil import episodes, gait, scales, truth
from tinycontact.hil.chain_file import absorb_rotors, load_chain, parse_chain
from tinycontact.hil.dart_plant import DartWorld
from tinycontact.hil.mujoco_plant import MujocoWorld
from tinycontact.hil.plant import Plant, default_chain
from tinycontact.hil.sensors import Fault, Sensors, SensorOptions
from tinycontact.hil.size import size_of
from tinycontact.hil.world import TICK, State

LEG = json.loads((ROOT / "tests" / "hil" / "chains" / "leg.json").read_text())


def changed(path, value):
    """leg.json with the field at `path` replaced, or removed by None."""
    chain = copy.deepcopy(LEG)
    at = chain
    for name in path[:-1]:
        at = at[name]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return chain


class ChainFile(Temporary):
    def test_errors_name_file_and_field(self):
        for path, value, words in (
                (("root",), "wall", "leg.json, field root: is 'wall'"),
                (("g",), "9.81", "leg.json, field g: is \"9.81\", not a number"),
                (("g",), None, "leg.json: no field g"),
                (("links",), [], "leg.json, field links: is no list of 1 to 6"),
                (("links", 1, "mass"), 0, "leg.json, link 1, field mass: is 0, not greater than 0"),
                (("links", 0, "damping"), -1, "leg.json, link 0, field damping: is -1"),
                (("links", 0, "com"), [0, 0], "leg.json, link 0, field com: is no list of three"),
                (("links", 0, "axis"), [1, 0, 0], "leg.json, link 0, field axis: leaves the x-z plane"),
                (("links", 0, "axis"), [0, -2, 0], "leg.json, link 0, field axis: has length 2"),
                (("links", 0, "masss"), 1, "leg.json, link 0: unknown field masss"),
                (("links", 1, "inertia"), [1, 0, 1], "leg.json, link 1, field inertia"),
                (("foot", "shape"), "box", "leg.json, foot, field shape: is 'box'"),
                (("foot", "radius"), 0, "leg.json, foot, field radius: is 0"),
                (("foot",), 3, "leg.json, foot: is no object"),
                (("g",), 0, "leg.json, field g: is 0"),
                (("links", 0, "mass"), 1e30, "leg.json, link 0, field mass: is 1e+30, not from 1e-09 to 1000"),
                (("links", 0, "inertia"), 1e-30, "leg.json, link 0, field inertia: is 1e-30"),
                (("links", 0, "origin"), [0, 0, 1e9], "leg.json, link 0, field origin: has a number beyond 1000"),
                (("base", "mass"), -2, "leg.json, base, field mass: is -2")):
            with self.subTest(words), self.assertRaises(TinycontactError) as caught:
                parse_chain(changed(path, value), "leg.json")
            self.assertIn(words, str(caught.exception))

    def test_a_file_that_is_no_json(self):
        (self.folder / "c.json").write_text("{")
        with self.assertRaisesRegex(TinycontactError, "c.json, line 1"):
            load_chain("c.json")

    def test_planar_leg_measures_from_centres_of_mass(self):
        leg = parse_chain(LEG, "leg.json").planar()
        np.testing.assert_allclose(leg.anchor, [[0, 0], [0, -0.1]])
        np.testing.assert_allclose(leg.arm, [[0, -0.1], [0, -0.1]])
        np.testing.assert_allclose(leg.foot, [0, -0.1])
        self.assertEqual(leg.sign.tolist(), [1, 1])

    def test_mirrored_joint_gives_the_same_sensors(self):
        """A knee about (0, 1, 0) in place of (0, -1, 0): what the library sees differs by rounding only."""
        other = parse_chain(changed(("links", 1, "axis"), [0, 1, 0]), "mirrored.json")
        self.assertEqual(other.planar().sign.tolist(), [1, -1])
        plants = [Plant("leg"), Plant("leg", other)]
        for plant in plants:
            plant.reset(3)
        for _ in range(150):
            a, b = [plant.step()[0] for plant in plants]
            np.testing.assert_allclose(a["encoder"], b["encoder"], atol=1.01 * 2 * np.pi / 2**16)
            np.testing.assert_allclose(a["torque"], b["torque"], atol=1e-3)


class Worlds(unittest.TestCase):
    def roll(self, world, ticks=120):
        """Joints, rates, mean specific force of a leg that swings in the air under constant torques."""
        world.place([0.5, -1.1], [0.0, 1.0, 0.1])
        world.set_floor(-5.0, 0.5)
        done = [world.advance([0.4, -0.3], [3.0, 60.0, 0.5]) for _ in range(ticks)]
        state = world.look()
        turning = state.base_rate[2] + state.rate.sum()   # of the last link, counter-clockwise
        self.assertGreater(abs(turning), 1.0)
        self.assertAlmostEqual(done[-1].slip[-1], state.foot_rate[0] + 0.015 * turning, delta=0.01)
        self.assertAlmostEqual(done[-1].rise[-1], state.foot_rate[1], delta=0.01)
        self.assertAlmostEqual(done[-1].gap[-1], state.foot[1] - 0.015 + 5.0, delta=1e-3)
        return state, np.array([tick.accel.mean(0) for tick in done])

    def test_two_simulators_agree_in_the_air(self):
        """Without dry friction, which they smooth differently; integrators differ by O(h) of 1/8 ms."""
        chain = absorb_rotors(parse_chain(LEG, "leg.json"))
        with mock.patch("tinycontact.hil.dart_plant.COULOMB", 0.0), \
                mock.patch("tinycontact.hil.mujoco_plant.COULOMB", 0.0):
            (a, accel_a), (b, accel_b) = self.roll(MujocoWorld(chain)), self.roll(DartWorld(chain))
        np.testing.assert_allclose(a.q, b.q, atol=2e-3)
        np.testing.assert_allclose(a.base, b.base, atol=2e-4)
        np.testing.assert_allclose(a.foot, b.foot, atol=5e-4)
        np.testing.assert_allclose(a.foot_rate, b.foot_rate, atol=5e-3)
        np.testing.assert_allclose(a.J, b.J, atol=2e-3)
        np.testing.assert_allclose(a.bias, b.bias, atol=1e-2)
        np.testing.assert_allclose(accel_a, accel_b, atol=0.1)

    def test_accelerometer_adds_up_to_the_velocity(self):
        """Without pitch: the mean specific force of the ticks is the base's change of velocity, and +g."""
        world = MujocoWorld(load_chain(default_chain("hopper")))
        world.place([0.5, -1.1], [0.0, 1.0, 0.0])
        world.set_floor(-5.0, 0.5)
        felt = sum(world.advance([0.4, -0.3], np.zeros(3)).accel.mean(0) for _ in range(100)) * TICK
        np.testing.assert_allclose(felt[1], world.look().base_rate[1] + 0.1 * 9.81, atol=1e-4)

    def test_floor_holds_with_friction_up_to_mu(self):
        """A leg that a force along the floor drags over it: friction is mu times the normal force."""
        chain = load_chain(default_chain("leg"))
        for world in (MujocoWorld(chain), DartWorld(absorb_rotors(chain))):
            world.place([0.6, -1.2], [0.0, 0.0, 0.0])
            foot = world.look().foot
            world.place([0.6, -1.2], [0.0, 0.02 - foot[1] + 0.015, 0.0])
            world.set_floor(0.02, 0.4)
            for _ in range(60):
                state = world.look()
                hold = state.J.T @ [30.0 - 60 * state.foot_rate[0], -20.0] + state.bias
                drive = [0.0, 60.0 + 2000 * (0.35 - state.base[1]), -2000 * state.base[2]]
                done = world.advance(hold, drive)
            loaded = done.normal > 1
            self.assertTrue(loaded.any())
            np.testing.assert_allclose(np.abs(done.tangent[loaded]) / done.normal[loaded], 0.4, rtol=0.02)


class Episodes(Temporary):
    def test_same_seed_same_bytes_and_from_the_cache_too(self):
        made = [episodes.episode("leg", 5, 1.0, cached=False) for _ in range(2)]
        with mock.patch.object(episodes, "cache", lambda: self.folder / "build"):
            made += [episodes.episode("leg", 5, 1.0) for _ in range(2)]
        self.assertEqual(len(list((self.folder / "build" / "hil" / "episodes").iterdir())), 1)
        for other in made[1:]:
            for name in ("encoder", "torque", "gyro", "accel", "pitch", "base_velocity", "lost", "floor", "mu"):
                self.assertEqual(getattr(made[0], name).tobytes(), getattr(other, name).tobytes(), name)
                self.assertEqual(getattr(other, name).dtype, np.float32)
            for name, value in vars(made[0].truth).items():
                self.assertEqual(value.tobytes(), getattr(other.truth, name).tobytes(), name)
        self.assertNotEqual(made[0].encoder.tobytes(), episodes.episode("leg", 6, 1.0, cached=False).encoder.tobytes())

    def test_sensors_do_not_move_the_plant(self):
        quiet = episodes.episode("hopper", 2, 0.6, cached=False)
        loud = episodes.episode("hopper", 2, 0.6, cached=False, noise=3.0, lost=0.05, encoder_bits=14)
        self.assertEqual(quiet.truth.impulse.tobytes(), loud.truth.impulse.tobytes())
        self.assertTrue(0 < loud.lost.mean() < 0.15)

    def test_hopper_hops_and_leg_steps_as_in_the_study(self):
        """Touch-downs per second, share of air and speeds, with the width that 8 s of each leave."""
        for name, rate, air, low, high in (("hopper", 2.5, 0.75, 1.0, 1.9), ("leg", 1.4, 0.52, 0.05, 1.3)):
            e = episodes.episode(name, 4, 8.0, cached=False)
            self.assertAlmostEqual(len(e.truth.touch_down) / 8, rate, delta=0.5)
            self.assertAlmostEqual((e.truth.mode == truth.AIR).mean(), air, delta=0.1)
            self.assertTrue(low < np.median(e.truth.touch_speed) < high)
            self.assertGreater(len(e.truth.slip_onset), 1)
            self.assertTrue((np.abs(e.floor) <= 0.01).all() and (e.mu >= 0.3).all() and (e.mu <= 1.0).all())

    def test_impulses_carry_the_weight(self):
        """From a lift-off to a later one the floor's impulse is the change of the base's momentum, the leg's, and
        weight times time; over seconds the last dwarfs the others."""
        e = episodes.episode("hopper", 4, 8.0, cached=False)
        begin, end = (np.array(e.truth.lift_off[[0, -2]]) / TICK).astype(int)
        weight = (2.5 + 0.85) * 9.81 * (end - begin) * TICK
        self.assertAlmostEqual(e.truth.impulse[begin:end, 1].sum() / weight, 1.0, delta=0.05)

    def test_sample_of_the_tick_before(self):
        """What arrives at the end of tick k was measured at its begin: 1 ms late."""
        plant = Plant("leg")
        plant.reset(1)
        states = []
        for _ in range(50):
            states.append(plant.state)
            sample, _ = plant.step()
            np.testing.assert_allclose(sample["encoder"], states[-1].q, atol=5e-4)


class Sensing(unittest.TestCase):
    def samples(self, count=4000, **options):
        leg = load_chain(default_chain("leg")).planar()
        sensors = Sensors(leg, 7, SensorOptions(**options))
        zero = np.zeros(2)
        state = State(np.array([0.3, -0.9]), zero, np.array([0, 0.3, 0.1]), np.zeros(3), zero, zero, np.eye(2), zero)
        rows = [sensors.measure(state, np.array([4.0, -8.0]), np.array([1.0, 9.81])) for _ in range(count)]
        return {name: np.array([row[name] for row in rows], float) for name in rows[0]}

    def test_spread_and_bias_are_as_stated(self):
        s = self.samples()
        lsb = 2 * np.pi / 2**16
        for name, sigma in (("torque", 0.05), ("gyro", 0.003), ("accel", 0.06), ("base_velocity", 0.005),
                            ("encoder", lsb * np.hypot(0.3, 1 / np.sqrt(12)))):
            np.testing.assert_allclose(s[name].std(0), sigma, rtol=0.25, err_msg=name)
        for name, true, most in (("gyro", 0, 0.005), ("accel", [1, 9.81], 0.1), ("pitch", 0.1, 0.01),
                                 ("encoder", [0.3, -0.9], 3e-4), ("torque", [4, -8], [0.2, 0.4])):
            self.assertTrue((np.abs(s[name].mean(0) - true) <= np.array(most) + 0.005).all(), name)
        np.testing.assert_allclose(np.round(s["encoder"] / lsb) * lsb, s["encoder"], atol=1e-7)

    def test_noise_multiplies_sigmas_and_not_biases(self):
        one, three = self.samples(), self.samples(noise=3.0)
        np.testing.assert_allclose(three["accel"].std(0), 3 * one["accel"].std(0), rtol=1e-3)
        np.testing.assert_allclose(three["accel"].mean(0), one["accel"].mean(0), atol=0.01)

    def test_faults(self):
        s = self.samples(30, faults=(Fault("encoder", 5, 10, "freeze", 1), Fault("gyro", 12, 14, "nan"),
                                     Fault("accel", 20, 21, "1e9", 0)))
        self.assertEqual(len(set(s["encoder"][4:10, 1])), 1)
        self.assertGreater(len(set(s["encoder"][4:10, 0])), 1)
        self.assertEqual(np.flatnonzero(np.isnan(s["gyro"])).tolist(), [12, 13])
        self.assertEqual(np.flatnonzero(s["accel"][:, 0] > 1e8).tolist(), [20])
        self.assertLess(np.abs(s["accel"][:, 1]).max(), 20)


class Gaits(unittest.TestCase):
    def test_hops_draw_what_is_stated(self):
        """Drags in a share of DRAGS of the hops, of 0.4 to 1.3 times the thrust to either side, which come up in 3 to 30 ms;
        the foot goes on until it is 4 cm away."""
        hops = gait.Hopper(load_chain(default_chain("hopper")), np.random.default_rng(3), np.array([0.0, -0.32]), 3.35, 0.01,
                           TICK)
        drags, rises = [], []
        for _ in range(2000):
            hops.draw()
            drags.append(hops.drag)
            rises.append(hops.rise)
        dragged = np.abs(drags)[np.array(drags) != 0]
        self.assertAlmostEqual(len(dragged) / 2000, 0.6, delta=0.05)
        self.assertAlmostEqual(np.mean(np.array(drags) > 0), 0.3, delta=0.05)
        for values, low, high in ((dragged, 0.4, 1.3), (rises, 0.003, 0.03)):
            self.assertTrue(low <= min(values) < 1.1 * low and 0.95 * high < max(values) <= high)
        hops.stance, hops.since, hops.thrust, hops.extending, hops.touch_x = True, 0.0, 1000.0, False, 0.0
        hops.drag, hops.drag_at, hops.rise = 1.0, 0.0, 0.01
        pulls = []
        for x in (0.039, 0.041):
            state = State(np.zeros(2), np.zeros(2), np.array([0.0, 0.3, 0.0]), np.array([0.0, -0.1, 0.0]),
                          np.array([x, 0.0]), np.zeros(2), np.eye(2), np.zeros(2))
            pulls.append(hops.in_stance(0.005, state, 0.3)[0])
        self.assertGreater(pulls[0], 0)       # half of the push, as 5 of 10 ms are over
        self.assertAlmostEqual(pulls[1], -2000 * 0.041)

    def test_steps_begin_at_the_start(self):
        """Whatever a gait was asked before, start() puts the foot's target under the hip, at rest."""
        plant = Plant("leg")
        for seed in (1, 2):
            plant.reset(seed)
            base, _ = plant.gait.start()
            np.testing.assert_array_equal(plant.gait.target, base[:2] + plant.home)
            np.testing.assert_array_equal(plant.gait.begin, plant.gait.target)
            np.testing.assert_array_equal(plant.gait.before, plant.gait.target)
            self.assertEqual((plant.gait.phase, plant.gait.since, plant.gait.fall), (plant.gait.lift, 0.0, 0.0))


class Sizes(unittest.TestCase):
    def test_the_legs_of_the_tuning_have_size_one(self):
        for name in ("hopper", "leg"):
            size = size_of(load_chain(default_chain(name)))
            self.assertEqual((size.mass, size.length, size.torque), (1.0, 1.0, 1.0))

    def test_a_similar_leg_moves_alike(self):
        """Eight times the mass, of everything: the same motion, eight times the force."""
        heavy = scales.chain_of(scales.Scale("heavy", scales.Ratios(8.0)), "leg")
        light, heavy = episodes.episode("leg", 3, 1.0, cached=False), episodes.episode("leg", 3, 1.0, chain=heavy, cached=False)
        np.testing.assert_allclose(heavy.encoder, light.encoder, atol=2e-4)
        np.testing.assert_allclose(heavy.truth.impulse.sum(0), 8 * light.truth.impulse.sum(0), rtol=0.01)

    def test_a_tick_of_another_length_is_the_same_world(self):
        """Twice as many ticks of 0.5 ms in a second; the hop is the same within what torques held half as long do."""
        usual, quick = (episodes.episode("hopper", 3, 1.0, tick=tick, cached=False) for tick in (1e-3, 0.5e-3))
        self.assertEqual((len(usual), len(quick)), (1000, 2000))
        self.assertAlmostEqual(quick.truth.touch_down[0], usual.truth.touch_down[0], delta=2e-3)
        self.assertAlmostEqual(quick.time()[-1], 1.0)


class Refusals(unittest.TestCase):
    def test_words(self):
        leg, hopper = default_chain("leg"), default_chain("hopper")
        for make, words in ((lambda: Plant("dog"), "plant 'dog'"), (lambda: Plant("leg", law="soft"), "law 'soft'"),
                            (lambda: Plant("leg", hopper), "field root: is rail; the plant leg wants floating"),
                            (lambda: Plant("leg", simulator="ode"), "simulator 'ode'"),
                            (lambda: DartWorld(load_chain(leg)), "field rotor_inertia"),
                            (lambda: Plant("leg", law="spring500", simulator="dart"), "DART's contact is stiff")):
            with self.assertRaises(TinycontactError) as caught:
                make()
            self.assertIn(words, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
