# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A leg's configuration file: its rate, its sensors and what was tuned. Commands take it as --config.

    {"rate": 500,
     "sensors": {"encoder": {"bits": 14}, "torque": {"source": "current", "constant": 0.07, "gear": 9}},
     "settings": {"force": 150.0},
     "notes": ["..."]}

    rate      ticks per second, 200 to 4,000 (1,000)
    sensors   as data sheets have them: sensing.py
    settings  fields of tc_estimator_config that differ from tc_estimator_default_for: a number, or a list with one per
              joint; lib/estimator/tc_estimator.h says what each does. `step` is the rate's
    notes     for people
"""
import difflib
from dataclasses import dataclass, field, replace

from ..errors import StatusError, TinycontactError
from ..jsonfile import number, read_json, write_json
from . import estimate
from .sensing import DataSheet, read_sensors
from .world import TICK

FIELDS = ("rate", "sensors", "settings", "notes")
SLOWEST, FASTEST = 200.0, 4000.0   # [1/s]: ticks of 5 to 0.25 ms, at which tests/hil/rates.csv judges the estimator


@dataclass(frozen=True)
class Configuration:
    rate: float = 1.0 / TICK
    sensors: DataSheet = field(default_factory=DataSheet)
    settings: dict = field(default_factory=dict)   # as in the file
    notes: tuple = ()
    text: dict = field(default_factory=dict)       # the sensors, as they were read

    @property
    def tick(self):
        """[s]"""
        return TICK if self.rate == 1.0 / TICK else 1.0 / self.rate

    def all_settings(self):
        """{field of tc_estimator_config: number, or one per joint}: what was tuned, and what the sensors say of it."""
        return {**self.sensors.settings(), **self.settings}

    def with_bits(self, bits):
        """The same with encoders of so many bits per turn of the joint, where it does not say."""
        if any("bits" in one or "counts" in one for one in self.sensors.encoder):
            return self
        bits = int(bits) if bits == round(bits) else round(bits, 3)
        text = {**self.text, "encoder": [{**one, "bits": bits} for one in self.sensors.encoder]}
        return replace(self, sensors=read_sensors(text, "sensors"), text=text)

    def estimator(self, chain, **more):
        """An estimate.Estimator of a Chain."""
        return estimate.Estimator(chain, tick=self.tick, sensors=self.sensors, **{**self.all_settings(), **more})

    def numbers(self, chain):
        """{field of tc_estimator_config: number, or one per joint}, all of them."""
        return estimate.configuration(chain, self.tick, self.sensors, **self.all_settings())

    def check(self, chain, where="the configuration"):
        """Refuses what no estimator of this leg takes."""
        estimate.configuration(chain, self.tick, self.sensors)
        for name, value in self.settings.items():
            if isinstance(value, list) and len(value) != len(chain.links):
                raise TinycontactError(f"{where}, settings, field {name}: is a list of {len(value)}; the leg has"
                                       f" {len(chain.links)} joints")
        for name, value in self.all_settings().items():
            _try(chain, self, name, value, where)
        return self

    def as_json(self):
        rate = int(self.rate) if float(self.rate).is_integer() else self.rate
        return {"rate": rate, **({"sensors": self.text} if self.text else {}), "settings": self.settings,
                **({"notes": list(self.notes)} if self.notes else {})}

    def write(self, path):
        write_json(path, self.as_json())


def _try(chain, config, name, value, where):
    """Refuses a setting alone, so that the message can name it."""
    try:
        estimate.accepts(chain, config.tick, config.sensors, **{name: value})
    except StatusError:
        raise TinycontactError(f"{where}, settings, field {name}: {value!r} is out of its range, which"
                               " lib/estimator/tc_estimator.h has") from None


def read_rate(value, where):
    """Ticks per second."""
    rate = number(value, where)
    if not SLOWEST <= rate <= FASTEST:
        likely = f"; {1 / rate:g} Hz is meant, if this is a tick in s" if 1 / FASTEST <= rate <= 1 / SLOWEST else ""
        raise TinycontactError(f"{where}: is {rate:g}, not from {SLOWEST:g} to {FASTEST:g} Hz{likely}")
    return rate


def _settings(value, where):
    if not isinstance(value, dict):
        raise TinycontactError(f"{where}: is no object of fields of tc_estimator_config")
    known, read = {**estimate.fields(), "frozen": 1}, {}
    for name, entry in value.items():
        place = f"{where}, field {name}"
        if name == "step" or name not in known:
            near = difflib.get_close_matches(name, [field for field in known if field != "step"], 1)
            raise TinycontactError(f"{place}: " + ("is the rate's; say rate in its place" if name == "step" else
                                   "is no field of the estimator's configuration"
                                   + (f"; the nearest is {near[0]}" if near else "")))
        if isinstance(entry, list) and (known[name] == 1 or not entry):
            raise TinycontactError(f"{place}: is a list of {len(entry)}; "
                                   + ("it is one number" if known[name] == 1 else "one number per joint is wanted"))
        read[name] = [number(one, place) for one in entry] if isinstance(entry, list) else number(entry, place)
    return read


def parse(value, path):
    """The Configuration in a JSON value that was read from `path`."""
    if not isinstance(value, dict):
        raise TinycontactError(f"{path}: is no object with {', '.join(FIELDS)}")
    for name in value:
        if name not in FIELDS:
            near = difflib.get_close_matches(name, FIELDS, 1)
            raise TinycontactError(f"{path}: unknown field {name}"
                                   + (f"; the nearest is {near[0]}" if near else f"; there are {', '.join(FIELDS)}"))
    notes = value.get("notes", [])
    if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
        raise TinycontactError(f"{path}, field notes: is no list of texts")
    sensors = value.get("sensors", {})
    return Configuration(read_rate(value.get("rate", 1.0 / TICK), f"{path}, field rate"),
                         read_sensors(sensors, f"{path}, sensors"),
                         _settings(value.get("settings", {}), f"{path}, settings"), tuple(notes), sensors)


def load(path):
    """The Configuration in a file."""
    return parse(read_json(path), str(path))
