#!/usr/bin/env python
"""spaCy's NER as the peer of entrain: the same files, one thread, its own settings and its own early stopping.

    spacy_ner.py speed  --corpus wnut17                  training and prediction rate, one JSON line a slice
    spacy_ner.py speed  --corpus wnut17 --slices         the same, one slice for each line 'train' or 'predict' on stdin
    spacy_ner.py full   --corpus wnut17 --seeds 0,1,2    trained to the end, test split tagged and scored, resumable
    spacy_ner.py report                                  the table of all full runs
    spacy_ner.py counts --corpus wnut17                  sentences, tokens, entities of each split
    (--train A --dev B --test C, IOB2 of `token TAB tag`, in place of --corpus: a corpus of your own)

What is measured is `spacy train` on spacy_ner.cfg, the unmodified output of
`spacy init config --lang en --pipeline ner --optimize efficiency`. Overridden as on its command line: the paths, the seed and the
language. The steps come from spaCy's own training loop, `spacy.training.loop.train_while_improving`; only the bookkeeping
around it is ours (same losses and scores as the command at steps 0, 200 and 400). Needs the virtual environment that setup.sh makes.

Two things to know before quoting a rate:
- The batch is meant to grow from 100 to 1000 words. spaCy 3.8 asks for the next size only after a batch that was filled; a Doc of more than
  120 words goes out alone. Ten sentences are mostly more than that, so with --sentences 10 nearly every step is one Doc, to the end.
  With --sentences 1 the batch grows. --batch-words 1000 gives spaCy its best rate in either case.
- On AMD CPUs newer than Zen 2 the BLIS of pip runs its slowest kernels; see --gemm. Give both rates there.
"""

import os

for name in ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "VECLIB_MAXIMUM"):  # before the first import of a library that reads them
    os.environ[f"{name}_NUM_THREADS"] = "1"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import argparse
import hashlib
import json
import platform
import statistics
import subprocess
import sys
import time
import zlib
from pathlib import Path

import conll
from slices import peak_rss_mib, say

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CONFIG = HERE / "spacy_ner.cfg"
RESULTS = ROOT / "build" / "peers-results"
CONVERTED = ROOT / "build" / "peers-data"


def use_gemm(which):
    """The library that multiplies the matrices of spaCy's layers.

    wheel: what pip installs, thinc's own BLIS. numpy: numpy's OpenBLAS, thinc's switch `use_blis`. blis 1.3 knows no AMD newer than
    Zen 2 and takes SSE kernels there (BLIS_ARCH_DEBUG=1 prints 'generic'; explosion/cython-blis issue 53), a third of OpenBLAS's rate.
    The parser's own small products use BLIS in both.
    """
    from thinc.api import NumpyOps, set_current_ops

    set_current_ops(NumpyOps(use_blis=which == "wheel"))


def blis_kernels():
    """The kernels that BLIS reports for this CPU; only a new process prints them."""
    program = "import numpy, blis.py; blis.py.gemm(numpy.ones((4, 4), 'f'), numpy.ones((4, 4), 'f'))"
    said = subprocess.run([sys.executable, "-c", program], env=os.environ | {"BLIS_ARCH_DEBUG": "1"}, capture_output=True, text=True).stderr
    return said.partition("sub-configuration '")[2].partition("'")[0] or "unknown"


def machine():
    import spacy
    import thinc
    import blis.about
    import numpy

    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.processor())
    return {
        "cpu": model,
        "cpus_allowed": sorted(os.sched_getaffinity(0)),
        "python": platform.python_version(),
        "spacy": spacy.__version__,
        "thinc": thinc.__version__,
        "blis": blis.about.__version__,
        "blis_kernels": blis_kernels(),
        "numpy": numpy.__version__,
    }


class Clock:
    """Wall and CPU seconds, summed over its `with` blocks. On a shared machine the two differ: compare by the CPU's there."""

    def __init__(self):
        self.wall = self.cpu = 0.0

    def __enter__(self):
        self.wall -= time.perf_counter()
        self.cpu -= time.process_time()
        return self

    def __exit__(self, *_):
        self.wall += time.perf_counter()
        self.cpu += time.process_time()

    def rates(self, words):
        return {
            "words": words,
            "seconds": self.wall,
            "cpu_seconds": self.cpu,
            "words_per_second": words / self.wall,
            "words_per_cpu_second": words / self.cpu,
        }


