#!/usr/bin/env python
"""Repeats a fine-tuning of entrain with transformers: the same first weights, the same order of sentences, no dropout.

    hf_parity.py OUT TRAIN TEST [fp32|fp64|bf16] [--device cpu|cuda]      bf16: under torch's autocast

finetune_parity wrote OUT, or classify_parity; then TRAIN and TEST are CSV files of texts, and a text has a class instead of tags.
Prints how far logits and gradients of the first step are apart, if OUT has them (per tensor |a-b| / |b|; a tensor whose norm is under
1e-8 of all gradients' is compared with that), the largest relative difference of a step's loss, the share of test tags that are equal, and
whether a folder that transformers loads and saves has the same bits. Writes OUT/losses-PRECISION and OUT/tags-PRECISION.conll with
transformers' results. Needs the virtual environment of `setup.sh torch`.
"""

import os
import sys

asked = sys.argv[1:]
device = "cpu"
if asked[-2:-1] == ["--device"]:
    device = asked.pop()
    asked.pop()
if device == "cpu":
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["HF_HUB_OFFLINE"] = "1"

import contextlib
import csv
import json
import tempfile

import torch
import transformers
from safetensors.torch import load_file
from transformers import AutoModelForSequenceClassification, AutoModelForTokenClassification, AutoTokenizer

import conll
import first_pieces

out, train, test, precision = [*asked, "fp32"][:4]
assert precision in ("fp32", "fp64", "bf16"), precision
dtype = torch.float64 if precision == "fp64" else torch.float32
texts = "SequenceClassification" in json.load(open(out + "/start/config.json"))["architectures"][0]
transformers.logging.set_verbosity_error()
torch.set_float32_matmul_precision("highest")
torch.set_num_threads(len(os.sched_getaffinity(0)))


def rounded():
    """The context of a forward pass."""
    return torch.autocast(device, torch.bfloat16) if precision == "bf16" else contextlib.nullcontext()


def texts_and_classes(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]


def load(folder):
    kind = AutoModelForSequenceClassification if texts else AutoModelForTokenClassification
    model, info = kind.from_pretrained(folder, output_loading_info=True, dtype=dtype, hidden_dropout_prob=0.0,
                                       attention_probs_dropout_prob=0.0)
    problems = {k: v for k, v in info.items() if v}
    assert not problems, problems
    return model.to(device)


# Loads the folder in transformers and saves it.
with tempfile.TemporaryDirectory() as folder:
    load(out + "/end").save_pretrained(folder)
    ours, theirs = load_file(out + "/end/model.safetensors"), load_file(folder + "/model.safetensors")
    same = ours.keys() == theirs.keys() and all(torch.equal(ours[k], theirs[k]) for k in ours)
    print(f"through transformers and back: {len(ours)} tensors, {'every bit the same' if same else 'NOT the same'}")

tokenizer = AutoTokenizer.from_pretrained(out + "/start")
model = load(out + "/start").train()
names = [model.config.id2label[i] for i in range(model.config.num_labels)]
sentences = texts_and_classes(train) if texts else conll.words_and_tags(train)


def numbers(name, shape):
    return torch.frombuffer(bytearray(open(f"{out}/{name}", "rb").read()), dtype=dtype).view(shape)


def first_step(logits, labels):
    """Before the first step: the logits of all words, and the gradients of the summed loss."""
    theirs = logits[labels != -100].detach()
    print(f"logits: |a-b| / |b| {((numbers('logits', theirs.shape) - theirs).norm() / theirs.norm()).item():.2e}")
    torch.nn.functional.cross_entropy(logits.view(-1, len(names)), labels.view(-1), reduction="sum").backward(retain_graph=True)
    gradients = dict(model.named_parameters())
    whole = torch.stack([p.grad.norm() for p in gradients.values()]).norm()
    worst, of = 0.0, ""
    for name, p in gradients.items():
        norm = p.grad.norm() if p.grad.norm() >= 1e-8 * whole else whole
        off = ((numbers(f"gradients/{name}", p.shape) - p.grad).norm() / norm).item()
        if off > worst:
            worst, of = off, name
    print(f"gradients of {len(gradients)} tensors: worst |a-b| / |b| {worst:.2e}, of {of}")


