#!/usr/bin/env python3
"""The fastest fine-tuning step in PyTorch without custom kernels, as a peer on a GPU.

    gpu_tuned_torch.py packed|grouped DIR MODEL BATCH STEPS [--compile default|max-autotune-no-cudagraphs|none] [--device cpu]
    gpu_tuned_torch.py check DIR MODEL       compares the losses of packed and grouped rows with transformers', without dropout

packed    entrain's own batches, back to back without pads; attention by PyTorch's kernel with cu_seqlens. Rows are rounded up to a
          bucket, so that there are few shapes.
grouped   sentences of about the same length together, padded to a multiple of 8; scaled_dot_product_attention with a mask. That
          shuffles differently from entrain, and less: an advantage of this peer.

Used: torch.compile of each part (all blocks are one compilation), bf16 by autocast, one product for query, key and value, fused AdamW
with the clipping as its grad_scale, so that it needs no pass over the gradients, the whole step (forward, backward, norm,
AdamW) as one CUDA graph for each shape, batches made before and sent from pinned memory, no waiting for the GPU inside a slice.
Not used: flex_attention (its block mask is made again for each batch), a last block only on the words' rows (shapes would vary).
"""

import argparse
import os
import random
import time

import torch

from gpu_bert import Packed, Padded, Tagger
from gpu_sentences import Sentences, parse
from gpu_slices import Slices

DROPOUT = 0.1


def up(n, to):
    return (n + to - 1) // to * to


class Step:
    """One shape: the arrays that the GPU reads, and the graph that runs on them."""

    def __init__(self, model, optimizer, shape, longest, device, dropout=DROPOUT):
        self.model, self.optimizer, self.device, self.dropout, self.graph = model, optimizer, device, dropout, None
        self.inputs = {name: torch.zeros(size, dtype=dtype, device=device) for name, (size, dtype) in shape.items()}
        if "cu_seqlens" in shape:
            self.attend = Packed(self.inputs["cu_seqlens"], longest)
        else:
            self.attend = Padded(self.inputs["mask"])
        self.loss = torch.zeros((), device=device)

    def feed(self, batch):
        for name, x in batch.items():
            self.inputs[name].copy_(x, non_blocking=True)

    def run_once(self):
        x = self.inputs
        with torch.autocast(self.device, torch.bfloat16, cache_enabled=False):  # cached casts could outlive a graph
            loss = self.model(x["ids"], x["positions"], x["labels"], self.attend, self.dropout)
        loss.backward()
        if self.optimizer is not None:
            norms = torch._foreach_norm([p.grad for p in self.model.parameters()])
            self.optimizer.grad_scale = torch.clamp((torch.stack(norms).norm() + 1e-6), min=1.0)  # what gradients are divided by
            self.optimizer.found_inf = torch.zeros((), device=self.device)
            self.optimizer.step()
        self.loss.copy_(loss.detach())

    def forget_gradients(self):
        for p in self.model.parameters():
            p.grad = None

    def capture(self, pool):
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(3):  # compiles, and makes the optimizer's state
                self.forget_gradients()
                self.run_once()
        torch.cuda.current_stream().wait_stream(aside)
        self.forget_gradients()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=pool):
            self.run_once()
        self.graph = graph
        self.forget_gradients()  # their memory is the next graph's, too

    def __call__(self, batch):
        self.feed(batch)
        if self.graph is not None:
            self.graph.replay()
        else:
            self.forget_gradients()
            self.run_once()


