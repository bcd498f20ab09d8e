# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Logs of legs for tests: of the project's plants, and of a leg of three joints that is simulated by a model and a
controller of its own, with MuJoCo's own sensors: other axes, other masses, other habits than the plants'."""
import functools
import json

import numpy as np

from tinycontact_case import ROOT
from tinycontact.hil.episodes import episode
from tinycontact.hil.plant import plant_chain
from tinycontact.leglog import convert

G = 9.81

FOREIGN_XML = """
<mujoco>
  <option timestep="0.00025" integrator="implicitfast"/>
  <worldbody>
    <geom name="ground" type="plane" size="9 9 1" friction="0.8 0.005 0.0001" solref="0.004 1"/>
    <body name="trunk" pos="0 0 0.62">
      <joint name="x" type="slide" axis="1 0 0"/>
      <joint name="z" type="slide" axis="0 0 1"/>
      <joint name="turn" type="hinge" axis="0 1 0"/>
      <inertial pos="0 0 0" mass="4" diaginertia="0.03 0.06 0.06"/>
      <site name="imu"/>
      <body name="thigh" pos="0.02 0 -0.03">
        <joint name="hip" type="hinge" axis="0 1 0" damping="0.02" armature="0.01" frictionloss="0.03"/>
        <inertial pos="0.01 0 -0.09" mass="1.1" diaginertia="0.006 0.006 0.001"/>
        <body name="shank" pos="0 0 -0.25">
          <joint name="knee" type="hinge" axis="0 -1 0" damping="0.02" armature="0.01" frictionloss="0.03"/>
          <inertial pos="0 0 -0.11" mass="0.5" diaginertia="0.003 0.003 0.0005"/>
          <body name="toe" pos="0 0 -0.24">
            <joint name="ankle" type="hinge" axis="0 1 0" damping="0.02" armature="0.002" frictionloss="0.01"/>
            <inertial pos="0.02 0 -0.04" mass="0.15" diaginertia="0.0003 0.0003 0.0001"/>
            <geom name="foot" type="sphere" size="0.018" pos="0.03 0 -0.08" friction="0.8 0.005 0.0001" 
                  solref="0.004 1"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <sensor>
    <accelerometer site="imu"/> <gyro site="imu"/> <framepos objtype="site" objname="imu"/>
  </sensor>
</mujoco>"""

FOREIGN_LEG = {
    "root": "floating", "g": G, "base": {"mass": 4.0, "inertia": 0.06},
    "links": [
        {"joint": "revolute", "axis": [0, 1, 0], "origin": [0.02, 0, -0.03], "mass": 1.1, "com": [0.01, 0, -0.09],
         "inertia": 0.006, "rotor_inertia": 0.01, "damping": 0.02},
        {"joint": "revolute", "axis": [0, -1, 0], "origin": [0, 0, -0.25], "mass": 0.5, "com": [0, 0, -0.11],
         "inertia": 0.003, "rotor_inertia": 0.01, "damping": 0.02},
        {"joint": "revolute", "axis": [0, 1, 0], "origin": [0, 0, -0.24], "mass": 0.15, "com": [0.02, 0, -0.04],
         "inertia": 0.0003, "rotor_inertia": 0.002, "damping": 0.02}],
    "foot": {"shape": "sphere", "radius": 0.018, "center": [0.03, 0, -0.08]}}


def _wanted(time):
    """Joint angles that a careless hopper asks for: crouch, push, swing."""
    phase = (time % 0.7) / 0.7
    lift = np.sin(np.pi * np.clip((phase - 0.55) / 0.45, 0, 1))
    sway = 0.15 * np.sin(2 * np.pi * time / 1.9)
    return np.array([-0.5 - 0.45 * lift + sway, -1.0 - 0.9 * lift, -0.5 - 0.45 * lift])


def _gantry(time, height, speed):
    """Force on the trunk [N]: holds it where it should be, and lifts it for the swing."""
    phase = (time % 0.7) / 0.7
    wanted = 0.52 + 0.05 * np.sin(np.pi * np.clip((phase - 0.5) / 0.5, 0, 1))
    return 900 * (wanted - height) - 60 * speed + 40


def _thrower(time, height, speed):
    """The same of a gantry that throws the trunk, which then flies for 0.22 s, and catches it."""
    flies, stands, weight = 0.22, 0.48, 5.75
    at = time % (flies + stands)
    up, push, at = (G * flies / 2, G * flies / stands, at) if at < stands else (G * flies / 2, -G, at - stands)
    start = -up if push > 0 else up
    wanted = 0.54 + start * at + push * at**2 / 2
    return 3000 * (wanted - height) + 150 * (start + push * at - speed) + weight * (push + G)


@functools.cache
def foreign(seconds=8.0, rate=500, seed=0, thrown=False):
    """{column: [T]} of the leg of FOREIGN_XML, logged at `rate` [Hz]; `thrown`: its trunk feels 0 g now and then."""
    import mujoco
    model = mujoco.MjModel.from_xml_string(FOREIGN_XML)
    data, random, rows = mujoco.MjData(model), np.random.default_rng(seed), []
    stiff, damped = np.array([90.0, 90.0, 25.0]), np.array([1.5, 1.5, 0.3])
    data.qpos[3:] = _wanted(0.0)
    steps = round(1 / (rate * model.opt.timestep))
    for k in range(round(seconds * rate)):
        time = k / rate
        tau = stiff * (_wanted(time) - data.qpos[3:]) - damped * data.qvel[3:]
        touched, felt = False, np.zeros(3)
        for _ in range(steps):
            lift = (_thrower if thrown else _gantry)(time, data.qpos[1] + 0.62, data.qvel[1])
            data.qfrc_applied[:3] = [-150 * (data.qpos[0] - 0.05 * np.sin(2.1 * time)) - 30 * data.qvel[0],
                                     lift,
                                     -25 * (data.qpos[2] - 0.12 * np.sin(2.9 * time)) - 1.2 * data.qvel[2]]
            data.qfrc_applied[3:] = tau
            mujoco.mj_step(model, data)
            touched |= data.ncon > 0
            felt += data.sensordata[:3]
        noisy = random.standard_normal
        step = 2 * np.pi / 2**14
        rows.append([time, *(np.round(data.qpos[3:] / step) * step), *(tau + 0.05 * noisy(3)),
                     data.sensordata[4] + 0.003 * noisy(),
                     felt[0] / steps + 0.06 * noisy(), felt[2] / steps + 0.06 * noisy(), data.qpos[2], touched])
    names = ("t", "q1", "q2", "q3", "tau1", "tau2", "tau3", "gyro_y", "accel_x", "accel_z", "pitch", "contact")
    return dict(zip(names, np.array(rows, float).T))


@functools.cache
def plant(name, seed=3, seconds=8.0, **options):
    """{column: [T]} of a plant's episode."""
    chain = plant_chain(name)
    return convert.of_episode(chain, episode(name, seed, seconds, **options))


def chain_file(name):
    """The path of a leg's chain file; that of the foreign one is written here."""
    if name != "foreign":
        return ROOT / "tests" / "hil" / "chains" / f"{name}.json"
    with open("foreign.json", "w", encoding="ascii") as file:
        json.dump(FOREIGN_LEG, file)
    return "foreign.json"


def columns_of(name):
    return dict(foreign() if name == "foreign" else plant(name))


def write(path, columns):
    """A CSV as people write them: all digits."""
    table = np.column_stack([np.asarray(values, float) for values in columns.values()])
    np.savetxt(path, table, delimiter=",", header=",".join(columns), comments="", fmt="%.17g")
