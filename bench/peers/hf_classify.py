#!/usr/bin/env python
"""Hugging Face as the peer of entrain in the classification of texts, 32 texts a step.

    hf_classify.py trainer FOLDER TRAIN STEPS THREADS [grouped]    slices of transformers.Trainer; grouped: by length
    hf_classify.py loop    FOLDER TRAIN STEPS THREADS [equal]      slices of the plain torch loop; equal: batches of one length
    hf_classify.py quality FOLDER TRAIN TEST THREADS SEED EPOCHS RATE OUT [glorot] [published]

TRAIN and TEST are CSV files with a header, the text in the first column and its class in the second. The slices are those of
hf_slices.py, and bench/slices/turns.sh requests them. The Trainer is unchanged except for batch size and no saving; its texts were
tokenized before. A batch is padded to its longest text, as DataCollatorWithPadding does.

`quality` trains with the Trainer: learning rate RATE, a tenth of all steps as warm-up, linear decay, weight decay 0.01, dropout 0.1. It
writes the accuracy on TEST, the seconds of training and the peak memory to OUT, as JSON. glorot: the classifier's first weights are drawn
as entrain draws them, instead of transformers' normal distribution of 0.02. To save time, the model computes a batch in four parts of
similar lengths, which have fewer pads, and the loss is that of the whole batch. published: it does not, and TEST is evaluated after
every epoch.
Needs the virtual environment of `setup.sh torch`.
"""

import csv
import json
import os
import sys
import tempfile
import time

from hf_slices import SAMPLES, peak_rss_mib, with_loop, with_trainer

import torch
import transformers
from transformers import AutoModelForSequenceClassification, AutoTokenizer, DataCollatorWithPadding


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        records = csv.reader(file)
        next(records)
        return list(records)


def rows_of(tokenizer, records, names):
    return [dict(tokenizer(text, truncation=True, max_length=512), labels=names.index(label)) for text, label in records]


class InParts(transformers.Trainer):
    """Computes a batch in four parts. Pads have no influence on the loss, so it is that of the batch."""

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        if return_outputs:  # in evaluation
            return super().compute_loss(model, inputs, return_outputs, num_items_in_batch)
        labels, lengths = inputs.pop("labels"), inputs["attention_mask"].sum(1)
        order = lengths.argsort(stable=True)
        logits = []
        for part in order.chunk(4):
            most = int(lengths[part].max())
            logits.append(model(**{name: value[part, :most] for name, value in inputs.items()}).logits)
        return torch.nn.functional.cross_entropy(torch.cat(logits), labels[order])


def quality(tokenizer, collator, train, names, folder):
    test, _, seed, epochs, rate, out = sys.argv[4:10]
    more = sys.argv[10:]
    transformers.set_seed(int(seed))
    model = AutoModelForSequenceClassification.from_pretrained(folder, num_labels=len(names))
    if "glorot" in more:
        torch.nn.init.xavier_uniform_(model.classifier.weight)
    gold = sorted(rows_of(tokenizer, read(test), names), key=lambda row: len(row["input_ids"]))  # few pads

    def accuracy(predicted):
        return {"accuracy": float((predicted.predictions.argmax(-1) == predicted.label_ids).mean())}

    with tempfile.TemporaryDirectory() as work:
        arguments = transformers.TrainingArguments(
            output_dir=work, per_device_train_batch_size=SAMPLES, per_device_eval_batch_size=SAMPLES, num_train_epochs=int(epochs),
            learning_rate=float(rate), warmup_steps=0.1, weight_decay=0.01, seed=int(seed), report_to=[], save_strategy="no",
            eval_strategy="epoch" if "published" in more else "no", disable_tqdm=True, logging_strategy="no", use_cpu=True)
        trainer = transformers.Trainer(model=model, args=arguments, train_dataset=rows_of(tokenizer, train, names), eval_dataset=gold,
                                       data_collator=collator, compute_metrics=accuracy)
        begin = time.perf_counter()
        trainer.train()
        seconds = time.perf_counter() - begin
        result = {"accuracy": trainer.evaluate()["eval_accuracy"], "seconds_of_training": seconds, "steps": trainer.state.global_step,
                  "peak_rss_mib": peak_rss_mib()}
    with open(out + ".new", "w", encoding="utf-8") as file:
        json.dump(result, file)
    os.replace(out + ".new", out)


def main():
    how, folder, path = sys.argv[1:4]
    tokenizer = AutoTokenizer.from_pretrained(folder)
    collator = DataCollatorWithPadding(tokenizer)
    train = read(path)
    names = sorted({label for _, label in train})
    if how == "quality":
        quality(tokenizer, collator, train, names, folder)
        return
    steps, more = int(sys.argv[4]), sys.argv[6:]
    rows = rows_of(tokenizer, train, names)
    model = AutoModelForSequenceClassification.from_pretrained(folder, num_labels=len(names))
    if how == "trainer":
        with_trainer(collator, model, rows, steps, train_sampling_strategy="group_by_length" if more == ["grouped"] else "random")
    else:
        with_loop(collator, model, rows, steps, more == ["equal"], False)


main()