# ---- data ----------------------------------------------------------------------------------------------------------


def make_docs(vocab, groups, with_entities):
    """One Doc per group of sentences. U+FFFD replaces an empty token, which spaCy cannot hold."""
    from spacy.tokens import Doc, Span

    for group in groups:
        words = [token or conll.EMPTY for s in group for token in s.tokens]
        if not with_entities:
            yield Doc(vocab, words=words)
            continue
        starts = [i == 0 for s in group for i in range(len(s.tokens))]
        doc = Doc(vocab, words=words, sent_starts=starts)
        found, base = [], 0
        for s in group:
            found += [Span(doc, base + a, base + b, label=label) for a, b, label in conll.spans(s.tags)]
            base += len(s.tokens)
        doc.set_ents(found, default="outside")
        yield doc


def convert(corpus, size):
    """train.spacy and dev.spacy, made once, as `spacy convert` does before training."""
    import spacy
    from spacy.tokens import DocBin

    identity = zlib.crc32(repr((corpus.train.resolve(), corpus.dev.resolve(), corpus.columns)).encode())  # two corpora may share a name
    folder = CONVERTED / f"{corpus.name}-n{size}-{identity:08x}"
    folder.mkdir(parents=True, exist_ok=True)
    for split in ("train", "dev"):
        source, target = getattr(corpus, split), folder / f"{split}.spacy"
        if target.exists() and target.stat().st_mtime > source.stat().st_mtime:
            continue
        groups = conll.documents(conll.read(source, corpus.columns), size)
        bin = DocBin(docs=make_docs(spacy.blank("xx").vocab, groups, True), store_user_data=False)
        bin.to_disk(folder / "new")
        (folder / "new").rename(target)
    return folder


def convert_outside(args):
    """Converts in a process of its own, so that its memory does not count as the trainer's."""
    subprocess.run([sys.executable, __file__, "convert", *args.passed], check=True)


# ---- training ------------------------------------------------------------------------------------------------------


class Training:
    """What `spacy train` does, step by step: `steps` yields spaCy's own (batch, info, None where no evaluation was due)."""

    def __init__(self, corpus, size, seed, lang, evaluation=True, batch_words=None):
        from spacy import util
        from spacy.training import loop
        from spacy.training.initialize import init_nlp
        from thinc.api import fix_random_seed

        folder = convert(corpus, size)
        overrides = {
            "paths.train": str(folder / "train.spacy"),
            "paths.dev": str(folder / "dev.spacy"),
            "system.seed": seed,
            "nlp.lang": lang,
        }
        if batch_words:  # the size that the growing batch ends at, from the first step on
            overrides["training.batcher.size.start"] = overrides["training.batcher.size.stop"] = batch_words
        config = util.load_config(CONFIG, overrides=overrides, interpolate=False)
        self.nlp = init_nlp(config)
        config = self.nlp.config.interpolate()
        fix_random_seed(config["training"]["seed"])
        T = util.registry.resolve(config["training"], schema=loop.ConfigSchemaTraining)
        train_corpus, dev_corpus = util.resolve_dot_names(config, [T["train_corpus"], T["dev_corpus"]])
        evaluate = loop.create_evaluation_callback(self.nlp, dev_corpus, T["score_weights"])
        self.evaluating = Clock()

        def timed():
            with self.evaluating:
                return evaluate() if evaluation else (0.0, {})

        self.steps = loop.train_while_improving(
            self.nlp,
            T["optimizer"],
            loop.create_train_batches(self.nlp, train_corpus, T["batcher"], T["max_epochs"]),
            timed,
            dropout=T["dropout"],
            accumulate_gradient=T["accumulate_gradient"],
            patience=T["patience"] if evaluation else 0,
            max_steps=T["max_steps"] if evaluation else 0,
            eval_frequency=T["eval_frequency"],
            exclude=T["frozen_components"],
            annotating_components=T["annotating_components"],
            before_update=T["before_update"],
        )


