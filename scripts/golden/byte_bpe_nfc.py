#!/usr/bin/env python3
"""Writes tests/text/golden/byte_bpe_nfc.txt: lines of every kind, and the ids and offsets that `tokenizers` gives them with ModernBERT's rules.

    build/venv-torch/bin/python scripts/golden/byte_bpe_nfc.py      needs: tokenizers

It trains a small byte-level BPE on examples/data/train.conll, with the normalizer NFC and the added tokens of ModernBERT: runs of 24 to 2 spaces, and
[MASK], which takes the spaces before it. Some more have letters that NFC changes. There are 1,000 lines.

The golden lines are those of byte_bpe.py, but TEXT of an added piece is in UTF-8 as HEX, which the letter h of its flags says.
"""

import json
import pathlib
import random
import unicodedata

import tokenizers
from nfc import Kinds
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, trainers

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GOLDEN = ROOT / "tests/text/golden/byte_bpe_nfc.txt"
IN_MODEL = [AddedToken("|||IP_ADDRESS|||", normalized=True, special=False), AddedToken("<|padding|>", normalized=False, special=True)]
SPACES = [AddedToken(" " * n, normalized=True, special=False) for n in range(24, 1, -1)]
ROLES = [AddedToken("|||EMAIL_ADDRESS|||", normalized=True, special=False), AddedToken("|||PHONE_NUMBER|||", normalized=True, special=False)] + [
    AddedToken(text, normalized=False, special=True, lstrip=text == "[MASK]") for text in
    ("<|endoftext|>", "[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]")] + [AddedToken(f"[unused{i}]", normalized=True, special=False) for i in range(3)]  # fmt: skip
LATER = [AddedToken("cafe\u0301", normalized=True), AddedToken("\u212b", normalized=True, single_word=True), AddedToken("e\u0323\u0301", normalized=False),
         AddedToken("<new>", lstrip=True, normalized=True), AddedToken("xyz", single_word=True, normalized=True)]  # fmt: skip
ADDED = IN_MODEL + SPACES + ROLES + LATER

HARD = ["[MASK]", " [MASK]", "  [MASK]", "\t\n [MASK]", "[SEP][CLS]", "[CLS] [SEP]", "[unused0][unused1]", "[unused2", "<|endoftext|>", "<|padding|>", "|||IP_ADDRESS|||",
    "|||EMAIL_ADDRESS||||||PHONE_NUMBER|||", "|||", "<new>", "<new>  ", " <new> ", "xyz", " xyz ", "xyz\u0301", "caf\u00e9", "cafe\u0301", "cafe\u0301\u0323", "\u00c5", "A\u030a", "\u212b",
    "A\u0301", "e\u0323\u0301", "e\u0301\u0323", "\u1eb9\u0301", "\u00e9", "e\u0301", "e\u0301\u0301", "\u0301", " \u0301", "\u0301\u0323", "\u0344", "n\u0303", "o\u0302\u0301", "u\u0308\u0304",
    "\u1100\u1161", "\u1100\u1161\u11a8", "\uac00\u11a8", "\uac00\u11a7", "\u1161\u11a8", "\ud7a3", "\uf900", "\ufa30", "\U0002f800", "\u0958", "\u0915\u093c", "\u09c7\u09be", "\u0b95\u0bca",
    "\u05e9\u05bc\u05c1", "\ufb2c", "\u0627\u0653", "\u3046\u3099", "\u304b\u3099", "\ufb01", "\u037e", "\u1fef", "\u2126", "\u212a", "\u2000", "\u2001", "=\u0338", "<\u0338", ">\u0338",
    " ", "  ", "   ", " " * 23, " " * 24, " " * 25, " " * 26, " " * 49, " \n  \n   ", "\t", "\t\t  \t", "\n", "\n\n", "\r\n", "\u00a0", "\u00a0  ", "\u3000", "\x00", "\u200b", "\u200d", "\ufeff", "\ufffd",
    "'s", "'re", "'", "!", "...", "$", "3", "3.14", "\u4e2d", "\u65e5\u672c", "\u0e01\u0e33", "\u00bd", "\U0001f600", "\U0001f468\u200d\U0001f469"]  # fmt: skip


