# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Contact problems and impacts inside PyTorch, as torch.autograd.Function.

    from tinycontact.impact import torch_api
    w = torch_api.impact(G, w0, mu, e, target)
    (w @ wanted).backward()

Tensors of the CPU, float32 or float64, one problem per call. Derivatives once, not twice.
"""
import torch

from . import api


def _arrays(tensors):
    return [x.detach().cpu().numpy() for x in tensors]


class _Cone(torch.autograd.Function):
    NAMES = ("G", "w0", "mu", "floor")
    solve, back = staticmethod(api.cone), staticmethod(api.cone_vjp)

    @classmethod
    def forward(cls, ctx, *inputs):
        ctx.save_for_backward(*inputs)
        ctx.of = cls
        w, _ = cls.solve(*_arrays(inputs))
        return torch.from_numpy(w).to(inputs[1])

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, by_w):
        by = ctx.of.back(*_arrays(ctx.saved_tensors), by_w.detach().cpu().numpy())
        return tuple(torch.from_numpy(by[name]).to(x) for name, x in zip(ctx.of.NAMES, ctx.saved_tensors))


class _Impact(_Cone):
    NAMES = ("G", "w0", "mu", "e", "target")
    solve, back = staticmethod(api.impact), staticmethod(api.impact_vjp)


def cone(G, w0, mu, floor=None):
    """w [d] of api.cone."""
    return _Cone.apply(G, w0, mu, torch.zeros_like(mu) if floor is None else floor)


def impact(G, w0, mu, e=None, target=None):
    """w [d] of api.impact."""
    return _Impact.apply(G, w0, mu, torch.zeros_like(mu) if e is None else e,
                         torch.zeros_like(w0) if target is None else target)
