#!/usr/bin/env python3
"""Writes include/entrain/text/tokenizer/bert_tables.hpp: what BERT's basic tokenizer does to each code point.

    python3 scripts/generate/wordpiece_tables.py          writes the file
    python3 scripts/generate/wordpiece_tables.py --check  says whether the committed file is what it would write

The reference is the package `tokenizers` itself, called for every code point: it mixes three versions of Unicode (one for
categories, one for decompositions, one for lower case), and equal ids need all three.
So no check of CI calls this: it needs that package, in the version that the file names, and Python's standard library cannot
replace it. `sh bench/peers/setup.sh torch` installs it: build/venv-torch/bin/python scripts/generate/wordpiece_tables.py --check
"""

import argparse
import itertools
import pathlib
import sys
import unicodedata

import tokenizers
from tokenizers import normalizers, pre_tokenizers

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HEADER = ROOT / "include/entrain/text/tokenizer/bert_tables.hpp"
BLOCK = 256
HANGUL = range(0xAC00, 0xD7A4)  # decomposed by arithmetic
KINDS = ["plain", "drop", "drop_space", "space", "han", "punctuation", "mark"]
ORDERED, DECOMPOSES, LOWERS = 8, 16, 32

clean = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=False, lowercase=False)
strip = normalizers.BertNormalizer(clean_text=False, handle_chinese_chars=False, strip_accents=True, lowercase=False)
nfd = normalizers.NFD()
lower = normalizers.Lowercase()
words = pre_tokenizers.BertPreTokenizer()


def inside(normalizer, ch):
    out = normalizer.normalize_str("a" + ch + "b")
    assert out[0] == "a" and out[-1] == "b", hex(ord(ch))
    return out[1:-1]


def kind(ch):
    cleaned, split = inside(clean, ch), [word for word, _ in words.pre_tokenize_str("a" + ch + "b")]
    if cleaned == "":
        return "drop_space" if split == ["a", "b"] else "drop"
    if cleaned == " ":
        assert split == ["a", "b"]
        return "space"
    if cleaned == f" {ch} ":
        return "han"
    assert cleaned == ch
    if split == ["a", ch, "b"]:
        return "punctuation"
    assert split == [f"a{ch}b"]
    return "mark" if inside(strip, ch) == "" else "plain"


def ranks(points):
    """The canonical order of marks, 1 to the number of combining classes; what never moves has none."""
    order = lambda text: nfd.normalize_str("a" + text)[1:]
    classes = {unicodedata.combining(ch): ch for ch in reversed(points) if unicodedata.combining(ch)}
    kin = [ch for _, ch in sorted(classes.items())]
    kin = [ch for ch in kin if order(kin[-1] + ch)[0] == ch or order(ch + kin[0])[0] == kin[0]]
    ranks = {}
    for ch in points:
        mark = order(ch)
        if len(mark) == 1 and (order(kin[-1] + mark)[0] == mark or order(mark + kin[0])[0] == kin[0]) and mark != kin[-1]:
            ranks[ch] = 1 + sum(order(mark + other) == other + mark for other in kin if other != mark)
    ranks[kin[-1]] = 1 + len(kin) - 1
    return {ord(ch): rank for ch, rank in ranks.items() if nfd.normalize_str(ch) == ch}


def runs(mapping):
    """(first, last, stride, delta) of one to one mappings."""
    out = []
    for cp, to in sorted(mapping.items()):
        delta = to - cp
        if out and out[-1][3] == delta and (cp - out[-1][1] == out[-1][2] or out[-1][0] == out[-1][1] and cp - out[-1][1] <= 2):
            out[-1][2] = cp - out[-1][1]
            out[-1][1] = cp
        else:
            out.append([cp, cp, 1, delta])
    return out


def rows(items, width):
    it = iter(items)
    while part := list(itertools.islice(it, width)):
        yield "  " + " ".join(f"{item}," for item in part)


