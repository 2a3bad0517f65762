"""CoNLL files for the peers: reading, grouping into documents, writing back, scoring. No spaCy here.

The reading follows entrain's own reader, so that both systems see the same sentences:
a line that is empty or blank is a separator; columns are split on TAB if a line has one, otherwise on white space; lines are
not trimmed, so that an empty token (`TAB O`) stays a token; `#` starts a comment only in files of UNER.
"""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

EMPTY = "\ufffd"  # replaces an empty token, which spaCy cannot hold


@dataclass(frozen=True)
class Columns:
    token: int = 0
    tag: int = -1
    comments: bool = False


@dataclass(frozen=True)
class Corpus:
    name: str
    lang: str
    columns: Columns
    train: Path
    dev: Path
    test: Path


@dataclass
class Sentence:
    tokens: list
    tags: list
    opens_document: bool = False  # a -DOCSTART- line precedes it


PLAIN, UNER = Columns(), Columns(token=1, tag=2, comments=True)
KNOWN = {  # name: (language, columns, ending of the three files)
    "wnut17": ("en", PLAIN, "conll"),
    "btc": ("en", PLAIN, "conll"),
    "ncbi-disease": ("en", PLAIN, "tsv"),
    "uner-danish": ("da", UNER, "iob2"),
    "uner-portuguese": ("pt", UNER, "iob2"),
}


def fail(message):
    sys.exit(f"entrain peers: {message}")


def known(name):
    """The corpus of that name in the folder ENTRAIN_DATA."""
    folder = os.environ.get("ENTRAIN_DATA")
    if not folder:
        fail("ENTRAIN_DATA is not set; it names the folder that holds wnut17/, ncbi-disease/ and so on")
    lang, columns, ending = KNOWN[name]
    files = [Path(folder) / name / f"{split}.{ending}" for split in ("train", "dev", "test")]
    return Corpus(name, lang, columns, *files)


def read(path, columns):
    """The sentences of a file, with their tags unchanged."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as e:
        fail(f"{path}: {e}")
    sentences, tokens, tags, opens = [], [], [], False
    for number, line in enumerate(text.split("\n") + [""], 1):  # not splitlines(): tokens may hold U+0085 or U+2028
        line = line.removesuffix("\r")
        docstart = line.startswith("-DOCSTART-")
        if not line.strip() or docstart:
            if tokens:
                sentences.append(Sentence(tokens, tags, opens))
                tokens, tags, opens = [], [], False
            opens = opens or docstart
        elif not (columns.comments and line.startswith("#")):
            cells = line.split("\t") if "\t" in line else line.split()
            if len(cells) < 2 or max(columns.token, columns.tag) >= len(cells):
                fail(f"{path}:{number}: {len(cells)} columns, expected token and tag in columns {columns.token} and {columns.tag}")
            tokens.append(cells[columns.token])
            tags.append(cells[columns.tag])
    if not sentences:
        fail(f"{path}: no sentence in it")
    return sentences


def words_and_tags(path):
    """The same as pairs of lists; the ending of the file's name selects its columns."""
    return [(s.tokens, s.tags) for s in read(path, UNER if str(path).endswith(".iob2") else PLAIN)]


def spans(tags):
    """Entities as (first, one past last, type). A stray I- starts an entity, as in spaCy's converter and in conlleval."""
    found, start, kind = [], 0, None
    for i, tag in enumerate([*tags, "O"]):
        prefix, _, label = tag.partition("-")  # at the first hyphen only: creative-work
        if kind is not None and not (prefix == "I" and label == kind):
            found.append((start, i, kind))
            kind = None
        if prefix in ("B", "I") and kind is None:
            start, kind = i, label
        elif prefix not in ("B", "I", "O"):
            fail(f"tag '{tag}': the peers read IOB2 only; `entrain convert` writes it")
    return found


def documents(sentences, size):
    """Groups of `size` sentences, as `spacy convert -n size` makes them; documents of the file itself take precedence over groups."""
    has_documents = size != 1 and any(s.opens_document for s in sentences)
    groups = []
    for sentence in sentences:
        full = sentence.opens_document if has_documents else bool(groups) and len(groups[-1]) == size
        if not groups or full:
            groups.append([])
        groups[-1].append(sentence)
    return groups


def write(path, sentences, tags_of_each):
    """`token TAB tag`, an empty line after each sentence."""
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        for sentence, tags in zip(sentences, tags_of_each, strict=True):
            out.writelines(f"{token}\t{tag}\n" for token, tag in zip(sentence.tokens, tags, strict=True))
            out.write("\n")


def scores(gold, predicted):
    """Entity scores by seqeval, micro, in per cent: 'strict' (IOB2, a stray I- is no entity) and 'conlleval' (it is one)."""
    import warnings

    from seqeval.metrics import f1_score, precision_score, recall_score
    from seqeval.scheme import IOB2

    warnings.filterwarnings("ignore", module="seqeval")
    result = {}
    for reading, how in (("strict", {"mode": "strict", "scheme": IOB2}), ("conlleval", {})):
        result[reading] = {
            name: 100 * float(score(gold, predicted, average="micro", zero_division=0, **how))
            for name, score in (("precision", precision_score), ("recall", recall_score), ("f1", f1_score))
        }
    return result
