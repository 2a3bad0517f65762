#!/usr/bin/env python3
"""Writes include/entrain/text/unicode/nfc_tables.hpp from Python's unicodedata and the package `tokenizers`.

    build/venv-torch/bin/python scripts/generate/nfc_tables.py          writes the file; needs: tokenizers (its version is printed)
    build/venv-torch/bin/python scripts/generate/nfc_tables.py --check  says whether the committed file is what it would write

The reference is the package `tokenizers`, called for every code point and every pair: its Unicode is 9.0, so later marks have no combining class, and
later letters are not composed. unicodedata says how a code point is decomposed in one step, and which combining class a mark has; that the package
does the same is checked. So no check of CI calls this: it needs that package, in the version that the file names.
"""

import argparse
import pathlib
import sys
import unicodedata

import tokenizers
from tokenizers import normalizers

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HEADER = ROOT / "include/entrain/text/unicode/nfc_tables.hpp"
UNICODE = "9.0"  # of tokenizers 0.23.3
HANGUL = range(0xAC00, 0xD7A4)  # composed by arithmetic
VOWELS, FINALS = range(0x1161, 0x1176), range(0x11A8, 0x11C3)
LAST = 0x2FFFF  # NFC changes and moves nothing after it

nfc, nfd = normalizers.NFC().normalize_str, normalizers.NFD().normalize_str
points = [chr(cp) for cp in range(0x110000) if not 0xD800 <= cp < 0xE000]


def order_of_marks():
    """The numbers of the combining classes, in order from 1 on, of the marks that the package orders."""
    least, above = "\u0334", "\u0301"  # of classes 1 and 230
    moves = lambda ch: nfd("a" + ch + least)[1] == least[0] if unicodedata.combining(ch) > 1 else nfd("a" + above + ch)[1] != above
    marks = {ch: unicodedata.combining(ch) for ch in points if unicodedata.combining(ch) and moves(ch)}
    number = {combining: i for i, combining in enumerate(sorted(set(marks.values())), 1)}
    one_of = {combining: next(ch for ch in marks if marks[ch] == combining and nfd(ch) == ch) for combining in number}
    for ch, combining in marks.items():
        bare = nfd(ch)
        for other, mark in one_of.items():  # the package has the same order
            assert nfd("a" + ch + mark) == "a" + (mark + bare if other < combining else bare + mark), hex(ord(ch))
            assert nfd("a" + mark + ch) == "a" + (bare + mark if other > combining else mark + bare), hex(ord(ch))
    return {ch: number[combining] for ch, combining in marks.items()}


def one_step(order):
    """What the package decomposes, without Hangul, as one or two code points each; and which of those it composes."""
    steps = {}
    for ch in points:
        if nfd(ch) == ch or ord(ch) in HANGUL:
            continue
        steps[ch] = "".join(chr(int(cp, 16)) for cp in unicodedata.decomposition(ch).split())
        assert 1 <= len(steps[ch]) <= 2, hex(ord(ch))
    full = lambda text: "".join(full(steps[ch]) if ch in steps else ch for ch in text)
    assert all(full(ch) == nfd(ch) for ch in steps)
    composed = {ch for ch, parts in steps.items() if nfc(parts) == ch}
    assert all(len(steps[ch]) == 2 and nfc(ch) == ch for ch in composed)
    assert all(nfc(ch) != ch for ch in steps if ch not in composed)
    assert not any(order.get(steps[ch][0]) for ch in composed)  # no composed letter begins with a mark
    assert not any(part in steps or ord(part) in HANGUL for parts in steps.values() for part in parts[1:])
    seconds = {steps[ch][1] for ch in composed} | {chr(cp) for cp in (*VOWELS, *FINALS)}
    for ch in steps:  # so a code point that is no second part begins with none: texts can be cut before it
        assert ch not in composed or order.get(ch, 0) or nfd(ch)[0] not in seconds and not order.get(nfd(ch)[0], 0), hex(ord(ch))
    return steps, composed, seconds


