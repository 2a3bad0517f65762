#!/usr/bin/env bash
# Runs the modules' tests with another preset: another compiler, or a sanitizer.
#
#   scripts/check/suite.sh PRESET [ROOM ...]     PRESET of CMakePresets.json; ROOM: a module; without it, all of them
set -euo pipefail
preset=${1:?which preset, as in scripts/check/suite.sh sanitize}
shift
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cmake --preset "$preset" >/dev/null

targets=() only=()
for module in "$@"; do targets+=("test_$module"); done
if [ $# = 0 ]; then targets=(modules); else only=(-R "^($(IFS='|'; echo "$*"))\$"); fi
ninja -C "build/$preset" -j "${JOBS:-$(nproc)}" --quiet "${targets[@]}"
export ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1
ctest --test-dir "build/$preset" -j "${JOBS:-$(nproc)}" --output-on-failure -L module "${only[@]}"
