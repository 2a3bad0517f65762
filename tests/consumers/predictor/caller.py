"""tests > [consumers]: a shared library of entrain from Python, by ctypes and the standard library alone.

    caller.py LIBRARY FOLDER OTHER PROGRAM     FOLDER: a model that LIBRARY and PROGRAM were made for; OTHER: one of another

Entities are those that `PROGRAM predict` prints, whole texts, many at once, split ones, and from many threads; what
fails says so in a sentence.
"""
import concurrent.futures
import ctypes
import json
import os
import subprocess
import sys
from ctypes import POINTER, byref, c_char_p, c_int32, c_size_t, c_uint32, c_void_p


class Entity(ctypes.Structure):
    _fields_ = [("type", c_char_p), ("text", c_void_p), ("begin", c_uint32), ("end", c_uint32), ("begin_cp", c_uint32),
                ("end_cp", c_uint32), ("begin_word", c_uint32), ("end_word", c_uint32), ("type_id", c_int32),
                ("reserved", c_int32)]


def open_library(path):
    lib = ctypes.CDLL(path)
    error = POINTER(c_void_p)
    for name, result, arguments in [
            ("version", c_char_p, []), ("abi", c_uint32, []),
            ("load", c_void_p, [c_char_p, c_int32, error]),
            ("types", POINTER(c_char_p), [c_void_p, POINTER(c_size_t)]),
            ("notes", POINTER(c_char_p), [c_void_p, POINTER(c_size_t)]),
            ("predict", c_void_p, [c_void_p, c_char_p, c_size_t, error]),
            ("predict_batch", c_void_p, [c_void_p, POINTER(c_char_p), POINTER(c_size_t), c_size_t, error]),
            ("predict_words", c_void_p,
             [c_void_p, POINTER(c_char_p), POINTER(c_size_t), POINTER(c_size_t), c_size_t, error]),
            ("texts", c_size_t, [c_void_p]), ("entities", POINTER(Entity), [c_void_p, c_size_t, POINTER(c_size_t)]),
            ("free_predictor", None, [c_void_p]), ("free_result", None, [c_void_p]), ("free_error", None, [c_void_p])]:
        function = getattr(lib, "entrain_" + name)
        function.restype, function.argtypes = result, arguments
    return lib


class Failure(Exception):
    pass


class Predictor:
    def __init__(self, lib, folder, threads=1):
        self.lib, self.handle = lib, None
        self.handle = self._call("load", None if folder is None else os.fsencode(folder), threads)

    def __del__(self):
        self.lib.entrain_free_predictor(self.handle)

    def _call(self, name, *arguments):
        error = c_void_p()
        answer = getattr(self.lib, "entrain_" + name)(*arguments, byref(error))
        if answer:
            assert not error, "an answer and an error"
            return answer
        sentence = ctypes.string_at(error.value).decode("utf-8", "replace")
        self.lib.entrain_free_error(error)
        raise Failure(sentence)

    def _read(self, result):
        """For each text: (type, begin, end, words) in code points, and the rows of Entity themselves."""
        texts = []
        for t in range(self.lib.entrain_texts(result)):
            count = c_size_t()
            found = self.lib.entrain_entities(result, t, byref(count))
            texts.append([(e.type.decode(), e.begin_cp, e.end_cp, ctypes.string_at(e.text, e.end - e.begin), e.begin, e.end,
                           e.begin_word, e.end_word) for e in found[:count.value]])
        self.lib.entrain_free_result(result)
        return texts

    def predict(self, text):
        data = text if isinstance(text, bytes) else text.encode()
        return self._read(self._call("predict", self.handle, data, len(data)))[0]

    def predict_batch(self, texts):
        data = [t.encode() for t in texts]
        n = len(data)
        return self._read(
            self._call("predict_batch", self.handle, (c_char_p * n)(*data), (c_size_t * n)(*map(len, data)), n))

    def predict_words(self, sentences):
        data = [w.encode() for s in sentences for w in s]
        n, m = len(data), len(sentences)
        return self._read(
            self._call("predict_words", self.handle, (c_char_p * n)(*data), (c_size_t * n)(*map(len, data)),
                       (c_size_t * m)(*map(len, sentences)), m))

    def strings(self, name):
        count = c_size_t()
        names = getattr(self.lib, "entrain_" + name)(self.handle, byref(count))
        return [names[i].decode() for i in range(count.value)]


def check(what, found, expected):
    if found != expected:
        sys.exit(f"caller.py: {what}: found {found!r}, expected {expected!r}")


def refused(what, sentence, call):
    try:
        call()
    except Failure as e:
        if str(e).startswith(sentence):
            return
        sys.exit(f"caller.py: {what}: said {e!s}, expected {sentence}")
    sys.exit(f"caller.py: {what}: not refused")


