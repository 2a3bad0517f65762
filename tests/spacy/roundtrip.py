"""spaCy's sentences through an entrain model and back: each Doc has the entities that the program finds, at the same places.

    roundtrip.py PROGRAM LIBRARY MODEL FILE.spacy       FILE.spacy: gold; scripts/check/spacy.sh says where they come from
"""
import json
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile
import warnings

import spacy
from spacy.scorer import Scorer
from spacy.tokens import Doc, DocBin, Span
from spacy.tokenizer import Tokenizer
from spacy.training import Example

program, library, model, gold_file = sys.argv[1:]
root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "examples/spacy"))
import entrain_ner  # noqa: E402  registers the factory

warnings.simplefilter("error")  # nothing is moved or put aside where the tokens are spaCy's


def pipeline(words):
    nlp = spacy.blank("en")
    nlp.add_pipe("entrain_ner", config={"library": library, "model": model, "words": words})
    return nlp


def run(*arguments):
    return subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True)


def places(doc):
    return [(e.start_char, e.end_char, e.label_) for e in doc.ents]


def export(*files):
    return subprocess.run([sys.executable, root / "examples/spacy/export.py", *files], check=True, capture_output=True, text=True).stdout


def without_entities(nlp, doc):
    """The Doc as it was before anybody annotated it."""
    blank = Doc(nlp.vocab, [t.text for t in doc], [bool(t.whitespace_) for t in doc])
    if doc.has_annotation("SENT_START"):
        for token in doc:
            blank[token.i].is_sent_start = bool(token.is_sent_start)
    return blank


def scores_are_equal(work):
    """spaCy's Scorer of our entities in its Docs, and the program's evaluation of the exported file."""
    nlp = pipeline("spacy")
    gold = list(DocBin().from_disk(gold_file).get_docs(nlp.vocab))
    found = [nlp.get_pipe("entrain_ner")(without_entities(nlp, doc)) for doc in gold]
    spacys = Scorer.score_spans([Example(p, g) for p, g in zip(found, gold)], "ents")
    (work / "gold.jsonl").write_text(export(gold_file))
    run("convert", work / "gold.jsonl", "-o", work / "gold.conll")
    (work / "found.spacy").write_bytes(DocBin(docs=found).to_bytes())
    (work / "found.jsonl").write_text(export(work / "found.spacy"))
    run("convert", work / "found.jsonl", "-o", work / "found.conll")
    run("predict", "-m", model, "--input-format", "conll", "--format", "conll", work / "gold.conll", "-o", work / "predicted.conll")
    ours, theirs = (work / "predicted.conll").read_text(), (work / "found.conll").read_text()
    assert words_and_last_tags(ours) == words_and_last_tags(theirs), "the Docs' entities are not what the program finds"
    entities = sum(len(doc.ents) for doc in found)
    assert entities > 100, entities
    assert all(t.ent_iob for doc in found for t in doc)  # what is no entity was said to be none
    report = run("evaluate", "-m", model, "--test", work / "gold.conll")
    f1 = f"{100 * spacys['ents_f']:.2f}"
    assert re.search(rf"\b{re.escape(f1)}\b", report.stdout + report.stderr), (f1, report.stdout + report.stderr)
    print(f"spacy: {entities} entities of {len(found)} docs are those that the program finds; F1 {f1} by spaCy's scorer and by evaluate")


def words_and_last_tags(conll):
    return [(line.split("\t")[0], line.split("\t")[-1]) if line else () for line in conll.rstrip("\n").split("\n")]


def texts_have_the_programs_places(work):
    nlp = pipeline("model")
    texts = ["Ilse met Pelle Lindgren in Porto.", "😀 José flew from Leeds to Ghent, and on to İstanbul.", "Nothing here", ""]
    checked = 0
    for number, text in enumerate(texts):
        (work / f"{number}.txt").write_text(text + "\n")
        lines = run("predict", "-m", model, "--format", "jsonl", work / f"{number}.txt").stdout.splitlines()
        ours = [(e["start"], e["end"], e["label"]) for line in lines for e in json.loads(line)["entities"]]
        assert places(nlp(text)) == ours, (text, places(nlp(text)), ours)
        checked += len(ours)
    assert checked >= 4, checked
    print(f"spacy: {checked} entities of texts stand where the program finds them")
    return nlp


def nothing_is_dropped_in_silence(nlp):
    text = "Ilse met Pelle Lindgren in Porto."
    entities = places(nlp(text))
    assert (27, 32, "LOC") in entities, entities
    nlp.tokenizer = Tokenizer(nlp.vocab)  # parts at blanks alone: `Porto.` is a token
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        doc = nlp(text)
    assert len(doc.ents) == len(entities)
    assert (27, 33, "LOC") in places(doc), places(doc)
    assert [str(w.message) for w in said] == ["LOC 'Porto' is not aligned with tokens; read as 'Porto.'"], said

    words = pipeline("spacy")
    ner = words.get_pipe("entrain_ner")
    found = places(words(text))
    doc = words.make_doc(text)
    doc.ents = [Span(doc, 3, 6, "THERE")]  # Lindgren in Porto
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        ner(doc)
    aside = [(s.start_char, s.end_char, s.label_) for s in doc.spans["entrain_ner"]]
    assert sorted(places(doc) + aside) == sorted(found + [(15, 32, "THERE")]), (places(doc), aside, found)
    assert len(said) == len(aside) > 0, said
    assert "overlaps an entity before it; it is in doc.spans['entrain_ner']" in str(said[0].message)


def other_processes_and_wrong_settings():
    nlp = pipeline("spacy")
    texts = ["Ilse met Pelle Lindgren in Porto."] * 4 + ["", " \n "]
    ner = nlp.get_pipe("entrain_ner")
    here = ner.model.value
    assert [places(d) for d in nlp.pipe(texts, n_process=2)] == [places(nlp(t)) for t in texts]
    again = pickle.loads(pickle.dumps(ner))
    assert again.model.value != here and places(again(nlp.make_doc(texts[0]))) == places(nlp(texts[0]))
    ner.process = -1  # as if this one had been forked
    assert places(nlp(texts[0])) == places(again(nlp.make_doc(texts[0]))) and ner.model.value != here
    spaced = nlp("Ilse  met\n\nPelle Lindgren\tin Porto .  ")  # white space is no word
    assert [(e.text, e.label_) for e in spaced.ents] == [(e.text, e.label_) for e in nlp("Ilse met Pelle Lindgren in Porto .").ents]
    assert len(spaced.ents) > 1
    for config, said in (({"model": "nowhere"}, "nowhere"), ({"words": "mine"}, "words: 'mine', expected spacy or model")):
        try:
            spacy.blank("en").add_pipe("entrain_ner", config={"library": library, "model": model, **config})
            raise AssertionError(config)
        except (RuntimeError, ValueError) as e:
            assert said in str(e), e
    print("spacy: what overlaps or ends within a token is said, not dropped; two processes find the same")


with tempfile.TemporaryDirectory() as folder:
    scores_are_equal(pathlib.Path(folder))
    nothing_is_dropped_in_silence(texts_have_the_programs_places(pathlib.Path(folder)))
    other_processes_and_wrong_settings()
