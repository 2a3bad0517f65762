#!/usr/bin/env bash
# Loaders whose samples take time, sleeping or computing: wall time compared with the ideal, and workers = auto compared with fixed numbers.
#
#   ./dev bench loader_delays [SHARE]
#
# SHARE of the samples (1: all). The ideal is the delay as measured in the same run, times samples, divided by workers. Then the same on one
# core. Writes bench/results/loader_delays.json, a line per measurement.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
share=${1:-1}
data=${ENTRAIN_DATA:?bench loader_delays: set ENTRAIN_DATA to the folder of corpora (docs/benchmarks.md)}
[ -f build/default/build.ninja ] || cmake --preset default >/dev/null
ninja -C build/default --quiet loader_delays >&2
program=build/default/bin/loader_delays
{
  $program delays "$share"
  $program auto "$data/bert-uncased/vocab.txt" "$data"/text/*.txt
  if command -v taskset >/dev/null; then taskset -c 0 $program delays "$share" | sed 's/^{/{"cores":1,/'; fi
} | tee bench/results/loader_delays.json