def main(library, folder, other, program):
    lib = open_library(library)
    check("abi", lib.entrain_abi(), 1)
    predictor = Predictor(lib, folder, 2)
    types = set(predictor.strings("types"))
    check("notes", predictor.strings("notes"), [])

    texts = [
        "", " ", "Ada Lovelace met Charles Babbage in London.", "a b ab h c ab h abc",
        "\u00c9va \U0001F600 saw \u5317\u4eac and Bo in Oslo. Dara came from New Lima!", "Z\u0301oe of Lima",
        "Mr. Smith, of Acme Corp., wrote to Ada. " * 60, "ab h c " * 70
    ]

    # What the command line prints for the same folder: one object a line, in code points.
    printed = subprocess.run([program, "predict", "-m", folder, "--format", "jsonl", "--threads", "1"],
                             input="\n".join(texts) + "\n", capture_output=True, check=True, encoding="utf-8").stdout
    lines = [json.loads(line) for line in printed.splitlines()]
    expected = [[(e["label"], e["start"], e["end"], e["text"]) for e in line["entities"]] for line in lines]
    check("number of texts", len(expected), len(texts))
    check("some entities", sum(map(len, expected)) > 5, True)

    found = [predictor.predict(text) for text in texts]
    check("entities", [[(e[0], e[1], e[2], e[3].decode()) for e in f] for f in found], expected)
    check("a batch", predictor.predict_batch(texts), found)
    check("a batch of none", predictor.predict_batch([]), [])
    for text, line, entities in zip(texts, lines, found):
        for kind, begin_cp, end_cp, shown, begin, end, begin_word, end_word in entities:
            check("type", kind in types, True)
            check("code points", text[begin_cp:end_cp], shown.decode())
            check("bytes", text.encode()[begin:end], shown)
            check("words", [line["tokens"][begin_word][0], line["tokens"][end_word - 1][1]], [begin_cp, end_cp])

    # Split already: each sentence of the splitter, its words joined by spaces, is what CoNLL input would be.
    sentences = [["Ada", "met", "Bo", "in", "Oslo", "."], [], ["\u00c9va", "a", "b", "ab", "h"]]
    conll = "".join("".join(word + "\n" for word in s) + "\n" for s in sentences if s)
    printed = subprocess.run([program, "predict", "-m", folder, "--format", "jsonl", "--input-format", "conll", "-"],
                             input=conll, capture_output=True, check=True, encoding="utf-8").stdout
    expected = [[(e["label"], e["start"], e["end"], e["text"]) for e in json.loads(line)["entities"]]
                for line in printed.splitlines()]
    found = [[(e[0], e[1], e[2], e[3].decode()) for e in f] for f in predictor.predict_words(sentences)]
    check("split sentences", found, [expected[0], [], expected[1]])

    # Bytes that are not UTF-8 have places too; zero bytes are bytes.
    for broken in [b"Ada \xff\xc3 met Bo \xed\xa0\x80", b"\x80" * 40, b"Ada met\0Bo in Oslo", b"\xf0\x9f\x98"]:
        for e in predictor.predict(broken):
            check("broken bytes", broken[e[4]:e[5]], e[3])

    refused("no folder", "entrain.checkpoint.40: /nowhere", lambda: Predictor(lib, "/nowhere"))
    refused("NULL for a folder", "entrain.c.1: entrain_load: folder is NULL", lambda: Predictor(lib, None))
    refused("threads", "entrain.c.2: entrain_load: -1 threads, expected 1 to 1024", lambda: Predictor(lib, folder, -1))
    refused("another composition", "entrain.train.1", lambda: Predictor(lib, other))
    refused("NULL for a text", "entrain.c.1: entrain_predict: text is NULL",
            lambda: predictor._call("predict", predictor.handle, None, 4))
    refused("NULL in a batch", "entrain.c.1: entrain_predict_batch: texts[1] is NULL",
            lambda: predictor._call("predict_batch", predictor.handle, (c_char_p * 2)(b"a", None), (c_size_t * 2)(1, 1), 2))
    refused("NULL for a predictor", "entrain.c.1: entrain_predict: predictor is NULL",
            lambda: predictor._call("predict", None, b"a", 1))

    # Many threads: one handle for all of them, and one handle each.
    alone = predictor.predict_batch(texts)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for work in [lambda _: predictor.predict_batch(texts), lambda _: Predictor(lib, folder).predict_batch(texts),
                     lambda _: [predictor.predict(t) for t in texts]]:
            for answer in pool.map(work, range(8)):
                check("threads", answer, alone)
    print(f"{sum(map(len, alone))} entities of {len(texts)} texts as predict prints them, from entrain "
          f"{lib.entrain_version().decode()}")


main(*sys.argv[1:])
