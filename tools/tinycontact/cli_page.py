# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""docs/reference/command-line.md, made from the grammar and from the parsers of all verbs.

    PYTHONPATH=tools build/venv/bin/python -m tinycontact.cli_page docs/reference/command-line.md

A test compares the committed page with what this module makes. The options are written here and not
by argparse, whose layout depends on the terminal and on the version of Python.
"""
import argparse
import sys
import textwrap

from .cli import parser
from .dimension import PLANE, SPACE, TOSSES
from .grammar import NOUNS, OLD

INTRODUCTION = """# Command line

`tinycontact NOUN VERB ...` is the form of every command. `tinycontact NOUN` lists the verbs of a
noun. `tinycontact NOUN VERB --help` prints the section of that command on this page.
`tinycontact --version` prints the version. A misspelled word gives one line with the nearest
command.

In a checkout the program is `build/venv/bin/tinycontact`. `python -m tinycontact.cli_page` made
this page from the program's own parsers.

## Exit status

| status | meaning |
|---|---|
| 0 | The command did all that it should do. |
| 1 | The command ran, but its result is negative: `leg hil replay` found a difference, or \
`leg hil run` judged nothing. Also: the reader of the output closed it. |
| 2 | An option or a file is wrong. One line on standard error names it. |
| 130 | Ctrl-C ended the command. |

## Plane and space

A body in the plane has two numbers per vertex, a body in space has three. `body train`,
`body evaluate` and `leg swing` serve both. They read the dimension from the shape's file or from
the model. `--dimension 2` or `--dimension 3` decides where no file shows it.
"""
OLD_SPELLINGS = """## Old spellings

Old spellings still work: they write the same files and end with the same exit status. They print
one line on standard error that names the new spelling.
"""


def _cell(text):
    return " ".join(text.split()).replace("|", "\\|")


def _value(action):
    """What follows an option: its words, its metavariable, or nothing."""
    if action.nargs == 0:
        return ""
    word = action.metavar or "|".join(map(str, action.choices or [action.dest.upper()]))
    return {"+": f" {word} ...", "*": f" [{word} ...]"}.get(action.nargs, f" {word}")


def _short(action):
    """An option as an example would spell it."""
    return f"{'-o' if '-o' in action.option_strings else action.option_strings[0]}{_value(action)}"


def _usage(p, options, positionals):
    """What must be given, in one line."""
    words = [p.prog]
    for action in positionals:
        name = action.metavar or "|".join(action.choices)
        words.append({"?": f"[{name}]", "*": f"[{name} ...]"}.get(action.nargs, name))
    words += [_short(action) for action in options if action.required]
    for group in p._mutually_exclusive_groups:
        if group.required:
            words.append(f"({' | '.join(_short(action) for action in group._group_actions)})")
    return " ".join([*words, "[options]"] if options else words)


def _section(p):
    """The lines about one parser, without a heading."""
    actions = [action for action in p._actions if not isinstance(action, argparse._HelpAction)]
    options = [action for action in actions if action.option_strings]
    positionals = [action for action in actions if not action.option_strings]
    lines = [textwrap.fill(" ".join(p.description.split()), 100, break_on_hyphens=False), "", "```text", _usage(p, options, positionals), "```", ""]
    if options:
        lines += ["| option | meaning |", "|---|---|"]
        for action in options:
            names = ", ".join(f"`{name}{_value(action)}`" for name in action.option_strings)
            required = " (required)" if action.required else ""
            lines.append(f"| {_cell(names)} | {_cell((action.help or '').replace('%%', '%'))}{required} |")
        lines.append("")
    if p.epilog:
        lines += ["```text", p.epilog, "```", ""]
    return lines


def page():
    """The text of the page."""
    lines = [INTRODUCTION, "## Commands", "", "| command | purpose |", "|---|---|"]
    for noun, entry in NOUNS.items():
        for name, verb in entry.verbs.items():
            command = " ".join((*noun, name)).rstrip()
            lines.append(f"| [`{command}`](#{command.replace(' ', '-')}) | {_cell(verb.text)} |")
    for noun, entry in NOUNS.items():
        for name, verb in entry.verbs.items():
            lines += ["", f"## {' '.join((*noun, name)).rstrip()}", ""]
            lines += _section(parser(noun, name, PLANE))
            if verb.space:
                lines += ["In space:", "", *_section(parser(noun, name, SPACE))]
            if verb.tosses:
                lines += ["For an identified body in space:", "", *_section(parser(noun, name, TOSSES))]
            lines.pop()
    lines += ["", OLD_SPELLINGS, "| old | now |", "|---|---|"]
    for old, new in OLD.items():
        typed = f"`{' '.join(old)}`" + (" with a file or an option" if old in NOUNS else "")
        lines.append(f"| {typed} | `{' '.join(new)}` |")
    return "\n".join(lines) + "\n"


def main():
    p = argparse.ArgumentParser(prog="python -m tinycontact.cli_page",
                                description="Write the page of all commands.")
    p.add_argument("output", metavar="command-line.md")
    with open(p.parse_args().output, "w", encoding="utf-8") as file:
        file.write(page())


if __name__ == "__main__":
    sys.exit(main())
