#!/usr/bin/env python
"""Hugging Face as the peer of entrain in fine-tuning: the same folder, the same sentences, 32 a step.

    hf_finetune.py trainer FOLDER TRAIN [STEPS [THREADS [bf16]]]        transformers.Trainer, its default recipe; with bf16=True
    hf_finetune.py loop    FOLDER TRAIN [STEPS [THREADS [equal|bf16]]]  the plain torch loop: forward, backward, clip, AdamW

Each answers a line 'train' on stdin with one line of JSON after STEPS steps, and ends at 'quit', as bench/slices/turns.sh requires.

A batch is padded to its longest sentence, as DataCollatorForTokenClassification does; real pieces are counted, including [CLS] and
[SEP], no pads. `loop` takes batches that were made before, so that tokenizing costs it nothing, and AdamW's fused form;
`trainer` is unchanged (its data were tokenized before, as in Hugging Face's example), except for batch size, dropout 0.1 and no
saving. With `equal`, a batch is 32 sentences of the same number of pieces: nothing is padded, attention needs no mask. With `bf16`, the loop's
forward pass and loss run under torch's autocast to bf16, weights and AdamW stay fp32; the Trainer gets bf16=True, which is the same.

Faster forms of `loop`, and how they are used here:
  used           AdamW's fused step; gradients set to none, not to zero; torch.set_num_threads, and OMP_NUM_THREADS before torch is read
                 (`trainer` has the threads, too); transformers' default attention, scaled_dot_product_attention
  sorted lengths not used in `loop`, whose batches are the corpus's own, as entrain's are; `equal` is their limit, a batch of one length
  torch.compile  not measured: it compiles again for new lengths, of which a corpus has dozens, unless they are marked dynamic
  inter-op       torch.set_num_interop_threads is torch's own, not measured: the loop has one operator at a time
  allocators     tcmalloc and jemalloc by LD_PRELOAD: not measured
  channels_last  concerns images; there are none here
Needs the virtual environment of setup.sh (requirements-torch.txt).
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
from transformers import AutoModelForTokenClassification, AutoTokenizer, DataCollatorForTokenClassification

import first_pieces
from slices import peak_rss_mib, say

SENTENCES = 32
transformers.logging.set_verbosity_error()


class Slices:
    """Counts pieces and steps. The first slice warms up; each later one is requested by a line, and answered when it is done."""

    def __init__(self, steps, model):
        self.steps, self.parameters, self.warm = steps, sum(p.numel() for p in model.parameters()), False
        self.start()

    def start(self):
        self.done = self.pieces = 0
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def step(self, pieces):
        self.done += 1
        self.pieces += pieces
        if self.done < self.steps:
            return
        wall, cpu = time.perf_counter() - self.wall, time.process_time() - self.cpu
        if self.warm:
            say(what="train", pieces=self.pieces, seconds=wall, pieces_per_second=self.pieces / wall,
                pieces_per_cpu_second=self.pieces / cpu, peak_rss_mib=peak_rss_mib())
        else:
            say(what="ready", system="torch " + torch.__version__, transformers=transformers.__version__, parameters=self.parameters)
        self.warm = True
        if sys.stdin.readline().strip() in ("", "quit"):
            os._exit(0)  # in the middle of a training
        self.start()


def with_trainer(tokenizer, model, rows, steps, bf16):
    slices = Slices(steps, model)

    class Counting(transformers.TrainerCallback):
        def on_step_end(self, *_, **__):
            slices.step(collate.pieces)

    class Collate(DataCollatorForTokenClassification):
        pieces = 0

        def __call__(self, features, **kinds):
            batch = super().__call__(features, **kinds)
            self.pieces = int(batch["attention_mask"].sum())
            return batch

    collate = Collate(tokenizer)
    with tempfile.TemporaryDirectory() as folder:
        arguments = transformers.TrainingArguments(output_dir=folder, per_device_train_batch_size=SENTENCES, num_train_epochs=1000,
                                                   report_to=[], save_strategy="no", disable_tqdm=True, use_cpu=True,
                                                   logging_strategy="no", bf16=bf16)
        transformers.Trainer(model=model, args=arguments, train_dataset=rows, data_collator=collate, callbacks=[Counting()]).train()


def with_loop(tokenizer, model, rows, steps, equal, bf16):
    order = list(range(len(rows)))
    if equal:
        order.sort(key=lambda i: len(rows[i]["input_ids"]))
    batches, i = [], 0
    while i + SENTENCES <= len(order):
        group = [rows[j] for j in order[i:i + SENTENCES]]
        if equal and len(group[0]["input_ids"]) != len(group[-1]["input_ids"]):
            i += 1
            continue
        batches.append(group)
        i += SENTENCES
    collate = DataCollatorForTokenClassification(tokenizer)
    made = []
    for group in batches:
        batch = dict(collate([dict(row) for row in group]))
        pieces = int(batch["attention_mask"].sum())
        if equal:
            del batch["attention_mask"]
        made.append((batch, pieces))
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5, weight_decay=0.01, fused=True)
    slices, at = Slices(steps, model), 0
    while True:
        batch, pieces = made[at]
        at = (at + 7) % len(made)
        with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
            loss = model(**batch).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        slices.step(pieces)


def main():
    how, folder, path = sys.argv[1:4]
    steps = int(sys.argv[4]) if len(sys.argv) > 4 else 10
    torch.set_num_threads(int(threads))
    tokenizer = AutoTokenizer.from_pretrained(folder)
    names, rows = first_pieces.rows(tokenizer, path)
    model = AutoModelForTokenClassification.from_pretrained(folder, num_labels=len(names))
    if how == "trainer":
        with_trainer(tokenizer, model, rows, steps, sys.argv[6:] == ["bf16"])
    else:
        with_loop(tokenizer, model, rows, steps, sys.argv[6:] == ["equal"], sys.argv[6:] == ["bf16"])


main()
