#!/usr/bin/env bash
# Runs the modules' tests with another preset: another compiler, or a sanitizer.
#
#   scripts/check/suite.sh PRESET [MODULE ...]     PRESET of CMakePresets.json; without modules, all of them
#
# `starved` is one of the modules: the tests of `app` that measure which thread waits for which.
set -euo pipefail
preset=${1:?which preset, as in scripts/check/suite.sh sanitize}
shift
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cmake --preset "$preset" >/dev/null

targets=() only=()
for module in "$@"; do targets+=("test_${module/#starved/app}"); done
if [ $# = 0 ]; then targets=(modules); else only+=(-R "^($(IFS='|'; echo "$*"))\$"); fi
ninja -C "build/$preset" -j "${JOBS:-$(nproc)}" --quiet "${targets[@]}"
export ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1
ctest --test-dir "build/$preset" -j "${JOBS:-$(nproc)}" --output-on-failure -L module "${only[@]}"
