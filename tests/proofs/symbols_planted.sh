#!/usr/bin/env bash
# symbols.sh finds a planted virtual function and a planted std::function, and is content without them.
#
#   tests/proofs/symbols_planted.sh CLEAN VIRTUAL FUNCTION      tests/proofs/planted_symbols.cpp, compiled three times
set -u
check=$(dirname "${BASH_SOURCE[0]}")/symbols.sh
"$check" "$1" || exit 1
"$check" "$2" | grep -q 'vtable for entrain::layer::Any' || { echo "symbols: a planted virtual function was not found"; exit 1; }
"$check" "$3" | grep -q '_Function_handler<.*entrain::layer::Twice' || { echo "symbols: a planted std::function was not found"; exit 1; }
