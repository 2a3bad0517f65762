#!/usr/bin/env python3
"""Writes tests/text/golden/wordpiece.txt: lines of every kind, and the ids and offsets that `tokenizers` gives them.

    python3 scripts/golden/wordpiece.py

It has a small vocabulary of its own and 2,400 lines; bench/peers/wordpiece_parity.py compares more lines, with a BERT's vocabulary.

Golden lines: `v PIECE` the vocabulary by id; then `MODE HEX ID:BEGIN-END ...`, where MODE is one of those below
(accents: lower case, accents kept; bare: case kept, accents gone; unclean: code points that are no characters stay; joined: Han characters
are not separated) and HEX the bytes of the line in UTF-8.
"""

import pathlib
import random

import tokenizers
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GOLDEN = ROOT / "tests/text/golden/wordpiece.txt"
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
MODES = {  # clean_text, handle_chinese_chars, strip_accents, lowercase
    "uncased": (True, True, True, True), "cased": (True, True, False, False), "accents": (True, True, False, True),
    "bare": (True, True, True, False), "unclean": (False, True, True, True), "joined": (True, False, True, True)}  # fmt: skip

# Input that is easily read wrong: spaces of every kind, dropped characters, marks that change places, letters that become two.
HARD = SPECIAL + ["[cls]", "[CLS", "[", "]", "#", "##", " ", "  ", "\t", "\n", "\r", "\x00", "\x0b", "\x0c", "\x85", "\xa0", "\xad",
    "\u0130", "\u0131", "\u03a3", "\u1e9e", "\ufb01", "\u200b", "\u200d", "\u2028", "\u3000", "\ufeff", "\ufffd", "\ufffe", "\u0300", "\u0301", "\u0307",
    "\u0323", "\u0344", "\u0345", "\u0f73", "\u302e", "\u3099", "\u1b44", "\U0001d15e", "\U0001d165", "\U0001d16d", "\uac00", "\uac01", "\ud4db",
    "\u4e2d", "\u9fff", "\uf900", "\U0002f800", "\u3042", "\u30ac", "\u037e", "\u2126", "\u00e9", "\u0439", "\U0001f600"]  # fmt: skip


def tokenizer(vocabulary, mode):
    made = Tokenizer(models.WordPiece({p: i for i, p in enumerate(vocabulary)}, unk_token="[UNK]", max_input_chars_per_word=100))
    made.normalizer = normalizers.BertNormalizer(*MODES[mode])
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.add_special_tokens([AddedToken(s, special=True, normalized=False) for s in SPECIAL])
    return made


def own_vocabulary(rng):
    """Letters of several scripts and short pieces of them, so that most words are cut and some are unknown."""
    letters = [chr(c) for c in (*range(0x21, 0x7F), *range(0xE0, 0x100), *range(0x3B1, 0x3CA), *range(0x430, 0x450), *range(0x1100, 0x1113),
                                *range(0x1161, 0x1176), *range(0x11A8, 0x11C3), 0x4E2D, 0x6587, 0x3042, 0x30AB, 0x131, 0x307)]  # fmt: skip
    words = ["the", "of", "ing", "ed", "er", "an", "ion", "es", "re", "st", "New", "York", "Paris", "Bonn", "covid", "19", "2026"]
    cut = ["".join(rng.choice("abcdefghijklmnoprstu") for _ in range(rng.randrange(2, 6))) for _ in range(400)]
    pieces = letters + words + cut
    return list(dict.fromkeys(SPECIAL + pieces + ["##" + p for p in pieces if not p.startswith("#")]))


def line(rng, words):
    def part():
        k = rng.random()
        if k < 0.35:
            word = rng.choice(words).removeprefix("##")
            return rng.choice((word, word, word.upper(), word.title()))
        if k < 0.6:
            return rng.choice(HARD)
        if k < 0.7:
            return chr(rng.randrange(0x20, 0x7F))
        if k < 0.82:
            return chr(rng.randrange(0x80, 0x3000))
        if k < 0.9:
            return "".join(chr(rng.randrange(0x300, 0x370)) for _ in range(rng.randrange(1, 4)))
        if k < 0.999:
            cp = rng.randrange(0x110000 if k > 0.97 else 0x10000)
            return "x" if 0xD800 <= cp < 0xE000 else chr(cp)
        return rng.choice(words).removeprefix("##") * 30

    return "".join(part() for _ in range(rng.randrange(1, 14)))


def answers(made, lines):
    for first in range(0, len(lines), 20000):
        for e in made.encode_batch(lines[first : first + 20000], add_special_tokens=False):
            yield " ".join(f"{i}:{b}-{e}" for i, (b, e) in zip(e.ids, e.offsets))


if __name__ == "__main__":
    rng = random.Random(1)
    vocabulary = own_vocabulary(rng)
    out = [f"# Made by scripts/golden/wordpiece.py with tokenizers {tokenizers.__version__}."] + [f"v {p}" for p in vocabulary]
    for mode in MODES:
        lines = [line(rng, vocabulary[5:]) for _ in range(400)]
        out += [f"{mode} {text.encode().hex()} {answer}".rstrip() for text, answer in zip(lines, answers(tokenizer(vocabulary, mode), lines))]
    GOLDEN.write_text("\n".join(out) + "\n", encoding="utf-8")
