# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Means and deviations of values that may have outliers, by soft-L1 and bootstrap over tosses."""
import numpy as np

BOOTSTRAP = 40


def soft(rest, scale):
    """Weights of soft-L1."""
    return 1 / np.sqrt(1 + (rest / max(scale, 1e-300)) ** 2)


def spread_of(values):
    """Standard deviation by the median, of what may have outliers."""
    return float(1.4826 * np.median(np.abs(values - np.median(values)))) if len(values) else np.nan


def middle_of(values, rng):
    """(soft-L1 mean, its deviation by bootstrap)."""
    values = np.asarray(values, dtype=float)
    if len(values) == 1:
        return float(values[0]), np.nan

    def mean(sample):
        scale, found = max(spread_of(sample), 1e-12), float(np.median(sample))
        for _ in range(10):
            weight = soft(sample - found, 1.5 * scale)
            found = float(weight @ sample / weight.sum())
        return found
    draws = [mean(values[rng.integers(len(values), size=len(values))]) for _ in range(BOOTSTRAP)]
    return mean(values), float(np.std(draws))


def pooled(values, deviations):
    """The mean of two ways to a value, weighed by their deviations and what they disagree by, and its deviation."""
    values, variance = np.array(values), np.maximum(np.array(deviations), 1e-9) ** 2
    weight = 1 / variance
    mean = (weight * values).sum(axis=0) / weight.sum(axis=0)
    excess = (weight * (values - mean) ** 2).sum(axis=0) - (len(values) - 1)
    between = np.maximum(excess, 0) / (weight.sum(axis=0) - (weight ** 2).sum(axis=0) / weight.sum(axis=0))
    weight = 1 / (variance + between)
    return (weight * values).sum(axis=0) / weight.sum(axis=0), np.sqrt(1 / weight.sum(axis=0))
