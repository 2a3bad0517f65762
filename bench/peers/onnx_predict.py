#!/usr/bin/env python
"""onnxruntime as the peer of entrain in prediction: the same folder, the same words, 32 sentences a batch, fp32.

    onnx_predict.py export FOLDER MODEL [fused]                the folder as an ONNX file; fused: by onnxruntime's own tool
    onnx_predict.py int8   FOLDER MODEL                        MODEL.int8: MODEL, its products in int8 (dynamic quantisation)
    onnx_predict.py serve  FOLDER MODEL TEST [THREADS [CALLS]] answers 'batches', 'sentence', 'load', as predict_slices does
    onnx_predict.py check  FOLDER MODEL TEST TAGS              compares with the tags that `predict_slices ... tags` wrote

The peer in the form that was fastest here: attention written out, exported through TorchScript, and optimized only by the session
itself. onnxruntime.transformers.optimizer (model_type bert) fuses that whole graph (six Attention nodes, twelve
SkipLayerNormalization, six BiasGelu, one EmbedLayerNormalization), and the result was a tenth slower in batches; it fuses no attention in
the graph of torch.export, and that was slower still. The peer cuts the whole file into pieces and sorts it by pieces before it makes
batches, which leaves little to pad; entrain gets batches in the order of the file. Tokenizing by the package tokenizers and argmax by
numpy both count.
Needs the virtual environment of `setup.sh torch`.
"""

import json
import os
import sys
import time

from slices import peak_rss_mib, say

how, folder, model = sys.argv[1:4]
threads = int(sys.argv[5]) if how == "serve" and len(sys.argv) > 5 else 1
os.environ["OMP_NUM_THREADS"] = str(threads)  # before the first import of a library that reads it
os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["RAYON_NUM_THREADS"] = str(threads)
os.environ["TOKENIZERS_PARALLELISM"] = "true" if threads > 1 else "false"
os.environ["HF_HUB_OFFLINE"] = "1"

SENTENCES, WORDS, OPSET = 32, 20, 20


