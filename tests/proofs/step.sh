#!/usr/bin/env bash
# In the machine code of the training step every call and jump has its target written in it: no virtual call, no
# function pointer, no jump table. Planted ones are found.
#
#   tests/proofs/step.sh PROGRAM      tests/proofs/step.cpp, compiled at -O2, unstripped
set -euo pipefail
program=${1:?which program, as in tests/proofs/step.sh build/default/tests/proof_step}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# What may be: FUNCTION, a regular expression over demangled names, and the reason.
allowed=(
  '^entrain::device::Pool::work\(' 'a worker calls the task it was given: the one call of the pool'
)

walk() { # ROOTS: indirect calls and jumps from there, names demangled
  objdump -d --no-show-raw-insn "$program" | awk -v roots="$1" -f "$here/walk.awk" | c++filt
}
not_allowed() {
  local found=$1
  for ((i = 0; i < ${#allowed[@]}; i += 2)); do found=$(grep -vE "${allowed[i]}" <<<"$found" || true); done
  printf '%s' "$found"
}

failures=0
for planted in 'proof_virtual:call' 'proof_switch:jmp'; do
  found=$(walk "^${planted%%:*}\$")
  [ -n "$(not_allowed "$found" | awk -F '\t' -v kind="${planted##*:}" 'index($2, kind) == 1')" ] ||
    { echo "step: what was planted in ${planted%%:*} was not found"; failures=1; }
done

# The step, and what the pool's workers run. Tasks are found where their addresses are taken.
found=$(walk '^proof_accumulate$ ^proof_update$ Pool.*_M_run')
bad=$(not_allowed "$found")
if [ -n "$bad" ]; then
  echo "step: calls or jumps whose targets are not in the code:"
  sort -u <<<"$bad"
  failures=1
fi
[ "$(grep -cE "${allowed[0]}" <<<"$found")" = 1 ] || { echo "step: expected one call of the task in Pool::work"; failures=1; }
[ $failures = 0 ] && echo "step: every target is in the code, but for the pool's one call of its task"
exit $failures
