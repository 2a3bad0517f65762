#!/usr/bin/env python3
"""Makes tests/train/golden/bert, golden/distilbert, golden/electra, golden/electra_small, golden/roberta, golden/xlm_roberta or golden/modern_bert: a tiny encoder with random weights in fp64, and the results of
transformers for it.

    python -P scripts/golden/bert.py [bert | distilbert | electra | electra_small | roberta | xlm_roberta | modern_bert]     needs: torch, transformers, tokenizers, safetensors
                                                                              (versions are printed)

model.safetensors, config.json, vocab.txt   the folder as transformers saves it, with a head for tokens; for RoBERTa,
                                            XLM-RoBERTa and ModernBERT tokenizer.json and tokenizer_config.json
sentences.conll                             words and tags; a piece is a letter, so most words have several
expected.safetensors                        logits [words, tags] of first pieces, in the file's order; the summed loss;
                                            the same if every piece has its word's tag, B as I in later
                                            pieces, as loss_of_every_piece;
                                            every gradient as gradient.NAME; `losses`, the mean loss of each of 12 steps
                                            of AdamW (learning rate 1e-3, weight decay 0.01 on matrices, clipping 1)
Dropout is 0. All sentences are one batch, padded by transformers, packed by entrain. ModernBERT's cosines and sines are
computed in fp64 from its frequencies in fp32; transformers rounds them to fp32.
"""
import os
import random
import sys

import safetensors.torch
import torch
import transformers
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (BertConfig, BertForTokenClassification, BertTokenizerFast, DistilBertConfig,
                          DistilBertForTokenClassification, ElectraConfig, ElectraForTokenClassification, ModernBertConfig,
                          ModernBertForTokenClassification, PreTrainedTokenizerFast, RobertaConfig, RobertaForTokenClassification,
                          RobertaTokenizerFast, XLMRobertaConfig, XLMRobertaForTokenClassification,
                          XLMRobertaTokenizer)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "generate"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from charsmap import charsmap  # noqa: E402
from rotary_fp64 import rotary_in_fp64  # noqa: E402

KIND = sys.argv[1] if len(sys.argv) > 1 else "bert"
OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "train", "golden", KIND)
LETTERS = "abcdefgh"
LABELS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
STEPS = 12

print("torch", torch.__version__, "transformers", transformers.__version__)
os.makedirs(OUT, exist_ok=True)
if KIND == "roberta":
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    bpe.train_from_iterator((" ".join((a + b, a, b + b + a)) for a in LETTERS for b in LETTERS[:4]), trainers.BpeTrainer(
        vocab_size=280, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
        show_progress=False))
    bpe.model.save(OUT)  # vocab.json and merges.txt
    tokenizer = RobertaTokenizerFast.from_pretrained(OUT, add_prefix_space=True)
    tokenizer.save_pretrained(OUT)
    os.remove(os.path.join(OUT, "vocab.json"))
    os.remove(os.path.join(OUT, "merges.txt"))
elif KIND == "xlm_roberta":
    pieces = [(p, 0.0) for p in ("<s>", "<pad>", "</s>", "<unk>")] + [("\u2581", -3.5)]
    pieces += [(mark + c, -4 - 0.125 * i) for mark in ("", "\u2581") for i, c in enumerate(LETTERS)]
    pieces += [(a + b, -5.5 - 0.25 * i) for i, a in enumerate(LETTERS[:4]) for b in LETTERS[4:]] + [("<mask>", 0.0)]
    XLMRobertaTokenizer(vocab=pieces, _spm_precompiled_charsmap=charsmap({"\t": " ", "\uff41": "a"})).save_pretrained(OUT)
    tokenizer = XLMRobertaTokenizer.from_pretrained(OUT)
elif KIND == "modern_bert":
    bpe = Tokenizer(models.BPE())
    bpe.normalizer = normalizers.NFC()
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    bpe.train_from_iterator((" ".join((a + b, a, b + b + a)) for a in LETTERS for b in LETTERS[:4]), trainers.BpeTrainer(
        vocab_size=280, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False,
        special_tokens=["[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"]))
    bpe.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=bpe, unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", pad_token="[PAD]",
                                        mask_token="[MASK]", model_input_names=["input_ids", "attention_mask"])
    tokenizer.save_pretrained(OUT)
