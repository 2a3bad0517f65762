"""What examples/spacy/export.py makes of .spacy files with all that is awkward in them: tests/text/golden/spacy_export.jsonl.

    build/venv-spacy/bin/python tests/spacy/golden.py [--check]        after bench/peers/setup.sh; --check: compare, and write nothing
"""
import pathlib
import subprocess
import sys
import tempfile

import spacy
from spacy.tokens import DocBin

root = pathlib.Path(__file__).resolve().parents[2]
golden = root / "tests/text/golden/spacy_export.jsonl"
nlp = spacy.blank("en")


def annotated(text, *entities):
    """entities: (words, label), from left to right."""
    doc, at, spans = nlp.make_doc(text), 0, []
    for words, label in entities:
        at = text.index(words, at)
        spans.append(doc.char_span(at, at + len(words), label))
        at += len(words)
    assert None not in spans, text
    doc.set_ents(spans, default="outside")
    return doc


docs = [
    annotated("Ada Lovelace met Babbage in London.", ("Ada Lovelace", "PER"), ("Babbage", "PER"), ("London", "LOC")),
    annotated("No names here."),
    annotated("  Two  spaces,\ttabs\n\nand New\n\nYork ", ("New\n\nYork", "LOC")),
    annotated("😀 José went to İstanbul 🇹🇷 — “Ça va?”", ("José", "PER"), ("İstanbul", "LOC")),
    annotated("Zoe\u0308 and 김철수 don't like O'Brien\u2019s \"\\quotes\\\".", ("Zoe\u0308", "PER"), ("김철수", "PER"), ("O'Brien", "PER")),
    annotated("U.S. and U.K.-based Acme Corp.'s shares", ("U.S.", "LOC"), ("Acme Corp.", "ORG")),
    annotated("AdaBob", ("AdaBob", "work of art")),
    annotated("Ada Bob", ("Ada", "PER"), ("Bob", "PER")),
    annotated("a\u2028b\u0085c \u200bd"),
]
two = annotated("Ada left. Bob, of Rome, stayed. \n ", ("Ada", "PER"), ("Bob", "PER"), ("Rome", "LOC"))
for token in two:
    token.is_sent_start = token.i == 0 or token.text == "Bob"
across = annotated("He met St. Ada yesterday", ("St. Ada", "PER"))
for token in across:
    token.is_sent_start = token.i == 0 or token.text == "Ada"

with tempfile.TemporaryDirectory() as work:
    files = []
    for number, some in enumerate((docs, [two, across])):
        files.append(f"{work}/{number}.spacy")
        DocBin(docs=some).to_disk(files[-1])
    export = [sys.executable, root / "examples/spacy/export.py"]
    lines = subprocess.run([*export, *files], check=True, capture_output=True, text=True).stdout

    DocBin(docs=[nlp.make_doc("Nobody looked at this")]).to_disk(f"{work}/blank.spacy")
    refused = subprocess.run([*export, f"{work}/blank.spacy"], capture_output=True, text=True)
    assert refused.returncode != 0 and "missing entity annotations: 'Nobody looked at this'" in refused.stderr, refused

if "--check" not in sys.argv:
    golden.write_text(lines)
elif golden.read_text() != lines:
    sys.exit(f"{golden} is not what export.py makes: run {sys.argv[0]}")