def text():
    points = [chr(cp) for cp in range(0x110000) if not 0xD800 <= cp < 0xE000]
    kinds = {ord(ch): kind(ch) for ch in points}
    order = ranks(points)
    flags, decomposed, lowered = {}, {}, {}
    for ch in points:
        cp, flag = ord(ch), 0
        bare, small = nfd.normalize_str(ch), lower.normalize_str(ch)
        if bare != ch and cp not in HANGUL:
            decomposed[cp] = bare
            flag |= DECOMPOSES
        if small != ch:
            assert len(small) == 1 or cp == 0x130
            lowered[cp] = ord(small[0])
            flag |= LOWERS
        if cp in order:
            flag |= ORDERED
        flags[cp] = KINDS.index(kinds[cp]) | flag
    assert max(map(len, decomposed.values())) <= 4 and all(decomposed.values())

    blocks, block_of = {}, []
    for first in range(0, 0x110000, BLOCK):
        block = tuple(flags.get(cp, 0) for cp in range(first, first + BLOCK))
        block_of.append(blocks.setdefault(block, len(blocks)))
    hexed = lambda s: ", ".join(f"0x{ord(c):X}" for c in s)
    lines = [
        "// [text] > batch > embed > encode > head > optim > checkpoint",
        "//",
        f"// What BERT's basic tokenizer does to each code point, as the package tokenizers {tokenizers.__version__} does it.",
        "// Written by scripts/generate/wordpiece_tables.py: change that, not this. Read bert_flags.hpp.",
        "#pragma once",
        "#include <cstdint>",
        "",
        "namespace entrain::text::detail {",
        "",
        "// clang-format off",
        "enum class BertKind : std::uint8_t {",
        "  " + ", ".join(KINDS),
        "};",
        "",
        "inline constexpr std::uint8_t bert_kind = 7;",
        f"inline constexpr std::uint8_t bert_ordered = {ORDERED};  // takes its place in the canonical order of marks",
        f"inline constexpr std::uint8_t bert_decomposes = {DECOMPOSES};",
        f"inline constexpr std::uint8_t bert_lowers = {LOWERS};",
        "",
        f"inline constexpr std::uint8_t bert_block_of[{len(block_of)}] = {{",
        *rows(block_of, 40),
        "};",
        "",
        f"inline constexpr std::uint8_t bert_flags_of[{len(blocks) * BLOCK}] = {{",
        *rows((f for block in blocks for f in block), 64),
        "};",
        "",
        "struct BertDecomposition {",
        "  char32_t from, to[4];  // 0: no more",
        "};",
        f"inline constexpr BertDecomposition bert_decompositions[{len(decomposed)}] = {{",
        *rows((f"{{0x{cp:X}, {{{hexed(to)}}}}}" for cp, to in sorted(decomposed.items())), 4),
        "};",
        "",
        "/// Every `stride`-th code point from first to last becomes itself + delta. U+0130 becomes two, i and U+0307.",
        "struct BertLower {",
        "  char32_t first, last;",
        "  std::int32_t stride, delta;",
        "};",
    ]
    lowers = runs(lowered)
    orders = []
    for cp, rank in sorted(order.items()):
        if orders and orders[-1][1:] == [cp - 1, rank]:
            orders[-1][1] = cp
        else:
            orders.append([cp, cp, rank])
    lines += [
        f"inline constexpr BertLower bert_lower_runs[{len(lowers)}] = {{",
        *rows((f"{{0x{a:X}, 0x{b:X}, {s}, {d}}}" for a, b, s, d in lowers), 4),
        "};",
        "",
        "struct BertOrder {",
        "  char32_t first, last;",
        "  std::uint8_t rank;",
        "};",
        f"inline constexpr BertOrder bert_orders[{len(orders)}] = {{",
        *rows((f"{{0x{a:X}, 0x{b:X}, {r}}}" for a, b, r in orders), 6),
        "};",
        "// clang-format on",
        "",
        "}  // namespace entrain::text::detail",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    made = text()
    if parser.parse_args().check:
        sys.exit(0 if HEADER.read_text() == made else f"{HEADER} is not what this script writes")
    HEADER.write_text(made)
