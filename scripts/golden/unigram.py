#!/usr/bin/env python3
"""Writes tests/text/golden/unigram.txt: lines of every kind, and the ids and offsets that `tokenizers` gives them.

    build/venv-torch/bin/python scripts/golden/unigram.py        needs: tokenizers

It trains a small unigram model on examples/data/train.conll, with a map of characters that has a few hundred keys, and reads 1,200 lines: 800 as
XLM-RoBERTa's tokenizer.json does (words end at white space), 200 with Metaspace alone, 200 with Strip and Replace in addition.

Golden lines: `c HEX` the map of characters; `v SCORE PIECE` the vocabulary by id, SCORE a hexadecimal number as Python's float.hex writes it;
`a ID FLAGS TEXT` an added piece, where FLAGS are the letters l (lstrip), r (rstrip), s (single_word), n (normalized) or -; `o FLAGS` the rules of the
lines after it: w (whitespace_split), l (strip_left), r (strip_right), j (join_spaces) or -; then `HEX ID:BEGIN-END ...`, where HEX is a line's bytes in UTF-8.

No text between added pieces begins with a code point that the map removes: `tokenizers` counts the places of what is after it from 0.
"""

import json
import pathlib
import random
import sys
import unicodedata

import tokenizers
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts/generate"))
from charsmap import charsmap  # noqa: E402

GOLDEN = ROOT / "tests/text/golden/unigram.txt"
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
ADDED = [AddedToken(t, normalized=False, special=True) for t in SPECIAL] + [AddedToken("<mask>", lstrip=True, normalized=False, special=True)]
LATER = [AddedToken("<new>", rstrip=True, normalized=False), AddedToken("xyz", single_word=True, normalized=True),
         AddedToken("ﬁx", normalized=True)]  # fmt: skip
REMOVED = ["\x01", "\x1f", "\x7f", "\x8f"]
MAP = {c: "" for c in REMOVED} | {c: " " for c in "\t\n\r\u00a0\u1680\u2003\u200b\u2028\u3000\ufeff"} | {
    "\u2122": "TM", "\ufdfa": "a bcd e", "\u2026": "...", "\u00bd": "1\u20442", "\u0958": "\u0915\u093c", "\u0385": " \u0308\u0301",
    "a\u0301": "\u00e1", "e\u0301": "\u00e9", "o\u0308": "\u00f6", "\u0438\u0306": "\u0439", "\u304b\u3099": "\u304c", "\u00a9": "(c)", "\u00a9\u200d": "?",
    "\u2581": "_" if False else "\u2581"}  # fmt: skip
MAP |= {chr(c): unicodedata.normalize("NFKC", chr(c)) for c in (*range(0xFF01, 0xFF5F), *range(0xFB00, 0xFB05), *range(0x2460, 0x2470), *range(0x2160, 0x216C))}
del MAP["\u2581"]

HARD = ["<s>", "<mask>", " <mask>", "  <mask> ", "<new> ", "xyz", " xyz ", "\uff58yz", "\ufb01x", "fix", "<", ">", " ", "  ", "   ", "\t", "\n", "\r\n", "\r",
    "\x00", "\x0b", "\x0c", "\x1c", "\x85", "\xa0", "\u2581", "\u2581\u2581", "x\x01", "x\x1f\x7f", "\u2122\x01", "\u2122\x01\x1f\x01", "\u0301", "a\u0301", "e\u0301\u0302",
    "e\u0301\u0302\u0303", "o\u0308", "\u0438\u0306", "\u304b\u3099", "\u0958", "\u0958\u0301", "\u0600a", "\u0600\u2122", "\u00a9\u200d", "\u00a9\u200d\u00a9", "\u00a9\u0301", "\u2122\u0301",
    "\u0385", "\u00bd", "\u2026", "\ufdfa", "\ufdfa\x01", "\uff21\uff42\uff0c", "\u2168", "\u246a", "\u1100\u1161\u11a8", "\u1161\u0301", "\u0915\u094d\u0937\u0301", "\u0915\u094d\u0958\u0301", "\ufb00\u0301",
    "\U0001f1e6\U0001f1e7\U0001f1e8", "\U0001f468\u200d\U0001f469", "\U0001f44d\U0001f3fd", "\ufb03", "\u4e2d", "\u65e5\u672c", "\u3042", "\u0e01\u0e33", "\u00e9", "\u0439", "\u2019", "\u201c", "\u200b",
    "\u2028", "\u2003", "\u3000", "!", "...", "--", "3", "42"]  # fmt: skip


