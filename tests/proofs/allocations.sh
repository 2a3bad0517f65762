#!/usr/bin/env bash
# A training step takes no memory after warm-up, on the embedded corpus and on wnut17; each way to take some, planted,
# is noticed.
#
#   tests/proofs/allocations.sh PROGRAM      tests/proofs/allocations.cpp, compiled
set -euo pipefail
program=${1:?which program, as in tests/proofs/allocations.sh build/default/tests/proof_allocations}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
said=$(mktemp)
trap 'rm -f "$said"' EXIT
failures=0

corpora=(examples/data/train.conll)
if [ -n "${ENTRAIN_DATA:-}" ]; then corpora+=("$ENTRAIN_DATA/wnut17/train.conll"); else echo "skipped: ENTRAIN_DATA is not set"; fi
for corpus in "${corpora[@]}"; do
  if "$program" "$corpus" >"$said"; then
    echo "allocations: $(basename "$(dirname "$corpus")"): $(cat "$said")"
  else # addresses in our program become file:line
    failures=1
    while IFS= read -r line; do
      case $line in
        "$program"*\(+0x*) addr2line -Cpe "$program" "$(sed 's/.*(+\(0x[0-9a-f]*\)).*/\1/' <<<"$line")" ;;
        *) echo "$line" ;;
      esac
    done <"$said"
  fi
done

for way in malloc calloc realloc aligned_alloc posix_memalign new aligned_new mmap worker; do
  "$program" examples/data/train.conll "$way" >"$said" && { echo "allocations: planted $way was not noticed"; failures=1; }
  grep -q ': 1 allocations$' "$said" || { echo "allocations: planted $way: $(head -n 1 "$said")"; failures=1; }
done
exit $failures
