#!/usr/bin/env python3
"""Writes include/entrain/text/unicode/grapheme_tables.hpp from the packages `regex` and `tokenizers`.

    build/venv-torch/bin/python scripts/generate/grapheme_tables.py       needs: regex, tokenizers (versions are printed)

The classes are those of `regex`, without the code points that `tokenizers` does not know yet: tokenizers decides where SentencePiece's map is applied, so
its version of Unicode is the right one. What `tokenizers` thinks is seen with a map that has one key: it replaces a whole cluster of at most five bytes.
"""

import pathlib

import regex
import tokenizers
from charsmap import charsmap
from tokenizers import normalizers

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HEADER = ROOT / "include/entrain/text/unicode/grapheme_tables.hpp"
UNICODE = "17.0"  # of tokenizers 0.23.3
CLASSES = {  # in this order; the first one that matches counts
    "control": r"\p{GCB=Control}|\p{GCB=CR}|\p{GCB=LF}",
    "linker": r"(?=\p{GCB=Extend})\p{InCB=Linker}",
    "plain_extend": r"(?=\p{GCB=Extend})\p{InCB=None}",
    "extend": r"\p{GCB=Extend}",
    "joiner": r"\p{GCB=ZWJ}",
    "spacing": r"\p{GCB=SpacingMark}",
    "prepend": r"\p{GCB=Prepend}",
    "regional": r"\p{GCB=Regional_Indicator}",
    "leading": r"\p{GCB=L}",
    "vowel": r"\p{GCB=V}",
    "trailing": r"\p{GCB=T}",
    "syllable": r"\p{GCB=LV}|\p{GCB=LVT}",
    "consonant": r"\p{InCB=Consonant}",
    "emoji": r"\p{Extended_Pictographic}",
}
CONTINUE = ("linker", "plain_extend", "extend", "joiner", "spacing")


def classes():
    patterns = [(name, regex.compile(pattern)) for name, pattern in CLASSES.items()]
    one = normalizers.Precompiled(charsmap({"a": "Z"}))
    left_out = 0
    for cp in range(0x110000):
        if 0xD800 <= cp < 0xE000:
            yield cp, None
            continue
        name = next((name for name, pattern in patterns if pattern.match(chr(cp))), None)
        continues = one.normalize_str("a" + chr(cp)) == "Z"
        if name in CONTINUE and not continues:
            name, left_out = None, left_out + 1
        assert continues == (name in CONTINUE), hex(cp)
        yield cp, name
    print(f"regex {regex.__version__}, tokenizers {tokenizers.__version__}: {left_out} code points left out")


def main():
    ranges = []
    for cp, name in classes():
        if name is None:
            continue
        if ranges and ranges[-1][1] == cp - 1 and ranges[-1][2] == name:
            ranges[-1][1] = cp
        else:
            ranges.append([cp, cp, name])
    rows, line = [], "   "
    for first, last, name in ranges:
        item = f" {{0x{first:X}, 0x{last:X}, {name}}},"
        if len(line) + len(item) > 118:
            rows.append(line)
            line = "   "
        line += item
    rows.append(line)
    HEADER.write_text(f"""// [text] > batch > embed > encode > head > optim > checkpoint
//
// Where grapheme clusters end, as of Unicode {UNICODE}: the classes of code points that graphemes.hpp needs. Written by
// scripts/generate/grapheme_tables.py: change that, not this. Read graphemes.hpp.
#pragma once
#include <cstdint>

namespace entrain::text::detail {{

// clang-format off
enum class Grapheme : std::uint8_t {{
  other, {', '.join(list(CLASSES)[:8])},
  {', '.join(list(CLASSES)[8:])}
}};

struct GraphemeRange {{
  char32_t first, last;
  Grapheme cls;
}};

struct GraphemeTable {{
  using enum Grapheme;
  /// All code points that are not `other`, in order.
  static constexpr GraphemeRange ranges[] = {{
""" + "\n".join(rows) + """
  };
};
// clang-format on

}  // namespace entrain::text::detail
""")
    print(f"{HEADER.relative_to(ROOT)}: {len(ranges)} ranges")


if __name__ == "__main__":
    main()
