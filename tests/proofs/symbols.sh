#!/usr/bin/env bash
# Nothing is decided at run time: no virtual function of ours but those of exceptions, no std::function around a
# callable of ours outside app/ (where the command-line library asks for some).
#
#   tests/proofs/symbols.sh PROGRAM      an unstripped program at -O2. Exit code 1 names each symbol that should not be
set -euo pipefail
program=${1:?which program, as in tests/proofs/symbols.sh build/default/bin/ner_light}
names=$(nm -C --defined-only "$program" | sed 's/^[0-9a-f]* . //')
[ -n "$names" ] || { echo "symbols: $program has none; it was stripped"; exit 1; }
grep -q '^entrain::' <<<"$names" || { echo "symbols: $program has nothing of entrain in it"; exit 1; }

bad=$(
  grep '^vtable for entrain::' <<<"$names" | grep -vxE 'vtable for entrain::(Error|app::WrongUsage|train::NoRoom)' || true
  # a handler's name holds its signature, then its callable: std::_Function_handler<R (...), CALLABLE>::_M_invoke
  grep '^std::_Function_handler<' <<<"$names" | grep 'entrain::' | grep -v 'entrain::app::' || true
)
[ -z "$bad" ] || { printf 'symbols: %s\n' "$bad"; exit 1; }
echo "symbols: $(wc -l <<<"$names") looked at in $(basename "$program"), no dispatch of ours"
