#!/usr/bin/env python
"""Compares the tags that entrain wrote with those that transformers gives with the same folder.

    hf_tags.py FOLDER TAGS     `train --pretrained` saved FOLDER; `predict --format conll` wrote TAGS with it

AutoTokenizer and AutoModelForTokenClassification open the folder; the first piece of a word has its tag, that of the highest logit. As in
entrain's output, an I-X that continues no X is O.
Prints the counts. Fails if a tag differs whose two highest logits are 1e-4 or more apart. Words without pieces
have no tag in transformers and are only counted. Needs the virtual environment of `setup.sh torch`.
"""

import os
import sys

os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["HF_HUB_OFFLINE"] = "1"

import torch
import transformers
from transformers import AutoModelForTokenClassification, AutoTokenizer

import conll
import first_pieces

folder, tags_file = sys.argv[1:]
transformers.logging.set_verbosity_error()
torch.set_float32_matmul_precision("highest")
torch.set_num_threads(len(os.sched_getaffinity(0)))
tokenizer = AutoTokenizer.from_pretrained(folder)
model, info = AutoModelForTokenClassification.from_pretrained(folder, output_loading_info=True, dtype=torch.float32)
problems = {k: v for k, v in info.items() if v}
assert not problems, problems
model.eval()



def as_written(tags):
    """The tags of BIO that belong to an entity."""
    inside = None
    for tag in tags:
        inside = tag[2:] if tag.startswith("B-") or (tag.startswith("I-") and inside == tag[2:]) else None
        yield tag if inside else "O"


sentences = conll.words_and_tags(tags_file)
total = equal = close = entities = mute = 0
for words, tags in sentences:
    batch = tokenizer(words, is_split_into_words=True, return_tensors="pt")
    assert batch["input_ids"].shape[1] <= model.config.max_position_embeddings, "a sentence longer than a window"
    mute += len(words) - len(set(batch.word_ids(0)) - {None})
    with torch.no_grad():
        logits = model(**batch).logits[0]
    places = list(first_pieces.of_words(batch.word_ids(0)))
    highest = [model.config.id2label[int(logits[piece].argmax())] for _, piece in places]
    for (word, piece), tag in zip(places, as_written(highest)):
        total += 1
        entities += tag != "O"
        top = logits[piece].topk(2).values
        if tag == tags[word]:
            equal += 1
        elif top[0] - top[1] < 1e-4:
            close += 1
        else:
            print(f"{words[word]!r}: transformers {tag}, entrain {tags[word]}")
print(f"transformers {transformers.__version__}, torch {torch.__version__}: {equal} of {total} tags equal in {len(sentences)} sentences, "
      f"{close} of the others within 1e-4; {entities} are not O; {mute} words have no piece")
sys.exit(equal + close != total or entities == 0)
