#!/usr/bin/env python
"""tokenizers as the peer of entrain's tokenizers: ids and offsets of every line of some files, on one thread.

    hf_tokenizers.py TOKENIZER.JSON FILE ...

Answers each line on stdin with one line of JSON after a pass over the lines, and ends at 'quit', as bench/slices/turns.sh requires. It
has no cache, so every pass is the same. Only encode_batch is timed, which also finds offsets in code points;
its input is a list of strings, and its results are counted, not read. Needs the virtual environment of `setup.sh torch`.
"""

import os
import sys
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RAYON_NUM_THREADS"] = "1"

import tokenizers

from slices import peak_rss_mib, say

BATCH = 1000  # lines in a call

tokenizer = tokenizers.Tokenizer.from_file(sys.argv[1])
tokenizer.no_padding()
tokenizer.no_truncation()
lines = [line for path in sys.argv[2:] for line in open(path, encoding="utf-8", newline="").read().split("\n")]
batches = [lines[first : first + BATCH] for first in range(0, len(lines), BATCH)]
say(what="ready", system=f"tokenizers {tokenizers.__version__}", lines=len(lines))
for what in map(str.strip, sys.stdin):
    if what == "quit":
        break
    pieces, seconds, processor = 0, 0.0, 0.0
    for batch in batches:
        began, began_processor = time.perf_counter(), time.process_time()
        encoded = tokenizer.encode_batch(batch, add_special_tokens=False)
        seconds += time.perf_counter() - began
        processor += time.process_time() - began_processor
        pieces += sum(map(len, encoded))
    say(system="tokenizers", what=what, pieces=pieces, seconds=round(seconds, 4), pieces_per_second=pieces / seconds,
        pieces_per_cpu_second=pieces / processor, peak_rss_mib=peak_rss_mib())
