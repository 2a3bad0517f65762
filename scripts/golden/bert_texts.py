#!/usr/bin/env python3
"""Makes tests/train/golden/bert_texts, golden/distilbert_texts, golden/electra_texts, golden/roberta_texts, golden/xlm_roberta_texts or golden/modern_bert_texts: a tiny classifier of texts with
random weights in fp64, and the results of transformers for it.

    python -P scripts/golden/bert_texts.py [bert | distilbert | electra | roberta | xlm_roberta | modern_bert]     needs: torch, transformers, tokenizers, safetensors

model.safetensors, config.json, vocab.txt   the folder as transformers saves ...ForSequenceClassification; for RoBERTa, XLM-RoBERTa and ModernBERT the
                                            tokenizer's files of golden/roberta and so on, which scripts/golden/bert.py makes
texts.txt                                   class TAB classes, with commas, - for none TAB words; a piece is a letter
expected.safetensors                        one.NAME for one class a text (cross-entropy), many.NAME for any number of
                                            them (BCEWithLogitsLoss): logits [texts, classes] (of both), the summed loss
                                            (many: of the mean over classes), every gradient as gradient.TENSOR, and
                                            `losses`, the mean loss of each of 100 steps of AdamW (learning rate 1e-3,
                                            weight decay 0.01 on matrices, clipping 1)
Dropout is 0. All texts are one batch, padded by transformers, packed by entrain.
"""
import copy
import os
import random
import shutil
import sys

import safetensors.torch
import torch
import transformers
from transformers import (BertConfig, BertForSequenceClassification, BertTokenizerFast, DistilBertConfig,
                          DistilBertForSequenceClassification, ElectraConfig, ElectraForSequenceClassification, ModernBertConfig,
                          ModernBertForSequenceClassification, PreTrainedTokenizerFast, RobertaConfig,
                          RobertaForSequenceClassification, RobertaTokenizerFast, XLMRobertaConfig, XLMRobertaForSequenceClassification,
                          XLMRobertaTokenizer)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from rotary_fp64 import rotary_in_fp64  # noqa: E402

KIND = sys.argv[1] if len(sys.argv) > 1 else "bert"
OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "train", "golden", KIND + "_texts")
LETTERS = "abcdefgh"
CLASSES = ["bad", "good", "mixed", "none", "odd"]
STEPS = 100

print("torch", torch.__version__, "transformers", transformers.__version__)
os.makedirs(OUT, exist_ok=True)
if KIND.endswith("roberta") or KIND == "modern_bert":
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(os.path.join(OUT, "..", KIND, name), OUT)
    of = {"roberta": RobertaTokenizerFast, "xlm_roberta": XLMRobertaTokenizer, "modern_bert": PreTrainedTokenizerFast}[KIND]
    tokenizer = of.from_pretrained(OUT)
else:
    with open(os.path.join(OUT, "vocab.txt"), "w") as f:
        f.write("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *("##" + c for c in LETTERS)]) + "\n")
    tokenizer = BertTokenizerFast(os.path.join(OUT, "vocab.txt"), do_lower_case=True)

rng = random.Random(3)
texts = []
for length in (5, 1, 9, 3, 1, 7):
    words = ["".join(rng.choice(LETTERS) for _ in range(rng.choice((1, 1, 2, 3)))) for _ in range(length)]
    texts.append((" ".join(words), rng.randrange(len(CLASSES)), [k for k in range(len(CLASSES)) if rng.random() < 0.4]))
with open(os.path.join(OUT, "texts.txt"), "w") as f:
    for text, one, many in texts:
        f.write(f"{CLASSES[one]}\t{','.join(CLASSES[k] for k in many) or '-'}\t{text}\n")

torch.manual_seed(5)
both = dict(vocab_size=len(tokenizer), max_position_embeddings=40, id2label=dict(enumerate(CLASSES)),
            label2id={label: i for i, label in enumerate(CLASSES)}, initializer_range=0.4)
sizes = dict(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24, hidden_dropout_prob=0,
             attention_probs_dropout_prob=0)
if KIND == "bert":
    model = BertForSequenceClassification(BertConfig(**both, **sizes))
elif KIND == "electra":
    model = ElectraForSequenceClassification(ElectraConfig(**both, **sizes, embedding_size=16))
elif KIND.endswith("roberta"):
    config, of = (RobertaConfig, RobertaForSequenceClassification) if KIND == "roberta" else (XLMRobertaConfig, XLMRobertaForSequenceClassification)
    model = of(config(**{**both, "max_position_embeddings": 42}, **sizes, type_vocab_size=1, layer_norm_eps=1e-5, pad_token_id=1,
                      bos_token_id=0, eos_token_id=2))
elif KIND == "modern_bert":
    model = ModernBertForSequenceClassification(ModernBertConfig(
        **both, hidden_size=16, num_hidden_layers=4, num_attention_heads=2, intermediate_size=24, local_attention=6,
        global_attn_every_n_layers=2, global_rope_theta=50.0, local_rope_theta=7.0, bos_token_id=1, cls_token_id=1, eos_token_id=2,
        sep_token_id=2, pad_token_id=3, classifier_pooling="mean"))
else:
    model = DistilBertForSequenceClassification(
        DistilBertConfig(**both, dim=16, n_layers=2, n_heads=2, hidden_dim=24, dropout=0, attention_dropout=0,
                         seq_classif_dropout=0))
model = model.double().eval()
if KIND == "modern_bert":
    rotary_in_fp64(model)
with torch.no_grad():
    for name, p in model.named_parameters():
        if name.lower().endswith("norm.weight"):
            p.add_(0.3 * torch.randn_like(p))
        elif name.endswith("bias"):
            p.copy_(0.3 * torch.randn_like(p))
model.save_pretrained(OUT)

batch = tokenizer([t for t, _, _ in texts], padding=True, return_tensors="pt")
if KIND == "distilbert":
    batch.pop("token_type_ids", None)
one = torch.tensor([o for _, o, _ in texts])
many = torch.zeros(len(texts), len(CLASSES), dtype=torch.float64)
for s, (_, _, of) in enumerate(texts):
    many[s, of] = 1

expected = {}
for kind, loss_of in (("one", lambda z: torch.nn.functional.cross_entropy(z, one, reduction="sum")),
                      ("many", lambda z: len(texts) * torch.nn.functional.binary_cross_entropy_with_logits(z, many))):
    net = copy.deepcopy(model)
    logits = net(**batch).logits
    loss = loss_of(logits)
    loss.backward()
    expected["logits"] = logits.detach()
    expected[kind + ".loss"] = loss.detach().reshape(1)
    expected.update({f"{kind}.gradient.{n}": p.grad.clone() for n, p in net.named_parameters()})
    decayed = [p for p in net.parameters() if p.ndim > 1]
    plain = [p for p in net.parameters() if p.ndim == 1]
    optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0}],
                                  lr=1e-3, betas=(0.9, 0.999), eps=1e-8)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        mean = loss_of(net(**batch).logits) / len(texts)
        mean.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        losses.append(mean.item())
    expected[kind + ".losses"] = torch.tensor(losses, dtype=torch.float64)
    print(kind, expected[kind + ".loss"].item(), losses[:2], losses[-1])
safetensors.torch.save_file({k: v.contiguous() for k, v in expected.items()}, os.path.join(OUT, "expected.safetensors"))
