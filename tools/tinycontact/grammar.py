# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The grammar of the command line, as data: nouns, their verbs, and what each old spelling is now.

`tinycontact NOUN VERB ...`. The command (cli.py), its tests and docs/reference/command-line.md are
made from the two tables of this file. It imports nothing of the package, so that
`tinycontact --help` starts quickly.
"""
import difflib
import os
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Verb:
    """One command.

    text       what it does, for lists
    plane      "module:function" of the function that adds its options to a parser
    space      the same for bodies in space; "" for a verb that has one form only
    tosses     the same for an identified body in space, which --body names
    own        options that only the form of an identified body has
    dimension  "module:function" of the function that finds the dimension from the command's words
    """
    text: str
    plane: str
    space: str = ""
    dimension: str = ""
    tosses: str = ""
    own: tuple = ()


@dataclass(frozen=True)
class Noun:
    """What a command is about. A noun that is a command by itself has one verb, whose name is ""."""
    text: str
    verbs: dict = field(default_factory=dict)


NOUNS = {
    ("demo",): Noun("see the contact of a leg estimated, from a log in the package or yours", {
        "": Verb("estimate and draw the contact of the package's leg, or of your own",
                 "cli_demo:add")}),
    ("body",): Noun("a body's contact model: train it, use it, judge it", {
        "train": Verb("train a contact model, from a shape or from logged throws", "cli_train:add",
                      "spatial.cli:add_train", "dimension:of_body", "toss.use_cli:add_train"),
        "identify": Verb("identify a body from logged tosses in space",
                         "toss.cli:add_identify"),
        "replay": Verb("predict contact class and impulse for each state of a CSV file",
                       "cli_contact:add_replay", tosses="toss.use_cli:add_replay"),
        "throw": Verb("throw the body and follow it until it rests", "cli_contact:add_throw",
                      tosses="toss.use_cli:add_throw", own=("--log", "--position")),
        "evaluate": Verb("judge a contact model on fresh states and on throws",
                         "cli_contact:add_evaluate", "spatial.cli:add_evaluate",
                         "dimension:of_body", "toss.judge_cli:add_evaluate", ("--from",)),
        "collide": Verb("throw two boxes at each other and judge the contact model between them",
                        "spatial.collide_cli:add"),
        "predict": Verb("predict the tosses of a log by an identified body",
                        "toss.judge_cli:add_predict"),
        "export": Verb("write a body and its contact model as C for firmware",
                       "cli_contact:add_export", tosses="toss.use_cli:add_export"),
        "figure": Verb("draw a figure of the paper with your contact model",
                       "cli_contact:add_figure")}),
    ("leg",): Noun("legs: your robot's leg as a file and as firmware, and swinging chains", {
        "import": Verb("make a chain file of a leg of a URDF or MJCF", "robot.cli:add_import"),
        "check": Verb("print a leg's numbers to measure, and what is suspicious",
                      "robot.cli:add_check"),
        "export": Verb("write a leg, its estimator and a main loop as C", "robot.cli:add_export"),
        "estimate": Verb("estimate the contact of a leg's foot from your own log",
                         "leglog.cli:add_estimate"),
        "swing": Verb("swing a chain onto the floor and compare it with DART",
                      "chain.cli:add", "spatial.limb_cli:add", "dimension:of_swing"),
        "configure": Verb("make the estimator's configuration from rate and data sheets",
                          "hil.cli_configure:add"),
        "tune": Verb("tune the estimator's configuration on your own logs",
                     "hil.cli_tune:add")}),
    ("leg", "hil"): Noun("hardware in the loop: firmware on a board, a simulated leg at its UART", {
        "run": Verb("run the estimator's firmware against a simulated leg", "hil.cli:add_run"),
        "run-robot": Verb("run the firmware of all feet against a simulated robot",
                          "robots.cli_run:add_run"),
        "replay": Verb("feed a run's log to this machine's build and compare every bit",
                       "hil.cli:add_replay"),
        "log": Verb("write a run's log as CSV, for `tinycontact leg estimate` and others",
                    "leglog.cli:add_log"),
        "train": Verb("train a contact model of a leg's foot", "hil.cli_train:add"),
        "evaluate": Verb("judge contact estimators on fresh episodes", "hil.cli_evaluate:add"),
        "evaluate-terrain": Verb("judge the contact estimator on stairs, a slope and a ball",
                                 "hil.cli_terrain:add"),
        "evaluate-scales": Verb("judge contact estimators on other legs, ticks and sensors",
                                "hil.cli_scales:add"),
        "evaluate-rates": Verb("judge the contact estimator at ticks of 0.25 to 5 ms",
                               "hil.cli_rates:add"),
        "evaluate-robots": Verb("judge estimators of all feet of simulated robots",
                                "robots.cli:add_evaluate"),
        "tune": Verb("tune the momentum observer, the estimator's baseline",
                     "hil.cli_observer:add")}),
    ("cdl",): Noun("CD-Lagrange systems: bodies that strike walls and each other", {
        "simulate": Verb("simulate systems with the library, here or on a board",
                         "cdl.cli:add_simulate"),
        "train": Verb("learn a system's potential and contact from a log",
                      "cdl.cli_learn:add_train"),
        "evaluate": Verb("judge every method on the paper's systems",
                         "cdl.cli_learn:add_evaluate")}),
    ("lcp",): Noun("linear complementarity problems", {
        "solve": Verb("solve the problems of a JSON file in float32", "cli_lcp:add")}),
    ("impact",): Noun("impacts with friction and restitution", {
        "identify": Verb("identify friction, restitution and mass ratios from a log",
                         "impact.identify_cli:add_identify"),
        "train": Verb("learn a system's friction, restitution and masses from chunks of motion",
                      "impact.train_cli:add_train"),
        "evaluate": Verb("judge learning on the paper's tasks", "impact.train_cli:add_evaluate"),
        "solve": Verb("solve the contact problems of a JSON file", "impact.cli:add_solve"),
        "simulate": Verb("simulate a scene of bodies that touch, yours or one of the paper's",
                         "impact.simulate_cli:add_simulate"),
        "aim": Verb("find a start by gradients through collisions: billiards, throwing",
                    "impact.downstream_cli:add_aim"),
        "hil": Verb("identify a floor on a board from a simulated box's impacts",
                    "hil.cli_floor:add_hil")}),
    ("scene",): Noun("scenes of bodies with shapes", {
        "simulate": Verb("simulate bodies with shapes, friction and restitution",
                         "scene.simulate_cli:add_simulate"),
        "identify": Verb("identify sizes, masses, forces and friction of a scene from its motion",
                         "scene.identify_cli:add_identify"),
        "evaluate": Verb("run the paper's experiments on identification",
                         "scene.evaluate_cli:add_evaluate")}),
    ("shape",): Noun("shapes by signed distance: grids and terrains, from meshes and height maps", {
        "make": Verb("make a shape from a mesh, a height map or a primitive",
                     "shape.cli:add_make"),
        "inspect": Verb("show what a shape's file or a mesh is", "shape.cli:add_inspect"),
        "check": Verb("check a shape against its mesh, or a mesh for faults",
                      "shape.cli:add_check"),
        "convert": Verb("convert a shape to another form, or to C", "shape.cli:add_convert"),
        "distance": Verb("compute distances of posed pairs of shapes", "shape.distance_cli:add"),
        "toc": Verb("compute when moving shapes first touch within a step", "shape.toc_cli:add"),
        "touch": Verb("let a board feel a ball with a simulated finger, or from your touches",
                      "hil.cli_finger:add_touch")}),
    ("plan",): Noun("plans that discover contact: barriers, implicit steps, planning", {
        "pair": Verb("compute barriers between pairs of convex sets", "plan.pair_cli:add_pair"),
        "simulate": Verb("simulate bodies that push each other from afar",
                         "plan.simulate_cli:add_simulate"),
        "optimise": Verb("find controls through contact by gradients",
                         "plan.optimise_cli:add_optimise"),
        "evaluate": Verb("measure contact models and plans on the paper's experiments",
                         "plan.evaluate_cli:add_evaluate")}),
    ("model",): Noun("model files (.tcm)", {
        "inspect": Verb("show the contents of a model file", "cli_model:add_inspect"),
        "check": Verb("check a file against the format, then run its self-test",
                      "cli_model:add_check"),
        "eval": Verb("compute a net's outputs, here or on a board", "cli_compute:add_eval"),
        "export": Verb("make a model file or C code from NumPy weights", "cli_model:add_export"),
        "quantise": Verb("turn weights into int8 and report the error", "cli_model:add_quantise"),
        "strip": Verb("remove what only desktop tools read, or make C code", "cli_model:add_strip"),
        "layout": Verb("arrange the weights for another core's kernels", "cli_model:add_layout")}),
    ("library",): Noun("the C library itself, on this machine or on a board", {
        "call": Verb("call a matrix or elementary function", "cli_compute:add_call"),
        "version": Verb("print the versions of package, file format and library",
                        "cli_compute:add_version")}),
    ("file",): Noun("JSON files that you write", {
        "schema": Verb("print the form of a kind of file, for editors", "schema_cli:add_schema"),
        "check": Verb("read a file as its command would, and say what is wrong",
                      "schema_cli:add_check")}),
    ("board",): Noun("boards for --board", {
        "list": Verb("list the boards and their cores", "cli_board:add_list"),
        "fits": Verb("say whether functions fit a part's clock, memory and tick", "fits:add")}),
}

OLD = {   # what was typed -> what stands for it now; the rest of the line stays
    ("train",): ("body", "train"),
    ("replay",): ("body", "replay"),
    ("throw",): ("body", "throw"),
    ("evaluate",): ("body", "evaluate"),
    ("figure",): ("body", "figure"),
    ("box",): ("body",),
    ("box", "train"): ("body", "train", "--shape", "box"),
    ("box", "evaluate"): ("body", "evaluate", "--dimension", "3"),
    ("box", "limb"): ("leg", "swing", "--dimension", "3"),
    ("chain",): ("leg", "swing", "--dimension", "2"),
    ("hil",): ("leg", "hil", "run"),
    ("leg", "hil"): ("leg", "hil", "run"),
    ("replay-log",): ("leg", "hil", "replay"),
    ("hil-train",): ("leg", "hil", "train"),
    ("hil-evaluate",): ("leg", "hil", "evaluate"),
    ("hil-scales",): ("leg", "hil", "evaluate-scales"),
    ("hil-observer",): ("leg", "hil", "tune"),
    ("lcp",): ("lcp", "solve"),
    ("inspect",): ("model", "inspect"),
    ("check",): ("model", "check"),
    ("eval",): ("model", "eval"),
    ("export",): ("model", "export"),
    ("quantise",): ("model", "quantise"),
    ("strip",): ("model", "strip"),
    ("retile",): ("model", "layout"),
    ("run",): ("library", "call"),
    ("version",): ("library", "version"),
}
HELP = ("-h", "--help")


def noun_of(words):
    """The longest noun that the words begin with, or ()."""
    return max((noun for noun in NOUNS if tuple(words[:len(noun)]) == noun), key=len, default=())


def _is_verb(noun, rest):
    """Whether a noun that was once a command is followed by a verb, right or misspelled, or by
    nothing. Otherwise an option or a file follows, which the old command took."""
    if not rest or rest[0] in HELP or rest[0] in NOUNS[noun].verbs:
        return True
    is_file = "." in rest[0] or os.sep in rest[0] or os.path.exists(rest[0])
    return not rest[0].startswith("-") and not is_file


def old_spelling(words):
    """(old, new): the words that begin the command line, and those that stand for them now. None if
    the line is in today's grammar. An old command's name after its new noun (`model retile`) is
    old, too."""
    noun = noun_of(words)
    typed = tuple(words[:len(noun) + 1])
    moved = {(*noun_of(new), old[-1]): new for old, new in OLD.items() if new not in NOUNS}
    if typed in moved and typed[-1] not in NOUNS[noun].verbs:
        return typed, moved[typed]
    begun = [old for old in OLD if tuple(words[:len(old)]) == old]
    for old in sorted(begun, key=len, reverse=True):
        if old not in NOUNS or not _is_verb(old, words[len(old):]):
            return old, OLD[old]
    return None


def _spellings(noun=()):
    """{word that may follow `noun`: the words of today's grammar that it means}. A verb comes
    before an old spelling of the same name."""
    meant = {old[-1]: new[:len(noun_of(new)) + 1] for old, new in OLD.items()
             if noun_of(new)[:len(noun)] == noun}
    for other, entry in reversed(NOUNS.items()):
        if other[:len(noun)] == noun:
            meant |= {verb: (*other, verb) for verb in entry.verbs if verb}
    if not noun:
        meant |= {other[0]: other[:1] for other in NOUNS}
    return meant


def nearest(noun, word):
    """The likely meaning of `tinycontact NOUN WORD`, in words of today's grammar; None without a
    good guess. `noun` may be ()."""
    for meant in (_spellings(noun), _spellings()):
        found = difflib.get_close_matches(word, list(meant), 1)
        if found:
            return " ".join(meant[found[0]])
    return None
