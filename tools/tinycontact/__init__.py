# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact: model files for microcontrollers, and the C library on NumPy arrays.

    net = tinycontact.Net("friction", [(W0, b0, "tanh"), (W1, b1, "identity")])
    tinycontact.Model([net], step_size=0.001).save("friction.tcm")
    tinycontact.Library().eval(net, x)                      # the host build
    with tinycontact.Board("mps2-an386") as board:          # an emulated board
        board.eval(net, x)
"""
from . import lcp
from .board import Board
from .cexport import export_c
from .errors import FormatError, StatusError, TinycontactError, TinycontactNote
from .importers import from_jax, from_torch
from .library import Library
from .model import Model, load
from .net import Layer, Net, Samples, fold_normalisation
from .quantise import quantise
from .record import ContactRecord
from .record_system import SystemRecord

__version__ = "0.9.0"
__all__ = ["Board", "ContactRecord", "FormatError", "Layer", "Library", "Model", "Net", "Samples",
           "StatusError", "SystemRecord", "TinycontactError", "TinycontactNote", "export_c", "fold_normalisation", "from_jax",
           "from_torch", "lcp", "load", "quantise"]