def tag(nlp, sentences, size):
    """IOB2 tags for each sentence, and how many entities ran over a sentence border (their tail stays I-)."""
    groups = conll.documents(sentences, size)
    result, crossing = [], 0
    for group, doc in zip(groups, nlp.pipe(make_docs(nlp.vocab, groups, False)), strict=True):
        tags = [f"{t.ent_iob_}-{t.ent_type_}" if t.ent_type_ else "O" for t in doc]
        base = 0
        for s in group:
            result.append(tags[base : base + len(s.tokens)])
            crossing += result[-1][0].startswith("I-")
            base += len(s.tokens)
    return result, crossing


# ---- the commands --------------------------------------------------------------------------------------------------


def speed(args):
    """Training rate over slices of a fixed number of words, evaluation excluded; prediction rate over whole passes of the test split."""
    convert_outside(args)
    corpus = args.corpus_files
    batch_words = None if args.batch_words == "schedule" else int(args.batch_words)
    state = {}

    def begin_training():
        training = Training(corpus, args.sentences, args.seeds[0], args.lang, evaluation=False, batch_words=batch_words)
        state["training"], state["seen"] = training, 0
        if args.warm_up:
            train_slice(args.warm_up)

    def train_slice(words):
        begun = state["seen"]
        with Clock() as clock:
            while state["seen"] - begun < words:
                state["seen"] = next(state["training"].steps)[1]["words"]
        return clock.rates(state["seen"] - begun)

    def begin_prediction():
        if args.model:
            import spacy

            state["nlp"] = spacy.load(args.model)
        else:
            if "training" not in state:
                begin_training()
            state["nlp"] = state["training"].nlp
        state["groups"] = conll.documents(conll.read(corpus.test, corpus.columns), args.sentences)
        predict_slice(1)

    def predict_slice(words):
        nlp, done, predicting, making = state["nlp"], 0, Clock(), Clock()
        while done < words:
            with making:
                docs = list(make_docs(nlp.vocab, state["groups"], False))
            with predicting:
                for doc in nlp.pipe(docs, batch_size=args.predict_batch):
                    done += len(doc)
        return predicting.rates(done) | {"seconds_making_docs": making.wall}

    def run(what):
        if what == "train":
            if "training" not in state:
                begin_training()
            fields = train_slice(args.words)
        else:
            if "nlp" not in state:
                begin_prediction()
            fields = predict_slice(args.predict_words)
        say(system="spacy", what=what, corpus=corpus.name, **fields, peak_rss_mib=peak_rss_mib())
        return fields["words_per_second"]

    kinds = ["train", "predict"] if args.what == "both" else [args.what]
    about = {"system": "spacy", "corpus": corpus.name, "lang": args.lang, "sentences_per_doc": args.sentences, "batch_words": args.batch_words, "gemm": args.gemm}
    if args.slices:
        begin_training() if kinds[0] == "train" else begin_prediction()  # prediction after training: at its first slice, so that its memory is not yet in training's peak
        say(what="ready", **about, **machine())
        for line in sys.stdin:
            command = line.strip() or "quit"
            if command in ("go", *kinds):
                run(kinds[0] if command == "go" else command)
            elif command == "quit":
                break
            else:
                conll.fail(f"'{command}': a slice is one of go, {', '.join(kinds)}; quit ends")
        return
    say(what="ready", **about, **machine())
    for kind in kinds:
        rates = [run(kind) for _ in range(args.repeat)]
        say(what=f"{kind} median", **about, words_per_second=statistics.median(rates), slowest=min(rates), fastest=max(rates), peak_rss_mib=peak_rss_mib())


def hashes(corpus):
    return {split: hashlib.sha256(getattr(corpus, split).read_bytes()).hexdigest() for split in ("train", "dev", "test")}


def full(args):
    """One run a seed, each in a process of its own (its peak memory), skipped if its result.json exists."""
    convert_outside(args)
    for seed in args.seeds:
        folder = Path(args.out) / f"{args.corpus_files.name}-n{args.sentences}-seed{seed}"
        done = folder / "result.json"
        if done.exists() and json.loads(done.read_text())["sha256"] == hashes(args.corpus_files):  # else other files of the same name
            say(what="skipped", folder=str(folder))
            continue
        subprocess.run([sys.executable, __file__, "one", *args.passed, "--seeds", str(seed), "--folder", str(folder)], check=True)


