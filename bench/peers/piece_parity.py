#!/usr/bin/env python
"""Compares ids and code-point offsets of entrain's tokenizers with those of the package tokenizers.

    piece_parity.py PROGRAM FOLDER [--lines 1000000] [--seed 1] [--data DIR] [--only PART ...]

PROGRAM is piece_lines, FOLDER holds the tokenizer.json of a BERT (scripts/fetch_minilm.sh fetches MiniLM's), of byte-level BPE
(scripts/fetch_gpt2_bpe.sh, scripts/train_modernbert_bpe.sh) or of a unigram model (scripts/train_unigram.sh). Both systems read the same file. Parts, each with its own count of differences:

    corpora     DIR (default: ENTRAIN_DATA): every line of every file, every sentence of column files, each text as a whole;
                uncased and cased
    scalars     every Unicode scalar value between letters, with a mark after it and without; uncased and cased
    fuzz        --lines random lines of every difficult kind; uncased, and the same number cased
    switches    --lines random lines over all sixteen settings of the normalizer, with a vocabulary in which every code point is a
                piece: so the result of normalization, and the origin of each letter, is visible letter by letter

Byte-level BPE has no case and no switches. Its tokenizer is read with add_prefix_space, as entrain does; letters that Unicode 14 does not
have are left out, and a piece's offsets are compared without the spaces at its ends, but for added pieces. With the normalizer NFC, the random
lines have its added pieces too, and letters that NFC changes. A unigram model has no case either; its switches are the
rules of older files: Metaspace without WhitespaceSplit, with Strip and Replace, each with --lines random lines. Of a text whose first code points
the map removes, the ids alone are compared: tokenizers counts the places of the others from 0.

Ends with 1 if anything differs, and prints the first lines that do. Needs the virtual environment of `setup.sh torch`.
"""

import argparse
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import unicodedata
from array import array
from itertools import chain
from pathlib import Path

os.environ["TOKENIZERS_PARALLELISM"] = "false"

import tokenizers
from tokenizers import Tokenizer

CHUNK = 20000  # texts in one request
SHOWN = 5  # differences of a part that are printed


def trimmed(text, token, begin, end):
    """A piece without the spaces at its ends; the space that is put before a text has no code point."""
    if token == "\u0120" and text[begin:end] != " ":
        return begin, begin
    while begin < end and text[begin] == " ":
        begin += 1
    while end > begin and text[end - 1] == " ":
        end -= 1
    return begin, end