def trained(words):
    made = Tokenizer(models.BPE())
    made.normalizer = normalizers.NFC()
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    more = [unicodedata.normalize(form, word) for word in ("caf\u00e9", "na\u00efve", "\u00c5ngstr\u00f6m", "\ud55c\uad6d\uc5b4") for form in ("NFC", "NFD")]
    made.train_from_iterator(words + 5 * more, trainers.BpeTrainer(
        vocab_size=700, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=IN_MODEL, show_progress=False))  # fmt: skip
    # As in ModernBERT's file, where the runs of spaces and the roles come after the model's pieces.
    said = json.loads(made.to_str())
    flags = ("single_word", "lstrip", "rstrip", "normalized", "special")
    said["added_tokens"] = [{"id": i if i < 2 else len(said["model"]["vocab"]) + i - 2, "content": a.content, **{f: getattr(a, f) for f in flags}}
                            for i, a in enumerate(ADDED)]  # fmt: skip
    return Tokenizer.from_str(json.dumps(said)), said


def trimmed(text, token, begin, end):
    """A piece without the spaces at its ends; the space that is put before a text has no code point."""
    if token in {a.content for a in ADDED} or unicodedata.normalize("NFC", token).strip() in {unicodedata.normalize("NFC", a.content) for a in ADDED}:
        return begin, end
    if token == "\u0120" and text[begin:end] != " ":
        return begin, begin
    while begin < end and text[begin] == " ":
        begin += 1
    while end > begin and text[end - 1] == " ":
        end -= 1
    return begin, end


def line(rng, words, kinds):
    def part():
        k = rng.random()
        if k < 0.3:
            word = rng.choice(words)
            return rng.choice((word, " " + word, word.upper(), unicodedata.normalize("NFD", word)))
        if k < 0.68:
            return rng.choice(HARD)
        if k < 0.74:
            return chr(rng.randrange(0x20, 0x7F))
        if k < 0.94:
            return kinds.text(rng)[:4]
        if k < 0.999:
            cp = rng.randrange(0x110000 if k > 0.98 else 0x3000)
            return "x" if 0xD800 <= cp < 0xE000 else chr(cp)
        return rng.choice(words) * 30 + "\u0301"

    text = "".join(part() for _ in range(rng.randrange(1, 14)))
    return "".join(c for c in text if unicodedata.category(c) != "Cn")


if __name__ == "__main__":
    assert unicodedata.unidata_version == "14.0.0"
    rng, kinds = random.Random(1), Kinds()
    words = [row.split()[0] for row in (ROOT / "examples/data/train.conll").read_text(encoding="utf-8").splitlines() if row.strip()]
    made, said = trained(words)
    out = [f"# Made by scripts/golden/byte_bpe_nfc.py with tokenizers {tokenizers.__version__}."]
    out += [f"v {p}" for p in sorted(said["model"]["vocab"], key=said["model"]["vocab"].get)]
    out += ["m " + (m if isinstance(m, str) else " ".join(m)) for m in said["model"]["merges"]]
    for a in json.loads(made.to_str())["added_tokens"]:
        flags = "".join(f for f, key in zip("lrsn", ("lstrip", "rstrip", "single_word", "normalized")) if a[key])
        out.append(f"a {a['id']} {flags}h {a['content'].encode().hex()}")
    lines = HARD + [line(rng, words, kinds) for _ in range(1000 - len(HARD))]
    for text, e in zip(lines, made.encode_batch(lines, add_special_tokens=False)):
        out.append(" ".join([text.encode().hex()] + [f"{i}:{b}-{e}" for i, (b, e) in zip(e.ids, (trimmed(text, t, *o) for t, o in zip(e.tokens, e.offsets)))]))
    GOLDEN.write_text("\n".join(out) + "\n", encoding="utf-8")
    print(len(lines), sum(unicodedata.normalize("NFC", text) != text for text in lines), "changed")