def one(args):
    corpus, seed, folder = args.corpus_files, args.seeds[0], Path(args.folder)
    folder.mkdir(parents=True, exist_ok=True)
    initialising, whole, saving, best = Clock(), Clock(), Clock(), None
    with initialising:
        training = Training(corpus, args.sentences, seed, args.lang)
    with open(folder / "log.jsonl", "w") as log, whole:
        for _, info, evaluated in training.steps:
            if evaluated is None:
                continue
            if best is None or info["score"] > best["score"]:  # the earliest of equals, as spaCy's patience counts
                best = {k: info[k] for k in ("score", "step", "words")}
                with saving:
                    training.nlp.to_disk(folder / "model-best")
            line = {k: info[k] for k in ("step", "epoch", "words", "score")} | {"evaluating": training.evaluating.wall}
            log.write(json.dumps(line) + "\n")
            log.flush()
    aside = (training.evaluating, saving)
    seconds = whole.wall - sum(clock.wall for clock in aside)
    cpu = whole.cpu - sum(clock.cpu for clock in aside)
    peak_training = peak_rss_mib()

    import spacy

    nlp = spacy.load(folder / "model-best")
    result = {
        "system": "spacy", "corpus": corpus.name, "lang": args.lang, "seed": seed, "sentences_per_doc": args.sentences, "gemm": args.gemm,
        "steps": info["step"], "epochs": info["epoch"], "words_trained": info["words"], "best": best,
        "seconds": whole.wall, "cpu_seconds": whole.cpu, "seconds_initialising": initialising.wall,
        "seconds_evaluating": training.evaluating.wall, "seconds_saving": saving.wall,
        "training_words_per_second": info["words"] / seconds, "training_words_per_cpu_second": info["words"] / cpu,
        "peak_rss_mib": peak_training, "machine": machine(), "sha256": hashes(corpus),
    }  # fmt: skip
    for split in ("dev", "test"):
        sentences = conll.read(getattr(corpus, split), corpus.columns)
        gold = [s.tags for s in sentences]
        predicted, crossing = tag(nlp, sentences, args.sentences)
        conll.write(folder / f"{split}.gold.conll", sentences, gold)
        conll.write(folder / f"{split}.pred.conll", sentences, predicted)
        result[split] = conll.scores(gold, predicted) | {"entities_over_sentence_borders": crossing}
    (folder / "result.new").write_text(json.dumps(result, indent=1) + "\n")
    (folder / "result.new").rename(folder / "result.json")  # last: the mark of a finished run
    say(what="full", corpus=corpus.name, seed=seed, test_f1=result["test"]["strict"]["f1"], seconds=whole.wall, folder=str(folder))


def report(args):
    """Means over the seeds. The grouping with the better dev score is the one to compare with."""
    runs = {}
    for path in sorted(Path(args.out).glob("*/result.json")):
        r = json.loads(path.read_text())
        runs.setdefault(r["corpus"], {}).setdefault(r["sentences_per_doc"], []).append(r)
    mean = lambda rs, get: statistics.mean(get(r) for r in rs)
    rows = []
    for corpus, by_size in runs.items():
        better = max(by_size, key=lambda n: mean(by_size[n], lambda r: r["dev"]["strict"]["f1"]))
        for size, rs in sorted(by_size.items()):
            f1 = [r["test"]["strict"]["f1"] for r in rs]
            rows.append({
                "corpus": corpus, "sentences_per_doc": size, "better_on_dev": size == better, "seeds": [r["seed"] for r in rs],
                "dev_f1": mean(rs, lambda r: r["dev"]["strict"]["f1"]), "test_f1": statistics.mean(f1), "test_f1_each": f1,
                "test_f1_conlleval": mean(rs, lambda r: r["test"]["conlleval"]["f1"]),
                "seconds": mean(rs, lambda r: r["seconds"]), "words_trained": mean(rs, lambda r: r["words_trained"]),
                "training_words_per_cpu_second": mean(rs, lambda r: r["training_words_per_cpu_second"]), "peak_rss_mib": max(r["peak_rss_mib"] for r in rs),
            })  # fmt: skip
    if args.json:
        print(json.dumps(rows, indent=1))
        return
    print(f"{'corpus':16} {'sents/doc':>9} {'seeds':>5} {'dev F1':>7} {'test F1':>8} {'each seed':20} {'conlleval':>9} {'minutes':>8} {'words':>10} {'words/s':>8} {'MiB':>6}")
    for r in rows:
        each = " ".join(f"{f:.2f}" for f in r["test_f1_each"])
        mark = "*" if r["better_on_dev"] else " "
        print(f"{r['corpus']:16} {r['sentences_per_doc']:8}{mark} {len(r['seeds']):5} {r['dev_f1']:7.2f} {r['test_f1']:8.2f} {each:20} {r['test_f1_conlleval']:9.2f} "
              f"{r['seconds'] / 60:8.1f} {r['words_trained']:10.0f} {r['training_words_per_cpu_second']:8.0f} {r['peak_rss_mib']:6.0f}")  # fmt: skip
    print("* the grouping with the better dev F1. F1: entities, micro, strict (seqeval, IOB2), mean of the seeds. words/s: of CPU time, while training.")


