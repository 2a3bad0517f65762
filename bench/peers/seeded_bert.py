#!/usr/bin/env python
"""Stores BERT-base with random weights of a seed, for benches that need its shapes and no knowledge.

    seeded_bert.py FOLDER OUT     FOLDER: a Hugging Face folder with a tokenizer of 30,522 pieces; OUT gets its files and the weights

Needs the virtual environment of setup.sh (requirements-torch.txt).
"""

import os
import shutil
import sys

import torch
from transformers import BertConfig, BertModel

folder, out = sys.argv[1:3]
torch.manual_seed(0)
BertModel(BertConfig()).save_pretrained(out)
for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"):
    if os.path.exists(f"{folder}/{name}"):
        shutil.copy(f"{folder}/{name}", out)