def packed_batches(sentences, batch, most_in_window):
    """(shape's key, arrays, real pieces) of each batch, and the shape of a key."""
    of_sentences, budget = parse(batch)
    groups = sentences.in_order(batch)
    bucket = 64
    most_sentences = up(max(map(len, groups)) + 2, 8)
    rows_of = [sum(map(sentences.length, group)) for group in groups]
    whole = up(max(rows_of), bucket)
    made = []
    for group, n in zip(groups, rows_of):
        rows = up(n, bucket) if of_sentences else whole
        ids, positions, labels, starts = [], [], [], [0]
        for i in group:
            ids += sentences.ids[i]
            labels += sentences.labels[i]
            positions += range(sentences.length(i))
            starts.append(len(ids))
        while starts[-1] < rows:  # padding rows, as sentences whose results are not used
            starts.append(min(rows, starts[-1] + most_in_window))
        rest = rows - n
        starts += [rows] * (most_sentences + 1 + whole // most_in_window - len(starts))
        made.append((rows, {"ids": torch.tensor(ids + [0] * rest), "positions": torch.tensor(positions + [0] * rest),
                            "labels": torch.tensor(labels + [-100] * rest), "cu_seqlens": torch.tensor(starts, dtype=torch.int32)}, n))
    count = len(made[0][1]["cu_seqlens"])
    shape = lambda rows: {"ids": ((rows,), torch.long), "positions": ((rows,), torch.long), "labels": ((rows,), torch.long),
                          "cu_seqlens": ((count,), torch.int32)}
    return made, shape


def grouped_batches(sentences, batch):
    of_sentences, budget = parse(batch)
    by_length = {}
    order = sorted(sentences.order, key=sentences.length)
    if of_sentences:
        groups = [order[i:i + budget] for i in range(0, len(order) - budget + 1, budget)]
        keyed = [(up(sentences.length(group[-1]), 8), group) for group in groups]
    else:
        for i in order:
            by_length.setdefault(up(sentences.length(i), 8), []).append(i)
        keyed = []
        for padded, of_this in by_length.items():
            size = max(1, budget // padded)
            keyed += [(padded, of_this[i:i + size]) for i in range(0, len(of_this) - size + 1, size)]
    random.Random(1).shuffle(keyed)
    made = []
    for padded, group in keyed:
        pad = lambda row, with_: row + [with_] * (padded - len(row))
        ids = torch.tensor([pad(sentences.ids[i], 0) for i in group]).flatten()
        labels = torch.tensor([pad(sentences.labels[i], -100) for i in group]).flatten()
        lengths = torch.tensor([sentences.length(i) for i in group])
        mask = (torch.arange(padded)[None] < lengths[:, None])[:, None, None]
        positions = torch.arange(padded).repeat(len(group))
        made.append(((len(group), padded), {"ids": ids, "positions": positions, "labels": labels, "mask": mask}, int(lengths.sum())))
    shape = lambda key: {"ids": ((key[0] * key[1],), torch.long), "positions": ((key[0] * key[1],), torch.long),
                         "labels": ((key[0] * key[1],), torch.long), "mask": ((key[0], 1, 1, key[1]), torch.bool)}
    return made, shape


def check(folder, model_name):
    """Both forms of a batch against transformers, on the CPU in fp32."""
    from transformers import AutoModelForTokenClassification
    sentences = Sentences(folder + "/sentences.bin")
    theirs = AutoModelForTokenClassification.from_pretrained(f"{folder}/{model_name}").eval()
    model = Tagger(f"{folder}/{model_name}")
    for made, shape in (packed_batches(sentences, "sentences:4", 173), grouped_batches(sentences, "sentences:4")):
        key, batch, pieces = made[0]
        step = Step(model, None, shape(key), 173, "cpu", dropout=0.0)
        step.feed(batch)
        x = step.inputs
        ours = model(x["ids"], x["positions"], x["labels"], step.attend, 0.0).item()
        total = targets = 0
        begins = [i for i, p in enumerate(x["positions"].tolist()) if p == 0 and x["ids"][i] == 1]
        for begin in begins:
            end = begin + x["ids"][begin:].tolist().index(2) + 1  # to [SEP]
            logits = theirs(input_ids=x["ids"][None, begin:end]).logits[0]
            labels = x["labels"][begin:end]
            total += torch.nn.functional.cross_entropy(logits, labels, reduction="sum").item()
            targets += int((labels >= 0).sum())
        print(f"{'packed' if 'cu_seqlens' in x else 'grouped'}: {len(begins)} sentences, {pieces} pieces, loss {ours:.7f}, "
              f"transformers {total / targets:.7f}")
        assert abs(ours - total / targets) < 1e-5


def main():
    arguments = argparse.ArgumentParser()
    for name in ("form", "folder", "model"):
        arguments.add_argument(name)
    arguments.add_argument("batch", nargs="?", default="sentences:32")
    arguments.add_argument("steps", nargs="?", type=int, default=10)
    arguments.add_argument("--compile", default="default")
    arguments.add_argument("--device", default="cuda")
    a = arguments.parse_args()
    if a.form == "check":
        return check(a.folder, a.model)

    began = time.perf_counter()
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(1)
    sentences = Sentences(a.folder + "/sentences.bin")
    longest = max(map(sentences.length, range(len(sentences.ids))))
    made, shape = packed_batches(sentences, a.batch, longest) if a.form == "packed" else grouped_batches(sentences, a.batch)
    if a.device == "cuda":
        made = [(key, {name: x.pin_memory() for name, x in batch.items()}, pieces) for key, batch, pieces in made]
    model = Tagger(f"{a.folder}/{a.model}", torch.bfloat16).to(a.device).train()
    on_gpu = {"capturable": True, "lr": torch.tensor(5e-5, device=a.device)} if a.device == "cuda" else {"lr": 5e-5}
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=0.01, fused=True, **on_gpu)
    keys = sorted({key for key, _, _ in made})
    if a.compile != "none":
        # Few shapes get code of their own each; many shapes share one code.
        torch._dynamo.config.cache_size_limit = 64
        torch._dynamo.config.specialize_float = True  # dropout is a constant
        model.compile_parts(mode=a.compile, dynamic=len(keys) > 2)
    pool = torch.cuda.graph_pool_handle() if a.device == "cuda" else None
    step_of = {}
    for key in sorted(keys, reverse=True):  # the largest first: the others reuse its memory
        step = step_of[key] = Step(model, optimizer, shape(key), longest, a.device)
        step.feed(next(batch for k, batch, _ in made if k == key))
        if a.device == "cuda":
            step.capture(pool)
    slices = Slices(a.steps, a.device, form=a.form, compile=a.compile, shapes=len(keys), seconds=time.perf_counter() - began,
                    parameters=sum(p.numel() for p in model.parameters()))
    at = 0
    while True:
        key, batch, pieces = made[at]
        at = (at + 1) % len(made)
        step_of[key](batch)
        if not slices.step(pieces):
            os._exit(0)


main()
