#!/usr/bin/env bash
# Times only the CRF's chain at 9, 33, 155 and 2,001 tags: microseconds a token, forward, backward and decoding.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ -f build/default/build.ninja ] || cmake --preset default >/dev/null
ninja -C build/default --quiet crf_chain >&2
mkdir -p bench/results
build/default/bin/crf_chain | tee bench/results/crf.txt
