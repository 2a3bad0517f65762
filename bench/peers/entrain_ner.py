"""Trains examples/01_first_tagger to the end, seed by seed, and compares it with spaCy's finished runs.

    entrain_ner.py CORPUS SEEDS TRAIN DEV TEST      finished runs are not repeated

Writes bench/results/ner-CORPUS-f1.json: strict F1 on dev and test, CPU seconds and peak memory of the whole
program (reading, training, evaluating, saving). Called by bench/ner.sh --full.
"""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
corpus, seeds, train, dev, test = sys.argv[1:]
out = ROOT / "build" / "bench-ner"
out.mkdir(parents=True, exist_ok=True)
program = ROOT / "build" / "default" / "bin" / "ner_light"
commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()

ours = []
for seed in seeds.split(","):
    kept = out / f"{corpus}-seed{seed}.json"
    if not kept.exists():
        command = [program, "train", "--quiet", "--json", "--threads", "1", "--seed", seed, "--train", train, "--dev", dev,
                   "--test", test, "--overwrite", "--output", out / f"{corpus}-seed{seed}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            said = json.loads(process.stdout.read())
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"entrain_ner: seed {seed}: exit code {process.returncode}")
        said |= {"cpu_seconds": usage.ru_utime + usage.ru_stime, "peak_rss_mib": usage.ru_maxrss / 1024, "commit": commit}
        kept.write_text(json.dumps(said) + "\n")
    run = json.loads(kept.read_text())
    ours.append({"seed": int(seed), "dev_f1": 100 * run["best_dev_f1"], "test_f1": 100 * run["test"]["strict"]["micro"]["f1"],
                 "cpu_seconds": run["cpu_seconds"], "peak_rss_mib": run["peak_rss_mib"], "commit": run["commit"]})  # fmt: skip

theirs = []
for path in sorted((ROOT / "build" / "peers-results").glob(f"{corpus}-n*/result.json")):
    run = json.loads(path.read_text())
    theirs.append({"seed": run["seed"], "sentences_per_doc": run["sentences_per_doc"], "dev_f1": run["dev"]["strict"]["f1"],
                   "test_f1": run["test"]["strict"]["f1"], "cpu_seconds": run["cpu_seconds"], "peak_rss_mib": run["peak_rss_mib"]})  # fmt: skip

mean = lambda runs: statistics.mean(r["test_f1"] for r in runs) if runs else None
result = {"corpus": corpus, "entrain_mean_test_f1": mean(ours), "spacy_mean_test_f1": mean(theirs), "entrain": ours, "spacy": theirs}
(ROOT / "bench" / "results" / f"ner-{corpus}-f1.json").write_text(json.dumps(result, indent=1) + "\n")
for name, runs in (("entrain", ours), ("spaCy", theirs)):
    print(f"{corpus}: {name}: strict test F1 {' '.join('%.2f' % r['test_f1'] for r in runs)}, mean {mean(runs) or 0:.2f}")
