#!/usr/bin/env python
"""Fine-tunes with transformers' Trainer and its own recipe, and writes its tags for a test file, for one seed.

    hf_quality.py FOLDER TRAIN TEST SEED EPOCHS OUT cpu|cuda     OUT: a CoNLL file, token TAB tag; cuda: with bf16=True
    hf_quality.py pieces FOLDER TRAIN                            mean pieces of 32 sentences, including [CLS] and [SEP]

32 sentences a step, learning rate 5e-5 falling linearly, dropout as in the folder's config.json, no choice by a dev file. A word
without pieces gets O. Needs the virtual environment of `setup.sh torch`.
"""

import os
import sys

if sys.argv[-1] != "cuda":
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["HF_HUB_OFFLINE"] = "1"

import tempfile

import conll
import first_pieces
import torch
import transformers
from transformers import AutoModelForTokenClassification, AutoTokenizer, DataCollatorForTokenClassification

if sys.argv[1] == "pieces":
    _, rows = first_pieces.rows(AutoTokenizer.from_pretrained(sys.argv[2]), sys.argv[3])
    print(round(32 * sum(len(row["input_ids"]) for row in rows) / len(rows)))
    sys.exit()

folder, train, test, seed, epochs, out, device = sys.argv[1:8]
on_gpu = device == "cuda"
transformers.logging.set_verbosity_error()
transformers.set_seed(int(seed))
tokenizer = AutoTokenizer.from_pretrained(folder)
names, rows = first_pieces.rows(tokenizer, train)
model = AutoModelForTokenClassification.from_pretrained(folder, num_labels=len(names), id2label=dict(enumerate(names)))
with tempfile.TemporaryDirectory() as work:
    arguments = transformers.TrainingArguments(output_dir=work, per_device_train_batch_size=32, num_train_epochs=int(epochs),
                                               seed=int(seed), report_to=[], save_strategy="no", disable_tqdm=True, logging_strategy="no",
                                               use_cpu=not on_gpu, bf16=on_gpu)
    transformers.Trainer(model=model, args=arguments, train_dataset=rows,
                         data_collator=DataCollatorForTokenClassification(tokenizer)).train()
model.eval()
with open(out + ".new", "w", encoding="utf-8") as f:
    for words, _ in conll.words_and_tags(test):
        batch = tokenizer(words, is_split_into_words=True, truncation=True, max_length=512, return_tensors="pt").to(model.device)
        with torch.no_grad():
            best = model(**batch).logits[0].argmax(-1)
        tags = ["O"] * len(words)
        for word, piece in first_pieces.of_words(batch.word_ids(0)):
            tags[word] = names[int(best[piece])]
        f.writelines(f"{word}\t{tag}\n" for word, tag in zip(words, tags))
        f.write("\n")
os.replace(out + ".new", out)
