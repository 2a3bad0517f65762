#!/usr/bin/env python
"""Stores an encoder with random weights of a seed, for benches and checks that need its shapes and no knowledge.

    seeded_bert.py FOLDER OUT             BERT-base; FOLDER: a Hugging Face folder with a tokenizer of 30,522 pieces
    seeded_bert.py FOLDER OUT roberta     a RoBERTa of six blocks, 384 wide; FOLDER has its tokenizer.json; xlm-roberta: an XLM-RoBERTa;
                                                  multilingual-bert: a BERT with XLM-RoBERTa's tokenizer
    seeded_bert.py FOLDER OUT xlm-roberta-base    XLM-RoBERTa-base; FOLDER has a tokenizer.json of at most 250,002 pieces
    seeded_bert.py FOLDER OUT modernbert          a ModernBERT of six blocks, 384 wide, or modernbert-base, ModernBERT-base; FOLDER has the
                                                  tokenizer.json of GPT-2, of which OUT has the pieces with the steps and added pieces of ModernBERT

OUT gets the tokenizer's files and the weights.

Needs the virtual environment of setup.sh (requirements-torch.txt).
"""

import json
import os
import shutil
import sys

import torch
from tokenizers import AddedToken, Tokenizer, decoders, normalizers, pre_tokenizers, processors
from transformers import (BertConfig, BertModel, ModernBertConfig, ModernBertForMaskedLM, PreTrainedTokenizerFast, RobertaConfig, RobertaModel,
                          XLMRobertaConfig, XLMRobertaModel)


def modern_bert_tokenizer(folder, out, add_prefix_space):
    """The pieces of GPT-2, with the steps, the runs of spaces and the special pieces of ModernBERT."""
    tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_tokens([AddedToken(" " * n, normalized=True) for n in range(24, 1, -1)])
    tokenizer.add_special_tokens([AddedToken(name, lstrip=name == "[MASK]") for name in ("[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]")])
    around = [(name, tokenizer.token_to_id(name)) for name in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B [SEP]", special_tokens=around)
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", pad_token="[PAD]",
                            mask_token="[MASK]", model_max_length=8192,
                            model_input_names=["input_ids", "attention_mask"]).save_pretrained(out)
    return tokenizer


folder, out = sys.argv[1:3]
torch.manual_seed(0)
if sys.argv[3:] in (["roberta"], ["xlm-roberta"]):
    config, model = (RobertaConfig, RobertaModel) if sys.argv[3] == "roberta" else (XLMRobertaConfig, XLMRobertaModel)
    with open(f"{folder}/tokenizer.json", encoding="utf-8") as file:
        pieces = len(json.load(file)["model"]["vocab"])
    model(config(vocab_size=pieces, max_position_embeddings=514, type_vocab_size=1, layer_norm_eps=1e-5, hidden_size=384,
                 num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536)).save_pretrained(out)
elif sys.argv[3:] == ["multilingual-bert"]:
    with open(f"{folder}/tokenizer.json", encoding="utf-8") as file:
        pieces = len(json.load(file)["model"]["vocab"])
    BertModel(BertConfig(vocab_size=pieces + 35, hidden_size=384, num_hidden_layers=6, intermediate_size=1536)).save_pretrained(out)
elif sys.argv[3:] == ["xlm-roberta-base"]:
    XLMRobertaModel(XLMRobertaConfig(vocab_size=250002, max_position_embeddings=514, type_vocab_size=1, layer_norm_eps=1e-5)).save_pretrained(out)
elif sys.argv[3:] in (["modernbert"], ["modernbert-base"]):
    base = sys.argv[3] == "modernbert-base"  # of benches: both sides cut words in one way
    pieces = modern_bert_tokenizer(folder, out, base)
    ids = {f"{role}_token_id": pieces.token_to_id(f"[{name}]") for role, name in
           (("bos", "CLS"), ("cls", "CLS"), ("eos", "SEP"), ("sep", "SEP"), ("pad", "PAD"))}
    small = {} if base else dict(hidden_size=384, num_hidden_layers=6, num_attention_heads=6,
                                                             intermediate_size=576, local_attention=16)
    ModernBertForMaskedLM(ModernBertConfig(**ids, **small)).save_pretrained(out)
    sys.exit()
else:
    BertModel(BertConfig()).save_pretrained(out)
for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"):
    if os.path.exists(f"{folder}/{name}"):
        shutil.copy(f"{folder}/{name}", out)
