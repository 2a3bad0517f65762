import json, sys, spacy.tokens
files = (spacy.tokens.DocBin().from_disk(path) for path in sys.argv[1:])
for doc in (doc for file in files for doc in file.get_docs(spacy.blank("xx").vocab)):
    assert all(t.ent_iob for t in doc), f"missing entity annotations: {doc.text!r}"
    sentences = [[[t.idx, t.idx + len(t)] for t in s if not t.is_space] for s in (doc.sents if doc.has_annotation("SENT_START") else [doc])]
    print(json.dumps({"text": doc.text, "tokens": sum(sentences, []), "sentences": [len(s) for s in sentences if s], "entities": [{"start": e.start_char, "end": e.end_char, "label": e.label_} for e in doc.ents]}))
