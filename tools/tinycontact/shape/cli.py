# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact shape make, inspect, check, convert."""
import argparse

from ..errors import TinycontactError
from ..options import between_whole, positive

UNITS = ("m", "cm", "mm", "inch")

MAKE = """From a mesh (.obj, .stl) or a shape (.json) the command makes a grid of signed distances: one
int8 value per node, trilinear between them, clipped 4 cells from the surface. The nodes are fitted
so that the zero level is near the mesh. The report is for fresh points of the surface. A mesh has
to be a closed surface of outward faces, 2 mm to 10 m long.

From a height map (.png, .csv) it makes a terrain: one int16 height per node, a surface without
edges that goes through the map's heights (--smooth: it smooths them). Rows run along y upwards: the
lowest row of a picture, or the first line of a table, is at y = 0.

With --net the command trains a small net instead, on distances to the mesh. A second shape (--with)
gives it a latent code: 0 is the first, 1 the second. OUT.tcm is its model file. OUT.json names it.

OUT.tcs is the grid's file. OUT.json is {"kind": "grid", "file": "OUT.tcs"}, with OUT.tcs beside it;
a terrain is in OUT.json alone. docs/reference/shape-file.md has the formats.

--pieces N makes a union of at most N boxes, cylinders, capsules and spheres instead of a grid: a
few numbers, exact convex contacts, and a coarser surface. Boxes lie along the mesh's axes,
cylinders and capsules along z. OUT is a .json.

examples:
  tinycontact shape make cow.obj -o cow.json --grid 10,16,16 --plot cow.png
  tinycontact shape make sole.stl --units mm -o sole.tcs --cells 24 --c firmware/sole
  tinycontact shape make cow.obj -o pieces.json --pieces 8 --plot pieces.png
  tinycontact shape make cow.obj --with fish.obj -o both.json --net 32,32,32
  tinycontact shape make yard.png --spacing 0.02 --height 0.15 -o yard.json"""

INSPECT = """FILE is a grid (.tcs), a shape (.json) or a mesh (.obj, .stl). Printed are kind, bytes of
flash, box, errors as stored, volume, centre of mass and inertia; of a mesh its faults, too.

examples:
  tinycontact shape inspect cow.tcs --mass 0.4 --plot cow.png
  tinycontact shape inspect sole.stl --units mm --density 1100"""

CHECK = """The shape's values at points of the mesh, and the true distance of points of its zero level,
are compared with --tolerance. If the largest is above it, the exit status is 1. Without a mesh the
file alone is checked. If FILE is a mesh, its faults are listed; the exit status is 1 if no shape
can be made of it.

examples:
  tinycontact shape check cow.tcs cow.obj --tolerance 2
  tinycontact shape check sole.stl --units mm"""

CONVERT = """OUT.tcs, OUT.json: a grid in the other form. OUT.obj, OUT.stl: triangles of the zero level,
or a mesh in metres. --c PREFIX: PREFIX.c and PREFIX.h, whose `const tc_sdf` lies in flash.

examples:
  tinycontact shape convert cow.json --c firmware/cow
  tinycontact shape convert cow.tcs -o seen.stl"""


def _numbers(count, kind, what):
    def parse(word):
        try:
            values = [kind(part) for part in word.split(",")]
        except ValueError:
            values = []
        if len(values) != count:
            raise argparse.ArgumentTypeError(f"{word!r} is not {what}")
        return values
    return parse


def _counts(word):
    counts = _numbers(3, int, "NX,NY,NZ")(word)
    if min(counts) < 3:
        raise argparse.ArgumentTypeError(f"{min(counts)} nodes; at least 3 along each axis")
    return counts


def _widths(word):
    try:
        widths = [int(part) for part in word.split(",")]
    except ValueError:
        widths = []
    if not 1 <= len(widths) <= 7 or not all(1 <= width <= 128 for width in widths):
        raise argparse.ArgumentTypeError(f"{word!r} is not N,N,...: 1 to 7 widths of 1 to 128")
    return widths


def _above(word):
    try:
        value = float(word)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e12:
        raise argparse.ArgumentTypeError(f"{word!r} is no number above 0")
    return value


