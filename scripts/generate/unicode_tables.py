#!/usr/bin/env python3
"""Writes include/entrain/text/unicode/unicode_tables.hpp, and tests/text/golden/unicode_blocks.txt, from Python's unicodedata.

    python3 scripts/generate/unicode_tables.py          writes both files
    python3 scripts/generate/unicode_tables.py --check  says whether the committed files are what this Python would write

It needs Python's standard library alone. Its unicodedata has one Unicode: 14.0 in Python 3.11 (Debian 12), as the committed files.
Of another one --check cannot tell: it ends with 77, which ctest takes as skipped, and in CI with 1.

The golden file does not use the table: it asks str.isalpha, str.lower and their kin, and gives one checksum per 256 code points.
"""

import argparse
import os
import pathlib
import re
import sys
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HEADER = ROOT / "include/entrain/text/unicode/unicode_tables.hpp"
GOLDEN = ROOT / "tests/text/golden/unicode_blocks.txt"
BLOCK = 256

CLASSES = ["other", "upper", "lower", "letter", "digit", "number", "open", "close", "quote", "punctuation", "symbol",
           "mark", "space", "control", "format"]
CLASS_OF = {"Lu": "upper", "Ll": "lower", "Lt": "letter", "Lm": "letter", "Lo": "letter", "Nd": "digit", "Nl": "number",
            "No": "number", "Ps": "open", "Pe": "close", "Pi": "quote", "Pf": "quote", "Pc": "punctuation",
            "Pd": "punctuation", "Po": "punctuation", "Sm": "symbol", "Sc": "symbol", "Sk": "symbol", "So": "symbol",
            "Mn": "mark", "Mc": "mark", "Me": "mark", "Zs": "space", "Zl": "space", "Zp": "space", "Cc": "control",
            "Cf": "format", "Cn": "other", "Co": "other", "Cs": "other"}

# White_Space of PropList.txt: every Z*, and these controls.
CONTROL_SPACE = {0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85}

# Extended_Pictographic of emoji-data.txt 14.0, property list as of that file. unicodedata does not contain it.
PICTOGRAPH = """
A9 AE 203C 2049 2122 2139 2194-2199 21A9-21AA 231A-231B 2328 2388 23CF 23E9-23F3 23F8-23FA 24C2 25AA-25AB 25B6 25C0
25FB-25FE 2600-2605 2607-2612 2614-2685 2690-2705 2708-2712 2714 2716 271D 2721 2728 2733-2734 2744 2747 274C 274E
2753-2755 2757 2763-2767 2795-2797 27A1 27B0 27BF 2934-2935 2B05-2B07 2B1B-2B1C 2B50 2B55 3030 303D 3297 3299
1F000-1F0FF 1F10D-1F10F 1F12F 1F16C-1F171 1F17E-1F17F 1F18E 1F191-1F19A 1F1AD-1F1E5 1F201-1F20F 1F21A 1F22F
1F232-1F23A 1F23C-1F23F 1F249-1F3FA 1F400-1F53D 1F546-1F64F 1F680-1F6FF 1F774-1F77F 1F7D5-1F7FF 1F80C-1F80F
1F848-1F84F 1F85A-1F85F 1F888-1F88F 1F8AE-1F8FF 1F90C-1F93A 1F93C-1F945 1F947-1FAFF 1FC00-1FFFD"""

# Scripts written without spaces, by block (Blocks.txt): Thai, Lao, Myanmar, Khmer, Tai Le to New Tai Lue, Tai Tham, kana,
# bopomofo, Han and its extensions, Myanmar extensions, halfwidth kana, Kana supplements, Han of planes 2 and 3.
UNSPACED = """
0E00-0E7F 0E80-0EFF 1000-109F 1780-17FF 1950-19DF 1A20-1AAF 2E80-2FDF 3005-3007 3021-3029 3031-3035 3038-303C 3040-312F
31A0-31BF 31F0-31FF 3400-4DBF 4E00-9FFF A9E0-A9FF AA60-AA7F F900-FAFF FF66-FF9F 1AFF0-1B16F 20000-3FFFF"""


def members(text):
    out = set()
    for part in text.split():
        first, _, last = part.partition("-")
        out.update(range(int(first, 16), int(last or first, 16) + 1))
    return out


def simple_case(cp):
    """Simple (one to one) lower and upper case mapping. Python gives the full mapping: where that is longer than one
    code point, UnicodeData.txt has the title-case form (Greek with iota subscript) or nothing; U+0130 lowers to i."""
    if 0xD800 <= cp < 0xE000:
        return cp, cp
    ch = chr(cp)
    low, up = ch.lower(), ch.upper()
    if len(up) > 1:
        up = ch.title()
    return (ord(low) if len(low) == 1 else ord("i")), (ord(up) if len(up) == 1 else cp)


