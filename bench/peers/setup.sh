#!/bin/sh
# Makes the virtual environment of a peer from exact versions: build/venv-spacy from requirements-spacy.txt,
# build/venv-torch (torch, transformers) from requirements-torch.txt, or build/venv-keras from requirements-keras.txt.
#
# usage   bench/peers/setup.sh            make spaCy's, or do nothing if it exists
#         bench/peers/setup.sh torch      the same for torch's; keras: for Keras on tensorflow-cpu
#         bench/peers/setup.sh --verify   also check that spacy_ner.cfg is what `spacy init config` writes, to the byte
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
peer=spacy
case "${1:-}" in torch | keras) peer=$1 ;; esac
venv="$root/build/venv-$peer"
wanted="$here/requirements-$peer.txt"
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
  cp "$wanted" "$venv/entrain-requirements.txt"      # written last, so that an interrupted installation starts again
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