def _add_mesh(p):
    p.add_argument("--units", choices=UNITS, default="m", help="of the mesh's or table's lengths;"
                   " default m")
    p.add_argument("--flip", action="store_true", help="turn all faces of the mesh over")


def add_make(p):
    p.description = "Make a shape from a mesh, a height map or a primitive."
    p.epilog = MAKE
    p.add_argument("source", metavar="FILE", help=".obj, .stl, .json, .png or .csv")
    p.add_argument("-o", "--output", metavar="OUT", required=True, help=".tcs, .tcm or .json to write")
    size = p.add_mutually_exclusive_group()
    size.add_argument("--grid", metavar="NX,NY,NZ", type=_counts, help="nodes along x, y, z")
    size.add_argument("--cells", metavar="N", type=positive,
                      help="cells along the longest side; default 16")
    size.add_argument("--pieces", metavar="N", type=between_whole(1, 8),
                      help="a union of at most N convex pieces; 1 to 8")
    size.add_argument("--net", metavar="N,N,...", type=_widths,
                      help="train a net with these hidden widths instead of a grid")
    p.add_argument("--with", metavar="FILE", dest="second", help="net: a second shape, at code 1")
    p.add_argument("--steps", metavar="N", type=positive, help="net: of its training; default 8000")
    _add_mesh(p)
    p.add_argument("--c", metavar="PREFIX", help="write PREFIX.c and PREFIX.h, too")
    p.add_argument("--plot", metavar="P.png", help="draw the zero level beside the mesh")
    p.add_argument("--seed", type=positive, default=1, help="of the fit's points; default 1")
    p.add_argument("--spacing", metavar="M", type=_above, help="height map: between nodes [m]")
    p.add_argument("--height", metavar="M", type=_above,
                   help="height map in a picture: of white over black [m]")
    p.add_argument("--origin", metavar="X,Y", type=_numbers(2, float, "X,Y"), default=[0.0, 0.0],
                   help="height map: position of its first node [m]; default 0,0")
    p.add_argument("--smooth", action="store_true", help="height map: smooth it: heights become control values")
    p.set_defaults(run=run_make)


def _picture(path, make_figure):
    """Draws if there is a path."""
    from ..model import write_whole
    from ..report.page import png_bytes
    if path:
        write_whole(path, png_bytes(make_figure()))


def run_make(options):
    from ..progress import say
    from ..report.plots import ready
    from . import flash, inspect, judge, make, picture
    _check_suffix(options)
    if options.plot:
        ready()
    if make.is_map(options.source):
        run_terrain(options)
        return
    truth = make.truth_of(options.source, options.units, options.flip, say)
    if options.pieces:
        run_pieces(options, truth)
        return
    if options.net:
        run_net(options, truth)
        return
    grid, level = make.grid_of(truth, options.grid, options.cells or make.CELLS, options.seed)
    paths = make.write_grid(options.output, grid)
    if options.c:
        paths += flash.write(options.c, lambda name: flash.of_grid(grid, name), "A grid.")
    nodes = " x ".join(map(str, grid.counts))
    print(f"{options.source}: grid of {nodes} nodes, {grid.values.size} bytes, spacing"
          f" {1e3 * grid.spacing:.4g} mm")
    print("\n".join(judge.table(grid.error)))
    print("\n".join(inspect.mass_lines(grid.mass)))
    _picture(options.plot, lambda: picture.beside(truth, level, paths[0].name))
    print("wrote " + ", ".join(map(str, paths + [options.plot] * bool(options.plot))))


def run_net(options, truth):
    from ..progress import say
    from . import judge, make, netmake, picture
    truths = [truth]
    if options.second:
        truths.append(make.truth_of(options.second, options.units, options.flip, say))
    made, found = netmake.made(truths, options.net, options.steps or netmake.STEPS, options.seed)
    paths = netmake.write(options.output, made)
    weights = sum(layer.weights.size + layer.bias.size for layer in made.net.layers)
    for one, (error, _) in zip(truths, found):
        print(f"{one.name}: net of {weights} weights, {4 * weights} bytes")
        print("\n".join(judge.table(error)))
    _picture(options.plot, lambda: picture.beside(truth, found[0][1], paths[0].name))
    print("wrote " + ", ".join(map(str, paths + [options.plot] * bool(options.plot))))


