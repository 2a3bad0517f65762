#!/usr/bin/env python3
"""The mean loss of each step of a fine-tuning with transformers on a GPU: the weights, sentences and order of `finetune losses`.

    gpu_losses.py DIR MODEL STEPS SENTENCES bf16|fp32 [--device cpu]

No dropout, 5e-5, AdamW that decays matrices and tables by 0.01, gradients clipped to 1. bf16: under torch's autocast; fp32: also
without TF32. Prints a line per step.
"""

import os
import sys

os.environ["HF_HUB_OFFLINE"] = "1"
device = "cpu" if sys.argv[6:] == ["--device", "cpu"] else "cuda"

import torch
import transformers
from transformers import AutoModelForTokenClassification

from gpu_sentences import Sentences

folder, model_name, steps, count, precision = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
transformers.logging.set_verbosity_error()
torch.set_float32_matmul_precision("highest")
sentences = Sentences(folder + "/sentences.bin")
model = AutoModelForTokenClassification.from_pretrained(f"{folder}/{model_name}", hidden_dropout_prob=0.0,
                                                        attention_probs_dropout_prob=0.0).to(device).train()
decays = [p for p in model.parameters() if p.dim() > 1]
others = [p for p in model.parameters() if p.dim() == 1]
optimizer = torch.optim.AdamW([{"params": decays, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}], lr=5e-5)
batches = sentences.in_order(f"sentences:{count}")
losses = []
for step in range(steps):
    group = batches[step % len(batches)]
    longest = max(sentences.length(i) for i in group)
    padded = lambda rows, pad: torch.tensor([rows[i] + [pad] * (longest - len(rows[i])) for i in group], device=device)
    ids, labels, mask = padded(sentences.ids, 0), padded(sentences.labels, -100), torch.zeros(len(group), longest, dtype=torch.long)
    for row, i in enumerate(group):
        mask[row, :sentences.length(i)] = 1
    with torch.autocast(device, torch.bfloat16, enabled=precision == "bf16"):
        logits = model(input_ids=ids, attention_mask=mask.to(device)).logits
    loss = torch.nn.functional.cross_entropy(logits.float().flatten(0, 1), labels.flatten())
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    losses.append(loss.detach())
print("\n".join(f"{loss.item():.9g}" for loss in losses))
