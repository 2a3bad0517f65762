#!/usr/bin/env python
"""Stores an encoder with random weights of a seed, for benches and checks that need its shapes and no knowledge.

    seeded_bert.py FOLDER OUT             BERT-base; FOLDER: a Hugging Face folder with a tokenizer of 30,522 pieces
    seeded_bert.py FOLDER OUT roberta     a RoBERTa of six blocks, 384 wide; FOLDER has its tokenizer.json; xlm-roberta: an XLM-RoBERTa
    seeded_bert.py FOLDER OUT xlm-roberta-base    XLM-RoBERTa-base; FOLDER has a tokenizer.json of at most 250,002 pieces

OUT gets the tokenizer's files and the weights.

Needs the virtual environment of setup.sh (requirements-torch.txt).
"""

import json
import os
import shutil
import sys

import torch
from transformers import BertConfig, BertModel, RobertaConfig, RobertaModel, XLMRobertaConfig, XLMRobertaModel

folder, out = sys.argv[1:3]
torch.manual_seed(0)
if sys.argv[3:] in (["roberta"], ["xlm-roberta"]):
    config, model = (RobertaConfig, RobertaModel) if sys.argv[3] == "roberta" else (XLMRobertaConfig, XLMRobertaModel)
    with open(f"{folder}/tokenizer.json", encoding="utf-8") as file:
        pieces = len(json.load(file)["model"]["vocab"])
    model(config(vocab_size=pieces, max_position_embeddings=514, type_vocab_size=1, layer_norm_eps=1e-5, hidden_size=384,
                 num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536)).save_pretrained(out)
elif sys.argv[3:] == ["xlm-roberta-base"]:
    XLMRobertaModel(XLMRobertaConfig(vocab_size=250002, max_position_embeddings=514, type_vocab_size=1, layer_norm_eps=1e-5)).save_pretrained(out)
else:
    BertModel(BertConfig()).save_pretrained(out)
for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"):
    if os.path.exists(f"{folder}/{name}"):
        shutil.copy(f"{folder}/{name}", out)
