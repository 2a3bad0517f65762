"""Slices of fine-tuning with Hugging Face, 32 samples a step, for hf_finetune.py and hf_classify.py.

Importing it sets the number of threads, the fifth argument of these programs, before torch is imported.
"""

import os
import sys

threads = sys.argv[5] if len(sys.argv) > 5 else "1"
for name in ("OMP", "MKL"):  # before the first import of a library that reads them
    os.environ[f"{name}_NUM_THREADS"] = threads
os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["HF_HUB_OFFLINE"] = "1"

import tempfile
import time

import torch
import transformers

from slices import peak_rss_mib, say

SAMPLES = 32
transformers.logging.set_verbosity_error()
torch.set_num_threads(int(threads))


class Slices:
    """Counts pieces and steps. The first slice warms up; each later one is requested by a line, and answered when it is done."""

    def __init__(self, steps, model):
        self.steps, self.parameters, self.warm = steps, sum(p.numel() for p in model.parameters()), False
        self.start()

    def start(self):
        self.done = self.pieces = self.places = 0
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def step(self, pieces, places):
        """pieces: real ones; places: with padding."""
        self.done += 1
        self.pieces += pieces
        self.places += places
        if self.done < self.steps:
            return
        wall, cpu = time.perf_counter() - self.wall, time.process_time() - self.cpu
        if self.warm:
            say(what="train", pieces=self.pieces, seconds=wall, pieces_per_second=self.pieces / wall,
                pieces_per_cpu_second=self.pieces / cpu, real_share=self.pieces / self.places, peak_rss_mib=peak_rss_mib())
        else:
            say(what="ready", system="torch " + torch.__version__, transformers=transformers.__version__, parameters=self.parameters)
        self.warm = True
        if sys.stdin.readline().strip() in ("", "quit"):
            os._exit(0)  # in the middle of a training
        self.start()


def with_trainer(collator, model, rows, steps, **arguments):
    """transformers.Trainer with its default recipe and these arguments."""
    slices = Slices(steps, model)

    class Counting(transformers.TrainerCallback):
        pieces = places = 0

        def on_step_end(self, *_, **__):
            slices.step(self.pieces, self.places)

    counting = Counting()

    def collate(features):
        batch = collator(features)
        counting.pieces, counting.places = int(batch["attention_mask"].sum()), batch["attention_mask"].numel()
        return batch

    with tempfile.TemporaryDirectory() as folder:
        arguments = transformers.TrainingArguments(output_dir=folder, per_device_train_batch_size=SAMPLES, num_train_epochs=1000,
                                                   report_to=[], save_strategy="no", disable_tqdm=True, use_cpu=True,
                                                   logging_strategy="no", **arguments)
        transformers.Trainer(model=model, args=arguments, train_dataset=rows, data_collator=collate, callbacks=[counting]).train()


def with_loop(collator, model, rows, steps, equal, bf16):
    """The plain torch loop: forward, backward, clip, fused AdamW, on batches that were made before."""
    order = list(range(len(rows)))
    if equal:
        order.sort(key=lambda i: len(rows[i]["input_ids"]))
    batches, i = [], 0
    while i + SAMPLES <= len(order):
        group = [rows[j] for j in order[i:i + SAMPLES]]
        if equal and len(group[0]["input_ids"]) != len(group[-1]["input_ids"]):
            i += 1
            continue
        batches.append(group)
        i += SAMPLES
    made = []
    for group in batches:
        batch = dict(collator([dict(row) for row in group]))
        pieces, places = int(batch["attention_mask"].sum()), batch["attention_mask"].numel()
        if equal:
            del batch["attention_mask"]
        made.append((batch, pieces, places))
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5, weight_decay=0.01, fused=True)
    slices, at = Slices(steps, model), 0
    while True:
        batch, pieces, places = made[at]
        at = (at + 7) % len(made)
        with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
            loss = model(**batch).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        slices.step(pieces, places)
