#!/usr/bin/env python3
"""Writes tests/batch/golden/words.txt: sentences of words, and the ids that transformers gives them, each with its
word.

    pip install transformers==5.24.0 tokenizers==0.23.3; python3 scripts/golden/words.py

The words are difficult ones: words of characters that the normalizer drops, so that they have no piece, and special tokens
given as words. Golden lines: `v PIECE` the vocabulary by id; then `HEX ... | ID:WORD ...`, where
HEX is a word in UTF-8 (- the empty word) and WORD its number from 0, - of [CLS] and [SEP] around the sentence.
"""

import pathlib
import random
import tempfile

import tokenizers
import transformers
from transformers import BertTokenizerFast

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GOLDEN = ROOT / "tests/batch/golden/words.txt"
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
VOCABULARY = SPECIAL + list("abcdefgh") + ["##" + c for c in "abcdefgh"] + ["[", "]", "cls", "\u4e2d", "."]
# no piece: zero width, bidirectional and variation marks, a soft hyphen, a combining mark alone, tags, spaces
NOTHING = ["\u200b", "\u200d", "\u200e", "\u2060", "\ufeff", "\ufe0f", "\ufe0e", "\u00ad", "\u0301", "\U000e0041", "\u00a0",
           "\u3000", "\ufffd", "\u0007", "\u200b\u200b", "\ufe0f\u200d"]  # fmt: skip
HARD = [*SPECIAL, "[cls]", "[CLS", "a[SEP]b", "[MASK]a", "\u200ba", "a\u200b", "a\u200bb", "\u4e2d", "\u2764\ufe0f", "x", "."]


def sentence(rng):
    def word():
        k = rng.random()
        if k < 0.4:
            return "".join(rng.choice("abcdefgh") for _ in range(rng.randrange(1, 5)))
        return rng.choice(NOTHING) if k < 0.7 else rng.choice(HARD)

    return [word() for _ in range(rng.randrange(1, 9))]


if __name__ == "__main__":
    rng = random.Random(9)
    sentences = [["\u200b"], ["\ufe0f", "\u200b"], ["[CLS]"], ["a", "\u200b", "b"], [""]] + [sentence(rng) for _ in range(300)]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "vocab.txt"
        path.write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")
        tokenizer = BertTokenizerFast(str(path))
    out = [f"# Made by scripts/golden/words.py with transformers {transformers.__version__}, tokenizers {tokenizers.__version__}."]
    out += [f"v {piece}" for piece in VOCABULARY]
    for words in sentences:
        made = tokenizer(words, is_split_into_words=True)
        pairs = (f"{i}:{'-' if w is None else w}" for i, w in zip(made["input_ids"], made.word_ids()))
        out.append(" ".join(w.encode().hex() or "-" for w in words) + " | " + " ".join(pairs))
    GOLDEN.write_text("\n".join(out) + "\n", encoding="utf-8")
