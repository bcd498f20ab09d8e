# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact plan simulate: scenes of bodies that push each other from afar and never touch, by the library."""
import os

from ..errors import TinycontactError
from ..jsonfile import read_json, write_json
from ..model import write_whole
from ..options import count, positive, written_as
from ..progress import announced, say

SIMULATE = """SCENE is a file, in the form of docs/reference/plan-files.md, or the name of a scene:
  push        a box on a table and a rod that can push it, seen from above
  billiards   fifteen balls in a rack and a red one
  gather, sort   ten cubes on a table and a rod
  gather-animals   outlines of cows and fishes, and a rod
  ant-push    a walker of nine links, and a box
  book-stack  twenty planks that overhang as far as they can

Bodies are sums of convex pieces. Their poses after each step minimise inertia, gravity, friction,
servos and mu times the barriers between all pieces, so that no body passes through another.
mu [J m] and the barrier's kappa and length say how far contact reaches.

OUT.json has name, h, mu, t, bodies, controls, control, newton, gap and note. bodies.NAME has a row
per time: position, angle or quat_wxyz, velocity, angular_velocity; of a joint angle or distance,
and rate. gap is the smallest lower bound of a distance of two bodies over all steps [m]. A run
that ends early, for a step fails, has fewer rows, and note says why. A scene whose bodies touch at
its start is refused: the message names them, and nothing is written.

examples:
  tinycontact plan simulate book-stack -o stack.json --plot stack.png
  tinycontact plan simulate push -o push.json --save-scene mine.json
  tinycontact plan simulate mine.json -o out.json --animate out.gif"""


def add_simulate(p):
    p.description = "Simulate bodies with long-range contact by implicit steps of the library."
    p.epilog = SIMULATE
    p.add_argument("scene", metavar="SCENE", help="a file, or the name of a scene")
    p.add_argument("-o", "--output", metavar="OUT.json", required=True)
    p.add_argument("--steps", metavar="N", type=positive, help="number of steps; default: the scene's")
    p.add_argument("--seed", metavar="S", type=count, default=0, help="of a scene by name; default 0")
    p.add_argument("--plot", metavar="P.png", type=written_as(".png"),
                   help="draw the bodies along their paths, and their speeds")
    p.add_argument("--animate", metavar="A.gif", type=written_as(".gif"), help="write the motion as an animation")
    p.add_argument("--double", action="store_true", help="compute in float64 instead of float32")
    p.add_argument("--save-scene", metavar="FILE.json", help="write a scene by name as a file, to change it")
    p.set_defaults(run=run_simulate)


def named_or_file(word, named, what):
    """Whether a word is a name; refuses what is neither that nor a file."""
    if word in named:
        return True
    if not os.path.exists(word) and os.sep not in word and "." not in word:
        raise TinycontactError(f"{word}: is neither a file nor one of {', '.join(named)}")
    return False


def _load(options):
    from . import scenefile, scenes
    if named_or_file(options.scene, scenes.NAMED, "scene"):
        value = scenes.scene(options.scene, options.seed)
    elif options.save_scene:
        raise TinycontactError(f"--save-scene: {options.scene} is a file already")
    else:
        value = read_json(options.scene)
    return value, scenefile.from_dict(value, options.scene)


def run_simulate(options):
    from ..library import Library
    from . import simulate
    value, scene = _load(options)
    if options.plot or options.animate:
        drawable(options)
    library = Library(real="double" if options.double else "float")
    with announced("simulating"):
        simulate.expect_apart(scene, library, options.scene)
        found = simulate.simulate(scene, library, options.steps, options.scene)
    pictures = {}
    if options.plot or options.animate:
        from . import picture
        from ..report.page import png_bytes
        with announced("drawing"):
            if options.plot:
                pictures[options.plot] = png_bytes(picture.simulated(found))
            if options.animate:
                pictures[options.animate] = picture.animated(scene, found.q)
    write_json(options.output, found.as_json())
    for path, data in pictures.items():
        write_whole(path, data)
    if options.save_scene:
        write_json(options.save_scene, value)
    if found.note:
        say(f"{options.scene}: {found.note}")
    steps = len(found.t) - 1
    gap = f", smallest gap {found.report.gap:.3g} m" if (scene.pairs or scene.floors) and steps else ""
    say(f"{options.output}: {steps} steps, {found.report.newton / max(steps, 1):.1f} Newton steps each{gap}")


def drawable(options):
    """Refuses pictures that this machine cannot draw, before anything is computed."""
    from ..build import missing
    from ..report.plots import ready
    ready()
    if options.animate:
        try:
            import PIL.Image   # noqa: F401
        except ImportError:
            raise TinycontactError(f"animations need pillow: {missing('pillow', 'view', 'sim')}") from None
