#!/usr/bin/env bash
# Every C++ block of README.md is a whole program: it compiles unchanged, without a warning.
#
#   scripts/check/readme.sh [COMPILER]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk -v work="$work" '
  /^```cpp$/ { inside = 1; file = work "/block" ++blocks ".cpp"; next }
  /^```$/ { inside = 0 }
  inside { print > file }' README.md
count=0
for block in "$work"/block*.cpp; do
  "${1:-g++}" -std=c++20 -fsyntax-only -march=native -Iinclude -isystem /usr/include/eigen3 -DENTRAIN_COMPILED -Wall -Wextra "$block" ||
    { echo "readme: a program in README.md does not compile"; exit 1; }
  count=$((count + 1))
done
[ $count -gt 0 ] || { echo "readme: README.md has no program"; exit 1; }
echo "readme: $count programs compile"
