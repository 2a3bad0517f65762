#!/usr/bin/env bash
# The parts of tests/extending are each in a folder of their own and need at most one line of registration: nothing else names them. Prints
# what each adds.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
failures=0
fail() { echo "FAIL $*"; failures=$((failures + 1)); }

# alone FOLDER REGISTRATION NAME ...: NAME occurs in tests/extending/FOLDER and in REGISTRATION, a line of tests/extending/CMakeLists.txt; empty: none
alone() {
  local folder=$1 line=$2 name found
  for name in "${@:3}"; do
    grep -rqE "$name" "tests/extending/$folder" || fail "$folder: found no $name in it, expected the part's name"
    found=$(grep -rnE "$name" include src cmake dev examples || true)
    [ -z "$found" ] || fail "$folder: found $name in $found, expected it in its folder only"
  done
  if [ -n "$line" ]; then
    [ "$(grep -cF "$line" tests/extending/CMakeLists.txt)" = 1 ] || fail "$folder: expected the line '$line' once in tests/extending/CMakeLists.txt"
  fi
  printf '%s: %s files, %s lines without its test; registration: %s\n' "$folder" "$(find "tests/extending/$folder" -name '*.hpp' | wc -l)" \
    "$(cat "tests/extending/$folder"/*.hpp | wc -l)" "${line:-none}"
}
alone rating '' 'namespace rating' 'rating::(Head|Task)'
alone family 'entrain_add_family(family/toy.hpp)' 'namespace toy' 'toy::'
alone tokenizer '' 'namespace bytes' 'bytes::Tokenizer'
echo "extending: $failures failed"
[ $failures = 0 ]
