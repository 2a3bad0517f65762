#!/usr/bin/env bash
# Installs the programs of requirements.txt into build/venv-packages, unless they are there, and prints the folder of their commands.
#
#   PATH=$(tests/consumers/tools.sh):$PATH
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
venv=$root/build/venv-packages wanted=$root/tests/consumers/requirements.txt
if ! cmp -s "$wanted" "$venv/installed"; then
  mkdir -p "$root/build"
  exec 9>"$root/build/venv-packages.lock" # two checks may run at the same time
  flock 9
  if ! cmp -s "$wanted" "$venv/installed"; then
    rm -rf "$venv"
    { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$wanted"; } >&2 ||
      { echo "tools: python3 with venv and the Python package index are needed (Debian: python3-venv)" >&2; exit 1; }
    cp "$wanted" "$venv/installed"
  fi
fi
echo "$venv/bin"
