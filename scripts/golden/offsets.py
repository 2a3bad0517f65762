#!/usr/bin/env python3
"""Writes tests/text/golden/offsets.jsonl: texts with entities, as Python counts and prints them.

    python3 scripts/golden/offsets.py

A line has the words of a text, its entities as [first word, word after the last, label], and the same as files
have it: a row of JSON with offsets in code points, one in bytes of UTF-8, one in units of UTF-16, and a line of annotated
text with the list as Python prints it, or another form of it. The script reads each list back with ast.literal_eval first.
"""

import ast
import json
import pathlib
import random

OUT = pathlib.Path(__file__).resolve().parent.parent.parent / "tests/text/golden/offsets.jsonl"
LETTERS = ["abcXYZ019", "\u00e9\u00df\u00d8\u00e5", "\u0416\u044f", "\u6771\u4eac", "\U0001F600\U0001F1E9\U0001D49C", "e\u0301", "'\"\\/,", "\u200d\ufe0f\u00ad", "{}[]()"]
LABELS = ["PER", "LOC", "it's", 'a "b"', "'\"", "back\\slash", "two\nlines", "tab\there", "\u00e9t\u00e9", "\u6771", "\U0001F600", "\x07\x00\x7f", "\u2028", "a\\nb", " "]
UNITS = {"code_points": len, "bytes": lambda s: len(s.encode()), "utf16": lambda s: len(s.encode("utf-16-le")) // 2}


def written(label, rng):
    """A literal that means the label: as Python prints it, with escapes for its letters, or as in JSON."""
    kind = rng.randrange(4)
    if kind == 0:
        return "u" * rng.randrange(2) + '"' + "".join(f"\\U{ord(c):08x}" if ord(c) > 0xFFFF else f"\\u{ord(c):04x}" for c in label) + '"'
    if kind == 1 and all(ord(c) < 256 for c in label):
        return "'" + "".join(rng.choice([f"\\x{ord(c):02x}", f"\\{ord(c):03o}"]) for c in label) + "'"
    if kind == 2 and all(ord(c) >= 32 for c in label):
        return json.dumps(label, ensure_ascii=False)
    return repr(label)


def annotated(text, spans, rng):
    blank = lambda: rng.choice(["", "", " ", "  "])
    if rng.random() < 0.4:
        entities = repr([tuple(s) for s in spans])
    else:
        one = lambda s: f"({s[0]},{blank()}{s[1]} ,{blank()}{written(s[2], rng)}{rng.choice(['', ',', ', 7'])}{blank()})"
        entities = "[" + ", ".join(one(s) for s in spans) + ("," if spans and rng.random() < 0.5 else "") + blank() + "]"
    assert [tuple(s[:3]) for s in ast.literal_eval(entities)] == [tuple(s) for s in spans], entities
    return text + "\t" + entities


def main():
    rng = random.Random(12)
    lines = []
    for _ in range(60):
        words = ["".join(rng.choice(rng.choice(LETTERS)) for _ in range(rng.randint(1, 6))) for _ in range(rng.randint(0, 9))]
        text = " ".join(words)
        entities, at = [], 0
        while at < len(words):
            end = rng.randint(at + 1, min(at + 3, len(words)))
            if rng.random() < 0.5:
                entities.append([at, end, rng.choice(LABELS)])
            at = end
        rows = {}
        for unit, length in UNITS.items():
            place = lambda word: length("".join(w + " " for w in words[:word]))
            spans = [[place(b), place(e - 1) + length(words[e - 1]), label] for b, e, label in entities]
            if unit == "code_points":
                assert all(text[b:e] == " ".join(words[x:y]) for (b, e, _), (x, y, _) in zip(spans, entities))
                rows["annotated"] = annotated(text, spans, rng)
            rng.shuffle(spans)
            if rng.random() < 0.5:
                spans = [dict(zip(["start", "end", "label"], s)) for s in spans]
            row = [("text", text), (rng.choice(["entities", "spans", "label"]), spans)]
            rng.shuffle(row)
            rows[unit] = json.dumps(dict(row), ensure_ascii=rng.random() < 0.5)
        lines.append(json.dumps({"words": words, "entities": entities, **rows}))
    OUT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