else:
    with open(os.path.join(OUT, "vocab.txt"), "w") as f:
        f.write("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *("##" + c for c in LETTERS)]) + "\n")
    tokenizer = BertTokenizerFast(os.path.join(OUT, "vocab.txt"), do_lower_case=True)

rng = random.Random(7)
sentences = []
for length in (5, 1, 9, 3):
    words = ["".join(rng.choice(LETTERS) for _ in range(rng.choice((1, 1, 2, 3)))) for _ in range(length)]
    tags, inside = [], None
    for _ in words:
        step = rng.random()
        if inside and step < 0.5:
            tags.append("I-" + inside)
        elif step < 0.75:
            inside = rng.choice(("PER", "LOC"))
            tags.append("B-" + inside)
        else:
            inside = None
            tags.append("O")
    sentences.append((words, tags))
with open(os.path.join(OUT, "sentences.conll"), "w") as f:
    for words, tags in sentences:
        f.writelines(f"{w}\t{t}\n" for w, t in zip(words, tags))
        f.write("\n")

torch.manual_seed(11)
both = dict(vocab_size=len(tokenizer), max_position_embeddings=40, id2label=dict(enumerate(LABELS)),
            label2id={label: i for i, label in enumerate(LABELS)}, initializer_range=0.4)
sizes = dict(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24, hidden_dropout_prob=0,
             attention_probs_dropout_prob=0)
if KIND == "bert":
    model = BertForTokenClassification(BertConfig(**both, **sizes))
elif KIND.startswith("electra"):  # the tables of electra_small are narrower than its blocks
    model = ElectraForTokenClassification(ElectraConfig(**both, **sizes, embedding_size=16 if KIND == "electra" else 10))
elif KIND.endswith("roberta"):
    config, of = (RobertaConfig, RobertaForTokenClassification) if KIND == "roberta" else (XLMRobertaConfig, XLMRobertaForTokenClassification)
    model = of(config(**{**both, "max_position_embeddings": 42}, **sizes, type_vocab_size=1, layer_norm_eps=1e-5, pad_token_id=1,
                      bos_token_id=0, eos_token_id=2))
elif KIND == "modern_bert":
    model = ModernBertForTokenClassification(ModernBertConfig(
        **both, hidden_size=16, num_hidden_layers=4, num_attention_heads=2, intermediate_size=24, local_attention=6,
        global_attn_every_n_layers=2, global_rope_theta=50.0, local_rope_theta=7.0, bos_token_id=1, cls_token_id=1, eos_token_id=2,
        sep_token_id=2, pad_token_id=3))
else:
    model = DistilBertForTokenClassification(
        DistilBertConfig(**both, dim=16, n_layers=2, n_heads=2, hidden_dim=24, dropout=0, attention_dropout=0))
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

batch = tokenizer([w for w, _ in sentences], is_split_into_words=True, padding=True, return_tensors="pt")
if KIND == "distilbert":
    batch.pop("token_type_ids", None)
labels = torch.full(batch["input_ids"].shape, -100)
first = []
for s, (_, tags) in enumerate(sentences):
    seen = set()
    for i, word in enumerate(batch.word_ids(s)):
        if word is not None and word not in seen:
            seen.add(word)
            labels[s, i] = LABELS.index(tags[word])
            first.append((s, i))


def forward():
    logits = model(**batch).logits
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100, reduction="sum")
    return logits, loss


every = labels.clone()
for s, (_, tags) in enumerate(sentences):
    seen = set()
    for i, word in enumerate(batch.word_ids(s)):
        if word is not None:
            tag = tags[word] if word not in seen else tags[word].replace("B-", "I-")
            seen.add(word)
            every[s, i] = LABELS.index(tag)

logits, loss = forward()
loss_of_every_piece = torch.nn.functional.cross_entropy(logits.detach().flatten(0, 1), every.flatten(), ignore_index=-100,
                                                        reduction="sum")
loss.backward()
expected = {"logits": torch.stack([logits[s, i] for s, i in first]).detach(), "loss": loss.detach().reshape(1),
            "loss_of_every_piece": loss_of_every_piece.reshape(1)}
expected.update({f"gradient.{n}": p.grad.clone() for n, p in model.named_parameters()})

# One-dimensional parameters are not decayed, as in the recipe of BERT. The table of token types is, though no sentence has any.
decayed = [p for p in model.parameters() if p.ndim > 1]
plain = [p for p in model.parameters() if p.ndim == 1]
optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0}],
                              lr=1e-3, betas=(0.9, 0.999), eps=1e-8)
losses = []
for _ in range(STEPS):
    optimizer.zero_grad()
    _, loss = forward()
    mean = loss / len(first)
    mean.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    losses.append(mean.item())
expected["losses"] = torch.tensor(losses, dtype=torch.float64)
safetensors.torch.save_file({k: v.contiguous() for k, v in expected.items()}, os.path.join(OUT, "expected.safetensors"))
print({k: tuple(v.shape) for k, v in list(expected.items())[:2]}, "loss", expected["loss"].item(), "losses", losses)
