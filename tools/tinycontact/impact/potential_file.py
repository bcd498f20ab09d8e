# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A learned system as a scene file and a model file, which simulate again and open on a target."""
import copy
from pathlib import Path

from ..jsonfile import write_json
from ..model import Model
from .scene import numbered

NET = ".tcm"


def as_dict(value, learned, net_file):
    """The scene file's form of the system `value` (of the same form) with what was learned: masses, moments, mu, e and the
    potential in place of gravity and springs."""
    model, found = learned.made.model, copy.deepcopy(value)
    numbers = model.values(learned.theta)
    scene = model.roller.scene
    found.pop("springs", None)
    found["gravity"] = [0.0] * scene.dimension
    found["impacts"] = scene.impacts
    _take_links(found, scene, model, numbers)
    _take_coefficients(found, scene, model, numbers)
    found["potential"] = potential_dict(learned, net_file)
    return found


def _links_of(value):
    return [link for body in value["bodies"] for link in (body["links"] if body.get("kind") == "chain" else [body])]


def _take_links(found, scene, model, numbers):
    """Masses and moments; a mass that is not learned is what ratios are relative to."""
    links = [link for body in scene.bodies for link in body.links]
    named = dict(zip(numbered(scene), zip(_links_of(found), links)))
    for u in model.unknowns:
        if u.kind not in ("mass", "inertia"):
            continue
        entry, link = named[u.name.split()[1]]
        values = [float(x) for x in numbers[u.entries]]
        moments = [float(x) for x in link.inertia[:1 if scene.dimension == 2 else 3]]
        if u.kind == "mass":
            entry["mass"] = values[0]
            moments[:len(values) - 1] = values[1:]
        else:
            moments[-1] = values[0]
        if "inertia" in entry:
            entry["inertia"] = moments if len(moments) > 1 else moments[0]



def _take_coefficients(found, scene, model, numbers):
    pairs = [[mu, e] for _, mu, e in (scene.materials[m] for _, _, m in scene.pairs)]
    for u in model.unknowns:
        if u.kind in ("mu", "e"):
            index = model.entries[u.entries[0]].index
            for k, (_, _, m) in enumerate(scene.pairs):
                if m == index:
                    pairs[k][u.kind == "e"] = float(numbers[u.entries[0]])
    found.pop("materials", None)
    for contact, (mu, e) in zip(found.get("contacts", []), pairs):
        contact.pop("material", None)
        contact["mu"], contact["e"] = mu, e


def potential_dict(learned, net_file):
    """The field potential of a scene file."""
    shape, given = learned.made.shape, learned.potential()
    made = {"forces": {name: force[:shape.dimension].tolist() for name, force in zip(shape.links, given.forces)}}
    if given.net is None:
        return made
    made["distances"] = [{"a": shape.links[a], **({"b": shape.links[b]} if b is not None
                                                  else {"world": list(map(float, at[:shape.dimension]))})}
                         for a, b, at in given.distances]
    return made | {"net": net_file}


def save(path, value, learned, metadata=None):
    """Writes the scene file, and beside it the net, if there is one. Returns the names."""
    path = Path(path)
    net = learned.net()
    if net is None:
        write_json(path, as_dict(value, learned, None))
        return [str(path)]
    file = path.with_suffix(NET)
    Model([net], metadata=metadata).save(file)
    write_json(path, as_dict(value, learned, file.name))
    return [str(path), str(file)]
