#!/usr/bin/env python3
"""Writes tests/core/golden/hash.txt: the hashes of spaCy and thinc for strings and ids.

    pip install spacy==3.8.*; python3 scripts/golden/hash.py
"""

import pathlib
import random

import numpy
import spacy
import thinc
from spacy.strings import hash_string
from thinc.api import NumpyOps

OUT = pathlib.Path(__file__).resolve().parent.parent.parent / "tests/core/golden/hash.txt"


def main():
    rng = random.Random(1)
    lines = [f"# spaCy {spacy.__version__} hash_string, thinc {thinc.__version__} NumpyOps.hash. Written by scripts/golden/hash.py.",
             "# string HEX-OF-UTF-8 ID | keys ID SEED KEY KEY KEY KEY"]
    words = ["a", "coffee", "apple", "\u00e9t\u00e9", "\u6771\u4eac", "\U0001F600", "12345678", "123456789"]
    words += ["".join(chr(rng.choice([rng.randrange(33, 127), rng.randrange(0xA0, 0x2000)])) for _ in range(n)) for n in range(1, 41)]
    lines += [f"string {w.encode().hex()} {hash_string(w)}" for w in words]
    for seed in (0, 1, 8, 9, 10, 11, 12345, 2**32 - 1):
        ids = [0, 1, 2**64 - 1, hash_string("coffee")] + [rng.randrange(2**64) for _ in range(8)]
        for i, keys in zip(ids, NumpyOps().hash(numpy.array(ids, dtype="uint64"), seed)):
            lines.append(f"keys {i} {seed} " + " ".join(map(str, keys)))
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
