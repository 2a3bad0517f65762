#!/bin/sh
# Makes build/venv-spacy, the virtual environment of the spaCy peer, from the exact versions of requirements-spacy.txt.
#
# usage   bench/peers/setup.sh            make it, or do nothing when it is there already
#         bench/peers/setup.sh --verify   also check that spacy_ner.cfg is what `spacy init config` writes, to the byte
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
venv="$root/build/venv-spacy"
wanted="$here/requirements-spacy.txt"
python=${PYTHON:-python3}

if ! cmp -s "$wanted" "$venv/entrain-requirements.txt"; then
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "entrain peers: $("$python" --version 2>&1) found, the pinned versions need Python 3.11 or newer; set PYTHON=/path/to/python3" >&2
    exit 1
  }
  mkdir -p "$root/build"
  "$python" -m venv "$venv" || {
    echo "entrain peers: no virtual environment at $venv; on Debian: apt-get install python3-venv" >&2
    exit 1
  }
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$wanted"
  cp "$wanted" "$venv/entrain-requirements.txt"      # written last: an interrupted installation is begun again
fi

if [ "${1:-}" = "--verify" ]; then
  fresh=$(mktemp -d)
  trap 'rm -rf "$fresh"' EXIT
  for lang in en da pt; do
    "$venv/bin/python" -m spacy init config --lang $lang --pipeline ner --optimize efficiency "$fresh/$lang.cfg" >/dev/null
    sed "s/^lang = \"$lang\"\$/lang = \"en\"/" "$fresh/$lang.cfg" | cmp - "$here/spacy_ner.cfg" || {
      echo "entrain peers: spacy_ner.cfg is not what 'spacy init config --lang $lang' writes" >&2
      exit 1
    }
  done
  echo "spacy_ner.cfg: as 'spacy init config' writes it for en; for da and pt only the line 'lang' differs"
fi
