#!/usr/bin/env bash
# What `./dev gpu bench --stage finetune` says of a number and its bar: of steps that a program only pretends to have measured.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1 work
failures=0
for model in minilm-l6 bert-base small; do
  cat >"$work/finetune-$model" <<'END'
#!/usr/bin/env bash
echo "{\"pieces_per_step\": 685, \"pieces_per_second\": 1e6, \"ms_per_step\": $(cat "$work/ms"), \"idle_share\": $(cat "$work/idle")}"
END
  chmod +x "$work/finetune-$model"
done
expect() { # MS IDLE CARD SENTENCE [OPTIONS]: of 32 sentences a step of MiniLM, or as small as in a rehearsal
  echo "$1" >"$work/ms"
  echo "$2" >"$work/idle"
  rm -rf "$work/out" && mkdir "$work/out"
  python3 "$root/bench/gpu/stages.py" finetune --out "$work/out" --programs "$work" --data "$work/data" --about "card=$3" "${@:5}" >"$work/said" 2>&1 ||
    { echo "FAIL the stage"; failures=$((failures + 1)); }
  grep -E '^(minilm-l6|small), sentences:[0-9]*, measured' "$work/said" | grep -qF -- "$4" ||
    { echo "FAIL expected: $4"; cat "$work/said"; failures=$((failures + 1)); }
}
h200="NVIDIA H200" # the floor of such a step is 0.131 ms
expect 0.5 0.005 "$h200" "idle for 0.005 of it (bar 0.01: reached); 0.26 of the floor (bar 0.25: reached; stretch 1: missed)"
expect 0.6 0.012 "$h200" "idle for 0.012 of it (bar 0.01: missed); 0.22 of the floor (bar 0.25: missed; stretch 1: missed)"
expect 0.12 0 "$h200" "idle for 0.000 of it (bar 0.01: reached); 1.09 of the floor (bar 0.25: reached; stretch 1: reached)"
expect 0.5 0.01 "another card" "idle for 0.010 of it (bar 0.01: missed); 0.26 of the floor"
no_word() { ! grep -qE "$1" "$work/said" || { echo "FAIL $2 has a verdict"; failures=$((failures + 1)); }; }
no_word 'bar 0\.[2-9]|stretch' "by the floor, another card"
expect 0.5 0.5 none "idle for 0.500 of it; 0.00 of the floor" --tiny
no_word 'bar|stretch' "a rehearsal"

echo "bars: $failures failed"
[ $failures = 0 ]
