"""Slices of training on a GPU: reads a line, runs a number of steps, prints a line of JSON, as bench/gpu/stages.py requires."""

import sys
import time

import torch

from slices import say


class Slices:
    def __init__(self, steps, device, **about):
        self.steps, self.device, self.about, self.warm = steps, device, about, False
        self.start()

    def start(self):
        if self.device == "cuda":
            torch.cuda.synchronize()
        self.done = self.pieces = 0
        self.began = time.perf_counter()

    def step(self, pieces):
        """Called after a step was queued. False: there is nothing more to do."""
        self.done += 1
        self.pieces += pieces
        if self.done < self.steps:
            return True
        if self.device == "cuda":
            torch.cuda.synchronize()
        seconds = time.perf_counter() - self.began
        gib = torch.cuda.max_memory_reserved() / 2**30 if self.device == "cuda" else 0.0
        if self.warm:
            say(what="train", pieces=self.pieces, seconds=seconds, pieces_per_second=self.pieces / seconds,
                ms_per_step=1e3 * seconds / self.done, gib=gib)
        else:
            say(what="ready", system="torch " + torch.__version__, **self.about)
        self.warm = True
        if sys.stdin.readline().strip() in ("", "quit"):
            return False
        self.start()
        return True
