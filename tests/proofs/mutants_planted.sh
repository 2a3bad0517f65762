#!/usr/bin/env bash
# scripts/mutate/mutate.sh must notice tests that notice nothing: a small tree with one kernel, whose test is strong, then weak,
# then wrong, then gone.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place"/tree/{include/entrain/{kernel/planted,layer},tests/{kernel,proofs}}
export MUTATE_ROOT=$place/tree MUTATE_DIR=$place/work
cd "$place/tree"
cp "$here/tests/main.cpp" tests
touch tests/proofs/mutants_justified.txt
cat >include/entrain/kernel/planted/cpu.hpp <<'END'
#pragma once
inline int planted(const int* x, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return n < 2 ? sum : sum + n;
}
END
test_is() { # CHECK ...
  { printf '#include "entrain/kernel/planted/cpu.hpp"\n#include <doctest/doctest.h>\n'
    printf 'TEST_CASE("planted") {\n  const int x[] = {3, -4, 5, 7};\n'
    printf '  CHECK(%s);\n' "$@"
    echo '}'; } >tests/kernel/planted_test.cpp
}
expect() { # CODE SENTENCE OPTIONS ...
  local code=0
  "$here/scripts/mutate/mutate.sh" "${@:3}" >"$place/said" 2>&1 || code=$?
  if [ $code != "$1" ] || ! grep -qF -- "$2" "$place/said"; then
    echo "mutants_planted: exit code $code, expected $1 and: $2"; cat "$place/said"; exit 1
  fi
}
expect 1 'mutate: no test includes include/entrain/kernel/planted/cpu.hpp'
test_is 'planted(x, 3) == 53' 'planted(x, 0) == 0' 'planted(x, 1) == 9' 'planted(x, 2) == 27'
expect 0 '8 of 8 killed'
test_is 'planted(x, 3) >= 0'
expect 1 'survived: include/entrain/kernel/planted/cpu.hpp:5: return n < 2 ? sum : sum;'
sed -i 's,sum + n;$,& // mutant 7,' include/entrain/kernel/planted/cpu.hpp
echo '7: + n is dropped: said so' >tests/proofs/mutants_justified.txt
expect 1 '1 justified'
echo '7: < becomes <=: said so' >>tests/proofs/mutants_justified.txt
expect 1 '2 justified'
echo '8: < becomes <=: said so' >tests/proofs/mutants_justified.txt
expect 2 'tests/proofs/mutants_justified.txt:1: found no mutant with this name'
: >tests/proofs/mutants_justified.txt
test_is 'planted(x, 3) == 54'
expect 2 'tests/kernel/planted_test.cpp fails without any mutant'
