#!/usr/bin/env python3
"""Writes tests/text/golden/features.txt: the attributes that spaCy gives words, as text and as ids.

    pip install spacy==3.8.*; python3 scripts/golden/features.py

The script makes words from a seed; some are written by hand. It leaves out words with U+0130 or a capital sigma, whose
lower case depends on context in Python and not in entrain.
"""

import pathlib
import random

import spacy
from spacy.lang.lex_attrs import lower, prefix, suffix, word_shape
from spacy.strings import hash_string

OUT = pathlib.Path(__file__).resolve().parent.parent.parent / "tests/text/golden/features.txt"
WRITTEN = ["London", "I", "iPhone", "U.S.", "1,000,000", "C3PO", "McDonald's", "AAAAAAAA", "aaaaAAAA", "well-known", "......", "%", "x" * 99,
           "x" * 100, "7" * 300, "\u00c5se", "\u00c9T\u00c9", "\u6771\u4eac\u90fd", "\u4e00", "\u00bd", "\u00b2\u00b3", "\u2167", "\u01c5ungla",
           "\U0001F600\U0001F600\U0001F600\U0001F600\U0001F600", "\u0410\u0411\u0412\u0413\u0414", "na\u00efve", "\u0130".lower(), "\u00df\u1e9e",
           "\u00c5" * 99, "\u00c5" * 100, "\u0661\u0662\u0663", "e\u0301t\u00e9"]


def main():
    rng = random.Random(2)
    alphabets = ["ABCdefghij0123-.'", "abcdefghijklmnopqrstuvwxyz", "\u00c0\u00e0\u00c8\u00e8\u00d8\u00f8\u00c5\u00e5xyz9",
                 "\u0416\u0436\u042f\u044f\u0401\u0451", "\u0391\u03b1\u0394\u03b4\u03a9\u03c9", "\u05d0\u05d1\u0627\u0628\u0915\u093f",
                 "aB1\u6771\U0001F600\u0301"]
    words = WRITTEN + ["".join(rng.choice(a) for _ in range(rng.randint(1, 18))) for a in alphabets for _ in range(30)]
    lines = [f"# spaCy {spacy.__version__}: word TAB shape TAB ids of lower, prefix, suffix, shape. Written by scripts/golden/features.py."]
    for word in dict.fromkeys(words):
        texts = [lower(word), prefix(word), suffix(word), word_shape(word)]
        lines.append("\t".join([word, texts[3], *(str(hash_string(text)) for text in texts)]))
    OUT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