def export():
    import logging

    import torch
    from onnxruntime.transformers import optimizer
    from onnxruntime.transformers.fusion_options import FusionOptions
    from transformers import AutoModelForTokenClassification

    logging.getLogger().setLevel(logging.ERROR)
    net = AutoModelForTokenClassification.from_pretrained(folder, attn_implementation="eager").eval()

    class Logits(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = net

        def forward(self, input_ids, attention_mask):
            return self.net(input_ids=input_ids, attention_mask=attention_mask).logits

    ids, mask = torch.randint(1000, 2000, (2, 12)), torch.ones(2, 12, dtype=torch.int64)
    mask[1, 8:] = 0
    axes = {name: {0: "sentences", 1: "pieces"} for name in ("input_ids", "attention_mask", "logits")}
    torch.onnx.export(Logits(), (ids, mask), model, input_names=["input_ids", "attention_mask"], output_names=["logits"],
                      dynamic_axes=axes, opset_version=OPSET, dynamo=False)
    if sys.argv[4:] == ["fused"]:
        fused = optimizer.optimize_model(model, model_type="bert", num_heads=net.config.num_attention_heads,
                                         hidden_size=net.config.hidden_size, opt_level=0,
                                         optimization_options=FusionOptions("bert"))
        fused.save_model_to_file(model)
        counts = fused.get_fused_operator_statistics()
        layers = net.config.num_hidden_layers
        assert counts["Attention"] == layers and counts["BiasGelu"] == layers, counts
    print(f"{model}: {os.path.getsize(model) / 2**20:.1f} MiB, opset {OPSET}")


def int8():
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(model, model + ".int8", weight_type=QuantType.QInt8)
    print(f"{model}.int8: {os.path.getsize(model + '.int8') / 2**20:.1f} MiB")


class Tagger:
    """Converts words to tags."""

    def __init__(self):
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        self.session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(folder + "/tokenizer.json")
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        names = json.load(open(folder + "/config.json"))["id2label"]
        self.names = [names[str(i)] for i in range(len(names))]

    def cut(self, sentences):
        return self.tokenizer.encode_batch(sentences, is_pretokenized=True)

    def logits(self, rows):
        longest = max(len(row) for row in rows)
        assert longest <= 512, "a sentence longer than a window"
        ids, mask = (np.zeros((len(rows), longest), dtype=np.int64) for _ in range(2))
        for i, row in enumerate(rows):
            ids[i, :len(row)] = row.ids
            mask[i, :len(row)] = 1
        return self.session.run(["logits"], {"input_ids": ids, "attention_mask": mask})[0]

    def tags(self, sentences):
        """For each sentence, for each word, the number of its tag: that of its first piece."""
        rows, found = self.cut(sentences), [None] * len(sentences)
        by_length = sorted(range(len(rows)), key=lambda i: len(rows[i]))
        for begin in range(0, len(rows), SENTENCES):
            batch = by_length[begin:begin + SENTENCES]
            best = self.logits([rows[i] for i in batch]).argmax(axis=2)
            for i, of_row in zip(batch, best):
                found[i] = [of_row[j] for j in first_pieces(rows[i])]
        return found


def first_pieces(row):
    before, found = None, []
    for j, word in enumerate(row.word_ids):
        if word is not None and word != before:
            found.append(j)
            before = word
    return found


def read(path):
    import conll

    return [words for words, _ in conll.words_and_tags(path)]


def serve():
    import onnxruntime

    sentences, calls = read(sys.argv[4]), int(sys.argv[6]) if len(sys.argv) > 6 else 300
    words = sum(map(len, sentences))
    tagger = Tagger()
    one = [next(s for s in sentences if len(s) == WORDS)]
    tagger.tags(sentences[::4])
    say(what="ready", system="onnxruntime " + onnxruntime.__version__)
    for line in sys.stdin:
        what, more = line.strip(), {}
        if what == "quit":
            break
        wall, cpu = time.perf_counter(), time.process_time()
        if what == "batches":
            done = words
            tagger.tags(sentences)
        elif what == "sentence":
            times, done = [], calls * WORDS
            for _ in range(calls):
                begin = time.perf_counter()
                tagger.tags(one)
                times.append(time.perf_counter() - begin)
            times.sort()
            for percent in (50, 99):
                more[f"p{percent}_ms"] = 1e3 * times[-(-len(times) * percent // 100) - 1]
        else:
            done = WORDS
            Tagger().tags(one)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        say(what=what, words=done, seconds=wall, words_per_second=done / wall, words_per_cpu_second=done / cpu,
            peak_rss_mib=peak_rss_mib(), **more)


def check():
    sentences = read(sys.argv[4])
    theirs = []
    tagger = Tagger()
    for begin in range(0, len(sentences), SENTENCES):
        rows = tagger.cut(sentences[begin:begin + SENTENCES])
        of_batch = tagger.logits(rows)
        for i, row in enumerate(rows):
            theirs.append([of_batch[i, j] for j in first_pieces(row)])
    ours = [block.split("\n") for block in open(sys.argv[5]).read().strip("\n").split("\n\n")]
    total = equal = wordless = 0
    margins = []
    for sentence, scores, tags in zip(sentences, theirs, ours, strict=True):
        assert len(sentence) == len(tags)
        if len(scores) != len(sentence):  # a word of only control characters has no piece there
            wordless += len(sentence)
            continue
        for score, tag in zip(scores, tags, strict=True):
            total += 1
            if tagger.names[int(score.argmax())] == tag:
                equal += 1
            else:
                top = np.sort(score)[-2:]
                margins.append(float(top[1] - top[0]))
    say(words=total, equal=equal, in_sentences_that_lack_a_word=wordless,
        largest_margin_of_the_others=max(margins, default=0.0))


if how == "export":
    export()
else:
    import numpy as np

    {"int8": int8, "serve": serve, "check": check}[how]()
