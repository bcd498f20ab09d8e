# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Search without derivatives: CMA-ES (Hansen, arXiv 1604.00772), with rank-one and rank-mu updates and step-size
control, in a few lines of NumPy.

    search = Search(start, step=1.0, candidates=14, seed=1)
    for _ in range(40):
        tried = search.ask()                 # [candidates, n]
        search.tell([cost(x) for x in tried])
    search.mean                              # the answer: less noisy than the best candidate
"""
import numpy as np

LEAST = 1e-14   # of a variance


class Search:
    def __init__(self, start, step, candidates, seed):
        n, parents = len(start), candidates // 2
        self.mean, self.step, self.candidates = np.array(start, dtype=float), step, candidates
        self.rng = np.random.default_rng(seed)
        weights = np.log((candidates + 1) / 2) - np.log(np.arange(1, parents + 1))
        self.weights = weights / weights.sum()
        mass = 1 / np.sum(self.weights ** 2)
        self.mass = mass
        self.rate_step = (mass + 2) / (n + mass + 5)
        self.rate_path = (4 + mass / n) / (n + 4 + 2 * mass / n)
        self.rate_one = 2 / ((n + 1.3) ** 2 + mass)
        self.rate_many = min(1 - self.rate_one, 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass))
        self.damping = 1 + self.rate_step + 2 * max(0.0, np.sqrt((mass - 1) / (n + 1)) - 1)
        self.usual = np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
        self.covariance, self.rounds = np.eye(n), 0
        self.path_step, self.path = np.zeros(n), np.zeros(n)

    def ask(self):
        """[candidates, n]"""
        values, self.axes = np.linalg.eigh(self.covariance)
        self.lengths = np.sqrt(np.maximum(values, LEAST))
        drawn = self.rng.standard_normal((self.candidates, len(self.mean)))
        self.drawn = drawn * self.lengths @ self.axes.T
        return self.mean + self.step * self.drawn

    def tell(self, costs):
        """The costs of what `ask` returned last."""
        best = self.drawn[np.argsort(costs)[:len(self.weights)]]
        move = self.weights @ best
        self.rounds += 1
        self.mean = self.mean + self.step * move
        white = self.axes @ ((self.axes.T @ move) / self.lengths)
        c = self.rate_step
        self.path_step = (1 - c) * self.path_step + np.sqrt(c * (2 - c) * self.mass) * white
        size = np.linalg.norm(self.path_step)
        is_short = size / np.sqrt(1 - (1 - c) ** (2 * self.rounds)) < (1.4 + 2 / (len(move) + 1)) * self.usual
        c = self.rate_path
        self.path = (1 - c) * self.path + is_short * np.sqrt(c * (2 - c) * self.mass) * move
        self.covariance = ((1 - self.rate_one - self.rate_many) * self.covariance
                           + self.rate_one * np.outer(self.path, self.path)
                           + self.rate_many * (best.T * self.weights) @ best)
        self.step *= np.exp(self.rate_step / self.damping * (size / self.usual - 1))