def counts(args):
    for split in ("train", "dev", "test"):
        sentences = conll.read(getattr(args.corpus_files, split), args.corpus_files.columns)
        say(split=split, sentences=len(sentences), tokens=sum(len(s.tokens) for s in sentences),
            entities=sum(len(conll.spans(s.tags)) for s in sentences), longest=max(len(s.tokens) for s in sentences),
            empty_tokens=sum(t == "" for s in sentences for t in s.tokens))  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["speed", "full", "report", "counts", "convert", "one"], help="convert and one are steps of the others")
    which = parser.add_argument_group("corpus")
    which.add_argument("--corpus", choices=list(conll.KNOWN), help="by name, from the folder ENTRAIN_DATA")
    for split in ("train", "dev", "test"):
        which.add_argument(f"--{split}", type=Path, help="a file of your own, IOB2")
    which.add_argument("--name", default="own", help="what to call files of your own in the results")
    which.add_argument("--token-column", type=int, default=0)
    which.add_argument("--tag-column", type=int, default=-1, help="-1: the last")
    which.add_argument("--comments", action="store_true", help="lines that start with # are comments")
    which.add_argument("--lang", help="spaCy's language; default: the corpus's, en for files of your own")
    parser.add_argument("--sentences", type=int, default=10, help="sentences a Doc; 10 is what `spacy convert` recommends")
    parser.add_argument("--seeds", default="0", type=lambda s: [int(x) for x in s.split(",")])
    parser.add_argument("--cpu", type=int, help="run on this CPU only")
    parser.add_argument("--gemm", choices=["wheel", "numpy"], default="wheel", help="the matrix products: BLIS as pip installs it, or numpy's OpenBLAS")
    one_run = parser.add_argument_group("speed")
    one_run.add_argument("--what", choices=["train", "predict", "both"], default="both")
    one_run.add_argument("--slices", action="store_true", help="one slice for each line on stdin")
    one_run.add_argument("--repeat", type=int, default=5, help="slices, without --slices")
    one_run.add_argument("--words", type=int, default=60000, help="words of a training slice")
    one_run.add_argument("--warm-up", type=int, default=20000, help="words trained before the first slice")
    one_run.add_argument("--batch-words", default="schedule", help="'schedule' (100 growing to 1000, as configured) or a fixed number")
    one_run.add_argument("--predict-words", type=int, default=60000, help="whole passes of the test split, at least so many words")
    one_run.add_argument("--predict-batch", type=int, help="Docs a batch of nlp.pipe; default: the configuration's, 1000")
    one_run.add_argument("--model", help="a trained folder to predict with; default: the model just warmed up")
    parser.add_argument("--out", default=str(RESULTS), help="full, report: folder of the results")
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="report: JSON in place of a table")
    args = parser.parse_args()
    args.passed = sys.argv[2:]
    if args.cpu is not None:
        os.sched_setaffinity(0, {args.cpu})
    if args.command in ("speed", "one"):
        use_gemm(args.gemm)
    if args.command != "report":
        if args.corpus:
            args.corpus_files = conll.known(args.corpus)
        elif args.train and args.dev and args.test:
            columns = conll.Columns(args.token_column, args.tag_column, args.comments)
            args.corpus_files = conll.Corpus(args.name, args.lang or "en", columns, args.train, args.dev, args.test)
        else:
            conll.fail("no corpus; name one with --corpus, or give all of --train, --dev and --test")
        args.lang = args.lang or args.corpus_files.lang
    globals()[args.command if args.command != "convert" else "convert_command"](args)


def convert_command(args):
    convert(args.corpus_files, args.sentences)


if __name__ == "__main__":
    main()
