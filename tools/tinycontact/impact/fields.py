# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Fields of a JSON object, taken one by one; an error names the file, the path to the field, and why."""
import json
from difflib import get_close_matches

import numpy as np

from ..errors import TinycontactError
from ..jsonfile import number

MISSING = object()


class Fields:
    """An object of a file. Each field is taken once; `done` refuses those that nobody took."""

    def __init__(self, value, where, known):
        if not isinstance(value, dict):
            raise TinycontactError(f"{where}: is {json.dumps(value)[:40]}, not an object")
        self.value, self.where, self.known = value, where, known
        for name in value:
            if name not in known:
                near = get_close_matches(name, known, 1)
                hint = f"; did you mean {near[0]}?" if near else f"; it may have {', '.join(known)}"
                raise TinycontactError(f"{where}: unknown field {name!r}{hint}")

    def at(self, name):
        return f"{self.where}, field {name}"

    def has(self, name):
        return name in self.value

    def refuse(self, name, text):
        raise TinycontactError(f"{self.at(name)}: {text}")

    def get(self, name, default=MISSING):
        if name in self.value:
            return self.value[name]
        if default is MISSING:
            raise TinycontactError(f"{self.where}: no field {name}")
        return default

    def number(self, name, default=MISSING, least=-np.inf, most=np.inf, above=None):
        value = self.get(name, default)
        if name not in self.value:
            return value
        value = number(value, self.at(name))
        if above is not None and not value > above:
            self.refuse(name, f"is {value:g}, must be above {above:g}")
        if not least <= value <= most:
            limits = f"at least {least:g}" if most == np.inf else f"{least:g} to {most:g}"
            self.refuse(name, f"is {value:g}, must be {limits}")
        return value

    def whole(self, name, default=MISSING, least=0, most=10_000_000):
        value = self.number(name, default, least, most)
        if name in self.value and value != int(value):
            self.refuse(name, f"is {value:g}, not a whole number")
        return value if value is None else int(value)

    def text(self, name, default=MISSING, words=None):
        value = self.get(name, default)
        if name in self.value and (not isinstance(value, str) or not value):
            self.refuse(name, f"is {json.dumps(value)[:40]}, not a name")
        if words is not None and value not in words:
            self.refuse(name, f"is {json.dumps(value)[:40]}, none of {', '.join(words)}")
        return value

    def vector(self, name, length, default=MISSING):
        """float64 [length]."""
        value = self.get(name, default)
        if name not in self.value:
            return None if value is None else np.asarray(value, np.float64)
        return vector(value, self.at(name), length)

    def items(self, name, kind=list):
        """The entries of a list, or of an object; none if the field is missing."""
        value = self.get(name, kind())
        if not isinstance(value, kind):
            self.refuse(name, f"is no {'list' if kind is list else 'object'}")
        return value


def vector(value, where, length):
    if not isinstance(value, list) or len(value) != length:
        raise TinycontactError(f"{where}: is {json.dumps(value)[:40]}, not {length} numbers")
    return np.array([number(entry, f"{where}[{k}]") for k, entry in enumerate(value)])
