#!/usr/bin/env bash
# Prints how many words a file of word vectors has and how many numbers a word, from its first line: the counts of
# word2vec, or else of all lines and of the first line's fields, as GloVe's files need.
#
#   scripts/vector_shape.sh vectors.txt
set -euo pipefail
file=${1:?which file of vectors}
[ -f "$file" ] || { echo "vector_shape: $file: no such file" >&2; exit 1; }
case $file in
  *.zst) command -v zstd >/dev/null || { echo "vector_shape: $file: the command zstd is missing; install it (Debian: zstd)" >&2; exit 1; } ;;
esac
case $file in
  *.gz) bytes() { gzip -dc "$file"; } ;;
  *.zst) bytes() { zstd -dcq "$file"; } ;;
  *) bytes() { cat "$file"; } ;;
esac
first=$(set +o pipefail; bytes 2>/dev/null | head -n 1 | tr -d '\0\r')
if [[ $first =~ ^[[:space:]]*([1-9][0-9]*)[[:space:]]+([1-9][0-9]*)[[:space:]]*$ ]]; then
  echo "${BASH_REMATCH[1]} ${BASH_REMATCH[2]}"
else
  read -r -a fields <<<"$first"
  [ "${#fields[@]}" -ge 2 ] || { echo "vector_shape: $file: its first line has neither two counts nor a word and its numbers" >&2; exit 1; }
  # A word may contain spaces: the numbers are the fields at the end.
  width=0
  while [ "$width" -lt $((${#fields[@]} - 1)) ] && [[ ${fields[-1 - width]} =~ ^[-+0-9.eE]+$ ]]; do width=$((width + 1)); done
  [ "$width" -gt 0 ] || { echo "vector_shape: $file: its first line does not end in a number" >&2; exit 1; }
  echo "$(bytes | wc -l) $width"
fi
