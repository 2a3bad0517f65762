#!/usr/bin/env bash
# Compares the kernels of include/ (scripts/gpu/list_kernels.sh) with those that were launched; the two sets must be equal. Names each kernel
# that no test launches. Also names each launched kernel that the list does not know, because no check would require it otherwise.
#
#   scripts/gpu/compare_launched.sh CHECK FILE [ROOT]     CHECK: name in messages; FILE: a launched kernel's demangled name a line; ROOT holds
#                                                     include (default: this repository)
#
# A name's template arguments are left out. If the type of a kernel's first parameter is one of its template arguments, it is a functor, and
# counts as a kernel too. Kernels outside of entrain, and of its tests, are ignored.
set -euo pipefail
check=${1:?which check} file=$(realpath "${2:?which file}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
listed=$(scripts/gpu/list_kernels.sh ${3:+"$3"})
launched=$(awk '
  function last(name) { while (gsub(/<[^<>]*>/, "", name)) {} sub(/.*::/, "", name); return name }
  {
    sub(/^void /, "")
    if (!/^entrain::/ || /^entrain::test::/) next
    at = match($0, /[<(]/)
    print last(substr($0, 1, at - 1))
    for (depth = 0; at <= length($0); ++at) {  # to the bracket that opens the parameters
      c = substr($0, at, 1)
      if (c == "(" && depth == 0) break
      depth += (c == "<" || c == "(") - (c == ">" || c == ")")
    }
    made_for = substr($0, 1, at - 1)
    for (first = ++at; at <= length($0); ++at) {
      c = substr($0, at, 1)
      if (depth == 0 && (c == "," || c == ")")) break
      depth += (c == "<" || c == "(") - (c == ">" || c == ")")
    }
    taken = substr($0, first, at - first)
    if (taken ~ /^entrain::.*[A-Za-z0-9>]$/ && index(made_for, taken)) print last(taken)
  }' "$file" | sort -u)
missing=$(comm -23 <(echo "$listed") <(echo "$launched"))
unlisted=$(comm -13 <(echo "$listed") <(echo "$launched"))
[ -z "$missing" ] || echo "$check: no test launches:" $missing
[ -z "$unlisted" ] || echo "$check: launched, but scripts/gpu/list_kernels.sh does not find:" $unlisted
[ -z "$missing$unlisted" ] || exit 1
echo "$(wc -l <<<"$listed") kernels and functors, all of them launched"
