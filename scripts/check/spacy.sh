#!/usr/bin/env bash
# Trains a model from spaCy's annotations and writes its entities back into spaCy's Docs: runs examples/spacy with the spaCy of
# bench/peers/requirements-spacy.txt, which is installed in build/venv-spacy if it is missing.
#
#   scripts/check/spacy.sh PROGRAM LIBRARY      a trainer's program, and the same composition as a library, as in
#   scripts/check/spacy.sh build/default/bin/ner_light build/default/bin/libspacy_ner.so
set -euo pipefail
program=$(realpath "${1:?which program}") library=$(realpath "${2:?which library}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
bench/peers/setup.sh
python=$PWD/build/venv-spacy/bin/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quietly() { "$@" >"$work/said" 2>&1 || { tail -n 20 "$work/said"; echo "spacy: failed: $*"; exit 1; }; }

# docs/spacy.md shows the commands that run here.
shown() { awk -v first="$1" '$0 == first { on = 1 } /^```$/ { on = 0 } on' docs/spacy.md; }  # the block that begins with this line
shown "$(head -n 1 examples/spacy/export.py)" | cmp - examples/spacy/export.py
[ "$(wc -l <examples/spacy/export.py)" = 6 ] || { echo "spacy: export.py has other than six lines"; exit 1; }

# The C++ test reads the output of export.py.
quietly "$python" tests/spacy/golden.py --check

# Converting CoNLL to .spacy, to JSON Lines and back gives the same CoNLL.
for split in train dev test; do
  quietly "$python" -m spacy convert "examples/data/$split.conll" "$work" --converter ner --n-sents 10
  "$python" examples/spacy/export.py "$work/$split.spacy" >"$work/$split.jsonl"
  quietly "$program" convert "$work/$split.jsonl" --to iob2 -o "$work/$split.conll"
  cmp "$work/$split.conll" "examples/data/$split.conll" || { echo "spacy: $split.conll came back otherwise"; exit 1; }
done

quietly "$program" train --train "$work/train.conll" --dev "$work/dev.conll" --test "$work/test.conll" --epochs 4 --seed 1 \
  --output "$work/model"
"$python" tests/spacy/roundtrip.py "$program" "$library" "$work/model" "$work/test.spacy"

shown 'import sys, spacy' | sed "s,build/default/examples/libspacy_ner.so,$library,;s,\"model\": \"model\",\"model\": \"$work/model\"," >"$work/shown.py"
quietly "$python" "$work/shown.py"
grep -qF "'London', 'LOC', 28)" "$work/said" || { cat "$work/said"; echo "spacy: docs/spacy.md shows what finds no London"; exit 1; }