def _check_net(options):
    if options.net is None and (options.second or options.steps):
        raise TinycontactError("--with and --steps are for nets; add --net with the widths of its layers")
    if options.net and options.c:
        raise TinycontactError("--c: `tinycontact model strip --c` makes C of a net")


def _check_suffix(options):
    from . import make
    _check_net(options)
    alone = options.pieces or make.is_map(options.source)
    wanted = (".json",) if alone else (".tcm" if options.net else ".tcs", ".json")
    if not options.output.lower().endswith(wanted):
        raise TinycontactError(f"--output {options.output}: wanted a name that ends in"
                               f" {' or '.join(wanted)}")


def run_pieces(options, truth):
    from ..jsonfile import write_json
    from . import flash, judge, picture, pieces, shapefile
    union = pieces.union_of(truth, options.pieces, options.seed)
    shape = shapefile.from_dict(union, options.output)
    error, level = pieces.judged(shape, truth)
    write_json(options.output, union)
    paths = [options.output]
    if options.c:
        paths += flash.write(options.c, lambda name: flash.of_shape(shape, name), "A union.")
    print(f"{options.source}: union of {pieces.told(union)}")
    print("\n".join(judge.table(error)))
    _picture(options.plot, lambda: picture.beside(truth, level, options.output))
    print("wrote " + ", ".join(map(str, paths + [options.plot] * bool(options.plot))))


def run_terrain(options):
    from ..jsonfile import write_json
    from . import flash, inspect, make, picture
    if options.spacing is None:
        raise TinycontactError(f"{options.source}: a height map has no scale; add --spacing, the"
                               " distance of its nodes [m]")
    if options.grid or options.cells or options.pieces or options.net:
        raise TinycontactError(f"{options.source}: a height map has its own nodes; --grid, --cells,"
                               " --pieces and --net are for meshes")
    made = make.terrain_of(options.source, options.spacing, options.height, options.origin,
                           options.smooth, options.units)
    write_json(options.output, made.as_json())
    paths = [options.output]
    if options.c:
        paths += flash.write(options.c, lambda name: flash.of_terrain(made, name), "A terrain.")
    print("\n".join(inspect.terrain_lines(options.source, made)))
    _picture(options.plot, lambda: picture.terrain(made, options.source))
    print("wrote " + ", ".join(map(str, paths + [options.plot] * bool(options.plot))))


def add_inspect(p):
    p.description = "Show what a shape's file or a mesh is."
    p.epilog = INSPECT
    p.add_argument("file", metavar="FILE", help=".tcs, .json, .obj or .stl")
    weight = p.add_mutually_exclusive_group()
    weight.add_argument("--density", metavar="KG_M3", type=_above, help="to give masses in kg")
    weight.add_argument("--mass", metavar="KG", type=_above, help="the same, from the whole mass")
    _add_mesh(p)
    p.add_argument("--plot", metavar="P.png", help="draw it")
    p.set_defaults(run=run_inspect)


def run_inspect(options):
    from . import inspect, make, mesh, picture
    for line in inspect.lines_of(options.file, options.units, options.flip, options.density,
                                 options.mass):
        print(line)
    if not options.plot:
        return
    if make.is_mesh(options.file):
        corners = mesh.read(options.file, options.units).corners
    else:
        shape = inspect.shape_in(options.file)
        if shape.kind == "terrain":
            made = shape.made
            _picture(options.plot, lambda: picture.terrain(made, options.file))
            return
        corners = inspect.level_of(options.file).corners
    points = corners.reshape(-1, 3)
    box = points.min(axis=0), points.max(axis=0)
    _picture(options.plot, lambda: picture.surfaces([(options.file, corners, None)], box))


