# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The command `tinycontact`. What can go wrong with files and options is told in one line, exit status 2."""
import argparse
import os
import sys

from . import cli_compute, cli_contact, cli_lcp, cli_model, cli_train
from .cdl import cli as cli_cdl
from .chain import cli as cli_chain
from .errors import TinycontactError
from .hil import cli as cli_hil
from .hil import cli_evaluate, cli_observer, cli_scales
from .hil import cli_train as cli_hil_train
from .model import check_folder
from .spatial import cli as cli_box

DESCRIPTION = ("Learn a contact model from a shape or from logged throws, predict with it and judge it; solve"
               " complementarity problems; write, inspect and check model files (.tcm). COMMAND --help says what"
               " its files hold.")
OUTPUTS = ("out", "output", "plot", "json", "link")   # options that may name a file to write


def parser():
    top = argparse.ArgumentParser(prog="tinycontact", description=DESCRIPTION)
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    cli_train.add(commands)
    cli_contact.add(commands)
    cli_lcp.add(commands)
    cli_chain.add(commands)
    cli_box.add(commands)
    cli_cdl.add(commands)
    cli_evaluate.add(commands)
    cli_hil.add(commands)
    cli_scales.add(commands)
    cli_observer.add(commands)
    cli_hil_train.add(commands)
    cli_model.add(commands)
    cli_compute.add(commands)
    return top


def main(arguments=None):
    options = parser().parse_args(arguments)
    try:
        for name in OUTPUTS:
            if isinstance(path := getattr(options, name, None), str):
                check_folder(path)
        options.run(options)
        sys.stdout.flush()
        return 0
    except TinycontactError as error:
        print(f"tinycontact {options.command}: {error}", file=sys.stderr)
        return error.exit_status
    except BrokenPipeError:   # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def run():
    sys.exit(main())


if __name__ == "__main__":
    run()
