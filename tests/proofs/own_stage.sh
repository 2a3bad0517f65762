#!/usr/bin/env bash
# A source and a stage of one's own are whole in 15 lines, are in docs/data-pipeline.md as they are in the example,
# and the program that composes them learns.
#
#   tests/proofs/own_stage.sh PROGRAM
set -euo pipefail
program=${1:?which program, as in tests/proofs/own_stage.sh build/default/bin/own_stage}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
own=examples/11_own_stage/own.hpp docs=docs/data-pipeline.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "own_stage: $1"; exit 1; }

for name in Bracketed MadeUp OneKind; do
  sed -n "/struct $name/,/^};/p" "$own" >"$work/$name"
  lines=$(wc -l <"$work/$name")
  [ "$lines" -gt 1 ] || fail "$own: no struct $name"
  [ "$lines" -le 15 ] || fail "$own: $name has $lines lines, expected 15 at most"
  sed -n "/struct $name/,/^};/p" "$docs" | cmp -s - "$work/$name" || fail "$docs: $name is not what $own has"
done

"$program" >"$work/said" || { cat "$work/said"; fail "the program failed, or learned nothing"; }
grep -q '^step 400: F1 of names in reviews 0\.[6-9]' "$work/said" || { cat "$work/said"; fail "names are not found"; }
grep -q '^  line 2: \[Pelle Lindgren\] \[Porto\]$' "$work/said" || { cat "$work/said"; fail "made-up names are not found"; }
echo "own_stage: 15 lines each, and it learns"