class Pair:
    """The two systems, made from one file."""

    def __init__(self, program, description, folder):
        path = Path(folder) / "tokenizer.json"
        path.write_text(json.dumps(description), encoding="utf-8")
        self.theirs = Tokenizer.from_file(str(path))
        self.byte_level = description["model"]["type"] == "BPE"
        self.added = {one["id"] for one in description["added_tokens"]}
        self.normalizer = self.theirs.normalizer if description["model"]["type"] == "Unigram" else None
        self.ours = subprocess.Popen([program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def answers_of_theirs(self, texts):
        out = array("I")
        for at, e in enumerate(self.theirs.encode_batch(texts, add_special_tokens=False)):
            out.append(len(e))
            out.extend(e.ids)
            out.extend(chain.from_iterable(e.offsets if not self.byte_level else ()))
            if self.byte_level:
                text = texts[at]
                for i, token, offsets in zip(e.ids, e.tokens, e.offsets):
                    out.extend(offsets if i in self.added else trimmed(text, token, *offsets))
        return out

    def answers_of_ours(self, texts):
        asked = [struct.pack("=I", len(texts))]
        for raw in (text.encode() for text in texts):
            asked += (struct.pack("=I", len(raw)), raw)
        self.ours.stdin.write(b"".join(asked))
        self.ours.stdin.flush()
        head = self.ours.stdout.read(4)
        if len(head) != 4:
            sys.exit("piece_parity: the program ended")
        out = array("I")
        out.frombytes(self.ours.stdout.read(4 * struct.unpack("=I", head)[0]))
        return out

    def loses_places(self, text):
        """Whether the map removes the first code points of a part between added pieces."""
        for added in ("<s>", "<pad>", "</s>", "<unk>", "<mask>"):
            text = text.replace(added, "\0added\0")
        for part in text.split("\0added\0"):
            for spaces in (part, part.lstrip()):
                if spaces and any(self.normalizer.normalize_str(spaces[:n]) == "" for n in range(1, 6)):
                    return True
        return False

    def close(self):
        self.ours.stdin.close()
        self.ours.wait()


def by_text(answers):
    at = 0
    while at < len(answers):
        n = answers[at]
        ids, offsets = answers[at + 1 : at + 1 + n], answers[at + 1 + n : at + 1 + 3 * n]
        yield [(i, b, e) for i, b, e in zip(ids, offsets[0::2], offsets[1::2])]
        at += 1 + 3 * n


class Comparison:
    def __init__(self, name):
        self.name, self.texts, self.pieces, self.differ, self.without_places = name, 0, 0, 0, 0

    def compare(self, pair, texts):
        texts = list(texts)
        for first in range(0, len(texts), CHUNK):
            part = texts[first : first + CHUNK]
            ours, theirs = pair.answers_of_ours(part), pair.answers_of_theirs(part)
            self.texts += len(part)
            self.pieces += (len(theirs) - len(part)) // 3
            if ours == theirs:
                continue
            for text, a, b in zip(part, by_text(ours), by_text(theirs), strict=True):
                if a != b and [i for i, *_ in a] == [i for i, *_ in b] and pair.loses_places(text):
                    self.without_places += 1
                elif a != b:
                    self.differ += 1
                    if self.differ <= SHOWN:
                        at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
                        print(f"{self.name}: {ascii(text[:400])}\n  from piece {at} on: ours {a[at : at + 3]}, theirs {b[at : at + 3]}", flush=True)

    def tell(self):
        only_ids = f" (of {self.without_places} the ids alone were compared)" if self.without_places else ""
        print(f"{self.name}: {self.texts:,} texts, {self.pieces:,} pieces, {self.differ} differ from tokenizers {tokenizers.__version__}{only_ids}",
              flush=True)
        return self.differ


def switched(description, lowercase, strip_accents=None, clean_text=True, chinese=True, vocabulary=None):
    made = json.loads(json.dumps({k: v for k, v in description.items() if k != "model"}))
    made["model"] = description["model"] if vocabulary is None else {**description["model"], "vocab": vocabulary}
    made["truncation"] = made["padding"] = None
    made["normalizer"] = {"type": "BertNormalizer", "clean_text": clean_text, "handle_chinese_chars": chinese,
                          "strip_accents": strip_accents, "lowercase": lowercase}
    return made


def scalars(ranges):
    return [chr(cp) for r in ranges for cp in r if not 0xD800 <= cp < 0xE000]


def letters_as_pieces(description):
    """A vocabulary in which every code point of the planes that hold characters is a piece, at a word's start and inside it."""
    vocabulary = {one["content"]: one["id"] for one in description["added_tokens"]}
    taken = set(vocabulary.values())
    free = (i for i in range(1 << 22) if i not in taken)
    for ch in scalars([range(0x40000), range(0xE0000, 0xE0200)]):
        vocabulary[ch] = next(free)
        vocabulary["##" + ch] = next(free)
    return vocabulary


def texts_of(path):
    """Every line; of column files also the sentences, tokens joined by a space; of running text also all of it at once."""
    text = path.read_bytes().decode("utf-8", "replace")
    lines = text.split("\n")
    yield from lines
    if path.suffix in (".txt", ".csv"):
        yield text
    elif path.suffix in (".conll", ".tsv", ".iob2", ".bio"):
        tokens = []
        for line in lines:
            cells = line.split(" " if path.suffix == ".bio" else "\t")
            token = cells[1 if path.suffix == ".iob2" else 0] if len(cells) > 1 else ""
            if len(cells) > 1:
                yield token
                tokens.append(token)
            if tokens and (len(cells) < 2 or len(tokens) == 200):
                yield " ".join(tokens)
                tokens = []


class Lines:
    """Random lines. Each part of a line is of one difficult kind."""

    EMOJI = "\U0001f468\U0001f469\U0001f467\U0001f3fb\U0001f3ff\u200d\ufe0f\ufe0e\u20e3\u2764\U0001f1e9\U0001f1f0\U0001f600\u2640\U0001f3f4\U000e0067\U000e007f1#"
    HARD = ["[CLS]", "[MASK]", "[cls]", "[PAD", "]", "##", "##s", " ", "  ", "\t", "\n", "\r", "\r\n", "\x00", "\x0b", "\x0c", "\x1c", "\x1f", "\x7f",
            "\x85", "\xa0", "\xad", "\u0130", "i\u0307", "I\u0307", "\u0131", "\u03a3", "\u1e9e", "\xdf", "\ufb01", "\u0149", "\u01c5", "\u1f88", "\u1fbc", "\u200b", "\u200c",
            "\u200d", "\u200e", "\u2028", "\u2029", "\u202e", "\u2060", "\u3000", "\u1680", "\u180e", "\ufeff", "\ufffd", "\ufffe", "\uffff", "\u0344", "\u0345", "\u0f73",
            "\u0f77", "\u302e", "\u3099", "\u309a", "\u1b44", "\U0001d15e", "\U0001d165", "\U0001d16d", "\U00016ff0", "\u4e2d", "\u9fff", "\uf900", "\U0002f800",
            "\U0002b81e", "\U00030000", "\u3042", "\u304c", "\uff76\uff9e", "\uff21", "\u037e", "\u1fef", "\u2126", "\u212a", "\u212b", "\u2160", "\u24b6", "$", "`", "^", "\u20ac"]  # fmt: skip
    INDIC = [0x0900, 0x0980, 0x0A00, 0x0A80, 0x0B00, 0x0B80, 0x0C00, 0x0C80, 0x0D00, 0x0D80, 0x0E00, 0x0E80, 0x0F00, 0x0F80, 0x1000, 0x1780, 0x1A00, 0x1B00,
             0x1CC0, 0xA880, 0xA980, 0xAA80, 0x11000, 0x11080, 0x11100, 0x11180, 0x11300, 0x11480, 0x11580, 0x11900, 0x11C00, 0x11D00]  # fmt: skip

    def __init__(self, vocabulary):
        self.rng = random.Random()
        self.words = [piece.removeprefix("##") for piece in vocabulary if not piece.startswith("[unused")]
        everything = scalars([range(0x110000)])
        category = {ch: unicodedata.category(ch) for ch in everything}
        self.blocks = sorted({ord(ch) >> 7 for ch in everything if category[ch] not in ("Cn", "Co")})
        self.assigned = [ch for ch in everything if category[ch] not in ("Cn", "Co", "Lo", "So")]
        self.unassigned = [ch for ch in everything if category[ch] == "Cn" and ord(ch) < 0x32000]
        self.invisible = [ch for ch in everything if category[ch] in ("Cc", "Cf", "Zs", "Zl", "Zp")]
        self.marks = [ch for ch in everything if category[ch][0] == "M"]
        self.ordered = [ch for ch in everything if unicodedata.combining(ch)]
        self.decomposed = [ch for ch in everything if unicodedata.decomposition(ch) and unicodedata.decomposition(ch)[0] != "<"]
        self.cased = [ch for ch in everything if ch.lower() != ch or ch.upper() != ch]
        self.points = [ch for ch in everything if category[ch][0] == "P" or category[ch] in ("Sm", "Sc", "Sk")]
        self.kinds = [self.any_scalar, self.any_of_plane_0, self.one_block, self.marked, self.han, self.hidden, self.emoji, self.hangul, self.indic,
                      self.long, self.case, self.word, self.word, self.hard, self.decomposing, self.not_assigned, self.pointed, self.ascii]  # fmt: skip

    def some(self, most):
        return range(1 + int(self.rng.random() * most))

    def of(self, what, most=6):
        return "".join([self.rng.choice(what) for _ in self.some(most)])

    def scalar(self, below):
        cp = self.rng.randrange(below)
        return chr(cp) if not 0xD800 <= cp < 0xE000 else "x"

    def any_scalar(self):
        return "".join([self.scalar(0x110000) for _ in self.some(5)])

    def any_of_plane_0(self):
        return "".join([self.scalar(0x10000) for _ in self.some(6)])

    def one_block(self):
        first = self.rng.choice(self.blocks) << 7
        return "".join([chr(first + self.rng.randrange(128)) for _ in self.some(8)]) if not 0xD800 <= first < 0xE000 else ""

    def marked(self):
        base = self.rng.choice(("", "e", "A", "\u0915", "\uac00", "\u4e2d", " "))
        return base + self.of(self.rng.choice((self.marks, self.ordered, self.ordered[:50])), self.rng.choice((3, 3, 8, 40)))

    def han(self):
        return "".join([chr(self.rng.choice((0x3041, 0x30A1, 0x4E00, 0x9FA0, 0xF900, 0x3400, 0x20000, 0x2A6D0, 0x2F800, 0x30000)) + self.rng.randrange(80))
                        for _ in self.some(8)])  # fmt: skip

    def hidden(self):
        return self.of(self.invisible, 4)

    def emoji(self):
        return self.of(self.EMOJI, 9)

    def hangul(self):
        first, count = self.rng.choice(((0xAC00, 11184), (0x1100, 256), (0x3130, 96), (0xA960, 32), (0xD7B0, 80)))
        return "".join([chr(first + self.rng.randrange(count)) for _ in self.some(6)])

    def indic(self):
        first = self.rng.choice(self.INDIC)
        return "".join([self.rng.choice(("\u200d", "\u200c", chr(first + 0x4D), chr(first + 0x3C))) if self.rng.random() < 0.15
                        else chr(first + self.rng.randrange(128)) for _ in self.some(10)])  # fmt: skip

    def long(self):
        if self.rng.random() < 0.85:
            return self.word()
        unit = self.rng.choice(("a", "b", "\u00e9", "e\u0301", "\u0130", "\uac00", "ing", "\u0915\u093f", "\U00010400", "x\u00ad", self.rng.choice(self.words)))
        return (unit * 140)[: self.rng.choice((99, 100, 101, 102, 130, 200, 201))]

    def case(self):
        return self.of(self.cased, 8)

    def word(self):
        word = self.rng.choice(self.words)
        how = self.rng.random()
        if how < 0.5:
            return word
        if how < 0.65:
            return word.upper() if how < 0.6 else word.title()
        at = self.rng.randrange(len(word) + 1)
        inside = self.rng.choice((self.marks, self.ordered, self.invisible, self.points, self.decomposed, self.words))
        return word[:at] + self.rng.choice(inside) + word[at:]

    def hard(self):
        return self.of(self.HARD, 3)

    def decomposing(self):
        return self.of(self.decomposed, 4) + self.of(self.ordered, 3)

    def composing(self):
        letters = "".join([unicodedata.normalize("NFD", self.rng.choice(self.decomposed + ["\uac00", "\uac01", "\ud7a3"])) for _ in self.some(3)])
        at = self.rng.randrange(len(letters) + 1)
        return letters[:at] + self.of(self.rng.choice((self.ordered, self.ordered[:20], self.decomposed)), 2) + letters[at:]

    def not_assigned(self):
        return self.of(self.unassigned, 4)

    def pointed(self):
        return self.of(self.points, 4)

    def ascii(self):
        return "".join([chr(self.rng.randrange(0x80)) for _ in self.some(8)])

    def line(self):
        between = self.rng.choice(("", "", " ", " ", "\u00a0"))
        return between.join([self.rng.choice(self.kinds)() for _ in self.some(8)])

    def chunks(self, seed, count):
        self.rng.seed(seed)
        for first in range(0, count, CHUNK):
            yield [self.line() for _ in range(min(CHUNK, count - first))]


def of_unicode_14(texts):
    return ["".join(c for c in text if unicodedata.category(c) != "Cn") for text in texts]


def byte_level(options, description, lines):
    """The parts for byte-level BPE; returns how many texts differ."""
    assert unicodedata.unidata_version == "14.0.0", "of_unicode_14 needs Python 3.11"
    made = {**description, "truncation": None, "padding": None, "post_processor": None}
    if description["normalizer"] is not None:
        added = [a["content"] for a in description["added_tokens"]]
        lines.HARD = lines.HARD + added + [space + a for space in ("\t", " \n ") for a in added] + [" " * 25, " " * 49, "=\u0338", "e\u0301", "\u0958"]
        lines.kinds = lines.kinds + [lines.composing, lines.composing, lines.composing]
    made["pre_tokenizer"] = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False, "use_regex": True}
    differ = 0
    with tempfile.TemporaryDirectory() as folder:
        pair = Pair(options.program, made, folder)
        if "corpora" in options.only and options.data:
            files = sorted(p for p in Path(options.data).rglob("*") if p.is_file())
            for room in sorted({p.parent for p in files}):
                comparison = Comparison(f"corpora, {room.relative_to(options.data)}")
                for path in (p for p in files if p.parent == room):
                    comparison.compare(pair, of_unicode_14(texts_of(path)))
                differ += comparison.tell()
        if "scalars" in options.only:
            comparison = Comparison("scalars")
            comparison.compare(pair, of_unicode_14([f"un{ch}able {ch}\u0301x {ch} A{ch}1" for ch in scalars([range(0x110000)])]))
            differ += comparison.tell()
        if "fuzz" in options.only:
            comparison = Comparison("fuzz")
            for chunk in lines.chunks(options.seed * 100 + 32, options.lines):
                comparison.compare(pair, of_unicode_14(chunk))
            differ += comparison.tell()
        pair.close()
    return differ


def unigram(options, description, lines):
    """The parts for a unigram model; returns how many texts differ."""
    made = {**description, "truncation": None, "padding": None, "post_processor": None}
    mark = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True}
    strip = lambda left, right: {"type": "Strip", "strip_left": left, "strip_right": right}
    replace = lambda by: {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": by}
    older = {"Metaspace alone": [], "with Strip and Replace": [strip(False, True), replace("\u2581")], "with Replace": [replace(" ")],
             "with Strip": [strip(True, True)]}  # fmt: skip
    differ = 0

    def compared(name, description, chunks):
        with tempfile.TemporaryDirectory() as folder:
            pair, comparison = Pair(options.program, description, folder), Comparison(name)
            for chunk in chunks:
                comparison.compare(pair, chunk)
            pair.close()
        return comparison.tell()

    if "corpora" in options.only and options.data:
        files = sorted(p for p in Path(options.data).rglob("*") if p.is_file())
        for room in sorted({p.parent for p in files}):
            differ += compared(f"corpora, {room.relative_to(options.data)}", made, (texts_of(p) for p in files if p.parent == room))
    if "scalars" in options.only:
        every = scalars([range(0x110000)])
        differ += compared("scalars", made, [[f"un{ch}able {ch}\u0301x {ch} A{ch}1 x{ch}" for ch in every], [f"\u0600{ch} \u00a9\u200d{ch} a\u0301{ch}" for ch in every]])
    if "fuzz" in options.only:
        differ += compared("fuzz", made, lines.chunks(options.seed * 100 + 48, options.lines))
    if "switches" in options.only:
        for seed, (name, steps) in enumerate(older.items()):
            other = {**made, "pre_tokenizer": mark, "normalizer": {"type": "Sequence", "normalizers": [made["normalizer"], *steps]}}
            differ += compared(name, other, lines.chunks(options.seed * 100 + 49 + seed, options.lines))
    return differ


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", default=os.environ.get("ENTRAIN_DATA"))
    parser.add_argument("--only", nargs="*", default=["corpora", "scalars", "fuzz", "switches"])
    options = parser.parse_args()
    description = json.loads((Path(options.folder) / "tokenizer.json").read_text(encoding="utf-8"))
    if description["model"]["type"] == "Unigram":
        lines = Lines([piece.lstrip("\u2581") or "x" for piece, _ in description["model"]["vocab"]])
        lines.HARD = lines.HARD + ["<s>", "<mask>", "</s>", "\u2581", "\u2581a", "\u0600", "\u00a9\u200d", "\u2122", "\ufdfa"]
        sys.exit(unigram(options, description, lines) > 0)
    lines = Lines(description["model"]["vocab"])
    differ = 0
    if description["model"]["type"] == "BPE":
        sys.exit(byte_level(options, description, lines) > 0)
    with tempfile.TemporaryDirectory() as folder:
        for name, lowercase in (("uncased", True), ("cased", False)):
            pair = Pair(options.program, switched(description, lowercase), folder)
            if "corpora" in options.only and options.data:
                files = sorted(p for p in Path(options.data).rglob("*") if p.is_file())
                for room in sorted({p.parent for p in files}):
                    comparison = Comparison(f"corpora, {name}, {room.relative_to(options.data)}")
                    for path in (p for p in files if p.parent == room):
                        comparison.compare(pair, texts_of(path))
                    differ += comparison.tell()
            if "scalars" in options.only:
                comparison = Comparison(f"scalars, {name}")
                comparison.compare(pair, [f"un{ch}able {ch}\u0301x {ch} A{ch}" for ch in scalars([range(0x110000)])])
                differ += comparison.tell()
            if "fuzz" in options.only:
                comparison = Comparison(f"fuzz, {name}")
                for chunk in lines.chunks(options.seed * 100 + 16 + lowercase, options.lines):
                    comparison.compare(pair, chunk)
                differ += comparison.tell()
            pair.close()
        if "switches" in options.only:
            letters = letters_as_pieces(description)
            for setting in range(16):
                flags = [bool(setting >> bit & 1) for bit in range(4)]
                pair = Pair(options.program, switched(description, *flags, vocabulary=letters), folder)
                name = ", ".join(("" if on else "not ") + what for on, what in zip(flags, ("lowercase", "strip_accents", "clean_text", "chinese")))
                comparison = Comparison(f"switches, {name}")
                for chunk in lines.chunks(options.seed * 100 + setting, options.lines // 16):
                    comparison.compare(pair, chunk)
                differ += comparison.tell()
                pair.close()
    sys.exit(differ > 0)


main()