def text():
    order = order_of_marks()
    steps, composed, seconds = one_step(order)
    ranges = []
    for ch in points:
        check = "no" if ch in steps and ch not in composed else "maybe" if ch in seconds else "yes"
        assert (nfc(ch) != ch) == (check == "no"), hex(ord(ch))
        entry = order.get(ch, 0), check
        if entry == (0, "yes"):
            continue
        cp = ord(ch)
        assert 0x300 <= cp <= LAST or ch in steps and ch not in composed
        if ranges and ranges[-1][1] == cp - 1 and ranges[-1][2:] == entry:
            ranges[-1] = (ranges[-1][0], cp, *entry)
        else:
            ranges.append((cp, cp, *entry))
    assert all(0x300 <= first and last <= LAST for first, last, *_ in ranges)
    whole = sorted(steps)
    pairs = sorted((steps[ch], whole.index(ch)) for ch in composed)
    assert len({parts for parts, _ in pairs}) == len(pairs) and len(whole) < 1 << 16

    def rows(items):
        line = "   "
        for item in items:
            if len(line) + len(item) + 2 > 118:
                yield line
                line = "   "
            line += f" {item},"
        yield line

    parts = lambda ch: ", ".join(f"0x{ord(part):X}" for part in steps[ch]) + (", 0" if len(steps[ch]) == 1 else "")
    lines = [
        "// [text] > batch > embed > encode > head > optim > checkpoint",
        "//",
        f"// What NFC changes, as of Unicode {UNICODE}: the version of the package tokenizers {tokenizers.__version__}. Written by",
        "// scripts/generate/nfc_tables.py: change that, not this. Read nfc.hpp.",
        "#pragma once",
        "#include <cstdint>",
        "",
        "namespace entrain::text::detail {",
        "",
        "// clang-format off",
        "/// Whether NFC leaves a code point as it is: always, unless it joins one before it, never.",
        "enum class NfcCheck : std::uint8_t { yes, maybe, no };",
        "",
        "/// order: the number of its canonical combining class, by size; 0: class 0, which is never moved",
        "struct NfcRange {",
        "  char32_t first, last;",
        "  std::uint8_t order;",
        "  NfcCheck check;",
        "};",
        "",
        "/// A code point, and its canonical decomposition in one step; second is 0 if that is one code point.",
        "struct NfcParts {",
        "  char32_t whole, first, second;",
        "};",
        "",
        "struct NfcTable {",
        "  using enum NfcCheck;",
        "  /// All code points but those of order 0 that are `yes`. Sorted.",
        "  static constexpr NfcRange ranges[] = {",
        *rows(f"{{0x{first:X}, 0x{last:X}, {number}, {check}}}" for first, last, number, check in ranges),
        "  };",
        "  /// Sorted by `whole`. Hangul syllables are not in it.",
        "  static constexpr NfcParts parts[] = {",
        *rows(f"{{0x{ord(ch):X}, {parts(ch)}}}" for ch in whole),
        "  };",
        "  /// Places in `parts` of what NFC composes, sorted by its first and then its second part.",
        "  static constexpr std::uint16_t composed[] = {",
        *rows(str(place) for _, place in pairs),
        "  };",
        "};",
        "// clang-format on",
        "",
        "}  // namespace entrain::text::detail",
        "",
    ]
    print(f"tokenizers {tokenizers.__version__}: {len(ranges)} ranges, {len(whole)} decompositions, {len(pairs)} compositions")
    return "\n".join(lines)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--check", action="store_true")
    check, made = arguments.parse_args().check, text()
    if not check:
        HEADER.write_text(made)
    same = HEADER.exists() and HEADER.read_text() == made
    print(f"{HEADER.relative_to(ROOT)}: {'as generated' if same else 'differs'}, {len(made)} bytes")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
