#!/usr/bin/env python3
"""Writes tests/score/golden/seqeval.txt: random tag sequences and their scores by seqeval 1.2.2.

    python3 -m venv build/venv-seqeval && build/venv-seqeval/bin/pip install seqeval==1.2.2 numpy
    build/venv-seqeval/bin/python scripts/golden/seqeval.py

The file, one document a block:

    case SCHEME                                    IOB1 IOB2 IOBES BILOU BMES
    g B2 I2 . S0                                   a gold sentence: part and number of the type; '.' is O
    p B2 . . .                                     its prediction
    tokens CORRECT ALL                             accuracy_score
    strict MICRO_P MICRO_R MICRO_F1 MACRO_P MACRO_R MACRO_F1
    strict 0 P R F1 GOLD PREDICTED CORRECT         one line a type that occurs
    conlleval ...                                  the same, in seqeval's default mode

Where seqeval needs other input:
  BMES       it has no such scheme; the letters are those of IOBES with M for I, and seqeval gets those.
  conlleval  its default mode knows B I E S; BILOU and BMES are converted to these letters.
  IOB1       its strict mode loses an entity of the single tag B-X if B-Y follows it directly (end_patterns lack
             that pair), so no such pair is generated.
"""
import pathlib
import random
import warnings

import numpy as np
from seqeval import scheme as seqeval_scheme
from seqeval.metrics import accuracy_score
from seqeval.metrics.sequence_labeling import get_entities
from seqeval.metrics.sequence_labeling import precision_recall_fscore_support as default_scores
from seqeval.metrics.v1 import precision_recall_fscore_support as strict_scores
from seqeval.scheme import Entities

warnings.simplefilter("ignore")
TYPES = ["PER", "creative-work", "LOC", "\u00e9v\u00e9nement"]
LETTERS = {"IOB1": "BI", "IOB2": "BI", "IOBES": "BIES", "BILOU": "BILU", "BMES": "BMES"}
CASES = 36
rng = random.Random(20240917)


def write(scheme, spans, n):
    tags = ["O"] * n
    before = (0, None)
    for begin, end, kind in spans:
        for i in range(begin, end):
            if scheme == "IOB1":
                letter = "B" if i == begin and before == (begin, kind) else "I"
            elif scheme == "IOB2":
                letter = "B" if i == begin else "I"
            else:
                first, middle, last, single = LETTERS[scheme]
                letter = single if end - begin == 1 else first if i == begin else last if i == end - 1 else middle
            tags[i] = f"{letter}-{TYPES[kind]}"
        before = (end, kind)
    return tags


def entities(n):
    spans, at = [], 0
    while at < n:
        size = rng.choice([1, 1, 2, 3])
        if rng.random() < 0.5 and at + size <= n:
            spans.append((at, at + size, rng.randrange(len(TYPES))))
            at += size
        else:
            at += 1
    return spans


def disturb(tags, scheme, share):
    out = list(tags)
    for i in range(len(out)):
        if rng.random() < share:
            out[i] = "O" if rng.random() < 0.3 else f"{rng.choice(LETTERS[scheme])}-{rng.choice(TYPES)}"
    return out


def lost_by_seqeval(tags):
    return any(a[0] == "B" == b[0] and a[1:] != b[1:] for a, b in zip(tags, tags[1:]))


def sentence(scheme, gold_noise, noise):
    while True:
        n = rng.choice([1, 2, 3, 5, 8, 12])
        gold = disturb(write(scheme, entities(n), n), scheme, gold_noise)
        predicted = disturb(gold, scheme, noise)
        if scheme != "IOB1" or not (lost_by_seqeval(gold) or lost_by_seqeval(predicted)):
            return gold, predicted


def respell(sequences, letters):
    return [[letters.get(t[0], t[0]) + t[1:] for t in s] for s in sequences]


def count(gold, predicted, kind):
    gold, predicted = ({e for e in side if e[0] == kind} for side in (gold, predicted))
    return len(gold), len(predicted), len(gold & predicted)


def reading(out, name, gold, predicted, score, gold_entities, predicted_entities):
    kinds = sorted({e[0] for e in gold_entities | predicted_entities})
    if not kinds:
        out.append(f"{name} 0 0 0 0 0 0")
        return
    averages = [*score(gold, predicted, average="micro")[:3], *score(gold, predicted, average="macro")[:3]]
    out.append(" ".join([name, *(f"{float(x):.12g}" for x in averages)]))
    each = np.array(score(gold, predicted, average=None)[:3]).T
    for kind, figures in zip(kinds, each):
        counts = count(gold_entities, predicted_entities, kind)
        out.append(" ".join([name, str(TYPES.index(kind)), *(f"{float(x):.12g}" for x in figures), *map(str, counts)]))


def strict_entities(sequences, scheme):
    found = Entities(sequences, scheme).entities
    return {(e.tag, e.sent_id, e.start, e.end) for s in found for e in s}


def default_entities(sequences):
    return {(kind, i, begin, end) for i, s in enumerate(sequences) for kind, begin, end in get_entities(s)}


def spell(tags):
    return " ".join("." if t == "O" else t[0] + str(TYPES.index(t[2:])) for t in tags)


def case(scheme, number):
    gold_noise, noise = [(0, 0.15), (0, 0.5), (0.2, 0.2), (1, 0.3), (1, 1), (0, 0)][number % 6]
    pairs = [sentence(scheme, gold_noise, noise) for _ in range(rng.choice([1, 2, 4, 6]))]
    if number == 6:
        pairs = [(gold, ["O"] * len(gold)) for gold, _ in pairs]
    if number == 7:
        pairs = [(["O"] * len(gold), predicted) for gold, predicted in pairs]
    if number == 8:
        pairs = [(["O"] * len(gold),) * 2 for gold, _ in pairs]
    gold, predicted = [list(g) for g, _ in pairs], [list(p) for _, p in pairs]

    out = [f"case {scheme}"]
    for g, p in pairs:
        out += ["g " + spell(g), "p " + spell(p)]
    total = sum(map(len, gold))
    out.append(f"tokens {round(accuracy_score(gold, predicted) * total)} {total}")

    kind = getattr(seqeval_scheme, "IOBES" if scheme == "BMES" else scheme)
    own = {"M": "I"} if scheme == "BMES" else {}
    g, p = respell(gold, own), respell(predicted, own)
    reading(out, "strict", g, p, lambda a, b, average: strict_scores(a, b, average=average, scheme=kind),
            strict_entities(g, kind), strict_entities(p, kind))

    plain = {"M": "I", "L": "E", "U": "S"}
    g, p = respell(gold, plain), respell(predicted, plain)
    reading(out, "conlleval", g, p, default_scores, default_entities(g), default_entities(p))
    return out


lines = ["# made by scripts/golden/seqeval.py from seqeval 1.2.2; types: " + " ".join(TYPES)]
for scheme in LETTERS:
    for number in range(CASES):
        lines += case(scheme, number)
path = pathlib.Path(__file__).parent.parent.parent / "tests" / "score" / "golden" / "seqeval.txt"
path.write_text("\n".join(lines) + "\n", encoding="utf-8")
print(path.name, path.stat().st_size, "bytes,", len(LETTERS) * CASES, "cases")
