# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact file schema | check: the forms of the JSON files that users write.

A schema tells an editor what a file may have. The reader of a file says more: what a schema cannot say, such as that a
polygon is convex. `file check` asks the reader.
"""
import json
from pathlib import Path

from .errors import TinycontactError
from .jsonfile import read_json
from .model import write_whole
from .progress import say

FOLDER = Path(__file__).with_name("schemas")
SCHEMA = """NAME is one of
  body       a body in the plane and its floor: --shape of `tinycontact body`
  cases      cases of `tinycontact shape toc`
  chain      a leg: --chain of `tinycontact leg`
  config     rate, sensors and numbers of its estimator: --config of `tinycontact leg`
  contacts   problems of `tinycontact impact solve`
  lcp        problems of `tinycontact lcp solve`
  mechanism  bodies and chains that strike: `tinycontact impact simulate`
  pairs      pairs of `tinycontact shape distance`
  plan       bodies that push each other from afar: `tinycontact plan simulate`
  problems   problems of `tinycontact scene identify`
  robot      a robot of several limbs: `tinycontact leg import` with several feet
  scene      bodies with shapes: `tinycontact scene`
  sets       pairs of convex sets: `tinycontact plan pair`
  shape      a shape: `tinycontact shape`
  solid      a convex body in space: --shape of `tinycontact body identify`
  system     CD-Lagrange systems: `tinycontact cdl`
  task       goals of a plan: `tinycontact plan optimise`
  throws     throws of `tinycontact body throw`
Without NAME all are listed with the files of this package.

An editor that knows JSON Schema completes a file whose first line is
  {"$schema": "leg.schema.json",
if leg.schema.json, made by the example, lies beside it. Every reader of this package accepts that
line.

example:
  tinycontact file schema chain -o leg.schema.json"""
CHECK = """The kind of the file is found in its fields, or given by --as. Exit status: 0 if the file is read,
2 with one line that names file and field if not.

example:
  tinycontact file check leg.json"""


def add_schema(p):
    p.description = "Print the JSON Schema of a kind of file, for editors."
    p.epilog = SCHEMA
    p.add_argument("name", nargs="?", metavar="NAME", help="the kind of file")
    p.add_argument("-o", "--output", metavar="OUT.json", help="write it there")
    p.set_defaults(run=run_schema)


def add_check(p):
    p.description = "Read a JSON file as its command would, and say what is wrong."
    p.epilog = CHECK
    p.add_argument("file", metavar="FILE.json")
    p.add_argument("--as", dest="kind", metavar="NAME", help="the kind of file, as in `tinycontact file schema`")
    p.set_defaults(run=run_check)


def names():
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def schema(name):
    """The schema of a kind of file."""
    if name not in names():
        raise TinycontactError(f"{name!r} is no kind of file; there are {', '.join(names())}")
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def run_schema(options):
    if options.name is None:
        for name in names():
            print(f"{name:10} {schema(name)['title']}")
        return
    text = json.dumps(schema(options.name), indent=1) + "\n"
    if options.output:
        write_whole(options.output, text.encode("utf-8"))
        say(f"{options.output}: put \"$schema\": \"{Path(options.output).name}\" into a {options.name} file beside it")
    else:
        print(text, end="")


def readers():
    """{kind: function of a path that raises what is wrong}."""
    from .cdl import systems
    from .hil.chain_file import load_chain
    from .hil.configuration import load as load_config
    from .impact import scene as mechanism
    from .listfile import LISTS, reader
    from .plan import scenefile as plan, taskfile
    from .predict import read_throws
    from .robots.description import load_robot
    from .scene import scenefile
    from .shape import shapefile
    from .sim import shapes
    from .toss import bodyfile, solid
    return {"chain": load_chain, "robot": load_robot, "config": load_config, "shape": shapefile.load,
            "scene": scenefile.load, "mechanism": mechanism.load,
            "body": shapes.load, "throws": read_throws, "plan": plan.load, "task": taskfile.load,
            "system": systems.load, "solid": solid.read, "identified": bodyfile.read,
            **{kind: reader(kind) for kind in LISTS}}


# Fields that show a kind, of entries of a list and of an object by itself; the first that is there decides.
OF_ENTRIES = (("throws", "theta0_deg"), ("lcp", "M"), ("contacts", "G"), ("sets", "A"), ("system", "Q0"),
              ("problems", "observations"), ("cases", "ground"), ("pairs", "Ra"))
OF_OBJECTS = (("identified", "format"), ("task", "goals"), ("chain", "foot"), ("robot", "limbs"), ("config", "rate"),
              ("config", "sensors"), ("config", "settings"), ("shape", "kind"), ("mechanism", "dimension"),
              ("scene", "bodies"), ("contacts", "G"), ("sets", "A"), ("system", "Q0"))


def kind_of(value):
    """The kind of file that a value looks like, or None."""
    if isinstance(value, list):
        return _first(OF_ENTRIES, value[0]) if value and isinstance(value[0], dict) else None
    if not isinstance(value, dict):
        return None
    if _has_pieces(value):
        return "plan"
    return _first(OF_OBJECTS, value) or _kind_of_body(value) or ("chain" if _has_links(value) else None)


def _first(kinds, value):
    return next((name for name, field in kinds if field in value), None)


def _kind_of_body(value):
    """body in the plane, solid in space: by the first vertex; None for anything else."""
    shape = value.get("shape")
    vertices = value.get("vertices", shape.get("vertices") if isinstance(shape, dict) else None)
    if vertices is None:
        return None
    corner = vertices[0] if isinstance(vertices, list) and vertices else None
    return "solid" if isinstance(corner, list) and len(corner) == 3 else "body"


def _has_pieces(value):
    """Whether an object has bodies of convex pieces."""
    bodies = value.get("bodies")
    return isinstance(bodies, list) and any(isinstance(body, dict) and "pieces" in body for body in bodies)


def _has_links(value):
    """Whether an object has links with masses, as a chain without its foot has."""
    links = value.get("links")
    return isinstance(links, list) and any(isinstance(link, dict) and {"mass", "inertia"} & set(link) for link in links)


def run_check(options):
    kind = options.kind or kind_of(read_json(options.file))
    known = readers()
    if kind not in known:
        told = f"--as {kind}: is not read by itself" if kind else "looks like no kind of file"
        raise TinycontactError(f"{options.file}: {told}; say --as {', '.join(known)}")
    known[kind](options.file)
    print(f"{options.file}: is a {kind}")
