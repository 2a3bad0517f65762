#!/usr/bin/env bash
# The embedding model of question 4 and the loop of question 5, compared with Keras and torch as published, and with the ideal, in turn.
#
#   ./dev bench samples [RUNS]
#
# Seconds of an epoch; RUNS (5) of each, one after another, then the medians. Of two epochs the second counts: the first one of Keras
# also traces the model. The ideal is the delays alone on 8 threads (slices/sample_delays.cpp), in the same turn. Writes
# bench/results/samples.json, a line per measurement and one per median; "load" is the machine's load when the bench began.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
runs=${1:-5}
[ -f build/default/build.ninja ] || cmake --preset default >/dev/null
ninja -C build/default --quiet embedding_model plain_loop sample_delays >&2
for peer in keras torch; do [ -x build/venv-$peer/bin/python ] || sh bench/peers/setup.sh $peer >&2; done
bin=build/default/bin out=bench/results/samples.json
load=$(cut -d' ' -f1 /proc/loadavg)

say() { # say WHAT SYSTEM SECONDS
  echo "{\"what\":\"$1\",\"system\":\"$2\",\"seconds\":$3}" | tee -a $out
}
second_epoch() { awk '/^epoch 1/ { first = $5 } /^epoch 2/ { print $5 - first }' ; }
keras() { build/venv-keras/bin/python -P bench/peers/keras_embedding.py "$1" 2>/dev/null | sed -n 's/.*"epochs": \[[^,]*, \([0-9.]*\)\].*/\1/p'; }
torch() { build/venv-torch/bin/python -P bench/peers/torch_loop.py "$@" 2>/dev/null | sed -n 's/.*"seconds": \([0-9.]*\).*/\1/p'; }
loop() { $bin/plain_loop "$@" | sed -n 's/.* steps in \([0-9.]*\) s/\1/p'; }

export PYTHONPATH=bench/peers
: >$out
for _ in $(seq "$runs"); do
  for program in a b c; do
    say "embedding $program" entrain "$($bin/embedding_model $program | second_epoch)"
    say "embedding $program" keras "$(keras $program)"
  done
  say "embedding c, 8 workers" entrain "$($bin/embedding_model c 8 | second_epoch)"
  say "embedding c, 8 workers" ideal "$($bin/sample_delays 10000 1000 8)"
  for batch in 128 256; do
    say "loop $batch, no delay" entrain "$(loop $batch 0)"
    say "loop $batch, no delay" torch "$(torch $batch 0 8)"
    # Published are 8 workers; fewer threads than torch's default are faster on few cores.
    say "loop $batch, no delay, 1 thread, no workers" torch "$(OMP_NUM_THREADS=1 torch $batch 0 0)"
  done
  say "loop 128, 100 us" entrain "$(loop 128 100)"
  say "loop 128, 100 us, 8 workers" entrain "$(loop 128 100 8)"
  say "loop 128, 100 us, 8 workers" torch "$(torch 128 100 8)"
  say "loop 128, 100 us, 8 workers" ideal "$($bin/sample_delays 50000 100 8)"
done
python3 - $out "$load" "$(nproc)" <<'PY'
import collections, json, statistics, sys

lines = [json.loads(line) for line in open(sys.argv[1])]
seconds = collections.defaultdict(list)
for line in lines:
    seconds[line["what"], line["system"]].append(line["seconds"])
with open(sys.argv[1], "a") as out:
    for (what, system), all_of in seconds.items():
        line = json.dumps({"median": what, "system": system, "seconds": statistics.median(all_of), "runs": len(all_of),
                           "load": float(sys.argv[2]), "cores": int(sys.argv[3])})
        print(line)
        print(line, file=out)
PY
