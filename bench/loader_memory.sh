#!/usr/bin/env bash
# Memory of the loader while five gigabytes go through it in a pipe, with nothing stored on a disk.
#
#   ./dev bench loader_memory [BYTES] [WORKERS]
#
# Appends a line to bench/results/loader_memory.json: the memory after six seconds, and the most and the least after that.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bytes=${1:-5000000000} workers=${2:-1}
[ -f build/default/build.ninja ] || cmake --preset default >/dev/null
ninja -C build/default --quiet loader_memory >&2
line=$(build/default/bin/loader_memory make "$bytes" | build/default/bin/loader_memory read "$workers")
echo "${line%\}},\"bytes\":$bytes,\"workers\":$workers,\"commit\":\"$(git rev-parse --short HEAD)\"}" | tee -a bench/results/loader_memory.json
