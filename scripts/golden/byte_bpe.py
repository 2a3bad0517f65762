#!/usr/bin/env python3
"""Writes tests/text/golden/byte_bpe.txt: lines of every kind, and the ids and offsets that `tokenizers` gives them.

    python3 scripts/golden/byte_bpe.py

It trains a small byte-level BPE on examples/data/train.conll and has 1,200 lines.

Golden lines: `v PIECE` the vocabulary by id; `m LEFT RIGHT` the merges by rank; `a ID FLAGS TEXT` an added piece, where FLAGS are the letters l
(lstrip), r (rstrip), s (single_word), n (normalized) or -; then `HEX ID:BEGIN-END ...`, where HEX is a line's bytes in UTF-8. BEGIN and END are
offsets that are not trimmed, made those of entrain by trimmed() below. Those that `tokenizers` trims keep the spaces at the beginning of a text.
Letters that Unicode 14 does not have are left out: entrain's tables are of Unicode 14.
"""

import json
import pathlib
import random
import unicodedata

import tokenizers
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers, processors, trainers

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GOLDEN = ROOT / "tests/text/golden/byte_bpe.txt"
ADDED = [AddedToken("<s>", normalized=True), AddedToken("<pad>", normalized=True), AddedToken("</s>", normalized=True),
         AddedToken("<unk>", normalized=True), AddedToken("<mask>", lstrip=True, normalized=False)]  # as roberta-base has them
LATER = [AddedToken("<new>", rstrip=True, normalized=False), AddedToken("xyz", single_word=True, normalized=True),
         AddedToken("<mask><s>", normalized=True)]  # fmt: skip

HARD = ["<s>", "<mask>", " <mask>", "  <mask> ", "<new> ", "xyz", " xyz ", "<mask><s>", "<", ">", "'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'", "'r",
    "'S", "'l", " ", "  ", "   ", "\t", "\n", "\r\n", "\x00", "\x0b", "\x0c", "\x1c", "\x85", "\xa0", "\xad", "\u0120", "\u010a", "\u0130", "\u1e9e",
    "\u200b", "\u200d", "\u2028", "\u2003", "\u3000", "\ufeff", "\ufffd", "\u0300", "\u0301", "\u00b2", "\u00bd", "\u2167", "\u0663", "\u4e2d", "\u65e5",
    "\u3042", "\u0e01", "\u00e9", "\u0439", "\u2019", "\u201c", "\U0001f600", "\U0001f468\u200d\U0001f469", "!", "...", "--", "$", "3", "42", "3.14"]  # fmt: skip


def trained(words):
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    made.train_from_iterator(words, trainers.BpeTrainer(
        vocab_size=700, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=ADDED, show_progress=False))  # fmt: skip
    made.add_tokens(LATER)
    made.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=False, add_prefix_space=True)
    return made


def trimmed(text, token, begin, end):
    """A piece without the spaces at its ends; the space that is put before a text has no code point."""
    if token == "\u0120" and text[begin:end] != " ":
        return begin, begin
    if token in (a.content for a in ADDED + LATER) or token.strip() in (a.content for a in ADDED + LATER):
        return begin, end
    while begin < end and text[begin] == " ":
        begin += 1
    while end > begin and text[end - 1] == " ":
        end -= 1
    return begin, end


def line(rng, words):
    def part():
        k = rng.random()
        if k < 0.4:
            word = rng.choice(words)
            return rng.choice((word, " " + word, word.upper(), word.title()))
        if k < 0.65:
            return rng.choice(HARD)
        if k < 0.72:
            return chr(rng.randrange(0x20, 0x7F))
        if k < 0.85:
            return chr(rng.randrange(0x80, 0x3000))
        if k < 0.999:
            cp = rng.randrange(0x110000 if k > 0.97 else 0x10000)
            return "x" if 0xD800 <= cp < 0xE000 or unicodedata.category(chr(cp)) == "Cn" else chr(cp)
        return rng.choice(words) * 30

    text = "".join(part() for _ in range(rng.randrange(1, 14)))
    return "".join(c for c in text if unicodedata.category(c) != "Cn")


if __name__ == "__main__":
    assert unicodedata.unidata_version == "14.0.0"
    rng = random.Random(1)
    words = [row.split()[0] for row in (ROOT / "examples/data/train.conll").read_text(encoding="utf-8").splitlines() if row.strip()]
    made = trained(words)
    said = json.loads(made.to_str())
    vocabulary = sorted(said["model"]["vocab"], key=said["model"]["vocab"].get)
    out = [f"# Made by scripts/golden/byte_bpe.py with tokenizers {tokenizers.__version__}."] + [f"v {p}" for p in vocabulary]
    out += ["m " + (m if isinstance(m, str) else " ".join(m)) for m in said["model"]["merges"]]
    for a in said["added_tokens"]:
        flags = "".join(f for f, key in zip("lrsn", ("lstrip", "rstrip", "single_word", "normalized")) if a[key])
        out.append(f"a {a['id']} {flags or '-'} {a['content']}")
    lines = [line(rng, words) for _ in range(1200)]
    for text, e in zip(lines, made.encode_batch(lines, add_special_tokens=True)):
        pieces = [(i, *trimmed(text, t, *o)) for i, t, o in zip(e.ids, e.tokens, e.offsets)][1:-1]
        out.append(" ".join([text.encode().hex()] + [f"{i}:{b}-{e}" for i, b, e in pieces]))
    GOLDEN.write_text("\n".join(out) + "\n", encoding="utf-8")
