# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Barriers of pairs and roll-outs of scenes inside PyTorch, as torch.autograd.Function.

    from tinycontact.plan import torch_api
    torch_api.barrier(a, b).backward()
    q = torch_api.rollout(scenefile.load("push.json"))(controls)

Tensors of the CPU, float32 or float64. Derivatives once, not twice.
"""
import numpy as np
import torch

from . import api

NAMES = ("a", "b", "radius_a", "radius_b")


class _Barrier(torch.autograd.Function):

    @staticmethod
    def forward(ctx, weights, *inputs):
        value, by = api.barrier(*(x.detach().cpu().numpy() for x in inputs), *weights)
        ctx.save_for_backward(*inputs)
        ctx.by = by
        return torch.tensor(float(value), dtype=inputs[0].dtype, device=inputs[0].device)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, by_value):
        return (None, *(by_value * torch.from_numpy(np.atleast_1d(ctx.by[name])).to(x).reshape(x.shape)
                        for name, x in zip(NAMES, ctx.saved_tensors)))


def barrier(a, b, radius_a=0.0, radius_b=0.0, A=12.0, kappa=1.0, length=0.0):
    """The value of api.barrier; differentiable by vertices and radii."""
    radii = (torch.as_tensor(x, dtype=a.dtype) for x in (radius_a, radius_b))
    return _Barrier.apply((A, kappa, length), a, b, *radii)


class _Roll(torch.autograd.Function):

    @staticmethod
    def forward(ctx, roll, controls):
        ctx.roll = roll
        ctx.save_for_backward(controls)
        return torch.from_numpy(roll(controls.detach().cpu().numpy())).to(controls)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, by_q):
        controls, = ctx.saved_tensors
        ctx.roll(controls.detach().cpu().numpy())
        return None, torch.from_numpy(ctx.roll.vjp(by_q.detach().cpu().numpy())["controls"]).to(controls)


def rollout(scene, steps=None, double=True):
    """A function of controls [steps, controls]: q [steps + 1, coordinates] of api.Rollout."""
    roll = api.Rollout(scene, steps, double)
    wanted = (roll.steps, roll.native.sizes.control)

    def path(controls):
        if tuple(controls.shape) != wanted:
            raise ValueError(f"controls have shape {tuple(controls.shape)}, wanted {wanted}")
        return _Roll.apply(roll, controls)
    return path
