#!/usr/bin/env bash
# Times the products of MiniLM and BERT-base alone, forward and both gradients, in bf16 and fp32, beside oneDNN's bf16 matmul.
#
#   ./dev bench products [ROWS [THREADS]]      800 rows and one thread unless named
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. bench/slices/processor.sh
[ -f build/default/build.ninja ] || cmake --preset default >/dev/null
ninja -C build/default --quiet bench_products >&2
mkdir -p bench/results
{
  echo "# $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(g++ --version | head -n 1), commit $(git rev-parse --short HEAD)"
  build/default/bin/bench_products "$@"
} | tee "bench/results/products${kind:--other}.txt"
