# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The command `tinycontact NOUN VERB`, made from the tables of grammar.py.

Every fault of a file or an option is one line on standard error and exit status 2. A module with a
verb is imported only when that verb is called.
"""
import argparse
import importlib
import os
import sys

from . import __version__
from .dimension import PLANE, SPACE, TOSSES, is_tosses
from .errors import TinycontactError
from .grammar import HELP, NOUNS, nearest, noun_of, old_spelling
from .progress import say

USAGE = "usage: tinycontact NOUN VERB ..."
DESCRIPTION = """Train contact models and use them, run firmware against simulated legs, solve
complementarity problems, and work with model files (.tcm)."""
HINTS = """`tinycontact NOUN` lists the verbs of a noun. `tinycontact --version` prints the version.
`tinycontact NOUN VERB --help` describes options and files."""
OUTPUTS = ("out", "output", "plot", "animate", "json", "link", "c",   # options that may name a file to write
           "html", "mcap", "rerun")
MISTAKE = 2   # exit status


def overview():
    """What `tinycontact --help` prints."""
    width = max(len(" ".join(noun)) for noun in NOUNS)
    lines = []
    for noun, entry in NOUNS.items():
        lines.append(f"  {' '.join(noun):{width}}  {entry.text}")
        if "" not in entry.verbs:
            lines.append(f"  {'':{width}}    {', '.join(entry.verbs)}")
    return "\n".join([USAGE, "", DESCRIPTION, "", "nouns and their verbs:", *lines, "", HINTS])


def listing(noun):
    """What `tinycontact NOUN` prints."""
    named = " ".join(noun)
    rows = {name: verb.text for name, verb in NOUNS[noun].verbs.items()}
    rows |= {" ".join(below[len(noun):]): entry.text for below, entry in NOUNS.items()
             if below[:len(noun)] == noun and below != noun}
    width = max(map(len, rows))
    lines = [f"  {name:{width}}  {text}" for name, text in rows.items()]
    return "\n".join([f"usage: tinycontact {named} VERB ...", "", f"{named}: {NOUNS[noun].text}",
                      "", "verbs:", *lines, "",
                      f"`tinycontact {named} VERB --help` describes options and files."])


def _called(reference):
    """The function that "module:function" names."""
    module, _, function = reference.partition(":")
    return getattr(importlib.import_module(f".{module}", __package__), function)


def spelling(noun, name):
    """The words of a command."""
    return " ".join(("tinycontact", *noun, name)).rstrip()


def parser(noun, name, dimension=PLANE):
    """The argparse parser of a verb."""
    verb = NOUNS[noun].verbs[name]
    prog = spelling(noun, name)
    p = argparse.ArgumentParser(prog=prog, formatter_class=argparse.RawDescriptionHelpFormatter)
    _called({PLANE: verb.plane, SPACE: verb.space, TOSSES: verb.tosses}[dimension])(p)
    if dimension == TOSSES:
        return p
    if verb.space:
        p.add_argument("--dimension", type=int, choices=(PLANE, SPACE),
                       help="2: in the plane, 3: in space; needed only where no file shows it")
        other, where = (SPACE, "In space") if dimension == PLANE else (PLANE, "In the plane")
        p.epilog += f"\n\n{where} the options are others: {prog} --dimension {other} --help"
    if verb.tosses:
        p.epilog += f"\n\nFor an identified body in space the options are others: {prog} --log --help"
    return p


def _unknown(noun, word):
    """One line about a word that is no noun, or no verb of its noun."""
    prog, meant = " ".join(("tinycontact", *noun)), nearest(noun, word)
    guess = f"did you mean `tinycontact {meant}`?" if meant else f"`{prog} --help` lists them"
    print(f"{prog}: no {'verb' if noun else 'command'} {word!r}; {guess}", file=sys.stderr)
    return MISTAKE


def _form(verb, words):
    """Which of a verb's forms the words mean."""
    if verb.tosses and is_tosses(words, verb.own):
        return TOSSES
    return _called(verb.dimension)(words) if verb.space else PLANE


def _run(noun, name, words):
    verb = NOUNS[noun].verbs[name]
    try:
        dimension = _form(verb, words)
        if dimension == TOSSES and set(words) & set(HELP):
            words = HELP[-1:]   # of `--log --help`, where --log lacks its file
        options = parser(noun, name, dimension).parse_args(words)
        _check_outputs(options)
        options.run(options)
        sys.stdout.flush()
        return 0
    except TinycontactError as error:
        print(f"{spelling(noun, name)}: {error}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        return 130


def _check_outputs(options):
    """Refuses an output in a folder that is not there, before anything takes time."""
    from .model import check_folder
    for name in OUTPUTS:
        if isinstance(path := getattr(options, name, None), str):
            check_folder(path)


def main(arguments=None):
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words:
        print(overview(), file=sys.stderr)
        return MISTAKE
    if words[0] in HELP or words[0] == "--version":
        print(overview() if words[0] in HELP else f"tinycontact {__version__}")
        return 0
    if found := old_spelling(words):
        old, new = found
        say(f"`tinycontact {' '.join(old)}` is an old spelling;"
            f" now it is `tinycontact {' '.join(new)}`")
        words = [*new, *words[len(old):]]
    noun = noun_of(words)
    if not noun:
        return _unknown(noun, words[0])
    rest = words[len(noun):]
    if "" in NOUNS[noun].verbs:
        return _run(noun, "", rest)
    if not rest or rest[0] in HELP:
        print(listing(noun))
        return 0
    if rest[0] not in NOUNS[noun].verbs:
        return _unknown(noun, rest[0])
    return _run(noun, rest[0], rest[1:])


def run():
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:   # the reader of the output has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    sys.exit(status)


if __name__ == "__main__":
    run()
