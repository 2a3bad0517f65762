"""An entrain model in a spaCy pipeline.

    import entrain_ner
    nlp.add_pipe("entrain_ner", config={"library": "build/default/libspacy_ner.so", "model": "model"})

library  the library that entrain_add_predictor made from the composition that trained the model
words    "spacy": the model reads spaCy's tokens, like a model that was trained on export.py's lines; entities are whole tokens.
         "model": it splits the text itself; an entity grows to the tokens that it touches, with a warning.
Entities that the Doc already has stay. An entity that overlaps one is not dropped: it goes to doc.spans["entrain_ner"], with a warning.
"""
import os
import warnings
from ctypes import CDLL, POINTER, Structure, byref, c_char_p, c_int32, c_size_t, c_uint32, c_void_p

from spacy.language import Language
from spacy.tokens import Span


class Entity(Structure):
    _fields_ = [("type", c_char_p), ("text", c_char_p), *((n, c_uint32) for n in ("begin", "end", "begin_cp", "end_cp", "begin_word",
                "end_word")), ("type_id", c_int32), ("reserved", c_int32)]


@Language.factory("entrain_ner", assigns=["doc.ents"], default_config={"words": "spacy"})
class EntrainNer:
    def __init__(self, nlp, name, library: str, model: str, words: str):
        if words not in ("spacy", "model"):
            raise ValueError(f"words: '{words}', expected spacy or model")
        self.made_of, self.words, self.lib, self.process = (library, model, words), words, CDLL(library), os.getpid()
        for function in ("entrain_load", "entrain_predict", "entrain_predict_words"):
            getattr(self.lib, function).restype = c_void_p
        self.lib.entrain_entities.restype = POINTER(Entity)
        if self.lib.entrain_abi() != 1:
            raise RuntimeError(f"{library}: interface {self.lib.entrain_abi()}, expected 1")
        self.model = self.checked(self.lib.entrain_load, model.encode(), 1)

    def __reduce__(self):  # the unpickling process loads its own library
        return EntrainNer, (None, None, *self.made_of)

    def __del__(self):
        if getattr(self, "model", None):
            self.lib.entrain_free_predictor(self.model)

    def checked(self, function, *arguments):
        error = c_char_p()
        made = function(*arguments, byref(error))
        if not made:
            raise RuntimeError(error.value.decode())
        return c_void_p(made)

    def entities(self, result, text):
        count = c_size_t()
        return self.lib.entrain_entities(result, c_size_t(text), byref(count))[: count.value]

    def __call__(self, doc):
        if self.process != os.getpid():  # a forked process does too: nlp.pipe(texts, n_process=2)
            self.__init__(None, None, *self.made_of)
        entities = list(doc.ents)
        for span in self.of_words(doc) if self.words == "spacy" else self.of_text(doc):
            if any(span.start < e.end and e.start < span.end for e in entities):
                warnings.warn(f"{span.label_} '{span.text}' overlaps an entity before it; it is in doc.spans['entrain_ner']")
                doc.spans.setdefault("entrain_ner", []).append(span)
            else:
                entities.append(span)
        doc.set_ents(entities, default="outside")
        return doc

    def of_words(self, doc):
        sentences = [[t for t in s if not t.is_space] for s in (doc.sents if doc.has_annotation("SENT_START") else [doc])]
        sentences = [s for s in sentences if s]
        words = [t.text.encode() for s in sentences for t in s]
        result = self.checked(
            self.lib.entrain_predict_words, self.model, (c_char_p * len(words))(*words), (c_size_t * len(words))(*map(len, words)),
            (c_size_t * len(sentences))(*map(len, sentences)), c_size_t(len(sentences)))
        spans = [Span(doc, s[e.begin_word].i, s[e.end_word - 1].i + 1, e.type.decode())
                 for k, s in enumerate(sentences) for e in self.entities(result, k)]
        self.lib.entrain_free_result(result)
        return spans

    def of_text(self, doc):
        text, spans = doc.text.encode(), []
        result = self.checked(self.lib.entrain_predict, self.model, text, c_size_t(len(text)))
        for e in self.entities(result, 0):
            span = doc.char_span(e.begin_cp, e.end_cp, e.type.decode(), alignment_mode="expand")
            if (span.start_char, span.end_char) != (e.begin_cp, e.end_cp):
                warnings.warn(f"{span.label_} '{doc.text[e.begin_cp:e.end_cp]}' is not aligned with tokens; read as '{span.text}'")
            spans.append(span)
        self.lib.entrain_free_result(result)
        return spans