def trained(words):
    made = Tokenizer(models.Unigram())
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.train_from_iterator(words, trainers.UnigramTrainer(vocab_size=600, special_tokens=SPECIAL, unk_token="<unk>", show_progress=False))
    said = json.loads(made.to_str())["model"]["vocab"]
    # Equal sums of scores, a piece that unknown code points spell, pieces of marks alone, pieces of other scripts, and <mask> at the end.
    more = [["ab", -9.0], ["cd", -9.0], ["abc", -9.0], ["d", -9.0], ["\u2581\u2581", -12.0], ["\u4e2d\u65e5", -40.0], ["\u0439", -11.5], ["\u00e9\u0302", -10.25],
            ["\u3042\u3042", -9.5], ["\u65e5", -13.0], ["<mask>", 0.0]]  # fmt: skip
    known = {p for p, _ in said}
    return [(p, s) for p, s in said] + [(p, s) for p, s in more if p not in known]


def rules(vocabulary, flags):
    made = Tokenizer(models.Unigram(vocabulary, unk_id=3))
    steps = [normalizers.Precompiled(charsmap(MAP))]
    if "l" in flags or "r" in flags:
        steps.append(normalizers.Strip(left="l" in flags, right="r" in flags))
    if "j" in flags:
        steps.append(normalizers.Replace(Regex(" {2,}"), " "))
    made.normalizer = steps[0] if len(steps) == 1 else normalizers.Sequence(steps)
    mark = pre_tokenizers.Metaspace(prepend_scheme="always")
    made.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), mark]) if "w" in flags else mark
    made.add_special_tokens(ADDED)
    made.add_tokens(LATER)
    return made


def line(rng, words):
    def part():
        k = rng.random()
        if k < 0.4:
            word = rng.choice(words)
            return rng.choice((word, " " + word, word.upper(), word.title(), " " + word + " "))
        if k < 0.72:
            return rng.choice(HARD)
        if k < 0.78:
            return chr(rng.randrange(0x20, 0x7F))
        if k < 0.88:
            return chr(rng.randrange(0x80, 0x3000))
        if k < 0.91:
            return rng.choice(list(MAP)) if rng.random() < 0.5 else "x" + rng.choice(REMOVED)
        if k < 0.999:
            cp = rng.randrange(0x110000 if k > 0.97 else 0x10000)
            return "x" if 0xD800 <= cp < 0xE000 or unicodedata.category(chr(cp)) == "Cn" else chr(cp)
        return rng.choice(words) * 30

    return "".join(part() for _ in range(rng.randrange(1, 14)))


def begins_with_removed(text):
    for a in ("<s>", "<pad>", "</s>", "<unk>", "<mask>", "<new>"):
        text = text.replace(a, "\0cut\0")
    return any(part[:1] in REMOVED or part.lstrip()[:1] in REMOVED for part in text.split("\0cut\0"))


if __name__ == "__main__":
    rng = random.Random(1)
    words = [row.split()[0] for row in (ROOT / "examples/data/train.conll").read_text(encoding="utf-8").splitlines() if row.strip()]
    vocabulary = trained(words)
    out = [f"# Made by scripts/golden/unigram.py with tokenizers {tokenizers.__version__}.", "c " + charsmap(MAP).hex()]
    out += [f"v {s.hex()} {p}" for p, s in vocabulary]
    for a in json.loads(rules(vocabulary, "w").to_str())["added_tokens"]:
        flags = "".join(f for f, key in zip("lrsn", ("lstrip", "rstrip", "single_word", "normalized")) if a[key])
        out.append(f"a {a['id']} {flags or '-'} {a['content']}")
    for flags, count in (("w", 800), ("-", 200), ("lrj", 100), ("r", 50), ("j", 50)):
        made = rules(vocabulary, flags)
        out.append(f"o {flags}")
        lines = []
        while len(lines) < count:
            text = line(rng, words)
            if not begins_with_removed(text):
                lines.append(text)
        for text, e in zip(lines, made.encode_batch(lines)):
            out.append(" ".join([text.encode().hex()] + [f"{i}:{b}-{e}" for i, (b, e) in zip(e.ids, e.offsets)]))
    GOLDEN.write_text("\n".join(out) + "\n", encoding="utf-8")
