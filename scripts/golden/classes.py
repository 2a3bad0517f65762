#!/usr/bin/env python3
"""Writes tests/task/golden/classes.txt: random classes and probabilities, and their scores by scikit-learn 1.5 or newer.

    python3 -m venv build/venv-classes && build/venv-classes/bin/pip install scikit-learn
    build/venv-classes/bin/python scripts/golden/classes.py

The file, one problem a block:

    case one CLASSES TEXTS | case many CLASSES TEXTS
    t GOLD,GOLD,... P P P ...          a text: its classes (- if none), the probability of each class
    scores ACCURACY MACRO_F1 MICRO_F1 MACRO_AUC
    class K P R F1 AUC                 one line a class; AUC nan if gold has one side only
"""
import math
import pathlib
import random
import warnings

import numpy as np
from sklearn.metrics import accuracy_score, f1_score, precision_recall_fscore_support, roc_auc_score

warnings.filterwarnings("ignore")
random.seed(5)


def auc(gold, p):
    return roc_auc_score(gold, p) if 0 < sum(gold) < len(gold) else math.nan


def line(*numbers):
    return " ".join(repr(float(n)) for n in numbers)


def problem(kind, classes, texts):
    gold, p = np.zeros((texts, classes), int), np.zeros((texts, classes))
    for s in range(texts):
        if kind == "one":
            gold[s, random.randrange(max(1, classes - 1))] = 1  # the last class does not occur in gold
        else:
            gold[s] = [random.random() < 0.3 for _ in range(classes)]
        for k in range(classes):
            p[s, k] = round(min(0.99, max(0.01, random.gauss(0.35 + 0.3 * gold[s, k], 0.25))), 2)  # with ties
    out = [f"case {kind} {classes} {texts}"]
    for s in range(texts):
        of = ",".join(str(k) for k in range(classes) if gold[s, k])
        out.append("t " + (of or "-") + " " + " ".join(repr(float(x)) for x in p[s]))
    if kind == "one":
        y, z = gold.argmax(1), p.argmax(1)
    else:
        y, z = gold, (p.astype(np.float32) >= 0.5).astype(int)
    aucs = [auc(gold[:, k], p[:, k]) for k in range(classes)]
    known = [a for a in aucs if not math.isnan(a)]
    occurs = sorted(set(y) | set(z)) if kind == "one" else [k for k in range(classes) if y[:, k].any() or z[:, k].any()]
    macro = f1_score(y, z, labels=occurs, average="macro") if occurs else 0  # of no class: 0, as for a class that is never right
    out.append("scores " + line(accuracy_score(y, z), macro,
                                f1_score(y, z, average="micro"), np.mean(known) if known else math.nan))
    of = precision_recall_fscore_support(y, z, labels=list(range(classes)), zero_division=0)
    for k in range(classes):
        out.append(f"class {k} " + line(of[0][k], of[1][k], of[2][k], aucs[k]))
    return out


lines = []
for kind in ("one", "many"):
    for classes, texts in ((2, 1), (2, 40), (3, 17), (7, 60), (12, 5)):
        lines += problem(kind, classes, texts)
path = pathlib.Path(__file__).resolve().parents[2] / "tests/task/golden/classes.txt"
path.write_text("\n".join(lines) + "\n")
