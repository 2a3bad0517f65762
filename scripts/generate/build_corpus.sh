#!/bin/sh
# Turns examples/data/source/*.txt into train.conll, dev.conll and test.conll.
#
#   scripts/generate/build_corpus.sh [DATA [OUT]]     DATA holds source/, OUT receives the three files (default: DATA)
#
# Source: one sentence a line, one space between tokens, an entity written as [TYPE token token].
# Blank lines and comments (`#`, or `# ` and any text) are skipped. Output: `token TAB tag`, IOB2, a blank line after each sentence.
#
# Split: sentences are counted from 1 in each source file. A number that ends in 4 goes to dev, in 7 or 0 to test, any other to train. So
# every genre is in every split, and no person chose the test sentences.
set -eu
LC_ALL=C
export LC_ALL

data=${1:-$(dirname "$0")/../../examples/data}
out=${2:-$data}

if ! ls "$data"/source/*.txt >/dev/null 2>&1; then
  echo "build_corpus: $data/source: no .txt file found, expected at least one; pass the data folder as first argument" >&2
  exit 1
fi
mkdir -p "$out"

awk -v out="$out" '
  function split_of(number) {
    if (number % 10 == 4) return "dev"
    if (number % 10 == 7 || number % 10 == 0) return "test"
    return "train"
  }

  BEGIN { printf "" > (out "/train.conll"); printf "" > (out "/dev.conll"); printf "" > (out "/test.conll") }  # all three, even if empty
  FNR == 1 { number = 0 }
  /^[ \t]*$/ || /^#( |$)/ { next }
  {
    number++
    file = out "/" split_of(number) ".conll"
    type = ""                                   # the open entity, if any
    for (i = 1; i <= NF; i++) {
      token = $i
      if (token ~ /^\[(PER|ORG|LOC|MISC)$/) { type = substr(token, 2); tag = "B-" type; continue }
      closes = type != "" && token ~ /\]$/
      if (closes) token = substr(token, 1, length(token) - 1)
      print token "\t" (type == "" ? "O" : tag) > file
      if (type != "") tag = "I-" type
      if (closes) type = ""
    }
    print "" > file
  }
' "$data"/source/*.txt
