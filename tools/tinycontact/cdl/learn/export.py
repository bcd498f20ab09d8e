# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A trained network as the nets of a model file, in the form that lib/cdl/tc_cdl_nets.h states: "potential"
(Q -> V [J]) and "contact" (Q_{n+1} before projection, V_{n+1/2} -> margin), centring, scaling and the range of what
was seen inside them: beyond it a step is noted (TC_NOTE_RANGE)."""
import numpy as np

from ...errors import TinycontactError
from ...model import Model
from ...learn.export import reach
from ...net import Net
from ...record_system import SystemRecord


def _used(params):
    """One seed's parameters without the units that nothing weighs; one is kept."""
    kept = np.flatnonzero(params["a"]) if np.any(params["a"]) else np.array([0])
    return params["W"][kept], params["b"][kept], params["a"][kept]


def _net(name, params, activation, mean, scale, size, offset, seen):
    weights, bias, last = _used(params)
    low, high = reach(seen)
    return Net(name, [(weights, bias, activation), (size * last[None], [offset], "identity")],
               input_mean=mean, input_scale=scale, input_low=low, input_high=high)


def _asked(system, states):
    """What the nets are asked on the way from each of the fitted states [N, 2D]: Q_{n+1} before projection, V_{n+1/2}."""
    q, v = np.split(states, 2, axis=1)
    return np.concatenate([q + system.h * v, v], axis=1)


def nets(trained, k):
    """[potential, contact] of seed k; the second only if there are contacts."""
    pick = lambda many: {name: value[k] for name, value in many.items()}
    scale, activation = trained.scale, trained.settings.activation
    # pull = s / (deviation mass), so this is s [J]
    size = float(scale.pull[k][0] * scale.deviation[k][0] * trained.system.mass[0])
    asked = _asked(trained.system, trained.states[k])
    made = [_net("potential", pick(trained.params), activation, scale.mean[k], 1 / scale.deviation[k], size, 0.0,
                 asked[:, :trained.system.columns])]
    if trained.contact:
        params, speeds = pick(trained.contact), asked[:, trained.system.columns:] @ trained.system.normal
        made.append(_net("contact", params, activation, trained.inputs.mean[k], 1 / trained.inputs.deviation[k], 1.0,
                         params["c"], asked[speeds < 0]))
    return made


def model(trained, k, metadata):
    """The Model of seed k, of CD-Lagrange networks only. Where no contact was learned it has none: with contacts but
    no net for them, the library would take them to close at 0."""
    if trained.settings.verlet:
        raise TinycontactError("a variational integrator net is not for boards: it is a peer in the evaluation")
    system, made = trained.system, nets(trained, k)
    pairs = () if not trained.contact else ((0, 1 if len(np.flatnonzero(system.normal)) == 2 else None),)
    record = SystemRecord(tuple(net.name for net in made), system.mass, pairs, ((1.0,),) * len(pairs),
                          restitution=system.e, project=system.project)
    return Model(made, system.h, metadata, record)
