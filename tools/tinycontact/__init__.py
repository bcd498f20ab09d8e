# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact: model files for microcontrollers, and the C library on NumPy arrays.

    net = tinycontact.Net("friction", [(W0, b0, "tanh"), (W1, b1, "identity")])
    tinycontact.Model([net], step_size=0.001).save("friction.tcm")
    tinycontact.Library().eval(net, x)                      # the host build
    with tinycontact.Board("mps2-an386") as board:          # an emulated board
        board.eval(net, x)

A name is imported when it is first used: `tinycontact --help` and the lists of verbs need no NumPy,
whose import takes longer than everything else they do.
"""
import importlib

__version__ = "0.9.0"
_MODULES = {"board": ["Board"], "cexport": ["export_c"],
            "errors": ["FormatError", "StatusError", "TinycontactError", "TinycontactNote"],
            "importers": ["from_jax", "from_torch"], "library": ["Library"],
            "model": ["Model", "load"],
            "net": ["Layer", "Net", "Samples", "fold_normalisation"], "quantisation": ["quantise"],
            "record": ["ContactRecord"], "record_system": ["SystemRecord"]}
_HOME = {name: module for module, names in _MODULES.items() for name in names}
__all__ = sorted([*_HOME, "lcp"])   # lcp is a module


def __getattr__(name):
    """A name of __all__, or a module of the package, imported now and kept."""
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = importlib.import_module(f".{_HOME.get(name, name)}", __name__)
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{name}":
            raise
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    value = getattr(module, name) if name in _HOME else module
    globals()[name] = value
    return value


def __dir__():
    return sorted([*globals(), *__all__])