decays = [p for p in model.parameters() if p.dim() > 1]
others = [p for p in model.parameters() if p.dim() == 1]
optimizer = torch.optim.AdamW([{"params": decays, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}], lr=5e-5)
order = [int(line) for line in open(out + "/order")]
expected = [float(line) for line in open(out + "/losses")]
worst, losses = 0.0, open(f"{out}/losses-{precision}", "w")
for step, wanted in enumerate(expected):
    group = [sentences[i] for i in order[step * 32:(step + 1) * 32]]
    batch = tokenizer([words for words, _ in group], is_split_into_words=not texts, padding=True, return_tensors="pt").to(device)
    assert batch["input_ids"].shape[1] <= 512, "a sentence longer than a window: transformers would cut it"
    if texts:
        labels = torch.tensor([names.index(label) for _, label in group], device=device)
    else:
        labels = torch.full(batch["input_ids"].shape, -100, device=device)
        for i, (words, tags) in enumerate(group):
            for word, j in first_pieces.of_words(batch.word_ids(i)):
                labels[i, j] = names.index(tags[word])
    for rate in optimizer.param_groups:
        rate["lr"] = 5e-5 * (len(expected) - step) / len(expected)
    optimizer.zero_grad()
    with rounded():
        logits = model(**batch).logits
    logits = logits.to(dtype)
    if step == 0 and os.path.exists(out + "/logits"):
        first_step(logits, labels)
        optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(logits.view(-1, len(names)), labels.view(-1))
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    print(f"{loss.item():.17g}", file=losses)
    difference = abs(loss.item() - wanted) / abs(loss.item())
    worst = max(worst, difference)
    if step in (0, 9, 99) or step + 1 == len(expected):
        print(f"step {step + 1}: transformers {loss.item():.9f}, entrain {wanted:.9f}; worst relative difference so far {worst:.2e}")

model.eval()
ours_end = load(out + "/end").eval()
losses.close()
if texts:
    classes, equal, reloaded = open(out + "/classes").read().splitlines(), 0, 0
    gold = texts_and_classes(test)
    for (text, _), ours in zip(gold, classes, strict=True):
        batch = tokenizer(text, return_tensors="pt").to(device)
        with torch.no_grad(), rounded():
            equal += names[int(model(**batch).logits[0].argmax())] == ours
            reloaded += names[int(ours_end(**batch).logits[0].argmax())] == ours
    print(f"test classes: {equal} of {len(gold)} equal where both trained; {reloaded} equal on our folder")
    sys.exit()
gold, predicted = conll.words_and_tags(test), conll.words_and_tags(out + "/tags.conll")
total = equal = reloaded = close = mute = 0
given = []
for (words, _), (their_words, tags) in zip(gold, predicted, strict=True):
    assert words == their_words or len(words) == len(their_words)
    batch = tokenizer(words, is_split_into_words=True, truncation=True, max_length=512, return_tensors="pt").to(device)
    given.append(["O"] * len(words))
    mute += len(words) - len(set(batch.word_ids(0)) - {None})
    with torch.no_grad(), rounded():
        trained_there, ours = model(**batch).logits[0], ours_end(**batch).logits[0]
    for word, j in first_pieces.of_words(batch.word_ids(0)):
        total += 1
        given[-1][word] = names[int(trained_there[j].argmax())]
        equal += given[-1][word] == tags[word]
        if names[int(ours[j].argmax())] == tags[word]:
            reloaded += 1
        else:
            top = ours[j].topk(2).values
            close += bool(top[0] - top[1] < 1e-4)
print(f"test tags: {equal} of {total} equal where both trained ({100 * equal / total:.3f} %); "
      f"{reloaded} of {total} equal on our folder, {close} of the others within 1e-4; "
      f"{mute} words have no piece and are not compared")
with open(f"{out}/tags-{precision}.conll", "w", encoding="utf-8") as f:
    for (words, _), tags in zip(gold, given, strict=True):
        f.writelines(f"{word}\t{tag}\n" for word, tag in zip(words, tags, strict=True))
        f.write("\n")
