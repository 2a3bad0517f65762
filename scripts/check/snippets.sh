#!/usr/bin/env bash
# Every C++ block of docs/extending, docs/questions and docs/training-loop.md is part of a file that CI compiles. The line before a block names the file:
# <!-- examples/10_own_parts/lion.hpp -->
#
#   scripts/check/snippets.sh [FILE ...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
files=("$@")
[ $# != 0 ] || files=(docs/extending/*.md docs/questions/*.md docs/training-loop.md)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0 failed=0
for file in "${files[@]}"; do
  rm -f "$work"/*
  awk -v work="$work" '
    /^```cpp$/ { inside = 1; ++n; name = work "/" n; print (before ~ /^<!-- [^ ]+ -->$/ ? substr(before, 6, length(before) - 9) : "") > (name ".of"); printf "" > name; next }
    /^```$/ { inside = 0 }
    inside { print > name }
    { before = $0 }' "$file"
  for block in "$work"/*.of; do
    [ -e "$block" ] || continue
    count=$((count + 1))
    of=$(cat "$block") text=$(cat "${block%.of}")
    if [ -z "$of" ]; then
      echo "snippets: $file: no <!-- FILE --> in the line before: $(head -n 1 "${block%.of}")"
    elif [ ! -e "$of" ]; then
      echo "snippets: $file: $of is not there"
    elif [[ "$(cat "$of")" != *"$text"* ]]; then
      echo "snippets: $file: this is not in $of as it is here: $(head -n 1 <<<"$text")"
    else
      continue
    fi
    failed=$((failed + 1))
  done
done
[ $count != 0 ] || { echo "snippets: no C++ block in ${files[*]}"; exit 1; }
[ $failed = 0 ] || exit 1
echo "snippets: $count blocks, each is in the file that it names"
