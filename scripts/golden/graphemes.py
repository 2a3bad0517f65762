#!/usr/bin/env python3
"""Writes tests/text/golden/graphemes.txt: 600 texts, and the grapheme clusters that the package `regex` finds in them.

    build/venv-torch/bin/python scripts/golden/graphemes.py      needs: regex

A line: the code points in hexadecimal, `|` between clusters. The code points are of every class that has a rule of its own. `regex` joins a consonant to a
linker (virama) that has no consonant before it, which rule GB9c does not: texts with such a cluster are left out.
"""

import pathlib
import random

import regex

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CODE_POINTS = [0x0D, 0x0A, 0x01, 0xAD, 0x61, 0x20, 0xE9, 0x4E2D, 0x300, 0x302A, 0x200C, 0x200D, 0x903, 0xE33, 0x600, 0x110BD, 0x1F1E6, 0x1F1FF, 0x1100, 0xA960, 0x1161,
               0xD7B0, 0x11A8, 0xAC00, 0xAC01, 0xAC1C, 0xD7A3, 0xA9, 0x1F468, 0x1F3FD, 0x2764, 0xFE0F, 0x915, 0x937, 0x94D, 0x93C, 0x995, 0x9CD, 0xD4D]  # fmt: skip

BEFORE_NO_CONSONANT = regex.compile(r"\P{InCB=Consonant}*\p{InCB=Linker}\P{InCB=Consonant}*\p{InCB=Consonant}")

if __name__ == "__main__":
    rng = random.Random(1)
    out = [f"# Made by scripts/golden/graphemes.py with regex {regex.__version__}."]
    while len(out) <= 600:
        some = rng.sample(CODE_POINTS, rng.randrange(2, 6))  # a few, so that most rules meet
        text = "".join(chr(rng.choice(some)) for _ in range(rng.randrange(1, 12)))
        clusters = regex.findall(r"\X", text)
        if not any(BEFORE_NO_CONSONANT.match(cluster) for cluster in clusters):
            out.append("|".join(" ".join(f"{ord(c):X}" for c in cluster) for cluster in clusters))
    (ROOT / "tests/text/golden/graphemes.txt").write_text("\n".join(out) + "\n")