def add_check(p):
    p.description = "Check a shape against its mesh, or a file alone."
    p.epilog = CHECK
    p.add_argument("file", metavar="FILE", help="shape (.tcs, .json) or mesh (.obj, .stl)")
    p.add_argument("mesh", metavar="MESH", nargs="?", help="what the shape stands for: .obj, .stl,"
                   " or a shape (.json)")
    p.add_argument("--tolerance", metavar="PERCENT", type=_above, default=2.0,
                   help="largest error, %% of the longest side; default 2")
    _add_mesh(p)
    p.add_argument("-o", "--output", metavar="OUT.json", help="write the errors, too")
    p.add_argument("--plot", metavar="P.png", help="draw the zero level beside the mesh")
    p.set_defaults(run=run_check)


def run_check(options):
    from ..jsonfile import write_json
    from . import inspect, judge, make, picture
    if options.mesh is None:
        check_alone(options)
        return
    truth = make.truth_of(options.mesh, options.units, options.flip)
    error, level = inspect.compare(options.file, truth)
    print(f"{options.file} against {options.mesh}:")
    print("\n".join(judge.table(error)))
    if options.output:
        write_json(options.output, error)
    _picture(options.plot, lambda: picture.beside(truth, level, options.file))
    worst = 100 * max(error["surface_max"], error["level_max"])
    if worst > options.tolerance:
        raise inspect.TooFar(f"{options.file}: the largest error is {worst:.3g} % of the longest"
                             f" side, --tolerance is {options.tolerance:g} %")
    print(f"right within {worst:.3g} % of the longest side, --tolerance is {options.tolerance:g} %")


def check_alone(options):
    """A file alone: a mesh's faults, or whether a shape's file can be read."""
    from . import inspect, make, mesh, meshcheck
    if not make.is_mesh(options.file):
        inspect.lines_of(options.file)
        print(f"{options.file}: can be read; name its mesh, too, to see how wrong it is")
        return
    found = mesh.read(options.file, options.units)
    faults = meshcheck.check(found.flipped() if options.flip else found)
    for fault in faults:
        print(f"{'fault' if fault.fatal else 'note'}: {fault.text}")
    bad = sum(fault.fatal for fault in faults)
    if bad:
        raise inspect.TooFar(f"{options.file}: {bad} fault{'s' * (bad > 1)}; no shape can be made of"
                             " it")
    print(f"{options.file}: a closed surface of {len(found.triangles)} triangles")


def add_convert(p):
    p.description = "Convert a shape to another form, or to C."
    p.epilog = CONVERT
    p.add_argument("file", metavar="FILE", help=".tcs, .json, .obj or .stl")
    p.add_argument("-o", "--output", metavar="OUT", help=".tcs, .json, .obj or .stl to write")
    p.add_argument("--c", metavar="PREFIX", help="write PREFIX.c and PREFIX.h")
    _add_mesh(p)
    p.set_defaults(run=run_convert)


def run_convert(options):
    from . import flash, make
    if not (options.output or options.c):
        raise TinycontactError("nothing to write: give -o OUT or --c PREFIX")
    paths = []
    if options.output:
        paths += convert_file(options)
    if options.c:
        if make.is_mesh(options.file):
            raise TinycontactError(f"{options.file}: is a mesh; `tinycontact shape make --c` makes a"
                                   " grid of it first")
        paths += flash.write(options.c, lambda name: c_of(options.file, name), "A shape.")
    print("wrote " + ", ".join(map(str, paths)))


def c_of(path, name):
    from . import flash, inspect
    return flash.of_shape(inspect.shape_in(path), name)


def convert_file(options):
    from . import inspect, make, mesh
    if make.is_mesh(options.output):
        if make.is_mesh(options.file):
            found = mesh.read(options.file, options.units)
            corners = (found.flipped() if options.flip else found).corners
        else:
            corners = inspect.level_of(options.file).corners
        make.write_mesh(options.output, corners)
        return [options.output]
    if not options.output.lower().endswith((".tcs", ".json")):
        raise TinycontactError(f"--output {options.output}: wanted a name that ends in .tcs, .json,"
                               " .obj or .stl")
    grid = None if make.is_mesh(options.file) else inspect.grid_in(options.file)
    if grid is None:
        raise TinycontactError(f"{options.file}: is no grid; `tinycontact shape make` makes one")
    return make.write_grid(options.output, grid)
