#!/usr/bin/env python3
"""Writes tests/text/golden/csv.txt: files of comma-separated values, and the records that Python's csv module
reads in them.

    python3 scripts/golden/csv.py

Golden lines: `file DELIMITER HEX`, DELIMITER by its code and HEX the bytes of a file with columns text and label among others; then
`row LINE TEXT LABEL` for each record, LINE its first line, and the others in hex (`-`: empty), or `bad` for a file that the
module refuses in its strict mode.
"""

import csv
import io
import pathlib
import random

GOLDEN = pathlib.Path(__file__).resolve().parent.parent.parent / "tests/text/golden/csv.txt"

# Input that is easily read wrong. Each follows the line `text,label` CR LF.
NASTY = [
    'a,b\n', 'a,b\r\n', 'a,b', '"a",b\n', 'a,"b"\n', '"a","b"', '"a,b",c\n', '"a\nb",c\n', '"a\r\nb",c\r\n', '"a\n\n\nb",c\nd,e\n',
    '"""",b\n', '"""a""",b\n', '"a""b","c""""d"\n', '"",b\n', ',b\n', '"""","""x"\n', '"\n",b\n', '"""\n""",b\n', '\n\na,b\n\n\r\nc,d\n\n',
    '" a ", b \n', 'a\tb;c,d\n', '"a;b\tc",d\r\n"e,",",f"\r\n', '\u00e9\u4e2d\U0001f600,b\n', '"x""",""",y"\n', '",",","\n', '"\r\n",x\r\n',
    'a,b\n"c\n', '"a"b,c\n', '"a" ,c\n', 'a,"b"c\n', 'a,"b\n', '"a""b,c\n', 'a,"\n', '"a"",b\n',
]  # fmt: skip
PIECES = ["a", "bc", " ", ",", ";", "\t", '"', '""', "\n", "\r\n", "\u00e9", "\u4e2d", "'", "\\", "x y", ""]


def rows(data: str, delimiter: str):
    """(first line, record) of each record that is not empty; lines end with a line feed and nothing else."""
    reader, before = csv.reader(io.StringIO(data, newline="\n"), delimiter=delimiter, strict=True), 0
    for record in reader:
        if record:
            yield before + 1, record
        before = reader.line_num


def code(text: str) -> str:
    return text.encode().hex() or "-"


def main() -> None:
    draw, files = random.Random(20260), [("text,label\r\n" + case, ",") for case in NASTY]
    for _ in range(400):
        delimiter = draw.choice(",;\t")
        columns = draw.sample(["text", "label", "id", "source, of it"], draw.randint(2, 4))
        columns = columns if {"text", "label"} <= set(columns) else ["id", "text", "label"]
        out = io.StringIO(newline="")
        how = dict(delimiter=delimiter, lineterminator=draw.choice(["\n", "\r\n"]), quoting=draw.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
        writer = csv.writer(out, **how)
        writer.writerow(columns)
        for _ in range(draw.randint(0, 6)):
            made = ["".join(draw.choices(PIECES, k=draw.randint(0, 5))) for _ in columns]
            at = columns.index("label")
            made[at] = made[at] or "x"
            writer.writerow(made)
            if draw.random() < 0.15:
                out.write(how["lineterminator"])
        data = out.getvalue()
        if draw.random() < 0.3:
            data = data.rstrip("\r\n")
        files.append((data, delimiter))

    with open(GOLDEN, "w") as golden:
        for data, delimiter in files:
            golden.write(f"file {ord(delimiter)} {code(data)}\n")
            try:
                found = list(rows(data, delimiter))
            except csv.Error:
                golden.write("bad\n")
                continue
            columns = found[0][1]
            text, label = columns.index("text"), columns.index("label")
            for line, record in found[1:]:
                golden.write(f"row {line} {code(record[text])} {code(record[label])}\n")


if __name__ == "__main__":
    main()
