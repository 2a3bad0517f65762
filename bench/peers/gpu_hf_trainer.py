#!/usr/bin/env python3
"""Hugging Face Trainer on a GPU, as most people use it: bf16=True, a batch padded to its longest sentence, its own AdamW.

    gpu_hf_trainer.py DIR MODEL BATCH STEPS [--device cpu]

`finetune prepare` (bench/gpu/finetune.cu) wrote DIR. BATCH sentences:32 is Trainer's batch size; tokens:8192 is the number of
sentences that have 8,192 pieces on the mean. It runs at most 384 of them at once, the rest by gradient accumulation, as padded
batches of thousands do not fit into the card's memory. Counts real pieces, no pads. Answers lines as in gpu_slices.py.
"""

import os
import sys

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
device = "cpu" if sys.argv[5:] == ["--device", "cpu"] else "cuda"
if device == "cpu":
    os.environ["CUDA_VISIBLE_DEVICES"] = ""

import math
import tempfile

import tokenizers
import transformers
from transformers import AutoModelForTokenClassification, DataCollatorForTokenClassification, PreTrainedTokenizerFast

from gpu_sentences import Sentences, parse
from gpu_slices import Slices

AT_ONCE = 384
folder, model_name, batch, steps = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
transformers.logging.set_verbosity_error()
sentences = Sentences(folder + "/sentences.bin")
rows = [{"input_ids": ids, "labels": labels} for ids, labels in zip(sentences.ids, sentences.labels)]
of_sentences, budget = parse(batch)
wanted = budget if of_sentences else round(budget / sentences.mean_length)
accumulated = math.ceil(wanted / AT_ONCE)
size = round(wanted / accumulated)

# Used only for padding: the sentences are in pieces already.
vocabulary = {"[PAD]": 0, "[CLS]": 1, "[SEP]": 2, "[UNK]": 3}
tokenizer = PreTrainedTokenizerFast(tokenizer_object=tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]")),
                                    pad_token="[PAD]")
model = AutoModelForTokenClassification.from_pretrained(f"{folder}/{model_name}")
slices = Slices(steps, device, transformers=transformers.__version__, sentences_at_once=size, accumulated=accumulated,
                parameters=sum(p.numel() for p in model.parameters()))


class Collate(DataCollatorForTokenClassification):
    pieces = 0

    def __call__(self, features, **kinds):
        self.pieces += sum(len(f["input_ids"]) for f in features)
        return super().__call__(features, **kinds)


class Counting(transformers.TrainerCallback):
    def on_step_end(self, *_, **__):
        pieces, collate.pieces = collate.pieces, 0
        if not slices.step(pieces):
            os._exit(0)  # in the middle of a training


collate = Collate(tokenizer)
with tempfile.TemporaryDirectory() as output:
    arguments = transformers.TrainingArguments(output_dir=output, per_device_train_batch_size=size, gradient_accumulation_steps=accumulated,
                                               bf16=True, num_train_epochs=1000, report_to=[], save_strategy="no", disable_tqdm=True,
                                               logging_strategy="no", use_cpu=device == "cpu")
    transformers.Trainer(model=model, args=arguments, train_dataset=rows, data_collator=collate, callbacks=[Counting()]).train()
