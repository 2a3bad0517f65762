#!/usr/bin/env bash
# Finds layers, heads, embeddings and encoders whose docstring lacks their shapes, and optimizer rules whose docstring has neither a formula nor
# the rule that they change. Prints file:line of each. Contracts and specialisations need none.
#
#   scripts/check/docstrings.sh [ROOT]     ROOT has include/entrain (default: this repository)
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
{ ls include/entrain/{layer,head,embed,encode}/*.hpp include/entrain/optim/rules.hpp 2>/dev/null || true; } | grep -vE '/(contract|nothing)\.hpp' | xargs awk '
  # the parts that a program composes: templates whose parameters are layers or widths, and rules
  function is_part(line) { return line ~ /^(template <.*> )?struct [A-Za-z]+( |;|$)/ }
  FNR == 1 { text = ""; files++; inside = 0 }
  /^namespace detail/ { inside = 1 }
  /^}  \/\/ namespace detail/ { inside = 0 }
  /^\/\/\// { text = text "\n" $0; next }
  /^template <.*>$/ { next }  # the struct is in the next line
  /^template <.*,$/ { open = 1; next }  # or after more lines of parameters
  open { open = !/>$/; next }
  {
    name = $0; sub(/.*struct /, "", name); sub(/[ ;:{].*/, "", name)
    rules = FILENAME ~ /rules\.hpp$/
    named = name !~ /Config$/ && name != "Knobs" && name != "RuleOf" && !inside
    if (is_part($0) && named && !described[FILENAME, name]++) {
      parts++
      if (!rules && text !~ /\/ shapes  /) { print FILENAME ":" FNR ": found no shapes in the docstring of " name; violations++ }
      if (rules && text !~ / = |The rule of Inner/) { print FILENAME ":" FNR ": found no formula in the docstring of " name; violations++ }
    }
    text = ""
  }
  END {
    if (!violations) print "docstrings: " parts " parts in " files " files, no violation"
    exit violations > 0
  }'