def records():
    pictograph, unspaced = members(PICTOGRAPH), members(UNSPACED)
    for cp in range(0x110000):
        ch = chr(cp)
        category = unicodedata.category(ch)
        cls = "space" if cp in CONTROL_SPACE else CLASS_OF[category]
        flags = []
        if unicodedata.digit(ch, None) is not None:
            flags.append("digit_value")
        if cp in pictograph:
            flags.append("pictograph")
        if cp in unspaced and category[0] in "LN":
            flags.append("unspaced")
        low, up = simple_case(cp)
        yield cls, tuple(flags), low - cp, up - cp


def rows(numbers, width=118):
    line = " "
    for n in numbers:
        item = f" {n},"
        if len(line) + len(item) > width:
            yield line
            line = " "
        line += item
    yield line


def header():
    known, of_cp = {}, []
    for record in records():
        of_cp.append(known.setdefault(record, len(known)))
    assert len(known) <= 256
    blocks, block_of = {}, []
    for at in range(0, 0x110000, BLOCK):
        block_of.append(blocks.setdefault(tuple(of_cp[at:at + BLOCK]), len(blocks)))
    assert len(blocks) <= 256
    values = [v for block in blocks for v in block]
    out = f"""// [text] > batch > embed > encode > head > optim > checkpoint
//
// What each code point is, as of Unicode {unicodedata.unidata_version}. Written by scripts/generate/unicode_tables.py: change that, not this.
// Two steps: block_of[cp / {BLOCK}] names a block of {BLOCK} record numbers, and the record says the rest. Read unicode.hpp.
#pragma once
#include <cstdint>

namespace entrain::text::detail {{

// clang-format off
enum class Class : std::uint8_t {{
  {', '.join(CLASSES)}
}};

inline constexpr std::uint8_t digit_value = 1;  // has the value of one digit: 7, but also superscript and circled seven
inline constexpr std::uint8_t pictograph = 2;   // Extended_Pictographic: emoji, and what may become one
inline constexpr std::uint8_t unspaced = 4;     // a letter of a script written without spaces

struct Property {{
  Class cls;
  std::uint8_t flags;
  std::int32_t to_lower, to_upper;  // add to the code point
}};

inline constexpr Property properties[{len(known)}] = {{
"""
    for cls, flags, low, up in known:
        out += f"  {{Class::{cls}, {' | '.join(flags) or 0}, {low}, {up}}},\n"
    out += f"}};\n\ninline constexpr std::uint8_t block_of[{len(block_of)}] = {{\n"
    out += "\n".join(rows(block_of))
    out += f"\n}};\n\ninline constexpr std::uint8_t property_of[{len(values)}] = {{\n"
    out += "\n".join(rows(values))
    out += "\n};\n// clang-format on\n\n}  // namespace entrain::text::detail\n"
    return out


def fnv1a(h, value, size):
    for byte in value.to_bytes(size, "little"):
        h = (h ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return h


def bits(ch):
    """What the predicates of text/unicode/unicode.hpp should answer, one bit each, from Python's own predicates."""
    category = unicodedata.category(ch)
    white = category[0] == "Z" or (ch.isspace() and not 0x1C <= ord(ch) <= 0x1F)
    answers = [ch.isalpha(), ch.isalpha() and ch.isupper(), category == "Ll", ch.isdigit(), ch.isnumeric() and category[0] == "N",
               category[0] == "P", category[0] == "S", category[0] == "M", white, category == "Cf", category == "Cc" and not white]
    return sum(bool(answer) << i for i, answer in enumerate(answers))


def golden():
    out = (f"# Unicode {unicodedata.unidata_version}. A line: how many blocks of 256 code points in a row, and the checksum of each of them:\n"
           "# FNV-1a 64 over (predicate bits: 2 bytes; lower - cp: 4; upper - cp: 4), little-endian, modulo 2^32.\n"
           "# Written by scripts/generate/unicode_tables.py.\n")
    runs = []
    for block in range(0, 0x110000, 256):
        h = 0xCBF29CE484222325
        for cp in range(block, block + 256):
            low, up = simple_case(cp)
            h = fnv1a(fnv1a(fnv1a(h, bits(chr(cp)), 2), (low - cp) % 2**32, 4), (up - cp) % 2**32, 4)
        if runs and runs[-1][1] == h:
            runs[-1][0] += 1
        else:
            runs.append([1, h])
    return out + "".join(f"{count} {h:016x}\n" for count, h in runs)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--check", action="store_true")
    check = arguments.parse_args().check
    theirs = re.search(r"as of Unicode ([0-9.]+[0-9])", HEADER.read_text()) if check else None
    if theirs and theirs[1] != unicodedata.unidata_version:
        print(f"the tables are of Unicode {theirs[1]}, this Python knows {unicodedata.unidata_version}: nothing was compared")
        return 1 if os.environ.get("CI") == "true" else 77  # CI has the right one
    wrong = 0
    for path, text in ((HEADER, header()), (GOLDEN, golden())):
        if check:
            same = path.exists() and path.read_text() == text
            wrong += not same
            print(f"{path.relative_to(ROOT)}: {'as generated' if same else 'differs'} (Unicode {unicodedata.unidata_version})")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(f"{path.relative_to(ROOT)}: {len(text)} bytes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
