#!/usr/bin/env python3
"""Writes tests/text/golden/nfc.txt: what the normalizer NFC of the package `tokenizers` makes of texts, and the places that it gives.

    build/venv-torch/bin/python scripts/golden/nfc.py      needs: tokenizers

Golden lines: `b COUNT HASH`: how many blocks of 256 code points in a row have this hash, FNV-1a 64 over the UTF-8 of what NFC changes of three texts
of each code point (texts_of below); `c TEXT;RESULT`: a letter that NFC composes, decomposed; `t TEXT;RESULT;PLACES`: a random text. TEXT and RESULT
are code points in hexadecimal, PLACES the number of the code point of TEXT that each one of RESULT is from.
"""

import pathlib
import random

import tokenizers
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
nfc, nfd = normalizers.NFC().normalize_str, normalizers.NFD().normalize_str


def texts_of(ch):
    return [ch, "q\u0315" + ch + "\u0334", "\u09c7" + ch + "\u0323"]


def block_hashes():
    runs = []
    for first in range(0, 0x110000, 256):
        h = 0xCBF29CE484222325
        for cp in range(first, first + 256):
            for text in texts_of(chr(cp)) if not 0xD800 <= cp < 0xE000 else ():
                for byte in nfc(text).encode() if nfc(text) != text else b"":
                    h = (h ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
        if runs and runs[-1][1] == h:
            runs[-1][0] += 1
        else:
            runs.append([1, h])
    return [f"b {count} {h:016x}" for count, h in runs]


class Kinds:
    """Code points by what NFC does with them."""

    def __init__(self):
        points = [chr(cp) for cp in range(0x110000) if not 0xD800 <= cp < 0xE000]
        changed = [ch for ch in points if nfd(ch) != ch and not 0xAC00 <= ord(ch) < 0xD7A4]
        self.composed = [ch for ch in changed if nfc(ch) == ch]
        self.singletons = [ch for ch in changed if nfc(ch) != ch and len(nfc(ch)) == 1]
        self.excluded = [ch for ch in changed if len(nfc(ch)) > 1]
        parts = sorted({part for ch in self.composed for part in nfd(ch)})
        self.bases = [ch for ch in parts if nfd("x\u0315" + ch + "\u0334") == "x\u0315" + ch + "\u0334"]
        self.marks = [ch for ch in points if nfd(ch) == ch and nfd("q\u0315" + ch + "\u0334") != "q\u0315" + ch + "\u0334"]
        self.common = ["\u0301", "\u0323", "\u0308", "\u0327", "\u0338", "\u0345", "\u093c", "\u3099", "\u05bc", "\u0651", "\u064e"]
        self.jamo = [chr(cp) for r in (range(0x1100, 0x1115), range(0x1160, 0x1178), range(0x11A6, 0x11C5)) for cp in r]
        self.newer = [chr(cp) for cp in (0x07FD, 0x08D3, 0x11938, 0x11935, 0x11930, 0x1ABF, 0x1DF6)]  # later than Unicode 9

    def text(self, rng):
        def part():
            k = rng.random()
            if k < 0.2:
                return rng.choice("eaoAuEq <=\u00e9\u00fc\u1ea5\u0439\u4e2d\u0915\u0b47\u09c7")
            if k < 0.3:
                return rng.choice(self.bases)
            if k < 0.5:
                return rng.choice(self.common)
            if k < 0.6:
                return rng.choice(self.marks)
            if k < 0.7:
                return rng.choice(self.composed) if rng.random() < 0.5 else nfd(rng.choice(self.composed))
            if k < 0.76:
                return rng.choice(self.singletons)
            if k < 0.84:
                return rng.choice(self.excluded)
            if k < 0.96:
                return rng.choice(self.jamo) if rng.random() < 0.7 else chr(rng.randrange(0xAC00, 0xD7A4))
            return rng.choice(self.newer) if rng.random() < 0.5 else chr(rng.randrange(0x20, 0xD800))

        return "".join(part() for _ in range(rng.randrange(1, 12)))


def by_letter():
    """A tokenizer whose pieces are the code points of a text after NFC."""
    made = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    made.normalizer = normalizers.NFC()
    made.pre_tokenizer = pre_tokenizers.Split(Regex("(?m:.)"), "isolated")
    return made


if __name__ == "__main__":
    rng, kinds, letters = random.Random(1), Kinds(), by_letter()
    hexed = lambda s: " ".join(f"{ord(c):X}" for c in s)
    out = [f"# Made by scripts/golden/nfc.py with tokenizers {tokenizers.__version__}."] + block_hashes()
    out += [f"c {hexed(nfd(ch))};{hexed(ch)}" for ch in kinds.composed]
    for _ in range(2000):
        text = kinds.text(rng)
        offsets, result = letters.encode(text).offsets, nfc(text)
        assert len(offsets) == len(result) and all(end == begin + 1 for begin, end in offsets)
        out.append(f"t {hexed(text)};{hexed(result)};{' '.join(str(begin) for begin, _ in offsets)}")
    (ROOT / "tests/text/golden/nfc.txt").write_text("\n".join(out) + "\n")
    print({name: len(value) for name, value in vars(kinds).items()}, len(out))
